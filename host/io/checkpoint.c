// checkpoint: writing and reading the whole state of a solver.
#include "io/checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"

enum { FORMAT = 4 }; // of the file; another one is refused

#define GROUP "Checkpoint"

// ---- what a checkpoint says of itself

// Eight bytes, the lowest first, whatever the machine's order.
static uint32_t add_whole(uint32_t checksum, uint64_t value)
{
    unsigned char bytes[8];
    for (int k = 0; k < 8; k++)
        bytes[k] = (unsigned char)(value >> (8 * k));
    return base_crc32c(bytes, sizeof bytes, checksum);
}

static uint32_t add_real(uint32_t checksum, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return add_whole(checksum, bits);
}

// Of bytes, not of printed numbers: how these look depends on the locale.
uint32_t io_checkpoint_checksum(const io_checkpoint *facts)
{
    const char *const texts[] = {facts->version, facts->backend, facts->precision, facts->title};
    const uint64_t numbers[] = {facts->identity, facts->strands,  facts->vertices,
                                facts->steps,    facts->restarts, facts->arrays};
    uint32_t checksum = 0;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
        checksum = base_crc32c(texts[k], strlen(texts[k]) + 1, checksum);
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
        checksum = add_whole(checksum, numbers[k]);
    return add_real(add_real(checksum, facts->step), facts->wall_seconds);
}

static sheaf_status find_facts(sheaf_solver *solver, const io_checkpoint_note *note, io_checkpoint *facts)
{
    const sheaf_model *model = solver_model(solver);
    solver_array arrays[SOLVER_ARRAYS_MOST];
    *facts = (io_checkpoint){.strands = model->strand_count,
                             .vertices = model->vertex_count,
                             .step = solver_step(solver),
                             .steps = solver_steps(solver),
                             .wall_seconds = note->wall_seconds,
                             .restarts = note->restarts,
                             .arrays = solver_arrays(solver, arrays)};
    snprintf(facts->version, sizeof facts->version, "%s", sheaf_version());
    snprintf(facts->backend, sizeof facts->backend, "%s", solver_is_reference(solver) ? "reference" : "device");
    snprintf(facts->precision, sizeof facts->precision, "%s", sheaf_solver_precision(solver));
    base_printable(model->def.title ? model->def.title : "", facts->title, sizeof facts->title);
    return solver_identity(solver, &facts->identity);
}

static bool set_whole(hid_t group, const char *name, uint64_t value)
{
    const int64_t number = (int64_t)value;
    return io_hdf_set_integers(group, name, &number, 0);
}

// HDF5 would make 0 of a negative number that is read as one without a sign.
static void get_whole(hid_t object, const char *name, uint64_t *value)
{
    int64_t number = (int64_t)*value;
    io_hdf_get_number(object, name, H5T_NATIVE_INT64, &number);
    *value = (uint64_t)number;
}

static bool put_facts(hid_t group, const io_checkpoint *facts)
{
    return set_whole(group, "format", FORMAT) && io_hdf_set_text(group, "version", facts->version) &&
           io_hdf_set_text(group, "backend", facts->backend) && io_hdf_set_text(group, "precision", facts->precision) &&
           io_hdf_set_text(group, "title", facts->title) && set_whole(group, "identity", facts->identity) &&
           set_whole(group, "strands", facts->strands) && set_whole(group, "vertices", facts->vertices) &&
           io_hdf_set_real(group, "step_s", facts->step) && set_whole(group, "steps", facts->steps) &&
           io_hdf_set_real(group, "wall_seconds", facts->wall_seconds) &&
           set_whole(group, "restarts", facts->restarts) && set_whole(group, "arrays", facts->arrays) &&
           set_whole(group, "crc32c", io_checkpoint_checksum(facts));
}

static sheaf_status get_facts(hid_t group, const char *shown, io_checkpoint *facts)
{
    uint64_t format = 0, checksum = UINT64_MAX;
    *facts = (io_checkpoint){0};
    get_whole(group, "format", &format);
    if (format != FORMAT)
        return base_fail(SHEAF_ERR_INPUT,
                         "'%s' is a checkpoint of format %" PRIu64 "; this version reads format %d: go on with the "
                         "version that wrote it, or start again by --overwrite",
                         shown, format, FORMAT);
    io_hdf_get_text(group, "version", facts->version);
    io_hdf_get_text(group, "backend", facts->backend);
    io_hdf_get_text(group, "precision", facts->precision);
    io_hdf_get_text(group, "title", facts->title);
    get_whole(group, "identity", &facts->identity);
    get_whole(group, "strands", &facts->strands);
    get_whole(group, "vertices", &facts->vertices);
    io_hdf_get_number(group, "step_s", H5T_NATIVE_DOUBLE, &facts->step);
    get_whole(group, "steps", &facts->steps);
    io_hdf_get_number(group, "wall_seconds", H5T_NATIVE_DOUBLE, &facts->wall_seconds);
    get_whole(group, "restarts", &facts->restarts);
    get_whole(group, "arrays", &facts->arrays);
    get_whole(group, "crc32c", &checksum);
    if (checksum != io_checkpoint_checksum(facts))
        return base_fail(SHEAF_ERR_INPUT, "'%s' is damaged: what it says of itself does not match its checksum", shown);
    return SHEAF_OK;
}

// ---- writing

static hid_t file_type(const solver_array *array)
{
    return array->is_double ? H5T_IEEE_F64LE : H5T_IEEE_F32LE;
}

static hid_t memory_type(const solver_array *array)
{
    return array->is_double ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
}

static size_t array_size(const solver_array *array)
{
    return (size_t)array->rows * array->components * (array->is_double ? sizeof(double) : sizeof(float));
}

// Of its values, its name and its shape.
static uint32_t array_checksum(const solver_array *array, const void *values)
{
    const uint32_t named = base_crc32c(array->name, strlen(array->name) + 1, 0);
    return base_crc32c(values, array_size(array), add_whole(add_whole(named, array->rows), array->components));
}

static bool put_array(hid_t group, const solver_array *array, const void *values)
{
    const hsize_t size[2] = {array->rows, array->components};
    const hid_t space = H5Screate_simple(2, size, NULL);
    const hid_t dataset =
        space >= 0 ? H5Dcreate2(group, array->name, file_type(array), space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)
                   : -1;
    const bool ok = dataset >= 0 && H5Dwrite(dataset, memory_type(array), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0 &&
                    set_whole(dataset, "crc32c", array_checksum(array, values));
    const bool closed = io_hdf_close_dataset(dataset);
    if (space >= 0)
        H5Sclose(space);
    return ok && closed;
}

static sheaf_status write_array(sheaf_solver *solver, uint32_t index, const solver_array *array, hid_t group,
                                const char *path)
{
    void *values = base_alloc(array_size(array), 1);
    sheaf_status status = values ? solver_read_array(solver, index, values) : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK && !put_array(group, array, values))
        status = io_hdf_fail("write", path);
    base_free(values);
    return status;
}

static sheaf_status write_state(sheaf_solver *solver, const io_checkpoint *facts, hid_t file, const char *path)
{
    solver_array arrays[SOLVER_ARRAYS_MOST];
    const uint32_t count = solver_arrays(solver, arrays);
    const hid_t group = io_hdf_make_group(file, GROUP);
    sheaf_status status = group >= 0 && put_facts(group, facts) ? SHEAF_OK : io_hdf_fail("write", path);
    for (uint32_t k = 0; k < count && status == SHEAF_OK; k++)
        status = write_array(solver, k, &arrays[k], group, path);
    const bool closed = io_hdf_close_group(group);
    return status == SHEAF_OK && !closed ? io_hdf_fail("write", path) : status;
}

// HDF5 writes under the temporary name that the atomic file has reserved.
static sheaf_status write_file(sheaf_solver *solver, const io_checkpoint *facts, const io_file *target)
{
    const hid_t access = io_hdf_access();
    const hid_t file = access >= 0 ? H5Fcreate(target->temporary, H5F_ACC_TRUNC, H5P_DEFAULT, access) : -1;
    if (access >= 0)
        H5Pclose(access);
    if (file < 0)
        return io_hdf_fail("write", target->path);
    const sheaf_status status = write_state(solver, facts, file, target->path);
    const bool closed = H5Fclose(file) >= 0;
    return status == SHEAF_OK && !closed ? io_hdf_fail("write", target->path) : status;
}

// ---- reading

// An open checkpoint.
typedef struct reading {
    hid_t file, group;
    char shown[512];
} reading;

static void close_file(reading *r)
{
    if (r->group >= 0)
        H5Gclose(r->group);
    if (r->file >= 0)
        H5Fclose(r->file);
}

// To be called between io_hdf_enter and io_hdf_leave; close_file in any case.
static sheaf_status open_file(const char *path, reading *r)
{
    char start[16] = "";
    r->file = r->group = -1;
    base_printable(path, r->shown, sizeof r->shown);
    SHEAF_TRY(io_file_peek(path, start, sizeof start));
    const hid_t access = memcmp(start, "\x89HDF\r\n\x1a\n", 8) == 0 ? io_hdf_access() : -1;
    if (access >= 0) {
        r->file = H5Fopen(path, H5F_ACC_RDONLY, access);
        H5Pclose(access);
    }
    if (r->file >= 0 && H5Lexists(r->file, GROUP, H5P_DEFAULT) > 0)
        r->group = H5Gopen2(r->file, GROUP, H5P_DEFAULT);
    return r->group >= 0 ? SHEAF_OK : base_fail(SHEAF_ERR_INPUT, "'%s' is not a checkpoint, or is damaged", r->shown);
}

bool io_checkpoint_recognise(const char *path)
{
    reading r;
    const io_hdf_quiet before = io_hdf_enter();
    const bool found = open_file(path, &r) == SHEAF_OK;
    close_file(&r);
    io_hdf_leave(before);
    return found;
}

static sheaf_status refuse(const reading *r, const char *what, const char *its, const char *ours, const char *advice)
{
    return base_fail(SHEAF_ERR_INPUT, "checkpoint '%s' is of %s %s, not %s%s%s", r->shown, what, its, ours,
                     advice[0] ? "; " : "", advice);
}

static void name_scene(const io_checkpoint *facts, char *text, size_t size)
{
    snprintf(text, size, "%016" PRIx64 " ('%s', %" PRIu64 " strands, %" PRIu64 " vertices)", facts->identity,
             facts->title, facts->strands, facts->vertices);
}

// Whether a solver can go on from a checkpoint.
static sheaf_status compare(const reading *r, const io_checkpoint *its, const io_checkpoint *ours)
{
    char first[160], second[160];
    if (strcmp(its->version, ours->version) != 0)
        return refuse(r, "Sheaf", its->version, ours->version, "go on with the version that wrote it");
    name_scene(its, first, sizeof first);
    name_scene(ours, second, sizeof second);
    if (its->identity != ours->identity || its->strands != ours->strands || its->vertices != ours->vertices)
        return refuse(r, "scene", first, second, "strands, motions or settings have changed since");
    snprintf(first, sizeof first, "%.17g s", its->step);
    snprintf(second, sizeof second, "%.17g s", ours->step);
    if (its->step != ours->step)
        return refuse(r, "a run with a step of", first, second, "");
    if (strcmp(its->backend, ours->backend) != 0)
        return refuse(r, "a run on the", its->backend, ours->backend, "choose it by --device");
    if (strcmp(its->precision, ours->precision) != 0)
        return refuse(r, "a run in", its->precision, ours->precision, "set `precision` as it was");
    return SHEAF_OK;
}

// Checkpoints are little-endian: numbers the other way round are not as Sheaf wrote them. Closes the type.
static sheaf_status check_order(const reading *r, hid_t type)
{
    const bool is_turned = type >= 0 && H5Tget_order(type) == H5T_ORDER_BE;
    if (type >= 0)
        H5Tclose(type);
    return is_turned ? refuse(r, "byte order", "big-endian", "little-endian", "another program has rewritten it")
                     : SHEAF_OK;
}

static sheaf_status check_facts_order(const reading *r)
{
    const hid_t identity = H5Aopen(r->group, "identity", H5P_DEFAULT);
    const sheaf_status status = check_order(r, identity >= 0 ? H5Aget_type(identity) : -1);
    if (identity >= 0)
        H5Aclose(identity);
    return status;
}

static sheaf_status damaged(const reading *r, const char *array, const char *what)
{
    char name[IO_HDF_TEXT];
    return base_fail(SHEAF_ERR_INPUT, "checkpoint '%s' is damaged: array '%s' %s", r->shown,
                     base_printable(array, name, sizeof name), what);
}

static bool has_shape(hid_t dataset, const solver_array *array)
{
    const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    hsize_t size[2] = {0, 0};
    const bool ok = space >= 0 && type >= 0 && H5Sget_simple_extent_ndims(space) == 2 &&
                    H5Sget_simple_extent_dims(space, size, NULL) == 2 && size[0] == array->rows &&
                    size[1] == array->components && H5Tget_class(type) == H5T_FLOAT &&
                    H5Tget_size(type) == H5Tget_size(memory_type(array));
    if (type >= 0)
        H5Tclose(type);
    if (space >= 0)
        H5Sclose(space);
    return ok;
}

// Reads an array and holds it against its checksum.
static sheaf_status read_array(const reading *r, const solver_array *array, hid_t dataset, void *values)
{
    uint64_t checksum = UINT64_MAX;
    const char *fault = NULL;
    SHEAF_TRY(check_order(r, H5Dget_type(dataset)));
    get_whole(dataset, "crc32c", &checksum);
    if (!has_shape(dataset, array))
        fault = "has another size or type";
    else if (H5Dread(dataset, memory_type(array), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
        fault = "cannot be read";
    else if (checksum != array_checksum(array, values))
        fault = "does not match its checksum";
    return fault ? damaged(r, array->name, fault) : SHEAF_OK;
}

static sheaf_status get_array(const reading *r, const solver_array *array, void *values)
{
    const hid_t dataset =
        H5Lexists(r->group, array->name, H5P_DEFAULT) > 0 ? H5Dopen2(r->group, array->name, H5P_DEFAULT) : -1;
    if (dataset < 0)
        return damaged(r, array->name, "is missing");
    const sheaf_status status = read_array(r, array, dataset, values);
    H5Dclose(dataset);
    return status;
}

// How many rows of an array that varies a file has.
static void find_rows(const reading *r, solver_array *array)
{
    hsize_t size[2] = {0, 0};
    const hid_t dataset =
        H5Lexists(r->group, array->name, H5P_DEFAULT) > 0 ? H5Dopen2(r->group, array->name, H5P_DEFAULT) : -1;
    const hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;
    hsize_t length = 0;
    if (space >= 0 && H5Sget_simple_extent_ndims(space) == 2 && H5Sget_simple_extent_dims(space, size, NULL) == 2 &&
        H5Fget_filesize(r->file, &length) >= 0 && size[0] <= length / array->components)
        array->rows = size[0]; // else it is damaged, which reading it tells
    if (space >= 0)
        H5Sclose(space);
    if (dataset >= 0)
        H5Dclose(dataset);
}

// Reads every array; only puts them into the solver if told so.
static sheaf_status get_state(const reading *r, sheaf_solver *solver, bool is_checking)
{
    solver_array arrays[SOLVER_ARRAYS_MOST];
    const uint32_t count = solver_arrays(solver, arrays);
    for (uint32_t k = 0; k < count; k++) {
        if (arrays[k].varies)
            find_rows(r, &arrays[k]);
        void *values = base_alloc(array_size(&arrays[k]), 1);
        sheaf_status status = values ? get_array(r, &arrays[k], values) : SHEAF_ERR_MEMORY;
        if (status == SHEAF_OK && !is_checking)
            status = arrays[k].varies ? solver_write_rows(solver, k, arrays[k].rows, values)
                                      : solver_write_array(solver, k, values);
        base_free(values);
        SHEAF_TRY(status);
    }
    return SHEAF_OK;
}

// ---- checking a file by itself

// What an array of a file is, by its own word. One that is larger than the file was never written.
static bool describe(const reading *r, hid_t dataset, const char *name, solver_array *array)
{
    hsize_t size[2] = {0, 0}, length = 0;
    const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    const bool ok = space >= 0 && type >= 0 && H5Sget_simple_extent_ndims(space) == 2 &&
                    H5Sget_simple_extent_dims(space, size, NULL) == 2 && size[1] > 0 &&
                    H5Fget_filesize(r->file, &length) >= 0 && size[1] <= length && size[0] <= length / size[1];
    *array = (solver_array){.name = name, .rows = size[0], .components = (uint32_t)size[1]};
    array->is_double = type >= 0 && H5Tget_size(type) == 8;
    if (type >= 0)
        H5Tclose(type);
    if (space >= 0)
        H5Sclose(space);
    return ok;
}

static sheaf_status check_array(const reading *r, const char *name)
{
    solver_array array;
    const hid_t dataset = H5Dopen2(r->group, name, H5P_DEFAULT);
    if (dataset < 0 || !describe(r, dataset, name, &array)) {
        (void)io_hdf_close_dataset(dataset);
        return damaged(r, name, "cannot be read");
    }
    void *values = base_alloc(array_size(&array), 1);
    const sheaf_status status = values != NULL ? read_array(r, &array, dataset, values) : SHEAF_ERR_MEMORY;
    base_free(values);
    H5Dclose(dataset);
    return status;
}

static sheaf_status check_arrays(const reading *r, uint64_t count)
{
    H5G_info_t found = {0};
    if (H5Gget_info(r->group, &found) < 0 || found.nlinks != count)
        return base_fail(SHEAF_ERR_INPUT, "checkpoint '%s' is damaged: it holds %llu arrays, not %" PRIu64, r->shown,
                         (unsigned long long)found.nlinks, count);
    for (hsize_t k = 0; k < found.nlinks; k++) {
        char name[IO_HDF_TEXT] = "?";
        if (H5Lget_name_by_idx(r->group, ".", H5_INDEX_NAME, H5_ITER_INC, k, name, sizeof name, H5P_DEFAULT) < 0)
            return damaged(r, name, "has no name");
        SHEAF_TRY(check_array(r, name));
    }
    return SHEAF_OK;
}

static sheaf_status examine(const char *path, io_checkpoint *facts, bool with_arrays)
{
    reading r;
    *facts = (io_checkpoint){0};
    const io_hdf_quiet before = io_hdf_enter();
    sheaf_status status = open_file(path, &r);
    if (status == SHEAF_OK)
        status = get_facts(r.group, r.shown, facts);
    if (status == SHEAF_OK && with_arrays)
        status = check_arrays(&r, facts->arrays);
    close_file(&r);
    io_hdf_leave(before);
    return status;
}

sheaf_status io_checkpoint_read(const char *path, io_checkpoint *facts)
{
    return examine(path, facts, false);
}

sheaf_status io_checkpoint_check(const char *path, io_checkpoint *facts)
{
    return examine(path, facts, true);
}

// ---- saving and loading

// Gives the older checkpoint a second name, so that at no moment there is none of its first; where files have but one
// name, it is renamed.
static bool keep_previous(const char *path, const char *previous)
{
    if (unlink(previous) != 0 && errno != ENOENT)
        return false;
    return link(path, previous) == 0 || errno == ENOENT || rename(path, previous) == 0;
}

// Reads back what is on disk: a file that does not hold what it should must not take the place of one that does.
static sheaf_status check_written(const io_file *file, const io_checkpoint *facts)
{
    io_checkpoint found;
    char reason[512], shown[512];
    const sheaf_status status = io_checkpoint_check(file->temporary, &found);
    if (status == SHEAF_OK && io_checkpoint_checksum(&found) == io_checkpoint_checksum(facts))
        return SHEAF_OK;
    if (status == SHEAF_ERR_MEMORY)
        return status;
    snprintf(reason, sizeof reason, "%s", status == SHEAF_OK ? "it is another" : sheaf_last_error());
    return base_fail(SHEAF_ERR_IO, "cannot write '%s': what was written does not come back (%s)",
                     base_printable(file->path, shown, sizeof shown), reason);
}

static sheaf_status complete(sheaf_solver *solver, const io_checkpoint *facts, io_file *file, const char *previous)
{
    const io_hdf_quiet before = io_hdf_enter();
    const sheaf_status status = write_file(solver, facts, file);
    io_hdf_leave(before);
    SHEAF_TRY(status);
    SHEAF_TRY(io_file_settle(file));
    SHEAF_TRY(check_written(file, facts));
    return previous == NULL || keep_previous(file->path, previous) ? SHEAF_OK : io_fail("write", previous);
}

sheaf_status io_checkpoint_write(sheaf_solver *solver, const io_checkpoint_note *note, const char *path,
                                 const char *previous)
{
    io_checkpoint facts;
    io_file file;
    SHEAF_TRY(find_facts(solver, note, &facts));
    SHEAF_TRY(io_file_create(path, true, &file));
    const sheaf_status status = complete(solver, &facts, &file, previous);
    if (status == SHEAF_OK)
        return io_file_commit(&file);
    io_file_abandon(&file);
    return status;
}

sheaf_status sheaf_solver_save(sheaf_solver *solver, const char *path)
{
    if (solver == NULL || path == NULL)
        return base_fail(SHEAF_ERR_USAGE, "sheaf_solver_save: an argument is NULL");
    return io_checkpoint_write(solver, &(io_checkpoint_note){0}, path, NULL);
}

static sheaf_status load(const reading *r, sheaf_solver *solver)
{
    io_checkpoint its, ours;
    SHEAF_TRY(get_facts(r->group, r->shown, &its));
    SHEAF_TRY(find_facts(solver, &(io_checkpoint_note){0}, &ours));
    SHEAF_TRY(check_facts_order(r));
    SHEAF_TRY(compare(r, &its, &ours));
    SHEAF_TRY(get_state(r, solver, true));
    SHEAF_TRY(get_state(r, solver, false));
    solver_set_steps(solver, its.steps);
    return SHEAF_OK;
}

sheaf_status sheaf_solver_load(sheaf_solver *solver, const char *path)
{
    reading r;
    if (solver == NULL || path == NULL)
        return base_fail(SHEAF_ERR_USAGE, "sheaf_solver_load: an argument is NULL");
    const io_hdf_quiet before = io_hdf_enter();
    sheaf_status status = open_file(path, &r);
    if (status == SHEAF_OK)
        status = load(&r, solver);
    close_file(&r);
    io_hdf_leave(before);
    return status;
}
