// test_same_bits: a strand's motion does not depend, in any bit, on the form of the kernels, on how the work is shared
// out, on the strands beside it and on what happens to them. Run as `test_same_bits hash` it prints one hash for every
// way to share out the work, for test_same_bits_threads.sh. labels: device (50 s)
#include "base/base.h"
#include "cl/stages.h"
#include "der/device/device.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crowd.h"
#include "unit.h"

enum { STRANDS = 101, STEPS = 21, SHAPES = 11, SCENES = 3 };

static const crowd scenes[SCENES] = {
    {.strand_count = STRANDS, .vertex_count = 16, .is_ragged = true, .step = 1. / 120},
    {.strand_count = STRANDS, .vertex_count = 16, .is_ragged = true, .is_mixed = true, .step = 1. / 240},
    {.strand_count = STRANDS,
     .vertex_count = 16,
     .is_ragged = true,
     .integrator = SHEAF_INTEGRATOR_EXPLICIT,
     .step = 2e-5},
};

static sheaf_engine *open_engine(const sheaf_model *model, engine_options options)
{
    sheaf_engine *engine;
    options.step = model->def.step;
    if (der_open_engine(model, &options, &engine) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    return engine;
}

// ---- motion of a population, by its members

typedef struct motion {
    double (*positions[STRANDS])[3];  // [member][vertex]; NULL: not among them
    double (*velocities[STRANDS])[3]; //
    uint32_t vertex_count[STRANDS];
    double (*memory)[3];
} motion;

static void read_motion(sheaf_engine *engine, const crowd *c, motion *it)
{
    const sheaf_model *model = engine_model(engine);
    *it = (motion){.memory = malloc(2 * model->vertex_count * sizeof *it->memory)};
    assert_non_null(it->memory);
    assert_int_equal(der_read(engine, it->memory, it->memory + model->vertex_count), SHEAF_OK);
    for (uint32_t s = 0; s < model->strand_count; s++) {
        const uint32_t member = c->members ? c->members[s] : s;
        it->positions[member] = it->memory + model->first_vertex[s];
        it->velocities[member] = it->positions[member] + model->vertex_count;
        it->vertex_count[member] = model_vertex_count(model, s);
    }
}

static uint64_t hash_motion(const motion *it)
{
    uint64_t hash = 0;
    for (uint32_t s = 0; s < STRANDS; s++) {
        const size_t size = it->vertex_count[s] * sizeof *it->memory;
        hash = base_hash(it->positions[s], size, hash);
        hash = base_hash(it->velocities[s], size, hash);
    }
    return hash;
}

static bool member_moves_alike(const motion *a, const motion *b, uint32_t member)
{
    const size_t size = a->vertex_count[member] * sizeof *a->memory;
    return a->vertex_count[member] == b->vertex_count[member] &&
           memcmp(a->positions[member], b->positions[member], size) == 0 &&
           memcmp(a->velocities[member], b->velocities[member], size) == 0;
}

// A whole population in the usual form, for others to be compared with and to share its programs.
static sheaf_engine *step_all(const sheaf_model *model, const crowd *c, motion *out)
{
    sheaf_engine *engine = open_engine(model, (engine_options){.lane_width = 8});
    assert_int_equal(engine_step(engine, STEPS), SHEAF_OK);
    read_motion(engine, c, out);
    return engine;
}

static void run(const crowd *c, engine_options options, motion *out)
{
    sheaf_model *model = crowd_model(c);
    sheaf_engine *engine = open_engine(model, options);
    assert_int_equal(engine_step(engine, STEPS), SHEAF_OK);
    read_motion(engine, c, out);
    engine_close(engine);
    sheaf_model_free(model);
}

// ---- launches

static const engine_options shapes[SHAPES] = {
    {.work_items = 1},  {.work_items = 2},
    {.work_items = 3},  {.work_items = 4, .steps_per_launch = 1},
    {.work_items = 5},  {.work_items = 7, .steps_per_launch = 2},
    {.work_items = 8},  {.work_items = 9, .steps_per_launch = 5},
    {.work_items = 12}, {.work_items = 16, .steps_per_launch = 16},
    {.work_items = 64},
};

// Every third member after the other, from the last one on.
static void shuffle(uint32_t members[STRANDS])
{
    uint32_t count = 0;
    for (uint32_t first = 0; first < 3; first++)
        for (uint32_t s = first; s < STRANDS; s += 3)
            members[count++] = STRANDS - 1 - s;
}

// One line per scene, order and shape: its name and the hash.
static void print_hashes(void)
{
    uint32_t shuffled[STRANDS];
    shuffle(shuffled);
    for (int scene = 0; scene < SCENES; scene++)
        for (int order = 0; order < 2; order++) {
            crowd c = scenes[scene];
            c.members = order ? shuffled : NULL;
            sheaf_model *model = crowd_model(&c);
            sheaf_engine *kin = open_engine(model, (engine_options){.lane_width = 8});
            for (int shape = 0; shape < SHAPES; shape++) {
                engine_options options = shapes[shape];
                motion moved;
                options.lane_width = 8;
                options.kin = kin;
                run(&c, options, &moved);
                printf("hash: scene %d %" PRIx64 "\n", scene, hash_motion(&moved));
                free(moved.memory);
            }
            engine_close(kin);
            sheaf_model_free(model);
        }
}

// Scalars: work-groups of several sizes share out the strands of a bundle.
static void group_sizes_change_no_bits(void **state)
{
    static const uint32_t sizes[] = {1, 5, 64};
    const crowd even = {.strand_count = STRANDS, .vertex_count = 12, .step = 1. / 120};
    motion first, other;
    (void)state;
    run(&even, (engine_options){.lane_width = 8}, &first);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        run(&even, (engine_options){.lane_width = 1, .group_size = sizes[k]}, &other);
        for (uint32_t s = 0; s < STRANDS; s++)
            assert_true(member_moves_alike(&first, &other, s));
        free(other.memory);
    }
    free(first.memory);
}

// ---- forms

// The scene with ends of all kinds in every form. The rest, staged scalars among it, is compared by `sheaf verify`.
static void forms_change_no_bits(void **state)
{
    static const engine_options forms[] = {{.lane_width = 1},
                                           {.lane_width = 4, .work_items = 3},
                                           {.lane_width = 16, .steps_per_launch = 3},
                                           {.lane_width = 8, .is_staged = true}};
    static const size_t form_counts[SCENES] = {0, 4, 1};
    (void)state;
    for (int scene = 1; scene < SCENES; scene++) {
        motion first, other;
        run(&scenes[scene], (engine_options){.lane_width = 8}, &first);
        for (size_t k = 0; k < form_counts[scene]; k++) {
            run(&scenes[scene], forms[k], &other);
            for (uint32_t s = 0; s < STRANDS; s++)
                assert_true(member_moves_alike(&first, &other, s));
            free(other.memory);
        }
        free(first.memory);
    }
}

// ---- company

// `count` members from `first` on, and the same ones among all: their motion is the same.
static void check_company(const crowd *all, const sheaf_engine *kin, const motion *among_all, uint32_t first,
                          uint32_t count)
{
    uint32_t members[STRANDS];
    crowd few = *all;
    motion moved;
    for (uint32_t k = 0; k < count; k++)
        members[k] = (first + k) % STRANDS;
    few.strand_count = count;
    few.members = members;
    run(&few, (engine_options){.lane_width = 8, .kin = kin}, &moved);
    for (uint32_t k = 0; k < count; k++)
        assert_true(member_moves_alike(among_all, &moved, members[k]));
    free(moved.memory);
}

// Alone a strand has a bundle of its length; among all it may be padded.
static void company_changes_no_bits(void **state)
{
    (void)state;
    for (int scene = 0; scene < SCENES; scene++) {
        const crowd *c = &scenes[scene];
        motion moved;
        sheaf_model *model = crowd_model(c);
        sheaf_engine *all = step_all(model, c, &moved);
        for (uint32_t s = 0; s < 15; s++)
            check_company(c, all, &moved, 7 * s % STRANDS, 1);
        for (uint32_t s = 0; s < STRANDS; s += 21)
            check_company(c, all, &moved, s, 7);
        check_company(c, all, &moved, 3, 64);
        check_company(c, all, &moved, 90, 64);
        free(moved.memory);
        engine_close(all);
        sheaf_model_free(model);
    }
}

// ---- poison

enum { POISONED = 37, POISON_STEP = 5 };

typedef struct poison {
    der_field array;
    uint32_t vertex, component;
    float value;
    const char *quantity; // that the incident must name
} poison;

static const poison poisons[] = {
    {DER_edge, 4, 1, NAN, "position"},     {DER_edge, 6, 0, INFINITY, "position"},
    {DER_velocity, 5, 2, NAN, "velocity"}, {DER_velocity, 7, 0, 1e12F, "velocity"},
    {DER_twist, 3, 0, NAN, "twist"},       {DER_twist, 3, 0, 1e9F, "twist"},
    {DER_director, 5, 0, NAN, "twist"},
};

static void poke(sheaf_engine *engine, const poison *p)
{
    const bundle_set *set = engine_bundles(engine);
    void *memory = malloc(bundles_bytes(set, p->array));
    assert_non_null(memory);
    assert_int_equal(engine_read_array(engine, p->array, memory), SHEAF_OK);
    bundles_set(set, p->array, memory, POISONED, p->vertex, p->component, (double)p->value);
    assert_int_equal(engine_write_array(engine, p->array, memory), SHEAF_OK);
    free(memory);
}

// The incident names strand, vertex, step and quantity, not later than 16 steps after the number went bad.
static void check_incident(sheaf_engine *engine, const poison *p)
{
    engine_freeze freezes[STRANDS];
    uint32_t count;
    assert_int_equal(der_freezes(engine, freezes, &count), SHEAF_OK);
    assert_int_equal(count, 1);
    printf("  %s of vertex %u of strand %u is %g in step %" PRIu64 "\n", freezes[0].quantity, freezes[0].vertex,
           freezes[0].strand, freezes[0].value, freezes[0].step);
    assert_int_equal(freezes[0].strand, POISONED);
    assert_int_equal(freezes[0].vertex, p->vertex);
    assert_string_equal(freezes[0].quantity, p->quantity);
    assert_true(freezes[0].step > POISON_STEP && freezes[0].step <= POISON_STEP + 16);
    assert_true(isfinite((double)p->value) == isfinite(freezes[0].value));
    if (isfinite((double)p->value))
        assert_close(freezes[0].value, (double)p->value, 1e-6 * (double)p->value);
}

static void check_poison(const sheaf_model *model, const sheaf_engine *kin, const poison *p, const crowd *c,
                         const motion *healthy)
{
    sheaf_engine *engine = open_engine(model, (engine_options){.lane_width = 8, .kin = kin});
    motion moved;
    assert_int_equal(engine_step(engine, POISON_STEP), SHEAF_OK);
    poke(engine, p);
    assert_int_equal(engine_step(engine, STEPS - POISON_STEP), SHEAF_OK);
    check_incident(engine, p);
    read_motion(engine, c, &moved);
    for (uint32_t s = 0; s < STRANDS; s++)
        assert_true(s == POISONED || member_moves_alike(healthy, &moved, s));
    free(moved.memory);
    engine_close(engine);
}

static void a_poisoned_strand_is_named_and_harms_no_other(void **state)
{
    (void)state;
    for (int scene = 0; scene < SCENES; scene++) {
        sheaf_model *model = crowd_model(&scenes[scene]);
        motion moved;
        sheaf_engine *healthy = step_all(model, &scenes[scene], &moved);
        for (size_t k = 0; k < sizeof poisons / sizeof poisons[0]; k++)
            check_poison(model, healthy, &poisons[k], &scenes[scene], &moved);
        free(moved.memory);
        engine_close(healthy);
        sheaf_model_free(model);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(group_sizes_change_no_bits),
        cmocka_unit_test(forms_change_no_bits),
        cmocka_unit_test(company_changes_no_bits),
        cmocka_unit_test(a_poisoned_strand_is_named_and_harms_no_other),
    };
    if (argc > 1 && strcmp(argv[1], "hash") == 0) {
        print_hashes();
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
