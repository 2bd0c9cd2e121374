// test_base_text: growing strings, names made printable, nearest words.
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

static void grows_and_keeps_what_was_added(void **state)
{
    (void)state;
    base_text text = {0};
    assert_string_equal(base_text_get(&text), "");
    for (int k = 0; k < 1000; k++)
        base_text_add(&text, "%d,", k % 10);
    base_text_add_bytes(&text, "end", 3);
    assert_int_equal(text.length, 2003);
    assert_memory_equal(base_text_get(&text) + 1998, "9,end", 6);
    assert_int_equal(base_text_status(&text), SHEAF_OK);
    base_text_free(&text);
}

static void *refuse_large(size_t size, void *user)
{
    (void)user;
    return size > 100 ? NULL : malloc(size);
}

static void *refuse_growth(void *memory, size_t size, void *user)
{
    (void)user;
    return size > 100 ? NULL : realloc(memory, size);
}

static void release(void *memory, void *user)
{
    (void)user;
    free(memory);
}

static void remembers_lack_of_memory(void **state)
{
    (void)state;
    const sheaf_allocator poor = {refuse_large, refuse_growth, release, NULL};
    assert_int_equal(sheaf_allocator_set(&poor), SHEAF_OK);
    base_text text = {0};
    base_text_add(&text, "short");
    base_text_add(&text, "%0200d", 1);
    base_text_add(&text, "more");
    assert_string_equal(base_text_get(&text), "short");
    assert_int_equal(base_text_status(&text), SHEAF_ERR_MEMORY);
    base_text_free(&text);
    assert_int_equal(sheaf_allocator_set(NULL), SHEAF_OK);
}

static void assert_printable(const char *name, const char *expected)
{
    char shown[64];
    assert_string_equal(base_printable(name, shown, sizeof shown), expected);
    base_text text = {0};
    base_text_add_printable(&text, name, strlen(name));
    assert_string_equal(base_text_get(&text), expected);
    base_text_free(&text);
}

static void escapes_what_a_terminal_would_obey(void **state)
{
    (void)state;
    assert_printable("plain name", "plain name");
    assert_printable("gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f");
    assert_printable("a\nb\tc", "a\\nb\\tc");
    assert_printable("\x1b[31m", "\\x1b[31m");
    assert_printable("\xff\xc3", "\\xff\\xc3");
    assert_printable("\xc0\xaf", "\\xc0\\xaf");          // overlong
    assert_printable("\xed\xa0\x80", "\\xed\\xa0\\x80"); // surrogate
    assert_printable("\xe2\x80\xae"
                     "x",
                     "\\xe2\\x80\\xaex"); // right-to-left override
    assert_printable("\xf0\x9f\x99\x82", "\xf0\x9f\x99\x82");
    assert_printable("%n%s", "%n%s");
}

static void cuts_long_names(void **state)
{
    (void)state;
    char shown[16];
    assert_string_equal(base_printable("abcdefghijklmnopqrstuvwxyz", shown, sizeof shown), "abcdefghijkl...");
    assert_string_equal(base_printable("abcdefghijk\xc3\xbc!", shown, sizeof shown), "abcdefghijk...");
}

static void finds_the_nearest_word(void **state)
{
    (void)state;
    static const char *const words[] = {"check", "run", "info", "overwrite", "density", "damping"};
    assert_string_equal(base_nearest("chekc", words, 6), "check");
    assert_string_equal(base_nearest("rnu", words, 6), "run");
    assert_string_equal(base_nearest("Denisty", words, 6), "density");
    assert_string_equal(base_nearest("over-write", words, 6), "overwrite");
    assert_string_equal(base_nearest("damp", words, 6), "damping");
    assert_null(base_nearest("zzz", words, 6));
    assert_null(base_nearest("", words, 6));
    assert_null(base_nearest("a word so long that nobody can have mistyped it", words, 6));
    assert_null(base_nearest("run", words, 0));
}

static void assert_real(double value)
{
    char expected[64];
    base_text text = {0};
    snprintf(expected, sizeof expected, "%.9g", value);
    base_text_add_real(&text, value);
    assert_string_equal(base_text_get(&text), expected);
    base_text_free(&text);
}

// Of every size, near ties of the ninth digit and near powers of ten, as printf writes them.
static void numbers_are_those_of_printf(void **state)
{
    (void)state;
    const double odd[] = {0, -0.0, NAN, INFINITY, 1e-4, 1e8, 99999999.95, 0.5, 100, 0.000123456789, 1234567.885};
    for (size_t k = 0; k < sizeof odd / sizeof odd[0]; k++)
        assert_real(odd[k]);
    for (int power = -7; power < 11; power++) {
        assert_real(nextafter(pow(10, power), 0));
        assert_real(nextafter(pow(10, power), INFINITY));
        for (uint32_t k = 0; k < 5000; k++) {
            double chance[4];
            base_uniform4(1, (uint32_t)(power + 7), k, chance);
            const double value = pow(10, power) * (1 + 9 * chance[0]);
            assert_real(chance[1] < 0.5 ? value : -value);
            assert_real((double)(float)value);
            assert_real(rint(1e4 * value) / 1e4);
            assert_real(value > 1 ? ldexp(rint(ldexp(value, 6)), -6) : value); // many lie in the middle of two digits
        }
    }
    base_text text = {0};
    base_text_add_whole(&text, 0);
    base_text_add_whole(&text, UINT64_MAX);
    assert_string_equal(base_text_get(&text), "018446744073709551615");
    base_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_and_keeps_what_was_added),
        cmocka_unit_test(remembers_lack_of_memory),
        cmocka_unit_test(escapes_what_a_terminal_would_obey),
        cmocka_unit_test(cuts_long_names),
        cmocka_unit_test(finds_the_nearest_word),
        cmocka_unit_test(numbers_are_those_of_printf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
