// population: random strands, through the public interface.
#include "der/verify/population.h"

#include "der/verify/obstacles.h"
#include "der/verify/random.h"
#include "world/world.h"

#include <string.h>

enum { VERTEX_MOST = POPULATION_VERTEX_MOST, CLASS_SIZE = 16, CLASSES = 6, OFFSETS = 3, MOTIONS = 8 * OFFSETS };

static const double offsets[OFFSETS] = {0, 1.5, 100}; // m from the origin
static const double two_pi = 2 * 3.14159265358979323846;

// ---- shapes

// Bends at the inner vertices, rad, towards two directions across the strand.
typedef double bend_angles[VERTEX_MOST][2];

typedef struct shape {
    uint32_t vertex_count;
    double length[VERTEX_MOST]; // of edges, m
    double start[3], tangent[3], side[3];
    bend_angles pose, natural;
    double points[VERTEX_MOST][3], natural_points[VERTEX_MOST][3];
} shape;

// Turns `a` by the rotation vector `turn`.
static void turn_vector(double a[3], const double turn[3])
{
    double axis[3], turned[3];
    const double angle = vec_length(turn);
    if (angle == 0)
        return;
    vec_scale(axis, turn, 1 / angle);
    vec_rotate(turned, a, axis, angle);
    vec_copy(a, turned);
}

// Lays edge after edge, each bent from the one before.
static void lay_points(const shape *s, const bend_angles bends, double (*points)[3])
{
    double tangent[3], side[3], across[3];
    vec_copy(tangent, s->tangent);
    vec_copy(side, s->side);
    vec_copy(points[0], s->start);
    for (uint32_t j = 0; j + 1 < s->vertex_count; j++) {
        if (j > 0) {
            double turn[3];
            vec_cross(across, tangent, side);
            vec_scale(turn, side, bends[j][0]);
            vec_axpy(turn, bends[j][1], across);
            turn_vector(tangent, turn);
            turn_vector(side, turn);
        }
        vec_copy(points[j + 1], points[j]);
        vec_axpy(points[j + 1], s->length[j], tangent);
    }
}

static void choose_lengths(verify_random *random, shape *s, double total)
{
    const bool is_uneven = random_bool(random);
    double sum = 0;
    for (uint32_t j = 0; j + 1 < s->vertex_count; j++)
        sum += s->length[j] = is_uneven ? random_between(random, 0.5, 2) : 1;
    for (uint32_t j = 0; j + 1 < s->vertex_count; j++)
        s->length[j] *= total / sum;
}

// At every vertex anew.
static void bend_at_random(verify_random *random, shape *s, bend_angles bends, double most)
{
    for (uint32_t i = 1; i + 1 < s->vertex_count; i++)
        for (int c = 0; c < 2; c++)
            bends[i][c] += random_between(random, -most, most);
}

// As a helix or an arc.
static void bend_evenly(verify_random *random, shape *s, bend_angles bends, double most)
{
    const double size = random_between(random, 0.2, 1) * most, phase = random_between(random, 0, two_pi);
    const double rate = random_between(random, -0.3, 0.3); // rad per vertex by which the bend's direction turns
    for (uint32_t i = 1; i + 1 < s->vertex_count; i++) {
        bends[i][0] += size * cos(phase + rate * i);
        bends[i][1] += size * sin(phase + rate * i);
    }
}

static void choose_start(verify_random *random, shape *s, double offset)
{
    random_vector(random, 0.3, s->start);
    s->start[0] += offset;
    random_direction(random, s->tangent);
    vec_normal(s->side, s->tangent);
}

// Turning angles per vertex stay below a quarter turn.
static void choose_bends(verify_random *random, shape *s, bool is_calm, bool is_curled)
{
    const double least_spread = is_calm ? 12.0 / s->vertex_count : 1;
    const double size = least_spread < 1 ? least_spread : 1;
    memset(s->natural, 0, sizeof s->natural);
    if (is_curled && is_calm)
        bend_evenly(random, s, s->natural, 0.3 * size);
    else if (is_curled)
        bend_at_random(random, s, s->natural, 0.35);
    memcpy(s->pose, s->natural, sizeof s->pose);
    if (is_calm)
        bend_evenly(random, s, s->pose, 0.02 * size);
    else
        bend_at_random(random, s, s->pose, 0.35);
}

static void lay_shape(shape *s)
{
    lay_points(s, (const double(*)[2])s->pose, s->points);
    lay_points(s, (const double(*)[2])s->natural, s->natural_points);
}

static double shortest_edge(const shape *s)
{
    double shortest = s->length[0];
    for (uint32_t j = 1; j + 1 < s->vertex_count; j++)
        shortest = fmin(shortest, s->length[j]);
    return shortest;
}

// ---- materials

// What strands are like: hair, grass, steel wire.
static const struct {
    double length, density, radius[2];
} kinds[] = {
    {0.15, 1300, {45e-6, 35e-6}},
    {0.5, 800, {1.0e-3, 0.3e-3}},
    {0.3, 7850, {0.5e-3, 0.5e-3}},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

// Young's modulus that makes (l^2 / r) sqrt(density / young), the explicit step limit of the shortest edge, as long as
// `limit`.
static double young_of_limit(const sheaf_material_def *material, double edge, double limit)
{
    const double radius = fmax(material->radius[0], material->radius[1]), speed = edge * edge / (radius * limit);
    return material->density * speed * speed;
}

static sheaf_material_def choose_material(verify_random *random, const population_options *options, uint32_t kind,
                                          bool is_damped, const shape *s)
{
    sheaf_material_def material = sheaf_material_def_default();
    const double stouter = random_between(random, 0.7, 1.3);
    const bool is_explicit = options->integrator == SHEAF_INTEGRATOR_EXPLICIT;
    material.density = kinds[kind].density;
    material.radius[0] = kinds[kind].radius[0] * stouter;
    material.radius[1] = random_bool(random) ? material.radius[0] : kinds[kind].radius[1] * stouter;
    // stiffer strands would be unstable in explicit steps, and have no digits to compare in implicit ones; softer ones
    // would whip and fold in whole steps
    const double step = is_explicit ? POPULATION_STEP_EXPLICIT : POPULATION_STEP_IMPLICIT;
    const double limit = (is_explicit ? 5 : options->is_calm ? 0.1 : 0.15) * step;
    material.young =
        young_of_limit(&material, shortest_edge(s), limit * random_between(random, 1, options->is_calm ? 2 : 4));
    material.shear = material.young * random_between(random, 0.3, 0.5);
    material.drag = (options->is_calm ? random_between(random, 5, 20) : random_between(random, 0, 10)) *
                    scene_material_section(&material).line_mass;
    if (options->is_gusty)
        material.slip = random_between(random, 0, 1);
    if (is_damped)
        material.damping = random_between(random, 0.1, 1) * step;
    return material;
}

// ---- ends

static sheaf_course sine(verify_random *random, double size)
{
    return (sheaf_course){.kind = SHEAF_COURSE_SINE,
                          .value = random_between(random, -size, size),
                          .duration = random_between(random, 0.4, 0.8)};
}

static void sine3(verify_random *random, double size, sheaf_course out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = sine(random, size);
}

// Loads act in full from the start; what moves has to begin where it is.
static void load3(verify_random *random, double size, sheaf_course out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = (sheaf_course){.kind = SHEAF_COURSE_CONSTANT, .value = random_between(random, -size, size)};
}

// What the ends of one strand may do to it: sizes that bend it, not more.
typedef struct end_sizes {
    double move;    // m
    double turn;    // rad
    double force;   // N
    double couple;  // N m
    double edge[3]; // m, of the end
    bool may_turn;  // by itself; single stages begin with ends that have not, which damping would notice
} end_sizes;

// A rail not far from the direction of the end's edge: across it an edge could not keep its length.
static void choose_rail(verify_random *random, const double edge[3], sheaf_end_def *end)
{
    double aside[3];
    end->slide = true;
    random_direction(random, aside);
    vec_unit(end->slide_axis, edge);
    vec_axpy(end->slide_axis, 0.7, aside);
}

static sheaf_end_def choose_end(verify_random *random, const end_sizes *sizes, int32_t motion, bool may_be_placed,
                                bool may_hold_tangent)
{
    sheaf_end_def end = sheaf_end_free();
    end.hold_position = random_bool(random) && may_be_placed;
    end.hold_tangent = random_bool(random) && may_hold_tangent;
    end.hold_angle = random_bool(random);
    if (end.hold_position && random_below(random, 4) == 0)
        choose_rail(random, sizes->edge, &end);
    else if (end.hold_position || end.hold_tangent)
        end.motion = motion;
    if (end.hold_position)
        sine3(random, sizes->move, end.move);
    if (end.hold_tangent && random_bool(random) && sizes->may_turn) {
        random_direction(random, end.turn_axis);
        end.turn = sine(random, sizes->turn);
    }
    if (end.hold_angle)
        end.twist = sine(random, sizes->turn);
    if (random_bool(random))
        load3(random, sizes->force, end.force);
    if (random_bool(random))
        load3(random, sizes->couple, end.couple);
    return end;
}

// Between two places a strand needs some slack, and a short one has hardly a way to keep its lengths.
static bool has_slack(const shape *s, double length)
{
    double across[3];
    vec_sub(across, s->points[s->vertex_count - 1], s->points[0]);
    return s->vertex_count >= 8 && vec_length(across) < 0.9 * length;
}

static void choose_general_ends(verify_random *random, const sheaf_material_def *material, const shape *s, bool is_calm,
                                int32_t motion, sheaf_hold_def *hold, sheaf_strand_def *strand)
{
    const scene_section section = scene_material_section(material);
    double length = 0;
    for (uint32_t j = 0; j + 1 < s->vertex_count; j++)
        length += s->length[j];
    const double weight = 10 * section.line_mass * length; // N, about
    const double couple =
        fmin(0.3 * fmin(section.bend[0], section.bend[1]) / length, is_calm ? 0.3 * weight * length : INFINITY);
    end_sizes sizes = {.move = 0.02 * length, .turn = 0.3, .force = couple / length, .couple = couple};
    sizes.may_turn = is_calm || material->damping == 0;
    vec_sub(sizes.edge, s->points[1], s->points[0]);
    strand->root = choose_end(random, &sizes, motion, true, true);
    vec_sub(sizes.edge, s->points[s->vertex_count - 1], s->points[s->vertex_count - 2]);
    strand->tip = choose_end(random, &sizes, motion, !strand->root.hold_position || has_slack(s, length),
                             !strand->root.hold_tangent || s->vertex_count >= 5);
    if (s->vertex_count >= 5 && random_below(random, 4) == 0) {
        hold->edge = 1 + random_below(random, s->vertex_count - 3);
        if (random_bool(random))
            hold->twist = sine(random, sizes.turn);
        strand->holds = hold;
        strand->hold_count = 1;
    }
}

// ---- strands

// Strands come in classes of CLASS_SIZE, of all kinds in turn, each of which has kernels of its own.
typedef struct strand_class {
    bool is_general; // any ends; else clamped roots and free tips
    bool is_mixed;   // any numbers of vertices side by side; else all of the class are alike
    bool is_damped;
} strand_class;

static strand_class class_of(const population_options *options, uint32_t index)
{
    const uint32_t k = options->is_plain ? 1 : index / CLASS_SIZE % CLASSES;
    return (strand_class){.is_general = k % 3 == 2, .is_mixed = k % 3 == 1, .is_damped = k >= 3};
}

// What strands that must be alike have in common.
static verify_random traits_of(const population_options *options, const strand_class *class, uint32_t index)
{
    return (verify_random){.seed = options->seed, .stream = 2 * (class->is_mixed ? index : index / CLASS_SIZE)};
}

// A motion about the right point; strands that must be alike share none with others.
static int32_t choose_motion(verify_random *traits, const strand_class *class, uint32_t offset)
{
    const uint32_t half = MOTIONS / OFFSETS / 2, choice = random_below(traits, half);
    return (int32_t)(offset + OFFSETS * (choice + (class->is_mixed ? half : 0)));
}

// Strands that have to take whole steps among colliders lie along them; those few for which there is no place that is
// clear of all others lie far above. They are all carried along: places in the scene 100 m away, which single precision
// rounds to 4 um, would not be those of the reference.
static void lay_along(const sheaf_model *obstacles, verify_random *random, uint32_t offset, shape *s)
{
    enum { TRIES = 100 };
    for (int k = 0; k < TRIES; k++) {
        obstacles_choose_place(obstacles, random, offset, OFFSETS, s->start, s->tangent);
        vec_normal(s->side, s->tangent);
        lay_shape(s);
        if (obstacles_are_clear(obstacles, (const double(*)[3])s->points, s->vertex_count))
            return;
    }
    s->start[2] += 3;
    lay_shape(s);
}

// obstacles: what the strand lies along; NULL: it lies anywhere.
static sheaf_status add_strand(sheaf_scene *scene, const population_options *options, const sheaf_model *obstacles,
                               uint32_t index)
{
    const strand_class class = class_of(options, index);
    verify_random traits = traits_of(options, &class, index);
    verify_random random = {.seed = options->seed, .stream = 2 * index + 1};
    const uint32_t least = class.is_general ? 3 : 5;
    const uint32_t offset = random_below(&traits, OFFSETS), kind = random_below(&random, KINDS);
    const bool is_curled = random_bool(&traits), is_even = !class.is_general && !class.is_mixed;
    const bool is_still = random_below(&traits, 3) == 0 && !is_even && obstacles == NULL;
    const int32_t motion = is_still ? -1 : choose_motion(&traits, &class, offset);
    sheaf_strand_def strand = sheaf_strand_def_default();
    sheaf_hold_def hold = {0};
    shape s = {.vertex_count = least + random_below(&traits, options->vertex_most + 1 - least)};
    choose_lengths(&random, &s, kinds[kind].length * random_between(&random, 0.8, 1.2));
    choose_start(&random, &s, offsets[offset]);
    choose_bends(&random, &s, options->is_calm, is_curled);
    if (obstacles != NULL)
        lay_along(obstacles, &random, offset, &s);
    else
        lay_shape(&s);
    const sheaf_material_def material = choose_material(&random, options, kind, class.is_damped, &s);
    SHEAF_TRY(sheaf_scene_add_material(scene, &material, &strand.material));
    strand.shape = SHEAF_SHAPE_POINTS;
    strand.vertex_count = s.vertex_count;
    strand.points = s.points[0];
    strand.natural = is_curled ? SHEAF_NATURAL_POINTS : SHEAF_NATURAL_STRAIGHT;
    strand.natural_points = s.natural_points[0];
    if (is_curled)
        strand.natural_twist = random_between(&random, -0.2, 0.2) / s.length[0];
    strand.root.motion = motion;
    if (class.is_general)
        choose_general_ends(&random, &material, &s, options->is_calm, motion, &hold, &strand);
    return sheaf_scene_add_strand(scene, &strand);
}

// Strands that take whole steps along colliders.
static bool lies_along(const population_options *options)
{
    return options->has_colliders && options->is_calm;
}

// Motions about a point at each offset; many, so that few strands share one and bundles are uneven. Along colliders
// they are small: roots, which pass through, must not drag strands into them.
static sheaf_status add_motions(sheaf_scene *scene, const population_options *options)
{
    const double size = lies_along(options) ? 0.01 : 1;
    verify_random random = {.seed = options->seed, .stream = UINT32_MAX};
    for (uint32_t k = 0; k < MOTIONS; k++) {
        sheaf_motion_def motion = sheaf_motion_def_default();
        motion.anchor[0] = offsets[k % OFFSETS];
        random_direction(&random, motion.axis);
        motion.turn = sine(&random, 0.2 * size);
        sine3(&random, 0.02 * size, motion.move);
        SHEAF_TRY(sheaf_scene_add_motion(scene, &motion, NULL));
    }
    return SHEAF_OK;
}

static sheaf_scene_def settings(const population_options *options)
{
    sheaf_scene_def def = sheaf_scene_def_default();
    const bool is_explicit = options->integrator == SHEAF_INTEGRATOR_EXPLICIT;
    def.step = is_explicit ? POPULATION_STEP_EXPLICIT : POPULATION_STEP_IMPLICIT;
    def.integrator = options->integrator;
    def.projector = options->projector;
    def.projection_iterations = options->projections;
    def.projection_tolerance = lies_along(options) ? 1e-14 : 2e-5; // the least there is
    vec_set(def.gravity, 0.5, -1.25, -9.75);
    vec_set(def.wind, 0.75, -0.5, 0.25);
    def.gust = options->is_gusty ? 2 : 0;
    def.gust_scale = 0.5;
    def.gust_seed = options->seed;
    return def;
}

static sheaf_status compile_and_free(sheaf_scene *scene, sheaf_status status, sheaf_model **model)
{
    if (status == SHEAF_OK)
        status = sheaf_model_create(scene, model);
    sheaf_scene_free(scene);
    return status;
}

static sheaf_status add_strands(sheaf_scene *scene, const population_options *options)
{
    sheaf_model obstacles = {0};
    sheaf_status status = SHEAF_OK;
    if (options->has_colliders)
        SHEAF_TRY(obstacles_add(scene, options->seed, offsets, OFFSETS));
    if (lies_along(options))
        SHEAF_TRY(obstacles_open(scene, &obstacles));
    for (uint32_t k = 0; k < options->strand_count && status == SHEAF_OK; k++)
        status = add_strand(scene, options, lies_along(options) ? &obstacles : NULL, options->first + k);
    model_free_colliders(&obstacles);
    return status;
}

sheaf_status population_create(const population_options *options, sheaf_model **model)
{
    const sheaf_scene_def def = settings(options);
    sheaf_scene *scene;
    *model = NULL;
    SHEAF_TRY(sheaf_scene_create(&def, &scene));
    sheaf_status status = add_motions(scene, options);
    if (status == SHEAF_OK)
        status = add_strands(scene, options);
    return compile_and_free(scene, status, model);
}

// ---- smooth strands

static void smooth_points(verify_random *random, uint32_t vertex_count, double offset, double (*points)[3])
{
    const double length = 0.2, radius = random_between(random, 0.02, 0.08), turns = random_between(random, 0.3, 2);
    const double phase = random_between(random, 0, two_pi), wave = random_between(random, 0.3, 1);
    const double rise = sqrt(fmax(length * length - two_pi * turns * radius * two_pi * turns * radius, 1e-3));
    double start[3];
    random_direction(random, start);
    vec_scale(start, start, offset);
    for (uint32_t i = 0; i < vertex_count; i++) {
        const double s = (double)i / (vertex_count - 1), angle = phase + two_pi * turns * s;
        const double point[3] = {radius * cos(angle), radius * sin(angle) * (1 + 0.3 * wave * s),
                                 rise * s + 0.1 * wave * radius * sin(two_pi * s)};
        vec_add(points[i], start, point);
    }
}

sheaf_status population_create_smooth(uint32_t vertex_count, double offset, uint32_t strand_count, uint64_t seed,
                                      sheaf_model **model)
{
    const population_options options = {.integrator = SHEAF_INTEGRATOR_EXPLICIT, .projections = 4};
    const sheaf_scene_def def = settings(&options);
    const sheaf_material_def material = sheaf_material_def_default();
    double(*points)[3] = base_alloc(vertex_count, sizeof *points);
    sheaf_scene *scene;
    *model = NULL;
    if (points == NULL)
        return SHEAF_ERR_MEMORY;
    sheaf_status status = sheaf_scene_create(&def, &scene);
    if (status == SHEAF_OK)
        status = sheaf_scene_add_material(scene, &material, NULL);
    for (uint32_t k = 0; k < strand_count && status == SHEAF_OK; k++) {
        verify_random random = {.seed = seed, .stream = k};
        sheaf_strand_def strand = sheaf_strand_def_default();
        smooth_points(&random, vertex_count, offset, points);
        strand.shape = SHEAF_SHAPE_POINTS;
        strand.vertex_count = vertex_count;
        strand.points = points[0];
        strand.natural = SHEAF_NATURAL_STRAIGHT;
        status = sheaf_scene_add_strand(scene, &strand);
    }
    base_free(points);
    return compile_and_free(scene, status, model);
}
