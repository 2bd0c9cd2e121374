// test_children: strands between guides keep their lengths and curls, go where bodies take them, stay out of
// colliders, and come out the same however they are made.
#include "base/vec.h"
#include "children/near.h"
#include "children/parts.h"
#include "children/spline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "strand/strand.h"
#include "unit.h"
#include "world.h"
#include "world/world.h"

static const double pi = 3.14159265358979323846;

// A head whose hair starts at rest and that may move.
#define HEAD(motion, preset, children)                                                                                 \
    "sheaf: 1\n"                                                                                                       \
    "time: { step: 1/120 s, end: 1 s }\n"                                                                              \
    "materials: { hair: { preset: " preset " } }\n"                                                                    \
    "motion: { head: " motion " }\n"                                                                                   \
    "strands:\n"                                                                                                       \
    "  - groom: { preset: " preset ", on: { ellipsoid: { radii: [7.5 cm, 9.5 cm, 11 cm], cap: 60 deg } }, count: 60,"  \
    " vertices: 20, comb: { from: [0, 3 cm, 11 cm] } }\n"                                                              \
    "    root: { clamp: head }\n"                                                                                      \
    "    children: " children "\n"                                                                                     \
    "colliders: [ { ellipsoid: { radii: [7.5 cm, 9.5 cm, 11 cm] }, follow: head } ]\n"

// All children of a model at one pose.
typedef struct litter {
    children_plan *plan;
    uint32_t count;
    uint64_t *first;
    uint32_t *guides;
    double (*positions)[3];
} litter;

static litter litter_open(const sheaf_model *model)
{
    litter l;
    const children_def def = {.model = model,
                              .strand_count = model->strand_count,
                              .first_vertex = model->first_vertex,
                              .count = CHILDREN_AS_SCENE};
    if (children_open(&def, &l.plan) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    assert_non_null(l.plan);
    l.count = (uint32_t)children_count(l.plan);
    l.first = base_alloc(l.count + 1, sizeof *l.first);
    l.guides = base_alloc(l.count, sizeof *l.guides);
    children_layout(l.plan, 0, l.count, l.first, l.guides);
    assert_int_equal(children_vertices(l.plan), l.first[l.count]);
    l.positions = base_alloc(l.first[l.count], sizeof *l.positions);
    return l;
}

static void litter_lay(litter *l, const double (*positions)[3], double time, uint32_t threads)
{
    const children_guides guides = {.positions = positions, .time = time};
    assert_int_equal(children_pose(l->plan, &guides), SHEAF_OK);
    assert_int_equal(children_lay(l->plan, 0, l->count, l->first, l->positions, threads), SHEAF_OK);
}

static void litter_close(litter *l)
{
    children_close(l->plan);
    base_free(l->first);
    base_free(l->guides);
    base_free(l->positions);
}

// Guides that were bent and turned without being simulated: the farther from the root the more, and each otherwise.
static double (*bend_guides(const sheaf_model *model, double most))[3]
{
    double(*bent)[3] = base_alloc(model->vertex_count, sizeof *bent);
    for (uint32_t s = 0; s < model->strand_count; s++) {
        const uint64_t first = model->first_vertex[s], end = model->first_vertex[s + 1];
        const double any[3] = {sin(s), cos(s), 0.3};
        double axis[3], edge[3];
        vec_cross(axis, model->position[first], any); // across the way out of the head
        vec_unit(axis, axis);
        vec_copy(bent[first], model->position[first]);
        for (uint64_t k = first; k + 1 < end; k++) {
            vec_sub(edge, model->position[k + 1], model->position[k]);
            vec_rotate(edge, edge, axis, k == first ? 0 : most * (double)(k - first) / (double)(end - first));
            vec_add(bent[k + 1], bent[k], edge);
        }
    }
    return bent;
}

static double edge_length(const double (*points)[3])
{
    double edge[3];
    vec_sub(edge, points[1], points[0]);
    return vec_length(edge);
}

// ---- curves

static double circle_error(double turn, uint32_t count, bool closed)
{
    double points[64][3], worst = 0;
    for (uint32_t k = 0; k < count; k++)
        vec_set(points[k], cos(turn * k), sin(turn * k), 0.5);
    for (uint32_t edge = 0; edge < count - !closed; edge++)
        for (int part = 0; part <= 16; part++) {
            double point[3], slope[3];
            const children_spline s = children_spline_over((const double(*)[3])points, count, closed, edge);
            children_spline_at(&s, part / 16.0, point, slope);
            worst = fmax(worst, fabs(hypot(point[0], point[1]) - 1));
            assert_true(fabs(vec_dot(point, slope)) < 2e-3 * vec_length(slope));
            assert_close(point[2], 0.5, 1e-15);
        }
    return worst;
}

static void curves_follow_circles(void **unused)
{
    (void)unused;
    assert_true(circle_error(pi / 180 * 38, 12, false) < 2e-6); // ends included
    assert_true(circle_error(pi / 180 * 72, 9, false) < 1e-4);
    assert_true(circle_error(2 * pi / 5, 5, true) < 1e-4);
}

static void curves_of_odd_strands_are_finite(void **unused)
{
    const double points[5][3] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 0, 0}, {2, 0, 0}}; // repeats, folds back
    (void)unused;
    for (uint32_t count = 2; count <= 5; count++)
        for (uint32_t edge = 0; edge + 1 < count; edge++) {
            double point[3], slope[3];
            const children_spline s = children_spline_over(points, count, false, edge);
            children_spline_at(&s, 0.5, point, slope);
            assert_true(isfinite(vec_length(point)) && isfinite(vec_length(slope)));
        }
}

// ---- near

static void the_nearest_are_found(void **unused)
{
    enum { COUNT = 700, WANTED = 5 };
    static double points[COUNT][3];
    (void)unused;
    for (uint32_t k = 0; k < COUNT; k++) {
        double random[4];
        base_uniform4(3, 1, k, random);
        vec_set(points[k], random[0], random[1], k % 7 == 0 ? 0.5 : random[2]); // many at the same height
    }
    near_tree tree;
    assert_int_equal(near_open((const double(*)[3])points, COUNT, &tree), SHEAF_OK);
    for (uint32_t q = 0; q < 200; q++) {
        uint32_t found[WANTED];
        double squares[WANTED], place[4], arm[3];
        base_uniform4(4, 1, q, place);
        assert_int_equal(near_find(&tree, place, WANTED, found, squares), WANTED);
        uint32_t nearer = 0;
        for (uint32_t k = 0; k < COUNT; k++) {
            vec_sub(arm, points[k], place);
            nearer += vec_dot(arm, arm) < squares[WANTED - 1];
        }
        assert_int_equal(nearer, WANTED - 1);
        for (uint32_t k = 1; k < WANTED; k++)
            assert_true(squares[k - 1] <= squares[k] && found[k] < COUNT);
    }
    near_close(&tree);
}

// ---- lengths and curls

static void lengths_are_kept(void **unused)
{
    sheaf_model *model = world_model(HEAD("{ move: [0, 0, 0] }", "curly", "{ count: 20 }"));
    litter l = litter_open(model);
    double(*bent)[3] = bend_guides(model, 2.5);
    children_shape shape = {.point = base_alloc(l.plan->longest, sizeof *shape.point)};
    (void)unused;
    assert_int_equal(l.count, 60 * 20);
    litter_lay(&l, (const double(*)[3])bent, 0, 0);
    for (uint32_t k = 0; k < l.count; k++) {
        const double(*points)[3] = (const double(*)[3])l.positions + l.first[k];
        children_shape_fill(l.plan, &l.plan->groups[0], k, &shape);
        const double(*rest)[3] = (const double(*)[3])model->position + model->first_vertex[l.guides[k]];
        assert_true(shape.part > 0.87 && shape.part <= 1); // cut by 12 % at most
        for (uint32_t i = 0; i + 1 < shape.count; i++) {
            const double length = shape.part * edge_length(rest + i);
            assert_close(edge_length(points + i), length, 1e-6 * length);
        }
    }
    base_free(shape.point);
    base_free(bent);
    litter_close(&l);
    sheaf_model_free(model);
}

// Angle between neighbouring edges over their length, in the mean.
static double mean_curvature(const double (*points)[3], uint32_t count)
{
    double sum = 0, length = 0;
    for (uint32_t i = 1; i + 1 < count; i++) {
        double a[3], b[3], cross[3];
        vec_sub(a, points[i], points[i - 1]);
        vec_sub(b, points[i + 1], points[i]);
        vec_cross(cross, a, b);
        sum += atan2(vec_length(cross), vec_dot(a, b));
        length += vec_length(b);
    }
    return sum / length;
}

static int compare_reals(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(double *values, size_t count, double share)
{
    qsort(values, count, sizeof *values, compare_reals);
    return values[(size_t)(share * (double)(count - 1))];
}

// Curvature of simulated curls and of their copies, cut ones too.
static void curls_are_those_of_the_guides(void **unused)
{
    sheaf_model *model = world_model(HEAD("{ rotate: { angle: { ramp: { to: 60 deg, over: 0.4 s } } } }", "curly",
                                          "{ count: 20, frizz: 0.2 mm, lock: 70 % }"));
    litter l = litter_open(model);
    double(*now)[3] = base_alloc(model->vertex_count, sizeof *now);
    double *ratios = base_alloc(l.count, sizeof *ratios);
    (void)unused;
    world_run(model, SHEAF_BACKEND_REFERENCE, true, 36, now);
    litter_lay(&l, (const double(*)[3])now, 0.3, 0);
    for (uint32_t k = 0; k < l.count; k++) {
        const uint64_t guide = model->first_vertex[l.guides[k]];
        ratios[k] = mean_curvature((const double(*)[3])l.positions + l.first[k], 20) /
                    mean_curvature((const double(*)[3])now + guide, 20);
    }
    assert_close(quantile(ratios, l.count, 0.5), 1, 0.05);
    assert_true(quantile(ratios, l.count, 0.1) > 0.85 && quantile(ratios, l.count, 0.9) < 1.2);
    base_free(ratios);
    base_free(now);
    litter_close(&l);
    sheaf_model_free(model);
}

// ---- bodies

static void move_rigidly(const sheaf_model *model, double time, const double (*from)[3], uint64_t count,
                         double (*to)[3])
{
    for (uint64_t k = 0; k < count; k++)
        model_motion_point(&model->motions[0], time, from[k], to[k]);
}

// Every child goes with the body as a stiff wire would, at times before, between and after jumps.
static void bodies_carry_children(const char *text, const double *times, int count)
{
    sheaf_model *model = world_model(text);
    litter l = litter_open(model);
    const uint64_t vertices = l.first[l.count];
    double(*start)[3] = base_alloc(vertices, sizeof *start), (*expected)[3] = base_alloc(vertices, sizeof *start);
    double(*guides)[3] = base_alloc(model->vertex_count, sizeof *guides), apart[3];
    litter_lay(&l, (const double(*)[3])model->position, 0, 0);
    memcpy(start, l.positions, vertices * sizeof *start);
    for (int t = 0; t < count; t++) {
        move_rigidly(model, times[t], (const double(*)[3])model->position, model->vertex_count, guides);
        move_rigidly(model, times[t], (const double(*)[3])start, vertices, expected);
        litter_lay(&l, (const double(*)[3])guides, times[t], 0);
        for (uint64_t k = 0; k < vertices; k++) {
            vec_sub(apart, l.positions[k], expected[k]);
            assert_true(vec_length(apart) < 1e-6 * 0.2); // of a strand's length
        }
    }
    base_free(start);
    base_free(expected);
    base_free(guides);
    litter_close(&l);
    sheaf_model_free(model);
}

// Material directors instead of frames that turn without twist: a body's turn about the strands is seen by them alone.
static void directors_turn_children(void **unused)
{
    sheaf_model *model = world_model(
        HEAD("{ rotate: { axis: [1, 0, 2], angle: { ramp: { to: 140 deg, over: 1 s } } } }", "curly", "{ count: 8 }"));
    const children_def def = {.model = model,
                              .strand_count = model->strand_count,
                              .first_vertex = model->first_vertex,
                              .count = CHILDREN_AS_SCENE,
                              .has_directors = true};
    litter l = litter_open(model);
    double(*moved)[3] = base_alloc(2 * model->vertex_count, sizeof *moved), (*turned)[3] = moved + model->vertex_count;
    double(*start)[3] = base_alloc(l.first[l.count], sizeof *start), expected[3];
    (void)unused;
    litter_lay(&l, (const double(*)[3])model->position, 0, 0);
    memcpy(start, l.positions, l.first[l.count] * sizeof *start);
    children_close(l.plan);
    assert_int_equal(children_open(&def, &l.plan), SHEAF_OK);
    move_rigidly(model, 0.8, (const double(*)[3])model->position, model->vertex_count, moved);
    for (uint64_t k = 0; k < model->vertex_count; k++)
        model_motion_turn(&model->motions[0], 0.8, model->director[k], turned[k]);
    const children_guides guides = {(const double(*)[3])moved, (const double(*)[3])turned, 0.8};
    assert_int_equal(children_pose(l.plan, &guides), SHEAF_OK);
    assert_int_equal(children_lay(l.plan, 0, l.count, l.first, l.positions, 0), SHEAF_OK);
    for (uint64_t k = 0; k < l.first[l.count]; k++) {
        model_motion_point(&model->motions[0], 0.8, start[k], expected);
        vec_sub(expected, expected, l.positions[k]);
        assert_true(vec_length(expected) < 1e-6 * 0.2);
    }
    base_free(moved);
    base_free(start);
    litter_close(&l);
    sheaf_model_free(model);
}

static void bodies_and_jumps_carry_children(void **unused)
{
    static const double times[] = {0.2, 0.5, 0.7, 1.3};
    (void)unused;
    bodies_carry_children(HEAD("{ anchor: [1 cm, 0, 3 cm], rotate: { axis: [1, 2, 3], angle: { ramp: { to: 200 deg, "
                               "over: 1 s } } }, move: [{ ramp: { to: 3 m, over: 1 s } }, 0, 0] }",
                               "curly", "{ count: 8 }"),
                          times, 4);
    bodies_carry_children(
        HEAD("{ keyframes: [{ time: 0 s }, { time: 0.6 s, axis: y, angle: 170 deg, move: [0, 2 m, 0], "
             "jump: true }, { time: 1 s, axis: y, angle: 170 deg }] }",
             "straight", "{ count: 8 }"),
        times, 4);
}

static double depth_in(const sheaf_model *model, const double point[3], double time)
{
    double center[3], axes[3][3], own[3], arm[3], normal[3], deepest = -INFINITY;
    for (uint32_t k = 0; k < model->collider_count; k++) {
        model_collider_pose(model, &model->colliders[k], time, center, axes);
        vec_sub(arm, point, center);
        for (int c = 0; c < 3; c++)
            own[c] = vec_dot(axes[c], arm);
        deepest = fmax(deepest, -model_collider_gap(&model->colliders[k], own, normal));
    }
    return deepest;
}

// Of all vertices that are not held: how many are in a collider by more than half a millimetre, and how deep.
static void assert_outside(const char *text, double most, double time)
{
    sheaf_model *model = world_model(text);
    litter l = litter_open(model);
    uint64_t inside = 0, all = 0, deep_guides = 0;
    double deepest = -INFINITY;
    double(*bent)[3] = bend_guides(model, most);
    move_rigidly(model, time, (const double(*)[3])bent, model->vertex_count, bent);
    for (uint64_t k = 0; k < model->vertex_count; k++)
        deep_guides += depth_in(model, bent[k], time) > 5e-3;
    assert_true(deep_guides > 20); // guides lead right into the head
    litter_lay(&l, (const double(*)[3])bent, time, 0);
    for (uint32_t k = 0; k < l.count; k++)
        for (uint64_t v = l.first[k] + 2; v < l.first[k + 1]; v++, all++) {
            const double depth = depth_in(model, l.positions[v], time);
            inside += depth > 5e-4;
            deepest = fmax(deepest, depth);
        }
    if ((double)inside > 5e-4 * (double)all || deepest > 1e-3)
        fail_msg("%llu of %llu vertices inside, %g mm deep", (unsigned long long)inside, (unsigned long long)all,
                 1e3 * deepest);
    base_free(bent);
    litter_close(&l);
    sheaf_model_free(model);
}

static void colliders_stay_empty(void **unused)
{
    static const char *const motion =
        HEAD("{ rotate: { angle: { ramp: { to: 90 deg, over: 1 s } } } }", "curly", "{ count: 20 }");
    static const char *const body = // known by the samples of a grid
        "sheaf: 1\nmaterials: { hair: { preset: wavy } }\nmotion: { body: { move: [0, 0, 5 cm] } }\nstrands:\n"
        "  - groom: { preset: wavy, on: { mesh: { file: scenes/fur.obj, unit: cm, up: z } }, count: 100, "
        "vertices: 20, length: 12 cm }\n    root: { clamp: body }\n    children: { count: 10 }\n"
        "colliders: [ { mesh: { file: scenes/fur.obj, unit: cm, up: z, cell: 2 mm }, follow: body } ]\n";
    (void)unused;
    assert_outside(body, 5, 0);
    assert_outside(motion, 5, 0.7);
    assert_outside(HEAD("{ move: [{ ramp: { to: 1 m, over: 1 s } }, 0, 0] }", "straight", "{ count: 20 }"), 6, 0.5);
    assert_outside(HEAD("{ move: [0, 0, 0] }", "coily", "{ count: 20, scatter: 5 mm }"), 5, 0);
}

// ---- the same bits

static void threads_and_blocks_change_no_bit(void **unused)
{
    sheaf_model *model = world_model(HEAD("{ move: [0, 0, 0] }", "wavy", "{ count: 10 }"));
    litter a = litter_open(model), b = litter_open(model);
    double(*bent)[3] = bend_guides(model, 1.5);
    const size_t size = a.first[a.count] * sizeof *a.positions;
    (void)unused;
    litter_lay(&a, (const double(*)[3])bent, 0, 1);
    for (uint32_t threads = 2; threads < 5; threads++) {
        litter_lay(&b, (const double(*)[3])bent, 0, threads);
        assert_memory_equal(a.positions, b.positions, size);
    }
    memset(b.positions, 0, size);
    for (uint32_t k = 0; k < b.count; k += 7) {
        const uint32_t count = b.count - k < 7 ? b.count - k : 7;
        uint64_t first[8];
        children_layout(b.plan, k, count, first, NULL);
        assert_int_equal(children_lay(b.plan, k, count, first, b.positions + b.first[k], 1), SHEAF_OK);
    }
    assert_memory_equal(a.positions, b.positions, size);
    base_free(bent);
    litter_close(&a);
    litter_close(&b);
    sheaf_model_free(model);
}

// What is drawn while all moves is the first part of each group, spread over its guides.
static void fewer_are_spread_evenly(void **unused)
{
    sheaf_model *model = world_model(HEAD("{ move: [0, 0, 0] }", "wavy", "{ count: 40 }"));
    litter l = litter_open(model);
    uint32_t of_guide[60] = {0}, crowded = 0;
    (void)unused;
    assert_close(children_stand_for(l.plan, 5), 41, 0);
    const uint64_t chosen = children_choose(l.plan, 0.25);
    assert_int_equal(chosen, 600);
    children_layout(l.plan, 0, (uint32_t)chosen, l.first, l.guides);
    for (uint32_t k = 0; k < chosen; k++)
        of_guide[l.guides[k]]++;
    for (uint32_t s = 0; s < 60; s++) {
        assert_true(of_guide[s] > 0);
        crowded += of_guide[s] > 25; // of 10 in the mean
    }
    assert_true(crowded < 4);
    assert_int_equal(children_choose(l.plan, 0), 0);
    assert_int_equal(children_choose(l.plan, 2), l.count);
    litter_close(&l);
    sheaf_model_free(model);
}

static void another_seed_is_another_head(void **unused)
{
    sheaf_model *models[3] = {world_model(HEAD("{ move: [0, 0, 0] }", "wavy", "{ count: 3, seed: 5 }")),
                              world_model(HEAD("{ move: [0, 0, 0] }", "wavy", "{ count: 3, seed: 5 }")),
                              world_model(HEAD("{ move: [0, 0, 0] }", "wavy", "{ count: 3, seed: 6 }"))};
    litter l[3];
    (void)unused;
    for (int k = 0; k < 3; k++) {
        l[k] = litter_open(models[k]);
        litter_lay(&l[k], (const double(*)[3])models[k]->position, 0, 0);
    }
    const size_t size = l[0].first[l[0].count] * sizeof *l[0].positions;
    assert_memory_equal(l[0].positions, l[1].positions, size);
    assert_memory_not_equal(l[0].positions, l[2].positions, size);
    for (int k = 0; k < 3; k++) {
        litter_close(&l[k]);
        sheaf_model_free(models[k]);
    }
}

// ---- what is simulated

static void the_simulation_does_not_know_of_them(void **unused)
{
    sheaf_model *with =
        world_model(HEAD("{ rotate: { angle: { ramp: { to: 60 deg, over: 0.1 s } } } }", "curly", "{ count: 50 }"));
    const char *text = HEAD("{ rotate: { angle: { ramp: { to: 60 deg, over: 0.1 s } } } }", "curly", "{ count: 50 }");
    char *without = strdup(text), *line = strstr(without, "    children");
    (void)unused;
    memmove(line, strchr(line, '\n') + 1, strlen(strchr(line, '\n')));
    sheaf_model *bare = world_model(without);
    uint64_t identities[2];
    const size_t size = with->vertex_count * sizeof(double[3]);
    assert_int_equal(with->vertex_count, bare->vertex_count);
    assert_int_equal(model_identity(with, &identities[0]), SHEAF_OK);
    assert_int_equal(model_identity(bare, &identities[1]), SHEAF_OK);
    assert_int_equal(identities[0], identities[1]); // so checkpoints go with both
    double(*a)[3] = malloc(size), (*b)[3] = malloc(size);
    world_run(with, SHEAF_BACKEND_REFERENCE, true, 8, a);
    world_run(bare, SHEAF_BACKEND_REFERENCE, true, 8, b);
    assert_memory_equal(a, b, size);
    free(a);
    free(b);
    free(without);
    sheaf_model_free(with);
    sheaf_model_free(bare);
}

// ---- bad input

static void assert_refused(const char *text, const char *message)
{
    sheaf_scene *scene = NULL;
    if (sheaf_scene_parse(text, strlen(text), "scene", &scene) == SHEAF_OK)
        fail_msg("taken: %s", text);
    if (strstr(sheaf_last_error(), message) == NULL)
        fail_msg("'%s' is not in: %s", message, sheaf_last_error());
}

#define START "sheaf: 1\nmaterials: { hair: { preset: curly } }\nstrands:\n"
#define GROOM(count) "  - groom: { preset: curly, on: { sphere: { radius: 9 cm } }, count: " count " }\n"

static void bad_input_is_told(void **unused)
{
    (void)unused;
    assert_refused(START GROOM("10") "    children: { count: 0 }\n", "not a whole number from 1 to 1000");
    assert_refused(START GROOM("10") "    children: { count: 0 }\n", "leave `children` out for none");
    assert_refused(START GROOM("10") "    children: { count: 1000000 }\n", "not a whole number from 1 to 1000");
    assert_refused(START GROOM("10") "    children: { lock: 20 % }\n", "add count: 32");
    assert_refused(START GROOM("2") "    children: { count: 3 }\n", "at least 3 simulated strands, and there are 2");
    assert_refused(START GROOM("100000") "    children: { count: 1000 }\n", "give fewer");
    assert_refused(START GROOM("10") "    children: { count: 3, blend: 9 }\n", "not a whole number from 1 to 8");
    assert_refused(START GROOM("10") "    children: { count: 3, cut: 95 % }\n", "out of range");
    assert_refused(START GROOM("10") "    children: { count: 3, scatter: -1 mm }\n", "out of range");
    assert_refused(START GROOM("10") "    simulate: 5 %\n", "simulate is for strands of a file");
    assert_refused(START "  - shape: { straight: { length: 20 cm } }\n    children: { count: 3 }\n",
                   "this is a single strand");
}

static void guides_of_another_scene_are_refused(void **unused)
{
    sheaf_model *model = world_model(HEAD("{ move: [0, 0, 0] }", "wavy", "{ count: 3 }"));
    const uint64_t first[4] = {0, 5, 10, 15};
    const uint32_t ids[3] = {0, 1, 99};
    children_plan *plan;
    children_def def = {.model = model, .strand_count = 3, .first_vertex = first, .count = CHILDREN_AS_SCENE};
    (void)unused;
    assert_int_equal(children_open(&def, &plan), SHEAF_ERR_INPUT);
    assert_null(plan);
    def.ids = ids;
    def.first_vertex = model->first_vertex;
    assert_int_equal(children_open(&def, &plan), SHEAF_ERR_INPUT);
    def.count = 0;
    assert_int_equal(children_open(&def, &plan), SHEAF_OK);
    assert_null(plan);
    sheaf_model_free(model);
}

// ---- memory

// An allocator whose `fail_at`-th request finds no memory.
typedef struct meter {
    size_t requests, live, fail_at;
} meter;

static void *meter_allocate(size_t size, void *user)
{
    meter *m = user;
    if (m->requests++ == m->fail_at)
        return NULL;
    m->live++;
    return malloc(size);
}

static void *meter_reallocate(void *memory, size_t size, void *user)
{
    meter *m = user;
    return m->requests++ == m->fail_at ? NULL : realloc(memory, size);
}

static void meter_release(void *memory, void *user)
{
    ((meter *)user)->live--;
    free(memory);
}

// Children of a groom, of a file and of a file that is split.
static const char three_kinds[] =
    "sheaf: 1\nmaterials: { hair: { preset: curly } }\nstrands:\n"
    "  - groom: { preset: curly, on: { sphere: { radius: 9 cm } }, count: 5, vertices: 6 }\n"
    "    children: { count: 2 }\n"
    "  - { file: tests/data/files/fringe.hair, unit: cm, up: y, children: { count: 1 } }\n"
    "  - { file: tests/data/files/fringe.hair, unit: cm, up: y, simulate: 40 % }\n";

static sheaf_status make_three_kinds(void)
{
    sheaf_scene *scene = NULL;
    sheaf_model *model = NULL;
    children_plan *plan = NULL;
    uint64_t first[9];
    double positions[8 * 64][3];
    sheaf_status status = sheaf_scene_parse(three_kinds, sizeof three_kinds - 1, "three", &scene);
    if (status == SHEAF_OK)
        status = sheaf_model_create(scene, &model);
    if (status == SHEAF_OK) {
        const children_def def = {.model = model,
                                  .strand_count = model->strand_count,
                                  .first_vertex = model->first_vertex,
                                  .count = CHILDREN_AS_SCENE};
        status = children_open(&def, &plan);
    }
    if (status == SHEAF_OK) {
        const children_guides guides = {.positions = (const double(*)[3])model->position};
        assert_int_equal(plan->group_count, 3);
        children_layout(plan, children_count(plan) - 8, 8, first, NULL);
        assert_true(first[8] <= 8 * 64);
        status = children_pose(plan, &guides);
        if (status == SHEAF_OK)
            status = children_lay(plan, children_count(plan) - 8, 8, first, positions, 1);
    }
    children_close(plan);
    sheaf_model_free(model);
    sheaf_scene_free(scene);
    return status;
}

static void any_allocation_may_fail(void **unused)
{
    meter m = {.fail_at = SIZE_MAX};
    const sheaf_allocator allocator = {meter_allocate, meter_reallocate, meter_release, &m};
    (void)unused;
    assert_int_equal(sheaf_allocator_set(&allocator), SHEAF_OK);
    if (make_three_kinds() != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    const size_t count = m.requests;
    for (m.fail_at = 0; m.fail_at < count; m.fail_at++) {
        m.requests = 0;
        assert_int_equal(make_three_kinds(), SHEAF_ERR_MEMORY);
        assert_int_equal(m.live, 0);
    }
    assert_int_equal(sheaf_allocator_set(NULL), SHEAF_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_follow_circles),
        cmocka_unit_test(curves_of_odd_strands_are_finite),
        cmocka_unit_test(the_nearest_are_found),
        cmocka_unit_test(lengths_are_kept),
        cmocka_unit_test(curls_are_those_of_the_guides),
        cmocka_unit_test(bodies_and_jumps_carry_children),
        cmocka_unit_test(directors_turn_children),
        cmocka_unit_test(colliders_stay_empty),
        cmocka_unit_test(threads_and_blocks_change_no_bit),
        cmocka_unit_test(fewer_are_spread_evenly),
        cmocka_unit_test(another_seed_is_another_head),
        cmocka_unit_test(the_simulation_does_not_know_of_them),
        cmocka_unit_test(bad_input_is_told),
        cmocka_unit_test(guides_of_another_scene_are_refused),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
