// fault_theory: preloaded, it makes a theory wrong by 10 %, so that an experiment that is held against it fails.
#include <math.h>

double tanh(double x)
{
    return 1.1 * (1 - 2 / (exp(2 * x) + 1));
}
