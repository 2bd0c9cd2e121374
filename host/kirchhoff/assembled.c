// assembled: one Newton step of a Kirchhoff rod with all its equations in one band matrix.
#include <string.h>

#include "kirchhoff/rod.h"

// The ends' rows come first and last, so that the band is as narrow below as above the diagonal.
static void put_end(kirchhoff_rod *rod, bool at_tip, double time)
{
    end_rows rows;
    kirchhoff_end_rows(rod, at_tip, time, &rows);
    const uint32_t column = at_tip ? UNKNOWNS * rod->def.cells : 0, row = at_tip ? column + ENDS : 0;
    double *right = &rod->update[0][0];
    for (uint32_t r = 0; r < ENDS; r++) {
        right[row + r] = -rows.residual[r];
        for (uint32_t c = 0; c < UNKNOWNS; c++)
            if (rows.matrix[r][c] != 0)
                *band_entry(rod->band, row + r, column + c) = rows.matrix[r][c];
    }
}

static void put_cell(kirchhoff_rod *rod, uint32_t cell, const time_weights *weights)
{
    cell_rows rows;
    kirchhoff_cell_rows(rod, cell, weights, &rows);
    const uint32_t column = UNKNOWNS * cell, row = column + ENDS;
    double *right = &rod->update[0][0];
    for (uint32_t r = 0; r < UNKNOWNS; r++) {
        right[row + r] = -rows.residual[r];
        memcpy(band_entry(rod->band, row + r, column), rows.before[r], sizeof rows.before[r]);
        memcpy(band_entry(rod->band, row + r, column + UNKNOWNS), rows.after[r], sizeof rows.after[r]);
    }
}

sheaf_status kirchhoff_solve_assembled(kirchhoff_rod *rod, const time_weights *weights)
{
    const uint32_t rows = UNKNOWNS * rod->nodes;
    memset(rod->band, 0, band_size(rows) * sizeof *rod->band);
    put_end(rod, false, rod->time + weights->step);
    for (uint32_t cell = 0; cell < rod->def.cells; cell++)
        put_cell(rod, cell, weights);
    put_end(rod, true, rod->time + weights->step);
    if (!band_solve(rod->band, rows, &rod->update[0][0]))
        return base_fail(
            SHEAF_ERR_FAILED,
            "the equations of the rod have no answer at %g s: their matrix is singular. Both ends free, or "
            "a law without stiffness, do that.",
            rod->time);
    return SHEAF_OK;
}
