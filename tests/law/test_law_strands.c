// test_law_strands: strands whose materials have laws: engine against reference, the same bits in every form, and
// curvatures that are known. labels: device (40 s)
#include "base/base.h"
#include "base/vec.h"
#include "der/device/device.h"
#include "der/ref/ref.h"
#include "scene/reader.h"

#include <stdio.h>
#include <string.h>

#include "unit.h"

enum { STEPS = 30 };

#define HEAD(step, more)                                                                                               \
    "sheaf: 1\ntime: { step: " step ", end: 1 s }\nstep: { newton: 12" more " }\ngravity: [0, 0, 0]\nmaterials:\n"

static const char head[] = HEAD("2 ms", "");
static const char explicit_head[] = HEAD("0.2 ms", ", integrator: explicit");

// One material of each kind of law, and a linear one; the last has friction, which goes without damping, by implicit
// steps.
static const char *const laws[] = {
    "law: { bend: \"c*atan(x/c)\", twist: \"c*atan(x/c)\", with: { c: 4 1/m }, range: 12 1/m }",
    "law: { bend: [\"max(x,0) + 0.3*min(x,0)\", \"x\"] }",
    "law: { radial: \"2*tanh(k/2)\", twist: \"x + 0.05*x^3\", range: 12 1/m }",
    "law: { energy: \"1/2*(x1^2+x2^2) + 1/2*x3^2 + 0.02*x1^4 + 0.2*x3*x1\", range: 12 1/m }",
    "law: { implicit: \"x - q - 0.05*q^5\", range: 10 1/m }",
    "law: { bend: \"x*(1+0.8*s)\" }",
    "law: { bend: \"c*atan(x/c)\", with: { c: 4 1/m }, range: 12 1/m, route: fit }",
    "",
    "law: { bend: \"c*atan(x/c)\", with: { c: 4 1/m }, range: 12 1/m, friction: { stiffness: 0.5, limit: 0.3 1/m } }",
};
enum { LAWS = sizeof laws / sizeof laws[0] };

static sheaf_model *model_of(const char *text)
{
    sheaf_scene *scene;
    sheaf_model *model;
    scene_diagnostics list = {0};
    if (scene_read_text(text, strlen(text), "test", &list, &scene) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    scene_diagnostics_free(&list);
    if (sheaf_model_create(scene, &model) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    sheaf_scene_free(scene);
    return model;
}

// A strand of every `stride`-th material, bent about both axes and twisted by couples. The damped linear one is not
// twisted: its frames settle at once where couples begin, and engine and reference begin on either side of that.
static sheaf_model *some_laws(const char *start, int stride, const char *more)
{
    base_text text = {0};
    base_text_add(&text, "%s", start);
    const int count = start == explicit_head || *more != 0 ? LAWS - 1 : LAWS;
    for (int k = 0; k < count; k += stride)
        base_text_add(&text,
                      "  m%d:\n    line_mass: 0.1 kg/m\n    bend: 1 N*m^2\n    twist: 1 N*m^2\n    drag: 2\n%s    %s\n",
                      k, more, laws[k]);
    base_text_add(&text, "strands:\n");
    for (int k = 0; k < count; k += stride)
        base_text_add(&text,
                      "  - material: m%d\n    shape: { straight: { length: 1 m, direction: x, vertices: 14 } }\n"
                      "    normal: z\n    root: clamp\n    tip: { couple: [%g N*m, %g N*m, 0.8 N*m] }\n",
                      k, *laws[k] != 0 || *more == 0 ? 0.4 : 0, 1.2 - 0.1 * k);
    sheaf_model *model = model_of(base_text_get(&text));
    base_text_free(&text);
    return model;
}

static double (*run(const sheaf_model *model, engine_options options))[3]
{
    sheaf_engine *engine;
    double(*positions)[3] = malloc(2 * model->vertex_count * sizeof *positions);
    assert_non_null(positions);
    options.step = model->def.step;
    if (der_open_engine(model, &options, &engine) != SHEAF_OK || engine_step(engine, STEPS) != SHEAF_OK ||
        der_read(engine, positions, positions + model->vertex_count) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    engine_close(engine);
    return positions;
}

// Forms of the kernels and schedules give the same bits.
static void forms_give_the_same_bits(void **state)
{
    sheaf_model *model = some_laws(head, 4, "");
    double(*first)[3] = run(model, (engine_options){.lane_width = 8});
    const engine_options others[] = {
        {.lane_width = 16}, {.lane_width = 4}, {.lane_width = 1}, {.lane_width = 8, .is_staged = true}};
    (void)state;
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        double(*other)[3] = run(model, others[k]);
        for (uint64_t i = 0; i < 2 * model->vertex_count; i++)
            assert_memory_equal(first[i], other[i], sizeof first[i]);
        free(other);
    }
    free(first);
    sheaf_model_free(model);
}

// Farthest that a vertex of the strand is from where the reference, stepped as far, has it.
static double apart(const sheaf_model *model, sheaf_state *truth, uint32_t s, double (*moved)[3])
{
    ref_rod rod;
    double worst = 0, farthest = 0;
    assert_int_equal(rod_open(truth, s, &rod), SHEAF_OK);
    assert_int_equal(ref_start(&rod, 0), SHEAF_OK);
    for (int step = 0; step < STEPS; step++)
        if (ref_step(&rod, step * model->def.step, model->def.step) != SHEAF_OK)
            fail_msg("%s", sheaf_last_error());
    for (uint32_t i = 0; i < rod.vertex_count; i++) {
        double between[3];
        vec_sub(between, rod.x[i], moved[model->first_vertex[s] + i]);
        worst = fmax(worst, vec_length(between));
        farthest = fmax(farthest, fabs(rod.x[i][1]) + fabs(rod.x[i][2]));
    }
    rod_close(&rod);
    assert_true(farthest > 100 * worst && farthest > 1e-3);
    return worst;
}

// m apart after all steps at most, of a strand of 1 m.
static void hold_against_reference(sheaf_model *model, engine_options options, double bar)
{
    sheaf_state *truth;
    double(*moved)[3] = run(model, options);
    bool wrong = false;
    assert_int_equal(state_create(model, &truth), SHEAF_OK);
    for (uint32_t s = 0; s < model->strand_count; s++) {
        const double worst = apart(model, truth, s, moved);
        if (!(worst < bar))
            print_error("law %u: %.3g m apart\n", s, worst), wrong = true;
    }
    state_free(truth);
    free(moved);
    sheaf_model_free(model);
    assert_false(wrong);
}

static void follow(const char *start, const char *more, engine_options options, double bar)
{
    options.lane_width = 8;
    hold_against_reference(some_laws(start, 1, more), options, bar);
}

// The reference walks the users' texts on numbers with derivatives and solves to convergence; the engine runs what was
// emitted. Both solve the same step.
static void engine_follows_the_reference(void **state)
{
    (void)state;
    follow(head, "    damping: 5 ms\n", (engine_options){.is_double = true}, 1e-6);
}

static void so_in_single_precision(void **state)
{
    (void)state;
    follow(head, "", (engine_options){.is_double = false}, 5e-6);
}

static void so_do_explicit_steps(void **state)
{
    (void)state;
    const engine_options options = {.lane_width = 8, .is_double = true};
    hold_against_reference(some_laws(explicit_head, 3, "    damping: 0.2 ms\n"), options, 1e-7);
}

// ---- friction

// Strands of laws with friction and of a linear one, rocked to and fro about both axes and twisted, through kinks.
static sheaf_model *rocked(void)
{
    static const char *const rubbed[] = {
        "law: { bend: \"c*atan(x/c)\", twist: \"x\", with: { c: 4 1/m }, range: 30 1/m, friction: { stiffness: 1, "
        "limit: "
        "0.1 1/m } }",
        "law: { friction: { stiffness: 0.5, limit: 0.3 1/m } }",
        "",
    };
    base_text text = {0};
    base_text_add(&text, "%s", head);
    for (int k = 0; k < 3; k++)
        base_text_add(&text, "  m%d: { line_mass: 0.1 kg/m, bend: 1 N*m^2, twist: 1 N*m^2, drag: 2, %s }\n", k,
                      rubbed[k]);
    base_text_add(&text, "strands:\n");
    for (int k = 0; k < 3; k++)
        base_text_add(
            &text,
            "  - material: m%d\n    shape: { straight: { length: 1 m, direction: x, vertices: 14 } }\n"
            "    normal: z\n    root: clamp\n    tip: { couple: [{ sine: { amplitude: 0.4 N*m, period: 30 ms } "
            "}, { sine: { amplitude: 1 N*m, period: 20 ms } }, 0.8 N*m] }\n",
            k);
    sheaf_model *model = model_of(base_text_get(&text));
    base_text_free(&text);
    return model;
}

static void friction_follows_the_reference(void **state)
{
    (void)state;
    hold_against_reference(rocked(), (engine_options){.lane_width = 8, .is_double = true}, 1e-6);
}

// Curvature of a straight rod under an end moment M = 1 about the axis of bending: psi^-1(M / B).
static void end_moments_bend_as_known(void **state)
{
    static const struct {
        const char *law, *couple;
        double curvature;
    } rows[] = {
        {"law: { bend: \"4*atan(x/4)\", range: 12 1/m }", "[0, 1 N*m, 0]", 1.021368},
        {"law: { radial: \"4*atan(k/4)\", range: 12 1/m }", "[0, 0.6 N*m, 0.8 N*m]", 1.021368},
        {"law: { implicit: \"x - q - 0.05*q^5\", range: 10 1/m }", "[0, 1 N*m, 0]", 1.05},
        {"law: { bend: [\"x + 0.05*x^2\", \"x\"], range: 5 1/m }", "[0, 0, 1 N*m]", 0.954451},
        {"law: { bend: [\"x + 0.05*x^2\", \"x\"], range: 5 1/m }", "[0, 0, -1 N*m]", 1.055728},
        {"law: { bend: [\"x\", \"x + 0.05*x^2\"], range: 5 1/m }", "[0, -1 N*m, 0]", 0.954451},
        {"law: { energy: \"1/2*(x1^2+x2^2+x3^2) + x1^4/8\", range: 12 1/m }", "[0, 0, 1.5 N*m]", 1},
        {"law: { moments: [\"2*x1\", \"x2\", \"x3\"], range: 12 1/m }", "[0, 0, 1 N*m]", 0.5},
        {"", "[0, 0, 1 N*m]", 1},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        char text[1024];
        sheaf_state *truth;
        ref_rod rod;
        ref_statics_result result;
        const ref_statics_options options = ref_statics_default();
        snprintf(
            text, sizeof text,
            "%s  m:\n    line_mass: 0.1 kg/m\n    bend: 1 N*m^2\n    twist: 1 N*m^2\n    %s\nstrands:\n  - shape: { "
            "straight: { length: 1 m, direction: x, vertices: 33 } }\n    normal: z\n    root: clamp\n    tip: { "
            "couple: %s }\n",
            head, rows[k].law, rows[k].couple);
        sheaf_model *model = model_of(text);
        assert_int_equal(state_create(model, &truth), SHEAF_OK);
        assert_int_equal(rod_open(truth, 0, &rod), SHEAF_OK);
        if (ref_equilibrium(&rod, 0, &options, &result) != SHEAF_OK)
            fail_msg("%s: %s", rows[k].law, sheaf_last_error());
        const double phi = acos(vec_dot(rod.tangent[15], rod.tangent[16])), l = rod.rest_length[15];
        const double found = 2 * tan(phi / 2) / l;
        // dE/dphi = B psi (1 + tan^2(phi/2)): off by that share of a step's angle
        if (!(fabs(found - rows[k].curvature) < 1.3 * rows[k].curvature * pow(tan(phi / 2), 2) + 1e-6))
            fail_msg("%s: curvature %.9g, expected %.9g", rows[k].law, found, rows[k].curvature);
        rod_close(&rod);
        state_free(truth);
        sheaf_model_free(model);
    }
}

// A refused law is refused while the scene is read, with the place of the fault in the file.
static void faults_are_placed_in_the_file(void **state)
{
    char text[1024];
    sheaf_scene *scene;
    scene_diagnostics list = {0};
    (void)state;
    snprintf(text, sizeof text,
             "%s  m: { line_mass: 0.1, bend: 1, twist: 1, law: { bend: \"x + atn(x)\" } }\n"
             "strands:\n  - shape: { straight: { length: 1 m, direction: x, vertices: 9 } }\n",
             head);
    assert_int_equal(scene_read_text(text, strlen(text), "test", &list, &scene), SHEAF_ERR_INPUT);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].line, 6);
    assert_int_equal(list.items[0].column, (uint32_t)(strstr(strstr(text, "  m:"), "atn") - strstr(text, "  m:")) + 1);
    scene_diagnostics_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(end_moments_bend_as_known),      cmocka_unit_test(faults_are_placed_in_the_file),
        cmocka_unit_test(engine_follows_the_reference),   cmocka_unit_test(so_in_single_precision),
        cmocka_unit_test(so_do_explicit_steps),           cmocka_unit_test(forms_give_the_same_bits),
        cmocka_unit_test(friction_follows_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
