// test_law: texts of laws: values, exact slopes, checks, polynomials, faults with their places.
#include "law/graph.h"
#include "law/law.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "unit.h"

static law_text text_of(const char *bytes)
{
    return (law_text){bytes, strlen(bytes)};
}

static sheaf_status make(law_slot slot, const char *text, double range, law **made, law_fault *fault)
{
    static const law_constant constants[] = {{"c", 4}, {"a", 0.05}, {"b", 3}};
    law_def def = {.constants = constants, .constant_count = 3, .range = range};
    def.texts[slot] = text_of(text);
    return law_create(&def, made, fault);
}

static law *make_sound(law_slot slot, const char *text, double range)
{
    law *made;
    law_fault fault;
    if (make(slot, text, range, &made, &fault) != SHEAF_OK)
        fail_msg("%s: %s", text, fault.message);
    return made;
}

// ---- slopes

static const char *const curves[] = {
    "x",
    "2*x",
    "c*atan(x/c)",
    "x + 0.05*x^3",
    "2*tanh(x/2)",
    "x*exp(-x^2/8)",
    "x/(1+(x/4)^2)",
    "sin(x/8)*8",
    "x + 0.1*sin(x)",
    "tanh(x) + a*x^3",
    "x*(1+0.8*s)",
    "x^3 + x",
    "x*sqrt(1+x^2)",
    "x/sqrt(1+x^2)",
    "log(1+x^2)*x + x",
    "exp(x/9) - 1",
    "exp(x/9) - exp(-x/9)",
    "x*cos(x/20)",
    "max(x,0) + 0.3*min(x,0)",
    "x + abs(x)*x/9",
    "min(x, 2) + 0.1*x - 0*x",
    "x - 0.01*x^3 + 1e-4*x^5",
    "-(-x)",
    "(x^2+1)^0.5 - 1 + 2*x",
    "+x*+1",
    "x*2^-1",
    "(1+x^2)^0.5 - 1 + 2*x",
    "(1+x^2)^1.5*x/30 + x",
    "(2+x^2)^-0.5*x",
    "(1+x^2)^0.3*x",
    "x*(2 - exp(-abs(x)))",
    "step(x)*x + x",
    "atan(x) + atan(x/3)*b",
    "x/2 + x/(3+cos(x/7))",
    "tanh(sin(x/9))*9",
};

// The exact slope against central differences of fourth order, away from kinks.
static void slopes_are_derivatives(void **state)
{
    (void)state;
    assert_true(sizeof curves / sizeof curves[0] >= 30);
    for (size_t k = 0; k < sizeof curves / sizeof curves[0]; k++) {
        law *of = make_sound(LAW_BEND_1, curves[k], 6);
        for (double x = -5.9; x < 6; x += 0.37) {
            double value, slope, unused, f[4];
            const double h = 1e-3, steps[4] = {-2 * h, -h, h, 2 * h};
            law_curve(of, 0, x, 0.5, &value, &slope);
            for (int i = 0; i < 4; i++)
                law_curve(of, 0, x + steps[i], 0.5, &f[i], &unused);
            const double difference = (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h);
            if (fabs(difference - slope) > 1e-8 * (1 + fabs(slope)))
                fail_msg("%s at %g: slope %.12g, differences %.12g", curves[k], x, slope, difference);
        }
        law_release(of);
    }
}

// The derivative that is emitted for devices, symbolic, is that of the numbers that carry derivatives along.
static void symbols_and_duals_agree(void **state)
{
    static law_graph graph;
    static law_expression plain, derived;
    (void)state;
    graph = (law_graph){0};
    const law_ref x = law_variable(&graph, LAW_X), y = law_variable(&graph, LAW_X2);
    const law_op unary[] = {LAW_NEG, LAW_SQRT, LAW_EXP, LAW_LOG, LAW_ATAN, LAW_TANH, LAW_SIN, LAW_COS, LAW_ABS};
    const law_op binary[] = {LAW_ADD, LAW_SUB, LAW_MUL, LAW_DIV, LAW_MIN, LAW_MAX};
    for (size_t u = 0; u < sizeof unary / sizeof unary[0]; u++)
        for (size_t b = 0; b < sizeof binary / sizeof binary[0]; b++) {
            const double at[LAW_VARIABLES] = {0.7, 1.3, 0, 0};
            const law_ref inner = law_make(&graph, LAW_ADD, law_make(&graph, LAW_MUL, x, y), law_number(&graph, 2));
            const law_ref f = law_make(&graph, binary[b], law_make(&graph, unary[u], inner, 0), x);
            assert_true(law_extract(&graph, f, &plain));
            const law_dual dual = law_walk_dual(&plain, at);
            for (int v = 0; v < 2; v++) {
                assert_true(law_extract(&graph, law_derive(&graph, f, v), &derived));
                assert_close(law_walk(&derived, at), dual.first[v], 1e-13);
                assert_true(law_extract(&graph, law_derive(&graph, law_derive(&graph, f, v), v), &derived));
                assert_close(law_walk(&derived, at), dual.second[v == 0 ? 0 : 2], 1e-12);
            }
        }
    assert_false(graph.is_full);
}

// ---- kinds

static void kinds_are_named(void **state)
{
    static const struct {
        const char *text, *name;
    } rows[] = {
        {"x", "linear"},
        {"c*atan(x/c)", "softening"},
        {"x + 0.05*x^3", "hardening"},
        {"x/(1+(x/4)^2)", "non-convex from 4.031 to 12 1/m"},
        {"max(x,0) + 0.3*min(x,0)", "softening, asymmetric, piecewise (slope jumps at 0 1/m)"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        char name[160];
        law *of = make_sound(LAW_BEND_1, rows[k].text, 12);
        law_describe(law_facts_of(of, 0), name, sizeof name);
        assert_string_equal(name, rows[k].name);
        law_release(of);
    }
}

// Beyond its range a law goes on straight.
static void laws_go_on_straight(void **state)
{
    double value, slope, end, end_slope;
    (void)state;
    law *of = make_sound(LAW_BEND_1, "x + 0.05*x^3", 2);
    law_curve(of, 0, 2, 0, &end, &end_slope);
    law_curve(of, 0, 5, 0, &value, &slope);
    assert_close(value, end + 3 * end_slope, 1e-12);
    assert_close(slope, end_slope, 1e-12);
    law_release(of);
}

static void implicit_laws_are_solved(void **state)
{
    (void)state;
    law *of = make_sound(LAW_IMPLICIT, "x - q - a*q^5", 10);
    for (double x = -10; x <= 10; x += 0.5) {
        double q, slope;
        law_curve(of, 2, x, 0, &q, &slope);
        assert_close(q + 0.05 * pow(q, 5), x, 1e-12);
        assert_close(slope, 1 / (1 + 0.25 * pow(q, 4)), 1e-12);
    }
    law_release(of);
}

// Moments are derivatives of the energy, tangents those of the moments; guarded tangents are positive.
static void check_response(const law *of)
{
    const double stiffness[3] = {2, 2, 3}, h = 1e-4;
    for (int k = 0; k < 40; k++) {
        double x[3], before[2], after[2];
        for (int a = 0; a < 3; a++)
            x[a] = 2.9 * sin(3.7 * k + a);
        const law_response at = law_respond(of, x, 0.3, stiffness);
        for (int a = 0; a < 3; a++) {
            double low[3] = {x[0], x[1], x[2]}, high[3] = {x[0], x[1], x[2]};
            low[a] -= h, high[a] += h;
            law_energy(of, low, 0.3, stiffness, before);
            law_energy(of, high, 0.3, stiffness, after);
            assert_close((after[0] + after[1] - before[0] - before[1]) / (2 * h), at.moment[a], 1e-6);
            const law_response less = law_respond(of, low, 0.3, stiffness),
                               more = law_respond(of, high, 0.3, stiffness);
            for (int b = 0; b < 3; b++)
                assert_close((more.moment[b] - less.moment[b]) / (2 * h), at.tangent[b][a], 1e-6);
        }
    }
}

static void responses_have_an_energy(void **state)
{
    static const struct {
        law_slot slot;
        const char *text;
    } rows[] = {
        {LAW_BEND_1, "c*atan(x/c)"},
        {LAW_RADIAL, "c*atan(k/c)"},
        {LAW_ENERGY, "x1^2+x2^2+1.5*x3^2 + 0.2*x1*x3 + 0.01*x1^2*x2^2 + 0.05*x3^4*(1+s)"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        law *of = make_sound(rows[k].slot, rows[k].text, 12);
        check_response(of);
        law_release(of);
    }
}

static void moments_need_an_energy(void **state)
{
    law *made;
    law_fault fault;
    law_def def = {.range = 2};
    (void)state;
    def.texts[LAW_MOMENT_1] = text_of("x1 + 0.3*x2");
    def.texts[LAW_MOMENT_2] = text_of("x2 - 0.3*x1");
    def.texts[LAW_MOMENT_3] = text_of("x3");
    assert_int_equal(law_create(&def, &made, &fault), SHEAF_ERR_INPUT);
    assert_non_null(strstr(fault.message, "no energy"));
    def.texts[LAW_MOMENT_2] = text_of("x2 + 0.3*x1");
    assert_int_equal(law_create(&def, &made, &fault), SHEAF_OK);
    law_release(made);
}

// ---- friction

// Takes a strain from one value to another in even steps; adds the work of z.
static void rub(const law_friction *friction, double from, double to, int steps, double *z, double *work)
{
    for (int k = 0; k < steps; k++) {
        double slope;
        const double before = *z;
        *z = law_rub(friction, before, (to - from) / steps, &slope);
        *work += 0.5 * (before + *z) * (to - from) / steps;
    }
}

// Around loops of amplitude A the peak is limit tanh(A stiffness / limit), and the work of a loop
// 4 limit (A - limit / stiffness tanh(A stiffness / limit)); one step for the whole way ends in the same z.
static void friction_goes_around_its_loop(void **state)
{
    static const struct {
        double stiffness, limit, amplitude, work;
    } rows[] = {{1, 1, 3, 8.01978}, {2, 0.5, 1, 1.500335}, {0.3, 0.2, 0.7, 0.1430366}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        law *made;
        law_fault fault;
        const law_def def = {.range = 5, .friction = {rows[k].stiffness, rows[k].limit}};
        assert_int_equal(law_create(&def, &made, &fault), SHEAF_OK);
        const law_friction friction = law_friction_of(made);
        const double a = rows[k].amplitude, peak = friction.limit * tanh(a * friction.stiffness / friction.limit);
        double z = 0, work = 0, way = 0, other;
        rub(&friction, 0, a, 1, &z, &work);
        for (int loop = 0; loop < 8; loop++) {
            rub(&friction, a, -a, 1, &z, &work);
            rub(&friction, -a, a, 1, &z, &work);
        }
        assert_close(z, peak, 1e-6);
        other = z;
        rub(&friction, a, -a, 4000, &z, &way);
        rub(&friction, a, -a, 1, &other, &work);
        assert_close(z, other, 1e-12);
        rub(&friction, -a, a, 4000, &z, &way);
        assert_close(z, peak, 1e-6);
        assert_close(way, rows[k].work, 2e-6);
        law_release(made);
    }
}

static void friction_slopes_are_derivatives(void **state)
{
    const law_friction friction = {0.7, 0.4};
    (void)state;
    for (double z = -0.35; z < 0.4; z += 0.1)
        for (double change = -0.83; change < 0.9; change += 0.2) {
            double slope, unused;
            law_rub(&friction, z, change, &slope);
            const double more = law_rub(&friction, z, change + 1e-5, &unused),
                         less = law_rub(&friction, z, change - 1e-5, &unused);
            assert_close((more - less) / 2e-5, slope, 1e-8);
        }
}

static void friction_is_of_single_strains(void **state)
{
    law *made;
    law_fault fault;
    law_def def = {.range = 5, .friction = {1, 1}};
    (void)state;
    def.texts[LAW_RADIAL] = text_of("k");
    assert_int_equal(law_create(&def, &made, &fault), SHEAF_ERR_INPUT);
    assert_non_null(strstr(fault.message, "friction"));
}

// ---- polynomials

static const double table_range = 0.6 * 11.10721;

static law *fit(uint32_t order, law_match match, double tolerance)
{
    static const law_constant c = {"c", 4};
    law *made;
    law_fault fault;
    law_def def = {.constants = &c, .constant_count = 1, .range = 12};
    def.texts[LAW_BEND_1] = text_of("c*atan(x/c)");
    def.fit =
        (law_fit){.is_wanted = true, .order = order, .range = table_range, .match = match, .tolerance = tolerance};
    if (law_create(&def, &made, &fault) != SHEAF_OK)
        fail_msg("%s", fault.message);
    return made;
}

static void fits_are_least_squares(void **state)
{
    static const double expected[] = {0, .972446, 0, -.0134296, 0, 1.26222e-4};
    double powers[LAW_MAX_FIT + 1], range;
    uint32_t order;
    (void)state;
    law *of = fit(5, LAW_MATCH_VALUE, 0);
    assert_true(law_polynomial(of, 0, powers, &order, &range));
    assert_int_equal(order, 5);
    for (uint32_t k = 1; k <= 5; k++)
        assert_close(powers[k] / pow(range, k), expected[k], 1e-5 * fabs(expected[k]) + 1e-12);
    law_release(of);
    of = fit(0, LAW_MATCH_VALUE, 0.011);
    assert_true(law_polynomial(of, 0, powers, &order, &range));
    assert_int_equal(order, 5);
    law_release(of);
    of = fit(7, LAW_MATCH_SLOPE, 0);
    assert_close(law_facts_of(of, 0)->slope_at_0, 1, 1e-9);
    law_release(of);
}

// ---- faults

static void faults_have_places(void **state)
{
    static const struct {
        const char *text;
        size_t column; // from 0; SIZE_MAX: the whole text
        const char *word;
    } rows[] = {
        {"x;", 1, "';'"},
        {"#include", 0, "'#'"},
        {"x**3", 1, "'**'"},
        {"2x", 1, "right after"},
        {"x^y", 2, "unknown name 'y'"},
        {"x^x", 2, "must be a number"},
        {"x^40", 2, "-32 to 32"},
        {"1e400", 0, "too large"},
        {"atn(x)", 0, "unknown function 'atn'"},
        {"min(x)", 0, "takes 2"},
        {"x + foo", 4, "unknown name 'foo'"},
        {"(x", 2, "')' is missing"},
        {"x)", 1, "not expected"},
        {"x +", 3, "missing"},
        {"", 0, "empty"},
        {"x/0", 1, "division by zero"},
        {"x/(1-1)", 1, "division by zero"},
        {"x + sqrt(-1)", 4, "no finite"},
        {"c(x)", 1, "not a function"},
        {"atan + x", 0, "argument is missing"},
        {"x \xc3\xa9", 2, "does not belong"},
        {"((((((((((((((((((x))))))))))))))))))", 16, "nested deeper"},
        {"log(x)", 0, "not finite"},
        {"1/x", 0, "not finite"},
        {"x + 1", 0, "at rest"},
        {"-x", 0, "slope at rest"},
        {"x^2", 0, "slope at rest"},
        {"abs(x)", 0, "on one side"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        law *made;
        law_fault fault;
        if (make(LAW_BEND_1, rows[k].text, 5, &made, &fault) != SHEAF_ERR_INPUT)
            fail_msg("'%s' is accepted", rows[k].text);
        assert_null(made);
        if (fault.offset != rows[k].column || strstr(fault.message, rows[k].word) == NULL)
            fail_msg("'%s': %s at %zu", rows[k].text, fault.message, fault.offset);
    }
}

// Texts that are cut, doubled and mixed: each is refused with a place inside of it, or is a law.
static void hostile_texts_are_refused(void **state)
{
    static const char bytes[] = "x+-*/^().,_ 0123456789eE;#\"'\\\n\t{}[]<>=!%&|~`$@abcsinqrt\x01\x7f\xff";
    uint32_t refused = 0;
    (void)state;
    for (uint32_t k = 0; k < 400; k++) {
        char text[640];
        law *made;
        law_fault fault;
        const size_t length = k % 50 == 49 ? 600 : 1 + k % 40;
        for (size_t i = 0; i < length; i++) {
            uint32_t words[4];
            base_random4(7, 3, (uint64_t)k * 1000 + i, words);
            text[i] = bytes[words[0] % (sizeof bytes - 1)];
        }
        law_def def = {.range = 5};
        def.texts[LAW_BEND_1] = (law_text){text, length};
        const sheaf_status status = law_create(&def, &made, &fault);
        law_release(made);
        if (status == SHEAF_OK)
            continue;
        refused++;
        assert_int_equal(status, SHEAF_ERR_INPUT);
        assert_true(fault.offset <= length && fault.message[0] != 0);
    }
    assert_true(refused >= 200);
}

// A number that takes a variable's or a function's name would be ignored without a word.
static void names_that_mean_something_are_refused(void **state)
{
    static const char *const names[] = {"x", "s", "q", "x1", "atan", "step", "a;b", "", "2a"};
    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const law_constant constant = {names[k], 2};
        law *made;
        law_fault fault;
        law_def def = {.constants = &constant, .constant_count = 1, .range = 5};
        def.texts[LAW_BEND_1] = text_of("x");
        assert_int_equal(law_create(&def, &made, &fault), SHEAF_ERR_INPUT);
        assert_non_null(strstr(fault.message, "no name for a number"));
    }
}

static void sizes_are_limited(void **state)
{
    char text[600] = "x";
    law *made;
    law_fault fault;
    (void)state;
    for (int k = 0; k < 65; k++)
        strcat(text, "+x");
    assert_int_equal(make(LAW_BEND_1, text, 5, &made, &fault), SHEAF_ERR_INPUT);
    assert_non_null(strstr(fault.message, "64 operations"));
    memset(text, 'x', 510);
    text[510] = 0;
    assert_int_equal(make(LAW_BEND_1, text, 5, &made, &fault), SHEAF_ERR_INPUT);
    assert_int_equal(fault.offset, LAW_MAX_TEXT);
    const law_def def = {.range = 5, .texts = {[LAW_BEND_1] = {"x\0y", 3}}};
    assert_int_equal(law_create(&def, &made, &fault), SHEAF_ERR_INPUT);
    assert_int_equal(fault.offset, 1);
}

// Nothing of a text gets into what is emitted but its numbers.
static void emitted_text_is_made_of_known_words(void **state)
{
    (void)state;
    law *of = make_sound(LAW_BEND_1, "c*atan(x/c) + 0*sin(x)", 12);
    base_text text = {0};
    assert_int_equal(law_emit(of, 1, &text), SHEAF_OK);
    assert_non_null(strstr(base_text_get(&text), "lane_atan_slope("));
    assert_null(strstr(base_text_get(&text), "sin"));
    assert_null(strpbrk(base_text_get(&text), "#\"'\\"));
    base_text_free(&text);
    law_release(of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_are_derivatives),
        cmocka_unit_test(symbols_and_duals_agree),
        cmocka_unit_test(kinds_are_named),
        cmocka_unit_test(laws_go_on_straight),
        cmocka_unit_test(implicit_laws_are_solved),
        cmocka_unit_test(responses_have_an_energy),
        cmocka_unit_test(moments_need_an_energy),
        cmocka_unit_test(fits_are_least_squares),
        cmocka_unit_test(friction_goes_around_its_loop),
        cmocka_unit_test(friction_slopes_are_derivatives),
        cmocka_unit_test(friction_is_of_single_strains),
        cmocka_unit_test(faults_have_places),
        cmocka_unit_test(hostile_texts_are_refused),
        cmocka_unit_test(sizes_are_limited),
        cmocka_unit_test(names_that_mean_something_are_refused),
        cmocka_unit_test(emitted_text_is_made_of_known_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
