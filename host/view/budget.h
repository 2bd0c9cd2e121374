// budget: how much of a picture is drawn while things move, from how long the pictures before took. Children are left
// out first, then every other vertex of hair; simulated strands only where they alone are too many.
#ifndef SHEAF_VIEW_BUDGET_H
#define SHEAF_VIEW_BUDGET_H

#include "view/painter.h"

typedef struct view_budget {
    double corners; // that may be drawn
    bool is_half;   // at half the width and height
    uint32_t slow;  // pictures in a row that took too long at full size
} view_budget;

// `is_software`: the processor draws.
view_budget view_budget_start(bool is_software);

// Takes over what a picture of so many corners took, s.
void view_budget_note(view_budget *budget, double seconds, uint64_t drawn);

// How strands of so many vertices, with a crowd or without one, are drawn.
view_quality view_budget_quality(const view_budget *budget, uint64_t vertices, bool has_crowd);

#endif
