// bind: where the roots of children are, and which guides are the nearest.
#include "children/parts.h"

#include "base/vec.h"
#include "children/near.h"
#include "grow/roots.h"

enum { AROUND = 7 }; // guides nearest to one, itself among them, between which its children are

// Places of children and of guides, m; only needed while they are bound.
typedef struct places {
    double (*guides)[3];   // [guide_count]
    double (*children)[3]; // [count]
    near_tree tree;
} places;

static sheaf_status allocate(children_group *g, places *p)
{
    const size_t count = g->count;
    p->guides = base_alloc(g->guide_count, sizeof *p->guides);
    p->children = base_alloc(count, sizeof *p->children);
    g->nearest = base_alloc(count * g->blend, sizeof *g->nearest);
    g->weights = base_alloc(count * g->blend, sizeof *g->weights);
    if (g->others == NULL)
        g->offsets = base_alloc(count, sizeof *g->offsets);
    else
        g->order = base_alloc(count, sizeof *g->order);
    const bool ok = p->guides != NULL && p->children != NULL && g->nearest != NULL && g->weights != NULL &&
                    (g->offsets != NULL || g->order != NULL);
    return ok ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

// ---- places

static void place_guides(const children_plan *c, const children_group *g, places *p)
{
    for (uint32_t k = 0; k < g->guide_count; k++)
        vec_copy(p->guides[k], c->rest[c->guides[g->guides[k]].first]);
}

// On the surface that the guides grow on, by the rules by which they were placed. Vertex 0 of a grown strand lies half
// an edge behind the surface; children are as far from the surface as their guide.
static sheaf_status place_grown(const children_plan *c, const children_group *g, const places *p)
{
    const grow_population *grown = g->grown;
    const scene_group *group = &c->model->groups[c->model->strands[c->guides[g->guides[0]].number].group];
    const uint32_t first = c->model->group_first[group - c->model->groups];
    grow_spot *spots = base_alloc(g->count, sizeof *spots);
    if (spots == NULL)
        return SHEAF_ERR_MEMORY;
    const sheaf_status status =
        roots_add(&grown->def, grown->area, grown->roots, grown->def.count, g->set.seed, g->count, spots);
    for (uint32_t k = 0; status == SHEAF_OK && k < g->count; k++)
        vec_copy(p->children[k], spots[k].point);
    for (uint32_t k = 0; status == SHEAF_OK && k < g->guide_count; k++) {
        const uint32_t own = c->guides[g->guides[k]].number - first;
        vec_copy(p->guides[k], surface_spot(&grown->def.surface, &grown->roots[own]).point);
    }
    base_free(spots);
    return status;
}

// Nothing is known of the surface but the guides' roots: half way at most from one towards two others near it, so that
// children stay between guides.
static void place_between(const children_group *g, const places *p)
{
    uint32_t found[AROUND];
    double squares[AROUND], random[4], way[3];
    for (uint32_t k = 0; k < g->count; k++) {
        const uint32_t guide = k % g->guide_count; // in turn, so that any first part is spread over all
        const uint32_t around = near_find(&p->tree, p->guides[guide], AROUND, found, squares);
        base_uniform4(g->set.seed, CHILDREN_STREAM_PLACE, k, random);
        double shares[2] = {random[0], random[1]};
        if (shares[0] + shares[1] > 1)
            for (int i = 0; i < 2; i++)
                shares[i] = 1 - shares[i];
        const uint32_t a = 1 + (uint32_t)(random[2] * (around - 1)), turn = (uint32_t)(random[3] * (around - 2));
        const uint32_t b = 1 + (a + turn) % (around - 1);
        vec_copy(p->children[k], p->guides[guide]);
        vec_sub(way, p->guides[found[a]], p->guides[guide]);
        vec_axpy(p->children[k], shares[0] / 2, way);
        vec_sub(way, p->guides[found[b]], p->guides[guide]);
        vec_axpy(p->children[k], shares[1] / 2, way);
    }
}

// The strands of the file that are not simulated, in random order (Fisher and Yates).
static sheaf_status place_others(const children_group *g, const places *p)
{
    const scene_bunch *others = g->others;
    uint32_t *all = base_alloc(others->count, sizeof *all);
    if (all == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < others->count; k++)
        all[k] = k;
    for (uint32_t k = 0; k < g->count; k++) {
        double random[4];
        base_uniform4(g->set.seed, CHILDREN_STREAM_ORDER, k, random);
        const uint32_t other = k + (uint32_t)(random[0] * (others->count - k)), taken = all[other];
        all[other] = all[k];
        g->order[k] = taken;
        vec_copy(p->children[k], others->points[others->first[taken] + (others->has_ghosts ? 1 : 0)]);
    }
    base_free(all);
    return SHEAF_OK;
}

// ---- guides

// Weights that go to 0 towards the distance at which a guide would be left out, so that none comes or goes at once, and
// change evenly on the way from guide to guide: w_a = 1 - (d_a / d_far)^2, normalised; `lock` then mixes in the
// nearest.
static void weigh(const children_group *g, const double *squares, uint32_t found, float *weights)
{
    const double far = squares[found - 1];
    double sum = 0, raw[SCENE_MOST_BLEND];
    for (uint32_t a = 0; a < g->blend; a++) {
        raw[a] = far > 0 ? 1 - squares[a] / far : a == 0;
        sum += raw[a];
    }
    for (uint32_t a = 0; a < g->blend; a++) {
        const double share = sum > 0 ? raw[a] / sum : a == 0;
        weights[a] = (float)((1 - g->set.lock) * share + (a == 0 ? g->set.lock : 0));
    }
}

static void find_guides(const children_group *g, const places *p)
{
    uint32_t found[SCENE_MOST_BLEND + 1];
    double squares[SCENE_MOST_BLEND + 1];
    for (uint32_t k = 0; k < g->count; k++) {
        const uint32_t count = near_find(&p->tree, p->children[k], g->blend + 1, found, squares);
        uint32_t *nearest = g->nearest + (size_t)k * g->blend;
        for (uint32_t a = 0; a < g->blend; a++)
            nearest[a] = g->guides[found[a]];
        weigh(g, squares, count, g->weights + (size_t)k * g->blend);
        for (int i = 0; g->offsets != NULL && i < 3; i++)
            g->offsets[k][i] = (float)(p->children[k][i] - p->guides[found[0]][i]);
    }
}

static sheaf_status bind(const children_plan *c, children_group *g, places *p)
{
    SHEAF_TRY(allocate(g, p));
    place_guides(c, g, p);
    if (g->others != NULL)
        SHEAF_TRY(place_others(g, p));
    else if (g->grown != NULL)
        SHEAF_TRY(place_grown(c, g, p));
    SHEAF_TRY(near_open((const double(*)[3])p->guides, g->guide_count, &p->tree));
    if (g->others == NULL && g->grown == NULL)
        place_between(g, p);
    find_guides(g, p);
    return SHEAF_OK;
}

sheaf_status children_bind(const children_plan *c, children_group *g, const scene_group *from)
{
    places p = {0};
    uint64_t count = (uint64_t)g->set.count * g->guide_count;
    g->grown = from->grown;
    g->others = from->others;
    if (g->others != NULL && count > g->others->count)
        count = g->others->count;
    if (count > SCENE_MAX_STRANDS)
        return base_fail(SHEAF_ERR_LIMIT,
                         "%u children for each of %u strands are more than the %d that are drawn; take "
                         "fewer",
                         g->set.count, g->guide_count, SCENE_MAX_STRANDS);
    g->count = g->chosen = (uint32_t)count;
    g->blend = g->set.blend < g->guide_count ? g->set.blend : g->guide_count - 1;
    const sheaf_status status = bind(c, g, &p);
    near_close(&p.tree);
    base_free(p.guides);
    base_free(p.children);
    return status;
}
