// check_cable: ranges of what is said of cables: steps, reeving, winches.
#include "scene/limits.h"

static sheaf_status check_value(const char *where, const char *name, double value, scene_limit_id id)
{
    if (scene_within(id, value))
        return SHEAF_OK;
    return base_fail(SHEAF_ERR_INPUT, "%s: %s is %.9g; it must be from %g to %g %s", where, name, value,
                     scene_limits[id].least, scene_limits[id].most, scene_limits[id].unit);
}

sheaf_status scene_check_cable_step(const sheaf_cable_step *step)
{
    if ((unsigned)step->bend > SHEAF_CABLE_BEND_TANGENT)
        return base_fail(SHEAF_ERR_INPUT, "cable step: bend is %u, which is none of its choices", step->bend);
    if ((unsigned)step->tension > SHEAF_CABLE_TENSION_NONE)
        return base_fail(SHEAF_ERR_INPUT, "cable step: tension is %u, which is none of its choices", step->tension);
    return check_value("cable step", "damping", step->damping, SCENE_LIMIT_DAMPING_STEPS);
}

sheaf_status scene_check_reeving(const sheaf_scene *scene, const sheaf_reeving_def *def)
{
    static const char where[] = "reeving";
    SHEAF_TRY(base_check_cookie(def->cookie, "sheaf_reeving_def"));
    if (def->path == NULL)
        return base_fail(SHEAF_ERR_USAGE, "%s: path is NULL", where);
    if (def->point_count < 2 || def->point_count > SCENE_MOST_REEVED)
        return base_fail(def->point_count < 2 ? SHEAF_ERR_INPUT : SHEAF_ERR_LIMIT,
                         "%s: its path has %u points; it must have 2 to %d", where, def->point_count,
                         SCENE_MOST_REEVED);
    SHEAF_TRY(check_value(where, "length", def->length, SCENE_LIMIT_REEVED));
    SHEAF_TRY(check_value(where, "stiffness", def->stiffness, SCENE_LIMIT_JOINT_STRETCH));
    SHEAF_TRY(scene_check_course(where, "change", &def->change, SCENE_LIMIT_COORDINATE));
    bool moves = false;
    for (uint32_t k = 0; k < def->point_count; k++) {
        for (int c = 0; c < 3; c++)
            SHEAF_TRY(check_value(where, "at", def->path[k].at[c], SCENE_LIMIT_COORDINATE));
        if (def->path[k].body < -1 || def->path[k].body >= (int64_t)scene->body_count)
            return base_fail(SHEAF_ERR_INPUT, "%s: body %d is not in the scene; -1 stands for none", where,
                             def->path[k].body);
        moves = moves || def->path[k].body >= 0;
    }
    if (!moves)
        return base_fail(SHEAF_ERR_INPUT, "%s: none of its points is on a body; it would hold nothing", where);
    if (!(def->stiffness > 0))
        return base_fail(SHEAF_ERR_INPUT, "%s: stiffness is %g N/m; it must be above 0", where, def->stiffness);
    return SHEAF_OK;
}

sheaf_status scene_check_winch(const sheaf_scene *scene, const scene_group *cable, const sheaf_winch_def *winch)
{
    if (cable == NULL || cable->strand.method != scene_cable_method())
        return base_fail(SHEAF_ERR_USAGE, "winch: what was added last is no cable");
    SHEAF_TRY(check_value("winch", "store", winch->store, SCENE_LIMIT_REEVED));
    if (winch->body >= scene->body_count)
        return base_fail(SHEAF_ERR_INPUT, "winch: body %u is not in the scene", winch->body);
    const sheaf_body_def *drum = &scene->bodies[winch->body];
    if (!drum->axle.is_there)
        return base_fail(SHEAF_ERR_INPUT, "winch: body '%s' has no axle; add axle: { axis: y } to it", drum->name);
    if (!drum->has_shape || drum->shape.kind != SHEAF_COLLIDER_CYLINDER)
        return base_fail(SHEAF_ERR_INPUT, "winch: body '%s' is no cylinder; give it one about its axle", drum->name);
    if (cable->joint_count == 0 || cable->joints[0].edge != 0 || cable->joints[0].body != winch->body ||
        cable->joints[0].kind != SHEAF_JOINT_BALL)
        return base_fail(SHEAF_ERR_USAGE, "winch: the root of the cable has no ball joint to body '%s'", drum->name);
    if (!(winch->store < cable->cable.length))
        return base_fail(SHEAF_ERR_INPUT, "winch: all of the cable is on the drum; make it longer than %g m",
                         winch->store);
    return SHEAF_OK;
}
