// state: the engine's moving arrays in the model's order, so that what was saved from one form of the kernels can be
// put into another.
#include "cl/engine_parts.h"

#include <math.h>
#include <string.h>

#include "kernels/der/slots.clh"
#include "kernels/world/slots.clh"

static const char *const names[DER_FIELD_COUNT] = {
#define FIELD_NAME(name, rows, components, role, geometry, start, unit, meaning) #name,
    DER_FIELDS(FIELD_NAME)};

const char *engine_state_name(der_field array)
{
    return bundles_array_is_state(array) ? names[array] : NULL;
}

void engine_set_steps(sheaf_engine *engine, uint64_t steps)
{
    engine->step = steps;
    engine->is_restored = true;
}

// Rows of one chunk of bundles, and the whole array in the model's order: one of `to` and `from`.
typedef struct transfer {
    const sheaf_engine *engine;
    der_field array;
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
    const bool is_per_strand = bundles_array_is_per_strand(it->array);
    const uint32_t components = bundles_components(it->array);
    const uint32_t count = is_per_strand ? 1 : model_vertex_count(model, strand);
    const uint64_t first = is_per_strand ? strand : model->first_vertex[strand];
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t c = 0; c < components; c++)
            move_number(it, bundles_row_index(&it->engine->bundles, it->array, it->first, place, i, c),
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
    it->rows = base_alloc(engine_rows_size(engine, it->array, it->first, it->end), 1);
    if (it->rows == NULL)
        return SHEAF_ERR_MEMORY;
    sheaf_status status = engine_read_rows(engine, it->array, it->first, it->end, it->rows);
    if (status == SHEAF_OK)
        move_chunk(it);
    if (status == SHEAF_OK && it->from != NULL)
        status = engine_write_rows(engine, it->array, it->first, it->end, it->rows);
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

sheaf_status engine_read_state(sheaf_engine *engine, der_field array, void *values)
{
    return transfer_array(engine, (transfer){.array = array, .to = values});
}

// Counts of a record are read as whole numbers later; what was wrong with a strand may be any number.
static bool records_are_sound(const sheaf_engine *engine, const void *values)
{
    const size_t count = (size_t)engine->model->strand_count * RECORD_SIZE;
    for (size_t k = 0; k < count; k++) {
        const double value =
            engine->options.is_double ? ((const double *)values)[k] : (double)((const float *)values)[k];
        const size_t field = k % RECORD_SIZE;
        const bool is_count = field != RECORD_VALUE && field != RECORD_WORST && field != RECORD_OMEGA;
        const double most = field == RECORD_VERTEX ? SCENE_MAX_VERTICES : 1e15;
        if (is_count && !(value >= 0 && value <= most))
            return false;
    }
    return true;
}

sheaf_status engine_write_state(sheaf_engine *engine, der_field array, const void *values)
{
    if (array == DER_record && !records_are_sound(engine, values))
        return base_fail(SHEAF_ERR_INPUT, "the records of strands hold numbers that no step leaves");
    return transfer_array(engine, (transfer){.array = array, .from = values});
}
