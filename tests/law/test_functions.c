// test_functions: functions of kernels in single precision, each alone, within 2 units of the last place.
#define PRECISION_DOUBLE 0
#include "functions.h"
