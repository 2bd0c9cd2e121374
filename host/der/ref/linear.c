// linear: unknowns of a rod at rest, gradient of its energy and loads, tensions by least squares, and the Hessian of
// the Lagrangian by central differences of the gradient.
#include "der/ref/linear.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/vec.h"

enum {
    LINEAR_MAX_VERTICES = 1024, // dense matrices: memory grows with the square, time with the cube
    LINEAR_REACH = 2,           // vertices from one that moves to the last whose force changes
    LINEAR_STENCIL = 3,         // central differences over this many steps to each side: order 6
};

// Difference step, in edge lengths and rad: rounding, eps vertex_count / step, and truncation, about step^6, both stay
// near 1e-12 of the stiffest entry.
static const double DIFFERENCE_STEP = 4e-3;
static const double DIFFERENCE_WEIGHT[LINEAR_STENCIL] = {45.0 / 60, -9.0 / 60, 1.0 / 60};

// ---- unknowns

static bool freedom_moves(const ref_freedom *freedom, uint32_t vertex)
{
    return freedom->first <= vertex && vertex <= freedom->second;
}

// An edge's length binds when something moves one of its ends and not the other.
static bool length_binds(const ref_linear *linear, uint32_t edge)
{
    const uint32_t end = rod_next_vertex(linear->rod, edge);
    for (uint32_t a = 0; a < linear->position_count; a++) {
        if (freedom_moves(&linear->freedoms[a], edge) != freedom_moves(&linear->freedoms[a], end))
            return true;
    }
    return false;
}

// Twice the middle of the vertex numbers an unknown touches, and the number of vertices from its first to its last.
static uint32_t unknown_middle(const ref_linear *linear, uint32_t a, uint32_t *width)
{
    if (a >= linear->position_count) {
        *width = 1;
        return 2 * linear->angle_edge[a] + 1;
    }
    *width = linear->freedoms[a].second - linear->freedoms[a].first;
    return linear->freedoms[a].first + linear->freedoms[a].second;
}

// Whether two unknowns are at most `reach` vertices apart.
static bool unknowns_are_near(const ref_linear *linear, uint32_t a, uint32_t b, uint32_t reach)
{
    uint32_t width_a, width_b;
    const uint32_t one = unknown_middle(linear, a, &width_a), two = unknown_middle(linear, b, &width_b);
    uint32_t apart = one < two ? two - one : one - two;
    if (linear->rod->closed && 2 * linear->rod->vertex_count - apart < apart)
        apart = 2 * linear->rod->vertex_count - apart;
    return apart <= 2 * reach + width_a + width_b;
}

// Whether an unknown before `a` has this colour and acts on a force on which `a` acts too.
static bool colour_is_taken(const ref_linear *linear, uint32_t a, uint32_t colour)
{
    for (uint32_t b = 0; b < a; b++) {
        if (linear->colour[b] == colour && unknowns_are_near(linear, a, b, 2 * LINEAR_REACH + 1))
            return true;
    }
    return false;
}

static void colour_unknowns(ref_linear *linear)
{
    linear->colour_count = 0;
    for (uint32_t a = 0; a < linear->unknown_count; a++) {
        uint32_t colour = 0;
        while (colour_is_taken(linear, a, colour))
            colour++;
        linear->colour[a] = colour;
        if (colour + 1 > linear->colour_count)
            linear->colour_count = colour + 1;
    }
}

// Angles have no inertia; the mean vertex mass on a lever of the mean edge gives them a scale like that of positions.
static void scale_unknowns(ref_linear *linear)
{
    const ref_rod *rod = linear->rod;
    double mean_mass = 0;
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        mean_mass += rod->mass[i] / rod->vertex_count;
    for (uint32_t a = 0; a < linear->position_count; a++) {
        const ref_freedom *freedom = &linear->freedoms[a];
        double mass = 0;
        for (uint32_t i = freedom->first; i <= freedom->second; i++)
            mass += rod->mass[i];
        linear->unit[a] = 1 / sqrt(mass);
    }
    for (uint32_t a = linear->position_count; a < linear->unknown_count; a++)
        linear->unit[a] = 1 / (sqrt(mean_mass) * linear->mean_edge);
}

static void find_unknowns(ref_linear *linear)
{
    const ref_rod *rod = linear->rod;
    linear->position_count = ref_freedoms(rod, linear->time, linear->freedoms);
    linear->unknown_count = linear->position_count;
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        linear->length += rod->rest_length[j];
        if (!rod->angle_is_held[j])
            linear->angle_edge[linear->unknown_count++] = j;
        if (length_binds(linear, j))
            linear->length_edge[linear->length_count++] = j;
    }
    linear->mean_edge = linear->length / rod->edge_count;
    scale_unknowns(linear);
    colour_unknowns(linear);
}

// ---- memory

static double *cut_numbers(double **numbers, size_t count)
{
    double *piece = *numbers;
    *numbers += count;
    return piece;
}

static bool allocate(ref_linear *linear)
{
    const size_t vertices = linear->rod->vertex_count, unknowns = 4 * vertices;
    double *numbers =
        base_alloc(unknowns * unknowns + 3 * vertices * vertices + 6 * unknowns + 16 * vertices, sizeof(double));
    uint32_t *indices = base_alloc(2 * unknowns + 2 * vertices, sizeof(uint32_t));
    linear->numbers = numbers;
    linear->indices = indices;
    linear->freedoms = base_alloc(unknowns, sizeof(ref_freedom));
    if (!numbers || !indices || !linear->freedoms)
        return false;

    linear->hessian = cut_numbers(&numbers, unknowns * unknowns);
    linear->normal = cut_numbers(&numbers, 3 * vertices * vertices);
    double **const over_unknowns[] = {&linear->unit, &linear->gradient, &linear->reduced,
                                      &linear->step, &linear->trial,    &linear->difference};
    for (size_t k = 0; k < 6; k++)
        *over_unknowns[k] = cut_numbers(&numbers, unknowns);
    double **const over_vertices[] = {&linear->held_angle, &linear->theta, &linear->tension, &linear->reflector};
    for (size_t k = 0; k < 4; k++)
        *over_vertices[k] = cut_numbers(&numbers, vertices);
    double(**const vectors[])[3] = {&linear->x, &linear->tangent, &linear->bishop, &linear->held};
    for (size_t k = 0; k < 4; k++)
        *vectors[k] = (double(*)[3])cut_numbers(&numbers, 3 * vertices);

    linear->angle_edge = indices;
    linear->colour = indices + unknowns;
    linear->length_edge = indices + 2 * unknowns;
    linear->pivot = (int32_t *)(indices + 2 * unknowns + vertices);
    return true;
}

sheaf_status linear_open(ref_rod *rod, double time, ref_linear *linear)
{
    *linear = (ref_linear){.rod = rod, .time = time};
    if (rod->vertex_count > LINEAR_MAX_VERTICES)
        return base_fail(SHEAF_ERR_LIMIT,
                         "equilibria and modes use dense matrices and take strands of at most %d vertices; "
                         "this one has %u",
                         LINEAR_MAX_VERTICES, rod->vertex_count);
    if (!allocate(linear)) {
        linear_close(linear);
        return SHEAF_ERR_MEMORY;
    }
    find_unknowns(linear);
    return SHEAF_OK;
}

void linear_close(ref_linear *linear)
{
    base_free(linear->numbers);
    base_free(linear->indices);
    base_free(linear->freedoms);
    *linear = (ref_linear){0};
}

// ---- poses

static void keep_base(ref_linear *linear)
{
    const ref_rod *rod = linear->rod;
    memcpy(linear->x, rod->x, rod->vertex_count * sizeof rod->x[0]);
    memcpy(linear->tangent, rod->tangent, rod->edge_count * sizeof rod->tangent[0]);
    memcpy(linear->bishop, rod->bishop, rod->edge_count * sizeof rod->bishop[0]);
    memcpy(linear->held, rod->held, rod->edge_count * sizeof rod->held[0]);
    memcpy(linear->held_angle, rod->held_angle, rod->edge_count * sizeof rod->held_angle[0]);
    memcpy(linear->theta, rod->theta, rod->edge_count * sizeof rod->theta[0]);
    linear->closing_angle = *rod->closing_angle;
}

static void restore_base(const ref_linear *linear)
{
    ref_rod *rod = linear->rod;
    memcpy(rod->x, linear->x, rod->vertex_count * sizeof rod->x[0]);
    memcpy(rod->tangent, linear->tangent, rod->edge_count * sizeof rod->tangent[0]);
    memcpy(rod->bishop, linear->bishop, rod->edge_count * sizeof rod->bishop[0]);
    memcpy(rod->held, linear->held, rod->edge_count * sizeof rod->held[0]);
    memcpy(rod->held_angle, linear->held_angle, rod->edge_count * sizeof rod->held_angle[0]);
    memcpy(rod->theta, linear->theta, rod->edge_count * sizeof rod->theta[0]);
    *rod->closing_angle = linear->closing_angle;
}

void linear_place(ref_linear *linear, const double *step)
{
    restore_base(linear);
    for (uint32_t a = 0; step && a < linear->position_count; a++) {
        const ref_freedom *freedom = &linear->freedoms[a];
        for (uint32_t i = freedom->first; i <= freedom->second; i++)
            vec_axpy(linear->rod->x[i], step[a], freedom->direction);
    }
}

static void present_gradient(ref_linear *linear, double *gradient)
{
    ref_rod *rod = linear->rod;
    memset(rod->force, 0, rod->vertex_count * sizeof rod->force[0]);
    ref_curvature(rod);
    ref_twist_gradient(rod);
    ref_external_forces(rod, linear->time);
    ref_bend_twist_forces(rod);
    for (uint32_t a = 0; a < linear->position_count; a++) {
        const ref_freedom *freedom = &linear->freedoms[a];
        gradient[a] = 0;
        for (uint32_t i = freedom->first; i <= freedom->second; i++)
            gradient[a] -= vec_dot(rod->force[i], freedom->direction);
    }
    for (uint32_t a = linear->position_count; a < linear->unknown_count; a++) {
        const uint32_t j = linear->angle_edge[a];
        gradient[a] = rod->angle_gradient[j] - rod->axial_couple[j];
    }
}

void linear_follow(ref_linear *linear, const double *step, double *gradient)
{
    ref_frames(linear->rod);
    for (uint32_t a = linear->position_count; a < linear->unknown_count; a++)
        linear->rod->theta[linear->angle_edge[a]] += step[a];
    present_gradient(linear, gradient);
}

// ---- lengths

// dC/dq of one edge and one freedom.
static double length_gradient(const ref_linear *linear, uint32_t edge, uint32_t a)
{
    const ref_freedom *freedom = &linear->freedoms[a];
    const double along = vec_dot(linear->rod->tangent[edge], freedom->direction);
    return along * (freedom_moves(freedom, rod_next_vertex(linear->rod, edge)) - freedom_moves(freedom, edge));
}

void linear_add_tensions(const ref_linear *linear, double *gradient)
{
    for (uint32_t c = 0; c < linear->length_count; c++) {
        for (uint32_t a = 0; a < linear->position_count; a++)
            gradient[a] += linear->tension[c] * length_gradient(linear, linear->length_edge[c], a);
    }
}

// Q R P = gradients of C. A taut strand between two fixed points has one length too many: the rank tells.
static sheaf_status factor_lengths(ref_linear *linear)
{
    const uint32_t positions = linear->position_count, lengths = linear->length_count;
    for (uint32_t c = 0; c < lengths; c++) {
        for (uint32_t a = 0; a < positions; a++)
            linear->normal[(size_t)c * positions + a] =
                linear->unit[a] * length_gradient(linear, linear->length_edge[c], a);
        linear->pivot[c] = 0;
    }
    linear->rank = 0;
    if (positions == 0 || lengths == 0)
        return SHEAF_OK;
    const lapack_int info = LAPACKE_dgeqp3(LAPACK_COL_MAJOR, (lapack_int)positions, (lapack_int)lengths, linear->normal,
                                           (lapack_int)positions, linear->pivot, linear->reflector);
    if (info != 0)
        return base_fail(SHEAF_ERR_FAILED, "factorisation of the length constraints failed (dgeqp3: %d)", (int)info);
    const uint32_t most = lengths < positions ? lengths : positions;
    while (linear->rank < most &&
           fabs(linear->normal[(size_t)linear->rank * (positions + 1)]) > 1e-10 * fabs(linear->normal[0]))
        linear->rank++;
    return SHEAF_OK;
}

// Multiplies position rows (side 'L') or columns (side 'R') of a matrix with leading dimension unknown_count by Q or
// its transpose.
static sheaf_status apply_q(const ref_linear *linear, char side, char transpose, uint32_t other, double *matrix)
{
    const lapack_int positions = (lapack_int)linear->position_count;
    if (linear->rank == 0)
        return SHEAF_OK;
    const lapack_int rows = side == 'L' ? positions : (lapack_int)other,
                     columns = side == 'L' ? (lapack_int)other : positions;
    const lapack_int info =
        LAPACKE_dormqr(LAPACK_COL_MAJOR, side, transpose, rows, columns, (lapack_int)linear->rank, linear->normal,
                       positions, linear->reflector, matrix, (lapack_int)linear->unknown_count);
    if (info != 0)
        return base_fail(SHEAF_ERR_FAILED, "change to the basis of admissible motions failed (dormqr: %d)", (int)info);
    return SHEAF_OK;
}

// Tensions that balance the gradient as well as they can: R P tension = -(Q^T gradient), first `rank` entries.
static void solve_tensions(ref_linear *linear)
{
    const uint32_t positions = linear->position_count, rank = linear->rank;
    memset(linear->tension, 0, linear->length_count * sizeof(double));
    for (uint32_t row = rank; row-- > 0;) {
        double sum = -linear->reduced[row];
        for (uint32_t column = row + 1; column < rank; column++)
            sum -= linear->normal[(size_t)column * positions + row] * linear->tension[linear->pivot[column] - 1];
        linear->tension[linear->pivot[row] - 1] = sum / linear->normal[(size_t)row * (positions + 1)];
    }
}

// Lengths = P R^T (Q^T y), so R^T components = -P^T C.
double linear_correct_lengths(const ref_linear *linear, double *components)
{
    const ref_rod *rod = linear->rod;
    double worst = 0;
    for (uint32_t row = 0; row < linear->length_count; row++) {
        const uint32_t edge = linear->length_edge[row < linear->rank ? (uint32_t)linear->pivot[row] - 1 : row];
        const double rest = rod->rest_length[edge];
        double e[3];
        vec_sub(e, rod->x[rod_next_vertex(rod, edge)], rod->x[edge]);
        double sum = rest - vec_length(e);
        if (!(fabs(sum) <= worst * rest)) // a NaN counts as worst
            worst = fabs(sum) / rest;
        if (row >= linear->rank)
            continue;
        for (uint32_t column = 0; column < row; column++)
            sum -= linear->normal[(size_t)row * linear->position_count + column] * components[column];
        components[row] = sum / linear->normal[(size_t)row * (linear->position_count + 1)];
    }
    return worst;
}

// ---- equilibrium at the base pose

// Rounding of positions, seen through the stiffest vertex, and of the tensions that cancel there.
static double rounding_noise(const ref_linear *linear)
{
    const ref_rod *rod = linear->rod;
    double stiffness = 0, extent = 0, pull = 0;
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        const double l = rod->rest_length[j];
        stiffness = fmax(stiffness, fmax(rod->bend[j][0], rod->bend[j][1]) / (l * l * l));
    }
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        extent = fmax(extent, vec_length(rod->x[i]));
    for (uint32_t c = 0; c < linear->length_count; c++)
        pull = fmax(pull, fabs(linear->tension[c]) * extent / linear->mean_edge);
    return 4 * DBL_EPSILON * (stiffness * extent + pull);
}

static sheaf_status measure_residual(ref_linear *linear)
{
    double *left = linear->difference;
    memcpy(left, linear->reduced, linear->unknown_count * sizeof(double));
    memset(left, 0, linear->rank * sizeof(double));
    SHEAF_TRY(apply_q(linear, 'L', 'N', 1, left));
    linear->residual = 0;
    for (uint32_t a = 0; a < linear->unknown_count; a++) {
        const double lever = a < linear->position_count ? 1 : linear->mean_edge;
        linear->residual = fmax(linear->residual, fabs(left[a]) / (linear->unit[a] * lever));
    }
    return SHEAF_OK;
}

sheaf_status linear_base(ref_linear *linear)
{
    present_gradient(linear, linear->gradient);
    keep_base(linear);
    SHEAF_TRY(factor_lengths(linear));
    for (uint32_t a = 0; a < linear->unknown_count; a++)
        linear->reduced[a] = linear->unit[a] * linear->gradient[a];
    SHEAF_TRY(apply_q(linear, 'L', 'T', 1, linear->reduced));
    solve_tensions(linear);
    linear->noise = rounding_noise(linear);
    return measure_residual(linear);
}

sheaf_status linear_expand(const ref_linear *linear, const double *components, double *step)
{
    memcpy(step, components, linear->unknown_count * sizeof(double));
    SHEAF_TRY(apply_q(linear, 'L', 'N', 1, step));
    for (uint32_t a = 0; a < linear->unknown_count; a++)
        step[a] *= linear->unit[a];
    return SHEAF_OK;
}

// ---- Hessian

// How far unknown `a` moves per difference step.
static double difference_step(const ref_linear *linear, uint32_t a)
{
    const ref_rod *rod = linear->rod;
    if (a >= linear->position_count)
        return DIFFERENCE_STEP;
    const uint32_t first = linear->freedoms[a].first, last = linear->freedoms[a].second;
    double edge = INFINITY;
    if (rod->closed || first > 0)
        edge = rod->rest_length[rod_edge_before(rod, first)];
    if (last < rod->edge_count)
        edge = fmin(edge, rod->rest_length[last]);
    return DIFFERENCE_STEP * edge;
}

// Derivative of the gradient along all unknowns of one colour at once, each per its own difference step.
static void differentiate_colour(ref_linear *linear, uint32_t colour)
{
    memset(linear->difference, 0, linear->unknown_count * sizeof(double));
    for (int k = -LINEAR_STENCIL; k <= LINEAR_STENCIL; k++) {
        if (k == 0)
            continue;
        for (uint32_t a = 0; a < linear->unknown_count; a++)
            linear->step[a] = linear->colour[a] == colour ? k * difference_step(linear, a) : 0;
        linear_place(linear, linear->step);
        linear_follow(linear, linear->step, linear->trial);
        const double weight = k > 0 ? DIFFERENCE_WEIGHT[k - 1] : -DIFFERENCE_WEIGHT[-k - 1];
        for (uint32_t a = 0; a < linear->unknown_count; a++)
            linear->difference[a] += weight * linear->trial[a];
    }
}

static void difference_hessian(ref_linear *linear)
{
    const size_t count = linear->unknown_count;
    memset(linear->hessian, 0, count * count * sizeof(double));
    for (uint32_t colour = 0; colour < linear->colour_count; colour++) {
        differentiate_colour(linear, colour);
        for (uint32_t a = 0; a < count; a++) {
            const double per_unit = linear->colour[a] == colour ? 1 / difference_step(linear, a) : 0;
            for (uint32_t b = 0; per_unit > 0 && b < count; b++) {
                if (unknowns_are_near(linear, a, b, LINEAR_REACH))
                    linear->hessian[a * count + b] = linear->difference[b] * per_unit;
            }
        }
    }
}

// Second derivative of tension (|e| - l) = tension / |e| (I - t t^T) on the difference of the edge's ends.
static void add_tension_stiffness(ref_linear *linear)
{
    const ref_rod *rod = linear->rod;
    const size_t count = linear->unknown_count;
    for (uint32_t c = 0; c < linear->length_count; c++) {
        const uint32_t edge = linear->length_edge[c], end = rod_next_vertex(rod, edge);
        const double stiffness = linear->tension[c] / rod->length[edge];
        for (uint32_t a = 0; a < linear->position_count; a++) {
            const ref_freedom *one = &linear->freedoms[a];
            const int sign_a = freedom_moves(one, end) - freedom_moves(one, edge);
            for (uint32_t b = 0; sign_a != 0 && b < linear->position_count; b++) {
                const ref_freedom *two = &linear->freedoms[b];
                const int sign_b = freedom_moves(two, end) - freedom_moves(two, edge);
                if (sign_b != 0)
                    linear->hessian[a * count + b] +=
                        stiffness * (sign_a * sign_b * vec_dot(one->direction, two->direction) -
                                     length_gradient(linear, edge, a) * length_gradient(linear, edge, b));
            }
        }
    }
}

static void measure_asymmetry(ref_linear *linear)
{
    const size_t count = linear->unknown_count;
    double largest = 0, apart = 0;
    for (size_t a = 0; a < count; a++) {
        for (size_t b = 0; b <= a; b++) {
            const double one = linear->hessian[a * count + b], two = linear->hessian[b * count + a];
            largest = fmax(largest, fabs(one));
            apart = fmax(apart, fabs(one - two) / 2);
        }
    }
    linear->asymmetry = largest > 0 ? apart / largest : 0;
}

static void take_symmetric_part(ref_linear *linear)
{
    const size_t count = linear->unknown_count;
    for (size_t a = 0; a < count; a++) {
        for (size_t b = 0; b < a; b++) {
            double *one = &linear->hessian[a * count + b], *two = &linear->hessian[b * count + a];
            *one = *two = (*one + *two) / 2;
        }
    }
}

sheaf_status linear_hessian(ref_linear *linear, bool symmetrise)
{
    const size_t count = linear->unknown_count;
    difference_hessian(linear);
    memset(linear->step, 0, count * sizeof(double));
    linear_place(linear, linear->step);
    linear_follow(linear, linear->step, linear->trial);
    add_tension_stiffness(linear);
    for (size_t a = 0; a < count; a++) {
        for (size_t b = 0; b < count; b++)
            linear->hessian[a * count + b] *= linear->unit[a] * linear->unit[b];
    }
    measure_asymmetry(linear);
    if (symmetrise)
        take_symmetric_part(linear);
    SHEAF_TRY(apply_q(linear, 'L', 'T', linear->unknown_count, linear->hessian));
    return apply_q(linear, 'R', 'N', linear->unknown_count, linear->hessian);
}
