// test_coupled: a step cut where strands look at each other: with no push the bits of the fused step, a push is a load,
// and the verbs carry two strands that touch and a weight that hangs on a strand. labels: device (40 s)
#include "base/vec.h"
#include "cl/coupled.h"
#include "der/device/device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crowd.h"
#include "unit.h"

enum { MOST = 4096, NEWTON = 3 };

static const char windy[] =
    "sheaf: 1\n"
    "time: { step: 1/240 s, end: 1 s }\n"
    "materials: { hair: { density: 1300, young: 1 GPa, shear: 0.4 GPa, radius: [60 um, 40 um], drag: 0.2 mPa*s } }\n"
    "wind: { velocity: [2 m/s, 0, 0], gust: { strength: 60 %, scale: 20 cm, seed: 3 } }\n"
    "colliders: [ { sphere: { radius: 8.9 cm }, friction: 0.3 } ]\n"
    "strands:\n"
    "  - { groom: { on: { sphere: { radius: 9 cm } }, count: 21, vertices: 14, length: 10 cm, seed: 4 }, root: clamp "
    "}\n";

// A weight on a long thread that is welded to it.
static const char hung[] =
    "sheaf: 1\n"
    "time: { step: 1/120 s, end: 1 s }\n"
    "materials: { thread: { density: 1150, young: 80 MPa, shear: 30 MPa, radius: 1 mm } }\n"
    "bodies: { load: { at: [0, 0, -20 cm], sphere: { radius: 1 cm }, mass: 20 g } }\n"
    "strands: [ { shape: { straight: { direction: -z, length: 20 cm, vertices: 2000 } }, root: clamp,\n"
    "    tip: { clamp: load } } ]\n";

static void must(sheaf_status status)
{
    if (status != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
}

static sheaf_engine *open_engine(const sheaf_model *model, uint32_t width, bool is_double, bool is_coupled)
{
    const engine_options options = {.lane_width = width,
                                    .is_double = is_double,
                                    .is_coupled = is_coupled,
                                    .step = model->def.step,
                                    .tuning = {[DER_NEWTON_MIN] = NEWTON, NEWTON}};
    sheaf_engine *engine;
    must(der_open_engine(model, &options, &engine));
    return engine;
}

// A step by its verbs, with as many substitutions of the same right side as wanted.
static void step_by_verbs(sheaf_engine *engine, int substitutions)
{
    must(engine_couple(engine, ENGINE_VERB_OPEN, 0));
    for (int k = 0; k < NEWTON; k++) {
        must(engine_couple(engine, ENGINE_VERB_LINEARISE, k));
        for (int n = 0; n < substitutions; n++)
            must(engine_couple(engine, ENGINE_VERB_SUBSTITUTE, k));
        must(engine_couple(engine, ENGINE_VERB_ACCEPT, k));
    }
    must(engine_couple(engine, ENGINE_VERB_CLOSE, 0));
}

static void assert_same_state(sheaf_engine *a, sheaf_engine *b)
{
    for (uint32_t field = 0; field < DER_FIELD_COUNT; field++) {
        const size_t size = bundles_bytes(engine_bundles(a), field);
        void *first = malloc(size + 1), *second = malloc(size + 1);
        must(engine_read_array(a, field, first));
        must(engine_read_array(b, field, second));
        if (memcmp(first, second, size) != 0)
            fail_msg("%s differs", der_device.bundles.fields[field].name);
        free(first);
        free(second);
    }
}

static void no_push_is_a_fused_step(void **state)
{
    (void)state;
    const crowd mixed = {.strand_count = 21, .vertex_count = 12, .is_ragged = true, .is_mixed = true, .step = 1. / 120};
    sheaf_model *model = crowd_model(&mixed);
    for (int is_double = 0; is_double < 2; is_double++) {
        sheaf_engine *fused = open_engine(model, 8, is_double, false), *cut = open_engine(model, 8, is_double, true);
        must(engine_step(fused, 4));
        for (int n = 0; n < 4; n++)
            step_by_verbs(cut, 1 + n % 2);
        assert_same_state(fused, cut);
        assert_int_equal(engine_steps(cut), 4);
        engine_close(fused);
        engine_close(cut);
    }
    sheaf_model_free(model);
}

static void verbs_belong_to_coupled_engines(void **state)
{
    (void)state;
    const crowd few = {.strand_count = 3, .vertex_count = 12, .step = 1. / 120};
    const crowd explicit = {
        .strand_count = 3, .vertex_count = 12, .step = 1e-5, .integrator = SHEAF_INTEGRATOR_EXPLICIT};
    sheaf_model *model = crowd_model(&few), *quick = crowd_model(&explicit);
    sheaf_engine *fused = open_engine(model, 8, false, false), *cut = open_engine(model, 8, false, true), *none;
    assert_int_equal(engine_couple(fused, ENGINE_VERB_OPEN, 0), SHEAF_ERR_USAGE);
    assert_int_equal(engine_step(cut, 1), SHEAF_ERR_USAGE);
    const engine_options options = {.lane_width = 8, .is_coupled = true, .step = 1e-5};
    assert_int_equal(der_open_engine(quick, &options, &none), SHEAF_ERR_USAGE);
    engine_close(fused);
    engine_close(cut);
    sheaf_model_free(model);
    sheaf_model_free(quick);
}

// Scenes that are refused must say what they need: all that an engine makes, told before it makes any of it.
static void check_memory(const sheaf_model *model, engine_options options, const char *who)
{
    enum { MEBIBYTE = 1 << 20 };
    sheaf_engine *engine;
    char expected[64];
    must(der_open_engine(model, &options, &engine));
    const engine_memory use = engine_memory_use(engine);
    engine_close(engine);
    assert_int_equal(use.slice_count, 1);
    assert_in_range(use.used - use.needed, 0, 16); // empty buffers are made with a byte
    snprintf(expected, sizeof expected, "and %.1f MiB are needed", (double)use.used / MEBIBYTE);
    options.memory_limit = use.needed - 1;
    assert_int_equal(der_open_engine(model, &options, &engine), SHEAF_ERR_DEVICE);
    if (strstr(sheaf_last_error(), expected) == NULL || strstr(sheaf_last_error(), who) == NULL)
        fail_msg("'%s' is not in: %s", expected, sheaf_last_error());
    options.memory_limit = use.needed;
    must(der_open_engine(model, &options, &engine));
    engine_close(engine);
}

static void what_does_not_fit_is_refused_with_the_memory_needed(void **state)
{
    (void)state;
    const crowd many = {.strand_count = 900, .vertex_count = 24, .is_ragged = true, .step = 1. / 120};
    sheaf_model *model = crowd_model(&many);
    for (int is_double = 0; is_double < 2; is_double++) {
        const engine_options coupled = {.lane_width = 8, .is_double = is_double, .is_coupled = true, .step = 1. / 120};
        const engine_options pushed = {.lane_width = 8, .is_double = is_double, .is_pushed = true, .step = 1. / 120};
        check_memory(model, coupled, "strands that are coupled");
        check_memory(model, pushed, "strands that push each other");
    }
    sheaf_model_free(model);
}

// Strands with joints are given and tell as much again.
static void joints_are_in_the_memory_needed(void **state)
{
    (void)state;
    sheaf_scene *scene;
    sheaf_model *model;
    must(sheaf_scene_parse(hung, strlen(hung), "scene", &scene));
    must(sheaf_model_create(scene, &model));
    const engine_options coupled = {.lane_width = 8, .is_coupled = true, .step = 1. / 120};
    check_memory(model, coupled, "strands that are coupled");
    sheaf_model_free(model);
    sheaf_scene_free(scene);
}

// The program for strands that are pushed, between two steps by nothing, in wind with gusts and on a ball.
static void no_push_gives_the_fused_bits(void **state)
{
    (void)state;
    sheaf_scene *scene;
    sheaf_model *model;
    must(sheaf_scene_parse(windy, strlen(windy), "scene", &scene));
    must(sheaf_model_create(scene, &model));
    for (int is_double = 0; is_double < 2; is_double++) {
        engine_options options = {.lane_width = 8, .is_double = is_double, .step = model->def.step};
        sheaf_engine *fused, *pushed;
        must(der_open_engine(model, &options, &fused));
        options.is_pushed = true;
        must(der_open_engine(model, &options, &pushed));
        must(engine_step(fused, 40));
        must(engine_step(pushed, 40));
        assert_same_state(fused, pushed);
        engine_close(fused);
        engine_close(pushed);
    }
    sheaf_model_free(model);
    sheaf_scene_free(scene);
}

// ---- scenes of rubber rods

typedef struct rod {
    double origin[3], direction[3], length;
    bool is_pinned;
    double force; // N along z, at the tip
} rod;

static sheaf_model *make_rods(const rod *rods, uint32_t count, uint32_t vertices, double step)
{
    sheaf_scene_def def = sheaf_scene_def_default();
    sheaf_material_def rubber = sheaf_material_def_default();
    sheaf_scene *scene;
    sheaf_model *model;
    def.step = step;
    must(sheaf_scene_create(&def, &scene));
    rubber.name = "rubber";
    rubber.density = 1000;
    rubber.young = 1e7;
    rubber.shear = 4e6;
    rubber.radius[0] = rubber.radius[1] = 1e-3;
    must(sheaf_scene_add_material(scene, &rubber, NULL));
    for (uint32_t k = 0; k < count; k++) {
        sheaf_strand_def strand = sheaf_strand_def_default();
        strand.vertex_count = vertices;
        strand.length = rods[k].length;
        vec_copy(strand.origin, rods[k].origin);
        vec_copy(strand.direction, rods[k].direction);
        strand.root = rods[k].is_pinned ? sheaf_end_pinned() : sheaf_end_clamped();
        strand.tip.force[2].value = rods[k].force;
        must(sheaf_scene_add_strand(scene, &strand));
    }
    must(sheaf_model_create(scene, &model));
    sheaf_scene_free(scene);
    return model;
}

static double apart(const sheaf_model *model, double (*a)[3], double (*b)[3])
{
    double worst = 0;
    for (uint64_t i = 0; i < model->vertex_count; i++) {
        double difference[3];
        vec_sub(difference, a[i], b[i]);
        worst = fmax(worst, vec_length(difference));
    }
    return worst;
}

static void a_push_is_a_load(void **state)
{
    (void)state;
    static double loaded[MOST][3], pushed[MOST][3], push[MOST][3];
    const rod with = {.direction = {1}, .length = 0.2, .is_pinned = true, .force = 2e-3};
    rod without = with;
    without.force = 0;
    sheaf_model *models[2] = {make_rods(&with, 1, 16, 1. / 240), make_rods(&without, 1, 16, 1. / 240)};
    sheaf_engine *fused = open_engine(models[0], 8, true, false), *cut = open_engine(models[1], 8, true, true);
    push[15][2] = with.force;
    must(engine_write_push(cut, (const double(*)[3])push));
    for (int n = 0; n < 20; n++)
        step_by_verbs(cut, 1);
    must(engine_step(fused, 20));
    must(der_read(fused, loaded, NULL));
    must(der_read(cut, pushed, NULL));
    assert_true(apart(models[0], loaded, pushed) < 1e-12);
    assert_true(fabs(pushed[15][2]) > 1e-3); // it moved
    engine_close(fused);
    engine_close(cut);
    sheaf_model_free(models[0]);
    sheaf_model_free(models[1]);
}

// ---- two strands that touch at their tips, without friction

static double answer[MOST][3];

static void solve(sheaf_engine *engine, double (*push)[3])
{
    must(engine_write_push(engine, (const double(*)[3])push));
    must(engine_couple(engine, ENGINE_VERB_SUBSTITUTE, 0));
    must(engine_read_answer(engine, answer));
}

static void push_apart(double (*push)[3], const uint64_t tips[2], double force)
{
    push[tips[0]][2] = force;
    push[tips[1]][2] = -force;
}

// The force that closes a gap: the gap is linear in it, and two substitutions tell how.
static double find_force(sheaf_engine *engine, double (*push)[3], const uint64_t tips[2], double gap)
{
    const double trial = 1e-3;
    double gaps[2];
    for (int k = 0; k < 2; k++) {
        push_apart(push, tips, k * trial);
        solve(engine, push);
        gaps[k] = gap + answer[tips[0]][2] - answer[tips[1]][2];
    }
    assert_true(gaps[1] > gaps[0]);
    return gaps[0] < 0 ? -gaps[0] * trial / (gaps[1] - gaps[0]) : 0;
}

// A step in which tip 0 stays above tip 1; returns the force between them, N.
static double step_touching(sheaf_engine *engine, double (*push)[3], const uint64_t tips[2], double start)
{
    double force = 0;
    must(engine_couple(engine, ENGINE_VERB_OPEN, 0));
    must(engine_read_answer(engine, answer));
    for (int k = 0; k < NEWTON; k++) {
        const double gap = start + answer[tips[0]][2] - answer[tips[1]][2];
        must(engine_couple(engine, ENGINE_VERB_LINEARISE, k));
        force = find_force(engine, push, tips, gap);
        push_apart(push, tips, force);
        solve(engine, push);
        must(engine_couple(engine, ENGINE_VERB_ACCEPT, k));
        must(engine_read_answer(engine, answer));
    }
    must(engine_couple(engine, ENGINE_VERB_CLOSE, 0));
    return force;
}

// Two rods across each other, tip over tip: the upper one, which bends farther alone, rests on the lower one.
static void two_strands_touch(void **state)
{
    (void)state;
    static double push[MOST][3], positions[MOST][3], alone[MOST][3];
    enum { VERTICES = 12, STEPS = 240 };
    const rod rods[] = {{.origin = {-0.12, 0, 2e-3}, .direction = {1}, .length = 0.12},
                        {.origin = {0, -0.06, 0}, .direction = {0, 1}, .length = 0.06}};
    const uint64_t tips[2] = {VERTICES - 1, 2 * VERTICES - 1};
    sheaf_model *model = make_rods(rods, 2, VERTICES, 1. / 240);
    sheaf_engine *engine = open_engine(model, 8, true, true), *free = open_engine(model, 8, true, false);
    double lowest = 1, force = 0;
    for (int n = 0; n < STEPS; n++) {
        must(der_read(engine, positions, NULL));
        force = step_touching(engine, push, tips, positions[tips[0]][2] - positions[tips[1]][2]);
        must(der_read(engine, positions, NULL));
        lowest = fmin(lowest, positions[tips[0]][2] - positions[tips[1]][2]);
    }
    must(engine_step(free, STEPS));
    must(der_read(free, alone, NULL));
    printf("  force %.3g N, deepest %.1e m; alone they would be %.3g m through each other\n", force, -lowest,
           alone[tips[1]][2] - alone[tips[0]][2]);
    assert_true(alone[tips[1]][2] - alone[tips[0]][2] > 5e-3);
    assert_true(lowest > -2e-5); // lengths are projected after the solve
    assert_true(force > 0);
    engine_close(engine);
    engine_close(free);
    sheaf_model_free(model);
}

// ---- a weight on a ball joint at the tip

// Solves 3 x 3 equations by elimination; the matrix is positive.
static void solve3(double a[3][3], double b[3])
{
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            if (i == k)
                continue;
            const double share = a[i][k] / a[k][k];
            for (int j = 0; j < 3; j++)
                a[i][j] -= share * a[k][j];
            b[i] -= share * b[k];
        }
    for (int k = 0; k < 3; k++)
        b[k] /= a[k][k];
}

// The force on the tip for which tip and weight go the same way: tip = at0 + W f, weight = target - f h^2 / m (Euler).
static void find_pull(sheaf_engine *engine, double (*push)[3], uint64_t tip, const double moved[3],
                      const double target[3], double compliance, double force[3])
{
    double matrix[3][3], at[3];
    memset(push[tip], 0, sizeof push[tip]);
    solve(engine, push);
    vec_copy(at, answer[tip]);
    for (int c = 0; c < 3; c++) {
        memset(push[tip], 0, sizeof push[tip]);
        push[tip][c] = 1e-2;
        solve(engine, push);
        for (int row = 0; row < 3; row++)
            matrix[row][c] = (answer[tip][row] - at[row]) / 1e-2 + (row == c ? compliance : 0);
        force[c] = target[c] - moved[c] - at[c];
    }
    solve3(matrix, force);
}

// 20 g on a thread of 20 cm: the period of a simple pendulum, by counting when it passes below.
static void a_weight_hangs_on_a_strand(void **state)
{
    (void)state;
    static double push[MOST][3], positions[MOST][3];
    enum { VERTICES = 12 };
    const double mass = 0.02, step = 1. / 2000, length = 0.2, angle = 0.1, gravity = 9.81;
    const rod thread = {.direction = {sin(angle), 0, -cos(angle)}, .length = length, .is_pinned = true};
    const uint64_t tip = VERTICES - 1;
    sheaf_model *model = make_rods(&thread, 1, VERTICES, step);
    sheaf_engine *engine = open_engine(model, 8, true, true);
    double velocity[3] = {0, 0, 0}, force[3], last = 1, crossings[8];
    int count = 0;
    must(der_read(engine, positions, NULL));
    for (int n = 0; n < 4000 && count < 3; n++) {
        double target[3];
        vec_scale(target, velocity, step);
        target[2] -= gravity * step * step;
        must(engine_couple(engine, ENGINE_VERB_OPEN, 0));
        must(engine_read_answer(engine, answer));
        for (int k = 0; k < NEWTON; k++) {
            double moved[3];
            vec_copy(moved, answer[tip]);
            must(engine_couple(engine, ENGINE_VERB_LINEARISE, k));
            find_pull(engine, push, tip, moved, target, step * step / mass, force);
            vec_copy(push[tip], force);
            solve(engine, push);
            must(engine_couple(engine, ENGINE_VERB_ACCEPT, k));
            must(engine_read_answer(engine, answer));
        }
        must(engine_couple(engine, ENGINE_VERB_CLOSE, 0));
        vec_scale(velocity, answer[tip], 1 / step);
        must(der_read(engine, positions, NULL));
        if (positions[tip][0] * last < 0)
            crossings[count++] = (n + 1 - positions[tip][0] / (positions[tip][0] - last)) * step;
        last = positions[tip][0];
    }
    assert_int_equal(count, 3);
    const double expected = 2 * 3.14159265358979 * sqrt(length / gravity) * (1 + angle * angle / 16);
    printf("  period %.4f s, of a simple pendulum %.4f s\n", crossings[2] - crossings[0], expected);
    assert_true(fabs((crossings[2] - crossings[0]) / expected - 1) < 0.01);
    engine_close(engine);
    sheaf_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_push_is_a_fused_step),
        cmocka_unit_test(verbs_belong_to_coupled_engines),
        cmocka_unit_test(a_push_is_a_load),
        cmocka_unit_test(two_strands_touch),
        cmocka_unit_test(a_weight_hangs_on_a_strand),
        cmocka_unit_test(no_push_gives_the_fused_bits),
        cmocka_unit_test(what_does_not_fit_is_refused_with_the_memory_needed),
        cmocka_unit_test(joints_are_in_the_memory_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
