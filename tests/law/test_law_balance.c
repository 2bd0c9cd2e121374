// test_law_balance: strands of materials with laws that start at rest under gravity stay where they are, and one whose
// law bears no such weight is said to.
#include "base/vec.h"
#include "der/ref/ref.h"
#include "scene/reader.h"
#include "strand/balance.h"

#include <stdio.h>
#include <string.h>

#include "unit.h"

static sheaf_model *model_of(const char *text_of_law, const char *gravity)
{
    char text[1024];
    sheaf_scene *scene;
    sheaf_model *model = NULL;
    scene_diagnostics list = {0};
    snprintf(text, sizeof text,
             "sheaf: 1\ntime: { step: 2 ms, end: 1 s }\ngravity: [0, 0, %s]\nmaterials:\n"
             "  m: { line_mass: 0.1 kg/m, bend: 0.3 N*m^2, twist: 0.2 N*m^2, law: { %s } }\nstrands:\n"
             "  - material: m\n    natural: sag-free\n    root: clamp\n"
             "    shape: { helix: { radius: 10 cm, pitch: 40 cm, length: 1 m, direction: x, vertices: 24 } }\n",
             gravity, text_of_law);
    if (scene_read_text(text, strlen(text), "test", &list, &scene) != SHEAF_OK ||
        sheaf_model_create(scene, &model) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    scene_diagnostics_free(&list);
    sheaf_scene_free(scene);
    return model;
}

// Farthest that a vertex of the rod is from where it was, after some steps.
static double moved(const sheaf_model *model)
{
    sheaf_state *state;
    ref_rod rod;
    double worst = 0;
    assert_int_equal(state_create(model, &state), SHEAF_OK);
    assert_int_equal(rod_open(state, 0, &rod), SHEAF_OK);
    assert_int_equal(ref_start(&rod, 0), SHEAF_OK);
    for (int step = 0; step < 10; step++)
        if (ref_step(&rod, step * model->def.step, model->def.step) != SHEAF_OK)
            fail_msg("%s", sheaf_last_error());
    for (uint32_t i = 0; i < rod.vertex_count; i++) {
        double apart[3];
        vec_sub(apart, rod.x[i], model->position[i]);
        worst = fmax(worst, vec_length(apart));
    }
    rod_close(&rod);
    state_free(state);
    return worst;
}

// Moments are solved for to 1e-11; forces are their differences over edges, of 4 cm, and all sum up at the root: 1e-8
// of the weight. A strand that nothing holds falls by 2 mm in 10 steps of 2 ms; what projection leaves of lengths moves
// one at rest by 1e-6 m.
static void balanced_strands_stay(void **state)
{
    static const char *const laws[] = {
        "bend: \"c*atan(x/c)\", twist: \"c*atan(x/c)\", with: { c: 4 1/m }, range: 20 1/m",
        "bend: [\"max(x,0) + 0.3*min(x,0)\", \"x + 0.05*x^3\"], range: 20 1/m",
        "radial: \"4*tanh(k/4)\", range: 20 1/m",
        "energy: \"0.3/2*(x1^2+x2^2) + 0.2/2*x3^2 + 0.05*x3*x1\", range: 20 1/m",
        "bend: \"x*(1+0.8*s)\"",
    };
    bool wrong = false;
    (void)state;
    for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++) {
        sheaf_model *model = model_of(laws[k], "-9.81");
        assert_false(model->strands[0].overborne);
        const double found = k == 0 ? moved(model) : 0;
        sheaf_balance balance;
        sheaf_imbalance list[1];
        assert_int_equal(sheaf_model_balance(model, &balance, list, 1), SHEAF_OK);
        if (!(balance.residual < 1e-8 * balance.weight) || !(found < 1e-5))
            print_error("%s: moved by %g m, a force of %g of its weight is left\n", laws[k], found,
                        balance.residual / balance.weight),
                wrong = true;
        sheaf_model_free(model);
    }
    assert_false(wrong);
}

// A moment of 0.1 kg/m x 9.81 m/s^2 x 0.5 m^2 or so is more than 0.3 N m^2 x 0.2 1/m.
static void what_a_law_cannot_bear_is_named(void **state)
{
    sheaf_balance found;
    sheaf_imbalance list[1];
    (void)state;
    sheaf_model *model = model_of("bend: \"0.2*tanh(x/0.2)\", range: 20 1/m", "-9.81");
    assert_true(model->strands[0].overborne);
    assert_int_equal(sheaf_model_balance(model, &found, list, 1), SHEAF_OK);
    assert_int_equal(found.unbalanced, 1);
    assert_string_equal(list[0].reason, BALANCE_OVERBORNE);
    sheaf_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balanced_strands_stay),
        cmocka_unit_test(what_a_law_cannot_bear_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
