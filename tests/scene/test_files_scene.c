// test_files_scene: strands of a file in a scene: where they are, what is added and left out, and what is refused.
#include "scene/bunch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grooms.h"
#include "model/model.h"
#include "scene/reader.h"
#include "unit.h"

#define MATERIAL "materials: { hair: { density: 1300 kg/m^3, young: 3.5 GPa, shear: 1.3 GPa, radius: 45 um } }\n"

static char path[64], *name;

// A file of strands of 3, 2, 1, 5 and 4 vertices; the points of grooms_make.
static int make_file(void **state)
{
    (void)state;
    groom_source made = grooms_make(5, 0, false);
    strcpy(path, "/tmp/sheaf-test-XXXXXX"); // its first bytes say what it is
    const int descriptor = mkstemp(path);
    FILE *stream = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (stream == NULL || groom_write(&groom_format_ply, &made, stream) != SHEAF_OK || fclose(stream) != 0)
        return 1;
    groom_close(&made);
    name = strrchr(path, '/') + 1;
    return 0;
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

// Reads a scene as if it lay beside the file; `rest` is the strand's map after its file.
static sheaf_status read_scene(const char *settings, const char *rest, sheaf_scene **scene)
{
    char text[1024];
    snprintf(text, sizeof text, "sheaf: 1\n%s" MATERIAL "strands:\n  - { file: %s, %s }\n", settings, name, rest);
    return sheaf_scene_parse(text, strlen(text), "/tmp/scene.yaml", scene);
}

static sheaf_model *compile(const char *settings, const char *rest)
{
    sheaf_scene *scene;
    sheaf_model *model = NULL;
    if (read_scene(settings, rest, &scene) != SHEAF_OK || sheaf_model_create(scene, &model) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    sheaf_scene_free(scene); // the model has what it needs
    return model;
}

static void assert_point(const double point[3], double x, double y, double z)
{
    assert_close(point[0], x, 1e-12);
    assert_close(point[1], y, 1e-12);
    assert_close(point[2], z, 1e-12);
}

// Of the five strands those of 3, 5 and 4 vertices can be simulated as they are; with a ghost that of 2, too.
static void free_strands_are_as_the_file_has_them(void **state)
{
    (void)state;
    sheaf_model *model = compile("", "unit: cm, up: z, root: pin");
    assert_int_equal(model->strand_count, 3);
    assert_int_equal(model->vertex_count, 12);
    assert_int_equal(model_vertex_count(model, 1), 5);
    assert_point(model->position[0], 0, 0, -0.01);
    assert_point(model->position[2], 0.005, -0.01, 0.01 * (0.5 - 1));
    assert_point(model->position[3], 0.03, 0, -0.01);
    sheaf_model_free(model);
}

static void clamped_strands_get_a_ghost(void **state)
{
    (void)state;
    sheaf_model *model = compile("", "unit: m, up: z");
    assert_int_equal(model->strand_count, 4);
    assert_int_equal(model->vertex_count, 3 + 2 + 5 + 4 + 4);
    assert_point(model->position[0], -0.25, 0.5, -1.125); // as far behind the root as the next vertex is before it
    assert_point(model->position[1], 0, 0, -1);
    assert_point(model->position[2], 0.25, -0.5, -0.875);
    assert_true(model->groups[0].bunch->has_ghosts);
    sheaf_model_free(model);
}

static void axes_turn_to_where_up_is(void **state)
{
    (void)state;
    sheaf_model *model = compile("", "unit: m, up: y, root: pin");
    assert_point(model->position[1], 0.25, 0.875, -0.5); // (x, y, z) to (x, -z, y)
    sheaf_model_free(model);
    model = compile("gravity: [0, -9.81, 0]\n", "unit: in, up: y, root: pin");
    assert_point(model->position[1], 0.0254 * 0.25, 0.0254 * -0.5, 0.0254 * -0.875);
    sheaf_model_free(model);
}

static char notices[512];

static void keep_notice(sheaf_log_level level, const char *message, void *user)
{
    (void)user;
    (void)level;
    strncat(notices, message, sizeof notices - strlen(notices) - 1);
}

static void what_is_left_out_is_told(void **state)
{
    (void)state;
    sheaf_log_set(keep_notice, NULL);
    sheaf_model *model = compile("", "unit: cm, up: z, root: pin");
    sheaf_log_set(NULL, NULL);
    assert_non_null(strstr(notices, "2 strands of fewer than 3 vertices are left out"));
    sheaf_model_free(model);
}

static void mistakes_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *rest, *message;
    } cases[] = {
        {"up: z", "does not say its unit"},
        {"unit: cm", "does not say which axis is up"},
        {"unit: parsec, up: z", "unit"},
        {"unit: cm, up: z, groom: {}", "exactly one of points, shape, groom and file, not 2"},
        {"unit: cm, up: z, closed: true", "only points and circles can be closed"},
        {"unit: cm, up: z, spacing: [1, 1]", "spacing is for shapes only"},
        {"unit: cm, up: z, tip: clamp", "with both ends clamped, 3 vertices leave none to move"},
        {"unit: cm, up: z, holds: [{ edge: 3 }]", "edge 3 is not an inner edge"},
        {"unit: ft, up: z, root: { hold: clamp, follow: nobody }", "nobody"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        sheaf_scene *scene;
        assert_int_equal(read_scene("", cases[k].rest, &scene), SHEAF_ERR_INPUT);
        if (strstr(sheaf_last_error(), cases[k].message) == NULL)
            fail_msg("'%s' says nothing of '%s'", sheaf_last_error(), cases[k].message);
    }
}

static void other_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"strands: [{ file: missing.hair, unit: cm, up: z }]", "cannot read '/tmp/missing.hair'"},
        {"strands: [{ file: /, unit: cm, up: z }]", "it is a folder"},
        {"strands: [{ file: \"\", unit: cm, up: z }]", "it is a folder"},
        {"strands: [{ shape: { straight: { length: 1 } }, unit: cm }]", "unit and up are for strands of a file"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[512];
        sheaf_scene *scene;
        snprintf(text, sizeof text, "sheaf: 1\n" MATERIAL "%s\n", cases[k].text);
        assert_int_equal(sheaf_scene_parse(text, strlen(text), "/tmp/scene.yaml", &scene), SHEAF_ERR_INPUT);
        if (strstr(sheaf_last_error(), cases[k].message) == NULL)
            fail_msg("'%s' says nothing of '%s'", sheaf_last_error(), cases[k].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_strands_are_as_the_file_has_them),
        cmocka_unit_test(clamped_strands_get_a_ghost),
        cmocka_unit_test(axes_turn_to_where_up_is),
        cmocka_unit_test(what_is_left_out_is_told),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(other_files_are_refused),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
