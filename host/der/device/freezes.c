// freezes: strands that the guard took out of the motion, and why.
#include "der/device/device_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/der/slots.clh"

static const double runaway = 1e10; // m/s, as in kernels/der/guard.clh

// What a bad number in a field is to a user; NULL: the field is not looked at.
static const char *quantity_of(const method_field *field)
{
    static const struct {
        const char *unit, *quantity;
    } names[] = {{"m", "position"}, {"m/s", "velocity"}, {"rad", "twist"}, {"1", "twist"}};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (field->role == FIELD_ROLE_STATE && field->rows == FIELD_ROWS_SLOT &&
            strcmp(field->unit, names[k].unit) == 0)
            return names[k].quantity;
    return NULL;
}

// First number of a strand in an array that cannot be right.
static bool find_bad(const sheaf_engine *engine, uint32_t field, const void *memory, engine_freeze *freeze)
{
    for (uint32_t i = 0; i < model_vertex_count(engine->model, freeze->strand); i++)
        for (uint32_t c = 0; c < der_device.bundles.fields[field].components; c++) {
            const double value = bundles_get(&engine->bundles, field, memory, freeze->strand, i, c);
            if (!(fabs(value) <= runaway)) {
                freeze->vertex = i;
                freeze->quantity = quantity_of(&der_device.bundles.fields[field]);
                freeze->value = value;
                return true;
            }
        }
    return false;
}

// A frozen strand keeps the state it had before the step. One bad number in there spoils the whole strand in the step,
// so that it is named instead of what the guard met first.
static sheaf_status blame_start(sheaf_engine *engine, engine_freeze *freezes, uint32_t count)
{
    const bundle_set *set = &engine->bundles;
    bool *explained = base_alloc(count, sizeof *explained);
    sheaf_status status = explained ? SHEAF_OK : SHEAF_ERR_MEMORY;
    for (uint32_t field = 0; status == SHEAF_OK && field < DER_FIELD_COUNT; field++) {
        if (quantity_of(&der_device.bundles.fields[field]) == NULL)
            continue;
        void *memory = base_alloc(bundles_bytes(set, field), 1);
        status = memory ? engine_read_array(engine, field, memory) : SHEAF_ERR_MEMORY;
        for (uint32_t f = 0; status == SHEAF_OK && f < count; f++)
            explained[f] = explained[f] || find_bad(engine, field, memory, &freezes[f]);
        base_free(memory);
    }
    base_free(explained);
    return status;
}

// What the guard found in a strand.
static engine_freeze read_record(const sheaf_engine *engine, const void *records, uint32_t strand)
{
    const bundle_set *set = &engine->bundles;
    const double value = bundles_get(set, DER_record, records, strand, 0, RECORD_VALUE);
    const bool is_twist = bundles_get(set, DER_record, records, strand, 0, RECORD_QUANTITY) == GUARD_TWIST;
    return (engine_freeze){
        .strand = strand,
        .vertex = (uint32_t)bundles_get(set, DER_record, records, strand, 0, RECORD_VERTEX),
        .step = (uint64_t)bundles_get(set, DER_record, records, strand, 0, RECORD_FROZEN),
        .quantity = is_twist ? "twist" : "velocity",
        .value = is_twist ? value : sqrt(value) / engine->options.step,
    };
}

static int compare_freezes(const void *a, const void *b)
{
    const engine_freeze *first = a, *second = b;
    if (first->step != second->step)
        return first->step < second->step ? -1 : 1;
    return first->strand < second->strand ? -1 : 1;
}

sheaf_status der_freezes(sheaf_engine *engine, engine_freeze *freezes, uint32_t *count)
{
    void *records = base_alloc(bundles_bytes(&engine->bundles, DER_record), 1);
    *count = 0;
    if (records == NULL)
        return SHEAF_ERR_MEMORY;
    sheaf_status status = engine_read_array(engine, DER_record, records);
    for (uint32_t s = 0; status == SHEAF_OK && s < engine->model->strand_count; s++) {
        const engine_freeze freeze = read_record(engine, records, s);
        if (freeze.step > 0)
            freezes[(*count)++] = freeze;
    }
    base_free(records);
    qsort(freezes, *count, sizeof *freezes, compare_freezes);
    return status == SHEAF_OK && *count > 0 ? blame_start(engine, freezes, *count) : status;
}
