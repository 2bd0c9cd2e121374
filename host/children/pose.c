// pose: how the edges of guides have turned since rest. A guide's frame starts at its root, where the clamp holds it,
// and goes along the guide without twist (Bishop's frame), unless directors are given.
#include "children/parts.h"

#include "base/vec.h"
#include "world/world.h"

typedef struct posing {
    children_plan *c;
    const children_guides *now;
} posing;

// Tangent and director of the clamp at the root now. A root that is not clamped gets what turns its first edge there
// the shortest way; `first` is that edge's direction.
static void find_root(const children_plan *c, const children_guide *guide, double time, const double first[3],
                      double root[2][3])
{
    const model_strand *strand = &c->model->strands[guide->number];
    vec_copy(root[0], guide->root[0]);
    vec_copy(root[1], guide->root[1]);
    if (!strand->root->hold_tangent) {
        vec_transport(root[1], guide->root[1], guide->root[0], first);
        vec_copy(root[0], first);
        return;
    }
    model_path path;
    const sheaf_motion_def *motion = model_end_motion(c->model, strand, strand->root, time, time, &path);
    if (motion != NULL)
        for (int k = 0; k < 2; k++)
            model_motion_turn(motion, time, root[k], root[k]);
    const double twist = scene_course(&strand->root->twist, time);
    if (twist != 0)
        vec_rotate(root[1], root[1], root[0], twist);
}

// Axes from a tangent and a director, which is made normal to it.
static void make_axes(const double tangent[3], const double director[3], double axes[3][3])
{
    vec_copy(axes[0], tangent);
    vec_copy(axes[1], director);
    vec_axpy(axes[1], -vec_dot(axes[1], tangent), tangent);
    if (vec_length(axes[1]) > 1e-9)
        vec_unit(axes[1], axes[1]);
    else
        vec_normal(axes[1], tangent);
    vec_cross(axes[2], axes[0], axes[1]);
}

static void edge_direction(const double (*points)[3], const double instead[3], double out[3])
{
    vec_sub(out, points[1], points[0]);
    if (vec_length(out) > 0)
        vec_unit(out, out);
    else
        vec_copy(out, instead);
}

static void pose_guide(const posing *p, uint32_t strand)
{
    children_plan *c = p->c;
    const children_guide *guide = &c->guides[strand];
    const uint64_t given = c->given[strand] + guide->skipped;
    const double(*now)[3] = p->now->positions + given, (*rest)[3] = (const double(*)[3])c->rest + guide->first;
    double root[2][3], last[3], director[3], tangents[2][3], axes[2][3][3];
    vec_copy(c->root[strand], now[0]);
    edge_direction(now, guide->root[0], tangents[1]);
    find_root(c, guide, p->now->time, tangents[1], root);
    vec_copy(last, root[0]);
    vec_copy(director, root[1]);
    for (uint32_t i = 0; i + 1 < guide->count; i++) {
        edge_direction(rest + i, guide->root[0], tangents[0]);
        edge_direction(now + i, last, tangents[1]);
        vec_transport(director, director, last, tangents[1]);
        vec_copy(last, tangents[1]);
        make_axes(tangents[0], c->director[guide->first + i], axes[0]);
        make_axes(tangents[1], c->has_directors ? p->now->directors[given + i] : director, axes[1]);
        vec_copy(director, c->has_directors ? director : axes[1][1]);
        model_turn_between((const double(*)[3])axes[0], (const double(*)[3])axes[1], c->turn[guide->first + i]);
    }
}

static sheaf_status pose_range(size_t first, size_t end, uint32_t worker, void *user)
{
    const posing *p = user;
    (void)worker;
    for (size_t s = first; s < end; s++)
        if (p->c->guides[s].count > 0)
            pose_guide(p, (uint32_t)s);
    return SHEAF_OK;
}

static void pose_colliders(children_plan *c, double time)
{
    static const double gap = 3e-4, grid_gap = 8e-4; // m; the samples of a grid do not show all of a surface
    for (uint32_t k = 0; k < c->model->collider_count; k++) {
        children_collider *it = &c->colliders[k];
        it->collider = &c->model->colliders[k];
        it->gap = it->collider->grid != NULL ? grid_gap : gap;
        model_collider_pose(c->model, it->collider, time, it->center, it->axes);
    }
}

sheaf_status children_pose(children_plan *c, const children_guides *guides)
{
    posing p = {c, guides};
    pose_colliders(c, guides->time);
    return base_parallel_for(c->strand_count, 0, pose_range, &p);
}
