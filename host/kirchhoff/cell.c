// cell: the equations of a Kirchhoff rod at nodes, in cells and at ends, with their derivatives.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "kirchhoff/rod.h"

static const double PI = 3.14159265358979323846;

// Adds a 3x3 block to a derivative.
static void add_block(double slope[UNKNOWNS][UNKNOWNS], int row, int column, double factor, const double block[3][3])
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            slope[row + r][column + c] += factor * block[r][c];
}

// The matrix of a cross product: skew(a) b = a x b.
static void skew(const double a[3], double out[3][3])
{
    const double rows[3][3] = {{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}};
    memcpy(out, rows, sizeof rows);
}

// Adds factor (a x b), a = Y[at_a ..], b = Y[at_b ..], to the source's rows and its derivative.
static void add_cross(node_terms *out, const double y[UNKNOWNS], int row, double factor, int at_a, int at_b)
{
    double product[3], of_a[3][3], of_b[3][3];
    vec_cross(product, y + at_a, y + at_b);
    skew(y + at_a, of_b);
    skew(y + at_b, of_a);
    vec_axpy(out->source + row, factor, product);
    add_block(out->slope, row, at_b, factor, (const double(*)[3])of_b);
    add_block(out->slope, row, at_a, -factor, (const double(*)[3])of_a);
}

// dv/ds = omega x r - kappa x v
static void add_inextensibility(const double y[UNKNOWNS], node_terms *out)
{
    const double *omega = y + OMEGA;
    out->source[0] += omega[1]; // omega x r, r = (0, 0, 1)
    out->source[1] -= omega[0];
    out->slope[0][OMEGA + 1] += 1;
    out->slope[1][OMEGA] -= 1;
    add_cross(out, y, 0, -1, KAPPA, V);
}

// I domega/dt = dq/ds - omega x I omega + kappa x q - f x r
static void add_turning(const kirchhoff_def *def, const double y[UNKNOWNS], const double q[3], node_terms *out)
{
    const double *omega = y + OMEGA, *kappa = y + KAPPA, *f = y + F;
    double momentum[3], product[3], of_omega[3][3], of_momentum[3][3], of_kappa[3][3], of_q[3][3];
    vec_set(momentum, def->inertia[0] * omega[0], def->inertia[1] * omega[1], def->inertia[2] * omega[2]);
    vec_cross(product, omega, momentum);
    vec_axpy(out->source + 6, 1, product);
    skew(omega, of_omega);
    skew(momentum, of_momentum);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            out->slope[6 + r][OMEGA + c] += of_omega[r][c] * def->inertia[c] - of_momentum[r][c];
    vec_cross(product, kappa, q);
    vec_axpy(out->source + 6, -1, product);
    skew(kappa, of_kappa);
    skew(q, of_q);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            double through_law = 0;
            for (int k = 0; k < 3; k++)
                through_law += of_kappa[r][k] * out->stiffness[k][c];
            out->slope[6 + r][KAPPA + c] += of_q[r][c] - through_law;
        }
    out->source[6] += f[1]; // f x r
    out->source[7] -= f[0];
    out->slope[6][F + 1] += 1;
    out->slope[7][F] -= 1;
}

// Morison's drag, N/m: -(density diameter / 2)(C_n |v_n| v_n + pi C_t |v_t| v_t), v_n across the rod and v_t along it.
// The source has forces with the other sign.
static void add_drag(const kirchhoff_def *def, const double y[UNKNOWNS], node_terms *out)
{
    const double half = def->fluid_density * def->diameter / 2;
    const double across = half * def->drag_normal, along = half * PI * def->drag_tangential;
    const double *v = y + V, speed = hypot(v[0], v[1]);
    for (int r = 0; r < 2; r++) {
        out->source[9 + r] += across * speed * v[r];
        out->slope[9 + r][V + r] += across * speed;
        for (int c = 0; c < 2; c++)
            out->slope[9 + r][V + c] += speed > 0 ? across * v[r] * v[c] / speed : 0;
    }
    out->source[11] += along * fabs(v[2]) * v[2];
    out->slope[11][V + 2] += 2 * along * fabs(v[2]);
}

void kirchhoff_node_terms(const kirchhoff_def *def, double s, const double y[UNKNOWNS], node_terms *out)
{
    double strain[3], q[3];
    memset(out, 0, sizeof *out);
    vec_sub(strain, y + KAPPA, def->curvature);
    def->law(strain, s, q, out->stiffness, def->law_user);
    memcpy(out->flux, y, sizeof out->flux);
    vec_copy(out->flux + KAPPA, q);
    add_inextensibility(y, out);
    add_cross(out, y, 3, -1, KAPPA, OMEGA);
    add_turning(def, y, q, out);
    add_cross(out, y, 9, def->line_mass, OMEGA, V);
    add_cross(out, y, 9, -1, KAPPA, F);
    if (def->fluid_density > 0)
        add_drag(def, y, out);
}

void kirchhoff_balance(const kirchhoff_rod *rod, uint32_t cell, double out[UNKNOWNS])
{
    const node_terms *a = &rod->terms[cell], *b = &rod->terms[cell + 1];
    for (int k = 0; k < UNKNOWNS; k++)
        out[k] = (a->source[k] + b->source[k]) / 2 - (b->flux[k] - a->flux[k]) / rod->cell;
}

// Where the rate of Y that a row has stands in Y, and its factor; rows 0 to 2 have none.
static double rate_factor(const kirchhoff_def *def, int row, int *column)
{
    static const int columns[4] = {V, KAPPA, OMEGA, V};
    *column = columns[row / 3] + row % 3;
    return row < 3 ? 0 : (row < 6 ? 1 : (row < 9 ? def->inertia[row - 6] : def->line_mass));
}

// weight (F_Y / 2 - sign dS/dY / ds) of one node, sign +1 for the node after the cell.
static void set_derivative(const node_terms *node, double weight, double sign_per_length,
                           double out[UNKNOWNS][UNKNOWNS])
{
    for (int r = 0; r < UNKNOWNS; r++)
        for (int c = 0; c < UNKNOWNS; c++)
            out[r][c] = weight * node->slope[r][c] / 2;
    for (int k = 0; k < UNKNOWNS; k++)
        if (k < KAPPA || k >= F)
            out[k][k] -= weight * sign_per_length;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            out[KAPPA + r][KAPPA + c] -= weight * sign_per_length * node->stiffness[r][c];
}

void kirchhoff_cell_rows(const kirchhoff_rod *rod, uint32_t cell, const time_weights *weights, cell_rows *out)
{
    const double now = 1 - weights->beta, per_length = 1 / rod->cell;
    const double per_step = (1 - weights->alpha) / (weights->gamma * weights->step);
    const double old_rate = weights->alpha - (1 - weights->alpha) * (1 - weights->gamma) / weights->gamma;
    set_derivative(&rod->terms[cell], now, -per_length, out->before);
    set_derivative(&rod->terms[cell + 1], now, per_length, out->after);
    kirchhoff_balance(rod, cell, out->residual);
    for (int row = 0; row < UNKNOWNS; row++) {
        int at;
        const double factor = rate_factor(&rod->def, row, &at) / 2;
        out->residual[row] = now * out->residual[row] + weights->beta * rod->balance[cell][row];
        for (uint32_t j = cell; j <= cell + 1; j++)
            out->residual[row] +=
                factor * (per_step * (rod->next[j][at] - rod->y[j][at]) + old_rate * rod->rate[j][at]);
        out->before[row][at] += factor * per_step;
        out->after[row][at] += factor * per_step;
    }
}

void kirchhoff_end_rows(const kirchhoff_rod *rod, bool at_tip, double time, end_rows *out)
{
    const kirchhoff_end *end = at_tip ? &rod->def.tip : &rod->def.root;
    const uint32_t node = at_tip ? rod->def.cells : 0;
    const double *flux = rod->terms[node].flux;
    const double sign = at_tip ? 1 : -1; // a load on the root acts against what the rod does there
    double first[3] = {0, 0, 0}, second[3] = {0, 0, 0};
    if (end->course != NULL)
        end->course(time, first, second, end->user);
    memset(out, 0, sizeof *out);
    for (int k = 0; k < 3; k++) {
        out->residual[k] = end->is_free ? flux[F + k] - sign * first[k] : flux[V + k] - first[k];
        out->residual[3 + k] = end->is_free ? flux[KAPPA + k] - sign * second[k] : flux[OMEGA + k] - second[k];
        out->matrix[k][(end->is_free ? F : V) + k] = 1;
        for (int c = 0; c < 3; c++)
            out->matrix[3 + k][(end->is_free ? KAPPA : OMEGA) + c] =
                end->is_free ? rod->terms[node].stiffness[k][c] : (c == k ? 1 : 0);
    }
}
