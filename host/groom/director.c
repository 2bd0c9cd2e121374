// director: how a strand's section is turned, as one angle for each edge.
#include "groom/director.h"

#include "base/vec.h"

// Along the edges of a strand.
typedef struct walk {
    double tangent[3], frame[3]; // of the last edge
    bool begun;
} walk;

static void step(walk *w, const groom_line *line, uint64_t edge)
{
    double tangent[3];
    const uint64_t next = edge + 1 < line->count ? edge + 1 : 0;
    vec_sub(tangent, line->points[next], line->points[edge]);
    if (vec_length(tangent) > 0)
        vec_unit(tangent, tangent);
    else if (w->begun)
        vec_copy(tangent, w->tangent);
    else
        vec_set(tangent, 0, 0, 1);
    if (w->begun)
        vec_transport(w->frame, w->frame, w->tangent, tangent);
    else
        vec_normal(w->frame, tangent);
    vec_copy(w->tangent, tangent);
    w->begun = true;
}

static uint64_t edge_count(const groom_line *line)
{
    return line->closed || line->count == 0 ? line->count : line->count - 1;
}

void groom_director_angles(const groom_line *line, const double (*directors)[3], float *angles)
{
    static const double turn = 6.28318530717958647693;
    const uint64_t edges = edge_count(line);
    walk w = {.begun = false};
    double last = 0;
    for (uint64_t k = 0; k < edges; k++) {
        step(&w, line, k);
        const double angle = vec_angle(w.frame, directors[k], w.tangent);
        last = k == 0 ? angle : last + remainder(angle - last, turn);
        angles[k] = (float)last;
    }
    if (edges < line->count)
        angles[edges] = (float)last;
}

void groom_directors(const groom_line *line, const float *angles, double (*directors)[3])
{
    const uint64_t edges = edge_count(line);
    walk w = {.begun = false};
    double side[3];
    for (uint64_t k = 0; k < edges; k++) {
        step(&w, line, k);
        vec_cross(side, w.tangent, w.frame);
        vec_scale(directors[k], w.frame, cos((double)angles[k]));
        vec_axpy(directors[k], sin((double)angles[k]), side);
        vec_unit(directors[k], directors[k]);
    }
    if (edges < line->count && edges > 0)
        vec_copy(directors[edges], directors[edges - 1]);
    else if (edges < line->count)
        vec_set(directors[0], 1, 0, 0);
}
