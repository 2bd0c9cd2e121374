// test_grow_drape: hairlines, partings, and hair that lies on the body.
#include "base/vec.h"
#include "grow/body.h"
#include "grow/comb.h"
#include "grow/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "populations.h"

#include "unit.h"

enum { COUNT = 1600, VERTICES = 30 };

static const double pi = 3.14159265358979323846, lift = 0.02;
static const double parting[3][3] = {{0, -0.07, 0.06}, {0, 0, 0.09}, {0, 0.06, 0.067}};

// Hair of 20 cm on a whole sphere of radius 9 cm, parted in the middle, face along -y.
static grow_def head_def(void)
{
    grow_def def = population_def(COUNT, VERTICES);
    def.surface.cap = pi / 2;
    def.comb = (grow_comb){.kind = GROW_COMB_PARTING, .parting_count = 3, .down = 0.55, .back = 0.75};
    def.comb.parting = base_alloc(3, sizeof *def.comb.parting);
    assert_non_null(def.comb.parting);
    memcpy(def.comb.parting, parting, sizeof parting);
    def.drape = (grow_drape){.lift = lift, .smooth = 0.01};
    return def;
}

static void add_hairline(grow_def *def, double soft)
{
    static const double line[3][2] = {{0, 0.6}, {1.5, 0.2}, {3.1415926, -0.3}};
    def->surface.cap = pi;
    def->where.hairline = (grow_hairline){.front = {0, -1, 0}, .count = 3, .soft = soft};
    def->where.hairline.line = base_alloc(3, sizeof *def->where.hairline.line);
    assert_non_null(def->where.hairline.line);
    memcpy(def->where.hairline.line, line, sizeof line);
}

static grow_population *grow_or_fail(grow_def def)
{
    grow_population *grown;
    if (grow_create(&def, (grow_room){1000000, GROW_MOST_VERTICES}, &grown) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    return grown;
}

// ---- where roots are

// The elevation from which hair grows, as add_hairline has it.
static double line_at(double around)
{
    return around < 1.5 ? 0.6 - 0.4 * around / 1.5 : 0.2 - 0.5 * (around - 1.5) / (3.1415926 - 1.5);
}

static void roots_keep_to_the_hairline(void **state)
{
    (void)state;
    const double softs[2] = {0, 0.2};
    for (int s = 0; s < 2; s++) {
        grow_def def = population_def(COUNT, 4);
        add_hairline(&def, softs[s]);
        grow_population *g = grow_or_fail(def);
        double lowest = 1;
        for (uint32_t k = 0; k < COUNT; k++) {
            const double *p = surface_spot(&g->def.surface, &g->roots[k]).point;
            const double around = atan2(fabs(p[0]), -p[1]), above = asin(p[2] / vec_length(p));
            lowest = fmin(lowest, above - line_at(around));
        }
        assert_true(lowest >= -softs[s] / 2 - 1e-9);
        assert_true(lowest < 0.05); // hair does reach the line
        grow_release(g);
    }
}

// Half as dense on the line as far above it.
static void hair_gets_thinner_towards_the_line(void **state)
{
    (void)state;
    grow_def def = population_def(6000, 4);
    add_hairline(&def, 0.3);
    grow_population *g = grow_or_fail(def);
    double inside = 0, near = 0, inside_area = 0, near_area = 0;
    for (uint32_t k = 0; k < 6000; k++) {
        const double *p = surface_spot(&g->def.surface, &g->roots[k]).point;
        const double over = asin(p[2] / vec_length(p)) - line_at(atan2(fabs(p[0]), -p[1]));
        near += fabs(over) < 0.05;
        inside += over > 0.15 && over < 0.25;
    }
    for (int i = 0; i < 400; i++) // areas of both bands on the unit sphere
        for (int j = 0; j < 400; j++) {
            const double above = (i + 0.5) / 400 * pi - pi / 2, around = (j + 0.5) / 400 * pi;
            const double over = above - line_at(around), area = cos(above);
            near_area += fabs(over) < 0.05 ? area : 0;
            inside_area += over > 0.15 && over < 0.25 ? area : 0;
        }
    assert_close(near / near_area / (inside / inside_area), 0.5, 0.08); // 300 roots in a band: 6 %
    grow_release(g);
}

// ---- which way it is combed

static void hair_is_combed_from_the_parting(void **state)
{
    (void)state;
    grow_def def = head_def();
    grow_population *g = grow_or_fail(def);
    for (uint32_t k = 0; k < COUNT; k++) {
        const grow_spot spot = surface_spot(&g->def.surface, &g->roots[k]);
        double way[3];
        comb_way(&g->def, &g->roots[k], spot.point, way);
        if (fabs(spot.point[0]) > 0.01)
            assert_true(way[0] * spot.point[0] > 0); // to its own side
        vec_set(way, way[0], way[1], 0);
        if (spot.point[1] < -0.07 && fabs(spot.point[0]) < 0.03)
            assert_true(way[1] > -1); // not straight into the face
    }
    grow_release(g);
}

// ---- how it lies

// Distances from the body: every vertex but those that the root holds is outside, few are far off where hair lies on
// it, and layers differ.
static void hair_lies_on_the_body(void **state)
{
    (void)state;
    grow_population *g = grow_or_fail(head_def());
    grow_body body;
    double points[VERTICES][3], normal[3], highest = 0;
    uint32_t far = 0, on = 0;
    assert_int_equal(body_open(&g->def.surface, &body), SHEAF_OK);
    for (uint32_t k = 0; k < COUNT; k++) {
        grow_strand(g, k, points, normal);
        for (uint32_t i = 2; i < VERTICES; i++) {
            const double distance = body_touch(&body, points[i], &(uint32_t){0}).distance;
            const double least = fmin(0.1 * lift, 0.3 * (i - 1) * 0.2 / (VERTICES - 1.5));
            assert_true(distance > least - 1e-5);
            on += points[i][2] > 0.02;
            far += points[i][2] > 0.02 && distance > 1.3 * lift;
            highest = points[i][2] > 0.02 ? fmax(highest, distance) : highest;
        }
    }
    assert_true(on > COUNT * 4);
    assert_true(far < on / 20);
    assert_true(highest > 0.4 * lift);
    body_close(&body);
    grow_release(g);
}

// Bending from edge to edge, rad, at its 99th percentile; kinks become frizz.
static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double sharpest(const grow_population *g)
{
    double *turns = base_alloc((size_t)COUNT * VERTICES, sizeof *turns), points[VERTICES][3], normal[3];
    size_t count = 0;
    assert_non_null(turns);
    for (uint32_t k = 0; k < COUNT; k++) {
        grow_strand(g, k, points, normal);
        for (uint32_t i = 2; i + 1 < VERTICES; i++) {
            double a[3], b[3];
            vec_sub(a, points[i], points[i - 1]);
            vec_sub(b, points[i + 1], points[i]);
            vec_unit(a, a);
            vec_unit(b, b);
            turns[count++] = acos(fmin(vec_dot(a, b), 1));
        }
    }
    qsort(turns, count, sizeof *turns, compare);
    const double found = turns[count * 99 / 100];
    base_free(turns);
    return found;
}

// Largest distance of tips, from their roots, of strands whose roots are nearer than 8 mm, on one side of the parting;
// the mean of it.
static double unlikeness(const grow_population *g)
{
    double sum = 0;
    uint32_t pairs = 0;
    double(*arms)[3] = base_alloc(COUNT, sizeof *arms), points[VERTICES][3], normal[3];
    assert_non_null(arms);
    for (uint32_t k = 0; k < COUNT; k++) {
        grow_strand(g, k, points, normal);
        vec_sub(arms[k], points[VERTICES - 1], points[0]);
    }
    for (uint32_t a = 0; a < COUNT; a++)
        for (uint32_t b = 0; b < a; b++) {
            const grow_spot one = surface_spot(&g->def.surface, &g->roots[a]);
            const grow_spot two = surface_spot(&g->def.surface, &g->roots[b]);
            double gap[3];
            vec_sub(gap, one.point, two.point);
            if (vec_length(gap) > 0.008 || one.point[0] * two.point[0] < 0 || fabs(one.point[0]) < 0.02)
                continue;
            vec_sub(gap, arms[a], arms[b]);
            sum += vec_length(gap);
            pairs++;
        }
    base_free(arms);
    assert_true(pairs > 100);
    return sum / pairs;
}

static void neighbours_lie_alike(void **state)
{
    (void)state;
    grow_def rough = head_def(), smooth = head_def();
    rough.drape.smooth = 0;
    grow_population *by_itself = grow_or_fail(rough), *g = grow_or_fail(smooth);
    assert_true(sharpest(g) < 0.25);                          // over edges of 7 mm, hair of this lift bends by 0.2
    assert_true(unlikeness(g) < 0.8 * unlikeness(by_itself)); // what is left is that roots are apart
    grow_release(by_itself);
    grow_release(g);
}

// Edges are as long as those of strands that stand off, and curls stay.
static void lengths_and_curls_are_kept(void **state)
{
    (void)state;
    for (int curled = 0; curled < 2; curled++) {
        grow_def def = head_def();
        def.curl_radius = curled ? 0.004 : 0;
        def.curl_pitch = 0.05;
        def.gather[GROW_CLUMPS] = (grow_gather){.strands = 20, .strength = 0.4};
        grow_population *g = grow_or_fail(def);
        double points[VERTICES][3], normal[3], reach = 0;
        for (uint32_t k = 0; k < COUNT; k++) {
            double edge[3], sum = 0;
            grow_strand(g, k, points, normal);
            for (uint32_t i = 0; i + 1 < VERTICES; i++) {
                vec_sub(edge, points[i + 1], points[i]);
                sum += vec_length(edge);
            }
            assert_close(sum, 0.2 * (VERTICES - 1) / (VERTICES - 1.5), curled ? 0.01 : 1e-7);
            assert_close(vec_length(normal), 1, 1e-5);
            vec_sub(edge, points[VERTICES - 1], points[1]);
            reach += vec_length(edge) / COUNT;
        }
        assert_true(curled ? reach < 0.17 : reach > 0.17); // a curl is longer than its way
        grow_release(g);
    }
}

// ---- meshes

// A cube with the same comb, up, at all vertices, and hair on its top only.
static mesh make_cube(void)
{
    char text[1200];
    mesh m;
    int used = snprintf(text, sizeof text,
                        "ply\nformat ascii 1.0\ncomment Sheaf groom; metres per unit 1; up z\nelement vertex 8\n"
                        "property float x\nproperty float y\nproperty float z\nproperty float density\n"
                        "property float comb_x\nproperty float comb_y\nproperty float comb_z\n"
                        "element face 6\nproperty list uchar int vertex_indices\nend_header\n");
    for (int k = 0; k < 8; k++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%g %g %g %d 2 0 0\n", (k & 1) * 0.2 - 0.1,
                         (k >> 1 & 1) * 0.2 - 0.1, (k >> 2) * 0.2 - 0.1, k >> 2);
    snprintf(text + used, sizeof text - (size_t)used,
             "4 0 2 3 1\n4 4 5 7 6\n4 0 1 5 4\n4 2 6 7 3\n4 0 4 6 2\n4 1 3 7 5\n");
    if (mesh_open_memory(text, strlen(text), "cube", &m) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    return m;
}

static void a_mesh_says_how_hair_is_combed(void **state)
{
    (void)state;
    grow_def def = population_def(100, VERTICES);
    double points[VERTICES][3], normal[3];
    def.surface.kind = GROW_MESH;
    def.surface.mesh = make_cube();
    assert_non_null(def.surface.mesh.comb);
    def.where.cosine = 0.9; // the top
    def.drape = (grow_drape){.lift = lift};
    grow_population *g = grow_or_fail(def);
    for (uint32_t k = 0; k < 100; k++) {
        grow_strand(g, k, points, normal);
        assert_true(points[4][0] > points[1][0] + 0.01); // along x, as all vertices say
        assert_true(points[1][2] > 0.1);
        if (points[0][0] > 0.03) // the edge is within reach: over it, and down
            assert_true(points[VERTICES - 1][0] > 0.1 && points[VERTICES - 1][2] < 0.1);
    }
    grow_release(g);
}

// A mesh's ways turn with it.
static void combs_turn_with_the_mesh(void **state)
{
    (void)state;
    static const double nowhere[3] = {0, 0, 0};
    mesh m = make_cube();
    double up[3], way[3];
    vec_copy(up, m.points[7]);
    vec_set(way, (double)m.comb[0][0], (double)m.comb[0][1], (double)m.comb[0][2]);
    const double before = vec_dot(up, way);
    mesh_place(&m, GROOM_UP_Z, GROOM_UP_Y, 1, nowhere);
    vec_set(way, (double)m.comb[0][0], (double)m.comb[0][1], (double)m.comb[0][2]);
    assert_close(vec_dot(m.points[7], way), before, 1e-7);
    mesh_free(&m);
}

// ---- what cannot be

static void hair_without_a_comb_is_not_draped(void **state)
{
    (void)state;
    grow_def def = population_def(COUNT, VERTICES);
    grow_population *grown;
    def.drape = (grow_drape){.lift = lift, .smooth = 0.01};
    assert_int_equal(grow_create(&def, (grow_room){1000000, GROW_MOST_VERTICES}, &grown), SHEAF_ERR_INPUT);
    assert_null(grown);
    assert_non_null(strstr(sheaf_last_error(), "add comb"));
}

static void a_hairline_without_hair_is_told(void **state)
{
    (void)state;
    grow_def def = population_def(COUNT, VERTICES);
    grow_population *grown;
    add_hairline(&def, 0);
    for (int k = 0; k < 3; k++)
        def.where.hairline.line[k][1] = 1.6; // above the zenith
    assert_int_equal(grow_create(&def, (grow_room){1000000, GROW_MOST_VERTICES}, &grown), SHEAF_ERR_INPUT);
    assert_null(grown);
    assert_non_null(strstr(sheaf_last_error(), "widen where"));
}

static void strands_do_not_depend_on_threads(void **state)
{
    (void)state;
    grow_population *one = grow_or_fail(head_def()), *two = grow_or_fail(head_def());
    assert_memory_equal(one->draped, two->draped, sizeof(float[3]) * COUNT * (VERTICES + 1));
    grow_release(one);
    grow_release(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roots_keep_to_the_hairline),
        cmocka_unit_test(hair_gets_thinner_towards_the_line),
        cmocka_unit_test(hair_is_combed_from_the_parting),
        cmocka_unit_test(hair_lies_on_the_body),
        cmocka_unit_test(neighbours_lie_alike),
        cmocka_unit_test(lengths_and_curls_are_kept),
        cmocka_unit_test(a_mesh_says_how_hair_is_combed),
        cmocka_unit_test(combs_turn_with_the_mesh),
        cmocka_unit_test(hair_without_a_comb_is_not_draped),
        cmocka_unit_test(a_hairline_without_hair_is_told),
        cmocka_unit_test(strands_do_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
