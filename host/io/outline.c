// outline: reading the heads of .vtp and .pvd files, and the rows of .csv files.
#include "io/outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEAD_SIZE = 4096,
    LONGEST_ROW = 256,
    LARGEST_INDEX = 64 << 20 // bytes of a .pvd
};

static const char csv_start[] = "frame,time_s,strand,vertex,x";

static bool is_csv(const char *start)
{
    return strncmp(start, csv_start, sizeof csv_start - 1) == 0;
}

static bool is_vtk(const char *start, const char *type)
{
    const char *found = strncmp(start, "<?xml", 5) == 0 ? strstr(start, "<VTKFile type=\"") : NULL;
    return found != NULL && strncmp(found + 15, type, strlen(type)) == 0 && found[15 + strlen(type)] == '"';
}

bool io_outline_recognise(const char *start)
{
    return is_csv(start) || is_vtk(start, "PolyData") || is_vtk(start, "Collection");
}

// The number behind `mark`; NAN: there is none.
static double number_after(const char *text, const char *mark)
{
    const char *found = strstr(text, mark);
    char *end;
    const double value = found != NULL ? strtod(found + strlen(mark), &end) : NAN;
    return found != NULL && end != found + strlen(mark) && isfinite(value) ? value : NAN;
}

static uint64_t count_after(const char *text, const char *mark)
{
    const double value = number_after(text, mark);
    return value >= 0 && value < 1e15 ? (uint64_t)value : 0;
}

// ---- .vtp: the points of one moment

static void read_vtp(const char *head, io_outline *outline, char *problem, size_t size)
{
    const char *time = strstr(head, "Name=\"TimeValue\"");
    outline->format = "vtp";
    outline->frames = 1;
    outline->vertices = count_after(head, "NumberOfPoints=\"");
    outline->strands = count_after(head, "NumberOfLines=\"");
    if (time != NULL)
        outline->first_time = outline->last_time = number_after(time, ">");
    if (strstr(head, "NumberOfPoints=\"") == NULL)
        snprintf(problem, size, "its head says nothing of points: it is damaged, or cut short");
}

// ---- .pvd: names of files with their times

static sheaf_status read_pvd(const char *path, io_outline *outline, char *problem, size_t size)
{
    base_text text;
    outline->format = "pvd";
    SHEAF_TRY(io_file_read(path, LARGEST_INDEX, &text));
    const char *at = base_text_get(&text);
    while ((at = strstr(at, "<DataSet ")) != NULL) {
        const double time = number_after(at, "timestep=\"");
        if (outline->frames++ == 0)
            outline->first_time = time;
        outline->last_time = time;
        at++;
    }
    if (strstr(base_text_get(&text), "</VTKFile>") == NULL)
        snprintf(problem, size, "it is cut short");
    base_text_free(&text);
    return SHEAF_OK;
}

// ---- .csv: a row for each vertex and frame

// Adds a row: frame, time (which may be empty), strand, vertex.
static bool add_row(io_outline *outline, double last[2], const char *row)
{
    char *end;
    const double frame = strtod(row, &end);
    if (end == row || *end != ',' || strchr(end, '\n') == NULL)
        return false;
    const char *next = end + 1;
    const double time = strtod(next, &end);
    const bool has_time = end != next;
    next = *end == ',' ? end + 1 : "";
    const double strand = strtod(next, &end);
    if (end == next || *end != ',' || !(frame >= last[0]))
        return false;
    if (frame > last[0] || outline->frames == 0) {
        outline->frames++;
        last[1] = -1;
        outline->last_time = has_time ? time : NAN;
        outline->first_time = outline->frames == 1 ? outline->last_time : outline->first_time;
    }
    outline->strands += outline->frames == 1 && strand != last[1];
    outline->vertices += outline->frames == 1;
    last[0] = frame;
    last[1] = strand;
    return true;
}

static sheaf_status read_csv(const char *path, io_outline *outline, char *problem, size_t size)
{
    char row[LONGEST_ROW];
    double last[2] = {-1, -1}; // frame and strand of the row before
    uint64_t lines = 1;
    FILE *stream = fopen(path, "re");
    if (stream == NULL)
        return io_fail("read", path);
    outline->format = "csv";
    bool good = fgets(row, sizeof row, stream) != NULL;
    for (; good && fgets(row, sizeof row, stream) != NULL; lines++)
        good = add_row(outline, last, row);
    if (!good)
        snprintf(problem, size, "line %llu is damaged or cut short", (unsigned long long)lines);
    const sheaf_status status = ferror(stream) ? io_fail("read", path) : SHEAF_OK;
    (void)fclose(stream);
    return status;
}

sheaf_status io_outline_read(const char *path, io_outline *outline, char *problem, size_t size)
{
    char head[HEAD_SIZE];
    *outline = (io_outline){.first_time = NAN, .last_time = NAN};
    problem[0] = 0;
    SHEAF_TRY(io_file_peek(path, head, sizeof head));
    if (is_csv(head))
        return read_csv(path, outline, problem, size);
    if (is_vtk(head, "Collection"))
        return read_pvd(path, outline, problem, size);
    read_vtp(head, outline, problem, size);
    return SHEAF_OK;
}
