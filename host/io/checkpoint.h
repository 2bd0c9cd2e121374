// checkpoint: the whole state of a solver in an HDF5 file. Every array has a checksum, and the file says of what
// simulation it is, so that nothing else goes on from it.
#ifndef SHEAF_IO_CHECKPOINT_H
#define SHEAF_IO_CHECKPOINT_H

#include "io/hdf.h"
#include "solver/solver.h"

// What a checkpoint says of itself.
typedef struct io_checkpoint {
    char version[IO_HDF_TEXT];   // of Sheaf
    char backend[IO_HDF_TEXT];   // "reference" or "device"
    char precision[IO_HDF_TEXT]; // "double" or "single"
    char title[IO_HDF_TEXT];     // of the scene, as far as it fits
    uint64_t identity;           // of the model
    uint64_t strands, vertices;
    double step; // s
    uint64_t steps;
    double wall_seconds; // of the run so far
    uint64_t restarts;   // of the run so far
    uint64_t arrays;     // in the file
} io_checkpoint;

// What a run has behind it besides its state.
typedef struct io_checkpoint_note {
    double wall_seconds;
    uint64_t restarts;
} io_checkpoint_note;

// Writes a checkpoint under a temporary name; when it is on disk, and read back it matches its checksums, an older one
// of this name becomes `previous` (NULL: it goes) and this one takes its place. Returns as sheaf_solver_save.
sheaf_status io_checkpoint_write(sheaf_solver *solver, const io_checkpoint_note *note, const char *path,
                                 const char *previous);

// Reads what a checkpoint says of itself, and checks that. Returns SHEAF_OK, SHEAF_ERR_IO, SHEAF_ERR_INPUT.
sheaf_status io_checkpoint_read(const char *path, io_checkpoint *facts);

// The same, and holds every array against its checksum. Returns SHEAF_ERR_MEMORY, too.
sheaf_status io_checkpoint_check(const char *path, io_checkpoint *facts);

// Checksum of what a checkpoint says of itself.
uint32_t io_checkpoint_checksum(const io_checkpoint *facts);

// Whether a file starts as HDF5 and holds a checkpoint's group.
bool io_checkpoint_recognise(const char *path);

#endif
