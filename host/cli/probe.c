// probe: trying devices in a child process.
#include "cli/probe.h"

#include "cl/cache.h"
#include "cl/program.h"
#include "cli/child.h"
#include "cli/drivers.h"
#include "cli/message.h"
#include "cli/pocl.h"
#include "cli/signals.h"
#include "der/device/width.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// A child hangs when it does nothing for a while, or works without end. Time on the clock tells neither: compiling
// takes long on a busy machine.
static const double idle_limit = 10;  // s in which it waits and does next to nothing
static const double work_least = 0.3; // s of processor time that count as doing something
static const double work_limit = 120; // s of processor time
enum { clock_limit = 3600 };          // s on the clock, after which it ends by itself whatever holds it

// What a child says last when all is well: a driver that ends the process by itself says nothing.
static const char passed_word[] = "trial passed";

// ---- the child

// Opening a solver picks the lane width and checks known answers.
static sheaf_status try_device(uint32_t index)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_solver *solver = NULL;
    sheaf_model *model;
    sheaf_report report;
    def.backend = SHEAF_BACKEND_DEVICE;
    def.device = index;
    SHEAF_TRY(width_make_model(WIDTH_TRIAL_STRANDS, &model));
    sheaf_status status = sheaf_solver_open(model, &def, &solver);
    if (status == SHEAF_OK)
        status = sheaf_solver_step(solver, 2);
    if (status == SHEAF_OK)
        status = sheaf_solver_report(solver, &report);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
    return status;
}

int cli_probe_child(const char *what)
{
    device_info devices[DEVICE_MOST];
    uint32_t count;
    sheaf_log_set(NULL, NULL);
    (void)alarm(clock_limit);
    const sheaf_status status =
        strcmp(what, "list") == 0 ? device_list(devices, &count) : try_device((uint32_t)strtoul(what, NULL, 10));
    fprintf(stderr, "%s\n", status == SHEAF_OK ? passed_word : sheaf_last_error());
    (void)fflush(NULL);
    _exit(sheaf_status_exit_code(status)); // a driver that hangs would keep an ordinary exit from ending
}

// ---- the parent

typedef struct child {
    cli_child process; // its output: messages
    char said[1024];
    size_t length;
    char ending[sizeof passed_word + 1]; // the last bytes that it said, filled up from behind
} child;

static bool start_child(const char *what, child *it)
{
    const char *const words[] = {"devices", "--probe", what, NULL};
    return cli_child_start(words, STDERR_FILENO, &(const char *){NULL}, &it->process);
}

static double limit_of_work(void)
{
    const char *wish = getenv("SHEAF_PROBE_LIMIT");
    const double limit = wish != NULL ? strtod(wish, NULL) : 0;
    return limit > 0 && limit < 3600 ? limit : work_limit;
}

// Processor time that a child has used, s.
static double work_of(pid_t id)
{
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid(id, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return 0;
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

// Whether a child is ready to work and only waits for its turn on a busy machine.
static bool is_runnable(pid_t id)
{
    char path[64], facts[512];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)id);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    const size_t length = fread(facts, 1, sizeof facts - 1, file);
    (void)fclose(file);
    facts[length] = 0;
    const char *state = strrchr(facts, ')'); // of the program's name
    return state != NULL && state[1] == ' ' && state[2] == 'R';
}

// Watches a child for signs of life.
typedef struct watch {
    double work;  // s, when last looked at
    double since; // clock, when it had last grown
} watch;

static bool is_alive(watch *w, pid_t id)
{
    const double work = work_of(id), now = base_clock();
    if (work > w->work + work_least || is_runnable(id))
        *w = (watch){work, now};
    return work < limit_of_work() && now - w->since < fmin(idle_limit, limit_of_work());
}

static void take_in(child *it, const char *bytes, size_t count)
{
    const size_t room = sizeof it->said - 1 - it->length, taken = count < room ? count : room;
    memcpy(it->said + it->length, bytes, taken);
    it->length += taken;
    for (size_t k = 0; k < count; k++) {
        memmove(it->ending, it->ending + 1, sizeof it->ending - 2);
        it->ending[sizeof it->ending - 2] = bytes[k];
    }
}

static bool has_passed(const child *it)
{
    const size_t length = sizeof passed_word - 1;
    return strncmp(it->ending, passed_word, length) == 0 && it->ending[length] == '\n';
}

// Collects what the child says until it closes its end. False when it hangs, or when a signal asks us to end.
static bool listen_to(child *it)
{
    watch w = {0, base_clock()};
    while (cli_caught_signal() == 0 && is_alive(&w, it->process.id)) {
        char bytes[512];
        struct pollfd wait = {.fd = it->process.output, .events = POLLIN};
        if (poll(&wait, 1, 200) <= 0)
            continue;
        const ssize_t got = read(it->process.output, bytes, sizeof bytes);
        if (got <= 0)
            return true;
        take_in(it, bytes, (size_t)got);
    }
    return false;
}

// How a child ended.
typedef enum verdict { PASSED, REFUSED, CRASHED, STOPPED } verdict;

static verdict end_child(child *it, bool in_time)
{
    int state = 0;
    if (!in_time)
        kill(it->process.id, SIGKILL);
    close(it->process.output);
    while (waitpid(it->process.id, &state, 0) < 0 && errno == EINTR)
        continue;
    it->said[it->length] = 0;
    it->said[strcspn(it->said, "\n")] = 0;
    if (cli_caught_signal() != 0)
        return STOPPED;
    if (in_time && WIFEXITED(state) && WEXITSTATUS(state) == 0 && has_passed(it))
        return PASSED;
    if (!in_time)
        base_fail(SHEAF_ERR_DEVICE, "an OpenCL driver hung in a trial");
    else if (WIFSIGNALED(state))
        base_fail(SHEAF_ERR_DEVICE, "an OpenCL driver crashed in a trial (signal %d)%s%s", WTERMSIG(state),
                  it->said[0] ? ": " : "", it->said);
    else if (WEXITSTATUS(state) == 0)
        base_fail(SHEAF_ERR_DEVICE, "an OpenCL driver ended a trial before it was over");
    else
        base_fail(SHEAF_ERR_DEVICE, "%s",
                  it->said[0] ? it->said : "an OpenCL driver ended a trial for unknown reasons");
    return in_time && WIFEXITED(state) ? REFUSED : CRASHED;
}

static verdict run_child(const char *what)
{
    child it = {.length = 0};
    if (!start_child(what, &it)) {
        base_fail(SHEAF_ERR_DEVICE, "a trial of the OpenCL driver could not be started: %s", strerror(errno));
        return REFUSED;
    }
    return end_child(&it, listen_to(&it));
}

// A crash may come of a damaged cache of the driver's own: once more with an empty one.
static sheaf_status try_in_child(const char *what)
{
    verdict result = run_child(what);
    if (result == CRASHED) {
        cli_pocl_start_afresh();
        result = run_child(what);
    }
    if (result == STOPPED)
        return base_fail(SHEAF_ERR_INTERRUPTED, "stopped while a device was tried");
    return result == PASSED ? SHEAF_OK : SHEAF_ERR_DEVICE;
}

// ---- stamps: trials that were passed

static bool is_stamped(const char *key)
{
    base_text nothing = {0};
    const bool found = cache_load("stamp", key, &nothing);
    base_text_free(&nothing);
    return found;
}

static void stamp(const char *key)
{
    cache_store("stamp", key, "", 0);
}

sheaf_status cli_opencl_open(void)
{
    base_text key = {0};
    sheaf_status status = SHEAF_OK;
    cli_pocl_open();
    cli_drivers_describe(&key);
    const bool known = base_text_status(&key) == SHEAF_OK && is_stamped(key.bytes);
    if (!known)
        status = try_in_child("list");
    if (!known && status == SHEAF_OK && base_text_status(&key) == SHEAF_OK)
        stamp(key.bytes);
    base_text_free(&key);
    return status;
}

// A driver that was replaced in place tells the same name and version, and is another file.
static sheaf_status write_device_key(const device_info *device, base_text *key)
{
    char identity[PROGRAM_IDENTITY_SIZE];
    program_identity(device, identity);
    base_text_add(key, "%s; ", identity);
    cli_drivers_describe(key);
    const sheaf_status status = base_text_status(key);
    if (status != SHEAF_OK)
        base_text_free(key);
    return status;
}

sheaf_status cli_probe_device(uint32_t index, const device_info *device, bool quiet)
{
    char number[16], reason[128];
    base_text key = {0};
    if (!device_is_usable(device, reason, sizeof reason))
        return base_fail(SHEAF_ERR_DEVICE, "%s cannot be used: %s", device->name, reason);
    SHEAF_TRY(write_device_key(device, &key));
    snprintf(number, sizeof number, "%u", index);
    const bool known = is_stamped(key.bytes);
    if (!known && !quiet)
        cli_note(
            "first start with this driver: compiling kernels and trying them, about 15 s; `sheaf devices --prepare` "
            "does so ahead for all kinds of scenes");
    const sheaf_status status = known ? SHEAF_OK : try_in_child(number);
    if (!known && status == SHEAF_OK)
        stamp(key.bytes);
    base_text_free(&key);
    return status;
}

// ---- picking

static sheaf_status pick_best(uint32_t *index, bool quiet)
{
    device_info devices[DEVICE_MOST];
    uint32_t count;
    char why[128];
    SHEAF_TRY(device_list(devices, &count));
    for (;;) {
        *index = device_choose(devices, count, why, sizeof why);
        if (*index == count)
            return base_fail(SHEAF_ERR_DEVICE, "%s", why);
        const sheaf_status status = cli_probe_device(*index, &devices[*index], quiet);
        if (status == SHEAF_OK || status == SHEAF_ERR_INTERRUPTED || count == 1)
            return status;
        cli_warn("device %u is passed over: %s", *index, sheaf_last_error());
        devices[*index].has_compiler = false;
    }
}

static sheaf_status pick(sheaf_solver_def *solver, bool quiet)
{
    device_info device;
    SHEAF_TRY(cli_opencl_open());
    if (solver->device == SHEAF_DEVICE_BEST)
        return pick_best(&solver->device, quiet);
    SHEAF_TRY(device_find(solver->device, &device));
    return cli_probe_device(solver->device, &device, quiet);
}

const char *const cli_devices[] = {"auto", "0", "1", "2", "3", "4", "5", "6", "7", NULL};

uint32_t cli_device_number(int choice)
{
    return choice == 0 ? SHEAF_DEVICE_BEST : (uint32_t)(choice - 1);
}

const char *const cli_backends[] = {"auto", "ref", "0", "1", "2", "3", "4", "5", "6", "7", NULL};

void cli_set_backend(int choice, sheaf_solver_def *solver)
{
    if (choice == CLI_BACKEND_REFERENCE)
        solver->backend = SHEAF_BACKEND_REFERENCE;
    if (choice <= CLI_BACKEND_REFERENCE)
        return;
    solver->backend = SHEAF_BACKEND_DEVICE;
    solver->device = (uint32_t)(choice - CLI_BACKEND_REFERENCE - 1);
}

sheaf_status cli_pick_device(sheaf_solver_def *solver, bool quiet)
{
    if (solver->backend == SHEAF_BACKEND_REFERENCE)
        return SHEAF_OK;
    const sheaf_status status = pick(solver, quiet);
    if (status == SHEAF_OK || status == SHEAF_ERR_INTERRUPTED || solver->backend == SHEAF_BACKEND_DEVICE)
        return status;
    cli_note("running on the reference: %s", sheaf_last_error());
    solver->backend = SHEAF_BACKEND_REFERENCE;
    return SHEAF_OK;
}

void cli_opencl_close(void)
{
    cli_pocl_close();
}
