// skin: where roots that are bound to a mesh go as it deforms.
#include "world/world.h"

#include "base/vec.h"

// By its largest component, which none else makes small.
void model_turn_between(const double from[3][3], const double to[3][3], double q[4])
{
    double r[3][3] = {{0}};
    for (int k = 0; k < 3; k++)
        for (int row = 0; row < 3; row++)
            vec_axpy(r[row], to[k][row], from[k]);
    const double squares[4] = {1 + r[0][0] + r[1][1] + r[2][2], 1 + r[0][0] - r[1][1] - r[2][2],
                               1 - r[0][0] + r[1][1] - r[2][2], 1 - r[0][0] - r[1][1] + r[2][2]};
    const double wx = r[2][1] - r[1][2], wy = r[0][2] - r[2][0], wz = r[1][0] - r[0][1];
    const double xy = r[0][1] + r[1][0], yz = r[1][2] + r[2][1], zx = r[2][0] + r[0][2];
    const double rows[4][4] = {
        {squares[0], wx, wy, wz}, {wx, squares[1], xy, zx}, {wy, xy, squares[2], yz}, {wz, zx, yz, squares[3]}};
    int largest = 0;
    for (int k = 1; k < 4; k++)
        if (squares[k] > squares[largest])
            largest = k;
    const double length = 2 * sqrt(squares[largest]);
    for (int k = 0; k < 4; k++)
        q[k] = rows[largest][k] / length;
}

// Where a bound root is in a frame, as a pose from the first one.
static void write_pose(const model_skin *skin, const double start[3], const double axes[3][3], uint32_t frame,
                       double pose[SCENE_POSE_SIZE])
{
    double place[3], now[3][3];
    mesh_sequence_pose(skin->sequence, &skin->binding, frame, place, now);
    pose[0] = mesh_sequence_time(skin->sequence, frame);
    vec_sub(pose + 1, place, start);
    model_turn_between(axes, (const double(*)[3])now, pose + 4);
}

// The frames before and after each of the two times.
static void write_path(const model_skin *skin, double t0, double t1, model_path *path)
{
    const uint32_t last = skin->sequence->frame_count - 1;
    const uint32_t at[2] = {mesh_sequence_frame(skin->sequence, t0), mesh_sequence_frame(skin->sequence, t1)};
    double axes[3][3];
    path->motion = (sheaf_motion_def){.axis = {0, 0, 1}, .poses = path->poses[0]};
    mesh_sequence_pose(skin->sequence, &skin->binding, 0, path->motion.anchor, axes);
    uint32_t next = 0; // frames before it are there
    for (int k = 0; k < 4; k++) {
        const uint32_t frame = at[k / 2] + (uint32_t)(k % 2);
        if (frame > last || (k > 0 && frame < next))
            continue;
        write_pose(skin, path->motion.anchor, (const double(*)[3])axes, frame, path->poses[path->motion.pose_count++]);
        next = frame + 1;
    }
}

const sheaf_motion_def *model_end_motion(const sheaf_model *model, const model_strand *strand, const sheaf_end_def *end,
                                         double t0, double t1, model_path *path)
{
    if (end->motion < 0)
        return NULL;
    if (end != strand->root || strand->skin == NULL)
        return &model->motions[end->motion];
    write_path(strand->skin, t0, t1, path);
    return &path->motion;
}
