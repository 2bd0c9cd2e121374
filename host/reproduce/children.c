// children: strands that are drawn between simulated ones, held against the same strands simulated: hair on a head that
// turns in the wind, all of it simulated, and children of every fifteenth strand.
#include "children/children.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "grow/grow.h"
#include "reproduce/reproduce.h"
#include "scene/bunch.h"
#include "scene/scene.h"
#include "world/world.h"

enum {
    FRAMES = 8,
    VERTICES = 20,
    GIVEN = VERTICES + 1
}; // of a strand; one more lies behind the surface, for the clamp

static const double simulated = 1.0 / 15;                // share of the strands that are guides
static const double first_frame = 0.5, frame_way = 0.16; // s
static const double deep = 5e-4;                         // m in a collider, that may be seen

// Waves straighten as they hang, each by its own phase. Turned as guides of other phases turn, those of children
// straighten less.
static const struct {
    const char *name;
    double curl_bar;
} hairs[] = {{"straight", 0.05}, {"curly", 0.05}, {"wavy", 0.1}, {"coily", 0.05}};

typedef double (*line)[3]; // points, m

// Children of some of the strands beside all of them.
typedef struct trial {
    const char *hair;
    double curl_bar;
    reproduce_batch full;
    sheaf_scene *scene; // of the guides
    sheaf_model *few;
    children_plan *plan;
    uint32_t count;                     // children
    uint32_t *guide_of;                 // [child] nearest guide, a strand of `few`
    uint32_t *truth_of;                 // [child] strand of `full`
    uint32_t *strand_of;                // [strand of few] strand of `full`
    uint32_t *neighbour;                // [child] the child whose root is the nearest
    uint64_t *first;                    // [child + 1]
    line guides;                        // [vertex of few] now
    children_plan *turned_plan;         // the same children, turned as the sections of their guides are
    line directors, turned;             // [edge of few] director 1 now, [vertex of a child] laid by them
    line made[FRAMES], kept[FRAMES];    // [vertex of a child] laid, and simulated
    double seams[2][FRAMES];            // in the mean, of children and of what they stand for
    double off[FRAMES], times[FRAMES];  // m in the mean, s
    double off_turned[FRAMES];          // m, likewise, of those turned by directors
    double curl, jerk, inside, deepest; // ratios to what is simulated; share of the vertices; m
    double stretch;                     // largest error of an edge's length, as a share
} trial;

// ---- guides of the same hair

static sheaf_status gather_strands(const sheaf_model *model, scene_bunch **made)
{
    scene_bunch *all = *made = scene_bunch_share(base_alloc(1, sizeof *all));
    if (all == NULL)
        return SHEAF_ERR_MEMORY;
    all->has_ghosts = true;
    all->first = base_alloc(model->strand_count + 1u, sizeof *all->first);
    all->points = base_alloc(model->vertex_count, sizeof *all->points);
    if (all->first == NULL || all->points == NULL)
        return SHEAF_ERR_MEMORY;
    all->count = model->strand_count;
    memcpy(all->first, model->first_vertex, (model->strand_count + 1u) * sizeof *all->first);
    memcpy(all->points, model->position, model->vertex_count * sizeof *all->points);
    return SHEAF_OK;
}

// Instead of the groom of a scene some of its strands; the others are shapes of children.
static sheaf_status take_guides(const sheaf_model *full, sheaf_scene *scene)
{
    scene_group group = scene->groups[0];
    scene_bunch *all;
    scene->group_count = 0;
    scene->strand_count = scene->vertex_count = 0;
    grow_release(group.grown);
    group.grown = NULL;
    group.strand.vertex_count = GIVEN;
    sheaf_status status = gather_strands(full, &all);
    if (status == SHEAF_OK)
        status = scene_bunch_split(all, simulated, SCENE_LEAST_GUIDES, 1, &group.bunch, &group.others);
    if (status == SHEAF_OK)
        status = scene_add_group(scene, &group);
    scene_bunch_release(all);
    scene_free_group(&group);
    return status;
}

static sheaf_status open_children(const sheaf_model *few, bool has_directors, children_plan **plan)
{
    const children_def def = {.model = few,
                              .strand_count = few->strand_count,
                              .first_vertex = few->first_vertex,
                              .count = CHILDREN_AS_SCENE,
                              .has_directors = has_directors};
    return children_open(&def, plan);
}

static sheaf_status open_guides(reproduce_run *run, const char *scene, trial *t)
{
    reproduce_batch again;
    sheaf_status status = reproduce_batch_begin(run, scene, &again);
    t->scene = again.original;
    again.original = NULL;
    reproduce_batch_close(&again);
    if (status == SHEAF_OK)
        status = take_guides(t->full.model, t->scene);
    if (status == SHEAF_OK)
        status = sheaf_model_create(t->scene, &t->few);
    if (status == SHEAF_OK)
        status = open_children(t->few, false, &t->plan);
    return status == SHEAF_OK ? open_children(t->few, true, &t->turned_plan) : status;
}

// ---- who is who

static double apart(const double a[3], const double b[3])
{
    double way[3];
    vec_sub(way, a, b);
    return vec_length(way);
}

// The strand whose root, its second vertex, is the nearest to a place.
static uint32_t find_strand(const sheaf_model *model, const double place[3])
{
    double least = INFINITY;
    uint32_t found = 0;
    for (uint32_t s = 0; s < model->strand_count; s++) {
        const double distance = apart(model->position[model->first_vertex[s] + 1], place);
        if (distance < least) {
            least = distance;
            found = s;
        }
    }
    return found;
}

static uint32_t find_neighbour(const trial *t, const double (*points)[3], uint32_t child)
{
    uint32_t nearest = child == 0;
    for (uint32_t k = 0; k < t->count; k++)
        if (k != child && apart(points[t->first[k]], points[t->first[child]]) <
                              apart(points[t->first[nearest]], points[t->first[child]]))
            nearest = k;
    return nearest;
}

static sheaf_status allocate(trial *t)
{
    t->count = (uint32_t)children_count(t->plan);
    t->guide_of = base_alloc(t->count, sizeof *t->guide_of);
    t->truth_of = base_alloc(t->count, sizeof *t->truth_of);
    t->neighbour = base_alloc(t->count, sizeof *t->neighbour);
    t->strand_of = base_alloc(t->few->strand_count, sizeof *t->strand_of);
    t->first = base_alloc(t->count + 1u, sizeof *t->first);
    t->guides = base_alloc(t->few->vertex_count, sizeof *t->guides);
    t->directors = base_alloc(t->few->vertex_count, sizeof *t->directors);
    t->turned = base_alloc((size_t)t->count * VERTICES, sizeof *t->turned);
    bool ok = t->directors && t->turned && t->guide_of && t->truth_of && t->neighbour && t->strand_of && t->first &&
              t->guides;
    for (int k = 0; k < FRAMES && ok; k++) {
        t->made[k] = base_alloc((size_t)t->count * VERTICES, sizeof *t->made[k]);
        t->kept[k] = base_alloc((size_t)t->count * VERTICES, sizeof *t->kept[k]);
        ok = t->made[k] != NULL && t->kept[k] != NULL;
    }
    return ok ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

static sheaf_status lay(trial *t, double time, line out)
{
    const children_guides guides = {.positions = (const double(*)[3])t->guides, .time = time};
    SHEAF_TRY(children_pose(t->plan, &guides));
    return children_lay(t->plan, 0, t->count, t->first, out, 0);
}

// At rest every child is where the strand is whose shape it has.
static sheaf_status find_all(trial *t)
{
    children_layout(t->plan, 0, t->count, t->first, t->guide_of);
    memcpy(t->guides, t->few->position, t->few->vertex_count * sizeof *t->guides);
    SHEAF_TRY(lay(t, 0, t->made[0]));
    for (uint32_t k = 0; k < t->count; k++) {
        t->truth_of[k] = find_strand(t->full.model, t->made[0][t->first[k]]);
        t->neighbour[k] = find_neighbour(t, (const double(*)[3])t->made[0], k);
    }
    for (uint32_t s = 0; s < t->few->strand_count; s++)
        t->strand_of[s] = find_strand(t->full.model, t->few->position[t->few->first_vertex[s] + 1]);
    return SHEAF_OK;
}

// ---- both at the same times

// How far children would be off if they were turned as the sections of their guides are, and not as frames that are
// carried along these without twist.
static sheaf_status compare_turned(trial *t, int frame)
{
    const children_guides guides = {.positions = (const double(*)[3])t->guides,
                                    .directors = (const double(*)[3])t->directors,
                                    .time = t->full.time};
    SHEAF_TRY(children_pose(t->turned_plan, &guides));
    SHEAF_TRY(children_lay(t->turned_plan, 0, t->count, t->first, t->turned, 0));
    for (uint64_t k = 0; k < t->first[t->count]; k++)
        t->off_turned[frame] += apart(t->turned[k], t->kept[frame][k]) / (double)t->first[t->count];
    return SHEAF_OK;
}

// Strands do not feel each other: guides move as the same strands among all do.
static sheaf_status take_frame(trial *t, int frame)
{
    SHEAF_TRY(reproduce_batch_read_directors(&t->full));
    for (uint32_t s = 0; s < t->few->strand_count; s++) {
        const uint64_t to = t->few->first_vertex[s], from = t->full.model->first_vertex[t->strand_of[s]];
        memcpy(t->guides + to, t->full.x + from, GIVEN * sizeof *t->guides);
        memcpy(t->directors + to, t->full.directors + from, GIVEN * sizeof *t->directors);
    }
    for (uint32_t k = 0; k < t->count; k++)
        memcpy(t->kept[frame] + t->first[k], reproduce_batch_vertices(&t->full, t->truth_of[k]) + 1,
               VERTICES * sizeof *t->guides);
    t->times[frame] = t->full.time;
    SHEAF_TRY(lay(t, t->full.time, t->made[frame]));
    return compare_turned(t, frame);
}

static sheaf_status move(reproduce_run *run, trial *t)
{
    const double step = t->full.original->def.step;
    for (int frame = 0; frame < FRAMES; frame++) {
        SHEAF_TRY(reproduce_batch_run(run, &t->full, step * rint((first_frame + frame * frame_way) / step)));
        SHEAF_TRY(take_frame(t, frame));
    }
    return SHEAF_OK;
}

// ---- figures

static int compare_reals(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(double *values, size_t count, double share)
{
    qsort(values, count, sizeof *values, compare_reals);
    return values[(size_t)(share * (double)(count - 1))];
}

static double turning(const double (*points)[3])
{
    double sum = 0, a[3], b[3], cross[3];
    for (uint32_t i = 1; i + 1 < VERTICES; i++) {
        vec_sub(a, points[i], points[i - 1]);
        vec_sub(b, points[i + 1], points[i]);
        vec_cross(cross, a, b);
        sum += atan2(vec_length(cross), vec_dot(a, b));
    }
    return sum;
}

static double find_curl(const trial *t, double *room)
{
    size_t n = 0;
    for (int frame = 0; frame < FRAMES; frame++)
        for (uint32_t k = 0; k < t->count; k++)
            room[n++] = turning((const double(*)[3])t->made[frame] + t->first[k]) /
                        turning((const double(*)[3])t->kept[frame] + t->first[k]);
    return quantile(room, n, 0.5);
}

// Tip distance of neighbours with different nearest guides over that of neighbours with the same, in the mean.
static double find_seam(const trial *t, const double (*points)[3])
{
    double sums[2] = {0}, counts[2] = {0};
    for (uint32_t k = 0; k < t->count; k++) {
        const uint32_t other = t->neighbour[k];
        const int differs = t->guide_of[k] != t->guide_of[other];
        sums[differs] += apart(points[t->first[k + 1] - 1], points[t->first[other + 1] - 1]);
        counts[differs]++;
    }
    return sums[1] / counts[1] / (sums[0] / counts[0]);
}

// 99.9 % of the second differences in time.
static double shaking(const trial *t, const line points[FRAMES], double *room)
{
    size_t n = 0;
    for (int frame = 1; frame + 1 < FRAMES; frame++)
        for (uint64_t k = 0; k < t->first[t->count]; k++) {
            double change[3];
            vec_add(change, points[frame - 1][k], points[frame + 1][k]);
            vec_axpy(change, -2, points[frame][k]);
            room[n++] = vec_length(change);
        }
    return quantile(room, n, 0.999);
}

static double depth_in(const trial *t, double time, const double point[3])
{
    const model_collider *head = &t->few->colliders[0];
    double center[3], axes[3][3], arm[3], own[3], normal[3];
    model_collider_pose(t->few, head, time, center, axes);
    vec_sub(arm, point, center);
    for (int c = 0; c < 3; c++)
        own[c] = vec_dot(axes[c], arm);
    return -model_collider_gap(head, own, normal);
}

static void find_depths(trial *t)
{
    const uint64_t all = t->first[t->count];
    uint64_t inside = 0;
    t->deepest = -INFINITY;
    for (int frame = 0; frame < FRAMES; frame++)
        for (uint64_t k = 0; k < all; k++) {
            const double depth = depth_in(t, t->times[frame], t->made[frame][k]);
            inside += depth > deep;
            t->deepest = fmax(t->deepest, depth);
        }
    t->inside = (double)inside / (double)(all * FRAMES);
}

static void find_stretch(trial *t)
{
    for (int frame = 0; frame < FRAMES; frame++)
        for (uint32_t k = 0; k < t->count; k++) {
            const double(*rest)[3] =
                (const double(*)[3])t->full.model->position + t->full.model->first_vertex[t->truth_of[k]] + 1;
            for (uint32_t i = 0; i + 1 < VERTICES; i++) {
                const double *at = t->made[frame][t->first[k] + i];
                t->stretch = fmax(t->stretch, fabs(apart(at, at + 3) / apart(rest[i], rest[i + 1]) - 1));
            }
        }
}

static sheaf_status measure(trial *t)
{
    double *room = base_alloc((size_t)t->first[t->count] * FRAMES, sizeof *room);
    if (room == NULL)
        return SHEAF_ERR_MEMORY;
    t->curl = find_curl(t, room);
    t->jerk = shaking(t, t->made, room) / shaking(t, t->kept, room);
    base_free(room);
    for (int frame = 0; frame < FRAMES; frame++) {
        t->seams[0][frame] = find_seam(t, (const double(*)[3])t->made[frame]);
        t->seams[1][frame] = find_seam(t, (const double(*)[3])t->kept[frame]);
        for (uint64_t k = 0; k < t->first[t->count]; k++)
            t->off[frame] += apart(t->made[frame][k], t->kept[frame][k]) / (double)t->first[t->count];
    }
    find_depths(t);
    find_stretch(t);
    return SHEAF_OK;
}

static double mean(const double values[FRAMES])
{
    double sum = 0;
    for (int frame = 0; frame < FRAMES; frame++)
        sum += values[frame];
    return sum / FRAMES;
}

// ---- what is told

static sheaf_status tell(reproduce_run *run, const trial *t, const char *what, double measured, double expected,
                         double error, double bar)
{
    char quantity[96];
    snprintf(quantity, sizeof quantity, "%s: %s", t->hair, what);
    return reproduce_verdict(run, quantity, measured, expected, error, bar);
}

static sheaf_status judge(reproduce_run *run, const trial *t)
{
    const double seam = mean(t->seams[0]), truth = mean(t->seams[1]);
    SHEAF_TRY(tell(run, t, "curvature over that of the strand simulated, median", t->curl, 1, fabs(t->curl - 1),
                   t->curl_bar));
    SHEAF_TRY(tell(run, t, "seam: tips apart, other guide over same guide, mean", seam, truth, fmax(seam - 1, 0), 0.1));
    SHEAF_TRY(tell(run, t, "changes of velocity over those simulated, 99.9 %", t->jerk, 1, fmax(t->jerk - 1, 0), 0.2));
    SHEAF_TRY(tell(run, t, "error of an edge's length, largest", t->stretch, 0, t->stretch, 1e-6));
    SHEAF_TRY(tell(run, t, "vertices deeper than 0.5 mm in the head, share", t->inside, 0, t->inside, 5e-4));
    return tell(run, t, "deepest vertex in the head (mm)", 1e3 * t->deepest, 0, fmax(1e3 * t->deepest, 0), 1);
}

static sheaf_status plot(reproduce_run *run, const trial *t)
{
    char name[32], title[64];
    const io_series series[] = {{.name = "children", .colour = "#d95f02", .y = t->seams[0]},
                                {.name = "all simulated", .colour = "#1b9e77", .y = t->seams[1]}};
    const io_plot seam = {.title = title,
                          .x_label = "time (s)",
                          .y_label = "tips apart, other guide / same guide",
                          .y_range = {0, 1.5},
                          .x = t->times,
                          .count = FRAMES,
                          .series = series,
                          .series_count = 2};
    snprintf(name, sizeof name, "seam-%s", t->hair);
    snprintf(title, sizeof title, "Seams between guides, %s hair", t->hair);
    SHEAF_TRY(reproduce_plot(run, name, &seam,
                             "Distance of the tips of strands whose roots are neighbours: with "
                             "different nearest guides over with the same one."));
    double rows[FRAMES][5];
    for (int frame = 0; frame < FRAMES; frame++) {
        const double row[5] = {t->times[frame], t->seams[0][frame], t->seams[1][frame], t->off[frame],
                               t->off_turned[frame]};
        memcpy(rows[frame], row, sizeof row);
    }
    return reproduce_csv(run, t->hair, "time_s,seam,seam_simulated,off_m,off_by_directors_m", rows[0], FRAMES, 5);
}

// Children on the left, the same strands simulated on the right.
static sheaf_status draw(reproduce_run *run, const trial *t)
{
    char name[32];
    const uint32_t each = t->count < 1500 ? t->count : 1500;
    reproduce_curve *curves = base_alloc(2 * (size_t)each, sizeof *curves);
    if (curves == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; each > 0 && k < 2 * each; k++) {
        double(*points)[3] = (k < each ? t->made : t->kept)[FRAMES - 1] + t->first[k % each];
        curves[k] = (reproduce_curve){.x = (const double(*)[3])points,
                                      .count = VERTICES,
                                      .shift = {k < each ? -0.25 : 0.25, 0, 0},
                                      .half = {2e-4, 2e-4},
                                      .colour = {0.45, 0.3, 0.2}};
    }
    const reproduce_picture picture = {
        .curves = curves, .curve_count = 2 * each, .azimuth = 20, .elevation = 10, .width = 1280, .height = 640};
    snprintf(name, sizeof name, "beside-%s", t->hair);
    const sheaf_status status = reproduce_draw(
        run, name, &picture, "Left: children of every fifteenth strand. Right: the same strands, simulated.");
    base_free(curves);
    return status;
}

static sheaf_status show(reproduce_run *run, const trial *t)
{
    reproduce_here(run,
                   "Of %u strands (%s) %u are guides. Their children keep %.2f of the curvature that the same strands "
                   "have when they are simulated (median), and are %.0f mm off them in the mean at last: neighbours "
                   "part where nothing holds them together. Turned as the sections of their guides are, instead of by "
                   "frames that are carried along these without twist, they would be %.0f mm off.",
                   t->full.count, t->hair, t->few->strand_count, t->curl, 1e3 * t->off[FRAMES - 1],
                   1e3 * t->off_turned[FRAMES - 1]);
    SHEAF_TRY(plot(run, t));
    SHEAF_TRY(draw(run, t));
    return judge(run, t);
}

// ---- all of it

static sheaf_status compare(reproduce_run *run, const char *scene, trial *t)
{
    SHEAF_TRY(reproduce_batch_begin(run, scene, &t->full));
    SHEAF_TRY(reproduce_batch_open(run, &t->full));
    SHEAF_TRY(open_guides(run, scene, t));
    SHEAF_TRY(allocate(t));
    SHEAF_TRY(find_all(t));
    SHEAF_TRY(move(run, t));
    SHEAF_TRY(measure(t));
    return show(run, t);
}

static void close_trial(trial *t)
{
    children_close(t->plan);
    children_close(t->turned_plan);
    sheaf_model_free(t->few);
    sheaf_scene_free(t->scene);
    reproduce_batch_close(&t->full);
    for (int frame = 0; frame < FRAMES; frame++) {
        base_free(t->made[frame]);
        base_free(t->kept[frame]);
    }
    base_free(t->guide_of);
    base_free(t->truth_of);
    base_free(t->strand_of);
    base_free(t->neighbour);
    base_free(t->first);
    base_free(t->guides);
    base_free(t->directors);
    base_free(t->turned);
}

static sheaf_status run_children(reproduce_run *run)
{
    const uint32_t count = reproduce_is_short(run) ? 2 : sizeof hairs / sizeof hairs[0];
    sheaf_status status = SHEAF_OK;
    reproduce_paper(run,
                    "Only some of the hairs of a head need to be simulated: the others are drawn between them. They "
                    "are to look as if all had been.");
    for (uint32_t k = 0; k < count && status == SHEAF_OK; k++) {
        char scene[32];
        trial t = {.hair = hairs[k].name, .curl_bar = hairs[k].curl_bar};
        snprintf(scene, sizeof scene, "children-%s", hairs[k].name);
        status = compare(run, scene, &t);
        close_trial(&t);
    }
    return status;
}

const reproduce_experiment reproduce_children = {
    .name = "children",
    .title = "Strands between simulated ones",
    .figure = "",
    .about = "hair of which every fifteenth strand is simulated against all of it simulated",
    .run = run_children,
};
