// model: compiles a scene.
#include "model/model.h"

#include "model/rest.h"
#include "scene/shape.h"

#include <string.h>

// ---- memory

static sheaf_status allocate_arrays(sheaf_model *model)
{
    const size_t strands = model->strand_count, vertices = (size_t)model->vertex_count;
#define ALLOCATE(array, count)                                                                                         \
    do {                                                                                                               \
        model->array = base_alloc(count, sizeof *model->array);                                                        \
        if (model->array == NULL)                                                                                      \
            return SHEAF_ERR_MEMORY;                                                                                   \
    } while (0)
    ALLOCATE(strands, strands);
    ALLOCATE(position, vertices);
    ALLOCATE(director, vertices);
    ALLOCATE(rest_length, vertices);
    ALLOCATE(mass, vertices);
    ALLOCATE(bend, vertices);
    ALLOCATE(twist, vertices);
    ALLOCATE(natural_curvature, vertices);
    ALLOCATE(natural_twist, vertices);
    ALLOCATE(radius, vertices);
#undef ALLOCATE
    return SHEAF_OK;
}

static void free_arrays(sheaf_model *model)
{
    void *const arrays[] = {
        model->first_vertex,      model->strands,       model->position, model->director,
        model->rest_length,       model->mass,          model->bend,     model->twist,
        model->natural_curvature, model->natural_twist, model->radius,
    };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        base_free(arrays[k]);
}

void sheaf_model_free(sheaf_model *model)
{
    if (model == NULL)
        return;
    for (uint32_t k = 0; k < model->motion_count; k++)
        scene_free_motion(&model->motions[k]);
    for (uint32_t k = 0; k < model->group_count; k++) {
        scene_free_end(&model->groups[k].root);
        scene_free_end(&model->groups[k].tip);
        scene_free_holds(model->groups[k].holds, model->groups[k].hold_count);
    }
    free_arrays(model);
    base_free(model->motions);
    base_free(model->groups);
    base_free((void *)model->def.title);
    base_free(model);
}

// ---- what is taken over from the scene as it is

static sheaf_status copy_settings(sheaf_model *model, const sheaf_scene *scene)
{
    model->def = scene->def;
    model->def.title = base_strdup(scene->def.title);
    model->motions = base_alloc(scene->motion_count, sizeof *model->motions);
    model->groups = base_alloc(scene->group_count, sizeof *model->groups);
    if (model->def.title == NULL || model->motions == NULL || model->groups == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < scene->motion_count; k++) {
        SHEAF_TRY(scene_copy_motion(&model->motions[k], &scene->motions[k]));
        model->motion_count++;
    }
    return SHEAF_OK;
}

static sheaf_status copy_ends(model_group *copy, const sheaf_strand_def *strand)
{
    SHEAF_TRY(scene_copy_end(&copy->root, &strand->root));
    sheaf_status status = scene_copy_end(&copy->tip, &strand->tip);
    if (status != SHEAF_OK) {
        scene_free_end(&copy->root);
        return status;
    }
    status = scene_copy_holds(&copy->holds, strand->holds, strand->hold_count);
    if (status != SHEAF_OK) {
        scene_free_end(&copy->root);
        scene_free_end(&copy->tip);
        return status;
    }
    copy->hold_count = strand->hold_count;
    return SHEAF_OK;
}

// ---- strands

static uint32_t group_size(const scene_group *group)
{
    return group->is_groom ? group->groom.count : 1;
}

// The definition all strands of a group have in common.
static sheaf_strand_def group_strand(const scene_group *group)
{
    sheaf_strand_def strand = group->strand;
    if (group->is_groom) {
        strand.shape = SHEAF_SHAPE_POINTS; // generated
        strand.vertex_count = group->groom.vertices;
    }
    return strand;
}

// Places every strand in the arrays over vertices.
static sheaf_status lay_out(sheaf_model *model, const sheaf_scene *scene)
{
    uint32_t s = 0;
    model->strand_count = (uint32_t)scene->strand_count;
    model->first_vertex = base_alloc((size_t)model->strand_count + 1, sizeof *model->first_vertex);
    if (model->first_vertex == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t g = 0; g < scene->group_count; g++) {
        const uint32_t vertices = group_strand(&scene->groups[g]).vertex_count;
        for (uint32_t k = 0; k < group_size(&scene->groups[g]); k++, s++)
            model->first_vertex[s + 1] = model->first_vertex[s] + vertices;
    }
    model->vertex_count = model->first_vertex[s];
    return allocate_arrays(model);
}

static sheaf_status compile_strand(sheaf_model *model, uint32_t s, const scene_group *group, uint32_t k,
                                   const sheaf_scene *scene, rest_scratch *scratch)
{
    const sheaf_strand_def def = group_strand(group);
    double(*points)[3] = model->position + model->first_vertex[s], normal[3];
    if (group->is_groom)
        scene_groom_points(&group->groom, k, points, normal);
    else
        scene_shape_points(&def, points, normal);
    return rest_compile(model, s, &def, normal, &scene->materials[def.material], scratch);
}

static sheaf_status compile_group(sheaf_model *model, uint32_t *s, const scene_group *group, const sheaf_scene *scene,
                                  rest_scratch *scratch)
{
    model_group *shared = &model->groups[model->group_count];
    SHEAF_TRY(copy_ends(shared, &group->strand));
    model->group_count++;
    for (uint32_t k = 0; k < group_size(group); k++, (*s)++) {
        model_strand *strand = &model->strands[*s];
        strand->root.def = shared->root;
        strand->tip.def = shared->tip;
        strand->holds = shared->holds;
        strand->hold_count = shared->hold_count;
        SHEAF_TRY(compile_strand(model, *s, group, k, scene, scratch));
    }
    return SHEAF_OK;
}

static sheaf_status compile_groups(sheaf_model *model, const sheaf_scene *scene, rest_scratch *scratch)
{
    uint32_t s = 0;
    for (uint32_t g = 0; g < scene->group_count; g++)
        SHEAF_TRY(compile_group(model, &s, &scene->groups[g], scene, scratch));
    return SHEAF_OK;
}

static sheaf_status compile(sheaf_model *model, const sheaf_scene *scene)
{
    rest_scratch scratch;
    SHEAF_TRY(copy_settings(model, scene));
    SHEAF_TRY(lay_out(model, scene));
    SHEAF_TRY(rest_scratch_create(SCENE_MAX_VERTICES, &scratch));
    const sheaf_status status = compile_groups(model, scene, &scratch);
    rest_scratch_free(&scratch);
    return status;
}

sheaf_status sheaf_model_create(const sheaf_scene *scene, sheaf_model **model)
{
    if (model != NULL)
        *model = NULL;
    if (scene == NULL || model == NULL)
        return base_fail(SHEAF_ERR_USAGE, "sheaf_model_create: an argument is NULL");
    if (scene->strand_count == 0)
        return base_fail(SHEAF_ERR_INPUT, "the scene has no strands; add at least one");
    sheaf_model *made = base_alloc(1, sizeof *made);
    if (made == NULL)
        return SHEAF_ERR_MEMORY;
    const sheaf_status status = compile(made, scene);
    if (status != SHEAF_OK) {
        sheaf_model_free(made);
        return status;
    }
    *model = made;
    return SHEAF_OK;
}

// ---- facts

uint32_t sheaf_model_strand_count(const sheaf_model *model)
{
    return model->strand_count;
}

uint64_t sheaf_model_vertex_count(const sheaf_model *model)
{
    return model->vertex_count;
}

const uint64_t *sheaf_model_first_vertex(const sheaf_model *model)
{
    return model->first_vertex;
}
