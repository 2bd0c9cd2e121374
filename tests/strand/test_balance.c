// test_balance: strands that start at rest under gravity stay there, those that would fall are known, and those that
// cannot be balanced are told. labels: device
#include "strand/balance.h"

#include "base/vec.h"
#include "der/ref/ref.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

static void must(sheaf_status status)
{
    if (status != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
}

static const char groom_text[] =
    "sheaf: 1\n"
    "time: { step: 1/120 s }\n"
    "materials:\n"
    "  hair: { density: 1300 kg/m^3, young: 3.5 GPa, shear: 1.3 GPa, radius: [45 um, 35 um] }\n"
    "strands:\n"
    "  - groom: { on: { sphere: { radius: 9 cm } }, count: %u, vertices: %u,\n"
    "             length: { mean: %g cm, spread: 10 %% }, curl: { radius: 6 mm, pitch: 3 cm } }\n"
    "    natural: %s\n";

static sheaf_model *make_model(const char *text)
{
    sheaf_scene *scene;
    sheaf_model *model;
    must(sheaf_scene_parse(text, strlen(text), "test", &scene));
    must(sheaf_model_create(scene, &model));
    sheaf_scene_free(scene);
    return model;
}

static sheaf_model *make_groom(uint32_t count, uint32_t vertices, double length, const char *natural)
{
    char text[1024];
    snprintf(text, sizeof text, groom_text, count, vertices, length, natural);
    return make_model(text);
}

static void forces_are_balanced(void **state)
{
    (void)state;
    sheaf_model *model = make_groom(50, 32, 12, "sag-free");
    sheaf_balance balance;
    must(sheaf_model_balance(model, &balance, NULL, 0));
    assert_int_equal(balance.wanted, 50);
    assert_int_equal(balance.unbalanced, 0);
    print_message("largest residual force %g N, %g of a vertex' weight; %u would fall\n", balance.residual,
                  balance.residual / balance.weight, balance.unstable);
    assert_true(balance.residual < 1e-7 * balance.weight && balance.weight > 0);
    sheaf_model_free(model);
    model = make_groom(5, 32, 12, "shape");
    must(sheaf_model_balance(model, &balance, NULL, 0));
    assert_int_equal(balance.wanted, 0);
    sheaf_model_free(model);
}

// The lowest vibration of the linearised motion tells the same by dense matrices and other coordinates.
static void stability_agrees_with_vibrations(void **state)
{
    (void)state;
    enum { STRANDS = 40, VERTICES = 12 };
    sheaf_model *model = make_groom(STRANDS, VERTICES, 14, "{ form: sag-free, stiffen: off }");
    sheaf_state *moving;
    ref_rod rod;
    balance_block blocks[VERTICES];
    must(state_create(model, &moving));
    must(rod_open(moving, 0, &rod));
    int stable = 0;
    for (uint32_t s = 0; s < STRANDS; s++) {
        double lowest;
        must(rod_aim(moving, s, &rod));
        must(ref_start(&rod, 0));
        must(ref_modes(&rod, 0, 1, &lowest, NULL));
        assert_true(balance_is_stable(model, s, blocks) == (lowest > 0));
        stable += lowest > 0;
    }
    print_message("%d of %d are stable\n", stable, STRANDS);
    assert_true(stable > STRANDS / 10 && stable < STRANDS);
    rod_close(&rod);
    state_free(moving);
    sheaf_model_free(model);
}

// A column of its own weight falls from w L^3 / B = 7.8373 on; half an edge is behind the clamp.
static void columns_fall_when_too_long(void **state)
{
    (void)state;
    const double weight = 1300 * 3.14159265358979323846 * 1e-8 * 9.81;
    const double stiffness = 3.5e9 * 3.14159265358979323846 / 4 * 1e-16, critical = cbrt(7.8373 * stiffness / weight);
    for (int k = 0; k < 2; k++) {
        char text[512];
        snprintf(
            text, sizeof text,
            "sheaf: 1\nmaterials: { m: { density: 1300 kg/m^3, young: 3.5 GPa, shear: 1.3 GPa, radius: 100 um } }\n"
            "strands: [{ shape: { straight: { length: %.9g, vertices: 64, direction: z } }, natural: { form: sag-free, "
            "stiffen: off } }]\n",
            critical * (k ? 1.01 : 0.99));
        sheaf_model *model = make_model(text);
        sheaf_balance balance;
        sheaf_imbalance fallen = {0};
        must(sheaf_model_balance(model, &balance, &fallen, 1));
        assert_int_equal(balance.unstable, k);
        if (k)
            assert_string_equal(fallen.reason, "it would fall");
        sheaf_model_free(model);
    }
}

static void some_cannot_be_balanced(void **state)
{
    (void)state;
    sheaf_model *model = make_model(
        "sheaf: 1\nmaterials: { m: { density: 1300 kg/m^3, young: 3.5 GPa, shear: 1.3 GPa, radius: 100 um } }\n"
        "strands:\n"
        "  - { shape: { straight: { length: 5 cm, direction: x } }, natural: sag-free, root: pin }\n"
        "  - { shape: { straight: { length: 5 cm, direction: x } }, natural: sag-free, tip: pin }\n"
        "  - { shape: { straight: { length: 5 cm, direction: x } }, natural: sag-free, tip: { force: [1e-6 N, 0, 0] } "
        "}\n"
        "  - { shape: { circle: { radius: 5 cm } }, natural: sag-free }\n"
        "  - { shape: { straight: { length: 5 cm, direction: x } }, natural: sag-free }\n");
    const char *const reasons[] = {"its root is not clamped", "its tip is held", "its tip is loaded", "it is closed"};
    sheaf_balance balance;
    sheaf_imbalance list[8];
    must(sheaf_model_balance(model, &balance, list, 8));
    assert_int_equal(balance.wanted, 5);
    assert_int_equal(balance.unbalanced, 4);
    for (uint32_t k = 0; k < 4; k++) {
        assert_int_equal(list[k].strand, k);
        assert_string_equal(list[k].reason, reasons[k]);
    }
    assert_int_equal(sheaf_model_balance(model, NULL, NULL, 0), SHEAF_ERR_USAGE);
    sheaf_model_free(model);
}

// Largest way of a vertex in 2 s, in lengths of its strand, among strands that do not fall.
static double drift(sheaf_model *model, sheaf_backend backend)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_solver *solver;
    sheaf_balance balance;
    sheaf_imbalance *list = calloc(model->strand_count, sizeof *list);
    double(*positions)[3] = calloc(model->vertex_count, sizeof *positions), worst = 0;
    def.backend = backend;
    must(sheaf_model_balance(model, &balance, list, model->strand_count));
    must(sheaf_solver_open(model, &def, &solver));
    must(sheaf_solver_step(solver, 240));
    must(sheaf_solver_read_positions(solver, positions, model->vertex_count));
    uint32_t falling = 0;
    for (uint32_t s = 0; s < model->strand_count; s++) {
        if (falling < balance.unstable && list[falling].strand == s) {
            falling++;
            continue;
        }
        double length = 0, way[3], longest = 0;
        for (uint64_t k = model->first_vertex[s]; k < model->first_vertex[s + 1]; k++) {
            length += model->rest_length[k];
            vec_sub(way, positions[k], model->position[k]);
            longest = fmax(longest, vec_length(way));
        }
        worst = fmax(worst, longest / length);
    }
    print_message("%s: %u of %u would fall, the others move by %.2g of their length\n", sheaf_solver_device(solver),
                  balance.unstable, model->strand_count, worst);
    sheaf_solver_close(solver);
    free(positions);
    free(list);
    return worst;
}

static void balanced_strands_stay(void **state)
{
    (void)state;
    sheaf_model *balanced = make_groom(20, 16, 10, "sag-free"), *sagging = make_groom(20, 16, 10, "shape");
    sheaf_model *many = make_groom(500, 32, 10, "sag-free");
    assert_true(drift(balanced, SHEAF_BACKEND_REFERENCE) < 1e-4);
    assert_true(drift(many, SHEAF_BACKEND_AUTO) < 5e-3);
    assert_true(drift(sagging, SHEAF_BACKEND_REFERENCE) > 0.05);
    sheaf_model_free(balanced);
    sheaf_model_free(sagging);
    sheaf_model_free(many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_balanced),        cmocka_unit_test(stability_agrees_with_vibrations),
        cmocka_unit_test(columns_fall_when_too_long), cmocka_unit_test(some_cannot_be_balanced),
        cmocka_unit_test(balanced_strands_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
