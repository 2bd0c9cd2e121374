// strains: what a strand is strained by at a vertex, and what it answers, from its vertices and directors.
#ifndef SHEAF_RUN_STRAINS_H
#define SHEAF_RUN_STRAINS_H

#include "model/model.h"

// Strains over length at an interior vertex, 1/m, by the edge before it and the one after: about director 1, about
// director 2, and twist, each less the natural one; from the vertices and directors of the strand's whole length.
void run_strains(const sheaf_model *model, uint32_t strand, uint32_t vertex, const double (*positions)[3],
                 const double (*directors)[3], double strains[2][3]);

// What a strand bears at an interior vertex: moments against bending towards director 1 and 2 and against twist, N m,
// from the vertices and directors of its whole length. They are those of the section behind on the section before.
void run_moments(const sheaf_model *model, uint32_t strand, uint32_t vertex, const double (*positions)[3],
                 const double (*directors)[3], double bend[2], double *twist);

#endif
