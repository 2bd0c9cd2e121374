// diagnostics: what is wrong with a scene file, as data and as text.
#include "scene/reading.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    EXCERPT_SIDE = 72, // bytes of a long line shown on either side of the place
    MESSAGE_SIZE = 1024,
};

// ---- memory of a reading

struct scene_block {
    struct scene_block *next;
    size_t used, size;
    max_align_t bytes[];
};

void *scene_take(scene_reading *reading, size_t count, size_t size)
{
    enum { LEAST_BLOCK = 4000 };
    struct scene_block *block = reading->blocks;
    const size_t unit = sizeof(max_align_t), needed = (count * size + unit - 1) / unit * unit;
    if (block == NULL || block->size - block->used < needed) {
        const size_t room = needed > LEAST_BLOCK ? needed : LEAST_BLOCK / unit * unit;
        block = base_alloc(1, sizeof *block + room);
        if (block == NULL) {
            reading->status = SHEAF_ERR_MEMORY;
            return NULL;
        }
        *block = (struct scene_block){.next = reading->blocks, .size = room};
        reading->blocks = block;
    }
    void *taken = (char *)block->bytes + block->used;
    block->used += needed;
    return taken;
}

void scene_release(scene_reading *reading)
{
    while (reading->blocks != NULL) {
        struct scene_block *next = reading->blocks->next;
        base_free(reading->blocks);
        reading->blocks = next;
    }
}

// ---- places

// Characters in `bytes`: bytes that do not continue a UTF-8 sequence.
static uint32_t count_characters(const char *bytes, size_t length)
{
    uint32_t count = 0;
    for (size_t k = 0; k < length; k++)
        count += ((unsigned char)bytes[k] & 0xc0) != 0x80;
    return count;
}

static bool continues_character(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

// Lines and columns are counted on from the last place asked for: complaints come in the order of the file, mostly.
static const scene_location *locate(scene_reading *reading, size_t offset)
{
    scene_location *place = &reading->located;
    if (offset < place->offset)
        *place = (scene_location){0};
    const char *text = reading->text, *newline;
    while ((newline = memchr(text + place->offset, '\n', offset - place->offset)) != NULL) {
        place->offset = place->line_start = (size_t)(newline - text) + 1;
        place->line++;
        place->column = 0;
    }
    place->column += count_characters(text + place->offset, offset - place->offset);
    place->offset = offset;
    return place;
}

static size_t line_end(const scene_reading *reading, size_t offset)
{
    const char *newline = memchr(reading->text + offset, '\n', reading->length - offset);
    const size_t end = newline ? (size_t)(newline - reading->text) : reading->length;
    return end > offset && reading->text[end - 1] == '\r' ? end - 1 : end;
}

uint32_t scene_source_line(scene_reading *reading, size_t offset)
{
    return locate(reading, offset)->line + 1;
}

size_t scene_source_offset(const scene_reading *reading, size_t line, size_t column)
{
    size_t offset = 0;
    for (size_t k = 1; k < line; k++) {
        const char *found = memchr(reading->text + offset, '\n', reading->length - offset);
        if (found == NULL)
            return reading->length;
        offset = (size_t)(found - reading->text) + 1;
    }
    for (size_t k = 1; k < column && offset < reading->length && reading->text[offset] != '\n'; k++)
        do
            offset++;
        while (offset < reading->length && continues_character(reading->text[offset]));
    return offset;
}

// The part of the place's line that is shown, with the caret's place in it.
static void take_excerpt(const scene_reading *reading, scene_span span, scene_diagnostic *item)
{
    size_t from = reading->located.line_start, to = line_end(reading, span.offset);
    const size_t at = span.offset;
    const bool cut_left = at - from > EXCERPT_SIDE, cut_right = to - at > EXCERPT_SIDE;
    from = cut_left ? at - EXCERPT_SIDE : from;
    to = cut_right ? at + EXCERPT_SIDE : to;
    while (from < at && continues_character(reading->text[from]))
        from++;
    while (cut_right && to > at && continues_character(reading->text[to]))
        to--;
    const size_t covered = span.length < to - at ? span.length : to - at;
    base_text excerpt = {0};
    base_text_add(&excerpt, "%s", cut_left ? "..." : "");
    base_text_add_printable(&excerpt, reading->text + from, at - from);
    item->caret = count_characters(base_text_get(&excerpt), excerpt.length);
    const size_t before = excerpt.length;
    base_text_add_printable(&excerpt, reading->text + at, covered);
    item->width = count_characters(base_text_get(&excerpt) + before, excerpt.length - before);
    item->width += item->width == 0;
    base_text_add_printable(&excerpt, reading->text + at + covered, to - at - covered);
    base_text_add(&excerpt, "%s", cut_right ? "..." : "");
    item->source = excerpt.failed ? NULL : excerpt.bytes;
    if (excerpt.failed)
        base_text_free(&excerpt);
}

// ---- the list

static bool grow_list(scene_reading *reading)
{
    if (reading->list->count < reading->list_capacity)
        return true;
    const uint32_t capacity = reading->list_capacity ? 2 * reading->list_capacity : 4;
    scene_diagnostic *grown = base_realloc(reading->list->items, capacity, sizeof *grown);
    if (grown == NULL)
        return false;
    reading->list->items = grown;
    reading->list_capacity = capacity;
    return true;
}

static void free_item(scene_diagnostic *item)
{
    base_free(item->message);
    base_free(item->hint);
    base_free(item->source);
}

// Splits `text` at its first line end into message and hint.
static bool add_item(scene_reading *reading, scene_span span, char *text)
{
    char *hint = strchr(text, '\n');
    if (hint != NULL)
        *hint++ = 0;
    if (!grow_list(reading))
        return false;
    const scene_location *place = locate(reading, span.offset);
    scene_diagnostic item = {.line = place->line + 1, .column = place->column + 1};
    take_excerpt(reading, span, &item);
    item.message = base_strdup(text);
    item.hint = hint ? base_strdup(hint) : NULL;
    if (item.source == NULL || item.message == NULL || (hint != NULL && item.hint == NULL)) {
        free_item(&item);
        return false;
    }
    reading->list->items[reading->list->count++] = item;
    return true;
}

static void complain(scene_reading *reading, sheaf_status status, scene_span span, const char *format, va_list values)
{
    char text[MESSAGE_SIZE];
    if (reading->status == SHEAF_ERR_MEMORY)
        return;
    if (reading->list->count >= SCENE_MAX_DIAGNOSTICS) {
        reading->list->cut = true;
        return;
    }
    vsnprintf(text, sizeof text, format, values);
    if (span.offset > reading->length)
        span.offset = reading->length;
    if (!add_item(reading, span, text))
        reading->status = SHEAF_ERR_MEMORY;
    else if (reading->status == SHEAF_OK)
        reading->status = status;
}

void scene_complain(scene_reading *reading, scene_span span, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    complain(reading, SHEAF_ERR_INPUT, span, format, values);
    va_end(values);
}

void scene_complain_limit(scene_reading *reading, scene_span span, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    complain(reading, SHEAF_ERR_LIMIT, span, format, values);
    va_end(values);
}

bool scene_is_hopeless(const scene_reading *reading)
{
    return reading->status == SHEAF_ERR_MEMORY || reading->list->cut;
}

void scene_diagnostics_free(scene_diagnostics *list)
{
    for (uint32_t k = 0; k < list->count; k++)
        free_item(&list->items[k]);
    base_free(list->items);
    base_free(list->file);
    *list = (scene_diagnostics){0};
}

// ---- as text

static void print_item(const scene_diagnostic *item, const char *file, base_text *out)
{
    base_text_add(out, "%s:%u:%u: error: %s\n", file, item->line, item->column, item->message);
    base_text_add(out, "    %s\n    %*s^", item->source, (int)item->caret, "");
    for (uint32_t k = 1; k < item->width; k++)
        base_text_add(out, "~");
    base_text_add(out, "\n");
    if (item->hint != NULL)
        base_text_add(out, "    hint: %s\n", item->hint);
}

void scene_diagnostics_print(const scene_diagnostics *list, base_text *out)
{
    for (uint32_t k = 0; k < list->count; k++)
        print_item(&list->items[k], list->file, out);
    if (list->cut)
        base_text_add(out, "%s: more errors follow; these are the first %u\n", list->file, list->count);
}
