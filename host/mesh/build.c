// build: vertices and faces of a mesh, gathered while a file is read.
#include "mesh/build.h"

// Makes room for one more of `count` elements.
static sheaf_status grow(void **array, uint64_t count, uint64_t *capacity, size_t size)
{
    if (count < *capacity)
        return SHEAF_OK;
    const uint64_t wanted = 2 * *capacity + 64;
    void *grown = base_realloc(*array, wanted, size);
    if (grown == NULL)
        return SHEAF_ERR_MEMORY;
    *array = grown;
    *capacity = wanted;
    return SHEAF_OK;
}

sheaf_status mesh_add_point(mesh_builder *b, const double point[3])
{
    mesh *m = b->m;
    if (m->vertex_count == UINT32_MAX)
        return groom_fail(b->input, "more than 4294967295 vertices");
    SHEAF_TRY(grow((void **)&m->points, m->vertex_count, &b->point_capacity, sizeof *m->points));
    for (int c = 0; c < 3; c++) {
        if (!(point[c] >= -GROOM_FARTHEST && point[c] <= GROOM_FARTHEST))
            return groom_fail(b->input, "vertex %u lies at %g, which is no place", m->vertex_count, point[c]);
        m->points[m->vertex_count][c] = point[c];
    }
    m->vertex_count++;
    return SHEAF_OK;
}

sheaf_status mesh_add_uv(mesh_builder *b, const double uv[2])
{
    if (b->uv_count == MESH_NO_UV)
        return groom_fail(b->input, "more than 4294967295 places in pictures");
    SHEAF_TRY(grow((void **)&b->uvs, b->uv_count, &b->uv_capacity, sizeof *b->uvs));
    for (int c = 0; c < 2; c++) {
        if (!(uv[c] >= -1e6 && uv[c] <= 1e6))
            return groom_fail(b->input, "a place in pictures is %g, which is beyond -1e6 to 1e6", uv[c]);
        b->uvs[b->uv_count][c] = uv[c];
    }
    b->uv_count++;
    return SHEAF_OK;
}

static sheaf_status add_triangle(mesh_builder *b, const mesh_corner corners[3])
{
    mesh *m = b->m;
    uint64_t capacity = b->triangle_capacity;
    bool has_uv = true;
    if (m->triangle_count == MESH_MOST_TRIANGLES)
        return base_fail(SHEAF_ERR_LIMIT, "%s: more than %d triangles", b->input->name, MESH_MOST_TRIANGLES);
    SHEAF_TRY(grow((void **)&m->triangles, m->triangle_count, &capacity, sizeof *m->triangles));
    SHEAF_TRY(grow((void **)&b->uv_corners, m->triangle_count, &b->triangle_capacity, sizeof *b->uv_corners));
    for (int k = 0; k < 3; k++) {
        m->triangles[m->triangle_count][k] = corners[k].vertex;
        b->uv_corners[m->triangle_count][k] = corners[k].uv;
        has_uv = has_uv && corners[k].uv != MESH_NO_UV;
        if (corners[k].vertex > b->largest_vertex)
            b->largest_vertex = corners[k].vertex;
        if (corners[k].uv != MESH_NO_UV && corners[k].uv > b->largest_uv)
            b->largest_uv = corners[k].uv;
    }
    b->uv_triangles += has_uv;
    m->triangle_count++;
    return SHEAF_OK;
}

sheaf_status mesh_add_corner(mesh_builder *b, mesh_polygon *polygon, mesh_corner corner)
{
    if (polygon->count++ == 0)
        polygon->first = corner;
    else if (polygon->count >= 3)
        SHEAF_TRY(add_triangle(b, (mesh_corner[]){polygon->first, polygon->last, corner}));
    polygon->last = corner;
    return SHEAF_OK;
}
