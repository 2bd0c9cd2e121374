// test_touch_memory: what contact keeps from step to step, over the seam of a closed strand, and bodies beside strands
// that touch. labels: device
#include "base/vec.h"
#include "couple/contact_parts.h"
#include "couple/rigid.h"
#include "solver/solver.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

#include "unit.h"

static void must(sheaf_status status)
{
    if (status != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
}

static sheaf_model *make_model(const char *text)
{
    sheaf_scene *scene;
    sheaf_model *model;
    must(sheaf_scene_parse(text, strlen(text), "scene", &scene));
    must(sheaf_model_create(scene, &model));
    sheaf_scene_free(scene);
    return model;
}

#define ROPE "materials: { rope: { density: 1000 kg/m^3, young: 1 MPa, shear: 0.4 MPa, radius: 2 mm } }\n"
#define RING "shape: { circle: { radius: 10 cm, vertices: 40 } }"

// A contact that slides over the seam of a closed strand starts from half the force that it had on the other side of
// it; where the edges of one strand change places by that, the force turns round.
static void forces_are_carried_over_the_seam(void **state)
{
    (void)state;
    static const double kept[3] = {1, 2, 3};
    sheaf_model *model = make_model("sheaf: 1\ntime: { step: 1/120 s }\n" ROPE "touch: { pairs: [all] }\n"
                                    "strands: [{ " RING " }]\n");
    contact_set *set;
    double rows[2][CONTACT_ROW] = {{0}, {0, 0, 0, 20, 1, 2, 3, 0, 0, 1}};
    must(contact_open(model, 1. / 120, &set));
    const uint32_t last = contact_edges(model, 0) - 1;
    must(contact_write_rows(set, 2, (const double(*)[CONTACT_ROW])rows));
    contact_pair pair = {.side = {{.strand = 0, .edge = 20}, {.strand = 0, .edge = last}}};
    contact_remember(set, &pair);
    for (int c = 0; c < 3; c++)
        assert_true(fabs(pair.force[c] - (-0.5 * kept[c])) < 1e-15);
    assert_true(fabs(pair.force_normal[2] - (-1)) < 1e-15);
    assert_false(pair.pressed);
    contact_pair far = {.side = {{.strand = 0, .edge = 20}, {.strand = 0, .edge = last - 1}}};
    contact_remember(set, &far);
    assert_true(vec_length(far.force) == 0);
    contact_close(set);
    sheaf_model_free(model);
}

// Bodies that nothing hangs on move where all strands touch each other, too.
static void bodies_move_beside_strands_that_touch(void **state)
{
    (void)state;
    sheaf_model *model = make_model("sheaf: 1\ntime: { step: 1/120 s }\n" ROPE "touch: { pairs: [all] }\n"
                                    "bodies: { ball: { at: [1 m, 0, 0], mass: 1 kg, sphere: { radius: 1 cm } } }\n"
                                    "strands: [{ shape: { straight: { length: 10 cm, vertices: 6 } } }]\n");
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_solver *solver;
    sheaf_body_pose pose;
    def.backend = SHEAF_BACKEND_DEVICE;
    must(sheaf_solver_open(model, &def, &solver));
    must(sheaf_solver_step(solver, 60));
    memset(&pose, 0, sizeof pose);
    must(sheaf_solver_read_bodies(solver, &pose, 1));
    assert_true(fabs(pose.position[2] - (-9.81 / 8)) < 0.02);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

// Air that swings takes a body along as it takes strands: the drag's force is that of the air where the body is.
static void gusts_take_bodies_along(void **state)
{
    (void)state;
    sheaf_model *model = make_model("sheaf: 1\ntime: { step: 1/120 s }\ngravity: [0, 0, 0]\n" ROPE
                                    "wind: { velocity: [2 m/s, 0, 0], gust: { strength: 1 m/s, scale: 30 cm } }\n"
                                    "bodies: { leaf: { mass: 1 g, sphere: { radius: 1 cm }, drag: 1 N*s/m } }\n"
                                    "strands: [{ shape: { straight: { length: 10 cm, vertices: 6 } } }]\n");
    rigid_state body;
    rigid_step step;
    double right[6], matrix[6][6], air[3];
    rigid_start(&model->bodies[0], &body);
    rigid_open(model, 0, 1. / 120, 1. / 120, &body, &step);
    rigid_residual(&step, right, matrix);
    model_air(model, body.center, 1. / 120, air);
    for (int c = 0; c < 3; c++)
        assert_true(fabs(right[c] - (air[c])) < 1e-12);
    assert_true(fabs(air[1]) + fabs(air[2]) > 1e-3);
    sheaf_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_carried_over_the_seam),
        cmocka_unit_test(bodies_move_beside_strands_that_touch),
        cmocka_unit_test(gusts_take_bodies_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
