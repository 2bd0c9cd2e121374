// bench_gpu: the model of GPUs beside what was measured, and by itself.
#include "cli/bench.h"

#include "bench/gpu.h"
#include "bench/plan.h"

enum { VERTICES = 32 };

// A workload in the model: what it does, and with which iterations.
typedef struct modelled {
    bench_row row;
    bench_work work;
    double sweeps, scratch;
} modelled;

static bool model_row(const bench_row *row, modelled *it)
{
    const bench_part *part = row->what.workload->part;
    it->row = *row;
    return part->work != NULL && part->work(row, &it->work, &it->sweeps, &it->scratch);
}

// Workloads that have bars, as they are on calm strands: one Newton iteration, two, or an explicit step; two
// projections.
static uint32_t model_workloads(modelled its[BENCH_CASES_MOST])
{
    bench_case cases[BENCH_CASES_MOST];
    const uint32_t planned = bench_plan(BENCH_SET_WORKLOADS, 1, true, cases);
    uint32_t count = 0;
    for (uint32_t k = 0; k < planned; k++) {
        bench_row row = {.what = cases[k], .projections = 2};
        row.what.vertices = VERTICES;
        count += model_row(&row, &its[count]);
    }
    return count;
}

static void add_rate(base_text *text, const char *how, bench_gpu_rate found)
{
    base_text_add(text, "  %s %7.0f M vs/s, %6.0f strands, %5.0f bytes, limit %-10s", how, 1e-6 * found.rate,
                  found.strands, found.bytes, found.limit);
}

static void add_model(base_text *text, const bench_gpu *gpu, const modelled *it)
{
    base_text_add(text, "%-18s %-13s", gpu->name, it->row.what.workload->name);
    add_rate(text, "all", bench_gpu_full(gpu, &it->work, it->sweeps));
    add_rate(text, "cached", bench_gpu_cached(gpu, &it->work, it->sweeps, it->scratch));
    base_text_add(text, "\n");
}

void cli_bench_gpu_table(base_text *text)
{
    modelled its[BENCH_CASES_MOST];
    const uint32_t count = model_workloads(its);
    base_text_add(text, "A model, no measurement: public figures of GPUs, counts of the kernels.\n");
    for (const bench_gpu *gpu = bench_gpus; gpu->name != NULL; gpu++)
        for (uint32_t k = 0; k < count; k++)
            add_model(text, gpu, &its[k]);
    base_text_add(text, "\nvs: vertex-step; all: as many strands in flight as registers let in; cached: as many as the "
                        "last cache holds scratch for;\nbytes: of memory, per vertex-step\n");
}

// The faster way of having strands in flight.
static bench_gpu_rate best_rate(const bench_gpu *gpu, const modelled *it)
{
    const bench_gpu_rate all = bench_gpu_full(gpu, &it->work, it->sweeps),
                         cached = bench_gpu_cached(gpu, &it->work, it->sweeps, it->scratch);
    return all.rate > cached.rate ? all : cached;
}

// The rows of the workloads that the model knows, one after the other; false: no more.
static bool next_row(const bench_results *results, uint32_t *k, modelled *it)
{
    for (uint32_t s = 0; s < results->count; s++) {
        const bench_section *section = &results->sections[s];
        for (; section->set == BENCH_SET_WORKLOADS && *k < section->count; ++*k)
            if (model_row(&section->rows[*k], it)) {
                ++*k;
                return true;
            }
    }
    return false;
}

void cli_bench_gpu_compare(const bench_results *results, base_text *text)
{
    const bench_gpu *gpu = bench_gpu_find(results->device.name);
    modelled it;
    if (!(results->device.type & CL_DEVICE_TYPE_GPU))
        return;
    if (gpu == NULL) {
        base_text_add(text, "\nno public figures of this GPU are known here: there is no model to compare with\n");
        return;
    }
    base_text_add(text, "\nmeasured against the model of %s\n", gpu->name);
    for (uint32_t k = 0; next_row(results, &k, &it);) {
        const bench_gpu_rate found = best_rate(gpu, &it);
        base_text_add(text, "%-13s %9.2f M vs/s, model %9.2f (limit %s): %3.0f %%\n", it.row.what.workload->name,
                      1e-6 * it.row.rate, 1e-6 * found.rate, found.limit, 100 * it.row.rate / found.rate);
    }
}

json_t *cli_bench_gpu_json(const bench_results *results)
{
    const bench_gpu *gpu = bench_gpu_find(results->device.name);
    json_t *rows = json_array();
    modelled it;
    if (gpu == NULL) {
        json_decref(rows);
        return json_null();
    }
    for (uint32_t k = 0; next_row(results, &k, &it);) {
        const bench_gpu_rate found = best_rate(gpu, &it);
        json_array_append_new(rows, json_pack("{s:s, s:f, s:f, s:s, s:f}", "workload", it.row.what.workload->name,
                                              "vertex_steps_per_s", found.rate, "bytes_per_vertex_step", found.bytes,
                                              "limit", found.limit, "measured_over_model", it.row.rate / found.rate));
    }
    return json_pack("{s:s, s:o}", "gpu", gpu->name, "rows", rows);
}
