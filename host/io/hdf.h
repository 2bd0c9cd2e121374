// hdf: short forms of the calls to HDF5 that several files make. One thread at a time may use them.
#ifndef SHEAF_IO_HDF_H
#define SHEAF_IO_HDF_H

#include "base/base.h"

#include <hdf5.h>

// HDF5 prints its errors unless told not to; the library never prints. Every public function that calls HDF5 does so
// between these two.
typedef struct io_hdf_quiet {
    H5E_auto2_t function;
    void *data;
} io_hdf_quiet;

io_hdf_quiet io_hdf_enter(void);
void io_hdf_leave(io_hdf_quiet before);

// SHEAF_ERR_IO with "cannot <verb> '<path>': " and what HDF5 or the system says.
sheaf_status io_hdf_fail(const char *verb, const char *path);

// Access without locks, so that a growing file can be opened by others. Negative on failure.
hid_t io_hdf_access(void);

// Attributes of one number or string; false on failure.
bool io_hdf_set_integers(hid_t object, const char *name, const int64_t *values, hsize_t count); // count 0: a scalar
bool io_hdf_set_real(hid_t object, const char *name, double value);
bool io_hdf_set_text(hid_t object, const char *name, const char *text);

// The same back. A text is empty when there is none or it is too long; a number stays when there is none.
enum { IO_HDF_TEXT = 64 };
void io_hdf_get_text(hid_t object, const char *name, char text[IO_HDF_TEXT]);
void io_hdf_get_number(hid_t object, const char *name, hid_t type, void *value);

// A new group. Its links and attributes stay in its header, which has a checksum. Negative on failure.
hid_t io_hdf_make_group(hid_t parent, const char *name);

// Close what was written, where it was opened at all. Small arrays reach the file only here: false when that failed.
bool io_hdf_close_dataset(hid_t dataset);
bool io_hdf_close_group(hid_t group);

enum { IO_HDF_CHUNK = 1 << 16 }; // numbers of a chunk, where nothing else asks for another size

// A dataset with its values, of fixed size, with a checksum of each chunk; the types are those of the file and of
// memory.
bool io_hdf_put(hid_t group, const char *name, hid_t file_type, hid_t memory_type, hsize_t count, const void *values);

// The one whole number of a dataset; false when there is none.
bool io_hdf_get_whole(hid_t group, const char *name, uint64_t *value);

// A dataset that grows by rows of `width` numbers (1: of rank 1), in chunks of `chunk` rows with a checksum each.
hid_t io_hdf_growing(hid_t group, const char *name, hid_t type, hsize_t width, hsize_t chunk);

// Adds rows to such a dataset, which has `rows` of them.
bool io_hdf_append(hid_t dataset, hid_t memory_type, hsize_t rows, hsize_t width, hsize_t count, const void *values);

// Reads rows first .. first + count - 1 of a dataset whose rows have `width` numbers.
bool io_hdf_read(hid_t dataset, hid_t memory_type, hsize_t width, uint64_t first, uint64_t count, void *values);

#endif
