// test_base: statuses, last errors, messages, memory, random numbers, hashes.
#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

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

static int fail_in_thread(void *text)
{
    base_fail_text(SHEAF_ERR_INPUT, text);
    return strcmp(sheaf_last_error(), text);
}

static void each_thread_has_its_own_last_error(void **fixture)
{
    (void)fixture;
    char text[3000]; // long enough for the heap: a leak would show when the thread ends
    memset(text, 'y', sizeof text - 1);
    text[sizeof text - 1] = 0;
    base_fail(SHEAF_ERR_IO, "mine");
    thrd_t thread;
    int differs = -1;
    assert_int_equal(thrd_create(&thread, fail_in_thread, text), thrd_success);
    assert_int_equal(thrd_join(thread, &differs), thrd_success);
    assert_int_equal(differs, 0);
    assert_string_equal(sheaf_last_error(), "mine");
}

static void unfilled_defs_are_told_apart(void **fixture)
{
    (void)fixture;
    assert_int_equal(base_check_cookie(BASE_COOKIE, "sheaf_scene_def"), SHEAF_OK);
    assert_int_equal(base_check_cookie(0, "sheaf_scene_def"), SHEAF_ERR_USAGE);
    assert_non_null(strstr(sheaf_last_error(), "sheaf_scene_def_default()"));
}

static void remember_message(sheaf_log_level level, const char *message, void *user)
{
    snprintf(user, 64, "%d %s", (int)level, message);
}

static void messages_reach_the_callback_and_nothing_else(void **fixture)
{
    (void)fixture;
    char heard[64] = "";
    base_log(SHEAF_LOG_NOTICE, "into the void");
    sheaf_log_set(remember_message, heard);
    base_log(SHEAF_LOG_WARNING, "strand %d", 7);
    sheaf_log_set(NULL, NULL);
    base_log(SHEAF_LOG_WARNING, "strand %d", 8);
    assert_string_equal(heard, "1 strand 7");
}

static void *count_allocate(size_t size, void *user)
{
    ++*(int *)user;
    return malloc(size);
}

static void *count_reallocate(void *memory, size_t size, void *user)
{
    *(int *)user += 10;
    return realloc(memory, size);
}

static void count_release(void *memory, void *user)
{
    *(int *)user += 100;
    free(memory);
}

static void memory_comes_from_the_users_allocator(void **fixture)
{
    (void)fixture;
    int calls = 0;
    const sheaf_allocator counting = {count_allocate, count_reallocate, count_release, &calls};
    const sheaf_allocator incomplete = {count_allocate, NULL, count_release, &calls};
    assert_int_equal(sheaf_allocator_set(&incomplete), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_allocator_set(&counting), SHEAF_OK);

    char *text = base_strdup("rod");
    assert_string_equal(text, "rod");
    double *numbers = base_realloc(NULL, 4, sizeof *numbers);
    numbers = base_realloc(numbers, 1000, sizeof *numbers);
    assert_int_equal(calls, 12);
    assert_null(base_realloc(numbers, SIZE_MAX, sizeof *numbers)); // the old block stays valid
    numbers[999] = 1;

    assert_int_equal(sheaf_allocator_set(NULL), SHEAF_ERR_USAGE);
    assert_non_null(strstr(sheaf_last_error(), "2 blocks"));
    base_free(text);
    base_free(numbers);
    base_free(NULL);
    assert_int_equal(calls, 212);
    assert_int_equal(sheaf_allocator_set(NULL), SHEAF_OK);
}

static void empty_requests_give_a_block(void **fixture)
{
    (void)fixture;
    void *nothing = base_alloc(0, 8);
    assert_non_null(nothing);
    base_free(nothing);
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

// Moments of 40,000 numbers; three standard deviations of each estimate as bars.
static void random_numbers_are_spread_as_they_should(void **fixture)
{
    (void)fixture;
    enum { DRAWS = 10000 };
    double uniform_mean = 0, uniform_square = 0, normal_mean = 0, normal_square = 0;
    for (uint64_t k = 0; k < DRAWS; k++) {
        double uniform[4], normal[2];
        base_uniform4(11, 1, k, uniform);
        base_normal2(11, 2, k, normal);
        for (int c = 0; c < 4; c++) {
            assert_true(uniform[c] >= 0 && uniform[c] < 1);
            uniform_mean += uniform[c] / (4 * DRAWS);
            uniform_square += uniform[c] * uniform[c] / (4 * DRAWS);
        }
        normal_mean += (normal[0] + normal[1]) / (2 * DRAWS);
        normal_square += (normal[0] * normal[0] + normal[1] * normal[1]) / (2 * DRAWS);
    }
    assert_true(fabs(uniform_mean - 0.5) < 3 * sqrt(1.0 / 12 / (4 * DRAWS)));
    assert_true(fabs(uniform_square - 1.0 / 3) < 3 * sqrt(4.0 / 45 / (4 * DRAWS)));
    assert_true(fabs(normal_mean) < 3 * sqrt(1.0 / (2 * DRAWS)));
    assert_true(fabs(normal_square - 1) < 3 * sqrt(2.0 / (2 * DRAWS)));
}

static void hashes_match_the_published_ones(void **fixture)
{
    (void)fixture;
    assert_true(base_hash("", 0, 0) == 0xcbf29ce484222325u); // FNV-1a, 64 bit
    assert_true(base_hash("a", 1, 0) == 0xaf63dc4c8601ec8cu);
    assert_true(base_hash("foobar", 6, 0) == 0x85944171f73967e8u);
    assert_true(base_hash("foobar", 6, 1) != base_hash("foobar", 6, 0));
}

static void the_clock_never_goes_back(void **fixture)
{
    (void)fixture;
    double last = base_clock();
    for (int k = 0; k < 1000; k++) {
        const double now = base_clock();
        assert_true(now >= last);
        last = now;
    }
}

static void the_version_is_the_headers(void **fixture)
{
    (void)fixture;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", SHEAF_VERSION_MAJOR, SHEAF_VERSION_MINOR, SHEAF_VERSION_PATCH);
    assert_string_equal(sheaf_version(), text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses_have_names_and_exit_codes),
        cmocka_unit_test(last_error_keeps_long_and_short_texts),
        cmocka_unit_test(each_thread_has_its_own_last_error),
        cmocka_unit_test(unfilled_defs_are_told_apart),
        cmocka_unit_test(messages_reach_the_callback_and_nothing_else),
        cmocka_unit_test(memory_comes_from_the_users_allocator),
        cmocka_unit_test(empty_requests_give_a_block),
        cmocka_unit_test(oversized_requests_fail_with_a_text),
        cmocka_unit_test(random_numbers_match_the_published_known_answers),
        cmocka_unit_test(random_numbers_are_spread_as_they_should),
        cmocka_unit_test(hashes_match_the_published_ones),
        cmocka_unit_test(the_clock_never_goes_back),
        cmocka_unit_test(the_version_is_the_headers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
