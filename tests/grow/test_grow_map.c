// test_grow_map: pictures and arrays as maps, values between their numbers, and files that promise too much.
#include "grow/map.h"

#include <string.h>

#include "unit.h"

static grow_map read_bytes(const void *bytes, size_t size)
{
    grow_map map;
    if (grow_map_open_memory(bytes, size, "test", &map) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    return map;
}

static void pictures_are_read(void **state)
{
    (void)state;
    static const char text[] = "P2 # grey\n3 2\n# white\n10\n0 5 10\n10 5 0\n";
    static const char bytes[] = "P5\n3 2\n255\n\x00\x33\xff\xff\x33\x00";
    static const char wide[] = "P5 3 2 65535\n\x00\x00\x33\x33\xff\xff\xff\xff\x33\x33\x00\x00";
    const struct {
        const char *bytes;
        size_t size;
        double middle;
    } cases[] = {{text, sizeof text - 1, 0.5}, {bytes, sizeof bytes - 1, 0.2}, {wide, sizeof wide - 1, 0.2}};
    for (int k = 0; k < 3; k++) {
        grow_map map = read_bytes(cases[k].bytes, cases[k].size);
        assert_int_equal(map.width, 3);
        assert_int_equal(map.height, 2);
        assert_close((double)map.values[1], cases[k].middle, 1e-7);
        assert_close((double)map.values[2], 1, 0);
        assert_close((double)map.values[5], 0, 0);
        double least, most;
        grow_map_range(&map, &least, &most);
        assert_close(most - least, 1, 0);
        grow_map_free(&map);
    }
}

static void arrays_are_read(void **state)
{
    (void)state;
    grow_map map;
    assert_int_equal(grow_map_open("tests/data/maps/ramp.npy", &map), SHEAF_OK);
    assert_int_equal(map.width, 3);
    assert_int_equal(map.height, 2);
    assert_close((double)map.values[4], 0.5, 0);
    grow_map_free(&map);
}

// Between numbers values go straight, and their slopes are those of finite differences; v points up, rows down.
static void values_lie_between(void **state)
{
    (void)state;
    grow_map map = read_bytes("P2 3 2 4\n0 1 4 2 3 0", 20);
    assert_close(grow_map_at(&map, 0, 1, NULL), 0, 0);
    assert_close(grow_map_at(&map, 1, 1, NULL), 1, 0);
    assert_close(grow_map_at(&map, 0, 0, NULL), 0.5, 0);
    assert_close(grow_map_at(&map, 0.25, 0.5, NULL), (0 + 1 + 2 + 3) / 16.0, 1e-15);
    assert_close(grow_map_at(&map, -3, 9, NULL), 0, 0);
    for (int k = 0; k < 4; k++) {
        const double u = 0.1 + 0.23 * k, v = 0.2 + 0.17 * k, h = 1e-6;
        double slope[2];
        grow_map_at(&map, u, v, slope);
        assert_close(slope[0], (grow_map_at(&map, u + h, v, NULL) - grow_map_at(&map, u - h, v, NULL)) / (2 * h), 1e-8);
        assert_close(slope[1], (grow_map_at(&map, u, v + h, NULL) - grow_map_at(&map, u, v - h, NULL)) / (2 * h), 1e-8);
    }
    grow_map_free(&map);
}

static void hostile_files_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "no map"},
        {"P6 2 2 255 ............", "no map"},
        {"P2", "expected a whole number"},
        {"P2 2 2 0 0 0 0 0", "white is 0"},
        {"P2 2 2 9 0 0 0", "need"},
        {"P2 2 2 9 0 0 0 10", "expected a whole number"},
        {"P2 1 2 9 0 0 0 0", "2 to 32768"},
        {"P2 99999999 2 9 0", "expected a whole number"},
        {"P5 2 2 255\n...", "need 4 bytes"},
        {"P5 2 2 9\n....", "a grey of 46"},
        {"P5 30000 30000 255\n.", "need"},
        {"\x93NUMPY\x01", "10 bytes"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        grow_map map;
        assert_int_equal(grow_map_open_memory(cases[k][0], strlen(cases[k][0]), "test", &map), SHEAF_ERR_INPUT);
        if (strstr(sheaf_last_error(), cases[k][1]) == NULL)
            fail_msg("case %zu: '%s' does not say '%s'", k, sheaf_last_error(), cases[k][1]);
        assert_null(map.values);
    }
    grow_map map;
    assert_int_equal(grow_map_open("tests", &map), SHEAF_ERR_IO);
    assert_int_equal(grow_map_open("tests/corpus/npy/even.npy", &map), SHEAF_ERR_INPUT);
    assert_non_null(strstr(sheaf_last_error(), "2 axes"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_read),
        cmocka_unit_test(arrays_are_read),
        cmocka_unit_test(values_lie_between),
        cmocka_unit_test(hostile_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
