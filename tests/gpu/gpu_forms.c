// gpu_forms: which programs GPUs are asked to build. Opens the engine as a GPU has it, one strand per work-item, on
// every scene named, on the benchmark's workloads and on the populations of tests, and writes what it hands to the
// compiler: `gpu_forms FOLDER SCENE...` leaves texts as FOLDER/text-K.cl and, in FOLDER/forms.tsv, a line for each
// program: the text's name, the options, who asked for it first.
#include "crowd.h"
#include "der/bench/workload.h"
#include "der/device/device_parts.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

enum { FORMS_MOST = 256, PATH_SIZE = 1024, GROUP = 64 }; // strands of a work-group, as on GPUs

// A program, by the hash of its text and its options.
typedef struct known_form {
    uint64_t text;
    char *options;
} known_form;

static known_form known[FORMS_MOST];
static uint32_t known_count;
static const char *folder, *asker; // who opens an engine now
static FILE *list;
static char *last_text; // of the program made last: it is built next

// ---- between the engine and its driver

static void *real(const char *name)
{
    static void *loader;
    if (loader == NULL)
        loader = dlopen("libOpenCL.so.1", RTLD_NOW);
    void *function = loader ? dlsym(loader, name) : NULL;
    if (function == NULL)
        fail_msg("no OpenCL loader");
    return function;
}

static void write_text(uint64_t hash)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/text-%016llx.cl", folder, (unsigned long long)hash);
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(last_text, file) < 0 || fclose(file) != 0)
        fail_msg("cannot write %s", path);
}

static void note_program(const char *options)
{
    const uint64_t hash = base_hash(last_text, strlen(last_text), 0);
    for (uint32_t k = 0; k < known_count; k++)
        if (known[k].text == hash && strcmp(known[k].options, options) == 0)
            return;
    assert_true(known_count < FORMS_MOST);
    known[known_count++] = (known_form){hash, strdup(options)};
    write_text(hash);
    fprintf(list, "text-%016llx.cl\t%s\t%s\n", (unsigned long long)hash, options, asker);
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings, const size_t *lengths,
                                     cl_int *error)
{
    static cl_program (*next)(cl_context, cl_uint, const char **, const size_t *, cl_int *);
    if (next == NULL)
        *(void **)&next = real("clCreateProgramWithSource");
    assert_true(count == 1 && lengths == NULL);
    free(last_text);
    last_text = strdup(strings[0]);
    return next(context, count, strings, lengths, error);
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                      void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    static cl_int (*next)(cl_program, cl_uint, const cl_device_id *, const char *,
                          void(CL_CALLBACK *)(cl_program, void *), void *);
    if (next == NULL)
        *(void **)&next = real("clBuildProgram");
    note_program(options);
    return next(program, count, devices, options, notify, user);
}

// ---- who asks

static void must(sheaf_status status)
{
    if (status != SHEAF_OK)
        fail_msg("%s: %s", asker, sheaf_last_error());
}

// Takes the model.
static void ask(const char *name, sheaf_model *model, bool is_double, bool is_staged)
{
    const double step = model->def.step > 0 ? model->def.step : 1e-3;
    const engine_options options = {
        .lane_width = 1, .is_double = is_double, .is_staged = is_staged, .step = step, .group_size = GROUP};
    sheaf_engine *engine;
    asker = name;
    must(der_open_engine(model, &options, &engine));
    must(engine_open_figures(engine));
    engine_close(engine);
    sheaf_model_free(model);
}

// A scene that only the reference can simulate asks for nothing.
static void ask_for_scene(const char *path)
{
    char reason[256];
    sheaf_scene *scene;
    sheaf_model *model;
    asker = path;
    must(sheaf_scene_load(path, &scene));
    must(sheaf_model_create(scene, &model));
    sheaf_scene_free(scene);
    if (der_fits_device(model, reason, sizeof reason))
        ask(path, model, false, false);
    else
        sheaf_model_free(model);
}

static void ask_for_workload(der_workload workload, bool is_staged)
{
    const bench_case what = {
        .workload = &der_workloads[workload], .strands = 64, .vertices = 32, .lane_width = 1, .is_staged = is_staged};
    char name[64];
    sheaf_model *model;
    snprintf(name, sizeof name, "bench %s%s", what.workload->name, is_staged ? ", staged" : "");
    asker = name;
    must(der_bench_model(&what, &model));
    ask(name, model, false, is_staged);
}

static void ask_for_crowd(sheaf_integrator integrator, bool is_ragged, bool is_damped, bool is_double)
{
    const crowd population = {.strand_count = 130,
                              .vertex_count = 12,
                              .is_ragged = is_ragged,
                              .is_mixed = is_ragged,
                              .is_damped = is_damped,
                              .integrator = integrator,
                              .step = integrator == SHEAF_INTEGRATOR_EXPLICIT ? 1e-5 : 1. / 240};
    ask("tests", crowd_model(&population), is_double, false);
}

static void ask_for_all(int scene_count, char **scenes)
{
    static const sheaf_integrator integrators[] = {SHEAF_INTEGRATOR_BDF2, SHEAF_INTEGRATOR_EULER,
                                                   SHEAF_INTEGRATOR_EXPLICIT};
    for (int k = 0; k < scene_count; k++)
        ask_for_scene(scenes[k]);
    for (der_workload workload = 0; workload < DER_WORKLOAD_COUNT; workload++)
        ask_for_workload(workload, false);
    ask_for_workload(BENCH_BDF2, true);
    ask_for_workload(BENCH_EXPLICIT, true);
    ask_for_workload(BENCH_HAIR_BLOWN, true);
    for (int k = 0; k < 3; k++) {
        ask_for_crowd(integrators[k], false, false, false);
        ask_for_crowd(integrators[k], true, false, false);
        ask_for_crowd(integrators[k], true, true, false);
    }
    ask_for_crowd(SHEAF_INTEGRATOR_BDF2, false, false, true);
    ask_for_crowd(SHEAF_INTEGRATOR_EXPLICIT, false, false, true);
}

int main(int count, char **words)
{
    char path[PATH_SIZE];
    if (count < 2) {
        fprintf(stderr, "gpu_forms FOLDER SCENE...\n");
        return 2;
    }
    folder = words[1];
    snprintf(path, sizeof path, "%s/forms.tsv", folder);
    list = fopen(path, "w");
    if (list == NULL) {
        fprintf(stderr, "cannot write %s\n", path);
        return 1;
    }
    ask_for_all(count - 2, words + 2);
    free(last_text);
    for (uint32_t k = 0; k < known_count; k++)
        free(known[k].options);
    return fclose(list) == 0 ? 0 : 1;
}
