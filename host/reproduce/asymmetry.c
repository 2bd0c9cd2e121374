// asymmetry: rods with flat sections and natural curvature, clamped at one end and turned at the other: twist gathers
// at the turned end, and a kink holds it back (figure 5 of the paper).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "der/ref/ref.h"
#include "reproduce/reproduce.h"
#include "scene/scene.h"
#include "strand/linking.h"
#include "world/world.h"

enum {
    VERTICES = 49,
    EDGES = VERTICES - 1,
    INNER = VERTICES - 2,
    KINK = EDGES / 2, // vertex
    SAMPLES_MOST = 512,
};

typedef enum kind { KIND_V, KIND_ARC, KIND_ROUND, KINDS } kind;
enum { STAGE_START, STAGE_MODERATE, STAGE_FAR, STAGES };

static const double pi = 3.14159265358979323846;

// Turns of the tip at which rods are looked at: the V needs more than the semicircle.
static const double turns_of[KINDS][STAGES] = {{0, 1.5, 8}, {0, 0.4, 3}, {0, 1.5, 8}};

typedef struct pose {
    double x[VERTICES][3], directors[VERTICES][3];
    double angle[EDGES]; // rad, of the frame against the clamped end's, carried along the rod
    double rate[INNER];  // rad/m, twist
} pose;

// What is simulated: poses of every rod, and the V's twist on the clamped side of its kink at every sample.
typedef struct course {
    pose poses[KINDS][STAGES];
    double turned[SAMPLES_MOST], clamped_side[SAMPLES_MOST]; // turns
    uint32_t samples;
} course;

static double edge_length(const pose *p)
{
    double edge[3];
    vec_sub(edge, p->x[1], p->x[0]);
    return vec_length(edge);
}

static void read_pose(const reproduce_batch *batch, kind k, pose *p)
{
    memcpy(p->x, reproduce_batch_vertices(batch, (uint32_t)k), sizeof p->x);
    memcpy(p->directors, batch->directors + batch->model->first_vertex[k], sizeof p->directors);
    const double length = edge_length(p);
    p->angle[0] = 0;
    for (uint32_t i = 1; i <= INNER; i++) {
        const double twist = model_twist_at((const double(*)[3])p->x, (const double(*)[3])p->directors, i);
        p->angle[i] = p->angle[i - 1] + twist;
        p->rate[i - 1] = twist / length;
    }
}

// ---- theory

typedef struct section {
    double easy, stiff, twist; // N m^2
} section;

// Derivative by the angle of what bending one edge's share of a corner of curvature w costs, natural at angle 0:
// w^2 / 2 (stiff sin^2 + easy (1 - cos)^2).
static double turning_moment(const section *s, double w, double angle)
{
    return w * w * (s->stiff * sin(angle) * cos(angle) + s->easy * (1 - cos(angle)) * sin(angle));
}

static double turning_stiffness(const section *s, double w, double angle)
{
    return w * w * (s->stiff * cos(2 * angle) + s->easy * (cos(angle) - cos(2 * angle)));
}

// The V's frames beside its kink, edges before and after, when the tip is turned by `turned` rad: a and b go downhill
// from where they are to the least energy near by. Arms are torsion springs, their twist is even.
typedef struct kink {
    section section;
    double length;    // m, of an edge
    double curvature; // kb at the kink
    double angle[2];  // rad
} kink;

static void settle_kink(kink *k, double turned)
{
    const double single = k->section.twist / k->length, arm = single / (KINK - 1);
    for (int iteration = 0; iteration < 4000; iteration++) {
        const double a = k->angle[0], b = k->angle[1];
        const double share = 1 / (2 * k->length), w = k->curvature;
        const double slope[2] = {arm * a - single * (b - a) + share * turning_moment(&k->section, w, a),
                                 single * (b - a) - arm * (turned - b) + share * turning_moment(&k->section, w, b)};
        const double first = arm + single + share * fabs(turning_stiffness(&k->section, w, a));
        const double second = arm + single + share * fabs(turning_stiffness(&k->section, w, b));
        const double determinant = first * second - single * single;
        const double step[2] = {-(second * slope[0] + single * slope[1]) / determinant,
                                -(single * slope[0] + first * slope[1]) / determinant};
        const double most = fmax(fabs(step[0]), fabs(step[1])), scale = most > 0.2 ? 0.2 / most : 1;
        k->angle[0] += scale * step[0];
        k->angle[1] += scale * step[1];
        if (most < 1e-13)
            return;
    }
}

// The semicircle as a curve: C theta'' = dW/dtheta from the middle of the first edge to that of the last, by the
// classical Runge-Kutta method; returns the last angle, and twist rates at vertices.
static double shoot(const section *s, double curvature, double length, double first_rate, double rate[INNER])
{
    enum { SUBSTEPS = 8 };
    const double h = length / SUBSTEPS;
    double angle = 0, p = first_rate;
    for (int k = 0; k < (EDGES - 1) * SUBSTEPS; k++) {
        if (k % SUBSTEPS == SUBSTEPS / 2)
            rate[k / SUBSTEPS] = p;
        const double p1 = p, f1 = turning_moment(s, curvature, angle) / s->twist;
        const double p2 = p + h / 2 * f1, f2 = turning_moment(s, curvature, angle + h / 2 * p1) / s->twist;
        const double p3 = p + h / 2 * f2, f3 = turning_moment(s, curvature, angle + h / 2 * p2) / s->twist;
        const double p4 = p + h * f3, f4 = turning_moment(s, curvature, angle + h * p3) / s->twist;
        angle += h / 6 * (p1 + 2 * p2 + 2 * p3 + p4);
        p += h / 6 * (f1 + 2 * f2 + 2 * f3 + f4);
    }
    return angle;
}

// Twist rates of the semicircle turned by `turned` rad; the last angle grows with the first rate.
static void solve_arc(const section *s, double curvature, double length, double turned, double rate[INNER])
{
    double low = 0, high = turned / (length * (EDGES - 1));
    for (int k = 0; k < 100; k++) {
        const double middle = (low + high) / 2;
        if (shoot(s, curvature, length, middle, rate) < turned)
            low = middle;
        else
            high = middle;
    }
}

// kb at a vertex: 2 tan(half the angle between its edges).
static double corner(const pose *p, uint32_t vertex)
{
    double before[3], after[3];
    vec_sub(before, p->x[vertex], p->x[vertex - 1]);
    vec_sub(after, p->x[vertex + 1], p->x[vertex]);
    vec_unit(before, before);
    vec_unit(after, after);
    return 2 * tan(acos(fmin(vec_dot(before, after), 1)) / 2);
}

// What theory has for what was simulated.
typedef struct theory {
    double share;                      // of the V's twist that lies beyond the kink, at the moderate turn
    double clamped_side[SAMPLES_MOST]; // turns
    double rate[KINDS][STAGES][INNER]; // rad/m
} theory;

static void theory_of_kink(const course *c, const section *s, theory *t)
{
    const pose *straight = &c->poses[KIND_V][STAGE_START];
    kink k = {.section = *s, .length = edge_length(straight), .curvature = corner(straight, KINK)};
    for (uint32_t i = 0; i < c->samples; i++) {
        settle_kink(&k, 2 * pi * c->turned[i]);
        t->clamped_side[i] = k.angle[0] / (2 * pi);
        for (int stage = STAGE_MODERATE; stage < STAGES; stage++)
            if (fabs(c->turned[i] - turns_of[KIND_V][stage]) < 1e-6) {
                const double beyond = 2 * pi * c->turned[i] - k.angle[1];
                for (uint32_t v = 0; v < INNER; v++)
                    t->rate[KIND_V][stage][v] = (v + 1 < KINK ? k.angle[0] : beyond) / (k.length * (KINK - 1));
                t->rate[KIND_V][stage][KINK - 1] = (k.angle[1] - k.angle[0]) / k.length;
                if (stage == STAGE_MODERATE)
                    t->share = beyond / (2 * pi * c->turned[i]);
            }
    }
}

static void make_theory(const course *c, const section *s, theory *t)
{
    const pose *arc = &c->poses[KIND_ARC][STAGE_START];
    const double length = edge_length(arc);
    theory_of_kink(c, s, t);
    for (int stage = STAGE_MODERATE; stage < STAGES; stage++)
        solve_arc(s, corner(arc, KINK) / length, length, 2 * pi * turns_of[KIND_ARC][stage], t->rate[KIND_ARC][stage]);
}

// ---- simulation

// Every second step of the scene's; where the tip rests, poses of the last step of the rest stay.
static sheaf_status simulate(reproduce_run *run, reproduce_batch *batch, course *c)
{
    const sheaf_strand_def strand = reproduce_batch_strand(batch, 0);
    const double end = batch->original->def.end, apart_in_time = 2 * batch->original->def.step;
    SHEAF_TRY(reproduce_batch_open(run, batch));
    c->samples = 0;
    for (uint32_t k = 0; k * apart_in_time < end + apart_in_time / 2 && k < SAMPLES_MOST; k++) {
        pose now;
        SHEAF_TRY(reproduce_batch_run(run, batch, k * apart_in_time));
        SHEAF_TRY(reproduce_batch_read_directors(batch));
        const double turned = scene_course(&strand.tip.twist, batch->time) / (2 * pi);
        for (int which = 0; which < KINDS; which++)
            for (int stage = 0; stage < STAGES; stage++)
                if (fabs(turned - turns_of[which][stage]) < 1e-6)
                    read_pose(batch, (kind)which, &c->poses[which][stage]);
        read_pose(batch, KIND_V, &now);
        c->turned[c->samples] = turned;
        c->clamped_side[c->samples++] = now.angle[KINK - 1] / (2 * pi);
    }
    return SHEAF_OK;
}

// ---- plots

static void places(const pose *p, double s[INNER])
{
    for (uint32_t i = 0; i < INNER; i++)
        s[i] = (i + 1) * edge_length(p);
}

static sheaf_status plot_profiles(reproduce_run *run, const course *c, const theory *t, kind which)
{
    double s[INNER];
    const bool is_v = which == KIND_V;
    const pose *p = c->poses[which];
    places(&p[STAGE_START], s);
    const io_series series[] = {
        {.name = is_v ? "1.5 turns" : "0.4 turns", .colour = "#1f78b4", .mark = IO_MARK_DOTS, .y = p[1].rate},
        {.name = "theory", .colour = "#111111", .dashed = true, .y = t->rate[which][1]},
        {.name = is_v ? "8 turns" : "3 turns", .colour = "#d95f02", .mark = IO_MARK_DOTS, .y = p[2].rate},
        {.name = "", .colour = "#111111", .dashed = true, .y = t->rate[which][2]},
        {.name = is_v ? "straight, round, 8 turns" : "straight, round, 1.5 turns",
         .colour = "#1b9e77",
         .y = c->poses[KIND_ROUND][is_v ? 2 : 1].rate},
    };
    const io_plot plot = {.title = is_v ? "Twist along the V" : "Twist along the semicircle",
                          .x_label = "from the clamped end, m",
                          .y_label = "twist, rad/m",
                          .x = s,
                          .count = INNER,
                          .series = series,
                          .series_count = 5};
    return reproduce_plot(run, is_v ? "twist-v" : "twist-semicircle", &plot,
                          is_v ? "Twist stays in the half that is turned, until it jumps over the kink; beside it an "
                                 "isotropic, naturally straight rod. Theory: two torsion springs and the kink between "
                                 "them."
                               : "Twist gathers at the turned end; turned far, it evens out. Theory: the equation of "
                                 "the smooth rod.");
}

static sheaf_status plot_jumps(reproduce_run *run, const course *c, const theory *t)
{
    const io_series series[] = {
        {.name = "V", .colour = "#1f78b4", .y = c->clamped_side},
        {.name = "theory", .colour = "#111111", .dashed = true, .y = t->clamped_side},
    };
    const io_plot plot = {.title = "Twist that got past the kink",
                          .x_label = "turns of the tip",
                          .y_label = "turns in the clamped half",
                          .x = c->turned,
                          .count = c->samples,
                          .series = series,
                          .series_count = 2};
    return reproduce_plot(run, "jumps", &plot,
                          "It takes more than four turns before twist jumps over the kink for the first time; then one "
                          "turn follows the other.");
}

static sheaf_status draw(reproduce_run *run, const course *c, kind which)
{
    const double apart = which == KIND_V ? 0.36 : 0.45;
    reproduce_curve curves[STAGES];
    for (int stage = 0; stage < STAGES; stage++)
        curves[stage] = (reproduce_curve){.x = (const double(*)[3])c->poses[which][stage].x,
                                          .directors = (const double(*)[3])c->poses[which][stage].directors,
                                          .count = VERTICES,
                                          .shift = {0, 0, -apart * stage},
                                          .half = {0.005, 0.016}};
    const reproduce_picture picture = {
        .curves = curves, .curve_count = STAGES, .azimuth = 25, .elevation = 20, .width = 640, .height = 640};
    return reproduce_draw(run, which == KIND_V ? "v" : "semicircle", &picture,
                          which == KIND_V
                              ? "From top to bottom: the V as it is by nature, turned by 1.5 turns and by 8 "
                                "turns at its right end."
                              : "The semicircle as it is by nature, turned by 0.4 turns and by 3 turns.");
}

static sheaf_status write_data(reproduce_run *run, const course *c, const theory *t)
{
    double profile[INNER][9], jump[SAMPLES_MOST][3], s[INNER];
    places(&c->poses[KIND_V][STAGE_START], s);
    for (uint32_t i = 0; i < INNER; i++) {
        const double row[] = {s[i],
                              c->poses[KIND_V][1].rate[i],
                              t->rate[KIND_V][1][i],
                              c->poses[KIND_V][2].rate[i],
                              t->rate[KIND_V][2][i],
                              c->poses[KIND_ARC][1].rate[i],
                              t->rate[KIND_ARC][1][i],
                              c->poses[KIND_ARC][2].rate[i],
                              t->rate[KIND_ARC][2][i]};
        memcpy(profile[i], row, sizeof row);
    }
    for (uint32_t k = 0; k < c->samples; k++) {
        const double row[] = {c->turned[k], c->clamped_side[k], t->clamped_side[k]};
        memcpy(jump[k], row, sizeof row);
    }
    SHEAF_TRY(reproduce_csv(run, "twist",
                            "s_m,v_moderate,v_moderate_theory,v_far,v_far_theory,semicircle_moderate,"
                            "semicircle_moderate_theory,semicircle_far,semicircle_far_theory",
                            profile[0], INNER, 9));
    return reproduce_csv(run, "jumps", "tip_turns,clamped_half_turns,theory_turns", jump[0], c->samples, 3);
}

// ---- verdicts

// Largest difference of two rows of numbers, as a share of the largest of the second.
static double apart(const double *a, const double *b, uint32_t count)
{
    double difference = 0, size = 0;
    for (uint32_t i = 0; i < count; i++) {
        difference = fmax(difference, fabs(a[i] - b[i]));
        size = fmax(size, fabs(b[i]));
    }
    return difference / size;
}

// Turns of the tip when twist first jumps over the kink: the first sample with half a turn on the clamped side.
static double first_jump(const double *turned, const double *clamped_side, uint32_t samples)
{
    for (uint32_t k = 1; k < samples; k++)
        if (clamped_side[k] > 0.5)
            return (turned[k - 1] + turned[k]) / 2;
    return NAN;
}

static sheaf_status judge(reproduce_run *run, const course *c, const theory *t)
{
    const pose *v = &c->poses[KIND_V][STAGE_MODERATE], *round = &c->poses[KIND_ROUND][STAGE_FAR];
    const double share = (v->angle[EDGES - 1] - v->angle[KINK]) / v->angle[EDGES - 1];
    const double jump = first_jump(c->turned, c->clamped_side, c->samples);
    const double expected = first_jump(c->turned, t->clamped_side, c->samples);
    double even[INNER];
    for (uint32_t i = 0; i < INNER; i++)
        even[i] = 2 * pi * turns_of[KIND_ROUND][STAGE_FAR] / (edge_length(round) * (EDGES - 1));
    SHEAF_TRY(reproduce_verdict(run, "V, 1.5 turns: share of the twist beyond the kink", share, t->share,
                                reproduce_share(share, t->share), 0.01));
    SHEAF_TRY(reproduce_verdict(run, "V: turns before twist jumps over the kink", jump, expected,
                                reproduce_share(jump, expected), 0.02));
    for (int stage = STAGE_MODERATE; stage < STAGES; stage++) {
        char quantity[96];
        const double error = apart(c->poses[KIND_ARC][stage].rate, t->rate[KIND_ARC][stage], INNER);
        snprintf(quantity, sizeof quantity, "semicircle, %g turns: twist against theory, largest distance",
                 turns_of[KIND_ARC][stage]);
        SHEAF_TRY(reproduce_verdict(run, quantity, error, 0, error, 0.01));
    }
    const double uneven = apart(round->rate, even, INNER);
    return reproduce_verdict(run, "straight, round, 8 turns: distance from even twist", uneven, 0, uneven, 1e-5);
}

// The heavy rods once more on the reference: angles of all frames where they are looked at.
static sheaf_status judge_device(reproduce_run *run, const course *device, course *reference)
{
    reproduce_batch batch;
    SHEAF_TRY(reproduce_batch_begin(run, "asymmetry", &batch));
    batch.on_reference = true;
    sheaf_status status = simulate(run, &batch, reference);
    reproduce_batch_close(&batch);
    for (int which = 0; which < KINDS && status == SHEAF_OK; which++) {
        static const char *const names[KINDS] = {"V", "semicircle", "straight"};
        char quantity[96];
        double error = 0;
        for (int stage = STAGE_MODERATE; stage < STAGES; stage++)
            error = fmax(error, apart(device->poses[which][stage].angle, reference->poses[which][stage].angle, EDGES));
        snprintf(quantity, sizeof quantity, "%s: angles of frames, device against reference", names[which]);
        status = reproduce_verdict(run, quantity, error, 0, error, 2e-5);
    }
    return status;
}

// ---- rods that give way

// Twist rates of one rod of the batch at rest, by the reference: the least energy with its ends as they are at `time`.
static sheaf_status find_rest(const reproduce_batch *batch, kind which, double time, double rate[INNER])
{
    sheaf_state *state;
    ref_rod rod;
    ref_statics_result result;
    const ref_statics_options options = ref_statics_default();
    SHEAF_TRY(state_create(batch->model, &state));
    sheaf_status status = rod_open(state, (uint32_t)which, &rod);
    if (status == SHEAF_OK)
        status = ref_equilibrium(&rod, time, &options, &result);
    for (uint32_t i = 1; i <= INNER && status == SHEAF_OK; i++)
        rate[i - 1] = 2 * rod.m[i] / rod_voronoi(&rod, i);
    rod_close(&rod);
    state_free(state);
    return status;
}

static sheaf_status plot_yielding(reproduce_run *run, const pose poses[KINDS], double rates[KINDS][INNER])
{
    double s[INNER];
    places(&poses[KIND_V], s);
    const io_series series[] = {
        {.name = "V", .colour = "#1f78b4", .mark = IO_MARK_DOTS, .y = poses[KIND_V].rate},
        {.name = "semicircle", .colour = "#d95f02", .mark = IO_MARK_DOTS, .y = poses[KIND_ARC].rate},
        {.name = "straight, round", .colour = "#1b9e77", .mark = IO_MARK_DOTS, .y = poses[KIND_ROUND].rate},
        {.name = "least energy", .colour = "#111111", .dashed = true, .y = rates[KIND_V]},
        {.name = "", .colour = "#111111", .dashed = true, .y = rates[KIND_ARC]},
        {.name = "", .colour = "#111111", .dashed = true, .y = rates[KIND_ROUND]},
    };
    const io_plot plot = {.title = "Twist of rods that may give way, a quarter turn",
                          .x_label = "from the clamped end, m",
                          .y_label = "twist, rad/m",
                          .x = s,
                          .count = INNER,
                          .series = series,
                          .series_count = 6};
    return reproduce_plot(run, "twist-yielding", &plot,
                          "The same rods, light, at rest after their tips were turned by 90 degrees: their centrelines "
                          "gave way, and twist is uneven all the same. Dashed: the reference's pose of least energy.");
}

static sheaf_status yield_and_judge(reproduce_run *run, reproduce_batch *batch)
{
    static const char *const quantities[KINDS] = {"V that gives way: twist against least energy, largest distance",
                                                  "semicircle that gives way: twist against least energy",
                                                  "straight rod that may give way: twist against least energy"};
    pose poses[KINDS];
    double rates[KINDS][INNER];
    const double end = batch->original->def.end;
    SHEAF_TRY(reproduce_batch_open(run, batch));
    SHEAF_TRY(reproduce_batch_run(run, batch, end));
    SHEAF_TRY(reproduce_batch_read_directors(batch));
    for (int which = 0; which < KINDS; which++) {
        read_pose(batch, (kind)which, &poses[which]);
        SHEAF_TRY(find_rest(batch, (kind)which, end, rates[which]));
    }
    SHEAF_TRY(plot_yielding(run, poses, rates));
    for (int which = 0; which < KINDS; which++) {
        const double error = apart(poses[which].rate, rates[which], INNER);
        SHEAF_TRY(reproduce_verdict(run, quantities[which], error, 0, error, 1e-3));
    }
    return SHEAF_OK;
}

static sheaf_status run_yielding(reproduce_run *run)
{
    reproduce_batch batch;
    SHEAF_TRY(reproduce_batch_begin(run, "asymmetry_free", &batch));
    const sheaf_status status = yield_and_judge(run, &batch);
    reproduce_batch_close(&batch);
    return status;
}

// ---- all of it

static void describe(reproduce_run *run, const course *c)
{
    reproduce_paper(run,
                    "A rod with an anisotropic section whose centreline is a V or a semicircle by nature is clamped "
                    "at one end and turned at the other. Twist gathers near the turned end, although the rod is the "
                    "same along its length. In the V it is first confined to one half: it takes a significant "
                    "amount of twist before it jumps over the kink. In the semicircle this is less marked.");
    reproduce_here(run,
                   "Rods of 49 vertices whose section bends ten times more easily in the plane of the V or semicircle "
                   "than out of it. They are made so heavy that the centreline stays where it is while the tip turns, "
                   "and the frames alone answer: then theory can say where the twist goes. After 1.5 turns the V's "
                   "clamped half has %.3f turns of twist, and it takes %.2f turns until a whole one jumps over the "
                   "kink. An isotropic, naturally straight rod beside them is twisted evenly, (5) of the paper. Light "
                   "rods, which may give way, are turned by a quarter turn and held against the reference's pose of "
                   "least energy.",
                   c->poses[KIND_V][STAGE_MODERATE].angle[KINK - 1] / (2 * pi),
                   first_jump(c->turned, c->clamped_side, c->samples));
}

static sheaf_status analyse(reproduce_run *run, const section *s, course *c, theory *t, course *scratch)
{
    make_theory(c, s, t);
    describe(run, c);
    SHEAF_TRY(draw(run, c, KIND_V));
    SHEAF_TRY(draw(run, c, KIND_ARC));
    SHEAF_TRY(plot_profiles(run, c, t, KIND_V));
    SHEAF_TRY(plot_jumps(run, c, t));
    SHEAF_TRY(plot_profiles(run, c, t, KIND_ARC));
    SHEAF_TRY(write_data(run, c, t));
    SHEAF_TRY(judge(run, c, t));
    if (reproduce_on_device(run) && !reproduce_is_short(run))
        SHEAF_TRY(judge_device(run, c, scratch));
    return run_yielding(run);
}

static sheaf_status run_asymmetry(reproduce_run *run)
{
    reproduce_batch batch;
    SHEAF_TRY(reproduce_batch_begin(run, "asymmetry", &batch));
    course *courses = base_alloc(2, sizeof *courses);
    theory *expected = base_alloc(1, sizeof *expected);
    sheaf_status status = courses != NULL && expected != NULL ? simulate(run, &batch, courses) : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK) {
        const sheaf_material_def flat = reproduce_batch_material(&batch, KIND_V);
        const section s = {flat.bend[0], flat.bend[1], flat.twist};
        status = analyse(run, &s, courses, expected, courses + 1);
    }
    reproduce_batch_close(&batch);
    base_free(courses);
    base_free(expected);
    return status;
}

const reproduce_experiment reproduce_asymmetry = {
    .name = "asymmetry",
    .title = "Asymmetry of twist",
    .figure = "Figure 5",
    .about = "flat, naturally curved rods turned at one end: twist gathers there, and jumps over a kink",
    .run = run_asymmetry,
};
