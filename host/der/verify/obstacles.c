// obstacles: colliders of every kind.
#include "der/verify/obstacles.h"

#include "der/ref/ref.h"
#include "scene/scene.h"
#include "world/world.h"

enum { KINDS = SHEAF_COLLIDER_CYLINDER + 2, BAKED = KINDS - 1 };

// ---- a baked body

enum { SAMPLES = 16 };             // along each axis
static const double cell = 0x1p-6; // m; a power of two, which single precision holds exactly

// Distances of a ball in the middle of the grid, as if of a mesh.
static mesh_grid *bake_ball(double radius)
{
    mesh_grid *grid = base_alloc(1, sizeof *grid);
    float *distance = base_alloc(SAMPLES * SAMPLES * SAMPLES, sizeof *distance);
    if (grid == NULL || distance == NULL) {
        base_free(grid);
        base_free(distance);
        return NULL;
    }
    *grid = (mesh_grid){.count = {SAMPLES, SAMPLES, SAMPLES}, .cell = cell, .distance = distance};
    atomic_init(&grid->owners, 1);
    const double half = (SAMPLES - 1) * cell / 2;
    for (int k = 0; k < SAMPLES * SAMPLES * SAMPLES; k++) {
        const int x = k % SAMPLES, y = k / SAMPLES % SAMPLES, z = k / SAMPLES / SAMPLES;
        const double place[3] = {x * cell - half, y * cell - half, z * cell - half};
        distance[k] = (float)(vec_length(place) - radius);
    }
    return grid;
}

static sheaf_status add_baked(sheaf_scene *scene, sheaf_collider_def *def)
{
    mesh_grid *grid = bake_ball(0.08);
    if (grid == NULL)
        return SHEAF_ERR_MEMORY;
    def->kind = SHEAF_COLLIDER_BOX;
    for (int c = 0; c < 3; c++)
        def->size[c] = (SAMPLES - 1) * cell / 2;
    const sheaf_status status = scene_add_collider(scene, def, grid);
    mesh_grid_release(grid);
    return status;
}

// ---- colliders

sheaf_status obstacles_add(sheaf_scene *scene, uint64_t seed, const double *offsets, uint32_t offset_count)
{
    verify_random random = {.seed = seed, .stream = UINT32_MAX - 1};
    for (uint32_t k = 0; k < offset_count * KINDS; k++) {
        sheaf_collider_def def = sheaf_collider_def_default();
        random_vector(&random, 0.3, def.center);
        def.center[0] += offsets[k % offset_count];
        random_direction(&random, def.axis);
        for (int c = 0; c < 3; c++)
            def.size[c] = random_between(&random, 0.05, 0.15);
        def.kind = (sheaf_collider_kind)(k / offset_count);
        if (def.kind == SHEAF_COLLIDER_PLANE) { // all but the farthest strands are on its free side
            vec_set(def.axis, 0, 0, 1);
            def.center[2] = -0.3;
        }
        SHEAF_TRY(k / offset_count == BAKED ? add_baked(scene, &def) : sheaf_scene_add_collider(scene, &def));
    }
    return SHEAF_OK;
}

sheaf_status obstacles_open(const sheaf_scene *scene, sheaf_model *obstacles)
{
    *obstacles = (sheaf_model){0};
    return model_make_colliders(scene, obstacles);
}

// ---- places

// Distance of a point from a collider, and the direction out of it.
static double gap_at(const sheaf_model *obstacles, const model_collider *collider, const double point[3],
                     double normal[3])
{
    double center[3], axes[3][3], arm[3], own[3], out[3];
    model_collider_pose(obstacles, collider, 0, center, axes);
    vec_sub(arm, point, center);
    for (int c = 0; c < 3; c++)
        own[c] = vec_dot(axes[c], arm);
    const double gap = model_collider_gap(collider, own, out);
    vec_set(normal, 0, 0, 0);
    for (int c = 0; c < 3; c++)
        vec_axpy(normal, out[c], axes[c]);
    return gap;
}

// From inside to the surface, and a little beyond. Some distances are of first order only, so it takes a few goes.
static void come_out(const sheaf_model *obstacles, const model_collider *collider, double clearance, double place[3],
                     double normal[3])
{
    for (int k = 0; k < 6; k++)
        vec_axpy(place, clearance - gap_at(obstacles, collider, place, normal), normal);
}

void obstacles_choose_place(const sheaf_model *obstacles, verify_random *random, uint32_t offset, uint32_t offset_count,
                            double place[3], double direction[3])
{
    const model_collider *collider = &obstacles->colliders[offset + offset_count * random_below(random, KINDS)];
    const double clearance = random_between(random, -0.5, 0.5) * OBSTACLES_DEPTH,
                 slope = random_between(random, 0, 0.3);
    double inside[3], normal[3];
    do {
        random_direction(random, inside);
        vec_copy(place, collider->center);
        vec_axpy(place, 0.04, inside);
        come_out(obstacles, collider, clearance, place, normal);
    } while (normal[2] < 0.2);
    random_direction(random, direction);
    vec_axpy(direction, slope * slope - vec_dot(direction, normal), normal);
    vec_unit(direction, direction);
}

bool obstacles_are_clear(const sheaf_model *obstacles, const double (*points)[3], uint32_t count)
{
    for (uint32_t k = 0; k < obstacles->collider_count; k++)
        for (uint32_t i = 0; i < count; i++) {
            double normal[3];
            if (gap_at(obstacles, &obstacles->colliders[k], points[i], normal) < -OBSTACLES_DEPTH)
                return false;
        }
    return true;
}
