// compile: scenes to models.
#include "strand/strand.h"
#include "world/world.h"

#include "strand/arrays.h"
#include "strand/laws.h"

#include <string.h>

// ---- memory

static void free_definitions(sheaf_model *model)
{
    for (uint32_t k = 0; k < model->motion_count; k++) {
        scene_free_motion(&model->motions[k]);
        mesh_sequence_release(model->sequences[k]);
    }
    base_free(model->sequences);
    base_free(model->skins);
    for (uint32_t k = 0; k < model->group_count; k++)
        scene_free_group(&model->groups[k]);
    for (uint32_t k = 0; k < model->reeving_count; k++)
        scene_free_reeving(&model->reevings[k]);
    base_free(model->reevings);
    base_free(model->motions);
    base_free(model->groups);
    base_free(model->group_first);
    for (uint32_t k = 0; k < model->material_count && model->laws != NULL; k++)
        law_release(model->laws[k]);
    base_free(model->laws);
    base_free(model->materials);
    base_free(model->touch.friction);
    base_free(model->touch.radius);
    model_free_colliders(model);
    model_free_bodies(model);
    base_free((void *)model->def.title);
}

void sheaf_model_free(sheaf_model *model)
{
    if (model == NULL)
        return;
    if (model->parent == NULL)
        free_definitions(model);
    arrays_free(model);
    base_free(model->first_vertex);
    base_free(model->strands);
    base_free(model);
}

uint64_t model_bytes(const sheaf_model *model)
{
    const uint64_t per_strand = sizeof *model->strands + sizeof *model->first_vertex;
    const uint64_t groups = model->group_count * (uint64_t)(sizeof *model->groups + sizeof *model->group_first);
    uint64_t roots = 0;
    for (uint32_t g = 0; g < model->group_count; g++)
        if (model->groups[g].grown != NULL)
            roots += model->groups[g].grown->def.count * (uint64_t)sizeof(grow_root);
    return arrays_bytes(model) + model->strand_count * per_strand + groups + roots;
}

// ---- what is taken over from the scene as it is

static sheaf_status copy_groups(sheaf_model *model, const sheaf_scene *scene)
{
    uint32_t first = 0;
    model->groups = base_alloc(scene->group_count, sizeof *model->groups);
    model->group_first = base_alloc(scene->group_count, sizeof *model->group_first);
    if (model->groups == NULL || model->group_first == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < scene->group_count; k++) {
        SHEAF_TRY(scene_copy_group(&model->groups[k], &scene->groups[k]));
        model->group_count++;
        model->group_first[k] = first;
        first += scene_group_size(&scene->groups[k]);
    }
    return SHEAF_OK;
}

static sheaf_status copy_reevings(sheaf_model *model, const sheaf_scene *scene)
{
    model->reevings = base_alloc(scene->reeving_count, sizeof *model->reevings);
    if (model->reevings == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < scene->reeving_count; k++) {
        SHEAF_TRY(scene_copy_reeving(&model->reevings[k], &scene->reevings[k]));
        model->reeving_count++;
    }
    return SHEAF_OK;
}

static sheaf_status copy_definitions(sheaf_model *model, const sheaf_scene *scene)
{
    model->def = scene->def;
    model->volume = scene->volume;
    model->cable_step = scene->cable_step;
    model->def.title = base_strdup(scene->def.title);
    model->gust_count = model_make_gusts(&scene->def, model->gusts);
    model->motions = base_alloc(scene->motion_count, sizeof *model->motions);
    model->sequences = base_alloc(scene->motion_count, sizeof(void *));
    model->materials = base_alloc(scene->material_count, sizeof *model->materials);
    model->laws = base_alloc(scene->material_count, sizeof(void *));
    if (model->laws == NULL || model->def.title == NULL || model->motions == NULL || model->sequences == NULL ||
        model->materials == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < scene->motion_count; k++) {
        SHEAF_TRY(scene_copy_motion(&model->motions[k], &scene->motions[k]));
        model->sequences[k] = mesh_sequence_share(scene->sequences[k]);
        model->motion_count++;
    }
    model->material_count = scene->material_count;
    SHEAF_TRY(copy_reevings(model, scene));
    SHEAF_TRY(model_make_colliders(scene, model));
    SHEAF_TRY(model_make_touch(scene, &model->touch));
    for (uint32_t k = 0; k < scene->material_count; k++) {
        model->materials[k] = scene->materials[k];
        model->materials[k].name = NULL; // the scene's
        model->laws[k] = law_share(scene->laws[k]);
    }
    return copy_groups(model, scene);
}

// ---- strands

// Whether strands of a material may touch any.
static bool model_touches(const sheaf_model *model, uint32_t material)
{
    for (uint32_t k = 0; model->touch.friction != NULL && k < model->material_count; k++)
        if (model->touch.friction[(size_t)material * model->material_count + k] >= 0)
            return true;
    return false;
}

// What the strands of a group have in common.
static model_strand common_strand(const sheaf_model *model, uint32_t group)
{
    const sheaf_strand_def *def = &model->groups[group].strand;
    const sheaf_material_def *material = &model->materials[def->material];
    double overhangs[2];
    scene_group_overhangs(&model->groups[group], overhangs);
    return (model_strand){
        .root = &def->root,
        .tip = &def->tip,
        .holds = def->holds,
        .hold_count = def->hold_count,
        .group = group,
        .method = def->method,
        .material = def->material,
        .closed = scene_is_closed(def),
        .coupled = model_touches(model, def->material),
        .drag = material->drag,
        .slip = material->slip,
        .damping = material->damping,
        .closing_twist = def->closing_twist,
        .law = model->laws[def->material],
        .overhang = overhangs[0],
    };
}

// Places every strand in the arrays over vertices.
static sheaf_status lay_out(sheaf_model *model, const sheaf_scene *scene)
{
    uint32_t s = 0;
    model->strand_count = (uint32_t)scene->strand_count;
    model->first_vertex = base_alloc((size_t)model->strand_count + 1, sizeof *model->first_vertex);
    model->strands = base_alloc(model->strand_count, sizeof *model->strands);
    if (model->first_vertex == NULL || model->strands == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t g = 0; g < model->group_count; g++) {
        const model_strand common = common_strand(model, g);
        for (uint32_t k = 0; k < scene_group_size(&model->groups[g]); k++, s++) {
            model->strands[s] = common;
            model->strands[s].number = s;
            model->first_vertex[s + 1] = model->first_vertex[s] + scene_group_strand(&model->groups[g], k).vertex_count;
        }
    }
    model->vertex_count = model->first_vertex[s];
    return SHEAF_OK;
}

// Keeps what is known of a part's strands.
static sheaf_status note_strands(const sheaf_model *part, uint32_t first, void *user)
{
    sheaf_model *model = user;
    memcpy(model->strands + first, part->strands, part->strand_count * sizeof *part->strands);
    return SHEAF_OK;
}

static sheaf_status compile(sheaf_model *model, const sheaf_scene *scene, uint64_t arrays_most)
{
    SHEAF_TRY(copy_definitions(model, scene));
    SHEAF_TRY(lay_out(model, scene));
    if (model->vertex_count > arrays_most) {
        SHEAF_TRY(model_for_each_part(model, note_strands, model));
    } else {
        SHEAF_TRY(arrays_allocate(model));
        SHEAF_TRY(arrays_compile(model, NULL, model));
    }
    SHEAF_TRY(laws_check_along(model, scene));
    SHEAF_TRY(model_make_bodies(scene, model));
    return model_bind_roots(model);
}

sheaf_status model_compile(const sheaf_scene *scene, uint64_t arrays_most, sheaf_model **model)
{
    *model = NULL;
    sheaf_model *made = base_alloc(1, sizeof *made);
    if (made == NULL)
        return SHEAF_ERR_MEMORY;
    const sheaf_status status = compile(made, scene, arrays_most);
    if (status != SHEAF_OK) {
        sheaf_model_free(made);
        return status;
    }
    *model = made;
    return SHEAF_OK;
}

sheaf_status sheaf_model_create(const sheaf_scene *scene, sheaf_model **model)
{
    if (model != NULL)
        *model = NULL;
    if (scene == NULL || model == NULL)
        return base_fail(SHEAF_ERR_USAGE, "sheaf_model_create: an argument is NULL");
    if (scene->strand_count == 0)
        return base_fail(SHEAF_ERR_INPUT, "the scene has no strands; add at least one");
    return model_compile(scene, MODEL_ARRAYS_MOST, model);
}

// ---- facts

uint32_t sheaf_model_strand_count(const sheaf_model *model)
{
    return model != NULL ? model->strand_count : 0;
}

uint64_t sheaf_model_vertex_count(const sheaf_model *model)
{
    return model != NULL ? model->vertex_count : 0;
}

const uint64_t *sheaf_model_first_vertex(const sheaf_model *model)
{
    return model != NULL ? model->first_vertex : NULL;
}
