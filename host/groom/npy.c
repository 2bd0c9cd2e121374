// npy: NumPy arrays of shape (strands, vertices, 3) or (frames, strands, vertices, 3), in single or double precision.
#include "groom/npy.h"
#include "groom/format.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_HEADER = 4096, ALIGNMENT = 64 };

static const char magic[] = "\x93NUMPY";

static bool recognise(const unsigned char *start, size_t length)
{
    return length >= sizeof magic - 1 && memcmp(start, magic, sizeof magic - 1) == 0;
}

// The header is a Python dictionary; its text ends up in `text`, without what surrounds it.
static sheaf_status read_text(groom_input *input, char text[LONGEST_HEADER + 1])
{
    unsigned char start[8], length[4] = {0};
    if (input->size < sizeof start + 2)
        return groom_fail(input, "a .npy file has at least 10 bytes, this file has %llu",
                          (unsigned long long)input->size);
    SHEAF_TRY(groom_read(input, start, sizeof start));
    if (!recognise(start, sizeof start))
        return base_fail(SHEAF_ERR_INPUT, "%s: not a .npy file: its %llu bytes do not start with \\x93NUMPY",
                         input->name, (unsigned long long)input->size);
    if (start[6] < 1 || start[6] > 3)
        return groom_fail(input, "version %u.%u of the format is not known; 1 to 3 are", start[6], start[7]);
    SHEAF_TRY(groom_read(input, length, start[6] == 1 ? 2 : 4));
    const uint32_t bytes = length[0] | (uint32_t)length[1] << 8 | (uint32_t)length[2] << 16 | (uint32_t)length[3] << 24;
    if (bytes > LONGEST_HEADER)
        return groom_fail(input, "a header of %u bytes; at most %d are read", bytes, LONGEST_HEADER);
    SHEAF_TRY(groom_read(input, text, bytes));
    text[bytes] = 0;
    return SHEAF_OK;
}

// The text after "'key':" and blanks, or NULL.
static const char *find_value(const char *text, const char *key)
{
    const char *found = strstr(text, key);
    if (found == NULL)
        return NULL;
    found += strlen(key);
    found += strspn(found, " ");
    if (*found != ':')
        return NULL;
    return found + 1 + strspn(found + 1, " ");
}

static sheaf_status read_type(const groom_input *input, const char *text, npy_shape *s)
{
    const char *type = find_value(text, "'descr'"), *order = find_value(text, "'fortran_order'");
    if (type == NULL || order == NULL)
        return groom_fail(input, "the header names no 'descr' or no 'fortran_order'");
    if (strncmp(type, "'<f4'", 5) != 0 && strncmp(type, "'<f8'", 5) != 0)
        return groom_fail(input, "the numbers must be little-endian reals of 4 or 8 bytes ('<f4', '<f8')");
    if (strncmp(order, "False", 5) != 0)
        return groom_fail(input, "the array is in Fortran order; save numpy.ascontiguousarray of it");
    s->is_double = type[3] == '8';
    return SHEAF_OK;
}

static sheaf_status read_sizes(const groom_input *input, const char *text, npy_shape *s)
{
    const char *cursor = find_value(text, "'shape'");
    if (cursor == NULL || *cursor != '(')
        return groom_fail(input, "the header names no 'shape'");
    for (cursor++; *cursor >= '0' && *cursor <= '9'; s->axes++) {
        char *end;
        if (s->axes == NPY_MOST_AXES)
            return groom_fail(input, "the array has more than %d axes", NPY_MOST_AXES);
        s->size[s->axes] = strtoull(cursor, &end, 10);
        cursor = end + strspn(end, ", ");
    }
    return *cursor == ')' ? SHEAF_OK : groom_fail(input, "the 'shape' is no list of whole numbers");
}

sheaf_status npy_read_header(groom_input *input, npy_shape *shape)
{
    char text[LONGEST_HEADER + 1];
    *shape = (npy_shape){0};
    SHEAF_TRY(read_text(input, text));
    SHEAF_TRY(read_type(input, text, shape));
    return read_sizes(input, text, shape);
}

static sheaf_status load_frame(groom_source *source, uint64_t frame)
{
    groom *g = &source->groom;
    const uint64_t bytes = g->vertex_count * groom_point_size(g), start = *(const uint64_t *)source->own;
    SHEAF_TRY(groom_seek(&source->input, start + frame * bytes));
    SHEAF_TRY(groom_read(&source->input, g->positions, bytes));
    return groom_check_positions(g, source->input.name, true);
}

static void release(groom_source *source)
{
    base_free(source->own);
}

static sheaf_status read_npy(groom_source *source)
{
    groom_input *input = &source->input;
    npy_shape s;
    SHEAF_TRY(npy_read_header(input, &s));
    if ((s.axes != 3 && s.axes != 4) || s.size[s.axes - 1] != 3)
        return groom_fail(input,
                          "the array must have the shape (strands, vertices, 3) or (frames, strands, vertices, 3)");
    const uint64_t *sizes = s.size + (s.axes - 3), frames = s.axes == 4 ? s.size[0] : 1;
    if (frames == 0 || sizes[0] == 0 || sizes[1] == 0)
        return groom_fail(input, "the array is empty");
    const uint64_t vertices = groom_times(sizes[0], sizes[1]);
    const uint64_t bytes = groom_times(groom_times(frames, vertices), s.is_double ? 24 : 12);
    SHEAF_TRY(groom_need(input, bytes, "the numbers of that shape"));
    source->groom.is_double = s.is_double;
    SHEAF_TRY(groom_allocate(&source->groom, sizes[0], vertices, 0));
    for (uint64_t k = 0; k < sizes[0]; k++)
        source->groom.first_vertex[k + 1] = (k + 1) * sizes[1];
    if (groom_left(input) > bytes)
        base_text_add(&source->notes, "%llu bytes after the array are ignored\n",
                      (unsigned long long)(groom_left(input) - bytes));
    uint64_t *start = source->own = base_alloc(1, sizeof *start);
    if (start == NULL)
        return SHEAF_ERR_MEMORY;
    *start = groom_offset(input);
    source->release = release;
    source->frame_count = frames;
    source->load = frames > 1 ? load_frame : NULL;
    return load_frame(source, 0);
}

static sheaf_status write_npy(groom_source *source, FILE *stream)
{
    const groom *g = &source->groom;
    if (g->strand_count == 0 || !groom_is_even(g))
        return base_fail(SHEAF_ERR_INPUT, "a .npy file holds strands of one and the same number of vertices; %s",
                         g->strand_count == 0 ? "there are none" : "--resample makes them so");
    char text[256], frames[32] = "";
    if (source->frame_count > 1)
        snprintf(frames, sizeof frames, "%llu, ", (unsigned long long)source->frame_count);
    snprintf(text, sizeof text, "{'descr': '<f%d', 'fortran_order': False, 'shape': (%s%llu, %llu, 3), }",
             g->is_double ? 8 : 4, frames, (unsigned long long)g->strand_count,
             (unsigned long long)groom_strand_vertices(g, 0));
    // blanks and a line end fill the header up to where numbers may be mapped into memory
    const size_t total = (10 + strlen(text) + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT, header = total - 10;
    const unsigned char start[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, header & 255, (unsigned char)(header >> 8)};
    (void)fwrite(start, sizeof start, 1, stream);
    (void)fprintf(stream, "%-*s\n", (int)header - 1, text);
    for (uint64_t frame = 0; frame < source->frame_count; frame++) {
        SHEAF_TRY(groom_load(source, frame));
        (void)fwrite(g->positions, groom_point_size(g), g->vertex_count, stream);
    }
    return SHEAF_OK;
}

const groom_format groom_format_npy = {
    .name = "npy",
    .extension = ".npy",
    .summary = "NumPy arrays (strands, vertices, 3) or (frames, strands, vertices, 3)",
    .keeps = "points as they are, frames without their times; strands of equal numbers of vertices",
    .has_time = true,
    .recognise = recognise,
    .read = read_npy,
    .write = write_npy,
};
