// reference: opening, stepping and summing up a population on the fp64 reference.
#include "solver/reference.h"

#include "base/vec.h"

#include <math.h>
#include <stdlib.h>

// What the threads note of each strand; collected in the order of strands, so that nothing depends on the threads.
typedef struct strand_notes {
    sheaf_incident incident;                          // quantity NULL: nothing new
    double kinetic, bending, twisting, gravitational; // J
    double strain;
    double twist_residual; // in units of GJ / length
} strand_notes;

struct reference {
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
    bool failed; // a step failed: strands stand at different times
};

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

static sheaf_status start(reference *r)
{
    if (!model_has_arrays(r->model)) {
        SHEAF_TRY(model_part(r->model, NULL, r->model->strand_count, &r->completed));
        r->model = r->completed;
    }
    SHEAF_TRY(allocate(r));
    return base_parallel_for(r->model->strand_count, r->threads, start_range, r);
}

sheaf_status reference_open(const sheaf_model *model, double step, uint32_t threads, reference **opened)
{
    *opened = NULL;
    reference *r = base_alloc(1, sizeof *r);
    if (r == NULL)
        return SHEAF_ERR_MEMORY;
    r->model = model;
    r->step = step;
    r->threads = threads;
    const sheaf_status status = start(r);
    if (status != SHEAF_OK) {
        reference_close(r);
        return status;
    }
    *opened = r;
    return SHEAF_OK;
}

void reference_close(reference *r)
{
    if (r == NULL)
        return;
    for (uint32_t k = 0; k < r->rod_count; k++)
        rod_close(&r->rods[k]);
    state_free(r->state);
    sheaf_model_free(r->completed);
    base_free(r->rods);
    base_free(r->notes);
    base_free(r->incidents);
    base_free(r);
}

const sheaf_state *reference_state(const reference *r)
{
    return r->state;
}

void reference_directors(const reference *r, double (*directors)[3])
{
    const sheaf_state *state = r->state;
    for (uint64_t k = 0; k < r->model->vertex_count; k++) {
        const double *u = state->bishop[k];
        double side[3];
        vec_cross(side, state->tangent[k], u);
        vec_scale(directors[k], u, cos(state->theta[k]));
        vec_axpy(directors[k], sin(state->theta[k]), side);
    }
}

// ---- stepping

typedef struct march {
    reference *r;
    uint32_t count; // steps
} march;

// All steps of one strand at once: it never looks at another.
static sheaf_status march_strand(reference *r, uint32_t s, uint32_t count, ref_rod *rod)
{
    sheaf_incident *incident = &r->notes[s].incident;
    const uint64_t first = r->state->step;
    SHEAF_TRY(rod_aim(r->state, s, rod));
    for (uint64_t n = first; n < first + count && !rod->record->frozen; n++) {
        SHEAF_TRY(ref_step(rod, (double)n * r->step, r->step));
        if (!ref_guard(rod, incident)) {
            incident->strand = s;
            incident->step = n + 1;
        }
    }
    return SHEAF_OK;
}

static sheaf_status march_range(size_t first, size_t end, uint32_t worker, void *user)
{
    const march *m = user;
    for (size_t s = first; s < end; s++)
        SHEAF_TRY(march_strand(m->r, (uint32_t)s, m->count, &m->r->rods[worker]));
    return SHEAF_OK;
}

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
        base_log(SHEAF_LOG_WARNING, "strand %u is frozen from step %llu on: %s of vertex %u is %g", i->strand,
                 (unsigned long long)i->step, i->quantity, i->vertex, i->value);
    }
}

sheaf_status reference_step(reference *r, uint32_t count)
{
    march m = {r, count};
    if (r->failed)
        return base_fail(SHEAF_ERR_USAGE, "an earlier step of this solver failed: close it and open another");
    const sheaf_status status = base_parallel_for(r->model->strand_count, r->threads, march_range, &m);
    collect_incidents(r);
    if (status != SHEAF_OK) {
        r->failed = true;
        return status;
    }
    r->state->step += count;
    r->state->time = (double)r->state->step * r->step;
    return SHEAF_OK;
}

sheaf_status reference_incident(const reference *r, uint32_t index, sheaf_incident *incident)
{
    if (index >= r->incident_count)
        return base_fail(SHEAF_ERR_USAGE, "incident %u of %u: there are not so many", index, r->incident_count);
    *incident = r->incidents[index];
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
        report->mean_newton += record->newton;
        report->mean_projections += record->projections;
    }
}

sheaf_status reference_report(reference *r, sheaf_report *report)
{
    const uint32_t strands = r->model->strand_count;
    *report = (sheaf_report){.time = r->state->time, .step = r->state->step};
    SHEAF_TRY(base_parallel_for(strands, r->threads, sum_up_range, r));
    for (uint32_t s = 0; s < strands; s++)
        add_strand(report, &r->notes[s], &r->state->strands[s]);
    if (report->frozen_strands < strands) {
        report->mean_newton /= strands - report->frozen_strands;
        report->mean_projections /= strands - report->frozen_strands;
    }
    return SHEAF_OK;
}
