// drape: lays the strands of a population on the body that they grow on.
//
// A strand starts along the comb, a little off the skin, and goes on in steps: near the body the comb turns it, away
// from it gravity, and it is kept off the skin by its layer. What chance has made of neighbours is then smoothed along
// and among strands, and curls are wound about what comes out (theory: docs/populations.md).
#ifndef SHEAF_GROW_DRAPE_H
#define SHEAF_GROW_DRAPE_H

#include "grow/roots.h"

// Axes of all strands, while they are made.
typedef struct drape {
    const grow_population *g;
    grow_spot *spots;               // [strand] of the roots
    double (*ways)[3];              // [strand] comb at the root, along the surface, unit
    double *edges;                  // [strand] m
    float (*points)[3];             // [strand][vertices] from the root, m; the first at the root
    uint32_t *leaders[GROW_LEVELS]; // [group] strand nearest to the group's middle
} drape;

// Cosine of the angle between combs from which strands have to do with each other.
#define DRAPE_ALIKE 0.3

// A strand's axis, followed from its root on, with a direction across that is carried along without twist.
typedef struct drape_axis {
    const float (*points)[3]; // [count]; NULL: none
    uint32_t count, at;
    double root[3], edge;
    double along[3], lean[3]; // unit vectors at the place reached
} drape_axis;

drape_axis drape_axis_of(const drape *d, uint32_t strand);

// Point at a way z from where curves begin, half an edge from the root; z never goes back. Beyond its end an axis goes
// straight on.
void drape_follow(drape_axis *axis, double z, double point[3]);

// Fills the population's `draped`. Returns SHEAF_OK, SHEAF_ERR_INPUT (nothing says how hair is combed),
// SHEAF_ERR_MEMORY.
sheaf_status drape_all(grow_population *g);

// Of strand.c: a strand's length, m, and its vertices wound about draped axes and gathered.
double strand_length(const grow_population *g, uint32_t k);
void strand_drape(const grow_population *g, const drape *d, uint32_t k, double (*points)[3], double normal[3]);

#endif
