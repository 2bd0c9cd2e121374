// on_device: a population of Discrete Elastic Rods on an OpenCL device, as a solver uses it.
#include "der/der.h"

#include "cl/stages.h"
#include "der/device/bodies.h"
#include "der/device/coupled.h"
#include "der/device/device.h"
#include "der/device/ledger.h"
#include "der/device/owners.h"
#include "der/device/volume.h"
#include "der/device/width.h"
#include "der/selftest.h"
#include "strand/unroll.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct rods {
    const sheaf_model *model;
    sheaf_model *unrolled; // with loops in place of closed strands, as the engine has it; NULL: there are none
    sheaf_engine *engine;
    der_volume *volume;     // NULL: strands do not act on each other
    engine_freeze *freezes; // [freeze_count], room for every strand
    uint32_t freeze_count;
    der_coupled *coupled; // strands that act on each other: their steps; else NULL
    contact_set *contact;
    der_bodies *bodies; // of the scene, where this part moves them; else NULL
    bool failed;        // a step failed amid its verbs
    char form[16];
    bool is_double;
} rods;

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

bool der_needs_double(const sheaf_model *model, double step, const device_info *info)
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

// The model as the engine has it.
static const sheaf_model *laid_out(const rods *a)
{
    return a->unrolled != NULL ? a->unrolled : a->model;
}

static bool touches(const rods *a)
{
    return a->model->strand_count > 0 && a->model->strands[0].coupled;
}

static sheaf_status unroll(rods *a)
{
    if (!model_has_loops(a->model))
        return SHEAF_OK;
    if (!model_has_arrays(a->model))
        return base_fail(SHEAF_ERR_DEVICE,
                         "closed strands among more than %d vertices do not run on a device: take "
                         "fewer strands, or `--device ref`",
                         MODEL_ARRAYS_MOST);
    if (a->model->def.integrator == SHEAF_INTEGRATOR_EXPLICIT)
        return base_fail(SHEAF_ERR_DEVICE, "closed strands need an implicit integrator on a device: leave out "
                                           "`integrator: explicit`, or use `--device ref`");
    return model_unroll(a->model, &a->unrolled);
}

// Whether strands have joints with bodies; a part has them all, or none.
static bool is_joined(const sheaf_model *model)
{
    return model->strand_count > 0 && model_strand_is_joined(model, 0);
}

static sheaf_status open_bodies(rods *a, double step)
{
    return der_bodies_open(a->model, step, is_joined(a->model) ? a->engine : NULL, &a->bodies);
}

static sheaf_status open_coupled(rods *a)
{
    if (touches(a))
        SHEAF_TRY(contact_open(laid_out(a), engine_options_of(a->engine)->step, &a->contact));
    return der_coupled_open(a->engine, a->contact, &a->coupled);
}

static sheaf_status open_engine(rods *a, const method_open *def)
{
    device_info info;
    SHEAF_TRY(unroll(a));
    const bool acts = touches(a) || a->unrolled != NULL;
    engine_options options = {
        .step = def->step, .time_limit = launch_limit(), .is_coupled = acts || is_joined(a->model)};
    options.is_staged = def->is_staged && !options.is_coupled;
    char reason[256];
    options.is_pushed = volume_is_wanted(a->model);
    if (options.is_pushed && options.is_coupled)
        return base_fail(
            SHEAF_ERR_DEVICE,
            "strands of `touch: pairs`, closed ones and those on bodies cannot keep their volume or shield each other "
            "from the wind besides; take one of them out of the scene");
    if (options.is_pushed && options.is_staged)
        return base_fail(SHEAF_ERR_USAGE,
                         "stages of strands that keep their volume or shield each other are not timed: run "
                         "without --profile");
    if (!der_fits_device(laid_out(a), reason, sizeof reason))
        return base_fail(SHEAF_ERR_DEVICE, "the device cannot simulate this scene: %s; use `--device ref`", reason);
    SHEAF_TRY(find_device(def->device, &info, &options.device));
    SHEAF_TRY(check_device(&info, def->precision));
    a->is_double = options.is_double = def->precision == SHEAF_PRECISION_AUTO
                                           ? der_needs_double(a->model, def->step, &info)
                                           : def->precision == SHEAF_PRECISION_DOUBLE;
    SHEAF_TRY(width_choose(options.device, &info, options.is_double, a->model->strand_count, &options.lane_width));
    owners_choose(&info, a->model->vertex_count, &options);
    snprintf(a->form, sizeof a->form, "%s%u", options.is_double ? "double" : "float", options.lane_width);
    SHEAF_TRY(der_open_engine(laid_out(a), &options, &a->engine));
    if (!is_joined(a->model))
        SHEAF_TRY(selftest_run(a->engine, NULL));
    if (def->moves_bodies)
        SHEAF_TRY(open_bodies(a, def->step));
    if (acts)
        return open_coupled(a);
    return options.is_pushed ? der_volume_open(a->engine, &a->volume) : SHEAF_OK;
}

static void close_rods(void *instance)
{
    rods *a = instance;
    if (a == NULL)
        return;
    der_coupled_close(a->coupled);
    der_bodies_close(a->bodies);
    contact_close(a->contact);
    der_volume_close(a->volume);
    engine_close(a->engine);
    sheaf_model_free(a->unrolled);
    base_free(a->freezes);
    base_free(a);
}

static sheaf_status open_rods(const sheaf_model *model, const method_open *how, void **instance)
{
    *instance = NULL;
    rods *a = base_alloc(1, sizeof *a);
    if (a == NULL)
        return SHEAF_ERR_MEMORY;
    a->model = model;
    a->freezes = base_alloc(model->strand_count, sizeof *a->freezes);
    const sheaf_status status = a->freezes ? open_engine(a, how) : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK)
        *instance = a;
    else
        close_rods(a);
    return status;
}

static sheaf_engine *engine_of(const void *instance)
{
    return ((const rods *)instance)->engine;
}

static sheaf_status step_with_volume(const rods *a, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        SHEAF_TRY(der_volume_act(a->volume));
        SHEAF_TRY(engine_step(a->engine, 1));
    }
    return SHEAF_OK;
}

// Bodies that nothing hangs on move by themselves.
static sheaf_status step_strands(rods *a, uint32_t count)
{
    if (a->bodies != NULL)
        SHEAF_TRY(der_bodies_step(a->bodies, count));
    if (is_joined(a->model))
        return SHEAF_OK;
    if (a->coupled != NULL)
        return der_coupled_step(a->coupled, count);
    return a->volume != NULL ? step_with_volume(a, count) : engine_step(a->engine, count);
}

static sheaf_status step(void *instance, uint32_t count)
{
    rods *a = instance;
    if (a->coupled == NULL && a->volume == NULL && a->bodies == NULL)
        return engine_step(a->engine, count);
    if (a->failed)
        return base_fail(SHEAF_ERR_USAGE, "an earlier step of this solver failed: close it and open another");
    const sheaf_status status = step_strands(a, count);
    a->failed = status != SHEAF_OK;
    return status;
}

static uint32_t notes_most(const void *instance)
{
    const rods *a = instance;
    return a->volume == NULL && a->coupled == NULL && a->bodies == NULL ? engine_notes_most(a->engine) : 0;
}

static sheaf_status step_noting(void *instance, uint32_t count, const uint32_t *after, uint32_t note_count,
                                bool with_poses)
{
    return engine_step_noting(engine_of(instance), count, after, note_count, with_poses);
}

static sheaf_status note_positions(void *instance, uint32_t note, method_sample sample, double (*positions)[3])
{
    return der_note_sample(engine_of(instance), note, sample.stride, sample.first_vertex, positions);
}

static sheaf_status read_positions(void *instance, method_sample sample, double (*positions)[3])
{
    return der_read_sample(engine_of(instance), sample.stride, sample.first_vertex, positions);
}

static sheaf_status read_velocities(void *instance, method_sample sample, double (*velocities)[3])
{
    return der_read_sample_velocities(engine_of(instance), sample.stride, sample.first_vertex, velocities);
}

static sheaf_status read_directors(void *instance, double (*directors)[3])
{
    return der_read_directors(engine_of(instance), ((const rods *)instance)->model->first_vertex, directors);
}

static sheaf_status push(void *instance, uint32_t strand, uint32_t vertex, const double change[3])
{
    const rods *a = instance;
    SHEAF_TRY(der_push(a->engine, strand, vertex, change));
    if (!a->model->strands[strand].closed || vertex >= UNROLL_EXTRA)
        return SHEAF_OK;
    return der_push(a->engine, strand, vertex + model_vertex_count(a->model, strand), change); // its copy
}

// A vertex as the scene counts them: copies are what they are copies of.
static uint32_t own_vertex(const rods *a, const engine_freeze *freeze)
{
    return freeze->vertex % model_vertex_count(a->model, freeze->strand);
}

// Tells of strands that froze since the last report, where one says that there are more.
static sheaf_status tell_freezes(rods *a, uint32_t frozen)
{
    if (frozen <= a->freeze_count)
        return SHEAF_OK;
    const uint32_t told = a->freeze_count;
    SHEAF_TRY(der_freezes(a->engine, a->freezes, &a->freeze_count));
    for (uint32_t k = told; k < a->freeze_count; k++)
        base_log(SHEAF_LOG_WARNING, "strand %u is frozen from step %llu on: %s of vertex %u is %g",
                 a->model->strands[a->freezes[k].strand].number, (unsigned long long)a->freezes[k].step,
                 a->freezes[k].quantity, own_vertex(a, &a->freezes[k]), a->freezes[k].value);
    return SHEAF_OK;
}

static sheaf_status make_report(void *instance, sheaf_report *report)
{
    rods *a = instance;
    SHEAF_TRY(engine_report(a->engine, report));
    if (a->bodies != NULL) {
        double kinetic, gravitational;
        couple_energies(der_bodies_of(a->bodies), &kinetic, &gravitational);
        report->kinetic += kinetic;
        report->gravitational += gravitational;
    }
    return tell_freezes(a, report->frozen_strands);
}

static bool has_ledger(const rods *a)
{
    return a->model->def.integrator != SHEAF_INTEGRATOR_EXPLICIT;
}

static sheaf_status make_figures(void *instance, method_figure *figures, uint32_t *count)
{
    const rods *a = instance;
    double totals[1][ENGINE_FIGURES_MAX];
    uint32_t others = a->contact != NULL ? contact_name_figures(a->contact, figures) : 0;
    if (a->volume != NULL)
        SHEAF_TRY(der_volume_figures(a->volume, figures, &others));
    *count = others;
    if (!has_ledger(a))
        return SHEAF_OK;
    SHEAF_TRY(engine_totals(a->engine, totals));
    *count += der_ledger_figures(totals[0], figures + others);
    return SHEAF_OK;
}

static sheaf_status note_figures(void *instance, uint32_t note, method_figure *figures, uint32_t *count)
{
    const rods *a = instance;
    double totals[1][ENGINE_FIGURES_MAX];
    SHEAF_TRY(engine_note_totals(a->engine, note, totals));
    *count = has_ledger(a) ? der_ledger_figures(totals[0], figures) : 0;
    return SHEAF_OK;
}

static sheaf_status note_report(void *instance, uint32_t note, sheaf_report *report)
{
    rods *a = instance;
    SHEAF_TRY(engine_note_report(a->engine, note, report));
    return tell_freezes(a, report->frozen_strands);
}

static sheaf_status find_incident(void *instance, uint32_t index, sheaf_incident *incident)
{
    rods *a = instance;
    SHEAF_TRY(der_freezes(a->engine, a->freezes, &a->freeze_count));
    if (index >= a->freeze_count)
        return base_fail(SHEAF_ERR_USAGE, "incident %u of %u: there are not so many", index, a->freeze_count);
    const engine_freeze *f = &a->freezes[index];
    *incident = (sheaf_incident){
        .strand = f->strand, .vertex = own_vertex(a, f), .step = f->step, .quantity = f->quantity, .value = f->value};
    return SHEAF_OK;
}

// ---- the whole state as arrays

_Static_assert((int)DER_FIELD_COUNT < (int)METHOD_ARRAYS_MAX && (int)ENGINE_NOTES_MOST <= (int)METHOD_NOTES_MAX &&
                   (int)STAGE_COUNT <= (int)METHOD_STAGES_MAX,
               "there is room for every array, note and stage");

static uint32_t list_arrays(const void *instance, method_array *arrays)
{
    const rods *a = instance;
    uint32_t count = 0;
    for (uint32_t k = 0; k < DER_FIELD_COUNT; k++) {
        const method_field *field = &der_device.bundles.fields[k];
        if (field->role == FIELD_ROLE_STATE)
            arrays[count++] = (method_array){
                .name = field->name,
                .rows = field->rows == FIELD_ROWS_BUNDLE ? a->model->strand_count : laid_out(a)->vertex_count,
                .components = field->components,
                .is_double = a->is_double,
            };
    }
    if (a->contact != NULL)
        arrays[count++] = (method_array){.name = "contacts",
                                         .rows = contact_rows(a->contact),
                                         .components = CONTACT_ROW,
                                         .is_double = true,
                                         .varies = true};
    if (a->volume != NULL)
        arrays[count++] = (method_array){
            .name = "volume_pressure", .rows = a->model->vertex_count, .components = 1, .is_double = a->is_double};
    if (a->bodies != NULL)
        arrays[count++] = (method_array){
            .name = "bodies", .rows = a->model->body_count, .components = RIGID_NUMBERS, .is_double = true};
    return count;
}

// Whether array `index` is that of bodies, the last one.
static bool is_of_bodies(const rods *a, uint32_t index)
{
    method_array arrays[METHOD_ARRAYS_MAX];
    return a->bodies != NULL && index + 1 == list_arrays(a, arrays);
}

// The field of array `index`; DER_FIELD_COUNT: it is that of contacts or of the volume.
static uint32_t field_at(uint32_t index)
{
    uint32_t field = 0;
    for (uint32_t count = 0; field < DER_FIELD_COUNT; field++)
        if (der_device.bundles.fields[field].role == FIELD_ROLE_STATE && count++ == index)
            break;
    return field;
}

static sheaf_status read_array(void *instance, uint32_t index, void *values)
{
    const rods *a = instance;
    if (is_of_bodies(a, index)) {
        memcpy(values, der_bodies_of(a->bodies)->states, a->model->body_count * sizeof(rigid_state));
        return SHEAF_OK;
    }
    if (field_at(index) == DER_FIELD_COUNT && a->volume != NULL)
        return der_volume_read(a->volume, values);
    if (field_at(index) == DER_FIELD_COUNT) {
        contact_read_rows(a->contact, values);
        return SHEAF_OK;
    }
    return engine_read_state(engine_of(instance), field_at(index), values);
}

static sheaf_status write_array(void *instance, uint32_t index, const void *values)
{
    const rods *a = instance;
    if (is_of_bodies(a, index)) {
        memcpy(der_bodies_of(a->bodies)->states, values, a->model->body_count * sizeof(rigid_state));
        return SHEAF_OK;
    }
    if (field_at(index) == DER_FIELD_COUNT)
        return der_volume_write(((rods *)instance)->volume, values);
    return engine_write_state(engine_of(instance), field_at(index), values);
}

static sheaf_status write_rows(void *instance, uint32_t index, uint64_t rows, const void *values)
{
    const rods *a = instance;
    (void)index;
    return contact_write_rows(a->contact, rows, values);
}

// Strands that froze before are told no more.
static void set_steps(void *instance, uint64_t steps)
{
    rods *a = instance;
    engine_set_steps(a->engine, steps);
    if (a->bodies != NULL)
        der_bodies_of(a->bodies)->steps = steps;
    (void)der_freezes(a->engine, a->freezes, &a->freeze_count);
}

static uint64_t count_steps(const void *instance)
{
    return engine_steps(engine_of(instance));
}

static sheaf_status read_bodies(void *instance, sheaf_body_pose *poses)
{
    const rods *a = instance;
    for (uint32_t k = 0; k < a->model->body_count; k++)
        couple_pose(der_bodies_of(a->bodies), k, &poses[k]);
    return SHEAF_OK;
}

// ---- stages

static sheaf_status time_stages(void *instance, method_stage *stages, uint32_t *count)
{
    engine_stage_time times[ENGINE_STAGES_MAX];
    *count = 0;
    SHEAF_TRY(engine_stage_times(engine_of(instance), times));
    for (engine_stage stage = 0; stage < STAGE_COUNT; stage++)
        if (times[stage].launches > 0)
            stages[(*count)++] = (method_stage){engine_stage_name(stage), times[stage].launches, times[stage].seconds};
    return SHEAF_OK;
}

static method_place describe_place(const void *instance)
{
    const rods *a = instance;
    return (method_place){.device = engine_device(a->engine)->name, .form = a->form, .is_double = a->is_double};
}

const method_backend der_on_device = {
    .open = open_rods,
    .close = close_rods,
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
    .write_rows = write_rows,
    .steps = count_steps,
    .set_steps = set_steps,
    .read_bodies = read_bodies,
    .notes_most = notes_most,
    .step_noting = step_noting,
    .note_report = note_report,
    .note_figures = note_figures,
    .note_positions = note_positions,
    .stages = time_stages,
    .place = describe_place,
};
