// facts: what `sheaf check` says of cables: how heavy their loads are, and whether a step bears the tension at rest.
#include "cable/cable.h"

#include "base/text.h"
#include "cable/chain.h"

#include <math.h>
#include <stdio.h>

static const double two_pi = 2 * 3.14159265358979323846;

// What is known of all cables. The cable that comes nearest to its critical tension, or goes farthest beyond it, stands
// for all.
typedef struct worst_cable {
    uint32_t count, number;   // cables; that one's in the scene
    double tension, critical; // N, of that one: at rest, and the most that a step without help of inertia bears
    double ratio;             // of a load's mass and that of the lightest segment, the largest
    double contrast;          // of both, whichever is heavier
} worst_cable;

static worst_cable find_worst(const sheaf_model *model, const double *tensions)
{
    worst_cable worst = {.critical = INFINITY};
    for (uint32_t s = 0; s < model->strand_count; s++) {
        if (method_list[model->strands[s].method] != &method_cable)
            continue;
        const double tension = tensions[s], most = cable_critical_tension(model, s, model->def.step);
        if (worst.count++ == 0 || tension / most > worst.tension / worst.critical) {
            worst.tension = tension;
            worst.critical = most;
            worst.number = model->strands[s].number;
        }
        worst.ratio = fmax(worst.ratio, cable_mass_ratio(model, s));
        worst.contrast = fmax(worst.contrast, cable_mass_contrast(model, s));
    }
    return worst;
}

static void write_force(double value, char text[32])
{
    const char *prefix;
    const int exponent = base_si_exponent(fabs(value), &prefix);
    snprintf(text, 32, "%.4g %sN", value * pow(10, -exponent), prefix);
}

// Turns that a whole cable makes on its drum where it lies in one layer, which is all that is modelled.
static bool find_turns(const sheaf_model *model, double *most)
{
    bool is_there = false;
    *most = 0;
    for (uint32_t s = 0; s < model->strand_count; s++) {
        const sheaf_winch_def *winch = cable_winch_of(model, s);
        if (winch == NULL)
            continue;
        const double rope = scene_material_section(&model->materials[model->strands[s].material]).radius;
        const double radius = model->bodies[winch->body].half[0] + rope;
        *most = fmax(*most, cable_segment_length(model, s, 0) * cable_segment_count(model, s) / (two_pi * radius));
        is_there = true;
    }
    return is_there;
}

static uint32_t tell_tension(const sheaf_model *model, const worst_cable *worst, method_fact *facts)
{
    char rest[32], limit[32];
    uint32_t count = 0;
    write_force(worst->tension, rest);
    write_force(worst->critical, limit);
    facts[count].name = "tension at rest";
    snprintf(facts[count++].text, sizeof facts->text, "%s in cable %u, critical at this step: %s", rest, worst->number,
             limit);
    if (model->cable_step.tension == SHEAF_CABLE_TENSION_NONE && worst->tension > worst->critical) {
        facts[count].name = NULL;
        snprintf(facts[count++].text, sizeof facts->text,
                 "cable %u is under %s at rest, above its critical tension of %s at this step: it will shake itself to "
                 "pieces; use `tension: inertia`, or a smaller step",
                 worst->number, rest, limit);
    }
    return count;
}

static uint32_t tell_ratio(const sheaf_model *model, const worst_cable *worst, method_fact *facts)
{
    uint32_t count = 0;
    facts[count].name = "cables";
    snprintf(facts[count++].text, sizeof facts->text, "%u, loads up to %.3g times as heavy as a segment", worst->count,
             worst->ratio);
    if (model->def.precision == SHEAF_PRECISION_SINGLE && worst->contrast > CABLE_SINGLE_RATIO) {
        facts[count].name = NULL;
        snprintf(
            facts[count++].text, sizeof facts->text,
            "a load and a segment of its cable differ in mass by a factor of %.3g; single precision resolves %d, so "
            "that on a device it may hardly move: use `precision: auto`",
            worst->contrast, CABLE_SINGLE_RATIO);
    }
    return count;
}

uint32_t cable_facts(const sheaf_model *model, method_fact facts[METHOD_FACTS_MAX])
{
    double turns, *tensions = base_alloc(model->strand_count, sizeof *tensions);
    const bool is_known = tensions != NULL && cable_static_tensions(model, tensions) == SHEAF_OK;
    const worst_cable worst = is_known ? find_worst(model, tensions) : (worst_cable){0};
    uint32_t count = 0;
    base_free(tensions);
    if (worst.count == 0)
        return 0;
    count += tell_ratio(model, &worst, facts);
    count += tell_tension(model, &worst, facts + count);
    if (find_turns(model, &turns)) {
        facts[count].name = "winches";
        snprintf(facts[count++].text, sizeof facts->text,
                 "rope lies in one layer on its drum, layers are not modelled: up to %.3g turns", turns);
    }
    if (cable_check(model) != SHEAF_OK) {
        facts[count].name = NULL;
        snprintf(facts[count++].text, sizeof facts->text, "cables cannot be simulated: %s", sheaf_last_error());
    }
    return count;
}
