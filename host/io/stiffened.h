// stiffened: stiffened.csv, the strands of a run that were made stiffer so that they stay at rest.
#ifndef SHEAF_IO_STIFFENED_H
#define SHEAF_IO_STIFFENED_H

#include "io/folder.h"

// Writes the list to the folder of a run; nothing where no strand of the model was made stiffer.
sheaf_status io_stiffened_write(const io_folder *folder, const sheaf_model *model);

// Whether a file that starts so is such a list.
bool io_stiffened_recognise(const char *start);

// Counts the strands of a list and finds the largest factor; `problem` is empty, or says where it is damaged. Returns
// SHEAF_OK, SHEAF_ERR_IO, SHEAF_ERR_INPUT (not such a file).
sheaf_status io_stiffened_scan(const char *path, uint64_t *strands, double *most, char *problem, size_t size);

#endif
