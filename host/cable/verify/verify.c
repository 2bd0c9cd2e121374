// verify: cables on a device against the reference: positions after whole steps, in every form, and the same bits in
// all forms of a precision. Kernels eliminate blocks along the chain; the reference assembles one matrix.
#include "cable/cable.h"
#include "cable/device/device.h"
#include "cable/population.h"
#include "cl/engine.h"
#include "verify/compare.h"
#include "verify/rows.h"

#include <string.h>

enum { STOPS = 3 };

static const char stage[] = "cable";
static const char *const stage_names[] = {stage, NULL};
static const uint32_t stops[STOPS] = {1, 10, 100};

// Errors are shares of a cable's length. Loads weigh up to a thousand times as much as a segment, and single precision
// loses as many digits in the pivots of their joints.
static const verify_quantity distances[STOPS] = {{.name = "1 step", .bar = {1e-6, 1e-11}},
                                                 {.name = "10 steps", .bar = {2e-6, 1e-11}},
                                                 {.name = "100 steps", .bar = {1e-5, 1e-9}}};
static const verify_quantity bits = {.name = "bits of all forms", .bar = {0, 0}};

// Cables that are compared: where the reference has them, and hashes of the first form's bits.
typedef struct trial {
    verifier *v;
    sheaf_model *model;
    double (*expected[STOPS])[3]; // [vertex] m
    double (*found)[3];
    uint64_t *hashes; // [cable] of the first form of this precision
    bool has_hashes;
} trial;

static bool is_wanted(const verifier *v)
{
    return verify_wants(v, stage) && v->options->staged_text == NULL && v->options->fused_text == NULL;
}

static uint32_t count_work(const verifier *v)
{
    uint32_t work = 1;
    for (int k = 0; k < VERIFY_FORM_COUNT; k++)
        work += verify_wants_form(v, &verify_form_list[k]);
    return is_wanted(v) ? work : 0;
}

// Whether the comparison at a stop is made: the first always is.
static bool has_stop(const trial *t, int stop)
{
    return stop < STOPS && (stop == 0 || stops[stop] <= t->v->options->steps);
}

// Steps from the stop before (or the start) to a stop.
static uint32_t steps_to(int stop)
{
    return stop == 0 ? stops[0] : stops[stop] - stops[stop - 1];
}

// ---- the reference

static sheaf_status step_reference(trial *t, void *cables)
{
    const method_sample all = {1, t->model->first_vertex};
    for (int k = 0; has_stop(t, k); k++) {
        SHEAF_TRY(cable_on_reference.step(cables, steps_to(k)));
        SHEAF_TRY(cable_on_reference.read_positions(cables, all, t->expected[k]));
    }
    return SHEAF_OK;
}

static sheaf_status find_expected(trial *t)
{
    const method_open how = {.step = t->model->def.step};
    void *cables;
    verify_progress(t->v, "the reference of cables");
    SHEAF_TRY(cable_on_reference.open(t->model, &how, &cables));
    const sheaf_status status = step_reference(t, cables);
    cable_on_reference.close(cables);
    return status;
}

// ---- the device

static sheaf_status compare_positions(trial *t, int stop)
{
    for (uint32_t s = 0; s < t->model->strand_count; s++) {
        comparison error = {.scale = 0};
        double length = 0;
        for (uint64_t i = t->model->first_vertex[s]; i < t->model->first_vertex[s + 1]; i++) {
            compare_vector(&error, t->found[i], t->expected[stop][i]);
            length += t->model->rest_length[i];
        }
        SHEAF_TRY(rows_add(t->v, stage, &distances[stop], error.error / length));
    }
    return SHEAF_OK;
}

// The whole state of a cable, vertex by vertex and number by number.
static sheaf_status hash_field(const trial *t, sheaf_engine *engine, uint32_t field, uint64_t *hashes)
{
    const bundle_set *set = engine_bundles(engine);
    const method_field *its = &cable_device.bundles.fields[field];
    void *memory = base_alloc(bundles_bytes(set, field), 1);
    sheaf_status status = memory != NULL ? engine_read_array(engine, field, memory) : SHEAF_ERR_MEMORY;
    for (uint32_t s = 0; s < t->model->strand_count && status == SHEAF_OK; s++) {
        const uint32_t rows = its->rows == FIELD_ROWS_BUNDLE ? 1 : model_vertex_count(t->model, s) - 1;
        for (uint32_t i = 0; i < rows; i++)
            for (uint32_t c = 0; c < its->components; c++) {
                const double value = bundles_get(set, field, memory, s, i, c);
                hashes[s] = base_hash(&value, sizeof value, hashes[s]);
            }
    }
    base_free(memory);
    return status;
}

static sheaf_status compare_bits(trial *t, sheaf_engine *engine)
{
    const uint32_t count = t->model->strand_count;
    uint64_t *now = base_alloc(count, sizeof *now);
    sheaf_status status = now != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
    for (uint32_t field = 0; field < CABLE_FIELD_COUNT && status == SHEAF_OK; field++)
        if (cable_device.bundles.fields[field].role == FIELD_ROLE_STATE)
            status = hash_field(t, engine, field, now);
    if (status == SHEAF_OK && !t->has_hashes)
        memcpy(t->hashes, now, count * sizeof *now);
    t->has_hashes = true;
    for (uint32_t s = 0; s < count && status == SHEAF_OK; s++)
        status = rows_add(t->v, stage, &bits, now[s] != t->hashes[s]);
    base_free(now);
    return status;
}

static sheaf_status step_device(trial *t, sheaf_engine *engine)
{
    for (int k = 0; has_stop(t, k); k++) {
        SHEAF_TRY(engine_step(engine, steps_to(k)));
        SHEAF_TRY(cable_read(engine, CABLE_READ_POSITIONS, -1, 1, t->model->first_vertex, t->found));
        SHEAF_TRY(compare_positions(t, k));
    }
    return compare_bits(t, engine);
}

static sheaf_status verify_form_of(trial *t)
{
    const verifier *v = t->v;
    const engine_options options = {.device = v->options->device,
                                    .lane_width = v->form.lane_width,
                                    .is_double = v->form.is_double,
                                    .step = t->model->def.step};
    sheaf_engine *engine;
    t->v->schedule = "fused";
    verify_progress(t->v, stage);
    if (v->stopped)
        return SHEAF_OK;
    SHEAF_TRY(engine_open(&cable_device, t->model, &options, &engine));
    const sheaf_status status = step_device(t, engine);
    engine_close(engine);
    if (status == SHEAF_OK)
        rows_emit(t->v);
    return status;
}

// ---- all of it

static sheaf_status allocate(trial *t)
{
    const uint64_t vertices = t->model->vertex_count;
    bool ok = true;
    for (int k = 0; has_stop(t, k); k++)
        ok = (t->expected[k] = base_alloc(vertices, sizeof *t->expected[k])) != NULL && ok;
    t->found = base_alloc(vertices, sizeof *t->found);
    t->hashes = base_alloc(t->model->strand_count, sizeof *t->hashes);
    return ok && t->found != NULL && t->hashes != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

static sheaf_status verify_forms_of(trial *t)
{
    SHEAF_TRY(allocate(t));
    t->v->form = verify_form_list[0];
    SHEAF_TRY(find_expected(t));
    for (int is_double = 0; is_double < 2; is_double++) {
        t->has_hashes = false;
        for (int k = 0; k < VERIFY_FORM_COUNT; k++) {
            if (verify_form_list[k].is_double != (is_double != 0) || !verify_wants_form(t->v, &verify_form_list[k]))
                continue;
            t->v->form = verify_form_list[k];
            SHEAF_TRY(verify_form_of(t));
        }
    }
    return SHEAF_OK;
}

static sheaf_status verify_all(verifier *v)
{
    const uint32_t most = v->options->vertex_most;
    const cable_population population = {.count = v->options->strands,
                                         .first = v->options->first,
                                         .vertices_least = most < 6 ? most : 6,
                                         .vertices_most = most,
                                         .ratio_most = 1000,
                                         .seed = v->options->seed};
    trial t = {.v = v};
    if (!is_wanted(v))
        return SHEAF_OK;
    sheaf_status status = cable_population_create(&population, &t.model);
    if (status == SHEAF_OK)
        status = verify_forms_of(&t);
    for (int k = 0; k < STOPS; k++)
        base_free(t.expected[k]);
    base_free(t.found);
    base_free(t.hashes);
    sheaf_model_free(t.model);
    return status;
}

const verify_part cable_verify = {.stages = stage_names, .work = count_work, .run = verify_all};
