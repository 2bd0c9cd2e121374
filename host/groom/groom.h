// groom: strands as files hold them: points in a file's own unit, with what else a format can say of them. Readers fill
// grooms, writers take them; what simulates never sees one.
#ifndef SHEAF_GROOM_GROOM_H
#define SHEAF_GROOM_GROOM_H

#include "base/text.h"

typedef enum groom_up { GROOM_UP_UNKNOWN, GROOM_UP_X, GROOM_UP_Y, GROOM_UP_Z } groom_up;

// What the header of a .hair file says beyond its arrays; kept so that such a file comes out as it went in.
typedef struct groom_hair_header {
    bool present;
    bool has_segments;  // the array of segments is there although it may say the same for every strand
    char magic[4];      // "HAIR" or "hair"
    float thickness;    // for all vertices, where the array is absent
    float transparency; // likewise
    float colour[3];    // likewise
    uint32_t segments;  // likewise, of a strand
    char note[88];      // free text, not always 0-terminated
} groom_hair_header;

// All zero is an empty groom.
typedef struct groom {
    uint64_t strand_count;
    uint64_t vertex_count;
    uint64_t *first_vertex; // [strand_count + 1], the last entry is vertex_count
    bool is_double;         // precision of positions
    void *positions;        // [vertex][3] of float or double; see groom_point
    float *width;           // [vertex] diameter in the unit of positions; NULL: not known
    float *transparency;    // [vertex] 0 to 1; NULL: not known
    float (*colour)[3];     // [vertex] red, green, blue, 0 to 1; NULL: not known
    float
        *director_angle; // [vertex] rad, of the edge that starts there, in every frame: see director.h; NULL: not known
    uint32_t *ids;       // [strand] what the strands are called; NULL: by their place
    double metres_per_unit; // 0: not said
    groom_up up;
    groom_hair_header hair;
} groom;

// Arrays besides positions.
enum { GROOM_WIDTH = 1, GROOM_TRANSPARENCY = 2, GROOM_COLOUR = 4, GROOM_IDS = 8, GROOM_DIRECTOR = 16 };

// Gives an empty groom its arrays, zeroed; precision is that of is_double. Call it when the counts are known to fit
// what the file holds. On failure the groom is empty again. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status groom_allocate(groom *g, uint64_t strands, uint64_t vertices, unsigned arrays);
void groom_free(groom *g);

// Which arrays there are.
unsigned groom_arrays(const groom *g);

static inline void groom_point(const groom *g, uint64_t vertex, double point[3])
{
    for (size_t c = 0; c < 3; c++)
        point[c] = g->is_double ? ((const double *)g->positions)[3 * vertex + c]
                                : (double)((const float *)g->positions)[3 * vertex + c];
}

static inline void groom_set_point(groom *g, uint64_t vertex, const double point[3])
{
    for (size_t c = 0; c < 3; c++)
        if (g->is_double)
            ((double *)g->positions)[3 * vertex + c] = point[c];
        else
            ((float *)g->positions)[3 * vertex + c] = (float)point[c];
}

static inline size_t groom_point_size(const groom *g)
{
    return 3 * (g->is_double ? sizeof(double) : sizeof(float));
}

static inline uint64_t groom_strand_vertices(const groom *g, uint64_t strand)
{
    return g->first_vertex[strand + 1] - g->first_vertex[strand];
}

static inline uint64_t groom_id(const groom *g, uint64_t strand)
{
    return g->ids != NULL ? g->ids[strand] : strand;
}

// Whether all strands have the same number of vertices.
bool groom_is_even(const groom *g);

// Unit and axis as a text, for formats that have no field for them but room for words; and back, from a text that
// starts so. Nothing is written, or changed, where either is not known.
void groom_write_space(const groom *g, char *text, size_t size);
void groom_read_space(const char *text, double *metres_per_unit, groom_up *up);

#define GROOM_FARTHEST 1e12 // largest coordinate, in units of the file

// Refuses numbers that no groom can have: not finite, farther than GROOM_FARTHEST, negative widths; of files that do
// not say the type of their numbers also denormal ones, which are what numbers of another type look like when taken for
// reals. Names strand and vertex; `name` is the file's. Returns SHEAF_OK, SHEAF_ERR_INPUT.
sheaf_status groom_check_positions(const groom *g, const char *name, bool is_typed);
sheaf_status groom_check_arrays(const groom *g, const char *name);

// What a groom amounts to.
typedef struct groom_survey {
    double low[3], high[3]; // low above high: no vertex
    uint64_t fewest, most;  // vertices of a strand
    double shortest, longest, length;
    uint64_t tiny, first_tiny;       // strands of fewer than 3 vertices
    uint64_t huge, first_huge;       // strands of more than 4096
    uint64_t repeated, first_strand; // vertices that coincide with the one before, and the first such strand
} groom_survey;

groom_survey groom_measure(const groom *g);

// Adds a line for each thing about a groom that a simulation could not take.
void groom_note_oddities(const groom_survey *survey, base_text *notes);

#endif
