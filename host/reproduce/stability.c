// stability: loads at which straight or plane rods lose their stability.
#include "reproduce/stability.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { NODES_MOST = 401, WIDTH = 6, UNKNOWNS_MOST = 2 * NODES_MOST };

// A symmetric matrix with entries at most WIDTH - 1 off the diagonal: entry (i, i - k) is at[i][k].
typedef struct band {
    int size;
    double at[UNKNOWNS_MOST][WIDTH];
} band;

// A linear function of the unknowns; entries with an index below 0 or beyond the last are of what is held.
typedef struct linear {
    int count;
    int index[6];
    double factor[6];
} linear;

// Adds `weight` times the symmetric form that a b is: x^T K x = 2 weight a(x) b(x).
static void add_product(band *k, double weight, const linear *a, const linear *b)
{
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++) {
            const int row = a->index[i], column = b->index[j], low = row < column ? row : column;
            if (low < 0 || row >= k->size || column >= k->size)
                continue;
            const double value = weight * a->factor[i] * b->factor[j];
            k->at[row + column - low][row + column - 2 * low] += row == column ? 2 * value : value;
        }
}

static bool is_positive(band *k)
{
    for (int i = 0; i < k->size; i++)
        for (int j = i - WIDTH + 1 > 0 ? i - WIDTH + 1 : 0; j <= i; j++) {
            double sum = k->at[i][i - j];
            for (int m = i - WIDTH + 1 > 0 ? i - WIDTH + 1 : 0; m < j; m++)
                if (j - m < WIDTH)
                    sum -= k->at[i][i - m] * k->at[j][j - m];
            if (i == j && sum <= 0)
                return false;
            k->at[i][i - j] = i == j ? sqrt(sum) : sum / k->at[j][0];
        }
    return true;
}

// Solves K x = b in place, K factorised.
static void solve(const band *k, double *x)
{
    for (int i = 0; i < k->size; i++) {
        for (int m = i - WIDTH + 1 > 0 ? i - WIDTH + 1 : 0; m < i; m++)
            x[i] -= k->at[i][i - m] * x[m];
        x[i] /= k->at[i][0];
    }
    for (int i = k->size - 1; i >= 0; i--) {
        for (int m = i + 1; m < k->size && m < i + WIDTH; m++)
            x[i] -= k->at[m][m - i] * x[m];
        x[i] /= k->at[i][0];
    }
}

typedef struct problem problem;

struct problem {
    void (*assemble)(const problem *p, double load, int edges, band *k);
    double bend[2], twist, tension;
};

static double first_unstable(const problem *p, int edges, double high)
{
    static _Thread_local band k;
    double low = 0;
    for (int step = 0; step < 44; step++) {
        const double middle = (low + high) / 2;
        memset(&k, 0, sizeof k);
        p->assemble(p, middle, edges, &k);
        if (is_positive(&k))
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

// With errors of second order in the width of the elements taken out.
static double limit_of(const problem *p, double high)
{
    const int fine = NODES_MOST - 1;
    return (4 * first_unstable(p, fine, high) - first_unstable(p, fine / 2, high)) / 3;
}

// The shape in which it is lost, the largest unknown 1: inverse iteration just below the load.
static void shape_of(const problem *p, double load, double shape[UNKNOWNS_MOST])
{
    static _Thread_local band k;
    memset(&k, 0, sizeof k);
    p->assemble(p, load * (1 - 1e-7), NODES_MOST - 1, &k);
    for (int i = 0; i < UNKNOWNS_MOST; i++)
        shape[i] = sin(0.37 * i) + cos(0.11 * i); // anything that has a share of it
    if (!is_positive(&k))
        return;
    for (int round = 0; round < 20; round++) {
        double most = 0;
        solve(&k, shape);
        for (int i = 0; i < k.size; i++)
            most = fmax(most, fabs(shape[i]));
        for (int i = 0; i < k.size; i++)
            shape[i] /= most;
    }
}

// ---- the twisted ribbon. With w = y + i z the deflection of the axis and q = M / C the twist of the section per
// length, E = 1/2 int B1 Re(w'' exp(-i q s))^2 + B2 Im(w'' exp(-i q s))^2 + T |w'|^2 - M Im(conj(w') w'') ds: a rod
// that winds gives way by the area that its tangent goes around.

// Node i has the unknowns 2 (i - 1) and 2 (i - 1) + 1: y and z.
static int place(int node, int component)
{
    return 2 * (node - 1) + component;
}

// Second difference at a node, along the directions (c, s) of the section; beyond the clamps the axis is mirrored.
static linear bending(int node, int edges, double c, double s, double h)
{
    const bool at_end = node == 0 || node == edges;
    const int inner = node == 0 ? 1 : edges - 1;
    linear f = {.count = 0};
    for (int k = -1; k <= 1; k++) {
        const int other = at_end ? inner : node + k;
        const double factor = at_end ? (k == 0 ? 2 : 0) : (k == 0 ? -2 : 1);
        f.index[f.count] = other == 0 || other == edges ? -1 : place(other, 0);
        f.factor[f.count++] = factor * c / (h * h);
        f.index[f.count] = other == 0 || other == edges ? -1 : place(other, 1);
        f.factor[f.count++] = factor * s / (h * h);
    }
    return f;
}

// Slope of the edge from a node to the next.
static linear slope(int node, int edges, int component, double h)
{
    return (linear){
        .count = 2,
        .index = {node == 0 ? -1 : place(node, component), node + 1 == edges ? -1 : place(node + 1, component)},
        .factor = {-1 / h, 1 / h}};
}

static void assemble_ribbon(const problem *p, double moment, int edges, band *k)
{
    const double h = 1.0 / edges, rate = moment / p->twist;
    k->size = 2 * (edges - 1);
    for (int i = 0; i <= edges; i++) {
        const double angle = rate * i * h, weight = i == 0 || i == edges ? h / 2 : h;
        const linear along = bending(i, edges, cos(angle), sin(angle), h);
        const linear across = bending(i, edges, -sin(angle), cos(angle), h);
        add_product(k, weight * p->bend[0] / 2, &along, &along);
        add_product(k, weight * p->bend[1] / 2, &across, &across);
    }
    for (int j = 0; j < edges; j++) {
        const linear y = slope(j, edges, 0, h), z = slope(j, edges, 1, h);
        add_product(k, h * p->tension / 2, &y, &y);
        add_product(k, h * p->tension / 2, &z, &z);
        if (j + 1 == edges)
            continue;
        const linear next_y = slope(j + 1, edges, 0, h), next_z = slope(j + 1, edges, 1, h);
        add_product(k, -moment / 2, &y, &next_z);
        add_product(k, moment / 2, &z, &next_y);
    }
}

static problem ribbon_problem(const double bend[2], double twist, double tension, double *high)
{
    const double stiff = fmax(bend[0], bend[1]);
    *high = 3 * (9 * stiff + 2 * sqrt(stiff * tension));
    return (problem){assemble_ribbon, {bend[0], bend[1]}, twist, tension};
}

double stability_ribbon(const double bend[2], double twist, double tension)
{
    double high;
    const problem p = ribbon_problem(bend, twist, tension, &high);
    return limit_of(&p, high);
}

void stability_ribbon_mode(const double bend[2], double twist, double tension, const double *place, int count,
                           double (*mode)[2])
{
    const int edges = NODES_MOST - 1;
    double high, shape[UNKNOWNS_MOST];
    const problem p = ribbon_problem(bend, twist, tension, &high);
    shape_of(&p, first_unstable(&p, edges, high), shape);
    for (int k = 0; k < count; k++) {
        const double at = fmin(fmax(place[k], 0), 1) * edges;
        const int node = (int)fmin(floor(at), edges - 1);
        for (int c = 0; c < 2; c++) {
            const double before = node > 0 ? shape[2 * (node - 1) + c] : 0;
            const double after = node + 1 < edges ? shape[2 * node + c] : 0;
            mode[k][c] = before + (at - node) * (after - before);
        }
    }
}

// ---- the strip. Its plane pose has the angle -phi below the horizontal: S phi'' = P cos(phi), phi(0) = 0, phi'(1) =
// 0. A small rotation by a about the section's normal in the plane and c about the tangent changes the energy by int
// 1/2 W (a' + k c)^2 + 1/2 C (c' - k a)^2 - 1/2 S k (c a' - a c' + k (a^2 + c^2)) - 1/2 P (cos(phi) a c + sin(phi)
// a^2), k = -phi'.

typedef struct pose {
    double angle[NODES_MOST], rate[NODES_MOST]; // phi, phi' at nodes and, in between, by their mean
} pose;

// Integrates from a clamp with the given rate; returns the rate at the tip.
static double integrate_pose(double load, double start, int edges, pose *out)
{
    double phi = 0, rate = start;
    const double h = 1.0 / edges;
    for (int i = 0; i <= edges; i++) {
        out->angle[i] = phi;
        out->rate[i] = rate;
        const double r1 = load * cos(phi), p2 = phi + h / 2 * rate, v2 = rate + h / 2 * r1;
        const double r2 = load * cos(p2), p3 = phi + h / 2 * v2, v3 = rate + h / 2 * r2;
        const double r3 = load * cos(p3), p4 = phi + h * v3, v4 = rate + h * r3;
        phi += h / 6 * (rate + 2 * v2 + 2 * v3 + v4);
        rate += h / 6 * (r1 + 2 * r2 + 2 * r3 + load * cos(p4));
    }
    return out->rate[edges];
}

static void find_pose(double load, int edges, pose *out)
{
    double low = -load, high = 0; // the rate at the clamp is -load of a rigid strip, and less of one that gives way
    for (int step = 0; step < 60; step++) {
        const double middle = (low + high) / 2;
        if (integrate_pose(load, middle, edges, out) > 0)
            high = middle;
        else
            low = middle;
    }
}

// Value and derivative of a or c in an element, from its two ends.
static linear middle_of(int node, int component)
{
    return (linear){.count = 2,
                    .index = {node == 0 ? -1 : place(node, component), place(node + 1, component)},
                    .factor = {0.5, 0.5}};
}

static linear rate_in(int node, int component, double h)
{
    linear f = middle_of(node, component);
    f.factor[0] = -1 / h;
    f.factor[1] = 1 / h;
    return f;
}

// first + factor * second
static linear combined(linear first, double factor, const linear *second)
{
    for (int i = 0; i < second->count; i++) {
        first.index[first.count] = second->index[i];
        first.factor[first.count++] = factor * second->factor[i];
    }
    return first;
}

static void assemble_strip(const problem *p, double load, int edges, band *k)
{
    static _Thread_local pose base;
    const double h = 1.0 / edges, stiff = p->bend[0];
    find_pose(load / stiff, edges, &base);
    k->size = 2 * edges;
    for (int j = 0; j < edges; j++) {
        const double phi = (base.angle[j] + base.angle[j + 1]) / 2, turn = -(base.rate[j] + base.rate[j + 1]) / 2;
        const linear a = middle_of(j, 0), c = middle_of(j, 1), da = rate_in(j, 0, h), dc = rate_in(j, 1, h);
        const linear bent = combined(da, turn, &c), twisted = combined(dc, -turn, &a);
        add_product(k, h * p->bend[1] / 2, &bent, &bent);
        add_product(k, h * p->twist / 2, &twisted, &twisted);
        add_product(k, -h * stiff * turn / 2, &c, &da);
        add_product(k, h * stiff * turn / 2, &a, &dc);
        add_product(k, -h * stiff * turn * turn / 2, &a, &a);
        add_product(k, -h * stiff * turn * turn / 2, &c, &c);
        add_product(k, -h * load * cos(phi) / 2, &a, &c);
        add_product(k, -h * load * sin(phi) / 2, &a, &a);
    }
}

double stability_lateral(double stiff, double weak, double twist)
{
    const problem p = {assemble_strip, {stiff, weak}, twist, 0};
    const double unit = sqrt(weak * twist);
    return limit_of(&p, 20 * unit) / unit;
}
