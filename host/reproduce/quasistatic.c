// quasistatic: why frames may follow without inertia (section 5 of the paper): twist waves are much faster than bending
// waves. Rods whose frames have inertia are integrated here beside those of the engine, whose frames have none.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "der/ref/ref.h"
#include "reproduce/reproduce.h"
#include "solver/solver.h"
#include "strand/linking.h"

enum { EDGES_MOST = 80, WAVE_STEPS = 4000, FRAMES_MOST = 256, SLENDER = 4, POSES = 5 };

static const double pi = 3.14159265358979323846;

// Lengths over radii of the rods with inertia.
static const double slenderness[SLENDER] = {10, 20, 40, 80};

// ---- frames with inertia, in double precision

// One rod whose frames turn by themselves: theta has a rate. Positions as in the paper's Algorithm 1, by symplectic
// Euler steps with start-of-step gradients.
typedef struct spinning {
    sheaf_state *state;
    ref_rod rod;
    double rate[EDGES_MOST];    // rad/s, against the frame that is carried along in time
    double inertia[EDGES_MOST]; // kg m^2 of an edge about itself
    double time;                // s
} spinning;

// `radius`: of gyration of the section about the tangent, m. Starts with frames in equilibrium under the loads of
// `start`, and goes on from there.
static sheaf_status spinning_open(const sheaf_model *model, double radius, double start, spinning *s)
{
    *s = (spinning){.time = start};
    if (model_vertex_count(model, 0) > EDGES_MOST)
        return base_fail(SHEAF_ERR_LIMIT, "quasistatic: the rod has more than %d vertices", EDGES_MOST);
    SHEAF_TRY(state_create(model, &s->state));
    SHEAF_TRY(rod_open(s->state, 0, &s->rod));
    for (uint32_t j = 0; j < s->rod.edge_count; j++) {
        const uint32_t inner = j == 0 ? 1 : j; // a vertex of two whole edges tells the mass per length
        const double line_mass = s->rod.mass[inner] / rod_voronoi(&s->rod, inner) * 2;
        s->inertia[j] = line_mass * s->rod.rest_length[j] * radius * radius;
    }
    return ref_start(&s->rod, start);
}

static void spinning_close(spinning *s)
{
    rod_close(&s->rod);
    state_free(s->state);
}

static void turn_frames(spinning *s, double step)
{
    for (uint32_t j = 0; j < s->rod.edge_count; j++)
        if (!s->rod.angle_is_held[j])
            s->rate[j] -= step * (s->rod.angle_gradient[j] - s->rod.axial_couple[j]) / s->inertia[j];
}

static sheaf_status move_vertices(ref_rod *rod, double time, double step)
{
    const ref_project_options options = {.start_gradients = true, .iterations = 50, .least = 1, .tolerance = 1e-12};
    ref_project_result result;
    SHEAF_TRY(ref_integrate(rod, time, step));
    ref_ends(rod, time + step);
    SHEAF_TRY(ref_project(rod, time + step, &options, &result));
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        vec_sub(rod->v[i], rod->x[i], rod->start[i]);
        vec_scale(rod->v[i], rod->v[i], 1 / step);
    }
    ref_ends(rod, time + step);
    return SHEAF_OK;
}

static sheaf_status spinning_step(spinning *s, double step)
{
    ref_rod *rod = &s->rod;
    ref_keep_start(rod);
    memset(rod->force, 0, rod->vertex_count * sizeof *rod->force);
    ref_curvature(rod);
    ref_twist_gradient(rod);
    ref_bend_twist_forces(rod);
    ref_external_forces(rod, s->time);
    turn_frames(s, step);
    SHEAF_TRY(move_vertices(rod, s->time, step));
    ref_frames(rod);
    for (uint32_t j = 0; j < rod->edge_count; j++)
        if (!rod->angle_is_held[j])
            rod->theta[j] += step * s->rate[j];
    s->time += step;
    return SHEAF_OK;
}

// ---- a free end sheds its twist

typedef struct shed {
    double before, after;   // rad of twist along the rod, at the last step with the couple and at the next, without
    double period;          // s, of twist waves with inertia
    double expected_period; // s
    double bending_period;  // s, of the slowest bending, by the reference
    double expected_ratio;  // of the two
    double time[WAVE_STEPS], twist[WAVE_STEPS];
    uint32_t count;
} shed;

static double twist_of(const reproduce_batch *batch)
{
    return 2 * pi *
           model_twist(reproduce_batch_vertices(batch, 0), (const double(*)[3])batch->directors,
                       reproduce_batch_vertex_count(batch, 0));
}

// When the couple goes: the time of its second key, s.
static double release_time(const reproduce_batch *batch)
{
    return reproduce_batch_strand(batch, 0).tip.couple[0].keys[2];
}

static sheaf_status let_go_of_end(reproduce_run *run, reproduce_batch *batch, shed *s)
{
    const double release = release_time(batch);
    SHEAF_TRY(reproduce_batch_open(run, batch));
    SHEAF_TRY(reproduce_batch_run(run, batch, release));
    SHEAF_TRY(reproduce_batch_read_directors(batch));
    s->before = twist_of(batch);
    SHEAF_TRY(reproduce_batch_run(run, batch, release + solver_step(batch->solver)));
    SHEAF_TRY(reproduce_batch_read_directors(batch));
    s->after = twist_of(batch);
    return SHEAF_OK;
}

// The same wire with inertia: the tip's angle goes to and fro. Its first four zeros, a quarter period after the release
// and half a period apart, tell the period.
static sheaf_status follow_waves(spinning *wire, double step, shed *s)
{
    double first = 0, last = 0;
    uint32_t zeros = 0;
    const double release = wire->time, start = wire->rod.theta[wire->rod.edge_count - 1];
    wire->time += 0.001; // the couple is gone
    for (s->count = 0; s->count < WAVE_STEPS && zeros < 4; s->count++) {
        const double old = wire->rod.theta[wire->rod.edge_count - 1];
        SHEAF_TRY(spinning_step(wire, step));
        const double angle = wire->rod.theta[wire->rod.edge_count - 1], now = wire->time - 0.001 - release;
        s->time[s->count] = 1e3 * now;
        s->twist[s->count] = angle / start;
        if ((old > 0) == (angle > 0))
            continue;
        last = now - step * angle / (angle - old);
        if (zeros++ == 0)
            first = last;
    }
    s->period = (last - first) / (zeros - 1) * 2;
    return SHEAF_OK;
}

static sheaf_status compare_periods(const reproduce_batch *batch, spinning *wire, shed *s)
{
    const sheaf_material_def steel = reproduce_batch_material(batch, 0);
    const double length = reproduce_batch_strand(batch, 0).length, radius = steel.radius[0];
    const double beta = 1.875104, speed = sqrt(steel.shear / steel.density); // of twist waves, m/s
    s->expected_period = 4 * length / speed;
    s->expected_ratio = 2 * pi * length * length / (beta * beta) / (radius / 2 * sqrt(steel.young / steel.density)) /
                        s->expected_period;
    return follow_waves(wire, 0.5 * length / (wire->rod.edge_count * speed), s);
}

// Period of the slowest bending of the wire when it is not twisted.
static sheaf_status bend_wire(const sheaf_model *model, double *period)
{
    const double late = 1; // s
    double squared_frequency;
    spinning wire;
    sheaf_status status = spinning_open(model, 1, late, &wire);
    if (status == SHEAF_OK)
        status = ref_modes(&wire.rod, late, 1, &squared_frequency, NULL);
    if (status == SHEAF_OK)
        *period = 2 * pi / sqrt(squared_frequency);
    spinning_close(&wire);
    return status;
}

static sheaf_status run_shed(reproduce_run *run, reproduce_batch *batch, shed *s)
{
    const sheaf_material_def steel = reproduce_batch_material(batch, 0);
    spinning wire;
    SHEAF_TRY(let_go_of_end(run, batch, s));
    SHEAF_TRY(bend_wire(batch->model, &s->bending_period));
    sheaf_status status = spinning_open(batch->model, steel.radius[0] / sqrt(2), release_time(batch), &wire);
    if (status == SHEAF_OK)
        status = compare_periods(batch, &wire, s);
    spinning_close(&wire);
    return status;
}

static sheaf_status show_shed(reproduce_run *run, const shed *s)
{
    const double quick_time[] = {0, 0, s->time[s->count - 1]}, quick[] = {1, 0, 0};
    double waves_time[9], waves[9];
    for (int k = 0; k < 9; k++) { // a triangle between 1 and -1
        waves_time[k] = 1e3 * s->expected_period / 2 * k;
        waves[k] = k % 2 == 0 ? 1 : -1;
    }
    const io_series series[] = {
        {.name = "frames with inertia", .colour = "#d95f02", .x = s->time, .y = s->twist, .count = s->count},
        {.name = "theory", .colour = "#111111", .dashed = true, .x = waves_time, .y = waves, .count = 9},
        {.name = "quasi-static, one step", .colour = "#1f78b4", .x = quick_time, .y = quick, .count = 3},
    };
    const io_plot plot = {.title = "A twisted wire whose end is set free",
                          .x_label = "time after that, ms",
                          .y_label = "angle of the tip, share of the start's",
                          .x_range = {0, s->time[s->count - 1]},
                          .y_range = {-1.1, 1.1},
                          .series = series,
                          .series_count = 3};
    double table[WAVE_STEPS / 8][2];
    for (uint32_t k = 0; k < s->count / 8; k++) {
        table[k][0] = s->time[8 * k];
        table[k][1] = s->twist[8 * k];
    }
    SHEAF_TRY(reproduce_plot(run, "shed", &plot,
                             "With inertia the twist goes to and fro as a wave, within a millisecond; without, it is "
                             "gone at once. The slowest bending of the wire takes 0.18 s."));
    return reproduce_csv(run, "shed", "time_ms,tip_angle_share", table[0], s->count / 8, 2);
}

static sheaf_status judge_shed(reproduce_run *run, const shed *s)
{
    const double left = fabs(s->after / s->before), ratio = s->bending_period / s->period;
    SHEAF_TRY(reproduce_verdict(run, "twist left one step after the end is free, share", left, 0, left, 1e-5));
    SHEAF_TRY(reproduce_verdict(run, "period of twist waves with inertia (s)", s->period, s->expected_period,
                                reproduce_share(s->period, s->expected_period), 0.01));
    return reproduce_verdict(run, "slowest bending over slowest twist, periods", ratio, s->expected_ratio,
                             reproduce_share(ratio, s->expected_ratio), 0.01);
}

// ---- courses with and without inertia

typedef struct paths {
    double time[FRAMES_MOST];
    double tip[SLENDER][FRAMES_MOST][3]; // with inertia
    double quick[FRAMES_MOST][3];        // the reference's, without
    double device[FRAMES_MOST][3];       // what the experiment runs on, without
    uint32_t count;
    double poses[POSES][EDGES_MOST][3], directors[POSES][EDGES_MOST][3]; // every half second, of what was run last
    uint32_t pose_count, vertices;
    double difference[SLENDER]; // root mean square over time of the tips' distance, share of the length
    double device_difference;
} paths;

static sheaf_status keep_pose(reproduce_batch *batch, paths *p)
{
    const uint32_t k = p->pose_count++;
    p->vertices = reproduce_batch_vertex_count(batch, 0);
    SHEAF_TRY(reproduce_batch_read_directors(batch));
    memcpy(p->poses[k], batch->x, p->vertices * sizeof *batch->x);
    memcpy(p->directors[k], batch->directors, p->vertices * sizeof *batch->directors);
    return SHEAF_OK;
}

static sheaf_status follow_batch(reproduce_run *run, reproduce_batch *batch, double end, double apart, paths *p,
                                 double (*tip)[3])
{
    SHEAF_TRY(reproduce_batch_open(run, batch));
    const uint32_t last = reproduce_batch_vertex_count(batch, 0) - 1, between_poses = (uint32_t)lrint(0.5 / apart);
    p->count = p->pose_count = 0;
    for (uint32_t k = 0; k * apart < end + apart / 2 && k < FRAMES_MOST; k++) {
        SHEAF_TRY(reproduce_batch_run(run, batch, k * apart));
        vec_copy(tip[p->count++], reproduce_batch_vertices(batch, 0)[last]);
        if (k % between_poses == 0 && p->pose_count < POSES)
            SHEAF_TRY(keep_pose(batch, p));
    }
    return SHEAF_OK;
}

static sheaf_status follow_spinning(const reproduce_batch *batch, double radius, double step, double apart,
                                    uint32_t count, double (*tip)[3])
{
    spinning s;
    const uint32_t each = (uint32_t)lrint(apart / step);
    sheaf_status status = spinning_open(batch->model, radius, 0, &s);
    for (uint32_t k = 0; k < count && status == SHEAF_OK; k++) {
        vec_copy(tip[k], s.rod.x[s.rod.vertex_count - 1]);
        for (uint32_t i = 0; i < each && status == SHEAF_OK; i++)
            status = spinning_step(&s, step);
    }
    spinning_close(&s);
    return status;
}

static double path_difference(double (*a)[3], double (*b)[3], uint32_t count, double length)
{
    double sum = 0;
    for (uint32_t k = 0; k < count; k++) {
        double between[3];
        vec_sub(between, a[k], b[k]);
        sum += vec_dot(between, between);
    }
    return sqrt(sum / count) / length;
}

static sheaf_status run_reference(reproduce_run *run, double end, double apart, paths *p)
{
    reproduce_batch batch;
    SHEAF_TRY(reproduce_batch_begin(run, "swing", &batch));
    batch.on_reference = true;
    const double length = reproduce_batch_strand(&batch, 0).length, step = batch.original->def.step;
    sheaf_status status = follow_batch(run, &batch, end, apart, p, p->quick);
    for (int k = 0; k < SLENDER && status == SHEAF_OK; k++) {
        const double radius = length / slenderness[k] / sqrt(2);
        status = follow_spinning(&batch, radius, step, apart, p->count, p->tip[k]);
        p->difference[k] = path_difference(p->tip[k], p->quick, p->count, length);
    }
    reproduce_batch_close(&batch);
    return status;
}

static sheaf_status run_paths(reproduce_run *run, paths *p)
{
    reproduce_batch batch;
    SHEAF_TRY(reproduce_batch_begin(run, "swing", &batch));
    const double end = reproduce_is_short(run) ? 0.4 : batch.original->def.end, apart = 0.01;
    const double length = reproduce_batch_strand(&batch, 0).length;
    sheaf_status status = run_reference(run, end, apart, p);
    if (status == SHEAF_OK && reproduce_on_device(run)) {
        status = follow_batch(run, &batch, end, apart, p, p->device);
        p->device_difference = path_difference(p->device, p->quick, p->count, length);
    }
    for (uint32_t k = 0; k < p->count; k++)
        p->time[k] = k * apart;
    reproduce_batch_close(&batch);
    return status;
}

static sheaf_status plot_paths(reproduce_run *run, const paths *p)
{
    double height[3][FRAMES_MOST];
    for (uint32_t k = 0; k < p->count; k++) {
        height[0][k] = p->tip[0][k][2];
        height[1][k] = p->tip[1][k][2];
        height[2][k] = p->quick[k][2];
    }
    const io_series series[] = {
        {.name = "inertia, L/r = 10", .colour = "#d95f02", .y = height[0]},
        {.name = "inertia, L/r = 20", .colour = "#1b9e77", .y = height[1]},
        {.name = "quasi-static", .colour = "#1f78b4", .dashed = true, .y = height[2]},
    };
    const io_plot plot = {.title = "A helical rod, its root turned by 60 degrees",
                          .x_label = "time, s",
                          .y_label = "height of the tip, m",
                          .x = p->time,
                          .count = p->count,
                          .series = series,
                          .series_count = 3};
    return reproduce_plot(run, "paths", &plot,
                          "Even for a rod only ten times as long as its radius, frames without inertia come close.");
}

static sheaf_status draw_rod(reproduce_run *run, const paths *p)
{
    reproduce_curve curves[POSES];
    for (uint32_t k = 0; k < p->pose_count; k++) {
        curves[k] = (reproduce_curve){.x = p->poses[k],
                                      .directors = p->directors[k],
                                      .count = p->vertices,
                                      .shift = {0.75 * k, 0, 0},
                                      .half = {0.006, 0.018}};
    }
    const reproduce_picture picture = {
        .curves = curves, .curve_count = p->pose_count, .azimuth = 10, .elevation = 15, .width = 960, .height = 360};
    return reproduce_draw(run, "rod", &picture, "The helical rod every half second, from left to right, set apart.");
}

static sheaf_status plot_differences(reproduce_run *run, const paths *p)
{
    double slope[SLENDER], table[SLENDER][2];
    for (int k = 0; k < SLENDER; k++) {
        slope[k] = p->difference[SLENDER - 1] * pow(slenderness[SLENDER - 1] / slenderness[k], 2);
        table[k][0] = slenderness[k];
        table[k][1] = p->difference[k];
    }
    const io_series series[] = {
        {.name = "difference of the tip's courses", .colour = "#1f78b4", .mark = IO_MARK_BOTH, .y = p->difference},
        {.name = "second order", .colour = "#111111", .dashed = true, .y = slope},
    };
    const io_plot plot = {.title = "What quasi-static frames leave out",
                          .x_label = "length over radius",
                          .y_label = "difference, share of the length",
                          .logarithmic = true,
                          .x_logarithmic = true,
                          .x = slenderness,
                          .count = SLENDER,
                          .series = series,
                          .series_count = 2};
    SHEAF_TRY(reproduce_plot(run, "differences", &plot,
                             "Root mean square over time. A hair is 5000 times as long as its radius."));
    return reproduce_csv(run, "differences", "length_over_radius,difference_share", table[0], SLENDER, 2);
}

static sheaf_status judge_paths(reproduce_run *run, const paths *p)
{
    const double order = log(p->difference[SLENDER - 2] / p->difference[SLENDER - 1]) / log(2);
    SHEAF_TRY(
        reproduce_verdict(run, "order of the difference in r/L: distance from 2", order, 2, fabs(order - 2), 0.25));
    SHEAF_TRY(reproduce_verdict(run, "difference of courses at L/r = 80, share of the length",
                                p->difference[SLENDER - 1], 0, p->difference[SLENDER - 1], 0.01));
    if (!reproduce_on_device(run))
        return SHEAF_OK;
    return reproduce_verdict(run, "course of the tip, device against reference, share of the length",
                             p->device_difference, 0, p->device_difference, 0.02);
}

// ---- time scales

// Period of the slowest bending over that of the slowest twist of a cantilever of length L and radius r:
// (L / r) pi / beta^2 sqrt(G / E).
static double period_ratio(double slender, double shear_over_young)
{
    return slender * pi / (1.875104 * 1.875104) * sqrt(shear_over_young);
}

static sheaf_status plot_scales(reproduce_run *run, const shed *s)
{
    enum { CURVE = 2, RODS = 4 };
    static const char *const names[RODS] = {"rubber cord, 50 cm, r 3 mm", "grass, 30 cm, r 1 mm", "wire, 50 cm, r 1 mm",
                                            "hair, 20 cm, r 40 um"};
    static const char *const colours[RODS] = {"#d95f02", "#1b9e77", "#1f78b4", "#c2185b"};
    static const double slender[RODS] = {500.0 / 3, 300, 500, 5000}, modulus[RODS] = {1.0 / 3, 0.37, 0.385, 0.37};
    double line[2][CURVE] = {{10, 10000}, {0, 0}}, ratio[RODS];
    io_series series[RODS + 2];
    for (int k = 0; k < CURVE; k++)
        line[1][k] = period_ratio(line[0][k], 0.385);
    series[0] = (io_series){.name = "theory, G/E = 0.385", .colour = "#111111", .x = line[0], .y = line[1], .count = 2};
    for (int k = 0; k < RODS; k++) {
        ratio[k] = period_ratio(slender[k], modulus[k]);
        series[k + 1] = (io_series){
            .name = names[k], .colour = colours[k], .mark = IO_MARK_DOTS, .x = &slender[k], .y = &ratio[k], .count = 1};
    }
    const double measured = s->bending_period / s->period;
    series[RODS + 1] = (io_series){.name = "measured, wire",
                                   .colour = "#111111",
                                   .mark = IO_MARK_DOTS,
                                   .x = &slender[2],
                                   .y = &measured,
                                   .count = 1};
    const io_plot plot = {.title = "How much slower bending is than twist",
                          .x_label = "length over radius",
                          .y_label = "period of bending / period of twist",
                          .logarithmic = true,
                          .x_logarithmic = true,
                          .series = series,
                          .series_count = RODS + 2};
    return reproduce_plot(run, "scales", &plot, "Slowest periods of cantilevers.");
}

// ---- all of it

static void describe(reproduce_run *run, const shed *s, const paths *p)
{
    reproduce_paper(run,
                    "Twist waves travel faster than bending waves as long as the bending waves are much longer than "
                    "the rod is thick, so it is wasteful to resolve them: frames are taken to be in equilibrium at "
                    "any time, subject to what holds them. A rod with stress-free ends then has no twist.");
    reproduce_here(
        run,
        "A steel wire of 50 cm, twisted by %.2f rad, has %.1e of it left one step after its end is set free. "
        "Integrated with the inertia of its sections, the twist would go to and fro with a period of %.3f "
        "ms, %.0f times faster than the slowest bending. The root of a flat rod that is a helix by "
        "nature is turned by 60 degrees and held: the course of its tip differs from that with inertia by "
        "%.2f %% of its length when it is 10 times as long as its radius, and by %.4f %% when it is 80 "
        "times: as the square of r/L.",
        s->before, fabs(s->after / s->before), 1e3 * s->period, s->bending_period / s->period, 100 * p->difference[0],
        100 * p->difference[SLENDER - 1]);
}

static sheaf_status analyse(reproduce_run *run, const shed *s, const paths *p)
{
    describe(run, s, p);
    SHEAF_TRY(show_shed(run, s));
    SHEAF_TRY(plot_scales(run, s));
    SHEAF_TRY(plot_paths(run, p));
    SHEAF_TRY(draw_rod(run, p));
    SHEAF_TRY(plot_differences(run, p));
    SHEAF_TRY(judge_shed(run, s));
    return judge_paths(run, p);
}

static sheaf_status run_quasistatic(reproduce_run *run)
{
    reproduce_batch batch;
    SHEAF_TRY(reproduce_batch_begin(run, "shed", &batch));
    shed *s = base_alloc(1, sizeof *s);
    paths *p = base_alloc(1, sizeof *p);
    sheaf_status status = s != NULL && p != NULL ? run_shed(run, &batch, s) : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK)
        status = run_paths(run, p);
    if (status == SHEAF_OK)
        status = analyse(run, s, p);
    reproduce_batch_close(&batch);
    base_free(s);
    base_free(p);
    return status;
}

const reproduce_experiment reproduce_quasistatic = {
    .name = "quasistatic",
    .title = "Frames without inertia",
    .figure = "",
    .about = "twist is much faster than bending, and a free end sheds it at once",
    .run = run_quasistatic,
};
