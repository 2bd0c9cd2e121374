// rod: views of single strands into model and state, and the scratch of the stages.
#include "der/ref/rod.h"

#include "base/vec.h"
#include "world/world.h"

#include <string.h>

// Takes `count` objects of `size` bytes from a block that was measured beforehand.
static void *cut(char **block, size_t count, size_t size)
{
    void *piece = *block;
    *block += count * size;
    return piece;
}

static void cut_scratch(ref_rod *rod, uint32_t n)
{
    char *block = rod->memory;
    rod->imposed = cut(&block, n, sizeof(double));
    rod->axial_couple = cut(&block, n, sizeof(double));
    rod->length = cut(&block, n, sizeof(double));
    rod->kb = cut(&block, n, sizeof(double[3]));
    rod->m1 = cut(&block, n, sizeof(double[3]));
    rod->m2 = cut(&block, n, sizeof(double[3]));
    rod->w = cut(&block, n, sizeof(double[2][2]));
    rod->m = cut(&block, n, sizeof(double));
    rod->angle_gradient = cut(&block, n, sizeof(double));
    rod->force = cut(&block, n, sizeof(double[3]));
    rod->air = cut(&block, n, sizeof(double[3]));
    rod->start = cut(&block, n, sizeof(double[3]));
    rod->start_tangent = cut(&block, n, sizeof(double[3]));
    rod->start_bishop = cut(&block, n, sizeof(double[3]));
    rod->start_held = cut(&block, n, sizeof(double[3]));
    rod->start_held_angle = cut(&block, n, sizeof(double));
    rod->start_theta = cut(&block, n, sizeof(double));
    rod->multiplier = cut(&block, n, sizeof(double));
    rod->contacts = cut(&block, n, sizeof(ref_contact));
    rod->work = cut(&block, n, sizeof(double[ROD_WORK]));
    rod->angle_is_held = cut(&block, n, sizeof(bool));
    rod->tangent_is_held = cut(&block, n, sizeof(bool));
}

// Bytes of scratch per vertex, in step with cut_scratch.
static const size_t scratch_size = (8 + 3 * 9 + 4 + ROD_WORK) * sizeof(double) + sizeof(ref_contact) + 2 * sizeof(bool);

static sheaf_status grow_scratch(ref_rod *rod, uint32_t n)
{
    if (rod->capacity < n) {
        void *memory = base_alloc(n, scratch_size);
        if (memory == NULL)
            return SHEAF_ERR_MEMORY;
        base_free(rod->memory);
        rod->memory = memory;
        rod->capacity = n;
    }
    memset(rod->memory, 0, n * scratch_size);
    cut_scratch(rod, n);
    return SHEAF_OK;
}

static void view_model(ref_rod *rod, const sheaf_model *model, uint32_t index)
{
    const uint64_t first = model->first_vertex[index];
    rod->model = model;
    rod->strand = &model->strands[index];
    rod->joints = model_strand_joints(model, index, &rod->joint_count);
    rod->bodies = NULL;
    rod->closed = rod->strand->closed;
    rod->closing_twist = rod->strand->closing_twist;
    rod->edge_count = rod->closed ? rod->vertex_count : rod->vertex_count - 1;
    rod->rest_length = model->rest_length + first;
    rod->mass = model->mass + first;
    rod->bend = (const double(*)[2])model->bend + first;
    rod->twist = model->twist + first;
    rod->first_vertex = first;
    rod->natural_curvature = (const double(*)[2][2])model->natural_curvature + first;
    rod->natural_twist = model->natural_twist + first;
}

static void view_state(ref_rod *rod, sheaf_state *state, uint32_t index)
{
    const uint64_t first = state->model->first_vertex[index];
    rod->record = &state->strands[index];
    rod->x = state->position + first;
    rod->v = state->velocity + first;
    rod->displacement = state->displacement + first;
    rod->last_velocity = state->last_velocity + first;
    rod->last_strain = state->last_strain + first;
    const bool has_rows = first < state->rubbing_rows;
    rod->friction = has_rows ? state->friction + first : NULL;
    rod->from = has_rows ? state->from + first : NULL;
    rod->tension = state->tension + first;
    rod->touch = state->touch + first;
    rod->tangent = state->tangent + first;
    rod->bishop = state->bishop + first;
    rod->held = state->held + first;
    rod->held_angle = state->held_angle + first;
    rod->closing_angle = state->closing_angle + index;
    rod->theta = state->theta + first;
}

static void mark_held_frames(ref_rod *rod)
{
    const model_strand *strand = rod->strand;
    const uint32_t last = rod->edge_count - 1;
    if (!rod->closed) {
        rod->angle_is_held[0] = strand->root->hold_angle;
        rod->tangent_is_held[0] = strand->root->hold_tangent;
        rod->angle_is_held[last] |= strand->tip->hold_angle;
        rod->tangent_is_held[last] |= strand->tip->hold_tangent;
    }
    for (uint32_t k = 0; k < strand->hold_count; k++)
        rod->angle_is_held[strand->holds[k].edge] = true;
    for (uint32_t k = 0; k < rod->joint_count; k++)
        if (rod->joints[k].kind == SHEAF_JOINT_WELD)
            rod->angle_is_held[rod->joints[k].edge] = rod->tangent_is_held[rod->joints[k].edge] = true;
}

sheaf_status rod_open(sheaf_state *state, uint32_t index, ref_rod *rod)
{
    memset(rod, 0, sizeof *rod);
    return rod_aim(state, index, rod);
}

sheaf_status rod_aim(sheaf_state *state, uint32_t index, ref_rod *rod)
{
    const uint32_t n = model_vertex_count(state->model, index);
    SHEAF_TRY(grow_scratch(rod, n));
    rod->vertex_count = n;
    vec_set(rod->origin, 0, 0, 0);
    view_model(rod, state->model, index);
    view_state(rod, state, index);
    rod->push = NULL;
    rod->air_share = NULL;
    mark_held_frames(rod);
    for (uint32_t i = 0; i < n; i++)
        vec_copy(rod->air[i], state->model->def.wind);
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        double edge[3];
        vec_sub(edge, rod->x[rod_next_vertex(rod, j)], rod->x[j]);
        rod->length[j] = vec_length(edge);
    }
    return SHEAF_OK;
}

void rod_close(ref_rod *rod)
{
    base_free(rod->memory);
    memset(rod, 0, sizeof *rod);
}
