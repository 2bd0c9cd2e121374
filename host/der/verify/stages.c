// stages: runs single stages of the engine on random strands, one after the other, and compares what each did with what
// the reference does from the same numbers. An error so belongs to one stage.
#include "der/verify/parts.h"

#include "der/verify/measure.h"
#include "der/verify/population.h"

#include <string.h>

#include "kernels/der/slots.clh"
#include "kernels/world/slots.clh"

// ---- the list of comparisons

// What is looked at after a stage of the engine has run.
typedef struct stage_check {
    const char *stage;
    measure_fn *measure;
    verify_quantity quantities[MEASURE_MOST];
    bool has_vertices; // also errors of forces at single vertices
} stage_check;

static const verify_quantity vertex_quantities[] = {
    {"force at a vertex", {1e-4, 1e-10}, VERIFY_P99},
    {"typical force at a vertex", {3e-6, 1e-12}, VERIFY_MEDIAN},
};

static const stage_check check_external = {
    .stage = "external", .measure = measure_external, .quantities = {{.name = "displacement", .bar = {1e-5, 1e-11}}}};
static const stage_check check_guess = {
    .stage = "guess", .measure = measure_guess, .quantities = {{.name = "displacement", .bar = {5e-7, 1e-12}}}};
static const stage_check check_ends = {.stage = "ends",
                                       .measure = measure_ends,
                                       .quantities = {{.name = "place", .bar = {5e-7, 1e-12}},
                                                      {.name = "edge", .bar = {2e-6, 1e-12}},
                                                      {.name = "director", .bar = {2e-6, 1e-12}}}};
static const stage_check check_frames = {
    .stage = "frames",
    .measure = measure_frames,
    .quantities = {{.name = "tangent", .bar = {2e-6, 1e-12}}, {.name = "director", .bar = {2e-6, 1e-12}}}};
static const stage_check check_curvature = {.stage = "curvature",
                                            .measure = measure_curvature,
                                            .quantities = {{.name = "curvature", .bar = {1e-5, 1e-11}},
                                                           {.name = "twist", .bar = {2e-5, 1e-11}},
                                                           {.name = "bending energy", .bar = {5e-6, 1e-12}},
                                                           {.name = "twisting energy", .bar = {5e-6, 1e-12}}}};
static const stage_check check_twist = {.stage = "twist",
                                        .measure = measure_twist,
                                        .quantities = {{.name = "turn", .bar = {2e-5, 1e-11}},
                                                       {.name = "residual", .bar = {1e-5, 1e-13}},
                                                       {.name = "curvature", .bar = {1e-5, 1e-11}},
                                                       {.name = "twist", .bar = {2e-5, 1e-11}}}};
static const stage_check check_bend_twist = {
    .stage = "bend_twist",
    .measure = measure_bend_twist,
    .quantities = {{.name = "force", .bar = {1e-5, 1e-11}}, {.name = "torque balance", .bar = {1e-6, 1e-12}}},
    .has_vertices = true};
static const stage_check check_assemble = {.stage = "assemble",
                                           .measure = measure_assemble,
                                           .quantities = {{.name = "block", .bar = {2e-6, 1e-13}},
                                                          {.name = "mixed block", .bar = {2e-6, 1e-13}},
                                                          {.name = "gradient", .bar = {1e-6, 1e-13}},
                                                          {.name = "strain", .bar = {1e-6, 1e-13}}}};
static const stage_check check_solve = {
    .stage = "solve", .measure = measure_solve, .quantities = {{.name = "first displacement", .bar = {2e-5, 1e-11}}}};
static const stage_check check_solve_again = {
    .stage = "solve",
    .measure = measure_solve,
    .quantities = {{.name = "next displacement", .bar = {2e-5, 1e-11}}, {.name = "tension", .bar = {2e-5, 1e-11}}}};
// Strands that nothing carries have their places from the scene's origin, 100 m of which single precision rounds to 4
// um.
static const stage_check check_wind = {
    .stage = "wind", .measure = measure_wind, .quantities = {{.name = "air", .bar = {5e-4, 1e-11}}}};
static const stage_check check_wind_solve = {
    .stage = "wind", .measure = measure_solve, .quantities = {{.name = "displacement", .bar = {2e-5, 1e-11}}}};
// The same rounding of places; a normal may be that of another surface as near, or of the other side of an edge,
// rounding may decide whether a vertex sticks or slides, and edges may fold back on each other, where curvature is
// bounded.
static const stage_check check_contact = {
    .stage = "contact",
    .measure = measure_contact,
    .quantities = {{.name = "distance", .bar = {1e-4, 1e-11}}, {.name = "normal", .bar = {1e-3, 1e-10}, VERIFY_P99}}};
static const stage_check check_contact_solve = {
    .stage = "contact",
    .measure = measure_solve,
    .quantities = {{.name = "displacement", .bar = {1e-3, 1e-10}, .judged = VERIFY_P99}}};
// Pushes are as right as distances and normals are. An edge that has to turn farther than it can comes to lie along a
// normal, sqrt(1 - 1) = 0 of its length off it: there rounding shows by its root.
static const stage_check check_push = {.stage = "collide",
                                       .measure = measure_collide,
                                       .quantities = {{.name = "push", .bar = {1e-4, 1e-11}, .judged = VERIFY_P99},
                                                      {.name = "force", .bar = {1e-4, 1e-11}, .judged = VERIFY_P99}}};
static const stage_check check_pass = {
    .stage = "collide",
    .measure = measure_collide,
    .quantities = {{.name = "push and lengths", .bar = {1e-4, 1e-11}, .judged = VERIFY_P99}}};
static const stage_check check_sweep = {
    .stage = "collide",
    .measure = measure_collide,
    .quantities = {{.name = "turned edges", .bar = {1e-3, 1e-7}, .judged = VERIFY_P99}}};
static const stage_check check_integrate = {
    .stage = "integrate", .measure = measure_integrate, .quantities = {{.name = "displacement", .bar = {5e-7, 5e-12}}}};
static const stage_check check_project = {.stage = "project",
                                          .measure = measure_project,
                                          .quantities = {{.name = "displacement", .bar = {5e-7, 1e-12}},
                                                         {.name = "edge", .bar = {5e-7, 1e-12}},
                                                         {.name = "pull", .bar = {5e-7, 1e-12}}}};
static const stage_check check_finish = {.stage = "finish",
                                         .measure = measure_finish,
                                         .quantities = {{.name = "velocity", .bar = {2e-6, 1e-11}},
                                                        {.name = "displacement", .bar = {2e-6, 1e-11}},
                                                        {.name = "last velocity", .bar = {0, 0}},
                                                        {.name = "twist", .bar = {2e-5, 1e-11}},
                                                        {.name = "tension", .bar = {1e-6, 1e-13}}}};

// Projectors other than the tridiagonal solve, on kernels of their own.
enum { RELAXATIONS = 3 };
static const struct {
    sheaf_projector projector;
    uint32_t projections; // where strands cannot have had enough yet
    stage_check check;
} relaxations[RELAXATIONS] = {
    {SHEAF_PROJECTOR_JACOBI,
     1,
     {.stage = "project", .measure = measure_project, .quantities = {{.name = "jacobi", .bar = {5e-7, 1e-12}}}}},
    {SHEAF_PROJECTOR_CHEBYSHEV, // has a memory
     2,
     {.stage = "project", .measure = measure_project, .quantities = {{.name = "chebyshev", .bar = {5e-7, 1e-12}}}}},
    {SHEAF_PROJECTOR_RED_BLACK,
     1,
     {.stage = "project", .measure = measure_project, .quantities = {{.name = "red-black", .bar = {5e-7, 1e-12}}}}},
};

// ---- chains: stages in the order of a step

enum { CHECKS_MOST = 2 };

typedef struct chain_link {
    engine_stage stage;
    int32_t iteration;
    const stage_check *checks[CHECKS_MOST];
    bool without_elasticity; // forces and stiffness are taken away before
} chain_link;

typedef struct stage_chain {
    const chain_link *links;
    size_t count;
} stage_chain;

static const chain_link implicit_links[] = {
    {STAGE_guess, 0, {&check_guess}, false},
    {STAGE_newton, 0, {NULL}, false},
    {STAGE_frames, 0, {&check_frames, &check_ends}, false},
    {STAGE_curvature, 0, {NULL}, false},
    {STAGE_twist, 0, {NULL}, false},
    {STAGE_assemble, 0, {&check_assemble}, false},
    {STAGE_solve, 0, {&check_solve}, false},
    {STAGE_newton, 1, {NULL}, false},
    {STAGE_frames, 1, {NULL}, false},
    {STAGE_curvature, 1, {NULL}, false},
    {STAGE_twist, 1, {NULL}, false},
    {STAGE_assemble, 1, {NULL}, false},
    {STAGE_solve, 1, {&check_solve_again}, false},
    {STAGE_project, 0, {&check_project}, false},
    {STAGE_finish, 0, {&check_finish}, false},
};

static const chain_link explicit_links[] = {
    {STAGE_start, 0, {NULL}, false},
    {STAGE_curvature, 0, {&check_curvature}, false},
    {STAGE_twist, 0, {&check_twist}, false},
    {STAGE_bend_twist, 0, {&check_bend_twist}, false},
    {STAGE_integrate, 0, {&check_integrate}, false},
    {STAGE_project, 0, {&check_project}, false},
    {STAGE_finish, 0, {&check_finish}, false},
};

static const chain_link implicit_external_links[] = {
    {STAGE_guess, 0, {NULL}, false},
    {STAGE_newton, 0, {NULL}, false},
    {STAGE_solve, 0, {&check_external}, true},
};

static const chain_link explicit_external_links[] = {
    {STAGE_start, 0, {NULL}, false},
    {STAGE_integrate, 0, {&check_external}, true},
};

static const chain_link wind_links[] = {
    {STAGE_guess, 0, {NULL}, false},     {STAGE_wind, 0, {&check_wind}, false},
    {STAGE_newton, 0, {NULL}, false},    {STAGE_frames, 0, {NULL}, false},
    {STAGE_curvature, 0, {NULL}, false}, {STAGE_twist, 0, {NULL}, false},
    {STAGE_assemble, 0, {NULL}, false},  {STAGE_solve, 0, {NULL}, false},
    {STAGE_newton, 1, {NULL}, false},    {STAGE_frames, 1, {NULL}, false},
    {STAGE_curvature, 1, {NULL}, false}, {STAGE_twist, 1, {NULL}, false},
    {STAGE_assemble, 1, {NULL}, false},  {STAGE_solve, 1, {&check_wind_solve}, false},
};

static const chain_link contact_links[] = {
    {STAGE_guess, 0, {NULL}, false},
    {STAGE_wind, 0, {NULL}, false},
    {STAGE_newton, 0, {NULL}, false},
    {STAGE_frames, 0, {NULL}, false},
    {STAGE_curvature, 0, {NULL}, false},
    {STAGE_twist, 0, {NULL}, false},
    {STAGE_contact, 0, {&check_contact}, false},
    {STAGE_assemble, 0, {NULL}, false},
    {STAGE_solve, 0, {NULL}, false},
    {STAGE_newton, 1, {NULL}, false},
    {STAGE_frames, 1, {NULL}, false},
    {STAGE_curvature, 1, {NULL}, false},
    {STAGE_twist, 1, {NULL}, false},
    {STAGE_contact, 1, {NULL}, false},
    {STAGE_assemble, 1, {NULL}, false},
    {STAGE_solve, 1, {&check_contact_solve}, false},
    {STAGE_collide, 0, {&check_push}, false},
    {STAGE_project, 0, {NULL}, false},
    {STAGE_collide, 1, {&check_pass}, false},
    {STAGE_project, 0, {NULL}, false}, // all strands take part in what follows
    {STAGE_collide, REF_CONTACT_PASSES, {&check_sweep}, false},
};

#define CHAIN(links)                                                                                                   \
    {                                                                                                                  \
        links, sizeof(links) / sizeof(links)[0]                                                                        \
    }
static const stage_chain implicit_chain = CHAIN(implicit_links), explicit_chain = CHAIN(explicit_links),
                         implicit_external = CHAIN(implicit_external_links),
                         explicit_external = CHAIN(explicit_external_links), wind_chain = CHAIN(wind_links),
                         contact_chain = CHAIN(contact_links), no_chain = {NULL, 0};

// ---- one population on one engine

typedef struct stage_run {
    verifier *v;
    sheaf_model *model;
    sheaf_engine *engine;
    sheaf_engine *relaxers[RELAXATIONS]; // the same population; NULL until needed
    mirror start, now;                   // what the stages start from, and what the last one has written
    void *before, *after;                // scratch
    der_kind kind;                       // whose bundles are run
    bool *wanted;                        // [strand] lies in one of them
    double *errors;                      // [strand][MEASURE_MOST]
    double *vertex_errors;
    bool is_explicit;
} stage_run;

static void close_run(stage_run *run)
{
    mirror_close(&run->start);
    mirror_close(&run->now);
    engine_close(run->engine);
    for (int k = 0; k < RELAXATIONS; k++)
        engine_close(run->relaxers[k]);
    base_free(run->before);
    base_free(run->after);
    base_free(run->wanted);
    base_free(run->errors);
    base_free(run->vertex_errors);
}

static sheaf_status open_run(verifier *v, sheaf_model *model, stage_run *run)
{
    engine_options options = verify_engine_options(v, model->def.step);
    *run = (stage_run){.v = v, .model = model, .is_explicit = model->def.integrator == SHEAF_INTEGRATOR_EXPLICIT};
    options.tuning[DER_TWIST_ITERATIONS] = 1;
    SHEAF_TRY(der_open_engine(model, &options, &run->engine));
    SHEAF_TRY(mirror_open(run->engine, &run->start));
    SHEAF_TRY(mirror_open(run->engine, &run->now));
    run->before = base_alloc(engine_scratch_bytes(run->engine), 1);
    run->after = base_alloc(engine_scratch_bytes(run->engine), 1);
    run->wanted = base_alloc(model->strand_count, sizeof *run->wanted);
    run->errors = base_alloc((size_t)model->strand_count * MEASURE_MOST, sizeof *run->errors);
    run->vertex_errors = base_alloc((size_t)model->vertex_count, sizeof *run->vertex_errors);
    if (!run->before || !run->after || !run->wanted || !run->errors || !run->vertex_errors)
        return SHEAF_ERR_MEMORY;
    return SHEAF_OK;
}

static bool choose_kind(stage_run *run, der_kind kind)
{
    const bundle_set *set = engine_bundles(run->engine);
    run->kind = kind;
    for (uint32_t s = 0; s < run->model->strand_count; s++) {
        const uint64_t bundle = set->place_of[s] / set->options.width;
        run->wanted[s] = bundle >= set->kind_first[kind] && bundle < set->kind_first[kind + 1];
    }
    return set->kind_first[kind] < set->kind_first[kind + 1];
}

static sheaf_status write_state(const stage_run *run, sheaf_engine *engine)
{
    for (der_field array = 0; array < DER_FIELD_COUNT; array++)
        if ((der_device.bundles.fields[array].role == FIELD_ROLE_STATE))
            SHEAF_TRY(engine_write_array(engine, array, run->start.arrays[array]));
    return SHEAF_OK;
}

// ---- comparing

typedef struct measuring {
    stage_run *run;
    const stage_view *view;
    measure_fn *measure;
} measuring;

static sheaf_status measure_strand(mirror *it, uint32_t strand, ref_rod *rod, void *user)
{
    const measuring *m = user;
    double *errors = m->run->errors + (size_t)strand * MEASURE_MOST;
    for (int k = 0; k < MEASURE_MOST; k++)
        errors[k] = -1;
    return m->measure(it, strand, rod, m->view, errors);
}

static sheaf_status add_vertices(stage_run *run, const stage_check *check)
{
    for (size_t k = 0; k < sizeof vertex_quantities / sizeof vertex_quantities[0]; k++) {
        for (uint64_t i = 0; i < run->model->vertex_count; i++)
            SHEAF_TRY(rows_add(run->v, check->stage, &vertex_quantities[k], run->vertex_errors[i]));
        rows_set_strands(run->v, check->stage, &vertex_quantities[k], run->model->strand_count);
    }
    return SHEAF_OK;
}

static sheaf_status compare(stage_run *run, const stage_check *check, const stage_view *view)
{
    measuring m = {run, view, check->measure};
    if (!verify_wants(run->v, check->stage))
        return SHEAF_OK;
    for (uint64_t i = 0; i < run->model->vertex_count; i++)
        run->vertex_errors[i] = -1;
    SHEAF_TRY(mirror_each(&run->start, run->wanted, measure_strand, &m));
    for (int k = 0; k < MEASURE_MOST && check->quantities[k].name != NULL; k++)
        for (uint32_t s = 0; s < run->model->strand_count; s++)
            if (run->wanted[s])
                SHEAF_TRY(rows_add(run->v, check->stage, &check->quantities[k],
                                   run->errors[(size_t)s * MEASURE_MOST + (size_t)k]));
    return check->has_vertices ? add_vertices(run, check) : SHEAF_OK;
}

// ---- running

static sheaf_status remove_elasticity(stage_run *run)
{
    const bundle_set *set = engine_bundles(run->engine);
    for (uint32_t s = 0; s < run->model->strand_count; s++)
        for (uint32_t i = 0; run->wanted[s] && i < set->most_vertices; i++)
            for (uint32_t c = Z_BLOCK_K; c < Z_BLOCK_G + 3; c++)
                engine_scratch_set(run->engine, run->before, s, i, c, 0);
    return engine_write_scratch(run->engine, run->before);
}

// Some projections of another method, from where the explicit step has come to.
static sheaf_status relax(stage_run *run, int k, const stage_view *view)
{
    const engine_options options = verify_engine_options(run->v, run->model->def.step);
    stage_view relaxed = *view;
    relaxed.projections = relaxations[k].projections;
    run->model->def.projector = run->start.model.def.projector = relaxations[k].projector;
    if (run->relaxers[k] == NULL)
        SHEAF_TRY(der_open_engine(run->model, &options, &run->relaxers[k]));
    sheaf_engine *engine = run->relaxers[k];
    SHEAF_TRY(write_state(run, engine));
    SHEAF_TRY(engine_write_scratch(engine, run->before));
    SHEAF_TRY(engine_begin_step(engine, 1));
    for (uint32_t n = 0; n < relaxed.projections; n++)
        SHEAF_TRY(engine_run_stage(engine, run->kind, STAGE_project, (int32_t)n));
    SHEAF_TRY(engine_read_scratch(engine, run->after));
    return compare(run, &relaxations[k].check, &relaxed);
}

static sheaf_status relax_by_all(stage_run *run, const stage_view *view)
{
    sheaf_status status = SHEAF_OK;
    for (int k = 0; k < RELAXATIONS && status == SHEAF_OK && verify_wants(run->v, "project"); k++)
        status = relax(run, k, view);
    run->model->def.projector = run->start.model.def.projector = SHEAF_PROJECTOR_TRIDIAGONAL;
    return status;
}

static sheaf_status run_link(stage_run *run, const chain_link *link, stage_view *view)
{
    view->iteration = link->iteration;
    SHEAF_TRY(engine_read_scratch(run->engine, run->before));
    if (link->without_elasticity)
        SHEAF_TRY(remove_elasticity(run));
    if (run->is_explicit && link->stage == STAGE_project)
        SHEAF_TRY(relax_by_all(run, view));
    SHEAF_TRY(engine_run_stage(run->engine, run->kind, link->stage, link->iteration));
    if (link->checks[0] == NULL)
        return SHEAF_OK;
    SHEAF_TRY(engine_read_scratch(run->engine, run->after));
    SHEAF_TRY(mirror_read(&run->now));
    for (int k = 0; k < CHECKS_MOST && link->checks[k] != NULL; k++)
        SHEAF_TRY(compare(run, link->checks[k], view));
    return SHEAF_OK;
}

// How many links of a chain lead to comparisons that are wanted.
static size_t links_wanted(const verifier *v, const stage_chain *chain)
{
    size_t count = 0;
    for (size_t k = 0; k < chain->count; k++)
        for (int c = 0; c < CHECKS_MOST && chain->links[k].checks[c] != NULL; c++)
            if (verify_wants(v, chain->links[k].checks[c]->stage))
                count = k + 1;
    return count;
}

// Runs a chain on all kinds of bundles, in the step after the first, so that there is a history.
static sheaf_status run_chain(stage_run *run, const stage_chain *chain)
{
    const double step = run->model->def.step;
    stage_view view = {.before = run->before,
                       .after = run->after,
                       .time = step,
                       .step = step,
                       .projections = 1,
                       .is_explicit = run->is_explicit,
                       .committed = &run->now,
                       .vertex_errors = run->vertex_errors};
    const size_t count = links_wanted(run->v, chain);
    SHEAF_TRY(write_state(run, run->engine));
    SHEAF_TRY(engine_begin_step(run->engine, 1));
    for (der_kind kind = 0; kind < DER_KIND_COUNT; kind++)
        for (size_t k = 0; choose_kind(run, kind) && k < count && !run->v->stopped; k++)
            SHEAF_TRY(run_link(run, &chain->links[k], &view));
    return SHEAF_OK;
}

// External forces act on strands at rest, all other stages on strands in motion.
static sheaf_status run_chains(stage_run *run, const stage_chain *external, const stage_chain *chain)
{
    disturb_poses(&run->start, run->v->options->seed, run->model->def.step);
    SHEAF_TRY(run_chain(run, external));
    disturb_motions(&run->start, run->v->options->seed);
    return run_chain(run, chain);
}

static sheaf_status verify_model(verifier *v, sheaf_model *model, const stage_chain *external, const stage_chain *chain)
{
    stage_run run;
    sheaf_status status = open_run(v, model, &run);
    if (status == SHEAF_OK)
        status = run_chains(&run, external, chain);
    close_run(&run);
    return status;
}

static sheaf_status verify_population(verifier *v, population_options population, const stage_chain *external,
                                      const stage_chain *chain)
{
    sheaf_model *model;
    population.first = v->options->first;
    population.strand_count = v->options->strands;
    population.vertex_most = v->options->vertex_most;
    population.projections = 8;
    population.seed = v->options->seed;
    if (links_wanted(v, external) == 0 && links_wanted(v, chain) == 0)
        return SHEAF_OK;
    SHEAF_TRY(population_create(&population, &model));
    const sheaf_status status = verify_model(v, model, external, chain);
    sheaf_model_free(model);
    return status;
}

uint32_t verify_stages_work(const verifier *v)
{
    (void)v;
    return 4;
}

sheaf_status verify_single_stages(verifier *v)
{
    verify_progress(v, "stages of an explicit step");
    const population_options is_explicit = {.integrator = SHEAF_INTEGRATOR_EXPLICIT};
    SHEAF_TRY(verify_population(v, is_explicit, &explicit_external, &explicit_chain));
    verify_progress(v, "stages of an implicit step");
    const population_options is_implicit = {.integrator = SHEAF_INTEGRATOR_BDF2};
    SHEAF_TRY(verify_population(v, is_implicit, &implicit_external, &implicit_chain));
    verify_progress(v, "stages of a step in gusts");
    const population_options is_gusty = {.integrator = SHEAF_INTEGRATOR_BDF2, .is_plain = true, .is_gusty = true};
    SHEAF_TRY(verify_population(v, is_gusty, &no_chain, &wind_chain));
    verify_progress(v, "stages of a step among colliders");
    const population_options is_blocked = {// in gusts, as whole steps are: the kernels are the same
                                           .integrator = SHEAF_INTEGRATOR_BDF2,
                                           .is_plain = true,
                                           .is_gusty = true,
                                           .has_colliders = true};
    return verify_population(v, is_blocked, &no_chain, &contact_chain);
}
