// disturb: uneasy states for single stages to start from, so that no term of any equation is small.
#include "der/verify/parts.h"

#include "base/vec.h"
#include "der/verify/random.h"

#include "kernels/der/slots.clh"
#include "kernels/world/slots.clh"
#include "world/world.h"

// Random numbers of one strand; poses and motions draw from different places of its stream.
enum { FIRST_OF_POSE = 1000, FIRST_OF_MOTION = 2000 };

static void put_number(mirror *it, der_field array, uint32_t strand, uint32_t i, uint32_t c, double value)
{
    bundles_set(engine_bundles(it->engine), array, it->arrays[array], strand, i, c, value);
}

static void put_vector(mirror *it, der_field array, uint32_t strand, uint32_t i, const double value[3])
{
    for (uint32_t c = 0; c < 3; c++)
        put_number(it, array, strand, i, c, value[c]);
}

// ---- poses

// Parts of the state that ends determine are left as the ends have them.
static bool edge_is_held(const mirror *it, uint32_t strand, uint32_t j)
{
    const model_strand *s = &it->model.strands[strand];
    const uint32_t last = model_vertex_count(&it->model, strand) - 2;
    return (j == 0 && s->root->hold_tangent) || (j == last && s->tip->hold_tangent);
}

static bool frame_is_held(const mirror *it, uint32_t strand, uint32_t j)
{
    const model_strand *s = &it->model.strands[strand];
    const uint32_t last = model_vertex_count(&it->model, strand) - 2;
    bool held = (j == 0 && s->root->hold_angle) || (j == last && s->tip->hold_angle);
    for (uint32_t k = 0; k < s->hold_count; k++)
        held = held || s->holds[k].edge == j;
    return held;
}

static void turn_vector(mirror *it, der_field array, uint32_t strand, uint32_t j, const sheaf_motion_def *motion,
                        double time)
{
    double vector[3];
    mirror_array_vector(it, array, strand, j, 0, vector);
    model_motion_turn(motion, time, vector, vector);
    put_vector(it, array, strand, j, vector);
}

// Takes a strand to where the motion that carries it has come by `time`.
static void carry_strand(mirror *it, uint32_t strand, double time)
{
    const model_strand *s = &it->model.strands[strand];
    const int32_t index = s->root->motion >= 0 ? s->root->motion : s->tip->motion;
    const double *root = it->model.position[it->model.first_vertex[strand]];
    double place[3];
    if (index < 0)
        return;
    const sheaf_motion_def *motion = &it->model.motions[index];
    for (uint32_t j = 0; j + 1 < model_vertex_count(&it->model, strand); j++) {
        turn_vector(it, DER_edge, strand, j, motion, time);
        turn_vector(it, DER_director, strand, j, motion, time);
    }
    model_motion_point(motion, time, root, place);
    vec_sub(place, place, root);
    put_vector(it, DER_place, strand, 0, place); // PLACE_HIGH
}

// Stretches edge j by up to 3 %, turns its frame, every other one backwards; returns by how much.
static double disturb_edge(mirror *it, verify_random *random, uint32_t strand, uint32_t j)
{
    double edge[3], tangent[3], director[3], turned[3];
    const double stretch = random_between(random, 0.97, 1.03);
    const double turn = random_between(random, 0.2, 0.5) * (j % 2 ? -1 : 1);
    mirror_array_vector(it, DER_edge, strand, j, 0, edge);
    mirror_array_vector(it, DER_director, strand, j, 0, director);
    vec_unit(tangent, edge);
    if (!edge_is_held(it, strand, j)) {
        vec_scale(edge, edge, stretch);
        put_vector(it, DER_edge, strand, j, edge);
    }
    if (frame_is_held(it, strand, j))
        return 0;
    vec_rotate(turned, director, tangent, turn);
    put_vector(it, DER_director, strand, j, turned);
    return turn;
}

static void disturb_pose(mirror *it, uint32_t strand, uint64_t seed, double time)
{
    verify_random random = {.seed = seed, .stream = strand, .next = FIRST_OF_POSE};
    double before = 0;
    carry_strand(it, strand, time);
    for (uint32_t j = 0; j + 1 < model_vertex_count(&it->model, strand); j++) {
        const double turn = disturb_edge(it, &random, strand, j);
        const double twist = j > 0 ? mirror_number(it, DER_twist, strand, j, 0) + turn - before : 0;
        put_number(it, DER_twist, strand, j, 0, twist);
        before = turn;
    }
}

void disturb_poses(mirror *it, uint64_t seed, double time)
{
    for (uint32_t s = 0; s < it->model.strand_count; s++)
        disturb_pose(it, s, seed, time);
}

// ---- motions

static double shortest_edge(const mirror *it, uint32_t strand)
{
    const uint64_t first = it->model.first_vertex[strand];
    double shortest = INFINITY;
    for (uint32_t j = 0; j + 1 < model_vertex_count(&it->model, strand); j++)
        shortest = fmin(shortest, it->model.rest_length[first + j]);
    return shortest;
}

// Velocities and history that take a vertex up to a twentieth of an edge in a step.
static void disturb_vertex(mirror *it, verify_random *random, uint32_t strand, uint32_t i, double edge)
{
    const der_field arrays[3] = {DER_velocity, DER_last_velocity, DER_move};
    for (int k = 0; k < 3; k++) {
        double value[3];
        random_vector(random, 0.05 * edge / (arrays[k] == DER_move ? 1 : it->model.def.step), value);
        put_vector(it, arrays[k], strand, i, value);
    }
}

// Tension, sometimes pressure, as of a strain of up to 2 % of the soft stretch.
static void disturb_tension(mirror *it, verify_random *random, uint32_t strand, uint32_t j)
{
    const double stiffness =
        mirror_number(it, DER_span, strand, j, SPAN_STRETCH) * mirror_number(it, DER_span, strand, j, SPAN_LENGTH);
    put_number(it, DER_tension, strand, j, 0, stiffness * random_between(random, -0.005, 0.02));
}

void disturb_motions(mirror *it, uint64_t seed)
{
    for (uint32_t s = 0; s < it->model.strand_count; s++) {
        verify_random random = {.seed = seed, .stream = s, .next = FIRST_OF_MOTION};
        const double edge = shortest_edge(it, s);
        for (uint32_t i = 0; i < model_vertex_count(&it->model, s); i++) {
            disturb_vertex(it, &random, s, i, edge);
            disturb_tension(it, &random, s, i);
        }
    }
}
