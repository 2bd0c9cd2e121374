// test_io_file: files appear whole or not at all.
#include "io/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/sheaf-test-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    DIR *open = opendir(folder);
    for (struct dirent *entry; open != NULL && (entry = readdir(open)) != NULL;) {
        char *path = io_path_join(folder, entry->d_name);
        unlink(path);
        base_free(path);
    }
    closedir(open);
    return rmdir(folder);
}

static int entry_count(void)
{
    int count = 0;
    DIR *open = opendir(folder);
    while (readdir(open) != NULL)
        count++;
    closedir(open);
    return count - 2;
}

static void assert_content(const char *path, const char *expected)
{
    base_text text;
    assert_int_equal(io_file_read(path, 1000, &text), SHEAF_OK);
    assert_string_equal(base_text_get(&text), expected);
    base_text_free(&text);
}

static void writes_and_replaces(void **state)
{
    (void)state;
    char *path = io_path_join(folder, "a.txt");
    assert_int_equal(io_file_write(path, false, "one", 3), SHEAF_OK);
    assert_content(path, "one");
    assert_int_equal(io_file_write(path, false, "two", 3), SHEAF_ERR_IO);
    assert_non_null(strstr(sheaf_last_error(), strerror(EEXIST)));
    assert_content(path, "one");
    assert_int_equal(io_file_write(path, true, "two", 3), SHEAF_OK);
    assert_content(path, "two");
    assert_int_equal(entry_count(), 1);
    base_free(path);
}

static void nothing_appears_before_commit(void **state)
{
    (void)state;
    char *path = io_path_join(folder, "b.txt");
    io_file file;
    assert_int_equal(io_file_create(path, false, &file), SHEAF_OK);
    fputs("half", file.stream);
    fflush(file.stream);
    assert_int_equal(access(path, F_OK), -1);
    io_file_abandon(&file);
    io_file_abandon(&file);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(entry_count(), 0);
    base_free(path);
}

static void a_file_that_appears_meanwhile_is_kept(void **state)
{
    (void)state;
    char *path = io_path_join(folder, "c.txt");
    io_file file;
    assert_int_equal(io_file_create(path, false, &file), SHEAF_OK);
    fputs("ours", file.stream);
    assert_int_equal(io_file_write(path, false, "theirs", 6), SHEAF_OK);
    assert_int_equal(io_file_commit(&file), SHEAF_ERR_IO);
    assert_content(path, "theirs");
    assert_int_equal(entry_count(), 1);
    base_free(path);
}

static void a_link_planted_at_the_temporary_name_is_not_followed(void **state)
{
    (void)state;
    char name[64], *victim = io_path_join(folder, "victim"), *path = io_path_join(folder, "d.txt");
    snprintf(name, sizeof name, ".sheaf-%ld-0.tmp", (long)getpid());
    char *planted = io_path_join(folder, name);
    assert_int_equal(io_file_write(victim, false, "safe", 4), SHEAF_OK);
    assert_int_equal(symlink(victim, planted), 0);
    assert_int_equal(io_file_write(path, false, "new", 3), SHEAF_OK);
    assert_content(victim, "safe");
    assert_content(path, "new");
    base_free(victim);
    base_free(path);
    base_free(planted);
}

static void failures_name_path_and_reason(void **state)
{
    (void)state;
    base_text text;
    assert_int_equal(io_file_write("/nowhere/at\nall", true, "x", 1), SHEAF_ERR_IO);
    assert_string_equal(sheaf_last_error(), "cannot write '/nowhere/at\\nall': No such file or directory");
    assert_int_equal(io_file_read(folder, 10, &text), SHEAF_ERR_IO);
    assert_non_null(strstr(sheaf_last_error(), "not a regular file"));
    assert_int_equal(io_file_read("/nowhere", 10, &text), SHEAF_ERR_IO);
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    io_file file;
    char *path = io_path_join(folder, "e.txt");
    assert_int_equal(io_file_create(path, false, &file), SHEAF_OK);
    fclose(file.stream);
    file.stream = fopen("/dev/full", "w");
    fputs("does not fit", file.stream);
    assert_int_equal(io_file_commit(&file), SHEAF_ERR_IO);
    assert_non_null(strstr(sheaf_last_error(), strerror(ENOSPC)));
    assert_int_equal(entry_count(), 0);
    base_free(path);
}

static void reading_stops_at_the_limit(void **state)
{
    (void)state;
    char *path = io_path_join(folder, "f.txt");
    base_text text;
    assert_int_equal(io_file_write(path, false, "12345", 5), SHEAF_OK);
    assert_int_equal(io_file_read(path, 5, &text), SHEAF_OK);
    base_text_free(&text);
    assert_int_equal(io_file_read(path, 4, &text), SHEAF_ERR_LIMIT);
    base_free(path);
}

static void paths_join(void **state)
{
    (void)state;
    char *path = io_path_join("a/", "b");
    assert_string_equal(path, "a/b");
    base_free(path);
    assert_string_equal(io_path_name("a/b/c.yaml"), "c.yaml");
    assert_string_equal(io_path_name("c.yaml"), "c.yaml");
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(writes_and_replaces),
        IN_FOLDER(nothing_appears_before_commit),
        IN_FOLDER(a_file_that_appears_meanwhile_is_kept),
        IN_FOLDER(a_link_planted_at_the_temporary_name_is_not_followed),
        IN_FOLDER(failures_name_path_and_reason),
        IN_FOLDER(a_full_disk_is_an_error),
        IN_FOLDER(reading_stops_at_the_limit),
        cmocka_unit_test(paths_join),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
