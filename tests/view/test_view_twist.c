// test_view_twist: what is drawn of a run's trajectory is turned as the scene imposes: the stripe of a cable whose tip
// is turned goes around it as often as the tip.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

#include "base/vec.h"
#include "io/positions.h"
#include "run/frames.h"
#include "solver/solver.h"
#include "view/reel.h"
#include "view/ribbons.h"
#include "view/stage.h"

// A straight cable along x whose tip is turned three times in 0.3 s, by steps of 1/240 s.
static const char cable[] = "sheaf: 1\n"
                            "time: { step: 1/240 s, end: 1 s }\n"
                            "gravity: [0, 0, 0]\n"
                            "materials: { rubber: { density: 1100 kg/m^3, young: 3 MPa, shear: 1 MPa, radius: 3 mm, "
                            "drag: 1 Pa*s, damping: 5 ms } }\n"
                            "strands:\n"
                            "  - { shape: { straight: { direction: x, length: 50 cm, vertices: 20 } }, root: clamp,\n"
                            "      tip: { hold: clamp, twist: { ramp: { to: 3 turns, over: 0.3 s } } } }\n";

// A run of one frame, and a solver at the same moment.
typedef struct record {
    char folder[64], *path;
    sheaf_scene *scene;
    sheaf_model *model;
    sheaf_solver *solver;
    groom_source source;
    view_reel reel;
} record;

static void must(sheaf_status status)
{
    if (status != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
}

static void make_record(record *r, const char *text, uint32_t steps)
{
    *r = (record){.folder = "/tmp/sheaf-twist-XXXXXX"};
    assert_non_null(mkdtemp(r->folder));
    must(sheaf_scene_parse(text, strlen(text), "scene", &r->scene));
    must(sheaf_model_create(r->scene, &r->model));
    sheaf_solver_def def = sheaf_solver_def_default();
    def.backend = SHEAF_BACKEND_REFERENCE;
    must(sheaf_solver_open(r->model, &def, &r->solver));
    const io_folder folder = {.path = r->folder};
    run_frames frames = {0};
    must(run_frames_start(&frames, &folder, r->model, r->solver, 1));
    must(sheaf_solver_step(r->solver, steps));
    must(run_frames_add(&frames, r->solver, steps / 240.0));
    must(run_frames_close(&frames));
    r->path = io_path_join(r->folder, IO_TRAJECTORY_NAME);
    must(groom_open(&io_format_vtkhdf, r->path, &r->source));
    must(view_reel_open(&r->source, &r->reel));
}

static void drop_record(record *r)
{
    view_reel_close(&r->reel);
    groom_close(&r->source);
    sheaf_solver_close(r->solver);
    sheaf_model_free(r->model);
    sheaf_scene_free(r->scene);
    assert_int_equal(unlink(r->path), 0);
    assert_int_equal(rmdir(r->folder), 0);
    base_free(r->path);
}

// A component of a vector of three times ten bits.
static double component(uint32_t packed, int c)
{
    const int32_t bits = (int32_t)(packed >> (10 * c) & 0x3ff);
    return (bits < 512 ? bits : bits - 1024) / 511.0;
}

// How far the stripe of the one strand goes around x from its first corner to its last, rad.
static double drawn_turn(const view_subject *subject)
{
    static const double up[3] = {0, 0, 1};
    view_ribbons ribbons = {0};
    view_light light;
    const view_extent extent = view_subject_measure(subject);
    const view_camera camera = view_camera_choose(subject->positions, view_vertex_count(subject), up, 1.5);
    const view_eye eye = view_camera_eye(&camera, 900, 600);
    must(view_light_open(&light, 16, 16));
    must(view_light_cast(&light, subject, &extent, up, 0.01, 0));
    must(view_ribbons_plan(&ribbons, subject, (view_fineness){.most_corners = 1u << 20, .parts = 3}));
    view_ribbons_set_line(&ribbons, subject, extent.length, &eye, camera.distance);
    view_corner *corners = base_alloc(ribbons.corner_count, sizeof *corners);
    assert_non_null(corners);
    must(view_ribbons_fill(&ribbons, subject, &eye, &light, corners));
    double turn = 0, last = 0;
    for (uint64_t k = 0; k < ribbons.corner_count; k += 2) { // two corners at a place
        const double angle = atan2(component(corners[k].director, 2), component(corners[k].director, 1));
        turn += k > 0 ? remainder(angle - last, 2 * 3.14159265358979323846) : 0;
        last = angle;
    }
    base_free(corners);
    view_ribbons_free(&ribbons);
    view_light_close(&light);
    return turn;
}

// From the file alone, without the scene. Ten bits of a director are 2e-3 rad, at each end.
static void a_film_shows_the_twist_that_is_imposed(void **state)
{
    (void)state;
    enum { STEPS = 36 }; // 0.15 s: one and a half turns
    record r;
    view_stage stage;
    make_record(&r, cable, STEPS);
    must(view_stage_open_groom(&r.source.groom, NULL, NULL, &stage));
    must(view_reel_load(&r.reel, 0, &stage));
    view_subject subject = view_stage_subject(&stage);
    assert_close(drawn_turn(&subject), 3 * 3.14159265358979323846, 6e-3);
    view_stage_carry_directors(&stage, 0); // what is drawn of a file that does not tell
    subject = view_stage_subject(&stage);
    assert_close(drawn_turn(&subject), 0, 6e-3);
    view_stage_close(&stage);
    drop_record(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_film_shows_the_twist_that_is_imposed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
