// knot: an overhand knot in an elastic strand that is pulled (figure 1 of the paper): the size of its loop by the
// strand's thickness, without friction.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "reproduce/reproduce.h"

enum { RADII = 3, VERTICES_MOST = 512, LOOKS = 40 };

// Touch radii, m, of a strand with a stiffness of 1 N m^2 that is pulled by 0.5 N, and T R^2 / B of the loop as another
// program of the same equations has it (300 edges); without thickness it is 1/2.
static const double radii[RADII] = {0.06, 0.03, 0.015};
static const double known[RADII] = {0.884, 0.726, 0.649};
static const double pull = 0.5, apart = 20;
static const char *const colours[RADII] = {"#1b4f72", "#2e86c1", "#d35400"};

typedef struct study {
    uint32_t count, looks;
    double time[LOOKS], loop[RADII][LOOKS];
} study;

// As many strands as radii, far from each other.
static sheaf_status add_all(reproduce_batch *batch, uint32_t count)
{
    sheaf_touch_material materials[RADII];
    sheaf_touch_def touch = sheaf_touch_def_default();
    double points[VERTICES_MOST][3];
    for (uint32_t k = 0; k < count; k++) {
        const sheaf_material_def material = reproduce_batch_material(batch, 0);
        sheaf_strand_def strand = reproduce_batch_strand(batch, 0);
        for (uint32_t i = 0; i < strand.vertex_count && i < VERTICES_MOST; i++) {
            vec_copy(points[i], strand.points + (size_t)3 * i);
            points[i][1] += apart * k;
        }
        strand.points = points[0];
        materials[k] = (sheaf_touch_material){.material = k, .radius = radii[k], .friction = 0};
        SHEAF_TRY(reproduce_batch_add(batch, &material, &strand));
    }
    touch.materials = materials;
    touch.material_count = count;
    return sheaf_scene_set_touch(batch->scene, &touch);
}

// T R^2 / B, 1/R the curvature in the middle of the strand, opposite to where it crosses itself.
static double loop_of(const reproduce_batch *batch, uint32_t strand)
{
    const double(*x)[3] = reproduce_batch_vertices(batch, strand);
    const uint32_t i = reproduce_batch_vertex_count(batch, strand) / 2;
    double before[3], after[3], across[3];
    vec_sub(before, x[i], x[i - 1]);
    vec_sub(after, x[i + 1], x[i]);
    vec_cross(across, before, after);
    const double lengths = vec_length(before) * vec_length(after);
    const double curvature = 2 * vec_length(across) / (lengths + vec_dot(before, after)) / vec_length(after);
    return pull / (curvature * curvature);
}

static sheaf_status draw(reproduce_run *run, const reproduce_batch *batch, uint32_t count)
{
    reproduce_curve curves[RADII];
    for (uint32_t k = 0; k < count; k++)
        curves[k] = (reproduce_curve){.x = reproduce_batch_vertices(batch, k),
                                      .count = reproduce_batch_vertex_count(batch, k),
                                      .half = {radii[k], radii[k]},
                                      .shift = {0, (4 - apart) * k, 0}};
    const reproduce_picture picture = {
        .curves = curves, .curve_count = count, .elevation = 80, .width = 1000, .height = count > 1 ? 800 : 400};
    return reproduce_draw(run, "knot", &picture, "At rest: thick strands make larger loops.");
}

static sheaf_status show(reproduce_run *run, const study *s)
{
    static const char *const names[RADII] = {"radius 6 cm", "radius 3 cm", "radius 1.5 cm"};
    io_series series[RADII];
    double rows[LOOKS][1 + RADII] = {{0}};
    for (uint32_t k = 0; k < s->count; k++)
        series[k] = (io_series){.name = names[k], .colour = colours[k], .y = s->loop[k]};
    for (uint32_t n = 0; n < s->looks; n++) {
        rows[n][0] = s->time[n];
        for (uint32_t k = 0; k < RADII; k++)
            rows[n][1 + k] = s->loop[k][n];
    }
    const io_plot plot = {.title = "The loop of an overhand knot",
                          .x_label = "time (s)",
                          .y_label = "T R^2 / B",
                          .x = s->time,
                          .count = s->looks,
                          .series = series,
                          .series_count = s->count};
    SHEAF_TRY(reproduce_plot(run, "loop", &plot, "How loops come to rest."));
    return reproduce_csv(run, "loop", "time_s,radius_6cm,radius_3cm,radius_1.5cm", rows[0], s->looks, 1 + RADII);
}

static sheaf_status judge(reproduce_run *run, const study *s)
{
    for (uint32_t k = 0; k < s->count && k < RADII; k++) {
        char quantity[96];
        const double found = s->loop[k][s->looks - 1];
        snprintf(quantity, sizeof quantity, "T R^2 / B of the loop, radius %g m", radii[k]);
        SHEAF_TRY(reproduce_verdict(run, quantity, found, known[k], reproduce_share(found, known[k]),
                                    reproduce_is_short(run) ? 0.1 : 0.03));
    }
    return SHEAF_OK;
}

static sheaf_status simulate(reproduce_run *run, reproduce_batch *batch, study *s)
{
    const double end = reproduce_is_short(run) ? 4 : 36; // s
    s->count = reproduce_is_short(run) ? 1 : RADII;
    s->looks = reproduce_is_short(run) ? 8 : LOOKS;
    SHEAF_TRY(add_all(batch, s->count));
    SHEAF_TRY(reproduce_batch_open(run, batch));
    for (uint32_t n = 0; n < s->looks; n++) {
        s->time[n] = end * (n + 1) / s->looks;
        SHEAF_TRY(reproduce_batch_run(run, batch, s->time[n]));
        for (uint32_t k = 0; k < s->count; k++)
            s->loop[k][n] = loop_of(batch, k);
    }
    SHEAF_TRY(draw(run, batch, s->count));
    SHEAF_TRY(show(run, s));
    return judge(run, s);
}

static sheaf_status run_knot(reproduce_run *run)
{
    study s = {0};
    reproduce_batch batch = {0};
    reproduce_paper(run,
                    "An elastic rod that is tied into a knot and pulled: it touches itself along a braid, and opposite "
                    "to that there is a loop.");
    reproduce_here(run,
                   "Without friction the loop has a size of its own, T R^2 / B = 1/2 for a thin strand and more for "
                   "a thick one. Known values are those of another program of the same equations.");
    sheaf_status status = reproduce_batch_begin(run, "knot", &batch);
    if (status == SHEAF_OK)
        status = simulate(run, &batch, &s);
    reproduce_batch_close(&batch);
    return status;
}

const reproduce_experiment reproduce_knot = {
    .name = "knot",
    .title = "A knot",
    .figure = "Figure 1",
    .about = "an overhand knot that is pulled: the size of its loop by the strand's thickness",
    .run = run_knot,
    .needs_device = true,
};
