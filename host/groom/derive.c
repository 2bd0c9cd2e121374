// derive: a source made of another, frame by frame.
#include "groom/derive.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "groom/director.h"

typedef struct derivation {
    groom_source *from;
    uint64_t *chosen; // [strand_count of the result] strands of `from`; NULL: all
    uint64_t first, every;
    bool resampled;
    double *scratch; // of resampling
    groom_loss *loss;
    groom_loss unasked; // where it goes when nobody asks for it
    double scale;
    groom_axes axes;
} derivation;

groom_axes groom_axes_between(groom_up from, groom_up to)
{
    groom_axes axes = {{0, 1, 2}, {1, 1, 1}};
    if (from == to || from == GROOM_UP_UNKNOWN || to == GROOM_UP_UNKNOWN)
        return axes;
    if (from != GROOM_UP_X && to != GROOM_UP_X) {
        axes.axis[1] = 2, axes.axis[2] = 1;
        axes.sign[from == GROOM_UP_Y ? 1 : 2] = -1;
        return axes;
    }
    const int shift = ((int)from - (int)to + 3) % 3;
    for (int c = 0; c < 3; c++)
        axes.axis[c] = (c + shift) % 3;
    return axes;
}

static void release(groom_source *source)
{
    derivation *d = source->own;
    if (d == NULL)
        return;
    base_free(d->chosen);
    base_free(d->scratch);
    base_free(d);
}

// Gives positions their new unit and axes.
static void place(const derivation *d, groom *g)
{
    double given[3], placed[3];
    for (uint64_t k = 0; k < g->vertex_count; k++) {
        groom_point(g, k, given);
        groom_turn(&d->axes, given, placed);
        vec_scale(placed, placed, d->scale);
        groom_set_point(g, k, placed);
    }
}

static void copy_points(const derivation *d, groom *out)
{
    const groom *g = &d->from->groom;
    const size_t size = groom_point_size(g);
    for (uint64_t s = 0; s < out->strand_count; s++) {
        const uint64_t strand = d->chosen != NULL ? d->chosen[s] : s;
        memcpy((char *)out->positions + size * out->first_vertex[s],
               (const char *)g->positions + size * g->first_vertex[strand], size * groom_strand_vertices(out, s));
    }
}

// The first edge of a strand, and where its angles count from.
static void root_line(const groom *g, uint64_t strand, double points[2][3], groom_line *line)
{
    for (uint64_t k = 0; k < 2; k++)
        groom_point(g, g->first_vertex[strand] + k, points[k]);
    *line = (groom_line){.points = (const double(*)[3])points, .count = 2};
}

// By how much the angles of a strand change because they count from an axis, and axes have changed, rad.
static float turn_of_angles(const derivation *d, const groom *out, uint64_t strand, uint64_t before)
{
    double points[2][3], director[2][3], turned[2][3];
    const float *given = d->from->groom.director_angle + d->from->groom.first_vertex[before];
    const float angles[2] = {given[0], given[0]};
    float now[2];
    groom_line line;
    root_line(&d->from->groom, before, points, &line);
    groom_directors(&line, angles, director);
    for (int k = 0; k < 2; k++)
        groom_turn(&d->axes, director[k], turned[k]);
    root_line(out, strand, points, &line);
    groom_director_angles(&line, (const double(*)[3])turned, now);
    return fabsf(now[0] - given[0]) > 1e-6f ? now[0] - given[0] : 0; // else they stay to the last bit
}

// After points have been placed.
static void copy_angles(const derivation *d, groom *out)
{
    const groom *g = &d->from->groom;
    for (uint64_t s = 0; s < out->strand_count && out->director_angle != NULL; s++) {
        const uint64_t strand = d->chosen != NULL ? d->chosen[s] : s, count = groom_strand_vertices(out, s);
        const float *from = g->director_angle + g->first_vertex[strand];
        const float turn = count > 1 ? turn_of_angles(d, out, s, strand) : 0;
        for (uint64_t k = 0; k < count; k++)
            out->director_angle[out->first_vertex[s] + k] = from[k] + turn;
    }
}

static sheaf_status load(groom_source *source, uint64_t frame)
{
    const derivation *d = source->own;
    SHEAF_TRY(groom_load(d->from, d->first + frame * d->every));
    if (d->resampled)
        groom_resample(&d->from->groom, d->chosen, &source->groom, d->scratch, d->loss);
    else
        copy_points(d, &source->groom);
    place(d, &source->groom);
    copy_angles(d, &source->groom);
    return SHEAF_OK;
}

static void copy_arrays(const derivation *d, groom *out)
{
    const groom *g = &d->from->groom;
    for (uint64_t s = 0; s < out->strand_count; s++) {
        const uint64_t strand = d->chosen != NULL ? d->chosen[s] : s, count = groom_strand_vertices(out, s);
        const uint64_t from = g->first_vertex[strand], to = out->first_vertex[s];
        if (out->ids != NULL)
            out->ids[s] = (uint32_t)groom_id(g, strand);
        if (d->resampled)
            continue;
        if (out->width != NULL)
            memcpy(out->width + to, g->width + from, count * sizeof *g->width);
        if (out->transparency != NULL)
            memcpy(out->transparency + to, g->transparency + from, count * sizeof *g->transparency);
        if (out->colour != NULL)
            memcpy(out->colour + to, g->colour + from, count * sizeof *g->colour);
    }
    if (d->resampled)
        groom_resample_arrays(g, d->chosen, out, d->scratch);
    for (uint64_t k = 0; out->width != NULL && k < out->vertex_count; k++)
        out->width[k] = (float)((double)out->width[k] * d->scale);
}

static sheaf_status choose_strands(derivation *d, const groom_changes *changes)
{
    if (changes->strands == NULL)
        return SHEAF_OK;
    d->chosen = base_alloc(changes->strand_count, sizeof *d->chosen);
    if (d->chosen == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint64_t s = 0; s < changes->strand_count; s++) {
        d->chosen[s] = changes->strands[s];
        if (changes->strands[s] >= d->from->groom.strand_count)
            return base_fail(SHEAF_ERR_INPUT, "%s has strands 0 to %llu, but strand %llu is asked for",
                             d->from->input.name, (unsigned long long)d->from->groom.strand_count - 1,
                             (unsigned long long)changes->strands[s]);
    }
    return SHEAF_OK;
}

// Strands and arrays of the result; `g` has its space and precision set.
static sheaf_status make_topology(const derivation *d, const groom_changes *changes, groom *g)
{
    const groom *from = &d->from->groom;
    const uint64_t strands = changes->strands != NULL ? changes->strand_count : from->strand_count;
    uint64_t vertices = 0;
    for (uint64_t s = 0; s < strands; s++)
        vertices +=
            d->resampled ? changes->vertices : groom_strand_vertices(from, d->chosen != NULL ? d->chosen[s] : s);
    const unsigned arrays = groom_arrays(from) | (changes->strands != NULL ? GROOM_IDS : 0u);
    SHEAF_TRY(groom_allocate(g, strands, vertices, d->resampled ? arrays & ~(unsigned)GROOM_DIRECTOR : arrays));
    for (uint64_t s = 0; s < strands; s++)
        g->first_vertex[s + 1] =
            g->first_vertex[s] +
            (d->resampled ? changes->vertices : groom_strand_vertices(from, d->chosen != NULL ? d->chosen[s] : s));
    copy_arrays(d, g);
    return SHEAF_OK;
}

static sheaf_status set_space(derivation *d, const groom_changes *changes, groom *g)
{
    const groom *from = &d->from->groom;
    const char *name = d->from->input.name;
    g->metres_per_unit = changes->from_metres > 0 ? changes->from_metres : from->metres_per_unit;
    g->up = changes->from_up != GROOM_UP_UNKNOWN ? changes->from_up : from->up;
    d->scale = 1;
    if (changes->to_metres > 0) {
        if (g->metres_per_unit == 0)
            return base_fail(SHEAF_ERR_INPUT, "%s does not say its unit; say it by --unit", name);
        d->scale = g->metres_per_unit / changes->to_metres;
        g->metres_per_unit = changes->to_metres;
    }
    if (changes->to_up != GROOM_UP_UNKNOWN && g->up == GROOM_UP_UNKNOWN)
        return base_fail(SHEAF_ERR_INPUT, "%s does not say which axis is up; say it by --up", name);
    d->axes = groom_axes_between(g->up, changes->to_up);
    if (changes->to_up != GROOM_UP_UNKNOWN)
        g->up = changes->to_up;
    return SHEAF_OK;
}

static sheaf_status choose_frames(derivation *d, const groom_changes *changes, groom_source *to)
{
    const groom_source *from = d->from;
    d->first = changes->first < from->frame_count ? changes->first : from->frame_count - 1;
    d->every = changes->every > 0 ? changes->every : 1;
    to->frame_count = changes->one_frame ? 1 : (from->frame_count - d->first - 1) / d->every + 1;
    if (from->times == NULL && changes->rate == 0)
        return SHEAF_OK;
    to->times = base_alloc(to->frame_count, sizeof *to->times);
    for (uint64_t k = 0; to->times != NULL && k < to->frame_count; k++) {
        const uint64_t frame = d->first + k * d->every;
        to->times[k] = from->times != NULL ? from->times[frame] : (double)frame / changes->rate;
    }
    return to->times != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

static sheaf_status prepare_scratch(derivation *d)
{
    const groom *g = &d->from->groom;
    uint64_t longest = 1;
    for (uint64_t s = 0; s < g->strand_count; s++) {
        if (groom_strand_vertices(g, s) == 0)
            return base_fail(SHEAF_ERR_INPUT, "%s: strand %llu has no vertices; there is nothing to resample",
                             d->from->input.name, (unsigned long long)s);
        longest = groom_strand_vertices(g, s) > longest ? groom_strand_vertices(g, s) : longest;
    }
    d->scratch = base_alloc(longest, 4 * sizeof *d->scratch);
    return d->scratch != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

static sheaf_status fill(derivation *d, const groom_changes *changes, groom_source *to)
{
    groom *g = &to->groom;
    g->is_double = d->from->groom.is_double;
    g->hair = d->from->groom.hair;
    if (d->resampled)
        SHEAF_TRY(prepare_scratch(d));
    SHEAF_TRY(choose_strands(d, changes));
    SHEAF_TRY(set_space(d, changes, g));
    g->hair.thickness = (float)(d->scale * (double)g->hair.thickness);
    SHEAF_TRY(choose_frames(d, changes, to));
    SHEAF_TRY(make_topology(d, changes, g));
    SHEAF_TRY(load(to, 0));
    if (to->frame_count > 1)
        to->load = load;
    return SHEAF_OK;
}

sheaf_status groom_derive(groom_source *from, const groom_changes *changes, groom_loss *loss, groom_source *to)
{
    *to = (groom_source){.input.descriptor = -1, .release = release};
    memcpy(to->input.name, from->input.name, sizeof to->input.name);
    derivation *d = base_alloc(1, sizeof *d);
    if (d == NULL)
        return SHEAF_ERR_MEMORY;
    *d = (derivation){.from = from, .resampled = changes->vertices > 0};
    d->loss = loss != NULL ? loss : &d->unasked;
    to->own = d;
    const sheaf_status status = fill(d, changes, to);
    if (status != SHEAF_OK)
        groom_close(to);
    return status;
}
