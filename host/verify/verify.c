// verify: all forms, one after the other.
#include "verify/verify.h"

#include "cl/device.h"
#include "verify/parts.h"
#include "verify/population.h"

#include <string.h>

const char *const verify_stages[] = {"external", "guess",   "ends",         "frames",           "curvature", "twist",
                                     "assemble", "solve",   "bend_twist",   "integrate",        "project",   "finish",
                                     "wind",     "contact", "collide",      "rounding",         "bdf2",      "euler",
                                     "explicit", "jacobi",  "bdf2_contact", "explicit_contact", "violent",   NULL};

const char *const verify_forms[] = {"float1",  "float4",  "float8",   "float16", "double1",
                                    "double4", "double8", "double16", NULL};

static bool is_listed(const char *const *list, const char *name)
{
    for (size_t k = 0; list[k] != NULL; k++)
        if (strcmp(list[k], name) == 0)
            return true;
    return false;
}

static sheaf_status check_options(const verify_options *options, const device_info *device)
{
    if (options->stage != NULL && !is_listed(verify_stages, options->stage))
        return base_fail(SHEAF_ERR_USAGE, "there is no stage '%s' to verify", options->stage);
    if (options->form != NULL && !is_listed(verify_forms, options->form))
        return base_fail(SHEAF_ERR_USAGE, "the kernels have no form '%s'", options->form);
    if (options->form != NULL && strncmp(options->form, "double", 6) == 0 && !device->has_fp64)
        return base_fail(SHEAF_ERR_DEVICE, "%s has no double precision to verify", device->name);
    return SHEAF_OK;
}

static verify_options complete(const verify_options *options)
{
    verify_options it = *options;
    it.strands = it.strands > 0 ? it.strands : 1000;
    it.steps = it.steps > 0 ? it.steps : 100;
    if (it.vertex_most < 5 || it.vertex_most > POPULATION_VERTEX_MOST)
        it.vertex_most = POPULATION_VERTEX_MOST;
    return it;
}

static uint32_t count_forms(const verifier *v)
{
    uint32_t count = 0;
    for (int k = 0; k < VERIFY_FORM_COUNT; k++)
        count += verify_wants_form(v, &verify_form_list[k]);
    return count;
}

static sheaf_status verify_form_alone(verifier *v)
{
    v->schedule = "staged";
    SHEAF_TRY(verify_single_stages(v));
    SHEAF_TRY(verify_rounding(v));
    rows_emit(v);
    return SHEAF_OK;
}

static sheaf_status verify_all(verifier *v)
{
    v->total = count_forms(v) * verify_stages_work(v) + verify_steps_work(v) + verify_wild_work(v);
    for (int k = 0; k < VERIFY_FORM_COUNT; k++) {
        v->form = verify_form_list[k];
        if (verify_wants_form(v, &v->form))
            SHEAF_TRY(verify_form_alone(v));
    }
    SHEAF_TRY(verify_whole_steps(v));
    return verify_wild_steps(v);
}

sheaf_status verify_run(const verify_options *options, const verify_hooks *hooks, verify_summary *summary)
{
    const verify_options all = complete(options);
    verifier v = {.options = &all, .hooks = hooks, .summary = summary};
    device_info device;
    *summary = (verify_summary){.passed = 0};
    SHEAF_TRY(device_find(options->device, &device));
    SHEAF_TRY(check_options(options, &device));
    v.has_fp64 = device.has_fp64;
    const sheaf_status status = verify_all(&v);
    rows_free(&v);
    return status;
}
