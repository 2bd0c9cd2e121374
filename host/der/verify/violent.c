// violent: one step from wild states, against truth, which converges by itself. An engine with the settings of users
// brings a scene to where the step is looked at; from there it takes the step, and so does an engine that iterates
// until nothing moves any more. The first shows what stopping early costs, the second whether the equations are right.
#include "der/verify/parts.h"

#include "base/vec.h"
#include "der/ref/truth.h"
#include "der/verify/wild.h"
#include "verify/compare.h"

#include <string.h>

#include "kernels/der/slots.clh"
#include "kernels/world/slots.clh"

// Newton iterations of the patient engine. The matrix of a step knows frames as they stand, not how they yield: curls
// that wind up come nearer by a hundredth in each.
enum { PATIENT = 12000, PATIENT_SINGLE = 4000 };

static const double creep = 1e-4; // m/s, see theory.md

typedef struct wild_stage {
    const char *name;
    bool has_colliders;
    verify_quantity converged, missed, usual, unsolved;
} wild_stage;

// Strands that the engine says it did not settle are left out of `converged` and are 1 in `missed`; those that truth
// has no path for are left out of all and are 1 in `unsolved`.
static const wild_stage stages[] = {
    {"violent",
     false,
     {"converged", {1e-4, 1e-9}, VERIFY_MAX},
     {"not settled", {0, 0}, VERIFY_P99},
     {"by need", {1e-2, 1e-2}, VERIFY_MEDIAN},
     {"no path of truth", {0, 0}, VERIFY_MEDIAN}},
};
enum { STAGES = sizeof stages / sizeof stages[0] };

// One scene under way.
typedef struct wild_run {
    verifier *v;
    const wild_stage *stage;
    const sheaf_model *model;
    double time; // s, start of the step
    sheaf_engine *usual, *patient;
    double (*x)[3];              // [vertex] m, of truth, from where the root of the strand is at the start
    bool solved[WILD_STRANDS];   // truth has a path
    double length[WILD_STRANDS]; // m
} wild_run;

// ---- truth

static sheaf_status solve_strand(mirror *it, uint32_t strand, ref_rod *rod, void *user)
{
    wild_run *run = user;
    const uint64_t first = it->model.first_vertex[strand];
    const truth_options how = {.bdf2 = it->model.def.integrator == SHEAF_INTEGRATOR_BDF2, .creep = creep};
    truth_result found = {.x = run->x + first};
    SHEAF_TRY(mirror_start(it, strand, run->time, rod));
    SHEAF_TRY(truth_step(rod, run->time, it->model.def.step, &how, &found));
    run->solved[strand] = found.converged && found.jumps == 0;
    run->length[strand] = mirror_length(rod);
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        vec_sub(found.x[i], found.x[i], it->model.position[first]);
    return SHEAF_OK;
}

// ---- engines

static uint32_t patience(const wild_run *run)
{
    return run->v->form.is_double ? PATIENT : PATIENT_SINGLE;
}

static sheaf_status copy_state(wild_run *run)
{
    const bundle_set *set = engine_bundles(run->usual);
    sheaf_status status = SHEAF_OK;
    for (uint32_t field = 0; field < DER_FIELD_COUNT && status == SHEAF_OK; field++) {
        if (der_device.bundles.fields[field].role != FIELD_ROLE_STATE)
            continue;
        void *values = base_alloc(bundles_bytes(set, field), 1);
        status = values != NULL ? engine_read_array(run->usual, field, values) : SHEAF_ERR_MEMORY;
        if (status == SHEAF_OK)
            status = engine_write_array(run->patient, field, values);
        base_free(values);
    }
    engine_set_steps(run->patient, engine_steps(run->usual));
    return status;
}

static sheaf_status open_engines(wild_run *run)
{
    engine_options options = verify_engine_options(run->v, run->model->def.step);
    options.tuning[DER_TWIST_ITERATIONS] = 0; // by need
    SHEAF_TRY(der_open_engine(run->model, &options, &run->usual));
    options.tuning[DER_NEWTON_MIN] = patience(run);
    options.tuning[DER_NEWTON_MAX] = patience(run) + 1; // one more says that a strand has not settled
    options.kin = run->usual;
    return der_open_engine(run->model, &options, &run->patient);
}

static bool is_settled(const wild_run *run, const mirror *it, uint32_t strand)
{
    return mirror_number(it, DER_record, strand, 0, RECORD_FROZEN) == 0 &&
           mirror_number(it, DER_record, strand, 0, RECORD_TWIST) == 0 &&
           mirror_number(it, DER_record, strand, 0, RECORD_NEWTON) <= patience(run);
}

// ---- rows

static double distance(const wild_run *run, const mirror *it, uint32_t strand)
{
    double(*const expected)[3] = run->x + run->model->first_vertex[strand];
    double measured[WILD_VERTEX_MOST][3];
    comparison c = {0};
    mirror_positions(it, strand, run->time + run->model->def.step, measured);
    for (uint32_t i = 0; i < model_vertex_count(run->model, strand); i++)
        compare_vector(&c, measured[i], expected[i]);
    return c.error / run->length[strand];
}

static sheaf_status take_step(sheaf_engine *engine, mirror *it)
{
    SHEAF_TRY(engine_step(engine, 1));
    return mirror_read(it);
}

static sheaf_status add_patient(const wild_run *run, const mirror *it)
{
    for (uint32_t s = 0; s < run->model->strand_count; s++) {
        const bool settled = is_settled(run, it, s);
        const double error = run->solved[s] && settled ? distance(run, it, s) : -1;
        SHEAF_TRY(rows_add(run->v, run->stage->name, &run->stage->converged, error));
        SHEAF_TRY(rows_add(run->v, run->stage->name, &run->stage->missed, run->solved[s] ? !settled : -1));
    }
    return SHEAF_OK;
}

static sheaf_status add_usual(const wild_run *run, const mirror *it)
{
    for (uint32_t s = 0; s < run->model->strand_count; s++) {
        SHEAF_TRY(rows_add(run->v, run->stage->name, &run->stage->usual, run->solved[s] ? distance(run, it, s) : -1));
        SHEAF_TRY(rows_add(run->v, run->stage->name, &run->stage->unsolved, !run->solved[s]));
    }
    return SHEAF_OK;
}

static sheaf_status compare_patient(wild_run *run)
{
    mirror it;
    SHEAF_TRY(copy_state(run));
    SHEAF_TRY(mirror_open(run->patient, &it));
    sheaf_status status = take_step(run->patient, &it);
    if (status == SHEAF_OK)
        status = add_patient(run, &it);
    mirror_close(&it);
    return status;
}

static sheaf_status compare_all(wild_run *run, uint32_t steps)
{
    mirror it;
    SHEAF_TRY(open_engines(run));
    SHEAF_TRY(engine_step(run->usual, steps));
    SHEAF_TRY(mirror_open(run->usual, &it));
    sheaf_status status = mirror_each(&it, NULL, solve_strand, run);
    if (status == SHEAF_OK)
        status = compare_patient(run);
    if (status == SHEAF_OK)
        status = take_step(run->usual, &it);
    if (status == SHEAF_OK)
        status = add_usual(run, &it);
    mirror_close(&it);
    return status;
}

static sheaf_status compare_scene(verifier *v, const wild_stage *stage, uint32_t scene)
{
    const wild_options options = {
        .seed = v->options->seed, .scene = scene, .has_colliders = stage->has_colliders, .is_tight = true};
    sheaf_model *model;
    SHEAF_TRY(wild_create(&options, &model));
    const uint32_t steps = wild_steps_before(&options);
    wild_run run = {.v = v, .stage = stage, .model = model, .time = steps * model->def.step};
    run.x = base_alloc((size_t)model->vertex_count, sizeof *run.x);
    const sheaf_status status = run.x != NULL ? compare_all(&run, steps) : SHEAF_ERR_MEMORY;
    engine_close(run.patient);
    engine_close(run.usual);
    base_free(run.x);
    sheaf_model_free(model);
    return status;
}

// ---- all scenes

// Iterations without end cost time: a scene for every 25 strands that other stages have; those of a few strands at
// none.
static uint32_t scene_count(const verifier *v)
{
    return v->options->strands < 16 ? 0 : (v->options->strands + 5 * WILD_STRANDS - 1) / (5 * WILD_STRANDS);
}

static sheaf_status verify_stage(verifier *v, const wild_stage *stage)
{
    v->schedule = "fused";
    for (uint32_t k = 0; k < scene_count(v); k++) {
        verify_progress(v, stage->name);
        if (v->stopped)
            return SHEAF_OK;
        SHEAF_TRY(compare_scene(v, stage, v->options->first + k));
    }
    rows_emit(v);
    return SHEAF_OK;
}

sheaf_status verify_wild_steps(verifier *v)
{
    for (int f = 0; f < VERIFY_FORM_COUNT; f++) {
        v->form = verify_form_list[f];
        for (int k = 0; k < STAGES; k++)
            if (verify_wants_form(v, &verify_form_list[f]) && verify_wants(v, stages[k].name))
                SHEAF_TRY(verify_stage(v, &stages[k]));
    }
    return SHEAF_OK;
}

uint32_t verify_wild_work(const verifier *v)
{
    uint32_t work = 0;
    for (int f = 0; f < VERIFY_FORM_COUNT; f++)
        for (int k = 0; k < STAGES; k++)
            if (verify_wants_form(v, &verify_form_list[f]) && verify_wants(v, stages[k].name))
                work += scene_count(v);
    return work;
}
