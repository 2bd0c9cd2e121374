// pace: launches under way. Keeps each of them short, so that no watchdog of a driver or a desktop ends it, keeps their
// number small, and notices a device that does not answer.
#include "cl/engine_parts.h"

#include "cl/shield.h"

#include <math.h>
#include <time.h>

static const double target_time = 0.04;   // s, of one launch; drivers and desktops bear 0.5 s and more
static const double first_work = 1 << 16; // vertex-steps of a launch while the device's speed is unknown
static const double timed_from = 1e-3;    // s; shorter launches are mostly overhead and tell no speed
static const double patience = 180;       // s, until the first launch of a kernel starts to run
static const double run_limit = 10;       // s, for a launch to wait when its kernel is known, and for any to run

double engine_launch_work(const sheaf_engine *engine)
{
    return engine->pace.rate > 0 ? fmax(engine->pace.rate * target_time, 1) : first_work;
}

double engine_longest_launch(const sheaf_engine *engine)
{
    return engine->pace.longest;
}

// Follows a slowdown at once and a speed-up by and by.
static void note_speed(engine_pace *pace, double work, double seconds)
{
    pace->longest = fmax(pace->longest, seconds);
    if (seconds < timed_from && pace->rate == 0)
        return;
    const double seen = work / fmax(seconds, 1e-9);
    const double raised = fmin(pace->rate + 0.2 * (seen - pace->rate), 2 * pace->rate);
    pace->rate = pace->rate == 0 || seen < pace->rate ? seen : raised;
}

static void note_end(engine_pace *pace, const engine_flight *flight)
{
    cl_ulong start = 0, end = 0;
    if (clGetEventProfilingInfo(flight->event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL) != CL_SUCCESS ||
        clGetEventProfilingInfo(flight->event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) != CL_SUCCESS ||
        end <= start)
        return;
    const double seconds = 1e-9 * (double)(end - start);
    if (flight->work > 0)
        note_speed(pace, flight->work, seconds);
    if (flight->stage_time != NULL) {
        flight->stage_time->launches++;
        flight->stage_time->seconds += seconds;
    }
}

// Sleeps a little longer each time, from 10 us to 1 ms.
static void rest(uint32_t round)
{
    const long most = 1000000, time = round < 7 ? 10000L << round : most;
    nanosleep(&(struct timespec){.tv_nsec = time < most ? time : most}, NULL);
}

static bool is_proven(const engine_pace *pace, cl_kernel kernel)
{
    for (uint32_t i = 0; i < pace->proven_count; i++)
        if (pace->proven[i] == kernel)
            return true;
    return false;
}

static void note_proven(engine_pace *pace, cl_kernel kernel)
{
    if (pace->proven_count < PROVEN_MOST && !is_proven(pace, kernel))
        pace->proven[pace->proven_count++] = kernel;
}

// Some drivers compile a kernel when it is launched for the first time, before they say that it runs.
static double time_limit(const sheaf_engine *engine, cl_kernel kernel, cl_int state)
{
    if (engine->options.time_limit > 0)
        return engine->options.time_limit;
    return state == CL_RUNNING || is_proven(&engine->pace, kernel) ? run_limit : patience;
}

static sheaf_status hang(sheaf_engine *engine, double limit)
{
    engine->pace.hangs = true;
    return base_fail(SHEAF_ERR_DEVICE,
                     "%s has not finished a launch within %g s and is taken for hung; its driver may "
                     "need a restart",
                     engine->device.name, limit);
}

static sheaf_status find_state(const engine_flight *flight, cl_int *state)
{
    return device_check(clGetEventInfo(flight->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof *state, state, NULL),
                        "clGetEventInfo");
}

// Waits until a launch has ended; a driver tells its failure by a negative state. Its time counts anew from when it is
// first seen to run.
static sheaf_status await(sheaf_engine *engine, const engine_flight *flight)
{
    double start = base_clock();
    cl_int before = CL_QUEUED;
    for (uint32_t round = 0;; round++) {
        cl_int state = CL_QUEUED;
        SHEAF_TRY(find_state(flight, &state));
        if (state < 0)
            return device_check(state, "a command on the device");
        if (state == CL_COMPLETE)
            return SHEAF_OK;
        if (state == CL_RUNNING && before != CL_RUNNING)
            start = base_clock();
        before = state;
        const double limit = time_limit(engine, flight->kernel, state);
        if (base_clock() - start > limit)
            return hang(engine, limit);
        rest(round);
    }
}

static sheaf_status await_oldest(sheaf_engine *engine)
{
    engine_pace *pace = &engine->pace;
    const engine_flight flight = pace->flights[pace->first];
    const sheaf_status status = await(engine, &flight);
    pace->first = (pace->first + 1) % FLIGHTS_MOST;
    pace->count--;
    if (status == SHEAF_OK) {
        note_proven(pace, flight.kernel);
        note_end(pace, &flight);
    }
    clReleaseEvent(flight.event);
    return status;
}

sheaf_status engine_drain(sheaf_engine *engine)
{
    sheaf_status first = SHEAF_OK;
    if (engine->pace.count > 0)
        first = device_check(clFlush(engine->queue), "clFlush");
    while (engine->pace.count > 0 && !engine->pace.hangs) {
        const sheaf_status status = await_oldest(engine);
        first = first == SHEAF_OK ? status : first;
    }
    engine->failed |= first != SHEAF_OK;
    return first;
}

// Some drivers compile a kernel when it is launched for the first time.
static cl_int enqueue(const sheaf_engine *engine, cl_kernel kernel, size_t size, size_t group, cl_event *event)
{
    const bool may_compile = !is_proven(&engine->pace, kernel);
    shield signals;
    if (may_compile)
        shield_raise(&signals, SHIELD_COMPILES);
    const cl_int error = clEnqueueNDRangeKernel(engine->queue, kernel, 1, NULL, &size, &group, 0, NULL, event);
    if (may_compile)
        shield_lower(&signals);
    return error;
}

sheaf_status engine_launch(sheaf_engine *engine, cl_kernel kernel, size_t size, size_t group, engine_flight flight)
{
    engine_pace *pace = &engine->pace;
    if (pace->count == FLIGHTS_MOST) {
        SHEAF_TRY(device_check(clFlush(engine->queue), "clFlush"));
        SHEAF_TRY(await_oldest(engine));
    }
    SHEAF_TRY(device_check(enqueue(engine, kernel, size, group, &flight.event), "clEnqueueNDRangeKernel"));
    flight.kernel = kernel;
    pace->flights[(pace->first + pace->count++) % FLIGHTS_MOST] = flight;
    return SHEAF_OK;
}

// ---- copies: only after all launches have ended in time, so that blocking calls cannot block for long

sheaf_status engine_upload_at(sheaf_engine *engine, cl_mem buffer, size_t offset, const void *memory, size_t size)
{
    SHEAF_TRY(engine_drain(engine));
    return device_check(clEnqueueWriteBuffer(engine->queue, buffer, CL_TRUE, offset, size, memory, 0, NULL, NULL),
                        "clEnqueueWriteBuffer");
}

sheaf_status engine_upload(sheaf_engine *engine, cl_mem buffer, const void *memory, size_t size)
{
    return engine_upload_at(engine, buffer, 0, memory, size);
}

sheaf_status engine_download_at(sheaf_engine *engine, cl_mem buffer, size_t offset, void *memory, size_t size)
{
    SHEAF_TRY(engine_drain(engine));
    return device_check(clEnqueueReadBuffer(engine->queue, buffer, CL_TRUE, offset, size, memory, 0, NULL, NULL),
                        "clEnqueueReadBuffer");
}

sheaf_status engine_download(sheaf_engine *engine, cl_mem buffer, void *memory, size_t size)
{
    return engine_download_at(engine, buffer, 0, memory, size);
}
