// shadow: the reference beside the device.
#include "view/shadow.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "io/file.h"
#include "solver/solver.h"
#include "strand/linking.h"
#include "strand/strand.h"

enum { WRITHE_POINTS = 200, PUSHES_AT_ONCE = 64 };

struct view_shadow {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    uint32_t strand, count; // of the model; its vertices
    bool closed;
    double step; // s
    view_live *live;
    sheaf_model *part; // the strand alone
    sheaf_solver *solver;

    // under the mutex
    bool quit, has_goal;
    uint64_t goal_step;
    double goal_time;
    double (*goal)[3];      // the device's vertices there
    double (*positions)[3]; // the reference's, as compared last
    view_shadow_row rows[VIEW_SHADOW_ROWS];
    uint64_t row_count; // ever

    // the thread's
    uint64_t steps;
    uint32_t pushes_seen;
    view_push pushes[PUSHES_AT_ONCE];
    uint32_t push_count, push_next;
    double (*now)[3], (*directors)[3];
};

// Writhe of the strand; of a long one, that of some of its vertices.
static double writhe_of(const view_shadow *s)
{
    double kept[WRITHE_POINTS][3];
    const uint32_t stride = s->count / WRITHE_POINTS + 1, count = (s->count - 1) / stride + 1;
    for (uint32_t k = 0; k < count; k++)
        vec_copy(kept[k], s->now[k * stride]);
    return model_writhe((const double(*)[3])kept, count, s->closed);
}

// ---- the thread

// The pushes given after the step that the reference has come to.
static sheaf_status take_pushes(view_shadow *s)
{
    for (;;) {
        if (s->push_next == s->push_count) {
            s->push_count = view_live_pushes(s->live, s->pushes_seen, s->pushes, PUSHES_AT_ONCE);
            s->pushes_seen += s->push_count;
            s->push_next = 0;
            if (s->push_count == 0)
                return SHEAF_OK;
        }
        const view_push *push = &s->pushes[s->push_next];
        if (push->step > s->steps)
            return SHEAF_OK;
        s->push_next++;
        if (push->strand == s->strand && push->step == s->steps)
            SHEAF_TRY(solver_push(s->solver, 0, push->vertex, push->change));
    }
}

static sheaf_status go_to(view_shadow *s, uint64_t step)
{
    while (s->steps < step) {
        SHEAF_TRY(take_pushes(s));
        SHEAF_TRY(sheaf_solver_step(s->solver, 1));
        s->steps++;
    }
    SHEAF_TRY(sheaf_solver_read_positions(s->solver, s->now, s->count));
    return solver_read_directors(s->solver, s->directors);
}

static void compare(view_shadow *s)
{
    sheaf_report report = {0};
    (void)sheaf_solver_report(s->solver, &report);
    view_shadow_row row = {.step = s->goal_step,
                           .time = s->goal_time,
                           .kinetic = report.kinetic,
                           .bending = report.bending,
                           .twisting = report.twisting,
                           .twist = model_twist((const double(*)[3])s->now, (const double(*)[3])s->directors, s->count),
                           .writhe = writhe_of(s)};
    for (uint32_t k = 0; k < s->count; k++) {
        double apart[3];
        vec_sub(apart, s->now[k], s->goal[k]);
        row.deviation = fmax(row.deviation, vec_length(apart));
    }
    memcpy(s->positions, s->now, s->count * sizeof *s->now);
    s->rows[s->row_count++ % VIEW_SHADOW_ROWS] = row;
}

static void *work(void *user)
{
    view_shadow *s = user;
    pthread_mutex_lock(&s->mutex);
    while (!s->quit) {
        if (!s->has_goal) {
            pthread_cond_wait(&s->wake, &s->mutex);
            continue;
        }
        const uint64_t step = s->goal_step;
        pthread_mutex_unlock(&s->mutex);
        const sheaf_status status = go_to(s, step);
        pthread_mutex_lock(&s->mutex);
        if (status == SHEAF_OK)
            compare(s);
        s->has_goal = false;
    }
    pthread_mutex_unlock(&s->mutex);
    return NULL;
}

// ---- from the window

static sheaf_status start(view_shadow *s, const sheaf_model *model)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    def.backend = SHEAF_BACKEND_REFERENCE;
    def.step = s->step;
    def.threads = 1;
    SHEAF_TRY(model_part(model, &s->strand, 1, &s->part));
    SHEAF_TRY(sheaf_solver_open(s->part, &def, &s->solver));
    s->goal = base_alloc(s->count, sizeof *s->goal);
    s->positions = base_alloc(s->count, sizeof *s->positions);
    s->now = base_alloc(s->count, sizeof *s->now);
    s->directors = base_alloc(s->count, sizeof *s->directors);
    if (s->goal == NULL || s->positions == NULL || s->now == NULL || s->directors == NULL)
        return SHEAF_ERR_MEMORY;
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->wake, NULL);
    if (pthread_create(&s->thread, NULL, work, s) == 0)
        return SHEAF_OK;
    pthread_cond_destroy(&s->wake);
    pthread_mutex_destroy(&s->mutex);
    return base_fail(SHEAF_ERR_MEMORY, "a thread for the reference cannot be started");
}

static void release(view_shadow *s)
{
    sheaf_solver_close(s->solver);
    sheaf_model_free(s->part);
    base_free(s->goal);
    base_free(s->positions);
    base_free(s->now);
    base_free(s->directors);
    base_free(s);
}

sheaf_status view_shadow_open(const sheaf_model *model, uint32_t strand, double step, view_live *live,
                              view_shadow **shadow)
{
    *shadow = NULL;
    view_shadow *made = base_alloc(1, sizeof *made);
    if (made == NULL)
        return SHEAF_ERR_MEMORY;
    made->strand = strand;
    made->count = model_vertex_count(model, strand);
    made->closed = model->strands[strand].closed;
    made->step = step;
    made->live = live;
    const sheaf_status status = start(made, model);
    if (status == SHEAF_OK)
        *shadow = made;
    else
        release(made);
    return status;
}

void view_shadow_close(view_shadow *shadow)
{
    if (shadow == NULL)
        return;
    pthread_mutex_lock(&shadow->mutex);
    shadow->quit = true;
    pthread_cond_signal(&shadow->wake);
    pthread_mutex_unlock(&shadow->mutex);
    pthread_join(shadow->thread, NULL);
    pthread_cond_destroy(&shadow->wake);
    pthread_mutex_destroy(&shadow->mutex);
    release(shadow);
}

void view_shadow_follow(view_shadow *shadow, uint64_t step, double time, const double (*positions)[3])
{
    pthread_mutex_lock(&shadow->mutex);
    if (!shadow->has_goal && (shadow->row_count == 0 || step > shadow->goal_step)) {
        memcpy(shadow->goal, positions, shadow->count * sizeof *shadow->goal);
        shadow->goal_step = step;
        shadow->goal_time = time;
        shadow->has_goal = true;
        pthread_cond_signal(&shadow->wake);
    }
    pthread_mutex_unlock(&shadow->mutex);
}

uint32_t view_shadow_take(view_shadow *shadow, double (*positions)[3], view_shadow_row rows[VIEW_SHADOW_ROWS])
{
    pthread_mutex_lock(&shadow->mutex);
    const uint64_t ever = shadow->row_count, count = ever < VIEW_SHADOW_ROWS ? ever : VIEW_SHADOW_ROWS;
    for (uint64_t k = 0; k < count; k++)
        rows[k] = shadow->rows[(ever - count + k) % VIEW_SHADOW_ROWS];
    if (positions != NULL && ever > 0)
        memcpy(positions, shadow->positions, shadow->count * sizeof *positions);
    pthread_mutex_unlock(&shadow->mutex);
    return (uint32_t)count;
}

sheaf_status view_shadow_save(view_shadow *shadow, const char *path)
{
    view_shadow_row *rows = base_alloc(VIEW_SHADOW_ROWS, sizeof *rows);
    if (rows == NULL)
        return SHEAF_ERR_MEMORY;
    const uint32_t count = view_shadow_take(shadow, NULL, rows);
    base_text text = {0};
    base_text_add(&text,
                  "step,time_s,deviation_m,kinetic_J,bending_J,twisting_J,twist_turns,writhe_turns,linking_turns\n");
    for (uint32_t k = 0; k < count; k++)
        base_text_add(&text, "%llu,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", (unsigned long long)rows[k].step,
                      rows[k].time, rows[k].deviation, rows[k].kinetic, rows[k].bending, rows[k].twisting,
                      rows[k].twist, rows[k].writhe, rows[k].twist + rows[k].writhe);
    sheaf_status status = base_text_status(&text);
    if (status == SHEAF_OK)
        status = io_file_write(path, true, text.bytes, text.length);
    base_text_free(&text);
    base_free(rows);
    return status;
}
