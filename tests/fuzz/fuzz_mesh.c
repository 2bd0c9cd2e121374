// fuzz_mesh: any bytes as a .obj or .ply file of triangles.
#include "fuzz.h"
#include "mesh/mesh.h"

#include <math.h>

static void check_mesh(const mesh *m, size_t size)
{
    fuzz_require(m->triangle_count > 0 && m->triangle_count <= size && m->vertex_count <= size);
    for (uint32_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            fuzz_require(m->triangles[t][k] < m->vertex_count);
    for (uint32_t k = 0; k < m->vertex_count; k++)
        for (int c = 0; c < 3; c++)
            fuzz_require(fabs(m->points[k][c]) <= GROOM_FARTHEST && fabs(m->normals[k][c]) <= 1.0001);
    fuzz_require(m->area >= 0 && isfinite(m->area) && isfinite(m->volume));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mesh m;
    char *exact = malloc(size + (size == 0)); // so that a byte too far is seen
    fuzz_require(exact != NULL);
    memcpy(exact, data, size);
    const sheaf_status status = mesh_open_memory(exact, size, "fuzz", &m);
    if (status == SHEAF_OK)
        check_mesh(&m, size);
    else
        fuzz_require((status == SHEAF_ERR_INPUT || status == SHEAF_ERR_LIMIT) && sheaf_last_error()[0] != 0);
    mesh_free(&m);
    free(exact);
    return 0;
}
