// usda_basis: how vertices on a curve follow from its control points.
#include "groom/usda_basis.h"

#include <string.h>

usda_basis usda_basis_of(const usda_curves *curves)
{
    if (strcmp(curves->type, "linear") == 0)
        return USDA_BASIS_LINEAR;
    if (strcmp(curves->basis, "catmullRom") == 0)
        return USDA_BASIS_CATMULL_ROM;
    if (strcmp(curves->basis, "bspline") == 0)
        return USDA_BASIS_BSPLINE;
    return strcmp(curves->basis, "bezier") == 0 ? USDA_BASIS_BEZIER : USDA_BASIS_OTHER;
}

static usda_stencil only(uint64_t point)
{
    return (usda_stencil){.first = point, .count = 1, .weight = {1}};
}

// Uniform cubic B-splines are (P0 + 4 P1 + P2)/6 where spans meet; pinned ones start and end at control points.
static usda_stencil of_bspline(bool trimmed, uint64_t vertices, uint64_t vertex)
{
    if (!trimmed && (vertex == 0 || vertex + 1 == vertices))
        return only(vertex);
    return (usda_stencil){.first = trimmed ? vertex : vertex - 1, .count = 3, .weight = {1.0 / 6, 4.0 / 6, 1.0 / 6}};
}

// Bernstein's polynomials at 1/3 and 2/3.
static usda_stencil of_bezier(uint64_t vertex)
{
    const uint64_t start = vertex - vertex % 3;
    if (vertex == start)
        return only(vertex);
    if (vertex == start + 1)
        return (usda_stencil){start, 4, {8.0 / 27, 12.0 / 27, 6.0 / 27, 1.0 / 27}};
    return (usda_stencil){start, 4, {1.0 / 27, 6.0 / 27, 12.0 / 27, 8.0 / 27}};
}

usda_stencil usda_stencil_of(usda_basis basis, bool trimmed, uint64_t vertices, uint64_t vertex)
{
    if (basis == USDA_BASIS_BSPLINE)
        return of_bspline(trimmed, vertices, vertex);
    if (basis == USDA_BASIS_BEZIER)
        return of_bezier(vertex);
    return only(trimmed ? vertex + 1 : vertex);
}
