// world: scenes as text, run on either backend, and how deep their strands are in colliders.
#include "world.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "der/ref/ref.h"
#include "unit.h"
#include "world/world.h"

sheaf_model *world_model(const char *text)
{
    sheaf_scene *scene;
    sheaf_model *model;
    if (sheaf_scene_parse(text, strlen(text), "world", &scene) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    if (sheaf_model_create(scene, &model) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    sheaf_scene_free(scene);
    return model;
}

sheaf_solver *world_open(const sheaf_model *model, sheaf_backend backend, bool is_double)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_solver *solver;
    def.backend = backend;
    def.is_double = is_double;
    if (sheaf_solver_open(model, &def, &solver) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    return solver;
}

void world_run(const sheaf_model *model, sheaf_backend backend, bool is_double, uint32_t steps, double (*positions)[3])
{
    sheaf_solver *solver = world_open(model, backend, is_double);
    assert_int_equal(sheaf_solver_step(solver, steps), SHEAF_OK);
    assert_int_equal(sheaf_solver_read_positions(solver, positions, model->vertex_count), SHEAF_OK);
    sheaf_solver_close(solver);
}

static double depth_of(const sheaf_model *model, const model_collider *collider, const double point[3], double time)
{
    double center[3], axes[3][3], own[3], arm[3], normal[3];
    model_collider_pose(model, collider, time, center, axes);
    vec_sub(arm, point, center);
    for (int c = 0; c < 3; c++)
        own[c] = vec_dot(axes[c], arm);
    return -model_collider_gap(collider, own, normal);
}

double world_deepest(const sheaf_model *model, const double (*positions)[3], double time)
{
    double worst = -INFINITY;
    for (uint32_t s = 0; s < model->strand_count; s++)
        for (uint64_t i = model->first_vertex[s] + 2; i < model->first_vertex[s + 1]; i++)
            for (uint32_t k = 0; k < model->collider_count; k++)
                worst = fmax(worst, depth_of(model, &model->colliders[k], positions[i], time));
    return worst;
}

double world_apart(const sheaf_model *model, const double (*a)[3], const double (*b)[3])
{
    double worst = 0;
    for (uint64_t i = 0; i < model->vertex_count; i++) {
        double apart[3];
        vec_sub(apart, a[i], b[i]);
        worst = fmax(worst, vec_length(apart));
    }
    return worst;
}
