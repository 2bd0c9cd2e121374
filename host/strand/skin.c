// skin: roots that are bound to a mesh which deforms.
#include "strand/strand.h"

#include <string.h>

#include "base/vec.h"

static mesh_sequence *sequence_of(const sheaf_model *model, const model_strand *strand)
{
    return strand->root->motion >= 0 ? model->sequences[strand->root->motion] : NULL;
}

bool model_has_skins(const sheaf_model *model)
{
    for (uint32_t k = 0; k < model->motion_count; k++)
        if (model->sequences[k] != NULL)
            return true;
    return false;
}

// Its triangle must have an area in all frames, else the root has no direction.
static sheaf_status check_skin(const model_skin *skin, uint32_t strand)
{
    for (uint32_t k = 0; k < skin->sequence->frame_count; k++) {
        double place[3], axes[3][3];
        if (!mesh_sequence_pose(skin->sequence, &skin->binding, k, place, axes))
            return base_fail(
                SHEAF_ERR_INPUT,
                "strand %u follows triangle %u of a mesh, which has no area in frame %u of it, counted from "
                "0; mend the mesh, or grow the strand elsewhere",
                strand, skin->binding.triangle, k);
    }
    return SHEAF_OK;
}

// The point of a strand's first edge where it leaves the skin.
static void leaving_point(const sheaf_model *model, const sheaf_model *part, uint32_t strand, double out[3])
{
    const double(*position)[3] = (const double(*)[3])part->position + part->first_vertex[strand];
    double overhangs[2], edge[3];
    scene_group_overhangs(&model->groups[part->strands[strand].group], overhangs);
    vec_sub(edge, position[1], position[0]);
    vec_copy(out, position[0]);
    vec_axpy(out, overhangs[0], edge);
}

// Strands of a part that follow one sequence.
static sheaf_status bind_to(sheaf_model *model, const sheaf_model *part, uint32_t first, mesh_sequence *sequence)
{
    double(*points)[3] = base_alloc(part->strand_count, sizeof *points);
    mesh_binding *bindings = base_alloc(part->strand_count, sizeof *bindings);
    uint32_t count = 0;
    sheaf_status status = points != NULL && bindings != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
    for (uint32_t s = 0; status == SHEAF_OK && s < part->strand_count; s++)
        if (sequence_of(model, &part->strands[s]) == sequence)
            leaving_point(model, part, s, points[count++]);
    if (status == SHEAF_OK)
        status = mesh_sequence_bind(sequence, (const double(*)[3])points, count, bindings);
    count = 0;
    for (uint32_t s = 0; status == SHEAF_OK && s < part->strand_count; s++)
        if (sequence_of(model, &part->strands[s]) == sequence) {
            model->skins[first + s] = (model_skin){sequence, bindings[count++]};
            model->strands[first + s].skin = &model->skins[first + s];
            status = check_skin(&model->skins[first + s], first + s);
        }
    base_free(points);
    base_free(bindings);
    return status;
}

static sheaf_status bind_part(const sheaf_model *part, uint32_t first, void *user)
{
    sheaf_model *model = user;
    for (uint32_t k = 0; k < model->motion_count; k++)
        if (model->sequences[k] != NULL)
            SHEAF_TRY(bind_to(model, part, first, model->sequences[k]));
    return SHEAF_OK;
}

sheaf_status model_bind_roots(sheaf_model *model)
{
    if (!model_has_skins(model))
        return SHEAF_OK;
    model->skins = base_alloc(model->strand_count, sizeof *model->skins);
    return model->skins != NULL ? model_for_each_part(model, bind_part, model) : SHEAF_ERR_MEMORY;
}
