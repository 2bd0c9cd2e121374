// history: the last seconds of a scene that runs in a window.
#include "view/history.h"

#include "base/vec.h"

enum { MOMENTS_MOST = 600 };

// A moment as it is kept.
typedef struct kept {
    double time, origin[3]; // s; m, that positions are measured from
    uint64_t step;
    float *numbers; // [array][vertex][3]: positions, velocities, directors
} kept;

struct view_history {
    uint64_t vertices;
    uint32_t arrays; // of a moment
    uint32_t room, count, newest;
    kept moments[MOMENTS_MOST]; // [room], as a ring
    view_moment shown;
};

sheaf_status view_history_open(uint64_t vertices, bool has_directors, uint64_t bytes, view_history **history)
{
    view_history *made = base_alloc(1, sizeof *made);
    *history = made;
    if (made == NULL)
        return SHEAF_ERR_MEMORY;
    made->vertices = vertices;
    made->arrays = has_directors ? 3 : 2;
    const uint64_t each = made->arrays * 3 * sizeof(float) * vertices, room = each > 0 ? bytes / each : MOMENTS_MOST;
    made->room = room < 2 ? 2 : room < MOMENTS_MOST ? (uint32_t)room : MOMENTS_MOST;
    made->shown.positions = base_alloc(vertices, sizeof *made->shown.positions);
    made->shown.velocities = base_alloc(vertices, sizeof *made->shown.velocities);
    made->shown.directors = has_directors ? base_alloc(vertices, sizeof *made->shown.directors) : NULL;
    if (made->shown.positions != NULL && made->shown.velocities != NULL &&
        (!has_directors || made->shown.directors != NULL))
        return SHEAF_OK;
    view_history_close(made);
    *history = NULL;
    return SHEAF_ERR_MEMORY;
}

void view_history_close(view_history *history)
{
    if (history == NULL)
        return;
    for (uint32_t k = 0; k < MOMENTS_MOST; k++)
        base_free(history->moments[k].numbers);
    base_free(history->shown.positions);
    base_free(history->shown.velocities);
    base_free(history->shown.directors);
    base_free(history);
}

static void pack(const view_history *h, const double (*from)[3], const double origin[3], uint32_t array, float *numbers)
{
    float *to = numbers + 3 * h->vertices * array;
    for (uint64_t k = 0; k < h->vertices; k++)
        for (int c = 0; c < 3; c++)
            *to++ = (float)(from[k][c] - origin[c]);
}

static void unpack(const view_history *h, const float *numbers, const double origin[3], uint32_t array, double (*to)[3])
{
    const float *from = numbers + 3 * h->vertices * array;
    for (uint64_t k = 0; k < h->vertices; k++)
        for (int c = 0; c < 3; c++)
            to[k][c] = origin[c] + (double)*from++;
}

static const double nowhere[3] = {0, 0, 0};

// Where memory ends, fewer moments are kept.
void view_history_add(view_history *history, const view_moment *moment)
{
    const uint32_t next = history->count > 0 ? (history->newest + 1) % history->room : 0;
    kept *it = &history->moments[next];
    if (it->numbers == NULL)
        it->numbers = base_alloc(history->vertices, history->arrays * 3 * sizeof *it->numbers);
    if (it->numbers == NULL && history->count >= 2) {
        history->room = history->count;
        view_history_add(history, moment);
        return;
    }
    if (it->numbers == NULL || history->vertices == 0)
        return;
    it->time = moment->time;
    it->step = moment->step;
    vec_copy(it->origin, moment->positions[0]);
    pack(history, (const double(*)[3])moment->positions, it->origin, 0, it->numbers);
    pack(history, (const double(*)[3])moment->velocities, nowhere, 1, it->numbers);
    if (history->arrays > 2)
        pack(history, (const double(*)[3])moment->directors, nowhere, 2, it->numbers);
    history->newest = next;
    history->count += history->count < history->room;
}

uint32_t view_history_count(const view_history *history)
{
    return history->count;
}

static const kept *find(const view_history *history, uint32_t back)
{
    return &history->moments[(history->newest + history->room - back) % history->room];
}

double view_history_time(const view_history *history, uint32_t back)
{
    return find(history, back)->time;
}

const view_moment *view_history_at(view_history *history, uint32_t back)
{
    const kept *it = find(history, back);
    history->shown.time = it->time;
    history->shown.step = it->step;
    unpack(history, it->numbers, it->origin, 0, history->shown.positions);
    unpack(history, it->numbers, nowhere, 1, history->shown.velocities);
    if (history->arrays > 2)
        unpack(history, it->numbers, nowhere, 2, history->shown.directors);
    return &history->shown;
}
