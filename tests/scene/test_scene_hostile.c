// test_scene_hostile: files made to cost time or memory are refused within 0.1 s and 16 MiB.
// labels: alone
#include "scene/reader.h"

#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif

// The bars are for the library as people use it: optimised, and without instruments.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !HAS_FEATURE(address_sanitizer)
enum { MEASURED = 1, FILE_SIZE = (1 << 20) - 1 };
#else
enum { MEASURED = 0, FILE_SIZE = 1 << 17 };
#endif

static const double most_seconds = 0.1;
static const long most_memory = 16 << 10; // KiB

#define WIRE "materials: { wire: { line_mass: 1, bend: 1, twist: 1 } }\n"

#define BLANKS "                                                                                "

// ---- makers of files

typedef struct hostile_case {
    const char *name;
    const char *head, *unit, *tail; // the unit is repeated until the file is full
    void (*make)(base_text *text);  // instead of these
} hostile_case;

static void add_repeated(base_text *text, const hostile_case *row)
{
    const size_t tail = row->tail ? strlen(row->tail) : 0, unit = strlen(row->unit);
    base_text_add(text, "%s", row->head);
    while (text->length + unit + tail <= FILE_SIZE)
        base_text_add_bytes(text, row->unit, unit);
    base_text_add(text, "%s", row->tail ? row->tail : "");
}

static void make_nested_brackets(base_text *text)
{
    for (int k = 0; k < 100000; k++)
        base_text_add(text, "[");
}

static void make_deep_indentation(base_text *text)
{
    for (int k = 0; text->length + (size_t)k + 4 < FILE_SIZE; k++)
        base_text_add(text, "%*sa:\n", k, "");
}

static void make_alias_bomb(base_text *text)
{
    base_text_add(text, "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int k = 1; k < 20; k++)
        base_text_add(text, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", k, k, k - 1, k - 1, k - 1,
                      k - 1, k - 1, k - 1, k - 1, k - 1);
}

static void make_distinct_keys(base_text *text)
{
    for (int k = 0; text->length < FILE_SIZE - 20; k++)
        base_text_add(text, "k%d: 1\n", k);
}

static void make_distinct_materials(base_text *text)
{
    base_text_add(text, "sheaf: 1\nmaterials:\n");
    for (int k = 0; text->length < FILE_SIZE - 60; k++)
        base_text_add(text, " m%d: {bend: 1, twist: 1}\n", k);
}

// As many materials as allowed, and as many strands as fit that look for the last of them.
static void make_many_references(base_text *text)
{
    base_text_add(text, "sheaf: 1\nmaterials:\n");
    for (int k = 0; k < 256; k++)
        base_text_add(text, " m%03d: {bend: 1, twist: 1, line_mass: 1}\n", k);
    base_text_add(text, "strands:\n");
    for (int k = 0; k < 4700; k++)
        base_text_add(text, "- {shape: {circle: {radius: 1}}, material: m255}\n");
    base_text_add(text, "wind: 5\n");
}

// Everything right up to the last line.
static void make_late_mistake(base_text *text)
{
    base_text_add(text, "sheaf: 1\n" WIRE "strands:\n");
    for (int strand = 0; strand < 10; strand++) {
        base_text_add(text, "  - points:\n");
        for (int k = 0; k < 1600; k++)
            base_text_add(text, "    - [%.10f m, %d.25 cm, 1e-3]\n", k * 1e-3, strand);
    }
    base_text_add(text, "time: { end: 1 m }\n");
}

static void make_many_units(base_text *text)
{
    base_text_add(text, "sheaf: 1\nseed: 1\ngravity:\n");
    while (text->length < FILE_SIZE - 40)
        base_text_add(text, "- 1.25e-3 mN*mm^2/(kg*us)/furlong\n");
}

// Mistakes at the far end of one long line.
static void make_far_mistakes(base_text *text)
{
    base_text_add(text, "{title: x, time: {}, ");
    while (text->length < FILE_SIZE - 2000)
        base_text_add(text, "                ");
    for (int k = 0; k < 200; k++)
        base_text_add(text, "k%03d: 1, ", k);
    base_text_add(text, "}\n");
}

static const hostile_case cases[] = {
    {.name = "100,000 nested brackets", .make = make_nested_brackets},
    {.name = "deep indentation", .make = make_deep_indentation},
    {.name = "alias bomb", .make = make_alias_bomb},
    {.name = "distinct keys", .make = make_distinct_keys},
    {.name = "distinct materials", .make = make_distinct_materials},
    {.name = "many references", .make = make_many_references},
    {.name = "late mistake", .make = make_late_mistake},
    {.name = "many units", .make = make_many_units},
    {.name = "far mistakes", .make = make_far_mistakes},
    {"anchor of itself", "a: &a [*a, ", "*a, ", "]", NULL},
    {"brackets", "", "[", NULL, NULL},
    {"braces", "", "{", NULL, NULL},
    {"braces with keys", "", "{a: ", NULL, NULL},
    {"brackets behind a quote", "[a 'b, ", "[", NULL, NULL},
    {"pairs in lists", "", "[a: ", NULL, NULL},
    {"questions in lists", "", "[? ", NULL, NULL},
    {"lists in one line", "", "- ", NULL, NULL},
    {"questions in one line", "", "? ", NULL, NULL},
    {"colons in one line", "", ": ", NULL, NULL},
    {"long list", "a: [", "x,", "x]\n", NULL},
    {"long list that may be a key", "[", "x,", "x]\n", NULL},
    {"long list of lists", "a: [", "[x],", "]\n", NULL},
    {"long list of maps", "[", "{},", "]\n", NULL},
    {"long map", "{", "a,", "}", NULL},
    {"numbers", "a: [", "1,", "1]\n", NULL},
    {"commas", "[", ",\n", NULL, NULL},
    {"commas in a map", "{", ",\n", NULL, NULL},
    {"commas and margins", "[", "\n\n\n,", NULL, NULL},
    {"questions", "[", "?\n", NULL, NULL},
    {"questions and commas", "[", "? ,\n", NULL, NULL},
    {"dashes in a list", "- [", "-\n", NULL, NULL},
    {"quotes without commas", "", "\"\"\n", NULL, NULL},
    {"single quotes without commas", "[", "''\n", NULL, NULL},
    {"quotes over lines", "{", "'\n'\n", NULL, NULL},
    {"quoted items", "[[", "'a\n b',\n", NULL, NULL},
    {"escaped line ends", "[", "\"\\\n\",\n", NULL, NULL},
    {"maps after a question", "? [", "a: b\n", NULL, NULL},
    {"items after a question", "? [", "- [a, b]\n", NULL, NULL},
    {"colons in lines", "", ":\n", NULL, NULL},
    {"questions in lines", "", "? a\n: b\n", NULL, NULL},
    {"dashes in lines", "", "-\n", NULL, NULL},
    {"items in lines", "", "- a\n", NULL, NULL},
    {"folded texts", "", "- >-\n\n", NULL, NULL},
    {"literal texts", "", "a: |\n", NULL, NULL},
    {"one long key", "", "a", ": 1", NULL},
    {"one long quoted key", "\"", "a", "\": 1", NULL},
    {"one long text", "title: \"", "x", "\"\n", NULL},
    {"one long text of escapes", "title: \"", "\\n", "\"\n", NULL},
    {"one long text of quotes", "title: '", "''", "'\n", NULL},
    {"one text of many lines", "title: \"", "a\n ", "\"\n", NULL},
    {"one block of text", "title: |\n", " a\n", NULL, NULL},
    {"one plain text of many lines", "title: ", "a\n ", NULL, NULL},
    {"text that looks like comments", "title: \"", "# \\n\\n\\n\\n\\n\\n\\n\n", "\"\n", NULL},
    {"comments", "", "#\n", NULL, NULL},
    {"one comment", "#", "x", NULL, NULL},
    {"empty lines", "", "\n", NULL, NULL},
    {"spaces", "a:", " ", NULL, NULL},
    {"tabs", "", "\t", NULL, NULL},
    {"tabs in lines", "a:\n", "\t\n", NULL, NULL},
    {"blanks after a dash", "- ", " ", "x", NULL},
    {"tabs after a dash", "- ", "\t", "x", NULL},
    {"blanks after dashes", "", "- " BLANKS "x\n", NULL, NULL},
    {"tabs and blanks", "", "\t ", NULL, NULL},
    {"blanks after quotes", "", "- \"a\"" BLANKS BLANKS "#\n", NULL, NULL},
    {"blanks after anchors", "", "- &a" BLANKS BLANKS BLANKS "b\n", NULL, NULL},
    {"anchors", "", "- &a b\n", NULL, NULL},
    {"aliases", "- &a b\n", "- *a\n", NULL, NULL},
    {"tags", "", "- !!str a\n", NULL, NULL},
    {"documents", "", "---\n", NULL, NULL},
    {"ended documents", "", "--- a\n...\n", NULL, NULL},
    {"directives", "", "%YAML 1.2\n", NULL, NULL},
    {"one long directive", "%", "a", NULL, NULL},
    {"directive behind a quote", "a: b \"c \\\n", "%a\n", NULL, NULL},
    {"merge keys", "", "a: {<<: {}}\n", NULL, NULL},
    {"same key", "", "title: x\n", NULL, NULL},
    {"same material", "sheaf: 1\nmaterials:\n", " a: {}\n", NULL, NULL},
    {"empty strands", "sheaf: 1\nstrands:\n", " - {}\n", NULL, NULL},
    {"two-byte characters", "title: ", "\u00e9", NULL, NULL},
    {"two-byte characters in lists", "a: [", "\u00e9,", NULL, NULL},
    {"byte order marks", "\xef\xbb\xbf", "\xef\xbb\xbf", NULL, NULL},
    {"line separators", "a: ", "\u2028", NULL, NULL},
    {"zero bytes", "", "", NULL, NULL},
};

// ---- measuring

typedef struct cost {
    double seconds;
    long memory; // KiB
    int refused;
} cost;

static double processor_seconds(const struct rusage *usage)
{
    return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
           1e-6 * (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
}

static cost read_measured(const base_text *text)
{
    struct rusage before, after;
    scene_diagnostics list;
    sheaf_scene *scene;
    getrusage(RUSAGE_SELF, &before);
    const sheaf_status status = scene_read_text(base_text_get(text), text->length, "hostile.yaml", &list, &scene);
    getrusage(RUSAGE_SELF, &after);
    const cost result = {processor_seconds(&after) - processor_seconds(&before), after.ru_maxrss - before.ru_maxrss,
                         (status == SHEAF_ERR_INPUT || status == SHEAF_ERR_LIMIT) && list.count > 0};
    scene_diagnostics_free(&list);
    sheaf_scene_free(scene);
    return result;
}

// Makes and reads the file in a process of its own, so that memory is counted from the same start for all.
static void run_child(const hostile_case *row, int out)
{
    base_text text = {0};
    alarm(20);
    if (row->make != NULL)
        row->make(&text);
    else if (row->unit[0] == 0)
        for (int k = 0; k < FILE_SIZE; k++)
            base_text_add_bytes(&text, "", 1);
    else
        add_repeated(&text, row);
    const cost result = read_measured(&text);
    base_text_free(&text);
    _exit(write(out, &result, sizeof result) == (ssize_t)sizeof result ? 0 : 1);
}

static cost measure(const hostile_case *row)
{
    int ends[2], status;
    cost result = {0};
    fflush(NULL);
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        run_child(row, ends[1]);
    close(ends[1]);
    const ssize_t got = read(ends[0], &result, sizeof result);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (status != 0 || got != (ssize_t)sizeof result)
        fail_msg("%s: the reader died (status %d)", row->name, status);
    return result;
}

static bool is_within(const cost *result)
{
    return !MEASURED || (result->seconds <= most_seconds && result->memory <= most_memory);
}

static void hostile_files_are_refused_cheaply(void **fixture)
{
    (void)fixture;
    double slowest = 0;
    long largest = 0;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        cost result = measure(&cases[k]);
        for (int again = 0; again < 4 && !is_within(&result); again++) // a busy machine is no fault of the reader
            result = measure(&cases[k]);
        if (!result.refused)
            fail_msg("%s: was accepted", cases[k].name);
        if (!is_within(&result))
            fail_msg("%s: %.3f s, %ld KiB", cases[k].name, result.seconds, result.memory);
        slowest = result.seconds > slowest ? result.seconds : slowest;
        largest = result.memory > largest ? result.memory : largest;
    }
    print_message("slowest refusal %.3f s, largest %ld KiB\n", slowest, largest);
}

// ---- limits

// A file at the limit in one respect, or one beyond it, has a complaint with `message`, or none.
static void assert_message(const base_text *text, const char *message, bool expected)
{
    base_text printed = {0};
    scene_diagnostics list;
    sheaf_scene *scene;
    scene_read_text(base_text_get(text), text->length, "limit.yaml", &list, &scene);
    scene_diagnostics_print(&list, &printed);
    if ((strstr(base_text_get(&printed), message) != NULL) != expected)
        fail_msg("%s: '%s' in\n%s", expected ? "not" : "should not be", message, base_text_get(&printed));
    base_text_free(&printed);
    scene_diagnostics_free(&list);
    sheaf_scene_free(scene);
}

typedef void make_sized(base_text *text, int size);

static void make_brackets(base_text *text, int size)
{
    base_text_add(text, "a: ");
    for (int k = 1; k < size; k++)
        base_text_add(text, "[");
    for (int k = 1; k < size; k++)
        base_text_add(text, "]");
}

static void make_indented(base_text *text, int size)
{
    for (int k = 0; k < size; k++)
        base_text_add(text, "%*sa:\n", k, "");
}

static void make_values(base_text *text, int size)
{
    base_text_add(text, "a:\n"); // with its list and the map of the file, three values
    for (int k = 3; k < size; k++)
        base_text_add(text, "- %d\n", k);
}

static void make_text(base_text *text, int size)
{
    base_text_add(text, "a: \"%0*d\"\n", size, 0);
}

static void make_materials(base_text *text, int size)
{
    base_text_add(text, "materials:\n");
    for (int k = 0; k < size; k++)
        base_text_add(text, "  m%d: {}\n", k);
}

static void make_title(base_text *text, int size)
{
    base_text_add(text, "title: %0*d\n", size, 0);
}

static void limits_are_exact_and_named(void **fixture)
{
    (void)fixture;
    static const struct {
        make_sized *make;
        int within, beyond;
        const char *message;
    } rows[] = {
        {make_brackets, 33, 34, "brackets nested deeper than 32"},
        {make_indented, 32, 33, "maps and lists nested deeper than 32"},
        {make_values, 65535, 65536, "more than 65536 values"},
        {make_text, 16000, 25000, "more than 16384 bytes from here"},
        {make_materials, 256, 257, "materials: 257 entries; at most 256 are allowed"},
        {make_title, 255, 256, "title is longer than 255 bytes"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        base_text within = {0}, beyond = {0};
        rows[k].make(&within, rows[k].within);
        assert_message(&within, rows[k].message, false);
        rows[k].make(&beyond, rows[k].beyond);
        assert_message(&beyond, rows[k].message, true);
        base_text_free(&within);
        base_text_free(&beyond);
    }
}

// ---- large files

static void assert_limit(const char *path, const char *message)
{
    sheaf_scene *scene;
    assert_int_equal(sheaf_scene_load(path, &scene), SHEAF_ERR_LIMIT);
    assert_null(scene);
    assert_non_null(strstr(sheaf_last_error(), message));
}

static void files_beyond_16_mib_are_a_limit_error(void **fixture)
{
    (void)fixture;
    char path[] = "/tmp/sheaf-scene-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, (16 << 20) + 1), 0);
    assert_limit(path, ":1:1: error: file larger than 16 MiB");
    if (sizeof(off_t) > 4 && ftruncate(file, (off_t)5 << 30) == 0) // sparse, beyond 32 bits
        assert_limit(path, "file larger than 16 MiB");
    close(file);
    unlink(path);
}

// A device or pipe might never end, or never begin.
static void endless_input_is_refused(void **fixture)
{
    (void)fixture;
    sheaf_scene *scene;
    char folder[] = "/tmp/sheaf-pipe-XXXXXX", pipe[64];
    assert_int_equal(sheaf_scene_load("/dev/zero", &scene), SHEAF_ERR_IO);
    assert_non_null(strstr(sheaf_last_error(), "it is a device; only regular files are read"));
    assert_non_null(mkdtemp(folder));
    snprintf(pipe, sizeof pipe, "%s/scene.yaml", folder);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(sheaf_scene_load(pipe, &scene), SHEAF_ERR_IO);
    assert_non_null(strstr(sheaf_last_error(), "it is a pipe; only regular files are read"));
    assert_null(scene);
    unlink(pipe);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hostile_files_are_refused_cheaply),
        cmocka_unit_test(limits_are_exact_and_named),
        cmocka_unit_test(files_beyond_16_mib_are_a_limit_error),
        cmocka_unit_test(endless_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
