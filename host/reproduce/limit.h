// limit: the load at which a disturbance neither fades nor grows.
#ifndef SHEAF_REPRODUCE_LIMIT_H
#define SHEAF_REPRODUCE_LIMIT_H

// Loads at which growth is measured, as shares of the continuous rod's limit. Limits of discrete rods lie a little
// above it.
enum { LIMIT_LOADS = 4 };
extern const double limit_loads[LIMIT_LOADS];

// Where the rate of growth, 1/s, crosses zero: the parabola load(rate) through three loads about there, at 0. Not a
// number where it does not cross.
double limit_find(const double rate[LIMIT_LOADS]);

#endif
