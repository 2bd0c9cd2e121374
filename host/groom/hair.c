// hair: Cem Yuksel's .hair files: a header of 128 bytes, then segments, points, thickness, transparency and colours as
// far as the header's bits say they are there.
#include "groom/format.h"

#include <string.h>

enum {
    HAIR_SEGMENTS = 1,
    HAIR_POINTS = 2,
    HAIR_THICKNESS = 4,
    HAIR_TRANSPARENCY = 8,
    HAIR_COLOURS = 16,
    HAIR_ALL = 31
};
enum { HEADER_SIZE = 128, MOST_SEGMENTS = 65535 };

// The header as it lies in the file.
typedef struct header {
    char magic[4];
    uint32_t strands, points, arrays, segments;
    float thickness, transparency, colour[3];
    char note[88];
} header;
_Static_assert(sizeof(header) == HEADER_SIZE, "the header has no gaps");

static bool recognise(const unsigned char *start, size_t length)
{
    return length >= 4 && (memcmp(start, "HAIR", 4) == 0 || memcmp(start, "hair", 4) == 0);
}

static sheaf_status read_header(groom_input *input, header *h)
{
    if (input->size < HEADER_SIZE)
        return groom_fail(input, "a .hair file has a header of %d bytes, this file has %llu bytes", HEADER_SIZE,
                          (unsigned long long)input->size);
    SHEAF_TRY(groom_read(input, h, sizeof *h));
    if (!recognise((const unsigned char *)h->magic, sizeof h->magic))
        return base_fail(
            SHEAF_ERR_INPUT,
            "%s: not a .hair file: none of its %llu bytes can be trusted, because it does not start with HAIR",
            input->name, (unsigned long long)input->size);
    if ((h->arrays & ~(uint32_t)HAIR_ALL) != 0)
        return groom_fail(input, "the header's bits 0x%x announce arrays that the format does not have",
                          h->arrays & ~(uint32_t)HAIR_ALL);
    if ((h->arrays & HAIR_POINTS) == 0)
        return groom_fail(input, "the header announces no points");
    return SHEAF_OK;
}

static uint64_t array_bytes(const header *h)
{
    const uint64_t per_point = 12u + (h->arrays & HAIR_THICKNESS ? 4u : 0u) +
                               (h->arrays & HAIR_TRANSPARENCY ? 4u : 0u) + (h->arrays & HAIR_COLOURS ? 12u : 0u);
    return per_point * h->points + (h->arrays & HAIR_SEGMENTS ? 2ull * h->strands : 0);
}

static void keep_header(const header *h, groom *g)
{
    g->hair = (groom_hair_header){.present = true,
                                  .has_segments = (h->arrays & HAIR_SEGMENTS) != 0,
                                  .thickness = h->thickness,
                                  .transparency = h->transparency,
                                  .segments = h->segments};
    memcpy(g->hair.magic, h->magic, sizeof h->magic);
    memcpy(g->hair.colour, h->colour, sizeof h->colour);
    memcpy(g->hair.note, h->note, sizeof h->note);
}

// The header's text need not end with a 0.
static void read_note(const char *note, double *metres_per_unit, groom_up *up)
{
    char text[sizeof(((header *)0)->note) + 1] = {0};
    memcpy(text, note, sizeof text - 1);
    groom_read_space(text, metres_per_unit, up);
}

// The number of points that the strands have, by the array of segments or by the header's default.
static sheaf_status read_segments(groom_input *input, const header *h, uint64_t *first_vertex)
{
    uint16_t block[4096];
    const uint64_t capacity = sizeof block / sizeof block[0];
    for (uint64_t s = 0; s < h->strands; s++) {
        uint64_t segments = h->segments;
        if (h->arrays & HAIR_SEGMENTS) {
            if (s % capacity == 0)
                SHEAF_TRY(groom_read(input, block, 2 * (h->strands - s < capacity ? h->strands - s : capacity)));
            segments = block[s % capacity];
        }
        first_vertex[s + 1] = first_vertex[s] + segments + 1;
    }
    if (first_vertex[h->strands] != h->points)
        return groom_fail(input, "the strands' segments make %llu points, but the header says %u",
                          (unsigned long long)first_vertex[h->strands], h->points);
    return SHEAF_OK;
}

static sheaf_status read_hair(groom_source *source)
{
    groom_input *input = &source->input;
    groom *g = &source->groom;
    header h = {0};
    SHEAF_TRY(read_header(input, &h));
    SHEAF_TRY(groom_need(input, array_bytes(&h), "the arrays that the header announces"));
    if (!(h.arrays & HAIR_SEGMENTS) && groom_times(h.strands, h.segments + 1ull) != h.points)
        return groom_fail(input, "%u strands of %u segments make %llu points, but the header says %u", h.strands,
                          h.segments, (unsigned long long)groom_times(h.strands, h.segments + 1ull), h.points);
    SHEAF_TRY(groom_allocate(g, h.strands, h.points,
                             (h.arrays & HAIR_THICKNESS ? GROOM_WIDTH : 0u) |
                                 (h.arrays & HAIR_TRANSPARENCY ? GROOM_TRANSPARENCY : 0u) |
                                 (h.arrays & HAIR_COLOURS ? GROOM_COLOUR : 0u)));
    keep_header(&h, g);
    read_note(h.note, &g->metres_per_unit, &g->up);
    SHEAF_TRY(read_segments(input, &h, g->first_vertex));
    SHEAF_TRY(groom_read(input, g->positions, 12ull * h.points));
    SHEAF_TRY(groom_check_positions(g, input->name, false));
    if (g->width != NULL)
        SHEAF_TRY(groom_read(input, g->width, 4ull * h.points));
    if (g->transparency != NULL)
        SHEAF_TRY(groom_read(input, g->transparency, 4ull * h.points));
    if (g->colour != NULL)
        SHEAF_TRY(groom_read(input, g->colour, 12ull * h.points));
    if (groom_left(input) > 0)
        base_text_add(&source->notes, "%llu bytes after the last array are ignored\n",
                      (unsigned long long)groom_left(input));
    return SHEAF_OK;
}

// ---- writing

// A header for strands that did not come from a .hair file.
static header new_header(const groom *g)
{
    header h = {.magic = {'H', 'A', 'I', 'R'}, .thickness = 1, .colour = {1, 1, 1}};
    const bool even = groom_is_even(g) && g->strand_count > 0;
    h.segments = even ? (uint32_t)(groom_strand_vertices(g, 0) - 1) : 0;
    h.arrays = even ? 0 : HAIR_SEGMENTS;
    groom_write_space(g, h.note, sizeof h.note);
    return h;
}

// The header that a groom from a .hair file had, as far as it still holds.
static header old_header(const groom *g)
{
    const groom_hair_header *old = &g->hair;
    header h = {.segments = old->segments, .thickness = old->thickness, .transparency = old->transparency};
    memcpy(h.magic, old->magic, sizeof h.magic);
    memcpy(h.colour, old->colour, sizeof h.colour);
    memcpy(h.note, old->note, sizeof h.note);
    double metres = 0;
    groom_up up = GROOM_UP_UNKNOWN;
    read_note(h.note, &metres, &up);
    if (metres > 0) // our own words, which may no longer hold
        groom_write_space(g, h.note, sizeof h.note);
    bool as_default = !old->has_segments;
    for (uint64_t s = 0; s < g->strand_count && as_default; s++)
        as_default = groom_strand_vertices(g, s) == old->segments + 1ull;
    h.arrays = as_default ? 0 : HAIR_SEGMENTS;
    return h;
}

static sheaf_status check_limits(const groom *g)
{
    if (g->strand_count > UINT32_MAX || g->vertex_count > UINT32_MAX)
        return base_fail(SHEAF_ERR_LIMIT, "a .hair file holds at most 4294967295 strands and points, not %llu and %llu",
                         (unsigned long long)g->strand_count, (unsigned long long)g->vertex_count);
    for (uint64_t s = 0; s < g->strand_count; s++)
        if (groom_strand_vertices(g, s) < 1 || groom_strand_vertices(g, s) > MOST_SEGMENTS + 1)
            return base_fail(SHEAF_ERR_LIMIT,
                             "strand %llu has %llu vertices; a .hair file allows 1 to %d. Use --resample",
                             (unsigned long long)s, (unsigned long long)groom_strand_vertices(g, s), MOST_SEGMENTS + 1);
    return SHEAF_OK;
}

static sheaf_status write_hair(groom_source *source, FILE *stream)
{
    const groom *g = &source->groom;
    SHEAF_TRY(check_limits(g));
    header h = g->hair.present ? old_header(g) : new_header(g);
    h.strands = (uint32_t)g->strand_count;
    h.points = (uint32_t)g->vertex_count;
    h.arrays |= HAIR_POINTS | (g->width ? HAIR_THICKNESS : 0u) | (g->transparency ? HAIR_TRANSPARENCY : 0u) |
                (g->colour ? HAIR_COLOURS : 0u);
    (void)fwrite(&h, sizeof h, 1, stream);
    for (uint64_t s = 0; (h.arrays & HAIR_SEGMENTS) && s < g->strand_count; s++) {
        const uint16_t segments = (uint16_t)(groom_strand_vertices(g, s) - 1);
        (void)fwrite(&segments, sizeof segments, 1, stream);
    }
    groom_write_points(g, 0, g->vertex_count, stream);
    if (g->width != NULL)
        (void)fwrite(g->width, sizeof *g->width, g->vertex_count, stream);
    if (g->transparency != NULL)
        (void)fwrite(g->transparency, sizeof *g->transparency, g->vertex_count, stream);
    if (g->colour != NULL)
        (void)fwrite(g->colour, sizeof *g->colour, g->vertex_count, stream);
    return SHEAF_OK;
}

// ---- writing what is made meanwhile

static sheaf_status write_segments(const groom_block *block, void *user)
{
    for (uint32_t k = 0; k < block->count; k++) {
        const uint64_t vertices = block->first_vertex[k + 1] - block->first_vertex[k];
        const uint16_t segments = (uint16_t)(vertices - 1);
        if (vertices < 1 || vertices > MOST_SEGMENTS + 1)
            return base_fail(SHEAF_ERR_LIMIT, "a strand has %llu vertices; a .hair file allows 1 to %d",
                             (unsigned long long)vertices, MOST_SEGMENTS + 1);
        (void)fwrite(&segments, sizeof segments, 1, user);
    }
    return SHEAF_OK;
}

static sheaf_status write_block(const groom_block *block, void *user)
{
    for (uint64_t k = 0; k < block->first_vertex[block->count]; k++) {
        const float point[3] = {(float)block->points[k][0], (float)block->points[k][1], (float)block->points[k][2]};
        (void)fwrite(point, sizeof point, 1, user);
    }
    return SHEAF_OK;
}

static sheaf_status write_widths(const groom_block *block, void *user)
{
    for (uint32_t k = 0; k < block->count; k++)
        for (uint64_t i = block->first_vertex[k]; i < block->first_vertex[k + 1]; i++)
            (void)fwrite(&block->width[k], sizeof block->width[k], 1, user);
    return SHEAF_OK;
}

static sheaf_status write_hair_flow(const groom_flow *flow, FILE *stream)
{
    header h = {.magic = {'H', 'A', 'I', 'R'}, .thickness = 1, .colour = {1, 1, 1}};
    if (flow->strand_count > UINT32_MAX || flow->vertex_count > UINT32_MAX)
        return base_fail(SHEAF_ERR_LIMIT, "a .hair file holds at most 4294967295 strands and points, not %llu and %llu",
                         (unsigned long long)flow->strand_count, (unsigned long long)flow->vertex_count);
    h.strands = (uint32_t)flow->strand_count;
    h.points = (uint32_t)flow->vertex_count;
    h.arrays = HAIR_SEGMENTS | HAIR_POINTS | (flow->has_width ? HAIR_THICKNESS : 0u);
    groom_write_space(&flow->like->groom, h.note, sizeof h.note);
    (void)fwrite(&h, sizeof h, 1, stream);
    SHEAF_TRY(flow->load(flow->user, flow->like->frame));
    SHEAF_TRY(groom_flow_walk(flow, false, write_segments, stream));
    SHEAF_TRY(groom_flow_walk(flow, true, write_block, stream));
    return flow->has_width ? groom_flow_walk(flow, false, write_widths, stream) : SHEAF_OK;
}

const groom_format groom_format_hair = {
    .name = "hair",
    .extension = ".hair",
    .summary = "Cem Yuksel's binary hair models",
    .keeps = "points in single precision, thickness, transparency, colours, header; strands of at most 65,536 vertices",
    .recognise = recognise,
    .read = read_hair,
    .write = write_hair,
    .write_flow = write_hair_flow,
};
