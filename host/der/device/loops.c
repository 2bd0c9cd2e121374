// loops: forces between the copies of a closed strand's first two vertices. With A the matrix of the strand and C the
// difference of copies, 6 numbers, the displacements d and forces y obey A d + C^T y = b and C d = -gap: y comes from
// the six columns A^-1 C^T, which are solved for once per iteration, and is exact for every right side b.
#include "der/device/loops.h"

#include "base/vec.h"
#include "strand/unroll.h"

#include <math.h>
#include <string.h>

enum { FORCES = 3 * UNROLL_EXTRA };

typedef struct loop {
    uint64_t first, copy;          // vertices that are kept together: first + k and copy + k
    uint64_t end;                  // after the copies
    double unit;                   // N, of the forces that columns are solved for: that of a vertex's inertia over 1 m
    double gap[FORCES];            // m, of copies at the iterate
    double factor[FORCES][FORCES]; // C A^-1 C^T as L L^T
    double force[FORCES];          // over `unit`
} loop;

struct der_loops {
    uint64_t vertex_count;
    uint32_t count;
    loop *loops;
    double (*column[FORCES])[3]; // [vertex] m, A^-1 C^T
    double (*still)[3];          // [vertex] m, with no force
};

void der_loops_close(der_loops *loops)
{
    if (loops == NULL)
        return;
    for (int k = 0; k < FORCES; k++)
        base_free(loops->column[k]);
    base_free(loops->still);
    base_free(loops->loops);
    base_free(loops);
}

static sheaf_status allocate(der_loops *loops)
{
    const size_t vertices = (size_t)loops->vertex_count;
    loops->loops = base_alloc(loops->count, sizeof *loops->loops);
    loops->still = base_alloc(vertices, sizeof *loops->still);
    bool all = loops->loops != NULL && loops->still != NULL;
    for (int k = 0; k < FORCES && all; k++) {
        loops->column[k] = base_alloc(vertices, sizeof *loops->column[k]);
        all = loops->column[k] != NULL;
    }
    return all ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

static void note_loops(der_loops *loops, const sheaf_model *model, double step)
{
    const double rate = (model->def.integrator == SHEAF_INTEGRATOR_BDF2 ? 2.25 : 1) / (step * step);
    uint32_t count = 0;
    for (uint32_t s = 0; s < model->strand_count; s++) {
        const uint64_t first = model->first_vertex[s], end = model->first_vertex[s + 1];
        if (model->strands[s].is_loop)
            loops->loops[count++] = (loop){.first = first,
                                           .copy = end - UNROLL_EXTRA,
                                           .end = end,
                                           .unit = rate * model->mass[first + UNROLL_EXTRA]};
    }
}

sheaf_status der_loops_open(const sheaf_model *model, double step, der_loops **out)
{
    uint32_t count = 0;
    *out = NULL;
    for (uint32_t s = 0; s < model->strand_count; s++)
        count += model->strands[s].is_loop;
    if (count == 0)
        return SHEAF_OK;
    der_loops *loops = base_alloc(1, sizeof *loops);
    if (loops == NULL)
        return SHEAF_ERR_MEMORY;
    loops->vertex_count = model->vertex_count;
    loops->count = count;
    const sheaf_status status = allocate(loops);
    if (status != SHEAF_OK) {
        der_loops_close(loops);
        return status;
    }
    note_loops(loops, model, step);
    *out = loops;
    return SHEAF_OK;
}

// Component k of the difference of copies.
static double difference(const loop *it, const double (*vectors)[3], int k)
{
    return vectors[it->copy + (uint64_t)k / 3][k % 3] - vectors[it->first + (uint64_t)k / 3][k % 3];
}

// Column k of all loops at once: they do not know of each other.
static sheaf_status solve_column(der_loops *loops, int k, der_loops_solve *solve, void *user, double (*push)[3],
                                 double (*answer)[3])
{
    memset(push, 0, (size_t)loops->vertex_count * sizeof *push);
    for (uint32_t l = 0; l < loops->count; l++) {
        const loop *it = &loops->loops[l];
        push[it->copy + (uint64_t)k / 3][k % 3] = it->unit;
        push[it->first + (uint64_t)k / 3][k % 3] = -it->unit;
    }
    SHEAF_TRY(solve(user, push, answer));
    for (uint32_t l = 0; l < loops->count; l++)
        for (uint64_t v = loops->loops[l].first; v < loops->loops[l].end; v++)
            vec_sub(loops->column[k][v], answer[v], loops->still[v]);
    return SHEAF_OK;
}

// Cholesky's factor of C A^-1 C^T. Its two triangles differ by rounding of the columns; their mean is taken.
static void factor(der_loops *loops, loop *it)
{
    for (int i = 0; i < FORCES; i++)
        for (int j = 0; j <= i; j++) {
            double sum = (difference(it, (const double(*)[3])loops->column[j], i) +
                          difference(it, (const double(*)[3])loops->column[i], j)) /
                         2;
            for (int k = 0; k < j; k++)
                sum -= it->factor[i][k] * it->factor[j][k];
            it->factor[i][j] = i == j ? sqrt(sum) : sum / it->factor[j][j];
        }
}

sheaf_status der_loops_linearise(der_loops *loops, const double (*start)[3], const double (*moved)[3],
                                 der_loops_solve *solve, void *user, double (*push)[3], double (*answer)[3])
{
    memset(push, 0, (size_t)loops->vertex_count * sizeof *push);
    SHEAF_TRY(solve(user, push, answer));
    memcpy(loops->still, answer, (size_t)loops->vertex_count * sizeof *answer);
    for (int k = 0; k < FORCES; k++)
        SHEAF_TRY(solve_column(loops, k, solve, user, push, answer));
    for (uint32_t l = 0; l < loops->count; l++) {
        loop *it = &loops->loops[l];
        for (int k = 0; k < FORCES; k++)
            it->gap[k] = difference(it, start, k) + difference(it, moved, k);
        factor(loops, it);
    }
    return SHEAF_OK;
}

// Forces under which copies come together, from an answer without any.
static void find_forces(loop *it, const double (*answer)[3])
{
    double *y = it->force;
    for (int i = 0; i < FORCES; i++) {
        y[i] = -it->gap[i] - difference(it, answer, i);
        for (int k = 0; k < i; k++)
            y[i] -= it->factor[i][k] * y[k];
        y[i] /= it->factor[i][i];
    }
    for (int i = FORCES; i-- > 0;) {
        for (int k = i + 1; k < FORCES; k++)
            y[i] -= it->factor[k][i] * y[k];
        y[i] /= it->factor[i][i];
    }
}

void der_loops_close_answer(der_loops *loops, double (*answer)[3])
{
    for (uint32_t l = 0; l < loops->count; l++) {
        loop *it = &loops->loops[l];
        find_forces(it, (const double(*)[3])answer);
        for (int k = 0; k < FORCES; k++)
            for (uint64_t v = it->first; v < it->end; v++)
                vec_axpy(answer[v], it->force[k], loops->column[k][v]);
    }
}

void der_loops_add_forces(const der_loops *loops, double (*push)[3])
{
    for (uint32_t l = 0; l < loops->count; l++) {
        const loop *it = &loops->loops[l];
        for (int k = 0; k < FORCES; k++) {
            push[it->copy + (uint64_t)k / 3][k % 3] += it->unit * it->force[k];
            push[it->first + (uint64_t)k / 3][k % 3] -= it->unit * it->force[k];
        }
    }
}
