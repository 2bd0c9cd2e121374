// count: flops and bytes of every stage of a step, and what a GPU does in a whole one.
#include "count.h"

#include <stdlib.h>
#include <string.h>

#include "count_form.h"
#include "traffic.h"
#include "twin.h"
#include "unit.h"

#include "der/device/device_parts.h"

enum { STRANDS = 8, STEPS_BEFORE = 3, NEWTON = 2, PROJECTIONS = 2, PASSES = 8 };

count_form count_bdf2, count_blown, count_explicit, count_jacobi, count_chebyshev, count_red_black;
count_form count_gpu_bdf2; // right sides in a loop of their own, as GPUs have them
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
    uint8_t *marks;      // [number]
    size_t first_number; // of all stretches, one after the other
} stretch;

enum { MARK_READ = 1, MARK_WRITTEN = 2, STRETCHES = DER_FIELD_COUNT + 1 };

static struct {
    stretch stretches[STRETCHES];
    bench_count count;
    bool without_scratch; // numbers of the scratch do not count
    size_t number_count;
    double operations[COUNT_KINDS], accesses;
    traffic *caches[STRANDS][BENCH_SHARES]; // NULL: there are none
} tally;

static const stretch *find_stretch(const volatile void *place)
{
    const char *at = (const char *)place;
    for (int k = 0; k < STRETCHES; k++)
        if (at >= tally.stretches[k].start && at < tally.stretches[k].end)
            return &tally.stretches[k];
    return NULL;
}

static size_t index_in(const stretch *it, const volatile void *place)
{
    return (size_t)((const char *)place - it->start) / sizeof(float);
}

static uint8_t *find_mark(const volatile void *place)
{
    const stretch *it = find_stretch(place);
    return it == NULL || (tally.without_scratch && it->is_scratch) ? NULL : &it->marks[index_in(it, place)];
}

// Rows are [component][strand]: a strand's numbers are those with its place in the bundle.
static void pass_caches(const volatile void *place, bool writes)
{
    const stretch *it = find_stretch(place);
    if (it == NULL || tally.caches[0][0] == NULL)
        return;
    const size_t index = it->first_number + index_in(it, place);
    tally.accesses++;
    for (int k = 0; k < BENCH_SHARES; k++)
        traffic_use(tally.caches[index % STRANDS][k], (uint32_t)(index / STRANDS), writes);
}

void count_flops(unsigned flops)
{
    tally.count.flops += flops;
    if (flops > 0)
        tally.operations[COUNT_SIMPLE]++;
}

// Divisions and roots are among those counted by flops, too.
void count_operation(count_kind kind)
{
    tally.operations[kind]++;
    if (kind == COUNT_DIVISION || kind == COUNT_ROOT)
        tally.operations[COUNT_SIMPLE]--;
}

void count_load(const volatile void *place)
{
    uint8_t *mark = find_mark(place);
    pass_caches(place, false);
    if (mark != NULL && *mark == 0) {
        *mark = MARK_READ;
        tally.count.read += sizeof(float);
    }
}

void count_store(const volatile void *place)
{
    uint8_t *mark = find_mark(place);
    pass_caches(place, true);
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
    const size_t first = tally.number_count;
    tally.number_count += (size / sizeof(float) + STRANDS - 1) / STRANDS * STRANDS;
    return (stretch){memory, (const char *)memory + size, is_scratch, marks, first};
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
    int newton;
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
    for (int k = 0; k < r->newton; k++) {
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
static sheaf_engine make_engine(const sheaf_model *model, uint32_t newton)
{
    const bundle_options packing = {.width = STRANDS, .step = model->def.step};
    der_engine own = {.has_air = model->gust_count > 0, .has_colliders = model->collider_count > 0};
    sheaf_engine engine = {
        .method = &der_device,
        .model = model,
        .options = {.lane_width = STRANDS, .step = model->def.step, .tuning = {[DER_NEWTON_MIN] = newton, newton}}};
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
    sheaf_engine engine = make_engine(model, NEWTON);
    twin it = twin_open(&engine);
    it.arguments.bundle_end = 1;
    watch_twin(&engine, &it);
    run r = {.it = &it, .form = forms[form].run, .newton = NEWTON};
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

// ---- a whole step on a GPU

static void open_caches(void)
{
    for (int strand = 0; strand < STRANDS; strand++)
        for (int k = 0; k < BENCH_SHARES; k++)
            tally.caches[strand][k] =
                traffic_open((uint32_t)(bench_shares[k] / sizeof(float)), (uint32_t)(tally.number_count / STRANDS));
}

static double passed(int share)
{
    uint64_t numbers = 0;
    for (int strand = 0; strand < STRANDS; strand++)
        numbers += traffic_passed(tally.caches[strand][share]);
    return (double)numbers * sizeof(float);
}

static void close_caches(void)
{
    for (int strand = 0; strand < STRANDS; strand++)
        for (int k = 0; k < BENCH_SHARES; k++) {
            traffic_close(tally.caches[strand][k]);
            tally.caches[strand][k] = NULL;
        }
}

// Of the step that is taken, after another one that fills the caches.
static bench_work measure_work(const run *r, double vertex_steps)
{
    bench_work work = {0};
    double before[BENCH_SHARES];
    open_caches();
    run_step(r);
    clear_tally(false);
    memset(tally.operations, 0, sizeof tally.operations);
    tally.accesses = 0;
    for (int k = 0; k < BENCH_SHARES; k++)
        before[k] = passed(k);
    run_step(r);
    for (int k = 0; k < BENCH_SHARES; k++)
        work.bytes[k] = (passed(k) - before[k]) / vertex_steps;
    work.simple = tally.operations[COUNT_SIMPLE] / vertex_steps;
    work.choices = tally.operations[COUNT_CHOICE] / vertex_steps;
    work.divisions = tally.operations[COUNT_DIVISION] / vertex_steps;
    work.roots = tally.operations[COUNT_ROOT] / vertex_steps;
    work.accesses = tally.accesses / vertex_steps;
    close_caches();
    return work;
}

bench_work count_work(der_workload workload, uint32_t vertices, uint32_t newton)
{
    const bench_case what = {
        .workload = &der_workloads[workload], .strands = STRANDS, .vertices = vertices, .is_stage = true};
    sheaf_model *model;
    if (der_bench_model(&what, &model) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    sheaf_engine engine = make_engine(model, newton);
    twin it = twin_open(&engine);
    const bool is_explicit = model->def.integrator == SHEAF_INTEGRATOR_EXPLICIT;
    const run r = {.it = &it, .form = is_explicit ? count_explicit : count_gpu_bdf2, .newton = (int)newton};
    it.arguments.bundle_end = 1;
    watch_twin(&engine, &it);
    for (int k = 0; k < STEPS_BEFORE; k++)
        run_step(&r);
    const bench_work work = measure_work(&r, (double)STRANDS * vertices);
    watch_nothing();
    twin_close(&it);
    bundles_free(&engine.bundles);
    free(engine.own);
    sheaf_model_free(model);
    return work;
}
