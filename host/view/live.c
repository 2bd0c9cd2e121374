// live: a solver on a thread of its own.
#include "view/live.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/vec.h"
#include "run/clock.h"

enum { BATCH = 4, PUSHES_MOST = 1 << 16 };

static const double refresh = 1.0 / 60; // s, between snapshots
static const double spring = 20;        // rad/s, of a strand's whole mass on the spring it is held by

struct view_live {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    const sheaf_model *model;
    sheaf_solver *solver; // the thread's
    double step;          // s

    // under the mutex
    bool quit, playing;
    bool is_repaced; // the speed was set: count from now on
    uint32_t wanted; // steps to take although paused
    double speed;
    uint32_t grabbed, vertex; // UINT32_MAX: none
    double target[3];
    view_snapshot snapshots[3];
    int front, ready, back; // the window's, the newest, the thread's
    bool has_news;
    sheaf_status status;
    char reason[256];
    view_push *pushes; // [PUSHES_MOST]
    uint32_t push_count;

    // the thread's
    double anchor, last_shown; // s, on the clock
    uint64_t anchor_step, steps;
};

// ---- snapshots

static sheaf_status allocate_snapshot(const sheaf_model *model, view_snapshot *it)
{
    it->positions = base_alloc(model->vertex_count, sizeof *it->positions);
    it->directors = base_alloc(model->vertex_count, sizeof *it->directors);
    it->velocities = base_alloc(model->vertex_count, sizeof *it->velocities);
    it->frozen = base_alloc(model->strand_count, sizeof *it->frozen);
    it->poses = base_alloc(model->body_count, sizeof *it->poses);
    const bool ok = it->positions != NULL && it->directors != NULL && it->velocities != NULL && it->frozen != NULL &&
                    it->poses != NULL;
    return ok ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

static void free_snapshot(view_snapshot *it)
{
    base_free(it->positions);
    base_free(it->directors);
    base_free(it->velocities);
    base_free(it->frozen);
    base_free(it->poses);
}

static sheaf_status take_snapshot(view_live *live)
{
    view_snapshot *it = &live->snapshots[live->back];
    sheaf_solver *solver = live->solver;
    const uint64_t count = live->model->vertex_count;
    SHEAF_TRY(sheaf_solver_read_positions(solver, it->positions, count));
    SHEAF_TRY(sheaf_solver_read_velocities(solver, it->velocities, count));
    SHEAF_TRY(solver_read_directors(solver, it->directors));
    SHEAF_TRY(sheaf_solver_read_bodies(solver, it->poses, live->model->body_count));
    SHEAF_TRY(sheaf_solver_report(solver, &it->report));
    SHEAF_TRY(solver_stages(solver, it->stages, &it->stage_count));
    for (uint32_t k = 0; k < it->report.frozen_strands; k++) {
        sheaf_incident incident;
        SHEAF_TRY(sheaf_solver_incident(solver, k, &incident));
        it->frozen[incident.strand] = true;
    }
    const double now = base_clock();
    it->rate = now > live->anchor ? (double)(live->steps - live->anchor_step) / (now - live->anchor) : 0;
    live->last_shown = now;
    return SHEAF_OK;
}

static void publish(view_live *live)
{
    const int newest = live->back;
    live->back = live->ready;
    live->ready = newest;
    live->has_news = true;
}

const view_snapshot *view_live_take(view_live *live, bool *is_new)
{
    pthread_mutex_lock(&live->mutex);
    *is_new = live->has_news;
    if (live->has_news) {
        const int shown = live->front;
        live->front = live->ready;
        live->ready = shown;
        live->has_news = false;
    }
    pthread_mutex_unlock(&live->mutex);
    return &live->snapshots[live->front];
}

// ---- the thread

static double strand_mass(const view_live *live, uint32_t strand)
{
    return live->model->strands[strand].mass;
}

// Spring and damper between vertex and target, with the strand's whole mass hanging on them; the impulse of one step.
static sheaf_status push(view_live *live, const view_push *wish, const double target[3])
{
    view_push given = *wish;
    const view_snapshot *it = &live->snapshots[live->back];
    const uint64_t k = live->model->first_vertex[wish->strand] + wish->vertex;
    const double mean = strand_mass(live, wish->strand) / model_vertex_count(live->model, wish->strand);
    const double gain = fmin(strand_mass(live, wish->strand) / mean * spring * live->step, 0.5 / (spring * live->step));
    SHEAF_TRY(sheaf_solver_read_positions(live->solver, it->positions, live->model->vertex_count));
    SHEAF_TRY(sheaf_solver_read_velocities(live->solver, it->velocities, live->model->vertex_count));
    vec_sub(given.change, target, it->positions[k]);
    vec_scale(given.change, given.change, gain * spring);
    vec_axpy(given.change, -fmin(2 * gain, 0.9), it->velocities[k]);
    given.step = live->steps;
    SHEAF_TRY(solver_push(live->solver, given.strand, given.vertex, given.change));
    pthread_mutex_lock(&live->mutex);
    if (live->push_count < PUSHES_MOST)
        live->pushes[live->push_count++] = given;
    pthread_mutex_unlock(&live->mutex);
    return SHEAF_OK;
}

// Steps due now, to keep to the speed that is wished for; what cannot be kept to is not made up for.
static uint32_t count_due(view_live *live)
{
    const double now = base_clock();
    const double due =
        floor((now - live->anchor) * live->speed / live->step) - (double)(live->steps - live->anchor_step);
    if (due > 8 * BATCH || now - live->anchor > 2 || live->is_repaced) {
        live->is_repaced = false;
        live->anchor = now;
        live->anchor_step = live->steps;
    }
    return due < 1 ? 0 : (uint32_t)fmin(due, BATCH);
}

static void fail(view_live *live, sheaf_status status)
{
    live->status = status;
    live->playing = false;
    live->wanted = 0;
    snprintf(live->reason, sizeof live->reason, "%s", sheaf_last_error());
}

// With the mutex held: sleeps until something is asked for, or for a moment.
static void sleep_until(view_live *live, bool forever)
{
    struct timespec when;
    if (forever) {
        pthread_cond_wait(&live->wake, &live->mutex);
        live->anchor = base_clock();
        live->anchor_step = live->steps;
        return;
    }
    clock_gettime(CLOCK_REALTIME, &when);
    when.tv_nsec += 2000000;
    when.tv_sec += when.tv_nsec / 1000000000;
    when.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&live->wake, &live->mutex, &when);
}

// Takes `count` steps, and a snapshot when one is due.
static sheaf_status advance(view_live *live, uint32_t count, const view_push *hold, const double target[3], bool show)
{
    if (hold->strand != UINT32_MAX)
        SHEAF_TRY(push(live, hold, target));
    run_batch batch = {.steps = count};
    SHEAF_TRY(run_advance(live->solver, live->steps + count, &batch, NULL));
    live->steps += count;
    if (!show && base_clock() - live->last_shown < refresh)
        return SHEAF_OK;
    SHEAF_TRY(take_snapshot(live));
    pthread_mutex_lock(&live->mutex);
    publish(live);
    pthread_mutex_unlock(&live->mutex);
    return SHEAF_OK;
}

static void *work(void *user)
{
    view_live *live = user;
    pthread_mutex_lock(&live->mutex);
    while (!live->quit) {
        const bool single = live->wanted > 0;
        uint32_t count = single ? 1 : live->playing ? count_due(live) : 0;
        if (count == 0) {
            sleep_until(live, !live->playing);
            continue;
        }
        const view_push hold = {.strand = live->grabbed, .vertex = live->vertex};
        double target[3];
        vec_copy(target, live->target);
        count = hold.strand != UINT32_MAX ? 1 : count;
        live->wanted -= single;
        const bool last = single && live->wanted == 0;
        pthread_mutex_unlock(&live->mutex);
        const sheaf_status status = advance(live, count, &hold, target, last);
        pthread_mutex_lock(&live->mutex);
        if (status != SHEAF_OK)
            fail(live, status);
    }
    pthread_mutex_unlock(&live->mutex);
    return NULL;
}

// ---- opening

static sheaf_status start(view_live *live)
{
    for (int k = 0; k < 3; k++)
        SHEAF_TRY(allocate_snapshot(live->model, &live->snapshots[k]));
    live->pushes = base_alloc(PUSHES_MOST, sizeof *live->pushes);
    if (live->pushes == NULL)
        return SHEAF_ERR_MEMORY;
    live->front = 0, live->ready = 1, live->back = 2;
    SHEAF_TRY(take_snapshot(live));
    publish(live);
    pthread_mutex_init(&live->mutex, NULL);
    pthread_cond_init(&live->wake, NULL);
    if (pthread_create(&live->thread, NULL, work, live) == 0)
        return SHEAF_OK;
    pthread_cond_destroy(&live->wake);
    pthread_mutex_destroy(&live->mutex);
    return base_fail(SHEAF_ERR_MEMORY, "a thread for the solver cannot be started");
}

static void release(view_live *live)
{
    for (int k = 0; k < 3; k++)
        free_snapshot(&live->snapshots[k]);
    base_free(live->pushes);
    base_free(live);
}

sheaf_status view_live_open(sheaf_solver *solver, const sheaf_model *model, double step, view_live **live)
{
    *live = NULL;
    view_live *made = base_alloc(1, sizeof *made);
    if (made == NULL)
        return SHEAF_ERR_MEMORY;
    made->solver = solver;
    made->model = model;
    made->step = step;
    made->speed = 1;
    made->grabbed = UINT32_MAX;
    made->steps = solver_steps(solver);
    const sheaf_status status = start(made);
    if (status == SHEAF_OK)
        *live = made;
    else
        release(made);
    return status;
}

void view_live_close(view_live *live)
{
    if (live == NULL)
        return;
    pthread_mutex_lock(&live->mutex);
    live->quit = true;
    pthread_cond_signal(&live->wake);
    pthread_mutex_unlock(&live->mutex);
    pthread_join(live->thread, NULL);
    pthread_cond_destroy(&live->wake);
    pthread_mutex_destroy(&live->mutex);
    release(live);
}

// ---- wishes

void view_live_play(view_live *live, bool playing)
{
    pthread_mutex_lock(&live->mutex);
    live->playing = playing && live->status == SHEAF_OK;
    pthread_cond_signal(&live->wake);
    pthread_mutex_unlock(&live->mutex);
}

void view_live_set_speed(view_live *live, double speed)
{
    pthread_mutex_lock(&live->mutex);
    live->speed = speed;
    live->is_repaced = true;
    pthread_cond_signal(&live->wake);
    pthread_mutex_unlock(&live->mutex);
}

void view_live_step(view_live *live, uint32_t count)
{
    pthread_mutex_lock(&live->mutex);
    live->wanted += live->status == SHEAF_OK ? count : 0;
    pthread_cond_signal(&live->wake);
    pthread_mutex_unlock(&live->mutex);
}

void view_live_grab(view_live *live, uint32_t strand, uint32_t vertex, const double target[3])
{
    pthread_mutex_lock(&live->mutex);
    live->grabbed = strand;
    live->vertex = vertex;
    if (strand != UINT32_MAX)
        vec_copy(live->target, target);
    pthread_mutex_unlock(&live->mutex);
}

sheaf_status view_live_status(view_live *live)
{
    pthread_mutex_lock(&live->mutex);
    const sheaf_status status = live->status != SHEAF_OK ? base_fail(live->status, "%s", live->reason) : SHEAF_OK;
    pthread_mutex_unlock(&live->mutex);
    return status;
}

uint32_t view_live_pushes(view_live *live, uint32_t first, view_push *pushes, uint32_t room)
{
    pthread_mutex_lock(&live->mutex);
    const uint32_t left = live->push_count > first ? live->push_count - first : 0, count = left < room ? left : room;
    memcpy(pushes, live->pushes + first, count * sizeof *pushes);
    pthread_mutex_unlock(&live->mutex);
    return count;
}
