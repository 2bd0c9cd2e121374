// bench_compare: results of `sheaf bench` against those of an earlier run.
#include "cli/bench.h"

#include "bench/compare.h"
#include "io/file.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_LIMIT = 16 << 20 }; // bytes

sheaf_status cli_bench_load(const char *path, const char *key, json_t **root)
{
    base_text text = {0};
    json_error_t error;
    *root = NULL;
    sheaf_status status = io_file_read(path, FILE_LIMIT, &text);
    if (status == SHEAF_OK) {
        *root = json_loadb(base_text_get(&text), text.length, 0, &error);
        if (*root == NULL)
            status =
                base_fail(SHEAF_ERR_INPUT, "%s:%d:%d: this is no JSON: %s", path, error.line, error.column, error.text);
        else if (!json_is_array(json_object_get(*root, key)))
            status = base_fail(SHEAF_ERR_INPUT, "%s has no list '%s': it was not written for `sheaf bench`", path, key);
    }
    base_text_free(&text);
    if (status != SHEAF_OK) {
        json_decref(*root);
        *root = NULL;
    }
    return status;
}

// ---- rows read back

static bool read_case(const json_t *json, bench_case *what)
{
    const char *workload, *form, *schedule;
    int strands, vertices;
    if (json_unpack((json_t *)json, "{s:s, s:s, s:s, s:i, s:i}", "workload", &workload, "form", &form, "schedule",
                    &schedule, "strands", &strands, "vertices", &vertices) != 0)
        return false;
    const char *stage = json_string_value(json_object_get(json, "stage"));
    *what = (bench_case){
        .workload = bench_workload_find(workload),
        .strands = (uint32_t)strands,
        .vertices = (uint32_t)vertices,
        .lane_width = (uint32_t)strtoul(form + strcspn(form, "0123456789"), NULL, 10),
        .is_staged = strcmp(schedule, "staged") == 0,
        .is_stage = stage != NULL,
    };
    if (what->lane_width == 0)
        what->lane_width = 1;
    return what->workload != NULL && (stage == NULL || bench_stage_find(what->workload, stage, &what->stage));
}

bool cli_bench_read_row(const json_t *json, bench_row *row)
{
    int threads;
    double *q = row->quartiles;
    if (!read_case(json, &row->what) ||
        json_unpack((json_t *)json, "{s:i, s:F, s:[F, F, F], s:F, s:F, s:F, s:F}", "threads", &threads,
                    "vertex_steps_per_s", &row->rate, "quartiles", &q[0], &q[1], &q[2], "peak_gflops", &row->peak,
                    "step", &row->step, "newton", &row->newton, "projections", &row->projections) != 0)
        return false;
    row->peak *= 1e9;
    row->threads = (uint32_t)threads;
    row->strain = json_number_value(json_object_get(json, "strain"));
    row->memory = json_number_value(json_object_get(json, "memory_bytes"));
    row->rounds = (uint32_t)json_integer_value(json_object_get(json, "rounds"));
    row->launch = (uint32_t)json_integer_value(json_object_get(json, "steps_per_launch"));
    return row->rate > 0 && row->peak > 0 && q[0] > 0 && q[1] > 0 && q[2] > 0;
}

// ---- comparing

// The row of the same case in the same set.
static bool find_row(const json_t *rows, bench_set set, const bench_row *like, bench_row *found)
{
    for (size_t k = 0; k < json_array_size(rows); k++) {
        const json_t *json = json_array_get(rows, k);
        const char *name = json_string_value(json_object_get(json, "set"));
        *found = (bench_row){0};
        if (name != NULL && bench_set_find(name) == set && cli_bench_read_row(json, found) &&
            bench_same_case(found, like))
            return true;
    }
    return false;
}

static void add_line(base_text *text, const bench_row *row, const bench_comparison *found)
{
    char form[16];
    cli_bench_form(&row->what, form);
    base_text_add(text, "%-13s %-8s %-10s %8u %5u %3u %9.0f %9.0f %+7.1f %%  %5.1f %%  %s\n", row->what.workload->name,
                  form, cli_bench_kernels(&row->what), row->what.strands, row->what.vertices, row->threads,
                  found->before, found->after, 100 * (found->after / found->before - 1), 100 * found->noise,
                  bench_change_name(found->change));
}

static void compare_rows(const bench_results *results, const json_t *rows, base_text *text, uint32_t counts[3],
                         uint32_t *missing)
{
    for (uint32_t s = 0; s < results->count; s++)
        for (uint32_t k = 0; k < results->sections[s].count; k++) {
            const bench_row *row = &results->sections[s].rows[k];
            bench_row before;
            if (!find_row(rows, results->sections[s].set, row, &before)) {
                ++*missing;
                continue;
            }
            const bench_comparison found = bench_compare(&before, row);
            counts[found.change]++;
            add_line(text, row, &found);
        }
}

sheaf_status cli_bench_compare(const bench_results *results, const char *path, base_text *text, uint32_t *slower)
{
    json_t *root;
    uint32_t counts[3] = {0}, missing = 0;
    *slower = 0;
    SHEAF_TRY(cli_bench_load(path, "rows", &root));
    const char *machine = json_string_value(json_object_get(root, "machine"));
    base_text_add(text, "\nagainst ");
    base_text_add_printable(text, path, strlen(path));
    if (machine != NULL && strcmp(machine, results->machine) != 0) {
        base_text_add(text, ", of another machine: ");
        base_text_add_printable(text, machine, strlen(machine));
    }
    base_text_add(text, "\n%-13s %-8s %-10s %8s %5s %3s %9s %9s %9s  %7s\n", "workload", "form", "kernels", "strands",
                  "vert.", "thr", "before", "now", "change", "noise");
    compare_rows(results, json_object_get(root, "rows"), text, counts, &missing);
    base_text_add(text, "%u faster, %u slower, %u the same within noise, %u not in the file\n", counts[BENCH_FASTER],
                  counts[BENCH_SLOWER], counts[BENCH_SAME], missing);
    *slower = counts[BENCH_SLOWER];
    json_decref(root);
    return base_text_status(text);
}
