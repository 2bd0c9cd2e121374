// test_shaken: hair, grass blades and steel coils treated roughly for ten seconds at large steps. None may freeze,
// edges must keep their lengths, and a pose at rest must not depend on the step.
// labels: device;slow
#include "base/vec.h"
#include "der/der.h"
#include "der/device/device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/der/slots.clh"
#include "kernels/world/slots.clh"
#include "unit.h"

static const double PI = 3.14159265358979323846;

// Tangents go around a cone while the curve runs through `wave`, or swing to and fro in a plane.
typedef struct kind {
    const char *name;
    double length, density, young, shear, radius[2];
    double cone; // rad
    double wave; // m of arc length per turn
    bool is_planar;
    double natural_twist; // rad/m
    double pull;          // N, of the comb at the tip
} kind;

static const kind kinds[] = {
    {"straight hair", 0.15, 1300, 3.9e9, 0.89e9, {45e-6, 35e-6}, 0, 1, false, 0, 1e-4},
    {"wavy hair", 0.15, 1300, 3.9e9, 0.89e9, {45e-6, 35e-6}, 0.6, 0.04, true, 0, 1e-4},
    {"curly hair", 0.15, 1300, 3.9e9, 0.89e9, {45e-6, 35e-6}, 0.7, 0.05, false, 8, 1e-4},
    {"grass blade", 0.6, 800, 3e8, 1.1e8, {1.5e-3, 0.2e-3}, 0.5, 1.5, false, 2, 0.05},
    {"steel coil", 0.3, 7850, 2e11, 8e10, {1e-3, 1e-3}, 1.3, 0.3, false, 0, 10},
};

enum { COIL = 4, KINDS = 5, VERTICES_MOST = 128, MEMBERS_MOST = 32 };

typedef enum treatment { SHAKEN, SPUN, COMBED, TREATMENTS, LEFT_ALONE = TREATMENTS } treatment;
static const char *const treatment_names[] = {"shaken", "spun", "combed", "left alone"};

// One strand of a population.
typedef struct member {
    uint32_t kind, vertex_count;
    treatment treatment;
    bool is_straightened; // starts straight, whatever is natural to it
} member;

// ---- the scene

static void natural_tangent(const kind *k, double s, double out[3])
{
    const double phase = 2 * PI * s / k->wave;
    if (k->is_planar)
        vec_set(out, cos(k->cone * cos(phase)), sin(k->cone * cos(phase)), 0);
    else
        vec_set(out, cos(k->cone), sin(k->cone) * cos(phase), sin(k->cone) * sin(phase));
}

// A polyline that goes sideways and down.
static void lay_out(const kind *k, uint32_t vertex_count, bool is_straight, double (*points)[3])
{
    static const double axis[3] = {0.8, 0, -0.6}, across[3] = {0, 1, 0}, third[3] = {0.6, 0, 0.8};
    const double l = k->length / (vertex_count - 1);
    vec_set(points[0], 0.05, 0, 0);
    for (uint32_t j = 0; j + 1 < vertex_count; j++) {
        double t[3] = {1, 0, 0};
        if (!is_straight)
            natural_tangent(k, (j + 0.5) * l, t);
        vec_copy(points[j + 1], points[j]);
        vec_axpy(points[j + 1], l * t[0], axis);
        vec_axpy(points[j + 1], l * t[1], across);
        vec_axpy(points[j + 1], l * t[2], third);
    }
}

// `slowing`: drag per mass, 1/s.
static void add_material(sheaf_scene *scene, const kind *k, double slowing)
{
    sheaf_material_def material = sheaf_material_def_default();
    material.name = k->name;
    material.density = k->density;
    material.young = k->young;
    material.shear = k->shear;
    material.radius[0] = k->radius[0];
    material.radius[1] = k->radius[1];
    material.drag = slowing * k->density * PI * k->radius[0] * k->radius[1];
    assert_int_equal(sheaf_scene_add_material(scene, &material, NULL), SHEAF_OK);
}

static void add_motions(sheaf_scene *scene)
{
    sheaf_motion_def shake = sheaf_motion_def_default(), spin = sheaf_motion_def_default();
    shake.name = "shake";
    shake.move[0] = (sheaf_course){.kind = SHEAF_COURSE_SINE, .value = 0.05, .duration = 0.4};
    shake.move[2] = (sheaf_course){.kind = SHEAF_COURSE_SINE, .value = 0.02, .duration = 0.31};
    spin.name = "spin";
    vec_set(spin.axis, 0, 0, 1);
    spin.turn = (sheaf_course){.kind = SHEAF_COURSE_RAMP, .value = 100, .duration = 10};
    assert_int_equal(sheaf_scene_add_motion(scene, &shake, NULL), SHEAF_OK);
    assert_int_equal(sheaf_scene_add_motion(scene, &spin, NULL), SHEAF_OK);
}

// A comb that takes the tip along and lets it go, every two seconds.
enum { STROKES = 5, STROKE_KEYS = 4, COMB_KEYS = STROKES * STROKE_KEYS };

static sheaf_course comb(double pull, double keys[COMB_KEYS][2])
{
    static const double when[STROKE_KEYS] = {0.1, 1, 1.05, 2}, share[STROKE_KEYS] = {0, 1, 0, 0};
    for (int k = 0; k < COMB_KEYS; k++) {
        keys[k][0] = 2 * (k / STROKE_KEYS) + when[k % STROKE_KEYS];
        keys[k][1] = share[k % STROKE_KEYS] * pull;
    }
    return (sheaf_course){.kind = SHEAF_COURSE_KEYS, .keys = keys[0], .key_count = COMB_KEYS};
}

static void add_strand(sheaf_scene *scene, const member *m)
{
    const kind *k = &kinds[m->kind];
    double points[VERTICES_MOST][3], natural[VERTICES_MOST][3], keys[2][COMB_KEYS][2];
    sheaf_strand_def strand = sheaf_strand_def_default();
    lay_out(k, m->vertex_count, m->is_straightened, points);
    lay_out(k, m->vertex_count, false, natural);
    strand.shape = SHEAF_SHAPE_POINTS;
    strand.vertex_count = m->vertex_count;
    strand.points = points[0];
    strand.natural = SHEAF_NATURAL_POINTS;
    strand.natural_points = natural[0];
    strand.natural_twist = k->natural_twist;
    strand.material = m->kind;
    strand.root = sheaf_end_clamped();
    strand.root.motion = m->treatment < COMBED ? (int32_t)m->treatment : -1;
    if (m->treatment == COMBED) {
        strand.tip.force[0] = comb(k->pull, keys[0]);
        strand.tip.force[2] = comb(-k->pull, keys[1]);
    }
    if (sheaf_scene_add_strand(scene, &strand) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
}

static sheaf_model *make_model(const member *members, uint32_t count, double slowing)
{
    sheaf_scene_def def = sheaf_scene_def_default();
    sheaf_scene *scene;
    sheaf_model *model;
    assert_int_equal(sheaf_scene_create(&def, &scene), SHEAF_OK);
    add_motions(scene);
    for (int k = 0; k < KINDS; k++)
        add_material(scene, &kinds[k], slowing);
    for (uint32_t s = 0; s < count; s++)
        add_strand(scene, &members[s]);
    assert_int_equal(sheaf_model_create(scene, &model), SHEAF_OK);
    sheaf_scene_free(scene);
    return model;
}

// ---- watching a run

typedef struct watch {
    sheaf_model *model;
    sheaf_engine *engine;
    double (*positions)[3];
    double strain[MEMBERS_MOST]; // worst so far
    double travel[MEMBERS_MOST]; // m, farthest that the tip was from its start
} watch;

// In the precision that a run of `precision: auto` takes.
static watch open_watch(sheaf_model *model, uint32_t rate)
{
    engine_options options = {.step = 1.0 / rate};
    watch w = {.model = model, .positions = malloc(model->vertex_count * sizeof(double[3]))};
    device_info info;
    assert_int_equal(device_find(options.device, &info), SHEAF_OK);
    options.is_double = der_needs_double(model, options.step, &info);
    options.lane_width = options.is_double ? 4 : 8;
    if (der_open_engine(model, &options, &w.engine) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    return w;
}

static void close_watch(watch *w)
{
    engine_close(w->engine);
    sheaf_model_free(w->model);
    free(w->positions);
}

static void look_at(watch *w, uint32_t strand)
{
    const uint64_t tip = w->model->first_vertex[strand + 1] - 1;
    double gap[3];
    for (uint64_t j = w->model->first_vertex[strand]; j < tip; j++) {
        vec_sub(gap, w->positions[j + 1], w->positions[j]);
        const double strain = fabs(vec_length(gap) / w->model->rest_length[j] - 1);
        w->strain[strand] = strain <= w->strain[strand] ? w->strain[strand] : strain;
    }
    vec_sub(gap, w->positions[tip], w->model->position[tip]);
    w->travel[strand] = fmax(w->travel[strand], vec_length(gap));
}

static void look(watch *w)
{
    assert_int_equal(der_read(w->engine, w->positions, NULL), SHEAF_OK);
    for (uint32_t s = 0; s < w->model->strand_count; s++)
        look_at(w, s);
}

static void print_record(const watch *w, const member *m, uint32_t strand, const void *records)
{
    const bundle_set *bundles = engine_bundles(w->engine);
    const double steps = (double)engine_steps(w->engine);
    printf("1/%-3.0f s  %s  %-13s  %3u  %-6s  %-12s  newton %4.2f  projections %5.2f  strain %.1e  travel %.2f m\n",
           1 / engine_options_of(w->engine)->step, engine_options_of(w->engine)->is_double ? "double" : "single",
           kinds[m->kind].name, m->vertex_count, treatment_names[m->treatment],
           m->is_straightened ? "straightened" : "at rest",
           bundles_get(bundles, DER_record, records, strand, 0, RECORD_NEWTON_SUM) / steps,
           bundles_get(bundles, DER_record, records, strand, 0, RECORD_PROJECT_SUM) / steps, w->strain[strand],
           w->travel[strand]);
}

static void expect(watch *w, const member *members)
{
    void *records = malloc(bundles_bytes(engine_bundles(w->engine), DER_record));
    engine_freeze freezes[MEMBERS_MOST];
    uint32_t frozen;
    assert_int_equal(engine_read_array(w->engine, DER_record, records), SHEAF_OK);
    for (uint32_t s = 0; s < w->model->strand_count; s++)
        print_record(w, &members[s], s, records);
    free(records);
    assert_int_equal(der_freezes(w->engine, freezes, &frozen), SHEAF_OK);
    assert_int_equal(frozen, 0);
    for (uint32_t s = 0; s < w->model->strand_count; s++)
        assert_true(w->strain[s] <= 1e-4);
}

// ---- ten seconds of rough treatment

static void treat(uint32_t first_kind, uint32_t end_kind, uint32_t vertex_count, uint32_t rate)
{
    member members[MEMBERS_MOST];
    uint32_t count = 0;
    for (uint32_t k = first_kind; k < end_kind; k++)
        for (treatment t = 0; t < TREATMENTS; t++)
            for (int straight = 0; straight < 2; straight++)
                members[count++] = (member){k, vertex_count, t, straight};
    watch w = open_watch(make_model(members, count, 0), rate);
    assert_int_equal(engine_step(w.engine, rate / 5), SHEAF_OK);
    while (engine_steps(w.engine) < 10 * rate) {
        assert_int_equal(engine_step(w.engine, rate > 120 ? rate / 120 : 1), SHEAF_OK);
        look(&w);
    }
    expect(&w, members);
    for (uint32_t s = 0; s < count; s++)
        assert_true(w.travel[s] >= 0.03 * kinds[members[s].kind].length);
    close_watch(&w);
}

static void treat_all(uint32_t vertex_count, uint32_t rate)
{
    treat(0, COIL, vertex_count, rate);
    treat(COIL, KINDS, vertex_count, rate);
}

static void strands_of_32_vertices(void **state)
{
    (void)state;
    for (uint32_t rate = 60; rate <= 240; rate *= 2)
        treat_all(32, rate);
}

static void strands_of_64_vertices(void **state)
{
    (void)state;
    for (uint32_t rate = 60; rate <= 240; rate *= 2)
        treat_all(64, rate);
}

static void strands_of_128_vertices(void **state)
{
    (void)state;
    for (uint32_t rate = 240; rate <= 480; rate *= 2)
        treat_all(128, rate);
}

// ---- at rest

enum { SETTLED_VERTICES = 32 };

typedef struct pose {
    double at[MEMBERS_MOST * SETTLED_VERTICES][3];
} pose;

static void settle(uint32_t rate, const member *members, uint32_t count, pose *found)
{
    watch w = open_watch(make_model(members, count, 20), rate);
    assert_int_equal(engine_step(w.engine, 10 * rate), SHEAF_OK);
    look(&w);
    expect(&w, members);
    memcpy(found->at, w.positions, w.model->vertex_count * sizeof *w.positions);
    close_watch(&w);
}

static double distance(const pose *a, const pose *b, uint32_t strand)
{
    double most = 0;
    for (uint32_t i = 0; i < SETTLED_VERTICES; i++) {
        double gap[3];
        vec_sub(gap, a->at[strand * SETTLED_VERTICES + i], b->at[strand * SETTLED_VERTICES + i]);
        most = fmax(most, vec_length(gap));
    }
    return most;
}

static void poses_at_rest_do_not_depend_on_the_step(void **state)
{
    static const uint32_t rates[] = {60, 120, 960};
    static pose poses[3];
    member members[MEMBERS_MOST];
    uint32_t count = 0;
    (void)state;
    for (uint32_t k = 0; k < COIL; k++)
        for (int straight = 0; straight < 2; straight++)
            members[count++] = (member){k, SETTLED_VERTICES, LEFT_ALONE, straight};
    for (int r = 0; r < 3; r++)
        settle(rates[r], members, count, &poses[r]);
    for (uint32_t s = 0; s < count; s++) {
        const double length = kinds[members[s].kind].length;
        const double from_60 = distance(&poses[0], &poses[2], s) / length;
        const double from_120 = distance(&poses[1], &poses[2], s) / length;
        printf("%s, from 1/960 s to 1/120 s: pose shifts by %.1e L, to 1/60 s: %.1e L\n", kinds[members[s].kind].name,
               from_120, from_60);
        assert_true(from_60 <= 1e-3 && from_120 <= 1e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strands_of_32_vertices),
        cmocka_unit_test(strands_of_64_vertices),
        cmocka_unit_test(strands_of_128_vertices),
        cmocka_unit_test(poses_at_rest_do_not_depend_on_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
