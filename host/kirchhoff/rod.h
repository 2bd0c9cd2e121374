// rod: the rod's arrays and the equations of its cells, shared by the two solvers.
//
// At a node: flux S = (v, omega, q, f) and source F, so that a cell's equations are
//   M dY/dt - dS/ds + F = 0,  M dY/dt = (0, dkappa/dt, I domega/dt, m dv/dt).
// Over a cell of length ds, with means of both nodes, and in time with weights 1 - alpha, alpha on the rates and
// 1 - beta, beta on the rest of the new and the old time.
#ifndef SHEAF_KIRCHHOFF_ROD_H
#define SHEAF_KIRCHHOFF_ROD_H

#include "kirchhoff/kirchhoff.h"

enum {
    UNKNOWNS = KIRCHHOFF_UNKNOWNS,
    ENDS = UNKNOWNS / 2,        // equations at either end
    BAND = UNKNOWNS + ENDS - 1, // half-bandwidth, below and above the diagonal
    V = 0,
    OMEGA = 3,
    KAPPA = 6,
    F = 9, // where they stand in Y
};

// Flux and source of a node, and their derivatives by Y.
typedef struct node_terms {
    double flux[UNKNOWNS];
    double source[UNKNOWNS];
    double stiffness[3][3];           // dq/dkappa; the rest of the flux is Y itself
    double slope[UNKNOWNS][UNKNOWNS]; // dF/dY
} node_terms;

// Linearised equations of a cell: before dY_{j-1} + after dY_j = -residual.
typedef struct cell_rows {
    double before[UNKNOWNS][UNKNOWNS], after[UNKNOWNS][UNKNOWNS];
    double residual[UNKNOWNS];
} cell_rows;

// Linearised equations of an end: matrix dY = -residual.
typedef struct end_rows {
    double matrix[ENDS][UNKNOWNS];
    double residual[ENDS];
} end_rows;

// Weights of one step in time.
typedef struct time_weights {
    double alpha, beta, gamma;
    double step; // s
} time_weights;

// An end as it moves in space.
typedef struct end_pose {
    double place[3]; // m
    double frame[3][3];
} end_pose;

struct kirchhoff_rod {
    kirchhoff_def def;
    double time, cell; // s, m
    uint32_t nodes;
    double (*y)[UNKNOWNS], (*rate)[UNKNOWNS];      // [node] at the time, and their rates
    double (*next)[UNKNOWNS], (*update)[UNKNOWNS]; // [node] of the step under way
    double (*balance)[UNKNOWNS];                   // [cell] -dS/ds + F at the time
    node_terms *terms;                             // [node] at `next`
    double *band;                                  // the assembled matrix
    double (*transfer)[UNKNOWNS][ENDS + 1];        // [node] shooting: Y by the root's unknowns, and without them
    end_pose root, tip;
};

// ---- cell.c
void kirchhoff_node_terms(const kirchhoff_def *def, double s, const double y[UNKNOWNS], node_terms *out);
void kirchhoff_balance(const kirchhoff_rod *rod, uint32_t cell, double out[UNKNOWNS]);
void kirchhoff_cell_rows(const kirchhoff_rod *rod, uint32_t cell, const time_weights *weights, cell_rows *out);
void kirchhoff_end_rows(const kirchhoff_rod *rod, bool at_tip, double time, end_rows *out);

// ---- assembled.c, shooting.c: fill rod->update. SHEAF_ERR_FAILED: no answer, with a text.
sheaf_status kirchhoff_solve_assembled(kirchhoff_rod *rod, const time_weights *weights);
sheaf_status kirchhoff_solve_shooting(kirchhoff_rod *rod, const time_weights *weights, double *growth);

// ---- band.c

// Entries that a matrix of this many rows takes: BAND below, and above it 2 BAND, because rows change places.
size_t band_size(uint32_t rows);
double *band_entry(double *band, uint32_t row, uint32_t column);

// Solves in place; `right` becomes the answer. False: singular.
bool band_solve(double *band, uint32_t rows, double *right);

// The same for a small full matrix, with several right sides [size][sides].
bool dense_solve(uint32_t size, double *matrix, uint32_t sides, double *right);

// ---- shape.c
void kirchhoff_place_tip(kirchhoff_rod *rod); // where the curvatures lead from the root
void kirchhoff_move_end(end_pose *end, const double before[UNKNOWNS], const double after[UNKNOWNS], double step);

#endif
