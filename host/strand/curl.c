// curl: even natural curvature and twist as a strand with given edges can have them.
//
// With D = kappa^2 + tau^2 the curve is (r cos u, r sin u, c u), r = kappa / D, c = tau / D, u = sqrt(D) s. The edge of
// half turn h about u is 2 r sin(h) along the circle and 2 c h along the axis, and square to the normal in its middle:
//   (D l / 2)^2 = kappa^2 sin^2(h) + tau^2 h^2.
#include "strand/curl.h"

#include "base/vec.h"
#include "strand/polyline.h"

static const double two_pi = 2 * 3.14159265358979323846;

// Two edges of half this turn each in a plane leave as much of an opening as a shape may have (polyline_measure), rad.
static const double sharpest = 1.5;

// Least tau^2 / kappa^2 with which longer edges always turn further: the largest -sin(2 h) / (2 h).
static const double steep = 0.21723362821122166;

static double curvature_size(const curl *it)
{
    return hypot(it->curvature[0], it->curvature[1]);
}

// D times half the length of the edge with half turn h, 1/m, and its derivative.
static double edge_size(double kappa, double tau, double h, double *slope)
{
    const double size = hypot(kappa * sin(h), tau * h);
    *slope = size > 0 ? (kappa * kappa * sin(h) * cos(h) + tau * tau * h) / size : hypot(kappa, tau);
    return size;
}

double curl_half_turn(const curl *it, double length)
{
    const double kappa = curvature_size(it), tau = it->twist, turn = hypot(kappa, tau);
    const double wanted = turn * turn * length / 2;
    const bool is_steep = tau * tau > steep * kappa * kappa;
    double slope, low = 0, high = is_steep ? wanted / fabs(tau) : sharpest;
    if (!is_steep && edge_size(kappa, tau, sharpest, &slope) <= wanted)
        return sharpest;
    double h = fmin(turn * length / 2, high); // along the curve, a little less than along the chord
    for (int k = 0; k < 100; k++) {           // Newton, kept between bounds that close in
        const double miss = edge_size(kappa, tau, h, &slope) - wanted;
        *(miss > 0 ? &high : &low) = h;
        const double next = h - miss / slope;
        const double kept = next >= low && next <= high ? next : (low + high) / 2;
        if (fabs(kept - h) <= 1e-16 * h)
            break;
        h = kept;
    }
    return h;
}

// Tangent and director 1 of the edge of half turn h about u: where the curve has normal N and binormal B, director 1 is
// (k1 N - k2 B) / kappa, so that bending along the curve is (k1, k2).
static void edge_frame(const curl *it, double u, double h, double tangent[3], double director[3])
{
    const double kappa = curvature_size(it), normal[3] = {-cos(u), -sin(u), 0};
    double binormal[3];
    vec_set(tangent, -kappa * sin(h) * sin(u), kappa * sin(h) * cos(u), it->twist * h);
    vec_unit(tangent, tangent);
    vec_cross(binormal, tangent, normal);
    vec_scale(director, normal, it->curvature[0] / kappa);
    vec_axpy(director, -it->curvature[1] / kappa, binormal);
}

void curl_at_vertex(const curl *it, const double half_turn[2], double w[2][2], double *twist)
{
    double tangent[2][3], director[2][3], carried[3];
    edge_frame(it, -half_turn[0], half_turn[0], tangent[0], director[0]);
    edge_frame(it, half_turn[1], half_turn[1], tangent[1], director[1]);
    const polyline line = {.vertex_count = 3, .edge_count = 2, .tangent = tangent, .director = director};
    polyline_curvature(&line, 1, w);
    vec_transport(carried, director[0], tangent[0], tangent[1]);
    const double angle = vec_angle(carried, director[1], tangent[1]);
    // Whole turns, which directors do not show, as the smooth curve has them.
    const double smooth = it->twist * (half_turn[0] + half_turn[1]) / hypot(curvature_size(it), it->twist);
    *twist = angle + two_pi * round((smooth - angle) / two_pi);
}
