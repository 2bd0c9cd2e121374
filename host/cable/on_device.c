// on_device: a population of cables on an OpenCL device, as a solver uses it.
#include "cable/cable.h"

#include "cable/chain.h"
#include "cable/device/device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct cables {
    const sheaf_model *model;
    sheaf_engine *engine;
    cable_freeze *freezes; // [freeze_count], room for every cable
    uint32_t freeze_count;
    char form[16];
    bool is_double;
} cables;

// ---- opening

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

static bool choose_double(const sheaf_model *model, sheaf_precision precision, const device_info *info)
{
    double worst = 0;
    for (uint32_t s = 0; s < model->strand_count; s++)
        worst = fmax(worst, cable_mass_contrast(model, s));
    if (precision == SHEAF_PRECISION_DOUBLE || worst <= CABLE_SINGLE_RATIO)
        return precision == SHEAF_PRECISION_DOUBLE;
    const bool is_double = precision == SHEAF_PRECISION_AUTO && info->has_fp64;
    if (is_double)
        base_log(
            SHEAF_LOG_NOTICE,
            "running in double precision: a load and a segment of its cable differ in mass by a factor of %.3g, more "
            "than single can resolve (%g)",
            worst, (double)CABLE_SINGLE_RATIO);
    else
        base_log(
            SHEAF_LOG_WARNING,
            "a load and a segment of its cable differ in mass by a factor of %.3g; in single precision, which resolves "
            "%g, it may hardly move: use `precision: auto`",
            worst, (double)CABLE_SINGLE_RATIO);
    return is_double;
}

// Lanes of a form: what SHEAF_LANES asks for, else one register of the processor.
static sheaf_status choose_width(const device_info *info, bool is_double, uint32_t strands, uint32_t *width)
{
    const char *wish = getenv("SHEAF_LANES");
    *width = info->type & CL_DEVICE_TYPE_GPU ? 1 : is_double || strands <= 4 ? 4 : 8;
    if (wish == NULL || wish[0] == 0)
        return SHEAF_OK;
    for (*width = 16; *width > 0; *width = *width == 16 ? 8 : *width == 8 ? 4 : *width == 4 ? 1 : 0) {
        char name[8];
        snprintf(name, sizeof name, "%u", *width);
        if (strcmp(name, wish) == 0)
            return SHEAF_OK;
    }
    char shown[64];
    return base_fail(SHEAF_ERR_USAGE, "SHEAF_LANES is '%s'; it must be 1, 4, 8 or 16",
                     base_printable(wish, shown, sizeof shown));
}

static double launch_limit(void)
{
    const char *wish = getenv("SHEAF_LAUNCH_LIMIT");
    const double limit = wish != NULL ? strtod(wish, NULL) : 0;
    return limit > 0 && limit <= 86400 ? limit : 0;
}

static sheaf_status open_engine(cables *a, const method_open *how)
{
    device_info info;
    engine_options options = {.step = how->step, .time_limit = launch_limit()};
    char reason[256];
    SHEAF_TRY(cable_check(a->model));
    if (!model_has_arrays(a->model))
        return base_fail(SHEAF_ERR_LIMIT, "the scene has too many vertices for cables");
    if (!cable_fits_device(a->model, reason, sizeof reason))
        return base_fail(SHEAF_ERR_DEVICE, "the device cannot simulate this scene: %s; use `--device ref`", reason);
    SHEAF_TRY(find_device(how->device, &info, &options.device));
    SHEAF_TRY(check_device(&info, how->precision));
    a->is_double = options.is_double = choose_double(a->model, how->precision, &info);
    SHEAF_TRY(choose_width(&info, options.is_double, a->model->strand_count, &options.lane_width));
    snprintf(a->form, sizeof a->form, "%s%u", options.is_double ? "double" : "float", options.lane_width);
    return engine_open(&cable_device, a->model, &options, &a->engine);
}

static void close_cables(void *instance)
{
    cables *a = instance;
    if (a == NULL)
        return;
    engine_close(a->engine);
    base_free(a->freezes);
    base_free(a);
}

static sheaf_status open_cables(const sheaf_model *model, const method_open *how, void **instance)
{
    *instance = NULL;
    cables *a = base_alloc(1, sizeof *a);
    if (a == NULL)
        return SHEAF_ERR_MEMORY;
    a->model = model;
    a->freezes = base_alloc(model->strand_count, sizeof *a->freezes);
    const sheaf_status status = a->freezes ? open_engine(a, how) : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK)
        *instance = a;
    else
        close_cables(a);
    return status;
}

// ---- stepping and reading

static sheaf_engine *engine_of(const void *instance)
{
    return ((const cables *)instance)->engine;
}

static sheaf_status step(void *instance, uint32_t count)
{
    return engine_step(engine_of(instance), count);
}

static uint32_t notes_most(const void *instance)
{
    return engine_notes_most(engine_of(instance));
}

static sheaf_status step_noting(void *instance, uint32_t count, const uint32_t *after, uint32_t note_count,
                                bool with_poses)
{
    return engine_step_noting(engine_of(instance), count, after, note_count, with_poses);
}

static sheaf_status note_positions(void *instance, uint32_t note, method_sample sample, double (*positions)[3])
{
    return cable_read(engine_of(instance), CABLE_READ_POSITIONS, (int)note, sample.stride, sample.first_vertex,
                      positions);
}

static sheaf_status read_positions(void *instance, method_sample sample, double (*positions)[3])
{
    return cable_read(engine_of(instance), CABLE_READ_POSITIONS, -1, sample.stride, sample.first_vertex, positions);
}

static sheaf_status read_velocities(void *instance, method_sample sample, double (*velocities)[3])
{
    return cable_read(engine_of(instance), CABLE_READ_VELOCITIES, -1, sample.stride, sample.first_vertex, velocities);
}

static sheaf_status read_directors(void *instance, double (*directors)[3])
{
    const cables *a = instance;
    return cable_read(a->engine, CABLE_READ_DIRECTORS, -1, 1, a->model->first_vertex, directors);
}

static sheaf_status read_bodies(void *instance, sheaf_body_pose *poses)
{
    return cable_read_bodies(((const cables *)instance)->engine, poses);
}

static sheaf_status push(void *instance, uint32_t strand, uint32_t vertex, const double change[3])
{
    return cable_push(engine_of(instance), strand, vertex, change);
}

// ---- reports

// Tells of cables that froze since the last report, where one says that there are more.
static sheaf_status tell_freezes(cables *a, uint32_t frozen)
{
    if (frozen <= a->freeze_count)
        return SHEAF_OK;
    const uint32_t told = a->freeze_count;
    SHEAF_TRY(cable_freezes(a->engine, a->freezes, &a->freeze_count));
    for (uint32_t k = told; k < a->freeze_count; k++)
        base_log(SHEAF_LOG_WARNING, "cable %u is frozen from step %llu on: %s at vertex %u is %g",
                 a->model->strands[a->freezes[k].strand].number, (unsigned long long)a->freezes[k].step,
                 a->freezes[k].quantity, a->freezes[k].slot, a->freezes[k].value);
    return SHEAF_OK;
}

static sheaf_status make_report(void *instance, sheaf_report *report)
{
    cables *a = instance;
    SHEAF_TRY(engine_report(a->engine, report));
    return tell_freezes(a, report->frozen_strands);
}

static sheaf_status note_report(void *instance, uint32_t note, sheaf_report *report)
{
    cables *a = instance;
    SHEAF_TRY(engine_note_report(a->engine, note, report));
    return tell_freezes(a, report->frozen_strands);
}

static sheaf_status find_incident(void *instance, uint32_t index, sheaf_incident *incident)
{
    cables *a = instance;
    SHEAF_TRY(cable_freezes(a->engine, a->freezes, &a->freeze_count));
    if (index >= a->freeze_count)
        return base_fail(SHEAF_ERR_USAGE, "incident %u of %u: there are not so many", index, a->freeze_count);
    const cable_freeze *f = &a->freezes[index];
    *incident = (sheaf_incident){f->strand, f->slot, f->step, f->quantity, f->value};
    return SHEAF_OK;
}

// ---- the whole state as arrays

_Static_assert((int)CABLE_FIELD_COUNT <= (int)METHOD_ARRAYS_MAX, "there is room for every array");

static uint32_t list_arrays(const void *instance, method_array *arrays)
{
    const cables *a = instance;
    uint32_t count = 0;
    for (uint32_t k = 0; k < CABLE_FIELD_COUNT; k++) {
        const method_field *field = &cable_device.bundles.fields[k];
        if (field->role == FIELD_ROLE_STATE)
            arrays[count++] = (method_array){
                .name = field->name,
                .rows = field->rows == FIELD_ROWS_BUNDLE ? a->model->strand_count : a->model->vertex_count,
                .components = field->components,
                .is_double = a->is_double,
            };
    }
    return count;
}

static uint32_t field_at(uint32_t index)
{
    uint32_t field = 0;
    for (uint32_t count = 0;; field++)
        if (cable_device.bundles.fields[field].role == FIELD_ROLE_STATE && count++ == index)
            return field;
}

static sheaf_status read_array(void *instance, uint32_t index, void *values)
{
    return engine_read_state(engine_of(instance), field_at(index), values);
}

static sheaf_status write_array(void *instance, uint32_t index, const void *values)
{
    return engine_write_state(engine_of(instance), field_at(index), values);
}

// Cables that froze before are told no more.
static void set_steps(void *instance, uint64_t steps)
{
    cables *a = instance;
    engine_set_steps(a->engine, steps);
    (void)cable_freezes(a->engine, a->freezes, &a->freeze_count);
}

static uint64_t count_steps(const void *instance)
{
    return engine_steps(engine_of(instance));
}

static method_place describe_place(const void *instance)
{
    const cables *a = instance;
    return (method_place){.device = engine_device(a->engine)->name, .form = a->form, .is_double = a->is_double};
}

const method_backend cable_on_device = {
    .open = open_cables,
    .close = close_cables,
    .step = step,
    .read_positions = read_positions,
    .read_velocities = read_velocities,
    .read_directors = read_directors,
    .read_bodies = read_bodies,
    .push = push,
    .report = make_report,
    .incident = find_incident,
    .arrays = list_arrays,
    .read_array = read_array,
    .write_array = write_array,
    .steps = count_steps,
    .set_steps = set_steps,
    .notes_most = notes_most,
    .step_noting = step_noting,
    .note_report = note_report,
    .note_positions = note_positions,
    .place = describe_place,
};
