// laws: checks laws that change along strands over the lengths that strands of their materials have.
#include "strand/laws.h"

#include "law/law.h"
#include "strand/strand.h"

#include <math.h>

typedef struct lengths {
    const sheaf_model *model;
    double *longest; // [material] m
} lengths;

static sheaf_status note_lengths(const sheaf_model *part, uint32_t first, void *user)
{
    const lengths *it = user;
    (void)first;
    for (uint32_t s = 0; s < part->strand_count; s++) {
        double length = -part->strands[s].overhang * part->rest_length[part->first_vertex[s]];
        for (uint64_t i = part->first_vertex[s]; i + 1 < part->first_vertex[s + 1]; i++)
            length += part->rest_length[i];
        double *longest = &it->longest[part->strands[s].material];
        *longest = fmax(*longest, length);
    }
    return SHEAF_OK;
}

static sheaf_status check_material(sheaf_model *model, const sheaf_scene *scene, uint32_t material, double length)
{
    law *made;
    law_fault fault;
    const sheaf_status status = law_along(model->laws[material], length, &made, &fault);
    if (status == SHEAF_ERR_INPUT)
        return base_fail(status, "the law of material '%s', on a strand of %.4g m: %s; %s",
                         scene->materials[material].name, length, fault.message, fault.hint);
    SHEAF_TRY(status);
    law_release(model->laws[material]);
    model->laws[material] = made;
    for (uint32_t s = 0; s < model->strand_count; s++)
        if (model->strands[s].material == material)
            model->strands[s].law = made;
    return SHEAF_OK;
}

sheaf_status laws_check_along(sheaf_model *model, const sheaf_scene *scene)
{
    bool any = false;
    for (uint32_t k = 0; k < model->material_count; k++)
        any = any || (model->laws[k] != NULL && law_is_graded(model->laws[k]));
    if (!any)
        return SHEAF_OK;
    lengths it = {model, base_alloc(model->material_count, sizeof *it.longest)};
    if (it.longest == NULL)
        return SHEAF_ERR_MEMORY;
    sheaf_status status = model_for_each_part(model, note_lengths, &it);
    for (uint32_t k = 0; k < model->material_count && status == SHEAF_OK; k++)
        if (model->laws[k] != NULL && law_is_graded(model->laws[k]) && it.longest[k] > 0)
            status = check_material(model, scene, k, it.longest[k]);
    base_free(it.longest);
    return status;
}
