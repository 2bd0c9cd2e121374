// test_methods: strands of several methods in one solver, with a list of methods of this program's own.
// labels: device (40 s)
#include "base/vec.h"
#include "method/method.h"
#include "solver/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

// ---- the list: Discrete Elastic Rods, one that falls on the reference, and one that falls on a make-believe device

extern const method method_der, method_fall;

static method_backend faked; // as fall on the reference, but it takes notes and can be told to fail
static method method_noted = {.name = "noted", .purpose = "falls on any device", .device = &faked};
const method *const method_list[] = {&method_der, &method_fall, &method_noted, NULL};

const char *sheaf_method_name(uint32_t index)
{
    return index < 3 ? method_list[index]->name : NULL;
}

enum { ROOM = 400, NOTES = 4 };

static bool next_step_fails;
static double noted[NOTES][ROOM][3];
static sheaf_report noted_reports[NOTES];
static uint64_t noted_vertices;
static const sheaf_model *noted_model;

static sheaf_status open_faked(const sheaf_model *model, const method_open *how, void **instance)
{
    noted_model = model;
    noted_vertices = model->vertex_count;
    return method_fall.reference->open(model, how, instance);
}

static sheaf_status step_faked(void *instance, uint32_t count)
{
    if (next_step_fails)
        return base_fail(SHEAF_ERR_DEVICE, "the device is on strike");
    return method_fall.reference->step(instance, count);
}

static uint32_t most_noted(const void *instance)
{
    (void)instance;
    return NOTES;
}

static sheaf_status step_noting(void *instance, uint32_t count, const uint32_t *after, uint32_t note_count,
                                bool with_poses)
{
    uint32_t done = 0;
    (void)with_poses;
    for (uint32_t k = 0; k < note_count; done = after[k++]) {
        SHEAF_TRY(step_faked(instance, after[k] - done));
        SHEAF_TRY(method_fall.reference->report(instance, &noted_reports[k]));
        SHEAF_TRY(
            method_fall.reference->read_positions(instance, (method_sample){1, noted_model->first_vertex}, noted[k]));
    }
    return step_faked(instance, count - done);
}

static sheaf_status note_report(void *instance, uint32_t note, sheaf_report *report)
{
    (void)instance;
    *report = noted_reports[note];
    return SHEAF_OK;
}

static sheaf_status note_positions(void *instance, uint32_t note, method_sample sample, double (*positions)[3])
{
    (void)instance;
    assert_int_equal(sample.stride, 1);
    memcpy(positions, noted[note], noted_vertices * sizeof *positions);
    return SHEAF_OK;
}

static sheaf_status time_stages(void *instance, method_stage *stages, uint32_t *count)
{
    (void)instance;
    stages[0] = (method_stage){"drop", 7, 0.5};
    *count = 1;
    return SHEAF_OK;
}

// ---- scenes: a world that strands of Discrete Elastic Rods meet, with or without others between them

static char folder[64];

static int set_up(void **state)
{
    (void)state;
    faked = *method_fall.reference;
    faked.open = open_faked;
    faked.step = step_faked;
    faked.notes_most = most_noted;
    faked.step_noting = step_noting;
    faked.note_report = note_report;
    faked.note_positions = note_positions;
    faked.stages = time_stages;
    method_noted.reference = &faked;
    strcpy(folder, "/tmp/sheaf-methods-XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : 1;
}

static int tear_down(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

// A square that is stretched from frame to frame.
static void write_square(int frame)
{
    char name[32], text[300];
    const double half = 5 + frame;
    snprintf(name, sizeof name, "square.%d.obj", frame);
    snprintf(text, sizeof text, "v %g -5 0\nv %g -5 0\nv %g 5 0\nv %g 5 0\nf 1 2 3 4\n", -half, half, half, -half);
    write_file(name, text);
}

// Every part of the world acts on some strand: air that gusts, a collider that moves, roots on a mesh that deforms.
static const char world[] =
    "sheaf: 1\ntime: { step: 1/200 s, end: 1 s }\n"
    "materials: { hair: { density: 1300, young: 1 GPa, shear: 0.4 GPa, radius: [60 um, 40 um], drag: 0.2 mPa*s },\n"
    "  wire: { density: 7800, young: 200 GPa, shear: 77 GPa, radius: 0.2 mm } }\n"
    "wind: { velocity: [2 m/s, 0, 0], gust: { strength: 60 %, scale: 20 cm, seed: 3 } }\n"
    "motion:\n"
    "  skin: { mesh: { frames: square.%d.obj, first: 0, last: 3, rate: 100 Hz, unit: cm, up: z } }\n"
    "  paddle: { rotate: { axis: z, angle: 1 rad, period: 0.2 s } }\n"
    "colliders: [{ sphere: { center: [6 cm, 0, -6.5 cm], radius: 3 cm }, follow: paddle, friction: 0.3 }]\n"
    "strands:\n";

// Strands 0 to 4; 5; 6 and on.
static const char hairs[] = "  - { groom: { on: { mesh: { file: square.0.obj, unit: cm, up: z } }, count: 5, vertices: "
                            "9, length: 8 cm, seed: 1,"
                            " curl: { radius: 4 mm, pitch: 30 mm } }, material: hair, root: { clamp: skin } }\n";
static const char stone[] =
    "  - { shape: { straight: { length: 20 cm, vertices: 7, direction: x, origin: [1, 2, 3] } }, material: wire%s }\n";
static const char rods[] =
    "  - { shape: { straight: { length: 10 cm, vertices: 6, direction: x, origin: [0, 0, -2.9 cm] } }, material: hair, "
    "root: clamp }\n"
    "  - { shape: { helix: { origin: [0, 0, 5 cm], radius: 5 mm, pitch: 20 mm, length: 12 cm, vertices: 17 } }, "
    "material: hair, root: pin, tip: pin }\n";

static sheaf_model *load(const char *text)
{
    sheaf_scene *scene = NULL;
    sheaf_model *model = NULL;
    char path[128];
    for (int frame = 0; frame < 4; frame++)
        write_square(frame);
    write_file("scene.yaml", text);
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
    if (sheaf_scene_load(path, &scene) != SHEAF_OK || sheaf_model_create(scene, &model) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    sheaf_scene_free(scene);
    return model;
}

static const char small[] =
    "sheaf: 1\nmaterials: { hair: { density: 1300, young: 1 GPa, shear: 0.4 GPa, radius: 60 um } }\n"
    "strands:\n"
    "  - { shape: { straight: { length: 9 cm, vertices: 8, direction: x } }, root: clamp }\n"
    "  - { shape: { straight: { length: 9 cm, vertices: 8, direction: x } }, method: noted }\n";

// With strands of the named method as numbers 0, 6 and 9 among those of Discrete Elastic Rods, or without.
static sheaf_model *make_model(const char *other)
{
    static char text[6000];
    char one[400] = "", line[100];
    if (other != NULL) {
        snprintf(line, sizeof line, ", method: %s", other);
        snprintf(one, sizeof one, stone, line);
    }
    snprintf(text, sizeof text, "%s%s%s%s%s%s", world, one, hairs, one, rods, one);
    sheaf_model *model = load(text);
    assert_int_equal(model->strand_count, other != NULL ? 10 : 7);
    assert_true(model->vertex_count <= ROOM);
    return model;
}

// The number in make_model("...") of a strand of make_model(NULL).
static uint32_t number_of(uint32_t alone)
{
    return alone < 5 ? alone + 1 : alone + 2;
}

static bool is_other(uint32_t strand)
{
    return strand == 0 || strand == 6 || strand == 9;
}

static sheaf_solver *open_solver(const sheaf_model *model, sheaf_backend backend)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_solver *solver;
    def.backend = backend;
    if (sheaf_solver_open(model, &def, &solver) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    return solver;
}

static void assert_ok(sheaf_status status)
{
    if (status != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
}

// ---- vectors

typedef struct pose {
    double positions[ROOM][3], velocities[ROOM][3], directors[ROOM][3];
} pose;

static void read_pose(sheaf_solver *solver, pose *p)
{
    memset(p, 0, sizeof *p);
    assert_ok(sheaf_solver_read_positions(solver, p->positions, ROOM));
    assert_ok(sheaf_solver_read_velocities(solver, p->velocities, ROOM));
    assert_ok(solver_read_directors(solver, p->directors));
}

static void assert_fell(const sheaf_model *model, const pose *p, uint32_t strand, double time, double bar)
{
    const double fallen = 9.81 * time * time / 2;
    for (uint64_t i = model->first_vertex[strand]; i < model->first_vertex[strand + 1]; i++) {
        assert_close(p->positions[i][0], model->position[i][0], bar);
        assert_close(p->positions[i][2], model->position[i][2] - fallen, bar);
        assert_close(p->velocities[i][2], -9.81 * time, bar);
        assert_memory_equal(p->directors[i], model->director[i], sizeof p->directors[i]);
    }
}

static void assert_same_rods(const sheaf_model *mixed, const pose *among, const sheaf_model *alone, const pose *own)
{
    for (uint32_t s = 0; s < alone->strand_count; s++) {
        const uint64_t a = mixed->first_vertex[number_of(s)], b = alone->first_vertex[s];
        const size_t vertices = model_vertex_count(alone, s), size = vertices * sizeof(double[3]);
        assert_int_equal(model_vertex_count(mixed, number_of(s)), vertices);
        assert_memory_equal(among->positions[a], own->positions[b], size);
        assert_memory_equal(among->velocities[a], own->velocities[b], size);
        assert_memory_equal(among->directors[a], own->directors[b], size - sizeof(double[3]));
    }
}

// Rods move among strands of other methods as they do alone, to the last bit, and the others as they should.
static void strands_of_two_methods_do_not_disturb_each_other(void **state)
{
    (void)state;
    static pose among, own, start;
    const struct {
        const char *other;
        sheaf_backend backend;
    } cases[] = {
        {"fall", SHEAF_BACKEND_REFERENCE}, {"noted", SHEAF_BACKEND_REFERENCE}, {"noted", SHEAF_BACKEND_DEVICE}};
    for (int k = 0; k < 3; k++) {
        sheaf_model *mixed = make_model(cases[k].other), *alone = make_model(NULL);
        sheaf_solver *a = open_solver(mixed, cases[k].backend), *b = open_solver(alone, cases[k].backend);
        read_pose(b, &start);
        assert_ok(sheaf_solver_step(a, 40));
        assert_ok(sheaf_solver_step(b, 40));
        read_pose(a, &among);
        read_pose(b, &own);
        assert_same_rods(mixed, &among, alone, &own);
        assert_true(memcmp(&own, &start, sizeof own) != 0);
        for (uint32_t s = 0; s < mixed->strand_count; s++)
            if (is_other(s))
                assert_fell(mixed, &among, s, 0.2, 1e-13);
        sheaf_solver_close(a);
        sheaf_solver_close(b);
        sheaf_model_free(mixed);
        sheaf_model_free(alone);
    }
}

static void samples_take_strands_by_their_numbers_in_the_scene(void **state)
{
    (void)state;
    static pose all;
    static double some[ROOM][3];
    uint64_t first[11];
    sheaf_model *mixed = make_model("fall");
    sheaf_solver *solver = open_solver(mixed, SHEAF_BACKEND_REFERENCE);
    assert_ok(sheaf_solver_step(solver, 5));
    read_pose(solver, &all);
    for (uint32_t stride = 1; stride <= 10; stride++) {
        first[0] = 0;
        for (uint32_t s = 0, k = 0; s < 10; s += stride, k++)
            first[k + 1] = first[k] + model_vertex_count(mixed, s);
        for (int what = 0; what < 2; what++) {
            assert_ok(what == 0 ? solver_read_sample(solver, stride, first, some)
                                : solver_read_sample_velocities(solver, stride, first, some));
            for (uint32_t s = 0; s < 10; s += stride)
                assert_memory_equal(some[first[s / stride]],
                                    (what == 0 ? all.positions : all.velocities)[mixed->first_vertex[s]],
                                    model_vertex_count(mixed, s) * sizeof *some);
        }
    }
    sheaf_solver_close(solver);
    sheaf_model_free(mixed);
}

static void a_push_reaches_the_strand_it_names(void **state)
{
    (void)state;
    static pose before, after;
    const double change[3] = {0.5, 0.25, -1};
    sheaf_model *mixed = make_model("fall");
    sheaf_solver *solver = open_solver(mixed, SHEAF_BACKEND_REFERENCE);
    for (uint32_t s = 0; s < 10; s++) {
        read_pose(solver, &before);
        assert_ok(solver_push(solver, s, 3, change));
        read_pose(solver, &after);
        for (uint32_t other = 0; other < 10; other++) {
            const uint64_t i = mixed->first_vertex[other] + 3;
            const double share = is_other(other) ? mixed->mass[i] / mixed->strands[other].mass : 1;
            assert_close(after.velocities[i][2] - before.velocities[i][2], other == s ? -share : 0, 1e-15);
        }
    }
    sheaf_solver_close(solver);
    sheaf_model_free(mixed);
}

// ---- figures

// Energies add up; what is worst is worst of all; means are over strands that move.
static void figures_are_those_of_all_strands(void **state)
{
    (void)state;
    sheaf_report among, own;
    double stones = 0;
    sheaf_model *mixed = make_model("fall"), *alone = make_model(NULL);
    sheaf_solver *a = open_solver(mixed, SHEAF_BACKEND_REFERENCE), *b = open_solver(alone, SHEAF_BACKEND_REFERENCE);
    assert_ok(sheaf_solver_step(a, 40));
    assert_ok(sheaf_solver_step(b, 40));
    assert_ok(sheaf_solver_report(a, &among));
    assert_ok(sheaf_solver_report(b, &own));
    for (uint32_t s = 0; s < 10; s++)
        stones += is_other(s) ? mixed->strands[s].mass : 0;
    assert_int_equal(among.step, 40);
    assert_int_equal(solver_steps(a), 40);
    assert_true(among.time == own.time && among.bending == own.bending && among.twisting == own.twisting);
    assert_true(among.worst_strain == own.worst_strain && among.twist_residual == own.twist_residual);
    assert_close(among.kinetic - own.kinetic, stones * pow(9.81 * 0.2, 2) / 2, 1e-12);
    assert_close(among.gravitational - own.gravitational, stones * 9.81 * (3 - 9.81 * 0.04 / 2), 1e-12);
    assert_close(among.mean_newton, own.mean_newton * 7 / 10, 1e-12);
    assert_int_equal(among.frozen_strands, 0);
    assert_true(sheaf_model_explicit_step_limit(mixed) == sheaf_model_explicit_step_limit(alone));
    sheaf_solver_close(a);
    sheaf_solver_close(b);
    sheaf_model_free(mixed);
    sheaf_model_free(alone);
}

static void keep_message(sheaf_log_level level, const char *message, void *user)
{
    (void)level;
    strncat(user, message, 900 - strlen(user));
    strcat(user, "\n");
}

// In the order in which they froze, whatever their method, by their numbers in the scene; messages name those, too.
static void incidents_are_in_order(void **state)
{
    (void)state;
    static const struct {
        uint32_t strand, after; // steps
    } pushes[] = {{6, 0}, {2, 2}, {0, 4}, {7, 4}};
    const double change[3] = {0, 0, 1e200}; // no solver makes sense of it
    char said[1000] = "";
    sheaf_model *mixed = make_model("fall");
    sheaf_solver *solver = open_solver(mixed, SHEAF_BACKEND_REFERENCE);
    sheaf_incident incident;
    sheaf_log_set(keep_message, said);
    for (uint32_t step = 0; step < 6; step++) {
        for (int k = 0; k < 4; k++)
            if (pushes[k].after == step)
                assert_ok(solver_push(solver, pushes[k].strand, 3, change));
        assert_ok(sheaf_solver_step(solver, 1));
    }
    sheaf_log_set(NULL, NULL);
    for (uint32_t k = 0; k < 4; k++) {
        assert_ok(sheaf_solver_incident(solver, k, &incident));
        assert_int_equal(incident.strand, pushes[k].strand);
        assert_int_equal(incident.step, pushes[k].after + 1);
    }
    assert_int_equal(sheaf_solver_incident(solver, 4, &incident), SHEAF_ERR_USAGE);
    assert_non_null(strstr(sheaf_last_error(), "incident 4 of 4"));
    assert_non_null(strstr(said, "strand 2 is frozen"));
    assert_non_null(strstr(said, "strand 7 is frozen"));
    sheaf_solver_close(solver);
    sheaf_model_free(mixed);
}

// ---- the state as arrays

static void arrays_of_all_methods_have_names_of_their_own(void **state)
{
    (void)state;
    solver_array arrays[SOLVER_ARRAYS_MOST];
    sheaf_model *mixed = make_model("fall"), *alone = make_model(NULL);
    sheaf_solver *solver = open_solver(mixed, SHEAF_BACKEND_REFERENCE);
    const uint32_t count = solver_arrays(solver, arrays);
    bool found = false;
    for (uint32_t a = 0; a < count; a++) {
        found = found || (strcmp(arrays[a].name, "fall.position") == 0 && arrays[a].rows == 3);
        for (uint32_t b = 0; b < a; b++)
            assert_string_not_equal(arrays[a].name, arrays[b].name);
    }
    assert_true(found);
    sheaf_solver_close(solver);
    solver = open_solver(alone, SHEAF_BACKEND_REFERENCE); // files of one method are as they always were
    assert_int_equal(solver_arrays(solver, arrays), count - 3);
    assert_string_equal(arrays[0].name, "position");
    sheaf_solver_close(solver);
    sheaf_model_free(mixed);
    sheaf_model_free(alone);
}

static void a_checkpoint_holds_all_methods(void **state)
{
    (void)state;
    static pose through, resumed;
    char path[128];
    const double change[3] = {0, 0, 1e9};
    snprintf(path, sizeof path, "%s/state.h5", folder);
    for (int k = 0; k < 2; k++) {
        sheaf_model *mixed = make_model("noted");
        const sheaf_backend backend = k == 0 ? SHEAF_BACKEND_REFERENCE : SHEAF_BACKEND_DEVICE;
        sheaf_solver *a = open_solver(mixed, backend), *b = open_solver(mixed, backend);
        sheaf_report first, second;
        assert_ok(solver_push(a, 9, 0, change)); // it is frozen in the file
        assert_ok(sheaf_solver_step(a, 20));
        assert_ok(sheaf_solver_save(a, path));
        assert_ok(sheaf_solver_load(b, path));
        assert_int_equal(solver_steps(b), 20);
        assert_ok(sheaf_solver_step(a, 20));
        assert_ok(sheaf_solver_step(b, 20));
        read_pose(a, &through);
        read_pose(b, &resumed);
        assert_memory_equal(&through, &resumed, sizeof through);
        assert_ok(sheaf_solver_report(a, &first));
        assert_ok(sheaf_solver_report(b, &second));
        assert_memory_equal(&first, &second, sizeof first);
        assert_int_equal(second.frozen_strands, 1);
        sheaf_solver_close(a);
        sheaf_solver_close(b);
        sheaf_model_free(mixed);
    }
}

// ---- devices

static void a_method_without_a_device_says_so(void **state)
{
    (void)state;
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_solver *solver;
    char said[1000] = "";
    sheaf_model *mixed = make_model("fall");
    def.backend = SHEAF_BACKEND_DEVICE;
    assert_int_equal(sheaf_solver_open(mixed, &def, &solver), SHEAF_ERR_DEVICE);
    assert_null(solver);
    assert_non_null(strstr(sheaf_last_error(), "fall"));
    assert_non_null(strstr(sheaf_last_error(), "--device ref"));
    sheaf_log_set(keep_message, said);
    def.backend = SHEAF_BACKEND_AUTO; // the reference does it instead, and says so
    assert_ok(sheaf_solver_open(mixed, &def, &solver));
    sheaf_log_set(NULL, NULL);
    assert_true(solver_is_reference(solver));
    assert_non_null(strstr(said, "fall"));
    sheaf_solver_close(solver);
    sheaf_model_free(mixed);
}

// What notes say is what steps that stop there would have said.
static void notes_are_those_of_all_methods(void **state)
{
    (void)state;
    static pose stopped;
    static double positions[ROOM][3];
    const uint32_t after[] = {3, 7};
    sheaf_report told, noted_then;
    sheaf_model *mixed = make_model("noted");
    sheaf_solver *a = open_solver(mixed, SHEAF_BACKEND_DEVICE), *b = open_solver(mixed, SHEAF_BACKEND_DEVICE);
    assert_int_equal(solver_notes_most(a), NOTES);
    assert_ok(solver_step_noting(a, 9, after, 2, true));
    for (uint32_t k = 0; k < 2; k++) {
        assert_ok(sheaf_solver_step(b, after[k] - (uint32_t)solver_steps(b)));
        read_pose(b, &stopped);
        assert_ok(solver_note_sample(a, k, 1, mixed->first_vertex, positions));
        assert_memory_equal(positions, stopped.positions, mixed->vertex_count * sizeof *positions);
        assert_ok(solver_note_report(a, k, &noted_then));
        assert_ok(sheaf_solver_report(b, &told));
        assert_memory_equal(&noted_then, &told, sizeof told);
    }
    sheaf_solver_close(a);
    sheaf_solver_close(b);
    a = open_solver(mixed, SHEAF_BACKEND_REFERENCE); // rods take none there
    assert_int_equal(solver_notes_most(a), 0);
    sheaf_solver_close(a);
    sheaf_model_free(mixed);
}

static void what_they_run_on_is_told_for_all(void **state)
{
    (void)state;
    solver_stage stages[SOLVER_STAGES_MOST];
    uint32_t count;
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_model *mixed = load(small);
    sheaf_solver *solver;
    def.backend = SHEAF_BACKEND_DEVICE;
    assert_ok(solver_open_staged(mixed, &def, &solver));
    assert_ok(sheaf_solver_step(solver, 1));
    assert_string_equal(sheaf_solver_precision(solver), "mixed"); // rods in single
    assert_ok(solver_stages(solver, stages, &count));
    assert_true(count > 5);
    assert_string_equal(stages[count - 1].name, "drop");
    assert_int_equal(stages[count - 1].launches, 7);
    sheaf_solver_close(solver);
    solver = open_solver(mixed, SHEAF_BACKEND_REFERENCE);
    assert_string_equal(sheaf_solver_precision(solver), "double");
    sheaf_solver_close(solver);
    sheaf_model_free(mixed);
}

// After a step that one method took and another did not, they stand at different times.
static void a_failed_step_is_the_last(void **state)
{
    (void)state;
    const uint32_t after[] = {1};
    sheaf_model *mixed = make_model("noted");
    sheaf_solver *solver = open_solver(mixed, SHEAF_BACKEND_DEVICE);
    assert_ok(sheaf_solver_step(solver, 2));
    next_step_fails = true;
    assert_int_equal(sheaf_solver_step(solver, 2), SHEAF_ERR_DEVICE);
    next_step_fails = false;
    assert_int_equal(sheaf_solver_step(solver, 2), SHEAF_ERR_USAGE);
    assert_int_equal(solver_step_noting(solver, 2, after, 1, false), SHEAF_ERR_USAGE);
    assert_non_null(strstr(sheaf_last_error(), "earlier step"));
    sheaf_solver_close(solver);
    sheaf_model_free(mixed);
}

// ---- memory

typedef struct meter {
    size_t requests, fail_at;
    int64_t live;
} meter;

static void *meter_allocate(size_t size, void *user)
{
    meter *m = user;
    if (m->requests++ == m->fail_at)
        return NULL;
    m->live++;
    return malloc(size);
}

static void *meter_reallocate(void *memory, size_t size, void *user)
{
    meter *m = user;
    return m->requests++ == m->fail_at ? NULL : realloc(memory, size);
}

static void meter_release(void *memory, void *user)
{
    ((meter *)user)->live--;
    free(memory);
}

static sheaf_status use_solver(const sheaf_model *model, sheaf_solver **solver)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    static double vectors[ROOM][3];
    def.backend = SHEAF_BACKEND_REFERENCE;
    def.threads = 1;
    SHEAF_TRY(sheaf_solver_open(model, &def, solver));
    SHEAF_TRY(sheaf_solver_step(*solver, 1));
    SHEAF_TRY(sheaf_solver_read_positions(*solver, vectors, ROOM));
    return solver_read_directors(*solver, vectors);
}

static void no_lack_of_memory_leaves_anything_behind(void **state)
{
    (void)state;
    sheaf_status status = SHEAF_ERR_MEMORY;
    size_t refused = 0;
    for (; status != SHEAF_OK; refused++) {
        meter m = {.fail_at = SIZE_MAX};
        const sheaf_allocator allocator = {meter_allocate, meter_reallocate, meter_release, &m};
        assert_ok(sheaf_allocator_set(&allocator));
        sheaf_model *model = load(small);
        sheaf_solver *solver = NULL;
        m.fail_at = m.requests + refused;
        status = use_solver(model, &solver);
        assert_true(status == SHEAF_OK || status == SHEAF_ERR_MEMORY);
        sheaf_solver_close(solver);
        sheaf_model_free(model);
        assert_int_equal(m.live, 0);
        assert_ok(sheaf_allocator_set(NULL));
    }
    assert_true(refused > 30);
}

static void a_method_that_is_none_is_refused(void **state)
{
    (void)state;
    sheaf_scene *scene;
    const sheaf_scene_def settings = sheaf_scene_def_default();
    sheaf_material_def material = sheaf_material_def_default();
    sheaf_strand_def strand = sheaf_strand_def_default();
    uint32_t index;
    strand.vertex_count = 5;
    strand.length = 0.1;
    strand.shape = SHEAF_SHAPE_STRAIGHT;
    assert_ok(sheaf_scene_create(&settings, &scene));
    assert_ok(sheaf_scene_add_material(scene, &material, &index));
    strand.material = index;
    strand.method = 2;
    assert_ok(sheaf_scene_add_strand(scene, &strand));
    strand.method = 3;
    assert_int_equal(sheaf_scene_add_strand(scene, &strand), SHEAF_ERR_INPUT);
    assert_non_null(strstr(sheaf_last_error(), "method is 3"));
    sheaf_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strands_of_two_methods_do_not_disturb_each_other),
        cmocka_unit_test(samples_take_strands_by_their_numbers_in_the_scene),
        cmocka_unit_test(a_push_reaches_the_strand_it_names),
        cmocka_unit_test(figures_are_those_of_all_strands),
        cmocka_unit_test(incidents_are_in_order),
        cmocka_unit_test(arrays_of_all_methods_have_names_of_their_own),
        cmocka_unit_test(a_checkpoint_holds_all_methods),
        cmocka_unit_test(a_method_without_a_device_says_so),
        cmocka_unit_test(notes_are_those_of_all_methods),
        cmocka_unit_test(what_they_run_on_is_told_for_all),
        cmocka_unit_test(a_failed_step_is_the_last),
        cmocka_unit_test(no_lack_of_memory_leaves_anything_behind),
        cmocka_unit_test(a_method_that_is_none_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
