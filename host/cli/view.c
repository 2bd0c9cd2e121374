// view: `sheaf view`, which shows a scene or a run in a window.
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

#include "cli/assist.h"
#include "cli/knobs.h"
#include "cli/options.h"
#include "cli/show.h"
#include "cli/signals.h"
#include "solver/solver.h"
#include "view/window.h"

typedef struct view_values {
    const char *subject;
    const char *size;
    const char *scene;
    const char *children;
    uint64_t frames;
    int device;
    bool play, json;
} view_values;

static const cli_operand operands[] = {
    CLI_OPERAND_SUBJECT(view_values),
    {0},
};

static const cli_option options[] = {
    CLI_OPTION_BACKEND(view_values),
    {.name = "play", .letter = 'p', .doc = "start at once instead of paused", .offset = offsetof(view_values, play)},
    CLI_OPTION_SIZE(view_values),
    CLI_OPTION_SCENE(view_values),
    CLI_OPTION_CHILDREN(view_values),
    {.name = "frames",
     .kind = CLI_COUNT,
     .argument = "N",
     .doc = "close the window after so many pictures",
     .offset = offsetof(view_values, frames)},
    {.name = "json",
     .doc = "write what was shown last to standard output: time, step, picked strand, camera, pictures per second",
     .offset = offsetof(view_values, json)},
    {0},
};

static const cli_example examples[] = {
    {"sheaf view hair.yaml --play", "a scene that runs; press ? for help"},
    {"sheaf view hair.run", "a run, with a timeline"},
    {0},
};

enum { SMALLEST = 64 }; // px, side of a window

// What is on show.
typedef struct viewing {
    const view_values *values;
    view_window *window;
    char path[1024];
    cli_show show;
    cli_knobs knobs;
    sheaf_solver *solver; // the live's while there is one
    view_live *live;
    view_reel reel;
    uint32_t children; // for each strand
    cli_assist assist;
    bool is_other; // than the command was given
    bool is_continued;
    bool is_timed; // one kernel per stage
} viewing;

// ---- solvers

static sheaf_status open_solver(const viewing *v, sheaf_solver **solver)
{
    return cli_show_solver(&v->show, v->values->device, v->is_timed, solver);
}

static sheaf_status copy_array(sheaf_solver *from, sheaf_solver *to, uint32_t index, const solver_array *array)
{
    void *values = base_alloc(array->rows, array->components * (array->is_double ? sizeof(double) : sizeof(float)));
    if (values == NULL)
        return SHEAF_ERR_MEMORY;
    sheaf_status status = solver_read_array(from, index, values);
    if (status == SHEAF_OK)
        status = solver_write_array(to, index, values);
    base_free(values);
    return status;
}

// Whether two solvers hold their state in the same arrays.
static bool is_alike(const sheaf_solver *a, const sheaf_solver *b)
{
    solver_array of_a[SOLVER_ARRAYS_MOST], of_b[SOLVER_ARRAYS_MOST];
    const uint32_t count = solver_arrays(a, of_a);
    bool alike = solver_arrays(b, of_b) == count && solver_is_reference(a) == solver_is_reference(b);
    for (uint32_t k = 0; k < count && alike; k++)
        alike = strcmp(of_a[k].name, of_b[k].name) == 0 && of_a[k].rows == of_b[k].rows &&
                of_a[k].components == of_b[k].components && of_a[k].is_double == of_b[k].is_double;
    return alike;
}

static sheaf_status copy_state(sheaf_solver *from, sheaf_solver *to)
{
    solver_array arrays[SOLVER_ARRAYS_MOST];
    const uint32_t count = solver_arrays(from, arrays);
    for (uint32_t k = 0; k < count; k++)
        SHEAF_TRY(copy_array(from, to, k, &arrays[k]));
    solver_set_steps(to, solver_steps(from));
    return SHEAF_OK;
}

// ---- what is shown

static void close_show(viewing *v)
{
    view_live_close(v->live);
    sheaf_solver_close(v->solver);
    view_reel_close(&v->reel);
    cli_knobs_close(&v->knobs);
    cli_show_close(&v->show);
    v->live = NULL;
    v->solver = NULL;
}

static sheaf_status start_live(viewing *v)
{
    const sheaf_model *model = v->show.loaded.model;
    SHEAF_TRY(view_live_open(v->solver, model, model->def.step, &v->live));
    return SHEAF_OK;
}

static int open_show(viewing *v)
{
    const char *scene = v->is_other ? NULL : v->values->scene;
    const int code = cli_show_open(&cli_command_view, v->path, scene, v->children, &v->show);
    if (code != CLI_EXIT_OK)
        return code;
    sheaf_status status;
    if (v->show.is_recorded) {
        status = view_reel_open(&v->show.source, &v->reel);
    } else {
        status = cli_knobs_open(v->show.loaded.scene, &v->knobs);
        if (status == SHEAF_OK)
            status = open_solver(v, &v->solver);
        if (status == SHEAF_OK)
            status = start_live(v);
    }
    return status == SHEAF_OK ? CLI_EXIT_OK : cli_fail(status);
}

// The scene with other numbers: a new model and solver, which go on from the state of the old ones.
static sheaf_status rebuild(viewing *v, bool from_start)
{
    cli_loaded *loaded = &v->show.loaded;
    sheaf_model *old_model = loaded->model, *model = NULL;
    sheaf_solver *old_solver = v->solver, *solver = NULL;
    SHEAF_TRY(sheaf_model_create(loaded->scene, &model));
    view_live_close(v->live);
    v->live = NULL;
    loaded->model = model;
    sheaf_status status = open_solver(v, &solver);
    v->is_continued = status == SHEAF_OK && !from_start && is_alike(old_solver, solver);
    if (v->is_continued)
        status = copy_state(old_solver, solver);
    if (status != SHEAF_OK) { // the old one stays
        sheaf_solver_close(solver);
        loaded->model = old_model;
        sheaf_model_free(model);
        v->is_continued = true;
        SHEAF_TRY(start_live(v));
        return status;
    }
    sheaf_solver_close(old_solver);
    sheaf_model_free(old_model);
    v->solver = solver;
    v->show.stage.model = model;
    return start_live(v);
}

static void open_other(viewing *v, const char *path)
{
    char before[sizeof v->path];
    snprintf(before, sizeof before, "%s", v->path);
    snprintf(v->path, sizeof v->path, "%.1000s", path);
    close_show(v);
    v->is_continued = false;
    const bool was_other = v->is_other;
    v->is_other = true;
    if (open_show(v) == CLI_EXIT_OK)
        return;
    char note[400];
    snprintf(note, sizeof note, "cannot open it: %.300s", sheaf_last_error());
    view_window_tell(v->window, note);
    close_show(v);
    snprintf(v->path, sizeof v->path, "%s", before);
    v->is_other = was_other;
    (void)open_show(v);
}

// Does what the window could not; false: it is over.
static bool fulfil(viewing *v, const view_outcome *outcome)
{
    sheaf_status status = SHEAF_OK;
    v->is_continued = true;
    switch (outcome->wish) {
    case VIEW_WISH_RESET:
        status = v->live != NULL ? rebuild(v, true) : SHEAF_OK;
        v->is_continued = status != SHEAF_OK;
        break;
    case VIEW_WISH_CHANGE:
        status = cli_knobs_apply(&v->knobs, v->show.loaded.scene);
        if (status == SHEAF_OK)
            status = rebuild(v, false);
        break;
    case VIEW_WISH_UNDO:
        if (v->live != NULL && cli_knobs_undo(&v->knobs, v->show.loaded.scene))
            status = rebuild(v, false);
        break;
    case VIEW_WISH_SAVE:
        status = cli_knobs_save(&v->knobs, v->path, outcome->path);
        if (status == SHEAF_OK)
            view_window_tell(v->window, "saved");
        break;
    case VIEW_WISH_OPEN:
        open_other(v, outcome->path);
        break;
    case VIEW_WISH_TIME:
        v->is_timed = !v->is_timed;
        status = rebuild(v, false);
        break;
    default:
        return false;
    }
    if (status != SHEAF_OK)
        view_window_tell(v->window, sheaf_last_error());
    return v->live != NULL || v->show.is_recorded;
}

static sheaf_status show_it(viewing *v)
{
    view_outcome outcome = {.wish = VIEW_WISH_QUIT};
    const view_helper helper = cli_assist_helper(&v->assist);
    do {
        v->assist.path = v->path;
        v->assist.is_scene = !v->show.is_recorded;
        const view_act act = {.name = v->path,
                              .stage = &v->show.stage,
                              .live = v->live,
                              .reel = v->show.is_recorded ? &v->reel : NULL,
                              .device = v->solver != NULL ? sheaf_solver_device(v->solver) : "",
                              .helper = &helper,
                              .knobs = v->knobs.list,
                              .knob_count = v->knobs.count,
                              .is_continued = v->is_continued,
                              .is_playing = v->values->play,
                              .is_timed = v->is_timed};
        SHEAF_TRY(view_window_run(v->window, &act, v->values->frames, cli_caught_signal, &outcome));
    } while (fulfil(v, &outcome));
    return SHEAF_OK;
}

static json_t *stages_json(const view_session *s)
{
    json_t *stages = json_object();
    for (uint32_t k = 0; k < s->stage_count; k++)
        json_object_set_new(stages, s->stages[k].name, json_real(1e3 * s->stages[k].seconds));
    return stages;
}

static json_t *hidden_json(const view_session *s)
{
    json_t *hidden = json_array();
    for (int k = 0; k < VIEW_PART_COUNT; k++)
        if (s->hidden[k])
            json_array_append_new(hidden, json_string(view_part_names[k]));
    return hidden;
}

static int print_session(const view_session *s, const cli_knobs *knobs)
{
    return cli_print_json(json_pack(
        "{s:I, s:f, s:f, s:I, s:b, s:f, s:s, s:o, s:[f, f, f], s:o, s:f, s:o, s:o, s:I, s:I, s:f, s:f, s:I, s:s}",
        "frames", (json_int_t)s->frames, "frames_per_s", s->seconds > 0 ? (double)s->frames / s->seconds : 0, "time_s",
        s->time, "step", (json_int_t)s->step, "playing", s->playing, "speed", s->speed, "colour",
        view_colour_names[s->colour], "picked", s->picked == UINT32_MAX ? json_null() : json_integer(s->picked),
        "tip_m", s->tip[0], s->tip[1], s->tip[2], "deviation_m",
        s->deviation >= 0 ? json_real(s->deviation) : json_null(), "gravity_m_per_s2",
        knobs->count > 0 ? knobs->list[0].value : 0, "stages_ms", stages_json(s), "hidden", hidden_json(s),
        "strands_drawn", (json_int_t)s->strands_drawn, "children_drawn", (json_int_t)s->children_drawn, "fine", s->fine,
        "oldest_s", s->oldest, "film_frames", (json_int_t)s->film_frames, "camera", s->camera));
}

static int run_view(const void *given)
{
    const view_values *values = given;
    viewing v = {.values = values};
    uint32_t width, height;
    if (!cli_read_size(values->size, SMALLEST, &width, &height))
        return cli_refuse_size(&cli_command_view, values->size, SMALLEST);
    if (!cli_read_children(values->children, &v.children))
        return cli_refuse_children(&cli_command_view, values->children);
    snprintf(v.path, sizeof v.path, "%.1000s", values->subject);
    sheaf_status status = view_window_open(width, height, &v.window);
    if (status != SHEAF_OK)
        return cli_fail(status);
    cli_catch_signals();
    int code = open_show(&v);
    if (code == CLI_EXIT_OK) {
        status = show_it(&v);
        code = status != SHEAF_OK         ? cli_fail(status)
               : cli_caught_signal() != 0 ? 128 + cli_caught_signal()
                                          : CLI_EXIT_OK;
    }
    if (code == CLI_EXIT_OK && values->json)
        code = print_session(view_window_session(v.window), &v.knobs);
    close_show(&v);
    cli_assist_close(&v.assist);
    view_window_close(v.window);
    return code;
}

const cli_command cli_command_view = {
    .name = "view",
    .summary = "shows a scene or a run in a window",
    .description =
        "Opens a window on a scene, which runs there, or on what a run has left. Look around with the mouse, play, "
        "pause, step, pick a strand and pull it, change the scene's numbers, colour strands by strain, curvature, "
        "twist or speed. The picked strand of a running scene is simulated once more by the fp64 reference; the window "
        "draws both, and plots deviation, energy, twist and writhe.\n\n"
        "Keys: space plays and pauses; left and right go back and forth, through the last seconds of a running scene, "
        "too; r starts again; + and - are faster and slower; c colours by the next quantity; 1 to 5 show or hide "
        "ground, bodies, shadows, children and guides; f frames everything; home is the camera of the start; v copies "
        "the camera, V writes it into the scene's file; p saves a picture; m starts and ends a film; tab hides the "
        "panel; ? is help; q quits.\n\n"
        "The solver has a thread of its own: drawing never holds it up. While anything moves, as many children are "
        "drawn as keep up; once nothing does, all of them.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .values_size = sizeof(view_values),
    .run = run_view,
};
