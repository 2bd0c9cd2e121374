// parts: what the files of laws share.
#ifndef SHEAF_LAW_PARTS_H
#define SHEAF_LAW_PARTS_H

#include "law/graph.h"
#include "law/law.h"

#include <stdatomic.h>

// The curve of one strain. An implicit one is given by g(x, q) = 0.
typedef struct law_axis {
    bool is_implicit;
    law_slot slot;               // the text it comes from
    law_expression source;       // psi, or g
    law_ref value, slope;        // in the graph: psi and its derivative; implicit: g and its derivative by q
    law_ref secant;              // psi / x, where that is known without a division
    bool has_secant;             //
    law_ref by_x;                // implicit: derivative of g by x
    double ends[2];              // implicit: q at -range and range
    double steepness;            // implicit: slope of q at 0
    law_facts facts;             //
    double floor;                // least slope that a Newton step may use
    uint32_t fit_order;          // 0: no polynomial
    double fit[LAW_MAX_FIT + 1]; // of x / range
} law_axis;

enum { LAW_PLACES = 5 }; // where a law that changes along the strand is tried

struct law {
    atomic_uint owners;
    law_form form;
    bool is_graded;
    double range;              // 1/m
    bool has_range;            // it was given
    double places[LAW_PLACES]; // m, from the root: where it was checked
    uint32_t place_count;      //
    uint64_t hash;             //
    law_friction friction;     //
    law_axis axes[3];          // separate; radial: 0 and 2
    law_slot slot;             // of a coupled law
    bool has_energy;           // it is given by its energy
    law_expression energy;     // J/m
    law_expression moments[3]; // N m
    law_ref q[3], k[6];        // in the graph: moments and their derivatives, rows 00, 10, 11, 20, 21, 22
    double pivots[3];          // of the tangent at 0, N m^2
    double stiffest[3];        // largest sums of the tangent's rows, entries without sign, N m^2
    law_facts facts[3];        // of a coupled law along its axes
    law_graph graph;
};

// Whether the curve is what a strand may be made of, within the law's range; fills its facts. False: `fault` says why.
bool law_check_axis(law *of, law_axis *axis, bool has_range, law_fault *fault);

// The same for moments of all three strains.
bool law_check_coupled(law *of, bool has_range, law_fault *fault);

// Says what is wrong with the whole of a text; always false.
__attribute__((format(printf, 5, 6))) bool law_refuse(law_fault *fault, law_slot slot, size_t length, const char *hint,
                                                      const char *format, ...);

// psi and slope at a strain within the range.
void law_axis_at(const law_axis *axis, double x, double place, double *value, double *slope);

// Moments and tangent of a coupled law at strains within the range.
void law_coupled_at(const law *of, const double x[3], double place, double moment[3], double tangent[3][3]);

// Where Newton's method on an implicit curve starts, and how many steps a device takes.
enum { LAW_IMPLICIT_STEPS = 5 };
double law_implicit_start(const law_axis *axis, double range, double x);

// Puts a polynomial in place of a curve that has been checked. False: `fault` says why.
bool law_fit_axis(law *of, law_axis *axis, const law_fit *fit, law_fault *fault);

#endif
