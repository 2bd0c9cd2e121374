// parse: tokens, precedence, and errors that say where and what to do.
#include "law/parse.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct function_row {
    const char *name;
    law_op op;
} function_row;

static const function_row functions[] = {
    {"sqrt", LAW_SQRT}, {"exp", LAW_EXP}, {"log", LAW_LOG},   {"atan", LAW_ATAN}, {"tanh", LAW_TANH}, {"sin", LAW_SIN},
    {"cos", LAW_COS},   {"abs", LAW_ABS}, {"step", LAW_STEP}, {"min", LAW_MIN},   {"max", LAW_MAX},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0], NAMES_MOST = LAW_MAX_CONSTANTS + LAW_VARIABLES };

// Bytes, without which no text is a law.
static const char allowed[] = "_+-*/^(),. ";

typedef struct parser {
    law_graph *graph;
    const char *start, *at, *end;
    const law_name *names;
    size_t name_count;
    uint32_t operations;
    uint32_t depth;
    law_fault *fault;
    bool failed;
} parser;

// The first fault counts; always node 0.
__attribute__((format(printf, 5, 6))) static law_ref fail_at(parser *p, const char *from, size_t length,
                                                             const char *hint, const char *format, ...)
{
    va_list values;
    if (p->failed)
        return 0;
    p->failed = true;
    va_start(values, format);
    vsnprintf(p->fault->message, sizeof p->fault->message, format, values);
    va_end(values);
    snprintf(p->fault->hint, sizeof p->fault->hint, "%s", hint);
    p->fault->offset = (size_t)(from - p->start);
    p->fault->length = length;
    return 0;
}

static void skip_spaces(parser *p)
{
    while (p->at < p->end && *p->at == ' ')
        p->at++;
}

static char peek(parser *p)
{
    skip_spaces(p);
    return p->at < p->end ? *p->at : 0;
}

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static bool is_number_start(const parser *p)
{
    const bool point = p->at + 1 < p->end && *p->at == '.' && isdigit((unsigned char)p->at[1]);
    return p->at < p->end && (isdigit((unsigned char)*p->at) || point);
}

// Counts an operation of the text and makes its node; a number that is none any more is refused at its place.
static law_ref operate(parser *p, const char *from, size_t length, law_op op, law_ref a, law_ref b)
{
    if (p->failed)
        return 0;
    if (++p->operations > LAW_MAX_OPERATIONS)
        return fail_at(p, from, length, "give parts of it names in 'with' if they are numbers, or write a shorter law",
                       "more than %d operations", LAW_MAX_OPERATIONS);
    if (op == LAW_DIV && law_is_number(p->graph, b) && p->graph->nodes[b].value == 0)
        return fail_at(p, from, length, "", "division by zero");
    const law_ref node = law_make(p->graph, op, a, b);
    if (law_is_number(p->graph, node) && !isfinite(p->graph->nodes[node].value))
        return fail_at(p, from, length, "", "this is no finite number");
    return node;
}

static law_ref parse_sum(parser *p);
static law_ref parse_signed(parser *p);

static law_ref parse_number(parser *p)
{
    char digits[64] = {0};
    const char *from = p->at;
    while (p->at < p->end && isdigit((unsigned char)*p->at))
        p->at++;
    if (p->at < p->end && *p->at == '.')
        p->at++;
    while (p->at < p->end && isdigit((unsigned char)*p->at))
        p->at++;
    if (p->at < p->end && (*p->at == 'e' || *p->at == 'E')) {
        const char *power = p->at + 1 + (p->at + 1 < p->end && (p->at[1] == '-' || p->at[1] == '+'));
        if (power < p->end && isdigit((unsigned char)*power))
            for (p->at = power; p->at < p->end && isdigit((unsigned char)*p->at);)
                p->at++;
    }
    const size_t length = (size_t)(p->at - from);
    if (length >= sizeof digits)
        return fail_at(p, from, length, "", "number of more than %zu characters", sizeof digits - 1);
    memcpy(digits, from, length);
    errno = 0;
    const double value = strtod(digits, NULL);
    if (!isfinite(value) || (errno == ERANGE && value == 0))
        return fail_at(p, from, length, "numbers go from 1e-308 to 1e308", "number too %s",
                       value > 0 ? "large" : "small");
    if (p->at < p->end && (is_letter(*p->at) || *p->at == '.'))
        return fail_at(p, p->at, 1, "products are written with '*'", "'%c' right after a number", *p->at);
    return law_number(p->graph, value);
}

static const function_row *find_function(const char *name)
{
    for (size_t k = 0; k < FUNCTIONS; k++)
        if (strcmp(functions[k].name, name) == 0)
            return &functions[k];
    return NULL;
}

bool law_may_name(const char *name)
{
    static const char *const variables[] = {"x", "k", "q", "s", "x1", "x2", "x3"};
    bool sound = is_letter(name[0]) && find_function(name) == NULL;
    for (size_t k = 0; k < sizeof variables / sizeof variables[0]; k++)
        sound = sound && strcmp(name, variables[k]) != 0;
    for (const char *at = name; *at != 0; at++)
        sound = sound && (is_letter(*at) || isdigit((unsigned char)*at));
    return sound;
}

// A hint for a word that is neither function nor name.
static law_ref refuse_name(parser *p, const char *from, const char *name, bool is_called)
{
    const char *candidates[FUNCTIONS + NAMES_MOST];
    char hint[160] = "";
    size_t count = 0, length = 0;
    for (size_t k = 0; k < (is_called ? FUNCTIONS : p->name_count); k++)
        candidates[count++] = is_called ? functions[k].name : p->names[k].name;
    const char *nearest = base_nearest(name, candidates, count);
    if (nearest != NULL) {
        snprintf(hint, sizeof hint, "did you mean '%s'?", nearest);
    } else {
        length = (size_t)snprintf(hint, sizeof hint, is_called ? "functions are" : "names here are");
        for (size_t k = 0; k < count && length < sizeof hint - 40; k++)
            length += (size_t)snprintf(hint + length, sizeof hint - length, "%s %s", k > 0 ? "," : "", candidates[k]);
    }
    return fail_at(p, from, strlen(name), hint, "unknown %s '%s'", is_called ? "function" : "name", name);
}

// The arguments of a call, after '('.
static law_ref parse_call(parser *p, const char *from, const function_row *function)
{
    const uint32_t wanted = (uint32_t)law_operands(function->op);
    const size_t length = strlen(function->name);
    law_ref arguments[2] = {0, 0};
    uint32_t given = 0;
    if (++p->depth > LAW_MAX_DEPTH)
        return fail_at(p, from, length, "", "nested deeper than %d", LAW_MAX_DEPTH);
    do {
        p->at++; // '(' or ','
        const law_ref argument = parse_sum(p);
        if (given < 2)
            arguments[given] = argument;
        given++;
    } while (!p->failed && peek(p) == ',');
    if (!p->failed && peek(p) != ')')
        return fail_at(p, p->at, 1, "", "')' is missing here");
    p->at++;
    p->depth--;
    if (!p->failed && given != wanted)
        return fail_at(p, from, length, "", "%s takes %u argument%s, not %u", function->name, wanted,
                       wanted == 1 ? "" : "s", given);
    return operate(p, from, length, function->op, arguments[0], arguments[1]);
}

static law_ref parse_name(parser *p)
{
    char name[32] = {0};
    const char *from = p->at;
    while (p->at < p->end && (is_letter(*p->at) || isdigit((unsigned char)*p->at)))
        p->at++;
    const size_t length = (size_t)(p->at - from);
    if (length >= sizeof name)
        return fail_at(p, from, length, "", "name of more than %zu characters", sizeof name - 1);
    memcpy(name, from, length);
    const bool is_called = peek(p) == '(';
    const function_row *function = find_function(name);
    for (size_t k = 0; k < p->name_count; k++)
        if (strcmp(p->names[k].name, name) == 0)
            return is_called ? fail_at(p, p->at, 1, "products are written with '*'", "'%s' is not a function", name)
                             : p->names[k].node;
    if (function == NULL)
        return refuse_name(p, from, name, is_called);
    if (!is_called)
        return fail_at(p, from, length, "", "'%s' is a function: its argument is missing", name);
    return parse_call(p, from, function);
}

static law_ref parse_parentheses(parser *p)
{
    if (++p->depth > LAW_MAX_DEPTH)
        return fail_at(p, p->at, 1, "", "nested deeper than %d", LAW_MAX_DEPTH);
    p->at++;
    const law_ref inner = parse_sum(p);
    if (!p->failed && peek(p) != ')')
        return fail_at(p, p->at, 1, "", "')' is missing here");
    p->at++;
    p->depth--;
    return inner;
}

static law_ref parse_atom(parser *p)
{
    const char c = peek(p);
    if (p->failed)
        return 0;
    if (is_number_start(p))
        return parse_number(p);
    if (is_letter(c))
        return parse_name(p);
    if (c == '(')
        return parse_parentheses(p);
    if (p->at >= p->end)
        return fail_at(p, p->end, 1, "", p->start == p->end ? "the text is empty" : "something is missing here");
    return fail_at(p, p->at, 1, "", "a number, a name or '(' is expected here, not '%c'", c);
}

static law_ref parse_power(parser *p)
{
    const law_ref base = parse_atom(p);
    if (p->failed || peek(p) != '^')
        return base;
    const char *sign = p->at++;
    const char *from = (skip_spaces(p), p->at);
    const law_ref power = parse_signed(p);
    const size_t length = (size_t)(p->at - from);
    if (p->failed)
        return 0;
    if (!law_is_number(p->graph, power))
        return fail_at(p, from, length, "for others write exp(b*log(a))", "a power must be a number");
    const double value = p->graph->nodes[power].value;
    if (fabs(value) > 32)
        return fail_at(p, from, length, "", "powers go from -32 to 32");
    if (++p->operations > LAW_MAX_OPERATIONS)
        return fail_at(p, sign, 1, "write a shorter law", "more than %d operations", LAW_MAX_OPERATIONS);
    const law_ref result = law_power(p->graph, base, value);
    if (law_is_number(p->graph, result) && !isfinite(p->graph->nodes[result].value))
        return fail_at(p, sign, 1, "", "this is no finite number");
    return result;
}

static law_ref parse_signed(parser *p)
{
    bool negative = false;
    const char *from = p->at;
    for (char c = peek(p); c == '-' || c == '+'; c = peek(p)) {
        from = p->at;
        negative ^= c == '-';
        p->at++;
    }
    const law_ref value = parse_power(p);
    return negative && !p->failed ? operate(p, from, 1, LAW_NEG, value, 0) : value;
}

static law_ref parse_product(parser *p)
{
    law_ref product = parse_signed(p);
    for (char c = peek(p); !p->failed && (c == '*' || c == '/'); c = peek(p)) {
        const char *from = p->at++;
        if (p->at < p->end && *p->at == '*')
            return fail_at(p, from, 2, "powers are written with '^'", "'**' is no operation");
        product = operate(p, from, 1, c == '*' ? LAW_MUL : LAW_DIV, product, parse_signed(p));
    }
    return product;
}

static law_ref parse_sum(parser *p)
{
    law_ref sum = parse_product(p);
    for (char c = peek(p); !p->failed && (c == '+' || c == '-'); c = peek(p)) {
        const char *from = p->at++;
        sum = operate(p, from, 1, c == '+' ? LAW_ADD : LAW_SUB, sum, parse_product(p));
    }
    return sum;
}

static bool check_bytes(parser *p)
{
    if (p->end - p->start > LAW_MAX_TEXT)
        return fail_at(p, p->start + LAW_MAX_TEXT, 1, "", "more than %d characters", LAW_MAX_TEXT);
    for (const char *at = p->start; at < p->end; at++) {
        const unsigned char c = (unsigned char)*at;
        if (c < 0x80 && (isalnum(c) || (c != 0 && strchr(allowed, c) != NULL)))
            continue;
        char shown[8];
        snprintf(shown, sizeof shown, c > 0x20 && c < 0x7f ? "'%c'" : "\\x%02x", c);
        return fail_at(p, at, 1, "letters, digits, + - * / ^ ( ) , . _ and spaces are all there is",
                       "%s does not belong into a law", shown);
    }
    return true;
}

bool law_parse(law_graph *graph, law_text text, const law_name *names, size_t name_count, law_ref *root,
               law_fault *fault)
{
    parser p = {.graph = graph,
                .start = text.bytes,
                .at = text.bytes,
                .end = text.bytes + text.length,
                .names = names,
                .name_count = name_count,
                .fault = fault};
    check_bytes(&p);
    *root = p.failed ? 0 : parse_sum(&p);
    if (!p.failed && peek(&p) != 0) {
        const bool joins = is_letter(*p.at) || *p.at == '(' || isdigit((unsigned char)*p.at);
        fail_at(&p, p.at, 1, joins ? "products are written with '*'" : "", "'%c' is not expected here", *p.at);
    }
    if (!p.failed && graph->is_full)
        fail_at(&p, p.start, text.length, "write a shorter law", "the law is too large");
    return !p.failed;
}
