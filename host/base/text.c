// text: strings that grow, names made safe to show, and the nearest valid word for a misspelt one.
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool reserve(base_text *text, size_t more)
{
    if (text->failed)
        return false;
    const size_t needed = text->length + more + 1;
    if (needed <= text->capacity)
        return true;
    const size_t capacity = needed > 2 * text->capacity ? needed + 64 : 2 * text->capacity;
    char *grown = base_realloc(text->bytes, capacity, 1);
    if (grown == NULL) {
        text->failed = true;
        return false;
    }
    text->bytes = grown;
    text->capacity = capacity;
    return true;
}

void base_text_add(base_text *text, const char *format, ...)
{
    if (text->failed)
        return;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const size_t room = text->capacity - text->length;
    const int length = vsnprintf(room > 0 ? text->bytes + text->length : NULL, room, format, arguments);
    if (length >= 0 && (size_t)length < room) {
        text->length += (size_t)length;
    } else if (length >= 0 && reserve(text, (size_t)length)) {
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    } else if (text->bytes != NULL) {
        text->bytes[text->length] = 0; // what did not fit has overwritten it
    }
    va_end(again);
    va_end(arguments);
}

void base_text_add_bytes(base_text *text, const char *bytes, size_t length)
{
    if (!reserve(text, length))
        return;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = 0;
}

// ---- numbers

enum { LONGEST_NUMBER = 24 };

// Adds digits / 10^decimals.
static void add_decimal(base_text *text, bool is_negative, uint64_t digits, int decimals)
{
    char written[LONGEST_NUMBER], *start = written + LONGEST_NUMBER;
    for (int place = 0; digits > 0 || place <= decimals; place++, digits /= 10) {
        if (place == decimals && decimals > 0)
            *--start = '.';
        *--start = (char)('0' + digits % 10);
    }
    if (is_negative)
        *--start = '-';
    base_text_add_bytes(text, start, (size_t)(written + LONGEST_NUMBER - start));
}

void base_text_add_whole(base_text *text, uint64_t value)
{
    add_decimal(text, false, value, 0);
}

// Nine digits of a number that is written without an exponent; false where the ninth is not sure after one rounding.
static bool nine_digits(double size, uint64_t *digits, int *decimals)
{
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12};
    if (!(size >= 1e-4 && size < 1e8))
        return false;
    int k = size < 1 ? 9 : 1;
    while (size * powers[k] < 1e8)
        k++;
    const double scaled = size * powers[k], whole = floor(scaled), rest = scaled - whole;
    if (fabs(rest - 0.5) < 1e-6)
        return false;
    *digits = (uint64_t)whole + (rest > 0.5);
    for (; k > 0 && *digits % 10 == 0; k--)
        *digits /= 10;
    *decimals = k;
    return true;
}

void base_text_add_real(base_text *text, double value)
{
    uint64_t digits;
    int decimals;
    if (nine_digits(fabs(value), &digits, &decimals))
        add_decimal(text, value < 0, digits, decimals);
    else
        base_text_add(text, "%.9g", value);
}

// ---- names made safe to show

uint32_t base_utf8_decode(const char *bytes, size_t available, size_t *length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *byte = (const unsigned char *)bytes;
    *length = 0;
    if (available == 0 || (byte[0] >= 0x80 && byte[0] < 0xc2) || byte[0] > 0xf4)
        return 0;
    const size_t size = byte[0] < 0x80 ? 1 : (byte[0] < 0xe0 ? 2 : (byte[0] < 0xf0 ? 3 : 4));
    uint32_t code = size == 1 ? byte[0] : byte[0] & (0xffu >> (size + 1));
    for (size_t k = 1; k < size; k++) {
        if (k >= available || (byte[k] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (byte[k] & 0x3fu);
    }
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    if (code < least[size] || code > 0x10ffff || surrogate)
        return 0;
    *length = size;
    return code;
}

bool base_is_printable(uint32_t character)
{
    const bool control = character < 0x20 || (character >= 0x7f && character < 0xa0);
    const bool line_end = character == 0x2028 || character == 0x2029;
    const bool turns_text_round =
        (character >= 0x202a && character <= 0x202e) || (character >= 0x2066 && character <= 0x2069);
    return !control && !line_end && !turns_text_round;
}

// Writes the character at `bytes` (at most `available`), or an escape for its first byte; returns how many bytes of
// `out` that took, and moves `taken` past what was read.
static size_t show_character(const char *bytes, size_t available, char out[4], size_t *taken)
{
    static const char hex[] = "0123456789abcdef";
    size_t whole;
    const uint32_t character = base_utf8_decode(bytes, available, &whole);
    const bool printable = whole > 0 && base_is_printable(character);
    *taken += printable ? whole : 1;
    if (printable) {
        memcpy(out, bytes, whole);
        return whole;
    }
    out[0] = '\\';
    if (bytes[0] == '\n' || bytes[0] == '\t') {
        out[1] = bytes[0] == '\n' ? 'n' : 't';
        return 2;
    }
    out[1] = 'x';
    out[2] = hex[(unsigned char)bytes[0] >> 4];
    out[3] = hex[bytes[0] & 15];
    return 4;
}

void base_text_add_printable(base_text *text, const char *bytes, size_t length)
{
    for (size_t k = 0; k < length;) {
        char shown[4];
        const size_t size = show_character(bytes + k, length - k, shown, &k);
        base_text_add_bytes(text, shown, size);
    }
}

sheaf_status base_text_status(const base_text *text)
{
    return text->failed ? base_fail(SHEAF_ERR_MEMORY, "out of memory for a text of %zu bytes", text->length) : SHEAF_OK;
}

const char *base_text_get(const base_text *text)
{
    return text->bytes ? text->bytes : "";
}

void base_text_free(base_text *text)
{
    base_free(text->bytes);
    *text = (base_text){0};
}

char *base_printable(const char *name, char *out, size_t size)
{
    const size_t length = strlen(name);
    size_t used = 0;
    for (size_t k = 0; k < length;) {
        char shown[4];
        const size_t more = show_character(name + k, length - k, shown, &k);
        if (used + more + sizeof "..." > size) {
            memcpy(out + used, "...", 3);
            used += 3;
            break;
        }
        memcpy(out + used, shown, more);
        used += more;
    }
    out[used] = 0;
    return out;
}

enum { NEAREST_LONGEST = 40 }; // longer words are nobody's typing error

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Optimal string alignment distance; rows of the table are kept three at a time.
static size_t word_distance(const char *a, const char *b)
{
    const size_t width = strlen(b);
    size_t rows[3][NEAREST_LONGEST + 1];
    for (size_t j = 0; j <= width; j++)
        rows[0][j] = j;
    for (size_t i = 1; a[i - 1] != 0; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i - 1) % 3], *above_two = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= width; j++) {
            const int p = tolower((unsigned char)a[i - 1]), q = tolower((unsigned char)b[j - 1]);
            row[j] = smaller(smaller(above[j], row[j - 1]) + 1, above[j - 1] + (p != q));
            const bool swapped =
                i > 1 && j > 1 && p == tolower((unsigned char)b[j - 2]) && q == tolower((unsigned char)a[i - 2]);
            if (swapped)
                row[j] = smaller(row[j], above_two[j - 2] + 1);
        }
    }
    return rows[strlen(a) % 3][width];
}

const char *base_nearest(const char *word, const char *const *candidates, size_t count)
{
    const char *nearest = NULL;
    const size_t length = strlen(word);
    size_t least = length / 3 + 2; // a third of the word may be wrong, one letter always
    if (length == 0 || length > NEAREST_LONGEST)
        return NULL;
    for (size_t k = 0; k < count; k++) {
        if (strlen(candidates[k]) > NEAREST_LONGEST)
            continue;
        const bool starts_so = length >= 3 && strncmp(candidates[k], word, length) == 0;
        const size_t distance = starts_so ? 1 : word_distance(word, candidates[k]);
        if (distance < least) {
            least = distance;
            nearest = candidates[k];
        }
    }
    return nearest;
}

int base_si_exponent(double largest, const char **prefix)
{
    static const char *const prefixes[] = {"f", "p", "n", "\xc2\xb5", "m", "", "k", "M", "G", "T"};
    const double thousands = largest > 0 && isfinite(largest) ? floor(log10(largest * 1.0000001) / 3) : 0;
    const int index = (int)fmin(fmax(thousands + 5, 0), 9);
    *prefix = prefixes[index];
    return 3 * (index - 5);
}
