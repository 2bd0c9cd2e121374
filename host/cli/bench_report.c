// bench_report: results of `sheaf bench` as a table and as JSON.
#include "cli/bench.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// A reading up to this much over its bar may come of a busy machine.
static const double busy_factor = 1.4;

static void write_form(const bench_case *what, char form[16])
{
    snprintf(form, 16, what->lane_width == 1 ? "float" : "float%u", what->lane_width);
}

static const char *schedule_name(const bench_case *what)
{
    return what->is_staged ? "staged" : "fused";
}

// Distance of the quartiles as a share of the median.
static double spread(const bench_row *row)
{
    return (row->quartiles[2] - row->quartiles[0]) / row->quartiles[1];
}

void cli_bench_machine(char *name, size_t size)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    snprintf(name, size, "unknown processor, %ld cores", cores);
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *value = strchr(line, ':');
        if (value == NULL || strncmp(line, "model name", 10) != 0)
            continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(name, size, "%s, %ld cores", value + 2, cores);
        break;
    }
    if (file != NULL)
        (void)fclose(file);
}

// ---- JSON

static json_t *row_json(const bench_section *section, const bench_row *row)
{
    char form[16];
    write_form(&row->what, form);
    return json_pack("{s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:f, s:f, s:f, s:f, s:[f, f, f], s:f, s:f, s:f, s:f}", "set",
                     bench_set_name(section->set), "workload", bench_workload_name(row->what.workload), "form", form,
                     "schedule", schedule_name(&row->what), "strands", (int)row->what.strands, "vertices",
                     (int)row->what.vertices, "threads", (int)row->threads, "vertex_steps_per_s", row->rate,
                     "peak_flops_per_vertex_step", bench_cost(row), "strand_seconds_per_s", bench_strand_seconds(row),
                     "spread", spread(row), "quartiles", row->quartiles[0], row->quartiles[1], row->quartiles[2],
                     "peak_gflops", 1e-9 * row->peak, "step", row->step, "newton", row->newton, "projections",
                     row->projections);
}

bool cli_bench_read_row(json_t *json, bench_row *row)
{
    const char *form, *schedule;
    int threads;
    double *q = row->quartiles;
    if (json_unpack(json, "{s:s, s:s, s:i, s:F, s:[F, F, F], s:F, s:F, s:F, s:F}", "form", &form, "schedule", &schedule,
                    "threads", &threads, "vertex_steps_per_s", &row->rate, "quartiles", &q[0], &q[1], &q[2],
                    "peak_gflops", &row->peak, "step", &row->step, "newton", &row->newton, "projections",
                    &row->projections) != 0)
        return false;
    row->peak *= 1e9;
    row->threads = (uint32_t)threads;
    row->what.is_staged = strcmp(schedule, "staged") == 0;
    row->what.lane_width = (uint32_t)strtoul(form + strcspn(form, "0123456789"), NULL, 10);
    if (row->what.lane_width == 0)
        row->what.lane_width = 1;
    return row->rate > 0;
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
        if (section->set == BENCH_SET_STRANDS || section->set == BENCH_SET_VERTICES)
            json_object_set_new(exponents, section->set == BENCH_SET_STRANDS ? "strands" : "free_vertices",
                                json_real(section->verdicts[0].measured));
    }
    return exponents;
}

json_t *cli_bench_json(const bench_results *results)
{
    json_t *rows = json_array(), *verdicts = json_array();
    for (uint32_t s = 0; s < results->count; s++) {
        const bench_section *section = &results->sections[s];
        for (uint32_t k = 0; k < section->count; k++)
            json_array_append_new(rows, row_json(section, &section->rows[k]));
        for (uint32_t k = 0; k < section->verdict_count; k++)
            json_array_append_new(verdicts, verdict_json(&section->verdicts[k]));
    }
    return json_pack("{s:s, s:s, s:{s:f, s:f, s:f}, s:o, s:o, s:o, s:[]}", "device", results->device.name, "machine",
                     results->machine, "peak", "fp32_gflops", 1e-9 * results->peak, "fp64_gflops",
                     1e-9 * results->peak_double, "copy_gb_per_s", 1e-9 * results->copy, "rows", rows, "exponents",
                     exponents_json(results), "verdicts", verdicts, "peers");
}

// ---- table

static void add_row(base_text *text, const bench_row *row)
{
    char form[16];
    write_form(&row->what, form);
    base_text_add(text, "%-13s %-8s %-7s %7u %5u %3u %9.2f %8.0f %8.0f  %4.1f %% %6.2f %6.2f\n",
                  bench_workload_name(row->what.workload), form, schedule_name(&row->what), row->what.strands,
                  row->what.vertices, row->threads, 1e-6 * row->rate, bench_cost(row), bench_strand_seconds(row),
                  100 * spread(row), row->newton, row->projections);
}

static const char *verdict_word(const bench_verdict *verdict)
{
    if (bench_is_met(verdict))
        return "met";
    const bool near = !verdict->is_least && verdict->bar > 100 && verdict->measured <= busy_factor * verdict->bar;
    return near ? "near: is the machine busy?" : "missed";
}

static void add_section(base_text *text, const bench_section *section)
{
    base_text_add(text, "\n%s\n%-13s %-8s %-7s %7s %5s %3s %9s %8s %8s  %6s %6s %6s\n", bench_set_name(section->set),
                  "workload", "form", "kernels", "strands", "vert.", "thr", "M vs/s", "flops/vs", "strand-s", "spread",
                  "newton", "proj.");
    for (uint32_t k = 0; k < section->count; k++)
        add_row(text, &section->rows[k]);
}

static void add_verdict(base_text *text, const bench_verdict *verdict)
{
    const char *format = verdict->bar > 100 ? "%-44s %8.0f  %s %5.0f   %s\n" : "%-44s %8.2f  %s %5.2f   %s\n";
    base_text_add(text, format, verdict->what, verdict->measured, verdict->is_least ? ">=" : "<=", verdict->bar,
                  verdict_word(verdict));
}

void cli_bench_table(const bench_results *results, base_text *text)
{
    base_text_add(text, "%s\n%s\n", results->machine, results->device.name);
    base_text_add(text, "peak %.1f GFLOP/s single, %.1f double; copy %.1f GB/s\n", 1e-9 * results->peak,
                  1e-9 * results->peak_double, 1e-9 * results->copy);
    for (uint32_t s = 0; s < results->count; s++)
        add_section(text, &results->sections[s]);
    base_text_add(text, "\nvs: vertex-step; flops: of the peak; strand-s: simulated per second\n\n");
    for (uint32_t s = 0; s < results->count; s++)
        for (uint32_t k = 0; k < results->sections[s].verdict_count; k++)
            add_verdict(text, &results->sections[s].verdicts[k]);
}
