// bench_threads: the same work with one thread and with two. PoCL takes the number of its threads from the environment
// when it is loaded, so that each measurement needs a process of its own.
#include "cli/bench.h"

#include "cli/child.h"
#include "cli/signals.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REPEATS = 3 };

bool cli_bench_has_threads(const device_info *device)
{
    return strcmp(device->platform, "Portable Computing Language") == 0 && device->compute_units > 1;
}

static sheaf_status collect(const cli_child *child, base_text *said)
{
    char bytes[4096];
    ssize_t got;
    int state = 0;
    while ((got = read(child->output, bytes, sizeof bytes)) > 0 || (got < 0 && errno == EINTR))
        if (got > 0)
            base_text_add_bytes(said, bytes, (size_t)got);
    close(child->output);
    while (waitpid(child->id, &state, 0) < 0 && errno == EINTR)
        continue;
    if (cli_caught_signal() != 0)
        return SHEAF_ERR_INTERRUPTED;
    if (!WIFEXITED(state) || WEXITSTATUS(state) != 0)
        return base_fail(SHEAF_ERR_DEVICE, "a measurement with another number of threads failed");
    return base_text_status(said);
}

sheaf_status cli_bench_worker(const char *what, const bench_threads *how, uint32_t threads, json_t **root)
{
    char number[16], count[64], lanes[32];
    const char *settings[] = {count, how->width > 0 ? lanes : NULL, NULL};
    base_text said = {0};
    cli_child child;
    const char *words[] = {"bench", what, "--worker", "--json", "--device", number, how->quick ? "--quick" : NULL,
                           NULL};
    *root = NULL;
    snprintf(number, sizeof number, "%u", how->device);
    snprintf(count, sizeof count, "POCL_MAX_PTHREAD_COUNT=%u", threads);
    snprintf(lanes, sizeof lanes, "SHEAF_LANES=%u", how->width);
    if (!cli_child_start(words, STDOUT_FILENO, settings, &child))
        return base_fail(SHEAF_ERR_DEVICE, "a child process could not be started: %s", strerror(errno));
    const sheaf_status status = collect(&child, &said);
    if (status == SHEAF_OK)
        *root = json_loadb(base_text_get(&said), said.length, 0, NULL);
    base_text_free(&said);
    return status;
}

static sheaf_status run_once(const bench_threads *how, uint32_t threads, bench_row *row)
{
    json_t *root;
    SHEAF_TRY(cli_bench_worker(row->what.workload->name, how, threads, &root));
    const bool found = cli_bench_read_row(json_array_get(json_object_get(root, "rows"), 0), row);
    json_decref(root);
    return found ? SHEAF_OK : base_fail(SHEAF_ERR_DEVICE, "a measurement with another number of threads told nothing");
}

sheaf_status cli_bench_threads(const bench_threads *how, bench_section *section)
{
    bench_case what[BENCH_CASES_MOST];
    bench_plan(BENCH_SET_THREADS, how->width, how->quick, what);
    section->count = 2;
    for (int repeat = 0; repeat < (how->quick ? 1 : REPEATS); repeat++)
        for (uint32_t k = 0; k < 2; k++) {
            bench_row row = {.what = what[0]};
            SHEAF_TRY(run_once(how, k + 1, &row));
            if (repeat == 0 || row.rate > section->rows[k].rate)
                section->rows[k] = row;
        }
    return SHEAF_OK;
}
