// report: what figures of strands, summed up on the device, say of the population.
#include "der/device/device_parts.h"

#include "base/vec.h"

#include <math.h>

#include "kernels/der/figures_slots.clh"
#include "kernels/der/slots.clh"
#include "world/world.h"

// Mass and first moment of the roots that follow each motion, and then of those that only jump with it: as general
// strands do, of which the device says how far they have moved. All others are in group 0.
sheaf_status der_sum_loads(sheaf_engine *engine)
{
    der_engine *own = der_own(engine);
    const sheaf_model *model = engine->model;
    own->loads = base_alloc(2 * (size_t)model->motion_count + 1, sizeof *own->loads);
    if (own->loads == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t s = 0; s < model->strand_count; s++) {
        const model_strand *strand = &model->strands[s];
        const int32_t motion = model_strand_motion(strand);
        const uint32_t jumping = motion >= 0 ? model->motion_count + (uint32_t)motion + 1 : 0;
        double *load = own->loads[der_is_clamped(model, s) ? (uint32_t)(motion + 1) : jumping];
        load[0] += strand->mass;
        vec_axpy(load + 1, strand->mass, strand->origin);
    }
    return SHEAF_OK;
}

// Energy of all mass at the places of the roots.
static double roots_energy(const sheaf_engine *engine, double time)
{
    const sheaf_model *model = engine->model;
    double energy = 0;
    for (uint32_t group = 0; group <= 2 * model->motion_count; group++) {
        const double *load = der_own(engine)->loads[group];
        double center[3];
        model_jump jump;
        if (load[0] <= 0)
            continue;
        vec_scale(center, load + 1, 1 / load[0]);
        if (group > model->motion_count) {
            if (model_motion_jump(&model->motions[group - model->motion_count - 1], 0, time, &jump))
                model_jump_point(&jump, center, center);
        } else if (group > 0)
            model_motion_point(&model->motions[group - 1], time, center, center);
        energy -= load[0] * vec_dot(model->def.gravity, center);
    }
    return energy;
}

void der_report(const sheaf_engine *engine, uint64_t step, const double *totals, sheaf_report *report)
{
    *report = (sheaf_report){.time = (double)step * engine->options.step, .step = step};
    report->kinetic = totals[FIGURE_KINETIC];
    report->bending = totals[FIGURE_BENDING];
    report->twisting = totals[FIGURE_TWISTING];
    report->gravitational = roots_energy(engine, report->time) - totals[FIGURE_LIFT];
    report->worst_strain = totals[FIGURE_STRAIN];
    report->twist_residual = totals[FIGURE_RESIDUAL];
    report->frozen_strands = (uint32_t)lrint(totals[FIGURE_FROZEN]);
    report->unmet_strands = (uint32_t)lrint(totals[FIGURE_UNMET]);
    const double moving = engine->model->strand_count - report->frozen_strands;
    report->mean_newton = moving > 0 ? totals[FIGURE_NEWTON] / moving : 0;
    report->mean_projections = moving > 0 ? totals[FIGURE_PROJECT] / moving : 0;
}

// Counts of a record are read as whole numbers later; what was wrong with a strand may be any number.
static bool records_are_sound(const sheaf_engine *engine, const void *values)
{
    const size_t count = (size_t)engine->model->strand_count * RECORD_SIZE;
    for (size_t k = 0; k < count; k++) {
        const double value =
            engine->options.is_double ? ((const double *)values)[k] : (double)((const float *)values)[k];
        const size_t field = k % RECORD_SIZE;
        const bool is_count =
            field != RECORD_VALUE && field != RECORD_WORST && field != RECORD_OMEGA && field != RECORD_GAIN;
        const double most = field == RECORD_VERTEX ? SCENE_MAX_VERTICES : 1e15;
        if (is_count && !(value >= 0 && value <= most))
            return false;
    }
    return true;
}

sheaf_status der_check_state(const sheaf_engine *engine, uint32_t field, const void *values)
{
    if (field == DER_record && !records_are_sound(engine, values))
        return base_fail(SHEAF_ERR_INPUT, "the records of strands hold numbers that no step leaves");
    return SHEAF_OK;
}
