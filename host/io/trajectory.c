// trajectory: writing VTKHDF. Topology is written once; each frame adds points, then offsets, then its time and the
// count of frames, so that whatever was flushed last is whole.
#include "io/trajectory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file.h"
#include "io/hdf.h"

enum {
    ROWS_OF_CHUNK = 1 << 22,
    RESERVE = 1 << 20, // bytes that the file is longer than it needs to be
    INDICES = 1 << 16  // bytes that indices of frames grow by in one frame, at most
};

// Chunks of what has a row for each frame are written again, in place, with every frame, and a checksum spans all of a
// chunk. So they are no larger than a sector and lie within one: whoever reads them in between, or after a kill or a
// power cut, finds the old ones or the new ones. Bytes; what is smaller than SECTOR_LEAST is packed.
enum { SECTOR = 512, SECTOR_LEAST = 256, CHECKSUM = 4 };

// Half the chunks that a node of the tree over a dataset's chunks has room for. While there is room, adding a chunk
// leaves all of the tree that was there in place; when a node is divided, a writer that dies half-way takes older
// frames with it.
enum { TREE_LEAST = 32, TREE_MOST = 16384 };

// Datasets with one row for each frame.
enum {
    STEP_PART_OFFSETS,
    STEP_PARTS,
    STEP_POINTS,
    STEP_RADIUS,
    STEP_ANGLES,
    STEP_STRAND,
    STEP_CELLS,
    STEP_CONNECTIVITY,
    STEP_VALUES, // last: it may never be longer than the count of frames
    STEP_COUNT
};
static const struct {
    const char *name; // from the root
    hsize_t width;
} step_rows[STEP_COUNT] = {
    [STEP_PART_OFFSETS] = {"Steps/PartOffsets", 1},
    [STEP_PARTS] = {"Steps/NumberOfParts", 1},
    [STEP_POINTS] = {"Steps/PointOffsets", 1},
    [STEP_RADIUS] = {"Steps/PointDataOffsets/radius", 1},
    [STEP_ANGLES] = {"Steps/PointDataOffsets/director_angle", 1},
    [STEP_STRAND] = {"Steps/CellDataOffsets/strand", 1},
    [STEP_CELLS] = {"Steps/CellOffsets", 4},
    [STEP_CONNECTIVITY] = {"Steps/ConnectivityIdOffsets", 4},
    [STEP_VALUES] = {"Steps/Values", 1},
};

struct io_trajectory {
    char *path;
    hid_t file, points, steps; // steps: the group
    hid_t angles;              // negative: none are kept
    hid_t step[STEP_COUNT];
    uint64_t vertex_count, frames;
    int descriptor; // of the same file, to reserve room
    off_t reserved; // its length then
};

// Makes room for the next frame; false: there is none, and nothing was changed. A disk that is full in the midst of
// HDF5's writes would leave indices of which half is old, so what a frame takes at most is allocated before. HDF5 also
// writes down how long the file will be before it makes it so; whoever opened it in between, or after the writer died
// there, would find it cut short. So it is kept longer than it needs to be, by a hole that takes no room; that this
// fails does no harm.
static bool reserve(io_trajectory *t)
{
    haddr_t end;
    const uint64_t frame = t->vertex_count * (3 * sizeof(double) + sizeof(float));
    if (t->descriptor < 0 || H5Fget_eoa(t->file, &end) < 0)
        return true;
    const int problem = posix_fallocate(t->descriptor, (off_t)end, (off_t)(2 * frame + INDICES));
    if (problem == ENOSPC || problem == EDQUOT) {
        errno = problem;
        return false;
    }
    t->reserved = (off_t)(end + 2 * frame + RESERVE);
    (void)!ftruncate(t->descriptor, t->reserved);
    return true;
}

// Gives back what was reserved, once HDF5 has closed the file, unless it has given the file another length itself.
static void release_reserve(const io_trajectory *t, haddr_t end)
{
    if (t->descriptor < 0)
        return;
    struct stat found;
    if (fstat(t->descriptor, &found) == 0 && found.st_size == t->reserved)
        (void)!ftruncate(t->descriptor, (off_t)end);
    close(t->descriptor);
}

// After HDF5 has failed to close the file: it may have cut it to a length that it could not write down.
static void keep_reserve(const io_trajectory *t)
{
    if (t->descriptor < 0)
        return;
    struct stat found;
    if (fstat(t->descriptor, &found) == 0 && found.st_size < t->reserved)
        (void)!ftruncate(t->descriptor, t->reserved);
    close(t->descriptor);
}

// ---- what is written once

static bool put_count(hid_t group, const char *name, uint64_t count)
{
    return io_hdf_put(group, name, H5T_STD_I64LE, H5T_NATIVE_UINT64, 1, &count);
}

// Cells of a kind there are none of; readers want them all the same.
static bool put_no_cells(hid_t root, const char *name)
{
    const uint64_t zero = 0;
    const hid_t group = io_hdf_make_group(root, name);
    const bool ok = group >= 0 && put_count(group, "NumberOfCells", 0) &&
                    put_count(group, "NumberOfConnectivityIds", 0) &&
                    io_hdf_put(group, "Offsets", H5T_STD_I64LE, H5T_NATIVE_UINT64, 1, &zero) &&
                    io_hdf_put(group, "Connectivity", H5T_STD_I64LE, H5T_NATIVE_UINT64, 0, &zero);
    if (group >= 0)
        H5Gclose(group);
    return ok;
}

// 0, 1, 2, ... in blocks, so that no array of all of them is needed; 32 bits where they are enough.
static bool put_connectivity(hid_t group, uint64_t count)
{
    uint32_t block[4096];
    const uint64_t capacity = sizeof block / sizeof block[0];
    if (count > INT32_MAX || count == 0)
        return count == 0 && io_hdf_put(group, "Connectivity", H5T_STD_I32LE, H5T_NATIVE_UINT32, 0, block);
    const hid_t dataset =
        io_hdf_growing(group, "Connectivity", H5T_STD_I32LE, 1, count < IO_HDF_CHUNK ? count : IO_HDF_CHUNK);
    bool ok = dataset >= 0;
    for (uint64_t first = 0; ok && first < count; first += capacity) {
        const uint64_t part = count - first < capacity ? count - first : capacity;
        for (uint64_t k = 0; k < part; k++)
            block[k] = (uint32_t)(first + k);
        ok = io_hdf_append(dataset, H5T_NATIVE_UINT32, first, 1, part, block);
    }
    return io_hdf_close_dataset(dataset) && ok;
}

static bool put_lines(hid_t root, const io_trajectory_def *def)
{
    const hid_t group = io_hdf_make_group(root, "Lines");
    const bool ok =
        group >= 0 && put_count(group, "NumberOfCells", def->strand_count) &&
        put_count(group, "NumberOfConnectivityIds", def->vertex_count) &&
        io_hdf_put(group, "Offsets", H5T_STD_I64LE, H5T_NATIVE_UINT64, def->strand_count + 1, def->first_vertex) &&
        put_connectivity(group, def->vertex_count);
    if (group >= 0)
        H5Gclose(group);
    return ok;
}

static bool put_ids(hid_t group, const io_trajectory_def *def)
{
    if (def->ids != NULL)
        return io_hdf_put(group, "strand", H5T_STD_I64LE, H5T_NATIVE_UINT32, def->strand_count, def->ids);
    uint32_t *places = base_alloc(def->strand_count, sizeof *places);
    for (uint64_t s = 0; places != NULL && s < def->strand_count; s++)
        places[s] = (uint32_t)s;
    const bool ok =
        places != NULL && io_hdf_put(group, "strand", H5T_STD_I64LE, H5T_NATIVE_UINT32, def->strand_count, places);
    base_free(places);
    return ok;
}

static bool put_arrays(hid_t root, const io_trajectory_def *def)
{
    const hid_t points = io_hdf_make_group(root, "PointData");
    const hid_t cells = io_hdf_make_group(root, "CellData");
    const bool ok = points >= 0 && cells >= 0 && put_ids(cells, def) &&
                    (def->radius == NULL ||
                     io_hdf_put(points, "radius", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, def->vertex_count, def->radius));
    if (points >= 0)
        H5Gclose(points);
    if (cells >= 0)
        H5Gclose(cells);
    return ok;
}

// Our own facts, in a group that other readers pass over.
static bool put_facts(hid_t file, const io_trajectory_def *def)
{
    static const char *const axes[] = {"", "x", "y", "z"};
    const hid_t group = io_hdf_make_group(file, "Sheaf");
    const int64_t format = IO_TRAJECTORY_FORMAT;
    const bool ok = group >= 0 && io_hdf_set_text(group, "version", sheaf_version()) &&
                    io_hdf_set_integers(group, "format", &format, 0) &&
                    io_hdf_set_real(group, "metres_per_unit", def->metres_per_unit) &&
                    io_hdf_set_text(group, "up", axes[def->up]) &&
                    io_hdf_set_text(group, "title", def->title != NULL ? def->title : "");
    if (group >= 0)
        H5Gclose(group);
    return ok;
}

// ---- what grows

// Whether a dataset with one row for each frame is left out.
static bool is_left_out(const io_trajectory *t, int step, bool has_radius)
{
    return (step == STEP_RADIUS && !has_radius) || (step == STEP_ANGLES && t->angles < 0);
}

static bool make_steps(io_trajectory *t, hid_t root, bool has_radius)
{
    const int64_t none = 0;
    t->steps = io_hdf_make_group(root, "Steps");
    if (t->steps < 0 || !io_hdf_set_integers(t->steps, "NSteps", &none, 0))
        return false;
    const hid_t points = io_hdf_make_group(t->steps, "PointDataOffsets");
    const hid_t cells = io_hdf_make_group(t->steps, "CellDataOffsets");
    bool ok = points >= 0 && cells >= 0;
    for (int k = 0; k < STEP_COUNT && ok; k++) {
        if (is_left_out(t, k, has_radius))
            continue;
        t->step[k] = io_hdf_growing(root, step_rows[k].name, k == STEP_VALUES ? H5T_IEEE_F64LE : H5T_STD_I64LE,
                                    step_rows[k].width, (SECTOR - CHECKSUM) / (8 * step_rows[k].width));
        ok = t->step[k] >= 0;
    }
    if (points >= 0)
        H5Gclose(points);
    if (cells >= 0)
        H5Gclose(cells);
    return ok;
}

static bool fill_root(io_trajectory *t, hid_t root, const io_trajectory_def *def)
{
    const int64_t version[2] = {2, 0};
    const hsize_t chunk = def->vertex_count == 0              ? 1
                          : def->vertex_count < ROWS_OF_CHUNK ? def->vertex_count
                                                              : ROWS_OF_CHUNK;
    // a chunk is a frame, unless that is very large
    if (!io_hdf_set_integers(root, "Version", version, 2) || !io_hdf_set_text(root, "Type", "PolyData") ||
        !put_count(root, "NumberOfPoints", def->vertex_count) || !put_lines(root, def) ||
        !put_no_cells(root, "Vertices") || !put_no_cells(root, "Polygons") || !put_no_cells(root, "Strips") ||
        !put_arrays(root, def))
        return false;
    t->points = io_hdf_growing(root, "Points", def->is_double ? H5T_IEEE_F64LE : H5T_IEEE_F32LE, 3, chunk);
    if (def->has_angles)
        t->angles = io_hdf_growing(root, IO_TRAJECTORY_ANGLES, H5T_IEEE_F32LE, 1, chunk);
    return t->points >= 0 && (t->angles >= 0 || !def->has_angles) && make_steps(t, root, def->radius != NULL);
}

static hid_t make_access(void)
{
    const hid_t access = io_hdf_access();
    if (access >= 0 && H5Pset_alignment(access, SECTOR_LEAST, SECTOR) < 0) {
        H5Pclose(access);
        return -1;
    }
    return access;
}

static hid_t create_file(const char *path, const io_trajectory_def *def)
{
    const hid_t access = make_access(), creation = H5Pcreate(H5P_FILE_CREATE);
    const uint64_t chunks = def->frames_expected * (1 + def->vertex_count / ROWS_OF_CHUNK), half = chunks / 2 + 1;
    const unsigned tree = half < TREE_LEAST ? TREE_LEAST : half > TREE_MOST ? TREE_MOST : (unsigned)half;
    hid_t file = -1;
    if (access >= 0 && creation >= 0 && H5Pset_istore_k(creation, tree) >= 0)
        file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
    if (access >= 0)
        H5Pclose(access);
    if (creation >= 0)
        H5Pclose(creation);
    return file;
}

static bool fill_file(io_trajectory *t, const io_trajectory_def *def)
{
    t->file = create_file(t->path, def);
    const hid_t root = t->file >= 0 ? io_hdf_make_group(t->file, "VTKHDF") : -1;
    const bool ok = root >= 0 && fill_root(t, root, def) && put_facts(t->file, def);
    return io_hdf_close_group(root) && ok && H5Fflush(t->file, H5F_SCOPE_GLOBAL) >= 0;
}

static sheaf_status check_size(const io_trajectory_def *def)
{
    if (def->vertex_count <= INT32_MAX)
        return SHEAF_OK;
    return base_fail(SHEAF_ERR_LIMIT, "a trajectory holds at most %d vertices, not %llu", INT32_MAX,
                     (unsigned long long)def->vertex_count);
}

static io_trajectory *make_trajectory(const char *path, const io_trajectory_def *def)
{
    io_trajectory *t = base_alloc(1, sizeof *t);
    if (t == NULL)
        return NULL;
    t->file = t->points = t->angles = t->steps = -1;
    t->descriptor = -1;
    for (int k = 0; k < STEP_COUNT; k++)
        t->step[k] = -1;
    t->vertex_count = def->vertex_count;
    t->path = base_strdup(path);
    if (t->path != NULL)
        return t;
    base_free(t);
    return NULL;
}

// What a new or reopened trajectory needs before its next frame; gives it up after a failure.
static sheaf_status complete(io_trajectory *t, sheaf_status status, io_trajectory **trajectory)
{
    if (status != SHEAF_OK) {
        (void)io_trajectory_close(t);
        return status;
    }
    t->descriptor = open(t->path, O_WRONLY | O_CLOEXEC);
    (void)reserve(t); // told with the first frame
    *trajectory = t;
    return SHEAF_OK;
}

sheaf_status io_trajectory_create(const char *path, const io_trajectory_def *def, io_trajectory **trajectory)
{
    *trajectory = NULL;
    SHEAF_TRY(check_size(def));
    io_trajectory *t = make_trajectory(path, def);
    if (t == NULL)
        return SHEAF_ERR_MEMORY;
    const io_hdf_quiet before = io_hdf_enter();
    const sheaf_status status = complete(t, fill_file(t, def) ? SHEAF_OK : io_hdf_fail("write", path), trajectory);
    io_hdf_leave(before);
    return status;
}

// The name of a file stands for nothing to those who have it open.
sheaf_status io_trajectory_start(const char *path, const io_trajectory_def *def, io_trajectory **trajectory)
{
    io_file file;
    char *name = base_strdup(path);
    *trajectory = NULL;
    sheaf_status status = name ? io_file_create(path, true, &file) : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK) {
        status = io_trajectory_create(file.temporary, def, trajectory);
        if (status == SHEAF_OK)
            status = io_file_commit(&file);
        else
            io_file_abandon(&file);
    }
    if (status == SHEAF_OK) {
        base_free((*trajectory)->path);
        (*trajectory)->path = name;
        return SHEAF_OK;
    }
    (void)io_trajectory_close(*trajectory);
    *trajectory = NULL;
    base_free(name);
    return status;
}

// ---- going on with a file

static bool open_datasets(io_trajectory *t, hid_t root, bool has_radius)
{
    t->points = H5Dopen2(root, "Points", H5P_DEFAULT);
    t->steps = H5Gopen2(root, "Steps", H5P_DEFAULT);
    if (H5Lexists(root, IO_TRAJECTORY_ANGLES, H5P_DEFAULT) > 0)
        t->angles = H5Dopen2(root, IO_TRAJECTORY_ANGLES, H5P_DEFAULT);
    bool ok = t->points >= 0 && t->steps >= 0;
    for (int k = 0; k < STEP_COUNT && ok; k++) {
        if (is_left_out(t, k, has_radius))
            continue;
        t->step[k] = H5Dopen2(root, step_rows[k].name, H5P_DEFAULT);
        ok = t->step[k] >= 0;
    }
    return ok;
}

// Rows of a dataset whose rows have `width` numbers; 0 when it is another.
static uint64_t count_rows(hid_t dataset, hsize_t width)
{
    hsize_t size[2] = {0, 1};
    const int rank = width > 1 ? 2 : 1;
    const hid_t space = H5Dget_space(dataset);
    const bool ok = space >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
                    H5Sget_simple_extent_dims(space, size, NULL) == rank && size[1] == width;
    if (space >= 0)
        H5Sclose(space);
    return ok ? size[0] : 0;
}

// Whole frames that the file holds.
static uint64_t count_frames(const io_trajectory *t)
{
    uint64_t frames = 0;
    io_hdf_get_number(t->steps, "NSteps", H5T_NATIVE_UINT64, &frames);
    const uint64_t stored = t->vertex_count > 0 ? count_rows(t->points, 3) / t->vertex_count : frames;
    const uint64_t turned = t->angles >= 0 && t->vertex_count > 0 ? count_rows(t->angles, 1) / t->vertex_count : frames;
    frames = frames < stored ? frames : stored;
    frames = frames < turned ? frames : turned;
    for (int k = 0; k < STEP_COUNT; k++) {
        const uint64_t rows = t->step[k] >= 0 ? count_rows(t->step[k], step_rows[k].width) : frames;
        frames = frames < rows ? frames : rows;
    }
    return frames;
}

// How many of `frames` frames are not later than `last_time`; negative where their times cannot be read.
static int64_t count_until(const io_trajectory *t, uint64_t frames, double last_time)
{
    const hsize_t count[1] = {frames};
    int64_t kept = -1;
    double *times = base_alloc(frames + 1, sizeof *times);
    const hid_t space = H5Dget_space(t->step[STEP_VALUES]), memory = H5Screate_simple(1, count, NULL);
    const hsize_t start[1] = {0};
    if (times != NULL && space >= 0 && memory >= 0 &&
        (frames == 0 || (H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                         H5Dread(t->step[STEP_VALUES], H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, times) >= 0)))
        for (kept = 0; kept < (int64_t)frames && times[kept] <= last_time;)
            kept++;
    if (space >= 0)
        H5Sclose(space);
    if (memory >= 0)
        H5Sclose(memory);
    base_free(times);
    return kept;
}

static bool set_frame_count(const io_trajectory *t, uint64_t count)
{
    const int64_t value = (int64_t)count;
    const hid_t attribute = H5Aopen(t->steps, "NSteps", H5P_DEFAULT);
    const bool ok = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT64, &value) >= 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    return ok;
}

static bool cut(io_trajectory *t)
{
    const hsize_t rows[2] = {t->frames * t->vertex_count, 3};
    // a reader, or a kill, in between finds fewer frames than there are, never more
    if (!set_frame_count(t, t->frames) || H5Fflush(t->file, H5F_SCOPE_LOCAL) < 0 ||
        H5Dset_extent(t->points, rows) < 0 || (t->angles >= 0 && H5Dset_extent(t->angles, rows) < 0))
        return false;
    for (int k = 0; k < STEP_COUNT; k++) {
        const hsize_t size[2] = {t->frames, step_rows[k].width};
        if (t->step[k] >= 0 && H5Dset_extent(t->step[k], size) < 0)
            return false;
    }
    return H5Fflush(t->file, H5F_SCOPE_LOCAL) >= 0;
}

static sheaf_status refuse_damaged(const io_trajectory *t, const char *what, uint64_t frame)
{
    char shown[512];
    return base_fail(SHEAF_ERR_INPUT,
                     "'%s' is damaged: %s of frame %llu cannot be read, or do not match their checksum; move it away, "
                     "and the run goes on without the frames in it",
                     base_printable(t->path, shown, sizeof shown), what, (unsigned long long)frame);
}

// Frames that a run goes on from are read, so that it adds nothing to a file that is damaged already.
static sheaf_status check_kept(const io_trajectory *t)
{
    double row[4];
    float *points = base_alloc(t->vertex_count + 1, 3 * sizeof *points);
    if (points == NULL)
        return SHEAF_ERR_MEMORY;
    sheaf_status status = SHEAF_OK;
    for (uint64_t frame = 0; frame < t->frames && status == SHEAF_OK; frame++) {
        if (!io_hdf_read(t->points, H5T_NATIVE_FLOAT, 3, frame * t->vertex_count, t->vertex_count, points))
            status = refuse_damaged(t, "points", frame);
        else if (t->angles >= 0 &&
                 !io_hdf_read(t->angles, H5T_NATIVE_FLOAT, 1, frame * t->vertex_count, t->vertex_count, points))
            status = refuse_damaged(t, "angles of directors", frame);
        for (int k = 0; k < STEP_COUNT && status == SHEAF_OK; k++)
            if (t->step[k] >= 0 && !io_hdf_read(t->step[k], H5T_NATIVE_DOUBLE, step_rows[k].width, frame, 1, row))
                status = refuse_damaged(t, "offsets", frame);
    }
    base_free(points);
    return status;
}

// Takes back a frame that could not be written, as far as that can be done: what a later flush may still write must not
// say that it is there.
static void withdraw(const io_trajectory *t)
{
    const hsize_t rows[2] = {t->frames * t->vertex_count, 3};
    (void)set_frame_count(t, t->frames);
    for (int k = 0; k < STEP_COUNT; k++) {
        const hsize_t size[2] = {t->frames, step_rows[k].width};
        if (t->step[k] >= 0)
            (void)H5Dset_extent(t->step[k], size);
    }
    (void)H5Dset_extent(t->points, rows);
    if (t->angles >= 0)
        (void)H5Dset_extent(t->angles, rows);
    (void)H5Fflush(t->file, H5F_SCOPE_LOCAL);
}

static sheaf_status reopen(io_trajectory *t, const io_trajectory_def *def, double last_time)
{
    char shown[512];
    const hid_t access = make_access();
    t->file = access >= 0 ? H5Fopen(t->path, H5F_ACC_RDWR, access) : -1;
    if (access >= 0)
        H5Pclose(access);
    const hid_t root = t->file >= 0 ? H5Gopen2(t->file, "VTKHDF", H5P_DEFAULT) : -1;
    const bool ok = root >= 0 && open_datasets(t, root, def->radius != NULL);
    uint64_t strands = 0, vertices = 0;
    const bool counted = ok && io_hdf_get_whole(root, "NumberOfPoints", &vertices) &&
                         io_hdf_get_whole(root, "Lines/NumberOfCells", &strands);
    if (root >= 0)
        H5Gclose(root);
    if (!ok)
        return io_hdf_fail("go on with", t->path);
    if (!counted || strands != def->strand_count || vertices != def->vertex_count)
        return base_fail(SHEAF_ERR_INPUT, "'%s' holds %llu strands with %llu vertices, not %llu with %llu",
                         base_printable(t->path, shown, sizeof shown), (unsigned long long)strands,
                         (unsigned long long)vertices, (unsigned long long)def->strand_count,
                         (unsigned long long)def->vertex_count);
    const int64_t kept = count_until(t, count_frames(t), last_time);
    t->frames = kept > 0 ? (uint64_t)kept : 0;
    SHEAF_TRY(kept >= 0 ? check_kept(t) : io_hdf_fail("go on with", t->path));
    return cut(t) ? SHEAF_OK : io_hdf_fail("go on with", t->path);
}

sheaf_status io_trajectory_continue(const char *path, const io_trajectory_def *def, double last_time, uint64_t *frames,
                                    io_trajectory **trajectory)
{
    *trajectory = NULL;
    *frames = 0;
    io_trajectory *t = make_trajectory(path, def);
    if (t == NULL)
        return SHEAF_ERR_MEMORY;
    const io_hdf_quiet before = io_hdf_enter();
    const sheaf_status status = complete(t, reopen(t, def, last_time), trajectory);
    if (status == SHEAF_OK)
        *frames = (*trajectory)->frames;
    io_hdf_leave(before);
    return status;
}

sheaf_status io_trajectory_sync(const io_trajectory *trajectory)
{
    if (trajectory == NULL || trajectory->descriptor < 0 || fsync(trajectory->descriptor) == 0)
        return SHEAF_OK;
    return io_fail("write", trajectory->path);
}

// ---- frames

static bool add_frame(io_trajectory *t, double time, const void *positions, bool is_double, const float *angles)
{
    const uint64_t offset = t->frames * t->vertex_count, one = 1, zeros[4] = {0};
    const hid_t type = is_double ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
    bool ok = io_hdf_append(t->points, type, offset, 3, t->vertex_count, positions);
    ok = ok && (t->angles < 0 || io_hdf_append(t->angles, H5T_NATIVE_FLOAT, offset, 1, t->vertex_count, angles));
    for (int k = 0; k < STEP_VALUES && ok; k++) {
        const bool moves = k == STEP_POINTS || k == STEP_ANGLES;
        const uint64_t *row = k == STEP_PARTS ? &one : moves ? &offset : zeros;
        const hsize_t width = k == STEP_CELLS || k == STEP_CONNECTIVITY ? 4 : 1;
        ok = t->step[k] < 0 || io_hdf_append(t->step[k], H5T_NATIVE_UINT64, t->frames, width, 1, row);
    }
    // a reader that opens the file between the two flushes sees one frame less, never half a frame
    return ok && H5Fflush(t->file, H5F_SCOPE_LOCAL) >= 0 &&
           io_hdf_append(t->step[STEP_VALUES], H5T_NATIVE_DOUBLE, t->frames, 1, 1, &time) &&
           set_frame_count(t, t->frames + 1) && H5Fflush(t->file, H5F_SCOPE_LOCAL) >= 0;
}

sheaf_status io_trajectory_add(io_trajectory *trajectory, double time, const void *positions, bool is_double)
{
    return io_trajectory_add_turned(trajectory, time, positions, is_double, NULL);
}

sheaf_status io_trajectory_add_turned(io_trajectory *trajectory, double time, const void *positions, bool is_double,
                                      const float *angles)
{
    if (trajectory->angles >= 0 && angles == NULL)
        return base_fail(SHEAF_ERR_USAGE, "'%s' holds angles of directors, and the frame has none", trajectory->path);
    const io_hdf_quiet before = io_hdf_enter();
    const bool has_room = reserve(trajectory);
    sheaf_status status = has_room ? SHEAF_OK : io_fail("write", trajectory->path);
    const bool ok = has_room && add_frame(trajectory, time, positions, is_double, angles);
    if (has_room && !ok) {
        status = io_hdf_fail("write", trajectory->path);
        withdraw(trajectory);
    }
    io_hdf_leave(before);
    trajectory->frames += ok;
    return status;
}

bool io_trajectory_is_double(const io_trajectory *trajectory)
{
    const io_hdf_quiet before = io_hdf_enter();
    const hid_t type = H5Dget_type(trajectory->points);
    const bool is_double = type >= 0 && H5Tget_size(type) == sizeof(double);
    if (type >= 0)
        H5Tclose(type);
    io_hdf_leave(before);
    return is_double;
}

bool io_trajectory_has_angles(const io_trajectory *trajectory)
{
    return trajectory->angles >= 0;
}

sheaf_status io_trajectory_close(io_trajectory *trajectory)
{
    if (trajectory == NULL)
        return SHEAF_OK;
    const io_hdf_quiet before = io_hdf_enter();
    haddr_t end = 0;
    bool closed = true;
    for (int k = 0; k < STEP_COUNT; k++)
        closed = io_hdf_close_dataset(trajectory->step[k]) && closed;
    closed = io_hdf_close_dataset(trajectory->points) && closed;
    closed = io_hdf_close_dataset(trajectory->angles) && closed;
    closed = io_hdf_close_group(trajectory->steps) && closed;
    const bool known = trajectory->file >= 0 && H5Fget_eoa(trajectory->file, &end) >= 0;
    closed = (trajectory->file < 0 || H5Fclose(trajectory->file) >= 0) && closed;
    const sheaf_status status = closed ? SHEAF_OK : io_hdf_fail("write", trajectory->path);
    if (known && status == SHEAF_OK)
        release_reserve(trajectory, end);
    else
        keep_reserve(trajectory);
    io_hdf_leave(before);
    base_free(trajectory->path);
    base_free(trajectory);
    return status;
}

// ---- as a format

static sheaf_status write_frames(groom_source *source, io_trajectory *t)
{
    for (uint64_t frame = 0; frame < source->frame_count; frame++) {
        SHEAF_TRY(groom_load(source, frame));
        const groom *g = &source->groom;
        SHEAF_TRY(io_trajectory_add_turned(t, source->times != NULL ? source->times[frame] : 0, g->positions,
                                           g->is_double, g->director_angle));
    }
    return SHEAF_OK;
}

static sheaf_status write_source(groom_source *source, const char *path)
{
    const groom *g = &source->groom;
    float *radius = g->width != NULL ? base_alloc(g->vertex_count, sizeof *radius) : NULL;
    if (g->width != NULL && radius == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint64_t k = 0; radius != NULL && k < g->vertex_count; k++)
        radius[k] = g->width[k] / 2;
    const io_trajectory_def def = {.strand_count = g->strand_count,
                                   .vertex_count = g->vertex_count,
                                   .first_vertex = g->first_vertex,
                                   .ids = g->ids,
                                   .radius = radius,
                                   .metres_per_unit = g->metres_per_unit,
                                   .up = g->up,
                                   .is_double = g->is_double,
                                   .has_angles = g->director_angle != NULL};
    io_trajectory *t;
    sheaf_status status = io_trajectory_create(path, &def, &t);
    base_free(radius);
    SHEAF_TRY(status);
    status = write_frames(source, t);
    const sheaf_status closed = io_trajectory_close(t);
    return status != SHEAF_OK ? status : closed;
}

// HDF5 writes under the temporary name that the atomic file has reserved.
static sheaf_status save(groom_source *source, const char *path, bool replace)
{
    io_file file;
    if (source->frame_count > 1 && source->times == NULL)
        return base_fail(SHEAF_ERR_INPUT, "a .vtkhdf file says when its frames are, but %s does not",
                         source->input.name);
    SHEAF_TRY(io_file_create(path, replace, &file));
    const sheaf_status status = write_source(source, file.temporary);
    if (status == SHEAF_OK)
        return io_file_commit(&file);
    io_file_abandon(&file);
    return status;
}

static bool recognise(const unsigned char *start, size_t length)
{
    return length >= 8 && memcmp(start, "\x89HDF\r\n\x1a\n", 8) == 0;
}

const groom_format io_format_vtkhdf = {
    .name = "vtkhdf",
    .extension = ".vtkhdf",
    .summary = "HDF5 laid out as VTKHDF lines over time, as runs write it",
    .keeps = "points as they are, angles of directors, radius, numbers of strands, frames with their times, unit and "
             "axis where known",
    .has_time = true,
    .recognise = recognise,
    .open = io_trajectory_open,
    .save = save,
};
