// balance_law: what a joint of a strand whose material has a law must be strained by to bear a moment.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "strand/balance.h"

enum { STRAINS = 5, STEPS = 60, HALVINGS = 30 };

// Forces on the five strains, and how they change with them: those of both sides by the law, whose strains are about
// the directors, (-s_1, s_0), and along the strand.
typedef struct answer {
    double force[STRAINS], stiffness[STRAINS][STRAINS];
} answer;

static answer answer_of(const balance_joint_law *at, const double y[3], bool is_guarded)
{
    static const double sign[3] = {-1, 1, 1};
    answer out = {.force = {0}};
    const double scale = 2 / at->voronoi;
    for (int side = 0; side < 2; side++) {
        const int strain[3] = {2 * side + 1, 2 * side, 4};
        double x[3];
        for (int c = 0; c < 3; c++)
            x[c] = sign[c] * scale * vec_dot(at->derivative[strain[c]], y);
        const law_response r = is_guarded ? law_respond_guarded(at->of, x, at->place, at->stiffness[side])
                                          : law_respond(at->of, x, at->place, at->stiffness[side]);
        for (int c = 0; c < 3; c++) {
            out.force[strain[c]] += sign[c] * r.moment[c] / 2;
            for (int d = 0; d < 3; d++)
                out.stiffness[strain[c]][strain[d]] += sign[c] * sign[d] * r.tangent[c][d] / at->voronoi;
        }
    }
    return out;
}

// What is left of the moment; returns its length.
static double unbalanced(const balance_joint_law *at, const double moment[3], const double y[3], double left[3])
{
    const answer now = answer_of(at, y, false);
    vec_copy(left, moment);
    for (int a = 0; a < STRAINS; a++)
        vec_axpy(left, -now.force[a], at->derivative[a]);
    return vec_length(left);
}

static void tangent_of(const balance_joint_law *at, const double y[3], double matrix[3][3])
{
    const answer now = answer_of(at, y, true);
    memset(matrix, 0, 9 * sizeof **matrix);
    for (int a = 0; a < STRAINS; a++)
        for (int b = 0; b < STRAINS; b++)
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++)
                    matrix[r][c] += at->derivative[a][r] * now.stiffness[a][b] * at->derivative[b][c];
}

bool balance_by_law(const balance_joint_law *at, const double moment[3], double y[3])
{
    const double goal = 1e-11 * vec_length(moment);
    double left[3] = {0}, far = unbalanced(at, moment, y, left);
    for (int k = 0; k < STEPS && far > goal; k++) {
        double matrix[3][3], step[3], trial[3] = {0}, rest[3] = {0}, there = INFINITY, share = 2;
        tangent_of(at, y, matrix);
        vec_copy(step, left);
        if (!balance_solve((const double(*)[3])matrix, step))
            return false;
        for (int halving = 0; halving < HALVINGS && !(there < far); halving++) {
            share /= 2;
            vec_copy(trial, y);
            vec_axpy(trial, share, step);
            there = unbalanced(at, moment, trial, rest);
        }
        if (!(there < far))
            return far <= 1e-9 * vec_length(moment);
        vec_copy(y, trial);
        vec_copy(left, rest);
        far = there;
    }
    return far <= 1e-9 * vec_length(moment);
}
