// solids: bodies that stay out of colliders.
#include "couple/solids.h"

#include "base/vec.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 4000 };
static const double tolerance = 1e-11; // of the largest force of the group: what a sweep may still change
static const double enough = 1e-5;     // and what is told
static const double part_speed = 0.02; // m/s, at which those part that overlap

static bool may_touch(const model_body *body)
{
    return body->def.collides && body->def.has_shape && body->is_free && !body->def.axle.is_there;
}

sheaf_status solids_open(const sheaf_model *model, solid_contacts *s)
{
    *s = (solid_contacts){.model = model};
    bool any = false;
    for (uint32_t k = 0; k < model->body_count; k++)
        any = any || (may_touch(&model->bodies[k]) && model->collider_count > 0);
    if (!any)
        return SHEAF_OK;
    s->touches = base_alloc(model->body_count, sizeof *s->touches);
    s->loads = base_alloc(model->body_count, sizeof *s->loads);
    return s->touches != NULL && s->loads != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

void solids_close(solid_contacts *s)
{
    base_free(s->list);
    base_free(s->touches);
    base_free(s->numbers);
    base_free(s->loads);
    *s = (solid_contacts){0};
}

// ---- what may touch in a step

// How far a place of a collider's material moves in the step, m.
static void drift_of(const solid_obstacle *o, const double place[3], double drift[3])
{
    double own[3];
    vec_sub(own, place, o->center[1]);
    model_body_to_own(o->axes[1], own, own);
    model_body_to_space(o->axes[0], own, own);
    vec_add(own, own, o->center[0]);
    vec_sub(drift, place, own);
}

// How near a place must be at the start to be looked at: twice what its speed and weight make of it in a step.
static double reach_of(const sheaf_model *model, const model_body *body, const rigid_state *state,
                       const solid_obstacle *o, const solid_spot *spot, double step)
{
    double lever[3], turning[3], speed[3], drift[3];
    vec_sub(lever, spot->place, state->center);
    vec_cross(turning, state->spin, lever);
    vec_add(speed, state->velocity, turning);
    drift_of(o, spot->place, drift);
    vec_axpy(speed, -1 / step, drift);
    return 2 * step * (vec_length(speed) + step * vec_length(model->def.gravity)) + 1e-6 * vec_length(body->half);
}

static sheaf_status add_contact(solid_contacts *s, const solid_contact *contact)
{
    if (s->count == s->room) {
        const uint32_t room = 2 * s->room + 16;
        solid_contact *list = base_realloc(s->list, room, sizeof *list);
        if (list == NULL)
            return SHEAF_ERR_MEMORY;
        s->list = list;
        s->room = room;
    }
    s->list[s->count++] = *contact;
    return SHEAF_OK;
}

static sheaf_status look(solid_contacts *s, uint32_t index, uint32_t group, const solid_obstacle *o, double step,
                         const rigid_state *state)
{
    const model_body *body = &s->model->bodies[index];
    solid_feature features[SOLID_FEATURES];
    const uint32_t count = solids_features(body, o->shape, features);
    for (uint32_t k = 0; k < count; k++) {
        const solid_spot spot = solids_spot(body, state, o, 0, &features[k]);
        if (!(spot.gap < reach_of(s->model, body, state, o, &spot, step)))
            continue;
        SHEAF_TRY(add_contact(s, &(solid_contact){.body = index,
                                                  .group = group,
                                                  .obstacle = *o,
                                                  .feature = features[k],
                                                  .floor = fmin(0, spot.gap + part_speed * step),
                                                  .friction = fmin(body->def.shape.friction, o->shape->friction)}));
        s->touches[group] = true;
    }
    return SHEAF_OK;
}

// By group; within one, by body and as they were found. Bodies of a group mostly follow each other already.
static void sort_contacts(solid_contacts *s)
{
    for (uint32_t k = 1; k < s->count; k++) {
        const solid_contact moving = s->list[k];
        uint32_t at = k;
        for (; at > 0 && s->list[at - 1].group > moving.group; at--)
            s->list[at] = s->list[at - 1];
        s->list[at] = moving;
    }
}

sheaf_status solids_list(solid_contacts *s, const uint32_t *group, double time, double step, rigid_state *states)
{
    const sheaf_model *model = s->model;
    s->count = 0;
    if (s->touches == NULL)
        return SHEAF_OK;
    memset(s->touches, 0, model->body_count * sizeof *s->touches);
    for (uint32_t k = 0; k < model->body_count; k++) {
        const uint32_t before = s->count;
        for (uint32_t c = 0; c < model->collider_count && may_touch(&model->bodies[k]); c++) {
            solid_obstacle o = {.shape = &model->colliders[c]};
            if (states[k].frozen_step > 0)
                continue;
            model_collider_before(model, o.shape, time - step, time, o.center[0], o.axes[0]);
            model_collider_pose(model, o.shape, time, o.center[1], o.axes[1]);
            SHEAF_TRY(look(s, k, group[k], &o, step, &states[k]));
        }
        if (s->count > before)
            states[k].has_history = 0;
    }
    sort_contacts(s);
    return SHEAF_OK;
}

// ---- rows at the iterate

// In the first iteration contact is what it was at the start of the step: a body that is guessed to lie beyond a thin
// collider must not be taken for one that came from there.
static void make_rows(const solid_contacts *s, const rigid_step *m, bool is_first, solid_contact *contact)
{
    const model_body *body = &s->model->bodies[contact->body];
    const rigid_state *pose = is_first ? &m->start : m->now;
    const solid_spot spot = solids_spot(body, pose, &contact->obstacle, is_first ? 0 : 1, &contact->feature);
    double lever[3], slip[3], turning[3], drift[3], directions[3][3];
    vec_sub(lever, spot.place, pose->center);
    vec_sub(slip, m->now->center, m->start.center);
    vec_cross(turning, m->turn, lever);
    vec_add(slip, slip, turning);
    drift_of(&contact->obstacle, spot.place, drift);
    vec_sub(slip, slip, drift);
    vec_copy(directions[0], spot.normal);
    vec_normal(directions[1], spot.normal);
    vec_cross(directions[2], directions[0], directions[1]);
    for (int k = 0; k < 3; k++) {
        vec_copy(contact->rows[k], directions[k]);
        vec_cross(contact->rows[k] + 3, lever, directions[k]);
        contact->right[k] = vec_dot(directions[k], slip);
    }
    contact->right[0] = spot.gap - contact->floor + (is_first ? contact->right[0] : 0);
}

// ---- the contacts of a group

typedef struct condensed {
    solid_contact *contacts;
    uint32_t count;
    double *matrix;  // [3 count][3 count] by columns, m/N
    double *right;   // [3 count] m
    double *answers; // [3 count][bodies][6] of the bodies of the group, in their order
    uint32_t bodies;
} condensed;

static double row_on(const double row[6], const double change[6])
{
    return vec_dot(row, change) + vec_dot(row + 3, change + 3);
}

static sheaf_status make_room(solid_contacts *s, condensed *p)
{
    const size_t n = 3 * (size_t)p->count, needed = n * n + n + n * p->bodies * 6;
    if (needed > s->number_room) {
        base_free(s->numbers);
        s->number_room = 0;
        s->numbers = base_alloc(needed, sizeof *s->numbers);
        if (s->numbers == NULL)
            return SHEAF_ERR_MEMORY;
        s->number_room = needed;
    }
    p->matrix = s->numbers;
    p->right = p->matrix + n * n;
    p->answers = p->right + n;
    return SHEAF_OK;
}

// What a force of one in a row does to all bodies of the group, and to all rows.
static void fill_column(const solid_contacts *s, const condensed *p, uint32_t column, const uint32_t *group,
                        const hub_system *hubs)
{
    const solid_contact *of = &p->contacts[column / 3];
    double *answer = p->answers + (size_t)column * p->bodies * 6;
    memset(s->loads, 0, s->model->body_count * sizeof *s->loads);
    memcpy(s->loads[of->body], of->rows[column % 3], sizeof s->loads[0]);
    hubs_answer(hubs, s->loads);
    for (uint32_t row = 0; row < 3 * p->count; row++)
        p->matrix[(size_t)column * 3 * p->count + row] =
            row_on(p->contacts[row / 3].rows[row % 3], s->loads[p->contacts[row / 3].body]);
    for (uint32_t k = 0; k < s->model->body_count; k++)
        if (group[k] == of->group) {
            memcpy(answer, s->loads[k], sizeof s->loads[k]);
            answer += 6;
        }
}

// What is left of a row: gap or slip with the forces there are, m.
static double rest_of(const condensed *p, uint32_t row)
{
    double sum = p->right[row];
    for (uint32_t k = 0; k < 3 * p->count; k++)
        sum += p->matrix[(size_t)k * 3 * p->count + row] * p->contacts[k / 3].force[k % 3];
    return sum;
}

static double diagonal(const condensed *p, uint32_t row)
{
    return p->matrix[(size_t)row * 3 * p->count + row];
}

// One contact to where it wants to be; returns the largest change of its forces, N.
static double relax(const condensed *p, uint32_t k)
{
    solid_contact *c = &p->contacts[k];
    const double was[3] = {c->force[0], c->force[1], c->force[2]};
    c->force[0] = fmax(was[0] - rest_of(p, 3 * k) / diagonal(p, 3 * k), 0);
    const double d = fmax(diagonal(p, 3 * k + 1), diagonal(p, 3 * k + 2)), most = c->friction * c->force[0];
    const double x = was[1] - rest_of(p, 3 * k + 1) / d, y = was[2] - rest_of(p, 3 * k + 2) / d;
    const double length = hypot(x, y), share = length > most ? most / length : 1;
    c->force[1] = x * share;
    c->force[2] = y * share;
    return fmax(fabs(c->force[0] - was[0]), hypot(c->force[1] - was[1], c->force[2] - was[2]));
}

// False: sweeps ended before forces did not change any more.
static bool sweep_all(const condensed *p)
{
    double change = 0, largest = 0;
    for (int n = 0; n < SWEEPS; n++) {
        change = largest = 0;
        for (uint32_t k = 0; k < p->count; k++) {
            change = fmax(change, relax(p, k));
            largest = fmax(largest, p->contacts[k].force[0]);
        }
        if (change <= tolerance * largest)
            return true;
    }
    return change <= enough * largest;
}

static void add_answers(const solid_contacts *s, const condensed *p, const uint32_t *group, hub_system *hubs)
{
    uint32_t place = 0;
    for (uint32_t k = 0; k < s->model->body_count; k++) {
        if (group[k] != p->contacts[0].group)
            continue;
        double *change = hubs_right(hubs, k);
        for (uint32_t row = 0; row < 3 * p->count; row++)
            for (int c = 0; c < 6; c++)
                change[c] +=
                    p->answers[((size_t)row * p->bodies + place) * 6 + (size_t)c] * p->contacts[row / 3].force[row % 3];
        place++;
    }
}

// Once in a run.
static void tell_unsettled(solid_contacts *s, uint32_t body)
{
    if (s->has_told)
        return;
    s->has_told = true;
    base_log(SHEAF_LOG_WARNING,
             "body '%s': its contacts with colliders were not in balance after %d sweeps; forces there are not exact: "
             "take a smaller step",
             s->model->bodies[body].def.name, SWEEPS);
}

static sheaf_status solve_group(solid_contacts *s, condensed *p, const rigid_step *moving, const uint32_t *group,
                                bool is_first, hub_system *hubs)
{
    p->bodies = 0;
    for (uint32_t k = 0; k < s->model->body_count; k++)
        p->bodies += group[k] == p->contacts[0].group;
    SHEAF_TRY(make_room(s, p));
    for (uint32_t k = 0; k < p->count; k++) {
        solid_contact *c = &p->contacts[k];
        make_rows(s, &moving[c->body], is_first, c);
        for (uint32_t i = 0; i < 3; i++)
            p->right[3 * k + i] = c->right[i] + row_on(c->rows[i], hubs_solution(hubs, c->body));
    }
    for (uint32_t column = 0; column < 3 * p->count; column++)
        fill_column(s, p, column, group, hubs);
    if (!sweep_all(p))
        tell_unsettled(s, p->contacts[0].body);
    add_answers(s, p, group, hubs);
    return SHEAF_OK;
}

sheaf_status solids_solve(solid_contacts *s, const rigid_step *moving, const uint32_t *group, const bool *goes_on,
                          uint32_t iteration, hub_system *hubs)
{
    for (uint32_t first = 0, end; first < s->count; first = end) {
        condensed p = {.contacts = &s->list[first]};
        for (end = first; end < s->count && s->list[end].group == s->list[first].group; end++)
            p.count++;
        if (goes_on[p.contacts[0].group])
            SHEAF_TRY(solve_group(s, &p, moving, group, iteration == 0, hubs));
    }
    return SHEAF_OK;
}
