// balance: what `check` and `run` tell of strands that are to start at rest.
#ifndef SHEAF_CLI_BALANCE_H
#define SHEAF_CLI_BALANCE_H

#include "strand/balance.h"

typedef struct cli_balance {
    sheaf_balance found;
    sheaf_imbalance *list; // [count] those that are not at rest, or not for long
    uint32_t count;
    balance_summary stiffening;
} cli_balance;

sheaf_status cli_balance_find(const sheaf_model *model, cli_balance *balance);

// Tells it on stderr; nothing where no strand is to start at rest.
void cli_balance_tell(const cli_balance *balance);

void cli_balance_free(cli_balance *balance);

#endif
