// michell: a rod bent into a ring and twisted before it is closed leaves its plane beyond a certain twist (figure 8 of
// the paper): the plane of twist and stiffness ratio, in one batch, and the threshold itself.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "reproduce/answers.h"
#include "reproduce/limit.h"
#include "reproduce/reproduce.h"

enum {
    GRID = 32,
    SHORT_GRID = 8,
    EDGES_PAPER = 50,
    EDGES_MOST = 128,
    RATIOS = 5,
    RESOLUTIONS = 3,
    SHORT_RATIOS = 2,
};

// Times, s, between which growth is measured, and when a ring has come to rest.
static const double measure_from = 24, measure_to = 36, rest_at = 240;
static const double far_out = 0.05;                          // m: beyond this a ring has buckled
static const double faded = 1e-4;                            // m: below this it has not
static const double disturbance = 0.01;                      // m, height of the initial one
static const double ratio_range[2] = {0.4, 2.2};             // C / B
static const double twist_range[2] = {0.5, 25};              // rad
static const double ratios[RATIOS] = {1, 2, 0.5, 0.75, 1.5}; // C / B whose thresholds are judged
static const uint32_t resolutions[RESOLUTIONS] = {EDGES_PAPER, 64, EDGES_MOST};
static const double bars[RESOLUTIONS] = {0.02, 0.01, 0.01};

// ---- rings

// A ring of the scene's with a stiffness ratio and a twist, its vertices lifted by two waves that leave the clamped
// edges alone.
static sheaf_status add_ring(reproduce_batch *batch, uint32_t edges, double ratio, double twist)
{
    sheaf_material_def material = reproduce_batch_material(batch, 0);
    sheaf_strand_def strand = reproduce_batch_strand(batch, 0);
    const double radius = strand.radius;
    double points[EDGES_MOST + 2][3];
    for (uint32_t i = 0; i < edges + 2; i++) {
        const double angle = 2 * PI * (i - 0.5) / edges, along = 2 * PI * fmin(fmax(i - 1.0, 0) / (edges - 1), 1);
        vec_set(points[i], radius * sin(angle), radius * (1 - cos(angle)), disturbance / 2 * (1 - cos(2 * along)));
    }
    material.twist = ratio * material.bend[0];
    strand.shape = SHEAF_SHAPE_POINTS;
    strand.points = points[0];
    strand.vertex_count = edges + 2;
    strand.tip.twist.value = twist;
    return reproduce_batch_add(batch, &material, &strand);
}

static sheaf_status begin(const reproduce_run *run, reproduce_batch *batch)
{
    SHEAF_TRY(reproduce_batch_begin(run, "michell", batch));
    vec_set(batch->original->def.gravity, 0, 0, 0); // the disturbance is in the vertices, and may fade
    return SHEAF_OK;
}

// Largest distance of a vertex from the ring's own plane, m: the ring may turn about its clamped edge.
static double out_of_plane(const reproduce_batch *batch, uint32_t strand)
{
    const uint32_t edges = reproduce_batch_vertex_count(batch, strand) - 2;
    const double(*x)[3] = reproduce_batch_vertices(batch, strand);
    double centre[3] = {0, 0, 0}, normal[3] = {0, 0, 0}, most = 0, a[3], b[3], area[3];
    for (uint32_t i = 0; i < edges; i++)
        vec_axpy(centre, 1.0 / edges, x[i]);
    for (uint32_t i = 0; i < edges; i++) {
        vec_sub(a, x[i], centre);
        vec_sub(b, x[i + 1], centre);
        vec_cross(area, a, b);
        vec_axpy(normal, 1, area);
    }
    vec_unit(normal, normal);
    for (uint32_t i = 0; i < edges; i++) {
        vec_sub(a, x[i], centre);
        most = fmax(most, fabs(vec_dot(a, normal)));
    }
    return most;
}

// What became of a ring's disturbance.
typedef struct growth {
    double out[2]; // m out of plane, at the two times of measurement
    double peak;   // m, the most at any time
    double peak_time;
} growth;

static double rate_of(const growth *g)
{
    return log(g->out[1] / g->out[0]) / (measure_to - measure_from);
}

// The same far from the threshold, where rings swing. One that has been far out has grown: it may, since a strand may
// pass through itself, have thrown off a loop and be flat again.
static double rate_anywhere(const growth *g)
{
    if (g->peak > far_out)
        return log(g->peak / disturbance) / g->peak_time;
    return g->out[1] < faded ? log(g->out[1] / disturbance) / measure_to : rate_of(g);
}

static sheaf_status measure_growth(reproduce_run *run, reproduce_batch *batch, growth *all)
{
    enum { LOOKS = 18 };
    for (int look = 1; look <= LOOKS; look++) {
        const double time = measure_to * look / LOOKS;
        SHEAF_TRY(reproduce_batch_run(run, batch, time));
        for (uint32_t s = 0; s < batch->count; s++) {
            growth *g = &all[s];
            const double out = g->out[time > measure_from] = out_of_plane(batch, s);
            if (out > g->peak) {
                g->peak = out;
                g->peak_time = time;
            }
        }
    }
    return SHEAF_OK;
}

// ---- the plane

typedef struct plane {
    uint32_t size;             // rows and columns
    double ratio[GRID * GRID]; // C / B
    double twist[GRID * GRID]; // rad
    double rate[GRID * GRID];  // 1/s
    uint32_t wrong;            // dots on the other side of the theory's curve than their colour says
    double farthest;           // of these, from the curve, as a share of the critical twist
} plane;

static double centre_of(const double range[2], uint32_t k, uint32_t size)
{
    return range[0] + (range[1] - range[0]) * (k + 0.5) / size;
}

static sheaf_status simulate_plane(reproduce_run *run, reproduce_batch *batch, plane *p)
{
    p->size = reproduce_is_short(run) ? SHORT_GRID : GRID;
    for (uint32_t row = 0; row < p->size; row++)
        for (uint32_t column = 0; column < p->size; column++) {
            const uint32_t k = row * p->size + column;
            p->ratio[k] = centre_of(ratio_range, column, p->size);
            p->twist[k] = centre_of(twist_range, row, p->size);
            SHEAF_TRY(add_ring(batch, EDGES_PAPER, p->ratio[k], p->twist[k]));
        }
    SHEAF_TRY(reproduce_batch_open(run, batch));
    growth *all = base_alloc(batch->count, sizeof *all);
    const sheaf_status status = all != NULL ? measure_growth(run, batch, all) : SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < batch->count && status == SHEAF_OK; k++)
        p->rate[k] = rate_anywhere(&all[k]);
    base_free(all);
    return status;
}

static void compare_plane(plane *p)
{
    p->wrong = 0;
    p->farthest = 0;
    for (uint32_t k = 0; k < p->size * p->size; k++) {
        const double share = p->twist[k] / answers_michell(1, p->ratio[k]);
        if ((p->rate[k] > 0) == (share > 1))
            continue;
        p->wrong++;
        p->farthest = fmax(p->farthest, fabs(share - 1));
    }
}

static sheaf_status plot_plane(reproduce_run *run, const plane *p)
{
    enum { SAMPLES = 121 };
    double dots[2][2][GRID * GRID], curve[2][SAMPLES];
    size_t count[2] = {0, 0};
    for (uint32_t k = 0; k < p->size * p->size; k++) {
        const int grows = p->rate[k] > 0;
        dots[grows][0][count[grows]] = p->ratio[k];
        dots[grows][1][count[grows]++] = p->twist[k];
    }
    for (int k = 0; k < SAMPLES; k++) {
        curve[0][k] = ratio_range[0] + (ratio_range[1] - ratio_range[0]) * k / (SAMPLES - 1);
        curve[1][k] = answers_michell(1, curve[0][k]);
    }
    const io_series series[] = {
        {.name = "fades",
         .colour = "#7cc4ea",
         .mark = IO_MARK_DOTS,
         .x = dots[0][0],
         .y = dots[0][1],
         .count = count[0]},
        {.name = "grows",
         .colour = "#8e44ad",
         .mark = IO_MARK_DOTS,
         .x = dots[1][0],
         .y = dots[1][1],
         .count = count[1]},
        {.name = "2\xcf\x80\xe2\x88\x9a"
                 "3 \xce\xb1/\xce\xb2",
         .colour = "#111111",
         .x = curve[0],
         .y = curve[1],
         .count = SAMPLES},
    };
    const io_plot plot = {.title = "Stability of the ring, n = 50",
                          .x_label = "\xce\xb2 / \xce\xb1 (twisting over bending stiffness)",
                          .y_label = "imposed twist (rad)",
                          .x_range = {ratio_range[0], ratio_range[1]},
                          .y_range = {1e-9, twist_range[1]},
                          .series = series,
                          .series_count = 3};
    return reproduce_plot(run, "plane", &plot,
                          "As on the right of the paper's figure 8: every dot is a simulation; the curve is theory.");
}

static sheaf_status plot_rates(reproduce_run *run, const plane *p)
{
    const io_cells cells = {.columns = p->size,
                            .rows = p->size,
                            .values = p->rate,
                            .x = {ratio_range[0], ratio_range[1]},
                            .y = {twist_range[0], twist_range[1]},
                            .low = -0.5,
                            .high = 0.5,
                            .label = "growth (1/s)"};
    double curve[2][GRID];
    for (uint32_t k = 0; k < GRID; k++) {
        curve[0][k] = ratio_range[0] + (ratio_range[1] - ratio_range[0]) * k / (GRID - 1);
        curve[1][k] = answers_michell(1, curve[0][k]);
    }
    const io_series theory = {.name = "theory", .colour = "#e8302a", .x = curve[0], .y = curve[1], .count = GRID};
    const io_plot plot = {.title = "How fast a disturbance grows or fades",
                          .x_label = "\xce\xb2 / \xce\xb1",
                          .y_label = "imposed twist (rad)",
                          .x_range = {ratio_range[0], ratio_range[1]},
                          .y_range = {twist_range[0], twist_range[1]},
                          .cells = &cells,
                          .series = &theory,
                          .series_count = 1};
    return reproduce_plot(run, "rates", &plot, "The same plane, coloured by the rate of growth; below 0 it fades.");
}

static sheaf_status write_plane(reproduce_run *run, const plane *p)
{
    double table[GRID * GRID][3];
    for (uint32_t k = 0; k < p->size * p->size; k++)
        vec_set(table[k], p->ratio[k], p->twist[k], p->rate[k]);
    return reproduce_csv(run, "plane", "twist_over_bend,twist_rad,growth_per_s", table[0], (size_t)p->size * p->size,
                         3);
}

static sheaf_status do_plane(reproduce_run *run, plane *p)
{
    reproduce_batch batch;
    sheaf_status status = begin(run, &batch);
    if (status == SHEAF_OK)
        status = simulate_plane(run, &batch, p);
    reproduce_batch_close(&batch);
    SHEAF_TRY(status);
    compare_plane(p);
    SHEAF_TRY(plot_plane(run, p));
    SHEAF_TRY(plot_rates(run, p));
    return write_plane(run, p);
}

// ---- the threshold

typedef struct thresholds {
    uint32_t ratio_count, resolution_count;
    double share[RATIOS][RESOLUTIONS]; // of the theory's
} thresholds;

static sheaf_status find_thresholds(reproduce_run *run, reproduce_batch *batch, thresholds *t)
{
    growth all[RATIOS * RESOLUTIONS * LIMIT_LOADS];
    memset(all, 0, sizeof all);
    for (uint32_t r = 0; r < t->ratio_count; r++)
        for (uint32_t n = 0; n < t->resolution_count; n++)
            for (int k = 0; k < LIMIT_LOADS; k++)
                SHEAF_TRY(add_ring(batch, resolutions[n], ratios[r], limit_loads[k] * answers_michell(1, ratios[r])));
    SHEAF_TRY(reproduce_batch_open(run, batch));
    SHEAF_TRY(measure_growth(run, batch, all));
    for (uint32_t r = 0; r < t->ratio_count; r++)
        for (uint32_t n = 0; n < t->resolution_count; n++) {
            double rate[LIMIT_LOADS];
            for (uint32_t k = 0; k < LIMIT_LOADS; k++)
                rate[k] = rate_of(&all[(r * t->resolution_count + n) * LIMIT_LOADS + k]);
            t->share[r][n] = limit_find(rate);
        }
    return SHEAF_OK;
}

static sheaf_status do_thresholds(reproduce_run *run, bool on_reference, thresholds *t)
{
    reproduce_batch batch;
    sheaf_status status = begin(run, &batch);
    batch.on_reference = on_reference;
    if (status == SHEAF_OK)
        status = find_thresholds(run, &batch, t);
    reproduce_batch_close(&batch);
    return status;
}

static sheaf_status judge_thresholds(reproduce_run *run, const thresholds *t)
{
    double table[RATIOS * RESOLUTIONS][4];
    for (uint32_t n = 0; n < t->resolution_count; n++)
        for (uint32_t r = 0; r < t->ratio_count; r++) {
            const double expected = answers_michell(1, ratios[r]), measured = t->share[r][n] * expected;
            const uint32_t row = n * t->ratio_count + r;
            char quantity[96];
            snprintf(quantity, sizeof quantity, "critical twist (rad), C/B = %g, %u edges", ratios[r], resolutions[n]);
            SHEAF_TRY(
                reproduce_verdict(run, quantity, measured, expected, reproduce_share(measured, expected), bars[n]));
            vec_set(table[row], ratios[r], resolutions[n], measured);
            table[row][3] = expected;
        }
    return reproduce_csv(run, "thresholds", "twist_over_bend,edges,critical_twist_rad,theory_rad", table[0],
                         (size_t)t->ratio_count * t->resolution_count, 4);
}

// ---- both sides of it

enum { RINGS = 3, RING_EDGES = 64, RING_VERTICES = RING_EDGES + 2 };

static const double ring_twists[RINGS] = {0.97, 1.03, 1.3}; // of the critical one
static const double shown_out = 0.25;                       // m out of plane, of a ring in the picture

typedef struct sides {
    double left;     // m out of plane, of the ring below the threshold, at the end
    double most_out; // m out of plane, of the one just above it, at any time
    bool is_taken[RINGS];
    double x[RINGS][RING_VERTICES][3]; // for the picture
    double directors[RINGS][RING_VERTICES][3];
} sides;

static sheaf_status take(reproduce_batch *batch, uint32_t ring, sides *it)
{
    const uint64_t first = batch->model->first_vertex[ring];
    SHEAF_TRY(reproduce_batch_read_directors(batch));
    memcpy(it->x[ring], batch->x[first], sizeof it->x[ring]);
    memcpy(it->directors[ring], batch->directors[first], sizeof it->directors[ring]);
    it->is_taken[ring] = true;
    return SHEAF_OK;
}

static sheaf_status watch(reproduce_run *run, reproduce_batch *batch, sides *it)
{
    for (uint32_t s = 0; s < RINGS; s++)
        SHEAF_TRY(add_ring(batch, RING_EDGES, 1, ring_twists[s] * answers_michell(1, 1)));
    SHEAF_TRY(reproduce_batch_open(run, batch));
    for (int second = 1; second <= rest_at; second++) {
        SHEAF_TRY(reproduce_batch_run(run, batch, second));
        it->left = out_of_plane(batch, 0);
        it->most_out = fmax(it->most_out, out_of_plane(batch, 1));
        for (uint32_t s = 0; s < RINGS; s++)
            if (!it->is_taken[s] && (out_of_plane(batch, s) > shown_out || second + 1 > rest_at))
                SHEAF_TRY(take(batch, s, it));
    }
    return SHEAF_OK;
}

static sheaf_status draw_rings(reproduce_run *run, const sides *it)
{
    static const double colours[RINGS][3] = {{0.35, 0.68, 0.85}, {0.55, 0.30, 0.70}, {0.45, 0.16, 0.58}};
    reproduce_curve curves[RINGS];
    for (uint32_t s = 0; s < RINGS; s++) {
        curves[s] = (reproduce_curve){.x = it->x[s],
                                      .directors = it->directors[s],
                                      .count = RING_VERTICES,
                                      .shift = {2.8 * s, 0, 0},
                                      .half = {0.035, 0.035}};
        vec_copy(curves[s].colour, colours[s]);
    }
    const reproduce_picture picture = {
        .curves = curves, .curve_count = RINGS, .azimuth = 0, .elevation = 38, .width = 1280, .height = 420};
    return reproduce_draw(
        run, "rings", &picture,
        "\xce\xb2 = \xce\xb1, twisted by 0.97, 1.03 and 1.3 of the critical angle: the first at rest, "
        "the others on their way out of the plane, as on the left of the paper's figure 8.");
}

static sheaf_status do_sides(reproduce_run *run, sides *it)
{
    reproduce_batch batch;
    sheaf_status status = begin(run, &batch);
    if (status == SHEAF_OK)
        status = watch(run, &batch, it);
    reproduce_batch_close(&batch);
    SHEAF_TRY(status);
    return draw_rings(run, it);
}

// ---- all of it

static sheaf_status judge_reference(reproduce_run *run, const thresholds *device)
{
    thresholds reference = {.ratio_count = 1, .resolution_count = 1};
    const double critical = answers_michell(1, ratios[0]);
    SHEAF_TRY(do_thresholds(run, true, &reference));
    return reproduce_verdict(run, "critical twist (rad), C/B = 1, 50 edges: device against reference",
                             device->share[0][0] * critical, reference.share[0][0] * critical,
                             reproduce_share(device->share[0][0], reference.share[0][0]), 0.01);
}

static void describe(reproduce_run *run, const plane *p, const thresholds *t)
{
    reproduce_paper(run, "A naturally straight, isotropic rod is closed into a ring of radius 1 after its ends were "
                         "turned against each other. Beyond a critical angle of 2\xcf\x80\xe2\x88\x9a"
                         "3 \xce\xb1/\xce\xb2 the ring leaves its plane. Rings of n = 50 with \xce\xb1 = 1, slightly "
                         "disturbed, fade or grow as theory says.");
    reproduce_here(
        run,
        "%u x %u rings at once, each an open strand whose last edge lies on its first, all disturbed by %g m "
        "and left to themselves. %u dots lie on the other side of the curve than their colour says, none "
        "farther from it than %.1f %%: a ring of 50 edges buckles a little late, by %.1f %%, one of %u by "
        "%.2f %%.",
        p->size, p->size, disturbance, p->wrong, 100 * p->farthest, 100 * (t->share[0][0] - 1),
        resolutions[t->resolution_count - 1], 100 * (t->share[0][t->resolution_count - 1] - 1));
}

static sheaf_status run_michell(reproduce_run *run)
{
    plane p;
    const bool is_short = reproduce_is_short(run);
    thresholds t = {.ratio_count = is_short ? SHORT_RATIOS : RATIOS, .resolution_count = is_short ? 1 : RESOLUTIONS};
    sides both = {0};
    SHEAF_TRY(do_sides(run, &both));
    SHEAF_TRY(do_plane(run, &p));
    SHEAF_TRY(do_thresholds(run, false, &t));
    describe(run, &p, &t);
    SHEAF_TRY(judge_thresholds(run, &t));
    SHEAF_TRY(reproduce_verdict(run, "dots of the plane on the wrong side: farthest from the curve", p.farthest, 0,
                                p.farthest, 0.02));
    SHEAF_TRY(reproduce_verdict(run, "out of plane at 0.97 of the critical twist (m)", both.left, 0, both.left, 1e-4));
    SHEAF_TRY(reproduce_verdict(run, "out of plane at 1.03 of the critical twist (m): short of 0.1", both.most_out, 0.1,
                                fmax(0.1 - both.most_out, 0), 0));
    return reproduce_on_device(run) && !is_short ? judge_reference(run, &t) : SHEAF_OK;
}

const reproduce_experiment reproduce_michell = {
    .name = "michell",
    .title = "Michell's instability",
    .figure = "Figure 8",
    .about = "a twisted ring leaves its plane: stability over twist and stiffness",
    .run = run_michell,
};
