// graph: expressions of material laws as one graph of operations in which equal parts are one node. Children come
// before their parents, so that a walk in the order of the nodes meets every value after those that it needs.
#ifndef SHEAF_LAW_GRAPH_H
#define SHEAF_LAW_GRAPH_H

#include "base/base.h"

typedef enum law_op {
    LAW_NUMBER,   // value
    LAW_VARIABLE, // a: which one, LAW_X ...
    LAW_ADD,
    LAW_SUB,
    LAW_MUL,
    LAW_DIV,
    LAW_NEG,
    LAW_SQRT,
    LAW_EXP,
    LAW_LOG,
    LAW_ATAN,
    LAW_TANH,
    LAW_SIN,
    LAW_COS,
    LAW_ABS,
    LAW_STEP, // 1 above 0, else 0
    LAW_MIN,
    LAW_MAX,
} law_op;

// Places of variables. A law of one strain has it at LAW_X, an implicit one its moment at LAW_Q; coupled ones use the
// first three for the strains about axis 1, axis 2 and along the strand. LAW_S is the distance from the root, m.
enum { LAW_X = 0, LAW_Q = 1, LAW_X2 = 1, LAW_X3 = 2, LAW_S = 3, LAW_VARIABLES = 4 };

enum { LAW_ROOM = 4096, LAW_NONE = UINT16_MAX };

typedef uint16_t law_ref; // index of a node

typedef struct law_node {
    uint8_t op;
    law_ref a, b;
    double value;
} law_node;

typedef struct law_graph {
    uint32_t count;
    bool is_full; // a node did not fit: nothing in the graph is to be believed
    law_node nodes[LAW_ROOM];
} law_graph;

static inline bool law_is_number(const law_graph *graph, law_ref node)
{
    return graph->nodes[node].op == LAW_NUMBER;
}

// How many of a, b an operation has.
int law_operands(law_op op);

// What an operation makes of numbers; one that has one operand leaves out b.
double law_apply(law_op op, double a, double b);
float law_apply_single(law_op op, float a, float b);

// The node for a number, a variable, an operation; numbers are folded, and what 0 and 1 do not change stays as it is.
law_ref law_number(law_graph *graph, double value);
law_ref law_variable(law_graph *graph, int which);
law_ref law_make(law_graph *graph, law_op op, law_ref a, law_ref b);

// node ^ power, |power| <= 32: whole powers as products, halves by a root, others as exp(power log).
law_ref law_power(law_graph *graph, law_ref node, double power);

// Derivative of `node` by a variable. At a kink of min, max or abs it is that of one side.
law_ref law_derive(law_graph *graph, law_ref node, int variable);

// Marks the nodes that `root` is made of, and counts the operations among all that are marked.
void law_mark(const law_graph *graph, law_ref root, bool marks[LAW_ROOM]);
uint32_t law_count(const law_graph *graph, const bool marks[LAW_ROOM]);

bool law_uses(const law_graph *graph, law_ref root, int variable);

// One expression taken out of a graph: its nodes in their order, the last of which is its value.
enum { LAW_EXPRESSION = 512 };
typedef struct law_expression {
    uint32_t count;
    law_node nodes[LAW_EXPRESSION];
} law_expression;

// False: it has more nodes than an expression has room for.
bool law_extract(const law_graph *graph, law_ref root, law_expression *expression);

// Value of an expression, in double and in single precision; values[count] of all its nodes.
void law_walk_all(const law_expression *expression, const double variables[LAW_VARIABLES], double *values);
double law_walk(const law_expression *expression, const double variables[LAW_VARIABLES]);
float law_walk_single(const law_expression *expression, const double variables[LAW_VARIABLES]);

// The same with its derivative by one variable, worked out along with the value, node by node: nothing of what
// law_derive does enters it.
double law_walk_slope(const law_expression *expression, const double variables[LAW_VARIABLES], int by, double *slope);

// A number with its first and second derivatives by the first three variables: rows 00, 10, 11, 20, 21, 22.
typedef struct law_dual {
    double value, first[3], second[6];
} law_dual;

// Walks an expression on such numbers, so that nothing of what law_derive does enters its derivatives.
law_dual law_walk_dual(const law_expression *expression, const double variables[LAW_VARIABLES]);

#endif
