// segments: two edges, the places where they are nearest to each other, and the direction between these.
#ifndef SHEAF_COUPLE_SEGMENTS_H
#define SHEAF_COUPLE_SEGMENTS_H

// Nearest points p = (1 - s) a0 + s a1 and q = (1 - t) b0 + t b1.
typedef struct segments_near {
    double s, t;
    double distance;  // m, |p - q|
    double normal[3]; // unit vector from q to p; across both edges where they meet
} segments_near;

segments_near segments_find(const double a0[3], const double a1[3], const double b0[3], const double b1[3]);

#endif
