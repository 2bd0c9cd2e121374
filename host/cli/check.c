// check: `sheaf check`, which finds every error of a scene, or says what the scene amounts to.
#include "cli/command.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/vec.h"
#include "cli/balance.h"
#include "cli/doubts.h"
#include "cli/load.h"
#include "couple/contact.h"
#include "couple/volume.h"
#include "io/folder.h"
#include "run/clock.h"
#include "solver/solver.h"

typedef struct check_values {
    const char *scene;
    bool json;
    int schema;
} check_values;

static const cli_operand operands[] = {
    {"SCENE", CLI_FILE, NULL, false, "scene file", offsetof(check_values, scene)},
    {0},
};

static const char *const schema_forms[] = {"json", "markdown", NULL};

static const cli_option options[] = {
    {.name = "json", .doc = "write JSON", .offset = offsetof(check_values, json)},
    {.name = "schema",
     .kind = CLI_CHOICE,
     .argument = "json|markdown",
     .choices = schema_forms,
     .doc = "write what a scene may hold, as a JSON Schema for editors or as a page for people",
     .offset = offsetof(check_values, schema)},
    {0},
};

static const cli_example examples[] = {
    {"sheaf check hair.yaml", "errors with their places, or the scene's figures"},
    {"sheaf check --schema json > sheaf.schema.json", "for editors that know JSON Schema"},
    {0},
};

static void warn_about_step(const sheaf_model *model, const cli_figures *figures)
{
    const bool is_explicit = model->def.integrator == SHEAF_INTEGRATOR_EXPLICIT;
    if (is_explicit && figures->explicit_limit > 0 && model->def.step > figures->explicit_limit)
        cli_warn("the step is %.2g times the explicit integrator's limit: the run will diverge. Take a step below "
                 "%.3g s, or an implicit integrator",
                 model->def.step / figures->explicit_limit, figures->explicit_limit);
}

static void add_row(base_text *text, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void add_row(base_text *text, const char *name, const char *format, ...)
{
    char value[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    base_text_add(text, "  %-20s %s\n", name, value);
}

static void add_lengths(base_text *text, const cli_figures *figures)
{
    char shortest[32], longest[32], all[32];
    cli_format_quantity(figures->shortest, "m", shortest, sizeof shortest);
    cli_format_quantity(figures->longest, "m", longest, sizeof longest);
    cli_format_quantity(figures->length, "m", all, sizeof all);
    if (figures->longest - figures->shortest > 1e-9 * figures->longest)
        add_row(text, "lengths", "%s to %s, %s in all", shortest, longest, all);
    else
        add_row(text, "length", "%s each, %s in all", longest, all);
    if (figures->beyond > 1e-9 * figures->longest) {
        char beyond[32];
        cli_format_quantity(figures->beyond, "m", beyond, sizeof beyond);
        add_row(text, "in clamps", "up to %s of a strand lie beyond the planes of its clamps", beyond);
    }
}

// What bodies there are: how they move, what they weigh with the strands on them, and how many joints hold them.
static void add_bodies(base_text *text, const sheaf_model *model)
{
    char name[96], mass[32];
    for (uint32_t k = 0; k < model->body_count; k++) {
        const model_body *body = &model->bodies[k];
        uint32_t joints = 0;
        for (uint32_t j = 0; j < model->joint_count; j++)
            joints += model->joints[j].body == k;
        cli_format_quantity(1000 * body->mass, "g", mass, sizeof mass);
        add_row(text, k == 0 ? "bodies" : "", "%s: %s, %s, %u joint%s",
                base_printable(body->def.name, name, sizeof name),
                body->def.is_fixed        ? "fixed"
                : body->def.motion >= 0   ? "follows a motion"
                : body->def.axle.is_there ? "on an axle"
                                          : "free",
                mass, joints, joints == 1 ? "" : "s");
    }
}

// What methods say of their strands: rows of the table, or entries of a JSON object; and warnings, which go to stderr
// and, where `warnings` is not NULL, to that list.
static void add_facts(base_text *text, json_t *object, json_t *warnings, const sheaf_model *model)
{
    for (uint32_t k = 0; method_list[k] != NULL; k++) {
        method_fact facts[METHOD_FACTS_MAX];
        const uint32_t count = method_list[k]->facts != NULL ? method_list[k]->facts(model, facts) : 0;
        for (uint32_t f = 0; f < count; f++) {
            if (facts[f].name == NULL)
                cli_warn("%s", facts[f].text);
            if (facts[f].name == NULL && warnings != NULL)
                json_array_append_new(warnings, io_json_text(facts[f].text));
            if (facts[f].name != NULL && text != NULL)
                add_row(text, facts[f].name, "%s", facts[f].text);
            if (facts[f].name != NULL && object != NULL)
                json_object_set_new(object, facts[f].name, io_json_text(facts[f].text));
        }
    }
}

static void print_figures(const char *path, const sheaf_model *model, const cli_figures *figures)
{
    base_text text = {0};
    char shown[512], mass[32], step[32], limit[32], memory[32];
    base_text_add(&text, "%s: ok\n", base_printable(path, shown, sizeof shown));
    if (model->def.title != NULL && model->def.title[0] != 0)
        add_row(&text, "title", "%s", model->def.title);
    add_row(&text, "strands", "%u, with %llu vertices", model->strand_count, (unsigned long long)model->vertex_count);
    add_lengths(&text, figures);
    cli_format_quantity(1000 * figures->mass, "g", mass, sizeof mass);
    add_row(&text, "mass", "%s", mass);
    add_bodies(&text, model);
    add_facts(&text, NULL, NULL, model);
    cli_format_quantity(model->def.step, "s", step, sizeof step);
    add_row(&text, "time", "%.4g s in %llu steps of %s, %s", model->def.end,
            (unsigned long long)run_step_count(model->def.end, model->def.step), step,
            cli_integrator_names[model->def.integrator]);
    cli_format_quantity(figures->explicit_limit, "s", limit, sizeof limit);
    add_row(&text, "explicit step limit", "%s", figures->explicit_limit > 0 ? limit : "not known");
    cli_format_bytes(figures->memory, memory, sizeof memory);
    add_row(&text, "memory", "%s", memory);
    cli_print(&text);
    base_text_free(&text);
}

static json_t *figures_json(json_t *errors, json_t *warnings, const sheaf_model *model, const cli_figures *figures)
{
    json_t *facts = json_object();
    add_facts(NULL, facts, warnings, model);
    return json_pack("{s:o, s:o, s:o, s:I, s:I, s:f, s:I, s:f, s:f, s:f, s:f, s:f, s:I, s:s}", "facts", facts, "errors",
                     errors, "warnings", warnings, "strands", (json_int_t)model->strand_count, "vertices",
                     (json_int_t)model->vertex_count, "explicit_step_limit_s", figures->explicit_limit, "memory_bytes",
                     (json_int_t)figures->memory, "mass_kg", figures->mass, "shortest_m", figures->shortest,
                     "longest_m", figures->longest, "step_s", model->def.step, "end_s", model->def.end, "steps",
                     (json_int_t)run_step_count(model->def.end, model->def.step), "integrator",
                     cli_integrator_names[model->def.integrator]);
}

// With errors the figures are not known, but the names are there.
static json_t *no_figures_json(json_t *errors)
{
    return json_pack("{s:o, s:n, s:n, s:n, s:n}", "errors", errors, "strands", "vertices", "explicit_step_limit_s",
                     "memory_bytes");
}

// What strands that keep their volume or shield each other will do, in numbers.
static sheaf_status tell_volume(const sheaf_model *model)
{
    const double layer = 0.05; // m
    volume_plan plan;
    if (!volume_is_wanted(model))
        return SHEAF_OK;
    SHEAF_TRY(volume_plan_make(model, model->def.step, &plan));
    volume_plan_tell(&plan);
    if (plan.presses)
        cli_note("volume: hair fills %.2g %% of the space around it; at %.3g m/s a layer of 5 cm is squeezed by %.0f "
                 "%% under "
                 "its weight; volume knows no single contacts",
                 100 * plan.fill, plan.speed, 100 * vec_length(model->def.gravity) * layer / (plan.speed * plan.speed));
    if (plan.shields && isfinite(plan.depth))
        cli_note("shield: the wind falls to a third within %.2g mm of hair", 1000 * plan.depth);
    else if (plan.shields)
        cli_note("shield: strands have no drag, or there is no mean wind");
    volume_plan_free(&plan);
    return SHEAF_OK;
}

static int tell_balance(const sheaf_model *model)
{
    cli_balance balance;
    const sheaf_status status = cli_balance_find(model, &balance);
    if (status == SHEAF_OK)
        cli_balance_tell(&balance);
    cli_balance_free(&balance);
    return status == SHEAF_OK ? CLI_EXIT_OK : cli_fail(status);
}

// Strands that overlap at the start: how many, and the worst.
static int tell_overlap(const sheaf_model *model)
{
    contact_overlap overlap;
    if (model->touch.friction == NULL || !model_has_arrays(model))
        return CLI_EXIT_OK;
    const sheaf_status status = contact_check(model, &overlap);
    if (status == SHEAF_OK && overlap.count > 0)
        cli_warn(
            "%u pairs of edges overlap at the start, most strand %u at edge %u and strand %u at edge %u, by %.0f %% "
            "of the distance at which they touch; they part at `separate`",
            overlap.count, overlap.strands[0], overlap.edges[0], overlap.strands[1], overlap.edges[1],
            100 * overlap.share);
    return status == SHEAF_OK ? CLI_EXIT_OK : cli_fail(status);
}

// A scene with errors, or one that can be read and not be simulated.
static int refuse(const cli_loaded *loaded, const check_values *values)
{
    if (!values->json)
        return cli_tell_load(loaded, values->scene);
    const int code = cli_print_json(no_figures_json(cli_load_errors(loaded, values->scene)));
    return code == CLI_EXIT_OK ? sheaf_status_exit_code(loaded->status) : code;
}

static int report(const cli_loaded *loaded, const check_values *values)
{
    if (loaded->status != SHEAF_OK)
        return refuse(loaded, values);
    json_t *errors = values->json ? cli_load_errors(loaded, values->scene) : NULL;
    cli_figures figures;
    cli_doubts doubts;
    sheaf_status status = cli_measure(loaded->model, &figures);
    if (status == SHEAF_OK)
        status = cli_doubts_find(loaded, &doubts);
    if (status != SHEAF_OK) {
        json_decref(errors);
        return cli_fail(status);
    }
    warn_about_step(loaded->model, &figures);
    cli_tell_wind(loaded->scene);
    cli_doubts_tell(&doubts);
    if (values->json)
        return cli_print_json(figures_json(errors, cli_doubts_json(&doubts), loaded->model, &figures));
    print_figures(values->scene, loaded->model, &figures);
    status = tell_volume(loaded->model);
    if (status != SHEAF_OK)
        return cli_fail(status);
    const int told = tell_overlap(loaded->model);
    return told == CLI_EXIT_OK ? tell_balance(loaded->model) : told;
}

static int print_schema(int form)
{
    base_text text = {0};
    if (form == 0)
        scene_schema_write_json(&text);
    else
        scene_schema_write_markdown(&text);
    const sheaf_status status = base_text_status(&text);
    if (status == SHEAF_OK)
        cli_print(&text);
    base_text_free(&text);
    return status == SHEAF_OK ? CLI_EXIT_OK : cli_fail(status);
}

static int run_check(const void *given)
{
    const check_values *values = given;
    if (values->schema >= 0 && (values->scene != NULL || values->json))
        return cli_refuse(&cli_command_check, "--schema goes alone");
    if (values->schema >= 0)
        return print_schema(values->schema);
    if (values->scene == NULL)
        return cli_refuse(&cli_command_check, "SCENE is missing");
    cli_loaded loaded = cli_load(values->scene);
    if (loaded.status == SHEAF_OK)
        loaded.status = solver_check(loaded.model);
    const int code = report(&loaded, values);
    cli_loaded_free(&loaded);
    return code;
}

const cli_command cli_command_check = {
    .name = "check",
    .summary = "finds every error of a scene, and says what the scene amounts to",
    .description = "Reads a scene and lists everything wrong with it, each with its place, the line and the cause. "
                   "Without errors it shows what the scene amounts to: strands, vertices, lengths, mass, the largest "
                   "stable step of the explicit integrator, and the memory a run needs.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .values_size = sizeof(check_values),
    .run = run_check,
};
