// doubts: what in a scene is allowed and yet likely to be a mistake.
#include "cli/doubts.h"

#include "base/vec.h"
#include "io/folder.h"
#include "io/plot.h"
#include "strand/strand.h"
#include "world/world.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

// Beyond these, numbers are more often slips of units than materials: aerogel and osmium, jelly and diamond.
static const double density_min = 20, density_max = 23000; // kg/m^3
static const double young_min = 100, young_max = 2e12;     // Pa

// A rod is slender: theory errs by about the square of its thickness over its length.
static const double slenderness_min = 10; // length over diameter

// An edge that turns by more is no likeness of its curve, and its chord is 4 % shorter.
static const double turn_max = 1; // rad

// Ends that start away from their strand by more than this share of its length, or by so many radians, hit it.
static const double jump_max = 0.01;

typedef struct doubting {
    const sheaf_model *model;
    const sheaf_model *part; // with the strand alone
    const sheaf_strand_def *def;
    uint32_t strand; // number in the scene
    double length;   // m, as built
    cli_doubts *doubts;
} doubting;

__attribute__((format(printf, 2, 3))) static void doubt(cli_doubts *doubts, const char *format, ...)
{
    if (doubts->count < CLI_DOUBTS_MAX) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(doubts->text[doubts->count], sizeof doubts->text[0], format, arguments);
        va_end(arguments);
    }
    doubts->count++;
}

// ---- materials

static void doubt_material(const sheaf_material_def *m, cli_doubts *doubts)
{
    char name[128];
    base_printable(m->name, name, sizeof name);
    if (m->line_mass == 0 && m->density < density_min)
        doubt(doubts, "material '%s': a density of %.3g kg/m^3 is that of a gas; did you mean %.3g g/cm^3?", name,
              m->density, m->density);
    if (m->line_mass == 0 && m->density > density_max)
        doubt(doubts, "material '%s': nothing has a density of %.3g kg/m^3; osmium has 22600", name, m->density);
    if (m->bend[0] == 0 && (m->young < young_min || m->young > young_max))
        doubt(doubts, "material '%s': a Young's modulus of %.3g Pa is that of no solid; did you mean %.3g GPa?", name,
              m->young, m->young < young_min ? m->young : m->young * 1e-9);
}

// ---- strands

static void doubt_thickness(const doubting *d)
{
    const double radius = scene_material_section(&d->model->materials[d->def->material]).radius;
    char thickness[32], length[32];
    if (radius == 0 || d->length > slenderness_min * 2 * radius)
        return;
    cli_format_quantity(2 * radius, "m", thickness, sizeof thickness);
    cli_format_quantity(d->length, "m", length, sizeof length);
    doubt(d->doubts, "strand %u is %s thick and %s long: bodies less than %g times as long as thick are no rods",
          d->strand, thickness, length, slenderness_min);
}

// Curvature of the shape that a strand is a polyline of, 1/m; 0: it is straight or given by points.
static double shape_curvature(const sheaf_strand_def *def)
{
    const double c = def->pitch / (2 * 3.14159265358979323846);
    if (def->shape == SHEAF_SHAPE_HELIX)
        return def->radius / (def->radius * def->radius + c * c);
    return def->shape == SHEAF_SHAPE_ARC ? 1 / def->radius : 0;
}

static void doubt_sampling(const doubting *d)
{
    const double edge = d->def->length / scene_edge_count(d->def), turn = edge * shape_curvature(d->def);
    char wanted[32], built[32];
    if (turn <= turn_max)
        return;
    cli_format_quantity(d->def->length, "m", wanted, sizeof wanted);
    cli_format_quantity(d->length, "m", built, sizeof built);
    doubt(d->doubts,
          "strand %u: its edges turn by %.3g rad each, and the curve of %s became a polyline of %s; give it %.3g "
          "vertices or more",
          d->strand, turn, wanted, built, ceil(d->def->length * shape_curvature(d->def) / 0.5) + 1);
}

static void doubt_jump(const doubting *d, const sheaf_end_def *end, const char *name)
{
    double move[3];
    for (int c = 0; c < 3; c++)
        move[c] = scene_course(&end->move[c], 0);
    const double distance = vec_length(move), turn = fabs(scene_course(&end->turn, 0));
    char shown[32];
    cli_format_quantity(distance, "m", shown, sizeof shown);
    if (end->hold_position && distance > jump_max * d->length)
        doubt(d->doubts, "strand %u: its %s is moved by %s at time 0, in no time; let `move` start from 0", d->strand,
              name, shown);
    if (end->hold_tangent && turn > jump_max)
        doubt(d->doubts, "strand %u: its %s is turned by %.3g rad at time 0, in no time; let `turn` start from 0",
              d->strand, name, turn);
}

static bool has_held_frame(const sheaf_strand_def *def)
{
    return def->root.hold_angle || def->tip.hold_angle || def->hold_count > 0 || scene_is_closed(def);
}

// A torque about the strand's own axis turns it for ever, for frames have no inertia, unless a frame is held.
static void doubt_torque(const doubting *d, const sheaf_end_def *end, const char *name)
{
    enum { LOOKS = 16 }; // in the time of the run
    const bool is_root = end == &d->def->root;
    const double(*at)[3] = (const double(*)[3])d->part->position + (is_root ? 0 : d->part->vertex_count - 2);
    double edge[3], torque[3], largest = 0;
    vec_sub(edge, at[1], at[0]);
    for (int k = 0; k <= LOOKS; k++) {
        for (int c = 0; c < 3; c++)
            torque[c] = scene_course(&end->couple[c], d->model->def.end * k / LOOKS);
        largest = fmax(largest, fabs(vec_dot(torque, edge)) - 1e-9 * vec_length(torque) * vec_length(edge));
    }
    if (largest > 0 && !has_held_frame(d->def))
        doubt(d->doubts,
              "strand %u: the torque on its %s turns it about its own axis, and nothing holds it there: there is no "
              "equilibrium; clamp the other end",
              d->strand, name);
}

static void doubt_strand(const doubting *d)
{
    doubt_thickness(d);
    doubt_sampling(d);
    doubt_jump(d, &d->def->root, "root");
    doubt_jump(d, &d->def->tip, "tip");
    doubt_torque(d, &d->def->root, "root");
    doubt_torque(d, &d->def->tip, "tip");
}

// Such bodies stay out of colliders in any case.
static bool hangs_on_cable(const sheaf_model *model, uint32_t body)
{
    for (uint32_t k = 0; k < model->joint_count; k++)
        if (model->joints[k].body == body && model->strands[model->joints[k].strand].method > 0)
            return true;
    return false;
}

static bool can_collide(const model_body *body)
{
    return body->is_free && !body->def.axle.is_there;
}

// Strands that are not fixed to it, and other bodies that collide, would be expected not to pass through a body.
static bool is_passed_through(const sheaf_model *model, uint32_t body)
{
    for (uint32_t k = 0; k < model->body_count; k++)
        if (k != body && model->bodies[k].def.collides)
            return true;
    uint32_t fixed = 0, last = UINT32_MAX;
    for (uint32_t k = 0; k < model->joint_count; k++) // by strand
        if (model->joints[k].body == body && model->joints[k].strand != last) {
            last = model->joints[k].strand;
            fixed++;
        }
    return fixed < model->strand_count;
}

// What collides in this version, and what does not: said once for each kind of it.
static void doubt_contact(const sheaf_model *model, cli_doubts *doubts)
{
    const sheaf_body_def *passes = NULL, *idle = NULL, *passed = NULL;
    char name[128];
    for (uint32_t k = 0; k < model->body_count; k++) {
        const model_body *body = &model->bodies[k];
        const sheaf_body_def *def = &body->def;
        if (def->collides && !can_collide(body))
            idle = idle == NULL ? def : idle;
        else if (def->collides && is_passed_through(model, k))
            passed = passed == NULL ? def : passed;
        else if (!def->collides && can_collide(body) && !hangs_on_cable(model, k) && model->collider_count > 0)
            passes = passes == NULL ? def : passes;
    }
    if (idle != NULL)
        doubt(doubts,
              "body '%s': `collide` has no effect on a body that is fixed, follows a motion or turns on an axle; for a "
              "shape that is to stop others use colliders, which may follow a motion, too",
              base_printable(idle->name, name, sizeof name));
    if (passed != NULL)
        doubt(doubts,
              "body '%s': `collide` keeps it out of colliders; strands and other bodies pass through it in this "
              "version",
              base_printable(passed->name, name, sizeof name));
    if (passes != NULL)
        doubt(doubts, "body '%s' passes through colliders; if it is not to, give it a shape and `collide: true`",
              base_printable(passes->name, name, sizeof name));
}

// Beyond these, a body is more likely in the wrong place or unit than meant so.
static const double edges_off = 10;        // edges between a weld and the body
static const double least_inertia = 1e-12; // of what the strand has about its own middle

static void doubt_joint(const sheaf_model *model, const model_joint *joint, cli_doubts *doubts)
{
    const model_body *body = &model->bodies[joint->body];
    const model_strand *strand = &model->strands[joint->strand];
    const uint64_t first = model->first_vertex[joint->strand];
    const double edge = model->rest_length[first + joint->edge];
    double length = 0;
    char name[128];
    for (uint32_t k = 0; k + 1 < model_vertex_count(model, joint->strand); k++)
        length += model->rest_length[first + k];
    base_printable(body->def.name, name, sizeof name);
    if (vec_length(joint->arm[0]) - vec_length(body->half) > edges_off * edge)
        doubt(doubts,
              "strand %u is fixed to body '%s' from %.3g m away, more than %g of its edges; is `at` the place where "
              "the body is meant to be?",
              joint->strand, name, vec_length(joint->arm[0]), edges_off);
    const double *own = body->def.inertia, least = fmin(own[0], fmin(own[1], own[2]));
    const double whole = strand->line_mass * length * length * length / 12;
    if (body->is_free && least > 0 && least < least_inertia * whole)
        doubt(doubts, "body '%s': its inertia, %.3g kg m^2, is less than %g of that of strand %u; is its unit right?",
              name, least, least_inertia, joint->strand);
}

static void doubt_bodies(const sheaf_model *model, cli_doubts *doubts)
{
    doubt_contact(model, doubts);
    for (uint32_t k = 0; k < model->joint_count; k++)
        doubt_joint(model, &model->joints[k], doubts);
}

static sheaf_status doubt_group(const sheaf_model *model, uint32_t group, cli_doubts *doubts)
{
    const uint32_t strand = model->group_first[group];
    sheaf_model *part = NULL;
    double length = 0;
    SHEAF_TRY(model_part(model, &strand, 1, &part));
    const uint64_t edges = part->vertex_count - (part->strands[0].closed ? 0 : 1);
    for (uint64_t k = 0; k < edges; k++)
        length += part->rest_length[k];
    doubt_strand(&(doubting){model, part, &model->groups[group].strand, strand, length, doubts});
    sheaf_model_free(part);
    return SHEAF_OK;
}

sheaf_status cli_doubts_find(const cli_loaded *loaded, cli_doubts *doubts)
{
    const sheaf_model *model = loaded->model;
    doubts->count = 0;
    for (uint32_t k = 0; k < loaded->scene->material_count; k++)
        doubt_material(&loaded->scene->materials[k], doubts);
    doubt_bodies(model, doubts);
    for (uint32_t k = 0; k < model->group_count && doubts->count < CLI_DOUBTS_MAX; k++)
        SHEAF_TRY(doubt_group(model, k, doubts));
    return SHEAF_OK;
}

// ---- telling

void cli_doubts_tell(const cli_doubts *doubts)
{
    for (uint32_t k = 0; k < doubts->count && k < CLI_DOUBTS_MAX; k++)
        cli_warn("%s", doubts->text[k]);
    if (doubts->count > CLI_DOUBTS_MAX)
        cli_warn("and there are more of this kind");
}

json_t *cli_doubts_json(const cli_doubts *doubts)
{
    json_t *list = json_array();
    for (uint32_t k = 0; k < doubts->count && k < CLI_DOUBTS_MAX; k++)
        json_array_append_new(list, io_json_text(doubts->text[k]));
    return list;
}
