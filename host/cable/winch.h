// winch: cables that are wound on drums. Rope on the drum has no bodies of its own: it turns and weighs with the drum.
// Where the rope leaves the drum a joint holds the material point that is there; from step to step it is the next one
// along the rope. The segment there, the head, has any length between half and one and a half of a segment's: it is
// joined with the next one, or divided, beyond that.
//
// With s along the unstretched rope from its root and W what is wound up, segment j of n is s = j l .. (j + 1) l, and
// the head is s = W .. (k + 1) l. W changes by R (turn of the drum - turn of the point of contact about the axle) / (1
// + strain): the drum takes up stretched rope.
#ifndef SHEAF_CABLE_WINCH_H
#define SHEAF_CABLE_WINCH_H

#include "cable/chain.h"
#include "cable/ref/ref.h"

typedef struct cable_winch {
    uint32_t strand, group;
    uint32_t drum;           // body of the group
    uint32_t segment, joint; // the cable's first ones in the group
    uint32_t count;          // segments of the whole cable
    double radius;           // m, of the rope's middle
    double pitch;            // m, from one turn to the next
    double length;           // m, of a segment
    double line_mass;        // kg/m
    double thick;            // m, radius for inertia
    double mass;             // kg, of the drum alone
    double side;             // m, of the plane in which it leaves, along the axle from the drum's centre
    double start[3];         // direction from which `heading` is counted
    double compliance[3];    // of a metre: stretch, bend, twist

    double wound;   // m, W
    double heading; // rad, of the direction in which the rope leaves, about the axle
    uint32_t head;  // k
} cable_winch;

// The winch of a cable whose bodies and joints are in their group as if it had none.
void cable_winch_open(const sheaf_model *model, uint32_t strand, cable_group *group, cable_winch *winch);

// Makes masses, joints and the drum what the state says; not where bodies are. cable_ref_prepare is due where the head
// has changed.
void cable_winch_fit(const cable_winch *winch, cable_group *group);

// Winds by what the drum has turned in the last step. False: it has no rope left, or no more to wind up.
bool cable_winch_turn(cable_winch *winch, cable_group *group);

// Where vertex j of the cable is, m, and how fast, m/s (may be NULL); false: on its segment as any other.
bool cable_winch_vertex(const cable_winch *winch, const cable_group *group, uint32_t j, double place[3],
                        double velocity[3]);

#endif
