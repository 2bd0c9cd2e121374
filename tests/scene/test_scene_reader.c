// test_scene_reader: scenes that are right mean exactly what they say.
#include "scene/reader.h"

#include "model/model.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "unit.h"

#define PI 3.14159265358979323846

static sheaf_scene *load(const char *path)
{
    sheaf_scene *scene;
    if (sheaf_scene_load(path, &scene) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    return scene;
}

static sheaf_scene *parse(const char *text)
{
    sheaf_scene *scene;
    if (sheaf_scene_parse(text, strlen(text), "test.yaml", &scene) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    return scene;
}

// A wire to test other parts with, as the first lines of a scene.
#define WIRE "sheaf: 1\nmaterials: { wire: { line_mass: 1, bend: 1, twist: 1 } }\n"

static void assert_number(double value, double expected)
{
    if (!(fabs(value - expected) <= 2e-15 * fabs(expected)))
        fail_msg("%.17g instead of %.17g", value, expected);
}

static void assert_vector(const double vector[3], double x, double y, double z)
{
    assert_number(vector[0], x);
    assert_number(vector[1], y);
    assert_number(vector[2], z);
}

static void assert_constant(const sheaf_course *course, double value)
{
    assert_int_equal(course->kind, SHEAF_COURSE_CONSTANT);
    assert_number(course->value, value);
}

static void assert_driven(const sheaf_course *course, sheaf_course_kind kind, double value, double start,
                          double duration)
{
    assert_int_equal(course->kind, kind);
    assert_number(course->value, value);
    assert_number(course->start, start);
    assert_number(course->duration, duration);
}

static void assert_held(const sheaf_end_def *end, bool position, bool tangent, bool angle)
{
    assert_int_equal(end->hold_position, position);
    assert_int_equal(end->hold_tangent, tangent);
    assert_int_equal(end->hold_angle, angle);
}

// ---- every key

static void check_settings(const sheaf_scene_def *def)
{
    assert_string_equal(def->title, "every key, \"once\"");
    assert_true(def->seed == UINT64_MAX);
    assert_number(def->step, 1.0 / 240);
    assert_number(def->end, 0.25);
    assert_number(def->frame_rate, 24);
    assert_int_equal(def->integrator, SHEAF_INTEGRATOR_EXPLICIT);
    assert_int_equal(def->newton, 3);
    assert_int_equal(def->gradients, SHEAF_GRADIENTS_ITERATE);
    assert_number(def->projection_tolerance, 1e-6);
    assert_int_equal(def->projection_iterations, 7);
    assert_vector(def->gravity, 1, -2, 0.3);
    assert_vector(def->wind, 10, 0, -0.5);
    assert_number(def->gust, 1.5);
    assert_number(def->gust_scale, 0.6);
    assert_int_equal(def->gust_seed, 9);
    assert_int_equal(def->trajectory_every, 3);
    assert_number(def->checkpoint_interval, 300);
}

static void check_colliders(const sheaf_scene *scene)
{
    assert_int_equal(scene->collider_count, 6);
    const sheaf_collider_def *all = scene->colliders;
    for (int k = 0; k < 6; k++)
        assert_int_equal(all[k].kind, k);
    assert_vector(all[0].center, 0, 0, 1.6);
    assert_number(all[0].size[0], 0.09);
    assert_number(all[0].friction, 0.4);
    assert_int_equal(all[0].motion, 0);
    assert_vector(all[1].center, 0, 0.1, 1);
    assert_number(all[1].size[1], 0.1);
    assert_number(all[1].friction, 0.3);
    assert_int_equal(all[1].motion, -1);
    assert_vector(all[2].axis, 0, 3, 4);
    assert_vector(all[3].size, 0.05, 0.1, 0.15);
    assert_vector(all[3].side, 1, 1, 0);
    assert_int_equal(all[3].motion, 1);
    assert_vector(all[4].size, 0.08, 0.09, 0.11);
    assert_number(all[5].size[1], 0.5);
    assert_int_equal(all[5].motion, 1);
}

static void check_materials(const sheaf_scene *scene)
{
    assert_int_equal(scene->material_count, 4);
    const sheaf_material_def *hair = &scene->materials[0], *wire = &scene->materials[1], *round = &scene->materials[3];
    const sheaf_material_def *pelt = &scene->materials[2]; // by preset
    assert_number(pelt->density, 1300);
    assert_number(pelt->radius[0], 26e-6);
    assert_number(pelt->radius[1], 20e-6);
    assert_number(pelt->damping, 0.2e-3);
    assert_string_equal(hair->name, "hair");
    assert_number(hair->density, 1300);
    assert_number(hair->young, 3.5e9);
    assert_number(hair->shear, 1.3e9);
    assert_number(hair->radius[0], 45e-6);
    assert_number(hair->radius[1], 32e-6);
    assert_number(hair->bend[0], 0);
    assert_number(hair->drag, 0.2e-3);
    assert_number(hair->slip, 0.4);
    assert_number(hair->damping, 0.1e-3);
    assert_string_equal(wire->name, "wire");
    assert_number(wire->bend[0], 0.02);
    assert_number(wire->bend[1], 0.03);
    assert_number(wire->twist, 0.015);
    assert_number(wire->line_mass, 6.5e-6);
    assert_number(wire->density, 0);
    assert_number(wire->radius[0], 0);
    assert_number(round->radius[0], 1e-3);
    assert_number(round->radius[1], 1e-3);
    assert_number(round->bend[0], 1e-3);
    assert_number(round->bend[1], 1e-3);
}

static void check_motions(const sheaf_scene *scene)
{
    assert_int_equal(scene->motion_count, 5);
    const mesh_sequence *skin = scene->sequences[4];
    assert_null(scene->sequences[3]);
    assert_int_equal(skin->frame_count, 2);
    assert_number(skin->rate, 12);
    assert_number(skin->start, 0.5);
    const sheaf_motion_def *wrist = &scene->motions[2], *bone = &scene->motions[3];
    assert_int_equal(wrist->pose_count, 3);
    assert_true(!wrist->jumps[0] && !wrist->jumps[1] && wrist->jumps[2]);
    assert_vector(wrist->anchor, 0, 0, 1);
    assert_number(wrist->poses[8], 1.5);
    assert_vector(wrist->poses + 9, 0.01, 0, 0);
    assert_number(wrist->poses[12], sqrt(0.5));
    assert_number(wrist->poses[15], sqrt(0.5));
    assert_int_equal(bone->pose_count, 3);
    assert_null(bone->jumps);
    assert_vector(bone->anchor, 1, 2, 3);
    assert_vector(bone->poses + 1, 0, 0, 0);
    assert_vector(bone->poses + 9, 0, 0, 0.5);
    assert_close(bone->poses[8 + 7] / bone->poses[8 + 4], 1, 1e-15); // a quarter turn from the first
    const sheaf_motion_def *head = &scene->motions[0], *hand = &scene->motions[1];
    assert_string_equal(head->name, "head");
    assert_vector(head->anchor, 0, 0, 0.1);
    assert_vector(head->axis, 0, 3, 4);
    assert_driven(&head->turn, SHEAF_COURSE_SINE, 40 * PI / 180, 0, 1.5);
    assert_constant(&head->move[0], 0);
    assert_string_equal(hand->name, "hand");
    assert_vector(hand->anchor, 0, 0, 0);
    assert_vector(hand->axis, 0, 0, 1);
    assert_int_equal(hand->turn.kind, SHEAF_COURSE_KEYS);
    assert_int_equal(hand->turn.key_count, 3);
    const double keys[6] = {0, 0, 0.5, PI / 2, 2, -1};
    for (int k = 0; k < 6; k++)
        assert_number(hand->turn.keys[k], keys[k]);
    assert_constant(&hand->move[0], 0.01);
    assert_driven(&hand->move[1], SHEAF_COURSE_RAMP, 0.05, 0.5, 2);
    assert_true(hand->move[1].smooth);
    assert_driven(&hand->move[2], SHEAF_COURSE_SINE, 2e-3, -1, 4);
}

static void check_polyline(const sheaf_strand_def *strand)
{
    assert_int_equal(strand->shape, SHEAF_SHAPE_POINTS);
    assert_int_equal(strand->vertex_count, 6);
    assert_vector(strand->points + 9, 0.03, 1e-3, 0);
    assert_vector(strand->points + 15, 0.05, 0, 0);
    assert_int_equal(strand->material, 1);
    assert_int_equal(strand->natural, SHEAF_NATURAL_CURVATURE);
    assert_number(strand->natural_curvature[0], 50);
    assert_number(strand->natural_curvature[1], -20);
    assert_number(strand->natural_twist, PI / 2);
    assert_vector(strand->normal, 0, 0, 2);
    assert_int_equal(strand->hold_count, 2);
    assert_int_equal(strand->holds[0].edge, 1);
    assert_constant(&strand->holds[0].twist, 0);
    assert_int_equal(strand->holds[1].edge, 3);
    assert_constant(&strand->holds[1].twist, PI / 2);
}

static void check_polyline_ends(const sheaf_strand_def *strand)
{
    const sheaf_end_def *root = &strand->root, *tip = &strand->tip;
    assert_held(root, true, false, false);
    assert_int_equal(root->motion, 0);
    assert_true(root->slide);
    assert_vector(root->slide_axis, -1, 0, 0);
    assert_driven(&root->move[1], SHEAF_COURSE_SINE, 0.01, 0, 0.5);
    assert_held(tip, true, true, true);
    assert_int_equal(tip->motion, 1);
    assert_false(tip->slide);
    assert_vector(tip->turn_axis, 0, 1, 0);
    assert_driven(&tip->turn, SHEAF_COURSE_RAMP, 2 * PI, 0, 1);
    assert_driven(&tip->twist, SHEAF_COURSE_RAMP, 6 * PI, 0, 2);
    assert_false(tip->twist.smooth);
    assert_constant(&tip->force[2], -20e-6);
    assert_constant(&tip->couple[1], 5e-6);
    assert_driven(&tip->couple[2], SHEAF_COURSE_SINE, 1e-6, 0, 1);
}

static void check_straight(const sheaf_strand_def *strand)
{
    assert_int_equal(strand->shape, SHEAF_SHAPE_STRAIGHT);
    assert_vector(strand->origin, 1, 2, 3);
    assert_vector(strand->direction, 0, 1, 1);
    assert_number(strand->length, 0.3);
    assert_int_equal(strand->vertex_count, 4);
    assert_vector(strand->spacing, 1, 2, 1.5);
    assert_false(strand->clamp_mid_edge);
    assert_int_equal(strand->natural, SHEAF_NATURAL_STRAIGHT);
    assert_number(strand->natural_twist, 2);
    assert_held(&strand->root, true, false, false);
    assert_int_equal(strand->root.motion, -1);
    assert_held(&strand->tip, true, true, true);
}

static void check_helix(const sheaf_strand_def *strand)
{
    const double r = 3e-3, c = 8e-3 / (2 * PI);
    assert_int_equal(strand->shape, SHEAF_SHAPE_HELIX);
    assert_vector(strand->origin, 1, 0, 0);
    assert_vector(strand->direction, 1, 0, 0);
    assert_vector(strand->normal, 0, 0, 1);
    assert_number(strand->radius, 6e-3);
    assert_number(strand->pitch, -25e-3);
    assert_number(strand->length, 0.12);
    assert_int_equal(strand->vertex_count, 50);
    assert_true(strand->clamp_mid_edge);
    assert_int_equal(strand->natural, SHEAF_NATURAL_CURVATURE);
    assert_number(strand->natural_curvature[0], -r / (r * r + c * c));
    assert_number(strand->natural_curvature[1], 0);
    assert_number(strand->natural_twist, c / (r * r + c * c));
    assert_held(&strand->root, true, false, true);
    assert_int_equal(strand->root.motion, 1);
    assert_held(&strand->tip, false, false, false);
}

static void check_round_shapes(const sheaf_strand_def *circle, const sheaf_strand_def *arc)
{
    assert_int_equal(circle->shape, SHEAF_SHAPE_CIRCLE);
    assert_vector(circle->origin, 0, 1, 0);
    assert_vector(circle->direction, 0, -1, 0);
    assert_vector(circle->normal, 1, 0, 1);
    assert_number(circle->radius, 0.05);
    assert_int_equal(circle->vertex_count, 12);
    assert_number(circle->closing_twist, -2 * PI);
    assert_held(&circle->root, false, false, false);
    assert_int_equal(arc->shape, SHEAF_SHAPE_ARC);
    assert_vector(arc->origin, 0, 0, 1);
    assert_vector(arc->direction, 0, 1, 0);
    assert_vector(arc->normal, 1, 0, 0);
    assert_number(arc->radius, 0.04);
    assert_number(arc->length, 0.06);
    assert_int_equal(arc->vertex_count, 9);
    assert_int_equal(arc->natural, SHEAF_NATURAL_STRAIGHT);
    assert_number(arc->natural_twist, 3);
    assert_held(&arc->root, true, true, true);
    assert_int_equal(arc->root.motion, 1);
    assert_constant(&arc->root.twist, PI / 18);
}

static void check_ring_and_groom(const sheaf_strand_def *ring, const scene_group *group)
{
    assert_true(ring->closed);
    assert_held(&ring->root, false, false, false);
    assert_int_equal(ring->natural, SHEAF_NATURAL_POINTS);
    assert_vector(ring->natural_points + 6, 2, 2, 0);
    assert_non_null(group->grown);
    const grow_def *def = &group->grown->def;
    assert_vector(def->surface.center, 0, 0, 1.6);
    assert_vector(def->surface.radii, 0.09, 0.09, 0.09);
    assert_number(def->surface.cap, PI / 2);
    assert_vector(def->surface.up, 0, 1, 0);
    assert_int_equal(def->count, 500);
    assert_int_equal(def->vertices, 24);
    assert_number(def->length, 0.2);
    assert_number(def->length_spread, 0.1);
    assert_number(def->curl_radius, 6e-3);
    assert_number(def->curl_pitch, -25e-3);
    assert_true(def->seed == 7);
    assert_int_equal(group->strand.root.motion, 0);
}

// What the file says, and beside it what the preset says.
static void check_wavy(const scene_group *group)
{
    const grow_def *def = &group->grown->def;
    assert_vector(def->surface.radii, 0.08, 0.09, 0.11);
    assert_number(def->surface.cap, 80 * PI / 180);
    assert_vector(def->where.axis, 0, 0, 1);
    assert_close(def->where.cosine, cos(85 * PI / 180), 1e-15);
    assert_number(def->where.above, 1.01);
    assert_number(def->where.below, 1.2);
    assert_number(def->per_area, 1e4);
    assert_true(def->count > 50 && def->count < 500);
    assert_int_equal(def->density.width, 3);
    assert_number(def->curl_radius, 2e-3);
    assert_number(def->curl_pitch, 70e-3); // preset
    assert_number(def->curl_spread, 0.05);
    assert_true(def->curl_in_phase && def->along_up);
    assert_number(def->length, 0.26);        // preset
    assert_number(def->length_spread, 0.08); // preset
    assert_number(def->tilt, 20 * PI / 180);
    assert_number(def->tilt_spread, 3 * PI / 180);
    assert_number(def->lay, 30 * PI / 180);
    assert_number(def->lay_spread, 8 * PI / 180); // preset
    assert_int_equal(def->comb.kind, GROW_COMB_FROM);
    assert_vector(def->comb.vector, 0, 0, 1.1);
    assert_int_equal(def->gather[GROW_CLUMPS].strands, 10);
    assert_number(def->gather[GROW_CLUMPS].strength, 0.5);
    assert_number(def->gather[GROW_CLUMPS].stray, 0.2);
    assert_int_equal(def->gather[GROW_WISPS].strands, 4);
    assert_number(def->gather[GROW_WISPS].strength, 0.4); // preset
    assert_number(def->radius_spread, 0.05);
    assert_number(def->stiffness_spread, 0.07);
    assert_number(group->strand.taper, 0.4);
    assert_number(group->strand.taper_start, 0.3);
    assert_true(def->seed == 0); // the scene's, the largest there is, plus one
}

static void check_grounds(const scene_group *groups)
{
    const grow_def *plane = &groups[0].grown->def, *hills = &groups[1].grown->def, *cube = &groups[2].grown->def;
    assert_vector(plane->surface.center, 1, 0, 0);
    assert_vector(plane->surface.up, 0, 1, 0);
    assert_number(plane->surface.size[0], 2);
    assert_number(plane->surface.size[1], 1);
    assert_int_equal(plane->comb.kind, GROW_COMB_AROUND);
    assert_number(groups[0].strand.taper, 1);
    assert_int_equal(hills->surface.heights.width, 3);
    assert_number(hills->surface.range[0], -0.1);
    assert_number(hills->surface.range[1], 0.2);
    assert_int_equal(hills->comb.kind, GROW_COMB_ALONG);
    assert_int_equal(cube->surface.mesh.triangle_count, 12);
    assert_close(cube->surface.mesh.high[2], 5.001, 1e-12);
    assert_close(groups[2].grown->area, 6e-6, 1e-15);
}

// The fringe, in centimetres and with y up, roots at a height of 10 and a ghost behind each.
static void check_bunch(const scene_bunch *bunch)
{
    assert_int_equal(bunch->count, 24);
    assert_int_equal(bunch->first[1], 7);
    assert_true(bunch->has_ghosts);
    assert_close(bunch->points[1][2], 0.1, 1e-8);
    assert_close(bunch->points[1][1], -0.02, 1e-8);
}

static void every_key_is_read_to_its_number(void **fixture)
{
    (void)fixture;
    sheaf_scene *scene = load("tests/data/scenes/every_key.yaml");
    check_settings(&scene->def);
    check_materials(scene);
    check_colliders(scene);
    check_motions(scene);
    assert_int_equal(scene->group_count, 12);
    const scene_group *groups = scene->groups;
    check_polyline(&groups[0].strand);
    check_polyline_ends(&groups[0].strand);
    check_straight(&groups[1].strand);
    check_helix(&groups[2].strand);
    check_round_shapes(&groups[3].strand, &groups[4].strand);
    check_ring_and_groom(&groups[5].strand, &groups[6]);
    check_wavy(&groups[7]);
    check_grounds(&groups[8]);
    check_bunch(groups[11].bunch);
    sheaf_scene_free(scene);
}

// A strand that starts as the helix it would naturally take is almost free of stress: as if its shape were natural,
// with directors that turn along with the curvature.
static void a_natural_helix_fits_a_helix_shape(void **fixture)
{
    (void)fixture;
    static const char *const naturals[] = {"{ helix: { radius: 1 cm, pitch: -2 cm } }",
                                           "{ form: shape, twist: -28.9025482 1/m }"};
    sheaf_model *models[2];
    for (int k = 0; k < 2; k++) {
        base_text text = {0};
        base_text_add(&text,
                      WIRE "strands: [{ shape: { helix: { radius: 1 cm, pitch: -2 cm, length: 30 cm, vertices: 200, "
                           "normal: x } }, natural: %s }]\n",
                      naturals[k]);
        sheaf_scene *scene = parse(base_text_get(&text));
        assert_int_equal(sheaf_model_create(scene, &models[k]), SHEAF_OK);
        sheaf_scene_free(scene);
        base_text_free(&text);
    }
    for (int i = 1; i < 199; i++)
        for (int c = 0; c < 4; c++) {
            const double size = fabs(models[1]->natural_curvature[i][0][0]);
            assert_close(models[0]->natural_curvature[i][c / 2][c % 2], models[1]->natural_curvature[i][c / 2][c % 2],
                         0.05 * size);
            assert_close(models[0]->natural_twist[i], models[1]->natural_twist[i], 0.01 * size);
        }
    sheaf_model_free(models[0]);
    sheaf_model_free(models[1]);
}

// ---- defaults and short forms

static void what_is_not_said_is_as_in_the_library(void **fixture)
{
    (void)fixture;
    sheaf_scene *scene = load("tests/corpus/scene/shortest.yaml");
    const sheaf_scene_def expected = sheaf_scene_def_default(), *def = &scene->def;
    assert_string_equal(def->title, "");
    assert_number(def->step, expected.step);
    assert_number(def->end, expected.end);
    assert_number(def->frame_rate, expected.frame_rate);
    assert_vector(def->gravity, expected.gravity[0], expected.gravity[1], expected.gravity[2]);
    assert_vector(def->wind, 0, 0, 0);
    assert_int_equal(def->integrator, expected.integrator);
    assert_int_equal(def->newton, expected.newton);
    assert_int_equal(def->gradients, expected.gradients);
    assert_number(def->projection_tolerance, expected.projection_tolerance);
    assert_int_equal(def->projection_iterations, expected.projection_iterations);
    assert_true(def->seed == expected.seed);
    assert_int_equal(def->trajectory_every, expected.trajectory_every);
    const sheaf_strand_def strand = sheaf_strand_def_default(), *read = &scene->groups[0].strand;
    assert_int_equal(read->shape, strand.shape);
    assert_int_equal(read->vertex_count, strand.vertex_count);
    assert_vector(read->origin, 0, 0, 0);
    assert_vector(read->direction, strand.direction[0], strand.direction[1], strand.direction[2]);
    assert_vector(read->normal, 0, 0, 0);
    assert_int_equal(read->clamp_mid_edge, strand.clamp_mid_edge);
    assert_int_equal(read->natural, strand.natural);
    assert_null(read->spacing);
    assert_held(&read->root, true, true, true);
    assert_held(&read->tip, false, false, false);
    assert_int_equal(read->root.motion, -1);
    sheaf_scene_free(scene);
}

// A wire with more lines of a scene before its one strand.
static sheaf_scene *parse_wire(const char *lines)
{
    base_text text = {0};
    base_text_add(&text, WIRE "%s\nstrands: [{ shape: { straight: { length: 20 cm } } }]\n", lines);
    sheaf_scene *scene = parse(base_text_get(&text));
    base_text_free(&text);
    return scene;
}

static void gusts_may_be_a_share_of_the_wind(void **fixture)
{
    (void)fixture;
    static const struct {
        const char *wind;
        double strength;
    } cases[] = {
        {"wind: { velocity: [3 m/s, 0, -4 m/s], gust: { strength: 60 % } }", 3},
        {"wind: { gust: { strength: 150 % }, velocity: [0, 2, 0] }", 3},
        {"wind: { velocity: [3, 0, 4], gust: { strength: 0.6 } }", 0.6}, // a bare number is in m/s
        {"wind: { velocity: [3, 0, 4], gust: { strength: 60 cm/s } }", 0.6},
        {"wind: { velocity: [0, 0, 0], gust: { strength: 1 m/s } }", 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sheaf_scene *scene = parse_wire(cases[k].wind);
        assert_number(scene->def.gust, cases[k].strength);
        sheaf_scene_free(scene);
    }
}

static void a_motion_may_be_named_inside_any_shape(void **fixture)
{
    (void)fixture;
    sheaf_scene *scene = parse_wire("motion: { rest: {}, head: { rotate: { angle: 40 deg, period: 1 s } } }\n"
                                    "colliders:\n"
                                    "  - { sphere: { radius: 1 cm, follow: head }, friction: 0.1 }\n"
                                    "  - capsule: { from: [0, 0, 0], to: [0, 0, 1], radius: 1 cm, follow: head }\n"
                                    "  - plane: { follow: head }\n"
                                    "  - box: { size: [1, 1, 1], follow: head }\n"
                                    "  - ellipsoid: { radii: [1, 1, 2], follow: head }\n"
                                    "  - cylinder: { from: [0, 0, 0], to: [0, 0, 1], radius: 1 cm, follow: head }\n"
                                    "  - mesh: { file: tests/data/meshes/cube.obj, unit: cm, up: z, follow: head }\n");
    assert_int_equal(scene->collider_count, 7);
    for (uint32_t k = 0; k < 7; k++)
        assert_int_equal(scene->colliders[k].motion, 1);
    assert_number(scene->colliders[0].friction, 0.1);
    sheaf_scene_free(scene);
}

static void a_trajectory_has_some_frames_or_none(void **fixture)
{
    (void)fixture;
    static const struct {
        const char *output;
        uint32_t every;
    } cases[] = {
        {"output: { trajectory: { every: 1 frame } }", 1},
        {"output: { trajectory: { every: 12 frames } }", 12},
        {"output: { trajectory: { every: 12frames } }", 12},
        {"output: { trajectory: { every: 7 } }", 7},
        {"output: { trajectory: true }", 1},
        {"output: { trajectory: false }", 0},
        {"output: { trajectory: { keep: false, every: 7 } }", 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sheaf_scene *scene = parse_wire(cases[k].output);
        assert_int_equal(scene->def.trajectory_every, cases[k].every);
        sheaf_scene_free(scene);
    }
}

static double read_drag(const char *wind, const char *keys)
{
    base_text text = {0};
    base_text_add(&text,
                  "sheaf: 1\n%s\nmaterials: { m: { %s } }\nstrands: [{ shape: { straight: { length: 20 cm } } }]\n",
                  wind, keys);
    sheaf_scene *scene = parse(base_text_get(&text));
    const double drag = scene->materials[0].drag;
    sheaf_scene_free(scene);
    base_text_free(&text);
    return drag;
}

#define HAIR "density: 1300, young: 3.5 GPa, shear: 1.3 GPa, radius: 40 um"

// Only where there is a wind and the material says nothing; wind and gusts of 3 and 4 m/s are as fast as 5 m/s.
static void wind_finds_a_drag_where_none_is_said(void **fixture)
{
    (void)fixture;
    static const char breeze[] = "wind: { velocity: [0, 3, 0], gust: { strength: 4 m/s } }";
    assert_number(read_drag(breeze, HAIR), scene_air_drag(40e-6, 5));
    assert_number(read_drag(breeze, "density: 1300, young: 3.5 GPa, shear: 1.3 GPa, radius: [80 um, 20 um]"),
                  scene_air_drag(40e-6, 5));
    assert_number(read_drag("wind: { velocity: [0, 0, 0] }", HAIR), scene_air_drag(40e-6, 0));
    assert_number(read_drag("", HAIR), 0);
    assert_number(read_drag(breeze, HAIR ", drag: 0"), 0);
    assert_number(read_drag(breeze, HAIR ", drag: 0.3 mPa*s"), 0.3e-3);
    assert_number(read_drag(breeze, "preset: curly"), 60e-6);
    assert_number(read_drag(breeze, "line_mass: 1, bend: 1, twist: 1"), 0); // there is no radius to find it by
    assert_number(sheaf_material_def_default().drag, 0);
}

// Against coefficients that others have measured across a cylinder (Tritton 1959, Wieselsberger 1921), which scatter by
// a tenth, and against Lamb's solution for slow flow.
static void air_drags_as_it_does_a_cylinder(void **fixture)
{
    (void)fixture;
    static const double measured[][2] = {{1, 10.6}, {10, 2.9}, {100, 1.45}, {1e4, 1.15}};
    const double rho = 1.2, mu = 1.8e-5, v = 3;
    for (size_t k = 0; k < sizeof measured / sizeof *measured; k++) {
        const double radius = measured[k][0] * mu / (2 * rho * v), expected = measured[k][1];
        assert_close(scene_air_drag(radius, v) / (rho * radius * v), expected, 0.12 * expected);
    }
    const double re = 0.1, r = re * mu / (2 * rho * 0.1);
    const double lamb = 4 * PI * mu / (0.5 - 0.5772156649 - log(re / 8));
    assert_close(scene_air_drag(r, 0.1), lamb, 0.05 * lamb);
    assert_number(scene_air_drag(r, 0), scene_air_drag(r, 0.1));
}

static void json_is_a_scene_too(void **fixture)
{
    (void)fixture;
    sheaf_scene *scene = load("tests/corpus/scene/json.yaml");
    assert_string_equal(scene->def.title, "JSON");
    assert_number(scene->groups[0].grown->def.length, 0.2);
    assert_number(scene->groups[0].grown->def.length_spread, 0);
    assert_number(scene->groups[0].grown->def.curl_radius, 0);
    assert_number(scene->groups[0].grown->def.surface.cap, 100 * PI / 180);
    assert_true(scene->groups[0].grown->def.seed == scene->def.seed);
    sheaf_scene_free(scene);
}

static void a_groom_takes_the_seed_of_the_scene(void **fixture)
{
    (void)fixture;
    sheaf_scene *scene =
        parse(WIRE "seed: 99\nstrands:\n- groom: { on: { sphere: { radius: 1 } }, count: 2, length: 1 }\n");
    assert_true(scene->groups[0].grown->def.seed == 99);
    assert_int_equal(scene->strand_count, 2);
    sheaf_scene_free(scene);
}

static void texts_keep_their_characters(void **fixture)
{
    (void)fixture;
    static const char *const titles[][2] = {
        {"plain words, with: colons", NULL},
        {"caf\u00e9 \U0001f600", "caf\u00e9 \U0001f600"},
        {"'it''s'", "it's"},
        {"''", ""},
        {"''''''''''''", "'''''"},
        {"\"\\\"\\\\\\/\\u00e9\\ud83d\\ude00\"", "\"\\/\u00e9\U0001f600"},
        {"a#b", "a#b"},
        {"a # comment", "a"},
        {"null", "null"},
        {"12", "12"},
        {"%d %s %n", NULL},
    };
    for (size_t k = 0; k < sizeof titles / sizeof titles[0]; k++) {
        char text[400];
        const bool directive = titles[k][0][0] == '%';
        snprintf(text, sizeof text, "%stitle: %s%s%s\nstrands: [{ shape: { straight: { length: 1 } } }]\n", WIRE,
                 directive || k == 0 ? "\"" : "", titles[k][0], directive || k == 0 ? "\"" : "");
        sheaf_scene *scene = parse(text);
        assert_string_equal(scene->def.title, titles[k][1] ? titles[k][1] : titles[k][0]);
        sheaf_scene_free(scene);
    }
}

static void text_may_start_with_a_byte_order_mark_and_end_lines_as_windows_does(void **fixture)
{
    (void)fixture;
    sheaf_scene *scene = parse("\xef\xbb\xbfsheaf: 1\r\nmaterials:\r\n  wire: { line_mass: 1, bend: 1, twist: 1 }\r\n"
                               "strands:\r\n  - shape: { straight: { length: 2 } }\r\n");
    assert_number(scene->groups[0].strand.length, 2);
    sheaf_scene_free(scene);
}

static void long_comments_are_no_obstacle(void **fixture)
{
    (void)fixture;
    base_text text = {0};
    for (int k = 0; k < 2000; k++)
        base_text_add(&text, "# a line of a long comment, %d, with [ brackets { and 'quotes\n", k);
    base_text_add(&text, "%sstrands: [{ shape: { straight: { length: 1 } } }]\n", WIRE);
    sheaf_scene_free(parse(base_text_get(&text)));
    base_text_free(&text);
}

// As many points as a scene file may reasonably hold, in flow and in block style, on one line and on many.
static void large_polylines_are_read(void **fixture)
{
    (void)fixture;
    for (int style = 0; style < 3; style++) {
        base_text text = {0};
        base_text_add(&text, "%sstrands:\n", WIRE);
        for (int strand = 0; strand < 3; strand++) {
            base_text_add(&text, style == 2 ? "  - points:\n" : "  - points: [");
            for (int k = 0; k < 4096; k++)
                base_text_add(
                    &text,
                    style == 2 ? "      - [%d mm, 0, 0]\n" : (style ? "[%d mm, 0, 0],\n      " : "[%d mm, 0, 0],"), k);
            base_text_add(&text, style == 2 ? "" : "]\n");
        }
        sheaf_scene *scene = parse(base_text_get(&text));
        assert_int_equal(scene->group_count, 3);
        assert_int_equal(scene->groups[2].strand.vertex_count, 4096);
        assert_number(scene->groups[2].strand.points[3 * 4095], 4.095);
        sheaf_scene_free(scene);
        base_text_free(&text);
    }
}

static void a_million_turns_are_an_angle(void **fixture)
{
    (void)fixture;
    sheaf_scene *scene = parse(WIRE "strands: [{ shape: { straight: { length: 1 } }, "
                                    "tip: { angle: held, twist: { ramp: { to: 1e6 turns, over: 1 s } } } }]\n");
    assert_number(scene->groups[0].strand.tip.twist.value, 2e6 * PI);
    sheaf_scene_free(scene);
}

static void numbers_do_not_depend_on_the_locale(void **fixture)
{
    (void)fixture;
    const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "ru_RU.UTF-8"};
    for (size_t k = 0; k < sizeof locales / sizeof locales[0]; k++)
        if (setlocale(LC_ALL, locales[k]) != NULL)
            break;
    sheaf_scene *scene = parse(WIRE "time: { end: 2.5 s }\nstrands: [{ shape: { straight: { length: 1 } } }]\n");
    setlocale(LC_ALL, "C");
    assert_number(scene->def.end, 2.5);
    sheaf_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_read_to_its_number),
        cmocka_unit_test(a_natural_helix_fits_a_helix_shape),
        cmocka_unit_test(what_is_not_said_is_as_in_the_library),
        cmocka_unit_test(gusts_may_be_a_share_of_the_wind),
        cmocka_unit_test(a_motion_may_be_named_inside_any_shape),
        cmocka_unit_test(a_trajectory_has_some_frames_or_none),
        cmocka_unit_test(wind_finds_a_drag_where_none_is_said),
        cmocka_unit_test(air_drags_as_it_does_a_cylinder),
        cmocka_unit_test(json_is_a_scene_too),
        cmocka_unit_test(a_groom_takes_the_seed_of_the_scene),
        cmocka_unit_test(texts_keep_their_characters),
        cmocka_unit_test(text_may_start_with_a_byte_order_mark_and_end_lines_as_windows_does),
        cmocka_unit_test(long_comments_are_no_obstacle),
        cmocka_unit_test(large_polylines_are_read),
        cmocka_unit_test(a_million_turns_are_an_angle),
        cmocka_unit_test(numbers_do_not_depend_on_the_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
