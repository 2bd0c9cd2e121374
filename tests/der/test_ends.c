// test_ends: held positions, tangents and frames on their courses, and the freedoms that are left, for every pair of
// end conditions.
#include "rods.h"
#include "strands.h"

#include <string.h>

#include "base/vec.h"

#include "unit.h"
#include "world/world.h"

enum { MOST = 24 };

static const sheaf_course ramp = {.kind = SHEAF_COURSE_RAMP, .value = 0.7, .duration = 2};
static const sheaf_course sine = {.kind = SHEAF_COURSE_SINE, .value = 0.3, .duration = 0.9};
static const sheaf_course shift = {.kind = SHEAF_COURSE_CONSTANT, .value = -0.2};

// Bits of an end condition.
enum { POSITION = 1, TANGENT = 2, SLIDE = 4, CONDITIONS = 8 };

static bool is_possible(uint32_t condition)
{
    return (condition & POSITION) || !(condition & SLIDE);
}

static void set_end(sheaf_end_def *end, uint32_t condition, int32_t motion)
{
    *end = sheaf_end_free();
    end->hold_position = condition & POSITION;
    end->hold_tangent = condition & TANGENT;
    end->hold_angle = condition & TANGENT;
    end->slide = condition & SLIDE;
    end->motion = motion;
    end->move[0] = ramp;
    end->move[2] = sine;
    end->turn = sine;
    end->twist = ramp;
    vec_set(end->slide_axis, 1, 2, -0.5);
    vec_set(end->turn_axis, 0.2, 1, 3);
}

static strand_def driven(uint32_t vertices, uint32_t root, uint32_t tip)
{
    strand_def def = strand_def_default();
    def.motion.name = "head";
    vec_set(def.motion.anchor, 0.1, -0.2, 0.05);
    vec_set(def.motion.axis, 1, 1, 0.3);
    def.motion.turn = ramp;
    def.motion.move[1] = sine;
    def.motion.move[2] = shift;
    def.strand.shape = SHEAF_SHAPE_HELIX;
    def.strand.vertex_count = vertices;
    def.strand.clamp_mid_edge = false;
    set_end(&def.strand.root, root, 0);
    set_end(&def.strand.tip, tip, -1);
    return def;
}

// Each freedom may be moved without leaving what the ends hold, and there are as many as the conditions leave.
static void check_freedoms(strand *it, uint32_t root, uint32_t tip, double time)
{
    ref_rod *rod = &it->rod;
    ref_freedom freedoms[3 * MOST];
    double placed[MOST][3];
    uint32_t held = 0;
    const uint32_t conditions[2] = {root, tip};
    for (int k = 0; k < 2; k++)
        held += (conditions[k] & SLIDE ? 2u : conditions[k] & POSITION ? 3u : 0u) + (conditions[k] & TANGENT ? 3u : 0u);
    ref_ends(rod, time);
    const uint32_t count = ref_freedoms(rod, time, freedoms);
    assert_int_equal(count, 3 * rod->vertex_count - held);
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t i = freedoms[k].first; i <= freedoms[k].second; i++)
            vec_axpy(rod->x[i], 0.01, freedoms[k].direction);
        memcpy(placed, rod->x, rod->vertex_count * sizeof *placed);
        ref_ends(rod, time);
        for (uint32_t i = 0; i < rod->vertex_count; i++)
            for (int c = 0; c < 3; c++)
                assert_close(rod->x[i][c], placed[i][c], 1e-14);
    }
}

static void freedoms_are_what_the_ends_leave(void **state)
{
    (void)state;
    for (uint32_t vertices = 3; vertices <= 5; vertices++)
        for (uint32_t root = 0; root < CONDITIONS; root++)
            for (uint32_t tip = 0; tip < CONDITIONS; tip++) {
                if (!is_possible(root) || !is_possible(tip) || (vertices < 5 && (root & tip & TANGENT)))
                    continue;
                const strand_def def = driven(vertices, root, tip);
                strand it = strand_open(&def);
                check_freedoms(&it, root, tip, 0.6);
                strand_close(&it);
            }
}

static void inverse_mass_belongs_to_the_freedoms(void **state)
{
    (void)state;
    for (uint32_t root = 0; root < CONDITIONS; root++) {
        if (!is_possible(root))
            continue;
        const strand_def def = driven(6, root, POSITION | TANGENT);
        strand it = strand_open(&def);
        double inverse[6][3][3], expected[6][3][3] = {{{0}}};
        bool rigid[6];
        ref_freedom freedoms[18];
        const uint32_t count = ref_freedoms(&it.rod, 0.4, freedoms);
        ref_inverse_mass(&it.rod, 0.4, inverse, rigid);
        for (uint32_t k = 0; k < count; k++) {
            double mass = 0;
            for (uint32_t i = freedoms[k].first; i <= freedoms[k].second; i++)
                mass += it.rod.mass[i];
            for (uint32_t i = freedoms[k].first; i <= freedoms[k].second; i++)
                for (int r = 0; r < 3; r++)
                    for (int c = 0; c < 3; c++)
                        expected[i][r][c] += freedoms[k].direction[r] * freedoms[k].direction[c] / mass;
        }
        for (uint32_t i = 0; i < 6; i++)
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++)
                    assert_close(inverse[i][r][c], expected[i][r][c], 1e-14 / it.rod.mass[i]);
        assert_int_equal(rigid[0], (root & TANGENT) != 0);
        assert_false(rigid[1] || rigid[2] || rigid[3]);
        assert_true(rigid[4]);
        strand_close(&it);
    }
}

// An edge between two places that are both held has no length to keep.
static void edges_between_held_vertices_are_rigid(void **state)
{
    const strand_def def = driven(3, POSITION | TANGENT, POSITION);
    strand it = strand_open(&def);
    double inverse[3][3][3];
    bool rigid[3];
    (void)state;
    ref_inverse_mass(&it.rod, 0, inverse, rigid);
    assert_true(rigid[0] && rigid[1]);
    strand_close(&it);
}

// Where a point of the initial pose is taken by the motion of driven().
static void by_motion(const strand *it, const double point[3], double time, double out[3])
{
    model_motion_point(&it->model->motions[0], time, point, out);
    out[0] += scene_course(&ramp, time);
    out[2] += scene_course(&sine, time);
}

static void held_positions_are_on_their_course(void **state)
{
    const strand_def def = driven(9, POSITION | TANGENT, POSITION | SLIDE);
    strand it = strand_open(&def);
    ref_rod *rod = &it.rod;
    (void)state;
    for (double time = 0; time < 2.5; time += 0.31) {
        double place[3], edge[3], turned[3], axis[3], off[3], across[3], rail[3];
        ref_ends(rod, time);
        by_motion(&it, it.model->position[0], time, place);
        for (int c = 0; c < 3; c++)
            assert_close(rod->x[0][c], place[c], 1e-15);

        vec_sub(edge, it.model->position[1], it.model->position[0]);
        model_motion_turn(&it.model->motions[0], time, edge, turned);
        vec_unit(axis, rod->strand->root->turn_axis);
        vec_rotate(edge, turned, axis, scene_course(&sine, time));
        for (int c = 0; c < 3; c++)
            assert_close(rod->x[1][c], place[c] + edge[c], 1e-15);

        vec_sub(off, rod->x[8], it.model->position[8]);
        off[0] -= scene_course(&ramp, time);
        off[2] -= scene_course(&sine, time);
        vec_unit(rail, rod->strand->tip->slide_axis);
        vec_cross(across, off, rail);
        assert_close(vec_length(across), 0, 1e-15);
    }
    strand_close(&it);
}

// Held velocities against central differences of held places, over times and conditions.
static void velocities_are_those_of_the_courses(void **state)
{
    (void)state;
    for (uint32_t root = 1; root < CONDITIONS; root++) {
        if (!is_possible(root))
            continue;
        const strand_def def = driven(7, root, 0);
        for (double time = 0.11; time < 3; time += 0.5) {
            const double h = 1e-5;
            double before[2][3], after[2][3];
            strand it = strand_open(&def);
            memset(it.rod.v, 0, 7 * sizeof *it.rod.v);
            ref_ends(&it.rod, time - h);
            memcpy(before, it.rod.x, sizeof before);
            ref_ends(&it.rod, time + h);
            memcpy(after, it.rod.x, sizeof after);
            memset(it.rod.v, 0, 7 * sizeof *it.rod.v);
            ref_ends(&it.rod, time);
            // on a rail that turns, being free along it means another direction before and after
            for (uint32_t i = 0; i < (root & TANGENT ? 2 : 1); i++)
                for (int c = 0; c < 3; c++)
                    assert_close(it.rod.v[i][c], (after[i][c] - before[i][c]) / (2 * h), root & SLIDE ? 2 * h : 1e-8);
            strand_close(&it);
        }
    }
}

// What the ends do not hold they do not touch: place and speed along a rail, mass centre and momentum of a turning
// edge.
static void free_motion_of_held_ends_is_kept(void **state)
{
    const strand_def slide = driven(7, POSITION | SLIDE, 0), turn = driven(7, TANGENT, 0);
    double rail[3], moved[3], centre[3] = {0}, momentum[3] = {0};
    (void)state;
    strand it = strand_open(&slide);
    ref_rod *rod = &it.rod;
    ref_ends(rod, 0.5);
    vec_unit(rail, rod->strand->root->slide_axis);
    model_motion_turn(&it.model->motions[0], 0.5, rail, rail);
    vec_set(rod->x[0], 0.4, 0.5, 0.6);
    vec_set(rod->v[0], 1, 2, 3);
    ref_ends(rod, 0.5);
    vec_set(moved, 0.4, 0.5, 0.6);
    assert_close(vec_dot(rail, rod->x[0]), vec_dot(rail, moved), 1e-15);
    vec_set(moved, 1, 2, 3);
    assert_close(vec_dot(rail, rod->v[0]), vec_dot(rail, moved), 1e-14);
    strand_close(&it);

    it = strand_open(&turn);
    for (uint32_t i = 0; i < 2; i++) {
        vec_set(rod->v[i], 1 + i, 2, -3);
        vec_axpy(centre, -rod->mass[i], rod->x[i]);
        vec_axpy(momentum, -rod->mass[i], rod->v[i]);
    }
    ref_ends(rod, 0.5);
    for (uint32_t i = 0; i < 2; i++) {
        vec_axpy(centre, rod->mass[i], rod->x[i]);
        vec_axpy(momentum, rod->mass[i], rod->v[i]);
    }
    assert_close(vec_length(centre), 0, 1e-15 * rod->mass[0]);
    assert_close(vec_length(momentum), 0, 1e-14 * rod->mass[0]);
    strand_close(&it);
}

static void held_frames_turn_with_their_edges(void **state)
{
    const strand_def def = driven(9, POSITION | TANGENT, 0);
    strand it = strand_open(&def);
    (void)state;
    for (double time = 0; time < 2.5; time += 0.37) {
        double turned[3], axis[3], expected[3];
        ref_ends(&it.rod, time);
        model_motion_turn(&it.model->motions[0], time, it.model->director[0], turned);
        vec_unit(axis, it.rod.strand->root->turn_axis);
        vec_rotate(expected, turned, axis, scene_course(&sine, time));
        for (int c = 0; c < 3; c++)
            assert_close(it.rod.held[0][c], expected[c], 1e-15);
        assert_close(it.rod.imposed[0], scene_course(&ramp, time), 0);
        ref_frames(&it.rod);
        ref_curvature(&it.rod);
        vec_rotate(expected, it.rod.held[0], it.rod.tangent[0], it.rod.imposed[0]);
        for (int c = 0; c < 3; c++)
            assert_close(it.rod.m1[0][c], expected[c], 1e-13);
    }
    strand_close(&it);
}

// Rate of a held frame against its angle's change from a frame carried in time.
static void held_rates_are_those_of_the_frames(void **state)
{
    const sheaf_hold_def hold = {.edge = 4, .twist = sine};
    strand_def def = driven(9, POSITION | TANGENT, 0);
    (void)state;
    def.strand.holds = &hold;
    def.strand.hold_count = 1;
    strand it = strand_open(&def);
    ref_rod *rod = &it.rod;
    for (double time = 0.1; time < 2.5; time += 0.43) {
        const double h = 1e-5;
        const uint32_t edges[3] = {0, 4, 5};
        double carried[3], director[3][3], tangent[3];
        ref_ends(rod, time - h);
        ref_frames(rod);
        ref_curvature(rod);
        vec_copy(carried, rod->m1[0]);
        vec_copy(tangent, rod->tangent[0]);
        const double inner = rod->theta[4];
        ref_ends(rod, time + h);
        ref_frames(rod);
        ref_curvature(rod);
        vec_transport(director[0], carried, tangent, rod->tangent[0]);
        const double turned = vec_angle(director[0], rod->m1[0], rod->tangent[0]);
        ref_ends(rod, time);
        ref_frames(rod);
        assert_close(ref_held_rate(rod, edges[0], time), turned / (2 * h), 1e-7);
        assert_close(ref_held_rate(rod, edges[1], time), scene_course_rate(&sine, time), 1e-15);
        assert_close(ref_held_rate(rod, edges[2], time), 0, 0);
        assert_true(isfinite(inner));
    }
    strand_close(&it);
}

// Ends of a closed rod are void whatever they say.
static void closed_rods_have_no_ends(void **state)
{
    const rods_recipe recipe = {.seed = 3, .vertices = 8, .closed = true, .sharpness = 0.3};
    sheaf_state *made = rods_create(&recipe);
    ref_rod rod;
    ref_freedom freedoms[24];
    double inverse[8][3][3], before[8][3];
    bool rigid[8];
    (void)state;
    *(sheaf_end_def *)made->model->strands[0].root = sheaf_end_clamped();
    rods_open(made, &recipe, &rod);
    memcpy(before, rod.x, sizeof before);
    ref_ends(&rod, 1);
    assert_memory_equal(before, rod.x, sizeof before);
    assert_int_equal(ref_freedoms(&rod, 0, freedoms), 24);
    ref_inverse_mass(&rod, 0, inverse, rigid);
    for (uint32_t i = 0; i < 8; i++) {
        assert_close(inverse[i][0][0], 1 / rod.mass[i], 1e-15 / rod.mass[i]);
        assert_false(rigid[i]);
    }
    rod_close(&rod);
    rods_free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(freedoms_are_what_the_ends_leave),
        cmocka_unit_test(inverse_mass_belongs_to_the_freedoms),
        cmocka_unit_test(edges_between_held_vertices_are_rigid),
        cmocka_unit_test(held_positions_are_on_their_course),
        cmocka_unit_test(velocities_are_those_of_the_courses),
        cmocka_unit_test(free_motion_of_held_ends_is_kept),
        cmocka_unit_test(held_frames_turn_with_their_edges),
        cmocka_unit_test(held_rates_are_those_of_the_frames),
        cmocka_unit_test(closed_rods_have_no_ends),

    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
