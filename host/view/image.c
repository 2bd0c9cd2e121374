// image: pictures as PNG files.
#include "view/render.h"

#include <png.h>

#include "io/file.h"

sheaf_status view_image_write(const char *path, bool replace, const uint8_t *pixels, uint32_t width, uint32_t height)
{
    png_image image = {.version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGB};
    io_file file;
    SHEAF_TRY(io_file_create(path, replace, &file));
    if (png_image_write_to_stdio(&image, file.stream, 0, pixels, 0, NULL) != 0)
        return io_file_commit(&file);
    io_file_abandon(&file);
    return base_fail(SHEAF_ERR_IO, "cannot write '%s': %s", path, image.message);
}
