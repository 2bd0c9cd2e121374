// rope: the same rope as a strand of Discrete Elastic Rods and as a cable of rigid segments, sagging between two posts
// and swinging from one. Neither method knows of the other: where they agree, both are right.
#include <math.h>

#include "base/vec.h"
#include "reproduce/answers.h"
#include "reproduce/reproduce.h"

enum { STRAND, CABLE, METHODS, SWING = METHODS, SAMPLES_MOST = 2000 };

static const double rate = 60; // Hz, of samples
static const double bar = 0.005;
static const double span = 0.9; // of the length, between the posts

typedef struct course {
    uint32_t count;
    double time[SAMPLES_MOST], swing[METHODS][SAMPLES_MOST]; // s, m
    double sag[METHODS];                                     // m, at the end
    double length;
} course;

// J_0(x), by its power series.
static double bessel(double x)
{
    double sum = 1, term = 1;
    for (int k = 1; k < 30; k++) {
        term *= -x * x / (4.0 * k * k);
        sum += term;
    }
    return sum;
}

// How far a rope is aside in the shape of a chain's slowest swing, J_0(2 a sqrt(s / L)), s from the tip: quicker ones
// hardly show in it.
static double swing_of(const reproduce_batch *batch, uint32_t strand)
{
    const double(*x)[3] = reproduce_batch_vertices(batch, strand);
    const uint32_t count = reproduce_batch_vertex_count(batch, strand);
    const double slowest = answers_chain_mode();
    double sum = 0, all = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double from_tip = 1 - (double)i / (count - 1), weight = i == 0 || i == count - 1 ? 0.5 : 1;
        const double shape = bessel(2 * slowest * sqrt(from_tip));
        sum += weight * shape * (x[i][0] - x[0][0]);
        all += weight * shape * shape;
    }
    return sum / all;
}

static double sag_of(const reproduce_batch *batch, uint32_t strand)
{
    const double(*x)[3] = reproduce_batch_vertices(batch, strand);
    return x[0][2] - x[reproduce_batch_vertex_count(batch, strand) / 2][2];
}

static double length_of(const reproduce_batch *batch, uint32_t strand)
{
    const double(*x)[3] = reproduce_batch_vertices(batch, strand);
    double sum = 0, edge[3];
    for (uint32_t i = 0; i + 1 < reproduce_batch_vertex_count(batch, strand); i++) {
        vec_sub(edge, x[i + 1], x[i]);
        sum += vec_length(edge);
    }
    return sum;
}

static sheaf_status watch(reproduce_run *run, reproduce_batch *batch, double end, course *c)
{
    SHEAF_TRY(reproduce_batch_open(run, batch));
    c->length = length_of(batch, 0);
    for (uint32_t n = 1; n <= end * rate && n < SAMPLES_MOST; n++) {
        SHEAF_TRY(reproduce_batch_run(run, batch, n / rate));
        c->time[c->count] = batch->time;
        for (uint32_t m = 0; m < METHODS; m++)
            c->swing[m][c->count] = swing_of(batch, SWING + m);
        c->count++;
    }
    for (uint32_t m = 0; m < METHODS; m++)
        c->sag[m] = sag_of(batch, m);
    return SHEAF_OK;
}

// Period from the first downward passage through the middle to the last one, s.
static double period_of(const course *c, uint32_t method)
{
    const double *y = c->swing[method];
    double first = 0, last = 0;
    int passages = 0;
    for (uint32_t k = 1; k < c->count; k++)
        if (y[k - 1] > 0 && y[k] <= 0) {
            last = c->time[k - 1] + (c->time[k] - c->time[k - 1]) * y[k - 1] / (y[k - 1] - y[k]);
            first = passages++ == 0 ? last : first;
        }
    return passages > 1 ? (last - first) / (passages - 1) : NAN;
}

static sheaf_status judge(reproduce_run *run, const course *c)
{
    const double period[METHODS] = {period_of(c, STRAND), period_of(c, CABLE)};
    const double chain_sag = answers_catenary_sag(span) * c->length;
    const double chain_period = 2 * PI * sqrt(c->length / 9.81) / answers_chain_mode();
    SHEAF_TRY(reproduce_verdict(run, "sag (m) as a cable, beside that as a strand", c->sag[CABLE], c->sag[STRAND],
                                reproduce_share(c->sag[CABLE], c->sag[STRAND]), bar));
    SHEAF_TRY(reproduce_verdict(run, "period of swinging (s) as a cable, beside that as a strand", period[CABLE],
                                period[STRAND], reproduce_share(period[CABLE], period[STRAND]), bar));
    reproduce_here(run,
                   "48 segments. The sag is %.4g m as a strand and %.4g m as a cable, and that of a chain without "
                   "stiffness %.4g m. A swing takes %.4g s and %.4g s, and that of a chain %.4g s, if it is small.",
                   c->sag[STRAND], c->sag[CABLE], chain_sag, period[STRAND], period[CABLE], chain_period);
    const double table[METHODS][2] = {{c->sag[STRAND], period[STRAND]}, {c->sag[CABLE], period[CABLE]}};
    return reproduce_csv(run, "rope", "sag_m,period_s", table[0], METHODS, 2);
}

static sheaf_status draw(reproduce_run *run, const reproduce_batch *batch, const course *c)
{
    const io_series series[] = {
        {.name = "strand", .colour = "#1f78b4", .y = c->swing[STRAND]},
        {.name = "cable", .colour = "#d95f02", .y = c->swing[CABLE]},
    };
    const io_plot plot = {.title = "A rope that swings",
                          .x_label = "time, s",
                          .y_label = "aside",
                          .y_unit = "m",
                          .x = c->time,
                          .count = c->count,
                          .series = series,
                          .series_count = METHODS};
    reproduce_curve curves[METHODS];
    SHEAF_TRY(reproduce_plot(run, "swing", &plot, "How far it is aside, in the shape of the slowest swing."));
    for (uint32_t m = 0; m < METHODS; m++)
        curves[m] = (reproduce_curve){.x = reproduce_batch_vertices(batch, m),
                                      .count = reproduce_batch_vertex_count(batch, m),
                                      .half = {0.03, 0.03},
                                      .colour = {m == STRAND ? 0.12 : 0.85, m == STRAND ? 0.47 : 0.37, 0.35},
                                      .shift = {0, 0, m == STRAND ? 0 : -0.3}};
    const reproduce_picture picture = {
        .curves = curves, .curve_count = METHODS, .azimuth = 0, .elevation = 0, .width = 1280, .height = 640};
    return reproduce_draw(run, "sag", &picture,
                          "At rest between posts 9 m apart: as a strand above, as a cable 30 cm below it.");
}

static sheaf_status run_rope(reproduce_run *run)
{
    reproduce_batch batch;
    course *c = base_alloc(1, sizeof *c);
    if (c == NULL)
        return SHEAF_ERR_MEMORY;
    reproduce_paper(run,
                    "No figure: a rope of 10 m, 1.6 kg/m, whose bending stiffness is 100 N m\xc2\xb2, may be taken "
                    "as a rod without stretch, whose unknowns are places of vertices and twist, or as rigid bodies "
                    "with joints.");
    sheaf_status status = reproduce_batch_begin(run, "rope", &batch);
    if (status == SHEAF_OK)
        status = watch(run, &batch, reproduce_is_short(run) ? 15 : 30, c);
    if (status == SHEAF_OK)
        status = judge(run, c);
    if (status == SHEAF_OK)
        status = draw(run, &batch, c);
    reproduce_batch_close(&batch);
    base_free(c);
    return status;
}

const reproduce_experiment reproduce_rope = {
    .name = "rope",
    .title = "One rope by two methods",
    .figure = "",
    .about = "the same rope as a strand and as a cable: sag and period of swinging",
    .run = run_rope,
};
