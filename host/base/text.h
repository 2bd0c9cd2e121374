// text: strings that grow, names made safe to show, and the nearest valid word for a misspelt one.
#ifndef SHEAF_BASE_TEXT_H
#define SHEAF_BASE_TEXT_H

#include "base/base.h"

// A string that grows. All zero is empty and valid. Running out of memory is remembered, and later additions do
// nothing, so that a long text needs one check at its end: base_text_status().
typedef struct base_text {
    char *bytes; // 0-terminated; NULL while empty
    size_t length;
    size_t capacity;
    bool failed;
} base_text;

__attribute__((format(printf, 2, 3))) void base_text_add(base_text *text, const char *format, ...);
void base_text_add_bytes(base_text *text, const char *bytes, size_t length);

// Numbers as %llu and %.9g write them, ten times as fast: for files with a row for each vertex.
void base_text_add_whole(base_text *text, uint64_t value);
void base_text_add_real(base_text *text, double value);

// Adds bytes of any origin (a path, a word of a file) as valid UTF-8 on one line: control characters and bytes that are
// not UTF-8 become \n, \t or \xNN.
void base_text_add_printable(base_text *text, const char *bytes, size_t length);

// The character whose UTF-8 starts at `bytes`, and how many bytes it takes: 0 when they are not UTF-8.
uint32_t base_utf8_decode(const char *bytes, size_t available, size_t *length);

// Neither a control character nor one that ends lines or turns the direction of text.
bool base_is_printable(uint32_t character);

// SHEAF_OK, or SHEAF_ERR_MEMORY when an addition failed.
sheaf_status base_text_status(const base_text *text);

// The text so far, never NULL; valid until the next addition.
const char *base_text_get(const base_text *text);

void base_text_free(base_text *text);

// `name` as base_text_add_printable writes it, cut with "..." to fit `size` bytes (at least 8); returns `out`.
char *base_printable(const char *name, char *out, size_t size);

// A power of ten (-15 to 12, a multiple of 3) that brings `largest` between 1 and 1000, and its prefix ("k", "m",
// "\u00b5").
int base_si_exponent(double largest, const char **prefix);

// The candidate nearest to `word` by insertions, deletions, replacements and swaps of neighbours, upper and lower case
// alike, or one that starts with `word`; NULL when none is near enough to be what was meant.
const char *base_nearest(const char *word, const char *const *candidates, size_t count);

#endif
