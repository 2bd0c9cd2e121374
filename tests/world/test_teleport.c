// test_teleport: a body that jumps takes its strands along: seen from it they move as if it had stayed.
// labels: device
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "solver/solver.h"
#include "unit.h"
#include "world.h"
#include "world/world.h"

enum { MOST = 600, JUMP_STEP = 24 }; // the step that ends at the jump's time

// A body that moves and turns evenly, and after half of its way jumps by 100 m, or by that and a quarter turn about
// gravity: displacement and angle then are `move` and `angle`, in m and degrees.
static void write_motion(int way, double middle, double move, double angle, char *out, size_t size)
{
    const double to = way > 0 ? 100 : 0, along = way == 2 ? 0 : 1, more = way == 2 ? 90 : 0;
    size_t end = (size_t)snprintf(
        out, size, "{ keyframes: [{ time: 0 }, { time: %.17g, move: [%g, 0, 0], angle: %g deg }", middle, move, angle);
    if (way > 0)
        end +=
            (size_t)snprintf(out + end, size - end, ", { time: %.17g, move: [%.9g, %g, 0], angle: %g deg, jump: true }",
                             middle, to + along * move, (1 - along) * move, angle + more);
    snprintf(out + end, size - end, ", { time: %.17g, move: [%.9g, %g, 0], angle: %g deg }] }", 2 * middle,
             to + along * 2 * move, (1 - along) * 2 * move, 2 * angle + more);
}

// Back to where the body would be without the jump.
static void undo(int way, double point[3])
{
    point[0] -= way > 0 ? 100 : 0;
    if (way == 2)
        vec_set(point, point[1], -point[0], point[2]);
}

static const char hair[] = "  - groom: { on: { sphere: { radius: 9 cm } }, count: 9, vertices: 16, length: 10 cm, "
                           "curl: { radius: 4 mm, pitch: 30 mm } }\n"
                           "    root: { clamp: head }\n";
static const char pinned[] = "  - shape: { arc: { origin: [5 cm, 1 cm, 0], direction: x, normal: y, radius: 4 cm, "
                             "length: 10 cm, vertices: 16 } }\n"
                             "    root: { pin: head }\n"
                             "  - shape: { arc: { origin: [0, 1 cm, 0], direction: x, normal: y, radius: 4 cm, "
                             "length: 10 cm, vertices: 16 } }\n"
                             "    root: { clamp: head }\n"
                             "    tip: { clamp: head }\n";

static sheaf_model *make_model(const char *settings, const char *strands, double step, int way)
{
    char motion[512], text[2500];
    const double middle = JUMP_STEP * step;
    write_motion(way, middle, 0.2 * middle, 300 * middle, motion, sizeof motion);
    snprintf(text, sizeof text,
             "sheaf: 1\ntime: { step: %.17g s }\n%s"
             "materials: { hair: { density: 1300, young: 1 GPa, shear: 0.4 GPa, radius: [60 um, 40 um], "
             "drag: 0.2 mPa*s } }\n"
             "motion: { head: %s }\nstrands:\n%s",
             step, settings, motion, strands);
    return world_model(text);
}

// Largest distance between a run with a jump and one without, as a share of 10 cm.
static double apart(const sheaf_model *model, const double (*plain)[3], double (*jumped)[3], int way)
{
    for (uint64_t i = 0; i < model->vertex_count; i++)
        undo(way, jumped[i]);
    return world_apart(model, plain, (const double(*)[3])jumped) / 0.1;
}

// Distances after 1, 10 and 100 steps from the jump on.
static void compare(const char *settings, const char *strands, double step, int way, sheaf_backend backend,
                    bool is_double, double out[3])
{
    static const uint32_t steps[3] = {JUMP_STEP, 9, 90};
    static double plain[MOST][3], jumped[MOST][3];
    sheaf_model *models[2] = {make_model(settings, strands, step, 0), make_model(settings, strands, step, way)};
    sheaf_solver *solvers[2];
    assert_in_range(models[0]->vertex_count, 1, MOST);
    for (int k = 0; k < 2; k++)
        solvers[k] = world_open(models[k], backend, is_double);
    for (int n = 0; n < 3; n++) {
        for (int k = 0; k < 2; k++) {
            assert_int_equal(sheaf_solver_step(solvers[k], steps[n]), SHEAF_OK);
            assert_int_equal(sheaf_solver_read_positions(solvers[k], k == 0 ? plain : jumped, MOST), SHEAF_OK);
        }
        assert_true(fabs(jumped[0][0] - plain[0][0]) > 90); // it is there
        out[n] = apart(models[0], (const double(*)[3])plain, jumped, way);
    }
    for (int k = 0; k < 2; k++) {
        sheaf_solver_close(solvers[k]);
        sheaf_model_free(models[k]);
    }
}

static void check_bars(const char *name, const double found[3], const double bars[3])
{
    printf("  %-34s %.1e %.1e %.1e, allowed %.1e %.1e %.1e\n", name, found[0], found[1], found[2], bars[0], bars[1],
           bars[2]);
    for (int n = 0; n < 3; n++)
        assert_true(found[n] <= bars[n]);
}

// Bars: what the engine may differ by from the reference after so many steps, explicit and implicit ones. 100 m away
// doubles lie 1.4e-14 m apart, which is more than explicit steps in double precision differ by elsewhere: ten times
// that.
static const double explicit_single[3] = {5e-7, 2e-6, 1e-5}, explicit_double[3] = {1e-12, 1e-11, 1e-10};
static const double implicit_single[3] = {2e-5, 2e-5, 1e-4}, implicit_double[3] = {1e-11, 1e-10, 1e-9};

static void jumps_change_nothing_for_hair(void **state)
{
    (void)state;
    for (int way = 1; way <= 2; way++) {
        double found[3];
        compare("", hair, 1.0 / 240, way, SHEAF_BACKEND_REFERENCE, true, found);
        check_bars(way == 1 ? "hair, moved, reference" : "hair, turned, reference", found, implicit_double);
        compare("", hair, 1.0 / 240, way, SHEAF_BACKEND_DEVICE, false, found);
        check_bars(way == 1 ? "hair, moved, device" : "hair, turned, device", found, implicit_single);
    }
}

static void jumps_change_nothing_for_other_ends(void **state)
{
    (void)state;
    for (int way = 1; way <= 2; way++) {
        double found[3];
        compare("", pinned, 1.0 / 240, way, SHEAF_BACKEND_REFERENCE, true, found);
        check_bars(way == 1 ? "pinned, moved, reference" : "pinned, turned, reference", found, implicit_double);
        compare("", pinned, 1.0 / 240, way, SHEAF_BACKEND_DEVICE, false, found);
        check_bars(way == 1 ? "pinned, moved, device" : "pinned, turned, device", found, implicit_single);
    }
}

static void jumps_change_nothing_in_explicit_steps(void **state)
{
    (void)state;
    static const char settings[] = "step: { integrator: explicit }\n";
    for (int way = 1; way <= 2; way++) {
        double found[3];
        compare(settings, hair, 1e-4, way, SHEAF_BACKEND_REFERENCE, true, found);
        check_bars(way == 1 ? "explicit, moved, reference" : "explicit, turned, reference", found, explicit_double);
        compare(settings, hair, 1e-4, way, SHEAF_BACKEND_DEVICE, false, found);
        check_bars(way == 1 ? "explicit, moved, device" : "explicit, turned, device", found, explicit_single);
    }
}

// A head that hair lies on jumps with it: it neither sweeps hair away nor loses it.
static void colliders_jump_along(void **state)
{
    (void)state;
    static const char settings[] = "gravity: [0, 0, -40]\n"
                                   "colliders: [{ sphere: { radius: 9 cm }, friction: 0.4, follow: head }]\n";
    static const char strands[] =
        "  - groom: { on: { sphere: { radius: 9 cm, cap: 80 deg } }, count: 21, vertices: 16, "
        "length: 20 cm }\n"
        "    root: { clamp: head }\n";
    static double positions[MOST][3];
    double found[3];
    compare(settings, strands, 1.0 / 240, 2, SHEAF_BACKEND_REFERENCE, true, found);
    check_bars("touching hair, turned, reference", found, (const double[3]){1e-10, 1e-8, 1e-4});
    for (int backend = SHEAF_BACKEND_REFERENCE; backend <= SHEAF_BACKEND_DEVICE; backend++) {
        sheaf_model *model = make_model(settings, strands, 1.0 / 240, 2);
        sheaf_solver *solver = world_open(model, (sheaf_backend)backend, false);
        for (uint32_t n = 1; n <= 3 * JUMP_STEP; n++) {
            assert_int_equal(sheaf_solver_step(solver, 1), SHEAF_OK);
            assert_int_equal(sheaf_solver_read_positions(solver, positions, MOST), SHEAF_OK);
            assert_true(world_deepest(model, (const double(*)[3])positions, n / 240.0) < 1e-4);
        }
        sheaf_report report;
        assert_int_equal(sheaf_solver_report(solver, &report), SHEAF_OK);
        assert_true(report.frozen_strands == 0 && report.worst_strain < 1e-4);
        sheaf_solver_close(solver);
        sheaf_model_free(model);
    }
}

// The stages one by one, steps in other portions, and a run that was stopped on either side of the jump: no bit
// differs.
static void portions_and_restarts_keep_all_bits(void **state)
{
    (void)state;
    static double whole[MOST][3], other[MOST][3];
    char strands[sizeof hair + sizeof pinned], path[64];
    snprintf(path, sizeof path, "/tmp/test_teleport_%d.h5", (int)getpid());
    snprintf(strands, sizeof strands, "%s%s", hair, pinned);
    sheaf_model *model = make_model("", strands, 1.0 / 240, 2);
    for (int backend = SHEAF_BACKEND_REFERENCE; backend <= SHEAF_BACKEND_DEVICE; backend++) {
        world_run(model, (sheaf_backend)backend, false, 60, whole);
        for (uint32_t stop = JUMP_STEP - 1; stop <= JUMP_STEP + 9; stop += 5) {
            sheaf_solver *first = world_open(model, (sheaf_backend)backend, false);
            sheaf_solver *second = world_open(model, (sheaf_backend)backend, false);
            assert_int_equal(sheaf_solver_step(first, stop), SHEAF_OK);
            assert_int_equal(sheaf_solver_save(first, path), SHEAF_OK);
            assert_int_equal(sheaf_solver_load(second, path), SHEAF_OK);
            assert_int_equal(sheaf_solver_step(second, 60 - stop), SHEAF_OK);
            assert_int_equal(sheaf_solver_read_positions(second, other, MOST), SHEAF_OK);
            assert_memory_equal(whole, other, model->vertex_count * sizeof *whole);
            sheaf_solver_close(first);
            sheaf_solver_close(second);
        }
    }
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_solver *staged;
    def.backend = SHEAF_BACKEND_DEVICE;
    assert_int_equal(solver_open_staged(model, &def, &staged), SHEAF_OK);
    assert_int_equal(sheaf_solver_step(staged, 60), SHEAF_OK);
    assert_int_equal(sheaf_solver_read_positions(staged, other, MOST), SHEAF_OK);
    assert_memory_equal(whole, other, model->vertex_count * sizeof *whole);
    sheaf_solver_close(staged);
    sheaf_model_free(model);
    assert_int_equal(remove(path), 0);
}

// Frames at half and twice the rate, with all that is read for each of them: no bit of the state differs at the end.
static void frame_rates_change_no_bit(void **state)
{
    (void)state;
    static double whole[2][MOST][3], other[2][MOST][3], between[MOST][3];
    sheaf_model *model = make_model("", hair, 1.0 / 240, 2);
    for (int backend = SHEAF_BACKEND_REFERENCE; backend <= SHEAF_BACKEND_DEVICE; backend++)
        for (uint32_t steps = 2; steps <= 8; steps *= 2) { // of a frame: 120, 60 and 30 Hz
            double(*ends)[MOST][3] = steps == 2 ? whole : other;
            sheaf_solver *solver = world_open(model, (sheaf_backend)backend, false);
            for (uint32_t done = 0; done < 48; done += steps) {
                sheaf_report report;
                assert_int_equal(sheaf_solver_step(solver, steps), SHEAF_OK);
                assert_int_equal(sheaf_solver_read_positions(solver, between, MOST), SHEAF_OK);
                assert_int_equal(sheaf_solver_report(solver, &report), SHEAF_OK);
            }
            assert_int_equal(sheaf_solver_read_positions(solver, ends[0], MOST), SHEAF_OK);
            assert_int_equal(sheaf_solver_read_velocities(solver, ends[1], MOST), SHEAF_OK);
            if (steps > 2)
                assert_memory_equal(whole, other, sizeof whole);
            sheaf_solver_close(solver);
        }
    sheaf_model_free(model);
}

// Weight in a report is that of where strands are.
static void reports_know_of_jumps(void **state)
{
    (void)state;
    char strands[sizeof hair + sizeof pinned];
    double heights[2];
    snprintf(strands, sizeof strands, "%s%s", hair, pinned);
    sheaf_model *model = make_model("gravity: [-1, 0, 0]\n", strands, 1.0 / 240, 1);
    for (int backend = SHEAF_BACKEND_REFERENCE; backend <= SHEAF_BACKEND_DEVICE; backend++) {
        sheaf_solver *solver = world_open(model, (sheaf_backend)backend, false);
        sheaf_report before, after;
        assert_int_equal(sheaf_solver_report(solver, &before), SHEAF_OK);
        assert_int_equal(sheaf_solver_step(solver, JUMP_STEP), SHEAF_OK);
        assert_int_equal(sheaf_solver_report(solver, &after), SHEAF_OK);
        heights[backend == SHEAF_BACKEND_DEVICE] = after.gravitational - before.gravitational;
        sheaf_solver_close(solver);
    }
    assert_close(heights[1] / heights[0], 1, 1e-6);
    sheaf_model_free(model);
}

// ---- motions

// Poses before and after a jump, what it does to points, and what comes of several.
static void motions_jump(void **state)
{
    (void)state;
    static const double poses[5][8] = {{0, 0, 0, 0, 1, 0, 0, 0},
                                       {1, 1, 0, 0, 1, 0, 0, 0},
                                       {1, 100, 0, 0, 1, 0, 0, 1},
                                       {2, 102, 0, 0, 1, 0, 0, 1},
                                       {3, 0, 50, 0, 1, 0, 0, 0}};
    static const bool jumps[5] = {false, false, true, false, true};
    sheaf_motion_def motion = sheaf_motion_def_default();
    motion.poses = &poses[0][0];
    motion.jumps = jumps;
    motion.pose_count = 5;
    vec_set(motion.anchor, 0, 0, 1);
    double out[3], before[3], after[3];
    model_jump jump;
    model_motion_shift(&motion, 0.5, out);
    assert_close(out[0], 0.5, 0);
    model_motion_shift(&motion, 1 - 1e-12, out); // rounding of its time does not hold a jump up
    assert_close(out[0], 100, 1e-9);
    model_motion_drift(&motion, 1 - 1e-12, out);
    assert_close(out[0], 2, 1e-12);
    model_motion_shift(&motion, 2.9, out); // stays until the next
    assert_close(out[0], 102, 0);
    model_motion_drift(&motion, 2.9, out);
    assert_close(out[0], 0, 0);
    assert_false(model_motion_jump(&motion, 0, 0.9, &jump));
    assert_false(model_motion_jump(&motion, 1, 2.9, &jump));
    static const double spans[3][2] = {{0.999999, 1}, {2.9, 3}, {0.999999, 3}};
    const double point[3] = {3, 4, 5};
    for (int k = 0; k < 3; k++) { // what goes along is taken where the motion takes it, and back
        assert_true(model_motion_jump(&motion, spans[k][0], spans[k][1], &jump));
        model_motion_point(&motion, spans[k][0], point, before);
        model_motion_point(&motion, spans[k][1], point, after);
        model_jump_point(&jump, before, out);
        if (k == 2)
            vec_add(out, out, (const double[3]){0, -2, 0}); // and what it moves in between, turned back
        for (int c = 0; c < 3; c++)
            assert_close(out[c], after[c], 1e-5);
        const model_jump back = model_jump_inverse(&jump);
        model_jump_point(&jump, before, out);
        model_jump_point(&back, out, out);
        for (int c = 0; c < 3; c++)
            assert_close(out[c], before[c], 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motions_jump),
        cmocka_unit_test(jumps_change_nothing_for_hair),
        cmocka_unit_test(jumps_change_nothing_for_other_ends),
        cmocka_unit_test(jumps_change_nothing_in_explicit_steps),
        cmocka_unit_test(colliders_jump_along),
        cmocka_unit_test(portions_and_restarts_keep_all_bits),
        cmocka_unit_test(frame_rates_change_no_bit),
        cmocka_unit_test(reports_know_of_jumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
