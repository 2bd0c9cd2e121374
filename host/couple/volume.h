// volume: hair that keeps its volume. Every edge is a sample with a mass and a room, the volume that it wants to
// itself. Once per step samples are laid on a grid of cells; where their rooms fill more than there is, a pressure
// pushes them apart, and samples take on some of the velocity around them (rubbing). By the same grid hair shields hair
// behind it from the wind. docs/theory.md, section 16.
//
//   plan       what stays: masses, rooms, drags of samples, numbers of the grid; of reference and device alike
//   reference  the grid in fp64, plainly
//
// The device's grid is in kernels/couple/volume.cl and host/der/device/volume.c.
#ifndef SHEAF_COUPLE_VOLUME_H
#define SHEAF_COUPLE_VOLUME_H

#include "method/method.h"
#include "model/model.h"

enum {
    VOLUME_NODES_MOST = 1 << 24, // of a grid
    VOLUME_MARGIN = 2            // cells around all samples: pressure and density reach so far
};

#define VOLUME_AIR_DENSITY 1.2 // kg/m^3
#define VOLUME_LEAST_WIND 0.1  // m/s; slower air is not shielded
#define VOLUME_SPEED_MOST 2.0  // m/s, of `speed: auto`

// What stays the same over all steps. Arrays are [vertex] of the model: sample j is the edge from vertex j to the next;
// where there is no edge, its mass is 0.
typedef struct volume_plan {
    const sheaf_model *model;
    bool presses, shields;
    double cell;      // m
    double step;      // s
    double speed;     // m/s, c
    double rub;       // share of the difference in velocity that is made up in a step
    double reference; // kg/m^3, density that pressure is counted with
    uint32_t sweeps;
    double *mass;     // kg
    double *place;    // share of the way from the edge's first vertex to its second
    double *room;     // m^3
    double *drag;     // N s/m, of the hairs that it stands for
    bool *held;       // [vertex] its motion is prescribed: it is not rubbed
    double mean_mass; // kg, a power of two near to the mean of the samples
    double fill;      // groom's own share of the volume, mean by mass
    double crowding;  // at the start, how many times as full as wanted the fullest place is; 1 or less: nothing pushes
    double depth;     // m, in which the wind falls to 1/e in the groom's mean density; infinite: not shielded
} volume_plan;

// Whether the model asks for a grid.
bool volume_is_wanted(const sheaf_model *model);

// Returns SHEAF_OK, SHEAF_ERR_INPUT (cells smaller than an edge, a model too large), SHEAF_ERR_LIMIT (a grid too
// large), SHEAF_ERR_MEMORY. The model must outlive the plan.
sheaf_status volume_plan_make(const sheaf_model *model, double step, volume_plan *plan);
void volume_plan_free(volume_plan *plan);

// Tells what a user should know of the plan: a speed that was capped, hair that does not rub, strands that are to start
// at rest and are pushed.
void volume_plan_tell(const volume_plan *plan);

// The vertex at the other end of edge j of a strand.
static inline uint64_t volume_next(const sheaf_model *model, uint32_t strand, uint64_t j)
{
    return j + 1 < model->first_vertex[strand + 1] ? j + 1 : model->first_vertex[strand];
}

// Nodes of a grid: multiples of the cell from `low` on.
typedef struct volume_box {
    int64_t low[3];
    uint32_t size[3]; // nodes along x, y, z
} volume_box;

static inline uint64_t volume_box_nodes(const volume_box *box)
{
    return (uint64_t)box->size[0] * box->size[1] * box->size[2];
}

// A box around cells first .. last of all samples; SHEAF_ERR_LIMIT where there are too many nodes.
sheaf_status volume_box_make(const int64_t first[3], const int64_t last[3], double cell, volume_box *box);

// Mean velocity of the air that the hair as a whole meets, m/s, at a time; all 0: none worth shielding.
void volume_wind(const sheaf_model *model, const double center[3], double time, double wind[3]);

// Sums over the grid.
typedef struct volume_figures {
    double squeeze;       // J
    double filled_mean;   // mean by mass of the filled share
    double filled_q99;    // 99 % of the mass are where it is no larger
    double pressure_most; // Pa
    double wind_share;    // mean by mass of the share of the wind that samples feel; 1 where it is not shielded
} volume_figures;

// These as figures of a method: what presses, and what shields. Returns how many.
uint32_t volume_name_figures(const volume_plan *plan, const volume_figures *sums, method_figure *figures);

// ---- reference

typedef struct volume_ref volume_ref;

sheaf_status volume_ref_open(const volume_plan *plan, volume_ref **made);
void volume_ref_close(volume_ref *it); // NULL is allowed

// What moves, [vertex][3].
typedef struct volume_motion {
    double (*position)[3]; // m
    double (*velocity)[3]; // m/s
    double (*last_velocity)[3],
        (*move)[3]; // m/s one step before, m of the last step; changed by rubbing, as velocities
} volume_motion;

// Before a step that starts at `time`: presses, rubs, and finds how much of the wind every vertex feels.
sheaf_status volume_ref_act(volume_ref *it, volume_motion motion, double time);

// N on every vertex, and share of the wind at every vertex, by the last volume_ref_act.
const double (*volume_ref_push(const volume_ref *it))[3];
const double *volume_ref_share(const volume_ref *it);

// The state: pressure over density that every sample carries, m^2/s^2, [vertex].
double *volume_ref_pressure(volume_ref *it);

// Of samples as they are now, at `time`.
sheaf_status volume_ref_measure(volume_ref *it, volume_motion motion, double time, volume_figures *figures);

// ---- sums

typedef struct volume_pair {
    double value, weight;
} volume_pair;

// The value below which a share of the weight lies; sorts the pairs. 0 of none.
double volume_quantile(volume_pair *pairs, uint64_t count, double share);

// Energy, mean and quantile from pairs of filled share and mass of nodes, which it sorts.
void volume_sum_up(const volume_plan *plan, volume_pair *nodes, uint64_t count, volume_figures *figures);

#endif
