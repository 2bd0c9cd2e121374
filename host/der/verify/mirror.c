// mirror: model and state of an engine as the reference sees them.
#include "der/verify/mirror.h"

#include "base/vec.h"

#include <string.h>

#include "kernels/der/slots.clh"
#include "kernels/world/slots.clh"
#include "world/world.h"

// ---- reading

double mirror_number(const mirror *it, der_field array, uint32_t strand, uint32_t vertex, uint32_t c)
{
    return bundles_get(engine_bundles(it->engine), array, it->arrays[array], strand, vertex, c);
}

void mirror_array_vector(const mirror *it, der_field array, uint32_t strand, uint32_t vertex, uint32_t c, double out[3])
{
    for (uint32_t k = 0; k < 3; k++)
        out[k] = mirror_number(it, array, strand, vertex, c + k);
}

double mirror_scratch(const mirror *it, const void *scratch, uint32_t strand, uint32_t vertex, uint32_t c)
{
    return der_scratch_get(it->engine, scratch, strand, vertex, c);
}

void mirror_vector(const mirror *it, const void *scratch, uint32_t strand, uint32_t vertex, uint32_t c, double out[3])
{
    for (uint32_t k = 0; k < 3; k++)
        out[k] = mirror_scratch(it, scratch, strand, vertex, c + k);
}

sheaf_status mirror_read(mirror *it)
{
    for (der_field array = 0; array < DER_FIELD_COUNT; array++)
        SHEAF_TRY(engine_read_array(it->engine, array, it->arrays[array]));
    return SHEAF_OK;
}

// ---- model

// c / h^2, which makes a mass an inertia.
static double inertia_rate(const mirror *it)
{
    const bundle_options *options = &engine_bundles(it->engine)->options;
    return (engine_model(it->engine)->def.integrator == SHEAF_INTEGRATOR_BDF2 ? 2.25 : 1) /
           (options->step * options->step);
}

static void mirror_lengths_and_masses(mirror *it, uint32_t strand)
{
    const uint64_t first = it->model.first_vertex[strand];
    const uint32_t n = model_vertex_count(&it->model, strand);
    const model_strand *s = &it->model.strands[strand];
    for (uint32_t i = 0; i < n; i++) {
        it->model.rest_length[first + i] = mirror_number(it, DER_span, strand, i, SPAN_LENGTH);
        it->model.mass[first + i] = mirror_number(it, DER_span, strand, i, SPAN_INERTIA) / inertia_rate(it);
    }
    if (der_is_clamped(&it->model, strand))
        return;
    if (s->root->hold_tangent) // the inner vertex of a held edge stands for both
        it->model.mass[first + 1] -= it->model.mass[first];
    if (s->tip->hold_tangent)
        it->model.mass[first + n - 2] -= it->model.mass[first + n - 1];
}

// B of edge j at the vertex where it is on the given side.
static double stiffness_at(const mirror *it, uint32_t strand, uint32_t vertex, uint32_t side, uint32_t axis)
{
    const double *length = it->model.rest_length + it->model.first_vertex[strand];
    const double root = mirror_number(it, DER_bend, strand, vertex, BEND_STIFFNESS + 2 * side + axis);
    return root * root * (length[vertex - 1] + length[vertex]);
}

static void mirror_stiffness(mirror *it, uint32_t strand)
{
    const uint64_t first = it->model.first_vertex[strand];
    const uint32_t n = model_vertex_count(&it->model, strand);
    for (uint32_t j = 0; j + 1 < n; j++)
        for (uint32_t axis = 0; axis < 2; axis++) {
            const double before = j > 0 ? stiffness_at(it, strand, j, 1, axis) : 0;
            const double after = j + 2 < n ? stiffness_at(it, strand, j + 1, 0, axis) : 0;
            it->model.bend[first + j][axis] = before > 0 && after > 0 ? (before + after) / 2 : before + after;
        }
    for (uint32_t i = 1; i + 1 < n; i++) {
        const double *length = it->model.rest_length + first + i;
        const double root = mirror_number(it, DER_torsion, strand, i, TORSION_STIFFNESS);
        it->model.twist[first + i] = root * root * (length[-1] + length[0]) / 2;
        it->model.natural_twist[first + i] = mirror_number(it, DER_torsion, strand, i, TORSION_NATURAL);
        for (uint32_t k = 0; k < 4; k++)
            it->model.natural_curvature[first + i][k / 2][k % 2] =
                mirror_number(it, DER_bend, strand, i, BEND_NATURAL + k) /
                mirror_number(it, DER_bend, strand, i, BEND_STIFFNESS + k);
    }
}

// Where the mirror puts a root: the arm of the motion that carries the strand, whose anchor becomes the origin.
static void mirror_root(const mirror *it, uint32_t strand, double root[3])
{
    const sheaf_model *original = engine_bundles(it->engine)->model;
    const model_strand *s = &original->strands[strand];
    const int32_t motion = s->root->motion >= 0 ? s->root->motion : s->tip->motion;
    vec_set(root, 0, 0, 0);
    if (motion >= 0 && der_is_clamped(original, strand))
        mirror_array_vector(it, DER_clamp, strand, 0, CLAMP_ARM, root);
    else if (motion >= 0)
        vec_sub(root, original->position[original->first_vertex[strand]], original->motions[motion].anchor);
}

// The initial pose only matters for what is held: the clamp's edge and director are as the device has them.
static void mirror_initial_pose(mirror *it, uint32_t strand)
{
    const sheaf_model *original = engine_bundles(it->engine)->model;
    const uint64_t first = original->first_vertex[strand], end = original->first_vertex[strand + 1];
    double root[3], edge[3];
    mirror_root(it, strand, root);
    for (uint64_t i = first; i < end; i++) {
        vec_sub(it->model.position[i], original->position[i], original->position[first]);
        vec_add(it->model.position[i], it->model.position[i], root);
        vec_copy(it->model.director[i], original->director[i]);
    }
    if (!der_is_clamped(original, strand))
        return;
    mirror_array_vector(it, DER_clamp, strand, 0, CLAMP_EDGE, edge);
    vec_add(it->model.position[first + 1], root, edge);
    mirror_array_vector(it, DER_clamp, strand, 0, CLAMP_DIRECTOR, it->model.director[first]);
}

static void mirror_strand(mirror *it, uint32_t strand)
{
    const uint64_t first = it->model.first_vertex[strand];
    mirror_lengths_and_masses(it, strand);
    mirror_stiffness(it, strand);
    mirror_initial_pose(it, strand);
    const double line_mass = it->model.mass[first] / (0.5 * it->model.rest_length[first]);
    it->model.strands[strand].drag = mirror_number(it, DER_loss, strand, 0, LOSS_DRAG) * line_mass;
    it->model.strands[strand].slip = mirror_number(it, DER_loss, strand, 0, LOSS_SLIP);
    it->model.strands[strand].damping = mirror_number(it, DER_loss, strand, 0, LOSS_DAMPING);
}

// The model's own arrays, in one list.
static sheaf_status allocate_model(mirror *it)
{
    const sheaf_model *original = engine_bundles(it->engine)->model;
    const size_t vertices = (size_t)original->vertex_count;
    sheaf_model *model = &it->model;
    *model = *original;
    model->strands = base_alloc(model->strand_count, sizeof *model->strands);
    model->motions = base_alloc(model->motion_count, sizeof *model->motions);
    model->position = base_alloc(vertices, sizeof *model->position);
    model->director = base_alloc(vertices, sizeof *model->director);
    model->rest_length = base_alloc(vertices, sizeof *model->rest_length);
    model->mass = base_alloc(vertices, sizeof *model->mass);
    model->bend = base_alloc(vertices, sizeof *model->bend);
    model->twist = base_alloc(vertices, sizeof *model->twist);
    model->natural_curvature = base_alloc(vertices, sizeof *model->natural_curvature);
    model->natural_twist = base_alloc(vertices, sizeof *model->natural_twist);
    if (!model->strands || !model->motions || !model->position || !model->director || !model->rest_length ||
        !model->mass || !model->bend || !model->twist || !model->natural_curvature || !model->natural_twist)
        return SHEAF_ERR_MEMORY;
    memcpy(model->strands, original->strands, model->strand_count * sizeof *model->strands);
    for (uint32_t k = 0; k < model->motion_count; k++) {
        model->motions[k] = original->motions[k];
        vec_set(model->motions[k].anchor, 0, 0, 0);
    }
    for (der_field array = 0; array < DER_FIELD_COUNT; array++) {
        it->arrays[array] = base_alloc(bundles_bytes(engine_bundles(it->engine), array), 1);
        if (it->arrays[array] == NULL)
            return SHEAF_ERR_MEMORY;
    }
    return SHEAF_OK;
}

static sheaf_status fill(mirror *it)
{
    SHEAF_TRY(allocate_model(it));
    SHEAF_TRY(mirror_read(it));
    for (uint32_t s = 0; s < it->model.strand_count; s++)
        mirror_strand(it, s);
    return state_create(&it->model, &it->state);
}

sheaf_status mirror_open(sheaf_engine *engine, mirror *it)
{
    *it = (mirror){.engine = engine};
    const sheaf_status status = fill(it);
    if (status != SHEAF_OK)
        mirror_close(it);
    return status;
}

void mirror_close(mirror *it)
{
    base_free(it->model.strands);
    base_free(it->model.motions);
    base_free(it->model.position);
    base_free(it->model.director);
    base_free(it->model.rest_length);
    base_free(it->model.mass);
    base_free(it->model.bend);
    base_free(it->model.twist);
    base_free(it->model.natural_curvature);
    base_free(it->model.natural_twist);
    for (der_field array = 0; array < DER_FIELD_COUNT; array++)
        base_free(it->arrays[array]);
    state_free(it->state);
    *it = (mirror){0};
}

// ---- state and poses

// Course of a held frame.
static double imposed_twist(const ref_rod *rod, uint32_t j, double time)
{
    const model_strand *strand = rod->strand;
    if (j == 0 && strand->root->hold_angle)
        return scene_course(&strand->root->twist, time);
    if (j + 1 == rod->edge_count && strand->tip->hold_angle)
        return scene_course(&strand->tip->twist, time);
    for (uint32_t k = 0; k < strand->hold_count; k++)
        if (strand->holds[k].edge == j)
            return scene_course(&strand->holds[k].twist, time);
    return 0;
}

// Frame of edge j: angle and director are given, the Bishop vector follows.
static void set_frame(ref_rod *rod, uint32_t j, const double director[3], double angle, double time)
{
    const double *t = rod->tangent[j];
    double normal[3];
    vec_copy(normal, director);
    vec_axpy(normal, -vec_dot(normal, t), t);
    vec_unit(normal, normal);
    rod->theta[j] = angle;
    rod->imposed[j] = rod->angle_is_held[j] ? imposed_twist(rod, j, time) : 0;
    rod->held_angle[j] = angle - rod->imposed[j];
    vec_rotate(rod->bishop[j], normal, t, -angle);
    vec_rotate(rod->held[j], normal, t, -rod->imposed[j]);
}

static void set_edge(ref_rod *rod, uint32_t j, const double edge[3])
{
    rod->length[j] = vec_length(edge);
    vec_scale(rod->tangent[j], edge, 1 / rod->length[j]);
    vec_add(rod->x[j + 1], rod->x[j], edge);
}

// Where the root is: by its motion where it is clamped, else as the device has it.
static void root_place(const mirror *it, uint32_t strand, double time, double out[3])
{
    const double *start = it->model.position[it->model.first_vertex[strand]];
    const int32_t motion = it->model.strands[strand].root->motion;
    double high[3], low[3];
    vec_copy(out, start);
    if (!der_is_clamped(&it->model, strand)) {
        mirror_array_vector(it, DER_place, strand, 0, PLACE_HIGH, high);
        mirror_array_vector(it, DER_place, strand, 0, PLACE_LOW, low);
        vec_add(out, out, high);
        vec_add(out, out, low);
    } else if (motion >= 0)
        model_motion_point(&it->model.motions[motion], time, start, out);
}

void mirror_positions(const mirror *it, uint32_t strand, double time, double (*positions)[3])
{
    root_place(it, strand, time, positions[0]);
    vec_sub(positions[0], positions[0], it->model.position[it->model.first_vertex[strand]]);
    for (uint32_t j = 0; j + 1 < model_vertex_count(&it->model, strand); j++) {
        double edge[3];
        mirror_array_vector(it, DER_edge, strand, j, 0, edge);
        vec_add(positions[j + 1], positions[j], edge);
    }
}

// Frames are held where the device holds them: it keeps one of a strand that could turn as a whole, which is carried
// along by parallel transport.
static void mark_held_frames(const mirror *it, uint32_t strand, ref_rod *rod)
{
    for (uint32_t j = 0; j < rod->edge_count; j++)
        if (!rod->angle_is_held[j] && mirror_number(it, DER_hold, strand, j, HOLD_FRAME) > 0) {
            rod->angle_is_held[j] = true;
            rod->tangent_is_held[j] = false;
        }
}

// What the mirror measures places from.
static void scene_origin(const mirror *it, uint32_t strand, double out[3])
{
    const uint64_t first = it->model.first_vertex[strand];
    vec_sub(out, engine_bundles(it->engine)->model->position[first], it->model.position[first]);
}

sheaf_status mirror_start(mirror *it, uint32_t strand, double time, ref_rod *rod)
{
    double angle = 0;
    SHEAF_TRY(rod_aim(it->state, strand, rod));
    mark_held_frames(it, strand, rod);
    scene_origin(it, strand, rod->origin);
    root_place(it, strand, time, rod->x[0]);
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        mirror_array_vector(it, DER_velocity, strand, i, 0, rod->v[i]);
        mirror_array_vector(it, DER_move, strand, i, 0, rod->displacement[i]);
        mirror_array_vector(it, DER_last_velocity, strand, i, 0, rod->last_velocity[i]);
        for (uint32_t a = 0; a < 5; a++)
            rod->last_strain[i][a] = mirror_number(it, DER_last_strain, strand, i, a);
        rod->touch[i] = mirror_number(it, DER_touch, strand, i, 0);
    }
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        double edge[3], director[3];
        mirror_array_vector(it, DER_edge, strand, j, 0, edge);
        mirror_array_vector(it, DER_director, strand, j, 0, director);
        set_edge(rod, j, edge);
        rod->tension[j] = mirror_number(it, DER_tension, strand, j, 0);
        angle += j > 0 ? mirror_number(it, DER_twist, strand, j, 0) : 0;
        set_frame(rod, j, director, angle, time);
    }
    *rod->record = (state_strand){.has_history = time > 0 && mirror_number(it, DER_record, strand, 0, RECORD_FRESH) ==
                                                                 0}; // not after quarters
    ref_frames(rod); // rounded twists and directors do not quite agree: directors count
    ref_keep_start(rod);
    return SHEAF_OK;
}

void mirror_pose(const mirror *it, const void *scratch, uint32_t strand, double time, ref_rod *rod)
{
    double angle = 0;
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        double edge[3], tangent[3], director[3];
        mirror_vector(it, scratch, strand, j, Z_EDGE, edge);
        mirror_vector(it, scratch, strand, j, Z_TANGENT, tangent);
        mirror_vector(it, scratch, strand, j, Z_DIRECTOR, director);
        vec_scale(tangent, tangent, vec_length(edge) / vec_length(tangent));
        set_edge(rod, j, tangent);
        angle += j > 0 ? mirror_scratch(it, scratch, strand, j, Z_TWIST) : 0;
        set_frame(rod, j, director, angle, time);
    }
}

void mirror_place(const mirror *it, const void *scratch, uint32_t strand, ref_rod *rod)
{
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        double edge[3];
        mirror_vector(it, scratch, strand, j, Z_EDGE, edge);
        vec_add(rod->x[j + 1], rod->x[j], edge);
    }
}

double mirror_mean_mass(const mirror *it, uint32_t strand)
{
    const uint32_t tip = model_vertex_count(&it->model, strand) - 1;
    return mirror_number(it, DER_span, strand, tip, SPAN_INVERSE_MASS) *
           mirror_number(it, DER_span, strand, tip, SPAN_INERTIA) / inertia_rate(it);
}

void mirror_compliance(const mirror *it, uint32_t strand, const ref_rod *rod, double *compliance)
{
    for (uint32_t j = 0; j < rod->edge_count; j++)
        compliance[j] = 4 * mirror_number(it, DER_hold, strand, j, HOLD_YIELD) / mirror_mean_mass(it, strand);
}

double mirror_length(const ref_rod *rod)
{
    double length = 0;
    for (uint32_t j = 0; j < rod->edge_count; j++)
        length += rod->rest_length[j];
    return length;
}

// ---- all strands

typedef struct walk {
    mirror *it;
    const bool *wanted;
    mirror_fn *fn;
    void *user;
} walk;

static sheaf_status walk_range(size_t first, size_t end, uint32_t worker, void *user)
{
    const walk *w = user;
    ref_rod rod;
    sheaf_status status = rod_open(w->it->state, (uint32_t)first, &rod);
    (void)worker;
    for (size_t s = first; s < end && status == SHEAF_OK; s++)
        if (w->wanted == NULL || w->wanted[s])
            status = w->fn(w->it, (uint32_t)s, &rod, w->user);
    rod_close(&rod);
    return status;
}

sheaf_status mirror_each(mirror *it, const bool *wanted, mirror_fn *fn, void *user)
{
    walk w = {it, wanted, fn, user};
    return base_parallel_for(it->model.strand_count, 0, walk_range, &w);
}
