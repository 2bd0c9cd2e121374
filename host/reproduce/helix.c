// helix: a straight rod, clamped at both ends, twisted by 27 turns and pushed together, winds up into a helix whose
// envelope is known (figure 7 of the paper): evenly spaced, and with one half twice as fine as the other.
#include <math.h>
#include <stdio.h>

#include "base/vec.h"
#include "reproduce/answers.h"
#include "reproduce/reproduce.h"

enum { ROWS_MOST = 5, SPACINGS = 2, EDGES_PAPER = 74, EDGES_MOST = EDGES_PAPER << (ROWS_MOST - 1), SHORT_ROWS = 3 };

static const char *const spacing_names[SPACINGS] = {"even", "uneven"};

// ---- the answer: cos phi = cos phi0 + (1 - cos phi0) tanh^2(s / s*), phi the angle between tangent and axis

typedef struct rod {
    double length, bend, twist, turned, shortening; // m, N m^2, N m^2, rad, m
} rod;

static rod rod_of(const reproduce_batch *batch)
{
    const sheaf_strand_def strand = reproduce_batch_strand(batch, 0);
    const sheaf_material_def material = reproduce_batch_material(batch, 0);
    return (rod){strand.length, material.bend[0], material.twist, strand.tip.twist.value, -strand.tip.move[0].value};
}

// s* from the shortening, the integral of 1 - cos phi.
static double width_of(const rod *r, double phi0)
{
    return r->shortening / (2 * (1 - cos(phi0)));
}

// Angle that is imposed, less what twist (M L / C, M = 2 B / (s* tan(phi0 / 2))) and the helix (2 phi0) take up.
static double angle_left(const rod *r, double phi0)
{
    return r->turned - 2 * r->bend / (width_of(r, phi0) * tan(phi0 / 2)) * r->length / r->twist - 2 * phi0;
}

static double largest_angle(const rod *r)
{
    double low = 0.5, high = 1.4;
    for (int k = 0; k < 100; k++) {
        const double middle = (low + high) / 2;
        if (angle_left(r, middle) * angle_left(r, low) > 0)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

// ---- what came of a strand

typedef struct found {
    uint32_t edges;
    double s[EDGES_MOST];        // m, middles of edges, from the middle of the helix
    double envelope[EDGES_MOST]; // (cos phi - cos phi0) / (1 - cos phi0)
    double phi0;                 // rad, measured
    double error;                // of the envelope against tanh^2(s / s*), the largest
} found;

// Lowest point of the parabola through three points.
static void lowest_point(const double s[3], const double y[3], double *place, double *value)
{
    const double first = (y[1] - y[0]) / (s[1] - s[0]), second = (y[2] - y[1]) / (s[2] - s[1]);
    const double bend = (second - first) / (s[2] - s[0]);
    *place = (s[0] + s[1]) / 2 - first / (2 * bend);
    *value = y[1] + (*place - s[1]) * (first + bend * (*place - s[0]));
}

// Cosines of the tangents' angles, and places of the edges' middles; returns the edge that is steepest.
static uint32_t read_edges(const reproduce_batch *batch, uint32_t strand, found *it)
{
    const double(*x)[3] = reproduce_batch_vertices(batch, strand);
    const double *rest = batch->model->rest_length + batch->model->first_vertex[strand];
    uint32_t steepest = 1;
    double s = 0;
    it->edges = reproduce_batch_vertex_count(batch, strand) - 1;
    for (uint32_t j = 0; j < it->edges; j++) {
        double edge[3];
        vec_sub(edge, x[j + 1], x[j]);
        it->envelope[j] = edge[0] / vec_length(edge);
        it->s[j] = s + rest[j] / 2;
        s += rest[j];
        if (it->envelope[j] < it->envelope[steepest] && j + 1 < it->edges)
            steepest = j;
    }
    return steepest;
}

static void read_helix(const reproduce_batch *batch, uint32_t strand, double width, found *it)
{
    double middle, least;
    const uint32_t steepest = read_edges(batch, strand, it);
    lowest_point(it->s + steepest - 1, it->envelope + steepest - 1, &middle, &least);
    it->phi0 = acos(least);
    it->error = 0;
    for (uint32_t j = 0; j < it->edges; j++) {
        it->s[j] -= middle;
        it->envelope[j] = (it->envelope[j] - least) / (1 - least);
        it->error = fmax(it->error, fabs(it->envelope[j] - pow(tanh(it->s[j] / width), 2)));
    }
}

// ---- the rods

static uint32_t row_count(const reproduce_run *run)
{
    return reproduce_is_short(run) ? SHORT_ROWS : ROWS_MOST;
}

// Vertices of a straight rod whose clamp planes cut its end edges in the middle, with a bump half way to wind up from:
// a helix near a clamp would not be that of a long rod. It is so low that it adds less than 1e-6 m to the length.
static void lay_rod(double length, const double *spacing, uint32_t edges, double (*points)[3])
{
    double sum = -(spacing[0] + spacing[edges - 1]) / 2, place = -spacing[0] / 2;
    for (uint32_t j = 0; j < edges; j++)
        sum += spacing[j];
    const double scale = length / sum;
    for (uint32_t i = 0; i <= edges; i++) {
        const double s = fmin(fmax(place / sum, 0), 1);
        vec_set(points[i], place * scale, 0, i < 2 || i + 1 >= edges ? 0 : 1e-3 * pow(sin(PI * s), 8));
        place += i < edges ? spacing[i] : 0;
    }
}

static sheaf_status add_rod(reproduce_batch *batch, uint32_t edges, bool is_uneven)
{
    const sheaf_material_def material = reproduce_batch_material(batch, 0);
    sheaf_strand_def strand = reproduce_batch_strand(batch, 0);
    double spacing[EDGES_MOST], points[EDGES_MOST + 1][3];
    for (uint32_t j = 0; j < edges; j++)
        spacing[j] = is_uneven && 3 * j < edges ? 2 : 1; // a third of the edges makes up half of the length
    lay_rod(strand.length, spacing, edges, points);
    strand.shape = SHEAF_SHAPE_POINTS;
    strand.points = points[0];
    strand.vertex_count = edges + 1;
    strand.natural = SHEAF_NATURAL_STRAIGHT;
    return reproduce_batch_add(batch, &material, &strand);
}

static sheaf_status simulate(reproduce_run *run, reproduce_batch *batch)
{
    vec_set(batch->original->def.gravity, 0, 0, 0); // the flaw is in the vertices
    for (uint32_t row = 0; row < row_count(run); row++)
        for (int uneven = 0; uneven < SPACINGS; uneven++)
            SHEAF_TRY(add_rod(batch, (uint32_t)EDGES_PAPER << row, uneven));
    SHEAF_TRY(reproduce_batch_open(run, batch));
    return reproduce_batch_run(run, batch, batch->original->def.end);
}

// ---- plots

static sheaf_status plot_envelopes(reproduce_run *run, const found *rows, bool is_uneven, double width)
{
    static const char *const colours[ROWS_MOST] = {"#c6a9d8", "#9e7cc1", "#d95f02", "#1f78b4", "#1b9e77"};
    enum { SAMPLES = 241 };
    double places[ROWS_MOST][EDGES_MOST], exact[2][SAMPLES];
    io_series series[ROWS_MOST + 1];
    char names[ROWS_MOST][24], file[32];
    const uint32_t count = row_count(run);
    for (uint32_t row = 0; row < count; row++) {
        const found *it = &rows[row * SPACINGS + is_uneven];
        for (uint32_t j = 0; j < it->edges; j++)
            places[row][j] = it->s[j] / width;
        snprintf(names[row], sizeof names[row], "%u edges", it->edges);
        series[row] = (io_series){.name = names[row],
                                  .colour = colours[row],
                                  .x = places[row],
                                  .y = it->envelope,
                                  .count = it->edges,
                                  .mark = row == 0 ? IO_MARK_BOTH : IO_MARK_LINE};
    }
    for (int k = 0; k < SAMPLES; k++) {
        exact[0][k] = -6 + 12.0 * k / (SAMPLES - 1);
        exact[1][k] = pow(tanh(exact[0][k]), 2);
    }
    series[count] = (io_series){
        .name = "theory", .colour = "#111111", .dashed = true, .x = exact[0], .y = exact[1], .count = SAMPLES};
    snprintf(file, sizeof file, "envelope-%s", spacing_names[is_uneven]);
    const io_plot plot = {.title = is_uneven ? "Envelope, one half twice as fine" : "Envelope, evenly spaced",
                          .x_label = "s / s*",
                          .y_label = "f(\xcf\x86)",
                          .x_range = {-6, 6},
                          .y_range = {-0.05, 1.15},
                          .series = series,
                          .series_count = count + 1};
    return reproduce_plot(run, file, &plot,
                          is_uneven ? "As on the right of the paper's figure 7: half of the rod has edges of twice the "
                                      "length of the other half's."
                                    : "As on the left of the paper's figure 7: envelope of the helix against arc "
                                      "length, for finer and finer rods.");
}

static sheaf_status plot_convergence(reproduce_run *run, const found *rows, double phi0)
{
    double edges[ROWS_MOST], error[2 * SPACINGS][ROWS_MOST], slope[ROWS_MOST];
    const uint32_t count = row_count(run);
    for (uint32_t row = 0; row < count; row++) {
        edges[row] = rows[row * SPACINGS].edges;
        slope[row] = rows[0].error * pow(edges[0] / edges[row], 2);
        for (int uneven = 0; uneven < SPACINGS; uneven++) {
            const found *it = &rows[row * SPACINGS + (uint32_t)uneven];
            error[uneven][row] = reproduce_share(it->phi0, phi0);
            error[SPACINGS + uneven][row] = it->error;
        }
    }
    const io_series series[] = {
        {.name = "\xcf\x86\xe2\x82\x80, even", .colour = "#1f78b4", .y = error[0], .mark = IO_MARK_BOTH},
        {.name = "\xcf\x86\xe2\x82\x80, uneven", .colour = "#d95f02", .y = error[1], .mark = IO_MARK_BOTH},
        {.name = "envelope, even", .colour = "#1b9e77", .y = error[2], .mark = IO_MARK_BOTH},
        {.name = "envelope, uneven", .colour = "#c2185b", .y = error[3], .mark = IO_MARK_BOTH},
        {.name = "second order", .colour = "#111111", .dashed = true, .y = slope},
    };
    const io_plot plot = {.title = "Error against the number of edges",
                          .x_label = "edges",
                          .y_label = "error",
                          .logarithmic = true,
                          .x_logarithmic = true,
                          .x = edges,
                          .count = count,
                          .series = series,
                          .series_count = 5};
    return reproduce_plot(run, "convergence", &plot,
                          "Largest angle (as a share of the theory's) and envelope (largest distance from "
                          "tanh\xc2\xb2(s/s*)) against the number of edges.");
}

static sheaf_status write_data(reproduce_run *run, const found *rows, double phi0)
{
    double table[ROWS_MOST * SPACINGS][5];
    const uint32_t count = row_count(run) * SPACINGS;
    for (uint32_t k = 0; k < count; k++) {
        const double line[] = {rows[k].edges, k % SPACINGS, rows[k].phi0, rows[k].phi0 / phi0 - 1, rows[k].error};
        for (int c = 0; c < 5; c++)
            table[k][c] = line[c];
    }
    return reproduce_csv(run, "convergence", "edges,uneven,phi0_rad,phi0_error,envelope_error", table[0], count, 5);
}

// The stretch of the finest even rod where the helix is.
static sheaf_status draw(reproduce_run *run, reproduce_batch *batch, const found *rows, double width)
{
    const uint32_t strand = (row_count(run) - 1) * SPACINGS;
    const found *it = &rows[strand];
    uint32_t first = 0, end = it->edges;
    while (it->s[first] < -8 * width)
        first++;
    while (it->s[end - 1] > 8 * width)
        end--;
    SHEAF_TRY(reproduce_batch_read_directors(batch));
    const uint64_t place = batch->model->first_vertex[strand] + first;
    const reproduce_curve curve = {.x = (const double(*)[3])batch->x + place,
                                   .directors = (const double(*)[3])batch->directors + place,
                                   .count = end - first + 1,
                                   .half = {0.03, 0.03}};
    const reproduce_picture picture = {
        .curves = &curve, .curve_count = 1, .elevation = 10, .width = 1280, .height = 220};
    return reproduce_draw(
        run, "helix", &picture,
        "The rod at rest, as in the inset of the paper's figure 7; a stripe along it shows its twist.");
}

// ---- verdicts

// Order of convergence from three rods, each with twice the edges of the one before. Differences between them leave out
// what the limit itself is off, which would count as order when errors get as small as that.
static double order_of(double coarse, double middle, double fine)
{
    return log2((coarse - middle) / (middle - fine));
}

static sheaf_status judge_order(reproduce_run *run, const char *what, int uneven, double order)
{
    char quantity[96];
    snprintf(quantity, sizeof quantity, "order of %s, three finest rods, %s edges: distance from 2", what,
             spacing_names[uneven]);
    return reproduce_verdict(run, quantity, order, 2, fabs(order - 2), 0.15);
}

static sheaf_status judge(reproduce_run *run, const found *rows, double phi0)
{
    const uint32_t last = row_count(run) - 1;
    const double wide = reproduce_is_short(run) ? 4 : 1; // the finest rod of the short form has a fourth of the edges
    char quantity[96];
    for (int uneven = 0; uneven < SPACINGS; uneven++) {
        const found *fine = &rows[last * SPACINGS + (uint32_t)uneven], *middle = fine - SPACINGS;
        const found *coarse = middle - SPACINGS;
        const double error = reproduce_share(fine->phi0, phi0);
        snprintf(quantity, sizeof quantity, "phi_0 (rad), %u %s edges", fine->edges, spacing_names[uneven]);
        SHEAF_TRY(reproduce_verdict(run, quantity, fine->phi0, phi0, error, 0.01 * wide));
        snprintf(quantity, sizeof quantity, "envelope, %u %s edges: largest distance", fine->edges,
                 spacing_names[uneven]);
        SHEAF_TRY(reproduce_verdict(run, quantity, fine->error, 0, fine->error, 0.02 * wide));
        if (reproduce_is_short(run))
            continue;
        SHEAF_TRY(judge_order(run, "phi_0", uneven, order_of(coarse->phi0, middle->phi0, fine->phi0)));
        SHEAF_TRY(judge_order(run, "the envelope", uneven, order_of(coarse->error, middle->error, fine->error)));
    }
    return SHEAF_OK;
}

// The paper's rod of 75 vertices once more on the reference.
static sheaf_status judge_device(reproduce_run *run, const found *device, double width)
{
    reproduce_batch batch;
    found *it = base_alloc(1, sizeof *it);
    sheaf_status status = it != NULL ? reproduce_batch_begin(run, "helix", &batch) : SHEAF_ERR_MEMORY;
    if (status != SHEAF_OK) {
        base_free(it);
        return status;
    }
    batch.on_reference = true;
    vec_set(batch.original->def.gravity, 0, 0, 0);
    status = add_rod(&batch, EDGES_PAPER, false);
    if (status == SHEAF_OK)
        status = reproduce_batch_open(run, &batch);
    if (status == SHEAF_OK)
        status = reproduce_batch_run(run, &batch, batch.original->def.end);
    if (status == SHEAF_OK) {
        read_helix(&batch, 0, width, it);
        status = reproduce_verdict(run, "phi_0 (rad), 74 even edges: device against reference", device->phi0, it->phi0,
                                   reproduce_share(device->phi0, it->phi0), 0.01);
    }
    reproduce_batch_close(&batch);
    base_free(it);
    return status;
}

static void describe(reproduce_run *run, const rod *r, const found *rows, double phi0)
{
    const found *last = &rows[(row_count(run) - 1) * SPACINGS];
    reproduce_paper(run,
                    "A naturally straight, isotropic rod (L = 9.29, bending 1.345, twisting 0.789) is clamped at both "
                    "ends; one clamp is turned by 27 turns and moved 0.3 towards the other. The rod winds up into a "
                    "helix whose amplitude is modulated. Theory has a largest angle between tangent and axis of "
                    "\xcf\x86\xe2\x82\x80 = 0.919 and an envelope of tanh\xc2\xb2(s/s*); discrete rods come to it as "
                    "they are refined, evenly spaced or with one half twice as fine as the other.");
    reproduce_here(run,
                   "The same rods, %u resolutions of each kind at once, from the paper's 75 vertices on; twisted and "
                   "pushed in 10 s and left to rest for 10 s. Theory for these numbers: \xcf\x86\xe2\x82\x80 = %.5f, "
                   "s* = %.4f. Measured with %u even edges: %.5f; the envelope is off by %.4f at most.",
                   row_count(run), phi0, width_of(r, phi0), last->edges, last->phi0, last->error);
}

static sheaf_status analyse(reproduce_run *run, reproduce_batch *batch, found *rows)
{
    const rod r = rod_of(batch);
    const double phi0 = largest_angle(&r), width = width_of(&r, phi0);
    for (uint32_t k = 0; k < row_count(run) * SPACINGS; k++)
        read_helix(batch, k, width, &rows[k]);
    describe(run, &r, rows, phi0);
    SHEAF_TRY(draw(run, batch, rows, width));
    for (int uneven = 0; uneven < SPACINGS; uneven++)
        SHEAF_TRY(plot_envelopes(run, rows, uneven, width));
    SHEAF_TRY(plot_convergence(run, rows, phi0));
    SHEAF_TRY(write_data(run, rows, phi0));
    SHEAF_TRY(judge(run, rows, phi0));
    return reproduce_on_device(run) && !reproduce_is_short(run) ? judge_device(run, &rows[0], width) : SHEAF_OK;
}

static sheaf_status run_helix(reproduce_run *run)
{
    reproduce_batch batch;
    SHEAF_TRY(reproduce_batch_begin(run, "helix", &batch));
    found *rows = base_alloc(ROWS_MOST * SPACINGS, sizeof *rows);
    sheaf_status status = rows != NULL ? simulate(run, &batch) : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK)
        status = analyse(run, &batch, rows);
    reproduce_batch_close(&batch);
    base_free(rows);
    return status;
}

const reproduce_experiment reproduce_helix = {
    .name = "helix",
    .title = "Localised helical buckling",
    .figure = "Figure 7",
    .about = "a twisted rod whose ends are pushed together winds up into a helix",
    .run = run_helix,
};
