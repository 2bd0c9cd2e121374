// light: how much light reaches each place among the strands.
#include "view/light.h"

#include <string.h>

#include "base/vec.h"

static const float opaque = 6;      // optical depth of a cell inside a body
static const float softness = 0.9f; // of the shadows of strands: what is drawn wider than it is takes less away

// Light left after optical depth t: exp(-t), near enough, and quick.
static inline float left_after(float t)
{
    return 1 / (1 + t + 0.5f * t * t);
}

sheaf_status view_light_open(view_light *light, uint32_t cells, uint32_t texels)
{
    *light = (view_light){.most = cells, .texels = texels};
    const size_t count = (size_t)cells * cells * cells, area = (size_t)texels * texels;
    light->taken = base_alloc(count, sizeof *light->taken);
    light->cells = base_alloc(count, sizeof *light->cells);
    light->ground = base_alloc(area, sizeof *light->ground);
    light->blur = base_alloc(area, sizeof *light->blur);
    const bool ok = light->taken != NULL && light->cells != NULL && light->ground != NULL && light->blur != NULL;
    if (!ok)
        view_light_close(light);
    return ok ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

void view_light_close(view_light *light)
{
    base_free(light->taken);
    base_free(light->cells);
    base_free(light->ground);
    base_free(light->blur);
    *light = (view_light){0};
}

// ---- places

// The strands, and of the bodies what is no farther from them than they are wide.
static void find_bounds(const view_light *light, const view_subject *subject, double low[3], double high[3])
{
    double least[3], most[3], point[3];
    for (uint64_t k = 0; k < view_vertex_count(subject); k++)
        for (int c = 0; c < 3; c++) {
            const double x = vec_dot(light->axes[c], subject->positions[k]);
            low[c] = x < low[c] ? x : low[c];
            high[c] = x > high[c] ? x : high[c];
        }
    for (int c = 0; c < 3; c++) {
        least[c] = low[c] - (high[c] - low[c]);
        most[c] = high[c] + (high[c] - low[c]);
    }
    for (uint32_t b = 0; b < subject->body_count; b++)
        for (uint32_t k = 0; k < subject->bodies[b].shape->corner_count && !subject->bodies[b].is_backdrop; k++) {
            view_body_point(&subject->bodies[b], subject->bodies[b].shape->points[k], point);
            for (int c = 0; c < 3; c++) {
                const double x = fmin(fmax(vec_dot(light->axes[c], point), least[c]), most[c]);
                low[c] = fmin(low[c], x);
                high[c] = fmax(high[c], x);
            }
        }
}

static void place_grid(view_light *light, const view_subject *subject)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, longest = 1e-9;
    find_bounds(light, subject, low, high);
    for (int c = 0; c < 3; c++)
        longest = fmax(longest, high[c] - low[c]);
    light->cell = longest / (light->most - 3);
    for (int c = 0; c < 3; c++) {
        const double span = fmax(high[c] - low[c], 0);
        light->size[c] = (uint32_t)fmin(ceil(span / light->cell) + 3, light->most);
        light->low[c] = low[c] - (light->size[c] * light->cell - span) / 2;
    }
}

static size_t cell_index(const view_light *light, uint32_t x, uint32_t y, uint32_t z)
{
    return ((size_t)z * light->size[1] + y) * light->size[0] + x;
}

// The cell whose middle and its neighbours' a point lies between, and how far it is from the first.
static void find_cell(const view_light *light, const double point[3], uint32_t first[3], float part[3])
{
    for (int c = 0; c < 3; c++) {
        const double x = (vec_dot(light->axes[c], point) - light->low[c]) / light->cell - 0.5;
        const double last = light->size[c] - 1.001, inside = x < 0 ? 0 : x > last ? last : x;
        first[c] = (uint32_t)inside;
        part[c] = (float)(inside - first[c]);
    }
}

view_cell view_light_at(const view_light *light, const double point[3])
{
    uint32_t first[3];
    float part[3];
    view_cell sum = {0, 0};
    if (light->is_everywhere)
        return (view_cell){1, 1};
    for (int c = 0; c < 2; c++) { // beside the grid nothing is in the way
        const double x = (vec_dot(light->axes[c], point) - light->low[c]) / light->cell;
        if (x < 0 || x > light->size[c])
            return (view_cell){1, 1};
    }
    find_cell(light, point, first, part);
    for (uint32_t k = 0; k < 8; k++) {
        const uint32_t dx = k & 1, dy = k >> 1 & 1, dz = k >> 2;
        const float weight = (dx ? part[0] : 1 - part[0]) * (dy ? part[1] : 1 - part[1]) * (dz ? part[2] : 1 - part[2]);
        const view_cell *cell = &light->cells[cell_index(light, first[0] + dx, first[1] + dy, first[2] + dz)];
        sum.direct += weight * cell->direct;
        sum.ambient += weight * cell->ambient;
    }
    return sum;
}

// ---- what takes light away

static void take(view_light *light, const double point[3], float depth)
{
    uint32_t first[3];
    float part[3];
    find_cell(light, point, first, part);
    for (uint32_t k = 0; k < 8; k++) {
        const uint32_t dx = k & 1, dy = k >> 1 & 1, dz = k >> 2;
        const float weight = (dx ? part[0] : 1 - part[0]) * (dy ? part[1] : 1 - part[1]) * (dz ? part[2] : 1 - part[2]);
        light->taken[cell_index(light, first[0] + dx, first[1] + dy, first[2] + dz)] += weight * depth;
    }
}

// The texel of the ground that a point's shadow falls on, or NULL.
static float *find_texel(view_light *light, const view_subject *subject, const double point[3])
{
    double foot[3];
    const double height = vec_dot(point, subject->up) - subject->ground;
    vec_copy(foot, point);
    vec_axpy(foot, -height / fmax(vec_dot(light->toward, subject->up), 0.2), light->toward);
    const double x = (vec_dot(foot, light->plane[0]) - light->plane_low[0]) / light->texel;
    const double y = (vec_dot(foot, light->plane[1]) - light->plane_low[1]) / light->texel;
    const bool is_there = x >= 0 && y >= 0 && x < light->texels && y < light->texels;
    return is_there ? &light->ground[(size_t)(uint32_t)y * light->texels + (uint32_t)x] : NULL;
}

static void take_ground(view_light *light, const view_subject *subject, const double point[3], double area)
{
    float *texel = find_texel(light, subject, point);
    if (texel != NULL)
        *texel += (float)(area / (light->texel * light->texel));
}

// What shadows are cast of.
typedef struct casting {
    view_light *light;
    const view_subject *subject;
    double half;    // m, least half width of strands
    uint64_t crowd; // strands of the crowd that cast shadows of their own; 0: others stand for them
} casting;

typedef void take_fn(view_light *light, const view_subject *subject, const double point[3], double area);

static void take_in_grid(view_light *light, const view_subject *subject, const double point[3], double area)
{
    (void)subject;
    take(light, point, softness * (float)(area / (light->cell * light->cell)));
}

// Calls fn for points along every strand, no farther apart than `spacing`, with the area that each stands for.
static void walk_strands(view_light *light, const casting *c, const view_subject *strands, double spacing, take_fn *fn)
{
    const view_subject *subject = c->subject;
    for (uint32_t s = 0; s < strands->strand_count; s++) {
        const double stands_for = c->crowd > 0 ? 1 : view_stands_for(&strands->strands[s]);
        const double width = 2 * fmax(c->half, fmax(strands->strands[s].half[0], strands->strands[s].half[1]));
        for (uint64_t k = strands->first_vertex[s]; k + 1 < strands->first_vertex[s + 1]; k++) {
            double edge[3], point[3];
            vec_sub(edge, strands->positions[k + 1], strands->positions[k]);
            const double length = vec_length(edge);
            const int parts = (int)fmin(ceil(length / spacing), 64);
            for (int i = 0; i < parts; i++) {
                vec_copy(point, strands->positions[k]);
                vec_axpy(point, (i + 0.5) / parts, edge);
                fn(light, subject, point, stands_for * width * length / parts);
            }
        }
    }
}

// ---- bodies

// A body as what takes light away sees it.
typedef struct obstacle {
    view_light *light;
    const view_subject *subject;
    const view_body *body;
    double sunk;    // m, how far points are moved inwards
    double spacing; // m, between points
    void (*take)(view_light *light, const view_subject *subject, const double point[3]);
} obstacle;

// Strands that lie on a body are not to be in its shadow: points are inside by the size of a cell.
static void block_cell(view_light *light, const view_subject *subject, const double point[3])
{
    uint32_t at[3];
    (void)subject;
    for (int c = 0; c < 3; c++) {
        const double x = (vec_dot(light->axes[c], point) - light->low[c]) / light->cell;
        if (!(x >= 0 && x < light->size[c]))
            return;
        at[c] = (uint32_t)x;
    }
    light->taken[cell_index(light, at[0], at[1], at[2])] = opaque;
}

static void block_ground(view_light *light, const view_subject *subject, const double point[3])
{
    float *texel = vec_dot(point, subject->up) >= subject->ground ? find_texel(light, subject, point) : NULL;
    if (texel != NULL)
        *texel = opaque;
}

// Points of a triangle no farther apart than the spacing.
static void walk_triangle(const obstacle *o, const uint32_t corners[3])
{
    const view_shape *shape = o->body->shape;
    double from[3][3], sides[2][3], point[3];
    for (int k = 0; k < 3; k++) {
        vec_copy(point, shape->points[corners[k]]);
        vec_axpy(point, -o->sunk, shape->normals[corners[k]]);
        view_body_point(o->body, point, from[k]);
    }
    vec_sub(sides[0], from[1], from[0]);
    vec_sub(sides[1], from[2], from[0]);
    const double longest = fmax(vec_length(sides[0]), vec_length(sides[1]));
    const int parts = (int)fmin(fmax(ceil(longest / o->spacing), 1), 512);
    for (int i = 0; i <= parts; i++)
        for (int j = 0; i + j <= parts; j++) {
            vec_copy(point, from[0]);
            vec_axpy(point, (double)i / parts, sides[0]);
            vec_axpy(point, (double)j / parts, sides[1]);
            o->take(o->light, o->subject, point);
        }
}

static void walk_bodies(obstacle o, double depth)
{
    for (uint32_t b = 0; b < o.subject->body_count; b++) {
        o.body = &o.subject->bodies[b];
        o.sunk = fmin(depth, 0.4 * o.body->shape->thickness);
        for (uint32_t k = 0; k < o.body->shape->index_count && !o.body->is_backdrop; k += 3)
            walk_triangle(&o, o.body->shape->indices + k);
    }
}

// ---- sums along the axes

// Cells along an axis from one side: optical depth before each, plus half its own.
static void sweep_line(view_light *light, size_t start, ptrdiff_t stride, uint32_t count, bool is_direct)
{
    float depth = 0;
    for (uint32_t k = 0; k < count; k++, start = (size_t)((ptrdiff_t)start + stride)) {
        const float own = light->taken[start];
        const float arriving = left_after(depth + 0.5f * (own < opaque ? own : 0));
        depth += own;
        light->cells[start].ambient += arriving * (1.0f / 6);
        if (is_direct)
            light->cells[start].direct = arriving;
    }
}

static void sweep_axis(view_light *light, int axis)
{
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    const size_t strides[3] = {1, light->size[0], (size_t)light->size[0] * light->size[1]};
    const ptrdiff_t stride = (ptrdiff_t)strides[axis];
    const uint32_t count = light->size[axis];
    for (uint32_t i = 0; i < light->size[a]; i++)
        for (uint32_t j = 0; j < light->size[b]; j++) {
            const size_t start = i * strides[a] + j * strides[b];
            sweep_line(light, start, stride, count, false);
            sweep_line(light, start + strides[axis] * (count - 1), -stride, count, axis == 2);
        }
}

static void light_grid(view_light *light, const casting *c)
{
    const size_t count = (size_t)light->size[0] * light->size[1] * light->size[2];
    memset(light->cells, 0, count * sizeof *light->cells);
    walk_strands(light, c, c->subject, light->cell, take_in_grid);
    walk_bodies((obstacle){.light = light, .subject = c->subject, .spacing = 0.7 * light->cell, .take = block_cell},
                light->cell);
    for (int axis = 0; axis < 3; axis++)
        sweep_axis(light, axis);
}

// ---- the ground

static void place_plane(view_light *light, const view_subject *subject, const view_extent *extent)
{
    const double height = vec_dot(extent->middle, subject->up) - subject->ground;
    double middle[3];
    vec_copy(middle, extent->middle);
    vec_axpy(middle, -height / fmax(vec_dot(light->toward, subject->up), 0.2), light->toward);
    vec_normal(light->plane[0], subject->up);
    vec_cross(light->plane[1], subject->up, light->plane[0]);
    light->texel = 3.2 * extent->size / light->texels;
    for (int c = 0; c < 2; c++)
        light->plane_low[c] = vec_dot(middle, light->plane[c]) - light->texel * light->texels / 2;
}

// Mean over 2 r + 1 texels along rows of `from`, written as columns: two calls blur both ways.
static void blur_rows(const float *from, float *to, uint32_t texels, uint32_t r)
{
    for (uint32_t y = 0; y < texels; y++) {
        float sum = 0;
        for (uint32_t x = 0; x < texels + r; x++) {
            sum += x < texels ? from[(size_t)y * texels + x] : 0;
            sum -= x >= 2 * r + 1 ? from[(size_t)y * texels + x - 2 * r - 1] : 0;
            if (x >= r)
                to[(size_t)(x - r) * texels + y] = sum / (float)(2 * r + 1);
        }
    }
}

// The ground beyond the map has the light of its outermost texels: no shadow reaches them.
static void light_border(view_light *light)
{
    const size_t n = light->texels;
    for (size_t k = 0; k < n; k++)
        light->ground[k] = light->ground[(n - 1) * n + k] = light->ground[k * n] = light->ground[k * n + n - 1] = 1;
}

static void light_ground(view_light *light, const casting *c)
{
    const size_t area = (size_t)light->texels * light->texels;
    const uint32_t radius = light->texels / 100 + 1;
    walk_strands(light, c, c->subject, light->texel, take_ground);
    walk_bodies((obstacle){.light = light, .subject = c->subject, .spacing = light->texel, .take = block_ground}, 0);
    for (int pass = 0; pass < 3; pass++) {
        blur_rows(light->ground, light->blur, light->texels, radius);
        blur_rows(light->blur, light->ground, light->texels, radius);
    }
    for (size_t k = 0; k < area; k++)
        light->ground[k] = left_after(light->ground[k] > 0 ? light->ground[k] : 0);
    light_border(light);
}

// What the crowd takes away, block by block: many strands of their own weight leave no streaks, as few heavy ones do.
static sheaf_status take_crowd(const casting *c)
{
    const view_crowd *crowd = c->subject->crowd;
    for (uint64_t first = 0; first < c->crowd; first += VIEW_CROWD_BLOCK) {
        const uint64_t left = c->crowd - first;
        view_subject block;
        SHEAF_TRY(
            crowd->make(crowd->maker, first, (uint32_t)(left < VIEW_CROWD_BLOCK ? left : VIEW_CROWD_BLOCK), &block));
        walk_strands(c->light, c, &block, c->light->cell, take_in_grid);
        if (c->subject->has_ground)
            walk_strands(c->light, c, &block, c->light->texel, take_ground);
    }
    return SHEAF_OK;
}

// The grid and the ground have nothing to do with each other.
static sheaf_status cast_part(size_t first, size_t end, uint32_t worker, void *user)
{
    const casting *c = user;
    (void)worker;
    for (size_t part = first; part < end; part++)
        if (part == 0)
            light_grid(c->light, c);
        else
            light_ground(c->light, c);
    return SHEAF_OK;
}

sheaf_status view_light_cast(view_light *light, const view_subject *subject, const view_extent *extent,
                             const double toward[3], double half, uint64_t crowd)
{
    casting c = {.light = light, .subject = subject, .half = half, .crowd = crowd};
    vec_unit(light->toward, toward);
    vec_copy(light->axes[2], light->toward);
    vec_normal(light->axes[0], light->axes[2]);
    vec_cross(light->axes[1], light->axes[2], light->axes[0]);
    place_grid(light, subject);
    if (subject->has_ground)
        place_plane(light, subject, extent);
    light->is_everywhere = subject->has_no_shadows;
    for (size_t k = 0; light->is_everywhere && k < (size_t)light->texels * light->texels; k++)
        light->ground[k] = 1;
    if (light->is_everywhere)
        return SHEAF_OK;
    memset(light->taken, 0, (size_t)light->size[0] * light->size[1] * light->size[2] * sizeof *light->taken);
    memset(light->ground, 0, (size_t)light->texels * light->texels * sizeof *light->ground);
    SHEAF_TRY(take_crowd(&c));
    return base_parallel_for(subject->has_ground ? 2 : 1, 0, cast_part, &c);
}
