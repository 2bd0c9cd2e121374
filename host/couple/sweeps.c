// sweeps: forces between strands. One sweep, all contacts at once: from how far the points of a contact went, a trial
// force, cut to Coulomb's cone; strands are pushed by twice the new force less the old one, and keep by the weight rho
// where they were. The force is ADMM's dual variable; for frozen normals without friction it converges for any rho.
#include "couple/contact_parts.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

// ---- before the sweeps

// One contact wants the stiffness that its strands oppose, many at once a stiffer one.
static double choose_rho(const contact_set *set, const contact_pair *pair)
{
    double rho = INFINITY, count = 0;
    for (int k = 0; k < 2; k++) {
        const contact_side *side = &pair->side[k];
        if (!side->moves)
            continue; // the mass of what does not move is no measure
        rho = fmin(rho, set->stiffness[side->strand]);
        count = fmax(count, set->live_count[side->strand]);
    }
    return rho * fmin(fmax(count / 4, 1), 10);
}

// The force so far: its normal part along the new normal, the rest across it and within the cone.
static void turn_force(contact_pair *pair)
{
    const double pressed = fmax(vec_dot(pair->force, pair->force_normal), 0);
    double across[3];
    vec_copy(across, pair->force);
    vec_axpy(across, -vec_dot(pair->force, pair->force_normal), pair->force_normal);
    vec_axpy(across, -vec_dot(across, pair->normal), pair->normal);
    const double length = vec_length(across), most = pair->friction * pressed;
    vec_scale(pair->force, pair->normal, pressed);
    vec_axpy(pair->force, length > most ? most / length : 1, across);
    vec_copy(pair->force_normal, pair->normal);
}

static void add_weight(const contact_set *set, const contact_side *side, double place, double rho,
                       contact_weight *weights)
{
    const uint64_t first = set->moves_as[side->vertex[0]], second = set->moves_as[side->vertex[1]];
    const double a = set->held[first] ? 0 : 1 - place, b = set->held[second] ? 0 : place;
    if (first == second) { // the edge moves as one
        weights[first].own += rho * (a + b) * (a + b);
        return;
    }
    weights[first].own += rho * a * a;
    weights[second].own += rho * b * b;
    weights[first < second ? first : second].next += rho * a * b;
}

void contact_prepare(contact_set *set, contact_weight *weights)
{
    memset(weights, 0, (size_t)set->model->vertex_count * sizeof *weights);
    for (uint32_t k = 0; k < set->pair_count; k++) {
        contact_pair *pair = &set->pairs[k];
        memset(pair->point, 0, sizeof pair->point);
        memset(pair->felt, 0, sizeof pair->felt);
        if (!pair->live) {
            memset(pair->force, 0, sizeof pair->force);
            continue;
        }
        pair->rho = choose_rho(set, pair);
        turn_force(pair);
        for (int side = 0; side < 2; side++)
            if (pair->side[side].moves)
                add_weight(set, &pair->side[side], pair->place[side], pair->rho, weights);
    }
    memset(set->settled, 0, set->model->strand_count * sizeof *set->settled);
    set->sweep = 0;
    set->is_solved = true;
}

// ---- one sweep

// The group that a pair belongs to, by its first strand.
static uint32_t group_of(const contact_set *set, const contact_pair *pair)
{
    return set->group[pair->side[pair->side[0].moves ? 0 : 1].strand];
}

// How far the point of a side went; held vertices stay, and a rigid end edge moves as its inner vertex does.
static void find_point(const contact_set *set, const contact_side *side, double place, const double (*answer)[3],
                       double out[3])
{
    memset(out, 0, 3 * sizeof *out);
    for (int k = 0; k < 2 && side->moves && answer != NULL; k++) {
        const uint64_t vertex = set->moves_as[side->vertex[k]];
        if (!set->held[vertex])
            vec_axpy(out, k == 0 ? 1 - place : place, answer[vertex]);
    }
}

// Coulomb's cone: no pull, and no more across than friction holds.
static void cut_to_cone(const contact_pair *pair, double force[3])
{
    double across[3];
    const double normal = vec_dot(force, pair->normal), pressed = fmax(normal, 0);
    vec_copy(across, force);
    vec_axpy(across, -normal, pair->normal);
    const double length = vec_length(across), most = pair->friction * pressed;
    vec_scale(force, pair->normal, pressed);
    vec_axpy(force, length > most ? most / length : 1, across);
}

// The next force of a pair; `point` is where its sides went.
static void next_force(const contact_pair *pair, double point[2][3], double force[3])
{
    const double share = pair->side[0].moves && pair->side[1].moves ? pair->rho / 2 : pair->rho;
    double move[3];
    vec_sub(move, point[0], point[1]);
    vec_copy(force, pair->force);
    vec_axpy(force, -share, move);
    vec_axpy(force, -share, pair->slide);
    vec_axpy(force, -share * pair->gap, pair->normal);
    cut_to_cone(pair, force);
}

// What a sweep may still change, m: within the tolerance, and so little that what one side has and the other has not
// yet is a small share of the force between them; but not less than a thousandth of the tolerance.
static double least_change(const contact_set *set, const contact_pair *pair, const double force[3])
{
    const double tolerance = set->model->touch.tolerance;
    const double near = tolerance * (pair->side[0].radius + pair->side[1].radius);
    return fmin(near, fmax(0.05 * tolerance * vec_length(force) / pair->rho, 1e-3 * near));
}

// Largest change of a pair, over what is left to it: of its force as a length, and of its points.
static double pair_change(const contact_set *set, const contact_pair *pair, double point[2][3], const double force[3])
{
    double difference[3];
    vec_sub(difference, force, pair->force);
    double change = vec_length(difference) / pair->rho;
    for (int k = 0; k < 2; k++) {
        vec_sub(difference, point[k], pair->point[k]);
        change = fmax(change, vec_length(difference));
    }
    return change / least_change(set, pair, force);
}

static void find_points(const contact_set *set, const contact_pair *pair, const double (*answer)[3], double point[2][3])
{
    for (int k = 0; k < 2; k++)
        find_point(set, &pair->side[k], pair->place[k], answer, point[k]);
}

// Whether a pair is far from settled after so many sweeps, by a share of the distance at which its edges touch with
// which the next iteration might find them on the other side of each other. Errors fall about as 1 / sweeps.
static bool is_wild(const contact_pair *pair, double point[2][3], double change, uint32_t sweeps)
{
    const double most = 0.1 * (pair->side[0].radius + pair->side[1].radius);
    double move[3];
    vec_sub(move, point[0], point[1]);
    return change * sweeps > most || pair->gap + vec_dot(pair->normal, move) < -most;
}

enum { WILD_SWEEPS = 8 }; // times as many, at most, for groups with such a pair

// Which groups have settled: both forces and displacements have, after two sweeps at least.
static void judge_groups(contact_set *set, const double (*answer)[3])
{
    const uint32_t most = set->model->touch.sweeps;
    memset(set->change, 0, set->model->strand_count * sizeof *set->change);
    memset(set->is_wild, 0, set->model->strand_count * sizeof *set->is_wild);
    for (uint32_t k = 0; k < set->pair_count; k++) {
        const contact_pair *pair = &set->pairs[k];
        double point[2][3], force[3];
        if (!pair->live || set->settled[group_of(set, pair)])
            continue;
        find_points(set, pair, answer, point);
        next_force(pair, point, force);
        const double change = pair_change(set, pair, point, force);
        double *worst = &set->change[group_of(set, pair)];
        *worst = change <= *worst ? *worst : change; // not a number is the worst
        if (set->sweep >= most && is_wild(pair, point, change * least_change(set, pair, force), set->sweep))
            set->is_wild[group_of(set, pair)] = true;
    }
    for (uint32_t s = 0; s < set->model->strand_count; s++)
        if (set->change[s] <= 1 || set->sweep >= (set->is_wild[s] ? WILD_SWEEPS * most : most))
            set->settled[s] = set->settled[s] || set->sweep >= 2;
}

// Takes the next force of pairs of groups that go on; true: there are some.
static bool update_forces(contact_set *set, const double (*answer)[3])
{
    bool goes_on = false;
    for (uint32_t k = 0; k < set->pair_count; k++) {
        contact_pair *pair = &set->pairs[k];
        double point[2][3], force[3], push[3];
        if (!pair->live || set->settled[group_of(set, pair)])
            continue;
        find_points(set, pair, answer, point);
        next_force(pair, point, force);
        vec_scale(push, force, 2);
        vec_sub(push, push, pair->force);
        for (int side = 0; side < 2; side++) {
            vec_scale(pair->felt[side], point[side], pair->rho);
            vec_axpy(pair->felt[side], side == 0 ? 1 : -1, push);
        }
        memcpy(pair->point, point, sizeof pair->point);
        vec_copy(pair->force, force);
        goes_on = true;
    }
    return goes_on;
}

static void gather_push(const contact_set *set, double (*push)[3])
{
    memset(push, 0, (size_t)set->model->vertex_count * sizeof *push);
    for (uint32_t k = 0; k < set->pair_count; k++) {
        const contact_pair *pair = &set->pairs[k];
        for (int s = 0; s < 2 && pair->live; s++) {
            const contact_side *side = &pair->side[s];
            vec_axpy(push[set->moves_as[side->vertex[0]]], 1 - pair->place[s], pair->felt[s]);
            vec_axpy(push[set->moves_as[side->vertex[1]]], pair->place[s], pair->felt[s]);
        }
    }
}

bool contact_sweep(contact_set *set, const double (*answer)[3], double (*push)[3])
{
    if (answer != NULL)
        judge_groups(set, answer);
    if (!update_forces(set, answer)) {
        set->step_sweeps += set->sweep;
        for (uint32_t k = 0; k < set->pair_count; k++)
            set->pairs[k].pressed = set->pairs[k].live && vec_dot(set->pairs[k].force, set->pairs[k].normal) > 0;
        return false;
    }
    set->sweep++;
    gather_push(set, push);
    return true;
}
