// test_mesh_grid: distances of meshes on grids are those of the body they stand for, and strands meet a mesh as they
// meet that body, on the engine as on the reference. labels: device
#include "base/vec.h"
#include "der/ref/ref.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"
#include "world.h"
#include "world/world.h"

static const double pi = 3.14159265358979323846, radius = 0.09;
static char folder[] = "/tmp/sheaf_mesh_XXXXXX", path[sizeof folder + 20];

enum { ROWS = 40, COLUMNS = 80 }; // of a globe

// A globe as .obj, in centimetres; `holes`: without its poles.
static void write_globe(bool holes)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int r = 1; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            fprintf(file, "v %.9g %.9g %.9g\n", 100 * radius * sin(pi * r / ROWS) * cos(2 * pi * c / COLUMNS),
                    100 * radius * sin(pi * r / ROWS) * sin(2 * pi * c / COLUMNS), 100 * radius * cos(pi * r / ROWS));
    fprintf(file, "v 0 0 %.9g\nv 0 0 %.9g\n", 100 * radius, -100 * radius);
    const int north = (ROWS - 1) * COLUMNS + 1, south = north + 1;
    for (int c = 0; c < COLUMNS; c++) {
        const int next = (c + 1) % COLUMNS;
        for (int r = 0; r + 2 < ROWS; r++)
            fprintf(file, "f %d %d %d %d\n", r * COLUMNS + c + 1, (r + 1) * COLUMNS + c + 1,
                    (r + 1) * COLUMNS + next + 1, r * COLUMNS + next + 1);
        if (!holes)
            fprintf(file, "f %d %d %d\nf %d %d %d\n", north, c + 1, next + 1, south, (ROWS - 2) * COLUMNS + next + 1,
                    (ROWS - 2) * COLUMNS + c + 1);
    }
    assert_int_equal(fclose(file), 0);
}

static void open_globe(bool holes, mesh *m)
{
    const double offset[3] = {0.02, -0.01, 0.03};
    write_globe(holes);
    assert_int_equal(mesh_open(path, m), SHEAF_OK);
    mesh_place(m, GROOM_UP_Z, GROOM_UP_Z, 0.01, offset);
}

// A box of 16 cm by 12 cm by 10 cm, aslant to the grid.
static void open_box(mesh *m)
{
    static const int corners[6][4] = {{1, 3, 4, 2}, {5, 6, 8, 7}, {1, 2, 6, 5},
                                      {3, 7, 8, 4}, {1, 5, 7, 3}, {2, 4, 8, 6}};
    const double axis[3] = {0.36, 0.48, 0.8}, origin[3] = {0, 0, 0};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int k = 0; k < 8; k++) {
        const double corner[3] = {k & 1 ? 8 : -8, k & 2 ? 6 : -6, k & 4 ? 5 : -5};
        double turned[3];
        vec_rotate(turned, corner, axis, 0.7);
        fprintf(file, "v %.9g %.9g %.9g\n", turned[0], turned[1], turned[2]);
    }
    for (int k = 0; k < 6; k++)
        fprintf(file, "f %d %d %d %d\n", corners[k][0], corners[k][1], corners[k][2], corners[k][3]);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(mesh_open(path, m), SHEAF_OK);
    mesh_place(m, GROOM_UP_Z, GROOM_UP_Z, 0.01, origin);
}

static void distances_are_those_of_the_body(void **state)
{
    (void)state;
    const double center[3] = {0.02, -0.01, 0.03}, cell = 0.004;
    double worst = 0, turned = 0;
    mesh m;
    mesh_grid *grid;
    open_globe(false, &m);
    assert_int_equal(mesh_grid_bake(&m, cell, &grid), SHEAF_OK);
    for (uint64_t k = 0; k < 2000; k++) {
        double numbers[4], point[3], arm[3], direction[3], across[3];
        base_uniform4(3, 0, k, numbers);
        vec_set(point, center[0] + 0.19 * (numbers[0] - 0.5), center[1] + 0.19 * (numbers[1] - 0.5),
                center[2] + 0.19 * (numbers[2] - 0.5));
        vec_sub(arm, point, center);
        const double distance = mesh_grid_distance(grid, point, direction);
        if (vec_length(arm) < 0.03 || !isfinite(distance)) // near the centre all directions are as near
            continue;
        worst = fmax(worst, fabs(distance - (vec_length(arm) - radius)));
        vec_cross(across, direction, arm);
        if (fabs(distance) < 0.02)
            turned = fmax(turned, vec_length(across) / vec_length(arm));
        assert_true(vec_dot(direction, arm) > 0);
    }
    print_message("distances within %.1e m, directions within %.1e rad\n", worst, turned);
    assert_true(worst < 3e-4); // a facet lies 70 um below the sphere, and the interpolation errs by cell^2 / (8 r)
    assert_true(turned < 0.05);
    mesh_grid_release(grid);
    mesh_free(&m);
}

// ---- depth below the surface itself

// How deep a point is below the triangles of a convex mesh, m; negative outside. Inside, the nearest point of the
// surface is that of the nearest plane.
static double depth_in(const mesh *m, const double point[3])
{
    double depth = INFINITY;
    for (uint32_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *corner = m->triangles[t];
        double a[3], b[3], normal[3], arm[3];
        vec_sub(a, m->points[corner[1]], m->points[corner[0]]);
        vec_sub(b, m->points[corner[2]], m->points[corner[0]]);
        vec_cross(normal, a, b);
        vec_unit(normal, normal);
        vec_sub(arm, m->points[corner[0]], point);
        depth = fmin(depth, vec_dot(normal, arm));
    }
    return depth;
}

// Brings points of the grid's box to where the grid has the surface, as colliders push vertices; returns the deepest
// below the mesh, and the one that is farthest off it, m.
static double deepest_pushed(const mesh *m, const mesh_grid *grid, double *farthest)
{
    double deepest = -INFINITY;
    *farthest = -INFINITY;
    for (uint64_t k = 0; k < 3000; k++) {
        double numbers[4], point[3], direction[3];
        base_uniform4(5, 0, k, numbers);
        for (int c = 0; c < 3; c++)
            point[c] = grid->low[c] + (0.02 + 0.96 * numbers[c]) * (grid->count[c] - 1) * grid->cell;
        double gap = INFINITY;
        for (int n = 0; n < 40 && fabs(gap = mesh_grid_distance(grid, point, direction)) > 1e-9; n++)
            vec_axpy(point, -gap, direction);
        if (fabs(gap) > 1e-9)
            continue;
        deepest = fmax(deepest, depth_in(m, point));
        *farthest = fmax(*farthest, -depth_in(m, point));
    }
    return deepest;
}

// With the cells a scene has by default: a body with round sides, and one with edges and corners.
static void what_is_pushed_out_is_out_of_the_mesh(void **state)
{
    (void)state;
    for (int is_box = 0; is_box < 2; is_box++) {
        mesh m;
        mesh_grid *grid;
        double farthest;
        if (is_box)
            open_box(&m);
        else
            open_globe(false, &m);
        assert_int_equal(mesh_grid_bake(&m, 0, &grid), SHEAF_OK);
        const double deepest = deepest_pushed(&m, grid, &farthest);
        print_message("%s: cells of %.2f mm; at most %.3f mm below the mesh, %.3f mm off it\n",
                      is_box ? "box" : "globe", 1e3 * grid->cell, 1e3 * deepest, 1e3 * farthest);
        assert_true(deepest < 1e-5);
        assert_true(farthest < 0.6 * grid->cell); // at a corner
        mesh_grid_release(grid);
        mesh_free(&m);
    }
}

static void what_cannot_be_baked_is_refused(void **state)
{
    (void)state;
    mesh m;
    mesh_grid *grid;
    open_globe(true, &m);
    assert_int_equal(mesh_grid_bake(&m, 0, &grid), SHEAF_ERR_INPUT);
    assert_null(grid);
    assert_non_null(strstr(sheaf_last_error(), "closed"));
    mesh_free(&m);
    open_globe(false, &m);
    assert_int_equal(mesh_grid_bake(&m, 1e-6, &grid), SHEAF_ERR_LIMIT);
    assert_null(grid);
    mesh_free(&m);
}

// ---- strands

static sheaf_model *read_model(void)
{
    char text[2000];
    snprintf(text, sizeof text,
             "sheaf: 1\ntime: { step: 1/240 s }\ngravity: [0, 0, -40]\n"
             "materials: { hair: { density: 1300, young: 3.5 GPa, shear: 1.3 GPa, radius: 40 um, drag: 0.1 mPa*s } }\n"
             "motion: { head: { rotate: { axis: z, angle: 60 deg, period: 0.8 s } } }\n"
             "colliders: [{ mesh: { file: %s, unit: cm, up: z, cell: 3 mm }, friction: 0.4, follow: head }]\n"
             "strands:\n"
             "  - groom: { on: { sphere: { radius: 9 cm, cap: 60 deg } }, count: 17, vertices: 16, length: 20 cm }\n"
             "    root: { clamp: head }\n",
             path);
    write_globe(false);
    return world_model(text);
}

enum { VERTICES = 17 * 16 };

// Deepest vertex below the triangles of the mesh, wherever the head has turned it.
static double deepest_in(const sheaf_model *model, const mesh *m, const double (*positions)[3], double time)
{
    const model_collider *collider = &model->colliders[0];
    double deepest = -INFINITY, center[3], axes[3][3];
    model_collider_pose(model, collider, time, center, axes);
    for (uint32_t i = 0; i < VERTICES; i++) {
        double arm[3], own[3];
        vec_sub(arm, positions[i], center);
        for (int c = 0; c < 3; c++)
            own[c] = collider->grid->low[c] + collider->half[c] + vec_dot(axes[c], arm);
        if (i % 16 >= 2) // roots are held in the surface
            deepest = fmax(deepest, depth_in(m, own));
    }
    return deepest;
}

static void strands_stay_off_a_mesh(void **state)
{
    (void)state;
    enum { STEPS = 120, EVERY = 10 };
    static double expected[VERTICES][3], measured[VERTICES][3];
    sheaf_model *model = read_model();
    sheaf_solver *engine = world_open(model, SHEAF_BACKEND_DEVICE, true);
    const double origin[3] = {0, 0, 0};
    double deepest = -INFINITY;
    mesh m;
    assert_int_equal(mesh_open(path, &m), SHEAF_OK);
    mesh_place(&m, GROOM_UP_Z, GROOM_UP_Z, 0.01, origin);
    world_run(model, SHEAF_BACKEND_REFERENCE, true, STEPS, expected);
    for (uint32_t k = EVERY; k <= STEPS; k += EVERY) {
        assert_int_equal(sheaf_solver_step(engine, EVERY), SHEAF_OK);
        assert_int_equal(sheaf_solver_read_positions(engine, measured, VERTICES), SHEAF_OK);
        deepest = fmax(deepest, deepest_in(model, &m, (const double(*)[3])measured, k / 240.0));
    }
    const double apart = world_apart(model, (const double(*)[3])expected, (const double(*)[3])measured);
    print_message("engine and reference %.1e m apart, deepest %.1e m below the mesh\n", apart, deepest);
    assert_true(apart < 1e-8);
    assert_true(deepest < 2e-5);
    assert_true(deepest > -1e-4); // something touches
    sheaf_solver_close(engine);
    mesh_free(&m);
    sheaf_model_free(model);
}

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/globe.obj", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_the_body),
        cmocka_unit_test(what_is_pushed_out_is_out_of_the_mesh),
        cmocka_unit_test(what_cannot_be_baked_is_refused),
        cmocka_unit_test(strands_stay_off_a_mesh),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
