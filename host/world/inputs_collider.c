// inputs_collider: colliders as kernels read them in one step, worked out in fp64.
#include "world/inputs.h"

#include "base/vec.h"
#include "world/world.h"

#include <math.h>

static double kernel_kind(sheaf_collider_kind kind)
{
    switch (kind) {
    case SHEAF_COLLIDER_PLANE:
        return COLLIDER_PLANE;
    case SHEAF_COLLIDER_BOX:
        return COLLIDER_BOX;
    case SHEAF_COLLIDER_ELLIPSOID:
        return COLLIDER_ELLIPSOID;
    case SHEAF_COLLIDER_CYLINDER:
        return COLLIDER_CYLINDER;
    default:
        return COLLIDER_SEGMENT;
    }
}

// Where the material at a point was before: with R the axes by rows, x - x_0 - R_0^T R (x - c). Its change with the
// place is 1 - R_0^T R, differenced here, where digits are many.
static void write_motion(const double before[3][3], const double after[3][3], double *spin)
{
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) {
            double sum = row == column;
            for (int c = 0; c < 3; c++)
                sum -= before[c][row] * after[c][column];
            spin[3 * row + column] = sum;
        }
}

// Where the samples of a mesh are among those of all.
static void write_grid(const sheaf_model *model, const model_collider *collider, double *out)
{
    size_t first = 0;
    for (const model_collider *other = model->colliders; other < collider; other++)
        first += other->grid != NULL ? mesh_grid_size(other->grid) : 0;
    const size_t rest = first % 4096, pages = (first - rest) / 4096;
    out[COLLIDER_KIND] = COLLIDER_GRID;
    for (int c = 0; c < 3; c++)
        out[COLLIDER_COUNT + c] = collider->grid->count[c];
    out[COLLIDER_RATE] = 1 / collider->grid->cell;
    out[COLLIDER_FIRST] = (double)pages;
    out[COLLIDER_FIRST + 1] = (double)rest;
}

static void write_collider(const sheaf_model *model, const model_collider *collider, const double anchor[3],
                           model_span span, double out[COLLIDER_SIZE])
{
    double start[3], end[3], before[3][3], after[3][3];
    model_collider_before(model, collider, span.start, span.step_end, start, before);
    model_collider_before(model, collider, span.end, span.step_end, end, after);
    out[COLLIDER_KIND] = kernel_kind(collider->kind);
    vec_copy(out + COLLIDER_HALF, collider->half);
    if (collider->grid != NULL)
        write_grid(model, collider, out);
    if (collider->kind == SHEAF_COLLIDER_SPHERE)
        out[COLLIDER_HALF + 1] = 0;
    for (int c = 0; c < 3 && collider->kind == SHEAF_COLLIDER_ELLIPSOID; c++) {
        out[COLLIDER_SCALE + c] = 1 / collider->half[c];
        out[COLLIDER_SCALE + 3] = fmax(out[COLLIDER_SCALE + 3], out[COLLIDER_SCALE + c]);
    }
    out[COLLIDER_FRICTION] = collider->friction;
    out[COLLIDER_REACH] = isfinite(collider->reach) ? collider->reach : 0;
    vec_sub(out + COLLIDER_CENTER, end, anchor);
    for (int c = 0; c < 3; c++)
        vec_copy(out + COLLIDER_TURN + 3 * c, after[c]);
    vec_sub(out + COLLIDER_DRIFT, end, start);
    write_motion((const double(*)[3])before, (const double(*)[3])after, out + COLLIDER_SPIN);
}

void model_collider_input(const sheaf_model *model, uint32_t collider, uint32_t group, model_span span,
                          double out[COLLIDER_SIZE])
{
    double anchor[3] = {0, 0, 0};
    if (group > 0) {
        const sheaf_motion_def *motion = &model->motions[group - 1];
        model_jump jump;
        model_motion_point(motion, span.end, motion->anchor, anchor);
        if (model_motion_jump(motion, span.end, span.step_end, &jump))
            model_jump_point(&jump, anchor, anchor);
    }
    write_collider(model, &model->colliders[collider], anchor, span, out);
}

size_t model_grid_count(const sheaf_model *model)
{
    size_t samples = 0;
    for (uint32_t k = 0; k < model->collider_count; k++)
        samples += model->colliders[k].grid != NULL ? mesh_grid_size(model->colliders[k].grid) : 0;
    return samples;
}
