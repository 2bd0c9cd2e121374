// grooms: strands and bytes for tests of file formats.
#include "grooms.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

static void fill_vertex(groom *g, uint64_t s, uint64_t k, double shift)
{
    const double j = (double)(k - g->first_vertex[s]);
    groom_set_point(g, k, (const double[3]){(double)s + 0.25 * j + shift, -0.5 * j, 0.125 * j * j - 1});
    if (g->width != NULL)
        g->width[k] = (float)(0.5 / (1 + j));
    if (g->transparency != NULL)
        g->transparency[k] = (float)(j / 8);
    for (int c = 0; g->colour != NULL && c < 3; c++)
        g->colour[k][c] = (float)((c + (int)k % 4) * 51) / 255;
}

static void fill(groom *g, double shift)
{
    for (uint64_t s = 0; s < g->strand_count; s++) {
        if (g->ids != NULL)
            g->ids[s] = (uint32_t)(100 + 3 * s);
        for (uint64_t k = g->first_vertex[s]; k < g->first_vertex[s + 1]; k++)
            fill_vertex(g, s, k, shift);
    }
}

groom_source grooms_make(uint64_t strands, unsigned arrays, bool is_double)
{
    static const uint64_t counts[] = {3, 2, 1, 5, 4};
    groom_source source = {.frame_count = 1, .input.descriptor = -1};
    uint64_t vertices = 0;
    for (uint64_t s = 0; s < strands; s++)
        vertices += counts[s % 5];
    source.groom.is_double = is_double;
    assert_int_equal(groom_allocate(&source.groom, strands, vertices, arrays), SHEAF_OK);
    for (uint64_t s = 0; s < strands; s++)
        source.groom.first_vertex[s + 1] = source.groom.first_vertex[s] + counts[s % 5];
    fill(&source.groom, 0);
    return source;
}

static sheaf_status move(groom_source *source, uint64_t frame)
{
    fill(&source->groom, (double)frame);
    return SHEAF_OK;
}

groom_source grooms_make_moving(uint64_t strands, uint64_t vertices, uint64_t frames)
{
    groom_source source = {.frame_count = frames, .input.descriptor = -1, .load = move};
    assert_int_equal(groom_allocate(&source.groom, strands, strands * vertices, GROOM_WIDTH), SHEAF_OK);
    for (uint64_t s = 0; s < strands; s++)
        source.groom.first_vertex[s + 1] = (s + 1) * vertices;
    source.times = base_alloc(frames, sizeof *source.times);
    for (uint64_t k = 0; k < frames; k++)
        source.times[k] = (double)k / 24;
    source.groom.metres_per_unit = 1;
    source.groom.up = GROOM_UP_Z;
    fill(&source.groom, 0);
    return source;
}

base_text grooms_write(const groom_format *format, groom_source *source)
{
    char *memory = NULL;
    size_t size = 0;
    base_text bytes = {0};
    FILE *stream = open_memstream(&memory, &size);
    assert_int_equal(groom_write(format, source, stream), SHEAF_OK);
    assert_int_equal(fclose(stream), 0);
    base_text_add_bytes(&bytes, memory, size);
    free(memory);
    return bytes;
}

groom_source grooms_read(const groom_format *format, const base_text *bytes)
{
    groom_source source;
    const sheaf_status status = groom_open_memory(format, bytes->bytes, bytes->length, "test", &source);
    if (status != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    return source;
}

void grooms_refuse(const groom_format *format, const void *bytes, size_t size, sheaf_status status, const char *message)
{
    groom_source source;
    char *exact = malloc(size + (size == 0)); // so that a byte too far is seen
    memcpy(exact, bytes, size);
    assert_int_equal(groom_open_memory(format, exact, size, "bad\nname", &source), status);
    if (strstr(sheaf_last_error(), message) == NULL || strstr(sheaf_last_error(), "bad\\nname") == NULL)
        fail_msg("'%s' says nothing of '%s'", sheaf_last_error(), message);
    free(exact);
}

static void assert_floats(const float *a, const float *b, uint64_t count, double tolerance)
{
    for (uint64_t k = 0; k < count; k++)
        assert_close((double)a[k], (double)b[k], tolerance);
}

void grooms_assert_equal(const groom *a, const groom *b, unsigned arrays, double tolerance)
{
    assert_int_equal(a->strand_count, b->strand_count);
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_memory_equal(a->first_vertex, b->first_vertex, (a->strand_count + 1) * sizeof *a->first_vertex);
    for (uint64_t k = 0; k < a->vertex_count; k++) {
        double p[3], q[3];
        groom_point(a, k, p);
        groom_point(b, k, q);
        for (int c = 0; c < 3; c++)
            assert_close(p[c], q[c], tolerance);
    }
    assert_int_equal(groom_arrays(b) & arrays, arrays);
    if (arrays & GROOM_WIDTH)
        assert_floats(a->width, b->width, a->vertex_count, tolerance);
    if (arrays & GROOM_TRANSPARENCY)
        assert_floats(a->transparency, b->transparency, a->vertex_count, 0.002);
    if (arrays & GROOM_COLOUR)
        assert_floats(a->colour[0], b->colour[0], 3 * a->vertex_count, 1e-6);
    if (arrays & GROOM_IDS)
        assert_memory_equal(a->ids, b->ids, a->strand_count * sizeof *a->ids);
}

static sheaf_status try(const groom_format *format, const char *bytes, size_t size)
{
    groom_source source;
    char *exact = malloc(size + (size == 0));
    memcpy(exact, bytes, size);
    sheaf_status status = groom_open_memory(format, exact, size, "test", &source);
    for (uint64_t k = 0; status == SHEAF_OK && k < source.frame_count && k < 8; k++)
        status = groom_load(&source, k);
    groom_close(&source);
    free(exact);
    return status;
}

void grooms_refuse_cuts(const groom_format *format, const base_text *bytes, size_t allowed)
{
    for (size_t size = 0; size < bytes->length; size++) {
        const sheaf_status status = try(format, bytes->bytes, size);
        if (status != SHEAF_ERR_INPUT && !(status == SHEAF_OK && allowed > 0 && size >= allowed))
            fail_msg("%zu of %zu bytes: status %d", size, bytes->length, (int)status);
    }
}

void grooms_survive_flips(const groom_format *format, const base_text *bytes)
{
    static const unsigned char masks[] = {0x01, 0x80, 0xff, 0x10};
    for (size_t k = 0; k < bytes->length; k++)
        for (size_t m = 0; m < sizeof masks; m++) {
            bytes->bytes[k] = (char)(bytes->bytes[k] ^ (char)masks[m]);
            const sheaf_status status = try(format, bytes->bytes, bytes->length);
            assert_true(status == SHEAF_OK || status == SHEAF_ERR_INPUT || status == SHEAF_ERR_LIMIT);
            bytes->bytes[k] = (char)(bytes->bytes[k] ^ (char)masks[m]);
        }
}
