// chain: what a cable of a model is made of.
#include "cable/chain.h"

#include "base/vec.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

uint32_t cable_segment_count(const sheaf_model *model, uint32_t strand)
{
    return model_vertex_count(model, strand) - 1;
}

static const sheaf_cable_def *def_of(const sheaf_model *model, uint32_t strand)
{
    return &model->groups[model->strands[strand].group].cable;
}

const sheaf_winch_def *cable_winch_of(const sheaf_model *model, uint32_t strand)
{
    const scene_winch *winch = &model->groups[model->strands[strand].group].winch;
    return winch->is_there ? &winch->def : NULL;
}

// ---- segments

static double shape_length(const sheaf_model *model, uint32_t strand)
{
    const uint64_t first = model->first_vertex[strand];
    double sum = 0;
    for (uint32_t j = 0; j < cable_segment_count(model, strand); j++)
        sum += model->rest_length[first + j];
    return sum;
}

double cable_segment_length(const sheaf_model *model, uint32_t strand, uint32_t j)
{
    if (cable_winch_of(model, strand) != NULL) // what is wound does not show its length
        return def_of(model, strand)->length / cable_segment_count(model, strand);
    const double own = model->rest_length[model->first_vertex[strand] + j], whole = def_of(model, strand)->length;
    return whole > 0 ? own * whole / shape_length(model, strand) : own;
}

// Its axes are the tangent, the director across it, and what is across both.
void cable_pose_of(const double tangent[3], const double director[3], double pose[4])
{
    static const double world[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double axes[3][3];
    vec_copy(axes[0], tangent);
    vec_copy(axes[1], director);
    vec_axpy(axes[1], -vec_dot(director, tangent), tangent);
    vec_unit(axes[1], axes[1]);
    vec_cross(axes[2], axes[0], axes[1]);
    model_turn_between(world, (const double(*)[3])axes, pose);
}

static void edge_pose(const sheaf_model *model, uint64_t edge, double pose[4])
{
    double tangent[3];
    vec_sub(tangent, model->position[edge + 1], model->position[edge]);
    vec_unit(tangent, tangent);
    cable_pose_of(tangent, model->director[edge], pose);
}

void cable_segment(const sheaf_model *model, uint32_t strand, uint32_t j, cable_part *part)
{
    const uint64_t edge = model->first_vertex[strand] + j;
    const model_strand *s = &model->strands[strand];
    const double l = cable_segment_length(model, strand, j), r = model->radius[edge], m = s->line_mass * l;
    const double thick = r > 0 ? r : l / 20; // a line without radius must not have a direction without inertia
    *part = (cable_part){
        .mass = m,
        .inertia = {m * thick * thick / 2, m * (l * l / 12 + thick * thick / 4), m * (l * l / 12 + thick * thick / 4)},
        .back = {-l / 2, 0, 0},
        .drag = s->drag / s->line_mass};
    vec_add(part->place, model->position[edge], model->position[edge + 1]);
    vec_scale(part->place, part->place, 0.5);
    edge_pose(model, edge, part->pose);
}

// ---- joints

void cable_compliance(const sheaf_model *model, uint32_t strand, uint32_t i, double out[3])
{
    const uint32_t n = cable_segment_count(model, strand);
    const sheaf_cable_def *def = def_of(model, strand);
    const sheaf_material_def *material = &model->materials[model->strands[strand].material];
    const scene_section section = scene_material_section(material);
    const double area = 3.14159265358979323846 * material->radius[0] * material->radius[1];
    const double ea = def->stretch > 0 ? def->stretch : material->young * area;
    double d = 0; // rope that gives way: from centre to centre
    if (i > 0)
        d += cable_segment_length(model, strand, i - 1) / 2;
    if (i < n)
        d += cable_segment_length(model, strand, i) / 2;
    out[0] = def->joint_stretch > 0 ? 1 / def->joint_stretch : ea > 0 ? d / ea : 0;
    out[1] = def->joint_bend > 0 ? 1 / def->joint_bend : d / section.bend[0];
    out[2] = def->joint_twist > 0 ? 1 / def->joint_twist : d / section.twist;
}

// ---- ends

static const sheaf_end_def *end_def(const sheaf_model *model, uint32_t strand, bool is_tip)
{
    return is_tip ? model->strands[strand].tip : model->strands[strand].root;
}

static const model_joint *find_joint(const sheaf_model *model, uint32_t strand, bool is_tip)
{
    const uint32_t number = model->strands[strand].number, n = cable_segment_count(model, strand);
    uint32_t low = 0, high = model->joint_count; // joints lie by strand, then by edge
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (model->joints[middle].strand < number)
            low = middle + 1;
        else
            high = middle;
    }
    for (uint32_t k = low; k < model->joint_count && model->joints[k].strand == number; k++)
        if (model->joints[k].edge == (is_tip ? n - 1 : 0))
            return &model->joints[k];
    return NULL;
}

static void axes_pose(const double axes[3][3], double pose[4])
{
    static const double world[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    model_turn_between(world, axes, pose);
}

// conj(p) q
static void pose_between(const double p[4], const double q[4], double out[4])
{
    double cross[3];
    vec_cross(cross, p + 1, q + 1);
    out[0] = p[0] * q[0] + vec_dot(p + 1, q + 1);
    for (int c = 0; c < 3; c++)
        out[1 + c] = p[0] * q[1 + c] - q[0] * p[1 + c] - cross[c];
}

cable_end cable_find_end(const sheaf_model *model, uint32_t strand, bool is_tip)
{
    const sheaf_end_def *def = end_def(model, strand, is_tip);
    const uint64_t first = model->first_vertex[strand];
    const uint32_t n = cable_segment_count(model, strand);
    const model_joint *joint = find_joint(model, strand, is_tip);
    cable_end end = {
        .holds_point = def->hold_position, .holds_turn = def->hold_tangent, .body = -1, .rest = {1, 0, 0, 0}};
    if (joint == NULL || !model->bodies[joint->body].is_free)
        return end;
    const model_body *body = &model->bodies[joint->body];
    const double *vertex = model->position[first + (is_tip ? n : 0)];
    double arm[3], pose[4], edge[4];
    end.body = (int32_t)joint->body;
    vec_sub(arm, vertex, body->center);
    model_body_to_own(body->axes, arm, end.arm);
    axes_pose(body->axes, pose);
    edge_pose(model, first + (is_tip ? n - 1 : 0), edge);
    pose_between(pose, edge, end.rest);
    return end;
}

void cable_free_body(const sheaf_model *model, uint32_t index, cable_part *part)
{
    const model_body *body = &model->bodies[index];
    *part = (cable_part){.mass = body->mass, .drag = body->def.drag / body->mass};
    vec_copy(part->inertia, body->inertia);
    vec_copy(part->place, body->center);
    vec_copy(part->velocity, body->def.velocity);
    vec_copy(part->spin, body->def.spin);
    axes_pose(body->axes, part->pose);
}

int32_t cable_end_motion(const sheaf_model *model, uint32_t strand, bool is_tip)
{
    const model_joint *joint = find_joint(model, strand, is_tip);
    return joint != NULL ? model->bodies[joint->body].def.motion : end_def(model, strand, is_tip)->motion;
}

static const sheaf_motion_def *end_motion(const sheaf_model *model, uint32_t strand, bool is_tip)
{
    const int32_t motion = cable_end_motion(model, strand, is_tip);
    return motion >= 0 ? &model->motions[motion] : NULL;
}

static void turn_vector(const sheaf_motion_def *motion, const sheaf_end_def *end, double time, const double vector[3],
                        double out[3])
{
    double axis[3], moved[3];
    if (motion != NULL)
        model_motion_turn(motion, time, vector, moved);
    else
        vec_copy(moved, vector);
    vec_copy(out, moved);
    if (vec_length(end->turn_axis) > 0) {
        vec_unit(axis, end->turn_axis);
        vec_rotate(out, moved, axis, scene_course(&end->turn, time));
    }
}

void cable_anchor(const sheaf_model *model, uint32_t strand, bool is_tip, double time, double place[3], double pose[4])
{
    const sheaf_end_def *end = end_def(model, strand, is_tip);
    const sheaf_motion_def *motion = end_motion(model, strand, is_tip);
    const uint32_t n = cable_segment_count(model, strand);
    const uint64_t vertex = model->first_vertex[strand] + (is_tip ? n : 0);
    const uint64_t edge = model->first_vertex[strand] + (is_tip ? n - 1 : 0);
    double tangent[3], turned[3], director[3], twisted[3];
    vec_copy(place, model->position[vertex]);
    if (motion != NULL)
        model_motion_point(motion, time, model->position[vertex], place);
    for (int c = 0; c < 3; c++)
        place[c] += scene_course(&end->move[c], time);
    vec_sub(tangent, model->position[edge + 1], model->position[edge]);
    vec_unit(tangent, tangent);
    turn_vector(motion, end, time, tangent, turned);
    turn_vector(motion, end, time, model->director[edge], director);
    vec_rotate(twisted, director, turned, scene_course(&end->twist, time));
    cable_pose_of(turned, twisted, pose);
}

void cable_tip_load(const sheaf_model *model, uint32_t strand, double time, double force[3], double torque[3])
{
    const sheaf_end_def *tip = model->strands[strand].tip;
    for (int c = 0; c < 3; c++) {
        force[c] = scene_course(&tip->force[c], time);
        torque[c] = scene_course(&tip->couple[c], time);
    }
}

// ---- telling of bodies

static void turn_by(const double q[4], const double a[3], double out[3])
{
    double once[3], twice[3], sum[3];
    vec_cross(once, q + 1, a);
    vec_cross(twice, q + 1, once);
    vec_copy(sum, a);
    vec_axpy(sum, 2 * q[0], once);
    vec_axpy(sum, 2, twice);
    vec_copy(out, sum);
}

// a times the inverse of b.
static void turn_since(const double a[4], const double b[4], double out[4])
{
    const double inverse[3] = {-b[1], -b[2], -b[3]};
    double cross[3];
    vec_cross(cross, a + 1, inverse);
    out[0] = a[0] * b[0] - vec_dot(a + 1, inverse);
    for (int c = 0; c < 3; c++)
        out[1 + c] = a[0] * inverse[c] + b[0] * a[1 + c] + cross[c];
}

static void tell_axes(double axes[3][3], sheaf_body_pose *pose)
{
    const double space[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    model_turn_between(space, (const double(*)[3])axes, pose->rotation);
    for (int c = 0; c < 3; c++)
        pose->force[c] = pose->torque[c] = NAN;
}

void cable_tell_body(const sheaf_model *model, uint32_t index, const cable_part *now, sheaf_body_pose *pose)
{
    const model_body *body = &model->bodies[index];
    cable_part start;
    double since[4], axes[3][3], arm[3], turning[3];
    cable_free_body(model, index, &start);
    turn_since(now->pose, start.pose, since);
    *pose = (sheaf_body_pose){.kinetic = 0.5 * now->mass * vec_dot(now->velocity, now->velocity)};
    for (int k = 0; k < 3; k++) {
        double principal[3];
        turn_by(since, body->start_axes[k], axes[k]);
        turn_by(since, body->axes[k], principal);
        pose->kinetic += 0.5 * body->inertia[k] * pow(vec_dot(principal, now->spin), 2);
    }
    vec_sub(arm, body->start, start.place);
    turn_by(since, arm, arm);
    vec_add(pose->position, now->place, arm);
    vec_cross(turning, now->spin, arm);
    vec_add(pose->velocity, now->velocity, turning);
    vec_copy(pose->spin, now->spin);
    tell_axes(axes, pose);
}

void cable_tell_driven(const sheaf_model *model, uint32_t index, double time, sheaf_body_pose *pose)
{
    const model_body *body = &model->bodies[index];
    double axes[3][3];
    *pose = (sheaf_body_pose){0};
    vec_copy(pose->position, body->start);
    memcpy(axes, body->start_axes, sizeof axes);
    if (body->def.motion >= 0) {
        const sheaf_motion_def *motion = &model->motions[body->def.motion];
        model_motion_point(motion, time, body->start, pose->position);
        for (int k = 0; k < 3; k++)
            model_motion_turn(motion, time, body->start_axes[k], axes[k]);
        model_motion_spin(motion, time, pose->spin);
    }
    tell_axes(axes, pose);
}
