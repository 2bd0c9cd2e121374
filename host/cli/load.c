// load: scenes and their models, as several commands need them, and what can be said about them.
#include "cli/load.h"

#include <math.h>

#include "base/vec.h"
#include "io/folder.h"
#include "io/plot.h"
#include "io/positions.h"
#include "solver/solver.h"
#include "strand/strand.h"

const char *const cli_integrator_names[] = {"bdf2", "euler", "explicit"};

cli_loaded cli_load(const char *path)
{
    return cli_load_moved(path, NULL);
}

cli_loaded cli_load_moved(const char *path, const scene_files *places)
{
    cli_loaded loaded = {0};
    loaded.status = scene_read_moved(path, places, &loaded.problems, &loaded.scene);
    if (loaded.status == SHEAF_OK)
        loaded.status = sheaf_model_create(loaded.scene, &loaded.model);
    return loaded;
}

void cli_loaded_free(cli_loaded *loaded)
{
    scene_diagnostics_free(&loaded->problems);
    sheaf_model_free(loaded->model);
    sheaf_scene_free(loaded->scene);
    *loaded = (cli_loaded){0};
}

int cli_tell_load(const cli_loaded *loaded, const char *path)
{
    const scene_diagnostics *list = &loaded->problems;
    char shown[512];
    base_printable(path, shown, sizeof shown);
    if (list->count == 0) {
        if (loaded->status != SHEAF_ERR_IO) // I/O errors name the file themselves
            base_fail(loaded->status, "%s: %.400s", shown, sheaf_last_error());
        return cli_fail(loaded->status);
    }
    base_text text = {0};
    scene_diagnostics_print(list, &text);
    (void)fputs(base_text_get(&text), stderr);
    base_text_free(&text);
    cli_note("%s%u error%s in %s", list->cut ? "more than " : "", list->count, list->count == 1 ? "" : "s", shown);
    return sheaf_status_exit_code(loaded->status);
}

// A radius gives a drag where none is said, so that a material without either is the only one wind passes unnoticed.
void cli_tell_wind(const sheaf_scene *scene)
{
    const sheaf_scene_def *def = &scene->def;
    char shown[512];
    if (vec_length(def->wind) == 0 && def->gust == 0)
        return;
    for (uint32_t k = 0; k < scene->material_count; k++) {
        const sheaf_material_def *material = &scene->materials[k];
        if (material->drag == 0 && scene_material_section(material).radius == 0)
            cli_warn("the wind does not act on '%s': it has neither drag nor a radius to find it by; give it drag",
                     base_printable(material->name, shown, sizeof shown));
    }
}

static json_t *error_json(const char *file, uint32_t line, uint32_t column, const char *message, const char *hint)
{
    return json_pack("{s:o, s:I, s:I, s:o, s:o}", "file", io_json_text(file), "line", (json_int_t)line, "column",
                     (json_int_t)column, "message", io_json_text(message), "hint",
                     hint ? io_json_text(hint) : json_null());
}

json_t *cli_load_errors(const cli_loaded *loaded, const char *path)
{
    json_t *errors = json_array();
    const scene_diagnostics *list = &loaded->problems;
    for (uint32_t k = 0; k < list->count; k++) {
        const scene_diagnostic *item = &list->items[k];
        json_array_append_new(errors, error_json(list->file, item->line, item->column, item->message, item->hint));
    }
    if (loaded->status != SHEAF_OK && list->count == 0)
        json_array_append_new(errors, error_json(path, 0, 0, sheaf_last_error(), NULL));
    return errors;
}

// How much of a strand lies beyond the planes of its clamps, m.
static double length_beyond(const sheaf_model *part, uint32_t strand)
{
    const uint64_t first = part->first_vertex[strand], last = part->first_vertex[strand + 1] - 2;
    double shares[2];
    scene_group_overhangs(&part->groups[part->strands[strand].group], shares);
    return shares[0] * part->rest_length[first] + shares[1] * part->rest_length[last];
}

static sheaf_status measure_part(const sheaf_model *part, uint32_t first, void *user)
{
    cli_figures *figures = user;
    (void)first;
    for (uint32_t s = 0; s < part->strand_count; s++) {
        double length = 0;
        for (uint64_t k = part->first_vertex[s]; k < part->first_vertex[s + 1]; k++) {
            length += part->rest_length[k]; // 0 beyond the last edge
            figures->mass += part->mass[k];
            io_bounds_add(figures->low, figures->high, part->position[k]);
        }
        figures->length += length;
        figures->beyond = fmax(figures->beyond, length_beyond(part, s));
        figures->shortest = fmin(figures->shortest, length);
        figures->longest = fmax(figures->longest, length);
    }
    return SHEAF_OK;
}

sheaf_status cli_measure(const sheaf_model *model, cli_figures *figures)
{
    *figures = (cli_figures){.shortest = INFINITY};
    io_bounds_none(figures->low, figures->high);
    SHEAF_TRY(model_for_each_part(model, measure_part, figures));
    figures->explicit_limit = sheaf_model_explicit_step_limit(model);
    figures->memory = model_bytes(model) + solver_state_bytes(model);
    return SHEAF_OK;
}

void cli_format_quantity(double value, const char *unit, char *text, size_t size)
{
    const char *prefix;
    const int exponent = base_si_exponent(fabs(value), &prefix);
    snprintf(text, size, "%.4g %s%s", value * pow(10, -exponent), prefix, unit);
}

void cli_format_bytes(uint64_t bytes, char *text, size_t size)
{
    cli_format_quantity((double)bytes, "B", text, size);
}
