// portrait: one picture of a run's last frame, for pages.
#ifndef SHEAF_CLI_PORTRAIT_H
#define SHEAF_CLI_PORTRAIT_H

#include "cli/show.h"

// Draws the last frame of what is shown with the camera and colours of its scene, as the bytes of a PNG. Returns
// SHEAF_OK, SHEAF_ERR_DEVICE, SHEAF_ERR_IO, SHEAF_ERR_MEMORY.
sheaf_status cli_portrait_draw(cli_show *show, uint32_t width, uint32_t height, base_text *png);

#endif
