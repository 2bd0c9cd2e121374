// reel: frames to be drawn, one at a time.
#include "view/reel.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "groom/director.h"
#include "io/file.h"

sheaf_status view_reel_open(groom_source *source, view_reel *reel)
{
    *reel = (view_reel){.source = source, .frame_count = source->frame_count};
    reel->times = base_alloc(reel->frame_count, sizeof *reel->times);
    if (reel->times == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint64_t k = 0; k < reel->frame_count; k++)
        reel->times[k] = source->times != NULL ? source->times[k] : (double)k / 60;
    return SHEAF_OK;
}

sheaf_status view_reel_start(const view_stage *stage, view_reel *reel)
{
    const uint64_t vertices = stage->first_vertex[stage->strand_count];
    *reel = (view_reel){0};
    if (vertices > 0)
        vec_copy(reel->origin, stage->positions[0]);
    reel->buffer = base_alloc(vertices, 3 * sizeof *reel->buffer);
    if (reel->buffer == NULL)
        return SHEAF_ERR_MEMORY;
    reel->kept = tmpfile();
    return reel->kept != NULL ? SHEAF_OK : io_fail("create", "a temporary file for the frames");
}

static sheaf_status write_vectors(const view_reel *reel, const double (*vectors)[3], uint64_t count,
                                  const double origin[3])
{
    for (uint64_t k = 0; k < count; k++)
        for (int c = 0; c < 3; c++)
            reel->buffer[3 * k + (uint64_t)c] = (float)(vectors[k][c] - origin[c]);
    return fwrite(reel->buffer, 3 * sizeof(float), count, reel->kept) == count
               ? SHEAF_OK
               : io_fail("write", "the temporary file of frames");
}

// Keeps where solid things are: bodies go their own ways.
static sheaf_status keep_bodies(view_reel *reel, const view_stage *stage)
{
    const size_t count = stage->props.count;
    double(*grown)[12] = base_realloc(reel->placed, (reel->frame_count + 1) * count + 1, sizeof *grown);
    if (grown == NULL)
        return SHEAF_ERR_MEMORY;
    reel->placed = grown;
    for (size_t k = 0; k < count; k++) {
        double *out = grown[reel->frame_count * count + k];
        memcpy(out, stage->props.bodies[k].center, 3 * sizeof(double));
        memcpy(out + 3, stage->props.bodies[k].axes, 9 * sizeof(double));
    }
    return SHEAF_OK;
}

static void place_bodies(const view_reel *reel, uint64_t frame, view_stage *stage)
{
    const size_t count = stage->props.count;
    for (size_t k = 0; k < count && reel->placed != NULL; k++) {
        const double *from = reel->placed[frame * count + k];
        if (stage->props.rigid[k] < 0)
            continue;
        memcpy(stage->props.bodies[k].center, from, 3 * sizeof(double));
        memcpy(stage->props.bodies[k].axes, from + 3, 9 * sizeof(double));
    }
}

sheaf_status view_reel_add(view_reel *reel, const view_stage *stage, double time)
{
    static const double nowhere[3] = {0, 0, 0};
    const uint64_t vertices = stage->first_vertex[stage->strand_count];
    if (reel->frame_count == reel->time_room) {
        double *grown = base_realloc(reel->times, 2 * reel->time_room + 64, sizeof *grown);
        if (grown == NULL)
            return SHEAF_ERR_MEMORY;
        reel->times = grown;
        reel->time_room = 2 * reel->time_room + 64;
    }
    SHEAF_TRY(write_vectors(reel, (const double(*)[3])stage->positions, vertices, reel->origin));
    if (stage->directors != NULL)
        SHEAF_TRY(write_vectors(reel, (const double(*)[3])stage->directors, vertices, nowhere));
    SHEAF_TRY(keep_bodies(reel, stage));
    reel->times[reel->frame_count++] = time;
    return SHEAF_OK;
}

static sheaf_status read_vectors(const view_reel *reel, double (*vectors)[3], uint64_t count, const double origin[3])
{
    errno = 0;
    if (fread(reel->buffer, 3 * sizeof(float), count, reel->kept) != count)
        return io_fail("read", "the temporary file of frames");
    for (uint64_t k = 0; k < count; k++)
        for (int c = 0; c < 3; c++)
            vectors[k][c] = origin[c] + (double)reel->buffer[3 * k + (uint64_t)c];
    return SHEAF_OK;
}

static sheaf_status load_kept(const view_reel *reel, uint64_t frame, view_stage *stage)
{
    static const double nowhere[3] = {0, 0, 0};
    const uint64_t vertices = stage->first_vertex[stage->strand_count];
    const uint64_t size = vertices * 3 * sizeof(float) * (stage->directors != NULL ? 2 : 1);
    if (fseeko(reel->kept, (off_t)(frame * size), SEEK_SET) != 0)
        return io_fail("read", "the temporary file of frames");
    SHEAF_TRY(read_vectors(reel, stage->positions, vertices, reel->origin));
    return stage->directors != NULL ? read_vectors(reel, stage->directors, vertices, nowhere) : SHEAF_OK;
}

// Director 1 of every edge, by the angles that the file holds.
static void turn_directors(const groom *g, view_stage *stage)
{
    for (uint32_t s = 0; s < stage->strand_count; s++) {
        const uint64_t first = stage->first_vertex[s];
        const groom_line line = {(const double(*)[3])stage->positions + first, stage->first_vertex[s + 1] - first,
                                 stage->strands[s].closed};
        groom_directors(&line, g->director_angle + first, stage->directors + first);
    }
}

static sheaf_status load_file(const view_reel *reel, uint64_t frame, view_stage *stage)
{
    const groom *g = &reel->source->groom;
    const double metres = g->metres_per_unit > 0 ? g->metres_per_unit : 1;
    SHEAF_TRY(groom_load(reel->source, frame));
    for (uint64_t k = 0; k < g->vertex_count; k++) {
        groom_point(g, k, stage->positions[k]);
        vec_scale(stage->positions[k], stage->positions[k], metres);
    }
    if (g->director_angle != NULL && stage->directors != NULL)
        turn_directors(g, stage);
    else
        view_stage_carry_directors(stage, reel->times[frame]);
    return SHEAF_OK;
}

sheaf_status view_reel_load(const view_reel *reel, uint64_t frame, view_stage *stage)
{
    SHEAF_TRY(reel->source != NULL ? load_file(reel, frame, stage) : load_kept(reel, frame, stage));
    SHEAF_TRY(view_stage_set_time(stage, reel->times[frame]));
    place_bodies(reel, frame, stage);
    return SHEAF_OK;
}

uint64_t view_reel_find(const view_reel *reel, double time)
{
    uint64_t best = 0;
    for (uint64_t k = 1; k < reel->frame_count; k++)
        if (fabs(reel->times[k] - time) <= fabs(reel->times[best] - time))
            best = k;
    return best;
}

void view_reel_close(view_reel *reel)
{
    if (reel->kept != NULL)
        (void)fclose(reel->kept);
    base_free(reel->times);
    base_free(reel->placed);
    base_free(reel->buffer);
    *reel = (view_reel){0};
}
