// subject: what is drawn: strands where they are at one time, the bodies among them, and which way is up.
#ifndef SHEAF_VIEW_SUBJECT_H
#define SHEAF_VIEW_SUBJECT_H

#include "base/base.h"

// How a strand is drawn and shaded.
typedef enum view_kind {
    VIEW_HAIR,  // thinner than can be seen: as wide as the picture needs, lit like hair
    VIEW_TUBE,  // round and thick, or one of few: lit like a cable, with a stripe along director 1 that shows twist
    VIEW_BLADE, // flat: a ribbon as wide as it is, across director 2
} view_kind;

// A piece of a strand that looks different from its neighbours: a section of another material.
typedef struct view_piece {
    uint32_t end;    // the edge behind its last one
    double half[2];  // m
    float colour[3]; // as the strand's
} view_piece;

// What does not change about a strand.
typedef struct view_strand {
    view_kind kind;
    bool closed;
    bool blunt;               // as wide at its tip as elsewhere
    float stands_for;         // strands whose shadow it casts, those of the crowd around it among them; 0: its own
    double half[2];           // m, half axes of the section along director 1 and 2; 0: not known
    float colour[3];          // red, green, blue, linear light, 0 to 1
    uint8_t fibre;            // of hair: which of the style's fibres it is
    const view_piece *pieces; // [piece_count] from the root on, in place of half and colour; NULL: there are none
    uint32_t piece_count;
} view_strand;

// A surface of triangles around a centre of its own.
typedef struct view_shape {
    double (*points)[3];  // [corner_count] m
    double (*normals)[3]; // [corner_count] unit vectors, outwards
    uint32_t *indices;    // [index_count] three corners of each triangle, counter-clockwise seen from outside
    float *cover;         // [corner_count] share hidden by hair that grows there; NULL: none
    uint32_t corner_count, index_count;
    double thickness; // m, of what it encloses; 0: nothing
} view_shape;

// A body that strands grow on or meet, where it is at one time.
typedef struct view_body {
    const view_shape *shape;
    double center[3];  // m
    double axes[3][3]; // unit vectors along the shape's x, y, z
    float colour[3];
    float hair[3];    // colour between hairs that grow on it
    bool is_skin;     // light enters it and comes out again
    bool is_backdrop; // goes on beyond what is drawn of it: no camera has to take it in
} view_body;

typedef struct view_subject view_subject;

enum { VIEW_CROWD_BLOCK = 4096 }; // strands that are made at once, at most

// Strands that are made while they are drawn, some at a time, so that they are never all in memory.
typedef struct view_crowd {
    void *maker;
    uint64_t vertex_count; // of all of them

    // Chooses so many of them, as a share, spread evenly; `count` receives how many. What is made is as the subject is
    // now. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
    sheaf_status (*begin)(void *maker, double share, uint64_t *count);

    // Makes some of those chosen, which live until the next call. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
    sheaf_status (*make)(void *maker, uint64_t first, uint32_t count, view_subject *made);
} view_crowd;

struct view_subject {
    uint32_t strand_count;
    const uint64_t *first_vertex; // [strand_count + 1]
    const view_strand *strands;   // [strand_count]
    const double (*positions)[3]; // [vertex] m
    const double (*directors)[3]; // [edge] unit vectors, director 1; NULL: carried along the strand from its root
    const float *values;          // [vertex] 0 to 1, shown by a scale of colours; NULL: strands have their own
    const view_body *bodies;      // [body_count]
    uint32_t body_count;
    double up[3]; // unit vector
    bool has_ground;
    double ground;           // m, height of the ground along up
    const view_crowd *crowd; // drawn besides; NULL: nothing
    bool hides_strands;      // they cast shadows and have a crowd, but are not drawn
    bool has_no_shadows;     // light arrives everywhere
};

static inline double view_stands_for(const view_strand *strand)
{
    return strand->stands_for > 0 ? (double)strand->stands_for : 1;
}

static inline uint64_t view_vertex_count(const view_subject *subject)
{
    return subject->first_vertex[subject->strand_count];
}

// Where a point or a direction of a body's shape is.
void view_body_point(const view_body *body, const double point[3], double out[3]);
void view_body_turn(const view_body *body, const double vector[3], double out[3]);

// Every vertex, and corners of the bodies, at most `most` of them, spread out; returns how many.
uint64_t view_subject_sample(const view_subject *subject, double (*points)[3], uint64_t most);

// Sizes of what is drawn.
typedef struct view_extent {
    double middle[3]; // m, of the bounds
    double size;      // m, half their diagonal
    double lowest;    // m, along up
    double length;    // m, of all strands
    double crowded;   // m, of all strands that those drawn stand for
} view_extent;

view_extent view_subject_measure(const view_subject *subject);

#endif
