// gpu: what a GPU should do, by public figures of it, by what compilers say of the kernels and by what the kernels were
// counted to do. A model, no measurement: it is for finding out what limits a device, and to hold one against.
#ifndef SHEAF_BENCH_GPU_H
#define SHEAF_BENCH_GPU_H

#include "bench/bench.h"

typedef struct bench_gpu {
    const char *name;
    const char *mark;        // part of the name that its driver gives it
    double flops;            // 1/s, single precision; a multiply-add is two
    double clock;            // Hz
    double memory;           // bytes/s
    double cache;            // bytes of the last cache
    double cache_rate;       // bytes/s that it hands out
    double near_cache;       // bytes of the cache of a unit
    uint32_t units;          // multiprocessors, compute units or cores
    uint32_t most_in_flight; // work-items of a unit that the registers of the fused kernel of bdf2 let in
} bench_gpu;

// Ended by one without a name.
extern const bench_gpu bench_gpus[];

// The one that a driver calls by this name; NULL: it is none of them.
const bench_gpu *bench_gpu_find(const char *name);

typedef struct bench_gpu_rate {
    double rate;       // vertex-steps per second
    double strands;    // in flight
    double bytes;      // of memory per vertex-step
    const char *limit; // what is slowest: "arithmetic", "cache", "memory", "waiting"
} bench_gpu_rate;

// Instructions per vertex-step.
double bench_gpu_instructions(const bench_work *work);

// Bytes that pass a cache of which a strand has `share` bytes, between those that were counted.
double bench_gpu_bytes(const bench_work *work, double share);

// With as many strands in flight as given; `sweeps`: how often a step goes along a strand.
bench_gpu_rate bench_gpu_model(const bench_gpu *gpu, const bench_work *work, double sweeps, double strands);

// With all strands that registers let in, and with as many as the last cache has room for their scratch, bytes each.
bench_gpu_rate bench_gpu_full(const bench_gpu *gpu, const bench_work *work, double sweeps);
bench_gpu_rate bench_gpu_cached(const bench_gpu *gpu, const bench_work *work, double sweeps, double scratch);

#endif
