// test_io_run: folders of runs, their records, and files of positions.
#include "io/folder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/positions.h"
#include "io/thermo.h"

#include "unit.h"

static char place[64];

static int make_place(void **state)
{
    (void)state;
    strcpy(place, "/tmp/sheaf-test-XXXXXX");
    return mkdtemp(place) == NULL;
}

static int remove_place(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", place);
    return system(command);
}

static sheaf_model *make_model(void)
{
    sheaf_scene_def def = sheaf_scene_def_default();
    sheaf_material_def material = sheaf_material_def_default();
    sheaf_strand_def strand = sheaf_strand_def_default();
    sheaf_scene *scene;
    sheaf_model *model;
    def.title = "two \"rods\" \xff";
    material.name = "steel";
    material.density = 7800;
    material.young = 200e9;
    material.shear = 80e9;
    material.radius[0] = material.radius[1] = 1e-3;
    strand.shape = SHEAF_SHAPE_STRAIGHT;
    strand.vertex_count = 4;
    strand.length = 0.3;
    strand.direction[0] = 1;
    strand.direction[2] = 0;
    assert_int_equal(sheaf_scene_create(&def, &scene), SHEAF_OK);
    assert_int_equal(sheaf_scene_add_material(scene, &material, NULL), SHEAF_OK);
    assert_int_equal(sheaf_scene_add_strand(scene, &strand), SHEAF_OK);
    strand.vertex_count = 3;
    assert_int_equal(sheaf_scene_add_strand(scene, &strand), SHEAF_OK);
    assert_int_equal(sheaf_model_create(scene, &model), SHEAF_OK);
    sheaf_scene_free(scene);
    return model;
}

static void a_folder_is_made_written_and_kept(void **state)
{
    (void)state;
    io_folder folder;
    char *path = io_path_join(place, "run");
    base_text text = {0};
    base_text_add(&text, "drawing");
    assert_int_equal(io_folder_check(path, false), SHEAF_OK);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(io_folder_open(path, false, &folder), SHEAF_OK);
    assert_int_equal(io_folder_write(&folder, IO_PICTURE_NAME, &text), SHEAF_OK);
    io_folder_close(&folder);
    base_text_free(&text);
    assert_int_equal(io_folder_open(path, false, &folder), SHEAF_ERR_IO); // killed before its record: still a run's
    assert_null(folder.path);
    assert_int_equal(io_folder_open(path, true, &folder), SHEAF_OK);
    char *picture = io_path_join(path, IO_PICTURE_NAME);
    assert_int_equal(access(picture, F_OK), -1); // old results do not stand beside new ones
    io_folder_close(&folder);
    base_free(picture);
    base_free(path);
}

// Leaves an unfinished file of a process in the folder, and returns its path.
static char *leave(const char *folder, pid_t process)
{
    char name[64];
    snprintf(name, sizeof name, ".sheaf-%ld-3.tmp", (long)process);
    char *path = io_path_join(folder, name);
    assert_int_equal(io_file_write(path, false, "half", 4), SHEAF_OK);
    return path;
}

// A run that begins or goes on removes unfinished files of killed ones, and leaves those of processes that live.
static void leavings_of_killed_runs_are_removed(void **state)
{
    (void)state;
    io_folder folder;
    io_thermo rows;
    int result;
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, &result, 0), child);
    for (int again = 0; again < 2; again++) {
        char *dead = leave(place, child), *live = leave(place, getppid());
        assert_int_equal(again ? io_folder_reopen(place, &folder, &rows) : io_folder_open(place, true, &folder),
                         SHEAF_OK);
        assert_int_equal(access(dead, F_OK), -1);
        assert_int_equal(access(live, F_OK), 0);
        assert_int_equal(unlink(live), 0);
        io_folder_close(&folder);
        base_free(dead);
        base_free(live);
    }
    io_thermo_free(&rows);
}

static void another_process_is_kept_out(void **state)
{
    (void)state;
    io_folder folder;
    assert_int_equal(io_folder_open(place, false, &folder), SHEAF_OK);
    const pid_t child = fork();
    if (child == 0) {
        io_folder second;
        const sheaf_status status = io_folder_open(place, true, &second);
        _exit(status == SHEAF_ERR_IO && strstr(sheaf_last_error(), "another run") != NULL ? 0 : 1);
    }
    int result;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(result, 0);
    io_folder_close(&folder);
}

static void foreign_files_are_respected(void **state)
{
    (void)state;
    io_folder folder;
    char *file = io_path_join(place, "letter");
    assert_int_equal(io_file_write(file, false, "dear", 4), SHEAF_OK);
    assert_int_equal(io_folder_open(place, true, &folder), SHEAF_ERR_IO);
    assert_int_equal(io_folder_open(file, true, &folder), SHEAF_ERR_IO);
    base_free(file);
}

static void records_are_read_as_written(void **state)
{
    (void)state;
    sheaf_model *model = make_model();
    io_folder folder;
    const sheaf_incident incident = {.strand = 1, .vertex = 2, .step = 3, .quantity = "velocity", .value = NAN};
    io_record record = {.scene = "a\nb.yaml",
                        .model = model,
                        .device = "reference",
                        .form = "scalar",
                        .precision = "double",
                        .step = 0.01,
                        .time = 0.5,
                        .steps = 50,
                        .frames = 6,
                        .wall_seconds = 2,
                        .frozen_strands = 1,
                        .worst_strain = 1e-7,
                        .exit_code = 4,
                        .incidents = &incident,
                        .incident_count = 1};
    assert_int_equal(io_folder_open(place, false, &folder), SHEAF_OK);
    assert_int_equal(io_record_write(&folder, &record), SHEAF_OK);
    char *path = io_path_join(place, IO_RECORD_NAME);
    json_t *read;
    assert_int_equal(io_record_read(path, &read), SHEAF_OK);
    assert_string_equal(json_string_value(json_object_get(read, "scene")), "a\\nb.yaml");
    assert_string_equal(json_string_value(json_object_get(read, "title")), "two \"rods\" \\xff");
    assert_int_equal(json_integer_value(json_object_get(read, "exit")), 4);
    assert_int_equal(json_integer_value(json_object_get(read, "vertices")), 7);
    assert_true(json_number_value(json_object_get(read, "vertex_steps_per_s")) == 175);
    const json_t *first = json_array_get(json_object_get(read, "incidents"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "quantity")), "velocity");
    json_decref(read);
    record.exit_code = -1;
    assert_int_equal(io_record_write(&folder, &record), SHEAF_OK);
    assert_int_equal(io_record_read(path, &read), SHEAF_OK);
    assert_true(json_is_null(json_object_get(read, "exit")));
    json_decref(read);
    io_folder_close(&folder);
    base_free(path);
    sheaf_model_free(model);
}

static void positions_are_read_as_written(void **state)
{
    (void)state;
    sheaf_model *model = make_model();
    char *path = io_path_join(place, IO_STRANDS_NAME), problem[160];
    io_positions_summary summary;
    assert_int_equal(io_positions_write(path, model, 1, (const double(*)[3])model->position), SHEAF_OK);
    assert_int_equal(io_positions_scan(path, &summary, problem, sizeof problem), SHEAF_OK);
    assert_string_equal(problem, "");
    assert_int_equal(summary.strands, 2);
    assert_int_equal(summary.vertices, 7);
    assert_true(fabs(summary.high[0] - 0.3) < 0.1);
    base_free(path);
    sheaf_model_free(model);
}

static void damaged_positions_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *rows;
        uint64_t good;
    } cases[] = {
        {"0,0,1,2,3\n0,1,1,2,3\n1,0,1,2\n", 2},
        {"0,0,1,2,3\n0,2,1,2,3\n", 1},
        {"0,0,1,nan,3\n", 0},
        {"0,0,1,2,3\n0,1,1,2,3", 1},
        {"0,1,1,2,3\n", 0},
        {"2,0,1,2,3\n1,0,1,2,3\n", 1},
        {"0,0,1,2,3,4\n", 0},
        {"0,0,1,2,3\n0,1,x,2,3\n", 1},
    };
    char *path = io_path_join(place, IO_STRANDS_NAME), problem[160], text[256];
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        io_positions_summary summary;
        const int length = snprintf(text, sizeof text, "strand,vertex,x_m,y_m,z_m\n%s", cases[k].rows);
        assert_int_equal(io_file_write(path, true, text, (size_t)length), SHEAF_OK);
        assert_int_equal(io_positions_scan(path, &summary, problem, sizeof problem), SHEAF_OK);
        assert_int_equal(summary.vertices, cases[k].good);
        assert_string_not_equal(problem, "");
    }
    io_positions_summary summary;
    assert_int_equal(io_file_write(path, true, "x,y,z\n", 6), SHEAF_OK);
    assert_int_equal(io_positions_scan(path, &summary, problem, sizeof problem), SHEAF_ERR_INPUT);
    base_free(path);
}

#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_PLACE(a_folder_is_made_written_and_kept), IN_PLACE(leavings_of_killed_runs_are_removed),
        IN_PLACE(another_process_is_kept_out),       IN_PLACE(foreign_files_are_respected),
        IN_PLACE(records_are_read_as_written),       IN_PLACE(positions_are_read_as_written),
        IN_PLACE(damaged_positions_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
