// bunch: strands that a scene takes from a file: in metres, with its axis up where the scene's is.
#include "scene/bunch.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "groom/derive.h"
#include "groom/format.h"
#include "groom/kind.h"

// A file being taken over.
typedef struct import {
    const groom *g;
    const scene_bunch_def *def;
    groom_axes axes;
    double scale; // m per unit
    scene_bunch *bunch;
    uint64_t repeated, left_out;
} import;

scene_bunch *scene_bunch_share(scene_bunch *bunch)
{
    if (bunch != NULL)
        atomic_fetch_add(&bunch->owners, 1);
    return bunch;
}

void scene_bunch_release(scene_bunch *bunch)
{
    if (bunch == NULL || atomic_fetch_sub(&bunch->owners, 1) > 1)
        return;
    base_free(bunch->first);
    base_free(bunch->points);
    base_free(bunch);
}

// ---- splitting

// A strand by where its root is: on a curve that fills space, so that neighbours on it are neighbours.
typedef struct rooted {
    uint64_t key;
    uint32_t strand;
} rooted;

// 21 bits with two zeros between each and the next.
static uint64_t spread_bits(uint64_t x)
{
    static const uint64_t masks[5] = {0x1f00000000ffffu, 0x1f0000ff0000ffu, 0x100f00f00f00f00fu, 0x10c30c30c30c30c3u,
                                      0x1249249249249249u};
    for (int k = 0, shift = 32; k < 5; k++, shift /= 2)
        x = (x | x << shift) & masks[k];
    return x;
}

static const double *root_of(const scene_bunch *bunch, uint32_t strand)
{
    return bunch->points[bunch->first[strand] + (bunch->has_ghosts ? 1 : 0)];
}

static void find_keys(const scene_bunch *bunch, rooted *order)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 1e-9;
    for (uint32_t k = 0; k < bunch->count; k++)
        for (int c = 0; c < 3; c++) {
            low[c] = fmin(low[c], root_of(bunch, k)[c]);
            high[c] = fmax(high[c], root_of(bunch, k)[c]);
        }
    for (int c = 0; c < 3; c++)
        size = fmax(size, high[c] - low[c]);
    for (uint32_t k = 0; k < bunch->count; k++) {
        order[k] = (rooted){0, k};
        for (int c = 0; c < 3; c++)
            order[k].key |= spread_bits((uint64_t)((root_of(bunch, k)[c] - low[c]) / size * 2097151)) << c;
    }
}

static int compare_rooted(const void *a, const void *b)
{
    const rooted *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->strand < y->strand ? -1 : 1;
}

// Which strands are taken: one of each of `wanted` equal parts of the curve, near its middle, so that they lie evenly.
static sheaf_status mark_chosen(const scene_bunch *bunch, uint32_t wanted, uint64_t seed, bool *is_chosen)
{
    enum { SPLIT_STREAM = 0x5B1 };
    rooted *order = base_alloc(bunch->count, sizeof *order);
    if (order == NULL)
        return SHEAF_ERR_MEMORY;
    find_keys(bunch, order);
    qsort(order, bunch->count, sizeof *order, compare_rooted);
    for (uint32_t k = 0; k < wanted; k++) {
        double random[4];
        base_uniform4(seed, SPLIT_STREAM, k, random);
        is_chosen[order[(uint32_t)((k + 0.25 + 0.5 * random[0]) / wanted * bunch->count)].strand] = true;
    }
    base_free(order);
    return SHEAF_OK;
}

static sheaf_status copy_marked(const scene_bunch *bunch, const bool *marks, bool mark, uint32_t count,
                                scene_bunch **copy)
{
    scene_bunch *made = scene_bunch_share(base_alloc(1, sizeof *made));
    *copy = made;
    if (made == NULL)
        return SHEAF_ERR_MEMORY;
    uint64_t vertices = 0;
    for (uint32_t k = 0; k < bunch->count; k++)
        vertices += marks[k] == mark ? bunch->first[k + 1] - bunch->first[k] : 0;
    made->has_ghosts = bunch->has_ghosts;
    made->first = base_alloc((size_t)count + 1, sizeof *made->first);
    made->points = base_alloc(vertices, sizeof *made->points);
    if (made->first == NULL || made->points == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < bunch->count; k++)
        if (marks[k] == mark) {
            const uint64_t from = bunch->first[k], size = bunch->first[k + 1] - from, to = made->first[made->count];
            memcpy(made->points + to, bunch->points + from, size * sizeof *made->points);
            made->first[++made->count] = to + size;
        }
    return SHEAF_OK;
}

sheaf_status scene_bunch_split(const scene_bunch *bunch, double share, uint32_t least, uint64_t seed,
                               scene_bunch **chosen, scene_bunch **others)
{
    const double rounded = floor(share * bunch->count + 0.5), wished = rounded > least ? rounded : least;
    const uint32_t wanted = wished < bunch->count ? (uint32_t)wished : bunch->count;
    bool *marks = base_alloc(bunch->count, sizeof *marks);
    *chosen = *others = NULL;
    if (marks == NULL)
        return SHEAF_ERR_MEMORY;
    sheaf_status status = mark_chosen(bunch, wanted, seed, marks);
    if (status == SHEAF_OK)
        status = copy_marked(bunch, marks, true, wanted, chosen);
    if (status == SHEAF_OK && wanted < bunch->count)
        status = copy_marked(bunch, marks, false, bunch->count - wanted, others);
    base_free(marks);
    if (status != SHEAF_OK) {
        scene_bunch_release(*chosen);
        scene_bunch_release(*others);
        *chosen = *others = NULL;
    }
    return status;
}

static void place_point(const import *it, uint64_t vertex, double point[3])
{
    double given[3];
    groom_point(it->g, vertex, given);
    groom_turn(&it->axes, given, point);
    vec_scale(point, point, it->scale);
}

// Takes the vertices of a strand that are apart from the one before; returns how many.
static uint64_t take_vertices(import *it, uint64_t strand, double (*points)[3])
{
    const groom *g = it->g;
    uint64_t count = 0;
    double edge[3];
    for (uint64_t k = g->first_vertex[strand]; k < g->first_vertex[strand + 1]; k++) {
        place_point(it, k, points[count]);
        if (count > 0) {
            const double *last = points[count - 1];
            vec_sub(edge, points[count], last);
            if (vec_length(edge) < 1e-9 * (1e-3 + vec_length(points[count]))) {
                it->repeated++;
                continue;
            }
        }
        count++;
    }
    return count;
}

// The ghost continues the first edge backwards, so that what is clamped is the direction in which the strand leaves its
// root, and the root stays where the file has it.
static void put_ghost(double (*points)[3])
{
    vec_scale(points[0], points[1], 2);
    vec_axpy(points[0], -1, points[2]);
}

static sheaf_status take_strands(import *it, const char *name)
{
    scene_bunch *bunch = it->bunch;
    const uint64_t ghost = it->def->ghosts ? 1 : 0;
    for (uint64_t s = 0; s < it->g->strand_count; s++) {
        const uint64_t first = bunch->first[bunch->count];
        const uint64_t count = take_vertices(it, s, bunch->points + first + ghost) + ghost;
        if (count < SCENE_MIN_VERTICES || count - ghost < 2) {
            it->left_out++;
            continue;
        }
        if (count > SCENE_MAX_VERTICES)
            return base_fail(
                SHEAF_ERR_LIMIT,
                "%s: strand %llu has %llu vertices; at most %d are simulated. sheaf convert --resample gives it "
                "fewer",
                name, (unsigned long long)s, (unsigned long long)count, SCENE_MAX_VERTICES);
        if (ghost > 0)
            put_ghost(bunch->points + first);
        bunch->first[++bunch->count] = first + count;
    }
    return bunch->count > 0
               ? SHEAF_OK
               : base_fail(SHEAF_ERR_INPUT, "%s: no strand has as many as %d vertices", name, SCENE_MIN_VERTICES);
}

static sheaf_status make_room(import *it, const char *name)
{
    const groom *g = it->g;
    if (g->strand_count > SCENE_MAX_STRANDS)
        return base_fail(SHEAF_ERR_LIMIT, "%s: %llu strands; a scene holds at most %d", name,
                         (unsigned long long)g->strand_count, SCENE_MAX_STRANDS);
    it->bunch->first = base_alloc(g->strand_count + 1, sizeof *it->bunch->first);
    it->bunch->points = base_alloc(g->vertex_count + g->strand_count + 1, sizeof *it->bunch->points);
    return it->bunch->first != NULL && it->bunch->points != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

static sheaf_status find_space(import *it, const char *name)
{
    const double metres = it->def->metres_per_unit > 0 ? it->def->metres_per_unit : it->g->metres_per_unit;
    const groom_up up = it->def->up != GROOM_UP_UNKNOWN ? it->def->up : it->g->up;
    if (metres == 0)
        return base_fail(SHEAF_ERR_INPUT, "%s does not say its unit\nadd unit: cm, or what it is", name);
    if (up == GROOM_UP_UNKNOWN)
        return base_fail(SHEAF_ERR_INPUT, "%s does not say which axis is up\nadd up: z, or what it is", name);
    it->scale = metres;
    it->axes = groom_axes_between(up, it->def->scene_up);
    return SHEAF_OK;
}

static sheaf_status import_groom(const groom *g, const char *name, const scene_bunch_def *def, scene_bunch *bunch)
{
import it = {.g = g, .def = def, .bunch = bunch };
    SHEAF_TRY(find_space(&it, name));
    SHEAF_TRY(make_room(&it, name));
    SHEAF_TRY(take_strands(&it, name));
    if (it.repeated > 0)
        base_log(SHEAF_LOG_NOTICE, "%s: %llu vertices that repeat the one before are left out", name,
                 (unsigned long long)it.repeated);
    if (it.left_out > 0)
        base_log(SHEAF_LOG_NOTICE, "%s: %llu strands of fewer than %d vertices are left out", name,
                 (unsigned long long)it.left_out, SCENE_MIN_VERTICES);
    return SHEAF_OK;
}

static sheaf_status open_source(const char *path, groom_source *source)
{
    groom_input input;
    unsigned char start[GROOM_KIND_BYTES];
    SHEAF_TRY(groom_input_open(path, &input));
    const uint64_t length = input.size < sizeof start ? input.size : sizeof start;
    const sheaf_status status = groom_read(&input, start, length);
    const groom_format *format = status == SHEAF_OK ? groom_recognise(groom_formats, start, length, path) : NULL;
    const groom_kind *kind = groom_kind_of(start, length);
    char name[sizeof input.name];
    memcpy(name, input.name, sizeof name);
    groom_input_close(&input);
    SHEAF_TRY(status);
    if (format == NULL)
        return base_fail(SHEAF_ERR_INPUT, "'%s' is %s%s\nuse .hair, .usda, .npy, .ply or .data", name,
                         kind != NULL ? kind->name : "no file of strands that a scene can read",
                         kind != NULL ? ", which is no file of strands that a scene can read" : "");
    return groom_open(format, path, source);
}

sheaf_status scene_bunch_load(const char *path, const scene_bunch_def *def, scene_bunch **bunch)
{
    groom_source source;
    *bunch = NULL;
    SHEAF_TRY(open_source(path, &source));
    scene_bunch *made = scene_bunch_share(base_alloc(1, sizeof *made));
    const sheaf_status status =
        made != NULL ? import_groom(&source.groom, source.input.name, def, made) : SHEAF_ERR_MEMORY;
    groom_close(&source);
    if (status != SHEAF_OK) {
        scene_bunch_release(made);
        return status;
    }
    made->has_ghosts = def->ghosts;
    *bunch = made;
    return SHEAF_OK;
}
