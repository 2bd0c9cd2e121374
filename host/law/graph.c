// graph: nodes that are made once, folding of numbers, derivatives.
#include "law/graph.h"

#include <math.h>
#include <string.h>

int law_operands(law_op op)
{
    return op <= LAW_VARIABLE ? 0 : (op >= LAW_NEG && op <= LAW_STEP) ? 1 : 2;
}

// Both precisions by one list: the operations are the same, their arithmetic is not.
#define APPLY(suffix)                                                                                                  \
    switch (op) {                                                                                                      \
    case LAW_ADD:                                                                                                      \
        return a + b;                                                                                                  \
    case LAW_SUB:                                                                                                      \
        return a - b;                                                                                                  \
    case LAW_MUL:                                                                                                      \
        return a * b;                                                                                                  \
    case LAW_DIV:                                                                                                      \
        return a / b;                                                                                                  \
    case LAW_NEG:                                                                                                      \
        return -a;                                                                                                     \
    case LAW_SQRT:                                                                                                     \
        return sqrt##suffix(a);                                                                                        \
    case LAW_EXP:                                                                                                      \
        return exp##suffix(a);                                                                                         \
    case LAW_LOG:                                                                                                      \
        return log##suffix(a);                                                                                         \
    case LAW_ATAN:                                                                                                     \
        return atan##suffix(a);                                                                                        \
    case LAW_TANH:                                                                                                     \
        return tanh##suffix(a);                                                                                        \
    case LAW_SIN:                                                                                                      \
        return sin##suffix(a);                                                                                         \
    case LAW_COS:                                                                                                      \
        return cos##suffix(a);                                                                                         \
    case LAW_ABS:                                                                                                      \
        return fabs##suffix(a);                                                                                        \
    case LAW_STEP:                                                                                                     \
        return a > 0 ? 1 : 0;                                                                                          \
    case LAW_MIN:                                                                                                      \
        return a < b ? a : b;                                                                                          \
    case LAW_MAX:                                                                                                      \
        return a > b ? a : b;                                                                                          \
    case LAW_NUMBER:                                                                                                   \
    case LAW_VARIABLE:                                                                                                 \
    default:                                                                                                           \
        return a;                                                                                                      \
    }

double law_apply(law_op op, double a, double b)
{
    APPLY()
}

float law_apply_single(law_op op, float a, float b)
{
    APPLY(f)
}

// ---- making nodes

static law_ref find_or_add(law_graph *graph, law_node wanted)
{
    for (uint32_t k = 0; k < graph->count; k++) {
        const law_node *node = &graph->nodes[k];
        if (node->op == wanted.op && node->a == wanted.a && node->b == wanted.b && node->value == wanted.value)
            return (law_ref)k;
    }
    if (graph->count == LAW_ROOM) {
        graph->is_full = true;
        return 0;
    }
    graph->nodes[graph->count] = wanted;
    return (law_ref)graph->count++;
}

law_ref law_number(law_graph *graph, double value)
{
    return find_or_add(graph, (law_node){.op = LAW_NUMBER, .value = value == 0 ? 0 : value}); // -0 is 0
}

law_ref law_variable(law_graph *graph, int which)
{
    return find_or_add(graph, (law_node){.op = LAW_VARIABLE, .a = (law_ref)which});
}

static bool is_value(const law_graph *graph, law_ref node, double value)
{
    return law_is_number(graph, node) && graph->nodes[node].value == value;
}

// A number times a product, one factor of which is a number: both numbers become one.
static law_ref scale_product(law_graph *graph, double number, const law_node *product)
{
    const law_ref a = product->a, b = product->b;
    if (law_is_number(graph, a))
        return law_make(graph, LAW_MUL, law_number(graph, number * graph->nodes[a].value), b);
    if (law_is_number(graph, b))
        return law_make(graph, LAW_MUL, law_number(graph, number * graph->nodes[b].value), a);
    return LAW_NONE;
}

// What an operation with a number 0 or 1 comes to; LAW_NONE: nothing simpler.
static law_ref simplify(law_graph *graph, law_op op, law_ref a, law_ref b)
{
    if (op == LAW_ADD && is_value(graph, a, 0))
        return b;
    if ((op == LAW_ADD || op == LAW_SUB) && is_value(graph, b, 0))
        return a;
    if (op == LAW_SUB && is_value(graph, a, 0))
        return law_make(graph, LAW_NEG, b, 0);
    if (op == LAW_SUB && a == b)
        return law_number(graph, 0);
    if ((op == LAW_MUL || op == LAW_DIV) && (is_value(graph, b, 1) || is_value(graph, a, 0)))
        return a;
    if (op == LAW_MUL && (is_value(graph, a, 1) || is_value(graph, b, 0)))
        return b;
    if (op == LAW_MUL && law_is_number(graph, a) && graph->nodes[b].op == LAW_MUL)
        return scale_product(graph, graph->nodes[a].value, &graph->nodes[b]);
    if (op == LAW_MUL && law_is_number(graph, b) && graph->nodes[a].op == LAW_MUL)
        return scale_product(graph, graph->nodes[b].value, &graph->nodes[a]);
    if (op == LAW_NEG && graph->nodes[a].op == LAW_NEG)
        return graph->nodes[a].a;
    if ((op == LAW_MIN || op == LAW_MAX) && a == b)
        return a;
    return LAW_NONE;
}

law_ref law_make(law_graph *graph, law_op op, law_ref a, law_ref b)
{
    const int operands = law_operands(op);
    if (law_is_number(graph, a) && (operands == 1 || law_is_number(graph, b)))
        return law_number(graph, law_apply(op, graph->nodes[a].value, graph->nodes[b].value));
    const law_ref simple = simplify(graph, op, a, b);
    if (simple != LAW_NONE)
        return simple;
    if ((op == LAW_ADD || op == LAW_MUL || op == LAW_MIN || op == LAW_MAX) && a > b) { // a b and b a are one node
        const law_ref other = a;
        a = b;
        b = other;
    }
    return find_or_add(graph, (law_node){.op = (uint8_t)op, .a = a, .b = operands == 2 ? b : 0});
}

// Positive whole powers by squaring.
static law_ref whole_power(law_graph *graph, law_ref node, int power)
{
    law_ref result = law_number(graph, 1);
    for (law_ref square = node; power > 0; power /= 2) {
        if (power % 2 == 1)
            result = law_make(graph, LAW_MUL, result, square);
        if (power > 1)
            square = law_make(graph, LAW_MUL, square, square);
    }
    return result;
}

law_ref law_power(law_graph *graph, law_ref node, double power)
{
    const double size = fabs(power), twice = 2 * size;
    law_ref result;
    if (law_is_number(graph, node))
        return law_number(graph, pow(graph->nodes[node].value, power));
    if (size == floor(size)) {
        result = whole_power(graph, node, (int)size);
    } else if (twice == floor(twice)) {
        result = law_make(graph, LAW_SQRT, node, 0);
        result = law_make(graph, LAW_MUL, whole_power(graph, node, (int)size), result);
    } else {
        const law_ref logarithm = law_make(graph, LAW_LOG, node, 0);
        return law_make(graph, LAW_EXP, law_make(graph, LAW_MUL, law_number(graph, power), logarithm), 0);
    }
    return power < 0 ? law_make(graph, LAW_DIV, law_number(graph, 1), result) : result;
}

// ---- derivatives

typedef struct derivation {
    law_graph *graph;
    int variable;
    law_ref *known; // [nodes up to the one that is derived] LAW_NONE: not made yet
} derivation;

static law_ref derivative(derivation *d, law_ref node);

// Of an operation with one operand by this.
static law_ref outer_derivative(law_graph *g, law_op op, law_ref self, law_ref a)
{
    const law_ref one = law_number(g, 1);
    switch (op) {
    case LAW_NEG:
        return law_number(g, -1);
    case LAW_SQRT:
        return law_make(g, LAW_DIV, law_number(g, 0.5), self);
    case LAW_EXP:
        return self;
    case LAW_LOG:
        return law_make(g, LAW_DIV, one, a);
    case LAW_ATAN:
        return law_make(g, LAW_DIV, one, law_make(g, LAW_ADD, one, law_make(g, LAW_MUL, a, a)));
    case LAW_TANH:
        return law_make(g, LAW_SUB, one, law_make(g, LAW_MUL, self, self));
    case LAW_SIN:
        return law_make(g, LAW_COS, a, 0);
    case LAW_COS:
        return law_make(g, LAW_NEG, law_make(g, LAW_SIN, a, 0), 0);
    case LAW_ABS:
        return law_make(g, LAW_SUB, law_make(g, LAW_STEP, a, 0), law_make(g, LAW_STEP, law_make(g, LAW_NEG, a, 0), 0));
    default: // a step is flat on both sides
        return law_number(g, 0);
    }
}

// max(a, b): that of a where a > b, else that of b; min the other way round.
static law_ref derive_choice(derivation *d, law_op op, law_ref a, law_ref b, law_ref da, law_ref db)
{
    law_graph *g = d->graph;
    const law_ref above = law_make(g, LAW_STEP, law_make(g, LAW_SUB, a, b), 0);
    const law_ref taken = op == LAW_MAX ? da : db, other = op == LAW_MAX ? db : da;
    return law_make(g, LAW_ADD, other, law_make(g, LAW_MUL, above, law_make(g, LAW_SUB, taken, other)));
}

static law_ref derive_pair(derivation *d, law_op op, law_ref self, law_ref a, law_ref b)
{
    law_graph *g = d->graph;
    const law_ref da = derivative(d, a), db = derivative(d, b);
    if (op == LAW_ADD || op == LAW_SUB)
        return law_make(g, op, da, db);
    if (op == LAW_MUL)
        return law_make(g, LAW_ADD, law_make(g, LAW_MUL, da, b), law_make(g, LAW_MUL, a, db));
    if (op == LAW_DIV)
        return law_make(g, LAW_DIV, law_make(g, LAW_SUB, da, law_make(g, LAW_MUL, self, db)), b);
    return derive_choice(d, op, a, b, da, db);
}

static law_ref derivative(derivation *d, law_ref node)
{
    const law_node of = d->graph->nodes[node]; // a copy: making nodes moves none, but the compiler cannot know
    if (d->known[node] != LAW_NONE || d->graph->is_full)
        return d->graph->is_full ? 0 : d->known[node];
    law_ref result;
    if (of.op == LAW_NUMBER || of.op == LAW_VARIABLE)
        result = law_number(d->graph, of.op == LAW_VARIABLE && of.a == d->variable ? 1 : 0);
    else if (law_operands((law_op)of.op) == 1)
        result =
            law_make(d->graph, LAW_MUL, outer_derivative(d->graph, (law_op)of.op, node, of.a), derivative(d, of.a));
    else
        result = derive_pair(d, (law_op)of.op, node, of.a, of.b);
    d->known[node] = result;
    return result;
}

law_ref law_derive(law_graph *graph, law_ref node, int variable)
{
    derivation d = {graph, variable, base_alloc((size_t)node + 1, sizeof *d.known)};
    if (d.known == NULL) {
        graph->is_full = true;
        return 0;
    }
    for (uint32_t k = 0; k <= node; k++)
        d.known[k] = LAW_NONE;
    const law_ref result = derivative(&d, node);
    base_free(d.known);
    return result;
}

// ---- what a node is made of

void law_mark(const law_graph *graph, law_ref root, bool marks[LAW_ROOM])
{
    marks[root] = true;
    for (uint32_t k = (uint32_t)root + 1; k-- > 0;) { // parents come after their children
        const law_node *node = &graph->nodes[k];
        const int operands = marks[k] ? law_operands((law_op)node->op) : 0;
        if (operands > 0)
            marks[node->a] = true;
        if (operands > 1)
            marks[node->b] = true;
    }
}

uint32_t law_count(const law_graph *graph, const bool marks[LAW_ROOM])
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < graph->count; k++)
        count += marks[k] && law_operands((law_op)graph->nodes[k].op) > 0;
    return count;
}

bool law_uses(const law_graph *graph, law_ref root, int variable)
{
    bool marks[LAW_ROOM] = {false};
    law_mark(graph, root, marks);
    for (uint32_t k = 0; k <= root; k++)
        if (marks[k] && graph->nodes[k].op == LAW_VARIABLE && graph->nodes[k].a == variable)
            return true;
    return false;
}

bool law_extract(const law_graph *graph, law_ref root, law_expression *expression)
{
    bool marks[LAW_ROOM] = {false};
    law_ref place[LAW_ROOM] = {0};
    law_mark(graph, root, marks);
    expression->count = 0;
    for (uint32_t k = 0; k <= root; k++) {
        if (!marks[k])
            continue;
        if (expression->count == LAW_EXPRESSION)
            return false;
        law_node node = graph->nodes[k];
        const int operands = law_operands((law_op)node.op);
        node.a = operands > 0 ? place[node.a] : node.a;
        node.b = operands > 1 ? place[node.b] : 0;
        place[k] = (law_ref)expression->count;
        expression->nodes[expression->count++] = node;
    }
    return true;
}
