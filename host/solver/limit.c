// limit: the explicit integrator's largest stable step over a whole model.
#include "ref/ref.h"

#include <math.h>

typedef struct limit_search {
    sheaf_state *state;
    double *limits; // [strand] s
} limit_search;

static sheaf_status limit_range(size_t first, size_t end, uint32_t worker, void *user)
{
    const limit_search *search = user;
    ref_rod rod;
    sheaf_status status = rod_open(search->state, (uint32_t)first, &rod);
    for (size_t s = first; s < end && status == SHEAF_OK; s++) {
        status = rod_aim(search->state, (uint32_t)s, &rod);
        if (status == SHEAF_OK)
            status = ref_explicit_limit(&rod, &search->limits[s]);
    }
    rod_close(&rod);
    (void)worker;
    return status;
}

static sheaf_status smallest_limit(limit_search *search, const sheaf_model *model, double *limit)
{
    search->limits = base_alloc(model->strand_count, sizeof *search->limits);
    if (search->limits == NULL)
        return SHEAF_ERR_MEMORY;
    SHEAF_TRY(state_create(model, &search->state));
    SHEAF_TRY(base_parallel_for(model->strand_count, 0, limit_range, search));
    *limit = INFINITY;
    for (uint32_t s = 0; s < model->strand_count; s++)
        *limit = fmin(*limit, search->limits[s]);
    return SHEAF_OK;
}

double sheaf_model_explicit_step_limit(const sheaf_model *model)
{
    limit_search search = {NULL, NULL};
    double limit = 0;
    if (smallest_limit(&search, model, &limit) != SHEAF_OK)
        limit = 0;
    state_free(search.state);
    base_free(search.limits);
    return limit;
}
