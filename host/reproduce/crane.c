// crane: the gantry crane of the paper on rigid-body cables: its energies while the load swings, and the shapes of
// cables that are lowered onto their loads (figures 14 to 16).
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "reproduce/answers.h"
#include "reproduce/reproduce.h"

enum { SAMPLES_MOST = 450, ENERGIES = 4, CABLES = 3 };

static const double rate = 30;                             // Hz, of samples
static const double gravity = 10, heavy = 300, rope = 4.8; // m/s^2, kg, kg
static const double hook = 8, load = 3.4, middle = 5.8;    // m, centres at rest

typedef struct course {
    uint32_t count;
    double time[SAMPLES_MOST], energy[ENERGIES][SAMPLES_MOST]; // kinetic, of gravity, of deformation, sum; J above rest
} course;

// All that hangs, at rest, J.
static double rest_energy(void)
{
    return gravity * (heavy * hook + heavy * load + rope * middle);
}

static sheaf_status look(const reproduce_batch *batch, course *c)
{
    sheaf_report report;
    const uint32_t k = c->count++;
    SHEAF_TRY(sheaf_solver_report(batch->solver, &report));
    c->time[k] = batch->time;
    c->energy[0][k] = report.kinetic;
    c->energy[1][k] = report.gravitational - rest_energy();
    c->energy[2][k] = report.bending + report.twisting; // with that of stretching
    c->energy[3][k] = c->energy[0][k] + c->energy[1][k] + c->energy[2][k];
    return report.frozen_strands == 0 ? SHEAF_OK : base_fail(SHEAF_ERR_INPUT, "the crane's cable broke");
}

// On the reference: only it has massless cables and contact of cables.
static sheaf_status swing(reproduce_run *run, sheaf_cable_tension tension, double end, course *c)
{
    reproduce_batch batch;
    sheaf_status status = reproduce_batch_begin(run, "crane", &batch);
    memset(c, 0, sizeof *c);
    batch.on_reference = true;
    if (status == SHEAF_OK) {
        const sheaf_cable_step how = {.tension = tension, .damping = 1};
        status = sheaf_scene_set_cable_step(batch.original, &how);
    }
    if (status == SHEAF_OK)
        status = reproduce_batch_open(run, &batch);
    if (status == SHEAF_OK)
        status = look(&batch, c);
    for (uint32_t n = 1; status == SHEAF_OK && n <= end * rate && n < SAMPLES_MOST; n++) {
        status = reproduce_batch_run(run, &batch, n / rate);
        if (status == SHEAF_OK)
            status = look(&batch, c);
    }
    reproduce_batch_close(&batch);
    return status;
}

static double loss_of(const course *c)
{
    return 1 - c->energy[3][c->count - 1] / c->energy[3][0];
}

static sheaf_status plot_energies(reproduce_run *run, const course *c)
{
    const io_series series[ENERGIES] = {
        {.name = "kinetic", .colour = "#e8302a", .y = c->energy[0]},
        {.name = "gravity", .colour = "#3b6fb6", .y = c->energy[1]},
        {.name = "deformation", .colour = "#1b9e77", .y = c->energy[2]},
        {.name = "total", .colour = "#111111", .y = c->energy[3]},
    };
    const io_plot plot = {.title = "Energies of the swinging crane",
                          .x_label = "time, s",
                          .y_label = "energy above rest",
                          .y_unit = "J",
                          .x = c->time,
                          .count = c->count,
                          .series = series,
                          .series_count = ENERGIES};
    double(*table)[ENERGIES + 1] = base_alloc(c->count, sizeof *table);
    if (table == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < c->count; k++) {
        table[k][0] = c->time[k];
        for (int e = 0; e < ENERGIES; e++)
            table[k][e + 1] = c->energy[e][k];
    }
    sheaf_status status = reproduce_csv(run, "energies", "time_s,kinetic_J,gravity_J,deformation_J,total_J", table[0],
                                        c->count, ENERGIES + 1);
    base_free(table);
    if (status == SHEAF_OK)
        status = reproduce_plot(run, "energies", &plot, "Two pendulums, hook and load: figure 16 of the paper.");
    return status;
}

static sheaf_status do_energies(reproduce_run *run, course *c)
{
    const double end = reproduce_is_short(run) ? 5 : 15;
    SHEAF_TRY(swing(run, SHEAF_CABLE_TENSION_IMPLICIT, end, c));
    const double damped = loss_of(c);
    SHEAF_TRY(swing(run, SHEAF_CABLE_TENSION_INERTIA, end, c));
    const double lost = loss_of(c);
    double gained = 0;
    for (uint32_t k = 1; k < c->count; k++)
        gained = fmax(gained, c->energy[3][k] / c->energy[3][0] - 1);
    SHEAF_TRY(reproduce_verdict(run, "energy lost (share), short of the paper's", lost, 0.2, fmax(0, lost - 0.2), 0));
    SHEAF_TRY(reproduce_verdict(run, "of what is lost with tension: implicit", lost / damped, 0, lost / damped, 0.5));
    SHEAF_TRY(reproduce_verdict(run, "energy gained at any time (share)", gained, 0, gained, 0.005));
    return plot_energies(run, c);
}

// ---- slack

// The farthest that a cable lies from its load, m.
static double reach_of(const reproduce_batch *batch, uint32_t cable)
{
    const double(*x)[3] = reproduce_batch_vertices(batch, cable);
    const uint32_t last = reproduce_batch_vertex_count(batch, cable) - 1;
    double most = 0;
    for (uint32_t i = 0; i <= last; i++)
        most = fmax(most, fabs(x[i][0] - x[last][0]));
    return most;
}

static sheaf_status draw_slack(reproduce_run *run, const reproduce_batch *batch)
{
    static const double colours[CABLES][3] = {{0.11, 0.62, 0.47}, {0.85, 0.37, 0.01}, {0.23, 0.44, 0.71}};
    reproduce_curve curves[CABLES];
    for (uint32_t k = 0; k < CABLES; k++) {
        curves[k] = (reproduce_curve){.x = reproduce_batch_vertices(batch, k),
                                      .count = reproduce_batch_vertex_count(batch, k),
                                      .shift = {3 * k, -4.0 * k, 0},
                                      .half = {0.03, 0.03}};
        vec_copy(curves[k].colour, colours[k]);
    }
    const reproduce_picture picture = {
        .curves = curves, .curve_count = CABLES, .azimuth = 0, .elevation = 0, .width = 1280, .height = 480};
    return reproduce_draw(run, "slack", &picture,
                          "At rest on the ground, with joints of 10, 100 and 1000 N m/rad: figure 15 of the paper.");
}

static sheaf_status judge_slack(reproduce_run *run, reproduce_batch *batch)
{
    double reach[CABLES];
    sheaf_report report;
    SHEAF_TRY(reproduce_batch_open(run, batch));
    SHEAF_TRY(reproduce_batch_run(run, batch, 12));
    SHEAF_TRY(sheaf_solver_report(batch->solver, &report));
    for (uint32_t k = 0; k < CABLES; k++)
        reach[k] = reach_of(batch, k);
    SHEAF_TRY(reproduce_verdict(run, "reach of the middle cable (m), beyond that of the soft one", reach[1], reach[0],
                                fmax(0, reach[0] - reach[1]), 0));
    SHEAF_TRY(reproduce_verdict(run, "reach of the stiff cable (m), beyond that of the middle one", reach[2], reach[1],
                                fmax(0, reach[1] - reach[2]), 0));
    SHEAF_TRY(reproduce_verdict(run, "kinetic energy at rest (J)", report.kinetic, 0, report.kinetic, 1e-3));
    return draw_slack(run, batch);
}

static sheaf_status do_slack(reproduce_run *run)
{
    reproduce_batch batch;
    sheaf_status status = reproduce_batch_begin(run, "slack", &batch);
    batch.on_reference = true;
    if (status == SHEAF_OK)
        status = judge_slack(run, &batch);
    reproduce_batch_close(&batch);
    return status;
}

static sheaf_status run_crane(reproduce_run *run)
{
    course *c = base_alloc(1, sizeof *c);
    if (c == NULL)
        return SHEAF_ERR_MEMORY;
    reproduce_paper(run,
                    "A hook of 300 kg on two massless cables carries a load of 300 kg on a cable of 16 segments of 0.3 "
                    "kg. While it swings, the sum of energies falls by 20 %% in 15 s. When the load is on the ground, "
                    "the cable's shape shows its stiffness.");
    reproduce_here(run,
                   "The same crane at 1/60 s, let go 37 degrees askew, on the reference; and three cables whose hooks "
                   "went down by 3 m after their loads had reached the ground.");
    sheaf_status status = do_energies(run, c);
    if (status == SHEAF_OK)
        status = do_slack(run);
    base_free(c);
    return status;
}

const reproduce_experiment reproduce_crane = {
    .name = "crane",
    .title = "A gantry crane",
    .figure = "Figures 14 to 16",
    .paper = "rigid-body cables",
    .about = "a crane's energies while it swings, and the shapes of slack cables",
    .run = run_crane,
};
