// load: scenes and their models, as several commands need them, and what can be said about them.
#ifndef SHEAF_CLI_LOAD_H
#define SHEAF_CLI_LOAD_H

#include "cli/message.h"
#include "model/model.h"
#include "scene/reader.h"

typedef struct cli_loaded {
    scene_diagnostics problems;
    sheaf_scene *scene;
    sheaf_model *model;
    sheaf_status status;
} cli_loaded;

// Reads and compiles a scene; what went wrong is in `problems`, or else in the last error. Free in any case.
cli_loaded cli_load(const char *path);

// The same for a scene whose files are not where it says; see scene_read_moved.
cli_loaded cli_load_moved(const char *path, const scene_files *places);

void cli_loaded_free(cli_loaded *loaded);

// Tells why loading failed, on stderr; returns the exit code.
int cli_tell_load(const cli_loaded *loaded, const char *path);

// Tells, on stderr, of materials that the scene's wind does not move although nothing says so.
void cli_tell_wind(const sheaf_scene *scene);

// The same as a JSON array of {file, line, column, message, hint}; empty when loading succeeded. NULL: out of memory.
json_t *cli_load_errors(const cli_loaded *loaded, const char *path);

// Figures of a model.
typedef struct cli_figures {
    double shortest, longest, length; // m, of one strand, and of all
    double beyond;                    // m, largest part of a strand that lies beyond the planes of its clamps
    double mass;                      // kg
    double low[3], high[3];           // m, bounds of the start pose
    double explicit_limit;            // s; 0: not known
    uint64_t memory;                  // bytes, of model and state
} cli_figures;

// Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status cli_measure(const sheaf_model *model, cli_figures *figures);

// Number with a unit and a prefix that suits it, as "12.3 cm" or "45 us".
void cli_format_quantity(double value, const char *unit, char *text, size_t size);

// Bytes as "12.3 MB".
void cli_format_bytes(uint64_t bytes, char *text, size_t size);

extern const char *const cli_integrator_names[];

#endif
