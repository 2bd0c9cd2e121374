// parts: opening the methods of a scene, and making one population of theirs.
#include "solver/parts.h"

#include "strand/strand.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void close_part(solver_part *part)
{
    if (part->backend != NULL)
        part->backend->close(part->instance);
    sheaf_model_free(part->own);
    base_free(part->strands);
    base_free(part->names);
}

// ---- opening

// How strands of a method step: by themselves, with others, or with bodies.
static part_bond bond_of(const sheaf_model *model, uint32_t strand)
{
    if (model->strands[strand].coupled)
        return PART_COUPLED;
    return method_list[model->strands[strand].method]->bodies == METHOD_BODIES_ALL &&
                   model_strand_is_joined(model, strand)
               ? PART_JOINED
               : PART_FREE;
}

// Strands of a method with one of the bonds; `strands` (may be NULL) receives their numbers.
static uint32_t find_strands(const sheaf_model *model, uint32_t which, uint32_t bonds, uint32_t *strands)
{
    uint32_t count = 0;
    for (uint32_t s = 0; s < model->strand_count; s++)
        if (model->strands[s].method == which && (bonds & bond_of(model, s)) > 0) {
            if (strands != NULL)
                strands[count] = s;
            count++;
        }
    return count;
}

// The model of a part: the scene's own, where it has all strands. What acts on each other needs arrays.
static sheaf_status make_model(const sheaf_model *model, uint32_t which, uint32_t count, solver_part *part)
{
    part->model = model;
    if (count == model->strand_count && (!(part->bonds & PART_COUPLED) || model_has_arrays(model)))
        return SHEAF_OK;
    part->strands = base_alloc(count, sizeof *part->strands);
    if (part->strands == NULL)
        return SHEAF_ERR_MEMORY;
    find_strands(model, which, part->bonds, part->strands);
    SHEAF_TRY(model_part(model, part->strands, count, &part->own));
    part->model = part->own;
    return SHEAF_OK;
}

// The method that moves the bodies of a scene: that of the strands with joints, or of lines over bodies, or else the
// first one here that moves bodies which nothing holds, or that moves any. NULL: nothing does.
static const method *mover_of(const sheaf_model *model)
{
    const method *carrier = NULL;
    if (model->body_count == 0)
        return NULL;
    if (model->joint_count > 0)
        return method_list[model->strands[model->joints[0].strand].method];
    for (uint32_t k = 0; method_list[k] != NULL; k++) {
        const method *it = method_list[k];
        if (find_strands(model, k, PART_ANY, NULL) == 0)
            continue;
        if (model->reeving_count > 0 ? it->reeves : it->bodies == METHOD_BODIES_ALL)
            return it;
        carrier = carrier == NULL && it->bodies == METHOD_BODIES_CARRIED ? it : carrier;
    }
    return carrier;
}

// The reference for what no device can do, where the choice of one is left to us.
static parts_on choose_place(const method_open *how, parts_on where, const solver_part *part)
{
    char reason[256];
    if (where != PARTS_ON_DEVICE || how->device != SHEAF_DEVICE_BEST || part->method->fits_device == NULL ||
        part->method->fits_device(part->model, reason, sizeof reason))
        return where;
    base_log(SHEAF_LOG_NOTICE, "strands of the method %s run on the reference: %s", part->method->name, reason);
    return PARTS_ON_REFERENCE;
}

// Whether a part moves the bodies: that with all joints, or, where there are none, that whose strands touch others, or
// else the free strands.
static bool moves_bodies(const sheaf_model *model, const solver_part *part)
{
    const method *mover = mover_of(model);
    if (mover == NULL || part->method != mover)
        return false;
    if (mover->bodies == METHOD_BODIES_CARRIED)
        return true;
    if (model->joint_count > 0)
        return (part->bonds & PART_JOINED) > 0;
    uint32_t which = 0;
    while (method_list[which] != mover)
        which++;
    const bool some_touch = find_strands(model, which, PART_COUPLED, NULL) > 0;
    return (part->bonds & (some_touch ? PART_COUPLED : PART_FREE)) > 0;
}

static sheaf_status open_part(const sheaf_model *whole, const method_open *how, parts_on where, solver_part *part)
{
    method_open own = *how;
    own.moves_bodies = moves_bodies(whole, part);
    where = choose_place(how, where, part);
    part->backend = where == PARTS_ON_DEVICE ? part->method->device : part->method->reference;
    if (part->backend == NULL)
        return base_fail(SHEAF_ERR_DEVICE, "strands of the method %s do not run on a device; use `--device ref`",
                         part->method->name);
    if (own.moves_bodies && part->backend->read_bodies == NULL)
        return base_fail(SHEAF_ERR_DEVICE, "the device cannot simulate scenes with bodies; use `--device ref`");
    return part->backend->open(part->model, &own, &part->instance);
}

// Two methods may give arrays the same name, and files tell arrays apart by theirs.
static sheaf_status name_arrays(solver_parts *parts)
{
    static const char *const bond_names[] = {
        [PART_FREE] = "", [PART_COUPLED] = "coupled.", [PART_JOINED] = "joined.", [PART_FREE | PART_JOINED] = ""};
    for (uint32_t k = 0; k < parts->count; k++) {
        solver_part *part = &parts->part[k];
        method_array arrays[METHOD_ARRAYS_MAX];
        const uint32_t count = part->backend->arrays(part->instance, arrays);
        part->names = base_alloc(METHOD_ARRAYS_MAX, sizeof *part->names);
        if (part->names == NULL)
            return SHEAF_ERR_MEMORY;
        for (uint32_t a = 0; a < count; a++)
            snprintf(part->names[a], sizeof part->names[a], "%s.%s%s", part->method->name, bond_names[part->bonds],
                     arrays[a].name);
    }
    return SHEAF_OK;
}

// Opens a part for the strands of a method with one of the bonds, if it has any.
static sheaf_status open_strands(const method_open *how, parts_on where, uint32_t which, uint32_t bonds,
                                 solver_parts *parts)
{
    const uint32_t count = find_strands(parts->model, which, bonds, NULL);
    if (count == 0)
        return SHEAF_OK;
    if (parts->count == METHOD_PARTS_MAX)
        return base_fail(SHEAF_ERR_LIMIT, "a scene has at most %d kinds of strands that step by themselves",
                         METHOD_PARTS_MAX);
    solver_part *part = &parts->part[parts->count++];
    part->method = method_list[which];
    part->bonds = bonds;
    SHEAF_TRY(make_model(parts->model, which, count, part));
    return open_part(parts->model, how, where, part);
}

// The reference steps strands with and without joints together; on a device those that nothing couples keep their
// speed.
static sheaf_status open_all(const method_open *how, parts_on where, solver_parts *parts)
{
    const uint32_t first = where == PARTS_ON_DEVICE ? PART_FREE : PART_FREE | PART_JOINED;
    for (uint32_t k = 0; method_list[k] != NULL; k++) {
        SHEAF_TRY(open_strands(how, where, k, first, parts));
        SHEAF_TRY(open_strands(how, where, k, PART_COUPLED, parts));
        if (where == PARTS_ON_DEVICE)
            SHEAF_TRY(open_strands(how, where, k, PART_JOINED, parts));
    }
    return parts->count > 1 ? name_arrays(parts) : SHEAF_OK;
}

// Cables move the bodies that they carry, and no others.
static sheaf_status check_hangs(const sheaf_model *model, uint32_t body)
{
    char name[128];
    for (uint32_t k = 0; k < model->joint_count; k++)
        if (model->joints[k].body == body)
            return SHEAF_OK;
    for (uint32_t k = 0; k < model->reeving_count; k++)
        for (uint32_t p = 0; p < model->reevings[k].point_count; p++)
            if (model->reevings[k].path[p].body == (int64_t)body)
                return SHEAF_OK;
    return !model->bodies[body].is_free
               ? SHEAF_OK
               : base_fail(SHEAF_ERR_INPUT,
                           "the body '%s' hangs on no cable, and nothing would move it; fix it, or leave it out",
                           base_printable(model->bodies[body].def.name, name, sizeof name));
}

// Strands with joints are of one method: two with bodies in one scene would each have half of them.
static sheaf_status check_joints(const sheaf_model *model, const method *mover)
{
    for (uint32_t k = 0; k < model->joint_count; k++) {
        const uint32_t first = model->joints[0].strand, strand = model->joints[k].strand;
        const method *its = method_list[model->strands[strand].method];
        if (its != mover)
            return base_fail(
                SHEAF_ERR_INPUT,
                "strand %u of the method %s and strand %u of the method %s are both fixed to bodies; bodies "
                "of a scene are on strands of one method",
                first, mover->name, strand, its->name);
        if (its->bodies == METHOD_BODIES_NONE)
            return base_fail(SHEAF_ERR_INPUT, "strand %u: strands of the method %s cannot be fixed to bodies", strand,
                             its->name);
        if (model->strands[strand].coupled)
            return base_fail(SHEAF_ERR_INPUT,
                             "strand %u is fixed to a body and touches other strands, which cannot be both yet: leave "
                             "its material out of `touch`",
                             strand);
    }
    if (model->reeving_count > 0 && model->joint_count > 0 && !mover->reeves)
        return base_fail(
            SHEAF_ERR_INPUT,
            "strand %u of the method %s is fixed to a body, and lines without mass run over others; bodies "
            "of a scene are on strands of one method",
            model->joints[0].strand, mover->name);
    return SHEAF_OK;
}

static sheaf_status check_bodies(const sheaf_model *model)
{
    const method *mover = mover_of(model);
    SHEAF_TRY(check_joints(model, mover));
    if (mover == NULL)
        return SHEAF_OK;
    for (uint32_t b = 0; b < model->body_count && mover->bodies == METHOD_BODIES_CARRIED; b++)
        SHEAF_TRY(check_hangs(model, b));
    if (mover->bodies == METHOD_BODIES_ALL && model->def.integrator == SHEAF_INTEGRATOR_EXPLICIT)
        return base_fail(SHEAF_ERR_INPUT, "bodies need an implicit integrator; use `integrator: bdf2` or `euler`");
    return SHEAF_OK;
}

static sheaf_status check_coupling(const method *it, uint32_t bonds)
{
    return bonds != PART_COUPLED || it->couples
               ? SHEAF_OK
               : base_fail(SHEAF_ERR_INPUT,
                           "strands of the method %s cannot touch others: leave their material out of `touch`",
                           it->name);
}

// What a method says of its strands, in a model of their own.
static sheaf_status check_strands(const sheaf_model *model, uint32_t which, uint32_t bonds)
{
    const method *it = method_list[which];
    solver_part part = {.method = it, .bonds = bonds};
    const uint32_t count = find_strands(model, which, bonds, NULL);
    if (count == 0)
        return SHEAF_OK;
    SHEAF_TRY(check_coupling(it, bonds));
    if (it->check == NULL)
        return SHEAF_OK;
    sheaf_status status = make_model(model, which, count, &part);
    if (status == SHEAF_OK)
        status = it->check(part.model);
    close_part(&part);
    return status;
}

sheaf_status parts_check(const sheaf_model *model)
{
    SHEAF_TRY(check_bodies(model));
    for (uint32_t k = 0; method_list[k] != NULL; k++) {
        SHEAF_TRY(check_strands(model, k, PART_FREE | PART_JOINED));
        SHEAF_TRY(check_strands(model, k, PART_COUPLED));
    }
    return SHEAF_OK;
}

sheaf_status parts_open(const sheaf_model *model, const method_open *how, parts_on where, solver_parts *parts)
{
    *parts = (solver_parts){.model = model};
    SHEAF_TRY(parts_check(model));
    const sheaf_status status = open_all(how, where, parts);
    if (status != SHEAF_OK)
        parts_close(parts);
    return status;
}

void parts_close(solver_parts *parts)
{
    for (uint32_t k = 0; k < parts->count; k++)
        close_part(&parts->part[k]);
    *parts = (solver_parts){0};
}

// A method may go on after a step of its own that failed; several of them cannot, for they stand at different times.
static sheaf_status after_step(solver_parts *parts, sheaf_status status)
{
    parts->failed = parts->failed || (status != SHEAF_OK && parts->count > 1);
    return status;
}

static sheaf_status check_together(const solver_parts *parts)
{
    return parts->failed
               ? base_fail(SHEAF_ERR_USAGE, "an earlier step of this solver failed: close it and open another")
               : SHEAF_OK;
}

// Every method on its own: nothing couples strands of two methods.
sheaf_status parts_step(solver_parts *parts, uint32_t count)
{
    SHEAF_TRY(check_together(parts));
    sheaf_status status = SHEAF_OK;
    for (uint32_t k = 0; k < parts->count && status == SHEAF_OK; k++)
        status = parts->part[k].backend->step(parts->part[k].instance, count);
    return after_step(parts, status);
}

// ---- vectors

// Which vectors: of now, or of a note.
typedef struct vectors_wanted {
    enum { WANTED_POSITIONS, WANTED_VELOCITIES, WANTED_DIRECTORS, WANTED_NOTED } what;
    uint32_t note;
} vectors_wanted;

static sheaf_status read_own(const solver_part *part, vectors_wanted which, method_sample sample, double (*out)[3])
{
    switch (which.what) {
    case WANTED_POSITIONS:
        return part->backend->read_positions(part->instance, sample, out);
    case WANTED_VELOCITIES:
        return part->backend->read_velocities(part->instance, sample, out);
    case WANTED_DIRECTORS:
        return part->backend->read_directors(part->instance, out); // of all
    default:
        return part->backend->note_positions(part->instance, which.note, sample, out);
    }
}

// Copies the chosen strands of a part to their places among those of the scene.
static void spread(const solver_part *part, const double (*vectors)[3], method_sample sample, double (*out)[3])
{
    for (uint32_t s = 0; s < part->model->strand_count; s++) {
        const uint32_t number = part->strands[s];
        if (number % sample.stride == 0)
            memcpy(out + sample.first_vertex[number / sample.stride], vectors + part->model->first_vertex[s],
                   model_vertex_count(part->model, s) * sizeof *out);
    }
}

static sheaf_status read_part(const solver_part *part, vectors_wanted which, method_sample sample, double (*out)[3])
{
    if (part->strands == NULL)
        return read_own(part, which, sample, out);
    double(*vectors)[3] = base_alloc(part->model->vertex_count, sizeof *vectors);
    if (vectors == NULL)
        return SHEAF_ERR_MEMORY;
    const sheaf_status status = read_own(part, which, (method_sample){1, part->model->first_vertex}, vectors);
    if (status == SHEAF_OK)
        spread(part, (const double(*)[3])vectors, sample, out);
    base_free(vectors);
    return status;
}

static sheaf_status read_parts(const solver_parts *parts, vectors_wanted which, method_sample sample, double (*out)[3])
{
    for (uint32_t k = 0; k < parts->count; k++)
        SHEAF_TRY(read_part(&parts->part[k], which, sample, out));
    return SHEAF_OK;
}

sheaf_status parts_read_positions(solver_parts *parts, method_sample sample, double (*positions)[3])
{
    return read_parts(parts, (vectors_wanted){WANTED_POSITIONS, 0}, sample, positions);
}

sheaf_status parts_read_velocities(solver_parts *parts, method_sample sample, double (*velocities)[3])
{
    return read_parts(parts, (vectors_wanted){WANTED_VELOCITIES, 0}, sample, velocities);
}

sheaf_status parts_read_directors(solver_parts *parts, double (*directors)[3])
{
    return read_parts(parts, (vectors_wanted){WANTED_DIRECTORS, 0}, (method_sample){1, parts->model->first_vertex},
                      directors);
}

// The array of this name of a part that has a number for every vertex; SHEAF_OK without it.
static sheaf_status read_numbers(const solver_part *part, const char *name, double *values)
{
    method_array arrays[METHOD_ARRAYS_MAX];
    const uint32_t count = part->backend->arrays(part->instance, arrays);
    const uint64_t rows = part->model->vertex_count;
    for (uint32_t k = 0; k < count; k++) {
        if (strcmp(arrays[k].name, name) != 0 || arrays[k].rows != rows || arrays[k].components != 1)
            continue;
        SHEAF_TRY(part->backend->read_array(part->instance, k, values));
        for (uint64_t i = rows; !arrays[k].is_double && i-- > 0;) { // in place, from the end on
            float single;
            memcpy(&single, (const char *)values + i * sizeof single, sizeof single);
            values[i] = (double)single;
        }
    }
    return SHEAF_OK;
}

static sheaf_status read_numbers_of(const sheaf_model *whole, const solver_part *part, const char *name, double *all)
{
    const uint64_t vertices = part->model->vertex_count, *from = part->model->first_vertex;
    double *values = base_alloc(vertices, sizeof *values);
    if (values == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint64_t k = 0; k < vertices; k++)
        values[k] = NAN;
    const sheaf_status status = read_numbers(part, name, values);
    for (uint32_t s = 0; s < part->model->strand_count && status == SHEAF_OK; s++) {
        const uint32_t number = part->strands != NULL ? part->strands[s] : s;
        memcpy(all + whole->first_vertex[number], values + from[s], (from[s + 1] - from[s]) * sizeof *all);
    }
    base_free(values);
    return status;
}

sheaf_status parts_read_tensions(const solver_parts *parts, double *tensions)
{
    for (uint32_t k = 0; k < parts->count; k++)
        SHEAF_TRY(read_numbers_of(parts->model, &parts->part[k], "tension", tensions));
    return SHEAF_OK;
}

sheaf_status parts_read_bodies(solver_parts *parts, sheaf_body_pose *poses)
{
    for (uint32_t k = 0; k < parts->count; k++)
        if (parts->part[k].backend->read_bodies != NULL && moves_bodies(parts->model, &parts->part[k]))
            return parts->part[k].backend->read_bodies(parts->part[k].instance, poses);
    return parts->model->body_count == 0
               ? SHEAF_OK
               : base_fail(SHEAF_ERR_USAGE, "where bodies are is not known of this method on this device");
}

// The part that a strand of the scene belongs to; its number there is left in `strand`.
static solver_part *part_of_strand(solver_parts *parts, uint32_t *strand)
{
    uint32_t k = 0;
    const model_strand *wanted = &parts->model->strands[*strand];
    while (k + 1 < parts->count && (parts->part[k].method != method_list[wanted->method] ||
                                    !(parts->part[k].bonds & bond_of(parts->model, *strand))))
        k++;
    solver_part *part = &parts->part[k];
    for (uint32_t s = 0; part->strands != NULL && s < part->model->strand_count; s++)
        if (part->strands[s] == *strand) {
            *strand = s;
            break;
        }
    return part;
}

sheaf_status parts_push(solver_parts *parts, uint32_t strand, uint32_t vertex, const double change[3])
{
    solver_part *part = part_of_strand(parts, &strand);
    return part->backend->push(part->instance, strand, vertex, change);
}

// ---- figures

// Adds the figures of a part to those of others; means are over strands that move.
static void add_report(const solver_part *part, const sheaf_report *its, double *moving, sheaf_report *sum)
{
    const double own = part->model->strand_count - (double)its->frozen_strands;
    const double all = *moving + own;
    sum->time = its->time;
    sum->step = its->step;
    sum->kinetic += its->kinetic;
    sum->bending += its->bending;
    sum->twisting += its->twisting;
    sum->gravitational += its->gravitational;
    sum->worst_strain = fmax(sum->worst_strain, its->worst_strain);
    sum->twist_residual = fmax(sum->twist_residual, its->twist_residual);
    sum->frozen_strands += its->frozen_strands;
    sum->unmet_strands += its->unmet_strands;
    if (all > 0) {
        sum->mean_newton = (sum->mean_newton * *moving + its->mean_newton * own) / all;
        sum->mean_projections = (sum->mean_projections * *moving + its->mean_projections * own) / all;
    }
    *moving = all;
}

sheaf_status parts_report(solver_parts *parts, sheaf_report *report)
{
    double moving = 0;
    if (parts->count == 1)
        return parts->part[0].backend->report(parts->part[0].instance, report);
    *report = (sheaf_report){0};
    for (uint32_t k = 0; k < parts->count; k++) {
        sheaf_report its;
        SHEAF_TRY(parts->part[k].backend->report(parts->part[k].instance, &its));
        add_report(&parts->part[k], &its, &moving, report);
    }
    return SHEAF_OK;
}

static void join_figure(const method_figure *its, method_figure *sums, uint32_t *count)
{
    uint32_t k = 0;
    while (k < *count && strcmp(sums[k].name, its->name) != 0)
        k++;
    if (k == *count)
        sums[(*count)++] = *its;
    else if (its->join == METHOD_JOIN_SUM)
        sums[k].value += its->value;
    else
        sums[k].value = fmax(sums[k].value, its->value);
}

// Those of a part now, or of a note.
static sheaf_status figures_of(const solver_part *part, const uint32_t *note, method_figure *figures, uint32_t *count)
{
    *count = 0;
    if (note == NULL && part->backend->figures != NULL)
        return part->backend->figures(part->instance, figures, count);
    if (note != NULL && part->backend->note_figures != NULL)
        return part->backend->note_figures(part->instance, *note, figures, count);
    return SHEAF_OK;
}

sheaf_status parts_figures(solver_parts *parts, const uint32_t *note, method_figure *figures, uint32_t *count)
{
    *count = 0;
    for (uint32_t k = 0; k < parts->count; k++) {
        const solver_part *part = &parts->part[k];
        method_figure its[METHOD_FIGURES_MAX];
        uint32_t own;
        SHEAF_TRY(figures_of(part, note, its, &own));
        for (uint32_t n = 0; n < own; n++)
            join_figure(&its[n], figures, count);
    }
    return SHEAF_OK;
}

// The next incident of a part, in the scene's numbers; false: there are no more of them, or `status` says what failed.
static bool find_next(const solver_part *part, uint32_t index, sheaf_incident *incident, sheaf_status *status)
{
    const sheaf_status its = part->backend->incident(part->instance, index, incident);
    if (its != SHEAF_OK && its != SHEAF_ERR_USAGE)
        *status = its;
    if (its == SHEAF_OK && part->strands != NULL)
        incident->strand = part->strands[incident->strand];
    return its == SHEAF_OK;
}

static bool is_earlier(const sheaf_incident *a, const sheaf_incident *b)
{
    return a->step != b->step ? a->step < b->step : a->strand < b->strand;
}

// Every part has its own in order: merges them until the wanted one comes.
static sheaf_status merge_incidents(const solver_parts *parts, uint32_t index, sheaf_incident *incident)
{
    uint32_t taken[METHOD_PARTS_MAX] = {0};
    sheaf_status status = SHEAF_OK;
    for (uint32_t n = 0;; n++) {
        uint32_t first = UINT32_MAX;
        for (uint32_t k = 0; k < parts->count; k++) {
            sheaf_incident its;
            if (!find_next(&parts->part[k], taken[k], &its, &status) ||
                (first != UINT32_MAX && !is_earlier(&its, incident)))
                continue;
            *incident = its;
            first = k;
        }
        if (status != SHEAF_OK)
            return status;
        if (first == UINT32_MAX)
            return base_fail(SHEAF_ERR_USAGE, "incident %u of %u: there are not so many", index, n);
        if (n == index)
            return SHEAF_OK;
        taken[first]++;
    }
}

sheaf_status parts_incident(const solver_parts *parts, uint32_t index, sheaf_incident *incident)
{
    if (parts->count == 1)
        return parts->part[0].backend->incident(parts->part[0].instance, index, incident);
    return merge_incidents(parts, index, incident);
}

// ---- notes

uint32_t parts_notes_most(const solver_parts *parts)
{
    uint32_t most = METHOD_NOTES_MAX;
    for (uint32_t k = 0; k < parts->count; k++) {
        const solver_part *part = &parts->part[k];
        const uint32_t its = part->backend->notes_most != NULL ? part->backend->notes_most(part->instance) : 0;
        most = its < most ? its : most;
    }
    return most;
}

sheaf_status parts_step_noting(solver_parts *parts, uint32_t count, const uint32_t *after, uint32_t note_count,
                               bool with_poses)
{
    SHEAF_TRY(check_together(parts));
    sheaf_status status = SHEAF_OK;
    for (uint32_t k = 0; k < parts->count && status == SHEAF_OK; k++)
        status = parts->part[k].backend->step_noting(parts->part[k].instance, count, after, note_count, with_poses);
    return after_step(parts, status);
}

sheaf_status parts_note_report(solver_parts *parts, uint32_t note, sheaf_report *report)
{
    double moving = 0;
    if (parts->count == 1)
        return parts->part[0].backend->note_report(parts->part[0].instance, note, report);
    *report = (sheaf_report){0};
    for (uint32_t k = 0; k < parts->count; k++) {
        sheaf_report its;
        SHEAF_TRY(parts->part[k].backend->note_report(parts->part[k].instance, note, &its));
        add_report(&parts->part[k], &its, &moving, report);
    }
    return SHEAF_OK;
}

sheaf_status parts_note_positions(solver_parts *parts, uint32_t note, method_sample sample, double (*positions)[3])
{
    return read_parts(parts, (vectors_wanted){WANTED_NOTED, note}, sample, positions);
}

// ---- arrays

uint32_t parts_arrays(const solver_parts *parts, method_array *arrays)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < parts->count; k++) {
        const solver_part *part = &parts->part[k];
        const uint32_t own = part->backend->arrays(part->instance, arrays + count);
        for (uint32_t a = 0; part->names != NULL && a < own; a++)
            arrays[count + a].name = part->names[a];
        count += own;
    }
    return count;
}

solver_part *parts_of_array(solver_parts *parts, uint32_t *index)
{
    method_array arrays[METHOD_ARRAYS_MAX];
    uint32_t k = 0;
    for (; k + 1 < parts->count; k++) {
        const uint32_t count = parts->part[k].backend->arrays(parts->part[k].instance, arrays);
        if (*index < count)
            break;
        *index -= count;
    }
    return &parts->part[k];
}

// ---- what they run on

sheaf_status parts_stages(const solver_parts *parts, method_stage *stages, uint32_t *count)
{
    *count = 0;
    for (uint32_t k = 0; k < parts->count; k++) {
        const solver_part *part = &parts->part[k];
        uint32_t own = 0;
        if (part->backend->stages != NULL)
            SHEAF_TRY(part->backend->stages(part->instance, stages + *count, &own));
        *count += own;
    }
    return SHEAF_OK;
}

const char *parts_precision(const solver_parts *parts)
{
    uint32_t doubles = 0;
    for (uint32_t k = 0; k < parts->count; k++)
        doubles += parts->part[k].backend->place(parts->part[k].instance).is_double;
    if (doubles == 0)
        return "single";
    return doubles == parts->count ? "double" : "mixed";
}
