// answers: what continuous rods do, by ordinary differential equations and closed forms of their own. Nothing here
// knows of the library. Lengths are in units of the rod's length, B is its bending, C its twisting stiffness.
#ifndef SHEAF_REPRODUCE_ANSWERS_H
#define SHEAF_REPRODUCE_ANSWERS_H

#include <math.h>
#include <stddef.h>

static const double PI = 3.14159265358979323846;

// ---- tools

typedef double answers_fn(double x, double parameter);

// The root of f between low and high, where f changes sign.
static inline double answers_root(answers_fn *f, double parameter, double low, double high)
{
    const double at_low = f(low, parameter);
    for (int k = 0; k < 200; k++) {
        const double middle = (low + high) / 2;
        if (f(middle, parameter) * at_low > 0)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

// A bent rod seen from its tip, r = 0, to its root, r = 1: angle, its derivative by r, and the run along and across the
// horizontal. `power` is that of r in the load.
typedef struct answers_bent {
    double angle, rate, along, across;
} answers_bent;

enum { ANSWERS_STEPS = 4000 };

static inline answers_bent answers_slope(answers_bent y, double r, double load, int power)
{
    const double lever = power == 0 ? 1 : (power == 1 ? r : r * r);
    return (answers_bent){y.rate, -load * lever * cos(y.angle), cos(y.angle), sin(y.angle)};
}

static inline answers_bent answers_moved(answers_bent y, answers_bent slope, double h)
{
    return (answers_bent){y.angle + h * slope.angle, y.rate + h * slope.rate, y.along + h * slope.along,
                          y.across + h * slope.across};
}

// theta'' = -load r^power cos(theta) from a tip of the given angle, by the classical Runge-Kutta method.
static inline answers_bent answers_integrate(double tip_angle, double load, int power)
{
    const double h = 1.0 / ANSWERS_STEPS;
    answers_bent y = {tip_angle, 0, 0, 0};
    for (int k = 0; k < ANSWERS_STEPS; k++) {
        const double r = k * h;
        const answers_bent a = answers_slope(y, r, load, power);
        const answers_bent b = answers_slope(answers_moved(y, a, h / 2), r + h / 2, load, power);
        const answers_bent c = answers_slope(answers_moved(y, b, h / 2), r + h / 2, load, power);
        const answers_bent d = answers_slope(answers_moved(y, c, h), r + h, load, power);
        y = answers_moved(answers_moved(answers_moved(answers_moved(y, a, h / 6), b, h / 3), c, h / 3), d, h / 6);
    }
    return y;
}

// ---- large bending of a horizontal cantilever: tip position along and below the clamp

static inline double answers_root_angle_heavy(double tip_angle, double gamma)
{
    return answers_integrate(tip_angle, gamma, 1).angle;
}

static inline double answers_root_angle_loaded(double tip_angle, double load)
{
    return answers_integrate(tip_angle, load, 0).angle;
}

// The hanging solution has the steepest tip: the first sign change below the vertical.
static inline double answers_steepest(answers_fn *root_angle, double load)
{
    const double vertical = PI / 2;
    double high = vertical;
    while (high > 0 && root_angle(high - 0.01, load) > 0)
        high -= 0.01;
    return answers_root(root_angle, load, high - 0.01, fmin(high, vertical - 1e-15));
}

// Bent by its own weight w per length, gamma = w L^3 / B.
static inline void answers_heavy_cantilever(double gamma, double tip[2])
{
    const answers_bent root = answers_integrate(answers_steepest(answers_root_angle_heavy, gamma), gamma, 1);
    tip[0] = root.along;
    tip[1] = root.across;
}

// Bent by a force P at the tip, load = P L^2 / B.
static inline void answers_elastica(double load, double tip[2])
{
    const answers_bent root = answers_integrate(answers_steepest(answers_root_angle_loaded, load), load, 0);
    tip[0] = root.along;
    tip[1] = root.across;
}

// Small deflection of n equal edges, the first fixed, as a share of F L^3 / 3 B: exact for the discrete rod.
static inline double answers_discrete_cantilever(double edges)
{
    return (edges - 1) * (2 * edges - 1) / (2 * edges * edges);
}

// ---- buckling

// y at the root of y'' = -load r^power y, y(0) = 1, y'(0) = 0, by its power series.
static inline double answers_linear_root(double load, int power)
{
    double sum = 1, term = 1;
    for (int k = 1; k < 60; k++) {
        const double exponent = k * (power + 2);
        term *= -load / (exponent * (exponent - 1));
        sum += term;
    }
    return sum;
}

static inline double answers_self_weight_root(double gamma, double unused)
{
    (void)unused;
    return answers_linear_root(gamma, 1);
}

static inline double answers_lateral_root(double load, double unused)
{
    (void)unused;
    return answers_linear_root(load * load, 2);
}

// A column that buckles under its own weight, w L^3 / B.
static inline double answers_self_weight(void)
{
    return answers_root(answers_self_weight_root, 0, 5, 10);
}

// A strip, infinitely stiff in the plane of its tip load P, that turns out of it: P L^2 / sqrt(B C).
static inline double answers_lateral(void)
{
    return answers_root(answers_lateral_root, 0, 3, 5);
}

// Straight rod, both ends clamped, tension T and twisting moment M: z'''' - i M z''' - T z'' = 0 (B = L = 1) has the
// solutions 1, s, exp(i a s), exp(i b s) with a + b = M and a b = T; the clamps leave a solution where this vanishes.
static inline double answers_greenhill_determinant(double moment, double tension)
{
    const double apart = sqrt(moment * moment - 4 * tension);
    const double a = (moment - apart) / 2, b = (moment + apart) / 2;
    return tension * sin(apart / 2) / apart - 2 * sin(a / 2) * sin(b / 2);
}

// Critical M L / B for a tension T L^2 / B.
static inline double answers_greenhill(double tension)
{
    double low = 2 * sqrt(tension) + 1e-9;
    const double at_low = answers_greenhill_determinant(low, tension);
    double high = low;
    do
        high += 0.05;
    while (answers_greenhill_determinant(high, tension) * at_low > 0);
    return answers_root(answers_greenhill_determinant, tension, high - 0.05, high);
}

// A naturally straight rod closed into a circle with this total twist, rad.
static inline double answers_michell(double bend, double twist)
{
    return 2 * PI * sqrt(3) * bend / twist;
}

// ---- vibration

static inline double answers_cantilever_condition(double beta, double unused)
{
    (void)unused;
    return cos(beta) + 1 / cosh(beta);
}

// beta L of bending mode 1, 2, 3, ...; omega = beta^2 sqrt(B / rho A).
static inline double answers_cantilever_mode(int mode)
{
    const double near = (mode - 0.5) * PI;
    return answers_root(answers_cantilever_condition, 0, near - 0.5, near + 0.5);
}

// J_0(2 x), by its power series.
static inline double answers_chain_condition(double x, double unused)
{
    (void)unused;
    double sum = 1, term = 1;
    for (int k = 1; k < 40; k++) {
        term *= -x * x / ((double)k * k);
        sum += term;
    }
    return sum;
}

// omega sqrt(L / g) of the slowest swing of a hanging chain.
static inline double answers_chain_mode(void)
{
    return answers_root(answers_chain_condition, 0, 1, 1.5);
}

// ---- catenary of length 1

static inline double answers_catenary_condition(double a, double span)
{
    return 2 * a * sinh(span / (2 * a)) - 1;
}

static inline double answers_catenary_sag(double span)
{
    const double a = answers_root(answers_catenary_condition, span, 0.02, 100);
    return a * (cosh(span / (2 * a)) - 1);
}

#endif
