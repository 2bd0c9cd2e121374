// clock: when frames are due, and stepping towards them.
#include "run/clock.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

// ---- hooks

bool run_is_stopped(const run_hooks *hooks)
{
    return hooks != NULL && hooks->is_stopped != NULL && hooks->is_stopped(hooks->user);
}

void run_progress(const run_hooks *hooks, uint64_t done, const sheaf_report *row)
{
    if (hooks != NULL && hooks->progress != NULL)
        hooks->progress(hooks->user, done, row);
}

void run_tell(const run_hooks *hooks, run_tone tone, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (hooks != NULL && hooks->tell != NULL)
        hooks->tell(hooks->user, tone, text);
}

// ---- frames

run_clock run_clock_of(double step, double frame_rate)
{
    return (run_clock){.step = step, .length = fmax(1 / frame_rate, step)};
}

double run_frame_time(const run_clock *clock, uint64_t frame)
{
    return (double)frame * clock->length;
}

uint64_t run_frame_step(const run_clock *clock, uint64_t frame)
{
    return (uint64_t)ceil(run_frame_time(clock, frame) / clock->step - 1e-6);
}

bool run_is_between_steps(const run_clock *clock, uint64_t frame)
{
    return (double)run_frame_step(clock, frame) - run_frame_time(clock, frame) / clock->step > 1e-6;
}

run_passing run_find_passing(const run_clock *clock, uint64_t frame, uint64_t done, uint64_t end, uint32_t batch,
                             uint32_t most)
{
    uint64_t last = done;
    run_passing it = {.count = 0};
    for (; it.count < most && it.count < SOLVER_NOTES_MOST; frame++) {
        const uint64_t step = run_frame_step(clock, frame);
        if (step <= last || step > end || step - done > batch)
            break;
        it.after[it.count++] = (uint32_t)(step - done);
        last = step;
    }
    return it;
}

// ---- steps

void run_batch_adapt(run_batch *batch, double start)
{
    const double spent = base_clock() - start;
    if (batch->adapts && spent < 0.1 && batch->steps < 4096)
        batch->steps *= 2;
    else if (batch->adapts && spent > 0.3 && batch->steps > 1)
        batch->steps /= 2;
}

sheaf_status run_advance(sheaf_solver *solver, uint64_t goal, run_batch *batch, const run_hooks *hooks)
{
    for (uint64_t done = solver_steps(solver); done < goal && !run_is_stopped(hooks);) {
        const uint32_t count = goal - done < batch->steps ? (uint32_t)(goal - done) : batch->steps;
        const double start = base_clock();
        SHEAF_TRY(sheaf_solver_step(solver, count));
        done += count;
        run_batch_adapt(batch, start);
        run_progress(hooks, done, NULL);
    }
    return SHEAF_OK;
}

uint64_t run_step_count(double end, double step)
{
    return (uint64_t)fmax(ceil(end / step - 1e-6), 1);
}
