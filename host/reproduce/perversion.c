// perversion: a flat spring drawn out straight, without twist, whose ends come together winds one way in one half and
// the other way in the other (figure 2 of the paper).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "reproduce/reproduce.h"
#include "strand/linking.h"

enum { VERTICES_MOST = 512, SAMPLES_MOST = 128, HALVES = 2, SNAPSHOTS = 4, ROWS = 3 };

static const double pi = 3.14159265358979323846;
static const double first_sample = 1, sample_apart = 0.1; // s; when the twist of the natural helix has been undone

// ---- helices

// A piece of helix: turn of its tangent about the axis per arc length (negative: to the left), and the advance along
// the axis per arc length.
typedef struct winding {
    double turn;    // rad/m
    double advance; // between 0 and 1
} winding;

static double curvature_of(winding w)
{
    return fabs(w.turn) * sqrt(1 - w.advance * w.advance);
}

static double torsion_of(winding w)
{
    return w.turn * w.advance;
}

typedef struct spring {
    double bend, twist;        // N m^2, in the easy direction
    double curvature, torsion; // 1/m, of the natural helix
} spring;

// Axial moment dE/dturn (N m), axial force dE/dadvance (N) and force x advance + moment x turn - E (N), E the energy
// per length with frames locked to the helix. All three are the same along a rod at rest that is clamped at its ends.
static void loads_of(const spring *s, winding w, double loads[3])
{
    const double sine = sqrt(1 - w.advance * w.advance);
    const double bent = s->bend * (curvature_of(w) - s->curvature), twisted = s->twist * (torsion_of(w) - s->torsion);
    const double energy = (bent * bent / s->bend + twisted * twisted / s->twist) / 2;
    loads[0] = bent * sine * copysign(1, w.turn) + twisted * w.advance;
    loads[1] = -bent * fabs(w.turn) * w.advance / sine + twisted * w.turn;
    loads[2] = loads[1] * w.advance + loads[0] * w.turn - energy;
}

static void mismatch(const spring *s, const winding pair[HALVES], double out[3])
{
    double left[3], right[3];
    loads_of(s, pair[0], left);
    loads_of(s, pair[1], right);
    vec_sub(out, left, right);
    out[0] /= s->bend * s->curvature;
    out[1] /= s->bend * s->curvature * s->curvature;
    out[2] /= s->bend * s->curvature * s->curvature;
}

static double *unknown(winding pair[HALVES], int k)
{
    return k == 0 ? &pair[0].turn : k == 1 ? &pair[1].turn : &pair[1].advance;
}

// The two helices that can meet in a perversion when the first has a given advance and handedness: equal loads, three
// equations for its turn and the other helix, by Newton's method from springs without natural torsion.
static void solve_pair(const spring *s, double advance, double hand, winding pair[HALVES])
{
    const double sine2 = 1 - advance * advance;
    const double turn = s->bend * s->curvature * sqrt(sine2) / (s->bend * sine2 + s->twist * advance * advance);
    pair[0] = (winding){hand * turn, advance};
    pair[1] = (winding){-hand * turn, advance};
    for (int iteration = 0; iteration < 50; iteration++) {
        double at[3], column[3][3], moved[3], across[3];
        mismatch(s, (const winding *)pair, at);
        for (int k = 0; k < 3; k++) {
            double *value = unknown(pair, k);
            const double kept = *value, step = 1e-6 * fabs(kept);
            *value = kept + step;
            mismatch(s, (const winding *)pair, moved);
            *value = kept;
            vec_sub(column[k], moved, at);
            vec_scale(column[k], column[k], 1 / step);
        }
        vec_cross(across, column[1], column[2]);
        const double determinant = vec_dot(column[0], across);
        for (int k = 0; k < 3; k++) { // Cramer's rule
            vec_cross(across, column[(k + 1) % 3], column[(k + 2) % 3]);
            *unknown(pair, k) -= vec_dot(at, across) / determinant;
        }
    }
}

// ---- what is measured

// Torsion, rad/m, along inner edges: how fast the plane of two edges turns about the edge they share. The rod is
// vertices 0 .. count - 1; entry k belongs to edge k + 1.
static uint32_t read_torsion(const double (*x)[3], uint32_t count, double *torsion)
{
    for (uint32_t j = 1; j + 2 < count; j++) {
        double edge[3][3], normal[2][3], axis[3];
        for (uint32_t k = 0; k < 3; k++)
            vec_sub(edge[k], x[j + k], x[j + k - 1]);
        vec_cross(normal[0], edge[0], edge[1]);
        vec_cross(normal[1], edge[1], edge[2]);
        vec_unit(axis, edge[1]);
        const double sizes = vec_length(normal[0]) * vec_length(normal[1]);
        const bool is_bent = sizes > 0;
        if (is_bent) {
            vec_unit(normal[0], normal[0]);
            vec_unit(normal[1], normal[1]);
        }
        torsion[j - 1] = is_bent ? vec_angle(normal[0], normal[1], axis) / vec_length(edge[1]) : 0;
    }
    return count - 3;
}

// Times that handedness changes along the rod, among places that wind at least half as fast as the middle of the two
// halves do; `where` receives the first edge after the first change.
static uint32_t count_flips(const double *torsion, uint32_t count, uint32_t *where)
{
    const double enough = (fabs(torsion[count / 4]) + fabs(torsion[count - count / 4])) / 4;
    double last = 0;
    uint32_t flips = 0;
    *where = count / 2;
    for (uint32_t k = 0; k < count; k++) {
        if (fabs(torsion[k]) < enough)
            continue;
        if (last * torsion[k] < 0 && flips++ == 0)
            *where = k;
        last = torsion[k];
    }
    return flips;
}

// The helix of edges first .. last, about the x axis.
static winding measure_helix(const double (*x)[3], uint32_t first, uint32_t last)
{
    static const double axis[3] = {1, 0, 0};
    double length = 0, angle = 0, before[3] = {0, 1, 0}, across[3];
    for (uint32_t j = first; j <= last; j++) {
        double edge[3];
        vec_sub(edge, x[j + 1], x[j]);
        length += vec_length(edge);
        vec_set(across, 0, edge[1], edge[2]);
        vec_unit(across, across);
        if (j > first)
            angle += vec_angle(before, across, axis);
        vec_copy(before, across);
    }
    const double turns_over = length * (last - first) / (last - first + 1);
    return (winding){angle / turns_over, (x[last + 1][0] - x[first][0]) / length};
}

typedef struct sample {
    double time, twist, writhe; // s, turns
    winding halves[HALVES];     // the middle of either side of the perversion
    double elastic;             // J
    uint32_t flips;             // of handedness
} sample;

typedef struct record {
    sample samples[SAMPLES_MOST];
    uint32_t count;
    uint32_t vertices;
    double torsion[SNAPSHOTS][VERTICES_MOST];
    double start[VERTICES_MOST][3], start_directors[VERTICES_MOST][3]; // straight
    double x[VERTICES_MOST][3], directors[VERTICES_MOST][3];           // at the end
} record;

static const double snapshot_times[SNAPSHOTS] = {1.5, 2, 4, 10};

static sheaf_status take_sample(reproduce_batch *batch, record *r)
{
    const double(*x)[3] = reproduce_batch_vertices(batch, 0), (*directors)[3] = (const double(*)[3])batch->directors;
    double torsion[VERTICES_MOST] = {0};
    uint32_t flip;
    sheaf_report report;
    SHEAF_TRY(reproduce_batch_read_directors(batch));
    SHEAF_TRY(sheaf_solver_report(batch->solver, &report));
    const uint32_t inner = read_torsion(x, r->vertices, torsion), flips = count_flips(torsion, inner, &flip);
    const uint32_t left = flip, right = r->vertices - 1 - flip;
    r->samples[r->count++] = (sample){
        .time = batch->time,
        .twist = model_twist(x, directors, r->vertices),
        .writhe = model_writhe_extended(x, r->vertices),
        .halves = {measure_helix(x, left * 3 / 10, left * 7 / 10),
                   measure_helix(x, flip + right * 3 / 10, flip + right * 7 / 10)},
        .elastic = report.bending + report.twisting,
        .flips = flips,
    };
    for (int k = 0; k < SNAPSHOTS; k++)
        if (fabs(batch->time - snapshot_times[k]) < sample_apart / 4)
            memcpy(r->torsion[k], torsion, sizeof torsion);
    return SHEAF_OK;
}

static sheaf_status simulate(reproduce_run *run, reproduce_batch *batch, record *r)
{
    const double end = batch->original->def.end;
    SHEAF_TRY(reproduce_batch_open(run, batch));
    r->vertices = reproduce_batch_vertex_count(batch, 0);
    r->count = 0;
    if (r->vertices > VERTICES_MOST)
        return base_fail(SHEAF_ERR_LIMIT, "perversion: the rod has more than %d vertices", VERTICES_MOST);
    for (uint32_t k = 0; first_sample + k * sample_apart < end + sample_apart / 2 && k < SAMPLES_MOST; k++) {
        SHEAF_TRY(reproduce_batch_run(run, batch, first_sample + k * sample_apart));
        SHEAF_TRY(take_sample(batch, r));
        double(*x)[3] = k == 0 ? r->start : r->x, (*directors)[3] = k == 0 ? r->start_directors : r->directors;
        memcpy(x, batch->x, r->vertices * sizeof *x);
        memcpy(directors, batch->directors, r->vertices * sizeof *directors);
    }
    return SHEAF_OK;
}

// ---- plots

static sheaf_status plot_handedness(reproduce_run *run, const record *r, double length)
{
    static const char *const names[SNAPSHOTS] = {"1.5 s", "2 s", "4 s", "10 s"};
    static const char *const colours[SNAPSHOTS] = {"#c6a9d8", "#9e7cc1", "#d95f02", "#1f78b4"};
    double s[VERTICES_MOST];
    io_series series[SNAPSHOTS];
    for (uint32_t k = 0; k + 3 < r->vertices; k++)
        s[k] = length * (k + 1.5) / (r->vertices - 1);
    for (int k = 0; k < SNAPSHOTS; k++)
        series[k] = (io_series){.name = names[k], .colour = colours[k], .y = r->torsion[k]};
    const io_plot plot = {.title = "Torsion along the spring",
                          .x_label = "arc length, m",
                          .y_label = "torsion, 1/m",
                          .y_range = {-80, 80},
                          .x = s,
                          .count = r->vertices - 3,
                          .series = series,
                          .series_count = SNAPSHOTS};
    return reproduce_plot(run, "torsion", &plot,
                          "To the right where it is positive, to the left where it is negative. The ends start to come "
                          "together at 1 s.");
}

static sheaf_status plot_linking(reproduce_run *run, const record *r)
{
    double time[SAMPLES_MOST], twist[SAMPLES_MOST], writhe[SAMPLES_MOST], linking[SAMPLES_MOST];
    for (uint32_t k = 0; k < r->count; k++) {
        time[k] = r->samples[k].time;
        twist[k] = r->samples[k].twist;
        writhe[k] = r->samples[k].writhe;
        linking[k] = twist[k] + writhe[k];
    }
    const io_series series[] = {
        {.name = "twist", .colour = "#1f78b4", .y = twist},
        {.name = "writhe", .colour = "#d95f02", .y = writhe},
        {.name = "linking number", .colour = "#111111", .y = linking},
    };
    const io_plot plot = {.title = "Twist, writhe and their sum",
                          .x_label = "time, s",
                          .y_label = "turns",
                          .x = time,
                          .count = r->count,
                          .series = series,
                          .series_count = 3};
    return reproduce_plot(run, "linking", &plot,
                          "Ends that do not turn keep the sum: what one half winds to the right, the other has to wind "
                          "to the left.");
}

static sheaf_status plot_helices(reproduce_run *run, const record *r, const spring *s)
{
    enum { CURVE = 60 };
    double found[HALVES][2][SAMPLES_MOST], theory[HALVES][2][CURVE];
    for (uint32_t k = 0; k < r->count; k++)
        for (int half = 0; half < HALVES; half++) {
            const bool is_wound = r->samples[k].flips == 1;
            found[half][0][k] = is_wound ? curvature_of(r->samples[k].halves[half]) : NAN;
            found[half][1][k] = torsion_of(r->samples[k].halves[half]);
        }
    const double hand = copysign(1, r->samples[r->count - 1].halves[0].turn);
    for (int k = 0; k < CURVE; k++) {
        winding pair[HALVES];
        solve_pair(s, 0.3 + 0.65 * k / (CURVE - 1), hand, pair);
        for (int half = 0; half < HALVES; half++) {
            theory[half][0][k] = curvature_of(pair[half]);
            theory[half][1][k] = torsion_of(pair[half]);
        }
    }
    const io_series series[] = {
        {.name = "left half",
         .colour = "#1f78b4",
         .mark = IO_MARK_DOTS,
         .x = found[0][0],
         .y = found[0][1],
         .count = r->count},
        {.name = "right half",
         .colour = "#d95f02",
         .mark = IO_MARK_DOTS,
         .x = found[1][0],
         .y = found[1][1],
         .count = r->count},
        {.name = "theory", .colour = "#111111", .dashed = true, .x = theory[0][0], .y = theory[0][1], .count = CURVE},
        {.name = "", .colour = "#111111", .dashed = true, .x = theory[1][0], .y = theory[1][1], .count = CURVE},
    };
    const io_plot plot = {.title = "The two helices while the ends come together",
                          .x_label = "curvature, 1/m",
                          .y_label = "torsion, 1/m",
                          .series = series,
                          .series_count = 4};
    return reproduce_plot(run, "helices", &plot,
                          "Curvature and torsion in the middle of either half, at all times. Theory: two helices that "
                          "bear the same force and moment at the same energy.");
}

// ---- pictures

// The helix that the spring would take, about the x axis, with directors that point away from it.
static void make_natural(const spring *s, double length, uint32_t count, double (*x)[3], double (*directors)[3])
{
    const double square = s->curvature * s->curvature + s->torsion * s->torsion, radius = s->curvature / square;
    for (uint32_t k = 0; k < count; k++) {
        const double at = length * k / (count - 1), angle = at * sqrt(square);
        const double middle = angle + length / (count - 1) * sqrt(square) / 2;
        vec_set(x[k], at * s->torsion / sqrt(square), radius * cos(angle), radius * sin(angle));
        vec_set(directors[k], 0, cos(middle), sin(middle));
    }
}

static sheaf_status draw(reproduce_run *run, const record *r, const spring *s, double length)
{
    double(*natural)[3] = base_alloc(2 * VERTICES_MOST, sizeof *natural);
    if (natural == NULL)
        return SHEAF_ERR_MEMORY;
    double(*around)[3] = natural + VERTICES_MOST;
    make_natural(s, length, r->vertices, natural, around);
    const double half[2] = {0.0006, 0.0022}, low = -0.11;
    const reproduce_curve curves[ROWS] = {
        {.x = (const double(*)[3])natural, .directors = (const double(*)[3])around, .shift = {0.48, 0, 0}},
        {.x = r->start, .directors = r->start_directors, .shift = {0, 0, low}},
        {.x = r->x, .directors = r->directors, .shift = {0.225, 0, 2 * low}},
    };
    reproduce_curve drawn[ROWS];
    for (int k = 0; k < ROWS; k++) {
        drawn[k] = curves[k];
        drawn[k].count = r->vertices;
        memcpy(drawn[k].half, half, sizeof half);
    }
    const reproduce_picture all = {.curves = drawn, .curve_count = ROWS, .elevation = 15, .width = 1280, .height = 480};
    sheaf_status status = reproduce_draw(run, "spring", &all,
                                         "As in the paper's figure 2: the spring as it is by nature, drawn out without "
                                         "twist, and with its ends brought together.");
    const reproduce_picture last = {
        .curves = drawn + ROWS - 1, .curve_count = 1, .elevation = 15, .width = 1280, .height = 300};
    if (status == SHEAF_OK)
        status = reproduce_draw(run, "perversion", &last, "The perversion: two helices of opposite hand.");
    base_free(natural);
    return status;
}

static sheaf_status write_data(reproduce_run *run, const record *r)
{
    double table[SAMPLES_MOST][9];
    for (uint32_t k = 0; k < r->count; k++) {
        const sample *it = &r->samples[k];
        const double row[] = {it->time,
                              it->twist,
                              it->writhe,
                              it->twist + it->writhe,
                              it->flips,
                              curvature_of(it->halves[0]),
                              torsion_of(it->halves[0]),
                              curvature_of(it->halves[1]),
                              torsion_of(it->halves[1])};
        memcpy(table[k], row, sizeof row);
    }
    return reproduce_csv(run, "course",
                         "time_s,twist_turns,writhe_turns,linking_turns,flips,left_curvature,left_torsion,"
                         "right_curvature,right_torsion",
                         table[0], r->count, 9);
}

// ---- verdicts

static double linking_drift(const record *r)
{
    double drift = 0;
    for (uint32_t k = 1; k < r->count; k++)
        drift =
            fmax(drift, fabs(r->samples[k].twist + r->samples[k].writhe - r->samples[0].twist - r->samples[0].writhe));
    return drift;
}

static sheaf_status judge(reproduce_run *run, const record *r, const spring *s)
{
    const sample *last = &r->samples[r->count - 1];
    const double drift = linking_drift(r);
    winding pair[HALVES];
    solve_pair(s, last->halves[0].advance, copysign(1, last->halves[0].turn), pair);
    SHEAF_TRY(reproduce_verdict(run, "changes of handedness, at the end: difference", last->flips, 1,
                                fabs((double)last->flips - 1), 0));
    SHEAF_TRY(reproduce_verdict(run, "linking number: largest change, turns", drift, 0, drift, 1e-6));
    SHEAF_TRY(reproduce_verdict(run, "turn of the left helix (rad/m) at its pitch", last->halves[0].turn, pair[0].turn,
                                reproduce_share(last->halves[0].turn, pair[0].turn), 0.02));
    SHEAF_TRY(reproduce_verdict(run, "turn of the right helix (rad/m) that meets it", last->halves[1].turn,
                                pair[1].turn, reproduce_share(last->halves[1].turn, pair[1].turn), 0.02));
    return reproduce_verdict(run, "advance of the right helix (m/m) that meets it", last->halves[1].advance,
                             pair[1].advance, reproduce_share(last->halves[1].advance, pair[1].advance), 0.02);
}

// Mean energy of the last tenth of the samples, J.
static double late_energy(const record *r)
{
    const uint32_t from = r->count - r->count / 10;
    double sum = 0;
    for (uint32_t k = from; k < r->count; k++)
        sum += r->samples[k].elastic;
    return sum / (r->count - from);
}

static sheaf_status judge_device(reproduce_run *run, const record *device, record *reference)
{
    reproduce_batch batch;
    SHEAF_TRY(reproduce_batch_begin(run, "perversion", &batch));
    batch.on_reference = true;
    sheaf_status status = simulate(run, &batch, reference);
    reproduce_batch_close(&batch);
    if (status != SHEAF_OK)
        return status;
    const double measured = late_energy(device), expected = late_energy(reference), drift = linking_drift(reference);
    SHEAF_TRY(reproduce_verdict(run, "energy at rest (J), device against reference", measured, expected,
                                reproduce_share(measured, expected), 0.01));
    return reproduce_verdict(run, "linking number on the reference: largest change, turns", drift, 0, drift, 1e-6);
}

// ---- all of it

static void describe(reproduce_run *run, const record *r, const spring *s)
{
    const sample *last = &r->samples[r->count - 1];
    reproduce_paper(run,
                    "A flat spring, a Slinky, has its writhe removed by pinching it between two fingers from one end "
                    "to the other: a stretched, almost flat ribbon. When its ends come together, a persistent "
                    "perversion forms: a junction between two helices of opposite chirality, a shape that is "
                    "surprisingly different from the natural one.");
    reproduce_here(run,
                   "A ribbon of 1 m that by nature is a right-handed coil of radius %.3g mm and pitch %.3g mm starts "
                   "straight, its tip turned back so that it has neither twist nor writhe, and is clamped at both "
                   "ends. The ends come together by 45 cm in 8 s. Two helices of opposite hand grow and meet in one "
                   "perversion: at the end %.1f turns per metre to one side, %.1f to the other, and writhe and twist "
                   "still add up to nothing. Pushed further, coils pass through each other: strands do not see "
                   "themselves.",
                   1e3 * s->curvature / (s->curvature * s->curvature + s->torsion * s->torsion),
                   2e3 * pi * s->torsion / (s->curvature * s->curvature + s->torsion * s->torsion),
                   fabs(last->halves[0].turn) / (2 * pi), fabs(last->halves[1].turn) / (2 * pi));
}

static sheaf_status analyse(reproduce_run *run, const spring *s, double length, record *r, record *scratch)
{
    describe(run, r, s);
    SHEAF_TRY(draw(run, r, s, length));
    SHEAF_TRY(plot_handedness(run, r, length));
    SHEAF_TRY(plot_linking(run, r));
    SHEAF_TRY(plot_helices(run, r, s));
    SHEAF_TRY(write_data(run, r));
    SHEAF_TRY(judge(run, r, s));
    return reproduce_on_device(run) && !reproduce_is_short(run) ? judge_device(run, r, scratch) : SHEAF_OK;
}

static sheaf_status run_perversion(reproduce_run *run)
{
    reproduce_batch batch;
    SHEAF_TRY(reproduce_batch_begin(run, "perversion", &batch));
    record *records = base_alloc(2, sizeof *records);
    sheaf_status status = records != NULL ? simulate(run, &batch, records) : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK) {
        const sheaf_material_def material = reproduce_batch_material(&batch, 0);
        const sheaf_strand_def strand = reproduce_batch_strand(&batch, 0);
        const spring s = {material.bend[0], material.twist,
                          hypot(strand.natural_curvature[0], strand.natural_curvature[1]), strand.natural_twist};
        status = analyse(run, &s, strand.length, records, records + 1);
    }
    reproduce_batch_close(&batch);
    base_free(records);
    return status;
}

const reproduce_experiment reproduce_perversion = {
    .name = "perversion",
    .title = "Helical perversion",
    .figure = "Figure 2",
    .about = "a flat spring drawn out straight winds one way in one half and the other way in the other",
    .run = run_perversion,
};
