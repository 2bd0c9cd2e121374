// test_grow: where roots go, how strands lie, and that a seed always grows the same.
#include "base/vec.h"
#include "grow/grow.h"
#include "grow/surface.h"

#include <stdio.h>
#include <string.h>

#include "populations.h"

#include "unit.h"

static const double pi = 3.14159265358979323846;

// Of the population of seeds_grow_the_same_everywhere, on any machine: roots in every bit, strands to a micrometre.
#define ROOTS_HASH 0x2437dc39fe76c1b3u
#define STRANDS_HASH 0xef5dc5786606ecdfu

static grow_def plane_def(uint32_t count)
{
    grow_def def = population_def(count, 8);
    def.surface = (grow_surface){.kind = GROW_PLANE, .up = {0, 0, 1}, .size = {2, 1}};
    return def;
}

static grow_population *grow_or_fail(grow_def def)
{
    grow_population *grown;
    if (grow_create(&def, (grow_room){1000000, GROW_MOST_VERTICES}, &grown) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    return grown;
}

static void point_of(const grow_population *g, uint32_t k, double point[3])
{
    const grow_spot spot = surface_spot(&g->def.surface, &g->roots[k]);
    vec_copy(point, spot.point);
}

// Least and mean distance to the nearest other root.
static void nearest_distances(const grow_population *g, double *least, double *mean)
{
    *least = INFINITY;
    *mean = 0;
    for (uint32_t a = 0; a < g->def.count; a++) {
        double nearest = INFINITY, pa[3], pb[3], gap[3];
        point_of(g, a, pa);
        for (uint32_t b = 0; b < g->def.count; b++) {
            if (a == b)
                continue;
            point_of(g, b, pb);
            vec_sub(gap, pb, pa);
            nearest = fmin(nearest, vec_length(gap));
        }
        *least = fmin(*least, nearest);
        *mean += nearest / g->def.count;
    }
}

// Of points thrown anywhere, the nearest neighbour is 0.5 / sqrt(density) away in the mean, and the least distance of
// all is a small part of that; of the densest packing, both are 1.07 / sqrt(density).
static void roots_keep_apart(void **state)
{
    (void)state;
    grow_def defs[4] = {population_def(1000, 8), population_def(1000, 8), plane_def(1000), plane_def(1000)};
    vec_set(defs[1].surface.radii, 0.05, 0.09, 0.2);
    defs[1].surface.cap = pi;
    defs[3].where.below = 0.3; // along x
    vec_set(defs[3].where.axis, 1, 0, 0);
    for (int k = 0; k < 4; k++) {
        grow_population *g = grow_or_fail(defs[k]);
        double least, mean;
        nearest_distances(g, &least, &mean);
        const double scale = sqrt(g->area / 1000);
        assert_true(least > 0.55 * scale);
        assert_true(mean > 0.68 * scale);
        grow_release(g);
    }
}

static void areas_are_measured(void **state)
{
    (void)state;
    for (double angle = 0; angle < pi; angle += 0.1)
        assert_close(grow_cap_share(angle), (1 - cos(angle)) / 2, 3e-16);
    assert_close(grow_cap_share(pi), 1, 3e-16);
    grow_population *cap = grow_or_fail(population_def(3, 8));
    assert_close(cap->area, 2 * pi * 0.0081 * (1 - cos(1.2)), 1e-12);
    grow_release(cap);
    grow_def def = population_def(3, 8); // surface of a spheroid, prolate: known in closed form
    def.surface.cap = pi;
    vec_set(def.surface.radii, 1, 1, 2);
    grow_population *egg = grow_or_fail(def);
    const double e = sqrt(0.75);
    assert_close(egg->area, 2 * pi * (1 + 2 / e * asin(e)), 0.05);
    grow_release(egg);
    def = plane_def(0); // by density: so many to an area
    def.per_area = 500;
    grow_population *plane = grow_or_fail(def);
    assert_int_equal(plane->def.count, 1000);
    grow_release(plane);
}

// Parts of a surface get strands by their areas, wherever it is curved: the share of a spheroid's strands beyond a
// height.
static void curved_surfaces_are_covered_evenly(void **state)
{
    (void)state;
    grow_def def = population_def(4000, 8);
    def.surface.cap = pi;
    vec_set(def.surface.radii, 1, 1, 3);
    grow_population *g = grow_or_fail(def);
    uint32_t beyond = 0;
    for (uint32_t k = 0; k < 4000; k++) {
        double point[3];
        point_of(g, k, point);
        beyond += fabs(point[2]) > 1.5;
    }
    double parts[2] = {0, 0}; // area element of z = 3 sin a: cos a sqrt(sin^2 a + 9 cos^2 a)
    for (int k = 0; k < 10000; k++) {
        const double a = (k + 0.5) * pi / 20000;
        parts[3 * sin(a) > 1.5] += cos(a) * sqrt(sin(a) * sin(a) + 9 * cos(a) * cos(a));
    }
    assert_close(beyond / 4000.0, parts[1] / (parts[0] + parts[1]), 0.02);
    grow_release(g);
}

static void densities_are_kept(void **state)
{
    (void)state;
    grow_def def = plane_def(0);
    def.per_area = 2000;
    def.density = (grow_map){.width = 2, .height = 2, .values = base_alloc(4, sizeof(float))};
    def.density.values[1] = def.density.values[3] = 1; // from 0 at the left to 1 at the right
    grow_population *g = grow_or_fail(def);
    assert_close(g->def.count, 2000, 30); // half of the full density
    double quarters[4] = {0};
    for (uint32_t k = 0; k < g->def.count; k++)
        quarters[(int)(4 * g->roots[k].place[0])] += 1.0 / g->def.count;
    for (int k = 0; k < 4; k++)
        assert_close(quarters[k], (2 * k + 1) / 16.0, 0.02);
    double least, mean;
    nearest_distances(g, &least, &mean);
    assert_true(least > 0.5 * sqrt(1.0 / 2000)); // as far apart as the densest part allows
    grow_release(g);
}

static void heights_are_followed(void **state)
{
    (void)state;
    grow_def def = plane_def(500);
    def.surface.kind = GROW_HEIGHTS;
    def.surface.range[1] = 1;
    def.surface.heights = (grow_map){.width = 3, .height = 3, .values = base_alloc(9, sizeof(float))};
    for (int row = 0; row < 3; row++)
        def.surface.heights.values[3 * row + 1] = 1; // a ridge along y in the middle
    grow_population *g = grow_or_fail(def);
    assert_close(g->area, 2 * sqrt(2), 1e-6);
    for (uint32_t k = 0; k < 500; k++) {
        const grow_spot spot = surface_spot(&g->def.surface, &g->roots[k]);
        assert_close(spot.point[2], 1 - fabs(spot.point[0]), 1e-12);
        assert_close(spot.normal[2], sqrt(0.5), 1e-6);
        assert_true(spot.normal[0] * spot.point[0] >= 0);
    }
    grow_release(g);
}

// A cube; strands grow on its faces by their areas, and only above a height.
static void meshes_are_grown_on(void **state)
{
    (void)state;
    static const char cube[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                               "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    grow_def def = population_def(2000, 8);
    def.surface = (grow_surface){.kind = GROW_MESH, .up = {0, 0, 1}};
    assert_int_equal(mesh_open_memory(cube, sizeof cube - 1, "cube", &def.surface.mesh), SHEAF_OK);
    def.where.above = 0.5;
    grow_population *g = grow_or_fail(def);
    assert_close(g->area, 3, 0.03);
    uint32_t top = 0;
    for (uint32_t k = 0; k < 2000; k++) {
        double point[3];
        point_of(g, k, point);
        assert_true(point[2] >= 0.5 && point[2] <= 1 + 1e-12);
        top += point[2] > 1 - 1e-9;
    }
    assert_close(top / 2000.0, 1.0 / 3, 0.02);
    grow_release(g);
}

static uint64_t hash_population(const grow_population *g)
{
    uint64_t hash = 1;
    double points[64][3], normal[3];
    for (uint32_t k = 0; k < g->def.count; k++) {
        float rounded[64][3]; // sines differ in their last bit between libraries
        grow_strand(g, k, points, normal);
        for (uint32_t i = 0; i < g->def.vertices; i++)
            for (int c = 0; c < 3; c++)
                rounded[i][c] = (float)(1e4 * rint(points[i][c] * 1e6)) + 0.0f;
        hash = base_hash(rounded, g->def.vertices * sizeof rounded[0], hash);
    }
    return hash;
}

static void seeds_grow_the_same_everywhere(void **state)
{
    (void)state;
    grow_def def = population_def(200, 16);
    def.curl_radius = 0.005;
    def.curl_pitch = 0.03;
    def.curl_spread = def.length_spread = 0.1;
    def.tilt = def.lay = 0.4;
    def.tilt_spread = 0.1;
    def.gather[GROW_CLUMPS] = (grow_gather){.strands = 20, .strength = 0.7, .stray = 0.1};
    def.gather[GROW_WISPS] = (grow_gather){.strands = 5, .strength = 0.4};
    grow_population *g = grow_or_fail(def), *again = grow_or_fail(def);
    const uint64_t hash = hash_population(g);
    uint64_t roots = 1;
    for (uint32_t k = 0; k < 200; k++) {
        roots = base_hash(g->roots[k].place, sizeof g->roots[k].place, roots);
        roots = base_hash(g->roots[k].group, sizeof g->roots[k].group, roots);
    }
    assert_true(hash_population(again) == hash);
    if (roots != ROOTS_HASH || hash != STRANDS_HASH)
        fail_msg("roots 0x%llx, strands 0x%llx", (unsigned long long)roots, (unsigned long long)hash);
    grow_release(again);
    def.seed = 8;
    again = grow_or_fail(def);
    assert_true(hash_population(again) != hash);
    grow_release(again);
    grow_release(g);
}

// ---- strands

static double strand_length(double (*points)[3], uint32_t count)
{
    double sum = 0, edge[3];
    for (uint32_t i = 1; i < count; i++) {
        vec_sub(edge, points[i], points[i - 1]);
        sum += vec_length(edge);
    }
    return sum;
}

static void strands_lean_and_lay_as_asked(void **state)
{
    (void)state;
    grow_def def = plane_def(50);
    def.tilt = 0.3;
    def.lay = 0.9;
    def.comb = (grow_comb){.kind = GROW_COMB_ALONG, .vector = {0, 2, 5}};
    grow_population *g = grow_or_fail(def);
    for (uint32_t k = 0; k < 50; k++) {
        double points[8][3], normal[3], first[3], last[3];
        grow_strand(g, k, points, normal);
        vec_sub(first, points[1], points[0]);
        vec_sub(last, points[7], points[6]);
        assert_close(atan2(first[1], first[2]), 0.3, 1e-12);
        assert_close(atan2(last[1], last[2]), 0.3 + 0.9 * (1 - 0.5 / 6.5 - 0.5 / 6.5),
                     1e-12); // middle of the last edge
        assert_close(first[0], 0, 1e-15);
        assert_close(fabs(normal[0]), 1, 1e-12); // across the lean
        assert_close(points[0][2] + points[1][2], 0, 1e-15);
        assert_close(strand_length(points, 8), 0.2 * 7 / 6.5, 1e-3 * 0.2);
    }
    grow_release(g);
}

static void combs_point_where_they_say(void **state)
{
    (void)state;
    grow_def def = population_def(60, 8);
    def.tilt = 0.5;
    for (int around = 0; around < 2; around++) {
        def.comb = (grow_comb){.kind = around ? GROW_COMB_AROUND : GROW_COMB_FROM, .vector = {0, 0, 0.09}};
        grow_population *g = grow_or_fail(def);
        for (uint32_t k = 0; k < 60; k++) {
            double points[8][3], normal[3], edge[3], root[3], east[3];
            const double up[3] = {0, 0, 1};
            grow_strand(g, k, points, normal);
            point_of(g, k, root);
            vec_sub(edge, points[1], points[0]);
            vec_unit(edge, edge);
            vec_cross(east, up, root);
            vec_unit(east, east);
            assert_close(vec_dot(edge, root) / 0.09, cos(0.5), 1e-9);
            assert_close(vec_dot(edge, east), around ? sin(0.5) : 0, 1e-9);
            assert_true(around || edge[2] < root[2] / 0.09); // down from the pole
        }
        grow_release(g);
    }
}

// Tips of a clump come together; lengths stay.
static void clumps_gather_tips(void **state)
{
    (void)state;
    grow_def def = plane_def(400);
    double scatter[2];
    for (int gathered = 0; gathered < 2; gathered++) {
        def.gather[GROW_CLUMPS] = (grow_gather){.strands = 40, .strength = gathered ? 0.8 : 0};
        grow_population *g = grow_or_fail(def);
        assert_int_equal(g->middle_count[GROW_CLUMPS], 10);
        double sums[10][2] = {{0}}, counts[10] = {0}, total = 0, points[8][3], normal[3];
        for (int pass = 0; pass < 2; pass++)
            for (uint32_t k = 0; k < 400; k++) {
                const uint32_t group = g->roots[k].group[GROW_CLUMPS];
                grow_strand(g, k, points, normal);
                assert_close(strand_length(points, 8), 0.2 * 7 / 6.5, 1e-12);
                for (int c = 0; c < 2; c++)
                    if (pass == 0)
                        sums[group][c] += points[7][c];
                    else
                        total += pow(points[7][c] - sums[group][c] / counts[group], 2);
                counts[group] += pass == 0;
            }
        scatter[gathered] = sqrt(total / 400);
        grow_release(g);
    }
    assert_true(scatter[1] < 0.6 * scatter[0]);
    assert_true(scatter[1] > 0.1 * scatter[0]);
}

static void spreads_are_those_asked_for(void **state)
{
    (void)state;
    grow_def def = population_def(4000, 60);
    def.length_spread = 0.1;
    def.radius_spread = 0.2;
    def.stiffness_spread = 0.15;
    def.curl_radius = 0.004;
    def.curl_pitch = 0.02;
    def.curl_spread = 0.1;
    grow_population *g = grow_or_fail(def);
    double sums[4][2] = {{0}};
    for (uint32_t k = 0; k < 4000; k++) {
        double points[60][3], normal[3], arm[3], axis[3];
        grow_strand(g, k, points, normal);
        vec_sub(axis, points[1], points[0]);
        const double edge = vec_length(axis);
        vec_unit(axis, axis);
        vec_sub(arm, points[59], points[0]);
        vec_axpy(arm, -vec_dot(arm, axis), axis);
        const grow_variety variety = grow_vary(g, k);
        const double shares[4] = {edge * 58.5 / 0.2, variety.radius, variety.stiffness, vec_length(arm) / 0.004};
        for (int q = 0; q < 4; q++) {
            sums[q][0] += shares[q] / 4000;
            sums[q][1] += shares[q] * shares[q] / 4000;
        }
    }
    const double wanted[4] = {0.1, 0.2, 0.15, 0.1};
    for (int q = 0; q < 4; q++) {
        const double deviation = sqrt(sums[q][1] - sums[q][0] * sums[q][0]);
        assert_close(sums[q][0], 1, 5 * wanted[q] / sqrt(4000));
        assert_close(deviation, wanted[q], 0.06 * wanted[q]);
    }
    grow_release(g);
}

static void nothing_to_grow_on_is_an_error(void **state)
{
    (void)state;
    grow_population *none;
    grow_def def = plane_def(10);
    def.where.above = 1;
    assert_int_equal(grow_create(&def, (grow_room){1000, GROW_MOST_VERTICES}, &none), SHEAF_ERR_INPUT);
    assert_non_null(strstr(sheaf_last_error(), "widen where"));
    def = plane_def(0);
    def.per_area = 1e-6;
    assert_int_equal(grow_create(&def, (grow_room){1000, GROW_MOST_VERTICES}, &none), SHEAF_ERR_INPUT);
    def.per_area = 1e12;
    assert_int_equal(grow_create(&def, (grow_room){1000, GROW_MOST_VERTICES}, &none), SHEAF_ERR_LIMIT);
    def = plane_def(1001);
    assert_int_equal(grow_create(&def, (grow_room){1000, GROW_MOST_VERTICES}, &none), SHEAF_ERR_LIMIT);
    assert_null(none);
    def = plane_def(10);
    def.density = (grow_map){.width = 2, .height = 2, .values = base_alloc(4, sizeof(float))};
    assert_int_equal(grow_create(&def, (grow_room){1000, GROW_MOST_VERTICES}, &none), SHEAF_ERR_INPUT);
    assert_null(def.density.values);
    static const char flat[] = "v 0 0 0\nv 1 0 0\nf 1 2 1\n";
    def = plane_def(10);
    def.surface.kind = GROW_MESH;
    assert_int_equal(mesh_open_memory(flat, sizeof flat - 1, "flat", &def.surface.mesh), SHEAF_OK);
    assert_int_equal(grow_create(&def, (grow_room){1000, GROW_MOST_VERTICES}, &none), SHEAF_ERR_INPUT);
    assert_non_null(strstr(sheaf_last_error(), "no area"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roots_keep_apart),
        cmocka_unit_test(areas_are_measured),
        cmocka_unit_test(curved_surfaces_are_covered_evenly),
        cmocka_unit_test(densities_are_kept),
        cmocka_unit_test(heights_are_followed),
        cmocka_unit_test(meshes_are_grown_on),
        cmocka_unit_test(seeds_grow_the_same_everywhere),
        cmocka_unit_test(strands_lean_and_lay_as_asked),
        cmocka_unit_test(combs_point_where_they_say),
        cmocka_unit_test(clumps_gather_tips),
        cmocka_unit_test(spreads_are_those_asked_for),
        cmocka_unit_test(nothing_to_grow_on_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
