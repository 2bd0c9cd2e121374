// elastica: cantilevers that their own weight bends far down, over weight and the direction of the clamp, all at once.
#include <math.h>
#include <stdio.h>

#include "base/vec.h"
#include "reproduce/answers.h"
#include "reproduce/reproduce.h"

enum { GRID = 24, SHORT_GRID = 4, CELLS = GRID * GRID, SAMPLES = 401, SHOWN = 6 };

static const double gamma_range[2] = {0.1, 300}; // weight per length times length^3 over bending stiffness
static const double clamp_range[2] = {-45, 75};  // deg, below the horizontal

// ---- theory: psi, the angle from the vertical, along r, the length from the tip: psi'' = gamma r sin(psi), psi'(0) =
// 0

typedef struct shape {
    double x[SAMPLES], z[SAMPLES]; // from the tip, shares of the length
} shape;

// Integrates from a tip with the angle `start`; returns the angle at the root.
static double integrate(double gamma, double start, shape *out)
{
    const double h = 1.0 / (SAMPLES - 1);
    double psi = start, rate = 0, x = 0, z = 0;
    for (int k = 0; k < SAMPLES; k++) {
        const double r = k * h;
        out->x[k] = x;
        out->z[k] = z;
        if (k + 1 == SAMPLES)
            break;
        const double a1 = gamma * r * sin(psi), p2 = psi + h / 2 * rate, v2 = rate + h / 2 * a1;
        const double a2 = gamma * (r + h / 2) * sin(p2), p3 = psi + h / 2 * v2, v3 = rate + h / 2 * a2;
        const double a3 = gamma * (r + h / 2) * sin(p3), p4 = psi + h * v3, v4 = rate + h * a3;
        x -= h / 6 * (sin(psi) + 2 * sin(p2) + 2 * sin(p3) + sin(p4));
        z += h / 6 * (cos(psi) + 2 * cos(p2) + 2 * cos(p3) + cos(p4));
        psi += h / 6 * (rate + 2 * v2 + 2 * v3 + v4);
        rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + gamma * (r + h) * sin(p4));
        if (psi > PI)
            return psi;
    }
    return psi;
}

// The pose of a rod whose clamp points `below` rad below the horizontal: the root's angle grows with the tip's.
static void find_shape(double gamma, double below, shape *out)
{
    const double root = PI / 2 - below;
    double low = log(1e-15), high = log(root);
    for (int step = 0; step < 60; step++) {
        const double middle = (low + high) / 2;
        if (integrate(gamma, exp(middle), out) > root)
            high = middle;
        else
            low = middle;
    }
    integrate(gamma, exp(low), out);
}

// ---- the rods

typedef struct map {
    uint32_t size;
    double gamma[CELLS], below[CELLS]; // deg
    double tip[CELLS][2];              // m along and up from the clamp: theory
    double found[CELLS][2];
    double error[CELLS]; // %, distance of the tip from theory's
    double worst;        // %
} map;

static sheaf_status add_rod(reproduce_batch *batch, double gamma, double below)
{
    sheaf_material_def material = reproduce_batch_material(batch, 0);
    sheaf_strand_def strand = reproduce_batch_strand(batch, 0);
    const double weight = material.line_mass * -batch->original->def.gravity[2];
    material.bend[0] = material.bend[1] = material.twist = weight * pow(strand.length, 3) / gamma;
    vec_set(strand.direction, cos(below), 0, -sin(below));
    return reproduce_batch_add(batch, &material, &strand);
}

static void lay_out(uint32_t size, map *m)
{
    shape theory;
    m->size = size;
    for (uint32_t k = 0; k < size * size; k++) {
        const uint32_t row = k / size, column = k % size;
        m->gamma[k] = gamma_range[0] * pow(gamma_range[1] / gamma_range[0], (column + 0.5) / size);
        m->below[k] = clamp_range[0] + (clamp_range[1] - clamp_range[0]) * (row + 0.5) / size;
        find_shape(m->gamma[k], m->below[k] * PI / 180, &theory);
        m->tip[k][0] = -theory.x[SAMPLES - 1];
        m->tip[k][1] = -theory.z[SAMPLES - 1];
    }
}

static sheaf_status settle(reproduce_run *run, reproduce_batch *batch, map *m)
{
    m->worst = 0;
    for (uint32_t k = 0; k < m->size * m->size; k++)
        SHEAF_TRY(add_rod(batch, m->gamma[k], m->below[k] * PI / 180));
    SHEAF_TRY(reproduce_batch_open(run, batch));
    SHEAF_TRY(reproduce_batch_run(run, batch, batch->original->def.end));
    for (uint32_t k = 0; k < m->size * m->size; k++) {
        const double *tip = batch->x[batch->model->first_vertex[k + 1] - 1];
        m->found[k][0] = tip[0];
        m->found[k][1] = tip[2];
        m->error[k] = 100 * hypot(tip[0] - m->tip[k][0], tip[2] - m->tip[k][1]);
        m->worst = fmax(m->worst, isfinite(m->error[k]) ? m->error[k] : 100);
    }
    return SHEAF_OK;
}

// ---- what came of it

static sheaf_status plot_map(reproduce_run *run, const map *m)
{
    const io_cells cells = {.columns = m->size,
                            .rows = m->size,
                            .values = m->error,
                            .x = {gamma_range[0], gamma_range[1]},
                            .y = {clamp_range[0], clamp_range[1]},
                            .low = 0,
                            .high = m->worst > 0 ? m->worst : 1,
                            .label = "error (% of length)"};
    const io_plot plot = {.title = "Heavy elastica: where the tip comes to rest",
                          .x_label = "weight w L\xc2\xb3 / B",
                          .y_label = "clamp below the horizontal (deg)",
                          .x_logarithmic = true,
                          .x_range = {gamma_range[0], gamma_range[1]},
                          .y_range = {clamp_range[0], clamp_range[1]},
                          .cells = &cells};
    return reproduce_plot(run, "map", &plot, "Distance of the tip from where theory has it.");
}

// Shapes of the map's middle row.
static sheaf_status plot_shapes(reproduce_run *run, const reproduce_batch *batch, const map *m)
{
    static const char *const colours[SHOWN] = {"#c6a9d8", "#9e7cc1", "#1f78b4", "#1b9e77", "#d95f02", "#c2185b"};
    enum { VERTICES_MOST = 80 };
    double x[SHOWN][2][VERTICES_MOST];
    shape theory[SHOWN];
    char names[SHOWN][32];
    io_series series[2 * SHOWN];
    for (uint32_t k = 0; k < SHOWN; k++) {
        const uint32_t strand = m->size / 2 * m->size + k * (m->size - 1) / (SHOWN - 1);
        const uint32_t count = reproduce_batch_vertex_count(batch, strand);
        for (uint32_t i = 1; i < count && i < VERTICES_MOST; i++) { // the first lies behind the clamp
            x[k][0][i - 1] = reproduce_batch_vertices(batch, strand)[i][0];
            x[k][1][i - 1] = reproduce_batch_vertices(batch, strand)[i][2];
        }
        find_shape(m->gamma[strand], m->below[strand] * PI / 180, &theory[k]);
        for (int s = 0; s < SAMPLES; s++) { // from the clamp instead of from the tip
            theory[k].x[s] += m->tip[strand][0];
            theory[k].z[s] += m->tip[strand][1];
        }
        snprintf(names[k], sizeof names[k], "%.3g", m->gamma[strand]);
        series[SHOWN + k] = (io_series){.name = names[k],
                                        .colour = colours[k],
                                        .mark = IO_MARK_DOTS,
                                        .x = x[k][0],
                                        .y = x[k][1],
                                        .count = count - 1};
        series[k] = (io_series){
            .name = k == 0 ? "theory" : "", .colour = "#111111", .x = theory[k].x, .y = theory[k].z, .count = SAMPLES};
    }
    const io_plot plot = {.title = "Shapes at rest, by w L\xc2\xb3 / B",
                          .x_label = "x / L",
                          .y_label = "z / L",
                          .x_range = {0, 1.05},
                          .series = series,
                          .series_count = 2 * SHOWN};
    return reproduce_plot(run, "shapes", &plot,
                          "Dots are vertices of rods at rest; lines are solutions of the elastica.");
}

static sheaf_status draw(reproduce_run *run, const reproduce_batch *batch, const map *m)
{
    reproduce_curve curves[GRID];
    const uint32_t row = m->size / 2 * m->size;
    for (uint32_t k = 0; k < m->size; k++) {
        const double share = (double)k / (m->size - 1);
        curves[k] = (reproduce_curve){.x = reproduce_batch_vertices(batch, row + k),
                                      .count = reproduce_batch_vertex_count(batch, row + k),
                                      .shift = {0, 0.06 * k, 0},
                                      .half = {0.012, 0.012},
                                      .colour = {0.2 + 0.55 * share, 0.45 - 0.2 * share, 0.75 - 0.5 * share}};
    }
    const reproduce_picture picture = {
        .curves = curves, .curve_count = m->size, .azimuth = 35, .elevation = 15, .width = 1280, .height = 560};
    return reproduce_draw(run, "cantilevers", &picture, "Rods of one row of the map at rest, from stiff to soft.");
}

static sheaf_status write_map(reproduce_run *run, const map *m)
{
    double table[CELLS][6];
    for (uint32_t k = 0; k < m->size * m->size; k++) {
        vec_set(table[k], m->gamma[k], m->below[k], m->found[k][0]);
        vec_set(table[k] + 3, m->found[k][1], m->tip[k][0], m->tip[k][1]);
    }
    return reproduce_csv(run, "map", "gamma,clamp_below_deg,x_m,z_m,x_theory_m,z_theory_m", table[0],
                         (size_t)m->size * m->size, 6);
}

static sheaf_status analyse(reproduce_run *run, reproduce_batch *batch, map *m)
{
    lay_out(reproduce_is_short(run) ? SHORT_GRID : GRID, m);
    SHEAF_TRY(settle(run, batch, m));
    reproduce_paper(run,
                    "The paper validates bending by the shapes of rods at rest. The cantilever that its own weight "
                    "bends is the oldest of them: the shape depends on w L\xc2\xb3 / B alone, and solves an ordinary "
                    "differential equation.");
    reproduce_here(run,
                   "%u rods of 64 edges, released straight, come to rest in air: w L\xc2\xb3 / B from %g to %g, clamps "
                   "from %g degrees above the horizontal to %g below. The tip that is farthest off misses theory's by "
                   "%.3f %% of the length.",
                   m->size * m->size, gamma_range[0], gamma_range[1], -clamp_range[0], clamp_range[1], m->worst);
    SHEAF_TRY(plot_map(run, m));
    SHEAF_TRY(plot_shapes(run, batch, m));
    SHEAF_TRY(draw(run, batch, m));
    SHEAF_TRY(write_map(run, m));
    return reproduce_verdict(run, "tip at rest, farthest of all rods from theory (share of the length)", m->worst / 100,
                             0, m->worst / 100, 0.01);
}

static sheaf_status run_elastica(reproduce_run *run)
{
    reproduce_batch batch;
    SHEAF_TRY(reproduce_batch_begin(run, "elastica", &batch));
    map *m = base_alloc(1, sizeof *m);
    const sheaf_status status = m != NULL ? analyse(run, &batch, m) : SHEAF_ERR_MEMORY;
    base_free(m);
    reproduce_batch_close(&batch);
    return status;
}

const reproduce_experiment reproduce_elastica = {
    .name = "elastica",
    .title = "The heavy elastica",
    .figure = "",
    .about = "cantilevers bent by their own weight, as a map over weight and clamp",
    .run = run_elastica,
};
