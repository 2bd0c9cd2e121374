// figures: a figure of a solver by its name, for tests.
#ifndef SHEAF_TESTS_FIGURES_H
#define SHEAF_TESTS_FIGURES_H

#include <sheaf/sheaf.h>

#include <math.h>
#include <string.h>

// NAN: the solver has no such figure, or cannot tell.
static inline double figure_of(sheaf_solver *solver, const char *name)
{
    sheaf_figure figures[32];
    uint32_t count;
    if (sheaf_solver_figures(solver, figures, 32, &count) != SHEAF_OK)
        return NAN;
    for (uint32_t k = 0; k < count && k < 32; k++)
        if (strcmp(figures[k].name, name) == 0)
            return figures[k].value;
    return NAN;
}

#endif
