// band: linear equations with a band matrix, and with a small full one, by elimination with partial pivoting.
#include <math.h>

#include "kirchhoff/rod.h"

// Row r holds columns r - BAND to r + 2 BAND, one after the other: rows that change places reach farther right.
enum { WIDTH = 3 * BAND + 1 };

size_t band_size(uint32_t rows)
{
    return (size_t)rows * WIDTH;
}

double *band_entry(double *band, uint32_t row, uint32_t column)
{
    return band + (size_t)row * WIDTH + (column + BAND - row);
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// Brings the largest entry of the column to the diagonal. False: all are 0 or not finite.
static bool choose_pivot(double *band, uint32_t rows, uint32_t k, uint32_t end, double *right)
{
    const uint32_t below = least(rows, k + BAND + 1);
    uint32_t best = k;
    for (uint32_t r = k + 1; r < below; r++)
        if (fabs(*band_entry(band, r, k)) > fabs(*band_entry(band, best, k)))
            best = r;
    if (best != k) {
        double *a = band_entry(band, k, k), *b = band_entry(band, best, k);
        for (uint32_t c = 0; c < end - k; c++) {
            const double kept = a[c];
            a[c] = b[c];
            b[c] = kept;
        }
        const double kept = right[k];
        right[k] = right[best];
        right[best] = kept;
    }
    const double pivot = fabs(*band_entry(band, k, k));
    return pivot > 0 && pivot < INFINITY;
}

bool band_solve(double *band, uint32_t rows, double *right)
{
    for (uint32_t k = 0; k < rows; k++) {
        const uint32_t end = least(rows, k + 2 * BAND + 1), below = least(rows, k + BAND + 1);
        if (!choose_pivot(band, rows, k, end, right))
            return false;
        const double *from = band_entry(band, k, k);
        for (uint32_t r = k + 1; r < below; r++) {
            double *to = band_entry(band, r, k);
            if (to[0] == 0)
                continue;
            const double factor = to[0] / from[0];
            for (uint32_t c = 1; c < end - k; c++)
                to[c] -= factor * from[c];
            right[r] -= factor * right[k];
        }
    }
    for (uint32_t k = rows; k-- > 0;) {
        const uint32_t end = least(rows, k + 2 * BAND + 1);
        const double *row = band_entry(band, k, k);
        for (uint32_t c = 1; c < end - k; c++)
            right[k] -= row[c] * right[k + c];
        right[k] /= row[0];
    }
    return true;
}

// The same for a full matrix, whose rows change places with their right sides.
static bool choose_row(uint32_t size, double *matrix, uint32_t sides, double *right, uint32_t k)
{
    uint32_t best = k;
    for (uint32_t r = k + 1; r < size; r++)
        if (fabs(matrix[r * size + k]) > fabs(matrix[best * size + k]))
            best = r;
    for (uint32_t c = 0; best != k && c < size; c++) {
        const double kept = matrix[k * size + c];
        matrix[k * size + c] = matrix[best * size + c];
        matrix[best * size + c] = kept;
    }
    for (uint32_t c = 0; best != k && c < sides; c++) {
        const double kept = right[k * sides + c];
        right[k * sides + c] = right[best * sides + c];
        right[best * sides + c] = kept;
    }
    const double pivot = fabs(matrix[k * size + k]);
    return pivot > 0 && pivot < INFINITY;
}

bool dense_solve(uint32_t size, double *matrix, uint32_t sides, double *right)
{
    for (uint32_t k = 0; k < size; k++) {
        if (!choose_row(size, matrix, sides, right, k))
            return false;
        for (uint32_t r = k + 1; r < size; r++) {
            const double factor = matrix[r * size + k] / matrix[k * size + k];
            for (uint32_t c = k; c < size; c++)
                matrix[r * size + c] -= factor * matrix[k * size + c];
            for (uint32_t c = 0; c < sides; c++)
                right[r * sides + c] -= factor * right[k * sides + c];
        }
    }
    for (uint32_t k = size; k-- > 0;)
        for (uint32_t c = 0; c < sides; c++) {
            double *out = &right[k * sides + c];
            for (uint32_t r = k + 1; r < size; r++)
                *out -= matrix[k * size + r] * right[r * sides + c];
            *out /= matrix[k * size + k];
        }
    return true;
}
