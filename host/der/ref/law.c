// law: what strands whose material has a law answer their strains with, vertex by vertex. The energy is
//     E = sum_i (lb_i / 4) sum_j W(2 (w_i^j - wbar) / lb_i, 2 (m_i - mbar_i) / lb_i, s_i)
// over the two edges j at each vertex, W the energy per length. Curvatures about the directors are (-w_2, w_1).
#include "der/ref/ref.h"

#include <math.h>

// Distance of vertex i from the root, m; 0 where the law is the same everywhere.
static double place_of(const ref_rod *rod, uint32_t i)
{
    if (!law_is_graded(rod->strand->law))
        return 0;
    double place = -rod->strand->overhang * rod->rest_length[0];
    for (uint32_t j = 0; j < i; j++)
        place += rod->rest_length[j];
    return place;
}

// Strains over length of one side, 1/m, about the directors and along the strand.
static void side_strains(const ref_rod *rod, uint32_t i, int side, double x[3], double stiffness[3])
{
    const uint32_t j = side == 0 ? rod_edge_before(rod, i) : i;
    const double *w = rod->w[i][side], *natural = rod->natural_curvature[i][side], scale = 2 / rod_voronoi(rod, i);
    x[0] = -scale * (w[1] - natural[1]);
    x[1] = scale * (w[0] - natural[0]);
    x[2] = scale * (rod->m[i] - rod->natural_twist[i]);
    stiffness[0] = rod->bend[j][1];
    stiffness[1] = rod->bend[j][0];
    stiffness[2] = rod->twist[i];
}

// Derivatives of W by (kappa_1, kappa_2, kappa_3) as those of E by (w_1, w_2, m) of one side.
static void turn_axes(const law_response *from, double voronoi, ref_answer *to, int side)
{
    static const int axis[3] = {1, 0, 2};
    static const double sign[3] = {1, -1, 1};
    for (int r = 0; r < 2; r++)
        to->force[side][r] = sign[r] * from->moment[axis[r]] / 2;
    to->torque += from->moment[2] / 2;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            to->stiffness[side][r][c] = sign[r] * sign[c] * from->tangent[axis[r]][axis[c]] / voronoi;
}

// ---- friction: strains a = 0..3 towards the directors of both sides, 4 the twist, as ref_elastic_rows has them

static double strain_of(const ref_rod *rod, uint32_t i, int a)
{
    return a < 4 ? rod->w[i][a / 2][a % 2] : rod->m[i];
}

// z of strain a in the pose that there is, 1/m.
static double rubbed(const ref_rod *rod, uint32_t i, int a, double *slope)
{
    const law_friction friction = law_friction_of(rod->strand->law);
    *slope = 0;
    if (!rod->record->is_rubbing)
        return rod->friction[i][a];
    const double change = 2 / rod_voronoi(rod, i) * (strain_of(rod, i, a) - rod->from[i][a]);
    return law_rub(&friction, rod->friction[i][a], change, slope);
}

static void add_friction(const ref_rod *rod, uint32_t i, ref_answer *answer)
{
    const double voronoi = rod_voronoi(rod, i);
    double slope;
    for (int side = 0; side < 2; side++) {
        const uint32_t j = side == 0 ? rod_edge_before(rod, i) : i;
        for (int r = 0; r < 2; r++) {
            answer->force[side][r] += rod->bend[j][r] * rubbed(rod, i, 2 * side + r, &slope) / 2;
            answer->stiffness[side][r][r] += rod->bend[j][r] * slope / voronoi;
        }
        answer->torque += rod->twist[i] * rubbed(rod, i, 4, &slope) / 2;
        answer->stiffness[side][2][2] += rod->twist[i] * slope / voronoi;
    }
}

static bool has_friction(const ref_rod *rod)
{
    return rod->strand->law != NULL && law_friction_of(rod->strand->law).stiffness > 0;
}

void ref_law_begin(ref_rod *rod)
{
    rod->record->is_rubbing = has_friction(rod);
    for (uint32_t i = rod_interior_first(rod); i < rod_interior_end(rod) && rod->record->is_rubbing; i++)
        for (int a = 0; a < 5; a++)
            rod->from[i][a] = strain_of(rod, i, a);
}

void ref_law_end(ref_rod *rod)
{
    double slope;
    for (uint32_t i = rod_interior_first(rod); i < rod_interior_end(rod) && rod->record->is_rubbing; i++)
        for (int a = 0; a < 5; a++)
            rod->friction[i][a] = rubbed(rod, i, a, &slope);
    rod->record->is_rubbing = false;
}

// What friction adds to the energy over stiffness of strain a, 1/m^2: what it stores, z^2 / (2 stiffness). Within a
// step the work of z since its start, whose derivative is z: what searches for frames go down by.
static double rubbed_energy(const ref_rod *rod, uint32_t i, int a)
{
    const law_friction friction = law_friction_of(rod->strand->law);
    const double before = rod->friction[i][a];
    if (!rod->record->is_rubbing)
        return before * before / (2 * friction.stiffness);
    const double change = 2 / rod_voronoi(rod, i) * (strain_of(rod, i, a) - rod->from[i][a]);
    const double end = copysign(friction.limit, change);
    return end * change -
           (before - end) * end / friction.stiffness * expm1(-friction.stiffness * fabs(change) / friction.limit);
}

static void add_rubbed_energy(const ref_rod *rod, uint32_t i, double energy[2])
{
    for (int a = 0; a < 5; a++) {
        const uint32_t j = a < 2 ? rod_edge_before(rod, i) : i;
        energy[a / 4] +=
            rod_voronoi(rod, i) / 4 * (a < 4 ? rod->bend[j][a % 2] : 2 * rod->twist[i]) * rubbed_energy(rod, i, a);
    }
}

ref_answer ref_law_answer(const ref_rod *rod, uint32_t i, bool is_guarded)
{
    ref_answer answer = {.torque = 0};
    const double place = place_of(rod, i);
    for (int side = 0; side < 2; side++) {
        double x[3], stiffness[3];
        side_strains(rod, i, side, x, stiffness);
        const law_response response = is_guarded ? law_respond_guarded(rod->strand->law, x, place, stiffness)
                                                 : law_respond(rod->strand->law, x, place, stiffness);
        turn_axes(&response, rod_voronoi(rod, i), &answer, side);
    }
    if (has_friction(rod))
        add_friction(rod, i, &answer);
    return answer;
}

void ref_law_stiffest(const ref_rod *rod, uint32_t i, double stiffness[5])
{
    const law *of = rod->strand->law;
    const double voronoi = rod_voronoi(rod, i);
    for (int a = 0; a < 4 && of != NULL; a++) // curvature towards director 1 is about director 2
        stiffness[a] =
            law_stiffest(of, 1 - a % 2, rod_bend(rod, i, a < 2 ? rod_edge_before(rod, i) : i)[a % 2]) / voronoi;
    if (of != NULL)
        stiffness[4] = 2 * law_stiffest(of, 2, rod->twist[i]) / voronoi;
}

void ref_law_energy(const ref_rod *rod, uint32_t i, double energy[2])
{
    const double place = place_of(rod, i);
    energy[0] = energy[1] = 0;
    for (int side = 0; side < 2; side++) {
        double x[3], stiffness[3], part[2];
        side_strains(rod, i, side, x, stiffness);
        law_energy(rod->strand->law, x, place, stiffness, part);
        for (int k = 0; k < 2; k++)
            energy[k] += part[k] * rod_voronoi(rod, i) / 4;
    }
    if (has_friction(rod))
        add_rubbed_energy(rod, i, energy);
}

uint32_t ref_law_beyond(const ref_rod *rod)
{
    uint32_t count = 0;
    for (uint32_t i = rod_interior_first(rod); i < rod_interior_end(rod) && rod->strand->law != NULL; i++)
        for (int side = 0; side < 2; side++) {
            double x[3], stiffness[3];
            side_strains(rod, i, side, x, stiffness);
            if (law_is_beyond(rod->strand->law, x)) {
                count++;
                break;
            }
        }
    return count;
}
