// unstable: unstable.csv, the strands of a run that are to start at rest and will not stay there.
#ifndef SHEAF_IO_UNSTABLE_H
#define SHEAF_IO_UNSTABLE_H

#include "io/folder.h"

// Writes the list to the folder of a run; nothing where it is empty.
sheaf_status io_unstable_write(const io_folder *folder, const sheaf_imbalance *list, uint32_t count);

typedef struct io_unstable_summary {
    uint64_t strands;
    uint64_t falling; // of these are balanced, but would fall
} io_unstable_summary;

// Whether a file that starts so is such a list.
bool io_unstable_recognise(const char *start);

// Counts the strands of a list; `problem` is empty, or says where it is damaged. Returns SHEAF_OK, SHEAF_ERR_IO,
// SHEAF_ERR_INPUT (not such a file).
sheaf_status io_unstable_scan(const char *path, io_unstable_summary *summary, char *problem, size_t size);

#endif
