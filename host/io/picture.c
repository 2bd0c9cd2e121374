// picture: strands as a drawing that needs no settings: perspective, depth order, shading, ground shadow, scale bar.
#include "io/picture.h"

#include <math.h>
#include <stdio.h>

#include "base/vec.h"
#include "io/plot.h"
#include "io/strokes.h"

enum { SHADOW_EDGES = 8000 }; // most that cast a shadow

static const double picture_width = 1200, picture_margin = 90; // px

typedef struct scenery {
    const io_picture *picture;
    const sheaf_model *model;
    base_text *svg;
    io_strokes strokes;
    double up[3];
    double ground;     // m, height of the ground along up
    double (*line)[3]; // scratch for one line
} scenery;

static void choose_up(scenery *s)
{
    const double *gravity = s->model->def.gravity;
    if (vec_length(gravity) > 0)
        vec_scale(s->up, gravity, -1 / vec_length(gravity));
    else
        vec_set(s->up, 0, 0, 1);
}

// The ground lies a little below the lowest point of all that is drawn.
static void place_ground(scenery *s)
{
    const io_picture *p = s->picture;
    double low = INFINITY;
    for (uint64_t k = 0; k < s->model->vertex_count; k++) {
        low = fmin(low, vec_dot(p->positions[k], s->up));
        if (s->strokes.tubes)
            low = fmin(low, vec_dot(s->model->position[k], s->up));
    }
    for (uint32_t k = 0; k < p->ball_count; k++)
        low = fmin(low, vec_dot(p->balls[k].center, s->up) - p->balls[k].radius);
    s->ground = low - 0.06 * s->strokes.camera.size;
}

static void drop_to_ground(const scenery *s, const double point[3], double out[3])
{
    vec_copy(out, point);
    vec_axpy(out, s->ground - vec_dot(point, s->up), s->up);
}

// Everything the picture must hold: strands, their shadows, boxes about the balls, and the start pose of few strands.
static sheaf_status frame_points(const scenery *s, double (**points)[3], uint64_t *count)
{
    const io_picture *p = s->picture;
    const uint64_t vertices = s->model->vertex_count;
    *points = base_alloc(3 * vertices + 6 * (uint64_t)p->ball_count, sizeof **points);
    *count = 0;
    if (*points == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint64_t k = 0; k < vertices; k++) {
        vec_copy((*points)[(*count)++], p->positions[k]);
        drop_to_ground(s, p->positions[k], (*points)[(*count)++]);
        if (s->strokes.tubes)
            vec_copy((*points)[(*count)++], s->model->position[k]);
    }
    for (uint32_t k = 0; k < 6 * p->ball_count; k++) {
        const io_ball *ball = &p->balls[k / 6];
        double *point = (*points)[(*count)++];
        vec_copy(point, ball->center);
        point[k % 3] += k % 6 < 3 ? ball->radius : -ball->radius;
    }
    return SHEAF_OK;
}

static sheaf_status look(scenery *s)
{
    choose_up(s);
    s->strokes = io_strokes_choose(s->picture);
    s->strokes.camera = io_camera_choose(s->picture->positions, s->model->vertex_count, s->up);
    place_ground(s);
    double(*points)[3];
    uint64_t count;
    SHEAF_TRY(frame_points(s, &points, &count));
    io_camera_fit(&s->strokes.camera, (const double(*)[3])points, count, picture_width, picture_margin);
    base_free(points);
    io_strokes_set_line(&s->strokes);
    s->line = base_alloc(s->strokes.longest, sizeof *s->line);
    return s->line != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

static void draw_background(const scenery *s)
{
    const io_camera *camera = &s->strokes.camera;
    base_text_add(s->svg,
                  "<defs>\n<linearGradient id='sky' x1='0' y1='0' x2='0' y2='1'><stop offset='0' stop-color='#f4f6f9'/>"
                  "<stop offset='0.75' stop-color='#dfe4ea'/><stop offset='1' stop-color='#d0d6de'/></linearGradient>\n"
                  "<radialGradient id='ball' cx='0.36' cy='0.3' r='0.75'><stop offset='0' stop-color='#dcc6b4'/>"
                  "<stop offset='0.6' stop-color='#b0937e'/><stop offset='1' stop-color='#6d5546'/></radialGradient>\n"
                  "<filter id='soft' filterUnits='userSpaceOnUse' x='0' y='0' width='%.0f' height='%.0f'>"
                  "<feGaussianBlur stdDeviation='%.1f'/></filter>\n</defs>\n",
                  camera->width, camera->height, s->strokes.tubes ? fmin(fmax(6, 1.2 * s->strokes.line), 20) : 16);
    io_svg_rect(s->svg, 0, 0, camera->width, camera->height, "fill='url(#sky)'");
}

static void draw_shadow(const scenery *s)
{
    const uint64_t edges = s->model->vertex_count / s->strokes.vertex_step;
    const uint32_t step = 1 + (uint32_t)(edges / SHADOW_EDGES);
    base_text_add(s->svg,
                  "<g filter='url(#soft)' opacity='%s' fill='none' stroke='#2a2f3a' stroke-width='%.1f' "
                  "stroke-linecap='round'>\n",
                  s->strokes.tubes ? "0.3" : "0.22", s->strokes.tubes ? s->strokes.line : 8);
    for (uint32_t k = 0; k < s->model->strand_count; k += step) {
        const uint32_t count = io_strokes_line(&s->strokes, s->picture->positions, k, s->line);
        for (uint32_t i = 0; i < count; i++)
            drop_to_ground(s, s->line[i], s->line[i]);
        io_strokes_draw_line(&s->strokes, (const double(*)[3])s->line, count, s->svg);
    }
    base_text_add(s->svg, "</g>\n");
}

static void draw_start_pose(const scenery *s)
{
    if (!s->strokes.tubes || s->picture->time == 0)
        return;
    base_text_add(s->svg, "<g fill='none' stroke='#9aa3ad' stroke-width='1.5'>\n");
    for (uint32_t k = 0; k < s->model->strand_count; k++) {
        const uint32_t count = io_strokes_line(&s->strokes, (const double(*)[3])s->model->position, k, s->line);
        io_strokes_draw_line(&s->strokes, (const double(*)[3])s->line, count, s->svg);
    }
    base_text_add(s->svg, "</g>\n");
}

// A square where position and tangent are held, a disc where the position alone is.
static void draw_held_end(const scenery *s, const sheaf_end_def *end, const double place[3])
{
    if (!end->hold_position)
        return;
    const io_camera *camera = &s->strokes.camera;
    const io_pixel p = io_camera_project(camera, place);
    const double size = fmax(0.65 * s->strokes.line * camera->scale / p.depth / io_camera_resolution(camera), 5);
    if (end->hold_tangent)
        io_svg_rect(s->svg, p.x - size, p.y - size, 2 * size, 2 * size, "rx='2' fill='#3a3f47'");
    else
        io_svg_circle(s->svg, p.x, p.y, size, "fill='#3a3f47'");
}

static void draw_held_ends(const scenery *s)
{
    const sheaf_model *model = s->model;
    for (uint32_t k = 0; k < model->strand_count && s->strokes.tubes; k++) {
        if (model->strands[k].closed)
            continue;
        draw_held_end(s, model->strands[k].root, s->picture->positions[model->first_vertex[k]]);
        draw_held_end(s, model->strands[k].tip, s->picture->positions[model->first_vertex[k + 1] - 1]);
    }
}

// A bar of round length, an eighth to a quarter of the picture wide.
static void draw_scale(const scenery *s)
{
    const io_camera *camera = &s->strokes.camera;
    const double resolution = io_camera_resolution(camera);
    const double meters = io_tick_step(camera->width / resolution, 10), pixels = meters * resolution;
    const double x = camera->width - 36 - pixels, y = camera->height - 32;
    const double corners[4][2] = {{x, y - 6}, {x, y}, {x + pixels, y}, {x + pixels, y - 6}};
    const char *prefix;
    const int exponent = base_si_exponent(meters, &prefix);
    char label[64];
    if (meters > 0.0099 && meters < 0.99)
        snprintf(label, sizeof label, "%.0f cm", 100 * meters);
    else
        snprintf(label, sizeof label, "%.0f %sm", meters * pow(10, -exponent), prefix);
    io_svg_polyline(s->svg, corners, 4, false, "fill='none' stroke='#4a5260' stroke-width='1.5'");
    io_svg_label(s->svg, x + pixels / 2, y - 10, "fill='#4a5260' font-size='15' text-anchor='middle'", label);
}

static const char *title_of(const sheaf_model *model)
{
    return model->def.title != NULL && model->def.title[0] != 0 ? model->def.title : "untitled";
}

static void draw_caption(const scenery *s)
{
    const double y = s->strokes.camera.height - 32;
    const sheaf_model *all = s->picture->population ? s->picture->population : s->model;
    const uint32_t strands = all->strand_count, given = s->model->strand_count;
    const uint32_t step = s->strokes.strand_step * ((strands + given - 1) / given);
    char figures[160];
    const int used = snprintf(figures, sizeof figures, "t = %.3g s, %u strand%s, %llu vertices", s->picture->time,
                              strands, strands == 1 ? "" : "s", (unsigned long long)all->vertex_count);
    if (step > 1)
        snprintf(figures + used, sizeof figures - (size_t)used, ", one strand in %u drawn", step);
    io_svg_label(s->svg, 36, y - 24, "fill='#20252c' font-size='20'", title_of(s->model));
    io_svg_label(s->svg, 36, y, "fill='#4a5260' font-size='15'", figures);
}

static sheaf_status draw(scenery *s)
{
    SHEAF_TRY(look(s));
    io_svg_open(s->svg, s->strokes.camera.width, s->strokes.camera.height, title_of(s->model));
    draw_background(s);
    draw_shadow(s);
    draw_start_pose(s);
    SHEAF_TRY(io_strokes_draw(&s->strokes, s->svg));
    draw_held_ends(s);
    draw_scale(s);
    draw_caption(s);
    io_svg_close(s->svg);
    return base_text_status(s->svg);
}

sheaf_status io_picture_draw(const io_picture *picture, base_text *svg)
{
    scenery s = {.picture = picture, .model = picture->model, .svg = svg};
    const sheaf_status status = draw(&s);
    base_free(s.line);
    return status;
}
