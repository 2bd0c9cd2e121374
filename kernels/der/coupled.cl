// coupled: an implicit step cut where strands may look at each other: open | linearise | substitute | accept | close.
// The factor of every strand's matrix outlives the launch, so that the solve is repeated with other right sides at the
// price of two sweeps. Without a push the verbs give the bits of the fused step, which is made of the same functions.
//
//   open                                 guess of the step, air; answer = displacements of the guess
//   for k = 0, 1, ...:                   Gauss-Newton
//     linearise k                        frames, twist, colliders, matrix with what couples add to it, factor
//     substitute, as often as needed     answer = H^-1 (right side + push)
//     accept                             adds the last answer; answer = displacements of the step so far
//   close                                lengths, collisions, guard, commit
//
// Launch: as the staged kernels: one owner of scratch per bundle, which keeps the step between the launches. No race: a
// bundle (or each of its lanes) is touched by one work-item.

#define Z_KEPT 11 // KEPT_SIZE
#define KEEP_PIVOT(i, inverse) z_store3(i, Z_OWN + KEPT_INVERSE, inverse)
#define KEEP_RIGHT(i, right) z_store3(i, Z_OWN + KEPT_RIGHT, right)
#define KEEP_PULL(i, pull) z_store3(i, Z_OWN + KEPT_PULL, pull)
#define KEEP_TIP(tip, p)                                                                                               \
    Z1(tip, Z_FACTOR_PIVOT) = p.l10;                                                                                   \
    Z1(tip, Z_FACTOR_PIVOT + 1) = p.l20;                                                                               \
    Z1(tip, Z_FACTOR_PIVOT + 2) = p.l21;                                                                               \
    KEEP_PIVOT(tip, p.inverse)
#define ADD_WEIGHT(i, diagonal, below) add_weight(scratch, i, &(diagonal), &(below))

#include "kernels/der/layout.clh"

// Rows that nothing couples keep their bits: 0 is not added to them.
INLINE void add_weight(__global const lane *scratch, const int i, sym3 *diagonal, mat3 *below)
{
    const lane own = Z1(i, Z_OWN + KEPT_WEIGHT), next = Z1(i, Z_OWN + KEPT_WEIGHT + 1);
    const lane_mask is_own = own > C(0.0), is_next = next > C(0.0);
    diagonal->xx = lane_select(is_own, diagonal->xx + own, diagonal->xx);
    diagonal->yy = lane_select(is_own, diagonal->yy + own, diagonal->yy);
    diagonal->zz = lane_select(is_own, diagonal->zz + own, diagonal->zz);
    below->x.x = lane_select(is_next, below->x.x + next, below->x.x);
    below->y.y = lane_select(is_next, below->y.y + next, below->y.y);
    below->z.z = lane_select(is_next, below->z.z + next, below->z.z);
}

#include "kernels/der/bundle.clh"
#include "kernels/der/implicit.clh"
#include "kernels/der/step.clh"
#include "kernels/lib/lanes.clh"
#include "kernels/lib/pivots.clh"
#include "kernels/lib/rows.clh"

INLINE pivot3 kept_pivot(__global const lane *scratch, const int i)
{
    pivot3 p;
    p.l10 = Z1(i, Z_FACTOR_PIVOT);
    p.l20 = Z1(i, Z_FACTOR_PIVOT + 1);
    p.l21 = Z1(i, Z_FACTOR_PIVOT + 2);
    p.inverse = z_load3(i, Z_OWN + KEPT_INVERSE);
    return p;
}

// Right side of row i: that of the matrix, what the rows before left, and a push from outside, N.
INLINE vec3 pushed_right(const strand_ends ends, __global const lane *scratch, __global const lane *push, const int i,
                         const int vertex_count, const vec3 left)
{
    vec3 right = add3(add3(z_load3(i, Z_OWN + KEPT_RIGHT), load3(push, 3, i, 0)), left);
#if GENERAL
    if (i <= 1 || i >= vertex_count - 4)
        right = hold_off(hold_at(ends, i, vertex_count), right);
#endif
    return right;
}

// Forward substitution with the kept factor, in the order of `eliminate`; returns the tip's displacement.
INLINE vec3 substitute_forward(const strand_ends ends, __global lane *scratch, __global const lane *push,
                               const int vertex_count)
{
    vec3 left = z_load3(0, Z_OWN + KEPT_PULL), left_next = zero3();
    for (int i = FIRST_VERTEX; i < vertex_count - 1; i++) {
        const pivot3 p = kept_pivot(scratch, i);
        const vec3 b = pivot3_forward(p, pushed_right(ends, scratch, push, i, vertex_count, left));
        const mat3 v = load_mat3(scratch, i, Z_FACTOR_NEXT), g = load_mat3(scratch, i, Z_FACTOR_SECOND);
        z_store3(i, Z_FACTOR_RIGHT, pivot3_divide(p, b));
        left = make3(dot3_sub(v.x, b, left_next.x), dot3_sub(v.y, b, left_next.y), dot3_sub(v.z, b, left_next.z));
        left_next = make3(dot3(g.x, b), dot3(g.y, b), dot3(g.z, b));
        left = sub3(left, z_load3(i + 1, Z_OWN + KEPT_PULL));
    }
    const int tip = vertex_count - 1;
    const pivot3 p = kept_pivot(scratch, tip);
    const vec3 right = pushed_right(ends, scratch, push, tip, vertex_count, left);
    const vec3 b = pivot3_divide(p, pivot3_forward(p, right));
    return free_part(ends, tip, vertex_count, pivot3_backward(p.l10, p.l20, p.l21, b));
}

// Displacements of all vertices from the eliminated right sides; the iterate stays as it is.
INLINE void substitute_backward(const strand_ends ends, __global const lane *scratch, const int vertex_count, vec3 next,
                                __global lane *answer)
{
    vec3 second = zero3();
    store3(answer, 3, vertex_count - 1, 0, next);
    for (int i = vertex_count - 2; i >= FIRST_VERTEX; i--) {
        const vec3 change = substitute_row(ends, scratch, i, vertex_count, next, second);
        store3(answer, 3, i, 0, change);
        second = next;
        next = change;
    }
}

// How far every vertex went in this step so far.
INLINE void tell_moves(const bundle_view *v, __global lane *answer)
{
    for (int i = 0; i < v->vertex_count; i++)
        store3(answer, 3, i, 0, add3(load3(v->scratch, Z_SIZE, i, Z_MOVE), v->ends.shift));
}

// ---- verbs

BUNDLE_PART void couple_open_part(PART_BUNDLE, __global lane *answer)
{
    OPEN_VIEW(v);
    step_guess(BUNDLE_OF(v));
    step_wind(BUNDLE_OF(v));
    tell_moves(v, answer);
}

// Which lanes take part: strands that couples bind together go on together, and end together.
INLINE void couple_takes_part(const bundle_view *v, __global const lane *weights)
{
    const lane takes = AT(weights, WEIGHT_SIZE, 0, WEIGHT_TAKES), was = RECORD(RECORD_WANTS);
    const lane now = lane_select(takes > C(0.0), C(1.0), lane_select(takes < C(0.0), C(0.0), was));
    RECORD(RECORD_WANTS) = now;
    RECORD(RECORD_NEWTON) = RECORD(RECORD_NEWTON) + (now - was);
}

INLINE void couple_load_weights(const bundle_view *v, __global const lane *weights)
{
    __global lane *scratch = v->scratch;
    for (int i = 0; i < v->vertex_count; i++) {
        Z1(i, Z_OWN + KEPT_WEIGHT) = AT(weights, WEIGHT_SIZE, i, WEIGHT_OWN);
        Z1(i, Z_OWN + KEPT_WEIGHT + 1) = AT(weights, WEIGHT_SIZE, i, WEIGHT_NEXT);
    }
}

// Lanes that need no more iterations keep their displacements: their mask is off when the answer is accepted.
BUNDLE_PART void couple_linearise_part(PART_BUNDLE, __global const lane *weights, const int iteration)
{
    OPEN_VIEW(v);
    const bool masked = iteration > 0;
    step_newton_goes_on(BUNDLE_OF(v), iteration);
    couple_takes_part(v, weights);
    couple_load_weights(v, weights);
    step_frames(BUNDLE_OF(v), masked);
    step_curvature(BUNDLE_OF(v), masked);
    step_twist(BUNDLE_OF(v), masked);
    step_contact(BUNDLE_OF(v), !masked, masked);
    step_assemble(BUNDLE_OF(v));
    step_right_sides(BUNDLE_OF(v), masked);
    step_eliminate(BUNDLE_OF(v), masked);
}

BUNDLE_PART void couple_substitute_part(PART_BUNDLE, __global const lane *push, __global lane *answer)
{
    OPEN_VIEW(v);
    const vec3 tip = substitute_forward(v->ends, v->scratch, push, v->vertex_count);
    substitute_backward(v->ends, v->scratch, v->vertex_count, tip, answer);
}

BUNDLE_PART void couple_accept_part(PART_BUNDLE, __global lane *answer, const int iteration)
{
    OPEN_VIEW(v);
    const bool masked = iteration > 0;
    const vec3 tip = load3(answer, 3, v->vertex_count - 1, 0);
    const lane worst = implicit_substitute(v->model, v->ends, v->scratch, v->vertex_count, tip,
                                           v->plan.newton_tolerance, v->plan.newton_update, masked, step_wants(v));
    step_set_worst(v, worst, masked);
#if COLLIDERS
    const lane_mask changes = contact_press(v->scratch, masked, step_wants(v));
    RECORD(RECORD_WORST) = lane_select(changes, C(1.0), RECORD(RECORD_WORST));
#endif
    tell_moves(v, answer);
}

// BDF2 takes the velocity from two steps. Where a push came or went, that of all vertices of a strand becomes the one
// of this step alone: of single vertices it would change the strand's momentum.
INLINE void couple_forget(const bundle_view *v, const lane_mask fresh)
{
#if INTEGRATOR == INTEGRATOR_BDF2
    const lane rate = (lane)(C(1.0)) / (lane)(v->settings[SETTING_STEP]);
    for (int i = 0; i < v->vertex_count; i++) {
        const vec3 velocity = scale3(rate, load3(v->state.move, 3, i, 0));
        commit3(v->state.velocity, i, velocity, true, fresh);
        commit3(v->state.last_velocity, i, velocity, true, fresh);
    }
#endif
}

BUNDLE_PART void couple_close_part(PART_BUNDLE, __global const lane *weights)
{
    OPEN_VIEW(v);
    step_constrain(BUNDLE_OF(v));
    step_finish(BUNDLE_OF(v));
    const lane_mask fresh = (AT(weights, WEIGHT_SIZE, 0, WEIGHT_FRESH) > C(0.0)) & (RECORD(RECORD_FROZEN) == C(0.0));
    if (mask_any(fresh))
        couple_forget(v, fresh);
}

// An entry point: `push` N and `answer` m are [slot][3], `weights` [slot][WEIGHT_SIZE] of all bundles; `iteration` of
// Newton's method.
#define COUPLE(name, part)                                                                                             \
    ENTRY_POINT void name(BUNDLE_PARAMETERS, const uint ahead, const int iteration, __global lane *restrict push_all,  \
                          __global lane *restrict answer_all, __global const lane *restrict weights_all)               \
    {                                                                                                                  \
        KEEP_LAUNCH;                                                                                                   \
        const uint owner = get_group_id(0), lane_index = LANE_WIDTH == 1 ? (uint)get_local_id(0) : 0;                  \
        if (bundle_first + owner >= bundle_end)                                                                        \
            return;                                                                                                    \
        const size_t slot = (size_t)bundles[bundle_first + owner].x * LANE_STRIDE;                                     \
        __global lane *push = push_all + 3 * slot + lane_index, *answer = answer_all + 3 * slot + lane_index;          \
        __global const lane *weights = weights_all + WEIGHT_SIZE * slot + lane_index;                                  \
        const bundle_chosen view = OPEN_BUNDLE(bundle_first + owner, bundle_first + owner, ahead, 0);                  \
        part;                                                                                                          \
    }

COUPLE(couple_open, couple_open_part(BUNDLE_OF(&view), answer))
COUPLE(couple_linearise, couple_linearise_part(BUNDLE_OF(&view), weights, iteration))
COUPLE(couple_substitute, couple_substitute_part(BUNDLE_OF(&view), push, answer))
COUPLE(couple_accept, couple_accept_part(BUNDLE_OF(&view), answer, iteration))
COUPLE(couple_close, couple_close_part(BUNDLE_OF(&view), weights))
