// traffic: a cache as a ring of numbers, by when they were used last.
#include "traffic.h"

#include <stdlib.h>

#include "unit.h"

typedef struct entry {
    uint32_t newer, older;
    bool is_held, is_dirty;
} entry;

struct traffic {
    uint32_t capacity, held;
    uint64_t passed;
    entry *entries; // [count + 1], the last is where the ring begins: its `older` is the newest
    uint32_t anchor;
};

traffic *traffic_open(uint32_t capacity, uint32_t count)
{
    traffic *it = calloc(1, sizeof *it);
    assert_non_null(it);
    it->entries = calloc((size_t)count + 1, sizeof *it->entries);
    assert_non_null(it->entries);
    it->capacity = capacity;
    it->anchor = count;
    it->entries[count].newer = it->entries[count].older = count;
    return it;
}

void traffic_close(traffic *it)
{
    free(it->entries);
    free(it);
}

static void take_out(traffic *it, uint32_t number)
{
    const entry *e = &it->entries[number];
    it->entries[e->newer].older = e->older;
    it->entries[e->older].newer = e->newer;
}

static void put_first(traffic *it, uint32_t number)
{
    entry *e = &it->entries[number], *anchor = &it->entries[it->anchor];
    e->newer = it->anchor;
    e->older = anchor->older;
    it->entries[anchor->older].newer = number;
    anchor->older = number;
}

static void let_go_of_last(traffic *it)
{
    const uint32_t last = it->entries[it->anchor].newer;
    take_out(it, last);
    it->passed += it->entries[last].is_dirty;
    it->entries[last] = (entry){0};
    it->held--;
}

void traffic_use(traffic *it, uint32_t number, bool writes)
{
    entry *e = &it->entries[number];
    if (e->is_held)
        take_out(it, number);
    else {
        it->passed += !writes;
        it->held++;
    }
    e->is_held = true;
    e->is_dirty |= writes;
    put_first(it, number);
    if (it->held > it->capacity)
        let_go_of_last(it);
}

uint64_t traffic_passed(const traffic *it)
{
    return it->passed;
}
