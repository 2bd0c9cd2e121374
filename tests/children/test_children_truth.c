// test_children_truth: strands that are simulated, all of them, against children of a few of them: the same hair with a
// head that turns in the wind. labels: device
#include "base/vec.h"
#include "children/parts.h"
#include "groom/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"
#include "world.h"
#include "world/world.h"

enum { STRANDS = 3000, VERTICES = 20, FRAMES = 8, FIRST_STEP = 60, STEPS_OF_FRAME = 19 };

#define REST                                                                                                           \
    "time: { step: 1/120 s, end: 1 s }\n"                                                                              \
    "wind: { velocity: [0.6 m/s, 0.6 m/s, 0], gust: { strength: 0.3 m/s, scale: 40 cm } }\n"                           \
    "motion: { head: { rotate: { angle: { ramp: { to: 110 deg, start: 1 s, over: 0.5 s, smooth: true } } } } }\n"      \
    "colliders: [ { ellipsoid: { radii: [7.5 cm, 9.5 cm, 11 cm] }, follow: head } ]\n"

static char hair_path[64];

// A groom as a file holds it: strands without the vertex that lies behind the surface.
static void write_file(const char *preset)
{
    char text[1000];
    snprintf(text, sizeof text,
             "sheaf: 1\nmaterials: { hair: { preset: %s } }\nstrands:\n"
             "  - groom: { preset: %s, on: { ellipsoid: { radii: [7.5 cm, 9.5 cm, 11 cm], cap: 45 deg } }, count: %d, "
             "vertices: %d, comb: { from: [0, 12 cm, 6 cm] } }\n",
             preset, preset, STRANDS, VERTICES + 1);
    sheaf_model *model = world_model(text);
    groom_source source = {.frame_count = 1};
    groom *g = &source.groom;
    assert_int_equal(groom_allocate(g, STRANDS, (uint64_t)STRANDS * VERTICES, 0), SHEAF_OK);
    g->metres_per_unit = 1;
    g->up = GROOM_UP_Z;
    for (uint32_t s = 0; s < STRANDS; s++) {
        g->first_vertex[s + 1] = g->first_vertex[s] + VERTICES;
        for (uint32_t i = 0; i < VERTICES; i++)
            groom_set_point(g, g->first_vertex[s] + i, model->position[model->first_vertex[s] + i + 1]);
    }
    FILE *file = fopen(hair_path, "wb");
    assert_non_null(file);
    assert_int_equal(groom_write(&groom_format_hair, &source, file), SHEAF_OK);
    assert_int_equal(fclose(file), 0);
    groom_free(g);
    sheaf_model_free(model);
}

static sheaf_model *read_model(const char *preset, const char *line)
{
    char text[1500];
    snprintf(text, sizeof text,
             "sheaf: 1\nmaterials: { hair: { preset: %s } }\n" REST
             "strands:\n  - file: %s\n    root: { clamp: head }\n"
             "    natural: shape\n    %s\n",
             preset, hair_path, line);
    return world_model(text);
}

// ---- both at the same times

typedef struct trial {
    sheaf_model *full, *few;
    children_plan *plan;
    uint32_t count;             // children
    uint32_t *guide_of;         // [child] nearest guide, a strand of `few`
    uint32_t *truth_of;         // [child] strand of `full`
    uint32_t *strand_of;        // [strand of few] strand of `full`
    uint64_t *first;            // [child + 1]
    double (*full_now)[3];      // [vertex of full]
    double (*few_now)[3];       // likewise
    double (*made[FRAMES])[3];  // [vertex of a child] at a frame
    double (*truth[FRAMES])[3]; // the same of the strands that they stand for
} trial;

// The strand of a model whose second vertex, where the file's strand starts, is here.
static uint32_t find_strand(const sheaf_model *model, const double place[3])
{
    uint32_t found = UINT32_MAX;
    for (uint32_t s = 0; s < model->strand_count; s++)
        if (vec_equal(model->position[model->first_vertex[s] + 1], place))
            found = s;
    assert_true(found != UINT32_MAX);
    return found;
}

static void open_trial(trial *t, const char *preset)
{
    write_file(preset);
    t->full = read_model(preset, "simulate: 100 %");
    t->few = read_model(preset, "simulate: 7 %\n    children: { lock: 0 }");
    assert_int_equal(t->full->strand_count, STRANDS);
    assert_int_equal(t->few->strand_count, STRANDS * 7 / 100);
    const children_def def = {.model = t->few,
                              .strand_count = t->few->strand_count,
                              .first_vertex = t->few->first_vertex,
                              .count = CHILDREN_AS_SCENE};
    assert_int_equal(children_open(&def, &t->plan), SHEAF_OK);
    t->count = (uint32_t)children_count(t->plan);
    assert_int_equal(t->count + t->few->strand_count, STRANDS);
    t->guide_of = malloc(t->count * sizeof *t->guide_of);
    t->truth_of = malloc(t->count * sizeof *t->truth_of);
    t->strand_of = malloc(t->few->strand_count * sizeof *t->strand_of);
    t->first = malloc((t->count + 1) * sizeof *t->first);
    children_layout(t->plan, 0, t->count, t->first, t->guide_of);
    const children_group *g = &t->plan->groups[0];
    for (uint32_t k = 0; k < t->count; k++)
        t->truth_of[k] = find_strand(t->full, g->others->points[g->others->first[g->order[k]] + 1]);
    for (uint32_t s = 0; s < t->few->strand_count; s++)
        t->strand_of[s] = find_strand(t->full, t->few->position[t->few->first_vertex[s] + 1]);
    t->full_now = malloc(t->full->vertex_count * sizeof *t->full_now);
    t->few_now = malloc(t->few->vertex_count * sizeof *t->few_now);
}

// Strands do not feel each other: guides move as the same strands among all do.
static void take_frame(trial *t, int frame, double time)
{
    t->made[frame] = malloc(t->first[t->count] * sizeof **t->made);
    t->truth[frame] = malloc(t->first[t->count] * sizeof **t->truth);
    for (uint32_t s = 0; s < t->few->strand_count; s++)
        memcpy(t->few_now + t->few->first_vertex[s], t->full_now + t->full->first_vertex[t->strand_of[s]],
               (VERTICES + 1) * sizeof *t->few_now);
    for (uint32_t k = 0; k < t->count; k++)
        memcpy(t->truth[frame] + t->first[k], t->full_now + t->full->first_vertex[t->truth_of[k]] + 1,
               VERTICES * sizeof *t->full_now);
    const children_guides guides = {.positions = (const double(*)[3])t->few_now, .time = time};
    assert_int_equal(children_pose(t->plan, &guides), SHEAF_OK);
    assert_int_equal(children_lay(t->plan, 0, t->count, t->first, t->made[frame], 0), SHEAF_OK);
}

static void run_trial(trial *t)
{
    sheaf_solver *solver = world_open(t->full, SHEAF_BACKEND_AUTO, false);
    assert_int_equal(sheaf_solver_step(solver, FIRST_STEP), SHEAF_OK);
    for (int frame = 0; frame < FRAMES; frame++) {
        assert_int_equal(sheaf_solver_read_positions(solver, t->full_now, t->full->vertex_count), SHEAF_OK);
        take_frame(t, frame, (FIRST_STEP + frame * STEPS_OF_FRAME) / 120.0);
        assert_int_equal(sheaf_solver_step(solver, STEPS_OF_FRAME), SHEAF_OK);
    }
    sheaf_solver_close(solver);
}

static void close_trial(trial *t)
{
    for (int frame = 0; frame < FRAMES; frame++) {
        free(t->made[frame]);
        free(t->truth[frame]);
    }
    free(t->guide_of);
    free(t->truth_of);
    free(t->strand_of);
    free(t->first);
    free(t->full_now);
    free(t->few_now);
    children_close(t->plan);
    sheaf_model_free(t->full);
    sheaf_model_free(t->few);
    (void)unlink(hair_path);
}

// ---- figures

static double apart(const double a[3], const double b[3])
{
    double gap[3];
    vec_sub(gap, a, b);
    return vec_length(gap);
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

static double mean_curvature(const double (*points)[3])
{
    double sum = 0;
    for (uint32_t i = 1; i + 1 < VERTICES; i++) {
        double a[3], b[3], cross[3];
        vec_sub(a, points[i], points[i - 1]);
        vec_sub(b, points[i + 1], points[i]);
        vec_cross(cross, a, b);
        sum += atan2(vec_length(cross), vec_dot(a, b));
    }
    return sum;
}

static double median_curl(const trial *t)
{
    double *ratios = malloc((size_t)t->count * FRAMES * sizeof *ratios);
    size_t n = 0;
    for (int frame = 0; frame < FRAMES; frame++)
        for (uint32_t k = 0; k < t->count; k++)
            ratios[n++] = mean_curvature((const double(*)[3])t->made[frame] + t->first[k]) /
                          mean_curvature((const double(*)[3])t->truth[frame] + t->first[k]);
    const double median = quantile(ratios, n, 0.5);
    free(ratios);
    return median;
}

// Tip distance of neighbours with different nearest guides over that of neighbours with the same, both in the median.
static double seam(const trial *t, double (*const *positions)[3])
{
    const size_t room = (size_t)t->count * FRAMES;
    double *values[2] = {malloc(room * sizeof **values), malloc(room * sizeof **values)};
    size_t counts[2] = {0, 0};
    const double(*const start)[3] = (const double(*)[3])positions[0];
    for (uint32_t a = 0; a < t->count; a++) {
        uint32_t nearest = UINT32_MAX;
        for (uint32_t b = 0; b < t->count; b++)
            if (b != a && (nearest == UINT32_MAX || apart(start[t->first[a]], start[t->first[b]]) <
                                                        apart(start[t->first[a]], start[t->first[nearest]])))
                nearest = b;
        const int differ = t->guide_of[a] != t->guide_of[nearest];
        for (int frame = 0; frame < FRAMES; frame++)
            values[differ][counts[differ]++] =
                apart(positions[frame][t->first[a + 1] - 1], positions[frame][t->first[nearest + 1] - 1]);
    }
    assert_true(counts[0] > 0 && counts[1] > 0);
    const double ratio = quantile(values[1], counts[1], 0.5) / quantile(values[0], counts[0], 0.5);
    free(values[0]);
    free(values[1]);
    return ratio;
}

// 99.9 % of the second differences in time.
static double jerk(const trial *t, double (*const *positions)[3])
{
    const uint64_t vertices = t->first[t->count];
    double *values = malloc(vertices * (FRAMES - 2) * sizeof *values);
    size_t n = 0;
    for (int frame = 1; frame + 1 < FRAMES; frame++)
        for (uint64_t k = 0; k < vertices; k++) {
            double change[3];
            vec_add(change, positions[frame - 1][k], positions[frame + 1][k]);
            vec_axpy(change, -2, positions[frame][k]);
            values[n++] = vec_length(change);
        }
    const double most = quantile(values, n, 0.999);
    free(values);
    return most;
}

static void assert_lengths(const trial *t)
{
    for (int frame = 0; frame < FRAMES; frame++)
        for (uint32_t k = 0; k < t->count; k++) {
            const double(*rest)[3] = (const double(*)[3])t->full->position + t->full->first_vertex[t->truth_of[k]] + 1;
            const double(*now)[3] = (const double(*)[3])t->made[frame] + t->first[k];
            for (uint32_t i = 0; i + 1 < VERTICES; i++) {
                const double length = apart(rest[i], rest[i + 1]);
                assert_close(apart(now[i], now[i + 1]), length, 1e-6 * length);
            }
        }
}

static void assert_outside(const trial *t)
{
    uint64_t inside = 0, all = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        const model_collider *head = &t->few->colliders[0];
        double center[3], axes[3][3], arm[3], own[3], normal[3];
        model_collider_pose(t->few, head, (FIRST_STEP + frame * STEPS_OF_FRAME) / 120.0, center, axes);
        for (uint64_t k = 0; k < t->first[t->count]; k++, all++) {
            vec_sub(arm, t->made[frame][k], center);
            for (int c = 0; c < 3; c++)
                own[c] = vec_dot(axes[c], arm);
            const double depth = -model_collider_gap(head, own, normal);
            inside += depth > 5e-4;
            assert_true(depth < 1e-3);
        }
    }
    assert_true((double)inside < 5e-4 * (double)all);
}

static void compare_with_truth(const char *preset)
{
    trial t = {0};
    open_trial(&t, preset);
    run_trial(&t);
    const double curl = median_curl(&t), seams[2] = {seam(&t, t.made), seam(&t, t.truth)};
    const double shaken = jerk(&t, t.made) / jerk(&t, t.truth);
    double off = 0;
    for (uint64_t k = 0; k < t.first[t.count]; k++)
        off += 1e3 * apart(t.made[FRAMES - 1][k], t.truth[FRAMES - 1][k]) / (double)t.first[t.count];
    print_message("%s: curl %.3f, seam %.3f (truth %.3f), jerk %.3f, off by %.2f mm in the mean\n", preset, curl,
                  seams[0], seams[1], shaken, off);
    assert_lengths(&t);
    assert_outside(&t);
    assert_true(curl > 0.9 && curl < 1.15);
    assert_true(seams[0] < 1.1 * fmax(seams[1], 1)); // pairs that differ need not be alike in the first place
    assert_true(shaken < 1.2);
    close_trial(&t);
}

static void straight_hair_is_like_all_simulated(void **unused)
{
    (void)unused;
    compare_with_truth("straight");
}

static void curls_are_like_all_simulated(void **unused)
{
    (void)unused;
    compare_with_truth("curly");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_hair_is_like_all_simulated),
        cmocka_unit_test(curls_are_like_all_simulated),
    };
    snprintf(hair_path, sizeof hair_path, "/tmp/sheaf-truth-%ld.hair", (long)getpid());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
