// pack: fills the arrays of a bundle set from the model, for one time step and precision.
#include "cl/bundles.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

#include "kernels/slots.clh"

enum { COMPONENTS_MOST = RECORD_SIZE }; // of any array
_Static_assert(COMPONENTS_MOST >= CLAMP_SIZE && COMPONENTS_MOST >= BEND_SIZE && COMPONENTS_MOST >= PLACE_SIZE,
               "values of one row need room");

static const struct {
    uint32_t components;
    bool per_strand;
    bool is_state;
} arrays[BUNDLE_ARRAY_COUNT] = {
    [BUNDLE_EDGE] = {3, false, true},
    [BUNDLE_VELOCITY] = {3, false, true},
    [BUNDLE_DIRECTOR] = {3, false, true},
    [BUNDLE_TWIST] = {1, false, true},
    [BUNDLE_MOVE] = {3, false, true},
    [BUNDLE_LAST_VELOCITY] = {3, false, true},
    [BUNDLE_TENSION] = {1, false, true},
    [BUNDLE_SPAN] = {SPAN_SIZE, false, false},
    [BUNDLE_BEND] = {BEND_SIZE, false, false},
    [BUNDLE_TORSION] = {TORSION_SIZE, false, false},
    [BUNDLE_CLAMP] = {CLAMP_SIZE, true, false},
    [BUNDLE_LOSS] = {LOSS_SIZE, true, false},
    [BUNDLE_RECORD] = {RECORD_SIZE, true, true},
    [BUNDLE_HOLD] = {HOLD_SIZE, false, false},
    [BUNDLE_PLACE] = {PLACE_SIZE, true, true},
};

uint32_t bundles_components(bundle_array array)
{
    return arrays[array].components;
}

bool bundles_array_is_per_strand(bundle_array array)
{
    return arrays[array].per_strand;
}

bool bundles_array_is_state(bundle_array array)
{
    return arrays[array].is_state;
}

size_t bundles_offset(const bundle_set *set, bundle_array array, uint32_t bundle)
{
    const uint64_t slots = bundle < set->count ? set->entries[bundle].first_slot : set->slot_count;
    const uint64_t rows = arrays[array].per_strand ? bundle : slots;
    return (size_t)rows * arrays[array].components * set->options.width *
           (set->options.is_double ? sizeof(double) : sizeof(float));
}

size_t bundles_bytes(const bundle_set *set, bundle_array array)
{
    return bundles_offset(set, array, set->count);
}

// ---- one strand's values at one vertex; `real` vertices have an edge of their own, padding does not

// First vertex of the strand in the model's arrays, its vertex count, and the vertex looked at.
typedef struct spot {
    const bundle_set *set;
    uint64_t first;
    uint32_t strand, vertex_count, vertex;
} spot;

static bool has_edge(const spot *at)
{
    return at->vertex + 1 < at->vertex_count;
}

static bool is_interior(const spot *at)
{
    return at->vertex > 0 && has_edge(at);
}

// Padding repeats the strand's last edge.
static uint64_t edge_index(const spot *at)
{
    return at->first + (has_edge(at) ? at->vertex : at->vertex_count - 2);
}

static void pack_edge(const spot *at, double *out)
{
    const sheaf_model *model = at->set->model;
    const uint64_t j = edge_index(at);
    vec_sub(out, model->position[j + 1], model->position[j]);
}

static void pack_director(const spot *at, double *out)
{
    vec_copy(out, at->set->model->director[edge_index(at)]);
}

// Total twist: the angle between the directors of two edges over the vertex, nearest to the natural one.
static void pack_twist(const spot *at, double *out)
{
    const sheaf_model *model = at->set->model;
    if (!is_interior(at))
        return;
    const uint64_t i = at->first + at->vertex;
    double e0[3], e1[3], t0[3], t1[3], carried[3];
    vec_sub(e0, model->position[i], model->position[i - 1]);
    vec_sub(e1, model->position[i + 1], model->position[i]);
    vec_unit(t0, e0);
    vec_unit(t1, e1);
    vec_transport(carried, model->director[i - 1], t0, t1);
    const double turn = 2 * 3.14159265358979323846, angle = vec_angle(carried, model->director[i], t1);
    out[0] = angle + turn * rint((model->natural_twist[i] - angle) / turn);
}

static double mean_mass(const spot *at)
{
    double sum = 0;
    for (uint32_t i = 0; i < at->vertex_count; i++)
        sum += at->set->model->mass[at->first + i];
    return sum / at->vertex_count;
}

// Stretch is kept soft, 100 times the stiffest other term of the edge: the true value would leave no digits in fp32,
// and projection makes the length exact anyway.
static double stretch_weight(const spot *at, double inertia_scale)
{
    const sheaf_model *model = at->set->model;
    const uint64_t j = at->first + at->vertex;
    const double length = model->rest_length[j], mass = 0.5 * (model->mass[j] + model->mass[j + 1]);
    const double bend = fmax(model->bend[j][0], model->bend[j][1]);
    return 100 * (inertia_scale * mass + bend / (length * length * length));
}

// Mass that moves with a vertex: that of both where a held tangent joins an end vertex to its neighbour.
static double moving_mass(const spot *at, uint32_t vertex)
{
    const double *mass = at->set->model->mass + at->first;
    const model_strand *strand = &at->set->model->strands[at->strand];
    if (vertex == 1 && strand->root.def.hold_tangent)
        return mass[0] + mass[1];
    if (vertex + 2 == at->vertex_count && strand->tip.def.hold_tangent)
        return mass[vertex] + mass[vertex + 1];
    return mass[vertex];
}

static void pack_span(const spot *at, double *out)
{
    const sheaf_model *model = at->set->model;
    const bundle_options *options = &at->set->options;
    const bool clamped = bundles_is_clamped(model, at->strand), real = at->vertex < at->vertex_count;
    const double inertia_scale = (options->is_bdf2 ? 2.25 : 1) / (options->step * options->step);
    const uint32_t vertex = real ? at->vertex : at->vertex_count - 1;
    const double mass = clamped ? model->mass[at->first + vertex] : moving_mass(at, vertex);
    const bool moves = real && (!clamped || vertex >= 2);
    out[SPAN_LENGTH] = model->rest_length[edge_index(at)];
    out[SPAN_INERTIA] = inertia_scale * mass;
    out[SPAN_INVERSE_MASS] = moves ? mean_mass(at) / mass : 0;
    out[SPAN_STRETCH] = has_edge(at) ? stretch_weight(at, inertia_scale) : 0;
}

static void pack_bend(const spot *at, double *out)
{
    const sheaf_model *model = at->set->model;
    if (!is_interior(at))
        return;
    const uint64_t i = at->first + at->vertex;
    const double voronoi = model->rest_length[i - 1] + model->rest_length[i];
    for (int side = 0; side < 2; side++)
        for (int axis = 0; axis < 2; axis++) {
            const double stiffness = sqrt(model->bend[i - 1 + (uint64_t)side][axis] / voronoi);
            out[BEND_STIFFNESS + 2 * side + axis] = stiffness;
            out[BEND_NATURAL + 2 * side + axis] = stiffness * model->natural_curvature[i][side][axis];
        }
}

static void pack_torsion(const spot *at, double *out)
{
    const sheaf_model *model = at->set->model;
    if (!is_interior(at))
        return;
    const uint64_t i = at->first + at->vertex;
    out[TORSION_STIFFNESS] = sqrt(2 * model->twist[i] / (model->rest_length[i - 1] + model->rest_length[i]));
    out[TORSION_NATURAL] = model->natural_twist[i];
}

static void pack_clamp(const spot *at, double *out)
{
    const sheaf_model *model = at->set->model;
    const int32_t motion = model->strands[at->strand].root.def.motion;
    const double origin[3] = {0, 0, 0};
    vec_sub(out + CLAMP_ARM, model->position[at->first], motion < 0 ? origin : model->motions[motion].anchor);
    vec_sub(out + CLAMP_EDGE, model->position[at->first + 1], model->position[at->first]);
    vec_copy(out + CLAMP_DIRECTOR, model->director[at->first]);
}

// Drag per mass; the same at every vertex of an even section, since length and mass of a vertex go together.
static void pack_loss(const spot *at, double *out)
{
    const sheaf_model *model = at->set->model;
    const double line_mass = model->mass[at->first] / (0.5 * model->rest_length[at->first]);
    out[LOSS_DRAG] = model->strands[at->strand].drag / line_mass;
    out[LOSS_DAMPING] = model->strands[at->strand].damping;
}

// A naturally straight, isotropic strand none of whose frames is held may turn as a whole: frame 0 is kept.
static bool frame_is_held(const spot *at)
{
    const model_strand *strand = &at->set->model->strands[at->strand];
    const bool root = strand->root.def.hold_angle, tip = strand->tip.def.hold_angle;
    if (at->vertex == 0)
        return root || (strand->isotropic_straight && !tip && strand->hold_count == 0);
    if (at->vertex + 2 == at->vertex_count && tip)
        return true;
    for (uint32_t k = 0; k < strand->hold_count; k++)
        if (strand->holds[k].edge == at->vertex)
            return true;
    return false;
}

// Compliance of edge lengths where both ends are held: that of the strand's own axial stiffness EA = 4 EI / r^2, by the
// third power of the edge's length, 4 l^3 c / (EA h^2), in the scale of the projector's matrix, which is that of
// 4 J M^-1 J^T times mean mass / 4. Kept between two shares of the mean diagonal 2 l^2: rounding must not decide, and a
// soft strand must still keep its length.
static double length_yield(const spot *at)
{
    const sheaf_model *model = at->set->model;
    const bundle_options *options = &at->set->options;
    const model_strand *strand = &model->strands[at->strand];
    if (!strand->root.def.hold_position || !strand->tip.def.hold_position)
        return 0;
    const double edges = at->vertex_count - 1, rate = (options->is_bdf2 ? 2.25 : 1) / (options->step * options->step);
    double length = 0, stiffness = 0;
    for (uint64_t j = at->first; j + 1 < at->first + at->vertex_count; j++) {
        const double radius = model->radius[j], bend = (model->bend[j][0] + model->bend[j][1]) / 2;
        length += model->rest_length[j] / edges;
        stiffness += (radius > 0 ? 4 * bend / (radius * radius) : INFINITY) / edges;
    }
    const double diagonal = 2 * length * length, least = options->is_double ? 1e-10 : 1e-6,
                 most = options->is_double ? 1e-7 : 1e-6;
    const double wanted = length * length * length * rate * mean_mass(at) / stiffness;
    const double yield = fmin(fmax(wanted, least * diagonal), most * diagonal);
    return yield * pow(model->rest_length[at->first + at->vertex] / length, 3);
}

static void pack_hold(const spot *at, double *out)
{
    if (!has_edge(at))
        return;
    out[HOLD_FRAME] = frame_is_held(at);
    out[HOLD_YIELD] = length_yield(at);
}

static void pack_values(const spot *at, bundle_array array, double out[COMPONENTS_MOST])
{
    memset(out, 0, COMPONENTS_MOST * sizeof *out);
    switch (array) {
    case BUNDLE_EDGE:
        pack_edge(at, out);
        break;
    case BUNDLE_DIRECTOR:
        pack_director(at, out);
        break;
    case BUNDLE_TWIST:
        pack_twist(at, out);
        break;
    case BUNDLE_SPAN:
        pack_span(at, out);
        break;
    case BUNDLE_BEND:
        pack_bend(at, out);
        break;
    case BUNDLE_TORSION:
        pack_torsion(at, out);
        break;
    case BUNDLE_CLAMP:
        pack_clamp(at, out);
        break;
    case BUNDLE_LOSS:
        pack_loss(at, out);
        break;
    case BUNDLE_HOLD:
        pack_hold(at, out);
        break;
    default: // velocities, displacements and records start at 0
        break;
    }
}

void bundles_put(const bundle_set *set, void *memory, size_t index, double value)
{
    if (set->options.is_double)
        ((double *)memory)[index] = value;
    else
        ((float *)memory)[index] = (float)value;
}

static size_t value_index(const bundle_set *set, bundle_array array, uint64_t place, uint32_t vertex,
                          uint32_t component)
{
    const uint32_t width = set->options.width;
    const uint64_t bundle = place / width;
    const uint64_t row = arrays[array].per_strand ? bundle : set->entries[bundle].first_slot + (uint64_t)vertex;
    return (size_t)((row * arrays[array].components + component) * width + place % width);
}

static void pack_lane(const bundle_set *set, bundle_array array, uint64_t place, void *memory)
{
    const uint32_t width = set->options.width, bundle = (uint32_t)(place / width);
    uint32_t strand = set->strand_of[place];
    if (strand == BUNDLE_FILLER)
        strand = set->strand_of[(size_t)bundle * width];
    spot at = {set, set->model->first_vertex[strand], strand, model_vertex_count(set->model, strand), 0};
    const uint32_t rows = arrays[array].per_strand ? 1 : set->entries[bundle].vertex_count;
    for (at.vertex = 0; at.vertex < rows; at.vertex++) {
        double values[COMPONENTS_MOST];
        pack_values(&at, array, values);
        for (uint32_t c = 0; c < arrays[array].components; c++)
            bundles_put(set, memory, value_index(set, array, place, at.vertex, c), values[c]);
    }
}

void bundles_pack(const bundle_set *set, bundle_array array, void *memory)
{
    for (uint64_t place = 0; place < (uint64_t)set->count * set->options.width; place++)
        pack_lane(set, array, place, memory);
}

double bundles_get(const bundle_set *set, bundle_array array, const void *memory, uint32_t strand, uint32_t vertex,
                   uint32_t component)
{
    const size_t index = value_index(set, array, set->place_of[strand], vertex, component);
    return set->options.is_double ? ((const double *)memory)[index] : (double)((const float *)memory)[index];
}

void bundles_set(const bundle_set *set, bundle_array array, void *memory, uint32_t strand, uint32_t vertex,
                 uint32_t component, double value)
{
    bundles_put(set, memory, value_index(set, array, set->place_of[strand], vertex, component), value);
}

// ---- motion of groups

size_t bundles_motion_bytes(const bundle_set *set)
{
    return (size_t)(set->model->motion_count + 1) * MOTION_SIZE *
           (set->options.is_double ? sizeof(double) : sizeof(float));
}

static void group_motion(const sheaf_motion_def *motion, double t0, double t1, double out[MOTION_SIZE])
{
    for (int column = 0; column < 3; column++) {
        double axis[3] = {0, 0, 0}, before[3], after[3];
        axis[column] = 1;
        vec_copy(before, axis);
        vec_copy(after, axis);
        if (motion != NULL) {
            model_motion_turn(motion, t0, axis, before);
            model_motion_turn(motion, t1, axis, after);
            out[MOTION_SHIFT + column] =
                scene_course(&motion->move[column], t1) - scene_course(&motion->move[column], t0);
        }
        for (int row = 0; row < 3; row++) {
            out[MOTION_TURN + 3 * row + column] = after[row];
            out[MOTION_CHANGE + 3 * row + column] = after[row] - before[row];
        }
    }
}

void bundles_motion(const bundle_set *set, double t0, double t1, void *memory)
{
    for (uint32_t group = 0; group <= set->model->motion_count; group++) {
        double values[MOTION_SIZE] = {0};
        group_motion(group > 0 ? &set->model->motions[group - 1] : NULL, t0, t1, values);
        for (uint32_t c = 0; c < MOTION_SIZE; c++)
            bundles_put(set, memory, (size_t)group * MOTION_SIZE + c, values[c]);
    }
}
