// slices: device memory of an engine. A model that does not fit is stepped in slices of bundles, one after the other in
// the same buffers; bundles do not know of each other, so that this changes no bit of the result.
#include "cl/engine_parts.h"

#include <string.h>

#include "kernels/der/slots.clh"
#include "kernels/world/slots.clh"

enum {
    STAGED_SCRATCH_MOST = 1 << 28, // bytes; more bundles are staged in pieces
    CHUNK_VERTICES = 1 << 18,      // 8 MiB of the largest array
    MEBIBYTE = 1 << 20
};

size_t engine_real_size(const sheaf_engine *engine)
{
    return engine->options.is_double ? sizeof(double) : sizeof(float);
}

engine_memory engine_memory_use(const sheaf_engine *engine)
{
    return engine->memory;
}

uint32_t engine_scratch_components(const sheaf_engine *engine)
{
    return engine->has_air || engine->has_colliders ? Z_FULL : Z_BARE;
}

size_t engine_scratch_size(const sheaf_engine *engine)
{
    const size_t slot =
        (size_t)engine_scratch_components(engine) * engine->bundles.options.width * engine_real_size(engine);
    return engine->bundles.most_vertices * slot;
}

size_t engine_lane_size(const sheaf_engine *engine)
{
    return engine->options.lane_width * engine_real_size(engine);
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

// ---- planning

static uint64_t largest_buffer(const sheaf_engine *engine)
{
    return smaller(engine->device.largest_buffer, engine->memory.limit);
}

size_t engine_rows_size(const sheaf_engine *engine, der_field array, uint32_t first, uint32_t end)
{
    return bundles_offset(&engine->bundles, array, end) - bundles_offset(&engine->bundles, array, first);
}

// Bundles of first .. end - 1 that are general.
static uint32_t general_count(const sheaf_engine *engine, uint32_t first, uint32_t end)
{
    const uint32_t general = engine->bundles.kind_first[BUNDLE_GENERAL], from = first > general ? first : general;
    return end > from ? end - from : 0;
}

static size_t slice_goal_bytes(const sheaf_engine *engine, uint32_t first, uint32_t end)
{
    return bundles_goal_bytes(&engine->bundles, general_count(engine, first, end)) * engine->options.steps_per_launch;
}

// Bytes that depend on the slice; `largest` receives those of its largest buffer.
static uint64_t slice_bytes(const sheaf_engine *engine, uint32_t first, uint32_t end, uint64_t *largest)
{
    uint64_t sum = (uint64_t)(end - first) * sizeof(bundle_entry) + engine_figures_size(engine, end - first);
    const uint64_t goals = slice_goal_bytes(engine, first, end);
    *largest = goals > sum ? goals : sum;
    sum += goals;
    for (der_field array = 0; array < DER_FIELD_COUNT; array++) {
        const uint64_t bytes = engine_rows_size(engine, array, first, end);
        sum += bytes;
        *largest = bytes > *largest ? bytes : *largest;
    }
    return sum;
}

static uint64_t fixed_bytes(const sheaf_engine *engine)
{
    return (uint64_t)engine->scratch_owners * engine_scratch_size(engine) + SETTING_SIZE * engine_real_size(engine) +
           bundles_grid_bytes(engine->model) +
           (bundles_motion_bytes(&engine->bundles) + bundles_collider_bytes(&engine->bundles)) *
               engine->options.steps_per_launch;
}

// Owners of scratch: work-items of the fused schedule, bundles of a launch of the staged one; no more than a quarter of
// the memory allows.
static uint32_t count_owners(const sheaf_engine *engine)
{
    const uint64_t wanted = engine->options.is_staged ? engine->bundles.count : engine->options.work_items;
    uint64_t most = smaller(engine->memory.limit / 4, largest_buffer(engine)) / engine_scratch_size(engine);
    if (engine->options.is_staged)
        most = smaller(most, STAGED_SCRATCH_MOST / engine_scratch_size(engine));
    const uint64_t owners = smaller(wanted, most);
    return owners > 0 ? (uint32_t)owners : 1;
}

static sheaf_status does_not_fit(const sheaf_engine *engine, uint64_t least)
{
    return base_fail(SHEAF_ERR_DEVICE,
                     "the model does not fit %s: a bundle of %u strands with up to %u vertices takes %.1f MiB, and "
                     "%.1f MiB may be used (of %.1f MiB, in buffers of at most %.1f MiB); use shorter strands or "
                     "another device",
                     engine->device.name, engine->bundles.options.width, engine->bundles.most_vertices,
                     (double)least / MEBIBYTE, (double)engine->memory.limit / MEBIBYTE,
                     (double)engine->device.memory / MEBIBYTE, (double)engine->device.largest_buffer / MEBIBYTE);
}

// The end of a slice that starts at `first`: as many bundles as fit, found by halving; `first` when not even one does.
static uint32_t slice_end(const sheaf_engine *engine, uint32_t first, uint64_t room)
{
    uint32_t fits = first, most = engine->bundles.count;
    while (fits < most) {
        const uint32_t end = fits + (most - fits + 1) / 2;
        uint64_t largest;
        if (slice_bytes(engine, first, end, &largest) <= room && largest <= largest_buffer(engine))
            fits = end;
        else
            most = end - 1;
    }
    return fits;
}

static sheaf_status cut_slices(sheaf_engine *engine, uint64_t room)
{
    const uint32_t count = engine->bundles.count;
    engine->slice_count = 0;
    for (uint32_t first = 0; first < count;) {
        uint64_t largest;
        const uint32_t end = slice_end(engine, first, room);
        if (end == first)
            return does_not_fit(engine, fixed_bytes(engine) + slice_bytes(engine, first, first + 1, &largest));
        engine_slice *grown = base_realloc(engine->slices, engine->slice_count + 1, sizeof *grown);
        if (grown == NULL)
            return SHEAF_ERR_MEMORY;
        engine->slices = grown;
        engine->slices[engine->slice_count++] = (engine_slice){first, end};
        first = end;
    }
    return SHEAF_OK;
}

// The largest part of an array that any slice needs.
static size_t array_buffer_size(const sheaf_engine *engine, der_field array)
{
    size_t most = 0;
    for (uint32_t k = 0; k < engine->slice_count; k++) {
        const size_t size = engine_rows_size(engine, array, engine->slices[k].first, engine->slices[k].end);
        most = size > most ? size : most;
    }
    return most;
}

static size_t goal_buffer_size(const sheaf_engine *engine)
{
    size_t most = 0;
    for (uint32_t k = 0; k < engine->slice_count; k++) {
        const size_t size = slice_goal_bytes(engine, engine->slices[k].first, engine->slices[k].end);
        most = size > most ? size : most;
    }
    return most;
}

// Bundles of the slice that has most of them.
static uint32_t most_bundles(const sheaf_engine *engine)
{
    uint32_t most = 0;
    for (uint32_t k = 0; k < engine->slice_count; k++) {
        const uint32_t count = engine->slices[k].end - engine->slices[k].first;
        most = count > most ? count : most;
    }
    return most;
}

static size_t entry_buffer_size(const sheaf_engine *engine)
{
    return most_bundles(engine) * sizeof(bundle_entry);
}

static uint64_t all_buffers_size(const sheaf_engine *engine)
{
    uint64_t sum = goal_buffer_size(engine) + entry_buffer_size(engine);
    sum += engine_figures_size(engine, most_bundles(engine));
    for (der_field array = 0; array < DER_FIELD_COUNT; array++)
        sum += array_buffer_size(engine, array);
    return sum;
}

// A buffer is as large as the slice that needs most of it, and slices differ in what they need most of: together the
// buffers can be larger than any one slice, which then has to be cut smaller.
static sheaf_status fit_slices(sheaf_engine *engine)
{
    const uint64_t fixed = fixed_bytes(engine), room = engine->memory.limit > fixed ? engine->memory.limit - fixed : 0;
    uint64_t share = room;
    SHEAF_TRY(cut_slices(engine, share));
    while (all_buffers_size(engine) > room) {
        share -= share / 16 + 1;
        SHEAF_TRY(cut_slices(engine, share));
    }
    return SHEAF_OK;
}

sheaf_status engine_plan_memory(sheaf_engine *engine)
{
    uint64_t largest;
    engine->memory.limit = engine->device.memory / 5 * 4;
    if (engine->options.memory_limit > 0)
        engine->memory.limit = smaller(engine->memory.limit, engine->options.memory_limit);
    engine->scratch_owners = count_owners(engine);
    engine->memory.needed = fixed_bytes(engine) + slice_bytes(engine, 0, engine->bundles.count, &largest);
    SHEAF_TRY(fit_slices(engine));
    engine->memory.slice_count = engine->slice_count;
    if (engine->slice_count > 1)
        base_log(SHEAF_LOG_NOTICE,
                 "the model needs %.1f MiB of device memory and %.1f MiB may be used: it is stepped in %u slices",
                 (double)engine->memory.needed / MEBIBYTE, (double)engine->memory.limit / MEBIBYTE,
                 engine->slice_count);
    return SHEAF_OK;
}

// ---- buffers

sheaf_status engine_make_buffer(sheaf_engine *engine, cl_mem_flags flags, size_t size, cl_mem *buffer)
{
    cl_int error;
    const size_t least = size > 0 ? size : 1;
    *buffer = clCreateBuffer(engine->context, flags, least, NULL, &error);
    SHEAF_TRY(device_check(error, "clCreateBuffer"));
    engine->memory.used += least;
    return SHEAF_OK;
}

// ---- chunks

static const engine_slice *slice_of(const sheaf_engine *engine, uint32_t bundle)
{
    const engine_slice *slice = engine->slices;
    while (bundle >= slice->end)
        slice++;
    return slice;
}

uint32_t engine_chunk_end(const sheaf_engine *engine, uint32_t first)
{
    const bundle_set *set = &engine->bundles;
    const uint32_t most = slice_of(engine, first)->end;
    uint32_t end = first;
    uint64_t vertices = 0;
    do
        vertices += (uint64_t)set->entries[end++].vertex_count * set->options.width;
    while (end < most && vertices + (uint64_t)set->entries[end].vertex_count * set->options.width <= CHUNK_VERTICES);
    return end;
}

// Where the rows of a bundle of the resident slice begin in a buffer, bytes.
static size_t buffer_offset(const sheaf_engine *engine, der_field array, uint32_t bundle)
{
    return engine_rows_size(engine, array, engine->slices[engine->resident].first, bundle);
}

static bool is_resident(const sheaf_engine *engine, uint32_t bundle)
{
    return slice_of(engine, bundle) == &engine->slices[engine->resident];
}

// Packs one array of a chunk, into its shadow or into `rows`, and copies it to the device if it belongs there.
static sheaf_status fill_rows(sheaf_engine *engine, const bundle_source *source, der_field array, void *rows)
{
    char *shadow = engine->shadows[array];
    void *memory = shadow ? shadow + bundles_offset(&engine->bundles, array, source->first) : rows;
    SHEAF_TRY(bundles_pack(&engine->bundles, source, array, memory));
    if (!is_resident(engine, source->first))
        return SHEAF_OK;
    return engine_upload_at(engine, engine->arrays[array], buffer_offset(engine, array, source->first), memory,
                            engine_rows_size(engine, array, source->first, source->end));
}

static sheaf_status fill_chunk(sheaf_engine *engine, uint32_t first, uint32_t end)
{
    bundle_source source;
    SHEAF_TRY(bundles_open_source(&engine->bundles, first, end, &source));
    bundles_note_ends(&engine->bundles, &source);
    sheaf_status status = SHEAF_OK;
    for (der_field array = 0; array < DER_FIELD_COUNT && status == SHEAF_OK; array++) {
        void *rows = base_alloc(engine_rows_size(engine, array, first, end), 1);
        status = rows ? fill_rows(engine, &source, array, rows) : SHEAF_ERR_MEMORY;
        base_free(rows);
    }
    bundles_close_source(&source);
    return status;
}

sheaf_status engine_read_rows(sheaf_engine *engine, der_field array, uint32_t first, uint32_t end, void *rows)
{
    const size_t size = engine_rows_size(engine, array, first, end);
    if (is_resident(engine, first))
        return engine_download_at(engine, engine->arrays[array], buffer_offset(engine, array, first), rows, size);
    memcpy(rows, (char *)engine->shadows[array] + bundles_offset(&engine->bundles, array, first), size);
    return SHEAF_OK;
}

sheaf_status engine_write_rows(sheaf_engine *engine, der_field array, uint32_t first, uint32_t end, const void *rows)
{
    const size_t size = engine_rows_size(engine, array, first, end);
    if (is_resident(engine, first))
        return engine_upload_at(engine, engine->arrays[array], buffer_offset(engine, array, first), rows, size);
    memcpy((char *)engine->shadows[array] + bundles_offset(&engine->bundles, array, first), rows, size);
    return SHEAF_OK;
}

// Bundles of a slice, with slots counted from its start.
static sheaf_status upload_entries(sheaf_engine *engine, const engine_slice *slice)
{
    const uint32_t count = slice->end - slice->first;
    bundle_entry *entries = base_alloc(count, sizeof *entries);
    if (entries == NULL)
        return SHEAF_ERR_MEMORY;
    memcpy(entries, engine->bundles.entries + slice->first, count * sizeof *entries);
    for (uint32_t b = 0; b < count; b++)
        entries[b].first_slot -= engine->bundles.entries[slice->first].first_slot;
    const sheaf_status status = engine_upload(engine, engine->entries, entries, count * sizeof *entries);
    base_free(entries);
    return status;
}

static sheaf_status make_work_buffers(sheaf_engine *engine)
{
    const size_t motion = bundles_motion_bytes(&engine->bundles) * engine->options.steps_per_launch;
    const size_t goal = goal_buffer_size(engine);
    const size_t collider = bundles_collider_bytes(&engine->bundles) * engine->options.steps_per_launch;
    SHEAF_TRY(engine_make_buffer(engine, CL_MEM_READ_ONLY, motion, &engine->motions));
    SHEAF_TRY(engine_make_buffer(engine, CL_MEM_READ_ONLY, goal, &engine->goals));
    SHEAF_TRY(engine_make_buffer(engine, CL_MEM_READ_ONLY, collider, &engine->colliders));
    SHEAF_TRY(engine_make_buffer(engine, CL_MEM_READ_WRITE, engine->scratch_owners * engine_scratch_size(engine),
                                 &engine->scratch));
    SHEAF_TRY(engine_make_figures(engine, most_bundles(engine)));
    engine->motion_memory = base_alloc(motion, 1);
    engine->goal_memory = base_alloc(goal, 1);
    engine->collider_memory = base_alloc(collider, 1);
    const bool complete = engine->motion_memory && engine->goal_memory && engine->collider_memory;
    return complete ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

// Where slices take turns, those that are not on the device are kept on the host.
static sheaf_status make_array(sheaf_engine *engine, der_field array)
{
    if (engine->slice_count > 1) {
        engine->shadows[array] = base_alloc(bundles_bytes(&engine->bundles, array), 1);
        if (engine->shadows[array] == NULL)
            return SHEAF_ERR_MEMORY;
    }
    return engine_make_buffer(engine, CL_MEM_READ_WRITE, array_buffer_size(engine, array), &engine->arrays[array]);
}

sheaf_status engine_make_arrays(sheaf_engine *engine)
{
    for (der_field array = 0; array < DER_FIELD_COUNT; array++)
        SHEAF_TRY(make_array(engine, array));
    for (uint32_t first = 0, end; first < engine->bundles.count; first = end) {
        end = engine_chunk_end(engine, first);
        SHEAF_TRY(fill_chunk(engine, first, end));
    }
    SHEAF_TRY(engine_make_buffer(engine, CL_MEM_READ_ONLY, entry_buffer_size(engine), &engine->entries));
    SHEAF_TRY(upload_entries(engine, &engine->slices[0]));
    return make_work_buffers(engine);
}

// ---- taking turns

// The resident slice's part of an array on the host.
static void *shadow_of(const sheaf_engine *engine, der_field array)
{
    const uint32_t first = engine->slices[engine->resident].first;
    return (char *)engine->shadows[array] + bundles_offset(&engine->bundles, array, first);
}

static size_t resident_bytes(const sheaf_engine *engine, der_field array)
{
    const engine_slice *slice = &engine->slices[engine->resident];
    return engine_rows_size(engine, array, slice->first, slice->end);
}

sheaf_status engine_make_resident(sheaf_engine *engine, uint32_t slice)
{
    if (slice == engine->resident)
        return SHEAF_OK;
    for (der_field array = 0; array < DER_FIELD_COUNT; array++)
        if (bundles_array_is_state(array))
            SHEAF_TRY(engine_download(engine, engine->arrays[array], shadow_of(engine, array),
                                      resident_bytes(engine, array)));
    engine->resident = slice;
    for (der_field array = 0; array < DER_FIELD_COUNT; array++)
        SHEAF_TRY(
            engine_upload(engine, engine->arrays[array], shadow_of(engine, array), resident_bytes(engine, array)));
    return upload_entries(engine, &engine->slices[slice]);
}

sheaf_status engine_read_array(sheaf_engine *engine, der_field array, void *memory)
{
    const size_t size = bundles_bytes(&engine->bundles, array);
    if (engine->slice_count == 1)
        return engine_download(engine, engine->arrays[array], memory, size);
    SHEAF_TRY(engine_download(engine, engine->arrays[array], shadow_of(engine, array), resident_bytes(engine, array)));
    memcpy(memory, engine->shadows[array], size);
    return SHEAF_OK;
}

sheaf_status engine_write_array(sheaf_engine *engine, der_field array, const void *memory)
{
    const size_t size = bundles_bytes(&engine->bundles, array);
    if (engine->slice_count == 1)
        return engine_upload(engine, engine->arrays[array], memory, size);
    memcpy(engine->shadows[array], memory, size);
    return engine_upload(engine, engine->arrays[array], shadow_of(engine, array), resident_bytes(engine, array));
}
