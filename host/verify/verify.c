// verify: the rows of all methods.
#include "verify/verify.h"

#include "cl/device.h"
#include "method/method.h"
#include "verify/rows.h"

#include <string.h>

const char *verify_stages[VERIFY_STAGES_MAX + 1];

void verify_find_stages(void)
{
    int count = 0;
    for (int k = 0; method_list[k] != NULL; k++)
        for (int s = 0; method_list[k]->verify != NULL && method_list[k]->verify->stages[s] != NULL; s++)
            if (count < VERIFY_STAGES_MAX)
                verify_stages[count++] = method_list[k]->verify->stages[s];
}

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
    if (options->stage != NULL && !is_listed((const char *const *)verify_stages, options->stage))
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
    if (it.vertex_most < 5 || it.vertex_most > VERIFY_VERTEX_MAX)
        it.vertex_most = VERIFY_VERTEX_MAX;
    return it;
}

static sheaf_status verify_methods(verifier *v)
{
    for (int k = 0; method_list[k] != NULL; k++)
        v->total += method_list[k]->verify != NULL ? method_list[k]->verify->work(v) : 0;
    for (int k = 0; method_list[k] != NULL; k++)
        if (method_list[k]->verify != NULL)
            SHEAF_TRY(method_list[k]->verify->run(v));
    return SHEAF_OK;
}

sheaf_status verify_run(const verify_options *options, const verify_hooks *hooks, verify_summary *summary)
{
    const verify_options all = complete(options);
    verifier v = {.options = &all, .hooks = hooks, .summary = summary};
    device_info device;
    *summary = (verify_summary){.passed = 0};
    verify_find_stages();
    SHEAF_TRY(device_find(options->device, &device));
    SHEAF_TRY(check_options(options, &device));
    v.has_fp64 = device.has_fp64;
    const sheaf_status status = verify_methods(&v);
    rows_free(&v);
    return status;
}
