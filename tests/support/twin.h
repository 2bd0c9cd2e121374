// twin: the fused engine in plain C: the same kernel text compiled by the host's compiler with one strand per lane, on
// arrays packed by the same code. Whatever a device's compiler, lane width and launch do, single precision must give
// the same bits.
#ifndef SHEAF_TESTS_TWIN_H
#define SHEAF_TESTS_TWIN_H

#include "der/device/device.h"

// What a form of the kernels is given, as in kernels/der/bundle.clh.
typedef struct twin_arguments {
    float *arrays[DER_FIELD_COUNT];
    const void *entries; // [bundle] bundle_entry
    float *motions, *goals, *colliders, *settings, *scratch;
    uint32_t width; // strands of a bundle
    uint32_t group_count, collider_count, general_first, general_count, scratch_stride;
    uint32_t bundle_first, bundle_end;
    uint32_t step; // steps taken before
} twin_arguments;

// Takes one step with bundles of one kind.
typedef void twin_form(const twin_arguments *arguments);

typedef struct twin {
    const sheaf_engine *engine;
    twin_arguments arguments;
} twin;

// The twin of an engine in single precision, at the start of time. The engine must outlive it. Fails the test where
// memory is short.
twin twin_open(const sheaf_engine *engine);
void twin_close(twin *it);

// Motions, goals and colliders of the step that comes next.
void twin_set_ends(twin *it);

// Takes steps with the forms of the engine's model; fails the test where there is no such form.
void twin_step(twin *it, uint32_t count);

// Takes one step with the given form for each kind of bundles the model has.
void twin_step_with(twin *it, twin_form *const forms[DER_KIND_COUNT]);

#endif
