// step: one step of a group: free velocities, the matrix of all multipliers, velocities, poses.
#include "cable/ref/ref.h"

#include "base/vec.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

static const double speed_most = 1e10;            // m/s
static const double spin_most = 2;                // rad in one step
static const double bend_most = 2.9670597283904;  // rad, 170 degrees
static const double twist_most = 1.5707963267949; // rad in one step

// ---- opening

sheaf_status cable_ref_open(uint32_t body_count, uint32_t joint_count, cable_group *group)
{
    *group = (cable_group){.body_count = body_count, .joint_count = joint_count, .joint_room = joint_count};
    group->bodies = base_alloc(body_count, sizeof *group->bodies);
    group->joints = base_alloc(joint_count, sizeof *group->joints);
    group->rows = base_alloc(joint_count, sizeof *group->rows);
    group->inverse = base_alloc(body_count, sizeof *group->inverse);
    group->free = base_alloc(body_count, sizeof *group->free);
    group->right = base_alloc((size_t)joint_count * CABLE_ROWS, sizeof *group->right);
    group->first_of = base_alloc((size_t)body_count + 1, sizeof *group->first_of);
    group->joint_of = base_alloc(2 * (size_t)joint_count, sizeof *group->joint_of);
    return group->bodies && group->joints && group->rows && group->inverse && group->free && group->right &&
                   group->first_of && group->joint_of
               ? SHEAF_OK
               : SHEAF_ERR_MEMORY;
}

void cable_ref_close(cable_group *group)
{
    base_free(group->bodies);
    base_free(group->joints);
    base_free(group->rows);
    base_free(group->inverse);
    base_free(group->free);
    base_free(group->right);
    base_free(group->band);
    base_free(group->whole);
    base_free(group->first_of);
    base_free(group->joint_of);
    base_free(group->lines);
    base_free(group->bounds);
    base_free(group->answers);
    base_free(group->loads);
    base_free(group->condensed);
    *group = (cable_group){0};
}

static void list_joints(cable_group *group)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < group->body_count; k++) {
        group->first_of[k] = count;
        for (uint32_t j = 0; j < group->joint_count; j++)
            if (group->joints[j].a == (int32_t)k || group->joints[j].b == (int32_t)k)
                group->joint_of[count++] = j;
    }
    group->first_of[group->body_count] = count;
}

sheaf_status cable_ref_prepare(cable_group *group)
{
    uint32_t farthest = 0;
    list_joints(group);
    for (uint32_t k = 0; k < group->body_count; k++) {
        const uint32_t first = group->first_of[k], end = group->first_of[k + 1];
        if (group->bodies[k].mass > 0 && end > first && group->joint_of[end - 1] - group->joint_of[first] > farthest)
            farthest = group->joint_of[end - 1] - group->joint_of[first];
    }
    group->band_width = farthest * CABLE_ROWS + CABLE_ROWS - 1;
    base_free(group->band);
    const size_t size = (size_t)group->joint_count * CABLE_ROWS, numbers = size * (group->band_width + 1);
    group->band = base_alloc(numbers, sizeof *group->band);
    base_free(group->whole);
    group->whole = group->settings.sweeps > 0 ? base_alloc(numbers + 2 * size, sizeof *group->whole) : NULL;
    if (group->band == NULL || (group->settings.sweeps > 0 && group->whole == NULL))
        return SHEAF_ERR_MEMORY;
    return cable_ref_make_room(group, 0);
}

// ---- inertia and free velocities

static bool invert(const double m[3][3], double out[3][3])
{
    double cofactors[3][3];
    vec_cross(cofactors[0], m[1], m[2]);
    vec_cross(cofactors[1], m[2], m[0]);
    vec_cross(cofactors[2], m[0], m[1]);
    const double determinant = vec_dot(m[0], cofactors[0]);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            out[r][c] = cofactors[c][r] / determinant;
    return determinant > 0;
}

static void apply(const double m[3][3], const double a[3], double out[3])
{
    vec_set(out, vec_dot(m[0], a), vec_dot(m[1], a), vec_dot(m[2], a));
}

// R diag(inertia) R^T
static void world_inertia(const cable_body *body, double out[3][3])
{
    double axes[3][3];
    for (int k = 0; k < 3; k++) {
        double unit[3] = {0, 0, 0};
        unit[k] = 1;
        cable_turn(body->pose, unit, axes[k]);
    }
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            out[r][c] = 0;
            for (int k = 0; k < 3; k++)
                out[r][c] += body->inertia[k] * axes[k][r] * axes[k][c];
        }
}

// Adds weight (1 - d d^T), d the direction of a lever.
static void add_lent(const cable_body *body, const double arm[3], double weight, double inertia[3][3])
{
    const double length = vec_length(arm);
    double d[3];
    if (!(length > 0))
        return;
    cable_turn(body->pose, arm, d);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            inertia[r][c] += weight * ((r == c) - d[r] * d[c] / (length * length));
}

// Adds what tension lends to the inertia of a body, and gives K: for each of its joints, and for each line over it,
// h^2 a K_j (1 - d d^T), d the direction of the lever.
static double add_stiffening(const cable_group *group, uint32_t k, double scale, double inertia[3][3])
{
    const cable_body *body = &group->bodies[k];
    double sum = 0;
    for (uint32_t at = group->first_of[k]; at < group->first_of[k + 1]; at++) {
        const cable_joint *joint = &group->joints[group->joint_of[at]];
        const int side = joint->a == (int32_t)k ? 0 : 1;
        add_lent(body, side == 0 ? joint->arm_a : joint->arm_b, scale * joint->pull[side], inertia);
        sum += joint->pull[side];
    }
    for (uint32_t at = 0; at < group->line_count; at++) {
        const cable_line *line = &group->lines[at];
        for (uint32_t p = 0; p < line->count; p++)
            if (line->body[p] == (int32_t)k) {
                add_lent(body, line->arm[p], scale * line->pull[p], inertia);
                sum += line->pull[p];
            }
    }
    return sum;
}

// omega* = I'^-1 (I omega + kept - h omega x I omega + h torque)
static void free_spin(const cable_group *group, uint32_t k, double out[3])
{
    const cable_settings *s = &group->settings;
    const cable_body *body = &group->bodies[k];
    const double scale = s->tension == CABLE_TENSION_NONE ? 0 : s->stiffening * s->step * s->step;
    double inertia[3][3], lent[3][3] = {{0}}, total[3][3], momentum[3], kept[3], gyro[3];
    world_inertia(body, inertia);
    const double now = add_stiffening(group, k, scale, lent);
    const double share = s->tension == CABLE_TENSION_INERTIA && now > 0 ? fmin(now, body->before) / now : 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            total[r][c] = inertia[r][c] * (1 + s->step * body->drag) + lent[r][c];
    invert((const double(*)[3])total, group->inverse[k][1]);
    apply((const double(*)[3])inertia, body->spin, momentum);
    apply((const double(*)[3])lent, body->spin, kept);
    vec_cross(gyro, body->spin, momentum);
    vec_axpy(momentum, share, kept);
    vec_axpy(momentum, -s->step, gyro);
    vec_axpy(momentum, s->step, body->torque);
    apply((const double(*)[3])group->inverse[k][1], momentum, out);
}

static void free_velocity(const cable_settings *s, const cable_body *body, double out[3])
{
    const double h = s->step, c = body->drag;
    for (int k = 0; k < 3; k++)
        out[k] =
            (body->velocity[k] + h * (body->force[k] / body->mass + s->gravity[k] + c * body->air[k])) / (1 + h * c);
}

// A body on an axle: its centre stays, and its spin is about the axis.
static void let_turn(cable_group *group, uint32_t k)
{
    const cable_body *body = &group->bodies[k];
    const cable_axle *axle = &body->axle;
    const double h = group->settings.step, *a = axle->axis;
    double inertia[3][3], along[3], spin;
    world_inertia(body, inertia);
    apply((const double(*)[3])inertia, a, along);
    const double about = vec_dot(a, along) + axle->wound, total = about * (1 + h * body->drag) + h * axle->friction;
    spin = (about * vec_dot(a, body->spin) + h * vec_dot(a, body->torque)) / total;
    if (axle->is_driven)
        spin = axle->turn / h;
    vec_set(group->free[k], 0, 0, 0);
    vec_scale(group->free[k] + 3, a, spin);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3 && !axle->is_driven; c++)
            group->inverse[k][1][r][c] = a[r] * a[c] / total;
}

static void let_go(cable_group *group, uint32_t k)
{
    cable_body *body = &group->bodies[k];
    const double h = group->settings.step;
    double *u = group->free[k];
    memset(group->inverse[k], 0, sizeof group->inverse[k]);
    if (body->axle.is_there) {
        let_turn(group, k);
        return;
    }
    if (body->mass > 0) {
        const double inverse = 1 / (body->mass * (1 + h * body->drag));
        for (int c = 0; c < 3; c++)
            group->inverse[k][0][c][c] = inverse;
        free_velocity(&group->settings, body, u);
        free_spin(group, k, u + 3);
        return;
    }
    double turn[3];
    vec_sub(u, body->goal_place, body->place);
    vec_scale(u, u, 1 / h);
    cable_turn_from_to(body->pose, body->goal_pose, turn);
    vec_scale(u + 3, turn, 1 / h);
}

// ---- the matrix

static double compliance_of(const cable_settings *s, double compliance)
{
    return compliance / (s->step * (s->step + s->damping));
}

// J_i M^-1 of one row on one side.
static void divide_row(const cable_group *group, uint32_t body, const double row[6], double out[6])
{
    apply((const double(*)[3])group->inverse[body][0], row, out);
    apply((const double(*)[3])group->inverse[body][1], row + 3, out + 3);
}

// Adds what joints i and j (j <= i) have to do with each other by a body to the lower band.
static void add_block(cable_group *group, uint32_t body, uint32_t i, uint32_t j)
{
    const cable_joint *joints = group->joints;
    const size_t stride = (size_t)group->band_width + 1;
    for (int side_i = 0; side_i < 2; side_i++)
        for (int side_j = 0; side_j < 2; side_j++) {
            if ((side_i == 0 ? joints[i].a : joints[i].b) != (int32_t)body ||
                (side_j == 0 ? joints[j].a : joints[j].b) != (int32_t)body)
                continue;
            for (uint32_t r = 0; r < CABLE_ROWS; r++) {
                double row[6];
                divide_row(group, body, group->rows[i].jacobian[side_i][r], row);
                for (uint32_t c = 0; c < CABLE_ROWS; c++) {
                    const size_t R = (size_t)i * CABLE_ROWS + r, C = (size_t)j * CABLE_ROWS + c;
                    const double *other = group->rows[j].jacobian[side_j][c];
                    if (R >= C)
                        group->band[C * stride + (R - C)] += vec_dot(row, other) + vec_dot(row + 3, other + 3);
                }
            }
        }
}

static bool row_is_there(const cable_group *group, uint32_t joint, uint32_t row)
{
    return group->joints[joint].compliance[row] < INFINITY;
}

static void assemble(cable_group *group)
{
    const size_t stride = (size_t)group->band_width + 1;
    memset(group->band, 0, (size_t)group->joint_count * CABLE_ROWS * stride * sizeof *group->band);
    for (uint32_t k = 0; k < group->body_count; k++)
        for (uint32_t p = group->first_of[k]; p < group->first_of[k + 1]; p++)
            for (uint32_t q = group->first_of[k]; q <= p; q++)
                add_block(group, k, group->joint_of[p], group->joint_of[q]);
    for (uint32_t i = 0; i < group->joint_count; i++)
        for (uint32_t r = 0; r < CABLE_ROWS; r++)
            group->band[((size_t)i * CABLE_ROWS + r) * stride] +=
                row_is_there(group, i, r) ? compliance_of(&group->settings, group->joints[i].compliance[r]) : 1;
}

static void right_side(cable_group *group)
{
    const cable_settings *s = &group->settings;
    for (uint32_t i = 0; i < group->joint_count; i++)
        for (uint32_t r = 0; r < CABLE_ROWS; r++) {
            const cable_rows *rows = &group->rows[i];
            double rate = 0;
            for (int side = 0; side < 2; side++) {
                const int32_t body = side == 0 ? group->joints[i].a : group->joints[i].b;
                rate += vec_dot(rows->jacobian[side][r], group->free[body]) +
                        vec_dot(rows->jacobian[side][r] + 3, group->free[body] + 3);
            }
            group->right[i * CABLE_ROWS + r] =
                row_is_there(group, i, r) ? -rows->value[r] / (s->step + s->damping) - rate : 0;
        }
}

// A row that is not there must not be met by others either: its Jacobian is 0.
static void clear_absent(cable_group *group)
{
    for (uint32_t i = 0; i < group->joint_count; i++)
        for (uint32_t r = 0; r < CABLE_ROWS; r++)
            if (!row_is_there(group, i, r)) {
                memset(group->rows[i].jacobian[0][r], 0, sizeof group->rows[i].jacobian[0][r]);
                memset(group->rows[i].jacobian[1][r], 0, sizeof group->rows[i].jacobian[1][r]);
                group->rows[i].value[r] = 0;
            }
}

static cable_finding look_at_rows(const cable_group *group)
{
    for (uint32_t i = 0; i < group->joint_count; i++) {
        const cable_rows *rows = &group->rows[i];
        const cable_joint *joint = &group->joints[i];
        if (row_is_there(group, i, 4) && !(rows->angle <= bend_most))
            return (cable_finding){CABLE_FAULT_BEND, i, rows->angle};
        if (row_is_there(group, i, 3) && !(fabs(rows->value[3] - joint->turn) <= twist_most))
            return (cable_finding){CABLE_FAULT_TWIST, i, rows->value[3] - joint->turn};
    }
    return (cable_finding){CABLE_SOUND, 0, 0};
}

// ---- the end of a step

// velocities += M^-1 J^T mu
static void add_impulses(const cable_group *group, const double *impulses, double (*velocities)[6])
{
    for (uint32_t i = 0; i < group->joint_count; i++)
        for (int side = 0; side < 2; side++) {
            const uint32_t body = (uint32_t)(side == 0 ? group->joints[i].a : group->joints[i].b);
            for (uint32_t r = 0; r < CABLE_ROWS; r++) {
                double row[6];
                divide_row(group, body, group->rows[i].jacobian[side][r], row);
                for (int c = 0; c < 6; c++)
                    velocities[body][c] += row[c] * impulses[i * CABLE_ROWS + r];
            }
        }
}

// rates += sign J u
static void add_rates(const cable_group *group, const double (*velocities)[6], double sign, double *rates)
{
    for (uint32_t i = 0; i < group->joint_count; i++)
        for (int side = 0; side < 2; side++) {
            const double *u = velocities[side == 0 ? group->joints[i].a : group->joints[i].b];
            for (uint32_t r = 0; r < CABLE_ROWS; r++) {
                const double *row = group->rows[i].jacobian[side][r];
                rates[i * CABLE_ROWS + r] += sign * (vec_dot(row, u) + vec_dot(row + 3, u + 3));
            }
        }
}

static double rate_of(const cable_bound *bound, const double (*velocities)[6])
{
    double sum = 0;
    for (uint32_t k = 0; k < bound->count; k++)
        if (bound->body[k] >= 0)
            sum += vec_dot(bound->row[k], velocities[bound->body[k]]) +
                   vec_dot(bound->row[k] + 3, velocities[bound->body[k]] + 3);
    return sum;
}

static void solve_joints(const cable_group *group, double *right)
{
    const lapack_int size = (lapack_int)(group->joint_count * CABLE_ROWS), width = (lapack_int)group->band_width;
    if (size > 0)
        (void)LAPACKE_dpbtrs(LAPACK_COL_MAJOR, 'L', size, width, 1, group->band, width + 1, right, size);
}

// What bodies do when a bound has an impulse of 1 N s, with all joints in place; and the joints' multipliers.
static void answer_bound(const cable_group *group, const cable_bound *bound, double (*answer)[6], double *loads)
{
    memset(answer, 0, group->body_count * sizeof *answer);
    memset(loads, 0, (size_t)group->joint_count * CABLE_ROWS * sizeof *loads);
    for (uint32_t k = 0; k < bound->count; k++) {
        double row[6];
        if (bound->body[k] < 0)
            continue;
        divide_row(group, (uint32_t)bound->body[k], bound->row[k], row);
        for (int c = 0; c < 6; c++)
            answer[bound->body[k]][c] += row[c];
    }
    add_rates(group, (const double(*)[6])answer, -1, loads);
    solve_joints(group, loads);
    add_impulses(group, loads, answer);
}

// Impulses of all bounds, and what they change.
static void add_bounds(cable_group *group)
{
    const size_t n = group->bound_count, bodies = group->body_count, rows = (size_t)group->joint_count * CABLE_ROWS;
    double *right = group->condensed + 2 * n * n;
    for (size_t i = 0; i < n; i++) {
        double(*answer)[6] = group->answers + i * bodies;
        answer_bound(group, &group->bounds[i], answer, group->loads + i * rows);
        right[i] = rate_of(&group->bounds[i], (const double(*)[6])group->free) - group->bounds[i].target;
        for (size_t j = 0; j < n; j++)
            group->condensed[i * n + j] = rate_of(&group->bounds[j], (const double(*)[6])answer);
    }
    group->is_unmet = !cable_ref_solve_bounds(group);
    group->unmet += group->is_unmet;
    for (size_t i = 0; i < n; i++) {
        const double impulse = group->bounds[i].impulse;
        for (size_t r = 0; r < rows; r++)
            group->right[r] += impulse * group->loads[i * rows + r];
        for (size_t k = 0; k < bodies; k++)
            for (int c = 0; c < 6; c++)
                group->free[k][c] += impulse * group->answers[i * bodies + k][c];
    }
}

static cable_finding look_at_speeds(const cable_group *group)
{
    for (uint32_t k = 0; k < group->body_count; k++) {
        const double *u = group->free[k], speed = vec_length(u), spin = vec_length(u + 3);
        if (!(speed <= speed_most) || !(spin * group->settings.step <= spin_most))
            return (cable_finding){CABLE_FAULT_SPEED, k, speed <= speed_most ? spin : speed};
    }
    return (cable_finding){CABLE_SOUND, 0, 0};
}

static void sum_pulls(const cable_group *group, uint32_t k, double *sum)
{
    *sum = 0;
    for (uint32_t at = group->first_of[k]; at < group->first_of[k + 1]; at++) {
        const cable_joint *joint = &group->joints[group->joint_of[at]];
        *sum += joint->pull[joint->a == (int32_t)k ? 0 : 1];
    }
    for (uint32_t at = 0; at < group->line_count; at++)
        for (uint32_t p = 0; p < group->lines[at].count; p++)
            *sum += group->lines[at].body[p] == (int32_t)k ? group->lines[at].pull[p] : 0;
}

static void keep_line(cable_group *group, const cable_bound *bound, cable_line *line)
{
    line->load = bound->impulse / group->settings.step;
    for (uint32_t p = 0; p < line->count; p++) {
        double lever[3];
        if (line->body[p] < 0)
            continue;
        cable_turn(group->bodies[line->body[p]].pose, line->arm[p], lever);
        line->pull[p] = fmax(0, line->load * vec_dot(lever, bound->row[p]));
    }
}

// Multipliers as forces, and the pull of each lever, with the levers of the start of the step.
static void keep_loads(cable_group *group)
{
    for (uint32_t k = 0; k < group->body_count; k++)
        sum_pulls(group, k, &group->bodies[k].before);
    for (uint32_t i = 0; i < group->joint_count; i++) {
        cable_joint *joint = &group->joints[i];
        double lever[3];
        for (uint32_t r = 0; r < CABLE_ROWS; r++)
            joint->load[r] = group->right[i * CABLE_ROWS + r] / group->settings.step;
        joint->turn = row_is_there(group, i, 3) ? group->rows[i].value[3] : 0;
        cable_turn(group->bodies[joint->a].pose, joint->arm_a, lever);
        joint->pull[0] = fmax(0, vec_dot(lever, joint->load));
        cable_turn(group->bodies[joint->b].pose, joint->arm_b, lever);
        joint->pull[1] = fmax(0, -vec_dot(lever, joint->load));
    }
    for (uint32_t k = 0; k < group->line_count; k++)
        keep_line(group, &group->bounds[k], &group->lines[k]);
}

// Goes where it is told.
static bool is_driven(const cable_body *body)
{
    return body->axle.is_there ? body->axle.is_driven : !(body->mass > 0);
}

static void move(cable_group *group, uint32_t k)
{
    cable_body *body = &group->bodies[k];
    const double h = group->settings.step;
    vec_copy(body->velocity, group->free[k]);
    vec_copy(body->spin, group->free[k] + 3);
    if (body->mass > 0 || body->axle.is_there) {
        double turn[3];
        vec_axpy(body->place, h, body->velocity);
        vec_scale(turn, body->spin, h);
        cable_rotate_by(body->pose, turn);
        return;
    }
    vec_copy(body->place, body->goal_place);
    memcpy(body->pose, body->goal_pose, sizeof body->pose);
}

static void measure_rows(cable_group *group)
{
    for (uint32_t i = 0; i < group->joint_count; i++) {
        const cable_joint *joint = &group->joints[i];
        cable_ref_rows(&group->bodies[joint->a], &group->bodies[joint->b], joint, group->settings.bend,
                       &group->rows[i]);
    }
}

void cable_ref_wind(cable_group *group)
{
    measure_rows(group);
    for (uint32_t i = 0; i < group->joint_count; i++)
        group->joints[i].turn = group->rows[i].value[3];
}

// What held ends and driven axles have done, from the impulses that joints and bounds give them.
static double work_of_drives(const cable_group *group)
{
    double sum = 0;
    for (uint32_t i = 0; i < group->joint_count; i++)
        for (int side = 0; side < 2; side++) {
            const int32_t body = side == 0 ? group->joints[i].a : group->joints[i].b;
            const double *u = group->free[body];
            for (uint32_t r = 0; r < CABLE_ROWS && is_driven(&group->bodies[body]); r++) {
                const double *row = group->rows[i].jacobian[side][r];
                sum -= group->right[i * CABLE_ROWS + r] * (vec_dot(row, u) + vec_dot(row + 3, u + 3));
            }
        }
    for (uint32_t k = 0; k < group->bound_count; k++)
        for (uint32_t p = 0; p < group->bounds[k].count; p++) {
            const cable_bound *bound = &group->bounds[k];
            if (bound->body[p] < 0 || !is_driven(&group->bodies[bound->body[p]]))
                continue;
            const double *u = group->free[bound->body[p]];
            sum -= bound->impulse * (vec_dot(bound->row[p], u) + vec_dot(bound->row[p] + 3, u + 3));
        }
    for (uint32_t k = 0; k < group->line_count; k++)
        sum -= group->bounds[k].impulse * (group->lines[k].length - group->lines[k].before) / group->settings.step;
    return sum;
}

// What outer forces do in the step, and what a driven axle takes to change its own spin.
static double work_on_body(const cable_group *group, uint32_t k)
{
    const cable_body *body = &group->bodies[k];
    const double h = group->settings.step, *u = group->free[k];
    if (!is_driven(body))
        return h * (vec_dot(body->force, u) * !body->axle.is_there + vec_dot(body->torque, u + 3));
    double inertia[3][3], momentum[3];
    if (!body->axle.is_there)
        return 0;
    world_inertia(body, inertia);
    apply((const double(*)[3])inertia, body->axle.axis, momentum);
    const double about = vec_dot(body->axle.axis, momentum) + body->axle.wound;
    return about * (vec_dot(u + 3, u + 3) - vec_dot(body->spin, body->spin)) / 2;
}

// ---- Gauss-Seidel over blocks of joints

static uint32_t block_of(const cable_group *group, size_t row)
{
    return group->joints[row / CABLE_ROWS].block;
}

// Keeps the matrix and leaves in `band` what joints of the same block have to do with each other.
static void part_blocks(cable_group *group)
{
    const size_t size = (size_t)group->joint_count * CABLE_ROWS, stride = (size_t)group->band_width + 1;
    memcpy(group->whole, group->band, size * stride * sizeof *group->whole);
    for (size_t c = 0; c < size; c++)
        for (size_t k = 1; k < stride && c + k < size; k++)
            if (block_of(group, c) != block_of(group, c + k))
                group->band[c * stride + k] = 0;
}

// What is left of the rows of a block, right - S x; 0 elsewhere.
static void rest_of_block(const cable_group *group, uint32_t block, const double *x, double *rest)
{
    const size_t size = (size_t)group->joint_count * CABLE_ROWS, stride = (size_t)group->band_width + 1;
    memcpy(rest, group->right, size * sizeof *rest);
    for (size_t c = 0; c < size; c++)
        for (size_t k = 0; k < stride && c + k < size; k++) {
            rest[c + k] -= group->whole[c * stride + k] * x[c];
            rest[c] -= k > 0 ? group->whole[c * stride + k] * x[c + k] : 0;
        }
    for (size_t r = 0; r < size; r++)
        if (block_of(group, r) != block)
            rest[r] = 0;
}

// Each block in turn, with what the others have come to, in place of the direct solution.
static void sweep_blocks(cable_group *group)
{
    const size_t size = (size_t)group->joint_count * CABLE_ROWS;
    double *x = group->whole + size * (group->band_width + 1), *rest = x + size;
    uint32_t last = 0;
    memset(x, 0, size * sizeof *x);
    for (uint32_t i = 0; i < group->joint_count; i++)
        last = group->joints[i].block > last ? group->joints[i].block : last;
    for (uint32_t sweep = 0; sweep < group->settings.sweeps; sweep++)
        for (uint32_t block = 0; block <= last; block++) {
            rest_of_block(group, block, x, rest);
            solve_joints(group, rest);
            for (size_t r = 0; r < size; r++)
                x[r] += rest[r];
        }
    memcpy(group->right, x, size * sizeof *x);
}

static cable_finding solve(cable_group *group)
{
    const lapack_int size = (lapack_int)(group->joint_count * CABLE_ROWS), width = (lapack_int)group->band_width;
    right_side(group);
    assemble(group);
    if (group->settings.sweeps > 0)
        part_blocks(group);
    const lapack_int info = size > 0 ? LAPACKE_dpbtrf(LAPACK_COL_MAJOR, 'L', size, width, group->band, width + 1) : 0;
    if (info != 0)
        return (cable_finding){CABLE_FAULT_PIVOT, info > 0 ? (uint32_t)(info - 1) / CABLE_ROWS : 0, (double)info};
    if (group->settings.sweeps > 0)
        sweep_blocks(group);
    else
        solve_joints(group, group->right);
    add_impulses(group, group->right, group->free);
    group->is_unmet = false;
    if (group->bound_count > 0)
        add_bounds(group);
    return look_at_speeds(group);
}

cable_finding cable_ref_step(cable_group *group)
{
    measure_rows(group);
    cable_finding finding = look_at_rows(group);
    if (finding.fault != CABLE_SOUND)
        return finding;
    clear_absent(group);
    for (uint32_t k = 0; k < group->body_count; k++)
        let_go(group, k);
    finding = solve(group);
    if (finding.fault != CABLE_SOUND)
        return finding;
    group->work += work_of_drives(group);
    for (uint32_t k = 0; k < group->body_count; k++)
        group->work += work_on_body(group, k);
    keep_loads(group);
    for (uint32_t k = 0; k < group->body_count; k++)
        move(group, k);
    return finding;
}
