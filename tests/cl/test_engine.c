// test_engine: the engine against the reference from the same start, replaying the engine's schedule.
// The first tier has fewer strands: full and partial bundles still. labels: slow;device;tiers (35 s, all 70 s)
#include "der/device/device.h"
#include "der/ref/ref.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit.h"

typedef struct kind {
    const char *name;
    double length, density, young, shear, radius[2], curl_radius, pitch, natural_twist, damping;
} kind;

static const kind kinds[] = {
    {"curly hair", 0.15, 1300, 3.9e9, 0.89e9, {45e-6, 35e-6}, 0.005, 0.04, 8, 0},
    {"straight hair", 0.15, 1300, 3.9e9, 0.89e9, {45e-6, 35e-6}, 0, 0, 0, 0},
    {"blade", 0.6, 800, 3e8, 1.1e8, {1.5e-3, 0.2e-3}, 0.3, 0.6, 2, 0},
    {"steel coil", 0.3, 7850, 2e11, 8e10, {1e-3, 1e-3}, 0.05, 0.06, 0, 0},
};

enum { KINDS = 4, STRANDS_MOST = 23, STRANDS_FEW = 9, END_CASES = 13 };

// ---- ends of many kinds; both are free to begin with

static sheaf_course slow_ramp(double value)
{
    return (sheaf_course){.kind = SHEAF_COURSE_RAMP, .value = value, .duration = 0.5, .smooth = true};
}

// The tip comes towards the root.
static void push_tip(sheaf_strand_def *strand)
{
    for (int c = 0; c < 3; c++)
        strand->tip.move[c] = slow_ramp(-0.05 * strand->length * strand->direction[c]);
}

static void clamped_and_pulled(sheaf_strand_def *strand)
{
    strand->root = sheaf_end_clamped();
    strand->tip.force[0] = (sheaf_course){.kind = SHEAF_COURSE_RAMP, .value = 1e-6, .duration = 0.2};
}

static void both_free(sheaf_strand_def *strand)
{
    (void)strand;
}

static void pinned(sheaf_strand_def *strand)
{
    strand->root = sheaf_end_pinned();
}

static void both_pinned(sheaf_strand_def *strand)
{
    strand->root = sheaf_end_pinned();
    strand->tip = sheaf_end_pinned();
    push_tip(strand);
}

static void both_clamped(sheaf_strand_def *strand)
{
    strand->root = sheaf_end_clamped();
    strand->tip = sheaf_end_clamped();
    strand->tip.twist = slow_ramp(0.3);
    push_tip(strand);
}

static void tangent_alone(sheaf_strand_def *strand)
{
    strand->root.hold_tangent = true;
}

static void tip_clamped_and_turned(sheaf_strand_def *strand)
{
    strand->tip = sheaf_end_clamped();
    strand->tip.turn_axis[0] = 1;
    strand->tip.turn = slow_ramp(0.3);
}

static void tip_slides(sheaf_strand_def *strand)
{
    strand->root = sheaf_end_clamped();
    strand->tip = sheaf_end_clamped();
    strand->tip.slide = true;
    for (int c = 0; c < 3; c++)
        strand->tip.slide_axis[c] = strand->direction[c];
}

static void pinned_and_twisted(sheaf_strand_def *strand)
{
    strand->root = sheaf_end_pinned();
    strand->root.hold_angle = true;
    strand->tip.hold_angle = true;
    strand->tip.twist = slow_ramp(0.3);
}

static void couple_at_tip(sheaf_strand_def *strand)
{
    strand->root = sheaf_end_clamped();
    for (int c = 0; c < 3; c++)
        strand->tip.couple[c].value = 1e-9;
}

static void root_slides_with_a_free_frame(sheaf_strand_def *strand)
{
    strand->root = sheaf_end_clamped();
    strand->root.hold_angle = false;
    strand->root.slide = true;
    strand->root.slide_axis[0] = 1;
    strand->root.slide_axis[1] = 0.5;
}

static void inner_frame_held(sheaf_strand_def *strand)
{
    static const sheaf_hold_def hold = {.edge = 9};
    strand->root = sheaf_end_pinned();
    strand->holds = &hold;
    strand->hold_count = 1;
}

// One of them follows no course.
static void inner_frames_turn(sheaf_strand_def *strand)
{
    static sheaf_hold_def holds[] = {{.edge = 5}, {.edge = 9}, {.edge = 16}};
    holds[1].twist = slow_ramp(0.5);
    holds[2].twist = (sheaf_course){.kind = SHEAF_COURSE_SINE, .value = 0.2, .duration = 0.3};
    strand->root = sheaf_end_pinned();
    strand->holds = holds;
    strand->hold_count = 3;
}

static void (*const end_cases[])(sheaf_strand_def *) = {
    clamped_and_pulled,
    both_free,
    pinned,
    both_pinned,
    both_clamped,
    tangent_alone,
    tip_clamped_and_turned,
    tip_slides,
    pinned_and_twisted,
    couple_at_tip,
    root_slides_with_a_free_frame,
    inner_frame_held,
    inner_frames_turn,
};

static void set_ends(sheaf_strand_def *strand, int which)
{
    strand->root = sheaf_end_free();
    strand->tip = sheaf_end_free();
    end_cases[which](strand);
}

static sheaf_scene *make_scene(const kind *k, sheaf_integrator integrator, double step)
{
    sheaf_scene_def def = sheaf_scene_def_default();
    def.step = step;
    def.integrator = integrator;
    def.projection_tolerance = 2e-5;
    def.projection_iterations = 32;
    def.wind[0] = 0.5;
    sheaf_scene *scene;
    assert_int_equal(sheaf_scene_create(&def, &scene), SHEAF_OK);
    sheaf_motion_def motion = sheaf_motion_def_default();
    motion.name = "shake";
    motion.anchor[0] = 0.05;
    motion.axis[1] = 1;
    motion.turn = (sheaf_course){.kind = SHEAF_COURSE_SINE, .value = 0.5, .duration = 0.7};
    motion.move[0] = (sheaf_course){.kind = SHEAF_COURSE_SINE, .value = 0.1 * k->length, .duration = 0.5};
    if (integrator == SHEAF_INTEGRATOR_EXPLICIT && k->damping > 0) { // from rest, see below
        motion.turn = slow_ramp(0.5);
        motion.move[0] = slow_ramp(0.1 * k->length);
    }
    assert_int_equal(sheaf_scene_add_motion(scene, &motion, NULL), SHEAF_OK);
    sheaf_material_def material = sheaf_material_def_default();
    material.name = k->name;
    material.density = k->density;
    material.young = k->young;
    material.shear = k->shear;
    material.radius[0] = k->radius[0];
    material.radius[1] = k->radius[1];
    material.drag = 1e-5;
    material.damping = k->damping;
    assert_int_equal(sheaf_scene_add_material(scene, &material, NULL), SHEAF_OK);
    return scene;
}

// Strand s of a population; ends < 0: clamped root, every third at rest, the others shaken.
static sheaf_strand_def make_strand(const kind *k, uint32_t s, uint32_t vertex_count, int ends)
{
    sheaf_strand_def strand = sheaf_strand_def_default();
    strand.shape = k->curl_radius > 0 ? SHEAF_SHAPE_HELIX : SHEAF_SHAPE_STRAIGHT;
    strand.vertex_count = vertex_count;
    strand.length = k->length * (1 + 0.1 * sin(s));
    strand.origin[0] = 0.01 * s;
    strand.direction[0] = sin(0.3 * s);
    strand.direction[1] = cos(0.7 * s);
    strand.direction[2] = -0.5;
    strand.radius = k->curl_radius;
    strand.pitch = k->pitch;
    strand.natural_twist = k->natural_twist;
    strand.root = sheaf_end_clamped();
    strand.root.motion = s % 3 ? 0 : -1;
    if (ends >= 0)
        set_ends(&strand, ends);
    return strand;
}

static sheaf_model *make_model(const kind *k, sheaf_integrator integrator, double step, bool is_ragged, int ends)
{
    const uint32_t strand_count = is_second_tier() ? STRANDS_MOST : STRANDS_FEW, vertex_count = 24;
    sheaf_scene *scene = make_scene(k, integrator, step);
    sheaf_model *model;
    for (uint32_t s = 0; s < strand_count; s++) {
        const sheaf_strand_def strand = make_strand(k, s, vertex_count - (is_ragged ? s % 7 : 0), ends);
        assert_int_equal(sheaf_scene_add_strand(scene, &strand), SHEAF_OK);
    }
    assert_int_equal(sheaf_model_create(scene, &model), SHEAF_OK);
    sheaf_scene_free(scene);
    return model;
}

static double compare(const sheaf_model *model, sheaf_state *state, double (*positions)[3])
{
    double worst = 0;
    for (uint32_t s = 0; s < model->strand_count; s++) {
        double length = 0;
        for (uint64_t i = model->first_vertex[s]; i + 1 < model->first_vertex[s + 1]; i++)
            length += model->rest_length[i];
        for (uint64_t i = model->first_vertex[s]; i < model->first_vertex[s + 1]; i++)
            for (int c = 0; c < 3; c++) {
                const double error = fabs(positions[i][c] - state->position[i][c]) / length;
                worst = error <= worst ? worst : error;
            }
    }
    return worst;
}

// A population on the engine and, strand by strand, on the reference.
typedef struct pair {
    sheaf_model *model;
    sheaf_engine *engine;
    sheaf_state *state;
    ref_rod rods[STRANDS_MOST];
    double (*positions)[3];
    double step;
    uint32_t done;
} pair;

static void open_pair(pair *p, const engine_options *options)
{
    if (der_open_engine(p->model, options, &p->engine) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    assert_int_equal(state_create(p->model, &p->state), SHEAF_OK);
    p->positions = malloc(p->model->vertex_count * sizeof *p->positions);
    for (uint32_t s = 0; s < p->model->strand_count; s++) {
        assert_int_equal(rod_open(p->state, s, &p->rods[s]), SHEAF_OK);
        assert_int_equal(ref_start(&p->rods[s], 0), SHEAF_OK);
    }
}

static void close_pair(pair *p)
{
    for (uint32_t s = 0; s < p->model->strand_count; s++)
        rod_close(&p->rods[s]);
    free(p->positions);
    engine_close(p->engine);
    state_free(p->state);
    sheaf_model_free(p->model);
}

// Both bring frames to equilibrium by need.
static void step_reference(pair *p, ref_rod *rod)
{
    const ref_schedule schedule = ref_schedule_default(rod, p->step);
    const double time = p->done * p->step;
    if (p->model->def.integrator == SHEAF_INTEGRATOR_EXPLICIT)
        assert_int_equal(ref_step(rod, time, p->step), SHEAF_OK);
    else
        assert_int_equal(ref_implicit_step(rod, time, p->step, &schedule), SHEAF_OK);
}

// Steps both; returns the largest difference of a coordinate, as a share of the strand's length.
static double advance(pair *p, uint32_t steps)
{
    assert_int_equal(engine_step(p->engine, steps - p->done), SHEAF_OK);
    for (; p->done < steps; p->done++)
        for (uint32_t s = 0; s < p->model->strand_count; s++)
            step_reference(p, &p->rods[s]);
    assert_int_equal(der_read(p->engine, p->positions, NULL), SHEAF_OK);
    return compare(p->model, p->state, p->positions);
}

// bars: at 1, 10 and 100 steps
static void check(const kind *k, sheaf_integrator integrator, double step, uint32_t width, bool is_double,
                  bool is_ragged, int ends, const double bars[3])
{
    const uint32_t stops[] = {1, 10, 100};
    const engine_options options = {.lane_width = width, .is_double = is_double, .step = step};
    pair p = {.model = make_model(k, integrator, step, is_ragged, ends), .step = step};
    open_pair(&p, &options);
    printf("%-14s integrator %d ends %2d %s%-2u%s:", k->name, (int)integrator, ends, is_double ? "double" : "float",
           width, is_ragged ? " ragged" : "");
    for (int stop = 0; stop < 3; stop++) {
        const double error = advance(&p, stops[stop]);
        printf(" %.1e", error);
        assert_true(error <= bars[stop]);
    }
    printf("\n");
    close_pair(&p);
}

static const double double_bars[3] = {1e-11, 1e-10, 1e-9}, single_bars[3] = {2e-5, 2e-5, 1e-4};

// The engine always projects twice, the reference as often as it needs.
static const double explicit_bars[3] = {1e-7, 1e-7, 1e-7};

static void clamped_strands_move_as_the_reference_does(void **fixture)
{
    (void)fixture;
    for (int k = 0; k < KINDS; k++)
        for (int ragged = 0; ragged < 2; ragged++) {
            check(&kinds[k], SHEAF_INTEGRATOR_BDF2, 1. / 240, 4, true, ragged, -1, double_bars);
            check(&kinds[k], SHEAF_INTEGRATOR_EULER, 1. / 240, 4, true, ragged, -1, double_bars);
            check(&kinds[k], SHEAF_INTEGRATOR_EXPLICIT, 1e-5, 4, true, ragged, -1, explicit_bars);
            check(&kinds[k], SHEAF_INTEGRATOR_EXPLICIT, 1e-5, 8, false, ragged, -1, single_bars);
        }
    check(&kinds[0], SHEAF_INTEGRATOR_BDF2, 1. / 240, 8, false, true, -1, single_bars);
    check(&kinds[1], SHEAF_INTEGRATOR_BDF2, 1. / 240, 8, false, true, -1, single_bars);
    check(&kinds[3], SHEAF_INTEGRATOR_BDF2, 1. / 240, 8, false, true, -1, single_bars);
}

// A push changes the velocity of its vertex and of no other, and strands move on from there as in the reference.
static void check_push(uint32_t width, bool is_double, double rounding, const double bars[3])
{
    const engine_options options = {.lane_width = width, .is_double = is_double, .step = 1. / 240};
    pair p = {.model = make_model(&kinds[0], SHEAF_INTEGRATOR_BDF2, options.step, true, -1), .step = options.step};
    const double change[3] = {0.3, -0.2, 0.1};
    const uint32_t strand = p.model->strand_count - 2, vertex = 11;
    const uint64_t count = p.model->vertex_count, pushed = p.model->first_vertex[strand] + vertex;
    open_pair(&p, &options);
    double(*before)[3] = malloc(count * sizeof *before), (*after)[3] = malloc(count * sizeof *after);
    (void)advance(&p, 5);
    assert_int_equal(der_read(p.engine, NULL, before), SHEAF_OK);
    assert_int_equal(der_push(p.engine, strand, vertex, change), SHEAF_OK);
    assert_int_equal(der_read(p.engine, NULL, after), SHEAF_OK);
    for (uint64_t k = 0; k < count; k++)
        for (int c = 0; c < 3; c++)
            assert_close(after[k][c], before[k][c] + (k == pushed ? change[c] : 0), k == pushed ? rounding : 0);
    for (int c = 0; c < 3; c++)
        p.state->velocity[pushed][c] += change[c];
    assert_true(advance(&p, 15) <= bars[1]);
    free(before);
    free(after);
    close_pair(&p);
}

static void a_push_moves_strands_as_in_the_reference(void **fixture)
{
    (void)fixture;
    check_push(4, true, 1e-15, double_bars);
    check_push(8, false, 1e-6, single_bars);
}

static void any_ends_move_as_in_the_reference(void **fixture)
{
    (void)fixture;
    for (int ends = 0; ends < END_CASES; ends++) {
        check(&kinds[0], SHEAF_INTEGRATOR_BDF2, 1. / 240, 4, true, false, ends, double_bars);
        check(&kinds[0], SHEAF_INTEGRATOR_BDF2, 1. / 240, 8, false, false, ends, single_bars);
        check(&kinds[0], SHEAF_INTEGRATOR_EXPLICIT, 1e-5, 4, true, false, ends, double_bars);
    }
}

// A fixed number of sweeps in every step, whatever they reach. Chebyshev's error changes sign while it shrinks, and
// what is left of it feeds back through the velocity: below about two sweeps per edge an explicit step with it is
// unstable.
static void check_relaxation(sheaf_projector projector, bool is_double, bool is_ragged, int ends, const double bars[3])
{
    const uint32_t stops[] = {1, 10, 100};
    const engine_options options = {.lane_width = is_double ? 4 : 8, .is_double = is_double, .step = 1e-5};
    pair p = {.model = make_model(&kinds[0], SHEAF_INTEGRATOR_EXPLICIT, 1e-5, is_ragged, ends), .step = 1e-5};
    p.model->def.projector = projector;
    p.model->def.projection_iterations = projector == SHEAF_PROJECTOR_CHEBYSHEV ? 60 : 20;
    p.model->def.projection_tolerance = 1e-15;
    open_pair(&p, &options);
    printf("projector %d ends %2d %s:", (int)projector, ends, is_double ? "double" : "float");
    for (int stop = 0; stop < 3; stop++) {
        const double error = advance(&p, stops[stop]);
        printf(" %.1e", error);
        assert_true(error <= bars[stop]);
    }
    printf("\n");
    close_pair(&p);
}

static void damped_strands_move_as_in_the_reference(void **fixture)
{
    (void)fixture;
    kind damped = kinds[0];
    damped.damping = 2e-3;
    check(&damped, SHEAF_INTEGRATOR_BDF2, 1. / 240, 4, true, true, -1, double_bars);
    check(&damped, SHEAF_INTEGRATOR_BDF2, 1. / 240, 8, false, true, -1, single_bars);
    check(&damped, SHEAF_INTEGRATOR_EULER, 1. / 240, 4, true, false, -1, double_bars);
    check(&damped, SHEAF_INTEGRATOR_BDF2, 1. / 240, 4, true, false, 2, double_bars);
}

// Held vertices move at the rate of their course in the reference, and by what they were displaced in the last step in
// the engine. The two differ by half a step's change, and by all where a course starts with a jump.
static void damped_explicit_steps_are_those_of_the_reference(void **fixture)
{
    (void)fixture;
    kind damped = kinds[0];
    damped.damping = 1e-4;
    check(&damped, SHEAF_INTEGRATOR_EXPLICIT, 1e-5, 4, true, true, -1, explicit_bars);
    check(&damped, SHEAF_INTEGRATOR_EXPLICIT, 1e-5, 8, false, true, -1, single_bars);
    check(&damped, SHEAF_INTEGRATOR_EXPLICIT, 1e-5, 4, true, false, 2, explicit_bars);
    check(&damped, SHEAF_INTEGRATOR_EXPLICIT, 1e-5, 4, true, false, 4, explicit_bars);
    check(&damped, SHEAF_INTEGRATOR_EXPLICIT, 1e-5, 4, true, false, 12, explicit_bars);
}

static void relaxing_projectors_move_as_in_the_reference(void **fixture)
{
    (void)fixture;
    const double steady_bars[3] = {5e-7, 2e-6, 1e-5};
    for (sheaf_projector projector = SHEAF_PROJECTOR_JACOBI; projector <= SHEAF_PROJECTOR_RED_BLACK; projector++) {
        check_relaxation(projector, true, true, -1, double_bars);
        check_relaxation(projector, false, false, -1, steady_bars);
        check_relaxation(projector, true, false, 2, double_bars);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clamped_strands_move_as_the_reference_does),
        cmocka_unit_test(a_push_moves_strands_as_in_the_reference),
        cmocka_unit_test(any_ends_move_as_in_the_reference),
        cmocka_unit_test(damped_strands_move_as_in_the_reference),
        cmocka_unit_test(damped_explicit_steps_are_those_of_the_reference),
        cmocka_unit_test(relaxing_projectors_move_as_in_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
