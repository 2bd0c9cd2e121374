// read: state of the engine back on the host, in the model's order.
#include "der/device/device_parts.h"

#include "base/vec.h"
#include "strand/unroll.h"

#include "kernels/der/slots.clh"
#include "world/world.h"

enum { STATE_NOW = -1 };

// Rows of one chunk of bundles.
typedef struct chunk {
    const sheaf_engine *engine;
    uint32_t first, end; // bundles
    der_field array;     // what is read: edges, to be summed up to positions, or vectors that go out as they are
    int note;            // of a step on the way; STATE_NOW: where strands are now
    double time;         // s, of that
    void *vectors;       // rows of that array
    void *places;        // of roots; NULL unless edges are read
} chunk;

// Strands that are read, and where each of them goes.
typedef struct choice {
    uint32_t stride;              // every how many-th
    const uint64_t *first_vertex; // [chosen strand]
    bool with_copies;             // of vertices of loops
} choice;

// Vectors of one strand among the rows.
typedef struct strand_rows {
    const void *rows;
    size_t first; // number of vertex 0
    size_t width; // from component to component
    bool is_double;
} strand_rows;

static strand_rows find_strand(const chunk *it, uint64_t place)
{
    const bundle_set *set = &it->engine->bundles;
    return (strand_rows){.rows = it->vectors,
                         .first = bundles_row_index(set, it->array, it->first, place, 0, 0),
                         .width = set->options.width,
                         .is_double = set->options.is_double};
}

static void vector_at(const strand_rows *it, uint32_t vertex, double out[3])
{
    for (uint32_t c = 0; c < 3; c++) {
        const size_t index = it->first + (3 * (size_t)vertex + c) * it->width;
        out[c] = it->is_double ? ((const double *)it->rows)[index] : (double)((const float *)it->rows)[index];
    }
}

// World position of a strand's root: by its course in time where it is clamped, else from the device.
static void root_at(const chunk *it, uint64_t place, uint32_t strand, double out[3])
{
    const bundle_set *set = &it->engine->bundles;
    const model_strand *s = &set->model->strands[strand];
    if (place / set->options.width < set->kind_first[DER_GENERAL]) {
        vec_copy(out, s->origin);
        if (s->root->motion >= 0)
            model_motion_point(&set->model->motions[s->root->motion], it->time, s->origin, out);
        return;
    }
    der_origin(set->model, strand, it->time, out);
    for (uint32_t c = 0; c < 3; c++)
        out[c] += bundles_row_value(set, DER_place, it->places, it->first, place, 0, PLACE_HIGH + c) +
                  bundles_row_value(set, DER_place, it->places, it->first, place, 0, PLACE_LOW + c);
}

// Positions are sums of edges from the root, in fp64.
static void unpack_strand(const chunk *it, uint64_t place, uint32_t strand, uint32_t count, double (*out)[3])
{
    const strand_rows rows = find_strand(it, place);
    if (it->places == NULL) {
        for (uint32_t i = 0; i < count; i++)
            vector_at(&rows, i, out[i]);
        return;
    }
    double point[3], edge[3];
    root_at(it, place, strand, point);
    for (uint32_t i = 0; i < count; i++) {
        vec_copy(out[i], point);
        vector_at(&rows, i, edge);
        vec_add(point, point, edge);
    }
}

typedef struct unpack_job {
    const chunk *it;
    const choice *chosen;
    double (*out)[3];
} unpack_job;

// Places from .. to - 1, counted from the chunk's first.
static sheaf_status unpack_range(size_t from, size_t to, uint32_t worker, void *user)
{
    const unpack_job *job = user;
    (void)worker;
    const bundle_set *set = &job->it->engine->bundles;
    const uint64_t start = (uint64_t)job->it->first * set->options.width;
    for (uint64_t place = start + from; place < start + to; place++) {
        const uint32_t strand = set->strand_of[place];
        if (strand == BUNDLE_FILLER || strand % job->chosen->stride != 0)
            continue;
        uint32_t count = model_vertex_count(set->model, strand);
        if (set->model->strands[strand].is_loop && !job->chosen->with_copies)
            count -= UNROLL_EXTRA;
        unpack_strand(job->it, place, strand, count,
                      job->out + job->chosen->first_vertex[strand / job->chosen->stride]);
    }
    return SHEAF_OK;
}

// By all cores where that is worth starting threads.
static sheaf_status unpack(const chunk *it, const choice *chosen, double (*out)[3])
{
    enum { PARALLEL_PLACES = 1024 };
    unpack_job job = {it, chosen, out};
    const size_t places = (size_t)(it->end - it->first) * it->engine->bundles.options.width;
    return base_parallel_for(places, places < PARALLEL_PLACES ? 1 : 0, unpack_range, &job);
}

static sheaf_status read_rows(sheaf_engine *engine, const chunk *it, der_field array, void *rows)
{
    return it->note == STATE_NOW ? engine_read_rows(engine, array, it->first, it->end, rows)
                                 : engine_read_note_rows(engine, (uint32_t)it->note, array, it->first, it->end, rows);
}

static sheaf_status read_chunk(sheaf_engine *engine, chunk *it)
{
    it->vectors = base_alloc(engine_rows_size(engine, it->array, it->first, it->end), 1);
    if (it->vectors == NULL)
        return SHEAF_ERR_MEMORY;
    SHEAF_TRY(read_rows(engine, it, it->array, it->vectors));
    if (it->array != DER_edge)
        return SHEAF_OK;
    it->places = base_alloc(engine_rows_size(engine, DER_place, it->first, it->end), 1);
    return it->places ? read_rows(engine, it, DER_place, it->places) : SHEAF_ERR_MEMORY;
}

// `what`: a chunk's array, note and time.
static sheaf_status read_chunks(sheaf_engine *engine, const choice *chosen, chunk what, double (*out)[3])
{
    for (uint32_t first = 0, end; first < engine->bundles.count; first = end) {
        end = engine_chunk_end(engine, first);
        chunk it = what;
        it.engine = engine;
        it.first = first;
        it.end = end;
        sheaf_status status = read_chunk(engine, &it);
        if (status == SHEAF_OK)
            status = unpack(&it, chosen, out);
        base_free(it.vectors);
        base_free(it.places);
        SHEAF_TRY(status);
    }
    return SHEAF_OK;
}

static sheaf_status read_vectors(sheaf_engine *engine, const choice *chosen, der_field array, double (*out)[3])
{
    return read_chunks(engine, chosen, (chunk){.array = array, .note = STATE_NOW, .time = engine_time(engine)}, out);
}

sheaf_status der_note_sample(sheaf_engine *engine, uint32_t note, uint32_t stride, const uint64_t *first_vertex,
                             double (*positions)[3])
{
    const engine_notes *notes = &engine->notes;
    if (note >= notes->count || !notes->has_poses)
        return base_fail(SHEAF_ERR_USAGE, "no pose was noted as note %u of the last steps", note);
    const choice chosen = {stride, first_vertex, false};
    const double time = (double)notes->steps[note] * engine->options.step;
    return read_chunks(engine, &chosen, (chunk){.array = DER_edge, .note = (int)note, .time = time}, positions);
}

sheaf_status der_read(sheaf_engine *engine, double (*positions)[3], double (*velocities)[3])
{
    const choice all = {1, engine->model->first_vertex, true};
    if (positions != NULL)
        SHEAF_TRY(read_vectors(engine, &all, DER_edge, positions));
    return velocities ? read_vectors(engine, &all, DER_velocity, velocities) : SHEAF_OK;
}

sheaf_status der_read_sample(sheaf_engine *engine, uint32_t stride, const uint64_t *first_vertex,
                             double (*positions)[3])
{
    const choice chosen = {stride, first_vertex, false};
    return read_vectors(engine, &chosen, DER_edge, positions);
}

sheaf_status der_read_directors(sheaf_engine *engine, const uint64_t *first_vertex, double (*directors)[3])
{
    const choice all = {1, first_vertex, false};
    return read_vectors(engine, &all, DER_director, directors);
}

sheaf_status der_read_sample_velocities(sheaf_engine *engine, uint32_t stride, const uint64_t *first_vertex,
                                        double (*velocities)[3])
{
    const choice chosen = {stride, first_vertex, false};
    return read_vectors(engine, &chosen, DER_velocity, velocities);
}
