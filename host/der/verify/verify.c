// verify: rods on a device against the reference: every stage, in every form and both schedules, and whole steps.
#include "der/verify/parts.h"

#include <string.h>

static const char *const stage_names[] = {
    "external", "guess",   "ends",         "frames",           "curvature", "twist",
    "assemble", "solve",   "bend_twist",   "integrate",        "project",   "finish",
    "wind",     "contact", "collide",      "rounding",         "bdf2",      "euler",
    "explicit", "jacobi",  "bdf2_contact", "explicit_contact", "violent",   NULL};

engine_options verify_engine_options(const verifier *v, double step)
{
    const bool is_staged = strcmp(v->schedule, "staged") == 0;
    return (engine_options){.device = v->options->device,
                            .lane_width = v->form.lane_width,
                            .is_double = v->form.is_double,
                            .is_staged = is_staged,
                            .step = step,
                            .tuning = {[DER_TWIST_ITERATIONS] = VERIFY_TWIST_ITERATIONS},
                            .text = is_staged ? v->options->staged_text : v->options->fused_text};
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

static uint32_t count_work(const verifier *v)
{
    return count_forms(v) * verify_stages_work(v) + verify_steps_work(v) + verify_wild_work(v);
}

static sheaf_status verify_all(verifier *v)
{
    for (int k = 0; k < VERIFY_FORM_COUNT; k++) {
        v->form = verify_form_list[k];
        if (verify_wants_form(v, &v->form))
            SHEAF_TRY(verify_form_alone(v));
    }
    SHEAF_TRY(verify_whole_steps(v));
    return verify_wild_steps(v);
}

const verify_part der_verify = {.stages = stage_names, .work = count_work, .run = verify_all};
