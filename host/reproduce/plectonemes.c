// plectonemes: strands that are twisted until they wind about themselves (figure 9 of the paper): one of which theory
// knows the pull and the moment, and some that hang, under more or less weight, in thin or thick air.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "reproduce/answers.h"
#include "reproduce/reproduce.h"
#include "strand/linking.h"

enum { LOOKS = 45, HANGING = 2, FRAMES = 4 };

static const double bend = 1, twist = 1, radius = 0.1; // N m^2, N m^2, m: the scenes'

// ---- theory: two frictionless helices about each other, of angle a, that bear the pull T and the moment M

// T r^2 / B
static double pull_of(double angle, double wanted)
{
    const double c = cos(angle), s = sin(angle);
    return s * s * s * s * (2 * c * c / cos(2 * angle) - 0.5) - wanted;
}

// M r / B under the pull T r^2 / B.
static double moment_under(double pull)
{
    const double angle = answers_root(pull_of, pull, 1e-6, PI / 4 - 1e-6);
    return 2 * pow(sin(angle), 3) * cos(angle) / cos(2 * angle);
}

// ---- what is measured

// Moment of the twist at an inner vertex, N m.
static double moment_at(const reproduce_batch *batch, uint32_t i)
{
    const double(*x)[3] = reproduce_batch_vertices(batch, 0);
    double before[3], after[3], carried[3];
    vec_sub(before, x[i], x[i - 1]);
    vec_sub(after, x[i + 1], x[i]);
    const double length = (vec_length(before) + vec_length(after)) / 2;
    vec_unit(before, before);
    vec_unit(after, after);
    vec_transport(carried, batch->directors[i - 1], before, after);
    return twist * vec_angle(carried, batch->directors[i], after) / length;
}

// Turns of one end against the other: the twist and the writhe of the strand. Passing through itself takes two.
static sheaf_status find_linking(reproduce_batch *batch, double *turns)
{
    const double(*x)[3] = reproduce_batch_vertices(batch, 0);
    const uint32_t count = reproduce_batch_vertex_count(batch, 0);
    SHEAF_TRY(reproduce_batch_read_directors(batch));
    *turns = model_twist(x, (const double(*)[3])batch->directors, count) + model_writhe_extended(x, count);
    return SHEAF_OK;
}

// Whether two vertices that are far apart along the strand lie beside each other.
static bool are_wound(const double (*x)[3], uint32_t i, uint32_t j)
{
    double apart[3];
    vec_sub(apart, x[i], x[j]);
    return vec_length(apart) < 2.5 * radius;
}

// Windings: in each, what lies beside each other has its middle in one place of the strand, the tip of the loop.
static uint32_t count_windings(const reproduce_batch *batch)
{
    const double(*x)[3] = reproduce_batch_vertices(batch, 0);
    const uint32_t count = reproduce_batch_vertex_count(batch, 0);
    enum { FAR = 12, APART = 8 }; // vertices
    uint32_t windings = 0, last = 0;
    for (uint32_t sum = 2; sum + 2 < 2 * count; sum++) { // i + j
        bool here = false;
        for (uint32_t i = sum >= count ? sum - count + 1 : 0; 2 * i + FAR < sum && !here; i++)
            here = are_wound(x, i, sum - i);
        if (!here)
            continue;
        windings += windings == 0 || sum > last + 2 * APART;
        last = sum;
    }
    return windings;
}

// ---- one plectoneme, and what theory knows of it

typedef struct winding {
    uint32_t looks;
    double time[LOOKS], moment[LOOKS], pull[LOOKS], theory[LOOKS];
    double start, linking; // turns, twist and writhe before and after
} winding;

static sheaf_status draw(reproduce_run *run, const reproduce_batch *batch, const char *name, double elevation,
                         const char *caption)
{
    const reproduce_curve curve = {.x = reproduce_batch_vertices(batch, 0),
                                   .count = reproduce_batch_vertex_count(batch, 0),
                                   .half = {radius, radius}};
    const reproduce_picture picture = {
        .curves = &curve, .curve_count = 1, .elevation = elevation, .width = 900, .height = 480};
    return reproduce_draw(run, name, &picture, caption);
}

static sheaf_status show_course(reproduce_run *run, const winding *w)
{
    const io_series series[] = {
        {.name = "moment of the twist, N m", .colour = "#1b4f72", .y = w->moment},
        {.name = "of two helices under this pull", .colour = "#d35400", .y = w->theory, .dashed = true},
        {.name = "pull, N", .colour = "#27ae60", .y = w->pull},
    };
    const io_plot plot = {.title = "A strand that winds about itself",
                          .x_label = "time (s)",
                          .y_label = "N m, N",
                          .x = w->time,
                          .count = w->looks,
                          .series = series,
                          .series_count = 3};
    double rows[LOOKS][4];
    for (uint32_t k = 0; k < w->looks; k++) {
        const double row[4] = {w->time[k], w->moment[k], w->pull[k], w->theory[k]};
        memcpy(rows[k], row, sizeof row);
    }
    SHEAF_TRY(
        reproduce_plot(run, "moment", &plot,
                       "Twist gathers until the strand buckles; from then on it goes into turns of the helices."));
    return reproduce_csv(run, "moment", "time_s,moment_Nm,pull_N,theory_Nm", rows[0], w->looks, 4);
}

static sheaf_status wind(reproduce_run *run, reproduce_batch *batch, winding *w)
{
    const bool is_short = reproduce_is_short(run);
    const double end = is_short ? 12 : 27; // s
    sheaf_strand_def strand = reproduce_batch_strand(batch, 0);
    const sheaf_touch_material touching = {.material = 0, .radius = radius, .friction = 0};
    sheaf_touch_def touch = sheaf_touch_def_default();
    const sheaf_material_def material = reproduce_batch_material(batch, 0);
    strand.tip.twist.duration = is_short ? 9 : strand.tip.twist.duration;
    SHEAF_TRY(reproduce_batch_add(batch, &material, &strand));
    touch.materials = &touching;
    touch.material_count = 1;
    SHEAF_TRY(sheaf_scene_set_touch(batch->scene, &touch));
    SHEAF_TRY(reproduce_batch_open(run, batch));
    SHEAF_TRY(find_linking(batch, &w->start));
    w->looks = is_short ? 12 : LOOKS;
    for (uint32_t k = 0; k < w->looks; k++) {
        w->time[k] = end * (k + 1) / w->looks;
        SHEAF_TRY(reproduce_batch_run(run, batch, w->time[k]));
        SHEAF_TRY(reproduce_batch_read_directors(batch));
        SHEAF_TRY(reproduce_batch_read_tension(batch, 0, 3, &w->pull[k]));
        w->moment[k] = moment_at(batch, 4);
        const double pull = w->pull[k] * radius * radius / bend;
        w->theory[k] = pull > 0 && pull < 1 ? moment_under(pull) * bend / radius : NAN;
    }
    SHEAF_TRY(find_linking(batch, &w->linking));
    return draw(run, batch, "plectoneme", 80, "Six turns of one end: the strand winds about itself.");
}

static sheaf_status judge_winding(reproduce_run *run, const reproduce_batch *batch, const winding *w)
{
    const uint32_t last = w->looks - 1;
    const double bar = reproduce_is_short(run) ? 0.05 : 0.02;
    sheaf_report report;
    SHEAF_TRY(sheaf_solver_report(batch->solver, &report));
    SHEAF_TRY(reproduce_verdict(run, "moment over that of two helices under the pull found", w->moment[last],
                                w->theory[last], reproduce_share(w->moment[last], w->theory[last]), bar));
    if (!reproduce_is_short(run)) {
        SHEAF_TRY(reproduce_verdict(run, "pull, N; expected: another program of the same equations", w->pull[last],
                                    2.659, reproduce_share(w->pull[last], 2.659), 0.02));
        SHEAF_TRY(reproduce_verdict(run, "kinetic energy at rest, J, itself", report.kinetic, 0, report.kinetic, 2e-5));
    }
    const double turns = w->linking - w->start, passed = reproduce_batch_figure(batch, "pass_through");
    SHEAF_TRY(reproduce_verdict(run, "twist and writhe that were put in, turns", fabs(turns), 6,
                                reproduce_share(fabs(turns), 6), 1e-3));
    return reproduce_verdict(run, "pairs of edges that passed through each other", passed, 0, passed, 0);
}

static sheaf_status run_winding(reproduce_run *run)
{
    reproduce_batch batch;
    winding w = {0};
    sheaf_status status = reproduce_batch_begin(run, "plectonemes", &batch);
    if (status == SHEAF_OK)
        status = wind(run, &batch, &w);
    if (status == SHEAF_OK)
        status = show_course(run, &w);
    if (status == SHEAF_OK)
        status = judge_winding(run, &batch, &w);
    reproduce_batch_close(&batch);
    return status;
}

// ---- strands that hang

typedef struct hanging {
    const char *name, *about;
    double gravity, drag; // m/s^2, Pa s
    double turns, over;   // of one end; s
    double end;           // s
    uint32_t windings;    // that come of it
} hanging;

static const hanging cases[HANGING] = {
    {"heavy", "more weight: one plectoneme, in the lowest place", 1, 3, 14, 4, 14, 1},
    {"light", "less weight, thick air, quick turns: two plectonemes", 0.3, 5, 16, 3, 16, 2},
};

static sheaf_status hang(reproduce_run *run, const hanging *it, reproduce_batch *batch)
{
    batch->original->def.gravity[2] = -it->gravity;
    batch->original->materials[0].drag = it->drag;
    sheaf_end_def *tip = &batch->original->groups[0].strand.tip;
    tip->twist.value = 2 * PI * it->turns;
    tip->twist.duration = it->over;
    SHEAF_TRY(reproduce_batch_open(run, batch));
    for (uint32_t k = 0; k < FRAMES; k++) {
        char name[32], caption[128];
        const double time = it->end * (k + 1) / FRAMES;
        SHEAF_TRY(reproduce_batch_run(run, batch, time));
        snprintf(name, sizeof name, "%s-%u", it->name, k + 1);
        snprintf(caption, sizeof caption, "%s; after %.3g s.", it->about, time);
        SHEAF_TRY(draw(run, batch, name, 0, caption));
    }
    char quantity[96];
    const double found = count_windings(batch), passed = reproduce_batch_figure(batch, "pass_through");
    snprintf(quantity, sizeof quantity, "plectonemes of a strand that hangs, %s, off by", it->name);
    SHEAF_TRY(reproduce_verdict(run, quantity, found, it->windings, fabs(found - it->windings), 0));
    snprintf(quantity, sizeof quantity, "pairs of edges that passed through each other, %s", it->name);
    return reproduce_verdict(run, quantity, passed, 0, passed, 0);
}

static sheaf_status run_hanging(reproduce_run *run)
{
    sheaf_status status = SHEAF_OK;
    for (uint32_t k = 0; k < HANGING && status == SHEAF_OK && !reproduce_is_short(run); k++) {
        reproduce_batch batch;
        status = reproduce_batch_begin(run, "plectonemes-hanging", &batch);
        if (status == SHEAF_OK)
            status = hang(run, &cases[k], &batch);
        reproduce_batch_close(&batch);
    }
    return status;
}

static sheaf_status run_plectonemes(reproduce_run *run)
{
    reproduce_paper(run, "The ends of a strand that hangs are twisted: it forms plectonemes, whose number and places "
                         "follow from the rate of the twist, the viscosity of the air and the weight.");
    reproduce_here(run, "A strand without weight or friction winds into two helices about each other, for which "
                        "theory knows the moment under a given pull. Strands that hang as parabolas form one "
                        "plectoneme at their lowest place, or several where they weigh little and the air is thick.");
    SHEAF_TRY(run_winding(run));
    return run_hanging(run);
}

const reproduce_experiment reproduce_plectonemes = {
    .name = "plectonemes",
    .title = "Plectonemes",
    .figure = "Figure 9",
    .about = "strands twisted until they wind about themselves: moment and pull against those of two helices",
    .run = run_plectonemes,
    .needs_device = true,
};
