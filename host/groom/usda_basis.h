// usda_basis: how vertices on a curve follow from its control points.
#ifndef SHEAF_GROOM_USDA_BASIS_H
#define SHEAF_GROOM_USDA_BASIS_H

#include "groom/usda.h"

typedef enum usda_basis {
    USDA_BASIS_LINEAR,
    USDA_BASIS_CATMULL_ROM,
    USDA_BASIS_BSPLINE,
    USDA_BASIS_BEZIER,
    USDA_BASIS_OTHER
} usda_basis;

enum { USDA_MOST_WEIGHTS = 4 };

// A vertex is the sum of weights times control points, from number `first` of the curve on.
typedef struct usda_stencil {
    uint64_t first;
    uint32_t count;
    double weight[USDA_MOST_WEIGHTS];
} usda_stencil;

usda_basis usda_basis_of(const usda_curves *curves);

// Of vertex `vertex` of the `vertices` that a curve has. Vertices are where spans meet, and of bezier curves, whose
// spans are three control points long, also at a third and two thirds of each span. `trimmed`: the first and the last
// control point only shape the curve's ends.
usda_stencil usda_stencil_of(usda_basis basis, bool trimmed, uint64_t vertices, uint64_t vertex);

#endif
