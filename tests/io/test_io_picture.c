// test_io_picture: pictures of few and many strands, of any size, hold what they should and stay small.
#include "io/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "io/camera.h"

#include "unit.h"

// Strands of `vertices` each, hanging from places on a circle; closed ones lie as rings about it.
static sheaf_model *make_model(uint32_t strands, uint32_t vertices, bool closed)
{
    static const sheaf_end_def clamped = {.hold_position = true, .hold_tangent = true},
                               pinned = {.hold_position = true};
    sheaf_model *model = base_alloc(1, sizeof *model);
    model->def.gravity[2] = -9.81;
    model->strand_count = strands;
    model->vertex_count = (uint64_t)strands * vertices;
    model->first_vertex = base_alloc(strands + 1, sizeof *model->first_vertex);
    model->strands = base_alloc(strands, sizeof *model->strands);
    model->position = base_alloc(model->vertex_count, sizeof *model->position);
    model->rest_length = base_alloc(model->vertex_count, sizeof *model->rest_length);
    model->radius = base_alloc(model->vertex_count, sizeof *model->radius);
    for (uint32_t s = 0; s < strands; s++) {
        model->first_vertex[s + 1] = (uint64_t)(s + 1) * vertices;
        model->strands[s].closed = closed;
        model->strands[s].root = &clamped;
        model->strands[s].tip = &pinned;
        for (uint32_t i = 0; i < vertices; i++) {
            const double a = 6.28 * s / strands, b = 6.28 * i / vertices;
            double *x = model->position[(uint64_t)s * vertices + i];
            if (closed)
                vec_set(x, cos(b), sin(b), 0.1 * s);
            else
                vec_set(x, cos(a), sin(a), -2.0 * i / vertices);
            model->rest_length[(uint64_t)s * vertices + i] = i + 1 < vertices ? 2.0 / vertices : 0;
        }
    }
    return model;
}

static void free_model(sheaf_model *model)
{
    base_free(model->first_vertex);
    base_free(model->strands);
    base_free(model->position);
    base_free(model->rest_length);
    base_free(model->radius);
    base_free(model);
}

static void draw(sheaf_model *model, const io_ball *balls, uint32_t ball_count, base_text *svg)
{
    const io_picture picture = {model, (const double(*)[3])model->position, 1.5, balls, ball_count, NULL};
    *svg = (base_text){0};
    assert_int_equal(io_picture_draw(&picture, svg), SHEAF_OK);
    assert_true(svg->length < 2000000);
    assert_null(strstr(svg->bytes, "nan"));
    assert_null(strstr(svg->bytes, "inf"));
    assert_memory_equal(svg->bytes + svg->length - 7, "</svg>\n", 7);
}

static void any_number_of_strands_stays_small(void **state)
{
    (void)state;
    static const struct {
        uint32_t strands, vertices;
        bool in_part;
    } sizes[] = {{1, 3, false},    {1, 4096, false},  {12, 4096, false},  {13, 3, false},
                 {200, 32, false}, {20000, 32, true}, {300, 1000, false}, {1000, 1000, true}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        for (int closed = 0; closed < 2; closed++) {
            sheaf_model *model = make_model(sizes[k].strands, sizes[k].vertices, closed);
            base_text svg;
            draw(model, NULL, 0, &svg);
            assert_int_equal(strstr(svg.bytes, "one strand in") != NULL, sizes[k].in_part);
            base_text_free(&svg);
            free_model(model);
        }
}

static void caption_tells_title_time_and_counts(void **state)
{
    (void)state;
    sheaf_model *model = make_model(2, 5, false);
    model->def.title = "ropes & rods";
    base_text svg;
    draw(model, NULL, 0, &svg);
    assert_non_null(strstr(svg.bytes, "ropes &amp; rods"));
    assert_non_null(strstr(svg.bytes, "t = 1.5 s, 2 strands, 10 vertices"));
    assert_non_null(strstr(svg.bytes, "50 cm"));
    base_text_free(&svg);
    free_model(model);
}

static void a_ball_hides_what_is_behind_it(void **state)
{
    (void)state;
    sheaf_model *model = make_model(40, 8, false);
    const io_ball ball = {{0, 0, -1}, 0.8};
    base_text svg;
    draw(model, &ball, 1, &svg);
    const char *place = strstr(svg.bytes, "url(#ball)"), *strands = strstr(svg.bytes, "stroke-linecap='round'>\n<path");
    assert_non_null(place);
    assert_null(strstr(place + 1, "url(#ball)"));
    assert_true(place - strands > (svg.bytes + svg.length - strands) / 4); // some strands before it, some after
    assert_true(place - strands < (svg.bytes + svg.length - strands) * 3 / 4);
    base_text_free(&svg);
    free_model(model);
}

static void without_extent_or_gravity_it_still_draws(void **state)
{
    (void)state;
    sheaf_model *model = make_model(1, 3, false);
    model->def.gravity[2] = 0;
    for (int i = 0; i < 3; i++)
        vec_set(model->position[i], 1, 1, 1);
    base_text svg;
    draw(model, NULL, 0, &svg);
    base_text_free(&svg);
    free_model(model);
}

static void flat_figures_are_seen_from_where_they_show(void **state)
{
    (void)state;
    double ring[60][3], wall[60][3];
    const double up[3] = {0, 0, 1};
    for (int k = 0; k < 60; k++) {
        vec_set(ring[k], cos(0.1047 * k), sin(0.1047 * k), 0);
        vec_set(wall[k], 0, cos(0.1047 * k), sin(0.1047 * k));
    }
    const io_camera above = io_camera_choose((const double(*)[3])ring, 60, up);
    const io_camera aside = io_camera_choose((const double(*)[3])wall, 60, up);
    assert_true(above.forward[2] < -0.7);
    assert_true(fabs(aside.forward[0]) > 0.9);
}

static void framing_holds_every_point(void **state)
{
    (void)state;
    double points[200][3];
    for (uint64_t k = 0; k < 200; k++) {
        double u[4];
        base_uniform4(3, 0, k, u);
        vec_set(points[k], 5 * u[0], u[1] - 7, 0.3 * u[2]);
    }
    io_camera camera = io_camera_choose((const double(*)[3])points, 200, (const double[3]){0, 0, 1});
    io_camera_fit(&camera, (const double(*)[3])points, 200, 800, 50);
    double left = 800;
    for (int k = 0; k < 200; k++) {
        const io_pixel p = io_camera_project(&camera, points[k]);
        assert_true(p.x > 49.9 && p.x < 750.1 && p.y > 49.9 && p.y < camera.height - 49.9);
        left = fmin(left, p.x);
    }
    assert_true(fabs(left - 50) <= 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_strands_stays_small),
        cmocka_unit_test(caption_tells_title_time_and_counts),
        cmocka_unit_test(a_ball_hides_what_is_behind_it),
        cmocka_unit_test(without_extent_or_gravity_it_still_draws),
        cmocka_unit_test(flat_figures_are_seen_from_where_they_show),
        cmocka_unit_test(framing_holds_every_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
