// fit: polynomials in place of curves, by least squares over the range.
#include "law/parts.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { POINTS = 2001, TERMS = LAW_MAX_FIT + 1, FINE = 4 * 257 };

typedef struct fitting {
    const law_axis *axis;
    const law_fit *how;
    double range, place;
    uint32_t order;
    double coefficients[TERMS]; // of powers of x / range
} fitting;

// Values of the basis at y = x / range, and their derivatives by y; term 0 is left out, as a law is 0 at rest.
static void basis_at(law_basis basis, uint32_t order, double y, double *value, double *slope)
{
    double t[TERMS + 1] = {1, y}, d[TERMS + 1] = {0, 1};
    for (uint32_t k = 2; k <= order; k++) {
        const double twice = basis == LAW_BASIS_CHEBYSHEV ? 2 : 1, less = basis == LAW_BASIS_CHEBYSHEV ? 1 : 0;
        t[k] = twice * y * t[k - 1] - less * t[k - 2];
        d[k] = twice * (t[k - 1] + y * d[k - 1]) - less * d[k - 2];
    }
    for (uint32_t k = 1; k <= order; k++) {
        value[k - 1] = t[k] - (basis == LAW_BASIS_CHEBYSHEV && k % 2 == 0 ? (k % 4 == 0 ? 1 : -1) : 0);
        slope[k - 1] = d[k];
    }
}

// Coefficients of Chebyshev's polynomials as those of powers.
static void to_powers(const fitting *f, const double *terms, double *powers)
{
    double last[TERMS] = {1}, now[TERMS] = {0, 1};
    memset(powers, 0, TERMS * sizeof *powers);
    for (uint32_t k = 1; k <= f->order; k++) {
        for (uint32_t c = 1; c < TERMS; c++) // the constant falls out
            powers[c] += terms[k - 1] * (f->how->basis == LAW_BASIS_CHEBYSHEV ? now[c] : c == k);
        double next[TERMS] = {-last[0]};
        for (uint32_t c = 1; c < TERMS; c++)
            next[c] = 2 * now[c - 1] - last[c];
        memcpy(last, now, sizeof last);
        memcpy(now, next, sizeof now);
    }
}

static double power_sum(const fitting *f, double x, double *slope)
{
    const double y = x / f->range;
    double value = 0;
    *slope = 0;
    for (uint32_t k = f->order; k >= 1; k--) {
        *slope = *slope * y + k * f->coefficients[k] / f->range;
        value = (value + f->coefficients[k]) * y;
    }
    return value;
}

// Rows of the system: values at even points; matching tangents, also slopes times the range.
static bool solve(fitting *f)
{
    const bool tangents = f->how->match == LAW_MATCH_TANGENT;
    const lapack_int rows = (tangents ? 2 : 1) * POINTS, columns = (lapack_int)f->order;
    double *matrix = base_alloc((size_t)rows * (size_t)columns, sizeof *matrix);
    double *right = base_alloc((size_t)rows, sizeof *right);
    bool solved = matrix != NULL && right != NULL;
    for (lapack_int i = 0; i < POINTS && solved; i++) {
        const double y = 2.0 * i / (POINTS - 1) - 1;
        double value[TERMS], slope[TERMS], psi, rate;
        basis_at(f->how->basis, f->order, y, value, slope);
        law_axis_at(f->axis, y * f->range, f->place, &psi, &rate);
        right[i] = psi;
        if (tangents)
            right[POINTS + i] = rate * f->range;
        for (lapack_int k = 0; k < columns; k++) {
            matrix[k * rows + i] = value[k];
            if (tangents)
                matrix[k * rows + POINTS + i] = slope[k];
        }
    }
    solved = solved && LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', rows, columns, 1, matrix, rows, right, rows) == 0;
    if (solved)
        to_powers(f, right, f->coefficients);
    base_free(matrix);
    base_free(right);
    return solved;
}

// With the slope at rest exact: the rest of the curve is x^2 times a polynomial, fitted in powers.
static bool solve_with_slope(fitting *f)
{
    const lapack_int columns = (lapack_int)f->order - 1;
    const double first = f->axis->facts.slope_at_0 * f->range;
    double *matrix = base_alloc((size_t)POINTS * (size_t)columns, sizeof *matrix);
    double *right = base_alloc(POINTS, sizeof *right);
    bool solved = matrix != NULL && right != NULL;
    for (lapack_int i = 0; i < POINTS && solved; i++) {
        const double y = 2.0 * i / (POINTS - 1) - 1;
        double psi, rate, power = y;
        law_axis_at(f->axis, y * f->range, f->place, &psi, &rate);
        right[i] = psi - first * y;
        for (lapack_int k = 0; k < columns; k++)
            matrix[k * POINTS + i] = power *= y;
    }
    solved = solved && LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', POINTS, columns, 1, matrix, POINTS, right, POINTS) == 0;
    memset(f->coefficients, 0, sizeof f->coefficients);
    f->coefficients[1] = first;
    for (lapack_int k = 0; k < columns && solved; k++)
        f->coefficients[k + 2] = right[k];
    base_free(matrix);
    base_free(right);
    return solved;
}

// Largest error as a share of the largest value; infinite where the slope has another sign than the curve's.
static double worst_error(const fitting *f)
{
    double worst = 0;
    for (int i = 0; i <= FINE; i++) {
        const double x = f->range * (2.0 * i / FINE - 1);
        double psi, rate, slope;
        law_axis_at(f->axis, x, f->place, &psi, &rate);
        const double value = power_sum(f, x, &slope);
        worst = fmax(worst, fabs(value - psi) / f->axis->facts.largest_value);
        if ((slope > 0) != (rate > 0))
            worst = INFINITY;
    }
    return worst;
}

static bool fit_once(fitting *f)
{
    return f->how->match == LAW_MATCH_SLOPE && f->order > 1 ? solve_with_slope(f) : solve(f);
}

static bool choose_order(fitting *f, law_fault *fault)
{
    double worst = INFINITY;
    for (f->order = 3; f->order <= LAW_MAX_FIT; f->order += 2) {
        if (!fit_once(f))
            return law_refuse(fault, f->axis->slot, SIZE_MAX, "", "the polynomial could not be found");
        worst = worst_error(f);
        if (worst <= f->how->tolerance)
            return true;
    }
    return law_refuse(fault, f->axis->slot, SIZE_MAX,
                      f->axis->facts.jump_count > 0 ? "jumps of the slope defeat polynomials: use route: exact"
                                                    : "raise the tolerance, or use route: exact",
                      "no polynomial up to degree %d is within %.3g %% of the law", LAW_MAX_FIT,
                      100 * f->how->tolerance);
}

// sum_k c_k y^(k-1) by Horner's rule, in y^2 where even ones are 0; slope: of k c_k / range.
static law_ref horner(law_graph *graph, const fitting *f, law_ref y, bool is_slope)
{
    bool is_odd = f->order % 2 == 1;
    for (uint32_t k = 2; k <= f->order; k += 2)
        is_odd = is_odd && f->coefficients[k] == 0;
    const law_ref by = is_odd ? law_make(graph, LAW_MUL, y, y) : y;
    law_ref sum = law_number(graph, 0);
    for (uint32_t k = f->order + (is_odd ? 2 : 1); k > 1;) {
        k -= is_odd ? 2 : 1;
        const double c = is_slope ? k * f->coefficients[k] / f->range : f->coefficients[k];
        sum = law_make(graph, LAW_ADD, law_make(graph, LAW_MUL, sum, by), law_number(graph, c));
    }
    return sum;
}

// The polynomial as an expression.
static void put_polynomial(law *of, law_axis *axis, const fitting *f)
{
    law_graph *graph = &of->graph;
    const law_ref y = law_make(graph, LAW_MUL, law_number(graph, 1 / f->range), law_variable(graph, LAW_X));
    axis->value = law_make(graph, LAW_MUL, horner(graph, f, y, false), y);
    axis->slope = horner(graph, f, y, true);
    axis->secant = horner(graph, f, y, false);
    axis->secant = law_make(graph, LAW_MUL, axis->secant, law_number(graph, 1 / f->range));
    axis->has_secant = true;
    axis->is_implicit = false;
    law_extract(graph, axis->value, &axis->source);
    axis->fit_order = f->order;
    memcpy(axis->fit, f->coefficients, sizeof axis->fit);
}

// Even powers of an odd curve are rounding.
static void drop_noise(fitting *f)
{
    double largest = 0;
    for (uint32_t k = 1; k <= f->order; k++)
        largest = fmax(largest, fabs(f->coefficients[k]));
    for (uint32_t k = 1; k <= f->order; k++)
        if (fabs(f->coefficients[k]) < 1e-11 * largest)
            f->coefficients[k] = 0;
}

bool law_fit_axis(law *of, law_axis *axis, const law_fit *how, law_fault *fault)
{
    fitting f = {.axis = axis, .how = how, .range = how->range > 0 ? how->range : of->range, .order = how->order};
    if (of->is_graded)
        return law_refuse(fault, axis->slot, SIZE_MAX, "use route: exact",
                          "polynomials are fitted to laws that are the same along the strand");
    if (how->range > of->range || axis->slot == LAW_RADIAL)
        return law_refuse(fault, axis->slot, SIZE_MAX, "choose a smaller range for the fit",
                          axis->slot == LAW_RADIAL ? "radial laws take route: exact"
                                                   : "the fit's range is wider than the law's");
    if (how->order == 0 ? !choose_order(&f, fault) : !fit_once(&f))
        return how->order == 0 ? false
                               : law_refuse(fault, axis->slot, SIZE_MAX, "", "the polynomial could not be found");
    drop_noise(&f);
    put_polynomial(of, axis, &f);
    const double whole = of->range;
    of->range = f.range;
    const bool sound = law_check_axis(of, axis, true, fault);
    of->range = whole;
    return sound;
}
