// on_reference: a population of cables on the fp64 reference: opening, stepping, reading, the state as arrays.
#include "cable/cable.h"

#include "base/vec.h"
#include "cable/groups.h"
#include "cable/touch.h"

#include <stdlib.h>
#include <string.h>

enum { RECORD_FROZEN, RECORD_PLACE, RECORD_FAULT, RECORD_VALUE, RECORD_SIZE };

typedef struct cables {
    cable_groups set;
    double step; // s
    uint64_t steps;
    uint32_t threads;
    double (*records)[RECORD_SIZE]; // [group] step in which it was frozen, 0: it moves; what was wrong and where
    uint32_t told;                  // frozen groups that the log knows of
} cables;

static void close_cables(void *instance)
{
    cables *c = instance;
    if (c == NULL)
        return;
    cable_groups_close(&c->set);
    base_free(c->records);
    base_free(c);
}

static sheaf_status open_inside(cables *c, const sheaf_model *model)
{
    if (!model_has_arrays(model))
        return base_fail(SHEAF_ERR_LIMIT, "the scene has too many vertices for cables on the reference");
    SHEAF_TRY(cable_check(model));
    SHEAF_TRY(cable_groups_open(model, c->step, &c->set));
    c->records = base_alloc(c->set.count, sizeof *c->records);
    return c->records != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

static sheaf_status open_cables(const sheaf_model *model, const method_open *how, void **instance)
{
    *instance = NULL;
    cables *c = base_alloc(1, sizeof *c);
    if (c == NULL)
        return SHEAF_ERR_MEMORY;
    c->step = how->step;
    c->threads = how->threads;
    const sheaf_status status = open_inside(c, model);
    if (status == SHEAF_OK)
        *instance = c;
    else
        close_cables(c);
    return status;
}

// ---- stepping

static sheaf_status step_range(size_t first, size_t end, uint32_t worker, void *user)
{
    cables *c = user;
    (void)worker;
    for (size_t k = first; k < end; k++) {
        double *record = c->records[k];
        if (record[RECORD_FROZEN] > 0)
            continue;
        cable_groups_drive(&c->set, (uint32_t)k, (double)(c->steps + 1) * c->step);
        SHEAF_TRY(cable_groups_touch(&c->set, (uint32_t)k, (double)(c->steps + 1) * c->step));
        cable_finding finding = cable_ref_step(&c->set.groups[k]);
        if (finding.fault == CABLE_SOUND)
            SHEAF_TRY(cable_groups_wind(&c->set, (uint32_t)k, &finding));
        if (finding.fault == CABLE_SOUND)
            SHEAF_TRY(cable_groups_adapt(&c->set, (uint32_t)k));
        if (finding.fault == CABLE_SOUND)
            continue;
        record[RECORD_FROZEN] = (double)(c->steps + 1);
        record[RECORD_PLACE] = finding.joint;
        record[RECORD_FAULT] = finding.fault;
        record[RECORD_VALUE] = finding.value;
    }
    return SHEAF_OK;
}

static const char *fault_name(double fault)
{
    static const char *const names[] = {"", "velocity", "bend", "twist", "pivot", "rope on the drum"};
    return names[fault >= 1 && fault <= 5 ? (int)fault : 0];
}

// What is known of a frozen group: the cable and vertex that the finding is nearest to.
static sheaf_incident describe(const cables *c, uint32_t group)
{
    const double *record = c->records[group];
    const uint32_t place = (uint32_t)record[RECORD_PLACE];
    const bool is_body = record[RECORD_FAULT] == CABLE_FAULT_SPEED;
    sheaf_incident incident = {.strand = c->set.strands[c->set.first[group]],
                               .step = (uint64_t)record[RECORD_FROZEN],
                               .quantity = fault_name(record[RECORD_FAULT]),
                               .value = record[RECORD_VALUE]};
    for (uint32_t at = c->set.first[group]; at < c->set.first[group + 1]; at++) {
        const uint32_t strand = c->set.strands[at];
        const cable_spot *spot = &c->set.spots[strand];
        const uint32_t from = is_body ? spot->segment : spot->joint;
        const uint32_t count = model_vertex_count(c->set.model, strand);
        if (place >= from && place < from + count) {
            incident.strand = strand;
            incident.vertex = place - from;
            if (spot->adaptive >= 0 && incident.vertex < c->set.adaptives[spot->adaptive].count)
                incident.vertex = cable_adaptive_first(&c->set.adaptives[spot->adaptive], incident.vertex);
        }
    }
    return incident;
}

static uint32_t count_frozen(const cables *c)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < c->set.count; k++)
        count += c->records[k][RECORD_FROZEN] > 0;
    return count;
}

static int compare_incidents(const void *a, const void *b)
{
    const sheaf_incident *first = a, *second = b;
    if (first->step != second->step)
        return first->step < second->step ? -1 : 1;
    return first->strand < second->strand ? -1 : 1;
}

// All frozen groups in the order they froze; the caller frees them.
static sheaf_status list_incidents(const cables *c, sheaf_incident **list, uint32_t *count)
{
    *count = 0;
    *list = base_alloc((size_t)count_frozen(c) + 1, sizeof **list);
    if (*list == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < c->set.count; k++)
        if (c->records[k][RECORD_FROZEN] > 0)
            (*list)[(*count)++] = describe(c, k);
    qsort(*list, *count, sizeof **list, compare_incidents);
    return SHEAF_OK;
}

static sheaf_status tell_frozen(cables *c)
{
    sheaf_incident *list;
    uint32_t count;
    if (count_frozen(c) == c->told)
        return SHEAF_OK;
    SHEAF_TRY(list_incidents(c, &list, &count));
    for (uint32_t k = c->told; k < count; k++)
        base_log(SHEAF_LOG_WARNING, "cable %u is frozen from step %llu on: %s at vertex %u is %g",
                 c->set.model->strands[list[k].strand].number, (unsigned long long)list[k].step, list[k].quantity,
                 list[k].vertex, list[k].value);
    c->told = count;
    base_free(list);
    return SHEAF_OK;
}

static sheaf_status step(void *instance, uint32_t count)
{
    cables *c = instance;
    for (uint32_t k = 0; k < count; k++, c->steps++)
        SHEAF_TRY(base_parallel_for(c->set.count, c->threads, step_range, c));
    return tell_frozen(c);
}

static sheaf_status find_incident(void *instance, uint32_t index, sheaf_incident *incident)
{
    const cables *c = instance;
    sheaf_incident *list;
    uint32_t count;
    SHEAF_TRY(list_incidents(c, &list, &count));
    if (index < count)
        *incident = list[index];
    base_free(list);
    return index < count ? SHEAF_OK
                         : base_fail(SHEAF_ERR_USAGE, "incident %u of %u: there are not so many", index, count);
}

// ---- reading

// Where a vertex is that a winch has wound up, or is about to; false: it is on a segment as any other.
static bool find_wound(const cables *c, uint32_t strand, uint32_t vertex, double place[3], double velocity[3])
{
    const cable_spot *spot = &c->set.spots[strand];
    return spot->winch >= 0 &&
           cable_winch_vertex(&c->set.winches[spot->winch], &c->set.groups[spot->group], vertex, place, velocity);
}

// The segment that a vertex is on, and the lever to it, world axes.
static const cable_body *find_vertex(const cables *c, uint32_t strand, uint32_t vertex, double lever[3])
{
    double arm[3] = {0};
    const cable_body *body = cable_groups_piece(&c->set, strand, vertex, &arm[0]);
    cable_turn(body->pose, arm, lever);
    return body;
}

static sheaf_status read_positions(void *instance, method_sample sample, double (*positions)[3])
{
    const cables *c = instance;
    for (uint32_t s = 0; s < c->set.model->strand_count; s += sample.stride)
        for (uint32_t i = 0; i < model_vertex_count(c->set.model, s); i++) {
            double lever[3], *place = positions[sample.first_vertex[s / sample.stride] + i];
            const cable_body *body = find_vertex(c, s, i, lever);
            if (!find_wound(c, s, i, place, NULL))
                vec_add(place, body->place, lever);
        }
    return SHEAF_OK;
}

static sheaf_status read_velocities(void *instance, method_sample sample, double (*velocities)[3])
{
    const cables *c = instance;
    for (uint32_t s = 0; s < c->set.model->strand_count; s += sample.stride)
        for (uint32_t i = 0; i < model_vertex_count(c->set.model, s); i++) {
            double lever[3], turning[3], place[3], *velocity = velocities[sample.first_vertex[s / sample.stride] + i];
            const cable_body *body = find_vertex(c, s, i, lever);
            vec_cross(turning, body->spin, lever);
            if (!find_wound(c, s, i, place, velocity))
                vec_add(velocity, body->velocity, turning);
        }
    return SHEAF_OK;
}

static sheaf_status read_directors(void *instance, double (*directors)[3])
{
    const cables *c = instance;
    static const double side[3] = {0, 1, 0};
    for (uint32_t s = 0; s < c->set.model->strand_count; s++)
        for (uint32_t i = 0; i < model_vertex_count(c->set.model, s); i++) {
            double lever[3];
            const cable_body *body = find_vertex(c, s, i, lever);
            double place[3], *director = directors[c->set.model->first_vertex[s] + i];
            cable_turn(body->pose, side, director);
            if (find_wound(c, s, i, place, NULL)) // across the rope wherever it lies
                vec_copy(
                    director,
                    c->set.groups[c->set.spots[s].group].bodies[c->set.winches[c->set.spots[s].winch].drum].axle.axis);
        }
    return SHEAF_OK;
}

static sheaf_status read_bodies(void *instance, sheaf_body_pose *poses)
{
    const cables *c = instance;
    const sheaf_model *model = c->set.model;
    for (uint32_t b = 0; b < model->body_count; b++) {
        if (c->set.body_group[b] == UINT32_MAX) {
            cable_tell_driven(model, b, (double)c->steps * c->step, &poses[b]);
            continue;
        }
        const cable_body *body = &c->set.groups[c->set.body_group[b]].bodies[c->set.body_place[b]];
        cable_part now = {.mass = body->mass};
        vec_copy(now.place, body->place);
        memcpy(now.pose, body->pose, sizeof now.pose);
        vec_copy(now.velocity, body->velocity);
        vec_copy(now.spin, body->spin);
        cable_tell_body(model, b, &now, &poses[b]);
        cable_ref_load(&c->set.groups[c->set.body_group[b]], c->set.body_place[b], poses[b].force, poses[b].torque);
    }
    return SHEAF_OK;
}

static sheaf_status push(void *instance, uint32_t strand, uint32_t vertex, const double change[3])
{
    cables *c = instance;
    double along;
    const cable_body *at = cable_groups_piece(&c->set, strand, vertex, &along);
    cable_group *group = &c->set.groups[c->set.spots[strand].group];
    cable_body *body = &group->bodies[at - group->bodies];
    vec_add(body->velocity, body->velocity, change);
    return SHEAF_OK;
}

// Worst gap of a cable's joints over the length of rope that each stands for.
static double worst_strain(const cables *c, uint32_t strand)
{
    const sheaf_model *model = c->set.model;
    const cable_spot *spot = &c->set.spots[strand];
    const cable_group *group = &c->set.groups[spot->group];
    const uint32_t n = cable_segment_count(model, strand),
                   first = cable_find_end(model, strand, false).holds_point ? 0 : 1;
    const uint32_t last = cable_find_end(model, strand, true).holds_point ? n : n - 1;
    double worst = 0;
    for (uint32_t i = first; i <= last; i++) {
        const cable_joint *joint = &group->joints[spot->joint + i - first];
        if (joint->a == joint->b) // on a drum, or merged
            continue;
        double before = i > 0 ? cable_segment_length(model, strand, i - 1) / 2 : 0;
        double after = i < n ? cable_segment_length(model, strand, i) / 2 : 0;
        if (spot->adaptive >= 0) { // as long as its segments are now
            before = (uint32_t)joint->a - spot->segment < n ? vec_length(joint->arm_a) : 0;
            after = (uint32_t)joint->b - spot->segment < n ? vec_length(joint->arm_b) : 0;
        }
        cable_rows rows;
        cable_ref_rows(&group->bodies[joint->a], &group->bodies[joint->b], joint, group->settings.bend, &rows);
        worst = fmax(worst, vec_length(rows.value) / (before + after));
    }
    return worst;
}

static sheaf_status make_report(void *instance, sheaf_report *report)
{
    cables *c = instance;
    *report = (sheaf_report){.time = (double)c->steps * c->step, .step = c->steps};
    for (uint32_t k = 0; k < c->set.count; k++) {
        const cable_energy energy = cable_ref_energy(&c->set.groups[k]);
        report->kinetic += energy.kinetic;
        report->bending += energy.bend + energy.stretch;
        report->twisting += energy.twist;
        report->gravitational += energy.gravity;
        if (c->records[k][RECORD_FROZEN] > 0)
            report->frozen_strands += c->set.first[k + 1] - c->set.first[k];
        else if (c->set.groups[k].is_unmet)
            report->unmet_strands += c->set.first[k + 1] - c->set.first[k];
    }
    for (uint32_t s = 0; s < c->set.model->strand_count; s++)
        report->worst_strain = fmax(report->worst_strain, worst_strain(c, s));
    return SHEAF_OK;
}

// Segments of all cables, as they are now.
static uint64_t count_segments(const cables *c)
{
    uint64_t sum = 0;
    for (uint32_t s = 0; s < c->set.model->strand_count; s++)
        sum += c->set.spots[s].adaptive >= 0 ? c->set.adaptives[c->set.spots[s].adaptive].count
                                             : cable_segment_count(c->set.model, s);
    return sum;
}

// What drives and outer forces have done since the start, and how many segments adaptive cables leave.
static sheaf_status make_figures(void *instance, method_figure figures[METHOD_FIGURES_MAX], uint32_t *count)
{
    const cables *c = instance;
    double work = 0;
    for (uint32_t k = 0; k < c->set.count; k++)
        work += c->set.groups[k].work;
    figures[0] = (method_figure){.name = "drive_work_J", .join = METHOD_JOIN_SUM, .value = work};
    *count = 1;
    if (c->set.adaptive_count > 0)
        figures[(*count)++] =
            (method_figure){.name = "segments", .join = METHOD_JOIN_SUM, .value = (double)count_segments(c)};
    return SHEAF_OK;
}

// ---- the whole state as arrays

enum { ARRAY_BODY, ARRAY_JOINT, ARRAY_RECORD, ARRAY_TENSION, ARRAY_LINE, ARRAY_WINCH, ARRAY_RUN, ARRAY_COUNT };
enum { BODY_NUMBERS = 14, JOINT_NUMBERS = 9, RECORD_NUMBERS = RECORD_SIZE + 2, LINE_NUMBERS = 1 + CABLE_LINE_POINTS };
enum { WINCH_NUMBERS = 3 };

static uint64_t count_rows(const cables *c, uint32_t index)
{
    uint64_t count = 0;
    for (uint32_t k = 0; k < c->set.count; k++) {
        const cable_group *group = &c->set.groups[k];
        count += index == ARRAY_BODY    ? group->body_count
                 : index == ARRAY_JOINT ? group->joint_room
                 : index == ARRAY_LINE  ? group->line_count
                                        : 0;
    }
    for (uint32_t k = 0; index == ARRAY_RUN && k < c->set.adaptive_count; k++)
        count += c->set.adaptives[k].pieces;
    return index == ARRAY_RECORD    ? c->set.count
           : index == ARRAY_WINCH   ? c->set.winch_count
           : index == ARRAY_TENSION ? c->set.model->vertex_count
                                    : count;
}

// Which array has a place in the list: those of lines, winches and adaptive cables are there where there are such.
static uint32_t array_at(const cables *c, uint32_t index)
{
    uint32_t kind = 0;
    for (uint32_t place = 0;; kind++)
        if (count_rows(c, kind) > 0 && place++ == index)
            return kind;
}

static uint32_t list_arrays(const void *instance, method_array *arrays)
{
    static const char *const names[] = {"body", "joint", "record", "tension", "line", "winch", "run"};
    static const uint32_t sizes[] = {BODY_NUMBERS, JOINT_NUMBERS, RECORD_NUMBERS,   1,
                                     LINE_NUMBERS, WINCH_NUMBERS, CABLE_RUN_NUMBERS};
    uint32_t count = 0;
    for (uint32_t k = 0; k < ARRAY_COUNT; k++)
        if (count_rows(instance, k) > 0)
            arrays[count++] = (method_array){
                .name = names[k], .rows = count_rows(instance, k), .components = sizes[k], .is_double = true};
    return count;
}

// Numbers of a body or joint, one after the other; to them, or from them.
static void exchange(double *own, size_t count, double **at, bool is_reading)
{
    if (is_reading)
        memcpy(*at, own, count * sizeof *own);
    else
        memcpy(own, *at, count * sizeof *own);
    *at += count;
}

static void exchange_array(cables *c, uint32_t index, double *values, bool is_reading)
{
    for (uint32_t k = 0; k < c->set.count; k++) {
        cable_group *group = &c->set.groups[k];
        for (uint32_t b = 0; index == ARRAY_BODY && b < group->body_count; b++) {
            exchange(group->bodies[b].place, 3, &values, is_reading);
            exchange(group->bodies[b].pose, 4, &values, is_reading);
            exchange(group->bodies[b].velocity, 3, &values, is_reading);
            exchange(group->bodies[b].spin, 3, &values, is_reading);
            exchange(&group->bodies[b].before, 1, &values, is_reading);
        }
        for (uint32_t j = 0; index == ARRAY_JOINT && j < group->joint_room; j++) {
            exchange(&group->joints[j].turn, 1, &values, is_reading);
            exchange(group->joints[j].load, 6, &values, is_reading);
            exchange(group->joints[j].pull, 2, &values, is_reading);
        }
        if (index == ARRAY_RECORD) {
            exchange(c->records[k], RECORD_SIZE, &values, is_reading);
            exchange(&group->work, 1, &values, is_reading);
            exchange(&group->unmet, 1, &values, is_reading);
        }
        for (uint32_t l = 0; index == ARRAY_LINE && l < group->line_count; l++) {
            exchange(&group->lines[l].load, 1, &values, is_reading);
            exchange(group->lines[l].pull, CABLE_LINE_POINTS, &values, is_reading);
        }
    }
    for (uint32_t w = 0; index == ARRAY_WINCH && w < c->set.winch_count; w++) {
        exchange(&c->set.winches[w].wound, 1, &values, is_reading);
        exchange(&c->set.winches[w].heading, 1, &values, is_reading);
        double head = c->set.winches[w].head;
        exchange(&head, 1, &values, is_reading);
        c->set.winches[w].head = (uint32_t)head;
    }
    for (uint32_t k = 0; index == ARRAY_RUN && k < c->set.adaptive_count; k++)
        for (uint32_t p = 0; p < c->set.adaptives[k].pieces; p++) {
            cable_run *run = &c->set.adaptives[k].runs[p];
            exchange(&run->pieces, 1, &values, is_reading);
            exchange(&run->wait, 1, &values, is_reading);
            exchange(run->shift[0], 6, &values, is_reading);
        }
}

// Runs of whole pieces that make up their cable, ends of one piece, none after the last.
static bool run_is_sound(const cable_adaptive *cable, const double (*numbers)[CABLE_RUN_NUMBERS])
{
    uint32_t count = 0, sum = 0;
    for (uint32_t p = 0; p < cable->pieces; p++) {
        const double pieces = numbers[p][0];
        if (!(pieces >= 0 && pieces <= cable->pieces && pieces == floor(pieces)) || (pieces > 0 && p != count))
            return false;
        sum += (uint32_t)pieces;
        count += pieces > 0;
        for (int r = 1; r < CABLE_RUN_NUMBERS; r++)
            if (!isfinite(numbers[p][r]))
                return false;
    }
    return sum == cable->pieces && count >= 3 && numbers[0][0] == 1 && numbers[count - 1][0] == 1;
}

static sheaf_status check_runs(const cables *c, const double (*numbers)[CABLE_RUN_NUMBERS])
{
    for (uint32_t k = 0; k < c->set.adaptive_count; k++) {
        const cable_adaptive *cable = &c->set.adaptives[k];
        if (!run_is_sound(cable, numbers))
            return base_fail(SHEAF_ERR_INPUT, "the segments of adaptive cable %u are such as no step leaves",
                             c->set.model->strands[cable->strand].number);
        numbers += cable->pieces;
    }
    return SHEAF_OK;
}

// Pull of the joint before a segment along it, N; 0 where there is none.
static double pull_of(const cables *c, uint32_t strand, uint32_t vertex, const cable_body *body)
{
    static const double x[3] = {1, 0, 0};
    const cable_spot *spot = &c->set.spots[strand];
    const uint32_t n =
        spot->adaptive >= 0 ? c->set.adaptives[spot->adaptive].count : cable_segment_count(c->set.model, strand);
    const uint32_t first = cable_find_end(c->set.model, strand, false).holds_point ? 0 : 1;
    double axis[3];
    if (vertex < first || (vertex == n && !cable_find_end(c->set.model, strand, true).holds_point))
        return 0;
    cable_turn(body->pose, x, axis);
    return vec_dot(c->set.groups[spot->group].joints[spot->joint + vertex - first].load, axis);
}

// What follows from the state and is read alone: the pull along every segment, the mean of its two joints, N.
static void read_tensions(const cables *c, double *values)
{
    for (uint32_t s = 0; s < c->set.model->strand_count; s++) {
        const cable_spot *spot = &c->set.spots[s];
        const uint32_t n = cable_segment_count(c->set.model, s);
        for (uint32_t j = 0; j <= n; j++) {
            double along;
            const cable_body *body = cable_groups_piece(&c->set, s, j, &along);
            const uint32_t k = (uint32_t)(body - c->set.groups[spot->group].bodies) - spot->segment;
            const double mean = j < n ? (pull_of(c, s, k, body) + pull_of(c, s, k + 1, body)) / 2 : 0;
            values[c->set.model->first_vertex[s] + j] = mean;
        }
    }
}

static sheaf_status read_array(void *instance, uint32_t index, void *values)
{
    if (array_at(instance, index) == ARRAY_TENSION)
        read_tensions(instance, values);
    else
        exchange_array(instance, array_at(instance, index), values, true);
    return SHEAF_OK;
}

// A head is a segment of its cable that leaves one after it.
static sheaf_status check_winches(const cables *c, const double (*numbers)[WINCH_NUMBERS])
{
    for (uint32_t w = 0; w < c->set.winch_count; w++)
        if (!(numbers[w][2] >= 0 && numbers[w][2] <= c->set.winches[w].count - 2) || !isfinite(numbers[w][0]))
            return base_fail(SHEAF_ERR_INPUT, "the winch of cable %u holds numbers that no step leaves",
                             c->set.winches[w].strand);
    return SHEAF_OK;
}

static sheaf_status check_records(const cables *c, const double (*records)[RECORD_NUMBERS])
{
    for (uint32_t k = 0; k < c->set.count; k++)
        for (int r = 0; r < RECORD_VALUE; r++)
            if (!(records[k][r] >= 0 && records[k][r] < 1e15))
                return base_fail(SHEAF_ERR_INPUT, "the record of cable %u holds numbers that no step leaves",
                                 c->set.strands[c->set.first[k]]);
    return SHEAF_OK;
}

static sheaf_status write_array(void *instance, uint32_t index, const void *values)
{
    cables *c = instance;
    index = array_at(c, index);
    if (index == ARRAY_RECORD)
        SHEAF_TRY(check_records(c, values));
    if (index == ARRAY_WINCH)
        SHEAF_TRY(check_winches(c, values));
    if (index == ARRAY_RUN)
        SHEAF_TRY(check_runs(c, values));
    exchange_array(c, index, (double *)values, false);
    return index == ARRAY_WINCH || index == ARRAY_RUN ? cable_groups_rewind(&c->set) : SHEAF_OK;
}

static uint64_t count_steps(const void *instance)
{
    return ((const cables *)instance)->steps;
}

// Cables that froze before are told no more.
static void set_steps(void *instance, uint64_t steps)
{
    cables *c = instance;
    c->steps = steps;
    c->told = count_frozen(c);
}

static method_place describe_place(const void *instance)
{
    (void)instance;
    return (method_place){.device = "reference", .form = "scalar", .is_double = true};
}

const method_backend cable_on_reference = {
    .open = open_cables,
    .close = close_cables,
    .step = step,
    .read_positions = read_positions,
    .read_velocities = read_velocities,
    .read_directors = read_directors,
    .read_bodies = read_bodies,
    .push = push,
    .report = make_report,
    .incident = find_incident,
    .figures = make_figures,
    .arrays = list_arrays,
    .read_array = read_array,
    .write_array = write_array,
    .steps = count_steps,
    .set_steps = set_steps,
    .place = describe_place,
};
