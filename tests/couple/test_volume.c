// test_volume: hair that keeps its volume on a grid: density, energy, momentum, wind, and the same bits whatever the
// order. The first tier has few strands, the second ten thousand curls. labels: device;tiers (45 s, all 200 s)
#include "couple/volume.h"

#include "base/vec.h"
#include "der/device/volume.h"
#include "solver/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"
#include "unit.h"

static void must(sheaf_status status)
{
    if (status != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
}

static bool is_full(void)
{
    return getenv("SHEAF_TEST_ALL") != NULL;
}

static sheaf_model *make_model(const char *text)
{
    sheaf_scene *scene;
    sheaf_model *model;
    must(sheaf_scene_parse(text, strlen(text), "test", &scene));
    must(sheaf_model_create(scene, &model));
    sheaf_scene_free(scene);
    return model;
}

// Straight hair that stands off a skull, or off nothing, and falls in calm air.
static sheaf_model *make_hair(uint32_t count, double step, bool has_skull, const char *touch)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "sheaf: 1\n"
        "time: { step: %.17g s }\n"
        "materials: { hair: { density: 1300 kg/m^3, young: 3.5 GPa, shear: 1.3 GPa, radius: 40 um, drag: 0.2 mPa*s } "
        "}\n"
        "%s"
        "%s\n"
        "strands: [{ groom: { on: { sphere: { radius: 9 cm, cap: 100 deg } }, count: %u, vertices: 32, length: 26 cm } "
        "}]\n",
        step, has_skull ? "colliders: [{ sphere: { radius: 9 cm }, friction: 0.3 }]\n" : "", touch, count);
    return make_model(text);
}

static sheaf_solver *open_solver(const sheaf_model *model, sheaf_backend backend)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_solver *solver;
    def.backend = backend;
    must(sheaf_solver_open(model, &def, &solver));
    return solver;
}

static int compare_reals(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Median distance of vertices 4 to 13 from the skull, m.
static double median_gap(sheaf_solver *solver, const sheaf_model *model)
{
    double(*x)[3] = calloc(model->vertex_count, sizeof *x);
    double *gaps = calloc(model->strand_count * 10ul, sizeof *gaps);
    uint64_t count = 0;
    must(sheaf_solver_read_positions(solver, x, model->vertex_count));
    for (uint32_t s = 0; s < model->strand_count; s++)
        for (uint64_t i = 4; i < 14; i++)
            gaps[count++] = vec_length(x[model->first_vertex[s] + i]) - 0.09;
    qsort(gaps, count, sizeof *gaps, compare_reals);
    const double gap = gaps[count / 2];
    free(x);
    free(gaps);
    return gap;
}

// What became of hair after 2 s.
typedef struct fallen {
    double gap, filled_mean, filled_q99;
    double early;      // m/s, root mean square of all speeds
    double speed;      // m/s, the same after 3 s
    double rise, fall; // J, largest rise of the energy in a step, and what it lost in all
} fallen;

static double energy_of(sheaf_solver *solver, const sheaf_report *r)
{
    const double squeeze = figure_of(solver, "squeeze_J"); // NAN without volume
    return r->kinetic + r->bending + r->twisting + r->gravitational + (isnan(squeeze) ? 0 : squeeze);
}

static fallen let_fall(const sheaf_model *model, sheaf_backend backend)
{
    sheaf_solver *solver = open_solver(model, backend);
    const uint32_t steps = (uint32_t)lround(2 / model->def.step);
    sheaf_report report;
    fallen out = {0};
    must(sheaf_solver_report(solver, &report));
    const double start = energy_of(solver, &report);
    double last = start, mass = 0;
    for (uint32_t k = 0; k < steps; k++) {
        must(sheaf_solver_step(solver, 1));
        must(sheaf_solver_report(solver, &report));
        const double energy = energy_of(solver, &report);
        out.rise = fmax(out.rise, energy - last);
        last = energy;
    }
    for (uint64_t i = 0; i < model->vertex_count; i++)
        mass += model->mass[i];
    out.fall = start - last;
    out.filled_mean = figure_of(solver, "filled_mean");
    out.filled_q99 = figure_of(solver, "filled_q99");
    out.gap = median_gap(solver, model);
    out.early = sqrt(2 * report.kinetic / mass);
    must(sheaf_solver_step(solver, steps / 2));
    must(sheaf_solver_report(solver, &report));
    out.speed = sqrt(2 * report.kinetic / mass);
    print_message("%s: gap %.1f mm, filled %.2f / %.2f, energy rises by %.1e of its fall, %.1f and %.1f mm/s\n",
                  sheaf_solver_device(solver), 1000 * out.gap, out.filled_mean, out.filled_q99, out.rise / out.fall,
                  1000 * out.early, 1000 * out.speed);
    assert_int_equal(report.frozen_strands, 0);
    sheaf_solver_close(solver);
    return out;
}

static void hair_keeps_its_volume(void **state)
{
    (void)state;
    const uint32_t count = is_full() ? 500 : 200;
    sheaf_model *bare = make_hair(count, 1.0 / 120, true, ""),
                *kept = make_hair(count, 1.0 / 120, true, "touch: { volume: {} }");
    const fallen without = let_fall(bare, SHEAF_BACKEND_DEVICE), with = let_fall(kept, SHEAF_BACKEND_DEVICE);
    assert_true(with.gap > 1.3 * without.gap);
    assert_true(fabs(with.filled_mean - 1) < 0.2 && with.filled_q99 < 1.4);
    assert_true(with.rise < 1e-5 * with.fall);
    assert_true(with.early < without.early && with.speed < 0.005);
    if (is_full()) {
        const fallen plain = let_fall(kept, SHEAF_BACKEND_REFERENCE);
        assert_true(fabs(plain.gap - with.gap) < 0.01 * plain.gap && plain.rise < 1e-5 * plain.fall);
    }
    sheaf_model_free(bare);
    sheaf_model_free(kept);
}

// What a user's first own scene may be: as many curls as a processor simulates with ease. With fewer than four hundred
// of them there is less than a sample in a cell, and energy may rise by more than this.
static void ten_thousand_curls_keep_their_volume(void **state)
{
    (void)state;
    char text[1024];
    snprintf(text, sizeof text,
             "sheaf: 1\n"
             "time: { step: 1/120 s }\n"
             "materials: { hair: { density: 1300 kg/m^3, young: 3.5 GPa, shear: 1.3 GPa, radius: [45 um, 32 um],"
             " drag: 60 uPa*s } }\n"
             "colliders: [{ sphere: { radius: 8.8 cm }, friction: 0.3 }]\n"
             "touch: { volume: {} }\n"
             "strands: [{ groom: { on: { sphere: { radius: 9 cm, cap: 95 deg } }, count: %u, vertices: 32,"
             " length: { mean: 20 cm, spread: 10 %% }, curl: { radius: 6 mm, pitch: 30 mm }, seed: 7 } }]\n",
             is_full() ? 10000u : 400u);
    sheaf_model *model = make_model(text);
    const fallen found = let_fall(model, SHEAF_BACKEND_DEVICE);
    assert_true(found.rise < 1e-5 * found.fall);
    assert_true(fabs(found.filled_mean - 1) < 0.2 && found.filled_q99 < 1.4);
    sheaf_model_free(model);
}

// At one speed the layer hardly depends on cells and steps.
static void cells_and_steps_hardly_matter(void **state)
{
    (void)state;
    static const struct {
        double step;
        const char *touch;
    } cases[] = {{1.0 / 120, "touch: { volume: { cell: 15 mm, speed: 0.9 m/s } }"},
                 {1.0 / 60, "touch: { volume: { cell: 15 mm, speed: 0.9 m/s } }"},
                 {1.0 / 240, "touch: { volume: { cell: 15 mm, speed: 0.9 m/s } }"},
                 {1.0 / 120, "touch: { volume: { cell: 10 mm, speed: 0.9 m/s } }"},
                 {1.0 / 120, "touch: { volume: { cell: 20 mm, speed: 0.9 m/s } }"}};
    double first = 0;
    for (int k = 0; k < 5 && is_full(); k++) {
        sheaf_model *model = make_hair(500, cases[k].step, true, cases[k].touch);
        const fallen found = let_fall(model, SHEAF_BACKEND_DEVICE);
        first = k == 0 ? found.gap : first;
        assert_true(found.rise < 1e-5 * found.fall);
        assert_true(fabs(found.gap / first - 1) < 0.05);
        sheaf_model_free(model);
    }
}

// The first push is exactly 0, though the device rounds.
static void a_groom_starts_at_rest(void **state)
{
    (void)state;
    sheaf_model *model = make_hair(200, 1.0 / 120, true, "touch: { volume: {} }");
    for (int k = 0; k < 2; k++) {
        sheaf_solver *solver = open_solver(model, k ? SHEAF_BACKEND_DEVICE : SHEAF_BACKEND_REFERENCE);
        must(sheaf_solver_step(solver, 1));
        assert_true(figure_of(solver, "pressure_max_Pa") == 0);
        sheaf_solver_close(solver);
    }
    sheaf_model_free(model);
}

// Hairs on a plane of the grid leave nodes of their cells without any mass.
static void hair_on_a_plane_of_the_grid_moves(void **state)
{
    (void)state;
    sheaf_model *model =
        make_model("sheaf: 1\n"
                   "materials: { hair: { density: 1300 kg/m^3, young: 3.5 GPa, shear: 1.3 GPa, radius: 40 um } }\n"
                   "touch: { volume: { rub: 20 1/s } }\n"
                   "strands: [{ shape: { straight: { length: 15 cm, direction: x } } }]\n");
    double x[2][32][3];
    for (int k = 0; k < 2; k++) {
        sheaf_solver *solver = open_solver(model, k ? SHEAF_BACKEND_DEVICE : SHEAF_BACKEND_REFERENCE);
        sheaf_report report;
        must(sheaf_solver_step(solver, 5));
        must(sheaf_solver_report(solver, &report));
        must(sheaf_solver_read_positions(solver, x[k], 32));
        assert_int_equal(report.frozen_strands, 0);
        sheaf_solver_close(solver);
    }
    assert_true(x[0][31][2] < -1e-4 && fabs(x[0][31][2] - x[1][31][2]) < 1e-5);
    sheaf_model_free(model);
}

// ---- device and reference

static void device_follows_the_reference(void **state)
{
    (void)state;
    sheaf_model *model = make_hair(120, 1.0 / 120, false,
                                   "wind: { velocity: [1 m/s, 0.3 m/s, 0], shield: true }\n"
                                   "touch: { volume: { rub: 20 1/s } }\nprecision: double");
    sheaf_solver *reference = open_solver(model, SHEAF_BACKEND_REFERENCE),
                 *device = open_solver(model, SHEAF_BACKEND_DEVICE);
    double(*x)[3] = calloc(model->vertex_count, sizeof *x), (*y)[3] = calloc(model->vertex_count, sizeof *y);
    static const char *const names[] = {"squeeze_J", "wind_fraction", "pressure_max_Pa"};
    sheaf_report a, b;
    double worst = 0, apart = 0, its[3] = {0}, theirs[3] = {0};
    for (int k = 0; k < 6; k++) {
        must(sheaf_solver_step(reference, k == 0 ? 40 : 10));
        must(sheaf_solver_step(device, k == 0 ? 40 : 10));
        must(sheaf_solver_read_positions(reference, x, model->vertex_count));
        must(sheaf_solver_read_positions(device, y, model->vertex_count));
        must(sheaf_solver_report(reference, &a));
        must(sheaf_solver_report(device, &b));
        for (int f = 0; f < 3; f++) {
            its[f] = figure_of(reference, names[f]);
            theirs[f] = figure_of(device, names[f]);
        }
        double sum = 0;
        worst = 0;
        for (uint64_t i = 0; i < model->vertex_count; i++) {
            double way[3];
            vec_sub(way, x[i], y[i]);
            worst = fmax(worst, vec_length(way));
            sum += vec_dot(way, way);
        }
        apart = sqrt(sum / (double)model->vertex_count);
        print_message(
            "step %llu: %.1e m apart (worst %.1e); squeeze %.6e and %.6e J, wind %.5f and %.5f, pressure %.4e and "
            "%.4e Pa, newton %.2f %.2f\n",
            (unsigned long long)a.step, apart, worst, its[0], theirs[0], its[1], theirs[1], its[2], theirs[2],
            a.mean_newton, b.mean_newton);
    }
    assert_true(apart < 1e-8 && its[0] > 0 && fabs(its[0] / theirs[0] - 1) < 1e-6);
    assert_true(its[1] < 0.999 && fabs(its[1] - theirs[1]) < 1e-7);
    free(x);
    free(y);
    sheaf_solver_close(reference);
    sheaf_solver_close(device);
    sheaf_model_free(model);
}

// ---- the same bits

enum { HAIRS = 37, POINTS = 20 };

// How a bundle of hair is run.
typedef struct company {
    const char *lanes;
    bool is_reversed; // hairs come in the opposite order
    bool restarts;    // goes on from a file
    uint32_t launch;  // steps at once
} company;

// Single hairs in some order: the k-th strand of the model is hair order(k).
static sheaf_model *make_ordered(bool is_reversed, double fraction)
{
    sheaf_scene_def def = sheaf_scene_def_default();
    sheaf_material_def hair = sheaf_material_def_default();
    sheaf_scene *scene;
    sheaf_model *model;
    vec_set(def.wind, 0.5, 0.2, 0);
    hair.drag = 6e-5;
    must(sheaf_scene_create(&def, &scene));
    must(sheaf_scene_add_material(scene, &hair, NULL));
    for (uint32_t k = 0; k < HAIRS; k++) {
        const uint32_t h = is_reversed ? HAIRS - 1 - k : k;
        sheaf_strand_def strand = sheaf_strand_def_default();
        strand.vertex_count = POINTS;
        strand.length = 0.15;
        vec_set(strand.origin, 0.004 * (h % 6), 0.003 * (h / 6), 0.0001 * h);
        vec_set(strand.direction, 1, 0.02 * (h % 5) - 0.05, 0.3);
        must(sheaf_scene_add_strand(scene, &strand));
        scene->groups[k].stands_for = 100;
    }
    scene->volume = (scene_volume){
        .is_on = true, .shields = true, .cell = 0.012, .rub = 10, .sweeps = 5, .fraction = 100 * fraction};
    must(sheaf_model_create(scene, &model));
    sheaf_scene_free(scene);
    return model;
}

static sheaf_solver *restart(sheaf_solver *solver, const sheaf_model *model)
{
    must(sheaf_solver_save(solver, "volume-test.h5"));
    sheaf_solver_close(solver);
    solver = open_solver(model, SHEAF_BACKEND_DEVICE);
    must(sheaf_solver_load(solver, "volume-test.h5"));
    (void)remove("volume-test.h5");
    return solver;
}

static double (*run_ordered(const company *how, double fraction))[3]
{
    sheaf_model *model = make_ordered(how->is_reversed, fraction);
    double(*x)[3] = calloc(HAIRS * POINTS, sizeof *x), (*sorted)[3] = calloc(HAIRS * POINTS, sizeof *x);
    setenv("SHEAF_LANES", how->lanes, 1);
    sheaf_solver *solver = open_solver(model, SHEAF_BACKEND_DEVICE);
    for (uint32_t k = 0; k < 60; k += how->launch) {
        must(sheaf_solver_step(solver, how->launch));
        if (how->restarts && k + how->launch == 30)
            solver = restart(solver, model);
    }
    assert_true(fraction == 0 || figure_of(solver, "pressure_max_Pa") > 0);
    assert_true(figure_of(solver, "wind_fraction") < 0.99);
    must(sheaf_solver_read_positions(solver, x, HAIRS * POINTS));
    for (uint32_t s = 0; s < HAIRS; s++)
        memcpy(sorted[POINTS * (how->is_reversed ? HAIRS - 1 - s : s)], x[POINTS * s], POINTS * sizeof *x);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
    free(x);
    return sorted;
}

// With a share of space, and with the groom's own density.
static void bits_are_the_same(void **state)
{
    (void)state;
    static const company ways[] = {{"8", .launch = 1},
                                   {"8", .launch = 60},
                                   {"8", .launch = 1, .is_reversed = true},
                                   {"4", .launch = 20},
                                   {"8", .launch = 10, .restarts = true}};
    const char *before = getenv("SHEAF_LANES");
    char *kept = before ? strdup(before) : NULL;
    for (int g = 0; g < 2; g++) {
        double(*plain)[3] = NULL;
        for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++) {
            double(*found)[3] = run_ordered(&ways[k], g == 0 ? 0.0001 : 0);
            if (k > 0) {
                assert_memory_equal(plain, found, HAIRS * POINTS * sizeof *plain);
                free(found);
            } else {
                plain = found;
            }
        }
        free(plain);
    }
    if (kept != NULL)
        setenv("SHEAF_LANES", kept, 1);
    else
        unsetenv("SHEAF_LANES");
    free(kept);
}

// ---- rubbing

static double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

// Velocities at random; the grid alone acts on them.
static void rubbing_keeps_momentum(void **state)
{
    (void)state;
    sheaf_model *model =
        make_model("sheaf: 1\n"
                   "materials: { hair: { preset: straight } }\n"
                   "touch: { volume: { rub: 60 1/s } }\n"
                   "strands: [{ groom: { on: { sphere: { radius: 4 cm } }, count: 100, vertices: 12, length: 8 "
                   "cm }, root: free, taper: 40 % }]\n");
    const uint64_t count = model->vertex_count;
    volume_plan plan;
    volume_ref *grid;
    uint64_t seed = 3;
    volume_motion motion = {calloc(count, 24), calloc(count, 24), calloc(count, 24), calloc(count, 24)};
    must(volume_plan_make(model, model->def.step, &plan));
    must(volume_ref_open(&plan, &grid));
    memcpy(motion.position, model->position, count * sizeof *motion.position);
    for (uint64_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            motion.velocity[i][c] = motion.last_velocity[i][c] = draw(&seed) - 0.3;
    double last = INFINITY, first = 0, start[3];
    for (int k = 0; k < 20; k++) {
        double momentum[3] = {0}, kinetic = 0, mass = 0;
        for (uint64_t i = 0; i < count; i++) {
            vec_axpy(momentum, model->mass[i], motion.velocity[i]);
            kinetic += model->mass[i] * vec_dot(motion.velocity[i], motion.velocity[i]) / 2;
            mass += model->mass[i];
        }
        if (k == 0) {
            vec_copy(start, momentum);
            first = kinetic;
        }
        for (int c = 0; c < 3; c++)
            assert_true(fabs(momentum[c] - start[c]) < 1e-12 * mass);
        assert_true(kinetic <= last);
        last = kinetic;
        must(volume_ref_act(grid, motion, 0));
    }
    print_message("kinetic energy falls to %.3f of what it was\n", last / first);
    assert_true(last < 0.8 * first);
    volume_ref_close(grid);
    volume_plan_free(&plan);
    free(motion.position);
    free(motion.velocity);
    free(motion.last_velocity);
    free(motion.move);
    sheaf_model_free(model);
}

// The array of that name, read or written as double, row by row.
static void exchange(sheaf_solver *solver, const char *name, double (*values)[3], bool writes)
{
    solver_array arrays[SOLVER_ARRAYS_MOST];
    const uint32_t count = solver_arrays(solver, arrays);
    uint32_t a = 0;
    while (a < count && strcmp(arrays[a].name, name) != 0)
        a++;
    assert_true(a < count);
    const uint64_t numbers = arrays[a].rows * 3;
    float *rounded = calloc(numbers, sizeof *rounded);
    void *raw = arrays[a].is_double ? (void *)values : (void *)rounded;
    for (uint64_t k = 0; k < numbers && writes; k++)
        rounded[k] = (float)values[k / 3][k % 3];
    must(writes ? solver_write_array(solver, a, raw) : solver_read_array(solver, a, raw));
    for (uint64_t k = 0; k < numbers && !arrays[a].is_double; k++)
        values[k / 3][k % 3] = (double)rounded[k];
    free(rounded);
}

// Sum of mass times velocity, and of mass times speed.
static double sum_momentum(const sheaf_model *model, const double (*velocity)[3], double momentum[3])
{
    double all = 0;
    vec_set(momentum, 0, 0, 0);
    for (uint64_t i = 0; i < model->vertex_count; i++) {
        vec_axpy(momentum, model->mass[i], velocity[i]);
        all += model->mass[i] * vec_length(velocity[i]);
    }
    return all;
}

// Free hair on the device, in steps that change little but by rubbing, and too thin for pressure.
static void rubbing_keeps_momentum_on_the_device(void **state)
{
    (void)state;
    static const char *const precisions[] = {"single", "double"};
    static const double bars[] = {1e-6, 1e-12};
    for (int p = 0; p < 2; p++) {
        char text[512];
        snprintf(text, sizeof text,
                 "sheaf: 1\n"
                 "time: { step: 1/120 s }\ngravity: [0, 0, 0]\nprecision: %s\n"
                 "materials: { hair: { density: 1300 kg/m^3, young: 3.5 GPa, shear: 1.3 GPa, radius: 40 um } }\n"
                 "touch: { volume: { rub: 500 1/s, fraction: 10 %% } }\n"
                 "strands: [{ groom: { on: { sphere: { radius: 4 cm } }, count: 200, vertices: 12, length: 8 "
                 "cm }, root: free, stands_for: 600 }]\n",
                 precisions[p]);
        sheaf_model *model = make_model(text);
        sheaf_solver *solver = open_solver(model, SHEAF_BACKEND_DEVICE);
        double(*velocity)[3] = calloc(model->vertex_count, sizeof *velocity), start[3], end[3], lost[3];
        uint64_t seed = 3;
        for (uint32_t s = 0; s < model->strand_count; s++) // each strand as a whole: nothing bends
            for (int c = 0; c < 3; c++) {
                const double speed = 0.3 * (draw(&seed) - 0.3);
                for (uint64_t i = model->first_vertex[s]; i < model->first_vertex[s + 1]; i++)
                    velocity[i][c] = speed;
            }
        exchange(solver, "velocity", velocity, true);
        exchange(solver, "last_velocity", velocity, true);
        exchange(solver, "velocity", velocity, false); // as it was rounded
        const double first = sum_momentum(model, (const double(*)[3])velocity, start);
        must(sheaf_solver_step(solver, 10));
        assert_true(figure_of(solver, "pressure_max_Pa") == 0 && figure_of(solver, "filled_mean") > 0.05);
        exchange(solver, "velocity", velocity, false);
        const double all = sum_momentum(model, (const double(*)[3])velocity, end);
        vec_sub(lost, end, start);
        print_message("%s: momentum changes by %.1e of all; speeds fall to %.2f\n", precisions[p],
                      vec_length(lost) / first, all / first);
        assert_true(vec_length(lost) < bars[p] * first);
        assert_true(all < 0.9 * first);
        free(velocity);
        sheaf_solver_close(solver);
        sheaf_model_free(model);
    }
}

// ---- wind

// A block of hair 6 cm deep: by the formula the mean share is (1 - exp(-D)) / D, D = depth / L.
static void a_wall_stops_the_wind(void **state)
{
    (void)state;
    enum { STRANDS = 400 };
    const double depth = 0.06, height = 0.1, drag = 2.5e-4, speed = 2;
    sheaf_scene_def def = sheaf_scene_def_default();
    sheaf_material_def hair = sheaf_material_def_default();
    sheaf_scene *scene;
    sheaf_model *model;
    uint64_t seed = 9;
    def.wind[0] = speed;
    hair.drag = drag;
    must(sheaf_scene_create(&def, &scene));
    must(sheaf_scene_add_material(scene, &hair, NULL));
    for (uint32_t s = 0; s < STRANDS; s++) {
        sheaf_strand_def strand = sheaf_strand_def_default();
        strand.vertex_count = 31;
        strand.length = height;
        vec_set(strand.origin, depth * draw(&seed), depth * draw(&seed), 0);
        must(sheaf_scene_add_strand(scene, &strand));
        scene->groups[s].stands_for = 2;
    }
    scene->volume = (scene_volume){.shields = true, .cell = 0.005, .sweeps = 5};
    must(sheaf_model_create(scene, &model));
    const double density = STRANDS * 2 * drag / (depth * depth),
                 layers = depth * 2 * density / (VOLUME_AIR_DENSITY * speed);
    const double wanted = (1 - exp(-layers)) / layers;
    for (int k = 0; k < 2; k++) {
        sheaf_solver *solver = open_solver(model, k ? SHEAF_BACKEND_DEVICE : SHEAF_BACKEND_REFERENCE);
        must(sheaf_solver_step(solver, 1));
        const double share = figure_of(solver, "wind_fraction");
        print_message("share of the wind %.3f, by the formula %.3f\n", share, wanted);
        assert_true(fabs(share / wanted - 1) < 0.1);
        assert_true(isnan(figure_of(solver, "squeeze_J"))); // nothing keeps its volume
        sheaf_solver_close(solver);
    }
    sheaf_model_free(model);
    sheaf_scene_free(scene);
}

// ---- mistakes

static void expect_refusal(const char *text, const char *said)
{
    sheaf_scene *scene = NULL;
    assert_int_equal(sheaf_scene_parse(text, strlen(text), "test", &scene), SHEAF_ERR_INPUT);
    if (strstr(sheaf_last_error(), said) == NULL)
        fail_msg("%s", sheaf_last_error());
    sheaf_scene_free(scene);
}

// Neither half would know of the other: volume and shield are refused, at the place that asks for them.
static void bodies_are_refused(void **state)
{
    (void)state;
    static const char *const asked[] = {"touch: { volume: {} }", "wind: { velocity: [1 m/s, 0, 0], shield: true }"};
    for (int k = 0; k < 2; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "sheaf: 1\nmaterials: { hair: { preset: straight } }\n%s\n"
                 "bodies: { bob: { sphere: { radius: 2 mm }, density: 1000 kg/m^3 } }\n"
                 "strands:\n"
                 "  - { shape: { straight: { length: 10 cm, direction: x, vertices: 12 } } }\n"
                 "  - { shape: { straight: { length: 10 cm, direction: y, vertices: 12 } }, tip: { clamp: bob } }\n",
                 asked[k]);
        expect_refusal(text, "strand 1 hangs on a body");
    }
}

// Opens the hair with so much device memory at most, and gives its strands their first pushes.
static sheaf_status act_within(const sheaf_model *model, uint64_t limit, engine_memory *use)
{
    const engine_options options = {.lane_width = 8, .is_pushed = true, .step = 1. / 60, .memory_limit = limit};
    sheaf_engine *engine;
    der_volume *volume = NULL;
    must(der_open_engine(model, &options, &engine));
    sheaf_status status = der_volume_open(engine, &volume);
    if (status == SHEAF_OK)
        status = der_volume_act(volume);
    *use = engine_memory_use(engine);
    der_volume_close(volume);
    engine_close(engine);
    return status;
}

static void expect_no_room(const sheaf_model *model, uint64_t limit, const char *what, engine_memory *use)
{
    assert_int_equal(act_within(model, limit, use), SHEAF_ERR_DEVICE);
    if (strstr(sheaf_last_error(), what) == NULL || strstr(sheaf_last_error(), "MiB are needed") == NULL)
        fail_msg("%s", sheaf_last_error());
}

static void a_grid_beyond_the_devices_memory_is_refused(void **state)
{
    (void)state;
    sheaf_model *model = make_hair(40, 1. / 60, false, "touch: { volume: {} }");
    engine_memory use, whole;
    must(act_within(model, 0, &whole));
    must(act_within(model, whole.used, &use));
    expect_no_room(model, whole.used - 1, "a grid of", &use);
    uint64_t limit = 0; // with less memory an engine takes less scratch, until there is one work-item
    while (limit != use.needed) {
        limit = use.needed;
        expect_no_room(model, limit, "touch: volume: ", &use);
    }
    expect_no_room(model, limit, "samples along all strands", &use);
    sheaf_model_free(model);
}

static void mistakes_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *touch, *said;
    } cases[] = {{"touch: { volume: { cell: 5 mm } }", "is less than an edge"},
                 {"touch: { volume: { cell: -5 mm } }", "is out of range"},
                 {"touch: { volume: { fraction: 0 % } }", "is out of range"},
                 {"touch: { volume: { speed: fast } }", "speed"},
                 {"touch: { volume: { rub: -1 1/s } }", "is out of range"},
                 {"touch: { volume: {} }\nstep: { integrator: explicit }", "implicit"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "sheaf: 1\nmaterials: { hair: { preset: straight } }\n%s\n"
                 "strands: [{ groom: { on: { sphere: { radius: 9 cm } }, count: 30, vertices: 20, length: 20 cm } }]\n",
                 cases[k].touch);
        expect_refusal(text, cases[k].said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_groom_starts_at_rest),
        cmocka_unit_test(hair_on_a_plane_of_the_grid_moves),
        cmocka_unit_test(device_follows_the_reference),
        cmocka_unit_test(bits_are_the_same),
        cmocka_unit_test(rubbing_keeps_momentum),
        cmocka_unit_test(rubbing_keeps_momentum_on_the_device),
        cmocka_unit_test(a_wall_stops_the_wind),
        cmocka_unit_test(a_grid_beyond_the_devices_memory_is_refused),
        cmocka_unit_test(bodies_are_refused),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(hair_keeps_its_volume),
        cmocka_unit_test(ten_thousand_curls_keep_their_volume),
        cmocka_unit_test(cells_and_steps_hardly_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
