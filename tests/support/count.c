// count: flops and bytes of every stage of a step.
#include "count.h"

#include <stdlib.h>
#include <string.h>

#include "count_form.h"
#include "twin.h"
#include "unit.h"

#include "der/device/device_parts.h"

enum { STRANDS = 8, STEPS_BEFORE = 3, NEWTON = 2, PROJECTIONS = 2, PASSES = 8 };

count_form count_bdf2, count_blown, count_explicit, count_jacobi, count_chebyshev, count_red_black;
static const struct {
    count_form *run;
    der_workload workload;
} forms[BENCH_FORM_COUNT] = {
    [BENCH_FORM_BDF2] = {count_bdf2, BENCH_BDF2_2NEWTON},
    [BENCH_FORM_BLOWN] = {count_blown, BENCH_CURLS_BLOWN},
    [BENCH_FORM_EXPLICIT] = {count_explicit, BENCH_EXPLICIT},
    [BENCH_FORM_JACOBI] = {count_jacobi, BENCH_JACOBI},
    [BENCH_FORM_CHEBYSHEV] = {count_chebyshev, BENCH_CHEBYSHEV},
    [BENCH_FORM_RED_BLACK] = {count_red_black, BENCH_RED_BLACK},
};

// ---- counting

// A stretch of memory, and which of its numbers were read and written.
typedef struct stretch {
    const char *start, *end;
    bool is_scratch;
    uint8_t *marks; // [number]
} stretch;

enum { MARK_READ = 1, MARK_WRITTEN = 2, STRETCHES = DER_FIELD_COUNT + 1 };

static struct {
    stretch stretches[STRETCHES];
    bench_count count;
    bool without_scratch; // numbers of the scratch do not count
} tally;

static uint8_t *find_mark(const volatile void *place)
{
    const char *at = (const char *)place;
    for (int k = 0; k < STRETCHES; k++) {
        const stretch *it = &tally.stretches[k];
        if (at >= it->start && at < it->end)
            return tally.without_scratch && it->is_scratch ? NULL
                                                           : &it->marks[(size_t)(at - it->start) / sizeof(float)];
    }
    return NULL;
}

void count_flops(unsigned flops)
{
    tally.count.flops += flops;
}

void count_load(const volatile void *place)
{
    uint8_t *mark = find_mark(place);
    if (mark != NULL && *mark == 0) {
        *mark = MARK_READ;
        tally.count.read += sizeof(float);
    }
}

void count_store(const volatile void *place)
{
    uint8_t *mark = find_mark(place);
    if (mark != NULL && !(*mark & MARK_WRITTEN)) {
        *mark |= MARK_WRITTEN;
        tally.count.written += sizeof(float);
    }
}

static void clear_tally(bool without_scratch)
{
    for (int k = 0; k < STRETCHES; k++)
        memset(tally.stretches[k].marks, 0,
               (size_t)(tally.stretches[k].end - tally.stretches[k].start) / sizeof(float) + 1);
    tally.count = (bench_count){0};
    tally.without_scratch = without_scratch;
}

static stretch watch(const void *memory, size_t size, bool is_scratch)
{
    uint8_t *marks = calloc(size / sizeof(float) + 1, 1);
    assert_non_null(marks);
    return (stretch){memory, (const char *)memory + size, is_scratch, marks};
}

static void watch_twin(const sheaf_engine *engine, const twin *it)
{
    for (der_field array = 0; array < DER_FIELD_COUNT; array++)
        tally.stretches[array] = watch(it->arguments.arrays[array], bundles_bytes(&engine->bundles, array), false);
    tally.stretches[DER_FIELD_COUNT] = watch(it->arguments.scratch, engine_scratch_size(engine), true);
}

static void watch_nothing(void)
{
    for (int k = 0; k < STRETCHES; k++)
        free(tally.stretches[k].marks);
    memset(&tally, 0, sizeof tally);
}

// ---- steps, in the order of host/cl/launch.c

typedef struct run {
    twin *it;
    count_form *form;
    bench_sheet *sheet; // to add counts to, or NULL: all are summed in the tally
} run;

static void run_stage(const run *r, engine_stage stage, int iteration)
{
    if (r->sheet != NULL)
        clear_tally(false);
    r->form(&r->it->arguments, stage, iteration);
    if (r->sheet == NULL)
        return;
    bench_count *sum = &r->sheet->stages[stage];
    sum->flops += tally.count.flops;
    sum->read += tally.count.read;
    sum->written += tally.count.written;
}

static void run_projections(const run *r, bool has_colliders)
{
    if (has_colliders)
        run_stage(r, STAGE_collide, 0);
    for (int k = 0; k < PROJECTIONS; k++)
        run_stage(r, STAGE_project, k);
    for (int k = 1; has_colliders && k <= PASSES; k++)
        run_stage(r, STAGE_collide, k);
    run_stage(r, STAGE_finish, 0);
}

static void run_implicit(const run *r, bool is_blown)
{
    run_stage(r, STAGE_guess, 0);
    if (is_blown)
        run_stage(r, STAGE_wind, 0);
    for (int k = 0; k < NEWTON; k++) {
        run_stage(r, STAGE_newton, k);
        run_stage(r, STAGE_frames, k);
        run_stage(r, STAGE_curvature, k);
        run_stage(r, STAGE_twist, k);
        if (is_blown)
            run_stage(r, STAGE_contact, k);
        run_stage(r, STAGE_assemble, k);
        run_stage(r, STAGE_solve, k);
    }
    run_projections(r, is_blown);
}

static void run_explicit(const run *r)
{
    static const engine_stage stages[] = {STAGE_start, STAGE_curvature, STAGE_twist, STAGE_bend_twist, STAGE_integrate};
    for (size_t k = 0; k < sizeof stages / sizeof *stages; k++)
        run_stage(r, stages[k], 0);
    run_projections(r, false);
}

static void run_step(const run *r)
{
    const sheaf_model *model = engine_model(r->it->engine);
    twin_set_ends(r->it);
    if (model->def.integrator == SHEAF_INTEGRATOR_EXPLICIT)
        run_explicit(r);
    else
        run_implicit(r, model->collider_count > 0);
    r->it->arguments.step++;
}

// ---- sheets

// As much of an engine as bundles and settings need.
static sheaf_engine make_engine(const sheaf_model *model)
{
    const bundle_options packing = {.width = STRANDS, .step = model->def.step};
    der_engine own = {.has_air = model->gust_count > 0, .has_colliders = model->collider_count > 0};
    sheaf_engine engine = {
        .method = &der_device,
        .model = model,
        .options = {.lane_width = STRANDS, .step = model->def.step, .tuning = {[DER_NEWTON_MIN] = NEWTON, NEWTON}}};
    engine.own = malloc(sizeof own);
    memcpy(engine.own, &own, sizeof own);
    assert_int_equal(bundles_sort(&der_device.bundles, model, &packing, &engine.bundles), SHEAF_OK);
    assert_int_equal(engine.bundles.count, 1);
    return engine;
}

static void divide(bench_count *count, double parts)
{
    count->flops /= parts;
    count->read /= parts;
    count->written /= parts;
}

// From sums over all strands to one strand, one iteration.
static void take_means(bench_sheet *sheet, bool is_explicit)
{
    static const engine_stage iterated[] = {STAGE_newton,  STAGE_frames,   STAGE_curvature, STAGE_twist,
                                            STAGE_contact, STAGE_assemble, STAGE_solve};
    for (engine_stage stage = 0; stage < STAGE_COUNT; stage++)
        divide(&sheet->stages[stage], STRANDS);
    divide(&sheet->step, STRANDS);
    for (size_t k = 0; k < sizeof iterated / sizeof *iterated && !is_explicit; k++)
        divide(&sheet->stages[iterated[k]], NEWTON);
    divide(&sheet->stages[STAGE_project], PROJECTIONS);
}

bench_sheet count_sheet(bench_form form, uint32_t vertices)
{
    const bench_case what = {
        .workload = &der_workloads[forms[form].workload], .strands = STRANDS, .vertices = vertices, .is_stage = true};
    bench_sheet sheet = {0};
    sheaf_model *model;
    if (der_bench_model(&what, &model) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    sheaf_engine engine = make_engine(model);
    twin it = twin_open(&engine);
    it.arguments.bundle_end = 1;
    watch_twin(&engine, &it);
    run r = {.it = &it, .form = forms[form].run};
    for (int k = 0; k < STEPS_BEFORE; k++)
        run_step(&r);
    clear_tally(true);
    run_step(&r);
    sheet.step = tally.count;
    r.sheet = &sheet;
    run_step(&r);
    take_means(&sheet, model->def.integrator == SHEAF_INTEGRATOR_EXPLICIT);
    watch_nothing();
    twin_close(&it);
    bundles_free(&engine.bundles);
    free(engine.own);
    sheaf_model_free(model);
    return sheet;
}
