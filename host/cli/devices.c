// devices: `sheaf devices`, which lists OpenCL devices and what each can do.
#include "cli/command.h"

#include "cli/message.h"
#include "cli/prepare.h"
#include "cli/probe.h"
#include "der/device/width.h"

#include <string.h>

typedef struct devices_values {
    bool json;
    bool trial;
    bool prepare;
    const char *probe;
} devices_values;

static const cli_operand operands[] = {{0}};

static const cli_option options[] = {
    {.name = "json", .doc = "write JSON", .offset = offsetof(devices_values, json)},
    {.name = "trial",
     .doc = "measure all lane widths, which may take a minute the first time",
     .offset = offsetof(devices_values, trial)},
    {.name = "prepare",
     .doc = "compile the kernels of every kind of scene that `sheaf new` knows, so that later starts are quick",
     .offset = offsetof(devices_values, prepare)},
    {.name = "probe",
     .kind = CLI_TEXT,
     .argument = "N",
     .doc = "try one device, or list them, and say nothing when all is well",
     .offset = offsetof(devices_values, probe),
     .hidden = true},
    {0},
};

static const cli_example examples[] = {
    {"sheaf devices", "what this machine has"},
    {"sheaf devices --prepare", "compile kernels now, which takes a few minutes"},
    {"SHEAF_LANES=4 sheaf run hair.yaml", "another lane width than the one chosen"},
    {0},
};

// One device, tried.
typedef struct entry {
    device_info info;
    char refusal[512]; // empty: it can be used
    width_trial trial;
    uint32_t width;
} entry;

typedef struct listing {
    entry entries[DEVICE_MOST];
    uint32_t count, chosen; // chosen == count: none
    char why[160];
} listing;

static void try_entry(listing *it, uint32_t index, bool all_widths)
{
    entry *e = &it->entries[index];
    if (cli_probe_device(index, &e->info, true) != SHEAF_OK) {
        snprintf(e->refusal, sizeof e->refusal, "%s", sheaf_last_error());
        return;
    }
    e->trial = all_widths ? width_try(index, &e->info, false, true) : width_known(&e->info, false);
    uint32_t wish = 0;
    e->width = width_wish(&wish) == SHEAF_OK && wish > 0 ? wish : width_best(&e->trial, &e->info, false);
}

static sheaf_status fill_listing(listing *it, bool all_widths)
{
    device_info devices[DEVICE_MOST];
    SHEAF_TRY(cli_opencl_open());
    SHEAF_TRY(device_list(devices, &it->count));
    for (uint32_t d = 0; d < it->count; d++) {
        it->entries[d].info = devices[d];
        try_entry(it, d, all_widths);
        devices[d].has_compiler = it->entries[d].refusal[0] == 0; // `auto` passes over what was refused
    }
    it->chosen = device_choose(devices, it->count, it->why, sizeof it->why);
    return SHEAF_OK;
}

// ---- showing

static void write_form(const entry *e, char form[16])
{
    snprintf(form, 16, e->refusal[0] ? "none" : "float%u", e->width);
}

static json_t *entry_json(const listing *it, uint32_t index)
{
    const entry *e = &it->entries[index];
    const device_info *d = &e->info;
    char form[16];
    json_t *widths = json_object();
    write_form(e, form);
    for (int k = 0; k < WIDTH_COUNT; k++) {
        char name[16];
        snprintf(name, sizeof name, "float%u", width_values[k]);
        if (e->trial.rates[k] > 0)
            json_object_set_new(widths, name, json_real(e->trial.rates[k]));
    }
    return json_pack("{s:i, s:s, s:s, s:s, s:b, s:s, s:b, s:b, s:s, s:s, s:s, s:i, s:i, s:I, s:I, s:o}", "index",
                     (int)index, "platform", d->platform, "name", d->name, "type", device_type_name(d->type), "fp64",
                     d->has_fp64, "form", form, "chosen", index == it->chosen, "usable", e->refusal[0] == 0, "reason",
                     index == it->chosen ? it->why : e->refusal, "driver", d->driver, "version", d->version,
                     "compute_units", (int)d->compute_units, "clock_mhz", (int)d->clock_mhz, "memory_bytes",
                     (json_int_t)d->memory, "largest_buffer_bytes", (json_int_t)d->largest_buffer, "vertex_steps_per_s",
                     widths);
}

static int print_json(const listing *it)
{
    json_t *list = json_array();
    for (uint32_t d = 0; d < it->count; d++)
        json_array_append_new(list, entry_json(it, d));
    return cli_print_json(
        json_pack("{s:o, s:s, s:b}", "devices", list, "reason", it->why, "reference_only", it->chosen == it->count));
}

static void show_entry(const listing *it, uint32_t index, base_text *text)
{
    const entry *e = &it->entries[index];
    const device_info *d = &e->info;
    char form[16];
    write_form(e, form);
    base_text_add(text, "%u%s  %s\n", index, index == it->chosen ? " *" : "  ", d->name);
    base_text_add(text, "     platform  %s, %s, driver %s\n", d->platform, d->version, d->driver);
    base_text_add(text, "     device    %s, %u compute units at %u MHz, %s\n", device_type_name(d->type),
                  d->compute_units, d->clock_mhz,
                  d->has_fp64 ? "single and double precision" : "single precision only");
    base_text_add(text, "     memory    %.1f GiB, largest buffer %.1f GiB\n", (double)d->memory / (1 << 30),
                  (double)d->largest_buffer / (1 << 30));
    if (e->refusal[0] != 0) {
        base_text_add(text, "     refused   %s\n", e->refusal);
        return;
    }
    base_text_add(text, "     form      %s", form);
    const char *joint = ": ";
    for (int k = 0; k < WIDTH_COUNT; k++)
        if (e->trial.rates[k] > 0) {
            base_text_add(text, "%sfloat%u does %.3g", joint, width_values[k], e->trial.rates[k]);
            joint = ", ";
        }
    base_text_add(text, joint[0] == ',' ? " vertex-steps per second\n" : "\n");
}

static int show(const listing *it)
{
    base_text text = {0};
    for (uint32_t d = 0; d < it->count; d++)
        show_entry(it, d, &text);
    if (it->chosen < it->count)
        base_text_add(&text, "* `--device auto` takes device %u: %s\n", it->chosen, it->why);
    else
        base_text_add(&text, "%s: `--device auto` runs on the reference\n", it->why);
    cli_print(&text);
    base_text_free(&text);
    return CLI_EXIT_OK;
}

static int list_devices(const devices_values *values)
{
    listing *it = base_alloc(1, sizeof *it);
    if (it == NULL)
        return cli_fail(SHEAF_ERR_MEMORY);
    const sheaf_status status = fill_listing(it, values->trial);
    int code;
    if (status != SHEAF_OK)
        code = cli_fail(status);
    else
        code = values->json ? print_json(it) : show(it);
    base_free(it);
    return code;
}

static int run_devices(const void *given)
{
    const devices_values *values = given;
    if (values->probe)
        return cli_probe_child(values->probe);
    if (values->prepare && (values->json || values->trial))
        return cli_refuse(&cli_command_devices, "--prepare goes alone");
    return values->prepare ? cli_prepare() : list_devices(values);
}

const cli_command cli_command_devices = {
    .name = "devices",
    .summary = "lists OpenCL devices, what each can do, and which one is taken",
    .description =
        "Lists the OpenCL devices of this machine. Each is tried in a process of its own before it is used: known "
        "answers are computed and compared, and a driver that crashes, hangs or computes wrongly is refused with the "
        "reason. What was tried is remembered until the driver or the kernels change.\n\n"
        "The form says how many strands are computed side by side, float8 being eight in single precision. It is "
        "chosen "
        "by a short measurement and changes no result; SHEAF_LANES=1, 4, 8 or 16 in the environment overrides it.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .values_size = sizeof(devices_values),
    .run = run_devices,
};
