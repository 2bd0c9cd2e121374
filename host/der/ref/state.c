// state: the moving arrays of one solver, from the model's initial pose.
#include "der/ref/state.h"

#include "base/vec.h"
#include "law/law.h"

#include <string.h>

// Every array of a state but the strands' records: name and how many rows of the model there are.
#define STATE_ARRAYS(X)                                                                                                \
    X(position, model->vertex_count)                                                                                   \
    X(velocity, model->vertex_count)                                                                                   \
    X(displacement, model->vertex_count)                                                                               \
    X(last_velocity, model->vertex_count)                                                                              \
    X(last_strain, model->vertex_count)                                                                                \
    X(friction, state_rubbing_rows(model))                                                                             \
    X(from, state_rubbing_rows(model))                                                                                 \
    X(tension, model->vertex_count)                                                                                    \
    X(touch, model->vertex_count)                                                                                      \
    X(tangent, model->vertex_count)                                                                                    \
    X(bishop, model->vertex_count)                                                                                     \
    X(held, model->vertex_count)                                                                                       \
    X(held_angle, model->vertex_count)                                                                                 \
    X(closing_angle, model->strand_count)                                                                              \
    X(theta, model->vertex_count)                                                                                      \
    X(strands, model->strand_count)

uint64_t state_rubbing_rows(const sheaf_model *model)
{
    for (uint32_t s = 0; s < model->strand_count; s++)
        if (model->strands[s].law != NULL && law_friction_of(model->strands[s].law).stiffness > 0)
            return model->vertex_count;
    return 1;
}

uint64_t model_state_bytes(const sheaf_model *model)
{
    const sheaf_state *state = NULL; // for sizeof only
    uint64_t bytes = sizeof *state;
#define ADD_BYTES(array, count) bytes += (count) * (uint64_t)sizeof *state->array;
    STATE_ARRAYS(ADD_BYTES)
#undef ADD_BYTES
    return bytes;
}

static sheaf_status allocate_arrays(sheaf_state *state, const sheaf_model *model)
{
#define ALLOCATE(array, count)                                                                                         \
    state->array = base_alloc((size_t)(count), sizeof *state->array);                                                  \
    if (state->array == NULL)                                                                                          \
        return SHEAF_ERR_MEMORY;
    STATE_ARRAYS(ALLOCATE)
#undef ALLOCATE
    return SHEAF_OK;
}

void state_free(sheaf_state *state)
{
    if (state == NULL)
        return;
#define RELEASE(array, count) base_free(state->array);
    STATE_ARRAYS(RELEASE)
#undef RELEASE
    base_free(state);
}

static void set_tangents(sheaf_state *state, uint64_t first, uint32_t vertex_count, uint32_t edge_count)
{
    for (uint32_t j = 0; j < edge_count; j++) {
        double edge[3];
        vec_sub(edge, state->position[first + (j + 1 < vertex_count ? j + 1 : 0)], state->position[first + j]);
        vec_unit(state->tangent[first + j], edge);
    }
}

// Bishop frames from the first edge's director, and the material frames as angles against them. Angles are continuous
// along the strand: each is the one nearest to the angle before plus the natural twist between.
static void set_frames(sheaf_state *state, uint64_t first, uint32_t edge_count)
{
    const double two_pi = 2 * 3.14159265358979323846;
    const sheaf_model *model = state->model;
    vec_copy(state->bishop[first], model->director[first]);
    for (uint64_t j = first + 1; j < first + edge_count; j++) {
        double *u = state->bishop[j];
        vec_transport(u, state->bishop[j - 1], state->tangent[j - 1], state->tangent[j]);
        vec_axpy(u, -vec_dot(u, state->tangent[j]), state->tangent[j]);
        vec_unit(u, u);
        const double expected = state->theta[j - 1] + model->natural_twist[j];
        const double angle = vec_angle(u, model->director[j], state->tangent[j]);
        state->theta[j] = angle + two_pi * rint((expected - angle) / two_pi);
    }
}

static void set_strand(sheaf_state *state, uint32_t s)
{
    const sheaf_model *model = state->model;
    const uint64_t first = model->first_vertex[s];
    const uint32_t vertices = model_vertex_count(model, s), edges = vertices - (model->strands[s].closed ? 0 : 1);
    set_tangents(state, first, vertices, edges);
    set_frames(state, first, edges);
    memcpy(state->held + first, model->director + first, edges * sizeof *state->held);
    memcpy(state->held_angle + first, state->theta + first, edges * sizeof *state->held_angle);
    state->closing_angle[s] = model->strands[s].closing_angle;
}

sheaf_status state_create(const sheaf_model *model, sheaf_state **state)
{
    *state = NULL;
    sheaf_state *made = base_alloc(1, sizeof *made);
    if (made == NULL)
        return SHEAF_ERR_MEMORY;
    const sheaf_status status = allocate_arrays(made, model);
    if (status != SHEAF_OK) {
        state_free(made);
        return status;
    }
    made->model = model;
    made->rubbing_rows = state_rubbing_rows(model);
    memcpy(made->position, model->position, (size_t)model->vertex_count * sizeof *made->position);
    for (uint32_t s = 0; s < model->strand_count; s++)
        set_strand(made, s);
    *state = made;
    return SHEAF_OK;
}
