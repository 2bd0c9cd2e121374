// settle: brings frames that are far from equilibrium near to one, by turning runs of neighbouring frames as one.
//
// Newton's method loses its way where the energy is not convex in the angles. Along the turn of a single run the energy
// is simple, whatever the other frames do: bending is a trigonometric polynomial of second order and twist, which acts
// at the two ends of the run only, a parabola. So its least value is found by a look around the circle. Long runs go
// first: twist keeps neighbours together, and single frames would take many sweeps to turn far with them.
#include "der/ref/ref.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

enum { SAMPLES = 32, REFINEMENTS = 4, CYCLES = 4 };

// Energy of a run of frames against its turn phi, J, up to a constant:
// c1 cos(phi) + s1 sin(phi) + c2 cos(2 phi) + s2 sin(2 phi) + slope phi + stiffness phi^2 / 2
typedef struct turn_energy {
    double c1, s1, c2, s2, slope, stiffness;
} turn_energy;

// Adds |w(phi) - wbar|_B^2 / (2 lb) of w_i^j, where w(phi) = (w0 cos(phi) + w1 sin(phi), w1 cos(phi) - w0 sin(phi)).
static void add_bending(const ref_rod *rod, uint32_t i, int side, turn_energy *energy)
{
    const double *w = rod->w[i][side], *natural = rod->natural_curvature[i][side];
    const double *bend = rod_bend(rod, i, side == 0 ? rod_edge_before(rod, i) : i);
    const double scale = 1 / rod_voronoi(rod, i), difference = scale * (bend[0] - bend[1]) / 2;
    const double pull[2] = {scale * bend[0] * natural[0], scale * bend[1] * natural[1]};
    energy->c1 -= pull[0] * w[0] + pull[1] * w[1];
    energy->s1 -= pull[0] * w[1] - pull[1] * w[0];
    energy->c2 += difference * (w[0] * w[0] - w[1] * w[1]) / 2;
    energy->s2 += difference * w[0] * w[1];
}

static bool is_interior(const ref_rod *rod, uint32_t i)
{
    return i >= rod_interior_first(rod) && i < rod_interior_end(rod);
}

// Adds the twist at vertex i, which grows by sign * phi.
static void add_twist(const ref_rod *rod, uint32_t i, double sign, turn_energy *energy)
{
    if (!is_interior(rod, i))
        return;
    energy->slope += sign * ref_twist_moment(rod, i);
    energy->stiffness += 2 * rod->twist[i] / rod_voronoi(rod, i);
}

// A run of free edges first, first + 1, .. in the cycle of edges. It starts at vertex `first` and ends at `end`.
typedef struct frame_run {
    uint32_t first, count, end;
} frame_run;

static uint32_t run_edge(const ref_rod *rod, const frame_run *run, uint32_t k)
{
    return (run->first + k) % rod->edge_count;
}

static turn_energy energy_of_turn(const ref_rod *rod, const frame_run *run)
{
    turn_energy energy = {0};
    for (uint32_t k = 0; k < run->count; k++) {
        const uint32_t j = run_edge(rod, run, k), end = rod_next_vertex(rod, j);
        if (is_interior(rod, j))
            add_bending(rod, j, 1, &energy);
        if (is_interior(rod, end))
            add_bending(rod, end, 0, &energy);
        energy.slope -= rod->axial_couple[j];
    }
    if (run->first != run->end) { // else all of a ring turns, which does not twist it
        add_twist(rod, run->first, 1, &energy);
        add_twist(rod, run->end, -1, &energy);
    }
    return energy;
}

static double energy_at(const turn_energy *energy, double phi)
{
    return energy->c1 * cos(phi) + energy->s1 * sin(phi) + energy->c2 * cos(2 * phi) + energy->s2 * sin(2 * phi) +
           phi * (energy->slope + phi * energy->stiffness / 2);
}

// Newton's step along the turn, 0 where the energy is not convex; no longer than a sample is wide.
static double refinement(const turn_energy *energy, double phi)
{
    const double c = cos(phi), s = sin(phi), c2 = cos(2 * phi), s2 = sin(2 * phi), limit = 2 * pi / SAMPLES;
    const double first = energy->s1 * c - energy->c1 * s + 2 * (energy->s2 * c2 - energy->c2 * s2) + energy->slope +
                         energy->stiffness * phi;
    const double second = energy->stiffness - energy->c1 * c - energy->s1 * s - 4 * (energy->c2 * c2 + energy->s2 * s2);
    return second > 0 ? fmax(-limit, fmin(limit, -first / second)) : 0;
}

// The turn within half a circle that leads to the least energy; 0 when none leads to less.
static double best_turn(const turn_energy *energy)
{
    double best = 0, least = energy_at(energy, 0);
    for (int k = -SAMPLES / 2; k <= SAMPLES / 2; k++) {
        const double phi = 2 * pi * k / SAMPLES, here = energy_at(energy, phi);
        if (here < least) {
            best = phi;
            least = here;
        }
    }
    double phi = best;
    for (int k = 0; k < REFINEMENTS; k++)
        phi += refinement(energy, phi);
    return energy_at(energy, phi) < least ? phi : best;
}

static void turn_curvature(double w[2], double phi)
{
    const double w0 = w[0], c = cos(phi), s = sin(phi);
    w[0] = c * w0 + s * w[1];
    w[1] = c * w[1] - s * w0;
}

// Leaves w and m right up to rounding. Those of an open rod's end vertices have no meaning and may turn with the rest.
static void turn_run(ref_rod *rod, const frame_run *run)
{
    const turn_energy energy = energy_of_turn(rod, run);
    const double phi = best_turn(&energy);
    for (uint32_t k = 0; k < run->count; k++) {
        const uint32_t j = run_edge(rod, run, k);
        rod->theta[j] += phi;
        turn_curvature(rod->w[j][1], phi);
        turn_curvature(rod->w[rod_next_vertex(rod, j)][0], phi);
    }
    rod->m[run->first] += phi;
    rod->m[run->end] -= phi;
}

// The longest run of free frames from edge `first` on, of at most `most` edges; an open rod's runs end at its tip.
static frame_run run_from(const ref_rod *rod, uint32_t first, uint32_t most)
{
    frame_run run = {.first = first, .end = first};
    while (run.count < most && !rod->angle_is_held[run_edge(rod, &run, run.count)]) {
        run.end = rod_next_vertex(rod, run_edge(rod, &run, run.count));
        run.count++;
        if (!rod->closed && run.end == rod->edge_count)
            break;
    }
    return run;
}

// Cuts the free frames, from edge `from` on around the cycle, into runs of at most `length` edges and turns each.
static void sweep(ref_rod *rod, uint32_t from, uint32_t length)
{
    const uint32_t n = rod->edge_count;
    for (uint32_t done = 0; done < n;) {
        const uint32_t left = n - done;
        const frame_run run = run_from(rod, (from + done) % n, length < left ? length : left);
        if (run.count > 0)
            turn_run(rod, &run);
        done += run.count > 0 ? run.count : 1;
    }
}

// Every length is swept twice, the second time with the cuts half a length on, so that no cut stays.
void ref_settle(ref_rod *rod)
{
    for (int cycle = 0; cycle < CYCLES; cycle++)
        for (uint32_t length = rod->edge_count; length > 0; length /= 2) {
            sweep(rod, 0, length);
            sweep(rod, length / 2, length);
        }
    ref_curvature(rod);
}
