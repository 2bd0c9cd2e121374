// lift: scenes of cables that lift, opened for tests.
#ifndef SHEAF_TESTS_CABLE_LIFT_H
#define SHEAF_TESTS_CABLE_LIFT_H

#include "base/vec.h"
#include "cable/groups.h"
#include "cable/touch.h"
#include "solver/solver.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

#define LIFT_ROPE                                                                                                      \
    "materials: { rope: { line_mass: 1.6 kg/m, stretch: 18 MN, bend: 100 N*m^2, twist: 70 N*m^2, radius: 1 cm } }\n"

static inline sheaf_model *lift_model(const char *text)
{
    sheaf_scene *scene = NULL;
    sheaf_model *model = NULL;
    if (sheaf_scene_parse(text, strlen(text), "lift", &scene) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    if (sheaf_model_create(scene, &model) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    sheaf_scene_free(scene);
    return model;
}

static inline sheaf_solver *lift_solver(const sheaf_model *model)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_solver *solver = NULL;
    def.backend = SHEAF_BACKEND_REFERENCE;
    if (sheaf_solver_open(model, &def, &solver) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    return solver;
}

static inline double lift_total(sheaf_solver *solver)
{
    sheaf_report report;
    assert_int_equal(sheaf_solver_report(solver, &report), SHEAF_OK);
    if (report.frozen_strands > 0) {
        sheaf_incident incident;
        assert_int_equal(sheaf_solver_incident(solver, 0, &incident), SHEAF_OK);
        fail_msg("step %u: %s at vertex %u of cable %u is %g", (unsigned)incident.step, incident.quantity,
                 incident.vertex, incident.strand, incident.value);
    }
    return report.kinetic + report.bending + report.twisting + report.gravitational;
}

// What drives have done, J.
static inline double lift_work(sheaf_solver *solver)
{
    sheaf_figure figures[16];
    uint32_t count = 0;
    assert_int_equal(sheaf_solver_figures(solver, figures, 16, &count), SHEAF_OK);
    for (uint32_t k = 0; k < count; k++)
        if (strcmp(figures[k].name, "drive_work_J") == 0)
            return figures[k].value;
    fail_msg("no work of drives is told");
    return 0;
}

// Groups of a model by themselves, in which tensions can be read.
static inline void lift_steps(cable_groups *groups, uint64_t from, uint64_t count)
{
    for (uint64_t n = from; n < from + count; n++)
        for (uint32_t k = 0; k < groups->count; k++) {
            cable_groups_drive(groups, k, (double)(n + 1) * groups->step);
            assert_int_equal(cable_groups_touch(groups, k, (double)(n + 1) * groups->step), SHEAF_OK);
            cable_finding finding = cable_ref_step(&groups->groups[k]);
            assert_int_equal(cable_groups_wind(groups, k, &finding), SHEAF_OK);
            assert_int_equal(finding.fault, CABLE_SOUND);
        }
}

// Saves a solver after `first` steps, goes on with it and with another that has loaded it: the same bits.
static inline void lift_restart(const sheaf_model *model, uint32_t first, uint32_t then)
{
    enum { ROOM = 400 };
    static double a[ROOM][3], b[ROOM][3];
    char path[64];
    snprintf(path, sizeof path, "/tmp/sheaf-lift-%d.h5", (int)getpid());
    sheaf_solver *whole = lift_solver(model), *resumed = lift_solver(model);
    assert_int_equal(sheaf_solver_step(whole, first), SHEAF_OK);
    assert_int_equal(sheaf_solver_save(whole, path), SHEAF_OK);
    assert_int_equal(sheaf_solver_step(whole, then), SHEAF_OK);
    assert_int_equal(sheaf_solver_load(resumed, path), SHEAF_OK);
    assert_int_equal(sheaf_solver_step(resumed, then), SHEAF_OK);
    assert_int_equal(sheaf_solver_read_positions(whole, a, ROOM), SHEAF_OK);
    assert_int_equal(sheaf_solver_read_positions(resumed, b, ROOM), SHEAF_OK);
    assert_memory_equal(a, b, sheaf_model_vertex_count(model) * sizeof *a);
    assert_true(lift_work(whole) == lift_work(resumed));
    sheaf_solver_close(whole);
    sheaf_solver_close(resumed);
    remove(path);
}

#endif
