// notes: what a batch of steps leaves of some of them on the way. A run that looks at its strands every other step
// would otherwise read all of state and model from memory for every two steps; with notes it does for every sixteen.
#include "cl/engine_parts.h"

#include <string.h>

#include "kernels/der/slots.clh"
#include "kernels/world/slots.clh"

enum { MEMORY_MOST = 1 << 26 }; // bytes of notes

// ---- buffers

static bool has_general(const sheaf_engine *engine)
{
    return engine->bundles.kind_first[BUNDLE_GENERAL] < engine->bundles.count;
}

static size_t figures_size(const sheaf_engine *engine)
{
    return (size_t)FIGURE_SIZE * engine->bundles.count * engine->bundles.options.width * engine_real_size(engine);
}

static size_t pose_size(const sheaf_engine *engine)
{
    return bundles_bytes(&engine->bundles, DER_edge);
}

static size_t root_places_size(const sheaf_engine *engine)
{
    return has_general(engine) ? bundles_bytes(&engine->bundles, DER_place) : 0;
}

static uint64_t room_left(const sheaf_engine *engine)
{
    const engine_memory *memory = &engine->memory;
    const uint64_t left = memory->limit > memory->used ? memory->limit - memory->used : 0;
    return left < MEMORY_MOST ? left : MEMORY_MOST;
}

// A single note on the way would cost as much as the two batches that it spares.
uint32_t engine_notes_most(const sheaf_engine *engine)
{
    if (engine->options.is_staged || engine->slice_count > 1)
        return 0;
    if (engine->notes.figures != NULL)
        return engine->notes.most;
    const uint64_t note = figures_size(engine) + pose_size(engine) + root_places_size(engine);
    const uint64_t most = room_left(engine) / note;
    return most < 2 ? 0 : most < ENGINE_NOTES_MOST ? (uint32_t)most : ENGINE_NOTES_MOST;
}

static sheaf_status make_buffers(sheaf_engine *engine)
{
    engine_notes *notes = &engine->notes;
    if (notes->figures != NULL)
        return SHEAF_OK;
    const size_t most = notes->most = engine_notes_most(engine);
    SHEAF_TRY(engine_make_buffer(engine, CL_MEM_READ_WRITE, most * pose_size(engine), &notes->edges));
    SHEAF_TRY(engine_make_buffer(engine, CL_MEM_READ_WRITE, most * root_places_size(engine), &notes->root_places));
    return engine_make_buffer(engine, CL_MEM_READ_WRITE, most * figures_size(engine), &notes->figures);
}

void engine_release_notes(sheaf_engine *engine)
{
    const cl_mem buffers[] = {engine->notes.figures, engine->notes.edges, engine->notes.root_places};
    for (int k = 0; k < 3; k++)
        if (buffers[k] != NULL)
            clReleaseMemObject(buffers[k]);
}

// ---- taking them

// Steps of a range after which notes are taken, as bits; `first`: the first of these notes.
static cl_ulong noted_steps(const engine_notes *notes, const bundle_range *range, cl_uint *first)
{
    cl_ulong bits = 0;
    *first = 0;
    for (uint32_t k = notes->is_open ? notes->count : 0; k-- > 0;)
        if (notes->steps[k] > range->step && notes->steps[k] - range->step <= range->step_count) {
            bits |= (cl_ulong)1 << (notes->steps[k] - range->step - 1);
            *first = k;
        }
    return bits;
}

// A kernel that takes no notes is given buffers all the same, which it does not touch.
cl_int engine_set_notes(const sheaf_engine *engine, cl_kernel kernel, const bundle_range *range)
{
    const engine_notes *notes = &engine->notes;
    const bool is_made = notes->figures != NULL;
    const cl_mem *figures = is_made ? &notes->figures : &engine->figures.all;
    const cl_mem *edges = is_made ? &notes->edges : &engine->figures.all;
    const cl_mem *root_places = is_made ? &notes->root_places : &engine->figures.all;
    const cl_uint bundles = engine->bundles.count;
    const cl_uint slots = notes->has_poses ? (cl_uint)engine->bundles.slot_count : 0;
    cl_uint first;
    const cl_ulong noted = noted_steps(notes, range, &first);
    cl_int error = clSetKernelArg(kernel, ARGUMENT_NOTED, sizeof noted, &noted);
    error |= clSetKernelArg(kernel, ARGUMENT_NOTE_FIRST, sizeof first, &first);
    error |= clSetKernelArg(kernel, ARGUMENT_NOTE_BUNDLES, sizeof bundles, &bundles);
    error |= clSetKernelArg(kernel, ARGUMENT_NOTE_SLOTS, sizeof slots, &slots);
    error |= clSetKernelArg(kernel, ARGUMENT_NOTE_FIGURES, sizeof(cl_mem), figures);
    error |= clSetKernelArg(kernel, ARGUMENT_NOTE_EDGES, sizeof(cl_mem), edges);
    return error | clSetKernelArg(kernel, ARGUMENT_NOTE_ROOT_PLACES, sizeof(cl_mem), root_places);
}

sheaf_status engine_step_noting(sheaf_engine *engine, uint32_t count, const uint32_t *after, uint32_t note_count,
                                bool with_poses)
{
    engine_notes *notes = &engine->notes;
    notes->count = 0;
    if (note_count > engine_notes_most(engine))
        return base_fail(SHEAF_ERR_USAGE, "%u notes of a batch of steps; there can be %u", note_count,
                         engine_notes_most(engine));
    SHEAF_TRY(make_buffers(engine));
    SHEAF_TRY(engine_open_figures(engine));
    for (uint32_t k = 0; k < note_count; k++)
        notes->steps[k] = engine->step + after[k];
    notes->count = note_count;
    notes->has_poses = with_poses;
    notes->is_open = true;
    const sheaf_status status = engine_step(engine, count);
    notes->is_open = false;
    SHEAF_TRY(status);
    memset(notes->totals, 0, sizeof notes->totals);
    return engine_add_figures(engine, notes->figures, note_count, notes->totals);
}

// ---- reading them

sheaf_status engine_note_report(const sheaf_engine *engine, uint32_t note, sheaf_report *report)
{
    const engine_notes *notes = &engine->notes;
    if (note >= notes->count)
        return base_fail(SHEAF_ERR_USAGE, "note %u of %u: there are not so many", note, notes->count);
    engine_make_report(engine, notes->steps[note], notes->totals[note], report);
    return SHEAF_OK;
}

sheaf_status engine_read_note_rows(sheaf_engine *engine, uint32_t note, der_field array, uint32_t first, uint32_t end,
                                   void *rows)
{
    const size_t size = engine_rows_size(engine, array, first, end);
    if (array == DER_place && !has_general(engine)) { // nobody asks where clamped roots are
        memset(rows, 0, size);
        return SHEAF_OK;
    }
    const size_t offset =
        note * bundles_bytes(&engine->bundles, array) + bundles_offset(&engine->bundles, array, first);
    cl_mem buffer = array == DER_place ? engine->notes.root_places : engine->notes.edges;
    return engine_download_at(engine, buffer, offset, rows, size);
}
