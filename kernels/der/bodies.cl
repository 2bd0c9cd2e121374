// bodies: an implicit step of strands on bodies, cut where bodies are solved for: open | linearise | substitute |
// accept | close, as coupled.cl, with other right sides: by how much joints are displaced. Bodies are moved by the
// host, in fp64.
//
//   open                  guess of the step, joints where inertia takes their bodies, air
//   for k = 0, 1, ...:    Gauss-Newton
//     linearise k         frames, twist, colliders, matrix; told: what it is to the joints (solve4.clh)
//     substitute          answer = displacements of this iteration, given those of the joints
//     accept              adds them; joints where their bodies now are; told: whether the strand is settled
//   close                 joints where bodies came to rest, lengths, collisions, guard, commit
//
// Launch: as the staged kernels: one owner of scratch per bundle, which keeps the step between the launches. No race: a
// bundle (or each of its lanes) is touched by one work-item.

#include "kernels/der/joint_count.clh"
#include "kernels/der/joint_slots.clh"
#define Z_KEPT SOLVE_SIZE(JOINTS_MOST)

#include "kernels/der/bundle.clh"
#include "kernels/der/joints.clh"
#include "kernels/der/solve4.clh"
#include "kernels/der/step.clh"
#include "kernels/lib/lanes.clh"
#include "kernels/lib/rows.clh"

#if PRECISION_DOUBLE
#define SETTLED_STRETCH C(1e-7) // | |e|^2 / l^2 - 1 |
#else
#define SETTLED_STRETCH C(3e-6)
#endif
#define SETTLED_UPDATE C(1e-3) // of an edge, that the last iteration moved a vertex by

// ---- verbs

INLINE void tell_moves(const bundle_view *v, __global lane *answer)
{
    for (int i = 0; i < v->vertex_count; i++)
        store3(answer, 3, i, 0, load3(v->scratch, Z_SIZE, i, Z_MOVE));
}

BUNDLE_PART void bodies_open(PART_BUNDLE, __global const lane *given, __global lane *told, __global lane *answer)
{
    OPEN_VIEW(v);
    step_guess(BUNDLE_OF(v));
    joints_find_drift(v, given);
    joints_place(v, given, MASK_ALL);
    step_wind(BUNDLE_OF(v));
    tell_moves(v, answer);
    TOLD(TOLD_FROZEN) = lane_select(RECORD(RECORD_FROZEN) > C(0.0), C(1.0), C(0.0));
}

BUNDLE_PART void bodies_linearise(PART_BUNDLE, __global const lane *given, __global lane *told, const int iteration)
{
    OPEN_VIEW(v);
    const bool masked = iteration > 0;
    const lane_mask takes = AT(given, GIVEN_SIZE, 0, GIVEN_TAKES) > C(0.0);
    const lane before = masked ? RECORD(RECORD_NEWTON) : C(0.0);
    step_set_wants(v, takes);
    RECORD(RECORD_NEWTON) = before + lane_select(takes, C(1.0), C(0.0));
    step_frames(BUNDLE_OF(v), masked);
    joints_turn_frames(v, given, takes);
    step_curvature(BUNDLE_OF(v), masked);
    step_twist(BUNDLE_OF(v), masked);
    step_contact(BUNDLE_OF(v), !masked, masked);
    solve4_assemble(v);
    solve4_condense(v, given, told);
}

// Adds the answer to the strand's own vertices, its turns to its own frames.
INLINE void bodies_add_answer(const bundle_view *v, __global const lane *answer, const lane_mask takes)
{
    __global lane *scratch = v->scratch;
    vec3 before = zero3();
    for (int i = 0; i < v->vertex_count; i++) {
        const vec3 change = select3(takes & solve4_is_free(v, 4 * i), load3(answer, 3, i, 0), zero3());
        z_store3(i, Z_MOVE, add3(z_load3(i, Z_MOVE), change));
        if (i > 0)
            z_store3(i - 1, Z_EDGE, add3(z_load3(i - 1, Z_EDGE), sub3(change, before)));
        if (i < v->vertex_count - 1) {
            lane s, c;
            const lane_mask turns = takes & solve4_is_free(v, 4 * i + 3);
            const lane turn = lane_select(turns, Z1(i, Z_OWN + SOLVE_TURN), C(0.0));
            twist_turn_director(scratch, i, turn, &s, &c, true, turns);
        }
        before = change;
    }
}

// Carries tensions on; returns above 0 where the strand is not settled: an edge is off its length, or a vertex moved
// far.
INLINE lane bodies_settle(const bundle_view *v, __global const lane *answer, const lane_mask takes)
{
    __global lane *scratch = v->scratch;
    lane worst = C(-1.0);
    for (int j = 0; j < v->vertex_count - 1; j++) {
        const vec3 edge = z_load3(j, Z_EDGE), change = load3(answer, 3, j + 1, 0);
        const lane rest = AT(v->model.span, SPAN_SIZE, j, SPAN_LENGTH), square = rest * rest;
        const lane_mask real = mask_not(solve4_is_rigid(v, j));
        const lane stretch = fma(-SETTLED_STRETCH, square, fabs(fma(-rest, rest, dot3(edge, edge))));
        const lane update = fma(-SETTLED_UPDATE * SETTLED_UPDATE, square, dot3(change, change));
        update_tension(v->model, scratch, j, true, takes & real);
        worst = lane_max(worst, lane_select(real, stretch, C(-1.0)));
        worst = lane_max(worst, lane_select(solve4_is_free(v, 4 * j + 4), update, C(-1.0)));
    }
    return worst;
}

BUNDLE_PART void bodies_accept(PART_BUNDLE, __global const lane *given, __global lane *told, __global lane *answer,
                               const int iteration)
{
    OPEN_VIEW(v);
    const lane_mask takes = step_wants(v);
    bodies_add_answer(v, answer, takes);
    joints_place(v, given, takes);
    lane worst = bodies_settle(v, answer, takes);
#if COLLIDERS
    const lane_mask changes = contact_press(v->scratch, iteration > 0, takes);
    worst = lane_select(changes, C(1.0), worst);
#endif
    step_set_worst(v, worst, true);
    TOLD(TOLD_OPEN) = lane_select(takes & mask_not(worst <= C(0.0)), C(1.0), C(0.0));
    tell_moves(v, answer);
}

// Tensions are carried on by what projections pulled; the commit takes that from the vertex after an edge, and one on a
// body does not move.
INLINE void bodies_carry_tensions(const bundle_view *v)
{
    __global lane *scratch = v->scratch;
    for (int j = 0; j < v->vertex_count - 1; j++) {
        const lane_mask here = solve4_is_free(v, 4 * j) & mask_not(solve4_is_free(v, 4 * j + 4));
        const lane inertia = v->rule.factor * AT(v->model.span, SPAN_SIZE, j, SPAN_INERTIA);
        const lane scale = inertia * AT(v->model.span, SPAN_SIZE, j, SPAN_INVERSE_MASS);
        const lane pulled = C(0.5) * AT(v->model.span, SPAN_SIZE, j, SPAN_LENGTH) * Z1(j, Z_TOTAL);
        Z1(j, Z_TENSION) = lane_select(here, fma(scale, pulled, Z1(j, Z_TENSION)), Z1(j, Z_TENSION));
    }
}

BUNDLE_PART void bodies_close(PART_BUNDLE, __global const lane *given, __global lane *told)
{
    OPEN_VIEW(v);
    joints_place(v, given, MASK_ALL);
    step_frames(BUNDLE_OF(v), false);
    joints_turn_frames(v, given, MASK_ALL);
    step_constrain(BUNDLE_OF(v));
    bodies_carry_tensions(v);
    step_finish(BUNDLE_OF(v));
    TOLD(TOLD_FROZEN) = lane_select(RECORD(RECORD_FROZEN) > C(0.0), C(1.0), C(0.0));
}

// An entry point, with the parameters of coupled.cl and two more: `given` and `told`, [bundle][GIVEN_SIZE] and
// [TOLD_SIZE]. Nothing is pushed or weighed here.
#define COUPLE(name, part)                                                                                             \
    ENTRY_POINT void name(BUNDLE_PARAMETERS, const uint ahead, const int iteration, __global lane *restrict push_all,  \
                          __global lane *restrict answer_all, __global const lane *restrict weights_all,               \
                          __global const lane *restrict given_all, __global lane *restrict told_all)                   \
    {                                                                                                                  \
        KEEP_LAUNCH;                                                                                                   \
        const uint owner = get_group_id(0), lane_index = LANE_WIDTH == 1 ? (uint)get_local_id(0) : 0;                  \
        const uint index = bundle_first + owner;                                                                       \
        if (index >= bundle_end)                                                                                       \
            return;                                                                                                    \
        __global lane *answer = answer_all + 3 * (size_t)bundles[index].x * LANE_STRIDE + lane_index;                  \
        __global const lane *given = given_all + GIVEN_SIZE * (size_t)index * LANE_STRIDE + lane_index;                \
        __global lane *told = told_all + TOLD_SIZE * (size_t)index * LANE_STRIDE + lane_index;                         \
        const bundle_chosen view = OPEN_BUNDLE(index, index, ahead, 0);                                                \
        part;                                                                                                          \
    }

COUPLE(couple_open, bodies_open(BUNDLE_OF(&view), given, told, answer))
COUPLE(couple_linearise, bodies_linearise(BUNDLE_OF(&view), given, told, iteration))
COUPLE(couple_substitute, solve4_substitute(BUNDLE_OF(&view), given, answer))
COUPLE(couple_accept, bodies_accept(BUNDLE_OF(&view), given, told, answer, iteration))
COUPLE(couple_close, bodies_close(BUNDLE_OF(&view), given, told))
