// count_form: what a counting form of the kernels (twin/counted.hpp) is given, and where it puts its counts.
#ifndef SHEAF_TESTS_COUNT_FORM_H
#define SHEAF_TESTS_COUNT_FORM_H

#ifdef __cplusplus
extern "C" {
#endif

#include "cl/stages.h"
#include "der/device/device.h"
#include "twin.h"

// Runs one stage on the first bundle.
typedef void count_form(const twin_arguments *arguments, engine_stage stage, int iteration);

// Operations that cost GPUs another number of instructions than flops: a comparison or a selection is a choice.
typedef enum count_kind { COUNT_SIMPLE, COUNT_DIVISION, COUNT_ROOT, COUNT_CHOICE, COUNT_KINDS } count_kind;

void count_flops(unsigned flops);
void count_operation(count_kind kind);
void count_load(const volatile void *place);
void count_store(const volatile void *place);

#ifdef __cplusplus
}
#endif

#endif
