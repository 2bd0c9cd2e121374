// stiffened: writing the strands that were made stiffer, and counting them.
#include "io/stiffened.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// factor: on the material's bending and twisting stiffness; wished: the one that holds with the margin, which the limit
// of the scene may have cut.
static const char header[] = "strand,factor,wished\n";

enum { LONGEST_ROW = 160 };

sheaf_status io_stiffened_write(const io_folder *folder, const sheaf_model *model)
{
    base_text text = {0};
    uint32_t count = 0;
    base_text_add(&text, "%s", header);
    for (uint32_t s = 0; s < model->strand_count; s++)
        if (model->strands[s].stiffening > 1) {
            base_text_add(&text, "%u,%.6g,%.6g\n", s, model->strands[s].stiffening,
                          model->strands[s].stiffening_wished);
            count++;
        }
    sheaf_status status = base_text_status(&text);
    if (status == SHEAF_OK && count > 0)
        status = io_folder_write(folder, IO_STIFFENED_NAME, &text);
    base_text_free(&text);
    return status;
}

bool io_stiffened_recognise(const char *start)
{
    return strncmp(start, header, sizeof header - 1) == 0;
}

// A row is a strand behind the last one and two factors, both above 1.
static bool add_row(const char *row, double *last, double *most)
{
    double values[3];
    for (int k = 0; k < 3; k++) {
        char *end;
        values[k] = strtod(row, &end);
        if (end == row || *end != (k < 2 ? ',' : '\n'))
            return false;
        row = end + 1;
    }
    if (!(values[0] > *last && values[1] > 1 && values[2] >= values[1]))
        return false;
    *last = values[0];
    *most = fmax(*most, values[1]);
    return true;
}

sheaf_status io_stiffened_scan(const char *path, uint64_t *strands, double *most, char *problem, size_t size)
{
    *strands = 0;
    *most = 1;
    problem[0] = 0;
    FILE *stream = fopen(path, "re");
    if (stream == NULL)
        return io_fail("read", path);
    char row[LONGEST_ROW], shown[512];
    const bool recognised = fgets(row, sizeof row, stream) != NULL && io_stiffened_recognise(row);
    double last = -1;
    while (recognised && problem[0] == 0 && fgets(row, sizeof row, stream) != NULL) {
        if (add_row(row, &last, most))
            ++*strands;
        else
            snprintf(problem, size, "line %llu is damaged or cut short", (unsigned long long)*strands + 2);
    }
    const bool failed = ferror(stream) != 0;
    const sheaf_status status = failed ? io_fail("read", path) : SHEAF_OK;
    (void)fclose(stream);
    if (!failed && !recognised)
        return base_fail(SHEAF_ERR_INPUT,
                         "'%s' is not a list of strands that were made stiffer: its first line must be %.*s",
                         base_printable(path, shown, sizeof shown), (int)strlen(header) - 1, header);
    return status;
}
