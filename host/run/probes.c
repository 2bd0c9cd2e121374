// probes: tension, moments and place at chosen points of strands, from what a solver of any kind holds.
#include "run/probes.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "io/file.h"
#include "strand/strand.h"

bool run_probes_are_there(const run_probes *probes)
{
    return probes->file != NULL;
}

// ---- moments

// Curvature binormal of the paper's (1).
static void find_binormal(const double e0[3], const double e1[3], double out[3])
{
    double cross[3];
    vec_cross(cross, e0, e1);
    vec_scale(out, cross, 2 / (vec_length(e0) * vec_length(e1) + vec_dot(e0, e1)));
}

// Bending strains w - wbar of both edges at the vertex, rad.
static void find_bending(const double edge[2][3], const double director[2][3], const double natural[2][2],
                         double bent[2][2])
{
    double binormal[3];
    find_binormal(edge[0], edge[1], binormal);
    for (int side = 0; side < 2; side++) {
        double tangent[3], second[3];
        vec_unit(tangent, edge[side]);
        vec_cross(second, tangent, director[side]);
        bent[side][0] = vec_dot(binormal, second) - natural[side][0];
        bent[side][1] = -vec_dot(binormal, director[side]) - natural[side][1];
    }
}

// Twist over the vertex, rad, nearest to the natural one.
static double find_twist(const double edge[2][3], const double director[2][3], double natural)
{
    const double turn = 2 * 3.14159265358979323846;
    double t0[3], t1[3], carried[3];
    vec_unit(t0, edge[0]);
    vec_unit(t1, edge[1]);
    vec_transport(carried, director[0], t0, t1);
    const double angle = vec_angle(carried, director[1], t1);
    return angle + turn * rint((natural - angle) / turn);
}

void run_moments(const sheaf_model *model, uint32_t strand, uint32_t vertex, const double (*positions)[3],
                 const double (*directors)[3], double bend[2], double *twist)
{
    const uint64_t i = model->first_vertex[strand] + vertex;
    const double voronoi = model->rest_length[i - 1] + model->rest_length[i];
    double edge[2][3], director[2][3], bent[2][2];
    for (int side = 0; side < 2; side++) {
        const uint32_t j = vertex - 1 + (uint32_t)side;
        vec_sub(edge[side], positions[j + 1], positions[j]);
        vec_copy(director[side], directors[j]);
    }
    find_bending((const double(*)[3])edge, (const double(*)[3])director,
                 (const double(*)[2])model->natural_curvature[i], bent);
    for (int axis = 0; axis < 2; axis++)
        bend[axis] =
            (model_bend_at(model, i, i - 1)[axis] * bent[0][axis] + model_bend_at(model, i, i)[axis] * bent[1][axis]) /
            voronoi;
    const double natural = model->natural_twist[i];
    *twist = 2 * model->twist[i] / voronoi *
             (find_twist((const double(*)[3])edge, (const double(*)[3])director, natural) - natural);
}

// ---- places

// The vertex nearest to a share of the way from root to tip.
static uint32_t find_vertex(const sheaf_model *model, uint32_t strand, double share)
{
    double overhangs[2], length, place, nearest = INFINITY;
    const uint64_t first = model->first_vertex[strand];
    const uint32_t edges = model_vertex_count(model, strand) - 1;
    const double *rest = model->rest_length + first;
    uint32_t best = 0;
    scene_group_overhangs(&model->groups[model->strands[strand].group], overhangs);
    place = -overhangs[0] * rest[0];
    length = place - overhangs[1] * rest[edges - 1];
    for (uint32_t j = 0; j < edges; j++)
        length += rest[j];
    for (uint32_t i = 0; i <= edges; place += i < edges ? rest[i] : 0, i++)
        if (fabs(place - share * length) < nearest) {
            nearest = fabs(place - share * length);
            best = i;
        }
    return best;
}

static sheaf_status find_strands(run_probes *probes, const sheaf_model *model)
{
    const uint32_t count = probes->scene->probe_count;
    uint32_t *numbers = base_alloc(count, sizeof *numbers);
    probes->vertices = base_alloc(count, sizeof *probes->vertices);
    probes->positions = base_alloc(model->vertex_count, sizeof *probes->positions);
    probes->directors = base_alloc(model->vertex_count, sizeof *probes->directors);
    probes->tensions = base_alloc(model->vertex_count, sizeof *probes->tensions);
    sheaf_status status = SHEAF_ERR_MEMORY;
    if (numbers != NULL && probes->vertices != NULL && probes->positions != NULL && probes->directors != NULL &&
        probes->tensions != NULL) {
        for (uint32_t k = 0; k < count; k++)
            numbers[k] = probes->scene->probes[k].strand;
        status = model_part(model, numbers, count, &probes->strands);
    }
    for (uint32_t k = 0; status == SHEAF_OK && k < count; k++)
        probes->vertices[k] = find_vertex(probes->strands, k, probes->scene->probes[k].at);
    base_free(numbers);
    return status;
}

// ---- the file

static void write_header(const run_probes *probes)
{
    fprintf(probes->file, "time_s");
    for (uint32_t k = 0; k < probes->scene->probe_count; k++) {
        const scene_probe *probe = &probes->scene->probes[k];
        const char *name = probe->name;
        if (probe->what & SCENE_PROBE_POSITION)
            fprintf(probes->file, ",%s_x_m,%s_y_m,%s_z_m", name, name, name);
        if (probe->what & SCENE_PROBE_TENSION)
            fprintf(probes->file, ",%s_tension_N", name);
        if (probe->what & SCENE_PROBE_MOMENT)
            fprintf(probes->file, ",%s_bend_1_N_m,%s_bend_2_N_m", name, name);
        if (probe->what & SCENE_PROBE_TWIST)
            fprintf(probes->file, ",%s_twist_N_m", name);
    }
    fprintf(probes->file, "\n");
}

static sheaf_status finish_line(const run_probes *probes)
{
    return fflush(probes->file) == 0 && !ferror(probes->file) ? SHEAF_OK : io_fail("write", IO_PROBES_NAME);
}

// Opens the file, an empty one with O_CREAT | O_TRUNC; never through a link.
static sheaf_status open_file(run_probes *probes, const io_folder *folder, int flags)
{
    char *path = io_path_join(folder->path, IO_PROBES_NAME);
    if (path == NULL)
        return SHEAF_ERR_MEMORY;
    const int descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0666);
    base_free(path);
    probes->file = descriptor >= 0 ? fdopen(descriptor, "r+") : NULL;
    if (probes->file == NULL && descriptor >= 0)
        (void)close(descriptor);
    return probes->file != NULL ? SHEAF_OK : io_fail("open", IO_PROBES_NAME);
}

static sheaf_status begin_file(run_probes *probes, const io_folder *folder)
{
    SHEAF_TRY(open_file(probes, folder, O_CREAT | O_TRUNC));
    write_header(probes);
    return finish_line(probes);
}

sheaf_status run_probes_start(run_probes *probes, const io_folder *folder, const sheaf_scene *scene,
                              const sheaf_model *model)
{
    probes->scene = scene;
    if (scene->probe_count == 0)
        return SHEAF_OK;
    SHEAF_TRY(find_strands(probes, model));
    return begin_file(probes, folder);
}

sheaf_status run_probes_continue(run_probes *probes, const io_folder *folder, const sheaf_scene *scene,
                                 const sheaf_model *model, size_t rows)
{
    size_t lines = 0;
    probes->scene = scene;
    if (scene->probe_count == 0)
        return SHEAF_OK;
    SHEAF_TRY(find_strands(probes, model));
    if (open_file(probes, folder, 0) != SHEAF_OK) // lost: begin again with what comes
        return begin_file(probes, folder);
    for (int c; lines <= rows && (c = getc(probes->file)) != EOF;)
        lines += c == '\n';
    const long end = ftell(probes->file);
    if (end < 0 || fseek(probes->file, end, SEEK_SET) != 0 || ftruncate(fileno(probes->file), end) != 0)
        return io_fail("write", IO_PROBES_NAME);
    return SHEAF_OK;
}

// ---- rows

// Pulls of all edges; not numbers where the solver has none.
static sheaf_status read_tensions(run_probes *probes, sheaf_solver *solver)
{
    const sheaf_model *model = solver_model(solver);
    solver_array arrays[SOLVER_ARRAYS_MOST];
    const uint32_t count = solver_arrays(solver, arrays);
    for (uint64_t k = 0; k < model->vertex_count; k++)
        probes->tensions[k] = NAN;
    for (uint32_t k = 0; k < count && model->def.integrator != SHEAF_INTEGRATOR_EXPLICIT; k++) {
        if (strcmp(arrays[k].name, "tension") != 0 || arrays[k].rows != model->vertex_count ||
            arrays[k].components != 1)
            continue;
        SHEAF_TRY(solver_read_array(solver, k, probes->tensions));
        for (uint64_t i = model->vertex_count; !arrays[k].is_double && i-- > 0;) { // in place, from the end on
            float single;
            memcpy(&single, (const char *)probes->tensions + i * sizeof single, sizeof single);
            probes->tensions[i] = (double)single;
        }
    }
    return SHEAF_OK;
}

// Mean of the edges at the vertex.
static double tension_at(const double *tensions, uint32_t vertex, uint32_t edges)
{
    const uint32_t before = vertex > 0 ? vertex - 1 : 0, after = vertex < edges ? vertex : edges - 1;
    return (tensions[before] + tensions[after]) / 2;
}

static void write_probe(const run_probes *probes, uint32_t k, const sheaf_model *model)
{
    const scene_probe *probe = &probes->scene->probes[k];
    const uint64_t first = model->first_vertex[probe->strand];
    const uint32_t vertex = probes->vertices[k], edges = model_vertex_count(model, probe->strand) - 1;
    const uint32_t inner = vertex < 1 ? 1 : vertex > edges - 1 ? edges - 1 : vertex; // ends bear no moment of their own
    const double(*positions)[3] = (const double(*)[3])probes->positions + first, *x = positions[vertex];
    double bend[2], twist;
    run_moments(probes->strands, k, inner, positions, (const double(*)[3])probes->directors + first, bend, &twist);
    if (probe->what & SCENE_PROBE_POSITION)
        fprintf(probes->file, ",%.9g,%.9g,%.9g", x[0], x[1], x[2]);
    if (probe->what & SCENE_PROBE_TENSION)
        fprintf(probes->file, ",%.9g", tension_at(probes->tensions + first, vertex, edges));
    if (probe->what & SCENE_PROBE_MOMENT)
        fprintf(probes->file, ",%.9g,%.9g", bend[0], bend[1]);
    if (probe->what & SCENE_PROBE_TWIST)
        fprintf(probes->file, ",%.9g", twist);
}

sheaf_status run_probes_add(run_probes *probes, sheaf_solver *solver, double time)
{
    const sheaf_model *model = solver_model(solver);
    if (probes->file == NULL)
        return SHEAF_OK;
    SHEAF_TRY(sheaf_solver_read_positions(solver, probes->positions, model->vertex_count));
    SHEAF_TRY(solver_read_directors(solver, probes->directors));
    SHEAF_TRY(read_tensions(probes, solver));
    fprintf(probes->file, "%.9g", time);
    for (uint32_t k = 0; k < probes->scene->probe_count; k++)
        write_probe(probes, k, model);
    fprintf(probes->file, "\n");
    return finish_line(probes);
}

sheaf_status run_probes_sync(const run_probes *probes)
{
    return probes->file == NULL || fsync(fileno(probes->file)) == 0 ? SHEAF_OK : io_fail("write", IO_PROBES_NAME);
}

void run_probes_free(run_probes *probes)
{
    if (probes->file != NULL)
        (void)fclose(probes->file);
    sheaf_model_free(probes->strands);
    base_free(probes->vertices);
    base_free(probes->positions);
    base_free(probes->directors);
    base_free(probes->tensions);
    *probes = (run_probes){0};
}
