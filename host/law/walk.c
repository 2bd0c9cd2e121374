// walk: values of expressions, by walking over the nodes in their order: in double and single precision, and on numbers
// that carry their derivatives along.
#include "law/graph.h"

#include <math.h>
#include <string.h>

void law_walk_all(const law_expression *expression, const double variables[LAW_VARIABLES], double *values)
{
    for (uint32_t k = 0; k < expression->count; k++) {
        const law_node *node = &expression->nodes[k];
        values[k] = node->op == LAW_NUMBER     ? node->value
                    : node->op == LAW_VARIABLE ? variables[node->a]
                                               : law_apply((law_op)node->op, values[node->a], values[node->b]);
    }
}

double law_walk(const law_expression *expression, const double variables[LAW_VARIABLES])
{
    double values[LAW_EXPRESSION];
    values[expression->count - 1] = 0;
    law_walk_all(expression, variables, values);
    return values[expression->count - 1];
}

float law_walk_single(const law_expression *expression, const double variables[LAW_VARIABLES])
{
    float values[LAW_EXPRESSION];
    values[expression->count - 1] = 0;
    for (uint32_t k = 0; k < expression->count; k++) {
        const law_node *node = &expression->nodes[k];
        values[k] = node->op == LAW_NUMBER     ? (float)node->value
                    : node->op == LAW_VARIABLE ? (float)variables[node->a]
                                               : law_apply_single((law_op)node->op, values[node->a], values[node->b]);
    }
    return values[expression->count - 1];
}

// ---- numbers with one derivative

static double slope_of(law_op op, double value, double a, double da, double b, double db)
{
    switch (op) {
    case LAW_ADD:
        return da + db;
    case LAW_SUB:
        return da - db;
    case LAW_MUL:
        return da * b + a * db;
    case LAW_DIV:
        return (da - value * db) / b;
    case LAW_NEG:
        return -da;
    case LAW_SQRT:
        return da / (2 * value);
    case LAW_EXP:
        return da * value;
    case LAW_LOG:
        return da / a;
    case LAW_ATAN:
        return da / (1 + a * a);
    case LAW_TANH:
        return da * (1 - value * value);
    case LAW_SIN:
        return da * cos(a);
    case LAW_COS:
        return -da * sin(a);
    case LAW_ABS:
        return a > 0 ? da : a < 0 ? -da : 0;
    case LAW_MIN:
        return a > b ? db : da;
    case LAW_MAX:
        return a > b ? da : db;
    default:
        return 0;
    }
}

double law_walk_slope(const law_expression *expression, const double variables[LAW_VARIABLES], int by, double *slope)
{
    double values[LAW_EXPRESSION], slopes[LAW_EXPRESSION];
    values[expression->count - 1] = slopes[expression->count - 1] = 0;
    for (uint32_t k = 0; k < expression->count; k++) {
        const law_node *node = &expression->nodes[k];
        const law_op op = (law_op)node->op;
        if (op == LAW_NUMBER || op == LAW_VARIABLE) {
            values[k] = op == LAW_NUMBER ? node->value : variables[node->a];
            slopes[k] = op == LAW_VARIABLE && node->a == by;
            continue;
        }
        const law_ref b = law_operands(op) > 1 ? node->b : node->a;
        values[k] = law_apply(op, values[node->a], values[b]);
        slopes[k] = slope_of(op, values[k], values[node->a], slopes[node->a], values[b], slopes[b]);
    }
    *slope = slopes[expression->count - 1];
    return values[expression->count - 1];
}

// ---- numbers with derivatives by three variables

static const int row_of[6] = {0, 1, 1, 2, 2, 2}, column_of[6] = {0, 0, 1, 0, 1, 2};

static law_dual constant(double value)
{
    return (law_dual){.value = value};
}

// f(a) with f', f'' at a: (f(a))'' = f'' a' a'^T + f' a''.
static law_dual chain(const law_dual *a, double value, double slope, double bend)
{
    law_dual result = constant(value);
    for (int k = 0; k < 3; k++)
        result.first[k] = slope * a->first[k];
    for (int k = 0; k < 6; k++)
        result.second[k] = slope * a->second[k] + bend * a->first[row_of[k]] * a->first[column_of[k]];
    return result;
}

static law_dual combine(const law_dual *a, double by_a, const law_dual *b, double by_b)
{
    law_dual result = constant(by_a * a->value + by_b * b->value);
    for (int k = 0; k < 3; k++)
        result.first[k] = by_a * a->first[k] + by_b * b->first[k];
    for (int k = 0; k < 6; k++)
        result.second[k] = by_a * a->second[k] + by_b * b->second[k];
    return result;
}

static law_dual multiply(const law_dual *a, const law_dual *b)
{
    law_dual result = combine(a, b->value, b, a->value);
    result.value = a->value * b->value;
    for (int k = 0; k < 6; k++)
        result.second[k] += a->first[row_of[k]] * b->first[column_of[k]] + b->first[row_of[k]] * a->first[column_of[k]];
    return result;
}

static law_dual unary(law_op op, const law_dual *a)
{
    const double v = a->value, f = law_apply(op, v, 0);
    switch (op) {
    case LAW_NEG:
        return chain(a, f, -1, 0);
    case LAW_SQRT:
        return chain(a, f, 0.5 / f, -0.25 / (f * v));
    case LAW_EXP:
        return chain(a, f, f, f);
    case LAW_LOG:
        return chain(a, f, 1 / v, -1 / (v * v));
    case LAW_ATAN:
        return chain(a, f, 1 / (1 + v * v), -2 * v / ((1 + v * v) * (1 + v * v)));
    case LAW_TANH:
        return chain(a, f, 1 - f * f, -2 * f * (1 - f * f));
    case LAW_SIN:
        return chain(a, f, cos(v), -f);
    case LAW_COS:
        return chain(a, f, -sin(v), -f);
    case LAW_ABS:
        return chain(a, f, (v > 0) - (v < 0), 0);
    default:
        return constant(f);
    }
}

static law_dual binary(law_op op, const law_dual *a, const law_dual *b)
{
    const law_dual inverse = chain(b, 1 / b->value, -1 / (b->value * b->value), 2 / (b->value * b->value * b->value));
    switch (op) {
    case LAW_ADD:
        return combine(a, 1, b, 1);
    case LAW_SUB:
        return combine(a, 1, b, -1);
    case LAW_MUL:
        return multiply(a, b);
    case LAW_DIV:
        return multiply(a, &inverse);
    case LAW_MIN:
        return a->value > b->value ? *b : *a;
    default:
        return a->value > b->value ? *a : *b;
    }
}

law_dual law_walk_dual(const law_expression *expression, const double variables[LAW_VARIABLES])
{
    law_dual values[LAW_EXPRESSION];
    for (uint32_t k = 0; k < expression->count; k++) {
        const law_node *node = &expression->nodes[k];
        const int operands = law_operands((law_op)node->op);
        if (operands == 0)
            values[k] = constant(node->op == LAW_NUMBER ? node->value : variables[node->a]);
        if (node->op == LAW_VARIABLE && node->a < 3)
            values[k].first[node->a] = 1;
        if (operands == 1)
            values[k] = unary((law_op)node->op, &values[node->a]);
        if (operands == 2)
            values[k] = binary((law_op)node->op, &values[node->a], &values[node->b]);
    }
    return values[expression->count - 1];
}
