// verify: `sheaf verify`, which compares what a device computes with the reference, stage by stage.
#include "cli/command.h"

#include "cl/device.h"
#include "cli/message.h"
#include "cli/probe.h"
#include "cli/signals.h"
#include "verify/verify.h"

#include <math.h>

typedef struct verify_values {
    int device;
    int stage;
    int form;
    uint64_t strands;
    uint64_t vertices;
    uint64_t steps;
    uint64_t seed;
    bool quick;
    bool json;
} verify_values;

static const cli_operand operands[] = {{0}};

enum { QUICK_STRANDS = 96, QUICK_STEPS = 10 };

static const cli_option options[] = {
    {.name = "device",
     .letter = 'd',
     .kind = CLI_CHOICE,
     .argument = "auto|N",
     .choices = cli_devices,
     .preset = "auto",
     .doc = "the device to verify: the one that runs take, or number N",
     .offset = offsetof(verify_values, device)},
    {.name = "stage",
     .kind = CLI_CHOICE,
     .argument = "STAGE",
     .choices = (const char *const *)verify_stages,
     .doc = "verify this stage alone",
     .offset = offsetof(verify_values, stage)},
    {.name = "form",
     .kind = CLI_CHOICE,
     .argument = "FORM",
     .choices = verify_forms,
     .doc = "verify this form of the kernels alone, as float8",
     .offset = offsetof(verify_values, form)},
    {.name = "strands",
     .kind = CLI_COUNT,
     .argument = "N",
     .doc = "random strands per stage (default: 1000)",
     .offset = offsetof(verify_values, strands)},
    {.name = "vertices",
     .kind = CLI_COUNT,
     .argument = "N",
     .doc = "most vertices of a strand, 5 to 40 (default: 40)",
     .offset = offsetof(verify_values, vertices)},
    {.name = "steps",
     .kind = CLI_COUNT,
     .argument = "N",
     .doc = "compare whole steps after 1, 10, 100, 1000 of them, up to N (default: 100)",
     .offset = offsetof(verify_values, steps)},
    {.name = "seed",
     .kind = CLI_COUNT,
     .argument = "S",
     .preset = "1",
     .doc = "seed of the random strands",
     .offset = offsetof(verify_values, seed)},
    {.name = "quick",
     .doc = "96 strands, 10 steps and one form of each precision, unless said otherwise",
     .offset = offsetof(verify_values, quick)},
    {.name = "json", .doc = "write JSON", .offset = offsetof(verify_values, json)},
    {0},
};

static const cli_example examples[] = {
    {"sheaf verify --quick", "a first look"},
    {"sheaf verify --device 1 --json > verify.json", "all there is to know about a device"},
    {"sheaf verify --stage twist --form float8 --strands 10000 --seed 7", "one stage, many strands"},
    {0},
};

// A verification under way.
typedef struct listing {
    const verify_values *values;
    uint32_t index;
    device_info device;
    json_t *rows;  // NULL: a table is printed
    bool has_line; // progress is on the terminal
} listing;

// ---- showing

static const char *judged_name(verify_judged judged)
{
    static const char *const names[] = {[VERIFY_MAX] = "max", [VERIFY_P99] = "p99", [VERIFY_MEDIAN] = "median"};
    return names[judged];
}

static void clear_line(listing *it)
{
    if (it->has_line)
        fprintf(stderr, "\r\x1b[K");
    it->has_line = false;
}

static void print_head(const listing *it)
{
    base_text text = {0};
    base_text_add(&text, "device %u: %s (%s, driver %s)\n", it->index, it->device.name, it->device.platform,
                  it->device.driver);
    base_text_add(&text, "%-8s %-8s %-16s %-25s %7s %8s %8s %8s %15s\n", "form", "schedule", "stage", "quantity",
                  "strands", "max", "p99", "median", "bar");
    cli_print(&text);
    base_text_free(&text);
}

static void print_row(const verify_row *row)
{
    base_text text = {0};
    base_text_add(&text, "%-8s %-8s %-16s %-25s %7u %8.1e %8.1e %8.1e %6s %8.0e  %s\n", row->form, row->schedule,
                  row->stage, row->quantity, row->strands, row->max_error, row->p99_error, row->median_error,
                  judged_name(row->judged), row->bar, row->pass ? "ok" : "FAILED");
    cli_print(&text);
    base_text_free(&text);
}

// JSON has no infinity: what is not a number is null.
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *row_json(const verify_row *row)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:o, s:o, s:o, s:s, s:f, s:b}", "stage", row->stage, "quantity",
                     row->quantity, "form", row->form, "schedule", row->schedule, "precision",
                     row->is_double ? "double" : "single", "strands", (int)row->strands, "max_error",
                     number(row->max_error), "p99_error", number(row->p99_error), "median_error",
                     number(row->median_error), "judged", judged_name(row->judged), "bar", row->bar, "pass", row->pass);
}

static bool take_row(const verify_row *row, void *user)
{
    listing *it = user;
    clear_line(it);
    if (it->rows != NULL)
        json_array_append_new(it->rows, row_json(row));
    else
        print_row(row);
    return cli_caught_signal() == 0;
}

static bool show_progress(const char *form, const char *what, double share, void *user)
{
    listing *it = user;
    if (cli_terminal()) {
        fprintf(stderr, "\r\x1b[K%3.0f %%  %s: %s", floor(100 * share), form, what);
        (void)fflush(stderr);
        it->has_line = true;
    }
    return cli_caught_signal() == 0;
}

static int conclude(listing *it, const verify_summary *summary)
{
    const int verdict = summary->failed > 0 ? sheaf_status_exit_code(SHEAF_ERR_MISMATCH) : CLI_EXIT_OK;
    int printed = CLI_EXIT_OK;
    if (it->rows != NULL) {
        printed = cli_print_json(json_pack("{s:s, s:s, s:s, s:i, s:i, s:O}", "device", it->device.name, "platform",
                                           it->device.platform, "driver", it->device.driver, "passed",
                                           (int)summary->passed, "failed", (int)summary->failed, "rows", it->rows));
    } else {
        base_text text = {0};
        base_text_add(&text, "%u rows passed, %u failed\n", summary->passed, summary->failed);
        cli_print(&text);
        base_text_free(&text);
    }
    if (cli_caught_signal() != 0)
        return 128 + cli_caught_signal();
    return verdict != CLI_EXIT_OK ? verdict : printed;
}

// ---- running

// Known answers are not asked for before: a device that computes wrongly is to be shown, not refused.
static sheaf_status find_device(listing *it)
{
    device_info found[DEVICE_MOST];
    uint32_t count;
    char reason[160];
    SHEAF_TRY(cli_opencl_open());
    SHEAF_TRY(device_list(found, &count));
    const uint32_t wished = cli_device_number(it->values->device);
    it->index = wished != SHEAF_DEVICE_BEST ? wished : device_choose(found, count, reason, sizeof reason);
    if (wished == SHEAF_DEVICE_BEST && it->index == count)
        return base_fail(SHEAF_ERR_DEVICE, "there is nothing to verify: %s", reason);
    SHEAF_TRY(device_find(it->index, &it->device));
    if (!device_is_usable(&it->device, reason, sizeof reason))
        return base_fail(SHEAF_ERR_DEVICE, "%s cannot be used: %s", it->device.name, reason);
    return SHEAF_OK;
}

static verify_options options_of(const listing *it)
{
    const verify_values *values = it->values;
    verify_options wish = {.device = it->index,
                           .strands = (uint32_t)fmin((double)values->strands, 1e6),
                           .vertex_most = (uint32_t)fmin((double)values->vertices, 1e6),
                           .steps = (uint32_t)fmin((double)values->steps, 1e6),
                           .stage = values->stage >= 0 ? verify_stages[values->stage] : NULL,
                           .form = values->form >= 0 ? verify_forms[values->form] : NULL,
                           .few_forms = values->quick,
                           .seed = values->seed};
    if (values->quick && wish.strands == 0)
        wish.strands = QUICK_STRANDS;
    if (values->quick && wish.steps == 0)
        wish.steps = QUICK_STEPS;
    return wish;
}

static int verify_device(listing *it)
{
    const verify_options wanted = options_of(it);
    const verify_hooks hooks = {take_row, show_progress, it};
    verify_summary summary;
    if (it->rows == NULL)
        print_head(it);
    cli_catch_signals();
    const sheaf_status status = verify_run(&wanted, &hooks, &summary);
    clear_line(it);
    return status == SHEAF_OK ? conclude(it, &summary) : cli_fail(status);
}

static int run_verify(const void *given)
{
    listing it = {.values = given};
    if (it.values->vertices > 0 && (it.values->vertices < 5 || it.values->vertices > 40))
        return cli_refuse(&cli_command_verify, "--vertices is 5 to 40");
    const sheaf_status status = find_device(&it);
    if (status != SHEAF_OK)
        return cli_fail(status);
    it.rows = it.values->json ? json_array() : NULL;
    const int code = verify_device(&it);
    json_decref(it.rows);
    return code;
}

const cli_command cli_command_verify = {
    .name = "verify",
    .summary = "compares what a device computes with the fp64 reference",
    .description =
        "Runs every stage of the kernels, in every form a device has and in both schedules, on random strands of many "
        "shapes and ends, and compares each result with what the fp64 reference makes of the same rounded numbers.\n\n"
        "Every row of the table is one quantity: the largest error of any strand, the error 99 % of them stay below, "
        "the median, and the bar that one of these is judged by. Errors are shares of the strand's own largest value "
        "or of its length. The exit code is 5 when a row fails.\n\n"
        "The first run compiles all kernels of all forms, which takes some minutes; drivers keep what they compiled.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .values_size = sizeof(verify_values),
    .run = run_verify,
};
