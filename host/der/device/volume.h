// volume: strands that keep their volume and shield each other from the wind, on a device (kernels/couple/volume.cl).
#ifndef SHEAF_DER_DEVICE_VOLUME_H
#define SHEAF_DER_DEVICE_VOLUME_H

#include "couple/volume.h"
#include "der/device/device.h"

typedef struct der_volume der_volume;

// For an engine that was opened with is_pushed, which must outlive it. Returns SHEAF_OK, SHEAF_ERR_INPUT,
// SHEAF_ERR_LIMIT, SHEAF_ERR_DEVICE, SHEAF_ERR_MEMORY.
sheaf_status der_volume_open(sheaf_engine *engine, der_volume **made);
void der_volume_close(der_volume *it); // NULL is allowed

// Before every step: gives the engine its pushes, and rubs velocities.
sheaf_status der_volume_act(der_volume *it);

// What the grid tells of strands as they are now. Waits.
sheaf_status der_volume_figures(der_volume *it, method_figure *figures, uint32_t *count);

// The state besides that of the strands: [vertex] in the model's order and the engine's precision. Wait.
sheaf_status der_volume_read(der_volume *it, void *pressures);
sheaf_status der_volume_write(der_volume *it, const void *pressures);

#endif
