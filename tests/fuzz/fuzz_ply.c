// fuzz_ply: any bytes as a .ply file.
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format(&groom_format_ply, data, size);
}
