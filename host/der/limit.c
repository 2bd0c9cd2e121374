// limit: the explicit integrator's largest stable step over a whole model.
//
// Power iteration gives it exactly for one strand, too slowly for a population. So every strand gets a bound first, and
// only those with the lowest are worked out.
#include "base/vec.h"
#include "der/der.h"
#include "der/ref/ref.h"
#include "strand/strand.h"

#include <math.h>
#include <stdlib.h>

// Most strands that are worked out exactly. When the bound of a further one is lower than what they gave, the bound
// counts: the limit is then safe but a little short, up to a fifth for coarse curls (a third when damped).
enum { MOST_EXACT = 64 };

typedef struct strand_bound {
    double safe; // s, not above the strand's limit
    uint32_t strand;
} strand_bound;

typedef struct limit_search {
    const sheaf_model *model;
    strand_bound *bounds; // [strand]
} limit_search;

// A part of the model whose strands get their bounds.
typedef struct bound_job {
    sheaf_state *state;
    strand_bound *bounds; // [strand of the part]
    uint32_t first;       // strand of the model
} bound_job;

static double share_weight(int distance)
{
    return distance == 0 ? 0.5 : 0.25;
}

// Share of vertex v's mass that goes to a stencil centred `distance` (-1, 0, 1) away: half to its own, a quarter to
// each of its neighbours', more where there are fewer. With these shares the bound is sharp for even, straight strands.
static double mass_share(const ref_rod *rod, uint32_t v, int distance)
{
    double sum = 0;
    for (int d = -1; d <= 1; d++) {
        const int64_t center = (int64_t)v + d;
        if (rod->closed || (center >= 1 && center + 1 < rod->vertex_count))
            sum += share_weight(d);
    }
    return share_weight(distance) / sum;
}

// Largest squared frequency of interior vertex i's own stencil, K_i = sum_a k_a p_a p_a^T, carrying its share of mass.
// The five eigenvalues that can differ from 0 are those of the rows' Gram matrix, bounded by its largest row sum.
static double stencil_bound(const ref_rod *rod, uint32_t i)
{
    double row[5][3][3], stiffness[5], residual[5], highest = 0, mass[3];
    const uint32_t vertex[3] = {rod_previous_vertex(rod, i), i, rod_next_vertex(rod, i)};
    ref_elastic_rows(rod, i, row, stiffness, residual);
    ref_law_stiffest(rod, i, stiffness);
    for (int k = 0; k < 3; k++)
        mass[k] = rod->mass[vertex[k]] * mass_share(rod, vertex[k], 1 - k);
    for (int a = 0; a < 5; a++) {
        double sum = 0;
        for (int b = 0; b < 5; b++) {
            double product = 0;
            for (int k = 0; k < 3; k++)
                product += vec_dot(row[a][k], row[b][k]) / mass[k];
            sum += fabs(product) * sqrt(stiffness[a] * stiffness[b]);
        }
        highest = fmax(highest, sum);
    }
    return highest;
}

// x^T K x = sum_i x^T K_i x <= sum_i bound_i x^T M_i x <= max bound x^T M x, as the shares M_i add up to M.
static sheaf_status bound_range(size_t first, size_t end, uint32_t worker, void *user)
{
    const bound_job *job = user;
    ref_rod rod;
    sheaf_status status = rod_open(job->state, (uint32_t)first, &rod);
    (void)worker;
    for (size_t s = first; s < end && status == SHEAF_OK; s++) {
        double highest = 0;
        job->bounds[s] = (strand_bound){INFINITY, job->first + (uint32_t)s};
        if (!der_moves(job->state->model, (uint32_t)s))
            continue;
        status = rod_aim(job->state, (uint32_t)s, &rod);
        if (status != SHEAF_OK)
            break;
        ref_curvature(&rod);
        for (uint32_t i = rod_interior_first(&rod); i < rod_interior_end(&rod); i++)
            highest = fmax(highest, stencil_bound(&rod, i));
        job->bounds[s].safe = ref_stable_step(&rod, highest);
    }
    rod_close(&rod);
    return status;
}

static int compare_bounds(const void *a, const void *b)
{
    const strand_bound *first = a, *second = b;
    return first->safe < second->safe ? -1 : first->safe > second->safe;
}

static sheaf_status bound_part(const sheaf_model *part, uint32_t first, void *user)
{
    const limit_search *search = user;
    bound_job job = {.bounds = search->bounds + first, .first = first};
    SHEAF_TRY(state_create(part, &job.state));
    const sheaf_status status = base_parallel_for(part->strand_count, 0, bound_range, &job);
    state_free(job.state);
    return status;
}

static sheaf_status exact_limit(const sheaf_model *model, uint32_t strand, double *limit)
{
    sheaf_model *alone;
    sheaf_state *state = NULL;
    ref_rod rod = {0};
    SHEAF_TRY(model_part(model, &strand, 1, &alone));
    sheaf_status status = state_create(alone, &state);
    if (status == SHEAF_OK)
        status = rod_open(state, 0, &rod);
    if (status == SHEAF_OK)
        status = ref_explicit_limit(&rod, limit);
    rod_close(&rod);
    state_free(state);
    sheaf_model_free(alone);
    return status;
}

// Works out strands by rising bound until the next bound cannot matter any more.
static sheaf_status work_out(const limit_search *search, double *limit)
{
    *limit = INFINITY;
    for (uint32_t k = 0; k < search->model->strand_count; k++) {
        double exact = search->bounds[k].safe;
        if (exact >= *limit)
            break;
        if (k < MOST_EXACT)
            SHEAF_TRY(exact_limit(search->model, search->bounds[k].strand, &exact));
        *limit = fmin(*limit, exact);
    }
    return SHEAF_OK;
}

static sheaf_status find_limit(limit_search *search, double *limit)
{
    const uint32_t strands = search->model->strand_count;
    search->bounds = base_alloc(strands, sizeof *search->bounds);
    if (search->bounds == NULL)
        return SHEAF_ERR_MEMORY;
    SHEAF_TRY(model_for_each_part(search->model, bound_part, search));
    qsort(search->bounds, strands, sizeof *search->bounds, compare_bounds);
    return work_out(search, limit);
}

sheaf_status der_step_limit(const sheaf_model *model, double *limit)
{
    limit_search search = {model, NULL};
    const sheaf_status status = find_limit(&search, limit);
    base_free(search.bounds);
    return status;
}
