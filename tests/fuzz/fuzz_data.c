// fuzz_data: any bytes as a .data file.
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format(&groom_format_data, data, size);
}
