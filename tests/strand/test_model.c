// test_model: scenes compiled to arrays, against numbers worked out by hand; and states made from them.
#include "base/vec.h"
#include "der/ref/ref.h"

#include <string.h>

#include "populations.h"

#include "der/ref/state.h"
#include "unit.h"
#include "world/world.h"

static const double pi = 3.14159265358979323846;

static sheaf_material_def elliptic_material(void)
{
    sheaf_material_def material = sheaf_material_def_default();
    material.density = 1000;
    material.young = 2e9;
    material.shear = 0.8e9;
    material.radius[0] = 3e-4;
    material.radius[1] = 2e-4;
    return material;
}

static sheaf_scene *make_scene(const sheaf_material_def *material)
{
    const sheaf_scene_def def = sheaf_scene_def_default();
    sheaf_scene *scene;
    assert_int_equal(sheaf_scene_create(&def, &scene), SHEAF_OK);
    assert_int_equal(sheaf_scene_add_material(scene, material, NULL), SHEAF_OK);
    return scene;
}

static sheaf_status compile_one(const sheaf_strand_def *strand, sheaf_model **model)
{
    const sheaf_material_def material = elliptic_material();
    sheaf_scene *scene = make_scene(&material);
    assert_int_equal(sheaf_scene_add_strand(scene, strand), SHEAF_OK);
    const sheaf_status status = sheaf_model_create(scene, model);
    sheaf_scene_free(scene);
    return status;
}

static sheaf_model *make_model(const sheaf_strand_def *strand)
{
    sheaf_model *model;
    if (compile_one(strand, &model) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    return model;
}

static void assert_error_has(const char *part)
{
    if (strstr(sheaf_last_error(), part) == NULL)
        fail_msg("'%s' is not in: %s", part, sheaf_last_error());
}

static double total_mass(const sheaf_model *model)
{
    double sum = 0;
    for (uint64_t i = 0; i < model->vertex_count; i++)
        sum += model->mass[i];
    return sum;
}

static sheaf_strand_def points_strand(const double (*points)[3], uint32_t count)
{
    sheaf_strand_def strand = sheaf_strand_def_default();
    strand.shape = SHEAF_SHAPE_POINTS;
    strand.points = &points[0][0];
    strand.vertex_count = count;
    return strand;
}

// A closed curve out of any plane: a ring that waves up and down three times.
static void wavy_ring(double (*points)[3], uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const double a = 2 * pi * i / count;
        vec_set(points[i], 0.1 * cos(a), 0.1 * sin(a) + 0.02 * cos(2 * a), 0.03 * sin(3 * a) + 0.02 * cos(2 * a + 0.4));
    }
}

// ---- section, mass, lengths

static void ellipses_have_their_textbook_stiffness(void **fixture)
{
    (void)fixture;
    const sheaf_strand_def strand = sheaf_strand_def_default();
    sheaf_model *model = make_model(&strand);
    const double e = 2e9, g = 0.8e9, a1 = 3e-4, a2 = 2e-4;
    assert_close(model->bend[3][0], e * pi / 4 * pow(a1, 3) * a2, 1e-12 * model->bend[3][0]);
    assert_close(model->bend[3][1], e * pi / 4 * a1 * pow(a2, 3), 1e-12 * model->bend[3][1]);
    assert_close(model->twist[3], g * pi * pow(a1, 3) * pow(a2, 3) / (a1 * a1 + a2 * a2), 1e-12 * model->twist[3]);
    assert_close(model->radius[3], sqrt(a1 * a2), 1e-18);
    sheaf_model_free(model);
}

static void a_circular_section_is_isotropic(void **fixture)
{
    (void)fixture;
    const sheaf_material_def round = sheaf_material_def_default();
    const sheaf_strand_def strand = sheaf_strand_def_default();
    sheaf_scene *scene = make_scene(&round);
    sheaf_model *model;
    assert_int_equal(sheaf_scene_add_strand(scene, &strand), SHEAF_OK);
    assert_int_equal(sheaf_model_create(scene, &model), SHEAF_OK);
    assert_true(model->strands[0].isotropic_straight);
    assert_close(model->twist[1], round.shear * pi / 2 * pow(40e-6, 4), 1e-12 * model->twist[1]);
    sheaf_model_free(model);
    sheaf_scene_free(scene);
}

static void lengths_and_masses_of_a_mid_edge_clamp(void **fixture)
{
    (void)fixture;
    sheaf_strand_def strand = sheaf_strand_def_default();
    strand.vertex_count = 11;
    strand.length = 0.19;
    vec_set(strand.origin, 1, 2, 3);
    sheaf_model *model = make_model(&strand);
    assert_close(model->position[0][2], 3.01, 1e-15); // 10 edges of 0.19 / 9.5
    assert_close(model->position[1][2], 2.99, 1e-15);
    assert_close(model->position[10][2], 3 - 0.19, 1e-15);
    for (int j = 0; j < 10; j++)
        assert_close(model->rest_length[j], 0.02, 1e-15);
    const double line_mass = 1000 * pi * 3e-4 * 2e-4;
    assert_close(total_mass(model), line_mass * 0.2, 1e-15 * line_mass);
    assert_close(model->mass[0], line_mass * 0.01, 1e-15 * line_mass);
    assert_close(model->mass[5], line_mass * 0.02, 1e-15 * line_mass);
    sheaf_model_free(model);
}

static void both_clamps_cut_their_edges_in_the_middle(void **fixture)
{
    (void)fixture;
    const double spacing[4] = {2, 1, 3, 4};
    sheaf_strand_def strand = sheaf_strand_def_default();
    strand.vertex_count = 5;
    strand.spacing = spacing;
    strand.length = 0.7; // 10 parts but 1 before the root's plane and 2 beyond the tip's
    strand.tip = sheaf_end_clamped();
    vec_set(strand.direction, 5, 0, 0);
    sheaf_model *model = make_model(&strand);
    const double expected[5] = {-0.1, 0.1, 0.2, 0.5, 0.9};
    for (int i = 0; i < 5; i++)
        assert_close(model->position[i][0], expected[i], 1e-15);
    sheaf_model_free(model);
}

static void other_ends_start_and_stop_at_vertices(void **fixture)
{
    (void)fixture;
    sheaf_strand_def strand = sheaf_strand_def_default();
    strand.vertex_count = 5;
    strand.length = 0.4;
    strand.root = sheaf_end_pinned();
    sheaf_model *pinned = make_model(&strand);
    strand.root = sheaf_end_clamped();
    strand.clamp_mid_edge = false;
    sheaf_model *clamped = make_model(&strand);
    for (int i = 0; i < 5; i++) {
        assert_close(pinned->position[i][2], -0.1 * i, 1e-15);
        assert_close(clamped->position[i][2], -0.1 * i, 1e-15);
    }
    sheaf_model_free(pinned);
    sheaf_model_free(clamped);
}

// ---- shapes

static double mean_curvature(const sheaf_model *model, uint32_t i)
{
    const double(*w)[2] = model->natural_curvature[i];
    const double lb = model->rest_length[i - 1] + model->rest_length[i];
    return hypot(w[0][0], w[0][1]) * 2 / lb;
}

static void helix_curvature_converges_to_the_smooth_one(void **fixture)
{
    (void)fixture;
    const double r = 0.01, pitch = 0.03, q = pitch / (2 * pi), smooth = r / (r * r + q * q);
    double error[3];
    for (int k = 0; k < 3; k++) {
        sheaf_strand_def strand = sheaf_strand_def_default();
        strand.shape = SHEAF_SHAPE_HELIX;
        strand.radius = r;
        strand.pitch = pitch;
        strand.vertex_count = 33u << k;
        sheaf_model *model = make_model(&strand);
        error[k] = fabs(mean_curvature(model, 16) / smooth - 1);
        assert_false(model->strands[0].isotropic_straight);
        sheaf_model_free(model);
    }
    assert_true(error[2] < 2e-3);
    assert_close(error[0] / error[1], 4, 0.4);
    assert_close(error[1] / error[2], 4, 0.2);
}

static void helices_wind_as_their_pitch_says(void **fixture)
{
    (void)fixture;
    for (int left = 0; left < 2; left++) {
        sheaf_strand_def strand = sheaf_strand_def_default();
        strand.shape = SHEAF_SHAPE_HELIX;
        strand.root = sheaf_end_free();
        vec_set(strand.direction, 0, 0, 1);
        vec_set(strand.normal, 1, 0, 0);
        strand.radius = 1;
        strand.pitch = left ? -2 : 2;
        strand.length = sqrt(4 * pi * pi + 4); // one turn
        strand.vertex_count = 5;
        sheaf_model *model = make_model(&strand);
        assert_close(model->position[0][0], 1, 1e-14);
        assert_close(model->position[1][1], left ? -1 : 1, 1e-14);
        assert_close(model->position[1][2], 0.5, 1e-14);
        assert_close(model->position[4][2], 2, 1e-14);
        sheaf_model_free(model);
    }
}

static void arcs_start_along_direction_and_bend_towards_normal(void **fixture)
{
    (void)fixture;
    sheaf_strand_def strand = sheaf_strand_def_default();
    strand.shape = SHEAF_SHAPE_ARC;
    vec_set(strand.direction, 1, 0, 0);
    vec_set(strand.normal, 0.5, 0, 2);
    strand.radius = 0.1;
    strand.length = 0.1 * pi / 2;
    sheaf_model *model = make_model(&strand);
    const double *tip = model->position[31];
    assert_close(tip[0], 0.1, 1e-15);
    assert_close(tip[1], 0, 1e-15);
    assert_close(tip[2], 0.1, 1e-15);
    assert_close(model->position[0][2], model->position[1][2], 1e-16); // the clamped edge lies along direction
    for (int i = 2; i < 30; i++) { // bending towards director 1: all curvature in the first component
        assert_close(model->natural_curvature[i][0][0], model->natural_curvature[i][1][0], 1e-13);
        assert_close(model->natural_curvature[i][0][0] / model->rest_length[i], 10, 0.01);
        assert_close(model->natural_curvature[i][0][1], 0, 1e-14);
    }
    sheaf_model_free(model);
}

static void circles_close(void **fixture)
{
    (void)fixture;
    sheaf_strand_def strand = sheaf_strand_def_default();
    strand.shape = SHEAF_SHAPE_CIRCLE;
    strand.root = sheaf_end_free();
    strand.radius = 0.1;
    strand.vertex_count = 24;
    sheaf_model *model = make_model(&strand);
    const double chord = 0.2 * sin(pi / 24);
    assert_true(model->strands[0].closed);
    for (int i = 0; i < 24; i++) {
        assert_close(model->rest_length[i], chord, 1e-15);
        assert_close(model->mass[i], chord * 1000 * pi * 6e-8, 1e-18);
        const double(*w)[2] = model->natural_curvature[i];
        assert_close(hypot(w[0][0], w[0][1]), 2 * tan(pi / 24), 1e-13);
        assert_close(model->natural_twist[i], 0, 1e-14);
    }
    assert_close(model->strands[0].closing_angle, 0, 1e-14); // planar: no holonomy
    sheaf_model_free(model);
}

// ---- natural curvature and twist

static void a_straight_nature_in_a_curved_pose(void **fixture)
{
    (void)fixture;
    sheaf_strand_def strand = sheaf_strand_def_default();
    strand.shape = SHEAF_SHAPE_HELIX;
    strand.natural = SHEAF_NATURAL_STRAIGHT;
    sheaf_model *model = make_model(&strand);
    for (int i = 1; i < 31; i++) {
        assert_close(mean_curvature(model, (uint32_t)i), 0, 0);
        assert_close(model->natural_twist[i], 0, 0);
    }
    sheaf_model_free(model);
}

static void natural_points_give_their_own_curvature(void **fixture)
{
    (void)fixture;
    double bent[20][3];
    sheaf_strand_def arc = sheaf_strand_def_default();
    arc.shape = SHEAF_SHAPE_ARC;
    arc.vertex_count = 20;
    arc.radius = 0.05;
    sheaf_model *as_shape = make_model(&arc);
    memcpy(bent, as_shape->position, sizeof bent);
    sheaf_strand_def strand = sheaf_strand_def_default(); // straight, with the arc's edge lengths
    strand.vertex_count = 20;
    strand.clamp_mid_edge = false;
    strand.length = 19 * as_shape->rest_length[0];
    strand.natural = SHEAF_NATURAL_POINTS;
    strand.natural_points = &bent[0][0];
    sheaf_model *as_points = make_model(&strand);
    for (int i = 1; i < 19; i++)
        for (int c = 0; c < 2; c++)
            assert_close(as_points->natural_curvature[i][0][c], as_shape->natural_curvature[i][0][c], 1e-12);
    bent[19][0] += 1e-3;
    sheaf_model *none;
    assert_int_equal(compile_one(&strand, &none), SHEAF_ERR_INPUT);
    assert_null(none);
    assert_error_has("strand 0, natural points: edge 18");
    sheaf_model_free(as_shape);
    sheaf_model_free(as_points);
}

static void straight_points_far_from_the_origin_are_straight(void **fixture)
{
    (void)fixture;
    double points[50][3];
    for (int i = 0; i < 50; i++)
        vec_set(points[i], 100 + 0.001 * i, 33 - 0.0007 * i, 0.0003 * i);
    sheaf_strand_def strand = points_strand((const double(*)[3])points, 50);
    sheaf_model *model = make_model(&strand);
    for (uint32_t i = 1; i < 49; i++)
        assert_close(mean_curvature(model, i), 0, 0);
    sheaf_model_free(model);
}

// Directors of a wavy ring with natural twist do not close by themselves: what is missing belongs to vertex 0.
static void closed_shapes_keep_their_closing_turn(void **fixture)
{
    (void)fixture;
    double points[40][3];
    wavy_ring(points, 40);
    sheaf_strand_def strand = points_strand((const double(*)[3])points, 40);
    strand.root = sheaf_end_free();
    strand.closed = true;
    strand.natural_twist = 11;
    sheaf_model *model = make_model(&strand);
    double turned = 0;
    for (int i = 1; i < 40; i++)
        turned += model->natural_twist[i];
    double length = 0;
    for (int j = 0; j < 40; j++)
        length += model->rest_length[j];
    assert_close(turned, 11 * (length - (model->rest_length[39] + model->rest_length[0]) / 2), 1e-12);
    assert_close(model->natural_twist[0], model->strands[0].closing_angle - turned, 1e-12);
    assert_true(fabs(model->strands[0].closing_angle) > 0.01);
    sheaf_model_free(model);
}

// ---- the rest shape is free of stress

static void assert_free_of_stress(const sheaf_strand_def *strand, const char *name)
{
    sheaf_model *model = make_model(strand);
    sheaf_state *state;
    ref_rod rod;
    assert_int_equal(state_create(model, &state), SHEAF_OK);
    assert_int_equal(rod_open(state, 0, &rod), SHEAF_OK);
    ref_frames(&rod);
    ref_curvature(&rod);
    ref_twist_gradient(&rod);
    ref_bend_twist_forces(&rod);
    double shortest = INFINITY, worst = 0;
    for (uint32_t j = 0; j < rod.edge_count; j++)
        shortest = fmin(shortest, model->rest_length[j]);
    for (uint32_t i = 0; i < rod.vertex_count; i++)
        worst = fmax(worst, vec_length(rod.force[i]));
    const double scale = model->bend[0][0] / (shortest * shortest);
    if (!(worst < 1e-11 * scale))
        fail_msg("%s: force %g of %g at rest", name, worst, scale);
    assert_close(ref_twisting_energy(&rod), 0, 1e-20 * model->twist[1] / shortest);
    assert_close(ref_bending_energy(&rod), 0, 1e-20 * model->bend[0][0] / shortest);
    rod_close(&rod);
    state_free(state);
    sheaf_model_free(model);
}

static void every_natural_shape_is_free_of_stress(void **fixture)
{
    (void)fixture;
    double ring[30][3], spacing[31];
    wavy_ring(ring, 30);
    for (int j = 0; j < 31; j++)
        spacing[j] = 1 + 0.5 * sin(j);
    const sheaf_shape shapes[] = {SHEAF_SHAPE_STRAIGHT, SHEAF_SHAPE_HELIX, SHEAF_SHAPE_CIRCLE, SHEAF_SHAPE_ARC};
    for (int twisted = 0; twisted < 2; twisted++) {
        for (int k = 0; k < 4; k++) {
            sheaf_strand_def strand = sheaf_strand_def_default();
            strand.shape = shapes[k];
            strand.vertex_count = 31;
            strand.spacing = spacing;
            strand.natural_twist = twisted ? 400 : 0; // more than half a turn per edge
            if (strand.shape == SHEAF_SHAPE_CIRCLE)
                strand.root = sheaf_end_free();
            assert_free_of_stress(&strand, twisted ? "twisted shape" : "shape");
        }
        for (int closed = 0; closed < 2; closed++) {
            sheaf_strand_def strand = points_strand((const double(*)[3])ring, 30);
            strand.closed = closed;
            strand.natural_twist = twisted ? 21 : 0;
            if (closed)
                strand.root = sheaf_end_free();
            assert_free_of_stress(&strand, closed ? "closed points" : "points");
        }
    }
}

// ---- shapes that cannot be

static void refuse_points(const double (*points)[3], uint32_t count, bool closed, const char *part)
{
    sheaf_strand_def strand = points_strand(points, count);
    sheaf_model *model;
    strand.closed = closed;
    if (closed)
        strand.root = sheaf_end_free();
    assert_int_equal(compile_one(&strand, &model), SHEAF_ERR_INPUT);
    assert_null(model);
    assert_error_has(part);
}

static void impossible_shapes_are_refused(void **fixture)
{
    (void)fixture;
    const double coincident[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    const double folded[4][3] = {{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}, {0.5, 1, 0}};
    const double far[3][3] = {{9e5, 0, 0}, {9e5 + 1e-7, 0, 0}, {9e5 + 2e-7, 0, 0}};
    const double joined[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}};
    const double hairpin[3][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    refuse_points(coincident, 4, false, "strand 0: vertices 1 and 2 coincide");
    refuse_points(folded, 4, false, "strand 0: at vertex 1 the strand folds back");
    refuse_points(far, 3, false, "coincide");
    refuse_points(joined, 4, true, "vertices 3 and 0 coincide");
    refuse_points(hairpin, 3, true, "folds back");
    sheaf_strand_def strand = points_strand(hairpin, 3);
    sheaf_model *model;
    vec_set(strand.normal, 1, 0, 0);
    assert_int_equal(compile_one(&strand, &model), SHEAF_ERR_INPUT);
    assert_error_has("normal points along the first edge");
}

static void empty_scenes_and_null_are_refused(void **fixture)
{
    (void)fixture;
    const sheaf_material_def material = elliptic_material();
    sheaf_scene *scene = make_scene(&material);
    sheaf_model *model = (sheaf_model *)scene;
    assert_int_equal(sheaf_model_create(scene, &model), SHEAF_ERR_INPUT);
    assert_null(model);
    assert_error_has("no strands");
    assert_int_equal(sheaf_model_create(NULL, &model), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_model_create(scene, NULL), SHEAF_ERR_USAGE);
    sheaf_model_free(NULL);
    sheaf_scene_free(scene);
}

// ---- grooms

static grow_def hair(uint32_t count)
{
    grow_def def = population_def(count, 40);
    vec_set(def.surface.center, 0.1, 0.2, 1.7);
    vec_set(def.surface.up, 0, 0.3, 2);
    def.length_spread = 0.1;
    def.curl_radius = 0.006;
    def.curl_pitch = 0.025;
    return def;
}

static sheaf_model *grow_hair(const grow_def *def)
{
    const sheaf_material_def material = elliptic_material();
    sheaf_scene *scene = make_scene(&material);
    sheaf_model *model;
    scene_group group = {.strand = sheaf_strand_def_default(), .grown = population_grow(*def)};
    assert_int_equal(scene_add_group(scene, &group), SHEAF_OK);
    grow_release(group.grown);
    if (sheaf_model_create(scene, &model) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    sheaf_scene_free(scene);
    return model;
}

// The surface cuts the first edge in the middle, at a right angle, inside the cap.
static void assert_rooted(const sheaf_model *model, const grow_surface *head, uint32_t s)
{
    const double(*x)[3] = (const double(*)[3])model->position + model->first_vertex[s];
    double root[3], edge[3], up[3], arm[3];
    vec_add(root, x[0], x[1]);
    vec_scale(root, root, 0.5);
    vec_sub(arm, root, head->center);
    assert_close(vec_length(arm), head->radii[0], 1e-15);
    vec_unit(arm, arm);
    vec_sub(edge, x[1], x[0]);
    vec_unit(edge, edge);
    assert_close(vec_dot(arm, edge), 1, 1e-13);
    vec_unit(up, head->up);
    assert_true(vec_dot(up, arm) >= cos(head->cap) - 1e-12);
}

static void hair_is_rooted_on_the_cap(void **fixture)
{
    (void)fixture;
    const grow_def def = hair(500);
    sheaf_model *model = grow_hair(&def);
    assert_int_equal(sheaf_model_strand_count(model), 500);
    assert_int_equal(sheaf_model_vertex_count(model), 20000);
    assert_int_equal(sheaf_model_first_vertex(model)[500], 20000);
    for (uint32_t s = 0; s < 500; s++)
        assert_rooted(model, &def.surface, s);
    sheaf_model_free(model);
}

static void hair_lengths_spread_as_asked(void **fixture)
{
    (void)fixture;
    const grow_def def = hair(2000);
    sheaf_model *model = grow_hair(&def);
    double sum = 0, squares = 0;
    for (uint32_t s = 0; s < 2000; s++) {
        const double *edge = model->rest_length + model->first_vertex[s];
        const double length = edge[0] * 38.5; // the first edge is straight; its length is exact
        assert_true(length >= 0.2 * 0.75 - 1e-12 && length <= 0.2 * 1.25 + 1e-12);
        for (int j = 1; j < 39; j++) // curled edges are chords of arcs as long
            assert_true(edge[j] <= edge[0] * (1 + 1e-5) && edge[j] > 0.9 * edge[0]);
        sum += length;
        squares += length * length;
    }
    const double mean = sum / 2000, deviation = sqrt(squares / 2000 - mean * mean);
    assert_close(mean, 0.2, 5 * 0.02 / sqrt(2000));
    assert_close(deviation, 0.02, 0.001);
    sheaf_model_free(model);
}

// Nearest neighbours of well spread roots are not much closer than on a regular lattice.
static void hair_roots_keep_apart(void **fixture)
{
    (void)fixture;
    const grow_def def = hair(400);
    sheaf_model *model = grow_hair(&def);
    const double area = 2 * pi * 0.09 * 0.09 * (1 - cos(1.2)), cell = sqrt(area / 400);
    for (uint32_t a = 0; a < 400; a++)
        for (uint32_t b = 0; b < a; b++) {
            double gap[3];
            vec_sub(gap, model->position[40 * a + 1], model->position[40 * b + 1]);
            assert_true(vec_length(gap) > 0.3 * cell);
        }
    sheaf_model_free(model);
}

static void curls_reach_their_radius_and_wind_their_way(void **fixture)
{
    (void)fixture;
    for (int left = 0; left < 2; left++) {
        grow_def def = hair(1);
        def.vertices = 400;
        def.curl_pitch = left ? -0.025 : 0.025;
        sheaf_model *model = grow_hair(&def);
        const double(*x)[3] = (const double(*)[3])model->position;
        double axis[3], arm[3], last[3], side[3];
        vec_sub(axis, x[1], x[0]);
        vec_unit(axis, axis);
        for (int i = 398; i < 400; i++) {
            vec_copy(last, arm);
            vec_sub(arm, x[i], x[0]);
            vec_axpy(arm, -vec_dot(arm, axis), axis);
        }
        assert_close(vec_length(arm), 0.006, 1e-12);
        vec_cross(side, last, arm);
        assert_int_equal(vec_dot(side, axis) > 0, !left);
        sheaf_model_free(model);
    }
}

static void grooms_repeat_and_seeds_differ(void **fixture)
{
    (void)fixture;
    grow_def def = hair(20);
    sheaf_model *first = grow_hair(&def), *again = grow_hair(&def);
    def.seed = 8;
    sheaf_model *other = grow_hair(&def);
    const size_t bytes = 800 * sizeof *first->position;
    assert_memory_equal(first->position, again->position, bytes);
    assert_memory_equal(first->director, again->director, bytes);
    assert_true(memcmp(first->position, other->position, bytes) != 0);
    sheaf_model_free(first);
    sheaf_model_free(again);
    sheaf_model_free(other);
}

static void straight_grooms_are_straight(void **fixture)
{
    (void)fixture;
    grow_def def = hair(10);
    def.curl_radius = def.curl_pitch = 0;
    sheaf_model *model = grow_hair(&def);
    for (uint32_t i = 1; i < 39; i++)
        assert_close(mean_curvature(model, i), 0, 0);
    sheaf_model_free(model);
}

// ---- motions and states

// Through poses, a motion is rigid, passes them, and its velocities are those of finite differences.
static void motions_pass_their_poses(void **fixture)
{
    (void)fixture;
    static const double poses[3][8] = {
        {0, 0, 0, 0, 2, 0, 0, 0}, {1, 1, 0, 0, 1, 0, 0, 1}, {3, 1, 2, 0, -1, 0, -1, 0}}; // any length, either sign
    sheaf_motion_def motion = sheaf_motion_def_default();
    vec_set(motion.anchor, 1, 0, 0);
    motion.poses = &poses[0][0];
    motion.pose_count = 3;
    const double point[3] = {3, 0, 1};
    double out[3], later[3], spin[3], arm[3], velocity[3], shift[3], drift[3];
    model_motion_point(&motion, 1, point, out); // a quarter turn about z
    assert_close(out[0], 2, 1e-15);
    assert_close(out[1], 2, 1e-15);
    assert_close(out[2], 1, 1e-15);
    model_motion_point(&motion, 0.5, point, out); // an eighth of one
    assert_close(out[0], 1.5 + sqrt(2), 1e-15);
    assert_close(out[1], sqrt(2), 1e-15);
    model_motion_point(&motion, 9, point, out); // a quarter turn about y: x goes to -z
    assert_close(out[0], 1 + 1 + 1, 1e-15);
    assert_close(out[1], 2, 1e-15);
    assert_close(out[2], -2, 1e-15);
    for (double t = 0.1; t < 4; t += 0.37) {
        const double h = 1e-6;
        model_motion_point(&motion, t, point, out);
        model_motion_point(&motion, t + h, point, later);
        model_motion_spin(&motion, t, spin);
        model_motion_shift(&motion, t, shift);
        model_motion_drift(&motion, t, drift);
        for (int c = 0; c < 3; c++)
            arm[c] = out[c] - motion.anchor[c] - shift[c];
        assert_close(vec_length(arm), sqrt(5), 1e-14);
        vec_cross(velocity, spin, arm);
        for (int c = 0; c < 3; c++)
            assert_close(velocity[c] + drift[c], (later[c] - out[c]) / h, 1e-5);
    }
}

static void motions_turn_then_move(void **fixture)
{
    (void)fixture;
    sheaf_motion_def motion = sheaf_motion_def_default();
    vec_set(motion.anchor, 1, 0, 0);
    vec_set(motion.axis, 0, 0, 3);
    motion.turn = (sheaf_course){.kind = SHEAF_COURSE_RAMP, .value = pi / 2, .duration = 2};
    motion.move[2].value = 5;
    double point[3] = {3, 0, 1}, out[3];
    model_motion_point(&motion, 2, point, out);
    assert_close(out[0], 1, 1e-15);
    assert_close(out[1], 2, 1e-15);
    assert_close(out[2], 6, 1e-15);
    model_motion_turn(&motion, 1, point, out);
    assert_close(out[0], 3 * sqrt(0.5), 1e-15);
    assert_close(out[1], 3 * sqrt(0.5), 1e-15);
    assert_close(out[2], 1, 1e-15);
}

static void states_start_at_rest_with_frames(void **fixture)
{
    (void)fixture;
    sheaf_strand_def strand = sheaf_strand_def_default();
    strand.shape = SHEAF_SHAPE_HELIX;
    strand.natural_twist = 700; // 3.1 rad and more from edge to edge
    sheaf_model *model = make_model(&strand);
    sheaf_state *state;
    assert_int_equal(state_create(model, &state), SHEAF_OK);
    assert_true(model_state_bytes(model) > 32 * 23 * sizeof(double));
    assert_close(state->theta[0], 0, 0);
    for (int j = 0; j < 31; j++) {
        double director[3];
        assert_close(vec_dot(state->bishop[j], state->tangent[j]), 0, 1e-15);
        vec_rotate(director, state->bishop[j], state->tangent[j], state->theta[j]);
        assert_close(vec_dot(director, model->director[j]), 1, 1e-13);
        assert_memory_equal(state->held[j], model->director[j], sizeof director);
        assert_close(vec_length(state->velocity[j]), 0, 0);
        if (j > 0)
            assert_close(state->theta[j] - state->theta[j - 1], model->natural_twist[j], 1e-11);
    }
    state_free(state);
    state_free(NULL);
    sheaf_model_free(model);
}

static void ends_and_holds_outlive_the_scene(void **fixture)
{
    (void)fixture;
    const double keys[2][2] = {{0, 1}, {2, 3}};
    sheaf_strand_def strand = sheaf_strand_def_default();
    const sheaf_hold_def hold = {.edge = 4, .twist = {.kind = SHEAF_COURSE_KEYS, .keys = &keys[0][0], .key_count = 2}};
    strand.holds = &hold;
    strand.hold_count = 1;
    strand.tip.force[1] = hold.twist;
    sheaf_model *model = make_model(&strand);
    assert_close(scene_course(&model->strands[0].holds[0].twist, 1), 2, 0);
    assert_close(scene_course(&model->strands[0].tip->force[1], 1), 2, 0);
    sheaf_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ellipses_have_their_textbook_stiffness),
        cmocka_unit_test(a_circular_section_is_isotropic),
        cmocka_unit_test(lengths_and_masses_of_a_mid_edge_clamp),
        cmocka_unit_test(both_clamps_cut_their_edges_in_the_middle),
        cmocka_unit_test(other_ends_start_and_stop_at_vertices),
        cmocka_unit_test(helix_curvature_converges_to_the_smooth_one),
        cmocka_unit_test(helices_wind_as_their_pitch_says),
        cmocka_unit_test(arcs_start_along_direction_and_bend_towards_normal),
        cmocka_unit_test(circles_close),
        cmocka_unit_test(a_straight_nature_in_a_curved_pose),
        cmocka_unit_test(natural_points_give_their_own_curvature),
        cmocka_unit_test(straight_points_far_from_the_origin_are_straight),
        cmocka_unit_test(closed_shapes_keep_their_closing_turn),
        cmocka_unit_test(every_natural_shape_is_free_of_stress),
        cmocka_unit_test(impossible_shapes_are_refused),
        cmocka_unit_test(empty_scenes_and_null_are_refused),
        cmocka_unit_test(hair_is_rooted_on_the_cap),
        cmocka_unit_test(hair_lengths_spread_as_asked),
        cmocka_unit_test(hair_roots_keep_apart),
        cmocka_unit_test(curls_reach_their_radius_and_wind_their_way),
        cmocka_unit_test(grooms_repeat_and_seeds_differ),
        cmocka_unit_test(straight_grooms_are_straight),
        cmocka_unit_test(motions_turn_then_move),
        cmocka_unit_test(motions_pass_their_poses),
        cmocka_unit_test(states_start_at_rest_with_frames),
        cmocka_unit_test(ends_and_holds_outlive_the_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
