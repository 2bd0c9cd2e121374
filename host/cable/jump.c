// jump: what a jump of a motion does to all that hangs on it.
#include "cable/groups.h"

#include "base/vec.h"
#include "world/world.h"

#include <string.h>

enum { NO_MOTION = -1 };

// ---- what holds a group

// Calls `visit` with the motion of everything that holds group k: ends, points of lines, axles; NO_MOTION: it follows
// none. Ends at the first true.
static bool any_holder(const cable_groups *g, uint32_t k, bool (*visit)(void *user, int32_t motion), void *user)
{
    const sheaf_model *model = g->model;
    for (uint32_t at = g->first[k]; at < g->first[k + 1]; at++)
        for (int is_tip = 0; is_tip < 2; is_tip++)
            if (g->spots[g->strands[at]].anchor[is_tip] >= 0 &&
                visit(user, cable_end_motion(model, g->strands[at], is_tip)))
                return true;
    for (uint32_t r = 0; r < model->reeving_count; r++)
        for (uint32_t p = 0; p < model->reevings[r].point_count && g->line_group[r] == k; p++) {
            const int32_t body = model->reevings[r].path[p].body;
            const bool is_held = body < 0 || g->body_group[body] == UINT32_MAX;
            if (is_held && visit(user, body < 0 ? NO_MOTION : model->bodies[body].def.motion))
                return true;
        }
    for (uint32_t b = 0; b < model->body_count; b++)
        if (g->body_group[b] == k && model->bodies[b].def.axle.is_there && visit(user, NO_MOTION))
            return true;
    return false;
}

typedef struct search {
    const sheaf_model *model;
    int32_t motion;
} search;

static bool jumps(void *user, int32_t motion)
{
    search *s = user;
    s->motion = motion;
    return motion >= 0 && s->model->motions[motion].jumps != NULL;
}

static bool is_another(void *user, int32_t motion)
{
    return motion != ((const search *)user)->motion;
}

sheaf_status cable_groups_check_jumps(const cable_groups *g)
{
    for (uint32_t k = 0; k < g->count; k++) {
        search s = {.model = g->model};
        if (any_holder(g, k, jumps, &s) && any_holder(g, k, is_another, &s))
            return base_fail(SHEAF_ERR_INPUT,
                             "cable %u: it hangs on motion '%s', which jumps, and on something else that does not; let "
                             "all that holds it follow that motion, or take the jump out",
                             g->model->strands[g->strands[g->first[k]]].number, g->model->motions[s.motion].name);
    }
    return SHEAF_OK;
}

// ---- the jump

static double height_energy(const cable_group *group)
{
    double sum = 0;
    for (uint32_t k = 0; k < group->body_count; k++)
        sum -= group->bodies[k].mass * vec_dot(group->settings.gravity, group->bodies[k].place);
    return sum;
}

static void jump_body(const model_jump *jump, const double turn[4], cable_body *body)
{
    double pose[4];
    model_jump_point(jump, body->place, body->place);
    model_jump_vector(jump, body->velocity, body->velocity);
    model_jump_vector(jump, body->spin, body->spin);
    cable_quaternion_product(turn, body->pose, pose);
    memcpy(body->pose, pose, sizeof pose);
}

void cable_groups_jump(cable_groups *g, uint32_t k, double time)
{
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    cable_group *group = &g->groups[k];
    search s = {.model = g->model};
    model_jump jump;
    double turned[3][3], turn[4] = {1, 0, 0, 0};
    if (!any_holder(g, k, jumps, &s) || !model_motion_jump(&g->model->motions[s.motion], time - g->step, time, &jump))
        return;
    for (int c = 0; c < 3; c++)
        model_jump_vector(&jump, axes[c], turned[c]);
    if (jump.turns)
        model_turn_between(axes, (const double(*)[3])turned, turn);
    const double before = height_energy(group);
    for (uint32_t b = 0; b < group->body_count; b++)
        jump_body(&jump, turn, &group->bodies[b]);
    for (uint32_t j = 0; j < group->joint_count; j++)
        model_jump_vector(&jump, group->joints[j].load, group->joints[j].load);
    group->work += height_energy(group) - before;
}
