// test_poses: files of poses, good and hostile.
#include "scene/poses.h"

#include <string.h>

#include "unit.h"

static void poses_are_read(void **state)
{
    (void)state;
    static const char text[] = "time x y z qw qx qy qz\r\n# none\n\n 0,1,2,3,1,0,0,0 # first\r\n.5 4 5 6 0 1 0 0\n1;";
    scene_poses poses;
    assert_int_equal(scene_poses_open_memory(text, strlen(text) - 2, "test", &poses), SHEAF_OK);
    assert_int_equal(poses.count, 2);
    assert_close(poses.values[8], 0.5, 0);
    assert_close(poses.values[13], 1, 0);
    double anchor[3];
    scene_poses_from_first(&poses, anchor);
    assert_close(anchor[2], 3, 0);
    assert_close(poses.values[9], 3, 0);
    assert_false(poses.jumps[0] || poses.jumps[1]);
    scene_poses_free(&poses);
}

// A jump may come at the time of the pose before it.
static void jumps_are_read(void **state)
{
    (void)state;
    static const char text[] = "0 0 0 0 1 0 0 0\n1 0 0 0 1 0 0 0\n1,100,0,0,1,0,0,0, jump # away\n2 0 0 0 1 0 0 0 jump";
    scene_poses poses;
    assert_int_equal(scene_poses_open_memory(text, strlen(text), "test", &poses), SHEAF_OK);
    assert_int_equal(poses.count, 4);
    assert_false(poses.jumps[0] || poses.jumps[1]);
    assert_true(poses.jumps[2] && poses.jumps[3]);
    scene_poses_free(&poses);
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
        {"1 1 2 3 1 0 0 0 jump", "after time 0 and another pose"},
        {"-1 1 2 3 1 0 0 0\n0 1 2 3 1 0 0 0 jump", "after time 0 and another pose"},
        {"1 1 2 3 1 0 0 0\n0.5 1 2 3 1 0 0 0 jump", "not after"},
        {"0 1 2 3 1 0 0 0\n1 1 2 3 1 0 0 0 jig", "not jump"},
        {"0 1 2 3 1 0 0 0\n1 1 2 3 1 0 0 0 jumps", "only the word jump"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        scene_poses poses;
        assert_int_equal(scene_poses_open_memory(cases[k][0], strlen(cases[k][0]), "test", &poses), SHEAF_ERR_INPUT);
        if (strstr(sheaf_last_error(), cases[k][1]) == NULL)
            fail_msg("case %zu: '%s' does not say '%s'", k, sheaf_last_error(), cases[k][1]);
        assert_null(poses.values);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses_are_read),
        cmocka_unit_test(jumps_are_read),
        cmocka_unit_test(hostile_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
