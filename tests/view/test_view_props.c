// test_view_props: a body that deforms is drawn as its mesh is at the time of the picture.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

#include "base/vec.h"
#include "view/stage.h"

enum { FRAMES = 3 };

static const char scene_text[] =
    "sheaf: 1\n"
    "materials: { hair: { density: 1300, young: 1 GPa, shear: 0.4 GPa, radius: 60 um } }\n"
    "motion: { skin: { mesh: { frames: sheet.%d.obj, first: 0, last: 2, rate: 10 Hz, start: 0.1 s, unit: cm, up: z } } "
    "}\n"
    "strands:\n"
    "  - groom: { on: { mesh: { file: sheet.0.obj, unit: cm, up: z } }, count: 7, vertices: 5, length: 3 cm }\n"
    "    root: { clamp: skin }\n"
    "  - groom: { on: { mesh: { file: sheet.0.obj, unit: cm, up: z } }, count: 5, vertices: 5, length: 1 cm }\n"
    "    root: { clamp: skin }\n";

static char folder[64];
static sheaf_scene *scene;
static sheaf_model *model;

static FILE *create(const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    return file;
}

// A square of 20 cm that turns about y: its far edge goes up by 5 cm a frame. Cut in two along x = 0, with a seam.
static int open_scene(void **state)
{
    (void)state;
    char path[128], name[32];
    strcpy(folder, "/tmp/sheaf-props-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return 1;
    for (int frame = 0; frame < FRAMES; frame++) {
        snprintf(name, sizeof name, "sheet.%d.obj", frame);
        FILE *file = create(name, path);
        for (int k = 0; k < 8; k++) {
            const int x = k < 4 ? (k % 2) * 10 - 10 : (k % 2) * 10, y = k / 2 % 2 == 0 ? -10 : 10;
            fprintf(file, "v %d %d %g\n", x, y, frame * (x + 10) / 4.0);
        }
        fprintf(file, "f 1 2 4 3\nf 5 6 8 7\n");
        assert_int_equal(fclose(file), 0);
    }
    FILE *file = create("scene.yaml", path);
    fputs(scene_text, file);
    assert_int_equal(fclose(file), 0);
    if (sheaf_scene_load(path, &scene) != SHEAF_OK || sheaf_model_create(scene, &model) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    return 0;
}

static int close_scene(void **state)
{
    (void)state;
    char command[128];
    sheaf_model_free(model);
    sheaf_scene_free(scene);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

// The one body, whose corners must be those of the mesh `frame` frames after the first.
static void assert_sheet(const view_stage *stage, double frame)
{
    const double slope = frame / 4, length = sqrt(1 + slope * slope);
    const view_subject subject = view_stage_subject(stage);
    assert_int_equal(subject.body_count, 1); // two grooms follow it
    const view_body *body = subject.bodies;
    assert_int_equal(body->shape->corner_count, 8);
    assert_int_equal(body->shape->index_count, 12);
    for (uint32_t k = 0; k < 8; k++) {
        double point[3], normal[3];
        view_body_point(body, body->shape->points[k], point);
        view_body_turn(body, body->shape->normals[k], normal);
        assert_close(point[2], slope * (point[0] + 0.1), 1e-15);
        assert_close(normal[0], -slope / length, 1e-14);
        assert_close(normal[1], 0, 1e-14);
        assert_close(normal[2], 1 / length, 1e-14);
    }
}

static void bodies_deform(void **state)
{
    (void)state;
    // s, and the frame shown, between frames too; back and forth, before the first and after the last
    static const double times[][2] = {{0, 0},      {0.1, 0}, {0.15, 0.5}, {0.2, 1},
                                      {0.28, 1.8}, {0.3, 2}, {7, 2},      {0.15, 0.5}};
    view_stage stage;
    assert_int_equal(view_stage_open(scene, model, &stage), SHEAF_OK);
    assert_sheet(&stage, 0);
    for (size_t k = 0; k < sizeof times / sizeof times[0]; k++) {
        assert_int_equal(view_stage_set_time(&stage, times[k][0]), SHEAF_OK);
        assert_sheet(&stage, times[k][1]);
    }
    view_stage_close(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_deform),
    };
    return cmocka_run_group_tests(tests, open_scene, close_scene);
}
