// bench: what rods bring to benchmarks.
#include "der/bench/counts.h"
#include "der/der.h"
#include "der/device/volume.h"
#include "der/device/width.h"

static const char *const stage_names[] = {
#define STAGE_NAME(name) #name,
    ENGINE_STAGES(STAGE_NAME)
#undef STAGE_NAME
        NULL};

static sheaf_status choose_width(uint32_t device, const device_info *info, uint32_t *lane_width)
{
    return width_choose(device, info, false, UINT32_MAX, lane_width);
}

static sheaf_status act_between(void *volume)
{
    return der_volume_act(volume);
}

static void close_between(void *volume)
{
    der_volume_close(volume);
}

const bench_part der_bench = {
    .workloads = der_workloads,
    .workload_count = DER_WORKLOAD_COUNT,
    .stages = stage_names,
    .choose_width = choose_width,
    .plan = der_bench_plan,
    .judge = der_bench_judge,
    .make_model = der_bench_model,
    .open = der_bench_open,
    .act_between = act_between,
    .close_between = close_between,
    .count = der_bench_count,
    .work = der_bench_work,
};
