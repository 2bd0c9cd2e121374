// measure: timing of workloads.
#include "bench/measure.h"

#include "cl/engine.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS_MULTIPLE = 8, WARM_UP = 3 }; // steps; rounds that are not timed, in which launches find their pace

// A case being measured.
typedef struct station {
    sheaf_model *model;
    bool is_shared; // the model belongs to the station before
    sheaf_engine *engine;
    uint32_t steps; // of a round
    double *rates;  // [rounds]
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

double bench_strand_seconds(const bench_row *row)
{
    return row->rate / row->what.vertices * row->step;
}

// ---- stations

static bool same_population(const bench_case *a, const bench_case *b)
{
    return a->workload == b->workload && a->strands == b->strands && a->vertices == b->vertices;
}

static sheaf_status open_station(uint32_t device, const bench_case *cases, uint32_t k, bench_effort effort,
                                 station *stations)
{
    const bench_case *what = &cases[k];
    station *it = &stations[k];
    it->is_shared = k > 0 && same_population(what, &cases[k - 1]);
    if (it->is_shared)
        it->model = stations[k - 1].model;
    else
        SHEAF_TRY(bench_make_model(what, &it->model));
    const engine_options options = {
        .device = device,
        .lane_width = what->lane_width,
        .is_staged = what->is_staged,
        .step = it->model->def.step,
    };
    SHEAF_TRY(engine_open(it->model, &options, &it->engine));
    const double launches = ceil(effort.work / ((double)what->strands * what->vertices * STEPS_MULTIPLE));
    it->steps = STEPS_MULTIPLE * (uint32_t)fmax(launches, 1);
    it->rates = base_alloc(effort.rounds, sizeof *it->rates);
    return it->rates ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

static void close_station(station *it)
{
    engine_close(it->engine);
    if (!it->is_shared)
        sheaf_model_free(it->model);
    base_free(it->rates);
}

static sheaf_status time_round(const station *it, const bench_case *what, double *rate)
{
    const double start = base_clock();
    SHEAF_TRY(engine_step(it->engine, it->steps));
    SHEAF_TRY(engine_wait(it->engine));
    *rate = (double)what->strands * what->vertices * it->steps / (base_clock() - start);
    return SHEAF_OK;
}

static sheaf_status time_rounds(const station *stations, const bench_case *cases, uint32_t count, bench_effort effort,
                                peak_probe *probe, double *peak)
{
    for (uint32_t round = 0; round < WARM_UP + effort.rounds; round++)
        for (uint32_t k = 0; k < count; k++) {
            double flops, rate;
            SHEAF_TRY(peak_flops(probe, &flops));
            *peak = fmax(*peak, flops);
            SHEAF_TRY(time_round(&stations[k], &cases[k], &rate));
            if (round >= WARM_UP)
                stations[k].rates[round - WARM_UP] = rate;
        }
    return SHEAF_OK;
}

static sheaf_status fill_row(const station *it, const bench_case *what, bench_effort effort, double peak,
                             bench_row *row)
{
    sheaf_report report;
    SHEAF_TRY(engine_report(it->engine, &report));
    *row = (bench_row){
        .what = *what,
        .threads = engine_device(it->engine)->compute_units,
        .step = it->model->def.step,
        .newton = report.mean_newton,
        .projections = report.mean_projections,
        .peak = peak,
    };
    bench_quartiles(it->rates, effort.rounds, row->quartiles);
    row->rate = it->rates[effort.rounds - 1]; // sorted
    return SHEAF_OK;
}

sheaf_status bench_measure(uint32_t device, const bench_case *cases, uint32_t count, bench_effort effort,
                           peak_probe *probe, bench_row *rows)
{
    double peak = 0;
    station *stations = base_alloc(count, sizeof *stations);
    sheaf_status status = stations ? SHEAF_OK : SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < count && status == SHEAF_OK; k++)
        status = open_station(device, cases, k, effort, stations);
    if (status == SHEAF_OK)
        status = time_rounds(stations, cases, count, effort, probe, &peak);
    for (uint32_t k = 0; k < count && status == SHEAF_OK; k++)
        status = fill_row(&stations[k], &cases[k], effort, peak, &rows[k]);
    for (uint32_t k = count; stations != NULL && k > 0; k--)
        close_station(&stations[k - 1]);
    base_free(stations);
    return status;
}
