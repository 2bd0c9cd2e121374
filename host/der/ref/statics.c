// statics: equilibria by Newton's method on the manifold of rest lengths. Every step is admissible to first order and
// brought back onto the lengths, so that energy and loads alone decide whether it is taken. Where the Hessian has
// negative eigenvalues their absolute value is used, which leads away from unstable equilibria.
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "der/ref/linear.h"

// An edge or a frame turns by at most this much in one Newton step, rad.
static const double LARGEST_TURN = 0.5;

// Stiffness that motions without any are given, as a share of the stiffest: below that of any motion that costs energy
// and above the rounding of one that costs none, such as a common turn of all frames of a round rod.
static const double LEAST_STIFFNESS = 1e-12;

enum { MOST_HALVINGS = 30, MOST_CORRECTIONS = 40 };

ref_statics_options ref_statics_default(void)
{
    return (ref_statics_options){.iterations = 200, .tolerance = 1e-9};
}

static void stop(ref_rod *rod)
{
    memset(rod->v, 0, rod->vertex_count * sizeof rod->v[0]);
    memset(rod->displacement, 0, rod->vertex_count * sizeof rod->displacement[0]);
    memset(rod->last_velocity, 0, rod->vertex_count * sizeof rod->last_velocity[0]);
    rod->record->has_history = false;
}

// Length errors that are nothing but rounding of positions, as shares of the edge.
static double length_noise(const ref_rod *rod)
{
    double extent = 0, shortest = INFINITY;
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        extent = fmax(extent, vec_length(rod->x[i]));
    for (uint32_t j = 0; j < rod->edge_count; j++)
        shortest = fmin(shortest, rod->rest_length[j]);
    return 4 * DBL_EPSILON * (1 + extent / shortest);
}

static sheaf_status project(ref_rod *rod, double time)
{
    const ref_project_options options = {.iterations = 100, .tolerance = 2 * length_noise(rod)};
    ref_project_result result;
    SHEAF_TRY(ref_project(rod, time, &options, &result));
    if (!(result.violation < 1e-6))
        return base_fail(SHEAF_ERR_FAILED,
                         "no pose has the rest lengths: an edge stays off by %.3g of its length; bring the held ends "
                         "closer together or move them in smaller steps",
                         result.violation / 2);
    return SHEAF_OK;
}

// Ends at their places, lengths right, frames and twist settled.
static sheaf_status prepare(ref_rod *rod, double time)
{
    ref_ends(rod, time);
    stop(rod);
    SHEAF_TRY(project(rod, time));
    SHEAF_TRY(ref_start(rod, time));
    stop(rod);
    return SHEAF_OK;
}

static double largest_residual(const ref_linear *linear, const ref_statics_options *options)
{
    double bend = 0;
    for (uint32_t j = 0; j < linear->rod->edge_count; j++)
        bend = fmax(bend, fmax(linear->rod->bend[j][0], linear->rod->bend[j][1]));
    return fmax(options->tolerance * bend / (linear->length * linear->length), linear->noise);
}

// One Newton step at a time: the system at the base pose, and what the step needs besides.
typedef struct newton_step {
    ref_linear linear;
    bool is_symmetric; // the loads have a potential
    bool descends;     // the step lowers it, or does work against loads that have none
    double stiffest;   // largest diagonal entry of the Hessian
    double *matrix;    // [admissible][admissible] Hessian of the admissible unknowns, made positive when symmetric
    double *factor;    // [admissible][admissible] its factors, Cholesky's when symmetric, else LU
    int32_t *pivot;    // [admissible], LU
    double *step;      // [unknown] change of q
    double *slope;     // [unknown] gradient of the Lagrangian at the base pose
} newton_step;

static size_t admissible_count(const ref_linear *linear)
{
    return linear->unknown_count - linear->rank;
}

// Copies the Hessian of the admissible unknowns, or its symmetric part, to newton->matrix.
static void copy_hessian(newton_step *newton, bool symmetrise)
{
    const ref_linear *linear = &newton->linear;
    const size_t count = linear->unknown_count, size = admissible_count(linear);
    const double *hessian = &linear->hessian[linear->rank * (count + 1)];
    newton->stiffest = 0;
    for (size_t a = 0; a < size; a++) {
        for (size_t b = 0; b < size; b++) {
            const double value = hessian[a * count + b];
            newton->matrix[a * size + b] = symmetrise ? (value + hessian[b * count + a]) / 2 : value;
        }
        newton->stiffest = fmax(newton->stiffest, fabs(hessian[a * (count + 1)]));
    }
}

// Cholesky's factors of the matrix with `shift` on its diagonal; false when it is not positive.
static bool factorise_positive(newton_step *newton, double shift)
{
    const size_t size = admissible_count(&newton->linear);
    memcpy(newton->factor, newton->matrix, size * size * sizeof(double));
    for (size_t a = 0; a < size; a++)
        newton->factor[a * (size + 1)] += shift;
    return LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (lapack_int)size, newton->factor, (lapack_int)size) == 0;
}

// Raises every eigenvalue of the matrix below `floor` to its absolute value, at least `floor`: directions that lower
// the energy still do, with a step of natural size, and the others are not touched. newton->factor is scratch; `memory`
// has room for a matrix and a vector.
static bool raise_eigenvalues(newton_step *newton, double floor, double *memory, int32_t *support)
{
    const size_t size = admissible_count(&newton->linear);
    double *values = memory, *vectors = memory + size;
    lapack_int found;
    memcpy(newton->factor, newton->matrix, size * size * sizeof(double));
    if (LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'V', 'V', 'L', (lapack_int)size, newton->factor, (lapack_int)size, -DBL_MAX,
                       floor, 0, 0, 0, &found, values, vectors, (lapack_int)size, support) != 0)
        return false;
    for (lapack_int k = 0; k < found; k++) {
        const double *vector = &vectors[(size_t)k * size], more = fmax(fabs(values[k]), floor) - values[k];
        for (size_t a = 0; a < size; a++) {
            for (size_t b = 0; b < size; b++)
                newton->matrix[a * size + b] += more * vector[a] * vector[b];
        }
    }
    return true;
}

static sheaf_status make_positive(newton_step *newton)
{
    const size_t size = admissible_count(&newton->linear);
    double *memory = base_alloc(size * (size + 1), sizeof(double));
    int32_t *support = base_alloc(2 * size, sizeof(int32_t));
    sheaf_status status = memory && support ? SHEAF_OK : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK && (!raise_eigenvalues(newton, LEAST_STIFFNESS * newton->stiffest, memory, support) ||
                               !factorise_positive(newton, 0)))
        status = base_fail(SHEAF_ERR_FAILED, "no Newton step from a pose with a residual force of %.3g N",
                           newton->linear.residual);
    base_free(support);
    base_free(memory);
    return status;
}

static sheaf_status factorise(newton_step *newton)
{
    const size_t size = admissible_count(&newton->linear);
    newton->is_symmetric = newton->linear.asymmetry < 1e-6;
    copy_hessian(newton, true);
    newton->descends = factorise_positive(newton, 0);
    if (newton->is_symmetric) {
        const bool is_positive = newton->descends;
        newton->descends = true;
        return is_positive ? SHEAF_OK : make_positive(newton);
    }
    copy_hessian(newton, false);
    memcpy(newton->factor, newton->matrix, size * size * sizeof(double));
    for (size_t a = 0; a < size; a++)
        newton->factor[a * (size + 1)] += LEAST_STIFFNESS * newton->stiffest;
    if (LAPACKE_dgetrf(LAPACK_COL_MAJOR, (lapack_int)size, (lapack_int)size, newton->factor, (lapack_int)size,
                       newton->pivot) != 0)
        return base_fail(SHEAF_ERR_FAILED, "no Newton step from a pose with a residual force of %.3g N",
                         newton->linear.residual);
    return SHEAF_OK;
}

static bool solve(const newton_step *newton, double *right_side)
{
    const lapack_int size = (lapack_int)admissible_count(&newton->linear);
    if (newton->is_symmetric)
        return LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', size, 1, newton->factor, size, right_side, size) == 0;
    return LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', size, 1, newton->factor, size, newton->pivot, right_side, size) == 0;
}

// Largest angle by which the step turns an edge or a frame, to first order, rad.
static double turn_of_step(newton_step *newton)
{
    ref_linear *linear = &newton->linear;
    const ref_rod *rod = linear->rod;
    double turn = 0;
    linear_place(linear, newton->step);
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        const uint32_t k = rod_next_vertex(rod, j);
        double before[3], after[3];
        vec_sub(before, linear->x[k], linear->x[j]);
        vec_sub(after, rod->x[k], rod->x[j]);
        vec_sub(after, after, before);
        turn = fmax(turn, vec_length(after) / rod->rest_length[j]);
    }
    for (uint32_t a = linear->position_count; a < linear->unknown_count; a++)
        turn = fmax(turn, fabs(newton->step[a]));
    return turn;
}

// Newton's step. One that turns something far out of the range of a linear model is replaced by that of a stiffer
// system (Levenberg), unless the loads have no potential.
static sheaf_status solve_step(newton_step *newton)
{
    const ref_linear *linear = &newton->linear;
    double *components = linear->trial;
    SHEAF_TRY(factorise(newton));
    double shift = 1e-10 * newton->stiffest;
    for (;;) {
        for (size_t a = 0; a < linear->unknown_count; a++)
            components[a] = a < linear->rank ? 0 : -linear->reduced[a];
        if (!solve(newton, &components[linear->rank]))
            return base_fail(SHEAF_ERR_FAILED, "the Newton step could not be solved for");
        SHEAF_TRY(linear_expand(linear, components, newton->step));
        if (!newton->is_symmetric || turn_of_step(newton) < 5 * LARGEST_TURN || shift > newton->stiffest)
            return SHEAF_OK;
        if (!factorise_positive(newton, shift))
            return base_fail(SHEAF_ERR_FAILED, "the Newton step could not be solved for");
        shift *= 10;
    }
}

// Adds to linear->step what brings the lengths back with the least elastic energy: a change across the admissible
// motions and the motion that relaxes it. Uses the matrices of the base pose throughout. False: no such pose near by.
static bool restore_lengths(newton_step *newton, double goal)
{
    ref_linear *linear = &newton->linear;
    const size_t count = linear->unknown_count, rank = linear->rank;
    double *components = linear->trial, *change = linear->difference;
    for (int k = 0; k < MOST_CORRECTIONS; k++) {
        linear_place(linear, linear->step);
        const double error = linear_correct_lengths(linear, components);
        if (error <= goal)
            return true;
        for (size_t a = rank; a < count; a++) {
            components[a] = 0;
            for (size_t b = 0; b < rank; b++)
                components[a] -= linear->hessian[b * count + a] * components[b];
        }
        if (!(error < 10) || !solve(newton, &components[rank]) || linear_expand(linear, components, change) != SHEAF_OK)
            return false;
        for (size_t a = 0; a < count; a++)
            linear->step[a] += change[a];
    }
    return false;
}

// Moves the rod by a share of the step and back onto its lengths. Gives the work done against elasticity and loads, by
// the trapezoidal rule on the gradient of the Lagrangian (to which errors of the lengths do no work), and how much of
// it may be rounding. False: no such pose.
static bool try_share(newton_step *newton, double share, double *work, double *doubt)
{
    ref_linear *linear = &newton->linear;
    for (uint32_t a = 0; a < linear->unknown_count; a++)
        linear->step[a] = share * newton->step[a];
    if (!restore_lengths(newton, length_noise(linear->rod)))
        return false;
    linear_follow(linear, linear->step, linear->trial);
    linear_add_tensions(linear, linear->trial);
    *work = *doubt = 0;
    for (uint32_t a = 0; a < linear->unknown_count; a++) {
        const double moved = linear->step[a], lever = a < linear->position_count ? 1 : linear->mean_edge;
        *work += (newton->slope[a] + linear->trial[a]) / 2 * moved;
        *doubt += linear->noise * lever * fabs(moved);
    }
    return true;
}

// Backtracks until the work is a fair part (Armijo) of what the slope promised, where it promised any; leaves the rod
// at the new pose.
static sheaf_status take_step(newton_step *newton)
{
    ref_linear *linear = &newton->linear;
    double promised = 0, work, doubt, share = fmin(1, LARGEST_TURN / turn_of_step(newton));
    linear_place(linear, NULL);
    memcpy(newton->slope, linear->gradient, linear->unknown_count * sizeof(double));
    linear_add_tensions(linear, newton->slope);
    for (uint32_t a = 0; a < linear->unknown_count; a++)
        promised += newton->slope[a] * newton->step[a];
    for (int halvings = 0; halvings < MOST_HALVINGS; halvings++) {
        if (try_share(newton, share, &work, &doubt) && (!newton->descends || work <= 1e-4 * share * promised + doubt))
            return SHEAF_OK;
        share /= 2;
    }
    memset(linear->step, 0, linear->unknown_count * sizeof(double));
    linear_place(linear, linear->step);
    linear_follow(linear, linear->step, linear->trial);
    return base_fail(SHEAF_ERR_FAILED, "no descent from a pose with a residual force of %.3g N", linear->residual);
}

// Free frames are brought to equilibrium after every step: energy is then a function of positions, and where the
// Hessian is not symmetric, loads are to blame.
static sheaf_status iterate(newton_step *newton, const ref_statics_options *options, ref_statics_result *result)
{
    ref_linear *linear = &newton->linear;
    const ref_twist_options twist = ref_twist_converged();
    for (;; result->iterations++) {
        SHEAF_TRY(linear_base(linear));
        result->residual = linear->residual;
        if (linear->residual <= largest_residual(linear, options))
            return SHEAF_OK;
        if (result->iterations >= options->iterations || !isfinite(linear->residual))
            return base_fail(SHEAF_ERR_FAILED,
                             "no equilibrium after %u Newton steps: a residual force of %.3g N is left; load in "
                             "smaller steps, or allow more iterations",
                             result->iterations, linear->residual);
        SHEAF_TRY(linear_hessian(linear, false));
        SHEAF_TRY(solve_step(newton));
        SHEAF_TRY(take_step(newton));
        SHEAF_TRY(ref_twist(linear->rod, &twist));
    }
}

sheaf_status ref_equilibrium(ref_rod *rod, double time, const ref_statics_options *options, ref_statics_result *result)
{
    newton_step newton;
    *result = (ref_statics_result){.residual = INFINITY};
    SHEAF_TRY(prepare(rod, time));
    SHEAF_TRY(linear_open(rod, time, &newton.linear));
    const size_t count = newton.linear.unknown_count;
    double *memory = base_alloc(count * (2 * count + 2), sizeof(double));
    newton.pivot = base_alloc(count, sizeof(int32_t));
    sheaf_status status = memory && newton.pivot ? SHEAF_OK : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK) {
        newton.step = memory;
        newton.slope = memory + count;
        newton.matrix = memory + 2 * count;
        newton.factor = newton.matrix + count * count;
        status = iterate(&newton, options, result);
    }
    base_free(newton.pivot);
    base_free(memory);
    linear_close(&newton.linear);
    return status;
}
