// schema_law: tables of material laws.
#include "scene/schema_parts.h"

static const scene_key fit_keys[] = {
    KEY("order", WHOLE, "5",
        "Degree of the polynomial; `auto`: raised by 2 until the worst error is below `tolerance`.",
        .limit = SCENE_LIMIT_FIT_ORDER, .words = "auto", .fallback = "auto"),
    KEY("tolerance", NUMBER, "1 %", "Worst error, as a share of the law's largest value, with `order: auto`.",
        .limit = SCENE_LIMIT_TOLERANCE, .fallback = "1 %"),
    KEY("basis", CHOICE, "chebyshev", "Polynomials that least squares are worked out with; it changes rounding alone.",
        .words = "chebyshev|powers", .fallback = "chebyshev"),
    KEY("match", CHOICE, "slope",
        "What is fitted: the `value`; the value with the `slope` at rest exact, so that small motions are right; or "
        "value "
        "and slope together, the `tangent`.",
        .words = "value|slope|tangent", .fallback = "value"),
    KEY("range", NUMBER, "6.66 1/m", "Strains up to which it is fitted; the law's own when absent.",
        .limit = SCENE_LIMIT_LAW_RANGE),
};
const scene_table scene_fit_table = {"fit", "A polynomial in place of a law; straight lines go on from its ends.",
                                     KEYS(fit_keys)};

static const scene_key route_keys[] = {
    KEY("way", CHOICE, "exact", "`exact`: the law itself; `fit`: polynomials in its place.", .words = "exact|fit",
        .fallback = "exact"),
    KEY("fit", MAP, "{ order: 5 }", "Polynomials, with their settings.", .table = &scene_fit_table),
};
const scene_table scene_route_table = {"route", "How a law gets into the kernels: `exact`, `fit`, or a map.", "way",
                                       false, KEYS(route_keys)};

static const scene_key friction_keys[] = {
    KEY("stiffness", NUMBER, "0.5", "Of EI and GJ: with how much more the strand resists where a strain turns back.",
        .required = true, .limit = SCENE_LIMIT_LAW_FRICTION),
    KEY("limit", NUMBER, "0.2 1/m", "Largest moment of friction over EI, torque over GJ.", .required = true,
        .limit = SCENE_LIMIT_LAW_RANGE),
};
const scene_table scene_law_friction_table = {
    "hysteresis", "Friction inside of the material: moments that resist changes of strain, up to a limit.",
    KEYS(friction_keys)};

static const scene_key law_keys[] = {
    KEY("bend", TEXTS, "\"c*atan(x/c)\"",
        "Bending moment over EI as a function of `x`, the curvature beyond the natural one, both 1/m; two texts: about "
        "director 1 and 2. Linear when absent.",
        .count = 2),
    KEY("twist", TEXTS, "\"x + 0.05*x^3\"", "Torque over GJ as a function of `x`, the twist beyond the natural one.",
        .count = 1),
    KEY("radial", TEXTS, "\"2*tanh(k/2)\"",
        "Instead of `bend`, for round sections: moment over EI as a function of the whole curvature `k`, in its "
        "direction.",
        .count = 1),
    KEY("energy", TEXTS, "\"a/2*(x1^2+x2^2) + b/2*x3^2 + d*x3*x1\"",
        "Instead of all others: energy per length, J/m, of the curvatures `x1`, `x2` about the directors and the twist "
        "`x3`.",
        .count = 1),
    KEY("moments", TEXTS, "[\"a*x1\", \"a*x2\", \"b*x3\"]",
        "Instead of `energy`: its three derivatives, N m. Moments that have no energy are refused.", .count = 3),
    KEY("implicit", TEXTS, "\"x - q - 0.05*q^5\"",
        "An equation of strain `x` and moment over stiffness `q`, = 0, for what `bend` and `twist` leave open.",
        .count = 1),
    KEY("with", CONSTANTS, "{ c: 4 1/m }", "Numbers that the texts may name, with any unit."),
    KEY("range", NUMBER, "12 1/m",
        "Strains up to which the law holds; beyond it goes on as a straight line. Needed where it is not finite "
        "everywhere.",
        .limit = SCENE_LIMIT_LAW_RANGE),
    KEY("friction", MAP, "{ stiffness: 0.5, limit: 0.2 1/m }",
        "Hysteresis by Dahl's formula, of both bends and the twist each: with `bend`, `twist`, `implicit`, or alone. "
        "For "
        "implicit steps, without `damping`.",
        .table = &scene_law_friction_table),
    KEY("route", MAP, "fit", "Whether the law is used as it stands or by polynomials.", .table = &scene_route_table),
};
const scene_table scene_law_table = {
    "law",
    "Moments that are not proportional to strain, in [words](laws.md): sums, products, powers and the functions sqrt, "
    "exp, "
    "log, atan, tanh, sin, cos, abs, min, max, step; `s` is the distance from the root in m.",
    KEYS(law_keys)};
