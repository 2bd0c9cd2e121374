// data: .data files of hair databases: the number of strands, then for each its number of points and the points.
#include "groom/format.h"

enum { MOST_COUNT = 0x7fffffff }; // counts are signed

// Walks over the strands without keeping points, so that memory is taken only for what is there.
static sheaf_status count_points(groom_input *input, uint32_t strands, uint64_t *points)
{
    *points = 0;
    for (uint32_t s = 0; s < strands; s++) {
        uint32_t count;
        SHEAF_TRY(groom_read(input, &count, sizeof count));
        if (count > MOST_COUNT)
            return groom_fail(input, "strand %u has a negative number of points", s);
        SHEAF_TRY(groom_need(input, 12ull * count, "the points of a strand"));
        SHEAF_TRY(groom_seek(input, groom_offset(input) + 12ull * count));
        *points += count;
    }
    return SHEAF_OK;
}

static sheaf_status read_strands(groom_input *input, groom *g)
{
    SHEAF_TRY(groom_seek(input, 4));
    for (uint64_t s = 0; s < g->strand_count; s++) {
        uint32_t count;
        SHEAF_TRY(groom_read(input, &count, sizeof count));
        const uint64_t first = g->first_vertex[s];
        if (count > g->vertex_count - first)
            return groom_fail(input, "the file changed while it was read");
        SHEAF_TRY(groom_read(input, (float *)g->positions + 3 * first, 12ull * count));
        g->first_vertex[s + 1] = first + count;
    }
    return groom_check_positions(g, input->name, false);
}

static sheaf_status read_data(groom_source *source)
{
    groom_input *input = &source->input;
    uint32_t strands;
    uint64_t points;
    if (input->size < sizeof strands)
        return groom_fail(input, "a .data file starts with 4 bytes, this file has %llu",
                          (unsigned long long)input->size);
    SHEAF_TRY(groom_read(input, &strands, sizeof strands));
    if (strands > MOST_COUNT)
        return groom_fail(input, "the number of strands is negative");
    SHEAF_TRY(groom_need(input, 4ull * strands, "the strands' numbers of points"));
    SHEAF_TRY(count_points(input, strands, &points));
    if (groom_left(input) > 0)
        base_text_add(&source->notes, "%llu bytes after the last strand are ignored\n",
                      (unsigned long long)groom_left(input));
    SHEAF_TRY(groom_allocate(&source->groom, strands, points, 0));
    return read_strands(input, &source->groom);
}

static sheaf_status write_data(groom_source *source, FILE *stream)
{
    const groom *g = &source->groom;
    if (g->strand_count > MOST_COUNT)
        return base_fail(SHEAF_ERR_LIMIT, "a .data file holds at most %d strands, not %llu", MOST_COUNT,
                         (unsigned long long)g->strand_count);
    const uint32_t strands = (uint32_t)g->strand_count;
    (void)fwrite(&strands, sizeof strands, 1, stream);
    for (uint64_t s = 0; s < g->strand_count; s++) {
        const uint64_t vertices = groom_strand_vertices(g, s);
        if (vertices > MOST_COUNT)
            return base_fail(SHEAF_ERR_LIMIT, "a strand of a .data file has at most %d points", MOST_COUNT);
        const uint32_t count = (uint32_t)vertices;
        (void)fwrite(&count, sizeof count, 1, stream);
        groom_write_points(g, g->first_vertex[s], g->first_vertex[s + 1], stream);
    }
    return SHEAF_OK;
}

const groom_format groom_format_data = {
    .name = "data",
    .extension = ".data",
    .summary = "strands of hair databases",
    .keeps = "points in single precision",
    .read = read_data,
    .write = write_data,
};
