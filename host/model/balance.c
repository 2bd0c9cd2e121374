// balance: strands that start at rest under gravity ("sag-free").
//
// A strand that is clamped at its root can move by turning everything from vertex k on as a whole, for every inner k,
// and in no other way. Such a turn by phi changes the five strains s_a at vertex k alone (material curvatures on the
// edges before and after, and the twist) by D_a . phi, and the energy by sum_a k_a (s_a - sbar_a) D_a . phi. Gravity
// does the work M_k . phi, M_k = sum_{i>k} (x_i - x_k) x F_i. Both are equal for every phi when
//     s_a - sbar_a = D_a . y,   (sum_a k_a D_a D_a^T) y = M_k,
// which is the way to bear M_k with the least energy. One sweep from the tip to the root does it.
#include "model/balance.h"

#include "base/vec.h"

#include <string.h>

enum { STRAINS = 5 };

// Two edges that meet at a vertex, with their frames.
typedef struct joint {
    double tangent[2][3], director[2][3]; // edge before, edge after
    double stiffness[STRAINS];            // k_a: B / lb four times, 2 beta / lb
    double natural[STRAINS];              // sbar_a
} joint;

// ---- what can be balanced

static bool course_is_zero(const sheaf_course *course)
{
    return course->kind != SHEAF_COURSE_KEYS && course->value == 0;
}

static bool is_loaded(const sheaf_end_def *end)
{
    for (int c = 0; c < 3; c++)
        if (!course_is_zero(&end->force[c]) || !course_is_zero(&end->couple[c]))
            return true;
    return false;
}

const char *balance_obstacle(const sheaf_strand_def *def)
{
    const sheaf_end_def *root = &def->root, *tip = &def->tip;
    if (scene_is_closed(def))
        return "it is closed";
    if (!root->hold_position || !root->hold_tangent || !root->hold_angle || root->slide)
        return "its root is not clamped";
    if (tip->hold_position || tip->hold_tangent || tip->hold_angle)
        return "its tip is held";
    return is_loaded(tip) ? "its tip is loaded" : NULL;
}

bool balance_is_wanted(const sheaf_model *model, uint32_t strand)
{
    return model->groups[model->strands[strand].group].strand.natural == SHEAF_NATURAL_SAG_FREE;
}

bool balance_is_wanted_anywhere(const sheaf_model *model)
{
    for (uint32_t k = 0; k < model->group_count; k++)
        if (model->groups[k].strand.natural == SHEAF_NATURAL_SAG_FREE)
            return true;
    return false;
}

// ---- strains of a joint

// Change of the curvature binormal kb = 2 t0 x t1 / (1 + t0.t1) when edge 1 turns about `axis`.
static void turn_binormal(const joint *at, const double kb[3], const double axis[3], double out[3])
{
    const double *t0 = at->tangent[0], *t1 = at->tangent[1];
    const double fold = 1 + vec_dot(t0, t1);
    double turned[3];
    vec_cross(turned, axis, t1);
    vec_cross(out, t0, turned);
    vec_scale(out, out, 2 / fold);
    vec_axpy(out, -vec_dot(t0, turned) / fold, kb);
}

// Strains, and their derivatives by a turn of edge 1 with its frame.
static void measure_joint(const joint *at, double strain[STRAINS], double derivative[STRAINS][3])
{
    const double *t0 = at->tangent[0], *t1 = at->tangent[1], fold = 1 + vec_dot(t0, t1);
    const double turn = 2 * 3.14159265358979323846;
    double kb[3], normal[2][3], carried[3];
    vec_cross(kb, t0, t1);
    vec_scale(kb, kb, 2 / fold);
    for (int side = 0; side < 2; side++) {
        vec_cross(normal[side], at->tangent[side], at->director[side]);
        strain[2 * side] = vec_dot(kb, normal[side]);
        strain[2 * side + 1] = -vec_dot(kb, at->director[side]);
    }
    for (int c = 0; c < 3; c++) {
        double axis[3] = {0, 0, 0}, change[3], turned[3];
        axis[c] = 1;
        turn_binormal(at, kb, axis, change);
        for (int side = 0; side < 2; side++) {
            derivative[2 * side][c] = vec_dot(change, normal[side]);
            derivative[2 * side + 1][c] = -vec_dot(change, at->director[side]);
        }
        vec_cross(turned, axis, normal[1]);
        derivative[2][c] += vec_dot(kb, turned);
        vec_cross(turned, axis, at->director[1]);
        derivative[3][c] -= vec_dot(kb, turned);
        derivative[4][c] = (t0[c] + t1[c]) / fold;
    }
    vec_transport(carried, at->director[0], t0, t1);
    strain[4] = vec_angle(carried, at->director[1], t1);
    strain[4] += turn * rint((at->natural[4] - strain[4]) / turn);
}

// Derivative of the joint's energy by a turn of edge 1.
static void joint_moment(const joint *at, double out[3])
{
    double strain[STRAINS], derivative[STRAINS][3];
    measure_joint(at, strain, derivative);
    memset(out, 0, 3 * sizeof *out);
    for (int a = 0; a < STRAINS; a++)
        vec_axpy(out, at->stiffness[a] * (strain[a] - at->natural[a]), derivative[a]);
}

static void edge_frame(const sheaf_model *model, uint64_t j, double tangent[3], double director[3])
{
    double edge[3];
    vec_sub(edge, model->position[j + 1], model->position[j]);
    vec_unit(tangent, edge);
    vec_copy(director, model->director[j]);
}

// The joint at vertex k of an open strand.
static joint joint_at(const sheaf_model *model, uint64_t first, uint32_t k)
{
    joint at;
    const uint64_t i = first + k;
    const double voronoi = model->rest_length[i - 1] + model->rest_length[i];
    for (int side = 0; side < 2; side++) {
        const uint64_t j = side == 0 ? i - 1 : i;
        edge_frame(model, j, at.tangent[side], at.director[side]);
        for (int c = 0; c < 2; c++) {
            at.stiffness[2 * side + c] = model_bend_at(model, i, j)[c] / voronoi;
            at.natural[2 * side + c] = model->natural_curvature[i][side][c];
        }
    }
    at.stiffness[4] = 2 * model->twist[i] / voronoi;
    at.natural[4] = model->natural_twist[i];
    return at;
}

// ---- small symmetric matrices

// Cholesky factor (lower triangle) of a symmetric matrix; false when it is not positive, by more than rounding.
static bool factor(const double matrix[3][3], double lower[3][3])
{
    const double least = 1e-10 * (fabs(matrix[0][0]) + fabs(matrix[1][1]) + fabs(matrix[2][2]));
    for (int r = 0; r < 3; r++)
        for (int c = 0; c <= r; c++) {
            double sum = matrix[r][c];
            for (int k = 0; k < c; k++)
                sum -= lower[r][k] * lower[c][k];
            if (r == c && !(sum > least))
                return false;
            lower[r][c] = r == c ? sqrt(sum) : sum / lower[c][c];
        }
    return true;
}

static void solve(const double lower[3][3], double x[3])
{
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < r; k++)
            x[r] -= lower[r][k] * x[k];
        x[r] /= lower[r][r];
    }
    for (int r = 2; r >= 0; r--) {
        for (int k = r + 1; k < 3; k++)
            x[r] -= lower[k][r] * x[k];
        x[r] /= lower[r][r];
    }
}

// ---- balance

// Lets the joint bear a moment; sbar stays where no strain could.
static void balance_joint(const joint *at, const double moment[3], double natural[STRAINS])
{
    double strain[STRAINS], derivative[STRAINS][3], matrix[3][3] = {{0}}, lower[3][3] = {{0}}, y[3];
    measure_joint(at, strain, derivative);
    for (int a = 0; a < STRAINS; a++)
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                matrix[r][c] += at->stiffness[a] * derivative[a][r] * derivative[a][c];
    vec_copy(y, moment);
    if (factor((const double(*)[3])matrix, lower))
        solve((const double(*)[3])lower, y);
    else
        memset(y, 0, sizeof y);
    for (int a = 0; a < STRAINS; a++)
        natural[a] = strain[a] - vec_dot(derivative[a], y);
}

void balance_strand(sheaf_model *model, uint64_t first, const polyline *pose)
{
    double load[3] = {0, 0, 0}, moment[3] = {0, 0, 0}; // beyond vertex k: N, and N m about it
    for (uint32_t k = pose->vertex_count - 2; k >= 1; k--) {
        const uint64_t i = first + k;
        const joint at = joint_at(model, first, k);
        double arm[3], turning[3], natural[STRAINS];
        vec_axpy(load, model->mass[i + 1], model->def.gravity);
        vec_sub(arm, model->position[i + 1], model->position[i]);
        vec_cross(turning, arm, load);
        vec_add(moment, moment, turning);
        balance_joint(&at, moment, natural);
        for (int a = 0; a < 4; a++)
            model->natural_curvature[i][a / 2][a % 2] = natural[a];
        model->natural_twist[i] = natural[4];
    }
}

// ---- stability

// Turns edge 1 of a joint about an axis of the basis.
static joint turned_joint(const joint *at, int axis_number, double angle)
{
    joint turned = *at;
    double axis[3] = {0, 0, 0};
    axis[axis_number] = 1;
    vec_rotate(turned.tangent[1], at->tangent[1], axis, angle);
    vec_rotate(turned.director[1], at->director[1], axis, angle);
    return turned;
}

// The symmetric part of the derivative of the joint's moment by a turn of edge 1, and the moment itself.
static void joint_stiffness(const joint *at, double matrix[3][3], double moment[3])
{
    const double angle = 1e-5;
    double columns[3][3];
    joint_moment(at, moment);
    for (int c = 0; c < 3; c++) {
        const joint ahead = turned_joint(at, c, angle), behind = turned_joint(at, c, -angle);
        double more[3], less[3];
        joint_moment(&ahead, more);
        joint_moment(&behind, less);
        for (int r = 0; r < 3; r++)
            columns[c][r] = (more[r] - less[r]) / (2 * angle);
    }
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            matrix[r][c] = (columns[c][r] + columns[r][c]) / 2;
}

// Second derivative of the potential -load . edge by a turn of the edge: (S.e) 1 - (S e^T + e S^T) / 2.
static void add_load(double matrix[3][3], const double load[3], const double edge[3])
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            matrix[r][c] += (r == c ? vec_dot(load, edge) : 0) - (load[r] * edge[c] + edge[r] * load[c]) / 2;
}

// Takes what edge k's neighbour before gains by moving along, coupling^T diagonal^-1 coupling, off its matrix. The
// coupling of both edges of a joint is -A + [moment]x / 2: the energy does not change when they turn together.
static void eliminate(const double stiffness[3][3], const double moment[3], const double lower[3][3],
                      double diagonal[3][3])
{
    const double cross[3][3] = {
        {0, -moment[2], moment[1]}, {moment[2], 0, -moment[0]}, {-moment[1], moment[0], 0}}; // cross v = moment x v
    double coupling[3][3];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            coupling[r][c] = -stiffness[r][c] + cross[r][c] / 2;
    for (int c = 0; c < 3; c++) {
        double x[3] = {coupling[0][c], coupling[1][c], coupling[2][c]};
        solve(lower, x);
        for (int r = 0; r < 3; r++)
            diagonal[r][c] -= coupling[0][r] * x[0] + coupling[1][r] * x[1] + coupling[2][r] * x[2];
    }
}

bool balance_is_stable(const sheaf_model *model, uint32_t strand, double (*matrices)[3][3])
{
    const uint64_t first = model->first_vertex[strand];
    const uint32_t edges = model_vertex_count(model, strand) - 1;
    double load[3] = {0, 0, 0}, lower[3][3] = {{0}};
    for (uint32_t j = edges - 1; j >= 1; j--) { // what gravity does to every free edge
        double edge[3];
        vec_axpy(load, model->mass[first + j + 1], model->def.gravity);
        vec_sub(edge, model->position[first + j + 1], model->position[first + j]);
        memset(matrices[j], 0, sizeof matrices[j]);
        add_load(matrices[j], load, edge);
    }
    for (uint32_t j = 1; j < edges; j++) { // edge j: the joints at its two ends, then elimination
        double stiffness[3][3], moment[3];
        const joint at = joint_at(model, first, j);
        joint_stiffness(&at, stiffness, moment);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                matrices[j][r][c] += stiffness[r][c];
        if (j > 1)
            eliminate((const double(*)[3])stiffness, moment, (const double(*)[3])lower, matrices[j]);
        if (j + 1 < edges) {
            const joint next = joint_at(model, first, j + 1);
            joint_stiffness(&next, stiffness, moment);
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++)
                    matrices[j][r][c] += stiffness[r][c];
        }
        if (!factor((const double(*)[3])matrices[j], lower))
            return false;
    }
    return true;
}
