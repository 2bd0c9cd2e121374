// accelerated: the OpenCL engine behind the solver's interface.
#include "solver/accelerated.h"

#include <math.h>
#include <stdio.h>

struct accelerated {
    const sheaf_model *model;
    sheaf_engine *engine;
    engine_freeze *freezes; // [freeze_count], room for every strand
    uint32_t freeze_count;
    char form[16];
    bool is_double;
};

static sheaf_status find_device(int32_t wanted, device_info *info, uint32_t *index)
{
    device_info devices[DEVICE_MOST];
    uint32_t count;
    char why[128];
    SHEAF_TRY(device_list(devices, &count));
    *index = wanted >= 0 ? (uint32_t)wanted : device_choose(devices, count, why, sizeof why);
    if (*index >= count)
        return base_fail(SHEAF_ERR_DEVICE,
                         "there is no OpenCL device %d: %u found; install one such as PoCL, or use the "
                         "reference",
                         wanted, count);
    *info = devices[*index];
    return SHEAF_OK;
}

bool accelerated_possible(const sheaf_model *model, char *reason, size_t size)
{
    device_info info;
    uint32_t index;
    if (find_device(-1, &info, &index) != SHEAF_OK) {
        snprintf(reason, size, "no OpenCL device was found");
        return false;
    }
    return bundles_supported(model, reason, size);
}

// CPU devices take vectors of 8 strands per work-item, GPUs one strand per work-item.
static uint32_t choose_width(const device_info *info, bool is_double)
{
    if (info->type & CL_DEVICE_TYPE_GPU)
        return 1;
    return is_double ? 4 : 8;
}

// Largest bending stiffness of an edge against its inertia over a step, B h^2 / (l^3 m). Single precision holds seven
// digits: where this ratio eats five of them, the motion of a stiff strand as a whole drowns in rounding.
enum { RATIO_MOST = 100000 };

static double stiffest_ratio(const sheaf_model *model, double step)
{
    double worst = 0;
    for (uint32_t s = 0; s < model->strand_count; s++)
        for (uint64_t j = model->first_vertex[s]; j + 1 < model->first_vertex[s + 1]; j++) {
            const double l = model->rest_length[j], mass = (model->mass[j] + model->mass[j + 1]) / 2;
            const double bend = fmax(model->bend[j][0], model->bend[j][1]);
            worst = fmax(worst, bend * step * step / (l * l * l * mass));
        }
    return worst;
}

// Double where it is asked for, or where single could not resolve the model and the device can.
static bool needs_double(const sheaf_model *model, double step, const device_info *info)
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

static sheaf_status open_engine(accelerated *a, double step, int32_t device, bool is_double)
{
    device_info info;
    engine_options options = {.is_double = is_double, .step = step};
    char reason[256];
    SHEAF_TRY(find_device(device, &info, &options.device));
    if (!bundles_supported(a->model, reason, sizeof reason))
        return base_fail(SHEAF_ERR_USAGE, "the device cannot simulate this scene: %s; use `--device ref`", reason);
    is_double = is_double || needs_double(a->model, step, &info);
    options.is_double = is_double;
    options.lane_width = choose_width(&info, is_double);
    a->is_double = is_double;
    snprintf(a->form, sizeof a->form, "%s%u", is_double ? "double" : "float", options.lane_width);
    return engine_open(a->model, &options, &a->engine);
}

sheaf_status accelerated_open(const sheaf_model *model, double step, int32_t device, bool is_double,
                              accelerated **opened)
{
    *opened = NULL;
    accelerated *a = base_alloc(1, sizeof *a);
    if (a == NULL)
        return SHEAF_ERR_MEMORY;
    a->model = model;
    a->freezes = base_alloc(model->strand_count, sizeof *a->freezes);
    const sheaf_status status = a->freezes ? open_engine(a, step, device, is_double) : SHEAF_ERR_MEMORY;
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

sheaf_status accelerated_read(accelerated *a, double (*positions)[3], double (*velocities)[3])
{
    return engine_read(a->engine, positions, velocities);
}

// Tells of strands that froze since the last report.
sheaf_status accelerated_report(accelerated *a, sheaf_report *report)
{
    SHEAF_TRY(engine_report(a->engine, report));
    if (report->frozen_strands == a->freeze_count)
        return SHEAF_OK;
    const uint32_t told = a->freeze_count;
    SHEAF_TRY(engine_freezes(a->engine, a->freezes, &a->freeze_count));
    for (uint32_t k = told; k < a->freeze_count; k++)
        base_log(SHEAF_LOG_WARNING,
                 "strand %u is frozen from step %llu on: the displacement of vertex %u is out of bounds",
                 a->freezes[k].strand, (unsigned long long)a->freezes[k].step, a->freezes[k].vertex);
    return SHEAF_OK;
}

sheaf_status accelerated_incident(accelerated *a, uint32_t index, sheaf_incident *incident)
{
    SHEAF_TRY(engine_freezes(a->engine, a->freezes, &a->freeze_count));
    if (index >= a->freeze_count)
        return base_fail(SHEAF_ERR_USAGE, "incident %u of %u: there are not so many", index, a->freeze_count);
    const engine_freeze *f = &a->freezes[index];
    *incident = (sheaf_incident){
        .strand = f->strand, .vertex = f->vertex, .step = f->step, .quantity = "position", .value = f->value};
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
