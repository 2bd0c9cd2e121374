// catchup: an implicit step that is looked at before it counts. Where Newton's method comes to no end within its limit,
// or the strand gains energy, the step is taken again from its start as four quarter steps of implicit Euler.
#include "der/ref/ref.h"

#include <string.h>

#include "base/vec.h"
#include "der/ledger.h"

enum { QUARTERS = 4 };

// A whole strand at the start of a step.
typedef struct kept_state {
    ref_before before;
    double *memory;
    bool has_history;
    double closing_angle;
} kept_state;

typedef struct kept_part {
    void *from;
    size_t bytes;
} kept_part;

enum { PARTS = 14 };

static void list_parts(ref_rod *rod, kept_part parts[PARTS])
{
    const size_t vectors = rod->vertex_count * sizeof *rod->x, numbers = rod->vertex_count * sizeof(double),
                 edges = rod->edge_count * sizeof *rod->tangent, angles = rod->edge_count * sizeof(double);
    const kept_part all[PARTS] = {
        {rod->v, vectors},
        {rod->last_velocity, vectors},
        {rod->last_strain, 5 * numbers},
        {rod->friction, 5 * numbers},
        {rod->x, vectors},
        {rod->displacement, vectors},
        {rod->touch, numbers},
        {rod->tension, angles},
        {rod->tangent, edges},
        {rod->bishop, edges},
        {rod->held, edges},
        {rod->held_angle, angles},
        {rod->theta, angles},
        {rod->closing_angle, sizeof(double)},
    };
    memcpy(parts, all, sizeof all);
}

static sheaf_status keep(ref_rod *rod, kept_state *kept)
{
    kept_part parts[PARTS];
    size_t bytes = 0;
    list_parts(rod, parts);
    for (int k = 0; k < PARTS; k++)
        bytes += parts[k].bytes;
    *kept = (kept_state){.memory = base_alloc(bytes, 1), .has_history = rod->record->has_history};
    if (kept->memory == NULL)
        return SHEAF_ERR_MEMORY;
    char *to = (char *)kept->memory;
    for (int k = 0; k < PARTS; to += parts[k].bytes, k++)
        memcpy(to, parts[k].from, parts[k].bytes);
    kept->before.velocity = (const double(*)[3])(const void *)kept->memory;
    kept->before.last_velocity = kept->before.velocity + rod->vertex_count;
    kept->before.last_strain = (const double(*)[5])(const void *)(kept->before.last_velocity + rod->vertex_count);
    return SHEAF_OK;
}

static void put_back(ref_rod *rod, const kept_state *kept)
{
    kept_part parts[PARTS];
    const char *from = (const char *)kept->memory;
    list_parts(rod, parts);
    for (int k = 0; k < PARTS; from += parts[k].bytes, k++)
        memcpy(parts[k].from, from, parts[k].bytes);
    rod->record->has_history = kept->has_history;
}

// What the ledger wants to know of the pose before a step.
static void look_before(ref_rod *rod, bool has_history, ref_before *before)
{
    ref_curvature(rod);
    before->has_history = has_history;
    before->energies = ref_ledger_energies(rod);
    vec_copy(before->director, rod->m1[0]);
}

// A step, and what the strand gained in it.
static sheaf_status take(ref_rod *rod, double time, double step, const ref_schedule *schedule, ref_before *before,
                         ref_gain *gain)
{
    look_before(rod, schedule->bdf2 && rod->record->has_history, before);
    SHEAF_TRY(ref_implicit_step(rod, time, step, schedule));
    *gain = ref_ledger(rod, before, time + step, step);
    return SHEAF_OK;
}

static sheaf_status take_quarters(ref_rod *rod, double time, double step, ref_gain *sum, bool *is_open)
{
    const double quarter = step / QUARTERS;
    ref_schedule schedule = ref_schedule_default(rod, step); // stretch and springs stay as soft as in a whole step
    schedule.bdf2 = false;
    schedule.project.rate = 1 / (quarter * quarter);
    *sum = (ref_gain){0};
    *is_open = false;
    for (int k = 0; k < QUARTERS; k++) {
        kept_state kept;
        ref_gain gain = {0};
        SHEAF_TRY(keep(rod, &kept));
        const sheaf_status status = take(rod, time + k * quarter, quarter, &schedule, &kept.before, &gain);
        base_free(kept.memory);
        SHEAF_TRY(status);
        *is_open = *is_open || ref_took_all_iterations(rod);
        sum->gain += gain.gain;
        sum->bar = fmax(sum->bar, gain.bar);
    }
    rod->record->has_history = false; // of quarters, which a whole step has no use for
    return SHEAF_OK;
}

static bool is_above(const ref_rod *rod, ref_gain gain)
{
    return der_has_ledger(rod->model, (uint32_t)(rod->strand - rod->model->strands)) && !(gain.gain <= gain.bar);
}

// A scene that says how many iterations there are gets as many, and no step twice; nor do strands that others push.
sheaf_status ref_careful_step(ref_rod *rod, double time, double step)
{
    enum { FIRST_TRY = 12 }; // iterations, of the whole step
    const bool may_retake = rod->model->def.newton == 0 && rod->push == NULL;
    ref_schedule schedule = ref_schedule_default(rod, step);
    state_strand *record = rod->record;
    kept_state kept;
    ref_gain gain = {0};
    bool is_open = false;
    if (may_retake)
        schedule.newton_most = FIRST_TRY;
    SHEAF_TRY(keep(rod, &kept));
    sheaf_status status = take(rod, time, step, &schedule, &kept.before, &gain);
    is_open = ref_took_all_iterations(rod);
    if (status == SHEAF_OK && may_retake && (is_open || is_above(rod, gain))) {
        put_back(rod, &kept);
        status = take_quarters(rod, time, step, &gain, &is_open);
        record->retakes++;
    }
    base_free(kept.memory);
    const bool has_ledger = der_has_ledger(rod->model, (uint32_t)(rod->strand - rod->model->strands));
    record->gain = has_ledger ? gain.gain : 0;
    record->excess = has_ledger && gain.gain > 0 ? gain.gain / gain.bar : 0;
    record->is_unmet = is_open || (may_retake && is_above(rod, gain));
    return status;
}
