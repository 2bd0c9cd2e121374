// usda_layer: walks over the text of a .usda file and notes where curves are.
#include "groom/usda.h"

#include <stdio.h>
#include <string.h>

#include "groom/number.h"
#include "groom/usda_text.h"

static const char magic[] = "#usda 1.0";

// The text being read. Ops belong to the prim that is open.
typedef struct walk {
    groom_input *input;
    usda_layer *layer;
} walk;

// What is gathered of a prim while its body is read.
typedef struct body {
    uint32_t prim;       // index + 1; 0: the layer itself
    usda_curves *curves; // NULL: no curves
    usda_op ops[USDA_MOST_OPS];
    int op_count;
    char order[USDA_MOST_OPS][48];
    int order_count;
} body;

sheaf_status usda_grow(void *items, uint64_t count, uint64_t *capacity, size_t size)
{
    void **array = items;
    if (count < *capacity)
        return SHEAF_OK;
    const uint64_t wanted = 2 * *capacity + 16;
    void *grown = base_realloc(*array, wanted, size);
    if (grown == NULL)
        return SHEAF_ERR_MEMORY;
    *array = grown;
    *capacity = wanted;
    return SHEAF_OK;
}

void usda_free_layer(usda_layer *layer)
{
    base_free(layer->prims);
    base_free(layer->curves);
    base_free(layer->samples);
    *layer = (usda_layer){0};
}

// ---- values

// Takes the numbers of a value, at most 16 of them, whatever brackets stand between.
static sheaf_status read_numbers(groom_input *input, double numbers[16], int *count)
{
    int depth = 0;
    *count = 0;
    do {
        SHEAF_TRY(usda_skip_blanks(input));
        const int byte = groom_peek(input);
        if (byte == '(' || byte == '[') {
            depth++;
            input->next++;
        } else if (byte == ')' || byte == ']') {
            depth--;
            input->next++;
        } else if (byte == ',') {
            input->next++;
        } else if (*count < 16) {
            SHEAF_TRY(groom_read_real(input, &numbers[*count]));
            ++*count;
        } else {
            return groom_fail(input, "more than 16 numbers");
        }
    } while (depth > 0);
    return SHEAF_OK;
}

static sheaf_status read_number(groom_input *input, double *number)
{
    SHEAF_TRY(usda_skip_blanks(input));
    return groom_read_real(input, number);
}

// A word or string, cut to fit.
static sheaf_status read_text(groom_input *input, char *text, size_t size)
{
    usda_token token;
    SHEAF_TRY(usda_next(input, &token));
    if (token.kind != USDA_STRING && token.kind != USDA_WORD)
        return groom_fail(input, "a text is missing");
    const size_t length = strnlen(token.text, size - 1);
    memcpy(text, token.text, length);
    text[length] = 0;
    return SHEAF_OK;
}

// Notes where a value starts, and goes past it.
static sheaf_status note_value(groom_input *input, uint64_t *offset)
{
    usda_token token;
    SHEAF_TRY(usda_next(input, &token));
    *offset = token.offset;
    return usda_skip(input, &token);
}

// A map from time codes to values.
static sheaf_status read_samples(const walk *w, usda_place *place)
{
    usda_layer *layer = w->layer;
    bool done = false, comma = false;
    place->samples = layer->sample_count;
    place->sample_count = 0;
    SHEAF_TRY(usda_expect(w->input, '{'));
    SHEAF_TRY(usda_accept(w->input, '}', &done));
    while (!done) {
        usda_sample sample = {0};
        SHEAF_TRY(read_number(w->input, &sample.code));
        SHEAF_TRY(usda_expect(w->input, ':'));
        SHEAF_TRY(note_value(w->input, &sample.offset));
        if (!(sample.code >= -1e12 && sample.code <= 1e12) ||
            (place->sample_count > 0 && layer->samples[layer->sample_count - 1].code >= sample.code))
            return groom_fail(w->input, "time codes must increase, and be finite");
        SHEAF_TRY(usda_grow(&layer->samples, layer->sample_count, &layer->sample_capacity, sizeof *layer->samples));
        layer->samples[layer->sample_count++] = sample;
        place->sample_count++;
        SHEAF_TRY(usda_accept(w->input, ',', &comma));
        SHEAF_TRY(usda_accept(w->input, '}', &done));
        if (!done && !comma)
            return groom_fail(w->input, "',' is missing between time samples");
    }
    return SHEAF_OK;
}

// ---- attributes

// The attribute of curves that holds a long array, or NULL.
static usda_place *find_place(usda_curves *curves, const char *name)
{
    if (strcmp(name, "points") == 0)
        return &curves->points;
    if (strcmp(name, "curveVertexCounts") == 0)
        return &curves->counts;
    if (strcmp(name, "primvars:widths") == 0 || (strcmp(name, "widths") == 0 && curves->widths.value == 0))
        return &curves->widths;
    if (strcmp(name, "primvars:displayColor") == 0)
        return &curves->colours;
    if (strcmp(name, "primvars:strand") == 0)
        return &curves->ids;
    return NULL;
}

static char *find_word(usda_curves *curves, const char *name)
{
    if (strcmp(name, "type") == 0)
        return curves->type;
    if (strcmp(name, "basis") == 0)
        return curves->basis;
    return strcmp(name, "wrap") == 0 ? curves->wrap : NULL;
}

static sheaf_status read_order(groom_input *input, body *b)
{
    bool done = false, comma = false;
    b->order_count = 0;
    SHEAF_TRY(usda_expect(input, '['));
    SHEAF_TRY(usda_accept(input, ']', &done));
    while (!done) {
        if (b->order_count == USDA_MOST_OPS)
            return groom_fail(input, "a transform of more than %d steps", USDA_MOST_OPS);
        SHEAF_TRY(read_text(input, b->order[b->order_count++], sizeof b->order[0]));
        SHEAF_TRY(usda_accept(input, ',', &comma));
        SHEAF_TRY(usda_accept(input, ']', &done));
    }
    return SHEAF_OK;
}

static sheaf_status read_op(const walk *w, body *b, const char *name, bool samples)
{
    uint64_t ignored;
    if (b->op_count == USDA_MOST_OPS)
        return groom_fail(w->input, "a transform of more than %d steps", USDA_MOST_OPS);
    usda_op *op = &b->ops[b->op_count++];
    *op = (usda_op){.moves = samples};
    snprintf(op->name, sizeof op->name, "%.47s", name);
    return samples ? note_value(w->input, &ignored) : read_numbers(w->input, op->numbers, &op->count);
}

// Reads the value of an attribute after its =.
static sheaf_status read_attribute(const walk *w, body *b, char *name)
{
    static const char ending[] = ".timeSamples";
    const size_t length = strlen(name), cut = sizeof ending - 1;
    const bool samples = length > cut && strcmp(name + length - cut, ending) == 0;
    if (samples)
        name[length - cut] = 0;
    uint64_t ignored;
    usda_place *place = b->curves != NULL ? find_place(b->curves, name) : NULL;
    char *word = b->curves != NULL ? find_word(b->curves, name) : NULL;
    if (place != NULL)
        return samples ? read_samples(w, place) : note_value(w->input, &place->value);
    if (word != NULL && !samples)
        return read_text(w->input, word, sizeof b->curves->type);
    if (strcmp(name, "xformOpOrder") == 0)
        return read_order(w->input, b);
    if (strncmp(name, "xformOp:", 8) == 0)
        return read_op(w, b, name, samples);
    return note_value(w->input, &ignored);
}

// One statement of a body, from its first word on: words up to the end of the line, a value, metadata.
static sheaf_status read_statement(const walk *w, body *b, usda_token *token)
{
    char name[USDA_LONGEST_WORD + 1];
    bool found = false;
    while (token->kind == USDA_WORD) {
        memcpy(name, token->text, sizeof name);
        const uint64_t end = groom_offset(w->input);
        SHEAF_TRY(usda_next(w->input, token));
        if (token->starts_line || token->kind == USDA_END) {
            SHEAF_TRY(groom_seek(w->input, end)); // the statement had no value
            return SHEAF_OK;
        }
    }
    if (usda_is_mark(token, '=')) {
        SHEAF_TRY(read_attribute(w, b, name));
        SHEAF_TRY(usda_accept(w->input, '(', &found));
        if (!found)
            return SHEAF_OK;
        *token = (usda_token){.kind = USDA_MARK, .mark = '('};
    }
    return usda_is_mark(token, ';') ? SHEAF_OK : usda_skip(w->input, token);
}

// ---- prims

static sheaf_status read_body(const walk *w, body *b, int depth);

static sheaf_status add_prim(const walk *w, uint32_t parent, uint32_t *prim)
{
    usda_layer *layer = w->layer;
    uint64_t capacity = layer->prim_capacity;
    if (layer->prim_count == USDA_MOST_PRIMS)
        return base_fail(SHEAF_ERR_LIMIT, "%s: more than %d prims", w->input->name, USDA_MOST_PRIMS);
    SHEAF_TRY(usda_grow(&layer->prims, layer->prim_count, &capacity, sizeof *layer->prims));
    layer->prim_capacity = (uint32_t)capacity;
    layer->prims[layer->prim_count] = (usda_prim){.parent = parent, .linear = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    *prim = ++layer->prim_count;
    return SHEAF_OK;
}

static sheaf_status add_curves(const walk *w, const usda_curves *curves)
{
    usda_layer *layer = w->layer;
    uint64_t capacity = layer->curve_capacity;
    SHEAF_TRY(usda_grow(&layer->curves, layer->curve_count, &capacity, sizeof *layer->curves));
    layer->curve_capacity = (uint32_t)capacity;
    layer->curves[layer->curve_count++] = *curves;
    return SHEAF_OK;
}

// After def, over or class: an optional type, the name, metadata, the body.
static sheaf_status read_prim(const walk *w, uint32_t parent, int depth)
{
    usda_token token;
    usda_curves curves = {.type = "cubic", .basis = "bezier", .wrap = "nonperiodic"}; // as the schema says
    body b = {0};
    bool found = false;
    if (depth > USDA_MOST_DEPTH)
        return base_fail(SHEAF_ERR_LIMIT, "%s: prims nested deeper than %d", w->input->name, USDA_MOST_DEPTH);
    SHEAF_TRY(usda_next(w->input, &token));
    if (token.kind == USDA_WORD) {
        if (strcmp(token.text, "BasisCurves") == 0)
            b.curves = &curves;
        SHEAF_TRY(usda_next(w->input, &token));
    }
    if (token.kind != USDA_STRING)
        return groom_fail(w->input, "a prim without a name");
    snprintf(curves.name, sizeof curves.name, "%.63s", token.text);
    SHEAF_TRY(usda_accept(w->input, '(', &found));
    if (found)
        SHEAF_TRY(usda_skip(w->input, &(usda_token){.kind = USDA_MARK, .mark = '('}));
    SHEAF_TRY(usda_expect(w->input, '{'));
    SHEAF_TRY(add_prim(w, parent, &b.prim));
    SHEAF_TRY(read_body(w, &b, depth));
    SHEAF_TRY(usda_compose(w->input, b.ops, b.op_count, b.order, b.order_count, &w->layer->prims[b.prim - 1]));
    curves.prim = b.prim;
    return b.curves != NULL ? add_curves(w, &curves) : SHEAF_OK;
}

static sheaf_status skip_variants(const walk *w)
{
    uint64_t ignored;
    SHEAF_TRY(note_value(w->input, &ignored)); // its name
    SHEAF_TRY(usda_expect(w->input, '='));
    w->layer->skipped_variants++;
    return note_value(w->input, &ignored);
}

// Statements and prims up to the bracket that closes the body, or the end of the file at the top.
static sheaf_status read_body(const walk *w, body *b, int depth)
{
    for (;;) {
        usda_token token;
        SHEAF_TRY(usda_next(w->input, &token));
        if (token.kind == USDA_END && b->prim == 0)
            return SHEAF_OK;
        if (usda_is_mark(&token, '}') && b->prim != 0)
            return SHEAF_OK;
        if (usda_is_mark(&token, ';'))
            continue;
        if (token.kind != USDA_WORD)
            return token.kind == USDA_END ? groom_fail(w->input, "the file ends inside a prim")
                                          : groom_fail(w->input, "neither a prim nor an attribute");
        if (strcmp(token.text, "def") == 0 || strcmp(token.text, "over") == 0 || strcmp(token.text, "class") == 0)
            SHEAF_TRY(read_prim(w, b->prim, depth + 1));
        else if (strcmp(token.text, "variantSet") == 0)
            SHEAF_TRY(skip_variants(w));
        else if (b->prim != 0)
            SHEAF_TRY(read_statement(w, b, &token));
        else
            return groom_fail(w->input, "'%s' outside any prim", token.text);
    }
}

// ---- the layer

static sheaf_status read_metadata_value(const walk *w, const char *name)
{
    usda_layer *layer = w->layer;
    char text[16];
    uint64_t ignored;
    if (strcmp(name, "metersPerUnit") == 0)
        return read_number(w->input, &layer->metres_per_unit);
    if (strcmp(name, "timeCodesPerSecond") == 0)
        return read_number(w->input, &layer->codes_per_second);
    if (strcmp(name, "framesPerSecond") == 0)
        return read_number(w->input, &layer->frames_per_second);
    if (strcmp(name, "upAxis") != 0)
        return note_value(w->input, &ignored);
    SHEAF_TRY(read_text(w->input, text, sizeof text));
    layer->up = strcmp(text, "Y") == 0 ? GROOM_UP_Y : strcmp(text, "Z") == 0 ? GROOM_UP_Z : GROOM_UP_UNKNOWN;
    return layer->up != GROOM_UP_UNKNOWN ? SHEAF_OK : groom_fail(w->input, "upAxis must be \"Y\" or \"Z\"");
}

// Metadata of the layer, after its opening bracket.
static sheaf_status read_metadata(const walk *w)
{
    for (;;) {
        usda_token token, last = {0};
        SHEAF_TRY(usda_next(w->input, &token));
        while (token.kind == USDA_WORD) { // the last word before = names it
            last = token;
            SHEAF_TRY(usda_next(w->input, &token));
        }
        if (usda_is_mark(&token, ')'))
            return SHEAF_OK;
        if (usda_is_mark(&token, '='))
            SHEAF_TRY(read_metadata_value(w, last.text));
        else if (token.kind != USDA_STRING && !usda_is_mark(&token, ';')) // a string alone is a comment
            return groom_fail(w->input, "the layer's metadata are damaged");
    }
}

static sheaf_status check_metadata(const groom_input *input, const usda_layer *layer)
{
    const double values[] = {layer->metres_per_unit, layer->codes_per_second, layer->frames_per_second};
    for (int k = 0; k < 3; k++)
        if (values[k] != 0 && !(values[k] >= 1e-12 && values[k] <= 1e12))
            return groom_fail(input, "metersPerUnit, timeCodesPerSecond or framesPerSecond is %g", values[k]);
    return SHEAF_OK;
}

sheaf_status usda_read_layer(groom_input *input, usda_layer *layer)
{
    const walk w = {input, layer};
    char start[sizeof magic - 1];
    body top = {0};
    bool found = false;
    if (input->size < sizeof start || groom_read(input, start, sizeof start) != SHEAF_OK ||
        memcmp(start, magic, sizeof start) != 0)
        return groom_fail(input, "not a .usda file: its %llu bytes do not start with '%s'",
                          (unsigned long long)input->size, magic);
    SHEAF_TRY(usda_accept(input, '(', &found));
    if (found)
        SHEAF_TRY(read_metadata(&w));
    SHEAF_TRY(check_metadata(input, layer));
    return read_body(&w, &top, 0);
}
