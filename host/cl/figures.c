// figures: energies, strain and records of a population, worked out on the device: no state is copied to the host.
#include "cl/engine_parts.h"

#include "base/vec.h"
#include "cl/form.h"
#include "cl/program.h"

#include <math.h>

#include "kernels/der/slots.clh"
#include "kernels/world/slots.clh"

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
    const size_t partials = (size_t)ENGINE_NOTES_MOST * FIGURE_SIZE * FIGURE_SEGMENTS;
    return ((FIGURE_SIZE + 1) * place_count(engine, bundle_count) + partials) * engine_real_size(engine);
}

// Mass and first moment of the roots that follow each motion, and then of those that only jump with it: as general
// strands do, of which the device says how far they have moved. All others are in group 0.
static sheaf_status sum_loads(sheaf_engine *engine)
{
    const sheaf_model *model = engine->model;
    engine->figures.loads = base_alloc(2 * (size_t)model->motion_count + 1, sizeof *engine->figures.loads);
    if (engine->figures.loads == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t s = 0; s < model->strand_count; s++) {
        const model_strand *strand = &model->strands[s];
        const int32_t motion = model_strand_motion(strand);
        const uint32_t jumping = motion >= 0 ? model->motion_count + (uint32_t)motion + 1 : 0;
        double *load = engine->figures.loads[bundles_is_clamped(model, s) ? (uint32_t)(motion + 1) : jumping];
        load[0] += strand->mass;
        vec_axpy(load + 1, strand->mass, strand->origin);
    }
    return SHEAF_OK;
}

sheaf_status engine_make_figures(sheaf_engine *engine, uint32_t most_bundles)
{
    engine_figures *it = &engine->figures;
    const size_t row = place_count(engine, most_bundles) * engine_real_size(engine);
    it->most_bundles = most_bundles;
    SHEAF_TRY(engine_make_buffer(engine, CL_MEM_READ_WRITE, FIGURE_SIZE * row, &it->all));
    SHEAF_TRY(engine_make_buffer(engine, CL_MEM_READ_ONLY, row, &it->weights));
    const size_t partials = (size_t)ENGINE_NOTES_MOST * FIGURE_SIZE * FIGURE_SEGMENTS;
    SHEAF_TRY(engine_make_buffer(engine, CL_MEM_READ_WRITE, partials * engine_real_size(engine), &it->partials));
    return sum_loads(engine);
}

void engine_release_figures(sheaf_engine *engine)
{
    engine_figures *it = &engine->figures;
    blas_close(&it->blas);
    const cl_kernel kernels[] = {it->measure[0], it->measure[1], it->reduce};
    const cl_mem buffers[] = {it->all, it->weights, it->partials};
    for (int k = 0; k < 3; k++) {
        if (kernels[k] != NULL)
            clReleaseKernel(kernels[k]);
        if (buffers[k] != NULL)
            clReleaseMemObject(buffers[k]);
    }
    for (int general = 0; general < 2; general++)
        if (it->programs[general] != NULL)
            clReleaseProgram(it->programs[general]);
}

// ---- kernels

static bool is_general(bundle_kind kind)
{
    return kind == BUNDLE_GENERAL || kind == BUNDLE_GENERAL_DAMPED;
}

// Figures know nothing of integrators and projectors: one program serves all of them.
static sheaf_status open_program(sheaf_engine *engine, bool general)
{
    engine_figures *it = &engine->figures;
    program_source source = {.entry = "kernels/der/figures.cl",
                             .lane_width = engine->options.lane_width,
                             .bundle_width = engine->bundles.options.width,
                             .is_double = engine->options.is_double};
    form_write(&(kernel_form){.is_general = general, .is_padded = true}, source.defines);
    SHEAF_TRY(program_build(engine->context, &engine->device, &source, &it->programs[general]));
    SHEAF_TRY(engine_make_kernel(engine, it->programs[general], "figures", &it->measure[general]));
    SHEAF_TRY(device_check(clSetKernelArg(it->measure[general], ARGUMENT_FIGURES, sizeof(cl_mem), &it->all),
                           "clSetKernelArg"));
    if (it->reduce != NULL)
        return SHEAF_OK;
    return program_kernel(it->programs[general], "reduce_rows", &it->reduce);
}

sheaf_status engine_open_figures(sheaf_engine *engine)
{
    const uint32_t *first = engine->bundles.kind_first;
    for (bundle_kind kind = 0; kind < BUNDLE_KIND_COUNT; kind++)
        if (first[kind] < first[kind + 1] && engine->figures.programs[is_general(kind)] == NULL)
            SHEAF_TRY(open_program(engine, is_general(kind)));
    return SHEAF_OK;
}

// ---- adding up

static void add_figure(double totals[FIGURE_SIZE], int figure, double value)
{
    double *total = totals + figure;
    *total = figure < FIGURE_SUMS ? *total + value : fmax(*total, value);
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
                                double (*totals)[FIGURE_SIZE])
{
    const engine_figures *it = &engine->figures;
    const size_t count = place_count(engine, resident_count(engine));
    SHEAF_TRY(engine_drain(engine));
    for (uint32_t row = 0; row < note_count * FIGURE_SIZE; row++) {
        const int figure = (int)(row % FIGURE_SIZE);
        double value;
        SHEAF_TRY(figure < FIGURE_SUMS ? blas_dot(&it->blas, count, figures, row * count, it->weights, &value)
                                       : blas_largest(&it->blas, count, figures, row * count, &value));
        add_figure(totals[row / FIGURE_SIZE], figure, value);
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
    cl_kernel kernel = engine->figures.measure[is_general(range->kind)];
    const cl_uint all = resident_count(engine);
    const uint32_t bundles = range->end - range->first;
    cl_int error = engine_set_range(engine, kernel, range);
    error |= clSetKernelArg(kernel, ARGUMENT_BUNDLE_COUNT, sizeof all, &all);
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
    error |= clSetKernelArg(it->reduce, 6, sizeof(cl_uint), &(cl_uint){FIGURE_SIZE});
    error |= clSetKernelArg(it->reduce, 7, sizeof(cl_uint), &(cl_uint){FIGURE_SUMS});
    SHEAF_TRY(device_check(error, "clSetKernelArg"));
    return engine_launch(engine, it->reduce, (size_t)note_count * FIGURE_SIZE * segments, 1, (engine_flight){0});
}

static sheaf_status add_partials(sheaf_engine *engine, uint32_t note_count, double (*totals)[FIGURE_SIZE])
{
    const uint32_t segments = segment_count(engine), count = note_count * FIGURE_SIZE * segments;
    void *partials = base_alloc(count, engine_real_size(engine));
    if (partials == NULL)
        return SHEAF_ERR_MEMORY;
    const sheaf_status status =
        engine_download(engine, engine->figures.partials, partials, count * engine_real_size(engine));
    for (uint32_t k = 0; k < count && status == SHEAF_OK; k++) {
        const uint32_t row = k / segments;
        const double value = engine->options.is_double ? ((double *)partials)[k] : (double)((float *)partials)[k];
        add_figure(totals[row / FIGURE_SIZE], (int)(row % FIGURE_SIZE), value);
    }
    base_free(partials);
    return status;
}

sheaf_status engine_add_figures(sheaf_engine *engine, cl_mem figures, uint32_t note_count,
                                double (*totals)[FIGURE_SIZE])
{
    SHEAF_TRY(upload_weights(engine));
    if (open_blas(engine))
        return add_by_blas(engine, figures, note_count, totals);
    SHEAF_TRY(launch_reduce(engine, figures, note_count));
    return add_partials(engine, note_count, totals);
}

// Energy of all mass at the places of the roots.
static double roots_energy(const sheaf_engine *engine, double time)
{
    const sheaf_model *model = engine->model;
    double energy = 0;
    for (uint32_t group = 0; group <= 2 * model->motion_count; group++) {
        const double *load = engine->figures.loads[group];
        double center[3];
        model_jump jump;
        if (load[0] <= 0)
            continue;
        vec_scale(center, load + 1, 1 / load[0]);
        if (group > model->motion_count) {
            if (model_motion_jump(&model->motions[group - model->motion_count - 1], 0, time, &jump))
                model_jump_point(&jump, center, center);
        } else if (group > 0)
            model_motion_point(&model->motions[group - 1], time, center, center);
        energy -= load[0] * vec_dot(model->def.gravity, center);
    }
    return energy;
}

void engine_make_report(const sheaf_engine *engine, uint64_t step, const double totals[FIGURE_SIZE],
                        sheaf_report *report)
{
    *report = (sheaf_report){.time = (double)step * engine->options.step, .step = step};
    report->kinetic = totals[FIGURE_KINETIC];
    report->bending = totals[FIGURE_BENDING];
    report->twisting = totals[FIGURE_TWISTING];
    report->gravitational = roots_energy(engine, report->time) - totals[FIGURE_LIFT];
    report->worst_strain = totals[FIGURE_STRAIN];
    report->twist_residual = totals[FIGURE_RESIDUAL];
    report->frozen_strands = (uint32_t)lrint(totals[FIGURE_FROZEN]);
    report->unmet_strands = (uint32_t)lrint(totals[FIGURE_UNMET]);
    const double moving = engine->model->strand_count - report->frozen_strands;
    report->mean_newton = moving > 0 ? totals[FIGURE_NEWTON] / moving : 0;
    report->mean_projections = moving > 0 ? totals[FIGURE_PROJECT] / moving : 0;
}

sheaf_status engine_report(sheaf_engine *engine, sheaf_report *report)
{
    double totals[1][FIGURE_SIZE] = {0};
    const uint32_t resident = engine->resident;
    SHEAF_TRY(engine_open_figures(engine));
    for (uint32_t k = 0; k < engine->slice_count; k++) {
        SHEAF_TRY(engine_make_resident(engine, (resident + k) % engine->slice_count));
        SHEAF_TRY(engine_launch_ranges(engine, engine->step, 1, launch_measure));
        SHEAF_TRY(engine_add_figures(engine, engine->figures.all, 1, totals));
    }
    engine_make_report(engine, engine->step, totals[0], report);
    return SHEAF_OK;
}
