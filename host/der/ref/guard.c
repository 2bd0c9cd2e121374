// guard: catches a strand whose numbers ran away, puts it back to the last good pose and takes it out of the motion.
#include "der/ref/ref.h"

#include <string.h>

#include "base/vec.h"

// Bound on the size of coordinates, m, and of speeds, m/s: beyond anything a scene can mean, far below overflow.
static const double runaway = 1e10;

static const double turn = 6.283185307179586476925;

static bool is_bad(double value)
{
    return !(fabs(value) <= runaway);
}

static bool find_bad_vector(double (*vectors)[3], uint32_t count, const char *quantity, sheaf_incident *incident)
{
    for (uint32_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            if (is_bad(vectors[i][c])) {
                incident->vertex = i;
                incident->quantity = quantity;
                incident->value = vectors[i][c];
                return true;
            }
    return false;
}

// Angles may be any number of turns, so only what is not finite is bad.
static bool find_bad_angle(const double *angles, uint32_t count, sheaf_incident *incident)
{
    for (uint32_t j = 0; j < count; j++)
        if (!isfinite(angles[j])) {
            incident->vertex = j;
            incident->quantity = "twist";
            incident->value = angles[j];
            return true;
        }
    return false;
}

// What came into the step is looked at first: one bad number there spoils the whole strand by the end of the step.
static bool start_is_bad(const ref_rod *rod, sheaf_incident *incident)
{
    return find_bad_vector(rod->start, rod->vertex_count, "position", incident) ||
           find_bad_vector(rod->last_velocity, rod->vertex_count, "velocity", incident) ||
           find_bad_angle(rod->start_theta, rod->edge_count, incident);
}

static bool end_is_bad(const ref_rod *rod, sheaf_incident *incident)
{
    return find_bad_vector(rod->x, rod->vertex_count, "position", incident) ||
           find_bad_vector(rod->v, rod->vertex_count, "velocity", incident) ||
           find_bad_angle(rod->theta, rod->edge_count, incident);
}

void ref_keep_start(ref_rod *rod)
{
    const size_t vectors = rod->vertex_count * sizeof *rod->x, angles = rod->edge_count * sizeof *rod->theta;
    memcpy(rod->start, rod->x, vectors);
    memcpy(rod->start_tangent, rod->tangent, vectors);
    memcpy(rod->start_bishop, rod->bishop, vectors);
    memcpy(rod->start_held, rod->held, vectors);
    memcpy(rod->start_held_angle, rod->held_angle, angles);
    memcpy(rod->start_theta, rod->theta, angles);
    rod->start_closing_angle = *rod->closing_angle;
}

static void restore_start(ref_rod *rod)
{
    const size_t vectors = rod->vertex_count * sizeof *rod->x, angles = rod->edge_count * sizeof *rod->theta;
    memcpy(rod->x, rod->start, vectors);
    memcpy(rod->tangent, rod->start_tangent, vectors);
    memcpy(rod->bishop, rod->start_bishop, vectors);
    memcpy(rod->held, rod->start_held, vectors);
    memcpy(rod->held_angle, rod->start_held_angle, angles);
    memcpy(rod->theta, rod->start_theta, angles);
    *rod->closing_angle = rod->start_closing_angle;
}

static bool pose_is_bad(const ref_rod *rod)
{
    sheaf_incident unused;
    const uint32_t edges = rod->edge_count;
    return find_bad_vector(rod->x, rod->vertex_count, "", &unused) ||
           find_bad_vector(rod->tangent, edges, "", &unused) || find_bad_vector(rod->bishop, edges, "", &unused) ||
           find_bad_vector(rod->held, edges, "", &unused) || find_bad_angle(rod->held_angle, edges, &unused) ||
           find_bad_angle(rod->theta, edges, &unused) || !isfinite(*rod->closing_angle);
}

// The model's initial pose: u^0 is the first director, angles are those nearest to the natural twist.
static void return_to_initial_pose(ref_rod *rod)
{
    const sheaf_model *model = rod->model;
    const uint64_t first = model->first_vertex[rod->strand - model->strands];
    memcpy(rod->x, model->position + first, rod->vertex_count * sizeof *rod->x);
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        const double *director = model->director[first + j];
        const double expected = j > 0 ? rod->theta[j - 1] + rod->natural_twist[j] : 0;
        vec_sub(rod->tangent[j], rod->x[rod_next_vertex(rod, j)], rod->x[j]);
        vec_unit(rod->tangent[j], rod->tangent[j]);
        if (j == 0)
            vec_copy(rod->bishop[0], director);
        else
            vec_transport(rod->bishop[j], rod->bishop[j - 1], rod->tangent[j - 1], rod->tangent[j]);
        vec_copy(rod->held[j], director);
        const double angle = vec_angle(rod->bishop[j], director, rod->tangent[j]);
        rod->theta[j] = rod->held_angle[j] = expected + remainder(angle - expected, turn);
    }
    *rod->closing_angle = rod->strand->closing_angle;
}

bool ref_guard(ref_rod *rod, sheaf_incident *incident)
{
    if (!start_is_bad(rod, incident) && !end_is_bad(rod, incident))
        return true;
    restore_start(rod);
    if (pose_is_bad(rod))
        return_to_initial_pose(rod);
    const size_t vectors = rod->vertex_count * sizeof *rod->v;
    memset(rod->v, 0, vectors);
    memset(rod->displacement, 0, vectors);
    memset(rod->last_velocity, 0, vectors);
    memset(rod->tension, 0, rod->edge_count * sizeof *rod->tension);
    rod->record->has_history = false;
    rod->record->frozen = true;
    return false;
}
