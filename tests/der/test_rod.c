// test_rod: views of strands: what they point to, how their scratch grows, and what happens when memory runs out.
#include "rods.h"

#include "base/vec.h"

#include <stdlib.h>

#include "unit.h"

static sheaf_model *model_of_lengths(const uint32_t *vertices, uint32_t count)
{
    const sheaf_scene_def scene_def = sheaf_scene_def_default();
    const sheaf_material_def material = sheaf_material_def_default();
    sheaf_scene *scene;
    sheaf_model *model;
    assert_int_equal(sheaf_scene_create(&scene_def, &scene), SHEAF_OK);
    assert_int_equal(sheaf_scene_add_material(scene, &material, NULL), SHEAF_OK);
    for (uint32_t s = 0; s < count; s++) {
        sheaf_strand_def strand = sheaf_strand_def_default();
        strand.vertex_count = vertices[s];
        strand.shape = s % 2 ? SHEAF_SHAPE_CIRCLE : SHEAF_SHAPE_STRAIGHT;
        strand.closed = s % 2;
        strand.length = strand.radius = 0.1 * (s + 1);
        strand.root = s % 2 ? sheaf_end_free() : sheaf_end_clamped();
        assert_int_equal(sheaf_scene_add_strand(scene, &strand), SHEAF_OK);
    }
    assert_int_equal(sheaf_model_create(scene, &model), SHEAF_OK);
    sheaf_scene_free(scene);
    return model;
}

static void check_view(const ref_rod *rod, sheaf_state *state, uint32_t index)
{
    const uint64_t first = state->model->first_vertex[index];
    assert_int_equal(rod->vertex_count, model_vertex_count(state->model, index));
    assert_int_equal(rod->edge_count, rod->vertex_count - (rod->closed ? 0 : 1));
    assert_ptr_equal(rod->x, state->position + first);
    assert_ptr_equal(rod->theta, state->theta + first);
    assert_ptr_equal(rod->record, state->strands + index);
    assert_ptr_equal(rod->rest_length, state->model->rest_length + first);
    assert_int_equal(rod->angle_is_held[0], index % 2 == 0);
    assert_int_equal(rod->tangent_is_held[0], index % 2 == 0);
    for (uint32_t j = 0; j < rod->edge_count; j++)
        assert_true(fabs(rod->length[j] / rod->rest_length[j] - 1) <= 1e-12);
}

static void one_rod_views_strand_after_strand(void **fixture)
{
    (void)fixture;
    const uint32_t vertices[] = {4, 12, 3, 40, 7};
    sheaf_model *model = model_of_lengths(vertices, 5);
    sheaf_state *state;
    ref_rod rod;
    assert_int_equal(state_create(model, &state), SHEAF_OK);
    assert_int_equal(rod_open(state, 0, &rod), SHEAF_OK);
    for (uint32_t k = 0; k < 10; k++) {
        assert_int_equal(rod_aim(state, 3 * k % 5, &rod), SHEAF_OK);
        check_view(&rod, state, 3 * k % 5);
        ref_frames(&rod);
        ref_curvature(&rod);
        ref_twist_gradient(&rod);
        ref_bend_twist_forces(&rod);
        rod.imposed[0] = rod.axial_couple[0] = 1;
    }
    rod_close(&rod);
    state_free(state);
    sheaf_model_free(model);
}

// ---- memory that runs out

static int allocations_left = -1; // negative: no limit

static void *scarce_allocate(size_t size, void *user)
{
    (void)user;
    return allocations_left == 0 ? NULL : (allocations_left--, malloc(size));
}

static void *scarce_reallocate(void *memory, size_t size, void *user)
{
    (void)user;
    return allocations_left == 0 ? NULL : (allocations_left--, realloc(memory, size));
}

static void scarce_release(void *memory, void *user)
{
    (void)user;
    free(memory);
}

static void a_rod_without_memory_says_so_and_can_be_closed(void **fixture)
{
    (void)fixture;
    const sheaf_allocator scarce = {scarce_allocate, scarce_reallocate, scarce_release, NULL};
    const uint32_t vertices[] = {4, 12};
    assert_int_equal(sheaf_allocator_set(&scarce), SHEAF_OK);
    sheaf_model *model = model_of_lengths(vertices, 2);
    sheaf_state *state;
    ref_rod rod;
    assert_int_equal(state_create(model, &state), SHEAF_OK);
    allocations_left = 0;
    assert_int_equal(rod_open(state, 0, &rod), SHEAF_ERR_MEMORY);
    rod_close(&rod);
    allocations_left = 1;
    assert_int_equal(rod_open(state, 0, &rod), SHEAF_OK);
    assert_int_equal(rod_aim(state, 1, &rod), SHEAF_ERR_MEMORY);
    assert_int_equal(rod_aim(state, 0, &rod), SHEAF_OK);
    check_view(&rod, state, 0);
    rod_close(&rod);
    state_free(state);
    sheaf_model_free(model);
    assert_int_equal(sheaf_allocator_set(NULL), SHEAF_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_rod_views_strand_after_strand),
        cmocka_unit_test(a_rod_without_memory_says_so_and_can_be_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
