// chains: cables of particles that are dropped with a load, Table I and figures 2 to 5 of the paper on rigid-body
// cables: which mass ratios they bear, and how their links stretch and bend.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "base/vec.h"
#include "reproduce/answers.h"
#include "reproduce/particles.h"
#include "reproduce/reproduce.h"

enum { LINKS = 5, SAMPLES = 1800, BINS = 40, SOFTNESSES = 4, SPECTRA = 3, RESOLUTIONS = 4 };

static const double step = 1.0 / 60, seconds = 30, gravity = 10; // s, s, m/s^2
static const double side = 1e-2;                                 // m out of the plane

static particle_cable cable_of(particle_model model, double link, double other, double ratio)
{
    return (particle_cable){
        .model = model, .count = LINKS, .ratio = ratio, .link = link, .other = other, .step = step, .gravity = gravity};
}

// ---- Table I

static const struct row {
    const char *name;
    particle_model model;
    double link, other, ratio;
    bool breaks; // at three times the ratio
} rows[] = {
    {"a", PARTICLE_CHAIN, 1e-8, 0, 1e2, true},         {"b", PARTICLE_MASSLESS, 1e-8, 1e-9, 1e2, true},
    {"c", PARTICLE_DIRECT, 1e-8, 1e-9, 1e3, false},    {"c", PARTICLE_DIRECT, 1e-8, 1e-12, 1e7, false},
    {"c", PARTICLE_DIRECT, 1e-18, 1e-22, 1e15, false}, {"d", PARTICLE_TRUNCATED, 1e-8, 1e-9, 1e2, true},
    {"e", PARTICLE_BENDING, 1e-8, 1e-4, 1e3, true},    {"e", PARTICLE_BENDING, 1e-11, 1e-9, 1e7, true},
    {"e", PARTICLE_BENDING, 1e-18, 1e-17, 1e15, true},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

// Dropped from horizontal it swings by its length: how far it is off that, as a share; 1: it breaks.
static double fault_of(const particle_cable *it)
{
    const particle_outcome out = particles_drop(it, seconds);
    return out.holds ? fabs(out.swing / it->count - 1) : 1;
}

static sheaf_status judge_holds(reproduce_run *run, const char *quantity, const particle_cable *it)
{
    const double fault = fault_of(it);
    return reproduce_verdict(run, quantity, fault, 0, fault, 0.2);
}

static sheaf_status judge_breaks(reproduce_run *run, const char *quantity, const particle_cable *it)
{
    const double fault = fault_of(it);
    return reproduce_verdict(run, quantity, fault, 1, 1 - fault, 0);
}

static sheaf_status do_table(reproduce_run *run)
{
    for (uint32_t k = 0; k < ROWS; k++) {
        const struct row *r = &rows[k];
        particle_cable it = cable_of(r->model, r->link, r->other, r->ratio);
        char quantity[96];
        snprintf(quantity, sizeof quantity, "(%s) %g, %g m/N holds a ratio of %g: off by (share)", r->name, r->link,
                 r->other, r->ratio);
        SHEAF_TRY(judge_holds(run, quantity, &it));
        it.ratio *= 3;
        snprintf(quantity, sizeof quantity, "(%s) %g, %g m/N breaks at a ratio of %g", r->name, r->link, r->other,
                 it.ratio);
        if (r->breaks)
            SHEAF_TRY(judge_breaks(run, quantity, &it));
    }
    return SHEAF_OK;
}

// Out of the plane the angle needs a direction.
static sheaf_status do_side(reproduce_run *run)
{
    for (uint32_t k = 0; k < ROWS; k++) {
        particle_cable it = cable_of(rows[k].model, rows[k].link, rows[k].other, rows[k].ratio);
        char quantity[96];
        if (it.model != PARTICLE_BENDING)
            continue;
        it.side = side;
        snprintf(quantity, sizeof quantity, "(e) %g, %g, 1 cm out of the plane, as printed: breaks", it.link, it.other);
        SHEAF_TRY(judge_breaks(run, quantity, &it));
        it.model = PARTICLE_DIRECTED;
        snprintf(quantity, sizeof quantity, "(e) %g, %g, 1 cm out of the plane, two rows: off by (share)", it.link,
                 it.other);
        SHEAF_TRY(judge_holds(run, quantity, &it));
    }
    return SHEAF_OK;
}

// ---- bending as a force

// The last of ratios that grow by a tenth which holds; 0: none.
static double last_ratio(particle_model model, uint32_t count, double other, double from)
{
    double last = 0;
    double ratio = from;
    while (ratio < 1e8) {
        particle_cable it = cable_of(model, 1e-8, other, ratio);
        it.count = count;
        if (!particles_drop(&it, seconds).holds)
            break;
        last = ratio;
        ratio *= 1.1;
    }
    return last;
}

static sheaf_status do_force(reproduce_run *run)
{
    static const double soft[SOFTNESSES] = {1e-2, 2e-3, 1e-3, 1e-4};
    double table[SOFTNESSES][3];
    for (uint32_t k = 0; k < SOFTNESSES; k++)
        vec_set(table[k], soft[k], last_ratio(PARTICLE_BENDING, LINKS, soft[k], 1),
                last_ratio(PARTICLE_FORCED, LINKS, soft[k], 1));
    const double gain = table[SOFTNESSES - 1][1] / table[0][1], lost = table[SOFTNESSES - 1][2] / table[0][2];
    SHEAF_TRY(reproduce_verdict(run, "a hundred times stiffer bends bear more by, as a constraint: short of 4", gain, 8,
                                fmax(0, 4 - gain), 0));
    SHEAF_TRY(reproduce_verdict(run, "and of what they bore, as an explicit force: above 0.1", lost, 0,
                                fmax(0, lost - 0.1), 0));
    return reproduce_csv(run, "force", "softness_rad_per_Nm,ratio_as_constraint,ratio_as_force", table[0], SOFTNESSES,
                         3);
}

// Stiffness against bending helps less where there are more particles.
static sheaf_status do_resolutions(reproduce_run *run)
{
    static const uint32_t counts[RESOLUTIONS] = {3, 5, 10, 20};
    double table[RESOLUTIONS][2], rise = 0;
    for (uint32_t k = 0; k < RESOLUTIONS; k++) {
        table[k][0] = counts[k];
        table[k][1] = last_ratio(PARTICLE_DIRECTED, counts[k], 1e-8, 1e3);
        if (k > 0)
            rise = fmax(rise, table[k][1] / table[k - 1][1]);
    }
    SHEAF_TRY(reproduce_verdict(run, "(e) with 3, 5, 10 and 20 particles: largest growth of the ratio (falls)", rise, 0,
                                fmax(0, rise - 1), 0));
    return reproduce_csv(run, "particles", "particles,ratio", table[0], RESOLUTIONS, 2);
}

// ---- figures 2 to 5

typedef struct course {
    double stretch[SAMPLES], angle[SAMPLES];
} course;

static sheaf_status watch(particle_model model, double other, double ratio, course *c)
{
    const particle_cable it = cable_of(model, 1e-6, other, ratio);
    particle_state s;
    particles_start(&it, &s);
    for (uint32_t k = 0; k < SAMPLES; k++) {
        if (!particles_step(&it, &s))
            return base_fail(SHEAF_ERR_INPUT, "a chain of particles broke");
        c->stretch[k] = s.stretch;
        c->angle[k] = s.angle;
    }
    return SHEAF_OK;
}

static double moment(const double *y, int power, double about)
{
    double sum = 0;
    for (uint32_t k = 0; k < SAMPLES; k++)
        sum += pow(y[k] - about, power);
    return sum / SAMPLES;
}

static double spread_of(const double *y)
{
    return sqrt(moment(y, 2, moment(y, 1, 0)));
}

// A distribution whose fourth moment is less than that of an even one, 1.8 squares, has its peaks at its ends.
static double peaks_of(const double *y)
{
    const double mean = moment(y, 1, 0), square = moment(y, 2, mean);
    return moment(y, 4, mean) < 1.8 * square * square ? 2 : 1;
}

// How far from a line three samples in a row are, of their spread.
static double roughness_of(const double *y)
{
    double sum = 0;
    for (uint32_t k = 1; k + 1 < SAMPLES; k++)
        sum += pow(y[k + 1] - 2 * y[k] + y[k - 1], 2);
    return sqrt(sum / (SAMPLES - 2)) / spread_of(y);
}

// Powers of all frequencies; returns that below which are 95 % of them, Hz.
static double spectrum_of(const double *y, double power[SAMPLES / 2])
{
    const double mean = moment(y, 1, 0);
    double all = 0, sum = 0;
    for (uint32_t f = 0; f < SAMPLES / 2; f++) {
        double re = 0, im = 0;
        for (uint32_t k = 0; k < SAMPLES; k++) {
            const double turn = 2 * PI * (double)((uint64_t)f * k % SAMPLES) / SAMPLES;
            re += (y[k] - mean) * cos(turn);
            im += (y[k] - mean) * sin(turn);
        }
        power[f] = re * re + im * im;
        all += power[f];
    }
    for (uint32_t f = 0; f < SAMPLES / 2; f++) {
        sum += power[f];
        if (sum >= 0.95 * all)
            return f / (SAMPLES * step);
    }
    return 0.5 / step;
}

// Factor 3 either way.
static sheaf_status judge_size(reproduce_run *run, const char *quantity, double measured, double expected)
{
    const double factor = measured > expected ? measured / expected : expected / measured;
    return reproduce_verdict(run, quantity, measured, expected, factor, 3);
}

static sheaf_status plot_distribution(reproduce_run *run, const char *name, const char *title, const double *y)
{
    double x[BINS], count[BINS] = {0}, most = 0;
    for (uint32_t k = 0; k < SAMPLES; k++)
        most = fmax(most, fabs(y[k]));
    for (uint32_t b = 0; b < BINS; b++)
        x[b] = most * (2.0 * (b + 0.5) / BINS - 1);
    for (uint32_t k = 0; k < SAMPLES; k++)
        count[(uint32_t)fmin(BINS - 1, (y[k] / most + 1) / 2 * BINS)] += 1;
    const io_series series = {.name = "", .colour = "#3b6fb6", .y = count};
    const io_plot plot = {.title = title,
                          .x_label = "bend angle (rad)",
                          .y_label = "samples",
                          .x = x,
                          .count = BINS,
                          .series = &series,
                          .series_count = 1};
    return reproduce_plot(run, name, &plot,
                          "How often the topmost joint is bent how far: figures 2 and 3 of the paper.");
}

static sheaf_status plot_return(reproduce_run *run, const char *name, const char *title, const double *y)
{
    const io_series series = {
        .name = "", .colour = "#d95f02", .mark = IO_MARK_DOTS, .x = y, .y = y + 1, .count = SAMPLES - 1};
    const io_plot plot = {.title = title,
                          .x_label = "stretch (m)",
                          .y_label = "one step later",
                          .y_unit = "m",
                          .series = &series,
                          .series_count = 1};
    return reproduce_plot(run, name, &plot, "Stretch of the topmost link against itself: figure 4 of the paper.");
}

static sheaf_status do_distributions(reproduce_run *run, course *free, course *stiff)
{
    SHEAF_TRY(watch(PARTICLE_CHAIN, 0, 100, free));
    SHEAF_TRY(watch(PARTICLE_BENDING, 1e-4, 100, stiff));
    const double peaks[2] = {peaks_of(free->angle), peaks_of(stiff->angle)};
    SHEAF_TRY(reproduce_verdict(run, "(a) peaks of the bend angle", peaks[0], 1, fabs(peaks[0] - 1), 0));
    SHEAF_TRY(reproduce_verdict(run, "(e) peaks of the bend angle", peaks[1], 2, fabs(peaks[1] - 2), 0));
    SHEAF_TRY(judge_size(run, "(a) spread of the bend angle (rad): factor", spread_of(free->angle), 4.7e-2));
    SHEAF_TRY(judge_size(run, "(e) spread of the bend angle (rad): factor", spread_of(stiff->angle), 8.5e-4));
    SHEAF_TRY(judge_size(run, "(a) roughness of the return map: factor", roughness_of(free->stretch), 0.22));
    SHEAF_TRY(judge_size(run, "(e) roughness of the return map: factor", roughness_of(stiff->stretch), 0.002));
    SHEAF_TRY(plot_distribution(run, "links", "(a) links alone", free->angle));
    SHEAF_TRY(plot_distribution(run, "stiff", "(e) links that resist bending", stiff->angle));
    SHEAF_TRY(plot_return(run, "return-links", "(a) links alone", free->stretch));
    return plot_return(run, "return-stiff", "(e) links that resist bending", stiff->stretch);
}

static sheaf_status do_spectra(reproduce_run *run, course *c)
{
    static const double soft[SPECTRA] = {1e-1, 5e-3, 1e-4}, expected[SPECTRA] = {29.8, 3.6, 0.2};
    static const char *const names[SPECTRA] = {"0.1 rad/(N m)", "0.005", "0.0001"};
    static const char *const colours[SPECTRA] = {"#e8302a", "#3b6fb6", "#111111"};
    static double power[SPECTRA][SAMPLES / 2], frequency[SAMPLES / 2];
    io_series series[SPECTRA];
    for (uint32_t f = 0; f < SAMPLES / 2; f++)
        frequency[f] = f / (SAMPLES * step);
    for (uint32_t k = 0; k < SPECTRA; k++) {
        char quantity[96];
        SHEAF_TRY(watch(PARTICLE_BENDING, soft[k], 150, c));
        const double measured = spectrum_of(c->angle, power[k]);
        snprintf(quantity, sizeof quantity, "95 %% of bending, softness %g, below (Hz): factor", soft[k]);
        SHEAF_TRY(judge_size(run, quantity, measured, expected[k]));
        series[k] = (io_series){.name = names[k], .colour = colours[k], .y = power[k] + 1}; // the mean is taken off
    }
    const io_plot plot = {.title = "Power of bending",
                          .x_label = "frequency (Hz)",
                          .y_label = "power",
                          .logarithmic = true,
                          .x = frequency + 1,
                          .count = SAMPLES / 2 - 1,
                          .series = series,
                          .series_count = SPECTRA};
    return reproduce_plot(run, "spectra", &plot, "The stiffer, the slower: figure 5 of the paper.");
}

static sheaf_status run_chains(reproduce_run *run)
{
    course *c = base_alloc(2, sizeof *c);
    if (c == NULL)
        return SHEAF_ERR_MEMORY;
    reproduce_paper(run,
                    "Five particles of 1 kg, the last one a load, are dropped from horizontal at 1/60 s: links alone "
                    "(a), with a massless cable along them (b, d), with a link from end to end (c), and with stiffness "
                    "against bending (e). Only (c) and (e) bear loads of more than a hundred times a particle.");
    reproduce_here(run,
                   "All nine rows of Table I hold, and break at three times their ratio where the paper says that it "
                   "is the largest. Dropped a centimetre out of the plane, the printed angle, which has no "
                   "direction, breaks; its two components hold. Swings are held against the length.");
    sheaf_status status = do_table(run);
    if (status == SHEAF_OK)
        status = do_side(run);
    if (status == SHEAF_OK)
        status = do_distributions(run, &c[0], &c[1]);
    if (status == SHEAF_OK)
        status = do_spectra(run, &c[0]);
    if (status == SHEAF_OK && !reproduce_is_short(run))
        status = do_force(run);
    if (status == SHEAF_OK && !reproduce_is_short(run))
        status = do_resolutions(run);
    if (status == SHEAF_OK) {
        double table[ROWS][3];
        for (uint32_t k = 0; k < ROWS; k++)
            vec_set(table[k], rows[k].link, rows[k].other, rows[k].ratio);
        status = reproduce_csv(run, "table", "link_m_per_N,other,ratio", table[0], ROWS, 3);
    }
    base_free(c);
    return status;
}

const reproduce_experiment reproduce_chains = {
    .name = "chains",
    .title = "Cables of particles",
    .figure = "Table I, figures 2 to 5",
    .paper = "rigid-body cables",
    .about = "loads dropped on chains of particles: which mass ratios hold, how links stretch and bend",
    .run = run_chains,
};
