// frames: the trajectory of a run.
#include "run/frames.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "groom/director.h"
#include "io/positions.h"
#include "run/turns.h"
#include "solver/solver.h"
#include "world/world.h"

enum { MOST_VERTICES = 4 << 20 }; // kept of a frame: 100 MB in memory, half of that on disk

// Numbers and radii of the strands that are kept; needed only to start the file.
typedef struct labels {
    uint32_t *ids; // [strand]
    float *radius; // [vertex] m
} labels;

// The axis that gravity points against; z where it is along none.
static groom_up find_up(const double gravity[3])
{
    const bool y = gravity[1] < 0 && gravity[0] == 0 && gravity[2] == 0;
    const bool x = gravity[0] < 0 && gravity[1] == 0 && gravity[2] == 0;
    return y ? GROOM_UP_Y : x ? GROOM_UP_X : GROOM_UP_Z;
}

static sheaf_status choose_strands(run_frames *frames, const sheaf_model *model, labels *l)
{
    const uint64_t stride = (model->vertex_count + MOST_VERTICES - 1) / MOST_VERTICES;
    frames->stride = (uint32_t)(stride < model->strand_count ? stride : model->strand_count);
    frames->strand_count = (model->strand_count + frames->stride - 1) / frames->stride;
    frames->first_vertex = base_alloc((size_t)frames->strand_count + 1, sizeof *frames->first_vertex);
    frames->first_read = base_alloc((size_t)frames->strand_count + 1, sizeof *frames->first_read);
    l->ids = base_alloc(frames->strand_count, sizeof *l->ids);
    if (frames->first_vertex == NULL || frames->first_read == NULL || l->ids == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < frames->strand_count; k++) {
        l->ids[k] = k * frames->stride;
        const scene_bunch *bunch = model->groups[model->strands[l->ids[k]].group].bunch;
        const uint64_t vertices = model_vertex_count(model, l->ids[k]), ghost = bunch != NULL && bunch->has_ghosts;
        frames->first_read[k + 1] = frames->first_read[k] + vertices;
        frames->first_vertex[k + 1] = frames->first_vertex[k] + vertices - ghost;
    }
    const uint64_t vertices = frames->first_vertex[frames->strand_count];
    frames->positions = base_alloc(frames->first_read[frames->strand_count], sizeof *frames->positions);
    l->radius = base_alloc(vertices, sizeof *l->radius);
    return frames->positions != NULL && l->radius != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

static void find_radii(const run_frames *frames, const sheaf_model *model, const labels *l)
{
    for (uint32_t k = 0; k < frames->strand_count; k++) {
        const sheaf_material_def *material = &model->materials[model->strands[l->ids[k]].material];
        const float radius = (float)scene_material_section(material).radius;
        for (uint64_t v = frames->first_vertex[k]; v < frames->first_vertex[k + 1]; v++)
            l->radius[v] = radius;
    }
}

static io_trajectory_def find_def(const run_frames *frames, const sheaf_model *model, const labels *l)
{
    return (io_trajectory_def){.strand_count = frames->strand_count,
                               .vertex_count = frames->first_vertex[frames->strand_count],
                               .first_vertex = frames->first_vertex,
                               .ids = l->ids,
                               .radius = l->radius,
                               .metres_per_unit = 1,
                               .up = find_up(model->def.gravity),
                               .title = model->def.title};
}

// What is decided when a file is started. A file that is gone on with stays as it is.
static sheaf_status choose_precision(run_frames *frames, sheaf_solver *solver, io_trajectory_def *def)
{
    const sheaf_model *model = frames->model;
    if (solver == NULL)
        return SHEAF_OK;
    SHEAF_TRY(solver_read_sample(solver, frames->stride, frames->first_read, frames->positions));
    const double farthest =
        run_farthest(model, (const double(*)[3])frames->positions, frames->first_read[frames->strand_count]);
    def->is_double = io_positions_need_double(frames->first_read, frames->strand_count,
                                              (const double(*)[3])frames->positions, farthest);
    def->has_angles = run_shows_directors(model, frames->stride);
    return SHEAF_OK;
}

// Memory for what the file turned out to hold.
static sheaf_status prepare_frames(run_frames *frames)
{
    frames->is_double = io_trajectory_is_double(frames->file);
    if (!io_trajectory_has_angles(frames->file))
        return SHEAF_OK;
    frames->directors = base_alloc(frames->model->vertex_count, sizeof *frames->directors);
    frames->angles = base_alloc(frames->first_vertex[frames->strand_count], sizeof *frames->angles);
    return frames->directors != NULL && frames->angles != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

bool run_frames_need_state(const run_frames *frames)
{
    return frames->angles != NULL;
}

// Starts the file, or with `kept` goes on with it after its last frame.
static sheaf_status open_file(run_frames *frames, const io_folder *folder, const sheaf_model *model,
                              sheaf_solver *solver, uint64_t expected, uint64_t *kept)
{
    labels l = {0};
    frames->model = model;
    if (kept != NULL)
        *kept = 0;
    char *path = io_path_join(folder->path, IO_TRAJECTORY_NAME);
    sheaf_status status = path != NULL ? choose_strands(frames, model, &l) : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK) {
        find_radii(frames, model, &l);
        io_trajectory_def def = find_def(frames, model, &l);
        def.frames_expected = expected;
        const bool is_there = access(path, F_OK) == 0; // one that was moved away is begun anew
        const bool goes_on = kept != NULL && is_there;
        status = goes_on ? SHEAF_OK : choose_precision(frames, solver, &def);
        if (status == SHEAF_OK)
            status = goes_on ? io_trajectory_continue(path, &def, frames->last_time, kept, &frames->file)
                             : io_trajectory_start(path, &def, &frames->file);
    }
    if (status == SHEAF_OK)
        status = prepare_frames(frames);
    base_free(l.ids);
    base_free(l.radius);
    base_free(path);
    return status;
}

sheaf_status run_frames_start(run_frames *frames, const io_folder *folder, const sheaf_model *model,
                              sheaf_solver *solver, uint64_t expected)
{
    frames->last_time = -1;
    return open_file(frames, folder, model, solver, expected, NULL);
}

sheaf_status run_frames_continue(run_frames *frames, const io_folder *folder, const sheaf_model *model,
                                 sheaf_solver *solver, uint64_t *kept, double last_time)
{
    frames->last_time = last_time;
    return open_file(frames, folder, model, solver, 0, kept);
}

// Moves strands together where ghosts stood between them.
static void drop_ghosts(const run_frames *frames)
{
    for (uint32_t k = 0; k < frames->strand_count; k++) {
        const uint64_t to = frames->first_vertex[k], count = frames->first_vertex[k + 1] - to;
        const uint64_t from = frames->first_read[k + 1] - count; // a ghost is a strand's first vertex
        if (from != to)
            memmove(frames->positions + to, frames->positions + from, count * sizeof *frames->positions);
    }
}

// Points as the file will have them: angles of directors count from these.
static void round_points(const run_frames *frames)
{
    for (uint64_t k = 0; k < frames->first_vertex[frames->strand_count] && !frames->is_double; k++)
        for (int c = 0; c < 3; c++)
            frames->positions[k][c] = (double)(float)frames->positions[k][c];
}

static void find_angles(const run_frames *frames)
{
    const sheaf_model *model = frames->model;
    for (uint32_t k = 0; k < frames->strand_count; k++) {
        const uint64_t first = frames->first_vertex[k], count = frames->first_vertex[k + 1] - first;
        const uint64_t ghosts = frames->first_read[k + 1] - frames->first_read[k] - count;
        const uint32_t strand = k * frames->stride;
        const groom_line line = {(const double(*)[3])frames->positions + first, count, model->strands[strand].closed};
        groom_director_angles(&line, (const double(*)[3])frames->directors + model->first_vertex[strand] + ghosts,
                              frames->angles + first);
    }
}

static sheaf_status add_positions(run_frames *frames, double time)
{
    drop_ghosts(frames);
    if (frames->angles != NULL) {
        round_points(frames);
        find_angles(frames);
    }
    SHEAF_TRY(io_trajectory_add_turned(frames->file, time, frames->positions, true, frames->angles));
    frames->last_time = time;
    return SHEAF_OK;
}

sheaf_status run_frames_add(run_frames *frames, sheaf_solver *solver, double time)
{
    if (frames->file == NULL || time <= frames->last_time)
        return SHEAF_OK;
    SHEAF_TRY(solver_read_sample(solver, frames->stride, frames->first_read, frames->positions));
    if (frames->directors != NULL)
        SHEAF_TRY(solver_read_directors(solver, frames->directors));
    return add_positions(frames, time);
}

sheaf_status run_frames_add_noted(run_frames *frames, sheaf_solver *solver, uint32_t note, double time)
{
    if (frames->file == NULL || time <= frames->last_time)
        return SHEAF_OK;
    SHEAF_TRY(solver_note_sample(solver, note, frames->stride, frames->first_read, frames->positions));
    return add_positions(frames, time);
}

// ---- frames between steps

static sheaf_status read_moment(const run_frames *frames, sheaf_solver *solver, run_moment *moment)
{
    const size_t count = frames->first_read[frames->strand_count];
    if (moment->positions == NULL)
        moment->positions = base_alloc(count, sizeof *moment->positions);
    if (moment->velocities == NULL)
        moment->velocities = base_alloc(count, sizeof *moment->velocities);
    if (moment->directors == NULL && frames->directors != NULL)
        moment->directors = base_alloc(frames->model->vertex_count, sizeof *moment->directors);
    if (moment->positions == NULL || moment->velocities == NULL ||
        (moment->directors == NULL && frames->directors != NULL))
        return SHEAF_ERR_MEMORY;
    if (moment->directors != NULL)
        SHEAF_TRY(solver_read_directors(solver, moment->directors));
    SHEAF_TRY(solver_read_sample(solver, frames->stride, frames->first_read, moment->positions));
    return solver_read_sample_velocities(solver, frames->stride, frames->first_read, moment->velocities);
}

sheaf_status run_frames_before(run_frames *frames, sheaf_solver *solver)
{
    return frames->file ? read_moment(frames, solver, &frames->before) : SHEAF_OK;
}

sheaf_status run_frames_after(run_frames *frames, sheaf_solver *solver)
{
    return frames->file ? read_moment(frames, solver, &frames->after) : SHEAF_OK;
}

// Weights of a cubic through two places and the velocities there (Hermite).
typedef struct weights {
    double x0, v0, x1, v1;
} weights;

// What jumps until a time between two moments did to a strand then, and what later ones undo of the second moment.
typedef struct strand_jumps {
    bool before, after; // there are such
    model_jump from_before, from_after;
} strand_jumps;

static strand_jumps find_jumps(const run_frames *frames, uint32_t kept, double t0, double time, double t1)
{
    const uint32_t strand = kept * frames->stride;
    strand_jumps it;
    it.before = model_strand_jump(frames->model, strand, t0, time, &it.from_before);
    it.after = model_strand_jump(frames->model, strand, time, t1, &it.from_after);
    if (it.after)
        it.from_after = model_jump_inverse(&it.from_after);
    return it;
}

static void place_between(const run_frames *frames, const strand_jumps *jumps, const weights *w, uint64_t vertex)
{
    double x0[3], v0[3], x1[3], v1[3];
    vec_copy(x0, frames->before.positions[vertex]);
    vec_copy(v0, frames->before.velocities[vertex]);
    vec_copy(x1, frames->after.positions[vertex]);
    vec_copy(v1, frames->after.velocities[vertex]);
    if (jumps->before) {
        model_jump_point(&jumps->from_before, x0, x0);
        model_jump_vector(&jumps->from_before, v0, v0);
    }
    if (jumps->after) {
        model_jump_point(&jumps->from_after, x1, x1);
        model_jump_vector(&jumps->from_after, v1, v1);
    }
    for (int c = 0; c < 3; c++)
        frames->positions[vertex][c] = w->x0 * x0[c] + w->v0 * v0[c] + w->x1 * x1[c] + w->v1 * v1[c];
}

// The direction of an edge of strand `kept` in an array of points that the solver gave; false: it has none.
static bool edge_tangent(const run_frames *frames, const double (*points)[3], uint32_t kept, uint64_t edge,
                         double tangent[3])
{
    const uint64_t first = frames->first_read[kept], count = frames->first_read[kept + 1] - first;
    vec_sub(tangent, points[first + (edge + 1) % count], points[first + edge]);
    const bool has_length = vec_length(tangent) > 0;
    if (has_length)
        vec_unit(tangent, tangent);
    return has_length;
}

// A director of one of the moments, seen after a jump and carried over to the edge between.
static void carry_director(const run_frames *frames, const run_moment *moment, const model_jump *jump, uint32_t kept,
                           uint64_t edge, const double tangent[3], double out[3])
{
    double from[3];
    const uint64_t vertex = frames->model->first_vertex[kept * frames->stride] + edge;
    vec_copy(out, moment->directors[vertex]);
    if (!edge_tangent(frames, (const double(*)[3])moment->positions, kept, edge, from))
        return;
    if (jump != NULL) {
        model_jump_vector(jump, from, from);
        model_jump_vector(jump, out, out);
    }
    vec_transport(out, out, from, tangent);
}

// Directors between two moments: both carried over to the edge's direction then, and a share of the angle in between.
static void turn_between(const run_frames *frames, const strand_jumps *jumps, uint32_t kept, double share)
{
    const uint64_t count = frames->first_read[kept + 1] - frames->first_read[kept];
    for (uint64_t edge = 0; edge < count; edge++) {
        double tangent[3], first[3], last[3], side[3];
        double *out = frames->directors[frames->model->first_vertex[kept * frames->stride] + edge];
        if (!edge_tangent(frames, (const double(*)[3])frames->positions, kept, edge, tangent))
            continue;
        carry_director(frames, &frames->before, jumps->before ? &jumps->from_before : NULL, kept, edge, tangent, first);
        carry_director(frames, &frames->after, jumps->after ? &jumps->from_after : NULL, kept, edge, tangent, last);
        const double angle = share * vec_angle(first, last, tangent);
        vec_cross(side, tangent, first);
        vec_scale(out, first, cos(angle));
        vec_axpy(out, sin(angle), side);
    }
}

sheaf_status run_frames_add_between(run_frames *frames, double share, double step, double time)
{
    if (frames->file == NULL)
        return SHEAF_OK;
    const double s = share, s2 = s * s, s3 = s2 * s, x1 = 3 * s2 - 2 * s3;
    const weights w = {1 - x1, step * (s3 - 2 * s2 + s), x1, step * (s3 - s2)};
    for (uint32_t k = 0; k < frames->strand_count; k++) {
        const strand_jumps jumps = find_jumps(frames, k, time - share * step, time, time + (1 - share) * step);
        for (uint64_t v = frames->first_read[k]; v < frames->first_read[k + 1]; v++)
            place_between(frames, &jumps, &w, v);
        if (frames->directors != NULL)
            turn_between(frames, &jumps, k, share);
    }
    return add_positions(frames, time);
}

static void free_moment(const run_moment *moment)
{
    base_free(moment->positions);
    base_free(moment->velocities);
    base_free(moment->directors);
}

sheaf_status run_frames_close(run_frames *frames)
{
    const sheaf_status status = io_trajectory_close(frames->file);
    base_free(frames->first_vertex);
    base_free(frames->first_read);
    base_free(frames->positions);
    base_free(frames->directors);
    base_free(frames->angles);
    free_moment(&frames->before);
    free_moment(&frames->after);
    *frames = (run_frames){.stride = frames->stride};
    return status;
}
