// twist: the material frame that is in equilibrium with the centreline, by closed form or by Newton's method, which
// starts cold only after the sweeps of settle.
//
// Edges are taken as a cycle: edge j + 1 follows edge j, the first follows the last, and interior vertex i joins edge
// i - 1 to edge i. An open rod has no vertex at the place where the cycle closes.
#include "der/ref/ref.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { SEARCHES = 24, SHIFTS = 60 };

static const double far_angle = 12.6;    // rad, two turns
static const double cold_angle = 1;      // rad, farther than bending is near to a parabola
static const double cold_residual = 0.1; // of a radian's twisting moment

// ---- energy derivatives

// Of twist alone; with a law as a Newton step may use it.
static double twist_stiffness(const ref_rod *rod, uint32_t i)
{
    if (rod->strand->law != NULL) {
        const ref_answer answer = ref_law_answer(rod, i, true);
        return answer.stiffness[0][2][2] + answer.stiffness[1][2][2];
    }
    return 2 * rod->twist[i] / rod_voronoi(rod, i);
}

double ref_twist_moment(const ref_rod *rod, uint32_t i)
{
    if (rod->strand->law != NULL)
        return ref_law_answer(rod, i, false).torque;
    return twist_stiffness(rod, i) * (rod->m[i] - rod->natural_twist[i]);
}

static bool is_interior(const ref_rod *rod, uint32_t i)
{
    return i >= rod_interior_first(rod) && i < rod_interior_end(rod);
}

// What w_i^j contributes to the derivatives of the bending energy by theta^j, as dw/dtheta = -J w:
// first  w^T J B (w - wbar) / lb
// second (J w)^T B (J w) / lb - w^T B (w - wbar) / lb, the two parts apart
typedef struct bending_share {
    double first;
    double second_turning;
    double second_stress;
} bending_share;

// The same with a law: with d = dw/dtheta, first d^T dE/dw, second d^T (d2E/dw2) d - w^T dE/dw.
static bending_share share_by_law(const ref_rod *rod, uint32_t i, int side, bool is_guarded)
{
    const ref_answer answer = ref_law_answer(rod, i, is_guarded);
    const double *w = rod->w[i][side], *force = answer.force[side], d[2] = {w[1], -w[0]};
    const double(*k)[3] = (const double(*)[3])answer.stiffness[side];
    return (bending_share){
        .first = d[0] * force[0] + d[1] * force[1],
        .second_turning = d[0] * (k[0][0] * d[0] + k[0][1] * d[1]) + d[1] * (k[1][0] * d[0] + k[1][1] * d[1]),
        .second_stress = -(w[0] * force[0] + w[1] * force[1]),
    };
}

static bending_share share_of_bending(const ref_rod *rod, uint32_t i, int side)
{
    if (rod->strand->law != NULL)
        return share_by_law(rod, i, side, false);
    const uint32_t j = side == 0 ? rod_edge_before(rod, i) : i;
    const double *w = rod->w[i][side], *natural = rod->natural_curvature[i][side], *bend = rod_bend(rod, i, j);
    const double stress[2] = {bend[0] * (w[0] - natural[0]), bend[1] * (w[1] - natural[1])};
    const double scale = 1 / rod_voronoi(rod, i);
    return (bending_share){
        .first = scale * (w[1] * stress[0] - w[0] * stress[1]),
        .second_turning = scale * (w[1] * bend[0] * w[1] + w[0] * bend[1] * w[0]),
        .second_stress = -scale * (w[0] * stress[0] + w[1] * stress[1]),
    };
}

double ref_bending_angle_gradient(const ref_rod *rod, uint32_t j)
{
    const uint32_t end = rod_next_vertex(rod, j);
    return (is_interior(rod, j) ? share_of_bending(rod, j, 1).first : 0) +
           (is_interior(rod, end) ? share_of_bending(rod, end, 0).first : 0);
}

void ref_twist_gradient(ref_rod *rod)
{
    for (uint32_t j = 0; j < rod->edge_count; j++)
        rod->angle_gradient[j] = ref_bending_angle_gradient(rod, j);
    for (uint32_t i = rod_interior_first(rod); i < rod_interior_end(rod); i++) {
        rod->angle_gradient[i] += ref_twist_moment(rod, i);
        rod->angle_gradient[rod_edge_before(rod, i)] -= ref_twist_moment(rod, i);
    }
}

// The bending energy's share of the Hessian is diagonal. `safeguard` keeps each part above a tenth of its positive
// term, so that the Hessian is positive definite wherever something bends or holds the rod. Bending of an isotropic,
// naturally straight rod does not depend on its frames, and there is nothing to keep.
static double bending_curvature(const ref_rod *rod, uint32_t i, int side, bool safeguard)
{
    const bending_share share =
        safeguard && rod->strand->law != NULL ? share_by_law(rod, i, side, true) : share_of_bending(rod, i, side);
    const double second = share.second_turning + share.second_stress;
    const double least = rod->strand->isotropic_straight ? 0 : 0.1 * share.second_turning;
    return safeguard ? fmax(second, least) : second;
}

// What vertex i gives to the Hessian by the frames before and after it:
//     | before + link        -link       |
//     |        -link      after + link   |
// With a law that couples twist to bending, d2E/dw dm = b, and d = dw/dtheta of each side, the entries are
//     d0.K0 d0 - w0.F0 - 2 d0.b0 + k,   d0.b0 - d1.b1 - k,   d1.K1 d1 - w1.F1 + 2 d1.b1 + k,
// which in this form is link = k + d1.b1 - d0.b0, and d0.b0 + d1.b1 taken off `before` and added to `after`.
typedef struct vertex_hessian {
    double before, after, link;
} vertex_hessian;

static double bend_to_twist(const ref_rod *rod, const ref_answer *answer, uint32_t i, int side)
{
    const double *w = rod->w[i][side];
    return w[1] * answer->stiffness[side][0][2] - w[0] * answer->stiffness[side][1][2];
}

// `safeguard` leaves the coupling out.
static vertex_hessian hessian_at(const ref_rod *rod, uint32_t i, bool safeguard)
{
    vertex_hessian at = {.before = bending_curvature(rod, i, 0, safeguard),
                         .after = bending_curvature(rod, i, 1, safeguard),
                         .link = twist_stiffness(rod, i)};
    if (rod->strand->law == NULL || safeguard)
        return at;
    const ref_answer answer = ref_law_answer(rod, i, false);
    const double near = bend_to_twist(rod, &answer, i, 0), far = bend_to_twist(rod, &answer, i, 1);
    at.link = answer.stiffness[0][2][2] + answer.stiffness[1][2][2] + far - near;
    at.before -= near + far;
    at.after += near + far;
    return at;
}

void ref_twist_hessian(const ref_rod *rod, double *diagonal, double *above)
{
    memset(diagonal, 0, rod->edge_count * sizeof *diagonal);
    memset(above, 0, rod->edge_count * sizeof *above);
    for (uint32_t i = rod_interior_first(rod); i < rod_interior_end(rod); i++) {
        const uint32_t before = rod_edge_before(rod, i);
        const vertex_hessian at = hessian_at(rod, i, false);
        diagonal[before] += at.before + at.link;
        diagonal[i] += at.after + at.link;
        above[before] -= at.link;
    }
}

// ---- closed form: the twisting moment is constant between frames that are held or loaded (5)

static uint32_t next_edge(const ref_rod *rod, uint32_t j)
{
    return j + 1 < rod->edge_count ? j + 1 : 0;
}

// Angle from edge i - 1 to edge i that the moment tau at vertex i makes.
static double step_of_angle(const ref_rod *rod, uint32_t i, double tau)
{
    const double closing = i == 0 ? *rod->closing_angle + rod->closing_twist : 0;
    return rod->natural_twist[i] + tau / twist_stiffness(rod, i) - closing;
}

// Sets the angles after edge `from`, over `count` vertices, when the moment at the first of them is tau and each edge's
// couple is taken off it; returns the last angle.
static double wind(ref_rod *rod, uint32_t from, uint32_t count, double tau)
{
    double angle = rod->theta[from];
    for (uint32_t j = from; count > 0; count--) {
        j = next_edge(rod, j);
        angle += step_of_angle(rod, j, tau);
        tau -= rod->axial_couple[j];
        rod->theta[j] = angle;
    }
    return angle;
}

// Between two fixed frames, or once around from a fixed frame to itself.
static void wind_between(ref_rod *rod, uint32_t from, uint32_t to)
{
    const uint32_t n = rod->edge_count, count = from < to ? to - from : to + n - from;
    const double start = rod->theta[from], target = rod->theta[to];
    double compliance = 0;
    for (uint32_t k = 1; k <= count; k++)
        compliance += 1 / twist_stiffness(rod, (from + k) % n);
    const double reached = wind(rod, from, count, 0);
    rod->theta[from] = start;
    wind(rod, from, count, (target - reached) / compliance);
    rod->theta[to] = target;
}

static void wind_root(ref_rod *rod, uint32_t to)
{
    const double target = rod->theta[to];
    rod->theta[0] += target - wind(rod, 0, to, -rod->axial_couple[0]);
    wind(rod, 0, to, -rod->axial_couple[0]);
    rod->theta[to] = target;
}

static void wind_tip(ref_rod *rod, uint32_t from)
{
    double tau = 0;
    for (uint32_t j = from + 1; j < rod->edge_count; j++)
        tau += rod->axial_couple[j];
    wind(rod, from, rod->edge_count - 1 - from, tau);
}

// First held edge, or 0 when none is held.
static uint32_t first_anchor(const ref_rod *rod, bool *is_held)
{
    for (uint32_t j = 0; j < rod->edge_count; j++)
        if (rod->angle_is_held[j]) {
            *is_held = true;
            return j;
        }
    *is_held = false;
    return 0;
}

static void closed_form(ref_rod *rod)
{
    bool is_held;
    const uint32_t first = first_anchor(rod, &is_held);
    uint32_t last = first;
    for (uint32_t j = first + 1; j < rod->edge_count; j++)
        if (rod->angle_is_held[j]) {
            wind_between(rod, last, j);
            last = j;
        }
    if (rod->closed) {
        wind_between(rod, last, first);
    } else {
        wind_root(rod, first);
        wind_tip(rod, last);
    }
}

// ---- Newton's method

// The linear system of one iteration. One edge, the anchor, is taken out of the cycle: the rest are a chain with a
// tridiagonal matrix, in which held edges have rows of the unit matrix. The anchor is a held edge; when there is none,
// it stands for all frames turning as one, dtheta^j = turn + chain_j, which twist does not resist: so the small
// stiffness against that turn is kept apart from the large one of twist.
typedef struct newton_system {
    uint32_t anchor;
    bool anchor_is_held;
    double *bending;  // [edge] sums of the Hessian's rows: bending's share, which twist between frames adds nothing to
    double *link;     // [vertex] between the frames before and after it; 0 at the ends
    double *diagonal; // [edge count - 1] of the chain, factored
    double *above;    // [edge count - 2]
    double *border;   // [edge count - 1] what a common turn does to the chain, then its response
    double *step;     // [edge] dtheta
    double *start;    // [edge] theta before the step
} newton_system;

static newton_system open_system(const ref_rod *rod)
{
    const size_t n = rod->edge_count;
    double *work = rod->work;
    newton_system system = {.bending = work,
                            .link = work + 7 * n,
                            .diagonal = work + n,
                            .above = work + 2 * n,
                            .border = work + 3 * n,
                            .step = work + 4 * n,
                            .start = work + 5 * n};
    system.anchor = first_anchor(rod, &system.anchor_is_held);
    return system;
}

static double unbalanced(const ref_rod *rod, uint32_t j)
{
    return rod->angle_is_held[j] ? 0 : rod->angle_gradient[j] - rod->axial_couple[j];
}

static uint32_t chain_edge(const ref_rod *rod, const newton_system *system, uint32_t row)
{
    return (system->anchor + 1 + row) % rod->edge_count;
}

static void fill_hessian(const ref_rod *rod, bool safeguard, newton_system *system)
{
    memset(system->bending, 0, rod->edge_count * sizeof *system->bending);
    memset(system->link, 0, rod->edge_count * sizeof *system->link);
    for (uint32_t i = rod_interior_first(rod); i < rod_interior_end(rod); i++) {
        const vertex_hessian at = hessian_at(rod, i, safeguard);
        system->bending[rod_edge_before(rod, i)] += at.before;
        system->bending[i] += at.after;
        system->link[i] = at.link;
    }
}

static bool factor_chain(const ref_rod *rod, newton_system *system, double shift)
{
    const uint32_t rows = rod->edge_count - 1;
    for (uint32_t row = 0; row < rows; row++) {
        const uint32_t j = chain_edge(rod, system, row), next = next_edge(rod, j);
        const bool held = rod->angle_is_held[j], coupled = !held && !rod->angle_is_held[next];
        const double diagonal = system->bending[j] + shift + system->link[j] + system->link[next];
        system->diagonal[row] = held ? 1 : diagonal;
        system->border[row] = held ? 0 : system->bending[j] + shift;
        if (row + 1 < rows)
            system->above[row] = coupled ? -system->link[next] : 0;
    }
    return LAPACKE_dpttrf((lapack_int)rows, system->diagonal, system->above) == 0;
}

static void solve_chain(const ref_rod *rod, const newton_system *system, double *right_side)
{
    const lapack_int rows = (lapack_int)rod->edge_count - 1;
    LAPACKE_dpttrs(LAPACK_COL_MAJOR, rows, 1, system->diagonal, system->above, right_side, rows);
}

// Stiffness below this is rounding: a common turn against it would be noise.
static double least_turn_stiffness(const ref_rod *rod)
{
    double turning = 0, twisting = 0;
    for (uint32_t i = rod_interior_first(rod); i < rod_interior_end(rod); i++) {
        turning += share_of_bending(rod, i, 0).second_turning + share_of_bending(rod, i, 1).second_turning;
        twisting += twist_stiffness(rod, i);
    }
    return 1e-12 * turning + 1e-15 * twisting;
}

// Finds the common turn by the Schur complement of the chain and adds it to the chain's own steps. False when the
// system is not positive definite. A turn that nothing resists is left at 0: the anchor's angle is the gauge.
static bool add_common_turn(const ref_rod *rod, newton_system *system, double shift, double *chain)
{
    double stiffness = system->bending[system->anchor] + shift, force = -unbalanced(rod, system->anchor);
    double *response = system->border;
    for (uint32_t row = 0; row + 1 < rod->edge_count; row++) {
        const uint32_t j = chain_edge(rod, system, row);
        stiffness += response[row];
        force += -unbalanced(rod, j) - response[row] * chain[row];
    }
    solve_chain(rod, system, response);
    for (uint32_t row = 0; row + 1 < rod->edge_count; row++)
        stiffness -= (system->bending[chain_edge(rod, system, row)] + shift) * response[row];
    const double least = least_turn_stiffness(rod);
    if (stiffness < -least)
        return false;
    const double turn = stiffness > least ? force / stiffness : 0;
    system->step[system->anchor] = turn;
    for (uint32_t row = 0; row + 1 < rod->edge_count; row++)
        chain[row] += turn * (1 - response[row]);
    return true;
}

// Solves (H + shift) step = couple - gradient over the free frames; false when the matrix is not positive definite.
static bool solve_shifted(const ref_rod *rod, newton_system *system, double shift)
{
    double *chain = rod->work + 6 * (size_t)rod->edge_count;
    if (!factor_chain(rod, system, shift))
        return false;
    for (uint32_t row = 0; row + 1 < rod->edge_count; row++)
        chain[row] = -unbalanced(rod, chain_edge(rod, system, row));
    solve_chain(rod, system, chain);
    system->step[system->anchor] = 0;
    if (!system->anchor_is_held && !add_common_turn(rod, system, shift, chain))
        return false;
    for (uint32_t row = 0; row + 1 < rod->edge_count; row++)
        system->step[chain_edge(rod, system, row)] = chain[row];
    return true;
}

// Where the Hessian is not positive definite its diagonal is lifted by 1.5 to 3 times as much as that takes: near a
// saddle the frames then leave it at the pace of its own instability. Lifting every negative share of bending to 0 is
// enough; from there the lift is halved while it can be.
static bool solve_step(const ref_rod *rod, newton_system *system, bool safeguard)
{
    double shift = 0;
    fill_hessian(rod, safeguard, system);
    if (solve_shifted(rod, system, 0))
        return true;
    for (uint32_t j = 0; j < rod->edge_count; j++)
        if (!rod->angle_is_held[j])
            shift = fmax(shift, -system->bending[j]);
    shift += least_turn_stiffness(rod);
    for (int k = 0; k < SHIFTS && !solve_shifted(rod, system, shift); k++)
        shift *= 2;
    for (int k = 0; k < SHIFTS && solve_shifted(rod, system, shift / 2); k++)
        shift /= 2;
    return solve_shifted(rod, system, 1.5 * shift);
}

// Largest unbalanced couple; not a number when one of them is not.
static double residual(const ref_rod *rod)
{
    double largest = 0;
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        const double couple = fabs(unbalanced(rod, j));
        if (couple > largest || isnan(couple))
            largest = couple;
    }
    return largest;
}

// Rounding of the largest angle, rad, at least that of 1.
static double angle_rounding(const ref_rod *rod)
{
    double largest = 1;
    for (uint32_t j = 0; j < rod->edge_count; j++)
        largest = fmax(largest, fabs(rod->theta[j]));
    return DBL_EPSILON * largest;
}

// Moment per radian that residuals are measured in.
static double largest_stiffness(const ref_rod *rod)
{
    double largest = 0;
    for (uint32_t i = rod_interior_first(rod); i < rod_interior_end(rod); i++)
        largest = fmax(largest, twist_stiffness(rod, i));
    return largest;
}

// Residual to stop at: the tolerance, or what rounding of the largest angle makes of a moment.
static double residual_goal(const ref_rod *rod, double tolerance)
{
    return largest_stiffness(rod) * fmax(tolerance, 8 * angle_rounding(rod));
}

static void refresh(ref_rod *rod)
{
    ref_curvature(rod);
    ref_twist_gradient(rod);
}

static void take_step(ref_rod *rod, const newton_system *system, double share)
{
    for (uint32_t j = 0; j < rod->edge_count; j++)
        if (!rod->angle_is_held[j])
            rod->theta[j] = system->start[j] + share * system->step[j];
    refresh(rod);
}

// Change of twisting energy less the couples' work along the step, linear * share + quadratic * share^2. In this form
// it stays exact for rods that are wound up by millions of turns. With a law twist is no parabola: its energy goes with
// that of bending, and couples alone are left.
typedef struct twist_change {
    double linear, quadratic;
} twist_change;

static twist_change twist_along(const ref_rod *rod, const newton_system *system)
{
    twist_change change = {0, 0};
    for (uint32_t i = rod_interior_first(rod); rod->strand->law == NULL && i < rod_interior_end(rod); i++) {
        const double wound = system->step[i] - system->step[rod_edge_before(rod, i)];
        change.linear += ref_twist_moment(rod, i) * wound;
        change.quadratic += twist_stiffness(rod, i) * wound * wound / 2;
    }
    for (uint32_t j = 0; j < rod->edge_count; j++)
        change.linear -= rod->axial_couple[j] * system->step[j];
    return change;
}

static double elastic_energy(const ref_rod *rod)
{
    return ref_bending_energy(rod) + (rod->strand->law != NULL ? ref_twisting_energy(rod) : 0);
}

static double slope_of_step(const ref_rod *rod, const newton_system *system)
{
    double slope = 0;
    for (uint32_t j = 0; j < rod->edge_count; j++)
        slope += unbalanced(rod, j) * system->step[j];
    return slope;
}

// Follows the step until the energy has fallen enough (Armijo, up to rounding) and its slope is down to a tenth:
// doubles the step while it leads downhill, else looks between the best share that does and the least that does not.
static void search_along(ref_rod *rod, newton_system *system)
{
    memcpy(system->start, rod->theta, rod->edge_count * sizeof *rod->theta);
    const twist_change twist = twist_along(rod, system);
    const double bending = elastic_energy(rod), slope = slope_of_step(rod, system);
    const double rounding = 64 * angle_rounding(rod) * bending;
    double low = 0, low_slope = slope, high = INFINITY, share = 1;
    for (int k = 0; k < SEARCHES; k++) {
        take_step(rod, system, share);
        const double change = share * (twist.linear + share * twist.quadratic) + elastic_energy(rod) - bending;
        const double here = slope_of_step(rod, system);
        const bool falls = change <= 1e-4 * share * slope + rounding;
        if (falls && fabs(here) <= 0.1 * fabs(slope))
            return;
        double zero = (low + share) / 2; // of the slope
        if (falls && here > 0)
            zero = low + (share - low) * low_slope / (low_slope - here);
        if (falls && here < 0) {
            low = share;
            low_slope = here;
        } else {
            high = share;
        }
        share = isinf(high) ? 2 * share : fmin(fmax(zero, 0.9 * low + 0.1 * high), 0.1 * low + 0.9 * high);
    }
    take_step(rod, system, low);
}

static void limited_step(ref_rod *rod, newton_system *system)
{
    memcpy(system->start, rod->theta, rod->edge_count * sizeof *rod->theta);
    for (uint32_t j = 0; j < rod->edge_count; j++)
        system->step[j] = fmax(-1, fmin(1, system->step[j]));
    take_step(rod, system, 1);
}

// The same, halved until the energy has not risen.
static void descending_step(ref_rod *rod, newton_system *system)
{
    const double bending = elastic_energy(rod), rounding = 64 * angle_rounding(rod) * bending;
    double share = 1;
    for (uint32_t j = 0; j < rod->edge_count; j++)
        system->step[j] = fmax(-1, fmin(1, system->step[j]));
    const twist_change twist = twist_along(rod, system);
    limited_step(rod, system);
    for (int k = 0; k < SEARCHES; k++) {
        const double change = share * (twist.linear + share * twist.quadratic) + elastic_energy(rod) - bending;
        if (change <= rounding)
            return;
        share /= 2;
        take_step(rod, system, share);
    }
}

static double longest_turn(const ref_rod *rod, const newton_system *system)
{
    double longest = 0;
    for (uint32_t j = 0; j < rod->edge_count; j++)
        longest = fmax(longest, fabs(system->step[j]));
    return longest;
}

static bool is_far(const ref_rod *rod, const newton_system *system)
{
    return longest_turn(rod, system) > far_angle;
}

static bool solve_twist_alone(const ref_rod *rod, newton_system *system)
{
    fill_hessian(rod, true, system);
    memset(system->bending, 0, rod->edge_count * sizeof *system->bending);
    return solve_shifted(rod, system, 0);
}

// Bending repeats itself with every turn of a frame. Where twist drives the frames farther than that, bending averages
// out over the way and its curvature at the start means nothing: twist alone then decides.
static bool solve_long_step(const ref_rod *rod, newton_system *system)
{
    const bool driven = solve_twist_alone(rod, system) && is_far(rod, system);
    if (!solve_step(rod, system, false))
        return false;
    return driven && is_far(rod, system) ? solve_twist_alone(rod, system) : true;
}

static bool is_done(const ref_rod *rod, const ref_twist_options *options)
{
    const double reached = residual(rod);
    const bool is_fixed = options->way == REF_TWIST_FIXED;
    return !isfinite(reached) || (!is_fixed && reached <= residual_goal(rod, options->tolerance));
}

// Where bending does not see the frames the energy is a parabola, and one step of Newton's method is exact.
static bool bending_sees_frames(const ref_rod *rod, const newton_system *system)
{
    double largest = 0;
    for (uint32_t j = 0; j < rod->edge_count; j++)
        largest = fmax(largest, fabs(system->bending[j]));
    return largest > 1e-9 * largest_stiffness(rod);
}

// A cold start is out of balance where the energy is not convex, or so far that it will not be on the way. Frames that
// follow a motion are near an equilibrium: those stay in its basin, as nothing but Newton's method moves them.
static bool is_cold(const ref_rod *rod, newton_system *system)
{
    if (residual(rod) <= cold_residual * largest_stiffness(rod))
        return false;
    fill_hessian(rod, false, system);
    if (!bending_sees_frames(rod, system))
        return false;
    return !solve_shifted(rod, system, 0) || longest_turn(rod, system) > cold_angle;
}

// One iteration downhill from the frames as they are: with the exact matrix where it is positive definite, else with
// the one that is kept so. Frames that are driven by whole turns have no valley to stay in.
static bool follow(ref_rod *rod, newton_system *system)
{
    fill_hessian(rod, false, system);
    if (!solve_shifted(rod, system, 0) && !solve_step(rod, system, true))
        return false;
    if (!is_far(rod, system)) {
        descending_step(rod, system);
        return true;
    }
    if (!solve_long_step(rod, system))
        return false;
    search_along(rod, system);
    return true;
}

static bool iterate(ref_rod *rod, newton_system *system, ref_twist_way way)
{
    if (way == REF_TWIST_FOLLOW)
        return follow(rod, system);
    if (!(way == REF_TWIST_SEARCH ? solve_long_step(rod, system) : solve_step(rod, system, true)))
        return false;
    if (way == REF_TWIST_SEARCH)
        search_along(rod, system);
    else
        limited_step(rod, system);
    return true;
}

// Only Newton's own iterations are counted, not the sweeps that settle a cold start.
static uint32_t newton(ref_rod *rod, const ref_twist_options *options)
{
    newton_system system = open_system(rod);
    uint32_t k = 0;
    if (options->way == REF_TWIST_SEARCH && options->iterations > 0 && !is_done(rod, options) &&
        is_cold(rod, &system)) {
        ref_settle(rod);
        ref_twist_gradient(rod);
    }
    while (k < options->iterations && !is_done(rod, options) && iterate(rod, &system, options->way))
        k++;
    return k;
}

ref_twist_options ref_twist_converged(void)
{
    return (ref_twist_options){.method = REF_TWIST_AUTO, .iterations = 50, .tolerance = 1e-12, .way = REF_TWIST_SEARCH};
}

ref_twist_options ref_twist_following(void)
{
    ref_twist_options options = ref_twist_converged();
    options.way = REF_TWIST_FOLLOW;
    return options;
}

sheaf_status ref_twist(ref_rod *rod, const ref_twist_options *options)
{
    const bool has_closed_form = rod->strand->isotropic_straight;
    if (options->method == REF_TWIST_CLOSED_FORM && !has_closed_form)
        return base_fail(SHEAF_ERR_USAGE, "twist has a closed form for isotropic, naturally straight rods only; "
                                          "use Newton's method");
    refresh(rod);
    if (has_closed_form && options->method != REF_TWIST_NEWTON) {
        closed_form(rod);
        refresh(rod);
        rod->record->twist_iterations = 0;
    } else {
        rod->record->twist_iterations = newton(rod, options);
    }
    rod->record->twist_residual = residual(rod);
    return SHEAF_OK;
}
