// check: whether a law is one that a strand may be made of, and what it is like, by trying it at many strains.
#include "law/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES = 257, GRID = 17 };

static const double largest_allowed = 1e30;
static const double single_agreement = 1e-5; // of the largest value: single against double precision
static const double rest_agreement = 1e-9;   // of the largest value: moment at rest

// What sampling a curve keeps.
typedef struct samples {
    double x[SAMPLES], value[SAMPLES], slope[SAMPLES];
    uint32_t count;
} samples;

// Strains that are tried: evenly over a given range; more of them near 0 where none is given, which is wide then.
static double sample_strain(const law *of, const law_axis *axis, bool has_range, uint32_t k)
{
    const double t = axis->slot == LAW_RADIAL ? (double)k / (SAMPLES - 1) : 2.0 * k / (SAMPLES - 1) - 1;
    return of->range * (has_range ? t : t * t * t);
}

static bool refuse_value(const law_axis *axis, bool has_range, double x, const char *what, law_fault *fault)
{
    return law_refuse(fault, axis->slot, SIZE_MAX,
                      has_range ? "choose a smaller range, or another law"
                                : "give a range in which it is finite, as in range: 12 1/m",
                      "the law is %s at %s = %.4g 1/m", what, axis->slot == LAW_RADIAL ? "k" : "x", x);
}

// Five steps of Newton's method, as a device takes them, from the same start.
static double implicit_steps(const law_axis *axis, double range, double x, double place)
{
    double q = law_implicit_start(axis, range, x);
    for (int k = 0; k < LAW_IMPLICIT_STEPS; k++) {
        const law_dual g = law_walk_dual(&axis->source, (const double[LAW_VARIABLES]){x, q, 0, place});
        q -= g.value / g.first[LAW_Q];
    }
    return q;
}

double law_implicit_start(const law_axis *axis, double range, double x)
{
    const double end = axis->ends[x > 0], tangent = axis->steepness * x, share = x / range;
    if (fabs(end) <= axis->steepness * range)
        return fabs(tangent) < fabs(end) ? tangent : end;
    return tangent + (fabs(end) - axis->steepness * range) * share * share * share;
}

static double value_on_device(const law *of, const law_axis *axis, double x, double place)
{
    if (axis->is_implicit)
        return implicit_steps(axis, of->range, x, place);
    return law_walk_single(&axis->source, (const double[LAW_VARIABLES]){x, 0, 0, place});
}

static bool sample(const law *of, const law_axis *axis, bool has_range, double place, samples *s, law_fault *fault)
{
    double largest = 0;
    s->count = SAMPLES;
    for (uint32_t k = 0; k < SAMPLES; k++) {
        s->x[k] = sample_strain(of, axis, has_range, k);
        law_axis_at(axis, s->x[k], place, &s->value[k], &s->slope[k]);
        if (!isfinite(s->value[k]) || !isfinite(s->slope[k]))
            return refuse_value(axis, has_range, s->x[k], "not finite", fault);
        if (fabs(s->value[k]) > largest_allowed || fabs(s->slope[k]) > largest_allowed)
            return refuse_value(axis, has_range, s->x[k], "beyond 1e30", fault);
        largest = fmax(largest, fabs(s->value[k]));
    }
    for (uint32_t k = 0; k < SAMPLES; k++)
        if (!(fabs(value_on_device(of, axis, s->x[k], place) - s->value[k]) <= single_agreement * largest))
            return refuse_value(axis, has_range, s->x[k],
                                axis->is_implicit ? "not found by five Newton steps" : "lost to single precision",
                                fault);
    return true;
}

// ---- jumps of the slope

// What changes its sign where an operation has a kink; 0 for others.
static double kink_of(const law_node *node, const double *values)
{
    if (node->op == LAW_ABS || node->op == LAW_STEP)
        return values[node->a];
    return node->op == LAW_MIN || node->op == LAW_MAX ? values[node->a] - values[node->b] : 0;
}

static double kink_at(const law_axis *axis, uint32_t node, double x, double place)
{
    double values[LAW_EXPRESSION] = {0};
    law_walk_all(&axis->source, (const double[LAW_VARIABLES]){x, 0, 0, place}, values);
    return kink_of(&axis->source.nodes[node], values);
}

static void add_jump(law_axis *axis, double x, double place, double range)
{
    law_facts *facts = &axis->facts;
    double value[2], slope[2];
    law_axis_at(axis, x - 1e-6 * range, place, &value[0], &slope[0]);
    law_axis_at(axis, x + 1e-6 * range, place, &value[1], &slope[1]);
    if (fabs(slope[1] - slope[0]) < 1e-4 * facts->largest_slope || facts->jump_count == LAW_MAX_JUMPS)
        return;
    for (uint32_t k = 0; k < facts->jump_count; k++)
        if (fabs(facts->jumps[k] - x) < 1e-6 * range)
            return;
    facts->jumps[facts->jump_count++] = x;
}

// Strains at which an argument of abs, min, max or step changes its sign, and the slope with it.
static void find_jumps(const law *of, law_axis *axis, const samples *s, double place)
{
    for (uint32_t node = 0; node < axis->source.count && !axis->is_implicit; node++) {
        const uint8_t op = axis->source.nodes[node].op;
        if (op != LAW_ABS && op != LAW_STEP && op != LAW_MIN && op != LAW_MAX)
            continue;
        for (uint32_t k = 0; k + 1 < s->count; k++) {
            double low = s->x[k], high = s->x[k + 1];
            const bool before = kink_at(axis, node, low, place) > 0;
            if (before == (kink_at(axis, node, high, place) > 0))
                continue;
            for (int halving = 0; halving < 60; halving++) {
                const double middle = (low + high) / 2;
                if ((kink_at(axis, node, middle, place) > 0) == before)
                    low = middle;
                else
                    high = middle;
            }
            add_jump(axis, fabs(high) < 1e-12 * of->range ? 0 : high, place, of->range);
        }
    }
}

// ---- facts

// Notes the larger of both sides' slopes; returns the smaller.
static double slope_at_rest(const law *of, law_axis *axis, double place)
{
    double value, slope, least = INFINITY;
    for (int side = axis->slot == LAW_RADIAL ? 0 : -1; side <= 1; side++) {
        law_axis_at(axis, side * 1e-7 * of->range, place, &value, &slope);
        axis->facts.slope_at_0 = fmax(axis->facts.slope_at_0, slope);
        least = fmin(least, slope);
    }
    return least;
}

static void note_samples(law_axis *axis, const samples *s)
{
    law_facts *facts = &axis->facts;
    for (uint32_t k = 0; k < s->count; k++) {
        facts->least_slope = fmin(facts->least_slope, s->slope[k]);
        facts->largest_slope = fmax(facts->largest_slope, s->slope[k]);
        facts->largest_value = fmax(facts->largest_value, fabs(s->value[k]));
        facts->softens |= s->slope[k] < facts->slope_at_0 * (1 - 1e-6);
        facts->hardens |= s->slope[k] > facts->slope_at_0 * (1 + 1e-6);
        if (s->slope[k] < 0) {
            const double size = fabs(s->x[k]);
            facts->falling[0] = facts->falling[1] > 0 ? fmin(facts->falling[0], size) : size;
            facts->falling[1] = fmax(facts->falling[1], size);
        }
        const double mirrored = s->value[s->count - 1 - k];
        if (axis->slot != LAW_RADIAL && fabs(s->value[k] + mirrored) > 1e-9 * fmax(fabs(mirrored), fabs(s->value[k])))
            facts->is_odd = false;
    }
}

static bool check_rest(const law_axis *axis, double place, double least, law_fault *fault)
{
    double value, slope;
    law_axis_at(axis, 0, place, &value, &slope);
    if (!(fabs(value) <= rest_agreement * axis->facts.largest_value))
        return law_refuse(fault, axis->slot, SIZE_MAX,
                          "the natural shape says what is free of stress; take the value at rest off",
                          "the law is %.4g at rest, not 0", value);
    if (!(axis->facts.slope_at_0 > 1e-5 * axis->facts.largest_slope))
        return law_refuse(fault, axis->slot, SIZE_MAX, "it must resist small strains",
                          "the slope at rest is %.4g, not above 0", axis->facts.slope_at_0);
    if (least < -1e-5 * axis->facts.largest_slope)
        return law_refuse(fault, axis->slot, SIZE_MAX, "it must resist small strains both ways",
                          "the slope at rest is %.4g on one side, below 0", least);
    return true;
}

// Slope and ends of a curve that is given by an equation.
static bool prepare_implicit(law *of, law_axis *axis, law_fault *fault)
{
    const law_dual g = law_walk_dual(&axis->source, (const double[LAW_VARIABLES]){0, 0, 0, of->places[0]});
    double slope;
    if (fabs(g.value) > rest_agreement)
        return law_refuse(fault, axis->slot, SIZE_MAX, "without strain there must be no moment",
                          "the equation is %.4g at x = 0, q = 0, not 0", g.value);
    axis->steepness = -g.first[LAW_X] / g.first[LAW_Q];
    if (!(axis->steepness > 0) || !isfinite(axis->steepness))
        return law_refuse(fault, axis->slot, SIZE_MAX, "it must resist small strains",
                          "the slope at rest is %.4g, not above 0", axis->steepness);
    for (int side = 0; side < 2; side++)
        law_axis_at(axis, (2 * side - 1) * of->range, of->places[0], &axis->ends[side], &slope);
    return true;
}

// Says where on the strand a law that changes along it was refused; always false.
static bool refuse_at(const law *of, double place, law_fault *fault)
{
    const size_t length = strlen(fault->message);
    if (of->is_graded)
        snprintf(fault->message + length, sizeof fault->message - length, ", at s = %.4g m", place);
    return false;
}

bool law_check_axis(law *of, law_axis *axis, bool has_range, law_fault *fault)
{
    samples s;
    axis->facts =
        (law_facts){.range = of->range, .least_slope = INFINITY, .is_odd = true, .is_implicit = axis->is_implicit};
    if (axis->is_implicit && !prepare_implicit(of, axis, fault))
        return false;
    for (uint32_t p = 0; p < of->place_count; p++) {
        if (!sample(of, axis, has_range, of->places[p], &s, fault))
            return refuse_at(of, of->places[p], fault);
        axis->facts.slope_at_0 = -INFINITY;
        const double least = slope_at_rest(of, axis, of->places[p]);
        note_samples(axis, &s);
        if (!check_rest(axis, of->places[p], least, fault))
            return refuse_at(of, of->places[p], fault);
        find_jumps(of, axis, &s, of->places[p]);
    }
    axis->facts.is_linear = !axis->facts.softens && !axis->facts.hardens && !of->is_graded;
    return true;
}

// ---- laws of all strains together

typedef struct coupled_check {
    law *of;
    bool has_range;
    double largest, entry, asymmetry; // of moments, of tangents; largest difference across their diagonal
    law_fault *fault;
} coupled_check;

static bool try_strains(coupled_check *c, const double x[3], double place)
{
    double moment[3], tangent[3][3];
    law_coupled_at(c->of, x, place, moment, tangent);
    for (int r = 0; r < 3; r++) {
        const double *row = tangent[r];
        c->largest = fmax(c->largest, fabs(moment[r]));
        c->of->stiffest[r] = fmax(c->of->stiffest[r], fabs(row[0]) + fabs(row[1]) + fabs(row[2]));
        if (!isfinite(moment[r]) || fabs(moment[r]) > largest_allowed)
            return law_refuse(c->fault, c->of->slot, SIZE_MAX,
                              c->has_range ? "choose a smaller range" : "give a range in which it is finite",
                              "the law is not finite at x1 = %.4g, x2 = %.4g, x3 = %.4g 1/m", x[0], x[1], x[2]);
        for (int k = 0; k < 3; k++) {
            c->entry = fmax(c->entry, fabs(tangent[r][k]));
            c->asymmetry = fmax(c->asymmetry, fabs(tangent[r][k] - tangent[k][r]));
            if (!isfinite(tangent[r][k]))
                return law_refuse(c->fault, c->of->slot, SIZE_MAX, "", "the law's slope is not finite at x1 = %.4g",
                                  x[0]);
        }
    }
    return true;
}

static bool try_grid(coupled_check *c, double place)
{
    const double step = 2 * c->of->range / (GRID - 1);
    for (int k = 0; k < GRID * GRID * GRID; k++) {
        const int places[3] = {k % GRID, k / GRID % GRID, k / GRID / GRID};
        const double x[3] = {step * places[0] - c->of->range, step * places[1] - c->of->range,
                             step * places[2] - c->of->range};
        if (!try_strains(c, x, place))
            return false;
    }
    return true;
}

static bool check_coupled_rest(coupled_check *c, double place)
{
    law *of = c->of;
    double moment[3], t[3][3];
    law_coupled_at(of, (const double[3]){0, 0, 0}, place, moment, t);
    const double rest = fmax(fabs(moment[0]), fmax(fabs(moment[1]), fabs(moment[2])));
    if (!(rest <= rest_agreement * c->largest))
        return law_refuse(c->fault, of->slot, SIZE_MAX, "the natural shape says what is free of stress",
                          "a moment is %.4g N m at rest, not 0", rest);
    of->pivots[0] = t[0][0];
    of->pivots[1] = t[1][1] - t[1][0] * t[1][0] / t[0][0];
    const double l = (t[2][1] - t[2][0] * t[1][0] / t[0][0]) / of->pivots[1];
    of->pivots[2] = t[2][2] - t[2][0] * t[2][0] / t[0][0] - l * l * of->pivots[1];
    if (!(of->pivots[0] > 0 && of->pivots[1] > 0 && of->pivots[2] > 0))
        return law_refuse(c->fault, of->slot, SIZE_MAX, "every small bend and twist must cost energy",
                          "the law does not resist some strain at rest");
    return true;
}

// Facts along an axis, by the moment about it.
static void note_coupled(law *of, int a)
{
    law_facts *facts = &of->facts[a];
    samples s = {.count = SAMPLES};
    *facts = (law_facts){.range = of->range, .least_slope = INFINITY, .is_odd = true};
    double moment[3], tangent[3][3], x[3] = {0, 0, 0};
    law_coupled_at(of, x, of->places[0], moment, tangent);
    const double unit = tangent[a][a];
    facts->slope_at_0 = 1;
    for (uint32_t k = 0; k < SAMPLES; k++) {
        x[a] = s.x[k] = of->range * (2.0 * k / (SAMPLES - 1) - 1);
        law_coupled_at(of, x, of->places[0], moment, tangent);
        s.value[k] = moment[a] / unit;
        s.slope[k] = tangent[a][a] / unit;
    }
    law_axis along = {.slot = LAW_ENERGY, .facts = *facts};
    note_samples(&along, &s);
    *facts = along.facts;
    facts->is_linear = !facts->softens && !facts->hardens;
}

bool law_check_coupled(law *of, bool has_range, law_fault *fault)
{
    coupled_check c = {.of = of, .has_range = has_range, .fault = fault};
    for (uint32_t p = 0; p < of->place_count; p++)
        if (!try_grid(&c, of->places[p]))
            return refuse_at(of, of->places[p], fault);
    if (c.asymmetry > 1e-6 * c.entry)
        return law_refuse(fault, of->slot, SIZE_MAX,
                          "a moment's change with another strain must equal the reverse; give the energy instead",
                          "these moments have no energy: a closed path of strains would gain work");
    for (uint32_t p = of->place_count; p-- > 0;)
        if (!check_coupled_rest(&c, of->places[p]))
            return refuse_at(of, of->places[p], fault);
    for (int a = 0; a < 3; a++)
        note_coupled(of, a);
    return true;
}
