// test_files_docs: docs/files.md shows the table of formats as it is, and every format is fit for the table.
#include "io/grooms.h"

#include <stdio.h>
#include <string.h>

#include "io/file.h"
#include "unit.h"

static void the_table_is_current(void **state)
{
    (void)state;
    base_text table = {0}, page;
    io_formats_write_markdown(&table);
    assert_int_equal(io_file_read("docs/files.md", 1 << 20, &page), SHEAF_OK);
    if (strstr(base_text_get(&page), base_text_get(&table)) == NULL) {
        puts(base_text_get(&table)); // longer than a message may be
        fail_msg("docs/files.md must hold this table");
    }
    base_text_free(&table);
    base_text_free(&page);
}

static void formats_are_told_apart(void **state)
{
    (void)state;
    for (const groom_format *const *format = io_formats; *format != NULL; format++) {
        char path[64];
        snprintf(path, sizeof path, "some/File.x%s", (*format)->extension);
        assert_ptr_equal(groom_format_of(io_formats, path), *format);
        assert_true(groom_is_read(*format) || groom_is_written(*format));
        assert_null(groom_format_of(io_formats, (*format)->extension)); // a name needs more than an ending
    }
    assert_null(groom_format_of(io_formats, "file.abc"));
    assert_ptr_equal(groom_format_of(io_formats, "A.HAIR"), &groom_format_hair);
    assert_ptr_equal(groom_recognise(io_formats, (const unsigned char *)"HAIR....", 8, "x.npy"), &groom_format_hair);
    assert_ptr_equal(groom_recognise(io_formats, (const unsigned char *)"????", 4, "x.data"), &groom_format_data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_current),
        cmocka_unit_test(formats_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
