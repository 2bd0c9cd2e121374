// hoists: light cables with heavy loads whose anchor goes aside, at 1/60 s: the stiffnesses of Table II of the paper on
// rigid-body cables, and one rope with 100 kg to 67 t.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "reproduce/answers.h"
#include "reproduce/reproduce.h"

enum { SAMPLES = 1200, CASES_MOST = 16, POINTS_MOST = 25, FINER = 8 };

static const double step = 1.0 / 60, rate = 30; // s, Hz

typedef struct hoist {
    char name[64];
    uint32_t segments;
    double ea, ei, gj, line_mass; // N, N m^2, kg/m
    double ratio;                 // of the load to a segment
} hoist;

// What became of a set of hoists: how far each load was aside of its anchor, m.
typedef struct outcome {
    uint32_t count, samples;
    double swing[CASES_MOST][SAMPLES];
    double most[CASES_MOST];   // in the second half
    double angle[CASES_MOST];  // rad, the widest between two segments
    double length[CASES_MOST]; // the longest, of its own
    bool is_frozen[CASES_MOST];
} outcome;

// The rows of Table II that can be read: beta = A/I of a square, for which the paper's other figures hold if A = 0.01
// m^2 and segments are of 1 kg.
static const struct row {
    double young, beta;
    uint32_t segments;
    double ratio;
} rows[] = {
    {2e11, 1e7, 24, 10}, {2e11, 1e6, 24, 1e2}, {2e11, 1e4, 24, 1e3}, {2e11, 1e2, 24, 1e4},
    {2e12, 10, 24, 1e5}, {2e11, 1e3, 6, 1e3},  {2e11, 1e2, 6, 1e4},  {2e12, 10, 6, 1e5},
};
enum { ROWS = sizeof rows / sizeof rows[0] };
static const double loads[] = {100, 1000, 5000, 67000}; // kg
enum { LOADS = sizeof loads / sizeof loads[0] };

static void table_rows(double share, hoist *out)
{
    const double area = 1e-2;
    for (uint32_t k = 0; k < ROWS; k++) {
        const struct row *r = &rows[k];
        const double ei = r->young * area / r->beta;
        out[k] = (hoist){.segments = r->segments,
                         .ea = r->young * area,
                         .ei = ei,
                         .gj = ei / 1.3,
                         .line_mass = r->segments / 10.0,
                         .ratio = share * r->ratio};
        snprintf(out[k].name, sizeof out[k].name, "%g GPa, beta %g, %u segments, %g", 1e-9 * r->young, r->beta,
                 r->segments, out[k].ratio);
    }
}

static void rope_rows(hoist *out)
{
    for (uint32_t k = 0; k < LOADS; k++) {
        out[k] = (hoist){.segments = 24, .ea = 18e6, .ei = 100, .gj = 70, .line_mass = 1.6};
        out[k].ratio = loads[k] / (out[k].line_mass * 10 / 24);
        snprintf(out[k].name, sizeof out[k].name, "rope with %g kg", loads[k]);
    }
}

// ---- simulating

typedef struct trial {
    const hoist *hoists;
    uint32_t count;
    double seconds, step, aside, over; // s, s, m, s
    const char *tension;
    sheaf_precision precision;
} trial;

static void write_scene(base_text *text, const trial *t)
{
    base_text_add(
        text,
        "sheaf: 1\ntime: { step: %.17g s, end: %g s }\nstep: { cable: { tension: %s, damping_steps: %.17g } }\n"
        "motion: { trolley: { move: [{ ramp: { to: %g m, over: %g s, smooth: %s } }, 0, 0] } }\nmaterials:\n",
        t->step, t->seconds, t->tension, step / t->step, t->aside, t->over, t->over < 1 ? "false" : "true");
    for (uint32_t k = 0; k < t->count; k++)
        base_text_add(text,
                      "  m%u: { line_mass: %.17g kg/m, stretch: %.17g N, bend: %.17g N*m^2, twist: %.17g N*m^2, "
                      "radius: 1 cm }\n",
                      k, t->hoists[k].line_mass, t->hoists[k].ea, t->hoists[k].ei, t->hoists[k].gj);
    base_text_add(text, "cables:\n");
    for (uint32_t k = 0; k < t->count; k++)
        base_text_add(text,
                      "  - { material: m%u, length: 10 m, segments: %u, from: { follow: trolley, at: [0, %u m, 0] }, "
                      "to: { load: %.17g kg } }\n",
                      k, t->hoists[k].segments, k,
                      t->hoists[k].ratio * t->hoists[k].line_mass * 10 / t->hoists[k].segments);
}

static void look_at(const reproduce_batch *batch, const sheaf_body_pose *load, uint32_t k, outcome *o)
{
    const double(*x)[3] = reproduce_batch_vertices(batch, k);
    const uint32_t count = reproduce_batch_vertex_count(batch, k);
    double length = 0, last[3], edge[3];
    for (uint32_t i = 0; i + 1 < count; i++) {
        vec_sub(edge, x[i + 1], x[i]);
        if (i > 0) {
            const double cosine = vec_dot(edge, last) / (vec_length(edge) * vec_length(last));
            o->angle[k] = fmax(o->angle[k], acos(fmin(fmax(cosine, -1), 1)));
        }
        length += vec_length(edge);
        vec_copy(last, edge);
    }
    o->length[k] = fmax(o->length[k], length);
    o->swing[k][o->samples] = load->position[0] - x[0][0];
}

static sheaf_status find_frozen(const reproduce_batch *batch, outcome *o)
{
    sheaf_report report;
    SHEAF_TRY(sheaf_solver_report(batch->solver, &report));
    for (uint32_t k = 0; k < report.frozen_strands; k++) {
        sheaf_incident incident;
        SHEAF_TRY(sheaf_solver_incident(batch->solver, k, &incident));
        o->is_frozen[incident.strand] = true;
    }
    return SHEAF_OK;
}

static sheaf_status watch(reproduce_run *run, const trial *t, reproduce_batch *batch, outcome *o)
{
    SHEAF_TRY(reproduce_batch_open(run, batch));
    for (uint32_t n = 1; n <= t->seconds * rate && o->samples < SAMPLES; n++) {
        sheaf_body_pose poses[CASES_MOST];
        SHEAF_TRY(reproduce_batch_run(run, batch, n / rate));
        SHEAF_TRY(sheaf_solver_read_bodies(batch->solver, poses, t->count)); // loads, in the order of cables
        for (uint32_t k = 0; k < t->count; k++) {
            look_at(batch, &poses[k], k, o);
            if (n > t->seconds * rate / 2)
                o->most[k] = fmax(o->most[k], fabs(o->swing[k][o->samples]));
        }
        o->samples++;
    }
    return find_frozen(batch, o);
}

static sheaf_status simulate(reproduce_run *run, const trial *t, outcome *o)
{
    base_text text = {0};
    reproduce_batch batch = {0};
    memset(o, 0, sizeof *o);
    o->count = t->count;
    write_scene(&text, t);
    sheaf_status status = reproduce_batch_begin_text(run, &text, &batch);
    if (status == SHEAF_OK) {
        batch.original->def.precision = t->precision;
        status = watch(run, t, &batch, o);
    }
    reproduce_batch_close(&batch);
    base_text_free(&text);
    return status;
}

// ---- verdicts

// How far the load is off in its swing, as a share of that in finer steps; 1 where the cable breaks: it is frozen, bent
// by more than 1 rad, or longer than with ten times what the load stretches it by at rest.
static double fault_of(const hoist *h, const outcome *o, const outcome *fine, uint32_t k)
{
    const double rest = h->ratio * h->line_mass * 10 / h->segments * 9.81 * 10 / h->ea;
    const bool is_whole =
        !o->is_frozen[k] && !fine->is_frozen[k] && o->angle[k] <= 1 && o->length[k] <= 10 + 10 * fmax(rest, 1e-3);
    return is_whole && isfinite(o->most[k]) ? reproduce_share(o->most[k], fine->most[k]) : 1;
}

// A trial, and the same in small steps; joints are damped in the same time.
static sheaf_status simulate_both(reproduce_run *run, const trial *t, outcome o[2])
{
    trial fine = *t;
    fine.step = t->step / FINER;
    fine.tension = "inertia";
    fine.precision = SHEAF_PRECISION_DOUBLE;
    SHEAF_TRY(simulate(run, t, &o[0]));
    return simulate(run, &fine, &o[1]);
}

static const char *precision_of(const trial *t)
{
    return t->precision == SHEAF_PRECISION_DOUBLE ? "double" : "single";
}

static sheaf_status judge_swings(reproduce_run *run, const trial *t, const outcome o[2], double bar)
{
    for (uint32_t k = 0; k < t->count; k++) {
        char quantity[96];
        snprintf(quantity, sizeof quantity, "%.60s, %s: swing (m)", t->hoists[k].name, precision_of(t));
        SHEAF_TRY(reproduce_verdict(run, quantity, o[0].most[k], o[1].most[k], fault_of(&t->hoists[k], &o[0], &o[1], k),
                                    bar));
    }
    return SHEAF_OK;
}

// ---- Table II

// Ten times the printed ratios in double precision; the printed ones in single precision, as in double.
static sheaf_status do_table(reproduce_run *run, outcome *o)
{
    hoist hoists[ROWS];
    trial t = {hoists, ROWS, reproduce_is_short(run) ? 6 : 20, step, 2, 1, "inertia", SHEAF_PRECISION_DOUBLE};
    table_rows(10, hoists);
    SHEAF_TRY(simulate_both(run, &t, o));
    SHEAF_TRY(judge_swings(run, &t, o, 0.2));
    table_rows(1, hoists);
    SHEAF_TRY(simulate(run, &t, &o[1]));
    t.precision = SHEAF_PRECISION_SINGLE;
    if (!reproduce_on_device(run))
        return SHEAF_OK;
    SHEAF_TRY(simulate(run, &t, &o[0]));
    return judge_swings(run, &t, o, 0.03);
}

// A thousand million times a segment, in the stiffest row.
static sheaf_status do_largest(reproduce_run *run, outcome *o)
{
    hoist hoists[ROWS];
    table_rows(1e4, hoists);
    hoists[0] = hoists[ROWS - 1];
    const trial t = {hoists, 1, reproduce_is_short(run) ? 6 : 20, step, 2, 1, "inertia", SHEAF_PRECISION_DOUBLE};
    SHEAF_TRY(simulate_both(run, &t, o));
    return judge_swings(run, &t, o, 0.2);
}

// ---- the rope

// The largest swing between two times, m.
static double swing_between(const outcome *o, uint32_t k, double from, double to)
{
    double most = 0;
    for (uint32_t n = (uint32_t)(from * rate); n < to * rate && n < o->samples; n++)
        most = fmax(most, fabs(o->swing[k][n]));
    return most;
}

static sheaf_status plot_rope(reproduce_run *run, const hoist *hoists, const outcome *o)
{
    static const char *const colours[LOADS] = {"#1b9e77", "#d95f02", "#7570b3", "#e7298a"};
    double *time = base_alloc(o->samples, sizeof *time);
    io_series series[LOADS];
    if (time == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t n = 0; n < o->samples; n++)
        time[n] = (n + 1) / rate;
    for (uint32_t k = 0; k < LOADS; k++)
        series[k] = (io_series){.name = hoists[k].name, .colour = colours[k], .y = o->swing[k]};
    const io_plot plot = {.title = "A rope whose anchor was jerked 2 m aside",
                          .x_label = "time, s",
                          .y_label = "load from below the anchor",
                          .y_unit = "m",
                          .x = time,
                          .count = o->samples < 600 ? o->samples : 600,
                          .series = series,
                          .series_count = LOADS};
    const sheaf_status status = reproduce_plot(run, "rope", &plot, "The first 20 s, at steps of 1/60 s.");
    base_free(time);
    return status;
}

static sheaf_status write_rope(reproduce_run *run, const outcome *o)
{
    enum { COLUMNS = LOADS + 1 };
    double(*table)[COLUMNS] = base_alloc(o->samples, sizeof *table);
    if (table == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t n = 0; n < o->samples; n++) {
        table[n][0] = (n + 1) / rate;
        for (uint32_t k = 0; k < LOADS; k++)
            table[n][k + 1] = o->swing[k][n];
    }
    const sheaf_status status = reproduce_csv(run, "rope", "time_s,swing_100_kg_m,swing_1_t_m,swing_5_t_m,swing_67_t_m",
                                              table[0], o->samples, COLUMNS);
    base_free(table);
    return status;
}

// Swings hardly fade: 1 % in 40 s, 2 % with 67 t.
static sheaf_status judge_losses(reproduce_run *run, const trial *t, const outcome *o)
{
    for (uint32_t k = 0; k < t->count; k++) {
        const double early = swing_between(o, k, 1, 9), late = swing_between(o, k, t->seconds - 8, t->seconds);
        char quantity[128];
        snprintf(quantity, sizeof quantity, "%.40s, %s: swing after %g s, of the first (m)", t->hoists[k].name,
                 precision_of(t), t->seconds);
        SHEAF_TRY(
            reproduce_verdict(run, quantity, late, early, fmax(0, 1 - late / early), loads[k] < 1e4 ? 0.01 : 0.02));
    }
    return SHEAF_OK;
}

// Without help heavy loads break it.
static sheaf_status judge_without(reproduce_run *run, const trial *t, const outcome o[2])
{
    for (uint32_t k = 0; k < t->count; k++) {
        const double fault = fault_of(&t->hoists[k], &o[0], &o[1], k);
        const bool should_hold = loads[k] < 500;
        char quantity[96];
        snprintf(quantity, sizeof quantity, "%.40s, tension: none: %s, swing off by (share)", t->hoists[k].name,
                 should_hold ? "holds" : "breaks");
        SHEAF_TRY(reproduce_verdict(run, quantity, fault, should_hold ? 0 : 1,
                                    should_hold ? fault : fmax(0, 0.2 - fault), should_hold ? 0.2 : 0));
    }
    return SHEAF_OK;
}

// Moved gently it holds all loads, and without help only the lightest.
static sheaf_status do_gentle(reproduce_run *run, outcome *o)
{
    hoist hoists[LOADS];
    trial t = {hoists, LOADS, reproduce_is_short(run) ? 6 : 10, step, 0.5, 2, "inertia", SHEAF_PRECISION_DOUBLE};
    rope_rows(hoists);
    SHEAF_TRY(simulate_both(run, &t, o));
    SHEAF_TRY(judge_swings(run, &t, o, 0.2));
    t.tension = "none";
    SHEAF_TRY(simulate(run, &t, &o[0]));
    return judge_without(run, &t, o);
}

// Jerked 2 m aside in 0.3 s.
static sheaf_status do_jerk(reproduce_run *run, outcome *o)
{
    hoist hoists[LOADS];
    trial t = {hoists, LOADS, reproduce_is_short(run) ? 17 : 40, step, 2, 0.3, "inertia", SHEAF_PRECISION_DOUBLE};
    double off = 0;
    rope_rows(hoists);
    SHEAF_TRY(simulate_both(run, &t, o));
    SHEAF_TRY(judge_losses(run, &t, o));
    SHEAF_TRY(plot_rope(run, hoists, o));
    SHEAF_TRY(write_rope(run, o));
    t.precision = SHEAF_PRECISION_SINGLE;
    t.count = LOADS - 1; // single precision does not resolve 67 t
    if (reproduce_on_device(run)) {
        SHEAF_TRY(simulate(run, &t, &o[0]));
        SHEAF_TRY(judge_losses(run, &t, o));
    }
    for (uint32_t n = 0; n < o[0].samples && n < 20 * rate; n++)
        off = fmax(off, fabs(o[0].swing[2][n] - o[1].swing[2][n]));
    return reproduce_verdict(run, "rope with 5000 kg beside steps of an eighth, in 20 s: off by at most (m)", off, 0,
                             off, 0.05);
}

static sheaf_status run_hoists(reproduce_run *run)
{
    outcome *o = base_alloc(2, sizeof *o);
    if (o == NULL)
        return SHEAF_ERR_MEMORY;
    reproduce_paper(run,
                    "A light cable carries a heavy load, its anchor is moved, and the load swings. With the "
                    "stiffness of the material alone, cables hold loads of 10 to 10\xe2\x81\xb5 times a segment at "
                    "1/60 s, more with a stiffer one.");
    reproduce_here(run,
                   "The same stiffnesses hold ten times as much, because tension lends inertia to segments under "
                   "load; a swing has to be as wide, within 20 %%, as in steps of an eighth. Below a rope of 2 cm, "
                   "which bears what it is made for.");
    sheaf_status status = do_table(run, o);
    if (status == SHEAF_OK)
        status = do_largest(run, o);
    if (status == SHEAF_OK)
        status = do_gentle(run, o);
    if (status == SHEAF_OK)
        status = do_jerk(run, o);
    base_free(o);
    return status;
}

const reproduce_experiment reproduce_hoists = {
    .name = "hoists",
    .title = "Heavy loads on light cables",
    .figure = "Table II",
    .paper = "rigid-body cables",
    .about = "mass ratios at 1/60 s: the paper's table, and a rope with 100 kg to 67 t",
    .run = run_hoists,
};
