// push: a change of one vertex's velocity between two steps, as an impulse from outside gives it.
#include "der/device/device_parts.h"

static void add(const sheaf_engine *engine, void *rows, size_t index, double change)
{
    if (engine->options.is_double)
        ((double *)rows)[index] += change;
    else
        ((float *)rows)[index] += (float)change;
}

sheaf_status der_push(sheaf_engine *engine, uint32_t strand, uint32_t vertex, const double change[3])
{
    const bundle_set *set = &engine->bundles;
    const uint64_t place = set->place_of[strand];
    const uint32_t bundle = (uint32_t)(place / set->options.width);
    void *rows = base_alloc(engine_rows_size(engine, DER_velocity, bundle, bundle + 1), 1);
    if (rows == NULL)
        return SHEAF_ERR_MEMORY;
    sheaf_status status = engine_read_rows(engine, DER_velocity, bundle, bundle + 1, rows);
    for (uint32_t c = 0; c < 3 && status == SHEAF_OK; c++)
        add(engine, rows, bundles_row_index(set, DER_velocity, bundle, place, vertex, c), change[c]);
    if (status == SHEAF_OK)
        status = engine_write_rows(engine, DER_velocity, bundle, bundle + 1, rows);
    base_free(rows);
    return status;
}
