// sequence: strands over time as many files: one for each frame, and one that names them all.
#ifndef SHEAF_IO_SEQUENCE_H
#define SHEAF_IO_SEQUENCE_H

#include "groom/format.h"

// A .pvd file beside a folder of .vtp files, as ParaView reads them.
extern const groom_format io_format_pvd;

// A .usda file beside a folder of .usda files, one for each frame, as value clips.
sheaf_status io_clips_save(groom_source *source, const char *path, bool replace);

#endif
