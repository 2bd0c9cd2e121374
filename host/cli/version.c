// version: `sheaf version`.
#include "cli/command.h"

#include "cli/message.h"

typedef struct version_values {
    bool json;
} version_values;

static const cli_operand operands[] = {{0}};

static const cli_option options[] = {
    {.name = "json", .doc = "write JSON", .offset = offsetof(version_values, json)},
    {0},
};

static const cli_example examples[] = {{0}};

static int run_version(const void *given)
{
    const version_values *values = given;
    if (values->json)
        return cli_print_json(json_pack("{s:s, s:s}", "name", "sheaf", "version", sheaf_version()));
    base_text text = {0};
    base_text_add(&text, "sheaf %s\n", sheaf_version());
    cli_print(&text);
    base_text_free(&text);
    return CLI_EXIT_OK;
}

const cli_command cli_command_version = {
    .name = "version",
    .summary = "shows the version",
    .description = "Shows the version of Sheaf.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .values_size = sizeof(version_values),
    .run = run_version,
};
