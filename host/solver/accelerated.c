// accelerated: the OpenCL engine behind the solver's interface.
#include "solver/accelerated.h"

#include "der/device/selftest.h"
#include "der/device/width.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct accelerated {
    const sheaf_model *model;
    sheaf_engine *engine;
    engine_freeze *freezes; // [freeze_count], room for every strand
    uint32_t freeze_count;
    char form[16];
    bool is_double;
};

static sheaf_status find_device(uint32_t wanted, device_info *info, uint32_t *index)
{
    device_info devices[DEVICE_MOST];
    uint32_t count;
    char why[128];
    *index = wanted;
    if (wanted != SHEAF_DEVICE_BEST)
        return device_find(wanted, info);
    SHEAF_TRY(device_list(devices, &count));
    *index = device_choose(devices, count, why, sizeof why);
    if (*index >= count)
        return base_fail(SHEAF_ERR_DEVICE, "%s; install one such as PoCL", why);
    *info = devices[*index];
    return SHEAF_OK;
}

static sheaf_status check_device(const device_info *info, sheaf_precision precision)
{
    char reason[128];
    if (!device_is_usable(info, reason, sizeof reason))
        return base_fail(SHEAF_ERR_DEVICE, "%s cannot be used: %s", info->name, reason);
    if (precision == SHEAF_PRECISION_DOUBLE && !info->has_fp64)
        return base_fail(SHEAF_ERR_DEVICE, "%s has no double precision: use `precision: single` or `--device ref`",
                         info->name);
    return SHEAF_OK;
}

// Largest bending stiffness of an edge against its inertia over a step, B h^2 / (l^3 m). Single precision holds seven
// digits: where this ratio eats five of them, the motion of a stiff strand as a whole drowns in rounding.
enum { RATIO_MOST = 100000 };

static double stiffest_ratio(const sheaf_model *model, double step)
{
    double worst = 0;
    for (uint32_t s = 0; s < model->strand_count; s++)
        worst = fmax(worst, model->strands[s].stiffness);
    return worst * step * step;
}

bool accelerated_needs_double(const sheaf_model *model, double step, const device_info *info)
{
    const bool is_implicit = model->def.integrator != SHEAF_INTEGRATOR_EXPLICIT;
    if (!is_implicit || stiffest_ratio(model, step) <= RATIO_MOST)
        return false;
    base_log(
        SHEAF_LOG_NOTICE, "%s",
        info->has_fp64
            ? "running in double precision: the strands are too stiff for single at this step"
            : "the strands are too stiff for single precision at this step, and the device has no other: expect noise");
    return info->has_fp64;
}

// Seconds that a launch may take, for emulators and other slow devices; 0: the engine's own limit.
static double launch_limit(void)
{
    const char *wish = getenv("SHEAF_LAUNCH_LIMIT");
    const double limit = wish != NULL ? strtod(wish, NULL) : 0;
    return limit > 0 && limit <= 86400 ? limit : 0;
}

static sheaf_status open_engine(accelerated *a, const accelerated_def *def)
{
    device_info info;
    engine_options options = {.step = def->step, .time_limit = launch_limit(), .is_staged = def->is_staged};
    char reason[256];
    if (!der_fits_device(a->model, reason, sizeof reason))
        return base_fail(SHEAF_ERR_DEVICE, "the device cannot simulate this scene: %s; use `--device ref`", reason);
    SHEAF_TRY(find_device(def->device, &info, &options.device));
    SHEAF_TRY(check_device(&info, def->precision));
    a->is_double = options.is_double = def->precision == SHEAF_PRECISION_AUTO
                                           ? accelerated_needs_double(a->model, def->step, &info)
                                           : def->precision == SHEAF_PRECISION_DOUBLE;
    SHEAF_TRY(width_choose(options.device, &info, options.is_double, a->model->strand_count, &options.lane_width));
    snprintf(a->form, sizeof a->form, "%s%u", options.is_double ? "double" : "float", options.lane_width);
    SHEAF_TRY(der_open_engine(a->model, &options, &a->engine));
    return selftest_run(a->engine, NULL);
}

sheaf_status accelerated_open(const sheaf_model *model, const accelerated_def *def, accelerated **opened)
{
    *opened = NULL;
    accelerated *a = base_alloc(1, sizeof *a);
    if (a == NULL)
        return SHEAF_ERR_MEMORY;
    a->model = model;
    a->freezes = base_alloc(model->strand_count, sizeof *a->freezes);
    const sheaf_status status = a->freezes ? open_engine(a, def) : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK)
        *opened = a;
    else
        accelerated_close(a);
    return status;
}

void accelerated_close(accelerated *a)
{
    if (a == NULL)
        return;
    engine_close(a->engine);
    base_free(a->freezes);
    base_free(a);
}

sheaf_status accelerated_step(accelerated *a, uint32_t count)
{
    return engine_step(a->engine, count);
}

uint32_t accelerated_notes_most(const accelerated *a)
{
    return engine_notes_most(a->engine);
}

sheaf_status accelerated_step_noting(accelerated *a, uint32_t count, const uint32_t *after, uint32_t note_count,
                                     bool with_poses)
{
    return engine_step_noting(a->engine, count, after, note_count, with_poses);
}

sheaf_status accelerated_note_sample(accelerated *a, uint32_t note, uint32_t stride, const uint64_t *first_vertex,
                                     double (*positions)[3])
{
    return der_note_sample(a->engine, note, stride, first_vertex, positions);
}

sheaf_status accelerated_read(accelerated *a, double (*positions)[3], double (*velocities)[3])
{
    return der_read(a->engine, positions, velocities);
}

sheaf_status accelerated_read_sample(accelerated *a, uint32_t stride, const uint64_t *first_vertex,
                                     double (*positions)[3])
{
    return der_read_sample(a->engine, stride, first_vertex, positions);
}

sheaf_status accelerated_read_directors(accelerated *a, double (*directors)[3])
{
    return der_read_directors(a->engine, directors);
}

sheaf_status accelerated_read_sample_velocities(accelerated *a, uint32_t stride, const uint64_t *first_vertex,
                                                double (*velocities)[3])
{
    return der_read_sample_velocities(a->engine, stride, first_vertex, velocities);
}

sheaf_status accelerated_push(accelerated *a, uint32_t strand, uint32_t vertex, const double change[3])
{
    return der_push(a->engine, strand, vertex, change);
}

// Tells of strands that froze since the last report, where one says that there are more.
static sheaf_status tell_freezes(accelerated *a, uint32_t frozen)
{
    if (frozen <= a->freeze_count)
        return SHEAF_OK;
    const uint32_t told = a->freeze_count;
    SHEAF_TRY(der_freezes(a->engine, a->freezes, &a->freeze_count));
    for (uint32_t k = told; k < a->freeze_count; k++)
        base_log(SHEAF_LOG_WARNING, "strand %u is frozen from step %llu on: %s of vertex %u is %g",
                 a->freezes[k].strand, (unsigned long long)a->freezes[k].step, a->freezes[k].quantity,
                 a->freezes[k].vertex, a->freezes[k].value);
    return SHEAF_OK;
}

sheaf_status accelerated_report(accelerated *a, sheaf_report *report)
{
    SHEAF_TRY(engine_report(a->engine, report));
    return tell_freezes(a, report->frozen_strands);
}

sheaf_status accelerated_note_report(accelerated *a, uint32_t note, sheaf_report *report)
{
    SHEAF_TRY(engine_note_report(a->engine, note, report));
    return tell_freezes(a, report->frozen_strands);
}

sheaf_status accelerated_incident(accelerated *a, uint32_t index, sheaf_incident *incident)
{
    SHEAF_TRY(der_freezes(a->engine, a->freezes, &a->freeze_count));
    if (index >= a->freeze_count)
        return base_fail(SHEAF_ERR_USAGE, "incident %u of %u: there are not so many", index, a->freeze_count);
    const engine_freeze *f = &a->freezes[index];
    *incident = (sheaf_incident){
        .strand = f->strand, .vertex = f->vertex, .step = f->step, .quantity = f->quantity, .value = f->value};
    return SHEAF_OK;
}

// ---- the whole state as arrays

_Static_assert((int)DER_FIELD_COUNT <= (int)SOLVER_ARRAYS_MOST, "there is a row for every array");

uint32_t accelerated_arrays(const accelerated *a, solver_array *arrays)
{
    uint32_t count = 0;
    for (der_field k = 0; k < DER_FIELD_COUNT; k++)
        if (engine_state_name(a->engine, k) != NULL)
            arrays[count++] = (solver_array){
                .name = engine_state_name(a->engine, k),
                .rows = (der_device.bundles.fields[k].rows == FIELD_ROWS_BUNDLE) ? a->model->strand_count
                                                                                 : a->model->vertex_count,
                .components = der_device.bundles.fields[k].components,
                .is_double = a->is_double,
            };
    return count;
}

static uint32_t array_at(const accelerated *a, uint32_t index)
{
    uint32_t array = 0;
    for (uint32_t count = 0;; array++)
        if (engine_state_name(a->engine, array) != NULL && count++ == index)
            return array;
}

sheaf_status accelerated_read_array(accelerated *a, uint32_t index, void *values)
{
    return engine_read_state(a->engine, array_at(a, index), values);
}

sheaf_status accelerated_write_array(accelerated *a, uint32_t index, const void *values)
{
    return engine_write_state(a->engine, array_at(a, index), values);
}

// Strands that froze before are told no more.
void accelerated_set_steps(accelerated *a, uint64_t steps)
{
    engine_set_steps(a->engine, steps);
    (void)der_freezes(a->engine, a->freezes, &a->freeze_count);
}

uint64_t accelerated_steps(const accelerated *a)
{
    return engine_steps(a->engine);
}

// ---- stages

_Static_assert((int)STAGE_COUNT <= (int)SOLVER_STAGES_MOST, "every stage has a row");

sheaf_status accelerated_stages(accelerated *a, solver_stage *stages, uint32_t *count)
{
    engine_stage_time times[ENGINE_STAGES_MAX];
    *count = 0;
    SHEAF_TRY(engine_stage_times(a->engine, times));
    for (engine_stage stage = 0; stage < STAGE_COUNT; stage++)
        if (times[stage].launches > 0)
            stages[(*count)++] = (solver_stage){engine_stage_name(stage), times[stage].launches, times[stage].seconds};
    return SHEAF_OK;
}

const char *accelerated_device(const accelerated *a)
{
    return engine_device(a->engine)->name;
}

const char *accelerated_form(const accelerated *a)
{
    return a->form;
}

bool accelerated_is_double(const accelerated *a)
{
    return a->is_double;
}
