// batch: variants of a scene's strands, all stepped at once.
#include "base/vec.h"
#include "reproduce/run.h"
#include "run/clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEPS_AT_ONCE = 64 }; // between two looks at the user's wishes

static sheaf_status read_scene(const char *name, sheaf_scene **scene)
{
    for (const reproduce_scene *s = reproduce_scenes; s->name != NULL; s++)
        if (strcmp(s->name, name) == 0)
            return sheaf_scene_parse((const char *)s->bytes, s->size, name, scene);
    return base_fail(SHEAF_ERR_INPUT, "there is no scene '%s' in scenes/papers/", name);
}

static void choose_precision(const reproduce_run *run, reproduce_batch *batch)
{
    if (run->options->precision != SHEAF_PRECISION_AUTO)
        batch->original->def.precision = run->options->precision;
}

sheaf_status reproduce_batch_begin(const reproduce_run *run, const char *scene, reproduce_batch *batch)
{
    *batch = (reproduce_batch){0};
    SHEAF_TRY(read_scene(scene, &batch->original));
    choose_precision(run, batch);
    return SHEAF_OK;
}

sheaf_status reproduce_batch_begin_text(const reproduce_run *run, const base_text *text, reproduce_batch *batch)
{
    *batch = (reproduce_batch){0};
    SHEAF_TRY(base_text_status(text));
    SHEAF_TRY(sheaf_scene_parse(base_text_get(text), text->length, run->experiment->name, &batch->original));
    choose_precision(run, batch);
    return SHEAF_OK;
}

sheaf_strand_def reproduce_batch_strand(const reproduce_batch *batch, uint32_t k)
{
    return batch->original->groups[k].strand;
}

sheaf_material_def reproduce_batch_material(const reproduce_batch *batch, uint32_t k)
{
    return batch->original->materials[batch->original->groups[k].strand.material];
}

sheaf_status reproduce_batch_add(reproduce_batch *batch, const sheaf_material_def *material,
                                 const sheaf_strand_def *strand)
{
    char name[16];
    sheaf_material_def named = *material;
    sheaf_strand_def made = *strand;
    if (batch->scene == NULL) {
        SHEAF_TRY(sheaf_scene_create(&batch->original->def, &batch->scene));
        for (uint32_t k = 0; k < batch->original->motion_count; k++)
            SHEAF_TRY(sheaf_scene_add_motion(batch->scene, &batch->original->motions[k], NULL));
    }
    snprintf(name, sizeof name, "v%u", batch->count);
    named.name = name;
    SHEAF_TRY(sheaf_scene_add_material(batch->scene, &named, &made.material));
    SHEAF_TRY(sheaf_scene_add_strand(batch->scene, &made));
    batch->count++;
    return SHEAF_OK;
}

sheaf_status reproduce_batch_open(reproduce_run *run, reproduce_batch *batch)
{
    sheaf_solver_def solver = run->options->solver;
    if (batch->on_reference)
        solver.backend = SHEAF_BACKEND_REFERENCE;
    if (!run->hooks->progress(run->experiment->name, "building", run->hooks->user))
        return SHEAF_ERR_INTERRUPTED;
    SHEAF_TRY(sheaf_model_create(batch->scene != NULL ? batch->scene : batch->original, &batch->model));
    batch->count = batch->model->strand_count;
    batch->x = base_alloc(batch->model->vertex_count, sizeof *batch->x);
    batch->directors = base_alloc(batch->model->vertex_count, sizeof *batch->directors);
    if (batch->x == NULL || batch->directors == NULL)
        return SHEAF_ERR_MEMORY;
    SHEAF_TRY(sheaf_solver_open(batch->model, &solver, &batch->solver));
    return sheaf_solver_read_positions(batch->solver, batch->x, batch->model->vertex_count);
}

// A batch on its way to a time.
typedef struct journey {
    const reproduce_run *run;
    reproduce_batch *batch;
    double end; // s
    bool is_stopped;
} journey;

static void tell(void *user, uint64_t done, const sheaf_report *row)
{
    journey *it = user;
    reproduce_batch *batch = it->batch;
    char what[96];
    (void)row;
    batch->time = (double)done * solver_step(batch->solver);
    snprintf(what, sizeof what, "%u strand%s on %.24s, %.4g of %.4g s", batch->count, batch->count == 1 ? "" : "s",
             batch->on_reference ? "the reference" : sheaf_solver_device(batch->solver), batch->time, it->end);
    it->is_stopped = !it->run->hooks->progress(it->run->experiment->name, what, it->run->hooks->user);
}

static bool is_stopped(void *user)
{
    const journey *it = user;
    return it->is_stopped;
}

sheaf_status reproduce_batch_run(reproduce_run *run, reproduce_batch *batch, double time)
{
    journey it = {.run = run, .batch = batch, .end = time};
    const run_hooks hooks = {.user = &it, .is_stopped = is_stopped, .progress = tell};
    run_batch steps = {.steps = STEPS_AT_ONCE};
    SHEAF_TRY(run_advance(batch->solver, (uint64_t)llrint(time / solver_step(batch->solver)), &steps, &hooks));
    if (it.is_stopped)
        return base_fail(SHEAF_ERR_INTERRUPTED, "interrupted");
    return sheaf_solver_read_positions(batch->solver, batch->x, batch->model->vertex_count);
}

sheaf_status reproduce_batch_read_directors(reproduce_batch *batch)
{
    return solver_read_directors(batch->solver, batch->directors);
}

sheaf_status reproduce_batch_read_tension(const reproduce_batch *batch, uint32_t strand, uint32_t edge, double *tension)
{
    solver_array arrays[SOLVER_ARRAYS_MOST];
    const uint32_t count = solver_arrays(batch->solver, arrays);
    const uint64_t place = batch->model->first_vertex[strand] + edge;
    *tension = NAN;
    for (uint32_t k = 0; k < count; k++) {
        if (strcmp(arrays[k].name, "tension") != 0 || arrays[k].components != 1 || place >= arrays[k].rows)
            continue;
        double *values = base_alloc(arrays[k].rows, sizeof *values);
        if (values == NULL)
            return SHEAF_ERR_MEMORY;
        const sheaf_status status = solver_read_array(batch->solver, k, values);
        *tension = arrays[k].is_double ? values[place] : (double)((const float *)values)[place];
        base_free(values);
        return status;
    }
    return SHEAF_OK;
}

double reproduce_batch_figure(const reproduce_batch *batch, const char *name)
{
    enum { FIGURES_MOST = 64 };
    sheaf_figure figures[FIGURES_MOST];
    uint32_t count = 0;
    if (sheaf_solver_figures(batch->solver, figures, FIGURES_MOST, &count) != SHEAF_OK)
        return NAN;
    for (uint32_t k = 0; k < count && k < FIGURES_MOST; k++)
        if (strcmp(figures[k].name, name) == 0)
            return figures[k].value;
    return NAN;
}

void reproduce_batch_close(reproduce_batch *batch)
{
    sheaf_solver_close(batch->solver);
    sheaf_model_free(batch->model);
    sheaf_scene_free(batch->scene);
    sheaf_scene_free(batch->original);
    base_free(batch->x);
    base_free(batch->directors);
    *batch = (reproduce_batch){0};
}

const double (*reproduce_batch_vertices(const reproduce_batch *batch, uint32_t strand))[3]
{
    return (const double(*)[3])batch->x + batch->model->first_vertex[strand];
}

uint32_t reproduce_batch_vertex_count(const reproduce_batch *batch, uint32_t strand)
{
    return model_vertex_count(batch->model, strand);
}
