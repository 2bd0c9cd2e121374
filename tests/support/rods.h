// rods: random rods for tests, as a model and state of one strand built by hand: every combination of section, natural
// shape, spacing and end conditions, with sizes and stiffnesses over many orders of magnitude.
#ifndef SHEAF_TESTS_RODS_H
#define SHEAF_TESTS_RODS_H

#include "der/ref/ref.h"

// Numbers from one stream of the library's generator.
typedef struct rods_random {
    uint64_t seed;
    uint64_t next;
} rods_random;

double rods_uniform(rods_random *random, double low, double high);
void rods_direction(rods_random *random, double out[3]);

// What happens to the frame of an end edge.
typedef enum rods_end { RODS_FREE, RODS_HELD, RODS_LOADED } rods_end;

typedef struct rods_recipe {
    uint64_t seed;
    uint32_t vertices; // 3 or more; 4 or more with inner_held
    bool closed;       // then ends are left out
    bool anisotropic;  // stiffnesses differ in direction and from edge to edge
    bool curved;       // random natural curvature and twist
    bool uneven;       // edge lengths differ by up to a factor of 4
    bool inner_held;   // frame of one inner edge is held
    rods_end root, tip;
    bool root_tangent_held, tip_tangent_held;
    double sharpness; // rad, typical turning angle at a vertex
} rods_recipe;

// Recipe number `index` < RODS_VARIANTS of a list that crosses all of the above; each has an equilibrium of its frames.
enum { RODS_OPEN_VARIANTS = 1152, RODS_VARIANTS = RODS_OPEN_VARIANTS + 128 };
rods_recipe rods_variant(uint32_t index);

// State of a model made by hand, its directors at random angles. Aborts the test when out of memory.
sheaf_state *rods_create(const rods_recipe *recipe);
void rods_free(sheaf_state *state);

// Opens a view and sets what is not part of the state: couples of loaded ends and imposed angles of held frames (which
// are in theta after this).
void rods_open(sheaf_state *state, const rods_recipe *recipe, ref_rod *rod);

// A rod made from a recipe, opened, with its frames up to date.
typedef struct rods_case {
    rods_recipe recipe;
    sheaf_state *state;
    ref_rod rod;
} rods_case;

void rods_set_up(rods_case *it, const rods_recipe *recipe);
void rods_tear_down(rods_case *it);

// Copies all that moves from one state to another of the same model, or of one made from the same recipe.
void rods_copy(sheaf_state *to, const sheaf_state *from);

// Is vertex i free to move when held end edges keep their direction?
bool rods_vertex_moves(const ref_rod *rod, uint32_t i);

// The larger of two errors; not-a-number is the largest of all, so that no bar is passed by it.
static inline double rods_worse(double a, double b)
{
    return b > a || b != b ? b : a;
}

// The rod's largest 2 beta / lb, N m: what twist residuals are measured in.
double rods_twist_unit(const ref_rod *rod);

// Largest component of n vectors; sum of their lengths.
double rods_largest(const double (*vectors)[3], uint32_t n);
double rods_total(const double (*vectors)[3], uint32_t n);

#endif
