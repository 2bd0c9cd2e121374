// test_touch_solve: forces between strands by sweeps against those of a dense matrix of all contacts, by projected
// Gauss-Seidel to rounding, from states of a pile. labels: device (30 s)
#include "base/vec.h"
#include "cl/coupled.h"
#include "couple/contact_parts.h"
#include "der/device/coupled.h"
#include "der/device/device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

enum { ROPES = 7, VERTICES = 12, ALL = ROPES * VERTICES, MOST = 96 };

static const double radius = 3e-3;

static void must(sheaf_status status)
{
    if (status != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
}

// Free ropes that meet in the middle from both sides.
static sheaf_model *make_ropes(double friction)
{
    sheaf_scene_def def = sheaf_scene_def_default();
    sheaf_material_def rope = sheaf_material_def_default();
    sheaf_touch_def touch = sheaf_touch_def_default();
    const sheaf_touch_material first = {.friction = friction};
    sheaf_scene *scene;
    sheaf_model *model;
    def.step = 1. / 120;
    must(sheaf_scene_create(&def, &scene));
    rope.name = "rope";
    rope.density = 1000;
    rope.young = 1e6;
    rope.shear = 4e5;
    rope.radius[0] = rope.radius[1] = radius;
    must(sheaf_scene_add_material(scene, &rope, NULL));
    touch.materials = &first;
    touch.material_count = 1;
    touch.tolerance = 1e-7;
    touch.sweeps = 20000;
    must(sheaf_scene_set_touch(scene, &touch));
    for (int k = 0; k < ROPES; k++) {
        sheaf_strand_def strand = sheaf_strand_def_default();
        const double angle = 2.4 * k;
        strand.vertex_count = VERTICES;
        vec_set(strand.direction, cos(angle), sin(angle), 0);
        vec_set(strand.origin, -0.1 * cos(angle), -0.1 * sin(angle) + 1e-3 * k, 0.0065 * k);
        strand.root = k == 0 ? sheaf_end_pinned() : sheaf_end_free();
        strand.tip = k == 0 ? sheaf_end_pinned() : sheaf_end_free();
        must(sheaf_scene_add_strand(scene, &strand));
    }
    must(sheaf_model_create(scene, &model));
    sheaf_scene_free(scene);
    return model;
}

static double push[ALL][3], answer[ALL][3], start[ALL][3], moved[ALL][3], weights[ALL][ENGINE_WEIGHT_SIZE];
static contact_pair *live[MOST];
static double matrix[3 * MOST][3 * MOST], at_rest[3 * MOST], force[3 * MOST];

static void substitute(sheaf_engine *engine)
{
    must(engine_write_push(engine, (const double(*)[3])push));
    must(engine_couple(engine, ENGINE_VERB_SUBSTITUTE, 0));
    must(engine_read_answer(engine, answer));
}

// How far the two points of a contact part in the last answer.
static void part(const contact_pair *pair, double out[3])
{
    double other[3];
    contact_point(&pair->side[0], pair->place[0], (const double(*)[3])answer, out);
    contact_point(&pair->side[1], pair->place[1], (const double(*)[3])answer, other);
    vec_sub(out, out, other);
}

static void load_contact(const contact_pair *pair, const double f[3])
{
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 2; k++) {
            const double share = k == 0 ? 1 - pair->place[side] : pair->place[side];
            vec_axpy(push[pair->side[side].vertex[k]], side == 0 ? share : -share, f);
        }
}

// Columns of J A^-1 J^T by unit forces, and how points go without any.
static void fill_matrix(sheaf_engine *engine, uint32_t count)
{
    memset(push, 0, sizeof push);
    substitute(engine);
    for (uint32_t c = 0; c < count; c++)
        part(live[c], at_rest + 3 * c);
    for (uint32_t column = 0; column < 3 * count; column++) {
        const double unit[3] = {column % 3 == 0, column % 3 == 1, column % 3 == 2};
        memset(push, 0, sizeof push);
        load_contact(live[column / 3], unit);
        substitute(engine);
        for (uint32_t c = 0; c < count; c++) {
            double out[3];
            part(live[c], out);
            for (int k = 0; k < 3; k++)
                matrix[3 * c + (uint32_t)k][column] = out[k] - at_rest[3 * c + (uint32_t)k];
        }
    }
}

// One contact's force against all others; returns by how much it changed, N.
static double relax(uint32_t c, uint32_t count)
{
    const contact_pair *pair = live[c];
    double way[3], trial[3], across[3], scale = 0;
    for (int k = 0; k < 3; k++) {
        const uint32_t row = 3 * c + (uint32_t)k;
        way[k] = at_rest[row] + pair->slide[k] + pair->gap * pair->normal[k];
        for (uint32_t column = 0; column < 3 * count; column++)
            way[k] += matrix[row][column] * force[column];
        scale = fmax(scale, matrix[row][row]);
    }
    for (int k = 0; k < 3; k++)
        trial[k] = force[3 * c + (uint32_t)k] - 0.5 * way[k] / scale;
    const double normal = vec_dot(trial, pair->normal), pressed = fmax(normal, 0);
    vec_copy(across, trial);
    vec_axpy(across, -normal, pair->normal);
    const double length = vec_length(across), most = pair->friction * pressed;
    vec_scale(trial, pair->normal, pressed);
    vec_axpy(trial, length > most ? most / length : 1, across);
    double change[3];
    vec_sub(change, trial, force + 3 * c);
    memcpy(force + 3 * c, trial, sizeof trial);
    return vec_length(change);
}

// Displacements of this iteration by sweeps.
static void solve_by_sweeps(sheaf_engine *engine, contact_set *set)
{
    static contact_weight added[ALL];
    contact_prepare(set, added);
    for (int v = 0; v < ALL; v++) {
        weights[v][ENGINE_WEIGHT_OWN] = added[v].own;
        weights[v][ENGINE_WEIGHT_NEXT] = added[v].next;
    }
    must(engine_write_weights(engine, (const double(*)[ENGINE_WEIGHT_SIZE])weights));
    must(engine_couple(engine, ENGINE_VERB_LINEARISE, 0));
    bool is_first = true;
    while (contact_sweep(set, is_first ? NULL : (const double(*)[3])answer, push)) {
        substitute(engine);
        is_first = false;
    }
}

// Compares both at one state; returns the largest difference of displacements over two radii.
static double compare(sheaf_engine *engine, contact_set *set, uint32_t *contacts)
{
    static double swept[ALL][3];
    static const bool frozen[ROPES];
    uint32_t count = 0;
    must(engine_couple(engine, ENGINE_VERB_OPEN, 0));
    must(der_read(engine, start, NULL));
    must(engine_read_answer(engine, moved));
    must(contact_begin(set, (const double(*)[3])start, (const double(*)[3])moved, frozen));
    contact_look(set, (const double(*)[3])moved);
    solve_by_sweeps(engine, set);
    memcpy(swept, answer, sizeof swept);
    for (uint32_t k = 0; k < set->pair_count; k++)
        if (set->pairs[k].live && count < MOST)
            live[count++] = &set->pairs[k];
    memset(weights, 0, sizeof weights);
    must(engine_write_weights(engine, (const double(*)[ENGINE_WEIGHT_SIZE])weights));
    must(engine_couple(engine, ENGINE_VERB_LINEARISE, 0));
    fill_matrix(engine, count);
    memset(force, 0, sizeof force);
    double change = 1, largest = 0;
    for (int n = 0; n < 200000 && change > 1e-13; n++) {
        change = 0;
        for (uint32_t c = 0; c < count; c++)
            change = fmax(change, relax(c, count));
    }
    memset(push, 0, sizeof push);
    for (uint32_t c = 0; c < count; c++)
        load_contact(live[c], force + 3 * c);
    substitute(engine);
    for (int v = 0; v < ALL; v++) {
        double difference[3];
        vec_sub(difference, answer[v], swept[v]);
        largest = fmax(largest, vec_length(difference));
    }
    *contacts = count;
    return largest / (2 * radius);
}

static void sweeps_solve_the_dense_problem(void **state)
{
    (void)state;
    for (int rough = 0; rough < 2; rough++) {
        sheaf_model *model = make_ropes(rough ? 0.3 : 0);
        const engine_options options = {.lane_width = 8, .is_double = true, .is_coupled = true, .step = 1. / 120};
        sheaf_engine *engine;
        contact_set *set;
        der_coupled *coupled;
        must(der_open_engine(model, &options, &engine));
        must(contact_open(model, 1. / 120, &set));
        must(der_coupled_open(engine, set, &coupled));
        for (int n = 0; n < 3; n++) {
            uint32_t contacts;
            must(der_coupled_step(coupled, 4));
            const double difference = compare(engine, set, &contacts);
            printf("  friction %g: %u contacts, displacements differ by %.1e of two radii\n", rough ? 0.3 : 0.0,
                   contacts, difference);
            assert_true(contacts > 3);
            assert_true(difference < 1e-5);
        }
        der_coupled_close(coupled);
        contact_close(set);
        engine_close(engine);
        sheaf_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sweeps_solve_the_dense_problem)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
