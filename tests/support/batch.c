// batch: many variants of a strand on the engine at once.
#include "batch.h"

#include "base/vec.h"
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit.h"

sheaf_scene_def batch_scene(void)
{
    sheaf_scene_def def = sheaf_scene_def_default();
    vec_set(def.gravity, 0, 0, 0);
    return def;
}

batch batch_begin(const sheaf_scene_def *def)
{
    batch it = {.count = 0};
    bench_demand(sheaf_scene_create(def, &it.scene));
    return it;
}

uint32_t batch_add(batch *it, const sheaf_material_def *material, const sheaf_strand_def *strand)
{
    char name[16];
    sheaf_material_def named = *material;
    sheaf_strand_def made = *strand;
    snprintf(name, sizeof name, "matter%u", it->count);
    named.name = name;
    bench_demand(sheaf_scene_add_material(it->scene, &named, &made.material));
    bench_demand(sheaf_scene_add_strand(it->scene, &made));
    return it->count++;
}

void batch_open(batch *it, double step, bool is_double)
{
    const engine_options options = {.lane_width = is_double ? 4 : 8, .is_double = is_double, .step = step};
    bench_demand(sheaf_model_create(it->scene, &it->model));
    sheaf_scene_free(it->scene);
    bench_demand(der_open_engine(it->model, &options, &it->engine));
    it->x = malloc(it->model->vertex_count * sizeof *it->x);
}

void batch_close(batch *it)
{
    engine_close(it->engine);
    sheaf_model_free(it->model);
    free(it->x);
}

void batch_run(batch *it, double time)
{
    const double step = engine_options_of(it->engine)->step;
    bench_demand(engine_step(it->engine, (uint32_t)(llrint(time / step) - (long long)engine_steps(it->engine))));
    bench_demand(der_read(it->engine, it->x, NULL));
}

const double (*batch_vertices(const batch *it, uint32_t strand))[3]
{
    return (const double(*)[3])it->x + it->model->first_vertex[strand];
}

uint32_t batch_vertex_count(const batch *it, uint32_t strand)
{
    return model_vertex_count(it->model, strand);
}

const double *batch_tip(const batch *it, uint32_t strand)
{
    return it->x[it->model->first_vertex[strand + 1] - 1];
}
