// tree: rods on bodies, turned by a couple on the crown (after figure 12 of the paper): the twist of the trunk holds
// it; without twisting stiffness it turns on and on.
#include <math.h>
#include <stdio.h>

#include "base/vec.h"
#include "reproduce/reproduce.h"
#include "strand/linking.h"

enum { RODS = 13, BODIES = 4, LOOKS = 48, CASES = 2 };

static const double couple = 0.5, twist = 1, length = 1; // N m, N m^2, m: the scene's
static const double soft = 1e-6;                         // N m^2, of a trunk that hardly resists twist

// s
static double end_of(const reproduce_run *run)
{
    return reproduce_is_short(run) ? 4.5 : 12;
}

typedef struct course {
    double time[LOOKS], turned[LOOKS], spin; // s, rad since the start, rad/s at the end
    double moment;                           // N m, of the trunk's twist at the end
} course;

// The crown turns by less than half a turn between two looks.
static double turn_of(const sheaf_body_pose *pose, double before)
{
    static const double turn = 2 * 3.14159265358979323846;
    const double angle = 2 * atan2(pose->rotation[3], pose->rotation[0]);
    return angle + turn * round((before - angle) / turn);
}

// Mean moment of the twist of the trunk between its clamp planes.
static sheaf_status read_moment(reproduce_batch *batch, double stiffness, double *moment)
{
    SHEAF_TRY(reproduce_batch_read_directors(batch));
    const double(*x)[3] = reproduce_batch_vertices(batch, 0);
    const uint32_t count = reproduce_batch_vertex_count(batch, 0);
    const double turns = model_twist(x, (const double(*)[3])batch->directors, count);
    *moment = stiffness * 2 * 3.14159265358979323846 * turns / length;
    return SHEAF_OK;
}

static sheaf_status draw(reproduce_run *run, const reproduce_batch *batch, const char *name, const char *caption)
{
    reproduce_curve curves[RODS];
    for (uint32_t k = 0; k < RODS; k++)
        curves[k] = (reproduce_curve){.x = reproduce_batch_vertices(batch, k),
                                      .count = reproduce_batch_vertex_count(batch, k),
                                      .half = {k == 0 ? 0.02 : 0.01, k == 0 ? 0.02 : 0.01},
                                      .colour = {0.36, k == 0 ? 0.25 : 0.42, 0.2}};
    const reproduce_picture picture = {
        .curves = curves, .curve_count = RODS, .azimuth = 30, .elevation = 15, .width = 480, .height = 480};
    return reproduce_draw(run, name, &picture, caption);
}

static sheaf_status turn(reproduce_run *run, reproduce_batch *batch, bool is_soft, course *c)
{
    sheaf_body_pose poses[BODIES];
    double turned = 0;
    if (is_soft)
        batch->original->materials[batch->original->groups[0].strand.material].twist = soft;
    SHEAF_TRY(reproduce_batch_open(run, batch));
    for (uint32_t k = 0; k < LOOKS; k++) {
        c->time[k] = end_of(run) * (k + 1) / LOOKS;
        SHEAF_TRY(reproduce_batch_run(run, batch, c->time[k]));
        SHEAF_TRY(sheaf_solver_read_bodies(batch->solver, poses, BODIES));
        c->turned[k] = turned = turn_of(&poses[0], turned);
        c->spin = poses[0].spin[2];
    }
    SHEAF_TRY(read_moment(batch, is_soft ? soft : twist, &c->moment));
    return is_soft ? draw(run, batch, "turning", "Without twisting stiffness: the crown turns on and on.")
                   : draw(run, batch, "held", "The twist of the trunk holds the crown.");
}

static sheaf_status show(reproduce_run *run, const course *c)
{
    const io_series series[] = {
        {.name = "with twisting stiffness", .colour = "#1b4f72", .y = c[0].turned},
        {.name = "without", .colour = "#d35400", .y = c[1].turned},
    };
    const io_plot plot = {.title = "How far the crown has turned",
                          .x_label = "time (s)",
                          .y_label = "angle",
                          .y_unit = "rad",
                          .x = c[0].time,
                          .count = LOOKS,
                          .series = series,
                          .series_count = CASES};
    double rows[LOOKS][3];
    for (uint32_t k = 0; k < LOOKS; k++)
        vec_set(rows[k], c[0].time[k], c[0].turned[k], c[1].turned[k]);
    SHEAF_TRY(reproduce_plot(run, "turned", &plot, "A trunk that resists twist comes to rest."));
    return reproduce_csv(run, "turned", "time_s,held_rad,turning_rad", rows[0], LOOKS, 3);
}

static sheaf_status judge(reproduce_run *run, const course *c)
{
    const double at_rest = c[0].turned[LOOKS - 1], turns = c[1].turned[LOOKS - 1] / (2 * 3.14159265358979323846);
    SHEAF_TRY(reproduce_verdict(run, "moment of the trunk's twist, N m; the couple on the crown", c[0].moment, couple,
                                reproduce_share(c[0].moment, couple), 1e-3));
    SHEAF_TRY(reproduce_verdict(run, "angle at rest, rad; couple x length / stiffness", at_rest,
                                couple * length / twist, reproduce_share(at_rest, couple * length / twist), 1e-3));
    SHEAF_TRY(reproduce_verdict(run, "spin at rest, rad/s, itself", c[0].spin, 0, fabs(c[0].spin), 1e-3));
    // no twist stops it: it goes on at the speed at which the air bears the couple
    const double late = (c[1].turned[LOOKS - 1] - c[1].turned[LOOKS / 2 - 1]) / (end_of(run) / 2);
    SHEAF_TRY(reproduce_verdict(run, "without twisting stiffness: spin at the end, rad/s; mean of the second half",
                                c[1].spin, late, reproduce_share(c[1].spin, late), 0.02));
    return reproduce_verdict(run, "without twisting stiffness: turns; at least 1, off by", turns, 1, fmax(1 - turns, 0),
                             0);
}

static sheaf_status run_tree(reproduce_run *run)
{
    course *c = base_alloc(CASES, sizeof *c);
    if (c == NULL)
        return SHEAF_ERR_MEMORY;
    reproduce_paper(run, "A tree of rods, joined by rigid bodies, in a wind that turns: without twisting stiffness the "
                         "tree turns on and on.");
    reproduce_here(run,
                   "13 rods on four bodies, turned by a couple of %g N m on the crown in place of a wind that turns.",
                   couple);
    sheaf_status status = SHEAF_OK;
    for (int k = 0; k < CASES && status == SHEAF_OK; k++) {
        reproduce_batch batch;
        status = reproduce_batch_begin(run, "tree", &batch);
        if (status == SHEAF_OK)
            status = turn(run, &batch, k == 1, &c[k]);
        reproduce_batch_close(&batch);
    }
    if (status == SHEAF_OK)
        status = show(run, c);
    if (status == SHEAF_OK)
        status = judge(run, c);
    base_free(c);
    return status;
}

const reproduce_experiment reproduce_tree = {
    .name = "tree",
    .title = "A tree",
    .figure = "Figure 12",
    .about =
        "rods on bodies whose crown a couple turns: held by the twist of the trunk, and turning on and on without it",
    .run = run_tree,
};
