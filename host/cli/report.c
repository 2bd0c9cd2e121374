// report: `sheaf report`, which makes one HTML page of a run's folder.
#include "cli/command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/vec.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/past.h"
#include "cli/portrait.h"
#include "groom/source.h"
#include "io/folder.h"
#include "io/grooms.h"
#include "io/report.h"

typedef struct report_values {
    const char *folder;
    const char *output;
    const char *scene;
} report_values;

static const cli_operand operands[] = {
    {"DIR", CLI_FOLDER, NULL, true, "folder of a run", offsetof(report_values, folder)},
    {0},
};

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_FILE,
     .argument = "FILE",
     .doc = "page to write (default: " IO_REPORT_NAME " in DIR); links to files lead to its own folder",
     .offset = offsetof(report_values, output)},
    CLI_OPTION_SCENE(report_values),
    {0},
};

static const cli_example examples[] = {
    {"sheaf report hair.run", "then open hair.run/report.html"},
    {0},
};

enum {
    MOST_OF_A_KIND = 5, // strands listed for one reason
    MOST_STRANDS = 4 * MOST_OF_A_KIND,
    PICTURE_LIMIT = 64 << 20 // bytes
};

// What is collected for the page.
typedef struct page {
    json_t *record;
    io_thermo thermo;
    base_text picture;
    bool has_picture, is_drawn; // drawn anew, as a PNG
    io_report_strand strands[MOST_STRANDS];
    size_t strand_count;
    io_report_file files[16];
    size_t file_count;
} page;

// ---- strands to look at

static io_report_strand *next_strand(page *p, uint64_t strand)
{
    io_report_strand *row = &p->strands[p->strand_count++];
    row->strand = strand;
    return row;
}

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "?";
}

static long long whole_of(const json_t *object, const char *name)
{
    return (long long)json_integer_value(json_object_get(object, name));
}

static void add_recorded(page *p)
{
    const json_t *incidents = json_object_get(p->record, "incidents");
    const json_t *fallen = json_object_get(json_object_get(p->record, "sag_free"), "first");
    for (size_t k = 0; k < json_array_size(incidents) && k < MOST_OF_A_KIND; k++) {
        const json_t *item = json_array_get(incidents, k);
        io_report_strand *row = next_strand(p, (uint64_t)whole_of(item, "strand"));
        snprintf(row->reason, sizeof row->reason, "diverged at step %lld: %.32s of vertex %lld", whole_of(item, "step"),
                 text_of(item, "quantity"), whole_of(item, "vertex"));
    }
    for (size_t k = 0; k < json_array_size(fallen) && k < MOST_OF_A_KIND; k++) {
        const json_t *item = json_array_get(fallen, k);
        io_report_strand *row = next_strand(p, (uint64_t)whole_of(item, "strand"));
        snprintf(row->reason, sizeof row->reason, "to be sag-free, but %.64s", text_of(item, "reason"));
    }
}

// A figure of one strand.
typedef struct ranked {
    double value;
    uint64_t strand;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *first = a, *second = b;
    if (first->value != second->value)
        return first->value > second->value ? -1 : 1;
    return first->strand < second->strand ? -1 : 1;
}

static void add_ranked(page *p, const groom *g, ranked *all, double least, const char *format)
{
    qsort(all, g->strand_count, sizeof *all, compare_ranked);
    for (uint64_t k = 0; k < g->strand_count && k < MOST_OF_A_KIND && all[k].value > least; k++) {
        io_report_strand *row = next_strand(p, groom_id(g, all[k].strand));
        char value[32];
        snprintf(value, sizeof value, "%.2g", all[k].value);
        snprintf(row->reason, sizeof row->reason, "%s %s", value, format);
    }
}

static double strand_length(const groom *g, uint64_t strand)
{
    double length = 0, a[3], b[3];
    for (uint64_t v = g->first_vertex[strand] + 1; v < g->first_vertex[strand + 1]; v++) {
        groom_point(g, v - 1, a);
        groom_point(g, v, b);
        vec_sub(a, b, a);
        length += vec_length(a);
    }
    return length;
}

// Longest way of a vertex of a strand from `before`.
static double strand_way(const groom *g, const double (*before)[3], uint64_t strand)
{
    double longest = 0, point[3];
    for (uint64_t v = g->first_vertex[strand]; v < g->first_vertex[strand + 1]; v++) {
        groom_point(g, v, point);
        vec_sub(point, point, before[v]);
        longest = fmax(longest, vec_length(point));
    }
    return longest;
}

static sheaf_status measure_moves(page *p, groom_source *source, ranked *all, double (*before)[3])
{
    const groom *g = &source->groom;
    const uint64_t last = source->frame_count - 1;
    SHEAF_TRY(groom_load(source, 0));
    for (uint64_t s = 0; s < g->strand_count; s++)
        all[s] = (ranked){strand_length(g, s), s};
    SHEAF_TRY(groom_load(source, last));
    for (uint64_t s = 0; s < g->strand_count; s++)
        all[s].value = all[s].value > 0 ? fabs(strand_length(g, s) / all[s].value - 1) : 0;
    add_ranked(p, g, all, 1e-4, "of its length longer or shorter than at the start");
    SHEAF_TRY(groom_load(source, last - 1));
    for (uint64_t v = 0; v < g->vertex_count; v++)
        groom_point(g, v, before[v]);
    SHEAF_TRY(groom_load(source, last));
    const double time = source->times[last] - source->times[last - 1];
    for (uint64_t s = 0; s < g->strand_count; s++)
        all[s] = (ranked){time > 0 ? strand_way(g, (const double(*)[3])before, s) / time : 0, s};
    add_ranked(p, g, all, 1e-3, "m/s at the end, among the fastest");
    return SHEAF_OK;
}

// Strands that stand out in the trajectory, if there is one that moves.
static sheaf_status add_moving(page *p, const char *path)
{
    groom_source source;
    if (groom_open(groom_format_of(io_formats, path), path, &source) != SHEAF_OK)
        return SHEAF_OK; // the page tells of no such file
    ranked *all = base_alloc(source.groom.strand_count, sizeof *all);
    double(*before)[3] = base_alloc(source.groom.vertex_count, sizeof *before);
    sheaf_status status = all && before ? SHEAF_OK : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK && source.frame_count > 1 && source.times != NULL)
        status = measure_moves(p, &source, all, before);
    base_free(all);
    base_free(before);
    groom_close(&source);
    return status;
}

// ---- files

static void add_file(page *p, const char *folder, const char *name, const char *doc)
{
    struct stat found;
    char *path = io_path_join(folder, name);
    if (path != NULL && stat(path, &found) == 0)
        p->files[p->file_count++] = (io_report_file){name, doc, (uint64_t)found.st_size};
    base_free(path);
}

static void add_files(page *p, const char *folder)
{
    add_file(p, folder, IO_RECORD_NAME, "what was run, by what, how it ended");
    add_file(p, folder, IO_THERMO_NAME, "the figures of the plots, and more");
    add_file(p, folder, IO_TRAJECTORY_NAME, "where every vertex is, frame by frame");
    add_file(p, folder, IO_STRANDS_NAME, "where every vertex is at the end");
    add_file(p, folder, IO_UNSTABLE_NAME, "strands that are to start at rest and will not stay there");
    add_file(p, folder, IO_STIFFENED_NAME, "strands that were made stiffer to stay at rest");
    add_file(p, folder, IO_PICTURE_NAME, "the picture");
    add_file(p, folder, IO_ENERGY_NAME, "energies and strain over time");
    add_file(p, folder, IO_SCENE_FOLDER "/" IO_SCENE_NAME, "the scene that was run; files that it names lie beside it");
    add_file(p, folder, IO_CHECKPOINT_NAME, "the whole state, to go on from");
    add_file(p, folder, IO_PREVIOUS_NAME, "the same, one interval before");
}

typedef sheaf_status part_fn(page *p, const char *path);

static sheaf_status read_record(page *p, const char *path)
{
    return io_record_read(path, &p->record);
}

static sheaf_status read_thermo(page *p, const char *path)
{
    char problem[160];
    SHEAF_TRY(io_thermo_read(path, &p->thermo, problem, sizeof problem));
    if (problem[0] != 0)
        cli_warn(IO_THERMO_NAME ": %s", problem);
    return SHEAF_OK;
}

// A run that has not ended has none.
static sheaf_status read_picture(page *p, const char *path)
{
    struct stat found;
    // a page is for showing to others: a link would put another file of ours into it
    if (lstat(path, &found) != 0 || S_ISLNK(found.st_mode))
        return SHEAF_OK;
    SHEAF_TRY(io_file_read(path, PICTURE_LIMIT, &p->picture));
    p->has_picture = true;
    return SHEAF_OK;
}

static sheaf_status read_part(page *p, const char *folder, const char *name, part_fn *read)
{
    char *path = io_path_join(folder, name);
    const sheaf_status status = path ? read(p, path) : SHEAF_ERR_MEMORY;
    base_free(path);
    return status;
}

static sheaf_status collect(page *p, const char *folder)
{
    SHEAF_TRY(read_part(p, folder, IO_RECORD_NAME, read_record));
    SHEAF_TRY(read_part(p, folder, IO_THERMO_NAME, read_thermo));
    SHEAF_TRY(read_part(p, folder, IO_PICTURE_NAME, read_picture));
    add_files(p, folder);
    add_recorded(p);
    return read_part(p, folder, IO_TRAJECTORY_NAME, add_moving);
}

// A page replaces a page, and no other file.
static sheaf_status check_target(const char *path)
{
    struct stat found;
    char start[16] = "", shown[512];
    if (stat(path, &found) != 0 || !S_ISREG(found.st_mode))
        return SHEAF_OK; // writing tells what is wrong
    SHEAF_TRY(io_file_peek(path, start, sizeof start));
    if (start[0] == 0 || strncmp(start, "<!doctype html>", sizeof start - 1) == 0)
        return SHEAF_OK;
    return base_fail(SHEAF_ERR_IO, "'%s' exists already and is no page; name another by -o",
                     base_printable(path, shown, sizeof shown));
}

static sheaf_status write_page(const page *p, const char *path)
{
    base_text html = {0};
    const io_report report = {.record = p->record,
                              .thermo = &p->thermo,
                              .picture = p->has_picture ? &p->picture : NULL,
                              .picture_is_png = p->is_drawn,
                              .strands = p->strands,
                              .strand_count = p->strand_count,
                              .files = p->files,
                              .file_count = p->file_count};
    sheaf_status status = io_report_write(&report, &html);
    if (status == SHEAF_OK)
        status = io_file_write(path, true, base_text_get(&html), html.length);
    base_text_free(&html);
    return status;
}

// The picture with the camera and colours of another file. Returns an exit code.
static int draw_picture(page *p, const report_values *values)
{
    cli_show show;
    int code = cli_show_open(&cli_command_report, values->folder, values->scene, CHILDREN_AS_SCENE, &show);
    if (code == CLI_EXIT_OK) {
        base_text_free(&p->picture);
        p->has_picture = p->is_drawn = true;
        const sheaf_status status = cli_portrait_draw(&show, 1280, 960, &p->picture);
        code = status == SHEAF_OK ? CLI_EXIT_OK : cli_fail(status);
    }
    cli_show_close(&show);
    return code;
}

static int make_page(page *p, const report_values *values, const char *path)
{
    char shown[512];
    sheaf_status status = check_target(path);
    if (status == SHEAF_OK)
        status = collect(p, values->folder);
    if (status != SHEAF_OK)
        return cli_fail(status);
    if (values->scene == NULL)
        cli_past_tell_changed(p->record, false);
    const int code = values->scene != NULL ? draw_picture(p, values) : CLI_EXIT_OK;
    if (code != CLI_EXIT_OK)
        return code;
    status = write_page(p, path);
    if (status != SHEAF_OK)
        return cli_fail(status);
    cli_note("open %s in a browser", base_printable(path, shown, sizeof shown));
    return CLI_EXIT_OK;
}

static int run_report(const void *given)
{
    const report_values *values = given;
    page p = {0};
    char *path = values->output ? base_strdup(values->output) : io_path_join(values->folder, IO_REPORT_NAME);
    const int code = path != NULL ? make_page(&p, values, path) : cli_fail(SHEAF_ERR_MEMORY);
    json_decref(p.record);
    io_thermo_free(&p.thermo);
    base_text_free(&p.picture);
    base_free(path);
    return code;
}

const cli_command cli_command_report = {
    .name = "report",
    .summary = "makes one HTML page of a run",
    .description =
        "Makes one HTML page of a run's folder: picture, figures, plots of energies, strain, residual and work "
        "over time, timing, settings, the strands to look at, and links to the files. The page needs no other "
        "file and no network. A run that is still going, or was killed, can be looked at, too. --scene draws the "
        "picture "
        "anew, with camera and colours of another file of the same scene.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .values_size = sizeof(report_values),
    .run = run_report,
};
