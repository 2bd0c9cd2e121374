// device: the table that makes the engine one for cables.
#include "cable/device/device.h"

#include "base/vec.h"
#include "cable/chain.h"

#include <math.h>
#include <string.h>

#include "kernels/cable/figures_slots.clh"
#include "kernels/cable/slots.clh"
#include "kernels/world/slots.clh"

static sheaf_status open_own(sheaf_engine *engine)
{
    engine->own = base_alloc(1, 1);
    return engine->own != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

static uint32_t scratch_components(const sheaf_engine *engine)
{
    (void)engine;
    return Z_SIZE;
}

_Static_assert(SETTING_RATE == SETTING_WORLD_SIZE, "settings of cables follow those of the world");

static void write_settings(const sheaf_engine *engine, double *values)
{
    const sheaf_scene_def *def = &engine->model->def;
    const double h = engine->options.step;
    memset(values, 0, SETTING_SIZE * sizeof *values);
    values[SETTING_STEP] = h;
    vec_copy(values + SETTING_GRAVITY, def->gravity);
    vec_copy(values + SETTING_WIND, def->wind);
    values[SETTING_RATE] = 1 / (h + engine->model->cable_step.damping * h);
    values[SETTING_STIFFENING] = engine->model->cable_step.tension == SHEAF_CABLE_TENSION_NONE ? 0 : h * h;
    values[SETTING_KEEP] = engine->model->cable_step.tension == SHEAF_CABLE_TENSION_INERTIA;
}

static void choose_program(const sheaf_engine *engine, uint32_t kind, engine_program what, program_source *source)
{
    (void)engine;
    (void)kind;
    source->entry = what == ENGINE_PROGRAM_FIGURES ? "kernels/cable/figures.cl" : "kernels/cable/fused.cl";
    source->defines[0] = 0;
}

static uint32_t figure_variant(uint32_t kind)
{
    return kind;
}

// ---- inputs: what drives the ends

static size_t goal_bytes(const sheaf_engine *engine, uint32_t first, uint32_t end)
{
    return (size_t)(end - first) * GOAL_SIZE * engine->bundles.options.width * engine_real_size(engine);
}

static void write_goals(const sheaf_engine *engine, uint32_t first, uint32_t end, uint64_t step, void *memory)
{
    const double h = engine->options.step;
    cable_goals(&engine->bundles, first, end, (double)step * h, (double)(step + 1) * h, memory);
}

static const engine_input inputs[] = {{"goals", true, goal_bytes, write_goals}};

static void write_numbers(const sheaf_engine *engine, uint32_t first, uint32_t end, uint32_t *values)
{
    (void)engine;
    values[0] = end - first;
}

// ---- notes

static const uint32_t pose_fields[] = {CABLE_pose, CABLE_gap, CABLE_place};

static bool has_pose_field(const sheaf_engine *engine, uint32_t field)
{
    (void)engine;
    (void)field;
    return true;
}

// ---- report

// Energy of everything at the places of the roots: what gravity does from there is summed up on the device.
static double roots_energy(const sheaf_engine *engine, double time)
{
    const sheaf_model *model = engine->model;
    double energy = 0;
    for (uint32_t s = 0; s < model->strand_count; s++) {
        const cable_end root = cable_find_end(model, s, false), tip = cable_find_end(model, s, true);
        double place[3], pose[4], mass = tip.body >= 0 ? model->bodies[tip.body].mass : 0;
        for (uint32_t j = 0; j < cable_segment_count(model, s); j++)
            mass += model->strands[s].line_mass * cable_segment_length(model, s, j);
        cable_anchor(model, s, false, root.holds_point ? time : 0, place, pose);
        energy -= mass * vec_dot(model->def.gravity, place);
    }
    return energy;
}

static void write_report(const sheaf_engine *engine, uint64_t step, const double *totals, sheaf_report *report)
{
    *report = (sheaf_report){.time = (double)step * engine->options.step, .step = step};
    report->kinetic = totals[FIGURE_KINETIC];
    report->bending = totals[FIGURE_BENDING];
    report->twisting = totals[FIGURE_TWISTING];
    report->gravitational = roots_energy(engine, report->time) - totals[FIGURE_LIFT];
    report->worst_strain = totals[FIGURE_STRAIN];
    report->frozen_strands = (uint32_t)lrint(totals[FIGURE_FROZEN]);
}

// ---- state of files

static sheaf_status check_state(const sheaf_engine *engine, uint32_t field, const void *values)
{
    const size_t count = (size_t)engine->model->strand_count * RECORD_SIZE;
    for (size_t k = 0; field == CABLE_record && k < count; k++) {
        const double value =
            engine->options.is_double ? ((const double *)values)[k] : (double)((const float *)values)[k];
        if (k % RECORD_SIZE != RECORD_VALUE && !(value >= 0 && value < 1e15))
            return base_fail(SHEAF_ERR_INPUT, "the records of cables hold numbers that no step leaves");
    }
    return SHEAF_OK;
}

// Cables that follow motions which jump are refused (cable_fits_device).
static sheaf_status jump(sheaf_engine *engine)
{
    engine->is_restored = false;
    return SHEAF_OK;
}

static uint32_t steps_to_jump(const sheaf_engine *engine, uint32_t most)
{
    (void)engine;
    return most;
}

static const method_field fields[] = {CABLE_FIELDS(METHOD_FIELD)};

_Static_assert((int)FIGURE_SIZE <= (int)ENGINE_FIGURES_MAX && (int)CABLE_FIELD_COUNT <= (int)BUNDLE_FIELDS_MAX,
               "the engine has room for cables");

const engine_method cable_device = {
    .name = "cable",
    .bundles =
        {.fields = fields, .field_count = CABLE_FIELD_COUNT, .kind_count = 1, .sort = cable_sort, .pack = cable_pack},
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof inputs[0],
    .number_count = 1,
    .setting_count = SETTING_SIZE,
    .figure_count = FIGURE_SIZE,
    .figure_sums = FIGURE_SUMS,
    .pose_fields = pose_fields,
    .pose_field_count = sizeof pose_fields / sizeof pose_fields[0],
    .open = open_own,
    .scratch_components = scratch_components,
    .settings = write_settings,
    .program = choose_program,
    .figure_variant = figure_variant,
    .numbers = write_numbers,
    .has_pose_field = has_pose_field,
    .report = write_report,
    .check_state = check_state,
    .jump = jump,
    .steps_to_jump = steps_to_jump,
};
