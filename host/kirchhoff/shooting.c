// shooting: one Newton step of a Kirchhoff rod by marching from the root to the tip with the root's unknowns left open.
//
// Every dY is T u + c, u the six values that the root's equations leave open. The tip's equations then give u. What is
// marched grows like exp(L / (speed of waves x time step)), and of 16 digits as many are lost as the growth has: beyond
// 1e12 the answer would be noise.
#include <math.h>
#include <string.h>

#include "kirchhoff/rod.h"

static const double LARGEST_GROWTH = 1e12;

typedef double columns[UNKNOWNS][ENDS + 1]; // T and, last, c

// The root: a held one leaves curvature and force open, a free one its velocities.
static bool start(const kirchhoff_rod *rod, double time, columns out)
{
    end_rows rows;
    kirchhoff_end_rows(rod, false, time, &rows);
    const int open = rod->def.root.is_free ? V : KAPPA, fixed = rod->def.root.is_free ? KAPPA : V;
    double matrix[ENDS][ENDS], right[ENDS];
    memset(out, 0, sizeof(columns));
    for (int r = 0; r < ENDS; r++) {
        right[r] = -rows.residual[r];
        out[open + r][r] = rod->def.scale[(open + r) / 3]; // unknowns in units that count
        for (int c = 0; c < ENDS; c++)
            matrix[r][c] = rows.matrix[r][fixed + c];
    }
    if (!dense_solve(ENDS, &matrix[0][0], 1, right))
        return false;
    for (int r = 0; r < ENDS; r++)
        out[fixed + r][ENDS] = right[r];
    return true;
}

// after T_j = -before T_{j-1}, after c_j = -before c_{j-1} - residual
static bool march(const kirchhoff_rod *rod, uint32_t cell, const time_weights *weights, const columns from, columns to)
{
    cell_rows rows;
    kirchhoff_cell_rows(rod, cell, weights, &rows);
    for (int r = 0; r < UNKNOWNS; r++)
        for (int c = 0; c <= ENDS; c++) {
            to[r][c] = c == ENDS ? -rows.residual[r] : 0;
            for (int k = 0; k < UNKNOWNS; k++)
                to[r][c] -= rows.before[r][k] * from[k][c];
        }
    return dense_solve(UNKNOWNS, &rows.after[0][0], ENDS + 1, &to[0][0]);
}

static double largest_factor(const kirchhoff_rod *rod, const columns at)
{
    double largest = 0;
    for (int r = 0; r < UNKNOWNS; r++)
        for (int c = 0; c < ENDS; c++)
            largest = fmax(largest, isfinite(at[r][c]) ? fabs(at[r][c]) / rod->def.scale[r / 3] : INFINITY);
    return largest;
}

// The root's unknowns by the tip's equations.
static bool aim(const kirchhoff_rod *rod, double time, double unknowns[ENDS])
{
    end_rows rows;
    kirchhoff_end_rows(rod, true, time, &rows);
    const double(*tip)[ENDS + 1] = (const double(*)[ENDS + 1]) rod->transfer[rod->def.cells];
    double matrix[ENDS][ENDS];
    for (int r = 0; r < ENDS; r++) {
        unknowns[r] = -rows.residual[r];
        for (int c = 0; c <= ENDS; c++) {
            double sum = 0;
            for (int k = 0; k < UNKNOWNS; k++)
                sum += rows.matrix[r][k] * tip[k][c];
            if (c < ENDS)
                matrix[r][c] = sum;
            else
                unknowns[r] -= sum;
        }
    }
    return dense_solve(ENDS, &matrix[0][0], 1, unknowns);
}

static sheaf_status fail_singular(const kirchhoff_rod *rod)
{
    return base_fail(SHEAF_ERR_FAILED,
                     "shooting along the rod found no answer at %g s: a matrix is singular. Try the "
                     "assembled solver.",
                     rod->time);
}

sheaf_status kirchhoff_solve_shooting(kirchhoff_rod *rod, const time_weights *weights, double *growth)
{
    const double time = rod->time + weights->step;
    double unknowns[ENDS];
    if (!start(rod, time, rod->transfer[0]))
        return fail_singular(rod);
    for (uint32_t cell = 0; cell < rod->def.cells; cell++) {
        if (!march(rod, cell, weights, (const double(*)[ENDS + 1]) rod->transfer[cell], rod->transfer[cell + 1]))
            return fail_singular(rod);
        *growth = fmax(*growth, largest_factor(rod, (const double(*)[ENDS + 1]) rod->transfer[cell + 1]));
        if (*growth > LARGEST_GROWTH)
            return base_fail(SHEAF_ERR_FAILED,
                             "shooting along the rod grew by a factor of %.1e at %g of its length, more than the %.0e "
                             "that leaves digits to trust: the time step of %g s is too short for it. Use the "
                             "assembled solver, or longer steps.",
                             *growth, (cell + 1.0) / rod->def.cells, LARGEST_GROWTH, weights->step);
    }
    if (!aim(rod, time, unknowns))
        return fail_singular(rod);
    for (uint32_t node = 0; node < rod->nodes; node++)
        for (int r = 0; r < UNKNOWNS; r++) {
            rod->update[node][r] = rod->transfer[node][r][ENDS];
            for (int c = 0; c < ENDS; c++)
                rod->update[node][r] += rod->transfer[node][r][c] * unknowns[c];
        }
    return SHEAF_OK;
}
