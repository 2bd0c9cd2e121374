// test_memory: every allocation of a whole run is made to fail in turn; each time the failure is told and nothing
// leaks.
#include "scene/scene.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "populations.h"
#include "run/run.h"

#include "unit.h"

// An allocator whose `fail_at`-th request (from 0) and, with `keep_failing`, all later ones find no memory.
typedef struct meter {
    atomic_size_t requests;
    atomic_size_t live;
    size_t fail_at;
    bool keep_failing;
} meter;

static bool refuses(meter *m)
{
    const size_t request = atomic_fetch_add(&m->requests, 1);
    return request == m->fail_at || (m->keep_failing && request > m->fail_at);
}

static void *meter_allocate(size_t size, void *user)
{
    meter *m = user;
    if (refuses(m))
        return NULL;
    atomic_fetch_add(&m->live, 1);
    return malloc(size);
}

static void *meter_reallocate(void *memory, size_t size, void *user)
{
    return refuses(user) ? NULL : realloc(memory, size);
}

static void meter_release(void *memory, void *user)
{
    meter *m = user;
    atomic_fetch_sub(&m->live, 1);
    free(memory);
}

static const double keys[2][2] = {{0, 0}, {1, 0.01}};
static const sheaf_course keyed = {.kind = SHEAF_COURSE_KEYS, .keys = &keys[0][0], .key_count = 2};

// A scene that owns something of every kind: names, keys, points, spacings, holds, natural points, a groom, a ring.
static sheaf_status fill_scene(sheaf_scene *scene)
{
    static double points[6][3];
    static const double spacing[5] = {1, 2, 1, 2, 1};
    const sheaf_hold_def hold = {.edge = 2, .twist = keyed};
    sheaf_material_def material = sheaf_material_def_default();
    sheaf_motion_def motion = sheaf_motion_def_default();
    sheaf_strand_def strand = sheaf_strand_def_default();
    for (int i = 0; i < 6; i++)
        points[i][0] = 0.01 * i;
    material.radius[1] = 30e-6;
    motion.move[0] = keyed;
    SHEAF_TRY(sheaf_scene_add_material(scene, &material, NULL));
    SHEAF_TRY(sheaf_scene_add_motion(scene, &motion, NULL));
    strand.vertex_count = 6;
    strand.root.motion = 0;
    strand.root.twist = strand.tip.force[1] = keyed;
    strand.holds = &hold;
    strand.hold_count = 1;
    strand.shape = SHEAF_SHAPE_POINTS;
    strand.points = strand.natural_points = &points[0][0];
    strand.natural = SHEAF_NATURAL_POINTS;
    SHEAF_TRY(sheaf_scene_add_strand(scene, &strand));
    strand.shape = SHEAF_SHAPE_STRAIGHT;
    strand.natural = SHEAF_NATURAL_SHAPE;
    strand.spacing = spacing;
    SHEAF_TRY(sheaf_scene_add_strand(scene, &strand));
    sheaf_strand_def ring = sheaf_strand_def_default();
    ring.shape = SHEAF_SHAPE_CIRCLE;
    ring.root = sheaf_end_free();
    SHEAF_TRY(sheaf_scene_add_strand(scene, &ring));
    grow_def def = population_def(3, 12);
    def.curl_radius = 0.005;
    def.curl_pitch = 0.02;
    def.gather[GROW_CLUMPS] = (grow_gather){.strands = 2, .strength = 0.5};
    def.comb = (grow_comb){.kind = GROW_COMB_ALONG, .vector = {1, 0, 0}};
    def.drape = (grow_drape){.lift = 0.01, .smooth = 0.1};
    scene_group grown = {.strand = sheaf_strand_def_default()};
    SHEAF_TRY(grow_create(&def, (grow_room){SCENE_MAX_STRANDS, SCENE_MAX_ALL_VERTICES}, &grown.grown));
    const sheaf_status status = scene_add_group(scene, &grown);
    grow_release(grown.grown);
    return status;
}

static char checkpoint[64];

static sheaf_status move_population(const sheaf_model *model, uint32_t threads)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    def.backend = SHEAF_BACKEND_REFERENCE;
    sheaf_solver *solver;
    sheaf_report report;
    def.threads = threads;
    SHEAF_TRY(sheaf_solver_open(model, &def, &solver));
    sheaf_status status = sheaf_solver_step(solver, 3);
    if (status == SHEAF_OK)
        status = sheaf_solver_report(solver, &report);
    if (status == SHEAF_OK)
        status = sheaf_solver_save(solver, checkpoint);
    if (status == SHEAF_OK)
        status = sheaf_solver_load(solver, checkpoint);
    sheaf_solver_close(solver);
    return status;
}

static char results[64]; // folder

// The same by the driver of runs, into a folder; and finds its scene there again.
static sheaf_status drive(const sheaf_scene *scene, const sheaf_model *model, const char *path, sheaf_solver *solver)
{
    const run_def def = {
        .scene = scene, .model = model, .scene_path = path, .folder = results, .steps = 3, .checkpoint_every = 1000};
    run *r;
    run_kept kept = {0};
    sheaf_status status = run_open(&def, &r);
    if (status == SHEAF_OK)
        status = run_start(r, solver, true);
    if (status == SHEAF_OK)
        status = run_simulate(r);
    if (status == SHEAF_OK)
        status = run_finish(r, 0);
    json_t *record = status == SHEAF_OK ? io_record_json(&run_results_of(r)->record) : NULL;
    if (status == SHEAF_OK)
        status = record != NULL ? run_kept_find(results, record, &kept) : SHEAF_ERR_MEMORY;
    assert_true(status != SHEAF_OK || kept.missing.length == 0);
    run_kept_free(&kept);
    json_decref(record);
    run_close(r);
    return status;
}

static sheaf_status drive_model(const sheaf_scene *scene, const sheaf_model *model, const char *path)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_solver *solver;
    def.backend = SHEAF_BACKEND_REFERENCE;
    def.threads = 1;
    SHEAF_TRY(sheaf_solver_open(model, &def, &solver));
    const sheaf_status status = drive(scene, model, path, solver);
    sheaf_solver_close(solver);
    return status;
}

// What is run: the scene above, or one read from a file.
typedef struct job {
    const char *path; // NULL: the scene above
    sheaf_integrator integrator;
    uint32_t threads;
    bool is_driven; // into a folder
} job;

static sheaf_status make_scene(const job *j, sheaf_scene **scene)
{
    sheaf_scene_def def = sheaf_scene_def_default();
    if (j->path != NULL)
        return sheaf_scene_load(j->path, scene);
    def.title = "memory";
    def.integrator = j->integrator;
    if (j->integrator == SHEAF_INTEGRATOR_EXPLICIT)
        def.step = 1e-6;
    SHEAF_TRY(sheaf_scene_create(&def, scene));
    const sheaf_status status = fill_scene(*scene);
    if (status != SHEAF_OK)
        sheaf_scene_free(*scene);
    return status;
}

static sheaf_status do_job(const job *j)
{
    sheaf_scene *scene;
    sheaf_model *model;
    SHEAF_TRY(make_scene(j, &scene));
    sheaf_status status = sheaf_model_create(scene, &model);
    if (status == SHEAF_OK && j->is_driven)
        status = drive_model(scene, model, j->path);
    sheaf_scene_free(scene);
    if (status == SHEAF_OK && !j->is_driven)
        status = move_population(model, j->threads);
    sheaf_model_free(model);
    return status;
}

// Runs once with failures from request `fail_at` on; returns the status. No block may be left.
static sheaf_status run_metered(meter *m, const job *j)
{
    const sheaf_allocator allocator = {meter_allocate, meter_reallocate, meter_release, m};
    atomic_store(&m->requests, 0);
    atomic_store(&m->live, 0);
    assert_int_equal(sheaf_allocator_set(&allocator), SHEAF_OK);
    const sheaf_status status = do_job(j);
    assert_int_equal(atomic_load(&m->live), 0);
    assert_int_equal(sheaf_allocator_set(NULL), SHEAF_OK); // refused when anything is alive
    return status;
}

static void fail_every_allocation(const job *j, bool keep_failing)
{
    meter m = {.fail_at = SIZE_MAX, .keep_failing = keep_failing};
    if (run_metered(&m, j) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    const size_t count = atomic_load(&m.requests);
    assert_true(count > 60);
    for (m.fail_at = 0; m.fail_at < count; m.fail_at++) {
        const sheaf_status status = run_metered(&m, j);
        if (status != SHEAF_ERR_MEMORY)
            fail_msg("request %zu of %zu failed, but the run says %s", m.fail_at, count, sheaf_status_name(status));
        assert_non_null(strstr(sheaf_last_error(), "out of memory"));
    }
}

static void any_allocation_may_fail(void **fixture)
{
    (void)fixture;
    fail_every_allocation(&(job){.integrator = SHEAF_INTEGRATOR_BDF2, .threads = 1}, false);
    fail_every_allocation(&(job){.integrator = SHEAF_INTEGRATOR_EXPLICIT, .threads = 1}, false);
}

static void memory_may_stay_out(void **fixture)
{
    (void)fixture;
    fail_every_allocation(&(job){.integrator = SHEAF_INTEGRATOR_BDF2, .threads = 1}, true);
    fail_every_allocation(&(job){.integrator = SHEAF_INTEGRATOR_BDF2, .threads = 2}, true);
}

static void files_may_be_read_without_memory(void **fixture)
{
    (void)fixture;
    const char *const paths[] = {"scenes/cable.yaml", "scenes/ring.yaml", "scenes/spring.yaml", "scenes/twist.yaml"};
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
        fail_every_allocation(&(job){.path = paths[k], .threads = 1}, false);
        fail_every_allocation(&(job){.path = paths[k], .threads = 1}, true);
    }
}

// A whole run with its folder: frames with angles of directors, copies of the scene and of a file that it names.
static void runs_may_find_no_memory(void **fixture)
{
    (void)fixture;
    static const char text[] =
        "sheaf: 1\ntime: { step: 1/100 s, end: 1 s, frames: 70 Hz }\n"
        "materials: { m: { density: 1 g/cm^3, young: 1 MPa, shear: 1 MPa, radius: [1 mm, 2 mm] } }\n"
        "strands: [{ shape: { straight: { length: 10 cm, vertices: 5 } } }]\n"
        "colliders: [{ mesh: { file: cube.obj, unit: mm, up: z, cell: 1 mm } }]\n";
    static const char cube[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                               "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    char base[] = "/tmp/sheaf-test-XXXXXX", scene[64], body[64], command[96];
    assert_non_null(mkdtemp(base));
    snprintf(results, sizeof results, "%s/run", base);
    snprintf(scene, sizeof scene, "%s/scene.yaml", base);
    snprintf(body, sizeof body, "%s/cube.obj", base);
    assert_int_equal(io_file_write(scene, false, text, sizeof text - 1), SHEAF_OK);
    assert_int_equal(io_file_write(body, false, cube, sizeof cube - 1), SHEAF_OK);
    fail_every_allocation(&(job){.path = scene, .is_driven = true}, false);
    snprintf(command, sizeof command, "rm -r %s", base);
    assert_int_equal(system(command), 0);
}

// A wrong file stays wrong; what cannot be told for lack of memory must not leak either.
static void wrong_files_may_be_read_without_memory(void **fixture)
{
    (void)fixture;
    const job five = {.path = "tests/data/scenes-bad/five_mistakes.yaml"};
    meter m = {.fail_at = SIZE_MAX};
    assert_int_equal(run_metered(&m, &five), SHEAF_ERR_INPUT);
    const size_t count = atomic_load(&m.requests);
    for (m.fail_at = 0; m.fail_at < count; m.fail_at++) {
        const sheaf_status status = run_metered(&m, &five);
        assert_true(status == SHEAF_ERR_MEMORY || status == SHEAF_ERR_INPUT);
    }
}

// Strands stand at different times when one of them ran out of memory.
static void a_solver_that_failed_steps_no_more(void **fixture)
{
    (void)fixture;
    meter m = {.fail_at = SIZE_MAX, .keep_failing = true};
    const sheaf_allocator allocator = {meter_allocate, meter_reallocate, meter_release, &m};
    const sheaf_scene_def settings = sheaf_scene_def_default();
    sheaf_solver_def def = sheaf_solver_def_default();
    def.backend = SHEAF_BACKEND_REFERENCE;
    double x[200][3];
    sheaf_scene *scene;
    sheaf_model *model;
    sheaf_solver *solver;
    assert_int_equal(sheaf_allocator_set(&allocator), SHEAF_OK);
    assert_int_equal(sheaf_scene_create(&settings, &scene), SHEAF_OK);
    assert_int_equal(fill_scene(scene), SHEAF_OK);
    assert_int_equal(sheaf_model_create(scene, &model), SHEAF_OK);
    assert_int_equal(sheaf_solver_open(model, &def, &solver), SHEAF_OK);
    m.fail_at = 0; // from now on
    assert_int_equal(sheaf_solver_step(solver, 1), SHEAF_ERR_MEMORY);
    m.fail_at = SIZE_MAX;
    assert_int_equal(sheaf_solver_step(solver, 1), SHEAF_ERR_USAGE);
    assert_non_null(strstr(sheaf_last_error(), "close it"));
    assert_int_equal(sheaf_solver_read_positions(solver, x, 200), SHEAF_OK);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
    sheaf_scene_free(scene);
    assert_int_equal(sheaf_allocator_set(NULL), SHEAF_OK);
}

static void the_explicit_limit_is_zero_without_memory(void **fixture)
{
    (void)fixture;
    meter m = {.fail_at = SIZE_MAX};
    const sheaf_allocator allocator = {meter_allocate, meter_reallocate, meter_release, &m};
    const sheaf_scene_def settings = sheaf_scene_def_default();
    sheaf_scene *scene;
    sheaf_model *model;
    assert_int_equal(sheaf_allocator_set(&allocator), SHEAF_OK);
    assert_int_equal(sheaf_scene_create(&settings, &scene), SHEAF_OK);
    assert_int_equal(fill_scene(scene), SHEAF_OK);
    assert_int_equal(sheaf_model_create(scene, &model), SHEAF_OK);
    sheaf_scene_free(scene);
    const size_t live = atomic_load(&m.live);
    atomic_store(&m.requests, 0);
    assert_true(sheaf_model_explicit_step_limit(model) > 0);
    const size_t count = atomic_load(&m.requests);
    for (m.fail_at = 0; m.fail_at < count; m.fail_at++) {
        atomic_store(&m.requests, 0);
        assert_close(sheaf_model_explicit_step_limit(model), 0, 0);
        assert_int_equal(atomic_load(&m.live), live);
    }
    sheaf_model_free(model);
    assert_int_equal(sheaf_allocator_set(NULL), SHEAF_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(memory_may_stay_out),
        cmocka_unit_test(files_may_be_read_without_memory),
        cmocka_unit_test(runs_may_find_no_memory),
        cmocka_unit_test(wrong_files_may_be_read_without_memory),
        cmocka_unit_test(a_solver_that_failed_steps_no_more),
        cmocka_unit_test(the_explicit_limit_is_zero_without_memory),
    };
    snprintf(checkpoint, sizeof checkpoint, "/tmp/sheaf-test-memory-%ld.h5", (long)getpid());
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(checkpoint);
    return failed;
}
