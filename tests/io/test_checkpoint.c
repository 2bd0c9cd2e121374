// test_checkpoint: a solver that goes on from a checkpoint does what the saved one would have done, to the last bit, on
// the reference and on a device; and a checkpoint that is damaged or of something else is refused. labels: device
#include "io/checkpoint.h"

#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crowd.h"
#include "unit.h"

enum { STRANDS = 27, STEPS = 30 };

static char place[64], path[96], second[96];

static int make_place(void **state)
{
    (void)state;
    strcpy(place, "/tmp/sheaf-test-XXXXXX");
    if (mkdtemp(place) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/checkpoint.h5", place);
    snprintf(second, sizeof second, "%s/second.h5", place);
    return 0;
}

static int remove_place(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", place);
    return system(command);
}

static sheaf_solver *open_solver(const sheaf_model *model, sheaf_backend backend)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_solver *solver;
    def.backend = backend;
    if (sheaf_solver_open(model, &def, &solver) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    return solver;
}

static void must(sheaf_status status)
{
    if (status != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
}

// Every array of two solvers, and their steps.
static void assert_same_state(sheaf_solver *a, sheaf_solver *b)
{
    solver_array arrays[SOLVER_ARRAYS_MOST];
    const uint32_t count = solver_arrays(a, arrays);
    assert_int_equal(solver_steps(a), solver_steps(b));
    assert_true(count >= 9);
    for (uint32_t k = 0; k < count; k++) {
        const size_t size = (size_t)arrays[k].rows * arrays[k].components * (arrays[k].is_double ? 8 : 4);
        char *first = malloc(size), *other = malloc(size);
        must(solver_read_array(a, k, first));
        must(solver_read_array(b, k, other));
        if (memcmp(first, other, size) != 0)
            fail_msg("array '%s' differs", arrays[k].name);
        free(first);
        free(other);
    }
}

static void goes_on(const sheaf_model *model, sheaf_backend backend)
{
    sheaf_solver *whole = open_solver(model, backend), *other = open_solver(model, backend);
    sheaf_report report, again;
    must(sheaf_solver_step(whole, STEPS));
    must(sheaf_solver_save(whole, path));
    must(sheaf_solver_load(other, path));
    assert_same_state(whole, other);
    must(sheaf_solver_step(whole, STEPS));
    must(sheaf_solver_step(other, STEPS));
    assert_same_state(whole, other);
    must(sheaf_solver_report(whole, &report));
    must(sheaf_solver_report(other, &again));
    assert_memory_equal(&report, &again, sizeof report);
    must(sheaf_solver_save(whole, path)); // replaces
    must(sheaf_solver_save(other, second));
    sheaf_solver_close(whole);
    sheaf_solver_close(other);
}

static void all_kinds_of_strands_go_on(void **state)
{
    (void)state;
    const crowd crowds[] = {
        {.strand_count = STRANDS, .vertex_count = 9, .is_ragged = true, .is_mixed = true, .step = 1. / 240},
        {.strand_count = STRANDS,
         .vertex_count = 9,
         .is_ragged = true,
         .is_mixed = true,
         .integrator = SHEAF_INTEGRATOR_EXPLICIT,
         .step = 2e-5},
    };
    for (size_t k = 0; k < sizeof crowds / sizeof *crowds; k++) {
        sheaf_model *model = crowd_model(&crowds[k]);
        goes_on(model, SHEAF_BACKEND_REFERENCE);
        goes_on(model, SHEAF_BACKEND_DEVICE);
        sheaf_model_free(model);
    }
}

// A ring, which only the reference simulates.
static void rings_go_on(void **state)
{
    (void)state;
    const sheaf_scene_def def = sheaf_scene_def_default();
    const sheaf_material_def material = sheaf_material_def_default();
    sheaf_strand_def strand = sheaf_strand_def_default();
    sheaf_scene *scene;
    sheaf_model *model;
    strand.shape = SHEAF_SHAPE_CIRCLE;
    strand.closed = true;
    strand.closing_twist = 1;
    strand.vertex_count = 16;
    strand.root = sheaf_end_free();
    must(sheaf_scene_create(&def, &scene));
    must(sheaf_scene_add_material(scene, &material, NULL));
    must(sheaf_scene_add_strand(scene, &strand));
    must(sheaf_model_create(scene, &model));
    goes_on(model, SHEAF_BACKEND_REFERENCE);
    sheaf_model_free(model);
    sheaf_scene_free(scene);
}

static const crowd small = {.strand_count = 5, .vertex_count = 7, .step = 1. / 120};

// What was wrong with a frozen strand is known after going on, and it stays frozen.
static void frozen_strands_stay_frozen(void **state)
{
    (void)state;
    sheaf_model *model = crowd_model(&small);
    for (sheaf_backend backend = SHEAF_BACKEND_REFERENCE; backend <= SHEAF_BACKEND_DEVICE; backend++) {
        sheaf_solver *solver = open_solver(model, backend), *other = open_solver(model, backend);
        solver_array arrays[SOLVER_ARRAYS_MOST];
        sheaf_incident incident, again;
        solver_arrays(solver, arrays);
        assert_string_equal(arrays[1].name, "velocity");
        double *values = calloc(model->vertex_count * 3, sizeof *values);
        must(solver_read_array(solver, 1, values));
        if (arrays[1].is_double)
            values[3 * model->first_vertex[2] + 13] = NAN;
        else
            ((float *)values)[3 * model->first_vertex[2] + 13] = NAN;
        must(solver_write_array(solver, 1, values));
        free(values);
        must(sheaf_solver_step(solver, 5));
        must(sheaf_solver_incident(solver, 0, &incident));
        assert_int_equal(incident.strand, 2);
        must(sheaf_solver_save(solver, path));
        must(sheaf_solver_load(other, path));
        must(sheaf_solver_step(other, 5));
        must(sheaf_solver_incident(other, 0, &again));
        assert_int_equal(sheaf_solver_incident(other, 1, &again), SHEAF_ERR_USAGE);
        must(sheaf_solver_incident(other, 0, &again));
        assert_true(again.strand == incident.strand && again.vertex == incident.vertex && again.step == incident.step &&
                    isnan(again.value) && isnan(incident.value));
        assert_string_equal(again.quantity, incident.quantity);
        sheaf_solver_close(solver);
        sheaf_solver_close(other);
    }
    sheaf_model_free(model);
}

static void refused(sheaf_solver *solver, const char *file, const char *why)
{
    assert_int_equal(sheaf_solver_load(solver, file), SHEAF_ERR_INPUT);
    if (strstr(sheaf_last_error(), why) == NULL)
        fail_msg("'%s' is not in: %s", why, sheaf_last_error());
}

// Changes one byte of the file.
static void flip(const char *file, off_t at)
{
    unsigned char byte = 0;
    const int descriptor = open(file, O_RDWR);
    assert_true(descriptor >= 0 && pread(descriptor, &byte, 1, at) == 1);
    byte ^= 0x10;
    assert_true(pwrite(descriptor, &byte, 1, at) == 1);
    close(descriptor);
}

static void others_are_refused(void **state)
{
    (void)state;
    crowd changed = small;
    changed.is_damped = true;
    sheaf_model *model = crowd_model(&small), *other_model = crowd_model(&changed);
    sheaf_solver *solver = open_solver(model, SHEAF_BACKEND_REFERENCE);
    sheaf_solver *other = open_solver(other_model, SHEAF_BACKEND_REFERENCE);
    sheaf_solver *device = open_solver(model, SHEAF_BACKEND_DEVICE);
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_solver *finer;
    def.backend = SHEAF_BACKEND_REFERENCE;
    def.step = 1. / 480;
    must(sheaf_solver_open(model, &def, &finer));
    must(sheaf_solver_save(solver, path));
    refused(other, path, "is of scene");
    refused(device, path, "is of a run on the reference, not device");
    refused(finer, path, "with a step of");
    assert_int_equal(sheaf_solver_load(solver, place), SHEAF_ERR_IO);
    assert_int_equal(sheaf_solver_load(solver, "/nowhere/at/all"), SHEAF_ERR_IO);
    assert_int_equal(sheaf_solver_load(NULL, path), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_solver_save(solver, NULL), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_solver_save(solver, "/nowhere/at/all"), SHEAF_ERR_IO);
    sheaf_solver_close(solver);
    sheaf_solver_close(other);
    sheaf_solver_close(device);
    sheaf_solver_close(finer);
    sheaf_model_free(model);
    sheaf_model_free(other_model);
}

static void set_attribute(hid_t group, const char *name, hid_t type, const void *value)
{
    const hid_t attribute = H5Aopen(group, name, H5P_DEFAULT);
    assert_true(attribute >= 0 && H5Awrite(attribute, type, value) >= 0);
    H5Aclose(attribute);
}

// A file that another version has written, with its checksum in order.
static void another_version_is_refused(void **state)
{
    (void)state;
    sheaf_model *model = crowd_model(&small);
    sheaf_solver *solver = open_solver(model, SHEAF_BACKEND_REFERENCE);
    io_checkpoint facts;
    must(sheaf_solver_save(solver, path));
    must(io_checkpoint_read(path, &facts));
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), group = H5Gopen2(file, "Checkpoint", H5P_DEFAULT);
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, 5);
    set_attribute(group, "version", type, "9.8.7");
    strcpy(facts.version, "9.8.7");
    const int64_t checksum = io_checkpoint_checksum(&facts);
    set_attribute(group, "crc32c", H5T_NATIVE_INT64, &checksum);
    H5Tclose(type);
    H5Gclose(group);
    H5Fclose(file);
    refused(solver, path, "is of Sheaf 9.8.7, not ");
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

static void another_format_is_refused(void **state)
{
    (void)state;
    sheaf_model *model = crowd_model(&small);
    sheaf_solver *solver = open_solver(model, SHEAF_BACKEND_REFERENCE);
    const int64_t format = 7;
    must(sheaf_solver_save(solver, path));
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), group = H5Gopen2(file, "Checkpoint", H5P_DEFAULT);
    set_attribute(group, "format", H5T_NATIVE_INT64, &format);
    H5Gclose(group);
    H5Fclose(file);
    refused(solver, path,
            "is a checkpoint of format 7; this version reads format 3: go on with the version that wrote it");
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

// Rewrites an array of the reference with its bytes the other way round.
static void turn_bytes(hid_t group, const solver_array *array)
{
    const hsize_t size[2] = {array->rows, array->components};
    double *values = calloc((size_t)array->rows * array->components, sizeof *values);
    int64_t checksum;
    hid_t dataset = H5Dopen2(group, array->name, H5P_DEFAULT), crc = H5Aopen(dataset, "crc32c", H5P_DEFAULT);
    assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    assert_true(H5Aread(crc, H5T_NATIVE_INT64, &checksum) >= 0);
    H5Aclose(crc);
    H5Dclose(dataset);
    assert_true(H5Ldelete(group, array->name, H5P_DEFAULT) >= 0);
    const hid_t space = H5Screate_simple(2, size, NULL), scalar = H5Screate(H5S_SCALAR);
    dataset = H5Dcreate2(group, array->name, H5T_IEEE_F64BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    crc = H5Acreate2(dataset, "crc32c", H5T_STD_I64BE, scalar, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(crc, H5T_NATIVE_INT64, &checksum) >= 0);
    H5Aclose(crc);
    H5Dclose(dataset);
    H5Sclose(space);
    H5Sclose(scalar);
    free(values);
}

// Rewrites the scene's identity likewise.
static void turn_identity(hid_t group)
{
    int64_t value;
    const hid_t scalar = H5Screate(H5S_SCALAR), old = H5Aopen(group, "identity", H5P_DEFAULT);
    assert_true(H5Aread(old, H5T_NATIVE_INT64, &value) >= 0);
    H5Aclose(old);
    assert_true(H5Adelete(group, "identity") >= 0);
    const hid_t turned = H5Acreate2(group, "identity", H5T_STD_I64BE, scalar, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(turned, H5T_NATIVE_INT64, &value) >= 0);
    H5Aclose(turned);
    H5Sclose(scalar);
}

// Numbers that another tool has turned round, be it a single array, are not as they were written; both orders are
// named.
static void another_byte_order_is_refused(void **state)
{
    (void)state;
    solver_array arrays[SOLVER_ARRAYS_MOST];
    sheaf_model *model = crowd_model(&small);
    sheaf_solver *solver = open_solver(model, SHEAF_BACKEND_REFERENCE);
    sheaf_solver *other = open_solver(model, SHEAF_BACKEND_REFERENCE);
    must(sheaf_solver_step(solver, 3));
    const uint32_t count = solver_arrays(solver, arrays);
    for (uint32_t k = 0; k <= count; k++) {
        if (k < count && !arrays[k].is_double)
            continue;
        must(sheaf_solver_save(solver, path));
        const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), group = H5Gopen2(file, "Checkpoint", H5P_DEFAULT);
        if (k < count)
            turn_bytes(group, &arrays[k]);
        else
            turn_identity(group);
        H5Gclose(group);
        H5Fclose(file);
        refused(other, path, "is of byte order big-endian, not little-endian");
    }
    must(sheaf_solver_save(solver, path));
    must(sheaf_solver_load(other, path));
    assert_same_state(solver, other);
    sheaf_solver_close(solver);
    sheaf_solver_close(other);
    sheaf_model_free(model);
}

// Whatever bit is wrong, the file is refused, or the bit meant nothing; the solver stays as it was.
static void damage_is_found(void **state)
{
    (void)state;
    struct stat found;
    sheaf_model *model = crowd_model(&small);
    sheaf_solver *solver = open_solver(model, SHEAF_BACKEND_REFERENCE);
    sheaf_solver *loaded = open_solver(model, SHEAF_BACKEND_REFERENCE);
    must(sheaf_solver_step(solver, 3));
    must(sheaf_solver_save(solver, path));
    assert_int_equal(stat(path, &found), 0);
    io_checkpoint facts;
    int refusals = 0, count = 0;
    for (off_t at = 0; at < found.st_size; at += 97, count++) {
        flip(path, at);
        const bool is_sound = io_checkpoint_check(path, &facts) == SHEAF_OK; // without a solver
        if (sheaf_solver_load(loaded, path) == SHEAF_OK) {
            assert_same_state(solver, loaded);
        } else {
            refusals++;
            assert_false(is_sound);
            assert_true(strlen(sheaf_last_error()) > 20);
        }
        flip(path, at);
    }
    assert_true(refusals > count / 4);
    for (off_t length = found.st_size - 1; length > 0; length -= found.st_size / 13) {
        assert_int_equal(truncate(path, length), 0);
        assert_int_not_equal(sheaf_solver_load(loaded, path), SHEAF_OK);
        must(sheaf_solver_save(solver, path));
    }
    sheaf_solver_close(solver);
    sheaf_solver_close(loaded);
    sheaf_model_free(model);
}

// What is written where decimals have a comma is read where they have a point, and the other way round.
static void locales_do_not_matter(void **state)
{
    (void)state;
    char command[256];
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 '%s/comma' >/dev/null 2>&1", place);
    setenv("LOCPATH", place, 1);
    if (system(command) != 0 || setlocale(LC_NUMERIC, "comma") == NULL)
        skip(); // there is no such locale here
    snprintf(command, sizeof command, "%.1f", 0.5);
    assert_string_equal(command, "0,5");
    sheaf_model *model = crowd_model(&small);
    sheaf_solver *solver = open_solver(model, SHEAF_BACKEND_REFERENCE);
    must(sheaf_solver_save(solver, path));
    setlocale(LC_NUMERIC, "C");
    must(sheaf_solver_load(solver, path));
    must(sheaf_solver_save(solver, path));
    setlocale(LC_NUMERIC, "comma");
    must(sheaf_solver_load(solver, path));
    setlocale(LC_NUMERIC, "C");
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

static void checksums_are_known(void **state)
{
    (void)state;
    const char text[] = "123456789";
    assert_int_equal(base_crc32c(text, 9, 0), 0xe3069283u);
    assert_int_equal(base_crc32c(text + 4, 5, base_crc32c(text, 4, 0)), 0xe3069283u);
    assert_int_equal(base_crc32c(text, 0, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kinds_of_strands_go_on),
        cmocka_unit_test(rings_go_on),
        cmocka_unit_test(frozen_strands_stay_frozen),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(damage_is_found),
        cmocka_unit_test(another_version_is_refused),
        cmocka_unit_test(another_format_is_refused),
        cmocka_unit_test(another_byte_order_is_refused),
        cmocka_unit_test(locales_do_not_matter),
        cmocka_unit_test(checksums_are_known),
    };
    return cmocka_run_group_tests(tests, make_place, remove_place);
}
