// grooms: strands and bytes for tests of file formats.
#ifndef SHEAF_TESTS_GROOMS_H
#define SHEAF_TESTS_GROOMS_H

#include "groom/format.h"

// A groom of ragged strands (3, 2, 1, 5, 4, ... vertices) with every array asked for, exact in single precision.
groom_source grooms_make(uint64_t strands, unsigned arrays, bool is_double);

// The same with strands of equal length and `frames` frames, each a step along x from the one before.
groom_source grooms_make_moving(uint64_t strands, uint64_t vertices, uint64_t frames);

// What a format makes of a source; bytes are freed by base_text_free.
base_text grooms_write(const groom_format *format, groom_source *source);

// Opens bytes that are expected to be good.
groom_source grooms_read(const groom_format *format, const base_text *bytes);

// Opens bytes that are expected to be refused with `status` and a last error that contains `message`.
void grooms_refuse(const groom_format *format, const void *bytes, size_t size, sheaf_status status,
                   const char *message);

// The same counts, points and arrays, to `tolerance` of a coordinate.
void grooms_assert_equal(const groom *a, const groom *b, unsigned arrays, double tolerance);

// Every file that is shorter than the bytes is refused, not misread; where `allowed` is not 0, files of at least so
// many bytes may be good.
void grooms_refuse_cuts(const groom_format *format, const base_text *bytes, size_t allowed);

// Flips every byte, one at a time and several ways: reading must end with a status.
void grooms_survive_flips(const groom_format *format, const base_text *bytes);

#endif
