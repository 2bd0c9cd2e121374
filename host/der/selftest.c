// selftest: known answers before the first step. Bent strands that are naturally straight are let go while their roots
// turn: within a few steps elastic forces, twist, the solve, projection and the ends all leave their mark on
// velocities. Two strands of each kind are compared with the reference; copies of them fill work-groups enough for a
// device that fails in one of them, and must have their bits.
#include "der/selftest.h"

#include "base/vec.h"
#include "der/device/coupled.h"
#include "der/ref/ref.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 8, VERTICES = 9, SHAPES = 2, WORK_GROUPS = 64 };

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
    vec_set(def.gravity, 2.5, -3.5, -8.75); // so that each component counts
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

// Strands that follow different motions share no bundle: motion 0 is for those alike, which fill bundles anyhow, and
// each padded bundle has one of its own, lest strands of one length come together. `is_still`: they stay at rest. A
// motion that sets out with a jump in speed is felt by the damping of explicit steps, which takes the speed of a held
// vertex from its last displacement in the engine and from its course in the reference: no fault of the device.
static sheaf_status add_motions(sheaf_scene *scene, bool is_still)
{
    sheaf_motion_def nod = sheaf_motion_def_default();
    nod.axis[0] = 1;
    nod.turn = (sheaf_course){.kind = SHEAF_COURSE_SINE, .value = is_still ? 0 : 0.5, .duration = 0.1};
    nod.move[2] = (sheaf_course){.kind = SHEAF_COURSE_SINE, .value = is_still ? 0 : 0.01, .duration = 0.1};
    for (int k = 0; k <= WORK_GROUPS; k++) {
        char name[16];
        snprintf(name, sizeof name, "nod %d", k);
        nod.name = name;
        SHEAF_TRY(sheaf_scene_add_motion(scene, &nod, NULL));
    }
    return SHEAF_OK;
}

// A strand that lands in bundles of the kind wanted: alike, of two lengths, or with ends that are not clamped.
static sheaf_strand_def make_strand(der_kind kind, bool is_double, uint32_t shape, uint32_t bundle)
{
    const bool is_padded = kind == DER_PADDED || kind == DER_PADDED_DAMPED;
    const bool is_general = kind == DER_GENERAL || kind == DER_GENERAL_DAMPED;
    const bool is_damped = kind == DER_EVEN_DAMPED || kind == DER_PADDED_DAMPED || kind == DER_GENERAL_DAMPED;
    sheaf_strand_def strand = sheaf_strand_def_default();
    strand.shape = SHEAF_SHAPE_ARC;
    strand.vertex_count = VERTICES - (is_padded ? shape : 0);
    strand.length = test_length;
    strand.radius = 0.04 + 0.01 * shape;
    strand.origin[0] = 0.02 + 0.01 * shape;
    strand.direction[0] = 1;
    strand.direction[2] = 0.3 * shape - 0.2;
    strand.normal[1] = 1;
    strand.natural = SHEAF_NATURAL_STRAIGHT;
    strand.root = is_general && shape == 0 ? sheaf_end_pinned() : sheaf_end_clamped();
    if (!is_general)
        strand.root.motion = is_padded ? (int32_t)bundle + 1 : 0;
    strand.material = is_damped;
    if (is_general) {
        strand.tip.force[0].value = 1e-4;
        // frames follow it in two iterations, not to 1e-11; damping would feel them do so in the engine's first
        // step alone, since the reference starts with frames at rest
        strand.tip.couple[0].value = is_double || is_damped ? 0 : 1e-6;
    }
    return strand;
}

// Strands of a bundle: every shape equally often, however odd its width.
static uint32_t strands_of_bundle(const bundle_options *options)
{
    return (options->width + SHAPES - 1) / SHAPES * SHAPES;
}

// Fills every lane of WORK_GROUPS bundles, with the shapes in turns.
static sheaf_status add_strands(sheaf_scene *scene, der_kind kind, const bundle_options *options)
{
    for (uint32_t b = 0; b < WORK_GROUPS; b++)
        for (uint32_t lane = 0; lane < strands_of_bundle(options); lane++) {
            const sheaf_strand_def strand = make_strand(kind, options->is_double, lane % SHAPES, b);
            SHEAF_TRY(sheaf_scene_add_strand(scene, &strand));
        }
    return SHEAF_OK;
}

static bool has_damped(const bundle_set *used)
{
    static const der_kind damped[] = {DER_EVEN_DAMPED, DER_PADDED_DAMPED, DER_GENERAL_DAMPED};
    for (size_t k = 0; k < sizeof damped / sizeof damped[0]; k++)
        if (used->kind_first[damped[k]] < used->kind_first[damped[k] + 1])
            return true;
    return false;
}

static sheaf_status fill_scene(sheaf_scene *scene, const bundle_set *used, bool is_explicit)
{
    SHEAF_TRY(add_rubbers(scene));
    SHEAF_TRY(add_motions(scene, is_explicit && has_damped(used)));
    for (der_kind kind = 0; kind < DER_KIND_COUNT; kind++)
        if (used->kind_first[kind] < used->kind_first[kind + 1])
            SHEAF_TRY(add_strands(scene, kind, &used->options));
    return SHEAF_OK;
}

static sheaf_status make_model(const sheaf_engine *engine, sheaf_model **model)
{
    const sheaf_scene_def def = test_scene(engine);
    sheaf_scene *scene;
    SHEAF_TRY(sheaf_scene_create(&def, &scene));
    sheaf_status status = fill_scene(scene, engine_bundles(engine), def.integrator == SHEAF_INTEGRATOR_EXPLICIT);
    if (status == SHEAF_OK)
        status = sheaf_model_create(scene, model);
    sheaf_scene_free(scene);
    return status;
}

// ---- both sides

static sheaf_status step_reference(sheaf_state *state, uint32_t strand)
{
    ref_rod rod;
    sheaf_status status = rod_open(state, strand, &rod);
    if (status == SHEAF_OK)
        status = ref_start(&rod, 0);
    for (uint32_t step = 0; step < STEPS && status == SHEAF_OK; step++)
        status = ref_step(&rod, step * test_step, test_step);
    rod_close(&rod);
    return status;
}

// The strand that this one is a copy of, or itself; all kinds have equally many strands, copies after their first.
static uint32_t original_of(const sheaf_engine *engine, uint32_t strand)
{
    const uint32_t place = strand % (WORK_GROUPS * strands_of_bundle(&engine_bundles(engine)->options));
    return strand - place + place % SHAPES;
}

static sheaf_status answer_of_reference(const sheaf_engine *engine, const sheaf_model *model, sheaf_state **state)
{
    SHEAF_TRY(state_create(model, state));
    for (uint32_t s = 0; s < model->strand_count; s++)
        if (original_of(engine, s) == s)
            SHEAF_TRY(step_reference(*state, s));
    return SHEAF_OK;
}

// Strands that do not touch each other, by the verbs of those that do.
static sheaf_status step_coupled(sheaf_engine *engine)
{
    der_coupled *coupled;
    SHEAF_TRY(der_coupled_open(engine, NULL, &coupled));
    const sheaf_status status = der_coupled_step(coupled, STEPS);
    der_coupled_close(coupled);
    return status;
}

static sheaf_status answer_of_device(const sheaf_engine *engine, const sheaf_model *model, double (*positions)[3],
                                     double (*velocities)[3])
{
    engine_options options = *engine_options_of(engine);
    sheaf_engine *small;
    options.kin = engine;
    options.step = test_step;
    options.steps_per_launch = STEPS;
    options.work_items = options.work_items < WORK_GROUPS ? WORK_GROUPS : options.work_items;
    memset(options.tuning, 0, sizeof options.tuning);
    options.memory_limit = 0;
    SHEAF_TRY(der_open_engine(model, &options, &small));
    sheaf_status status = options.is_coupled ? step_coupled(small) : engine_step(small, STEPS);
    if (status == SHEAF_OK)
        status = der_read(small, positions, velocities);
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

// Whether a strand has the bits of its original: the same input gives the same output in every lane.
static bool has_bits_of(const sheaf_model *model, uint32_t strand, uint32_t original, double (*vectors)[3])
{
    const uint64_t first = model->first_vertex[strand], count = model->first_vertex[strand + 1] - first;
    return memcmp(vectors[first], vectors[model->first_vertex[original]], count * sizeof *vectors) == 0;
}

static sheaf_status compare_copies(const sheaf_engine *engine, const sheaf_model *model, double (*positions)[3],
                                   double (*velocities)[3])
{
    uint32_t wrong = 0;
    for (uint32_t s = 0; s < model->strand_count; s++) {
        const uint32_t original = original_of(engine, s);
        wrong += !has_bits_of(model, s, original, positions) || !has_bits_of(model, s, original, velocities);
    }
    if (wrong == 0)
        return SHEAF_OK;
    return base_fail(SHEAF_ERR_DEVICE,
                     "%s computes wrongly: in the self-test %u of %u strands differ from others that are the same. "
                     "Another driver may help, or `--device ref`",
                     engine_device(engine)->name, wrong, model->strand_count);
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
        if (original_of(engine, s) != s)
            continue;
        result->position = larger(result->position, worst_share(model, s, positions, state->position, test_length));
        result->velocity = larger(result->velocity, worst_share(model, s, velocities, state->velocity, 0));
    }
    if (result->position <= 0.1 * result->bar && result->velocity <= result->bar)
        return compare_copies(engine, model, positions, velocities);
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
        status = answer_of_reference(engine, model, &state);
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
