// measure: what strands can be coloured by.
#include "view/measure.h"

#include <math.h>

#include "base/vec.h"

const char *const view_colour_names[] = {"natural", "strand", "strain", "curvature", "twist",
                                         "speed",   "frozen", "error",  NULL};

static double edge_at(const view_stage *stage, uint64_t k, double tangent[3])
{
    vec_sub(tangent, stage->positions[k + 1], stage->positions[k]);
    const double length = vec_length(tangent);
    if (length > 0)
        vec_scale(tangent, tangent, 1 / length);
    return length;
}

static double strain_at(const view_stage *stage, uint32_t s, uint64_t k)
{
    double tangent[3];
    const uint64_t last = stage->first_vertex[s + 1] - 1, edge = k < last ? k : last - 1;
    const uint32_t number = stage->ids != NULL ? stage->ids[s] : s;
    if (stage->model == NULL || !model_has_arrays(stage->model))
        return 0;
    const uint64_t ghosts = model_vertex_count(stage->model, number) - (last + 1 - stage->first_vertex[s]);
    const uint64_t there = stage->model->first_vertex[number] + ghosts + (edge - stage->first_vertex[s]);
    const double rest = stage->model->rest_length[there];
    return rest > 0 ? fabs(edge_at(stage, edge, tangent) / rest - 1) : 0;
}

// Angle between the edges at a vertex, or how far the director turns from one to the next, over their mean length.
static double bend_at(const view_stage *stage, uint32_t s, uint64_t k, bool twist)
{
    const uint64_t first = stage->first_vertex[s], last = stage->first_vertex[s + 1] - 1;
    if (last < first + 2)
        return 0;
    const uint64_t middle = k == first ? first + 1 : k == last ? last - 1 : k;
    double before[3], after[3], carried[3];
    const double length = (edge_at(stage, middle - 1, before) + edge_at(stage, middle, after)) / 2;
    if (!(length > 0))
        return 0;
    if (!twist)
        return acos(fmin(fmax(vec_dot(before, after), -1), 1)) / length;
    if (stage->directors == NULL)
        return 0;
    vec_transport(carried, stage->directors[middle - 1], before, after);
    return fabs(vec_angle(carried, stage->directors[middle], after)) / length;
}

static double value_at(const view_stage *stage, view_colour colour, const view_measured *measured, uint32_t s,
                       uint64_t k)
{
    const uint32_t number = stage->ids != NULL ? stage->ids[s] : s;
    switch (colour) {
    case VIEW_COLOUR_STRAND:
        return (double)(number * 2654435761u >> 8 & 0xFFFF) / 0xFFFF;
    case VIEW_COLOUR_STRAIN:
        return strain_at(stage, s, k);
    case VIEW_COLOUR_CURVATURE:
    case VIEW_COLOUR_TWIST:
        return bend_at(stage, s, k, colour == VIEW_COLOUR_TWIST);
    case VIEW_COLOUR_SPEED:
        return measured->velocities != NULL ? vec_length(measured->velocities[k]) : 0;
    case VIEW_COLOUR_FROZEN:
        return measured->frozen != NULL && measured->frozen[s];
    case VIEW_COLOUR_ERROR:
        return measured->errors != NULL ? (double)measured->errors[k] : 0;
    default:
        return 0;
    }
}

double view_measure(const view_stage *stage, view_colour colour, const view_measured *measured, float *values)
{
    double most = 0;
    for (uint32_t s = 0; s < stage->strand_count; s++)
        for (uint64_t k = stage->first_vertex[s]; k < stage->first_vertex[s + 1]; k++) {
            const double value = value_at(stage, colour, measured, s, k);
            values[k] = (float)value;
            most = fmax(most, value);
        }
    if (colour == VIEW_COLOUR_STRAND || colour == VIEW_COLOUR_FROZEN)
        return 1;
    for (uint64_t k = 0; k < stage->first_vertex[stage->strand_count] && most > 0; k++)
        values[k] = (float)((double)values[k] / most);
    return most;
}
