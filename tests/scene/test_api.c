// test_api: building scenes by the public header: defaults, copies, and every value that must be refused.
#include "scene/limits.h"

#include <math.h>
#include <string.h>

#include "populations.h"

#include "unit.h"
#include "world/world.h"

static sheaf_scene *make_scene(void)
{
    const sheaf_scene_def def = sheaf_scene_def_default();
    const sheaf_material_def material = sheaf_material_def_default();
    sheaf_scene *scene;
    assert_int_equal(sheaf_scene_create(&def, &scene), SHEAF_OK);
    assert_int_equal(sheaf_scene_add_material(scene, &material, NULL), SHEAF_OK);
    return scene;
}

static void assert_error_has(const char *part)
{
    if (strstr(sheaf_last_error(), part) == NULL)
        fail_msg("'%s' is not in: %s", part, sheaf_last_error());
}

// ---- courses

static void courses_follow_their_kind(void **fixture)
{
    (void)fixture;
    const double keys[][2] = {{1, 10}, {2, 20}, {4, 0}};
    const sheaf_course constant = {.value = 3};
    const sheaf_course ramp = {.kind = SHEAF_COURSE_RAMP, .value = 8, .start = 1, .duration = 4};
    const sheaf_course jump = {.kind = SHEAF_COURSE_RAMP, .value = 8, .start = 1};
    const sheaf_course sine = {.kind = SHEAF_COURSE_SINE, .value = 2, .start = 0.5, .duration = 4};
    const sheaf_course lines = {.kind = SHEAF_COURSE_KEYS, .keys = &keys[0][0], .key_count = 3};
    assert_close(scene_course(&constant, 7), 3, 0);
    assert_close(scene_course(&ramp, 0.5), 0, 0);
    assert_close(scene_course(&ramp, 2), 2, 1e-15);
    assert_close(scene_course(&ramp, 9), 8, 0);
    assert_close(scene_course(&jump, 0.999), 0, 0);
    assert_close(scene_course(&jump, 1), 8, 0);
    assert_close(scene_course(&sine, 1.5), 2, 1e-15);
    assert_close(scene_course(&lines, 0), 10, 0);
    assert_close(scene_course(&lines, 1.25), 12.5, 1e-15);
    assert_close(scene_course(&lines, 3), 10, 1e-15);
    assert_close(scene_course(&lines, 5), 0, 0);
}

static void course_rates_are_derivatives(void **fixture)
{
    (void)fixture;
    const double keys[][2] = {{0, 1}, {2, -4}, {3, 6}};
    const sheaf_course courses[] = {
        {.value = 3},
        {.kind = SHEAF_COURSE_RAMP, .value = 8, .start = 1, .duration = 4},
        {.kind = SHEAF_COURSE_RAMP, .smooth = true, .value = -5, .start = 0.3, .duration = 2},
        {.kind = SHEAF_COURSE_SINE, .value = 2, .start = 0.5, .duration = 3},
        {.kind = SHEAF_COURSE_KEYS, .keys = &keys[0][0], .key_count = 3},
    };
    for (size_t k = 0; k < sizeof courses / sizeof *courses; k++)
        for (double t = -0.55; t < 6; t += 0.1) { // steps around the kinks of all courses
            const double d = 1e-6,
                         rate = (scene_course(&courses[k], t + d) - scene_course(&courses[k], t - d)) / (2 * d);
            assert_close(scene_course_rate(&courses[k], t), rate, 1e-8);
        }
}

// ---- copies

static void definitions_are_copied(void **fixture)
{
    (void)fixture;
    double points[][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}, keys[][2] = {{0, 1}, {1, 2}};
    char name[] = "head";
    const sheaf_course course = {.kind = SHEAF_COURSE_KEYS, .keys = &keys[0][0], .key_count = 2};
    sheaf_hold_def hold = {.edge = 1, .twist = course};
    sheaf_motion_def motion = sheaf_motion_def_default();
    sheaf_strand_def strand = sheaf_strand_def_default();
    sheaf_scene *scene = make_scene();
    uint32_t index = 99;
    motion.name = name;
    motion.turn = motion.move[2] = course;
    assert_int_equal(sheaf_scene_add_motion(scene, &motion, &index), SHEAF_OK);
    assert_int_equal(index, 0);
    strand.shape = SHEAF_SHAPE_POINTS;
    strand.natural = SHEAF_NATURAL_POINTS;
    strand.points = strand.natural_points = &points[0][0];
    strand.vertex_count = 4;
    strand.holds = &hold;
    strand.hold_count = 1;
    strand.root.motion = 0;
    strand.tip.force[2] = strand.tip.couple[0] = strand.root.twist = course;
    assert_int_equal(sheaf_scene_add_strand(scene, &strand), SHEAF_OK);

    memset(points, 0xff, sizeof points);
    memset(keys, 0xff, sizeof keys);
    memset(name, 0xff, sizeof name);
    memset(&hold, 0xff, sizeof hold);
    const sheaf_strand_def *kept = &scene->groups[0].strand;
    assert_string_equal(scene->motions[0].name, "head");
    assert_close(scene_course(&scene->motions[0].move[2], 0.5), 1.5, 0);
    assert_close(scene_course(&kept->tip.force[2], 1), 2, 0);
    assert_close(scene_course(&kept->tip.couple[0], 0), 1, 0);
    assert_close(scene_course(&kept->root.twist, 0), 1, 0);
    assert_close(scene_course(&kept->holds[0].twist, 0.5), 1.5, 0);
    assert_close(kept->points[9], 3, 0);
    assert_close(kept->natural_points[3], 1, 0);
    sheaf_scene_free(scene);
}

static void many_strands_are_counted(void **fixture)
{
    (void)fixture;
    sheaf_scene *scene = make_scene();
    const sheaf_strand_def strand = sheaf_strand_def_default();
    scene_group group = {.strand = strand, .grown = population_grow(population_def(50, 8))};
    for (int k = 0; k < 100; k++)
        assert_int_equal(sheaf_scene_add_strand(scene, &strand), SHEAF_OK);
    assert_int_equal(scene_add_group(scene, &group), SHEAF_OK);
    assert_int_equal(scene->strand_count, 150);
    group.grown->def.count = SCENE_MAX_STRANDS; // counted before anything is grown
    assert_int_equal(scene_add_group(scene, &group), SHEAF_ERR_LIMIT);
    group.grown->def.count = 50;
    grow_release(group.grown);
    assert_int_equal(scene->strand_count, 150);
    sheaf_scene_free(scene);
}

// ---- refusals

static void unfilled_definitions_and_null_are_usage_errors(void **fixture)
{
    (void)fixture;
    sheaf_scene *scene = make_scene();
    const sheaf_scene_def no_scene = {0};
    const sheaf_motion_def no_motion = {0};
    const sheaf_material_def no_material = {0};
    const sheaf_strand_def no_strand = {0};
    sheaf_scene *none = scene;
    assert_int_equal(sheaf_scene_create(&no_scene, &none), SHEAF_ERR_USAGE);
    assert_null(none);
    assert_error_has("sheaf_scene_def_default()");
    assert_int_equal(sheaf_scene_create(NULL, &none), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_scene_add_motion(scene, &no_motion, NULL), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_scene_add_material(scene, &no_material, NULL), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_scene_add_strand(scene, &no_strand), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_scene_add_strand(scene, NULL), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_scene_add_strand(NULL, &no_strand), SHEAF_ERR_USAGE);
    sheaf_scene_free(scene);
    sheaf_scene_free(NULL);
}

static void refuse_scene(const sheaf_scene_def *def, const char *part)
{
    sheaf_scene *scene;
    assert_int_equal(sheaf_scene_create(def, &scene), SHEAF_ERR_INPUT);
    assert_null(scene);
    assert_error_has(part);
}

static void settings_out_of_range_are_refused(void **fixture)
{
    (void)fixture;
    const double bad_steps[] = {0, -1, 1e9, NAN, INFINITY};
    for (size_t k = 0; k < sizeof bad_steps / sizeof *bad_steps; k++) {
        sheaf_scene_def def = sheaf_scene_def_default();
        def.step = bad_steps[k];
        refuse_scene(&def, "scene: step is");
    }
#define REFUSE(change, part)                                                                                           \
    do {                                                                                                               \
        sheaf_scene_def def = sheaf_scene_def_default();                                                               \
        change;                                                                                                        \
        refuse_scene(&def, part);                                                                                      \
    } while (0)
    REFUSE(def.end = -1, "end");
    REFUSE(def.frame_rate = 0, "frame_rate");
    REFUSE(def.gravity[1] = NAN, "gravity is nan m/s^2; it must be from");
    REFUSE(def.wind[0] = 1e7, "wind");
    REFUSE(def.gust = NAN, "gust");
    REFUSE(def.gust = -1, "gust");
    REFUSE(def.gust_scale = 0, "gust_scale");
    REFUSE(def.newton = 1000, "newton");
    REFUSE(def.projection_tolerance = 0, "projection_tolerance");
    REFUSE(def.projection_iterations = 0, "projection_iterations");
    REFUSE(def.integrator = (sheaf_integrator)7, "integrator");
    REFUSE(def.gradients = (sheaf_gradients)7, "gradients");
#undef REFUSE
}

static void materials_out_of_range_are_refused(void **fixture)
{
    (void)fixture;
    sheaf_scene *scene = make_scene();
#define REFUSE(change, part)                                                                                           \
    do {                                                                                                               \
        sheaf_material_def def = sheaf_material_def_default();                                                         \
        def.name = "hair";                                                                                             \
        change;                                                                                                        \
        assert_int_equal(sheaf_scene_add_material(scene, &def, NULL), SHEAF_ERR_INPUT);                                \
        assert_error_has("material 1 'hair'");                                                                         \
        assert_error_has(part);                                                                                        \
        assert_int_equal(scene->material_count, 1);                                                                    \
    } while (0)
    REFUSE(def.density = -1, "density is -1 kg/m^3; it must be from 0 to 1000000 kg/m^3");
    REFUSE(def.density = 0, "has no mass");
    REFUSE(def.young = -1, "young");
    REFUSE(def.young = 1e30, "young");
    REFUSE(def.young = 0, "bending stiffnesses");
    REFUSE(def.shear = 0, "twisting stiffness");
    REFUSE(def.shear = NAN, "shear");
    REFUSE(def.radius[1] = 0, "has no mass");
    REFUSE(def.radius[0] = INFINITY, "radius");
    REFUSE((def.radius[0] = def.radius[1] = 99, def.young = 1e15), "bending stiffness");
    REFUSE(def.bend[0] = 1e30, "bend");
    REFUSE(def.twist = -1, "twist");
    REFUSE(def.line_mass = -1, "line_mass");
    REFUSE(def.drag = -1, "drag");
    REFUSE(def.damping = NAN, "damping");
#undef REFUSE
    sheaf_scene_free(scene);
}

static void stiffness_may_be_given_directly(void **fixture)
{
    (void)fixture;
    sheaf_scene *scene = make_scene();
    sheaf_material_def def = sheaf_material_def_default();
    def.name = "cable";
    def.density = def.young = def.shear = def.radius[0] = def.radius[1] = 0;
    def.bend[0] = 2;
    def.bend[1] = 3;
    def.twist = 1;
    def.line_mass = 0.1;
    assert_int_equal(sheaf_scene_add_material(scene, &def, NULL), SHEAF_OK);
    const scene_section section = scene_material_section(&scene->materials[1]);
    assert_close(section.bend[0], 2, 0);
    assert_close(section.bend[1], 3, 0);
    assert_close(section.twist, 1, 0);
    assert_close(section.line_mass, 0.1, 0);
    assert_int_equal(sheaf_scene_add_material(scene, &def, NULL), SHEAF_ERR_INPUT);
    assert_error_has("has this name already");
    sheaf_scene_free(scene);
}

static void motions_out_of_range_are_refused(void **fixture)
{
    (void)fixture;
    sheaf_scene *scene = make_scene();
    const double backwards[][2] = {{1, 0}, {1, 1}};
    char endless[400];
    memset(endless, 'a', sizeof endless - 1);
    endless[sizeof endless - 1] = 0;
#define REFUSE(change, part)                                                                                           \
    do {                                                                                                               \
        sheaf_motion_def def = sheaf_motion_def_default();                                                             \
        change;                                                                                                        \
        assert_int_not_equal(sheaf_scene_add_motion(scene, &def, NULL), SHEAF_OK);                                     \
        assert_error_has(part);                                                                                        \
        assert_int_equal(scene->motion_count, 0);                                                                      \
    } while (0)
    REFUSE(def.name = NULL, "name");
    REFUSE(def.name = endless, "longer than 255");
    REFUSE(def.axis[2] = 0, "axis has no length");
    REFUSE(def.anchor[0] = NAN, "anchor");
    REFUSE(def.turn.kind = (sheaf_course_kind)9, "turn");
    REFUSE(def.turn.value = 1e9, "turn");
    REFUSE((def.turn.kind = SHEAF_COURSE_SINE, def.turn.duration = 0), "period");
    REFUSE((def.turn.kind = SHEAF_COURSE_RAMP, def.turn.duration = -1), "turn is -1 s");
    REFUSE((def.turn.kind = SHEAF_COURSE_RAMP, def.turn.start = NAN), "turn is nan s");
    REFUSE((def.move[1].kind = SHEAF_COURSE_KEYS, def.move[1].key_count = 2), "NULL");
    REFUSE((def.move[1].kind = SHEAF_COURSE_KEYS, def.move[1].keys = &backwards[0][0]), "keys");
    REFUSE((def.move[1] = (sheaf_course){.kind = SHEAF_COURSE_KEYS, .keys = &backwards[0][0], .key_count = 2}),
           "not after");
#undef REFUSE
    sheaf_motion_def head = sheaf_motion_def_default();
    head.name = "head";
    assert_int_equal(sheaf_scene_add_motion(scene, &head, NULL), SHEAF_OK);
    assert_int_equal(sheaf_scene_add_motion(scene, &head, NULL), SHEAF_ERR_INPUT);
    assert_error_has("motion 1 'head': motion 0 has this name already");
    sheaf_scene_free(scene);
}

static void strands_out_of_range_are_refused(void **fixture)
{
    (void)fixture;
    sheaf_scene *scene = make_scene();
    const sheaf_hold_def at_end = {.edge = 0}, twice[2] = {{.edge = 3}, {.edge = 3}};
    double points[32][3] = {{0}}, spacing[31] = {1};
    points[5][1] = NAN;
#define REFUSE(change, part)                                                                                           \
    do {                                                                                                               \
        sheaf_strand_def def = sheaf_strand_def_default();                                                             \
        change;                                                                                                        \
        assert_int_not_equal(sheaf_scene_add_strand(scene, &def), SHEAF_OK);                                           \
        assert_error_has("strand 0");                                                                                  \
        assert_error_has(part);                                                                                        \
        assert_int_equal(scene->strand_count, 0);                                                                      \
    } while (0)
    REFUSE(def.vertex_count = 2, "vertex_count is 2 vertices; it must be from 3 to 4096");
    REFUSE(def.vertex_count = 5000, "vertex_count");
    REFUSE(def.material = 1, "material 1 is not in the scene");
    REFUSE(def.shape = (sheaf_shape)9, "shape");
    REFUSE(def.natural = (sheaf_natural)9, "natural");
    REFUSE(def.direction[2] = 0, "direction has no length");
    REFUSE(def.origin[2] = 1e30, "origin");
    REFUSE(def.normal[2] = NAN, "normal");
    REFUSE(def.normal[2] = 2, "normal points along direction");
    REFUSE(def.length = 0, "length");
    REFUSE((def.shape = SHEAF_SHAPE_ARC, def.radius = -1), "radius");
    REFUSE((def.shape = SHEAF_SHAPE_HELIX, def.pitch = NAN), "pitch");
    REFUSE(def.spacing = spacing, "spacing is 0");
    REFUSE(def.closed = true, "only a circle or points can be closed");
    REFUSE(def.shape = SHEAF_SHAPE_CIRCLE, "no ends to hold");
    REFUSE(def.closing_twist = 1, "closing_twist needs a closed strand");
    REFUSE(def.natural_curvature[1] = NAN, "natural_curvature");
    REFUSE(def.natural_twist = 1e9, "natural_twist");
    REFUSE(def.shape = SHEAF_SHAPE_POINTS, "points is NULL");
    REFUSE((def.shape = SHEAF_SHAPE_POINTS, def.points = &points[0][0]), "coordinate y of vertex 5 is nan");
    REFUSE(def.natural = SHEAF_NATURAL_POINTS, "natural_points is NULL");
    REFUSE(def.hold_count = 1, "holds is NULL");
    REFUSE((def.hold_count = 1, def.holds = &at_end), "inner edges are 1 to 29");
    REFUSE((def.hold_count = 2, def.holds = twice), "increasing edge");
    REFUSE(def.root.motion = 0, "strand 0, root: motion 0 is not in the scene");
    REFUSE(def.tip.slide = true, "strand 0, tip: slides without being held");
    REFUSE((def.root.slide = true, def.root.slide_axis[2] = 0), "slide_axis");
    REFUSE((def.root.turn.value = 1, def.root.turn_axis[2] = 0), "turn_axis");
    REFUSE(def.root.twist.value = NAN, "twist");
    REFUSE(def.tip.force[0].value = 1e30, "force");
    REFUSE(def.tip.couple[0].value = 1e30, "couple");
    REFUSE((def.vertex_count = 4, def.tip = sheaf_end_clamped()), "5 or more");
#undef REFUSE
    sheaf_scene_free(scene);
}

static void grooms_out_of_range_are_refused(void **fixture)
{
    (void)fixture;
    sheaf_scene *scene = make_scene();
#define REFUSE(change, part)                                                                                           \
    do {                                                                                                               \
        scene_group g = {.strand = sheaf_strand_def_default(), .grown = population_grow(population_def(50, 8))};       \
        grow_def *def = &g.grown->def;                                                                                 \
        (void)def;                                                                                                     \
        change;                                                                                                        \
        assert_int_equal(scene_add_group(scene, &g), SHEAF_ERR_INPUT);                                                 \
        assert_error_has("groom from strand 0");                                                                       \
        assert_error_has(part);                                                                                        \
        grow_release(g.grown);                                                                                         \
    } while (0)
    REFUSE(def->count = 0, "count");
    REFUSE(def->vertices = 2, "vertices");
    REFUSE(def->length = NAN, "length");
    REFUSE(def->length_spread = 0.5, "spread");
    REFUSE(def->stiffness_spread = 0.5, "spread");
    REFUSE(def->curl_radius = 0.01, "pitch");
    REFUSE(g.strand.taper = 0, "taper");
    REFUSE(g.strand.natural = SHEAF_NATURAL_POINTS, "single strands");
    REFUSE(g.strand.closed = true, "closed");
#undef REFUSE
    sheaf_scene_free(scene);
}

static void null_is_never_followed(void **state)
{
    (void)state;
    double(*const none)[3] = NULL;
    sheaf_model *model;
    sheaf_solver *solver;
    assert_int_equal(sheaf_model_strand_count(NULL), 0);
    assert_int_equal(sheaf_model_vertex_count(NULL), 0);
    assert_null(sheaf_model_first_vertex(NULL));
    assert_true(sheaf_model_explicit_step_limit(NULL) == 0);
    assert_string_equal(sheaf_solver_device(NULL), "");
    assert_string_equal(sheaf_solver_form(NULL), "");
    assert_string_equal(sheaf_solver_precision(NULL), "");
    assert_int_equal(sheaf_scene_add_motion(NULL, NULL, NULL), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_scene_add_material(NULL, NULL, NULL), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_scene_add_collider(NULL, NULL), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_scene_create(NULL, NULL), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_model_create(NULL, &model), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_model_create(NULL, NULL), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_model_balance(NULL, NULL, NULL, 0), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_solver_open(NULL, NULL, &solver), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_solver_open(NULL, NULL, NULL), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_solver_step(NULL, 1), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_solver_read_positions(NULL, none, 0), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_solver_read_velocities(NULL, none, 0), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_solver_report(NULL, NULL), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_solver_incident(NULL, 0, NULL), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_solver_save(NULL, NULL), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_solver_load(NULL, NULL), SHEAF_ERR_USAGE);
    sheaf_model_free(NULL);
    sheaf_solver_close(NULL);
    sheaf_log_set(NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(courses_follow_their_kind),
        cmocka_unit_test(course_rates_are_derivatives),
        cmocka_unit_test(definitions_are_copied),
        cmocka_unit_test(many_strands_are_counted),
        cmocka_unit_test(unfilled_definitions_and_null_are_usage_errors),
        cmocka_unit_test(settings_out_of_range_are_refused),
        cmocka_unit_test(materials_out_of_range_are_refused),
        cmocka_unit_test(stiffness_may_be_given_directly),
        cmocka_unit_test(motions_out_of_range_are_refused),
        cmocka_unit_test(strands_out_of_range_are_refused),
        cmocka_unit_test(grooms_out_of_range_are_refused),
        cmocka_unit_test(null_is_never_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
