// groups: the cables of a model as groups of bodies and joints for the reference.
#include "cable/groups.h"

#include "base/vec.h"
#include "world/world.h"

#include <string.h>

// ---- which cables hang together

static uint32_t find(uint32_t *parent, uint32_t k)
{
    while (parent[k] != k)
        k = parent[k] = parent[parent[k]];
    return k;
}

// Labels strands by the smallest strand that they hang together with: parent of strands, then of bodies.
static void join(const sheaf_model *model, uint32_t *parent)
{
    const uint32_t strands = model->strand_count;
    for (uint32_t k = 0; k < strands + model->body_count; k++)
        parent[k] = k;
    for (uint32_t s = 0; s < strands; s++)
        for (int is_tip = 0; is_tip < 2; is_tip++) {
            const cable_end end = cable_find_end(model, s, is_tip);
            if (end.body < 0)
                continue;
            const uint32_t a = find(parent, s), b = find(parent, strands + (uint32_t)end.body);
            parent[a > b ? a : b] = a < b ? a : b;
        }
}

// Bodies on one line hang together; those that no cable holds go with the first one.
static void join_lines(const sheaf_model *model, uint32_t *parent)
{
    const uint32_t strands = model->strand_count;
    for (uint32_t k = 0; k < model->reeving_count; k++) {
        uint32_t first = UINT32_MAX;
        for (uint32_t p = 0; p < model->reevings[k].point_count; p++) {
            const int32_t body = model->reevings[k].path[p].body;
            if (body < 0 || !model->bodies[body].is_free)
                continue;
            const uint32_t a = find(parent, strands + (uint32_t)body), b = first < UINT32_MAX ? find(parent, first) : a;
            parent[a > b ? a : b] = a < b ? a : b;
            first = strands + (uint32_t)body;
        }
        if (first < UINT32_MAX && find(parent, first) >= strands)
            parent[find(parent, first)] = find(parent, 0);
    }
}

void cable_groups_label(const sheaf_model *model, uint32_t *label)
{
    join(model, label);
    join_lines(model, label);
    for (uint32_t k = 0; k < model->strand_count + model->body_count; k++)
        label[k] = find(label, k);
}

// Numbers groups in the order of their first strands, and lists the strands of each.
static void list_strands(cable_groups *g, uint32_t *parent)
{
    const uint32_t strands = g->model->strand_count;
    for (uint32_t s = 0; s < strands; s++) {
        const uint32_t root = find(parent, s);
        g->spots[s].group = root == s ? g->count++ : g->spots[root].group;
        g->first[g->spots[s].group + 1]++;
    }
    for (uint32_t k = 0; k < g->count; k++)
        g->first[k + 1] += g->first[k];
    for (uint32_t s = strands; s-- > 0;) {
        const uint32_t group = g->spots[s].group;
        g->strands[--g->first[group + 1]] = s;
    }
    for (uint32_t k = 0; k < g->count; k++) // the loop above moved ends to beginnings
        g->first[k] = g->first[k + 1];
    g->first[g->count] = strands;
    for (uint32_t b = 0; b < g->model->body_count; b++) {
        const uint32_t root = find(parent, strands + b);
        g->body_group[b] = root < strands ? g->spots[root].group : UINT32_MAX;
    }
}

// Group of a line: that of its bodies; of one that moves none the first.
static void list_lines(cable_groups *g)
{
    const sheaf_model *model = g->model;
    for (uint32_t k = 0; k < model->reeving_count; k++)
        for (uint32_t p = 0; p < model->reevings[k].point_count; p++) {
            const int32_t body = model->reevings[k].path[p].body;
            if (body >= 0 && g->body_group[body] != UINT32_MAX)
                g->line_group[k] = g->body_group[body];
        }
}

static bool is_followed(const cable_groups *g, uint32_t group, uint32_t body)
{
    for (uint32_t k = 0; k < g->follower_count; k++)
        if (g->followers[k].group == group && g->followers[k].model_body == body)
            return true;
    return false;
}

// Bodies that lines run over and that move by themselves, once in each group.
static sheaf_status list_followers(cable_groups *g)
{
    const sheaf_model *model = g->model;
    uint32_t most = 0;
    for (uint32_t k = 0; k < model->reeving_count; k++)
        most += model->reevings[k].point_count;
    g->followers = base_alloc(most + 1, sizeof *g->followers);
    if (g->followers == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < model->reeving_count; k++)
        for (uint32_t p = 0; p < model->reevings[k].point_count; p++) {
            const int32_t body = model->reevings[k].path[p].body;
            if (body >= 0 && g->body_group[body] == UINT32_MAX && !is_followed(g, g->line_group[k], (uint32_t)body))
                g->followers[g->follower_count++] =
                    (cable_follower){.group = g->line_group[k], .model_body = (uint32_t)body};
        }
    return SHEAF_OK;
}

// ---- one group

static void fill_body(const cable_part *part, cable_body *body)
{
    *body = (cable_body){.mass = part->mass, .drag = part->drag};
    vec_copy(body->inertia, part->inertia);
    vec_copy(body->place, part->place);
    vec_copy(body->velocity, part->velocity);
    vec_copy(body->spin, part->spin);
    memcpy(body->pose, part->pose, sizeof body->pose);
}

static void fill_joint(const cable_groups *g, uint32_t strand, uint32_t i, cable_joint *joint)
{
    const double unit[4] = {1, 0, 0, 0};
    double compliance[3];
    cable_compliance(g->model, strand, i, compliance);
    memcpy(joint->rest_a, unit, sizeof unit);
    memcpy(joint->rest_b, unit, sizeof unit);
    for (int r = 0; r < CABLE_ROWS; r++)
        joint->compliance[r] = compliance[r < 3 ? 0 : r == 3 ? 2 : 1];
}

static void free_turns(cable_joint *joint, bool holds_turn)
{
    for (int r = 3; r < CABLE_ROWS && !holds_turn; r++)
        joint->compliance[r] = INFINITY;
}

// A body that holds an end where it is at the start.
static void fill_anchor(const cable_groups *g, uint32_t strand, bool is_tip, cable_body *body)
{
    *body = (cable_body){0};
    cable_anchor(g->model, strand, is_tip, 0, body->place, body->pose);
    vec_copy(body->goal_place, body->place);
    memcpy(body->goal_pose, body->pose, sizeof body->pose);
}

// The joint of an end: to a free body or to an anchor.
static void fill_end(const cable_groups *g, uint32_t strand, bool is_tip, const cable_end *end, cable_joint *joint)
{
    const uint32_t n = cable_segment_count(g->model, strand), i = is_tip ? n : 0;
    const cable_spot *spot = &g->spots[strand];
    const int32_t other = end->body >= 0 ? (int32_t)g->body_place[end->body] : spot->anchor[is_tip];
    const int32_t own = (int32_t)(spot->segment + (is_tip ? n - 1 : 0));
    const double half = cable_segment_length(g->model, strand, is_tip ? n - 1 : 0) / 2;
    fill_joint(g, strand, i, joint);
    free_turns(joint, end->holds_turn);
    joint->a = is_tip ? own : other;
    joint->b = is_tip ? other : own;
    vec_set(is_tip ? joint->arm_a : joint->arm_b, is_tip ? half : -half, 0, 0);
    if (end->body >= 0) {
        vec_copy(is_tip ? joint->arm_b : joint->arm_a, end->arm);
        memcpy(is_tip ? joint->rest_b : joint->rest_a, end->rest, sizeof end->rest);
    }
}

// ---- lines

static void follower_pose(const cable_groups *g, const cable_follower *follower, double time, double place[3],
                          double pose[4])
{
    sheaf_body_pose told;
    cable_tell_driven(g->model, follower->model_body, time, &told);
    vec_copy(place, told.position);
    memcpy(pose, told.rotation, sizeof told.rotation);
}

static void fill_follower(cable_groups *g, cable_follower *follower, cable_body *body)
{
    *body = (cable_body){0};
    follower_pose(g, follower, 0, body->place, body->pose);
    vec_copy(body->goal_place, body->place);
    memcpy(body->goal_pose, body->pose, sizeof body->pose);
}

// A point of a line, from the user's axes of its body to those of the group's.
static void fill_point(const cable_groups *g, uint32_t group, const sheaf_reeve_point *point, int32_t *body,
                       double arm[3])
{
    *body = CABLE_NO_BODY;
    vec_copy(arm, point->at);
    if (point->body < 0)
        return;
    if (g->body_group[point->body] != UINT32_MAX) {
        const model_body *it = &g->model->bodies[point->body];
        double place[3];
        model_body_to_space(it->start_axes, point->at, place);
        vec_add(place, place, it->start);
        vec_sub(place, place, it->center);
        model_body_to_own(it->axes, place, arm);
        *body = (int32_t)g->body_place[point->body];
        return;
    }
    for (uint32_t k = 0; k < g->follower_count; k++)
        if (g->followers[k].group == group && g->followers[k].model_body == (uint32_t)point->body)
            *body = (int32_t)g->followers[k].body;
}

static double line_length(const sheaf_reeving_def *def, double start, double time)
{
    return fmax(0, (def->length > 0 ? def->length : start) + scene_course(&def->change, time));
}

static void fill_lines(cable_groups *g, uint32_t k)
{
    cable_group *group = &g->groups[k];
    uint32_t count = 0;
    for (uint32_t r = 0; r < g->model->reeving_count; r++) {
        const sheaf_reeving_def *def = &g->model->reevings[r];
        cable_line *line = &group->lines[count];
        cable_bound bound;
        if (g->line_group[r] != k)
            continue;
        *line = (cable_line){.count = def->point_count, .compliance = 1 / def->stiffness};
        for (uint32_t p = 0; p < def->point_count; p++)
            fill_point(g, k, &def->path[p], &line->body[p], line->arm[p]);
        line->start = cable_ref_line(group, line, &bound);
        line->before = line->length = line_length(def, line->start, 0);
        count++;
    }
}

static void drive_lines(cable_groups *g, uint32_t k, double time)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < g->model->reeving_count; r++)
        if (g->line_group[r] == k) {
            cable_line *line = &g->groups[k].lines[count++];
            line->before = line_length(&g->model->reevings[r], line->start, time - g->step);
            line->length = line_length(&g->model->reevings[r], line->start, time);
        }
    for (uint32_t f = 0; f < g->follower_count; f++)
        if (g->followers[f].group == k) {
            cable_body *body = &g->groups[k].bodies[g->followers[f].body];
            follower_pose(g, &g->followers[f], time, body->goal_place, body->goal_pose);
        }
}

// ---- cables

// Bodies and joints of a cable; returns where the next may begin.
static void fill_cable(cable_groups *g, uint32_t strand, cable_group *group, uint32_t *bodies, uint32_t *joints)
{
    const uint32_t n = cable_segment_count(g->model, strand);
    cable_spot *spot = &g->spots[strand];
    cable_end ends[2];
    for (int k = 0; k < 2; k++) {
        ends[k] = cable_find_end(g->model, strand, k);
        spot->anchor[k] = -1;
        if (ends[k].holds_point && ends[k].body < 0) {
            spot->anchor[k] = (int32_t)*bodies;
            fill_anchor(g, strand, k, &group->bodies[(*bodies)++]);
        }
    }
    spot->segment = *bodies;
    spot->joint = *joints;
    for (uint32_t j = 0; j < n; j++) {
        cable_part part;
        cable_segment(g->model, strand, j, &part);
        fill_body(&part, &group->bodies[(*bodies)++]);
    }
    if (ends[0].holds_point)
        fill_end(g, strand, false, &ends[0], &group->joints[(*joints)++]);
    for (uint32_t i = 1; i < n; i++) {
        cable_joint *joint = &group->joints[(*joints)++];
        fill_joint(g, strand, i, joint);
        joint->a = (int32_t)(spot->segment + i - 1);
        joint->b = (int32_t)(spot->segment + i);
        joint->arm_a[0] = cable_segment_length(g->model, strand, i - 1) / 2;
        joint->arm_b[0] = -cable_segment_length(g->model, strand, i) / 2;
    }
    if (ends[1].holds_point)
        fill_end(g, strand, true, &ends[1], &group->joints[(*joints)++]);
}

static void count_parts(const cable_groups *g, uint32_t k, uint32_t *bodies, uint32_t *joints)
{
    *bodies = *joints = 0;
    for (uint32_t at = g->first[k]; at < g->first[k + 1]; at++) {
        const uint32_t n = cable_segment_count(g->model, g->strands[at]);
        *bodies += n;
        *joints += n - 1;
        for (int is_tip = 0; is_tip < 2; is_tip++) {
            const cable_end end = cable_find_end(g->model, g->strands[at], is_tip);
            *joints += end.holds_point;
            *bodies += end.holds_point && end.body < 0;
        }
    }
    for (uint32_t b = 0; b < g->model->body_count; b++)
        *bodies += g->body_group[b] == k;
    for (uint32_t f = 0; f < g->follower_count; f++)
        *bodies += g->followers[f].group == k;
}

static uint32_t count_lines(const cable_groups *g, uint32_t k)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < g->model->reeving_count; r++)
        count += g->line_group[r] == k;
    return count;
}

static cable_settings settings_of(const sheaf_model *model, double step)
{
    const sheaf_scene_def *def = &model->def;
    cable_settings settings = {.step = step,
                               .damping = model->cable_step.damping * step,
                               .stiffening = 1,
                               .bend = (cable_bend)model->cable_step.bend,
                               .tension = (cable_tension)model->cable_step.tension};
    vec_copy(settings.gravity, def->gravity);
    return settings;
}

static void fill_axle(const sheaf_axle_def *def, cable_body *body)
{
    if (!def->is_there)
        return;
    body->axle =
        (cable_axle){.is_there = true, .is_driven = def->has_speed, .friction = def->friction, .brake = def->brake};
    vec_unit(body->axle.axis, def->axis);
    vec_set(body->velocity, 0, 0, 0);
    vec_scale(body->spin, body->axle.axis, vec_dot(body->axle.axis, body->spin));
    body->drag = 0; // of its centre, which stays
}

// The free bodies of a group, then those that lines follow; returns how many there are.
static uint32_t fill_bodies(cable_groups *g, uint32_t k)
{
    cable_group *group = &g->groups[k];
    uint32_t count = 0;
    for (uint32_t b = 0; b < g->model->body_count; b++)
        if (g->body_group[b] == k) {
            cable_part part;
            g->body_place[b] = count;
            cable_free_body(g->model, b, &part);
            fill_body(&part, &group->bodies[count]);
            fill_axle(&g->model->bodies[b].def.axle, &group->bodies[count++]);
        }
    for (uint32_t f = 0; f < g->follower_count; f++)
        if (g->followers[f].group == k) {
            g->followers[f].body = count;
            fill_follower(g, &g->followers[f], &group->bodies[count++]);
        }
    return count;
}

static void open_winches(cable_groups *g, uint32_t k)
{
    for (uint32_t at = g->first[k]; at < g->first[k + 1]; at++) {
        const uint32_t strand = g->strands[at];
        const sheaf_winch_def *def = cable_winch_of(g->model, strand);
        cable_spot *spot = &g->spots[strand];
        spot->winch = -1;
        if (def == NULL)
            continue;
        spot->winch = (int32_t)g->winch_count;
        cable_winch *winch = &g->winches[g->winch_count++];
        *winch = (cable_winch){.strand = strand,
                               .group = k,
                               .drum = g->body_place[def->body],
                               .segment = spot->segment,
                               .joint = spot->joint};
        cable_winch_open(g->model, strand, &g->groups[k], winch);
    }
}

static sheaf_status open_adaptives(cable_groups *g, uint32_t k)
{
    for (uint32_t at = g->first[k]; at < g->first[k + 1]; at++) {
        const uint32_t strand = g->strands[at];
        cable_spot *spot = &g->spots[strand];
        spot->adaptive = -1;
        if (!cable_is_adaptive(g->model, strand))
            continue;
        spot->adaptive = (int32_t)g->adaptive_count;
        cable_adaptive *cable = &g->adaptives[g->adaptive_count++];
        *cable = (cable_adaptive){.strand = strand, .group = k, .segment = spot->segment, .joint = spot->joint};
        SHEAF_TRY(cable_adaptive_open(g->model, strand, &g->groups[k], cable));
    }
    return SHEAF_OK;
}

static sheaf_status make_group(cable_groups *g, uint32_t k, double step)
{
    cable_group *group = &g->groups[k];
    uint32_t bodies, joints = 0;
    count_parts(g, k, &bodies, &joints);
    SHEAF_TRY(cable_ref_open(bodies, joints, group));
    group->settings = settings_of(g->model, step);
    group->line_count = count_lines(g, k);
    group->lines = base_alloc(group->line_count, sizeof *group->lines);
    if (group->lines == NULL)
        return SHEAF_ERR_MEMORY;
    joints = 0;
    bodies = fill_bodies(g, k);
    for (uint32_t at = g->first[k]; at < g->first[k + 1]; at++)
        fill_cable(g, g->strands[at], group, &bodies, &joints);
    fill_lines(g, k);
    open_winches(g, k);
    SHEAF_TRY(open_adaptives(g, k));
    for (uint32_t b = 0; b < group->body_count; b++)
        vec_copy(group->bodies[b].air, g->model->def.wind);
    SHEAF_TRY(cable_ref_prepare(group));
    cable_ref_wind(group);
    return SHEAF_OK;
}

// ---- the whole

void cable_groups_close(cable_groups *g)
{
    for (uint32_t k = 0; k < g->count && g->groups != NULL; k++)
        cable_ref_close(&g->groups[k]);
    base_free(g->groups);
    base_free(g->first);
    base_free(g->strands);
    base_free(g->spots);
    base_free(g->body_group);
    base_free(g->body_place);
    base_free(g->line_group);
    base_free(g->winches);
    for (uint32_t k = 0; k < g->adaptive_count; k++)
        cable_adaptive_close(&g->adaptives[k]);
    base_free(g->adaptives);
    base_free(g->followers);
    *g = (cable_groups){0};
}

static sheaf_status make_groups(cable_groups *g, uint32_t *parent, double step)
{
    cable_groups_label(g->model, parent);
    list_strands(g, parent);
    list_lines(g);
    SHEAF_TRY(list_followers(g));
    g->groups = base_alloc(g->count, sizeof *g->groups);
    if (g->groups == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < g->count; k++)
        SHEAF_TRY(make_group(g, k, step));
    return cable_groups_check_jumps(g);
}

sheaf_status cable_groups_open(const sheaf_model *model, double step, cable_groups *g)
{
    const size_t strands = model->strand_count, bodies = model->body_count;
    *g = (cable_groups){.model = model,
                        .step = step,
                        .line_group = base_alloc(model->reeving_count, sizeof *g->line_group),
                        .winches = base_alloc(strands, sizeof *g->winches),
                        .adaptives = base_alloc(strands, sizeof *g->adaptives),
                        .first = base_alloc(strands + 1, sizeof *g->first),
                        .strands = base_alloc(strands, sizeof *g->strands),
                        .spots = base_alloc(strands, sizeof *g->spots),
                        .body_group = base_alloc(bodies + 1, sizeof *g->body_group),
                        .body_place = base_alloc(bodies + 1, sizeof *g->body_place)};
    uint32_t *parent = base_alloc(strands + bodies, sizeof *parent);
    sheaf_status status = SHEAF_ERR_MEMORY;
    if (g->first != NULL && g->strands != NULL && g->spots != NULL && g->body_group != NULL && g->body_place != NULL &&
        g->line_group != NULL && g->winches != NULL && g->adaptives != NULL && parent != NULL)
        status = make_groups(g, parent, step);
    base_free(parent);
    if (status != SHEAF_OK)
        cable_groups_close(g);
    return status;
}

static void drive_cable(cable_groups *g, uint32_t strand, cable_group *group, double time)
{
    const cable_spot *spot = &g->spots[strand];
    const uint32_t n = cable_segment_count(g->model, strand);
    const uint32_t live = spot->adaptive >= 0 ? g->adaptives[spot->adaptive].count : n;
    cable_body *last = &group->bodies[spot->segment + live - 1];
    double force[3], torque[3], lever[3], moment[3];
    const double arm[3] = {cable_segment_length(g->model, strand, n - 1) / 2, 0, 0};
    for (int k = 0; k < 2; k++)
        if (spot->anchor[k] >= 0)
            cable_anchor(g->model, strand, k, time, group->bodies[spot->anchor[k]].goal_place,
                         group->bodies[spot->anchor[k]].goal_pose);
    cable_tip_load(g->model, strand, time, force, torque);
    cable_turn(last->pose, arm, lever);
    vec_cross(moment, lever, force);
    vec_copy(last->force, force);
    vec_add(last->torque, torque, moment);
}

// Turns of a speed over a step, by Simpson's rule.
static double turn_of(const sheaf_course *speed, double time, double h)
{
    return h / 6 * (scene_course(speed, time - h) + 4 * scene_course(speed, time - h / 2) + scene_course(speed, time));
}

static void drive_axle(const sheaf_axle_def *def, double time, double h, cable_body *body)
{
    if (def->is_there && def->has_speed)
        body->axle.turn = turn_of(&def->speed, time, h);
    else if (def->is_there)
        vec_axpy(body->torque, scene_course(&def->torque, time), body->axle.axis);
}

void cable_groups_drive(cable_groups *g, uint32_t k, double time)
{
    cable_groups_jump(g, k, time);
    for (uint32_t at = g->first[k]; at < g->first[k + 1]; at++)
        drive_cable(g, g->strands[at], &g->groups[k], time);
    for (uint32_t b = 0; b < g->model->body_count; b++) {
        if (g->body_group[b] != k)
            continue;
        cable_body *body = &g->groups[k].bodies[g->body_place[b]];
        for (int c = 0; c < 3; c++) {
            body->force[c] = scene_course(&g->model->bodies[b].def.force[c], time);
            body->torque[c] = scene_course(&g->model->bodies[b].def.torque[c], time);
        }
        drive_axle(&g->model->bodies[b].def.axle, time, g->step, body);
    }
    drive_lines(g, k, time);
    cable_ref_bind(&g->groups[k]);
}

sheaf_status cable_groups_wind(cable_groups *g, uint32_t k, cable_finding *finding)
{
    bool is_new = false;
    for (uint32_t w = 0; w < g->winch_count; w++) {
        cable_winch *winch = &g->winches[w];
        const uint32_t head = winch->head;
        if (winch->group != k)
            continue;
        if (!cable_winch_turn(winch, &g->groups[k]))
            *finding = (cable_finding){CABLE_FAULT_STORE, winch->joint + winch->head, winch->wound};
        is_new = is_new || winch->head != head;
    }
    return is_new ? cable_ref_prepare(&g->groups[k]) : SHEAF_OK;
}

sheaf_status cable_groups_adapt(cable_groups *g, uint32_t k)
{
    bool is_new = false;
    for (uint32_t at = 0; at < g->adaptive_count; at++)
        if (g->adaptives[at].group == k)
            is_new = cable_adaptive_turn(&g->adaptives[at], &g->groups[k]) || is_new;
    return is_new ? cable_ref_prepare(&g->groups[k]) : SHEAF_OK;
}

const cable_body *cable_groups_piece(const cable_groups *g, uint32_t strand, uint32_t piece, double *along)
{
    const cable_spot *spot = &g->spots[strand];
    const uint32_t n = cable_segment_count(g->model, strand), j = piece < n ? piece : n - 1;
    const double half = cable_segment_length(g->model, strand, j) / 2;
    uint32_t segment = j;
    *along = piece < n ? -half : half;
    if (spot->adaptive >= 0)
        segment = cable_adaptive_find(&g->adaptives[spot->adaptive], piece, along);
    return &g->groups[spot->group].bodies[spot->segment + segment];
}

sheaf_status cable_groups_rewind(cable_groups *g)
{
    for (uint32_t w = 0; w < g->winch_count; w++) {
        cable_group *group = &g->groups[g->winches[w].group];
        cable_winch_fit(&g->winches[w], group);
        SHEAF_TRY(cable_ref_prepare(group));
    }
    for (uint32_t k = 0; k < g->adaptive_count; k++) {
        cable_group *group = &g->groups[g->adaptives[k].group];
        cable_adaptive_fit(&g->adaptives[k], group);
        SHEAF_TRY(cable_ref_prepare(group));
    }
    return SHEAF_OK;
}
