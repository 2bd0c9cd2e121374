// grid: distances by Embree's point queries, insides by counting how often straight lines cross the surface.
#include "mesh/grid.h"

#include "base/vec.h"
#include "mesh/nearest.h"

// ---- sharing

mesh_grid *mesh_grid_share(mesh_grid *grid)
{
    if (grid != NULL)
        atomic_fetch_add(&grid->owners, 1);
    return grid;
}

void mesh_grid_release(mesh_grid *grid)
{
    if (grid == NULL || atomic_fetch_sub(&grid->owners, 1) > 1)
        return;
    base_free(grid->distance);
    base_free(grid);
}

size_t mesh_grid_size(const mesh_grid *grid)
{
    return (size_t)grid->count[0] * grid->count[1] * grid->count[2];
}

static size_t index_of(const mesh_grid *grid, const uint32_t at[3])
{
    return at[0] + grid->count[0] * (at[1] + grid->count[1] * (size_t)at[2]);
}

// ---- distances

typedef struct baking {
    mesh_nearest nearest;
    mesh_grid *grid;
    signed char *votes; // [sample] directions by which it lies inside, less those by which it does not
} baking;

static void place_of(const mesh_grid *grid, const uint32_t at[3], double out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = grid->low[c] + at[c] * grid->cell;
}

static sheaf_status measure_slices(size_t first, size_t end, uint32_t worker, void *user)
{
    const baking *b = user;
    (void)worker;
    for (uint32_t z = (uint32_t)first; z < end; z++)
        for (uint32_t y = 0; y < b->grid->count[1]; y++) {
            mesh_spot spot = {.triangle = UINT32_MAX};
            for (uint32_t x = 0; x < b->grid->count[0]; x++) {
                const uint32_t at[3] = {x, y, z};
                double point[3];
                place_of(b->grid, at, point);
                b->grid->distance[index_of(b->grid, at)] = spot.triangle == UINT32_MAX
                                                               ? mesh_nearest_find(&b->nearest, point, INFINITY, &spot)
                                                               : mesh_nearest_from(&b->nearest, point, &spot);
            }
        }
    return SHEAF_OK;
}

// ---- insides

// Distance along a line to the next crossing after `from`; infinite: none.
static float next_crossing(const baking *b, const double origin[3], int axis, float from)
{
    struct RTCRayHit ray = {0};
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    ray.ray.org_x = (float)origin[0];
    ray.ray.org_y = (float)origin[1];
    ray.ray.org_z = (float)origin[2];
    ray.ray.dir_x = axis == 0;
    ray.ray.dir_y = axis == 1;
    ray.ray.dir_z = axis == 2;
    ray.ray.tnear = from;
    ray.ray.tfar = INFINITY;
    ray.ray.mask = UINT32_MAX;
    ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(b->nearest.scene, &context, &ray);
    return ray.hit.geomID == RTC_INVALID_GEOMETRY_ID ? INFINITY : ray.ray.tfar;
}

// Samples of one line: inside after an odd number of crossings. The line runs a little beside the samples, where it is
// less likely to meet an edge.
static void vote_on_line(const baking *b, int axis, uint32_t at[3])
{
    const mesh_grid *grid = b->grid;
    double origin[3];
    at[axis] = 0;
    place_of(grid, at, origin);
    origin[axis] -= grid->cell;
    origin[(axis + 1) % 3] += 0.00271 * grid->cell;
    origin[(axis + 2) % 3] += 0.00314 * grid->cell;
    float crossing = next_crossing(b, origin, axis, 0);
    bool inside = false;
    for (at[axis] = 0; at[axis] < grid->count[axis]; at[axis]++) {
        const float way = (float)((at[axis] + 1) * grid->cell);
        while (crossing < way) {
            inside = !inside;
            crossing = next_crossing(b, origin, axis, crossing + (float)(1e-5 * grid->cell));
        }
        b->votes[index_of(grid, at)] = (signed char)(b->votes[index_of(grid, at)] + (inside ? 1 : -1));
    }
}

// Lines along all three axes; two of three decide.
static void find_insides(const baking *b)
{
    const mesh_grid *grid = b->grid;
    for (int axis = 0; axis < 3; axis++) {
        const int first = (axis + 1) % 3, second = (axis + 2) % 3;
        for (uint32_t j = 0; j < grid->count[first]; j++)
            for (uint32_t k = 0; k < grid->count[second]; k++) {
                uint32_t at[3];
                at[first] = j;
                at[second] = k;
                vote_on_line(b, axis, at);
            }
    }
    for (size_t k = 0; k < mesh_grid_size(grid); k++)
        if (b->votes[k] > 0)
            grid->distance[k] = -grid->distance[k];
}

// ---- edges and bulges

// Between samples the distance is too large where the body bulges: by cell^2 / (4 r) over a side of radius r, by a
// third of a cell at a corner. What is held off the grid's surface would so lie inside the mesh. Notes at the samples
// about a point of the mesh how far it is below the grid's surface; with one sample more to each side, so that
// neighbouring cells get much the same and directions stay as they are.
static void note_excess(const mesh_grid *grid, const double point[3], float *excess)
{
    double direction[3];
    const double found = mesh_grid_distance(grid, point, direction);
    uint32_t first[3], at[3];
    if (!(found > 0 && found < grid->cell))
        return;
    for (int c = 0; c < 3; c++) // the mesh is two cells inside the grid
        first[c] = (uint32_t)((point[c] - grid->low[c]) / grid->cell) - 1;
    for (at[2] = first[2]; at[2] < first[2] + 4 && at[2] < grid->count[2]; at[2]++)
        for (at[1] = first[1]; at[1] < first[1] + 4 && at[1] < grid->count[1]; at[1]++)
            for (at[0] = first[0]; at[0] < first[0] + 4 && at[0] < grid->count[0]; at[0]++) {
                float *here = &excess[index_of(grid, at)];
                *here = fmaxf(*here, (float)found);
            }
}

// Points of a triangle, half a cell apart or nearer.
static void note_triangle(const mesh *m, const mesh_grid *grid, uint32_t triangle, float *excess)
{
    const uint32_t *corner = m->triangles[triangle];
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        double side[3];
        vec_sub(side, m->points[corner[(k + 1) % 3]], m->points[corner[k]]);
        longest = fmax(longest, vec_length(side));
    }
    const uint32_t pieces = (uint32_t)ceil(fmax(longest / (0.5 * grid->cell), 1));
    for (uint32_t i = 0; i <= pieces; i++)
        for (uint32_t j = 0; i + j <= pieces; j++) {
            const double a = (double)i / pieces, b = (double)j / pieces, weights[3] = {a, b, 1 - a - b};
            double point[3];
            mesh_point(m, triangle, weights, point);
            note_excess(grid, point, excess);
        }
}

// Lowers samples until the whole mesh is inside the grid's surface, or on it.
static sheaf_status enclose(const mesh *m, mesh_grid *grid)
{
    float *excess = base_alloc(mesh_grid_size(grid), sizeof *excess);
    if (excess == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < m->triangle_count; k++)
        note_triangle(m, grid, k, excess);
    for (size_t k = 0; k < mesh_grid_size(grid); k++)
        grid->distance[k] -= excess[k];
    base_free(excess);
    return SHEAF_OK;
}

// ---- the whole

static sheaf_status lay_out(const mesh *m, double cell, mesh_grid *grid)
{
    double longest = 0, samples = 1;
    for (int c = 0; c < 3; c++)
        longest = fmax(longest, m->high[c] - m->low[c]);
    grid->cell = cell > 0 ? cell : longest / 48;
    for (int c = 0; c < 3; c++) {
        const double count = ceil((m->high[c] - m->low[c]) / grid->cell) + 5;
        grid->low[c] = m->low[c] - 2 * grid->cell;
        samples *= count;
        grid->count[c] = count < MESH_GRID_MOST ? (uint32_t)count : MESH_GRID_MOST;
    }
    if (samples <= MESH_GRID_MOST)
        return SHEAF_OK;
    return base_fail(
        SHEAF_ERR_LIMIT,
        "a grid of %.3g m over a mesh of %.3g m has %.3g samples; at most %d are allowed: give a larger cell",
        grid->cell, longest, samples, MESH_GRID_MOST);
}

static sheaf_status bake(baking *b)
{
    SHEAF_TRY(base_parallel_for(b->grid->count[2], 0, measure_slices, b));
    find_insides(b);
    return SHEAF_OK;
}

sheaf_status mesh_grid_bake(const mesh *m, double cell, mesh_grid **grid)
{
    *grid = NULL;
    if (!m->is_closed)
        return base_fail(SHEAF_ERR_INPUT,
                         "the mesh is not closed: %llu edges of triangles have no partner; close its holes",
                         (unsigned long long)m->open_edges);
    mesh_grid *made = base_alloc(1, sizeof *made);
    if (made == NULL)
        return SHEAF_ERR_MEMORY;
    atomic_init(&made->owners, 1);
    baking b = {.grid = made};
    sheaf_status status = lay_out(m, cell, made);
    if (status == SHEAF_OK) {
        made->distance = base_alloc(mesh_grid_size(made), sizeof *made->distance);
        b.votes = base_alloc(mesh_grid_size(made), sizeof *b.votes);
        status = made->distance != NULL && b.votes != NULL ? mesh_nearest_open(m, &b.nearest) : SHEAF_ERR_MEMORY;
    }
    if (status == SHEAF_OK)
        status = bake(&b);
    if (status == SHEAF_OK)
        status = enclose(m, made);
    mesh_nearest_close(&b.nearest);
    base_free(b.votes);
    if (status == SHEAF_OK)
        *grid = made;
    else
        mesh_grid_release(made);
    return status;
}

// ---- reading it

double mesh_grid_distance(const mesh_grid *grid, const double point[3], double direction[3])
{
    uint32_t at[3];
    double share[3], sum = 0;
    vec_set(direction, 0, 0, 0);
    for (int c = 0; c < 3; c++) {
        const double place = (point[c] - grid->low[c]) / grid->cell;
        if (!(place >= 0 && place <= grid->count[c] - 1))
            return INFINITY;
        at[c] = place < grid->count[c] - 1 ? (uint32_t)place : grid->count[c] - 2;
        share[c] = place - at[c];
    }
    for (int corner = 0; corner < 8; corner++) {
        double weight[3], slope[3];
        uint32_t place[3];
        for (int c = 0; c < 3; c++) {
            const bool far = corner >> c & 1;
            place[c] = at[c] + far;
            weight[c] = far ? share[c] : 1 - share[c];
            slope[c] = far ? 1 : -1;
        }
        const double value = (double)grid->distance[index_of(grid, place)];
        sum += value * weight[0] * weight[1] * weight[2];
        direction[0] += value * slope[0] * weight[1] * weight[2];
        direction[1] += value * weight[0] * slope[1] * weight[2];
        direction[2] += value * weight[0] * weight[1] * slope[2];
    }
    const double length = vec_length(direction);
    if (length > 0)
        vec_scale(direction, direction, 1 / length);
    return sum;
}
