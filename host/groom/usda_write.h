// usda_write: strands as USD text.
#ifndef SHEAF_GROOM_USDA_WRITE_H
#define SHEAF_GROOM_USDA_WRITE_H

#include "groom/flow.h"

#include <stdio.h>

// The whole source as one file: points with time samples where it has several frames.
sheaf_status usda_write(groom_source *source, FILE *stream);

// The same for strands that are made while they are written.
sheaf_status usda_write_flow(const groom_flow *flow, FILE *stream);

// Time codes per second that make frames whole codes where they are evenly spaced; else 24.
double usda_rate(const groom_source *source);

// The time code of a frame at a rate.
double usda_code(const groom_source *source, double rate, uint64_t frame);

// Parts of it, for files that share the work: the layer's metadata with the name of the prim, what never moves, and
// points with their bounds, plain or as samples of the frames first .. end - 1.
#define USDA_PRIM "strands"
void usda_write_header(const groom_source *source, FILE *stream);
void usda_write_topology(const groom *g, FILE *stream);
sheaf_status usda_write_samples(groom_source *source, uint64_t first, uint64_t end, FILE *stream);

// Whether a source can be written: it says its unit, an axis that USD knows is up, and its times where it has several.
sheaf_status usda_check(const groom_source *source);

#endif
