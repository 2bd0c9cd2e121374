// shape: from curvatures to places, by Rodrigues' formula in every cell.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "kirchhoff/rod.h"

// The rotation by the vector `turn` (rows out[k]: images of the axes in the old axes), and where the third axis takes a
// point that goes `length` along it while it turns evenly.
static void turn_axes(const double turn[3], double length, double out[3][3], double way[3])
{
    const double angle = vec_length(turn), square = angle * angle;
    const bool small = angle < 1e-4; // series, whose next terms are below rounding
    const double a = small ? 1 - square / 6 : sin(angle) / angle;
    const double b = small ? 0.5 - square / 24 : (1 - cos(angle)) / square;
    const double c = small ? 1.0 / 6 - square / 120 : (1 - a) / square;
    for (int k = 0; k < 3; k++) {
        double axis[3] = {0, 0, 0}, once[3], twice[3];
        axis[k] = 1;
        vec_cross(once, turn, axis);
        vec_cross(twice, turn, once);
        for (int i = 0; i < 3; i++) {
            out[k][i] = axis[i] + a * once[i] + b * twice[i];
            if (k == 2)
                way[i] = length * (axis[i] + b * once[i] + c * twice[i]);
        }
    }
}

// A vector given in a frame's axes, in space.
static void out_of_frame(const double frame[3][3], const double a[3], double out[3])
{
    vec_scale(out, frame[0], a[0]);
    vec_axpy(out, a[1], frame[1]);
    vec_axpy(out, a[2], frame[2]);
}

static void turn_frame(double frame[3][3], const double axes[3][3])
{
    double turned[3][3];
    for (int k = 0; k < 3; k++)
        out_of_frame((const double(*)[3])frame, axes[k], turned[k]);
    memcpy(frame, turned, sizeof turned);
}

void kirchhoff_move_end(end_pose *end, const double before[UNKNOWNS], const double after[UNKNOWNS], double step)
{
    double turn[3], axes[3][3], unused[3], velocity[3];
    out_of_frame((const double(*)[3])end->frame, before + V, velocity);
    vec_axpy(end->place, step / 2, velocity);
    vec_add(turn, before + OMEGA, after + OMEGA);
    vec_scale(turn, turn, step / 2);
    turn_axes(turn, 0, axes, unused);
    turn_frame(end->frame, (const double(*)[3])axes);
    out_of_frame((const double(*)[3])end->frame, after + V, velocity);
    vec_axpy(end->place, step / 2, velocity);
}

// From the root's pose along the rod; `points` may be NULL.
static end_pose walk(const kirchhoff_rod *rod, double (*points)[3])
{
    end_pose at = rod->root;
    for (uint32_t node = 0; node < rod->nodes; node++) {
        if (points != NULL)
            vec_copy(points[node], at.place);
        if (node == rod->def.cells)
            break;
        double turn[3], axes[3][3], way[3], step[3];
        vec_add(turn, rod->y[node] + KAPPA, rod->y[node + 1] + KAPPA);
        vec_scale(turn, turn, rod->cell / 2);
        turn_axes(turn, rod->cell, axes, way);
        out_of_frame((const double(*)[3])at.frame, way, step);
        vec_axpy(at.place, 1, step);
        turn_frame(at.frame, (const double(*)[3])axes);
    }
    return at;
}

void kirchhoff_place_tip(kirchhoff_rod *rod)
{
    rod->tip = walk(rod, NULL);
}

double kirchhoff_shape(const kirchhoff_rod *rod, double (*points)[3], double tip_frame[3][3])
{
    double off[3];
    const end_pose tip = walk(rod, points);
    if (tip_frame != NULL)
        memcpy(tip_frame, tip.frame, sizeof tip.frame);
    vec_sub(off, tip.place, rod->tip.place);
    return vec_length(off);
}
