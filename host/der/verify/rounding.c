// rounding: what rounding the input to single precision costs, near the origin and far from it. Everywhere else both
// sides start from the same rounded numbers; here the reference has the numbers as they were given.
#include "der/verify/parts.h"

#include "base/vec.h"
#include "der/verify/measure.h"
#include "der/verify/population.h"
#include "verify/compare.h"

#include <string.h>

enum { COUNTS = 2, OFFSETS = 3, VERTEX_MOST = 256 };

static const uint32_t vertex_counts[COUNTS] = {64, VERTEX_MOST};
static const double offsets[OFFSETS] = {0, 1.5, 100}; // m from the origin
static const verify_quantity quantities[COUNTS] = {{.name = "force, 64 vertices", .bar = {1e-4, 1e-10}},
                                                   {.name = "force, 256 vertices", .bar = {1e-3, 1e-9}}};

typedef struct rounding_run {
    verifier *v;
    const sheaf_model *model;
    sheaf_engine *engine;
    sheaf_state *state;
    void *scratch;
    const verify_quantity *quantity;
} rounding_run;

// Elastic forces of the device after the stages that lead to them.
static sheaf_status find_forces(rounding_run *run)
{
    static const engine_stage stages[] = {STAGE_start, STAGE_curvature, STAGE_bend_twist};
    SHEAF_TRY(engine_begin_step(run->engine, 0));
    for (size_t k = 0; k < sizeof stages / sizeof stages[0]; k++)
        SHEAF_TRY(engine_run_stage(run->engine, DER_EVEN, stages[k], 0));
    return engine_read_scratch(run->engine, run->scratch);
}

static sheaf_status compare_strand(rounding_run *run, uint32_t strand, ref_rod *rod)
{
    double device[VERTEX_MOST][3] = {{0}};
    comparison forces = {0};
    SHEAF_TRY(rod_aim(run->state, strand, rod));
    ref_frames(rod);
    measure_elastic_forces(rod);
    measure_device_forces(run->engine, run->scratch, strand, rod->vertex_count, device);
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        compare_vector(&forces, device[i], rod->force[i]);
    return rows_add(run->v, "rounding", run->quantity, compare_relative(&forces));
}

static sheaf_status compare_all(rounding_run *run)
{
    ref_rod rod;
    SHEAF_TRY(find_forces(run));
    sheaf_status status = rod_open(run->state, 0, &rod);
    for (uint32_t s = 0; s < run->model->strand_count && status == SHEAF_OK; s++)
        status = compare_strand(run, s, &rod);
    rod_close(&rod);
    return status;
}

static sheaf_status verify_model(rounding_run *run)
{
    const engine_options options = verify_engine_options(run->v, run->model->def.step);
    SHEAF_TRY(der_open_engine(run->model, &options, &run->engine));
    SHEAF_TRY(state_create(run->model, &run->state));
    run->scratch = base_alloc(engine_scratch_bytes(run->engine), 1);
    return run->scratch ? compare_all(run) : SHEAF_ERR_MEMORY;
}

static sheaf_status verify_population(verifier *v, int count, double offset)
{
    const uint32_t strands = (v->options->strands + OFFSETS - 1) / OFFSETS;
    sheaf_model *model;
    SHEAF_TRY(population_create_smooth(vertex_counts[count], offset, strands, v->options->seed, &model));
    rounding_run run = {.v = v, .model = model, .quantity = &quantities[count]};
    const sheaf_status status = verify_model(&run);
    base_free(run.scratch);
    state_free(run.state);
    engine_close(run.engine);
    sheaf_model_free(model);
    return status;
}

sheaf_status verify_rounding(verifier *v)
{
    for (int count = 0; count < COUNTS; count++)
        for (int k = 0; k < OFFSETS && verify_wants(v, "rounding"); k++)
            SHEAF_TRY(verify_population(v, count, offsets[k]));
    return SHEAF_OK;
}
