// statics: the largest tension of cables at rest, an estimate without steps. A cable that hangs by itself bears what
// hangs on it. Where bodies are shared, tensions of straight cables and of massless ones balance the weight of every
// free body; of all that do, those of least energy of stretching are taken, as springs share it.
#include "cable/chain.h"

#include "base/vec.h"
#include "cable/groups.h"
#include "world/world.h"

#include <lapacke.h>
#include <math.h>

static const double torque_weight = 1e-3;     // 1/m: forces are balanced first, torques where forces leave a choice
static const double compliance_least = 1e-12; // m/N, of what is rigid
static const size_t matrix_most = 4000000;    // numbers; larger groups are taken as if cables hung alone

// A group of cables, massless cables and free bodies while it is solved.
typedef struct balance {
    const sheaf_model *model;
    const uint32_t *parent;
    uint32_t root;
    uint32_t *row_of;         // [body of the model] its number in the group, or UINT32_MAX
    uint32_t bodies, columns; // sizes
    double *matrix, *right;   // [row][column]; [max(rows, columns)]
    double *scale;            // [column] 1 / sqrt(compliance)
} balance;

// ---- one cable

static double strand_length(const sheaf_model *model, uint32_t strand)
{
    const sheaf_winch_def *winch = cable_winch_of(model, strand);
    double length = winch != NULL ? -winch->store : 0;
    for (uint32_t j = 0; j < cable_segment_count(model, strand); j++)
        length += cable_segment_length(model, strand, j);
    return length;
}

static double strand_compliance(const sheaf_model *model, uint32_t strand)
{
    double sum = 0, compliance[3];
    for (uint32_t i = 0; i <= cable_segment_count(model, strand); i++) {
        cable_compliance(model, strand, i, compliance);
        sum += compliance[0];
    }
    return sum;
}

// A body whose weight cables bear.
static bool body_hangs(const sheaf_model *model, int32_t body)
{
    return body >= 0 && model->bodies[body].is_free && !model->bodies[body].def.axle.is_there;
}

// A rope of length s between points that are `across` apart and `up` higher hangs as a catenary: with x = across/(2 a),
// sinh(x)/x = sqrt(s^2 - up^2)/across. Its largest tension is at the higher end: w (a cosh .. ), found from the height.
static double catenary_tension(double length, double across, double up, double weight)
{
    const double need = sqrt(fmax(length * length - up * up, 0)) / across;
    double x = sqrt(6 * fmax(need - 1, 1e-12));
    for (int k = 0; k < 50; k++) {
        const double f = sinh(x) / x - need, slope = (x * cosh(x) - sinh(x)) / (x * x);
        x = fmax(x - f / slope, 1e-6);
    }
    const double a = across / (2 * x), middle = asinh(up / (2 * a * sinh(x)));
    return weight * a * cosh(fabs(middle) + x);
}

// Both ends are held in space.
static double spanned_tension(const sheaf_model *model, uint32_t strand, double weight)
{
    const double g = vec_length(model->def.gravity), length = strand_length(model, strand);
    const double stretch = strand_compliance(model, strand);
    double across[3], places[2][3], pose[4];
    cable_anchor(model, strand, false, 0, places[0], pose);
    cable_anchor(model, strand, true, 0, places[1], pose);
    vec_sub(across, places[1], places[0]);
    const double distance = vec_length(across), up = g > 0 ? -vec_dot(across, model->def.gravity) / g : 0;
    if (distance >= length)
        return weight + (stretch > 0 ? (distance - length) / stretch : distance > length ? INFINITY : 0);
    const double level = sqrt(fmax(distance * distance - up * up, 0));
    return level < 1e-6 * length ? weight * (length + fabs(up)) / (2 * length)
                                 : catenary_tension(length, level, up, weight / length);
}

static double lone_tension(const sheaf_model *model, uint32_t strand)
{
    const cable_end root = cable_find_end(model, strand, false), tip = cable_find_end(model, strand, true);
    const double g = vec_length(model->def.gravity);
    const double weight = model->strands[strand].line_mass * strand_length(model, strand) * g;
    const bool root_is_held = root.holds_point && !body_hangs(model, root.body);
    const bool tip_is_held = tip.holds_point && !body_hangs(model, tip.body);
    double force[3], torque[3];
    if (root_is_held && tip_is_held && root.body < 0 && tip.body < 0)
        return spanned_tension(model, strand, weight);
    cable_tip_load(model, strand, 0, force, torque);
    if (!root.holds_point && !tip.holds_point)
        return 0;
    return weight + vec_length(force) + (body_hangs(model, tip.body) ? model->bodies[tip.body].mass * g : 0);
}

// ---- cables that share bodies

static bool is_member(const balance *b, uint32_t node)
{
    return b->parent[node] == b->root;
}

static bool has_line(const balance *b, uint32_t line)
{
    const sheaf_reeving_def *def = &b->model->reevings[line];
    for (uint32_t p = 0; p < def->point_count; p++)
        if (body_hangs(b->model, def->path[p].body) &&
            is_member(b, b->model->strand_count + (uint32_t)def->path[p].body))
            return true;
    return false;
}

static bool is_column(const balance *b, uint32_t strand)
{
    return is_member(b, strand) && cable_find_end(b->model, strand, false).holds_point &&
           cable_find_end(b->model, strand, true).holds_point;
}

// Adds a force on a body at a place to a column of the matrix, or to the right side (column < 0).
static void add_force(balance *b, int32_t body, const double place[3], const double force[3], int64_t column)
{
    double arm[3], torque[3];
    if (!body_hangs(b->model, body) || b->row_of[body] == UINT32_MAX)
        return;
    vec_sub(arm, place, b->model->bodies[body].center);
    vec_cross(torque, arm, force);
    for (uint32_t c = 0; c < 6; c++) {
        const size_t row = 6 * (size_t)b->row_of[body] + c;
        const double value = c < 3 ? force[c] : torque_weight * torque[c - 3];
        if (column < 0)
            b->right[row] -= value;
        else
            b->matrix[row * b->columns + (size_t)column] += value * b->scale[column];
    }
}

// The ends of a cable, and the direction from its root to its tip.
static void find_ends(const sheaf_model *model, uint32_t strand, double ends[2][3], double along[3])
{
    const uint64_t first = model->first_vertex[strand];
    const uint32_t n = cable_segment_count(model, strand);
    vec_copy(ends[0], model->position[first]);
    vec_copy(ends[1], model->position[first + n]);
    vec_sub(along, ends[1], cable_winch_of(model, strand) != NULL ? model->position[first + n - 1] : ends[0]);
    vec_unit(along, along);
}

// Its pull on what it is fixed to; its weight is borne by the higher end.
static void add_cable(balance *b, uint32_t strand, uint32_t column)
{
    const sheaf_model *model = b->model;
    const int32_t bodies[2] = {cable_find_end(model, strand, false).body, cable_find_end(model, strand, true).body};
    double ends[2][3], along[3], weight[3];
    find_ends(model, strand, ends, along);
    vec_scale(weight, model->def.gravity, model->strands[strand].line_mass * strand_length(model, strand));
    const int high = vec_dot(along, model->def.gravity) >= 0 ? 0 : 1;
    b->scale[column] = 1 / sqrt(fmax(strand_compliance(model, strand), compliance_least));
    add_force(b, bodies[high], ends[high], weight, -1);
    add_force(b, bodies[0], ends[0], along, column);
    vec_scale(along, along, -1);
    add_force(b, bodies[1], ends[1], along, column);
}

static void find_point(const sheaf_model *model, const sheaf_reeve_point *point, double place[3])
{
    vec_copy(place, point->at);
    if (point->body < 0)
        return;
    model_body_to_space(model->bodies[point->body].start_axes, point->at, place);
    vec_add(place, place, model->bodies[point->body].start);
}

static void add_line(balance *b, uint32_t line, uint32_t column)
{
    const sheaf_reeving_def *def = &b->model->reevings[line];
    b->scale[column] = 1 / sqrt(fmax(1 / def->stiffness, compliance_least));
    for (uint32_t p = 0; p + 1 < def->point_count; p++) {
        double from[3], to[3], along[3];
        find_point(b->model, &def->path[p], from);
        find_point(b->model, &def->path[p + 1], to);
        vec_sub(along, to, from);
        if (!(vec_length(along) > 0))
            continue;
        vec_unit(along, along);
        add_force(b, def->path[p].body, from, along, column);
        vec_scale(along, along, -1);
        add_force(b, def->path[p + 1].body, to, along, column);
    }
}

static void add_weights(balance *b)
{
    for (uint32_t k = 0; k < b->model->body_count; k++) {
        const model_body *body = &b->model->bodies[k];
        double force[3];
        vec_scale(force, b->model->def.gravity, body->mass);
        for (int c = 0; c < 3; c++)
            force[c] += scene_course(&body->def.force[c], 0);
        if (b->row_of[k] != UINT32_MAX)
            add_force(b, (int32_t)k, body->center, force, -1);
    }
}

// Tension at the higher end: at the lower one, and the weight of what is between.
static double highest(const sheaf_model *model, uint32_t strand, double lower)
{
    double ends[2][3], along[3], across[3];
    find_ends(model, strand, ends, along);
    vec_sub(across, ends[1], ends[0]);
    const double drop =
        fabs(vec_dot(along, model->def.gravity)) * fmin(vec_length(across), strand_length(model, strand));
    return fmax(lower, 0) + model->strands[strand].line_mass * drop;
}

static void count_group(balance *b)
{
    const sheaf_model *model = b->model;
    b->bodies = b->columns = 0;
    for (uint32_t k = 0; k < model->body_count; k++)
        b->row_of[k] =
            is_member(b, model->strand_count + k) && body_hangs(model, (int32_t)k) ? b->bodies++ : UINT32_MAX;
    for (uint32_t s = 0; s < model->strand_count; s++)
        b->columns += is_column(b, s);
    for (uint32_t r = 0; r < model->reeving_count; r++)
        b->columns += has_line(b, r);
}

static void fill_group(balance *b)
{
    uint32_t column = 0;
    for (uint32_t s = 0; s < b->model->strand_count; s++)
        if (is_column(b, s))
            add_cable(b, s, column++);
    for (uint32_t r = 0; r < b->model->reeving_count; r++)
        if (has_line(b, r))
            add_line(b, r, column++);
    add_weights(b);
}

// The least of sum compliance tension^2 with which matrix tension = right; where there is none, the nearest.
static sheaf_status solve_group(balance *b, double *tensions)
{
    const lapack_int rows = 6 * (lapack_int)b->bodies, columns = (lapack_int)b->columns;
    const size_t least = (size_t)(rows < columns ? rows : columns);
    double *singular = base_alloc(least + 1, sizeof *singular);
    lapack_int rank;
    if (singular == NULL)
        return SHEAF_ERR_MEMORY;
    const lapack_int info =
        LAPACKE_dgelsd(LAPACK_ROW_MAJOR, rows, columns, 1, b->matrix, columns, b->right, 1, singular, 1e-9, &rank);
    base_free(singular);
    uint32_t column = 0;
    for (uint32_t s = 0; s < b->model->strand_count && info == 0; s++)
        if (is_column(b, s)) {
            tensions[s] = highest(b->model, s, b->right[column] * b->scale[column]);
            column++;
        }
    return SHEAF_OK;
}

static sheaf_status balance_group(balance *b, double *tensions)
{
    count_group(b);
    const size_t rows = 6 * (size_t)b->bodies, columns = b->columns;
    if (rows == 0 || columns == 0 || rows * columns > matrix_most)
        return SHEAF_OK;
    b->matrix = base_alloc(rows * columns, sizeof *b->matrix);
    b->right = base_alloc(rows > columns ? rows : columns, sizeof *b->right);
    b->scale = base_alloc(columns, sizeof *b->scale);
    sheaf_status status = SHEAF_ERR_MEMORY;
    if (b->matrix != NULL && b->right != NULL && b->scale != NULL) {
        fill_group(b);
        status = solve_group(b, tensions);
    }
    base_free(b->matrix);
    base_free(b->right);
    base_free(b->scale);
    return status;
}

// ---- all

// Whether a group has a body that more than one thing holds, or that hangs below another.
static bool is_shared(const sheaf_model *model, const uint32_t *uses, uint32_t strand)
{
    const cable_end root = cable_find_end(model, strand, false), tip = cable_find_end(model, strand, true);
    return body_hangs(model, root.body) || (body_hangs(model, tip.body) && uses[tip.body] > 1);
}

static void count_uses(const sheaf_model *model, uint32_t *uses)
{
    for (uint32_t s = 0; s < model->strand_count; s++)
        for (int is_tip = 0; is_tip < 2; is_tip++) {
            const int32_t body = cable_find_end(model, s, is_tip).body;
            if (body >= 0)
                uses[body]++;
        }
    for (uint32_t r = 0; r < model->reeving_count; r++)
        for (uint32_t p = 0; p < model->reevings[r].point_count; p++)
            if (model->reevings[r].path[p].body >= 0)
                uses[model->reevings[r].path[p].body]++;
}

static sheaf_status find_tensions(balance *b, const uint32_t *uses, bool *is_done, double *tensions)
{
    const uint32_t count = b->model->strand_count;
    for (uint32_t s = 0; s < count; s++)
        tensions[s] = lone_tension(b->model, s);
    for (uint32_t s = 0; s < count; s++) {
        b->root = b->parent[s];
        if (!is_shared(b->model, uses, s) || is_done[b->root])
            continue;
        is_done[b->root] = true;
        SHEAF_TRY(balance_group(b, tensions));
    }
    return SHEAF_OK;
}

sheaf_status cable_static_tensions(const sheaf_model *model, double *tensions)
{
    const size_t nodes = (size_t)model->strand_count + model->body_count;
    uint32_t *parent = base_alloc(nodes, sizeof *parent), *uses = base_alloc(model->body_count + 1, sizeof *uses);
    bool *is_done = base_alloc(nodes, sizeof *is_done);
    balance b = {.model = model, .parent = parent, .row_of = base_alloc(model->body_count + 1, sizeof *b.row_of)};
    sheaf_status status = SHEAF_ERR_MEMORY;
    if (parent != NULL && uses != NULL && is_done != NULL && b.row_of != NULL) {
        cable_groups_label(model, parent);
        count_uses(model, uses);
        status = find_tensions(&b, uses, is_done, tensions);
    }
    base_free(parent);
    base_free(uses);
    base_free(is_done);
    base_free(b.row_of);
    return status;
}
