// limit: the load at which a disturbance neither fades nor grows.
#include "reproduce/limit.h"

#include <math.h>

const double limit_loads[LIMIT_LOADS] = {0.97, 1, 1.03, 1.06};

double limit_find(const double rate[LIMIT_LOADS])
{
    for (int k = 1; k < LIMIT_LOADS; k++)
        if (rate[k - 1] < 0 && rate[k] >= 0) {
            const int from = k > 1 ? k - 2 : 0;
            const double *r = rate + from, *x = limit_loads + from;
            return x[0] * r[1] * r[2] / ((r[0] - r[1]) * (r[0] - r[2])) +
                   x[1] * r[0] * r[2] / ((r[1] - r[0]) * (r[1] - r[2])) +
                   x[2] * r[0] * r[1] / ((r[2] - r[0]) * (r[2] - r[1]));
        }
    return NAN;
}
