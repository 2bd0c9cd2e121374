// on_reference: a population on the fp64 reference: opening, stepping, summing up, the state as arrays. All strands
// advance step by step.
#include "der/der.h"

#include "base/vec.h"
#include "couple/volume.h"
#include "der/ref/ref.h"
#include "der/ref/welded.h"
#include "strand/strand.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What the threads note of each strand; collected in the order of strands, so that nothing depends on the threads.
typedef struct strand_notes {
    sheaf_incident incident;                          // quantity NULL: nothing new
    double kinetic, bending, twisting, gravitational; // J
    double strain;
    double twist_residual; // in units of GJ / length
    bool is_unmet;         // see sheaf_report
} strand_notes;

typedef struct reference {
    const sheaf_model *model; // with all arrays
    sheaf_model *completed;   // made here for a model without arrays; else NULL
    sheaf_state *state;
    double step; // s
    uint32_t threads;
    ref_rod *rods; // [rod_count], one per thread, re-aimed from strand to strand
    uint32_t rod_count;
    strand_notes *notes;       // [strand]
    sheaf_incident *incidents; // [incident_count], in the order strands froze; room for all strands
    uint32_t incident_count;
    volume_plan plan;
    volume_ref *volume;    // NULL: strands do not act on each other
    bool failed;           // a step failed: strands stand at different times
    bool has_bodies;       // this part moves the bodies of the scene
    couple_bodies bodies;  // and the strands that have joints with them
    welded_strand *welded; // [bodies.strand_count]
    uint32_t welded_count; // of them are open
} reference;

// ---- opening

static sheaf_status allocate(reference *r)
{
    const uint32_t workers = base_worker_count(r->threads);
    r->notes = base_alloc(r->model->strand_count, sizeof *r->notes);
    r->incidents = base_alloc(r->model->strand_count, sizeof *r->incidents);
    r->rods = base_alloc(workers, sizeof *r->rods);
    if (r->notes == NULL || r->incidents == NULL || r->rods == NULL)
        return SHEAF_ERR_MEMORY;
    SHEAF_TRY(state_create(r->model, &r->state));
    for (; r->rod_count < workers; r->rod_count++)
        SHEAF_TRY(rod_open(r->state, 0, &r->rods[r->rod_count]));
    return SHEAF_OK;
}

static sheaf_status start_range(size_t first, size_t end, uint32_t worker, void *user)
{
    reference *r = user;
    for (size_t s = first; s < end; s++) {
        SHEAF_TRY(rod_aim(r->state, (uint32_t)s, &r->rods[worker]));
        SHEAF_TRY(ref_start(&r->rods[worker], 0));
    }
    return SHEAF_OK;
}

static sheaf_status open_bodies(reference *r)
{
    SHEAF_TRY(couple_open(r->model, r->step, &r->bodies));
    r->welded = base_alloc(r->bodies.strand_count, sizeof *r->welded);
    if (r->welded == NULL)
        return SHEAF_ERR_MEMORY;
    for (; r->welded_count < r->bodies.strand_count; r->welded_count++) {
        welded_strand *w = &r->welded[r->welded_count];
        const sheaf_status status = welded_open(r->state, r->bodies.strands[r->welded_count].strand, w);
        if (status != SHEAF_OK) {
            welded_close(w);
            return status;
        }
    }
    return SHEAF_OK;
}

static sheaf_status start(reference *r)
{
    if (!model_has_arrays(r->model)) {
        SHEAF_TRY(model_part(r->model, NULL, r->model->strand_count, &r->completed));
        r->model = r->completed;
    }
    SHEAF_TRY(allocate(r));
    if (volume_is_wanted(r->model)) {
        SHEAF_TRY(volume_plan_make(r->model, r->step, &r->plan));
        volume_plan_tell(&r->plan);
        SHEAF_TRY(volume_ref_open(&r->plan, &r->volume));
    }
    SHEAF_TRY(base_parallel_for(r->model->strand_count, r->threads, start_range, r));
    return r->has_bodies ? open_bodies(r) : SHEAF_OK;
}

static void close_reference(void *instance)
{
    reference *r = instance;
    if (r == NULL)
        return;
    for (uint32_t k = 0; k < r->rod_count; k++)
        rod_close(&r->rods[k]);
    volume_ref_close(r->volume);
    volume_plan_free(&r->plan);
    for (uint32_t k = 0; k < r->welded_count; k++)
        welded_close(&r->welded[k]);
    base_free(r->welded);
    couple_close(&r->bodies);
    state_free(r->state);
    sheaf_model_free(r->completed);
    base_free(r->rods);
    base_free(r->notes);
    base_free(r->incidents);
    base_free(r);
}

static sheaf_status open_reference(const sheaf_model *model, const method_open *how, void **instance)
{
    *instance = NULL;
    if (model->strand_count > 0 && model->strands[0].coupled)
        return base_fail(SHEAF_ERR_INPUT,
                         "strands that touch each other are simulated on a device only: take a device, or "
                         "leave out `touch`");
    reference *r = base_alloc(1, sizeof *r);
    if (r == NULL)
        return SHEAF_ERR_MEMORY;
    r->model = model;
    r->step = how->step;
    r->threads = how->threads;
    r->has_bodies = how->moves_bodies;
    const sheaf_status status = start(r);
    if (status == SHEAF_OK)
        *instance = r;
    else
        close_reference(r);
    return status;
}

// ---- reading

static void copy_sample(const sheaf_model *model, method_sample sample, double (*from)[3], double (*to)[3])
{
    for (uint32_t s = 0; s < model->strand_count; s += sample.stride)
        memcpy(to + sample.first_vertex[s / sample.stride], from + model->first_vertex[s],
               model_vertex_count(model, s) * sizeof *to);
}

static sheaf_status read_positions(void *instance, method_sample sample, double (*positions)[3])
{
    const reference *r = instance;
    copy_sample(r->model, sample, r->state->position, positions);
    return SHEAF_OK;
}

static sheaf_status read_velocities(void *instance, method_sample sample, double (*velocities)[3])
{
    const reference *r = instance;
    copy_sample(r->model, sample, r->state->velocity, velocities);
    return SHEAF_OK;
}

static sheaf_status push(void *instance, uint32_t strand, uint32_t vertex, const double change[3])
{
    const reference *r = instance;
    double *velocity = r->state->velocity[r->model->first_vertex[strand] + vertex];
    vec_add(velocity, velocity, change);
    return SHEAF_OK;
}

static sheaf_status read_directors(void *instance, double (*directors)[3])
{
    const reference *r = instance;
    const sheaf_state *state = r->state;
    for (uint64_t k = 0; k < r->model->vertex_count; k++) {
        const double *u = state->bishop[k];
        double side[3];
        vec_cross(side, state->tangent[k], u);
        vec_scale(directors[k], u, cos(state->theta[k]));
        vec_axpy(directors[k], sin(state->theta[k]), side);
    }
    return SHEAF_OK;
}

// ---- stepping

static sheaf_status step_strand(reference *r, uint32_t s, ref_rod *rod)
{
    sheaf_incident *incident = &r->notes[s].incident;
    const uint64_t n = r->state->step;
    model_jump jump;
    SHEAF_TRY(rod_aim(r->state, s, rod));
    if (rod->record->frozen)
        return SHEAF_OK;
    if (model_strand_jump(r->model, s, (double)n * r->step, (double)(n + 1) * r->step, &jump))
        ref_jump(rod, &jump);
    if (r->volume != NULL) {
        rod->push = volume_ref_push(r->volume) + r->model->first_vertex[s];
        rod->air_share = r->plan.shields ? volume_ref_share(r->volume) + r->model->first_vertex[s] : NULL;
    }
    SHEAF_TRY(ref_step(rod, (double)n * r->step, r->step));
    if (!ref_guard(rod, incident)) {
        incident->strand = s;
        incident->step = n + 1;
    }
    return SHEAF_OK;
}

static sheaf_status step_range(size_t first, size_t end, uint32_t worker, void *user)
{
    reference *r = user;
    for (size_t s = first; s < end; s++)
        if (!model_strand_is_joined(r->model, (uint32_t)s))
            SHEAF_TRY(step_strand(r, (uint32_t)s, &r->rods[worker]));
    return SHEAF_OK;
}

// ---- strands on bodies: the verbs of couple/bodies.h

typedef struct verb_call {
    reference *r;
    const rigid_state *bodies;
    couple_strand *strands;
    double time;
    bool is_first;
} verb_call;

static bool is_moving(const reference *r, size_t k)
{
    return !r->welded[k].rod.record->frozen;
}

static sheaf_status open_range(size_t first, size_t end, uint32_t worker, void *user)
{
    const verb_call *call = user;
    (void)worker;
    for (size_t k = first; k < end; k++)
        if (is_moving(call->r, k))
            welded_begin(&call->r->welded[k], call->time, call->r->step, call->bodies);
    return SHEAF_OK;
}

static sheaf_status linearise_range(size_t first, size_t end, uint32_t worker, void *user)
{
    const verb_call *call = user;
    (void)worker;
    for (size_t k = first; k < end; k++) {
        couple_strand *out = &call->strands[k];
        if (!out->takes)
            continue;
        memset(out->matrix, 0, (size_t)out->size * out->size * sizeof *out->matrix);
        memset(out->right, 0, out->size * sizeof *out->right);
        if (is_moving(call->r, k))
            SHEAF_TRY(welded_linearise(&call->r->welded[k], call->bodies, call->is_first, out));
    }
    return SHEAF_OK;
}

static sheaf_status accept_range(size_t first, size_t end, uint32_t worker, void *user)
{
    const verb_call *call = user;
    (void)worker;
    for (size_t k = first; k < end; k++)
        if (call->strands[k].takes)
            call->strands[k].settled =
                !is_moving(call->r, k) || welded_accept(&call->r->welded[k], call->bodies, &call->strands[k]);
    return SHEAF_OK;
}

static sheaf_status close_range(size_t first, size_t end, uint32_t worker, void *user)
{
    const verb_call *call = user;
    (void)worker;
    for (size_t k = first; k < end; k++) {
        const uint32_t s = call->r->bodies.strands[k].strand;
        sheaf_incident *incident = &call->r->notes[s].incident;
        if (!is_moving(call->r, k))
            continue;
        SHEAF_TRY(welded_end(&call->r->welded[k], call->bodies));
        if (!ref_guard(&call->r->welded[k].rod, incident)) {
            incident->strand = s;
            incident->step = call->r->state->step + 1;
        }
    }
    return SHEAF_OK;
}

static sheaf_status verb_open(void *user, double time, const rigid_state *bodies)
{
    reference *r = user;
    verb_call call = {.r = r, .bodies = bodies, .time = time};
    return base_parallel_for(r->welded_count, r->threads, open_range, &call);
}

static sheaf_status verb_linearise(void *user, const rigid_state *bodies, uint32_t iteration, couple_strand *strands)
{
    reference *r = user;
    verb_call call = {.r = r, .bodies = bodies, .strands = strands, .is_first = iteration == 0};
    return base_parallel_for(r->welded_count, r->threads, linearise_range, &call);
}

static sheaf_status verb_accept(void *user, const rigid_state *bodies, uint32_t iteration, couple_strand *strands)
{
    reference *r = user;
    verb_call call = {.r = r, .bodies = bodies, .strands = strands};
    (void)iteration;
    return base_parallel_for(r->welded_count, r->threads, accept_range, &call);
}

static sheaf_status verb_close(void *user, const rigid_state *bodies)
{
    reference *r = user;
    verb_call call = {.r = r, .bodies = bodies};
    return base_parallel_for(r->welded_count, r->threads, close_range, &call);
}

static const couple_verbs verbs = {verb_open, verb_linearise, verb_accept, verb_close};

static int compare_incidents(const void *a, const void *b)
{
    const sheaf_incident *first = a, *second = b;
    if (first->step != second->step)
        return first->step < second->step ? -1 : 1;
    return first->strand < second->strand ? -1 : 1;
}

static void collect_incidents(reference *r)
{
    const uint32_t before = r->incident_count;
    for (uint32_t s = 0; s < r->model->strand_count; s++) {
        sheaf_incident *incident = &r->notes[s].incident;
        if (incident->quantity != NULL)
            r->incidents[r->incident_count++] = *incident;
        incident->quantity = NULL;
    }
    qsort(r->incidents + before, r->incident_count - before, sizeof *r->incidents, compare_incidents);
    for (uint32_t k = before; k < r->incident_count; k++) {
        const sheaf_incident *i = &r->incidents[k];
        base_log(SHEAF_LOG_WARNING, "strand %u is frozen from step %llu on: %s of vertex %u is %g",
                 r->model->strands[i->strand].number, (unsigned long long)i->step, i->quantity, i->vertex, i->value);
    }
}

static volume_motion motion_of(const reference *r)
{
    return (volume_motion){r->state->position, r->state->velocity, r->state->last_velocity, r->state->displacement};
}

static sheaf_status step_once(reference *r)
{
    if (r->volume != NULL)
        SHEAF_TRY(volume_ref_act(r->volume, motion_of(r), r->state->time));
    sheaf_status status = base_parallel_for(r->model->strand_count, r->threads, step_range, r);
    if (status == SHEAF_OK && r->has_bodies)
        status = couple_step(&r->bodies, &verbs, r);
    collect_incidents(r);
    if (status != SHEAF_OK)
        return status;
    r->state->step++;
    r->state->time = (double)r->state->step * r->step;
    return SHEAF_OK;
}

// Time is outermost, so that strands can be made to know of each other.
static sheaf_status step(void *instance, uint32_t count)
{
    reference *r = instance;
    if (r->failed)
        return base_fail(SHEAF_ERR_USAGE, "an earlier step of this solver failed: close it and open another");
    sheaf_status status = SHEAF_OK;
    for (uint32_t k = 0; k < count && status == SHEAF_OK; k++)
        status = step_once(r);
    r->failed = status != SHEAF_OK;
    return status;
}

static sheaf_status find_incident(void *instance, uint32_t index, sheaf_incident *incident)
{
    const reference *r = instance;
    if (index >= r->incident_count)
        return base_fail(SHEAF_ERR_USAGE, "incident %u of %u: there are not so many", index, r->incident_count);
    *incident = r->incidents[index];
    return SHEAF_OK;
}

// ---- the whole state as arrays

static const struct {
    const char *name;
    size_t offset; // in sheaf_state, of a pointer to doubles
    uint32_t components;
    bool is_per_strand;
} state_arrays[] = {
    {"position", offsetof(sheaf_state, position), 3, false},
    {"velocity", offsetof(sheaf_state, velocity), 3, false},
    {"displacement", offsetof(sheaf_state, displacement), 3, false},
    {"last_velocity", offsetof(sheaf_state, last_velocity), 3, false},
    {"last_strain", offsetof(sheaf_state, last_strain), 5, false},
    {"friction", offsetof(sheaf_state, friction), 5, false},
    {"tension", offsetof(sheaf_state, tension), 1, false},
    {"touch", offsetof(sheaf_state, touch), 1, false},
    {"tangent", offsetof(sheaf_state, tangent), 3, false},
    {"bishop", offsetof(sheaf_state, bishop), 3, false},
    {"held", offsetof(sheaf_state, held), 3, false},
    {"held_angle", offsetof(sheaf_state, held_angle), 1, false},
    {"closing_angle", offsetof(sheaf_state, closing_angle), 1, true},
    {"theta", offsetof(sheaf_state, theta), 1, false},
};
enum { STATE_ARRAYS = sizeof state_arrays / sizeof state_arrays[0] };

// After these: records of strands, and, of strands that keep their volume, what samples carry.
enum { PRESSURE = STATE_ARRAYS + 1 };

// Records of strands, with why a frozen one was frozen.
enum {
    KEPT_FROZEN_STEP, // 0: moves
    KEPT_FROZEN_VERTEX,
    KEPT_FROZEN_QUANTITY,
    KEPT_FROZEN_VALUE,
    KEPT_NEWTON,
    KEPT_PROJECTIONS,
    KEPT_TWIST_ITERATIONS,
    KEPT_TWIST_RESIDUAL,
    KEPT_HISTORY,
    KEPT_UNMET,
    KEPT_RETAKES,
    KEPT_GAIN,
    KEPT_EXCESS,
    KEPT_SIZE
};
static const char *const quantities[] = {"position", "velocity", "twist"};
enum { QUANTITIES = sizeof quantities / sizeof quantities[0] };

_Static_assert((int)PRESSURE + 1 < (int)METHOD_ARRAYS_MAX, "there is a row for every array");

// Index of the array of bodies, the last, where there is one.
static uint32_t bodies_array(const reference *r)
{
    return STATE_ARRAYS + 1 + (r->volume != NULL);
}

static uint32_t list_arrays(const void *instance, method_array *arrays)
{
    const reference *r = instance;
    for (uint32_t k = 0; k < STATE_ARRAYS; k++)
        arrays[k] =
            (method_array){.name = state_arrays[k].name,
                           .rows = state_arrays[k].is_per_strand ? r->model->strand_count : r->model->vertex_count,
                           .components = state_arrays[k].components,
                           .is_double = true};
    arrays[STATE_ARRAYS] =
        (method_array){.name = "record", .rows = r->model->strand_count, .components = KEPT_SIZE, .is_double = true};
    if (r->volume != NULL)
        arrays[PRESSURE] = (method_array){
            .name = "volume_pressure", .rows = r->model->vertex_count, .components = 1, .is_double = true};
    if (r->has_bodies)
        arrays[bodies_array(r)] = (method_array){
            .name = "bodies", .rows = r->model->body_count, .components = RIGID_NUMBERS, .is_double = true};
    return bodies_array(r) + r->has_bodies;
}

static void *array_at(const reference *r, uint32_t index, size_t *size)
{
    method_array arrays[METHOD_ARRAYS_MAX];
    void *memory;
    list_arrays(r, arrays);
    memcpy(&memory, (const char *)r->state + state_arrays[index].offset, sizeof memory);
    *size = (size_t)arrays[index].rows * arrays[index].components * sizeof(double);
    return memory;
}

static void keep_records(const reference *r, double (*kept)[KEPT_SIZE])
{
    for (uint32_t s = 0; s < r->model->strand_count; s++) {
        const state_strand *record = &r->state->strands[s];
        kept[s][KEPT_FROZEN_STEP] = 0;
        kept[s][KEPT_FROZEN_VERTEX] = kept[s][KEPT_FROZEN_QUANTITY] = kept[s][KEPT_FROZEN_VALUE] = 0;
        kept[s][KEPT_NEWTON] = record->newton;
        kept[s][KEPT_PROJECTIONS] = record->projections;
        kept[s][KEPT_TWIST_ITERATIONS] = record->twist_iterations;
        kept[s][KEPT_TWIST_RESIDUAL] = record->twist_residual;
        kept[s][KEPT_HISTORY] = record->has_history;
        kept[s][KEPT_UNMET] = record->is_unmet || record->is_open;
        kept[s][KEPT_RETAKES] = record->retakes;
        kept[s][KEPT_GAIN] = record->gain;
        kept[s][KEPT_EXCESS] = record->excess;
    }
    for (uint32_t k = 0; k < r->incident_count; k++) {
        const sheaf_incident *incident = &r->incidents[k];
        double *out = kept[incident->strand];
        out[KEPT_FROZEN_STEP] = (double)incident->step;
        out[KEPT_FROZEN_VERTEX] = incident->vertex;
        out[KEPT_FROZEN_VALUE] = incident->value;
        for (int q = 0; q < QUANTITIES; q++)
            if (strcmp(quantities[q], incident->quantity) == 0)
                out[KEPT_FROZEN_QUANTITY] = q;
    }
}

static bool record_is_sound(const double *kept, uint32_t vertex_count)
{
    // what a frozen strand was found with may be any number
    for (int k = 0; k < KEPT_SIZE; k++)
        if (k != KEPT_FROZEN_VALUE && k != KEPT_TWIST_RESIDUAL && k != KEPT_GAIN && k != KEPT_EXCESS &&
            !(kept[k] >= 0 && kept[k] < 1e15))
            return false;
    return kept[KEPT_FROZEN_VERTEX] < vertex_count && kept[KEPT_FROZEN_QUANTITY] < QUANTITIES &&
           kept[KEPT_NEWTON] <= UINT32_MAX && kept[KEPT_PROJECTIONS] <= UINT32_MAX &&
           kept[KEPT_TWIST_ITERATIONS] <= UINT32_MAX;
}

static sheaf_status restore_records(reference *r, const double (*kept)[KEPT_SIZE])
{
    r->incident_count = 0;
    for (uint32_t s = 0; s < r->model->strand_count; s++) {
        if (!record_is_sound(kept[s], model_vertex_count(r->model, s)))
            return base_fail(SHEAF_ERR_INPUT, "the record of strand %u holds numbers that no step leaves",
                             r->model->strands[s].number);
        r->state->strands[s] = (state_strand){.frozen = kept[s][KEPT_FROZEN_STEP] > 0,
                                              .newton = (uint32_t)kept[s][KEPT_NEWTON],
                                              .projections = (uint32_t)kept[s][KEPT_PROJECTIONS],
                                              .twist_iterations = (uint32_t)kept[s][KEPT_TWIST_ITERATIONS],
                                              .twist_residual = kept[s][KEPT_TWIST_RESIDUAL],
                                              .has_history = kept[s][KEPT_HISTORY] > 0,
                                              .is_unmet = kept[s][KEPT_UNMET] > 0,
                                              .retakes = kept[s][KEPT_RETAKES],
                                              .gain = kept[s][KEPT_GAIN],
                                              .excess = kept[s][KEPT_EXCESS]};
        if (kept[s][KEPT_FROZEN_STEP] > 0)
            r->incidents[r->incident_count++] =
                (sheaf_incident){.strand = s,
                                 .vertex = (uint32_t)kept[s][KEPT_FROZEN_VERTEX],
                                 .step = (uint64_t)kept[s][KEPT_FROZEN_STEP],
                                 .quantity = quantities[(int)kept[s][KEPT_FROZEN_QUANTITY]],
                                 .value = kept[s][KEPT_FROZEN_VALUE]};
    }
    qsort(r->incidents, r->incident_count, sizeof *r->incidents, compare_incidents);
    return SHEAF_OK;
}

static sheaf_status read_array(void *instance, uint32_t index, void *values)
{
    const reference *r = instance;
    size_t size;
    if (r->has_bodies && index == bodies_array(r)) {
        memcpy(values, r->bodies.states, r->model->body_count * sizeof *r->bodies.states);
        return SHEAF_OK;
    }
    if (index == STATE_ARRAYS) {
        keep_records(r, values);
        return SHEAF_OK;
    }
    if (index == PRESSURE) {
        memcpy(values, volume_ref_pressure(r->volume), r->model->vertex_count * sizeof(double));
        return SHEAF_OK;
    }
    const void *memory = array_at(r, index, &size);
    memcpy(values, memory, size);
    return SHEAF_OK;
}

static sheaf_status write_array(void *instance, uint32_t index, const void *values)
{
    reference *r = instance;
    size_t size;
    if (r->has_bodies && index == bodies_array(r)) {
        memcpy(r->bodies.states, values, r->model->body_count * sizeof *r->bodies.states);
        return SHEAF_OK;
    }
    if (index == STATE_ARRAYS)
        return restore_records(r, values);
    if (index == PRESSURE) {
        memcpy(volume_ref_pressure(r->volume), values, r->model->vertex_count * sizeof(double));
        return SHEAF_OK;
    }
    void *memory = array_at(r, index, &size);
    memcpy(memory, values, size);
    return SHEAF_OK;
}

static uint64_t count_steps(const void *instance)
{
    const reference *r = instance;
    return r->state->step;
}

static void set_steps(void *instance, uint64_t steps)
{
    reference *r = instance;
    r->state->step = steps;
    r->state->time = (double)steps * r->step;
    r->bodies.steps = steps;
}

static sheaf_status read_bodies(void *instance, sheaf_body_pose *poses)
{
    const reference *r = instance;
    for (uint32_t k = 0; k < r->model->body_count; k++)
        couple_pose(&r->bodies, k, &poses[k]);
    return SHEAF_OK;
}

// ---- figures

static double worst_strain(const ref_rod *rod)
{
    double worst = 0;
    for (uint32_t j = 0; j < rod->edge_count; j++)
        worst = fmax(worst, fabs(rod->length[j] / rod->rest_length[j] - 1));
    return worst;
}

// GJ / length, J per rad of twist between the ends.
static double twist_scale(const ref_rod *rod)
{
    double length = 0;
    for (uint32_t j = 0; j < rod->edge_count; j++)
        length += rod->rest_length[j];
    return rod->twist[rod_interior_first(rod)] / length;
}

static sheaf_status sum_up_range(size_t first, size_t end, uint32_t worker, void *user)
{
    reference *r = user;
    ref_rod *rod = &r->rods[worker];
    for (size_t s = first; s < end; s++) {
        strand_notes *notes = &r->notes[s];
        SHEAF_TRY(rod_aim(r->state, (uint32_t)s, rod));
        ref_curvature(rod);
        notes->kinetic = ref_kinetic_energy(rod);
        notes->bending = ref_bending_energy(rod);
        notes->twisting = ref_twisting_energy(rod);
        notes->gravitational = ref_gravitational_energy(rod, r->model->def.gravity);
        notes->strain = worst_strain(rod);
        notes->twist_residual = rod->record->twist_residual / twist_scale(rod);
        notes->is_unmet = notes->strain > 0.01 || rod->record->is_unmet || ref_took_all_iterations(rod);
    }
    return SHEAF_OK;
}

static void add_strand(sheaf_report *report, const strand_notes *notes, const state_strand *record)
{
    report->kinetic += notes->kinetic;
    report->bending += notes->bending;
    report->twisting += notes->twisting;
    report->gravitational += notes->gravitational;
    report->worst_strain = fmax(report->worst_strain, notes->strain);
    report->twist_residual = fmax(report->twist_residual, notes->twist_residual);
    report->frozen_strands += record->frozen;
    if (!record->frozen) {
        report->unmet_strands += notes->is_unmet;
        report->mean_newton += record->newton;
        report->mean_projections += record->projections;
    }
}

static sheaf_status make_report(void *instance, sheaf_report *report)
{
    reference *r = instance;
    const uint32_t strands = r->model->strand_count;
    *report = (sheaf_report){.time = r->state->time, .step = r->state->step};
    SHEAF_TRY(base_parallel_for(strands, r->threads, sum_up_range, r));
    for (uint32_t s = 0; s < strands; s++)
        add_strand(report, &r->notes[s], &r->state->strands[s]);
    if (r->has_bodies) {
        double kinetic, gravitational;
        couple_energies(&r->bodies, &kinetic, &gravitational);
        report->kinetic += kinetic;
        report->gravitational += gravitational;
    }
    if (report->frozen_strands < strands) {
        report->mean_newton /= strands - report->frozen_strands;
        report->mean_projections /= strands - report->frozen_strands;
    }
    return SHEAF_OK;
}

static uint32_t name_ledger(const reference *r, method_figure *figures)
{
    method_figure all[] = {
        {"gain_J", METHOD_JOIN_SUM, false, 0},
        {"gain_worst", METHOD_JOIN_MAX, false, 0},
        {"retakes", METHOD_JOIN_SUM, false, 0},
    };
    for (uint32_t s = 0; s < r->model->strand_count; s++) {
        const state_strand *record = &r->state->strands[s];
        all[0].value += fmax(record->gain, 0);
        all[1].value = fmax(all[1].value, record->excess);
        all[2].value += record->retakes;
    }
    memcpy(figures, all, sizeof all);
    return sizeof all / sizeof all[0];
}

static sheaf_status make_figures(void *instance, method_figure *figures, uint32_t *count)
{
    const reference *r = instance;
    volume_figures sums;
    *count = 0;
    if (r->volume != NULL) {
        SHEAF_TRY(volume_ref_measure(r->volume, motion_of(r), r->state->time, &sums));
        *count = volume_name_figures(&r->plan, &sums, figures);
    }
    if (r->model->def.integrator != SHEAF_INTEGRATOR_EXPLICIT)
        *count += name_ledger(r, figures + *count);
    return SHEAF_OK;
}

static method_place describe_place(const void *instance)
{
    (void)instance;
    return (method_place){.device = "reference", .form = "scalar", .is_double = true};
}

const method_backend der_on_reference = {
    .open = open_reference,
    .close = close_reference,
    .step = step,
    .read_positions = read_positions,
    .read_velocities = read_velocities,
    .read_directors = read_directors,
    .push = push,
    .report = make_report,
    .incident = find_incident,
    .figures = make_figures,
    .arrays = list_arrays,
    .read_array = read_array,
    .write_array = write_array,
    .steps = count_steps,
    .set_steps = set_steps,
    .read_bodies = read_bodies,
    .place = describe_place,
};
