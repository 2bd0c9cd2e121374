// transducer: two bodies, 1 to 10 by mass, that the wire between them twists to and fro (figure 6 of the paper).
#include <math.h>
#include <stdio.h>

#include "base/vec.h"
#include "reproduce/answers.h"
#include "reproduce/reproduce.h"

enum { SAMPLES_MOST = 3000 };

static const double twist = 1.5e-3, length = 1, inertia[2] = {2e-4, 2e-3}; // N m^2, m, kg m^2: the scene's

typedef struct course {
    uint32_t count;
    double time[SAMPLES_MOST], turn[SAMPLES_MOST];                                         // s; rad/s of the light body
    double light[SAMPLES_MOST], heavy[SAMPLES_MOST], rod[SAMPLES_MOST], sum[SAMPLES_MOST]; // J
} course;

// Torsion pendulum of two moments of inertia, without mass of the wire.
static double period(void)
{
    return 2 * PI / sqrt(twist / length * (1 / inertia[0] + 1 / inertia[1]));
}

static sheaf_status look(const reproduce_batch *batch, course *c)
{
    sheaf_body_pose poses[2];
    sheaf_report report;
    const uint32_t k = c->count++;
    SHEAF_TRY(sheaf_solver_read_bodies(batch->solver, poses, 2));
    SHEAF_TRY(sheaf_solver_report(batch->solver, &report));
    c->time[k] = report.time;
    c->turn[k] = poses[0].spin[0];
    c->light[k] = poses[0].kinetic;
    c->heavy[k] = poses[1].kinetic;
    c->rod[k] = report.bending + report.twisting;
    c->sum[k] = report.kinetic + c->rod[k];
    return SHEAF_OK;
}

// Mean time between every other change of sign.
static double measured_period(const course *c)
{
    double first = 0, last = 0;
    uint32_t crossings = 0;
    for (uint32_t k = 1; k < c->count; k++) {
        if ((c->turn[k - 1] > 0) == (c->turn[k] > 0))
            continue;
        const double share = c->turn[k - 1] / (c->turn[k - 1] - c->turn[k]);
        last = c->time[k - 1] + share * (c->time[k] - c->time[k - 1]);
        first = crossings++ == 0 ? last : first;
    }
    return crossings > 1 ? 2 * (last - first) / (crossings - 1) : NAN;
}

static sheaf_status simulate(reproduce_run *run, double step, double end, course *c)
{
    reproduce_batch batch;
    sheaf_status status = reproduce_batch_begin(run, "transducer", &batch);
    if (status == SHEAF_OK) {
        batch.original->def.step = step;
        status = reproduce_batch_open(run, &batch);
    }
    c->count = 0;
    for (uint32_t n = 1; status == SHEAF_OK && n * step <= end && n < SAMPLES_MOST; n++) {
        status = reproduce_batch_run(run, &batch, n * step);
        if (status == SHEAF_OK)
            status = look(&batch, c);
    }
    reproduce_batch_close(&batch);
    return status;
}

static sheaf_status judge(reproduce_run *run, double step, const course *c)
{
    const double whole = period(), omega = 2 * PI / whole, late = omega * step * omega * step / 3;
    const double measured = measured_period(c) / whole - 1;
    char what[96];
    double least = INFINITY, most = 0;
    for (uint32_t k = 1; k < c->count; k++) { // energies of the first step, which has no history, are Euler's
        least = fmin(least, c->sum[k]);
        most = fmax(most, c->sum[k]);
    }
    snprintf(what, sizeof what, "period beyond 2 pi sqrt(L/C / (1/I1 + 1/I2)), step %.4g s, share", step);
    SHEAF_TRY(reproduce_verdict(run, what, measured, late, fabs(measured - late) / late, 0.2));
    snprintf(what, sizeof what, "sum of energies, least over largest, step %.4g s", step);
    return reproduce_verdict(run, what, least / most, 1, 1 - least / most, step > 5e-3 ? 2e-3 : 1e-3);
}

static sheaf_status draw(reproduce_run *run, const course *c)
{
    const io_series series[] = {
        {.name = "light body", .colour = "#1f78b4", .y = c->light},
        {.name = "heavy body", .colour = "#33a02c", .y = c->heavy},
        {.name = "rod", .colour = "#d95f02", .y = c->rod},
        {.name = "sum", .colour = "#111111", .y = c->sum, .dashed = true},
    };
    const io_plot plot = {.title = "Energies of two bodies and the wire between them",
                          .x_label = "time, s",
                          .y_label = "energy",
                          .y_unit = "J",
                          .x = c->time,
                          .count = c->count,
                          .series = series,
                          .series_count = 4};
    SHEAF_TRY(reproduce_plot(run, "energies", &plot,
                             "Kinetic energy goes over into the twist of the wire and back; the sum stays."));
    double(*table)[5] = base_alloc(c->count, sizeof *table);
    if (table == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < c->count; k++) {
        const double row[5] = {c->time[k], c->light[k], c->heavy[k], c->rod[k], c->sum[k]};
        for (int n = 0; n < 5; n++)
            table[k][n] = row[n];
    }
    const sheaf_status status =
        reproduce_csv(run, "energies", "time_s,light_J,heavy_J,rod_J,sum_J", table[0], c->count, 5);
    base_free(table);
    return status;
}

static sheaf_status run_transducer(reproduce_run *run)
{
    const bool is_short = reproduce_is_short(run);
    const double step = is_short ? 1. / 120 : 4e-3, end = is_short ? 4.6 : 11;
    course *c = base_alloc(1, sizeof *c);
    if (c == NULL)
        return SHEAF_ERR_MEMORY;
    reproduce_paper(run, "Two bodies with a tenfold ratio of mass, joined by an elastic rod: energy goes between the "
                         "rotation of the bodies and the twist of the rod.");
    reproduce_here(run,
                   "The same with moments of inertia of 2e-4 and 2e-3 kg m^2 on a wire of 1 m. The period of the "
                   "exact solution is %.5f s; BDF2 has it longer by a share of (omega h)^2 / 3.",
                   period());
    sheaf_status status = simulate(run, step, end, c);
    if (status == SHEAF_OK)
        status = judge(run, step, c);
    if (status == SHEAF_OK)
        status = draw(run, c);
    base_free(c);
    return status;
}

const reproduce_experiment reproduce_transducer = {
    .name = "transducer",
    .title = "Torsional transducer",
    .figure = "Figure 6",
    .about = "two bodies twisted to and fro by a wire: its period, and the sum of energies",
    .run = run_transducer,
};
