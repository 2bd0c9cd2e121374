// polyline: lengths, tangents, twist-free frames and curvatures of a shape.
#include "strand/polyline.h"

#include "base/vec.h"

// Edges that turn by more than 172 degrees have no trustworthy curvature: |kb| = 2 tan(angle / 2) runs away.
static const double least_opening = 0.01; // of 1 + cos(turning angle)

// Shortest edge whose direction still has three digits or so at the size of its coordinates, m.
static double least_length(const polyline *line)
{
    double largest = 0;
    for (uint32_t i = 0; i < line->vertex_count; i++)
        for (int c = 0; c < 3; c++)
            largest = fmax(largest, fabs(line->point[i][c]));
    return 1e-12 + 1e-12 * largest;
}

static sheaf_status check_folds(const polyline *line, const char *where)
{
    for (uint32_t i = polyline_interior_first(line); i < polyline_interior_end(line); i++)
        if (!(1 + vec_dot(line->tangent[polyline_edge_before(line, i)], line->tangent[i]) >= least_opening))
            return base_fail(SHEAF_ERR_INPUT,
                             "%s: at vertex %u the strand folds back on itself; spread the turn over more vertices",
                             where, i);
    return SHEAF_OK;
}

sheaf_status polyline_measure(polyline *line, const char *where)
{
    const double least = least_length(line);
    for (uint32_t j = 0; j < line->edge_count; j++) {
        const uint32_t next = j + 1 < line->vertex_count ? j + 1 : 0;
        double edge[3];
        vec_sub(edge, line->point[next], line->point[j]);
        line->length[j] = vec_length(edge);
        if (!(line->length[j] >= least))
            return base_fail(SHEAF_ERR_INPUT,
                             "%s: vertices %u and %u coincide (%.3g m apart, at least %.3g m are needed); remove one",
                             where, j, next, line->length[j], least);
        vec_unit(line->tangent[j], edge);
    }
    return check_folds(line, where);
}

// Removes what rounding has added to `u` along `t`.
static void make_normal(double u[3], const double t[3])
{
    vec_axpy(u, -vec_dot(u, t), t);
    vec_unit(u, u);
}

void polyline_frame(polyline *line, const double first[3], double twist)
{
    double bishop[3], angle = 0;
    vec_copy(bishop, first);
    vec_copy(line->director[0], first);
    for (uint32_t j = 1; j < line->edge_count; j++) {
        vec_transport(bishop, bishop, line->tangent[j - 1], line->tangent[j]);
        make_normal(bishop, line->tangent[j]);
        angle += twist * (line->length[j - 1] + line->length[j]) / 2;
        vec_rotate(line->director[j], bishop, line->tangent[j], angle);
    }
    if (!polyline_is_closed(line))
        return;
    vec_transport(bishop, bishop, line->tangent[line->edge_count - 1], line->tangent[0]);
    line->closing_angle = vec_angle(bishop, first, line->tangent[0]);
    line->closing_turn = line->closing_angle - angle;
}

// kb_i = 2 e^{i-1} x e^i / (|e^{i-1}| |e^i| + e^{i-1} . e^i), here of unit tangents.
static void curvature_binormal(const polyline *line, uint32_t i, double kb[3])
{
    const double *before = line->tangent[polyline_edge_before(line, i)], *after = line->tangent[i];
    vec_cross(kb, before, after);
    vec_scale(kb, kb, 2 / (1 + vec_dot(before, after)));
}

void polyline_curvature(const polyline *line, uint32_t i, double w[2][2])
{
    const uint32_t edges[2] = {polyline_edge_before(line, i), i};
    double kb[3], m2[3];
    curvature_binormal(line, i, kb);
    for (int side = 0; side < 2; side++) {
        const double *m1 = line->director[edges[side]];
        vec_cross(m2, line->tangent[edges[side]], m1);
        w[side][0] = vec_dot(kb, m2);
        w[side][1] = -vec_dot(kb, m1);
    }
}
