// usda_write: strands as USD text: one prim BasisCurves, linear, with widths for each point.
#include "groom/usda_write.h"

#include <math.h>

double usda_rate(const groom_source *source)
{
    const uint64_t frames = source->frame_count;
    if (source->times == NULL || frames < 2)
        return 24;
    const double rate = (double)(frames - 1) / (source->times[frames - 1] - source->times[0]);
    const double whole = fabs(rate - rint(rate)) < 1e-6 * rate ? rint(rate) : rate;
    for (uint64_t k = 0; k < frames; k++)
        if (fabs(source->times[k] * whole - rint(source->times[k] * whole)) > 1e-3)
            return 24;
    return whole;
}

double usda_code(const groom_source *source, double rate, uint64_t frame)
{
    const double code = source->times != NULL ? source->times[frame] * rate : 0;
    return fabs(code - rint(code)) < 1e-3 ? rint(code) : code;
}

sheaf_status usda_check(const groom_source *source)
{
    const groom *g = &source->groom;
    if (!(g->metres_per_unit > 0) || g->up == GROOM_UP_UNKNOWN)
        return base_fail(SHEAF_ERR_INPUT, "a .usda file says its unit and which axis is up; neither is known here");
    if (g->up == GROOM_UP_X)
        return base_fail(SHEAF_ERR_INPUT, "a .usda file has y or z up, not x; --to-up turns the strands");
    if (source->frame_count > 1 && source->times == NULL)
        return base_fail(SHEAF_ERR_INPUT, "a .usda file says when its frames are, but %s does not", source->input.name);
    for (uint64_t s = 0; s < g->strand_count; s++)
        if (groom_strand_vertices(g, s) == 0)
            return base_fail(SHEAF_ERR_INPUT, "strand %llu has no vertices, which a .usda file cannot say",
                             (unsigned long long)s);
    return SHEAF_OK;
}

void usda_write_header(const groom_source *source, FILE *stream)
{
    const double rate = usda_rate(source);
    (void)fprintf(stream, "#usda 1.0\n(\n    defaultPrim = \"" USDA_PRIM "\"\n");
    if (source->frame_count > 1)
        (void)fprintf(stream, "    endTimeCode = %.9g\n", usda_code(source, rate, source->frame_count - 1));
    (void)fprintf(stream, "    metersPerUnit = %.12g\n", source->groom.metres_per_unit);
    if (source->frame_count > 1)
        (void)fprintf(stream, "    startTimeCode = %.9g\n    timeCodesPerSecond = %.9g\n", usda_code(source, rate, 0),
                      rate);
    (void)fprintf(stream, "    upAxis = \"%s\"\n)\n\n", source->groom.up == GROOM_UP_Y ? "Y" : "Z");
}

// Widths go with points, never with curves: some readers take the latter for the former and run off their end.
void usda_write_topology(const groom *g, FILE *stream)
{
    (void)fprintf(stream, "    uniform token type = \"linear\"\n    uniform token wrap = \"nonperiodic\"\n"
                          "    int[] curveVertexCounts = [");
    for (uint64_t s = 0; s < g->strand_count; s++)
        (void)fprintf(stream, "%s%llu", s > 0 ? ", " : "", (unsigned long long)groom_strand_vertices(g, s));
    (void)fprintf(stream, "]\n");
    if (g->width != NULL) {
        (void)fprintf(stream, "    float[] widths = [");
        for (uint64_t k = 0; k < g->vertex_count; k++)
            (void)fprintf(stream, "%s%.9g", k > 0 ? ", " : "", (double)g->width[k]);
        (void)fprintf(stream, "] (\n        interpolation = \"vertex\"\n    )\n");
    }
    if (g->colour != NULL) {
        (void)fprintf(stream, "    color3f[] primvars:displayColor = [");
        for (uint64_t k = 0; k < g->vertex_count; k++)
            (void)fprintf(stream, "%s(%.9g, %.9g, %.9g)", k > 0 ? ", " : "", (double)g->colour[k][0],
                          (double)g->colour[k][1], (double)g->colour[k][2]);
        (void)fprintf(stream, "] (\n        interpolation = \"vertex\"\n    )\n");
    }
    if (g->ids != NULL) {
        (void)fprintf(stream, "    int[] primvars:strand = [");
        for (uint64_t s = 0; s < g->strand_count; s++)
            (void)fprintf(stream, "%s%u", s > 0 ? ", " : "", g->ids[s]);
        (void)fprintf(stream, "] (\n        interpolation = \"uniform\"\n    )\n");
    }
}

static void write_points(const groom *g, FILE *stream)
{
    (void)fputc('[', stream);
    for (uint64_t k = 0; k < g->vertex_count; k++) {
        double p[3];
        groom_point(g, k, p);
        (void)fprintf(stream, "%s(%.9g, %.9g, %.9g)", k > 0 ? ", " : "", (double)(float)p[0], (double)(float)p[1],
                      (double)(float)p[2]);
    }
    (void)fputc(']', stream);
}

// Bounds in single precision, widened by half the largest width, as readers compute them themselves.
typedef struct extent {
    float low[3], high[3];
} extent;

static extent find_extent(const groom *g)
{
    extent e = {{0, 0, 0}, {0, 0, 0}};
    float widest = 0;
    for (uint64_t k = 0; k < g->vertex_count; k++) {
        double p[3];
        groom_point(g, k, p);
        for (int c = 0; c < 3; c++) {
            e.low[c] = k == 0 || (float)p[c] < e.low[c] ? (float)p[c] : e.low[c];
            e.high[c] = k == 0 || (float)p[c] > e.high[c] ? (float)p[c] : e.high[c];
        }
        widest = g->width != NULL && g->width[k] > widest ? g->width[k] : widest;
    }
    for (int c = 0; c < 3; c++) {
        e.low[c] -= widest / 2;
        e.high[c] += widest / 2;
    }
    return e;
}

static void write_extent(const extent *e, FILE *stream)
{
    (void)fprintf(stream, "[(%.9g, %.9g, %.9g), (%.9g, %.9g, %.9g)]", (double)e->low[0], (double)e->low[1],
                  (double)e->low[2], (double)e->high[0], (double)e->high[1], (double)e->high[2]);
}

static sheaf_status write_samples(groom_source *source, uint64_t first, uint64_t end, extent *extents, FILE *stream)
{
    const double rate = usda_rate(source);
    (void)fprintf(stream, "    point3f[] points.timeSamples = {\n");
    for (uint64_t frame = first; frame < end; frame++) {
        SHEAF_TRY(groom_load(source, frame));
        extents[frame - first] = find_extent(&source->groom);
        (void)fprintf(stream, "        %.9g: ", usda_code(source, rate, frame));
        write_points(&source->groom, stream);
        (void)fprintf(stream, ",\n");
    }
    (void)fprintf(stream, "    }\n    float3[] extent.timeSamples = {\n");
    for (uint64_t frame = first; frame < end; frame++) {
        (void)fprintf(stream, "        %.9g: ", usda_code(source, rate, frame));
        write_extent(&extents[frame - first], stream);
        (void)fprintf(stream, ",\n");
    }
    (void)fprintf(stream, "    }\n");
    return SHEAF_OK;
}

sheaf_status usda_write_samples(groom_source *source, uint64_t first, uint64_t end, FILE *stream)
{
    extent *extents = base_alloc(end - first, sizeof *extents);
    const sheaf_status status = extents != NULL ? write_samples(source, first, end, extents, stream) : SHEAF_ERR_MEMORY;
    base_free(extents);
    return status;
}

sheaf_status usda_write(groom_source *source, FILE *stream)
{
    SHEAF_TRY(usda_check(source));
    usda_write_header(source, stream);
    (void)fprintf(stream, "def BasisCurves \"" USDA_PRIM "\"\n{\n");
    usda_write_topology(&source->groom, stream);
    if (source->frame_count > 1) {
        SHEAF_TRY(usda_write_samples(source, 0, source->frame_count, stream));
    } else {
        (void)fprintf(stream, "    point3f[] points = ");
        write_points(&source->groom, stream);
        (void)fprintf(stream, "\n    float3[] extent = ");
        const extent e = find_extent(&source->groom);
        write_extent(&e, stream);
        (void)fprintf(stream, "\n");
    }
    (void)fprintf(stream, "}\n");
    return SHEAF_OK;
}
