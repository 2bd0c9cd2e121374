// test_director: how sections are turned comes back from a trajectory as the solver had it: along strands of any shape,
// at frames between steps, from files with other axes, in files that are gone on with.
// labels: device
#include "groom/director.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "groom/derive.h"
#include "groom/format.h"
#include "io/positions.h"
#include "run/frames.h"
#include "run/turns.h"
#include "scene/reader.h"
#include "solver/solver.h"
#include "unit.h"

enum { MOST = 64 };

// ---- angles and directors

static void random_unit(uint64_t index, double out[3])
{
    double a[2], b[2];
    base_normal2(5, 1, index, a);
    base_normal2(5, 2, index, b);
    vec_set(out, a[0], a[1], b[0]);
    vec_unit(out, out);
}

// A random strand with random directors normal to its edges.
static void make_strand(uint64_t seed, bool closed, double points[MOST][3], double directors[MOST][3])
{
    for (uint64_t k = 0; k < MOST; k++) {
        random_unit(1000 * seed + k, points[k]);
        if (k > 0)
            vec_axpy(points[k], 1, points[k - 1]);
    }
    for (uint64_t k = 0; k < MOST; k++) {
        double tangent[3], some[3];
        vec_sub(tangent, points[k + 1 < MOST ? k + 1 : 0], points[k]);
        vec_unit(tangent, tangent);
        random_unit(7777 + 1000 * seed + k, some);
        vec_cross(directors[k], tangent, some);
        vec_unit(directors[k], directors[k]);
    }
    if (!closed)
        vec_copy(directors[MOST - 1], directors[MOST - 2]);
}

// The angle between two unit vectors.
static double apart(const double a[3], const double b[3])
{
    double difference[3];
    vec_sub(difference, a, b);
    return 2 * asin(fmin(vec_length(difference) / 2, 1));
}

static void angles_give_directors_back(void **state)
{
    (void)state;
    double points[MOST][3], directors[MOST][3], back[MOST][3];
    float angles[MOST];
    for (uint64_t seed = 0; seed < 200; seed++) {
        const bool closed = seed % 2 == 1;
        make_strand(seed, closed, points, directors);
        const groom_line line = {(const double(*)[3])points, MOST, closed};
        groom_director_angles(&line, (const double(*)[3])directors, angles);
        groom_directors(&line, angles, back);
        for (int k = 0; k < MOST; k++) {
            assert_close(apart(back[k], directors[k]), 0, 2e-5);
            assert_true(k == 0 || fabsf(angles[k] - angles[k - 1]) < 3.15f);
        }
    }
}

// Edges of no length, edges that turn back, lines of one vertex and of none: numbers all the same.
static void odd_lines_are_finite(void **state)
{
    (void)state;
    const double points[6][3] = {{1, 1, 1}, {1, 1, 1}, {2, 1, 1}, {2, 1, 1}, {1, 1, 1}, {1, 2, 1}};
    const double directors[6][3] = {{1, 0, 0}, {0, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {1, 0, 0}};
    for (uint64_t count = 0; count <= 6; count++)
        for (int closed = 0; closed < 2; closed++) {
            float angles[6] = {9, 9, 9, 9, 9, 9};
            double back[6][3];
            const groom_line line = {points, count, closed != 0};
            groom_director_angles(&line, directors, angles);
            groom_directors(&line, angles, back);
            for (uint64_t k = 0; k < count; k++) {
                assert_true(isfinite(angles[k]));
                assert_close(vec_length(back[k]), 1, 1e-12);
            }
        }
}

// A straight strand along x whose director turns evenly: the angle grows by as much, over many turns.
static void turns_are_counted(void **state)
{
    (void)state;
    double points[MOST][3], directors[MOST][3];
    float angles[MOST];
    for (int k = 0; k < MOST; k++) {
        vec_set(points[k], k, 0, 0);
        vec_set(directors[k], 0, cos(0.9 * k), sin(0.9 * k));
    }
    const groom_line line = {(const double(*)[3])points, MOST, false};
    groom_director_angles(&line, (const double(*)[3])directors, angles);
    for (int k = 1; k < MOST - 1; k++)
        assert_close((double)(angles[k] - angles[0]), 0.9 * k, 1e-5);
}

// ---- trajectories

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/sheaf-test-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    char *path = io_path_join(folder, IO_TRAJECTORY_NAME);
    unlink(path);
    base_free(path);
    return rmdir(folder);
}

static const char ribbon[] =
    "time: { step: 1/240 s, end: 1 s }\n"
    "materials: { m: { density: 1100 kg/m^3, young: 3 MPa, shear: 1 MPa, radius: [4 mm, 1 mm] } }\n"
    "strands:\n"
    "  - { shape: { helix: { radius: 5 cm, pitch: 8 cm, length: 40 cm, vertices: 40 } }, root: clamp,\n"
    "      tip: { hold: clamp, twist: { ramp: { to: 1.5 turns, over: 0.2 s } } } }\n"
    "  - { shape: { circle: { radius: 6 cm, vertices: 30, origin: [1 m, 0, 0] } }, closing_twist: 2 rad }\n"
    "  - { file: tests/data/files/fringe.hair, unit: cm, up: y }\n";

static const char falling[] =
    "motion: { hand: { rotate: { axis: y, angle: 50 deg, period: 0.5 s } } }\n"
    "time: { step: 1/240 s, end: 1 s }\n"
    "materials: { m: { density: 1100 kg/m^3, young: 3 MPa, shear: 1 MPa, radius: [3 mm, 2 mm] } }\n"
    "strands:\n"
    "  - { shape: { straight: { length: 30 cm, vertices: 20, direction: -z } }, root: { clamp: hand } }\n";

// Bent, and turned at its tip by 0.04 rad a step.
static const char turning[] =
    "time: { step: 1/240 s, end: 1 s }\n"
    "materials: { m: { density: 1100 kg/m^3, young: 3 MPa, shear: 1 MPa, radius: [3 mm, 2 mm] } }\n"
    "strands: [{ shape: { arc: { length: 30 cm, radius: 10 cm, vertices: 20, direction: x, normal: z } }, root: "
    "clamp,\n"
    "    tip: { hold: clamp, twist: { ramp: { to: 1.5 turns, over: 1 s } } } }]\n";

typedef struct world {
    sheaf_scene *scene;
    sheaf_model *model;
    sheaf_solver *solver;
    io_folder folder;
    run_frames frames;
} world;

static world open_world(const char *text, bool on_device)
{
    world w = {.folder.path = folder};
    char whole[4096];
    const int length = snprintf(whole, sizeof whole, "sheaf: 1\n%s", text);
    if (sheaf_scene_parse(whole, (size_t)length, "scene", &w.scene) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    assert_int_equal(sheaf_model_create(w.scene, &w.model), SHEAF_OK);
    sheaf_solver_def def = sheaf_solver_def_default();
    def.backend = on_device ? SHEAF_BACKEND_AUTO : SHEAF_BACKEND_REFERENCE;
    if (sheaf_solver_open(w.model, &def, &w.solver) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    return w;
}

static void close_world(world *w)
{
    assert_int_equal(run_frames_close(&w->frames), SHEAF_OK);
    sheaf_solver_close(w->solver);
    sheaf_model_free(w->model);
    sheaf_scene_free(w->scene);
}

static groom_source open_trajectory(void)
{
    groom_source source;
    char *path = io_path_join(folder, IO_TRAJECTORY_NAME);
    if (groom_open(&io_format_vtkhdf, path, &source) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    base_free(path);
    assert_non_null(source.groom.director_angle);
    return source;
}

// Directors of a strand of a frame.
static uint64_t read_directors(const groom *g, uint32_t strand, bool closed, double out[MOST][3])
{
    double points[MOST][3];
    const uint64_t first = g->first_vertex[strand], count = g->first_vertex[strand + 1] - first;
    assert_true(count <= MOST);
    for (uint64_t k = 0; k < count; k++)
        groom_point(g, first + k, points[k]);
    const groom_line line = {(const double(*)[3])points, count, closed};
    groom_directors(&line, g->director_angle + first, out);
    return closed ? count : count - 1;
}

// The trajectory's frame against what the solver holds. Ghosts stand before the strands of the file.
static void compare(const world *w, const groom *g, const double (*directors)[3])
{
    for (uint32_t s = 0; s < w->model->strand_count; s++) {
        double back[MOST][3];
        const uint64_t edges = read_directors(g, s, w->model->strands[s].closed, back);
        const uint64_t ghost = model_vertex_count(w->model, s) - (g->first_vertex[s + 1] - g->first_vertex[s]);
        for (uint64_t k = 0; k < edges; k++)
            assert_close(apart(back[k], directors[w->model->first_vertex[s] + ghost + k]), 0, 3e-5);
    }
}

static void check_against_solver(const char *text, bool on_device)
{
    enum { FRAMES = 4, STEPS = 16 };
    world w = open_world(text, on_device);
    double(*directors)[3] = base_alloc(FRAMES * w.model->vertex_count, sizeof *directors);
    assert_true(run_shows_directors(w.model, 1));
    assert_int_equal(run_frames_start(&w.frames, &w.folder, w.model, w.solver, FRAMES), SHEAF_OK);
    assert_true(run_frames_need_state(&w.frames));
    for (uint64_t k = 0; k < FRAMES; k++) {
        assert_int_equal(run_frames_add(&w.frames, w.solver, (double)k), SHEAF_OK);
        assert_int_equal(solver_read_directors(w.solver, directors + k * w.model->vertex_count), SHEAF_OK);
        assert_int_equal(sheaf_solver_step(w.solver, STEPS), SHEAF_OK);
    }
    groom_source source = open_trajectory();
    assert_int_equal(source.frame_count, FRAMES);
    for (uint64_t k = FRAMES; k-- > 0;) {
        assert_int_equal(groom_load(&source, k), SHEAF_OK);
        compare(&w, &source.groom, (const double(*)[3])directors + k * w.model->vertex_count);
    }
    groom_close(&source);
    base_free(directors);
    close_world(&w);
}

static void trajectories_hold_the_solvers_directors(void **state)
{
    (void)state;
    check_against_solver(ribbon, false);
    check_against_solver(falling, false);
    check_against_solver(falling, true);
}

// A frame a quarter of the way between two steps has a quarter of their turn.
static void frames_between_steps(void **state)
{
    (void)state;
    world w = open_world(turning, false);
    double before[MOST][3], after[MOST][3], between[MOST][3];
    assert_int_equal(run_frames_start(&w.frames, &w.folder, w.model, w.solver, 1), SHEAF_OK);
    assert_int_equal(sheaf_solver_step(w.solver, 30), SHEAF_OK);
    assert_int_equal(run_frames_before(&w.frames, w.solver), SHEAF_OK);
    assert_int_equal(solver_read_directors(w.solver, before), SHEAF_OK);
    assert_int_equal(sheaf_solver_step(w.solver, 1), SHEAF_OK);
    assert_int_equal(run_frames_after(&w.frames, w.solver), SHEAF_OK);
    assert_int_equal(solver_read_directors(w.solver, after), SHEAF_OK);
    assert_int_equal(run_frames_add_between(&w.frames, 0.25, 1.0 / 240, 30.25 / 240), SHEAF_OK);
    groom_source source = open_trajectory();
    const uint64_t edges = read_directors(&source.groom, 0, false, between);
    double moved = 0;
    for (uint64_t k = 0; k < edges; k++) {
        const double whole = apart(before[k], after[k]);
        moved = fmax(moved, whole);
        assert_close(apart(before[k], between[k]), 0.25 * whole, 0.05 * whole + 3e-5);
        assert_close(apart(between[k], after[k]), 0.75 * whole, 0.05 * whole + 3e-5);
    }
    assert_true(moved > 1e-3); // something turned
    groom_close(&source);
    close_world(&w);
}

// With other axes and in another unit, directors turn with the strands; resampled strands have none.
static void derived_directors_turn_along(void **state)
{
    (void)state;
    world w = open_world(ribbon, false);
    assert_int_equal(run_frames_start(&w.frames, &w.folder, w.model, w.solver, 1), SHEAF_OK);
    assert_int_equal(sheaf_solver_step(w.solver, 20), SHEAF_OK);
    assert_int_equal(run_frames_add(&w.frames, w.solver, 1), SHEAF_OK);
    groom_source source = open_trajectory(), turned, same, coarse;
    const uint64_t chosen[] = {1, 0};
    const groom_changes changes = {.to_metres = 0.0254, .to_up = GROOM_UP_Y, .strands = chosen, .strand_count = 2};
    const groom_changes nothing = {0}, resampled = {.vertices = 12};
    assert_int_equal(groom_derive(&source, &changes, NULL, &turned), SHEAF_OK);
    assert_int_equal(groom_derive(&source, &nothing, NULL, &same), SHEAF_OK);
    assert_int_equal(groom_derive(&source, &resampled, NULL, &coarse), SHEAF_OK);
    const groom_axes axes = groom_axes_between(GROOM_UP_Z, GROOM_UP_Y);
    for (uint32_t s = 0; s < 2; s++) {
        double old[MOST][3], now[MOST][3], expected[3];
        const uint64_t edges = read_directors(&source.groom, (uint32_t)chosen[s], s == 0, old);
        assert_int_equal(read_directors(&turned.groom, s, s == 0, now), edges);
        for (uint64_t k = 0; k < edges; k++) {
            groom_turn(&axes, old[k], expected);
            assert_close(apart(now[k], expected), 0, 2e-5);
        }
    }
    assert_memory_equal(same.groom.director_angle, source.groom.director_angle,
                        source.groom.vertex_count * sizeof(float));
    assert_null(coarse.groom.director_angle);
    groom_close(&coarse);
    groom_close(&same);
    groom_close(&turned);
    groom_close(&source);
    close_world(&w);
}

// A file goes on as it was started, whatever a start would choose now.
static void files_go_on_as_they_began(void **state)
{
    (void)state;
    world w = open_world(falling, false);
    char *path = io_path_join(folder, IO_TRAJECTORY_NAME);
    const uint64_t ends[] = {0, w.model->vertex_count};
    const io_trajectory_def def = {.strand_count = 1,
                                   .vertex_count = w.model->vertex_count,
                                   .first_vertex = ends,
                                   .radius = base_alloc(w.model->vertex_count, sizeof(float)),
                                   .is_double = true};
    io_trajectory *old;
    assert_int_equal(io_trajectory_create(path, &def, &old), SHEAF_OK);
    assert_int_equal(io_trajectory_add(old, 0, w.model->position, true), SHEAF_OK);
    assert_int_equal(io_trajectory_close(old), SHEAF_OK);
    uint64_t kept;
    assert_int_equal(run_frames_continue(&w.frames, &w.folder, w.model, w.solver, &kept, 0), SHEAF_OK);
    assert_int_equal(kept, 1);
    assert_false(run_frames_need_state(&w.frames));
    assert_true(w.frames.is_double);
    assert_int_equal(run_frames_add(&w.frames, w.solver, 1), SHEAF_OK);
    groom_source source;
    assert_int_equal(groom_open(&io_format_vtkhdf, path, &source), SHEAF_OK);
    assert_int_equal(source.frame_count, 2);
    assert_null(source.groom.director_angle);
    groom_close(&source);
    base_free((void *)def.radius);
    base_free(path);
    close_world(&w);
}

// ---- where they are kept, and in which precision

static bool shows(const char *radius, const char *tip, uint32_t strands)
{
    char text[512];
    snprintf(text, sizeof text,
             "time: { end: 1 s }\nmaterials: { m: { density: 1100 kg/m^3, young: 3 MPa, shear: 1 MPa, radius: %s } }\n"
             "strands: [{ groom: { on: { sphere: { radius: 9 cm } }, count: %u, vertices: 5, length: 10 cm },"
             " tip: %s }]\n",
             radius, strands, tip);
    world w = open_world(text, false);
    const bool shown = run_shows_directors(w.model, 1);
    assert_false(run_shows_directors(w.model, 2));
    close_world(&w);
    return shown;
}

static void kept_where_they_can_be_seen(void **state)
{
    (void)state;
    static const char twisted[] = "{ hold: clamp, twist: 1 turns }";
    assert_false(shows("[45 um, 32 um]", "free", 100)); // hair: drawn as lines
    assert_true(shows("[45 um, 32 um]", "free", 12));   // few: as tubes
    assert_true(shows("[50 um, 20 um]", "free", 100));  // flat: as blades
    assert_true(shows("[0.5 mm, 0.4 mm]", "free", 100));
    assert_false(shows("0.5 mm", "free", 12));
    assert_true(shows("0.5 mm", twisted, 100));
    assert_false(shows("45 um", twisted, 100));
}

static bool shows_scene(const char *text)
{
    world w = open_world(text, false);
    const bool shown = run_shows_directors(w.model, 1);
    assert_false(run_shows_directors(w.model, 2));
    close_world(&w);
    return shown;
}

// A round cable to a ball below, welded or by a ball joint, and between two hands, one of which may turn.
#define ROPE(material, ends, rest)                                                                                     \
    "time: { end: 1 s }\n"                                                                                             \
    "materials: { m: { density: 1100 kg/m^3, young: 3 MPa, shear: 1 MPa, " material " } }\n"                           \
    "strands: [{ shape: { straight: { direction: -z, length: 30 cm, vertices: 10 } }, " ends " }]\n" rest

static void kept_where_bodies_twist(void **state)
{
    (void)state;
    static const char ball[] = ROPE("radius: 3 mm", "root: clamp, tip: { clamp: ball }",
                                    "bodies: { ball: { at: [0, 0, -30 cm], sphere: { radius: 2 cm }, mass: 50 g } }\n");
    static const char joint[] =
        ROPE("radius: 3 mm", "root: clamp, tip: { pin: ball }",
             "bodies: { ball: { at: [0, 0, -30 cm], sphere: { radius: 2 cm }, mass: 50 g } }\n");
    static const char hands[] =
        ROPE("radius: 3 mm", "root: clamp, tip: { clamp: hand }",
             "motion: { hand: { rotate: { axis: z, angle: { ramp: { to: 1 turns, over: 1 s } } } } }\n");
    static const char hand[] =
        ROPE("radius: 3 mm", "root: { clamp: hand }",
             "motion: { hand: { rotate: { axis: z, angle: { ramp: { to: 1 turns, over: 1 s } } } } }\n");
    assert_true(shows_scene(ball));
    assert_false(shows_scene(joint)); // it turns about its end freely
    assert_true(shows_scene(hands));
    assert_false(shows_scene(hand)); // all of it goes along
}

static void double_where_single_loses(void **state)
{
    (void)state;
    const uint64_t ends[] = {0, 2};
    double points[2][3] = {{0, 0, 0}, {0.01, 0, 0}};
    assert_false(io_positions_need_double(ends, 1, (const double(*)[3])points, 0));
    // half a step at 1 m is 2^-24 m, 6e-8, and 1e-5 of the edge 1e-7; at 2 m it is 1.2e-7
    assert_false(io_positions_need_double(ends, 1, (const double(*)[3])points, 1.99));
    assert_true(io_positions_need_double(ends, 1, (const double(*)[3])points, 2));
    points[0][2] = points[1][2] = -1e5;
    assert_true(io_positions_need_double(ends, 1, (const double(*)[3])points, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles_give_directors_back),
        cmocka_unit_test(odd_lines_are_finite),
        cmocka_unit_test(turns_are_counted),
        cmocka_unit_test_setup_teardown(trajectories_hold_the_solvers_directors, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(frames_between_steps, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(derived_directors_turn_along, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(files_go_on_as_they_began, make_folder, remove_folder),
        cmocka_unit_test(kept_where_they_can_be_seen),
        cmocka_unit_test(kept_where_bodies_twist),
        cmocka_unit_test(double_where_single_loses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
