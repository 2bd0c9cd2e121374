// usda: strands in .usda files: BasisCurves, with time samples and transforms of the prims around them.
#include "groom/usda.h"

#include <math.h>
#include <string.h>

#include "groom/format.h"
#include "groom/number.h"
#include "groom/usda_basis.h"
#include "groom/usda_text.h"
#include "groom/usda_write.h"

// Curves of one prim as strands of the groom.
typedef struct part {
    const usda_curves *curves;
    uint64_t first_strand, strand_count;
    uint64_t points; // control points in the file
    bool trimmed;    // a curve has two vertices fewer than control points: it starts and ends beside them
    usda_basis basis;
    bool is_placed;      // by a transform that is none to leave out
    double linear[3][3]; // into the world
    double offset[3];
} part;

typedef struct reading {
    usda_layer layer;
    part *parts; // [layer.curve_count]
} reading;

static bool recognise(const unsigned char *start, size_t length)
{
    return length >= 6 && memcmp(start, "#usda ", 6) == 0;
}

// ---- arrays

// An array of tuples, or of plain numbers, being read.
typedef struct array {
    groom_input *input;
    bool done;
} array;

static sheaf_status open_array(groom_input *input, uint64_t offset, array *a)
{
    *a = (array){.input = input};
    SHEAF_TRY(groom_seek(input, offset));
    SHEAF_TRY(usda_expect(input, '['));
    return usda_accept(input, ']', &a->done);
}

// The next `width` numbers, in brackets when there are several; then whether the array is done.
static sheaf_status read_item(array *a, int width, double *numbers)
{
    bool comma = false;
    for (int c = 0; c < width; c++) {
        if (width > 1)
            SHEAF_TRY(usda_expect(a->input, c == 0 ? '(' : ','));
        SHEAF_TRY(usda_skip_blanks(a->input));
        SHEAF_TRY(groom_read_real(a->input, &numbers[c]));
    }
    if (width > 1)
        SHEAF_TRY(usda_expect(a->input, ')'));
    SHEAF_TRY(usda_accept(a->input, ',', &comma));
    SHEAF_TRY(usda_accept(a->input, ']', &a->done));
    return a->done || comma ? SHEAF_OK : groom_fail(a->input, "',' is missing between the values of an array");
}

static sheaf_status count_items(groom_input *input, uint64_t offset, int width, uint64_t *count)
{
    array a;
    double ignored[3];
    SHEAF_TRY(open_array(input, offset, &a));
    for (*count = 0; !a.done; ++*count)
        SHEAF_TRY(read_item(&a, width, ignored));
    return SHEAF_OK;
}

// Where an attribute's value stands, plain or as its first sample; 0: nowhere.
static uint64_t find_value(const usda_layer *layer, const usda_place *place)
{
    return place->value > 0 || place->sample_count == 0 ? place->value : layer->samples[place->samples].offset;
}

// ---- topology

static sheaf_status check_curves(const groom_input *input, const usda_layer *layer, const usda_curves *curves)
{
    char shown[64];
    base_printable(curves->name, shown, sizeof shown);
    if (find_value(layer, &curves->counts) == 0 || find_value(layer, &curves->points) == 0)
        return groom_fail(
            input, "curves '%s' have no curveVertexCounts or no points; clips and references are not followed", shown);
    if (curves->counts.sample_count > 1)
        return groom_fail(input, "curves '%s' change their curveVertexCounts in time, which is not read", shown);
    if (strcmp(curves->wrap, "periodic") == 0)
        return groom_fail(input, "curves '%s' are periodic, which is not read", shown);
    if (strcmp(curves->type, "linear") != 0 && strcmp(curves->type, "cubic") != 0)
        return groom_fail(input, "curves '%s' are neither linear nor cubic", shown);
    if (usda_basis_of(curves) == USDA_BASIS_OTHER)
        return groom_fail(
            input, "curves '%s' are cubic with a basis other than bezier, bspline and catmullRom; make them linear",
            shown);
    return SHEAF_OK;
}

static bool is_trimmed(const usda_curves *curves)
{
    const usda_basis basis = usda_basis_of(curves);
    return (basis == USDA_BASIS_CATMULL_ROM || basis == USDA_BASIS_BSPLINE) && strcmp(curves->wrap, "pinned") != 0;
}

// Counts strands and vertices of one prim. With `first_vertex`, the end of each strand goes there.
static sheaf_status read_counts(groom_input *input, const usda_layer *layer, part *p, uint64_t *first_vertex,
                                uint64_t *vertices)
{
    array a;
    double count;
    p->points = p->strand_count = *vertices = 0;
    SHEAF_TRY(open_array(input, find_value(layer, &p->curves->counts), &a));
    while (!a.done) {
        SHEAF_TRY(read_item(&a, 1, &count));
        if (!(count >= (p->trimmed ? 4 : 1) && count <= UINT32_MAX) || count != floor(count))
            return groom_fail(input, "curve %llu has %g vertices", (unsigned long long)p->strand_count, count);
        if (p->basis == USDA_BASIS_BEZIER && (count < 4 || fmod(count, 3) != 1))
            return groom_fail(input, "curve %llu has %g vertices; of basis bezier it has 4, 7, 10 or so",
                              (unsigned long long)p->strand_count, count);
        p->points += (uint64_t)count;
        *vertices += (uint64_t)count - (p->trimmed ? 2 : 0);
        p->strand_count++;
        if (first_vertex != NULL)
            first_vertex[p->first_strand + p->strand_count] =
                first_vertex[p->first_strand + p->strand_count - 1] + (uint64_t)count - (p->trimmed ? 2 : 0);
    }
    return SHEAF_OK;
}

// The transform of a prim and of all above it.
static void find_world(const usda_layer *layer, part *p)
{
    double linear[3][3], offset[3];
    memcpy(p->linear, (const double[3][3]){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, sizeof p->linear);
    for (uint32_t index = p->curves->prim; index != 0; index = layer->prims[index - 1].parent) {
        const usda_prim *prim = &layer->prims[index - 1];
        for (int i = 0; i < 3; i++) {
            offset[i] = prim->offset[i];
            for (int j = 0; j < 3; j++) {
                offset[i] += prim->linear[i][j] * p->offset[j];
                linear[i][j] = 0;
                for (int k = 0; k < 3; k++)
                    linear[i][j] += prim->linear[i][k] * p->linear[k][j];
            }
        }
        memcpy(p->linear, linear, sizeof linear);
        memcpy(p->offset, offset, sizeof offset);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            p->is_placed = p->is_placed || p->offset[i] != 0 || p->linear[i][j] != (i == j);
}

// ---- points

static void place_point(const part *p, const double local[3], double world[3])
{
    for (int i = 0; i < 3; i++)
        world[i] = p->linear[i][0] * local[0] + p->linear[i][1] * local[1] + p->linear[i][2] * local[2] + p->offset[i];
}

// Takes an array of one item for each control point; `take` gets what the curves have at their vertices.
typedef void take_item(groom *g, uint64_t vertex, const part *p, const double *numbers);

static void combine(const usda_stencil *stencil, const double recent[][3], int width, double *out)
{
    for (int c = 0; c < width; c++) {
        out[c] = stencil->weight[0] * recent[stencil->first % USDA_MOST_WEIGHTS][c];
        for (uint32_t i = 1; i < stencil->count; i++)
            out[c] += stencil->weight[i] * recent[(stencil->first + i) % USDA_MOST_WEIGHTS][c];
    }
}

static sheaf_status read_per_point(groom_input *input, uint64_t offset, int width, const part *p, groom *g,
                                   take_item *take)
{
    array a;
    double recent[USDA_MOST_WEIGHTS][3], numbers[3]; // item k is recent[k % USDA_MOST_WEIGHTS]
    SHEAF_TRY(open_array(input, offset, &a));
    for (uint64_t s = p->first_strand; s < p->first_strand + p->strand_count; s++) {
        const uint64_t kept = groom_strand_vertices(g, s), items = kept + (p->trimmed ? 2 : 0);
        uint64_t next = 0;
        for (uint64_t k = 0; k < items; k++) {
            if (a.done)
                return groom_fail(input, "the array is shorter than the %llu points that curveVertexCounts add up to",
                                  (unsigned long long)p->points);
            SHEAF_TRY(read_item(&a, width, recent[k % USDA_MOST_WEIGHTS]));
            for (; next < kept; next++) {
                const usda_stencil stencil = usda_stencil_of(p->basis, p->trimmed, kept, next);
                if (stencil.first + stencil.count > k + 1)
                    break;
                combine(&stencil, recent, width, numbers);
                take(g, g->first_vertex[s] + next, p, numbers);
            }
        }
    }
    return a.done ? SHEAF_OK
                  : groom_fail(input, "the array is longer than the %llu points that curveVertexCounts add up to",
                               (unsigned long long)p->points);
}

static void take_point(groom *g, uint64_t vertex, const part *p, const double *numbers)
{
    double world[3];
    if (p->is_placed)
        place_point(p, numbers, world);
    groom_set_point(g, vertex, p->is_placed ? world : numbers);
}

static sheaf_status load(groom_source *source, uint64_t frame)
{
    const reading *r = source->own;
    for (uint32_t k = 0; k < r->layer.curve_count; k++) {
        const part *p = &r->parts[k];
        const usda_place *points = &p->curves->points;
        const uint64_t offset =
            points->sample_count > 1 ? r->layer.samples[points->samples + frame].offset : find_value(&r->layer, points);
        SHEAF_TRY(read_per_point(&source->input, offset, 3, p, &source->groom, take_point));
    }
    return groom_check_positions(&source->groom, source->input.name, true);
}

// ---- widths, colours, numbers

static double size_of(const part *p)
{
    double determinant = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        determinant += p->linear[0][i] * (p->linear[1][j] * p->linear[2][k] - p->linear[1][k] * p->linear[2][j]);
    }
    return cbrt(fabs(determinant));
}

static void take_width(groom *g, uint64_t vertex, const part *p, const double *numbers)
{
    g->width[vertex] = (float)(numbers[0] * size_of(p));
}

static void take_colour(groom *g, uint64_t vertex, const part *p, const double *numbers)
{
    (void)p;
    for (int c = 0; c < 3; c++)
        g->colour[vertex][c] = (float)numbers[c];
}

// An array that has a value for all, for each curve, for each vertex or for each control point; its length tells which.
static sheaf_status read_spread(groom_input *input, uint64_t offset, int width, const part *p, groom *g,
                                take_item *take)
{
    const uint64_t first = g->first_vertex[p->first_strand], end = g->first_vertex[p->first_strand + p->strand_count];
    uint64_t count;
    array a;
    double numbers[3] = {0, 0, 0};
    SHEAF_TRY(count_items(input, offset, width, &count));
    if (count == p->points && p->basis != USDA_BASIS_LINEAR)
        return read_per_point(input, offset, width, p, g, take);
    if (count != 1 && count != p->strand_count && count != end - first)
        return groom_fail(
            input, "%llu values, but 1, %llu (one for each curve) or %llu (one for each point) are needed",
            (unsigned long long)count, (unsigned long long)p->strand_count, (unsigned long long)(end - first));
    SHEAF_TRY(open_array(input, offset, &a));
    for (uint64_t s = p->first_strand; s < p->first_strand + p->strand_count; s++)
        for (uint64_t k = g->first_vertex[s]; k < g->first_vertex[s + 1]; k++) {
            const bool next = count == end - first || k == first || (count > 1 && k == g->first_vertex[s]);
            if (next)
                SHEAF_TRY(read_item(&a, width, numbers));
            take(g, k, p, numbers);
        }
    return SHEAF_OK;
}

static sheaf_status read_ids(groom_input *input, uint64_t offset, const part *p, groom *g)
{
    array a;
    double id;
    SHEAF_TRY(open_array(input, offset, &a));
    for (uint64_t s = p->first_strand; s < p->first_strand + p->strand_count; s++) {
        if (a.done)
            return groom_fail(input, "primvars:strand has fewer values than there are curves");
        SHEAF_TRY(read_item(&a, 1, &id));
        if (!(id >= 0 && id <= UINT32_MAX))
            return groom_fail(input, "primvars:strand has the value %g", id);
        g->ids[s] = (uint32_t)id;
    }
    return SHEAF_OK;
}

// Curves without an array that others have get zeros, white, and their places.
static sheaf_status read_arrays(groom_source *source, const reading *r)
{
    groom *g = &source->groom;
    for (uint32_t k = 0; k < r->layer.curve_count; k++) {
        const part *p = &r->parts[k];
        const uint64_t widths = find_value(&r->layer, &p->curves->widths);
        const uint64_t colours = find_value(&r->layer, &p->curves->colours),
                       ids = find_value(&r->layer, &p->curves->ids);
        if (widths > 0)
            SHEAF_TRY(read_spread(&source->input, widths, 1, p, g, take_width));
        if (colours > 0)
            SHEAF_TRY(read_spread(&source->input, colours, 3, p, g, take_colour));
        for (uint64_t v = g->first_vertex[p->first_strand];
             g->colour != NULL && colours == 0 && v < g->first_vertex[p->first_strand + p->strand_count]; v++)
            take_colour(g, v, p, (const double[3]){1, 1, 1});
        if (ids > 0)
            SHEAF_TRY(read_ids(&source->input, ids, p, g));
        for (uint64_t s = p->first_strand; g->ids != NULL && ids == 0 && s < p->first_strand + p->strand_count; s++)
            g->ids[s] = (uint32_t)s;
    }
    return SHEAF_OK;
}

// ---- time

// All curves that move must move at the same times.
static sheaf_status read_times(groom_source *source, const reading *r)
{
    const usda_layer *layer = &r->layer;
    const usda_place *first = NULL;
    const double rate = layer->codes_per_second > 0    ? layer->codes_per_second
                        : layer->frames_per_second > 0 ? layer->frames_per_second
                                                       : 24; // as the format says
    for (uint32_t k = 0; k < layer->curve_count; k++) {
        const usda_place *place = &layer->curves[k].points;
        if (place->sample_count < 2)
            continue;
        first = first != NULL ? first : place;
        bool same = place->sample_count == first->sample_count;
        for (uint64_t i = 0; same && i < place->sample_count; i++)
            same = layer->samples[place->samples + i].code == layer->samples[first->samples + i].code;
        if (!same)
            return groom_fail(&source->input, "curves of one file have time samples at different times");
    }
    if (first == NULL)
        return SHEAF_OK;
    source->frame_count = first->sample_count;
    source->times = base_alloc(source->frame_count, sizeof *source->times);
    if (source->times == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint64_t i = 0; i < source->frame_count; i++)
        source->times[i] = layer->samples[first->samples + i].code / rate;
    source->load = load;
    return SHEAF_OK;
}

// ---- the whole

static void release(groom_source *source)
{
    reading *r = source->own;
    if (r == NULL)
        return;
    usda_free_layer(&r->layer);
    base_free(r->parts);
    base_free(r);
}

static sheaf_status read_topology(groom_source *source, reading *r)
{
    groom *g = &source->groom;
    uint64_t strands = 0, vertices = 0, own;
    unsigned arrays = 0;
    for (uint32_t k = 0; k < r->layer.curve_count; k++) {
        part *p = &r->parts[k];
        p->curves = &r->layer.curves[k];
        SHEAF_TRY(check_curves(&source->input, &r->layer, p->curves));
        p->trimmed = is_trimmed(p->curves);
        p->basis = usda_basis_of(p->curves);
        p->first_strand = strands;
        find_world(&r->layer, p);
        SHEAF_TRY(read_counts(&source->input, &r->layer, p, NULL, &own));
        // a point takes at least 8 bytes: (0,0,0),
        if (p->points > source->input.size / 8 + 1)
            return groom_fail(&source->input, "curveVertexCounts add up to %llu, more than the file can hold",
                              (unsigned long long)p->points);
        strands += p->strand_count;
        vertices += own;
        arrays |= find_value(&r->layer, &p->curves->widths) > 0 ? GROOM_WIDTH : 0u;
        arrays |= find_value(&r->layer, &p->curves->colours) > 0 ? GROOM_COLOUR : 0u;
        arrays |= find_value(&r->layer, &p->curves->ids) > 0 ? GROOM_IDS : 0u;
    }
    // curves that share one array in the text are not there: each prim has its own
    if (vertices > source->input.size / 8 + r->layer.curve_count)
        return groom_fail(&source->input, "curveVertexCounts add up to more than the file can hold");
    SHEAF_TRY(groom_allocate(g, strands, vertices, arrays));
    for (uint32_t k = 0; k < r->layer.curve_count; k++)
        SHEAF_TRY(read_counts(&source->input, &r->layer, &r->parts[k], g->first_vertex, &own));
    return SHEAF_OK;
}

static sheaf_status read_usda(groom_source *source)
{
    reading *r = source->own = base_alloc(1, sizeof *r);
    source->release = release;
    if (r == NULL)
        return SHEAF_ERR_MEMORY;
    SHEAF_TRY(usda_read_layer(&source->input, &r->layer));
    if (r->layer.curve_count == 0)
        return groom_fail(&source->input, "there are no BasisCurves in the file");
    r->parts = base_alloc(r->layer.curve_count, sizeof *r->parts);
    if (r->parts == NULL)
        return SHEAF_ERR_MEMORY;
    SHEAF_TRY(read_topology(source, r));
    SHEAF_TRY(read_times(source, r));
    SHEAF_TRY(load(source, 0));
    SHEAF_TRY(read_arrays(source, r));
    source->groom.metres_per_unit = r->layer.metres_per_unit;
    source->groom.up = r->layer.up;
    if (r->layer.skipped_variants > 0)
        base_text_add(&source->notes, "%u variant sets are ignored\n", r->layer.skipped_variants);
    return SHEAF_OK;
}

const groom_format groom_format_usda = {
    .name = "usda",
    .extension = ".usda",
    .summary = "USD text with BasisCurves",
    .keeps = "points in single precision, widths, colours, numbers of strands, frames with their times",
    .has_time = true,
    .says_space = true,
    .recognise = recognise,
    .read = read_usda,
    .write = usda_write,
    .write_flow = usda_write_flow,
};
