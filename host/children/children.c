// children: opening and closing, numbers and vertices.
#include "children/parts.h"

#include <string.h>

#include "base/vec.h"
#include "strand/strand.h"

// ---- guides

static uint32_t number_of(const children_def *def, uint32_t strand)
{
    return def->ids != NULL ? def->ids[strand] : strand;
}

// Children of each strand of a group: what is asked for, or what the scene says.
static uint32_t wanted(const children_def *def, const scene_group *group)
{
    if (group->grown == NULL && group->bunch == NULL)
        return 0;
    return def->count != CHILDREN_AS_SCENE ? def->count : group->children.count;
}

// A file's strands may be given with or without the vertex behind their clamped roots.
static sheaf_status note_guide(children_plan *c, const children_def *def, uint32_t strand)
{
    const uint32_t number = number_of(def, strand);
    if (number >= c->model->strand_count)
        return base_fail(SHEAF_ERR_INPUT, "strand %u is not in the scene, which has %u", number,
                         c->model->strand_count);
    const scene_group *group = &c->model->groups[c->model->strands[number].group];
    const uint32_t vertices = model_vertex_count(c->model, number);
    const uint64_t given = c->given[strand + 1] - c->given[strand];
    const uint32_t ghost = group->bunch != NULL && group->bunch->has_ghosts ? 1 : 0;
    children_guide *guide = &c->guides[strand];
    guide->number = number;
    if (wanted(def, group) == 0)
        return SHEAF_OK;
    if (given != vertices && given + ghost != vertices)
        return base_fail(SHEAF_ERR_INPUT, "strand %u has %llu vertices, but %u in the scene", number,
                         (unsigned long long)given, vertices);
    guide->count = vertices - ghost;
    guide->skipped = given == vertices ? ghost : 0;
    guide->held_edges = ghost == 0 && c->model->strands[number].root->hold_tangent ? 1 : 0;
    return SHEAF_OK;
}

static sheaf_status note_guides(children_plan *c, const children_def *def)
{
    uint64_t vertices = 0;
    for (uint32_t s = 0; s < c->strand_count; s++) {
        SHEAF_TRY(note_guide(c, def, s));
        c->guides[s].first = vertices;
        vertices += c->guides[s].count;
    }
    c->rest = base_alloc(vertices, sizeof *c->rest);
    c->director = base_alloc(vertices, sizeof *c->director);
    c->turn = base_alloc(vertices, sizeof *c->turn);
    return c->rest != NULL && c->director != NULL && c->turn != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

// The shape at rest of one guide, out of a part of the model: points, the clamp's frame, and directors: the model's, or
// those that turn along without twist.
static void take_shape(children_plan *c, children_guide *guide, const sheaf_model *part, uint32_t k)
{
    const uint64_t from = part->first_vertex[k];
    const uint32_t ghost = model_vertex_count(part, k) - guide->count;
    double tangent[3], last[3];
    memcpy(c->rest + guide->first, part->position + from + ghost, guide->count * sizeof *c->rest);
    vec_sub(tangent, part->position[from + 1], part->position[from]);
    vec_unit(guide->root[0], tangent);
    vec_copy(guide->root[1], part->director[from]);
    vec_copy(last, guide->root[0]);
    for (uint32_t i = 0; i + 1 < guide->count; i++) {
        const double(*point)[3] = (const double(*)[3])c->rest + guide->first + i;
        const double *before = i > 0 ? c->director[guide->first + i - 1] : guide->root[1];
        vec_sub(tangent, point[1], point[0]);
        vec_unit(tangent, tangent);
        vec_transport(c->director[guide->first + i], before, last, tangent);
        vec_copy(last, tangent);
        if (c->has_directors)
            vec_copy(c->director[guide->first + i], part->director[from + ghost + i]);
    }
}

typedef struct taking {
    children_plan *c;
    uint32_t *places; // [strand of the model] place among the given strands, or UINT32_MAX
} taking;

static sheaf_status take_part(const sheaf_model *part, uint32_t first, void *user)
{
    const taking *t = user;
    for (uint32_t k = 0; k < part->strand_count; k++) {
        const uint32_t place = t->places[first + k];
        if (place != UINT32_MAX && t->c->guides[place].count > 0)
            take_shape(t->c, &t->c->guides[place], part, k);
    }
    return SHEAF_OK;
}

static sheaf_status take_shapes(children_plan *c)
{
    taking t = {c, base_alloc(c->model->strand_count, sizeof *t.places)};
    if (t.places == NULL)
        return SHEAF_ERR_MEMORY;
    memset(t.places, 0xff, c->model->strand_count * sizeof *t.places);
    for (uint32_t s = 0; s < c->strand_count; s++)
        t.places[c->guides[s].number] = s;
    const sheaf_status status = model_for_each_part(c->model, take_part, &t);
    base_free(t.places);
    return status;
}

// ---- groups

static sheaf_status add_group(children_plan *c, const children_def *def, uint32_t index)
{
    const scene_group *from = &c->model->groups[index];
    children_group *g = &c->groups[c->group_count];
    uint32_t guides = 0;
    for (uint32_t s = 0; s < c->strand_count; s++)
        guides += c->guides[s].count > 0 && c->model->strands[c->guides[s].number].group == index;
    if (guides < SCENE_LEAST_GUIDES)
        return SHEAF_OK;
    g->guides = base_alloc(guides, sizeof *g->guides);
    if (g->guides == NULL)
        return SHEAF_ERR_MEMORY;
    c->group_count++;
    for (uint32_t s = 0; s < c->strand_count; s++)
        if (c->guides[s].count > 0 && c->model->strands[c->guides[s].number].group == index)
            g->guides[g->guide_count++] = s;
    g->set = from->children;
    g->set.count = wanted(def, from);
    return children_bind(c, g, from);
}

static sheaf_status add_groups(children_plan *c, const children_def *def)
{
    c->groups = base_alloc(c->model->group_count, sizeof *c->groups);
    if (c->groups == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < c->model->group_count; k++)
        if (wanted(def, &c->model->groups[k]) > 0)
            SHEAF_TRY(add_group(c, def, k));
    for (uint32_t k = 0; k < c->group_count; k++)
        for (uint32_t child = 0; child < c->groups[k].count; child++) {
            const uint32_t size = children_shape_size(c, &c->groups[k], child);
            c->longest = size > c->longest ? size : c->longest;
        }
    return SHEAF_OK;
}

static sheaf_status open_all(children_plan *c, const children_def *def)
{
    const size_t strands = def->strand_count;
    c->given = base_alloc(strands + 1, sizeof *c->given);
    c->guides = base_alloc(strands, sizeof *c->guides);
    c->root = base_alloc(strands, sizeof *c->root);
    c->colliders = base_alloc(c->model->collider_count, sizeof *c->colliders);
    if (c->given == NULL || c->guides == NULL || c->root == NULL || c->colliders == NULL)
        return SHEAF_ERR_MEMORY;
    memcpy(c->given, def->first_vertex, (strands + 1) * sizeof *c->given);
    SHEAF_TRY(note_guides(c, def));
    SHEAF_TRY(take_shapes(c));
    return add_groups(c, def);
}

static bool are_wanted(const children_def *def)
{
    for (uint32_t k = 0; k < def->model->group_count; k++)
        if (wanted(def, &def->model->groups[k]) > 0)
            return true;
    return false;
}

sheaf_status children_open(const children_def *def, children_plan **made)
{
    *made = NULL;
    if (!are_wanted(def))
        return SHEAF_OK;
    children_plan *c = base_alloc(1, sizeof *c);
    if (c == NULL)
        return SHEAF_ERR_MEMORY;
    c->model = def->model;
    c->strand_count = def->strand_count;
    c->has_directors = def->has_directors;
    const sheaf_status status = open_all(c, def);
    if (status == SHEAF_OK && children_count(c) > 0)
        *made = c;
    else
        children_close(c);
    return status;
}

void children_close(children_plan *c)
{
    if (c == NULL)
        return;
    for (uint32_t k = 0; k < c->group_count; k++) {
        children_group *g = &c->groups[k];
        base_free(g->guides);
        base_free(g->nearest);
        base_free(g->weights);
        base_free(g->offsets);
        base_free(g->order);
    }
    base_free(c->groups);
    base_free(c->given);
    base_free(c->guides);
    base_free(c->rest);
    base_free(c->director);
    base_free(c->turn);
    base_free(c->root);
    base_free(c->colliders);
    base_free(c);
}

// ---- numbers

uint64_t children_count(const children_plan *c)
{
    uint64_t count = 0;
    for (uint32_t k = 0; c != NULL && k < c->group_count; k++)
        count += c->groups[k].chosen;
    return count;
}

uint64_t children_vertices(const children_plan *c)
{
    uint64_t count = 0;
    for (uint32_t k = 0; c != NULL && k < c->group_count; k++)
        for (uint32_t child = 0; child < c->groups[k].chosen; child++)
            count += children_shape_size(c, &c->groups[k], child);
    return count;
}

double children_stand_for(const children_plan *c, uint32_t strand)
{
    if (c == NULL || c->guides[strand].count == 0)
        return 1;
    const uint32_t group = c->model->strands[c->guides[strand].number].group;
    for (uint32_t k = 0; k < c->group_count; k++) {
        const children_group *g = &c->groups[k];
        if (c->model->strands[c->guides[g->guides[0]].number].group == group)
            return 1 + (double)g->count / g->guide_count;
    }
    return 1;
}

uint64_t children_choose(children_plan *c, double share)
{
    for (uint32_t k = 0; k < c->group_count; k++) {
        const double chosen = floor(fmin(fmax(share, 0), 1) * c->groups[k].count + 0.5);
        c->groups[k].chosen = (uint32_t)chosen;
    }
    return children_count(c);
}
