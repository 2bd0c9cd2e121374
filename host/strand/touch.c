// touch: which strands of a model touch each other, at which radius and with which friction.
#include "strand/strand.h"

// The smaller of two materials' coefficients, where both are in the list; then what is said of two of them.
static void fill_friction(const sheaf_scene *scene, double *friction)
{
    const sheaf_touch_def *def = &scene->touch.def;
    const size_t count = scene->material_count;
    for (size_t k = 0; k < count * count; k++)
        friction[k] = -1;
    for (uint32_t i = 0; i < def->material_count; i++)
        for (uint32_t j = 0; j < def->material_count; j++) {
            const sheaf_touch_material *a = &def->materials[i], *b = &def->materials[j];
            friction[a->material * count + b->material] = a->friction < b->friction ? a->friction : b->friction;
        }
    for (uint32_t k = 0; k < def->friction_count; k++) {
        const uint32_t a = def->frictions[k].between[0], b = def->frictions[k].between[1];
        friction[a * count + b] = friction[b * count + a] = def->frictions[k].friction;
    }
}

sheaf_status model_make_touch(const sheaf_scene *scene, model_touch *touch)
{
    const sheaf_touch_def *def = &scene->touch.def;
    if (def->material_count == 0)
        return SHEAF_OK;
    *touch =
        (model_touch){.self = def->self, .tolerance = def->tolerance, .sweeps = def->sweeps, .separate = def->separate};
    touch->friction = base_alloc((size_t)scene->material_count * scene->material_count, sizeof *touch->friction);
    touch->radius = base_alloc(scene->material_count, sizeof *touch->radius);
    if (touch->friction == NULL || touch->radius == NULL)
        return SHEAF_ERR_MEMORY;
    fill_friction(scene, touch->friction);
    for (uint32_t k = 0; k < def->material_count; k++)
        touch->radius[def->materials[k].material] = def->materials[k].radius;
    return SHEAF_OK;
}

double model_touch_friction(const sheaf_model *model, uint32_t a, uint32_t b)
{
    const size_t first = model->strands[a].material, second = model->strands[b].material;
    if (model->touch.friction == NULL || (a == b && !model->touch.self))
        return -1;
    return model->touch.friction[first * model->material_count + second];
}

double model_touch_radius(const sheaf_model *model, uint32_t strand, uint64_t edge)
{
    const double given = model->touch.radius != NULL ? model->touch.radius[model->strands[strand].material] : 0;
    return given > 0 ? given : model->radius[edge];
}
