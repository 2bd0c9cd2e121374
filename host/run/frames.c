// frames: the trajectory of a run.
#include "run/frames.h"

#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "solver/solver.h"

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

// Starts the file, or with `kept` goes on with it after its last frame.
static sheaf_status open_file(run_frames *frames, const io_folder *folder, const sheaf_model *model, uint64_t expected,
                              uint64_t *kept)
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
        status = kept && is_there ? io_trajectory_continue(path, &def, frames->last_time, kept, &frames->file)
                                  : io_trajectory_start(path, &def, &frames->file);
    }
    base_free(l.ids);
    base_free(l.radius);
    base_free(path);
    return status;
}

sheaf_status run_frames_start(run_frames *frames, const io_folder *folder, const sheaf_model *model, uint64_t expected)
{
    frames->last_time = -1;
    return open_file(frames, folder, model, expected, NULL);
}

sheaf_status run_frames_continue(run_frames *frames, const io_folder *folder, const sheaf_model *model, uint64_t *kept,
                                 double last_time)
{
    frames->last_time = last_time;
    return open_file(frames, folder, model, 0, kept);
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

static sheaf_status add_positions(run_frames *frames, double time)
{
    drop_ghosts(frames);
    SHEAF_TRY(io_trajectory_add(frames->file, time, frames->positions, true));
    frames->last_time = time;
    return SHEAF_OK;
}

sheaf_status run_frames_add(run_frames *frames, sheaf_solver *solver, double time)
{
    if (frames->file == NULL || time <= frames->last_time)
        return SHEAF_OK;
    SHEAF_TRY(solver_read_sample(solver, frames->stride, frames->first_read, frames->positions));
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
    if (moment->positions == NULL || moment->velocities == NULL)
        return SHEAF_ERR_MEMORY;
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
    }
    return add_positions(frames, time);
}

static void free_moment(const run_moment *moment)
{
    base_free(moment->positions);
    base_free(moment->velocities);
}

sheaf_status run_frames_close(run_frames *frames)
{
    const sheaf_status status = io_trajectory_close(frames->file);
    base_free(frames->first_vertex);
    base_free(frames->first_read);
    base_free(frames->positions);
    free_moment(&frames->before);
    free_moment(&frames->after);
    *frames = (run_frames){.stride = frames->stride};
    return status;
}
