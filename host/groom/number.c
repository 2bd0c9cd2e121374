// number: reals in texts, by exact arithmetic where that is enough and by strtod where it is not.
#include "groom/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(int byte)
{
    return byte >= '0' && byte <= '9';
}

// Takes the characters of a number, a word or anything in between.
static size_t take_word(groom_input *input, char word[GROOM_LONGEST_NUMBER])
{
    size_t length = 0;
    for (int byte; (byte = groom_peek(input)) >= 0 && length < GROOM_LONGEST_NUMBER;) {
        const bool part = is_digit(byte) || byte == '+' || byte == '-' || byte == '.' || (byte >= 'a' && byte <= 'z') ||
                          (byte >= 'A' && byte <= 'Z');
        if (!part)
            break;
        word[length++] = (char)byte;
        input->next++;
    }
    return length;
}

// Digits of a number as a whole number, and how many stand after the point.
typedef struct digits {
    uint64_t whole;
    int count; // significant, in whole
    int scale; // power of ten that whole is to be multiplied by
    bool any;
} digits;

static const char *read_digits(const char *cursor, const char *end, digits *d, bool after_point)
{
    for (; cursor < end && is_digit(*cursor); cursor++) {
        d->any = true;
        if (d->count < 19) {
            d->whole = 10 * d->whole + (uint64_t)(*cursor - '0');
            d->count += d->whole > 0;
            d->scale -= after_point;
        } else {
            d->count++; // more than whole can hold: strtod will do
        }
    }
    return cursor;
}

static const char *read_exponent(const char *cursor, const char *end, int *scale)
{
    if (cursor == end || (*cursor != 'e' && *cursor != 'E'))
        return cursor;
    const char *digit = cursor + 1;
    const bool negative = digit < end && *digit == '-';
    digit += digit < end && (*digit == '-' || *digit == '+');
    if (digit == end || !is_digit(*digit))
        return cursor;
    int exponent = 0;
    for (; digit < end && is_digit(*digit); digit++)
        exponent = exponent < 100000 ? 10 * exponent + (*digit - '0') : exponent;
    *scale += negative ? -exponent : exponent;
    return digit;
}

// A number whose digits and power of ten are both exact in double precision has one rounding, the right one.
static bool read_exactly(const char *word, size_t length, double *value)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *end = word + length, *cursor = word;
    digits d = {0};
    const bool negative = length > 0 && *cursor == '-';
    cursor += length > 0 && (*cursor == '-' || *cursor == '+');
    cursor = read_digits(cursor, end, &d, false);
    if (cursor < end && *cursor == '.')
        cursor = read_digits(cursor + 1, end, &d, true);
    if (d.any)
        cursor = read_exponent(cursor, end, &d.scale);
    if (!d.any || cursor != end || d.count > 19 || d.whole > (1ull << 53) || d.scale < -22 || d.scale > 22)
        return false;
    const double size = d.scale < 0 ? (double)d.whole / powers[-d.scale] : (double)d.whole * powers[d.scale];
    *value = negative ? -size : size;
    return true;
}

// Numbers of many digits, and nan and inf. Hexadecimal ones, which strtod takes too, are none.
static bool read_slowly(char *word, size_t length, double *value)
{
    char *end;
    word[length] = 0;
    *value = strtod(word, &end);
    return length > 0 && end == word + length && memchr(word, 'x', length) == NULL && memchr(word, 'X', length) == NULL;
}

sheaf_status groom_read_real(groom_input *input, double *value)
{
    char word[GROOM_LONGEST_NUMBER + 1], shown[GROOM_LONGEST_NUMBER + 1];
    const size_t length = take_word(input, word);
    if (read_exactly(word, length, value) || (length < GROOM_LONGEST_NUMBER && read_slowly(word, length, value)))
        return SHEAF_OK;
    if (length == 0)
        return groom_fail(input, "expected a number");
    word[length] = 0;
    return groom_fail(input, "'%s' is not a number", base_printable(word, shown, 48));
}

sheaf_status groom_enter_c_locale(locale_t *own, locale_t *before)
{
    *own = *before = (locale_t)0;
    if (strcmp(localeconv()->decimal_point, ".") == 0)
        return SHEAF_OK;
    *own = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (*own == (locale_t)0)
        return base_fail(SHEAF_ERR_MEMORY, "out of memory for a locale");
    *before = uselocale(*own);
    return SHEAF_OK;
}

void groom_leave_c_locale(locale_t own, locale_t before)
{
    if (own == (locale_t)0)
        return;
    uselocale(before);
    freelocale(own);
}
