// balance: a look at the strands that are to start at rest: what force is left, and who would fall.
#include "strand/balance.h"

#include "base/vec.h"
#include "der/der.h"
#include "der/ref/ref.h"
#include "strand/strand.h"

#include <math.h>

// What was found of one strand.
typedef struct finding {
    const char *reason; // NULL: at rest for good
    bool is_wanted, is_unbalanced, is_unstable;
    double residual; // N
} finding;

// What one thread works with.
typedef struct bench {
    ref_rod rod;
    balance_block *blocks; // [vertex of the longest strand]
} bench;

// A part of the model under work.
typedef struct survey {
    const sheaf_model *part;
    sheaf_state *state;
    bench *benches; // [worker]
    finding *findings;
} survey;

static uint32_t longest_strand(const sheaf_model *model)
{
    uint32_t longest = 0;
    for (uint32_t s = 0; s < model->strand_count; s++)
        longest = model_vertex_count(model, s) > longest ? model_vertex_count(model, s) : longest;
    return longest;
}

// Largest force on a free vertex besides what tensions bear. Going from the tip to the root, each edge bears what its
// outer vertex is pulled along it, and hands that on to its inner one.
static double residual_force(ref_rod *rod)
{
    double carried[3] = {0, 0, 0}, worst = 0;
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        vec_set(rod->force[i], 0, 0, 0);
    ref_curvature(rod);
    ref_twist_gradient(rod);
    ref_bend_twist_forces(rod);
    for (uint32_t i = rod->vertex_count - 1; i >= 2; i--) { // the first edge is clamped
        double force[3];
        const double *along = rod->tangent[i - 1];
        vec_add(force, rod->force[i], carried);
        vec_axpy(force, rod->mass[i], rod->model->def.gravity);
        vec_scale(carried, along, vec_dot(force, along));
        vec_sub(force, force, carried);
        worst = fmax(worst, vec_length(force));
    }
    return worst;
}

static sheaf_status look(survey *it, bench *tools, uint32_t s)
{
    finding *found = &it->findings[s];
    found->is_wanted = der_moves(it->part, s) && balance_is_wanted(it->part, s);
    if (!found->is_wanted)
        return SHEAF_OK;
    found->reason = balance_obstacle(&it->part->groups[it->part->strands[s].group].strand);
    found->is_unbalanced = found->reason != NULL;
    if (found->is_unbalanced)
        return SHEAF_OK;
    SHEAF_TRY(rod_aim(it->state, s, &tools->rod));
    found->residual = residual_force(&tools->rod);
    const model_strand *strand = &it->part->strands[s];
    if (strand->overborne)
        found->reason = BALANCE_OVERBORNE, found->is_unbalanced = true;
    else if (strand->law == NULL && !balance_is_stable(it->part, s, tools->blocks))
        found->reason = BALANCE_WOULD_FALL, found->is_unstable = true;
    else if (it->part->strands[s].touches)
        found->reason = BALANCE_TOUCHES;
    return SHEAF_OK;
}

static sheaf_status look_range(size_t first, size_t end, uint32_t worker, void *user)
{
    survey *it = user;
    for (size_t s = first; s < end; s++)
        SHEAF_TRY(look(it, &it->benches[worker], (uint32_t)s));
    return SHEAF_OK;
}

// ---- a part of the model at a time

typedef struct summary {
    sheaf_balance *balance;
    method_imbalances *list;
} summary;

static void add_finding(summary *sum, const sheaf_model *part, uint32_t s, uint32_t number, const finding *found)
{
    sheaf_balance *balance = sum->balance;
    balance->wanted += found->is_wanted;
    balance->unbalanced += found->is_unbalanced;
    balance->unstable += found->is_unstable;
    if (found->reason != NULL && sum->list->count < sum->list->capacity)
        sum->list->list[sum->list->count++] = (sheaf_imbalance){number, found->reason};
    if (!found->is_wanted || found->is_unbalanced || found->residual < balance->residual)
        return;
    balance->residual = found->residual;
    balance->weight = part->strands[s].mass * vec_length(part->def.gravity) / model_vertex_count(part, s);
}

static sheaf_status open_benches(survey *it, uint32_t workers)
{
    const uint32_t longest = longest_strand(it->part);
    it->findings = base_alloc(it->part->strand_count, sizeof *it->findings);
    it->benches = base_alloc(workers, sizeof *it->benches);
    if (it->findings == NULL || it->benches == NULL)
        return SHEAF_ERR_MEMORY;
    SHEAF_TRY(state_create(it->part, &it->state));
    for (uint32_t k = 0; k < workers; k++) {
        SHEAF_TRY(rod_open(it->state, 0, &it->benches[k].rod));
        it->benches[k].blocks = base_alloc(longest, sizeof *it->benches[k].blocks);
        if (it->benches[k].blocks == NULL)
            return SHEAF_ERR_MEMORY;
    }
    return SHEAF_OK;
}

static sheaf_status survey_part(const sheaf_model *part, uint32_t first, void *user)
{
    summary *sum = user;
    survey it = {.part = part};
    const uint32_t workers = base_worker_count(0);
    sheaf_status status = open_benches(&it, workers);
    if (status == SHEAF_OK)
        status = base_parallel_for(part->strand_count, 0, look_range, &it);
    for (uint32_t s = 0; status == SHEAF_OK && s < part->strand_count; s++)
        add_finding(sum, part, s, first + s, &it.findings[s]);
    for (uint32_t k = 0; it.benches != NULL && k < workers; k++) {
        rod_close(&it.benches[k].rod);
        base_free(it.benches[k].blocks);
    }
    state_free(it.state);
    base_free(it.benches);
    base_free(it.findings);
    return status;
}

sheaf_status der_balance(const sheaf_model *model, sheaf_balance *balance, method_imbalances *list)
{
    summary sum = {balance, list};
    return balance_is_wanted_anywhere(model) ? model_for_each_part(model, survey_part, &sum) : SHEAF_OK;
}
