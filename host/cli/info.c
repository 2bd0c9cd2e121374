// info: `sheaf info`, which tells what a file or folder that Sheaf reads or writes holds.
#include "cli/command.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/grooms.h"
#include "cli/load.h"
#include "groom/kind.h"
#include "io/checkpoint.h"
#include "io/folder.h"
#include "io/outline.h"
#include "io/positions.h"
#include "io/stiffened.h"
#include "io/thermo.h"
#include "io/trajectory.h"
#include "io/unstable.h"

typedef struct info_values {
    const char *file;
    bool json;
} info_values;

static const cli_operand operands[] = {
    {"FILE", CLI_FILE, NULL, true, "scene, folder of a run, a file of such a folder, or a file of strands",
     offsetof(info_values, file)},
    {0},
};

static const cli_option options[] = {
    {.name = "json", .doc = "write JSON", .offset = offsetof(info_values, json)},
    {0},
};

static const cli_example examples[] = {
    {"sheaf info hair.yaml", "counts, bounds and materials of a scene"},
    {"sheaf info hair.run", "what a run has left"},
    {"sheaf info fringe.hair", "counts, bounds, lengths and oddities of strands"},
    {0},
};

// What there is to tell: fields of the JSON object, which the page for people shows in the same order.
typedef struct facts {
    const char *format;
    json_t *strands, *vertices, *frames; // integers, or null
    json_t *bounds;                      // [[x, y, z], [x, y, z]] in m, or null
    json_t *problems;                    // strings
    json_t *more;                        // further fields, in order
} facts;

static facts facts_of(const char *format)
{
    return (facts){format, json_null(), json_null(), json_null(), json_null(), json_array(), json_object()};
}

static void add_problem(facts *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_problem(facts *f, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    json_array_append_new(f->problems, io_json_text(text));
}

static json_t *bounds_json(const double low[3], const double high[3])
{
    if (low[0] > high[0])
        return json_null();
    return json_pack("[[f, f, f], [f, f, f]]", low[0], low[1], low[2], high[0], high[1], high[2]);
}

// ---- scenes

static json_t *material_json(const sheaf_material_def *material)
{
    const scene_section section = scene_material_section(material);
    return json_pack("{s:o, s:f, s:f, s:f, s:f, s:f, s:f}", "name", io_json_text(material->name), "line_mass_kg_per_m",
                     section.line_mass, "bend_1_N_m2", section.bend[0], "bend_2_N_m2", section.bend[1], "twist_N_m2",
                     section.twist, "radius_m", section.radius, "drag_Pa_s", material->drag);
}

// Frames of a run's trajectory.
static json_int_t count_frames(const sheaf_scene_def *def)
{
    if (def->trajectory_every == 0)
        return 0;
    return (json_int_t)floor((def->end * def->frame_rate + 1e-6) / def->trajectory_every) + 1;
}

static sheaf_status add_scene(facts *f, const cli_loaded *loaded)
{
    const sheaf_scene_def *def = &loaded->model->def;
    cli_figures figures;
    SHEAF_TRY(cli_measure(loaded->model, &figures));
    f->strands = json_integer(loaded->model->strand_count);
    f->vertices = json_integer((json_int_t)loaded->model->vertex_count);
    f->frames = json_integer(count_frames(def));
    f->bounds = bounds_json(figures.low, figures.high);
    json_object_set_new(f->more, "title", io_json_text(def->title ? def->title : ""));
    json_object_set_new(f->more, "duration_s", json_real(def->end));
    json_object_set_new(f->more, "step_s", json_real(def->step));
    json_object_set_new(f->more, "integrator", json_string(cli_integrator_names[def->integrator]));
    json_object_set_new(f->more, "mass_kg", json_real(figures.mass));
    json_t *materials = json_array();
    for (uint32_t k = 0; k < loaded->scene->material_count; k++)
        json_array_append_new(materials, material_json(&loaded->scene->materials[k]));
    json_object_set_new(f->more, "materials", materials);
    return SHEAF_OK;
}

// What is wrong with a scene goes to stderr, or with `quiet` into the problems.
static int read_scene(const char *path, bool quiet, facts *f)
{
    cli_loaded loaded = cli_load(path);
    if (loaded.status == SHEAF_OK)
        loaded.status = add_scene(f, &loaded);
    int code = sheaf_status_exit_code(loaded.status);
    if (loaded.status != SHEAF_OK && !quiet)
        code = cli_tell_load(&loaded, path);
    for (uint32_t k = 0; k < loaded.problems.count; k++)
        add_problem(f, "line %u, column %u: %s", loaded.problems.items[k].line, loaded.problems.items[k].column,
                    loaded.problems.items[k].message);
    if (loaded.status != SHEAF_OK && loaded.problems.count == 0)
        add_problem(f, "%s", sheaf_last_error());
    cli_loaded_free(&loaded);
    return code;
}

// ---- files of a run

static void add_thermo(facts *f, const io_thermo *thermo, const char *problem)
{
    f->frames = json_integer((json_int_t)thermo->count);
    if (thermo->count > 0) {
        const sheaf_report *last = &thermo->rows[thermo->count - 1];
        double strain = 0;
        for (size_t k = 0; k < thermo->count; k++)
            strain = fmax(strain, thermo->rows[k].worst_strain);
        json_object_set_new(f->more, "last_time_s", json_real(last->time));
        json_object_set_new(f->more, "last_energy_J", json_real(thermo->totals[thermo->count - 1]));
        json_object_set_new(f->more, "worst_strain", json_real(strain));
    }
    if (problem[0] != 0)
        add_problem(f, IO_THERMO_NAME ": %s", problem);
}

static sheaf_status read_thermo(const char *path, facts *f)
{
    io_thermo thermo;
    char problem[160];
    SHEAF_TRY(io_thermo_read(path, &thermo, problem, sizeof problem));
    add_thermo(f, &thermo, problem);
    io_thermo_free(&thermo);
    return SHEAF_OK;
}

static sheaf_status read_positions(const char *path, facts *f)
{
    io_positions_summary summary;
    char problem[160];
    SHEAF_TRY(io_positions_scan(path, &summary, problem, sizeof problem));
    json_decref(f->strands);
    json_decref(f->vertices);
    f->strands = json_integer((json_int_t)summary.strands);
    f->vertices = json_integer((json_int_t)summary.vertices);
    f->bounds = bounds_json(summary.low, summary.high);
    if (problem[0] != 0)
        add_problem(f, IO_STRANDS_NAME ": %s", problem);
    return SHEAF_OK;
}

static sheaf_status read_unstable(const char *path, facts *f)
{
    io_unstable_summary summary;
    char problem[160];
    SHEAF_TRY(io_unstable_scan(path, &summary, problem, sizeof problem));
    f->strands = json_integer((json_int_t)summary.strands);
    json_object_set_new(f->more, "would_fall", json_integer((json_int_t)summary.falling));
    if (problem[0] != 0)
        add_problem(f, IO_UNSTABLE_NAME ": %s", problem);
    return SHEAF_OK;
}

static sheaf_status read_stiffened(const char *path, facts *f)
{
    uint64_t strands;
    double most;
    char problem[160];
    SHEAF_TRY(io_stiffened_scan(path, &strands, &most, problem, sizeof problem));
    f->strands = json_integer((json_int_t)strands);
    json_object_set_new(f->more, "largest_factor", json_real(most));
    if (problem[0] != 0)
        add_problem(f, IO_STIFFENED_NAME ": %s", problem);
    return SHEAF_OK;
}

static json_t *count_or_null(uint64_t count)
{
    return count > 0 ? json_integer((json_int_t)count) : json_null();
}

static sheaf_status read_outline(const char *path, facts *f)
{
    io_outline outline;
    char problem[160];
    SHEAF_TRY(io_outline_read(path, &outline, problem, sizeof problem));
    f->format = outline.format;
    f->strands = count_or_null(outline.strands);
    f->vertices = count_or_null(outline.vertices);
    f->frames = json_integer((json_int_t)outline.frames);
    if (isfinite(outline.first_time))
        json_object_set_new(f->more, "first_time_s", json_real(outline.first_time));
    if (isfinite(outline.last_time))
        json_object_set_new(f->more, "last_time_s", json_real(outline.last_time));
    if (problem[0] != 0)
        add_problem(f, "%s", problem);
    return SHEAF_OK;
}

// A number of a record; null where it has none.
static json_t *count_of(const json_t *record, const char *name)
{
    json_t *value = json_object_get(record, name);
    return json_is_integer(value) ? json_incref(value) : json_null();
}

// Fields of a record that a reader wants to see, in the order shown.
static sheaf_status read_record(const char *path, facts *f)
{
    static const char *const shown[] = {"title",  "scene", "device",       "precision",    "seed",
                                        "time_s", "steps", "wall_seconds", "worst_strain", "frozen_strands"};
    json_t *record;
    SHEAF_TRY(io_record_read(path, &record));
    f->strands = count_of(record, "strands");
    f->vertices = count_of(record, "vertices");
    f->frames = count_of(record, "frames");
    for (size_t k = 0; k < sizeof shown / sizeof shown[0]; k++)
        if (json_object_get(record, shown[k]) != NULL)
            json_object_set(f->more, shown[k], json_object_get(record, shown[k]));
    const json_t *code = json_object_get(record, "exit"), *frozen = json_object_get(record, "frozen_strands");
    if (!json_is_integer(code))
        add_problem(f, "the run has not ended: it is still going, or was killed");
    else if (json_integer_value(code) != 0)
        add_problem(f, "the run ended with exit code %lld", (long long)json_integer_value(code));
    if (json_integer_value(frozen) > 0)
        add_problem(f, "%lld strands diverged", (long long)json_integer_value(frozen));
    const json_int_t bodies = json_integer_value(json_object_get(record, "frozen_bodies")); // none in older records
    if (bodies > 0)
        add_problem(f, "%lld bodies ran away and were frozen", (long long)bodies);
    const json_int_t unmet = json_integer_value(json_object_get(record, "unmet_frames"));
    if (unmet > 0)
        add_problem(f, "in %lld frames strands did not meet what they are asked for", (long long)unmet);
    json_decref(record);
    return SHEAF_OK;
}

// Reads one file of a folder; a missing one is a problem to tell, not a failure.
static sheaf_status read_part(const char *folder, const char *name, sheaf_status (*read)(const char *, facts *),
                              facts *f)
{
    char *path = io_path_join(folder, name);
    if (path == NULL)
        return SHEAF_ERR_MEMORY;
    const sheaf_status status = read(path, f);
    base_free(path);
    if (status == SHEAF_ERR_MEMORY)
        return status;
    if (status != SHEAF_OK)
        add_problem(f, "%s", sheaf_last_error());
    return SHEAF_OK;
}

// Frames that can be shown; a run without a trajectory has those of its figures.
static sheaf_status read_trajectory(const char *path, facts *f)
{
    uint64_t frames;
    if (access(path, F_OK) != 0)
        return SHEAF_OK;
    SHEAF_TRY(io_trajectory_count(path, &frames));
    json_decref(f->frames);
    f->frames = json_integer((json_int_t)frames);
    if (frames == 0)
        return SHEAF_OK;
    groom_source source;
    SHEAF_TRY(groom_open(&io_format_vtkhdf, path, &source));
    const sheaf_status status = io_trajectory_check(&source);
    groom_close(&source);
    return status;
}

static sheaf_status read_folder(const char *path, facts *f)
{
    char *record = io_path_join(path, IO_RECORD_NAME);
    if (record == NULL)
        return SHEAF_ERR_MEMORY;
    const sheaf_status status = read_record(record, f);
    base_free(record);
    SHEAF_TRY(status);
    json_decref(f->frames);
    f->frames = json_null();
    SHEAF_TRY(read_part(path, IO_THERMO_NAME, read_thermo, f));
    SHEAF_TRY(read_part(path, IO_TRAJECTORY_NAME, read_trajectory, f));
    return read_part(path, IO_STRANDS_NAME, read_positions, f);
}

// ---- files of strands

static void add_notes(facts *f, const char *notes)
{
    for (size_t length; *notes != 0; notes += length + (notes[length] == '\n')) {
        length = strcspn(notes, "\n");
        add_problem(f, "%.*s", (int)length, notes);
    }
}

static void add_groom(facts *f, const groom_source *source)
{
    const groom *g = &source->groom;
    const groom_survey survey = groom_measure(g);
    char unit[32];
    f->strands = json_integer((json_int_t)g->strand_count);
    f->vertices = json_integer((json_int_t)g->vertex_count);
    f->frames = json_integer((json_int_t)source->frame_count);
    f->bounds = bounds_json(survey.low, survey.high);
    cli_format_unit(g->metres_per_unit, unit, sizeof unit);
    json_object_set_new(f->more, "unit", json_string(g->metres_per_unit > 0 ? unit : "not said"));
    json_object_set_new(f->more, "up",
                        json_string(g->up != GROOM_UP_UNKNOWN ? cli_axes[g->up - GROOM_UP_X] : "not said"));
    json_object_set_new(f->more, "precision", json_string(g->is_double ? "double" : "single"));
    json_object_set_new(f->more, "fewest_vertices", json_integer((json_int_t)survey.fewest));
    json_object_set_new(f->more, "most_vertices", json_integer((json_int_t)survey.most));
    json_object_set_new(f->more, "shortest", json_real(survey.shortest));
    json_object_set_new(f->more, "longest", json_real(survey.longest));
    json_object_set_new(f->more, "width", json_boolean(g->width != NULL));
    json_object_set_new(f->more, "transparency", json_boolean(g->transparency != NULL));
    json_object_set_new(f->more, "colour", json_boolean(g->colour != NULL));
    json_object_set_new(f->more, "director_angle", json_boolean(g->director_angle != NULL));
    if (source->times != NULL) {
        json_object_set_new(f->more, "first_time_s", json_real(source->times[0]));
        json_object_set_new(f->more, "last_time_s", json_real(source->times[source->frame_count - 1]));
    }
    base_text oddities = {0};
    groom_note_oddities(&survey, &oddities);
    add_notes(f, base_text_get(&source->notes));
    add_notes(f, base_text_get(&oddities));
    base_text_free(&oddities);
}

static sheaf_status read_groom(const char *path, const groom_format *format, facts *f)
{
    groom_source source;
    f->format = format->name;
    SHEAF_TRY(groom_open(format, path, &source));
    add_groom(f, &source);
    const sheaf_status status = io_trajectory_check(&source);
    groom_close(&source);
    return status;
}

// ---- telling

static json_t *facts_json(const facts *f)
{
    json_t *object = json_pack("{s:s, s:O, s:O, s:O, s:O, s:O}", "format", f->format, "strands", f->strands, "vertices",
                               f->vertices, "frames", f->frames, "bounds", f->bounds, "problems", f->problems);
    if (object != NULL && json_object_update(object, f->more) != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static void add_value(base_text *text, const char *name, const json_t *value)
{
    if (json_is_string(value) && json_string_value(value)[0] != 0)
        base_text_add(text, "  %-15s %s\n", name, json_string_value(value));
    else if (json_is_integer(value))
        base_text_add(text, "  %-15s %lld\n", name, (long long)json_integer_value(value));
    else if (json_is_real(value))
        base_text_add(text, "  %-15s %.6g\n", name, json_real_value(value));
    else if (json_is_true(value))
        base_text_add(text, "  %-15s yes\n", name);
}

// Bounds of a file of strands are in its own unit, all others in metres.
static void add_bounds(base_text *text, const json_t *bounds, const char *unit)
{
    static const char axes[] = "xyz";
    for (size_t c = 0; json_is_array(bounds) && c < 3; c++)
        base_text_add(text, "  %-15s %c from %.4g to %.4g%s\n", c == 0 ? "bounds" : "", axes[c],
                      json_number_value(json_array_get(json_array_get(bounds, 0), c)),
                      json_number_value(json_array_get(json_array_get(bounds, 1), c)), unit);
}

static double field(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static void add_materials(base_text *text, const json_t *materials)
{
    base_text_add(text, "\n  %-12s %12s %12s %12s %12s %12s %12s\n", "material", "kg/m", "EI1 N m^2", "EI2 N m^2",
                  "GJ N m^2", "radius m", "drag Pa s");
    for (size_t k = 0; k < json_array_size(materials); k++) {
        const json_t *row = json_array_get(materials, k);
        base_text_add(text, "  %-12s %12.4g %12.4g %12.4g %12.4g %12.4g %12.4g\n",
                      json_string_value(json_object_get(row, "name")), field(row, "line_mass_kg_per_m"),
                      field(row, "bend_1_N_m2"), field(row, "bend_2_N_m2"), field(row, "twist_N_m2"),
                      field(row, "radius_m"), field(row, "drag_Pa_s"));
    }
}

static void print_facts(const char *path, const facts *f)
{
    base_text text = {0};
    char shown[512];
    base_text_add(&text, "%s: %s\n", base_printable(path, shown, sizeof shown), f->format);
    add_value(&text, "strands", f->strands);
    add_value(&text, "vertices", f->vertices);
    add_value(&text, "frames", f->frames);
    add_bounds(&text, f->bounds, json_object_get(f->more, "unit") != NULL ? "" : " m");
    const char *name;
    json_t *value;
    json_object_foreach(f->more, name, value)
    {
        if (json_is_array(value))
            add_materials(&text, value);
        else
            add_value(&text, name, value);
    }
    for (size_t k = 0; k < json_array_size(f->problems); k++)
        base_text_add(&text, "  %-15s %s\n", "problem", json_string_value(json_array_get(f->problems, k)));
    cli_print(&text);
    base_text_free(&text);
}

static void free_facts(facts *f)
{
    json_decref(f->strands);
    json_decref(f->vertices);
    json_decref(f->frames);
    json_decref(f->bounds);
    json_decref(f->problems);
    json_decref(f->more);
}

static sheaf_status read_checkpoint(const char *path, facts *f)
{
    io_checkpoint found;
    f->format = "checkpoint";
    SHEAF_TRY(io_checkpoint_check(path, &found));
    f->strands = json_integer((json_int_t)found.strands);
    f->vertices = json_integer((json_int_t)found.vertices);
    json_decref(f->more);
    f->more = json_pack("{s:o, s:s, s:s, s:s, s:I, s:f, s:f, s:I}", "title", io_json_text(found.title), "version",
                        found.version, "backend", found.backend, "precision", found.precision, "steps",
                        (json_int_t)found.steps, "time_s", (double)found.steps * found.step, "wall_seconds",
                        found.wall_seconds, "restarts", (json_int_t)found.restarts);
    return f->more != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

typedef sheaf_status reader(const char *path, facts *f);

// Pictures, pages and programs are no scenes, and telling where a scene goes wrong would not help.
static bool may_be_scene(const char *start)
{
    if (start[0] == '<')
        return false;
    for (const char *c = start; *c != 0; c++)
        if ((unsigned char)*c < ' ' && strchr("\t\r\n", *c) == NULL)
            return false;
    return true;
}

static sheaf_status refuse_file(const char *path, facts *f)
{
    char shown[512], start[GROOM_KIND_BYTES] = {0};
    (void)f;
    SHEAF_TRY(io_file_peek(path, start, sizeof start));
    const groom_kind *kind = groom_kind_of(start, sizeof start);
    if (kind != NULL)
        return base_fail(SHEAF_ERR_INPUT, "'%s' is %s: %s", base_printable(path, shown, sizeof shown), kind->name,
                         kind->advice);
    return base_fail(SHEAF_ERR_INPUT, "'%s' is nothing to tell of: no scene, no data of a run, no strands",
                     base_printable(path, shown, sizeof shown));
}

// What reads a file that starts so; NULL: it can only be a scene.
static reader *find_reader(const char *start, const char **format)
{
    if (start[0] == '{') {
        *format = "run record";
        return read_record;
    }
    if (io_thermo_recognise(start)) {
        *format = "run figures";
        return read_thermo;
    }
    if (io_positions_recognise(start)) {
        *format = "positions";
        return read_positions;
    }
    if (io_unstable_recognise(start)) {
        *format = "unstable strands";
        return read_unstable;
    }
    if (io_stiffened_recognise(start)) {
        *format = "stiffened strands";
        return read_stiffened;
    }
    if (io_outline_recognise(start)) {
        *format = "strands";
        return read_outline;
    }
    if (!may_be_scene(start) || groom_kind_of(start, strlen(start)) != NULL) {
        *format = "unknown";
        return refuse_file;
    }
    *format = "scene";
    return NULL;
}

// Reads whatever `path` is. Returns the exit code; what went wrong is told, or with `quiet` among the problems.
static int read_anything(const char *path, bool quiet, facts *f)
{
    struct stat found;
    char start[256];
    *f = facts_of("unknown");
    const bool is_folder = stat(path, &found) == 0 && S_ISDIR(found.st_mode);
    sheaf_status status = is_folder ? SHEAF_OK : io_file_peek(path, start, sizeof start);
    const bool is_checkpoint = !is_folder && status == SHEAF_OK && io_checkpoint_recognise(path);
    const groom_format *format =
        is_folder || is_checkpoint || status != SHEAF_OK ? NULL : cli_groom_format(path, &status);
    if (format != NULL) {
        status = read_groom(path, format, f);
    } else if (status == SHEAF_OK || status == SHEAF_ERR_INPUT) {
        f->format = "run folder";
        reader *read = is_folder ? read_folder : is_checkpoint ? read_checkpoint : find_reader(start, &f->format);
        if (read == NULL)
            return read_scene(path, quiet, f);
        status = read(path, f);
    }
    if (status == SHEAF_OK)
        return CLI_EXIT_OK;
    add_problem(f, "%s", sheaf_last_error());
    return quiet ? sheaf_status_exit_code(status) : cli_fail(status);
}

static int run_info(const void *given)
{
    const info_values *values = given;
    facts f;
    const int code = read_anything(values->file, values->json, &f);
    int printed = CLI_EXIT_OK;
    if (values->json)
        printed = cli_print_json(facts_json(&f));
    else if (code == CLI_EXIT_OK)
        print_facts(values->file, &f);
    free_facts(&f);
    return code != CLI_EXIT_OK ? code : printed;
}

const cli_command cli_command_info = {
    .name = "info",
    .summary = "tells what a scene, a run or a file of strands holds",
    .description = "Tells what a file or folder that Sheaf reads or writes holds: counts, bounds, times, and what is "
                   "wrong with it. The kind of a file is recognised by what is in it; its name decides only where "
                   "that says nothing.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .values_size = sizeof(info_values),
    .run = run_info,
};
