// adaptive: cables whose segments are merged where they bend evenly, and split where they bend much or touch. A cable
// of N pieces, the finest segments that it may have, is cut into n segments of one piece or more each; the first and
// the last piece are always segments of their own.
//
// Its segments are the first n of the N bodies that it has in its group, and so are its joints; what is behind them is
// parked. Where two segments become one, or one becomes two, the arms of the outer joints are such that their gaps are
// as the strain says, and go to the ends of the straight segments by and by: what is kept at once is momentum and the
// energy of deformation, in the end the length of rope.
#ifndef SHEAF_CABLE_ADAPTIVE_H
#define SHEAF_CABLE_ADAPTIVE_H

#include "cable/chain.h"
#include "cable/ref/ref.h"

enum { CABLE_RUN_NUMBERS = 8 };

typedef struct cable_run {
    double pieces;      // that the segment has; 0: there is no such segment now
    double wait;        // steps until it may change again
    double shift[2][3]; // m, in body axes: of the arms at its beginning and end from the ends of the straight segment
} cable_run;

typedef struct cable_adaptive {
    uint32_t strand, group;
    uint32_t segment, joint; // its first ones in the group
    uint32_t pieces, least;  // N, and the fewest segments
    uint32_t count;          // n
    bool holds[2];           // there is a joint at root and tip
    bool ends_group;         // no joints of the group come after its own
    double line_mass;        // kg/m
    double thick;            // m, radius for inertia
    double compliance[3];    // of a metre: stretch, bend, twist
    cable_joint tip;         // the joint at the tip as it is at the start
    double *at;              // m [pieces + 1] along the cable without load
    cable_run *runs;         // [pieces]
} cable_adaptive;

// Whether a cable of the model is adaptive.
bool cable_is_adaptive(const sheaf_model *model, uint32_t strand);

// The cable that begins at its finest, its bodies and joints being in the group. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status cable_adaptive_open(const sheaf_model *model, uint32_t strand, const cable_group *group,
                                 cable_adaptive *cable);
void cable_adaptive_close(cable_adaptive *cable);

// Makes masses, arms and compliances what the runs say, and counts the segments; not where bodies are.
// cable_ref_prepare is due where the count has changed.
void cable_adaptive_fit(cable_adaptive *cable, cable_group *group);

// Merges segments k and k + 1, or splits segment k, which have neighbours on both sides. The group is not fit for a
// step before cable_adaptive_fit.
void cable_adaptive_merge(cable_adaptive *cable, cable_group *group, uint32_t k);
void cable_adaptive_split(cable_adaptive *cable, cable_group *group, uint32_t k);

// After a step: lets arms go on, merges and splits. True: the count has changed.
bool cable_adaptive_turn(cable_adaptive *cable, cable_group *group);

// The segment that is made of a piece, and how far along its axis the piece's beginning is from its centre, m.
uint32_t cable_adaptive_find(const cable_adaptive *cable, uint32_t piece, double *along);

// The first piece of segment k.
uint32_t cable_adaptive_first(const cable_adaptive *cable, uint32_t k);

#endif
