// test_guard: a strand whose numbers go bad is named, put back and frozen, and its neighbours never notice.
#include "der/ref/ref.h"

#include <string.h>

#include "base/vec.h"

#include "unit.h"

enum { STRANDS = 3, VERTICES = 12, STEPS = 20 };

static sheaf_model *make_model(sheaf_integrator integrator)
{
    sheaf_scene_def def = sheaf_scene_def_default();
    const sheaf_material_def material = sheaf_material_def_default();
    sheaf_scene *scene;
    sheaf_model *model;
    def.integrator = integrator;
    assert_int_equal(sheaf_scene_create(&def, &scene), SHEAF_OK);
    assert_int_equal(sheaf_scene_add_material(scene, &material, NULL), SHEAF_OK);
    for (int s = 0; s < STRANDS; s++) {
        sheaf_strand_def strand = sheaf_strand_def_default();
        strand.vertex_count = VERTICES;
        strand.shape = s == 1 ? SHEAF_SHAPE_HELIX : SHEAF_SHAPE_STRAIGHT;
        vec_set(strand.direction, 1, 0.1 * s, 0);
        assert_int_equal(sheaf_scene_add_strand(scene, &strand), SHEAF_OK);
    }
    assert_int_equal(sheaf_model_create(scene, &model), SHEAF_OK);
    sheaf_scene_free(scene);
    return model;
}

// What is put into strand 1 before step 7.
typedef void poke_fn(sheaf_state *state, uint64_t first);

typedef struct run {
    sheaf_state *state;
    uint32_t incidents;
    sheaf_incident incident; // the last one
} run;

static void step_all(run *it, ref_rod *rod, uint64_t step, double h)
{
    for (uint32_t s = 0; s < STRANDS; s++) {
        assert_int_equal(rod_aim(it->state, s, rod), SHEAF_OK);
        if (rod->record->frozen)
            continue;
        assert_int_equal(ref_step(rod, (double)step * h, h), SHEAF_OK);
        if (!ref_guard(rod, &it->incident)) {
            it->incident.strand = s;
            it->incident.step = step;
            it->incidents++;
        }
    }
}

static run run_all(const sheaf_model *model, poke_fn *poke, double h)
{
    run it = {.incidents = 0};
    ref_rod rod;
    assert_int_equal(state_create(model, &it.state), SHEAF_OK);
    assert_int_equal(rod_open(it.state, 0, &rod), SHEAF_OK);
    for (uint32_t s = 0; s < STRANDS; s++) {
        assert_int_equal(rod_aim(it.state, s, &rod), SHEAF_OK);
        assert_int_equal(ref_start(&rod, 0), SHEAF_OK);
    }
    for (uint64_t step = 0; step < STEPS; step++) {
        if (step == 7 && poke)
            poke(it.state, model->first_vertex[1]);
        step_all(&it, &rod, step, h);
    }
    rod_close(&rod);
    return it;
}

static void poke_position(sheaf_state *state, uint64_t first)
{
    state->position[first + 5][1] = NAN;
}

static void poke_velocity(sheaf_state *state, uint64_t first)
{
    state->velocity[first + 8][2] = 1e12;
}

static void poke_twist(sheaf_state *state, uint64_t first)
{
    state->theta[first + 3] = INFINITY;
}

static void poke_tangent(sheaf_state *state, uint64_t first)
{
    state->tangent[first + 4][0] = NAN;
}

static const sheaf_integrator integrators[3] = {SHEAF_INTEGRATOR_BDF2, SHEAF_INTEGRATOR_EULER,
                                                SHEAF_INTEGRATOR_EXPLICIT};
static const double steps[3] = {1.0 / 120, 1.0 / 120, 1e-5};

// All that moves of one strand, compared bit by bit.
static void assert_same_strand(const sheaf_state *a, const sheaf_state *b, uint32_t s)
{
    const uint64_t first = a->model->first_vertex[s];
    assert_memory_equal(a->position + first, b->position + first, VERTICES * sizeof *a->position);
    assert_memory_equal(a->velocity + first, b->velocity + first, VERTICES * sizeof *a->velocity);
    assert_memory_equal(a->theta + first, b->theta + first, (VERTICES - 1) * sizeof *a->theta);
}

static void assert_finite(const sheaf_state *state)
{
    for (uint64_t i = 0; i < state->model->vertex_count; i++)
        for (int c = 0; c < 3; c++) {
            assert_true(isfinite(state->position[i][c]) && isfinite(state->velocity[i][c]));
            assert_true(isfinite(state->tangent[i][c]) && isfinite(state->bishop[i][c]));
            assert_true(isfinite(state->theta[i]) && isfinite(state->displacement[i][c]));
        }
}

static void check(poke_fn *poke, const char *quantity, uint32_t vertex)
{
    for (int k = 0; k < 3; k++) {
        sheaf_model *model = make_model(integrators[k]);
        run healthy = run_all(model, NULL, steps[k]), poked = run_all(model, poke, steps[k]);
        assert_int_equal(healthy.incidents, 0);
        assert_int_equal(poked.incidents, 1);
        assert_int_equal(poked.incident.strand, 1);
        assert_int_equal(poked.incident.step, 7);
        assert_int_equal(poked.incident.vertex, vertex);
        assert_string_equal(poked.incident.quantity, quantity);
        assert_true(!(fabs(poked.incident.value) <= 1e10));
        assert_true(poked.state->strands[1].frozen);
        assert_false(poked.state->strands[0].frozen || poked.state->strands[2].frozen);
        assert_same_strand(healthy.state, poked.state, 0);
        assert_same_strand(healthy.state, poked.state, 2);
        assert_finite(poked.state);
        state_free(healthy.state);
        state_free(poked.state);
        sheaf_model_free(model);
    }
}

static void bad_positions_are_caught(void **state)
{
    (void)state;
    check(poke_position, "position", 5);
}

static void bad_velocities_are_caught(void **state)
{
    (void)state;
    check(poke_velocity, "velocity", 8);
}

static void bad_angles_are_caught(void **state)
{
    (void)state;
    check(poke_twist, "twist", 3);
}

// The frames of the first bad edge are seen only by what they do to the strand.
static void bad_frames_are_caught(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        sheaf_model *model = make_model(integrators[k]);
        run poked = run_all(model, poke_tangent, steps[k]);
        assert_int_equal(poked.incidents, 1);
        assert_int_equal(poked.incident.strand, 1);
        assert_finite(poked.state);
        state_free(poked.state);
        sheaf_model_free(model);
    }
}

// A step far beyond the explicit limit: the strand stays where it was before the step that blew it up.
static void runaway_strands_stop_at_their_last_good_pose(void **state)
{
    sheaf_model *model = make_model(SHEAF_INTEGRATOR_EXPLICIT);
    sheaf_state *made;
    ref_rod rod;
    sheaf_incident incident = {0};
    double before[VERTICES][3], angles[VERTICES - 1];
    uint32_t k = 0;
    (void)state;
    assert_int_equal(state_create(model, &made), SHEAF_OK);
    assert_int_equal(rod_open(made, 1, &rod), SHEAF_OK);
    assert_int_equal(ref_start(&rod, 0), SHEAF_OK);
    for (; k < 10000 && !rod.record->frozen; k++) {
        memcpy(before, rod.x, sizeof before);
        memcpy(angles, rod.theta, sizeof angles);
        assert_int_equal(ref_step(&rod, k * 0.5, 0.5), SHEAF_OK);
        if (!ref_guard(&rod, &incident))
            break;
    }
    assert_true(rod.record->frozen);
    assert_non_null(incident.quantity);
    assert_memory_equal(before, rod.x, sizeof before);
    assert_memory_equal(angles, rod.theta, sizeof angles);
    assert_close(rod.v[5][0], 0, 0);
    assert_int_equal(ref_step(&rod, k * 0.5, 0.5), SHEAF_OK);
    assert_memory_equal(before, rod.x, sizeof before);
    rod_close(&rod);
    state_free(made);
    sheaf_model_free(model);
}

// When even the start is bad the strand goes back to where the model has it, frames included.
static void initial_pose_is_the_last_resort(void **state)
{
    sheaf_model *model = make_model(SHEAF_INTEGRATOR_BDF2);
    run poked = run_all(model, poke_position, 1.0 / 120);
    sheaf_state *fresh;
    const uint64_t first = model->first_vertex[1];
    (void)state;
    assert_int_equal(state_create(model, &fresh), SHEAF_OK);
    for (uint64_t i = first; i < first + VERTICES; i++)
        for (int c = 0; c < 3; c++) {
            assert_close(poked.state->position[i][c], fresh->position[i][c], 0);
            assert_close(poked.state->tangent[i][c], fresh->tangent[i][c], 1e-15);
            assert_close(poked.state->bishop[i][c], fresh->bishop[i][c], 1e-14);
            assert_close(poked.state->theta[i], fresh->theta[i], 1e-14);
        }
    state_free(fresh);
    state_free(poked.state);
    sheaf_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_positions_are_caught),
        cmocka_unit_test(bad_velocities_are_caught),
        cmocka_unit_test(bad_angles_are_caught),
        cmocka_unit_test(bad_frames_are_caught),
        cmocka_unit_test(runaway_strands_stop_at_their_last_good_pose),
        cmocka_unit_test(initial_pose_is_the_last_resort),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
