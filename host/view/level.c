// level: the surface on which a grid's distances are 0, by surface nets: every cell that the surface passes through
// gets one corner, in the middle of where it crosses the cell's edges; four cells around an edge that it crosses make
// a square.
#include "view/shapes.h"

#include "base/vec.h"

enum { FINEST = 96 }; // cells along a grid's longest side; finer grids are read at every other sample, or fewer

#define NO_CORNER UINT32_MAX

typedef struct net {
    const mesh_grid *grid;
    uint32_t stride;   // samples from one that is read to the next
    uint32_t count[3]; // samples that are read
    double middle[3];  // m, of the grid
    uint32_t *corners; // [z][y][x] of the cell after each sample, or NO_CORNER
    view_shape *shape;
} net;

static size_t place_of(const net *n, const uint32_t at[3])
{
    return ((size_t)at[2] * n->count[1] + at[1]) * n->count[0] + at[0];
}

static double value_at(const net *n, const uint32_t at[3])
{
    const size_t x = (size_t)at[0] * n->stride, y = (size_t)at[1] * n->stride, z = (size_t)at[2] * n->stride;
    return (double)n->grid->distance[(z * n->grid->count[1] + y) * n->grid->count[0] + x];
}

// Where the surface crosses the edge of a cell from its corner `from` along an axis, in cells.
static bool find_crossing(const net *n, const uint32_t cell[3], uint32_t from, int axis, double out[3])
{
    uint32_t at[3];
    for (int c = 0; c < 3; c++) {
        at[c] = cell[c] + (from >> c & 1);
        out[c] = at[c];
    }
    const double here = value_at(n, at);
    at[axis]++;
    const double there = value_at(n, at);
    out[axis] += here / (here - there);
    return (here < 0) != (there < 0);
}

// The corner of a cell: false where the surface does not pass through it.
static bool find_corner(const net *n, const uint32_t cell[3], double point[3])
{
    uint32_t crossings = 0;
    vec_set(point, 0, 0, 0);
    for (int axis = 0; axis < 3; axis++)
        for (uint32_t from = 0; from < 8; from++) {
            double crossing[3];
            if ((from >> axis & 1) == 0 && find_crossing(n, cell, from, axis, crossing)) {
                vec_add(point, point, crossing);
                crossings++;
            }
        }
    if (crossings == 0)
        return false;
    vec_scale(point, point, n->grid->cell * n->stride / crossings);
    vec_add(point, point, n->grid->low);
    return true;
}

// Calls fn for every cell.
static void walk_cells(net *n, void (*fn)(net *n, const uint32_t cell[3]))
{
    uint32_t cell[3];
    for (cell[2] = 0; cell[2] + 1 < n->count[2]; cell[2]++)
        for (cell[1] = 0; cell[1] + 1 < n->count[1]; cell[1]++)
            for (cell[0] = 0; cell[0] + 1 < n->count[0]; cell[0]++)
                fn(n, cell);
}

// Counts corners while the shape has no room for them, and adds them once it has.
static void add_corner(net *n, const uint32_t cell[3])
{
    view_shape *shape = n->shape;
    double point[3], normal[3];
    uint32_t *corner = &n->corners[place_of(n, cell)];
    *corner = NO_CORNER;
    if (!find_corner(n, cell, point))
        return;
    *corner = shape->corner_count++;
    if (shape->points == NULL)
        return;
    (void)mesh_grid_distance(n->grid, point, normal);
    vec_sub(shape->points[*corner], point, n->middle);
    vec_copy(shape->normals[*corner], normal);
}

// The square across the edge from the cell's first sample along an axis, facing where distances grow.
static void add_square(net *n, const uint32_t cell[3], int axis)
{
    static const uint32_t around[4][2] = {{1, 1}, {0, 1}, {0, 0}, {1, 0}}; // cells back along the other two axes
    static const int turn[2][6] = {{0, 1, 2, 0, 2, 3}, {0, 2, 1, 0, 3, 2}};
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    uint32_t at[3] = {cell[0], cell[1], cell[2]}, corners[4];
    if (at[a] == 0 || at[b] == 0)
        return;
    const bool inside = value_at(n, at) < 0;
    at[axis]++;
    if (inside == (value_at(n, at) < 0))
        return;
    at[axis]--;
    for (int k = 0; k < 4; k++) {
        at[a] = cell[a] - around[k][0];
        at[b] = cell[b] - around[k][1];
        corners[k] = n->corners[place_of(n, at)];
    }
    for (int k = 0; k < 6 && n->shape->indices != NULL; k++)
        n->shape->indices[n->shape->index_count + (uint32_t)k] = corners[turn[inside ? 0 : 1][k]];
    n->shape->index_count += 6;
}

static void add_squares(net *n, const uint32_t cell[3])
{
    for (int axis = 0; axis < 3; axis++)
        add_square(n, cell, axis);
}

static sheaf_status weave(net *n)
{
    view_shape *shape = n->shape;
    walk_cells(n, add_corner);
    walk_cells(n, add_squares);
    shape->points = base_alloc(shape->corner_count, sizeof *shape->points);
    shape->normals = base_alloc(shape->corner_count, sizeof *shape->normals);
    shape->indices = base_alloc(shape->index_count, sizeof *shape->indices);
    if (shape->points == NULL || shape->normals == NULL || shape->indices == NULL)
        return SHEAF_ERR_MEMORY;
    shape->corner_count = shape->index_count = 0;
    walk_cells(n, add_corner);
    walk_cells(n, add_squares);
    return SHEAF_OK;
}

sheaf_status view_shape_grid(view_shape *shape, const mesh_grid *grid)
{
    const uint32_t longest = (uint32_t)fmax(grid->count[0], fmax(grid->count[1], grid->count[2]));
    net n = {.grid = grid, .shape = shape, .stride = (longest + FINEST - 1) / FINEST};
    double thinnest = INFINITY;
    *shape = (view_shape){0};
    for (int c = 0; c < 3; c++) {
        const double side = (grid->count[c] - 1) * grid->cell;
        n.count[c] = (grid->count[c] - 1) / n.stride + 1;
        n.middle[c] = grid->low[c] + side / 2;
        thinnest = fmin(thinnest, side - 4 * grid->cell);
    }
    n.corners = base_alloc((size_t)n.count[0] * n.count[1] * n.count[2], sizeof *n.corners);
    const sheaf_status status = n.corners != NULL ? weave(&n) : SHEAF_ERR_MEMORY;
    base_free(n.corners);
    if (status != SHEAF_OK)
        view_shape_free(shape);
    shape->thickness = fmax(thinnest, 0);
    return status;
}
