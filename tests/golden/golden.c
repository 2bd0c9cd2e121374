// golden: freezes what the engine and the reference compute, so that a change that moves code is seen to move nothing
// else. labels: device (30 s)
//
//   golden write FOLDER    runs every scene of FOLDER and notes what came out, in NAME.values and hashes.txt
//   golden check FOLDER    runs them again and compares
//
// The device starts from packed arrays out of NAME.values, and its scenes move by straight lines alone: no function of
// a mathematical library is on the way, so that hashes of its state hold on every machine. How scenes become arrays,
// and what the reference makes of them, is compared to 1e-12.
#include "der/device/device.h"
#include "solver/solver.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const cases[] = {"even",   "padded", "damped", "ends",  "ends_damped", "colliders",
                                    "shapes", "mesh",   "air",    "euler", "explicit",    "jacobi"};
enum { CASES = sizeof cases / sizeof cases[0], WIDTH = 8, DEVICE_STEPS = 24, REFERENCE_STEPS = 10, PATH = 512 };

static const double tolerance = 1e-12; // relative to the largest number of an array

// A file of numbers that is written, or read and compared with.
typedef struct store {
    FILE *file;
    bool is_writing;
    const char *name; // of the case
    int faults;
} store;

static void stop(const char *what)
{
    fprintf(stderr, "golden: %s: %s\n", what, sheaf_last_error());
    exit(2);
}

static void check(sheaf_status status, const char *what)
{
    if (status != SHEAF_OK)
        stop(what);
}

static double largest_of(const double *values, size_t count)
{
    double largest = 0;
    for (size_t k = 0; k < count; k++)
        largest = fmax(largest, fabs(values[k]));
    return largest;
}

static void read_numbers(store *s, double *values, size_t count, const char *what)
{
    if (fread(values, sizeof *values, count, s->file) == count)
        return;
    fprintf(stderr, "golden: %s.values ends before %s: write it anew\n", s->name, what);
    exit(2);
}

// Writes numbers, or compares them with those of the file, which take their place.
static void keep(store *s, const char *what, double *values, size_t count)
{
    if (s->is_writing) {
        if (fwrite(values, sizeof *values, count, s->file) != count)
            stop("cannot write");
        return;
    }
    double *kept = malloc((count + 1) * sizeof *kept), worst = 0;
    read_numbers(s, kept, count, what);
    for (size_t k = 0; k < count; k++)
        worst = fabs(values[k] - kept[k]) <= worst ? worst : fabs(values[k] - kept[k]); // NaN shows
    if (!(worst <= tolerance * largest_of(kept, count))) {
        printf("%s: %s is off by %.1e of %.1e\n", s->name, what, worst, largest_of(kept, count));
        s->faults++;
    }
    memcpy(values, kept, count * sizeof *values);
    free(kept);
}

// ---- from a scene to arrays, and the reference

static sheaf_model *load(const char *folder, const char *name)
{
    char path[PATH];
    sheaf_scene *scene;
    sheaf_model *model;
    snprintf(path, sizeof path, "%s/%s.yaml", folder, name);
    check(sheaf_scene_load(path, &scene), name);
    check(sheaf_model_create(scene, &model), name);
    sheaf_scene_free(scene);
    return model;
}

// Waves of the gusts are numbers of the model, too: the device gets those of the file.
static void keep_model(store *s, sheaf_model *model)
{
    const size_t n = (size_t)model->vertex_count;
    keep(s, "position", &model->position[0][0], 3 * n);
    keep(s, "director", &model->director[0][0], 3 * n);
    keep(s, "rest length", model->rest_length, n);
    keep(s, "mass", model->mass, n);
    keep(s, "bending stiffness", &model->bend[0][0], 2 * n);
    keep(s, "twisting stiffness", model->twist, n);
    keep(s, "natural curvature", &model->natural_curvature[0][0][0], 4 * n);
    keep(s, "natural twist", model->natural_twist, n);
    keep(s, "gusts", (double *)model->gusts, model->gust_count * sizeof model->gusts[0] / sizeof(double));
}

static void keep_reference(store *s, const sheaf_model *model)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_solver *solver;
    double(*positions)[3] = malloc(model->vertex_count * sizeof *positions);
    def.backend = SHEAF_BACKEND_REFERENCE;
    check(sheaf_solver_open(model, &def, &solver), s->name);
    check(sheaf_solver_step(solver, REFERENCE_STEPS), s->name);
    check(sheaf_solver_read_positions(solver, positions, model->vertex_count), s->name);
    sheaf_solver_close(solver);
    keep(s, "positions of the reference", &positions[0][0], 3 * (size_t)model->vertex_count);
    free(positions);
}

// ---- the device

// Numbers of a packed array, whatever their precision.
static size_t number_count(const sheaf_engine *engine, der_field array)
{
    return bundles_bytes(engine_bundles(engine), array) / (engine_options_of(engine)->is_double ? 8 : 4);
}

static void put_numbers(sheaf_engine *engine, der_field array, const double *values)
{
    const bool is_double = engine_options_of(engine)->is_double;
    const size_t count = number_count(engine, array);
    float *rounded = malloc((count + 1) * sizeof *rounded);
    for (size_t k = 0; k < count; k++)
        rounded[k] = (float)values[k];
    check(engine_write_array(engine, array, is_double ? (const void *)values : rounded), "engine_write_array");
    free(rounded);
}

static sheaf_engine *open_engine(const sheaf_model *model, bool is_double)
{
    const engine_options options = {.lane_width = WIDTH, .is_double = is_double, .step = model->def.step};
    sheaf_engine *engine;
    check(der_open_engine(model, &options, &engine), "engine_open");
    return engine;
}

// All arrays at time 0, [DER_FIELD_COUNT], to be freed with free_arrays.
static void keep_packed(store *s, const sheaf_model *model, double **arrays)
{
    sheaf_engine *engine = open_engine(model, true);
    for (der_field array = 0; array < DER_FIELD_COUNT; array++) {
        char what[32];
        snprintf(what, sizeof what, "packed array %d", (int)array);
        arrays[array] = malloc(number_count(engine, array) * sizeof **arrays + 1);
        check(engine_read_array(engine, array, arrays[array]), s->name);
        keep(s, what, arrays[array], number_count(engine, array));
    }
    engine_close(engine);
}

static uint64_t hash_state(sheaf_engine *engine)
{
    uint64_t hash = 0;
    for (der_field array = 0; array < DER_FIELD_COUNT; array++) {
        const size_t size = bundles_bytes(engine_bundles(engine), array);
        void *memory = malloc(size + 1);
        check(engine_read_array(engine, array, memory), "engine_read_array");
        if (engine_state_name(engine, array) != NULL)
            hash = base_hash(memory, size, hash);
        free(memory);
    }
    return hash;
}

static uint64_t run_device(const sheaf_model *model, double **arrays, bool is_double)
{
    sheaf_engine *engine = open_engine(model, is_double);
    for (der_field array = 0; array < DER_FIELD_COUNT; array++)
        put_numbers(engine, array, arrays[array]);
    check(engine_step(engine, DEVICE_STEPS), "engine_step");
    const uint64_t hash = hash_state(engine);
    engine_close(engine);
    return hash;
}

// ---- cases

static void keep_hash(store *s, FILE *hashes, const char *form, uint64_t hash)
{
    char name[32] = "", kept_form[32] = "";
    uint64_t kept = 0;
    if (s->is_writing) {
        fprintf(hashes, "%s %s %016" PRIx64 "\n", s->name, form, hash);
        return;
    }
    if (fscanf(hashes, "%31s %31s %" SCNx64, name, kept_form, &kept) != 3 || strcmp(name, s->name) != 0 ||
        strcmp(kept_form, form) != 0 || kept != hash) {
        printf("%s %s: the state after %d steps is another: %016" PRIx64 ", was %016" PRIx64 "\n", s->name, form,
               DEVICE_STEPS, hash, kept);
        s->faults++;
    }
}

static int run_case(const char *folder, const char *name, bool is_writing, FILE *hashes)
{
    char path[PATH];
    double *arrays[DER_FIELD_COUNT] = {NULL};
    snprintf(path, sizeof path, "%s/%s.values", folder, name);
    store s = {.file = fopen(path, is_writing ? "wb" : "rb"), .is_writing = is_writing, .name = name};
    if (s.file == NULL) {
        fprintf(stderr, "golden: cannot open %s\n", path);
        return 1;
    }
    sheaf_model *model = load(folder, name);
    keep_model(&s, model);
    keep_reference(&s, model);
    keep_packed(&s, model, arrays);
    keep_hash(&s, hashes, "float8", run_device(model, arrays, false));
    keep_hash(&s, hashes, "double8", run_device(model, arrays, true));
    for (int k = 0; k < DER_FIELD_COUNT; k++)
        free(arrays[k]);
    sheaf_model_free(model);
    if (fclose(s.file) != 0)
        stop("cannot write");
    return s.faults;
}

int main(int count, char **words)
{
    const bool is_writing = count == 3 && strcmp(words[1], "write") == 0;
    if (count != 3 || (!is_writing && strcmp(words[1], "check") != 0)) {
        fputs("usage: golden write|check FOLDER\n", stderr);
        return 2;
    }
    char path[PATH];
    snprintf(path, sizeof path, "%s/hashes.txt", words[2]);
    FILE *hashes = fopen(path, is_writing ? "w" : "r");
    if (hashes == NULL) {
        fprintf(stderr, "golden: cannot open %s\n", path);
        return 2;
    }
    int faults = 0;
    for (int k = 0; k < CASES; k++)
        faults += run_case(words[2], cases[k], is_writing, hashes);
    fclose(hashes);
    printf("%d cases, %d differences\n", CASES, faults);
    return faults > 0;
}
