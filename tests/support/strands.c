// strands: one strand made through the public interface, ready to be stepped by the reference.
#include "strands.h"

#include "base/vec.h"

#include "unit.h"

strand_def strand_def_default(void)
{
    strand_def def = {.scene = sheaf_scene_def_default(),
                      .material = sheaf_material_def_default(),
                      .motion = sheaf_motion_def_default(),
                      .strand = sheaf_strand_def_default()};
    def.material.name = "matter";
    def.motion.name = NULL;
    vec_set(def.scene.gravity, 0, 0, 0);
    return def;
}

strand_def strand_def_swing(void)
{
    strand_def def = strand_def_default();
    vec_set(def.scene.gravity, 0, 0, -9.81);
    def.material.density = 1000;
    def.material.radius[0] = def.material.radius[1] = 0.01;
    def.material.young = 3.924e7;
    def.material.shear = def.material.young / 3;
    def.strand.vertex_count = 32;
    def.strand.length = 1;
    vec_set(def.strand.direction, 1, 0, 0);
    return def;
}

static void make_model(const strand_def *def, sheaf_model **model)
{
    sheaf_scene *scene;
    uint32_t material;
    if (sheaf_scene_create(&def->scene, &scene) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    if (def->motion.name && sheaf_scene_add_motion(scene, &def->motion, NULL) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    if (sheaf_scene_add_material(scene, &def->material, &material) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    if (sheaf_scene_add_strand(scene, &def->strand) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    if (sheaf_model_create(scene, model) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    sheaf_scene_free(scene);
}

strand strand_open(const strand_def *def)
{
    strand it = {.step = def->scene.step};
    make_model(def, &it.model);
    assert_int_equal(state_create(it.model, &it.state), SHEAF_OK);
    assert_int_equal(rod_open(it.state, 0, &it.rod), SHEAF_OK);
    assert_int_equal(ref_start(&it.rod, 0), SHEAF_OK);
    return it;
}

void strand_close(strand *it)
{
    rod_close(&it->rod);
    state_free(it->state);
    sheaf_model_free(it->model);
}

void strand_run(strand *it, uint64_t steps)
{
    for (uint64_t k = 0; k < steps; k++) {
        assert_int_equal(ref_step(&it->rod, (double)it->steps * it->step, it->step), SHEAF_OK);
        it->steps++;
    }
}

double strand_strain(const strand *it)
{
    const ref_rod *rod = &it->rod;
    double worst = 0;
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        double edge[3];
        vec_sub(edge, rod->x[rod_next_vertex(rod, j)], rod->x[j]);
        const double strain = fabs(vec_length(edge) / rod->rest_length[j] - 1);
        if (isnan(strain))
            return strain;
        worst = fmax(worst, strain);
    }
    return worst;
}

void strand_momentum(const strand *it, double momentum[3], double angular[3])
{
    const ref_rod *rod = &it->rod;
    vec_set(momentum, 0, 0, 0);
    vec_set(angular, 0, 0, 0);
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        double moment[3];
        vec_cross(moment, rod->x[i], rod->v[i]);
        vec_axpy(momentum, rod->mass[i], rod->v[i]);
        vec_axpy(angular, rod->mass[i], moment);
    }
}

double strand_elastic_energy(strand *it)
{
    ref_curvature(&it->rod);
    return ref_bending_energy(&it->rod) + ref_twisting_energy(&it->rod);
}
