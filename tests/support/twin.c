// twin: arrays and steps of the engine's twin.
#include "twin.h"

#include <stdlib.h>
#include <string.h>

#include "der/device/device_parts.h"

#include "unit.h"

#include "kernels/der/slots.clh"
#include "kernels/world/slots.clh"

// ---- forms, made by the build

#define TWIN_KINDS(integrator, X)                                                                                      \
    X(integrator, even)                                                                                                \
    X(integrator, padded)                                                                                              \
    X(integrator, even_damped)                                                                                         \
    X(integrator, padded_damped)                                                                                       \
    X(integrator, general)                                                                                             \
    X(integrator, general_damped)

#define DECLARE_FORM(integrator, kind) twin_form twin_##integrator##_##kind;
TWIN_KINDS(bdf2, DECLARE_FORM)
TWIN_KINDS(euler, DECLARE_FORM)
TWIN_KINDS(explicit, DECLARE_FORM)

#define NAME_FORM(integrator, kind) twin_##integrator##_##kind,
static twin_form *const forms[][DER_KIND_COUNT] = {
    [SHEAF_INTEGRATOR_BDF2] = {TWIN_KINDS(bdf2, NAME_FORM)},
    [SHEAF_INTEGRATOR_EULER] = {TWIN_KINDS(euler, NAME_FORM)},
    [SHEAF_INTEGRATOR_EXPLICIT] = {TWIN_KINDS(explicit, NAME_FORM)},
};

// Relaxing projectors, explicit steps of even bundles.
twin_form twin_jacobi, twin_chebyshev, twin_red_black;
static twin_form *const relaxing_forms[][DER_KIND_COUNT] = {
    [SHEAF_PROJECTOR_JACOBI] = {[DER_EVEN] = twin_jacobi},
    [SHEAF_PROJECTOR_CHEBYSHEV] = {[DER_EVEN] = twin_chebyshev},
    [SHEAF_PROJECTOR_RED_BLACK] = {[DER_EVEN] = twin_red_black},
};

// ---- memory

static void *allocate(size_t size)
{
    void *memory = calloc(size > 0 ? size : 1, 1);
    assert_non_null(memory);
    return memory;
}

static const engine_input *find_input(const char *name)
{
    for (uint32_t k = 0; k < der_device.input_count; k++)
        if (strcmp(der_device.inputs[k].name, name) == 0)
            return &der_device.inputs[k];
    fail_msg("no input is called %s", name);
    return NULL;
}

static size_t input_bytes(const sheaf_engine *engine, const char *name)
{
    return find_input(name)->bytes(engine, 0, engine_bundles(engine)->count);
}

static void write_input(const twin *it, const char *name, void *memory)
{
    find_input(name)->write(it->engine, 0, engine_bundles(it->engine)->count, it->arguments.step, memory);
}

twin twin_open(const sheaf_engine *engine)
{
    const bundle_set *set = engine_bundles(engine);
    const uint32_t general = set->kind_first[DER_GENERAL];
    twin it = {.engine = engine};
    twin_arguments *a = &it.arguments;
    double settings[SETTING_SIZE];
    assert_false(set->options.is_double);
    bundle_source source;
    assert_int_equal(bundles_open_source(set, 0, set->count, &source), SHEAF_OK);
    for (der_field array = 0; array < DER_FIELD_COUNT; array++) {
        a->arrays[array] = allocate(bundles_bytes(set, array));
        assert_int_equal(bundles_pack(set, &source, array, a->arrays[array]), SHEAF_OK);
    }
    bundles_close_source(&source);
    a->entries = set->entries;
    a->motions = allocate(input_bytes(engine, "motions"));
    a->goals = allocate(input_bytes(engine, "goals"));
    a->colliders = allocate(input_bytes(engine, "colliders"));
    a->settings = allocate(SETTING_SIZE * sizeof *a->settings);
    a->scratch = allocate(engine_scratch_size(engine));
    der_settings(engine, settings);
    for (int k = 0; k < SETTING_SIZE; k++)
        a->settings[k] = (float)settings[k];
    a->width = set->options.width;
    a->group_count = engine_model(engine)->motion_count + 1;
    a->collider_count = engine_model(engine)->collider_count;
    a->general_first = general;
    a->general_count = set->count - general;
    a->scratch_stride = (uint32_t)(engine_scratch_size(engine) / sizeof *a->scratch);
    return it;
}

void twin_close(twin *it)
{
    for (der_field array = 0; array < DER_FIELD_COUNT; array++)
        free(it->arguments.arrays[array]);
    free(it->arguments.motions);
    free(it->arguments.goals);
    free(it->arguments.colliders);
    free(it->arguments.settings);
    free(it->arguments.scratch);
    *it = (twin){0};
}

// ---- steps

void twin_set_ends(twin *it)
{
    write_input(it, "motions", it->arguments.motions);
    write_input(it, "colliders", it->arguments.colliders);
    write_input(it, "goals", it->arguments.goals);
}

void twin_step_with(twin *it, twin_form *const steppers[DER_KIND_COUNT])
{
    const bundle_set *set = engine_bundles(it->engine);
    twin_set_ends(it);
    for (der_kind kind = 0; kind < DER_KIND_COUNT; kind++) {
        it->arguments.bundle_first = set->kind_first[kind];
        it->arguments.bundle_end = set->kind_first[kind + 1];
        if (set->kind_first[kind] == set->kind_first[kind + 1])
            continue;
        assert_non_null(steppers[kind]);
        steppers[kind](&it->arguments);
    }
    it->arguments.step++;
}

void twin_step(twin *it, uint32_t count)
{
    const sheaf_scene_def *def = &engine_model(it->engine)->def;
    for (uint32_t k = 0; k < count; k++)
        twin_step_with(it, def->projector == SHEAF_PROJECTOR_TRIDIAGONAL ? forms[def->integrator]
                                                                         : relaxing_forms[def->projector]);
}
