// frames: tangents, Bishop frames and held frames, carried from the last pose to the present one.
//
// Everything that is attached to an edge turns with it by parallel transport in time. The Bishop frame of an inner edge
// is fixed by transport along the rod instead, and so turns by Psi^j = psi_1 + .. + psi_j against the frame carried in
// time; free angles lose that much, which leaves the material frame carried in time.
#include "der/ref/ref.h"

#include "base/vec.h"

static const double turn = 6.283185307179586476925;

// The value nearest to `guess` among those that differ from `angle` by whole turns.
static double unwrap(double angle, double guess)
{
    return angle + turn * round((guess - angle) / turn);
}

// Takes rounding's drift out of a director: back to unit length and normal to t.
static void adapt(double director[3], const double t[3])
{
    vec_axpy(director, -vec_dot(director, t), t);
    vec_unit(director, director);
}

static void measure_edge(ref_rod *rod, uint32_t j)
{
    double edge[3];
    vec_sub(edge, rod->x[rod_next_vertex(rod, j)], rod->x[j]);
    rod->length[j] = vec_length(edge);
    vec_scale(rod->tangent[j], edge, 1 / rod->length[j]);
}

// Moves u^j to the new pose; returns Psi^j given Psi^{j-1}. A single psi_i stays below half a turn where the sum may
// not, so the turns are counted along the rod.
static double move_bishop(ref_rod *rod, uint32_t j, const double old_tangent[3], double turned_before)
{
    double carried[3];
    const double *t = rod->tangent[j];
    vec_transport(carried, rod->bishop[j], old_tangent, t);
    adapt(carried, t);
    if (j == 0) {
        vec_copy(rod->bishop[0], carried);
        return 0;
    }
    double along[3];
    vec_transport(along, rod->bishop[j - 1], rod->tangent[j - 1], t);
    adapt(along, t);
    vec_copy(rod->bishop[j], along);
    return unwrap(vec_angle(carried, along, t), turned_before);
}

static void move_held(ref_rod *rod, uint32_t j, const double old_tangent[3], double turned)
{
    double director[3];
    if (rod->tangent_is_held[j])
        vec_copy(director, rod->held[j]);
    else
        vec_transport(director, rod->held[j], old_tangent, rod->tangent[j]);
    adapt(director, rod->tangent[j]);
    vec_copy(rod->held[j], director);
    const double angle = vec_angle(rod->bishop[j], director, rod->tangent[j]);
    rod->held_angle[j] = unwrap(angle, rod->held_angle[j] - turned);
    rod->theta[j] = rod->held_angle[j] + rod->imposed[j];
}

// The angle by which the Bishop frame fails to close, from P_0(u^{n-1}) to u^0; it loses what the loop's holonomy
// gains.
static void close_loop(ref_rod *rod, double turned)
{
    double arriving[3];
    const uint32_t last = rod->edge_count - 1;
    vec_transport(arriving, rod->bishop[last], rod->tangent[last], rod->tangent[0]);
    const double angle = vec_angle(arriving, rod->bishop[0], rod->tangent[0]);
    *rod->closing_angle = unwrap(angle, *rod->closing_angle - turned);
}

void ref_frames(ref_rod *rod)
{
    double turned = 0;
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        double old_tangent[3];
        vec_copy(old_tangent, rod->tangent[j]);
        measure_edge(rod, j);
        turned = move_bishop(rod, j, old_tangent, turned);
        if (rod->angle_is_held[j])
            move_held(rod, j, old_tangent, turned);
        else
            rod->theta[j] -= turned;
    }
    if (rod->closed)
        close_loop(rod, turned);
}

// Of held frames that turn with their edges: straight from the start of the step to the present pose, whatever way
// iterations took there.
void ref_shorten_frames(ref_rod *rod)
{
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        double director[3];
        if (!rod->angle_is_held[j] || rod->tangent_is_held[j])
            continue;
        vec_transport(director, rod->start_held[j], rod->start_tangent[j], rod->tangent[j]);
        adapt(director, rod->tangent[j]);
        vec_copy(rod->held[j], director);
        rod->held_angle[j] = unwrap(vec_angle(rod->bishop[j], director, rod->tangent[j]), rod->held_angle[j]);
        rod->theta[j] = rod->held_angle[j] + rod->imposed[j];
    }
}
