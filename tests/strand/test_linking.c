// test_linking: writhe of known curves, and that twist and writhe of a strand with fixed ends add up to what they were.
#include "strand/linking.h"

#include <math.h>

#include "base/vec.h"

#include "unit.h"

enum { POINTS = 160 };

static const double pi = 3.14159265358979323846;

// A plane curve has no writhe; a helix has that of its turns less the part that its pitch takes away, and its mirror
// image the opposite.
static void writhe_of_known_curves(void **state)
{
    (void)state;
    enum { TURNS = 4 };
    double plane[POINTS][3], helix[POINTS][3], mirrored[POINTS][3];
    const double radius = 1, rise = 0.2; // rise per radian
    for (int k = 0; k < POINTS; k++) {
        const double angle = 2 * pi * TURNS * k / (POINTS - 1);
        vec_set(plane[k], cos(angle / TURNS), sin(angle / TURNS), 0);
        vec_set(helix[k], radius * cos(angle), radius * sin(angle), rise * angle);
        vec_set(mirrored[k], radius * cos(angle), -radius * sin(angle), rise * angle);
    }
    const double writhe = model_writhe((const double(*)[3])helix, POINTS, false);
    assert_close(model_writhe((const double(*)[3])plane, POINTS - 1, true), 0, 1e-12);
    assert_close(model_writhe_extended((const double(*)[3])plane, POINTS / 3), 0, 1e-12);
    assert_close(writhe, -model_writhe((const double(*)[3])mirrored, POINTS, false), 1e-12);
    // Fuller: the helix wound infinitely long has 1 - sin(pitch angle) per turn; the ends take some of it away
    const double endless = TURNS * (1 - rise / sqrt(radius * radius + rise * rise));
    assert_true(writhe > 0.7 * endless && writhe < 1.02 * endless);
}

// A straight line with a wound bump of a height, its first and last edges along x.
static void make_bump(double height, double (*points)[3])
{
    for (int k = 0; k < POINTS; k++) {
        const double s = (k - 1.0) / (POINTS - 3), inside = fmin(fmax(s, 0), 1);
        const double bump = height * pow(sin(pi * inside), 2);
        vec_set(points[k], s, bump * cos(9 * inside), bump * sin(9 * inside));
    }
}

// Directors without twist but at the last vertex, where the last one stands as it always does.
static void make_directors(double (*points)[3], double (*directors)[3])
{
    double last[3] = {1, 0, 0}, tangent[3];
    vec_set(directors[0], 0, 0, 1);
    for (int k = 1; k + 1 < POINTS; k++) {
        vec_sub(tangent, points[k + 1], points[k]);
        vec_unit(tangent, tangent);
        vec_transport(directors[k], directors[k - 1], last, tangent);
        vec_copy(last, tangent);
    }
    vec_set(directors[POINTS - 2], 0, 0, 1);
}

static void twist_and_writhe_are_kept(void **state)
{
    (void)state;
    double points[POINTS][3], directors[POINTS][3], most = 0;
    for (double height = 0; height < 0.5; height += 0.02) {
        make_bump(height, points);
        make_directors(points, directors);
        const double writhe = model_writhe_extended((const double(*)[3])points, POINTS);
        const double sum = writhe + model_twist((const double(*)[3])points, (const double(*)[3])directors, POINTS);
        assert_close(sum, round(sum), 1e-7); // what is left out beyond the extension, and rounding over its length
        most = fmax(most, fabs(writhe));
    }
    assert_true(most > 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writhe_of_known_curves),
        cmocka_unit_test(twist_and_writhe_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
