// bodies: a step of bodies with the strands on them.
#include "couple/bodies.h"

#include "base/vec.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

uint32_t couple_size(const model_joint *joint)
{
    return joint->kind == SHEAF_JOINT_WELD ? COUPLE_WELD : COUPLE_BALL;
}

uint32_t couple_offset(const couple_bodies *bodies, const couple_strand *strand, uint32_t k)
{
    uint32_t offset = 0;
    for (uint32_t j = 0; j < k; j++)
        offset += couple_size(&bodies->model->joints[strand->first_joint + j]);
    return offset;
}

// ---- opening

// Strands of the part that have joints; returns how many numbers their matrices take.
static size_t list_strands(couple_bodies *b)
{
    const sheaf_model *model = b->model;
    size_t numbers = 0;
    for (uint32_t s = 0; s < model->strand_count; s++) {
        couple_strand strand = {.strand = s};
        const model_joint *joints = model_strand_joints(model, s, &strand.joint_count);
        strand.first_joint = (uint32_t)(joints - model->joints);
        for (uint32_t k = 0; k < strand.joint_count; k++)
            strand.size += couple_size(&joints[k]);
        if (strand.joint_count == 0)
            continue;
        b->strands[b->strand_count++] = strand;
        numbers += (size_t)strand.size * (strand.size + 2);
    }
    return numbers;
}

static bool is_free(const couple_bodies *b, uint32_t body)
{
    return b->model->bodies[body].is_free;
}

static uint32_t body_of(const couple_bodies *b, const couple_strand *strand, uint32_t k)
{
    return b->model->joints[strand->first_joint + k].body;
}

// Bodies that do not move couple nothing: their displacements in an iteration are 0.
static bool are_coupled(const couple_bodies *b, uint32_t one, uint32_t other)
{
    return one != other && is_free(b, one) && is_free(b, other);
}

static sheaf_status open_hubs(couple_bodies *b)
{
    uint32_t most = 0, count = 0;
    for (uint32_t s = 0; s < b->strand_count; s++)
        most += b->strands[s].joint_count * b->strands[s].joint_count;
    uint32_t(*pairs)[2] = base_alloc(most, sizeof *pairs);
    if (pairs == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t s = 0; s < b->strand_count; s++)
        for (uint32_t j = 0; j < b->strands[s].joint_count; j++)
            for (uint32_t k = 0; k < j; k++) {
                const uint32_t one = body_of(b, &b->strands[s], j), other = body_of(b, &b->strands[s], k);
                if (!are_coupled(b, one, other))
                    continue;
                pairs[count][0] = one;
                pairs[count++][1] = other;
            }
    const sheaf_status status = hubs_open(b->model->body_count, (const uint32_t(*)[2])pairs, count, &b->hubs);
    base_free(pairs);
    return status;
}

static uint32_t first_of_group(const couple_bodies *b, uint32_t body)
{
    while (b->group[body] != body)
        body = b->group[body];
    return body;
}

// Groups by their least body; a strand on bodies that do not move is one by itself.
static void find_groups(couple_bodies *b)
{
    for (uint32_t k = 0; k < b->model->body_count; k++)
        b->group[k] = k;
    for (uint32_t s = 0; s < b->strand_count; s++)
        for (uint32_t j = 0, last = UINT32_MAX; j < b->strands[s].joint_count; j++) {
            const uint32_t body = body_of(b, &b->strands[s], j);
            if (!is_free(b, body))
                continue;
            if (last != UINT32_MAX) {
                const uint32_t one = first_of_group(b, last), other = first_of_group(b, body);
                b->group[one > other ? one : other] = one > other ? other : one;
            }
            last = body;
        }
    for (uint32_t k = 0; k < b->model->body_count; k++)
        b->group[k] = first_of_group(b, k);
    for (uint32_t s = 0; s < b->strand_count; s++) {
        b->strands[s].group = UINT32_MAX;
        for (uint32_t j = 0; j < b->strands[s].joint_count; j++)
            if (is_free(b, body_of(b, &b->strands[s], j)))
                b->strands[s].group = b->group[body_of(b, &b->strands[s], j)];
    }
}

sheaf_status couple_open(const sheaf_model *model, double step, couple_bodies *b)
{
    *b = (couple_bodies){.model = model,
                         .step = step,
                         .states = base_alloc(model->body_count, sizeof *b->states),
                         .moving = base_alloc(model->body_count, sizeof *b->moving),
                         .loads = base_alloc(model->joint_count, sizeof *b->loads),
                         .strands = base_alloc(model->strand_count, sizeof *b->strands),
                         .group = base_alloc(model->body_count, sizeof *b->group),
                         .goes_on = base_alloc(model->body_count, sizeof *b->goes_on),
                         .stays_open = base_alloc(model->body_count, sizeof *b->stays_open)};
    if (!b->states || !b->moving || !b->loads || !b->strands || !b->group || !b->goes_on || !b->stays_open)
        return SHEAF_ERR_MEMORY;
    b->numbers = base_alloc(list_strands(b), sizeof *b->numbers);
    if (b->numbers == NULL)
        return SHEAF_ERR_MEMORY;
    double *next = b->numbers;
    for (uint32_t s = 0; s < b->strand_count; s++) {
        couple_strand *strand = &b->strands[s];
        strand->matrix = next;
        strand->right = strand->matrix + (size_t)strand->size * strand->size;
        strand->change = strand->right + strand->size;
        next = strand->change + strand->size;
    }
    for (uint32_t k = 0; k < model->body_count; k++)
        rigid_start(&model->bodies[k], &b->states[k]);
    find_groups(b);
    SHEAF_TRY(solids_open(model, &b->solids));
    return open_hubs(b);
}

void couple_close(couple_bodies *b)
{
    hubs_close(&b->hubs);
    solids_close(&b->solids);
    base_free(b->states);
    base_free(b->moving);
    base_free(b->loads);
    base_free(b->strands);
    base_free(b->group);
    base_free(b->goes_on);
    base_free(b->stays_open);
    base_free(b->numbers);
    *b = (couple_bodies){0};
}

// ---- joints

// J: rows as the strand counts them, columns translation and rotation of the body.
static void jacobian(const model_joint *joint, const rigid_state *state, double j[COUPLE_WELD][6])
{
    double arm[2][3] = {{0}}, edge[3];
    memset(j, 0, COUPLE_WELD * sizeof *j);
    for (uint32_t i = 0; i < joint->vertex_count; i++) {
        double(*rows)[6] = j + 4 * i;
        model_body_to_space(state->axes, joint->arm[i], arm[i]);
        const double *a = arm[i];
        for (int c = 0; c < 3; c++)
            rows[c][c] = 1;
        rows[0][4] = a[2]; // dphi x a
        rows[0][5] = -a[1];
        rows[1][3] = -a[2];
        rows[1][5] = a[0];
        rows[2][3] = a[1];
        rows[2][4] = -a[0];
    }
    if (joint->vertex_count < 2)
        return;
    vec_sub(edge, arm[1], arm[0]);
    vec_unit(edge, edge);
    vec_copy(j[3] + 3, edge);
}

// Force and torque of a joint on its body: J^T s.
static void load_of(double j[COUPLE_WELD][6], const double *right, uint32_t size, double out[6])
{
    for (int c = 0; c < 6; c++) {
        out[c] = 0;
        for (uint32_t r = 0; r < size; r++)
            out[c] += j[r][c] * right[r];
    }
}

// Turning a body turns the arms that strands pull at, too. Where they pull outwards, that resists by (a.f) across f;
// where they push inwards it would weaken the matrix, and is left out.
static void add_lever(const model_joint *joint, const rigid_state *state, const double *right, double block[6][6])
{
    for (uint32_t i = 0; i < joint->vertex_count; i++) {
        const double *force = right + (size_t)4 * i, square = vec_dot(force, force);
        double arm[3];
        model_body_to_space(state->axes, joint->arm[i], arm);
        const double pull = fmax(vec_dot(arm, force), 0);
        for (int r = 0; r < 3 && square > 0; r++)
            for (int c = 0; c < 3; c++)
                block[3 + r][3 + c] += pull * ((r == c) - force[r] * force[c] / square);
    }
}

static void add_pair(couple_bodies *b, const couple_strand *strand, uint32_t row, uint32_t column,
                     double left[COUPLE_WELD][6], double right[COUPLE_WELD][6])
{
    const model_joint *rows = &b->model->joints[strand->first_joint + row];
    const model_joint *columns = &b->model->joints[strand->first_joint + column];
    const uint32_t first_row = couple_offset(b, strand, row), first_column = couple_offset(b, strand, column);
    double block[6][6] = {{0}};
    if (rows->body != columns->body && !are_coupled(b, rows->body, columns->body))
        return;
    for (uint32_t r = 0; r < couple_size(rows); r++)
        for (uint32_t c = 0; c < couple_size(columns); c++) {
            const double s = strand->matrix[(size_t)(first_row + r) * strand->size + first_column + c];
            for (int p = 0; p < 6; p++)
                for (int q = 0; q < 6; q++)
                    block[p][q] += left[r][p] * s * right[c][q];
        }
    if (row == column)
        add_lever(rows, &b->states[rows->body], strand->right + first_row, block);
    hubs_add(&b->hubs, rows->body, columns->body, block);
    if (row == column || rows->body != columns->body)
        return;
    for (int p = 0; p < 6; p++) // both couplings of two joints on one body
        for (int q = 0; q < p; q++) {
            const double swap = block[p][q];
            block[p][q] = block[q][p];
            block[q][p] = swap;
        }
    hubs_add(&b->hubs, rows->body, rows->body, block);
}

static void add_strand(couple_bodies *b, const couple_strand *strand)
{
    for (uint32_t j = 0; j < strand->joint_count; j++) {
        const uint32_t number = strand->first_joint + j;
        const model_joint *joint = &b->model->joints[number];
        double rows[COUPLE_WELD][6], columns[COUPLE_WELD][6], load[6];
        jacobian(joint, &b->states[joint->body], rows);
        load_of(rows, strand->right + couple_offset(b, strand, j), couple_size(joint), load);
        double *right = hubs_right(&b->hubs, joint->body);
        for (int c = 0; c < 6; c++)
            right[c] += load[c];
        if (strand->takes) // else its body has moved on since
            memcpy(b->loads[number], load, sizeof load);
        for (uint32_t k = 0; k <= j; k++) {
            const model_joint *other = &b->model->joints[strand->first_joint + k];
            jacobian(other, &b->states[other->body], columns);
            add_pair(b, strand, j, k, rows, columns);
        }
    }
}

// ---- one iteration

static void assemble(couple_bodies *b)
{
    hubs_clear(&b->hubs);
    for (uint32_t k = 0; k < b->model->body_count; k++) {
        double right[6], matrix[6][6];
        rigid_residual(&b->moving[k], right, matrix);
        memcpy(hubs_right(&b->hubs, k), right, sizeof right);
        hubs_add(&b->hubs, k, k, matrix);
    }
    for (uint32_t s = 0; s < b->strand_count; s++)
        add_strand(b, &b->strands[s]);
    for (uint32_t k = 0; k < b->model->body_count; k++)
        if (!b->moving[k].is_free || b->moving[k].body->def.axle.is_there)
            hubs_hold(&b->hubs, k, b->moving[k].free);
}

// What bodies are moved by, as strands see it: dq_s = J dq, with J where the matrix was made.
static void hand_out(couple_bodies *b)
{
    for (uint32_t s = 0; s < b->strand_count; s++) {
        couple_strand *strand = &b->strands[s];
        for (uint32_t j = 0; j < strand->joint_count; j++) {
            const model_joint *joint = &b->model->joints[strand->first_joint + j];
            const double *change = hubs_solution(&b->hubs, joint->body);
            const uint32_t first = couple_offset(b, strand, j);
            double rows[COUPLE_WELD][6];
            jacobian(joint, &b->states[joint->body], rows);
            for (uint32_t r = 0; r < couple_size(joint); r++) {
                strand->change[first + r] = 0;
                for (int c = 0; c < 6; c++)
                    strand->change[first + r] += rows[r][c] * change[c];
            }
        }
    }
}

// How far a body was moved: turned by so many rad, or displaced by such a share of its size (at least: of a micron).
static double move_of(const couple_bodies *b, uint32_t k)
{
    const model_body *body = &b->model->bodies[k];
    const double *change = hubs_solution(&b->hubs, k);
    if (!b->moving[k].is_free)
        return 0;
    const double inertia = fmax(body->inertia[0], fmax(body->inertia[1], body->inertia[2]));
    const double size = fmax(sqrt(inertia / fmax(body->mass, 1e-300)), 1e-6);
    return fmax(vec_length(change + 3), vec_length(change) / size);
}

enum { ITERATIONS_LEAST = 2, ITERATIONS_MOST = 40 };
static const double settled_move = 1e-7, settled_alone = 1e-13; // of move_of; strands bring rounding along

// Who takes part in an iteration; false: nobody does.
static bool choose_strands(couple_bodies *b, bool first)
{
    bool any = false;
    for (uint32_t k = 0; k < b->model->body_count; k++) {
        b->goes_on[k] = first ? is_free(b, k) && b->group[k] == k : b->stays_open[k];
        b->stays_open[k] = false;
        any = any || b->goes_on[k];
    }
    for (uint32_t s = 0; s < b->strand_count; s++) {
        couple_strand *strand = &b->strands[s];
        strand->takes = first || (strand->group == UINT32_MAX ? !strand->settled : b->goes_on[strand->group]);
        any = any || strand->takes;
    }
    return any;
}

// A body moves no more when it moves by less.
static double last_move(const couple_bodies *b, uint32_t k)
{
    const bool touches = b->solids.count > 0 && b->solids.touches[b->group[k]];
    return b->strand_count > 0 ? fmax(settled_move, b->precision) : touches ? settled_move : settled_alone;
}

// Moves bodies of groups that take part. `again`: there is another iteration in any case.
static void move_bodies(couple_bodies *b, bool again)
{
    for (uint32_t k = 0; k < b->model->body_count; k++) {
        if (!is_free(b, k) || !b->goes_on[b->group[k]])
            continue;
        rigid_move(&b->moving[k], hubs_solution(&b->hubs, k));
        if (again || !(move_of(b, k) <= last_move(b, k)))
            b->stays_open[b->group[k]] = true;
    }
}

// Groups with a strand that is not settled go on.
static void look_at_strands(couple_bodies *b, bool again)
{
    for (uint32_t s = 0; s < b->strand_count; s++) {
        couple_strand *strand = &b->strands[s];
        strand->settled = strand->settled && !again;
        if (strand->takes && !strand->settled && strand->group != UINT32_MAX)
            b->stays_open[strand->group] = true;
    }
}

// Once in a run: a body that nothing gives mass in some direction went nowhere there, or anywhere.
static void tell_lifted(couple_bodies *b)
{
    if (b->hubs.lifted == 0 || b->has_told)
        return;
    b->has_told = true;
    base_log(SHEAF_LOG_NOTICE,
             "bodies: in %u directions neither mass nor strands resist by more than rounding; their motion there means "
             "nothing",
             b->hubs.lifted);
}

static sheaf_status iterate(couple_bodies *b, const couple_verbs *verbs, void *user)
{
    const uint32_t wanted = b->model->def.newton;
    const uint32_t least = wanted > 0 ? wanted : ITERATIONS_LEAST, most = wanted > 0 ? wanted : ITERATIONS_MOST;
    for (b->iterations = 0; b->iterations < most && choose_strands(b, b->iterations == 0); b->iterations++) {
        const bool again = b->iterations + 1 < least;
        if (b->strand_count > 0)
            SHEAF_TRY(verbs->linearise(user, b->states, b->iterations, b->strands));
        assemble(b);
        hubs_solve(&b->hubs);
        tell_lifted(b);
        SHEAF_TRY(solids_solve(&b->solids, b->moving, b->group, b->goes_on, b->iterations, &b->hubs));
        hand_out(b);
        move_bodies(b, again);
        if (b->strand_count > 0)
            SHEAF_TRY(verbs->accept(user, b->states, b->iterations, b->strands));
        look_at_strands(b, again);
    }
    return SHEAF_OK;
}

static void commit(couple_bodies *b)
{
    for (uint32_t k = 0; k < b->model->body_count; k++)
        if (!rigid_close(&b->moving[k], b->steps) && b->model->bodies[k].is_free)
            base_log(SHEAF_LOG_WARNING,
                     "body '%s' is frozen from step %llu on: it ran away, or turned by more than 2 rad in a step",
                     b->model->bodies[k].def.name, (unsigned long long)b->steps + 1);
}

sheaf_status couple_step(couple_bodies *b, const couple_verbs *verbs, void *user)
{
    const double time = (double)(b->steps + 1) * b->step;
    SHEAF_TRY(solids_list(&b->solids, b->group, time, b->step, b->states));
    for (uint32_t k = 0; k < b->model->body_count; k++)
        rigid_open(b->model, k, time, b->step, &b->states[k], &b->moving[k]);
    if (b->strand_count > 0)
        SHEAF_TRY(verbs->open(user, time, b->states));
    SHEAF_TRY(iterate(b, verbs, user));
    commit(b);
    if (b->strand_count > 0)
        SHEAF_TRY(verbs->close(user, b->states));
    b->steps++;
    return SHEAF_OK;
}

// ---- readings

void couple_energies(const couple_bodies *b, double *kinetic, double *gravitational)
{
    const sheaf_model *model = b->model;
    *kinetic = *gravitational = 0;
    for (uint32_t k = 0; k < model->body_count; k++) {
        const model_body *body = &model->bodies[k];
        if (!body->is_free)
            continue;
        *kinetic += rigid_kinetic(body, &b->states[k]);
        *gravitational -= body->mass * vec_dot(model->def.gravity, b->states[k].center);
    }
    for (uint32_t k = 0; k < model->joint_count; k++) {
        const model_joint *joint = &model->joints[k];
        for (uint32_t i = 0; i < joint->vertex_count && model->bodies[joint->body].is_free; i++) {
            double place[3], velocity[3];
            rigid_point(&b->states[joint->body], joint->arm[i], place, velocity);
            *kinetic -= joint->mass[i] * vec_dot(velocity, velocity) / 2;
            *gravitational += joint->mass[i] * vec_dot(model->def.gravity, place);
        }
    }
}

void couple_pose(const couple_bodies *b, uint32_t index, sheaf_body_pose *pose)
{
    static const double space[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const model_body *body = &b->model->bodies[index];
    const rigid_state *state = &b->states[index];
    double arm[3], own[3], axes[3][3];
    vec_sub(arm, body->start, body->center);
    model_body_to_own(body->axes, arm, own);
    rigid_point(state, own, pose->position, pose->velocity);
    for (int k = 0; k < 3; k++) {
        model_body_to_own(body->axes, body->start_axes[k], own);
        model_body_to_space(state->axes, own, axes[k]);
    }
    model_turn_between(space, (const double(*)[3])axes, pose->rotation);
    vec_copy(pose->spin, state->spin);
    pose->kinetic = body->is_free ? rigid_kinetic(body, state) : 0;
    pose->is_frozen = state->frozen_step > 0;
    memset(pose->force, 0, sizeof pose->force);
    memset(pose->torque, 0, sizeof pose->torque);
    for (uint32_t k = 0; k < b->model->joint_count; k++)
        for (int c = 0; c < 3 && b->model->joints[k].body == index; c++) {
            pose->force[c] += b->loads[k][c];
            pose->torque[c] += b->loads[k][3 + c];
        }
}
