// rod: a Kirchhoff rod through time by the generalised alpha method.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "kirchhoff/rod.h"

kirchhoff_def kirchhoff_default(void)
{
    return (kirchhoff_def){.cells = 200,
                           .length = 1,
                           .rho = 0.5,
                           .solver = KIRCHHOFF_ASSEMBLED,
                           .iterations = 50,
                           .tolerance = 1e-8,
                           .scale = {1, 100, 10, 1e4},
                           .frame = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

// ---- opening

static sheaf_status check(const kirchhoff_def *def)
{
    const double inertia = fmin(def->inertia[0], fmin(def->inertia[1], def->inertia[2]));
    if (def->law == NULL)
        return base_fail(SHEAF_ERR_USAGE, "a Kirchhoff rod needs a law: a function of strain that gives the moment");
    if (def->cells < 1 || def->cells > 100000)
        return base_fail(SHEAF_ERR_USAGE, "a Kirchhoff rod of %u cells: give 1 to 100000", def->cells);
    if (!(def->length > 0) || !(def->line_mass >= 0) || !(inertia >= 0))
        return base_fail(SHEAF_ERR_USAGE,
                         "a Kirchhoff rod needs a length above 0 m (is %g), mass and inertia of at least 0",
                         def->length);
    if (!(def->rho >= 0 && def->rho < 1))
        return base_fail(
            SHEAF_ERR_USAGE,
            "rho = %g: give 0 to below 1. With 1 forces alternate from step to step, undamped, and Newton's "
            "method soon fails.",
            def->rho);
    if (def->iterations < 1 || !(def->tolerance > 0))
        return base_fail(SHEAF_ERR_USAGE, "a Kirchhoff rod needs at least one iteration and a tolerance above 0");
    for (int k = 0; k < 4; k++)
        if (!(def->scale[k] > 0))
            return base_fail(SHEAF_ERR_USAGE, "the scales of velocity, turning, curvature and force must be above 0");
    if (def->root.is_free && def->tip.is_free && def->line_mass == 0)
        return base_fail(SHEAF_ERR_USAGE, "a rod without mass whose ends are both free has no place: hold an end");
    return SHEAF_OK;
}

static sheaf_status take_memory(kirchhoff_rod *rod)
{
    const uint32_t nodes = rod->nodes;
    rod->y = base_alloc(nodes, sizeof *rod->y);
    rod->rate = base_alloc(nodes, sizeof *rod->rate);
    rod->next = base_alloc(nodes, sizeof *rod->next);
    rod->update = base_alloc(nodes, sizeof *rod->update);
    rod->balance = base_alloc(nodes, sizeof *rod->balance);
    rod->terms = base_alloc(nodes, sizeof *rod->terms);
    if (rod->def.solver == KIRCHHOFF_ASSEMBLED)
        rod->band = base_alloc(band_size(UNKNOWNS * nodes), sizeof *rod->band);
    else
        rod->transfer = base_alloc(nodes, sizeof *rod->transfer);
    const bool complete = rod->y != NULL && rod->rate != NULL && rod->next != NULL && rod->update != NULL &&
                          rod->balance != NULL && rod->terms != NULL && (rod->band != NULL || rod->transfer != NULL);
    return complete ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

static void find_terms(kirchhoff_rod *rod, const double (*y)[UNKNOWNS])
{
    for (uint32_t node = 0; node < rod->nodes; node++)
        kirchhoff_node_terms(&rod->def, node * rod->cell, y[node], &rod->terms[node]);
}

static void find_balances(kirchhoff_rod *rod)
{
    for (uint32_t cell = 0; cell < rod->def.cells; cell++)
        kirchhoff_balance(rod, cell, rod->balance[cell]);
}

static void set_rest(kirchhoff_rod *rod)
{
    for (uint32_t node = 0; node < rod->nodes; node++)
        vec_copy(rod->y[node] + KAPPA, rod->def.curvature);
    find_terms(rod, (const double(*)[UNKNOWNS])rod->y);
    find_balances(rod);
    memcpy(rod->root.frame, rod->def.frame, sizeof rod->def.frame);
    kirchhoff_place_tip(rod);
}

sheaf_status kirchhoff_open(const kirchhoff_def *def, kirchhoff_rod **out)
{
    *out = NULL;
    SHEAF_TRY(check(def));
    kirchhoff_rod *rod = base_alloc(1, sizeof *rod);
    if (rod == NULL)
        return SHEAF_ERR_MEMORY;
    rod->def = *def;
    rod->nodes = def->cells + 1;
    rod->cell = def->length / def->cells;
    const sheaf_status status = take_memory(rod);
    if (status != SHEAF_OK) {
        kirchhoff_close(rod);
        return status;
    }
    set_rest(rod);
    *out = rod;
    return SHEAF_OK;
}

void kirchhoff_close(kirchhoff_rod *rod)
{
    if (rod == NULL)
        return;
    base_free(rod->y);
    base_free(rod->rate);
    base_free(rod->next);
    base_free(rod->update);
    base_free(rod->balance);
    base_free(rod->terms);
    base_free(rod->band);
    base_free(rod->transfer);
    base_free(rod);
}

void kirchhoff_set_root(kirchhoff_rod *rod, kirchhoff_end end)
{
    rod->def.root = end;
}

void kirchhoff_set_tip(kirchhoff_rod *rod, kirchhoff_end end)
{
    rod->def.tip = end;
}

// ---- steps

// Second order with gamma = 1/2 - alpha + beta; rho is what a step leaves of infinitely fast vibrations.
static time_weights weights_of(double rho, double step)
{
    return (time_weights){
        .alpha = (3 * rho - 1) / (2 * (1 + rho)), .beta = rho / (1 + rho), .gamma = 1 / (1 + rho), .step = step};
}

// Applies the update; returns its largest entry in units that count.
static double take_update(kirchhoff_rod *rod)
{
    double largest = 0;
    for (uint32_t node = 0; node < rod->nodes; node++)
        for (int k = 0; k < UNKNOWNS; k++) {
            const double change = fabs(rod->update[node][k]) / rod->def.scale[k / 3];
            largest = isfinite(change) ? fmax(largest, change) : INFINITY;
            rod->next[node][k] += rod->update[node][k];
        }
    return largest;
}

static sheaf_status solve(kirchhoff_rod *rod, const time_weights *weights, kirchhoff_report *report)
{
    while (report->iterations < rod->def.iterations) {
        find_terms(rod, (const double(*)[UNKNOWNS])rod->next);
        SHEAF_TRY(rod->def.solver == KIRCHHOFF_ASSEMBLED ? kirchhoff_solve_assembled(rod, weights)
                                                         : kirchhoff_solve_shooting(rod, weights, &report->growth));
        report->update = take_update(rod);
        report->iterations++;
        if (report->update < rod->def.tolerance)
            return SHEAF_OK;
        if (!isfinite(report->update))
            break;
    }
    return base_fail(SHEAF_ERR_FAILED,
                     "Newton's method found no step of %g s from %g s on in %u iterations (last change %.1e, tolerance "
                     "%.1e). Shorter steps or more cells may help; so may a smaller rho.",
                     weights->step, rod->time, report->iterations, report->update, rod->def.tolerance);
}

// dY/dt of the new time, by gamma.
static void keep(kirchhoff_rod *rod, const time_weights *weights)
{
    kirchhoff_move_end(&rod->root, rod->y[0], rod->next[0], weights->step);
    kirchhoff_move_end(&rod->tip, rod->y[rod->def.cells], rod->next[rod->def.cells], weights->step);
    for (uint32_t node = 0; node < rod->nodes; node++)
        for (int k = 0; k < UNKNOWNS; k++) {
            const double mean = (rod->next[node][k] - rod->y[node][k]) / weights->step;
            rod->rate[node][k] = (mean - (1 - weights->gamma) * rod->rate[node][k]) / weights->gamma;
            rod->y[node][k] = rod->next[node][k];
        }
    find_terms(rod, (const double(*)[UNKNOWNS])rod->y);
    find_balances(rod);
    rod->time += weights->step;
}

sheaf_status kirchhoff_step(kirchhoff_rod *rod, double step, kirchhoff_report *report)
{
    const time_weights weights = weights_of(rod->def.rho, step);
    kirchhoff_report own = {0};
    memcpy(rod->next, rod->y, rod->nodes * sizeof *rod->next);
    const sheaf_status status = solve(rod, &weights, &own);
    if (report != NULL)
        *report = own;
    SHEAF_TRY(status);
    keep(rod, &weights);
    return SHEAF_OK;
}

// ---- reading

double kirchhoff_time(const kirchhoff_rod *rod)
{
    return rod->time;
}

const double *kirchhoff_node(const kirchhoff_rod *rod, uint32_t node)
{
    return rod->y[node];
}
