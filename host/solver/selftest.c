// selftest: known answers before the first step. Bent strands that are naturally straight are let go while their roots
// turn: within a few steps elastic forces, twist, the solve, projection and the ends all leave their mark on
// velocities.
#include "solver/selftest.h"

#include "base/vec.h"
#include "ref/ref.h"

#include <math.h>

enum { STEPS = 8, VERTICES = 9, STRANDS_PER_KIND = 2 };

static const double test_step = 1. / 500; // s; below the explicit limit of the test's material, too
static const double test_length = 0.1;    // m

// Differences that rounding makes are a quarter of this or less; devices that round division in their own way have
// room for more. An error of 1 part in 10000 in any force shows. Explicit steps have single precision's bar always: in
// the reference frames follow all the way, in the engine by two iterations.
static const double bars[2] = {1e-5, 1e-11}; // single, double; of velocities. Positions: a tenth of it.

// ---- the model

static sheaf_scene_def test_scene(const sheaf_engine *engine)
{
    const sheaf_scene_def *real = &engine_model(engine)->def;
    sheaf_scene_def def = sheaf_scene_def_default();
    def.step = test_step;
    def.integrator = real->integrator;
    def.projector = real->projector;
    def.relaxation = real->relaxation;
    def.gradients = real->gradients;
    def.newton = 2; // both sides do the same work
    def.projection_iterations = real->projector == SHEAF_PROJECTOR_CHEBYSHEV ? 2 * VERTICES : 4; // else it overshoots
    def.projection_tolerance = 1e-10;
    def.wind[0] = 1;
    def.gust = real->gust > 0 ? 1 : 0;
    def.gust_scale = 0.1;
    return def;
}

// Material 0 is elastic, 1 has internal damping, too.
static sheaf_status add_rubbers(sheaf_scene *scene)
{
    sheaf_material_def rubber = sheaf_material_def_default();
    rubber.name = "rubber";
    rubber.density = 1000;
    rubber.young = 1e7;
    rubber.shear = 4e6;
    rubber.radius[0] = 0.35e-3; // towards director 1, which the arcs bend to: frames start in equilibrium
    rubber.radius[1] = 0.5e-3;
    rubber.drag = 1e-4;
    SHEAF_TRY(sheaf_scene_add_material(scene, &rubber, NULL));
    rubber.name = "lossy";
    rubber.damping = 1e-4;
    return sheaf_scene_add_material(scene, &rubber, NULL);
}

static sheaf_status add_motion(sheaf_scene *scene)
{
    sheaf_motion_def nod = sheaf_motion_def_default();
    nod.name = "nod";
    nod.axis[0] = 1;
    nod.turn = (sheaf_course){.kind = SHEAF_COURSE_SINE, .value = 0.5, .duration = 0.1};
    nod.move[2] = (sheaf_course){.kind = SHEAF_COURSE_SINE, .value = 0.01, .duration = 0.1};
    return sheaf_scene_add_motion(scene, &nod, NULL);
}

// Strands that land in bundles of the kind wanted: alike, of two lengths, or with ends that are not clamped.
static sheaf_status add_strands(sheaf_scene *scene, bundle_kind kind, bool is_double)
{
    const bool is_padded = kind == BUNDLE_PADDED || kind == BUNDLE_PADDED_DAMPED;
    const bool is_general = kind == BUNDLE_GENERAL || kind == BUNDLE_GENERAL_DAMPED;
    const bool is_damped = kind == BUNDLE_EVEN_DAMPED || kind == BUNDLE_PADDED_DAMPED || kind == BUNDLE_GENERAL_DAMPED;
    for (uint32_t s = 0; s < STRANDS_PER_KIND; s++) {
        sheaf_strand_def strand = sheaf_strand_def_default();
        strand.shape = SHEAF_SHAPE_ARC;
        strand.vertex_count = VERTICES - (is_padded ? s : 0);
        strand.length = test_length;
        strand.radius = 0.04 + 0.01 * s;
        strand.origin[0] = 0.02 + 0.01 * s;
        strand.direction[0] = 1;
        strand.direction[2] = 0.3 * s - 0.2;
        strand.normal[1] = 1;
        strand.natural = SHEAF_NATURAL_STRAIGHT;
        strand.root = sheaf_end_clamped();
        strand.root.motion = is_padded ? -1 : 0; // a group of their own keeps the even ones together
        strand.material = is_damped;
        if (is_general) {
            strand.root = s == 0 ? sheaf_end_pinned() : sheaf_end_clamped();
            strand.tip.force[0].value = 1e-4;
            // frames follow it in two iterations, not to 1e-11; damping would feel them do so in the engine's first
            // step alone, since the reference starts with frames at rest
            strand.tip.couple[0].value = is_double || is_damped ? 0 : 1e-6;
        }
        SHEAF_TRY(sheaf_scene_add_strand(scene, &strand));
    }
    return SHEAF_OK;
}

static sheaf_status fill_scene(sheaf_scene *scene, const bundle_set *used)
{
    SHEAF_TRY(add_rubbers(scene));
    SHEAF_TRY(add_motion(scene));
    for (bundle_kind kind = 0; kind < BUNDLE_KIND_COUNT; kind++)
        if (used->kind_first[kind] < used->kind_first[kind + 1])
            SHEAF_TRY(add_strands(scene, kind, used->options.is_double));
    return SHEAF_OK;
}

static sheaf_status make_model(const sheaf_engine *engine, sheaf_model **model)
{
    const sheaf_scene_def def = test_scene(engine);
    sheaf_scene *scene;
    SHEAF_TRY(sheaf_scene_create(&def, &scene));
    sheaf_status status = fill_scene(scene, engine_bundles(engine));
    if (status == SHEAF_OK)
        status = sheaf_model_create(scene, model);
    sheaf_scene_free(scene);
    return status;
}

// ---- both sides

static sheaf_status step_rod(ref_rod *rod, uint32_t step)
{
    const double time = step * test_step;
    if (rod->model->def.integrator == SHEAF_INTEGRATOR_EXPLICIT)
        return ref_step(rod, time, test_step);
    ref_schedule schedule = ref_schedule_default(rod, test_step);
    schedule.twist = (ref_twist_options){.method = REF_TWIST_NEWTON, .iterations = 2}; // as the engine does
    schedule.twist_at_end = false;
    return ref_implicit_step(rod, time, test_step, &schedule);
}

static sheaf_status step_reference(sheaf_state *state, uint32_t strand)
{
    ref_rod rod;
    sheaf_status status = rod_open(state, strand, &rod);
    if (status == SHEAF_OK)
        status = ref_start(&rod, 0);
    for (uint32_t step = 0; step < STEPS && status == SHEAF_OK; step++)
        status = step_rod(&rod, step);
    rod_close(&rod);
    return status;
}

static sheaf_status answer_of_reference(const sheaf_model *model, sheaf_state **state)
{
    SHEAF_TRY(state_create(model, state));
    for (uint32_t s = 0; s < model->strand_count; s++)
        SHEAF_TRY(step_reference(*state, s));
    return SHEAF_OK;
}

static sheaf_status answer_of_device(const sheaf_engine *engine, const sheaf_model *model, double (*positions)[3],
                                     double (*velocities)[3])
{
    engine_options options = *engine_options_of(engine);
    sheaf_engine *small;
    options.kin = engine;
    options.step = test_step;
    options.steps_per_launch = STEPS;
    options.newton_least = options.newton_most = 0;
    options.memory_limit = 0;
    SHEAF_TRY(engine_open(model, &options, &small));
    sheaf_status status = engine_step(small, STEPS);
    if (status == SHEAF_OK)
        status = engine_read(small, positions, velocities);
    engine_close(small);
    return status;
}

// ---- comparing

// Largest difference of the vectors of a strand, as a share of `scale`, or of the largest vector. Not at a clamp, whose
// velocity is given, and means a time inside the step. Written so that NaN shows.
static double worst_share(const sheaf_model *model, uint32_t strand, double (*got)[3], double (*wanted)[3],
                          double scale)
{
    double worst = 0, largest = 0;
    for (uint64_t i = model->first_vertex[strand] + 2; i < model->first_vertex[strand + 1]; i++) {
        double difference[3];
        vec_sub(difference, got[i], wanted[i]);
        const double length = vec_length(difference);
        worst = length <= worst ? worst : length;
        largest = fmax(largest, vec_length(wanted[i]));
    }
    return worst / (scale > 0 ? scale : largest);
}

static double larger(double a, double b)
{
    return b <= a ? a : b; // b when it is NaN
}

static sheaf_status compare(const sheaf_engine *engine, const sheaf_model *model, const sheaf_state *state,
                            double (*positions)[3], double (*velocities)[3], selftest_result *result)
{
    const bool is_explicit = model->def.integrator == SHEAF_INTEGRATOR_EXPLICIT;
    *result = (selftest_result){.bar = bars[engine_options_of(engine)->is_double && !is_explicit]};
    for (uint32_t s = 0; s < model->strand_count; s++) {
        result->position = larger(result->position, worst_share(model, s, positions, state->position, test_length));
        result->velocity = larger(result->velocity, worst_share(model, s, velocities, state->velocity, 0));
    }
    if (result->position <= 0.1 * result->bar && result->velocity <= result->bar)
        return SHEAF_OK;
    return base_fail(SHEAF_ERR_DEVICE,
                     "%s computes wrongly: in the self-test positions are off by %.1e of the length (%.1e is "
                     "allowed) and velocities by %.1e (%.1e). Another driver may help, or `--device ref`",
                     engine_device(engine)->name, result->position, 0.1 * result->bar, result->velocity, result->bar);
}

static sheaf_status run_model(const sheaf_engine *engine, const sheaf_model *model, selftest_result *result)
{
    sheaf_state *state = NULL;
    double(*positions)[3] = base_alloc(model->vertex_count, sizeof *positions);
    double(*velocities)[3] = base_alloc(model->vertex_count, sizeof *velocities);
    sheaf_status status = positions && velocities ? SHEAF_OK : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK)
        status = answer_of_reference(model, &state);
    if (status == SHEAF_OK)
        status = answer_of_device(engine, model, positions, velocities);
    if (status == SHEAF_OK)
        status = compare(engine, model, state, positions, velocities, result);
    state_free(state);
    base_free(positions);
    base_free(velocities);
    return status;
}

sheaf_status selftest_run(const sheaf_engine *engine, selftest_result *result)
{
    sheaf_model *model;
    selftest_result own;
    SHEAF_TRY(make_model(engine, &model));
    const sheaf_status status = run_model(engine, model, result ? result : &own);
    sheaf_model_free(model);
    return status;
}
