// hdf: short forms of calls to HDF5.
#include "io/hdf.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/text.h"

io_hdf_quiet io_hdf_enter(void)
{
    // closing everything when the program ends takes HDF5 down after a write that has failed; files are closed one by
    // one
    static bool prepared;
    if (!prepared)
        (void)H5dont_atexit();
    prepared = true;
    io_hdf_quiet before = {0};
    H5Eget_auto2(H5E_DEFAULT, &before.function, &before.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    errno = 0;
    return before;
}

void io_hdf_leave(io_hdf_quiet before)
{
    H5Eset_auto2(H5E_DEFAULT, before.function, before.data);
}

// Keeps the innermost message, which is where the trouble began.
static herr_t keep_message(unsigned depth, const H5E_error2_t *error, void *data)
{
    if (depth == 0)
        snprintf(data, 200, "%.199s", error->desc != NULL ? error->desc : "no reason given");
    return 0;
}

// Whether the system's last error is why a file failed; HDF5 leaves others behind that mean nothing.
static bool is_reason(int error)
{
    static const int reasons[] = {ENOSPC, EDQUOT, EFBIG, EIO, EACCES, EPERM, EROFS, ENOENT, EMFILE, ENFILE};
    for (size_t k = 0; k < sizeof reasons / sizeof reasons[0]; k++)
        if (error == reasons[k])
            return true;
    return false;
}

sheaf_status io_hdf_fail(const char *verb, const char *path)
{
    char reason[200] = "no reason given", shown[512];
    const int system = errno;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_message, reason);
    return base_fail(SHEAF_ERR_IO, "cannot %s '%s': %s", verb, base_printable(path, shown, sizeof shown),
                     is_reason(system) ? strerror(system) : reason);
}

hid_t io_hdf_access(void)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    // Headers of the format of 1.8 carry checksums, so that a wrong bit in them is found; later formats mark a file as
    // open, and would refuse one whose writer was killed.
    if (access >= 0 &&
        (H5Pset_file_locking(access, false, true) < 0 || H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0 ||
         H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) < 0)) {
        H5Pclose(access);
        return -1;
    }
    return access;
}

static bool set_attribute(hid_t object, const char *name, hid_t file_type, hid_t memory_type, hid_t space,
                          const void *value)
{
    const hid_t attribute = space >= 0 ? H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    const bool ok = attribute >= 0 && H5Awrite(attribute, memory_type, value) >= 0;
    const bool closed = attribute < 0 || H5Aclose(attribute) >= 0;
    if (space >= 0)
        H5Sclose(space);
    return ok && closed;
}

bool io_hdf_set_integers(hid_t object, const char *name, const int64_t *values, hsize_t count)
{
    const hid_t space = count > 0 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    return set_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, space, values);
}

bool io_hdf_set_real(hid_t object, const char *name, double value)
{
    return set_attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, H5Screate(H5S_SCALAR), &value);
}

bool io_hdf_set_text(hid_t object, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    const size_t length = strlen(text);
    const bool ok = type >= 0 && H5Tset_size(type, length > 0 ? length : 1) >= 0 &&
                    H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 && H5Tset_cset(type, H5T_CSET_ASCII) >= 0 &&
                    set_attribute(object, name, type, type, H5Screate(H5S_SCALAR), text);
    if (type >= 0)
        H5Tclose(type);
    return ok;
}

// A string may be of fixed or of variable length.
void io_hdf_get_text(hid_t object, const char *name, char text[IO_HDF_TEXT])
{
    text[0] = 0;
    const hid_t attribute = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
    const hid_t type = attribute >= 0 ? H5Aget_type(attribute) : -1;
    const hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1;
    if (type >= 0 && space >= 0 && H5Sget_simple_extent_npoints(space) == 1 && H5Tget_class(type) == H5T_STRING) {
        char *variable = NULL;
        if (H5Tis_variable_str(type) > 0) {
            if (H5Aread(attribute, type, (void *)&variable) >= 0 && variable != NULL)
                snprintf(text, IO_HDF_TEXT, "%s", variable);
            H5free_memory(variable);
        } else if (H5Tget_size(type) < IO_HDF_TEXT) {
            memset(text, 0, IO_HDF_TEXT);
            if (H5Aread(attribute, type, text) < 0)
                text[0] = 0;
        }
    }
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    if (attribute >= 0)
        H5Aclose(attribute);
}

void io_hdf_get_number(hid_t object, const char *name, hid_t type, void *value)
{
    const hid_t attribute = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
    const hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1;
    const hid_t own = attribute >= 0 ? H5Aget_type(attribute) : -1;
    if (space >= 0 && own >= 0 && H5Sget_simple_extent_npoints(space) == 1 && H5Tget_class(own) != H5T_STRING)
        (void)H5Aread(attribute, type, value);
    if (own >= 0)
        H5Tclose(own);
    if (space >= 0)
        H5Sclose(space);
    if (attribute >= 0)
        H5Aclose(attribute);
}

hid_t io_hdf_make_group(hid_t parent, const char *name)
{
    enum { MOST = 128, LEAST = 64 }; // links, or attributes, until they go to a heap and come back from it
    const hid_t properties = H5Pcreate(H5P_GROUP_CREATE);
    const bool ok = properties >= 0 && H5Pset_link_phase_change(properties, MOST, LEAST) >= 0 &&
                    H5Pset_attr_phase_change(properties, MOST, LEAST) >= 0;
    const hid_t group = ok ? H5Gcreate2(parent, name, H5P_DEFAULT, properties, H5P_DEFAULT) : -1;
    if (properties >= 0)
        H5Pclose(properties);
    return group;
}

bool io_hdf_close_dataset(hid_t dataset)
{
    return dataset < 0 || H5Dclose(dataset) >= 0;
}

bool io_hdf_close_group(hid_t group)
{
    return group < 0 || H5Gclose(group) >= 0;
}

// Chunks with a checksum each, which whatever reads them by HDF5 looks at. One that is not found any more reads as
// numbers that no file of ours holds. Negative on failure.
static hid_t checked_chunks(int rank, const hsize_t *size, hid_t type)
{
    const int64_t most = INT64_MAX;
    const double none = NAN;
    const bool is_real = H5Tget_class(type) == H5T_FLOAT;
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    if (properties >= 0 && (H5Pset_chunk(properties, rank, size) < 0 || H5Pset_fletcher32(properties) < 0 ||
                            H5Pset_fill_value(properties, is_real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64,
                                              is_real ? (const void *)&none : &most) < 0)) {
        H5Pclose(properties);
        return -1;
    }
    return properties;
}

// A single number is kept as it is: the arrays whose size it gives tell when it is wrong.
bool io_hdf_put(hid_t group, const char *name, hid_t file_type, hid_t memory_type, hsize_t count, const void *values)
{
    const hsize_t chunk = count < IO_HDF_CHUNK ? count : IO_HDF_CHUNK;
    const hid_t space = H5Screate_simple(1, &count, NULL);
    const hid_t properties = count > 1 ? checked_chunks(1, &chunk, file_type) : H5P_DEFAULT;
    const hid_t dataset = space >= 0 && properties >= 0
                              ? H5Dcreate2(group, name, file_type, space, H5P_DEFAULT, properties, H5P_DEFAULT)
                              : -1;
    const bool ok =
        dataset >= 0 && (count == 0 || H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    const bool closed = io_hdf_close_dataset(dataset);
    if (count > 1 && properties >= 0)
        H5Pclose(properties);
    if (space >= 0)
        H5Sclose(space);
    return ok && closed;
}

bool io_hdf_get_whole(hid_t group, const char *name, uint64_t *value)
{
    const hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT), space = dataset >= 0 ? H5Dget_space(dataset) : -1;
    const bool ok = space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                    H5Dread(dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0;
    if (space >= 0)
        H5Sclose(space);
    if (dataset >= 0)
        H5Dclose(dataset);
    return ok;
}

hid_t io_hdf_growing(hid_t group, const char *name, hid_t type, hsize_t width, hsize_t chunk)
{
    const int rank = width > 1 ? 2 : 1;
    const hsize_t none[2] = {0, width}, most[2] = {H5S_UNLIMITED, width}, chunks[2] = {chunk, width};
    const hid_t space = H5Screate_simple(rank, none, most), properties = checked_chunks(rank, chunks, type);
    hid_t dataset = -1;
    if (space >= 0 && properties >= 0)
        dataset = H5Dcreate2(group, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    if (properties >= 0)
        H5Pclose(properties);
    if (space >= 0)
        H5Sclose(space);
    return dataset;
}

bool io_hdf_append(hid_t dataset, hid_t memory_type, hsize_t rows, hsize_t width, hsize_t count, const void *values)
{
    const int rank = width > 1 ? 2 : 1;
    const hsize_t size[2] = {rows + count, width}, start[2] = {rows, 0}, added[2] = {count, width};
    if (count == 0)
        return true;
    if (H5Dset_extent(dataset, size) < 0)
        return false;
    const hid_t file = H5Dget_space(dataset), memory = H5Screate_simple(rank, added, NULL);
    const bool ok = file >= 0 && memory >= 0 &&
                    H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, added, NULL) >= 0 &&
                    H5Dwrite(dataset, memory_type, memory, file, H5P_DEFAULT, values) >= 0;
    if (memory >= 0)
        H5Sclose(memory);
    if (file >= 0)
        H5Sclose(file);
    return ok;
}

bool io_hdf_read(hid_t dataset, hid_t memory_type, hsize_t width, uint64_t first, uint64_t count, void *values)
{
    const hsize_t start[2] = {first, 0}, size[2] = {count, width};
    const hid_t file = H5Dget_space(dataset), memory = H5Screate_simple(width > 1 ? 2 : 1, size, NULL);
    const bool ok = count == 0 || (file >= 0 && memory >= 0 &&
                                   H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
                                   H5Dread(dataset, memory_type, memory, file, H5P_DEFAULT, values) >= 0);
    if (memory >= 0)
        H5Sclose(memory);
    if (file >= 0)
        H5Sclose(file);
    return ok;
}
