// der: Discrete Elastic Rods, the method of paper 000: centreline and material frames, inextensible, frames in
// equilibrium.
#include "der/der.h"

#include "der/ref/state.h"

const method method_der = {
    .name = "der",
    .purpose = "Discrete Elastic Rods: bending, twist and natural shape of inextensible strands",
    .couples = true,
    .bodies = METHOD_BODIES_ALL,
    .reference = &der_on_reference,
    .device = &der_on_device,
    .step_limit = der_step_limit,
    .balance = der_balance,
    .state_bytes = model_state_bytes,
    .verify = &der_verify,
    .bench = &der_bench,
};

bool der_moves(const sheaf_model *model, uint32_t strand)
{
    return method_list[model->strands[strand].method] == &method_der;
}
