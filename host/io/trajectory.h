// trajectory: strands over time in an HDF5 file laid out as VTKHDF PolyData, which grows by a frame at a time and can
// be read while it grows and after its writer was killed.
#ifndef SHEAF_IO_TRAJECTORY_H
#define SHEAF_IO_TRAJECTORY_H

#include "groom/format.h"

typedef struct io_trajectory io_trajectory;

// Of the layout: 1 had neither checksums nor angles of directors, and points always in single precision.
enum { IO_TRAJECTORY_FORMAT = 2 };
#define IO_TRAJECTORY_ANGLES "PointData/director_angle"

// What does not change over time. Arrays stay the caller's and are not kept.
typedef struct io_trajectory_def {
    uint64_t strand_count, vertex_count;
    const uint64_t *first_vertex; // [strand_count + 1]
    const uint32_t *ids;          // [strand_count], or NULL: by their place
    const float *radius;          // [vertex_count], or NULL
    double metres_per_unit;       // 0: not said
    groom_up up;
    const char *title;        // or NULL
    bool is_double;           // precision of positions in the file
    bool has_angles;          // frames hold the angle of director 1 of every edge: see groom/director.h
    uint64_t frames_expected; // 0: not known; more or fewer may come
} io_trajectory_def;

// Starts a file, replacing what is under the name. Returns SHEAF_OK, SHEAF_ERR_IO, SHEAF_ERR_MEMORY.
sheaf_status io_trajectory_create(const char *path, const io_trajectory_def *def, io_trajectory **trajectory);

// The same for a file that others may open at once, or find after a kill: it has its name only when it is whole.
sheaf_status io_trajectory_start(const char *path, const io_trajectory_def *def, io_trajectory **trajectory);

// Opens a file of the same strands again, whose writer may have been killed, and keeps its frames up to `last_time`, s;
// `frames` receives how many these are. Returns SHEAF_OK, SHEAF_ERR_IO, SHEAF_ERR_INPUT, SHEAF_ERR_MEMORY.
sheaf_status io_trajectory_continue(const char *path, const io_trajectory_def *def, double last_time, uint64_t *frames,
                                    io_trajectory **trajectory);

// Waits until all frames are on disk; NULL is allowed.
sheaf_status io_trajectory_sync(const io_trajectory *trajectory);

// Adds a frame, and hands it to the system. Positions are [vertex][3] of double or float. After a failure only closing
// makes sense.
sheaf_status io_trajectory_add(io_trajectory *trajectory, double time, const void *positions, bool is_double);

// The same with angles of directors, rad, [vertex], which a file with them needs and one without passes over.
sheaf_status io_trajectory_add_turned(io_trajectory *trajectory, double time, const void *positions, bool is_double,
                                      const float *angles);

// Precision of positions in the file, and whether it holds angles; of one that is gone on with as its start decided.
bool io_trajectory_is_double(const io_trajectory *trajectory);
bool io_trajectory_has_angles(const io_trajectory *trajectory);

// Closes the file; NULL is allowed. A failure to write what is left is told.
sheaf_status io_trajectory_close(io_trajectory *trajectory);

// How many frames such a file holds. Returns SHEAF_OK, SHEAF_ERR_INPUT, SHEAF_ERR_IO, SHEAF_ERR_MEMORY.
sheaf_status io_trajectory_count(const char *path, uint64_t *frames);

// Reads such a file, our own or another's, finished or not; for the table of formats.
sheaf_status io_trajectory_open(const char *path, groom_source *source);

// Reads every frame and every array of such a file that is open, to find what is damaged; files of other formats are
// taken as they are. Returns SHEAF_OK, SHEAF_ERR_INPUT, SHEAF_ERR_MEMORY.
sheaf_status io_trajectory_check(groom_source *source);

extern const groom_format io_format_vtkhdf;

#endif
