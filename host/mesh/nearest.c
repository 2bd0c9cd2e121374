// nearest: point queries.
#include "mesh/nearest.h"

#include <string.h>

#include "base/vec.h"

static bool fill_geometry(const mesh *m, RTCGeometry geometry)
{
    float *points = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                                            m->vertex_count);
    uint32_t *triangles = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                                  3 * sizeof(uint32_t), m->triangle_count);
    if (points == NULL || triangles == NULL)
        return false;
    for (size_t k = 0; k < 3 * (size_t)m->vertex_count; k++)
        points[k] = (float)m->points[k / 3][k % 3];
    memcpy(triangles, m->triangles, m->triangle_count * sizeof *m->triangles);
    rtcCommitGeometry(geometry);
    return true;
}

static bool measure_reaches(const mesh *m, mesh_nearest *n)
{
    n->reach = base_alloc(m->triangle_count, sizeof *n->reach);
    for (uint32_t t = 0; n->reach != NULL && t < m->triangle_count; t++) {
        double sides[2][3];
        for (int k = 0; k < 2; k++)
            vec_sub(sides[k], m->points[m->triangles[t][k + 1]], m->points[m->triangles[t][0]]);
        n->reach[t] = (float)(1.0001 * fmax(vec_length(sides[0]), vec_length(sides[1])));
    }
    return n->reach != NULL;
}

sheaf_status mesh_nearest_open(const mesh *m, mesh_nearest *n)
{
    *n = (mesh_nearest){.m = m};
    if (!measure_reaches(m, n))
        return SHEAF_ERR_MEMORY;
    n->device = rtcNewDevice(NULL);
    n->scene = n->device != NULL ? rtcNewScene(n->device) : NULL;
    RTCGeometry geometry = n->scene != NULL ? rtcNewGeometry(n->device, RTC_GEOMETRY_TYPE_TRIANGLE) : NULL;
    const bool filled = geometry != NULL && fill_geometry(m, geometry);
    if (filled) {
        rtcAttachGeometry(n->scene, geometry);
        rtcSetSceneFlags(n->scene, RTC_SCENE_FLAG_ROBUST);
        rtcCommitScene(n->scene);
    }
    if (geometry != NULL)
        rtcReleaseGeometry(geometry);
    if (filled && rtcGetDeviceError(n->device) == RTC_ERROR_NONE)
        return SHEAF_OK;
    return base_fail(SHEAF_ERR_MEMORY, "Embree could not take a mesh of %u triangles", m->triangle_count);
}

void mesh_nearest_close(mesh_nearest *n)
{
    if (n->scene != NULL)
        rtcReleaseScene(n->scene);
    if (n->device != NULL)
        rtcReleaseDevice(n->device);
    base_free(n->reach);
    *n = (mesh_nearest){0};
}

// Where a triangle with corner a and sides u, v comes nearest to a point, by the regions about it: squared distance,
// and how far along u and v that is.
static double square_distance(const double p[3], const double a[3], const double u[3], const double v[3],
                              double along_sides[2])
{
    double arm[3], away[3];
    vec_sub(arm, p, a);
    const double uu = vec_dot(u, u), uv = vec_dot(u, v), vv = vec_dot(v, v), pu = vec_dot(arm, u), pv = vec_dot(arm, v);
    const double area = uu * vv - uv * uv, s = (vv * pu - uv * pv) / area, t = (uu * pv - uv * pu) / area;
    double best = INFINITY;
    const double sides[3][2] = {{fmin(fmax(pu / uu, 0), 1), 0}, {0, fmin(fmax(pv / vv, 0), 1)}, {0, 0}};
    for (int k = 0; k < 4; k++) {
        double x = k < 2 ? sides[k][0] : s, y = k < 2 ? sides[k][1] : t;
        if (k == 2) { // the side across from a
            const double across = uu - 2 * uv + vv, along = (uu - uv - pu + pv) / across;
            y = fmin(fmax(along, 0), 1);
            x = 1 - y;
        } else if (k == 3 && !(s >= 0 && t >= 0 && s + t <= 1)) {
            break;
        }
        vec_copy(away, arm);
        vec_axpy(away, -x, u);
        vec_axpy(away, -y, v);
        const double square = vec_dot(away, away);
        if (square < best) {
            best = square;
            along_sides[0] = x;
            along_sides[1] = y;
        }
    }
    return best;
}

typedef struct search {
    const mesh *m;
    const float *reach;
    double point[3];
    mesh_spot spot;
} search;

static double measure_triangle(const mesh *m, uint32_t triangle, const double point[3], double along[2])
{
    const uint32_t *corner = m->triangles[triangle];
    double u[3], v[3];
    vec_sub(u, m->points[corner[1]], m->points[corner[0]]);
    vec_sub(v, m->points[corner[2]], m->points[corner[0]]);
    return sqrt(square_distance(point, m->points[corner[0]], u, v, along));
}

static bool look_at_triangle(struct RTCPointQueryFunctionArguments *arguments)
{
    search *it = arguments->userPtr;
    const double *corner = it->m->points[it->m->triangles[arguments->primID][0]];
    const double x = it->point[0] - corner[0], y = it->point[1] - corner[1], z = it->point[2] - corner[2];
    const double most = (double)arguments->query->radius + (double)it->reach[arguments->primID];
    if (x * x + y * y + z * z > most * most)
        return false; // most triangles that are looked at: too far by their size alone
    double along[2] = {0, 0};
    const double distance = measure_triangle(it->m, arguments->primID, it->point, along);
    if (!(distance < (double)arguments->query->radius))
        return false;
    arguments->query->radius = (float)distance;
    it->spot = (mesh_spot){arguments->primID, {1 - along[0] - along[1], along[0], along[1]}};
    return true;
}

float mesh_nearest_find(const mesh_nearest *n, const double point[3], float most, mesh_spot *spot)
{
    search it = {.m = n->m, .reach = n->reach};
    struct RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    vec_copy(it.point, point);
    struct RTCPointQuery query = {.x = (float)point[0], .y = (float)point[1], .z = (float)point[2], .radius = most};
    rtcPointQuery(n->scene, &query, &context, look_at_triangle, &it);
    if (spot != NULL)
        *spot = it.spot;
    return query.radius;
}

float mesh_nearest_from(const mesh_nearest *n, const double point[3], mesh_spot *spot)
{
    double along[2] = {0, 0};
    const double guess = measure_triangle(n->m, spot->triangle, point, along);
    // a little more, so that rounding does not leave out the triangle itself
    return mesh_nearest_find(n, point, (float)(1.00001 * guess + 1e-30), spot);
}
