// ledger: which strands have their energy accounted for.
#ifndef SHEAF_DER_LEDGER_H
#define SHEAF_DER_LEDGER_H

#include "model/model.h"

// Whether what is done to a strand in a step is known as work, so that its energy can be accounted for: its ends are
// free, or stay, or its root is clamped to a motion while nothing holds the rest. Not where courses drive an end,
// couples load it, a loop closes, a law answers its strains, or a body carries it.
bool der_has_ledger(const sheaf_model *model, uint32_t strand);

// Of such a strand: whether its root is clamped to a motion.
bool der_is_carried(const sheaf_model *model, uint32_t strand);

#endif
