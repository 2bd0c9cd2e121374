// test_parts: models that keep no arrays over vertices give the same strands, the same steps and the same figures.
// labels: device
#include "base/vec.h"
#include "der/device/device.h"
#include "der/ref/state.h"
#include "solver/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "strand/strand.h"
#include "unit.h"

static const char text[] =
    "sheaf: 1\n"
    "materials: { hair: { density: 1300, young: 3.5e9, shear: 1.3e9, radius: [45e-6, 32e-6] } }\n"
    "motion: { head: { rotate: { axis: z, angle: { ramp: { to: 0.3, over: 0.5, smooth: true } } } } }\n"
    "strands:\n"
    "  - groom: { on: { sphere: { radius: 0.09 } }, count: 130, vertices: 12,\n"
    "             length: { mean: 0.1, spread: 0.1 }, curl: { radius: 0.005, pitch: 0.03 } }\n"
    "    material: hair\n"
    "    root: { clamp: head }\n"
    "  - groom: { on: { sphere: { radius: 0.09 } }, count: 43, vertices: 9, length: 0.1 }\n"
    "    material: hair\n"
    "    root: clamp\n"
    "  - shape: { arc: { vertices: 9, direction: [1, 0, 0], radius: 0.1, length: 0.1 } }\n"
    "    normal: [0, 0, 1]\n"
    "    natural: straight\n"
    "    material: hair\n"
    "    root: pin\n"
    "    tip: pin\n";

static void make_models(sheaf_model **whole, sheaf_model **thin)
{
    sheaf_scene *scene;
    if (sheaf_scene_parse(text, strlen(text), "scene", &scene) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    assert_int_equal(sheaf_model_create(scene, whole), SHEAF_OK);
    assert_int_equal(model_compile(scene, 0, thin), SHEAF_OK);
    sheaf_scene_free(scene);
    assert_true(model_has_arrays(*whole));
    assert_false(model_has_arrays(*thin));
}

// Strand k of `a` is strand s of `b`, in every number.
static void assert_same_strand(const sheaf_model *a, uint32_t k, const sheaf_model *b, uint32_t s)
{
    const uint64_t from = a->first_vertex[k], to = b->first_vertex[s];
    const size_t count = model_vertex_count(a, k);
    assert_int_equal(count, model_vertex_count(b, s));
#define ASSERT_SAME(array) assert_memory_equal(a->array + from, b->array + to, count * sizeof *a->array)
    ASSERT_SAME(position);
    ASSERT_SAME(director);
    ASSERT_SAME(rest_length);
    ASSERT_SAME(mass);
    ASSERT_SAME(bend);
    ASSERT_SAME(twist);
    ASSERT_SAME(natural_curvature);
    ASSERT_SAME(natural_twist);
    ASSERT_SAME(radius);
#undef ASSERT_SAME
    assert_true(a->strands[k].mass == b->strands[s].mass && a->strands[k].stiffness == b->strands[s].stiffness);
    assert_int_equal(a->strands[k].curled, b->strands[s].curled);
    assert_int_equal(a->strands[k].root->hold_position, b->strands[s].root->hold_position);
}

static void parts_hold_the_strands_asked_for(void **fixture)
{
    sheaf_model *whole, *thin, *part;
    const uint32_t wanted[] = {173, 5, 5, 140, 0};
    (void)fixture;
    make_models(&whole, &thin);
    const sheaf_model *const parents[] = {whole, thin};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(model_part(parents[k], wanted, 5, &part), SHEAF_OK);
        assert_int_equal(part->strand_count, 5);
        assert_int_equal(part->vertex_count, 9 + 12 + 12 + 9 + 12);
        for (uint32_t s = 0; s < 5; s++)
            assert_same_strand(part, s, whole, wanted[s]);
        sheaf_model_free(part);
    }
    assert_true(model_bytes(thin) < model_bytes(whole) / 3);
    sheaf_model_free(whole);
    sheaf_model_free(thin);
}

static sheaf_status count_strands(const sheaf_model *part, uint32_t first, void *user)
{
    uint32_t *next = user;
    assert_int_equal(first, *next);
    assert_true(model_has_arrays(part));
    *next += part->strand_count;
    return SHEAF_OK;
}

static void parts_add_up_to_the_model(void **fixture)
{
    sheaf_model *whole, *thin;
    (void)fixture;
    make_models(&whole, &thin);
    uint32_t in_whole = 0, in_thin = 0;
    assert_int_equal(model_for_each_part(whole, count_strands, &in_whole), SHEAF_OK);
    assert_int_equal(model_for_each_part(thin, count_strands, &in_thin), SHEAF_OK);
    assert_int_equal(in_whole, 174);
    assert_int_equal(in_thin, 174);
    assert_true(sheaf_model_explicit_step_limit(whole) == sheaf_model_explicit_step_limit(thin));
    sheaf_model_free(whole);
    sheaf_model_free(thin);
}

// ---- solvers

typedef struct outcome {
    double (*positions)[3], (*velocities)[3];
    sheaf_report start, end;
} outcome;

static outcome run(const sheaf_model *model, sheaf_backend backend, bool is_double)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_solver *solver;
    const size_t size = model->vertex_count * sizeof(double[3]);
    outcome it = {.positions = malloc(size), .velocities = malloc(size)};
    def.backend = backend;
    def.is_double = is_double;
    if (sheaf_solver_open(model, &def, &solver) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    assert_int_equal(sheaf_solver_report(solver, &it.start), SHEAF_OK);
    assert_int_equal(sheaf_solver_step(solver, 6), SHEAF_OK);
    assert_int_equal(sheaf_solver_report(solver, &it.end), SHEAF_OK);
    assert_int_equal(sheaf_solver_read_positions(solver, it.positions, model->vertex_count), SHEAF_OK);
    assert_int_equal(sheaf_solver_read_velocities(solver, it.velocities, model->vertex_count), SHEAF_OK);
    sheaf_solver_close(solver);
    return it;
}

static void free_outcome(outcome *it)
{
    free(it->positions);
    free(it->velocities);
}

static void steps_are_the_same_bits(void **fixture)
{
    sheaf_model *whole, *thin;
    (void)fixture;
    make_models(&whole, &thin);
    const sheaf_backend backends[] = {SHEAF_BACKEND_DEVICE, SHEAF_BACKEND_REFERENCE};
    for (int k = 0; k < 2; k++) {
        outcome a = run(whole, backends[k], false), b = run(thin, backends[k], false);
        const size_t size = whole->vertex_count * sizeof *a.positions;
        assert_memory_equal(a.positions, b.positions, size);
        assert_memory_equal(a.velocities, b.velocities, size);
        assert_memory_equal(&a.end, &b.end, sizeof a.end);
        free_outcome(&a);
        free_outcome(&b);
    }
    sheaf_model_free(whole);
    sheaf_model_free(thin);
}

static void samples_are_every_so_many_th_strand(void **fixture)
{
    sheaf_model *whole, *thin, *part;
    (void)fixture;
    make_models(&whole, &thin);
    const uint32_t strands[] = {0, 60, 120};
    double all[3000][3], some[36][3];
    assert_int_equal(model_part(thin, strands, 3, &part), SHEAF_OK);
    assert_true(whole->vertex_count <= 3000 && part->vertex_count == 36);
    for (int k = 0; k < 2; k++) {
        sheaf_solver_def def = sheaf_solver_def_default();
        sheaf_solver *solver;
        def.backend = k == 0 ? SHEAF_BACKEND_DEVICE : SHEAF_BACKEND_REFERENCE;
        assert_int_equal(sheaf_solver_open(thin, &def, &solver), SHEAF_OK);
        assert_int_equal(sheaf_solver_step(solver, 3), SHEAF_OK);
        assert_int_equal(sheaf_solver_read_positions(solver, all, 3000), SHEAF_OK);
        assert_int_equal(solver_read_sample(solver, 60, part->first_vertex, some), SHEAF_OK);
        for (int s = 0; s < 3; s++)
            assert_memory_equal(some[12 * s], all[thin->first_vertex[strands[s]]], 12 * sizeof *some);
        sheaf_solver_close(solver);
    }
    sheaf_model_free(part);
    sheaf_model_free(whole);
    sheaf_model_free(thin);
}

static void assert_near(double got, double wanted, double scale, double bar)
{
    if (!(fabs(got - wanted) <= bar * scale))
        fail_msg("%.12g, wanted %.12g", got, wanted);
}

static void assert_like(const sheaf_report *got, const sheaf_report *wanted, double bar)
{
    const double scale = wanted->kinetic + wanted->bending + fabs(wanted->gravitational);
    assert_near(got->kinetic, wanted->kinetic, wanted->kinetic + 1e-30, bar);
    assert_near(got->bending, wanted->bending, wanted->bending + 1e-30, bar);
    assert_near(got->twisting, wanted->twisting, wanted->bending,
                bar); // small, and its frames follow in two iterations
    assert_near(got->gravitational, wanted->gravitational, scale, bar);
    assert_near(got->mean_newton, wanted->mean_newton, 1, 0.2);
    assert_int_equal(got->frozen_strands, wanted->frozen_strands);
}

// Energies of motion and height, summed up from positions and velocities.
static void assert_adds_up(const outcome *it, const sheaf_model *model, double bar)
{
    double kinetic = 0, gravitational = 0;
    for (uint64_t i = 0; i < model->vertex_count; i++) {
        kinetic += model->mass[i] * vec_dot(it->velocities[i], it->velocities[i]) / 2;
        gravitational -= model->mass[i] * vec_dot(model->def.gravity, it->positions[i]);
    }
    assert_near(it->end.kinetic, kinetic, kinetic, bar);
    assert_near(it->end.gravitational, gravitational, fabs(gravitational), bar);
}

// Energies from the device are those of the reference on the same motion.
static void figures_are_those_of_the_reference(void **fixture)
{
    sheaf_model *whole, *thin;
    (void)fixture;
    make_models(&whole, &thin);
    outcome reference = run(whole, SHEAF_BACKEND_REFERENCE, false);
    for (int is_double = 0; is_double < 2; is_double++) {
        outcome device = run(whole, SHEAF_BACKEND_DEVICE, is_double);
        assert_like(&device.start, &reference.start, is_double ? 1e-9 : 2e-6);
        assert_like(&device.end, &reference.end, 2e-3); // clamps are fast at other times inside a step
        assert_adds_up(&device, whole, is_double ? 1e-12 : 1e-6);
        assert_true(device.end.worst_strain < 1e-4);
        assert_true(device.end.twist_residual < 0.2);
        free_outcome(&device);
    }
    free_outcome(&reference);
    sheaf_model_free(whole);
    sheaf_model_free(thin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_hold_the_strands_asked_for),
        cmocka_unit_test(parts_add_up_to_the_model),
        cmocka_unit_test(steps_are_the_same_bits),
        cmocka_unit_test(samples_are_every_so_many_th_strand),
        cmocka_unit_test(figures_are_those_of_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
