// render: `sheaf render`, which makes pictures and films without a window.
#include "cli/command.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vec.h"
#include "cli/film.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/show.h"
#include "cli/signals.h"
#include "io/file.h"
#include "run/clock.h"
#include "view/pace.h"
#include "view/render.h"

typedef struct render_values {
    const char *subject;
    const char *output;
    const char *size;
    const char *camera;
    const char *scene;
    const char *children;
    double time;
    uint64_t rate;
    uint64_t slow;
    uint64_t pace;
    int device;
    bool overwrite;
    bool quiet;
} render_values;

static const cli_operand operands[] = {
    CLI_OPERAND_SUBJECT(render_values),
    {0},
};

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_FILE,
     .argument = "OUT",
     .doc = "a picture, as out.png; a film, as out.mp4; or a folder of pictures, as frames/ (default: the subject's "
            "name with .png)",
     .offset = offsetof(render_values, output)},
    {.name = "time",
     .letter = 't',
     .kind = CLI_MOMENT,
     .argument = "T",
     .doc = "the time shown, 0 for the start, or the end of the film (default: the scene's end, or the last frame)",
     .offset = offsetof(render_values, time)},
    CLI_OPTION_SIZE(render_values),
    {.name = "camera",
     .letter = 'c',
     .kind = CLI_TEXT,
     .argument = "A,E[,Z]",
     .doc = "look from A degrees around and E degrees above the horizon, Z times closer (default: the scene's camera, "
            "or from where most is to be seen)",
     .offset = offsetof(render_values, camera)},
    CLI_OPTION_SCENE(render_values),
    CLI_OPTION_CHILDREN(render_values),
    {.name = "rate",
     .letter = 'r',
     .kind = CLI_COUNT,
     .argument = "N",
     .preset = "30",
     .doc = "pictures per second of film",
     .offset = offsetof(render_values, rate)},
    {.name = "slow",
     .kind = CLI_COUNT,
     .argument = "N",
     .preset = "1",
     .doc = "film N times slower than life",
     .offset = offsetof(render_values, slow)},
    {.name = "pace",
     .kind = CLI_COUNT,
     .argument = "N",
     .doc = "write no picture, but draw N of them as a window does while all moves, and tell how many a second that is",
     .offset = offsetof(render_values, pace)},
    CLI_OPTION_BACKEND(render_values),
    {.name = "overwrite", .doc = "replace OUT if it exists", .offset = offsetof(render_values, overwrite)},
    CLI_OPTION_QUIET(render_values),
    {0},
};

static const cli_example examples[] = {
    {"sheaf render hair.yaml -o hair.png", "simulates the scene to its end and draws it"},
    {"sheaf render hair.run -o hair.mp4 --slow 4", "a film of a run, four times slower than life"},
    {"sheaf render hair.run --scene pale.yaml -o pale.png", "the run with camera and colours of another file"},
    {"sheaf render curls.yaml --time 0.5 --camera 40,20 -o curls.png", "from the right and above"},
    {0},
};

typedef enum product { PRODUCT_PICTURE, PRODUCT_FILM, PRODUCT_FOLDER } product;

enum { SMALLEST = 16, MOST_RATE = 1000, FRAME_SAMPLE = 1 << 20, FRAMES_SAMPLED = 60 };

// Drawing under way.
typedef struct rendering {
    const render_values *values;
    char *output;
    product product;
    uint32_t width, height;
    uint32_t children; // for each strand
    bool has_direction;
    double azimuth, elevation, closer; // rad, rad, times
    cli_show show;
    view_reel reel;
    view_render *render;
    view_camera camera;
    cli_film film;
    cli_progress progress;
    double time; // s, shown, or end of the film
} rendering;

// ---- what is asked for

static bool read_camera(const char *word, rendering *r)
{
    static const double degree = 3.14159265358979323846 / 180;
    char *end;
    const double azimuth = strtod(word, &end);
    if (end == word || *end != ',')
        return false;
    const char *second = end + 1;
    const double elevation = strtod(second, &end);
    if (end == second)
        return false;
    const char *third = end + 1;
    r->closer = *end == ',' ? strtod(third, &end) : 1;
    r->has_direction = true;
    r->azimuth = -azimuth * degree;
    r->elevation = elevation * degree;
    return *end == 0 && fabs(azimuth) <= 360 && fabs(elevation) < 90 && r->closer >= 0.01 && r->closer <= 1000;
}

// The subject's name without its folder and ending, and ".png".
static char *default_output(const char *subject)
{
    base_text text = {0};
    size_t length = strlen(subject);
    while (length > 1 && subject[length - 1] == '/')
        length--;
    base_text_add_bytes(&text, subject, length);
    if (base_text_status(&text) != SHEAF_OK)
        return NULL;
    const char *name = io_path_name(text.bytes), *dot = strrchr(name, '.');
    base_text made = {0};
    base_text_add_bytes(&made, name, dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name));
    base_text_add(&made, ".png");
    base_text_free(&text);
    return base_text_status(&made) == SHEAF_OK ? made.bytes : NULL;
}

static bool ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

static int read_values(rendering *r)
{
    const render_values *values = r->values;
    char shown[80];
    if (!cli_read_size(values->size, SMALLEST, &r->width, &r->height))
        return cli_refuse_size(&cli_command_render, values->size, SMALLEST);
    if (values->camera != NULL && !read_camera(values->camera, r))
        return cli_refuse(&cli_command_render, "--camera: '%s' is no direction such as 30,15 or 30,15,2",
                          base_printable(values->camera, shown, sizeof shown));
    if (!cli_read_children(values->children, &r->children))
        return cli_refuse_children(&cli_command_render, values->children);
    if (values->rate > MOST_RATE || values->slow > MOST_RATE)
        return cli_refuse(&cli_command_render, "--rate and --slow are at most %d", MOST_RATE);
    r->output = values->output != NULL ? base_strdup(values->output) : default_output(values->subject);
    if (r->output == NULL)
        return cli_fail(SHEAF_ERR_MEMORY);
    if (ends_in(r->output, "/"))
        r->product = PRODUCT_FOLDER;
    else if (ends_in(r->output, ".mp4"))
        r->product = PRODUCT_FILM;
    else if (!ends_in(r->output, ".png"))
        return cli_refuse(&cli_command_render, "--output: '%s' ends neither in .png nor in .mp4 nor in /",
                          base_printable(r->output, shown, sizeof shown));
    return CLI_EXIT_OK;
}

// Everything that can be refused is, before anything is computed.
static sheaf_status check_output(const rendering *r)
{
    if (r->product == PRODUCT_FOLDER) {
        if (mkdir(r->output, 0777) != 0 && errno != EEXIST)
            return io_fail("create", r->output);
        return SHEAF_OK;
    }
    struct stat about;
    if (stat(r->output, &about) == 0 && !r->values->overwrite)
        return base_fail(SHEAF_ERR_IO, "'%s' exists; --overwrite replaces it", r->output);
    return SHEAF_OK;
}

// ---- frames

static bool is_stopped(void *user)
{
    (void)user;
    return cli_caught_signal() != 0;
}

static void tell_step(void *user, uint64_t done, const sheaf_report *row)
{
    rendering *r = user;
    (void)row;
    cli_progress_tell(&r->progress, done, "simulating step");
}

// Simulates, and keeps the frames that are to be drawn.
static sheaf_status simulate(rendering *r, sheaf_solver *solver)
{
    const double step = r->show.loaded.model->def.step;
    const double spacing = 1.0 / ((double)r->values->rate * (double)r->values->slow);
    const uint64_t frames = r->product == PRODUCT_PICTURE ? 1 : (uint64_t)floor(r->time / spacing + 1e-6) + 1;
    const run_hooks hooks = {.user = r, .is_stopped = is_stopped, .progress = tell_step};
    run_batch batch = {.steps = 16};
    r->progress = cli_progress_start(run_step_count(r->time, step), r->time, r->values->quiet);
    for (uint64_t k = 0; k < frames && cli_caught_signal() == 0; k++) {
        const double time = r->product == PRODUCT_PICTURE ? r->time : (double)k * spacing;
        SHEAF_TRY(run_advance(solver, (uint64_t)ceil(time / step - 1e-6), &batch, &hooks));
        const double reached = (double)solver_steps(solver) * step;
        SHEAF_TRY(cli_show_read(&r->show, solver, reached));
        SHEAF_TRY(view_reel_add(&r->reel, &r->show.stage, reached));
    }
    cli_progress_clear(&r->progress);
    return SHEAF_OK;
}

static sheaf_status simulate_scene(rendering *r)
{
    sheaf_solver *solver = NULL;
    SHEAF_TRY(view_reel_start(&r->show.stage, &r->reel));
    SHEAF_TRY(cli_show_solver(&r->show, r->values->device, false, &solver));
    const sheaf_status status = simulate(r, solver);
    sheaf_solver_close(solver);
    return status;
}

// The scene as it starts.
static sheaf_status keep_start(rendering *r)
{
    SHEAF_TRY(view_reel_start(&r->show.stage, &r->reel));
    return view_reel_add(&r->reel, &r->show.stage, 0);
}

static sheaf_status find_frames(rendering *r)
{
    const double asked = r->values->time;
    if (!r->show.is_recorded) {
        const sheaf_model *model = r->show.loaded.model;
        r->time = asked >= 0 ? asked : r->values->pace > 0 ? 0 : model->def.end;
        return r->time == 0 && model_has_arrays(model) ? keep_start(r) : simulate_scene(r);
    }
    SHEAF_TRY(view_reel_open(&r->show.source, &r->reel));
    const double first = r->reel.times[0], last = r->reel.times[r->reel.frame_count - 1];
    r->time = asked >= 0 ? fmax(fmin(asked, last), first) : last;
    return SHEAF_OK;
}

// The frame of the reel that picture k shows, of how many.
static uint64_t picture_count(const rendering *r)
{
    if (r->product == PRODUCT_PICTURE)
        return 1;
    if (!r->show.is_recorded)
        return r->reel.frame_count;
    return (uint64_t)floor((r->time - r->reel.times[0]) * (double)(r->values->rate * r->values->slow) + 1e-6) + 1;
}

static uint64_t frame_of(const rendering *r, uint64_t picture)
{
    if (r->product == PRODUCT_PICTURE)
        return r->show.is_recorded ? view_reel_find(&r->reel, r->time) : 0;
    if (!r->show.is_recorded)
        return picture;
    const double spacing = 1.0 / (double)(r->values->rate * r->values->slow);
    return view_reel_find(&r->reel, r->reel.times[0] + (double)picture * spacing);
}

// ---- camera

static void aim(rendering *r, const double (*points)[3], uint64_t count, double lowest, double size)
{
    const double aspect = (double)r->width / r->height;
    view_stage_place_ground(&r->show.stage, lowest, size);
    r->camera = view_stage_camera(&r->show.stage, points, count, aspect);
    if (!r->has_direction)
        return;
    r->camera.azimuth = r->azimuth;
    r->camera.elevation = r->elevation;
    view_camera_frame(&r->camera, points, count, aspect);
    view_camera_zoom(&r->camera, r->closer);
}

static sheaf_status load_frame(rendering *r, uint64_t number)
{
    const uint64_t frame = frame_of(r, number);
    SHEAF_TRY(view_reel_load(&r->reel, frame, &r->show.stage));
    return cli_show_place_bodies(&r->show, r->reel.times[frame]);
}

// Takes in all that will be drawn: a sample of every frame, or of frames spread over a long film.
static sheaf_status look(rendering *r)
{
    const uint64_t pictures = picture_count(r), stride = (pictures + FRAMES_SAMPLED - 1) / FRAMES_SAMPLED;
    const uint64_t sampled = (pictures + stride - 1) / stride, each = FRAME_SAMPLE / sampled;
    double(*points)[3] = base_alloc(each * sampled, sizeof *points);
    sheaf_status status = points != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
    double lowest = INFINITY, size = 0;
    uint64_t count = 0;
    for (uint64_t k = 0; k < pictures && status == SHEAF_OK; k += stride) {
        status = load_frame(r, k);
        const view_subject subject = view_stage_subject(&r->show.stage);
        const view_extent extent = view_subject_measure(&subject);
        lowest = fmin(lowest, extent.lowest);
        size = fmax(size, extent.size);
        count += view_subject_sample(&subject, points + count, each);
    }
    if (status == SHEAF_OK)
        aim(r, (const double(*)[3])points, count, lowest, size);
    base_free(points);
    return status;
}

// ---- drawing

static sheaf_status put_picture(rendering *r, uint64_t number, const uint8_t *pixels)
{
    if (r->product == PRODUCT_FILM)
        return cli_film_add(&r->film, pixels, (size_t)r->width * r->height * 3);
    if (r->product == PRODUCT_PICTURE)
        return view_image_write(r->output, r->values->overwrite, pixels, r->width, r->height);
    base_text path = {0};
    base_text_add(&path, "%s%05llu.png", r->output, (unsigned long long)number);
    sheaf_status status = base_text_status(&path);
    if (status == SHEAF_OK)
        status = view_image_write(path.bytes, r->values->overwrite, pixels, r->width, r->height);
    base_text_free(&path);
    return status;
}

static sheaf_status draw_picture(rendering *r, uint64_t number)
{
    const uint8_t *pixels;
    SHEAF_TRY(load_frame(r, number));
    const view_subject subject = view_stage_subject(&r->show.stage);
    SHEAF_TRY(view_render_draw(r->render, &subject, &r->camera, &pixels));
    return put_picture(r, number, pixels);
}

static sheaf_status draw(rendering *r)
{
    const uint64_t pictures = picture_count(r);
    const uint32_t rate = (uint32_t)r->values->rate;
    if (r->product == PRODUCT_FILM)
        SHEAF_TRY(cli_film_start(r->output, r->values->overwrite, r->width, r->height, rate, &r->film));
    r->progress = cli_progress_start(pictures, r->time, r->values->quiet);
    sheaf_status status = SHEAF_OK;
    for (uint64_t k = 0; k < pictures && status == SHEAF_OK && cli_caught_signal() == 0; k++) {
        status = draw_picture(r, k);
        cli_progress_tell(&r->progress, k + 1, "drawing picture");
    }
    cli_progress_clear(&r->progress);
    if (r->product == PRODUCT_FILM && status == SHEAF_OK && cli_caught_signal() == 0)
        return cli_film_finish(&r->film);
    if (r->product == PRODUCT_FILM)
        cli_film_abandon(&r->film);
    return status;
}

// Pictures a second of what is shown first, or at --time.
static sheaf_status tell_pace(rendering *r)
{
    view_pace pace;
    SHEAF_TRY(find_frames(r));
    SHEAF_TRY(look(r));
    SHEAF_TRY(view_pace_measure(&r->show.stage, &r->camera, r->width, r->height, r->values->pace, &pace));
    const view_subject subject = view_stage_subject(&r->show.stage);
    base_text text = {0};
    base_text_add(&text,
                  "%.1f pictures/s of %u x %u, %llu vertices, %u of %u strands, %u children, by %s\n"
                  "%.1f ms each: %.1f shadows, %.1f triangles of strands, %.1f graphics\n",
                  1 / pace.frame, r->width, r->height, (unsigned long long)view_vertex_count(&subject),
                  pace.strands_drawn, subject.strand_count, pace.children_drawn, pace.name, 1e3 * pace.frame,
                  1e3 * pace.light, 1e3 * pace.strands, 1e3 * pace.graphics);
    const sheaf_status status = base_text_status(&text);
    if (status == SHEAF_OK)
        cli_print(&text);
    base_text_free(&text);
    return status;
}

static sheaf_status render_frames(rendering *r)
{
    if (r->values->pace > 0)
        return tell_pace(r);
    const view_style style = view_stage_style(&r->show.stage);
    SHEAF_TRY(view_render_open(&style, r->width, r->height, &r->render)); // first: it may have to be refused
    SHEAF_TRY(check_output(r));
    SHEAF_TRY(find_frames(r));
    if (cli_caught_signal() != 0)
        return SHEAF_OK;
    SHEAF_TRY(look(r));
    return draw(r);
}

static void tell(const rendering *r, double seconds)
{
    const uint64_t pictures = picture_count(r);
    char shown[512];
    if (!r->values->quiet)
        cli_note("drew %llu picture%s of %u x %u in %.1f s by %s: look at %s", (unsigned long long)pictures,
                 pictures == 1 ? "" : "s", r->width, r->height, seconds, view_render_name(r->render),
                 base_printable(r->output, shown, sizeof shown));
}

static int run_render(const void *given)
{
    rendering r = {.values = given, .film = {.frames = -1}};
    const double start = base_clock();
    int code = read_values(&r);
    if (code == CLI_EXIT_OK)
        code = cli_show_open(&cli_command_render, r.values->subject, r.values->scene, r.children, &r.show);
    if (code == CLI_EXIT_OK) {
        cli_catch_signals();
        const sheaf_status status = render_frames(&r);
        code = status != SHEAF_OK         ? cli_fail(status)
               : cli_caught_signal() != 0 ? 128 + cli_caught_signal()
                                          : CLI_EXIT_OK;
    }
    if (code == CLI_EXIT_OK && r.values->pace == 0)
        tell(&r, base_clock() - start);
    view_render_close(r.render);
    view_reel_close(&r.reel);
    cli_show_close(&r.show);
    base_free(r.output);
    return code;
}

const cli_command cli_command_render = {
    .name = "render",
    .summary = "draws a scene or a run: a picture, a film, or a folder of pictures",
    .description =
        "Draws strands, bodies and ground with OpenGL, without a window or a display. A scene is simulated first; the "
        "folder of a run and files of strands are drawn as they are. The camera takes in everything that is drawn, "
        "unless the scene's view block or --camera say otherwise. Films need ffmpeg.\n\n"
        "A run's folder holds the scene that was run, so that it is drawn alike from anywhere, also when the folder "
        "was "
        "moved or the scene file has changed, which a notice says. --scene takes camera and colours from another file "
        "of the same scene.\n\n"
        "The same input gives the same picture, byte for byte, on one machine.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .values_size = sizeof(render_values),
    .run = run_render,
};
