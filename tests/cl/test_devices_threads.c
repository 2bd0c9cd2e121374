// test_devices_threads: the library inside a program of others: two threads open solvers at once, as the first thing
// the process does with OpenCL, and the program's signal handlers stay its own. Each trial is a process of its own.
// labels: device
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "crowd.h"
#include "unit.h"

static const crowd few = {.strand_count = 9, .vertex_count = 12, .step = 1. / 120};

typedef struct opener {
    pthread_barrier_t *start;
    sheaf_model *model;
    double (*positions)[3];
    sheaf_status status;
} opener;

static sheaf_status step(sheaf_solver *solver, const opener *it)
{
    SHEAF_TRY(sheaf_solver_step(solver, 4));
    return sheaf_solver_read_positions(solver, it->positions, it->model->vertex_count);
}

static void *open_and_step(void *argument)
{
    opener *it = argument;
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_solver *solver = NULL;
    def.backend = SHEAF_BACKEND_DEVICE;
    pthread_barrier_wait(it->start);
    it->status = sheaf_solver_open(it->model, &def, &solver);
    if (it->status == SHEAF_OK)
        it->status = step(solver, it);
    if (it->status != SHEAF_OK)
        fprintf(stderr, "%s\n", sheaf_last_error());
    sheaf_solver_close(solver);
    return NULL;
}

// Exit code 0: both were on the device and ended with the same bits.
static int open_two(void)
{
    pthread_barrier_t start;
    pthread_t threads[2];
    opener both[2];
    pthread_barrier_init(&start, NULL, 2);
    for (int k = 0; k < 2; k++) {
        sheaf_model *model = crowd_model(&few);
        both[k] = (opener){.start = &start, .model = model};
        both[k].positions = calloc(model->vertex_count, sizeof *both[k].positions);
        if (pthread_create(&threads[k], NULL, open_and_step, &both[k]) != 0)
            return 3;
    }
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
    if (both[0].status != SHEAF_OK || both[1].status != SHEAF_OK)
        return 2;
    return memcmp(both[0].positions, both[1].positions, both[0].model->vertex_count * sizeof(double[3])) != 0;
}

// How a process that does this ends, as waitpid tells it.
static int in_a_process(int (*act)(void))
{
    int state = -1;
    const pid_t id = fork();
    assert_true(id >= 0);
    if (id == 0)
        _exit(act());
    assert_int_equal(waitpid(id, &state, 0), id);
    return state;
}

static int trials(int usual)
{
    const char *wish = getenv("SHEAF_TEST_TRIALS");
    return wish ? atoi(wish) : usual;
}

static void two_threads_open_solvers_at_once(void **fixture)
{
    (void)fixture;
    for (int k = 0; k < trials(12); k++)
        assert_int_equal(in_a_process(open_two), 0);
}

static void and_so_they_do_when_nothing_is_compiled_yet(void **fixture)
{
    (void)fixture;
    char command[64];
    setenv("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable", 1); // soon compiled
    for (int k = 0; k < 3; k++) {
        char folder[] = "/tmp/sheaf-threads-XXXXXX";
        assert_non_null(mkdtemp(folder));
        setenv("POCL_CACHE_DIR", folder, 1);
        const int state = in_a_process(open_two);
        snprintf(command, sizeof command, "rm -r %s", folder);
        assert_int_equal(system(command), 0);
        assert_int_equal(state, 0);
    }
    unsetenv("POCL_CACHE_DIR");
    unsetenv("POCL_EXTRA_BUILD_FLAGS");
}

// ---- signals

static volatile sig_atomic_t seen;

static void note(int number)
{
    seen = number;
}

static bool has_handler(int number, void (*handler)(int))
{
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && now.sa_handler == handler;
}

static int keep_handlers(void)
{
    static const int mine[] = {SIGINT, SIGTERM, SIGSEGV, SIGUSR1};
    const struct sigaction action = {.sa_handler = note};
    for (int k = 0; k < 4; k++)
        sigaction(mine[k], &action, NULL);
    signal(SIGHUP, SIG_IGN);
    if (open_two() != 0)
        return 2;
    for (int k = 0; k < 4; k++)
        if (!has_handler(mine[k], note))
            return 10 + k;
    if (!has_handler(SIGHUP, SIG_IGN) || !has_handler(SIGUSR2, SIG_DFL))
        return 4;
    raise(SIGINT);
    return seen == SIGINT ? 0 : 5;
}

static void handlers_of_the_program_stay(void **fixture)
{
    (void)fixture;
    assert_int_equal(in_a_process(keep_handlers), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_threads_open_solvers_at_once),
        cmocka_unit_test(and_so_they_do_when_nothing_is_compiled_yet),
        cmocka_unit_test(handlers_of_the_program_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
