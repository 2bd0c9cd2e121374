// arrays: a model's arrays over vertices and edges, and parts of models that keep none.
#include "strand/arrays.h"

#include "scene/shape.h"
#include "strand/rest.h"
#include "strand/strand.h"

#include <string.h>

enum {
    PART_VERTICES = 1 << 18,     // of a part that is made to be looked at and dropped
    PARALLEL_VERTICES = 1 << 16, // fewer are not worth a second thread
};

#define MODEL_ARRAYS(X)                                                                                                \
    X(position)                                                                                                        \
    X(director)                                                                                                        \
    X(rest_length)                                                                                                     \
    X(mass)                                                                                                            \
    X(bend)                                                                                                            \
    X(twist)                                                                                                           \
    X(natural_curvature)                                                                                               \
    X(natural_twist)                                                                                                   \
    X(radius)

bool model_has_sections(const sheaf_model *model)
{
    for (uint32_t k = 0; k < model->group_count; k++)
        if (model->groups[k].section_count > 0 || model->groups[k].vertex_bend != NULL)
            return true;
    return false;
}

sheaf_status arrays_allocate(sheaf_model *model)
{
    const size_t vertices = (size_t)model->vertex_count;
#define ALLOCATE(array)                                                                                                \
    model->array = base_alloc(vertices, sizeof *model->array);                                                         \
    if (model->array == NULL)                                                                                          \
        return SHEAF_ERR_MEMORY;
    MODEL_ARRAYS(ALLOCATE)
    if (model_has_sections(model)) {
        ALLOCATE(vertex_bend)
    }
#undef ALLOCATE
    return SHEAF_OK;
}

void arrays_free(sheaf_model *model)
{
#define RELEASE(array)                                                                                                 \
    base_free(model->array);                                                                                           \
    model->array = NULL;
    MODEL_ARRAYS(RELEASE)
    RELEASE(vertex_bend)
#undef RELEASE
}

uint64_t arrays_bytes(const sheaf_model *model)
{
    uint64_t per_vertex = 0;
#define ADD_BYTES(array) per_vertex += sizeof *model->array;
    MODEL_ARRAYS(ADD_BYTES)
    if (model->vertex_bend != NULL)
        ADD_BYTES(vertex_bend)
#undef ADD_BYTES
    return model_has_arrays(model) ? model->vertex_count * per_vertex : 0;
}

// ---- compiling

typedef struct compile_job {
    const sheaf_model *source;
    const uint32_t *numbers; // NULL: all in order
    sheaf_model *target;
} compile_job;

static sheaf_status compile_strand(const compile_job *job, uint32_t k, rest_scratch *scratch)
{
    const sheaf_model *source = job->source;
    const uint32_t number = job->numbers ? job->numbers[k] : k, g = source->strands[number].group;
    const scene_group *group = &source->groups[g];
    const sheaf_strand_def def = scene_group_strand(group, number - source->group_first[g]);
    double(*points)[3] = job->target->position + job->target->first_vertex[k];
    rest_source rest = {
        .def = &def, .group = group, .materials = source->materials, .variety = {1, 1}, .number = number};
    scene_group_overhangs(group, rest.overhangs);
    if (group->grown != NULL) {
        grow_strand(group->grown, number - source->group_first[g], points, rest.normal);
        rest.variety = grow_vary(group->grown, number - source->group_first[g]);
    } else {
        scene_shape_points(&def, points, rest.normal);
    }
    return rest_compile(job->target, k, &rest, scratch);
}

static sheaf_status compile_range(size_t first, size_t end, uint32_t worker, void *user)
{
    const compile_job *job = user;
    rest_scratch scratch;
    (void)worker;
    SHEAF_TRY(rest_scratch_create(SCENE_MAX_VERTICES, &scratch));
    sheaf_status status = SHEAF_OK;
    for (size_t k = first; k < end && status == SHEAF_OK; k++)
        status = compile_strand(job, (uint32_t)k, &scratch);
    rest_scratch_free(&scratch);
    return status;
}

sheaf_status arrays_compile(const sheaf_model *source, const uint32_t *numbers, sheaf_model *target)
{
    compile_job job = {source, numbers, target};
    const uint32_t threads = target->vertex_count < PARALLEL_VERTICES ? 1 : 0;
    return base_parallel_for(target->strand_count, threads, compile_range, &job);
}

// ---- parts

static sheaf_status lay_out_part(sheaf_model *part, const uint32_t *strands)
{
    const sheaf_model *model = part->parent;
    part->first_vertex = base_alloc((size_t)part->strand_count + 1, sizeof *part->first_vertex);
    part->strands = base_alloc(part->strand_count, sizeof *part->strands);
    if (part->first_vertex == NULL || part->strands == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < part->strand_count; k++) {
        const uint32_t number = strands ? strands[k] : k;
        part->strands[k] = model->strands[number];
        part->first_vertex[k + 1] = part->first_vertex[k] + model_vertex_count(model, number);
    }
    part->vertex_count = part->first_vertex[part->strand_count];
    return SHEAF_OK;
}

static void copy_arrays(sheaf_model *part, const uint32_t *strands)
{
    const sheaf_model *model = part->parent;
    for (uint32_t k = 0; k < part->strand_count; k++) {
        const uint64_t from = model->first_vertex[strands ? strands[k] : k], to = part->first_vertex[k];
        const size_t count = model_vertex_count(part, k);
#define COPY(array) memcpy(part->array + to, model->array + from, count * sizeof *part->array);
        MODEL_ARRAYS(COPY)
        if (model->vertex_bend != NULL)
            COPY(vertex_bend)
#undef COPY
    }
}

static sheaf_status fill_part(sheaf_model *part, const uint32_t *strands)
{
    SHEAF_TRY(lay_out_part(part, strands));
    SHEAF_TRY(arrays_allocate(part));
    if (!model_has_arrays(part->parent))
        return arrays_compile(part->parent, strands, part);
    copy_arrays(part, strands);
    return SHEAF_OK;
}

sheaf_status model_part(const sheaf_model *model, const uint32_t *strands, uint32_t count, sheaf_model **part)
{
    *part = NULL;
    sheaf_model *made = base_alloc(1, sizeof *made);
    if (made == NULL)
        return SHEAF_ERR_MEMORY;
    made->parent = model;
    made->def = model->def;
    made->touch = model->touch;
    made->volume = model->volume;
    made->motions = model->motions;
    made->sequences = model->sequences;
    made->motion_count = model->motion_count;
    memcpy(made->gusts, model->gusts, sizeof made->gusts);
    made->gust_count = model->gust_count;
    made->colliders = model->colliders;
    made->collider_count = model->collider_count;
    made->bodies = model->bodies;
    made->body_count = model->body_count;
    made->cable_step = model->cable_step;
    made->reevings = model->reevings;
    made->reeving_count = model->reeving_count;
    made->joints = model->joints;
    made->joint_count = model->joint_count;
    made->groups = model->groups;
    made->group_count = model->group_count;
    made->group_first = model->group_first;
    made->materials = model->materials;
    made->material_count = model->material_count;
    made->strand_count = count;
    const sheaf_status status = fill_part(made, strands);
    if (status == SHEAF_OK)
        *part = made;
    else
        sheaf_model_free(made);
    return status;
}

// Strands of the next part.
static uint32_t part_size(const sheaf_model *model, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < model->strand_count && model->first_vertex[end + 1] - model->first_vertex[first] <= PART_VERTICES)
        end++;
    return end - first;
}

static sheaf_status look_at_part(const sheaf_model *model, uint32_t first, uint32_t count, model_part_fn *fn,
                                 void *user)
{
    sheaf_model *part;
    uint32_t *strands = base_alloc(count, sizeof *strands);
    if (strands == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < count; k++)
        strands[k] = first + k;
    sheaf_status status = model_part(model, strands, count, &part);
    if (status == SHEAF_OK)
        status = fn(part, first, user);
    sheaf_model_free(part);
    base_free(strands);
    return status;
}

sheaf_status model_for_each_part(const sheaf_model *model, model_part_fn *fn, void *user)
{
    if (model_has_arrays(model))
        return fn(model, 0, user);
    for (uint32_t first = 0, count; first < model->strand_count; first += count) {
        count = part_size(model, first);
        SHEAF_TRY(look_at_part(model, first, count, fn, user));
    }
    return SHEAF_OK;
}
