// owners: trial of how far scratch may go beyond a GPU's cache.
#include "der/device/owners.h"

#include "cl/cache.h"
#include "cl/program.h"
#include "der/device/device.h"
#include "der/device/width.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/der/slots.clh"

enum { FILLS = 5, TRIAL_STEPS = 8, ROUNDS = 5, STRANDS_PER_UNIT = 512, STRANDS_MOST = 1 << 16, KEY_SIZE = 600 };
static const uint32_t fills[FILLS] = {1, 2, 4, 8, 16};

// Vertex-steps per second with each of them; 0 where the device could not.
typedef struct fill_trial {
    double rates[FILLS];
} fill_trial;

static void write_key(const device_info *device, bool is_double, char key[KEY_SIZE])
{
    char identity[PROGRAM_IDENTITY_SIZE];
    program_identity(device, identity);
    snprintf(key, KEY_SIZE, "%s; %u units; %s; owners by a cache of %llu", identity, device->compute_units,
             is_double ? "double" : "single", (unsigned long long)device->cache);
}

static bool is_known(const char *key, fill_trial *trial)
{
    base_text content = {0};
    const bool found = cache_load("owners", key, &content) && content.length == sizeof *trial;
    if (found)
        memcpy(trial, content.bytes, sizeof *trial);
    base_text_free(&content);
    return found;
}

// ---- the trial

static void open_engines(const sheaf_model *model, const engine_options *options, sheaf_engine *engines[FILLS])
{
    for (int k = 0; k < FILLS; k++) {
        const engine_options wanted = {.device = options->device,
                                       .lane_width = 1,
                                       .is_double = options->is_double,
                                       .step = model->def.step,
                                       .cache_fill = fills[k],
                                       .kin = k > 0 ? engines[0] : NULL};
        if (der_open_engine(model, &wanted, &engines[k]) != SHEAF_OK)
            engines[k] = NULL;
        if (k == 0 && engines[0] == NULL)
            break;
    }
}

static double time_round(sheaf_engine *engine, double work)
{
    const double start = base_clock();
    if (engine_step(engine, TRIAL_STEPS) != SHEAF_OK || engine_wait(engine) != SHEAF_OK)
        return 0;
    return work / (base_clock() - start);
}

// Rounds take turns, so that what disturbs the device for a while disturbs all; the first is not timed.
static fill_trial time_rounds(sheaf_engine *engines[FILLS], double work)
{
    fill_trial trial = {{0}};
    for (int round = 0; round <= ROUNDS; round++)
        for (int k = 0; k < FILLS; k++) {
            const double rate = engines[k] != NULL ? time_round(engines[k], work) : 0;
            if (round > 0)
                trial.rates[k] = fmax(trial.rates[k], rate);
        }
    return trial;
}

static bool try_fills(const device_info *device, const engine_options *options, fill_trial *trial)
{
    sheaf_engine *engines[FILLS] = {NULL};
    sheaf_model *model;
    const uint64_t strands = (uint64_t)device->compute_units * STRANDS_PER_UNIT;
    if (width_make_model(strands < STRANDS_MOST ? (uint32_t)strands : STRANDS_MOST, &model) != SHEAF_OK)
        return false;
    open_engines(model, options, engines);
    *trial = time_rounds(engines, (double)model->vertex_count * TRIAL_STEPS);
    for (int k = FILLS - 1; k >= 0; k--) // the first lends the others its programs
        engine_close(engines[k]);
    sheaf_model_free(model);
    return true;
}

// ---- choosing

// The smallest that is no slower than another by more than rates differ from trial to trial.
static uint32_t best_fill(const fill_trial *trial)
{
    const double margin = 1.03;
    int best = 0;
    for (int k = 1; k < FILLS; k++)
        if (isfinite(trial->rates[k]) && trial->rates[k] > margin * trial->rates[best])
            best = k;
    return fills[best];
}

void owners_choose(const device_info *device, uint64_t vertices, engine_options *options)
{
    char key[KEY_SIZE];
    fill_trial trial;
    const double scratch = (double)vertices * Z_BARE * sizeof(float);
    if (!(device->type & CL_DEVICE_TYPE_GPU) || device->cache == 0 || options->lane_width != 1 || options->is_staged ||
        options->is_coupled || options->work_items > 0 || scratch <= (double)device->cache)
        return;
    write_key(device, options->is_double, key);
    if (!is_known(key, &trial)) {
        if (!try_fills(device, options, &trial))
            return;
        cache_store("owners", key, &trial, sizeof trial);
    }
    options->cache_fill = best_fill(&trial);
}
