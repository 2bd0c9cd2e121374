// curvature: curvature binormals, material frames, material curvatures and twists, and the gradients of kb and psi.
#include "der/ref/ref.h"

#include "base/vec.h"

// Least |e^{i-1}||e^i| + e^{i-1}.e^i, as a share of |e^{i-1}||e^i|: bounds kb where edges fold back on each other
// (bends sharper than 172 degrees).
static const double least_denominator = 0.01;

// kb_i = 2 e^{i-1} x e^i / (|e^{i-1}||e^i| + e^{i-1}.e^i), which only tangents enter (1)
static void curvature_binormal(ref_rod *rod, uint32_t i)
{
    const double *before = rod->tangent[rod_edge_before(rod, i)], *after = rod->tangent[i];
    double cross[3];
    vec_cross(cross, before, after);
    vec_scale(rod->kb[i], cross, 2 / fmax(1 + vec_dot(before, after), least_denominator));
}

static void material_frame(ref_rod *rod, uint32_t j)
{
    const double *u = rod->bishop[j], c = cos(rod->theta[j]), s = sin(rod->theta[j]);
    double v[3];
    vec_cross(v, rod->tangent[j], u);
    for (int k = 0; k < 3; k++) {
        rod->m1[j][k] = c * u[k] + s * v[k];
        rod->m2[j][k] = c * v[k] - s * u[k];
    }
}

void ref_curvature(ref_rod *rod)
{
    for (uint32_t j = 0; j < rod->edge_count; j++)
        material_frame(rod, j);
    for (uint32_t i = rod_interior_first(rod); i < rod_interior_end(rod); i++) {
        const uint32_t edge[2] = {rod_edge_before(rod, i), i};
        curvature_binormal(rod, i);
        for (int side = 0; side < 2; side++) {
            rod->w[i][side][0] = vec_dot(rod->kb[i], rod->m2[edge[side]]);
            rod->w[i][side][1] = -vec_dot(rod->kb[i], rod->m1[edge[side]]);
        }
        rod->m[i] = rod->theta[edge[1]] - rod->theta[edge[0]];
        if (i == 0)
            rod->m[i] += *rod->closing_angle + rod->closing_twist;
    }
}

// (2 [e] + sign kb d^T) / D, with [e] y = e x y
static void binormal_block(const double e[3], const double kb[3], const double d[3], double sign, double denominator,
                           double block[3][3])
{
    const double cross[3][3] = {{0, -e[2], e[1]}, {e[2], 0, -e[0]}, {-e[1], e[0], 0}};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            block[r][c] = (2 * cross[r][c] + sign * kb[r] * d[c]) / denominator;
}

// Gradients of D_i = |e^{i-1}||e^i| + e^{i-1}.e^i by e^{i-1} and by e^i. The paper takes |e| as constant and so keeps
// the second term only; where D_i is bounded from below it is a multiple of |e^{i-1}||e^i|.
static double denominator_gradients(const ref_rod *rod, uint32_t i, bool inextensible, double by_before[3],
                                    double by_after[3])
{
    const uint32_t before = rod_edge_before(rod, i);
    const double lengths = rod->length[before] * rod->length[i];
    const double bend = 1 + vec_dot(rod->tangent[before], rod->tangent[i]);
    const bool bounded = bend < least_denominator;
    const double stretching = inextensible ? 0 : bounded ? least_denominator : 1, turning = bounded ? 0 : 1;
    vec_scale(by_before, rod->tangent[i], turning * rod->length[i]);
    vec_axpy(by_before, stretching * rod->length[i], rod->tangent[before]);
    vec_scale(by_after, rod->tangent[before], turning * rod->length[before]);
    vec_axpy(by_after, stretching * rod->length[before], rod->tangent[i]);
    return lengths * fmax(bend, least_denominator);
}

void ref_curvature_gradient(const ref_rod *rod, uint32_t i, bool inextensible, double gradient[3][3][3])
{
    const uint32_t before = rod_edge_before(rod, i);
    double by_before[3], by_after[3], edge_before[3], edge_after[3];
    const double denominator = denominator_gradients(rod, i, inextensible, by_before, by_after);
    vec_scale(edge_before, rod->tangent[before], rod->length[before]);
    vec_scale(edge_after, rod->tangent[i], rod->length[i]);
    binormal_block(edge_after, rod->kb[i], by_before, 1, denominator, gradient[0]);
    binormal_block(edge_before, rod->kb[i], by_after, -1, denominator, gradient[2]);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            gradient[1][r][c] = -gradient[0][r][c] - gradient[2][r][c];
}

void ref_holonomy_gradient(const ref_rod *rod, uint32_t i, double gradient[3][3])
{
    vec_scale(gradient[0], rod->kb[i], 0.5 / rod->length[rod_edge_before(rod, i)]);
    vec_scale(gradient[2], rod->kb[i], -0.5 / rod->length[i]);
    for (int c = 0; c < 3; c++)
        gradient[1][c] = -gradient[0][c] - gradient[2][c];
}
