// buckling: three rods that lose their stability, each over two of its parameters, thousands of rods in one batch: a
// twisted shaft and a twisted ribbon under tension, and a strip that is loaded on edge.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/vec.h"
#include "reproduce/answers.h"
#include "reproduce/limit.h"
#include "reproduce/reproduce.h"
#include "reproduce/stability.h"

enum { GRID = 16, SHORT_GRID = 2, CELLS = GRID * GRID, EDGES_MOST = 256 };

// Times, s, between which growth is measured.
static const double measure_from = 6, measure_to = 9;
static const double disturbance = 1e-3; // m, to begin with

// Loads that rods are put under, one each.
typedef struct load_list {
    int count;
    double at[LIMIT_LOADS];
} load_list;

typedef struct problem problem;

// A map: two parameters, what the critical load is, a rod under a load, and how far one is out of line or plane.
struct problem {
    const char *scene, *title, *x_label, *y_label, *load; // the last: as in "critical moment"
    double x[2], y[2];
    bool x_logarithmic, y_logarithmic;
    double (*critical)(double x, double y);
    uint32_t edges;
    sheaf_status (*add)(reproduce_batch *batch, uint32_t edges, double x, double y, const load_list *loads);
    double (*out)(const double place[3]); // m, of a vertex
    const char *caption;
};

typedef struct map {
    const problem *of;
    uint32_t size; // rows and columns
    double x[CELLS], y[CELLS];
    double critical[CELLS]; // theory
    double share[CELLS];    // measured, of it
    double error[CELLS];    // %
} map;

// ---- rods

// A straight strand along x from 0 to 1, with clamp planes in the middle of clamped edges.
static double lay_straight(sheaf_strand_def *strand, uint32_t edges, double (*points)[3])
{
    const double l = 1 / (edges - (strand->tip.hold_position ? 1 : 0.5));
    for (uint32_t i = 0; i <= edges; i++)
        vec_set(points[i], (i - 0.5) * l, 0, 0);
    strand->shape = SHEAF_SHAPE_POINTS;
    strand->points = points[0];
    strand->vertex_count = edges + 1;
    strand->natural = SHEAF_NATURAL_STRAIGHT;
    return l;
}

// Rates go with the fourth power of the waves' number, which goes with the moment: drag makes up for it.
static double drag_of(double moment)
{
    return 100 * pow(moment / answers_greenhill(1), 4);
}

// Disturbed in the shape in which it will buckle: others have critical loads close by.
static sheaf_status add_twisted(reproduce_batch *batch, const sheaf_material_def *material, uint32_t edges,
                                double tension, const load_list *moments)
{
    sheaf_strand_def strand = reproduce_batch_strand(batch, 0);
    double points[EDGES_MOST + 1][3], place[EDGES_MOST + 1], mode[EDGES_MOST + 1][2];
    lay_straight(&strand, edges, points);
    for (uint32_t i = 0; i <= edges; i++) // clamped edges stay on the axis
        place[i] = ((double)i - 1) / (edges - 2);
    stability_ribbon_mode(material->bend, material->twist, tension, place, (int)edges + 1, mode);
    for (uint32_t i = 2; i + 1 < edges; i++) {
        points[i][2] += disturbance * mode[i][0]; // director 1 is up, director 2 along -y
        points[i][1] -= disturbance * mode[i][1];
    }
    strand.tip.force[0].value = tension;
    for (int k = 0; k < moments->count; k++) {
        strand.tip.twist.value = moments->at[k] / material->twist;
        SHEAF_TRY(reproduce_batch_add(batch, material, &strand));
    }
    return SHEAF_OK;
}

static double off_the_line(const double place[3])
{
    return hypot(place[1], place[2]);
}

static double aside(const double place[3])
{
    return fabs(place[1]);
}

// Greenhill's shaft: tension and C / B.
static double shaft_critical(double tension, double ratio)
{
    (void)ratio;
    return answers_greenhill(tension);
}

static sheaf_status add_shaft(reproduce_batch *batch, uint32_t edges, double tension, double ratio,
                              const load_list *moments)
{
    sheaf_material_def material = reproduce_batch_material(batch, 0);
    material.twist = ratio * material.bend[0];
    material.drag = drag_of(answers_greenhill(tension));
    return add_twisted(batch, &material, edges, tension, moments);
}

// The ribbon: tension and B2 / B1, with B2 = 1 and C = 1.5, which is 4 G / E of a thin one.
static const double ribbon_twist = 1.5;

static double ribbon_critical(double tension, double ratio)
{
    return stability_ribbon((const double[2]){1 / ratio, 1}, ribbon_twist, tension);
}

static sheaf_status add_ribbon(reproduce_batch *batch, uint32_t edges, double tension, double ratio,
                               const load_list *moments)
{
    sheaf_material_def material = reproduce_batch_material(batch, 0);
    const double mean = 2 / (1 + ratio); // stiffness that a wave meets as the ribbon turns
    material.bend[0] = 1 / ratio;
    material.bend[1] = 1;
    material.twist = ribbon_twist;
    material.drag = mean * drag_of(answers_greenhill(tension / mean));
    return add_twisted(batch, &material, edges, tension, moments);
}

// The strip: B1 / B2 and C / B2.
static double strip_critical(double stiff, double torsion)
{
    return stability_lateral(stiff, 1, torsion) * sqrt(torsion);
}

static sheaf_status add_strip(reproduce_batch *batch, uint32_t edges, double stiff, double torsion,
                              const load_list *loads)
{
    sheaf_material_def material = reproduce_batch_material(batch, 0);
    sheaf_strand_def strand = reproduce_batch_strand(batch, 0);
    double points[EDGES_MOST + 1][3];
    const double l = lay_straight(&strand, edges, points);
    for (uint32_t i = 2; i <= edges; i++)
        points[i][1] = disturbance * pow((i - 1) * l, 2);
    material.bend[0] = stiff;
    material.bend[1] = 1;
    material.twist = torsion;
    for (int k = 0; k < loads->count; k++) {
        strand.tip.force[2].value = -loads->at[k];
        SHEAF_TRY(reproduce_batch_add(batch, &material, &strand));
    }
    return SHEAF_OK;
}

static const problem problems[] = {
    {.scene = "greenhill",
     .title = "Greenhill: shaft under tension",
     .x_label = "tension T L\xc2\xb2 / B",
     .y_label = "C / B",
     .load = "moment",
     .x = {1, 100},
     .y = {0.5, 2},
     .x_logarithmic = true,
     .critical = shaft_critical,
     .edges = 64,
     .add = add_shaft,
     .out = off_the_line,
     .caption = "Straight shaft, clamped, one end sliding under tension and turned: error of the critical moment."},
    {.scene = "ribbon",
     .title = "Twisted ribbon under tension",
     .x_label = "tension T L\xc2\xb2 / B\xe2\x82\x82",
     .y_label = "B\xe2\x82\x82 / B\xe2\x82\x81",
     .load = "moment",
     .x = {1, 100},
     .y = {0.1, 1},
     .x_logarithmic = true,
     .critical = ribbon_critical,
     .edges = 256,
     .add = add_ribbon,
     .out = off_the_line,
     .caption = "The same with a flat section, C = 1.5 B\xe2\x82\x82, against the second variation of its energy."},
    {.scene = "lateral",
     .title = "Lateral buckling of a strip",
     .x_label = "B\xe2\x82\x81 / B\xe2\x82\x82 (in the plane of the load over across)",
     .y_label = "C / B\xe2\x82\x82",
     .load = "load",
     .x = {8, 128},
     .y = {0.25, 2},
     .x_logarithmic = true,
     .y_logarithmic = true,
     .critical = strip_critical,
     .edges = 64,
     .add = add_strip,
     .out = aside,
     .caption = "Strip on edge, loaded at its tip: error of the critical load, with the bending before it counted."},
};

enum { PROBLEMS = sizeof problems / sizeof problems[0] };

// ---- a map

static double centre_of(const double range[2], bool logarithmic, uint32_t k, uint32_t size)
{
    const double share = (k + 0.5) / size;
    return logarithmic ? range[0] * pow(range[1] / range[0], share) : range[0] + (range[1] - range[0]) * share;
}

static void lay_out(const problem *of, uint32_t size, map *m)
{
    m->of = of;
    m->size = size;
    for (uint32_t k = 0; k < size * size; k++) {
        m->x[k] = centre_of(of->x, of->x_logarithmic, k % size, size);
        m->y[k] = centre_of(of->y, of->y_logarithmic, k / size, size);
        m->critical[k] = of->critical(m->x[k], m->y[k]);
    }
}

static double farthest_out(const map *m, const reproduce_batch *batch, uint32_t strand)
{
    double most = 0;
    for (uint64_t k = batch->model->first_vertex[strand]; k < batch->model->first_vertex[strand + 1]; k++)
        most = fmax(most, m->of->out(batch->x[k]));
    return most;
}

static sheaf_status measure(reproduce_run *run, reproduce_batch *batch, map *m, uint32_t edges, double *out)
{
    const uint32_t cells = m->size * m->size;
    vec_set(batch->original->def.gravity, 0, 0, 0); // the disturbance is in the vertices, and may fade
    for (uint32_t k = 0; k < cells; k++) {
        load_list loads = {.count = LIMIT_LOADS};
        for (int load = 0; load < LIMIT_LOADS; load++)
            loads.at[load] = limit_loads[load] * m->critical[k];
        SHEAF_TRY(m->of->add(batch, edges, m->x[k], m->y[k], &loads));
    }
    SHEAF_TRY(reproduce_batch_open(run, batch));
    SHEAF_TRY(reproduce_batch_run(run, batch, measure_from));
    for (uint32_t s = 0; s < batch->count; s++)
        out[s] = farthest_out(m, batch, s);
    SHEAF_TRY(reproduce_batch_run(run, batch, measure_to));
    for (uint32_t k = 0; k < cells; k++) {
        double rate[LIMIT_LOADS];
        for (uint32_t load = 0; load < LIMIT_LOADS; load++) {
            const uint32_t s = k * LIMIT_LOADS + load;
            rate[load] = log(farthest_out(m, batch, s) / out[s]) / (measure_to - measure_from);
        }
        m->share[k] = limit_find(rate);
        m->error[k] = 100 * fabs(m->share[k] - 1);
    }
    return SHEAF_OK;
}

static sheaf_status simulate(reproduce_run *run, map *m, bool on_reference)
{
    reproduce_batch batch;
    SHEAF_TRY(reproduce_batch_begin(run, m->of->scene, &batch));
    batch.on_reference = on_reference;
    double *out = base_alloc((size_t)m->size * m->size * LIMIT_LOADS, sizeof *out);
    const sheaf_status status =
        out != NULL ? measure(run, &batch, m, m->of->edges / (reproduce_is_short(run) ? 2 : 1), out) : SHEAF_ERR_MEMORY;
    base_free(out);
    reproduce_batch_close(&batch);
    return status;
}

static sheaf_status plot_map(reproduce_run *run, const map *m, double worst)
{
    const problem *of = m->of;
    const io_cells cells = {.columns = m->size,
                            .rows = m->size,
                            .values = m->error,
                            .x = {of->x[0], of->x[1]},
                            .y = {of->y[0], of->y[1]},
                            .low = 0,
                            .high = isfinite(worst) && worst > 0 ? worst : 1,
                            .label = "error (%)"};
    const io_plot plot = {.title = of->title,
                          .x_label = of->x_label,
                          .y_label = of->y_label,
                          .x_logarithmic = of->x_logarithmic,
                          .logarithmic = of->y_logarithmic,
                          .x_range = {of->x[0], of->x[1]},
                          .y_range = {of->y[0], of->y[1]},
                          .cells = &cells};
    return reproduce_plot(run, of->scene, &plot, of->caption);
}

static sheaf_status write_map(reproduce_run *run, const map *m)
{
    double table[CELLS][4];
    for (uint32_t k = 0; k < m->size * m->size; k++) {
        vec_set(table[k], m->x[k], m->y[k], m->share[k] * m->critical[k]);
        table[k][3] = m->critical[k];
    }
    return reproduce_csv(run, m->of->scene, "x,y,measured,theory", table[0], (size_t)m->size * m->size, 4);
}

static int compare_numbers(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

// A cell whose limit was not found counts as wrong by all of it.
static sheaf_status judge(reproduce_run *run, const map *m, double *worst)
{
    double errors[CELLS];
    const uint32_t cells = m->size * m->size;
    const double wide = reproduce_is_short(run) ? 4 : 1; // half the edges, an error of second order
    char quantity[96];
    for (uint32_t k = 0; k < cells; k++)
        errors[k] = isfinite(m->error[k]) ? m->error[k] / 100 : 1;
    qsort(errors, cells, sizeof errors[0], compare_numbers);
    *worst = 100 * errors[cells - 1];
    snprintf(quantity, sizeof quantity, "%s: critical %s, worst of %u rods", m->of->scene, m->of->load, cells);
    SHEAF_TRY(reproduce_verdict(run, quantity, errors[cells - 1], 0, errors[cells - 1], 0.01 * wide));
    snprintf(quantity, sizeof quantity, "%s: critical %s, median of %u rods", m->of->scene, m->of->load, cells);
    return reproduce_verdict(run, quantity, errors[cells / 2], 0, errors[cells / 2], 0.01 * wide);
}

// Sixteen shafts, spread over their map, once more on the reference: the one that differs most.
static sheaf_status judge_reference(reproduce_run *run)
{
    enum { SIDE = 4 };
    map device, reference;
    uint32_t worst = 0;
    lay_out(&problems[0], SIDE, &device);
    lay_out(&problems[0], SIDE, &reference);
    SHEAF_TRY(simulate(run, &device, false));
    SHEAF_TRY(simulate(run, &reference, true));
    for (uint32_t k = 1; k < SIDE * SIDE; k++)
        if (!(reproduce_share(device.share[k], reference.share[k]) <=
              reproduce_share(device.share[worst], reference.share[worst])))
            worst = k;
    const double critical = device.critical[worst];
    return reproduce_verdict(run, "greenhill: critical moment, 16 shafts: device against reference, the worst",
                             device.share[worst] * critical, reference.share[worst] * critical,
                             reproduce_share(device.share[worst], reference.share[worst]), 0.01);
}

// ---- pictures

static sheaf_status draw_ribbons(reproduce_run *run, reproduce_batch *batch)
{
    enum { RIBBONS = 2, LATEST = 40 }; // the last: s
    static const double colours[RIBBONS][3] = {{0.35, 0.68, 0.85}, {0.85, 0.50, 0.20}};
    const double ratio = 0.3, tension = 10, critical = ribbon_critical(tension, ratio), shown_out = 0.12;
    const load_list loads = {.count = RIBBONS, .at = {0.97 * critical, 1.06 * critical}};
    const map m = {.of = &problems[1]};
    reproduce_curve curves[RIBBONS];
    vec_set(batch->original->def.gravity, 0, 0, 0);
    SHEAF_TRY(add_ribbon(batch, EDGES_MOST, tension, ratio, &loads));
    SHEAF_TRY(reproduce_batch_open(run, batch));
    for (int k = 1; k <= 5 * LATEST && farthest_out(&m, batch, 1) < shown_out; k++)
        SHEAF_TRY(reproduce_batch_run(run, batch, 0.2 * k));
    SHEAF_TRY(reproduce_batch_read_directors(batch));
    for (uint32_t k = 0; k < RIBBONS; k++) {
        curves[k] = (reproduce_curve){.x = reproduce_batch_vertices(batch, k),
                                      .directors = (const double(*)[3])batch->directors + batch->model->first_vertex[k],
                                      .count = reproduce_batch_vertex_count(batch, k),
                                      .shift = {0, 0, -0.22 * k},
                                      .half = {0.02, 0.003}};
        vec_copy(curves[k].colour, colours[k]);
    }
    const reproduce_picture picture = {
        .curves = curves, .curve_count = RIBBONS, .elevation = 12, .width = 1280, .height = 520};
    return reproduce_draw(run, "ribbons", &picture,
                          "Two ribbons under tension, twisted by 0.97 and 1.06 of the critical angle: the first stays "
                          "straight, the second is on its way to a loop.");
}

static sheaf_status draw(reproduce_run *run)
{
    reproduce_batch batch;
    SHEAF_TRY(reproduce_batch_begin(run, "ribbon", &batch));
    const sheaf_status status = draw_ribbons(run, &batch);
    reproduce_batch_close(&batch);
    return status;
}

// ---- all of it

static sheaf_status run_map(reproduce_run *run, const problem *of, map *m)
{
    double worst;
    lay_out(of, reproduce_is_short(run) ? SHORT_GRID : GRID, m);
    SHEAF_TRY(simulate(run, m, false));
    SHEAF_TRY(judge(run, m, &worst));
    SHEAF_TRY(plot_map(run, m, worst));
    return write_map(run, m);
}

static sheaf_status run_maps(reproduce_run *run, map *m)
{
    reproduce_paper(run,
                    "The paper names buckling under twist as the test of how twist and bending couple, and shows two "
                    "of its classics. These are three more whose critical loads are known: Greenhill's shaft, a "
                    "ribbon twisted under tension, and a strip loaded on edge.");
    reproduce_here(
        run,
        "Each is a map over two parameters, with four loads about the critical one for every point: %u rods at "
        "once. A slight disturbance fades below the critical load and grows above it; where its rate is zero is "
        "the limit. Theory is a closed form for the shaft, and for the others the load at which the second "
        "variation of the energy stops to be positive.",
        (reproduce_is_short(run) ? SHORT_GRID * SHORT_GRID : CELLS) * LIMIT_LOADS);
    if (!reproduce_is_short(run))
        SHEAF_TRY(draw(run));
    for (int k = 0; k < PROBLEMS; k++)
        SHEAF_TRY(run_map(run, &problems[k], m));
    return reproduce_on_device(run) && !reproduce_is_short(run) ? judge_reference(run) : SHEAF_OK;
}

static sheaf_status run_buckling(reproduce_run *run)
{
    map *m = base_alloc(1, sizeof *m);
    const sheaf_status status = m != NULL ? run_maps(run, m) : SHEAF_ERR_MEMORY;
    base_free(m);
    return status;
}

const reproduce_experiment reproduce_buckling = {
    .name = "buckling",
    .title = "Shafts, ribbons and strips that buckle",
    .figure = "",
    .about = "critical loads of twisted shafts and ribbons and of loaded strips, as maps",
    .run = run_buckling,
};
