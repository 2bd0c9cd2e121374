// budget: how much of a picture is drawn while things move.
#include "view/budget.h"

#include <math.h>

static const double wanted = 0.06;            // s, for a picture
static const double least = 24e3, most = 8e6; // corners
static const double plenty = 400e3;           // corners from which a picture may have its full size again
enum { SLOW_IN_A_ROW = 2 };

view_budget view_budget_start(bool is_software)
{
    return (view_budget){.corners = is_software ? 60e3 : 1e6, .is_half = is_software};
}

// A quarter less at most, so that one late picture does not make a head bald; and no more than twice what there is to
// draw, so that it is known what can be drawn when more comes.
void view_budget_note(view_budget *budget, double seconds, uint64_t drawn)
{
    const double ratio = fmin(fmax(wanted / fmax(seconds, 1e-6), 0.75), 1.15);
    if (ratio < 0.85 || ratio > 1.1)
        budget->corners = fmin(budget->corners * ratio, fmax(2 * (double)drawn, 60e3));
    budget->corners = fmin(fmax(budget->corners, least), most);
    budget->slow = seconds > wanted && !budget->is_half ? budget->slow + 1 : 0;
    if (budget->slow >= SLOW_IN_A_ROW)
        budget->is_half = true;
    if (budget->is_half && budget->corners > plenty) {
        budget->is_half = false;
        budget->corners /= 2;
    }
}

// Through every other vertex curls keep five points a turn, as long as they turn by no more than 36 deg from one to the
// next, as those of presets do; through fewer they lose their shape, but no head its hair.
view_quality view_budget_quality(const view_budget *budget, uint64_t vertices, bool has_crowd)
{
    view_quality quality = view_quality_live;
    quality.fineness.most_corners = (uint64_t)budget->corners;
    quality.fineness.vertex_step =
        (uint32_t)fmin(fmax(ceil(2.5 * (double)vertices / budget->corners), 1), has_crowd ? 4 : 2);
    if (budget->is_half)
        quality.fineness.thinnest = 1.4; // without more samples finer ones are dotted lines
    if (has_crowd && budget->corners < plenty)
        quality.fineness.parts = 1; // what more pieces would cost is spent on children
    return quality;
}
