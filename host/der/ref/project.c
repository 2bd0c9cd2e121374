// project: fast manifold projection (8.1). Every edge keeps its length, |e^j|^2 = l_j^2, and what has to move for it
// moves least in the metric of the masses.
//
// Newton's method on C(x - W G^T lambda) = 0, C_j = |e^j|^2 - l_j^2, W the inverse masses. The rows of G are the
// gradients of C at the iterate, which is fast projection as published, or at the start of the step, which keeps energy
// and angular momentum (SHAKE). Only edges that share a vertex couple.
#include "der/ref/ref.h"

#include <float.h>
#include <lapacke.h>
#include <string.h>

#include "base/vec.h"

enum { REACH = 2, COLUMN = 3 * REACH + 1 }; // of LAPACK's general band matrix; a ring is folded

typedef struct projection {
    ref_rod *rod;
    const ref_project_options *options;
    uint32_t freedom_count;
    ref_freedom *freedoms;
    double (*inverse)[3][3]; // [vertex] W, 1/kg
    bool *inactive;          // [edge] nothing that may move changes its length
    double (*edge)[3];       // [edge] m, at the iterate
    double (*pull)[3];       // [edge] m, edge vectors along which the multipliers act
    double (*impulse)[3];    // [vertex]
    double (*momentum)[3];   // [vertex] m, Chebyshev: displacement by the iteration before
    double omega;            // Chebyshev: weight of this iteration
    bool yields;             // held at both ends: lengths give way
    double *compliance;      // [edge] m^2/kg, how much
    double *matrix;          // [COLUMN][edge]
    double *change;          // [edge] right side, then the change of the multipliers
    int32_t *pivot;
} projection;

static void close_projection(projection *p)
{
    base_free(p->freedoms);
    base_free(p->inverse);
    base_free(p->edge);
    base_free(p->compliance);
    base_free(p->matrix);
    base_free(p->pivot);
    base_free(p->inactive);
}

// Share of a push along the normal that a vertex on a collider does not follow. With all of it a straight strand that
// meets a surface end-on would have one multiplier too many, and so would an edge along the normals of both its
// vertices.
static const double surface_share = 0.95;

// W = (1 - share n n^T) / m where a vertex was pushed out of a collider. Such a vertex is held in no other way.
static void restrict_to_surface(projection *p, uint32_t i)
{
    const double *normal = p->rod->contacts[i].normal;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            p->inverse[i][r][c] = ((r == c) - surface_share * normal[r] * normal[c]) / p->rod->mass[i];
}

static sheaf_status open_projection(ref_rod *rod, double time, const ref_project_options *options, projection *p)
{
    const size_t n = rod->vertex_count;
    *p = (projection){.rod = rod,
                      .options = options,
                      .freedoms = base_alloc(3 * n, sizeof *p->freedoms),
                      .inverse = base_alloc(n, sizeof *p->inverse),
                      .edge = base_alloc(4 * n, sizeof *p->edge),
                      .compliance = base_alloc(2 * n, sizeof *p->compliance),
                      .matrix = base_alloc(COLUMN * n, sizeof *p->matrix),
                      .pivot = base_alloc(n, sizeof *p->pivot),
                      .inactive = base_alloc(n, sizeof *p->inactive)};
    if (!p->freedoms || !p->inverse || !p->edge || !p->compliance || !p->matrix || !p->pivot || !p->inactive)
        return SHEAF_ERR_MEMORY;
    p->pull = p->edge + n;
    p->impulse = p->pull + n;
    p->momentum = p->impulse + n;
    p->change = p->compliance + n;
    if (!options->continues)
        memset(rod->multiplier, 0, rod->edge_count * sizeof *rod->multiplier);
    p->freedom_count = ref_freedoms(rod, time, p->freedoms);
    ref_inverse_mass(rod, time, p->inverse, p->inactive);
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        if (rod->contacts[i].is_marked)
            restrict_to_surface(p, i);
    return SHEAF_OK;
}

// a^T W_i b
static double weigh(const projection *p, uint32_t i, const double a[3], const double b[3])
{
    const double moved[3] = {vec_dot(p->inverse[i][0], b), vec_dot(p->inverse[i][1], b), vec_dot(p->inverse[i][2], b)};
    return vec_dot(a, moved);
}

// ---- axial compliance

// A straight strand held at both ends has one multiplier too many, and no pose at all when it is pulled longer than it
// is. Such a strand yields as its own axial stiffness EA lets it: C_j = a_j lambda_j with a = 4 l^3 rate / EA
// (rate = 1/h^2, or 9/(4 h^2) for BDF2), which strains it evenly. EA = 4 EI / r^2, as for a disc.
// a stays between two shares of the diagonal of A: below the upper one soft strands keep their length where they can,
// the lower one keeps rounding from deciding and stands in where EA is not known.
static const double compliance_least = 1e-10, compliance_most = 1e-7;

typedef struct averages {
    double length, mass, stiffness; // m and kg of an edge, N
} averages;

static averages average_edge(const ref_rod *rod)
{
    const uint64_t first = rod->model->first_vertex[rod->strand - rod->model->strands];
    averages mean = {0};
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        const double radius = rod->model->radius[first + j], bend = (rod->bend[j][0] + rod->bend[j][1]) / 2;
        mean.length += rod->rest_length[j] / rod->edge_count;
        mean.mass += (rod->mass[j] + rod->mass[j + 1]) / (2 * rod->edge_count);
        mean.stiffness += (radius > 0 ? 4 * bend / (radius * radius) : INFINITY) / rod->edge_count;
    }
    return mean;
}

static void set_compliance(projection *p)
{
    const ref_rod *rod = p->rod;
    if (rod->closed || p->options->rate <= 0)
        return;
    uint32_t places = rod->strand->root->hold_position + rod->strand->tip->hold_position;
    for (uint32_t k = 0; k < rod->joint_count; k++)
        places += rod->joints[k].vertex > 0 && rod->joints[k].edge < rod->edge_count - 1; // inner edges on bodies
    if (places < 2)
        return;
    p->yields = true;
    if (p->options->compliance != NULL) {
        memcpy(p->compliance, p->options->compliance, rod->edge_count * sizeof *p->compliance);
        return;
    }
    const averages mean = average_edge(rod);
    const double square = mean.length * mean.length, diagonal = 8 * square / mean.mass;
    const double wanted = 4 * square * mean.length * p->options->rate / mean.stiffness;
    const double compliance = fmin(fmax(wanted, compliance_least * diagonal), compliance_most * diagonal);
    for (uint32_t j = 0; j < rod->edge_count; j++)
        p->compliance[j] = compliance * pow(rod->rest_length[j] / mean.length, 3);
}

// ---- one iteration

static void measure_edges(projection *p)
{
    const ref_rod *rod = p->rod;
    for (uint32_t j = 0; j < rod->edge_count; j++)
        vec_sub(p->edge[j], rod->x[rod_next_vertex(rod, j)], rod->x[j]);
}

static void choose_gradients(projection *p)
{
    const ref_rod *rod = p->rod;
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        vec_copy(p->pull[j], p->edge[j]);
        if (p->options->start_gradients)
            vec_sub(p->pull[j], rod->start[rod_next_vertex(rod, j)], rod->start[j]);
    }
}

// What an edge lacks of C_j = a_j lambda_j, m^2.
static double defect(const projection *p, uint32_t j)
{
    const double l = p->rod->rest_length[j];
    return vec_dot(p->edge[j], p->edge[j]) - l * l - p->compliance[j] * p->rod->multiplier[j];
}

// Unlike fmax, NaN wins.
static double larger(double a, double b)
{
    return a >= b || isnan(a) ? a : b;
}

// Largest |C| and largest defect, both per l^2.
static void measure_violation(const projection *p, double *violation, double *worst_defect)
{
    *violation = *worst_defect = 0;
    for (uint32_t j = 0; j < p->rod->edge_count; j++) {
        const double square = p->rod->rest_length[j] * p->rod->rest_length[j];
        if (p->inactive[j])
            continue;
        *violation = larger(*violation, fabs(vec_dot(p->edge[j], p->edge[j]) / square - 1));
        *worst_defect = larger(*worst_defect, fabs(defect(p, j)) / square);
    }
}

static double *entry(const projection *p, uint32_t row, uint32_t column)
{
    const uint32_t r = rod_band_place(p->rod, row), c = rod_band_place(p->rod, column);
    return &p->matrix[(size_t)COLUMN * c + 2 * REACH + r - c];
}

// A = J W G^T: A_jj = 4 e_j^T (W_j + W_{j+1}) g_j, A_{j,j+1} = -4 e_j^T W_{j+1} g_{j+1}, g the pulling edges.
static void assemble(projection *p)
{
    const ref_rod *rod = p->rod;
    memset(p->matrix, 0, (size_t)COLUMN * rod->vertex_count * sizeof *p->matrix);
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        const uint32_t shared = rod_next_vertex(rod, j);
        double *right_side = &p->change[rod_band_place(rod, j)];
        if (p->inactive[j]) {
            *entry(p, j, j) = 1;
            *right_side = 0;
            continue;
        }
        *entry(p, j, j) =
            4 * (weigh(p, j, p->edge[j], p->pull[j]) + weigh(p, shared, p->edge[j], p->pull[j])) + p->compliance[j];
        *right_side = defect(p, j);
        if (shared < rod->edge_count && !p->inactive[shared]) {
            *entry(p, j, shared) = -4 * weigh(p, shared, p->edge[j], p->pull[shared]);
            *entry(p, shared, j) = -4 * weigh(p, shared, p->edge[shared], p->pull[j]);
        }
    }
}

// False when there is nothing to be solved for: the system is singular or not finite.
static bool solve(projection *p)
{
    const int n = (int)p->rod->edge_count;
    return LAPACKE_dgbsv(LAPACK_COL_MAJOR, n, REACH, REACH, 1, p->matrix, COLUMN, p->pivot, p->change, n) == 0;
}

// x -= share W G^T change, along the freedoms.
static void move(projection *p, double share)
{
    ref_rod *rod = p->rod;
    memset(p->impulse, 0, rod->vertex_count * sizeof *p->impulse);
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        const double change = share * p->change[rod_band_place(rod, j)]; // 0 for inactive edges
        rod->multiplier[j] += change;
        vec_axpy(p->impulse[rod_next_vertex(rod, j)], -2 * change, p->pull[j]);
        vec_axpy(p->impulse[j], 2 * change, p->pull[j]);
    }
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        if (rod->contacts[i].is_marked)
            vec_axpy(p->impulse[i], -surface_share * vec_dot(p->impulse[i], rod->contacts[i].normal),
                     rod->contacts[i].normal);
    for (uint32_t k = 0; k < p->freedom_count; k++) {
        const ref_freedom *freedom = &p->freedoms[k];
        double mass = 0, impulse = 0;
        for (uint32_t i = freedom->first; i <= freedom->second; i++) {
            mass += rod->mass[i];
            impulse += vec_dot(freedom->direction, p->impulse[i]);
        }
        for (uint32_t i = freedom->first; i <= freedom->second; i++)
            vec_axpy(rod->x[i], impulse / mass, freedom->direction);
    }
}

static double sum_of_squares(const projection *p)
{
    double sum = 0;
    for (uint32_t j = 0; j < p->rod->edge_count; j++)
        sum += p->inactive[j] ? 0 : defect(p, j) * defect(p, j);
    return sum;
}

// A strand pulled too long answers a full step with a swing to the side: there steps shrink until they do good.
static void move_with_care(projection *p)
{
    enum { HALVINGS = 20 };
    const double before = sum_of_squares(p);
    double share = 1;
    move(p, share);
    measure_edges(p);
    for (int k = 0; k < HALVINGS && !(sum_of_squares(p) <= before); k++) {
        share /= 2;
        move(p, -share);
        measure_edges(p);
    }
}

// ---- relaxations: every edge by itself

// Sine of pi / (2 m + 1), m edges whose length is to be kept: the slowest mode of a taut strand held at one end shrinks
// by the cosine in a Jacobi iteration.
static double slowest_sine(const projection *p)
{
    uint32_t edges = 0;
    for (uint32_t j = 0; j < p->rod->edge_count; j++)
        edges += !p->inactive[j];
    return sin(3.14159265358979323846 / (2 * edges + 1));
}

static double relaxation(const projection *p)
{
    if (p->options->relaxation > 0)
        return p->options->relaxation;
    if (p->options->projector == SHEAF_PROJECTOR_RED_BLACK)
        return 2 / (1 + slowest_sine(p));
    return p->options->projector == SHEAF_PROJECTOR_CHEBYSHEV ? 1 : 0.5;
}

// Edges first, first + stride, ... make up a share of their own violation.
static void relax(projection *p, uint32_t first, uint32_t stride)
{
    const double share = relaxation(p);
    choose_gradients(p);
    assemble(p);
    for (uint32_t j = 0; j < p->rod->edge_count; j++) {
        double *change = &p->change[rod_band_place(p->rod, j)];
        *change = j % stride == first ? share * *change / *entry(p, j, j) : 0;
    }
}

// Carries the displacement of the iteration before on, by the Chebyshev recurrence.
static void move_with_momentum(projection *p, uint32_t iteration)
{
    const double rho_squared = 1 - slowest_sine(p) * slowest_sine(p);
    p->omega = iteration == 0 ? 1 : iteration == 1 ? 2 / (2 - rho_squared) : 4 / (4 - rho_squared * p->omega);
    double(*before)[3] = p->edge; // edges are measured again afterwards
    memcpy(before, p->rod->x, p->rod->vertex_count * sizeof *before);
    move(p, 1);
    for (uint32_t i = 0; i < p->rod->vertex_count; i++) {
        double *x = p->rod->x[i], change[3];
        for (int c = 0; c < 3; c++) {
            change[c] = (p->omega - 1) * p->momentum[i][c] + p->omega * (x[c] - before[i][c]);
            x[c] = before[i][c] + change[c];
        }
        vec_copy(p->momentum[i], change);
    }
}

static void iterate_relaxation(projection *p, uint32_t iteration)
{
    if (p->options->projector == SHEAF_PROJECTOR_CHEBYSHEV) {
        relax(p, 0, 1);
        move_with_momentum(p, iteration);
    } else if (p->options->projector == SHEAF_PROJECTOR_JACOBI) {
        relax(p, 0, 1);
        move(p, 1);
    } else {
        relax(p, 0, 2);
        move(p, 1);
        measure_edges(p);
        relax(p, 1, 2);
        move(p, 1);
    }
    measure_edges(p);
}

// Newton on all edges at once. False when there is nothing to be solved for.
static bool iterate_newton(projection *p)
{
    choose_gradients(p);
    assemble(p);
    if (!solve(p))
        return false;
    if (p->yields && !p->options->full_steps) {
        move_with_care(p);
    } else {
        move(p, 1);
        measure_edges(p);
    }
    return true;
}

static void iterate(projection *p, ref_project_result *result)
{
    measure_edges(p);
    for (;; result->iterations++) {
        double worst_defect;
        measure_violation(p, &result->violation, &worst_defect);
        const bool good = result->iterations >= p->options->least && worst_defect <= p->options->tolerance;
        if (good || result->iterations >= p->options->iterations || !isfinite(worst_defect))
            return;
        if (p->options->projector != SHEAF_PROJECTOR_TRIDIAGONAL)
            iterate_relaxation(p, result->iterations);
        else if (!iterate_newton(p))
            return;
    }
}

sheaf_status ref_project(ref_rod *rod, double time, const ref_project_options *options, ref_project_result *result)
{
    projection p;
    *result = (ref_project_result){0};
    const sheaf_status status = open_projection(rod, time, options, &p);
    if (status == SHEAF_OK) {
        set_compliance(&p);
        iterate(&p, result);
    }
    close_projection(&p);
    return status;
}
