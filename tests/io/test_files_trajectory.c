// test_files_trajectory: VTKHDF files grow frame by frame, are whole whenever they are looked at, and come back
// exactly.
#include "io/trajectory.h"

#include <hdf5.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grooms.h"
#include "io/file.h"
#include "io/grooms.h"
#include "unit.h"

static char folder[64], *path;

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/sheaf-test-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return 1;
    path = io_path_join(folder, "t.vtkhdf");
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return path == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    base_free(path);
    return rmdir(folder);
}

static io_trajectory_def def_of(const groom *g)
{
    return (io_trajectory_def){.strand_count = g->strand_count,
                               .vertex_count = g->vertex_count,
                               .first_vertex = g->first_vertex,
                               .metres_per_unit = 1,
                               .up = GROOM_UP_Z,
                               .title = "a test"};
}

// Adds frames first .. end - 1 of a moving groom.
static void add_frames(io_trajectory *t, groom_source *made, uint64_t first, uint64_t end)
{
    for (uint64_t k = first; k < end; k++) {
        assert_int_equal(groom_load(made, k), SHEAF_OK);
        assert_int_equal(io_trajectory_add(t, made->times[k], made->groom.positions, false), SHEAF_OK);
    }
}

// The file holds the first `frames` frames of the groom, whoever else has it open.
static void assert_frames(groom_source *made, uint64_t frames)
{
    groom_source read;
    if (groom_open(&io_format_vtkhdf, path, &read) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    assert_int_equal(read.frame_count, frames);
    for (uint64_t k = frames; k-- > 0;) {
        assert_int_equal(groom_load(made, k), SHEAF_OK);
        assert_int_equal(groom_load(&read, k), SHEAF_OK);
        assert_close(read.times[k], made->times[k], 0);
        grooms_assert_equal(&made->groom, &read.groom, 0, 0);
    }
    groom_close(&read);
}

static void grows_and_is_read_while_it_grows(void **state)
{
    (void)state;
    groom_source made = grooms_make_moving(5, 7, 20);
    const io_trajectory_def def = def_of(&made.groom);
    io_trajectory *t;
    assert_int_equal(io_trajectory_create(path, &def, &t), SHEAF_OK);
    groom_source none;
    assert_int_equal(groom_open(&io_format_vtkhdf, path, &none), SHEAF_ERR_INPUT);
    assert_non_null(strstr(sheaf_last_error(), "no frame in it yet"));
    for (uint64_t k = 0; k < 20; k++) {
        add_frames(t, &made, k, k + 1);
        assert_frames(&made, k + 1);
    }
    assert_int_equal(io_trajectory_close(t), SHEAF_OK);
    assert_frames(&made, 20);
    groom_close(&made);
}

// A writer that dies leaves every frame that it has added.
static void survives_its_writer(void **state)
{
    (void)state;
    groom_source made = grooms_make_moving(3, 4, 9);
    for (uint64_t frames = 1; frames <= 9; frames += 4) {
        const pid_t child = fork();
        if (child == 0) {
            const io_trajectory_def def = def_of(&made.groom);
            io_trajectory *t;
            if (io_trajectory_create(path, &def, &t) == SHEAF_OK)
                add_frames(t, &made, 0, frames);
            raise(SIGKILL);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        assert_frames(&made, frames);
    }
    groom_close(&made);
}

static void keeps_all_it_can_hold(void **state)
{
    (void)state;
    for (int is_double = 0; is_double < 2; is_double++) {
        groom_source made = grooms_make(8, GROOM_WIDTH | GROOM_IDS, is_double != 0), read;
        groom_set_point(&made.groom, 0, (const double[3]){is_double ? 1.0 / 3 : 0.25, 0, 0});
        made.groom.metres_per_unit = 0.01;
        made.groom.up = GROOM_UP_Y;
        assert_int_equal(io_groom_save(&io_format_vtkhdf, &made, path, true), SHEAF_OK);
        assert_int_equal(groom_open(&io_format_vtkhdf, path, &read), SHEAF_OK);
        assert_int_equal(read.groom.is_double, is_double);
        grooms_assert_equal(&made.groom, &read.groom, GROOM_WIDTH | GROOM_IDS, 0);
        assert_close(read.groom.metres_per_unit, 0.01, 0);
        assert_int_equal(read.groom.up, GROOM_UP_Y);
        groom_close(&made);
        groom_close(&read);
    }
    assert_int_equal(io_groom_save(&io_format_vtkhdf, &(groom_source){.frame_count = 2}, path, true), SHEAF_ERR_INPUT);
}

// ---- damage

// Opens the file with HDF5, lets `spoil` change it, and expects it to be refused with a message.
static void refuse_spoilt(void (*spoil)(hid_t root), const char *message)
{
    groom_source made = grooms_make_moving(3, 4, 3), read;
    assert_int_equal(io_groom_save(&io_format_vtkhdf, &made, path, true), SHEAF_OK);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), root = H5Gopen2(file, "VTKHDF", H5P_DEFAULT);
    assert_true(root >= 0);
    spoil(root);
    H5Gclose(root);
    H5Fclose(file);
    const sheaf_status status = groom_open(&io_format_vtkhdf, path, &read);
    if (status != SHEAF_ERR_INPUT || strstr(sheaf_last_error(), message) == NULL)
        fail_msg("status %d and '%s' instead of '%s'", (int)status, sheaf_last_error(), message);
    groom_close(&made);
}

static void put(hid_t root, const char *name, int64_t value)
{
    const hid_t dataset = H5Dopen2(root, name, H5P_DEFAULT);
    assert_true(dataset >= 0 && H5Dwrite(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) >= 0);
    H5Dclose(dataset);
}

static void resize(hid_t root, const char *name, hsize_t rows, hsize_t width)
{
    const hsize_t size[2] = {rows, width};
    const hid_t dataset = H5Dopen2(root, name, H5P_DEFAULT);
    assert_true(dataset >= 0 && H5Dset_extent(dataset, size) >= 0);
    H5Dclose(dataset);
}

static void drop_points(hid_t root)
{
    H5Ldelete(root, "Points", H5P_DEFAULT);
}
static void drop_lines(hid_t root)
{
    H5Ldelete(root, "Lines", H5P_DEFAULT);
}
static void drop_type(hid_t root)
{
    H5Adelete(root, "Type");
}
static void many_points(hid_t root)
{
    put(root, "NumberOfPoints", INT64_MAX);
}
static void negative_points(hid_t root)
{
    put(root, "NumberOfPoints", -1);
}
static void many_lines(hid_t root)
{
    put(root, "Lines/NumberOfCells", 1000000);
}
static void huge_lines(hid_t root)
{
    put(root, "Lines/NumberOfCells", INT64_MAX);
}
static void short_points(hid_t root)
{
    resize(root, "Points", 30, 3);
}
static void hollow_points(hid_t root)
{
    resize(root, "Points", 1ull << 40, 3);
}
static void no_offsets(hid_t root)
{
    H5Ldelete(root, "Steps/CellOffsets", H5P_DEFAULT);
}
static void no_steps(hid_t root)
{
    resize(root, "Steps/Values", 0, 1);
}
static void same_times(hid_t root)
{
    const double times[3] = {0, 0.5, 0.5};
    const hid_t dataset = H5Dopen2(root, "Steps/Values", H5P_DEFAULT);
    H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, times);
    H5Dclose(dataset);
}
static void wrong_line(hid_t root)
{
    const int64_t connectivity[12] = {0, 1, 2, 3, 4, 5, 99, 7, 8, 9, 10, 11};
    const hid_t dataset = H5Dopen2(root, "Lines/Connectivity", H5P_DEFAULT);
    H5Dwrite(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, connectivity);
    H5Dclose(dataset);
}
static void bad_number(hid_t root)
{
    double points[36][3] = {{0}};
    points[5][1] = NAN;
    const hid_t dataset = H5Dopen2(root, "Points", H5P_DEFAULT);
    H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, points);
    H5Dclose(dataset);
}

static void spoilt_files_are_refused(void **state)
{
    (void)state;
    refuse_spoilt(drop_points, "Points is missing");
    refuse_spoilt(drop_lines, "no lines");
    refuse_spoilt(drop_type, "no VTKHDF of the type PolyData");
    refuse_spoilt(many_points, "Points is shorter");
    refuse_spoilt(negative_points, "a point that is not there");
    refuse_spoilt(many_lines, "Offsets is missing, is shorter");
    refuse_spoilt(huge_lines, "more than 4294967295 lines");
    refuse_spoilt(short_points, "Points is shorter");
    refuse_spoilt(hollow_points, "Points is missing, or is no array");
    refuse_spoilt(no_offsets, "CellOffsets is missing");
    refuse_spoilt(no_steps, "no frame in it yet");
    refuse_spoilt(same_times, "times of its frames do not grow");
    refuse_spoilt(wrong_line, "a point that is not there");
    refuse_spoilt(bad_number, "strand 1, vertex 1: y is nan");
}

// Lines may take points in any order.
static void lines_choose_points(void **state)
{
    (void)state;
    groom_source made = grooms_make_moving(2, 3, 2), read;
    const int64_t connectivity[6] = {5, 4, 3, 2, 1, 0};
    double point[3];
    assert_int_equal(io_groom_save(&io_format_vtkhdf, &made, path, true), SHEAF_OK);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t dataset = H5Dopen2(file, "VTKHDF/Lines/Connectivity", H5P_DEFAULT);
    H5Dwrite(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, connectivity);
    H5Dclose(dataset);
    H5Fclose(file);
    assert_int_equal(groom_open(&io_format_vtkhdf, path, &read), SHEAF_OK);
    assert_int_equal(groom_load(&read, 1), SHEAF_OK);
    groom_point(&read.groom, 0, point);
    assert_close(point[0], 1 + 0.5 + 1, 0); // strand 1, vertex 2, a step along x
    groom_close(&made);
    groom_close(&read);
}

static void cut_files_are_refused(void **state)
{
    (void)state;
    groom_source made = grooms_make_moving(3, 4, 3), read;
    base_text bytes;
    assert_int_equal(io_groom_save(&io_format_vtkhdf, &made, path, true), SHEAF_OK);
    assert_int_equal(io_file_read(path, 1 << 24, &bytes), SHEAF_OK);
    for (size_t size = 0; size < bytes.length; size += 1 + bytes.length / 100) {
        assert_int_equal(io_file_write(path, true, bytes.bytes, size), SHEAF_OK);
        assert_int_equal(groom_open(&io_format_vtkhdf, path, &read), SHEAF_ERR_INPUT);
    }
    base_text_free(&bytes);
    groom_close(&made);
}

// Opens the file; whether every frame and array of it can be read.
static bool is_sound(groom_source *read)
{
    if (groom_open(&io_format_vtkhdf, path, read) != SHEAF_OK)
        return false;
    if (io_trajectory_check(read) == SHEAF_OK)
        return true;
    groom_close(read);
    return false;
}

// A wrong bit in points, times, lines or offsets is found; one elsewhere changes nothing, or is found.
static void wrong_bits_are_found(void **state)
{
    (void)state;
    groom_source made = grooms_make_moving(30, 40, 3), read;
    base_text bytes;
    assert_int_equal(io_groom_save(&io_format_vtkhdf, &made, path, true), SHEAF_OK);
    assert_int_equal(io_file_read(path, 1 << 24, &bytes), SHEAF_OK);
    assert_true(is_sound(&read));
    groom_close(&read);
    int found = 0;
    for (size_t at = 64; at < bytes.length; at += 101) {
        bytes.bytes[at] ^= 4;
        assert_int_equal(io_file_write(path, true, bytes.bytes, bytes.length), SHEAF_OK);
        bytes.bytes[at] ^= 4;
        if (!is_sound(&read)) {
            found++;
            continue;
        }
        for (uint64_t k = 0; k < read.frame_count; k++) {
            assert_int_equal(groom_load(&made, k), SHEAF_OK);
            assert_int_equal(groom_load(&read, k), SHEAF_OK);
            assert_close(read.times[k], made.times[k], 0);
            grooms_assert_equal(&made.groom, &read.groom, 0, 0);
        }
        groom_close(&read);
    }
    assert_true(found >= (int)(3 * 1200 * 12 / 101) - 3); // all of those in points, at least
    base_text_free(&bytes);
    groom_close(&made);
}

// A chunk that is written again with every frame lies within a sector of 512 bytes, so that it is never half old.
static void rewritten_chunks_lie_in_sectors(void **state)
{
    (void)state;
    static const char *const names[] = {"PartOffsets", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets",
                                        "Values"};
    groom_source made = grooms_make_moving(3, 4, 70);
    assert_int_equal(io_groom_save(&io_format_vtkhdf, &made, path, true), SHEAF_OK);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), steps = H5Gopen2(file, "VTKHDF/Steps", H5P_DEFAULT);
    for (int k = 0; k < 5; k++) {
        const hid_t dataset = H5Dopen2(steps, names[k], H5P_DEFAULT), space = H5Dget_space(dataset);
        hsize_t count = 0;
        assert_true(H5Dget_num_chunks(dataset, space, &count) >= 0 && count >= 2);
        for (hsize_t chunk = 0; chunk < count; chunk++) {
            hsize_t offset[2], size;
            unsigned filters;
            haddr_t at;
            assert_true(H5Dget_chunk_info(dataset, space, chunk, offset, &filters, &at, &size) >= 0);
            assert_true(size > 0 && at / 512 == (at + size - 1) / 512);
        }
        H5Sclose(space);
        H5Dclose(dataset);
    }
    H5Gclose(steps);
    H5Fclose(file);
    groom_close(&made);
}

static void failures_to_write_are_told(void **state)
{
    (void)state;
    groom_source made = grooms_make_moving(3, 4, 1);
    const io_trajectory_def def = def_of(&made.groom);
    io_trajectory *t;
    assert_int_equal(io_trajectory_create("/nowhere/t.vtkhdf", &def, &t), SHEAF_ERR_IO);
    assert_null(t);
    assert_non_null(strstr(sheaf_last_error(), "cannot write '/nowhere/t.vtkhdf': No such file"));
    groom_close(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_and_is_read_while_it_grows),
        cmocka_unit_test(survives_its_writer),
        cmocka_unit_test(keeps_all_it_can_hold),
        cmocka_unit_test(spoilt_files_are_refused),
        cmocka_unit_test(lines_choose_points),
        cmocka_unit_test(cut_files_are_refused),
        cmocka_unit_test(wrong_bits_are_found),
        cmocka_unit_test(rewritten_chunks_lie_in_sectors),
        cmocka_unit_test(failures_to_write_are_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
