// groom: memory for strands, and the checks and measures that all formats share.
#include "groom/groom.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum { SIMULATED_LEAST = 3, SIMULATED_MOST = 4096 };

static void *maybe_alloc(bool wanted, uint64_t count, size_t size, bool *ok)
{
    void *memory = wanted && *ok ? base_alloc(count, size) : NULL;
    *ok = *ok && (!wanted || memory != NULL);
    return memory;
}

sheaf_status groom_allocate(groom *g, uint64_t strands, uint64_t vertices, unsigned arrays)
{
    bool ok = true;
    g->strand_count = strands;
    g->vertex_count = vertices;
    g->first_vertex = maybe_alloc(true, strands + 1, sizeof *g->first_vertex, &ok);
    g->positions = maybe_alloc(true, vertices, groom_point_size(g), &ok);
    g->width = maybe_alloc(arrays & GROOM_WIDTH, vertices, sizeof *g->width, &ok);
    g->transparency = maybe_alloc(arrays & GROOM_TRANSPARENCY, vertices, sizeof *g->transparency, &ok);
    g->colour = maybe_alloc(arrays & GROOM_COLOUR, vertices, sizeof *g->colour, &ok);
    g->director_angle = maybe_alloc(arrays & GROOM_DIRECTOR, vertices, sizeof *g->director_angle, &ok);
    g->ids = maybe_alloc(arrays & GROOM_IDS, strands, sizeof *g->ids, &ok);
    if (ok)
        return SHEAF_OK;
    groom_free(g);
    return SHEAF_ERR_MEMORY;
}

void groom_free(groom *g)
{
    base_free(g->first_vertex);
    base_free(g->positions);
    base_free(g->width);
    base_free(g->transparency);
    base_free(g->colour);
    base_free(g->director_angle);
    base_free(g->ids);
    *g = (groom){0};
}

unsigned groom_arrays(const groom *g)
{
    return (g->width ? GROOM_WIDTH : 0u) | (g->transparency ? GROOM_TRANSPARENCY : 0u) |
           (g->colour ? GROOM_COLOUR : 0u) | (g->ids ? GROOM_IDS : 0u) | (g->director_angle ? GROOM_DIRECTOR : 0u);
}

bool groom_is_even(const groom *g)
{
    for (uint64_t s = 1; s < g->strand_count; s++)
        if (groom_strand_vertices(g, s) != groom_strand_vertices(g, 0))
            return false;
    return true;
}

// ---- unit and axis as words

static const char space_words[] = "Sheaf groom; metres per unit ", up_words[] = "; up ";

void groom_write_space(const groom *g, char *text, size_t size)
{
    text[0] = 0;
    if (g->metres_per_unit > 0 && g->up != GROOM_UP_UNKNOWN)
        snprintf(text, size, "%s%.12g%s%c", space_words, g->metres_per_unit, up_words,
                 'x' + (int)g->up - (int)GROOM_UP_X);
}

void groom_read_space(const char *text, double *metres_per_unit, groom_up *up)
{
    const size_t start = sizeof space_words - 1, middle = sizeof up_words - 1;
    if (strncmp(text, space_words, start) != 0)
        return;
    char *end;
    const double metres = strtod(text + start, &end);
    if (strncmp(end, up_words, middle) != 0 || end[middle] < 'x' || end[middle] > 'z' ||
        !(metres >= 1e-12 && metres <= 1e12))
        return;
    *metres_per_unit = metres;
    *up = (groom_up)(GROOM_UP_X + (end[middle] - 'x'));
}

// ---- checks

// The strand that a vertex belongs to.
static uint64_t find_strand(const groom *g, uint64_t vertex)
{
    uint64_t low = 0, high = g->strand_count;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (g->first_vertex[middle] <= vertex)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static sheaf_status refuse(const groom *g, const char *name, uint64_t vertex, const char *quantity, double value,
                           const char *why)
{
    const uint64_t strand = find_strand(g, vertex);
    return base_fail(SHEAF_ERR_INPUT, "%s: strand %llu, vertex %llu: %s is %g, %s", name, (unsigned long long)strand,
                     (unsigned long long)(vertex - g->first_vertex[strand]), quantity, value, why);
}

sheaf_status groom_check_positions(const groom *g, const char *name, bool is_typed)
{
    static const char *const axes[] = {"x", "y", "z"};
    double point[3];
    for (uint64_t k = 0; k < g->vertex_count; k++) {
        groom_point(g, k, point);
        for (int c = 0; c < 3; c++) {
            const double size = fabs(point[c]);
            if (!(size <= DBL_MAX))
                return refuse(g, name, k, axes[c], point[c], "which is no place");
            if (size > GROOM_FARTHEST)
                return refuse(g, name, k, axes[c], point[c], "farther away than 1e12");
            if (!is_typed && size < (double)FLT_MIN && size > 0)
                return refuse(g, name, k, axes[c], point[c], "a denormal number, as of data that are not reals");
        }
    }
    return SHEAF_OK;
}

static sheaf_status check_values(const groom *g, const char *name, const float *values, uint64_t per_vertex,
                                 const char *quantity, double most)
{
    for (uint64_t k = 0; values != NULL && k < per_vertex * g->vertex_count; k++)
        if (!(values[k] >= 0 && (double)values[k] <= most))
            return refuse(g, name, k / per_vertex, quantity, (double)values[k], "out of range");
    return SHEAF_OK;
}

sheaf_status groom_check_arrays(const groom *g, const char *name)
{
    SHEAF_TRY(check_values(g, name, g->width, 1, "the width", GROOM_FARTHEST));
    SHEAF_TRY(check_values(g, name, g->transparency, 1, "the transparency", GROOM_FARTHEST));
    return check_values(g, name, g->colour ? g->colour[0] : NULL, 3, "a colour", GROOM_FARTHEST);
}

// ---- measures

// Adds a strand's points to the bounds and measures the way along them; counts vertices that repeat their neighbour.
static double measure_strand(const groom *g, uint64_t strand, groom_survey *survey)
{
    double last[3] = {0, 0, 0}, point[3], edge[3], length = 0;
    const uint64_t repeated = survey->repeated;
    for (uint64_t k = g->first_vertex[strand]; k < g->first_vertex[strand + 1]; k++) {
        groom_point(g, k, point);
        for (int c = 0; c < 3; c++) {
            survey->low[c] = fmin(survey->low[c], point[c]);
            survey->high[c] = fmax(survey->high[c], point[c]);
        }
        if (k > g->first_vertex[strand]) {
            vec_sub(edge, point, last);
            const double way = vec_length(edge);
            length += way;
            survey->repeated += way == 0;
        }
        vec_copy(last, point);
    }
    if (repeated == 0 && survey->repeated > 0)
        survey->first_strand = strand;
    return length;
}

groom_survey groom_measure(const groom *g)
{
    groom_survey survey = {.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    survey.fewest = g->strand_count > 0 ? UINT64_MAX : 0;
    survey.shortest = g->strand_count > 0 ? INFINITY : 0;
    for (uint64_t s = 0; s < g->strand_count; s++) {
        const uint64_t vertices = groom_strand_vertices(g, s);
        const double length = measure_strand(g, s, &survey);
        survey.fewest = vertices < survey.fewest ? vertices : survey.fewest;
        survey.most = vertices > survey.most ? vertices : survey.most;
        survey.shortest = fmin(survey.shortest, length);
        survey.longest = fmax(survey.longest, length);
        survey.length += length;
        if (vertices < SIMULATED_LEAST && survey.tiny++ == 0)
            survey.first_tiny = s;
        if (vertices > SIMULATED_MOST && survey.huge++ == 0)
            survey.first_huge = s;
    }
    return survey;
}

void groom_note_oddities(const groom_survey *survey, base_text *notes)
{
    if (survey->tiny > 0)
        base_text_add(notes,
                      "%llu strands have fewer than %d vertices (the first: strand %llu); --resample gives them more\n",
                      (unsigned long long)survey->tiny, SIMULATED_LEAST, (unsigned long long)survey->first_tiny);
    if (survey->huge > 0)
        base_text_add(notes,
                      "%llu strands have more than %d vertices (the first: strand %llu); --resample gives them fewer\n",
                      (unsigned long long)survey->huge, SIMULATED_MOST, (unsigned long long)survey->first_huge);
    if (survey->repeated > 0)
        base_text_add(notes, "%llu vertices lie where the one before them does (first in strand %llu)\n",
                      (unsigned long long)survey->repeated, (unsigned long long)survey->first_strand);
}
