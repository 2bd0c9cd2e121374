// width: trial of lane widths. Which one is fastest depends on the processor and the compiler of its driver, and
// changes no bit of a result.
#include "der/device/width.h"

#include "cl/cache.h"
#include "cl/program.h"
#include "der/device/device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIAL_VERTICES = 32, TRIAL_STEPS = 8, LEAST_ROUNDS = 5, MOST_ROUNDS = 60, KEY_SIZE = 600 };
static const double trial_time = 0.5; // s; what disturbs a machine for a moment must not fill it

// ---- the cache

static void write_key(const device_info *device, bool is_double, char key[KEY_SIZE])
{
    char identity[PROGRAM_IDENTITY_SIZE];
    program_identity(device, identity);
    snprintf(key, KEY_SIZE, "%s; %u units; %s; trial of %d x %d", identity, device->compute_units,
             is_double ? "double" : "single", WIDTH_TRIAL_STRANDS, TRIAL_VERTICES);
}

width_trial width_known(const device_info *device, bool is_double)
{
    char key[KEY_SIZE];
    base_text content = {0};
    width_trial trial = {{0}}, read;
    write_key(device, is_double, key);
    if (cache_load("width", key, &content) && content.length == sizeof read) {
        memcpy(&read, content.bytes, sizeof read);
        for (int k = 0; k < WIDTH_COUNT; k++)
            trial.rates[k] = isfinite(read.rates[k]) ? fmax(read.rates[k], WIDTH_REFUSED) : 0;
    }
    base_text_free(&content);
    return trial;
}

// ---- the trial

static sheaf_status fill_scene(sheaf_scene *scene, uint32_t strands)
{
    sheaf_material_def hair = sheaf_material_def_default();
    hair.name = "hair";
    hair.density = 1300;
    hair.young = 3.5e9;
    hair.shear = 1.3e9;
    hair.radius[0] = 45e-6;
    hair.radius[1] = 32e-6;
    SHEAF_TRY(sheaf_scene_add_material(scene, &hair, NULL));
    for (uint32_t s = 0; s < strands; s++) {
        sheaf_strand_def strand = sheaf_strand_def_default();
        strand.shape = SHEAF_SHAPE_HELIX;
        strand.vertex_count = TRIAL_VERTICES;
        strand.length = 0.15;
        strand.radius = 0.005;
        strand.pitch = 0.04;
        strand.direction[0] = 1;
        strand.root = sheaf_end_clamped();
        SHEAF_TRY(sheaf_scene_add_strand(scene, &strand));
    }
    return SHEAF_OK;
}

sheaf_status width_make_model(uint32_t strands, sheaf_model **model)
{
    const sheaf_scene_def def = sheaf_scene_def_default();
    sheaf_scene *scene;
    *model = NULL;
    SHEAF_TRY(sheaf_scene_create(&def, &scene));
    sheaf_status status = fill_scene(scene, strands);
    if (status == SHEAF_OK)
        status = sheaf_model_create(scene, model);
    sheaf_scene_free(scene);
    return status;
}

// One round of a width; its rate counts if it is the best so far.
static void time_round(sheaf_engine *engine, bool counts, double *rate)
{
    const double work = (double)WIDTH_TRIAL_STRANDS * TRIAL_VERTICES * TRIAL_STEPS, start = base_clock();
    if (engine == NULL || engine_step(engine, TRIAL_STEPS) != SHEAF_OK || engine_wait(engine) != SHEAF_OK)
        return;
    if (counts)
        *rate = fmax(*rate, work / (base_clock() - start));
}

// Rounds of all widths take turns, so that a busy minute of the machine is one for all; the first is not timed.
static void time_rounds(sheaf_engine *engines[WIDTH_COUNT], width_trial *trial)
{
    double start = base_clock();
    for (int round = 0; round <= MOST_ROUNDS; round++) {
        for (int k = 0; k < WIDTH_COUNT; k++)
            time_round(engines[k], round > 0, &trial->rates[k]);
        if (round == 0)
            start = base_clock();
        else if (round >= LEAST_ROUNDS && base_clock() - start > trial_time)
            break;
    }
}

static width_trial try_widths(uint32_t index, const sheaf_model *model, bool is_double, const bool wanted[WIDTH_COUNT])
{
    sheaf_engine *engines[WIDTH_COUNT] = {NULL};
    width_trial trial = {{0}};
    for (int k = 0; k < WIDTH_COUNT; k++) {
        const engine_options options = {
            .device = index, .lane_width = width_values[k], .is_double = is_double, .step = model->def.step};
        if (!wanted[k])
            continue;
        trial.rates[k] = WIDTH_REFUSED;
        if (der_open_engine(model, &options, &engines[k]) != SHEAF_OK)
            engines[k] = NULL;
    }
    time_rounds(engines, &trial);
    for (int k = 0; k < WIDTH_COUNT; k++)
        engine_close(engines[k]);
    return trial;
}

// CPUs do best with vectors of one or two registers. In double precision, which few runs need, the usual width does.
static bool is_likely(const device_info *device, bool is_double, uint32_t width)
{
    return !is_double && !(device->type & CL_DEVICE_TYPE_GPU) && (width == 8 || width == 16);
}

width_trial width_try(uint32_t index, const device_info *device, bool is_double, bool all)
{
    width_trial trial = width_known(device, is_double);
    bool wanted[WIDTH_COUNT], is_complete = true;
    sheaf_model *model;
    for (int k = 0; k < WIDTH_COUNT; k++) {
        wanted[k] = trial.rates[k] != 0 || all || is_likely(device, is_double, width_values[k]);
        is_complete &= !wanted[k] || trial.rates[k] != 0;
    }
    if (is_complete || width_make_model(WIDTH_TRIAL_STRANDS, &model) != SHEAF_OK)
        return trial;
    trial = try_widths(index, model, is_double, wanted);
    sheaf_model_free(model);
    char key[KEY_SIZE];
    write_key(device, is_double, key);
    cache_store("width", key, &trial, sizeof trial);
    return trial;
}

// ---- choosing

// The rate that widths are compared by. One register per quantity is the rule on CPUs; a width that breaks it must be
// faster by more than rates differ from one trial to the next.
static double fair_rate(const width_trial *trial, const device_info *device, bool is_double, int k)
{
    const double margin = 1.1;
    const bool is_native = width_values[k] == (is_double ? device->native_width / 2 : device->native_width);
    return is_native ? margin * trial->rates[k] : trial->rates[k];
}

uint32_t width_best(const width_trial *trial, const device_info *device, bool is_double)
{
    int best = 0;
    for (int k = 1; k < WIDTH_COUNT; k++)
        if (fair_rate(trial, device, is_double, k) > fair_rate(trial, device, is_double, best))
            best = k;
    if (trial->rates[best] > 0)
        return width_values[best];
    if (device->type & CL_DEVICE_TYPE_GPU)
        return 1;
    return is_double ? 4 : 8;
}

sheaf_status width_wish(uint32_t *width)
{
    const char *wish = getenv("SHEAF_LANES");
    *width = 0;
    if (wish == NULL || wish[0] == 0)
        return SHEAF_OK;
    for (int k = 0; k < WIDTH_COUNT; k++) {
        char name[8];
        snprintf(name, sizeof name, "%u", width_values[k]);
        if (strcmp(name, wish) == 0)
            *width = width_values[k];
    }
    char shown[64];
    return *width > 0 ? SHEAF_OK
                      : base_fail(SHEAF_ERR_USAGE, "SHEAF_LANES is '%s'; it must be 1, 4, 8 or 16",
                                  base_printable(wish, shown, sizeof shown));
}

// The narrowest vectors that hold so many strands; 0: there are none, or the device is one for scalars.
static uint32_t narrowest_width(const device_info *device, uint32_t strands)
{
    for (int k = 0; k < WIDTH_COUNT && !(device->type & CL_DEVICE_TYPE_GPU); k++)
        if (width_values[k] > 1 && width_values[k] >= strands)
            return width_values[k];
    return 0;
}

sheaf_status width_choose(uint32_t index, const device_info *device, bool is_double, uint32_t strands, uint32_t *width)
{
    SHEAF_TRY(width_wish(width));
    if (*width > 0)
        return SHEAF_OK;
    const uint32_t narrowest = narrowest_width(device, strands), least = width_values[1];
    if (narrowest == least) { // no trial could change that
        *width = narrowest;
        return SHEAF_OK;
    }
    const width_trial trial = width_try(index, device, is_double, false);
    *width = width_best(&trial, device, is_double);
    if (narrowest > 0 && narrowest < *width)
        *width = narrowest;
    return SHEAF_OK;
}
