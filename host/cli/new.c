// new: `sheaf new`, which writes a commented scene to start from.
#include "cli/command.h"

#include <string.h>
#include <unistd.h>

#include "cli/message.h"
#include "cli/starts.h"
#include "io/file.h"

typedef struct new_values {
    int start;
    const char *file;
    bool list;
    bool json;
    bool overwrite;
} new_values;

static const cli_operand operands[] = {
    {"KIND", CLI_CHOICE, cli_start_names, false, "what to start from; --list shows the kinds",
     offsetof(new_values, start)},
    {"FILE", CLI_FILE, NULL, false, "file to write; without it the scene goes to standard output",
     offsetof(new_values, file)},
    {0},
};

static const cli_option options[] = {
    {.name = "list", .letter = 'l', .doc = "list the kinds", .offset = offsetof(new_values, list)},
    {.name = "json", .doc = "list them as JSON", .offset = offsetof(new_values, json)},
    {.name = "overwrite", .doc = "replace FILE if it exists", .offset = offsetof(new_values, overwrite)},
    {0},
};

static const cli_example examples[] = {
    {"sheaf new --list", "which kinds there are"},
    {"sheaf new hair my-hair.yaml", "a head of hair to change to taste"},
    {0},
};

static int list_kinds(bool as_json)
{
    base_text text = {0};
    json_t *kinds = as_json ? json_array() : NULL;
    for (const cli_start *start = cli_starts; start->name != NULL; start++) {
        base_text_add(&text, "%-12s %s\n", start->name, start->summary);
        if (as_json)
            json_array_append_new(kinds, json_pack("{s:s, s:s}", "kind", start->name, "summary", start->summary));
    }
    if (!as_json)
        cli_print(&text);
    base_text_free(&text);
    return as_json ? cli_print_json(json_pack("{s:o}", "kinds", kinds)) : CLI_EXIT_OK;
}

// Writes a file that the scene refers to beside it; one that is there already is kept, unless told otherwise.
static sheaf_status write_mesh(const cli_start_mesh *mesh, const new_values *values)
{
    const char *slash = strrchr(values->file, '/');
    base_text path = {0};
    base_text_add_bytes(&path, values->file, slash != NULL ? (size_t)(slash - values->file) + 1 : 0);
    base_text_add(&path, "%s", mesh->name);
    sheaf_status status = base_text_status(&path);
    if (status == SHEAF_OK && (values->overwrite || access(base_text_get(&path), F_OK) != 0))
        status = io_file_write(base_text_get(&path), values->overwrite, (const char *)mesh->bytes, mesh->size);
    base_text_free(&path);
    return status;
}

static int write_start(const cli_start *start, const new_values *values)
{
    char shown[512];
    base_printable(values->file, shown, sizeof shown);
    if (!values->overwrite && access(values->file, F_OK) == 0)
        return cli_fail(base_fail(SHEAF_ERR_IO, "'%s' exists already; --overwrite replaces it", shown));
    sheaf_status status = io_file_write(values->file, values->overwrite, (const char *)start->bytes, start->size);
    for (const cli_start_mesh *mesh = start->meshes; mesh->name != NULL && status == SHEAF_OK; mesh++)
        status = write_mesh(mesh, values);
    if (status != SHEAF_OK)
        return cli_fail(status);
    cli_note("wrote %s; next: sheaf check %s, then sheaf run %s", shown, shown, shown);
    return CLI_EXIT_OK;
}

static int run_new(const void *given)
{
    const new_values *values = given;
    if (values->list && values->start >= 0)
        return cli_refuse(&cli_command_new, "--list takes no KIND");
    if (values->json && !values->list)
        return cli_refuse(&cli_command_new, "--json goes with --list");
    if (values->list)
        return list_kinds(values->json);
    if (values->start < 0)
        return cli_refuse(&cli_command_new, "KIND is missing; 'sheaf new --list' shows the kinds");
    if (values->file != NULL)
        return write_start(&cli_starts[values->start], values);
    if (values->overwrite)
        return cli_refuse(&cli_command_new, "--overwrite goes with FILE");
    (void)fwrite(cli_starts[values->start].bytes, 1, cli_starts[values->start].size, stdout);
    return CLI_EXIT_OK;
}

const cli_command cli_command_new = {
    .name = "new",
    .summary = "writes a commented scene to start from",
    .description = "Writes a scene to start from: a small YAML file with a comment for everything worth changing. "
                   "Meshes that it needs are written beside it. An existing file is kept unless --overwrite is given.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .values_size = sizeof(new_values),
    .run = run_new,
};
