// device: the table that makes the engine one for Discrete Elastic Rods.
#include "der/device/device_parts.h"

#include "base/vec.h"
#include "der/device/bodies.h"
#include "der/device/form.h"
#include "world/inputs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/der/figures_slots.clh"
#include "kernels/der/joint_slots.clh"
#include "kernels/der/slots.clh"
#include "strand/strand.h"
#include "world/world.h"

enum {
    NEWTON_MAX = 40,  // of a strand that settles at no earlier iteration
    NEWTON_FIRST = 12 // of a step that is taken again in quarters where it needs more
};

// ---- opening

// What stands in the slots of programs: laws of materials, and how many joints strands have.
static void list_slots(der_engine *own)
{
    own->slot_count = 0;
    if (own->law.path != NULL)
        own->slots[own->slot_count++] = own->law;
    if (own->joints > 0) {
        snprintf(own->joint_text, sizeof own->joint_text, "#define JOINTS_MOST %u\n#define HAS_JOINTS 1\n",
                 own->joints);
        own->slots[own->slot_count++] = (kernel_part){.path = "kernels/der/joint_count.clh", .text = own->joint_text};
    }
}

static sheaf_status open_own(sheaf_engine *engine)
{
    if (engine->options.is_coupled && engine->model->def.integrator == SHEAF_INTEGRATOR_EXPLICIT)
        return base_fail(SHEAF_ERR_USAGE, "explicit steps have no matrix that could couple strands: use bdf2 or euler");
    const sheaf_engine *kin = engine->options.kin;
    const sheaf_model *model = engine->model;
    uint32_t *tuning = engine->options.tuning;
    der_engine *own = engine->own = base_alloc(1, sizeof *own);
    if (own == NULL)
        return SHEAF_ERR_MEMORY;
    SHEAF_TRY(der_emit_laws(model, &own->law, &own->law_size));
    if (kin != NULL && der_own(kin)->law_size > own->law_size) // whose programs it shares
        own->law_size = der_own(kin)->law_size;
    own->joints = kin != NULL ? der_own(kin)->joints : der_joints_most(model);
    list_slots(own);
    own->has_jumps = model_has_jumps(model);
    own->has_air = model_has_gusts_or_slip(model) || model->volume.shields || (kin != NULL && der_own(kin)->has_air);
    own->has_colliders = model->collider_count > 0 || (kin != NULL && der_own(kin)->has_colliders);
    // whoever fixes iterations, of Newton's method or of frames, wants to see whole steps
    own->retakes = tuning[DER_NEWTON_MAX] == 0 && tuning[DER_TWIST_ITERATIONS] == 0 && model->def.newton == 0 &&
                   !engine->options.is_coupled && !engine->options.is_pushed &&
                   model->def.integrator != SHEAF_INTEGRATOR_EXPLICIT;
    if (tuning[DER_NEWTON_MAX] == 0) {
        tuning[DER_NEWTON_MIN] = model->def.newton ? model->def.newton : 1;
        tuning[DER_NEWTON_MAX] = model->def.newton ? model->def.newton : own->retakes ? NEWTON_FIRST : NEWTON_MAX;
    }
    return SHEAF_OK;
}

// All of the wind comes to strands that nothing has shielded yet.
static sheaf_status give_wind(sheaf_engine *engine)
{
    const bundle_set *set = &engine->bundles;
    const size_t rows = (size_t)set->slot_count * PUSH_SIZE, width = set->options.width;
    void *values = base_alloc(rows * width, engine_real_size(engine));
    if (values == NULL)
        return SHEAF_ERR_MEMORY;
    for (size_t row = PUSH_SHARE; row < rows; row += PUSH_SIZE)
        for (size_t lane = 0; lane < width; lane++)
            bundles_put(set, values, row * width + lane, 1);
    const sheaf_status status = engine_upload(engine, engine->pushes, values, rows * width * engine_real_size(engine));
    base_free(values);
    return status;
}

static sheaf_status opened(sheaf_engine *engine)
{
    SHEAF_TRY(der_sum_loads(engine));
    return engine->options.is_pushed ? give_wind(engine) : SHEAF_OK;
}

static void close_own(sheaf_engine *engine)
{
    base_free(der_own(engine)->loads);
    base_free((char *)der_own(engine)->law.text);
}

sheaf_status der_open_engine(const sheaf_model *model, const engine_options *options, sheaf_engine **engine)
{
    return engine_open(&der_device, model, options, engine);
}

// ---- settings and scratch

_Static_assert(SETTING_WORLD_SIZE == SETTING_GUST + MODEL_GUSTS * GUST_SIZE && GUST_MOST == (int)MODEL_GUSTS,
               "kernels have room for all waves");

void der_settings(const sheaf_engine *engine, double *values)
{
    const sheaf_model *model = engine->model;
    const sheaf_scene_def *def = &model->def;
    const double step = engine->options.step;
    memset(values, 0, SETTING_SIZE * sizeof *values);
    values[SETTING_STEP] = step;
    vec_copy(values + SETTING_GRAVITY, def->gravity);
    vec_copy(values + SETTING_WIND, def->wind);
    values[SETTING_NEWTON_LEAST] = engine->options.tuning[DER_NEWTON_MIN];
    values[SETTING_NEWTON_MOST] = engine->options.tuning[DER_NEWTON_MAX];
    values[SETTING_NEWTON_TOLERANCE] = 0.02;
    values[SETTING_NEWTON_UPDATE] = 0.01;
    values[SETTING_RETAKES] = der_own(engine)->retakes;
    values[SETTING_NEWTON_QUARTER] = NEWTON_MAX;
    values[SETTING_TWIST_ITERATIONS] = engine->options.tuning[DER_TWIST_ITERATIONS];
    values[SETTING_PROJECT_LEAST] = 2;
    values[SETTING_PROJECT_MOST] = def->projection_iterations;
    values[SETTING_PROJECT_TOLERANCE] = fmax(def->projection_tolerance, engine->options.is_double ? 1e-14 : 1e-6);
    values[SETTING_RELAXATION] = def->relaxation;
    values[SETTING_GUST_COUNT] = model->gust_count;
    values[SETTING_MASS_SCALE] = step * step / (def->integrator == SHEAF_INTEGRATOR_BDF2 ? 2.25 : 1);
    for (uint32_t k = 0; k < model->gust_count; k++) {
        double *gust = values + SETTING_GUST + k * GUST_SIZE;
        vec_copy(gust + GUST_WAVE, model->gusts[k].wave);
        vec_copy(gust + GUST_SWING, model->gusts[k].swing);
    }
}

uint32_t der_scratch_components(const sheaf_engine *engine)
{
    const uint32_t own = der_own(engine)->has_air || der_own(engine)->has_colliders ? Z_FULL : Z_BARE;
    const uint32_t coupled = der_own(engine)->joints > 0 ? SOLVE_SIZE(der_own(engine)->joints) : KEPT_SIZE;
    const uint32_t kept = engine->options.is_coupled ? coupled : engine->options.is_pushed ? PUSH_SIZE : 0;
    return own + kept + der_own(engine)->law_size;
}

double der_scratch_get(const sheaf_engine *engine, const void *memory, uint32_t strand, uint32_t vertex,
                       uint32_t component)
{
    const bool is_of_contact = component == Z_PRESS || component == Z_STIFFNESS || component == Z_MARK;
    if (is_of_contact && vertex >= engine_scratch_get(engine, memory, strand, 0, Z_ZONE))
        return 0;
    return engine_scratch_get(engine, memory, strand, vertex, component);
}

// ---- programs

static bool is_general(uint32_t kind)
{
    return kind == DER_GENERAL || kind == DER_GENERAL_DAMPED;
}

static kernel_form form_of(const sheaf_engine *engine, uint32_t kind)
{
    const sheaf_scene_def *def = &engine->model->def;
    return (kernel_form){
        .is_general = is_general(kind),
        .is_damped = kind == DER_EVEN_DAMPED || kind == DER_PADDED_DAMPED || kind == DER_GENERAL_DAMPED,
        .is_padded = kind == DER_PADDED || kind == DER_PADDED_DAMPED,
        .has_air = der_own(engine)->has_air,
        .has_colliders = der_own(engine)->has_colliders,
        .integrator = def->integrator,
        .projector = def->projector,
        .start_gradients = def->integrator == SHEAF_INTEGRATOR_EXPLICIT && def->gradients != SHEAF_GRADIENTS_ITERATE,
    };
}

// Figures know nothing of integrators and projectors: one program serves all of them.
static void choose_program(const sheaf_engine *engine, uint32_t kind, engine_program what, program_source *source)
{
    static const char *const entries[] = {
        [ENGINE_PROGRAM_FUSED] = "kernels/der/fused.cl",     [ENGINE_PROGRAM_STAGED] = "kernels/der/staged.cl",
        [ENGINE_PROGRAM_COUPLED] = "kernels/der/coupled.cl", [ENGINE_PROGRAM_FIGURES] = "kernels/der/figures.cl",
        [ENGINE_PROGRAM_PUSHED] = "kernels/der/pushed.cl",
    };
    kernel_form form = {.is_general = is_general(kind), .is_padded = true};
    if (what != ENGINE_PROGRAM_FIGURES)
        form = form_of(engine, kind);
    source->entry = entries[what];
    if (what == ENGINE_PROGRAM_COUPLED && der_own(engine)->joints > 0)
        source->entry = "kernels/der/bodies.cl";
    source->slots = der_own(engine)->slots;
    source->slot_count = der_own(engine)->slot_count;
    form_write(&form, source->defines);
}

static uint32_t figure_variant(uint32_t kind)
{
    return is_general(kind);
}

// ---- inputs: motions of groups, goals of general ends, colliders as every group sees them, distances of meshes

static double step_start(const sheaf_engine *engine, uint64_t step)
{
    return (double)step * engine->options.step;
}

// Loads are those at the start of an explicit step, and at the end of an implicit one.
static double load_time(const sheaf_engine *engine, uint64_t step)
{
    return step_start(engine, engine->model->def.integrator == SHEAF_INTEGRATOR_EXPLICIT ? step : step + 1);
}

static size_t motion_bytes(const sheaf_engine *engine, uint32_t first, uint32_t end)
{
    (void)first;
    (void)end;
    return (size_t)(engine->model->motion_count + 1) * STEP_PARTS * MOTION_SIZE * engine_real_size(engine);
}

static void put_row(const sheaf_engine *engine, void *memory, size_t row, const double *values, uint32_t size)
{
    for (uint32_t c = 0; c < size; c++)
        bundles_put(&engine->bundles, memory, row * size + c, values[c]);
}

// Part 0 is the whole step, 1 to 4 are its quarters.
static model_span span_of(const sheaf_engine *engine, uint64_t step, uint32_t part)
{
    const double start = step_start(engine, step), end = step_start(engine, step + 1), quarter = (end - start) / 4;
    if (part == 0)
        return (model_span){start, end, end};
    return (model_span){start + (part - 1) * quarter, part == 4 ? end : start + part * quarter, end};
}

static void write_motions(const sheaf_engine *engine, uint32_t first, uint32_t end, uint64_t step, void *memory)
{
    const uint32_t groups = engine->model->motion_count + 1;
    (void)first;
    (void)end;
    for (uint32_t part = 0; part < STEP_PARTS; part++) {
        const model_span span = span_of(engine, step, part);
        for (uint32_t group = 0; group < groups; group++) {
            double values[MOTION_SIZE] = {0};
            model_motion_input(engine->model, group, span, part == 0 ? load_time(engine, step) : span.end, values);
            put_row(engine, memory, part * groups + group, values, MOTION_SIZE);
        }
    }
}

// The first general bundle of a slice.
static uint32_t general_from(const sheaf_engine *engine, uint32_t first, uint32_t end)
{
    const uint32_t general = engine->bundles.kind_first[DER_GENERAL], from = general > first ? general : first;
    return from < end ? from : end;
}

static size_t goal_bytes(const sheaf_engine *engine, uint32_t first, uint32_t end)
{
    return der_goal_bytes(&engine->bundles, end - general_from(engine, first, end));
}

static void write_goals(const sheaf_engine *engine, uint32_t first, uint32_t end, uint64_t step, void *memory)
{
    der_goals(&engine->bundles, general_from(engine, first, end), end, step_start(engine, step),
              step_start(engine, step + 1), load_time(engine, step), memory);
}

static size_t collider_bytes(const sheaf_engine *engine, uint32_t first, uint32_t end)
{
    return motion_bytes(engine, first, end) / MOTION_SIZE * engine->model->collider_count * COLLIDER_SIZE;
}

static void write_colliders(const sheaf_engine *engine, uint32_t first, uint32_t end, uint64_t step, void *memory)
{
    const sheaf_model *model = engine->model;
    const uint32_t groups = model->motion_count + 1;
    (void)first;
    (void)end;
    for (uint32_t row = 0; row < STEP_PARTS * groups; row++)
        for (uint32_t k = 0; k < model->collider_count; k++) {
            double values[COLLIDER_SIZE] = {0};
            model_collider_input(model, k, row % groups, span_of(engine, step, row / groups), values);
            put_row(engine, memory, (size_t)row * model->collider_count + k, values, COLLIDER_SIZE);
        }
}

static size_t grid_bytes(const sheaf_engine *engine, uint32_t first, uint32_t end)
{
    (void)first;
    (void)end;
    return model_grid_count(engine->model) * sizeof(float);
}

static void write_grids(const sheaf_engine *engine, uint32_t first, uint32_t end, uint64_t step, void *memory)
{
    const sheaf_model *model = engine->model;
    char *to = memory;
    (void)first;
    (void)end;
    (void)step;
    for (uint32_t k = 0; k < model->collider_count; k++) {
        const mesh_grid *grid = model->colliders[k].grid;
        const size_t size = grid != NULL ? mesh_grid_size(grid) * sizeof *grid->distance : 0;
        if (size > 0)
            memcpy(to, grid->distance, size);
        to += size;
    }
}

static const engine_input inputs[] = {
    {"motions", true, motion_bytes, write_motions},
    {"goals", true, goal_bytes, write_goals},
    {"colliders", true, collider_bytes, write_colliders},
    {"grids", false, grid_bytes, write_grids},
};

// group_count, collider_count, general_first, general_count
static void write_numbers(const sheaf_engine *engine, uint32_t first, uint32_t end, uint32_t *values)
{
    const uint32_t general = engine->bundles.kind_first[DER_GENERAL], from = general > first ? general : first;
    values[0] = engine->model->motion_count + 1;
    values[1] = engine->model->collider_count;
    values[2] = from - first;
    values[3] = end > from ? end - from : 0;
}

// ---- notes: edges, and where roots are if that is not known from their clamps

static const uint32_t pose_fields[] = {DER_edge, DER_place};

static bool has_pose_field(const sheaf_engine *engine, uint32_t field)
{
    return field == DER_edge || engine->bundles.kind_first[DER_GENERAL] < engine->bundles.count;
}

// ---- the table

static const method_field fields[] = {DER_FIELDS(METHOD_FIELD)};

static const char *const stages[STAGE_COUNT] = {
#define STAGE_NAME(name) #name,
    ENGINE_STAGES(STAGE_NAME)
#undef STAGE_NAME
};

_Static_assert((int)STAGE_COUNT <= (int)ENGINE_STAGES_MAX && (int)FIGURE_SIZE <= (int)ENGINE_FIGURES_MAX &&
                   (int)DER_FIELD_COUNT <= (int)BUNDLE_FIELDS_MAX && (int)DER_KIND_COUNT <= (int)BUNDLE_KINDS_MAX,
               "the engine has room for these rods");

const engine_method der_device = {
    .name = "der",
    .bundles = {.fields = fields,
                .field_count = DER_FIELD_COUNT,
                .kind_count = DER_KIND_COUNT,
                .sort = der_sort,
                .pack = der_pack,
                .prepare = der_prepare,
                .note = der_note_ends},
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof inputs[0],
    .number_count = 4,
    .stages = stages,
    .stage_count = STAGE_COUNT,
    .setting_count = SETTING_SIZE,
    .push_count = PUSH_SIZE,
    .figure_count = FIGURE_SIZE,
    .figure_sums = FIGURE_SUMS,
    .pose_fields = pose_fields,
    .pose_field_count = sizeof pose_fields / sizeof pose_fields[0],
    .open = open_own,
    .opened = opened,
    .close = close_own,
    .scratch_components = der_scratch_components,
    .couple_numbers = der_joint_numbers,
    .settings = der_settings,
    .program = choose_program,
    .figure_variant = figure_variant,
    .numbers = write_numbers,
    .has_pose_field = has_pose_field,
    .report = der_report,
    .check_state = der_check_state,
    .jump = der_jump,
    .steps_to_jump = der_steps_to_jump,
    .launch_stages = der_launch_stages,
};
