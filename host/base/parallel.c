// parallel: loops over independent items on several threads.
#include "base/base.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST_WORKERS = 64, LAST_ERROR_SIZE = 1024 };

// One worker's share of a loop, and how it ended. The last error belongs to the thread, so its text is carried over.
typedef struct share {
    base_range_fn *fn;
    void *user;
    size_t first, end;
    uint32_t worker;
    sheaf_status status;
    char error[LAST_ERROR_SIZE];
} share;

static void *run_share(void *argument)
{
    share *s = argument;
    s->status = s->fn(s->first, s->end, s->worker, s->user);
    if (s->status != SHEAF_OK)
        snprintf(s->error, sizeof s->error, "%s", sheaf_last_error());
    return NULL;
}

uint32_t base_worker_count(uint32_t threads)
{
    long count = threads;
    if (threads == 0)
        count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > MOST_WORKERS ? MOST_WORKERS : (uint32_t)count;
}

sheaf_status base_parallel_for(size_t count, uint32_t threads, base_range_fn *fn, void *user)
{
    share shares[MOST_WORKERS];
    pthread_t ids[MOST_WORKERS];
    bool started[MOST_WORKERS] = {false};
    uint32_t workers = base_worker_count(threads);
    if (workers > count)
        workers = count > 0 ? (uint32_t)count : 1;
    for (uint32_t k = 0; k < workers; k++)
        shares[k] = (share){
            .first = count * k / workers, .end = count * (k + 1) / workers, .worker = k, .fn = fn, .user = user};
    for (uint32_t k = 1; k < workers; k++)
        started[k] = pthread_create(&ids[k], NULL, run_share, &shares[k]) == 0;
    for (uint32_t k = 0; k < workers; k++)
        if (!started[k]) // the caller's own share, and those no thread could be had for
            run_share(&shares[k]);
    for (uint32_t k = 1; k < workers; k++)
        if (started[k])
            pthread_join(ids[k], NULL);
    for (uint32_t k = 0; k < workers; k++)
        if (shares[k].status != SHEAF_OK)
            return base_fail(shares[k].status, "%s", shares[k].error);
    return SHEAF_OK;
}
