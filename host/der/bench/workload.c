// workload: populations for benchmarks.
#include "der/bench/workload.h"

#include "bench/laws.h"
#include "couple/volume.h"
#include "der/der.h"
#include "der/device/owners.h"
#include "der/device/volume.h"

#include <math.h>
#include <string.h>

typedef enum hair_kind { STRAIGHT, CURLED, ROUND } hair_kind; // straight and curled ones are elliptic

static const struct workload {
    sheaf_integrator integrator;
    uint32_t newton; // 0: as many as a strand needs
    hair_kind hair;
    sheaf_projector projector;
    uint32_t twist_iterations; // 0: the engine's own choice
    const char *law;           // of bending and twist; NULL: linear
    bool is_fitted;            // by a polynomial of degree 5
    bool is_shaken;            // lengths are kept to a strain of 1e-4, on a head that shakes
    bool is_population;        // a scene of its own
    bool is_blown;
} workloads[DER_WORKLOAD_COUNT] = {
    [BENCH_BDF2] = {.newton = 1},
    [BENCH_BDF2_2NEWTON] = {.newton = 2, .hair = CURLED},
    [BENCH_EXPLICIT] = {.integrator = SHEAF_INTEGRATOR_EXPLICIT, .hair = CURLED},
    [BENCH_TRIDIAGONAL] = {.newton = 1, .is_shaken = true},
    [BENCH_JACOBI] = {.newton = 1, .projector = SHEAF_PROJECTOR_JACOBI, .is_shaken = true},
    [BENCH_CHEBYSHEV] = {.newton = 1, .projector = SHEAF_PROJECTOR_CHEBYSHEV, .is_shaken = true},
    [BENCH_RED_BLACK] = {.newton = 1, .projector = SHEAF_PROJECTOR_RED_BLACK, .is_shaken = true},
    [BENCH_TWIST_CLOSED] = {.newton = 2, .hair = ROUND, .twist_iterations = 1},
    [BENCH_TWIST_NEWTON] = {.newton = 2, .hair = CURLED, .twist_iterations = 2},
    [BENCH_LAW_LINEAR] = {.newton = 2, .hair = CURLED},
    [BENCH_LAW_EXACT] = {.newton = 2, .hair = CURLED, .law = BENCH_LAW_TEXT},
    [BENCH_LAW_FIT] = {.newton = 2, .hair = CURLED, .law = BENCH_LAW_TEXT, .is_fitted = true},
    [BENCH_HAIR] = {.is_population = true},
    [BENCH_HAIR_BLOWN] = {.is_population = true, .is_blown = true},
    [BENCH_CURLS] = {.is_population = true},
    [BENCH_CURLS_BLOWN] = {.is_population = true, .is_blown = true},
    [BENCH_GRASS] = {.is_population = true},
    [BENCH_GRASS_BLOWN] = {.is_population = true, .is_blown = true},
    [BENCH_CURLS_FILM] = {.is_population = true, .is_blown = true},
    [BENCH_CURLS_VOLUME] = {.is_population = true},
};

static const double pi = 3.14159265358979324;
static const double implicit_step = 1.0 / 240; // s
static const double explicit_share = 0.4;      // of the largest stable step
static const double equal_strain = 1e-4;

#define WORKLOAD(which, its_name, its_bar, filmed)                                                                     \
    [which] = {.name = (its_name), .bar = (its_bar), .is_filmed = (filmed), .part = &der_bench, .kind = (which)}
const bench_workload der_workloads[DER_WORKLOAD_COUNT] = {
    WORKLOAD(BENCH_BDF2, "bdf2", 3500, false),
    WORKLOAD(BENCH_BDF2_2NEWTON, "bdf2-2newton", 5400, false),
    WORKLOAD(BENCH_EXPLICIT, "explicit", 1900, false),
    WORKLOAD(BENCH_TRIDIAGONAL, "tridiagonal", 0, false),
    WORKLOAD(BENCH_JACOBI, "jacobi", 0, false),
    WORKLOAD(BENCH_CHEBYSHEV, "chebyshev", 0, false),
    WORKLOAD(BENCH_RED_BLACK, "red-black", 0, false),
    WORKLOAD(BENCH_TWIST_CLOSED, "closed-form", 0, false),
    WORKLOAD(BENCH_TWIST_NEWTON, "newton", 0, false),
    WORKLOAD(BENCH_LAW_LINEAR, "linear", 0, false),
    WORKLOAD(BENCH_LAW_EXACT, "atan", 0, false),
    WORKLOAD(BENCH_LAW_FIT, "atan-fit", 0, false),
    WORKLOAD(BENCH_HAIR, "hair", 0, false),
    WORKLOAD(BENCH_HAIR_BLOWN, "hair-blown", 0, false),
    WORKLOAD(BENCH_CURLS, "curls", 0, false),
    WORKLOAD(BENCH_CURLS_BLOWN, "curls-blown", 0, false),
    WORKLOAD(BENCH_GRASS, "grass", 0, false),
    WORKLOAD(BENCH_GRASS_BLOWN, "grass-blown", 0, false),
    WORKLOAD(BENCH_CURLS_FILM, "curls-film", 0, true),
    WORKLOAD(BENCH_CURLS_VOLUME, "curls-volume", 0, false),
};

uint32_t bench_workload_twist_iterations(der_workload workload)
{
    return workloads[workload].twist_iterations;
}

sheaf_integrator bench_workload_integrator(der_workload workload)
{
    return workloads[workload].integrator;
}

sheaf_projector bench_workload_projector(der_workload workload)
{
    return workloads[workload].projector;
}

bool bench_workload_is_blown(der_workload workload)
{
    return workloads[workload].is_blown;
}

// A strand that hangs, tilted by up to 20 degrees, from a place on a square of 20 cm.
static sheaf_strand_def make_strand(const bench_case *what, uint32_t index)
{
    double place[4], pose[4];
    base_uniform4(7, 0, index, place);
    base_uniform4(7, 1, index, pose);
    const double tilt = place[2] * pi / 9, azimuth = 2 * pi * place[3];
    sheaf_strand_def strand = sheaf_strand_def_default();
    strand.vertex_count = what->vertices;
    strand.length = 0.2 * (0.95 + 0.1 * pose[0]);
    strand.origin[0] = 0.2 * place[0];
    strand.origin[1] = 0.2 * place[1];
    strand.direction[0] = sin(tilt) * cos(azimuth);
    strand.direction[1] = sin(tilt) * sin(azimuth);
    strand.direction[2] = -cos(tilt);
    strand.normal[0] = cos(2 * pi * pose[1]);
    strand.normal[1] = sin(2 * pi * pose[1]);
    strand.root.motion = 0;
    if (workloads[what->workload->kind].hair == CURLED) {
        strand.shape = SHEAF_SHAPE_HELIX;
        strand.radius = 0.006;
        strand.pitch = 0.03;
    }
    return strand;
}

// A head that nods by 5 degrees in 1 s; or shakes by 2 cm in 0.4 s.
static sheaf_motion_def make_motion(const struct workload *workload)
{
    sheaf_motion_def head = sheaf_motion_def_default();
    head.name = "head";
    head.axis[0] = 1;
    head.axis[2] = 0;
    if (workload->is_shaken)
        head.move[0] = (sheaf_course){.kind = SHEAF_COURSE_SINE, .value = 0.02, .duration = 0.4};
    else
        head.turn = (sheaf_course){.kind = SHEAF_COURSE_SINE, .value = pi / 36, .duration = 1};
    return head;
}

static sheaf_status make_law(const struct workload *workload, law **made)
{
    static const law_constant c = {"c", BENCH_LAW_C};
    law_def def = {.constants = &c, .constant_count = 1, .range = BENCH_LAW_RANGE};
    law_fault fault;
    *made = NULL;
    if (workload->law == NULL)
        return SHEAF_OK;
    const law_text text = {workload->law, strlen(workload->law)};
    def.texts[LAW_BEND_1] = def.texts[LAW_BEND_2] = def.texts[LAW_TWIST] = text;
    def.fit = (law_fit){.is_wanted = workload->is_fitted, .order = 5};
    return law_create(&def, made, &fault);
}

static sheaf_status add_material(sheaf_scene *scene, const struct workload *workload)
{
    sheaf_material_def hair = sheaf_material_def_default();
    law *of;
    hair.name = "hair";
    hair.radius[0] = 45e-6;
    hair.radius[1] = workload->hair == ROUND ? 45e-6 : 32e-6;
    hair.drag = 60e-6;
    SHEAF_TRY(make_law(workload, &of));
    const sheaf_status status =
        of != NULL ? scene_add_material(scene, &hair, of) : sheaf_scene_add_material(scene, &hair, NULL);
    law_release(of);
    return status;
}

static sheaf_status fill_scene(sheaf_scene *scene, const bench_case *what)
{
    const struct workload *workload = &workloads[what->workload->kind];
    const sheaf_motion_def head = make_motion(workload);
    SHEAF_TRY(sheaf_scene_add_motion(scene, &head, NULL));
    SHEAF_TRY(add_material(scene, workload));
    for (uint32_t s = 0; s < what->strands; s++) {
        const sheaf_strand_def strand = make_strand(what, s);
        SHEAF_TRY(sheaf_scene_add_strand(scene, &strand));
    }
    return SHEAF_OK;
}

static sheaf_status make_scene(const bench_case *what, double step, sheaf_scene **scene)
{
    const struct workload *workload = &workloads[what->workload->kind];
    sheaf_scene_def def = sheaf_scene_def_default();
    def.integrator = workload->integrator;
    def.newton = workload->newton;
    def.projector = workload->projector;
    def.step = step;
    if (workload->is_shaken) {
        def.projection_tolerance = 2 * equal_strain; // of the squared length
        def.projection_iterations = 10000;
    }
    SHEAF_TRY(sheaf_scene_create(&def, scene));
    const sheaf_status status = fill_scene(*scene, what);
    if (status != SHEAF_OK)
        sheaf_scene_free(*scene);
    return status;
}

static sheaf_status make_with_step(const bench_case *what, double step, sheaf_model **model)
{
    sheaf_scene *scene;
    *model = NULL;
    if (workloads[what->workload->kind].is_population)
        SHEAF_TRY(bench_make_population(what, &scene));
    else
        SHEAF_TRY(make_scene(what, step, &scene));
    const sheaf_status status = sheaf_model_create(scene, model);
    sheaf_scene_free(scene);
    if (status == SHEAF_OK && what->is_stage)
        (*model)->def.projection_iterations = 2;
    return status;
}

// A step that is stable for every strand: they differ by 5 % in length, and the limit goes with its square.
static sheaf_status find_explicit_step(const bench_case *what, double *step)
{
    bench_case one = *what;
    sheaf_model *model;
    one.strands = 1;
    SHEAF_TRY(make_with_step(&one, implicit_step, &model));
    double limit = 0;
    const sheaf_status status = der_step_limit(model, &limit);
    *step = explicit_share * limit;
    sheaf_model_free(model);
    return status;
}

sheaf_status der_bench_model(const bench_case *what, sheaf_model **model)
{
    double step = implicit_step;
    *model = NULL;
    if (workloads[what->workload->kind].integrator == SHEAF_INTEGRATOR_EXPLICIT)
        SHEAF_TRY(find_explicit_step(what, &step));
    return make_with_step(what, step, model);
}

sheaf_status der_bench_open(const bench_case *what, const sheaf_model *model, uint32_t device, sheaf_engine **engine,
                            void **between)
{
    device_info info;
    engine_options options = {
        .device = device,
        .lane_width = what->lane_width,
        .is_staged = what->is_staged,
        .is_pushed = volume_is_wanted(model),
        .step = model->def.step,
        .tuning = {[DER_TWIST_ITERATIONS] = workloads[what->workload->kind].twist_iterations},
    };
    *between = NULL;
    SHEAF_TRY(device_find(device, &info));
    owners_choose(&info, model->vertex_count, &options);
    SHEAF_TRY(der_open_engine(model, &options, engine));
    return options.is_pushed ? der_volume_open(*engine, (der_volume **)between) : SHEAF_OK;
}
