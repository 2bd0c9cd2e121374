// check_touch: what may be said of strands that touch each other.
#include "scene/limits.h"

#include <math.h>

static sheaf_status check_number(const char *name, double value, scene_limit_id id)
{
    if (scene_within(id, value))
        return SHEAF_OK;
    return base_fail(SHEAF_ERR_INPUT, "touch: %s is %.9g; it must be from %.9g to %.9g", name, value,
                     scene_limits[id].least, scene_limits[id].most);
}

// A material whose strands touch has a size at which they do.
static sheaf_status check_material(const sheaf_scene *scene, uint32_t material)
{
    if (material >= scene->material_count)
        return base_fail(SHEAF_ERR_INPUT, "touch: material %u is not in the scene", material);
    const sheaf_material_def *def = &scene->materials[material];
    if (!(def->touch_radius > 0) && !(scene_material_section(def).radius > 0))
        return base_fail(
            SHEAF_ERR_INPUT,
            "touch: strands of material %u '%s' have no radius to touch at; give `radius` or `touch_radius`", material,
            def->name);
    return SHEAF_OK;
}

sheaf_status scene_check_touch(const sheaf_scene *scene, const sheaf_touch_def *def)
{
    SHEAF_TRY(base_check_cookie(def->cookie, "sheaf_touch_def"));
    if ((def->material_count > 0 && def->materials == NULL) || (def->friction_count > 0 && def->frictions == NULL))
        return base_fail(SHEAF_ERR_USAGE, "sheaf_scene_set_touch: a list is NULL");
    for (uint32_t k = 0; k < def->material_count; k++)
        SHEAF_TRY(check_material(scene, def->materials[k]));
    for (uint32_t k = 0; k < def->friction_count; k++) {
        SHEAF_TRY(check_material(scene, def->frictions[k].between[0]));
        SHEAF_TRY(check_material(scene, def->frictions[k].between[1]));
        SHEAF_TRY(check_number("friction", def->frictions[k].friction, SCENE_LIMIT_TOUCH_FRICTION));
    }
    SHEAF_TRY(check_number("tolerance", def->tolerance, SCENE_LIMIT_TOLERANCE));
    SHEAF_TRY(check_number("sweeps", def->sweeps, SCENE_LIMIT_TOUCH_SWEEPS));
    SHEAF_TRY(check_number("separate", def->separate, SCENE_LIMIT_SEPARATE));
    if (def->material_count > 0 && scene->def.integrator == SHEAF_INTEGRATOR_EXPLICIT)
        return base_fail(SHEAF_ERR_INPUT,
                         "touch: explicit steps cannot solve contact; use `integrator: bdf2` or euler");
    return SHEAF_OK;
}
