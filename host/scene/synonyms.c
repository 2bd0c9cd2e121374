// synonyms: what keys are called elsewhere, so that a wrong key can be answered by the right one.
#include "scene/schema.h"

#include <string.h>

// A word may stand here several times: the first whose key the table has is meant.
static const scene_synonym synonyms[] = {
    {"fov", "angle", "the angle of view"},
    {"field_of_view", "angle", "the angle of view"},
    {"segments", "vertices", "one more than segments"},
    {"resolution", "vertices", NULL},
    {"fps", "frames", "frames per second, in Hz"},
    {"frame_rate", "frames", "frames per second, in Hz"},
    {"rate", "frames", "frames per second, in Hz"},
    {"duration", "end", "the time simulated"},
    {"duration", "over", "how long it takes"},
    {"dt", "step", "the time step"},
    {"timestep", "step", "the time step"},
    {"time_step", "step", "the time step"},
    {"color", "colour", NULL},
    {"colors", "colours", NULL},
    {"stiffness", "young", "Young's modulus; bend is the bending stiffness"},
    {"modulus", "young", "Young's modulus"},
    {"youngs_modulus", "young", NULL},
    {"E", "young", "Young's modulus"},
    {"shear_modulus", "shear", NULL},
    {"G", "shear", "the shear modulus"},
    {"diameter", "radius", "half the diameter"},
    {"thickness", "radius", "half the thickness"},
    {"width", "radius", "half the width"},
    {"rho", "density", NULL},
    {"mass", "line_mass", "mass per length"},
    {"centre", "center", NULL},
    {"number", "count", NULL},
    {"strands", "count", "the number of strands"},
    {"path", "file", NULL},
    {"filename", "file", NULL},
    {"motions", "motion", NULL},
    {"material", "materials", NULL},
    {"strand", "strands", NULL},
    {"collider", "colliders", NULL},
    {"amount", "strength", NULL},
};

const scene_synonym *scene_find_synonym(const scene_table *table, const char *word, size_t length)
{
    for (size_t k = 0; k < sizeof synonyms / sizeof synonyms[0]; k++) {
        const scene_synonym *row = &synonyms[k];
        if (strlen(row->word) == length && memcmp(row->word, word, length) == 0 &&
            scene_find_key(table, row->key, strlen(row->key)) != NULL)
            return row;
    }
    return NULL;
}
