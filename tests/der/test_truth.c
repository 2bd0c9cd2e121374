// test_truth: what truth finds solves the step: forces balance as the stepping reference's own formulas have them,
// which truth shares nothing with; lengths are kept; contact obeys its three conditions and Coulomb's cone; and
// derivatives are those of finite differences.
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "der/ref/truth.h"
#include "der/ref/truth_strain.h"
#include "der/verify/wild.h"
#include "rods.h"
#include "unit.h"

enum { MOST = WILD_VERTEX_MOST, SCENES = 12 };

// ---- derivatives

static void move_variable(truth_edge edges[2], int which, double by)
{
    if (which < TRUTH_TURN_BEFORE) { // an edge, its frame going along by the least turn
        truth_edge *edge = &edges[which / 3];
        double old[3], now[3], carried[3];
        vec_unit(old, edge->vector);
        edge->vector[which % 3] += by;
        vec_unit(now, edge->vector);
        vec_transport(carried, edge->director, old, now);
        vec_copy(edge->director, carried);
    } else {
        truth_edge *edge = &edges[which - TRUTH_TURN_BEFORE];
        double axis[3], turned[3];
        vec_unit(axis, edge->vector);
        vec_rotate(turned, edge->director, axis, by);
        vec_copy(edge->director, turned);
    }
}

static void random_edges(rods_random *random, truth_edge edges[2])
{
    for (int k = 0; k < 2; k++) {
        double across[3];
        rods_direction(random, edges[k].vector);
        vec_normal(across, edges[k].vector);
        vec_rotate(edges[k].director, across, edges[k].vector, rods_uniform(random, -3, 3));
        vec_scale(edges[k].vector, edges[k].vector, rods_uniform(random, 0.5, 2));
    }
}

// First derivatives by central differences of values, to 1e-8; second ones where moving back and forth through both
// variables in a straight line is what the jets mean, by differences of values along pairs, to 1e-5.
static void derivatives_are_those_of_differences(void **state)
{
    (void)state;
    rods_random random = {.seed = 3};
    const double h = 1e-5;
    for (int trial = 0; trial < 50; trial++) {
        truth_edge edges[2];
        truth_jet here[5], ahead[5], behind[5];
        do
            random_edges(&random, edges);
        while (vec_dot(edges[0].vector, edges[1].vector) <
               -0.7 * vec_length(edges[0].vector) * vec_length(edges[1].vector));
        truth_strains(&edges[0], &edges[1], 0, here);
        for (int v = 0; v < TRUTH_VARIABLES; v++) {
            truth_edge more[2] = {edges[0], edges[1]}, less[2] = {edges[0], edges[1]};
            move_variable(more, v, h);
            move_variable(less, v, -h);
            truth_strains(&more[0], &more[1], here[4].value, ahead);
            truth_strains(&less[0], &less[1], here[4].value, behind);
            for (int a = 0; a < 5; a++) {
                const double scale = 10 + fabs(here[a].value) * 10;
                assert_close(here[a].gradient[v], (ahead[a].value - behind[a].value) / (2 * h), 1e-8 * scale);
                assert_close(here[a].hessian[v][v], (ahead[a].value - 2 * here[a].value + behind[a].value) / (h * h),
                             1e-4 * scale);
            }
            for (int a = 0; a < 5; a++)
                for (int w = 0; w < TRUTH_VARIABLES; w++)
                    assert_close(here[a].hessian[v][w], here[a].hessian[w][v],
                                 1e-10 * (1 + fabs(here[a].hessian[v][w])));
        }
    }
}

// ---- balance

typedef struct solved {
    sheaf_model *model;
    sheaf_state *state;
    ref_rod rod;
    double time, step;
    double x[MOST][3], director[MOST][3], twist[MOST], tension[MOST], press[MOST];
    truth_result result;
} solved;

// A wild strand after as many steps of the reference as its scene takes, and the step after that as truth has it.
static void solve(solved *it, uint32_t scene, uint32_t strand, bool has_colliders)
{
    const wild_options options = {.seed = 5, .scene = scene, .has_colliders = has_colliders, .is_tight = true};
    memset(it, 0, sizeof *it);
    assert_int_equal(wild_create(&options, &it->model), SHEAF_OK);
    assert_int_equal(state_create(it->model, &it->state), SHEAF_OK);
    assert_int_equal(rod_open(it->state, strand, &it->rod), SHEAF_OK);
    it->step = it->model->def.step;
    assert_int_equal(ref_start(&it->rod, 0), SHEAF_OK);
    for (uint32_t n = wild_steps_before(&options); n > 0; n--, it->time += it->step)
        assert_int_equal(ref_step(&it->rod, it->time, it->step), SHEAF_OK);
    const truth_options how = {.bdf2 = it->model->def.integrator == SHEAF_INTEGRATOR_BDF2, .creep = 1e-4};
    it->result = (truth_result){
        .x = it->x, .director = it->director, .twist = it->twist, .tension = it->tension, .press = it->press};
    assert_int_equal(truth_step(&it->rod, it->time, it->step, &how, &it->result), SHEAF_OK);
}

static void forget(solved *it)
{
    rod_close(&it->rod);
    state_free(it->state);
    sheaf_model_free(it->model);
}

// Puts the reference's rod into the pose that truth found, frames and all.
static void take_pose(solved *it)
{
    ref_rod *rod = &it->rod;
    ref_keep_start(rod);
    memcpy(rod->x, it->x, rod->vertex_count * sizeof *rod->x);
    ref_frames(rod);
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        const double turn = vec_angle(rod->bishop[j], it->director[j], rod->tangent[j]);
        const double guess = j > 0 ? rod->theta[j - 1] + it->twist[j] : turn, whole = 2 * 3.14159265358979323846;
        rod->theta[j] = turn + whole * round((guess - turn) / whole);
    }
    ref_curvature(rod);
    ref_twist_gradient(rod);
}

// What is left of all forces but those of contact, and of inertia, at each vertex.
static void add_forces(solved *it)
{
    ref_rod *rod = &it->rod;
    const bool second = it->model->def.integrator == SHEAF_INTEGRATOR_BDF2 && rod->record->has_history;
    const double h = it->step, damping = rod->strand->damping * (second ? 1.5 : 1) / h;
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        for (int c = 0; c < 3; c++) {
            const double u = rod->x[i][c] - rod->start[i][c], u0 = rod->displacement[i][c], v0 = rod->v[i][c];
            const double v = second ? (3 * u - u0) / (2 * h) : u / h;
            const double a = second ? (3 * v - 4 * v0 + rod->last_velocity[i][c]) / (2 * h) : (v - v0) / h;
            rod->force[i][c] = -rod->mass[i] * a + rod->mass[i] * it->model->def.gravity[c] -
                               rod->strand->drag * rod->mass[i] / rod->strand->line_mass * v;
        }
    ref_bend_twist_forces(rod);
    for (uint32_t i = 1; i + 1 < rod->vertex_count && damping > 0; i++) {
        double row[5][3][3], stiffness[5], residual[5];
        ref_elastic_rows(rod, i, row, stiffness, residual);
        for (int a = 0; a < 5; a++) {
            const double strain = a < 4 ? rod->w[i][a / 2][a % 2] : rod->m[i], old = rod->last_strain[i][a];
            const double start = rod->work[5 * i + (uint32_t)a],
                         rate = second ? strain - (4 * start - old) / 3 : strain - start;
            for (uint32_t k = 0; k < 3; k++)
                vec_axpy(rod->force[i - 1 + k], -damping * stiffness[a] * rate, row[a][k]);
        }
    }
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        vec_axpy(rod->force[j], it->tension[j], rod->tangent[j]);
        vec_axpy(rod->force[j + 1], -it->tension[j], rod->tangent[j]);
    }
}

// Strains at the start of the step, which damping counts from, into the rod's scratch.
static void keep_strains(ref_rod *rod)
{
    ref_curvature(rod);
    for (uint32_t i = 1; i + 1 < rod->vertex_count; i++)
        for (uint32_t a = 0; a < 5; a++)
            rod->work[5 * i + a] = a < 4 ? rod->w[i][a / 2][a % 2] : rod->m[i];
}

// In units of what bends a vertex by an edge and what accelerates it by one.
static double force_unit(const solved *it)
{
    const ref_rod *rod = &it->rod;
    const double l = rod->rest_length[1];
    return fmax(rod->bend[1][0], rod->bend[1][1]) / (l * l) + rod->mass[1] * l / (it->step * it->step);
}

static double unbalanced(const solved *it)
{
    const ref_rod *rod = &it->rod;
    ref_freedom freedoms[3 * MOST];
    double worst = 0;
    const uint32_t count = ref_freedoms(rod, it->time + it->step, freedoms);
    for (uint32_t k = 0; k < count; k++) {
        double sum = 0;
        for (uint32_t i = freedoms[k].first; i <= freedoms[k].second; i++)
            sum += vec_dot(freedoms[k].direction, rod->force[i]);
        worst = rods_worse(worst, fabs(sum) / force_unit(it));
    }
    for (uint32_t j = 0; j < rod->edge_count; j++)
        if (!rod->angle_is_held[j])
            worst = rods_worse(worst, fabs(rod->angle_gradient[j]) / (force_unit(it) * rod->rest_length[1]));
    return worst;
}

static double worst_length(const solved *it)
{
    double worst = 0, edge[3];
    for (uint32_t j = 0; j < it->rod.edge_count; j++) {
        vec_sub(edge, it->x[j + 1], it->x[j]);
        worst = rods_worse(worst, fabs(vec_length(edge) / it->rod.rest_length[j] - 1));
    }
    return worst;
}

static void nothing_is_left_of_forces(void **state)
{
    (void)state;
    static solved it;
    uint32_t arrived = 0, path = 0;
    for (uint32_t scene = 0; scene < SCENES; scene++) {
        const uint32_t strand = scene % WILD_STRANDS;
        solve(&it, scene, strand, false);
        arrived += it.result.converged;
        path += it.result.converged && it.result.jumps == 0;
        if (it.result.converged) {
            keep_strains(&it.rod);
            take_pose(&it);
            add_forces(&it);
            const double left = unbalanced(&it), off = worst_length(&it);
            if (!(left < 1e-9 && off < 1e-10))
                fail_msg("scene %u strand %u: %.1e of forces, %.1e of lengths", scene, strand, left, off);
        }
        forget(&it);
    }
    print_message("%u of %u steps solved, %u of them along a path\n", arrived, SCENES, path);
    assert_true(arrived >= SCENES - 1);
}

// ---- contact

static double gap_of(const solved *it, uint32_t i, double normal[3], double *friction)
{
    double least = INFINITY;
    for (uint32_t k = 0; k < it->model->collider_count; k++) {
        const model_collider *collider = &it->model->colliders[k];
        double arm[3], own[3], out[3];
        vec_sub(arm, it->x[i], collider->center);
        for (int c = 0; c < 3; c++)
            own[c] = vec_dot(collider->axes[c], arm);
        const double gap = model_collider_gap(collider, own, out);
        if (!(gap < least))
            continue;
        least = gap;
        *friction = collider->friction;
        vec_set(normal, 0, 0, 0);
        for (int c = 0; c < 3; c++)
            vec_axpy(normal, out[c], collider->axes[c]);
    }
    return least;
}

// Nothing inside, nothing pulled, nothing pressed from afar; what is left of all forces is N along the normal and no
// more than mu N across it, all of it where the vertex slides, and against the slide.
static void check_contact(const solved *it, uint32_t i, uint32_t *touching)
{
    const ref_rod *rod = &it->rod;
    const double unit = force_unit(it), l = rod->rest_length[1];
    double normal[3], across[3], slide[3], friction = 0;
    const double gap = gap_of(it, i, normal, &friction), press = it->press[i];
    assert_true(gap >= -1e-10 * l);
    assert_true(press >= -1e-10 * unit);
    assert_true(fmin(gap / l, press / unit) <= 1e-10);
    *touching += press > 1e-10 * unit;
    vec_scale(across, rod->force[i], -1);
    assert_close(vec_dot(across, normal) / unit, press / unit, 1e-9);
    vec_axpy(across, -vec_dot(across, normal), normal);
    assert_true(vec_length(across) <= friction * press + 1e-9 * unit);
    vec_sub(slide, it->x[i], rod->start[i]);
    vec_axpy(slide, -vec_dot(slide, normal), normal);
    const double length = vec_length(slide);
    if (length <= 1e-4 * it->step || press <= 1e-9 * unit)
        return;
    vec_axpy(across, friction * press / length, slide);
    assert_true(vec_length(across) <= 1e-9 * unit);
}

static bool is_free(const solved *it, uint32_t i)
{
    return ref_contact_is_free(&it->rod, i);
}

static void contact_is_complementary(void **state)
{
    (void)state;
    static solved it;
    uint32_t touching = 0, arrived = 0, count = 0;
    for (uint32_t scene = 0; scene < 2 * SCENES; scene += 2)
        for (uint32_t strand = 0; strand < 2; strand++, count++) {
            solve(&it, scene, strand, true);
            arrived += it.result.converged;
            if (it.result.converged) {
                keep_strains(&it.rod);
                take_pose(&it);
                add_forces(&it);
                for (uint32_t i = 0; i < it.rod.vertex_count; i++)
                    if (is_free(&it, i))
                        check_contact(&it, i, &touching);
            }
            forget(&it);
        }
    print_message("%u of %u steps solved, %u vertices pressed\n", arrived, count, touching);
    assert_true(arrived >= count * 8 / 10);
    assert_true(touching >= 10);
}

// ---- refusals

static void other_strands_are_refused(void **state)
{
    (void)state;
    const rods_recipe recipe = {.seed = 1, .vertices = 8, .closed = true};
    rods_case it;
    double x[8][3];
    truth_result result = {.x = x};
    const truth_options how = {.bdf2 = false};
    rods_set_up(&it, &recipe);
    assert_int_equal(truth_step(&it.rod, 0, 0.01, &how, &result), SHEAF_ERR_USAGE);
    assert_non_null(strstr(sheaf_last_error(), "is closed"));
    rods_tear_down(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_differences),
        cmocka_unit_test(nothing_is_left_of_forces),
        cmocka_unit_test(contact_is_complementary),
        cmocka_unit_test(other_strands_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
