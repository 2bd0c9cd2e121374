// unstable: writing the strands that will not stay at rest, and counting them.
#include "io/unstable.h"

#include "strand/balance.h"

#include <stdlib.h>
#include <string.h>

static const char header[] = "strand,reason\n";

enum { LONGEST_ROW = 160 };

sheaf_status io_unstable_write(const io_folder *folder, const sheaf_imbalance *list, uint32_t count)
{
    if (count == 0)
        return SHEAF_OK;
    base_text text = {0};
    base_text_add(&text, "%s", header);
    for (uint32_t k = 0; k < count; k++)
        base_text_add(&text, "%u,%s\n", list[k].strand, list[k].reason);
    sheaf_status status = base_text_status(&text);
    if (status == SHEAF_OK)
        status = io_folder_write(folder, IO_UNSTABLE_NAME, &text);
    base_text_free(&text);
    return status;
}

bool io_unstable_recognise(const char *start)
{
    return strncmp(start, header, sizeof header - 1) == 0;
}

// A row is a strand behind the last one, and a reason.
static bool add_row(io_unstable_summary *summary, double *last, const char *row)
{
    char *end;
    const double strand = strtod(row, &end);
    if (end == row || *end != ',' || !(strand > *last))
        return false;
    const size_t length = strcspn(end + 1, ",\n");
    if (length == 0 || end[1 + length] != '\n')
        return false;
    *last = strand;
    summary->strands++;
    summary->falling += strcmp(end, "," BALANCE_WOULD_FALL "\n") == 0;
    return true;
}

sheaf_status io_unstable_scan(const char *path, io_unstable_summary *summary, char *problem, size_t size)
{
    *summary = (io_unstable_summary){0};
    problem[0] = 0;
    FILE *stream = fopen(path, "re");
    if (stream == NULL)
        return io_fail("read", path);
    char row[LONGEST_ROW], shown[512];
    const bool recognised = fgets(row, sizeof row, stream) != NULL && io_unstable_recognise(row);
    double last = -1;
    while (recognised && problem[0] == 0 && fgets(row, sizeof row, stream) != NULL)
        if (!add_row(summary, &last, row))
            snprintf(problem, size, "line %llu is damaged or cut short", (unsigned long long)summary->strands + 2);
    const bool failed = ferror(stream) != 0;
    const sheaf_status status = failed ? io_fail("read", path) : SHEAF_OK;
    (void)fclose(stream);
    if (!failed && !recognised)
        return base_fail(SHEAF_ERR_INPUT, "'%s' is not a list of strands that fall: its first line must be %.*s",
                         base_printable(path, shown, sizeof shown), (int)strlen(header) - 1, header);
    return status;
}
