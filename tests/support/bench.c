// bench: one strand on the reference, for known answers.
#include "bench.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

#include "unit.h"

void bench_demand(sheaf_status status)
{
    if (status != SHEAF_OK)
        fail_msg("%s: %s", sheaf_status_name(status), sheaf_last_error());
}

sheaf_scene_def bench_scene(void)
{
    sheaf_scene_def scene = sheaf_scene_def_default();
    vec_set(scene.gravity, 0, 0, 0);
    scene.integrator = SHEAF_INTEGRATOR_EXPLICIT;
    return scene;
}

sheaf_material_def bench_material(double bend, double twist)
{
    sheaf_material_def material = sheaf_material_def_default();
    material.name = "bench";
    material.bend[0] = material.bend[1] = bend;
    material.twist = twist;
    material.line_mass = 1;
    return material;
}

sheaf_strand_def bench_strand(uint32_t edges)
{
    sheaf_strand_def strand = sheaf_strand_def_default();
    strand.vertex_count = edges + 1;
    strand.length = 1;
    vec_set(strand.direction, 1, 0, 0);
    vec_set(strand.normal, 0, 0, 1);
    return strand;
}

sheaf_strand_def bench_hanging(uint32_t edges, double span, double (*points)[3])
{
    const double l = 1.0 / edges, slope = acos(span);
    sheaf_strand_def strand = bench_strand(edges);
    for (uint32_t i = 0; i <= edges; i++) {
        const double s = i * l;
        vec_set(points[i], s * cos(slope), 0, -fmin(s, 1 - s) * sin(slope));
    }
    strand.shape = SHEAF_SHAPE_POINTS;
    strand.points = points[0];
    strand.natural = SHEAF_NATURAL_STRAIGHT;
    strand.root = strand.tip = sheaf_end_pinned();
    vec_set(strand.normal, 0, 1, 0);
    return strand;
}

sheaf_course bench_growing(double rate)
{
    return (sheaf_course){.kind = SHEAF_COURSE_RAMP, .value = 1e4 * rate, .duration = 1e4};
}

static void open_state(test_bench *bench)
{
    bench_demand(state_create(bench->model, &bench->state));
    bench_demand(rod_open(bench->state, 0, &bench->rod));
}

static void close_state(test_bench *bench)
{
    rod_close(&bench->rod);
    state_free(bench->state);
}

void bench_open(test_bench *bench, const sheaf_scene_def *scene_def, const sheaf_material_def *material,
                const sheaf_strand_def *strand)
{
    sheaf_scene *scene = NULL;
    bench_demand(sheaf_scene_create(scene_def, &scene));
    bench_demand(sheaf_scene_add_material(scene, material, NULL));
    bench_demand(sheaf_scene_add_strand(scene, strand));
    memset(bench, 0, sizeof *bench);
    bench_demand(sheaf_model_create(scene, &bench->model));
    sheaf_scene_free(scene);
    open_state(bench);
}

void bench_close(test_bench *bench)
{
    close_state(bench);
    sheaf_model_free(bench->model);
}

void bench_settle(test_bench *bench, double time)
{
    const ref_statics_options options = ref_statics_default();
    ref_statics_result result;
    if (bench->set_load)
        bench->set_load(bench, time);
    bench_demand(ref_equilibrium(&bench->rod, time, &options, &result));
    bench->iterations = result.iterations;
    bench->residual = result.residual;
}

double bench_lowest(test_bench *bench, double time)
{
    enum { RIGID = 6 };
    double eigenvalues[RIGID + 1];
    const bool closed = bench->rod.closed;
    bench_demand(ref_modes(&bench->rod, time, closed ? RIGID + 1 : 1, eigenvalues, NULL));
    return !closed || fabs(eigenvalues[0]) > fabs(eigenvalues[RIGID]) ? eigenvalues[0] : eigenvalues[RIGID];
}

static double settled_lowest(test_bench *bench, double time)
{
    bench_settle(bench, time);
    return bench_lowest(bench, time);
}

double bench_threshold(test_bench *bench, double low, double high)
{
    double at_low = settled_lowest(bench, low), at_high = settled_lowest(bench, high), root = low;
    assert_true(at_low > 0 && at_high < 0);
    for (int k = 0, side = 0; k < 40; k++) { // regula falsi, Illinois form
        const double last = root;
        root = (low * at_high - high * at_low) / (at_high - at_low);
        if (fabs(root - last) < 1e-7 * root)
            return root;
        const double value = settled_lowest(bench, root);
        if (value > 0) {
            low = root;
            at_low = value;
            at_high /= side == 1 ? 2 : 1;
            side = 1;
        } else {
            high = root;
            at_high = value;
            at_low /= side == -1 ? 2 : 1;
            side = -1;
        }
    }
    fail_msg("the stability limit was not found");
    return root;
}

void bench_reset(test_bench *bench, double amount, const double direction[3])
{
    close_state(bench);
    open_state(bench);
    ref_rod *rod = &bench->rod;
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        const double s = (double)i / (rod->vertex_count - 1);
        vec_axpy(rod->x[i], 16 * amount * s * s * (1 - s) * (1 - s), direction);
    }
}

double bench_out_of_plane(const test_bench *bench, const double normal[3])
{
    double most = 0;
    for (uint32_t i = 0; i < bench->rod.vertex_count; i++)
        most = fmax(most, fabs(vec_dot(bench->rod.x[i], normal)));
    return most;
}
