// bars: cables of three materials and 3 to 24 segments that are drawn, twisted and bent by a constant load, against
// Hooke's law: figures 10 to 12 of the paper on rigid-body cables.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "reproduce/answers.h"
#include "reproduce/reproduce.h"

typedef enum test { STRETCH, TWIST, BEND, TESTS } test;
enum { MATERIALS = 3, RESOLUTIONS = 4, LOADS = 5, CASES_MOST = TESTS * MATERIALS * RESOLUTIONS * LOADS };

typedef struct material {
    const char *name, *colour;
    double young; // Pa
} material;
static const material materials[MATERIALS] = {
    {"rubber", "#1b9e77", 2e7}, {"nylon", "#d95f02", 2e9}, {"steel", "#3b6fb6", 2e11}};
static const char *const test_names[TESTS] = {"stretch", "twist", "bend"};
static const uint32_t segments[RESOLUTIONS] = {3, 24, 6, 12};
static const double length = 10, area = 1e-2, poisson = 0.3; // m, m^2
static const double most[TESTS] = {0.5, 233, 0.4};           // strain; rad; 1/m

// How bars come to rest: their masses are such that all swing as fast as each other, since mass does not matter there.
static const double step = 1.0 / 120, end = 20, ramp = 9; // s
static const double swing = 0.08 * 120, drag = 20;        // 1/s
static const double look = 1.0 / 60;                      // s

typedef struct bar {
    test which;
    uint32_t material, segments;
    double load;     // strain, rad or 1/m that it should give, over the whole length
    double turn;     // rad, of its tip so far
    double measured; // as `load`
} bar;

typedef struct bars {
    uint32_t count;
    bar all[CASES_MOST];
} bars;

static double stiffness_of(test which, double young)
{
    const double square = area * area; // a^4 of a square with side a
    const double values[TESTS] = {young * area, young / (2 * (1 + poisson)) * 0.1406 * square, young * square / 12};
    return values[which];
}

static void list_bars(bool is_short, bars *all)
{
    all->count = 0;
    for (test which = 0; which < TESTS; which++)
        for (uint32_t m = 0; m < MATERIALS; m++)
            for (uint32_t n = 0; n < (is_short ? 2 : RESOLUTIONS); n++)
                for (uint32_t k = is_short ? LOADS : 1; k <= LOADS; k++)
                    all->all[all->count++] = (bar){which, m, segments[n], most[which] * k / LOADS, 0, 0};
}

// ---- the scene

static void write_material(base_text *text, const material *it)
{
    const double bend = stiffness_of(BEND, it->young), rate = 3.516 / (length * length) / swing;
    const double line_mass = bend * rate * rate;
    base_text_add(
        text,
        "  %s: { line_mass: %.17g kg/m, stretch: %.17g N, bend: %.17g N*m^2, twist: %.17g N*m^2, radius: %.17g "
        "m, drag: %.17g Pa*s }\n",
        it->name, line_mass, stiffness_of(STRETCH, it->young), bend, stiffness_of(TWIST, it->young), sqrt(area / PI),
        drag * line_mass);
}

static void write_bar(base_text *text, const bar *it, uint32_t number)
{
    const double young = materials[it->material].young;
    // the last joint is half a segment before the last centre
    const double loads[TESTS] = {it->load, it->load / (length * (it->segments - 0.5) / it->segments), it->load};
    const double load = loads[it->which] * stiffness_of(it->which, young);
    char course[64];
    snprintf(course, sizeof course, "{ ramp: { to: %.17g %s, over: %g s } }", load, it->which == STRETCH ? "N" : "N*m",
             ramp);
    base_text_add(
        text,
        "  - { material: %s, length: %g m, segments: %u, direction: x, from: { at: [0, %u m, 0], joint: clamp },\n"
        "      to: { joint: free, %s: [%s, 0, %s] } }\n",
        materials[it->material].name, length, it->segments, 10 * number, it->which == STRETCH ? "force" : "torque",
        it->which == BEND ? "0" : course, it->which == BEND ? course : "0");
}

static void write_scene(base_text *text, const bars *all)
{
    base_text_add(text, "sheaf: 1\ntime: { step: %.17g s, end: %g s }\ngravity: [0, 0, 0]\nmaterials:\n", step, end);
    for (uint32_t m = 0; m < MATERIALS; m++)
        write_material(text, &materials[m]);
    base_text_add(text, "cables:\n");
    for (uint32_t k = 0; k < all->count; k++)
        write_bar(text, &all->all[k], k);
}

// ---- measuring

static void centre_of(const double (*x)[3], uint32_t segment, double out[3])
{
    vec_add(out, x[segment], x[segment + 1]);
    vec_scale(out, out, 0.5);
}

// 1/m, of the circle through the first centre, the last one and one between them.
static double curvature_of(const double (*x)[3], uint32_t count)
{
    double p[3][3], a[3], b[3], c[3], cross[3];
    centre_of(x, 0, p[0]);
    centre_of(x, count / 2, p[1]);
    centre_of(x, count - 1, p[2]);
    vec_sub(a, p[1], p[0]);
    vec_sub(b, p[2], p[1]);
    vec_sub(c, p[2], p[0]);
    vec_cross(cross, a, b);
    return 2 * vec_length(cross) / (vec_length(a) * vec_length(b) * vec_length(c));
}

// The tip's turn about x, that nearest to the last one.
static double turn_of(const reproduce_batch *batch, uint32_t strand, uint32_t count, double last)
{
    const double *d = batch->directors[batch->model->first_vertex[strand] + count - 1];
    const double *d0 = batch->model->director[batch->model->first_vertex[strand] + count - 1];
    const double turn = atan2(d[2], d[1]) - atan2(d0[2], d0[1]);
    return turn + 2 * PI * rint((last - turn) / (2 * PI));
}

static void measure(const reproduce_batch *batch, uint32_t strand, bar *it)
{
    const double(*x)[3] = reproduce_batch_vertices(batch, strand);
    const double joints = length * (it->segments - 0.5) / it->segments; // of what gives way
    double centre[3];
    it->turn = turn_of(batch, strand, it->segments, it->turn);
    switch (it->which) {
    case STRETCH:
        centre_of(x, it->segments - 1, centre);
        it->measured = (centre[0] - joints) / joints;
        break;
    case TWIST:
        it->measured = it->turn;
        break;
    default:
        it->measured = curvature_of(x, it->segments);
    }
}

static sheaf_status settle(reproduce_run *run, reproduce_batch *batch, bars *all)
{
    SHEAF_TRY(reproduce_batch_open(run, batch));
    for (uint32_t k = 1; k * look <= end; k++) {
        SHEAF_TRY(reproduce_batch_run(run, batch, k * look));
        SHEAF_TRY(reproduce_batch_read_directors(batch));
        for (uint32_t s = 0; s < all->count; s++)
            measure(batch, s, &all->all[s]);
    }
    return SHEAF_OK;
}

// All bars in one precision; says whether that was double precision.
static sheaf_status simulate(reproduce_run *run, sheaf_precision precision, bars *all, bool *is_double)
{
    base_text text = {0};
    reproduce_batch batch = {0};
    list_bars(reproduce_is_short(run), all);
    write_scene(&text, all);
    sheaf_status status = reproduce_batch_begin_text(run, &text, &batch);
    if (status == SHEAF_OK && precision != SHEAF_PRECISION_AUTO)
        batch.original->def.precision = precision;
    if (status == SHEAF_OK)
        status = settle(run, &batch, all);
    *is_double = status == SHEAF_OK && strcmp(sheaf_solver_precision(batch.solver), "double") == 0;
    reproduce_batch_close(&batch);
    base_text_free(&text);
    return status;
}

// ---- verdicts

static double bar_of(test which, uint32_t m, bool is_double)
{
    if (is_double)
        return which == TWIST ? 1e-8 : 1e-9;
    return which == TWIST && m == MATERIALS - 1 ? 1e-2 : 1e-4; // single precision
}

// The bar of a test and material that is off by most.
static bar worst_of(const bars *all, test which, uint32_t m)
{
    bar worst = {0};
    double most_off = -1;
    for (uint32_t k = 0; k < all->count; k++) {
        const bar *it = &all->all[k];
        const double off = reproduce_share(it->measured, it->load);
        if (it->which == which && it->material == m && !(off <= most_off)) {
            worst = *it;
            most_off = isfinite(off) ? off : INFINITY;
        }
    }
    return worst;
}

static sheaf_status judge(reproduce_run *run, const bars *all, bool is_double)
{
    for (test which = 0; which < TESTS; which++)
        for (uint32_t m = 0; m < MATERIALS; m++) {
            const bar worst = worst_of(all, which, m);
            char quantity[96];
            snprintf(quantity, sizeof quantity, "%s of %s, worst with %u segments, %s precision", test_names[which],
                     materials[m].name, worst.segments, is_double ? "double" : "single");
            SHEAF_TRY(reproduce_verdict(run, quantity, worst.measured, worst.load,
                                        reproduce_share(worst.measured, worst.load), bar_of(which, m, is_double)));
        }
    return SHEAF_OK;
}

// ---- plots

static const char *const titles[TESTS] = {"Stretching", "Twisting", "Bending"};
static const char *const x_labels[TESTS] = {"load f/YA", "load \xcf\x84L/GJ (rad)", "load \xcf\x84/YI (1/m)"};
static const char *const y_labels[TESTS] = {"strain", "twist (rad)", "curvature (1/m)"};

static sheaf_status plot(reproduce_run *run, const bars *all, test which)
{
    double x[MATERIALS][CASES_MOST], y[MATERIALS][CASES_MOST], line[2] = {0, most[which]};
    size_t count[MATERIALS] = {0};
    io_series series[MATERIALS + 1];
    for (uint32_t k = 0; k < all->count; k++) {
        const bar *it = &all->all[k];
        if (it->which != which)
            continue;
        x[it->material][count[it->material]] = it->load;
        y[it->material][count[it->material]++] = it->measured;
    }
    for (uint32_t m = 0; m < MATERIALS; m++)
        series[m] = (io_series){.name = materials[m].name,
                                .colour = materials[m].colour,
                                .mark = IO_MARK_DOTS,
                                .x = x[m],
                                .y = y[m],
                                .count = count[m]};
    series[MATERIALS] = (io_series){.name = "theory", .colour = "#111111", .x = line, .y = line, .count = 2};
    const io_plot it = {.title = titles[which],
                        .x_label = x_labels[which],
                        .y_label = y_labels[which],
                        .series = series,
                        .series_count = MATERIALS + 1};
    return reproduce_plot(run, test_names[which], &it,
                          "All materials and numbers of segments; the line is theory (figures 10 to 12 of the paper).");
}

static sheaf_status write_table(reproduce_run *run, const bars *all)
{
    double(*table)[5] = base_alloc(all->count, sizeof *table);
    if (table == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < all->count; k++) {
        const bar *it = &all->all[k];
        vec_set(table[k], it->which, materials[it->material].young, it->segments);
        table[k][3] = it->load;
        table[k][4] = it->measured;
    }
    const sheaf_status status =
        reproduce_csv(run, "bars", "test,young_Pa,segments,load,measured", table[0], all->count, 5);
    base_free(table);
    return status;
}

static sheaf_status run_bars(reproduce_run *run)
{
    bool is_double;
    bars *all = base_alloc(1, sizeof *all);
    if (all == NULL)
        return SHEAF_ERR_MEMORY;
    reproduce_paper(run,
                    "Bars of 10 m and 0.01 m\xc2\xb2 of rubber, nylon and steel, in 3, 6, 12 and 24 rigid segments, "
                    "are drawn to 1.5 times their length, twisted by up to 233 rad and bent to a radius of 2.5 m. "
                    "The paper bends them to within 10 %% with 6 segments and 2.5 %% with 24.");
    reproduce_here(run, "The same on the worst bar of each material. What a joint measures of bending makes centres of "
                        "segments lie on the true circle, whatever their number.");
    sheaf_status status = simulate(run, SHEAF_PRECISION_AUTO, all, &is_double);
    if (status == SHEAF_OK)
        status = judge(run, all, is_double);
    if (status == SHEAF_OK && !is_double) {
        status = simulate(run, SHEAF_PRECISION_DOUBLE, all, &is_double);
        if (status == SHEAF_OK)
            status = judge(run, all, is_double);
    }
    for (test which = 0; which < TESTS && status == SHEAF_OK; which++)
        status = plot(run, all, which);
    if (status == SHEAF_OK)
        status = write_table(run, all);
    base_free(all);
    return status;
}

const reproduce_experiment reproduce_bars = {
    .name = "bars",
    .title = "Bars that are drawn, twisted and bent",
    .figure = "Figures 10 to 12",
    .paper = "rigid-body cables",
    .about = "rubber, nylon and steel in 3 to 24 rigid segments: stretch, twist and bend against theory",
    .run = run_bars,
};
