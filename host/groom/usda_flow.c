// usda_flow: strands as USD text that are made while they are written.
#include <math.h>

#include "groom/format.h"
#include "groom/usda_write.h"

// Where a list is, and the bounds of points so far.
typedef struct writing {
    FILE *stream;
    bool has_begun;
    float low[3], high[3], widest;
} writing;

static const char *comma(writing *w)
{
    const bool first = !w->has_begun;
    w->has_begun = true;
    return first ? "" : ", ";
}

static sheaf_status write_counts(const groom_block *block, void *user)
{
    writing *w = user;
    for (uint32_t k = 0; k < block->count; k++)
        (void)fprintf(w->stream, "%s%llu", comma(w),
                      (unsigned long long)(block->first_vertex[k + 1] - block->first_vertex[k]));
    return SHEAF_OK;
}

// One for each point: see usda_write_topology.
static sheaf_status write_widths(const groom_block *block, void *user)
{
    writing *w = user;
    for (uint32_t k = 0; k < block->count; k++) {
        w->widest = fmaxf(w->widest, block->width[k]);
        for (uint64_t i = block->first_vertex[k]; i < block->first_vertex[k + 1]; i++)
            (void)fprintf(w->stream, "%s%.9g", comma(w), (double)block->width[k]);
    }
    return SHEAF_OK;
}

static sheaf_status write_points(const groom_block *block, void *user)
{
    writing *w = user;
    for (uint64_t k = 0; k < block->first_vertex[block->count]; k++) {
        const float p[3] = {(float)block->points[k][0], (float)block->points[k][1], (float)block->points[k][2]};
        (void)fprintf(w->stream, "%s(%.9g, %.9g, %.9g)", comma(w), (double)p[0], (double)p[1], (double)p[2]);
        for (int c = 0; c < 3; c++) {
            w->low[c] = fminf(w->low[c], p[c]);
            w->high[c] = fmaxf(w->high[c], p[c]);
        }
    }
    return ferror(w->stream) ? SHEAF_ERR_IO : SHEAF_OK; // what is wrong is found by whoever closes the file
}

static sheaf_status write_list(const groom_flow *flow, bool with_points, groom_block_fn *fn, writing *w)
{
    w->has_begun = false;
    (void)fputc('[', w->stream);
    SHEAF_TRY(groom_flow_walk(flow, with_points, fn, w));
    (void)fputc(']', w->stream);
    return SHEAF_OK;
}

// Points of a frame, and their bounds widened by half the largest width.
static sheaf_status write_frame(const groom_flow *flow, uint64_t frame, writing *w)
{
    for (int c = 0; c < 3; c++) {
        w->low[c] = INFINITY;
        w->high[c] = -INFINITY;
    }
    SHEAF_TRY(flow->load(flow->user, frame));
    return write_list(flow, true, write_points, w);
}

static void write_bounds(const writing *w)
{
    const double half = 0.5 * (double)w->widest;
    (void)fprintf(w->stream, "[(%.9g, %.9g, %.9g), (%.9g, %.9g, %.9g)]", (double)w->low[0] - half,
                  (double)w->low[1] - half, (double)w->low[2] - half, (double)w->high[0] + half,
                  (double)w->high[1] + half, (double)w->high[2] + half);
}

static sheaf_status write_samples(const groom_flow *flow, writing *w)
{
    const double rate = usda_rate(flow->like);
    const uint64_t frames = flow->like->frame_count;
    writing *bounds = base_alloc(frames, sizeof *bounds);
    sheaf_status status = bounds != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
    (void)fprintf(w->stream, "    point3f[] points.timeSamples = {\n");
    for (uint64_t frame = 0; frame < frames && status == SHEAF_OK; frame++) {
        (void)fprintf(w->stream, "        %.9g: ", usda_code(flow->like, rate, frame));
        status = write_frame(flow, frame, w);
        (void)fprintf(w->stream, ",\n");
        bounds[frame] = *w;
    }
    (void)fprintf(w->stream, "    }\n    float3[] extent.timeSamples = {\n");
    for (uint64_t frame = 0; frame < frames && status == SHEAF_OK; frame++) {
        (void)fprintf(w->stream, "        %.9g: ", usda_code(flow->like, rate, frame));
        write_bounds(&bounds[frame]);
        (void)fprintf(w->stream, ",\n");
    }
    (void)fprintf(w->stream, "    }\n");
    base_free(bounds);
    return status;
}

sheaf_status usda_write_flow(const groom_flow *flow, FILE *stream)
{
    writing w = {.stream = stream};
    SHEAF_TRY(usda_check(flow->like));
    usda_write_header(flow->like, stream);
    (void)fprintf(stream, "def BasisCurves \"" USDA_PRIM "\"\n{\n    uniform token type = \"linear\"\n"
                          "    uniform token wrap = \"nonperiodic\"\n    int[] curveVertexCounts = ");
    SHEAF_TRY(write_list(flow, false, write_counts, &w));
    (void)fputc('\n', stream);
    if (flow->has_width) {
        (void)fprintf(stream, "    float[] widths = ");
        SHEAF_TRY(write_list(flow, false, write_widths, &w));
        (void)fprintf(stream, " (\n        interpolation = \"vertex\"\n    )\n");
    }
    if (flow->like->frame_count > 1) {
        SHEAF_TRY(write_samples(flow, &w));
    } else {
        (void)fprintf(stream, "    point3f[] points = ");
        SHEAF_TRY(write_frame(flow, 0, &w));
        (void)fprintf(stream, "\n    float3[] extent = ");
        write_bounds(&w);
        (void)fputc('\n', stream);
    }
    (void)fprintf(stream, "}\n");
    return SHEAF_OK;
}
