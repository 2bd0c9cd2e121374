// near: the nearest of many points.
#include "children/near.h"

#include "base/vec.h"

// ---- making

static int longest_axis(const near_tree *t, uint32_t first, uint32_t end)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t k = first; k < end; k++)
        for (int c = 0; c < 3; c++) {
            low[c] = fmin(low[c], t->points[t->order[k]][c]);
            high[c] = fmax(high[c], t->points[t->order[k]][c]);
        }
    const double sides[3] = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
    return sides[0] >= sides[1] && sides[0] >= sides[2] ? 0 : sides[1] >= sides[2] ? 1 : 2;
}

// Whether point a comes before b along an axis; numbers decide between equals, so that there is one order only.
static bool comes_before(const near_tree *t, int axis, uint32_t a, uint32_t b)
{
    const double x = t->points[a][axis], y = t->points[b][axis];
    return x < y || (x == y && a < b);
}

static void swap(uint32_t *order, uint32_t a, uint32_t b)
{
    const uint32_t kept = order[a];
    order[a] = order[b];
    order[b] = kept;
}

// Brings to `middle` the element that belongs there in order, those before it before and those after it after it.
static void select_middle(near_tree *t, int axis, uint32_t first, uint32_t end, uint32_t middle)
{
    while (end - first > 1) {
        swap(t->order, first + (end - first) / 2, end - 1);
        const uint32_t pivot = t->order[end - 1];
        uint32_t place = first;
        for (uint32_t k = first; k + 1 < end; k++)
            if (comes_before(t, axis, t->order[k], pivot))
                swap(t->order, k, place++);
        swap(t->order, place, end - 1);
        if (place == middle)
            return;
        if (place < middle)
            first = place + 1;
        else
            end = place;
    }
}

static void split(near_tree *t, uint32_t first, uint32_t end)
{
    while (end - first > 1) {
        const uint32_t middle = first + (end - first) / 2;
        const int axis = longest_axis(t, first, end);
        select_middle(t, axis, first, end, middle);
        t->axes[middle] = (uint8_t)axis;
        split(t, first, middle); // no deeper than the logarithm of the count
        first = middle + 1;
    }
}

sheaf_status near_open(const double (*points)[3], uint32_t count, near_tree *tree)
{
    *tree = (near_tree){.points = points, .count = count};
    tree->order = base_alloc(count, sizeof *tree->order);
    tree->axes = base_alloc(count, sizeof *tree->axes);
    if (tree->order == NULL || tree->axes == NULL) {
        near_close(tree);
        return SHEAF_ERR_MEMORY;
    }
    for (uint32_t k = 0; k < count; k++)
        tree->order[k] = k;
    split(tree, 0, count);
    return SHEAF_OK;
}

void near_close(near_tree *tree)
{
    base_free(tree->order);
    base_free(tree->axes);
    *tree = (near_tree){0};
}

// ---- finding

typedef struct search {
    const near_tree *tree;
    const double *place;
    uint32_t wanted, count;
    uint32_t found[NEAR_MOST];
    double squares[NEAR_MOST];
} search;

// Puts a point among those found, which stay in order, if it is nearer than the last.
static void consider(search *s, uint32_t point)
{
    double arm[3];
    vec_sub(arm, s->tree->points[point], s->place);
    const double square = vec_dot(arm, arm);
    uint32_t k = s->count;
    while (k > 0 && (square < s->squares[k - 1] || (square == s->squares[k - 1] && point < s->found[k - 1])))
        k--;
    if (k == s->wanted)
        return;
    s->count += s->count < s->wanted;
    for (uint32_t i = s->count - 1; i > k; i--) {
        s->found[i] = s->found[i - 1];
        s->squares[i] = s->squares[i - 1];
    }
    s->found[k] = point;
    s->squares[k] = square;
}

static void visit(search *s, uint32_t first, uint32_t end)
{
    if (first >= end)
        return;
    const uint32_t middle = first + (end - first) / 2, point = s->tree->order[middle];
    const int axis = s->tree->axes[middle];
    const double beyond = s->place[axis] - s->tree->points[point][axis];
    consider(s, point);
    if (beyond < 0)
        visit(s, first, middle);
    else
        visit(s, middle + 1, end);
    if (s->count == s->wanted && beyond * beyond > s->squares[s->count - 1])
        return;
    if (beyond < 0)
        visit(s, middle + 1, end);
    else
        visit(s, first, middle);
}

uint32_t near_find(const near_tree *tree, const double place[3], uint32_t wanted, uint32_t *found, double *squares)
{
    search s = {.tree = tree, .place = place, .wanted = wanted};
    visit(&s, 0, tree->count);
    for (uint32_t k = 0; k < s.count; k++) {
        found[k] = s.found[k];
        squares[k] = s.squares[k];
    }
    return s.count;
}
