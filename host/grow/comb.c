// comb: directions, axes, points, partings, and properties of meshes.
#include "grow/comb.h"

#include "base/vec.h"

// Hair is combed back, out of the face, from the front of the parting on; no more from this share of its length on.
static const double back_ends = 0.73;

bool comb_take_across(double vector[3], const double normal[3])
{
    const double before = vec_length(vector);
    vec_axpy(vector, -vec_dot(vector, normal), normal);
    if (!(vec_length(vector) > 1e-6 * before))
        return false;
    vec_unit(vector, vector);
    return true;
}

void comb_of_triangle(const mesh *m, uint32_t triangle, const double weights[3], double out[3])
{
    vec_set(out, 0, 0, 0);
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++)
            out[c] += weights[k] * (double)m->comb[m->triangles[triangle][k]][c];
}

// From the nearest point of the parting to a point.
static void find_away(const grow_comb *comb, const double point[3], double out[3])
{
    double least = INFINITY;
    for (uint32_t k = 0; k + 1 < comb->parting_count; k++) {
        double side[3], arm[3];
        vec_sub(side, comb->parting[k + 1], comb->parting[k]);
        vec_sub(arm, point, comb->parting[k]);
        const double square = vec_dot(side, side);
        const double along = square > 0 ? fmin(fmax(vec_dot(arm, side) / square, 0), 1) : 0;
        vec_axpy(arm, -along, side);
        if (vec_dot(arm, arm) < least) {
            least = vec_dot(arm, arm);
            vec_copy(out, arm);
        }
    }
}

// Away from the parting, down, and at the front back.
static void part_way(const grow_def *def, const double point[3], double out[3])
{
    const grow_comb *comb = &def->comb;
    const double *first = comb->parting[0], *last = comb->parting[comb->parting_count - 1], *up = def->surface.up;
    double back[3], arm[3];
    find_away(comb, point, out);
    if (vec_length(out) > 0)
        vec_unit(out, out);
    vec_axpy(out, -comb->down, up);
    vec_sub(back, last, first);
    vec_axpy(back, -vec_dot(back, up), up);
    const double reach = vec_length(back);
    if (!(reach > 0))
        return;
    vec_sub(arm, point, first);
    const double share = vec_dot(arm, back) / (reach * reach);
    vec_axpy(out, comb->back * fmin(fmax((back_ends - share) / (back_ends - 0.05), 0), 1) / reach, back);
}

void comb_way(const grow_def *def, const grow_root *root, const double point[3], double out[3])
{
    double arm[3];
    vec_set(out, 0, 0, 0);
    switch (def->comb.kind) {
    case GROW_COMB_ALONG:
        vec_copy(out, def->comb.vector);
        break;
    case GROW_COMB_AROUND:
        vec_sub(arm, point, def->surface.center);
        vec_cross(out, def->comb.vector, arm);
        break;
    case GROW_COMB_FROM:
        vec_sub(out, point, def->comb.vector);
        break;
    case GROW_COMB_PARTING:
        part_way(def, point, out);
        break;
    case GROW_COMB_MESH: {
        const double weights[3] = {1 - root->place[0] - root->place[1], root->place[0], root->place[1]};
        comb_of_triangle(&def->surface.mesh, root->face, weights, out);
        break;
    }
    case GROW_COMB_NONE:
    default:
        break;
    }
}
