// parse: the text of a law -> its place in a graph.
//
//   expr = term {(+|-) term}   term = unary {(*|/) unary}   unary = {+|-} power   power = atom [^ unary]
//   atom = number | name | name(expr {, expr}) | (expr)
#ifndef SHEAF_LAW_PARSE_H
#define SHEAF_LAW_PARSE_H

#include "law/graph.h"
#include "law/law.h"

// A name that a text may use, and the node that it stands for.
typedef struct law_name {
    const char *name;
    law_ref node;
} law_name;

// Adds the expression to the graph. False: `fault` says what is wrong and where.
bool law_parse(law_graph *graph, law_text text, const law_name *names, size_t name_count, law_ref *root,
               law_fault *fault);

// Whether a number may have this name: letters, digits and _, and nothing that means something else in laws.
bool law_may_name(const char *name);

#endif
