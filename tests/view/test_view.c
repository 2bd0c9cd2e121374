// test_view: geometry behind pictures: cameras, light among strands, bands of triangles; and edited scenes.
#include <math.h>

#include "unit.h"

#include "base/vec.h"
#include "scene/edit.h"
#include "scene/scene.h"
#include "view/camera.h"
#include "view/ribbons.h"
#include "view/shapes.h"
#include "view/style.h"

static const double up[3] = {0, 0, 1};

static void test_framing_takes_everything_in(void **state)
{
    (void)state;
    double points[8][3], pixel[2], depth, left = 1e9, right = 0, top = 1e9, bottom = 0;
    for (int k = 0; k < 8; k++)
        vec_set(points[k], 100 + (k & 1 ? 3 : -3), (k & 2 ? 1 : -1), 5 + (k & 4 ? 0.5 : -0.5));
    const view_camera camera = view_camera_choose((const double(*)[3])points, 8, up, 16.0 / 9);
    const view_eye eye = view_camera_eye(&camera, 1600, 900);
    for (int k = 0; k < 8; k++) {
        assert_true(view_eye_project(&eye, points[k], pixel, &depth));
        left = fmin(left, pixel[0]), right = fmax(right, pixel[0]);
        top = fmin(top, pixel[1]), bottom = fmax(bottom, pixel[1]);
    }
    const double across = (right - left) / 1600, down = (bottom - top) / 900;
    assert_true(left >= 0 && right <= 1600 && top >= 0 && bottom <= 900);
    assert_close(fmax(across, down), 0.92, 1e-9); // one pair of edges is touched but for the margin
    assert_close(left + right, 1600, 1e-6);
}

static void test_pixels_and_points_belong_together(void **state)
{
    (void)state;
    view_camera camera = {
        .at = {1, 2, 3}, .up = {0, 0, 1}, .azimuth = 0.7, .elevation = 0.3, .distance = 4, .angle = 0.5};
    const double from[3] = {4, -3, 5}, point[3] = {1.2, 1.9, 3.3};
    double pixel[2], depth, back[3];
    view_eye eye = view_camera_eye(&camera, 800, 600);
    assert_true(view_eye_project(&eye, camera.at, pixel, &depth));
    assert_close(pixel[0], 400, 1e-9);
    assert_close(pixel[1], 300, 1e-9);
    assert_true(view_eye_project(&eye, point, pixel, &depth));
    view_eye_lift(&eye, pixel, depth, back);
    for (int c = 0; c < 3; c++)
        assert_close(back[c], point[c], 1e-12);
    view_camera_look_from(&camera, from);
    eye = view_camera_eye(&camera, 800, 600);
    for (int c = 0; c < 3; c++)
        assert_close(eye.place[c], from[c], 1e-12);
    assert_true(view_eye_project(&eye, camera.at, pixel, &depth));
    view_camera_pan(&camera, &eye, 10, -20); // what was in the middle goes with the hand
    const view_eye moved = view_camera_eye(&camera, 800, 600);
    const double middle[3] = {1, 2, 3};
    assert_true(view_eye_project(&moved, middle, pixel, &depth));
    assert_close(pixel[0], 410, 1e-9);
    assert_close(pixel[1], 280, 1e-9);
}

// A clump of upright strands, and a lone one beside it.
enum { SIDE = 20, STRANDS = SIDE * SIDE + 1, EACH = 5 };

typedef struct clump {
    uint64_t first[STRANDS + 1];
    view_strand strands[STRANDS];
    double positions[STRANDS * EACH][3];
} clump;

static view_subject make_clump(clump *it)
{
    for (int s = 0; s < STRANDS; s++) {
        it->first[s + 1] = (uint64_t)(s + 1) * EACH;
        it->strands[s] = (view_strand){.kind = VIEW_HAIR, .half = {0.01, 0.01}, .colour = {0.5f, 0.5f, 0.5f}};
        for (int k = 0; k < EACH; k++)
            vec_set(it->positions[s * EACH + k], s < STRANDS - 1 ? 0.05 * (s % SIDE) : 3,
                    0.05 * (double)(s / SIDE) * (s < STRANDS - 1), 0.25 * k);
    }
    view_subject subject = {.strand_count = STRANDS,
                            .first_vertex = it->first,
                            .strands = it->strands,
                            .positions = (const double(*)[3])it->positions,
                            .up = {0, 0, 1},
                            .has_ground = true};
    return subject;
}

static void test_light_is_lost_inside_a_clump(void **state)
{
    (void)state;
    static clump it;
    view_subject subject = make_clump(&it);
    view_light light;
    const double toward[3] = {-1, 0, 0.5}, lone[3] = {3, 0, 0.5}, outside[3] = {0, 0.5, 0.9};
    const double inside[3] = {0.5, 0.5, 0.5}, behind[3] = {0.95, 0.5, 0.1};
    assert_int_equal(view_light_open(&light, 48, 64), SHEAF_OK);
    view_extent extent = view_subject_measure(&subject);
    assert_int_equal(view_light_cast(&light, &subject, &extent, toward, 0.01, 0), SHEAF_OK);
    assert_true(view_light_at(&light, lone).direct > 0.8f);
    assert_true(view_light_at(&light, outside).direct > 0.6f);
    assert_true(view_light_at(&light, inside).direct < 0.5f * view_light_at(&light, outside).direct);
    assert_true(view_light_at(&light, behind).direct < view_light_at(&light, inside).direct);
    assert_true(view_light_at(&light, inside).ambient < 0.7f * view_light_at(&light, lone).ambient);
    float darkest = 1;
    for (uint32_t k = 0; k < light.texels * light.texels; k++)
        darkest = fminf(darkest, light.ground[k]);
    assert_true(darkest < 0.7f && light.ground[0] > 0.99f);
    static const double round[3] = {1, 1, 1};
    view_shape shape;
    assert_int_equal(view_shape_capsule(&shape, 0.3, 0, round), SHEAF_OK);
    const view_body ball = {.shape = &shape, .center = {0.5, 0.5, 0.5}, .axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const float before = view_light_at(&light, behind).direct;
    subject.bodies = &ball;
    subject.body_count = 1;
    extent = view_subject_measure(&subject);
    assert_int_equal(view_light_cast(&light, &subject, &extent, toward, 0.01, 0), SHEAF_OK);
    assert_true(view_light_at(&light, behind).direct < 0.5f * before);
    view_shape_free(&shape);
    view_light_close(&light);
}

static void test_ribbons_follow_their_strands(void **state)
{
    (void)state;
    static clump it;
    view_subject subject = make_clump(&it);
    it.strands[0].kind = VIEW_TUBE;
    view_ribbons ribbons = {0};
    view_light light;
    const view_camera camera = view_camera_choose(subject.positions, STRANDS * EACH, up, 1.5);
    const view_eye eye = view_camera_eye(&camera, 900, 600);
    assert_int_equal(view_light_open(&light, 16, 16), SHEAF_OK);
    const view_extent extent = view_subject_measure(&subject);
    assert_int_equal(view_light_cast(&light, &subject, &extent, up, 0.01, 0), SHEAF_OK);
    assert_int_equal(view_ribbons_plan(&ribbons, &subject, (view_fineness){.most_corners = 1u << 20, .parts = 3}),
                     SHEAF_OK);
    assert_int_equal(ribbons.corner_count, STRANDS * 2 * (3 * (EACH - 1) + 1));
    assert_int_equal(ribbons.index_count, STRANDS * 6 * 3 * (EACH - 1));
    assert_int_equal(ribbons.index_count - ribbons.hair_index_count, 6 * 3 * (EACH - 1));
    view_ribbons_set_line(&ribbons, &subject, extent.length, &eye, camera.distance);
    view_corner *corners = base_alloc(ribbons.corner_count, sizeof *corners);
    uint32_t *indices = base_alloc(ribbons.index_count, sizeof *indices);
    view_ribbons_index(&ribbons, &subject, indices);
    assert_int_equal(view_ribbons_fill(&ribbons, &subject, &eye, &light, corners), SHEAF_OK);
    const view_corner *root = &corners[ribbons.first_corner[7]]; // both sides of vertex 0 of strand 7
    double wide = 0;
    for (int c = 0; c < 3; c++) {
        const double middle = ((double)root[0].position[c] + (double)root[1].position[c]) / 2 + eye.place[c];
        assert_close(middle, it.positions[7 * EACH][c], 1e-5);
        wide += pow((double)root[0].position[c] - (double)root[1].position[c], 2);
    }
    assert_close(sqrt(wide), 0.02, 1e-5);
    for (uint64_t k = 0; k < ribbons.index_count; k++)
        assert_true(indices[k] < ribbons.corner_count);
    assert_true(indices[ribbons.index_count - 1] < 26); // the tube, drawn last, is strand 0
    assert_int_equal(view_ribbons_plan(&ribbons, &subject, (view_fineness){.most_corners = STRANDS * EACH, .parts = 3}),
                     SHEAF_OK);
    assert_true(ribbons.strand_step > 1 && ribbons.parts == 1 && ribbons.corner_count <= STRANDS * EACH);
    base_free(corners);
    base_free(indices);
    view_ribbons_free(&ribbons);
    view_light_close(&light);
}

// Triangles face outwards along their corners' normals, and the surface has the area that it should.
static void check_shape(view_shape *shape, double area, double tolerance)
{
    double sum = 0;
    assert_true(shape->index_count > 0 && shape->index_count % 3 == 0);
    for (uint32_t k = 0; k < shape->index_count; k += 3) {
        double sides[2][3], cross[3];
        for (int c = 0; c < 3; c++)
            assert_true(shape->indices[k + (uint32_t)c] < shape->corner_count);
        const uint32_t *corner = shape->indices + k;
        vec_sub(sides[0], shape->points[corner[1]], shape->points[corner[0]]);
        vec_sub(sides[1], shape->points[corner[2]], shape->points[corner[0]]);
        vec_cross(cross, sides[0], sides[1]);
        assert_true(vec_dot(cross, shape->normals[corner[0]]) >= -1e-12);
        sum += vec_length(cross) / 2;
    }
    assert_close(sum / area, 1, tolerance);
    view_shape_free(shape);
}

static void test_shapes(void **state)
{
    (void)state;
    static const double round[3] = {1, 1, 1}, half[3] = {1, 2, 3}, flat[3] = {1, 1, 1e-9};
    const double pi = 3.14159265358979323846;
    view_shape shape;
    assert_int_equal(view_shape_capsule(&shape, 2, 3, round), SHEAF_OK);
    check_shape(&shape, 4 * pi * 4 + 2 * pi * 2 * 6, 0.01);
    assert_int_equal(view_shape_capsule(&shape, 1, 0, flat), SHEAF_OK);
    check_shape(&shape, 2 * pi, 0.01);
    assert_int_equal(view_shape_cylinder(&shape, 2, 3), SHEAF_OK);
    check_shape(&shape, 2 * pi * 4 + 2 * pi * 2 * 6, 0.01);
    assert_int_equal(view_shape_box(&shape, half), SHEAF_OK);
    check_shape(&shape, 88, 1e-9);
    assert_int_equal(view_shape_square(&shape, 3), SHEAF_OK);
    check_shape(&shape, 36, 1e-9);
}

// A ball, read off the distances that strands are kept out by.
static void test_shape_of_a_grid(void **state)
{
    (void)state;
    enum { SIDES = 24 };
    static float distance[SIDES * SIDES * SIDES];
    mesh_grid grid = {.count = {SIDES, SIDES, SIDES}, .low = {4, 4, 4}, .cell = 0.1, .distance = distance};
    view_shape shape;
    for (int k = 0; k < SIDES * SIDES * SIDES; k++) {
        const double at[3] = {0.1 * (k % SIDES) - 1.15, 0.1 * (k / SIDES % SIDES) - 1.15,
                              0.1 * (k / SIDES / SIDES) - 1.15};
        distance[k] = (float)(vec_length(at) - 0.8);
    }
    assert_int_equal(view_shape_grid(&shape, &grid), SHEAF_OK);
    for (uint32_t k = 0; k < shape.corner_count; k++)
        assert_close(vec_length(shape.points[k]), 0.8, 0.01);
    check_shape(&shape, 4 * 3.14159265358979323846 * 0.64, 0.02);
}

static void test_edited_scene(void **state)
{
    (void)state;
    static const scene_edit edits[] = {
        {"/", "gravity", "[0, 0, -1]"}, {"/materials/hair", "young", "1 GPa"}, {"/wind", "velocity", "[3, 0, 0]"}};
    base_text text = {0};
    sheaf_scene *scene = NULL;
    assert_int_equal(scene_edit_file("scenes/hair.yaml", edits, 3, &text), SHEAF_OK);
    assert_int_equal(sheaf_scene_parse(text.bytes, text.length, "scenes/edited.yaml", &scene), SHEAF_OK);
    assert_close(scene->def.gravity[2], -1, 0);
    assert_close(scene->def.wind[0], 3, 0);
    assert_close(scene->materials[0].young, 1e9, 0);
    assert_close(scene->materials[0].shear, 1.3e9, 1); // the rest stays
    sheaf_scene_free(scene);
    base_text_free(&text);
    assert_int_equal(scene_edit_file("no/such.yaml", edits, 1, &text), SHEAF_ERR_IO);
}

static void test_scale_of_colours(void **state)
{
    (void)state;
    float low[3], high[3];
    view_scale_colour(-1, low);
    view_scale_colour(2, high);
    assert_true(low[2] > low[0] && high[0] > high[2]);
    assert_close(view_linear(0), 0, 0);
    assert_close(view_linear(1), 1, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_framing_takes_everything_in),
        cmocka_unit_test(test_pixels_and_points_belong_together),
        cmocka_unit_test(test_light_is_lost_inside_a_clump),
        cmocka_unit_test(test_ribbons_follow_their_strands),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_shape_of_a_grid),
        cmocka_unit_test(test_scale_of_colours),
        cmocka_unit_test(test_edited_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
