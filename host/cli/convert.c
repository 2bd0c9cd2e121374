// convert: `sheaf convert`, which takes strands from one format to another.
#include "cli/command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/brood.h"
#include "cli/grooms.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/show.h"
#include "groom/derive.h"
#include "io/folder.h"
#include "io/sequence.h"

typedef struct convert_values {
    const char *in, *out;
    const char *unit, *to_unit;
    int up, to_up;
    uint64_t resample, every, rate;
    double time;
    const char *strands;
    const char *children;
    bool clips, overwrite, formats, json, quiet;
} convert_values;

static const cli_operand operands[] = {
    {"IN", CLI_FILE, NULL, false, "file of strands, or folder of a run", offsetof(convert_values, in)},
    {"OUT", CLI_FILE, NULL, false, "file to write; its ending says the format", offsetof(convert_values, out)},
    {0},
};

static const cli_option options[] = {
    {.name = "unit",
     .letter = 'u',
     .kind = CLI_TEXT,
     .argument = "U",
     .doc = "unit of IN's lengths (cm, 2.54 cm, ...), for files that do not say it",
     .offset = offsetof(convert_values, unit)},
    {.name = "up",
     .kind = CLI_CHOICE,
     .argument = "x|y|z",
     .choices = cli_axes,
     .doc = "which axis is up in IN, for files that do not say it",
     .offset = offsetof(convert_values, up)},
    {.name = "to-unit",
     .kind = CLI_TEXT,
     .argument = "U",
     .doc = "unit of OUT's lengths (default: that of IN)",
     .offset = offsetof(convert_values, to_unit)},
    {.name = "to-up",
     .kind = CLI_CHOICE,
     .argument = "x|y|z",
     .choices = cli_axes,
     .doc = "which axis is up in OUT (default: as in IN)",
     .offset = offsetof(convert_values, to_up)},
    {.name = "resample",
     .letter = 'n',
     .kind = CLI_COUNT,
     .argument = "N",
     .doc = "give every strand N vertices, evenly spaced; says what length and curvature that costs",
     .offset = offsetof(convert_values, resample)},
    {.name = "every",
     .letter = 'k',
     .kind = CLI_COUNT,
     .argument = "K",
     .doc = "take every K-th frame only",
     .offset = offsetof(convert_values, every)},
    {.name = "rate",
     .letter = 'r',
     .kind = CLI_COUNT,
     .argument = "N",
     .doc = "IN has N frames per second, for files that do not say it",
     .offset = offsetof(convert_values, rate)},
    {.name = "time",
     .letter = 't',
     .kind = CLI_MOMENT,
     .argument = "T",
     .doc = "take the one frame nearest to this time (default for formats of one frame: the last)",
     .offset = offsetof(convert_values, time)},
    {.name = "strands",
     .letter = 's',
     .kind = CLI_TEXT,
     .argument = "LIST",
     .doc = "take these strands only, counted from 0: 0,5,10-19",
     .offset = offsetof(convert_values, strands)},
    CLI_OPTION_CHILDREN(convert_values),
    {.name = "clips",
     .doc = "for .usda: one file per frame in a folder beside OUT, which names them as value clips",
     .offset = offsetof(convert_values, clips)},
    {.name = "overwrite", .doc = "replace OUT if it exists", .offset = offsetof(convert_values, overwrite)},
    {.name = "formats",
     .letter = 'l',
     .doc = "list the formats and what each keeps",
     .offset = offsetof(convert_values, formats)},
    {.name = "json", .doc = "write what was done, or the formats, as JSON", .offset = offsetof(convert_values, json)},
    {.name = "quiet", .letter = 'q', .doc = "tell nothing but errors", .offset = offsetof(convert_values, quiet)},
    {0},
};

static const cli_example examples[] = {
    {"sheaf convert --formats", "which formats there are"},
    {"sheaf convert fringe.hair fringe.npy --resample 32", "even strands for NumPy"},
    {"sheaf convert hair.run hair.usda --every 2", "a run for Blender or Houdini"},
    {"sheaf convert hair.run hair.usda --children 32", "with the render strands between them"},
    {"sheaf convert hair.run tips.csv --strands 0,100-109", "the paths of eleven strands"},
    {0},
};

enum { MOST_CHOSEN = 16000000 };

// A conversion under way.
typedef struct conversion {
    const convert_values *values;
    const groom_format *from, *to;
    groom_changes changes;
    uint64_t *chosen; // what changes.strands points to
    groom_source source, result;
    groom_loss loss;
    cli_brood brood; // children, where they are asked for
} conversion;

// ---- what is asked for

static bool read_number(const char **cursor, uint64_t *number)
{
    if (**cursor < '0' || **cursor > '9')
        return false;
    char *end;
    *number = strtoull(*cursor, &end, 10);
    *cursor = end;
    return *number <= UINT32_MAX;
}

// One item of a list, N or N-M.
static bool read_range(const char **cursor, uint64_t *first, uint64_t *last)
{
    if (!read_number(cursor, first))
        return false;
    *last = *first;
    if (**cursor == '-') {
        ++*cursor;
        if (!read_number(cursor, last))
            return false;
    }
    if (**cursor == ',')
        return ++*cursor, **cursor != 0 && *last >= *first;
    return **cursor == 0 && *last >= *first;
}

// Reads "0,5,10-19". Returns false when it is no such list, with `status` when memory failed.
static bool read_strands(const char *list, conversion *c, sheaf_status *status)
{
    uint64_t count = 0, capacity = 0, first, last;
    for (const char *cursor = list; *cursor != 0;) {
        if (!read_range(&cursor, &first, &last) || last - first >= MOST_CHOSEN - count)
            return false;
        if (count + (last - first) + 1 > capacity) {
            capacity = 2 * capacity + (last - first) + 1;
            uint64_t *grown = base_realloc(c->chosen, capacity, sizeof *grown);
            if (grown == NULL) {
                *status = SHEAF_ERR_MEMORY;
                return false;
            }
            c->chosen = grown;
        }
        for (uint64_t s = first; s <= last; s++)
            c->chosen[count++] = s;
    }
    c->changes.strands = c->chosen;
    c->changes.strand_count = count;
    return count > 0;
}

// Fills in the changes; returns an exit code.
static int read_values(conversion *c)
{
    const convert_values *values = c->values;
    groom_changes *changes = &c->changes;
    char shown[80];
    if (values->unit != NULL && !cli_read_unit(values->unit, &changes->from_metres))
        return cli_refuse(&cli_command_convert, "--unit: '%s' is no unit of length, such as cm",
                          base_printable(values->unit, shown, sizeof shown));
    if (values->to_unit != NULL && !cli_read_unit(values->to_unit, &changes->to_metres))
        return cli_refuse(&cli_command_convert, "--to-unit: '%s' is no unit of length, such as cm",
                          base_printable(values->to_unit, shown, sizeof shown));
    uint32_t count;
    if (!cli_read_children(values->children, &count))
        return cli_refuse_children(&cli_command_convert, values->children);
    if (count != 0 && count != CHILDREN_AS_SCENE && (values->resample > 0 || values->strands != NULL || values->clips))
        return cli_refuse(&cli_command_convert, "--children goes with none of --resample, --strands and --clips");
    changes->from_up = (groom_up)(values->up + GROOM_UP_X);
    changes->to_up = (groom_up)(values->to_up + GROOM_UP_X);
    if (values->resample > 0 && (values->resample < 2 || values->resample > 65536))
        return cli_refuse(&cli_command_convert, "--resample takes 2 to 65536 vertices");
    changes->vertices = (uint32_t)values->resample;
    changes->every = values->every;
    changes->rate = (double)values->rate;
    sheaf_status status = SHEAF_OK;
    if (values->strands == NULL || read_strands(values->strands, c, &status))
        return CLI_EXIT_OK;
    return status != SHEAF_OK ? cli_fail(status)
                              : cli_refuse(&cli_command_convert, "--strands: '%s' is no list such as 0,5,10-19",
                                           base_printable(values->strands, shown, sizeof shown));
}

// ---- doing it

// Names what the file's name ends with, or all of it where it has no ending, and the endings that are written.
static sheaf_status refuse_ending(const char *path)
{
    const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    const char *ending = strrchr(name, '.') != NULL ? strrchr(name, '.') : name;
    char shown[64], written[160] = "";
    for (const groom_format *const *format = io_formats; *format != NULL; format++)
        if (groom_is_written(*format)) {
            const size_t used = strlen(written);
            snprintf(written + used, sizeof written - used, " %s", (*format)->extension);
        }
    return base_fail(SHEAF_ERR_USAGE, "cannot write '%s'; Sheaf writes%s", base_printable(ending, shown, sizeof shown),
                     written);
}

static sheaf_status find_formats(conversion *c, const char *in)
{
    char shown[512];
    sheaf_status status;
    c->from = cli_groom_format(in, &status);
    SHEAF_TRY(status);
    c->to = groom_format_of(io_formats, c->values->out);
    if (c->to == NULL || !groom_is_written(c->to))
        return refuse_ending(c->values->out);
    if (!c->values->overwrite && access(c->values->out, F_OK) == 0)
        return base_fail(SHEAF_ERR_IO, "'%s' exists already; --overwrite replaces it",
                         base_printable(c->values->out, shown, sizeof shown));
    return SHEAF_OK;
}

// When a frame of IN is, s; NAN: neither the file nor --rate says it.
static double frame_time(const conversion *c, uint64_t frame)
{
    if (c->source.times != NULL)
        return c->source.times[frame];
    return c->values->rate > 0 ? (double)frame / (double)c->values->rate : NAN;
}

// Chooses frames: one that was asked for, the last one for a format of one frame, or all.
static sheaf_status choose_frames(conversion *c)
{
    const uint64_t count = c->source.frame_count;
    const double time = c->values->time;
    c->changes.one_frame = count > 1 && (time >= 0 || !c->to->has_time);
    if (!c->changes.one_frame)
        return SHEAF_OK;
    if (time >= 0 && isnan(frame_time(c, 0)))
        return base_fail(SHEAF_ERR_INPUT,
                         "%s does not say when its frames are; say how many there are in a second by "
                         "--rate",
                         c->source.input.name);
    if (time < 0)
        c->changes.first = count - 1;
    for (uint64_t k = 1; k < count && time >= 0; k++)
        if (fabs(frame_time(c, k) - time) < fabs(frame_time(c, c->changes.first) - time))
            c->changes.first = k;
    return SHEAF_OK;
}

static sheaf_status check_space(const conversion *c)
{
    const groom *g = &c->result.groom;
    if (!c->to->says_space || (g->metres_per_unit > 0 && g->up != GROOM_UP_UNKNOWN))
        return SHEAF_OK;
    return base_fail(SHEAF_ERR_INPUT,
                     "a %s file says its unit and which axis is up, but %s does not; say them by --unit and --up",
                     c->to->extension, c->source.input.name);
}

// Opens IN as what OUT shall hold.
static sheaf_status derive(conversion *c, const char *in)
{
    SHEAF_TRY(find_formats(c, in));
    SHEAF_TRY(groom_open(c->from, in, &c->source));
    SHEAF_TRY(choose_frames(c));
    SHEAF_TRY(groom_derive(&c->source, &c->changes, &c->loss, &c->result));
    return check_space(c);
}

// ---- telling

static void tell_notes(const char *name, const base_text *notes)
{
    const char *line = base_text_get(notes);
    for (size_t length; *line != 0; line += length + (line[length] == '\n')) {
        length = strcspn(line, "\n");
        cli_note("%s: %.*s", name, (int)length, line);
    }
}

static void describe_space(const groom *g, char *text, size_t size)
{
    char unit[32];
    cli_format_unit(g->metres_per_unit, unit, sizeof unit);
    snprintf(text, size, "unit %s, %s", g->metres_per_unit > 0 ? unit : "not said",
             g->up == GROOM_UP_UNKNOWN ? "up axis not said"
             : g->up == GROOM_UP_X     ? "x up"
             : g->up == GROOM_UP_Y     ? "y up"
                                       : "z up");
}

static void tell(const conversion *c)
{
    char shown[512], space[64], old_space[64];
    const groom *g = &c->result.groom;
    tell_notes(c->source.input.name, &c->source.notes);
    describe_space(&c->source.groom, old_space, sizeof old_space);
    describe_space(g, space, sizeof space);
    cli_note("read %s: %llu strands, %llu vertices, %llu frames; %s", c->source.input.name,
             (unsigned long long)c->source.groom.strand_count, (unsigned long long)c->source.groom.vertex_count,
             (unsigned long long)c->source.frame_count, old_space);
    if (c->changes.one_frame && c->source.frame_count > 1)
        cli_note("took frame %llu of %llu%s", (unsigned long long)c->changes.first + 1,
                 (unsigned long long)c->source.frame_count, c->values->time >= 0 ? "" : "; --time chooses another");
    if (c->brood.plan != NULL)
        cli_note("added %llu children of the run's strands; --children 0 leaves them out",
                 (unsigned long long)children_count(c->brood.plan));
    if (c->loss.strands > 0)
        cli_note(
            "resampled to %u vertices: length changed by %.2g %% at most, %.2g %% on average; total turning by %.3g "
            "rad at most, %.3g rad on average",
            c->changes.vertices, 100 * c->loss.worst_length, 100 * c->loss.sum_length / (double)c->loss.strands,
            c->loss.worst_turning, c->loss.sum_turning / (double)c->loss.strands);
    const uint64_t strands = g->strand_count + children_count(c->brood.plan);
    const uint64_t vertices = g->vertex_count + children_vertices(c->brood.plan);
    cli_note("wrote %s: %llu strands, %llu vertices, %llu frames; %s",
             base_printable(c->values->out, shown, sizeof shown), (unsigned long long)strands,
             (unsigned long long)vertices, (unsigned long long)c->result.frame_count, space);
}

static json_t *space_json(const groom *g)
{
    return json_pack("{s:o, s:o}", "unit_m", g->metres_per_unit > 0 ? json_real(g->metres_per_unit) : json_null(), "up",
                     g->up != GROOM_UP_UNKNOWN ? json_string(cli_axes[g->up - GROOM_UP_X]) : json_null());
}

static json_t *conversion_json(const conversion *c)
{
    const groom *g = &c->result.groom;
    const double strands = fmax((double)c->loss.strands, 1);
    json_t *loss = c->loss.strands == 0
                       ? json_null()
                       : json_pack("{s:f, s:f, s:f, s:f}", "worst_length", c->loss.worst_length, "mean_length",
                                   c->loss.sum_length / strands, "worst_turning_rad", c->loss.worst_turning,
                                   "mean_turning_rad", c->loss.sum_turning / strands);
    const uint64_t all = g->strand_count + children_count(c->brood.plan);
    const uint64_t vertices = g->vertex_count + children_vertices(c->brood.plan);
    return json_pack("{s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:o}", "from", c->from->name, "to", c->to->name, "strands",
                     (json_int_t)all, "vertices", (json_int_t)vertices, "frames", (json_int_t)c->result.frame_count,
                     "from_space", space_json(&c->source.groom), "to_space", space_json(g), "resampling", loss);
}

// Texts take much room; better said before than found out after.
static void warn_about_size(const conversion *c)
{
    const double bytes = 36.0 * (double)(c->result.groom.vertex_count + children_vertices(c->brood.plan)) *
                         (double)c->result.frame_count; // a point takes so many
    if (c->to == &groom_format_usda && bytes > 256e6 && !c->values->quiet)
        cli_warn("the text will take about %.1f GB%s", bytes / 1e9,
                 c->values->clips ? "" : "; --clips makes one file per frame of it, --every takes fewer frames");
}

// Children are what --children says; else what the scene of a run says, where nothing speaks against it.
static sheaf_status find_children(conversion *c)
{
    const convert_values *values = c->values;
    uint32_t count;
    const bool is_plain = c->changes.vertices == 0 && values->strands == NULL && !values->clips;
    (void)cli_read_children(values->children, &count); // it was right before
    if (count == 0 || (count == CHILDREN_AS_SCENE && (c->to->write_flow == NULL || !is_plain)))
        return SHEAF_OK;
    return cli_brood_open(&c->source, &c->result, c->to, values->in, count, &c->brood);
}

static sheaf_status save(conversion *c)
{
    const convert_values *values = c->values;
    SHEAF_TRY(find_children(c));
    warn_about_size(c);
    if (c->brood.plan != NULL)
        return cli_brood_save(&c->brood, c->to, values->out, values->overwrite);
    if (!values->clips)
        return io_groom_save(c->to, &c->result, values->out, values->overwrite);
    if (c->to != &groom_format_usda)
        return base_fail(SHEAF_ERR_USAGE, "--clips is for .usda files");
    return io_clips_save(&c->result, values->out, values->overwrite);
}

static int convert(conversion *c, const char *in)
{
    int code = read_values(c);
    if (code != CLI_EXIT_OK)
        return code;
    sheaf_status status = derive(c, in);
    if (status == SHEAF_OK)
        status = save(c);
    if (status != SHEAF_OK)
        return cli_fail(status);
    if (!c->values->quiet)
        tell(c);
    return c->values->json ? cli_print_json(conversion_json(c)) : CLI_EXIT_OK;
}

static int list_formats(bool as_json)
{
    base_text text = {0};
    json_t *rows = as_json ? json_array() : NULL;
    for (const groom_format *const *row = io_formats; *row != NULL; row++) {
        const groom_format *f = *row;
        const char *use = !groom_is_written(f) ? "read" : groom_is_read(f) ? "read, written" : "written";
        base_text_add(&text, "%-8s %-14s %s: %s\n", f->extension, use, f->summary, f->keeps);
        if (as_json)
            json_array_append_new(rows,
                                  json_pack("{s:s, s:s, s:s, s:b, s:b, s:b, s:b}", "name", f->name, "extension",
                                            f->extension, "summary", f->summary, "read", groom_is_read(f), "written",
                                            groom_is_written(f), "has_time", f->has_time, "says_space", f->says_space));
    }
    if (!as_json)
        cli_print(&text);
    base_text_free(&text);
    return as_json ? cli_print_json(json_pack("{s:o}", "formats", rows)) : CLI_EXIT_OK;
}

static int run_convert(const void *given)
{
    const convert_values *values = given;
    if (values->formats)
        return values->in == NULL ? list_formats(values->json)
                                  : cli_refuse(&cli_command_convert, "--formats goes alone");
    if (values->in == NULL || values->out == NULL)
        return cli_refuse(&cli_command_convert, "%s is missing", values->in == NULL ? "IN" : "OUT");
    if (values->time >= 0 && values->every > 0)
        return cli_refuse(&cli_command_convert, "--time and --every exclude each other");
    struct stat found;
    const bool is_folder = stat(values->in, &found) == 0 && S_ISDIR(found.st_mode);
    char *in = is_folder ? io_path_join(values->in, IO_TRAJECTORY_NAME) : base_strdup(values->in);
    conversion c = {.values = values};
    const int code = in != NULL ? convert(&c, in) : cli_fail(SHEAF_ERR_MEMORY);
    base_free(in);
    cli_brood_close(&c.brood);
    groom_close(&c.result);
    groom_close(&c.source);
    base_free(c.chosen);
    return code;
}

const cli_command cli_command_convert = {
    .name = "convert",
    .summary = "takes strands from one format to another",
    .description =
        "Reads strands from a file, or from a run's folder, and writes them in the format that OUT's ending names; "
        "--formats lists the formats. "
        "Numbers stay as they are unless --to-unit, --to-up or --resample change them. Formats that do not say their "
        "unit or which axis is up are told by --unit and --up; nothing is guessed.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .values_size = sizeof(convert_values),
    .run = run_convert,
};
