// truth_strain: the five strains at a vertex with all their first and second derivatives, by differentiation of the
// formulas themselves, number by number. Nothing is derived by hand, and nothing of it is used by the stepping
// reference or the kernels.
#ifndef SHEAF_REF_TRUTH_STRAIN_H
#define SHEAF_REF_TRUTH_STRAIN_H

// What strains at a vertex depend on: the edge before and after it, and by how far their frames turn.
enum { TRUTH_EDGE_BEFORE = 0, TRUTH_EDGE_AFTER = 3, TRUTH_TURN_BEFORE = 6, TRUTH_TURN_AFTER = 7, TRUTH_VARIABLES };

// A number and its derivatives by these variables.
typedef struct truth_jet {
    double value, gradient[TRUTH_VARIABLES], hessian[TRUTH_VARIABLES][TRUTH_VARIABLES];
} truth_jet;

// An edge as it is: its vector, m, and director 1 of its frame, a unit vector across it.
typedef struct truth_edge {
    double vector[3], director[3];
} truth_edge;

// Strains at the vertex between two edges: the curvatures by the frame before, by the frame after, and the twist, which
// is the one nearest to `twist`, rad. Derivatives by an edge take its frame along without turning it about the edge,
// from the edge as it is.
void truth_strains(const truth_edge *before, const truth_edge *after, double twist, truth_jet strains[5]);

#endif
