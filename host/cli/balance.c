// balance: what `check` and `run` tell of strands that are to start at rest.
#include "cli/balance.h"

#include "cli/message.h"
#include "io/folder.h"

enum { MOST_TOLD = 10 };

sheaf_status cli_balance_find(const sheaf_model *model, cli_balance *balance)
{
    *balance = (cli_balance){0};
    if (!balance_is_wanted_anywhere(model))
        return SHEAF_OK;
    balance->list = base_alloc(model->strand_count, sizeof *balance->list);
    if (balance->list == NULL)
        return SHEAF_ERR_MEMORY;
    SHEAF_TRY(sheaf_model_balance(model, &balance->found, balance->list, model->strand_count));
    while (balance->count < model->strand_count && balance->list[balance->count].reason != NULL)
        balance->count++;
    return balance_summarise(model, &balance->stiffening);
}

static void tell_stiffening(const cli_balance *balance)
{
    const balance_summary *sum = &balance->stiffening;
    if (sum->stiffened > 0)
        cli_note("sag-free: %u were made stiffer to stay there, x %.2g (median), at most x %.2g; a run lists them "
                 "in " IO_STIFFENED_NAME,
                 sum->stiffened, sum->median, sum->most);
    if (sum->capped > 0)
        cli_warn(
            "%u need more than their limit, at most x %.2g, and have less of a margin or still fall; raise `limit` of "
            "natural, or give a stiffer material",
            sum->capped, sum->most_wished);
    else if (sum->most_wished > 0)
        cli_note("sag-free: `stiffen: auto` would hold those that would fall with at most x %.2g", sum->most_wished);
    if (sum->touching > 0)
        cli_note("sag-free: %u start on or in a collider and are balanced without it", sum->touching);
}

void cli_balance_tell(const cli_balance *balance)
{
    const sheaf_balance *found = &balance->found;
    if (found->wanted == 0)
        return;
    cli_note(
        "sag-free: %u of %u strands start at rest; the largest force left on a vertex is %.2g N, %.1g of its weight",
        found->wanted - found->unbalanced, found->wanted, found->residual,
        found->weight > 0 ? found->residual / found->weight : 0);
    tell_stiffening(balance);
    if (found->unbalanced + found->unstable > 0)
        cli_warn("%u cannot be balanced, and %u would fall when disturbed:", found->unbalanced, found->unstable);
    for (uint32_t k = 0; k < balance->count && k < MOST_TOLD; k++)
        cli_note("  strand %u: %s", balance->list[k].strand, balance->list[k].reason);
    if (balance->count > MOST_TOLD)
        cli_note("  and others; a run lists them all in " IO_UNSTABLE_NAME);
}

void cli_balance_free(cli_balance *balance)
{
    base_free(balance->list);
    *balance = (cli_balance){0};
}
