// ply: the header of a .ply file, of strands or of triangles: which elements follow, and how their values lie in the
// file.
#ifndef SHEAF_GROOM_PLY_H
#define SHEAF_GROOM_PLY_H

#include "groom/format.h"

enum { PLY_MOST_ELEMENTS = 16, PLY_MOST_PROPERTIES = 64 };

typedef enum ply_encoding { PLY_TEXT, PLY_LITTLE, PLY_BIG } ply_encoding;
typedef enum ply_type { PLY_I8, PLY_U8, PLY_I16, PLY_U16, PLY_I32, PLY_U32, PLY_F32, PLY_F64, PLY_NO_TYPE } ply_type;
typedef enum ply_element_kind { PLY_OTHER, PLY_VERTEX, PLY_STRAND, PLY_FACE } ply_element_kind;

// What a property means to us.
typedef enum ply_role {
    PLY_NOTHING,
    PLY_X,
    PLY_Y,
    PLY_Z,
    PLY_WIDTH,
    PLY_RADIUS,
    PLY_RED,
    PLY_GREEN,
    PLY_BLUE,
    PLY_ALPHA,
    PLY_SEGMENTS, // of a strand whose vertices follow those of the one before
    PLY_INDICES,  // list of a strand's vertices
    PLY_ID,
    PLY_CORNERS, // list of a face's vertices
    PLY_U,       // of a vertex in pictures laid on faces
    PLY_V,
    PLY_DENSITY,
    PLY_COMB_X, // way that hair is combed
    PLY_COMB_Y,
    PLY_COMB_Z,
    PLY_ROLES
} ply_role;

typedef struct ply_property {
    ply_role role;
    ply_type type;       // of the value, or of a list's items
    ply_type count_type; // of a list's length; PLY_NO_TYPE: no list
} ply_property;

typedef struct ply_element {
    ply_element_kind kind;
    uint64_t count;
    ply_property properties[PLY_MOST_PROPERTIES];
    int property_count;
} ply_element;

typedef struct ply_header {
    ply_encoding encoding;
    ply_element elements[PLY_MOST_ELEMENTS];
    int element_count;
    double metres_per_unit; // as our own comment says; 0: not said
    groom_up up;
} ply_header;

// Bytes of a type.
size_t ply_size(ply_type type);

// Reads up to and with the line end_header, in lines of at most 4 KiB. Checks that each element is announced once.
sheaf_status ply_read_header(groom_input *input, ply_header *header);

// The element of a kind, or NULL; its property of a role, or NULL.
const ply_element *ply_find_element(const ply_header *header, ply_element_kind kind);
const ply_property *ply_find_property(const ply_element *element, ply_role role);

// Fewest bytes that a row of an element takes.
uint64_t ply_least_row(const ply_header *header, const ply_element *element);

// SHEAF_ERR_INPUT unless the file is large enough for all elements that its header announces.
sheaf_status ply_need_elements(const groom_input *input, const ply_header *header);

// The next value of a type; of a text, after any blanks.
sheaf_status ply_read_value(groom_input *input, ply_encoding encoding, ply_type type, double *value);

// The same for a whole number from 0 to `most`; `what` names it in messages.
sheaf_status ply_read_whole(groom_input *input, ply_encoding encoding, ply_type type, double most, const char *what,
                            uint64_t *whole);

// The length of a list, which the file is large enough for.
sheaf_status ply_read_list_length(groom_input *input, ply_encoding encoding, const ply_property *property,
                                  uint64_t *count);

#endif
