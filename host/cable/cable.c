// cable: cables as rigid segments in a chain, the method of paper 001: joints that stretch, bend and twist as the
// material does, with loads that outweigh a segment many thousand times.
#include "cable/cable.h"

#include "cable/chain.h"
#include "cable/device/device.h"
#include "verify/verify.h"

const method method_cable = {
    .name = "cable",
    .purpose = "cables of rigid segments that carry heavy loads at large steps",
    .bodies = METHOD_BODIES_CARRIED,
    .reeves = true,
    .check = cable_check,
    .reference = &cable_on_reference,
    .device = &cable_on_device,
    .facts = cable_facts,
    .verify = &cable_verify,
    .moments = cable_moments,
    .fits_device = cable_fits_device,
};
