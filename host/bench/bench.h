// bench: what a method brings to benchmarks: workloads, their cases in each set, bars, and what they do at least.
#ifndef SHEAF_BENCH_BENCH_H
#define SHEAF_BENCH_BENCH_H

#include "cl/device.h"
#include "cl/engine.h"

// Cases that are measured together.
typedef enum bench_set {
    BENCH_SET_WORKLOADS,   // the workloads that have bars
    BENCH_SET_FORMS,       // each lane width
    BENCH_SET_SCHEDULES,   // fused and staged, implicit and explicit
    BENCH_SET_THREADS,     // one thread and two
    BENCH_SET_STAGES,      // every stage of a step
    BENCH_SET_TWIST,       // frames by the closed form and by Newton iterations
    BENCH_SET_PROJECTORS,  // every projector, at equal strain
    BENCH_SET_LAWS,        // material laws, and the linear one
    BENCH_SET_POPULATIONS, // populations as users have them, bare, and with gusts and colliders
    BENCH_SET_STRANDS,     // 64 to 1,048,576 strands
    BENCH_SET_VERTICES,    // 8 to 512 vertices
    BENCH_SET_COUNT
} bench_set;

enum { BENCH_CASES_MOST = 24 }; // of a set

struct bench_part;

// A population of strands under one integrator, of any size.
typedef struct bench_workload {
    const char *name; // that no other workload has, of any method
    double bar;       // peak flops per vertex-step that a step should cost at most; 0: none
    bool is_filmed;   // looked at after every second step
    const struct bench_part *part;
    uint32_t kind; // for the part
} bench_workload;

// One thing to be measured.
typedef struct bench_case {
    const bench_workload *workload;
    uint32_t strands, vertices; // vertices of each strand
    uint32_t lane_width;        // 1, 4, 8, 16
    bool is_staged;             // one kernel per stage instead of whole steps in one
    bool is_stage;              // only the time in `stage` counts; a step then makes two projections
    uint32_t stage;
} bench_case;

typedef struct bench_row {
    bench_case what;
    uint32_t threads;    // compute units of the device
    double rate;         // vertex-steps per second of the best round
    double quartiles[3]; // of all rounds of a visit: lower, median, upper
    double peak;         // flop/s of the best probe between the rounds
    double step;         // s of simulated time
    double newton;       // Newton iterations per strand in the last step
    double projections;  // projections per strand in the last step
    double strain;       // worst of all edges after the last step
    double memory;       // bytes of the device that the population takes
    uint32_t rounds;     // that were timed
    uint32_t launch;     // steps in a launch
} bench_row;

// Of one strand. A flop is an addition, multiplication, division or square root; a multiply-add is two. Bytes are
// those of numbers that are read before they are written, and of numbers that are written, each counted once.
typedef struct bench_count {
    double flops, read, written;
} bench_count;

// Of a work-item of a GPU that owns one strand, per vertex-step of the fused kernel.
enum { BENCH_SHARES = 8 };
extern const double bench_shares[BENCH_SHARES]; // bytes of a cache that one strand may have, rising
typedef struct bench_work {
    double simple, choices, divisions, roots; // additions, products, multiply-adds; comparisons, selections; ...
    double accesses;                          // of memory, each of one number
    double bytes[BENCH_SHARES];               // that pass a cache of which the strand has bench_shares[k]
} bench_work;

// A figure and the bar it should keep to.
typedef struct bench_verdict {
    char what[64];
    double measured, bar;
    bool is_least; // the bar is the least, not the most
} bench_verdict;

typedef struct bench_part {
    const bench_workload *workloads;
    uint32_t workload_count;
    const char *const *stages; // names, ended by NULL

    // The lane width that cases have where nothing else is said.
    sheaf_status (*choose_width)(uint32_t device, const device_info *info, uint32_t *lane_width);

    // Cases of a set, at most BENCH_CASES_MOST; how many. `quick`: of populations small enough for a test.
    uint32_t (*plan)(bench_set set, uint32_t lane_width, bool quick, bench_case *cases);

    // What the rows of its cases say, as a number of verdicts, at most BENCH_CASES_MOST; growth with size is judged for
    // all methods alike.
    uint32_t (*judge)(bench_set set, const bench_row *rows, uint32_t count, bench_verdict *verdicts);

    sheaf_status (*make_model)(const bench_case *what, sheaf_model **model);
    // `between`: what acts on the strands before every step, such as a grid on which hair keeps its volume; NULL where
    // nothing does. Whoever gets one calls act_between, and close_between before the engine is closed.
    sheaf_status (*open)(const bench_case *what, const sheaf_model *model, uint32_t device, sheaf_engine **engine,
                         void **between);
    sheaf_status (*act_between)(void *between);
    void (*close_between)(void *between);

    // What a step of one strand, or one stage of it, does.
    bench_count (*count)(const bench_row *row);

    // What it does on a GPU, how often it goes along its strands, and the bytes of a strand's scratch; false: that was
    // not counted for rows like this. A row without iterations stands for calm strands. May be NULL.
    bool (*work)(const bench_row *row, bench_work *work, double *sweeps, double *scratch);
} bench_part;

// The workload of this name, of any method; NULL: none.
const bench_workload *bench_workload_find(const char *name);

// Of a case of one stage: the stage's name. The stage of this name; false: the workload has none.
const char *bench_stage_name(const bench_case *what);
bool bench_stage_find(const bench_workload *workload, const char *name, uint32_t *stage);

// The lane width of the first method that has workloads.
sheaf_status bench_choose_width(uint32_t device, const device_info *info, uint32_t *lane_width);

#endif
