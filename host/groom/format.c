// format: finding the format of a file, and opening files in it.
#include "groom/format.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "groom/number.h"

const groom_format *const groom_formats[] = {&groom_format_hair, &groom_format_usda, &groom_format_npy,
                                             &groom_format_ply,  &groom_format_data, NULL};

const groom_format *groom_format_of(const groom_format *const *formats, const char *path)
{
    const size_t length = strlen(path);
    for (; *formats != NULL; formats++) {
        const size_t ending = strlen((*formats)->extension);
        if (length > ending && strcasecmp(path + length - ending, (*formats)->extension) == 0)
            return *formats;
    }
    return NULL;
}

const groom_format *groom_recognise(const groom_format *const *formats, const unsigned char *start, size_t length,
                                    const char *path)
{
    for (const groom_format *const *format = formats; *format != NULL; format++)
        if ((*format)->recognise != NULL && (*format)->recognise(start, length))
            return *format;
    return groom_format_of(formats, path);
}

sheaf_status groom_load(groom_source *source, uint64_t frame)
{
    locale_t own, before;
    if (source->load == NULL || frame == source->frame)
        return SHEAF_OK;
    SHEAF_TRY(groom_enter_c_locale(&own, &before));
    const sheaf_status status = source->load(source, frame);
    groom_leave_c_locale(own, before);
    if (status == SHEAF_OK)
        source->frame = frame;
    return status;
}

sheaf_status groom_write(const groom_format *format, groom_source *source, FILE *stream)
{
    locale_t own, before;
    SHEAF_TRY(groom_enter_c_locale(&own, &before));
    const sheaf_status status = format->write(source, stream);
    groom_leave_c_locale(own, before);
    return status;
}

sheaf_status groom_write_flow(const groom_format *format, const groom_flow *flow, FILE *stream)
{
    locale_t own, before;
    SHEAF_TRY(groom_enter_c_locale(&own, &before));
    const sheaf_status status = format->write_flow(flow, stream);
    groom_leave_c_locale(own, before);
    return status;
}

static sheaf_status read_source(const groom_format *format, const char *path, groom_source *source)
{
    source->frame_count = 1;
    locale_t own, before;
    sheaf_status status = groom_enter_c_locale(&own, &before);
    if (status == SHEAF_OK) {
        status = format->open != NULL ? format->open(path, source) : format->read(source);
        groom_leave_c_locale(own, before);
    }
    if (status == SHEAF_OK)
        status = groom_check_arrays(&source->groom, source->input.name);
    if (status == SHEAF_OK)
        status = base_text_status(&source->notes);
    if (status != SHEAF_OK)
        groom_close(source);
    return status;
}

sheaf_status groom_open(const groom_format *format, const char *path, groom_source *source)
{
    *source = (groom_source){0};
    SHEAF_TRY(groom_input_open(path, &source->input));
    return read_source(format, path, source);
}

sheaf_status groom_open_memory(const groom_format *format, const void *bytes, size_t size, const char *name,
                               groom_source *source)
{
    *source = (groom_source){0};
    groom_input_memory(bytes, size, name, &source->input);
    return read_source(format, name, source);
}

void groom_close(groom_source *source)
{
    if (source->release != NULL)
        source->release(source);
    groom_free(&source->groom);
    groom_input_close(&source->input);
    base_free(source->times);
    base_text_free(&source->notes);
    *source = (groom_source){.input.descriptor = -1};
}

void groom_write_points(const groom *g, uint64_t first, uint64_t end, FILE *stream)
{
    double point[3];
    for (uint64_t k = first; k < end; k++) {
        groom_point(g, k, point);
        float single[3];
        for (int c = 0; c < 3; c++)
            single[c] = fabs(point[c]) < (double)FLT_MIN ? 0 : (float)point[c]; // readers refuse denormal numbers
        (void)fwrite(single, sizeof single, 1, stream);
    }
}
