// list: the methods there are. Who adds a method adds its folders and a line here; who removes one removes them.
#include "method/method.h"

// The first is the one of strands that name none.
#define METHODS(X)                                                                                                     \
    X(der)   /* Discrete Elastic Rods */                                                                               \
    X(cable) /* rigid segments and joints, for loads */                                                                \
    /* the end */

#define METHOD_DECLARE(name) extern const method method_##name;
METHODS(METHOD_DECLARE)

#define METHOD_ENTRY(name) &method_##name,
const method *const method_list[] = {METHODS(METHOD_ENTRY) NULL};

const char *sheaf_method_name(uint32_t index)
{
    for (uint32_t k = 0; method_list[k] != NULL; k++)
        if (k == index)
            return method_list[k]->name;
    return NULL;
}
