// wilberforce: a weight on a spring that bounces and twists by turns (figure 11 of the paper). Its course is taken
// apart into its two modes by least squares.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "reproduce/answers.h"
#include "reproduce/reproduce.h"

enum { SAMPLES_MOST = 800, TERMS = 5 };

// Hz: modes of the weight on the loaded spring, by the 6 x 6 stiffness of its end, from differences of loads at rest.
static const double mode[2] = {1.2557, 1.3893};
static const double rate = 30; // Hz, of samples

typedef struct course {
    uint32_t count;
    double time[SAMPLES_MOST], height[SAMPLES_MOST], turn[SAMPLES_MOST]; // s, m, rad/s
    double bounce[SAMPLES_MOST], twist[SAMPLES_MOST];                    // J
} course;

static sheaf_status look(const reproduce_batch *batch, course *c)
{
    const model_body *body = &batch->model->bodies[0];
    sheaf_body_pose pose;
    const uint32_t k = c->count++;
    SHEAF_TRY(sheaf_solver_read_bodies(batch->solver, &pose, 1));
    c->time[k] = batch->time;
    c->height[k] = pose.position[2];
    c->turn[k] = pose.spin[2];
    c->bounce[k] = body->mass * pose.velocity[2] * pose.velocity[2] / 2;
    c->twist[k] = body->def.inertia[2] * pose.spin[2] * pose.spin[2] / 2;
    return SHEAF_OK;
}

static sheaf_status simulate(reproduce_run *run, double end, course *c)
{
    reproduce_batch batch;
    sheaf_status status = reproduce_batch_begin(run, "wilberforce", &batch);
    if (status == SHEAF_OK)
        status = reproduce_batch_open(run, &batch);
    for (uint32_t n = 1; status == SHEAF_OK && n <= end * rate && n < SAMPLES_MOST; n++) {
        status = reproduce_batch_run(run, &batch, n / rate);
        if (status == SHEAF_OK)
            status = look(&batch, c);
    }
    reproduce_batch_close(&batch);
    return status;
}

// ---- two modes

static void terms_at(double time, const double frequency[2], double out[TERMS])
{
    out[0] = 1;
    for (int m = 0; m < 2; m++) {
        out[1 + 2 * m] = cos(2 * PI * frequency[m] * time);
        out[2 + 2 * m] = sin(2 * PI * frequency[m] * time);
    }
}

// Solves the normal equations by elimination; they are well conditioned over two beats or one.
static void solve_terms(double a[TERMS][TERMS], double b[TERMS])
{
    for (int k = 0; k < TERMS; k++)
        for (int r = k + 1; r < TERMS; r++) {
            const double share = a[r][k] / a[k][k];
            for (int c = k; c < TERMS; c++)
                a[r][c] -= share * a[k][c];
            b[r] -= share * b[k];
        }
    for (int k = TERMS - 1; k >= 0; k--) {
        for (int c = k + 1; c < TERMS; c++)
            b[k] -= a[k][c] * b[c];
        b[k] /= a[k][k];
    }
}

// Fits the height by two modes; returns the sum of squares that is left, amplitudes in `amplitude`.
static double fit(const course *c, const double frequency[2], double amplitude[2])
{
    double a[TERMS][TERMS] = {{0}}, b[TERMS] = {0}, left = 0;
    for (uint32_t k = 0; k < c->count; k++) {
        double term[TERMS];
        terms_at(c->time[k], frequency, term);
        for (int r = 0; r < TERMS; r++) {
            b[r] += term[r] * c->height[k];
            for (int s = 0; s < TERMS; s++)
                a[r][s] += term[r] * term[s];
        }
    }
    solve_terms(a, b);
    for (uint32_t k = 0; k < c->count; k++) {
        double term[TERMS], miss = c->height[k];
        terms_at(c->time[k], frequency, term);
        for (int r = 0; r < TERMS; r++)
            miss -= b[r] * term[r];
        left += miss * miss;
    }
    for (int m = 0; m < 2; m++)
        amplitude[m] = hypot(b[1 + 2 * m], b[2 + 2 * m]);
    return left;
}

// The frequencies that fit best: one after the other by golden sections, ever narrower.
static void find_modes(const course *c, double frequency[2], double amplitude[2])
{
    const double golden = (sqrt(5) - 1) / 2;
    double width = 0.03;
    memcpy(frequency, mode, sizeof mode);
    for (int round = 0; round < 24; round++, width *= 0.75)
        for (int m = 0; m < 2; m++) {
            double low = frequency[m] - width, high = frequency[m] + width, at[2] = {frequency[0], frequency[1]};
            while (high - low > 1e-3 * width) {
                const double one = high - golden * (high - low), two = low + golden * (high - low);
                at[m] = one;
                const double left = fit(c, at, amplitude);
                at[m] = two;
                if (left < fit(c, at, amplitude))
                    high = two;
                else
                    low = one;
            }
            frequency[m] = (low + high) / 2;
        }
    fit(c, frequency, amplitude);
}

// ---- verdicts

static sheaf_status judge(reproduce_run *run, const course *c)
{
    double frequency[2], amplitude[2], most[2] = {0};
    find_modes(c, frequency, amplitude);
    for (uint32_t k = 0; k < c->count; k++) {
        most[0] = fmax(most[0], c->bounce[k]);
        most[1] = fmax(most[1], c->twist[k]);
    }
    const double beat = frequency[1] - frequency[0], wanted = mode[1] - mode[0];
    const double kept = (amplitude[0] - amplitude[1]) / (amplitude[0] + amplitude[1]);
    if (reproduce_is_short(run)) // half a beat tells what goes over, and little of frequencies
        return reproduce_verdict(run, "largest energy of twisting over that of bouncing", most[1] / most[0], 1,
                                 fabs(1 - most[1] / most[0]), 0.05);
    for (int m = 0; m < 2; m++)
        SHEAF_TRY(reproduce_verdict(run, m ? "second mode, Hz" : "first mode, Hz", frequency[m], mode[m],
                                    reproduce_share(frequency[m], mode[m]), 0.003));
    SHEAF_TRY(reproduce_verdict(run, "beat, Hz", beat, wanted, reproduce_share(beat, wanted), 0.04));
    return reproduce_verdict(run, "share of the energy of bouncing that goes over", 1 - kept * kept, 1, kept * kept,
                             0.02);
}

static sheaf_status draw(reproduce_run *run, const course *c)
{
    const io_series series[] = {
        {.name = "bouncing", .colour = "#1f78b4", .y = c->bounce},
        {.name = "twisting", .colour = "#d95f02", .y = c->twist},
    };
    const io_plot plot = {.title = "Kinetic energy of the weight",
                          .x_label = "time, s",
                          .y_label = "energy",
                          .y_unit = "J",
                          .x = c->time,
                          .count = c->count,
                          .series = series,
                          .series_count = 2};
    SHEAF_TRY(reproduce_plot(run, "energies", &plot, "Bouncing goes over into twisting and comes back."));
    double(*table)[3] = base_alloc(c->count, sizeof *table);
    if (table == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < c->count; k++)
        vec_set(table[k], c->time[k], c->height[k], c->turn[k]);
    const sheaf_status status = reproduce_csv(run, "weight", "time_s,height_m,turn_rad_s", table[0], c->count, 3);
    base_free(table);
    return status;
}

static sheaf_status run_wilberforce(reproduce_run *run)
{
    course *c = base_alloc(1, sizeof *c);
    if (c == NULL)
        return SHEAF_ERR_MEMORY;
    reproduce_paper(run, "A weight on a helical spring: bouncing turns into twisting and back, because a spring winds "
                         "as it is drawn out.");
    reproduce_here(run, "A weight of 250 g on ten turns of steel wire, 161 vertices with 16 to a turn, whose moment of "
                        "inertia makes both motions as fast as each other.");
    sheaf_status status = simulate(run, reproduce_is_short(run) ? 4.5 : 22, c);
    if (status == SHEAF_OK)
        status = judge(run, c);
    if (status == SHEAF_OK)
        status = draw(run, c);
    base_free(c);
    return status;
}

const reproduce_experiment reproduce_wilberforce = {
    .name = "wilberforce",
    .title = "Wilberforce's pendulum",
    .figure = "Figure 11",
    .about = "a weight on a spring that bounces and twists by turns: its modes, and how much energy goes over",
    .run = run_wilberforce,
};
