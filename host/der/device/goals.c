// goals: what holds and loads the ends of general strands in one step, worked out in fp64 from their courses.
#include "der/device/device.h"

#include "base/vec.h"

#include "kernels/der/slots.clh"
#include "world/world.h"

// One end of one strand.
typedef struct end_spot {
    const sheaf_end_def *def;
    const der_pose *start;
    double origin[3];               // m, that places are measured from at the end of the step
    const sheaf_motion_def *motion; // as it is at the start and end of the step; NULL: none
    model_path path;                // of a root on a deforming mesh
} end_spot;

static void find_end(const bundle_set *set, uint64_t place, uint32_t strand, bool is_tip, double t0, double t1,
                     end_spot *at)
{
    const model_strand *s = &set->model->strands[strand];
    const uint64_t general = (uint64_t)set->kind_first[DER_GENERAL] * set->options.width;
    at->def = is_tip ? s->tip : s->root;
    const der_ends *ends = (const der_ends *)set->own + (place - general);
    at->start = is_tip ? &ends->tip : &ends->root;
    der_origin(set->model, strand, t1, at->origin);
    at->motion = model_end_motion(set->model, s, at->def, t0, t1, &at->path);
}

// A vector of the start, turned by the motion.
static void follow_motion(const end_spot *at, double time, const double vector[3], double out[3])
{
    if (at->motion != NULL)
        model_motion_turn(at->motion, time, vector, out);
    else
        vec_copy(out, vector);
}

// A vector of the end edge's frame: turned by the motion, then by the end's own course.
static void follow_tangent(const end_spot *at, double time, const double vector[3], double out[3])
{
    double moved[3], axis[3];
    follow_motion(at, time, vector, moved);
    vec_copy(out, moved);
    if (vec_length(at->def->turn_axis) > 0) {
        vec_unit(axis, at->def->turn_axis);
        vec_rotate(out, moved, axis, scene_course(&at->def->turn, time));
    }
}

// Projector onto held directions: all, or all but the rail of a slide.
static void hold_goal(const end_spot *at, double time, double out[6])
{
    double rail[3] = {0, 0, 0}, axis[3];
    if (!at->def->hold_position)
        return;
    if (at->def->slide) {
        vec_unit(axis, at->def->slide_axis);
        follow_motion(at, time, axis, rail);
    }
    out[0] = 1 - rail[0] * rail[0];
    out[1] = -rail[1] * rail[0];
    out[2] = 1 - rail[1] * rail[1];
    out[3] = -rail[2] * rail[0];
    out[4] = -rail[2] * rail[1];
    out[5] = 1 - rail[2] * rail[2];
}

static void place_goal(const end_spot *at, double time, double out[3])
{
    vec_copy(out, at->start->place);
    if (at->motion != NULL)
        model_motion_point(at->motion, time, at->start->place, out);
    for (int c = 0; c < 3; c++)
        out[c] += scene_course(&at->def->move[c], time) - at->origin[c];
}

static void edge_goal(const end_spot *at, double time, double edge[3], double director[3])
{
    double tangent[3], turned[3];
    follow_tangent(at, time, at->start->tangent, tangent);
    vec_scale(edge, tangent, at->start->length);
    follow_tangent(at, time, at->start->director, turned);
    vec_rotate(director, turned, tangent, scene_course(&at->def->twist, time));
}

// Rate at which a held frame turns about its edge: with an edge of held direction, and by its own course.
static double frame_spin(const end_spot *at, double time)
{
    double spin[3] = {0, 0, 0}, turned[3], axis[3], tangent[3];
    if (!at->def->hold_angle)
        return 0;
    if (at->def->hold_tangent) {
        if (at->motion != NULL)
            model_motion_spin(at->motion, time, spin);
        if (vec_length(at->def->turn_axis) > 0) {
            vec_unit(axis, at->def->turn_axis);
            vec_rotate(turned, spin, axis, scene_course(&at->def->turn, time));
            vec_copy(spin, turned);
            vec_axpy(spin, scene_course_rate(&at->def->turn, time), axis);
        }
    }
    follow_tangent(at, time, at->start->tangent, tangent);
    return vec_dot(spin, tangent) + scene_course_rate(&at->def->twist, time);
}

static void end_goals(const end_spot *at, double t0, double t1, double load_time, double *out)
{
    hold_goal(at, t1, out + GOAL_HOLD);
    place_goal(at, t1, out + GOAL_PLACE);
    edge_goal(at, t1, out + GOAL_EDGE, out + GOAL_DIRECTOR);
    out[GOAL_RIGID] = at->def->hold_tangent;
    out[GOAL_FRAME] = at->def->hold_angle;
    out[GOAL_TURN] = scene_course(&at->def->twist, t1) - scene_course(&at->def->twist, t0);
    out[GOAL_SPIN] = frame_spin(at, t0);
    for (int c = 0; c < 3; c++) {
        out[GOAL_FORCE + c] = scene_course(&at->def->force[c], load_time);
        out[GOAL_COUPLE + c] = scene_course(&at->def->couple[c], load_time);
    }
}

static void inner_goals(const model_strand *strand, double t0, double t1, double *out)
{
    for (uint32_t k = 0; k < strand->hold_count; k++) {
        const sheaf_course *twist = &strand->holds[k].twist;
        const uint32_t course = der_inner_course(strand, strand->holds[k].edge);
        if (course == 0)
            continue;
        out[GOAL_INNER_COUNT] = course;
        out[GOAL_INNER_TURN + course - 1] = scene_course(twist, t1) - scene_course(twist, t0);
        out[GOAL_INNER_SPIN + course - 1] = scene_course_rate(twist, t0);
    }
}

static bool end_is_on_body(const sheaf_model *model, uint32_t strand, bool is_tip)
{
    uint32_t count;
    const model_joint *joints = model_strand_joints(model, strand, &count);
    const uint32_t last = model_vertex_count(model, strand) - 2;
    return count > 0 && (is_tip ? joints[count - 1].edge == last : joints[0].edge == 0);
}

size_t der_goal_bytes(const bundle_set *set, uint32_t count)
{
    return (size_t)count * GOAL_SIZE * set->options.width * (set->options.is_double ? sizeof(double) : sizeof(float));
}

void der_goals(const bundle_set *set, uint32_t first, uint32_t end, double t0, double t1, double load_time,
               void *memory)
{
    const uint32_t width = set->options.width;
    for (uint32_t b = first; b < end; b++)
        for (uint32_t lane = 0; lane < width; lane++) {
            const uint64_t place = (uint64_t)b * width + lane;
            const uint32_t *strands = set->strand_of + (size_t)b * width;
            const uint32_t strand = strands[lane] == BUNDLE_FILLER ? strands[0] : strands[lane];
            double values[GOAL_SIZE] = {0};
            for (int is_tip = 0; is_tip < 2; is_tip++) {
                end_spot at;
                if (end_is_on_body(set->model, strand, is_tip)) // joints say where it is
                    continue;
                find_end(set, place, strand, is_tip, t0, t1, &at);
                end_goals(&at, t0, t1, load_time, values + (is_tip ? GOAL_TIP : GOAL_ROOT));
            }
            inner_goals(&set->model->strands[strand], t0, t1, values);
            for (uint32_t c = 0; c < GOAL_SIZE; c++)
                bundles_put(set, memory, ((size_t)(b - first) * GOAL_SIZE + c) * width + lane, values[c]);
        }
}
