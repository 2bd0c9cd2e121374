// read: state of cables back on the host, in the model's order. Positions are sums of gaps and segments in fp64.
#include "cable/device/device.h"

#include "base/vec.h"
#include "cable/chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cable/slots.clh"

enum { STATE_NOW = -1, READ_MOST = 3 };

// Rows of one chunk of bundles.
typedef struct chunk {
    sheaf_engine *engine;
    uint32_t first, end; // bundles
    int note;            // of a step on the way; STATE_NOW: the state
    double time;         // s, of that
    const cable_field *fields;
    uint32_t field_count;
    void *rows[READ_MOST];
} chunk;

static void get(const chunk *it, uint32_t which, uint64_t place, uint32_t slot, uint32_t count, double *out)
{
    for (uint32_t c = 0; c < count; c++)
        out[c] = bundles_row_value(&it->engine->bundles, it->fields[which], it->rows[which], it->first, place, slot, c);
}

static void turn(const double q[4], const double a[3], double out[3])
{
    double once[3], twice[3], sum[3];
    vec_cross(once, q + 1, a);
    vec_cross(twice, q + 1, once);
    vec_copy(sum, a);
    vec_axpy(sum, 2 * q[0], once);
    vec_axpy(sum, 2, twice);
    vec_copy(out, sum);
}

// The vector of a segment from its first end to its last.
static void segment_vector(const chunk *it, uint64_t place, uint32_t strand, uint32_t j, double out[3])
{
    const double along[3] = {cable_segment_length(it->engine->model, strand, j), 0, 0};
    double pose[4];
    get(it, 0, place, j, 4, pose);
    turn(pose, along, out);
}

static const cable_field position_fields[] = {CABLE_pose, CABLE_gap, CABLE_place};

static void read_positions(const chunk *it, uint64_t place, uint32_t strand, double (*out)[3])
{
    const sheaf_model *model = it->engine->model;
    const uint32_t n = cable_segment_count(model, strand);
    const bool is_held = cable_find_end(model, strand, false).holds_point;
    double point[3], pose[4], gap[3], along[3], own[PLACE_SIZE];
    cable_anchor(model, strand, false, is_held ? it->time : 0, point, pose);
    get(it, 2, place, 0, PLACE_SIZE, own);
    for (uint32_t c = 0; c < 3 && !is_held; c++)
        point[c] += own[PLACE_HIGH + c] + own[PLACE_LOW + c];
    for (uint32_t j = 0; j < n; j++) {
        get(it, 1, place, j, 3, gap);
        if (j > 0 || is_held)
            vec_sub(point, point, gap);
        vec_copy(out[j], point);
        segment_vector(it, place, strand, j, along);
        vec_add(point, point, along);
    }
    vec_copy(out[n], point);
}

static const cable_field velocity_fields[] = {CABLE_pose, CABLE_velocity, CABLE_spin};

static void read_velocities(const chunk *it, uint64_t place, uint32_t strand, double (*out)[3])
{
    const uint32_t n = cable_segment_count(it->engine->model, strand);
    for (uint32_t i = 0; i <= n; i++) {
        const uint32_t j = i < n ? i : n - 1;
        double velocity[3], spin[3], along[3], turning[3];
        get(it, 1, place, j, 3, velocity);
        get(it, 2, place, j, 3, spin);
        segment_vector(it, place, strand, j, along);
        vec_cross(turning, spin, along);
        vec_copy(out[i], velocity);
        vec_axpy(out[i], i < n ? -0.5 : 0.5, turning);
    }
}

static void read_directors(const chunk *it, uint64_t place, uint32_t strand, double (*out)[3])
{
    static const double side[3] = {0, 1, 0};
    const uint32_t n = cable_segment_count(it->engine->model, strand);
    for (uint32_t i = 0; i <= n; i++) {
        double pose[4];
        get(it, 0, place, i < n ? i : n - 1, 4, pose);
        turn(pose, side, out[i]);
    }
}

// A load is the element after the last segment: its centre, then its pose in two rows; and how it moves.
static void read_load(const chunk *it, uint64_t place, uint32_t strand, double (*out)[3])
{
    const sheaf_model *model = it->engine->model;
    const uint32_t n = cable_segment_count(model, strand);
    const cable_end end = cable_find_end(model, strand, true);
    double tip[3], pose[4], gap[3], arm[3];
    if (end.body < 0)
        return;
    read_positions(it, place, strand, out);
    vec_copy(tip, out[n]);
    get(it, 0, place, n, 4, pose);
    get(it, 1, place, n, 3, gap);
    turn(pose, end.arm, arm);
    vec_sub(out[0], tip, gap);
    vec_sub(out[0], out[0], arm);
    vec_set(out[1], pose[0], pose[1], pose[2]);
    vec_set(out[2], pose[3], 0, 0);
}

static void read_load_motion(const chunk *it, uint64_t place, uint32_t strand, double (*out)[3])
{
    const uint32_t n = cable_segment_count(it->engine->model, strand);
    if (cable_find_end(it->engine->model, strand, true).body < 0)
        return;
    get(it, 1, place, n, 3, out[0]);
    get(it, 2, place, n, 3, out[1]);
}

typedef void read_fn(const chunk *it, uint64_t place, uint32_t strand, double (*out)[3]);

static sheaf_status fetch(chunk *it)
{
    for (uint32_t k = 0; k < it->field_count; k++) {
        it->rows[k] = base_alloc(engine_rows_size(it->engine, it->fields[k], it->first, it->end), 1);
        if (it->rows[k] == NULL)
            return SHEAF_ERR_MEMORY;
        SHEAF_TRY(it->note == STATE_NOW ? engine_read_rows(it->engine, it->fields[k], it->first, it->end, it->rows[k])
                                        : engine_read_note_rows(it->engine, (uint32_t)it->note, it->fields[k],
                                                                it->first, it->end, it->rows[k]));
    }
    return SHEAF_OK;
}

static void unpack(const chunk *it, read_fn *read, uint32_t stride, const uint64_t *first_vertex, double (*out)[3])
{
    const bundle_set *set = &it->engine->bundles;
    const uint64_t width = set->options.width;
    for (uint64_t place = it->first * width; place < it->end * width; place++) {
        const uint32_t strand = set->strand_of[place];
        if (strand != BUNDLE_FILLER && strand % stride == 0)
            read(it, place, strand, out + first_vertex[strand / stride]);
    }
}

sheaf_status cable_read(sheaf_engine *engine, cable_vectors what, int note, uint32_t stride,
                        const uint64_t *first_vertex, double (*out)[3])
{
    static read_fn *const readers[] = {read_positions, read_velocities, read_directors, read_load, read_load_motion};
    const bool is_place = what == CABLE_READ_POSITIONS || what == CABLE_READ_LOADS;
    const engine_notes *notes = &engine->notes;
    if (note != STATE_NOW && ((uint32_t)note >= notes->count || !notes->has_poses))
        return base_fail(SHEAF_ERR_USAGE, "no pose was noted as note %d of the last steps", note);
    const double steps = (double)(note == STATE_NOW ? engine->step : notes->steps[note]);
    for (uint32_t first = 0, end; first < engine->bundles.count; first = end) {
        end = engine_chunk_end(engine, first);
        chunk it = {.engine = engine,
                    .first = first,
                    .end = end,
                    .note = note,
                    .time = steps * engine->options.step,
                    .fields = is_place ? position_fields : velocity_fields,
                    .field_count = what == CABLE_READ_DIRECTORS ? 1 : READ_MOST};
        const sheaf_status status = fetch(&it);
        if (status == SHEAF_OK)
            unpack(&it, readers[what], stride, first_vertex, out);
        for (uint32_t k = 0; k < READ_MOST; k++)
            base_free(it.rows[k]);
        SHEAF_TRY(status);
    }
    return SHEAF_OK;
}

// ---- bodies

static void tell_load(const sheaf_model *model, uint32_t body, const double (*at)[3], const double (*motion)[3],
                      sheaf_body_pose *pose)
{
    cable_part now;
    cable_free_body(model, body, &now);
    vec_copy(now.place, at[0]);
    vec_copy(now.pose, at[1]);
    now.pose[3] = at[2][0];
    vec_copy(now.velocity, motion[0]);
    vec_copy(now.spin, motion[1]);
    cable_tell_body(model, body, &now, pose);
}

sheaf_status cable_read_bodies(sheaf_engine *engine, sheaf_body_pose *poses)
{
    const sheaf_model *model = engine->model;
    double(*rows)[3] = base_alloc(2 * model->vertex_count, sizeof *rows);
    if (rows == NULL)
        return SHEAF_ERR_MEMORY;
    double(*motion)[3] = rows + model->vertex_count;
    sheaf_status status = cable_read(engine, CABLE_READ_LOADS, STATE_NOW, 1, model->first_vertex, rows);
    if (status == SHEAF_OK)
        status = cable_read(engine, CABLE_READ_LOAD_MOTIONS, STATE_NOW, 1, model->first_vertex, motion);
    for (uint32_t b = 0; b < model->body_count; b++)
        cable_tell_driven(model, b, (double)engine->step * engine->options.step, &poses[b]);
    for (uint32_t s = 0; s < model->strand_count && status == SHEAF_OK; s++) {
        const int32_t body = cable_find_end(model, s, true).body;
        const uint64_t first = model->first_vertex[s];
        if (body >= 0)
            tell_load(model, (uint32_t)body, (const double(*)[3])rows + first, (const double(*)[3])motion + first,
                      &poses[body]);
    }
    base_free(rows);
    return status;
}

// ---- push

sheaf_status cable_push(sheaf_engine *engine, uint32_t strand, uint32_t vertex, const double change[3])
{
    const bundle_set *set = &engine->bundles;
    const uint64_t place = set->place_of[strand];
    const uint32_t bundle = (uint32_t)(place / set->options.width), n = cable_segment_count(engine->model, strand);
    const uint32_t slot = vertex < n ? vertex : n - 1;
    void *rows = base_alloc(engine_rows_size(engine, CABLE_velocity, bundle, bundle + 1), 1);
    if (rows == NULL)
        return SHEAF_ERR_MEMORY;
    sheaf_status status = engine_read_rows(engine, CABLE_velocity, bundle, bundle + 1, rows);
    for (uint32_t c = 0; c < 3 && status == SHEAF_OK; c++) {
        const double value = bundles_row_value(set, CABLE_velocity, rows, bundle, place, slot, c);
        bundles_put(set, rows, bundles_row_index(set, CABLE_velocity, bundle, place, slot, c), value + change[c]);
    }
    if (status == SHEAF_OK)
        status = engine_write_rows(engine, CABLE_velocity, bundle, bundle + 1, rows);
    base_free(rows);
    return status;
}

// ---- freezes

static cable_freeze read_record(const sheaf_engine *engine, const void *records, uint32_t strand)
{
    static const char *const names[] = {"velocity", "velocity", "bend", "twist", "pivot"};
    const bundle_set *set = &engine->bundles;
    const double fault = bundles_get(set, CABLE_record, records, strand, 0, RECORD_QUANTITY);
    const double value = bundles_get(set, CABLE_record, records, strand, 0, RECORD_VALUE);
    cable_freeze freeze = {.strand = strand,
                           .slot = (uint32_t)bundles_get(set, CABLE_record, records, strand, 0, RECORD_SLOT),
                           .step = (uint64_t)bundles_get(set, CABLE_record, records, strand, 0, RECORD_FROZEN),
                           .quantity = names[fault >= 1 && fault <= 4 ? (int)fault : 0],
                           .value = value};
    if (fault == FAULT_SPEED)
        freeze.value = sqrt(value);
    if (fault == FAULT_BEND) // sin^2 of half the angle
        freeze.value = 2 * asin(sqrt(fmin(value, 1)));
    return freeze;
}

static int compare_freezes(const void *a, const void *b)
{
    const cable_freeze *first = a, *second = b;
    if (first->step != second->step)
        return first->step < second->step ? -1 : 1;
    return first->strand < second->strand ? -1 : 1;
}

sheaf_status cable_freezes(sheaf_engine *engine, cable_freeze *freezes, uint32_t *count)
{
    void *records = base_alloc(bundles_bytes(&engine->bundles, CABLE_record), 1);
    *count = 0;
    if (records == NULL)
        return SHEAF_ERR_MEMORY;
    const sheaf_status status = engine_read_array(engine, CABLE_record, records);
    for (uint32_t s = 0; status == SHEAF_OK && s < engine->model->strand_count; s++) {
        const cable_freeze freeze = read_record(engine, records, s);
        if (freeze.step > 0)
            freezes[(*count)++] = freeze;
    }
    base_free(records);
    qsort(freezes, *count, sizeof *freezes, compare_freezes);
    return status;
}
