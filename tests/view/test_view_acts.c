// test_view_acts: drawing as the window does it, without one: twenty scenes of every kind are opened, run, drawn fifty
// times each and closed, and nothing is left behind, in memory or in the graphics; a context that is lost is told.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "scene/scene.h"
#include "view/context.h"
#include "view/gl.h"
#include "view/live.h"
#include "view/measure.h"
#include "view/painter.h"
#include "view/shadow.h"
#include "view/stage.h"

enum { SCENES = 20, FRAMES = 50, WIDTH = 48, HEIGHT = 27 };

#define HEAD                                                                                                           \
    "sheaf: 1\ntime: { step: 1/100 s, end: 1 s }\n"                                                                    \
    "materials: { hair: { density: 1300, young: 3e9, shear: 1e9, radius: 50e-6 } }\n"                                  \
    "motion: { hand: { move: [{ sine: { amplitude: 1 cm, period: 0.3 s } }, 0, 0] } }\n"
#define GROOM(surface)                                                                                                 \
    HEAD "strands: [{ groom: { on: { " surface                                                                         \
         " }, count: 9, vertices: 6, length: { mean: 8 cm } }, root: { clamp: hand } }]\n"
#define ROD HEAD "strands: [{ shape: { straight: { length: 20 cm, vertices: 8, direction: x } } }]\n"

static const char *const texts[] = {
    GROOM("sphere: { radius: 5 cm }"),
    GROOM("plane: { size: [20 cm, 10 cm] }"),
    GROOM("plane: { up: -z, size: [20 cm, 10 cm] }"),
    GROOM("ellipsoid: { radii: [5 cm, 6 cm, 7 cm] }") "colliders: [{ sphere: { radius: 5 cm }, follow: hand }]\n",
    GROOM("mesh: { file: meshes/cube.obj, unit: cm, up: z }") "view: { ground: none }\n",
    GROOM("heights: { file: maps/ramp.npy, size: [20 cm, 10 cm], high: 2 cm }"),
    ROD "colliders: [{ plane: { point: [0, 0, -10 cm], normal: z } }, { plane: { point: [0, 1 m, 0], normal: -y } }]\n",
    ROD "colliders: [{ box: { center: [0, 0, -20 cm], size: [10 cm, 10 cm, 2 cm] } },\n"
        "  { cylinder: { from: [0, 0, -20 cm], to: [0, 10 cm, -20 cm], radius: 2 cm }, follow: hand }]\n",
    ROD "colliders: [{ capsule: { from: [0, 0, -20 cm], to: [0, 10 cm, -20 cm], radius: 2 cm } },\n"
        "  { ellipsoid: { center: [0, 0, -30 cm], radii: [1 cm, 2 cm, 3 cm] } }]\n",
    ROD "colliders: [{ mesh: { file: meshes/cube.obj, unit: cm, up: z, center: [0, 0, -20 cm] } }]\n",
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

// ---- what is alive

static atomic_long alive;

static void *count_allocate(size_t size, void *user)
{
    void *memory = malloc(size);
    (void)user;
    alive += memory != NULL;
    return memory;
}

static void *count_reallocate(void *memory, size_t size, void *user)
{
    void *moved = realloc(memory, size);
    (void)user;
    alive += memory == NULL && moved != NULL;
    return moved;
}

static void count_release(void *memory, void *user)
{
    (void)user;
    alive -= memory != NULL;
    free(memory);
}

// Objects of the graphics, by their names.
static int count_objects(void)
{
    int count = 0;
    for (GLuint name = 1; name < 2000; name++)
        count += glIsBuffer(name) + glIsVertexArray(name) + glIsTexture(name) + glIsFramebuffer(name) +
                 glIsRenderbuffer(name) + glIsProgram(name) + glIsShader(name);
    return count;
}

#ifdef __GLIBC__
// Keeps graphics drivers in memory: what they never give back is told by their names.
static int keep_driver(struct dl_phdr_info *module, size_t size, void *user)
{
    (void)size, (void)user;
    if (strstr(module->dlpi_name, "_dri.so") != NULL || strstr(module->dlpi_name, "EGL") != NULL)
        (void)dlopen(module->dlpi_name, RTLD_LAZY | RTLD_NODELETE);
    return 0;
}
#endif

// ---- an act

typedef struct act {
    sheaf_scene *scene;
    sheaf_model *model;
    sheaf_solver *solver;
    view_stage stage;
    view_live *live;
    view_shadow *shadow;
    view_painter *painter;
    view_canvas *canvas;
    view_camera camera;
    float *values;
} act;

static void check(sheaf_status status)
{
    if (status != SHEAF_OK)
        fail_msg("%s: %s", sheaf_status_name(status), sheaf_last_error());
}

static void open_act(act *a, const char *text)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    double points[256][3];
    def.backend = SHEAF_BACKEND_REFERENCE;
    def.threads = 1;
    check(sheaf_scene_parse(text, strlen(text), "tests/data/scene.yaml", &a->scene));
    check(sheaf_model_create(a->scene, &a->model));
    check(sheaf_solver_open(a->model, &def, &a->solver));
    check(view_stage_open(a->scene, a->model, &a->stage));
    check(view_live_open(a->solver, a->model, a->model->def.step, &a->live));
    check(view_shadow_open(a->model, 0, a->model->def.step, a->live, &a->shadow));
    const view_subject subject = view_stage_subject(&a->stage);
    const view_extent extent = view_subject_measure(&subject);
    view_stage_place_ground(&a->stage, extent.lowest, extent.size);
    const uint64_t count = view_subject_sample(&subject, points, 256);
    a->camera = view_stage_camera(&a->stage, (const double(*)[3])points, count, (double)WIDTH / HEIGHT);
    const view_style style = view_stage_style(&a->stage);
    const view_quality quality = {
        .fineness = view_quality_live.fineness, .light_cells = 12, .light_texels = 16}; // quick
    check(view_painter_open(&style, quality, &a->painter));
    check(view_canvas_open(WIDTH, HEIGHT, a->scene->collider_count > 0 ? VIEW_CANVAS_SMOOTH : VIEW_CANVAS_PLAIN,
                           &a->canvas));
    a->values = calloc(a->model->vertex_count, sizeof *a->values);
    assert_non_null(a->values);
}

static void close_act(act *a, double (*positions)[3], double (*directors)[3])
{
    a->stage.positions = positions;
    a->stage.directors = directors;
    view_canvas_close(a->canvas);
    view_painter_close(a->painter);
    view_shadow_close(a->shadow);
    view_live_close(a->live);
    view_stage_close(&a->stage);
    sheaf_solver_close(a->solver);
    sheaf_model_free(a->model);
    sheaf_scene_free(a->scene);
    free(a->values);
}

// One picture of the newest snapshot; everything that can be changed while a window is open is, now and then.
static sheaf_status draw_frame(act *a, uint32_t frame, const uint8_t **pixels)
{
    bool is_new;
    uint32_t width, height;
    const double target[3] = {0.1, 0, 0.1};
    if (frame == 10)
        view_live_play(a->live, true);
    view_live_grab(a->live, frame % 20 < 10 ? 0 : UINT32_MAX, 2, target);
    view_live_step(a->live, 1);
    const view_snapshot *snapshot = view_live_take(a->live, &is_new);
    a->stage.positions = snapshot->positions;
    if (a->stage.directors != NULL)
        a->stage.directors = snapshot->directors;
    assert_int_equal(view_stage_set_time(&a->stage, snapshot->report.time), SHEAF_OK);
    view_shadow_follow(a->shadow, snapshot->report.step, snapshot->report.time, (const double(*)[3])a->stage.positions);
    view_subject subject = view_stage_subject(&a->stage);
    const view_measured measured = {.velocities = (const double(*)[3])snapshot->velocities, .frozen = snapshot->frozen};
    const view_colour colour = (view_colour)(frame / 5 % VIEW_COLOUR_COUNT);
    if (colour != VIEW_COLOUR_NATURAL) {
        (void)view_measure(&a->stage, colour, &measured, a->values);
        subject.values = a->values;
    }
    if (frame % 16 == 0)
        view_painter_set_quality(a->painter, frame % 32 == 0 ? view_quality_live : view_quality_best);
    view_camera_turn(&a->camera, 0.05, 0);
    view_canvas_bind(a->canvas, &width, &height);
    SHEAF_TRY(view_painter_draw(a->painter, &subject, &a->camera, width, height, frame % 16 == 0));
    return view_canvas_read(a->canvas, pixels);
}

static int spread_of(const uint8_t *pixels)
{
    int low = 255, high = 0;
    for (int k = 0; k < WIDTH * HEIGHT * 3; k++) {
        low = pixels[k] < low ? pixels[k] : low;
        high = pixels[k] > high ? pixels[k] : high;
    }
    return high - low;
}

// ---- tests

static void test_nothing_is_left_of_twenty_scenes(void **state)
{
    (void)state;
    view_context *context;
    check(view_context_open(&context));
    const long before = alive;
    for (int k = 0; k < SCENES; k++) {
        act a = {0};
        const uint8_t *pixels = NULL;
        open_act(&a, texts[k % TEXTS]);
        double(*positions)[3] = a.stage.positions, (*directors)[3] = a.stage.directors;
        int spread = 0;
        for (uint32_t frame = 0; frame < FRAMES; frame++) {
            check(draw_frame(&a, frame, &pixels));
            spread = spread_of(pixels) > spread ? spread_of(pixels) : spread;
        }
        assert_true(spread > 60); // something was to be seen
        check(view_live_status(a.live));
        assert_true(count_objects() > 10);
        close_act(&a, positions, directors);
        assert_int_equal(count_objects(), 0);
        assert_int_equal(alive, before);
    }
    view_context_close(context);
    assert_true(alive < before); // the context was still there
}

static GLenum say_lost(void)
{
    return GL_CONTEXT_LOST;
}

static void test_a_lost_context_is_told(void **state)
{
    (void)state;
    act a = {0};
    const uint8_t *pixels = NULL;
    view_context *context;
    check(view_context_open(&context));
    open_act(&a, texts[0]);
    double(*positions)[3] = a.stage.positions, (*directors)[3] = a.stage.directors;
    check(draw_frame(&a, 0, &pixels));
    const PFNGLGETERRORPROC honest = epoxy_glGetError;
    epoxy_glGetError = say_lost;
    assert_int_equal(draw_frame(&a, 1, &pixels), SHEAF_ERR_DEVICE);
    assert_non_null(strstr(sheaf_last_error(), "context was lost"));
    epoxy_glGetError = honest;
    check(draw_frame(&a, 2, &pixels));
    close_act(&a, positions, directors);
    view_context_close(context);
}

int main(void)
{
    const sheaf_allocator counting = {count_allocate, count_reallocate, count_release, NULL};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_left_of_twenty_scenes),
        cmocka_unit_test(test_a_lost_context_is_told),
    };
    check(sheaf_allocator_set(&counting));
    view_context *context;
    if (view_context_open(&context) != SHEAF_OK) {
        printf("skipped: %s\n", sheaf_last_error());
        return 77;
    }
#ifdef __GLIBC__
    dl_iterate_phdr(keep_driver, NULL);
#endif
    view_context_close(context);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
