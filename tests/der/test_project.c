// test_project: fast projection on random rods of every kind and pair of end conditions: how fast it converges, that it
// equals the dense solution, what it keeps, and what it does where there is no solution.
#include "rods.h"

#include <lapacke.h>
#include <string.h>

#include "base/vec.h"

#include "unit.h"

enum { MOST = 40 };

// Ways to hold the position and tangent of an end.
typedef enum hold { FREE, PIN, SLIDE, CLAMP, TANGENT, TANGENT_SLIDE, HOLD_COUNT } hold;

static void set_hold(sheaf_end_def *end, hold kind, rods_random *random)
{
    end->hold_position = kind == PIN || kind == SLIDE || kind == CLAMP || kind == TANGENT_SLIDE;
    end->slide = kind == SLIDE || kind == TANGENT_SLIDE;
    end->hold_tangent = kind == CLAMP || kind == TANGENT || kind == TANGENT_SLIDE;
    rods_direction(random, end->slide_axis);
}

typedef struct rod_case {
    sheaf_state *state;
    ref_rod rod;
} rod_case;

// A random rod whose pose has exactly the rest lengths.
static rod_case make_rod(uint64_t seed, uint32_t vertices, bool closed, hold root, hold tip)
{
    const rods_recipe recipe = {.seed = seed,
                                .vertices = vertices,
                                .closed = closed,
                                .uneven = seed % 2,
                                .sharpness = 0.4,
                                .anisotropic = seed % 3 == 0};
    rods_random random = {.seed = seed, .next = 1 << 20};
    rod_case it = {.state = rods_create(&recipe)};
    sheaf_model *model = (sheaf_model *)it.state->model;
    set_hold((sheaf_end_def *)model->strands[0].root, root, &random);
    set_hold((sheaf_end_def *)model->strands[0].tip, tip, &random);
    rods_open(it.state, &recipe, &it.rod);
    memcpy(model->rest_length, it.rod.length, it.rod.edge_count * sizeof(double));
    for (uint32_t i = 0; i < vertices; i++)
        model->mass[i] *= rods_uniform(&random, 0.5, 1);
    memcpy(it.rod.start, it.rod.x, vertices * sizeof *it.rod.x);
    return it;
}

static void free_rod(rod_case *it)
{
    rod_close(&it->rod);
    rods_free(it->state);
}

static double worst_violation(const ref_rod *rod)
{
    double worst = 0;
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        double edge[3];
        vec_sub(edge, rod->x[rod_next_vertex(rod, j)], rod->x[j]);
        worst = fmax(worst, fabs(vec_dot(edge, edge) / (rod->rest_length[j] * rod->rest_length[j]) - 1));
    }
    return worst;
}

// Moves the freedoms at random, from rod->start, by as much as violates lengths by `violation`.
static void violate(ref_rod *rod, uint64_t seed, double violation)
{
    rods_random random = {.seed = seed, .next = 2 << 20};
    ref_freedom freedoms[3 * MOST];
    double step[3 * MOST], scale = rod->rest_length[0];
    const uint32_t count = ref_freedoms(rod, 0, freedoms);
    for (uint32_t k = 0; k < count; k++)
        step[k] = rods_uniform(&random, -1, 1);
    for (int pass = 0; pass < 8; pass++) {
        memcpy(rod->x, rod->start, rod->vertex_count * sizeof *rod->x);
        for (uint32_t k = 0; k < count; k++)
            for (uint32_t i = freedoms[k].first; i <= freedoms[k].second; i++)
                vec_axpy(rod->x[i], scale * step[k], freedoms[k].direction);
        scale *= violation / worst_violation(rod);
    }
}

static const ref_project_options tight = {.iterations = 20, .tolerance = 1e-10};

// Iterations from a violation of 1e-2 to 1e-10, by either kind of gradient.
static void check_convergence(rod_case *it, uint64_t seed, uint32_t *most)
{
    for (int start_gradients = 0; start_gradients < 2; start_gradients++) {
        ref_project_options options = tight;
        ref_project_result result;
        options.start_gradients = start_gradients;
        violate(&it->rod, seed, 1e-2);
        assert_close(worst_violation(&it->rod), 1e-2, 1e-3);
        assert_int_equal(ref_project(&it->rod, 0, &options, &result), SHEAF_OK);
        assert_close(result.violation, 0, 1e-10);
        assert_close(worst_violation(&it->rod), result.violation, 1e-14);
        if (result.iterations > *most)
            *most = result.iterations;
    }
}

static void converges_in_five_steps(void **state)
{
    uint32_t most = 0;
    uint64_t seed = 1;
    (void)state;
    for (int root = 0; root < HOLD_COUNT; root++)
        for (int tip = 0; tip < HOLD_COUNT; tip++)
            for (uint32_t vertices = 6; vertices <= 26; vertices += 2, seed++) {
                rod_case it = make_rod(seed, vertices, false, (hold)root, (hold)tip);
                check_convergence(&it, seed, &most);
                free_rod(&it);
            }
    for (uint32_t vertices = 3; vertices < MOST; vertices++, seed++) {
        rod_case it = make_rod(seed, vertices, true, FREE, FREE);
        check_convergence(&it, seed, &most);
        free_rod(&it);
    }
    assert_in_range(most, 3, 5);
}

// One Newton step by dense matrices: dx = -W G^T (J W G^T)^-1 C, W = P (P^T M P)^-1 P^T.
static void dense_step(const ref_rod *rod, bool start_gradients, double *dx)
{
    enum { N = 3 * MOST };
    static double inverse[N][N], moved[N][MOST], matrix[MOST * MOST], multiplier[MOST];
    static double jacobian[MOST][N], gradient[MOST][N];
    const uint32_t n = 3 * rod->vertex_count, edges = rod->edge_count;
    ref_freedom freedoms[N];
    lapack_int pivot[MOST], active[MOST], count = 0;
    memset(inverse, 0, sizeof inverse);
    memset(moved, 0, sizeof moved);
    memset(jacobian, 0, sizeof jacobian);
    memset(gradient, 0, sizeof gradient);
    const uint32_t freedom_count = ref_freedoms(rod, 0, freedoms);
    for (uint32_t k = 0; k < freedom_count; k++) {
        double column[N] = {0}, mass = 0;
        for (uint32_t i = freedoms[k].first; i <= freedoms[k].second; i++) {
            vec_copy(column + 3 * i, freedoms[k].direction);
            mass += rod->mass[i];
        }
        for (uint32_t r = 0; r < n; r++)
            for (uint32_t c = 0; c < n; c++)
                inverse[r][c] += column[r] * column[c] / mass;
    }
    for (uint32_t j = 0; j < edges; j++) {
        const uint32_t next = rod_next_vertex(rod, j);
        double(*at)[3] = start_gradients ? rod->start : rod->x, norm = 0;
        for (uint32_t c = 0; c < 3; c++) {
            jacobian[count][3 * j + c] = -2 * (rod->x[next][c] - rod->x[j][c]);
            jacobian[count][3 * next + c] = 2 * (rod->x[next][c] - rod->x[j][c]);
            gradient[count][3 * j + c] = -2 * (at[next][c] - at[j][c]);
            gradient[count][3 * next + c] = 2 * (at[next][c] - at[j][c]);
        }
        for (uint32_t r = 0; r < n; r++) {
            moved[r][count] = 0;
            for (uint32_t c = 0; c < n; c++)
                moved[r][count] += inverse[r][c] * gradient[count][c];
            norm = fmax(norm, fabs(moved[r][count]));
        }
        if (norm < 1e-9 * rod->rest_length[j] / rod->mass[j]) { // nothing can change this edge
            memset(jacobian[count], 0, sizeof jacobian[count]);
            memset(gradient[count], 0, sizeof gradient[count]);
        } else {
            active[count++] = (lapack_int)j;
        }
    }
    for (lapack_int r = 0; r < count; r++) {
        double edge[3];
        const uint32_t j = (uint32_t)active[r];
        vec_sub(edge, rod->x[rod_next_vertex(rod, j)], rod->x[j]);
        multiplier[r] = vec_dot(edge, edge) - rod->rest_length[j] * rod->rest_length[j];
        for (lapack_int c = 0; c < count; c++) {
            matrix[r * count + c] = 0;
            for (uint32_t k = 0; k < n; k++)
                matrix[r * count + c] += jacobian[r][k] * moved[k][c];
        }
    }
    assert_int_equal(LAPACKE_dgesv(LAPACK_ROW_MAJOR, count, 1, matrix, count, pivot, multiplier, 1), 0);
    for (uint32_t r = 0; r < n; r++) {
        dx[r] = 0;
        for (lapack_int c = 0; c < count; c++)
            dx[r] -= moved[r][c] * multiplier[c];
    }
}

static void check_against_dense(rod_case *it, uint64_t seed, bool start_gradients)
{
    const ref_project_options once = {.start_gradients = start_gradients, .iterations = 1};
    ref_project_result result;
    double expected[3 * MOST], before[MOST][3], largest = 0;
    violate(&it->rod, seed, 1e-2);
    dense_step(&it->rod, start_gradients, expected);
    memcpy(before, it->rod.x, it->rod.vertex_count * sizeof *before);
    assert_int_equal(ref_project(&it->rod, 0, &once, &result), SHEAF_OK);
    assert_int_equal(result.iterations, 1);
    for (uint32_t r = 0; r < 3 * it->rod.vertex_count; r++)
        largest = fmax(largest, fabs(expected[r]));
    for (uint32_t i = 0; i < it->rod.vertex_count; i++)
        for (uint32_t c = 0; c < 3; c++)
            assert_close(it->rod.x[i][c] - before[i][c], expected[3 * i + c],
                         1e-9 * largest + 1e-13 * fabs(before[i][c]));
}

static void equals_the_dense_solution(void **state)
{
    uint64_t seed = 500;
    (void)state;
    for (int root = 0; root < HOLD_COUNT; root++)
        for (int tip = 0; tip < HOLD_COUNT; tip++)
            for (uint32_t vertices = 5; vertices <= 15; vertices += 5, seed++) {
                rod_case it = make_rod(seed, vertices, false, (hold)root, (hold)tip);
                check_against_dense(&it, seed, false);
                check_against_dense(&it, seed, true);
                free_rod(&it);
            }
    for (uint32_t vertices = 3; vertices < 20; vertices++, seed++) {
        rod_case it = make_rod(seed, vertices, true, FREE, FREE);
        check_against_dense(&it, seed, false);
        check_against_dense(&it, seed, true);
        free_rod(&it);
    }
}

// What the displacement from x to rod->x carries: sum m dx, and sum m arm x dx, each over the sum of its terms' sizes.
static void carried(const ref_rod *rod, double (*x)[3], double (*arm)[3], double *linear, double *angular)
{
    double momentum[3] = {0}, moment[3] = {0}, size = 0, moment_size = 0;
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        double dx[3], cross[3];
        vec_sub(dx, rod->x[i], x[i]);
        vec_cross(cross, arm[i], dx);
        vec_axpy(momentum, rod->mass[i], dx);
        vec_axpy(moment, rod->mass[i], cross);
        size += rod->mass[i] * vec_length(dx);
        moment_size += rod->mass[i] * vec_length(dx) * vec_length(arm[i]);
    }
    *linear = vec_length(momentum) / size;
    *angular = vec_length(moment) / moment_size;
}

// Impulses act along edges: none is left over, and none has a moment about the pose the gradients are taken at.
static void keeps_momentum_of_free_rods(void **state)
{
    (void)state;
    for (uint64_t seed = 900; seed < 960; seed++) {
        rod_case it = make_rod(seed, 4 + (uint32_t)seed % 30, seed % 2, FREE, FREE);
        const ref_project_options once = {.iterations = 1};
        ref_project_options many = tight;
        ref_project_result result;
        double before[MOST][3], linear, angular;
        violate(&it.rod, seed, 1e-2);
        memcpy(before, it.rod.x, it.rod.vertex_count * sizeof *before);
        assert_int_equal(ref_project(&it.rod, 0, &once, &result), SHEAF_OK);
        carried(&it.rod, before, before, &linear, &angular);
        assert_close(linear, 0, 1e-11);
        assert_close(angular, 0, 1e-11);

        many.start_gradients = true;
        memcpy(it.rod.x, before, it.rod.vertex_count * sizeof *before);
        assert_int_equal(ref_project(&it.rod, 0, &many, &result), SHEAF_OK);
        carried(&it.rod, before, it.rod.start, &linear, &angular);
        assert_close(linear, 0, 1e-11);
        assert_close(angular, 0, 1e-11);
        free_rod(&it);
    }
}

static void held_parts_stay(void **state)
{
    uint64_t seed = 1200;
    (void)state;
    for (int root = 0; root < HOLD_COUNT; root++, seed++) {
        rod_case it = make_rod(seed, 12, false, (hold)root, FREE);
        const sheaf_end_def *end = it.rod.strand->root;
        ref_project_result result;
        double before[2][3], edge_before[3], edge[3], moved[3], across[3];
        violate(&it.rod, seed, 1e-2);
        memcpy(before, it.rod.x, sizeof before);
        assert_int_equal(ref_project(&it.rod, 0, &tight, &result), SHEAF_OK);
        vec_sub(moved, it.rod.x[0], before[0]);
        vec_sub(edge, it.rod.x[1], it.rod.x[0]);
        vec_sub(edge_before, before[1], before[0]);
        vec_cross(across, moved, end->slide_axis);
        if (end->hold_position && !end->slide)
            assert_close(vec_length(moved), 0, 0);
        if (end->slide)
            assert_close(vec_length(across), 0, 1e-15 * vec_length(it.rod.x[0]) + 1e-12 * vec_length(moved));
        for (int c = 0; c < 3 && end->hold_tangent; c++)
            assert_close(edge[c], edge_before[c], 1e-14 * (vec_length(edge) + vec_length(it.rod.x[1])));
        free_rod(&it);
    }
}

static void straighten(rod_case *it, double stretch)
{
    for (uint32_t i = 1; i < it->rod.vertex_count; i++)
        vec_set(it->rod.x[i], it->rod.x[i - 1][0] + (1 + stretch) * it->rod.rest_length[i - 1], it->rod.x[0][1],
                it->rod.x[0][2]);
    memcpy(it->rod.start, it->rod.x, it->rod.vertex_count * sizeof *it->rod.x);
}

// Pulled longer than it is, a straight strand can only stretch: evenly, and as the result says.
static void too_far_apart_strains_evenly(void **state)
{
    (void)state;
    for (uint64_t seed = 1300; seed < 1320; seed++) {
        rod_case it = make_rod(seed, 20, false, PIN, PIN);
        const uint32_t last = it.rod.vertex_count - 1;
        ref_project_options options = {.iterations = 50, .tolerance = 1e-10, .rate = 57600};
        ref_project_result result;
        straighten(&it, 5e-4);
        for (uint32_t i = 1; i < last; i++)
            it.rod.x[i][0] += 0.01 * it.rod.rest_length[i] * sin(i);
        const double reach = it.rod.x[last][0] - it.rod.x[0][0], even = 1.0005 * 1.0005 - 1;
        options.start_gradients = seed % 3 == 0;
        assert_int_equal(ref_project(&it.rod, 0, &options, &result), SHEAF_OK);
        // multipliers that pull along edges of changing length add up to tensions only roughly
        assert_close(result.violation, even, options.start_gradients ? 1e-7 : 5e-5);
        assert_close(it.rod.x[last][0] - it.rod.x[0][0], reach, 0);
        for (uint32_t i = 0; i <= last; i++)
            assert_close(it.rod.x[i][1], it.rod.x[0][1], 1e-9 * reach);
        free_rod(&it);
    }
}

// The same with some slack to the side: it must not be thrown about for a length that cannot be had.
static void too_far_apart_and_crooked_stays_put(void **state)
{
    (void)state;
    for (double sag = 1e-5; sag < 0.2; sag *= 10)
        for (double stretch = 1e-4; stretch < 0.02; stretch *= 10)
            for (int start_gradients = 0; start_gradients < 2; start_gradients++) {
                rod_case it = make_rod(1400, 24, false, PIN, PIN);
                const ref_project_options options = {
                    .start_gradients = start_gradients, .iterations = 50, .tolerance = 1e-10, .rate = 57600};
                ref_project_result result;
                straighten(&it, stretch);
                for (uint32_t i = 1; i + 1 < it.rod.vertex_count; i++)
                    it.rod.x[i][2] += sag * it.rod.rest_length[i] * (1 + 0.5 * sin(7 * i));
                memcpy(it.rod.start, it.rod.x, it.rod.vertex_count * sizeof *it.rod.x);
                const double violation = worst_violation(&it.rod);
                assert_int_equal(ref_project(&it.rod, 0, &options, &result), SHEAF_OK);
                assert_true(result.violation <= 5 * fmax(violation, 2 * stretch));
                for (uint32_t i = 0; i < it.rod.vertex_count; i++)
                    assert_close(it.rod.x[i][2] - it.rod.x[0][2], 0, (10 * sag + 0.1) * it.rod.rest_length[i % 23]);
                free_rod(&it);
            }
}

static void singular_without_compliance_gives_up(void **state)
{
    rod_case it = make_rod(7, 9, false, PIN, PIN);
    ref_project_result result;
    (void)state;
    straighten(&it, 1e-3);
    assert_int_equal(ref_project(&it.rod, 0, &tight, &result), SHEAF_OK);
    assert_true(isfinite(result.violation) && result.violation > 1e-4);
    for (uint32_t i = 0; i < 9; i++)
        assert_true(isfinite(it.rod.x[i][0]) && fabs(it.rod.x[i][1] - it.rod.x[0][1]) < it.rod.rest_length[0]);
    free_rod(&it);
}

static void counts_follow_the_options(void **state)
{
    rod_case it = make_rod(11, 16, false, CLAMP, FREE);
    ref_project_options options = {.iterations = 9, .least = 2, .tolerance = 0.05};
    ref_project_result result;
    (void)state;
    violate(&it.rod, 11, 1e-2);
    assert_int_equal(ref_project(&it.rod, 0, &options, &result), SHEAF_OK);
    assert_int_equal(result.iterations, 2);
    options.least = 0;
    violate(&it.rod, 11, 1e-2);
    assert_int_equal(ref_project(&it.rod, 0, &options, &result), SHEAF_OK);
    assert_int_equal(result.iterations, 0);
    it.rod.x[5][1] = NAN;
    assert_int_equal(ref_project(&it.rod, 0, &tight, &result), SHEAF_OK);
    assert_true(isnan(result.violation));
    assert_int_equal(result.iterations, 0);
    free_rod(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(converges_in_five_steps),
        cmocka_unit_test(equals_the_dense_solution),
        cmocka_unit_test(keeps_momentum_of_free_rods),
        cmocka_unit_test(held_parts_stay),
        cmocka_unit_test(too_far_apart_strains_evenly),
        cmocka_unit_test(too_far_apart_and_crooked_stays_put),
        cmocka_unit_test(singular_without_compliance_gives_up),
        cmocka_unit_test(counts_follow_the_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
