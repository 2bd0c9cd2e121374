// volume: hair that keeps its volume, on a grid of nodes at multiples of a cell. Samples are edges; node g of a box is
// (z size_y + y) size_x + x. Kernels of a step, in this order:
//
//   volume_points    where samples are and how fast, and which cells they are in
//   volume_scatter   sums at the nodes: every work-item has a grid of its own. Sums are of whole numbers, so that
//                    they do not hang on who adds what, nor when
//   volume_merge     all grids to one
//   volume_fill      filled share: blurred room
//   volume_right     right side of the pressure
//   volume_sweep     a Jacobi iteration of it
//   volume_blur      blurred pressure
//   volume_shade     one layer of nodes across the wind: how much of it is left there
//   volume_gather    pushes and shares of the wind at vertices; rubs their velocities
//
// Launch: one dimension, any number of work-items, work-group size 1; each walks over an even part of strands, samples
// or nodes. No race: a strand, a sample, a grid or a node is written by one work-item, and no kernel reads what it
// writes elsewhere.

#include "kernels/couple/volume_slots.clh"
#include "kernels/lib/lanes.clh"

#define REAL4 JOIN(REAL, 4)
#define REAL8 JOIN(REAL, 8)
#define UNROLL8 __attribute__((opencl_unroll_hint(8)))
#define PUSH_ROW 4 // numbers of a row of pushes: acceleration, share of the wind

typedef struct {
    uint first, end;
} part_range;

// What this work-item does of `count`.
INLINE part_range own_part(const uint count)
{
    const ulong items = get_global_size(0), item = get_global_id(0);
    part_range range;
    range.first = (uint)(count * item / items);
    range.end = (uint)(count * (item + 1) / items);
    return range;
}

// The largest whole number that is no larger than x, of at most 2^30.
INLINE int whole_below(const REAL x)
{
    const int cut = (int)x;
    return cut - (x < (REAL)cut);
}

// strands: [place] first slot, vertices (0: the lane only fills its bundle), first vertex in the model's order, 1: the
// root's place is counted from the origin. origins: [place][3] m. Rows of fields as the engine has them:
// [slot][3][width], place [bundle][6][width]. bounds: [work-item][6], first and last cell.
__kernel void volume_points(__global const REAL *restrict edge, __global const REAL *restrict velocity,
                            __global const REAL *restrict last_velocity, __global const REAL *restrict place,
                            __global const uint4 *restrict strands, __global const REAL *restrict origins,
                            __global const REAL *restrict constants, __global const REAL *restrict settings,
                            const uint strand_count, const uint width, __global REAL *restrict moving,
                            __global int *restrict bounds)
{
    const part_range range = own_part(strand_count);
    const REAL per_cell = (REAL)1 / settings[VOLUME_CELL];
    int low[3] = {INT_MAX, INT_MAX, INT_MAX}, high[3] = {INT_MIN, INT_MIN, INT_MIN};
    for (uint s = range.first; s < range.end; s++) {
        const uint4 strand = strands[s];
        const uint lane_index = s % width;
        REAL point[3];
        for (int c = 0; c < 3; c++) {
            point[c] = origins[3 * (size_t)s + c];
            if (strand.w != 0)
                point[c] += place[((size_t)(s / width) * 6 + c) * width + lane_index] +
                            place[((size_t)(s / width) * 6 + 3 + c) * width + lane_index];
        }
        for (uint j = 0; j + 1 < strand.y; j++) {
            const size_t row = ((size_t)(strand.x + j) * 3) * width + lane_index, next = row + 3 * (size_t)width;
            __global REAL *out = moving + (size_t)(strand.z + j) * MOVING_SIZE;
            const REAL t = constants[(size_t)(strand.z + j) * SAMPLE_SIZE + SAMPLE_PLACE];
            bool is_sound = true;
            for (int c = 0; c < 3; c++) {
                const size_t here = row + (size_t)c * width, there = next + (size_t)c * width;
                const REAL way = edge[here], at = fma(t, way, point[c]) * per_cell;
                const REAL now = fma(t, velocity[there] - velocity[here], velocity[here]);
                const REAL past = fma(t, last_velocity[there] - last_velocity[here], last_velocity[here]);
                out[MOVING_POINT + c] = at;
                out[MOVING_VELOCITY + c] = now;
                out[MOVING_EXPECTED + c] = (REAL)2 * now - past;
                is_sound = is_sound && fabs(at) < (REAL)1e6 && fabs(now) < (REAL)1e5 && fabs(past) < (REAL)1e5;
                point[c] += way;
            }
            for (int c = 0; c < 3 && is_sound; c++) {
                const int cell = whole_below(out[MOVING_POINT + c]);
                low[c] = min(low[c], cell);
                high[c] = max(high[c], cell);
            }
            if (!is_sound)
                out[MOVING_POINT] = (REAL)2e6; // nowhere
        }
    }
    for (int c = 0; c < 3; c++) {
        bounds[6 * get_global_id(0) + c] = low[c];
        bounds[6 * get_global_id(0) + 3 + c] = high[c];
    }
}

typedef struct {
    uint node;      // the first of eight
    REAL within[3]; // place in the cell
} cell_place;

// False: the sample is nowhere.
INLINE bool find_cell(__global const REAL *moving, __global const int *box, cell_place *at)
{
    uint low[3];
    if (!(moving[MOVING_POINT] < (REAL)1e6))
        return false;
    for (int c = 0; c < 3; c++) {
        const int cell = whole_below(moving[MOVING_POINT + c]);
        at->within[c] = moving[MOVING_POINT + c] - (REAL)cell;
        low[c] = (uint)(cell - box[c]);
    }
    at->node = (low[2] * (uint)box[4] + low[1]) * (uint)box[3] + low[0];
    return true;
}

INLINE uint corner_node(const cell_place *at, __global const int *box, const int k)
{
    return at->node + (uint)(k & 1) + ((uint)(k >> 1 & 1) + (uint)(k >> 2) * (uint)box[4]) * (uint)box[3];
}

INLINE REAL corner_weight(const cell_place *at, const int k)
{
    const REAL x = at->within[0], y = at->within[1], z = at->within[2];
    return ((k & 1) ? x : (REAL)1 - x) * ((k >> 1 & 1) ? y : (REAL)1 - y) * ((k >> 2) ? z : (REAL)1 - z);
}

// Rounded to a nearest whole number. Some drivers work out rint and floor by a score of instructions.
INLINE long to_whole(const REAL x)
{
    return (long)(x + (x < (REAL)0 ? (REAL)-0.5 : (REAL)0.5));
}

INLINE REAL8 half_of(const REAL8 x)
{
    return x < (REAL8)(0) ? (REAL8)(-0.5) : (REAL8)(0.5);
}

// Sums of samples that lie in one cell, at its eight corners. Along a strand some of them follow each other.
typedef struct {
    long8 first[8]; // room, mass, momentum, expected momentum
    long carried[8], drag[8];
} corner_sums;

INLINE void clear_corners(corner_sums *it)
{
    UNROLL8
    for (int k = 0; k < 8; k++) {
        it->first[k] = (long8)(0);
        it->carried[k] = it->drag[k] = 0;
    }
}

INLINE void add_to_corners(corner_sums *it, const cell_place *at, const REAL8 values, const REAL carried,
                           const REAL drag)
{
    UNROLL8
    for (int k = 0; k < 8; k++) {
        const REAL weight = corner_weight(at, k);
        it->first[k] += convert_long8(weight * values + half_of(weight * values));
        it->carried[k] += to_whole(weight * carried);
        it->drag[k] += to_whole(weight * drag);
    }
}

INLINE void add_to_grid(__global long *own, __global const int *box, const cell_place *at, const corner_sums *it)
{
    UNROLL8
    for (int k = 0; k < 8; k++) {
        __global long *sum = own + (size_t)corner_node(at, box, k) * SUM_SIZE;
        vstore8(vload8(0, sum) + it->first[k], 0, sum);
        sum[SUM_CARRIED] += it->carried[k];
        sum[SUM_DRAG] += it->drag[k];
    }
}

// sums: [work-item][node][SUM_SIZE]; pressure: [sample] m^2/s^2.
__kernel void volume_scatter(__global const REAL *restrict moving, __global const REAL *restrict constants,
                             __global const REAL *restrict pressure, __global const int *restrict box,
                             const uint sample_count, const uint node_count, __global long *restrict sums)
{
    const part_range range = own_part(sample_count);
    __global long *own = sums + (size_t)get_global_id(0) * node_count * SUM_SIZE;
    cell_place last = {UINT_MAX, {0, 0, 0}};
    corner_sums cell;
    for (size_t k = 0; k < (size_t)node_count * SUM_SIZE; k++)
        own[k] = 0;
    clear_corners(&cell);
    for (uint j = range.first; j < range.end; j++) {
        __global const REAL *fixed = constants + (size_t)j * SAMPLE_SIZE, *it = moving + (size_t)j * MOVING_SIZE;
        cell_place at;
        if (fixed[SAMPLE_MASS] == (REAL)0 || !find_cell(it, box, &at))
            continue;
        const REAL mass = fixed[SAMPLE_MASS];
        const REAL8 values =
            (REAL8)(fixed[SAMPLE_ROOM], mass, mass * it[MOVING_VELOCITY], mass * it[MOVING_VELOCITY + 1],
                    mass * it[MOVING_VELOCITY + 2], mass * it[MOVING_EXPECTED], mass * it[MOVING_EXPECTED + 1],
                    mass * it[MOVING_EXPECTED + 2]);
        if (at.node != last.node && last.node != UINT_MAX) {
            add_to_grid(own, box, &last, &cell);
            clear_corners(&cell);
        }
        last = at;
        add_to_corners(&cell, &at, values, mass * pressure[j], fixed[SAMPLE_DRAG]);
    }
    if (last.node != UINT_MAX)
        add_to_grid(own, box, &last, &cell);
}

// nodes: [node][NODE_SIZE]; carried: [node] pressure that samples bring.
__kernel void volume_merge(__global const long *restrict sums, const uint grid_count, const uint node_count,
                           __global REAL *restrict nodes, __global REAL *restrict carried)
{
    const part_range range = own_part(node_count);
    for (uint g = range.first; g < range.end; g++) {
        __global REAL *node = nodes + (size_t)g * NODE_SIZE;
        long sum[SUM_SIZE];
        for (int c = 0; c < SUM_SIZE; c++) {
            sum[c] = 0;
            for (uint k = 0; k < grid_count; k++)
                sum[c] += sums[((size_t)k * node_count + g) * SUM_SIZE + c];
        }
        const REAL mass = (REAL)sum[SUM_MASS], inverse = sum[SUM_MASS] > 0 ? (REAL)1 / mass : (REAL)0;
        node[NODE_ROOM] = (REAL)sum[SUM_ROOM];
        node[NODE_MASS] = mass;
        for (int c = 0; c < 3; c++) {
            node[NODE_VELOCITY + c] = (REAL)sum[SUM_MOMENTUM + c] * inverse;
            node[NODE_EXPECTED + c] = (REAL)sum[SUM_EXPECTED + c] * inverse;
        }
        node[NODE_FILLED] = node[NODE_RIGHT] = node[NODE_PRESSED] = (REAL)0;
        node[NODE_DRAG] = (REAL)sum[SUM_DRAG];
        node[NODE_DEPTH] = (REAL)0;
        node[NODE_SHARE] = (REAL)1;
        carried[g] = (REAL)sum[SUM_CARRIED] * inverse;
    }
}

// Whether a node is not on the rim of the box, where nothing is.
INLINE bool is_inner(__global const int *box, const uint g)
{
    const uint x = g % (uint)box[3], y = g / (uint)box[3] % (uint)box[4], z = g / ((uint)box[3] * (uint)box[4]);
    return x > 0 && y > 0 && z > 0 && x + 1 < (uint)box[3] && y + 1 < (uint)box[4] && z + 1 < (uint)box[5];
}

INLINE int stride_along(__global const int *box, const int axis)
{
    return axis == 0 ? 1 : axis == 1 ? box[3] : box[3] * box[4];
}

// [1 2 1] / 4 along x, y and z of numbers that lie `size` apart.
INLINE REAL blur_at(__global const REAL *values, const int size, __global const int *box, const uint g)
{
    REAL sum = (REAL)0;
    for (int z = -1; z <= 1; z++)
        for (int y = -1; y <= 1; y++) {
            const long row = (long)g + ((long)z * box[4] + y) * box[3];
            const REAL across = (REAL)((2 - abs(z)) * (2 - abs(y)));
            sum += across * (values[(row - 1) * size] + (REAL)2 * values[row * size] + values[(row + 1) * size]);
        }
    return sum * (REAL)0.015625;
}

__kernel void volume_fill(__global REAL *restrict nodes, __global const int *restrict box,
                          __global const REAL *restrict settings, const uint node_count)
{
    const part_range range = own_part(node_count);
    for (uint g = range.first; g < range.end; g++)
        if (is_inner(box, g))
            nodes[(size_t)g * NODE_SIZE + NODE_FILLED] =
                blur_at(nodes + NODE_ROOM, NODE_SIZE, box, g) * settings[VOLUME_ROOM_UNIT];
}

__kernel void volume_right(__global REAL *restrict nodes, __global const REAL *restrict carried,
                           __global const int *restrict box, __global const REAL *restrict settings,
                           const uint node_count)
{
    const part_range range = own_part(node_count);
    for (uint g = range.first; g < range.end; g++) {
        REAL divergence = (REAL)0, laplacian = (REAL)-6 * carried[g];
        __global REAL *node = nodes + (size_t)g * NODE_SIZE;
        if (!is_inner(box, g) || node[NODE_MASS] == (REAL)0)
            continue;
        for (int c = 0; c < 3; c++) {
            const int way = stride_along(box, c);
            __global const REAL *ahead = node + (long)way * NODE_SIZE, *behind = node - (long)way * NODE_SIZE;
            divergence +=
                ahead[NODE_FILLED] * ahead[NODE_EXPECTED + c] - behind[NODE_FILLED] * behind[NODE_EXPECTED + c];
            laplacian += carried[(long)g + way] + carried[(long)g - way];
        }
        divergence *= (REAL)0.5 / settings[VOLUME_CELL];
        node[NODE_RIGHT] =
            settings[VOLUME_SQUARE] * (node[NODE_FILLED] - (REAL)1 - settings[VOLUME_STEP] * divergence) -
            settings[VOLUME_SPREAD] * laplacian;
    }
}

__kernel void volume_sweep(__global const REAL *restrict nodes, __global const REAL *restrict before,
                           __global const int *restrict box, __global const REAL *restrict settings,
                           const uint node_count, __global REAL *restrict after)
{
    const part_range range = own_part(node_count);
    const REAL spread = settings[VOLUME_SPREAD], weight = (REAL)1 / ((REAL)1 + (REAL)6 * spread);
    for (uint g = range.first; g < range.end; g++) {
        REAL around = (REAL)0, value = (REAL)0;
        __global const REAL *node = nodes + (size_t)g * NODE_SIZE;
        if (is_inner(box, g) && node[NODE_MASS] > (REAL)0) {
            for (int c = 0; c < 3; c++)
                around += before[(long)g + stride_along(box, c)] + before[(long)g - stride_along(box, c)];
            value = fmax((REAL)0, fma(spread, around, node[NODE_RIGHT]) * weight);
        }
        after[g] = value;
    }
}

__kernel void volume_blur(__global REAL *restrict nodes, __global const REAL *restrict solved,
                          __global const int *restrict box, const uint node_count)
{
    const part_range range = own_part(node_count);
    for (uint g = range.first; g < range.end; g++)
        if (is_inner(box, g))
            nodes[(size_t)g * NODE_SIZE + NODE_PRESSED] = blur_at(solved, 1, box, g);
}

// Nodes of layer `layer` across `axis`; `back_u`, `back_v`: how far, in cells, the wind comes from aside on its way
// through a layer, along the two axes after `axis`; `side`: -1 or 1, to the layer before, 0: there is none; `speed` m/s
// along the axis. Loss of the air: half of it upstream, as at a porous screen.
__kernel void volume_shade(__global REAL *restrict nodes, __global const int *restrict box,
                           __global const REAL *restrict settings, const int axis, const int layer, const int side,
                           const REAL back_u, const REAL back_v, const REAL per_drag)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const part_range range = own_part((uint)(box[3 + u] * box[3 + v]));
    for (uint k = range.first; k < range.end; k++) {
        const int pu = (int)(k % (uint)box[3 + u]), pv = (int)(k / (uint)box[3 + u]);
        const REAL fu = floor((REAL)pu + back_u), fv = floor((REAL)pv + back_v);
        const REAL wu = (REAL)pu + back_u - fu, wv = (REAL)pv + back_v - fv;
        REAL depth = (REAL)0;
        for (int corner = 0; corner < 4 && side != 0; corner++) {
            const int a = (int)fu + (corner & 1), b = (int)fv + (corner >> 1);
            const REAL weight = ((corner & 1) ? wu : (REAL)1 - wu) * ((corner >> 1) ? wv : (REAL)1 - wv);
            if (a < 0 || b < 0 || a >= box[3 + u] || b >= box[3 + v])
                continue;
            depth += weight * nodes[(size_t)((layer + side) * stride_along(box, axis) + a * stride_along(box, u) +
                                             b * stride_along(box, v)) *
                                        NODE_SIZE +
                                    NODE_DEPTH];
        }
        __global REAL *node =
            nodes + (size_t)(layer * stride_along(box, axis) + pu * stride_along(box, u) + pv * stride_along(box, v)) *
                        NODE_SIZE;
        const REAL t = node[NODE_DRAG] * per_drag;
        node[NODE_SHARE] = exp(-depth) * (t > (REAL)1e-3 ? ((REAL)1 - exp(-t)) / t : (REAL)1 - t / (REAL)2);
        node[NODE_DEPTH] = depth + t;
    }
}

// What the grid does to one sample.
typedef struct {
    REAL push[3], boost[3]; // m/s^2, m/s
    REAL carried, share;
} sample_answer;

INLINE sample_answer answer_sample(__global const REAL *fixed, __global const REAL *it, __global const REAL *nodes,
                                   __global const REAL *solved, __global const int *box, __global const REAL *settings)
{
    sample_answer out = {{0, 0, 0}, {0, 0, 0}, 0, 1};
    cell_place at;
    if (fixed[SAMPLE_MASS] == (REAL)0 || !find_cell(it, box, &at))
        return out;
    const REAL4 own = (REAL4)(it[MOVING_VELOCITY], it[MOVING_VELOCITY + 1], it[MOVING_VELOCITY + 2], 0);
    REAL4 boosts = (REAL4)(0), slopes = (REAL4)(0);
    out.share = (REAL)0;
    UNROLL8
    for (int k = 0; k < 8; k++) {
        const uint g = corner_node(&at, box, k);
        __global const REAL *node = nodes + (size_t)g * NODE_SIZE;
        const REAL x = (k & 1) ? at.within[0] : (REAL)1 - at.within[0];
        const REAL y = (k >> 1 & 1) ? at.within[1] : (REAL)1 - at.within[1];
        const REAL z = (k >> 2) ? at.within[2] : (REAL)1 - at.within[2], weight = x * y * z;
        const REAL4 around = vload4(0, node + NODE_VELOCITY); // and the filled share
        boosts += weight * (around.w < (REAL)1 ? around.w : (REAL)1) * (around - own);
        slopes += node[NODE_PRESSED] *
                  (REAL4)((k & 1) ? y * z : -y * z, (k >> 1 & 1) ? x * z : -x * z, (k >> 2) ? x * y : -x * y, 0);
        out.carried += weight * solved[g];
        out.share += weight * node[NODE_SHARE];
    }
    const REAL slope[3] = {slopes.x, slopes.y, slopes.z};
    out.boost[0] = boosts.x;
    out.boost[1] = boosts.y;
    out.boost[2] = boosts.z;
    for (int c = 0; c < 3; c++) {
        out.push[c] = -fixed[SAMPLE_PUSH] / settings[VOLUME_CELL] * slope[c];
        out.boost[c] *= settings[VOLUME_RUB];
    }
    return out;
}

// record: [bundle][record_size][width]; a strand whose number `frozen` there is not 0 stays as it is. pushes:
// [slot][PUSH_ROW][width]. BDF2 sees a plain change of speed: all of its history is boosted.
__kernel void volume_gather(__global REAL *restrict velocity, __global REAL *restrict last_velocity,
                            __global REAL *restrict move, __global const REAL *restrict record, const uint record_size,
                            const uint frozen, __global const uint4 *restrict strands, const uint strand_count,
                            const uint width, __global const REAL *restrict moving,
                            __global const REAL *restrict constants, __global const REAL *restrict nodes,
                            __global const REAL *restrict solved, __global const int *restrict box,
                            __global const REAL *restrict settings, __global REAL *restrict pressure,
                            __global REAL *restrict pushes)
{
    const part_range range = own_part(strand_count);
    const bool presses = settings[VOLUME_PRESSES] > (REAL)0;
    for (uint s = range.first; s < range.end; s++) {
        const uint4 strand = strands[s];
        const uint lane_index = s % width;
        const bool moves =
            presses && record[((size_t)(s / width) * record_size + frozen) * width + lane_index] == (REAL)0;
        sample_answer before = {{0, 0, 0}, {0, 0, 0}, 0, 0};
        REAL second = (REAL)0;
        for (uint i = 0; i < strand.y; i++) {
            const size_t j = strand.z + i, row = (size_t)(strand.x + i) * width;
            __global const REAL *fixed = constants + j * SAMPLE_SIZE;
            sample_answer here = {{0, 0, 0}, {0, 0, 0}, 0, 0};
            if (i + 1 < strand.y) {
                here = answer_sample(fixed, moving + j * MOVING_SIZE, nodes, solved, box, settings);
                if (presses)
                    pressure[j] = here.carried;
            }
            const REAL first = fixed[SAMPLE_FIRST];
            const bool boosts = moves && fixed[SAMPLE_HELD] == (REAL)0;
            for (int c = 0; c < 3; c++) {
                const size_t at = row * 3 + (size_t)c * width + lane_index;
                const REAL boost = second * before.boost[c] + first * here.boost[c];
                pushes[row * PUSH_ROW + (size_t)c * width + lane_index] =
                    presses ? second * before.push[c] + first * here.push[c] : (REAL)0;
                if (boosts) {
                    velocity[at] += boost;
                    last_velocity[at] += boost;
                    move[at] += settings[VOLUME_STEP] * boost;
                }
            }
            pushes[row * PUSH_ROW + (size_t)3 * width + lane_index] = second * before.share + first * here.share;
            before = here;
            second = fixed[SAMPLE_SECOND];
        }
    }
}
