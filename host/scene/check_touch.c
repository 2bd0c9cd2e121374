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
static sheaf_status check_material(const sheaf_scene *scene, const sheaf_touch_material *touch)
{
    if (touch->material >= scene->material_count)
        return base_fail(SHEAF_ERR_INPUT, "touch: material %u is not in the scene", touch->material);
    SHEAF_TRY(check_number("touch_radius", touch->radius, SCENE_LIMIT_SECTION_RADIUS));
    SHEAF_TRY(check_number("friction", touch->friction, SCENE_LIMIT_TOUCH_FRICTION));
    const sheaf_material_def *def = &scene->materials[touch->material];
    if (!(touch->radius > 0) && !(scene_material_section(def).radius > 0))
        return base_fail(
            SHEAF_ERR_INPUT,
            "touch: strands of material %u '%s' have no radius to touch at; give `radius` or `touch_radius`",
            touch->material, def->name);
    return SHEAF_OK;
}

static bool is_listed(const sheaf_touch_def *def, uint32_t material)
{
    for (uint32_t k = 0; k < def->material_count; k++)
        if (def->materials[k].material == material)
            return true;
    return false;
}

static sheaf_status check_friction(const sheaf_scene *scene, const sheaf_touch_def *def,
                                   const sheaf_touch_friction *friction)
{
    for (int k = 0; k < 2; k++) {
        const uint32_t material = friction->between[k];
        if (material >= scene->material_count)
            return base_fail(SHEAF_ERR_INPUT, "touch: material %u is not in the scene", material);
        if (!is_listed(def, material))
            return base_fail(SHEAF_ERR_INPUT,
                             "touch: friction is given for material %u '%s', whose strands touch none; add it to "
                             "`pairs`",
                             material, scene->materials[material].name);
    }
    return check_number("friction", friction->friction, SCENE_LIMIT_TOUCH_FRICTION);
}

sheaf_status scene_check_touch(const sheaf_scene *scene, const sheaf_touch_def *def)
{
    SHEAF_TRY(base_check_cookie(def->cookie, "sheaf_touch_def"));
    if ((def->material_count > 0 && def->materials == NULL) || (def->friction_count > 0 && def->frictions == NULL))
        return base_fail(SHEAF_ERR_USAGE, "sheaf_scene_set_touch: a list is NULL");
    for (uint32_t k = 0; k < def->material_count; k++)
        SHEAF_TRY(check_material(scene, &def->materials[k]));
    for (uint32_t k = 0; k < def->friction_count; k++)
        SHEAF_TRY(check_friction(scene, def, &def->frictions[k]));
    SHEAF_TRY(check_number("tolerance", def->tolerance, SCENE_LIMIT_TOLERANCE));
    SHEAF_TRY(check_number("sweeps", def->sweeps, SCENE_LIMIT_TOUCH_SWEEPS));
    SHEAF_TRY(check_number("separate", def->separate, SCENE_LIMIT_SEPARATE));
    if (def->material_count > 0 && scene->def.integrator == SHEAF_INTEGRATOR_EXPLICIT)
        return base_fail(SHEAF_ERR_INPUT,
                         "touch: explicit steps cannot solve contact; use `integrator: bdf2` or euler");
    return SHEAF_OK;
}
