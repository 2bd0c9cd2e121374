// bench_report: results of `sheaf bench` as a table and as JSON.
#include "cli/bench.h"

#include "bench/plan.h"
#include "io/folder.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// A reading up to this much over its bar may come of a busy machine.
static const double busy_factor = 1.4;

void cli_bench_form(const bench_case *what, char form[16])
{
    snprintf(form, 16, what->lane_width == 1 ? "float" : "float%u", what->lane_width);
}

static const char *schedule_name(const bench_case *what)
{
    return what->is_staged ? "staged" : "fused";
}

const char *cli_bench_kernels(const bench_case *what)
{
    return what->is_stage ? bench_stage_name(what) : schedule_name(what);
}

void cli_bench_machine(char *name, size_t size)
{
    char processor[320];
    io_processor(processor, sizeof processor);
    snprintf(name, size, "%s, %ld cores", processor, sysconf(_SC_NPROCESSORS_ONLN));
}

// ---- JSON

static json_t *row_json(const bench_section *section, const bench_row *row, const bench_limits *limits)
{
    char form[16];
    const bench_case *what = &row->what;
    cli_bench_form(what, form);
    json_t *json = json_pack(
        "{s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:f, s:f, s:f, s:f, s:[f, f, f], s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:i}",
        "set", bench_set_name(section->set), "workload", what->workload->name, "form", form, "schedule",
        schedule_name(what), "strands", (int)what->strands, "vertices", (int)what->vertices, "threads",
        (int)row->threads, "vertex_steps_per_s", row->rate, "peak_flops_per_vertex_step", bench_cost(row),
        "strand_seconds_per_s", bench_strand_seconds(row), "spread", bench_spread(row), "quartiles", row->quartiles[0],
        row->quartiles[1], row->quartiles[2], "rounds", (int)row->rounds, "peak_gflops", 1e-9 * row->peak, "step",
        row->step, "newton", row->newton, "projections", row->projections, "strain", row->strain, "memory_bytes",
        row->memory, "steps_per_launch", (int)row->launch);
    const bench_use use = bench_use_of(row, limits);
    json_object_set_new(json, "stage", what->is_stage ? json_string(bench_stage_name(what)) : json_null());
    json_object_set_new(json, "flops_per_vertex_step", json_real(use.flops));
    json_object_set_new(json, "bytes_per_vertex_step", json_real(use.bytes));
    json_object_set_new(json, "limit", json_string(use.is_memory ? "memory" : "compute"));
    json_object_set_new(json, "share_of_limit", json_real(use.share));
    return json;
}

static json_t *verdict_json(const bench_verdict *verdict)
{
    return json_pack("{s:s, s:f, s:f, s:b}", "what", verdict->what, "measured", verdict->measured, "bar", verdict->bar,
                     "pass", bench_is_met(verdict));
}

static json_t *exponents_json(const bench_results *results)
{
    json_t *exponents = json_pack("{s:n, s:n}", "strands", "free_vertices");
    for (uint32_t s = 0; s < results->count; s++) {
        const bench_section *section = &results->sections[s];
        if ((section->set == BENCH_SET_STRANDS || section->set == BENCH_SET_VERTICES) && section->verdict_count > 0)
            json_object_set_new(exponents, section->set == BENCH_SET_STRANDS ? "strands" : "free_vertices",
                                json_real(section->verdicts[0].measured));
    }
    return exponents;
}

static json_t *limits_json(const bench_limits *limits)
{
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "fp32_gflops", 1e-9 * limits->peak, "fp64_gflops",
                     1e-9 * limits->peak_double, "copy_gb_per_s", 1e-9 * limits->copy, "cache_copy_gb_per_s",
                     1e-9 * limits->cache_copy, "cache_bytes", limits->cache_size, "launch_us", 1e6 * limits->launch,
                     "tridiagonal_gb_per_s", 1e-9 * limits->tridiagonal);
}

json_t *cli_bench_json(const bench_results *results)
{
    json_t *rows = json_array(), *verdicts = json_array(), *failures = json_object();
    for (uint32_t s = 0; s < results->count; s++) {
        const bench_section *section = &results->sections[s];
        for (uint32_t k = 0; k < section->count; k++)
            json_array_append_new(rows, row_json(section, &section->rows[k], &results->limits));
        for (uint32_t k = 0; k < section->verdict_count; k++)
            json_array_append_new(verdicts, verdict_json(&section->verdicts[k]));
        if (section->failure[0] != 0)
            json_object_set_new(failures, bench_set_name(section->set), json_string(section->failure));
    }
    if (results->paper_failure[0] != 0)
        json_object_set_new(failures, "paper", json_string(results->paper_failure));
    if (results->limits.tridiagonal > 0) {
        const bench_verdict solve = bench_judge_limits(&results->limits);
        json_array_append_new(verdicts, verdict_json(&solve));
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:i, s:o, s:o, s:o, s:o, s:o, s:O, s:O?, s:o}", "device",
                     results->device.name, "platform", results->device.platform, "driver", results->device.driver,
                     "machine", results->machine, "version", sheaf_version(), "complete", results->is_complete,
                     "warm_up_rounds", BENCH_WARM_UP, "peak", limits_json(&results->limits), "rows", rows, "exponents",
                     exponents_json(results), "verdicts", verdicts, "failures", failures, "peers", results->peers,
                     "paper", results->paper, "gpu_model", cli_bench_gpu_json(results));
}

// ---- table

static void add_row(base_text *text, const bench_row *row, const bench_limits *limits)
{
    char form[16];
    const bench_use use = bench_use_of(row, limits);
    cli_bench_form(&row->what, form);
    base_text_add(text,
                  "%-13s %-8s %-10s %8u %5u %3u %9.2f %8.0f %6.0f %6.0f %3.0f %% %-7s %9.3g %4.1f %% %6.2f %6.2f\n",
                  row->what.workload->name, form, cli_bench_kernels(&row->what), row->what.strands, row->what.vertices,
                  row->threads, 1e-6 * row->rate, bench_cost(row), use.flops, use.bytes, 100 * use.share,
                  use.is_memory ? "memory" : "compute", bench_strand_seconds(row), 100 * bench_spread(row), row->newton,
                  row->projections);
}

static const char *verdict_word(const bench_verdict *verdict)
{
    if (bench_is_met(verdict))
        return "met";
    const bool near = !verdict->is_least && verdict->bar > 100 && verdict->measured <= busy_factor * verdict->bar;
    return near ? "near: is the machine busy?" : "missed";
}

static void add_section(base_text *text, const bench_section *section, const bench_limits *limits)
{
    base_text_add(text, "\n%s\n", bench_set_name(section->set));
    if (section->failure[0] != 0)
        base_text_add(text, "failed: %s\n", section->failure);
    if (section->count == 0)
        return;
    base_text_add(text, "%-13s %-8s %-10s %8s %5s %3s %9s %8s %6s %6s %13s %9s %6s %6s %6s\n", "workload", "form",
                  "kernels", "strands", "vert.", "thr", "M vs/s", "peak/vs", "flops", "bytes", "of limit  ", "strand-s",
                  "spread", "newton", "proj.");
    for (uint32_t k = 0; k < section->count; k++)
        add_row(text, &section->rows[k], limits);
}

static void add_verdict(base_text *text, const bench_verdict *verdict)
{
    const char *format = verdict->bar > 100 ? "%-44s %8.0f  %s %5.0f   %s\n" : "%-44s %8.2f  %s %5.2f   %s\n";
    base_text_add(text, format, verdict->what, verdict->measured, verdict->is_least ? ">=" : "<=", verdict->bar,
                  verdict_word(verdict));
}

static void add_limits(base_text *text, const bench_limits *limits)
{
    base_text_add(text, "peak %.1f GFLOP/s single, %.1f double; copy %.1f GB/s", 1e-9 * limits->peak,
                  1e-9 * limits->peak_double, 1e-9 * limits->copy);
    if (limits->cache_copy > 0)
        base_text_add(text, ", %.1f in cache; launch %.0f us; tridiagonal solve %.1f GB/s", 1e-9 * limits->cache_copy,
                      1e6 * limits->launch, 1e-9 * limits->tridiagonal);
    base_text_add(text, "\n");
}

void cli_bench_table(const bench_results *results, base_text *text)
{
    base_text_add(text, "%s\n%s\n", results->machine, results->device.name);
    add_limits(text, &results->limits);
    for (uint32_t s = 0; s < results->count; s++)
        add_section(text, &results->sections[s], &results->limits);
    base_text_add(text,
                  "\nvs: vertex-step; peak/vs: peak flops that one costs; flops, bytes: counted, per vs; strand-s: "
                  "simulated per second;\nbest round of each, after %d that are not timed\n\n",
                  BENCH_WARM_UP);
    for (uint32_t s = 0; s < results->count; s++)
        for (uint32_t k = 0; k < results->sections[s].verdict_count; k++)
            add_verdict(text, &results->sections[s].verdicts[k]);
    if (results->limits.tridiagonal > 0) {
        const bench_verdict solve = bench_judge_limits(&results->limits);
        add_verdict(text, &solve);
    }
    cli_bench_gpu_compare(results, text);
    if (results->paper != NULL)
        cli_bench_paper_table(results->paper, text);
    if (results->paper_failure[0] != 0)
        base_text_add(text, "\npaper\nfailed: %s\n", results->paper_failure);
    if (!results->is_complete)
        base_text_add(text, "\nstopped: what is missing was not measured\n");
}
