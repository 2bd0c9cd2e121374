// test_bodies: rigid bodies alone, the system over them, and strands condensed onto them.
#include "base/vec.h"
#include "couple/bodies.h"
#include "der/ref/welded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "world/world.h"

static const double pi = 3.14159265358979323846;

static void must(sheaf_status status)
{
    if (status != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
}

static sheaf_model *make_model(const char *text)
{
    sheaf_scene *scene;
    sheaf_model *model;
    must(sheaf_scene_parse(text, strlen(text), "scene", &scene));
    must(sheaf_model_create(scene, &model));
    sheaf_scene_free(scene);
    return model;
}

static sheaf_solver *open_reference(const sheaf_model *model, uint32_t threads)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_solver *solver;
    def.backend = SHEAF_BACKEND_REFERENCE;
    def.threads = threads;
    must(sheaf_solver_open(model, &def, &solver));
    return solver;
}

#define WIRE                                                                                                           \
    "materials: { wire: { bend: 2e-3 N*m^2, twist: 1.5e-3 N*m^2, line_mass: 1e-3 kg/m } }\n"                           \
    "gravity: [0, 0, 0]\n"

// ---- a body alone

static void a_free_body_tumbles(void **fixture)
{
    (void)fixture;
    sheaf_model *model =
        make_model("sheaf: 1\ntime: { step: 1/120 s }\n" WIRE
                   "bodies: { bar: { mass: 1 kg, inertia: [2 kg*m^2, 3 kg*m^2, 4.5 kg*m^2], spin: [1 rad/s, 11.9 "
                   "rad/s, 1 rad/s] } }\n"
                   "strands: [{ shape: { straight: { length: 1 m, vertices: 3 } } }]\n");
    for (int fine = 0; fine < 2; fine++) {
        couple_bodies bodies;
        const double step = fine ? 1e-3 : 1. / 120;
        must(couple_open(model, step, &bodies));
        double start[3], change[3];
        vec_copy(start, bodies.states[0].momentum);
        const double energy = rigid_kinetic(&model->bodies[0], &bodies.states[0]);
        for (int n = 0; n < (int)round(10 / step); n++)
            must(couple_step(&bodies, NULL, NULL));
        vec_sub(change, bodies.states[0].momentum, start);
        const double kept = rigid_kinetic(&model->bodies[0], &bodies.states[0]) / energy;
        printf("  step %.4f s: energy %.5f of the start, angular momentum off by %.1e\n", step, kept,
               vec_length(change) / vec_length(start));
        assert_true(fabs(kept - 1) < (fine ? 1e-4 : 0.01));
        assert_true(vec_length(change) < 1e-9 * vec_length(start));
        couple_close(&bodies);
    }
    sheaf_model_free(model);
}

// ---- the system over bodies

static double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 - 0.5;
}

// Solves n equations by elimination with pivots; `a` is [n][n].
static void solve_dense(double *a, double *b, int n)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int r = k + 1; r < n; r++)
            best = fabs(a[r * n + k]) > fabs(a[best * n + k]) ? r : best;
        for (int c = 0; c < n; c++) {
            const double swap = a[k * n + c];
            a[k * n + c] = a[best * n + c];
            a[best * n + c] = swap;
        }
        const double swap = b[k];
        b[k] = b[best];
        b[best] = swap;
        for (int r = 0; r < n; r++) {
            const double share = r == k ? 0 : a[r * n + k] / a[k * n + k];
            for (int c = k; c < n && share != 0; c++)
                a[r * n + c] -= share * a[k * n + c];
            b[r] -= share * b[k];
        }
    }
    for (int k = 0; k < n; k++)
        b[k] /= a[k * n + k];
}

// A loop of five hubs with a chord, against a dense solve.
static void hubs_are_solved(void **fixture)
{
    (void)fixture;
    enum { HUBS = 5, ALL = 6 * HUBS };
    static const uint32_t pairs[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {1, 3}, {3, 1}};
    static double dense[ALL * ALL], right[ALL];
    hub_system hubs;
    uint64_t seed = 7;
    must(hubs_open(HUBS, pairs, 7, &hubs));
    hubs_clear(&hubs);
    memset(dense, 0, sizeof dense);
    for (uint32_t k = 0; k < HUBS + 6; k++) {
        const uint32_t a = k < HUBS ? k : pairs[k - HUBS][0], b = k < HUBS ? k : pairs[k - HUBS][1];
        double block[6][6];
        for (int r = 0; r < 6; r++)
            for (int c = 0; c < 6; c++)
                block[r][c] = a == b ? (r == c) * 12.0 : draw(&seed);
        hubs_add(&hubs, a, b, block);
        for (uint32_t r = 0; r < 6; r++)
            for (uint32_t c = 0; c < 6; c++) {
                dense[(6 * a + r) * ALL + 6 * b + c] += block[r][c];
                if (a != b)
                    dense[(6 * b + c) * ALL + 6 * a + r] += block[r][c];
            }
    }
    for (uint32_t k = 0; k < ALL; k++)
        right[k] = hubs_right(&hubs, k / 6)[k % 6] = draw(&seed);
    solve_dense(dense, right, ALL);
    hubs_solve(&hubs);
    for (uint32_t k = 0; k < ALL; k++)
        assert_true(fabs(hubs_solution(&hubs, k / 6)[k % 6] - right[k]) < 1e-14);
    assert_int_equal(hubs.lifted, 0);
    hubs_close(&hubs);
}

// ---- condensing against the assembled system

typedef struct assembled {
    const sheaf_model *model;
    couple_bodies bodies;
    welded_strand *strands;
    double worst, move; // m and rad: difference of the two solutions, and their size
} assembled;

static sheaf_status begin_all(void *user, double time, const rigid_state *bodies)
{
    assembled *a = user;
    for (uint32_t k = 0; k < a->bodies.strand_count; k++)
        welded_begin(&a->strands[k], time, a->bodies.step, bodies);
    return SHEAF_OK;
}

static double full_entry(const double *matrix, uint32_t row, uint32_t column)
{
    const uint32_t high = row > column ? row : column, low = row > column ? column : row;
    return high - low > 11 ? 0 : matrix[(size_t)low * 12 + high - low];
}

// Unknowns of all strands and bodies in one matrix: strands first, 4 per vertex, then 6 per body. The strand's own
// matrix is made anew from its factor: L L^T.
static void band_of_factor(const welded_strand *w, double *band)
{
    for (uint32_t c = 0; c < w->unknowns; c++)
        for (uint32_t r = c; r < w->unknowns && r - c <= 11; r++) {
            double sum = 0;
            for (uint32_t k = r > 11 ? r - 11 : 0; k <= c; k++)
                sum += w->matrix[(size_t)k * 12 + r - k] * w->matrix[(size_t)k * 12 + c - k];
            band[(size_t)c * 12 + r - c] = sum;
        }
}

// Columns of a joint's displacements by those of its body.
static void joint_rows(const assembled *a, const model_joint *joint, double rows[7][6])
{
    const rigid_state *body = &a->bodies.states[joint->body];
    double arm[2][3] = {{0}}, edge[3];
    memset(rows, 0, 42 * sizeof(double));
    for (uint32_t i = 0; i < joint->vertex_count; i++) {
        model_body_to_space(body->axes, joint->arm[i], arm[i]);
        for (int axis = 0; axis < 3; axis++) {
            const double turn[3] = {axis == 0, axis == 1, axis == 2};
            double moved[3];
            vec_cross(moved, turn, arm[i]);
            for (int c = 0; c < 3; c++)
                rows[4 * i + (uint32_t)c][3 + axis] = moved[c];
            rows[4 * i + (uint32_t)axis][axis] = 1;
        }
    }
    vec_sub(edge, arm[1], arm[0]);
    if (joint->vertex_count == 2)
        vec_unit(rows[3] + 3, edge);
}

// Keeps S without the lever's share of the matrix, so that both systems are the same: arms turn, which the assembled
// one leaves out.
static sheaf_status linearise_all(void *user, const rigid_state *bodies, uint32_t iteration, couple_strand *strands)
{
    assembled *a = user;
    for (uint32_t k = 0; k < a->bodies.strand_count; k++) {
        memset(strands[k].right, 0, strands[k].size * sizeof(double));
        must(welded_linearise(&a->strands[k], bodies, iteration == 0, &strands[k]));
    }
    return SHEAF_OK;
}

static sheaf_status accept_all(void *user, const rigid_state *bodies, uint32_t iteration, couple_strand *strands)
{
    assembled *a = user;
    (void)iteration;
    for (uint32_t k = 0; k < a->bodies.strand_count; k++)
        strands[k].settled = welded_accept(&a->strands[k], bodies, &strands[k]);
    return SHEAF_OK;
}

static sheaf_status end_all(void *user, const rigid_state *bodies)
{
    assembled *a = user;
    for (uint32_t k = 0; k < a->bodies.strand_count; k++)
        must(welded_end(&a->strands[k], bodies));
    return SHEAF_OK;
}

// The right side of free unknowns before the solve, from its solution: H x.
static void right_of_answer(const welded_strand *w, const double *band, double *right)
{
    const double *x = w->answer + (size_t)w->columns * w->unknowns;
    for (uint32_t r = 0; r < w->unknowns; r++) {
        right[r] = 0;
        for (uint32_t c = r > 11 ? r - 11 : 0; c < w->unknowns && c <= r + 11; c++)
            right[r] += full_entry(band, r, c) * x[c];
    }
}

// Both systems: everything in one matrix, and bodies alone with strands condensed.
typedef struct systems {
    uint32_t all, bodies_first, bodies_size, first[16]; // unknowns; of strands
    double *matrix, *right;                             // [all][all], [all]
    double *system, *small;                             // [bodies_size][bodies_size], [bodies_size]
} systems;

static void open_systems(const assembled *a, systems *s)
{
    *s = (systems){.bodies_size = 6 * a->model->body_count};
    for (uint32_t k = 0; k < a->bodies.strand_count; k++) {
        s->first[k] = s->all;
        s->all += a->strands[k].unknowns;
    }
    s->bodies_first = s->all;
    s->all += s->bodies_size;
    s->matrix = calloc((size_t)s->all * s->all, sizeof(double));
    s->right = calloc(s->all, sizeof(double));
    s->system = calloc((size_t)s->bodies_size * s->bodies_size, sizeof(double));
    s->small = calloc(s->bodies_size, sizeof(double));
}

static void add_body(const assembled *a, uint32_t k, systems *s)
{
    const rigid_step *moving = &a->bodies.moving[k];
    double own[6], block[6][6];
    rigid_residual(moving, own, block);
    for (uint32_t r = 0; r < 6; r++) {
        s->right[s->bodies_first + 6 * k + r] = s->small[6 * k + r] = moving->is_free ? own[r] : 0;
        for (uint32_t c = 0; c < 6; c++) {
            const double value = moving->is_free ? block[r][c] : r == c;
            s->matrix[(size_t)(s->bodies_first + 6 * k + r) * s->all + s->bodies_first + 6 * k + c] += value;
            s->system[(size_t)(6 * k + r) * s->bodies_size + 6 * k + c] += value;
        }
    }
}

// Which body each displacement of a strand's joints belongs to, and how it follows from the body's.
typedef struct joint_map {
    uint32_t owner[28];
    double row[28][6];
} joint_map;

static void map_joints(const assembled *a, const couple_strand *strand, joint_map *map)
{
    for (uint32_t j = 0; j < strand->joint_count; j++) {
        const model_joint *joint = &a->model->joints[strand->first_joint + j];
        double rows[7][6];
        joint_rows(a, joint, rows);
        for (uint32_t r = 0; r < couple_size(joint); r++) {
            const uint32_t place = couple_offset(&a->bodies, strand, j) + r;
            map->owner[place] = joint->body;
            for (int d = 0; d < 6; d++)
                map->row[place][d] = a->bodies.moving[joint->body].is_free ? rows[r][d] : 0;
        }
    }
}

// Displacement q of a strand's joints, seen as d of its body.
static void add_column(const assembled *a, uint32_t k, const joint_map *map, uint32_t q, uint32_t d, systems *s)
{
    const welded_strand *w = &a->strands[k];
    const couple_strand *strand = &a->bodies.strands[k];
    const uint32_t small = 6 * map->owner[q] + d, place = s->bodies_first + small;
    double pull = strand->right[q]; // condensed: b_s - C^T H^-1 b_f
    s->small[small] += map->row[q][d] * pull;
    for (uint32_t r = 0; r < w->unknowns; r++) {
        const double border = w->border[(size_t)q * w->unknowns + r], value = border * map->row[q][d];
        s->matrix[(size_t)(s->first[k] + r) * s->all + place] += value;
        s->matrix[(size_t)place * s->all + s->first[k] + r] += value;
        pull += border * w->answer[(size_t)w->columns * w->unknowns + r];
    }
    s->right[place] += map->row[q][d] * pull;
    for (uint32_t p = 0; p < w->columns; p++)
        for (uint32_t e = 0; e < 6; e++) {
            const uint32_t other = 6 * map->owner[p] + e;
            const double both = map->row[q][d] * map->row[p][e];
            s->matrix[(size_t)place * s->all + s->bodies_first + other] += both * w->corner[(size_t)q * w->columns + p];
            s->system[(size_t)small * s->bodies_size + other] += both * strand->matrix[(size_t)q * strand->size + p];
        }
}

static void add_whole_strand(const assembled *a, uint32_t k, systems *s)
{
    const welded_strand *w = &a->strands[k];
    double *band = calloc((size_t)w->unknowns * 12, sizeof *band), *own = calloc(w->unknowns, sizeof *own);
    joint_map map;
    band_of_factor(w, band);
    right_of_answer(w, band, own);
    map_joints(a, &a->bodies.strands[k], &map);
    for (uint32_t r = 0; r < w->unknowns; r++) {
        s->right[s->first[k] + r] = own[r];
        for (uint32_t c = 0; c < w->unknowns; c++)
            s->matrix[(size_t)(s->first[k] + r) * s->all + s->first[k] + c] = full_entry(band, r, c);
    }
    for (uint32_t q = 0; q < w->columns; q++)
        for (uint32_t d = 0; d < 6; d++)
            add_column(a, k, &map, q, d, s);
    free(band);
    free(own);
}

// One linearised iteration, solved both ways, from a pose in which strands are bent and bodies off their places.
static void compare_once(assembled *a)
{
    systems s;
    open_systems(a, &s);
    must(linearise_all(a, a->bodies.states, 0, a->bodies.strands));
    for (uint32_t k = 0; k < a->model->body_count; k++)
        add_body(a, k, &s);
    for (uint32_t k = 0; k < a->bodies.strand_count; k++)
        add_whole_strand(a, k, &s);
    solve_dense(s.matrix, s.right, (int)s.all);
    solve_dense(s.system, s.small, (int)s.bodies_size);
    for (uint32_t k = 0; k < s.bodies_size; k++) {
        a->worst = fmax(a->worst, fabs(s.small[k] - s.right[s.bodies_first + k]));
        a->move = fmax(a->move, fabs(s.right[s.bodies_first + k]));
    }
    free(s.matrix);
    free(s.right);
    free(s.system);
    free(s.small);
}

static void condensing_is_exact(void **fixture)
{
    (void)fixture;
#define BODY(at, extra) "{ at: " at ", mass: 20 g, inertia: [2e-5 kg*m^2, 3e-5 kg*m^2, 4e-5 kg*m^2]" extra " }"
#define ROD(origin, along, ends)                                                                                       \
    "  - { shape: { straight: { origin: " origin ", direction: " along ", length: 0.3 m, vertices: 9 } }, " ends " }"  \
    "\n"
    static const char *const scenes[] = {
        "sheaf: 1\n" WIRE "bodies:\n  a: " BODY("[0, 0, 0]", ", spin: [1 rad/s, 2 rad/s, 0]") "\n  b: " BODY(
            "[0.3 m, 0, 0]", ", velocity: [0, 0, 1 m/s]") "\nstrands:\n" ROD("[0, 0, 0]", "x",
                                                                             "root: { clamp: a }, tip: { clamp: b }")
            ROD("[0.3 m, 0, 0]", "y", "root: { clamp: b }, tip: free"),
        "sheaf: 1\n" WIRE "bodies:\n  a: " BODY("[0, 0, 0]", ", fixed: true") "\n  b: " BODY(
            "[0.3 m, 0, 0]",
            ", velocity: [0, 1 m/s, 1 "
            "m/s]") "\n  c: " BODY("[0.6 m, 0, 0]",
                                   "") "\n  d: " BODY("[0.3 m, 0.3 m, 0]",
                                                      "") "\nstrands:\n" ROD("[0, 0, 0]", "x",
                                                                             "root: { clamp: a }, tip: { clamp: b }")
            ROD("[0.3 m, 0, 0]", "x", "root: { clamp: b }, tip: { pin: c }")
                ROD("[0.3 m, 0, 0]", "y", "root: { clamp: b }, tip: { clamp: d }"),
        "sheaf: 1\n" WIRE "bodies:\n  a: " BODY("[0, 0, 0]", ", spin: [0, 0, 3 rad/s]") "\n  b: " BODY(
            "[0.3 m, 0, 0]", "") "\n  c: " BODY("[0.3 m, 0.3 m, 0]",
                                                "") "\nstrands:\n" ROD("[0, 0, 0]", "x",
                                                                       "root: { clamp: a }, tip: { "
                                                                       "clamp: b }")
            ROD("[0.3 m, 0, 0]", "y", "root: { clamp: b }, tip: { clamp: c }")
                ROD("[0.3 m, 0.3 m, 0]", "[-1, -1, 0]",
                    "root: { clamp: c }, tip: { clamp: a }, welds: [{ edge: 4, "
                    "body: b }]"),
    };
    for (int which = 0; which < 3; which++) {
        sheaf_model *model = make_model(scenes[which]);
        sheaf_state *state;
        assembled a = {.model = model};
        must(state_create(model, &state));
        must(couple_open(model, 2e-3, &a.bodies));
        a.strands = calloc(a.bodies.strand_count, sizeof *a.strands);
        for (uint32_t k = 0; k < a.bodies.strand_count; k++) {
            must(welded_open(state, a.bodies.strands[k].strand, &a.strands[k]));
            must(ref_start(&a.strands[k].rod, 0));
        }
        const couple_verbs verbs = {begin_all, linearise_all, accept_all, end_all};
        for (int n = 0; n < 20; n++)
            must(couple_step(&a.bodies, &verbs, &a));
        for (uint32_t k = 0; k < model->body_count; k++)
            rigid_open(model, k, 21 * 2e-3, 2e-3, &a.bodies.states[k], &a.bodies.moving[k]);
        must(begin_all(&a, 21 * 2e-3, a.bodies.states));
        compare_once(&a);
        printf("  scene %d: moves %.1e, condensed and assembled differ by %.1e\n", which, a.move, a.worst);
        assert_true(a.move > 1e-9);
        assert_true(a.worst < 1e-12 * fmax(a.move, 1e-3));
        for (uint32_t k = 0; k < a.bodies.strand_count; k++)
            welded_close(&a.strands[k]);
        free(a.strands);
        couple_close(&a.bodies);
        state_free(state);
        sheaf_model_free(model);
    }
}

// ---- motions

// Momentum and angular momentum of bodies and free vertices.
static void momenta(const sheaf_model *model, sheaf_solver *solver, double linear[3], double angular[3])
{
    double(*x)[3] = calloc(model->vertex_count, sizeof *x), (*v)[3] = calloc(model->vertex_count, sizeof *v);
    sheaf_body_pose poses[8];
    must(sheaf_solver_read_positions(solver, x, model->vertex_count));
    must(sheaf_solver_read_velocities(solver, v, model->vertex_count));
    must(sheaf_solver_read_bodies(solver, poses, 8));
    vec_set(linear, 0, 0, 0);
    vec_set(angular, 0, 0, 0);
    for (uint64_t i = 0; i < model->vertex_count; i++) {
        double moment[3];
        vec_axpy(linear, model->mass[i], v[i]);
        vec_cross(moment, x[i], v[i]);
        vec_axpy(angular, model->mass[i], moment);
    }
    for (uint32_t k = 0; k < model->body_count; k++) { // isotropic, at their own centre: L = I w
        const sheaf_body_def *def = &model->bodies[k].def;
        double moment[3];
        vec_axpy(linear, def->mass, poses[k].velocity);
        vec_cross(moment, poses[k].position, poses[k].velocity);
        vec_axpy(angular, def->mass, moment);
        vec_axpy(angular, def->inertia[0], poses[k].spin);
    }
    free(x);
    free(v);
}

// Two bodies on a bent rod, free in space: nothing acts from outside, so a torque of the wrong sign would show at once.
static void a_free_assembly_keeps_its_momenta(void **fixture)
{
    (void)fixture;
    sheaf_model *model = make_model(
        "sheaf: 1\ntime: { step: 1 ms }\n" WIRE
        "bodies:\n  a: { at: [0, 0, 0], mass: 20 g, inertia: [2e-5 kg*m^2, 2e-5 kg*m^2, 2e-5 kg*m^2], spin: [4 rad/s, "
        "0, 2 rad/s] }\n  b: { at: [0.3 m, 0, 0], mass: 30 g, inertia: [4e-5 kg*m^2, 4e-5 kg*m^2, 4e-5 kg*m^2], "
        "velocity: [0, 0.3 m/s, 0.2 m/s] }\nstrands: [{ shape: { straight: { direction: x, length: 0.3 m, vertices: 12 "
        "} }, root: { clamp: a }, tip: { clamp: b } }]\n");
    sheaf_solver *solver = open_reference(model, 1);
    double before[2][3], after[2][3], size[2];
    must(sheaf_solver_step(solver, 1)); // vertices on bodies get their velocities
    momenta(model, solver, before[0], before[1]);
    must(sheaf_solver_step(solver, 500));
    momenta(model, solver, after[0], after[1]);
    for (int k = 0; k < 2; k++) {
        size[k] = vec_length(before[k]);
        vec_sub(after[k], after[k], before[k]);
    }
    printf("  momentum off by %.1e, angular momentum by %.1e\n", vec_length(after[0]) / size[0],
           vec_length(after[1]) / size[1]);
    assert_true(vec_length(after[0]) < 1e-5 * size[0]); // lengths are restored with bodies where they are
    assert_true(vec_length(after[1]) < 1e-4 * size[1]);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

#define TRANSDUCER                                                                                                     \
    "materials: { wire: { bend: 2e-3 N*m^2, twist: 1.5e-3 N*m^2, line_mass: 1e-4 kg/m } }\ngravity: [0, 0, 0]\n"       \
    "bodies:\n  a: { at: [0, 0, 0], mass: 0.2 kg, inertia: [2e-4 kg*m^2, 2e-4 kg*m^2, 2e-4 kg*m^2], spin: [0.55 "      \
    "rad/s, 0, 0] }\n  b: { at: [1 m, 0, 0], mass: 2 kg, inertia: [2e-3 kg*m^2, 2e-3 kg*m^2, 2e-3 kg*m^2], spin: "     \
    "[-0.055 rad/s, 0, 0] }\nstrands: [{ shape: { straight: { direction: x, length: 1 m, vertices: 20 } }, root: { "   \
    "clamp: a }, tip: { clamp: b } }]\n"

// Two bodies that a wire twists to and fro: the period is known, and BDF2 has it longer by (omega h)^2 / 3.
static void a_transducer_has_its_period(void **fixture)
{
    (void)fixture;
    static const char *const steps[] = {"1/120 s", "4 ms"};
    for (int which = 0; which < 2; which++) {
        char text[1024];
        snprintf(text, sizeof text, "sheaf: 1\ntime: { step: %s }\n%s", steps[which], TRANSDUCER);
        sheaf_model *model = make_model(text);
        sheaf_solver *solver = open_reference(model, 1);
        const double omega = sqrt(1.5e-3 * (1 / 2e-4 + 1 / 2e-3)), exact = 2 * pi / omega, h = model->def.step;
        double last = 1, first = 0, end = 0;
        int count = 0;
        sheaf_report start, report;
        must(sheaf_solver_report(solver, &start));
        for (int n = 1; n * h < 5.3 * exact; n++) {
            sheaf_body_pose poses[2];
            must(sheaf_solver_step(solver, 1));
            must(sheaf_solver_read_bodies(solver, poses, 2));
            if (last > 0 && poses[0].spin[0] <= 0) {
                end = (n - 1 + last / (last - poses[0].spin[0])) * h;
                first = count++ == 0 ? end : first;
            }
            last = poses[0].spin[0];
        }
        must(sheaf_solver_report(solver, &report));
        const double off = (end - first) / (count - 1) / exact - 1, expected = omega * h * omega * h / 3;
        const double energy = (report.kinetic + report.twisting + report.bending) / start.kinetic;
        printf("  step %s: period off by %.4f %%, by BDF2's phase error %.4f %%; energy %.5f\n", steps[which],
               100 * off, 100 * expected, energy);
        assert_true(count >= 5);
        assert_true(fabs(off - expected) < 0.2 * expected);
        assert_true(energy > 0.995 && energy < 1.0005);
        sheaf_solver_close(solver);
        sheaf_model_free(model);
    }
}

// 100 g on a thread: the period of a pendulum whose bob does not turn against the thread.
static void a_ball_on_a_thread_swings(void **fixture)
{
    (void)fixture;
    sheaf_model *model = make_model(
        "sheaf: 1\ntime: { step: 2 ms }\nmaterials: { thread: { bend: 1e-9 N*m^2, twist: 1e-9 N*m^2, line_mass: 1e-5 "
        "kg/m } }\nbodies: { bob: { at: [0, 0, -0.5 m], mass: 100 g, inertia: [1e-9 kg*m^2, 1e-9 kg*m^2, 1e-9 kg*m^2], "
        "velocity: [0.11 m/s, 0, 0] } }\nstrands: [{ shape: { straight: { length: 0.5 m, vertices: 12 } }, root: pin, "
        "tip: { pin: bob } }]\n");
    sheaf_solver *solver = open_reference(model, 1);
    double last = 1, crossing[4];
    int count = 0;
    sheaf_report report;
    for (int n = 1; n < 2000 && count < 3; n++) {
        sheaf_body_pose bob;
        must(sheaf_solver_step(solver, 1));
        must(sheaf_solver_read_bodies(solver, &bob, 1));
        if (n > 1 && last * bob.position[0] < 0)
            crossing[count++] = (n - bob.position[0] / (bob.position[0] - last)) * 2e-3;
        last = bob.position[0];
    }
    must(sheaf_solver_report(solver, &report));
    const double exact = 2 * pi * sqrt(0.5 / 9.81) * (1 + pow(0.11 / sqrt(9.81 * 0.5), 2) / 16);
    assert_int_equal(count, 3);
    printf("  period %.5f s, of a simple pendulum %.5f s; strain %.1e\n", crossing[2] - crossing[0], exact,
           report.worst_strain);
    assert_true(fabs((crossing[2] - crossing[0]) / exact - 1) < 1e-3);
    assert_true(report.worst_strain < 1e-6);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

// A weight on a spring hands its energy from bouncing to twisting and back.
static void wilberforce_exchanges_energy(void **fixture)
{
    (void)fixture;
    enum { SAMPLES = 80, EVERY = 25 };
    static double rows[SAMPLES][3];
    sheaf_model *model = make_model(
        "sheaf: 1\ntime: { step: 4 ms }\nmaterials: { steel: { young: 200 GPa, shear: 77 GPa, density: 7850 kg/m^3, "
        "radius: 0.4 mm } }\nbodies: { weight: { at: [15 mm, 0, -40 mm], mass: 250 g, inertia: [6e-5 kg*m^2, 6e-5 "
        "kg*m^2, 6.63e-5 kg*m^2] } }\nstrands: [{ shape: { helix: { origin: [15 mm, 0, 0], direction: -z, radius: 15 "
        "mm, pitch: 4 mm, length: 0.943 m, vertices: 161 } }, root: clamp, tip: { clamp: weight } }]\n");
    sheaf_solver *solver = open_reference(model, 1);
    double most[2] = {0, 0}, least = INFINITY;
    for (int n = 0; n < SAMPLES; n++) {
        sheaf_body_pose weight;
        must(sheaf_solver_step(solver, EVERY));
        must(sheaf_solver_read_bodies(solver, &weight, 1));
        rows[n][0] = weight.velocity[2];
        rows[n][1] = weight.spin[2];
        most[0] = fmax(most[0], 0.125 * rows[n][0] * rows[n][0]);
        most[1] = fmax(most[1], 3.315e-5 * rows[n][1] * rows[n][1]);
    }
    for (int n = 0; n + 8 < SAMPLES; n++) { // within 0.8 s, a swing, the energy of bouncing shows
        double here = 0;
        for (int k = 0; k < 8; k++)
            here = fmax(here, 0.125 * rows[n + k][0] * rows[n + k][0]);
        least = fmin(least, here);
    }
    printf("  %.3f J bouncing at most, %.4f J at least, %.3f J twisting\n", most[0], least, most[1]);
    assert_true(least < 0.02 * most[0] && most[1] > 0.95 * most[0]);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

// What follows a checkpoint is what would have followed without it, whatever the number of threads.
static void a_restart_gives_the_same_bits(void **fixture)
{
    (void)fixture;
    enum { BODIES = 2 };
    sheaf_model *model = make_model("sheaf: 1\ntime: { step: 1/120 s }\n" TRANSDUCER);
    sheaf_solver *straight = open_reference(model, 1), *saved = open_reference(model, 2),
                 *restored = open_reference(model, 2);
    sheaf_body_pose poses[2][BODIES];
    memset(poses, 0, sizeof poses);
    must(sheaf_solver_step(straight, 60));
    must(sheaf_solver_step(saved, 25));
    must(sheaf_solver_save(saved, "test_bodies.h5"));
    must(sheaf_solver_load(restored, "test_bodies.h5"));
    must(sheaf_solver_step(restored, 35));
    must(sheaf_solver_read_bodies(straight, poses[0], BODIES));
    must(sheaf_solver_read_bodies(restored, poses[1], BODIES));
    assert_memory_equal(poses[0], poses[1], sizeof poses[0]);
    assert_true(poses[0][0].rotation[1] != 0);
    remove("test_bodies.h5");
    sheaf_solver_close(straight);
    sheaf_solver_close(saved);
    sheaf_solver_close(restored);
    sheaf_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_body_tumbles),          cmocka_unit_test(hubs_are_solved),
        cmocka_unit_test(condensing_is_exact),          cmocka_unit_test(a_free_assembly_keeps_its_momenta),
        cmocka_unit_test(a_transducer_has_its_period),  cmocka_unit_test(a_ball_on_a_thread_swings),
        cmocka_unit_test(wilberforce_exchanges_energy), cmocka_unit_test(a_restart_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
