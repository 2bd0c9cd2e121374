// surface: ellipsoids, planes, heights over a plane, and meshes, as places to grow on.
#include "grow/surface.h"

#include "base/vec.h"

static const double pi = 3.14159265358979323846;

// ---- preparation

// By the series of the sine, whose sum every machine rounds alike.
double grow_cap_share(double angle)
{
    const double x = angle / 2, square = x * x;
    double sum = 1;
    for (int k = 12; k > 0; k--)
        sum = 1 - square / (2 * k * (2 * k + 1)) * sum;
    return x * sum * (x * sum);
}

// Steepness of a cell of heights is largest at one of its corners.
static double find_steepest(const grow_surface *s)
{
    const double rise = s->range[1] - s->range[0];
    double steepest = 1;
    for (uint32_t row = 0; row + 1 < s->heights.height; row++)
        for (uint32_t column = 0; column + 1 < s->heights.width; column++) {
            const float *upper = s->heights.values + (size_t)row * s->heights.width + column;
            const float *lower = upper + s->heights.width;
            const double across = rise * (s->heights.width - 1) / s->size[0];
            const double along = rise * (s->heights.height - 1) / s->size[1];
            const double x =
                across * fmax(fabs((double)upper[1] - (double)upper[0]), fabs((double)lower[1] - (double)lower[0]));
            const double y =
                along * fmax(fabs((double)lower[0] - (double)upper[0]), fabs((double)lower[1] - (double)upper[1]));
            steepest = fmax(steepest, sqrt(1 + x * x + y * y));
        }
    return steepest;
}

static sheaf_status sum_areas(grow_surface *s)
{
    s->area_sums = base_alloc(s->mesh.triangle_count, sizeof *s->area_sums);
    if (s->area_sums == NULL)
        return SHEAF_ERR_MEMORY;
    double sum = 0;
    for (uint32_t t = 0; t < s->mesh.triangle_count; t++) {
        double cross[3];
        mesh_cross(&s->mesh, t, cross);
        sum += vec_length(cross) / 2;
        s->area_sums[t] = sum;
    }
    return sum > 0 ? SHEAF_OK : base_fail(SHEAF_ERR_INPUT, "the mesh has no area to grow on");
}

sheaf_status surface_prepare(grow_surface *s)
{
    vec_unit(s->up, s->up);
    vec_normal(s->east, s->up);
    if (s->kind != GROW_ELLIPSOID) { // sides along the axes of coordinates where up is one of them
        const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
        vec_copy(s->east, fabs(s->up[0]) < 0.9 ? x : y);
        vec_axpy(s->east, -vec_dot(s->east, s->up), s->up);
        vec_unit(s->east, s->east);
    }
    vec_cross(s->north, s->up, s->east);
    s->cap_share = grow_cap_share(s->cap);
    s->steepest = s->kind == GROW_HEIGHTS ? find_steepest(s) : 1;
    return s->kind == GROW_MESH ? sum_areas(s) : SHEAF_OK;
}

void surface_free(grow_surface *s)
{
    grow_map_free(&s->heights);
    mesh_free(&s->mesh);
    base_free(s->area_sums);
    s->area_sums = NULL;
}

// ---- places
// ellipsoid: (x, y) in the disc that the sphere's z = 1 - 2 (x^2 + y^2) maps to with equal areas
// plane, heights: shares of the sides; mesh: weights of the second and third vertex

static void sphere_direction(const grow_surface *s, const double place[2], double out[3])
{
    const double square = place[0] * place[0] + place[1] * place[1], across = 2 * sqrt(fmax(1 - square, 0));
    vec_scale(out, s->up, 1 - 2 * square);
    vec_axpy(out, across * place[0], s->east);
    vec_axpy(out, across * place[1], s->north);
}

static grow_spot ellipsoid_spot(const grow_surface *s, const double place[2])
{
    grow_spot spot;
    double direction[3];
    sphere_direction(s, place, direction);
    for (int c = 0; c < 3; c++) {
        spot.point[c] = s->center[c] + s->radii[c] * direction[c];
        spot.normal[c] = direction[c] / s->radii[c];
    }
    vec_unit(spot.normal, spot.normal);
    return spot;
}

// Also of a plane, which has no heights.
static grow_spot heights_spot(const grow_surface *s, const double place[2])
{
    grow_spot spot;
    double slope[2] = {0, 0}, height = 0;
    vec_copy(spot.normal, s->up);
    if (s->kind == GROW_HEIGHTS) {
        const double rise = s->range[1] - s->range[0];
        height = s->range[0] + rise * grow_map_at(&s->heights, place[0], place[1], slope);
        vec_axpy(spot.normal, -rise * slope[0] / s->size[0], s->east);
        vec_axpy(spot.normal, -rise * slope[1] / s->size[1], s->north);
        vec_unit(spot.normal, spot.normal);
    }
    vec_copy(spot.point, s->center);
    vec_axpy(spot.point, (place[0] - 0.5) * s->size[0], s->east);
    vec_axpy(spot.point, (place[1] - 0.5) * s->size[1], s->north);
    vec_axpy(spot.point, height, s->up);
    return spot;
}

static void triangle_weights(const grow_root *root, double weights[3])
{
    vec_set(weights, 1 - root->place[0] - root->place[1], root->place[0], root->place[1]);
}

static grow_spot mesh_spot(const grow_surface *s, const grow_root *root)
{
    grow_spot spot;
    double weights[3];
    triangle_weights(root, weights);
    mesh_point(&s->mesh, root->face, weights, spot.point);
    mesh_normal(&s->mesh, root->face, weights, spot.normal);
    return spot;
}

grow_spot surface_spot(const grow_surface *s, const grow_root *root)
{
    switch (s->kind) {
    case GROW_MESH:
        return mesh_spot(s, root);
    case GROW_ELLIPSOID:
        return ellipsoid_spot(s, root->place);
    case GROW_PLANE:
    case GROW_HEIGHTS:
    default:
        return heights_spot(s, root->place);
    }
}

double surface_measure(const grow_surface *s)
{
    const double least = fmin(s->radii[0], fmin(s->radii[1], s->radii[2]));
    switch (s->kind) {
    case GROW_MESH:
        return s->area_sums[s->mesh.triangle_count - 1];
    case GROW_ELLIPSOID: // an area dw of the sphere becomes abc |n / radii| dw
        return 4 * pi * s->cap_share * s->radii[0] * s->radii[1] * s->radii[2] / least;
    case GROW_PLANE:
    case GROW_HEIGHTS:
    default:
        return s->size[0] * s->size[1] * s->steepest;
    }
}

// ---- drawing

// The triangle whose part of the areas holds a share of all.
static uint32_t find_triangle(const grow_surface *s, double share)
{
    uint32_t low = 0, high = s->mesh.triangle_count - 1;
    const double wanted = share * s->area_sums[high];
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (s->area_sums[middle] > wanted)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

// Points of a square that lie outside its disc are drawn again.
static void draw_in_disc(const grow_surface *s, uint64_t seed, uint32_t stream, uint64_t index, double uniform[4],
                         double place[2])
{
    enum { REDRAWN = 1 << 16, MOST_REDRAWS = 64 };
    for (uint32_t k = 0; k < MOST_REDRAWS; k++) {
        place[0] = 2 * uniform[0] - 1;
        place[1] = 2 * uniform[1] - 1;
        if (place[0] * place[0] + place[1] * place[1] < 1)
            break;
        base_uniform4(seed, stream + REDRAWN * (k + 1), index, uniform);
    }
    const double scale = sqrt(s->cap_share);
    place[0] *= scale;
    place[1] *= scale;
}

double surface_draw(const grow_surface *s, uint64_t seed, uint32_t stream, uint64_t index, grow_root *root)
{
    double uniform[4];
    base_uniform4(seed, stream, index, uniform);
    *root = (grow_root){.place = {uniform[0], uniform[1]}};
    if (s->kind == GROW_ELLIPSOID) {
        draw_in_disc(s, seed, stream, index, uniform, root->place);
    } else if (s->kind == GROW_MESH) {
        const double across = sqrt(uniform[0]);
        root->face = find_triangle(s, uniform[2]);
        root->place[0] = across * (1 - uniform[1]);
        root->place[1] = across * uniform[1];
    }
    return uniform[3];
}

// ---- weights

// Shares of a map's sides: of a sphere its longitude and the share of its area below, of a mesh what its file says.
static void find_map_place(const grow_surface *s, const grow_root *root, double out[2])
{
    out[0] = root->place[0];
    out[1] = root->place[1];
    if (s->kind == GROW_ELLIPSOID) {
        out[0] = 0.5 + atan2(root->place[1], root->place[0]) / (2 * pi);
        out[1] = 1 - root->place[0] * root->place[0] - root->place[1] * root->place[1];
    } else if (s->kind == GROW_MESH && s->mesh.uv != NULL) {
        double weights[3];
        triangle_weights(root, weights);
        out[0] = out[1] = 0;
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 2; c++)
                out[c] += weights[k] * (double)s->mesh.uv[root->face][k][c];
    }
}

static double find_density(const grow_def *def, const grow_root *root)
{
    const grow_surface *s = &def->surface;
    double density = 1;
    if (def->density.values != NULL) {
        double place[2];
        find_map_place(s, root, place);
        density = grow_map_at(&def->density, place[0], place[1], NULL);
    }
    if (s->kind == GROW_MESH && s->mesh.density != NULL) {
        double weights[3], sum = 0;
        triangle_weights(root, weights);
        for (int k = 0; k < 3; k++)
            sum += weights[k] * (double)s->mesh.density[s->mesh.triangles[root->face][k]];
        density *= sum;
    }
    return density;
}

// Share of the full density that a hairline leaves at a point: 0 below it, 1 above, smooth between.
static double find_growth(const grow_surface *s, const grow_hairline *line, const double point[3])
{
    double arm[3], front[3], side[3];
    if (line->line == NULL)
        return 1;
    vec_sub(arm, point, line->from);
    vec_copy(front, line->front);
    vec_axpy(front, -vec_dot(front, s->up), s->up);
    vec_unit(front, front);
    vec_cross(side, s->up, front);
    const double ahead = vec_dot(arm, front), across = fabs(vec_dot(arm, side)), above = vec_dot(arm, s->up);
    const double around = atan2(across, ahead), elevation = atan2(above, sqrt(ahead * ahead + across * across));
    uint32_t k = 0;
    while (k + 2 < line->count && around > line->line[k + 1][0])
        k++;
    const double *a = line->line[k], *b = line->line[k + 1], share = (around - a[0]) / (b[0] - a[0]);
    const double least = a[1] + fmin(fmax(share, 0), 1) * (b[1] - a[1]);
    if (!(line->soft > 0))
        return elevation >= least;
    const double t = fmin(fmax((elevation - least) / line->soft + 0.5, 0), 1);
    return t * t * (3 - 2 * t);
}

static bool is_inside(const grow_region *where, const grow_spot *spot)
{
    const double height = vec_dot(spot->point, where->axis);
    return height >= where->above && height <= where->below && vec_dot(spot->normal, where->axis) >= where->cosine;
}

// How much more area a candidate stands for than others, as a share of the largest.
static double find_stretch(const grow_surface *s, const grow_root *root, const grow_spot *spot)
{
    if (s->kind == GROW_HEIGHTS)
        return 1 / (vec_dot(spot->normal, s->up) * s->steepest);
    if (s->kind != GROW_ELLIPSOID || (s->radii[0] == s->radii[1] && s->radii[1] == s->radii[2]))
        return 1;
    double direction[3];
    sphere_direction(s, root->place, direction);
    for (int c = 0; c < 3; c++)
        direction[c] /= s->radii[c];
    return vec_length(direction) * fmin(s->radii[0], fmin(s->radii[1], s->radii[2]));
}

double grow_cover(const grow_population *grown, const double point[3], const double normal[3])
{
    const grow_def *def = &grown->def;
    const grow_surface *s = &def->surface;
    static const double soft_edge = 0.25; // cosine, over which a cap's edge fades: a picture's, not that of the roots
    double edge = 1;
    grow_spot spot;
    vec_copy(spot.point, point);
    vec_copy(spot.normal, normal);
    if (s->kind == GROW_ELLIPSOID) {
        double direction[3];
        vec_sub(direction, point, s->center);
        for (int c = 0; c < 3; c++)
            direction[c] /= s->radii[c];
        const double above = vec_dot(direction, s->up) / vec_length(direction) - (1 - 2 * s->cap_share);
        edge = s->cap_share < 1 ? fmin(fmax(above / soft_edge, 0), 1) : 1;
    }
    return is_inside(&def->where, &spot) ? edge * find_growth(s, &def->where.hairline, point) : 0;
}

double surface_weight(const grow_def *def, const grow_root *root, const grow_spot *spot, double *density)
{
    *density = find_density(def, root) * find_growth(&def->surface, &def->where.hairline, spot->point);
    return is_inside(&def->where, spot) ? *density * find_stretch(&def->surface, root, spot) : 0;
}

bool surface_is_even(const grow_def *def)
{
    const grow_surface *s = &def->surface;
    const bool round = s->radii[0] == s->radii[1] && s->radii[1] == s->radii[2];
    return def->density.values == NULL && def->where.hairline.line == NULL && s->mesh.density == NULL &&
           def->where.cosine <= -1 && def->where.above == -INFINITY && def->where.below == INFINITY &&
           s->kind != GROW_HEIGHTS && (s->kind != GROW_ELLIPSOID || round);
}
