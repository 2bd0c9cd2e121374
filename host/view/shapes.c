// shapes: solid things as triangles around their own centre.
#include "view/shapes.h"

#include "base/vec.h"
#include "grow/surface.h"

enum { SECTORS = 48, QUARTER = 12, SIDE = 64 }; // around, from pole to equator, along a side

static const double pi = 3.14159265358979323846;

static sheaf_status allocate(view_shape *shape, size_t corners, size_t indices)
{
    *shape = (view_shape){.points = base_alloc(corners, sizeof *shape->points),
                          .normals = base_alloc(corners, sizeof *shape->normals),
                          .indices = base_alloc(indices, sizeof *shape->indices)};
    if (shape->points != NULL && shape->normals != NULL && shape->indices != NULL)
        return SHEAF_OK;
    view_shape_free(shape);
    return SHEAF_ERR_MEMORY;
}

void view_shape_free(view_shape *shape)
{
    base_free(shape->points);
    base_free(shape->normals);
    base_free(shape->indices);
    base_free(shape->cover);
    *shape = (view_shape){0};
}

static void add_corner(view_shape *shape, const double point[3], const double normal[3])
{
    vec_copy(shape->points[shape->corner_count], point);
    vec_copy(shape->normals[shape->corner_count++], normal);
}

static void add_triangle(view_shape *shape, size_t a, size_t b, size_t c)
{
    uint32_t *to = shape->indices + shape->index_count;
    to[0] = (uint32_t)a, to[1] = (uint32_t)b, to[2] = (uint32_t)c;
    shape->index_count += 3;
}

// Triangles between rows of `across` corners each; a row's next one is to the left, seen from outside along the row.
static void join_rows(view_shape *shape, size_t first, size_t rows, size_t across)
{
    for (size_t r = 0; r + 1 < rows; r++)
        for (size_t k = 0; k + 1 < across; k++) {
            const size_t here = first + r * across + k, next = here + across;
            add_triangle(shape, here, here + 1, next);
            add_triangle(shape, next, here + 1, next + 1);
        }
}

// ---- round things

// A ring of corners about axis 2.
static void add_ring(view_shape *shape, double radius, double height, const double slope[2])
{
    for (int s = 0; s <= SECTORS; s++) {
        const double x = cos(2 * pi * s / SECTORS), y = sin(2 * pi * s / SECTORS);
        const double point[3] = {radius * x, radius * y, height}, normal[3] = {slope[0] * x, slope[0] * y, slope[1]};
        add_corner(shape, point, normal);
    }
}

sheaf_status view_shape_capsule(view_shape *shape, double radius, double half, const double stretch[3])
{
    const size_t rings = 2 * (QUARTER + 1);
    SHEAF_TRY(allocate(shape, rings * (SECTORS + 1), (rings - 1) * SECTORS * 6));
    for (int r = 0; r < 2 * (QUARTER + 1); r++) { // from the lower pole up; the equator twice
        const bool is_upper = r > QUARTER;
        const double angle = pi / 2 * ((double)(is_upper ? r - 1 : r) / QUARTER - 1);
        const double slope[2] = {cos(angle), sin(angle)};
        add_ring(shape, radius * slope[0], radius * slope[1] + (is_upper ? half : -half), slope);
    }
    join_rows(shape, 0, rings, SECTORS + 1);
    for (uint32_t k = 0; k < shape->corner_count; k++) {
        for (int c = 0; c < 3; c++) {
            shape->points[k][c] *= stretch[c];
            shape->normals[k][c] /= stretch[c];
        }
        vec_unit(shape->normals[k], shape->normals[k]);
    }
    shape->thickness = 2 * radius * fmin(stretch[0], fmin(stretch[1], stretch[2]));
    return SHEAF_OK;
}

sheaf_status view_shape_cylinder(view_shape *shape, double radius, double half)
{
    static const double down[2] = {0, -1}, out[2] = {1, 0}, up[2] = {0, 1};
    SHEAF_TRY(allocate(shape, 6 * (SECTORS + 1), 3 * SECTORS * 6));
    add_ring(shape, 0, -half, down);
    add_ring(shape, radius, -half, down);
    add_ring(shape, radius, -half, out);
    add_ring(shape, radius, half, out);
    add_ring(shape, radius, half, up);
    add_ring(shape, 0, half, up);
    for (size_t part = 0; part < 3; part++)
        join_rows(shape, 2 * part * (SECTORS + 1), 2, SECTORS + 1);
    shape->thickness = 2 * fmin(radius, half);
    return SHEAF_OK;
}

// ---- flat things

// A face of `side` x `side` corners from -1 to 1 along the axes x and y, at 1 along their cross product; all stretched.
static void add_face(view_shape *shape, int side, const double x[3], const double y[3], const double stretch[3])
{
    double z[3];
    const size_t first = shape->corner_count;
    vec_cross(z, x, y);
    for (int v = 0; v < side; v++)
        for (int u = 0; u < side; u++) {
            double point[3];
            vec_scale(point, x, 2.0 * u / (side - 1) - 1);
            vec_axpy(point, 2.0 * v / (side - 1) - 1, y);
            vec_add(point, point, z);
            for (int c = 0; c < 3; c++)
                point[c] *= stretch[c];
            add_corner(shape, point, z);
        }
    join_rows(shape, first, (size_t)side, (size_t)side);
}

// Faces are made of many squares, so that shadows on them have shape.
sheaf_status view_shape_box(view_shape *shape, const double half[3])
{
    enum { FACE = 12 };
    SHEAF_TRY(allocate(shape, 6 * FACE * FACE, 6 * (FACE - 1) * (FACE - 1) * 6));
    for (int axis = 0; axis < 3; axis++) {
        double x[3] = {0, 0, 0}, y[3] = {0, 0, 0};
        x[(axis + 1) % 3] = y[(axis + 2) % 3] = 1;
        add_face(shape, FACE, x, y, half);
        add_face(shape, FACE, y, x, half);
    }
    shape->thickness = 2 * fmin(half[0], fmin(half[1], half[2]));
    return SHEAF_OK;
}

sheaf_status view_shape_square(view_shape *shape, double half)
{
    static const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    const double stretch[3] = {half, half, 0};
    SHEAF_TRY(allocate(shape, SIDE * SIDE, (SIDE - 1) * (SIDE - 1) * 6));
    add_face(shape, SIDE, x, y, stretch);
    return SHEAF_OK;
}

// ---- surfaces that strands grow on

sheaf_status view_shape_heights(view_shape *shape, const grow_surface *surface)
{
    SHEAF_TRY(allocate(shape, SIDE * SIDE, (SIDE - 1) * (SIDE - 1) * 6));
    for (int v = 0; v < SIDE; v++)
        for (int u = 0; u < SIDE; u++) {
            const grow_root root = {.place = {(double)u / (SIDE - 1), (double)v / (SIDE - 1)}};
            const grow_spot spot = surface_spot(surface, &root);
            add_corner(shape, spot.point, spot.normal);
        }
    join_rows(shape, 0, SIDE, SIDE);
    return SHEAF_OK;
}

sheaf_status view_shape_mesh(view_shape *shape, const mesh *m)
{
    SHEAF_TRY(allocate(shape, m->vertex_count, 3 * (size_t)m->triangle_count));
    for (uint32_t t = 0; t < m->triangle_count; t++)
        add_triangle(shape, m->triangles[t][0], m->triangles[t][1], m->triangles[t][2]);
    view_shape_follow(shape, m);
    return SHEAF_OK;
}

void view_shape_follow(view_shape *shape, const mesh *m)
{
    shape->corner_count = 0;
    for (uint32_t k = 0; k < m->vertex_count; k++)
        add_corner(shape, m->points[k], m->normals[k]);
    shape->thickness = fmin(m->high[0] - m->low[0], fmin(m->high[1] - m->low[1], m->high[2] - m->low[2]));
}
