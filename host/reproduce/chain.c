// chain: links that are curved rods whose ends are apart (figure 10 of the paper): how far they give way where the
// chain is drawn a little, and how the chain hangs and opens where it is drawn far.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "reproduce/answers.h"
#include "reproduce/reproduce.h"

enum { LINKS = 6, MIDDLE = 15, PULLS = 40, BAR_VERTICES = 5, FRAMES = 4, LOOKS = 48 };

static const double bend = 2, reach = 1, radius = 0.05; // N m^2; m, of a link and of its section: the scene's
static const double start = 4, end = 20;                // s, when the lower bar begins to draw, and where the film ends
static const double way = 0.005;                        // m, twice
static const double thin = 0.01; // m, of the section where they are drawn a little: thick links roll on each other

// ---- a little: a link gives way as half a circle does, for the other half, which is open, bears nothing

// The lower bar in the first link, drawn down twice, with time to rest after each. In the middle of the half that bears
// it, the link's edge is along the pull.
static sheaf_status add_lower_bar(reproduce_batch *batch, const sheaf_material_def *material)
{
    const double first = way + 4 * (radius - thin); // what the upper bar and this one leave free
    double points[BAR_VERTICES][3], keys[4][2] = {{0, 0}, {1, -first}, {2.5, -first}, {3, -first - way}};
    sheaf_strand_def bar = reproduce_batch_strand(batch, LINKS + 1);
    const sheaf_course course = {.kind = SHEAF_COURSE_KEYS, .keys = keys[0], .key_count = 4};
    const sheaf_strand_def link = reproduce_batch_strand(batch, 1);
    double lowest = INFINITY;
    for (uint32_t i = 0; i < link.vertex_count; i++)
        lowest = fmin(lowest, link.points[3 * i + 2]);
    for (int i = 0; i < BAR_VERTICES; i++)
        vec_set(points[i], 0, 0.25 * (i - 2), lowest + 2 * radius);
    bar.points = points[0];
    bar.root.move[2] = bar.tip.move[2] = course;
    return reproduce_batch_add(batch, material, &bar);
}

static sheaf_status add_touch(reproduce_batch *batch)
{
    sheaf_touch_material touching[LINKS + 2];
    sheaf_touch_def touch = sheaf_touch_def_default();
    for (uint32_t k = 0; k < batch->count; k++)
        touching[k] = (sheaf_touch_material){.material = k, .radius = thin, .friction = 0.5};
    touch.materials = touching;
    touch.material_count = batch->count;
    touch.tolerance = 1e-3;
    return sheaf_scene_set_touch(batch->scene, &touch);
}

static sheaf_status draw_little(reproduce_run *run, reproduce_batch *batch)
{
    double time[PULLS], pull[PULLS], table[PULLS][2];
    sheaf_material_def material = reproduce_batch_material(batch, 0);
    vec_set(batch->original->def.gravity, 0, 0, 0);
    material.drag = 0.05;
    for (uint32_t k = 0; k < 2; k++) { // the upper bar and a link
        const sheaf_strand_def strand = reproduce_batch_strand(batch, k);
        SHEAF_TRY(reproduce_batch_add(batch, &material, &strand));
    }
    SHEAF_TRY(add_lower_bar(batch, &material));
    SHEAF_TRY(add_touch(batch));
    SHEAF_TRY(reproduce_batch_open(run, batch));
    for (int k = 0; k < PULLS; k++) {
        time[k] = 5. * (k + 1) / PULLS;
        SHEAF_TRY(reproduce_batch_run(run, batch, time[k]));
        SHEAF_TRY(reproduce_batch_read_tension(batch, 1, MIDDLE, &pull[k]));
        table[k][0] = time[k];
        table[k][1] = pull[k];
    }
    const io_series series = {.name = "pull", .colour = "#1b4f72", .y = pull};
    const io_plot plot = {.title = "A link that is drawn by 5 mm, twice",
                          .x_label = "time (s)",
                          .y_label = "pull",
                          .y_unit = "N",
                          .x = time,
                          .count = PULLS,
                          .series = &series,
                          .series_count = 1};
    SHEAF_TRY(reproduce_plot(run, "pull", &plot, "The pull in a link."));
    SHEAF_TRY(reproduce_csv(run, "pull", "time_s,pull_N", table[0], PULLS, 2));
    const double measured = way / (pull[PULLS - 1] - pull[PULLS / 2 - 1]),
                 expected = PI / 2 * reach * reach * reach / bend;
    return reproduce_verdict(run, "lengthening of a link over its pull, m/N; half a circle: pi/2 R^3/B", measured,
                             expected, reproduce_share(measured, expected), 0.03);
}

static sheaf_status run_little(reproduce_run *run)
{
    reproduce_batch batch;
    sheaf_status status = reproduce_batch_begin(run, "chain", &batch);
    if (status == SHEAF_OK)
        status = draw_little(run, &batch);
    reproduce_batch_close(&batch);
    return status;
}

// ---- far: links open

static sheaf_status draw(reproduce_run *run, const reproduce_batch *batch, uint32_t frame)
{
    static const double colours[2][3] = {{0.11, 0.31, 0.45}, {0.83, 0.33, 0}};
    reproduce_curve curves[LINKS + 2];
    char name[32], caption[96];
    for (uint32_t k = 0; k < LINKS + 2; k++) {
        curves[k] = (reproduce_curve){.x = reproduce_batch_vertices(batch, k),
                                      .count = reproduce_batch_vertex_count(batch, k),
                                      .half = {radius, radius}};
        vec_copy(curves[k].colour, colours[k % 2]);
    }
    const reproduce_picture picture = {
        .curves = curves, .curve_count = LINKS + 2, .azimuth = 25, .elevation = 8, .width = 400, .height = 900};
    snprintf(name, sizeof name, "chain-%u", frame);
    snprintf(caption, sizeof caption, "After %.3g s.", batch->time);
    return reproduce_draw(run, name, &picture, caption);
}

typedef struct film {
    uint32_t looks;
    double time[LOOKS], force[LOOKS], passed;
    double gap; // m
} film;

// How far a link is above the next one where they are farthest apart: below 0 they are in each other.
static double widest_gap(const reproduce_batch *batch)
{
    double widest = -INFINITY, above = INFINITY; // lowest place of the link above
    for (uint32_t k = 1; k <= LINKS; k++) {
        const double(*x)[3] = reproduce_batch_vertices(batch, k);
        double lowest = INFINITY, highest = -INFINITY;
        for (uint32_t i = 0; i < reproduce_batch_vertex_count(batch, k); i++) {
            lowest = fmin(lowest, x[i][2]);
            highest = fmax(highest, x[i][2]);
        }
        widest = k > 1 ? fmax(widest, above - highest) : widest;
        above = lowest;
    }
    return widest;
}

static sheaf_status draw_far(reproduce_run *run, reproduce_batch *batch, film *f)
{
    SHEAF_TRY(reproduce_batch_open(run, batch));
    for (f->looks = 0; f->looks < LOOKS; f->looks++) {
        const uint32_t k = f->looks;
        f->time[k] = end * (k + 1) / LOOKS;
        SHEAF_TRY(reproduce_batch_run(run, batch, f->time[k]));
        f->force[k] = reproduce_batch_figure(batch, "touch_force_N");
        if ((k + 1) % (LOOKS / FRAMES) == 0)
            SHEAF_TRY(draw(run, batch, (k + 1) / (LOOKS / FRAMES)));
    }
    f->passed = reproduce_batch_figure(batch, "pass_through");
    f->gap = widest_gap(batch);
    return SHEAF_OK;
}

static sheaf_status judge(reproduce_run *run, const film *f)
{
    SHEAF_TRY(reproduce_verdict(run, "pairs of edges that passed through each other", f->passed, 0, f->passed, 0));
    return reproduce_verdict(run, "gap where the chain has opened, m; at least the radius of a link", f->gap, reach,
                             fmax(0, reach - f->gap), 0);
}

static sheaf_status show(reproduce_run *run, const film *f)
{
    const io_series series = {.name = "largest force", .colour = "#1b4f72", .y = f->force};
    const io_plot plot = {.title = "A chain that is drawn until it opens",
                          .x_label = "time (s)",
                          .y_label = "force",
                          .y_unit = "N",
                          .x = f->time,
                          .count = f->looks,
                          .series = &series,
                          .series_count = 1};
    double rows[LOOKS][2];
    for (uint32_t k = 0; k < f->looks; k++) {
        rows[k][0] = f->time[k];
        rows[k][1] = f->force[k];
    }
    SHEAF_TRY(reproduce_plot(run, "force", &plot, "Links straighten, and one lets go."));
    return reproduce_csv(run, "force", "time_s,force_N", rows[0], f->looks, 2);
}

static sheaf_status run_far(reproduce_run *run)
{
    reproduce_batch batch;
    film f = {0};
    sheaf_status status = reproduce_batch_begin(run, "chain", &batch);
    if (status == SHEAF_OK)
        status = draw_far(run, &batch, &f);
    if (status == SHEAF_OK)
        status = show(run, &f);
    if (status == SHEAF_OK)
        status = judge(run, &f);
    reproduce_batch_close(&batch);
    return status;
}

static sheaf_status run_chain(reproduce_run *run)
{
    reproduce_paper(run,
                    "A chain whose links are elastic rods, curved by nature, that touch each other and nothing else "
                    "holds together: it hangs, and its links open under load.");
    reproduce_here(run,
                   "Six links of 31 vertices with B = 2, radius 1. Drawn a little, one gives way by pi/2 P R^3/B, "
                   "as half a circle does. From %g s on the lower bar draws the chain that hangs until it opens.",
                   start);
    SHEAF_TRY(run_little(run));
    return reproduce_is_short(run) ? SHEAF_OK : run_far(run);
}

const reproduce_experiment reproduce_chain = {
    .name = "chain",
    .title = "A chain",
    .figure = "Figure 10",
    .about =
        "links that are open rods, hung and drawn apart: how far they give way, and that none passes through another",
    .run = run_chain,
    .needs_device = true,
};
