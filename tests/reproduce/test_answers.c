// test_answers: the analytic answers against published figures, so that neither a misprint nor a bug of ours can move
// the mark.
#include "unit.h"

#include "reproduce/answers.h"

static void bent_cantilevers(void **state)
{
    (void)state;
    static const double heavy[3][3] = {{1, 0.991246, 0.123471}, {10, 0.656354, 0.700200}, {100, 0.159223, 0.937524}};
    static const double loaded[2][3] = {{1, 0.943567, 0.301721}, {10, 0.445004, 0.810609}};
    double tip[2];
    for (int k = 0; k < 3; k++) {
        answers_heavy_cantilever(heavy[k][0], tip);
        assert_close(tip[0], heavy[k][1], 1e-6);
        assert_close(tip[1], heavy[k][2], 1e-6);
    }
    for (int k = 0; k < 2; k++) {
        answers_elastica(loaded[k][0], tip);
        assert_close(tip[0], loaded[k][1], 1e-6);
        assert_close(tip[1], loaded[k][2], 1e-6);
    }
    assert_close(answers_discrete_cantilever(10), 0.855, 1e-12);
    assert_close(answers_discrete_cantilever(40), 0.9628125, 1e-12);
}

static void buckling_loads(void **state)
{
    (void)state;
    assert_close(answers_self_weight(), 7.837347, 1e-6);
    assert_close(answers_lateral(), 4.012599, 1e-6);
    assert_close(answers_greenhill(1), 9.13473, 1e-5);
    assert_close(answers_greenhill(10), 10.42886, 1e-5);
    assert_close(answers_greenhill(100), 20.98350, 1e-5);
    assert_close(answers_michell(1, 1.5), 7.255, 1e-3);
}

static void vibrations_and_catenary(void **state)
{
    (void)state;
    assert_close(answers_cantilever_mode(1), 1.875104, 1e-6);
    assert_close(answers_cantilever_mode(2), 4.694091, 1e-6);
    assert_close(answers_cantilever_mode(3), 7.854757, 1e-6);
    assert_close(answers_chain_mode(), 1.202413, 1e-6);
    assert_close(answers_catenary_sag(0.8), 0.265438, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bent_cantilevers),
        cmocka_unit_test(buckling_loads),
        cmocka_unit_test(vibrations_and_catenary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
