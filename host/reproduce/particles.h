// particles: cables of particles, the paper's models (a) to (e), as its formulas have them: a load hangs on light
// particles by constraints that give way, stepped by symplectic Euler with the constraints taken implicitly. They show
// why cables of rigid bodies have stiffness against bending; nothing else uses them.
#ifndef SHEAF_REPRODUCE_PARTICLES_H
#define SHEAF_REPRODUCE_PARTICLES_H

#include <stdbool.h>
#include <stdint.h>

enum { PARTICLES_MOST = 40, PARTICLE_ROWS_MOST = 3 * PARTICLES_MOST };

typedef enum particle_model {
    PARTICLE_CHAIN,     // (a) links between neighbours
    PARTICLE_MASSLESS,  // (b) and a massless cable along all of them
    PARTICLE_DIRECT,    // (c) links, and one from the anchor to the load
    PARTICLE_TRUNCATED, // (d) as (b) without the last link
    PARTICLE_BENDING,   // (e) links, and an angle between neighbours as printed: without a direction
    PARTICLE_DIRECTED,  // (e) with both components of the angle
    PARTICLE_FORCED,    // (e) with bending as an explicit force
} particle_model;

typedef struct particle_cable {
    particle_model model;
    uint32_t count;     // particles, the last one the load
    double ratio;       // of the load's mass to the others', which are of 1 kg
    double link, other; // m/N, m/N or rad/(N m): compliance of links, and of what is added to them
    double step;        // s
    double gravity;     // m/s^2
    double side;        // m, that its middle is out of the plane at the start
} particle_cable;

typedef struct particle_state {
    double x[PARTICLES_MOST + 1][3], v[PARTICLES_MOST + 1][3]; // particle 0 is the anchor
    double stretch;                                            // m, of the first link
    double angle;                                              // rad, with a sign, between the first two links
} particle_state;

// Horizontal along x, at rest, with links of 1 m.
void particles_start(const particle_cable *it, particle_state *s);

// One step. False: its matrix is not positive.
bool particles_step(const particle_cable *it, particle_state *s);

// What became of a cable that was dropped.
typedef struct particle_outcome {
    bool holds;
    const char *why; // it does not
    double swing;    // m, the farthest aside in the second half
} particle_outcome;

// Drops it and looks whether it breaks: not finite, a joint bent by more than 1 rad, a link that opens by more than a
// twentieth or ten times what the load makes it, more than 1.1 times the energy of the start.
particle_outcome particles_drop(const particle_cable *it, double seconds);

#endif
