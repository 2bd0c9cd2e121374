// truth_system: the equations of a step as truth has them, and their derivative. Unknowns by vertex: its freedoms, the
// turn of the frame of the edge after it, the tension of that edge, and the pressure of a collider.
#ifndef SHEAF_REF_TRUTH_SYSTEM_H
#define SHEAF_REF_TRUTH_SYSTEM_H

#include "der/ref/truth.h"
#include "der/ref/truth_strain.h"

#define TRUTH_NONE UINT32_MAX // no such unknown

typedef struct truth_system {
    ref_rod *rod;
    const truth_options *options;
    double time, step;
    double inertia, slope; // 1/s^2 and 1/s, of the time formula
    double length, force;  // units, m and N

    // the step
    double (*end)[3];      // [vertex] m, where ends at rest in the start pose have it at the end of the step
    double (*target)[3];   // [vertex] m, xh
    double (*strain)[5];   // [vertex] strains that would not change by the formula
    double (*tangent)[3];  // [edge] at the start of the step, and directors
    double (*director)[3]; //
    double *held_turn;     // [edge] rad, of held frames against their edges in the step
    double couple[2][3];   // N m, at root and tip
    double load[2][3];     // N

    // unknowns
    ref_freedom *freedoms;
    uint32_t freedom_count, count;             // of all unknowns
    uint32_t *first, *after;                   // [vertex] its freedoms
    uint32_t *of_freedom;                      // [freedom]
    uint32_t *of_turn, *of_tension, *of_press; // [vertex] or TRUTH_NONE
    double *unknown;                           // [count]
    bool *is_motion;                           // [count] of a vertex or a frame, not a force

    // pose
    double share;       // s
    double (*x)[3];     // [vertex] m
    truth_edge *edges;  // [edge]
    double *twist;      // [vertex] rad
    double *last_twist; // [vertex] rad, that turns are counted from

    // equations, each in its unit
    double *residual; // [count]
    double *matrix;   // band matrix of LAPACK
    double *unit;     // [count] of unknowns
    int32_t *pivot;
    void *memory[4]; // what the arrays were cut from
} truth_system;

enum { TRUTH_BAND = 24, TRUTH_COLUMN = 3 * TRUTH_BAND + 1 };

sheaf_status truth_open(ref_rod *rod, double time, double step, const truth_options *options, truth_system *t);
void truth_close(truth_system *t);

// Makes the pose that belongs to the unknowns at s = share.
void truth_pose(truth_system *t, double share);

// Residual and matrix at the pose.
void truth_assemble(truth_system *t);

// Building blocks of the equations; forces are those on vertices, N.
void truth_add_force(truth_system *t, uint32_t vertex, double weight, const double force[3]);
void truth_add_block(truth_system *t, uint32_t vertex, uint32_t by, double weight, const double block[3][3]);
void truth_add_column(truth_system *t, uint32_t vertex, uint32_t unknown, double weight, const double force[3]);
void truth_add_row(truth_system *t, uint32_t unknown, uint32_t vertex, double weight, const double by[3]);
void truth_add_entry(truth_system *t, uint32_t row, uint32_t column, double value);

// ---- truth_contact.c

// Whether colliders stop a vertex: none of it is held.
bool truth_is_free(const truth_system *t, uint32_t vertex);

// Pressure, friction and complementarity at all vertices.
void truth_add_contacts(truth_system *t);

#endif
