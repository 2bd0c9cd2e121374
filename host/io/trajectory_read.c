// trajectory_read: strands out of VTKHDF files, our own and those of others, finished or not.
#include "io/trajectory.h"

#include <string.h>

#include "io/hdf.h"

// A dataset can be larger than what is stored of it, but not by more than compression can explain.
enum { BEST_COMPRESSION = 1100, SLACK = 1 << 16 };

typedef struct reading {
    hid_t file, root, points;
    hid_t angles;           // of directors; negative: none
    uint64_t *offsets;      // [frame] first row of Points
    uint64_t *turns;        // [frame] first row of the angles
    uint64_t rows;          // of Points that a frame has
    uint64_t *connectivity; // [vertex] row of each vertex; NULL: as they lie
    void *buffer;           // [rows][3], where the rows are gathered from
    float *angle_buffer;    // [rows] likewise
} reading;

static sheaf_status fail(const groom_source *source, const char *what)
{
    return base_fail(SHEAF_ERR_INPUT, "%s: %s", source->input.name, what);
}

static void release(groom_source *source)
{
    reading *r = source->own;
    if (r == NULL)
        return;
    const io_hdf_quiet before = io_hdf_enter();
    if (r->points >= 0)
        H5Dclose(r->points);
    if (r->angles >= 0)
        H5Dclose(r->angles);
    if (r->root >= 0)
        H5Gclose(r->root);
    if (r->file >= 0)
        H5Fclose(r->file);
    io_hdf_leave(before);
    base_free(r->offsets);
    base_free(r->turns);
    base_free(r->angle_buffer);
    base_free(r->connectivity);
    base_free(r->buffer);
    base_free(r);
}

// ---- datasets

static bool has_link(hid_t group, const char *name)
{
    return H5Lexists(group, name, H5P_DEFAULT) > 0;
}

// Opens a dataset of a rank whose rows have `width` numbers; counts its rows. Negative: there is none, or it is
// another.
static hid_t open_dataset(hid_t group, const char *name, hsize_t width, uint64_t *rows)
{
    hsize_t size[2] = {0, 1};
    const hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT), space = dataset >= 0 ? H5Dget_space(dataset) : -1;
    const hid_t type = dataset >= 0 ? H5Dget_type(dataset) : -1;
    const int rank = width > 1 ? 2 : 1;
    bool ok = space >= 0 && type >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
              H5Sget_simple_extent_dims(space, size, NULL) == rank && size[1] == width &&
              (H5Tget_class(type) == H5T_INTEGER || H5Tget_class(type) == H5T_FLOAT) && H5Tget_size(type) <= 8;
    if (ok) {
        const uint64_t bytes = groom_times(groom_times(size[0], width), H5Tget_size(type));
        ok = bytes <= SLACK || bytes / BEST_COMPRESSION <= H5Dget_storage_size(dataset);
    }
    *rows = size[0];
    if (type >= 0)
        H5Tclose(type);
    if (space >= 0)
        H5Sclose(space);
    if (ok || dataset < 0)
        return dataset;
    H5Dclose(dataset);
    return -1;
}

// The first `count` rows of a dataset of whole numbers, or of reals, in new memory.
static sheaf_status read_dataset(const groom_source *source, hid_t group, const char *name, hid_t type, hsize_t width,
                                 uint64_t count, size_t size, void **values)
{
    uint64_t rows;
    char what[160];
    snprintf(what, sizeof what, "%s is missing, is shorter than it must be, has another shape, or is damaged", name);
    *values = NULL;
    const hid_t dataset = open_dataset(group, name, width, &rows);
    if (dataset < 0)
        return fail(source, what);
    bool ok = rows >= count;
    *values = ok ? base_alloc(count, width * size) : NULL;
    const bool memory = !ok || *values != NULL;
    ok = ok && memory && io_hdf_read(dataset, type, width, 0, count, *values);
    H5Dclose(dataset);
    if (!ok) {
        base_free(*values);
        *values = NULL;
    }
    return !memory ? SHEAF_ERR_MEMORY : ok ? SHEAF_OK : fail(source, what);
}

static sheaf_status read_one(const groom_source *source, hid_t group, const char *name, uint64_t *value)
{
    void *values;
    const sheaf_status status = read_dataset(source, group, name, H5T_NATIVE_UINT64, 1, 1, sizeof *value, &values);
    if (status == SHEAF_OK)
        *value = *(const uint64_t *)values;
    base_free(values);
    return status;
}

// ---- topology

static bool is_place(const uint64_t *connectivity, uint64_t count)
{
    for (uint64_t k = 0; k < count; k++)
        if (connectivity[k] != k)
            return false;
    return true;
}

static sheaf_status read_lines(groom_source *source, reading *r, hid_t lines)
{
    groom *g = &source->groom;
    uint64_t strands = 0;
    void *offsets = NULL, *connectivity = NULL;
    SHEAF_TRY(read_one(source, lines, "NumberOfCells", &strands));
    if (strands > UINT32_MAX)
        return fail(source, "more than 4294967295 lines");
    SHEAF_TRY(read_dataset(source, lines, "Offsets", H5T_NATIVE_UINT64, 1, strands + 1, sizeof(uint64_t), &offsets));
    const uint64_t *ends = offsets, count = ends[strands];
    bool ok = ends[0] == 0;
    for (uint64_t s = 0; s < strands && ok; s++)
        ok = ends[s] <= ends[s + 1];
    sheaf_status status = ok ? SHEAF_OK : fail(source, "the offsets of the lines do not grow");
    if (status == SHEAF_OK)
        status =
            read_dataset(source, lines, "Connectivity", H5T_NATIVE_UINT64, 1, count, sizeof(uint64_t), &connectivity);
    r->connectivity = connectivity;
    for (uint64_t k = 0; status == SHEAF_OK && k < count; k++)
        if (r->connectivity[k] >= r->rows)
            status = fail(source, "a line goes through a point that is not there");
    if (status == SHEAF_OK)
        status = groom_allocate(g, strands, count,
                                (has_link(r->root, "PointData/radius") ? GROOM_WIDTH : 0u) |
                                    (r->angles >= 0 ? GROOM_DIRECTOR : 0u));
    if (status == SHEAF_OK)
        memcpy(g->first_vertex, ends, (strands + 1) * sizeof *ends);
    base_free(offsets);
    return status;
}

// Points go straight into the groom where lines take them in order.
static sheaf_status choose_buffer(reading *r, const groom *g)
{
    if (g->vertex_count == r->rows && is_place(r->connectivity, r->rows)) {
        base_free(r->connectivity);
        r->connectivity = NULL;
        return SHEAF_OK;
    }
    r->buffer = base_alloc(r->rows, groom_point_size(g));
    r->angle_buffer = r->angles >= 0 ? base_alloc(r->rows, sizeof *r->angle_buffer) : NULL;
    return r->buffer != NULL && (r->angles < 0 || r->angle_buffer != NULL) ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

// ---- frames

static sheaf_status load_angles(const groom_source *source, uint64_t frame)
{
    const reading *r = source->own;
    const groom *g = &source->groom;
    float *into = r->angle_buffer != NULL ? r->angle_buffer : g->director_angle;
    char what[128];
    snprintf(what, sizeof what,
             "the angles of directors of frame %llu cannot be read, do not match their checksum, or are no angles",
             (unsigned long long)frame);
    const io_hdf_quiet before = io_hdf_enter();
    bool ok = io_hdf_read(r->angles, H5T_NATIVE_FLOAT, 1, r->turns != NULL ? r->turns[frame] : 0, r->rows, into);
    io_hdf_leave(before);
    for (uint64_t k = 0; ok && k < g->vertex_count; k++) {
        if (r->angle_buffer != NULL)
            g->director_angle[k] = r->angle_buffer[r->connectivity[k]];
        ok = g->director_angle[k] > -1e6f && g->director_angle[k] < 1e6f; // false for what is no number, too
    }
    return ok ? SHEAF_OK : fail(source, what);
}

static sheaf_status load(groom_source *source, uint64_t frame)
{
    const reading *r = source->own;
    groom *g = &source->groom;
    const size_t size = groom_point_size(g);
    const io_hdf_quiet before = io_hdf_enter();
    const bool ok = io_hdf_read(r->points, g->is_double ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT, 3, r->offsets[frame],
                                r->rows, r->buffer != NULL ? r->buffer : g->positions);
    io_hdf_leave(before);
    char what[128];
    snprintf(what, sizeof what, "the points of frame %llu cannot be read, or do not match their checksum",
             (unsigned long long)frame);
    if (!ok)
        return fail(source, what);
    for (uint64_t k = 0; r->buffer != NULL && k < g->vertex_count; k++)
        memcpy((char *)g->positions + k * size, (const char *)r->buffer + r->connectivity[k] * size, size);
    if (g->director_angle != NULL)
        SHEAF_TRY(load_angles(source, frame));
    return groom_check_positions(g, source->input.name, true);
}

// How many frames are whole: a writer that was killed may have left more of one array than of another.
static uint64_t count_frames(hid_t steps)
{
    static const char *const names[] = {"Values", "PointOffsets"};
    int64_t stated = 0;
    io_hdf_get_number(steps, "NSteps", H5T_NATIVE_INT64, &stated);
    uint64_t frames = stated > 0 ? (uint64_t)stated : 0;
    for (int k = 0; k < 2; k++) {
        uint64_t rows = 0;
        const hid_t dataset = open_dataset(steps, names[k], 1, &rows);
        frames = dataset < 0 ? 0 : rows < frames ? rows : frames;
        if (dataset >= 0)
            H5Dclose(dataset);
    }
    return frames;
}

static sheaf_status check_static(const groom_source *source, hid_t steps, uint64_t frames)
{
    static const char *const names[] = {"CellOffsets", "ConnectivityIdOffsets"};
    for (int k = 0; k < 2; k++) {
        void *values;
        SHEAF_TRY(read_dataset(source, steps, names[k], H5T_NATIVE_UINT64, 4, frames, sizeof(uint64_t), &values));
        const uint64_t(*offsets)[4] = values;
        bool same = true;
        for (uint64_t i = 0; i < frames && same; i++)
            same = offsets[i][1] == 0; // lines are the second kind of cells
        base_free(values);
        if (!same)
            return fail(source, "the lines are others at another time, which is not read");
    }
    return SHEAF_OK;
}

static sheaf_status read_steps(groom_source *source, reading *r, hid_t steps)
{
    source->frame_count = count_frames(steps);
    if (source->frame_count == 0)
        return fail(source, "there is no frame in it yet");
    void *times = NULL, *offsets = NULL;
    sheaf_status status =
        read_dataset(source, steps, "Values", H5T_NATIVE_DOUBLE, 1, source->frame_count, sizeof(double), &times);
    source->times = times;
    if (status == SHEAF_OK)
        status = read_dataset(source, steps, "PointOffsets", H5T_NATIVE_UINT64, 1, source->frame_count,
                              sizeof(uint64_t), &offsets);
    r->offsets = offsets;
    for (uint64_t k = 0; status == SHEAF_OK && k < source->frame_count; k++)
        if (!(source->times[k] >= -1e12 && source->times[k] <= 1e12) ||
            (k > 0 && source->times[k] <= source->times[k - 1]))
            status = fail(source, "the times of its frames do not grow");
    return status == SHEAF_OK ? check_static(source, steps, source->frame_count) : status;
}

static sheaf_status read_frames(groom_source *source, reading *r)
{
    if (!has_link(r->root, "Steps")) {
        r->offsets = base_alloc(1, sizeof *r->offsets);
        return r->offsets != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
    }
    const hid_t steps = H5Gopen2(r->root, "Steps", H5P_DEFAULT);
    const sheaf_status status = steps >= 0 ? read_steps(source, r, steps) : fail(source, "Steps is no group");
    if (steps >= 0)
        H5Gclose(steps);
    return status;
}

// ---- the whole

// Angles that our own runs write; those of others may mean something else.
static sheaf_status open_angles(const groom_source *source, reading *r)
{
    uint64_t rows;
    void *turns = NULL;
    if (!has_link(r->file, "Sheaf") || !has_link(r->root, "PointData") || !has_link(r->root, IO_TRAJECTORY_ANGLES))
        return SHEAF_OK;
    r->angles = open_dataset(r->root, IO_TRAJECTORY_ANGLES, 1, &rows);
    if (r->angles < 0)
        return fail(source, IO_TRAJECTORY_ANGLES " has another shape, or was not written");
    if (has_link(r->root, "Steps"))
        SHEAF_TRY(read_dataset(source, r->root, "Steps/PointDataOffsets/director_angle", H5T_NATIVE_UINT64, 1,
                               source->frame_count, sizeof(uint64_t), &turns));
    r->turns = turns;
    for (uint64_t k = 0; k < source->frame_count; k++)
        if (r->rows > rows || (r->turns != NULL && r->turns[k] > rows - r->rows))
            return fail(source, IO_TRAJECTORY_ANGLES " is shorter than the frames need");
    return SHEAF_OK;
}

static sheaf_status open_points(groom_source *source, reading *r)
{
    uint64_t rows;
    r->points = open_dataset(r->root, "Points", 3, &rows);
    if (r->points < 0)
        return fail(source, "Points is missing, or is no array of three columns that was written");
    const hid_t type = H5Dget_type(r->points);
    source->groom.is_double = type >= 0 && H5Tget_size(type) == 8;
    if (type >= 0)
        H5Tclose(type);
    SHEAF_TRY(read_one(source, r->root, "NumberOfPoints", &r->rows));
    SHEAF_TRY(read_frames(source, r));
    for (uint64_t k = 0; k < source->frame_count; k++)
        if (r->rows > rows || r->offsets[k] > rows - r->rows)
            return fail(source, "Points is shorter than the frames need");
    return open_angles(source, r);
}

// Arrays that do not move: radii as widths, and numbers of strands.
static sheaf_status read_arrays(groom_source *source, const reading *r)
{
    groom *g = &source->groom;
    void *radius = NULL, *ids = NULL;
    if (g->width != NULL) {
        const sheaf_status status =
            read_dataset(source, r->root, "PointData/radius", H5T_NATIVE_FLOAT, 1, r->rows, sizeof(float), &radius);
        for (uint64_t k = 0; status == SHEAF_OK && k < g->vertex_count; k++)
            g->width[k] = 2 * ((const float *)radius)[r->connectivity != NULL ? r->connectivity[k] : k];
        base_free(radius);
        SHEAF_TRY(status);
    }
    if (!has_link(r->root, "CellData") || !has_link(r->root, "CellData/strand"))
        return SHEAF_OK;
    SHEAF_TRY(
        read_dataset(source, r->root, "CellData/strand", H5T_NATIVE_UINT32, 1, g->strand_count, sizeof *g->ids, &ids));
    g->ids = ids;
    for (uint64_t s = 0; s < g->strand_count; s++)
        if (g->ids[s] != s)
            return SHEAF_OK;
    base_free(g->ids); // they say nothing
    g->ids = NULL;
    return SHEAF_OK;
}

static void read_facts(const reading *r, groom *g, base_text *notes)
{
    const hid_t group = has_link(r->file, "Sheaf") ? H5Gopen2(r->file, "Sheaf", H5P_DEFAULT) : -1;
    char up[IO_HDF_TEXT];
    double metres = 0;
    int64_t format = 1;
    if (group < 0)
        return;
    io_hdf_get_number(group, "metres_per_unit", H5T_NATIVE_DOUBLE, &metres);
    io_hdf_get_text(group, "up", up);
    io_hdf_get_number(group, "format", H5T_NATIVE_INT64, &format);
    H5Gclose(group);
    if (format > IO_TRAJECTORY_FORMAT)
        base_text_add(notes, "written by a later version of Sheaf; what this one does not know is passed over\n");
    if (metres >= 1e-12 && metres <= 1e12)
        g->metres_per_unit = metres;
    if (up[0] >= 'x' && up[0] <= 'z' && up[1] == 0)
        g->up = (groom_up)(GROOM_UP_X + (up[0] - 'x'));
}

static sheaf_status open_root(const groom_source *source, reading *r, const char *path)
{
    const hid_t access = io_hdf_access();
    char type[IO_HDF_TEXT] = "";
    r->file = access >= 0 ? H5Fopen(path, H5F_ACC_RDONLY, access) : -1;
    if (access >= 0)
        H5Pclose(access);
    if (r->file < 0)
        return fail(source, "HDF5 cannot open it: it is damaged, or was cut short");
    r->root = has_link(r->file, "VTKHDF") ? H5Gopen2(r->file, "VTKHDF", H5P_DEFAULT) : -1;
    if (r->root >= 0)
        io_hdf_get_text(r->root, "Type", type);
    return strcmp(type, "PolyData") == 0 ? SHEAF_OK : fail(source, "an HDF5 file, but no VTKHDF of the type PolyData");
}

static sheaf_status read_file(groom_source *source, reading *r, const char *path)
{
    SHEAF_TRY(open_root(source, r, path));
    SHEAF_TRY(open_points(source, r));
    const hid_t lines = has_link(r->root, "Lines") ? H5Gopen2(r->root, "Lines", H5P_DEFAULT) : -1;
    const sheaf_status status = lines >= 0 ? read_lines(source, r, lines) : fail(source, "there are no lines in it");
    if (lines >= 0)
        H5Gclose(lines);
    SHEAF_TRY(status);
    SHEAF_TRY(choose_buffer(r, &source->groom));
    SHEAF_TRY(read_arrays(source, r));
    read_facts(r, &source->groom, &source->notes);
    return SHEAF_OK;
}

sheaf_status io_trajectory_count(const char *path, uint64_t *frames)
{
    groom_source source = {0};
    base_printable(path, source.input.name, sizeof source.input.name);
    reading r = {.file = -1, .root = -1, .angles = -1};
    const io_hdf_quiet before = io_hdf_enter();
    const sheaf_status status = open_root(&source, &r, path);
    const hid_t steps = status == SHEAF_OK && has_link(r.root, "Steps") ? H5Gopen2(r.root, "Steps", H5P_DEFAULT) : -1;
    *frames = steps >= 0 ? count_frames(steps) : status == SHEAF_OK;
    if (steps >= 0)
        H5Gclose(steps);
    if (r.root >= 0)
        H5Gclose(r.root);
    if (r.file >= 0)
        H5Fclose(r.file);
    io_hdf_leave(before);
    return status;
}

// Arrays that nothing here needs, but other readers do.
static sheaf_status read_others(const groom_source *source)
{
    static const char *const names[] = {"Steps/PartOffsets", "Steps/NumberOfParts", "Steps/PointDataOffsets/radius",
                                        "Steps/CellDataOffsets/strand"};
    const reading *r = source->own;
    sheaf_status status = SHEAF_OK;
    const io_hdf_quiet before = io_hdf_enter();
    for (int k = 0; k < 4 && status == SHEAF_OK; k++) {
        void *values = NULL;
        if (H5Oexists_by_name(r->root, names[k], H5P_DEFAULT) > 0)
            status = read_dataset(source, r->root, names[k], H5T_NATIVE_UINT64, 1, source->frame_count,
                                  sizeof(uint64_t), &values);
        base_free(values);
    }
    io_hdf_leave(before);
    return status;
}

sheaf_status io_trajectory_check(groom_source *source)
{
    if (source->release != release)
        return SHEAF_OK;
    for (uint64_t frame = 1; frame < source->frame_count; frame++)
        SHEAF_TRY(groom_load(source, frame));
    return read_others(source);
}

sheaf_status io_trajectory_open(const char *path, groom_source *source)
{
    reading *r = source->own = base_alloc(1, sizeof *r);
    source->release = release;
    if (r == NULL)
        return SHEAF_ERR_MEMORY;
    r->file = r->root = r->points = r->angles = -1;
    const io_hdf_quiet before = io_hdf_enter();
    const sheaf_status status = read_file(source, r, path);
    io_hdf_leave(before);
    SHEAF_TRY(status);
    source->load = source->frame_count > 1 ? load : NULL;
    return load(source, 0);
}
