// measure: timing of workloads.
#include "bench/measure.h"

#include "cl/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MULTIPLE = 16 }; // steps of a round come in sixteens

// A case being measured.
typedef struct station {
    sheaf_model *model;
    bool shares_model; // with the station before
    sheaf_engine *engine;
    void *between;                           // what acts between its steps; NULL: nothing
    bool shares_engine;                      // with the station before: another stage of the same steps
    double stage_seconds[ENGINE_STAGES_MAX]; // of a staged engine's last round
    uint32_t steps;                          // of a round
    double *rates;                           // [rounds]
} station;

// ---- figures

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void bench_quartiles(double *values, uint32_t count, double quartiles[3])
{
    qsort(values, count, sizeof *values, compare);
    for (int q = 0; q < 3; q++) {
        const double place = 0.25 * (q + 1) * (count - 1);
        const uint32_t below = (uint32_t)place, above = below + 1 < count ? below + 1 : below;
        quartiles[q] = values[below] + (place - below) * (values[above] - values[below]);
    }
}

double bench_exponent(const double *x, const double *y, uint32_t count)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (uint32_t k = 0; k < count; k++) {
        const double u = log(x[k]), v = log(y[k]);
        sx += u;
        sy += v;
        sxx += u * u;
        sxy += u * v;
    }
    return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

double bench_cost(const bench_row *row)
{
    return row->peak / row->rate;
}

double bench_spread(const bench_row *row)
{
    return (row->quartiles[2] - row->quartiles[0]) / row->quartiles[1];
}

double bench_strand_seconds(const bench_row *row)
{
    return row->rate / row->what.vertices * row->step;
}

void bench_join(bench_row *row, const bench_row *again)
{
    const bench_row before = *row;
    if (again->rate > before.rate)
        *row = *again;
    row->peak = fmax(before.peak, again->peak);
    row->rounds = before.rounds + again->rounds;
}

// ---- stations

static bool same_population(const bench_case *a, const bench_case *b)
{
    return a->workload == b->workload && a->strands == b->strands && a->vertices == b->vertices &&
           a->is_stage == b->is_stage;
}

static sheaf_status open_engine(uint32_t device, const bench_case *what, station *it)
{
    return what->workload->part->open(what, it->model, device, &it->engine, &it->between);
}

static sheaf_status open_station(uint32_t device, const bench_case *cases, uint32_t k, bench_effort effort,
                                 station *stations)
{
    const bench_case *what = &cases[k];
    station *it = &stations[k];
    it->shares_model = k > 0 && same_population(what, &cases[k - 1]);
    it->shares_engine = it->shares_model && what->is_stage && what->lane_width == cases[k - 1].lane_width;
    if (it->shares_model)
        it->model = stations[k - 1].model;
    else
        SHEAF_TRY(what->workload->part->make_model(what, &it->model));
    if (it->shares_engine)
        it->engine = stations[k - 1].engine;
    else
        SHEAF_TRY(open_engine(device, what, it));
    const double launches = ceil(effort.work / ((double)what->strands * what->vertices * STEPS_MULTIPLE));
    it->steps = STEPS_MULTIPLE * (uint32_t)fmax(launches, 1);
    it->rates = base_alloc(effort.rounds, sizeof *it->rates);
    return it->rates ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

static void close_station(const bench_case *what, station *it)
{
    if (it->between != NULL)
        what->workload->part->close_between(it->between);
    if (!it->shares_engine)
        engine_close(it->engine);
    if (!it->shares_model)
        sheaf_model_free(it->model);
    base_free(it->rates);
}

// ---- rounds

// Steps of a film: snapshots as a run takes them where a frame is two steps long.
static sheaf_status film(sheaf_engine *engine, uint32_t steps)
{
    uint32_t after[STEPS_MULTIPLE / 2];
    for (uint32_t k = 0; k < STEPS_MULTIPLE / 2; k++)
        after[k] = 2 * (k + 1);
    for (uint32_t done = 0; done < steps; done += STEPS_MULTIPLE)
        SHEAF_TRY(engine_step_noting(engine, STEPS_MULTIPLE, after, STEPS_MULTIPLE / 2, true));
    return SHEAF_OK;
}

// Steps between each of which something acts on the strands.
static sheaf_status step_by_step(const bench_part *part, const station *it)
{
    for (uint32_t k = 0; k < it->steps; k++) {
        SHEAF_TRY(part->act_between(it->between));
        SHEAF_TRY(engine_step(it->engine, 1));
    }
    return SHEAF_OK;
}

static sheaf_status advance(const bench_case *what, const station *it)
{
    if (it->between != NULL)
        return step_by_step(what->workload->part, it);
    return what->workload->is_filmed ? film(it->engine, it->steps) : engine_step(it->engine, it->steps);
}

// Steps of a round; seconds that all of them took, and those of every stage.
static sheaf_status run_round(const bench_case *what, station *it, double *seconds)
{
    engine_stage_time before[ENGINE_STAGES_MAX], after[ENGINE_STAGES_MAX];
    SHEAF_TRY(engine_stage_times(it->engine, before));
    const double start = base_clock();
    SHEAF_TRY(advance(what, it));
    SHEAF_TRY(engine_wait(it->engine));
    *seconds = base_clock() - start;
    SHEAF_TRY(engine_stage_times(it->engine, after));
    for (int stage = 0; stage < ENGINE_STAGES_MAX; stage++)
        it->stage_seconds[stage] = after[stage].seconds - before[stage].seconds;
    return SHEAF_OK;
}

static sheaf_status time_round(station *stations, const bench_case *cases, uint32_t k, double *rate)
{
    const bench_case *what = &cases[k];
    station *it = &stations[k];
    double seconds = 0;
    if (it->shares_engine)
        memcpy(it->stage_seconds, stations[k - 1].stage_seconds, sizeof it->stage_seconds);
    else
        SHEAF_TRY(run_round(what, it, &seconds));
    if (what->is_stage)
        seconds = fmax(it->stage_seconds[what->stage], 1e-9);
    *rate = (double)what->strands * what->vertices * it->steps / seconds;
    return SHEAF_OK;
}

static bool is_stopped(bench_effort effort)
{
    return effort.stop != NULL && effort.stop();
}

// One round of every case in turn; `peak` is raised to the best probe before one of them.
static sheaf_status time_cases(station *stations, const bench_case *cases, uint32_t count, peak_probe *probe,
                               uint32_t round, double *peak)
{
    for (uint32_t k = 0; k < count; k++) {
        double flops, rate;
        SHEAF_TRY(peak_flops(probe, &flops));
        *peak = fmax(*peak, flops);
        SHEAF_TRY(time_round(stations, cases, k, &rate));
        if (round >= BENCH_WARM_UP)
            stations[k].rates[round - BENCH_WARM_UP] = rate;
    }
    return SHEAF_OK;
}

// Returns the number of rounds that were timed.
static sheaf_status time_rounds(station *stations, const bench_case *cases, uint32_t count, bench_effort effort,
                                peak_probe *probe, double *peak, uint32_t *timed)
{
    *timed = 0;
    for (uint32_t round = 0; round < BENCH_WARM_UP + effort.rounds && !is_stopped(effort); round++) {
        SHEAF_TRY(time_cases(stations, cases, count, probe, round, peak));
        *timed = round >= BENCH_WARM_UP ? round - BENCH_WARM_UP + 1 : 0;
    }
    return *timed > 0 ? SHEAF_OK : SHEAF_ERR_INTERRUPTED;
}

static sheaf_status fill_row(const station *it, const bench_case *what, uint32_t rounds, double peak, bench_row *row)
{
    sheaf_report report;
    SHEAF_TRY(engine_report(it->engine, &report));
    *row = (bench_row){
        .what = *what,
        .threads = engine_device(it->engine)->compute_units,
        .step = it->model->def.step,
        .newton = report.mean_newton,
        .projections = report.mean_projections,
        .strain = report.worst_strain,
        .memory = (double)engine_memory_use(it->engine).used,
        .peak = peak,
        .rounds = rounds,
        .launch = what->is_staged ? 1 : engine_options_of(it->engine)->steps_per_launch,
    };
    bench_quartiles(it->rates, rounds, row->quartiles);
    row->rate = it->rates[rounds - 1]; // sorted
    return SHEAF_OK;
}

sheaf_status bench_measure(uint32_t device, const bench_case *cases, uint32_t count, bench_effort effort,
                           peak_probe *probe, bench_row *rows)
{
    double peak = 0;
    uint32_t timed = 0;
    station *stations = base_alloc(count, sizeof *stations);
    sheaf_status status = stations ? SHEAF_OK : SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < count && status == SHEAF_OK; k++)
        status = is_stopped(effort) ? SHEAF_ERR_INTERRUPTED : open_station(device, cases, k, effort, stations);
    if (status == SHEAF_OK)
        status = time_rounds(stations, cases, count, effort, probe, &peak, &timed);
    for (uint32_t k = 0; k < count && status == SHEAF_OK; k++)
        status = fill_row(&stations[k], &cases[k], timed, peak, &rows[k]);
    for (uint32_t k = count; stations != NULL && k > 0; k--)
        close_station(&cases[k - 1], &stations[k - 1]);
    base_free(stations);
    return status;
}
