// rods: random rods for tests.
#include "rods.h"

#include "base/vec.h"

#include <string.h>

#include "unit.h"

static const double pi = 3.14159265358979323846;

double rods_uniform(rods_random *random, double low, double high)
{
    double numbers[4];
    base_uniform4(random->seed, 77, random->next++, numbers);
    return low + (high - low) * (numbers[0] + numbers[1] * 0x1p-32);
}

void rods_direction(rods_random *random, double out[3])
{
    do
        for (int c = 0; c < 3; c++)
            out[c] = rods_uniform(random, -1, 1);
    while (vec_dot(out, out) > 1 || vec_dot(out, out) < 0.01);
    vec_unit(out, out);
}

rods_recipe rods_variant(uint32_t index)
{
    rods_recipe recipe = {.seed = 1000 + index, .sharpness = 0.15 + 0.1 * (index % 6)};
    uint32_t k = index;
    recipe.anisotropic = k % 2, k /= 2;
    recipe.curved = k % 2, k /= 2;
    recipe.uneven = k % 2, k /= 2;
    recipe.inner_held = k % 2, k /= 2;
    if (index >= RODS_OPEN_VARIANTS) {
        recipe.closed = true;
        recipe.vertices = 3 + index % 19;
        return recipe;
    }
    recipe.root = (rods_end)(k % 3), k /= 3;
    recipe.tip = (rods_end)(k % 3), k /= 3;
    recipe.root_tangent_held = k % 2, k /= 2;
    recipe.tip_tangent_held = k % 2;
    const bool one_loaded = (recipe.root == RODS_LOADED) != (recipe.tip == RODS_LOADED);
    if (one_loaded && recipe.root != RODS_HELD && recipe.tip != RODS_HELD)
        recipe.inner_held = true; // something must answer the couple
    recipe.vertices = (recipe.inner_held ? 4 : 3) + index % 21;
    if (recipe.root_tangent_held && recipe.tip_tangent_held && recipe.vertices < 5)
        recipe.vertices = 5; // some vertex must be free to move
    return recipe;
}

static void *zeroed(size_t count, size_t size)
{
    void *memory = base_alloc(count, size);
    assert_non_null(memory);
    return memory;
}

static void allocate_model(sheaf_model *model, uint32_t n)
{
    model->strand_count = 1;
    model->vertex_count = n;
    model->first_vertex = zeroed(2, sizeof *model->first_vertex);
    model->first_vertex[1] = n;
    model->strands = zeroed(1, sizeof *model->strands);
    model->position = zeroed(n, sizeof *model->position);
    model->director = zeroed(n, sizeof *model->director);
    model->rest_length = zeroed(n, sizeof *model->rest_length);
    model->mass = zeroed(n, sizeof *model->mass);
    model->bend = zeroed(n, sizeof *model->bend);
    model->twist = zeroed(n, sizeof *model->twist);
    model->natural_curvature = zeroed(n, sizeof *model->natural_curvature);
    model->natural_twist = zeroed(n, sizeof *model->natural_twist);
    model->radius = zeroed(n, sizeof *model->radius);
}

static void open_curve(const rods_recipe *recipe, rods_random *random, double length, double (*x)[3])
{
    double t[3];
    rods_direction(random, t);
    for (uint32_t i = 1; i < recipe->vertices; i++) {
        double axis[3], other[3];
        vec_copy(x[i], x[i - 1]);
        vec_axpy(x[i], length * (recipe->uneven ? rods_uniform(random, 0.5, 2) : 1), t);
        rods_direction(random, other);
        vec_cross(axis, t, other);
        vec_unit(axis, axis);
        vec_rotate(t, t, axis, recipe->sharpness * rods_uniform(random, -1.7, 1.7));
    }
}

// A circle, shaken: in three dimensions, with edges even to 10 % or not.
static void closed_curve(const rods_recipe *recipe, rods_random *random, double length, double (*x)[3])
{
    const uint32_t n = recipe->vertices;
    const double radius = length * n / (2 * pi), tilt = rods_uniform(random, 0.1, 0.4);
    for (uint32_t i = 0; i < n; i++) {
        const double jitter = recipe->uneven ? rods_uniform(random, -0.3, 0.3) : 0, a = 2 * pi * (i + jitter) / n;
        double shake[3];
        rods_direction(random, shake);
        vec_set(x[i], radius * cos(a), radius * sin(a), radius * tilt * sin(2 * a + 1));
        vec_axpy(x[i], 0.3 * recipe->sharpness * length, shake);
    }
}

static void natural_shape(const rods_recipe *recipe, rods_random *random, sheaf_model *model)
{
    const double curvature = recipe->sharpness * rods_uniform(random, 0.5, 1.5), a = rods_uniform(random, 0, 2 * pi);
    const double twist = rods_uniform(random, -0.5, 0.5);
    for (uint32_t i = 0; i < recipe->vertices && recipe->curved; i++) {
        for (int side = 0; side < 2; side++) {
            model->natural_curvature[i][side][0] = curvature * (cos(a) + rods_uniform(random, -0.3, 0.3));
            model->natural_curvature[i][side][1] = curvature * (sin(a) + rods_uniform(random, -0.3, 0.3));
        }
        model->natural_twist[i] = twist + rods_uniform(random, -0.2, 0.2);
    }
}

// Rest lengths differ from the pose's by up to a tenth, so that no test can mistake one for the other.
static void rest_quantities(const rods_recipe *recipe, rods_random *random, sheaf_model *model)
{
    const uint32_t n = recipe->vertices;
    const double stiffness = pow(10, rods_uniform(random, -8, 3)), ratio = rods_uniform(random, 0.2, 1.5);
    const double flatness = pow(10, rods_uniform(random, -1, 1));
    for (uint32_t i = 0; i < n; i++) {
        double edge[3];
        vec_sub(edge, model->position[(i + 1) % n], model->position[i]);
        model->rest_length[i] = vec_length(edge) * rods_uniform(random, 0.9, 1.1);
        model->mass[i] = model->rest_length[i];
        const double taper = recipe->anisotropic ? rods_uniform(random, 0.8, 1.2) : 1;
        model->bend[i][0] = stiffness * taper;
        model->bend[i][1] = model->bend[i][0] * (recipe->anisotropic ? flatness : 1);
        model->twist[i] = stiffness * ratio * taper;
    }
    natural_shape(recipe, random, model);
}

static void conditions(const rods_recipe *recipe, rods_random *random, model_strand *strand)
{
    strand->closed = recipe->closed;
    strand->closing_twist = recipe->closed ? rods_uniform(random, -3, 3) : 0;
    strand->curled = recipe->curved;
    strand->isotropic_straight = !recipe->anisotropic && !recipe->curved;
    sheaf_end_def *ends = zeroed(2, sizeof *ends);
    ends[0].hold_angle = recipe->root == RODS_HELD;
    ends[1].hold_angle = recipe->tip == RODS_HELD;
    ends[0].hold_tangent = recipe->root_tangent_held;
    ends[1].hold_tangent = recipe->tip_tangent_held;
    ends[0].motion = ends[1].motion = -1;
    strand->root = ends;
    strand->tip = ends + 1;
    if (recipe->inner_held) {
        sheaf_hold_def *hold = zeroed(1, sizeof *hold);
        hold->edge = 1 + (uint32_t)rods_uniform(random, 0, recipe->vertices - 3);
        strand->holds = hold;
        strand->hold_count = 1;
    }
}

static void directors(const rods_recipe *recipe, rods_random *random, sheaf_model *model)
{
    for (uint32_t j = 0; j < recipe->vertices; j++) {
        double tangent[3], normal[3];
        vec_sub(tangent, model->position[(j + 1) % recipe->vertices], model->position[j]);
        vec_unit(tangent, tangent);
        vec_normal(normal, tangent);
        vec_rotate(model->director[j], normal, tangent, rods_uniform(random, -pi, pi));
    }
}

sheaf_state *rods_create(const rods_recipe *recipe)
{
    rods_random random = {.seed = recipe->seed};
    const double length = pow(10, rods_uniform(&random, -3, 1));
    sheaf_model *model = zeroed(1, sizeof *model);
    allocate_model(model, recipe->vertices);
    if (recipe->closed)
        closed_curve(recipe, &random, length, model->position);
    else
        open_curve(recipe, &random, length, model->position);
    rest_quantities(recipe, &random, model);
    conditions(recipe, &random, &model->strands[0]);
    directors(recipe, &random, model);
    sheaf_state *state;
    assert_int_equal(state_create(model, &state), SHEAF_OK);
    return state;
}

static void free_model(sheaf_model *model)
{
    void *const blocks[] = {model->first_vertex,
                            (void *)model->strands[0].holds,
                            (void *)model->strands[0].root,
                            model->strands,
                            model->position,
                            model->director,
                            model->rest_length,
                            model->mass,
                            model->bend,
                            model->twist,
                            model->natural_curvature,
                            model->natural_twist,
                            model->radius,
                            model};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        base_free(blocks[k]);
}

void rods_free(sheaf_state *state)
{
    free_model((sheaf_model *)state->model);
    state_free(state);
}

void rods_open(sheaf_state *state, const rods_recipe *recipe, ref_rod *rod)
{
    rods_random random = {.seed = recipe->seed, .next = 1000000};
    assert_int_equal(rod_open(state, 0, rod), SHEAF_OK);
    const uint32_t last = rod->edge_count - 1;
    const double couple = 0.15 * rods_twist_unit(rod) * rods_uniform(&random, -1, 1);
    const double other = rods_uniform(&random, -1, 1);
    if (recipe->root == RODS_LOADED)
        rod->axial_couple[0] = couple;
    if (recipe->tip == RODS_LOADED)
        rod->axial_couple[last] = recipe->root == RODS_LOADED && !recipe->inner_held ? -couple : couple * other;
    for (uint32_t j = 0; j <= last; j++)
        if (rod->angle_is_held[j]) {
            rod->imposed[j] = rods_uniform(&random, -2, 2);
            rod->theta[j] = rod->held_angle[j] + rod->imposed[j];
        }
}

void rods_set_up(rods_case *it, const rods_recipe *recipe)
{
    it->recipe = *recipe;
    it->state = rods_create(recipe);
    rods_open(it->state, recipe, &it->rod);
    ref_frames(&it->rod);
}

void rods_tear_down(rods_case *it)
{
    rod_close(&it->rod);
    rods_free(it->state);
}

void rods_copy(sheaf_state *to, const sheaf_state *from)
{
    const size_t n = from->model->vertex_count;
    to->time = from->time;
    to->step = from->step;
    to->strands[0] = from->strands[0];
    memcpy(to->position, from->position, n * sizeof *to->position);
    memcpy(to->velocity, from->velocity, n * sizeof *to->velocity);
    memcpy(to->displacement, from->displacement, n * sizeof *to->displacement);
    memcpy(to->last_velocity, from->last_velocity, n * sizeof *to->last_velocity);
    memcpy(to->tension, from->tension, n * sizeof *to->tension);
    memcpy(to->tangent, from->tangent, n * sizeof *to->tangent);
    memcpy(to->bishop, from->bishop, n * sizeof *to->bishop);
    memcpy(to->held, from->held, n * sizeof *to->held);
    memcpy(to->held_angle, from->held_angle, n * sizeof *to->held_angle);
    memcpy(to->closing_angle, from->closing_angle, sizeof *to->closing_angle);
    memcpy(to->theta, from->theta, n * sizeof *to->theta);
}

bool rods_vertex_moves(const ref_rod *rod, uint32_t i)
{
    const uint32_t n = rod->vertex_count;
    return rod->closed || !((rod->tangent_is_held[0] && i < 2) || (rod->tangent_is_held[n - 2] && i + 2 >= n));
}

double rods_twist_unit(const ref_rod *rod)
{
    double unit = 0;
    for (uint32_t i = rod_interior_first(rod); i < rod_interior_end(rod); i++)
        unit = fmax(unit, 2 * rod->twist[i] / rod_voronoi(rod, i));
    return unit;
}

double rods_largest(const double (*vectors)[3], uint32_t n)
{
    double largest = 0;
    for (uint32_t i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            largest = rods_worse(largest, fabs(vectors[i][c]));
    return largest;
}

double rods_total(const double (*vectors)[3], uint32_t n)
{
    double total = 0;
    for (uint32_t i = 0; i < n; i++)
        total += vec_length(vectors[i]);
    return total;
}
