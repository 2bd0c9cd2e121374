// figures: energies, strain and records of a population, worked out on the device: no state is copied to the host.
#include "cl/engine_parts.h"

#include "cl/program.h"

#include <math.h>
#include <string.h>

// ---- buffers

static size_t place_count(const sheaf_engine *engine, uint32_t bundle_count)
{
    return (size_t)bundle_count * engine->bundles.options.width;
}

static uint32_t resident_count(const sheaf_engine *engine)
{
    return engine->slices[engine->resident].end - engine->slices[engine->resident].first;
}

size_t engine_figures_size(const sheaf_engine *engine, uint32_t bundle_count)
{
    const size_t partials = (size_t)ENGINE_NOTES_MOST * engine->method->figure_count * FIGURE_SEGMENTS;
    return ((engine->method->figure_count + 1) * place_count(engine, bundle_count) + partials) *
           engine_real_size(engine);
}

sheaf_status engine_make_figures(sheaf_engine *engine, uint32_t most_bundles)
{
    engine_figures *it = &engine->figures;
    const size_t row = place_count(engine, most_bundles) * engine_real_size(engine);
    it->most_bundles = most_bundles;
    SHEAF_TRY(engine_make_buffer(engine, CL_MEM_READ_WRITE, engine->method->figure_count * row, &it->all));
    SHEAF_TRY(engine_make_buffer(engine, CL_MEM_READ_ONLY, row, &it->weights));
    const size_t partials = (size_t)ENGINE_NOTES_MOST * engine->method->figure_count * FIGURE_SEGMENTS;
    return engine_make_buffer(engine, CL_MEM_READ_WRITE, partials * engine_real_size(engine), &it->partials);
}

void engine_release_figures(sheaf_engine *engine)
{
    engine_figures *it = &engine->figures;
    blas_close(&it->blas);
    const cl_mem buffers[] = {it->all, it->weights, it->partials};
    for (int k = 0; k < 3; k++)
        if (buffers[k] != NULL)
            clReleaseMemObject(buffers[k]);
    if (it->reduce != NULL)
        clReleaseKernel(it->reduce);
    for (int variant = 0; variant < BUNDLE_KINDS_MAX; variant++) {
        if (it->measure[variant] != NULL)
            clReleaseKernel(it->measure[variant]);
        if (it->programs[variant] != NULL)
            clReleaseProgram(it->programs[variant]);
    }
}

// ---- kernels

static sheaf_status open_program(sheaf_engine *engine, uint32_t kind, uint32_t variant)
{
    engine_figures *it = &engine->figures;
    program_source source;
    engine_make_source(engine, kind, ENGINE_PROGRAM_FIGURES, &source);
    SHEAF_TRY(program_build(engine->context, &engine->device, &source, &it->programs[variant]));
    SHEAF_TRY(engine_make_kernel(engine, it->programs[variant], "figures", &it->measure[variant]));
    SHEAF_TRY(
        device_check(engine_set_argument(engine, it->measure[variant], ARGUMENT_FIGURES, sizeof(cl_mem), &it->all),
                     "clSetKernelArg"));
    if (it->reduce != NULL)
        return SHEAF_OK;
    return program_kernel(it->programs[variant], "reduce_rows", &it->reduce);
}

sheaf_status engine_open_figures(sheaf_engine *engine)
{
    const uint32_t *first = engine->bundles.kind_first;
    for (uint32_t kind = 0; kind < engine->method->bundles.kind_count; kind++) {
        const uint32_t variant = engine->method->figure_variant(kind);
        if (first[kind] < first[kind + 1] && engine->figures.programs[variant] == NULL)
            SHEAF_TRY(open_program(engine, kind, variant));
    }
    return SHEAF_OK;
}

// ---- adding up

static void add_figure(const sheaf_engine *engine, double *totals, uint32_t figure, double value)
{
    double *total = totals + figure;
    *total = figure < engine->method->figure_sums ? *total + value : fmax(*total, value);
}

// ---- by BLAS

enum { BLAS_LEAST = 1 << 16 }; // strands from which on it is used

static bool wants_blas(const sheaf_engine *engine)
{
    const engine_blas wish = engine->options.blas;
    return blas_name() != NULL && !engine->figures.blas_failed && wish != ENGINE_BLAS_NEVER &&
           (wish == ENGINE_BLAS_ALWAYS || engine->model->strand_count >= BLAS_LEAST);
}

// Whether BLAS is there and computes right; if not, it is told once, and kernels of our own do.
static bool open_blas(sheaf_engine *engine)
{
    engine_figures *it = &engine->figures;
    if (!wants_blas(engine))
        return false;
    const size_t most = place_count(engine, engine->figures.most_bundles);
    if (!it->blas.is_open &&
        blas_open(engine->context, engine->queue, engine->options.is_double, most, &it->blas) != SHEAF_OK) {
        it->blas_failed = true;
        base_log(SHEAF_LOG_NOTICE, "figures are summed up without BLAS: %s", sheaf_last_error());
    }
    return it->blas.is_open;
}

static sheaf_status add_by_blas(sheaf_engine *engine, cl_mem figures, uint32_t note_count,
                                double (*totals)[ENGINE_FIGURES_MAX])
{
    const engine_figures *it = &engine->figures;
    const size_t count = place_count(engine, resident_count(engine));
    const uint32_t figures_of_strand = engine->method->figure_count;
    SHEAF_TRY(engine_drain(engine));
    for (uint32_t row = 0; row < note_count * figures_of_strand; row++) {
        const uint32_t figure = row % figures_of_strand;
        double value;
        SHEAF_TRY(figure < engine->method->figure_sums
                      ? blas_dot(&it->blas, count, figures, row * count, it->weights, &value)
                      : blas_largest(&it->blas, count, figures, row * count, &value));
        add_figure(engine, totals[row / figures_of_strand], figure, value);
    }
    return SHEAF_OK;
}

// ---- working them out

static sheaf_status upload_weights(sheaf_engine *engine)
{
    if (engine->figures.weighed == engine->resident + 1)
        return SHEAF_OK;
    const size_t count = place_count(engine, resident_count(engine));
    const uint32_t *strand = engine->bundles.strand_of + place_count(engine, engine->slices[engine->resident].first);
    void *weights = base_alloc(count, engine_real_size(engine));
    if (weights == NULL)
        return SHEAF_ERR_MEMORY;
    for (size_t k = 0; k < count; k++)
        bundles_put(&engine->bundles, weights, k, strand[k] == BUNDLE_FILLER ? 0 : 1);
    const sheaf_status status =
        engine_upload(engine, engine->figures.weights, weights, count * engine_real_size(engine));
    base_free(weights);
    engine->figures.weighed = status == SHEAF_OK ? engine->resident + 1 : 0;
    return status;
}

// Not a step, and so not timed as one.
static sheaf_status launch_measure(sheaf_engine *engine, const bundle_range *range)
{
    cl_kernel kernel = engine->figures.measure[engine->method->figure_variant(range->kind)];
    const cl_uint all = resident_count(engine);
    const uint32_t bundles = range->end - range->first;
    cl_int error = engine_set_range(engine, kernel, range);
    error |= engine_set_argument(engine, kernel, ARGUMENT_BUNDLE_COUNT, sizeof all, &all);
    SHEAF_TRY(device_check(error, "clSetKernelArg"));
    return engine_enqueue(engine, kernel, bundles < engine->scratch_owners ? bundles : engine->scratch_owners,
                          (engine_flight){0});
}

// Parts of a sum over strands: many enough for all cores, long enough to be worth a work-item.
static uint32_t segment_count(const sheaf_engine *engine)
{
    const size_t whole = place_count(engine, resident_count(engine)) / 512 + 1;
    return whole < FIGURE_SEGMENTS ? (uint32_t)whole : FIGURE_SEGMENTS;
}

static sheaf_status launch_reduce(sheaf_engine *engine, cl_mem figures, uint32_t note_count)
{
    const engine_figures *it = &engine->figures;
    const cl_uint places = (cl_uint)place_count(engine, resident_count(engine)), segments = segment_count(engine);
    const cl_uint segment = (places + segments - 1) / segments;
    cl_int error = clSetKernelArg(it->reduce, 0, sizeof(cl_mem), &figures);
    error |= clSetKernelArg(it->reduce, 1, sizeof(cl_mem), &it->weights);
    error |= clSetKernelArg(it->reduce, 2, sizeof(cl_mem), &it->partials);
    error |= clSetKernelArg(it->reduce, 3, sizeof places, &places);
    error |= clSetKernelArg(it->reduce, 4, sizeof segment, &segment);
    error |= clSetKernelArg(it->reduce, 5, sizeof segments, &segments);
    error |= clSetKernelArg(it->reduce, 6, sizeof engine->method->figure_count, &engine->method->figure_count);
    error |= clSetKernelArg(it->reduce, 7, sizeof engine->method->figure_sums, &engine->method->figure_sums);
    SHEAF_TRY(device_check(error, "clSetKernelArg"));
    return engine_launch(engine, it->reduce, (size_t)note_count * engine->method->figure_count * segments, 1,
                         (engine_flight){0});
}

static sheaf_status add_partials(sheaf_engine *engine, uint32_t note_count, double (*totals)[ENGINE_FIGURES_MAX])
{
    const uint32_t figures_of_strand = engine->method->figure_count, segments = segment_count(engine);
    const uint32_t count = note_count * figures_of_strand * segments;
    void *partials = base_alloc(count, engine_real_size(engine));
    if (partials == NULL)
        return SHEAF_ERR_MEMORY;
    const sheaf_status status =
        engine_download(engine, engine->figures.partials, partials, count * engine_real_size(engine));
    for (uint32_t k = 0; k < count && status == SHEAF_OK; k++) {
        const uint32_t row = k / segments;
        const double value = engine->options.is_double ? ((double *)partials)[k] : (double)((float *)partials)[k];
        add_figure(engine, totals[row / figures_of_strand], row % figures_of_strand, value);
    }
    base_free(partials);
    return status;
}

sheaf_status engine_add_figures(sheaf_engine *engine, cl_mem figures, uint32_t note_count,
                                double (*totals)[ENGINE_FIGURES_MAX])
{
    SHEAF_TRY(upload_weights(engine));
    if (open_blas(engine))
        return add_by_blas(engine, figures, note_count, totals);
    SHEAF_TRY(launch_reduce(engine, figures, note_count));
    return add_partials(engine, note_count, totals);
}

sheaf_status engine_totals(sheaf_engine *engine, double totals[1][ENGINE_FIGURES_MAX])
{
    const uint32_t resident = engine->resident;
    memset(totals[0], 0, sizeof totals[0]);
    SHEAF_TRY(engine_open_figures(engine));
    for (uint32_t k = 0; k < engine->slice_count; k++) {
        SHEAF_TRY(engine_make_resident(engine, (resident + k) % engine->slice_count));
        SHEAF_TRY(engine_launch_ranges(engine, engine->step, 1, launch_measure));
        SHEAF_TRY(engine_add_figures(engine, engine->figures.all, 1, totals));
    }
    return SHEAF_OK;
}

sheaf_status engine_report(sheaf_engine *engine, sheaf_report *report)
{
    double totals[1][ENGINE_FIGURES_MAX];
    SHEAF_TRY(engine_totals(engine, totals));
    engine->method->report(engine, engine->step, totals[0], report);
    return SHEAF_OK;
}
