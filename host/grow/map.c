// map: reading pictures of grey values and arrays, and values between their numbers.
#include "grow/map.h"

#include "groom/kind.h"
#include "groom/npy.h"
#include "groom/number.h"

#include <math.h>

static const double largest_value = 1e6;

// Takes memory for a map of this size.
static sheaf_status make_room(const groom_input *input, uint64_t width, uint64_t height, grow_map *map)
{
    if (width < 2 || height < 2 || width > GROW_MAP_MOST || height > GROW_MAP_MOST)
        return base_fail(SHEAF_ERR_INPUT, "%s: %llu x %llu numbers; a map has 2 to %d to a side", input->name,
                         (unsigned long long)width, (unsigned long long)height, GROW_MAP_MOST);
    map->values = base_alloc(width * height, sizeof *map->values);
    if (map->values == NULL)
        return SHEAF_ERR_MEMORY;
    map->width = (uint32_t)width;
    map->height = (uint32_t)height;
    return SHEAF_OK;
}

// ---- pictures

// Passes over blanks, and comments from # to the end of their line.
static void skip_blanks(groom_input *input)
{
    for (int byte; (byte = groom_peek(input)) >= 0;) {
        if (byte == '#')
            while ((byte = groom_take(input)) >= 0 && byte != '\n')
                ;
        else if (byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r')
            input->next++;
        else
            return;
    }
}

static sheaf_status read_whole(groom_input *input, uint64_t most, uint64_t *whole)
{
    skip_blanks(input);
    *whole = 0;
    int digits = 0;
    for (int byte; (byte = groom_peek(input)) >= '0' && byte <= '9' && digits < 9; digits++, input->next++)
        *whole = 10 * *whole + (uint64_t)(byte - '0');
    if (digits == 0 || *whole > most)
        return groom_fail(input, "expected a whole number from 0 to %llu", (unsigned long long)most);
    return SHEAF_OK;
}

static sheaf_status read_grey(groom_input *input, bool is_text, uint64_t white, float *value)
{
    unsigned char bytes[2] = {0};
    uint64_t grey = 0;
    if (is_text) {
        SHEAF_TRY(read_whole(input, white, &grey));
    } else {
        SHEAF_TRY(groom_read(input, bytes, white > 255 ? 2 : 1));
        grey = white > 255 ? (uint64_t)bytes[0] << 8 | bytes[1] : bytes[0];
        if (grey > white)
            return groom_fail(input, "a grey of %llu, where white is %llu", (unsigned long long)grey,
                              (unsigned long long)white);
    }
    *value = (float)((double)grey / (double)white);
    return SHEAF_OK;
}

static sheaf_status read_pgm(groom_input *input, grow_map *map)
{
    char start[2];
    uint64_t width = 0, height = 0, white = 0;
    SHEAF_TRY(groom_read(input, start, 2));
    const bool is_text = start[1] == '2';
    SHEAF_TRY(read_whole(input, GROW_MAP_MOST, &width));
    SHEAF_TRY(read_whole(input, GROW_MAP_MOST, &height));
    SHEAF_TRY(read_whole(input, 65535, &white));
    if (white == 0)
        return groom_fail(input, "white is 0");
    if (groom_take(input) < 0) // one blank
        return groom_fail(input, "the picture has no pixels");
    SHEAF_TRY(
        groom_need(input, is_text ? 2 * width * height - 1 : width * height * (white > 255 ? 2 : 1), "its pixels"));
    SHEAF_TRY(make_room(input, width, height, map));
    for (uint64_t k = 0; k < width * height; k++)
        SHEAF_TRY(read_grey(input, is_text, white, &map->values[k]));
    return SHEAF_OK;
}

// ---- arrays

static sheaf_status read_npy(groom_input *input, grow_map *map)
{
    npy_shape shape;
    SHEAF_TRY(npy_read_header(input, &shape));
    if (shape.axes != 2)
        return groom_fail(input, "the array must have 2 axes, this one has %d", shape.axes);
    SHEAF_TRY(groom_need(input, groom_times(groom_times(shape.size[0], shape.size[1]), shape.is_double ? 8 : 4),
                         "the numbers of that shape"));
    SHEAF_TRY(make_room(input, shape.size[1], shape.size[0], map));
    for (uint64_t k = 0; k < (uint64_t)map->width * map->height; k++) {
        double value = 0;
        float single;
        SHEAF_TRY(groom_read(input, shape.is_double ? (void *)&value : (void *)&single, shape.is_double ? 8 : 4));
        if (!shape.is_double)
            value = (double)single;
        if (!(fabs(value) <= largest_value))
            return groom_fail(input, "the number %llu is %g, which is beyond -1e6 to 1e6", (unsigned long long)k,
                              value);
        map->values[k] = (float)value;
    }
    return SHEAF_OK;
}

// ---- opening

static sheaf_status open_input(groom_input *input, grow_map *map)
{
    const groom_kind *kind = groom_kind_of_input(input);
    const int first = groom_peek(input), second = groom_peek_second(input);
    sheaf_status status;
    if (first == 'P' && (second == '2' || second == '5'))
        status = read_pgm(input, map);
    else if (first == 0x93)
        status = read_npy(input, map);
    else
        status = base_fail(SHEAF_ERR_INPUT, "'%s' is %s%s\nuse a picture of grey values (.pgm) or an array (.npy)",
                           input->name, kind != NULL ? kind->name : "no map", kind != NULL ? ", not a map" : "");
    if (status != SHEAF_OK)
        grow_map_free(map);
    return status;
}

sheaf_status grow_map_open(const char *path, grow_map *map)
{
    groom_input input;
    *map = (grow_map){0};
    SHEAF_TRY(groom_input_open(path, &input));
    const sheaf_status status = open_input(&input, map);
    groom_input_close(&input);
    return status;
}

sheaf_status grow_map_open_memory(const void *bytes, size_t size, const char *name, grow_map *map)
{
    groom_input input;
    *map = (grow_map){0};
    groom_input_memory(bytes, size, name, &input);
    return open_input(&input, map);
}

void grow_map_free(grow_map *map)
{
    base_free(map->values);
    *map = (grow_map){0};
}

// ---- values

void grow_map_range(const grow_map *map, double *least, double *most)
{
    *least = INFINITY;
    *most = -INFINITY;
    for (uint64_t k = 0; k < (uint64_t)map->width * map->height; k++) {
        *least = fmin(*least, (double)map->values[k]);
        *most = fmax(*most, (double)map->values[k]);
    }
}

// The number before a place on one side, and how far the place is on the way to the next.
static uint32_t cell_of(double share, uint32_t count, double *rest)
{
    const double at = fmin(fmax(share, 0), 1) * (count - 1);
    const uint32_t cell = at < count - 1 ? (uint32_t)at : count - 2;
    *rest = at - cell;
    return cell;
}

double grow_map_at(const grow_map *map, double u, double v, double slope[2])
{
    double x, y;
    const uint32_t column = cell_of(u, map->width, &x), row = cell_of(1 - v, map->height, &y);
    const float *upper = map->values + (size_t)row * map->width + column, *lower = upper + map->width;
    const double a = (double)upper[0], b = (double)upper[1], c = (double)lower[0], d = (double)lower[1];
    if (slope != NULL) {
        slope[0] = ((b - a) * (1 - y) + (d - c) * y) * (map->width - 1);
        slope[1] = -((c - a) * (1 - x) + (d - b) * x) * (map->height - 1);
    }
    return (a * (1 - x) + b * x) * (1 - y) + (c * (1 - x) + d * x) * y;
}
