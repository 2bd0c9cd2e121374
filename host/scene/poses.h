// poses: where a body is at given times, from a file.
#ifndef SHEAF_SCENE_POSES_H
#define SHEAF_SCENE_POSES_H

#include "scene/scene.h"

typedef struct scene_poses {
    double *values; // [count][SCENE_POSE_SIZE]
    bool *jumps;    // [count] the body jumps there
    uint32_t count;
} scene_poses;

// Poses as rows of text: time in s, place x, y, z in m, rotation as a quaternion w, x, y, z, and the word jump where
// the body does; one to a line, divided by commas or blanks. Lines that start with # or a letter, and empty ones, are
// passed over. Returns SHEAF_OK, SHEAF_ERR_INPUT, SHEAF_ERR_LIMIT, SHEAF_ERR_IO, SHEAF_ERR_MEMORY.
sheaf_status scene_poses_open(const char *path, scene_poses *poses);
sheaf_status scene_poses_open_memory(const void *bytes, size_t size, const char *name, scene_poses *poses);

// May be called twice.
void scene_poses_free(scene_poses *poses);

// Makes places displacements from the first one, and rotations those from the first one: what stands in the scene is
// where the body is at first. `anchor` receives the first place.
void scene_poses_from_first(scene_poses *poses, double anchor[3]);

#endif
