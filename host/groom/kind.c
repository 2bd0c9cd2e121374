// kind: files known by their first bytes.
#include "groom/kind.h"

#include <string.h>

#define STRANDS "Sheaf reads its strands: name it in a scene as strands: [{ file: ... }], or see sheaf convert"
#define MESHES "Sheaf reads its triangles: name it in a scene where a mesh is asked for"
#define USDA "Sheaf does not read it; save it as text (.usda), as by usdcat FILE -o strands.usda"
#define SURFACE "Sheaf does not read it; export triangles as .obj or .ply, strands as .usda"
#define PICTURE "Sheaf does not read it; maps are grey pictures (.pgm) or arrays (.npy)"
#define PACKED "Sheaf does not read it; unpack it first"
#define NOT_READ "Sheaf does not read it"

typedef struct kind_row {
    const char *magic;
    size_t length;
    groom_kind kind;
} kind_row;

#define MAGIC(bytes) bytes, sizeof(bytes) - 1

static const kind_row rows[] = {
    {MAGIC("PXR-USDC"), {"a binary USD file (.usdc)", USDA, false}},
    {MAGIC("#usda"), {"a USD file (.usda)", STRANDS, false}},
    {MAGIC("HAIR"), {"a file of strands (.hair)", STRANDS, false}},
    {MAGIC("ply\n"), {"a .ply file", "Sheaf reads its triangles and strands: name it in a scene", true}},
    {MAGIC("ply\r\n"), {"a .ply file", "Sheaf reads its triangles and strands: name it in a scene", true}},
    {MAGIC("\x93NUMPY"),
     {"an array (.npy)", "Sheaf reads strands, heights and densities of it: name it in a scene", false}},
    {MAGIC("P2"), {"a grey picture (.pgm)", "Sheaf reads it as a map: name it in a scene", false}},
    {MAGIC("P5"), {"a grey picture (.pgm)", "Sheaf reads it as a map: name it in a scene", false}},
    {MAGIC("Ogawa"), {"an Alembic file (.abc)", "Sheaf does not read it; export the curves as .usda", false}},
    {MAGIC("\x89HDF\r\n\x1a\n"),
     {"an HDF5 file", "Sheaf reads its own, checkpoints and trajectories: sheaf info tells what they hold", false}},
    {MAGIC("Kaydara FBX"), {"an FBX file (.fbx)", SURFACE, false}},
    {MAGIC("; FBX"), {"an FBX file (.fbx)", SURFACE, false}},
    {MAGIC("glTF"), {"a binary glTF file (.glb)", SURFACE, false}},
    {MAGIC("BLENDER"), {"a Blender file (.blend)", SURFACE, false}},
    {MAGIC("solid "), {"an STL file (.stl)", SURFACE, false}},
    {MAGIC("# vtk DataFile"), {"a VTK file (.vtk)", SURFACE, false}},
    {MAGIC("#VRML"), {"a VRML file (.wrl)", SURFACE, false}},
    {MAGIC("\x89PNG\r\n\x1a\n"), {"a picture (.png)", PICTURE, false}},
    {MAGIC("\xff\xd8\xff"), {"a picture (.jpg)", PICTURE, false}},
    {MAGIC("GIF8"), {"a picture (.gif)", PICTURE, false}},
    {MAGIC("II*\0"), {"a picture (.tif)", PICTURE, false}},
    {MAGIC("MM\0*"), {"a picture (.tif)", PICTURE, false}},
    {MAGIC("\x76\x2f\x31\x01"), {"a picture (.exr)", PICTURE, false}},
    {MAGIC("#?RADIANCE"), {"a picture (.hdr)", PICTURE, false}},
    {MAGIC("PK\3\4"), {"a zip archive (such as .zip, .usdz, .npz)", PACKED, false}},
    {MAGIC("\x1f\x8b"), {"a gzip archive (.gz)", PACKED, false}},
    {MAGIC("BZh"), {"a bzip2 archive (.bz2)", PACKED, false}},
    {MAGIC("\xfd"
           "7zXZ\0"),
     {"an xz archive (.xz)", PACKED, false}},
    {MAGIC("\x28\xb5\x2f\xfd"), {"a zstd archive (.zst)", PACKED, false}},
    {MAGIC("7z\xbc\xaf\x27\x1c"), {"a 7z archive (.7z)", PACKED, false}},
    {MAGIC("%PDF-"), {"a PDF document (.pdf)", NOT_READ, false}},
    {MAGIC("\x7f"
           "ELF"),
     {"a program", NOT_READ, false}},
    {MAGIC("<svg"), {"a picture (.svg)", NOT_READ, false}},
    {MAGIC("<VTKFile"), {"a VTK file", "Sheaf writes such files but does not read them", false}},
    {MAGIC("<?xml"), {"an XML file", NOT_READ, false}},
    {MAGIC("<!DOCTYPE html"), {"a web page (.html)", NOT_READ, false}},
    {MAGIC("<html"), {"a web page (.html)", NOT_READ, false}},
};

// The first line that is neither empty nor a comment.
static const char *first_statement(const char *text)
{
    for (;;) {
        text += strspn(text, " \t\r\n");
        if (*text != '#')
            return text;
        text += strcspn(text, "\n");
    }
}

// A mesh as text has no first bytes of its own: its first line that is no comment must be one of its statements, which
// have a word, a blank and no colon, unlike the lines of a scene.
static bool is_obj(const char *text)
{
    static const char *const words[] = {"v", "vn", "vt", "f", "o", "g", "s", "mtllib", "usemtl"};
    const char *line = first_statement(text);
    const size_t word = strcspn(line, " \t\r\n"), length = strcspn(line, "\n");
    if (line[word] != ' ' || memchr(line, ':', length) != NULL)
        return false;
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        if (word == strlen(words[k]) && memcmp(line, words[k], word) == 0)
            return true;
    return false;
}

const groom_kind *groom_kind_of(const void *start, size_t length)
{
    static const groom_kind obj = {"a mesh (.obj)", MESHES, true};
    char text[GROOM_KIND_BYTES + 1] = {0};
    const size_t used = length < GROOM_KIND_BYTES ? length : GROOM_KIND_BYTES;
    if (used > 0)
        memcpy(text, start, used);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        if (used > rows[k].length && memcmp(text, rows[k].magic, rows[k].length) == 0)
            return &rows[k].kind;
    return is_obj(text) ? &obj : NULL;
}

const groom_kind *groom_kind_of_input(groom_input *input)
{
    while (input->end - input->next < GROOM_KIND_BYTES && groom_fill(input)) {
    }
    return groom_kind_of(input->next, (size_t)(input->end - input->next));
}
