// test_functions_double: functions of kernels in double precision, each alone, within 2 units of the last place.
#define PRECISION_DOUBLE 1
#include "functions.h"
