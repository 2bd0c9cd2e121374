// usda_transform: the steps of a prim's transform, put together.
#include "groom/usda.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// An affine map of points: x -> linear x + offset.
typedef struct affine {
    double linear[3][3], offset[3];
} affine;

static const affine identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};

// a after b.
static affine combine(const affine *a, const affine *b)
{
    affine c;
    for (int i = 0; i < 3; i++) {
        c.offset[i] = a->offset[i];
        for (int j = 0; j < 3; j++) {
            c.offset[i] += a->linear[i][j] * b->offset[j];
            c.linear[i][j] = 0;
            for (int k = 0; k < 3; k++)
                c.linear[i][j] += a->linear[i][k] * b->linear[k][j];
        }
    }
    return c;
}

// A turn about axis 0, 1 or 2, degrees.
static affine turn(int axis, double degrees)
{
    affine r = identity;
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    const double angle = degrees * (3.14159265358979323846 / 180);
    r.linear[j][j] = r.linear[k][k] = cos(angle);
    r.linear[k][j] = sin(angle);
    r.linear[j][k] = -sin(angle);
    return r;
}

// rotateXYZ turns about x first, and so on for any order of the three.
static bool make_turns(const char *axes, const double *degrees, int count, affine *out)
{
    const size_t length = strlen(axes);
    if ((length != 1 && length != 3) || count != (int)length)
        return false;
    *out = identity;
    for (size_t k = 0; k < length; k++) {
        const int axis = axes[k] - 'X';
        if (axis < 0 || axis > 2)
            return false;
        const affine r = turn(axis, degrees[length == 1 ? 0 : axis]);
        *out = combine(&r, out);
    }
    return true;
}

// The kind of an op: "translate" of "xformOp:translate" and "xformOp:translate:pivot".
static void kind_of(const char *name, char kind[32])
{
    const char *start = strchr(name, ':') + 1;
    snprintf(kind, 32, "%.*s", (int)(strcspn(start, ":") < 31 ? strcspn(start, ":") : 31), start);
}

static bool make_step(const usda_op *op, affine *out)
{
    char kind[32];
    kind_of(op->name, kind);
    *out = identity;
    if (strcmp(kind, "translate") == 0 && op->count == 3) {
        memcpy(out->offset, op->numbers, sizeof out->offset);
    } else if (strcmp(kind, "scale") == 0 && op->count == 3) {
        for (int c = 0; c < 3; c++)
            out->linear[c][c] = op->numbers[c];
    } else if (strncmp(kind, "rotate", 6) == 0) {
        return make_turns(kind + 6, op->numbers, op->count, out);
    } else if (strcmp(kind, "transform") == 0 && op->count == 16) {
        for (int i = 0; i < 3; i++) { // a row vector times the matrix
            out->offset[i] = op->numbers[12 + i];
            for (int j = 0; j < 3; j++)
                out->linear[i][j] = op->numbers[4 * j + i];
        }
    } else {
        return false;
    }
    return true;
}

static bool is_finite(const affine *a)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (!(fabs(a->linear[i][j]) <= GROOM_FARTHEST) || !(fabs(a->offset[i]) <= GROOM_FARTHEST))
                return false;
    return true;
}

static const usda_op *find_op(const usda_op *ops, int count, const char *name)
{
    for (int k = 0; k < count; k++)
        if (strcmp(ops[k].name, name) == 0)
            return &ops[k];
    return NULL;
}

sheaf_status usda_compose(const groom_input *input, const usda_op *ops, int op_count, char order[][48], int order_count,
                          usda_prim *prim)
{
    affine all = identity, step;
    char shown[64];
    for (int k = 0; k < order_count; k++) {
        const usda_op *op = find_op(ops, op_count, order[k]);
        base_printable(order[k], shown, sizeof shown);
        if (strcmp(order[k], "!resetXformStack!") == 0) {
            prim->parent = 0;
            all = identity;
            continue;
        }
        if (op != NULL && op->moves)
            return groom_fail(input, "the transform %s moves in time; bake it into the points", shown);
        if (op == NULL || !make_step(op, &step))
            return groom_fail(input, "the transform %s is not one that is read: translate, scale, rotate..., transform",
                              shown);
        all = combine(&all, &step);
    }
    if (!is_finite(&all))
        return groom_fail(input, "a transform with numbers beyond 1e12");
    memcpy(prim->linear, all.linear, sizeof all.linear);
    memcpy(prim->offset, all.offset, sizeof all.offset);
    return SHEAF_OK;
}
