// inextensible: how edges are kept at their lengths (section 8.1 of the paper): iterations against the tolerance, and
// error and energy lost against the time step, for every projector and both kinds of gradients.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "reproduce/reproduce.h"
#include "scene/scene.h"

enum { PROJECTORS = 4, SPEEDS = 4, TOLERANCES = 6, STEPS = 5, GRADIENTS = 2, VERTICES_MOST = 64, FINE = 64 };

static const double pi = 3.14159265358979323846;

static const sheaf_projector projectors[PROJECTORS] = {SHEAF_PROJECTOR_TRIDIAGONAL, SHEAF_PROJECTOR_RED_BLACK,
                                                       SHEAF_PROJECTOR_CHEBYSHEV, SHEAF_PROJECTOR_JACOBI};
static const char *const projector_names[PROJECTORS] = {"tridiagonal Newton", "red-black, over-relaxed", "Chebyshev",
                                                        "Jacobi"};
static const char *const projector_colours[PROJECTORS] = {"#1f78b4", "#1b9e77", "#d95f02", "#c2185b"};
static const sheaf_gradients gradients[GRADIENTS] = {SHEAF_GRADIENTS_ITERATE, SHEAF_GRADIENTS_START};
static const double speeds[SPEEDS] = {5, 10, 20, 40}; // turns per second of a rod that is swung round
static const double tolerances[TOLERANCES] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
static const double paper_tolerance = 1e-8;

// ---- what is simulated

typedef struct study {
    double let_go[PROJECTORS][TOLERANCES];      // mean iterations per step of the rod that is let go
    double swung[SPEEDS][TOLERANCES];           // and of the one that is swung round, by tridiagonal Newton
    double step[STEPS];                         // s
    double lost[PROJECTORS][GRADIENTS][STEPS];  // share of its energy that the rod lost; not a number: not simulated
    double error[PROJECTORS][GRADIENTS][STEPS]; // m, largest distance of a vertex from where vanishing steps take it
    double start[VERTICES_MOST][3], end[VERTICES_MOST][3]; // m, where the rod starts, and where they take it, nearly
    uint32_t vertices;
} study;

// A scene as it is but for how it projects.
typedef struct variant {
    const char *scene;
    sheaf_projector projector;
    sheaf_gradients gradients;
    double tolerance;
    double speed; // turns per second; 0: the scene's
    double step;  // s; 0: the scene's
    bool on_reference;
} variant;

static sheaf_status open_variant(reproduce_run *run, const variant *v, reproduce_batch *batch)
{
    SHEAF_TRY(reproduce_batch_begin(run, v->scene, batch));
    sheaf_scene_def *def = &batch->original->def;
    def->projector = v->projector;
    def->gradients = v->gradients;
    def->projection_tolerance = v->tolerance;
    def->step = v->step > 0 ? v->step : def->step;
    batch->on_reference = v->on_reference;
    if (v->speed > 0)
        batch->original->motions[0].turn.value = 2 * pi * v->speed * batch->original->motions[0].turn.duration;
    return reproduce_batch_open(run, batch);
}

// Mean number of iterations over some steps.
static sheaf_status count_iterations(reproduce_run *run, const variant *v, uint32_t steps, double *mean)
{
    reproduce_batch batch;
    double sum = 0;
    sheaf_status status = open_variant(run, v, &batch);
    for (uint32_t k = 0; k < steps && status == SHEAF_OK; k++) {
        sheaf_report report;
        status = sheaf_solver_step(batch.solver, 1);
        if (status == SHEAF_OK)
            status = sheaf_solver_report(batch.solver, &report);
        if (status == SHEAF_OK)
            sum += report.mean_projections;
    }
    reproduce_batch_close(&batch);
    *mean = sum / steps;
    return status;
}

// Energy at x_n, with (v_n + v_{n+1}) / 2; takes a step.
static sheaf_status read_energy(reproduce_batch *batch, double *energy)
{
    double before[VERTICES_MOST][3], after[VERTICES_MOST][3];
    const uint32_t count = reproduce_batch_vertex_count(batch, 0);
    sheaf_report report;
    SHEAF_TRY(sheaf_solver_report(batch->solver, &report));
    SHEAF_TRY(sheaf_solver_read_velocities(batch->solver, before, VERTICES_MOST));
    SHEAF_TRY(sheaf_solver_step(batch->solver, 1));
    SHEAF_TRY(sheaf_solver_read_velocities(batch->solver, after, VERTICES_MOST));
    *energy = report.bending + report.twisting;
    for (uint32_t i = 0; i < count; i++) {
        double v[3];
        vec_add(v, before[i], after[i]);
        *energy += batch->model->mass[i] * vec_dot(v, v) / 8;
    }
    return SHEAF_OK;
}

// Lets the rod go for a while: where it gets to, and its energy there and at the start.
static sheaf_status let_go(reproduce_run *run, const variant *v, double end, double (*x)[3], double energy[2])
{
    reproduce_batch batch;
    sheaf_status status = open_variant(run, v, &batch);
    if (status == SHEAF_OK)
        status = read_energy(&batch, &energy[0]);
    if (status == SHEAF_OK)
        status = reproduce_batch_run(run, &batch, end);
    if (status == SHEAF_OK) {
        memcpy(x, batch.x, reproduce_batch_vertex_count(&batch, 0) * sizeof *x);
        status = read_energy(&batch, &energy[1]);
    }
    reproduce_batch_close(&batch);
    return status;
}

// ---- iterations against the tolerance

// A short form counts Newton steps at the paper's tolerance alone.
static bool is_counted(const reproduce_run *run, int tolerance, bool is_quick)
{
    return !reproduce_is_short(run) || (is_quick && tolerances[tolerance] == paper_tolerance);
}

static sheaf_status count_all(reproduce_run *run, study *s)
{
    for (int t = 0; t < TOLERANCES; t++) {
        for (int p = 0; p < PROJECTORS; p++) {
            const variant v = {.scene = "inextensible",
                               .projector = projectors[p],
                               .gradients = SHEAF_GRADIENTS_ITERATE,
                               .tolerance = tolerances[t]};
            s->let_go[p][t] = NAN;
            if (is_counted(run, t, p == 0))
                SHEAF_TRY(count_iterations(run, &v, 50, &s->let_go[p][t]));
        }
        for (int k = 0; k < SPEEDS; k++) {
            const variant v = {.scene = "inextensible_swung",
                               .gradients = SHEAF_GRADIENTS_ITERATE,
                               .tolerance = tolerances[t],
                               .speed = speeds[k]};
            s->swung[k][t] = NAN;
            if (is_counted(run, t, true))
                SHEAF_TRY(count_iterations(run, &v, 300, &s->swung[k][t]));
        }
    }
    return SHEAF_OK;
}

static sheaf_status plot_iterations(reproduce_run *run, const study *s)
{
    io_series series[PROJECTORS];
    for (int p = 0; p < PROJECTORS; p++)
        series[p] = (io_series){
            .name = projector_names[p], .colour = projector_colours[p], .mark = IO_MARK_BOTH, .y = s->let_go[p]};
    const io_plot plot = {.title = "Iterations per step, rod let go",
                          .x_label = "tolerance of the squared length",
                          .y_label = "iterations",
                          .logarithmic = true,
                          .x_logarithmic = true,
                          .x = tolerances,
                          .count = TOLERANCES,
                          .series = series,
                          .series_count = PROJECTORS};
    return reproduce_plot(run, "projectors", &plot,
                          "All projectors, steps of 0.2 ms. Relaxations pass corrections from edge to edge; Newton's "
                          "method solves for all edges at once.");
}

static sheaf_status plot_newton(reproduce_run *run, const study *s)
{
    static const char *const names[SPEEDS] = {"swung, 5 turns/s", "10 turns/s", "20 turns/s", "40 turns/s"};
    static const char *const colours[SPEEDS] = {"#c6a9d8", "#9e7cc1", "#d95f02", "#c2185b"};
    static const double paper[2][2] = {{1e-8, 1e-8}, {3, 5}};
    io_series series[SPEEDS + 2];
    series[0] = (io_series){.name = "let go", .colour = "#1f78b4", .mark = IO_MARK_BOTH, .y = s->let_go[0]};
    for (int k = 0; k < SPEEDS; k++)
        series[k + 1] = (io_series){.name = names[k], .colour = colours[k], .mark = IO_MARK_BOTH, .y = s->swung[k]};
    series[SPEEDS + 1] =
        (io_series){.name = "the paper's 3 to 5", .colour = "#111111", .x = paper[0], .y = paper[1], .count = 2};
    const io_plot plot = {.title = "Newton steps of the fast projection",
                          .x_label = "tolerance of the squared length",
                          .y_label = "mean number per time step",
                          .x_logarithmic = true,
                          .x = tolerances,
                          .count = TOLERANCES,
                          .series = series,
                          .series_count = SPEEDS + 2};
    return reproduce_plot(run, "newton", &plot,
                          "The harder a step pulls at the edges, the more it takes; every further Newton step squares "
                          "what is left.");
}

// ---- error and energy against the step

// Relaxations come to the same poses as Newton's method, only slower: small steps are left to the quick ones.
static bool is_run(const reproduce_run *run, int projector, int step)
{
    if (projector == 0)
        return true;
    if (reproduce_is_short(run))
        return projectors[projector] == SHEAF_PROJECTOR_RED_BLACK && step == 0;
    return step < (projectors[projector] == SHEAF_PROJECTOR_JACOBI ? 1 : 2);
}

static double largest_distance(double (*a)[3], double (*b)[3], uint32_t count)
{
    double largest = 0;
    for (uint32_t i = 0; i < count; i++) {
        double apart[3];
        vec_sub(apart, a[i], b[i]);
        largest = fmax(largest, vec_length(apart));
    }
    return largest;
}

// Where vanishing steps take the rod, from two small ones: their errors are in proportion to the step.
static sheaf_status find_end(reproduce_run *run, double end, study *s)
{
    double coarse[VERTICES_MOST][3], energy[2];
    variant v = {
        .scene = "inextensible", .gradients = SHEAF_GRADIENTS_START, .tolerance = 1e-12, .step = s->step[0] / FINE};
    SHEAF_TRY(let_go(run, &v, end, s->end, energy));
    v.step *= 2;
    SHEAF_TRY(let_go(run, &v, end, coarse, energy));
    for (uint32_t i = 0; i < s->vertices; i++) {
        vec_scale(s->end[i], s->end[i], 2);
        vec_sub(s->end[i], s->end[i], coarse[i]);
    }
    return SHEAF_OK;
}

static sheaf_status let_all_go(reproduce_run *run, double end, study *s)
{
    double x[VERTICES_MOST][3] = {{0}}, energy[2];
    SHEAF_TRY(find_end(run, end, s));
    for (int p = 0; p < PROJECTORS; p++)
        for (int g = 0; g < GRADIENTS; g++)
            for (int k = 0; k < STEPS; k++) {
                const variant v = {.scene = "inextensible",
                                   .projector = projectors[p],
                                   .gradients = gradients[g],
                                   .tolerance = paper_tolerance,
                                   .step = s->step[k]};
                s->lost[p][g][k] = s->error[p][g][k] = NAN;
                if (!is_run(run, p, k))
                    continue;
                SHEAF_TRY(let_go(run, &v, end, x, energy));
                s->lost[p][g][k] = fabs(1 - energy[1] / energy[0]);
                s->error[p][g][k] = largest_distance(x, s->end, s->vertices);
            }
    return SHEAF_OK;
}

static sheaf_status plot_steps(reproduce_run *run, const study *s, bool is_energy)
{
    io_series series[PROJECTORS * GRADIENTS + 2];
    char names[PROJECTORS][48];
    double slopes[2][STEPS], milliseconds[STEPS];
    uint32_t count = 0;
    const double(*values)[GRADIENTS][STEPS] = is_energy ? s->lost : s->error;
    for (int k = 0; k < STEPS; k++) {
        milliseconds[k] = 1e3 * s->step[k];
        slopes[0][k] = values[0][0][0] * s->step[k] / s->step[0];
        slopes[1][k] = values[0][1][0] * pow(s->step[k] / s->step[0], 2);
    }
    for (int p = 0; p < PROJECTORS; p++) {
        snprintf(names[p], sizeof names[p], "%s", projector_names[p]);
        for (int g = 0; g < GRADIENTS; g++)
            series[count++] = (io_series){.name = g == 0 ? names[p] : "",
                                          .colour = projector_colours[p],
                                          .mark = p == 0 ? IO_MARK_LINE : IO_MARK_DOTS,
                                          .y = values[p][g]};
    }
    series[count++] = (io_series){.name = "first order", .colour = "#777777", .dashed = true, .y = slopes[0]};
    if (is_energy)
        series[count++] = (io_series){.name = "second order", .colour = "#111111", .dashed = true, .y = slopes[1]};
    const io_plot plot = {.title = is_energy ? "Energy lost, rod let go" : "Error of positions, rod let go",
                          .x_label = "time step, ms",
                          .y_label = is_energy ? "share of the energy" : "largest error, m",
                          .logarithmic = true,
                          .x_logarithmic = true,
                          .x = milliseconds,
                          .count = STEPS,
                          .series = series,
                          .series_count = count};
    return reproduce_plot(run, is_energy ? "energy" : "error", &plot,
                          is_energy ? "Upper curve: gradients at the iterate, as published; lower one: at the start of "
                                      "the step. All projectors lose the same, as they come to the same pose."
                                    : "Largest distance of a vertex from where vanishing steps take it; upper curve: "
                                      "gradients at the start of the step, lower one: at the iterate.");
}

// One row for each that was simulated, so that no cell is empty.
static sheaf_status write_data(reproduce_run *run, const study *s)
{
    double counts[TOLERANCES * (PROJECTORS + SPEEDS)][4], steps[PROJECTORS * GRADIENTS * STEPS][5];
    size_t count_rows = 0, step_rows = 0;
    for (int k = 0; k < PROJECTORS + SPEEDS; k++)
        for (int t = 0; t < TOLERANCES; t++) {
            const int swing = k - PROJECTORS; // from 0 on: swung by Newton's method, at this speed
            const double mean = swing >= 0 ? s->swung[swing][t] : s->let_go[k][t];
            const double row[] = {swing >= 0 ? 0 : k, swing >= 0 ? speeds[swing] : 0, tolerances[t], mean};
            if (isfinite(mean))
                memcpy(counts[count_rows++], row, sizeof row);
        }
    for (int p = 0; p < PROJECTORS; p++)
        for (int g = 0; g < GRADIENTS; g++)
            for (int k = 0; k < STEPS; k++) {
                const double row[] = {p, g, s->step[k], s->lost[p][g][k], s->error[p][g][k]};
                if (isfinite(s->lost[p][g][k]))
                    memcpy(steps[step_rows++], row, sizeof row);
            }
    SHEAF_TRY(
        reproduce_csv(run, "iterations", "projector,swung_turns_per_s,tolerance,iterations", counts[0], count_rows, 4));
    return reproduce_csv(run, "steps", "projector,gradients_at_start,step_s,energy_lost_share,error_m", steps[0],
                         step_rows, 5);
}

static sheaf_status draw(reproduce_run *run, const study *s)
{
    const reproduce_curve curves[] = {
        {.x = s->start, .count = s->vertices, .half = {0.01, 0.01}, .colour = {0.6, 0.7, 0.85}},
        {.x = s->end, .count = s->vertices, .shift = {0, 0, -0.15}, .half = {0.01, 0.01}},
    };
    const reproduce_picture picture = {
        .curves = curves, .curve_count = 2, .azimuth = -60, .elevation = 35, .width = 640, .height = 400};
    return reproduce_draw(run, "rod", &picture, "The rod as it is let go (pale), and a moment later (set apart).");
}

// ---- verdicts

static int place_of(double tolerance)
{
    for (int t = 0; t < TOLERANCES; t++)
        if (tolerances[t] == tolerance)
            return t;
    return 0;
}

static sheaf_status judge_order(reproduce_run *run, const char *quantity, const double values[STEPS], double expected,
                                double bar)
{
    const double order = log(values[STEPS - 2] / values[STEPS - 1]) / log(2);
    return reproduce_verdict(run, quantity, order, expected, fabs(order - expected), bar);
}

static sheaf_status judge(reproduce_run *run, const study *s)
{
    const int t = place_of(paper_tolerance);
    double apart = 0;
    SHEAF_TRY(reproduce_verdict(run, "Newton steps to 1e-8, swung at 20 turns/s: distance from 4, the middle of 3 to 5",
                                s->swung[2][t], 4, fabs(s->swung[2][t] - 4), 1));
    SHEAF_TRY(reproduce_verdict(run, "Newton steps to 1e-8, let go: how many more than 5", s->let_go[0][t], 5,
                                fmax(s->let_go[0][t] - 5, 0), 0));
    SHEAF_TRY(judge_order(run, "order of the energy lost, gradients at the iterate: distance from 1", s->lost[0][0], 1,
                          0.15));
    SHEAF_TRY(
        judge_order(run, "order of the energy lost, gradients at the start: distance from 2", s->lost[0][1], 2, 0.5));
    SHEAF_TRY(
        judge_order(run, "order of positions, gradients at the iterate: distance from 1", s->error[0][0], 1, 0.15));
    SHEAF_TRY(judge_order(run, "order of positions, gradients at the start: distance from 1", s->error[0][1], 1, 0.15));
    for (int p = 1; p < PROJECTORS; p++)
        for (int g = 0; g < GRADIENTS; g++)
            for (int k = 0; k < STEPS; k++)
                if (isfinite(s->lost[p][g][k]))
                    apart = fmax(apart, fabs(s->lost[p][g][k] - s->lost[0][g][k]));
    return reproduce_verdict(run, "energy lost by relaxations against Newton's, largest difference", apart, 0, apart,
                             1e-3);
}

// The largest step once more on the reference.
static sheaf_status judge_device(reproduce_run *run, const study *s, double end)
{
    static const char *const names[GRADIENTS] = {
        "energy left (share), gradients at the iterate: device against reference",
        "energy left (share), gradients at the start: device against reference"};
    for (int g = 0; g < GRADIENTS; g++) {
        double x[VERTICES_MOST][3], energy[2];
        const variant v = {.scene = "inextensible",
                           .gradients = gradients[g],
                           .tolerance = paper_tolerance,
                           .step = s->step[0],
                           .on_reference = true};
        SHEAF_TRY(let_go(run, &v, end, x, energy));
        const double left = 1 - s->lost[0][g][0], expected = 1 - fabs(1 - energy[1] / energy[0]);
        SHEAF_TRY(reproduce_verdict(run, names[g], left, expected, reproduce_share(left, expected), 0.01));
    }
    return SHEAF_OK;
}

// ---- all of it

static void describe(reproduce_run *run, const study *s)
{
    const int t = place_of(paper_tolerance);
    reproduce_paper(run,
                    "After an unconstrained step, fast projection finds a pose near by that keeps all lengths. Its "
                    "gradients are taken at the current iterate. In all of the paper's examples it took 3 to 5 "
                    "steps to satisfy the constraints to within 1e-8.");
    reproduce_here(
        run,
        "A free, bent rod that is let go takes %.1f Newton steps to 1e-8, and one that is swung round by its "
        "root, 20 turns a second, %.1f: it depends on how hard a time step pulls at the edges. Other "
        "projectors need a hundred to some thousand sweeps. Gradients at the iterate cost energy: %.1f %% of "
        "it in a quarter of a swing with steps of 0.2 ms, in proportion to the step; with gradients at the "
        "start of the step, the default for explicit steps, it is %.2f %%, and goes with the square.",
        s->let_go[0][t], s->swung[2][t], 100 * s->lost[0][0][0], 100 * s->lost[0][1][0]);
}

static sheaf_status simulate(reproduce_run *run, double end, study *s)
{
    reproduce_batch batch;
    SHEAF_TRY(reproduce_batch_begin(run, "inextensible", &batch));
    for (int k = 0; k < STEPS; k++)
        s->step[k] = batch.original->def.step / (1 << k);
    sheaf_status status = reproduce_batch_open(run, &batch);
    if (status == SHEAF_OK) {
        s->vertices = reproduce_batch_vertex_count(&batch, 0);
        memcpy(s->start, batch.x, s->vertices * sizeof *s->start);
    }
    reproduce_batch_close(&batch);
    SHEAF_TRY(status);
    SHEAF_TRY(count_all(run, s));
    return let_all_go(run, end, s);
}

static sheaf_status analyse(reproduce_run *run, double end, const study *s)
{
    describe(run, s);
    SHEAF_TRY(draw(run, s));
    SHEAF_TRY(plot_newton(run, s));
    SHEAF_TRY(plot_iterations(run, s));
    SHEAF_TRY(plot_steps(run, s, true));
    SHEAF_TRY(plot_steps(run, s, false));
    SHEAF_TRY(write_data(run, s));
    SHEAF_TRY(judge(run, s));
    return reproduce_on_device(run) && !reproduce_is_short(run) ? judge_device(run, s, end) : SHEAF_OK;
}

static sheaf_status run_inextensible(reproduce_run *run)
{
    const double end = reproduce_is_short(run) ? 0.02 : 0.05; // s
    study *s = base_alloc(1, sizeof *s);
    sheaf_status status = s != NULL ? simulate(run, end, s) : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK)
        status = analyse(run, end, s);
    base_free(s);
    return status;
}

const reproduce_experiment reproduce_inextensible = {
    .name = "inextensible",
    .title = "Inextensible edges",
    .figure = "",
    .about = "iterations of projectors against tolerance, error and energy lost against the time step",
    .run = run_inextensible,
};
