// facts: what methods know of a model without opening it.
#include "solver/solver.h"

#include <math.h>

double sheaf_model_explicit_step_limit(const sheaf_model *model)
{
    double lowest = INFINITY;
    for (int k = 0; model != NULL && method_list[k] != NULL; k++) {
        double limit = INFINITY;
        if (method_list[k]->step_limit != NULL && method_list[k]->step_limit(model, &limit) != SHEAF_OK)
            return 0;
        lowest = fmin(lowest, limit);
    }
    return isfinite(lowest) ? lowest : 0;
}

uint64_t solver_state_bytes(const sheaf_model *model)
{
    uint64_t bytes = 0;
    for (int k = 0; method_list[k] != NULL; k++)
        bytes += method_list[k]->state_bytes != NULL ? method_list[k]->state_bytes(model) : 0;
    return bytes;
}

// Puts what one method found among what others did, by the number of the strand.
static void merge(const method_imbalances *found, method_imbalances *all)
{
    for (uint32_t k = 0; k < found->count; k++) {
        uint32_t at = all->count < all->capacity ? all->count++ : all->capacity;
        for (; at > 0 && all->list[at - 1].strand > found->list[k].strand; at--)
            if (at < all->capacity)
                all->list[at] = all->list[at - 1];
        if (at < all->capacity)
            all->list[at] = found->list[k];
    }
}

static sheaf_status add_balance(const method *it, const sheaf_model *model, sheaf_balance *balance,
                                method_imbalances *list)
{
    sheaf_balance own = {0};
    method_imbalances found = {base_alloc(list->capacity, sizeof *found.list), 0, list->capacity};
    const sheaf_status status =
        found.list != NULL || list->capacity == 0 ? it->balance(model, &own, &found) : SHEAF_ERR_MEMORY;
    merge(&found, list);
    base_free(found.list);
    balance->wanted += own.wanted;
    balance->unbalanced += own.unbalanced;
    balance->unstable += own.unstable;
    if (own.residual > balance->residual || balance->weight == 0) {
        balance->residual = own.residual;
        balance->weight = own.weight;
    }
    return status;
}

sheaf_status sheaf_model_balance(const sheaf_model *model, sheaf_balance *balance, sheaf_imbalance *list,
                                 uint32_t capacity)
{
    if (model == NULL || balance == NULL || (list == NULL && capacity > 0))
        return base_fail(SHEAF_ERR_USAGE, "sheaf_model_balance: an argument is NULL");
    *balance = (sheaf_balance){0};
    method_imbalances all = {list, 0, capacity};
    for (int k = 0; method_list[k] != NULL; k++)
        if (method_list[k]->balance != NULL)
            SHEAF_TRY(add_balance(method_list[k], model, balance, &all));
    return SHEAF_OK;
}
