// mesh: opening meshes, and what follows from their triangles: areas, normals, closedness.
#include "mesh/mesh.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "groom/derive.h"
#include "groom/kind.h"
#include "groom/number.h"
#include "mesh/build.h"

// ---- geometry

void mesh_cross(const mesh *m, uint32_t triangle, double out[3])
{
    const uint32_t *corner = m->triangles[triangle];
    double one[3], two[3];
    vec_sub(one, m->points[corner[1]], m->points[corner[0]]);
    vec_sub(two, m->points[corner[2]], m->points[corner[0]]);
    vec_cross(out, one, two);
}

// Sums values of a triangle's vertices by weights.
static void mix(const mesh *m, double (*values)[3], uint32_t triangle, const double weights[3], double out[3])
{
    vec_set(out, 0, 0, 0);
    for (int k = 0; k < 3; k++)
        vec_axpy(out, weights[k], values[m->triangles[triangle][k]]);
}

void mesh_point(const mesh *m, uint32_t triangle, const double weights[3], double out[3])
{
    mix(m, m->points, triangle, weights, out);
}

// Unit vector along a, or `other` where a has no direction.
static void unit_or(double out[3], const double a[3], const double other[3])
{
    const double length = vec_length(a);
    if (length > 1e-150)
        vec_scale(out, a, 1 / length);
    else
        vec_copy(out, other);
}

void mesh_normal(const mesh *m, uint32_t triangle, const double weights[3], double out[3])
{
    double sum[3], flat[3];
    mix(m, m->normals, triangle, weights, sum);
    mesh_cross(m, triangle, flat);
    unit_or(flat, flat, m->normals[m->triangles[triangle][0]]);
    unit_or(out, sum, flat);
}

// ---- vertices at one place

typedef struct place {
    const double *point;
    uint32_t vertex;
} place;

static int compare_places(const void *left, const void *right)
{
    const place *a = left, *b = right;
    for (int c = 0; c < 3; c++)
        if (a->point[c] != b->point[c])
            return a->point[c] < b->point[c] ? -1 : 1;
    return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

// For each vertex the first one that lies where it does.
static sheaf_status find_same(const mesh *m, uint32_t *same)
{
    place *places = base_alloc(m->vertex_count, sizeof *places);
    if (places == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < m->vertex_count; k++)
        places[k] = (place){m->points[k], k};
    qsort(places, m->vertex_count, sizeof *places, compare_places);
    for (uint32_t k = 0; k < m->vertex_count; k++) {
        const bool repeats = k > 0 && vec_equal(places[k].point, places[k - 1].point);
        same[places[k].vertex] = repeats ? same[places[k - 1].vertex] : places[k].vertex;
    }
    base_free(places);
    return SHEAF_OK;
}

// ---- closedness

static int compare_edges(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static uint64_t edge_key(uint32_t from, uint32_t to)
{
    return (uint64_t)from << 32 | to;
}

// Edges of triangles as they run, sorted; triangles that have shrunk to a line or a point have none.
static uint64_t *list_edges(const mesh *m, const uint32_t *same, uint64_t *count)
{
    uint64_t *edges = base_alloc(3 * (size_t)m->triangle_count, sizeof *edges);
    *count = 0;
    for (uint32_t t = 0; edges != NULL && t < m->triangle_count; t++) {
        const uint32_t *corner = m->triangles[t];
        const uint32_t v[3] = {same[corner[0]], same[corner[1]], same[corner[2]]};
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
            continue;
        for (int k = 0; k < 3; k++)
            edges[(*count)++] = edge_key(v[k], v[(k + 1) % 3]);
    }
    if (edges != NULL)
        qsort(edges, *count, sizeof *edges, compare_edges);
    return edges;
}

static sheaf_status find_openings(mesh *m, const uint32_t *same)
{
    uint64_t count;
    uint64_t *edges = list_edges(m, same, &count);
    if (edges == NULL)
        return SHEAF_ERR_MEMORY;
    m->open_edges = 0;
    for (uint64_t k = 0; k < count; k++) {
        const uint64_t partner = edges[k] >> 32 | edges[k] << 32;
        const bool repeats = k > 0 && edges[k] == edges[k - 1];
        m->open_edges += repeats || bsearch(&partner, edges, count, sizeof *edges, compare_edges) == NULL;
    }
    m->is_closed = count > 0 && m->open_edges == 0;
    base_free(edges);
    return SHEAF_OK;
}

// ---- normals and sizes

static void sum_triangles(mesh *m, const uint32_t *same)
{
    memset(m->normals, 0, m->vertex_count * sizeof *m->normals);
    m->area = m->volume = 0;
    m->flat_triangles = 0;
    for (uint32_t t = 0; t < m->triangle_count; t++) {
        double cross[3];
        mesh_cross(m, t, cross);
        const double area = vec_length(cross) / 2;
        m->area += area;
        m->flat_triangles += area == 0;
        m->volume += vec_dot(cross, m->points[m->triangles[t][0]]) / 6;
        for (int k = 0; k < 3; k++)
            vec_add(m->normals[same[m->triangles[t][k]]], m->normals[same[m->triangles[t][k]]], cross);
    }
}

static void find_bounds(mesh *m)
{
    vec_copy(m->low, m->points[0]);
    vec_copy(m->high, m->points[0]);
    for (uint32_t k = 1; k < m->vertex_count; k++)
        for (int c = 0; c < 3; c++) {
            m->low[c] = fmin(m->low[c], m->points[k][c]);
            m->high[c] = fmax(m->high[c], m->points[k][c]);
        }
}

static void measure(mesh *m, const uint32_t *same)
{
    static const double up[3] = {0, 0, 1};
    sum_triangles(m, same);
    for (uint32_t k = 0; k < m->vertex_count; k++)
        if (same[k] == k)
            unit_or(m->normals[k], m->normals[k], up);
    for (uint32_t k = 0; k < m->vertex_count; k++)
        vec_copy(m->normals[k], m->normals[same[k]]);
    find_bounds(m);
}

static sheaf_status measure_with(mesh *m, bool topology)
{
    uint32_t *same = base_alloc(m->vertex_count, sizeof *same);
    sheaf_status status = same != NULL ? find_same(m, same) : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK && topology)
        status = find_openings(m, same);
    if (status == SHEAF_OK)
        measure(m, same);
    base_free(same);
    return status;
}

sheaf_status mesh_measure(mesh *m)
{
    return measure_with(m, false);
}

void mesh_place(mesh *m, groom_up from, groom_up to, double scale, const double offset[3])
{
    const groom_axes axes = groom_axes_between(from, to);
    for (uint32_t k = 0; k < m->vertex_count; k++) {
        double turned[3];
        groom_turn(&axes, m->points[k], turned);
        vec_copy(m->points[k], offset);
        vec_axpy(m->points[k], scale, turned);
        groom_turn(&axes, m->normals[k], turned);
        vec_copy(m->normals[k], turned);
    }
    for (uint32_t k = 0; m->comb != NULL && k < m->vertex_count; k++) {
        const double way[3] = {(double)m->comb[k][0], (double)m->comb[k][1], (double)m->comb[k][2]};
        double turned[3];
        groom_turn(&axes, way, turned);
        for (int c = 0; c < 3; c++)
            m->comb[k][c] = (float)turned[c];
    }
    m->area *= scale * scale;
    m->volume *= scale * scale * scale;
    find_bounds(m);
}

// ---- opening

// Expands places in pictures to the corners that name them, if all do.
static sheaf_status take_uvs(mesh_builder *b)
{
    mesh *m = b->m;
    if (b->uv_triangles < m->triangle_count || b->largest_uv >= b->uv_count)
        return SHEAF_OK;
    m->uv = base_alloc(m->triangle_count, sizeof *m->uv);
    if (m->uv == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 2; c++)
                m->uv[t][k][c] = (float)b->uvs[b->uv_corners[t][k]][c];
    return SHEAF_OK;
}

static sheaf_status read_mesh(mesh_builder *b)
{
    mesh *m = b->m;
    const groom_kind *kind = groom_kind_of_input(b->input);
    if (kind != NULL && !kind->is_mesh)
        return base_fail(SHEAF_ERR_INPUT, "'%s' is %s, not a mesh\na mesh is a .obj or .ply file", b->input->name,
                         kind->name);
    const bool is_ply = groom_peek(b->input) == 'p' && groom_peek_second(b->input) == 'l';
    SHEAF_TRY(is_ply ? mesh_read_ply(b) : mesh_read_obj(b));
    if (m->triangle_count == 0)
        return base_fail(SHEAF_ERR_INPUT, "%s: no faces; a mesh is a .obj or .ply file with at least one",
                         b->input->name);
    if (b->largest_vertex >= m->vertex_count)
        return base_fail(SHEAF_ERR_INPUT, "%s: a face names vertex %u, but there are only %u", b->input->name,
                         b->largest_vertex + 1, m->vertex_count);
    SHEAF_TRY(take_uvs(b));
    m->normals = base_alloc(m->vertex_count, sizeof *m->normals);
    return m->normals != NULL ? measure_with(m, true) : SHEAF_ERR_MEMORY;
}

static sheaf_status open_input(groom_input *input, mesh *m)
{
    mesh_builder b = {.input = input, .m = m};
    locale_t own, before;
    SHEAF_TRY(groom_enter_c_locale(&own, &before));
    const sheaf_status status = read_mesh(&b);
    groom_leave_c_locale(own, before);
    base_free(b.uvs);
    base_free(b.uv_corners);
    if (status != SHEAF_OK)
        mesh_free(m);
    return status;
}

sheaf_status mesh_open(const char *path, mesh *m)
{
    groom_input input;
    *m = (mesh){0};
    SHEAF_TRY(groom_input_open(path, &input));
    const sheaf_status status = open_input(&input, m);
    groom_input_close(&input);
    return status;
}

sheaf_status mesh_open_memory(const void *bytes, size_t size, const char *name, mesh *m)
{
    groom_input input;
    *m = (mesh){0};
    groom_input_memory(bytes, size, name, &input);
    return open_input(&input, m);
}

void mesh_free(mesh *m)
{
    base_free(m->points);
    base_free(m->triangles);
    base_free(m->normals);
    base_free(m->uv);
    base_free(m->density);
    base_free(m->comb);
    *m = (mesh){0};
}
