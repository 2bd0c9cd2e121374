// vtp: strands as lines of a VTK XML file, with raw data appended, as ParaView of any age reads them.
#include "groom/format.h"

#include <string.h>

// An array of the file: how the XML announces it, and where its bytes start after the mark.
typedef struct block {
    const char *type, *name;
    int components;
    uint64_t bytes, offset;
} block;

enum {
    BLOCK_POINTS,
    BLOCK_CONNECTIVITY,
    BLOCK_ENDS,
    BLOCK_STRAND,
    BLOCK_RADIUS,
    BLOCK_COLOUR,
    BLOCK_ANGLE,
    BLOCK_COUNT
};

static void plan(const groom *g, block blocks[BLOCK_COUNT])
{
    const uint64_t points = g->vertex_count, strands = g->strand_count;
    const block all[BLOCK_COUNT] = {
        {g->is_double ? "Float64" : "Float32", "Points", 3, points * groom_point_size(g), 0},
        {"Int64", "connectivity", 1, points * sizeof(int64_t), 0},
        {"Int64", "offsets", 1, strands * sizeof(int64_t), 0},
        {"Int64", "strand", 1, strands * sizeof(int64_t), 0},
        {"Float32", "radius", 1, g->width != NULL ? points * sizeof(float) : 0, 0},
        {"Float32", "colour", 3, g->colour != NULL ? 3 * points * sizeof(float) : 0, 0},
        {"Float32", "director_angle", 1, g->director_angle != NULL ? points * sizeof(float) : 0, 0},
    };
    uint64_t offset = 0;
    memcpy(blocks, all, sizeof all);
    for (int k = 0; k < BLOCK_COUNT; k++) {
        blocks[k].offset = offset;
        offset += sizeof(uint64_t) + blocks[k].bytes;
    }
}

static void announce(const block *b, FILE *stream)
{
    (void)fprintf(stream,
                  "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
                  "offset=\"%llu\"/>\n",
                  b->type, b->name, b->components, (unsigned long long)b->offset);
}

static void write_head(const groom_source *source, const block *blocks, FILE *stream)
{
    const groom *g = &source->groom;
    (void)fprintf(stream,
                  "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                  "header_type=\"UInt64\">\n  <PolyData>\n");
    if (source->times != NULL)
        (void)fprintf(stream,
                      "    <FieldData>\n      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                      "format=\"ascii\">%.17g</DataArray>\n    </FieldData>\n",
                      source->times[source->frame]);
    (void)fprintf(stream,
                  "    <Piece NumberOfPoints=\"%llu\" NumberOfVerts=\"0\" NumberOfLines=\"%llu\" NumberOfStrips=\"0\" "
                  "NumberOfPolys=\"0\">\n      <PointData>\n",
                  (unsigned long long)g->vertex_count, (unsigned long long)g->strand_count);
    if (g->width != NULL)
        announce(&blocks[BLOCK_RADIUS], stream);
    if (g->colour != NULL)
        announce(&blocks[BLOCK_COLOUR], stream);
    if (g->director_angle != NULL)
        announce(&blocks[BLOCK_ANGLE], stream);
    (void)fprintf(stream, "      </PointData>\n      <CellData>\n");
    announce(&blocks[BLOCK_STRAND], stream);
    (void)fprintf(stream, "      </CellData>\n      <Points>\n");
    announce(&blocks[BLOCK_POINTS], stream);
    (void)fprintf(stream, "      </Points>\n      <Lines>\n");
    announce(&blocks[BLOCK_CONNECTIVITY], stream);
    announce(&blocks[BLOCK_ENDS], stream);
    (void)fprintf(stream, "      </Lines>\n    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n_");
}

static void write_number(uint64_t number, FILE *stream)
{
    (void)fwrite(&number, sizeof number, 1, stream);
}

static void write_data(const groom *g, const block *blocks, FILE *stream)
{
    write_number(blocks[BLOCK_POINTS].bytes, stream);
    (void)fwrite(g->positions, groom_point_size(g), g->vertex_count, stream);
    write_number(blocks[BLOCK_CONNECTIVITY].bytes, stream);
    for (uint64_t k = 0; k < g->vertex_count; k++)
        write_number(k, stream);
    write_number(blocks[BLOCK_ENDS].bytes, stream);
    (void)fwrite(g->first_vertex + 1, sizeof *g->first_vertex, g->strand_count, stream);
    write_number(blocks[BLOCK_STRAND].bytes, stream);
    for (uint64_t s = 0; s < g->strand_count; s++)
        write_number(groom_id(g, s), stream);
    write_number(blocks[BLOCK_RADIUS].bytes, stream);
    for (uint64_t k = 0; g->width != NULL && k < g->vertex_count; k++) {
        const float radius = g->width[k] / 2;
        (void)fwrite(&radius, sizeof radius, 1, stream);
    }
    write_number(blocks[BLOCK_COLOUR].bytes, stream);
    if (g->colour != NULL)
        (void)fwrite(g->colour, sizeof *g->colour, g->vertex_count, stream);
    write_number(blocks[BLOCK_ANGLE].bytes, stream);
    if (g->director_angle != NULL)
        (void)fwrite(g->director_angle, sizeof *g->director_angle, g->vertex_count, stream);
}

static sheaf_status write_vtp(groom_source *source, FILE *stream)
{
    block blocks[BLOCK_COUNT];
    plan(&source->groom, blocks);
    write_head(source, blocks, stream);
    write_data(&source->groom, blocks, stream);
    (void)fprintf(stream, "\n  </AppendedData>\n</VTKFile>\n");
    return SHEAF_OK;
}

const groom_format groom_format_vtp = {
    .name = "vtp",
    .extension = ".vtp",
    .summary = "VTK XML lines, for ParaView",
    .keeps = "points as they are, angles of directors, radius, colours, numbers of strands",
    .write = write_vtp,
};
