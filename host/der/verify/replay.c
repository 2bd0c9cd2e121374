// replay: the reference behind an engine.
#include "der/verify/replay.h"

#include "base/vec.h"
#include "der/verify/population.h"

#include <string.h>

#include "kernels/der/slots.clh"
#include "kernels/world/slots.clh"

enum { MOST = POPULATION_VERTEX_MOST };

const uint32_t replay_stops[REPLAY_STOPS] = {1, 10, 100, 1000};

// ---- what the engine did

static sheaf_status record_counts(sheaf_engine *engine, replay *it)
{
    const bundle_set *set = engine_bundles(engine);
    const uint32_t strands = it->model->strand_count;
    void *records = base_alloc(bundles_bytes(set, DER_record), 1);
    sheaf_status status = records ? SHEAF_OK : SHEAF_ERR_MEMORY;
    for (uint32_t n = 0; n < it->steps && status == SHEAF_OK; n++) {
        status = engine_step(engine, 1);
        if (status == SHEAF_OK)
            status = engine_read_array(engine, DER_record, records);
        for (uint32_t s = 0; s < strands && status == SHEAF_OK; s++) {
            replay_counts *counts = &it->counts[(size_t)n * strands + s];
            counts->newton = (uint8_t)bundles_get(set, DER_record, records, s, 0, RECORD_NEWTON);
            counts->projections = (uint16_t)bundles_get(set, DER_record, records, s, 0, RECORD_PROJECT);
        }
    }
    base_free(records);
    return status;
}

// ---- steps of the reference

typedef struct stepping {
    replay *it;
    ref_twist_options twist;
} stepping;

// A device counts the projections between pushes out of colliders, too. How many those are the reference finds by
// itself; of the others there may be a few more than the device needed, which move nothing.
static ref_project_options project_options(const ref_rod *rod, uint32_t recorded, const double *compliance)
{
    const sheaf_scene_def *scene = &rod->model->def;
    const uint32_t count = recorded < scene->projection_iterations ? recorded : scene->projection_iterations;
    const bool is_explicit = scene->integrator == SHEAF_INTEGRATOR_EXPLICIT;
    return (ref_project_options){.projector = scene->projector,
                                 .relaxation = scene->relaxation,
                                 .start_gradients = is_explicit && scene->gradients != SHEAF_GRADIENTS_ITERATE,
                                 .iterations = count,
                                 .least = count,
                                 .rate = 1,
                                 .compliance = compliance,
                                 .full_steps = true};
}

static sheaf_status implicit_step(const stepping *s, ref_rod *rod, double time, const replay_counts *counts,
                                  const double *compliance)
{
    const double step = rod->model->def.step;
    ref_schedule schedule = ref_schedule_default(rod, step);
    schedule.newton = counts->newton;
    schedule.twist = s->twist;
    schedule.project = project_options(rod, counts->projections, compliance);
    return ref_implicit_step(rod, time, step, &schedule);
}

// The engine's explicit step: frames settle at its start, for as many iterations as they are given.
static sheaf_status explicit_step(const stepping *s, ref_rod *rod, double time, const replay_counts *counts,
                                  const double *compliance)
{
    const double step = rod->model->def.step, end = time + step;
    const ref_project_options projection = project_options(rod, counts->projections, compliance);
    ref_project_result result;
    ref_axial_couples(rod, time);
    SHEAF_TRY(ref_twist(rod, &s->twist));
    ref_keep_start(rod);
    memset(rod->force, 0, rod->vertex_count * sizeof *rod->force);
    ref_bend_twist_forces(rod);
    ref_wind(rod, time);
    ref_external_forces(rod, time);
    ref_internal_damping(rod, time);
    SHEAF_TRY(ref_integrate(rod, time, step));
    ref_ends(rod, end);
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        rod->work[i] = rod->mass[i] / (step * step);
    SHEAF_TRY(ref_constrain(rod, end, step, rod->work, &projection, &result));
    ref_ends(rod, end);
    for (uint32_t i = 0; i < rod->vertex_count; i++) { // held ends, too, have the mean velocity of the step
        vec_sub(rod->displacement[i], rod->x[i], rod->start[i]);
        vec_scale(rod->v[i], rod->displacement[i], 1 / step);
    }
    ref_frames(rod);
    return SHEAF_OK;
}

static void keep_positions(replay *it, uint32_t strand, const ref_rod *rod, const double root[3], uint32_t done)
{
    for (int k = 0; k < it->stop_count; k++)
        for (uint32_t i = 0; done == replay_stops[k] && i < rod->vertex_count; i++)
            vec_sub(it->positions[k][it->model->first_vertex[strand] + i], rod->x[i], root);
}

static double largest_strain(const ref_rod *rod)
{
    double worst = 0;
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        double edge[3];
        vec_sub(edge, rod->x[j + 1], rod->x[j]);
        worst = fmax(worst, fabs(vec_length(edge) / rod->rest_length[j] - 1));
    }
    return worst;
}

static bool is_touched(const ref_rod *rod)
{
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        if (rod->touch[i] > 0)
            return true;
    return false;
}

static sheaf_status step_strand(mirror *m, uint32_t strand, ref_rod *rod, void *user)
{
    const stepping *s = user;
    replay *it = s->it;
    const bool is_explicit = it->model->def.integrator == SHEAF_INTEGRATOR_EXPLICIT;
    double root[3], compliance[MOST];
    SHEAF_TRY(mirror_start(m, strand, 0, rod));
    mirror_compliance(m, strand, rod, compliance);
    vec_copy(root, rod->x[0]);
    it->touched[strand] = UINT32_MAX;
    for (uint32_t n = 0; n < it->steps; n++) {
        const replay_counts *counts = &it->counts[(size_t)n * it->model->strand_count + strand];
        const double time = n * it->model->def.step;
        SHEAF_TRY(is_explicit ? explicit_step(s, rod, time, counts, compliance)
                              : implicit_step(s, rod, time, counts, compliance));
        keep_positions(it, strand, rod, root, n + 1);
        if (it->touched[strand] > n && is_touched(rod))
            it->touched[strand] = n + 1;
    }
    it->strain[strand] = largest_strain(rod);
    return SHEAF_OK;
}

// ---- opening

static sheaf_status allocate(replay *it)
{
    const size_t strands = it->model->strand_count, vertices = (size_t)it->model->vertex_count;
    it->counts = base_alloc(it->steps * strands, sizeof *it->counts);
    it->strain = base_alloc(strands, sizeof *it->strain);
    it->touched = base_alloc(strands, sizeof *it->touched);
    if (it->counts == NULL || it->strain == NULL || it->touched == NULL)
        return SHEAF_ERR_MEMORY;
    for (int k = 0; k < it->stop_count; k++) {
        it->positions[k] = base_alloc(vertices, sizeof *it->positions[k]);
        if (it->positions[k] == NULL)
            return SHEAF_ERR_MEMORY;
    }
    return SHEAF_OK;
}

static sheaf_status run_both(sheaf_engine *engine, uint32_t twist_iterations, replay *it)
{
    stepping s = {.it = it, .twist = {.method = REF_TWIST_NEWTON, .iterations = twist_iterations}};
    mirror m;
    SHEAF_TRY(allocate(it));
    SHEAF_TRY(mirror_open(engine, &m));
    sheaf_status status = record_counts(engine, it);
    if (status == SHEAF_OK)
        status = mirror_each(&m, NULL, step_strand, &s);
    mirror_close(&m);
    return status;
}

sheaf_status replay_open(sheaf_engine *engine, uint32_t twist_iterations, int stop_count, replay *it)
{
    *it = (replay){.model = engine_model(engine), .stop_count = stop_count, .steps = replay_stops[stop_count - 1]};
    const sheaf_status status = run_both(engine, twist_iterations, it);
    if (status != SHEAF_OK)
        replay_close(it);
    return status;
}

void replay_close(replay *it)
{
    base_free(it->counts);
    base_free(it->strain);
    base_free(it->touched);
    for (int k = 0; k < REPLAY_STOPS; k++)
        base_free(it->positions[k]);
    *it = (replay){0};
}
