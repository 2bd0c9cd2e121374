// truth_system: what truth solves: inertia, elasticity, loads, lengths and contact at a pose, with the exact
// derivative.
#include "der/ref/truth_system.h"

#include <string.h>

#include "base/vec.h"

// ---- building blocks

void truth_add_entry(truth_system *t, uint32_t row, uint32_t column, double value)
{
    t->matrix[(size_t)column * TRUTH_COLUMN + 2 * TRUTH_BAND + row - column] += value * t->unit[column];
}

// Rows of forces are measured in units of force.
void truth_add_force(truth_system *t, uint32_t vertex, double weight, const double force[3])
{
    for (uint32_t k = t->first[vertex]; k < t->after[vertex]; k++)
        t->residual[t->of_freedom[k]] += weight / t->force * vec_dot(t->freedoms[k].direction, force);
}

void truth_add_column(truth_system *t, uint32_t vertex, uint32_t unknown, double weight, const double force[3])
{
    for (uint32_t k = t->first[vertex]; k < t->after[vertex] && unknown != TRUTH_NONE; k++)
        truth_add_entry(t, t->of_freedom[k], unknown, weight / t->force * vec_dot(t->freedoms[k].direction, force));
}

void truth_add_row(truth_system *t, uint32_t unknown, uint32_t vertex, double weight, const double by[3])
{
    for (uint32_t k = t->first[vertex]; k < t->after[vertex] && unknown != TRUTH_NONE; k++)
        truth_add_entry(t, unknown, t->of_freedom[k], weight * vec_dot(t->freedoms[k].direction, by));
}

void truth_add_block(truth_system *t, uint32_t vertex, uint32_t by, double weight, const double block[3][3])
{
    for (uint32_t k = t->first[by]; k < t->after[by]; k++) {
        const double *from = t->freedoms[k].direction;
        const double felt[3] = {vec_dot(block[0], from), vec_dot(block[1], from), vec_dot(block[2], from)};
        truth_add_column(t, vertex, t->of_freedom[k], weight, felt);
    }
}

// ---- what belongs to one vertex

static double drag_of(const truth_system *t, uint32_t i)
{
    return t->rod->strand->drag * t->rod->mass[i] / t->rod->strand->line_mass;
}

// Mean direction of the edges at a vertex; of the one that is held where one is.
static void direction_at(const truth_system *t, uint32_t i, double out[3])
{
    const uint32_t last = t->rod->edge_count - 1, before = i > 0 ? i - 1 : 0, after = i <= last ? i : last;
    const bool held_before = t->rod->tangent_is_held[before], held_after = t->rod->tangent_is_held[after];
    double first[3], second[3];
    vec_unit(first, t->edges[held_after ? after : before].vector);
    vec_unit(second, t->edges[held_before ? before : after].vector);
    vec_add(out, first, second);
    vec_unit(out, out);
}

// c (1 - slip t t^T) (air - v); how the direction changes with the pose is left out of the matrix.
static void add_drag(truth_system *t, uint32_t i, double weight)
{
    const double drag = drag_of(t, i), slip = t->rod->strand->slip;
    double direction[3], velocity[3], against[3], block[3][3];
    if (drag == 0)
        return;
    direction_at(t, i, direction);
    vec_sub(velocity, t->x[i], t->rod->x[i]);
    vec_scale(velocity, velocity, t->slope);
    if (t->options->bdf2 && t->rod->record->has_history)
        vec_axpy(velocity, -0.5 / t->step, t->rod->displacement[i]);
    vec_sub(against, t->rod->air[i], velocity);
    vec_axpy(against, -slip * vec_dot(against, direction), direction);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            block[r][c] = (r == c) - slip * direction[r] * direction[c];
    truth_add_force(t, i, weight * drag, against);
    truth_add_block(t, i, i, -weight * drag * t->slope, (const double(*)[3])block);
}

static void add_vertex(truth_system *t, uint32_t i)
{
    static const double one[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double inertia = t->inertia * t->rod->mass[i], weight = t->share * t->share;
    double behind[3];
    for (int c = 0; c < 3; c++)
        behind[c] = t->rod->x[i][c] + t->share * (t->target[i][c] - t->rod->x[i][c]) - t->x[i][c];
    truth_add_force(t, i, inertia, behind);
    truth_add_block(t, i, i, -inertia, one);
    truth_add_force(t, i, weight * t->rod->mass[i], t->rod->model->def.gravity);
    if (t->rod->push != NULL)
        truth_add_force(t, i, weight, t->rod->push[i]);
    add_drag(t, i, weight);
}

// ---- elasticity, at the vertex between two edges

static const double sign[2][3] = {{-1, 1, 0}, {0, -1, 1}}; // of three vertices in two edges

// What of a strain's rate by the formula damping answers.
static double damped_part(const truth_system *t, uint32_t i, int a, double strain)
{
    return t->rod->strand->damping * t->slope * (strain - t->strain[i][a]);
}

typedef struct strain_law {
    double stiffness, natural;
} strain_law;

// k (s - natural)^2 / 2 of each strain (T8).
static strain_law law_of(const truth_system *t, uint32_t i, int a)
{
    const ref_rod *rod = t->rod;
    const double span = rod->rest_length[i - 1] + rod->rest_length[i];
    if (a == 4)
        return (strain_law){2 * rod->twist[i] / span, rod->natural_twist[i]};
    return (strain_law){rod_bend(rod, i, i - 1 + (uint32_t)a / 2)[a % 2] / span,
                        rod->natural_curvature[i][a / 2][a % 2]};
}

// Gradient and derivative of what pulls on the vertices (with damping) and on the frames (without).
typedef struct pull {
    double on_vertex[TRUTH_VARIABLES], on_frame[TRUTH_VARIABLES];
    double vertex_by[TRUTH_VARIABLES][TRUTH_VARIABLES], frame_by[TRUTH_VARIABLES][TRUTH_VARIABLES];
} pull;

static void add_strain(const truth_system *t, uint32_t i, int a, const truth_jet *s, pull *sum)
{
    const strain_law own = law_of(t, i, a);
    const double stress = own.stiffness * (s->value - own.natural);
    const double damped = stress + own.stiffness * damped_part(t, i, a, s->value);
    const double stiffer = own.stiffness * (1 + t->rod->strand->damping * t->slope);
    for (int r = 0; r < TRUTH_VARIABLES; r++) {
        sum->on_vertex[r] += damped * s->gradient[r];
        sum->on_frame[r] += stress * s->gradient[r];
        for (int c = 0; c < TRUTH_VARIABLES; c++) {
            sum->vertex_by[r][c] += stiffer * s->gradient[r] * s->gradient[c] + damped * s->hessian[r][c];
            sum->frame_by[r][c] += own.stiffness * s->gradient[r] * s->gradient[c] + stress * s->hessian[r][c];
        }
    }
}

// Frames go along with their edges from the start of the step by one least turn, not from the pose by another one: what
// an edge's change adds to its frame's turn by that.
static void lean(const truth_system *t, uint32_t i, double by[TRUTH_VARIABLES][TRUTH_VARIABLES])
{
    for (uint32_t b = 0; b < 2; b++) {
        const double *from = t->tangent[i - 1 + b], length = vec_length(t->edges[i - 1 + b].vector);
        double tangent[3], turn[3];
        vec_scale(tangent, t->edges[i - 1 + b].vector, 1 / length);
        vec_cross(turn, tangent, from);
        vec_scale(turn, turn, 1 / (length * (1 + vec_dot(from, tangent))));
        for (int r = 0; r < TRUTH_VARIABLES; r++)
            vec_axpy(by[r] + 3 * b, by[r][TRUTH_TURN_BEFORE + b], turn);
    }
}

// Forces are those of moves that take frames along from the pose, wherever the pose is: turning an edge about two axes,
// one after the other, turns its frame by half of what both make, and a couple on the frame does work in that.
static void curl(const truth_system *t, uint32_t i, pull *p)
{
    for (uint32_t b = 0; b < 2; b++) {
        const double *e = t->edges[i - 1 + b].vector, square = vec_dot(e, e);
        const double size = p->on_vertex[TRUTH_TURN_BEFORE + b] / (2 * square * sqrt(square));
        const double cross[3][3] = {{0, -e[2], e[1]}, {e[2], 0, -e[0]}, {-e[1], e[0], 0}};
        for (uint32_t r = 0; r < 3; r++)
            for (uint32_t c = 0; c < 3; c++)
                p->vertex_by[3 * b + r][3 * b + c] += size * cross[r][c];
    }
}

// Part of a derivative by two edges: 3x3 numbers.
static void block_of(const double by[TRUTH_VARIABLES][TRUTH_VARIABLES], int a, int b, double block[3][3])
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            block[r][c] = by[3 * a + r][3 * b + c];
}

static void add_to_vertices(truth_system *t, uint32_t i, const pull *p)
{
    const double weight = t->share * t->share;
    for (int a = 0; a < 2; a++)
        for (uint32_t v = 0; v < 3; v++) {
            const uint32_t vertex = i - 1 + v;
            if (sign[a][v] == 0)
                continue;
            truth_add_force(t, vertex, -weight * sign[a][v], p->on_vertex + 3 * a);
            for (int b = 0; b < 2; b++) {
                double block[3][3], turned[3];
                block_of(p->vertex_by, a, b, block);
                for (uint32_t w = 0; w < 3; w++)
                    if (sign[b][w] != 0)
                        truth_add_block(t, vertex, i - 1 + w, -weight * sign[a][v] * sign[b][w],
                                        (const double(*)[3])block);
                for (int c = 0; c < 3; c++)
                    turned[c] = p->vertex_by[3 * a + c][TRUTH_TURN_BEFORE + b];
                truth_add_column(t, vertex, t->of_turn[i - 1 + (uint32_t)b], -weight * sign[a][v], turned);
            }
        }
}

// Rows of couples are measured in units of force times length.
static void add_to_frames(truth_system *t, uint32_t i, const pull *p)
{
    const double unit = 1 / (t->force * t->length);
    for (uint32_t a = 0; a < 2; a++) {
        const uint32_t row = t->of_turn[i - 1 + a], variable = TRUTH_TURN_BEFORE + a;
        if (row == TRUTH_NONE)
            continue;
        t->residual[row] -= unit * p->on_frame[variable];
        for (uint32_t b = 0; b < 2; b++) {
            for (uint32_t v = 0; v < 3; v++)
                truth_add_row(t, row, i - 1 + v, -unit * sign[b][v], p->frame_by[variable] + 3 * b);
            if (t->of_turn[i - 1 + b] != TRUTH_NONE)
                truth_add_entry(t, row, t->of_turn[i - 1 + b], -unit * p->frame_by[variable][TRUTH_TURN_BEFORE + b]);
        }
    }
}

static void add_elasticity(truth_system *t, uint32_t i)
{
    truth_jet strains[5];
    pull sum = {{0}, {0}, {{0}}, {{0}}};
    truth_strains(&t->edges[i - 1], &t->edges[i], t->twist[i], strains);
    for (int a = 0; a < 5; a++)
        add_strain(t, i, a, &strains[a], &sum);
    lean(t, i, sum.vertex_by);
    lean(t, i, sum.frame_by);
    curl(t, i, &sum);
    add_to_vertices(t, i, &sum);
    add_to_frames(t, i, &sum);
}

// ---- lengths and the loads of ends

// T t, and (|e|^2 - l^2) / 2 l = 0.
static void add_length(truth_system *t, uint32_t j)
{
    const uint32_t row = t->of_tension[j];
    const double *edge = t->edges[j].vector, rest = t->rod->rest_length[j], length = vec_length(edge);
    double unit[3], block[3][3];
    if (row == TRUTH_NONE)
        return;
    const double tension = t->unknown[row];
    vec_scale(unit, edge, 1 / length);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            block[r][c] = tension / length * ((r == c) - unit[r] * unit[c]);
    for (uint32_t a = 0; a < 2; a++) {
        truth_add_force(t, j + a, a ? -tension : tension, unit);
        truth_add_column(t, j + a, row, a ? -1 : 1, unit);
        truth_add_row(t, row, j + a, (a ? 1 : -1) / (rest * t->length), edge);
        for (uint32_t b = 0; b < 2; b++)
            truth_add_block(t, j + a, j + b, a == b ? -1 : 1, (const double(*)[3])block);
    }
    t->residual[row] = (length - rest) * (length + rest) / (2 * rest * t->length);
}

// A force on the end; a couple M as the pair M x e / |e|^2 on its edge and M.t on its frame.
static void add_load(truth_system *t, int tip)
{
    const uint32_t j = tip ? t->rod->edge_count - 1 : 0;
    const double weight = t->share * t->share, *e = t->edges[j].vector, *m = t->couple[tip];
    const double square = vec_dot(e, e), length = sqrt(square), unit = weight / (t->force * t->length);
    const double cross[3][3] = {{0, -m[2], m[1]}, {m[2], 0, -m[0]}, {-m[1], m[0], 0}};
    double pair[3], block[3][3], by[3];
    truth_add_force(t, tip ? j + 1 : 0, weight, t->load[tip]);
    vec_cross(pair, m, e);
    vec_scale(pair, pair, 1 / square);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            block[r][c] = (cross[r][c] - 2 * pair[r] * e[c]) / square;
    for (uint32_t a = 0; a < 2; a++) {
        truth_add_force(t, j + a, a ? weight : -weight, pair);
        for (uint32_t b = 0; b < 2; b++)
            truth_add_block(t, j + a, j + b, a == b ? weight : -weight, (const double(*)[3])block);
    }
    if (t->of_turn[j] == TRUTH_NONE)
        return;
    const double axial = vec_dot(m, e) / length;
    t->residual[t->of_turn[j]] += unit * axial;
    for (int c = 0; c < 3; c++)
        by[c] = (m[c] - e[c] * axial / length) / length;
    truth_add_row(t, t->of_turn[j], j, -unit, by);
    truth_add_row(t, t->of_turn[j], j + 1, unit, by);
}

void truth_assemble(truth_system *t)
{
    memset(t->matrix, 0, (size_t)t->count * TRUTH_COLUMN * sizeof *t->matrix);
    memset(t->residual, 0, t->count * sizeof *t->residual);
    for (uint32_t i = 0; i < t->rod->vertex_count; i++)
        add_vertex(t, i);
    for (uint32_t i = 1; i + 1 < t->rod->vertex_count; i++)
        add_elasticity(t, i);
    for (uint32_t j = 0; j < t->rod->edge_count; j++)
        add_length(t, j);
    add_load(t, 0);
    add_load(t, 1);
    truth_add_contacts(t);
}

// ---- the pose

static void place_edge(truth_system *t, uint32_t j)
{
    double tangent[3], carried[3];
    const uint32_t turn = t->of_turn[j];
    vec_sub(t->edges[j].vector, t->x[j + 1], t->x[j]);
    vec_unit(tangent, t->edges[j].vector);
    vec_transport(carried, t->director[j], t->tangent[j], tangent);
    vec_axpy(carried, -vec_dot(carried, tangent), tangent);
    vec_unit(carried, carried);
    vec_rotate(t->edges[j].director, carried, tangent,
               turn == TRUTH_NONE ? t->share * t->held_turn[j] : t->unknown[turn]);
}

// Angle from the frame before, carried along, to the frame after, nearest to the last one.
static double measure_twist(const truth_system *t, uint32_t i)
{
    const double whole = 2 * 3.14159265358979323846;
    double before[3], after[3], carried[3];
    vec_unit(before, t->edges[i - 1].vector);
    vec_unit(after, t->edges[i].vector);
    vec_transport(carried, t->edges[i - 1].director, before, after);
    const double angle = vec_angle(carried, t->edges[i].director, after);
    return angle + whole * round((t->last_twist[i] - angle) / whole);
}

void truth_pose(truth_system *t, double share)
{
    t->share = share;
    for (uint32_t i = 0; i < t->rod->vertex_count; i++) {
        for (int c = 0; c < 3; c++)
            t->x[i][c] = t->rod->x[i][c] + share * (t->end[i][c] - t->rod->x[i][c]);
        for (uint32_t k = t->first[i]; k < t->after[i]; k++)
            vec_axpy(t->x[i], t->unknown[t->of_freedom[k]], t->freedoms[k].direction);
    }
    for (uint32_t j = 0; j < t->rod->edge_count; j++)
        place_edge(t, j);
    for (uint32_t i = 1; i + 1 < t->rod->vertex_count; i++)
        t->twist[i] = measure_twist(t, i);
}
