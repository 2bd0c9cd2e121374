// fuzz_usda: any bytes as a .usda file.
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format(&groom_format_usda, data, size);
}
