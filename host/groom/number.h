// number: reals in texts, read quickly and exactly, in the C locale whatever the program's is.
#ifndef SHEAF_GROOM_NUMBER_H
#define SHEAF_GROOM_NUMBER_H

#include "groom/input.h"

#include <locale.h>

enum { GROOM_LONGEST_NUMBER = 128 }; // characters

// Reads a real that starts at the next byte: digits with a point and an exponent, nan or inf. Leaves the input after
// it. Returns SHEAF_OK, SHEAF_ERR_INPUT (no number, or a longer one).
sheaf_status groom_read_real(groom_input *input, double *value);

// Between these two, numbers have a decimal point whatever the program's locale is. Where they have one anyway, nothing
// changes.
sheaf_status groom_enter_c_locale(locale_t *own, locale_t *before);
void groom_leave_c_locale(locale_t own, locale_t before);

#endif
