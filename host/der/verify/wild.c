// wild: random scenes through the public interface. A scene has one step, integrator and gravity, and five strands with
// everything else of their own, half a metre apart.
#include "der/verify/wild.h"

#include "der/verify/random.h"

static const double two_pi = 2 * 3.14159265358979323846, apart = 0.5;

// ---- shapes

typedef struct curl {
    double radius, pitch, length; // m
    double along[3], across[3];   // unit vectors
} curl;

static curl choose_curl(verify_random *random, double length)
{
    curl c = {.radius = random_between(random, 0.004, 0.014),
              .pitch = random_between(random, 0.006, 0.036),
              .length = length};
    random_direction(random, c.along);
    vec_normal(c.across, c.along);
    return c;
}

// Vertices at even distances along a helix.
static void lay_curl(const curl *c, uint32_t count, double (*points)[3])
{
    double third[3];
    const double turn = sqrt(two_pi * c->radius * two_pi * c->radius + c->pitch * c->pitch); // m, of one turn
    vec_cross(third, c->along, c->across);
    for (uint32_t i = 0; i < count; i++) {
        const double turns = c->length / turn * i / (count - 1), angle = two_pi * turns;
        vec_scale(points[i], c->along, c->pitch * turns);
        vec_axpy(points[i], c->radius * cos(angle), c->across);
        vec_axpy(points[i], c->radius * sin(angle), third);
    }
}

static double first_edge(const double *points)
{
    double edge[3];
    vec_sub(edge, points + 3, points);
    return vec_length(edge);
}

// All edges of a helix are alike: those of the natural form are made as long as those of the pose.
static void keep_edges(const double *pose, uint32_t count, double (*points)[3])
{
    const double scale = first_edge(pose) / first_edge(points[0]);
    for (uint32_t i = 0; i < count; i++)
        vec_scale(points[i], points[i], scale);
}

static void choose_natural(verify_random *random, double length, uint32_t count, double (*points)[3],
                           sheaf_strand_def *strand)
{
    const curl other = choose_curl(random, length);
    switch (random_below(random, 4)) {
    case 0:
        strand->natural = SHEAF_NATURAL_SHAPE;
        break;
    case 1:
        strand->natural = SHEAF_NATURAL_CURVATURE;
        for (int c = 0; c < 2; c++)
            strand->natural_curvature[c] = random_between(random, -80, 80);
        strand->natural_twist = random_between(random, -30, 30);
        break;
    case 2:
        strand->natural = SHEAF_NATURAL_POINTS;
        lay_curl(&other, count, points);
        keep_edges(strand->points, count, points);
        strand->natural_points = points[0];
        break;
    default:
        strand->natural = SHEAF_NATURAL_STRAIGHT;
    }
}

// ---- materials and ends

// B h^2 / (l^3 m) stays where single precision is in use at all: stiffer strands run in double by themselves.
static sheaf_material_def choose_material(verify_random *random, double edge, double step)
{
    static const double ratio_most = 8e4;
    sheaf_material_def material = sheaf_material_def_default();
    const bool is_flat = random_bool(random);
    const double size = random_between(random, 0.7, 1.3);
    material.density = 1200;
    material.radius[0] = (is_flat ? 0.4e-3 : 0.25e-3) * size;
    material.radius[1] = (is_flat ? 0.15e-3 : 0.25e-3) * size;
    const double stiffest = material.radius[0] * step / (2 * edge * edge); // sqrt(B h^2 / (l^3 m) / (E / rho))
    material.young = fmin(random_between(random, 0.5e9, 3e9), ratio_most * material.density / (stiffest * stiffest));
    material.shear = 0.36 * material.young;
    material.drag = random_bool(random) ? 0 : random_between(random, 0, 1e-3);
    material.damping = random_below(random, 4) == 0 ? random_between(random, 0.05, 1) * step : 0;
    return material;
}

static sheaf_end_def choose_root(verify_random *random)
{
    sheaf_end_def root = sheaf_end_pinned();
    switch (random_below(random, 4)) {
    case 0:
        return sheaf_end_clamped();
    case 1:
        return sheaf_end_free();
    case 2:
        root.hold_angle = true;
        return root;
    default:
        return root;
    }
}

// ---- scenes

static double lowest(const double (*points)[3], uint32_t count)
{
    double low = INFINITY;
    for (uint32_t i = 0; i < count; i++)
        low = fmin(low, points[i][2]);
    return low;
}

// Something whose top lies a little below a strand, beneath one of its vertices.
static sheaf_status add_collider(sheaf_scene *scene, verify_random *random, const double (*points)[3], uint32_t count)
{
    sheaf_collider_def def = sheaf_collider_def_default();
    const uint32_t above = random_below(random, count);
    def.kind = (sheaf_collider_kind)random_below(random, SHEAF_COLLIDER_CYLINDER + 1);
    for (int c = 0; c < 3; c++)
        def.size[c] = random_between(random, 0.02, 0.08);
    vec_set(def.axis, 0, 0, 1);
    if (def.kind == SHEAF_COLLIDER_CAPSULE || def.kind == SHEAF_COLLIDER_CYLINDER)
        vec_set(def.axis, 1, random_between(random, -1, 1), 0);
    vec_copy(def.center, points[above]);
    const double height = def.kind == SHEAF_COLLIDER_PLANE                                         ? 0
                          : def.kind == SHEAF_COLLIDER_BOX || def.kind == SHEAF_COLLIDER_ELLIPSOID ? def.size[2]
                                                                                                   : def.size[0];
    def.center[2] = lowest(points, count) - height - random_between(random, 0.001, 0.01);
    def.friction = random_bool(random) ? 0 : random_between(random, 0.1, 0.6);
    return sheaf_scene_add_collider(scene, &def);
}

static sheaf_status add_strand(sheaf_scene *scene, const wild_options *options, double step, uint32_t k)
{
    verify_random random = {.seed = options->seed, .stream = options->scene * (WILD_STRANDS + 1) + k + 1};
    const uint32_t count = 8 + random_below(&random, WILD_VERTEX_MOST - 7);
    const double length = random_between(&random, 0.05, 0.2);
    double points[WILD_VERTEX_MOST][3] = {{0}}, natural[WILD_VERTEX_MOST][3] = {{0}};
    sheaf_strand_def strand = sheaf_strand_def_default();
    sheaf_hold_def hold = {.edge = count / 2};
    const curl pose = choose_curl(&random, length);
    lay_curl(&pose, count, points);
    for (uint32_t i = 0; i < count; i++)
        points[i][0] += apart * k;
    strand.shape = SHEAF_SHAPE_POINTS;
    strand.vertex_count = count;
    strand.points = points[0];
    choose_natural(&random, length, count, natural, &strand);
    const sheaf_material_def material = choose_material(&random, length / (count - 1), step);
    strand.root = choose_root(&random);
    strand.tip.hold_angle = random_below(&random, 4) == 0;
    strand.holds = &hold;
    strand.hold_count = random_below(&random, 6) == 0;
    SHEAF_TRY(sheaf_scene_add_material(scene, &material, &strand.material));
    SHEAF_TRY(sheaf_scene_add_strand(scene, &strand));
    return options->has_colliders ? add_collider(scene, &random, (const double(*)[3])points, count) : SHEAF_OK;
}

static verify_random of_scene(const wild_options *options)
{
    return (verify_random){.seed = options->seed, .stream = options->scene * (WILD_STRANDS + 1)};
}

sheaf_status wild_create(const wild_options *options, sheaf_model **model)
{
    static const double steps[] = {1.0 / 64, 1.0 / 128, 1.0 / 256, 1.0 / 512};
    verify_random random = of_scene(options);
    sheaf_scene_def def = sheaf_scene_def_default();
    sheaf_scene *scene;
    *model = NULL;
    def.step = steps[options->scene % 4];
    def.integrator = options->scene % 5 == 0 ? SHEAF_INTEGRATOR_EULER : SHEAF_INTEGRATOR_BDF2;
    if (options->is_tight) {
        def.projection_tolerance = 1e-14;
        def.projection_iterations = 32;
    }
    (void)random;
    SHEAF_TRY(sheaf_scene_create(&def, &scene));
    sheaf_status status = SHEAF_OK;
    for (uint32_t k = 0; k < WILD_STRANDS && status == SHEAF_OK; k++)
        status = add_strand(scene, options, def.step, k);
    if (status == SHEAF_OK)
        status = sheaf_model_create(scene, model);
    sheaf_scene_free(scene);
    return status;
}

uint32_t wild_steps_before(const wild_options *options)
{
    verify_random random = of_scene(options);
    const uint32_t shortest = options->has_colliders ? 4u << (options->scene % 4) : 0;
    return shortest + random_below(&random, options->has_colliders ? 2 * shortest : 6);
}
