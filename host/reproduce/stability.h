// stability: loads at which straight or plane rods lose their stability, from the second variation of their energy
// alone: the smallest load at which it is not positive any more. Rods have the length 1. Nothing here knows of the
// library.
#ifndef SHEAF_REPRODUCE_STABILITY_H
#define SHEAF_REPRODUCE_STABILITY_H

// A straight rod of bending stiffnesses `bend`, clamped at both ends, one of which slides under a tension and is turned
// about the rod: the critical twisting moment. Where both stiffnesses are equal it is Greenhill's.
double stability_ribbon(const double bend[2], double twist, double tension);

// The shape in which it buckles at that moment, 1 at most, towards the section's first and second axis at the first
// end: at `count` places from 0 to 1 along the rod.
void stability_ribbon_mode(const double bend[2], double twist, double tension, const double *place, int count,
                           double (*mode)[2]);

// A strip, clamped horizontally at one end and loaded at the other in the plane in which it is stiff: the critical
// load, in units of sqrt(weak twist). A strip that is not much stiffer in that plane bends before, which holds it
// longer.
double stability_lateral(double stiff, double weak, double twist);

#endif
