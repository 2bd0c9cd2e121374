// subject: sizes of what is drawn.
#include "view/subject.h"

#include "base/vec.h"

enum { BODY_POINTS = 512 }; // of each body, that stand for its extent

void view_body_turn(const view_body *body, const double vector[3], double out[3])
{
    const double v[3] = {vector[0], vector[1], vector[2]};
    vec_set(out, 0, 0, 0);
    for (int c = 0; c < 3; c++)
        vec_axpy(out, v[c], body->axes[c]);
}

void view_body_point(const view_body *body, const double point[3], double out[3])
{
    view_body_turn(body, point, out);
    vec_add(out, out, body->center);
}

// How many of its corners stand for a body: none of a backdrop; and the k-th of them.
static uint32_t body_points(const view_body *body)
{
    return body->is_backdrop ? 0 : body->shape->corner_count < BODY_POINTS ? body->shape->corner_count : BODY_POINTS;
}

static void body_point(const view_body *body, uint32_t k, double out[3])
{
    const uint64_t corner = (uint64_t)k * body->shape->corner_count / body_points(body);
    view_body_point(body, body->shape->points[corner], out);
}

uint64_t view_subject_sample(const view_subject *subject, double (*points)[3], uint64_t most)
{
    const uint64_t vertices = view_vertex_count(subject);
    uint64_t around = 0;
    for (uint32_t b = 0; b < subject->body_count; b++)
        around += body_points(&subject->bodies[b]);
    const uint64_t stride = vertices / (most - (around < most / 2 ? around : most / 2)) + 1;
    uint64_t count = 0;
    for (uint32_t s = 0; s < subject->strand_count; s++) {
        const view_strand *look = &subject->strands[s];
        const double half = fmax(look->half[0], look->half[1]);
        const uint64_t skipped = subject->first_vertex[s] % stride;
        for (uint64_t k = subject->first_vertex[s] + (skipped > 0 ? stride - skipped : 0);
             k < subject->first_vertex[s + 1] && count < most; k += stride) {
            vec_copy(points[count], subject->positions[k]);
            vec_axpy(points[count++], k % 2 == 0 ? half : -half, subject->up); // thick strands reach beyond their axes
        }
    }
    for (uint32_t b = 0; b < subject->body_count; b++)
        for (uint32_t k = 0; k < body_points(&subject->bodies[b]) && count < most; k++)
            body_point(&subject->bodies[b], k, points[count++]);
    return count;
}

static void grow(const view_subject *subject, const double point[3], double bounds[2][3], view_extent *extent)
{
    for (int c = 0; c < 3; c++) {
        bounds[0][c] = point[c] < bounds[0][c] ? point[c] : bounds[0][c];
        bounds[1][c] = point[c] > bounds[1][c] ? point[c] : bounds[1][c];
    }
    const double height = vec_dot(point, subject->up);
    extent->lowest = height < extent->lowest ? height : extent->lowest;
}

view_extent view_subject_measure(const view_subject *subject)
{
    view_extent extent = {.lowest = INFINITY};
    double bounds[2][3] = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}, arm[3];
    for (uint32_t s = 0; s < subject->strand_count; s++) {
        double length = 0;
        for (uint64_t k = subject->first_vertex[s]; k < subject->first_vertex[s + 1]; k++) {
            grow(subject, subject->positions[k], bounds, &extent);
            if (k > subject->first_vertex[s]) {
                vec_sub(arm, subject->positions[k], subject->positions[k - 1]);
                length += vec_length(arm);
            }
        }
        extent.length += length;
        extent.crowded += length * view_stands_for(&subject->strands[s]);
    }
    for (uint32_t b = 0; b < subject->body_count; b++)
        for (uint32_t k = 0; k < body_points(&subject->bodies[b]); k++) {
            body_point(&subject->bodies[b], k, arm);
            grow(subject, arm, bounds, &extent);
        }
    if (!(bounds[0][0] <= bounds[1][0]))
        return (view_extent){.size = 1};
    vec_add(extent.middle, bounds[0], bounds[1]);
    vec_scale(extent.middle, extent.middle, 0.5);
    vec_sub(arm, bounds[1], bounds[0]);
    extent.size = fmax(vec_length(arm) / 2, 1e-9);
    return extent;
}
