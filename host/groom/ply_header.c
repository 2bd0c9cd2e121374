// ply_header: the text before the data of a .ply file.
#include "groom/ply.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_LINE = 4096, MOST_LINES = 4096, LONGEST_WORD = 63 };

static const struct {
    const char *name, *other;
    size_t size;
} types[PLY_NO_TYPE] = {
    [PLY_I8] = {"char", "int8", 1},      [PLY_U8] = {"uchar", "uint8", 1},     [PLY_I16] = {"short", "int16", 2},
    [PLY_U16] = {"ushort", "uint16", 2}, [PLY_I32] = {"int", "int32", 4},      [PLY_U32] = {"uint", "uint32", 4},
    [PLY_F32] = {"float", "float32", 4}, [PLY_F64] = {"double", "float64", 8},
};

static const struct {
    const char *name;
    ply_element_kind kind;
    ply_role role;
} roles[] = {
    {"x", PLY_VERTEX, PLY_X},
    {"y", PLY_VERTEX, PLY_Y},
    {"z", PLY_VERTEX, PLY_Z},
    {"thickness", PLY_VERTEX, PLY_WIDTH},
    {"width", PLY_VERTEX, PLY_WIDTH},
    {"radius", PLY_VERTEX, PLY_RADIUS},
    {"red", PLY_VERTEX, PLY_RED},
    {"green", PLY_VERTEX, PLY_GREEN},
    {"blue", PLY_VERTEX, PLY_BLUE},
    {"alpha", PLY_VERTEX, PLY_ALPHA},
    {"nsegs", PLY_STRAND, PLY_SEGMENTS},
    {"vertex_indices", PLY_STRAND, PLY_INDICES},
    {"vertex_index", PLY_STRAND, PLY_INDICES},
    {"id", PLY_STRAND, PLY_ID},
    {"vertex_indices", PLY_FACE, PLY_CORNERS},
    {"vertex_index", PLY_FACE, PLY_CORNERS},
    {"u", PLY_VERTEX, PLY_U},
    {"v", PLY_VERTEX, PLY_V},
    {"s", PLY_VERTEX, PLY_U},
    {"t", PLY_VERTEX, PLY_V},
    {"density", PLY_VERTEX, PLY_DENSITY},
    {"comb_x", PLY_VERTEX, PLY_COMB_X},
    {"comb_y", PLY_VERTEX, PLY_COMB_Y},
    {"comb_z", PLY_VERTEX, PLY_COMB_Z},
};

size_t ply_size(ply_type type)
{
    return types[type].size;
}

static ply_type find_type(const char *name)
{
    for (int k = 0; k < PLY_NO_TYPE; k++)
        if (strcmp(name, types[k].name) == 0 || strcmp(name, types[k].other) == 0)
            return (ply_type)k;
    return PLY_NO_TYPE;
}

static bool is_list_role(ply_role role)
{
    return role == PLY_INDICES || role == PLY_CORNERS;
}

static ply_role find_role(ply_element_kind kind, const char *name, bool is_list)
{
    for (size_t k = 0; k < sizeof roles / sizeof roles[0]; k++)
        if (roles[k].kind == kind && strcmp(name, roles[k].name) == 0 && is_list_role(roles[k].role) == is_list)
            return roles[k].role;
    return PLY_NOTHING;
}

static sheaf_status read_format(const groom_input *input, const char *line, ply_header *header)
{
    static const char *const names[] = {"format ascii 1.0", "format binary_little_endian 1.0",
                                        "format binary_big_endian 1.0"};
    for (int k = 0; k < 3; k++)
        if (strcmp(line, names[k]) == 0) {
            header->encoding = (ply_encoding)k;
            return SHEAF_OK;
        }
    return groom_fail(input, "the second line must be a format: ascii, binary_little_endian or binary_big_endian, 1.0");
}

static sheaf_status read_element(const groom_input *input, const char *line, ply_header *header)
{
    char name[LONGEST_WORD + 1], digits[LONGEST_WORD + 1], rest;
    if (sscanf(line, "element %63s %63s %c", name, digits, &rest) != 2 ||
        strspn(digits, "0123456789") != strlen(digits) || strlen(digits) > 18)
        return groom_fail(input, "an element must have a name and a number");
    if (header->element_count == PLY_MOST_ELEMENTS)
        return groom_fail(input, "more than %d elements", PLY_MOST_ELEMENTS);
    ply_element *element = &header->elements[header->element_count];
    element->count = strtoull(digits, NULL, 10);
    if (strcmp(name, "vertex") == 0)
        element->kind = PLY_VERTEX;
    else if (strcmp(name, "strand") == 0)
        element->kind = PLY_STRAND;
    else if (strcmp(name, "face") == 0)
        element->kind = PLY_FACE;
    if (element->kind != PLY_OTHER && ply_find_element(header, element->kind) != NULL)
        return groom_fail(input, "the element %s is announced twice", name);
    header->element_count++;
    return SHEAF_OK;
}

static sheaf_status read_property(const groom_input *input, const char *line, ply_header *header)
{
    char type[LONGEST_WORD + 1], count_type[LONGEST_WORD + 1], name[LONGEST_WORD + 1], rest;
    if (header->element_count == 0)
        return groom_fail(input, "a property before any element");
    ply_element *element = &header->elements[header->element_count - 1];
    if (element->property_count == PLY_MOST_PROPERTIES)
        return groom_fail(input, "more than %d properties of an element", PLY_MOST_PROPERTIES);
    ply_property property = {.count_type = PLY_NO_TYPE};
    const bool is_list = sscanf(line, "property list %63s %63s %63s %c", count_type, type, name, &rest) == 3;
    if (!is_list && sscanf(line, "property %63s %63s %c", type, name, &rest) != 2)
        return groom_fail(input, "a property must have a type and a name");
    property.type = find_type(type);
    if (is_list)
        property.count_type = find_type(count_type);
    if (property.type == PLY_NO_TYPE || (is_list && property.count_type >= PLY_F32))
        return groom_fail(input, "a property of a type that the format does not have");
    property.role = find_role(element->kind, name, is_list);
    if (property.role != PLY_NOTHING && ply_find_property(element, property.role) != NULL)
        return groom_fail(input, "the property %s is announced twice", name);
    element->properties[element->property_count++] = property;
    return SHEAF_OK;
}

static sheaf_status read_header_line(const groom_input *input, const char *line, ply_header *header)
{
    if (strncmp(line, "element ", 8) == 0)
        return read_element(input, line, header);
    if (strncmp(line, "property ", 9) == 0)
        return read_property(input, line, header);
    if (strncmp(line, "comment", 7) == 0)
        groom_read_space(line + 7 + strspn(line + 7, " "), &header->metres_per_unit, &header->up);
    else if (strncmp(line, "obj_info", 8) != 0)
        return groom_fail(input, "a header line that starts with none of element, property, comment, end_header");
    return SHEAF_OK;
}

sheaf_status ply_read_header(groom_input *input, ply_header *header)
{
    char line[LONGEST_LINE + 1];
    *header = (ply_header){0};
    SHEAF_TRY(groom_read_line(input, line, sizeof line));
    if (strcmp(line, "ply") != 0)
        return groom_fail(input, "not a .ply file: its %llu bytes do not start with a line 'ply'",
                          (unsigned long long)input->size);
    SHEAF_TRY(groom_read_line(input, line, sizeof line));
    SHEAF_TRY(read_format(input, line, header));
    for (int k = 0; k < MOST_LINES; k++) {
        SHEAF_TRY(groom_read_line(input, line, sizeof line));
        if (strcmp(line, "end_header") == 0)
            return SHEAF_OK;
        SHEAF_TRY(read_header_line(input, line, header));
    }
    return groom_fail(input, "no end_header in %d lines", MOST_LINES);
}

const ply_element *ply_find_element(const ply_header *header, ply_element_kind kind)
{
    for (int k = 0; k < header->element_count; k++)
        if (header->elements[k].kind == kind)
            return &header->elements[k];
    return NULL;
}

const ply_property *ply_find_property(const ply_element *element, ply_role role)
{
    for (int k = 0; k < element->property_count; k++)
        if (element->properties[k].role == role)
            return &element->properties[k];
    return NULL;
}

uint64_t ply_least_row(const ply_header *header, const ply_element *element)
{
    uint64_t least = 0;
    for (int k = 0; k < element->property_count; k++) {
        const ply_property *property = &element->properties[k];
        // a text takes at least a digit and a blank for a number
        least += header->encoding == PLY_TEXT
                     ? 2
                     : ply_size(property->count_type == PLY_NO_TYPE ? property->type : property->count_type);
    }
    return least;
}

sheaf_status ply_need_elements(const groom_input *input, const ply_header *header)
{
    for (int k = 0; k < header->element_count; k++) {
        const ply_element *element = &header->elements[k];
        const uint64_t bytes = groom_times(element->count, ply_least_row(header, element));
        if (bytes > 0)
            SHEAF_TRY(
                groom_need(input, bytes - (header->encoding == PLY_TEXT), "the elements that the header announces"));
    }
    return SHEAF_OK;
}
