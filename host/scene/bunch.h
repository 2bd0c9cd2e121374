// bunch: strands that a scene takes from a file.
#ifndef SHEAF_SCENE_BUNCH_H
#define SHEAF_SCENE_BUNCH_H

#include "groom/groom.h"
#include "scene/scene.h"

// How the strands of a file become those of a scene.
typedef struct scene_bunch_def {
    double metres_per_unit; // 0: as the file says
    groom_up up;            // of the file; unknown: as it says
    groom_up scene_up;      // where that axis is to point
    bool ghosts;            // a vertex behind each root, for clamps
} scene_bunch_def;

// Reads a file of strands, its first frame if it has several. Vertices that repeat the one before, and strands that
// have fewer than 3 vertices then, are left out, and a notice counts them. Returns SHEAF_OK, SHEAF_ERR_INPUT,
// SHEAF_ERR_LIMIT, SHEAF_ERR_IO, SHEAF_ERR_MEMORY.
sheaf_status scene_bunch_load(const char *path, const scene_bunch_def *def, scene_bunch **bunch);

// Makes of a share of the strands, at least `least` of them and their roots spread evenly, a bunch of its own, and
// another of the others, which is NULL where none are left. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status scene_bunch_split(const scene_bunch *bunch, double share, uint32_t least, uint64_t seed,
                               scene_bunch **chosen, scene_bunch **others);

// Another owner, and one owner less; the last one frees it. NULL is allowed.
scene_bunch *scene_bunch_share(scene_bunch *bunch);
void scene_bunch_release(scene_bunch *bunch);

#endif
