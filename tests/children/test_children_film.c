// test_children_film: over the frames of a run, children stay out of head and shoulders: fewer than 0.05 % of their
// vertices are deeper than 0.5 mm in them, none deeper than 1 mm. The first tier has a part of the portrait's hair, the
// second all of all heads that `sheaf new` writes.
// labels: device;tiers (20 s, all 300 s)
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/vec.h"
#include "children/children.h"
#include "scene/edit.h"
#include "scene/scene.h"
#include "unit.h"
#include "world/world.h"

enum { BLOCK = 1024 };

typedef struct film {
    sheaf_scene *scene;
    sheaf_model *model;
    sheaf_solver *solver;
    children_plan *plan;
    double (*guides)[3];
    uint64_t first[BLOCK + 1];
    double (*positions)[3]; // of a block
    uint64_t inside, all;
    double deepest;
} film;

static void check(sheaf_status status)
{
    if (status != SHEAF_OK)
        fail_msg("%s: %s", sheaf_status_name(status), sheaf_last_error());
}

// The scene of the folder, whole or with fewer strands.
static void open_scene(film *f, const char *path, bool whole)
{
    static const scene_edit fewer[] = {{"/strands/0/groom", "count", "150"}, {"/strands/0/children", "count", "12"}};
    base_text text = {0};
    check(scene_edit_file(path, fewer, whole ? 0 : 2, &text));
    check(sheaf_scene_parse(text.bytes, text.length, path, &f->scene));
    base_text_free(&text);
    check(sheaf_model_create(f->scene, &f->model));
}

static void open_film(film *f, const char *path, bool whole)
{
    const sheaf_solver_def def = sheaf_solver_def_default();
    open_scene(f, path, whole);
    const children_def children = {.model = f->model,
                                   .strand_count = f->model->strand_count,
                                   .first_vertex = f->model->first_vertex,
                                   .count = CHILDREN_AS_SCENE};
    check(sheaf_solver_open(f->model, &def, &f->solver));
    check(children_open(&children, &f->plan));
    f->guides = base_alloc(f->model->vertex_count, sizeof *f->guides);
    const uint64_t each = children_vertices(f->plan) / children_count(f->plan) + 1;
    f->positions = base_alloc(2 * each * BLOCK, sizeof *f->positions);
    assert_true(f->guides != NULL && f->positions != NULL);
}

static void close_film(film *f)
{
    children_close(f->plan);
    sheaf_solver_close(f->solver);
    sheaf_model_free(f->model);
    sheaf_scene_free(f->scene);
    base_free(f->guides);
    base_free(f->positions);
}

static double depth_in(const sheaf_model *model, const double center[3], double axes[3][3], const double point[3])
{
    double own[3], arm[3], normal[3];
    vec_sub(arm, point, center);
    for (int c = 0; c < 3; c++)
        own[c] = vec_dot(axes[c], arm);
    return -model_collider_gap(&model->colliders[0], own, normal);
}

// Vertices that are held, the first two of each, stay where they are.
static void count_block(film *f, uint32_t count, double time)
{
    double center[3], axes[3][3];
    model_collider_pose(f->model, &f->model->colliders[0], time, center, axes);
    for (uint32_t k = 0; k < count; k++)
        for (uint64_t v = f->first[k] + 2; v < f->first[k + 1]; v++, f->all++) {
            const double depth = depth_in(f->model, center, axes, f->positions[v]);
            f->inside += depth > 5e-4;
            f->deepest = fmax(f->deepest, depth);
        }
}

static void count_frame(film *f, double time)
{
    const uint64_t all = children_count(f->plan);
    const children_guides guides = {.positions = (const double(*)[3])f->guides, .time = time};
    check(sheaf_solver_read_positions(f->solver, f->guides, f->model->vertex_count));
    check(children_pose(f->plan, &guides));
    for (uint64_t first = 0; first < all; first += BLOCK) {
        const uint32_t count = all - first < BLOCK ? (uint32_t)(all - first) : BLOCK;
        children_layout(f->plan, first, count, f->first, NULL);
        check(children_lay(f->plan, first, count, f->first, f->positions, 0));
        count_block(f, count, time);
    }
}

// 2 s, 15 frames a second.
static void film_scene(const char *path, bool whole)
{
    film f = {.deepest = -INFINITY};
    open_film(&f, path, whole);
    const double step = f.model->def.step;
    const uint32_t steps_a_frame = (uint32_t)lround(1 / (15 * step));
    for (uint32_t frame = 0; frame <= 30; frame++) {
        if (frame > 0)
            check(sheaf_solver_step(f.solver, steps_a_frame));
        count_frame(&f, frame * steps_a_frame * step);
    }
    printf("%s: %llu of %llu vertices deeper than 0.5 mm, deepest %.3f mm\n", path, (unsigned long long)f.inside,
           (unsigned long long)f.all, 1e3 * f.deepest);
    assert_true(f.all > 1000000 / 2);
    assert_true((double)f.inside < 5e-4 * (double)f.all);
    assert_true(f.deepest <= 1e-3);
    close_film(&f);
}

static void children_stay_out_of_the_bust(void **state)
{
    static const char *const paths[] = {"scenes/portrait.yaml", "scenes/curly.yaml", "scenes/straight.yaml",
                                        "scenes/wavy.yaml",     "scenes/coily.yaml", "scenes/hair.yaml"};
    const bool all = getenv("SHEAF_TEST_ALL") != NULL;
    (void)state;
    for (size_t k = 0; k < (all ? sizeof paths / sizeof paths[0] : 1); k++)
        film_scene(paths[k], all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(children_stay_out_of_the_bust)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
