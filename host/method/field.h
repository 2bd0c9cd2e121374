// field: what there is to know of an array of a method. A method lists its arrays once, by a macro that kernels and
// host read (kernels/der/fields.clh): METHOD_FIELD makes an entry of this table of each.
#ifndef SHEAF_METHOD_FIELD_H
#define SHEAF_METHOD_FIELD_H

#include <stdbool.h>
#include <stdint.h>

typedef enum field_rows {
    FIELD_ROWS_SLOT,   // a row per vertex of a bundle; what belongs to edge j, from vertex j to j + 1, is in row j
    FIELD_ROWS_BUNDLE, // a row per strand
} field_rows;

typedef enum field_role {
    FIELD_ROLE_CONSTANT, // packed once
    FIELD_ROLE_STATE,    // written by steps: kept in checkpoints
} field_role;

// What turning all of space does to a row.
typedef enum field_geometry {
    FIELD_GEOMETRY_SCALAR, // nothing
    FIELD_GEOMETRY_VECTOR, // its three numbers turn
    FIELD_GEOMETRY_PLACE,  // six numbers, a place as the sum of two vectors from an origin: both turn
} field_geometry;

typedef enum field_start {
    FIELD_START_PACKED, // by the method, from the model
    FIELD_START_ZERO,
} field_start;

typedef struct method_field {
    const char *name;
    field_rows rows;
    uint32_t components;
    field_role role;
    field_geometry geometry;
    field_start start;
    const char *unit, *meaning;
} method_field;

#define METHOD_FIELD(name, rows, components, role, geometry, start, unit, meaning)                                     \
    {#name,  FIELD_ROWS_##rows, components, FIELD_ROLE_##role, FIELD_GEOMETRY_##geometry, FIELD_START_##start, unit,   \
     meaning},

#endif
