// ribbons: strands as bands of triangles.
#include "view/ribbons.h"

#include <math.h>

#include "base/vec.h"
#include "children/spline.h"
#include "io/looks.h"
#include "view/style.h"

enum { CHANCE_STREAM = 0xC011, SKIPPED_MOST = 512 };

static const double finest =
    0.42; // px, or of a picture of 720 rows where it has more: finer strands fall between samples

// Vertices that a strand is drawn through: of hair every vertex_step-th and its last one.
static uint64_t drawn_vertices(const view_ribbons *ribbons, const view_subject *subject, uint32_t strand)
{
    const uint64_t vertices = subject->first_vertex[strand + 1] - subject->first_vertex[strand];
    const view_strand *look = &subject->strands[strand];
    const uint64_t drawn = vertices > 2 ? (vertices - 2) / ribbons->vertex_step + 2 : vertices;
    return look->kind == VIEW_HAIR && !look->closed && drawn <= SKIPPED_MOST ? drawn : vertices;
}

static uint64_t point_count(const view_ribbons *ribbons, const view_subject *subject, uint32_t strand)
{
    const uint64_t vertices = drawn_vertices(ribbons, subject, strand);
    if (vertices < 2)
        return 0;
    return (vertices - !subject->strands[strand].closed) * ribbons->parts + 1;
}

static void count_corners(view_ribbons *ribbons, const view_subject *subject)
{
    ribbons->drawn = 0;
    ribbons->corner_count = ribbons->index_count = ribbons->hair_index_count = 0;
    for (uint32_t s = 0; s < subject->strand_count; s += ribbons->strand_step) {
        const uint64_t points = point_count(ribbons, subject, s);
        if (ribbons->first_corner != NULL)
            ribbons->first_corner[ribbons->drawn] = ribbons->corner_count;
        ribbons->drawn++;
        ribbons->corner_count += 2 * points;
        ribbons->index_count += points > 0 ? 6 * (points - 1) : 0;
        if (subject->strands[s].kind == VIEW_HAIR)
            ribbons->hair_index_count += points > 0 ? 6 * (points - 1) : 0;
    }
    if (ribbons->first_corner != NULL)
        ribbons->first_corner[ribbons->drawn] = ribbons->corner_count;
}

sheaf_status view_ribbons_plan(view_ribbons *ribbons, const view_subject *subject, view_fineness fineness)
{
    const uint64_t vertices = view_vertex_count(subject);
    view_ribbons_free(ribbons);
    ribbons->strand_step = 1;
    ribbons->vertex_step = fineness.vertex_step > 0 ? fineness.vertex_step : 1;
    ribbons->thinnest = fineness.thinnest > 0 ? fineness.thinnest : finest;
    ribbons->parts = fineness.parts > 0 ? fineness.parts : 1;
    const uint64_t corners = 2 * vertices / ribbons->vertex_step;
    while (ribbons->parts > 1 && corners * ribbons->parts > fineness.most_corners)
        ribbons->parts--;
    if (corners > fineness.most_corners)
        ribbons->strand_step = (uint32_t)(corners / fineness.most_corners) + 1;
    ribbons->first_corner = base_alloc((size_t)subject->strand_count + 1, sizeof *ribbons->first_corner);
    ribbons->light = base_alloc(vertices, sizeof *ribbons->light);
    if (ribbons->first_corner == NULL || ribbons->light == NULL)
        return SHEAF_ERR_MEMORY;
    count_corners(ribbons, subject);
    return SHEAF_OK;
}

void view_ribbons_free(view_ribbons *ribbons)
{
    base_free(ribbons->first_corner);
    base_free(ribbons->light);
    *ribbons = (view_ribbons){0};
}

void view_ribbons_set_line(view_ribbons *ribbons, const view_subject *subject, double length, const view_eye *eye,
                           double distance)
{
    const double unit = eye->height / 720;
    const double drawn = fmax(length / (eye->pixel * distance) / ribbons->strand_step, 1);
    const double cover = 0.3 * eye->width * eye->height / drawn;
    const double least =
        subject->strand_count <= LOOKS_FEW_STRANDS ? 4.5 : fmin(fmax(cover, finest * fmax(unit, 1)) / unit, 1.8);
    ribbons->line = fmax(least * unit, ribbons->thinnest);
}

void view_ribbons_index(const view_ribbons *ribbons, const view_subject *subject, uint32_t *indices)
{
    static const uint32_t quad[6] = {0, 1, 2, 2, 1, 3};
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t s = 0; s < ribbons->drawn; s++) {
            const bool is_hair = subject->strands[s * ribbons->strand_step].kind == VIEW_HAIR;
            for (uint64_t k = ribbons->first_corner[s]; is_hair == (pass == 0) && k + 2 < ribbons->first_corner[s + 1];
                 k += 2)
                for (int i = 0; i < 6; i++)
                    *indices++ = (uint32_t)k + quad[i];
        }
}

// ---- numbers of a corner

static uint32_t pack_number(double x)
{
    const double bounded = x < -1 ? -1 : x > 1 ? 1 : x;
    return (uint32_t)(int32_t)lrint(bounded * 511) & 1023u;
}

static uint32_t pack_vector(const double v[3])
{
    return pack_number(v[0]) | pack_number(v[1]) << 10 | pack_number(v[2]) << 20;
}

static uint8_t pack_share(double x)
{
    return (uint8_t)lrint(255 * (x < 0 ? 0 : x > 1 ? 1 : x));
}

// ---- one strand

typedef struct weaver {
    const view_ribbons *ribbons;
    const view_subject *subject;
    const view_eye *eye;
    const view_light *light;
    view_corner *corners;
} weaver;

// A strand with the place on it that is being drawn.
typedef struct course {
    const view_strand *look;
    const double (*vertex)[3];
    const double (*director)[3]; // of its edges, or NULL
    const view_cell *light;      // [vertex]
    const float *values;         // [vertex], or NULL
    uint32_t count, edges;
    uint32_t edge; // the point lies on this edge,
    double part;   // at this share of it
    double point[3], tangent[3], carried[3];
    children_spline curve; // over curve_edge
    uint32_t curve_edge;
    bool has_curve;
    double along;  // from root 0 to tip 1
    double chance; // of the strand, -1 to 1: how its highlights differ from others'
} course;

// Half axes and colour of the strand, or of the piece of it that the point lies on.
static view_piece piece_at(const course *c)
{
    const view_strand *look = c->look;
    for (uint32_t k = 0; k < look->piece_count; k++)
        if (c->edge < look->pieces[k].end || k + 1 == look->piece_count)
            return look->pieces[k];
    return (view_piece){.half = {look->half[0], look->half[1]},
                        .colour = {look->colour[0], look->colour[1], look->colour[2]}};
}

static uint32_t neighbour(const course *c, int64_t vertex)
{
    const int64_t count = c->count;
    if (c->look->closed)
        return (uint32_t)((vertex + count) % count);
    return (uint32_t)(vertex < 0 ? 0 : vertex >= count ? count - 1 : vertex);
}

// Point and direction of the smooth curve through the vertices.
static void find_point(course *c)
{
    double slope[3];
    if (!c->has_curve || c->curve_edge != c->edge) {
        c->curve = children_spline_over(c->vertex, c->count, c->look->closed, c->edge);
        c->curve_edge = c->edge;
        c->has_curve = true;
    }
    children_spline_at(&c->curve, c->part, c->point, slope);
    if (vec_length(slope) > 0)
        vec_unit(c->tangent, slope);
}

// Director 1 at the point: between those of the nearest edges, or carried along from the root.
static void find_director(course *c, const double last_tangent[3], double out[3])
{
    double along[3];
    if (c->director == NULL) {
        vec_transport(along, c->carried, last_tangent, c->tangent);
    } else {
        const double half = c->part - 0.5;
        const int64_t edges = c->edges, other = (int64_t)c->edge + (half < 0 ? -1 : 1);
        const int64_t inside = c->look->closed               ? (other + edges) % edges
                               : other < 0 || other >= edges ? c->edge
                                                             : other;
        vec_scale(along, c->director[c->edge], 1 - fabs(half));
        vec_axpy(along, fabs(half), c->director[inside]);
    }
    vec_axpy(along, -vec_dot(along, c->tangent), c->tangent);
    if (vec_length(along) > 1e-9)
        vec_unit(c->carried, along);
    vec_copy(out, c->carried);
}

// Share of its width that a strand has towards its tip: hair thins out, a blade ends in a point.
static double taper(const course *c)
{
    if (c->look->closed || c->look->blunt || c->look->kind == VIEW_TUBE)
        return 1;
    if (c->look->kind == VIEW_BLADE)
        return sqrt(fmax(1 - c->along * c->along * c->along, 0));
    return c->along < 0.55 ? 1 : 1 - 0.5 * (c->along - 0.55) / 0.45;
}

// Half the band from its middle to one side (m), and the surface's normals at both sides.
static void find_sides(const weaver *w, const course *c, const double director[3], double side[3], double normals[2][3])
{
    double view[3], across[3], facing[3], wide[3];
    const view_piece piece = piece_at(c);
    vec_sub(view, w->eye->place, c->point);
    const double depth = vec_length(view), least = 0.5 * w->ribbons->line * w->eye->pixel * depth;
    vec_scale(view, view, 1 / fmax(depth, 1e-12));
    vec_cross(across, c->tangent, view);
    if (!(vec_length(across) > 1e-6))
        vec_normal(across, c->tangent);
    vec_unit(across, across);
    vec_cross(facing, across, c->tangent);
    if (vec_dot(facing, view) < 0)
        vec_scale(facing, facing, -1);
    if (c->look->kind != VIEW_BLADE) {
        const double half = fmax(fmax(piece.half[0], piece.half[1]), least);
        const double share = taper(c),
                     thin = 0.5 * w->ribbons->thinnest * fmax(w->eye->height / 720.0, 1) * w->eye->pixel * depth;
        vec_scale(side, across, fmax(half * share, fmin(half, thin)));
        for (int k = 0; k < 2; k++) {
            vec_scale(normals[k], across, k == 0 ? -0.96 : 0.96);
            vec_axpy(normals[k], 0.28, facing);
        }
        return;
    }
    vec_copy(wide, director);
    if (piece.half[1] > piece.half[0])
        vec_cross(wide, c->tangent, director);
    vec_scale(side, wide, fmax(piece.half[0], piece.half[1]));
    vec_axpy(side, vec_dot(wide, across) < 0 ? -least : least, across);
    vec_scale(side, side, taper(c));
    vec_cross(facing, wide, c->tangent);
    if (vec_dot(facing, view) < 0)
        vec_scale(facing, facing, -1);
    for (int k = 0; k < 2; k++) {
        vec_scale(normals[k], wide, k == 0 ? -0.35 : 0.35);
        vec_axpy(normals[k], 0.93, facing);
    }
}

static void find_colour(const course *c, const view_corner *like, view_corner *out)
{
    const uint32_t next = neighbour(c, (int64_t)c->edge + 1);
    const double a = 1 - c->part, b = c->part;
    const view_piece piece = piece_at(c);
    float colour[3] = {piece.colour[0], piece.colour[1], piece.colour[2]};
    *out = *like;
    if (c->values != NULL)
        view_scale_colour(a * (double)c->values[c->edge] + b * (double)c->values[next], colour);
    for (int k = 0; k < 3; k++)
        out->colour[k] = pack_share(sqrt((double)colour[k]));
    out->colour[3] = (uint8_t)c->look->kind;
    out->light[0] = pack_share(a * (double)c->light[c->edge].direct + b * (double)c->light[next].direct);
    out->light[1] = pack_share(a * (double)c->light[c->edge].ambient + b * (double)c->light[next].ambient);
    out->light[2] = pack_share(c->along);
    out->light[3] = c->values != NULL ? 255 : 0;
}

static void write_corners(const weaver *w, course *c, const double last_tangent[3], view_corner *corners)
{
    double director[3] = {0, 0, 1}, side[3], normals[2][3];
    view_corner corner = {.tangent = pack_vector(c->tangent)};
    if (c->look->kind != VIEW_HAIR)
        find_director(c, last_tangent, director);
    else
        vec_set(director, c->chance, c->look->fibre / 511.0, 0);
    find_sides(w, c, director, side, normals);
    corner.director = pack_vector(director);
    find_colour(c, &corner, &corners[0]);
    corners[1] = corners[0];
    for (int k = 0; k < 2; k++) {
        corners[k].normal = pack_vector(normals[k]);
        for (int i = 0; i < 3; i++)
            corners[k].position[i] = (float)(c->point[i] - w->eye->place[i] + (k == 0 ? -side[i] : side[i]));
    }
}

// The vertices of a strand that some are left out of.
typedef struct gathered {
    double points[SKIPPED_MOST][3];
    float values[SKIPPED_MOST];
} gathered;

static void gather(const view_ribbons *ribbons, course *c, uint32_t drawn, gathered *g)
{
    for (uint32_t k = 0; k < drawn; k++) {
        const uint32_t vertex = k + 1 < drawn ? k * ribbons->vertex_step : c->count - 1;
        vec_copy(g->points[k], c->vertex[vertex]);
        g->values[k] = c->values != NULL ? c->values[vertex] : 0;
    }
    c->vertex = (const double(*)[3])g->points;
    c->values = c->values != NULL ? g->values : NULL;
    c->count = drawn;
}

static void weave_strand(const weaver *w, uint32_t strand, view_corner *corners)
{
    const view_subject *subject = w->subject;
    const uint64_t first = subject->first_vertex[strand];
    const uint32_t parts = w->ribbons->parts, drawn = (uint32_t)drawn_vertices(w->ribbons, subject, strand);
    gathered some;
    course c = {.look = &subject->strands[strand],
                .vertex = subject->positions + first,
                .director = subject->directors ? subject->directors + first : NULL,
                .light = w->ribbons->light + first,
                .values = subject->values ? subject->values + first : NULL,
                .count = (uint32_t)(subject->first_vertex[strand + 1] - first),
                .tangent = {0, 0, 1}};
    const uint64_t points = point_count(w->ribbons, subject, strand);
    if (drawn < c.count)
        gather(w->ribbons, &c, drawn, &some);
    for (uint32_t v = 0; v < c.count; v++)
        w->ribbons->light[first + v] = view_light_at(w->light, c.vertex[v]);
    c.edges = c.count - !c.look->closed;
    double last[3], random[4];
    base_uniform4(1, CHANCE_STREAM, strand, random);
    c.chance = 2 * random[0] - 1;
    for (uint64_t k = 0; k < points; k++) {
        c.edge = k / parts < c.edges ? (uint32_t)(k / parts) : c.edges - 1;
        c.part = (double)(k - (uint64_t)c.edge * parts) / parts;
        c.along = (double)k / (double)(points - 1);
        vec_copy(last, c.tangent);
        find_point(&c);
        if (k == 0) {
            vec_copy(last, c.tangent);
            vec_normal(c.carried, c.tangent);
        }
        write_corners(w, &c, last, corners + 2 * k);
    }
}

static sheaf_status weave_range(size_t first, size_t end, uint32_t worker, void *user)
{
    const weaver *w = user;
    (void)worker;
    for (size_t k = first; k < end; k++) {
        const uint32_t strand = (uint32_t)k * w->ribbons->strand_step;
        weave_strand(w, strand, w->corners + w->ribbons->first_corner[k]);
    }
    return SHEAF_OK;
}

sheaf_status view_ribbons_fill(view_ribbons *ribbons, const view_subject *subject, const view_eye *eye,
                               const view_light *light, view_corner *corners)
{
    weaver w = {.ribbons = ribbons, .subject = subject, .eye = eye, .light = light, .corners = corners};
    return base_parallel_for(ribbons->drawn, 0, weave_range, &w);
}
