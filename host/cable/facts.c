// facts: what `sheaf check` says of cables: how heavy their loads are, and whether a step bears the tension at rest.
#include "cable/cable.h"

#include "base/text.h"
#include "cable/chain.h"

#include <math.h>
#include <stdio.h>

// What is known of all cables. The cable that comes nearest to its critical tension, or goes farthest beyond it, stands
// for all.
typedef struct worst_cable {
    uint32_t count, number;   // cables; that one's in the scene
    double tension, critical; // N, of that one: at rest, and the most that a step without help of inertia bears
    double ratio;             // of a load's mass and that of the lightest segment, the largest
} worst_cable;

static worst_cable find_worst(const sheaf_model *model)
{
    worst_cable worst = {.critical = INFINITY};
    for (uint32_t s = 0; s < model->strand_count; s++) {
        if (method_list[model->strands[s].method] != &method_cable)
            continue;
        const double tension = cable_static_tension(model, s), most = cable_critical_tension(model, s, model->def.step);
        if (worst.count++ == 0 || tension / most > worst.tension / worst.critical) {
            worst.tension = tension;
            worst.critical = most;
            worst.number = model->strands[s].number;
        }
        worst.ratio = fmax(worst.ratio, cable_mass_ratio(model, s));
    }
    return worst;
}

static void write_force(double value, char text[32])
{
    const char *prefix;
    const int exponent = base_si_exponent(fabs(value), &prefix);
    snprintf(text, 32, "%.4g %sN", value * pow(10, -exponent), prefix);
}

uint32_t cable_facts(const sheaf_model *model, method_fact facts[METHOD_FACTS_MAX])
{
    const worst_cable worst = find_worst(model);
    char rest[32], limit[32];
    uint32_t count = 0;
    if (worst.count == 0)
        return 0;
    write_force(worst.tension, rest);
    write_force(worst.critical, limit);
    facts[count].name = "cables";
    snprintf(facts[count].text, sizeof facts->text, "%u, loads up to %.3g times as heavy as a segment", worst.count,
             worst.ratio);
    facts[++count].name = "tension at rest";
    snprintf(facts[count].text, sizeof facts->text, "%s in cable %u, critical at this step: %s", rest, worst.number,
             limit);
    count++;
    if (model->cable_step.tension == SHEAF_CABLE_TENSION_NONE && worst.tension > worst.critical) {
        facts[count].name = NULL;
        snprintf(facts[count++].text, sizeof facts->text,
                 "cable %u is under %s at rest, above its critical tension of %s at this step: it will shake itself to "
                 "pieces; use `tension: inertia`, or a smaller step",
                 worst.number, rest, limit);
    }
    return count;
}
