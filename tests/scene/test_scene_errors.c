// test_scene_errors: what is wrong with a scene is said completely, at the right place, with advice.
//
// Every tests/data/scenes-bad/NAME.yaml has beside it what must be printed about it, NAME.txt.
#include "scene/reader.h"

#include "scene/scene.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

#define FOLDER "tests/data/scenes-bad/"

static void read_whole_file(const char *path, base_text *text)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fail_msg("%s: %s", path, strerror(errno));
        return;
    }
    char bytes[4096];
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, file)) > 0;)
        base_text_add_bytes(text, bytes, got);
    fclose(file);
}

static void check_file(const char *name)
{
    char path[300];
    base_text text = {0}, expected = {0}, printed = {0};
    scene_diagnostics list;
    sheaf_scene *scene;
    snprintf(path, sizeof path, FOLDER "%s", name);
    read_whole_file(path, &text);
    strcpy(strrchr(path, '.'), ".txt");
    read_whole_file(path, &expected);
    const sheaf_status status = scene_read_text(base_text_get(&text), text.length, name, &list, &scene);
    assert_true(status == SHEAF_ERR_INPUT || status == SHEAF_ERR_LIMIT);
    assert_null(scene);
    scene_diagnostics_print(&list, &printed);
    if (strcmp(base_text_get(&printed), base_text_get(&expected)) != 0)
        fail_msg("%s: printed\n%sinstead of\n%s", name, base_text_get(&printed), base_text_get(&expected));
    scene_diagnostics_free(&list);
    base_text_free(&text);
    base_text_free(&expected);
    base_text_free(&printed);
}

static void for_each_bad_scene(void (*check)(const char *name))
{
    int checked = 0;
    DIR *folder = opendir(FOLDER);
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const char *ending = strrchr(entry->d_name, '.');
        if (ending == NULL || strcmp(ending, ".yaml") != 0)
            continue;
        check(entry->d_name);
        checked++;
    }
    closedir(folder);
    assert_true(checked >= 25);
}

static void bad_scenes_get_the_errors_they_deserve(void **fixture)
{
    (void)fixture;
    for_each_bad_scene(check_file);
}

// The YAML library takes files piece by piece. A comment before the scene moves the borders of the pieces through it;
// nothing but line numbers may change.
static void check_borders(const char *name)
{
    static const size_t pieces[] = {4096, 65536};
    char path[300];
    base_text text = {0};
    scene_diagnostics plain, moved;
    sheaf_scene *scene;
    snprintf(path, sizeof path, FOLDER "%s", name);
    read_whole_file(path, &text);
    scene_read_text(base_text_get(&text), text.length, name, &plain, &scene);
    for (size_t k = 0; k < 2 * text.length && strstr(plain.items[0].message, "is empty") == NULL; k += 11) {
        base_text longer = {0};
        for (size_t c = 0; c < pieces[k % 2] - k / 2 - 1; c++)
            base_text_add_bytes(&longer, "#", 1);
        base_text_add(&longer, "\n%s", base_text_get(&text));
        scene_read_text(base_text_get(&longer), longer.length, name, &moved, &scene);
        assert_int_equal(moved.count, plain.count);
        for (uint32_t d = 0; d < plain.count; d++) {
            assert_int_equal(moved.items[d].line, plain.items[d].line + 1);
            assert_int_equal(moved.items[d].column, plain.items[d].column);
            assert_string_equal(moved.items[d].source, plain.items[d].source);
        }
        scene_diagnostics_free(&moved);
        base_text_free(&longer);
    }
    scene_diagnostics_free(&plain);
    base_text_free(&text);
}

static void borders_of_pieces_do_not_matter(void **fixture)
{
    (void)fixture;
    for_each_bad_scene(check_borders);
}

// ---- the diagnostics as data

static sheaf_status diagnose(const char *text, scene_diagnostics *list)
{
    sheaf_scene *scene;
    const sheaf_status status = scene_read_text(text, strlen(text), "test.yaml", list, &scene);
    assert_int_equal(scene != NULL, status == SHEAF_OK);
    assert_int_equal(list->count == 0, status == SHEAF_OK);
    sheaf_scene_free(scene);
    return status;
}

static void five_mistakes_are_five_diagnostics(void **fixture)
{
    (void)fixture;
    static const struct {
        uint32_t line, column;
        const char *message, *hint;
    } expected[] = {
        {3, 9, "unknown key 'stepp' in time", "did you mean 'step'?"},
        {4, 17, "gravity: '-9.81 m/s' has the wrong unit", "expected an acceleration, such as 9.81 m/s^2"},
        {6, 42, "'5 GPa' is no key", "if it belongs to a number, write '.' for its decimals"},
        {8, 51, "vertices: '2' is not a whole number from 3 to 4096", NULL},
        {9, 15, "material: there is no 'hiar' in materials", "did you mean 'hair'?"},
    };
    base_text text = {0};
    scene_diagnostics list;
    read_whole_file(FOLDER "five_mistakes.yaml", &text);
    assert_int_equal(diagnose(base_text_get(&text), &list), SHEAF_ERR_INPUT);
    assert_int_equal(list.count, 5);
    for (int k = 0; k < 5; k++) {
        assert_int_equal(list.items[k].line, expected[k].line);
        assert_int_equal(list.items[k].column, expected[k].column);
        assert_string_equal(list.items[k].message, expected[k].message);
        if (expected[k].hint == NULL)
            assert_null(list.items[k].hint);
        else
            assert_string_equal(list.items[k].hint, expected[k].hint);
    }
    assert_string_equal(list.items[0].source, "time: { stepp: 1/120 s, end: 4 s }");
    assert_int_equal(list.items[0].caret, 8);
    assert_int_equal(list.items[0].width, 5);
    scene_diagnostics_free(&list);
    base_text_free(&text);
}

static void the_public_function_reports_all_of_them(void **fixture)
{
    (void)fixture;
    sheaf_scene *scene;
    int carets = 0;
    assert_int_equal(sheaf_scene_load(FOLDER "five_mistakes.yaml", &scene), SHEAF_ERR_INPUT);
    assert_null(scene);
    for (const char *line = sheaf_last_error(); line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        carets += line[strspn(line, " ")] == '^';
    }
    assert_int_equal(carets, 5);
    assert_non_null(strstr(sheaf_last_error(), FOLDER "five_mistakes.yaml:9:15: error: "));
}

static void at_most_a_hundred_are_kept(void **fixture)
{
    (void)fixture;
    base_text text = {0}, printed = {0};
    scene_diagnostics list;
    for (int k = 0; k < 5000; k++)
        base_text_add(&text, "key%d: %d\n", k, k);
    assert_int_equal(diagnose(base_text_get(&text), &list), SHEAF_ERR_INPUT);
    assert_int_equal(list.count, 100);
    assert_true(list.cut);
    scene_diagnostics_print(&list, &printed);
    assert_non_null(strstr(base_text_get(&printed), "the first 100"));
    scene_diagnostics_free(&list);
    base_text_free(&text);
    base_text_free(&printed);
}

// Long lines are cut around the place, without breaking characters; the caret stays under it.
static void long_lines_are_cut_around_the_place(void **fixture)
{
    (void)fixture;
    for (int before = 0; before < 200; before += 7) {
        base_text text = {0};
        scene_diagnostics list;
        base_text_add(&text, "{ title: \"");
        for (int k = 0; k < before; k++)
            base_text_add(&text, "\u00e9");
        base_text_add(&text, "\", titel: \"");
        for (int k = 0; k < 150; k++)
            base_text_add(&text, "\u2603");
        base_text_add(&text, "\" }");
        diagnose(base_text_get(&text), &list);
        const scene_diagnostic *item = &list.items[0];
        for (uint32_t k = 1; strstr(item->message, "titel") == NULL; k++)
            item = &list.items[k];
        assert_int_equal(item->column, 14 + before);
        const char *at = item->source;
        for (uint32_t k = 0; k < item->caret; k++)
            do
                at++;
            while ((*at & 0xc0) == 0x80);
        assert_memory_equal(at, "titel", 5);
        assert_true(strlen(item->source) < 200);
        scene_diagnostics_free(&list);
        base_text_free(&text);
    }
}

// ---- texts that are no text

static void assert_refused(const char *text, size_t length, uint32_t line, uint32_t column, const char *message)
{
    scene_diagnostics list;
    sheaf_scene *scene;
    assert_int_equal(scene_read_text(text, length, "test.yaml", &list, &scene), SHEAF_ERR_INPUT);
    assert_int_equal(list.count, 1);
    if (list.items[0].line != line || list.items[0].column != column || strstr(list.items[0].message, message) == NULL)
        fail_msg("%u:%u: %s", list.items[0].line, list.items[0].column, list.items[0].message);
    scene_diagnostics_free(&list);
}

#define REFUSED(text, line, column, message) assert_refused(text, sizeof(text) - 1, line, column, message)

static void bytes_that_are_not_utf8_are_refused_with_their_offset(void **fixture)
{
    (void)fixture;
    REFUSED("sheaf: 1\ntitle: \xff\n", 2, 8, "byte 0xff at offset 16 is not UTF-8");
    REFUSED("\x80", 1, 1, "byte 0x80 at offset 0");
    REFUSED("a: \xc3", 1, 4, "byte 0xc3 at offset 3");
    REFUSED("a: \xc0\xaf", 1, 4, "byte 0xc0");
    REFUSED("a: \xed\xa0\x80", 1, 4, "byte 0xed");
    REFUSED("a: \xf4\x90\x80\x80", 1, 4, "byte 0xf4");
    REFUSED("\xff\xfes\0h\0", 1, 1, "byte 0xff at offset 0");
}

static void control_characters_are_refused(void **fixture)
{
    (void)fixture;
    REFUSED("sheaf: 1\ntitle: a\0b\n", 2, 9, "U+0000");
    REFUSED("title: \x1b[31mred", 1, 8, "U+001B");
    REFUSED("title: a\rb", 1, 9, "U+000D");
    REFUSED("title: \xc2\x85", 1, 8, "U+0085");
    REFUSED("title: \xe2\x80\xa8", 1, 8, "U+2028");
    REFUSED("title: \xe2\x80\xae", 1, 8, "U+202E");
    REFUSED("title: \xef\xbb\xbf", 1, 8, "U+FEFF");
    REFUSED("title: \x7f", 1, 8, "U+007F");
}

// ---- files and names

static void files_that_cannot_be_read_are_io_errors(void **fixture)
{
    (void)fixture;
    sheaf_scene *scene = (sheaf_scene *)&scene;
    assert_int_equal(sheaf_scene_load("tests/no/such/scene.yaml", &scene), SHEAF_ERR_IO);
    assert_null(scene);
    assert_non_null(strstr(sheaf_last_error(), "cannot read 'tests/no/such/scene.yaml': No such file"));
    assert_int_equal(sheaf_scene_load("tests", &scene), SHEAF_ERR_IO);
    assert_non_null(strstr(sheaf_last_error(), "folder"));
    assert_int_equal(sheaf_scene_load(NULL, &scene), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_scene_load("a", NULL), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_scene_parse(NULL, 0, "a", &scene), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_scene_parse("", 0, NULL, &scene), SHEAF_ERR_USAGE);
}

static void odd_file_names_are_escaped(void **fixture)
{
    (void)fixture;
    static const char *const names[][2] = {
        {"a\nb.yaml", "a\\nb.yaml"},
        {"%n%s.yaml", "%n%s.yaml"},
        {"\xff\x1b[31m", "\\xff\\x1b[31m"},
        {"-f", "-f"},
        {"", ""},
    };
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        char expected[80];
        sheaf_scene *scene;
        assert_int_equal(sheaf_scene_parse("a", 1, names[k][0], &scene), SHEAF_ERR_INPUT);
        snprintf(expected, sizeof expected, "%s:1:1: error: ", names[k][1]);
        assert_memory_equal(sheaf_last_error(), expected, strlen(expected));
        assert_int_equal(sheaf_scene_load(names[k][0], &scene), SHEAF_ERR_IO);
        assert_non_null(strstr(sheaf_last_error(), names[k][1]));
    }
}

static void a_name_of_5000_characters_leaves_room_for_the_reason(void **fixture)
{
    (void)fixture;
    char name[5001];
    sheaf_scene *scene;
    memset(name, 'x', 5000);
    name[5000] = 0;
    assert_int_equal(sheaf_scene_load(name, &scene), SHEAF_ERR_IO);
    assert_non_null(strstr(sheaf_last_error(), "File name too long"));
    assert_int_equal(sheaf_scene_parse("a", 1, name, &scene), SHEAF_ERR_INPUT);
    assert_non_null(strstr(sheaf_last_error(), "a scene is a map"));
    assert_true(strlen(sheaf_last_error()) < 1000);
}

// ---- memory

static long allocations_left;

static void *failing_allocate(size_t size, void *user)
{
    (void)user;
    return allocations_left-- > 0 ? test_malloc(size) : NULL;
}

static void *failing_reallocate(void *memory, size_t size, void *user)
{
    (void)user;
    return allocations_left-- > 0 ? test_realloc(memory, size) : NULL;
}

static void failing_release(void *memory, void *user)
{
    (void)user;
    test_free(memory);
}

// Reads a file again and again, each time letting one allocation more succeed, until it is read.
static void exhaust(const char *path, sheaf_status expected)
{
    const sheaf_allocator allocator = {failing_allocate, failing_reallocate, failing_release, NULL};
    sheaf_status status = SHEAF_ERR_MEMORY;
    assert_int_equal(sheaf_allocator_set(&allocator), SHEAF_OK);
    for (long allowed = 0; status == SHEAF_ERR_MEMORY; allowed++) {
        sheaf_scene *scene;
        allocations_left = allowed;
        status = sheaf_scene_load(path, &scene);
        assert_int_equal(scene != NULL, status == SHEAF_OK);
        allocations_left = 1;
        sheaf_scene_free(scene);
        assert_true(allowed < 10000);
    }
    assert_int_equal(status, expected);
    assert_int_equal(sheaf_allocator_set(NULL), SHEAF_OK); // refused if anything were still allocated
}

static void running_out_of_memory_is_an_error_that_leaks_nothing(void **fixture)
{
    (void)fixture;
    exhaust("tests/data/scenes/every_key.yaml", SHEAF_OK);
    exhaust(FOLDER "five_mistakes.yaml", SHEAF_ERR_INPUT);
    exhaust(FOLDER "escapes.yaml", SHEAF_ERR_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_scenes_get_the_errors_they_deserve),
        cmocka_unit_test(borders_of_pieces_do_not_matter),
        cmocka_unit_test(five_mistakes_are_five_diagnostics),
        cmocka_unit_test(the_public_function_reports_all_of_them),
        cmocka_unit_test(at_most_a_hundred_are_kept),
        cmocka_unit_test(long_lines_are_cut_around_the_place),
        cmocka_unit_test(bytes_that_are_not_utf8_are_refused_with_their_offset),
        cmocka_unit_test(control_characters_are_refused),
        cmocka_unit_test(files_that_cannot_be_read_are_io_errors),
        cmocka_unit_test(odd_file_names_are_escaped),
        cmocka_unit_test(a_name_of_5000_characters_leaves_room_for_the_reason),
        cmocka_unit_test(running_out_of_memory_is_an_error_that_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
