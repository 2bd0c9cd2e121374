// poses: reading where a body is at given times.
#include "scene/poses.h"

#include "base/vec.h"
#include "groom/number.h"
#include "scene/limits.h"

#include <string.h>

enum { MOST_POSES = 1000000 };

static void skip_line(groom_input *input)
{
    for (int byte; (byte = groom_take(input)) >= 0 && byte != '\n';)
        ;
}

static void skip_blanks(groom_input *input)
{
    for (int byte; (byte = groom_peek(input)) == ' ' || byte == '\t' || byte == ',' || byte == '\r';)
        input->next++;
}

// Whether the line that begins here holds a pose.
static bool has_numbers(groom_input *input)
{
    skip_blanks(input);
    const int byte = groom_peek(input);
    return (byte >= '0' && byte <= '9') || byte == '-' || byte == '+' || byte == '.';
}

static sheaf_status read_numbers(groom_input *input, double pose[SCENE_POSE_SIZE])
{
    static const scene_limit_id limits[SCENE_POSE_SIZE] = {
        SCENE_LIMIT_TIME,      SCENE_LIMIT_COORDINATE, SCENE_LIMIT_COORDINATE, SCENE_LIMIT_COORDINATE,
        SCENE_LIMIT_COMPONENT, SCENE_LIMIT_COMPONENT,  SCENE_LIMIT_COMPONENT,  SCENE_LIMIT_COMPONENT};
    for (int k = 0; k < SCENE_POSE_SIZE; k++) {
        skip_blanks(input);
        SHEAF_TRY(groom_read_real(input, &pose[k]));
        if (!scene_within(limits[k], pose[k]))
            return groom_fail(input, "number %d of a pose is %g; it must be from %g to %g", k + 1, pose[k],
                              scene_limits[limits[k]].least, scene_limits[limits[k]].most);
    }
    double square = 0;
    for (int k = 4; k < SCENE_POSE_SIZE; k++)
        square += pose[k] * pose[k];
    return square > 1e-12 ? SHEAF_OK : groom_fail(input, "the rotation of a pose is 0; it must be a quaternion");
}

// What stands after the numbers: nothing, a remark, or the word jump.
static sheaf_status read_jump(groom_input *input, bool *jumps)
{
    const char *word = "jump";
    skip_blanks(input);
    *jumps = groom_peek(input) == word[0];
    for (; *jumps && *word != 0; word++)
        if (groom_take(input) != *word)
            return groom_fail(input, "a word that is not jump stands after a pose");
    skip_blanks(input);
    if (groom_peek(input) >= 0 && groom_peek(input) != '\n' && groom_peek(input) != '#')
        return groom_fail(input, "a pose has 8 numbers: time, x, y, z, qw, qx, qy, qz; only the word jump may follow");
    return SHEAF_OK;
}

static sheaf_status make_room(scene_poses *poses, uint32_t *capacity)
{
    if (poses->count < *capacity)
        return SHEAF_OK;
    const uint32_t room = 2 * *capacity + 16;
    double *values = base_realloc(poses->values, room, SCENE_POSE_SIZE * sizeof *values);
    poses->values = values != NULL ? values : poses->values;
    bool *jumps = base_realloc(poses->jumps, room, sizeof *jumps);
    poses->jumps = jumps != NULL ? jumps : poses->jumps;
    if (values == NULL || jumps == NULL)
        return SHEAF_ERR_MEMORY;
    *capacity = room;
    return SHEAF_OK;
}

static sheaf_status read_pose(groom_input *input, scene_poses *poses)
{
    double *pose = poses->values + SCENE_POSE_SIZE * (size_t)poses->count;
    bool *jumps = &poses->jumps[poses->count];
    SHEAF_TRY(read_numbers(input, pose));
    SHEAF_TRY(read_jump(input, jumps));
    if (*jumps && (poses->count == 0 || !(pose[0] > 0)))
        return groom_fail(input, "jumps come after time 0 and another pose");
    if (poses->count > 0 && !(*jumps ? pose[0] >= pose[-SCENE_POSE_SIZE] : pose[0] > pose[-SCENE_POSE_SIZE]))
        return groom_fail(input, "the time %g is not after the one before it", pose[0]);
    poses->count++;
    return SHEAF_OK;
}

static sheaf_status read_poses(groom_input *input, scene_poses *poses)
{
    uint32_t capacity = 0;
    for (; groom_peek(input) >= 0; skip_line(input)) {
        if (!has_numbers(input))
            continue;
        if (poses->count == MOST_POSES)
            return base_fail(SHEAF_ERR_LIMIT, "%s: more than %d poses", input->name, MOST_POSES);
        SHEAF_TRY(make_room(poses, &capacity));
        SHEAF_TRY(read_pose(input, poses));
    }
    if (input->status != SHEAF_OK)
        return input->status;
    return poses->count > 0
               ? SHEAF_OK
               : base_fail(SHEAF_ERR_INPUT, "%s: no poses; a line holds time, x, y, z, qw, qx, qy, qz", input->name);
}

static sheaf_status open_input(groom_input *input, scene_poses *poses)
{
    locale_t own, before;
    SHEAF_TRY(groom_enter_c_locale(&own, &before));
    const sheaf_status status = read_poses(input, poses);
    groom_leave_c_locale(own, before);
    if (status != SHEAF_OK)
        scene_poses_free(poses);
    return status;
}

sheaf_status scene_poses_open(const char *path, scene_poses *poses)
{
    groom_input input;
    *poses = (scene_poses){0};
    SHEAF_TRY(groom_input_open(path, &input));
    const sheaf_status status = open_input(&input, poses);
    groom_input_close(&input);
    return status;
}

sheaf_status scene_poses_open_memory(const void *bytes, size_t size, const char *name, scene_poses *poses)
{
    groom_input input;
    *poses = (scene_poses){0};
    groom_input_memory(bytes, size, name, &input);
    return open_input(&input, poses);
}

void scene_poses_free(scene_poses *poses)
{
    base_free(poses->values);
    base_free(poses->jumps);
    *poses = (scene_poses){0};
}

void scene_poses_from_first(scene_poses *poses, double anchor[3])
{
    double first[SCENE_POSE_SIZE];
    memcpy(first, poses->values, sizeof first);
    vec_copy(anchor, first + 1);
    for (uint32_t k = 0; k < poses->count; k++) {
        double *pose = poses->values + SCENE_POSE_SIZE * (size_t)k, *q = pose + 4, w = q[0], v[3];
        const double *f = first + 4;
        vec_sub(pose + 1, pose + 1, anchor);
        // q f^-1: w' = w fw + v . fv, v' = fw v - w fv - v x fv
        double side[3];
        vec_copy(v, q + 1);
        vec_cross(side, v, f + 1);
        q[0] = w * f[0] + vec_dot(v, f + 1);
        for (int c = 0; c < 3; c++)
            q[1 + c] = f[0] * v[c] - w * f[1 + c] - side[c];
    }
}
