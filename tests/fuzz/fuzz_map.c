// fuzz_map: any bytes as a picture or array of a map.
#include "fuzz.h"
#include "grow/map.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    grow_map map;
    char *exact = malloc(size + (size == 0)); // so that a byte too far is seen
    fuzz_require(exact != NULL);
    memcpy(exact, data, size);
    const sheaf_status status = grow_map_open_memory(exact, size, "fuzz", &map);
    if (status == SHEAF_OK) {
        fuzz_require((size_t)map.width * map.height <= size);
        for (double u = -0.5; u < 2; u += 0.25)
            fuzz_require(fabs(grow_map_at(&map, u, 1 - u, NULL)) <= 1e6);
    } else {
        fuzz_require(status == SHEAF_ERR_INPUT && sheaf_last_error()[0] != 0);
    }
    grow_map_free(&map);
    free(exact);
    return 0;
}
