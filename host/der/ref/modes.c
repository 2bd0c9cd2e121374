// modes: small motions about an equilibrium. Lengths and held ends restrict them, frames follow quasi-statically: what
// is left is a symmetric eigenproblem in mass-scaled unknowns.
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "der/ref/linear.h"

// Entry of the reduced Hessian; a, b count admissible unknowns: motions first, then frame angles.
static double *entry(const ref_linear *linear, size_t a, size_t b)
{
    return &linear->hessian[(linear->rank + a) * linear->unknown_count + linear->rank + b];
}

// Stiffness of the motions when the angles follow: K = H_mm - H_ma H_aa^-1 H_am, into stiffness[motion][motion]. What
// is added to H_aa only fixes the common angle of the frames of a round, straight rod, on which nothing depends.
static sheaf_status condense_angles(const ref_linear *linear, double *stiffness, double *angles, double *coupling)
{
    const size_t motions = linear->position_count - linear->rank;
    const size_t angle_count = linear->unknown_count - linear->position_count;
    double stiffest = 0;
    for (size_t a = 0; a < angle_count; a++)
        stiffest = fmax(stiffest, fabs(*entry(linear, motions + a, motions + a)));
    for (size_t a = 0; a < angle_count; a++) {
        memcpy(&angles[a * angle_count], entry(linear, motions + a, motions), angle_count * sizeof(double));
        angles[a * (angle_count + 1)] += 1e-13 * stiffest;
    }
    for (size_t m = 0; m < motions; m++) {
        memcpy(&stiffness[m * motions], entry(linear, m, 0), motions * sizeof(double));
        memcpy(&coupling[m * angle_count], entry(linear, m, motions), angle_count * sizeof(double));
    }
    if (angle_count == 0 || motions == 0)
        return SHEAF_OK;
    lapack_int info = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (lapack_int)angle_count, angles, (lapack_int)angle_count);
    if (info == 0)
        info = LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'L', 'N', 'N', (lapack_int)angle_count, (lapack_int)motions, angles,
                              (lapack_int)angle_count, coupling, (lapack_int)angle_count);
    if (info != 0)
        return base_fail(SHEAF_ERR_FAILED,
                         "the frames of this pose are not at a minimum of energy (LAPACK: %d); find its equilibrium "
                         "first",
                         (int)info);
    for (size_t m = 0; m < motions; m++) {
        for (size_t k = 0; k < motions; k++) {
            for (size_t a = 0; a < angle_count; a++)
                stiffness[m * motions + k] -= coupling[m * angle_count + a] * coupling[k * angle_count + a];
        }
    }
    return SHEAF_OK;
}

// One eigenvector, in admissible scaled motions, as displacements of the vertices.
static sheaf_status write_mode(ref_linear *linear, const double *vector, double (*mode)[3])
{
    const ref_rod *rod = linear->rod;
    memset(linear->trial, 0, linear->unknown_count * sizeof(double));
    memcpy(&linear->trial[linear->rank], vector, (linear->position_count - linear->rank) * sizeof(double));
    SHEAF_TRY(linear_expand(linear, linear->trial, linear->step));
    memset(mode, 0, rod->vertex_count * sizeof mode[0]);
    for (uint32_t a = 0; a < linear->position_count; a++) {
        const ref_freedom *freedom = &linear->freedoms[a];
        for (uint32_t i = freedom->first; i <= freedom->second; i++)
            vec_axpy(mode[i], linear->step[a], freedom->direction);
    }
    return SHEAF_OK;
}

static sheaf_status solve_modes(ref_linear *linear, uint32_t count, double *eigenvalues, double *modes, double *work)
{
    const size_t motions = linear->position_count - linear->rank;
    const size_t angle_count = linear->unknown_count - linear->position_count;
    double *stiffness = work, *angles = stiffness + motions * motions, *coupling = angles + angle_count * angle_count;
    double *vectors = coupling + angle_count * motions, *values = vectors + motions * count;
    int32_t *support = (int32_t *)(values + motions);
    SHEAF_TRY(condense_angles(linear, stiffness, angles, coupling));
    lapack_int found;
    const lapack_int info = LAPACKE_dsyevr(LAPACK_COL_MAJOR, modes ? 'V' : 'N', 'I', 'L', (lapack_int)motions,
                                           stiffness, (lapack_int)motions, 0, 0, 1, (lapack_int)count, 0, &found,
                                           values, vectors, (lapack_int)motions, support);
    if (info != 0)
        return base_fail(SHEAF_ERR_FAILED, "eigenvalues of the strand's motions failed (dsyevr: %d)", (int)info);
    memcpy(eigenvalues, values, count * sizeof(double));
    for (size_t k = 0; modes && k < count; k++)
        SHEAF_TRY(write_mode(linear, &vectors[k * motions], (double(*)[3]) & modes[k * 3 * linear->rod->vertex_count]));
    return SHEAF_OK;
}

static sheaf_status find_modes(ref_linear *linear, uint32_t count, double *eigenvalues, double *modes)
{
    SHEAF_TRY(linear_base(linear));
    SHEAF_TRY(linear_hessian(linear, true));
    const size_t motions = linear->position_count - linear->rank;
    const size_t angle_count = linear->unknown_count - linear->position_count;
    if (count < 1 || count > motions)
        return base_fail(SHEAF_ERR_USAGE, "%u modes asked of a strand that has %zu", count, motions);
    double *work = base_alloc(motions * motions + angle_count * (angle_count + motions) + motions * count + 2 * motions,
                              sizeof(double));
    const sheaf_status status = work ? solve_modes(linear, count, eigenvalues, modes, work) : SHEAF_ERR_MEMORY;
    base_free(work);
    return status;
}

sheaf_status ref_modes(ref_rod *rod, double time, uint32_t count, double *eigenvalues, double *modes)
{
    ref_linear linear;
    SHEAF_TRY(ref_start(rod, time));
    SHEAF_TRY(linear_open(rod, time, &linear));
    const sheaf_status status = find_modes(&linear, count, eigenvalues, modes);
    linear_close(&linear);
    return status;
}
