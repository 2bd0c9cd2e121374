// truth_contact: colliders as truth has them: gap >= 0, N >= 0, gap N = 0 at every free vertex, as one equation
// N/F = max(0, N/F - gap/l), and Coulomb's friction.
#include "base/vec.h"
#include "der/ref/truth_system.h"

typedef struct surface {
    double gap, normal[3], drift[3], friction; // m, -, m, -
} surface;

static void collider_axes(const double axes[3][3], const double arm[3], double own[3])
{
    for (int c = 0; c < 3; c++)
        own[c] = vec_dot(axes[c], arm);
}

static void scene_axes(const double axes[3][3], const double own[3], double out[3])
{
    vec_set(out, 0, 0, 0);
    for (int c = 0; c < 3; c++)
        vec_axpy(out, own[c], axes[c]);
}

// Distance of a place from one collider as it is at s of the step.
static surface surface_of(const truth_system *t, const model_collider *collider, const double place[3])
{
    const double end = t->time + t->share * t->step;
    double center[3], axes[3][3], before[3], old_axes[3][3], arm[3], own[3], normal[3], was[3];
    surface s = {.friction = collider->friction};
    model_collider_pose(t->rod->model, collider, end, center, axes);
    vec_sub(arm, place, center);
    collider_axes((const double(*)[3])axes, arm, own);
    s.gap = model_collider_gap(collider, own, normal);
    scene_axes((const double(*)[3])axes, normal, s.normal);
    model_collider_before(t->rod->model, collider, t->time, end, before, old_axes);
    scene_axes((const double(*)[3])old_axes, own, was);
    vec_add(was, was, before);
    vec_sub(s.drift, place, was);
    return s;
}

static surface nearest(const truth_system *t, const double x[3])
{
    surface best = {.gap = INFINITY};
    double place[3];
    vec_add(place, t->rod->origin, x);
    for (uint32_t k = 0; k < t->rod->model->collider_count; k++) {
        const surface s = surface_of(t, &t->rod->model->colliders[k], place);
        if (s.gap < best.gap)
            best = s;
    }
    return best;
}

bool truth_is_free(const truth_system *t, uint32_t i)
{
    for (uint32_t k = t->first[i]; k < t->after[i]; k++)
        if (t->freedoms[k].first != t->freedoms[k].second)
            return false;
    return t->after[i] - t->first[i] == 3;
}

// Derivative of the normal by the place, by differences; small where a surface is flat.
static void normal_changes(const truth_system *t, uint32_t i, double by[3][3])
{
    const double h = 1e-5 * t->length;
    for (int c = 0; c < 3; c++) {
        double ahead[3], behind[3];
        vec_copy(ahead, t->x[i]);
        vec_copy(behind, t->x[i]);
        ahead[c] += h;
        behind[c] -= h;
        const surface a = nearest(t, ahead), b = nearest(t, behind);
        for (int r = 0; r < 3; r++)
            by[r][c] = (a.normal[r] - b.normal[r]) / (2 * h);
    }
}

// -mu N u / max(|u|, creep): u the slide along the surface.
static void add_friction(truth_system *t, uint32_t i, const surface *s, double press)
{
    const double creep = t->options->creep * t->step * t->share, limit = s->friction * fmax(press, 0);
    double slide[3], block[3][3];
    vec_sub(slide, t->x[i], t->rod->x[i]);
    vec_sub(slide, slide, s->drift);
    vec_axpy(slide, -vec_dot(slide, s->normal), s->normal);
    const double length = vec_length(slide), slow = fmax(length, creep);
    if (s->friction == 0 || slow == 0)
        return;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            block[r][c] =
                (r == c) - s->normal[r] * s->normal[c] - (length > creep ? slide[r] * slide[c] / (length * length) : 0);
    truth_add_force(t, i, -limit / slow, slide);
    truth_add_block(t, i, i, -limit / slow, (const double(*)[3])block);
    if (press > 0)
        truth_add_column(t, i, t->of_press[i], -s->friction / slow, slide);
}

void truth_add_contacts(truth_system *t)
{
    for (uint32_t i = 0; i < t->rod->vertex_count; i++) {
        const uint32_t row = t->of_press[i];
        if (row == TRUTH_NONE)
            continue;
        const double press = t->unknown[row];
        const surface s = nearest(t, t->x[i]);
        if (!(press / t->force > s.gap / t->length)) {
            t->residual[row] = press / t->force;
            truth_add_entry(t, row, row, 1 / t->force);
        } else {
            t->residual[row] = s.gap / t->length;
            truth_add_row(t, row, i, 1 / t->length, s.normal);
        }
        if (press == 0 && !(press / t->force > s.gap / t->length))
            continue;
        double by[3][3];
        normal_changes(t, i, by);
        truth_add_force(t, i, press, s.normal);
        truth_add_column(t, i, row, 1, s.normal);
        truth_add_block(t, i, i, press, (const double(*)[3])by);
        add_friction(t, i, &s, press);
    }
}
