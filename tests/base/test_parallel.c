// test_parallel: loops over several threads cover every item once and carry errors home.
#include "base/base.h"

#include <string.h>

#include "unit.h"

typedef struct tally {
    int visits[1000];
    size_t bad; // item that fails
} tally;

static sheaf_status visit(size_t first, size_t end, uint32_t worker, void *user)
{
    tally *t = user;
    (void)worker;
    for (size_t k = first; k < end; k++) {
        t->visits[k]++;
        if (k >= t->bad)
            return base_fail(SHEAF_ERR_MEMORY, "item %zu failed", k);
    }
    return SHEAF_OK;
}

static void every_item_is_visited_once(void **fixture)
{
    (void)fixture;
    const size_t counts[] = {0, 1, 2, 3, 7, 64, 65, 999};
    const uint32_t threads[] = {0, 1, 2, 3, 64, 1000};
    for (size_t a = 0; a < sizeof counts / sizeof *counts; a++)
        for (size_t b = 0; b < sizeof threads / sizeof *threads; b++) {
            tally t = {.bad = SIZE_MAX};
            assert_int_equal(base_parallel_for(counts[a], threads[b], visit, &t), SHEAF_OK);
            for (size_t k = 0; k < 1000; k++)
                assert_int_equal(t.visits[k], k < counts[a]);
        }
}

static void the_lowest_failure_reaches_the_caller(void **fixture)
{
    (void)fixture;
    tally t = {.bad = 600}; // with four threads the third and the fourth fail
    assert_int_equal(base_parallel_for(1000, 4, visit, &t), SHEAF_ERR_MEMORY);
    assert_string_equal(sheaf_last_error(), "item 600 failed");
    assert_int_equal(t.visits[750], 1);
}

static void worker_counts_are_sane(void **fixture)
{
    (void)fixture;
    assert_true(base_worker_count(0) >= 1);
    assert_int_equal(base_worker_count(3), 3);
    assert_true(base_worker_count(UINT32_MAX) >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_visited_once),
        cmocka_unit_test(the_lowest_failure_reaches_the_caller),
        cmocka_unit_test(worker_counts_are_sane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
