// der: Discrete Elastic Rods, the method of paper 000: centreline and material frames, inextensible, frames in
// equilibrium.
#include "der/der.h"

const method method_der = {
    .name = "der",
    .purpose = "Discrete Elastic Rods: bending, twist and natural shape of inextensible strands",
    .reference = &der_on_reference,
    .device = &der_on_device,
};
