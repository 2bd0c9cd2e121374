// test_base: statuses, last errors, memory and random numbers.
#include "base/base.h"

#include <string.h>

#include "unit.h"

static void statuses_have_names_and_exit_codes(void **fixture)
{
    (void)fixture;
    assert_string_equal(sheaf_status_name(SHEAF_OK), "SHEAF_OK");
    assert_string_equal(sheaf_status_name(SHEAF_ERR_INPUT), "SHEAF_ERR_INPUT");
    assert_int_equal(sheaf_status_exit_code(SHEAF_ERR_DEVICE), 6);
    assert_non_null(sheaf_status_meaning((sheaf_status)999));
}

static void last_error_keeps_long_and_short_texts(void **fixture)
{
    (void)fixture;
    char text[5000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    assert_int_equal(base_fail_text(SHEAF_ERR_INPUT, text), SHEAF_ERR_INPUT);
    assert_int_equal(strlen(sheaf_last_error()), sizeof text - 1);
    assert_int_equal(base_fail(SHEAF_ERR_IO, "was: %.3s", sheaf_last_error()), SHEAF_ERR_IO);
    assert_string_equal(sheaf_last_error(), "was: xxx");
}

static void oversized_requests_fail_with_a_text(void **fixture)
{
    (void)fixture;
    assert_null(base_alloc(SIZE_MAX / 2, 8));
    assert_non_null(strstr(sheaf_last_error(), "address"));
}

static void random_numbers_match_the_published_known_answers(void **fixture)
{
    (void)fixture;
    uint32_t words[4];
    base_random4(0, 0, 0, words); // Random123's kat_vectors: philox4x32 10, all zero
    assert_int_equal(words[0], 0x6627e8d5);
    assert_int_equal(words[1], 0xe169c58d);
    assert_int_equal(words[2], 0xbc57ac4c);
    assert_int_equal(words[3], 0x9b00dbd8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses_have_names_and_exit_codes),
        cmocka_unit_test(last_error_keeps_long_and_short_texts),
        cmocka_unit_test(oversized_requests_fail_with_a_text),
        cmocka_unit_test(random_numbers_match_the_published_known_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
