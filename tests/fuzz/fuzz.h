// fuzz: what the fuzz targets of file formats share: any bytes must end as strands that hold together, or as an error.
#ifndef SHEAF_TESTS_FUZZ_H
#define SHEAF_TESTS_FUZZ_H

#include "groom/format.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_require(bool holds)
{
    if (!holds)
        abort();
}

static inline void fuzz_check_groom(const groom *g, size_t size)
{
    fuzz_require(g->first_vertex[0] == 0 && g->first_vertex[g->strand_count] == g->vertex_count);
    for (uint64_t s = 0; s < g->strand_count; s++)
        fuzz_require(g->first_vertex[s] <= g->first_vertex[s + 1]);
    fuzz_require(g->vertex_count <= size);
    fuzz_require(groom_check_positions(g, "fuzz", true) == SHEAF_OK && groom_check_arrays(g, "fuzz") == SHEAF_OK);
}

static inline int fuzz_format(const groom_format *format, const uint8_t *data, size_t size)
{
    groom_source source;
    char *exact = malloc(size + (size == 0)); // so that a byte too far is seen
    fuzz_require(exact != NULL);
    memcpy(exact, data, size);
    sheaf_status status = groom_open_memory(format, exact, size, "fuzz", &source);
    for (uint64_t k = 0; status == SHEAF_OK && k < source.frame_count && k < 4; k++) {
        status = groom_load(&source, k);
        if (status == SHEAF_OK)
            fuzz_check_groom(&source.groom, size);
    }
    fuzz_require(status == SHEAF_OK || status == SHEAF_ERR_INPUT || status == SHEAF_ERR_LIMIT);
    fuzz_require(status == SHEAF_OK || sheaf_last_error()[0] != 0);
    groom_close(&source);
    free(exact);
    return 0;
}

#endif
