// csv: a row for each vertex of each frame, for spreadsheets and plots of a few strands.
#include "groom/format.h"

#include <math.h>

// What names of columns say of the unit.
static const char *unit_suffix(double metres)
{
    static const struct {
        double metres;
        const char *suffix;
    } units[] = {{1, "_m"}, {0.01, "_cm"}, {0.001, "_mm"}, {1e-6, "_um"}};
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++)
        if (fabs(metres / units[k].metres - 1) < 1e-9)
            return units[k].suffix;
    return "";
}

static void write_strand(const groom_source *source, uint64_t frame, uint64_t strand, FILE *stream)
{
    const groom *g = &source->groom;
    const int digits = g->is_double ? 17 : 9;
    for (uint64_t k = g->first_vertex[strand]; k < g->first_vertex[strand + 1]; k++) {
        double p[3];
        groom_point(g, k, p);
        (void)fprintf(stream, "%llu,", (unsigned long long)frame);
        if (source->times != NULL)
            (void)fprintf(stream, "%.12g", source->times[frame]);
        (void)fprintf(stream, ",%llu,%llu,%.*g,%.*g,%.*g", (unsigned long long)groom_id(g, strand),
                      (unsigned long long)(k - g->first_vertex[strand]), digits, p[0], digits, p[1], digits, p[2]);
        if (g->director_angle != NULL)
            (void)fprintf(stream, ",%.9g", (double)g->director_angle[k]);
        (void)fputc('\n', stream);
    }
}

static sheaf_status write_csv(groom_source *source, FILE *stream)
{
    const char *unit = unit_suffix(source->groom.metres_per_unit);
    (void)fprintf(stream, "frame,time_s,strand,vertex,x%s,y%s,z%s%s\n", unit, unit, unit,
                  source->groom.director_angle != NULL ? ",director_angle_rad" : "");
    for (uint64_t frame = 0; frame < source->frame_count; frame++) {
        SHEAF_TRY(groom_load(source, frame));
        for (uint64_t s = 0; s < source->groom.strand_count; s++)
            write_strand(source, frame, s, stream);
    }
    return SHEAF_OK;
}

const groom_format groom_format_csv = {
    .name = "csv",
    .extension = ".csv",
    .summary = "a row for each vertex and frame",
    .keeps = "points to the last digit, angles of directors, frames with their times, numbers of strands",
    .has_time = true,
    .write = write_csv,
};
