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

static sheaf_status read_pose(groom_input *input, double pose[SCENE_POSE_SIZE])
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
    skip_blanks(input);
    if (groom_peek(input) >= 0 && groom_peek(input) != '\n' && groom_peek(input) != '#')
        return groom_fail(input, "a pose has 8 numbers: time, x, y, z, qw, qx, qy, qz");
    double square = 0;
    for (int k = 4; k < SCENE_POSE_SIZE; k++)
        square += pose[k] * pose[k];
    return square > 1e-12 ? SHEAF_OK : groom_fail(input, "the rotation of a pose is 0; it must be a quaternion");
}

static sheaf_status read_poses(groom_input *input, double **poses, uint32_t *count)
{
    uint32_t capacity = 0;
    for (; groom_peek(input) >= 0; skip_line(input)) {
        if (!has_numbers(input))
            continue;
        if (*count == MOST_POSES)
            return base_fail(SHEAF_ERR_LIMIT, "%s: more than %d poses", input->name, MOST_POSES);
        if (*count == capacity) {
            capacity = 2 * capacity + 16;
            double *grown = base_realloc(*poses, capacity, SCENE_POSE_SIZE * sizeof **poses);
            if (grown == NULL)
                return SHEAF_ERR_MEMORY;
            *poses = grown;
        }
        double *pose = *poses + SCENE_POSE_SIZE * (size_t)*count;
        SHEAF_TRY(read_pose(input, pose));
        if (*count > 0 && !(pose[0] > pose[-SCENE_POSE_SIZE]))
            return groom_fail(input, "the time %g is not after the one before it", pose[0]);
        (*count)++;
    }
    if (input->status != SHEAF_OK)
        return input->status;
    return *count > 0
               ? SHEAF_OK
               : base_fail(SHEAF_ERR_INPUT, "%s: no poses; a line holds time, x, y, z, qw, qx, qy, qz", input->name);
}

static sheaf_status open_input(groom_input *input, double **poses, uint32_t *count)
{
    locale_t own, before;
    *poses = NULL;
    *count = 0;
    SHEAF_TRY(groom_enter_c_locale(&own, &before));
    const sheaf_status status = read_poses(input, poses, count);
    groom_leave_c_locale(own, before);
    if (status != SHEAF_OK) {
        base_free(*poses);
        *poses = NULL;
        *count = 0;
    }
    return status;
}

sheaf_status scene_poses_open(const char *path, double **poses, uint32_t *count)
{
    groom_input input;
    *poses = NULL;
    SHEAF_TRY(groom_input_open(path, &input));
    const sheaf_status status = open_input(&input, poses, count);
    groom_input_close(&input);
    return status;
}

sheaf_status scene_poses_open_memory(const void *bytes, size_t size, const char *name, double **poses, uint32_t *count)
{
    groom_input input;
    groom_input_memory(bytes, size, name, &input);
    return open_input(&input, poses, count);
}

void scene_poses_from_first(double *poses, uint32_t count, double anchor[3])
{
    double first[SCENE_POSE_SIZE];
    memcpy(first, poses, sizeof first);
    vec_copy(anchor, first + 1);
    for (uint32_t k = 0; k < count; k++) {
        double *pose = poses + SCENE_POSE_SIZE * (size_t)k, *q = pose + 4, w = q[0], v[3];
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
