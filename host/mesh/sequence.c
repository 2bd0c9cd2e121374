// sequence: frames of a deforming mesh.
#include "mesh/sequence.h"

#include <string.h>

#include "base/vec.h"
#include "mesh/nearest.h"

sheaf_status mesh_sequence_create(const mesh *first, uint32_t frame_count, double start, double rate,
                                  mesh_sequence **sequence)
{
    *sequence = NULL;
    const double bytes = (double)frame_count * first->vertex_count * sizeof *first->points;
    if (bytes > MESH_SEQUENCE_MOST)
        return base_fail(SHEAF_ERR_LIMIT,
                         "%u frames of %u vertices take %.3g MiB; at most %d MiB are allowed: take fewer of either",
                         frame_count, first->vertex_count, bytes / (1 << 20), MESH_SEQUENCE_MOST >> 20);
    mesh_sequence *made = base_alloc(1, sizeof *made);
    if (made == NULL)
        return SHEAF_ERR_MEMORY;
    atomic_init(&made->owners, 1);
    made->start = start;
    made->rate = rate;
    made->frame_count = frame_count;
    made->vertex_count = first->vertex_count;
    made->triangle_count = first->triangle_count;
    made->triangles = base_alloc(made->triangle_count, sizeof *made->triangles);
    made->points = base_alloc((size_t)frame_count * made->vertex_count, sizeof *made->points);
    if (made->triangles == NULL || made->points == NULL) {
        mesh_sequence_release(made);
        return SHEAF_ERR_MEMORY;
    }
    memcpy(made->triangles, first->triangles, made->triangle_count * sizeof *made->triangles);
    *sequence = made;
    return SHEAF_OK;
}

sheaf_status mesh_sequence_set(mesh_sequence *sequence, uint32_t frame, const mesh *m, const char *name)
{
    if (m->vertex_count != sequence->vertex_count || m->triangle_count != sequence->triangle_count)
        return base_fail(
            SHEAF_ERR_INPUT,
            "%s: %u vertices and %u triangles, but the first frame has %u and %u; all frames must have the "
            "same triangles",
            name, m->vertex_count, m->triangle_count, sequence->vertex_count, sequence->triangle_count);
    for (uint32_t t = 0; t < m->triangle_count; t++)
        if (memcmp(m->triangles[t], sequence->triangles[t], sizeof *m->triangles) != 0)
            return base_fail(SHEAF_ERR_INPUT,
                             "%s: triangle %u joins other vertices than in the first frame; all frames must have the "
                             "same triangles",
                             name, t);
    memcpy(sequence->points + (size_t)frame * m->vertex_count, m->points, m->vertex_count * sizeof *m->points);
    return SHEAF_OK;
}

mesh_sequence *mesh_sequence_share(mesh_sequence *sequence)
{
    if (sequence != NULL)
        atomic_fetch_add(&sequence->owners, 1);
    return sequence;
}

void mesh_sequence_release(mesh_sequence *sequence)
{
    if (sequence == NULL || atomic_fetch_sub(&sequence->owners, 1) > 1)
        return;
    base_free(sequence->triangles);
    base_free(sequence->points);
    base_free(sequence);
}

double mesh_sequence_time(const mesh_sequence *sequence, uint32_t frame)
{
    return sequence->start + frame / sequence->rate;
}

uint32_t mesh_sequence_frame(const mesh_sequence *sequence, double time)
{
    const uint32_t last = sequence->frame_count - 1;
    const double wanted = fmin(fmax((time - sequence->start) * sequence->rate, 0), last);
    uint32_t frame = (uint32_t)wanted;
    while (frame > 0 && mesh_sequence_time(sequence, frame) > time)
        frame--;
    while (frame < last && mesh_sequence_time(sequence, frame + 1) <= time)
        frame++;
    return frame;
}

// ---- the whole mesh

sheaf_status mesh_sequence_open_mesh(const mesh_sequence *sequence, mesh *m)
{
    *m = (mesh){.vertex_count = sequence->vertex_count,
                .triangle_count = sequence->triangle_count,
                .points = base_alloc(sequence->vertex_count, sizeof *m->points),
                .normals = base_alloc(sequence->vertex_count, sizeof *m->normals),
                .triangles = base_alloc(sequence->triangle_count, sizeof *m->triangles)};
    sheaf_status status = SHEAF_ERR_MEMORY;
    if (m->points != NULL && m->normals != NULL && m->triangles != NULL) {
        memcpy(m->triangles, sequence->triangles, m->triangle_count * sizeof *m->triangles);
        status = mesh_sequence_move_mesh(sequence, sequence->start, m);
    }
    if (status != SHEAF_OK)
        mesh_free(m);
    return status;
}

sheaf_status mesh_sequence_move_mesh(const mesh_sequence *sequence, double time, mesh *m)
{
    const uint32_t frame = mesh_sequence_frame(sequence, time), next = frame + (frame + 1 < sequence->frame_count);
    const double share = fmax((time - mesh_sequence_time(sequence, frame)) * sequence->rate, 0);
    const double(*from)[3] = (const double(*)[3])sequence->points + (size_t)frame * sequence->vertex_count;
    const double(*to)[3] = (const double(*)[3])sequence->points + (size_t)next * sequence->vertex_count;
    double way[3];
    for (uint32_t k = 0; k < m->vertex_count; k++) {
        vec_sub(way, to[k], from[k]);
        vec_copy(m->points[k], from[k]);
        vec_axpy(m->points[k], share, way);
    }
    return mesh_measure(m);
}

// ---- places on it

sheaf_status mesh_sequence_bind(const mesh_sequence *sequence, const double (*points)[3], uint32_t count,
                                mesh_binding *bindings)
{
    const mesh first = {.vertex_count = sequence->vertex_count,
                        .triangle_count = sequence->triangle_count,
                        .points = sequence->points,
                        .triangles = sequence->triangles};
    mesh_nearest nearest;
    const sheaf_status status = mesh_nearest_open(&first, &nearest);
    for (uint32_t k = 0; k < count && status == SHEAF_OK; k++) {
        mesh_spot spot;
        mesh_nearest_find(&nearest, points[k], INFINITY, &spot);
        bindings[k].triangle = spot.triangle;
        vec_copy(bindings[k].weights, spot.weights);
    }
    mesh_nearest_close(&nearest);
    return status;
}

// A triangle in one frame: its corners from their middle, and its normal. False: it has no area.
typedef struct corners {
    double middle[3], from_middle[3][3], normal[3];
} corners;

static bool find_corners(const mesh_sequence *sequence, uint32_t triangle, uint32_t frame, corners *out)
{
    const double(*points)[3] = (const double(*)[3])sequence->points + (size_t)frame * sequence->vertex_count;
    const uint32_t *vertex = sequence->triangles[triangle];
    double cross[3];
    for (int c = 0; c < 3; c++)
        out->middle[c] = (points[vertex[0]][c] + points[vertex[1]][c] + points[vertex[2]][c]) / 3;
    for (int k = 0; k < 3; k++)
        vec_sub(out->from_middle[k], points[vertex[k]], out->middle);
    vec_cross(cross, out->from_middle[1], out->from_middle[2]);
    if (!(vec_length(cross) > 1e-150))
        return false;
    vec_unit(out->normal, cross);
    return true;
}

// The rotation that takes the corners r_k of the first frame nearest to the present ones d_k, with normal to normal:
// r_k = a_k u_0 + b_k n_0 x u_0 becomes a_k u + b_k n x u, and the sum of its products with d_k is largest for u along
// A + B x n, where A and B are the sums of a_k d_k and b_k d_k.
bool mesh_sequence_pose(const mesh_sequence *sequence, const mesh_binding *binding, uint32_t frame, double place[3],
                        double axes[3][3])
{
    corners first, now;
    double u[3], across[3], a[3] = {0, 0, 0}, b[3] = {0, 0, 0}, turned[3];
    if (!find_corners(sequence, binding->triangle, 0, &first) ||
        !find_corners(sequence, binding->triangle, frame, &now))
        return false;
    vec_unit(u, first.from_middle[0]);
    vec_cross(across, first.normal, u);
    vec_copy(place, now.middle);
    for (int k = 0; k < 3; k++) {
        vec_axpy(a, vec_dot(first.from_middle[k], u), now.from_middle[k]);
        vec_axpy(b, vec_dot(first.from_middle[k], across), now.from_middle[k]);
        vec_axpy(place, binding->weights[k], now.from_middle[k]);
    }
    vec_cross(turned, b, now.normal);
    vec_add(a, a, turned);
    vec_unit(axes[0], a);
    vec_copy(axes[2], now.normal);
    vec_cross(axes[1], axes[2], axes[0]);
    return true;
}
