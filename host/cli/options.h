// options: entries that the tables of several commands share; each is for the member of `values` that it is named
// after.
#ifndef SHEAF_CLI_OPTIONS_H
#define SHEAF_CLI_OPTIONS_H

#include "cli/command.h"
#include "cli/probe.h"

#define CLI_OPERAND_SUBJECT(values)                                                                                    \
    {                                                                                                                  \
        "SUBJECT", CLI_FILE, NULL, true, "scene, folder of a run, or file of strands", offsetof(values, subject)       \
    }

#define CLI_OPTION_BACKEND(values)                                                                                     \
    {                                                                                                                  \
        .name = "device", .letter = 'd', .kind = CLI_CHOICE, .argument = "auto|ref|N", .choices = cli_backends,        \
        .preset = "auto",                                                                                              \
        .doc = "what simulates: the best OpenCL device, the fp64 reference on the CPU, or device number N",            \
        .offset = offsetof(values, device)                                                                             \
    }

#define CLI_OPTION_SIZE(values)                                                                                        \
    {                                                                                                                  \
        .name = "size", .letter = 's', .kind = CLI_TEXT, .argument = "WxH", .preset = "1280x720",                      \
        .doc = "width and height in pixels", .offset = offsetof(values, size)                                          \
    }

#define CLI_OPTION_SCENE(values)                                                                                       \
    {                                                                                                                  \
        .name = "scene", .kind = CLI_FILE, .argument = "FILE",                                                         \
        .doc = "take camera and colours of a run from this scene file, whose strands must be those of the run",        \
        .offset = offsetof(values, scene)                                                                              \
    }

#define CLI_OPTION_CHILDREN(values)                                                                                    \
    {                                                                                                                  \
        .name = "children", .kind = CLI_TEXT, .argument = "N",                                                         \
        .doc = "render strands for each simulated one of a groom or file, 0 for none (default: as the scene says)",    \
        .offset = offsetof(values, children)                                                                           \
    }

#define CLI_OPTION_QUIET(values)                                                                                       \
    {                                                                                                                  \
        .name = "quiet", .letter = 'q', .doc = "no progress and no summary", .offset = offsetof(values, quiet)         \
    }

#endif
