// state: the engine's moving arrays in the model's order, so that what was saved from one form of the kernels can be
// put into another.
#include "cl/engine_parts.h"

#include <math.h>
#include <string.h>

const char *engine_state_name(const sheaf_engine *engine, uint32_t field)
{
    const method_field *it = &engine->method->bundles.fields[field];
    return it->role == FIELD_ROLE_STATE ? it->name : NULL;
}

void engine_set_steps(sheaf_engine *engine, uint64_t steps)
{
    engine->step = steps;
    engine->is_restored = true;
}

// Rows of one chunk of bundles, and the whole array in the model's order: one of `to` and `from`.
typedef struct transfer {
    const sheaf_engine *engine;
    uint32_t field;
    uint32_t first, end; // bundles
    char *rows;
    char *to;         // reading
    const char *from; // writing
} transfer;

static void move_number(const transfer *it, size_t row_index, size_t value_index)
{
    const size_t size = it->engine->options.is_double ? sizeof(double) : sizeof(float);
    if (it->to != NULL)
        memcpy(it->to + value_index * size, it->rows + row_index * size, size);
    else
        memcpy(it->rows + row_index * size, it->from + value_index * size, size);
}

static void move_strand(const transfer *it, uint64_t place, uint32_t strand)
{
    const sheaf_model *model = it->engine->model;
    const method_field *field = &it->engine->method->bundles.fields[it->field];
    const bool is_per_strand = field->rows == FIELD_ROWS_BUNDLE;
    const uint32_t components = field->components;
    const uint32_t count = is_per_strand ? 1 : model_vertex_count(model, strand);
    const uint64_t first = is_per_strand ? strand : model->first_vertex[strand];
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t c = 0; c < components; c++)
            move_number(it, bundles_row_index(&it->engine->bundles, it->field, it->first, place, i, c),
                        (size_t)(first + i) * components + c);
}

// Lanes that only fill their bundle repeat its first strand, and padding stays as it was packed.
static void move_chunk(const transfer *it)
{
    const bundle_set *set = &it->engine->bundles;
    const uint64_t width = set->options.width;
    for (uint64_t place = it->first * width; place < it->end * width; place++) {
        const bool is_filler = set->strand_of[place] == BUNDLE_FILLER;
        if (!is_filler || it->from != NULL)
            move_strand(it, place, set->strand_of[is_filler ? place - place % width : place]);
    }
}

static sheaf_status transfer_chunk(sheaf_engine *engine, transfer *it)
{
    it->rows = base_alloc(engine_rows_size(engine, it->field, it->first, it->end), 1);
    if (it->rows == NULL)
        return SHEAF_ERR_MEMORY;
    sheaf_status status = engine_read_rows(engine, it->field, it->first, it->end, it->rows);
    if (status == SHEAF_OK)
        move_chunk(it);
    if (status == SHEAF_OK && it->from != NULL)
        status = engine_write_rows(engine, it->field, it->first, it->end, it->rows);
    base_free(it->rows);
    return status;
}

static sheaf_status transfer_array(sheaf_engine *engine, transfer it)
{
    it.engine = engine;
    for (; it.first < engine->bundles.count; it.first = it.end) {
        it.end = engine_chunk_end(engine, it.first);
        SHEAF_TRY(transfer_chunk(engine, &it));
    }
    return SHEAF_OK;
}

sheaf_status engine_read_state(sheaf_engine *engine, uint32_t field, void *values)
{
    return transfer_array(engine, (transfer){.field = field, .to = values});
}

sheaf_status engine_write_state(sheaf_engine *engine, uint32_t field, const void *values)
{
    SHEAF_TRY(engine->method->check_state(engine, field, values));
    return transfer_array(engine, (transfer){.field = field, .from = values});
}
