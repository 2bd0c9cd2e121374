// paper: the paper's scenes and their timing. The paper gives lengths and stiffnesses of figures 7 and 8; the rest is
// chosen here, masses so that its step is a quarter of the largest stable one.
#include "der/bench/paper.h"

#include "base/text.h"
#include "bench/measure.h"
#include "cl/stages.h"
#include "der/der.h"
#include "der/device/device.h"
#include "der/device/width.h"

enum { ROUNDS = 5, ONE_STEPS = 400, BATCH_STEPS = 80, QUICK_STEPS = 8 }; // of a round

// Everything but the strands; step, s.
static const char common[] = "sheaf: 1\n"
                             "time: { step: %g s, end: 1e6 s }\n"
                             "step: { integrator: explicit, projection: { tolerance: 1e-8 } }\n"
                             "%s"
                             "strands:\n";

// A semicircle of flat section, one end turned once in 1 s.
static const char arc_scene[] = "gravity: [0, 0, 0]\n"
                                "materials: { rod: { line_mass: 0.34 kg/m, bend: [1e-4 N*m^2, 1e-3 N*m^2],"
                                " twist: 5e-4 N*m^2, drag: 7 Pa*s } }\n";
static const char arc_strand[] =
    "  - { shape: { arc: { radius: 31.831 cm, length: 1 m, vertices: 49, direction: z, normal: x } },"
    " clamp_plane: vertex, root: clamp, tip: { hold: clamp, twist: { ramp: { to: 1 turns, over: 1 s } } } }\n";

// Ends pushed together by 0.3 while one turns 27 times, in 10 s; weight gives the straight rod a flaw to buckle from.
static const char helix_scene[] = "gravity: [0, 0, -1e-3]\n"
                                  "materials: { rod: { line_mass: 1.4 kg/m, bend: 1.345 N*m^2, twist: 0.789 N*m^2,"
                                  " drag: 10 Pa*s } }\n";
static const char helix_strand[] =
    "  - { shape: { straight: { direction: x, length: 9.29 m, vertices: 75 } }, root: clamp, tip: { hold: clamp,"
    " move: [{ ramp: { to: -0.3 m, over: 10 s, smooth: true } }, 0, 0],"
    " twist: { ramp: { to: 27 turns, over: 10 s, smooth: true } } } }\n";

// A ring whose last edge lies on its first; one frame is turned against the other beyond the threshold, in 50 s.
static const char ring_scene[] = "gravity: [0, 0, -1e-4]\n"
                                 "materials: { rod: { line_mass: 1830 kg/m, bend: 1 N*m^2, twist: 1 N*m^2,"
                                 " drag: 730 Pa*s } }\n";
static const char ring_strand[] =
    "  - { shape: { arc: { direction: x, normal: y, radius: 1 m, length: 6.283185307179586 m, vertices: 67 } },"
    " natural: straight, root: clamp, tip: { hold: clamp, twist: { ramp: { to: 12 rad, over: 50 s } } } }\n";

const double bench_paper_clock = 2.66e9;

#define MS(x) (1e-3 * (x))
const bench_paper_row bench_paper_table[BENCH_PAPER_ROWS] = {
    {"1", "knot", 60, MS(4), MS(0.026), MS(0.05), MS(0.021), MS(0.21), MS(0.31), NULL, NULL, 0},
    {"5", "asymmetry of twist", 49, MS(1), MS(0.025), MS(0.018), MS(0.021), MS(0.12), MS(0.18), arc_scene, arc_strand,
     1600},
    {"6", "torque transducer", 200, MS(2), MS(0.072), MS(0.09), MS(0.064), MS(0.81), MS(1.0), NULL, NULL, 0},
    {"9", "plectoneme", 275, MS(1), MS(0.13), MS(0.19), MS(0.17), MS(0.42), MS(0.92), NULL, NULL, 0},
    {"7", "localised helix", 75, MS(2), MS(0.043), 0, MS(0.1), MS(0.2), MS(0.34), helix_scene, helix_strand, 6000},
    {"8", "Michell's ring", 67, MS(50), MS(0.039), 0, MS(0.096), MS(0.28), MS(0.42), ring_scene, ring_strand, 1600},
    {"10", "hanging chain", 31, MS(1), MS(0.016), 0, MS(0.13), MS(0.13), MS(0.2), NULL, NULL, 0},
    {"11", "Wilberforce pendulum", 20, MS(1), MS(0.0036), 0, MS(0.0043), MS(0.019), MS(0.027), NULL, NULL, 0},
    {"12", "tree in wind", 2158, MS(0.1), MS(0.87), 0, MS(0.64), MS(21), MS(22), NULL, NULL, 0},
};

double bench_paper_ratio(const bench_paper_row *row, double seconds)
{
    return (row->total - row->contact) / seconds;
}

// ---- scenes

static sheaf_status make_model(const bench_paper_row *row, uint32_t strands, sheaf_model **model)
{
    base_text text = {0};
    sheaf_scene *scene = NULL;
    *model = NULL;
    base_text_add(&text, common, row->step, row->scene);
    for (uint32_t s = 0; s < strands; s++)
        base_text_add(&text, "%s", row->strand);
    sheaf_status status = base_text_status(&text);
    if (status == SHEAF_OK)
        status = sheaf_scene_parse(base_text_get(&text), text.length, "paper", &scene);
    if (status == SHEAF_OK)
        status = sheaf_model_create(scene, model);
    sheaf_scene_free(scene);
    base_text_free(&text);
    return status;
}

// ---- timing

// What is being measured, and how.
typedef struct effort {
    uint32_t lead, steps, rounds; // steps before the first round; of a round
    bool (*stop)(void);
} effort;

static effort make_effort(const bench_paper_row *row, uint32_t strands, bool quick, bool (*stop)(void))
{
    const uint32_t steps = strands > 1 ? BATCH_STEPS : ONE_STEPS;
    return quick ? (effort){QUICK_STEPS, QUICK_STEPS, 1, stop} : (effort){row->lead_steps, steps, ROUNDS, stop};
}

static sheaf_status step_engine(void *moving, uint32_t steps)
{
    SHEAF_TRY(engine_step(moving, steps));
    return engine_wait(moving);
}

static sheaf_status step_reference(void *moving, uint32_t steps)
{
    return der_on_reference.step(moving, steps);
}

// Median of the rounds, s per step.
static sheaf_status time_steps(sheaf_status (*advance)(void *moving, uint32_t steps), void *moving, effort how,
                               double *seconds)
{
    double rounds[ROUNDS], quartiles[3];
    SHEAF_TRY(advance(moving, how.lead));
    for (uint32_t round = 0; round < how.rounds; round++) {
        if (how.stop != NULL && how.stop())
            return SHEAF_ERR_INTERRUPTED;
        const double start = base_clock();
        SHEAF_TRY(advance(moving, how.steps));
        rounds[round] = (base_clock() - start) / how.steps;
    }
    bench_quartiles(rounds, how.rounds, quartiles);
    *seconds = quartiles[1];
    return SHEAF_OK;
}

// Per strand: whole steps, and what the last of them left.
static sheaf_status time_engine(const sheaf_model *model, const engine_options *options, effort how, double *seconds,
                                sheaf_report *report)
{
    sheaf_engine *engine;
    SHEAF_TRY(der_open_engine(model, options, &engine));
    sheaf_status status = time_steps(step_engine, engine, how, seconds);
    *seconds /= sheaf_model_strand_count(model);
    if (status == SHEAF_OK)
        status = engine_report(engine, report);
    engine_close(engine);
    return status;
}

// Times of stages are the device's own, summed over all steps.
static sheaf_status time_stages(const sheaf_model *model, const engine_options *options, effort how,
                                bench_paper_times *times)
{
    engine_stage_time stages[ENGINE_STAGES_MAX];
    engine_options staged = *options;
    sheaf_engine *engine;
    double whole;
    staged.is_staged = true;
    SHEAF_TRY(der_open_engine(model, &staged, &engine));
    sheaf_status status = time_steps(step_engine, engine, how, &whole);
    if (status == SHEAF_OK)
        status = engine_stage_times(engine, stages);
    if (status == SHEAF_OK) {
        const double steps = (double)engine_steps(engine);
        times->forces = (stages[STAGE_start].seconds + stages[STAGE_curvature].seconds +
                         stages[STAGE_bend_twist].seconds + stages[STAGE_integrate].seconds) /
                        steps;
        times->twist = stages[STAGE_twist].seconds / steps;
        times->projection = stages[STAGE_project].seconds / steps;
    }
    engine_close(engine);
    return status;
}

static sheaf_status time_reference(const sheaf_model *model, effort how, double *seconds)
{
    const method_open how_opened = {.step = model->def.step, .threads = 1};
    void *rods;
    SHEAF_TRY(der_on_reference.open(model, &how_opened, &rods));
    const sheaf_status status = time_steps(step_reference, rods, how, seconds);
    der_on_reference.close(rods);
    return status;
}

// ---- one strand, and many

static sheaf_status choose_form(const sheaf_model *model, const device_info *info, bool is_double,
                                engine_options *options)
{
    options->is_double = is_double;
    return width_choose(options->device, info, is_double, sheaf_model_strand_count(model), &options->lane_width);
}

static sheaf_status measure_one(const sheaf_model *model, engine_options options, const device_info *info, effort how,
                                bench_paper_times *times)
{
    sheaf_report report;
    SHEAF_TRY(choose_form(model, info, false, &options));
    SHEAF_TRY(time_engine(model, &options, how, &times->one, &report));
    times->projections = report.mean_projections;
    times->strain = report.worst_strain;
    SHEAF_TRY(time_stages(model, &options, how, times));
    SHEAF_TRY(time_reference(model, how, &times->reference));
    times->one_double = 0;
    if (!info->has_fp64)
        return SHEAF_OK;
    SHEAF_TRY(choose_form(model, info, true, &options));
    return time_engine(model, &options, how, &times->one_double, &report);
}

sheaf_status bench_paper_measure(uint32_t device, const bench_paper_row *row, bool quick, bool (*stop)(void),
                                 bench_paper_times *times)
{
    engine_options options = {.device = device, .step = row->step};
    sheaf_model *one = NULL, *many = NULL;
    sheaf_report report;
    device_info info;
    SHEAF_TRY(device_find(device, &info));
    sheaf_status status = make_model(row, 1, &one);
    if (status == SHEAF_OK)
        status = measure_one(one, options, &info, make_effort(row, 1, quick, stop), times);
    if (status == SHEAF_OK)
        status = make_model(row, BENCH_PAPER_BATCH, &many);
    if (status == SHEAF_OK)
        status = choose_form(many, &info, false, &options);
    if (status == SHEAF_OK)
        status = time_engine(many, &options, make_effort(row, BENCH_PAPER_BATCH, quick, stop), &times->batch, &report);
    sheaf_model_free(one);
    sheaf_model_free(many);
    return status;
}
