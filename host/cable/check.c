// check: which cables can be simulated, how heavy what they carry is, and which tension they bear.
#include "cable/chain.h"

#include "base/vec.h"
#include "cable/adaptive.h"

static const double ratio_most = 1e12;

enum { CABLES_ON_BODY_MOST = 64, CABLE_SEGMENTS_LEAST = 4 };

static bool course_is_zero(const sheaf_course *course)
{
    return course->kind != SHEAF_COURSE_KEYS && course->value == 0;
}

static const char *why_end_does_not_fit(const sheaf_model *model, uint32_t strand, bool is_tip)
{
    const model_strand *s = &model->strands[strand];
    const sheaf_end_def *end = is_tip ? s->tip : s->root;
    if (end->slide)
        return "an end slides; hold it by a ball or a clamp";
    if (end->hold_tangent != end->hold_angle || (end->hold_tangent && !end->hold_position))
        return "an end holds some of position, tangent and angle; use free, pin or clamp";
    const bool loaded = !course_is_zero(&end->force[0]) || !course_is_zero(&end->force[1]) ||
                        !course_is_zero(&end->force[2]) || !course_is_zero(&end->couple[0]) ||
                        !course_is_zero(&end->couple[1]) || !course_is_zero(&end->couple[2]);
    if (!is_tip && loaded)
        return "a force or torque acts on its root; turn it round, so that it acts on the tip";
    return NULL;
}

static const char *why_not_adaptive(const sheaf_model *model, uint32_t strand)
{
    const sheaf_cable_def *def = &model->groups[model->strands[strand].group].cable;
    if (cable_winch_of(model, strand) != NULL)
        return "it is on a winch, and adaptive; leave one out";
    if (def->joint_stretch > 0 || def->joint_bend > 0 || def->joint_twist > 0)
        return "it is adaptive: its joints are as stiff as their segments are short; leave joint_stiffness out";
    if (def->segments_min < CABLE_SEGMENTS_LEAST || def->segments_min > cable_segment_count(model, strand))
        return "it is adaptive: its fewest segments must be from 4 to as many as it has";
    return NULL;
}

static const char *why_cable_does_not_fit(const sheaf_model *model, uint32_t strand)
{
    const model_strand *s = &model->strands[strand];
    const sheaf_material_def *material = &model->materials[s->material];
    const scene_section section = scene_material_section(material);
    if (s->closed)
        return "it is closed; join its ends by a body";
    if (s->hold_count > 0)
        return "frames of inner edges are held; only ends of cables are";
    if (s->skin != NULL)
        return "it follows a mesh that deforms; let it follow a rigid motion";
    if (section.bend[0] != section.bend[1])
        return "its material bends more easily one way than the other; cables bend alike in all directions";
    const char *why = cable_is_adaptive(model, strand) ? why_not_adaptive(model, strand) : NULL;
    if (why == NULL)
        why = why_end_does_not_fit(model, strand, false);
    return why != NULL ? why : why_end_does_not_fit(model, strand, true);
}

double cable_mass_ratio(const sheaf_model *model, uint32_t strand)
{
    double lightest = INFINITY, heaviest = 0;
    for (uint32_t j = 0; j < cable_segment_count(model, strand); j++)
        lightest = fmin(lightest, model->strands[strand].line_mass * cable_segment_length(model, strand, j));
    for (int is_tip = 0; is_tip < 2; is_tip++) {
        const cable_end end = cable_find_end(model, strand, is_tip);
        if (end.body >= 0 && !model->bodies[end.body].def.axle.is_there)
            heaviest = fmax(heaviest, model->bodies[end.body].mass);
    }
    return heaviest / lightest;
}

double cable_mass_contrast(const sheaf_model *model, uint32_t strand)
{
    const double ratio = cable_mass_ratio(model, strand);
    return ratio > 0 ? fmax(ratio, 1 / ratio) : 0;
}

// The first other cable on the drum of a cable, or UINT32_MAX.
static uint32_t shares_drum(const sheaf_model *model, uint32_t strand)
{
    const sheaf_winch_def *own = cable_winch_of(model, strand);
    for (uint32_t s = 0; own != NULL && s < strand; s++) {
        const sheaf_winch_def *other = cable_winch_of(model, s);
        if (other != NULL && other->body == own->body)
            return s;
    }
    return UINT32_MAX;
}

// Refuses bodies on which too many ends are: their rows are one dense block.
static sheaf_status check_crowds(const sheaf_model *model)
{
    uint32_t *ends = base_alloc(model->body_count + 1, sizeof *ends), most = 0;
    if (ends == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < model->joint_count; k++)
        if (model->bodies[model->joints[k].body].is_free && ++ends[model->joints[k].body] > ends[most])
            most = model->joints[k].body;
    const uint32_t count = ends[most];
    base_free(ends);
    return count <= CABLES_ON_BODY_MOST
               ? SHEAF_OK
               : base_fail(SHEAF_ERR_LIMIT,
                           "body '%s': %u ends of cables are on it, and at most %d can be; share them among bodies",
                           model->bodies[most].def.name, count, CABLES_ON_BODY_MOST);
}

sheaf_status cable_check(const sheaf_model *model)
{
    SHEAF_TRY(check_crowds(model));
    for (uint32_t s = 0; s < model->strand_count; s++) {
        const char *why = why_cable_does_not_fit(model, s);
        if (why != NULL)
            return base_fail(SHEAF_ERR_INPUT, "cable %u: %s", model->strands[s].number, why);
        if (shares_drum(model, s) != UINT32_MAX)
            return base_fail(SHEAF_ERR_INPUT, "cables %u and %u are wound on one drum; give each its own",
                             model->strands[shares_drum(model, s)].number, model->strands[s].number);
        if (cable_mass_contrast(model, s) > ratio_most)
            return base_fail(
                SHEAF_ERR_INPUT,
                "cable %u: what hangs on it is %.3g times as heavy as a segment; the ratio is at most %g, and "
                "at least its inverse",
                model->strands[s].number, cable_mass_ratio(model, s), ratio_most);
    }
    return SHEAF_OK;
}

// ---- tension

// The factor k0 of the critical tension by the wave that becomes unstable first, times the length of a segment: a rigid
// segment has a third of its mass in a zigzag. Measured with a heavy load on a ball joint.
static double wave_factor(double wave)
{
    static const double table[][2] = {{0.3, 0.95}, {0.85, 0.86}, {1.4, 0.79}, {1.6, 0.71}, {2.3, 0.59}};
    enum { ROWS = sizeof table / sizeof table[0] };
    if (wave <= table[0][0])
        return table[0][1];
    for (int k = 1; k < ROWS; k++)
        if (wave <= table[k][0]) {
            const double share = (wave - table[k - 1][0]) / (table[k][0] - table[k - 1][0]);
            return table[k - 1][1] + share * (table[k][1] - table[k - 1][1]);
        }
    return table[ROWS - 1][1];
}

double cable_critical_tension(const sheaf_model *model, uint32_t strand, double step)
{
    const uint32_t middle = cable_segment_count(model, strand) / 2;
    const double l = cable_segment_length(model, strand, middle), mu = model->strands[strand].line_mass;
    double compliance[3];
    cable_compliance(model, strand, middle, compliance);
    const double bend = l / compliance[1]; // EI, N m^2
    const double wave = pow(4 * mu / (step * step * bend), 0.25);
    const cable_end tip = cable_find_end(model, strand, true);
    const double factor = tip.holds_point ? wave_factor(wave * l) : 0.49;
    return factor * 4 / step * sqrt(mu * bend);
}
