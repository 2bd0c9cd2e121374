// slices: device memory of an engine. A model that does not fit is stepped in slices of bundles, one after the other in
// the same buffers; bundles do not know of each other, so that this changes no bit of the result.
#include "cl/engine_parts.h"

#include <string.h>

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

size_t engine_scratch_size(const sheaf_engine *engine)
{
    const size_t slot =
        (size_t)engine->method->scratch_components(engine) * engine->bundles.options.width * engine_real_size(engine);
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

size_t engine_rows_size(const sheaf_engine *engine, uint32_t field, uint32_t first, uint32_t end)
{
    return bundles_offset(&engine->bundles, field, end) - bundles_offset(&engine->bundles, field, first);
}

// Bytes of an input of bundles first .. end - 1, in all steps of a launch.
static uint64_t input_bytes(const sheaf_engine *engine, uint32_t input, uint32_t first, uint32_t end)
{
    const engine_input *it = &engine->method->inputs[input];
    return (uint64_t)it->bytes(engine, first, end) * (it->is_per_step ? engine->options.steps_per_launch : 1);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

// Bytes that depend on the slice; `largest` receives those of its largest buffer.
static uint64_t slice_bytes(const sheaf_engine *engine, uint32_t first, uint32_t end, uint64_t *largest)
{
    uint64_t sum = (uint64_t)(end - first) * sizeof(bundle_entry) + engine_figures_size(engine, end - first);
    *largest = sum;
    for (uint32_t k = 0; k < engine->method->input_count; k++) {
        const uint64_t bytes = input_bytes(engine, k, first, end);
        sum += bytes;
        *largest = larger(bytes, *largest);
    }
    for (uint32_t field = 0; field < engine->method->bundles.field_count; field++) {
        const uint64_t bytes = engine_rows_size(engine, field, first, end);
        sum += bytes;
        *largest = larger(bytes, *largest);
    }
    return sum;
}

static uint64_t fixed_bytes(const sheaf_engine *engine)
{
    return (uint64_t)engine->scratch_owners * engine_scratch_size(engine) +
           engine->method->setting_count * engine_real_size(engine);
}

// Work-items (or groups of them) that keep a device busy. The scratch of all of them is what a step reads and writes
// most, and a GPU's cache holds little of it: there are as many as fit, or as often as a trial found better
// (cache_fill), but one for each of its units at least.
static uint64_t busy_owners(const sheaf_engine *engine)
{
    enum { PER_UNIT = 4, PER_UNIT_SCALAR = 64 };
    const device_info *device = &engine->device;
    const uint64_t units = device->compute_units, most = units * PER_UNIT_SCALAR;
    if (engine->options.work_items > 0)
        return engine->options.work_items;
    if (engine->options.lane_width > 1)
        return units * PER_UNIT;
    if (!(device->type & CL_DEVICE_TYPE_GPU) || device->cache == 0)
        return most;
    const uint64_t room = device->cache * larger(1, engine->options.cache_fill);
    return larger(units, smaller(most, room / engine_scratch_size(engine)));
}

// Owners of scratch: work-items of the fused schedule, bundles of a launch of the staged one; no more than a quarter of
// the memory allows.
static uint32_t count_owners(const sheaf_engine *engine)
{
    if (engine->options.is_coupled) // whose bundles keep their scratch from verb to verb
        return engine->bundles.count;
    const uint64_t wanted = engine->options.is_staged ? engine->bundles.count : busy_owners(engine);
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
static size_t array_buffer_size(const sheaf_engine *engine, uint32_t field)
{
    size_t most = 0;
    for (uint32_t k = 0; k < engine->slice_count; k++) {
        const size_t size = engine_rows_size(engine, field, engine->slices[k].first, engine->slices[k].end);
        most = size > most ? size : most;
    }
    return most;
}

static size_t input_buffer_size(const sheaf_engine *engine, uint32_t input)
{
    size_t most = 0;
    for (uint32_t k = 0; k < engine->slice_count; k++) {
        const size_t size = (size_t)input_bytes(engine, input, engine->slices[k].first, engine->slices[k].end);
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
    uint64_t sum = entry_buffer_size(engine) + engine_figures_size(engine, most_bundles(engine));
    for (uint32_t k = 0; k < engine->method->input_count; k++)
        sum += input_buffer_size(engine, k);
    for (uint32_t field = 0; field < engine->method->bundles.field_count; field++)
        sum += array_buffer_size(engine, field);
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

// Strands that act on each other take every step together: all that they have is on the device at once.
static sheaf_status check_together(const sheaf_engine *engine, uint64_t largest)
{
    const bool is_coupled = engine->options.is_coupled;
    const uint64_t scratch = (uint64_t)engine->scratch_owners * engine_scratch_size(engine);
    const uint64_t one =
        larger(larger(largest, scratch), is_coupled ? engine_coupled_bytes(engine, true) : engine_pushed_bytes(engine));
    if (engine->memory.needed <= engine->memory.limit && one <= largest_buffer(engine))
        return SHEAF_OK;
    return base_fail(
        SHEAF_ERR_DEVICE,
        "strands that %s must be on the device together: %s lends %.1f MiB, in buffers of at most %.1f MiB, "
        "and %.1f MiB are needed, %.1f MiB of them in one buffer; use fewer strands or another device",
        is_coupled ? "are coupled" : "push each other", engine->device.name, (double)engine->memory.limit / MEBIBYTE,
        (double)largest_buffer(engine) / MEBIBYTE, (double)engine->memory.needed / MEBIBYTE, (double)one / MEBIBYTE);
}

sheaf_status engine_plan_memory(sheaf_engine *engine)
{
    const bool is_whole = engine->options.is_coupled || engine->options.is_pushed;
    uint64_t largest;
    engine->memory.limit = engine->device.memory / 5 * 4;
    if (engine->options.memory_limit > 0)
        engine->memory.limit = smaller(engine->memory.limit, engine->options.memory_limit);
    engine->scratch_owners = count_owners(engine);
    engine->memory.needed = fixed_bytes(engine) + slice_bytes(engine, 0, engine->bundles.count, &largest);
    engine->memory.needed += engine_coupled_bytes(engine, false) + engine_pushed_bytes(engine);
    if (is_whole)
        SHEAF_TRY(check_together(engine, largest));
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

sheaf_status engine_check_room(const sheaf_engine *engine, uint64_t bytes, uint64_t largest, const char *what)
{
    const engine_memory *memory = &engine->memory;
    if (memory->used + bytes <= memory->limit && largest <= largest_buffer(engine))
        return SHEAF_OK;
    return base_fail(
        SHEAF_ERR_DEVICE,
        "%s must be on the device together with the strands: %s lends %.1f MiB, in buffers of at most %.1f "
        "MiB, and %.1f MiB are needed, %.1f MiB of them in one buffer; use fewer strands or another device",
        what, engine->device.name, (double)memory->limit / MEBIBYTE, (double)largest_buffer(engine) / MEBIBYTE,
        (double)(memory->used + bytes) / MEBIBYTE, (double)largest / MEBIBYTE);
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
static size_t buffer_offset(const sheaf_engine *engine, uint32_t field, uint32_t bundle)
{
    return engine_rows_size(engine, field, engine->slices[engine->resident].first, bundle);
}

static bool is_resident(const sheaf_engine *engine, uint32_t bundle)
{
    return slice_of(engine, bundle) == &engine->slices[engine->resident];
}

// Packs one array of a chunk, into its shadow or into `rows`, and copies it to the device if it belongs there.
static sheaf_status fill_rows(sheaf_engine *engine, const bundle_source *source, uint32_t field, void *rows)
{
    char *shadow = engine->shadows[field];
    void *memory = shadow ? shadow + bundles_offset(&engine->bundles, field, source->first) : rows;
    SHEAF_TRY(bundles_pack(&engine->bundles, source, field, memory));
    if (!is_resident(engine, source->first))
        return SHEAF_OK;
    return engine_upload_at(engine, engine->arrays[field], buffer_offset(engine, field, source->first), memory,
                            engine_rows_size(engine, field, source->first, source->end));
}

static sheaf_status fill_chunk(sheaf_engine *engine, uint32_t first, uint32_t end)
{
    bundle_source source;
    SHEAF_TRY(bundles_open_source(&engine->bundles, first, end, &source));
    if (engine->method->bundles.note != NULL)
        engine->method->bundles.note(&engine->bundles, &source);
    sheaf_status status = SHEAF_OK;
    for (uint32_t field = 0; field < engine->method->bundles.field_count && status == SHEAF_OK; field++) {
        void *rows = base_alloc(engine_rows_size(engine, field, first, end), 1);
        status = rows ? fill_rows(engine, &source, field, rows) : SHEAF_ERR_MEMORY;
        base_free(rows);
    }
    bundles_close_source(&source);
    return status;
}

sheaf_status engine_read_rows(sheaf_engine *engine, uint32_t field, uint32_t first, uint32_t end, void *rows)
{
    const size_t size = engine_rows_size(engine, field, first, end);
    if (is_resident(engine, first))
        return engine_download_at(engine, engine->arrays[field], buffer_offset(engine, field, first), rows, size);
    memcpy(rows, (char *)engine->shadows[field] + bundles_offset(&engine->bundles, field, first), size);
    return SHEAF_OK;
}

sheaf_status engine_write_rows(sheaf_engine *engine, uint32_t field, uint32_t first, uint32_t end, const void *rows)
{
    const size_t size = engine_rows_size(engine, field, first, end);
    if (is_resident(engine, first))
        return engine_upload_at(engine, engine->arrays[field], buffer_offset(engine, field, first), rows, size);
    memcpy((char *)engine->shadows[field] + bundles_offset(&engine->bundles, field, first), rows, size);
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

static sheaf_status make_input(sheaf_engine *engine, uint32_t input)
{
    const engine_input *it = &engine->method->inputs[input];
    const size_t size = input_buffer_size(engine, input);
    SHEAF_TRY(engine_make_buffer(engine, CL_MEM_READ_ONLY, size, &engine->inputs[input]));
    engine->input_memory[input] = base_alloc(size, 1);
    if (engine->input_memory[input] == NULL)
        return SHEAF_ERR_MEMORY;
    if (it->is_per_step || size == 0)
        return SHEAF_OK;
    it->write(engine, 0, engine->bundles.count, 0, engine->input_memory[input]);
    const sheaf_status status = engine_upload(engine, engine->inputs[input], engine->input_memory[input], size);
    base_free(engine->input_memory[input]);
    engine->input_memory[input] = NULL;
    return status;
}

static sheaf_status make_work_buffers(sheaf_engine *engine)
{
    for (uint32_t k = 0; k < engine->method->input_count; k++)
        SHEAF_TRY(make_input(engine, k));
    SHEAF_TRY(engine_make_buffer(engine, CL_MEM_READ_WRITE, engine->scratch_owners * engine_scratch_size(engine),
                                 &engine->scratch));
    return engine_make_figures(engine, most_bundles(engine));
}

// Where slices take turns, those that are not on the device are kept on the host.
static sheaf_status make_array(sheaf_engine *engine, uint32_t field)
{
    if (engine->slice_count > 1) {
        engine->shadows[field] = base_alloc(bundles_bytes(&engine->bundles, field), 1);
        if (engine->shadows[field] == NULL)
            return SHEAF_ERR_MEMORY;
    }
    return engine_make_buffer(engine, CL_MEM_READ_WRITE, array_buffer_size(engine, field), &engine->arrays[field]);
}

sheaf_status engine_make_arrays(sheaf_engine *engine)
{
    for (uint32_t field = 0; field < engine->method->bundles.field_count; field++)
        SHEAF_TRY(make_array(engine, field));
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
static void *shadow_of(const sheaf_engine *engine, uint32_t field)
{
    const uint32_t first = engine->slices[engine->resident].first;
    return (char *)engine->shadows[field] + bundles_offset(&engine->bundles, field, first);
}

static size_t resident_bytes(const sheaf_engine *engine, uint32_t field)
{
    const engine_slice *slice = &engine->slices[engine->resident];
    return engine_rows_size(engine, field, slice->first, slice->end);
}

sheaf_status engine_make_resident(sheaf_engine *engine, uint32_t slice)
{
    if (slice == engine->resident)
        return SHEAF_OK;
    for (uint32_t field = 0; field < engine->method->bundles.field_count; field++)
        if (engine_state_name(engine, field) != NULL)
            SHEAF_TRY(engine_download(engine, engine->arrays[field], shadow_of(engine, field),
                                      resident_bytes(engine, field)));
    engine->resident = slice;
    for (uint32_t field = 0; field < engine->method->bundles.field_count; field++)
        SHEAF_TRY(
            engine_upload(engine, engine->arrays[field], shadow_of(engine, field), resident_bytes(engine, field)));
    return upload_entries(engine, &engine->slices[slice]);
}

sheaf_status engine_read_array(sheaf_engine *engine, uint32_t field, void *memory)
{
    const size_t size = bundles_bytes(&engine->bundles, field);
    if (engine->slice_count == 1)
        return engine_download(engine, engine->arrays[field], memory, size);
    SHEAF_TRY(engine_download(engine, engine->arrays[field], shadow_of(engine, field), resident_bytes(engine, field)));
    memcpy(memory, engine->shadows[field], size);
    return SHEAF_OK;
}

sheaf_status engine_write_array(sheaf_engine *engine, uint32_t field, const void *memory)
{
    const size_t size = bundles_bytes(&engine->bundles, field);
    if (engine->slice_count == 1)
        return engine_upload(engine, engine->arrays[field], memory, size);
    memcpy(engine->shadows[field], memory, size);
    return engine_upload(engine, engine->arrays[field], shadow_of(engine, field), resident_bytes(engine, field));
}
