// positions: strands.csv, where vertices are: one row per vertex with strand, vertex, x, y, z.
#include "io/positions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "io/file.h"

static const char header[] = "strand,vertex,x_m,y_m,z_m\n";

enum { LONGEST_ROW = 160 };

bool io_positions_need_double(const uint64_t *first_vertex, uint32_t strand_count, const double (*positions)[3],
                              double farthest)
{
    double shortest = INFINITY, edge[3];
    for (uint32_t s = 0; s < strand_count; s++)
        for (uint64_t k = first_vertex[s]; k < first_vertex[s + 1]; k++) {
            for (int c = 0; c < 3; c++)
                farthest = fmax(farthest, fabs(positions[k][c]));
            if (k == first_vertex[s])
                continue;
            vec_sub(edge, positions[k], positions[k - 1]);
            if (vec_length(edge) > 0)
                shortest = fmin(shortest, vec_length(edge));
        }
    const float far = (float)farthest;
    return ((double)nextafterf(far, INFINITY) - (double)far) / 2 > 1e-5 * shortest;
}

static void add_strand(base_text *rows, uint32_t number, uint64_t count, const double (*positions)[3], bool all_digits)
{
    for (uint64_t k = 0; k < count; k++) {
        base_text_add_whole(rows, number);
        base_text_add_bytes(rows, ",", 1);
        base_text_add_whole(rows, k);
        for (int c = 0; c < 3; c++) {
            base_text_add_bytes(rows, ",", 1);
            if (all_digits)
                base_text_add(rows, "%.17g", positions[k][c]);
            else
                base_text_add_real(rows, positions[k][c]);
        }
        base_text_add_bytes(rows, "\n", 1);
    }
}

sheaf_status io_positions_write(const char *path, const sheaf_model *model, uint32_t stride,
                                const double (*positions)[3])
{
    io_file file;
    base_text rows = {0}; // of one strand
    const bool all_digits = io_positions_need_double(model->first_vertex, model->strand_count, positions, 0);
    SHEAF_TRY(io_file_create(path, true, &file));
    fprintf(file.stream, "%s", header);
    for (uint32_t s = 0; s < model->strand_count; s++) {
        rows.length = 0;
        add_strand(&rows, s * stride, model_vertex_count(model, s), positions + model->first_vertex[s], all_digits);
        (void)fwrite(base_text_get(&rows), 1, rows.length, file.stream); // an error stays in the stream until commit
    }
    const sheaf_status status = base_text_status(&rows);
    base_text_free(&rows);
    if (status == SHEAF_OK)
        return io_file_commit(&file);
    io_file_abandon(&file);
    return status;
}

void io_bounds_none(double low[3], double high[3])
{
    for (int c = 0; c < 3; c++)
        low[c] = INFINITY, high[c] = -INFINITY;
}

void io_bounds_add(double low[3], double high[3], const double point[3])
{
    for (int c = 0; c < 3; c++) {
        low[c] = fmin(low[c], point[c]);
        high[c] = fmax(high[c], point[c]);
    }
}

bool io_positions_recognise(const char *start)
{
    return strncmp(start, header, sizeof header - 1) == 0;
}

// Reads the numbers of a row, each ended by a comma but the last by a line end.
static bool read_row(const char *row, double numbers[5])
{
    for (int k = 0; k < 5; k++) {
        char *end;
        numbers[k] = strtod(row, &end);
        if (end == row || *end != (k < 4 ? ',' : '\n') || !isfinite(numbers[k]))
            return false;
        row = end + 1;
    }
    return true;
}

// Where a row may follow: the strand it belongs to and its next vertex.
typedef struct cursor {
    double strand, vertex;
} cursor;

// Vertices of a strand are counted from 0, strands with growing numbers.
static bool add_row(io_positions_summary *summary, cursor *next, const double numbers[5])
{
    if (numbers[1] == 0 && numbers[0] > next->strand) {
        summary->strands++;
        *next = (cursor){numbers[0], 0};
    }
    if (numbers[0] != next->strand || numbers[1] != next->vertex)
        return false;
    next->vertex += 1;
    summary->vertices++;
    io_bounds_add(summary->low, summary->high, numbers + 2);
    return true;
}

sheaf_status io_positions_scan(const char *path, io_positions_summary *summary, char *problem, size_t size)
{
    *summary = (io_positions_summary){0};
    io_bounds_none(summary->low, summary->high);
    problem[0] = 0;
    FILE *stream = fopen(path, "re");
    if (stream == NULL)
        return io_fail("read", path);
    char row[LONGEST_ROW], shown[512];
    const bool recognised = fgets(row, sizeof row, stream) != NULL && io_positions_recognise(row);
    double numbers[5];
    cursor next = {-1, 0};
    while (recognised && problem[0] == 0 && fgets(row, sizeof row, stream) != NULL)
        if (!read_row(row, numbers) || !add_row(summary, &next, numbers))
            snprintf(problem, size, "line %llu is damaged or cut short; %llu rows before it are good",
                     (unsigned long long)summary->vertices + 2, (unsigned long long)summary->vertices);
    const bool failed = ferror(stream) != 0;
    const sheaf_status status = failed ? io_fail("read", path) : SHEAF_OK;
    (void)fclose(stream);
    if (!failed && !recognised)
        return base_fail(SHEAF_ERR_INPUT, "'%s' is not a file of positions: its first line must be %.*s",
                         base_printable(path, shown, sizeof shown), (int)strlen(header) - 1, header);
    return status;
}
