// pack: fills the arrays of a bundle set from the model, for one time step and precision.
#include "cl/bundles.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

#include "kernels/der/slots.clh"
#include "kernels/world/slots.clh"

enum { COMPONENTS_MOST = RECORD_SIZE }; // of any array
_Static_assert(COMPONENTS_MOST >= CLAMP_SIZE && COMPONENTS_MOST >= BEND_SIZE && COMPONENTS_MOST >= PLACE_SIZE,
               "values of one row need room");

static const struct {
    uint32_t components;
    bool per_strand;
    bool is_state;
} arrays[DER_FIELD_COUNT] = {
#define ROWS_SLOT false
#define ROWS_BUNDLE true
#define ROLE_STATE true
#define ROLE_CONSTANT false
#define DESCRIBE(name, rows, components, role, geometry, start, unit, meaning)                                         \
    [DER_##name] = {components, ROWS_##rows, ROLE_##role},
    DER_FIELDS(DESCRIBE)};

uint32_t bundles_components(der_field array)
{
    return arrays[array].components;
}

bool bundles_array_is_per_strand(der_field array)
{
    return arrays[array].per_strand;
}

bool bundles_array_is_state(der_field array)
{
    return arrays[array].is_state;
}

size_t bundles_offset(const bundle_set *set, der_field array, uint32_t bundle)
{
    const uint64_t slots = bundle < set->count ? set->entries[bundle].first_slot : set->slot_count;
    const uint64_t rows = arrays[array].per_strand ? bundle : slots;
    return (size_t)rows * arrays[array].components * set->options.width *
           (set->options.is_double ? sizeof(double) : sizeof(float));
}

size_t bundles_bytes(const bundle_set *set, der_field array)
{
    return bundles_offset(set, array, set->count);
}

// ---- one strand's values at one vertex; `real` vertices have an edge of their own, padding does not

// A strand of a model with arrays: its first vertex in them, its vertex count, the vertex looked at.
typedef struct spot {
    const bundle_options *options;
    const sheaf_model *model;
    uint64_t first;
    uint32_t strand, vertex_count, vertex;
    double mean_mass; // kg, of a vertex
    bool clamped;     // at the root, with a free tip
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
    const sheaf_model *model = at->model;
    const uint64_t j = edge_index(at);
    vec_sub(out, model->position[j + 1], model->position[j]);
}

static void pack_director(const spot *at, double *out)
{
    vec_copy(out, at->model->director[edge_index(at)]);
}

// Total twist: the angle between the directors of two edges over the vertex, nearest to the natural one.
static void pack_twist(const spot *at, double *out)
{
    const sheaf_model *model = at->model;
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

// Stretch is kept soft, 100 times the stiffest other term of the edge: the true value would leave no digits in fp32,
// and projection makes the length exact anyway.
static double stretch_weight(const spot *at, double inertia_scale)
{
    const sheaf_model *model = at->model;
    const uint64_t j = at->first + at->vertex;
    const double length = model->rest_length[j], mass = 0.5 * (model->mass[j] + model->mass[j + 1]);
    const double bend = fmax(model->bend[j][0], model->bend[j][1]);
    return 100 * (inertia_scale * mass + bend / (length * length * length));
}

// Mass that moves with a vertex: that of both where a held tangent joins an end vertex to its neighbour.
static double moving_mass(const spot *at, uint32_t vertex)
{
    const double *mass = at->model->mass + at->first;
    const model_strand *strand = &at->model->strands[at->strand];
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
    const double inertia_scale = (options->is_bdf2 ? 2.25 : 1) / (options->step * options->step);
    const uint32_t vertex = real ? at->vertex : at->vertex_count - 1;
    const double mass = clamped ? model->mass[at->first + vertex] : moving_mass(at, vertex);
    const bool moves = real && (!clamped || vertex >= 2);
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
            const double stiffness = sqrt(model->bend[i - 1 + (uint64_t)side][axis] / voronoi);
            out[BEND_STIFFNESS + 2 * side + axis] = stiffness;
            out[BEND_NATURAL + 2 * side + axis] = stiffness * model->natural_curvature[i][side][axis];
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
}

// A naturally straight, isotropic strand none of whose frames is held may turn as a whole: frame 0 is kept.
static bool frame_is_held(const spot *at)
{
    const model_strand *strand = &at->model->strands[at->strand];
    const bool root = strand->root->hold_angle, tip = strand->tip->hold_angle;
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
    const sheaf_model *model = at->model;
    const bundle_options *options = at->options;
    const model_strand *strand = &model->strands[at->strand];
    if (!strand->root->hold_position || !strand->tip->hold_position)
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
    const double wanted = length * length * length * rate * at->mean_mass / stiffness;
    const double yield = fmin(fmax(wanted, least * diagonal), most * diagonal);
    return yield * pow(model->rest_length[at->first + at->vertex] / length, 3);
}

static void pack_hold(const spot *at, double *out)
{
    if (!has_edge(at))
        return;
    out[HOLD_FRAME] = frame_is_held(at);
    out[HOLD_COURSE] = bundles_inner_course(&at->model->strands[at->strand], at->vertex);
    out[HOLD_YIELD] = length_yield(at);
}

// How each array is packed; NULL: it starts at 0.
typedef void pack_fn(const spot *at, double *out);
#define START_PACKED(name) pack_##name
#define START_ZERO(name) NULL
#define PACKER(name, rows, components, role, geometry, start, unit, meaning) [DER_##name] = START_##start(name),
static pack_fn *const packers[DER_FIELD_COUNT] = {DER_FIELDS(PACKER)};

void bundles_put(const bundle_set *set, void *memory, size_t index, double value)
{
    if (set->options.is_double)
        ((double *)memory)[index] = value;
    else
        ((float *)memory)[index] = (float)value;
}

static size_t value_index(const bundle_set *set, der_field array, uint64_t place, uint32_t vertex, uint32_t component)
{
    const uint32_t width = set->options.width;
    const uint64_t bundle = place / width;
    const uint64_t row = arrays[array].per_strand ? bundle : set->entries[bundle].first_slot + (uint64_t)vertex;
    return (size_t)((row * arrays[array].components + component) * width + place % width);
}

// The strand in a lane, as an index into the source's model; fillers repeat the first of their bundle.
static uint32_t source_strand(const bundle_set *set, const bundle_source *source, uint64_t place)
{
    const uint32_t width = set->options.width;
    const uint64_t real = set->strand_of[place] == BUNDLE_FILLER ? place - place % width : place;
    return source->part ? (uint32_t)(real - (uint64_t)source->first * width) : set->strand_of[real];
}

static spot find_spot(const bundle_set *set, const bundle_source *source, uint64_t place)
{
    const sheaf_model *model = source->model;
    const uint32_t strand = source_strand(set, source, place);
    return (spot){.options = &set->options,
                  .model = model,
                  .first = model->first_vertex[strand],
                  .strand = strand,
                  .vertex_count = model_vertex_count(model, strand),
                  .mean_mass = model->strands[strand].mass / model_vertex_count(model, strand),
                  .clamped = bundles_is_clamped(model, strand)};
}

static void pack_lane(const bundle_set *set, const bundle_source *source, der_field array, uint64_t place, void *memory)
{
    const uint32_t width = set->options.width;
    const uint64_t start = value_index(set, array, (uint64_t)source->first * width, 0, 0);
    const uint32_t rows = arrays[array].per_strand ? 1 : set->entries[place / width].vertex_count;
    spot at = find_spot(set, source, place);
    for (at.vertex = 0; at.vertex < rows; at.vertex++) {
        double values[COMPONENTS_MOST] = {0};
        packers[array](&at, values);
        for (uint32_t c = 0; c < arrays[array].components; c++)
            bundles_put(set, memory, value_index(set, array, place, at.vertex, c) - start, values[c]);
    }
}

// ---- arrays of the model for some bundles

sheaf_status bundles_open_source(const bundle_set *set, uint32_t first, uint32_t end, bundle_source *source)
{
    const uint32_t width = set->options.width, count = (end - first) * width;
    *source = (bundle_source){.model = set->model, .first = first, .end = end};
    if (model_has_arrays(set->model))
        return SHEAF_OK;
    uint32_t *strands = base_alloc(count, sizeof *strands);
    if (strands == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t strand = set->strand_of[(uint64_t)first * width + k];
        strands[k] = strand == BUNDLE_FILLER ? strands[k - k % width] : strand;
    }
    const sheaf_status status = model_part(set->model, strands, count, &source->part);
    base_free(strands);
    if (status == SHEAF_OK)
        source->model = source->part;
    return status;
}

void bundles_close_source(bundle_source *source)
{
    sheaf_model_free(source->part);
    *source = (bundle_source){0};
}

typedef struct pack_job {
    const bundle_set *set;
    const bundle_source *source;
    der_field array;
    void *memory;
} pack_job;

static sheaf_status pack_range(size_t first, size_t end, uint32_t worker, void *user)
{
    const pack_job *job = user;
    const uint64_t start = (uint64_t)job->source->first * job->set->options.width;
    (void)worker;
    for (size_t k = first; k < end; k++)
        pack_lane(job->set, job->source, job->array, start + k, job->memory);
    return SHEAF_OK;
}

sheaf_status bundles_pack(const bundle_set *set, const bundle_source *source, der_field array, void *memory)
{
    enum { PARALLEL_BYTES = 1 << 20 }; // less is not worth a second thread
    const size_t bytes = bundles_offset(set, array, source->end) - bundles_offset(set, array, source->first);
    pack_job job = {set, source, array, memory};
    memset(memory, 0, bytes);
    if (packers[array] == NULL)
        return SHEAF_OK;
    return base_parallel_for((size_t)(source->end - source->first) * set->options.width, bytes < PARALLEL_BYTES ? 1 : 0,
                             pack_range, &job);
}

// ---- ends

static bundle_pose note_end(const sheaf_model *model, uint64_t vertex, uint64_t edge)
{
    bundle_pose end = {.length = model->rest_length[edge]};
    vec_copy(end.place, model->position[vertex]);
    vec_sub(end.tangent, model->position[edge + 1], model->position[edge]);
    vec_unit(end.tangent, end.tangent);
    vec_copy(end.director, model->director[edge]);
    return end;
}

void bundles_note_ends(bundle_set *set, const bundle_source *source)
{
    const uint64_t width = set->options.width, general = set->kind_first[BUNDLE_GENERAL] * width;
    const uint64_t first = source->first * width > general ? source->first * width : general;
    for (uint64_t place = first; place < source->end * width; place++) {
        const spot at = find_spot(set, source, place);
        const uint64_t last = at.first + at.vertex_count - 1;
        set->ends[place - general][0] = note_end(at.model, at.first, at.first);
        set->ends[place - general][1] = note_end(at.model, last, last - 1);
    }
}

// ---- single values

size_t bundles_row_index(const bundle_set *set, der_field array, uint32_t first, uint64_t place, uint32_t vertex,
                         uint32_t component)
{
    const size_t start = value_index(set, array, (uint64_t)first * set->options.width, 0, 0);
    return value_index(set, array, place, vertex, component) - start;
}

double bundles_row_value(const bundle_set *set, der_field array, const void *rows, uint32_t first, uint64_t place,
                         uint32_t vertex, uint32_t component)
{
    const size_t index = bundles_row_index(set, array, first, place, vertex, component);
    return set->options.is_double ? ((const double *)rows)[index] : (double)((const float *)rows)[index];
}

double bundles_get(const bundle_set *set, der_field array, const void *memory, uint32_t strand, uint32_t vertex,
                   uint32_t component)
{
    return bundles_row_value(set, array, memory, 0, set->place_of[strand], vertex, component);
}

void bundles_set(const bundle_set *set, der_field array, void *memory, uint32_t strand, uint32_t vertex,
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

// A motion at both ends of a step. Jumps are left out: at the start it is where they take it.
typedef struct group_step {
    double start[3], end[3];          // m, displacement of its anchor
    double before[3][3], after[3][3]; // what becomes of the axes
    double spin[3];                   // rad/s, at the start
} group_step;

static void jump_at_start(const sheaf_motion_def *motion, const model_jump *jump, group_step *it)
{
    vec_add(it->start, it->start, motion->anchor);
    model_jump_point(jump, it->start, it->start);
    vec_sub(it->start, it->start, motion->anchor);
    model_jump_vector(jump, it->spin, it->spin);
    for (int c = 0; c < 3; c++)
        model_jump_vector(jump, it->before[c], it->before[c]);
}

static group_step find_step(const sheaf_motion_def *motion, double t0, double t1)
{
    group_step it = {0};
    model_jump jump;
    for (int c = 0; c < 3; c++)
        it.before[c][c] = it.after[c][c] = 1;
    if (motion == NULL)
        return it;
    model_motion_shift(motion, t0, it.start);
    model_motion_shift(motion, t1, it.end);
    model_motion_spin(motion, t0, it.spin);
    for (int c = 0; c < 3; c++) {
        model_motion_turn(motion, t0, it.before[c], it.before[c]);
        model_motion_turn(motion, t1, it.after[c], it.after[c]);
    }
    if (model_motion_jump(motion, t0, t1, &jump))
        jump_at_start(motion, &jump, &it);
    return it;
}

static void write_step(const group_step *it, double out[MOTION_SIZE])
{
    vec_sub(out + MOTION_SHIFT, it->end, it->start);
    vec_copy(out + MOTION_SPIN, it->spin);
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++) {
            out[MOTION_TURN + 3 * row + column] = it->after[column][row];
            out[MOTION_CHANGE + 3 * row + column] = it->after[column][row] - it->before[column][row];
        }
}

// Phases of the gusts at the anchor of a motion.
static void write_gusts(const sheaf_model *model, const sheaf_motion_def *motion, const double shift[3], double time,
                        double *out)
{
    double anchor[3] = {0, 0, 0};
    if (motion != NULL)
        vec_add(anchor, motion->anchor, shift);
    for (uint32_t k = 0; k < model->gust_count; k++)
        out[k] = model_gust_phase(model, &model->gusts[k], anchor, time);
}

void bundles_motion(const bundle_set *set, double t0, double t1, double load_time, void *memory)
{
    for (uint32_t group = 0; group <= set->model->motion_count; group++) {
        double values[MOTION_SIZE] = {0};
        const sheaf_motion_def *motion = group > 0 ? &set->model->motions[group - 1] : NULL;
        const group_step step = find_step(motion, t0, t1);
        write_step(&step, values);
        write_gusts(set->model, motion, load_time < t1 ? step.start : step.end, load_time, values + MOTION_GUST);
        for (uint32_t c = 0; c < MOTION_SIZE; c++)
            bundles_put(set, memory, (size_t)group * MOTION_SIZE + c, values[c]);
    }
}
