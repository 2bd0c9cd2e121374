// test_poses: files of poses, good and hostile.
#include "scene/poses.h"

#include <string.h>

#include "unit.h"

static void poses_are_read(void **state)
{
    (void)state;
    static const char text[] = "time x y z qw qx qy qz\r\n# none\n\n 0,1,2,3,1,0,0,0 # first\r\n.5 4 5 6 0 1 0 0\n1;";
    double *poses;
    uint32_t count;
    assert_int_equal(scene_poses_open_memory(text, strlen(text) - 2, "test", &poses, &count), SHEAF_OK);
    assert_int_equal(count, 2);
    assert_close(poses[8], 0.5, 0);
    assert_close(poses[13], 1, 0);
    double anchor[3];
    scene_poses_from_first(poses, count, anchor);
    assert_close(anchor[2], 3, 0);
    assert_close(poses[9], 3, 0);
    base_free(poses);
}

static void hostile_files_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "no poses"},
        {"time only", "no poses"},
        {"0 1 2 3 1 0 0", "expected a number"},
        {"0 1 2 3 1 0 0 0 9", "8 numbers"},
        {"0 1 2 3 0 0 0 0", "quaternion"},
        {"0 1 2 nan 1 0 0 0", "number 4"},
        {"0 1 2 1e9 1 0 0 0", "number 4"},
        {"0 1 2 3 1 0 0 0\n0 1 2 3 1 0 0 0", "not after"},
        {"0 1 2 x 1 0 0 0", "not a number"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double *poses;
        uint32_t count;
        assert_int_equal(scene_poses_open_memory(cases[k][0], strlen(cases[k][0]), "test", &poses, &count),
                         SHEAF_ERR_INPUT);
        if (strstr(sheaf_last_error(), cases[k][1]) == NULL)
            fail_msg("case %zu: '%s' does not say '%s'", k, sheaf_last_error(), cases[k][1]);
        assert_null(poses);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses_are_read),
        cmocka_unit_test(hostile_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
