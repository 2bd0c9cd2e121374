// step: one step of one strand as the paper's Algorithm 1, and how long an explicit step may be.
#include "der/ref/ref.h"

#include <string.h>

#include "base/vec.h"

// ---- Algorithm 1. Strands do not touch each other, and lines 4 and 5, rigid bodies, have no place here.

static sheaf_status update_frames(ref_rod *rod, double time, ref_twist_options options)
{
    ref_frames(rod);                 // line 10
    ref_axial_couples(rod, time);    //
    return ref_twist(rod, &options); // line 11
}

sheaf_status ref_start(ref_rod *rod, double time)
{
    ref_ends(rod, time);
    return update_frames(rod, time, ref_twist_converged());
}

static void compute_forces(ref_rod *rod, double time)
{
    memset(rod->force, 0, rod->vertex_count * sizeof *rod->force);
    ref_curvature(rod);
    ref_twist_gradient(rod);
    ref_bend_twist_forces(rod);
    ref_wind(rod, time);
    ref_external_forces(rod, time);
    ref_internal_damping(rod, time);
}

// Lengths, and vertices out of colliders.
static sheaf_status enforce_constraints(ref_rod *rod, double time, double step)
{
    const sheaf_scene_def *scene = &rod->model->def;
    const ref_project_options options = {.projector = scene->projector,
                                         .relaxation = scene->relaxation,
                                         .start_gradients = scene->gradients != SHEAF_GRADIENTS_ITERATE,
                                         .iterations = scene->projection_iterations,
                                         .least = 1,
                                         .tolerance = scene->projection_tolerance,
                                         .rate = 1 / (step * step)};
    ref_project_result result;
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        rod->work[i] = rod->mass[i] / (step * step);
    SHEAF_TRY(ref_constrain(rod, time, step, rod->work, &options, &result));
    rod->record->projections = result.iterations;
    return SHEAF_OK;
}

// v = (x - x_start) / h, which is the paper's correction of v by what projection moved; held ends as they are driven.
static void correct_velocities(ref_rod *rod, double time, double step)
{
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        vec_sub(rod->displacement[i], rod->x[i], rod->start[i]);
        vec_scale(rod->v[i], rod->displacement[i], 1 / step);
    }
    ref_ends(rod, time);
}

static sheaf_status explicit_step(ref_rod *rod, double time, double step)
{
    const double end = time + step;
    ref_keep_start(rod);
    memcpy(rod->last_velocity, rod->v, rod->vertex_count * sizeof *rod->v);
    compute_forces(rod, time);                             // line 6
    SHEAF_TRY(ref_integrate(rod, time, step));             // line 7
    ref_ends(rod, end);                                    // boundary conditions
    SHEAF_TRY(enforce_constraints(rod, end, step));        // lines 8 and 9
    correct_velocities(rod, end, step);                    //
    return update_frames(rod, end, ref_twist_following()); // lines 10 and 11
}

sheaf_status ref_step(ref_rod *rod, double time, double step)
{
    if (rod->record->frozen)
        return SHEAF_OK;
    if (rod->model->def.integrator == SHEAF_INTEGRATOR_EXPLICIT)
        return explicit_step(rod, time, step);
    return ref_careful_step(rod, time, step);
}

// ---- explicit step limit

typedef struct stiffness_rows {
    double row[5][3][3], stiffness[5];
} stiffness_rows;

typedef struct vibration {
    ref_rod *rod;
    uint32_t count;
    ref_freedom *freedoms;
    double *mass;         // [freedom] kg
    double *shape;        // [freedom]
    double (*move)[3];    // [vertex]
    stiffness_rows *rows; // [interior vertex]
} vibration;

static void close_vibration(vibration *v)
{
    base_free(v->freedoms);
    base_free(v->mass);
    base_free(v->move);
    base_free(v->rows);
}

static sheaf_status open_vibration(ref_rod *rod, vibration *v)
{
    const size_t n = rod->vertex_count;
    *v = (vibration){.rod = rod,
                     .freedoms = base_alloc(3 * n, sizeof *v->freedoms),
                     .mass = base_alloc(6 * n, sizeof *v->mass),
                     .move = base_alloc(n, sizeof *v->move),
                     .rows = base_alloc(n, sizeof *v->rows)};
    if (!v->freedoms || !v->mass || !v->move || !v->rows)
        return SHEAF_ERR_MEMORY;
    v->shape = v->mass + 3 * n;
    v->count = ref_freedoms(rod, 0, v->freedoms);
    for (uint32_t k = 0; k < v->count; k++) {
        for (uint32_t i = v->freedoms[k].first; i <= v->freedoms[k].second; i++)
            v->mass[k] += rod->mass[i];
        double numbers[4];
        base_uniform4(0, 0, k, numbers);
        v->shape[k] = numbers[0] - 0.5;
    }
    ref_curvature(rod);
    for (uint32_t i = rod_interior_first(rod); i < rod_interior_end(rod); i++) {
        double residual[5];
        ref_elastic_rows(rod, i, v->rows[i].row, v->rows[i].stiffness, residual);
        ref_law_stiffest(rod, i, v->rows[i].stiffness);
    }
    return SHEAF_OK;
}

static void apply_stiffness(vibration *v)
{
    ref_rod *rod = v->rod;
    memset(v->move, 0, rod->vertex_count * sizeof *v->move);
    memset(rod->force, 0, rod->vertex_count * sizeof *rod->force);
    for (uint32_t k = 0; k < v->count; k++)
        for (uint32_t i = v->freedoms[k].first; i <= v->freedoms[k].second; i++)
            vec_axpy(v->move[i], v->shape[k], v->freedoms[k].direction);
    for (uint32_t i = rod_interior_first(rod); i < rod_interior_end(rod); i++) {
        const uint32_t vertex[3] = {rod_previous_vertex(rod, i), i, rod_next_vertex(rod, i)};
        for (int a = 0; a < 5; a++) {
            const double(*row)[3] = (const double(*)[3])v->rows[i].row[a];
            double strain = 0;
            for (int k = 0; k < 3; k++)
                strain += vec_dot(row[k], v->move[vertex[k]]);
            for (int k = 0; k < 3; k++)
                vec_axpy(rod->force[vertex[k]], v->rows[i].stiffness[a] * strain, row[k]);
        }
    }
}

// Replaces the shape, normalised to unit mass, by M^-1 K shape; returns its squared frequency shape^T K shape.
static double power_step(vibration *v)
{
    double norm = 0, squared_frequency = 0;
    for (uint32_t k = 0; k < v->count; k++)
        norm += v->mass[k] * v->shape[k] * v->shape[k];
    for (uint32_t k = 0; k < v->count && norm > 0; k++)
        v->shape[k] /= sqrt(norm);
    apply_stiffness(v);
    for (uint32_t k = 0; k < v->count; k++) {
        double force = 0;
        for (uint32_t i = v->freedoms[k].first; i <= v->freedoms[k].second; i++)
            force += vec_dot(v->freedoms[k].direction, v->rod->force[i]);
        squared_frequency += v->shape[k] * force;
        v->shape[k] = force / v->mass[k];
    }
    return squared_frequency;
}

// Drag slows every motion at its vertex' own rate; the fastest bounds them all.
static double fastest_drag(const ref_rod *rod)
{
    double fastest = 0;
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        fastest = fmax(fastest, ref_drag(rod, i) / rod->mass[i]);
    return fastest;
}

double ref_stable_step(const ref_rod *rod, double lambda)
{
    const double friction = rod->strand->damping * lambda + fastest_drag(rod);
    return 4 / (friction + sqrt(friction * friction + 4 * lambda));
}

sheaf_status ref_explicit_limit(ref_rod *rod, double *limit)
{
    enum { BLOCK = 20, BLOCKS = 100 };
    vibration v;
    const sheaf_status status = open_vibration(rod, &v);
    double highest = 0, before = -1;
    for (int block = 0; status == SHEAF_OK && block < BLOCKS && highest > before * (1 + 1e-4); block++) {
        before = highest;
        for (int k = 0; k < BLOCK; k++)
            highest = power_step(&v);
    }
    *limit = v.count > 0 ? ref_stable_step(rod, highest) : INFINITY;
    close_vibration(&v);
    return status;
}
