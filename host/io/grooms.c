// grooms: the table of formats, and saving in any of them.
#include "io/grooms.h"

#include "io/file.h"
#include "io/sequence.h"
#include "io/trajectory.h"

const groom_format *const io_formats[] = {
    &io_format_vtkhdf,  &groom_format_usda, &groom_format_hair, &groom_format_npy, &groom_format_ply,
    &groom_format_data, &groom_format_vtp,  &io_format_pvd,     &groom_format_csv, NULL,
};

sheaf_status io_groom_save(const groom_format *format, groom_source *source, const char *path, bool replace)
{
    if (format->save != NULL)
        return format->save(source, path, replace);
    io_file file;
    SHEAF_TRY(io_file_create(path, replace, &file));
    const sheaf_status status = groom_write(format, source, file.stream);
    if (status == SHEAF_OK)
        return io_file_commit(&file);
    io_file_abandon(&file);
    return status;
}

void io_formats_write_markdown(base_text *out)
{
    base_text_add(out, "| format | ending | read | written | many frames | says unit and up | keeps |\n"
                       "|---|---|---|---|---|---|---|\n");
    for (const groom_format *const *row = io_formats; *row != NULL; row++) {
        const groom_format *f = *row;
        base_text_add(out, "| %s | `%s` | %s | %s | %s | %s | %s |\n", f->summary, f->extension,
                      groom_is_read(f) ? "yes" : "no", groom_is_written(f) ? "yes" : "no", f->has_time ? "yes" : "no",
                      f->says_space ? "yes" : "no", f->keeps);
    }
}
