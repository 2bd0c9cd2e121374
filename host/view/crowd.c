// crowd: children of the strands on a stage, made while they are drawn.
#include "view/crowd.h"

#include <math.h>

enum { CROWD_STREAM = 0xC40D };

static const double vary = 0.16; // of brightness, either way

struct view_maker {
    children_plan *children;
    const view_strand *looks; // of the guides
    view_crowd crowd;

    // what the next picture shows
    const double (*guides)[3];
    double time;

    // the block made last
    uint64_t first_vertex[VIEW_CROWD_BLOCK + 1];
    uint32_t nearest[VIEW_CROWD_BLOCK];
    view_strand strands[VIEW_CROWD_BLOCK];
    double (*positions)[3];
    uint64_t room; // vertices
};

static sheaf_status begin(void *user, double share, uint64_t *count)
{
    view_maker *maker = user;
    const children_guides guides = {.positions = maker->guides, .time = maker->time};
    *count = children_choose(maker->children, share);
    return children_pose(maker->children, &guides);
}

static void choose_look(const view_maker *maker, uint64_t number, uint32_t guide, view_strand *look)
{
    double random[4];
    base_uniform4(1, CROWD_STREAM, number, random);
    *look = maker->looks[guide];
    look->stands_for = 1;
    look->piece_count = 0; // those of the guide are counted in its edges
    for (int c = 0; c < 3; c++)
        look->colour[c] = fminf(look->colour[c] * (float)(1 + vary * (2 * random[0] - 1)), 1);
}

static sheaf_status make(void *user, uint64_t first, uint32_t count, view_subject *made)
{
    view_maker *maker = user;
    children_layout(maker->children, first, count, maker->first_vertex, maker->nearest);
    const uint64_t vertices = maker->first_vertex[count];
    if (vertices > maker->room) {
        base_free(maker->positions);
        maker->positions = base_alloc(vertices, sizeof *maker->positions);
        maker->room = maker->positions != NULL ? vertices : 0;
        if (maker->positions == NULL)
            return SHEAF_ERR_MEMORY;
    }
    for (uint32_t k = 0; k < count; k++)
        choose_look(maker, first + k, maker->nearest[k], &maker->strands[k]);
    *made = (view_subject){.strand_count = count,
                           .first_vertex = maker->first_vertex,
                           .strands = maker->strands,
                           .positions = (const double(*)[3])maker->positions,
                           .crowd = &maker->crowd};
    return children_lay(maker->children, first, count, maker->first_vertex, maker->positions, 0);
}

sheaf_status view_maker_open(const children_def *def, view_strand *looks, view_maker **maker)
{
    *maker = NULL;
    children_plan *made;
    SHEAF_TRY(children_open(def, &made));
    if (made == NULL)
        return SHEAF_OK;
    *maker = base_alloc(1, sizeof **maker);
    if (*maker == NULL) {
        children_close(made);
        return SHEAF_ERR_MEMORY;
    }
    (*maker)->children = made;
    (*maker)->looks = looks;
    (*maker)->crowd = (view_crowd){*maker, children_vertices(made), begin, make};
    for (uint32_t s = 0; s < def->strand_count; s++)
        looks[s].stands_for = (float)children_stand_for(made, s);
    return SHEAF_OK;
}

void view_maker_close(view_maker *maker)
{
    if (maker == NULL)
        return;
    children_close(maker->children);
    base_free(maker->positions);
    base_free(maker);
}

const view_crowd *view_maker_crowd(view_maker *maker, const double (*positions)[3], double time)
{
    if (maker == NULL)
        return NULL;
    maker->guides = positions;
    maker->time = time;
    return &maker->crowd;
}
