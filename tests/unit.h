// unit: what every test program includes: cmocka with the headers it needs, in the order it needs them.
#ifndef SHEAF_TESTS_UNIT_H
#define SHEAF_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
