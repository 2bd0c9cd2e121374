// law: `sheaf law`, which says what a material law is like: its kind, a table, a plot.
#include "cli/command.h"

#include <math.h>
#include <string.h>

#include "cli/message.h"
#include "io/file.h"
#include "io/plot.h"
#include "law/law.h"
#include "scene/units.h"

typedef struct law_values {
    const char *text;
    const char *with;
    const char *range;
    const char *plot;
    uint64_t order;
    bool fit;
    bool overwrite;
} law_values;

enum { POINTS = 201, ROWS = 13, WIDTH = 640, HEIGHT = 320 };

static const cli_operand operands[] = {
    {"TEXT", CLI_TEXT, NULL, true, "moment over stiffness as a function of the strain x, as in a material's law",
     offsetof(law_values, text)},
    {0},
};

static const cli_option options[] = {
    {.name = "with",
     .letter = 'w',
     .kind = CLI_TEXT,
     .argument = "NAME=VALUE,...",
     .doc = "numbers that the text names",
     .offset = offsetof(law_values, with)},
    {.name = "range",
     .letter = 'r',
     .kind = CLI_TEXT,
     .argument = "X",
     .preset = "10",
     .doc = "largest strain, 1/m",
     .offset = offsetof(law_values, range)},
    {.name = "fit", .letter = 'f', .doc = "also fit a polynomial", .offset = offsetof(law_values, fit)},
    {.name = "order",
     .kind = CLI_COUNT,
     .argument = "N",
     .doc = "degree of the polynomial (default: the least that is within 1 %)",
     .offset = offsetof(law_values, order)},
    {.name = "plot",
     .letter = 'o',
     .kind = CLI_FILE,
     .argument = "FILE",
     .doc = "write a plot of law, slope, polynomial and its error as SVG",
     .offset = offsetof(law_values, plot)},
    {.name = "overwrite", .doc = "replace FILE if it exists", .offset = offsetof(law_values, overwrite)},
    {0},
};

static const cli_example examples[] = {
    {"sheaf law 'c*atan(x/c)' --with c=4", "a softening law, its values and slopes"},
    {"sheaf law '4*atan(x/4)' --range 6.66 --fit --order 5 --plot law.svg", "with a polynomial, as a picture"},
    {0},
};

// ---- reading

// Splits "c=4 1/m, d=2" in place. False: `what` is the piece that is no such pair.
static bool take_constants(char *list, law_constant *constants, uint32_t *count, const char **what)
{
    *count = 0;
    for (char *at = list, *next; at != NULL && *at != 0; at = next) {
        char *comma = strchr(at, ','), *equals = strchr(at, '=');
        scene_quantity quantity;
        scene_fault fault;
        next = comma != NULL ? comma + 1 : NULL;
        if (comma != NULL)
            *comma = 0;
        at += strspn(at, " ");
        *what = at;
        if (equals == NULL || *count == LAW_MAX_CONSTANTS)
            return false;
        *equals = 0;
        if (!scene_parse_quantity(equals + 1, strlen(equals + 1), &quantity, &fault))
            return false;
        constants[(*count)++] = (law_constant){at, quantity.value};
    }
    return true;
}

// The text with a caret under what is wrong.
static int tell_fault(const char *text, const law_fault *fault)
{
    const size_t length = strlen(text), offset = fault->offset < length ? fault->offset : length;
    const size_t extent = fault->length < length - offset ? fault->length : length - offset;
    char shown[1024], carets[LAW_MAX_TEXT + 32];
    memset(carets, '~', sizeof carets);
    carets[0] = '^';
    carets[extent == 0 ? 1 : extent < sizeof carets ? extent : sizeof carets - 1] = 0;
    (void)fprintf(stderr, "law:1:%zu: error: %s\n    %s\n    %*s%s\n", offset + 1, fault->message,
                  base_printable(text, shown, sizeof shown), (int)(offset < 500 ? offset : 500), "", carets);
    if (fault->hint[0] != 0)
        (void)fprintf(stderr, "    hint: %s\n", fault->hint);
    return sheaf_status_exit_code(SHEAF_ERR_INPUT);
}

// ---- table and plot

typedef struct curves {
    double x[POINTS], value[POINTS], slope[POINTS], fitted[POINTS], error[POINTS];
} curves;

static void fill_curves(const law *of, const law *fit, double range, curves *c)
{
    for (int k = 0; k < POINTS; k++) {
        double slope;
        c->x[k] = range * (2.0 * k / (POINTS - 1) - 1);
        law_curve(of, 0, c->x[k], 0, &c->value[k], &c->slope[k]);
        if (fit != NULL)
            law_curve(fit, 0, c->x[k], 0, &c->fitted[k], &slope);
        c->error[k] = c->fitted[k] - c->value[k];
    }
}

static void print_table(const law *of, const law *fit, const curves *c)
{
    base_text text = {0};
    char kind[256];
    double powers[LAW_MAX_FIT + 1], range;
    uint32_t order;
    law_describe(law_facts_of(of, 0), kind, sizeof kind);
    base_text_add(&text, "%s; slope %.6g at rest, %.6g to %.6g\n", kind, law_facts_of(of, 0)->slope_at_0,
                  law_facts_of(of, 0)->least_slope, law_facts_of(of, 0)->largest_slope);
    base_text_add(&text, "%12s %12s %12s%s\n", "x 1/m", "law 1/m", "slope",
                  fit != NULL ? "  polynomial        error" : "");
    for (int row = 0; row < ROWS; row++) {
        const int k = row * (POINTS - 1) / (ROWS - 1);
        base_text_add(&text, "%12.5g %12.6g %12.6g", c->x[k], c->value[k], c->slope[k]);
        if (fit != NULL)
            base_text_add(&text, " %12.6g %12.3g", c->fitted[k], c->error[k]);
        base_text_add(&text, "\n");
    }
    if (fit != NULL && law_polynomial(fit, 0, powers, &order, &range)) {
        base_text_add(&text, "polynomial of degree %u:", order);
        for (uint32_t k = 1; k <= order; k++)
            if (powers[k] != 0)
                base_text_add(&text, " %+.6g x^%u", powers[k] / pow(range, k), k);
        base_text_add(&text, "\n");
    }
    cli_print(&text);
    base_text_free(&text);
}

static sheaf_status write_plot(const law_values *values, const law *fit, const curves *c)
{
    const io_series above[] = {{.name = "law", .colour = "#1b6ca8", .y = c->value},
                               {.name = "slope", .colour = "#d1495b", .y = c->slope},
                               {.name = "polynomial", .colour = "#edae49", .dashed = true, .y = c->fitted}};
    const io_series below[] = {{.name = "polynomial - law", .colour = "#edae49", .y = c->error}};
    const io_plot plots[2] = {{.title = values->text,
                               .x_label = "strain x, 1/m",
                               .y_label = "moment / stiffness, 1/m; slope",
                               .x = c->x,
                               .count = POINTS,
                               .series = above,
                               .series_count = fit != NULL ? 3 : 2},
                              {.title = "error of the polynomial",
                               .x_label = "strain x, 1/m",
                               .y_label = "error, 1/m",
                               .x = c->x,
                               .count = POINTS,
                               .series = below,
                               .series_count = 1}};
    base_text svg = {0};
    const double height = fit != NULL ? 2 * HEIGHT : HEIGHT;
    io_svg_open(&svg, WIDTH, height, values->text);
    io_svg_rect(&svg, 0, 0, WIDTH, height, "fill='#fff'");
    io_plot_draw(&svg, &plots[0], &(io_frame){0, 0, WIDTH, HEIGHT});
    if (fit != NULL)
        io_plot_draw(&svg, &plots[1], &(io_frame){0, HEIGHT, WIDTH, HEIGHT});
    io_svg_close(&svg);
    sheaf_status status = base_text_status(&svg);
    if (status == SHEAF_OK)
        status = io_file_write(values->plot, values->overwrite, svg.bytes, svg.length);
    base_text_free(&svg);
    return status;
}

static int show_law(const law_values *values, law_def *def)
{
    law *of = NULL, *fit = NULL;
    law_fault fault;
    curves c = {0};
    sheaf_status status = law_create(def, &of, &fault);
    if (status == SHEAF_OK && values->fit) {
        def->fit = (law_fit){.is_wanted = true, .order = (uint32_t)values->order, .tolerance = 0.01};
        status = law_create(def, &fit, &fault);
    }
    if (status == SHEAF_OK) {
        fill_curves(of, fit, def->range, &c);
        print_table(of, fit, &c);
        if (values->plot != NULL)
            status = write_plot(values, fit, &c);
        fault.message[0] = 0;
    }
    law_release(of);
    law_release(fit);
    if (status == SHEAF_ERR_INPUT && fault.message[0] != 0)
        return tell_fault(values->text, &fault);
    return status == SHEAF_OK ? CLI_EXIT_OK : cli_fail(status);
}

static int run_law(const void *given)
{
    const law_values *values = given;
    law_constant constants[LAW_MAX_CONSTANTS];
    law_def def = {.constants = constants};
    scene_quantity range;
    scene_fault fault;
    const char *what = "";
    if (values->order > LAW_MAX_FIT)
        return cli_refuse(&cli_command_law, "--order goes up to %d", LAW_MAX_FIT);
    if (!scene_parse_quantity(values->range, strlen(values->range), &range, &fault) || !(range.value > 0))
        return cli_refuse(&cli_command_law, "--range is no positive number");
    char *list = base_strdup(values->with != NULL ? values->with : "");
    if (list == NULL)
        return cli_fail(SHEAF_ERR_MEMORY);
    def.range = range.value;
    def.texts[LAW_BEND_1] = (law_text){values->text, strlen(values->text)};
    const int code = take_constants(list, constants, &def.constant_count, &what)
                         ? show_law(values, &def)
                         : cli_refuse(&cli_command_law, "--with: '%s' is not NAME=VALUE", what);
    base_free(list);
    return code;
}

const cli_command cli_command_law = {
    .name = "law",
    .summary = "shows what a material law is like",
    .description =
        "Reads the text of a material law, moment over stiffness as a function of the strain x, checks it as a "
        "scene's is checked, names its kind (hardening, softening, non-convex, piecewise), and prints values and "
        "slopes. With --fit it fits a polynomial and shows its error.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .values_size = sizeof(law_values),
    .run = run_law,
};
