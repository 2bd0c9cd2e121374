// steps: whole steps of the engine, staged and fused, against the reference that replays the engine's schedule; and the
// same bits from every form.
#include "der/verify/parts.h"

#include "base/vec.h"
#include "der/verify/population.h"
#include "der/verify/replay.h"
#include "verify/compare.h"

#include <float.h>

// ---- the list of comparisons

typedef struct step_method {
    const char *stage;
    sheaf_integrator integrator;
    sheaf_projector projector;
    uint32_t projections;
    bool is_plain;                   // strands of one kind: the others are covered by other methods
    int stops;                       // how many of replay_stops have a bar
    verify_bar bars[REPLAY_STOPS];   // of position errors, as a share of the strand's length
    const verify_quantity *touching; // [stop] the same of strands that colliders have pressed on; NULL: no colliders
} step_method;

#define IMPLICIT_BARS                                                                                                  \
    {                                                                                                                  \
        {2e-5, 1e-11}, {2e-5, 1e-10}, {1e-4, 1e-9},                                                                    \
    }
#define EXPLICIT_BARS                                                                                                  \
    {                                                                                                                  \
        {5e-7, 1e-13}, {2e-6, 1e-12}, {1e-5, 1e-11}, {1e-4, 1e-9},                                                     \
    }

// Relaxed lengths leave a strand springy: two strands that differ by one rounding of the reference's coordinates, 2e-16
// m, are up to 4e-12 of their length apart after 100 steps, so that the largest of 1000 errors is beyond 1e-11 in
// double.
#define RELAXED_BARS                                                                                                   \
    {                                                                                                                  \
        {5e-7, 1e-13}, {2e-6, 1e-12}, {1e-5, 2e-11}, {1e-4, 1e-9},                                                     \
    }

// Friction holds what creeps by less than 0.4 um in an implicit step, which takes six digits of a strand's length:
// there rounding decides whether a vertex sticks or slides, and strands go different ways.
static const verify_quantity implicit_touching[] = {
    {"1 step, touching", {2e-5, 1e-11}, VERIFY_MAX},
    {"10 steps, touching", {2e-5, 1e-10}, VERIFY_MEDIAN},
    {"100 steps, touching", {1e-4, 1e-9}, VERIFY_MEDIAN},
};
static const verify_quantity explicit_touching[] = {
    {"1 step, touching", {5e-7, 1e-13}, VERIFY_MAX},
    {"10 steps, touching", {1e-5, 1e-12}, VERIFY_MAX},
    {"100 steps, touching", {1e-4, 1e-11}, VERIFY_MAX},
};

static const step_method methods[] = {
    {"bdf2", SHEAF_INTEGRATOR_BDF2, SHEAF_PROJECTOR_TRIDIAGONAL, 32, false, 3, IMPLICIT_BARS, NULL},
    {"euler", SHEAF_INTEGRATOR_EULER, SHEAF_PROJECTOR_TRIDIAGONAL, 32, true, 3, IMPLICIT_BARS, NULL},
    {"explicit", SHEAF_INTEGRATOR_EXPLICIT, SHEAF_PROJECTOR_TRIDIAGONAL, 32, false, 4, EXPLICIT_BARS, NULL},
    {"jacobi", SHEAF_INTEGRATOR_EXPLICIT, SHEAF_PROJECTOR_JACOBI, 20, true, 4, RELAXED_BARS, NULL},
    {"bdf2_contact", SHEAF_INTEGRATOR_BDF2, SHEAF_PROJECTOR_TRIDIAGONAL, 8, true, 3, IMPLICIT_BARS, implicit_touching},
    {"explicit_contact", SHEAF_INTEGRATOR_EXPLICIT, SHEAF_PROJECTOR_TRIDIAGONAL, 8, true, 3, EXPLICIT_BARS,
     explicit_touching},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

static const char *const stop_names[REPLAY_STOPS] = {"1 step", "10 steps", "100 steps", "1000 steps"};

static const verify_quantity strain_quantity = {.name = "strain over bound", .bar = {1, 1}};
static const verify_quantity frame_quantity = {.name = "frame", .bar = {2e-6, 1e-13}};
static const verify_quantity bits_quantity = {.name = "bits of all forms", .bar = {0, 0}};

// ---- one engine

typedef struct step_run {
    verifier *v;
    const step_method *method;
    const sheaf_model *model;
    replay expected;
    uint64_t *bits; // [strand] of the engine that was replayed
    sheaf_engine *engine;
    mirror now; // what the engine has come to
} step_run;

static double strand_length(const sheaf_model *model, uint32_t strand)
{
    double length = 0;
    for (uint64_t j = model->first_vertex[strand]; j + 1 < model->first_vertex[strand + 1]; j++)
        length += model->rest_length[j];
    return length;
}

// Largest distance of a vertex from where the reference has it, as a share of the strand's length. What holds an end is
// given in the scene's coordinates, whose rounding far from the origin is input, not error: the reference has it
// nearer.
static double position_error(const step_run *run, uint32_t strand, int stop)
{
    double(*const expected)[3] = run->expected.positions[stop] + run->model->first_vertex[strand];
    double measured[POPULATION_VERTEX_MOST][3] = {{0}};
    comparison c = {0};
    mirror_positions(&run->now, strand, replay_stops[stop] * run->model->def.step, measured);
    for (uint32_t i = 0; i < model_vertex_count(run->model, strand); i++)
        compare_vector(&c, measured[i], expected[i]);
    const double given = DBL_EPSILON * vec_length(run->model->position[run->model->first_vertex[strand]]);
    return compare_larger(c.error - given, 0) / strand_length(run->model, strand);
}

static sheaf_status compare_positions(step_run *run, int stop)
{
    const verify_quantity free = {.name = stop_names[stop], .bar = run->method->bars[stop]};
    for (uint32_t s = 0; s < run->model->strand_count; s++) {
        const bool is_touched = run->expected.touched[s] <= replay_stops[stop];
        SHEAF_TRY(rows_add(run->v, run->method->stage, is_touched ? &run->method->touching[stop] : &free,
                           position_error(run, s, stop)));
    }
    return SHEAF_OK;
}

// ---- edges and frames at the end

// Strain over what is allowed: 1.25 times that of the reference after as many projections, and what rounding of the
// strand's extent makes of its shortest edge; pushes out of colliders may leave a thousandth. And how far directors are
// from unit vectors across their edges.
static sheaf_status compare_edges(step_run *run, uint32_t strand)
{
    const uint64_t first = run->model->first_vertex[strand];
    const double epsilon = run->v->form.is_double ? DBL_EPSILON : (double)FLT_EPSILON;
    double strain = 0, frame = 0, shortest = INFINITY;
    for (uint32_t j = 0; j + 1 < model_vertex_count(run->model, strand); j++) {
        const double rest = run->model->rest_length[first + j];
        double edge[3], director[3];
        mirror_array_vector(&run->now, DER_edge, strand, j, 0, edge);
        mirror_array_vector(&run->now, DER_director, strand, j, 0, director);
        strain = compare_larger(strain, fabs(vec_length(edge) / rest - 1));
        frame = compare_larger(frame, fabs(vec_length(director) - 1));
        frame = compare_larger(frame, fabs(vec_dot(director, edge)) / vec_length(edge));
        shortest = fmin(shortest, rest);
    }
    const double rounding = 4 * epsilon * strand_length(run->model, strand) / shortest;
    const double pushed = run->expected.touched[strand] <= run->expected.steps ? 1e-3 : 0;
    const double allowed = 1.25 * run->expected.strain[strand] + rounding + pushed;
    SHEAF_TRY(rows_add(run->v, run->method->stage, &strain_quantity, strain / allowed));
    return rows_add(run->v, run->method->stage, &frame_quantity, frame);
}

// ---- bits

// Hash of one strand's numbers in all arrays of the state. The last vertex has no edge after it and no twist: what
// kernels leave there depends on whether the strand is padded.
static uint64_t hash_strand(const mirror *it, uint32_t strand)
{
    const uint32_t vertices = model_vertex_count(&it->model, strand);
    uint64_t hash = 0;
    for (der_field array = 0; array < DER_FIELD_COUNT; array++) {
        const bool has_no_last =
            array == DER_edge || array == DER_director || array == DER_tension || array == DER_twist;
        const uint32_t rows = (der_device.bundles.fields[array].rows == FIELD_ROWS_BUNDLE) ? 1
                              : has_no_last                                                ? vertices - 1
                                                                                           : vertices;
        for (uint32_t i = 0; (der_device.bundles.fields[array].role == FIELD_ROLE_STATE) && i < rows; i++)
            for (uint32_t c = 0; c < der_device.bundles.fields[array].components; c++) {
                const double value = mirror_number(it, array, strand, i, c);
                hash = base_hash(&value, sizeof value, hash);
            }
    }
    return hash;
}

// Errors are 0 for strands with the same bits, else 1.
static sheaf_status compare_bits(step_run *run, uint32_t strand)
{
    const bool is_same = hash_strand(&run->now, strand) == run->bits[strand];
    return rows_add(run->v, run->method->stage, &bits_quantity, is_same ? 0 : 1);
}

// ---- all forms

static sheaf_status run_stops(step_run *run)
{
    uint32_t done = 0;
    SHEAF_TRY(mirror_open(run->engine, &run->now));
    for (int k = 0; k < run->expected.stop_count; k++) {
        SHEAF_TRY(engine_step(run->engine, replay_stops[k] - done));
        SHEAF_TRY(mirror_read(&run->now));
        done = replay_stops[k];
        SHEAF_TRY(compare_positions(run, k));
    }
    for (uint32_t s = 0; s < run->model->strand_count; s++) {
        SHEAF_TRY(compare_edges(run, s));
        SHEAF_TRY(compare_bits(run, s));
    }
    return SHEAF_OK;
}

static sheaf_status verify_schedule(step_run *run, const char *schedule)
{
    run->v->schedule = schedule;
    verify_progress(run->v, run->method->stage);
    const engine_options options = verify_engine_options(run->v, run->model->def.step);
    if (run->v->stopped)
        return SHEAF_OK;
    SHEAF_TRY(der_open_engine(run->model, &options, &run->engine));
    const sheaf_status status = run_stops(run);
    mirror_close(&run->now);
    engine_close(run->engine);
    if (status == SHEAF_OK)
        rows_emit(run->v);
    return status;
}

static int count_stops(const step_run *run)
{
    int count = 1;
    while (count < run->method->stops && replay_stops[count] <= run->v->options->steps)
        count++;
    return count;
}

static sheaf_status replay_and_hash(step_run *run, sheaf_engine *engine)
{
    mirror now;
    SHEAF_TRY(replay_open(engine, VERIFY_TWIST_ITERATIONS, count_stops(run), &run->expected));
    SHEAF_TRY(mirror_open(engine, &now));
    for (uint32_t s = 0; s < run->model->strand_count; s++)
        run->bits[s] = hash_strand(&now, s);
    mirror_close(&now);
    return SHEAF_OK;
}

// The reference is the same for all forms of a precision: it starts from the same rounded numbers.
static sheaf_status open_replay(step_run *run)
{
    sheaf_engine *engine;
    run->v->schedule = "fused";
    verify_progress(run->v, "the reference");
    const engine_options options = verify_engine_options(run->v, run->model->def.step);
    SHEAF_TRY(der_open_engine(run->model, &options, &engine));
    const sheaf_status status = replay_and_hash(run, engine);
    engine_close(engine);
    return status;
}

static sheaf_status verify_precision(step_run *run, bool is_double)
{
    for (int k = 0; k < VERIFY_FORM_COUNT; k++) {
        const verify_form *form = &verify_form_list[k];
        if (form->is_double != is_double || !verify_wants_form(run->v, form))
            continue;
        run->v->form = *form;
        if (run->expected.stop_count == 0)
            SHEAF_TRY(open_replay(run));
        SHEAF_TRY(verify_schedule(run, "staged"));
        SHEAF_TRY(verify_schedule(run, "fused"));
    }
    replay_close(&run->expected);
    return SHEAF_OK;
}

static sheaf_status verify_model(step_run *run)
{
    run->bits = base_alloc(run->model->strand_count, sizeof *run->bits);
    sheaf_status status = run->bits ? SHEAF_OK : SHEAF_ERR_MEMORY;
    for (int is_double = 0; is_double < 2 && status == SHEAF_OK; is_double++)
        status = verify_precision(run, is_double);
    replay_close(&run->expected);
    base_free(run->bits);
    return status;
}

static sheaf_status verify_method(verifier *v, const step_method *method)
{
    const population_options population = {.integrator = method->integrator,
                                           .projector = method->projector,
                                           .is_calm = true,
                                           .is_plain = method->is_plain,
                                           .is_gusty = method->touching != NULL,
                                           .has_colliders = method->touching != NULL,
                                           .first = v->options->first,
                                           .strand_count = v->options->strands,
                                           .vertex_most = v->options->vertex_most,
                                           .projections = method->projections,
                                           .seed = v->options->seed};
    sheaf_model *model;
    SHEAF_TRY(population_create(&population, &model));
    step_run run = {.v = v, .method = method, .model = model};
    const sheaf_status status = verify_model(&run);
    sheaf_model_free(model);
    return status;
}

sheaf_status verify_whole_steps(verifier *v)
{
    for (int k = 0; k < METHODS; k++)
        if (verify_wants(v, methods[k].stage))
            SHEAF_TRY(verify_method(v, &methods[k]));
    return SHEAF_OK;
}

// Both schedules of every form, and the reference for each precision.
uint32_t verify_steps_work(const verifier *v)
{
    uint32_t work = 0;
    for (int k = 0; k < METHODS; k++) {
        bool has_replay[2] = {false, false};
        for (int f = 0; f < VERIFY_FORM_COUNT; f++)
            if (verify_wants(v, methods[k].stage) && verify_wants_form(v, &verify_form_list[f])) {
                work += has_replay[verify_form_list[f].is_double] ? 2 : 3;
                has_replay[verify_form_list[f].is_double] = true;
            }
    }
    return work;
}
