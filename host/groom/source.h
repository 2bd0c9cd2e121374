// source: a groom that may move: an open file, or what is made of one, whose frames are loaded one at a time.
#ifndef SHEAF_GROOM_SOURCE_H
#define SHEAF_GROOM_SOURCE_H

#include "groom/groom.h"
#include "groom/input.h"

typedef struct groom_source groom_source;

struct groom_source {
    groom groom;          // as of the frame loaded last; topology and arrays never change
    uint64_t frame_count; // at least 1
    double *times;        // [frame_count] s, increasing; NULL: not said
    uint64_t frame;       // loaded
    base_text notes;      // what is odd about the file, one line each
    groom_input input;    // kept open where frames are loaded from it
    void *own;            // of the format

    // Loads positions of a frame into groom; NULL: there is one frame. The last error is set on failure.
    sheaf_status (*load)(groom_source *source, uint64_t frame);
    void (*release)(groom_source *source); // of what is own; NULL: nothing
};

// Makes `frame` the one that is loaded.
sheaf_status groom_load(groom_source *source, uint64_t frame);

void groom_close(groom_source *source);

#endif
