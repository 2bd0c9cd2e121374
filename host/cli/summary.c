// summary: what `sheaf run` tells of a run that has ended.
#include "cli/summary.h"

#include <math.h>

#include "cli/message.h"
#include "cli/progress.h"

static const char *ending(const io_record *record)
{
    switch (record->exit_code) {
    case 0:
        return "done";
    case 4:
        return record->frozen_strands + record->frozen_bodies > 0 ? "diverged" : "ended, unmet";
    default:
        return "stopped by a signal";
    }
}

void cli_tell_results(const run_results *results)
{
    const io_record *record = &results->record;
    char duration[32], shown[512];
    const double vertices = (double)record->model->vertex_count, wall = fmax(record->wall_seconds, 1e-9);
    cli_format_duration(wall, duration, sizeof duration);
    base_printable(results->folder->path, shown, sizeof shown);
    cli_note("%s: %.4g s simulated in %s (%llu steps, %.3g vertex-steps per second), worst strain %.1e", ending(record),
             record->time, duration, (unsigned long long)record->steps, vertices * (double)record->steps / wall,
             record->worst_strain);
    if (record->frozen_strands > 0)
        cli_warn("%u of %u strands diverged and were frozen; a smaller step may help", record->frozen_strands,
                 record->model->strand_count);
    if (record->frozen_bodies > 0)
        cli_warn("%u of %u bodies ran away and were frozen; a smaller step may help", record->frozen_bodies,
                 record->model->body_count);
    if (record->beyond.vertices > 0)
        cli_warn(
            "up to %llu vertices at once were strained beyond the range of their material's law, first vertex %u of "
            "strand %u at %.4g s by %.4g 1/m; there the law is a straight line: give a larger range",
            (unsigned long long)record->beyond.vertices, record->beyond.vertex, record->beyond.strand,
            record->beyond.time, record->beyond.strain);
    if (run_results_end_unmet(results))
        cli_warn(
            "in %llu of %llu frames more than 1 %% of the strands did not meet what they are asked for (%u of %u in "
            "the last one): edges are off their lengths, or forces out of balance; do not trust these results. "
            "Are both ends too far apart, or the loads too large? Else try a smaller step",
            (unsigned long long)record->unmet_frames, (unsigned long long)record->frames, record->unmet_strands,
            record->model->strand_count);
    if (record->stride > 1)
        cli_note(IO_STRANDS_NAME " and the picture hold one strand in %u", record->stride);
    if (results->frames.stride > 1)
        cli_note(IO_TRAJECTORY_NAME " holds one strand in %u", results->frames.stride);
    cli_note("look at %s/" IO_PICTURE_NAME " and %s/" IO_ENERGY_NAME "; figures are in " IO_THERMO_NAME
             ", positions in " IO_STRANDS_NAME "%s, settings in " IO_RECORD_NAME,
             shown, shown, results->without_trajectory ? "" : " and, over time, in " IO_TRAJECTORY_NAME);
}

void cli_print_profile(const io_record *record)
{
    double sum = 0;
    base_text table = {0};
    for (uint32_t k = 0; k < record->stage_count; k++)
        sum += record->stages[k].seconds;
    base_text_add(&table, "%-12s %10s %12s %8s %14s\n", "stage", "launches", "seconds", "share", "us per launch");
    for (uint32_t k = 0; k < record->stage_count; k++) {
        const solver_stage *stage = &record->stages[k];
        base_text_add(&table, "%-12s %10llu %12.6f %7.1f%% %14.2f\n", stage->name, (unsigned long long)stage->launches,
                      stage->seconds, 100 * stage->seconds / sum, 1e6 * stage->seconds / (double)stage->launches);
    }
    cli_print(&table);
    base_text_free(&table);
}
