// painter: draws a subject: sky, ground, bodies, strands.
#include "view/painter.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/vec.h"
#include "view/bodies.h"
#include "view/gl.h"
#include "view/shaders.h"

const view_quality view_quality_best = {.fineness = {.most_corners = 24u << 20, .parts = 16, .piece = 6},
                                        .crowd_corners = 1ull << 40,
                                        .light_cells = 128,
                                        .light_texels = 384};
const view_quality view_quality_live = {.fineness = {.most_corners = 80000, .parts = 4, .piece = 8},
                                        .light_cells = 40,
                                        .light_texels = 128,
                                        .light_every = 3,
                                        .is_quick = true};

enum { PROGRAM_SKY, PROGRAM_GROUND, PROGRAM_BODY, PROGRAM_HAIR, PROGRAM_SURFACE, PROGRAM_COUNT };

// One picture under way.
typedef struct sitting {
    view_painter *painter;
    const view_subject *subject;
    view_eye eye;
    view_extent extent;
    double rim[3]; // unit vector to the light from behind
} sitting;

struct view_painter {
    view_style style;
    view_quality quality;
    view_light light;
    view_ribbons ribbons, crowd_ribbons;
    GLuint programs[PROGRAM_COUNT];
    view_mesh sky, ground, bodies, strands, crowd;
    view_painted painted;
    GLuint shadow;  // texture: share of the light that arrives on the ground
    uint32_t casts; // pictures since shadows were cast

    // the picture begun last
    sitting sitting;
    view_subject subject;
    uint64_t crowd_count, crowd_next; // strands of the crowd
};

static sheaf_status open_programs(view_painter *painter)
{
    GLuint *p = painter->programs;
    SHEAF_TRY(view_gl_program("sky", view_sky_vertex, view_sky_fragment, &p[PROGRAM_SKY]));
    SHEAF_TRY(view_gl_program("ground", view_ground_vertex, view_ground_fragment, &p[PROGRAM_GROUND]));
    SHEAF_TRY(view_gl_program("body", view_body_vertex, view_body_fragment, &p[PROGRAM_BODY]));
    SHEAF_TRY(view_gl_program("hair", view_hair_vertex, view_hair_fragment, &p[PROGRAM_HAIR]));
    return view_gl_program("surface", view_surface_vertex, view_surface_fragment, &p[PROGRAM_SURFACE]);
}

static void open_meshes(view_painter *painter)
{
    static const view_attribute place = {3, GL_FLOAT, GL_FALSE, 0};
    static const view_attribute body[] = {
        {3, GL_FLOAT, GL_FALSE, offsetof(view_body_corner, position)},
        {3, GL_FLOAT, GL_FALSE, offsetof(view_body_corner, normal)},
        {4, GL_FLOAT, GL_FALSE, offsetof(view_body_corner, colour)},
        {3, GL_FLOAT, GL_FALSE, offsetof(view_body_corner, around)},
    };
    static const view_attribute strand[] = {
        {3, GL_FLOAT, GL_FALSE, offsetof(view_corner, position)},
        {4, GL_INT_2_10_10_10_REV, GL_TRUE, offsetof(view_corner, tangent)},
        {4, GL_INT_2_10_10_10_REV, GL_TRUE, offsetof(view_corner, normal)},
        {4, GL_INT_2_10_10_10_REV, GL_TRUE, offsetof(view_corner, director)},
        {4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(view_corner, colour)},
        {4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(view_corner, light)},
    };
    static const uint32_t square[6] = {0, 1, 2, 2, 1, 3};
    view_mesh_open(&painter->sky, 0, NULL, 0);
    view_mesh_open(&painter->ground, 3 * sizeof(float), &place, 1);
    view_mesh_open(&painter->bodies, sizeof(view_body_corner), body, 4);
    view_mesh_open(&painter->strands, sizeof(view_corner), strand, 6);
    view_mesh_open(&painter->crowd, sizeof(view_corner), strand, 6);
    view_mesh_set_indices(&painter->ground, square, 6);
    glGenTextures(1, &painter->shadow);
}

static sheaf_status open_parts(view_painter *painter)
{
    SHEAF_TRY(view_gl_check_version());
    SHEAF_TRY(view_light_open(&painter->light, painter->quality.light_cells, painter->quality.light_texels));
    SHEAF_TRY(open_programs(painter));
    open_meshes(painter);
    return view_gl_status("preparing to draw");
}

sheaf_status view_painter_open(const view_style *style, view_quality quality, view_painter **painter)
{
    *painter = base_alloc(1, sizeof **painter);
    if (*painter == NULL)
        return SHEAF_ERR_MEMORY;
    (*painter)->style = *style;
    (*painter)->quality = quality;
    const sheaf_status status = open_parts(*painter);
    if (status == SHEAF_OK)
        return SHEAF_OK;
    view_painter_close(*painter);
    *painter = NULL;
    return status;
}

void view_painter_close(view_painter *painter)
{
    if (painter == NULL)
        return;
    glUseProgram(0); // one that is in use would stay
    for (int k = 0; k < PROGRAM_COUNT; k++)
        if (painter->programs[k] != 0)
            glDeleteProgram(painter->programs[k]);
    view_mesh_close(&painter->sky);
    view_mesh_close(&painter->ground);
    view_mesh_close(&painter->bodies);
    view_mesh_close(&painter->strands);
    view_mesh_close(&painter->crowd);
    if (painter->shadow != 0)
        glDeleteTextures(1, &painter->shadow);
    view_light_close(&painter->light);
    view_ribbons_free(&painter->ribbons);
    view_ribbons_free(&painter->crowd_ribbons);
    base_free(painter);
}

void view_painter_set_quality(view_painter *painter, view_quality quality)
{
    painter->quality.fineness = quality.fineness;
    painter->quality.crowd_corners = quality.crowd_corners;
    painter->quality.is_quick = quality.is_quick;
}

view_painted view_painter_painted(const view_painter *painter)
{
    return painter->painted;
}

// ---- uniforms

static void set_vector(GLuint program, const char *name, const double v[3])
{
    glUniform3f(glGetUniformLocation(program, name), (float)v[0], (float)v[1], (float)v[2]);
}

static void set_pair(GLuint program, const char *name, double x, double y)
{
    glUniform2f(glGetUniformLocation(program, name), (float)x, (float)y);
}

// Makes a program current and sets what all of them share.
static GLuint take_program(const sitting *s, int which)
{
    const view_painter *painter = s->painter;
    const GLuint program = painter->programs[which];
    glUseProgram(program);
    set_vector(program, "light", painter->light.toward);
    set_vector(program, "up", s->subject->up);
    glUniform3fv(glGetUniformLocation(program, "sky_high"), 1, painter->style.sky_high);
    glUniform3fv(glGetUniformLocation(program, "sky_low"), 1, painter->style.sky_low);
    set_vector(program, "rim_way", s->rim);
    glUniform1f(glGetUniformLocation(program, "rim"), painter->style.rim);
    glUniform1f(glGetUniformLocation(program, "exposure"), painter->style.exposure);
    glUniformMatrix4fv(glGetUniformLocation(program, "matrix"), 1, GL_FALSE, s->eye.matrix);
    return program;
}

// ---- sky and ground

static void draw_sky(const sitting *s)
{
    static const double places[3][2] = {{-1, -1}, {3, -1}, {-1, 3}};
    const GLuint program = take_program(s, PROGRAM_SKY);
    float corners[3][3];
    for (int k = 0; k < 3; k++) {
        const double pixel[2] = {(places[k][0] + 1) / 2 * s->eye.width, (1 - places[k][1]) / 2 * s->eye.height};
        double point[3];
        view_eye_lift(&s->eye, pixel, 1, point);
        for (int c = 0; c < 3; c++)
            corners[k][c] = (float)(point[c] - s->eye.place[c]);
    }
    glUniform3fv(glGetUniformLocation(program, "corners"), 3, &corners[0][0]);
    glUniform3fv(glGetUniformLocation(program, "behind"), 1, s->painter->style.behind);
    glUniform3fv(glGetUniformLocation(program, "pool"), 1, s->painter->style.pool);
    glUniform1i(glGetUniformLocation(program, "dark"), s->painter->style.is_dark);
    set_pair(program, "frame", 1.0 / s->eye.width, 1.0 / s->eye.height);
    glDepthFunc(GL_LEQUAL);
    glBindVertexArray(s->painter->sky.array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDepthFunc(GL_LESS);
}

static void send_shadow(const view_painter *painter)
{
    const GLsizei texels = (GLsizei)painter->light.texels;
    glBindTexture(GL_TEXTURE_2D, painter->shadow);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, texels, texels, 0, GL_RED, GL_FLOAT, painter->light.ground);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

static void set_ground(const sitting *s, GLuint program, const double middle[3], double reach)
{
    const view_light *light = &s->painter->light;
    const double spacing = pow(10, floor(log10(s->extent.size * 0.6)));
    double offset[2];
    float plane[2][3];
    for (int a = 0; a < 2; a++) {
        offset[a] = vec_dot(s->eye.place, light->plane[a]);
        for (int c = 0; c < 3; c++)
            plane[a][c] = (float)light->plane[a][c];
    }
    const double map[3] = {light->plane_low[0] - offset[0], light->plane_low[1] - offset[1],
                           1 / (light->texel * light->texels)};
    glUniform3fv(glGetUniformLocation(program, "plane"), 2, &plane[0][0]);
    glUniform3fv(glGetUniformLocation(program, "tint"), 1, s->painter->style.ground);
    glUniform3fv(glGetUniformLocation(program, "behind"), 1, s->painter->style.behind);
    glUniform1i(glGetUniformLocation(program, "shadow"), 0);
    const double lines[3] = {-fmod(offset[0], 5 * spacing), -fmod(offset[1], 5 * spacing), 1 / spacing};
    set_vector(program, "map", map);
    set_vector(program, "middle", middle);
    set_vector(program, "lines", lines);
    set_pair(program, "fade", 0.2 * reach, 1 / (0.7 * reach));
}

static sheaf_status draw_ground(const sitting *s)
{
    const view_light *light = &s->painter->light;
    const double reach = 9 * s->extent.size;
    if (!s->subject->has_ground || vec_dot(s->eye.place, s->subject->up) <= s->subject->ground)
        return SHEAF_OK;
    double middle[3]; // seen from the eye
    vec_sub(middle, s->extent.middle, s->eye.place);
    vec_axpy(middle, s->subject->ground - vec_dot(s->extent.middle, s->subject->up), s->subject->up);
    float(*corners)[3] = view_mesh_map(&s->painter->ground, 4 * sizeof *corners);
    if (corners == NULL)
        return SHEAF_ERR_DEVICE;
    for (int k = 0; k < 4; k++)
        for (int c = 0; c < 3; c++)
            corners[k][c] = (float)(middle[c] + reach * ((k & 1 ? 1 : -1) * light->plane[0][c] +
                                                         (k & 2 ? 1 : -1) * light->plane[1][c]));
    SHEAF_TRY(view_mesh_unmap(&s->painter->ground));
    set_ground(s, take_program(s, PROGRAM_GROUND), middle, reach);
    send_shadow(s->painter);
    view_mesh_draw(&s->painter->ground, 0, 6);
    return SHEAF_OK;
}

// ---- bodies and strands

static sheaf_status index_bodies(view_painter *painter, const view_subject *subject)
{
    const size_t count = view_bodies_index_count(subject);
    uint32_t *indices = base_alloc(count, sizeof *indices);
    if (indices == NULL)
        return SHEAF_ERR_MEMORY;
    view_bodies_index(subject, indices);
    view_mesh_set_indices(&painter->bodies, indices, count);
    base_free(indices);
    return view_gl_status("drawing bodies");
}

static sheaf_status draw_bodies(const sitting *s)
{
    view_painter *painter = s->painter;
    const size_t count = view_bodies_corner_count(s->subject);
    if (count == 0)
        return SHEAF_OK;
    view_body_corner *corners = view_mesh_map(&painter->bodies, count * sizeof *corners);
    if (corners == NULL)
        return SHEAF_ERR_DEVICE;
    const sheaf_status status =
        view_bodies_fill(s->subject, &s->eye, &painter->light, painter->quality.is_quick, corners);
    SHEAF_TRY(view_mesh_unmap(&painter->bodies));
    SHEAF_TRY(status);
    take_program(s, PROGRAM_BODY);
    view_mesh_draw(&painter->bodies, 0, painter->bodies.index_count);
    return SHEAF_OK;
}

static sheaf_status index_strands(const view_ribbons *ribbons, const view_subject *subject, view_mesh *woven)
{
    uint32_t *indices = base_alloc(ribbons->index_count, sizeof *indices);
    if (indices == NULL)
        return SHEAF_ERR_MEMORY;
    view_ribbons_index(ribbons, subject, indices);
    view_mesh_set_indices(woven, indices, ribbons->index_count);
    base_free(indices);
    return view_gl_status("drawing strands");
}

static sheaf_status draw_woven(const sitting *s, view_ribbons *ribbons, const view_subject *subject, view_mesh *woven)
{
    view_painter *painter = s->painter;
    if (ribbons->index_count == 0)
        return SHEAF_OK;
    view_corner *corners = view_mesh_map(woven, ribbons->corner_count * sizeof *corners);
    if (corners == NULL)
        return SHEAF_ERR_DEVICE;
    const double start = base_clock();
    const sheaf_status status = view_ribbons_fill(ribbons, subject, &s->eye, &painter->light, corners);
    painter->painted.strands += base_clock() - start;
    painter->painted.corners += ribbons->corner_count;
    SHEAF_TRY(view_mesh_unmap(woven));
    SHEAF_TRY(status);
    const size_t hair = ribbons->hair_index_count, all = ribbons->index_count;
    if (hair > 0) {
        const GLuint program = take_program(s, PROGRAM_HAIR);
        glUniform4fv(glGetUniformLocation(program, "fibres"), 2 * VIEW_MOST_FIBRES,
                     &painter->style.fibres[0].roughness);
        view_mesh_draw(woven, 0, hair);
    }
    if (hair < all) {
        take_program(s, PROGRAM_SURFACE);
        view_mesh_draw(woven, hair, all - hair);
    }
    return SHEAF_OK;
}

static sheaf_status draw_strands(const sitting *s)
{
    view_painter *painter = s->painter;
    return s->subject->hides_strands ? SHEAF_OK : draw_woven(s, &painter->ribbons, s->subject, &painter->strands);
}

// A block of strands that are made as they are drawn, in as many pieces as the others.
static sheaf_status draw_block(const sitting *s, uint64_t first, uint32_t count)
{
    view_painter *painter = s->painter;
    const view_fineness fineness = {.most_corners = UINT64_MAX,
                                    .parts = painter->ribbons.parts,
                                    .vertex_step = painter->ribbons.vertex_step,
                                    .thinnest = painter->ribbons.thinnest};
    view_subject block;
    SHEAF_TRY(s->subject->crowd->make(s->subject->crowd->maker, first, count, &block));
    SHEAF_TRY(view_ribbons_plan(&painter->crowd_ribbons, &block, fineness));
    painter->crowd_ribbons.line = painter->ribbons.line;
    SHEAF_TRY(index_strands(&painter->crowd_ribbons, &block, &painter->crowd));
    return draw_woven(s, &painter->crowd_ribbons, &block, &painter->crowd);
}

sheaf_status view_painter_more(view_painter *painter, double seconds, double *part)
{
    enum { BLOCKS_AT_ONCE = 4, SMALL_BLOCK = 512 };
    const sitting *s = &painter->sitting;
    const double start = base_clock();
    const uint64_t most = seconds < INFINITY ? SMALL_BLOCK : VIEW_CROWD_BLOCK;
    for (uint32_t blocks = 1; painter->crowd_next < painter->crowd_count; blocks++) {
        const uint64_t left = painter->crowd_count - painter->crowd_next, count = left < most ? left : most;
        SHEAF_TRY(draw_block(s, painter->crowd_next, (uint32_t)count));
        painter->crowd_next += count;
        if (seconds < INFINITY || blocks % BLOCKS_AT_ONCE == 0)
            glFinish(); // drivers keep the corners of all that waits to be drawn
        if (base_clock() - start > seconds)
            break;
    }
    painter->painted.strands_drawn = painter->ribbons.drawn + (uint32_t)painter->crowd_next;
    painter->painted.crowd_drawn = (uint32_t)painter->crowd_next;
    *part = painter->crowd_count > 0 ? (double)painter->crowd_next / (double)painter->crowd_count : 1;
    return view_gl_status("drawing");
}

// Share of the crowd that is drawn: none of it where colours show something that is known of the strands alone.
static double crowd_share(const view_painter *painter, const view_subject *subject)
{
    const view_quality *quality = &painter->quality;
    const uint64_t own = subject->hides_strands ? 0 : painter->ribbons.corner_count,
                   most = quality->fineness.most_corners;
    const uint64_t room = quality->crowd_corners > 0 ? quality->crowd_corners : most > own ? most - own : 0;
    if (subject->crowd == NULL || subject->values != NULL)
        return 0;
    const double each = 2.0 * painter->ribbons.parts / painter->ribbons.vertex_step; // corners of a vertex
    return fmin((double)room / fmax(each * (double)subject->crowd->vertex_count, 1), 1);
}

// ---- the whole

// From the upper left, behind the eye.
static void choose_light(view_painter *painter, const view_eye *eye, const double up[3])
{
    double *light = painter->style.light;
    if (!(vec_length(light) > 0)) {
        vec_scale(light, up, 0.95);
        vec_axpy(light, -0.65, eye->right);
        vec_axpy(light, -0.55, eye->forward);
    }
    vec_unit(light, light);
}

// From above and behind what is seen, on the other side than the light: it keeps to the eye, and outlines are lit from
// wherever one looks.
static void choose_rim(sitting *s)
{
    const double across = vec_dot(s->painter->style.light, s->eye.right) > 0 ? -0.75 : 0.75;
    vec_scale(s->rim, s->subject->up, 0.55);
    vec_axpy(s->rim, across, s->eye.right);
    vec_axpy(s->rim, 0.65, s->eye.forward);
    vec_unit(s->rim, s->rim);
}

// How finely strands are drawn, which holds until `is_new` is said again.
static sheaf_status plan(const sitting *s, double distance)
{
    view_painter *painter = s->painter;
    view_fineness fineness = painter->quality.fineness;
    const double step = fineness.vertex_step > 0 ? fineness.vertex_step : 1;
    const double edge = s->extent.length * step / fmax((double)view_vertex_count(s->subject), 1);
    fineness.parts = (uint32_t)fmin(fmax(ceil(edge / (s->eye.pixel * distance) / fineness.piece), 1), fineness.parts);
    SHEAF_TRY(view_ribbons_plan(&painter->ribbons, s->subject, fineness));
    SHEAF_TRY(index_strands(&painter->ribbons, s->subject, &painter->strands));
    return index_bodies(painter, s->subject);
}

static sheaf_status cast_shadows(const sitting *s, double distance, bool is_new)
{
    view_painter *painter = s->painter;
    const double half = 0.5 * painter->ribbons.line * s->eye.pixel * distance, start = base_clock();
    painter->painted = (view_painted){.strands_drawn = painter->ribbons.drawn};
    if (!is_new && ++painter->casts < painter->quality.light_every)
        return SHEAF_OK;
    painter->casts = 0;
    SHEAF_TRY(view_light_cast(&painter->light, s->subject, &s->extent, painter->style.light, half,
                              painter->quality.is_quick ? 0 : painter->crowd_count));
    painter->painted.light = base_clock() - start;
    return SHEAF_OK;
}

// Everything up to where drawing starts.
static sheaf_status prepare(sitting *s, const view_camera *camera, bool is_new)
{
    view_painter *painter = s->painter;
    const view_subject *subject = s->subject;
    s->extent = view_subject_measure(subject);
    choose_light(painter, &s->eye, subject->up);
    choose_rim(s);
    if (is_new)
        SHEAF_TRY(plan(s, camera->distance));
    const double share = crowd_share(painter, subject);
    const double length = s->extent.length + share * (s->extent.crowded - s->extent.length);
    painter->crowd_count = painter->crowd_next = 0;
    if (share > 0)
        SHEAF_TRY(subject->crowd->begin(subject->crowd->maker, share, &painter->crowd_count));
    view_ribbons_set_line(&painter->ribbons, subject, length, &s->eye, camera->distance);
    return cast_shadows(s, camera->distance, is_new);
}

static void start_picture(uint32_t width, uint32_t height)
{
    glViewport(0, 0, (GLsizei)width, (GLsizei)height);
    glEnable(GL_DEPTH_TEST);
    glClear(GL_DEPTH_BUFFER_BIT);
}

// The subject is kept, as far as drawing more of its crowd needs it.
static sheaf_status begin(view_painter *painter, const view_subject *subject, const view_camera *camera, uint32_t width,
                          uint32_t height, bool is_new)
{
    painter->subject = *subject;
    painter->sitting =
        (sitting){.painter = painter, .subject = &painter->subject, .eye = view_camera_eye(camera, width, height)};
    SHEAF_TRY(prepare(&painter->sitting, camera, is_new));
    start_picture(width, height);
    return draw_strands(&painter->sitting); // whose pixels cost least first: what is hidden by them is not coloured
}

static sheaf_status draw_rest(const view_painter *painter)
{
    SHEAF_TRY(draw_bodies(&painter->sitting));
    SHEAF_TRY(draw_ground(&painter->sitting));
    draw_sky(&painter->sitting);
    return view_gl_status("drawing");
}

sheaf_status view_painter_begin(view_painter *painter, const view_subject *subject, const view_camera *camera,
                                uint32_t width, uint32_t height, bool is_new)
{
    SHEAF_TRY(begin(painter, subject, camera, width, height, is_new));
    return draw_rest(painter);
}

sheaf_status view_painter_draw(view_painter *painter, const view_subject *subject, const view_camera *camera,
                               uint32_t width, uint32_t height, bool is_new)
{
    double part;
    SHEAF_TRY(begin(painter, subject, camera, width, height, is_new));
    SHEAF_TRY(view_painter_more(painter, INFINITY, &part));
    return draw_rest(painter);
}
