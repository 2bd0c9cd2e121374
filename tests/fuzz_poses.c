// fuzz_poses: any bytes as a file of poses.
#include "fuzz.h"
#include "scene/poses.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    double *poses, anchor[3];
    uint32_t count;
    char *exact = malloc(size + (size == 0)); // so that a byte too far is seen
    fuzz_require(exact != NULL);
    memcpy(exact, data, size);
    const sheaf_status status = scene_poses_open_memory(exact, size, "fuzz", &poses, &count);
    if (status == SHEAF_OK) {
        fuzz_require(count > 0 && count <= size);
        scene_poses_from_first(poses, count, anchor);
        for (size_t k = 0; k < SCENE_POSE_SIZE * (size_t)count; k++)
            fuzz_require(isfinite(poses[k]));
    } else {
        fuzz_require((status == SHEAF_ERR_INPUT || status == SHEAF_ERR_LIMIT) && poses == NULL);
    }
    base_free(poses);
    free(exact);
    return 0;
}
