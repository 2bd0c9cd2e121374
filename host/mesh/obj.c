// obj: triangles in .obj files: lines `v`, `vt` and `f`; all other lines are passed over.
#include "groom/number.h"
#include "mesh/build.h"

#include <string.h>

// Passes over blanks of a line, which a backslash continues on the next.
static void skip_blanks(groom_input *input)
{
    for (int byte; (byte = groom_peek(input)) >= 0;) {
        const bool continues = byte == '\\' && (groom_peek_second(input) == '\n' || groom_peek_second(input) == '\r');
        if (byte != ' ' && byte != '\t' && byte != '\r' && !continues)
            return;
        input->next++;
        if (continues && groom_take(input) == '\r' && groom_peek(input) == '\n')
            input->next++;
    }
}

static bool line_ends(groom_input *input)
{
    skip_blanks(input);
    const int byte = groom_peek(input);
    return byte < 0 || byte == '\n' || byte == '#';
}

static void skip_line(groom_input *input)
{
    for (int byte; (byte = groom_take(input)) >= 0 && byte != '\n';)
        if (byte == '\\' && groom_peek(input) == '\r') // goes on after \r\n too
            input->next++, groom_take(input);
        else if (byte == '\\' && groom_peek(input) == '\n')
            input->next++;
}

// Up to `most` numbers of a line, at least `least`.
static sheaf_status read_numbers(groom_input *input, int least, int most, double *numbers)
{
    for (int k = 0; k < most; k++) {
        if (line_ends(input) && k >= least)
            return SHEAF_OK;
        SHEAF_TRY(groom_read_real(input, &numbers[k]));
    }
    return SHEAF_OK;
}

// A number from 1 on counts from the first of its kind, one below 0 back from the latest.
static sheaf_status read_index(groom_input *input, uint64_t count, const char *what, uint32_t *index)
{
    double number;
    SHEAF_TRY(groom_read_real(input, &number));
    const double place = number < 0 ? (double)count + number : number - 1;
    if (!(place >= 0 && place < UINT32_MAX - 1) || place != (double)(uint32_t)place)
        return groom_fail(input, "a face names %s %g, which is none", what, number);
    *index = (uint32_t)place;
    return SHEAF_OK;
}

// vertex, vertex/uv, vertex//normal or vertex/uv/normal
static sheaf_status read_corner(mesh_builder *b, mesh_corner *corner)
{
    groom_input *input = b->input;
    uint32_t normal;
    SHEAF_TRY(read_index(input, b->m->vertex_count, "vertex", &corner->vertex));
    if (groom_peek(input) != '/')
        return SHEAF_OK;
    input->next++;
    if (groom_peek(input) != '/')
        SHEAF_TRY(read_index(input, b->uv_count, "texture vertex", &corner->uv));
    if (groom_peek(input) != '/')
        return SHEAF_OK;
    input->next++;
    return read_index(input, UINT32_MAX, "normal", &normal); // our own are taken
}

static sheaf_status read_face(mesh_builder *b)
{
    mesh_polygon polygon = {0};
    while (!line_ends(b->input)) {
        mesh_corner corner = {0, MESH_NO_UV};
        SHEAF_TRY(read_corner(b, &corner));
        SHEAF_TRY(mesh_add_corner(b, &polygon, corner));
    }
    return polygon.count >= 3 ? SHEAF_OK
                              : groom_fail(b->input, "a face of %llu vertices", (unsigned long long)polygon.count);
}

// The first word of a line, cut where it is longer than any of interest.
static void read_keyword(groom_input *input, char word[4])
{
    int length = 0;
    for (int byte; (byte = groom_peek(input)) > ' ' && byte != '#'; input->next++)
        if (length < 3)
            word[length++] = (char)byte;
    word[length] = 0;
}

static sheaf_status read_line(mesh_builder *b)
{
    char word[4];
    double numbers[3] = {0};
    skip_blanks(b->input);
    read_keyword(b->input, word);
    if (strcmp(word, "v") == 0) {
        SHEAF_TRY(read_numbers(b->input, 3, 3, numbers));
        SHEAF_TRY(mesh_add_point(b, numbers));
    } else if (strcmp(word, "vt") == 0) {
        SHEAF_TRY(read_numbers(b->input, 1, 2, numbers));
        SHEAF_TRY(mesh_add_uv(b, numbers));
    } else if (strcmp(word, "f") == 0) {
        SHEAF_TRY(read_face(b));
    }
    skip_line(b->input);
    return SHEAF_OK;
}

sheaf_status mesh_read_obj(mesh_builder *b)
{
    while (groom_peek(b->input) >= 0)
        SHEAF_TRY(read_line(b));
    return b->input->status;
}
