// start: the reference's own start, handed to the device. A strand that begins in another pose than its natural form
// has several equilibria of its frames; two solves, each with iterations of its own, would not always find the same.
#include "der/start.h"

#include "base/vec.h"
#include "der/ref/ref.h"

#include <math.h>
#include <string.h>

double der_given_twist(const sheaf_model *model, uint64_t vertex)
{
    const uint64_t i = vertex;
    double e0[3], e1[3], t0[3], t1[3], carried[3];
    vec_sub(e0, model->position[i], model->position[i - 1]);
    vec_sub(e1, model->position[i + 1], model->position[i]);
    vec_unit(t0, e0);
    vec_unit(t1, e1);
    vec_transport(carried, model->director[i - 1], t0, t1);
    const double turn = 2 * 3.14159265358979323846, angle = vec_angle(carried, model->director[i], t1);
    return angle + turn * rint((model->natural_twist[i] - angle) / turn);
}

// Twist of isotropic, naturally straight strands is a matter of one linear solve, which the first step makes.
static bool may_need_start(const model_strand *strand)
{
    return !strand->isotropic_straight && !strand->closed;
}

static sheaf_status allocate(const sheaf_model *model, der_start **start)
{
    const size_t vertices = (size_t)model->vertex_count, bytes = vertices * sizeof(double[4]);
    der_start *made = base_alloc(1, sizeof *made + bytes);
    if (made == NULL)
        return SHEAF_ERR_MEMORY;
    made->director = (double(*)[3])(made + 1);
    made->twist = (double *)(made->director + vertices);
    memcpy(made->director, model->director, vertices * sizeof *made->director);
    for (uint32_t s = 0; s < model->strand_count; s++)
        for (uint64_t i = model->first_vertex[s] + 1; i + 2 < model->first_vertex[s + 1] + 1; i++)
            made->twist[i] = der_given_twist(model, i);
    *start = made;
    return SHEAF_OK;
}

// What is found for a strand, in the place of its first vertex.
static void keep(const ref_rod *rod, uint64_t first, der_start *start)
{
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        vec_copy(start->director[first + j], rod->m1[j]);
        if (j > 0)
            start->twist[first + j] = rod->m[j];
    }
}

// Largest turn of a frame away from what is given, rad.
static double turned_by(const ref_rod *rod, const sheaf_model *model, uint64_t first)
{
    double largest = 0;
    for (uint32_t j = 0; j < rod->edge_count; j++)
        largest = fmax(largest, fabs(vec_angle(model->director[first + j], rod->m1[j], rod->tangent[j])));
    return largest;
}

typedef struct search {
    const sheaf_model *model;
    sheaf_state *state;
    der_start *start;
    bool *turned; // [strand] its frames are not those that are given
} search;

static sheaf_status find_range(size_t first, size_t end, uint32_t worker, void *user)
{
    static const double rounding = 1e-9; // rad
    const search *it = user;
    ref_rod rod = {0};
    sheaf_status status = SHEAF_OK;
    (void)worker;
    for (size_t s = first; s < end && status == SHEAF_OK; s++) {
        if (!may_need_start(&it->model->strands[s]))
            continue;
        status = rod_aim(it->state, (uint32_t)s, &rod);
        if (status == SHEAF_OK)
            status = ref_start(&rod, 0);
        it->turned[s] = status == SHEAF_OK && turned_by(&rod, it->model, it->model->first_vertex[s]) > rounding;
        if (it->turned[s])
            keep(&rod, it->model->first_vertex[s], it->start);
    }
    rod_close(&rod);
    return status;
}

static sheaf_status find_all(search *it, bool *any)
{
    it->turned = base_alloc(it->model->strand_count, sizeof *it->turned);
    if (it->turned == NULL)
        return SHEAF_ERR_MEMORY;
    SHEAF_TRY(state_create(it->model, &it->state));
    SHEAF_TRY(allocate(it->model, &it->start));
    SHEAF_TRY(base_parallel_for(it->model->strand_count, 0, find_range, it));
    for (uint32_t s = 0; s < it->model->strand_count; s++)
        *any = *any || it->turned[s];
    return SHEAF_OK;
}

sheaf_status der_find_start(const sheaf_model *model, der_start **start)
{
    search it = {.model = model};
    bool wanted = false, any = false;
    *start = NULL;
    for (uint32_t s = 0; s < model->strand_count && !wanted; s++)
        wanted = may_need_start(&model->strands[s]);
    if (!wanted)
        return SHEAF_OK;
    const sheaf_status status = find_all(&it, &any);
    state_free(it.state);
    base_free(it.turned);
    if (any && status == SHEAF_OK)
        *start = it.start;
    else
        base_free(it.start);
    return status;
}
