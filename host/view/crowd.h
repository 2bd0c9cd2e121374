// crowd: children of the strands on a stage, made while they are drawn.
#ifndef SHEAF_VIEW_CROWD_H
#define SHEAF_VIEW_CROWD_H

#include "children/children.h"
#include "view/subject.h"

typedef struct view_maker view_maker;

// Children of strands with these looks, which stay the caller's and are told for how many each of them stands. `*maker`
// is NULL where there are no children. Returns as children_open.
sheaf_status view_maker_open(const children_def *def, view_strand *looks, view_maker **maker);
void view_maker_close(view_maker *maker);

// The crowd around strands at these positions, which must live until it has been drawn; NULL of NULL.
const view_crowd *view_maker_crowd(view_maker *maker, const double (*positions)[3], double time);

#endif
