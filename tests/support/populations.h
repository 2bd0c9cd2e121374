// populations: hair on the cap of a sphere, for tests that need a population of any kind.
#ifndef SHEAF_TESTS_POPULATIONS_H
#define SHEAF_TESTS_POPULATIONS_H

#include "grow/grow.h"

// Straight strands of 20 cm on the cap of a sphere of radius 9 cm about the origin, seed 7.
grow_def population_def(uint32_t count, uint32_t vertices);

// Grows it; NULL where memory runs out.
grow_population *population_grow(grow_def def);

#endif
