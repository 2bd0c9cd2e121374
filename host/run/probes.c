// probes: tension, moments and place at chosen points of strands, from what a solver of any kind holds.
#include "run/probes.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/vec.h"
#include "io/file.h"
#include "run/strains.h"
#include "strand/strand.h"

bool run_probes_are_there(const run_probes *probes)
{
    return probes->file != NULL;
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

// Whether some probe wants the pull of a strand that is not known; says so once.
static void tell_unknown(run_probes *probes, const sheaf_model *model)
{
    for (uint32_t k = 0; k < probes->scene->probe_count && !probes->told; k++) {
        const scene_probe *probe = &probes->scene->probes[k];
        char name[128];
        if (!(probe->what & SCENE_PROBE_TENSION) || !isnan(probes->tensions[model->first_vertex[probe->strand]]))
            continue;
        base_log(SHEAF_LOG_WARNING, "probe '%s': the tension of strand %u is not known, %s; its column holds nan",
                 base_printable(probe->name, name, sizeof name), probe->strand,
                 model->def.integrator == SHEAF_INTEGRATOR_EXPLICIT
                     ? "which explicit steps do not work out"
                     : "for its method does not tell it on this device; use `--device ref`");
        probes->told = true;
    }
}

static sheaf_status read_tensions(run_probes *probes, sheaf_solver *solver)
{
    const sheaf_model *model = solver_model(solver);
    for (uint64_t k = 0; k < model->vertex_count; k++)
        probes->tensions[k] = NAN;
    if (model->def.integrator != SHEAF_INTEGRATOR_EXPLICIT)
        SHEAF_TRY(solver_read_tensions(solver, probes->tensions));
    tell_unknown(probes, model);
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
