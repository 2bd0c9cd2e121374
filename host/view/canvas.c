// canvas: a picture in memory, drawn twice as large and with several samples per pixel, and then reduced in linear
// light.
#include "view/context.h"

#include <math.h>

#include "view/gl.h"

enum { SAMPLES = 4, LEVELS = 4096 };

struct view_canvas {
    uint32_t width, height;
    uint32_t scale;             // times larger that it is drawn
    GLuint drawn, resolved;     // framebuffers
    GLuint colour, depth, flat; // their buffers
    uint8_t *large;             // [scale height][scale width][4]
    uint8_t *pixels;            // [height][width][3]
    uint16_t to_linear[256];    // screen value to linear light, of LEVELS - 1
    uint8_t to_screen[LEVELS];
};

static void fill_tables(view_canvas *canvas)
{
    for (int k = 0; k < 256; k++) {
        const double x = k / 255.0;
        canvas->to_linear[k] =
            (uint16_t)lrint((LEVELS - 1) * (x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4)));
    }
    for (int k = 0; k < LEVELS; k++) {
        const double x = (double)k / (LEVELS - 1);
        canvas->to_screen[k] = (uint8_t)lrint(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055));
    }
}

static sheaf_status open_buffers(view_canvas *canvas)
{
    const GLsizei width = (GLsizei)(canvas->scale * canvas->width), height = (GLsizei)(canvas->scale * canvas->height);
    GLint most = 0, largest = 0;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
    if (width > largest || height > largest)
        return base_fail(SHEAF_ERR_LIMIT, "a picture of %u x %u: the graphics draw at most %d x %d", canvas->width,
                         canvas->height, largest / (GLint)canvas->scale, largest / (GLint)canvas->scale);
    const GLsizei samples = canvas->scale == 1 ? 0 : most < SAMPLES ? most : SAMPLES;
    glGenFramebuffers(1, &canvas->drawn);
    glGenFramebuffers(1, &canvas->resolved);
    glGenRenderbuffers(1, &canvas->colour);
    glGenRenderbuffers(1, &canvas->depth);
    glGenRenderbuffers(1, &canvas->flat);
    glBindRenderbuffer(GL_RENDERBUFFER, canvas->colour);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, width, height);
    glBindRenderbuffer(GL_RENDERBUFFER, canvas->depth);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT24, width, height);
    glBindRenderbuffer(GL_RENDERBUFFER, canvas->flat);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->resolved);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, canvas->flat);
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->drawn);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, canvas->colour);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, canvas->depth);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return base_fail(SHEAF_ERR_DEVICE, "the graphics driver gives no framebuffer of %d x %d pixels", width, height);
    return view_gl_status("making a canvas");
}

sheaf_status view_canvas_open(uint32_t width, uint32_t height, view_canvas_kind kind, view_canvas **canvas)
{
    *canvas = NULL;
    view_canvas *made = base_alloc(1, sizeof *made);
    if (made == NULL)
        return SHEAF_ERR_MEMORY;
    made->width = width;
    made->height = height;
    made->scale = kind == VIEW_CANVAS_SMOOTH ? 2 : 1;
    fill_tables(made);
    const size_t count = (size_t)width * height;
    made->large = base_alloc(count * made->scale * made->scale, 4);
    made->pixels = base_alloc(count, 3);
    sheaf_status status = made->large != NULL && made->pixels != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK)
        status = open_buffers(made);
    if (status == SHEAF_OK)
        *canvas = made;
    else
        view_canvas_close(made);
    return status;
}

void view_canvas_close(view_canvas *canvas)
{
    if (canvas == NULL)
        return;
    glDeleteFramebuffers(1, &canvas->drawn);
    glDeleteFramebuffers(1, &canvas->resolved);
    glDeleteRenderbuffers(1, &canvas->colour);
    glDeleteRenderbuffers(1, &canvas->depth);
    glDeleteRenderbuffers(1, &canvas->flat);
    base_free(canvas->large);
    base_free(canvas->pixels);
    base_free(canvas);
}

void view_canvas_bind(const view_canvas *canvas, uint32_t *width, uint32_t *height)
{
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->drawn);
    *width = canvas->scale * canvas->width;
    *height = canvas->scale * canvas->height;
}

// Rows of a large picture lie from bottom to top.
static void reduce(const view_canvas *canvas)
{
    const size_t row = (size_t)canvas->scale * canvas->width * 4;
    const size_t right = canvas->scale > 1 ? 4 : 0, above = canvas->scale > 1 ? row : 0; // the same pixel: a plain one
    uint8_t *out = canvas->pixels;
    for (uint32_t y = 0; y < canvas->height; y++) {
        const uint8_t *from = canvas->large + canvas->scale * (canvas->height - 1 - y) * row;
        for (uint32_t x = 0; x < canvas->width; x++, from += (size_t)4 * canvas->scale)
            for (size_t c = 0; c < 3; c++)
                *out++ =
                    canvas
                        ->to_screen[(canvas->to_linear[from[c]] + canvas->to_linear[from[c + right]] +
                                     canvas->to_linear[from[c + above]] + canvas->to_linear[from[c + right + above]]) /
                                    4];
    }
}

sheaf_status view_canvas_show(view_canvas *canvas, uint32_t width, uint32_t height)
{
    const GLint from_width = (GLint)(canvas->scale * canvas->width);
    const GLint from_height = (GLint)(canvas->scale * canvas->height);
    GLuint from = canvas->drawn;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas->drawn);
    if (canvas->scale > 1) { // several samples become one before sizes may change
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, canvas->resolved);
        glBlitFramebuffer(0, 0, from_width, from_height, 0, 0, from_width, from_height, GL_COLOR_BUFFER_BIT,
                          GL_NEAREST);
        from = canvas->resolved;
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, from_width, from_height, 0, 0, (GLint)width, (GLint)height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return view_gl_status("showing a picture");
}

sheaf_status view_canvas_read(view_canvas *canvas, const uint8_t **pixels)
{
    const GLsizei width = (GLsizei)(canvas->scale * canvas->width), height = (GLsizei)(canvas->scale * canvas->height);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas->drawn);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, canvas->resolved);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas->resolved);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, canvas->large);
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->drawn);
    SHEAF_TRY(view_gl_status("reading a picture"));
    reduce(canvas);
    *pixels = canvas->pixels;
    return SHEAF_OK;
}
