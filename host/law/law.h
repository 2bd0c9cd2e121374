// law: material laws that users write. A law says what moments a bent and twisted strand answers with. Per unit of
// stiffness it is a curve psi(x) of one strain x = curvature or twist minus the natural one, 1/m, for each axis:
// moment = EI psi(x), torque = GJ psi(x). Or it is an energy of all three strains, or their moments.
//
// Axes: strains 0 and 1 are curvatures about director 1 and 2, strain 2 is the twist per length.
#ifndef SHEAF_LAW_LAW_H
#define SHEAF_LAW_LAW_H

#include "base/text.h"

enum {
    LAW_MAX_TEXT = 500,      // characters
    LAW_MAX_OPERATIONS = 64, // of a text
    LAW_MAX_DEPTH = 16,      // of parentheses and calls
    LAW_MAX_NODES = 400,     // operations after differentiation
    LAW_MAX_CONSTANTS = 32,
    LAW_MAX_JUMPS = 8,
    LAW_MAX_FIT = 15, // degree of a polynomial
};

typedef struct law_text {
    const char *bytes; // need not end with 0; NULL: none
    size_t length;
} law_text;

typedef struct law_constant {
    const char *name;
    double value; // SI
} law_constant;

// Texts of a law, by which faults name the one they are about.
typedef enum law_slot {
    LAW_BEND_1,
    LAW_BEND_2,
    LAW_TWIST,
    LAW_RADIAL,
    LAW_ENERGY,
    LAW_MOMENT_1,
    LAW_MOMENT_2,
    LAW_MOMENT_3,
    LAW_IMPLICIT,
    LAW_SLOTS
} law_slot;

typedef enum law_basis { LAW_BASIS_CHEBYSHEV, LAW_BASIS_POWERS } law_basis;
typedef enum law_match { LAW_MATCH_VALUE, LAW_MATCH_SLOPE, LAW_MATCH_TANGENT } law_match;

// Polynomials in place of the curves.
typedef struct law_fit {
    bool is_wanted;
    uint32_t order;   // 0: raised by 2 until the worst error is below the tolerance
    double tolerance; // of the largest value
    double range;     // 1/m; 0: that of the law
    law_basis basis;
    law_match match;
} law_fit;

// Friction inside of the material, by Dahl: each strain has besides psi(x) a part z of its own that resists its change,
// dz/dx = stiffness (1 - sign(dx) z / limit). What it stores is z^2 / (2 stiffness), the rest of its work is lost.
typedef struct law_friction {
    double stiffness; // of EI or GJ, where the strain turns back; 0: none
    double limit;     // 1/m, largest z
} law_friction;

typedef struct law_def {
    law_text texts[LAW_SLOTS]; // no bend, radial, energy, moments or implicit: bending is linear; likewise twist
    const law_constant *constants;
    uint32_t constant_count;
    double range;  // 1/m, of every strain; 0: not given
    double length; // m, from root to tip: places that are tried; 0: not known, 1 m is taken (law_along)
    law_fit fit;
    law_friction friction;
} law_def;

// What is wrong with a law.
typedef struct law_fault {
    law_slot slot;
    size_t offset, length; // bytes of its text; SIZE_MAX: all from there
    char message[256];
    char hint[192]; // "" : none
} law_fault;

typedef enum law_form {
    LAW_FORM_SEPARATE, // a curve for each strain
    LAW_FORM_RADIAL,   // a curve of the whole curvature, and one of the twist
    LAW_FORM_COUPLED,  // an energy of all strains, or moments that have one
} law_form;

// What a curve does within its range.
typedef struct law_facts {
    double range;                      // 1/m
    double slope_at_0;                 // the larger side
    double least_slope, largest_slope; //
    double largest_value;              // absolute
    double falling[2];                 // smallest and largest strain, without sign, of negative slope; 0: none
    double jumps[LAW_MAX_JUMPS];       // strains at which the slope jumps
    uint32_t jump_count;               //
    bool hardens, softens;             // away from 0: the slope rises, falls
    bool is_linear, is_implicit, is_odd;
} law_facts;

typedef struct law law;

// Reads and checks a law. On SHEAF_ERR_INPUT `fault` says what is wrong. Others: SHEAF_ERR_MEMORY.
sheaf_status law_create(const law_def *def, law **made, law_fault *fault);

// The same law, checked along strands of this length, m, where it depends on the distance from the root; its facts are
// those of all places. Errors as law_create.
sheaf_status law_along(const law *of, double length, law **made, law_fault *fault);

// Laws never change and are shared; release gives up one owner. NULL is no law.
law *law_share(law *of);
void law_release(law *of);

law_form law_form_of(const law *of);
bool law_is_graded(const law *of); // depends on the distance from the root
uint64_t law_hash(const law *of);  // of all that decides its values

// Of the curve of a strain; of coupled laws along each axis with the others 0, per unit of its slope at 0; of a radial
// law strains 0 and 1 are the same.
const law_facts *law_facts_of(const law *of, int strain);

// One sentence for users: "softening", "non-convex from 4 to 12 1/m".
void law_describe(const law_facts *facts, char *out, size_t size);

// psi and its slope at a strain, by the expression that the user wrote, walked on numbers with derivatives; continued
// as a straight line outside of the range.
void law_curve(const law *of, int strain, double x, double place, double *value, double *slope);

// The polynomial of a curve in powers of x / range, or false where there is none.
bool law_polynomial(const law *of, int strain, double coefficients[LAW_MAX_FIT + 1], uint32_t *order, double *range);

// Without friction: what the strains x[3], 1/m, of a section with stiffnesses[3] (EI about axis 1, EI about axis 2, GJ)
// are answered with: moments, N m, and their derivatives by the strains, N m^2.
typedef struct law_response {
    double moment[3], tangent[3][3];
} law_response;
law_response law_respond(const law *of, const double x[3], double place, const double stiffness[3]);

// The same with a tangent that a Newton step may use: positive, and not so small that a softening law overshoots.
law_response law_respond_guarded(const law *of, const double x[3], double place, const double stiffness[3]);

// stiffness 0: it has none.
law_friction law_friction_of(const law *of);

// What is z after a strain has changed by `change`, 1/m, and its slope; exact, however large the change is.
double law_rub(const law_friction *friction, double z, double change, double *slope);

// Energy per length, J/m, of bending and of twisting apart, without what friction stores; a coupled law has all of it
// in the first.
void law_energy(const law *of, const double x[3], double place, const double stiffness[3], double energy[2]);

// A bound of how a strain is resisted at most within the range, N m^2, where its section has this stiffness: x K x is
// at most the sum of these times the squares of the strains.
double law_stiffest(const law *of, int strain, double stiffness);

// Whether a strain lies outside of the range.
bool law_is_beyond(const law *of, const double x[3]);

// Adds OpenCL functions law_<number>_<strain>(x, s) and what the stage of laws asks of them
// (kernels/der/law_stage.clh). Nothing but t<number>, C(<number>) and calls of a fixed list stands in them.
sheaf_status law_emit(const law *of, uint32_t number, base_text *text);

// Whether all curves of a separate law know psi / x without a division, as polynomials do.
bool law_knows_secants(const law *of);

// Operations of one evaluation of a curve with its slope, as emitted.
uint32_t law_cost(const law *of, int strain);

#endif
