// traffic: what passes a cache that holds so many numbers of a strand and lets go first what was used longest ago. A
// row of a bundle is as long as lines of caches are or longer, so numbers of one strand stand for lines. A number that
// is read and is not there is fetched; one that was written is written back when it leaves.
#ifndef SHEAF_TESTS_TRAFFIC_H
#define SHEAF_TESTS_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

typedef struct traffic traffic;

// Numbers are 0 .. count - 1; fails the test where memory is short.
traffic *traffic_open(uint32_t capacity, uint32_t count);
void traffic_close(traffic *it);

void traffic_use(traffic *it, uint32_t number, bool writes);

// Numbers fetched and written back so far.
uint64_t traffic_passed(const traffic *it);

#endif
