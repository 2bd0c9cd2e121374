// modes: a thousand random cantilevers, hairs, blades of grass and steel cables, swing in one of their first three
// modes; their frequencies against beam theory.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/vec.h"
#include "model/model.h"
#include "reproduce/answers.h"
#include "reproduce/reproduce.h"
#include "solver/solver.h"

enum { KINDS = 3, MODES = 3, SHORT_COUNT = 45, COUNT = 1002, EDGES = 64, BINS = 5, STREAM = 0x30DE };

static const char *const kinds[KINDS] = {"hair", "grass", "cable"};
static const char *const kind_names[KINDS] = {"hair", "grass", "steel cable"};
static const char *const colours[KINDS] = {"#8a5a2b", "#3c9a3c", "#3d6fb4"};
static const double steps_per_period = 200, periods = 4.3;
static const double swing = 1e-3; // of the length, at the tip, in mode 1

typedef struct cantilever {
    int kind, mode;
    double length, factor[3];   // m; of the scene's radius, moduli and density
    double expected, measured;  // rad/s
    uint32_t count;             // upward passages of the tip through its place of rest
    double first, last, before; // s, s, m
} cantilever;

// A place in a list of cantilevers.
typedef struct member {
    cantilever *it;
} member;

// ---- beam theory

// Deflection of a mode, 2 at the tip.
static double mode_shape(double beta, double s)
{
    const double ratio = (cosh(beta) + cos(beta)) / (sinh(beta) + sin(beta));
    return cosh(beta * s) - cos(beta * s) - ratio * (sinh(beta * s) - sin(beta * s));
}

static sheaf_material_def material_of(const sheaf_material_def *base, const cantilever *c)
{
    sheaf_material_def material = *base;
    for (int k = 0; k < 2; k++)
        material.radius[k] = base->radius[k] * c->factor[0];
    material.young = base->young * c->factor[1];
    material.shear = base->shear * c->factor[1];
    material.density = base->density * c->factor[2];
    return material;
}

// ---- the strands

static double between(double low, double high, double uniform)
{
    return low + (high - low) * uniform;
}

// Everything but the scene's material is drawn at random: length from half to one and a half, radius from 0.6 to 1.6,
// moduli and density from 0.7 to 1.4 of it.
static void draw_lot(const sheaf_scene *scene, uint32_t index, cantilever *c)
{
    double random[4], more[4];
    base_uniform4(1, STREAM, index, random);
    base_uniform4(2, STREAM, index, more);
    const sheaf_strand_def *strand = &scene->groups[0].strand;
    *c = (cantilever){.kind = (int)(index % KINDS), .mode = 1 + (int)(index / KINDS % MODES)};
    c->length = strand->length * between(0.5, 1.5, random[0]);
    c->factor[0] = between(0.6, 1.6, random[1]);
    c->factor[1] = between(0.7, 1.4, random[2]);
    c->factor[2] = between(0.7, 1.4, more[0]);
    const sheaf_material_def material = material_of(&scene->materials[strand->material], c);
    const scene_section section = scene_material_section(&material);
    const double beta = answers_cantilever_mode(c->mode) / c->length;
    c->expected = beta * beta * sqrt(section.bend[0] / section.line_mass);
}

static sheaf_status draw_lots(const reproduce_run *run, cantilever *all, uint32_t count)
{
    for (int kind = 0; kind < KINDS; kind++) {
        reproduce_batch batch;
        char scene[24];
        snprintf(scene, sizeof scene, "modes-%s", kinds[kind]);
        SHEAF_TRY(reproduce_batch_begin(run, scene, &batch));
        for (uint32_t k = (uint32_t)kind; k < count; k += KINDS)
            draw_lot(batch.original, k, &all[k]);
        reproduce_batch_close(&batch);
    }
    return SHEAF_OK;
}

static sheaf_status add_strand(reproduce_batch *batch, const cantilever *c)
{
    const sheaf_material_def base = reproduce_batch_material(batch, 0), material = material_of(&base, c);
    sheaf_strand_def strand = reproduce_batch_strand(batch, 0);
    const double l = c->length / (EDGES - 0.5), beta = answers_cantilever_mode(c->mode);
    double points[EDGES + 1][3];
    for (uint32_t i = 0; i <= EDGES; i++) {
        const double s = (i - 0.5) * l / c->length;
        vec_set(points[i], s * c->length, 0, i < 2 ? 0 : -swing * c->length / 2 * mode_shape(beta, s) / c->mode);
    }
    strand.shape = SHEAF_SHAPE_POINTS;
    strand.points = points[0];
    strand.vertex_count = EDGES + 1;
    return reproduce_batch_add(batch, &material, &strand);
}

// ---- listening

// z of the tip at `time`, and at the time before a step of `step`.
static void note(cantilever *c, double z, double time, double step)
{
    if (c->before < 0 && z >= 0) {
        c->last = time - step * z / (z - c->before);
        if (c->count++ == 0)
            c->first = c->last;
    }
    c->before = z;
}

static void finish(cantilever *c)
{
    c->measured = c->count > 1 ? 2 * PI * (c->count - 1) / (c->last - c->first) : NAN;
}

static sheaf_status listen(reproduce_run *run, reproduce_batch *batch, const member *who, double end)
{
    enum { STRIDE = 4 };
    const double step = STRIDE * solver_step(batch->solver);
    for (uint32_t k = 1; k * step < end; k++) {
        SHEAF_TRY(reproduce_batch_run(run, batch, k * step));
        for (uint32_t s = 0; s < batch->count; s++)
            note(who[s].it, batch->x[batch->model->first_vertex[s + 1] - 1][2], k * step, step);
    }
    for (uint32_t s = 0; s < batch->count; s++)
        finish(who[s].it);
    return SHEAF_OK;
}

// Strands of a kind whose frequencies lie within a factor of two or so, so that one time step suits all.
static sheaf_status run_bin(reproduce_run *run, int kind, const member *who, uint32_t count)
{
    reproduce_batch batch;
    char scene[24];
    double slowest = INFINITY, fastest = 0;
    for (uint32_t k = 0; k < count; k++) {
        slowest = fmin(slowest, who[k].it->expected);
        fastest = fmax(fastest, who[k].it->expected);
    }
    snprintf(scene, sizeof scene, "modes-%s", kinds[kind]);
    SHEAF_TRY(reproduce_batch_begin(run, scene, &batch));
    batch.original->def.step = 2 * PI / fastest / steps_per_period;
    sheaf_status status = SHEAF_OK;
    for (uint32_t k = 0; k < count && status == SHEAF_OK; k++)
        status = add_strand(&batch, who[k].it);
    if (status == SHEAF_OK)
        status = reproduce_batch_open(run, &batch);
    if (status == SHEAF_OK)
        status = listen(run, &batch, who, periods * 2 * PI / slowest);
    reproduce_batch_close(&batch);
    return status;
}

static int compare_expected(const void *a, const void *b)
{
    const cantilever *first = ((const member *)a)->it, *second = ((const member *)b)->it;
    return (first->expected > second->expected) - (first->expected < second->expected);
}

static sheaf_status run_kind(reproduce_run *run, int kind, cantilever *all, uint32_t count)
{
    member who[COUNT / KINDS];
    uint32_t found = 0;
    for (uint32_t k = (uint32_t)kind; k < count; k += KINDS)
        who[found++].it = &all[k];
    qsort(who, found, sizeof who[0], compare_expected);
    for (uint32_t bin = 0; bin < BINS; bin++) {
        const uint32_t first = found * bin / BINS, end = found * (bin + 1) / BINS;
        SHEAF_TRY(run_bin(run, kind, who + first, end - first));
    }
    return SHEAF_OK;
}

// ---- what came of it

static sheaf_status plot_scatter(reproduce_run *run, const cantilever *all, uint32_t count)
{
    double x[KINDS][COUNT / KINDS], y[KINDS][COUNT / KINDS], line[2] = {INFINITY, 0};
    size_t found[KINDS] = {0};
    for (uint32_t k = 0; k < count; k++) {
        const cantilever *c = &all[k];
        x[c->kind][found[c->kind]] = c->expected / (2 * PI);
        y[c->kind][found[c->kind]++] = c->measured / (2 * PI);
        line[0] = fmin(line[0], c->expected / (2 * PI));
        line[1] = fmax(line[1], c->expected / (2 * PI));
    }
    io_series series[KINDS + 1];
    for (int kind = 0; kind < KINDS; kind++)
        series[kind] = (io_series){.name = kind_names[kind],
                                   .colour = colours[kind],
                                   .mark = IO_MARK_DOTS,
                                   .x = x[kind],
                                   .y = y[kind],
                                   .count = found[kind]};
    series[KINDS] = (io_series){.name = "equal", .colour = "#111111", .dashed = true, .x = line, .y = line, .count = 2};
    const io_plot plot = {.title = "Frequencies of cantilevers",
                          .x_label = "beam theory (Hz)",
                          .y_label = "measured (Hz)",
                          .logarithmic = true,
                          .x_logarithmic = true,
                          .series = series,
                          .series_count = KINDS + 1};
    return reproduce_plot(
        run, "frequencies", &plot,
        "Every dot is a strand of random length, thickness, stiffness and density, in mode 1, 2 or 3.");
}

static sheaf_status plot_errors(reproduce_run *run, const cantilever *all, uint32_t count)
{
    static const char *const names[MODES] = {"mode 1", "mode 2", "mode 3"};
    static const char *const mode_colours[MODES] = {"#1f78b4", "#d95f02", "#1b9e77"};
    double x[MODES][COUNT / MODES], y[MODES][COUNT / MODES];
    size_t found[MODES] = {0};
    for (uint32_t k = 0; k < count; k++) {
        const int m = all[k].mode - 1;
        x[m][found[m]] = all[k].expected / (2 * PI);
        y[m][found[m]++] = 100 * (all[k].measured / all[k].expected - 1);
    }
    io_series series[MODES];
    for (int m = 0; m < MODES; m++)
        series[m] = (io_series){
            .name = names[m], .colour = mode_colours[m], .mark = IO_MARK_DOTS, .x = x[m], .y = y[m], .count = found[m]};
    const io_plot plot = {.title = "Error of the frequency",
                          .x_label = "beam theory (Hz)",
                          .y_label = "error (%)",
                          .x_logarithmic = true,
                          .series = series,
                          .series_count = MODES};
    return reproduce_plot(
        run, "errors", &plot,
        "What is left is the time step's error, at least 200 of them a period, and that of 64 edges.");
}

static sheaf_status write_data(reproduce_run *run, const cantilever *all, uint32_t count)
{
    double *table = base_alloc(count, 5 * sizeof *table);
    if (table == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < count; k++) {
        const double row[] = {all[k].kind, all[k].mode, all[k].length, all[k].expected / (2 * PI),
                              all[k].measured / (2 * PI)};
        for (int c = 0; c < 5; c++)
            table[5 * k + (uint32_t)c] = row[c];
    }
    const sheaf_status status =
        reproduce_csv(run, "frequencies", "kind,mode,length_m,theory_Hz,measured_Hz", table, count, 5);
    base_free(table);
    return status;
}

static int compare_numbers(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

// A strand that was not heard counts as wrong by all of it.
static double median_error(const cantilever *all, uint32_t count, int mode, double *worst)
{
    double errors[COUNT];
    uint32_t found = 0;
    *worst = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (mode > 0 && all[k].mode != mode)
            continue;
        errors[found] = isfinite(all[k].measured) ? reproduce_share(all[k].measured, all[k].expected) : 1;
        *worst = fmax(*worst, errors[found++]);
    }
    qsort(errors, found, sizeof errors[0], compare_numbers);
    return errors[found / 2];
}

static sheaf_status judge(reproduce_run *run, const cantilever *all, uint32_t count)
{
    double worst;
    for (int mode = 0; mode <= MODES; mode++) {
        char quantity[96] = "frequency, all modes: median error";
        if (mode > 0)
            snprintf(quantity, sizeof quantity, "frequency, mode %d: median error", mode);
        const double median = median_error(all, count, mode, &worst);
        SHEAF_TRY(reproduce_verdict(run, quantity, median, 0, median, 0.005));
    }
    median_error(all, count, 0, &worst);
    reproduce_here(run, "The worst of all is off by %.2f %%.", 100 * worst);
    return SHEAF_OK;
}

static sheaf_status run_all(reproduce_run *run, cantilever *all, uint32_t count)
{
    SHEAF_TRY(draw_lots(run, all, count));
    reproduce_paper(run,
                    "The paper keeps bending dynamic, because its waves are what is seen, and leaves twist to follow "
                    "at once. How fast a clamped strand swings is known from beam theory: \xcf\x89 = \xce\xb2\xc2\xb2 "
                    "\xe2\x88\x9a(EI/\xcf\x81"
                    "A), \xce\xb2L = 1.8751, 4.6941, 7.8548 in the first three modes.");
    reproduce_here(
        run,
        "%u hairs, blades of grass and steel cables, clamped at one end, of random length, thickness, stiffness "
        "and density, each released in one of its first three modes. Frequencies are counted from the times at "
        "which the tip passes through its place of rest.",
        count);
    for (int kind = 0; kind < KINDS; kind++)
        SHEAF_TRY(run_kind(run, kind, all, count));
    SHEAF_TRY(plot_scatter(run, all, count));
    SHEAF_TRY(plot_errors(run, all, count));
    SHEAF_TRY(write_data(run, all, count));
    return judge(run, all, count);
}

static sheaf_status run_modes(reproduce_run *run)
{
    const uint32_t count = reproduce_is_short(run) ? SHORT_COUNT : COUNT;
    cantilever *all = base_alloc(count, sizeof *all);
    const sheaf_status status = all != NULL ? run_all(run, all, count) : SHEAF_ERR_MEMORY;
    base_free(all);
    return status;
}

const reproduce_experiment reproduce_modes = {
    .name = "modes",
    .title = "Hair, grass and cable modes",
    .figure = "",
    .about = "frequencies of 1,000 random cantilevers against beam theory",
    .run = run_modes,
};
