// balance: strands that start at rest under gravity ("sag-free").
//
// A strand that is clamped at its root can move by turning everything from vertex k on as a whole, for every inner k,
// and in no other way. Such a turn by phi changes the five strains s_a at vertex k alone (material curvatures on the
// edges before and after, and the twist) by D_a . phi, and the energy by sum_a k_a (s_a - sbar_a) D_a . phi. Gravity
// does the work M_k . phi, M_k = sum_{i>k} (x_i - x_k) x F_i. Both are equal for every phi when
//     s_a - sbar_a = D_a . y,   (sum_a k_a D_a D_a^T) y = M_k,
// which is the way to bear M_k with the least energy. One sweep from the tip to the root does it.
//
// A strand at rest may fall all the same. With all k_a f times as large, y is 1/f of what it was: forces and all terms
// of second order stay, only sum k D D^T grows. So its stability hangs on one number, and there is a least f that
// holds.
#include "strand/balance.h"

#include "base/vec.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

enum { STRAINS = 5 };

// Two edges that meet at a vertex, with their frames.
typedef struct joint {
    double tangent[2][3], director[2][3]; // edge before, edge after
    double stiffness[STRAINS];            // k_a: B / lb four times, 2 beta / lb
    double natural[STRAINS];              // sbar_a
    const law *of;                        // NULL: linear
    double place, voronoi;                // m, from the root; of both edges
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
    at.of = NULL;
    at.voronoi = voronoi;
    at.place = 0;
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

bool balance_solve(const double matrix[3][3], double x[3])
{
    double lower[3][3] = {{0}};
    if (!factor(matrix, lower))
        return false;
    solve((const double(*)[3])lower, x);
    return true;
}

// ---- balance

// sum_a k_a D_a D_a^T.
static void sum_outer(const joint *at, const double derivative[STRAINS][3], double matrix[3][3])
{
    memset(matrix, 0, 9 * sizeof **matrix);
    for (int a = 0; a < STRAINS; a++)
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                matrix[r][c] += at->stiffness[a] * derivative[a][r] * derivative[a][c];
}

static void joint_own(const joint *at, double matrix[3][3])
{
    double strain[STRAINS], derivative[STRAINS][3];
    measure_joint(at, strain, derivative);
    sum_outer(at, (const double(*)[3])derivative, matrix);
}

// Lets the joint bear a moment; sbar stays where no strain could. False: the law has none.
static bool balance_joint(const joint *at, const double moment[3], double natural[STRAINS])
{
    bool borne = true;
    double strain[STRAINS], derivative[STRAINS][3], matrix[3][3], lower[3][3] = {{0}}, y[3];
    measure_joint(at, strain, derivative);
    sum_outer(at, (const double(*)[3])derivative, matrix);
    vec_copy(y, moment);
    if (factor((const double(*)[3])matrix, lower))
        solve((const double(*)[3])lower, y);
    else
        memset(y, 0, sizeof y);
    if (at->of != NULL) {
        const double v = at->voronoi, *k = at->stiffness, twist = k[4] * v / 2;
        const balance_joint_law by = {at->of,
                                      at->place,
                                      v,
                                      {{k[1] * v, k[0] * v, twist}, {k[3] * v, k[2] * v, twist}},
                                      (const double(*)[3])derivative};
        borne = balance_by_law(&by, moment, y);
    }
    for (int a = 0; a < STRAINS; a++)
        natural[a] = strain[a] - vec_dot(derivative[a], y);
    return borne;
}

bool balance_strand(sheaf_model *model, uint32_t index, const polyline *pose)
{
    const uint64_t first = model->first_vertex[index];
    const model_strand *strand = &model->strands[index];
    bool borne = true;
    double place = -strand->overhang * model->rest_length[first]; // of the vertex
    for (uint32_t j = 0; j + 1 < pose->edge_count; j++)
        place += model->rest_length[first + j];
    double load[3] = {0, 0, 0}, moment[3] = {0, 0, 0}; // beyond vertex k: N, and N m about it
    for (uint32_t k = pose->vertex_count - 2; k >= 1; k--) {
        const uint64_t i = first + k;
        joint at = joint_at(model, first, k);
        double arm[3], turning[3], natural[STRAINS];
        at.of = strand->law;
        at.place = place;
        place -= model->rest_length[i - 1];
        vec_axpy(load, model->mass[i + 1], model->def.gravity);
        vec_sub(arm, model->position[i + 1], model->position[i]);
        vec_cross(turning, arm, load);
        vec_add(moment, moment, turning);
        borne = balance_joint(&at, moment, natural) && borne;
        for (int a = 0; a < 4; a++)
            model->natural_curvature[i][a / 2][a % 2] = natural[a];
        model->natural_twist[i] = natural[4];
    }
    return borne;
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
static void set_load(double matrix[3][3], const double load[3], const double edge[3])
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            matrix[r][c] = (r == c ? vec_dot(load, edge) : 0) - (load[r] * edge[c] + edge[r] * load[c]) / 2;
}

static void assemble(const sheaf_model *model, uint64_t first, uint32_t edges, balance_block *blocks)
{
    double load[3] = {0, 0, 0};
    for (uint32_t j = edges - 1; j >= 1; j--) {
        balance_block *block = &blocks[j];
        const joint at = joint_at(model, first, j);
        double edge[3];
        vec_axpy(load, model->mass[first + j + 1], model->def.gravity);
        vec_sub(edge, model->position[first + j + 1], model->position[first + j]);
        set_load(block->load, load, edge);
        joint_own(&at, block->own);
        joint_stiffness(&at, block->moved, block->moment);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                block->moved[r][c] -= block->own[r][c];
    }
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

static void joint_matrix(const balance_block *block, double factor, double out[3][3])
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            out[r][c] = factor * block->own[r][c] + block->moved[r][c];
}

static void add_matrix(double sum[3][3], const double matrix[3][3])
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            sum[r][c] += matrix[r][c];
}

// Whether the second derivative is positive with all stiffnesses `factor` times as large: the pivots of its block
// elimination, from the root to the tip, are (its inertia).
static bool is_positive(const balance_block *blocks, uint32_t edges, double stiffer)
{
    double lower[3][3] = {{0}}, here[3][3], next[3][3];
    joint_matrix(&blocks[1], stiffer, here);
    for (uint32_t j = 1; j < edges; j++) { // edge j: the joints at its two ends, then elimination
        double diagonal[3][3];
        memcpy(diagonal, blocks[j].load, sizeof diagonal);
        add_matrix(diagonal, (const double(*)[3])here);
        if (j > 1)
            eliminate((const double(*)[3])here, blocks[j].moment, (const double(*)[3])lower, diagonal);
        if (j + 1 < edges) {
            joint_matrix(&blocks[j + 1], stiffer, next);
            add_matrix(diagonal, (const double(*)[3])next);
        }
        if (!factor((const double(*)[3])diagonal, lower))
            return false;
        memcpy(here, next, sizeof here);
    }
    return true;
}

bool balance_is_stable(const sheaf_model *model, uint32_t strand, balance_block *blocks)
{
    const uint32_t edges = model_vertex_count(model, strand) - 1;
    assemble(model, model->first_vertex[strand], edges, blocks);
    return is_positive(blocks, edges, 1);
}

// ---- the least stiffening that holds

enum { HALVINGS = 10, DOUBLINGS = 20 };

// The least factor on all stiffnesses that makes the strand stable, to 0.1 %, or `low` where that is stable; infinite:
// none that could be found. There is only one: what grows with the factor is positive.
static double least_factor(const balance_block *blocks, uint32_t edges, double low)
{
    double high = low;
    for (int k = 0; !is_positive(blocks, edges, high); k++) {
        if (k == DOUBLINGS)
            return INFINITY;
        low = high;
        high *= 2;
    }
    for (int k = 0; k < HALVINGS && low < high; k++) {
        const double middle = (low + high) / 2;
        if (is_positive(blocks, edges, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

static void scale_stiffness(sheaf_model *model, uint64_t first, uint32_t edges, double factor)
{
    for (uint64_t i = first; i < first + edges; i++) {
        for (int c = 0; c < 2; c++) {
            model->bend[i][c] *= factor;
            if (model->vertex_bend != NULL)
                model->vertex_bend[i][c] *= factor;
        }
        model->twist[i] *= factor;
    }
}

void balance_stiffen(sheaf_model *model, uint32_t strand, const polyline *pose, balance_block *blocks)
{
    model_strand *record = &model->strands[strand];
    const scene_stiffen *wish = &model->groups[record->group].stiffen;
    const double margin = wish->is_off ? SCENE_STIFFEN_MARGIN : wish->margin;
    const uint64_t first = model->first_vertex[strand];
    assemble(model, first, pose->edge_count, blocks);
    const double wanted = (1 + margin) * least_factor(blocks, pose->edge_count, 1 / (1 + margin));
    record->stiffening_wished = fmax(wanted, 1);
    record->stiffening = wish->is_off ? 1 : fmin(record->stiffening_wished, wish->limit);
    if (record->stiffening == 1)
        return;
    scale_stiffness(model, first, pose->edge_count, record->stiffening);
    (void)balance_strand(model, strand, pose);
}

// ---- strands that lean on something

static bool is_inside(const sheaf_model *model, const model_collider *collider, const double point[3], double radius)
{
    double center[3], axes[3][3], away[3], own[3], normal[3];
    model_collider_pose(model, collider, 0, center, axes);
    vec_sub(away, point, center);
    if (vec_length(away) > collider->reach + radius)
        return false;
    for (int c = 0; c < 3; c++)
        own[c] = vec_dot(away, axes[c]);
    return model_collider_gap(collider, own, normal) < radius;
}

bool balance_touches(const sheaf_model *model, uint32_t strand)
{
    const uint64_t first = model->first_vertex[strand], end = model->first_vertex[strand + 1];
    for (uint32_t k = 0; k < model->collider_count; k++)
        for (uint64_t i = first + 2; i < end; i++) // the first edge is clamped
            if (is_inside(model, &model->colliders[k], model->position[i], model->radius[i - 1]))
                return true;
    return false;
}

// ---- summary

static int compare_factors(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

sheaf_status balance_summarise(const sheaf_model *model, balance_summary *summary)
{
    *summary = (balance_summary){0};
    double *factors = base_alloc(model->strand_count, sizeof *factors);
    if (factors == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t s = 0; s < model->strand_count; s++) {
        const model_strand *strand = &model->strands[s];
        summary->touching += strand->touches;
        if (strand->stiffening_wished > strand->stiffening)
            summary->most_wished = fmax(summary->most_wished, strand->stiffening_wished);
        if (!(strand->stiffening > 1))
            continue;
        factors[summary->stiffened++] = strand->stiffening;
        summary->capped += strand->stiffening_wished > strand->stiffening;
    }
    qsort(factors, summary->stiffened, sizeof *factors, compare_factors);
    if (summary->stiffened > 0) {
        summary->median = factors[summary->stiffened / 2];
        summary->most = factors[summary->stiffened - 1];
    }
    base_free(factors);
    return SHEAF_OK;
}
