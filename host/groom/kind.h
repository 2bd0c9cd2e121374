// kind: what a file is, by its first bytes, whether or not Sheaf reads it: so that a file in the wrong place is named.
#ifndef SHEAF_GROOM_KIND_H
#define SHEAF_GROOM_KIND_H

#include "groom/input.h"

// Bytes of a file's start that are enough to know it.
enum { GROOM_KIND_BYTES = 512 };

typedef struct groom_kind {
    const char *name;   // with its article: "a picture (.png)"
    const char *advice; // whether Sheaf reads it, and where, or what to do instead
    bool is_mesh;       // a mesh that Sheaf reads
} groom_kind;

// NULL: not known, such as a scene or any other text.
const groom_kind *groom_kind_of(const void *start, size_t length);

// The same of an input that stands at its first byte, which it still does afterwards.
const groom_kind *groom_kind_of_input(groom_input *input);

#endif
