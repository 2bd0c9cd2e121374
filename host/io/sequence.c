// sequence: strands over time as many files. The one that names them all comes last, so that it never names a file that
// is not there.
#include "io/sequence.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "groom/usda_write.h"
#include "io/file.h"

// "name" of "folder/name.pvd", and where the frames go: "folder/name_frames".
typedef struct naming {
    char *folder;    // path
    const char *own; // the last part of it
} naming;

static sheaf_status make_naming(const char *path, naming *n)
{
    const char *dot = strrchr(io_path_name(path), '.');
    base_text text = {0};
    base_text_add_bytes(&text, path, dot != NULL ? (size_t)(dot - path) : strlen(path));
    base_text_add(&text, "_frames");
    SHEAF_TRY(base_text_status(&text));
    n->folder = text.bytes;
    n->own = io_path_name(n->folder);
    return SHEAF_OK;
}

static sheaf_status make_folder(const char *path, bool replace)
{
    char shown[512];
    if (mkdir(path, 0777) == 0)
        return SHEAF_OK;
    if (errno != EEXIST)
        return io_fail("make folder", path);
    return replace ? SHEAF_OK
                   : base_fail(SHEAF_ERR_IO, "folder '%s' exists already; --overwrite replaces files in it",
                               base_printable(path, shown, sizeof shown));
}

typedef sheaf_status write_frame(groom_source *source, uint64_t frame, FILE *stream);

// Writes one file of the folder.
static sheaf_status write_file(groom_source *source, const naming *n, const char *name, uint64_t frame,
                               write_frame *write)
{
    io_file file;
    char *path = io_path_join(n->folder, name);
    if (path == NULL)
        return SHEAF_ERR_MEMORY;
    sheaf_status status = io_file_create(path, true, &file);
    if (status == SHEAF_OK) {
        status = write(source, frame, file.stream);
        if (status == SHEAF_OK)
            status = io_file_commit(&file);
        else
            io_file_abandon(&file);
    }
    base_free(path);
    return status;
}

// Names go into XML and into texts in quotes.
static sheaf_status check_name(const naming *n)
{
    for (const char *c = n->own; *c != 0; c++)
        if ((unsigned char)*c < ' ' || strchr("\"'<>&@\\#", *c) != NULL)
            return base_fail(SHEAF_ERR_USAGE,
                             "the name of a sequence may not hold control characters nor any of \" ' < > & @ \\ #");
    return SHEAF_OK;
}

// ---- .pvd

static sheaf_status write_vtp(groom_source *source, uint64_t frame, FILE *stream)
{
    SHEAF_TRY(groom_load(source, frame));
    return groom_write(&groom_format_vtp, source, stream);
}

static sheaf_status write_vtps(groom_source *source, const naming *n, FILE *index)
{
    (void)fprintf(index, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                         "byte_order=\"LittleEndian\">\n  <Collection>\n");
    for (uint64_t frame = 0; frame < source->frame_count; frame++) {
        char name[32];
        snprintf(name, sizeof name, "%06llu.vtp", (unsigned long long)frame);
        SHEAF_TRY(write_file(source, n, name, frame, write_vtp));
        (void)fprintf(index, "    <DataSet timestep=\"%.17g\" part=\"0\" file=\"%s/%s\"/>\n",
                      source->times != NULL ? source->times[frame] : (double)frame, n->own, name);
    }
    (void)fprintf(index, "  </Collection>\n</VTKFile>\n");
    return SHEAF_OK;
}

// ---- .usda clips

static sheaf_status write_clip(groom_source *source, uint64_t frame, FILE *stream)
{
    (void)fprintf(stream, "#usda 1.0\n\nover \"" USDA_PRIM "\"\n{\n");
    SHEAF_TRY(usda_write_samples(source, frame, frame + 1, stream));
    (void)fprintf(stream, "}\n");
    return SHEAF_OK;
}

static sheaf_status write_manifest(groom_source *source, uint64_t frame, FILE *stream)
{
    (void)source;
    (void)frame;
    (void)fprintf(stream, "#usda 1.0\n\nover \"" USDA_PRIM "\"\n{\n    float3[] extent\n    point3f[] points\n}\n");
    return SHEAF_OK;
}

static void clip_name(char name[32], uint64_t frame)
{
    snprintf(name, 32, "frame.%06llu.usda", (unsigned long long)frame);
}

// Pairs of a stage's time code and a clip's number, or with `both` the time code again: stage and clips share theirs.
static void write_pairs(const groom_source *source, const char *name, bool both, FILE *stream)
{
    const double rate = usda_rate(source);
    (void)fprintf(stream, "            double2[] %s = [", name);
    for (uint64_t frame = 0; frame < source->frame_count; frame++) {
        const double code = usda_code(source, rate, frame);
        (void)fprintf(stream, "%s(%.9g, %.9g)", frame > 0 ? ", " : "", code, both ? code : (double)frame);
    }
    (void)fprintf(stream, "]\n");
}

// All clips by name: frames need not be evenly spaced, as the end of a run often is not.
static void write_clip_set(const groom_source *source, const naming *n, FILE *stream)
{
    (void)fprintf(stream, "def BasisCurves \"" USDA_PRIM "\" (\n    clips = {\n        dictionary default = {\n");
    write_pairs(source, "active", false, stream);
    (void)fprintf(stream, "            asset[] assetPaths = [");
    for (uint64_t frame = 0; frame < source->frame_count; frame++) {
        char name[32];
        clip_name(name, frame);
        (void)fprintf(stream, "%s@./%s/%s@", frame > 0 ? ", " : "", n->own, name);
    }
    (void)fprintf(stream,
                  "]\n            asset manifestAssetPath = @./%s/manifest.usda@\n"
                  "            string primPath = \"/" USDA_PRIM "\"\n",
                  n->own);
    write_pairs(source, "times", true, stream);
    (void)fprintf(stream, "        }\n    }\n)\n{\n");
}

static sheaf_status write_clips(groom_source *source, const naming *n, FILE *index)
{
    SHEAF_TRY(usda_check(source));
    if (source->frame_count < 2)
        return base_fail(SHEAF_ERR_INPUT, "there is one frame only; clips are for several");
    SHEAF_TRY(write_file(source, n, "manifest.usda", 0, write_manifest));
    for (uint64_t frame = 0; frame < source->frame_count; frame++) {
        char name[32];
        clip_name(name, frame);
        SHEAF_TRY(write_file(source, n, name, frame, write_clip));
    }
    usda_write_header(source, index);
    write_clip_set(source, n, index);
    usda_write_topology(&source->groom, index);
    (void)fprintf(index, "}\n");
    return SHEAF_OK;
}

// ---- both

typedef sheaf_status write_all(groom_source *source, const naming *n, FILE *index);

static sheaf_status save_named(groom_source *source, const naming *n, const char *path, bool replace, write_all *write)
{
    io_file index;
    SHEAF_TRY(check_name(n));
    SHEAF_TRY(io_file_create(path, replace, &index));
    sheaf_status status = make_folder(n->folder, replace);
    if (status == SHEAF_OK)
        status = write(source, n, index.stream);
    if (status == SHEAF_OK)
        return io_file_commit(&index);
    io_file_abandon(&index);
    return status;
}

static sheaf_status save(groom_source *source, const char *path, bool replace, write_all *write)
{
    naming n = {0};
    SHEAF_TRY(make_naming(path, &n));
    const sheaf_status status = save_named(source, &n, path, replace, write);
    base_free(n.folder);
    return status;
}

static sheaf_status save_pvd(groom_source *source, const char *path, bool replace)
{
    return save(source, path, replace, write_vtps);
}

sheaf_status io_clips_save(groom_source *source, const char *path, bool replace)
{
    return save(source, path, replace, write_clips);
}

const groom_format io_format_pvd = {
    .name = "pvd",
    .extension = ".pvd",
    .summary = "a list of .vtp files, one for each frame in a folder beside it",
    .keeps = "what .vtp keeps, and frames with their times",
    .has_time = true,
    .save = save_pvd,
};
