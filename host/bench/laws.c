// laws: what one evaluation of a material law costs.
#include "bench/laws.h"

#include "cl/parts.h"
#include "law/parse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CALLS = 20000, TRIALS = 7 };

static const law_constant constant = {"c", BENCH_LAW_C};

// ---- a tree

typedef struct tree {
    law_graph graph;
    law_ref value;
    double numbers[LAW_ROOM];
} tree;

static sheaf_status read_tree(tree *it)
{
    const law_name names[] = {{"x", law_variable(&it->graph, LAW_X)}, {"c", law_number(&it->graph, constant.value)}};
    law_fault fault;
    return law_parse(&it->graph, (law_text){BENCH_LAW_TEXT, strlen(BENCH_LAW_TEXT)}, names, 2, &it->value, &fault)
               ? SHEAF_OK
               : base_fail(SHEAF_ERR_FAILED, "%s", fault.message);
}

// Value plus slope at x; what the derivative adds to the tree is taken off it again.
static double call(tree *it, double x)
{
    const uint32_t kept = it->graph.count;
    const law_ref slope = law_derive(&it->graph, it->value, LAW_X);
    for (uint32_t k = 0; k < it->graph.count; k++) {
        const law_node *node = &it->graph.nodes[k];
        it->numbers[k] = node->op == LAW_NUMBER ? node->value
                         : node->op == LAW_VARIABLE
                             ? x
                             : law_apply((law_op)node->op, it->numbers[node->a], it->numbers[node->b]);
    }
    it->graph.count = kept;
    return it->numbers[it->value] + it->numbers[slope];
}

// Seconds of a call, the best of several rounds.
static double time_calls(tree *it)
{
    double best = INFINITY;
    volatile double kept = 0; // so that calls are made
    for (int trial = 0; trial < TRIALS; trial++) {
        const double start = base_clock();
        for (int k = 0; k < CALLS; k++)
            kept = kept + call(it, 100.0 * k / CALLS);
        best = fmin(best, base_clock() - start);
    }
    return best / CALLS;
}

static sheaf_status time_tree(double *seconds)
{
    tree *it = base_alloc(1, sizeof *it);
    if (it == NULL)
        return SHEAF_ERR_MEMORY;
    const sheaf_status status = read_tree(it);
    *seconds = status == SHEAF_OK ? time_calls(it) : 0;
    base_free(it);
    return status;
}

// ---- emitted text

static sheaf_status emit(base_text *text)
{
    law_def def = {.constants = &constant, .constant_count = 1, .range = BENCH_LAW_RANGE};
    law_fault fault;
    law *of;
    def.texts[LAW_BEND_1] = (law_text){BENCH_LAW_TEXT, strlen(BENCH_LAW_TEXT)};
    SHEAF_TRY(law_create(&def, &of, &fault));
    base_text_add(text, "#include \"kernels/der/law_curve.clh\"\n#define LAW_SIZE 10\n#define LAW_COUPLES 0\n"
                        "#define LAW_FRICTION 0\n");
    const sheaf_status status = law_emit(of, 1, text);
    law_release(of);
    return status != SHEAF_OK ? status : base_text_status(text);
}

static sheaf_status time_emitted(peak_probe *probe, double *rate)
{
    base_text text = {0};
    sheaf_status status = emit(&text);
    const kernel_part slot = {.path = "kernels/der/law.clh", .text = base_text_get(&text)};
    const peak_custom what = {
        .entry = "kernels/der/law_probe.cl", .kernel = "law_probe", .slot = &slot, .per_round = 4};
    if (status == SHEAF_OK)
        status = peak_run_custom(probe, &what, rate);
    base_text_free(&text);
    return status;
}

sheaf_status bench_judge_evaluation(peak_probe *probe, bench_verdict *verdict)
{
    double seconds, rate;
    SHEAF_TRY(time_tree(&seconds));
    SHEAF_TRY(time_emitted(probe, &rate));
    const double emitted = peak_units(probe) / rate; // s, of a core
    *verdict = (bench_verdict){.measured = seconds / emitted, .bar = 50, .is_least = true};
    snprintf(verdict->what, sizeof verdict->what, "law as a tree / emitted, %.0f / %.2f ns a call", 1e9 * seconds,
             1e9 * emitted);
    return SHEAF_OK;
}
