// ledger: what the ledger of strands on a device says of all of them.
#ifndef SHEAF_DER_DEVICE_LEDGER_H
#define SHEAF_DER_DEVICE_LEDGER_H

#include "method/method.h"

// From the totals of an engine of implicit steps; returns how many figures.
uint32_t der_ledger_figures(const double *totals, method_figure *figures);

#endif
