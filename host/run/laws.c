// laws: watches strands whose material has a law for strains beyond its range.
#include "run/laws.h"

#include <math.h>

#include "run/strains.h"
#include "strand/strand.h"

bool run_laws_are_there(const run_laws *laws)
{
    return laws->model != NULL;
}

sheaf_status run_laws_start(run_laws *laws, const sheaf_model *model)
{
    bool has_laws = false;
    for (uint32_t k = 0; k < model->material_count; k++)
        has_laws = has_laws || model->laws[k] != NULL;
    if (!has_laws)
        return SHEAF_OK;
    laws->positions = base_alloc(model->vertex_count, sizeof *laws->positions);
    laws->directors = base_alloc(model->vertex_count, sizeof *laws->directors);
    if (laws->positions == NULL || laws->directors == NULL)
        return SHEAF_ERR_MEMORY;
    laws->model = model;
    return SHEAF_OK;
}

// One look at all strands, part by part.
typedef struct look {
    const run_laws *laws;
    double time;
    uint64_t vertices; // beyond the range now
    io_beyond *beyond;
} look;

static void note_first(look *at, const model_strand *strand, uint32_t vertex, double strain)
{
    if (at->beyond->vertices > 0 || at->vertices > 0)
        return;
    at->beyond->strand = strand->number;
    at->beyond->vertex = vertex;
    at->beyond->time = at->time;
    at->beyond->strain = strain;
}

static double largest_of(const double x[3])
{
    return fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2])));
}

static sheaf_status look_at_part(const sheaf_model *part, uint32_t first, void *user)
{
    look *at = user;
    const uint64_t start = at->laws->model->first_vertex[first];
    for (uint32_t s = 0; s < part->strand_count; s++) {
        const model_strand *strand = &part->strands[s];
        const uint64_t from = start + part->first_vertex[s];
        for (uint32_t i = 1; strand->law != NULL && !strand->closed && i + 1 < model_vertex_count(part, s); i++) {
            double x[2][3];
            run_strains(part, s, i, (const double(*)[3])at->laws->positions + from,
                        (const double(*)[3])at->laws->directors + from, x);
            if (!law_is_beyond(strand->law, x[0]) && !law_is_beyond(strand->law, x[1]))
                continue;
            note_first(at, strand, i, fmax(largest_of(x[0]), largest_of(x[1])));
            at->vertices++;
        }
    }
    return SHEAF_OK;
}

sheaf_status run_laws_look(run_laws *laws, sheaf_solver *solver, double time, io_beyond *beyond)
{
    look at = {.laws = laws, .time = time, .beyond = beyond};
    if (laws->model == NULL)
        return SHEAF_OK;
    SHEAF_TRY(sheaf_solver_read_positions(solver, laws->positions, laws->model->vertex_count));
    SHEAF_TRY(solver_read_directors(solver, laws->directors));
    SHEAF_TRY(model_for_each_part(laws->model, look_at_part, &at));
    beyond->vertices = at.vertices > beyond->vertices ? at.vertices : beyond->vertices;
    return SHEAF_OK;
}

void run_laws_free(run_laws *laws)
{
    base_free(laws->positions);
    base_free(laws->directors);
    *laws = (run_laws){0};
}
