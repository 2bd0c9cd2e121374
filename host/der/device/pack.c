// pack: fills the fields of Discrete Elastic Rods from the model, for one time step and precision.
#include "der/device/device.h"

#include "base/vec.h"
#include "der/ledger.h"
#include "der/start.h"
#include "strand/unroll.h"
#include "world/world.h"

#include <math.h>

#include "kernels/der/slots.clh"

enum { COMPONENTS_MOST = RECORD_SIZE }; // of any field
_Static_assert(COMPONENTS_MOST >= CLAMP_SIZE && COMPONENTS_MOST >= BEND_SIZE && COMPONENTS_MOST >= PLACE_SIZE,
               "values of one row need room");

// ---- one strand's values at one vertex; `real` vertices have an edge of their own, padding does not

// A strand of a model with arrays: its first vertex in them, its vertex count, the vertex looked at.
typedef struct spot {
    const bundle_options *options;
    const sheaf_model *model;
    const der_start *start; // NULL: frames as the model has them
    uint64_t first;
    uint32_t strand, vertex_count, vertex;
    double mean_mass; // kg, of a vertex
    bool clamped;     // at the root, with a free tip
} spot;

static bool is_bdf2(const spot *at)
{
    return at->model->def.integrator == SHEAF_INTEGRATOR_BDF2;
}

static bool has_edge(const spot *at)
{
    return at->vertex + 1 < at->vertex_count;
}

static bool is_interior(const spot *at)
{
    return at->vertex > 0 && has_edge(at);
}

// Whether a vertex of a loop is one of two copies. Copies are brought together by the solve (loops.c), and projections,
// which know of one end at a time, leave them where they are.
static bool is_copy(const spot *at, uint32_t vertex)
{
    return at->model->strands[at->strand].is_loop &&
           (vertex < UNROLL_EXTRA || vertex + UNROLL_EXTRA >= at->vertex_count);
}

// Padding repeats the strand's last edge.
static uint64_t edge_index(const spot *at)
{
    return at->first + (has_edge(at) ? at->vertex : at->vertex_count - 2);
}

static void pack_edge(const spot *at, double *out)
{
    const sheaf_model *model = at->model;
    const uint64_t j = edge_index(at);
    vec_sub(out, model->position[j + 1], model->position[j]);
}

// Frames are in equilibrium from the start, as the reference has them.
static void pack_director(const spot *at, double *out)
{
    vec_copy(out, at->start != NULL ? at->start->director[edge_index(at)] : at->model->director[edge_index(at)]);
}

static void pack_twist(const spot *at, double *out)
{
    const uint64_t i = at->first + at->vertex;
    if (is_interior(at))
        out[0] = at->start != NULL ? at->start->twist[i] : der_given_twist(at->model, i);
    if (is_interior(at) && at->model->strands[at->strand].is_loop) // which may be more than half a turn
        out[0] = model_loop_twist(at->model, i, model_loop_moment(at->model, at->strand));
}

// The joint that a vertex is at; NULL: none.
static const model_joint *joint_at(const spot *at, uint32_t vertex)
{
    uint32_t count;
    const model_joint *joints = model_strand_joints(at->model, at->strand, &count);
    for (uint32_t k = 0; k < count; k++)
        if (vertex >= joints[k].vertex && vertex < joints[k].vertex + joints[k].vertex_count)
            return &joints[k];
    return NULL;
}

// Bodies that a strand carries: an edge is to be stiff against their share, over all edges one after the other. A
// softer one would carry little of their weight in an iteration, and tensions would take many to be found.
static double burden_of(const spot *at)
{
    uint32_t count;
    double burden = 0;
    const model_joint *joints = model_strand_joints(at->model, at->strand, &count);
    for (uint32_t k = 0; k < count; k++) {
        const model_body *body = &at->model->bodies[joints[k].body];
        burden = fmax(burden, body->is_free ? body->mass * (at->vertex_count - 1) / 100 : 0);
    }
    return burden;
}

// Stretch is kept soft, 100 times the stiffest other term of the edge: the true value would leave no digits in fp32,
// and projection makes the length exact anyway.
static double stretch_weight(const spot *at, double inertia_scale)
{
    const sheaf_model *model = at->model;
    const uint64_t j = at->first + at->vertex;
    const double length = model->rest_length[j], mass = 0.5 * (model->mass[j] + model->mass[j + 1]);
    const double bend = fmax(model->bend[j][0], model->bend[j][1]);
    return 100 * (inertia_scale * (mass + burden_of(at)) + bend / (length * length * length));
}

// Mass that moves with a vertex: that of both where a held tangent joins an end vertex to its neighbour.
static double moving_mass(const spot *at, uint32_t vertex)
{
    const double *mass = at->model->mass + at->first;
    const model_strand *strand = &at->model->strands[at->strand];
    if (model_strand_is_joined(at->model, at->strand))
        return mass[vertex];
    if (vertex == 1 && strand->root->hold_tangent)
        return mass[0] + mass[1];
    if (vertex + 2 == at->vertex_count && strand->tip->hold_tangent)
        return mass[vertex] + mass[vertex + 1];
    return mass[vertex];
}

static void pack_span(const spot *at, double *out)
{
    const sheaf_model *model = at->model;
    const bundle_options *options = at->options;
    const bool clamped = at->clamped, real = at->vertex < at->vertex_count;
    const double inertia_scale = (is_bdf2(at) ? 2.25 : 1) / (options->step * options->step);
    const uint32_t vertex = real ? at->vertex : at->vertex_count - 1;
    const double mass = clamped ? model->mass[at->first + vertex] : moving_mass(at, vertex);
    const bool moves = real && (!clamped || vertex >= 2) && joint_at(at, vertex) == NULL && !is_copy(at, vertex);
    out[SPAN_LENGTH] = model->rest_length[edge_index(at)];
    out[SPAN_INERTIA] = inertia_scale * mass;
    out[SPAN_INVERSE_MASS] = moves ? at->mean_mass / mass : 0;
    out[SPAN_STRETCH] = has_edge(at) ? stretch_weight(at, inertia_scale) : 0;
}

static void pack_bend(const spot *at, double *out)
{
    const sheaf_model *model = at->model;
    if (!is_interior(at))
        return;
    const uint64_t i = at->first + at->vertex;
    const double voronoi = model->rest_length[i - 1] + model->rest_length[i];
    for (int side = 0; side < 2; side++)
        for (int axis = 0; axis < 2; axis++) {
            const double stiffness = sqrt(model_bend_at(model, i, i - 1 + (uint64_t)side)[axis] / voronoi);
            out[BEND_STIFFNESS + 2 * side + axis] = stiffness;
            out[BEND_NATURAL + 2 * side + axis] =
                (der_has_laws(model) ? 1 : stiffness) * model->natural_curvature[i][side][axis];
        }
}

static void pack_torsion(const spot *at, double *out)
{
    const sheaf_model *model = at->model;
    if (!is_interior(at))
        return;
    const uint64_t i = at->first + at->vertex;
    out[TORSION_STIFFNESS] = sqrt(2 * model->twist[i] / (model->rest_length[i - 1] + model->rest_length[i]));
    out[TORSION_NATURAL] = model->natural_twist[i];
}

static void pack_clamp(const spot *at, double *out)
{
    const sheaf_model *model = at->model;
    const int32_t motion = at->clamped ? model->strands[at->strand].root->motion : -1;
    const double origin[3] = {0, 0, 0};
    vec_sub(out + CLAMP_ARM, model->position[at->first], motion < 0 ? origin : model->motions[motion].anchor);
    vec_sub(out + CLAMP_EDGE, model->position[at->first + 1], model->position[at->first]);
    vec_copy(out + CLAMP_DIRECTOR, model->director[at->first]);
}

// Sum of what strains at an inner vertex are weighed with, J.
static double stiffness_at(const sheaf_model *model, uint64_t i)
{
    const double length = model->rest_length[i - 1] + model->rest_length[i];
    const double *before = model_bend_at(model, i, i - 1), *after = model_bend_at(model, i, i);
    return (before[0] + before[1] + after[0] + after[1] + 2 * model->twist[i]) / length;
}

// Drag per mass is the same at every vertex.
static void pack_loss(const spot *at, double *out)
{
    const sheaf_model *model = at->model;
    out[LOSS_DRAG] = model->strands[at->strand].drag / model->strands[at->strand].line_mass;
    for (uint32_t j = 0; j + 1 < at->vertex_count; j++)
        out[LOSS_REACH] += 1.1 * model->rest_length[at->first + j]; // edges may be a little longer for a while
    out[LOSS_SPARSE] = model_air_is_sparse(model, model->rest_length + at->first, at->vertex_count - 1);
    out[LOSS_SLIP] = model->strands[at->strand].slip;
    out[LOSS_DAMPING] = model->strands[at->strand].damping;
    out[LOSS_GUARD] = model->strands[at->strand].isotropic_straight ? 0 : 0.1;
    if (der_has_ledger(model, at->strand))
        out[LOSS_LEDGER] = der_is_carried(model, at->strand) ? 2 : 1;
    out[LOSS_WEIGHT] = model->strands[at->strand].mass * vec_length(model->def.gravity) * out[LOSS_REACH] / 1.1;
    for (uint32_t i = 1; i + 1 < at->vertex_count; i++)
        out[LOSS_STIFFNESS] += stiffness_at(model, at->first + i);
}

// A naturally straight, isotropic strand none of whose frames is held may turn as a whole: frame 0 is kept.
static bool frame_is_held(const spot *at)
{
    const model_strand *strand = &at->model->strands[at->strand];
    const bool root = strand->root->hold_angle, tip = strand->tip->hold_angle;
    uint32_t welds = 0;
    const model_joint *joints = model_strand_joints(at->model, at->strand, &welds);
    while (welds > 0 && joints[welds - 1].kind != SHEAF_JOINT_WELD)
        welds--;
    for (uint32_t k = 0; k < welds; k++)
        if (joints[k].kind == SHEAF_JOINT_WELD && joints[k].edge == at->vertex)
            return true;
    if (at->vertex == 0)
        return root || (strand->isotropic_straight && !tip && strand->hold_count == 0 && welds == 0);
    if (at->vertex + 2 == at->vertex_count && tip)
        return true;
    for (uint32_t k = 0; k < strand->hold_count; k++)
        if (strand->holds[k].edge == at->vertex)
            return true;
    return false;
}

// Places of a strand that are held: ends, and inner edges on bodies.
static uint32_t held_places(const spot *at)
{
    const model_strand *strand = &at->model->strands[at->strand];
    uint32_t count, places = strand->root->hold_position + strand->tip->hold_position;
    const model_joint *joints = model_strand_joints(at->model, at->strand, &count);
    for (uint32_t k = 0; k < count; k++)
        places += joints[k].vertex > 0 && joints[k].edge + 2 < at->vertex_count;
    return places;
}

// Compliance of edge lengths where both ends are held, or in a loop: that of the strand's own axial stiffness EA = 4 EI
// / r^2, by the third power of the edge's length, 4 l^3 c / (EA h^2), in the scale of the projector's matrix, which is
// that of 4 J M^-1 J^T times mean mass / 4. Kept between two shares of the mean diagonal 2 l^2: rounding must not
// decide, and a soft strand must still keep its length.
static double length_yield(const spot *at)
{
    const sheaf_model *model = at->model;
    const bundle_options *options = at->options;
    const bool is_loop = model->strands[at->strand].is_loop;
    if ((!is_loop && held_places(at) < 2) || (joint_at(at, at->vertex) != NULL && joint_at(at, at->vertex + 1) != NULL))
        return 0;
    if (is_copy(at, at->vertex) && is_copy(at, at->vertex + 1))
        return 0; // projections do not move it
    const double edges = at->vertex_count - 1, rate = (is_bdf2(at) ? 2.25 : 1) / (options->step * options->step);
    double length = 0, stiffness = 0;
    for (uint64_t j = at->first; j + 1 < at->first + at->vertex_count; j++) {
        const double radius = model->radius[j], bend = (model->bend[j][0] + model->bend[j][1]) / 2;
        length += model->rest_length[j] / edges;
        stiffness += (radius > 0 ? 4 * bend / (radius * radius) : INFINITY) / edges;
    }
    const double diagonal = 2 * length * length, least = options->is_double ? 1e-10 : 1e-6,
                 most = options->is_double ? 1e-7 : 1e-6;
    const double wanted = length * length * length * rate * at->mean_mass / stiffness;
    const double yield = fmin(fmax(wanted, least * diagonal), most * diagonal);
    return yield * pow(model->rest_length[at->first + at->vertex] / length, 3);
}

static void pack_hold(const spot *at, double *out)
{
    if (!has_edge(at))
        return;
    out[HOLD_FRAME] = frame_is_held(at);
    out[HOLD_COURSE] = der_inner_course(&at->model->strands[at->strand], at->vertex);
    out[HOLD_YIELD] = length_yield(at);
}

// How each field is packed; NULL: it starts at 0.
typedef void pack_fn(const spot *at, double *out);
#define START_PACKED(name) pack_##name
#define START_ZERO(name) NULL
#define PACKER(name, rows, components, role, geometry, start, unit, meaning) [DER_##name] = START_##start(name),
static pack_fn *const packers[DER_FIELD_COUNT] = {DER_FIELDS(PACKER)};

static spot find_spot(const bundle_set *set, const bundle_source *source, uint64_t place)
{
    const sheaf_model *model = source->model;
    const uint32_t strand = bundles_source_strand(set, source, place);
    return (spot){.options = &set->options,
                  .model = model,
                  .start = source->own,
                  .first = model->first_vertex[strand],
                  .strand = strand,
                  .vertex_count = model_vertex_count(model, strand),
                  .mean_mass = model->strands[strand].mass / model_vertex_count(model, strand),
                  .clamped = der_is_clamped(model, strand)};
}

sheaf_status der_prepare(bundle_source *source)
{
    der_start *start;
    const sheaf_status status = der_find_start(source->model, &start);
    source->own = start;
    return status;
}

void der_pack(const bundle_set *set, const bundle_source *source, uint32_t field, uint64_t place, void *memory)
{
    const method_field *it = &set->rules->fields[field];
    const uint32_t rows = it->rows == FIELD_ROWS_BUNDLE ? 1 : set->entries[place / set->options.width].vertex_count;
    spot at = find_spot(set, source, place);
    for (at.vertex = 0; at.vertex < rows; at.vertex++) {
        double values[COMPONENTS_MOST] = {0};
        packers[field](&at, values);
        for (uint32_t c = 0; c < it->components; c++)
            bundles_put(set, memory, bundles_row_index(set, field, source->first, place, at.vertex, c), values[c]);
    }
}

// ---- ends

static der_pose note_end(const sheaf_model *model, uint64_t vertex, uint64_t edge)
{
    der_pose end = {.length = model->rest_length[edge]};
    vec_copy(end.place, model->position[vertex]);
    vec_sub(end.tangent, model->position[edge + 1], model->position[edge]);
    vec_unit(end.tangent, end.tangent);
    vec_copy(end.director, model->director[edge]);
    return end;
}

void der_note_ends(bundle_set *set, const bundle_source *source)
{
    const uint64_t width = set->options.width, general = set->kind_first[DER_GENERAL] * width;
    const uint64_t first = source->first * width > general ? source->first * width : general;
    for (uint64_t place = first; place < source->end * width; place++) {
        const spot at = find_spot(set, source, place);
        const uint64_t last = at.first + at.vertex_count - 1;
        der_ends *ends = (der_ends *)set->own + (place - general);
        ends->root = note_end(at.model, at.first, at.first);
        ends->tip = note_end(at.model, last, last - 1);
    }
}
