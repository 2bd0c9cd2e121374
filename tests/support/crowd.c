// crowd: small populations for tests of the engine.
#include "crowd.h"

#include <math.h>

#include "unit.h"

static sheaf_strand_def make_strand(const crowd *c, uint32_t s)
{
    static const sheaf_hold_def turning = {.edge = 1,
                                           .twist = {.kind = SHEAF_COURSE_RAMP, .value = 0.5, .duration = 0.5}};
    sheaf_strand_def strand = sheaf_strand_def_default();
    strand.shape = SHEAF_SHAPE_HELIX;
    strand.vertex_count = c->vertex_count - (c->is_ragged ? s % 5 : 0);
    strand.length = 0.15 * (1 + 0.1 * sin(s));
    strand.origin[0] = 0.01 * s;
    strand.direction[0] = sin(0.3 * s);
    strand.direction[1] = cos(0.7 * s);
    strand.direction[2] = -0.5;
    strand.radius = 0.005;
    strand.pitch = 0.04;
    strand.natural_twist = 8;
    strand.root = sheaf_end_clamped();
    strand.root.motion = s % 2 ? 0 : -1;
    if (c->is_mixed && s % 3 == 0) {
        strand.root = s % 2 ? sheaf_end_pinned() : sheaf_end_clamped();
        strand.tip.force[0] = (sheaf_course){.kind = SHEAF_COURSE_SINE, .value = 1e-6, .duration = 0.3};
        strand.holds = s % 2 ? &turning : NULL;
        strand.hold_count = s % 2;
    }
    return strand;
}

static sheaf_scene *make_scene(const crowd *c)
{
    sheaf_scene_def def = sheaf_scene_def_default();
    def.step = c->step;
    def.integrator = c->integrator;
    sheaf_scene *scene;
    assert_int_equal(sheaf_scene_create(&def, &scene), SHEAF_OK);
    sheaf_motion_def motion = sheaf_motion_def_default();
    motion.name = "shake";
    motion.axis[1] = 1;
    motion.turn = (sheaf_course){.kind = SHEAF_COURSE_SINE, .value = 0.5, .duration = 0.7};
    assert_int_equal(sheaf_scene_add_motion(scene, &motion, NULL), SHEAF_OK);
    sheaf_material_def material = sheaf_material_def_default();
    material.name = "hair";
    material.density = 1300;
    material.young = 3.9e9;
    material.shear = 0.89e9;
    material.radius[0] = 45e-6;
    material.radius[1] = 35e-6;
    material.damping = c->is_damped ? 1e-4 : 0;
    assert_int_equal(sheaf_scene_add_material(scene, &material, NULL), SHEAF_OK);
    return scene;
}

sheaf_model *crowd_model(const crowd *c)
{
    sheaf_scene *scene = make_scene(c);
    sheaf_model *model;
    for (uint32_t s = 0; s < c->strand_count; s++) {
        const sheaf_strand_def strand = make_strand(c, c->members ? c->members[s] : s);
        assert_int_equal(sheaf_scene_add_strand(scene, &strand), SHEAF_OK);
    }
    assert_int_equal(sheaf_model_create(scene, &model), SHEAF_OK);
    sheaf_scene_free(scene);
    return model;
}
