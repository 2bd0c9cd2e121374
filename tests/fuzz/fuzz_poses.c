// fuzz_poses: any bytes as a file of poses.
#include "fuzz.h"
#include "scene/poses.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    double anchor[3];
    scene_poses poses;
    char *exact = malloc(size + (size == 0)); // so that a byte too far is seen
    fuzz_require(exact != NULL);
    memcpy(exact, data, size);
    const sheaf_status status = scene_poses_open_memory(exact, size, "fuzz", &poses);
    if (status == SHEAF_OK) {
        fuzz_require(poses.count > 0 && poses.count <= size && !poses.jumps[0]);
        scene_poses_from_first(&poses, anchor);
        for (size_t k = 0; k < SCENE_POSE_SIZE * (size_t)poses.count; k++)
            fuzz_require(isfinite(poses.values[k]));
    } else {
        fuzz_require((status == SHEAF_ERR_INPUT || status == SHEAF_ERR_LIMIT) && poses.values == NULL);
    }
    scene_poses_free(&poses);
    free(exact);
    return 0;
}
