// workload: populations for benchmarks.
#include "bench/workload.h"

#include <math.h>

static const struct {
    const char *name;
    double bar; // peak flops per vertex-step
    sheaf_integrator integrator;
    uint32_t newton; // 0: as many as a strand needs
    bool is_curled;
} workloads[BENCH_WORKLOAD_COUNT] = {
    [BENCH_BDF2] = {"bdf2", 4000, SHEAF_INTEGRATOR_BDF2, 0, false},
    [BENCH_BDF2_2NEWTON] = {"bdf2-2newton", 6000, SHEAF_INTEGRATOR_BDF2, 2, true},
    [BENCH_EXPLICIT] = {"explicit", 2300, SHEAF_INTEGRATOR_EXPLICIT, 0, true},
};

static const double pi = 3.14159265358979324;
static const double implicit_step = 1.0 / 240; // s
static const double explicit_share = 0.4;      // of the largest stable step

const char *bench_workload_name(bench_workload workload)
{
    return workloads[workload].name;
}

double bench_workload_bar(bench_workload workload)
{
    return workloads[workload].bar;
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
    if (workloads[what->workload].is_curled) {
        strand.shape = SHEAF_SHAPE_HELIX;
        strand.radius = 0.006;
        strand.pitch = 0.03;
    }
    return strand;
}

static sheaf_status fill_scene(sheaf_scene *scene, const bench_case *what)
{
    sheaf_motion_def nod = sheaf_motion_def_default();
    nod.name = "nod";
    nod.axis[0] = 1;
    nod.axis[2] = 0;
    nod.turn = (sheaf_course){.kind = SHEAF_COURSE_SINE, .value = pi / 36, .duration = 1};
    SHEAF_TRY(sheaf_scene_add_motion(scene, &nod, NULL));
    sheaf_material_def hair = sheaf_material_def_default();
    hair.name = "hair";
    hair.radius[0] = 45e-6;
    hair.radius[1] = 32e-6;
    hair.drag = 60e-6;
    SHEAF_TRY(sheaf_scene_add_material(scene, &hair, NULL));
    for (uint32_t s = 0; s < what->strands; s++) {
        const sheaf_strand_def strand = make_strand(what, s);
        SHEAF_TRY(sheaf_scene_add_strand(scene, &strand));
    }
    return SHEAF_OK;
}

static sheaf_status make_with_step(const bench_case *what, double step, sheaf_model **model)
{
    sheaf_scene_def def = sheaf_scene_def_default();
    sheaf_scene *scene;
    def.integrator = workloads[what->workload].integrator;
    def.newton = workloads[what->workload].newton;
    def.step = step;
    *model = NULL;
    SHEAF_TRY(sheaf_scene_create(&def, &scene));
    sheaf_status status = fill_scene(scene, what);
    if (status == SHEAF_OK)
        status = sheaf_model_create(scene, model);
    sheaf_scene_free(scene);
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
