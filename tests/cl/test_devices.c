// test_devices: devices and their limits: memory, slices, the length of launches, and the kernel cache.
// labels: device;alone
#include "cl/cache.h"
#include "cl/program.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crowd.h"
#include "unit.h"

// ---- memory

typedef struct outcome {
    double (*positions)[3], (*velocities)[3];
    sheaf_report report;
    engine_memory memory;
} outcome;

static outcome run(const sheaf_model *model, engine_options options)
{
    outcome it = {.positions = malloc(model->vertex_count * sizeof *it.positions),
                  .velocities = malloc(model->vertex_count * sizeof *it.positions)};
    sheaf_engine *engine;
    if (der_open_engine(model, &options, &engine) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    it.memory = engine_memory_use(engine);
    assert_int_equal(engine_step(engine, 9), SHEAF_OK);
    assert_int_equal(engine_report(engine, &it.report), SHEAF_OK); // in the middle: slices must be put back in order
    assert_int_equal(engine_step(engine, 4), SHEAF_OK);
    assert_int_equal(der_read(engine, it.positions, it.velocities), SHEAF_OK);
    engine_close(engine);
    return it;
}

static void free_outcome(outcome *it)
{
    free(it->positions);
    free(it->velocities);
}

// Maxima and counts are the same; sums over strands are rounded in another order.
static void assert_same_report(const sheaf_report *a, const sheaf_report *b)
{
    const double scale = a->kinetic + a->bending + a->twisting + fabs(a->gravitational);
    assert_true(a->time == b->time && a->step == b->step && a->frozen_strands == b->frozen_strands);
    assert_true(a->worst_strain == b->worst_strain && a->twist_residual == b->twist_residual);
    assert_true(a->mean_newton == b->mean_newton && a->mean_projections == b->mean_projections);
    assert_true(fabs(a->kinetic - b->kinetic) <= 1e-6 * a->kinetic);
    assert_true(fabs(a->bending - b->bending) <= 1e-6 * a->bending);
    assert_true(fabs(a->twisting - b->twisting) <= 1e-6 * a->twisting);
    assert_true(fabs(a->gravitational - b->gravitational) <= 1e-6 * scale);
}

static void check_slices(const crowd *c, engine_options options, double share)
{
    sheaf_model *model = crowd_model(c);
    const size_t size = model->vertex_count * sizeof(double[3]);
    outcome whole = run(model, options);
    assert_int_equal(whole.memory.slice_count, 1);
    assert_true(whole.memory.used <= whole.memory.limit);
    options.memory_limit = (uint64_t)(share * (double)whole.memory.needed);
    outcome sliced = run(model, options);
    printf("needed %llu, limit %llu, used %llu, %u slices\n", (unsigned long long)sliced.memory.needed,
           (unsigned long long)sliced.memory.limit, (unsigned long long)sliced.memory.used, sliced.memory.slice_count);
    assert_true(sliced.memory.slice_count > 1);
    assert_true(sliced.memory.used <= sliced.memory.limit);
    assert_memory_equal(whole.positions, sliced.positions, size);
    assert_memory_equal(whole.velocities, sliced.velocities, size);
    assert_same_report(&whole.report, &sliced.report);
    free_outcome(&whole);
    free_outcome(&sliced);
    sheaf_model_free(model);
}

static void slices_change_no_bit(void **fixture)
{
    (void)fixture;
    const double step = 1. / 120;
    const crowd mixed = {.strand_count = 301, .vertex_count = 12, .is_ragged = true, .is_mixed = true, .step = step};
    check_slices(&mixed, (engine_options){.lane_width = 8, .step = step}, 0.3);
    check_slices(&mixed, (engine_options){.lane_width = 8, .step = step}, 0.6);
    check_slices(&mixed, (engine_options){.lane_width = 8, .step = step, .is_staged = true}, 0.3);
}

static void a_model_that_cannot_fit_is_refused_with_figures(void **fixture)
{
    (void)fixture;
    const crowd one = {.strand_count = 3, .vertex_count = 40, .step = 1. / 120};
    sheaf_model *model = crowd_model(&one);
    const engine_options options = {.lane_width = 8, .step = one.step, .memory_limit = 20000};
    sheaf_engine *engine;
    assert_int_equal(der_open_engine(model, &options, &engine), SHEAF_ERR_DEVICE);
    assert_null(engine);
    assert_non_null(strstr(sheaf_last_error(), "40 vertices"));
    assert_non_null(strstr(sheaf_last_error(), "MiB"));
    sheaf_model_free(model);
}

// ---- launches

// The longest launch as a share of the time that all launches take.
static double longest_share(const sheaf_model *model)
{
    const engine_options options = {.lane_width = 8, .step = model->def.step};
    sheaf_engine *engine;
    assert_int_equal(der_open_engine(model, &options, &engine), SHEAF_OK);
    const double start = base_clock();
    assert_int_equal(engine_step(engine, 200), SHEAF_OK);
    assert_int_equal(engine_wait(engine), SHEAF_OK);
    const double whole = base_clock() - start, longest = engine_longest_launch(engine);
    printf("longest launch %.1f ms of %.1f\n", 1e3 * longest, 1e3 * whole);
    engine_close(engine);
    assert_true(longest > 0);
    return longest / whole;
}

// A device does other things between launches: none takes a third of all the time. How long that is depends on the
// machine and on what else it does; where that held one launch up, another try decides.
static void launches_stay_short(void **fixture)
{
    (void)fixture;
    const crowd many = {.strand_count = 6000, .vertex_count = 24, .step = 1. / 120};
    sheaf_model *model = crowd_model(&many);
    double share = longest_share(model);
    for (int tries = 1; tries < 4 && share >= 1. / 3; tries++)
        share = longest_share(model);
    assert_true(share < 1. / 3);
    sheaf_model_free(model);
}

// ---- the cache; every test has a folder of its own

static char folder[] = "/tmp/sheaf-cache-XXXXXX";

static int make_folder(void **fixture)
{
    (void)fixture;
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    return mkdtemp(folder) != NULL && setenv("XDG_CACHE_HOME", folder, 1) == 0 ? 0 : -1;
}

// Calls `act` for the path of every entry; returns how many there are.
static int each_entry(void (*act)(const char *path))
{
    char path[CACHE_PATH_SIZE], name[CACHE_PATH_SIZE + 300];
    int count = 0;
    assert_true(cache_folder(path));
    DIR *listing = opendir(path);
    assert_non_null(listing);
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (act != NULL)
            act(name);
        count++;
    }
    closedir(listing);
    return count;
}

static void drop(const char *path)
{
    assert_int_equal(unlink(path), 0);
}

static int drop_folder(void **fixture)
{
    (void)fixture;
    char path[CACHE_PATH_SIZE];
    setenv("XDG_CACHE_HOME", folder, 1);
    each_entry(drop);
    assert_true(cache_folder(path));
    return rmdir(path) || rmdir(folder);
}

static long file_size(const char *path)
{
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    return (long)facts.st_size;
}

static void cut_short(const char *path)
{
    assert_int_equal(truncate(path, file_size(path) - 1), 0);
}

static void empty(const char *path)
{
    assert_int_equal(truncate(path, 0), 0);
}

static void lengthen(const char *path)
{
    assert_int_equal(truncate(path, file_size(path) + 1), 0);
}

static void flip_last_bit(const char *path)
{
    FILE *file = fopen(path, "r+b");
    assert_int_equal(fseek(file, -1, SEEK_END), 0);
    const int byte = fgetc(file);
    assert_int_equal(fseek(file, -1, SEEK_END), 0);
    fputc(byte ^ 1, file);
    assert_int_equal(fclose(file), 0);
}

static bool holds(const char *kind, const char *key, const char *expected)
{
    base_text content = {0};
    const bool found = cache_load(kind, key, &content);
    if (found)
        assert_string_equal(base_text_get(&content), expected);
    base_text_free(&content);
    return found;
}

static void entries_are_kept_by_kind_and_key(void **fixture)
{
    (void)fixture;
    assert_false(holds("note", "a", ""));
    cache_store("note", "a", "first", 5);
    cache_store("note", "b", "second", 6);
    cache_store("word", "a", "third", 5);
    assert_true(holds("note", "a", "first"));
    assert_true(holds("note", "b", "second"));
    assert_true(holds("word", "a", "third"));
    cache_store("note", "a", "fourth", 6);
    assert_true(holds("note", "a", "fourth"));
    assert_int_equal(each_entry(NULL), 3);
}

static void damaged_entries_are_dropped(void **fixture)
{
    (void)fixture;
    void (*const damages[])(const char *) = {cut_short, empty, lengthen, flip_last_bit};
    for (size_t k = 0; k < sizeof damages / sizeof damages[0]; k++) {
        cache_store("note", "key", "content", 7);
        assert_int_equal(each_entry(damages[k]), 1);
        assert_false(holds("note", "key", ""));
        assert_int_equal(each_entry(NULL), 0);
    }
}

static char renamed[CACHE_PATH_SIZE + 300];

static void give_name(const char *path)
{
    assert_int_equal(rename(path, renamed), 0);
}

// An entry under the name of another key is not taken for it.
static void foreign_entries_are_dropped(void **fixture)
{
    (void)fixture;
    cache_store("note", "mine", "content", 7);
    void (*const remember)(const char *) = drop;
    char path[CACHE_PATH_SIZE];
    assert_true(cache_folder(path));
    DIR *listing = opendir(path);
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;)
        if (entry->d_name[0] != '.')
            snprintf(renamed, sizeof renamed, "%s/%s", path, entry->d_name);
    closedir(listing);
    each_entry(remember);
    cache_store("note", "other", "content", 7);
    each_entry(give_name);
    assert_false(holds("note", "mine", ""));
    assert_int_equal(each_entry(NULL), 0);
}

static int notice_count;

static void count_notice(sheaf_log_level level, const char *message, void *user)
{
    (void)user;
    if (level == SHEAF_LOG_NOTICE && strstr(message, "kernel cache") != NULL)
        notice_count++;
}

static void an_unwritable_folder_is_told_once_and_harmless(void **fixture)
{
    (void)fixture;
    sheaf_log_set(count_notice, NULL);
    setenv("XDG_CACHE_HOME", "/dev/null/nowhere", 1);
    cache_store("note", "key", "content", 7);
    assert_false(holds("note", "key", ""));
    cache_store("note", "key", "content", 7);
    assert_int_equal(notice_count, 1);
    sheaf_log_set(NULL, NULL);
}

static void a_folder_open_to_others_is_not_used(void **fixture)
{
    (void)fixture;
    char path[CACHE_PATH_SIZE];
    assert_true(cache_folder(path));
    assert_int_equal(chmod(path, 0777), 0);
    assert_false(cache_folder(path));
    assert_int_equal(chmod(path, 0700), 0);
    assert_true(cache_folder(path));
}

// ---- programs from the cache

static void programs_are_kept_and_give_the_same_bits(void **fixture)
{
    (void)fixture;
    const crowd few = {.strand_count = 9, .vertex_count = 8, .integrator = SHEAF_INTEGRATOR_EXPLICIT, .step = 1e-5};
    const engine_options options = {.lane_width = 8, .step = few.step};
    sheaf_model *model = crowd_model(&few);
    const size_t size = model->vertex_count * sizeof(double[3]);
    setenv("SHEAF_PROGRAM_CACHE", "off", 1);
    outcome built = run(model, options);
    assert_int_equal(each_entry(NULL), 0);
    setenv("SHEAF_PROGRAM_CACHE", "on", 1);
    void (*const damages[])(const char *) = {NULL, NULL, cut_short, flip_last_bit};
    for (size_t k = 0; k < sizeof damages / sizeof damages[0]; k++) {
        if (damages[k] != NULL)
            each_entry(damages[k]);
        outcome kept = run(model, options);
        assert_int_equal(each_entry(NULL), 2); // steps, figures
        assert_memory_equal(built.positions, kept.positions, size);
        free_outcome(&kept);
    }
    unsetenv("SHEAF_PROGRAM_CACHE");
    free_outcome(&built);
    sheaf_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_change_no_bit),
        cmocka_unit_test(a_model_that_cannot_fit_is_refused_with_figures),
        cmocka_unit_test(launches_stay_short),
        cmocka_unit_test_setup_teardown(entries_are_kept_by_kind_and_key, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(damaged_entries_are_dropped, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(foreign_entries_are_dropped, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(an_unwritable_folder_is_told_once_and_harmless, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(a_folder_open_to_others_is_not_used, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(programs_are_kept_and_give_the_same_bits, make_folder, drop_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
