// fuzz_npy: any bytes as a .npy file.
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format(&groom_format_npy, data, size);
}
