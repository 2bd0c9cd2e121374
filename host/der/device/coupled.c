// coupled: a step of strands that act on each other. Strands that nothing touches iterate as long as each needs, with
// the bits they would have alone; strands of a group begin and end their iterations together.
#include "der/device/coupled.h"

#include "base/vec.h"
#include "cl/coupled.h"
#include "der/device/device_parts.h"
#include "der/device/loops.h"

#include <string.h>

#include "der/schedule.h"
#include "kernels/der/slots.clh"

// Iterations of a group that touches: geometry of contact is found anew in each.
enum { GROUP_NEWTON_LEAST = 3, GROUP_NEWTON_MOST = 8 };

struct der_coupled {
    sheaf_engine *engine;
    const sheaf_model *model;
    contact_set *contact;                                      // or NULL
    der_loops *loops;                                          // or NULL
    double (*start)[3], (*moved)[3], (*answer)[3], (*push)[3]; // [vertex] m, m, m, N
    contact_weight *added;                                     // [vertex]
    double (*weights)[ENGINE_WEIGHT_SIZE];                     // [vertex] as the device has them
    bool has_weights, has_push;                                // on the device: not all of them are 0
    void *records;                                             // [strand][RECORD_SIZE] as read last
    bool *frozen, *goes_on;                                    // [strand]; goes_on: of a group, by its first strand
    uint32_t *group;                                           // [strand]
};

// ---- opening

void der_coupled_close(der_coupled *c)
{
    if (c == NULL)
        return;
    void *const all[] = {c->start,   c->moved,   c->answer, c->push,    c->added,
                         c->weights, c->records, c->frozen, c->goes_on, c->group};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        base_free(all[k]);
    der_loops_close(c->loops);
    base_free(c);
}

sheaf_status der_coupled_open(sheaf_engine *engine, contact_set *contact, der_coupled **out)
{
    const sheaf_model *model = engine->model;
    const size_t vertices = (size_t)model->vertex_count, strands = model->strand_count;
    *out = NULL;
    der_coupled *c = base_alloc(1, sizeof *c);
    if (c == NULL)
        return SHEAF_ERR_MEMORY;
    c->engine = engine;
    c->model = model;
    c->contact = contact;
    c->start = base_alloc(vertices, sizeof *c->start);
    c->moved = base_alloc(vertices, sizeof *c->moved);
    c->answer = base_alloc(vertices, sizeof *c->answer);
    c->push = base_alloc(vertices, sizeof *c->push);
    c->added = base_alloc(vertices, sizeof *c->added);
    c->weights = base_alloc(vertices, sizeof *c->weights);
    c->records = base_alloc(strands, RECORD_SIZE * sizeof(double));
    c->frozen = base_alloc(strands, sizeof *c->frozen);
    c->goes_on = base_alloc(strands, sizeof *c->goes_on);
    c->group = base_alloc(strands, sizeof *c->group);
    if (!c->start || !c->moved || !c->answer || !c->push || !c->added || !c->weights || !c->records || !c->frozen ||
        !c->goes_on || !c->group) {
        der_coupled_close(c);
        return SHEAF_ERR_MEMORY;
    }
    const sheaf_status status = der_loops_open(model, engine->options.step, &c->loops);
    if (status != SHEAF_OK) {
        der_coupled_close(c);
        return status;
    }
    *out = c;
    return SHEAF_OK;
}

// ---- what strands say

static double record_of(const der_coupled *c, uint32_t strand, int component)
{
    const size_t index = (size_t)strand * RECORD_SIZE + (size_t)component;
    return c->engine->options.is_double ? ((const double *)c->records)[index]
                                        : (double)((const float *)c->records)[index];
}

static sheaf_status read_records(der_coupled *c)
{
    SHEAF_TRY(engine_read_state(c->engine, DER_record, c->records));
    for (uint32_t s = 0; s < c->model->strand_count; s++)
        c->frozen[s] = record_of(c, s, RECORD_FROZEN) != 0;
    return SHEAF_OK;
}

// Whether the last iteration of a strand has left it something to do.
static bool is_open(const der_coupled *c, uint32_t strand)
{
    return !(record_of(c, strand, RECORD_WORST) <= 0);
}

// Whether a strand that nothing touches takes part in iteration k: as kernels decide by themselves.
static bool wants_more(const der_coupled *c, uint32_t strand, uint32_t k)
{
    const uint32_t *tuning = c->engine->options.tuning;
    const uint32_t own = model_newton_least(c->model, strand);
    uint32_t least = own > tuning[DER_NEWTON_MIN] ? own : tuning[DER_NEWTON_MIN];
    least = least < tuning[DER_NEWTON_MAX] ? least : tuning[DER_NEWTON_MAX];
    return k == 0 || (record_of(c, strand, RECORD_WANTS) > 0 && (k < least || is_open(c, strand)));
}

// ---- who takes part

// A group goes on while one of its strands is open, within limits; a scene's own count of iterations holds for it, too.
static void find_groups(der_coupled *c, uint32_t k)
{
    const uint32_t fixed = c->model->def.newton;
    const uint32_t least = fixed > 0 ? fixed : GROUP_NEWTON_LEAST, most = fixed > 0 ? fixed : GROUP_NEWTON_MOST;
    for (uint32_t s = 0; s < c->model->strand_count; s++) {
        c->group[s] = c->contact != NULL ? contact_group(c->contact, s) : CONTACT_ALONE;
        c->goes_on[s] = k < least;
    }
    for (uint32_t s = 0; s < c->model->strand_count; s++)
        if (c->group[s] != CONTACT_ALONE && k < most && is_open(c, s))
            c->goes_on[c->group[s]] = true;
}

// Says who takes part in iteration k; false: nobody does.
static bool choose_strands(der_coupled *c, uint32_t k)
{
    bool any = false;
    find_groups(c, k);
    for (uint32_t s = 0; s < c->model->strand_count; s++) {
        double *takes = &c->weights[c->model->first_vertex[s]][ENGINE_WEIGHT_TAKES];
        const bool is_alone = c->group[s] == CONTACT_ALONE;
        *takes = is_alone ? 0 : c->goes_on[c->group[s]] ? 1 : -1;
        any = any || (is_alone ? wants_more(c, s, k) : *takes > 0);
    }
    return any;
}

// ---- a step

// Whether anything wants to know where vertices are.
static bool looks(const der_coupled *c)
{
    return c->contact != NULL || c->loops != NULL;
}

static sheaf_status write_weights(der_coupled *c)
{
    bool any = false;
    for (uint64_t v = 0; v < c->model->vertex_count; v++)
        for (int k = 0; k < ENGINE_WEIGHT_SIZE && !any; k++)
            any = c->weights[v][k] != 0;
    if (any || c->has_weights)
        SHEAF_TRY(engine_write_weights(c->engine, (const double(*)[ENGINE_WEIGHT_SIZE])c->weights));
    c->has_weights = any;
    return SHEAF_OK;
}

static void take_added(der_coupled *c)
{
    for (uint64_t v = 0; v < c->model->vertex_count; v++) {
        c->weights[v][ENGINE_WEIGHT_OWN] = c->added[v].own;
        c->weights[v][ENGINE_WEIGHT_NEXT] = c->added[v].next;
    }
}

static sheaf_status substitute(der_coupled *c, bool has_push, int32_t k)
{
    if (has_push || c->has_push)
        SHEAF_TRY(engine_write_push(c->engine, (const double(*)[3])c->push));
    c->has_push = has_push;
    return engine_couple(c->engine, ENGINE_VERB_SUBSTITUTE, k);
}

static sheaf_status solve_with(void *user, double (*push)[3], double (*answer)[3])
{
    der_coupled *c = user;
    SHEAF_TRY(engine_write_push(c->engine, (const double(*)[3])push));
    c->has_push = true;
    SHEAF_TRY(engine_couple(c->engine, ENGINE_VERB_SUBSTITUTE, 0));
    return engine_read_answer(c->engine, answer);
}

// Displacements under the push; those of loops with the forces that close them.
static sheaf_status answer_push(der_coupled *c)
{
    SHEAF_TRY(solve_with(c, c->push, c->answer));
    if (c->loops != NULL)
        der_loops_close_answer(c->loops, c->answer);
    return SHEAF_OK;
}

// Displacements of an iteration under the forces between strands.
static sheaf_status solve(der_coupled *c, bool touches, int32_t k)
{
    const double(*answer)[3] = NULL;
    if (c->loops != NULL)
        SHEAF_TRY(der_loops_linearise(c->loops, (const double(*)[3])c->start, (const double(*)[3])c->moved, solve_with,
                                      c, c->push, c->answer));
    memset(c->push, 0, (size_t)c->model->vertex_count * sizeof *c->push);
    if (!touches && c->loops == NULL)
        return substitute(c, false, k);
    if (!touches)
        SHEAF_TRY(answer_push(c));
    while (touches && contact_sweep(c->contact, answer, c->push)) {
        SHEAF_TRY(answer_push(c));
        answer = (const double(*)[3])c->answer;
    }
    if (c->loops == NULL)
        return SHEAF_OK;
    der_loops_add_forces(c->loops, c->push); // which the device must have, too
    return substitute(c, true, k);
}

// One iteration; `*goes_on` false: none was needed.
static sheaf_status iterate(der_coupled *c, uint32_t k, bool *goes_on)
{
    const bool touches = c->contact != NULL && contact_look(c->contact, (const double(*)[3])c->moved) > 0;
    *goes_on = choose_strands(c, k);
    if (!*goes_on)
        return SHEAF_OK;
    if (c->contact != NULL) {
        contact_prepare(c->contact, c->added);
        take_added(c);
    }
    SHEAF_TRY(write_weights(c));
    SHEAF_TRY(engine_couple(c->engine, ENGINE_VERB_LINEARISE, (int32_t)k));
    SHEAF_TRY(solve(c, touches, (int32_t)k));
    SHEAF_TRY(engine_couple(c->engine, ENGINE_VERB_ACCEPT, (int32_t)k));
    if (looks(c))
        SHEAF_TRY(engine_read_answer(c->engine, c->moved));
    return read_records(c);
}

static sheaf_status open_step(der_coupled *c)
{
    SHEAF_TRY(engine_couple(c->engine, ENGINE_VERB_OPEN, 0)); // what jumps has jumped
    SHEAF_TRY(read_records(c));
    if (!looks(c))
        return SHEAF_OK;
    SHEAF_TRY(der_read(c->engine, c->start, NULL));
    SHEAF_TRY(engine_read_answer(c->engine, c->moved));
    if (c->contact == NULL)
        return SHEAF_OK;
    return contact_begin(c->contact, (const double(*)[3])c->start, (const double(*)[3])c->moved, c->frozen);
}

static sheaf_status close_step(der_coupled *c)
{
    memset(c->weights, 0, (size_t)c->model->vertex_count * sizeof *c->weights);
    if (c->contact != NULL) {
        SHEAF_TRY(contact_mark_fresh(c->contact));
        // what touches from the first step on has no history to forget
        for (uint32_t s = 0; s < c->model->strand_count && c->engine->step > 0; s++)
            c->weights[c->model->first_vertex[s]][ENGINE_WEIGHT_FRESH] = contact_is_fresh(c->contact, s);
    }
    SHEAF_TRY(write_weights(c));
    SHEAF_TRY(engine_couple(c->engine, ENGINE_VERB_CLOSE, 0));
    if (c->contact == NULL)
        return SHEAF_OK;
    SHEAF_TRY(der_read(c->engine, c->start, NULL));
    contact_end(c->contact, (const double(*)[3])c->start);
    return SHEAF_OK;
}

sheaf_status der_coupled_step(der_coupled *c, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        bool goes_on = true;
        SHEAF_TRY(open_step(c));
        for (uint32_t k = 0; k < c->engine->options.tuning[DER_NEWTON_MAX] && goes_on; k++)
            SHEAF_TRY(iterate(c, k, &goes_on));
        SHEAF_TRY(close_step(c));
    }
    return SHEAF_OK;
}
