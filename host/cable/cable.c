// cable: cables as rigid segments in a chain, the method of paper 001: joints that stretch, bend and twist as the
// material does, with loads that outweigh a segment many thousand times.
#include "cable/cable.h"

#include "cable/device/device.h"

const method method_cable = {
    .name = "cable",
    .purpose = "cables of rigid segments that carry heavy loads at large steps",
    .reference = &cable_on_reference,
    .device = &cable_on_device,
    .facts = cable_facts,
    .moments = cable_moments,
    .fits_device = cable_fits_device,
};
