// test_notes: what a batch of steps notes on its way is what stopping there would have told, to the last bit.
// labels: device
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/solver.h"
#include "unit.h"
#include "world.h"

enum { STEPS = 37, NOTES = 5 };
static const uint32_t after[NOTES] = {1, 8, 9, 30, 37}; // across launches, and across a jump in step 24

// Hair of two lengths on a head that turns and jumps, a ball in its way, gusts, and strands with general ends.
static sheaf_model *make_model(const char *integrator)
{
    char text[2000];
    snprintf(text, sizeof text,
             "sheaf: 1\ntime: { step: 1/400 s }\nstep: { integrator: %s }\n"
             "materials: { hair: { density: 1300, young: 1 GPa, shear: 0.4 GPa, radius: [60 um, 40 um], "
             "drag: 0.2 mPa*s } }\n"
             "motion: { head: { keyframes: [{ time: 0 }, { time: 0.06, angle: 20 deg }, "
             "{ time: 0.06, move: [3, 0, 0], angle: 20 deg, jump: true }, { time: 0.1, move: [3, 0, 0] }] } }\n"
             "wind: { velocity: [2 m/s, 0, 0], gust: { strength: 60 %%, scale: 0.2 m, seed: 3 } }\n"
             "colliders: [{ sphere: { radius: 8.9 cm, follow: head }, friction: 0.3 }]\n"
             "strands:\n"
             "  - groom: { on: { sphere: { radius: 9 cm } }, count: 70, vertices: 16, length: 10 cm, "
             "curl: { radius: 4 mm, pitch: 30 mm } }\n"
             "    root: { clamp: head }\n"
             "  - groom: { on: { sphere: { radius: 9 cm } }, count: 9, vertices: 9, length: 5 cm, seed: 2 }\n"
             "    root: { clamp: head }\n"
             "  - shape: { arc: { origin: [20 cm, 1 cm, 0], direction: x, normal: y, radius: 4 cm, length: 10 cm, "
             "vertices: 12 } }\n"
             "    root: { pin: head }\n"
             "  - shape: { straight: { origin: [0, 40 cm, 0], direction: x, length: 10 cm, vertices: 12 } }\n",
             integrator);
    return world_model(text);
}

// What is known of a population: figures, and where every third strand is.
typedef struct sight {
    sheaf_report report;
    double (*positions)[3];
} sight;

typedef struct sample {
    uint64_t *first; // [strand + 1]
    uint32_t stride;
} sample;

static sample choose_strands(const sheaf_model *model)
{
    sample it = {calloc(model->strand_count + 1, sizeof *it.first), 3};
    assert_non_null(it.first);
    for (uint32_t s = 0, k = 0; s < model->strand_count; s += it.stride, k++)
        it.first[k + 1] = it.first[k] + model_vertex_count(model, s);
    return it;
}

static double (*make_room(const sheaf_model *model))[3]
{
    double(*positions)[3] = calloc(model->vertex_count, sizeof *positions);
    assert_non_null(positions);
    return positions;
}

static void look(sheaf_solver *solver, const sample *chosen, sight *seen)
{
    assert_int_equal(sheaf_solver_report(solver, &seen->report), SHEAF_OK);
    assert_int_equal(solver_read_sample(solver, chosen->stride, chosen->first, seen->positions), SHEAF_OK);
}

static void recall(sheaf_solver *solver, uint32_t note, const sample *chosen, sight *seen)
{
    assert_int_equal(solver_note_report(solver, note, &seen->report), SHEAF_OK);
    assert_int_equal(solver_note_sample(solver, note, chosen->stride, chosen->first, seen->positions), SHEAF_OK);
}

static void assert_same(const sheaf_model *model, const sight *a, const sight *b)
{
    assert_memory_equal(&a->report, &b->report, sizeof a->report);
    assert_memory_equal(a->positions, b->positions, model->vertex_count * sizeof *a->positions);
}

static void compare(const char *integrator, bool is_double)
{
    sheaf_model *model = make_model(integrator);
    sheaf_solver *stopping = world_open(model, SHEAF_BACKEND_DEVICE, is_double);
    sheaf_solver *noting = world_open(model, SHEAF_BACKEND_DEVICE, is_double);
    sample chosen = choose_strands(model);
    sight stopped = {.positions = make_room(model)}, noted = {.positions = make_room(model)};
    assert_true(solver_notes_most(noting) >= NOTES);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(solver_step_noting(noting, STEPS, after, NOTES, true), SHEAF_OK);
        for (uint32_t k = 0, done = 0; k < NOTES; done = after[k++]) {
            assert_int_equal(sheaf_solver_step(stopping, after[k] - done), SHEAF_OK);
            look(stopping, &chosen, &stopped);
            recall(noting, k, &chosen, &noted);
            assert_same(model, &stopped, &noted);
            assert_true(stopped.report.step == (uint64_t)round * STEPS + after[k] && stopped.report.kinetic > 0);
        }
    }
    look(noting, &chosen, &noted); // the state itself went on, too
    assert_same(model, &stopped, &noted);
    free(stopped.positions);
    free(noted.positions);
    free(chosen.first);
    sheaf_solver_close(stopping);
    sheaf_solver_close(noting);
    sheaf_model_free(model);
}

static void notes_are_what_stopping_tells(void **state)
{
    (void)state;
    compare("bdf2", false);
    compare("explicit", true);
}

// Figures alone cost less; then there is no pose to read.
static void notes_that_do_not_exist_are_refused(void **state)
{
    (void)state;
    static const uint32_t many[SOLVER_NOTES_MOST + 1] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17};
    sheaf_model *model = make_model("bdf2");
    sheaf_solver *solver = world_open(model, SHEAF_BACKEND_DEVICE, false);
    sample chosen = choose_strands(model);
    double(*positions)[3] = make_room(model);
    sheaf_report report;
    assert_int_equal(solver_note_report(solver, 0, &report), SHEAF_ERR_USAGE);
    assert_int_equal(solver_step_noting(solver, 20, many, SOLVER_NOTES_MOST + 1, false), SHEAF_ERR_USAGE);
    assert_int_equal(solver_step_noting(solver, 4, many + 1, 2, false), SHEAF_OK);
    assert_int_equal(solver_note_report(solver, 1, &report), SHEAF_OK);
    assert_int_equal(report.step, 3);
    assert_int_equal(solver_note_report(solver, 2, &report), SHEAF_ERR_USAGE);
    assert_int_equal(solver_note_sample(solver, 0, 3, chosen.first, positions), SHEAF_ERR_USAGE);
    assert_int_equal(solver_steps(solver), 4);
    free(positions);
    free(chosen.first);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

// The reference and single stages stop where something is to be known.
static void others_take_no_notes(void **state)
{
    (void)state;
    sheaf_model *model = make_model("bdf2");
    sheaf_solver *reference = world_open(model, SHEAF_BACKEND_REFERENCE, false), *staged;
    sheaf_solver_def def = sheaf_solver_def_default();
    def.backend = SHEAF_BACKEND_DEVICE;
    assert_int_equal(solver_open_staged(model, &def, &staged), SHEAF_OK);
    assert_int_equal(solver_notes_most(reference), 0);
    assert_int_equal(solver_notes_most(staged), 0);
    assert_int_equal(solver_step_noting(reference, 2, after, 1, true), SHEAF_ERR_USAGE);
    assert_int_equal(solver_step_noting(staged, 2, after, 1, true), SHEAF_ERR_USAGE);
    sheaf_solver_close(reference);
    sheaf_solver_close(staged);
    sheaf_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes_are_what_stopping_tells),
        cmocka_unit_test(notes_that_do_not_exist_are_refused),
        cmocka_unit_test(others_take_no_notes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
