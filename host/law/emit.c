// emit: laws as OpenCL C. Every token that stands in the text is one of this file's own: names t<number> and v<number>,
// numbers, and calls of a fixed list. Nothing of what a user wrote gets into it but numbers.
#include "law/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct emission {
    const law_graph *graph;
    base_text *text;
    const char *indent;
    bool marks[LAW_ROOM];    // what is needed
    bool folded[LAW_ROOM];   // a product that stands inside of a fused sum
    bool given[LAW_ROOM];    // the slope of an arctangent that is found along with it
    law_ref slope[LAW_ROOM]; // of an arctangent: the node that is its slope, or LAW_NONE
    uint16_t uses[LAW_ROOM];
} emission;

// A constant in the precision of the build; it needs a point or an exponent to be a real number.
static void add_number(base_text *text, double value)
{
    char digits[40];
    snprintf(digits, sizeof digits, "%.17g", value);
    base_text_add(text, "C(%s%s)", digits, strpbrk(digits, ".e") == NULL ? ".0" : "");
}

static void add_operand(emission *e, law_ref node)
{
    const law_node *of = &e->graph->nodes[node];
    if (of->op == LAW_NUMBER)
        add_number(e->text, of->value);
    else
        base_text_add(e->text, "%c%u", of->op == LAW_VARIABLE ? 'v' : 't', of->op == LAW_VARIABLE ? of->a : node);
}

static void add_call(emission *e, const char *name, law_ref a)
{
    base_text_add(e->text, "%s(", name);
    add_operand(e, a);
    base_text_add(e->text, ")");
}

static void add_unary(emission *e, law_op op, law_ref a)
{
    static const char *const names[] = {
        [LAW_NEG] = "-",          [LAW_SQRT] = "sqrt",      [LAW_EXP] = "lane_exp", [LAW_LOG] = "lane_log",
        [LAW_ATAN] = "lane_atan", [LAW_TANH] = "lane_tanh", [LAW_SIN] = "lane_sin", [LAW_COS] = "lane_cos",
        [LAW_ABS] = "fabs",       [LAW_STEP] = "lane_step",
    };
    add_call(e, names[op], a);
}

// a b + c, or a b - c, or c - a b.
static void add_fused(emission *e, const law_node *product, law_ref other, const char *sign, const char *other_sign)
{
    base_text_add(e->text, "fma(%s", sign);
    add_operand(e, product->a);
    base_text_add(e->text, ", ");
    add_operand(e, product->b);
    base_text_add(e->text, ", %s", other_sign);
    add_operand(e, other);
    base_text_add(e->text, ")");
}

// Numbers whose inverse is none that single precision has no room for.
static bool divides_well(const law_graph *graph, law_ref by)
{
    const double size = fabs(graph->nodes[by].value);
    return law_is_number(graph, by) && size > 1e-30 && size < 1e30;
}

static const char *sign_of(law_op op)
{
    return op == LAW_ADD ? " + " : op == LAW_SUB ? " - " : op == LAW_MUL ? " * " : " / ";
}

static void add_binary(emission *e, const law_node *of)
{
    const law_op op = (law_op)of->op;
    if (op == LAW_MIN || op == LAW_MAX) {
        base_text_add(e->text, "lane_%s(", op == LAW_MIN ? "min" : "max");
        add_operand(e, of->a);
        base_text_add(e->text, ", ");
        add_operand(e, of->b);
        base_text_add(e->text, ")");
    } else if ((op == LAW_ADD || op == LAW_SUB) && e->folded[of->a]) {
        add_fused(e, &e->graph->nodes[of->a], of->b, "", op == LAW_SUB ? "-" : "");
    } else if ((op == LAW_ADD || op == LAW_SUB) && e->folded[of->b]) {
        add_fused(e, &e->graph->nodes[of->b], of->a, op == LAW_SUB ? "-" : "", "");
    } else if (op == LAW_DIV && divides_well(e->graph, of->b)) {
        add_operand(e, of->a);
        base_text_add(e->text, " * ");
        add_number(e->text, 1 / e->graph->nodes[of->b].value);
    } else {
        add_operand(e, of->a);
        base_text_add(e->text, "%s", sign_of(op));
        add_operand(e, of->b);
    }
}

// Products that one sum alone uses become part of it.
static void fold_products(emission *e)
{
    memset(e->folded, 0, sizeof e->folded);
    for (uint32_t k = 0; k < e->graph->count; k++) {
        const law_node *of = &e->graph->nodes[k];
        if (!e->marks[k] || (of->op != LAW_ADD && of->op != LAW_SUB))
            continue;
        if (e->graph->nodes[of->a].op == LAW_MUL && e->uses[of->a] == 1)
            e->folded[of->a] = true;
        else if (e->graph->nodes[of->b].op == LAW_MUL && e->uses[of->b] == 1)
            e->folded[of->b] = true;
    }
}

static bool is_one(const law_graph *graph, law_ref node)
{
    return law_is_number(graph, node) && graph->nodes[node].value == 1;
}

// Whether `node` is 1 / (1 + of^2). Sums stand in the order in which their parts were made.
static bool is_slope_of_atan(const law_graph *graph, const law_node *node, law_ref of)
{
    const law_node *sum = &graph->nodes[node->b];
    if (node->op != LAW_DIV || !is_one(graph, node->a) || sum->op != LAW_ADD)
        return false;
    const law_node *square = &graph->nodes[is_one(graph, sum->a) ? sum->b : sum->a];
    return is_one(graph, is_one(graph, sum->a) ? sum->a : sum->b) && square->op == LAW_MUL && square->a == of &&
           square->b == of;
}

// Arctangents whose slope is wanted, too, and comes after them: both share a division.
static void pair_slopes(emission *e)
{
    memset(e->given, 0, sizeof e->given);
    for (uint32_t k = 0; k < e->graph->count; k++) {
        e->slope[k] = LAW_NONE;
        if (!e->marks[k] || e->graph->nodes[k].op != LAW_ATAN)
            continue;
        for (uint32_t n = k + 1; n < e->graph->count && e->slope[k] == LAW_NONE; n++)
            if (e->marks[n] && is_slope_of_atan(e->graph, &e->graph->nodes[n], e->graph->nodes[k].a))
                e->slope[k] = (law_ref)n;
        if (e->slope[k] != LAW_NONE)
            e->given[e->slope[k]] = true;
    }
}

// Operands that the text of a node takes.
static int operands_of(const emission *e, uint32_t node)
{
    return e->marks[node] && !e->given[node] ? law_operands((law_op)e->graph->nodes[node].op) : 0;
}

static void count_uses(emission *e, const law_ref *roots, int count)
{
    memset(e->uses, 0, sizeof e->uses);
    for (int k = 0; k < count; k++)
        e->uses[roots[k]] += 2; // a result is no part of a sum
    for (uint32_t k = e->graph->count; k-- > 0;) {
        const law_node *of = &e->graph->nodes[k];
        e->marks[k] = e->marks[k] && e->uses[k] > 0;
        const int operands = operands_of(e, k);
        e->uses[of->a] = (uint16_t)(e->uses[of->a] + (operands > 0));
        e->uses[of->b] = (uint16_t)(e->uses[of->b] + (operands > 1));
    }
}

static void add_node(emission *e, uint32_t node, int operands)
{
    const law_node *of = &e->graph->nodes[node];
    if (e->slope[node] != LAW_NONE) {
        base_text_add(e->text, "%slane t%u;\n%sconst lane t%u = lane_atan_slope(", e->indent, e->slope[node], e->indent,
                      node);
        add_operand(e, of->a);
        base_text_add(e->text, ", &t%u);\n", e->slope[node]);
        return;
    }
    base_text_add(e->text, "%sconst lane t%u = ", e->indent, node);
    if (operands == 1)
        add_unary(e, (law_op)of->op, of->a);
    else
        add_binary(e, of);
    base_text_add(e->text, ";\n");
}

// Lines that leave the values of these nodes in variables.
static void add_nodes(emission *e, const law_ref *roots, int count)
{
    memset(e->marks, 0, sizeof e->marks);
    for (int k = 0; k < count; k++)
        law_mark(e->graph, roots[k], e->marks);
    pair_slopes(e);
    count_uses(e, roots, count);
    fold_products(e);
    for (uint32_t k = 0; k < e->graph->count; k++) {
        const int operands = e->folded[k] ? 0 : operands_of(e, k);
        if (operands > 0)
            add_node(e, k, operands);
    }
}

static void add_range(base_text *text, const char *to, const char *from, double range)
{
    base_text_add(text, "    const lane %s = lane_max(lane_min(%s, ", to, from);
    add_number(text, range);
    base_text_add(text, "), ");
    add_number(text, -range);
    base_text_add(text, ");\n");
}

// Where Newton's method starts (law_implicit_start).
static void add_start(base_text *text, const law_axis *axis)
{
    const double tangent = axis->steepness, range = axis->facts.range;
    base_text_add(text, "    const lane tangent = v0 * ");
    add_number(text, tangent);
    base_text_add(text, ", end = lane_select(v0 > C(0.0), ");
    add_number(text, axis->ends[1]);
    base_text_add(text, ", ");
    add_number(text, axis->ends[0]);
    base_text_add(text, "), share = v0 * ");
    add_number(text, 1 / range);
    base_text_add(text, ";\n    const lane soft = lane_select(fabs(tangent) < fabs(end), tangent, end);\n"
                        "    const lane hard = fma((fabs(end) - ");
    add_number(text, tangent * range);
    base_text_add(text, ") * share, share * share, tangent);\n    lane v1 = lane_select(fabs(end) <= ");
    add_number(text, tangent * range);
    base_text_add(text, ", soft, hard);\n");
}

static void add_implicit(emission *e, const law_axis *axis)
{
    const law_ref inner[2] = {axis->value, axis->slope}, outer[2] = {axis->by_x, axis->slope};
    add_start(e->text, axis);
    base_text_add(e->text, "    for (int step = 0; step < %d; step++) {\n", LAW_IMPLICIT_STEPS);
    e->indent = "        ";
    add_nodes(e, inner, 2);
    base_text_add(e->text, "        v1 = v1 - ");
    add_operand(e, axis->value);
    base_text_add(e->text, " / ");
    add_operand(e, axis->slope);
    base_text_add(e->text, ";\n    }\n");
    e->indent = "    ";
    add_nodes(e, outer, 2);
    base_text_add(e->text, "    const lane value = v1, slope = -(");
    add_operand(e, axis->by_x);
    base_text_add(e->text, " / ");
    add_operand(e, axis->slope);
    base_text_add(e->text, ");\n");
}

// How the secant of a curve is found: by a division of its own, by what the curve knows, or later, with others.
typedef enum curve_end { END_DIVIDED, END_KNOWN, END_OPEN } curve_end;

static void add_end(emission *e, const law_axis *axis, curve_end way)
{
    static const char *const names[] = {"continue", "continue_by", "open"};
    base_text_add(e->text, "    return law_%s(given, v0, value, slope", names[way]);
    if (way != END_OPEN) {
        base_text_add(e->text, ", ");
        if (way == END_KNOWN)
            add_operand(e, axis->secant);
        else
            add_number(e->text, 1e-6 * axis->facts.range);
        base_text_add(e->text, ", ");
        add_number(e->text, axis->floor);
    }
    base_text_add(e->text, ");\n}\n\n");
}

static void add_explicit(emission *e, const law_axis *axis, curve_end way)
{
    const law_ref roots[3] = {axis->value, axis->slope, axis->secant};
    add_nodes(e, roots, way == END_KNOWN ? 3 : 2);
    base_text_add(e->text, "    const lane value = ");
    add_operand(e, axis->value);
    base_text_add(e->text, ", slope = ");
    add_operand(e, axis->slope);
    base_text_add(e->text, ";\n");
}

// Whether a curve has functions whose series are long: five of them at a vertex, woven into one another, would not find
// registers enough.
static bool is_long(const law_graph *graph, const law_axis *axis)
{
    bool marks[LAW_ROOM] = {false}, found = axis->is_implicit;
    law_mark(graph, axis->value, marks);
    for (uint32_t k = 0; k < graph->count; k++) {
        const uint8_t op = graph->nodes[k].op;
        found = found || (marks[k] && op >= LAW_EXP && op <= LAW_COS);
    }
    return found;
}

static void add_bound(base_text *text, uint32_t number, int strain, const law_axis *axis)
{
    base_text_add(text, "INLINE law_bound law_%u_%d_bound(void)\n{\n    law_bound bound;\n    bound.share = ", number,
                  strain);
    add_number(text, 1 / axis->facts.range);
    base_text_add(text, ";\n    bound.floor = ");
    add_number(text, axis->floor);
    base_text_add(text, ";\n    return bound;\n}\n\n");
}

// The curve: value, slope, and, unless that is found later, the slope that a Newton step uses.
static void add_curve(emission *e, uint32_t number, int strain, const law_axis *axis, curve_end way)
{
    base_text *text = e->text;
    if (way == END_OPEN)
        add_bound(text, number, strain, axis);
    base_text_add(text, "%s %s law_%u_%d(const lane given, const lane v3)\n{\n",
                  is_long(e->graph, axis) ? "PART" : "INLINE", way == END_OPEN ? "law_line" : "law_curve", number,
                  strain);
    add_range(text, "v0", "given", axis->facts.range);
    e->indent = "    ";
    if (axis->is_implicit)
        add_implicit(e, axis);
    else
        add_explicit(e, axis, way);
    add_end(e, axis, way);
}

static int compare_sizes(double a, double b)
{
    return fabs(a) < fabs(b);
}

// Jumps of the slope on one side of 0, the nearest first.
static uint32_t jumps_of_side(const law_facts *facts, double side, double jumps[LAW_MAX_JUMPS])
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < facts->jump_count; k++) {
        if (facts->jumps[k] * side <= 0)
            continue;
        uint32_t place = count++;
        for (; place > 0 && compare_sizes(facts->jumps[k], jumps[place - 1]); place--)
            jumps[place] = jumps[place - 1];
        jumps[place] = facts->jumps[k];
    }
    return count;
}

// Energy of the curve: Gauss's rule on pieces that end at jumps of the slope and are shorter near 0.
static void add_energy(base_text *text, uint32_t number, int strain, const law_axis *axis)
{
    base_text_add(text, "LAW_PIECE(law_%u_%d_piece, law_%u_%d)\n\n", number, strain, number, strain);
    base_text_add(text, "PART lane law_%u_%d_energy(const lane x, const lane s)\n{\n    lane sum = C(0.0), from, to;\n",
                  number, strain);
    for (int side = -1; side <= 1; side += 2) {
        const char *limit = side > 0 ? "lane_max(x, C(0.0))" : "lane_min(x, C(0.0))";
        double jumps[LAW_MAX_JUMPS];
        const uint32_t count = jumps_of_side(&axis->facts, side, jumps);
        base_text_add(text, "    from = C(0.0);\n");
        for (uint32_t k = 0; k < count; k++) {
            base_text_add(text, "    to = lane_%s(%s, ", side > 0 ? "min" : "max", limit);
            add_number(text, jumps[k]);
            base_text_add(text, ");\n    sum = sum + law_%u_%d_piece(from, to, s);\n    from = to;\n", number, strain);
        }
        for (int k = 1; k <= 4; k++) {
            base_text_add(text, "    to = %s;\n", limit);
            if (k < 4)
                base_text_add(text, "    to = fma(to - from, C(%s), from);\n",
                              k == 1   ? "0.0625"
                              : k == 2 ? "0.2"
                                       : "0.4");
            base_text_add(text, "    sum = sum + law_%u_%d_piece(from, to, s);\n    from = to;\n", number, strain);
        }
    }
    base_text_add(text, "    return sum;\n}\n\n");
}

// Moments and tangent of all strains.
static void add_coupled(emission *e, uint32_t number, const law *of)
{
    law_ref roots[9];
    memcpy(roots, of->q, sizeof of->q);
    memcpy(roots + 3, of->k, sizeof of->k);
    base_text_add(e->text, "INLINE law_answer law_%u(const lane g0, const lane g1, const lane g2, const lane v3)\n{\n",
                  number);
    add_range(e->text, "v0", "g0", of->range);
    add_range(e->text, "v1", "g1", of->range);
    add_range(e->text, "v2", "g2", of->range);
    e->indent = "    ";
    add_nodes(e, roots, 9);
    base_text_add(e->text, "    law_answer answer;\n");
    for (int k = 0; k < 9; k++) {
        base_text_add(e->text, "    answer.%c%d = ", k < 3 ? 'q' : 'k', k < 3 ? k : k - 3);
        add_operand(e, roots[k]);
        base_text_add(e->text, ";\n");
    }
    base_text_add(e->text, "    return law_answer_continue(answer, g0 - v0, g1 - v1, g2 - v2, ");
    for (int k = 0; k < 3; k++) {
        add_number(e->text, 1e-3 * of->pivots[k]);
        base_text_add(e->text, k < 2 ? ", " : ");\n}\n\n");
    }
}

sheaf_status law_emit(const law *of, uint32_t number, base_text *text)
{
    emission *e = base_alloc(1, sizeof *e);
    if (e == NULL)
        return SHEAF_ERR_MEMORY;
    e->graph = &of->graph;
    e->text = text;
    if (of->form == LAW_FORM_COUPLED)
        add_coupled(e, number, of);
    for (int strain = 0; strain < 3 && of->form != LAW_FORM_COUPLED; strain++) {
        add_curve(e, number, strain, &of->axes[strain],
                  of->form == LAW_FORM_RADIAL ? END_DIVIDED
                  : law_knows_secants(of)     ? END_KNOWN
                                              : END_OPEN);
        add_energy(text, number, strain, &of->axes[strain]);
    }
    base_free(e);
    return base_text_status(text);
}

bool law_knows_secants(const law *of)
{
    return of->form == LAW_FORM_SEPARATE && of->axes[0].has_secant && of->axes[1].has_secant && of->axes[2].has_secant;
}

uint32_t law_cost(const law *of, int strain)
{
    bool marks[LAW_ROOM] = {false};
    law_mark(&of->graph, of->axes[strain].value, marks);
    law_mark(&of->graph, of->axes[strain].slope, marks);
    return law_count(&of->graph, marks);
}
