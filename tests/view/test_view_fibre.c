// test_view_fibre: the light that a hair scatters, by the very text that the shaders have.
#include <math.h>

#include "unit.h"

#include "view/fibre.h"

// ---- GLSL's names

static float larger(float a, float b)
{
    return a > b ? a : b;
}

static float smaller(float a, float b)
{
    return a < b ? a : b;
}

static float bounded(float x, float least, float most)
{
    return smaller(larger(x, least), most);
}

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define exp expf
#define sqrt sqrtf
#define max larger
#define min smaller
#define clamp bounded
VIEW_FIBRE(VIEW_FIBRE_CODE)
#undef exp
#undef sqrt
#undef max
#undef min
#undef clamp

static const double pi = 3.14159265358979323846;

typedef struct lobes {
    double r, tt, trt;
} lobes;

// Shares of the light that falls on a white fibre at an angle from its normal plane and leaves it in each lobe:
// integrals over all directions of scattering times the cosine of the inclination.
static lobes integrate(double roughness, double angle)
{
    enum { RINGS = 1000, AROUND = 180 };
    const double sl = sin(angle), cl = cos(angle);
    const float b = (float)(roughness * roughness);
    lobes sum = {0, 0, 0};
    for (int i = 0; i < RINGS; i++)
        for (int j = 0; j < AROUND; j++) {
            const double sv = 2 * (i + 0.5) / RINGS - 1, cv = sqrt(1 - sv * sv), phi = 2 * pi * (j + 0.5) / AROUND;
            const double weight = cv * 2 / RINGS * 2 * pi / AROUND;
            const float along = (float)(sl + sv), cos_phi = (float)cos(phi);
            const float tilt = fibre_tilt((float)sl, (float)sv, (float)cl, (float)cv);
            sum.r += weight * (double)fibre_r(along, cos_phi, (float)(sl * sv + cl * cv * cos(phi)), b);
            sum.tt += weight * (double)fibre_tt(along, cos_phi, tilt, b);
            sum.trt += weight * (double)fibre_trt(along, cos_phi, tilt, b);
        }
    return sum;
}

static void a_fibre_gives_back_no_more_than_it_gets(void **state)
{
    (void)state;
    for (int r = 1; r <= 10; r += 3)
        for (int angle = 0; angle < 90; angle += 20) {
            const lobes sum = integrate(0.1 * r, angle * pi / 180);
            assert_true(sum.r > 0 && sum.tt > 0 && sum.trt > 0);
            assert_true(sum.r + sum.tt + sum.trt < 1.002); // the fits' own error is 0.001
        }
}

// What a smooth white fibre gets from the side comes out again: most of it through, and as much reflected as the mean
// of Fresnel's equations over a round section says, 0.07 at index 1.55.
static void light_is_shared_as_in_glass(void **state)
{
    (void)state;
    const lobes sum = integrate(0.2, 0);
    assert_close(sum.r + sum.tt + sum.trt, 1, 0.01);
    assert_close(sum.r, 0.07, 0.01);
    assert_true(sum.tt > 0.8 && sum.trt < sum.r);
}

static void lobes_lie_where_they_should(void **state)
{
    (void)state;
    // behind the fibre light comes through, before it none does; the inner reflection comes back to where it came from
    assert_true(fibre_tt(0, -1, 1, 0.1f) > 100 * fibre_tt(0, 1, 1, 0.1f));
    assert_true(fibre_trt(0, 1, 1, 0.1f) > 100 * fibre_trt(0, 0, 1, 0.1f));
    // the rougher, the wider and the weaker
    assert_true(fibre_r(0, 1, 1, 0.05f) > 2 * fibre_r(0, 1, 1, 0.2f));
    assert_true(fibre_r(0.3f, 1, 1, 0.05f) < fibre_r(0.3f, 1, 1, 0.2f));
    // Fresnel's share at right angles for index 1.55, and all of it at grazing ones
    assert_close((double)fibre_fresnel(1), 0.0466, 1e-6);
    assert_close((double)fibre_fresnel(0), 1, 1e-6);
    // more of its colour on the longer way
    assert_true(fibre_trt_path(1) > fibre_tt_path(-1, 1));
}

static void nothing_is_undefined(void **state)
{
    (void)state;
    for (int i = -20; i <= 20; i++)
        for (int j = -20; j <= 20; j++)
            for (int k = -20; k <= 20; k++) {
                const float sl = (float)i / 20, sv = (float)j / 20, cos_phi = (float)k / 20;
                const float cl = sqrtf(larger(1 - sl * sl, 1e-4f)), cv = sqrtf(larger(1 - sv * sv, 1e-4f));
                const float tilt = fibre_tilt(sl, sv, cl, cv);
                assert_true(isfinite(fibre_r(sl + sv, cos_phi, cos_phi, 0.0025f)));
                assert_true(isfinite(fibre_tt(sl + sv, cos_phi, tilt, 0.0025f)));
                assert_true(isfinite(fibre_trt(sl + sv, cos_phi, tilt, 0.0025f)));
                assert_true(fibre_tt_path(cos_phi, tilt) >= 0 && isfinite(fibre_tt_path(cos_phi, tilt)));
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fibre_gives_back_no_more_than_it_gets),
        cmocka_unit_test(light_is_shared_as_in_glass),
        cmocka_unit_test(lobes_lie_where_they_should),
        cmocka_unit_test(nothing_is_undefined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
