// test_curl: natural curvature and twist given as numbers, against the shapes they stand for.
#include "base/vec.h"
#include "model/model.h"

#include "unit.h"

static const double pi = 3.14159265358979323846;

static sheaf_model *make_model(const sheaf_strand_def *strand)
{
    const sheaf_scene_def def = sheaf_scene_def_default();
    const sheaf_material_def material = sheaf_material_def_default();
    sheaf_scene *scene;
    sheaf_model *model;
    assert_int_equal(sheaf_scene_create(&def, &scene), SHEAF_OK);
    assert_int_equal(sheaf_scene_add_material(scene, &material, NULL), SHEAF_OK);
    assert_int_equal(sheaf_scene_add_strand(scene, strand), SHEAF_OK);
    if (sheaf_model_create(scene, &model) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    sheaf_scene_free(scene);
    return model;
}

static sheaf_strand_def uneven_strand(void)
{
    static const double spacing[4] = {1, 2, 2, 1};
    sheaf_strand_def strand = sheaf_strand_def_default();
    strand.root = sheaf_end_free();
    strand.vertex_count = 5;
    strand.spacing = spacing;
    strand.length = 0.6;
    strand.natural = SHEAF_NATURAL_CURVATURE;
    return strand;
}

// Vertices on a circle: an edge of length l turns by 2 asin(kappa l / 2), half of it before and half after its middle.
static void natural_curvature_by_number(void **fixture)
{
    (void)fixture;
    const double kappa = hypot(3, -2), turn[2] = {asin(kappa * 0.05), asin(kappa * 0.1)};
    sheaf_strand_def strand = uneven_strand();
    strand.natural_curvature[0] = 3;
    strand.natural_curvature[1] = -2;
    sheaf_model *model = make_model(&strand);
    for (int side = 0; side < 2; side++) {
        const double first = 2 * tan((turn[0] + turn[1]) / 2), second = 2 * tan(turn[1]);
        assert_close(model->natural_curvature[1][side][0], 3 / kappa * first, 1e-15);
        assert_close(model->natural_curvature[1][side][1], -2 / kappa * first, 1e-15);
        assert_close(model->natural_curvature[2][side][1], -2 / kappa * second, 1e-15);
        assert_close(model->natural_twist[1 + side], 0, 1e-15);
    }
    sheaf_model_free(model);
}

static void natural_twist_by_number(void **fixture)
{
    (void)fixture;
    sheaf_strand_def strand = uneven_strand();
    strand.natural_twist = 70;
    sheaf_model *model = make_model(&strand);
    strand.natural_curvature[0] = 1e-9; // whole turns are not lost where there is some curvature
    sheaf_model *curved = make_model(&strand);
    for (int i = 1; i < 4; i++) {
        assert_close(model->natural_twist[i], 70 * (i == 2 ? 0.2 : 0.15), 1e-14);
        assert_close(curved->natural_twist[i], model->natural_twist[i], 1e-13);
    }
    sheaf_model_free(model);
    sheaf_model_free(curved);
}

// Edges that no helix or circle of such a curvature has room for.
static void natural_curvature_of_a_strand_too_coarse_is_finite(void **fixture)
{
    (void)fixture;
    static const double twists[] = {0, 1, 1e3, -1e6};
    for (int k = 0; k < 4; k++) {
        sheaf_strand_def strand = uneven_strand();
        strand.natural_curvature[1] = 1e6;
        strand.natural_twist = twists[k];
        sheaf_model *model = make_model(&strand);
        for (int i = 1; i < 4; i++) {
            assert_true(hypot(model->natural_curvature[i][0][0], model->natural_curvature[i][0][1]) < 30);
            assert_true(isfinite(model->natural_twist[i]));
        }
        sheaf_model_free(model);
    }
}

enum { CURL_VERTICES = 34, CURL_EDGES = CURL_VERTICES - 1 }; // three turns

static const double curl_radius = 0.01, curl_pitch = -0.02;

// A helix with 11 edges a turn; the middle of its first edge has `normal` pointing outwards.
static sheaf_strand_def coarse_helix(void)
{
    sheaf_strand_def strand = sheaf_strand_def_default();
    strand.shape = SHEAF_SHAPE_HELIX;
    strand.radius = curl_radius;
    strand.pitch = curl_pitch;
    strand.length = (CURL_EDGES - 0.5) / 11 * hypot(2 * pi * curl_radius, curl_pitch);
    strand.vertex_count = CURL_VERTICES;
    return strand;
}

// A straight strand with the edges of a model, and the natural curvature and twist of the smooth helix.
static sheaf_model *straight_with_curl(const sheaf_model *helix)
{
    const double c = curl_pitch / (2 * pi), square = curl_radius * curl_radius + c * c;
    double points[CURL_VERTICES][3] = {{0}};
    for (int j = 0; j < CURL_EDGES; j++)
        points[j + 1][2] = points[j][2] - helix->rest_length[j];
    sheaf_strand_def strand = sheaf_strand_def_default();
    strand.shape = SHEAF_SHAPE_POINTS;
    strand.points = &points[0][0];
    strand.vertex_count = CURL_VERTICES;
    strand.natural = SHEAF_NATURAL_CURVATURE;
    strand.natural_curvature[0] = -curl_radius / square;
    strand.natural_twist = c / square;
    return make_model(&strand);
}

static void a_coarse_curl_by_number_is_that_of_the_shape(void **fixture)
{
    (void)fixture;
    sheaf_strand_def strand = coarse_helix();
    sheaf_model *helix = make_model(&strand), *curl = straight_with_curl(helix);
    strand.natural_twist = curl->natural_twist[1] / helix->rest_length[1]; // the torsion that the polyline has
    sheaf_model *framed = make_model(&strand);
    for (int i = 1; i < CURL_EDGES; i++) {
        for (int c = 0; c < 4; c++)
            assert_close(curl->natural_curvature[i][c / 2][c % 2], framed->natural_curvature[i][c / 2][c % 2], 1e-12);
        assert_close(curl->natural_twist[i], framed->natural_twist[i], 1e-12);
    }
    sheaf_model_free(helix);
    sheaf_model_free(curl);
    sheaf_model_free(framed);
}

// The polyline that is free of stress: its frame turns about kb by 2 atan(|kb| / 2), then about the tangent.
static void put_at_rest(const sheaf_model *model, double (*points)[3])
{
    double t[3] = {0, 0, 1}, m1[3] = {1, 0, 0}, m2[3], kb[3], axis[3];
    vec_set(points[0], 0, 0, 0);
    for (uint32_t i = 0; i < CURL_EDGES; i++) {
        if (i > 0) {
            const double(*w)[2] = model->natural_curvature[i];
            vec_cross(m2, t, m1);
            vec_scale(kb, m2, w[0][0]);
            vec_axpy(kb, -w[0][1], m1);
            vec_unit(axis, kb);
            vec_rotate(t, t, axis, 2 * atan(vec_length(kb) / 2));
            vec_rotate(m1, m1, axis, 2 * atan(vec_length(kb) / 2));
            vec_rotate(m1, m1, t, model->natural_twist[i]);
            vec_cross(m2, t, m1);
            assert_close(vec_dot(kb, m2), w[1][0], 1e-12); // both sides tell of one shape
            assert_close(-vec_dot(kb, m1), w[1][1], 1e-12);
        }
        vec_copy(points[i + 1], points[i]);
        vec_axpy(points[i + 1], model->rest_length[i], t);
    }
}

static void a_curl_by_number_with_uneven_edges_lies_on_its_helix(void **fixture)
{
    (void)fixture;
    double spacing[CURL_EDGES], points[CURL_VERTICES][3], apart[2][3];
    for (int j = 0; j < CURL_EDGES; j++)
        spacing[j] = 1 + 0.7 * sin(j);
    sheaf_strand_def strand = coarse_helix();
    strand.spacing = spacing;
    sheaf_model *helix = make_model(&strand), *curl = straight_with_curl(helix);
    put_at_rest(curl, points);
    for (int i = 0; i < CURL_VERTICES; i++)
        for (int k = 0; k < i; k++) {
            vec_sub(apart[0], points[i], points[k]);
            vec_sub(apart[1], helix->position[i], helix->position[k]);
            assert_close(vec_length(apart[0]), vec_length(apart[1]), 1e-13);
        }
    sheaf_model_free(helix);
    sheaf_model_free(curl);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(natural_curvature_by_number),
        cmocka_unit_test(natural_twist_by_number),
        cmocka_unit_test(natural_curvature_of_a_strand_too_coarse_is_finite),
        cmocka_unit_test(a_coarse_curl_by_number_is_that_of_the_shape),
        cmocka_unit_test(a_curl_by_number_with_uneven_edges_lies_on_its_helix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
