// portrait: one picture of a run's last frame, for pages.
#include "cli/portrait.h"

#include <stdlib.h>
#include <unistd.h>

#include "io/file.h"
#include "view/render.h"

enum { SAMPLE = 1 << 18, PNG_LIMIT = 64 << 20 };

static sheaf_status aim(cli_show *show, double aspect, view_camera *camera)
{
    double(*points)[3] = base_alloc(SAMPLE, sizeof *points);
    if (points == NULL)
        return SHEAF_ERR_MEMORY;
    const view_subject subject = view_stage_subject(&show->stage);
    const view_extent extent = view_subject_measure(&subject);
    const uint64_t count = view_subject_sample(&subject, points, SAMPLE);
    view_stage_place_ground(&show->stage, extent.lowest, extent.size);
    *camera = view_stage_camera(&show->stage, (const double(*)[3])points, count, aspect);
    base_free(points);
    return SHEAF_OK;
}

// Through a file of its own, which is gone afterwards.
static sheaf_status encode(const uint8_t *pixels, uint32_t width, uint32_t height, base_text *png)
{
    char path[] = "/tmp/sheaf-picture-XXXXXX";
    const int descriptor = mkstemp(path);
    if (descriptor < 0)
        return io_fail("create", path);
    close(descriptor);
    sheaf_status status = view_image_write(path, true, pixels, width, height);
    if (status == SHEAF_OK)
        status = io_file_read(path, PNG_LIMIT, png);
    (void)unlink(path);
    return status;
}

static sheaf_status draw(cli_show *show, uint32_t width, uint32_t height, base_text *png)
{
    const view_style style = view_stage_style(&show->stage);
    view_render *render = NULL;
    view_camera camera;
    const uint8_t *pixels;
    SHEAF_TRY(aim(show, (double)width / height, &camera));
    SHEAF_TRY(view_render_open(&style, width, height, &render));
    const view_subject subject = view_stage_subject(&show->stage);
    sheaf_status status = view_render_draw(render, &subject, &camera, &pixels);
    if (status == SHEAF_OK)
        status = encode(pixels, width, height, png);
    view_render_close(render);
    return status;
}

sheaf_status cli_portrait_draw(cli_show *show, uint32_t width, uint32_t height, base_text *png)
{
    view_reel reel;
    SHEAF_TRY(view_reel_open(&show->source, &reel));
    sheaf_status status = view_reel_load(&reel, reel.frame_count - 1, &show->stage);
    view_reel_close(&reel);
    if (status == SHEAF_OK)
        status = draw(show, width, height, png);
    return status;
}
