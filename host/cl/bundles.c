// bundles: where every number of a packed field lies, and filling fields from a model.
#include "cl/bundles.h"
#include "strand/strand.h"

#include <string.h>

// ---- sorting

sheaf_status bundles_sort(const bundle_rules *rules, const sheaf_model *model, const bundle_options *options,
                          bundle_set *set)
{
    *set = (bundle_set){.rules = rules, .options = *options, .model = model};
    const sheaf_status status = rules->sort(set);
    if (status != SHEAF_OK)
        bundles_free(set);
    return status;
}

void bundles_free(bundle_set *set)
{
    base_free(set->entries);
    base_free(set->strand_of);
    base_free(set->place_of);
    base_free(set->own);
    *set = (bundle_set){0};
}

sheaf_status bundles_allocate(bundle_set *set, uint32_t count)
{
    set->entries = base_alloc(count, sizeof *set->entries);
    set->strand_of = base_alloc((size_t)count * set->options.width, sizeof *set->strand_of);
    set->place_of = base_alloc(set->model->strand_count, sizeof *set->place_of);
    return set->entries && set->strand_of && set->place_of ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

void bundles_place(bundle_set *set, bundle_entry entry, const uint32_t *strands, size_t stride, uint32_t lanes)
{
    const uint32_t width = set->options.width, bundle = set->count++;
    entry.first_slot = (uint32_t)set->slot_count;
    set->entries[bundle] = entry;
    set->slot_count += entry.vertex_count;
    if (entry.vertex_count > set->most_vertices)
        set->most_vertices = entry.vertex_count;
    for (uint32_t lane = 0; lane < width; lane++) {
        const size_t place = (size_t)bundle * width + lane;
        set->strand_of[place] = BUNDLE_FILLER;
        if (lane >= lanes)
            continue;
        memcpy(&set->strand_of[place], (const char *)strands + lane * stride, sizeof *strands);
        set->place_of[set->strand_of[place]] = place;
    }
}

void bundles_finish(bundle_set *set)
{
    set->kind_first[set->rules->kind_count] = set->count;
}

// ---- where numbers lie

size_t bundles_real_size(const bundle_set *set)
{
    return set->options.is_double ? sizeof(double) : sizeof(float);
}

static bool is_per_strand(const bundle_set *set, uint32_t field)
{
    return set->rules->fields[field].rows == FIELD_ROWS_BUNDLE;
}

size_t bundles_offset(const bundle_set *set, uint32_t field, uint32_t bundle)
{
    const uint64_t slots = bundle < set->count ? set->entries[bundle].first_slot : set->slot_count;
    const uint64_t rows = is_per_strand(set, field) ? bundle : slots;
    return (size_t)rows * set->rules->fields[field].components * set->options.width * bundles_real_size(set);
}

size_t bundles_bytes(const bundle_set *set, uint32_t field)
{
    return bundles_offset(set, field, set->count);
}

static size_t value_index(const bundle_set *set, uint32_t field, uint64_t place, uint32_t vertex, uint32_t component)
{
    const uint32_t width = set->options.width;
    const uint64_t bundle = place / width;
    const uint64_t row = is_per_strand(set, field) ? bundle : set->entries[bundle].first_slot + (uint64_t)vertex;
    return (size_t)((row * set->rules->fields[field].components + component) * width + place % width);
}

size_t bundles_row_index(const bundle_set *set, uint32_t field, uint32_t first, uint64_t place, uint32_t vertex,
                         uint32_t component)
{
    const size_t start = value_index(set, field, (uint64_t)first * set->options.width, 0, 0);
    return value_index(set, field, place, vertex, component) - start;
}

double bundles_row_value(const bundle_set *set, uint32_t field, const void *rows, uint32_t first, uint64_t place,
                         uint32_t vertex, uint32_t component)
{
    const size_t index = bundles_row_index(set, field, first, place, vertex, component);
    return set->options.is_double ? ((const double *)rows)[index] : (double)((const float *)rows)[index];
}

double bundles_get(const bundle_set *set, uint32_t field, const void *memory, uint32_t strand, uint32_t vertex,
                   uint32_t component)
{
    return bundles_row_value(set, field, memory, 0, set->place_of[strand], vertex, component);
}

void bundles_put(const bundle_set *set, void *memory, size_t index, double value)
{
    if (set->options.is_double)
        ((double *)memory)[index] = value;
    else
        ((float *)memory)[index] = (float)value;
}

void bundles_set(const bundle_set *set, uint32_t field, void *memory, uint32_t strand, uint32_t vertex,
                 uint32_t component, double value)
{
    bundles_put(set, memory, value_index(set, field, set->place_of[strand], vertex, component), value);
}

uint32_t bundles_strand_at(const bundle_set *set, uint64_t place)
{
    const bool is_filler = set->strand_of[place] == BUNDLE_FILLER;
    return set->strand_of[is_filler ? place - place % set->options.width : place];
}

// ---- arrays of the model for some bundles

// Arrays of their own for the strands of the source's bundles. A method that prepares sources is not to do so for the
// whole model once for each of many.
static sheaf_status make_part(const bundle_set *set, bundle_source *source)
{
    const bool is_all = source->first == 0 && source->end == set->count;
    const uint32_t width = set->options.width, first = source->first, count = (source->end - first) * width;
    if (model_has_arrays(set->model) && (is_all || set->rules->prepare == NULL))
        return SHEAF_OK;
    uint32_t *strands = base_alloc(count, sizeof *strands);
    if (strands == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < count; k++)
        strands[k] = bundles_strand_at(set, (uint64_t)first * width + k);
    const sheaf_status status = model_part(set->model, strands, count, &source->part);
    base_free(strands);
    if (status == SHEAF_OK)
        source->model = source->part;
    return status;
}

sheaf_status bundles_open_source(const bundle_set *set, uint32_t first, uint32_t end, bundle_source *source)
{
    *source = (bundle_source){.model = set->model, .first = first, .end = end};
    sheaf_status status = make_part(set, source);
    if (status == SHEAF_OK && set->rules->prepare != NULL)
        status = set->rules->prepare(source);
    if (status != SHEAF_OK)
        bundles_close_source(source);
    return status;
}

void bundles_close_source(bundle_source *source)
{
    base_free(source->own);
    sheaf_model_free(source->part);
    *source = (bundle_source){0};
}

uint32_t bundles_source_strand(const bundle_set *set, const bundle_source *source, uint64_t place)
{
    const uint32_t width = set->options.width;
    const uint64_t real = set->strand_of[place] == BUNDLE_FILLER ? place - place % width : place;
    return source->part ? (uint32_t)(real - (uint64_t)source->first * width) : set->strand_of[real];
}

// ---- packing

typedef struct pack_job {
    const bundle_set *set;
    const bundle_source *source;
    uint32_t field;
    void *memory;
} pack_job;

static sheaf_status pack_range(size_t first, size_t end, uint32_t worker, void *user)
{
    const pack_job *job = user;
    const uint64_t start = (uint64_t)job->source->first * job->set->options.width;
    (void)worker;
    for (size_t k = first; k < end; k++)
        job->set->rules->pack(job->set, job->source, job->field, start + k, job->memory);
    return SHEAF_OK;
}

sheaf_status bundles_pack(const bundle_set *set, const bundle_source *source, uint32_t field, void *memory)
{
    enum { PARALLEL_BYTES = 1 << 20 }; // less is not worth a second thread
    const size_t bytes = bundles_offset(set, field, source->end) - bundles_offset(set, field, source->first);
    pack_job job = {set, source, field, memory};
    memset(memory, 0, bytes);
    if (set->rules->fields[field].start == FIELD_START_ZERO)
        return SHEAF_OK;
    return base_parallel_for((size_t)(source->end - source->first) * set->options.width, bytes < PARALLEL_BYTES ? 1 : 0,
                             pack_range, &job);
}
