// ply: strands in .ply files: vertices, and an element `strand` that says by numbers of segments (nsegs) or by lists of
// vertices (vertex_indices) which of them belong together.
#include "groom/ply.h"

#include <string.h>

// A file being read.
typedef struct reading {
    groom_input *input;
    ply_header header;
    groom points;      // vertices as they lie in the file
    uint64_t *counts;  // [strand] vertices
    uint32_t *ids;     // [strand], or NULL
    uint64_t strands;  // read so far
    uint32_t *indices; // of all strands, one after the other
    uint64_t index_count, index_capacity;
} reading;

static bool recognise(const unsigned char *start, size_t length)
{
    return length >= 4 && memcmp(start, "ply", 3) == 0 && (start[3] == '\n' || start[3] == '\r');
}

// ---- lists

static sheaf_status add_index(reading *r, uint64_t index)
{
    if (r->index_count == r->index_capacity) {
        const uint64_t capacity = 2 * r->index_capacity + 64;
        uint32_t *grown = base_realloc(r->indices, capacity, sizeof *grown);
        if (grown == NULL)
            return SHEAF_ERR_MEMORY;
        r->indices = grown;
        r->index_capacity = capacity;
    }
    r->indices[r->index_count++] = (uint32_t)index;
    return SHEAF_OK;
}

static sheaf_status read_list(reading *r, const ply_property *property)
{
    const bool wanted = property->role == PLY_INDICES;
    const uint64_t vertices = ply_find_element(&r->header, PLY_VERTEX)->count;
    const ply_encoding encoding = r->header.encoding;
    uint64_t count = 0, index = 0;
    SHEAF_TRY(ply_read_list_length(r->input, encoding, property, &count));
    for (uint64_t k = 0; k < count; k++) {
        double ignored;
        if (!wanted) {
            SHEAF_TRY(ply_read_value(r->input, encoding, property->type, &ignored));
            continue;
        }
        SHEAF_TRY(
            ply_read_whole(r->input, encoding, property->type, (double)vertices - 1, "a vertex of a strand", &index));
        SHEAF_TRY(add_index(r, index));
    }
    if (wanted)
        r->counts[r->strands] = count;
    return SHEAF_OK;
}

// ---- rows

// Takes the values of one vertex or strand, by role.
static void take_vertex(reading *r, uint64_t k, const double values[PLY_ROLES], double colour_scale, double alpha_scale)
{
    groom *g = &r->points;
    groom_set_point(g, k, &values[PLY_X]);
    if (g->width != NULL)
        g->width[k] = (float)(values[PLY_WIDTH] + 2 * values[PLY_RADIUS]);
    if (g->transparency != NULL)
        g->transparency[k] = (float)(values[PLY_ALPHA] * alpha_scale);
    for (int c = 0; g->colour != NULL && c < 3; c++)
        g->colour[k][c] = (float)(values[PLY_RED + c] * colour_scale);
}

static double share_of(const ply_property *property)
{
    return property != NULL && property->type == PLY_U8 ? 1.0 / 255 : 1;
}

static sheaf_status take_strand(reading *r, const ply_element *element, const double values[PLY_ROLES])
{
    const double segments = values[PLY_SEGMENTS], id = values[PLY_ID];
    if (ply_find_property(element, PLY_INDICES) == NULL) {
        if (!(segments >= 0 && segments < UINT32_MAX) || segments != (double)(uint64_t)segments)
            return groom_fail(r->input, "strand %llu has %g segments", (unsigned long long)r->strands, segments);
        r->counts[r->strands] = (uint64_t)segments + 1;
    }
    if (r->ids != NULL)
        r->ids[r->strands] = id >= 0 && id <= UINT32_MAX ? (uint32_t)id : (uint32_t)r->strands;
    r->strands++;
    return SHEAF_OK;
}

static sheaf_status read_row(reading *r, const ply_element *element, double values[PLY_ROLES])
{
    for (int k = 0; k < element->property_count; k++) {
        const ply_property *property = &element->properties[k];
        if (property->count_type != PLY_NO_TYPE)
            SHEAF_TRY(read_list(r, property));
        else
            SHEAF_TRY(ply_read_value(r->input, r->header.encoding, property->type, &values[property->role]));
    }
    return SHEAF_OK;
}

static sheaf_status read_element(reading *r, const ply_element *element)
{
    double values[PLY_ROLES] = {0};
    const double colour_scale = share_of(ply_find_property(element, PLY_RED));
    const double alpha_scale = share_of(ply_find_property(element, PLY_ALPHA));
    // without properties a row takes no bytes, and any number of rows may be announced
    for (uint64_t k = 0; element->property_count > 0 && k < element->count; k++) {
        SHEAF_TRY(read_row(r, element, values));
        if (element->kind == PLY_VERTEX)
            take_vertex(r, k, values, colour_scale, alpha_scale);
        else if (element->kind == PLY_STRAND)
            SHEAF_TRY(take_strand(r, element, values));
    }
    return SHEAF_OK;
}

// ---- the whole

// Refuses what holds no strands, and counts that the file is too small for. Takes memory for the rest.
static sheaf_status prepare(reading *r)
{
    const ply_element *vertex = ply_find_element(&r->header, PLY_VERTEX);
    const ply_element *strand = ply_find_element(&r->header, PLY_STRAND);
    if (vertex == NULL || !ply_find_property(vertex, PLY_X) || !ply_find_property(vertex, PLY_Y) ||
        !ply_find_property(vertex, PLY_Z))
        return groom_fail(r->input, "there is no element vertex with x, y and z");
    if (strand == NULL || (!ply_find_property(strand, PLY_SEGMENTS) && !ply_find_property(strand, PLY_INDICES)))
        return groom_fail(r->input,
                          "there is no element strand with nsegs or vertex_indices, which says what belongs together");
    SHEAF_TRY(ply_need_elements(r->input, &r->header));
    if (vertex->count > UINT32_MAX || strand->count > UINT32_MAX)
        return groom_fail(r->input, "more than 4294967295 vertices or strands");
    const bool width = ply_find_property(vertex, PLY_WIDTH) != NULL || ply_find_property(vertex, PLY_RADIUS) != NULL;
    const bool colour = ply_find_property(vertex, PLY_RED) && ply_find_property(vertex, PLY_GREEN) &&
                        ply_find_property(vertex, PLY_BLUE);
    r->points.is_double = ply_find_property(vertex, PLY_X)->type == PLY_F64;
    SHEAF_TRY(groom_allocate(&r->points, 1, vertex->count,
                             (width ? GROOM_WIDTH : 0u) | (colour ? GROOM_COLOUR : 0u) |
                                 (ply_find_property(vertex, PLY_ALPHA) ? GROOM_TRANSPARENCY : 0u)));
    r->points.first_vertex[1] = vertex->count;
    r->counts = base_alloc(strand->count, sizeof *r->counts);
    if (ply_find_property(strand, PLY_ID) != NULL)
        r->ids = base_alloc(strand->count, sizeof *r->ids);
    return r->counts == NULL || (r->ids == NULL && ply_find_property(strand, PLY_ID) != NULL) ? SHEAF_ERR_MEMORY
                                                                                              : SHEAF_OK;
}

static void copy_vertex(const groom *from, uint64_t source, groom *to, uint64_t k)
{
    double point[3];
    groom_point(from, source, point);
    groom_set_point(to, k, point);
    if (to->width != NULL)
        to->width[k] = from->width[source];
    if (to->transparency != NULL)
        to->transparency[k] = from->transparency[source];
    if (to->colour != NULL)
        memcpy(to->colour[k], from->colour[source], sizeof to->colour[k]);
}

// Makes strands of the vertices.
static sheaf_status gather(reading *r, groom_source *source)
{
    const bool by_index = ply_find_property(ply_find_element(&r->header, PLY_STRAND), PLY_INDICES) != NULL;
    groom *g = &source->groom;
    uint64_t vertices = 0;
    for (uint64_t s = 0; s < r->strands; s++)
        vertices += r->counts[s];
    if (!by_index && vertices != r->points.vertex_count)
        return groom_fail(r->input, "the strands' segments make %llu vertices, but the file has %llu",
                          (unsigned long long)vertices, (unsigned long long)r->points.vertex_count);
    g->is_double = r->points.is_double;
    SHEAF_TRY(groom_allocate(g, r->strands, vertices, groom_arrays(&r->points)));
    for (uint64_t s = 0; s < r->strands; s++)
        g->first_vertex[s + 1] = g->first_vertex[s] + r->counts[s];
    for (uint64_t k = 0; k < vertices; k++)
        copy_vertex(&r->points, by_index ? r->indices[k] : k, g, k);
    g->ids = r->ids;
    r->ids = NULL;
    g->metres_per_unit = r->header.metres_per_unit;
    g->up = r->header.up;
    return groom_check_positions(g, r->input->name, true);
}

static sheaf_status read_elements(reading *r, groom_source *source)
{
    SHEAF_TRY(prepare(r));
    for (int k = 0; k < r->header.element_count; k++)
        SHEAF_TRY(read_element(r, &r->header.elements[k]));
    if (groom_left(r->input) > 0 && r->header.encoding != PLY_TEXT)
        base_text_add(&source->notes, "%llu bytes after the last element are ignored\n",
                      (unsigned long long)groom_left(r->input));
    return gather(r, source);
}

static sheaf_status read_ply(groom_source *source)
{
    reading r = {.input = &source->input};
    SHEAF_TRY(ply_read_header(r.input, &r.header));
    const sheaf_status status = read_elements(&r, source);
    groom_free(&r.points);
    base_free(r.counts);
    base_free(r.ids);
    base_free(r.indices);
    return status;
}

// ---- writing

static unsigned char to_byte(float share)
{
    return (unsigned char)(share <= 0 ? 0 : share >= 1 ? 255 : (int)(share * 255 + 0.5f));
}

static void write_header(const groom *g, bool long_strands, FILE *stream)
{
    const char *real = g->is_double ? "double" : "float";
    (void)fprintf(stream, "ply\nformat binary_little_endian 1.0\n");
    char space[96];
    groom_write_space(g, space, sizeof space);
    if (space[0] != 0)
        (void)fprintf(stream, "comment %s\n", space);
    (void)fprintf(stream, "element vertex %llu\nproperty %s x\nproperty %s y\nproperty %s z\n",
                  (unsigned long long)g->vertex_count, real, real, real);
    if (g->width != NULL)
        (void)fprintf(stream, "property float thickness\n");
    if (g->colour != NULL)
        (void)fprintf(stream, "property uchar red\nproperty uchar green\nproperty uchar blue\n");
    if (g->transparency != NULL)
        (void)fprintf(stream, "property uchar alpha\n");
    (void)fprintf(stream, "element strand %llu\nproperty %s nsegs\n", (unsigned long long)g->strand_count,
                  long_strands ? "uint" : "ushort");
    if (g->ids != NULL)
        (void)fprintf(stream, "property uint id\n");
    (void)fprintf(stream, "end_header\n");
}

static void write_vertices(const groom *g, FILE *stream)
{
    const size_t size = groom_point_size(g);
    for (uint64_t k = 0; k < g->vertex_count; k++) {
        (void)fwrite((const char *)g->positions + k * size, size, 1, stream);
        if (g->width != NULL)
            (void)fwrite(&g->width[k], sizeof g->width[k], 1, stream);
        for (int c = 0; g->colour != NULL && c < 3; c++)
            (void)fputc(to_byte(g->colour[k][c]), stream);
        if (g->transparency != NULL)
            (void)fputc(to_byte(g->transparency[k]), stream);
    }
}

static sheaf_status write_ply(groom_source *source, FILE *stream)
{
    const groom *g = &source->groom;
    bool long_strands = false;
    for (uint64_t s = 0; s < g->strand_count; s++) {
        const uint64_t vertices = groom_strand_vertices(g, s);
        if (vertices < 1 || vertices > UINT32_MAX)
            return base_fail(SHEAF_ERR_LIMIT,
                             "strand %llu has %llu vertices; a .ply file of strands allows 1 to 4294967295",
                             (unsigned long long)s, (unsigned long long)vertices);
        long_strands = long_strands || vertices > 65536;
    }
    write_header(g, long_strands, stream);
    write_vertices(g, stream);
    for (uint64_t s = 0; s < g->strand_count; s++) {
        const uint32_t segments = (uint32_t)(groom_strand_vertices(g, s) - 1);
        (void)fwrite(&segments, long_strands ? 4 : 2, 1, stream);
        if (g->ids != NULL)
            (void)fwrite(&g->ids[s], sizeof g->ids[s], 1, stream);
    }
    return SHEAF_OK;
}

const groom_format groom_format_ply = {
    .name = "ply",
    .extension = ".ply",
    .summary = "PLY with an element `strand`",
    .keeps = "points as they are, thickness, colours and transparency in 8 bits, numbers of strands",
    .recognise = recognise,
    .read = read_ply,
    .write = write_ply,
};
