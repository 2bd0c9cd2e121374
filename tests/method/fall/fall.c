// fall: the smallest method, there to show what one is made of: strands that fall as rigid bodies and do not turn.
// Under constant acceleration x(t + h) = x + h v + h^2 g / 2 and v(t + h) = v + h g are exact. On the reference only.
#include "method/method.h"

#include "base/vec.h"
#include "model/model.h"

#include <string.h>

#define SPEED_MAX 50.0 // m/s: a faster strand is frozen

// One strand; all numbers are doubles, so that a checkpoint keeps it as rows of them.
typedef struct body {
    double shift[3];         // m, from its initial pose
    double velocity[3];      // m/s
    double frozen_at, speed; // the step, 0: it moves; m/s, what it was found with
} body;

typedef struct fall {
    const sheaf_model *model;
    body *bodies; // [strand]
    double step;  // s
    uint64_t steps;
} fall;

static void close_fall(void *instance)
{
    fall *f = instance;
    if (f != NULL)
        base_free(f->bodies);
    base_free(f);
}

static sheaf_status open_fall(const sheaf_model *model, const method_open *how, void **instance)
{
    if (!model_has_arrays(model))
        return base_fail(SHEAF_ERR_LIMIT, "fall: the scene has too many vertices for this method");
    fall *f = base_alloc(1, sizeof *f);
    *instance = f;
    if (f == NULL)
        return SHEAF_ERR_MEMORY;
    *f = (fall){.model = model, .step = how->step, .bodies = base_alloc(model->strand_count, sizeof *f->bodies)};
    if (f->bodies != NULL)
        return SHEAF_OK;
    close_fall(f);
    *instance = NULL;
    return SHEAF_ERR_MEMORY;
}

static void move(body *b, const double *gravity, double h, uint64_t step)
{
    if (b->frozen_at > 0)
        return;
    vec_axpy(b->shift, h, b->velocity);
    vec_axpy(b->shift, h * h / 2, gravity);
    vec_axpy(b->velocity, h, gravity);
    if (vec_length(b->velocity) > SPEED_MAX) {
        b->speed = vec_length(b->velocity);
        b->frozen_at = (double)step;
        vec_set(b->velocity, 0, 0, 0);
    }
}

static sheaf_status step(void *instance, uint32_t count)
{
    fall *f = instance;
    for (uint32_t k = 0; k < count; k++, f->steps++)
        for (uint32_t s = 0; s < f->model->strand_count; s++)
            move(&f->bodies[s], f->model->def.gravity, f->step, f->steps + 1);
    return SHEAF_OK;
}

static sheaf_status read_positions(void *instance, method_sample sample, double (*positions)[3])
{
    const fall *f = instance;
    for (uint32_t s = 0; s < f->model->strand_count; s += sample.stride)
        for (uint32_t i = 0; i < model_vertex_count(f->model, s); i++)
            vec_add(positions[sample.first_vertex[s / sample.stride] + i],
                    f->model->position[f->model->first_vertex[s] + i], f->bodies[s].shift);
    return SHEAF_OK;
}

static sheaf_status read_velocities(void *instance, method_sample sample, double (*velocities)[3])
{
    const fall *f = instance;
    for (uint32_t s = 0; s < f->model->strand_count; s += sample.stride)
        for (uint32_t i = 0; i < model_vertex_count(f->model, s); i++)
            vec_copy(velocities[sample.first_vertex[s / sample.stride] + i], f->bodies[s].velocity);
    return SHEAF_OK;
}

static sheaf_status read_directors(void *instance, double (*directors)[3])
{
    const sheaf_model *model = ((const fall *)instance)->model;
    memcpy(directors, model->director, model->vertex_count * sizeof *directors);
    return SHEAF_OK;
}

// The momentum that one vertex is given becomes that of the whole strand.
static sheaf_status push(void *instance, uint32_t strand, uint32_t vertex, const double change[3])
{
    const fall *f = instance;
    const double mass = f->model->mass[f->model->first_vertex[strand] + vertex];
    vec_axpy(f->bodies[strand].velocity, mass / f->model->strands[strand].mass, change);
    return SHEAF_OK;
}

static sheaf_status make_report(void *instance, sheaf_report *report)
{
    const fall *f = instance;
    *report = (sheaf_report){.time = (double)f->steps * f->step, .step = f->steps};
    for (uint32_t s = 0; s < f->model->strand_count; s++) {
        const body *b = &f->bodies[s];
        const sheaf_model *model = f->model;
        report->kinetic += model->strands[s].mass * vec_dot(b->velocity, b->velocity) / 2;
        report->gravitational -= model->strands[s].mass * vec_dot(model->def.gravity, b->shift);
        for (uint64_t i = model->first_vertex[s]; i < model->first_vertex[s + 1]; i++)
            report->gravitational -= model->mass[i] * vec_dot(model->def.gravity, model->position[i]);
        report->frozen_strands += b->frozen_at > 0;
    }
    return SHEAF_OK;
}

// Place of a frozen strand in the order in which they froze.
static uint32_t rank_of(const fall *f, uint32_t strand)
{
    const double own = f->bodies[strand].frozen_at;
    uint32_t rank = 0;
    for (uint32_t s = 0; s < f->model->strand_count; s++) {
        const double its = f->bodies[s].frozen_at;
        rank += its > 0 && (its < own || (its == own && s < strand));
    }
    return rank;
}

static sheaf_status find_incident(void *instance, uint32_t index, sheaf_incident *incident)
{
    const fall *f = instance;
    for (uint32_t s = 0; s < f->model->strand_count; s++)
        if (f->bodies[s].frozen_at > 0 && rank_of(f, s) == index) {
            *incident = (sheaf_incident){s, 0, (uint64_t)f->bodies[s].frozen_at, "velocity", f->bodies[s].speed};
            return SHEAF_OK;
        }
    return base_fail(SHEAF_ERR_USAGE, "incident %u: there are not so many", index);
}

// ---- the whole state as arrays: named as those of another method are, on purpose

static const struct {
    const char *name;
    size_t offset;
    uint32_t components;
} parts[] = {{"position", offsetof(body, shift), 3},
             {"velocity", offsetof(body, velocity), 3},
             {"record", offsetof(body, frozen_at), 2}};
enum { PARTS = sizeof parts / sizeof parts[0] };

static uint32_t list_arrays(const void *instance, method_array *arrays)
{
    const fall *f = instance;
    for (uint32_t k = 0; k < PARTS; k++)
        arrays[k] = (method_array){parts[k].name, f->model->strand_count, parts[k].components, true, false};
    return PARTS;
}

static sheaf_status read_array(void *instance, uint32_t index, void *values)
{
    const fall *f = instance;
    const size_t size = parts[index].components * sizeof(double);
    for (uint32_t s = 0; s < f->model->strand_count; s++)
        memcpy((char *)values + s * size, (const char *)&f->bodies[s] + parts[index].offset, size);
    return SHEAF_OK;
}

static sheaf_status write_array(void *instance, uint32_t index, const void *values)
{
    const fall *f = instance;
    const size_t size = parts[index].components * sizeof(double);
    for (uint32_t s = 0; s < f->model->strand_count; s++)
        memcpy((char *)&f->bodies[s] + parts[index].offset, (const char *)values + s * size, size);
    return SHEAF_OK;
}

static uint64_t count_steps(const void *instance)
{
    return ((const fall *)instance)->steps;
}

static void set_steps(void *instance, uint64_t steps)
{
    ((fall *)instance)->steps = steps;
}

static method_place describe_place(const void *instance)
{
    (void)instance;
    return (method_place){.device = "reference", .form = "scalar", .is_double = true};
}

static const method_backend on_reference = {
    .open = open_fall,
    .close = close_fall,
    .step = step,
    .read_positions = read_positions,
    .read_velocities = read_velocities,
    .read_directors = read_directors,
    .push = push,
    .report = make_report,
    .incident = find_incident,
    .arrays = list_arrays,
    .read_array = read_array,
    .write_array = write_array,
    .steps = count_steps,
    .set_steps = set_steps,
    .place = describe_place,
};

extern const method method_fall;
const method method_fall = {.name = "fall", .purpose = "strands that fall as rigid bodies", .reference = &on_reference};
