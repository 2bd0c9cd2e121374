// truth_strain: numbers that carry their derivatives, and the strains of theory.md's (T2), (T5) and (T6) made of them.
#include "der/ref/truth_strain.h"

#include <math.h>

#include "base/vec.h"

enum { N = TRUTH_VARIABLES };

typedef struct jet3 {
    truth_jet c[3];
} jet3;

// ---- numbers with derivatives

static truth_jet number(double value)
{
    return (truth_jet){.value = value};
}

static truth_jet variable(double value, int which)
{
    truth_jet a = number(value);
    a.gradient[which] = 1;
    return a;
}

// a + s b
static truth_jet plus(const truth_jet *a, double s, const truth_jet *b)
{
    truth_jet sum = {.value = a->value + s * b->value};
    for (int r = 0; r < N; r++) {
        sum.gradient[r] = a->gradient[r] + s * b->gradient[r];
        for (int c = 0; c < N; c++)
            sum.hessian[r][c] = a->hessian[r][c] + s * b->hessian[r][c];
    }
    return sum;
}

static truth_jet times(const truth_jet *a, const truth_jet *b)
{
    truth_jet product = {.value = a->value * b->value};
    for (int r = 0; r < N; r++) {
        product.gradient[r] = a->value * b->gradient[r] + b->value * a->gradient[r];
        for (int c = 0; c < N; c++)
            product.hessian[r][c] = a->value * b->hessian[r][c] + b->value * a->hessian[r][c] +
                                    a->gradient[r] * b->gradient[c] + b->gradient[r] * a->gradient[c];
    }
    return product;
}

// f(a), of which value, first and second derivative at a are given.
static truth_jet function(const truth_jet *a, double value, double first, double second)
{
    truth_jet f = {.value = value};
    for (int r = 0; r < N; r++) {
        f.gradient[r] = first * a->gradient[r];
        for (int c = 0; c < N; c++)
            f.hessian[r][c] = first * a->hessian[r][c] + second * a->gradient[r] * a->gradient[c];
    }
    return f;
}

static truth_jet inverse(const truth_jet *a)
{
    const double v = 1 / a->value;
    return function(a, v, -v * v, 2 * v * v * v);
}

static truth_jet inverse_root(const truth_jet *a)
{
    const double v = 1 / sqrt(a->value);
    return function(a, v, -v / (2 * a->value), 3 * v / (4 * a->value * a->value));
}

static truth_jet arc_tangent(const truth_jet *a)
{
    const double x = a->value, v = 1 / (1 + x * x);
    return function(a, atan(x), v, -2 * x * v * v);
}

// ---- vectors of them

static jet3 constant3(const double a[3])
{
    return (jet3){{number(a[0]), number(a[1]), number(a[2])}};
}

static jet3 scale3(const truth_jet *s, const jet3 *a)
{
    return (jet3){{times(s, &a->c[0]), times(s, &a->c[1]), times(s, &a->c[2])}};
}

static jet3 plus3(const jet3 *a, const jet3 *b)
{
    return (jet3){{plus(&a->c[0], 1, &b->c[0]), plus(&a->c[1], 1, &b->c[1]), plus(&a->c[2], 1, &b->c[2])}};
}

static truth_jet dot3(const jet3 *a, const jet3 *b)
{
    truth_jet sum = number(0);
    for (int k = 0; k < 3; k++) {
        const truth_jet part = times(&a->c[k], &b->c[k]);
        sum = plus(&sum, 1, &part);
    }
    return sum;
}

static jet3 cross3(const jet3 *a, const jet3 *b)
{
    jet3 product;
    for (int k = 0; k < 3; k++) {
        const truth_jet p = times(&a->c[(k + 1) % 3], &b->c[(k + 2) % 3]);
        const truth_jet q = times(&a->c[(k + 2) % 3], &b->c[(k + 1) % 3]);
        product.c[k] = plus(&p, -1, &q);
    }
    return product;
}

// ---- edges, frames, strains

// a, turned by the least rotation that takes the unit vector `from` to the unit vector `to` (T4).
static jet3 transport(const jet3 *a, const jet3 *from, const jet3 *to)
{
    const jet3 axis = cross3(from, to), turned = cross3(&axis, a);
    const truth_jet one = number(1), cosine = dot3(from, to), sum = plus(&one, 1, &cosine), share = inverse(&sum);
    const truth_jet along = dot3(&axis, a), factor = times(&along, &share);
    const jet3 kept = scale3(&cosine, a), rest = scale3(&factor, &axis), both = plus3(&kept, &turned);
    return plus3(&both, &rest);
}

// An edge that varies, with its frame: unit tangent and both directors.
typedef struct edge_frame {
    jet3 tangent, director[2];
} edge_frame;

// cos and sin of a turn that is 0 as it stands, times two vectors: cos a + sin b.
static jet3 turned_by(int turn, const jet3 *a, const jet3 *b)
{
    const truth_jet angle = variable(0, turn), cosine = function(&angle, 1, 0, -1), sine = function(&angle, 0, 1, 0);
    const jet3 first = scale3(&cosine, a), second = scale3(&sine, b);
    return plus3(&first, &second);
}

static edge_frame frame_of(const truth_edge *edge, int first, int turn)
{
    const truth_jet minus = number(-1);
    jet3 vector;
    double now[3];
    vec_unit(now, edge->vector);
    for (int k = 0; k < 3; k++)
        vector.c[k] = variable(edge->vector[k], first + k);
    const truth_jet square = dot3(&vector, &vector), inverse_length = inverse_root(&square);
    const jet3 from = constant3(now), director = constant3(edge->director);
    edge_frame f = {.tangent = scale3(&inverse_length, &vector)};
    const jet3 carried = transport(&director, &from, &f.tangent), across = cross3(&f.tangent, &carried);
    const jet3 back = scale3(&minus, &carried);
    f.director[0] = turned_by(turn, &carried, &across);
    f.director[1] = turned_by(turn, &across, &back);
    return f;
}

// 2 t0 x t1 / (1 + t0.t1), the denominator kept above its share of (T2).
static jet3 curvature_of(const edge_frame *before, const edge_frame *after)
{
    const jet3 cross = cross3(&before->tangent, &after->tangent);
    const truth_jet one = number(1), cosine = dot3(&before->tangent, &after->tangent), sum = plus(&one, 1, &cosine);
    const truth_jet bounded = sum.value < 0.01 ? number(0.01) : sum, two = number(2), share = inverse(&bounded);
    const truth_jet factor = times(&two, &share);
    return scale3(&factor, &cross);
}

// Angle from the frame before, carried along, to the frame after; the derivative of the arc is taken where it is 0.
static truth_jet twist_of(const edge_frame *before, const edge_frame *after, double near)
{
    const double whole = 2 * 3.14159265358979323846;
    const jet3 carried = transport(&before->director[0], &before->tangent, &after->tangent);
    const jet3 side = cross3(&after->tangent, &carried);
    const truth_jet along = dot3(&carried, &after->director[0]), across = dot3(&side, &after->director[0]);
    const double angle = atan2(across.value, along.value), c = cos(angle), s = sin(angle);
    const truth_jet ca = times(&along, &(truth_jet){.value = c}), sa = times(&along, &(truth_jet){.value = s});
    const truth_jet cs = times(&across, &(truth_jet){.value = c}), ss = times(&across, &(truth_jet){.value = s});
    const truth_jet bottom = plus(&ca, 1, &ss), top = plus(&cs, -1, &sa), share = inverse(&bottom);
    const truth_jet tangent = times(&top, &share), value = number(angle + whole * round((near - angle) / whole));
    const truth_jet arc = arc_tangent(&tangent);
    return plus(&value, 1, &arc);
}

void truth_strains(const truth_edge *before, const truth_edge *after, double twist, truth_jet strains[5])
{
    const truth_jet minus = number(-1);
    const edge_frame frames[2] = {frame_of(before, TRUTH_EDGE_BEFORE, TRUTH_TURN_BEFORE),
                                  frame_of(after, TRUTH_EDGE_AFTER, TRUTH_TURN_AFTER)};
    const jet3 curvature = curvature_of(&frames[0], &frames[1]);
    for (int side = 0; side < 2; side++) {
        const truth_jet other = dot3(&curvature, &frames[side].director[0]);
        strains[2 * side] = dot3(&curvature, &frames[side].director[1]);
        strains[2 * side + 1] = times(&minus, &other);
    }
    strains[4] = twist_of(&frames[0], &frames[1], twist);
}
