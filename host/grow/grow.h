// grow: populations of strands that grow on surfaces: where their roots are, and the curve of each.
//
// Everything drawn at random is a function of the seed and of an index (Philox), so that any strand may be grown by
// itself, in any order, and comes out the same. Roots are placed by arithmetic that IEEE 754 rounds the same
// everywhere: no sines or logarithms decide where a root goes.
#ifndef SHEAF_GROW_GROW_H
#define SHEAF_GROW_GROW_H

#include "grow/map.h"
#include "mesh/mesh.h"

#include <stdatomic.h>

typedef enum grow_kind { GROW_ELLIPSOID, GROW_PLANE, GROW_HEIGHTS, GROW_MESH } grow_kind;

// What strands grow on. Maps and mesh belong to it.
typedef struct grow_surface {
    grow_kind kind;
    double center[3]; // m
    double radii[3];  // m; ellipsoid, along x, y, z
    double cap;       // rad; ellipsoid: strands grow where its sphere's polar angle from `up` is at most this
    double up[3];     // pole of an ellipsoid, normal of a plane, where heights go up; any length but 0
    double size[2];   // m; plane and heights, their sides
    grow_map heights; // shares of the way from range[0] to range[1]
    double range[2];  // m
    mesh mesh;        // in metres and in place

    // what follows from these, filled by grow_create
    double east[3], north[3]; // with `up`, then of unit length, right-handed
    double cap_share;         // of the sphere: sin^2(cap / 2)
    double steepest;          // heights: largest area over its projection
    double *area_sums;        // [triangle] area up to and with it
} grow_surface;

// A line around a head, above which strands grow.
typedef struct grow_hairline {
    double from[3];    // m, where it is seen from
    double front[3];   // where angle 0 is; any length but 0
    double (*line)[2]; // [count] rad, around the surface's `up` and above its horizon; belongs to it; NULL: no line
    uint32_t count;
    double soft; // rad, over which strands get fewer towards the line
} grow_hairline;

// Where on it strands may grow, whatever it is.
typedef struct grow_region {
    grow_hairline hairline;
    double axis[3];      // any length but 0
    double cosine;       // least, of the angle between axis and the surface's normal; -1: any
    double above, below; // m along the axis, by its unit vector; infinite: any
} grow_region;

// Which way strands lean: towards a direction, around an axis through the surface's centre, away from a point, away
// from a parting, or as the mesh's vertices say. With none the mesh's is taken, if it has one.
typedef enum grow_comb_kind {
    GROW_COMB_NONE,
    GROW_COMB_ALONG,
    GROW_COMB_AROUND,
    GROW_COMB_FROM,
    GROW_COMB_PARTING,
    GROW_COMB_MESH,
} grow_comb_kind;
typedef struct grow_comb {
    grow_comb_kind kind;
    double vector[3];     // direction, axis, or point in m
    double (*parting)[3]; // [parting_count] m, from front to back; belongs to it
    uint32_t parting_count;
    double down, back; // how much strands lean down, and at the front back, beside away from the parting
} grow_comb;

// Strands laid on the body. Lengths of the formulas follow from `lift`.
typedef struct grow_drape {
    double lift;   // m, of the highest layer above the body; 0: strands stand off
    double smooth; // m, roots so far apart lie alike
} grow_drape;

// A level of strands gathering about strands of their own: clumps, and wisps inside or without them.
typedef struct grow_gather {
    uint32_t strands; // about so many to a group; 0: none gather
    double strength;  // share of the way to the group's middle that a tip has gone
    double stray;     // share of strands that keep to themselves
} grow_gather;

enum { GROW_CLUMPS, GROW_WISPS, GROW_LEVELS };

typedef struct grow_def {
    grow_surface surface;
    grow_region where;
    grow_map density;  // over the surface, as shares of the full density; none: full everywhere
    uint32_t count;    // strands; 0: as many as `per_area` makes
    double per_area;   // 1/m^2, full density
    uint32_t vertices; // of a strand
    uint64_t seed;
    double length, length_spread; // m, mean; standard deviation as a share of it
    double curl_radius;           // m; 0: straight
    double curl_pitch;            // m per turn; negative: left-handed
    double curl_spread;           // standard deviation of both, as a share
    bool curl_in_phase;           // all begin alike, not anywhere
    bool along_up;                // strands leave the surface along its `up`, not along its normal
    double tilt, tilt_spread;     // rad, from there to where they lean; mean and standard deviation
    double lay, lay_spread;       // rad, that a strand turns further from root to tip
    grow_comb comb;
    grow_drape drape;
    grow_gather gather[GROW_LEVELS];
    double radius_spread, stiffness_spread; // standard deviation of what strands have of their material's, as a share
} grow_def;

// Where a strand grows.
typedef struct grow_root {
    double place[2]; // on the surface, as its kind has it
    uint32_t face;   // triangle
    uint32_t group[GROW_LEVELS];
} grow_root;

// A population. Never changes once made; groups of a scene that are copies of each other share it.
typedef struct grow_population {
    atomic_uint owners;
    grow_def def; // with the surface's derived fields, and `count` as it is
    double area;  // m^2 in which strands grow, weighed by density
    grow_root *roots;
    grow_root *middles[GROW_LEVELS]; // what groups gather about
    uint32_t middle_count[GROW_LEVELS];
    float (*draped)[3]; // [strand][vertices + 1] vertices from the root, m, and director 1; NULL: nothing is draped
} grow_population;

enum {
    GROW_MOST_STRANDS = 16000000,
    GROW_MOST_VERTICES = 1 << 30, // of all strands together
    GROW_VERTEX_BYTES = 336,      // that a vertex of a population takes in a run on the reference
};

// What may still grow in a scene.
typedef struct grow_room {
    uint32_t strands;
    uint64_t vertices;
} grow_room;

// Places the roots. Takes over what the definition's maps and mesh point to, also on failure, and leaves them empty.
// Numbers keep to the limits of scenes. Returns SHEAF_OK, SHEAF_ERR_INPUT (nothing to grow on, no strands),
// SHEAF_ERR_LIMIT (more than there is `room` for), SHEAF_ERR_MEMORY.
sheaf_status grow_create(grow_def *def, grow_room room, grow_population **grown);

// Another owner, and one owner less; the last one frees it. NULL is allowed.
grow_population *grow_share(grow_population *grown);
void grow_release(grow_population *grown);
void grow_def_free(grow_def *def);

// Vertices of strand k, m, [vertices][3], and where director 1 of its first edge is to point: across the way it leans,
// or across its curl's first bend. The surface cuts the first edge in the middle. A function of the population and k.
void grow_strand(const grow_population *grown, uint32_t k, double (*points)[3], double normal[3]);

// Share of the full density that strands have at a point of the surface with that normal, as far as cap, region and
// hairline say; maps and what a mesh's vertices say come on top.
double grow_cover(const grow_population *grown, const double point[3], const double normal[3]);

// Share of a sphere within an angle (0 to pi) of a pole: sin^2(angle / 2).
double grow_cap_share(double angle);

// Factors on the material's radii and moduli that strand k has.
typedef struct grow_variety {
    double radius, stiffness;
} grow_variety;
grow_variety grow_vary(const grow_population *grown, uint32_t k);

#endif
