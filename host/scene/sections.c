// sections: strands of several materials one after the other, and strands with a stiffness of their own at every
// vertex.
#include <math.h>
#include <string.h>

#include "scene/limits.h"
#include "scene/scene.h"

// ---- checks

static sheaf_status check_section(const sheaf_scene *scene, const char *where, const scene_group *group, uint32_t k,
                                  uint32_t edges)
{
    const sheaf_section *section = &group->sections[k];
    const double from = k > 0 ? section[-1].to : 0;
    if (section->material >= scene->material_count)
        return base_fail(SHEAF_ERR_INPUT, "%s, section %u: material %u is not in the scene; add it before the strand",
                         where, k, section->material);
    if (!(section->to > from && section->to <= 1))
        return base_fail(
            SHEAF_ERR_INPUT,
            "%s, section %u: ends at %g of the length, after %g; give each section a larger `to`, at most 1", where, k,
            section->to, from);
    if (!((section->to - from) * edges >= 1 - 1e-9))
        return base_fail(SHEAF_ERR_INPUT,
                         "%s, section %u: is %.3g of an edge long; make it longer, or give the strand more vertices",
                         where, k, (section->to - from) * edges);
    return SHEAF_OK;
}

static sheaf_status check_stiffness(const char *where, const scene_group *group)
{
    const uint32_t count = group->strand.vertex_count;
    const scene_limit limit = scene_limits[SCENE_LIMIT_STIFFNESS];
    if (group->vertex_bend == NULL || group->vertex_twist == NULL)
        return base_fail(SHEAF_ERR_USAGE, "%s: stiffness is NULL; give bend and twist for every vertex", where);
    for (uint32_t i = 0; i < count; i++) {
        const double numbers[3] = {group->vertex_bend[2 * i], group->vertex_bend[2 * i + 1], group->vertex_twist[i]};
        for (int c = 0; c < 3; c++)
            if (!(numbers[c] >= SCENE_LEAST_STIFFNESS && numbers[c] <= limit.most))
                return base_fail(SHEAF_ERR_INPUT, "%s, vertex %u: %s stiffness is %g N m^2; give %g to %g", where, i,
                                 c < 2 ? "bending" : "twisting", numbers[c], SCENE_LEAST_STIFFNESS, limit.most);
    }
    return SHEAF_OK;
}

sheaf_status scene_check_sections(const sheaf_scene *scene, const char *where, const scene_group *group, uint32_t edges)
{
    if (group->vertex_bend != NULL || group->vertex_twist != NULL)
        SHEAF_TRY(check_stiffness(where, group));
    if (group->section_count == 0)
        return SHEAF_OK;
    if (group->sections == NULL)
        return base_fail(SHEAF_ERR_USAGE, "%s: sections is NULL, section_count %u", where, group->section_count);
    if (group->section_count > SCENE_MOST_SECTIONS)
        return base_fail(SHEAF_ERR_LIMIT, "%s: %u sections; a strand has at most %d", where, group->section_count,
                         SCENE_MOST_SECTIONS);
    for (uint32_t k = 0; k < group->section_count; k++)
        SHEAF_TRY(check_section(scene, where, group, k, edges));
    const double end = group->sections[group->section_count - 1].to;
    if (end < 1)
        return base_fail(SHEAF_ERR_INPUT, "%s: sections end at %g of the length; let the last one end at 1", where,
                         end);
    return SHEAF_OK;
}

// ---- lengths of edges

static bool is_clamped(const sheaf_strand_def *strand, const sheaf_end_def *end)
{
    return strand->clamp_mid_edge && !scene_is_closed(strand) && end->hold_position && end->hold_tangent;
}

// Relative lengths of edges with which every change of section lies on the vertex that is nearest to it among evenly
// spaced ones. Half of the edge at a clamp lies beyond the strand's length.
static sheaf_status lay_edges(scene_group *copy)
{
    const sheaf_strand_def *strand = &copy->strand;
    const uint32_t edges = scene_edge_count(strand), count = copy->section_count;
    const double before = is_clamped(strand, &strand->root) ? 0.5 : 0,
                 beyond = is_clamped(strand, &strand->tip) ? 0.5 : 0;
    double *spacing = base_alloc(edges, sizeof *spacing);
    if (spacing == NULL)
        return SHEAF_ERR_MEMORY;
    uint32_t first = 0;
    for (uint32_t k = 0; k < count; k++) {
        const double from = k > 0 ? copy->sections[k - 1].to : 0, to = copy->sections[k].to;
        const double place = rint(before + to * (edges - before - beyond)); // vertices there are, counted in edges
        const double last = edges - (double)(count - 1 - k);                // leave an edge for each of the others
        const uint32_t end = k + 1 == count ? edges : (uint32_t)fmin(fmax(place, first + 1.0), last);
        const double inside = end - first - (k == 0 ? before : 0) - (k + 1 == count ? beyond : 0);
        for (uint32_t j = first; j < end; j++)
            spacing[j] = (to - from) / inside;
        first = end;
    }
    copy->strand.spacing = spacing;
    return SHEAF_OK;
}

// ---- copies

static sheaf_status copy_bytes(const void *from, size_t size, const void **copy)
{
    void *made = base_alloc(size, 1);
    if (made == NULL)
        return SHEAF_ERR_MEMORY;
    *copy = memcpy(made, from, size);
    return SHEAF_OK;
}

sheaf_status scene_copy_sections(scene_group *copy, const scene_group *group)
{
    const size_t vertices = group->strand.vertex_count;
    copy->sections = NULL;
    copy->vertex_bend = copy->vertex_twist = NULL;
    if (group->vertex_bend != NULL) {
        SHEAF_TRY(copy_bytes(group->vertex_bend, 2 * vertices * sizeof(double), (const void **)&copy->vertex_bend));
        SHEAF_TRY(copy_bytes(group->vertex_twist, vertices * sizeof(double), (const void **)&copy->vertex_twist));
    }
    copy->section_count = 0;
    if (group->section_count > 0)
        copy->strand.material = group->sections[0].material;
    if (group->section_count < 2) // one section is a strand of its material
        return SHEAF_OK;
    SHEAF_TRY(
        copy_bytes(group->sections, group->section_count * sizeof *group->sections, (const void **)&copy->sections));
    copy->section_count = group->section_count;
    const bool is_generated = copy->grown == NULL && copy->bunch == NULL && copy->strand.shape != SHEAF_SHAPE_POINTS;
    return is_generated && copy->strand.spacing == NULL ? lay_edges(copy) : SHEAF_OK;
}

void scene_free_sections(scene_group *group)
{
    base_free((void *)group->sections);
    base_free((void *)group->vertex_bend);
    base_free((void *)group->vertex_twist);
}

uint32_t scene_material_at(const scene_group *group, double share)
{
    if (group->section_count == 0)
        return group->strand.material;
    uint32_t k = 0;
    while (k + 1 < group->section_count && share > group->sections[k].to)
        k++;
    return group->sections[k].material;
}

// ---- the public functions

sheaf_status sheaf_scene_add_strand_sections(sheaf_scene *scene, const sheaf_strand_def *def,
                                             const sheaf_section *sections, uint32_t section_count)
{
    if (scene == NULL || def == NULL || sections == NULL || section_count == 0)
        return base_fail(SHEAF_ERR_USAGE,
                         "sheaf_scene_add_strand_sections: an argument is NULL, or there is no section");
    scene_group group = scene_single(def);
    group.sections = sections;
    group.section_count = section_count;
    group.strand.material = sections[0].material;
    return scene_add_group(scene, &group);
}

sheaf_status sheaf_scene_add_strand_stiffness(sheaf_scene *scene, const sheaf_strand_def *def, const double *bend,
                                              const double *twist)
{
    if (scene == NULL || def == NULL || bend == NULL || twist == NULL)
        return base_fail(SHEAF_ERR_USAGE, "sheaf_scene_add_strand_stiffness: an argument is NULL");
    scene_group group = scene_single(def);
    group.vertex_bend = bend;
    group.vertex_twist = twist;
    return scene_add_group(scene, &group);
}
