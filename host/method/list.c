// list: the methods there are. Who adds a method adds its folders and a line here; who removes one removes them.
#include "method/method.h"

extern const method method_der; // Discrete Elastic Rods

const method *const method_list[] = {
    &method_der,
    NULL,
};

const char *sheaf_method_name(uint32_t index)
{
    for (uint32_t k = 0; method_list[k] != NULL; k++)
        if (k == index)
            return method_list[k]->name;
    return NULL;
}
