// ledger: what the ledger of strands on a device says of all of them.
#include "der/device/ledger.h"

#include <string.h>

#include "kernels/der/figures_slots.clh"

uint32_t der_ledger_figures(const double *totals, method_figure *figures)
{
    const method_figure all[] = {
        {"gain_J", METHOD_JOIN_SUM, false, totals[FIGURE_GAIN]},
        {"gain_worst", METHOD_JOIN_MAX, false, totals[FIGURE_EXCESS]},
        {"retakes", METHOD_JOIN_SUM, false, totals[FIGURE_RETAKES]},
    };
    memcpy(figures, all, sizeof all);
    return sizeof all / sizeof all[0];
}
