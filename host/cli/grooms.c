// grooms: files of strands as commands take them.
#include "cli/grooms.h"

#include <math.h>
#include <string.h>

#include "groom/kind.h"
#include "io/file.h"
#include "scene/units.h"

const char *const cli_axes[] = {"x", "y", "z", NULL};

const groom_format *cli_groom_format(const char *path, sheaf_status *status)
{
    groom_input input;
    unsigned char start[GROOM_KIND_BYTES];
    char shown[512];
    *status = groom_input_open(path, &input);
    if (*status != SHEAF_OK)
        return NULL;
    const uint64_t length = input.size < sizeof start ? input.size : sizeof start;
    *status = groom_read(&input, start, length);
    groom_input_close(&input);
    const groom_format *format = *status == SHEAF_OK ? groom_recognise(io_formats, start, length, path) : NULL;
    const groom_kind *kind = *status == SHEAF_OK ? groom_kind_of(start, length) : NULL;
    base_printable(path, shown, sizeof shown);
    if (*status == SHEAF_OK && kind != NULL && (format == NULL || !groom_is_read(format)))
        *status = base_fail(SHEAF_ERR_INPUT, "'%s' is %s, no file of strands: %s", shown, kind->name, kind->advice);
    else if (*status == SHEAF_OK && (format == NULL || !groom_is_read(format)))
        *status = base_fail(SHEAF_ERR_INPUT,
                            "'%s' is no file of strands that can be read; sheaf convert --formats lists them", shown);
    return *status == SHEAF_OK ? format : NULL;
}

bool cli_read_unit(const char *word, double *metres)
{
    char one[64];
    scene_quantity quantity;
    scene_fault fault;
    const bool digits = word[0] >= '0' && word[0] <= '9';
    snprintf(one, sizeof one, "%s%.60s", digits ? "" : "1 ", word);
    if (strlen(word) > 60 || !scene_parse_quantity(one, strlen(one), &quantity, &fault))
        return false;
    *metres = quantity.value;
    return (quantity.bare || scene_dimension_fits(quantity.dimension, scene_unit_dimension("m"))) && *metres >= 1e-12 &&
           *metres <= 1e12;
}

void cli_format_unit(double metres, char *text, size_t size)
{
    static const struct {
        double metres;
        const char *name;
    } units[] = {{1, "m"}, {0.01, "cm"}, {0.001, "mm"}, {1e-6, "um"}, {1000, "km"}};
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++)
        if (fabs(metres / units[k].metres - 1) < 1e-9) {
            snprintf(text, size, "%s", units[k].name);
            return;
        }
    snprintf(text, size, "%.9g m", metres);
}
