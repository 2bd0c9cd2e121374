// parse: the words of a command line, held against its table. Everything wrong is told before anything is done.
#include "cli/command.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/message.h"
#include "scene/units.h"

enum { MOST_OPTIONS = 24, SHOWN = 80 };

const cli_option cli_help_option = {.name = "help", .letter = 'h', .doc = "show this help"};

// A command line being read.
typedef struct reader {
    const cli_command *command;
    const cli_option *options[MOST_OPTIONS]; // those of the command, then --help
    int option_count;
    bool given[MOST_OPTIONS];
    char letters[2 * MOST_OPTIONS + 2];    // for getopt
    struct option longs[MOST_OPTIONS + 1]; // for getopt; val is the index + 1
    void *values;
} reader;

static void prepare(reader *r)
{
    for (const cli_option *option = r->command->options; option->name != NULL; option++)
        r->options[r->option_count++] = option;
    r->options[r->option_count++] = &cli_help_option;
    char *letter = r->letters;
    *letter++ = ':'; // tells a missing value from an unknown option
    for (int k = 0; k < r->option_count; k++) {
        const cli_option *option = r->options[k];
        const int takes = option->kind == CLI_FLAG ? no_argument : required_argument;
        r->longs[k] = (struct option){option->name, takes, NULL, k + 1};
        if (option->letter == 0)
            continue;
        *letter++ = option->letter;
        if (takes == required_argument)
            *letter++ = ':';
    }
}

static const char *show(const char *word, char shown[SHOWN])
{
    return base_printable(word, shown, SHOWN);
}

static int find_choice(const char *const *choices, const char *word)
{
    for (int k = 0; choices[k] != NULL; k++)
        if (strcmp(choices[k], word) == 0)
            return k;
    return -1;
}

static bool read_count(const char *word, uint64_t *count)
{
    uint64_t value = 0;
    for (const char *digit = word; *digit; digit++) {
        if (*digit < '0' || *digit > '9' || value > CLI_MOST_COUNT)
            return false;
        value = 10 * value + (uint64_t)(*digit - '0');
    }
    *count = value;
    return value >= 1 && value <= CLI_MOST_COUNT;
}

// A time as scenes write it, with or without a unit.
static bool read_seconds(cli_kind kind, const char *word, double *seconds)
{
    scene_quantity quantity;
    scene_fault fault;
    if (!scene_parse_quantity(word, strlen(word), &quantity, &fault))
        return false;
    *seconds = quantity.value;
    return (quantity.bare || scene_dimension_fits(quantity.dimension, scene_unit_dimension("s"))) &&
           (*seconds > 0 || (kind == CLI_MOMENT && *seconds == 0));
}

static bool store_choice(cli_kind kind, void *place, int choice)
{
    if (choice < 0)
        return false;
    if (kind == CLI_CHOICE)
        *(int *)place = choice;
    else
        *(uint64_t *)place |= (uint64_t)1 << choice;
    return true;
}

// Stores one value; `name` is what the user knows it by. Returns false when refused.
static bool store(const reader *r, cli_kind kind, const char *const *choices, size_t offset, const char *name,
                  const char *word)
{
    char *place = (char *)r->values + offset, shown[SHOWN];
    switch (kind) {
    case CLI_FLAG:
        *(bool *)(void *)place = true;
        return true;
    case CLI_COUNT:
        if (read_count(word, (uint64_t *)(void *)place))
            return true;
        cli_refuse(r->command, "%s: '%s' is not a whole number from 1 to 2^53, written in digits", name,
                   show(word, shown));
        return false;
    case CLI_SECONDS:
    case CLI_MOMENT:
        if (read_seconds(kind, word, (double *)(void *)place))
            return true;
        cli_refuse(r->command, "%s: '%s' is not a time %s (as 2.5, 40ms or 1/2 s)", name, show(word, shown),
                   kind == CLI_MOMENT ? "of 0 or above" : "above 0");
        return false;
    case CLI_CHOICE:
    case CLI_CHOICES:
        if (store_choice(kind, place, find_choice(choices, word)))
            return true;
        break;
    default:
        if (word[0] != 0) {
            *(const char **)(void *)place = word;
            return true;
        }
        cli_refuse(r->command, "%s is empty", name);
        return false;
    }
    size_t count = 0;
    base_text list = {0};
    for (; choices[count] != NULL; count++)
        base_text_add(&list, "%s%s", count > 0 ? ", " : "", choices[count]);
    const char *nearest = base_nearest(word, choices, count);
    cli_refuse(r->command, "%s: '%s' is none of %s%s%s%s", name, show(word, shown), base_text_get(&list),
               nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    base_text_free(&list);
    return false;
}

static bool store_option(const reader *r, const cli_option *option, const char *word)
{
    char name[48];
    snprintf(name, sizeof name, "--%s", option->name);
    return store(r, option->kind, option->choices, option->offset, name, word);
}

static bool store_presets(const reader *r)
{
    for (const cli_option *option = r->command->options; option->name != NULL; option++) {
        void *place = (char *)r->values + option->offset;
        if (option->kind == CLI_CHOICE)
            *(int *)place = -1;
        if (option->kind == CLI_MOMENT)
            *(double *)place = -1;
        if (option->preset != NULL && !store_option(r, option, option->preset))
            return false;
    }
    for (const cli_operand *operand = r->command->operands; operand->name != NULL; operand++)
        if (operand->kind == CLI_CHOICE)
            *(int *)(void *)((char *)r->values + operand->offset) = -1;
    return true;
}

static cli_parsed refuse_unknown(const reader *r, const char *word)
{
    char shown[SHOWN], bare[SHOWN];
    const char *names[MOST_OPTIONS];
    for (int k = 0; k < r->option_count; k++)
        names[k] = r->options[k]->name;
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(word, "="), word);
    const char *nearest = base_nearest(bare + strspn(bare, "-"), names, (size_t)r->option_count);
    cli_refuse(r->command, "unknown option '%s'%s%s%s", show(bare, shown), nearest ? "; did you mean '--" : "",
               nearest ? nearest : "", nearest ? "'?" : "");
    return CLI_REFUSED;
}

// getopt has found something wrong with the word it has just read.
static cli_parsed refuse_word(const reader *r, int problem, char **words)
{
    const char *word = words[optind - 1];
    char letter[3] = {'-', (char)optopt, 0};
    if (problem == ':' && optopt > 0 && optopt <= r->option_count)
        cli_refuse(r->command, "--%s needs a value: --%s %s", r->options[optopt - 1]->name,
                   r->options[optopt - 1]->name, r->options[optopt - 1]->argument);
    else if (problem == ':')
        cli_refuse(r->command, "%s needs a value", letter);
    else if (optopt > 0 && optopt <= r->option_count)
        cli_refuse(r->command, "--%s takes no value", r->options[optopt - 1]->name);
    else if (optopt != 0)
        return refuse_unknown(r, letter);
    else
        return refuse_unknown(r, word);
    return CLI_REFUSED;
}

// The index of the option getopt has found; -1 for a long one that was shortened, which getopt would allow but a script
// should not rely on.
static int found_option(const reader *r, int found, char **words)
{
    for (int k = 0; k < r->option_count && found > MOST_OPTIONS; k++)
        if (r->options[k]->letter == found)
            return k;
    const char *word = optarg != NULL && optarg == words[optind - 1] ? words[optind - 2] : words[optind - 1];
    const char *name = r->options[found - 1]->name;
    const size_t length = strlen(name);
    return strncmp(word + 2, name, length) == 0 && (word[2 + length] == 0 || word[2 + length] == '=') ? found - 1 : -1;
}

static cli_parsed read_options(reader *r, int count, char **words)
{
    optind = 1;
    opterr = 0;
    for (int found; (found = getopt_long(count, words, r->letters, r->longs, NULL)) != -1;) {
        if (found == '?' || found == ':')
            return refuse_word(r, found, words);
        const int index = found_option(r, found, words);
        if (index < 0)
            return refuse_unknown(r, optarg == words[optind - 1] ? words[optind - 2] : words[optind - 1]);
        const cli_option *option = r->options[index];
        if (option == &cli_help_option)
            return CLI_PARSED_HELP;
        if (r->given[index]) {
            cli_refuse(r->command, "--%s is given twice", option->name);
            return CLI_REFUSED;
        }
        r->given[index] = true;
        if (!store_option(r, option, optarg))
            return CLI_REFUSED;
    }
    return CLI_PARSED;
}

static cli_parsed read_operands(const reader *r, int count, char **words)
{
    int next = optind;
    for (const cli_operand *operand = r->command->operands; operand->name != NULL; operand++) {
        const int end = operand->kind == CLI_CHOICES ? count : next < count ? next + 1 : next;
        if (operand->required && next == count) {
            cli_refuse(r->command, "%s is missing", operand->name);
            return CLI_REFUSED;
        }
        for (; next < end; next++)
            if (!store(r, operand->kind, operand->choices, operand->offset, operand->name, words[next]))
                return CLI_REFUSED;
    }
    if (next == count)
        return CLI_PARSED;
    char shown[SHOWN];
    cli_refuse(r->command, "unexpected argument '%s'", show(words[next], shown));
    return CLI_REFUSED;
}

cli_parsed cli_parse(const cli_command *command, int count, char **arguments, void *values)
{
    reader r = {.command = command, .values = values};
    prepare(&r);
    if (!store_presets(&r))
        return CLI_REFUSED;
    const cli_parsed parsed = read_options(&r, count, arguments);
    return parsed == CLI_PARSED ? read_operands(&r, count, arguments) : parsed;
}
