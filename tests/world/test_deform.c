// test_deform: roots on a mesh that deforms, from a file for each frame.
// labels: device
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "unit.h"
#include "world.h"

enum { MOST = 400 };

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/sheaf-deform-XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : 1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

// A mesh of `count` vertices, moved by a function of the frame.
typedef void move_fn(int frame, const double point[3], double out[3]);

static void write_frame(const char *pattern, int frame, const double (*points)[3], int count, const char *faces,
                        move_fn *move)
{
    char name[32], text[2000];
    size_t end = 0;
    for (int k = 0; k < count; k++) {
        double moved[3];
        move(frame, points[k], moved);
        end += (size_t)snprintf(text + end, sizeof text - end, "v %.17g %.17g %.17g\n", moved[0], moved[1], moved[2]);
    }
    snprintf(text + end, sizeof text - end, "%s", faces);
    snprintf(name, sizeof name, pattern, frame); // a literal of this file
    write_file(name, text);
}

// Loads a scene from the folder.
static sheaf_status load(const char *text, sheaf_scene **scene)
{
    char path[128];
    write_file("scene.yaml", text);
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
    return sheaf_scene_load(path, scene);
}

static sheaf_model *load_model(const char *text)
{
    sheaf_scene *scene = NULL;
    sheaf_model *model = NULL;
    if (load(text, &scene) != SHEAF_OK || sheaf_model_create(scene, &model) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    sheaf_scene_free(scene);
    return model;
}

// ---- a cube that moves as a whole

static const double cube[8][3] = {{-5, -5, -5}, {5, -5, -5}, {5, 5, -5}, {-5, 5, -5},
                                  {-5, -5, 5},  {5, -5, 5},  {5, 5, 5},  {-5, 5, 5}};
static const char cube_faces[] = "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

// A degree and a millimetre per frame.
static void turn_cube(int frame, const double point[3], double out[3])
{
    const double axis[3] = {0, 0.6, 0.8};
    vec_rotate(out, point, axis, frame * 3.14159265358979323846 / 180);
    out[0] += 0.1 * frame;
}

static const char hair[] = "sheaf: 1\ntime: { step: 1/240 s }\n"
                           "step: { newton: 4 }\n" // both backends do the same work
                           "materials: { hair: { density: 1300, young: 1 GPa, shear: 0.4 GPa, radius: [60 um, 40 um], "
                           "drag: 0.2 mPa*s } }\n"
                           "motion: { skin: %s }\n"
                           "strands:\n"
                           "  - groom: { on: { mesh: { file: cube.0.obj, unit: cm, up: z } }, count: 17, vertices: 12, "
                           "length: 10 cm, curl: { radius: 4 mm, pitch: 30 mm } }\n"
                           "    root: { clamp: skin }\n";

// Frames that are those of a rigid motion make strands move as that does.
static void rigid_frames_are_a_rigid_motion(void **state)
{
    (void)state;
    static double rigid[MOST][3], deforming[MOST][3], device[MOST][3];
    static const char *const motions[2] = {
        "{ keyframes: [{ time: 0 }, { time: 0.1, axis: [0, 0.6, 0.8], angle: 24 deg, move: [2.4 cm, 0, 0] }] }",
        "{ mesh: { frames: cube.%d.obj, first: 0, last: 24, rate: 240 Hz, unit: cm, up: z } }"};
    sheaf_model *models[2];
    for (int frame = 0; frame <= 24; frame++)
        write_frame("cube.%d.obj", frame, cube, 8, cube_faces, turn_cube);
    for (int k = 0; k < 2; k++) {
        char text[1500];
        snprintf(text, sizeof text, hair, motions[k]);
        models[k] = load_model(text);
    }
    for (uint32_t steps = 1; steps <= 40; steps += 13) { // the mesh stays after its last frame
        world_run(models[0], SHEAF_BACKEND_REFERENCE, true, steps, rigid);
        world_run(models[1], SHEAF_BACKEND_REFERENCE, true, steps, deforming);
        world_run(models[1], SHEAF_BACKEND_DEVICE, false, steps, device);
        const double apart = world_apart(models[0], (const double(*)[3])rigid, (const double(*)[3])deforming);
        const double off = world_apart(models[1], (const double(*)[3])device, (const double(*)[3])deforming);
        printf("  %2u steps: %.1e m from the rigid motion, device %.1e m from the reference\n", steps, apart, off);
        assert_true(apart < 1e-14);
        assert_true(off < 1e-5); // 1e-4 of the length
    }
    assert_true(fabs(deforming[0][0] - models[1]->position[0][0]) > 5e-3); // it moved
    for (int k = 0; k < 2; k++)
        sheaf_model_free(models[k]);
}

// Portions of steps, as frames of any rate make them, change no bit.
static void portions_change_no_bit(void **state)
{
    (void)state;
    static double whole[MOST][3], other[MOST][3];
    char text[1500];
    snprintf(text, sizeof text, hair,
             "{ mesh: { frames: cube.%d.obj, first: 0, last: 24, rate: 100 Hz, unit: cm, up: z } }");
    sheaf_model *model = load_model(text);
    for (int backend = SHEAF_BACKEND_REFERENCE; backend <= SHEAF_BACKEND_DEVICE; backend++) {
        world_run(model, (sheaf_backend)backend, false, 30, whole);
        sheaf_solver *solver = world_open(model, (sheaf_backend)backend, false);
        for (int k = 0; k < 10; k++)
            assert_int_equal(sheaf_solver_step(solver, 3), SHEAF_OK);
        assert_int_equal(sheaf_solver_read_positions(solver, other, MOST), SHEAF_OK);
        assert_memory_equal(whole, other, model->vertex_count * sizeof *whole);
        sheaf_solver_close(solver);
    }
    sheaf_model_free(model);
}

// ---- a sheet that is stretched, sheared and tilted

static const double sheet[4][3] = {{-10, -10, 0}, {10, -10, 0}, {10, 10, 0}, {-10, 10, 0}};
static const char sheet_faces[] = "f 1 2 3\nf 1 3 4\n";

static void deform_sheet(double frame, const double point[3], double out[3])
{
    vec_set(out, (1 + 0.05 * frame) * point[0] + 0.03 * frame * point[1], (1 - 0.02 * frame) * point[1],
            0.04 * frame * point[0] + 0.5 * frame);
}

static void deform_frame(int frame, const double point[3], double out[3])
{
    deform_sheet(frame, point, out);
}

// Unit vector normal to the sheet.
static void sheet_normal(double frame, double out[3])
{
    double origin[3], one[3], two[3];
    deform_sheet(frame, (const double[3]){0, 0, 0}, origin);
    deform_sheet(frame, (const double[3]){1, 0, 0}, one);
    deform_sheet(frame, (const double[3]){0, 1, 0}, two);
    vec_sub(one, one, origin);
    vec_sub(two, two, origin);
    vec_cross(out, one, two);
    vec_unit(out, out);
}

// Where a strand leaves the sheet, which is the middle of its first edge, and where that edge points.
static void leave(const double (*x)[3], double place[3], double edge[3])
{
    vec_sub(edge, x[1], x[0]);
    vec_copy(place, x[0]);
    vec_axpy(place, 0.5, edge);
    vec_unit(edge, edge);
}

// The map is linear over the sheet, so that barycentric coordinates say what it says; between frames straight lines.
static void roots_stay_on_a_deforming_sheet(void **state)
{
    (void)state;
    static double positions[MOST][3];
    for (int frame = 1; frame <= 7; frame++)
        write_frame("sheet.%04d.obj", frame, sheet, 4, sheet_faces, deform_frame);
    sheaf_model *model = load_model(
        "sheaf: 1\ntime: { step: 1/240 s }\n"
        "step: { newton: 4 }\n" // both backends do the same work
        "materials: { hair: { density: 1300, young: 1 GPa, shear: 0.4 GPa, radius: 60 um, drag: 0.2 mPa*s } }\n"
        "motion: { skin: { mesh: { frames: sheet.%04d.obj, last: 7, rate: 60 Hz, start: 0.025 s, unit: cm, up: z, "
        "center: [0, 0, 1] } } }\n"
        "strands:\n"
        "  - groom: { on: { mesh: { file: sheet.0001.obj, unit: cm, up: z, center: [0, 0, 1] } }, count: 20, "
        "vertices: 12, length: 10 cm, tilt: 30 deg }\n"
        "    root: { clamp: skin }\n");
    static const uint32_t checks[] = {3, 9, 10, 17, 28, 40};
    for (int backend = SHEAF_BACKEND_REFERENCE; backend <= SHEAF_BACKEND_DEVICE; backend++) {
        const double bar = backend == SHEAF_BACKEND_REFERENCE ? 1e-13 : 1e-7;
        sheaf_solver *solver = world_open(model, (sheaf_backend)backend, false);
        for (size_t k = 0, done = 0; k < sizeof checks / sizeof checks[0]; done = checks[k++]) {
            assert_int_equal(sheaf_solver_step(solver, checks[k] - (uint32_t)done), SHEAF_OK);
            assert_int_equal(sheaf_solver_read_positions(solver, positions, MOST), SHEAF_OK);
            const double frame = fmin(fmax((checks[k] / 240.0 - 0.025) * 60, 0), 6) + 1;
            for (uint32_t s = 0; s < model->strand_count; s++) {
                const uint64_t first = model->first_vertex[s];
                double start[3], place[3], edges[2][3], low[3], high[3], material[3], normals[2][3];
                leave((const double(*)[3])model->position + first, start, edges[0]);
                leave((const double(*)[3])positions + first, place, edges[1]);
                material[1] = start[1] / 0.98; // before frame 1, whose place is known
                material[0] = (start[0] - 0.03 * material[1]) / 1.05;
                material[2] = 0;
                for (int c = 0; c < 3; c++)
                    material[c] *= 100;
                deform_sheet(floor(frame), material, low);
                deform_sheet(floor(frame) + 1, material, high);
                for (int c = 0; c < 3; c++) {
                    const double expected = low[c] + (frame - floor(frame)) * (high[c] - low[c]);
                    assert_close(place[c], expected / 100 + (c == 2), bar);
                }
                if (fabs(frame - round(frame)) > 1e-9)
                    continue;
                sheet_normal(1, normals[0]);
                sheet_normal(frame, normals[1]);
                assert_close(vec_dot(edges[1], normals[1]), vec_dot(edges[0], normals[0]), 10 * bar);
            }
        }
        sheaf_report report;
        assert_int_equal(sheaf_solver_report(solver, &report), SHEAF_OK);
        assert_true(report.frozen_strands == 0 && report.worst_strain < 1e-4);
        sheaf_solver_close(solver);
    }
    sheaf_model_free(model);
}

// ---- what is wrong

static void refuse(const char *skin, const char *more, const char *expected)
{
    char text[1500];
    sheaf_scene *scene = NULL;
    sheaf_model *model = NULL;
    snprintf(text, sizeof text,
             "sheaf: 1\nmaterials: { wire: { line_mass: 1, bend: 1, twist: 1 } }\n"
             "motion: { skin: { mesh: %s } }\n%s\n",
             skin, more);
    sheaf_status status = load(text, &scene);
    if (status == SHEAF_OK)
        status = sheaf_model_create(scene, &model);
    if (status != SHEAF_ERR_INPUT && status != SHEAF_ERR_IO)
        fail_msg("%s: status %s", skin, sheaf_status_name(status));
    if (strstr(sheaf_last_error(), expected) == NULL)
        fail_msg("'%s' does not say '%s'", sheaf_last_error(), expected);
    sheaf_scene_free(scene);
    sheaf_model_free(model);
}

static void hostile_sequences_are_refused(void **state)
{
    (void)state;
    static const char rod[] = "strands: [{ shape: { straight: { length: 1 } }, root: { clamp: skin } }]";
    for (int frame = 1; frame <= 4; frame++)
        write_frame("bad.%d.obj", frame, sheet, 4, sheet_faces, deform_frame);
    refuse("{ frames: bad.%d.obj, last: 5, unit: cm, up: z }", rod, "bad.5.obj");
    refuse("{ frames: bad.obj, last: 4, unit: cm, up: z }", rod, "^~~~");
    refuse("{ frames: bad.%s.obj, last: 4, unit: cm, up: z }", rod, "number of a frame");
    refuse("{ frames: bad.%n%d.obj, last: 4, unit: cm, up: z }", rod, "number of a frame");
    refuse("{ frames: bad.%d.obj, first: 3, last: 2, unit: cm, up: z }", rod, "before the first");
    refuse("{ frames: bad.%d.obj, last: 4, up: z }", rod, "unit");
    refuse("{ frames: bad.%d.obj, last: 4, rate: 0 Hz, unit: cm, up: z }", rod, "out of range");
    refuse("{ frames: bad.%d.obj, last: 4, start: -1 s, unit: cm, up: z }", rod, "out of range");
    refuse("{ frames: bad.%d.obj, last: 3, unit: cm, up: z }, file: x.csv", rod, "given twice");
    refuse("{ frames: bad.%d.obj, last: 4, unit: cm, up: z }",
           "colliders: [{ sphere: { radius: 1 cm }, follow: skin }]\n"
           "strands: [{ shape: { straight: { length: 1 } } }]",
           "only roots can follow");
    refuse("{ frames: bad.%d.obj, last: 4, unit: cm, up: z }",
           "strands: [{ shape: { straight: { length: 1 } }, tip: { clamp: skin } }]", "only roots can follow");
    write_file("bad.3.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    refuse("{ frames: bad.%d.obj, last: 4, unit: cm, up: z }", rod, "3 vertices and 1 triangles");
    write_frame("bad.%d.obj", 3, sheet, 4, "f 1 2 4\nf 2 3 4\n", deform_frame);
    refuse("{ frames: bad.%d.obj, last: 4, unit: cm, up: z }", rod, "joins other vertices");
    write_file("bad.3.obj", "v 0 0 0\nv 1 0 nan\nv 0 1 0\nv 0 1 1\nf 1 2 3\nf 1 3 4\n");
    refuse("{ frames: bad.%d.obj, last: 4, unit: cm, up: z }", rod, "bad.3.obj");
    write_file("bad.3.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nf 1 2 3\nf 1 3 4\n");
    refuse("{ frames: bad.%d.obj, last: 4, unit: cm, up: z }", rod, "no area in frame 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_frames_are_a_rigid_motion),
        cmocka_unit_test(portions_change_no_bit),
        cmocka_unit_test(roots_stay_on_a_deforming_sheet),
        cmocka_unit_test(hostile_sequences_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
