// populations: hair on the cap of a sphere.
#include "populations.h"

#include "scene/scene.h"

#include <math.h>

grow_def population_def(uint32_t count, uint32_t vertices)
{
    return (grow_def){
        .surface = {.kind = GROW_ELLIPSOID, .radii = {0.09, 0.09, 0.09}, .cap = 1.2, .up = {0, 0, 1}},
        .where = {.axis = {0, 0, 1}, .cosine = -2, .above = -INFINITY, .below = INFINITY},
        .count = count,
        .vertices = vertices,
        .length = 0.2,
        .seed = 7,
    };
}

grow_population *population_grow(grow_def def)
{
    grow_population *grown;
    grow_create(&def, (grow_room){SCENE_MAX_STRANDS, SCENE_MAX_ALL_VERTICES}, &grown);
    return grown;
}
