// test_stability: critical loads from the second variation of the energy against closed forms and published figures.
#include "reproduce/stability.h"

#include <stdio.h>

#include "reproduce/answers.h"

#include "unit.h"

static void equal_stiffnesses_are_greenhills(void **state)
{
    (void)state;
    for (double tension = 1; tension <= 100; tension *= 10) {
        const double bend[2] = {1, 1};
        assert_close(stability_ribbon(bend, 1.5, tension), answers_greenhill(tension),
                     1e-5 * answers_greenhill(tension));
        assert_close(stability_ribbon(bend, 0.4, tension), answers_greenhill(tension),
                     1e-5 * answers_greenhill(tension));
    }
}

// The same rod, its directors exchanged; and twice the rod.
static void ribbons_know_no_names(void **state)
{
    (void)state;
    const double one[2] = {1, 0.3}, other[2] = {0.3, 1}, twice[2] = {2, 0.6};
    const double moment = stability_ribbon(one, 0.5, 10);
    printf("B2 / B1 = 0.3: M = %.6f\n", moment);
    assert_close(stability_ribbon(other, 0.5, 10), moment, 1e-6 * moment);
    assert_close(stability_ribbon(twice, 1, 20), 2 * moment, 2e-6 * moment);
    assert_true(moment < answers_greenhill(10)); // weaker than the round rod of its greater stiffness
}

static void stiff_strips_are_prandtls(void **state)
{
    (void)state;
    assert_close(stability_lateral(1e6, 1, 0.5), answers_lateral(), 1e-4);
    assert_close(stability_lateral(1e6, 1, 2), answers_lateral(), 1e-4);
}

// Corrections of first order in weak / stiff and twist / stiff are as large as those of a beam in pure bending,
// 1 / sqrt((1 - weak / stiff) (1 - twist / stiff)), within a factor of two, and grow in proportion.
static void soft_strips_hold_longer(void **state)
{
    (void)state;
    const double at_200 = stability_lateral(200, 1, 0.5) / answers_lateral() - 1;
    const double at_400 = stability_lateral(400, 1, 0.5) / answers_lateral() - 1;
    printf("limit above that of an infinitely stiff strip: %.5f at 200, %.5f at 400\n", at_200, at_400);
    assert_close(at_200 / at_400, 2, 0.02);
    assert_true(at_200 > 0.5 * 0.75 / 200 && at_200 < 2 * 0.75 / 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_stiffnesses_are_greenhills),
        cmocka_unit_test(ribbons_know_no_names),
        cmocka_unit_test(stiff_strips_are_prandtls),
        cmocka_unit_test(soft_strips_hold_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
