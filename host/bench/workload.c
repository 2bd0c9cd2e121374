// workload: populations for benchmarks.
#include "bench/workload.h"

#include <math.h>
#include <string.h>

typedef enum hair_kind { STRAIGHT, CURLED, ROUND } hair_kind; // straight and curled ones are elliptic

static const struct workload {
    const char *name;
    double bar; // peak flops per vertex-step; 0: none
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
    bool is_filmed; // looked at every few steps
} workloads[BENCH_WORKLOAD_COUNT] = {
    [BENCH_BDF2] = {.name = "bdf2", .newton = 1, .bar = 3500},
    [BENCH_BDF2_2NEWTON] = {.name = "bdf2-2newton", .bar = 5400, .newton = 2, .hair = CURLED},
    [BENCH_EXPLICIT] = {.name = "explicit", .bar = 1900, .integrator = SHEAF_INTEGRATOR_EXPLICIT, .hair = CURLED},
    [BENCH_TRIDIAGONAL] = {.name = "tridiagonal", .newton = 1, .is_shaken = true},
    [BENCH_JACOBI] = {.name = "jacobi", .newton = 1, .projector = SHEAF_PROJECTOR_JACOBI, .is_shaken = true},
    [BENCH_CHEBYSHEV] = {.name = "chebyshev", .newton = 1, .projector = SHEAF_PROJECTOR_CHEBYSHEV, .is_shaken = true},
    [BENCH_RED_BLACK] = {.name = "red-black", .newton = 1, .projector = SHEAF_PROJECTOR_RED_BLACK, .is_shaken = true},
    [BENCH_TWIST_CLOSED] = {.name = "closed-form", .newton = 2, .hair = ROUND, .twist_iterations = 1},
    [BENCH_TWIST_NEWTON] = {.name = "newton", .newton = 2, .hair = CURLED, .twist_iterations = 2},
    [BENCH_LAW_LINEAR] = {.name = "linear", .newton = 2, .hair = CURLED},
    [BENCH_LAW_EXACT] = {.name = "atan", .newton = 2, .hair = CURLED, .law = "c*atan(x/c)"},
    [BENCH_LAW_FIT] = {.name = "atan-fit", .newton = 2, .hair = CURLED, .law = "c*atan(x/c)", .is_fitted = true},
    [BENCH_HAIR] = {.name = "hair", .is_population = true},
    [BENCH_HAIR_BLOWN] = {.name = "hair-blown", .is_population = true, .is_blown = true},
    [BENCH_CURLS] = {.name = "curls", .is_population = true},
    [BENCH_CURLS_BLOWN] = {.name = "curls-blown", .is_population = true, .is_blown = true},
    [BENCH_GRASS] = {.name = "grass", .is_population = true},
    [BENCH_GRASS_BLOWN] = {.name = "grass-blown", .is_population = true, .is_blown = true},
    [BENCH_CURLS_FILM] = {.name = "curls-film", .is_population = true, .is_blown = true, .is_filmed = true},
};

static const double pi = 3.14159265358979324;
static const double implicit_step = 1.0 / 240; // s
static const double explicit_share = 0.4;      // of the largest stable step
static const double equal_strain = 1e-4;

const char *bench_workload_name(bench_workload workload)
{
    return workloads[workload].name;
}

bench_workload bench_workload_find(const char *name)
{
    bench_workload workload = 0;
    while (workload < BENCH_WORKLOAD_COUNT && strcmp(workloads[workload].name, name) != 0)
        workload++;
    return workload;
}

double bench_workload_bar(bench_workload workload)
{
    return workloads[workload].bar;
}

uint32_t bench_workload_twist_iterations(bench_workload workload)
{
    return workloads[workload].twist_iterations;
}

const char *bench_workload_law(bench_workload workload)
{
    return workloads[workload].law;
}

sheaf_integrator bench_workload_integrator(bench_workload workload)
{
    return workloads[workload].integrator;
}

sheaf_projector bench_workload_projector(bench_workload workload)
{
    return workloads[workload].projector;
}

bool bench_workload_is_blown(bench_workload workload)
{
    return workloads[workload].is_blown;
}

bool bench_workload_is_filmed(bench_workload workload)
{
    return workloads[workload].is_filmed;
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
    if (workloads[what->workload].hair == CURLED) {
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
    const struct workload *workload = &workloads[what->workload];
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
    const struct workload *workload = &workloads[what->workload];
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
    if (workloads[what->workload].is_population)
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
    *step = explicit_share * sheaf_model_explicit_step_limit(model);
    sheaf_model_free(model);
    return *step > 0 ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

sheaf_status bench_make_model(const bench_case *what, sheaf_model **model)
{
    double step = implicit_step;
    *model = NULL;
    if (workloads[what->workload].integrator == SHEAF_INTEGRATOR_EXPLICIT)
        SHEAF_TRY(find_explicit_step(what, &step));
    return make_with_step(what, step, model);
}
