// strokes: strands as lines of a picture: thinned to what can be seen, cut into pieces, sorted by depth, shaded.
#include "io/strokes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/vec.h"
#include "io/looks.h"

enum {
    MOST_EDGES = 24000, // drawn; keeps the picture under 2 MB
    PIECE_EDGES = 3,    // a line is cut into pieces of so many edges for depth order and shading
    PIECE_POINTS = PIECE_EDGES + 3,
};

// A few edges of a line: what is sorted and drawn as one.
typedef struct piece {
    double points[PIECE_POINTS][3]; // m, the first and last only guide the curve
    uint32_t count;
    uint32_t strand;
    double depth;      // m, of its middle
    bool starts, ends; // holds the first or last vertex of an open strand
} piece;

typedef struct painter {
    const io_strokes *strokes;
    base_text *svg;
    piece *pieces;
    uint64_t count;
    double near, far; // m, depths of the nearest and farthest piece
} painter;

static uint32_t edge_count(const sheaf_model *model, uint32_t strand)
{
    return model_vertex_count(model, strand) - (model->strands[strand].closed ? 0 : 1);
}

io_strokes io_strokes_choose(const io_picture *picture)
{
    const sheaf_model *model = picture->model;
    io_strokes strokes = {.picture = picture, .tubes = model->strand_count <= LOOKS_FEW_STRANDS};
    const uint32_t most = strokes.tubes ? 512 : 64; // a tube is three lines
    uint32_t longest = 1;
    for (uint32_t k = 0; k < model->strand_count; k++)
        longest = longest > edge_count(model, k) ? longest : edge_count(model, k);
    strokes.vertex_step = (longest + most - 1) / most;
    strokes.strand_step = (uint32_t)(model->vertex_count / strokes.vertex_step / MOST_EDGES) + 1;
    strokes.longest = longest / strokes.vertex_step + 4;
    return strokes;
}

// Lines of hair are so wide that the strands cover a good part of the picture.
void io_strokes_set_line(io_strokes *strokes)
{
    const sheaf_model *model = strokes->picture->model;
    const double resolution = io_camera_resolution(&strokes->camera);
    double length = 0, radius = 0;
    for (uint64_t k = 0; k < model->vertex_count; k++) {
        length += model->rest_length[k];
        radius = fmax(radius, model->radius[k]);
    }
    const double drawn = fmax(length * resolution / strokes->strand_step, 1);
    const double cover = 0.4 * strokes->camera.width * strokes->camera.height / drawn;
    const double least = strokes->tubes ? 5 : fmin(fmax(cover, 0.7), 2.2);
    strokes->line = fmin(fmax(2 * radius * resolution, least), 40);
}

static void mirror(double out[3], const double end[3], const double inner[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = 2 * end[c] - inner[c];
}

uint32_t io_strokes_line(const io_strokes *strokes, const double (*positions)[3], uint32_t strand, double (*line)[3])
{
    const sheaf_model *model = strokes->picture->model;
    const double(*vertex)[3] = positions + model->first_vertex[strand];
    const uint32_t edges = edge_count(model, strand), step = strokes->vertex_step;
    uint32_t count = 1;
    for (uint32_t k = 0; k < edges; k += step)
        vec_copy(line[count++], vertex[k]);
    const bool closed = model->strands[strand].closed;
    vec_copy(line[count], vertex[closed ? 0 : edges]);
    if (closed) {
        vec_copy(line[0], line[count - 1]);
        vec_copy(line[count + 1], line[2]);
    } else {
        mirror(line[0], line[1], line[2]);
        mirror(line[count + 1], line[count], line[count - 1]);
    }
    return count + 2;
}

static void to_pixels(const io_strokes *strokes, const double (*line)[3], uint32_t count, double (*pixels)[2])
{
    for (uint32_t k = 0; k < count; k++) {
        const io_pixel p = io_camera_project(&strokes->camera, line[k]);
        pixels[k][0] = p.x;
        pixels[k][1] = p.y;
    }
}

void io_strokes_draw_line(const io_strokes *strokes, const double (*line)[3], uint32_t count, base_text *svg)
{
    enum { AT_ONCE = 64 };
    double pixels[AT_ONCE][2];
    for (uint32_t first = 0; first + 3 < count; first += AT_ONCE - 3) {
        const uint32_t size = count - first < AT_ONCE ? count - first : AT_ONCE;
        to_pixels(strokes, line + first, size, pixels);
        io_svg_curve(svg, (const double(*)[2])pixels, size, "");
    }
}

// ---- pieces

// What lies inside a ball is hidden by its surface.
static bool is_hidden(const io_picture *picture, const double point[3])
{
    for (uint32_t k = 0; k < picture->ball_count; k++) {
        double arm[3];
        vec_sub(arm, point, picture->balls[k].center);
        if (vec_length(arm) < 0.99 * picture->balls[k].radius)
            return true;
    }
    return false;
}

static void cut_line(painter *p, const double (*line)[3], uint32_t count, uint32_t strand)
{
    const bool closed = p->strokes->picture->model->strands[strand].closed;
    for (uint32_t first = 0; first + 3 < count; first += PIECE_EDGES) {
        piece *next = &p->pieces[p->count++];
        next->count = count - first < PIECE_POINTS ? count - first : PIECE_POINTS;
        next->strand = strand;
        next->starts = !closed && first == 0;
        next->ends = !closed && first + next->count == count;
        for (uint32_t k = 0; k < next->count; k++)
            vec_copy(next->points[k], line[first + k]);
        const double *middle = next->points[next->count / 2];
        next->depth = io_camera_project(&p->strokes->camera, middle).depth;
        if (is_hidden(p->strokes->picture, middle))
            p->count--;
    }
}

static int farther_first(const void *a, const void *b)
{
    const piece *p = a, *q = b;
    if (p->depth != q->depth)
        return p->depth > q->depth ? -1 : 1;
    return p->strand < q->strand ? -1 : p->strand > q->strand;
}

static sheaf_status cut_pieces(painter *p)
{
    const io_strokes *strokes = p->strokes;
    const sheaf_model *model = strokes->picture->model;
    uint64_t most = 0;
    for (uint32_t k = 0; k < model->strand_count; k += strokes->strand_step)
        most += edge_count(model, k) / (PIECE_EDGES * strokes->vertex_step) + 2;
    p->pieces = base_alloc(most, sizeof *p->pieces);
    double(*line)[3] = base_alloc(strokes->longest, sizeof *line);
    if (p->pieces == NULL || line == NULL) {
        base_free(line);
        return SHEAF_ERR_MEMORY;
    }
    for (uint32_t k = 0; k < model->strand_count; k += strokes->strand_step) {
        const uint32_t count = io_strokes_line(strokes, strokes->picture->positions, k, line);
        cut_line(p, (const double(*)[3])line, count, k);
    }
    base_free(line);
    qsort(p->pieces, p->count, sizeof *p->pieces, farther_first);
    p->far = p->count > 0 ? p->pieces[0].depth : 1;
    p->near = p->count > 0 ? p->pieces[p->count - 1].depth : 0;
    return SHEAF_OK;
}

// ---- colours: red, green, blue in 0..1

static void mix(double out[3], const double a[3], const double b[3], double share)
{
    for (int c = 0; c < 3; c++)
        out[c] = a[c] + share * (b[c] - a[c]);
}

static void own_colour(const painter *p, uint32_t strand, double colour[3])
{
    static const double few[][3] = {{0.12, 0.42, 0.65}, {0.83, 0.37, 0.12}, {0.11, 0.55, 0.43}, {0.46, 0.35, 0.65},
                                    {0.72, 0.16, 0.34}, {0.45, 0.45, 0.15}, {0.20, 0.50, 0.60}, {0.55, 0.40, 0.30}};
    static const double dark[3] = {0.27, 0.13, 0.06}, light[3] = {0.76, 0.46, 0.21};
    if (p->strokes->tubes) {
        vec_copy(colour, few[strand % 8]);
        return;
    }
    double chance[4];
    base_uniform4(0, 0, strand, chance);
    mix(colour, dark, light, chance[0]);
}

// Light on a thin cylinder along unit tangent t (Kajiya and Kay 1989): diffuse sin(t, light), and a highlight where
// light and eye make equal angles with it. Hair grows darker with depth.
static void shade(const painter *p, const double tangent[3], double depth, double colour[3])
{
    const io_camera *camera = &p->strokes->camera;
    static const double white[3] = {1, 0.97, 0.9}, shadow[3] = {0.05, 0.04, 0.06};
    double light[3];
    for (int c = 0; c < 3; c++)
        light[c] = -0.45 * camera->right[c] + 0.75 * camera->up[c] - 0.5 * camera->forward[c];
    const double tl = vec_dot(tangent, light) / vec_length(light), te = -vec_dot(tangent, camera->forward);
    const double diffuse = sqrt(fmax(1 - tl * tl, 0));
    const double mirrored = fmax(diffuse * sqrt(fmax(1 - te * te, 0)) - tl * te, 0);
    const double nearness = p->far > p->near ? (p->far - depth) / (p->far - p->near) : 1;
    const bool tubes = p->strokes->tubes;
    mix(colour, shadow, colour, tubes ? 0.7 + 0.3 * diffuse : 0.25 + 0.45 * diffuse + 0.3 * nearness);
    mix(colour, colour, white, tubes ? 0 : 0.5 * (0.2 + 0.8 * nearness) * pow(mirrored, 14));
}

static void piece_colour(const painter *p, const piece *part, double colour[3])
{
    double tangent[3];
    vec_sub(tangent, part->points[part->count - 2], part->points[1]);
    const double size = vec_length(tangent);
    vec_scale(tangent, tangent, size > 0 ? 1 / size : 0);
    own_colour(p, part->strand, colour);
    shade(p, tangent, part->depth, colour);
}

typedef struct colour_text {
    char bytes[8];
} colour_text;

static colour_text write_colour(const double colour[3])
{
    colour_text text;
    unsigned byte[3];
    for (int c = 0; c < 3; c++)
        byte[c] = (unsigned)rint(255 * fmin(fmax(colour[c], 0), 1)) & 255;
    snprintf(text.bytes, sizeof text.bytes, "#%02x%02x%02x", byte[0], byte[1], byte[2]);
    return text;
}

// ---- drawing

static void draw_hair(const painter *p, const piece *part)
{
    double pixels[PIECE_POINTS][2], colour[3];
    char style[32];
    to_pixels(p->strokes, (const double(*)[3])part->points, part->count, pixels);
    piece_colour(p, part, colour);
    snprintf(style, sizeof style, "stroke='%s'", write_colour(colour).bytes);
    io_svg_curve(p->svg, (const double(*)[2])pixels, part->count, style);
}

static void draw_layer(const painter *p, const piece *part, const double (*pixels)[2], const double colour[3],
                       double width)
{
    char style[96];
    snprintf(style, sizeof style, "stroke='%s' stroke-width='%.1f' stroke-linecap='butt'", write_colour(colour).bytes,
             width);
    io_svg_curve(p->svg, pixels, part->count, style);
}

// Rounds off the ends of a strand.
static void draw_caps(const painter *p, const piece *part, const double (*pixels)[2], const double colour[3],
                      double width)
{
    char style[48];
    snprintf(style, sizeof style, "fill='%s' stroke='none'", write_colour(colour).bytes);
    if (part->starts)
        io_svg_circle(p->svg, pixels[1][0], pixels[1][1], width / 2, style);
    if (part->ends)
        io_svg_circle(p->svg, pixels[part->count - 2][0], pixels[part->count - 2][1], width / 2, style);
}

// Moves the ends of a piece a little outwards, so that no seam shows between pieces.
static void overlap(double (*pixels)[2], uint32_t count)
{
    for (int side = 0; side < 2; side++) {
        double *end = pixels[side ? count - 2 : 1];
        const double *inner = pixels[side ? count - 3 : 2];
        const double x = end[0] - inner[0], y = end[1] - inner[1], size = hypot(x, y);
        end[0] += size > 0 ? 0.6 * x / size : 0;
        end[1] += size > 0 ? 0.6 * y / size : 0;
    }
}

// Moves a line across itself towards the light, which comes from above and a little from the left.
static void shift_to_light(const double (*pixels)[2], uint32_t count, double distance, double (*shifted)[2])
{
    for (uint32_t k = 0; k < count; k++) {
        const double *before = pixels[k > 0 ? k - 1 : 0], *after = pixels[k + 1 < count ? k + 1 : k];
        const double x = after[0] - before[0], y = after[1] - before[1], size = hypot(x, y);
        const double across[2] = {size > 0 ? -y / size : 0, size > 0 ? x / size : 0};
        const double share = -0.45 * across[0] - 0.9 * across[1];
        shifted[k][0] = pixels[k][0] + share * distance * across[0];
        shifted[k][1] = pixels[k][1] + share * distance * across[1];
    }
}

// A tube: dark rim, body, and a light line on the side of the light.
static void draw_tube(const painter *p, const piece *part)
{
    static const double black[3] = {0, 0, 0}, white[3] = {1, 1, 1};
    double pixels[PIECE_POINTS][2] = {{0}}, shifted[PIECE_POINTS][2], colour[3], tone[3];
    const io_camera *camera = &p->strokes->camera;
    const double width = p->strokes->line * camera->scale / part->depth / io_camera_resolution(camera);
    to_pixels(p->strokes, (const double(*)[3])part->points, part->count, pixels);
    piece_colour(p, part, colour);
    mix(tone, colour, black, 0.55);
    draw_caps(p, part, (const double(*)[2])pixels, tone, width + 1.6);
    draw_layer(p, part, (const double(*)[2])pixels, tone, width + 1.6);
    draw_caps(p, part, (const double(*)[2])pixels, colour, width);
    overlap(pixels, part->count);
    draw_layer(p, part, (const double(*)[2])pixels, colour, width);
    shift_to_light((const double(*)[2])pixels, part->count, 0.2 * width, shifted);
    mix(tone, colour, white, 0.4);
    draw_layer(p, part, (const double(*)[2])shifted, tone, 0.25 * width);
}

static void draw_ball(const painter *p, const io_ball *ball)
{
    const io_camera *camera = &p->strokes->camera;
    const io_pixel center = io_camera_project(camera, ball->center);
    io_svg_circle(p->svg, center.x, center.y, ball->radius * camera->scale / center.depth,
                  "fill='url(#ball)' stroke='none'");
}

// Draws the balls whose middle is nearer than `above` and not nearer than `below`: strands before it hide a ball.
static void draw_balls(const painter *p, double above, double below)
{
    const io_picture *picture = p->strokes->picture;
    for (uint32_t k = 0; k < picture->ball_count; k++) {
        const double depth = io_camera_project(&p->strokes->camera, picture->balls[k].center).depth;
        if (depth < above && depth >= below)
            draw_ball(p, &picture->balls[k]);
    }
}

sheaf_status io_strokes_draw(const io_strokes *strokes, base_text *svg)
{
    painter p = {.strokes = strokes, .svg = svg};
    const sheaf_status status = cut_pieces(&p);
    base_text_add(svg, "<g fill='none' stroke-width='%.2f' stroke-linecap='round'>\n", strokes->line);
    double last = INFINITY;
    for (uint64_t k = 0; k < p.count && status == SHEAF_OK; k++) {
        draw_balls(&p, last, p.pieces[k].depth);
        last = p.pieces[k].depth;
        (strokes->tubes ? draw_tube : draw_hair)(&p, &p.pieces[k]);
    }
    draw_balls(&p, last, -INFINITY);
    base_text_add(svg, "</g>\n");
    base_free(p.pieces);
    return status;
}
