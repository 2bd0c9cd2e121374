// figures: energies, strain and records of a population, from the engine's state.
#include "cl/engine_parts.h"

#include "base/vec.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/slots.clh"

// Arrays the figures need, read back.
typedef struct snapshot {
    const sheaf_engine *engine;
    void *arrays[BUNDLE_ARRAY_COUNT];
} snapshot;

static const bundle_array needed[] = {BUNDLE_EDGE,  BUNDLE_VELOCITY, BUNDLE_DIRECTOR,
                                      BUNDLE_TWIST, BUNDLE_RECORD,   BUNDLE_PLACE};
enum { NEEDED_COUNT = sizeof needed / sizeof needed[0] };

static void close_snapshot(snapshot *it)
{
    for (int k = 0; k < NEEDED_COUNT; k++)
        base_free(it->arrays[needed[k]]);
}

static sheaf_status open_snapshot(sheaf_engine *engine, snapshot *it)
{
    *it = (snapshot){.engine = engine};
    for (int k = 0; k < NEEDED_COUNT; k++) {
        void *memory = base_alloc(bundles_bytes(&engine->bundles, needed[k]), 1);
        it->arrays[needed[k]] = memory;
        if (memory == NULL)
            return SHEAF_ERR_MEMORY;
        SHEAF_TRY(engine_read_array(engine, needed[k], memory));
    }
    return SHEAF_OK;
}

static double number(const snapshot *it, bundle_array array, uint32_t strand, uint32_t vertex, uint32_t component)
{
    return bundles_get(&it->engine->bundles, array, it->arrays[array], strand, vertex, component);
}

static void vector(const snapshot *it, bundle_array array, uint32_t strand, uint32_t vertex, double out[3])
{
    for (uint32_t c = 0; c < 3; c++)
        out[c] = number(it, array, strand, vertex, c);
}

// Tangent and directors of an edge.
typedef struct frame {
    double t[3], m1[3], m2[3];
} frame;

static frame frame_of(const snapshot *it, uint32_t strand, uint32_t j)
{
    frame f;
    vector(it, BUNDLE_EDGE, strand, j, f.t);
    vec_unit(f.t, f.t);
    vector(it, BUNDLE_DIRECTOR, strand, j, f.m1);
    vec_cross(f.m2, f.t, f.m1);
    return f;
}

// Bending energy at an interior vertex (3), and the shares of dE/dtheta of the frames before and after it.
static double bend_at(const snapshot *it, uint64_t i, const frame frames[2], double gradient[2])
{
    const sheaf_model *model = it->engine->model;
    const double lb = model->rest_length[i - 1] + model->rest_length[i];
    double kb[3], energy = 0;
    vec_cross(kb, frames[0].t, frames[1].t);
    vec_scale(kb, kb, 2 / fmax(1 + vec_dot(frames[0].t, frames[1].t), 1e-2));
    for (int side = 0; side < 2; side++) {
        const double *b = model->bend[i - 1 + (uint64_t)side], *natural = model->natural_curvature[i][side];
        const double w[2] = {vec_dot(kb, frames[side].m2), -vec_dot(kb, frames[side].m1)};
        const double moment[2] = {b[0] * (w[0] - natural[0]) / lb, b[1] * (w[1] - natural[1]) / lb};
        energy += (moment[0] * (w[0] - natural[0]) + moment[1] * (w[1] - natural[1])) / 2;
        gradient[side] = moment[0] * w[1] - moment[1] * w[0];
    }
    return energy;
}

// Adds the elastic energies of a strand, and its worst dE/dtheta over free frames, J.
static double add_elastic(const snapshot *it, uint32_t strand, sheaf_report *report)
{
    const sheaf_model *model = it->engine->model;
    const uint64_t first = model->first_vertex[strand];
    const uint32_t n = model_vertex_count(model, strand);
    const bool root_is_held = model->strands[strand].root.def.hold_angle;
    double before = 0, worst = 0; // what the vertex before adds to dE/dtheta of the frame after it
    frame frames[2] = {frame_of(it, strand, 0), frame_of(it, strand, 0)};
    for (uint32_t i = 1; i + 1 < n; i++) {
        const double lb = model->rest_length[first + i - 1] + model->rest_length[first + i];
        const double m = number(it, BUNDLE_TWIST, strand, i, 0) - model->natural_twist[first + i];
        const double torque = 2 * model->twist[first + i] * m / lb;
        double gradient[2];
        frames[1] = frame_of(it, strand, i);
        report->bending += bend_at(it, first + i, frames, gradient);
        report->twisting += torque * m / 2;
        if (i > 1 || !root_is_held)
            worst = fmax(worst, fabs(before + gradient[0] - torque));
        before = gradient[1] + torque;
        frames[0] = frames[1];
    }
    return model->strands[strand].tip.def.hold_angle ? worst : fmax(worst, fabs(before));
}

static double strand_length(const sheaf_model *model, uint32_t strand)
{
    double length = 0;
    for (uint64_t j = model->first_vertex[strand]; j + 1 < model->first_vertex[strand + 1]; j++)
        length += model->rest_length[j];
    return length;
}

static void add_strain(const snapshot *it, uint32_t strand, sheaf_report *report)
{
    const sheaf_model *model = it->engine->model;
    for (uint32_t j = 0; j + 1 < model_vertex_count(model, strand); j++) {
        double edge[3];
        vector(it, BUNDLE_EDGE, strand, j, edge);
        const double strain = fabs(vec_length(edge) / model->rest_length[model->first_vertex[strand] + j] - 1);
        report->worst_strain = fmax(report->worst_strain, strain);
    }
}

static void add_motion(const snapshot *it, uint32_t strand, sheaf_report *report)
{
    const sheaf_model *model = it->engine->model;
    double place[3], edge[3], velocity[3];
    engine_root(it->engine, strand, it->arrays[BUNDLE_PLACE], place);
    for (uint32_t i = 0; i < model_vertex_count(model, strand); i++) {
        const double mass = model->mass[model->first_vertex[strand] + i];
        vector(it, BUNDLE_VELOCITY, strand, i, velocity);
        report->kinetic += mass * vec_dot(velocity, velocity) / 2;
        report->gravitational -= mass * vec_dot(model->def.gravity, place);
        vector(it, BUNDLE_EDGE, strand, i, edge);
        vec_add(place, place, edge);
    }
}

static void add_strand(const snapshot *it, uint32_t strand, sheaf_report *report)
{
    const sheaf_model *model = it->engine->model;
    const double scale = model->twist[model->first_vertex[strand] + 1] / strand_length(model, strand);
    report->twist_residual = fmax(report->twist_residual, add_elastic(it, strand, report) / scale);
    add_strain(it, strand, report);
    add_motion(it, strand, report);
    if (number(it, BUNDLE_RECORD, strand, 0, RECORD_FROZEN) > 0) {
        report->frozen_strands++;
        return;
    }
    report->mean_newton += number(it, BUNDLE_RECORD, strand, 0, RECORD_NEWTON);
    report->mean_projections += number(it, BUNDLE_RECORD, strand, 0, RECORD_PROJECT);
}

sheaf_status engine_report(sheaf_engine *engine, sheaf_report *report)
{
    snapshot it;
    const uint32_t strands = engine->model->strand_count;
    *report = (sheaf_report){.time = engine_time(engine), .step = engine->step};
    const sheaf_status status = open_snapshot(engine, &it);
    for (uint32_t s = 0; status == SHEAF_OK && s < strands; s++)
        add_strand(&it, s, report);
    close_snapshot(&it);
    if (report->frozen_strands < strands) {
        report->mean_newton /= strands - report->frozen_strands;
        report->mean_projections /= strands - report->frozen_strands;
    }
    return status;
}

// ---- frozen strands

static int compare_freezes(const void *a, const void *b)
{
    const engine_freeze *first = a, *second = b;
    if (first->step != second->step)
        return first->step < second->step ? -1 : 1;
    return first->strand < second->strand ? -1 : 1;
}

sheaf_status engine_freezes(sheaf_engine *engine, engine_freeze *freezes, uint32_t *count)
{
    const bundle_set *set = &engine->bundles;
    void *records = base_alloc(bundles_bytes(set, BUNDLE_RECORD), 1);
    *count = 0;
    if (records == NULL)
        return SHEAF_ERR_MEMORY;
    const sheaf_status status = engine_read_array(engine, BUNDLE_RECORD, records);
    for (uint32_t s = 0; status == SHEAF_OK && s < engine->model->strand_count; s++) {
        const double step = bundles_get(set, BUNDLE_RECORD, records, s, 0, RECORD_FROZEN);
        const double vertex = bundles_get(set, BUNDLE_RECORD, records, s, 0, RECORD_VERTEX);
        const double value = bundles_get(set, BUNDLE_RECORD, records, s, 0, RECORD_VALUE);
        if (step > 0)
            freezes[(*count)++] = (engine_freeze){s, (uint32_t)vertex, (uint64_t)step, value};
    }
    base_free(records);
    qsort(freezes, *count, sizeof *freezes, compare_freezes);
    return status;
}
