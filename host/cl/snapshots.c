// snapshots: what a batch of steps leaves of some of them on the way. A run that looks at its strands every other step
// would otherwise read all of state and model from memory for every two steps; with notes it does for every sixteen.
#include "cl/engine_parts.h"

#include <string.h>

enum { MEMORY_MOST = 1 << 26 }; // bytes of notes

// ---- buffers

static size_t figures_size(const sheaf_engine *engine)
{
    return (size_t)engine->method->figure_count * engine->bundles.count * engine->bundles.options.width *
           engine_real_size(engine);
}

// Bytes of pose field k in one note.
static size_t pose_size(const sheaf_engine *engine, uint32_t k)
{
    const uint32_t field = engine->method->pose_fields[k];
    return engine->method->has_pose_field(engine, field) ? bundles_bytes(&engine->bundles, field) : 0;
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
    uint64_t note = figures_size(engine);
    for (uint32_t k = 0; k < engine->method->pose_field_count; k++)
        note += pose_size(engine, k);
    const uint64_t most = room_left(engine) / note;
    return most < 2 ? 0 : most < ENGINE_NOTES_MOST ? (uint32_t)most : ENGINE_NOTES_MOST;
}

static sheaf_status make_buffers(sheaf_engine *engine)
{
    engine_notes *notes = &engine->notes;
    if (notes->figures != NULL)
        return SHEAF_OK;
    const size_t most = notes->most = engine_notes_most(engine);
    for (uint32_t k = 0; k < engine->method->pose_field_count; k++)
        SHEAF_TRY(engine_make_buffer(engine, CL_MEM_READ_WRITE, most * pose_size(engine, k), &notes->poses[k]));
    return engine_make_buffer(engine, CL_MEM_READ_WRITE, most * figures_size(engine), &notes->figures);
}

void engine_release_notes(sheaf_engine *engine)
{
    if (engine->notes.figures != NULL)
        clReleaseMemObject(engine->notes.figures);
    for (int k = 0; k < ENGINE_INPUTS_MAX; k++)
        if (engine->notes.poses[k] != NULL)
            clReleaseMemObject(engine->notes.poses[k]);
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
    const cl_mem *none = &engine->figures.all;
    const cl_uint poses_at = engine_argument_place(engine, ARGUMENT_NOTE_POSES);
    const cl_uint bundles = engine->bundles.count;
    const cl_uint slots = notes->has_poses ? (cl_uint)engine->bundles.slot_count : 0;
    cl_uint first;
    const cl_ulong noted = noted_steps(notes, range, &first);
    cl_int error = engine_set_argument(engine, kernel, ARGUMENT_NOTED, sizeof noted, &noted);
    error |= engine_set_argument(engine, kernel, ARGUMENT_NOTE_FIRST, sizeof first, &first);
    error |= engine_set_argument(engine, kernel, ARGUMENT_NOTE_BUNDLES, sizeof bundles, &bundles);
    error |= engine_set_argument(engine, kernel, ARGUMENT_NOTE_SLOTS, sizeof slots, &slots);
    for (uint32_t k = 0; k < engine->method->pose_field_count; k++)
        error |= clSetKernelArg(kernel, poses_at + k, sizeof(cl_mem), is_made ? &notes->poses[k] : none);
    return error |
           engine_set_argument(engine, kernel, ARGUMENT_NOTE_FIGURES, sizeof(cl_mem), is_made ? &notes->figures : none);
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

sheaf_status engine_note_totals(const sheaf_engine *engine, uint32_t note, double totals[1][ENGINE_FIGURES_MAX])
{
    const engine_notes *notes = &engine->notes;
    if (note >= notes->count)
        return base_fail(SHEAF_ERR_USAGE, "note %u of %u: there are not so many", note, notes->count);
    memcpy(totals[0], notes->totals[note], sizeof totals[0]);
    return SHEAF_OK;
}

sheaf_status engine_note_report(const sheaf_engine *engine, uint32_t note, sheaf_report *report)
{
    double totals[1][ENGINE_FIGURES_MAX];
    SHEAF_TRY(engine_note_totals(engine, note, totals));
    engine->method->report(engine, engine->notes.steps[note], totals[0], report);
    return SHEAF_OK;
}

sheaf_status engine_read_note_rows(sheaf_engine *engine, uint32_t note, uint32_t field, uint32_t first, uint32_t end,
                                   void *rows)
{
    const size_t size = engine_rows_size(engine, field, first, end);
    uint32_t k = 0;
    while (engine->method->pose_fields[k] != field)
        k++;
    if (!engine->method->has_pose_field(engine, field)) { // nobody asks for it
        memset(rows, 0, size);
        return SHEAF_OK;
    }
    const size_t offset =
        note * bundles_bytes(&engine->bundles, field) + bundles_offset(&engine->bundles, field, first);
    return engine_download_at(engine, engine->notes.poses[k], offset, rows, size);
}
