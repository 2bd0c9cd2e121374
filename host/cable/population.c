// population: random cables.
#include "cable/population.h"

#include "base/vec.h"
#include "cable/cable.h"

#include <stdio.h>

static const double pi = 3.14159265358979323846;
static const double line_mass = 1.6;  // kg/m, of a steel rope of 2 cm
static const double steel = 7850;     // kg/m^3, of loads
static const double tilt_most = 0.35; // rad; cables that fall from higher whip their tips, and rounding grows with that

enum { STREAM_SHAPE = 0xCAB1, STREAM_ENDS = 0xCAB2 };

// What is drawn at random of a cable.
typedef struct rope {
    uint32_t vertices;
    double length;
    double direction[3];
    bool is_clamped; // at its root
    enum { LOADED, PULLED, LOOSE } tip;
    double load;    // kg
    double pull[3]; // N
} rope;

static rope draw(const cable_population *options, uint32_t number)
{
    double shape[4], ends[4];
    rope r;
    base_uniform4(options->seed, STREAM_SHAPE, number, shape);
    base_uniform4(options->seed, STREAM_ENDS, number, ends);
    const double tilt = tilt_most * shape[0], azimuth = 2 * pi * shape[1];
    r.vertices =
        options->vertices_least + (uint32_t)(shape[2] * (options->vertices_most - options->vertices_least + 1));
    r.length = 3 + 5 * shape[3];
    vec_set(r.direction, sin(tilt) * cos(azimuth), sin(tilt) * sin(azimuth), -cos(tilt));
    r.is_clamped = ends[0] < 0.5;
    r.tip = options->is_loaded || ends[1] < 0.6 ? LOADED : ends[1] < 0.8 ? PULLED : LOOSE;
    r.load = line_mass * r.length / (r.vertices - 1) * exp(ends[2] * log(options->ratio_most));
    vec_set(r.pull, 40 * (ends[2] - 0.5), 40 * (ends[3] - 0.5), 20);
    return r;
}

static sheaf_status add_load(sheaf_scene *scene, const rope *r, const double tip[3], uint32_t number, uint32_t *body)
{
    char name[32];
    const double edge = cbrt(r->load / steel);
    sheaf_body_def def = sheaf_body_def_default();
    snprintf(name, sizeof name, "load %u", number);
    def.name = name;
    def.mass = r->load;
    def.has_shape = true;
    def.shape = sheaf_collider_def_default();
    def.shape.kind = SHEAF_COLLIDER_BOX;
    vec_set(def.shape.size, edge / 2, edge / 2, edge / 2);
    vec_copy(def.at, tip);
    vec_axpy(def.at, edge / 2, r->direction);
    return sheaf_scene_add_body(scene, &def, body);
}

static sheaf_status add_rope(sheaf_scene *scene, const rope *r, uint32_t number)
{
    const sheaf_cable_def cable = {.stretch = 18e6};
    sheaf_strand_def def = sheaf_strand_def_default();
    sheaf_joint_def joint = {.kind = SHEAF_JOINT_BALL, .edge = r->vertices - 2};
    double tip[3];
    def.vertex_count = r->vertices;
    def.length = r->length;
    def.clamp_mid_edge = false;
    vec_set(def.origin, 0.1 * (number % 32), 0.1 * (number / 32 % 32), 0); // they do not touch
    vec_copy(def.direction, r->direction);
    def.root = r->is_clamped ? sheaf_end_clamped() : sheaf_end_pinned();
    def.root.motion = 0;
    def.tip = r->tip == LOADED ? sheaf_end_pinned() : sheaf_end_free();
    for (int c = 0; c < 3 && r->tip == PULLED; c++)
        def.tip.force[c].value = r->pull[c];
    vec_copy(tip, def.origin);
    vec_axpy(tip, r->length, r->direction);
    if (r->tip == LOADED)
        SHEAF_TRY(add_load(scene, r, tip, number, &joint.body));
    return sheaf_scene_add_cable(scene, &def, &cable, &joint, r->tip == LOADED);
}

// A trolley that goes 1 m aside and tilts, without jerks: these send waves along a cable that amplify rounding.
static sheaf_motion_def make_motion(void)
{
    sheaf_motion_def trolley = sheaf_motion_def_default();
    trolley.name = "trolley";
    trolley.move[0] = (sheaf_course){.kind = SHEAF_COURSE_RAMP, .smooth = true, .value = 1, .duration = 1.5};
    trolley.turn = (sheaf_course){.kind = SHEAF_COURSE_RAMP, .smooth = true, .value = pi / 18, .duration = 1.5};
    trolley.axis[0] = 1;
    trolley.axis[2] = 0;
    return trolley;
}

static sheaf_status fill(sheaf_scene *scene, const cable_population *options)
{
    const sheaf_motion_def trolley = make_motion();
    sheaf_material_def steel_rope = sheaf_material_def_default();
    steel_rope.name = "rope";
    steel_rope.line_mass = line_mass;
    steel_rope.bend[0] = steel_rope.bend[1] = 100;
    steel_rope.twist = 70;
    steel_rope.radius[0] = steel_rope.radius[1] = 0.01;
    SHEAF_TRY(sheaf_scene_add_motion(scene, &trolley, NULL));
    SHEAF_TRY(sheaf_scene_add_material(scene, &steel_rope, NULL));
    for (uint32_t k = 0; k < options->count; k++) {
        const rope r = draw(options, options->first + k);
        SHEAF_TRY(add_rope(scene, &r, k));
    }
    return SHEAF_OK;
}

sheaf_status cable_population_create(const cable_population *options, sheaf_model **model)
{
    sheaf_scene_def def = sheaf_scene_def_default();
    sheaf_scene *scene;
    *model = NULL;
    def.step = 1.0 / 60;
    SHEAF_TRY(sheaf_scene_create(&def, &scene));
    sheaf_status status = fill(scene, options);
    if (status == SHEAF_OK)
        status = sheaf_model_create(scene, model);
    sheaf_scene_free(scene);
    return status;
}
