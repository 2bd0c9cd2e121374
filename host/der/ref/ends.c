// ends: what is held at the ends of a strand and at its inner frames, where the courses have it, and what may move.
#include "base/vec.h"
#include "der/ref/ref.h"
#include "world/world.h"

// Vertices that move as one: a single vertex, or two at an end whose edge has a held direction.
typedef struct group {
    uint32_t first, last;
    bool is_end; // an end vertex is among them: this one
    const sheaf_end_def *end;
    uint32_t end_vertex;
} group;

// The joint with a body that vertex `first` begins; NULL: none.
static const model_joint *joint_at(const ref_rod *rod, uint32_t first)
{
    for (uint32_t k = 0; k < rod->joint_count; k++)
        if (rod->joints[k].vertex == first)
            return &rod->joints[k];
    return NULL;
}

// The group that begins at vertex `first`. Groups of both ends do not meet: with both tangents held a strand has five
// vertices or more.
static group group_at(const ref_rod *rod, uint32_t first)
{
    const sheaf_end_def *root = rod->strand->root, *tip = rod->strand->tip;
    const uint32_t last = rod->vertex_count - 1;
    if (!rod->closed && first == 0)
        return (group){0, root->hold_tangent ? 1 : 0, true, root, 0};
    if (!rod->closed && (first == last || (first + 1 == last && tip->hold_tangent)))
        return (group){first, last, true, tip, last};
    static const sheaf_end_def welded = {.hold_position = true, .hold_tangent = true, .hold_angle = true, .motion = -1};
    if (joint_at(rod, first) != NULL) // an inner edge
        return (group){first, first + 1, true, &welded, first};
    return (group){first, first, false, NULL, 0};
}

static const double *initial_position(const ref_rod *rod, uint32_t i)
{
    const uint64_t first = rod->model->first_vertex[rod->strand - rod->model->strands];
    return rod->model->position[first + i];
}

static const double *initial_director(const ref_rod *rod, uint32_t j)
{
    const uint64_t first = rod->model->first_vertex[rod->strand - rod->model->strands];
    return rod->model->director[first + j];
}

// ---- courses: places and directions at a time, with their rates

// The motion that an end follows, as it is at `time`; NULL: none.
static const sheaf_motion_def *motion_of(const ref_rod *rod, const sheaf_end_def *end, double time, model_path *path)
{
    return model_end_motion(rod->model, rod->strand, end, time, time, path);
}

static void motion_spin(const ref_rod *rod, const sheaf_end_def *end, double time, double spin[3])
{
    model_path path;
    const sheaf_motion_def *motion = motion_of(rod, end, time, &path);
    vec_set(spin, 0, 0, 0);
    if (motion)
        model_motion_spin(motion, time, spin);
}

// Where the course of a held position is at `time`, m, and its velocity, m/s.
static void held_place(const ref_rod *rod, const sheaf_end_def *end, uint32_t vertex, double time, double place[3],
                       double velocity[3])
{
    model_path path;
    const sheaf_motion_def *motion = motion_of(rod, end, time, &path);
    vec_copy(place, initial_position(rod, vertex));
    vec_set(velocity, 0, 0, 0);
    if (motion) {
        double arm[3], spin[3], shift[3], drift[3];
        model_motion_point(motion, time, place, place);
        model_motion_spin(motion, time, spin);
        model_motion_shift(motion, time, shift);
        model_motion_drift(motion, time, drift);
        vec_sub(arm, place, motion->anchor);
        vec_sub(arm, arm, shift);
        vec_cross(velocity, spin, arm);
        vec_add(velocity, velocity, drift);
    }
    for (int c = 0; c < 3; c++) {
        place[c] += scene_course(&end->move[c], time);
        velocity[c] += scene_course_rate(&end->move[c], time);
    }
}

// Turns a vector of the initial pose as a held tangent and its frame turn: by the motion, then by the end's own turn.
static void held_turn(const ref_rod *rod, const sheaf_end_def *end, double time, const double vector[3], double out[3])
{
    model_path path;
    const sheaf_motion_def *motion = motion_of(rod, end, time, &path);
    double axis[3], turned[3];
    vec_copy(turned, vector);
    if (motion)
        model_motion_turn(motion, time, vector, turned);
    vec_copy(out, turned);
    if (vec_length(end->turn_axis) > 0) {
        vec_unit(axis, end->turn_axis);
        vec_rotate(out, turned, axis, scene_course(&end->turn, time));
    }
}

// Angular velocity of held_turn, rad/s.
static void held_spin(const ref_rod *rod, const sheaf_end_def *end, double time, double spin[3])
{
    double motion[3], axis[3];
    motion_spin(rod, end, time, motion);
    vec_copy(spin, motion);
    if (vec_length(end->turn_axis) > 0) {
        vec_unit(axis, end->turn_axis);
        vec_rotate(spin, motion, axis, scene_course(&end->turn, time));
        vec_axpy(spin, scene_course_rate(&end->turn, time), axis);
    }
}

// Vector of an edge of held direction, m, and its rate, m/s.
static void held_edge(const ref_rod *rod, const sheaf_end_def *end, uint32_t j, double time, double edge[3],
                      double rate[3])
{
    double initial[3], spin[3];
    vec_sub(initial, initial_position(rod, j + 1), initial_position(rod, j));
    vec_unit(initial, initial);
    vec_scale(initial, initial, rod->rest_length[j]);
    held_turn(rod, end, time, initial, edge);
    held_spin(rod, end, time, spin);
    vec_cross(rate, spin, edge);
}

// Unit vector of a slide's rail; the rail belongs to the motion and turns with it.
static void slide_rail(const ref_rod *rod, const sheaf_end_def *end, double time, double rail[3])
{
    model_path path;
    const sheaf_motion_def *motion = motion_of(rod, end, time, &path);
    double axis[3];
    vec_unit(axis, end->slide_axis);
    vec_copy(rail, axis);
    if (motion)
        model_motion_turn(motion, time, axis, rail);
}

// ---- freedoms

// Directions in which a group may move; returns how many there are.
static uint32_t group_directions(const ref_rod *rod, const group *g, double time, double directions[3][3])
{
    if (g->is_end && g->end->hold_position) {
        if (g->end->slide)
            slide_rail(rod, g->end, time, directions[0]);
        return g->end->slide ? 1 : 0;
    }
    for (int k = 0; k < 3; k++)
        vec_set(directions[k], k == 0, k == 1, k == 2);
    return 3;
}

uint32_t ref_freedoms(const ref_rod *rod, double time, ref_freedom *freedoms)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < rod->vertex_count;) {
        const group g = group_at(rod, i);
        double directions[3][3];
        const uint32_t free_count = group_directions(rod, &g, time, directions);
        for (uint32_t k = 0; k < free_count; k++, count++) {
            freedoms[count].first = g.first;
            freedoms[count].second = g.last;
            vec_copy(freedoms[count].direction, directions[k]);
        }
        i = g.last + 1;
    }
    return count;
}

static void add_outer(double matrix[3][3], const double a[3], double scale)
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            matrix[r][c] += scale * a[r] * a[c];
}

static bool is_zero(const double matrix[3][3])
{
    for (int r = 0; r < 3; r++)
        if (vec_dot(matrix[r], matrix[r]) > 0)
            return false;
    return true;
}

void ref_inverse_mass(const ref_rod *rod, double time, double (*inverse)[3][3], bool *edge_is_rigid)
{
    for (uint32_t i = 0; i < rod->vertex_count;) {
        const group g = group_at(rod, i);
        double directions[3][3], mass = 0;
        const uint32_t count = group_directions(rod, &g, time, directions);
        for (uint32_t k = g.first; k <= g.last; k++)
            mass += rod->mass[k];
        for (; i <= g.last; i++) {
            for (int r = 0; r < 3; r++)
                vec_set(inverse[i][r], 0, 0, 0);
            for (uint32_t k = 0; k < count; k++)
                add_outer(inverse[i], directions[k], 1 / mass);
            if (i < rod->edge_count)
                edge_is_rigid[i] = i < g.last;
        }
    }
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        const uint32_t next = rod_next_vertex(rod, j);
        edge_is_rigid[j] = edge_is_rigid[j] || (is_zero(inverse[j]) && is_zero(inverse[next]));
    }
}

// ---- holding

// Brings a point that belongs to an end to the end's held place; on a slide only across the rail.
static void hold_point(const ref_rod *rod, const sheaf_end_def *end, uint32_t vertex, double time, double point[3],
                       double velocity[3])
{
    if (!end->hold_position)
        return;
    double place[3], drift[3];
    held_place(rod, end, vertex, time, place, drift);
    if (!end->slide) {
        vec_copy(point, place);
        vec_copy(velocity, drift);
        return;
    }
    double rail[3], spin[3], turning[3], offset[3];
    slide_rail(rod, end, time, rail);
    vec_sub(offset, point, place);
    const double along = vec_dot(offset, rail);
    motion_spin(rod, end, time, spin);
    vec_cross(turning, spin, rail);
    vec_axpy(drift, along, turning);
    const double speed = vec_dot(rail, velocity) - vec_dot(rail, drift);
    vec_copy(point, place);
    vec_axpy(point, along, rail);
    vec_copy(velocity, drift);
    vec_axpy(velocity, speed, rail);
}

// Puts one or two vertices of an end where they belong. What is free of their motion is that of their mass centre.
static void hold_group(ref_rod *rod, const group *g, double time)
{
    double offset[2][3] = {{0}}, rate[2][3] = {{0}}; // of each vertex from the end vertex
    double mass = 0, point[3] = {0}, velocity[3] = {0};
    if (g->last > g->first) {
        const uint32_t other = g->end_vertex == g->first ? 1 : 0; // index in the group of the one that is not the end
        held_edge(rod, g->end, g->first, time, offset[other], rate[other]);
        vec_scale(offset[other], offset[other], other ? 1 : -1);
        vec_scale(rate[other], rate[other], other ? 1 : -1);
    }
    for (uint32_t i = g->first; i <= g->last; i++) {
        mass += rod->mass[i];
        for (int c = 0; c < 3; c++) {
            point[c] += rod->mass[i] * (rod->x[i][c] - offset[i - g->first][c]);
            velocity[c] += rod->mass[i] * (rod->v[i][c] - rate[i - g->first][c]);
        }
    }
    vec_scale(point, point, 1 / mass);
    vec_scale(velocity, velocity, 1 / mass);
    hold_point(rod, g->end, g->end_vertex, time, point, velocity);
    for (uint32_t i = g->first; i <= g->last; i++) {
        vec_add(rod->x[i], point, offset[i - g->first]);
        vec_add(rod->v[i], velocity, rate[i - g->first]);
    }
}

// A held frame on an edge of held direction turns rigidly with it; on any other edge ref_frames carries it along.
static void hold_frame(ref_rod *rod, const sheaf_end_def *end, uint32_t j, double time)
{
    if (!end->hold_angle)
        return;
    rod->imposed[j] = scene_course(&end->twist, time);
    if (end->hold_tangent)
        held_turn(rod, end, time, initial_director(rod, j), rod->held[j]);
}

// By the edge as its course has it: a jump that the step begins with may have turned the rod's own.
static double held_frame_rate(const ref_rod *rod, const sheaf_end_def *end, uint32_t j, double time)
{
    double spin[3], edge[3], rate[3], turning = 0;
    if (end->hold_tangent) {
        held_spin(rod, end, time, spin);
        held_edge(rod, end, j, time, edge, rate);
        turning = vec_dot(spin, edge) / rod->rest_length[j];
    }
    return turning + scene_course_rate(&end->twist, time);
}

double ref_held_rate(const ref_rod *rod, uint32_t j, double time)
{
    const model_strand *strand = rod->strand;
    if (!rod->closed && j == 0 && strand->root->hold_angle)
        return held_frame_rate(rod, strand->root, j, time);
    if (!rod->closed && j == rod->edge_count - 1 && strand->tip->hold_angle)
        return held_frame_rate(rod, strand->tip, j, time);
    for (uint32_t k = 0; k < strand->hold_count; k++)
        if (strand->holds[k].edge == j)
            return scene_course_rate(&strand->holds[k].twist, time);
    return 0;
}

void ref_jump(ref_rod *rod, const model_jump *jump)
{
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        model_jump_point(jump, rod->x[i], rod->x[i]);
        model_jump_vector(jump, rod->v[i], rod->v[i]);
        model_jump_vector(jump, rod->displacement[i], rod->displacement[i]);
        model_jump_vector(jump, rod->last_velocity[i], rod->last_velocity[i]);
    }
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        model_jump_vector(jump, rod->tangent[j], rod->tangent[j]);
        model_jump_vector(jump, rod->bishop[j], rod->bishop[j]);
        model_jump_vector(jump, rod->held[j], rod->held[j]);
    }
}

// Vertices and directors of joints go where their bodies are.
static void hold_joints(ref_rod *rod)
{
    for (uint32_t k = 0; k < rod->joint_count && rod->bodies != NULL; k++) {
        const model_joint *joint = &rod->joints[k];
        const rigid_state *body = &rod->bodies[joint->body];
        for (uint32_t i = 0; i < joint->vertex_count; i++)
            rigid_point(body, joint->arm[i], rod->x[joint->vertex + i], rod->v[joint->vertex + i]);
        if (joint->kind == SHEAF_JOINT_WELD)
            model_body_to_space(body->axes, joint->director, rod->held[joint->edge]);
    }
}

void ref_ends(ref_rod *rod, double time)
{
    const model_strand *strand = rod->strand;
    for (uint32_t k = 0; k < strand->hold_count; k++)
        rod->imposed[strand->holds[k].edge] = scene_course(&strand->holds[k].twist, time);
    if (rod->closed)
        return;
    for (uint32_t i = 0; i < rod->vertex_count;) {
        const group g = group_at(rod, i);
        if (g.is_end && (g.end->hold_position || g.end->hold_tangent) &&
            (rod->bodies == NULL || joint_at(rod, g.first) == NULL))
            hold_group(rod, &g, time);
        i = g.last + 1;
    }
    hold_frame(rod, strand->root, 0, time);
    hold_frame(rod, strand->tip, rod->edge_count - 1, time);
    hold_joints(rod);
}
