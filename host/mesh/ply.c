// ply: triangles in .ply files: the elements `vertex` and `face`.
#include "groom/ply.h"

#include "mesh/build.h"

#include <math.h>

// Memory for what vertices may have beside their places.
static sheaf_status take_properties(mesh *m, const ply_element *vertex)
{
    const bool has_comb = ply_find_property(vertex, PLY_COMB_X) && ply_find_property(vertex, PLY_COMB_Y) &&
                          ply_find_property(vertex, PLY_COMB_Z);
    const bool has_density = ply_find_property(vertex, PLY_DENSITY) != NULL;
    m->density = has_density ? base_alloc(vertex->count, sizeof *m->density) : NULL;
    m->comb = has_comb ? base_alloc(vertex->count, sizeof *m->comb) : NULL;
    return has_density == (m->density != NULL) && has_comb == (m->comb != NULL) ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

// Refuses what holds no triangles.
static sheaf_status prepare(mesh_builder *b, const ply_header *header)
{
    const ply_element *vertex = ply_find_element(header, PLY_VERTEX), *face = ply_find_element(header, PLY_FACE);
    if (vertex == NULL || !ply_find_property(vertex, PLY_X) || !ply_find_property(vertex, PLY_Y) ||
        !ply_find_property(vertex, PLY_Z))
        return groom_fail(b->input, "there is no element vertex with x, y and z");
    if (face == NULL || !ply_find_property(face, PLY_CORNERS))
        return groom_fail(b->input, "there is no element face with vertex_indices");
    SHEAF_TRY(ply_need_elements(b->input, header));
    if (vertex->count > UINT32_MAX)
        return groom_fail(b->input, "more than 4294967295 vertices");
    b->m->metres_per_unit = header->metres_per_unit;
    b->m->up = header->up;
    return take_properties(b->m, vertex);
}

static sheaf_status read_list(mesh_builder *b, const ply_header *header, const ply_property *property, bool has_uv)
{
    const double most = (double)ply_find_element(header, PLY_VERTEX)->count - 1;
    mesh_polygon polygon = {0};
    uint64_t count = 0;
    SHEAF_TRY(ply_read_list_length(b->input, header->encoding, property, &count));
    if (property->role == PLY_CORNERS && count < 3)
        return groom_fail(b->input, "a face of %llu vertices", (unsigned long long)count);
    for (uint64_t k = 0; k < count; k++) {
        uint64_t index = 0;
        double ignored;
        if (property->role != PLY_CORNERS) {
            SHEAF_TRY(ply_read_value(b->input, header->encoding, property->type, &ignored));
            continue;
        }
        SHEAF_TRY(ply_read_whole(b->input, header->encoding, property->type, most, "a vertex of a face", &index));
        const mesh_corner corner = {(uint32_t)index, has_uv ? (uint32_t)index : MESH_NO_UV};
        SHEAF_TRY(mesh_add_corner(b, &polygon, corner));
    }
    return SHEAF_OK;
}

static sheaf_status take_vertex(mesh_builder *b, const double values[PLY_ROLES], bool has_uv)
{
    const double density = values[PLY_DENSITY];
    if (b->m->density != NULL) {
        if (!(density >= 0 && density <= 1e6))
            return groom_fail(b->input, "the density of a vertex is %g, which is beyond 0 to 1e6", density);
        b->m->density[b->m->vertex_count] = (float)density;
    }
    for (int c = 0; c < 3 && b->m->comb != NULL; c++) {
        const double way = values[PLY_COMB_X + c];
        if (!(fabs(way) <= 1e6))
            return groom_fail(b->input, "the comb of a vertex is %g, which is beyond -1e6 to 1e6", way);
        b->m->comb[b->m->vertex_count][c] = (float)way;
    }
    if (has_uv)
        SHEAF_TRY(mesh_add_uv(b, &values[PLY_U]));
    return mesh_add_point(b, &values[PLY_X]);
}

static sheaf_status read_element(mesh_builder *b, const ply_header *header, const ply_element *element)
{
    const ply_element *vertex = ply_find_element(header, PLY_VERTEX);
    const bool has_uv = ply_find_property(vertex, PLY_U) != NULL && ply_find_property(vertex, PLY_V) != NULL;
    double values[PLY_ROLES] = {0};
    // without properties a row takes no bytes, and any number of rows may be announced
    for (uint64_t k = 0; element->property_count > 0 && k < element->count; k++) {
        for (int p = 0; p < element->property_count; p++) {
            const ply_property *property = &element->properties[p];
            if (property->count_type != PLY_NO_TYPE)
                SHEAF_TRY(read_list(b, header, property, has_uv));
            else
                SHEAF_TRY(ply_read_value(b->input, header->encoding, property->type, &values[property->role]));
        }
        if (element->kind == PLY_VERTEX)
            SHEAF_TRY(take_vertex(b, values, has_uv));
    }
    return SHEAF_OK;
}

sheaf_status mesh_read_ply(mesh_builder *b)
{
    ply_header header;
    SHEAF_TRY(ply_read_header(b->input, &header));
    SHEAF_TRY(prepare(b, &header));
    for (int k = 0; k < header.element_count; k++)
        SHEAF_TRY(read_element(b, &header, &header.elements[k]));
    return SHEAF_OK;
}
