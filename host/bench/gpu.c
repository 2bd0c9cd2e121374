// gpu: the model of docs/gpus.md.
#include "bench/gpu.h"

#include <math.h>
#include <string.h>

const double bench_shares[BENCH_SHARES] = {128, 256, 512, 1024, 2048, 4096, 8192, 16384};

// Cycles. Assumed, of the order that is common on these devices.
static const double cache_wait = 250, memory_wait = 600;

// A work-item alone issues an instruction in so many cycles, as most wait for the one before. Assumed.
static const double alone = 3;

// Instructions of a correctly rounded division or root in the usual case. Assumed.
static const double division = 9, root = 9;

// Rates of arithmetic and memory, clocks and sizes as makers advertise them; rates of caches are assumed. Work-items by
// registers as tests/gpu finds them, 104 on NVIDIA's and 184 on AMD's; Intel's threads have eight each.
const bench_gpu bench_gpus[] = {
    {"NVIDIA A100 40 GB", "A100", 19.5e12, 1.41e9, 1.555e12, 40e6, 4.5e12, 192e3, 108, 576},
    {"NVIDIA H100 SXM", "H100", 66.9e12, 1.98e9, 3.35e12, 50e6, 5.5e12, 256e3, 132, 576},
    {"NVIDIA RTX 4090", "RTX 4090", 82.6e12, 2.52e9, 1.008e12, 72e6, 5e12, 128e3, 128, 576},
    {"NVIDIA RTX 4060 Ti", "RTX 4060 Ti", 22.1e12, 2.54e9, 0.288e12, 32e6, 1.5e12, 128e3, 34, 576},
    {"AMD MI210", "MI210", 22.6e12, 1.7e9, 1.638e12, 8e6, 3.5e12, 16e3, 104, 512},
    {"AMD RX 7900 XTX", "7900 XTX", 30.7e12, 2.5e9, 0.96e12, 96e6, 3e12, 32e3, 96, 320},
    {"Intel Arc A770", "A770", 17.2e12, 2.1e9, 0.56e12, 16e6, 1.5e12, 192e3, 32, 1024},
    {0},
};

const bench_gpu *bench_gpu_find(const char *name)
{
    for (const bench_gpu *it = bench_gpus; it->name != NULL; it++)
        if (strstr(name, it->mark) != NULL)
            return it;
    return NULL;
}

double bench_gpu_instructions(const bench_work *work)
{
    return work->simple + work->choices + division * work->divisions + root * work->roots + work->accesses;
}

double bench_gpu_bytes(const bench_work *work, double share)
{
    int k = 0;
    if (share <= bench_shares[0])
        return work->bytes[0];
    if (share >= bench_shares[BENCH_SHARES - 1])
        return work->bytes[BENCH_SHARES - 1];
    while (share >= bench_shares[k + 1])
        k++;
    const double along = log(share / bench_shares[k]) / log(bench_shares[k + 1] / bench_shares[k]);
    return work->bytes[k] + along * (work->bytes[k + 1] - work->bytes[k]);
}

// Makes `time`, s per vertex-step, the limit where it is longer than what is known.
static void limit_by(bench_gpu_rate *found, double *longest, double time, const char *what)
{
    if (time <= *longest)
        return;
    *longest = time;
    found->limit = what;
}

bench_gpu_rate bench_gpu_model(const bench_gpu *gpu, const bench_work *work, double sweeps, double strands)
{
    const double instructions = bench_gpu_instructions(work), near = strands / gpu->units;
    const double beyond_near = bench_gpu_bytes(work, gpu->near_cache / near);
    bench_gpu_rate found = {.strands = strands, .bytes = bench_gpu_bytes(work, gpu->cache / strands)};
    const double miss = beyond_near > 0 ? fmin(1, found.bytes / beyond_near) : 0;
    const double wait = cache_wait + miss * (memory_wait - cache_wait);
    double longest = 0;
    limit_by(&found, &longest, 2 * instructions / gpu->flops, "arithmetic");
    limit_by(&found, &longest, beyond_near / gpu->cache_rate, "cache");
    limit_by(&found, &longest, found.bytes / gpu->memory, "memory");
    limit_by(&found, &longest, (alone * instructions + sweeps * wait) / gpu->clock / strands, "waiting");
    found.rate = 1 / longest;
    return found;
}

bench_gpu_rate bench_gpu_full(const bench_gpu *gpu, const bench_work *work, double sweeps)
{
    return bench_gpu_model(gpu, work, sweeps, (double)gpu->units * gpu->most_in_flight);
}

bench_gpu_rate bench_gpu_cached(const bench_gpu *gpu, const bench_work *work, double sweeps, double scratch)
{
    const double full = (double)gpu->units * gpu->most_in_flight;
    return bench_gpu_model(gpu, work, sweeps, fmin(full, gpu->cache / scratch));
}
