// law: from texts to a law, and what it answers strains with.
#include "law/parse.h"
#include "law/parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double least_share = 1e-3; // of the slope at 0, that a Newton step uses at least

bool law_refuse(law_fault *fault, law_slot slot, size_t length, const char *hint, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(fault->message, sizeof fault->message, format, values);
    va_end(values);
    snprintf(fault->hint, sizeof fault->hint, "%s", hint);
    fault->slot = slot;
    fault->offset = 0;
    fault->length = length;
    return false;
}

// ---- reading

typedef struct reading {
    const law_def *def;
    law *made;
    law_fault *fault;
    law_name names[LAW_MAX_CONSTANTS + LAW_VARIABLES];
    size_t name_count;
} reading;

static bool is_given(const law_def *def, law_slot slot)
{
    return def->texts[slot].bytes != NULL;
}

// The variables of a text, in the order of their places; NULL: this place has none.
static void set_names(reading *r, const char *const variables[LAW_VARIABLES])
{
    r->name_count = 0;
    for (int k = 0; k < LAW_VARIABLES; k++)
        if (variables[k] != NULL)
            r->names[r->name_count++] = (law_name){variables[k], law_variable(&r->made->graph, k)};
    for (uint32_t k = 0; k < r->def->constant_count; k++)
        r->names[r->name_count++] =
            (law_name){r->def->constants[k].name, law_number(&r->made->graph, r->def->constants[k].value)};
}

static bool parse(reading *r, law_slot slot, law_ref *root)
{
    r->fault->slot = slot;
    return law_parse(&r->made->graph, r->def->texts[slot], r->names, r->name_count, root, r->fault);
}

static bool too_large(reading *r, law_slot slot)
{
    return law_refuse(r->fault, slot, SIZE_MAX, "write a shorter law",
                      "with its derivatives the law has more than %d operations", LAW_MAX_NODES);
}

// Counts what is to be emitted, and takes the expression out of the graph.
static bool keep_axis(reading *r, law_axis *axis)
{
    bool marks[LAW_ROOM] = {false};
    const law_graph *graph = &r->made->graph;
    if (graph->is_full)
        return too_large(r, axis->slot);
    law_mark(graph, axis->value, marks);
    law_mark(graph, axis->slope, marks);
    if (axis->is_implicit)
        law_mark(graph, axis->by_x, marks);
    if (law_count(graph, marks) > LAW_MAX_NODES || !law_extract(graph, axis->value, &axis->source))
        return too_large(r, axis->slot);
    return true;
}

static bool read_explicit(reading *r, law_slot slot, const char *variable, law_axis *axis)
{
    const char *const variables[LAW_VARIABLES] = {variable, NULL, NULL, "s"};
    axis->slot = slot;
    set_names(r, variables);
    if (!parse(r, slot, &axis->value))
        return false;
    axis->slope = law_derive(&r->made->graph, axis->value, LAW_X);
    return keep_axis(r, axis);
}

static bool read_implicit(reading *r, law_axis *axis)
{
    static const char *const variables[LAW_VARIABLES] = {"x", "q", NULL, "s"};
    axis->slot = LAW_IMPLICIT;
    axis->is_implicit = true;
    set_names(r, variables);
    if (!parse(r, LAW_IMPLICIT, &axis->value))
        return false;
    axis->slope = law_derive(&r->made->graph, axis->value, LAW_Q);
    axis->by_x = law_derive(&r->made->graph, axis->value, LAW_X);
    return keep_axis(r, axis);
}

static bool make_linear(reading *r, law_axis *axis)
{
    axis->slot = LAW_TWIST;
    axis->value = law_variable(&r->made->graph, LAW_X);
    axis->slope = axis->secant = law_number(&r->made->graph, 1);
    axis->has_secant = true;
    return law_extract(&r->made->graph, axis->value, &axis->source);
}

// The curve of a strain by the text that has most to do with it.
static bool read_axis(reading *r, int strain)
{
    static const law_slot own[3] = {LAW_BEND_1, LAW_BEND_2, LAW_TWIST};
    law_axis *axis = &r->made->axes[strain];
    if (strain < 2 && is_given(r->def, LAW_RADIAL))
        return read_explicit(r, LAW_RADIAL, "k", axis);
    if (is_given(r->def, own[strain]))
        return read_explicit(r, own[strain], "x", axis);
    return is_given(r->def, LAW_IMPLICIT) ? read_implicit(r, axis) : make_linear(r, axis);
}

static bool read_coupled(reading *r)
{
    static const char *const variables[LAW_VARIABLES] = {"x1", "x2", "x3", "s"};
    law *made = r->made;
    law_graph *graph = &made->graph;
    law_ref energy = 0;
    bool marks[LAW_ROOM] = {false};
    made->has_energy = is_given(r->def, LAW_ENERGY);
    made->slot = made->has_energy ? LAW_ENERGY : LAW_MOMENT_1;
    set_names(r, variables);
    if (made->has_energy && (!parse(r, LAW_ENERGY, &energy) || !law_extract(graph, energy, &made->energy)))
        return false;
    for (int a = 0; a < 3; a++) {
        if (made->has_energy)
            made->q[a] = law_derive(graph, energy, a);
        else if (!parse(r, (law_slot)(LAW_MOMENT_1 + a), &made->q[a]) ||
                 !law_extract(graph, made->q[a], &made->moments[a]))
            return false;
    }
    for (int row = 0, k = 0; row < 3; row++)
        for (int column = 0; column <= row; column++, k++)
            made->k[k] = law_derive(graph, made->q[row], column);
    for (int k = 0; k < 6 && !graph->is_full; k++)
        law_mark(graph, made->k[k], marks);
    return (!graph->is_full && law_count(graph, marks) <= LAW_MAX_NODES) || too_large(r, made->slot);
}

// ---- what goes together

static bool check_choice(const law_def *def, law_fault *fault)
{
    const bool bend = is_given(def, LAW_BEND_1) || is_given(def, LAW_BEND_2), radial = is_given(def, LAW_RADIAL);
    const bool energy = is_given(def, LAW_ENERGY), moments = is_given(def, LAW_MOMENT_1);
    const bool implicit = is_given(def, LAW_IMPLICIT), twist = is_given(def, LAW_TWIST);
    const law_slot slot = energy ? LAW_ENERGY : moments ? LAW_MOMENT_1 : LAW_RADIAL;
    for (uint32_t k = 0; k < def->constant_count; k++)
        if (!law_may_name(def->constants[k].name))
            return law_refuse(fault, LAW_BEND_1, 0, "choose another name of letters, digits and _",
                              "'%.40s' is no name for a number: variables and functions have theirs",
                              def->constants[k].name);
    const bool rubs = def->friction.stiffness > 0;
    if (rubs && (radial || energy || moments))
        return law_refuse(fault, slot, SIZE_MAX, "give bend and twist instead, or leave friction out",
                          "friction is of each strain by itself: it goes with bend, twist and implicit");
    if (!bend && !radial && !energy && !moments && !implicit && !twist && !rubs)
        return law_refuse(fault, LAW_BEND_1, 0, "give bend, twist, radial, energy, moments or implicit",
                          "the law says nothing");
    if ((energy || moments) && (bend || radial || implicit || twist || (energy && moments)))
        return law_refuse(fault, slot, SIZE_MAX, "keep one of them",
                          "%s says all there is: nothing else may stand beside it", energy ? "energy" : "moments");
    if (radial && bend)
        return law_refuse(fault, slot, SIZE_MAX, "keep one of them", "radial and bend say the same");
    return true;
}

static void choose_places(law *made, double length)
{
    const double whole = length > 0 ? length : 1;
    made->place_count = made->is_graded ? LAW_PLACES : 1;
    for (uint32_t k = 0; k < made->place_count; k++)
        made->places[k] = whole * k / (LAW_PLACES - 1);
}

static bool any_graded(const law *made)
{
    const law_graph *graph = &made->graph;
    bool graded = false;
    for (int a = 0; a < 3 && made->form != LAW_FORM_COUPLED; a++)
        graded |= law_uses(graph, made->axes[a].value, LAW_S);
    for (int a = 0; a < 3 && made->form == LAW_FORM_COUPLED; a++)
        graded |= law_uses(graph, made->q[a], LAW_S);
    return graded;
}

static bool read_curves(reading *r)
{
    for (int a = 0; a < 3; a++)
        if (!read_axis(r, a))
            return false;
    r->made->is_graded = any_graded(r->made);
    choose_places(r->made, r->def->length);
    for (int a = 0; a < 3; a++) {
        law_axis *axis = &r->made->axes[a];
        if (!law_check_axis(r->made, axis, r->def->range > 0, r->fault))
            return false;
        if (r->def->fit.is_wanted && !axis->facts.is_linear && !law_fit_axis(r->made, axis, &r->def->fit, r->fault))
            return false;
        axis->floor = least_share * axis->facts.slope_at_0;
    }
    return true;
}

sheaf_status law_along(const law *of, double length, law **made, law_fault *fault)
{
    *made = NULL;
    *fault = (law_fault){.slot = LAW_BEND_1};
    law *fresh = base_alloc(1, sizeof *fresh);
    if (fresh == NULL)
        return SHEAF_ERR_MEMORY;
    memcpy(fresh, of, sizeof *fresh);
    atomic_init(&fresh->owners, 1);
    choose_places(fresh, length);
    bool sound = fresh->form != LAW_FORM_COUPLED || law_check_coupled(fresh, fresh->has_range, fault);
    for (int a = 0; a < 3 && sound && fresh->form != LAW_FORM_COUPLED; a++) {
        sound = law_check_axis(fresh, &fresh->axes[a], fresh->has_range, fault);
        fresh->axes[a].floor = least_share * fresh->axes[a].facts.slope_at_0;
    }
    if (!sound) {
        base_free(fresh);
        return base_fail(SHEAF_ERR_INPUT, "%s", fault->message);
    }
    *made = fresh;
    return SHEAF_OK;
}

static bool read_whole(reading *r)
{
    law *made = r->made;
    made->has_range = r->def->range > 0;
    made->range = made->has_range ? r->def->range : 1e3;
    made->friction = r->def->friction;
    if (!check_choice(r->def, r->fault))
        return false;
    made->form = is_given(r->def, LAW_ENERGY) || is_given(r->def, LAW_MOMENT_1) ? LAW_FORM_COUPLED
                 : is_given(r->def, LAW_RADIAL)                                 ? LAW_FORM_RADIAL
                                                                                : LAW_FORM_SEPARATE;
    if (made->form != LAW_FORM_COUPLED)
        return read_curves(r);
    if (r->def->fit.is_wanted)
        return law_refuse(r->fault, is_given(r->def, LAW_ENERGY) ? LAW_ENERGY : LAW_MOMENT_1, 0, "use route: exact",
                          "polynomials are fitted to curves of one strain");
    if (!read_coupled(r))
        return false;
    made->is_graded = any_graded(made);
    choose_places(made, r->def->length);
    return law_check_coupled(made, r->def->range > 0, r->fault);
}

// All that decides the values: the graph up to what was parsed would do, but derivatives do no harm.
static uint64_t hash_of(const law *made)
{
    uint64_t hash = base_hash(&made->form, sizeof made->form, 0);
    hash = base_hash(&made->range, sizeof made->range, hash);
    for (uint32_t k = 0; k < made->graph.count; k++) {
        const law_node *node = &made->graph.nodes[k];
        const uint64_t parts[2] = {node->op, (uint64_t)node->a << 16 | node->b};
        hash = base_hash(parts, sizeof parts, hash);
        hash = base_hash(&node->value, sizeof node->value, hash);
    }
    for (int a = 0; a < 3; a++) {
        const law_axis *axis = &made->axes[a];
        const uint64_t roots[2] = {(uint64_t)axis->value << 16 | axis->slope, axis->is_implicit};
        hash = base_hash(roots, sizeof roots, hash);
        hash = base_hash(&axis->facts.range, sizeof axis->facts.range, hash);
        hash = base_hash(&made->q[a], sizeof made->q[a], hash);
    }
    if (made->friction.stiffness > 0) { // laws without it keep the numbers that they always had
        hash = base_hash(&made->friction.stiffness, sizeof made->friction.stiffness, hash);
        hash = base_hash(&made->friction.limit, sizeof made->friction.limit, hash);
    }
    return hash;
}

sheaf_status law_create(const law_def *def, law **made, law_fault *fault)
{
    *made = NULL;
    *fault = (law_fault){.slot = LAW_BEND_1};
    law *fresh = base_alloc(1, sizeof *fresh);
    if (fresh == NULL)
        return SHEAF_ERR_MEMORY;
    atomic_init(&fresh->owners, 1);
    reading r = {.def = def, .made = fresh, .fault = fault};
    if (!read_whole(&r)) {
        base_free(fresh);
        return base_fail(SHEAF_ERR_INPUT, "%s", fault->message);
    }
    fresh->hash = hash_of(fresh);
    *made = fresh;
    return SHEAF_OK;
}

law *law_share(law *of)
{
    if (of != NULL)
        atomic_fetch_add(&of->owners, 1);
    return of;
}

void law_release(law *of)
{
    if (of != NULL && atomic_fetch_sub(&of->owners, 1) == 1)
        base_free(of);
}

// ---- facts

law_form law_form_of(const law *of)
{
    return of->form;
}

bool law_is_graded(const law *of)
{
    return of->is_graded;
}

uint64_t law_hash(const law *of)
{
    return of->hash;
}

const law_facts *law_facts_of(const law *of, int strain)
{
    return of->form == LAW_FORM_COUPLED ? &of->facts[strain] : &of->axes[strain].facts;
}

double law_stiffest(const law *of, int strain, double stiffness)
{
    if (of->form == LAW_FORM_COUPLED)
        return of->stiffest[strain];
    const law_axis *axis = &of->axes[of->form == LAW_FORM_RADIAL && strain == 1 ? 0 : strain];
    return stiffness * (fmax(1, axis->facts.largest_slope) + 2 * of->friction.stiffness);
}

// ---- friction

law_friction law_friction_of(const law *of)
{
    return of->friction;
}

// z tends to S limit, S the sign of the change, by exp(-stiffness |change| / limit).
double law_rub(const law_friction *friction, double z, double change, double *slope)
{
    const double sign = change > 0 ? 1 : change < 0 ? -1 : 0, end = sign * friction->limit;
    const double after = z - (end - z) * expm1(-friction->stiffness * fabs(change) / friction->limit);
    *slope = friction->stiffness * (1 - sign * after / friction->limit);
    return after;
}

void law_describe(const law_facts *facts, char *out, size_t size)
{
    int length = 0;
    if (facts->is_linear)
        length = snprintf(out, size, "linear");
    else if (facts->falling[1] > 0)
        length = snprintf(out, size, "non-convex from %.4g to %.4g 1/m", facts->falling[0], facts->falling[1]);
    else if (facts->softens && facts->hardens)
        length = snprintf(out, size, "softening and hardening");
    else if (facts->softens || facts->hardens)
        length = snprintf(out, size, "%s", facts->softens ? "softening" : "hardening");
    else
        length = snprintf(out, size, "of constant slope");
    if (!facts->is_odd && length > 0 && (size_t)length < size)
        length += snprintf(out + length, size - (size_t)length, ", asymmetric");
    for (uint32_t k = 0; k < facts->jump_count && length > 0 && (size_t)length < size; k++)
        length +=
            snprintf(out + length, size - (size_t)length, "%s%.4g%s", k == 0 ? ", piecewise (slope jumps at " : ", ",
                     facts->jumps[k], k + 1 == facts->jump_count ? " 1/m)" : "");
}

bool law_polynomial(const law *of, int strain, double coefficients[LAW_MAX_FIT + 1], uint32_t *order, double *range)
{
    const law_axis *axis = &of->axes[strain];
    if (of->form == LAW_FORM_COUPLED || axis->fit_order == 0)
        return false;
    memcpy(coefficients, axis->fit, sizeof axis->fit);
    *order = axis->fit_order;
    *range = axis->facts.range;
    return true;
}

// ---- answers

// Newton's method on g(x, q) = 0, which may halve its steps.
static void solve_implicit(const law_axis *axis, double x, double place, double *value, double *slope)
{
    double q = axis->steepness * x;
    law_dual g = {0};
    for (int k = 0; k < 200; k++) {
        g = law_walk_dual(&axis->source, (const double[LAW_VARIABLES]){x, q, 0, place});
        double step = -g.value / g.first[LAW_Q];
        if (!(fabs(step) > 1e-15 * fabs(q)))
            break;
        for (int halving = 0; halving < 60; halving++, step /= 2)
            if (fabs(law_walk(&axis->source, (const double[LAW_VARIABLES]){x, q + step, 0, place})) <
                fabs(g.value) * (1 - 1e-3))
                break;
        q += step;
    }
    *value = q;
    *slope = -g.first[LAW_X] / g.first[LAW_Q];
}

void law_axis_at(const law_axis *axis, double x, double place, double *value, double *slope)
{
    if (axis->is_implicit) {
        solve_implicit(axis, x, place, value, slope);
        return;
    }
    *value = law_walk_slope(&axis->source, (const double[LAW_VARIABLES]){x, 0, 0, place}, LAW_X, slope);
}

static double clamped(double x, double range)
{
    return fmax(-range, fmin(range, x));
}

static void continued(const law_axis *axis, double x, double place, double *value, double *slope)
{
    const double inside = clamped(x, axis->facts.range);
    law_axis_at(axis, inside, place, value, slope);
    *value += *slope * (x - inside);
}

void law_curve(const law *of, int strain, double x, double place, double *value, double *slope)
{
    if (of->form == LAW_FORM_COUPLED) {
        double at[3] = {0, 0, 0}, moment[3], tangent[3][3];
        at[strain] = clamped(x, of->range);
        law_coupled_at(of, at, place, moment, tangent);
        *slope = tangent[strain][strain];
        *value = moment[strain] + *slope * (x - at[strain]);
    } else {
        continued(&of->axes[strain], x, place, value, slope);
    }
}

void law_coupled_at(const law *of, const double x[3], double place, double moment[3], double tangent[3][3])
{
    const double at[LAW_VARIABLES] = {x[0], x[1], x[2], place};
    if (of->has_energy) {
        const law_dual w = law_walk_dual(&of->energy, at);
        for (int r = 0, k = 0; r < 3; r++) {
            moment[r] = w.first[r];
            for (int c = 0; c <= r; c++, k++)
                tangent[r][c] = tangent[c][r] = w.second[k];
        }
        return;
    }
    for (int r = 0; r < 3; r++) {
        const law_dual q = law_walk_dual(&of->moments[r], at);
        moment[r] = q.value;
        for (int c = 0; c < 3; c++)
            tangent[r][c] = q.first[c];
    }
}

static law_response respond_coupled(const law *of, const double x[3], double place)
{
    law_response out;
    const double inside[3] = {clamped(x[0], of->range), clamped(x[1], of->range), clamped(x[2], of->range)};
    law_coupled_at(of, inside, place, out.moment, out.tangent);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            out.moment[r] += out.tangent[r][c] * (x[c] - inside[c]);
    return out;
}

// The slope that a Newton step uses: that of the secant has its say, so that softening laws do not overshoot.
static double guarded_slope(const law_axis *axis, double x, double value, double slope)
{
    const double secant = fabs(x) > 1e-9 * axis->facts.range ? value / x : slope;
    return fmax(fmax(slope, (slope + secant) / 2), axis->floor);
}

static law_response respond_radial(const law *of, const double x[3], double place, const double stiffness[3],
                                   bool is_guarded)
{
    const double k = hypot(x[0], x[1]), direction[2] = {k > 0 ? x[0] / k : 1, k > 0 ? x[1] / k : 0};
    double value, slope, twist, torsion;
    continued(&of->axes[0], k, place, &value, &slope);
    continued(&of->axes[2], x[2], place, &twist, &torsion);
    const double secant = k > 1e-9 * of->axes[0].facts.range ? value / k : slope;
    const double along = is_guarded ? guarded_slope(&of->axes[0], k, value, slope) : slope;
    const double across = is_guarded ? fmax(secant, of->axes[0].floor) : secant;
    law_response out = {
        .moment = {stiffness[0] * value * direction[0], stiffness[1] * value * direction[1], stiffness[2] * twist}};
    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 2; c++)
            out.tangent[r][c] = stiffness[0] * ((along - across) * direction[r] * direction[c] + (r == c ? across : 0));
    out.tangent[2][2] = stiffness[2] * (is_guarded ? guarded_slope(&of->axes[2], x[2], twist, torsion) : torsion);
    return out;
}

static law_response respond_separate(const law *of, const double x[3], double place, const double stiffness[3],
                                     bool is_guarded)
{
    law_response out = {.moment = {0}};
    for (int a = 0; a < 3; a++) {
        double value, slope;
        continued(&of->axes[a], x[a], place, &value, &slope);
        out.moment[a] = stiffness[a] * value;
        out.tangent[a][a] = stiffness[a] * (is_guarded ? guarded_slope(&of->axes[a], x[a], value, slope) : slope);
    }
    return out;
}

law_response law_respond(const law *of, const double x[3], double place, const double stiffness[3])
{
    return of->form == LAW_FORM_COUPLED  ? respond_coupled(of, x, place)
           : of->form == LAW_FORM_RADIAL ? respond_radial(of, x, place, stiffness, false)
                                         : respond_separate(of, x, place, stiffness, false);
}

// L D L^T with pivots of at least a share of those at 0.
static void raise_pivots(const law *of, double tangent[3][3])
{
    double l[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, d[3];
    for (int c = 0; c < 3; c++) {
        d[c] = tangent[c][c];
        for (int k = 0; k < c; k++)
            d[c] -= l[c][k] * l[c][k] * d[k];
        d[c] = fmax(d[c], least_share * of->pivots[c]);
        for (int r = c + 1; r < 3; r++) {
            l[r][c] = tangent[r][c];
            for (int k = 0; k < c; k++)
                l[r][c] -= l[r][k] * l[c][k] * d[k];
            l[r][c] /= d[c];
        }
    }
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            tangent[r][c] = 0;
            for (int k = 0; k < 3; k++)
                tangent[r][c] += l[r][k] * d[k] * l[c][k];
        }
}

law_response law_respond_guarded(const law *of, const double x[3], double place, const double stiffness[3])
{
    if (of->form == LAW_FORM_RADIAL)
        return respond_radial(of, x, place, stiffness, true);
    if (of->form == LAW_FORM_SEPARATE)
        return respond_separate(of, x, place, stiffness, true);
    law_response out = respond_coupled(of, x, place);
    raise_pivots(of, out.tangent);
    return out;
}

// ---- energy

enum { PIECES = 8 };
static const double gauss_place[4] = {0.1834346424956498049, 0.5255324099163289858, 0.7966664774136267396,
                                      0.9602898564975362317};
static const double gauss_weight[4] = {0.3626837833783619830, 0.3137066458778872873, 0.2223810344533744705,
                                       0.1012285362903762591};

static double value_at(const law_axis *axis, double x, double place)
{
    double value, slope;
    if (!axis->is_implicit && fabs(x) <= axis->facts.range)
        return law_walk(&axis->source, (const double[LAW_VARIABLES]){x, 0, 0, place});
    continued(axis, x, place, &value, &slope);
    return value;
}

// Integral of a curve from 0 to x: Gauss's rule on pieces that end at jumps of the slope and are shorter near 0.
static double integrate_piece(const law_axis *axis, double from, double to, double place)
{
    const double middle = (from + to) / 2, half = (to - from) / 2;
    double sum = 0;
    for (int k = 0; k < 4; k++)
        sum += gauss_weight[k] * (value_at(axis, middle - half * gauss_place[k], place) +
                                  value_at(axis, middle + half * gauss_place[k], place));
    return half * sum;
}

static double integrate_axis(const law_axis *axis, double x, double place)
{
    double sum = 0, from = 0;
    for (int k = 1; k <= PIECES; k++) {
        const double to = x * k * k / (PIECES * PIECES);
        double start = from;
        for (;;) { // the nearest jump on the way
            double end = to;
            for (uint32_t j = 0; j < axis->facts.jump_count; j++) {
                const double jump = axis->facts.jumps[j];
                if ((jump - start) * (end - jump) > 0)
                    end = jump;
            }
            sum += integrate_piece(axis, start, end, place);
            if (end == to)
                break;
            start = end;
        }
        from = to;
    }
    return sum;
}

// Moments that have an energy: their work along the straight way to x.
static double integrate_moments(const law *of, const double x[3], double place)
{
    double sum = 0;
    for (int piece = 0; piece < PIECES; piece++)
        for (int k = 0; k < 8; k++) {
            const double offset = (k < 4 ? 1 : -1) * gauss_place[k % 4], share = (piece + (1 + offset) / 2) / PIECES;
            const double at[3] = {share * x[0], share * x[1], share * x[2]};
            const law_response q = respond_coupled(of, at, place);
            sum += gauss_weight[k % 4] / (2 * PIECES) * (q.moment[0] * x[0] + q.moment[1] * x[1] + q.moment[2] * x[2]);
        }
    return sum;
}

void law_energy(const law *of, const double x[3], double place, const double stiffness[3], double energy[2])
{
    energy[0] = energy[1] = 0;
    if (of->form == LAW_FORM_COUPLED) {
        energy[0] = integrate_moments(of, x, place);
        return;
    }
    if (of->form == LAW_FORM_RADIAL)
        energy[0] = stiffness[0] * integrate_axis(&of->axes[0], hypot(x[0], x[1]), place);
    for (int a = 0; a < 2 && of->form == LAW_FORM_SEPARATE; a++)
        energy[0] += stiffness[a] * integrate_axis(&of->axes[a], x[a], place);
    energy[1] = stiffness[2] * integrate_axis(&of->axes[2], x[2], place);
}

bool law_is_beyond(const law *of, const double x[3])
{
    if (of->form == LAW_FORM_RADIAL)
        return hypot(x[0], x[1]) > of->axes[0].facts.range || fabs(x[2]) > of->axes[2].facts.range;
    for (int a = 0; a < 3; a++)
        if (!law_facts_of(of, a)->is_linear && fabs(x[a]) > law_facts_of(of, a)->range)
            return true;
    return false;
}
