// test_io_plot: ticks, prefixes, curves, and the figures of a run in and out.
#include "io/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"
#include "io/thermo.h"

#include "unit.h"

static size_t occurrences(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *place = text; (place = strstr(place, word)) != NULL; place++)
        count++;
    return count;
}

static void tick_steps_are_round_and_few(void **state)
{
    (void)state;
    assert_true(fabs(io_tick_step(1, 5) - 0.2) <= 1e-15);
    assert_true(fabs(io_tick_step(7, 8) - 1) <= 1e-15);
    assert_true(fabs(io_tick_step(1.1e-6, 6) - 2e-7) <= 1e-20);
    for (double range = 1e-8; range < 1e8; range *= 1.37) {
        const double step = io_tick_step(range, 6);
        assert_true(range / step <= 6 * (1 + 1e-9));
        assert_true(range / step >= 2);
    }
}

static void prefixes_suit_the_value(void **state)
{
    (void)state;
    const char *prefix;
    assert_int_equal(base_si_exponent(3e-6, &prefix), -6);
    assert_string_equal(prefix, "\xc2\xb5");
    assert_int_equal(base_si_exponent(0.5, &prefix), -3);
    assert_int_equal(base_si_exponent(1000, &prefix), 3);
    assert_string_equal(prefix, "k");
    assert_int_equal(base_si_exponent(0, &prefix), 0);
    assert_string_equal(prefix, "");
    assert_int_equal(base_si_exponent(1e-30, &prefix), -15);
    assert_int_equal(base_si_exponent(INFINITY, &prefix), 0);
}

static void draw(const double *y, size_t count, bool logarithmic, base_text *svg)
{
    double x[8];
    for (size_t k = 0; k < count; k++)
        x[k] = (double)k;
    const io_series series = {.name = "a <b> & c", .colour = "#123456", .y = y};
    const io_plot plot = {.title = "title",
                          .x_label = "time (s)",
                          .y_label = "energy",
                          .y_unit = "J",
                          .logarithmic = logarithmic,
                          .x = x,
                          .count = count,
                          .series = &series,
                          .series_count = 1};
    *svg = (base_text){0};
    io_plot_draw(svg, &plot, &(io_frame){0, 0, 640, 400});
    assert_int_equal(base_text_status(svg), SHEAF_OK);
    assert_null(strstr(svg->bytes, "nan"));
    assert_null(strstr(svg->bytes, "inf"));
}

static void curves_have_gaps_where_values_are_missing(void **state)
{
    (void)state;
    base_text svg;
    draw((double[]){1, 2, NAN, 3, 4, INFINITY, 5, 6}, 8, false, &svg);
    assert_int_equal(occurrences(svg.bytes, "stroke='#123456'"), 4); // three stretches and the legend
    assert_non_null(strstr(svg.bytes, "a &lt;b&gt; &amp; c"));
    assert_non_null(strstr(svg.bytes, "energy (J)"));
    base_text_free(&svg);
    draw((double[]){0, 1e-6, 1e-3, -1}, 4, true, &svg);
    assert_non_null(strstr(svg.bytes, "1e-6"));
    base_text_free(&svg);
}

static void odd_data_still_gives_a_plot(void **state)
{
    (void)state;
    base_text svg;
    draw(NULL, 0, false, &svg);
    base_text_free(&svg);
    draw((double[]){0, 0, 0}, 3, false, &svg);
    base_text_free(&svg);
    draw((double[]){5e-9}, 1, false, &svg);
    assert_non_null(strstr(svg.bytes, "(nJ)"));
    base_text_free(&svg);
    draw((double[]){-7, -7}, 2, false, &svg);
    base_text_free(&svg);
    draw((double[]){NAN, NAN}, 2, true, &svg);
    base_text_free(&svg);
}

static void dots_and_logarithmic_axes(void **state)
{
    (void)state;
    base_text svg = {0};
    const double x[4] = {64, 128, 256, -1}, y[4] = {1e-1, 1e-2, 1e-3, 1};
    const io_series series = {.name = "dots", .colour = "#123456", .mark = IO_MARK_DOTS, .x = x, .y = y, .count = 4};
    const io_plot plot = {.title = "title",
                          .x_label = "edges",
                          .y_label = "error",
                          .logarithmic = true,
                          .x_logarithmic = true,
                          .series = &series,
                          .series_count = 1};
    io_plot_draw(&svg, &plot, &(io_frame){0, 0, 640, 400});
    assert_int_equal(base_text_status(&svg), SHEAF_OK);
    assert_int_equal(occurrences(svg.bytes, "<circle"), 4); // three that can be shown, and the legend's
    assert_non_null(strstr(svg.bytes, ">100<"));
    assert_non_null(strstr(svg.bytes, ">200<"));
    assert_null(strstr(svg.bytes, "nan"));
    base_text_free(&svg);
}

// What lies off the axes is left out, not drawn beside them.
static void ranges_cut(void **state)
{
    (void)state;
    base_text svg = {0};
    const double x[3] = {0, 1, 2}, y[3] = {0.5, 7, 0.5};
    const io_series series = {.name = "", .colour = "#123456", .mark = IO_MARK_DOTS, .x = x, .y = y, .count = 3};
    const io_plot plot = {
        .title = "", .x_label = "", .y_label = "", .y_range = {0, 1}, .series = &series, .series_count = 1};
    io_plot_draw(&svg, &plot, &(io_frame){0, 0, 640, 400});
    assert_int_equal(occurrences(svg.bytes, "<circle"), 2);
    base_text_free(&svg);
}

static void cells_are_coloured(void **state)
{
    (void)state;
    base_text svg = {0};
    const double values[6] = {0, 0.5, 1, NAN, 2, -1};
    const io_cells cells = {
        .columns = 3, .rows = 2, .values = values, .x = {1, 100}, .y = {0, 2}, .low = 0, .high = 1, .label = "error"};
    const io_plot plot = {.title = "", .x_label = "", .y_label = "", .x_logarithmic = true, .cells = &cells};
    io_plot_draw(&svg, &plot, &(io_frame){0, 0, 640, 400});
    assert_int_equal(occurrences(svg.bytes, "#c8ccd2"), 1); // not a number
    assert_true(occurrences(svg.bytes, "fill='#381456'") >= 2 && occurrences(svg.bytes, "fill='#fae23c'") >= 2);
    assert_null(strstr(svg.bytes, "nan"));
    base_text_free(&svg);
}

static void curves_pass_through_their_points(void **state)
{
    (void)state;
    base_text svg = {0};
    const double points[5][2] = {{0, 0}, {10, 0}, {20, 10.25}, {30, 10}, {40, 0}};
    io_svg_curve(&svg, points, 5, "");
    assert_non_null(strstr(svg.bytes, "M10 0C"));
    assert_non_null(strstr(svg.bytes, " 20 10.2"));
    assert_non_null(strstr(svg.bytes, " 30 10'"));
    base_text_free(&svg);
}

static void fill(io_thermo *thermo, size_t count)
{
    *thermo = (io_thermo){0};
    for (size_t k = 0; k < count; k++) {
        const double t = (double)k / 60;
        const sheaf_report row = {.time = t,
                                  .step = 2 * k,
                                  .kinetic = 1e-6 * t,
                                  .bending = 1.0 / 3,
                                  .twisting = 2,
                                  .gravitational = -5,
                                  .worst_strain = 1e-9,
                                  .mean_newton = 1.5,
                                  .mean_projections = 3,
                                  .twist_residual = 1e-12,
                                  .frozen_strands = (uint32_t)k,
                                  .unmet_strands = (uint32_t)(2 * k)};
        assert_int_equal(io_thermo_add(thermo, &row, NULL), SHEAF_OK);
    }
}

// Writes rows to a temporary file, then `extra`; gives the file's name.
static void write_rows(const io_thermo *thermo, const char *extra, char path[32])
{
    strcpy(path, "/tmp/sheaf-test-XXXXXX");
    FILE *stream = fdopen(mkstemp(path), "w");
    assert_true(io_thermo_write_header(stream, thermo));
    for (size_t k = 0; k < thermo->count; k++)
        assert_true(io_thermo_write_row(stream, thermo, k));
    fputs(extra, stream);
    assert_int_equal(fclose(stream), 0);
}

static void thermo_is_read_as_written(void **state)
{
    (void)state;
    io_thermo thermo, read;
    char path[32], problem[160];
    fill(&thermo, 200);
    write_rows(&thermo, "", path);
    assert_int_equal(io_thermo_read(path, &read, problem, sizeof problem), SHEAF_OK);
    assert_string_equal(problem, "");
    assert_int_equal(read.count, 200);
    for (size_t k = 0; k < 200; k++) {
        assert_true(fabs(read.rows[k].bending - 1.0 / 3) <= 1e-9);
        assert_int_equal(read.rows[k].step, 2 * k);
        assert_int_equal(read.rows[k].frozen_strands, k);
        assert_int_equal(read.rows[k].unmet_strands, 2 * k);
        assert_true(fabs(read.rows[k].twist_residual - 1e-12) <= 1e-21);
    }
    unlink(path);
    io_thermo_free(&read);
    io_thermo_free(&thermo);
}

// Files of version 0.1 end with the column "frozen"; with still fewer they are none of ours.
static void older_thermo_is_read(void **state)
{
    (void)state;
    static const char older[] =
        "time_s,step,kinetic_J,bending_J,twisting_J,gravitational_J,total_J,worst_strain,newton,"
        "projections,twist_residual,frozen\n0.5,60,1,2,3,-4,2,1e-9,2,2,0,7\n";
    base_text text = {0};
    io_thermo read;
    char problem[160];
    base_text_add(&text, "%s", older);
    assert_int_equal(io_thermo_parse(&text, "older", &read, problem, sizeof problem), SHEAF_OK);
    assert_string_equal(problem, "");
    assert_true(read.count == 1 && read.rows[0].frozen_strands == 7 && read.rows[0].unmet_strands == 0);
    assert_false(io_thermo_has_columns(&text, &read));
    io_thermo_free(&read);
    base_text_free(&text);
    base_text_add(&text, "time_s,step,kinetic_J\n1,2,3\n");
    assert_int_equal(io_thermo_parse(&text, "none", &read, problem, sizeof problem), SHEAF_ERR_INPUT);
    base_text_free(&text);
}

// Figures that not every run has are columns of their own, found by name; energies among them are in the total.
static void further_figures_are_kept_by_name(void **state)
{
    (void)state;
    const method_figure first[] = {{"squeeze_J", METHOD_JOIN_SUM, true, 0.5}, {"contacts", METHOD_JOIN_SUM, false, 12}};
    const method_figure later[] = {{"contacts", METHOD_JOIN_SUM, false, 0}, {"new_N", METHOD_JOIN_MAX, false, 0}};
    const sheaf_report row = {.kinetic = 1, .gravitational = -4};
    io_thermo thermo = {0}, read;
    char path[32], problem[160];
    base_text text = {0};
    assert_int_equal(io_thermo_name_figures(&thermo, first, 2), SHEAF_OK);
    for (int k = 0; k < 100; k++)
        assert_int_equal(io_thermo_add(&thermo, &row, first), SHEAF_OK);
    write_rows(&thermo, "", path);
    assert_int_equal(io_file_read(path, IO_THERMO_LIMIT, &text), SHEAF_OK);
    assert_non_null(strstr(text.bytes, ",frozen,unmet,squeeze_J,contacts\n"));
    assert_int_equal(io_thermo_read(path, &read, problem, sizeof problem), SHEAF_OK);
    assert_string_equal(problem, "");
    assert_true(read.count == 100 && read.figure_count == 2 && read.totals[99] == -2.5 && read.figures[199] == 12);
    assert_true(io_thermo_has_columns(&text, &read));
    assert_int_equal(io_thermo_name_figures(&read, later, 2), SHEAF_OK);
    assert_false(io_thermo_has_columns(&text, &read));
    assert_true(read.figures[198] == 12 && read.figures[199] == 0 && read.totals[99] == -2.5);
    assert_int_equal(io_thermo_add(&read, &row, later), SHEAF_OK);
    assert_true(read.count == 101 && read.totals[100] == -3);
    unlink(path);
    base_text_free(&text);
    io_thermo_free(&read);
    io_thermo_free(&thermo);
}

static void damaged_rows_end_the_reading(void **state)
{
    (void)state;
    static const char *const tails[] = {"0.5,12,1e-3", "0.5,-1,0,0,0,0,0,0,0,0,0,0,0\n",
                                        "0.5,1,nan,0,0,0,0,0,0,0,0,0,0\n", "0.5,1,0,0,0,0,0,0,0,0,0,99999999999\n",
                                        "\n"};
    io_thermo thermo, read;
    fill(&thermo, 3);
    for (size_t k = 0; k < sizeof tails / sizeof tails[0]; k++) {
        char path[32], problem[160];
        write_rows(&thermo, tails[k], path);
        assert_int_equal(io_thermo_read(path, &read, problem, sizeof problem), SHEAF_OK);
        assert_int_equal(read.count, 3);
        assert_non_null(strstr(problem, "line 5"));
        io_thermo_free(&read);
        unlink(path);
    }
    io_thermo_free(&thermo);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    io_thermo read;
    char path[] = "/tmp/sheaf-test-XXXXXX", problem[160];
    close(mkstemp(path));
    assert_int_equal(io_thermo_read(path, &read, problem, sizeof problem), SHEAF_ERR_INPUT);
    assert_int_equal(io_file_write(path, true, "time,step\n1,2\n", 14), SHEAF_OK);
    assert_int_equal(io_thermo_read(path, &read, problem, sizeof problem), SHEAF_ERR_INPUT);
    assert_null(read.rows);
    unlink(path);
}

static void a_run_is_plotted(void **state)
{
    (void)state;
    io_thermo thermo;
    base_text svg = {0};
    fill(&thermo, 5000);
    assert_int_equal(io_thermo_plot(&thermo, "A & B", &svg), SHEAF_OK);
    assert_non_null(strstr(svg.bytes, "A &amp; B"));
    assert_non_null(strstr(svg.bytes, "kinetic"));
    assert_true(svg.length < 300000);
    base_text_free(&svg);
    thermo.count = 0;
    assert_int_equal(io_thermo_plot(&thermo, "", &svg), SHEAF_OK);
    base_text_free(&svg);
    io_thermo_free(&thermo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tick_steps_are_round_and_few),
        cmocka_unit_test(prefixes_suit_the_value),
        cmocka_unit_test(curves_have_gaps_where_values_are_missing),
        cmocka_unit_test(odd_data_still_gives_a_plot),
        cmocka_unit_test(dots_and_logarithmic_axes),
        cmocka_unit_test(ranges_cut),
        cmocka_unit_test(cells_are_coloured),
        cmocka_unit_test(curves_pass_through_their_points),
        cmocka_unit_test(thermo_is_read_as_written),
        cmocka_unit_test(older_thermo_is_read),
        cmocka_unit_test(further_figures_are_kept_by_name),
        cmocka_unit_test(damaged_rows_end_the_reading),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(a_run_is_plotted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
