// units: quantities as people write them ("3.9 GPa", "1/240 s", "9.81 m/s^2"), with their dimensions checked.
#ifndef SHEAF_SCENE_UNITS_H
#define SHEAF_SCENE_UNITS_H

#include "base/base.h"

// Powers of the base units. The radian is one of them, so that an angle is not taken for a ratio.
typedef struct scene_dimension {
    int metre, kilogram, second, radian;
} scene_dimension;

typedef struct scene_quantity {
    double value; // in SI
    bool bare;    // a number without a unit: SI is meant, whatever the dimension
    scene_dimension dimension;
} scene_quantity;

// What is wrong with a quantity: where in its text, and a message with a hint after a line end, as scene_complain
// takes it.
typedef struct scene_fault {
    size_t offset, length;
    char text[240];
} scene_fault;

// Reads a number, or a ratio of two, with an optional unit: products (space, * or a middle dot), quotients, integer
// powers and parentheses of units with SI prefixes. Strict: nothing but ASCII decimal numbers, finite, and nothing
// after them. Numbers are read in the current locale, which must be "C".
bool scene_parse_quantity(const char *text, size_t length, scene_quantity *quantity, scene_fault *fault);

// Dimension of a unit that is known to be well written.
scene_dimension scene_unit_dimension(const char *unit);

// Whether a value of one dimension may stand where another is expected. Radians may be left out of compound units
// (1/m for rad/m), never added.
bool scene_dimension_fits(scene_dimension given, scene_dimension expected);

// What is expected, for messages and documents: "a length, such as 20 cm".
typedef struct scene_dimension_name {
    const char *unit;    // SI
    const char *name;    // "a length"
    const char *plural;  // "lengths"
    const char *example; // "20 cm"
} scene_dimension_name;

scene_dimension_name scene_name_dimension(const char *unit);

#endif
