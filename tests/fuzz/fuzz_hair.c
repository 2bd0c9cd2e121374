// fuzz_hair: any bytes as a .hair file.
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format(&groom_format_hair, data, size);
}
