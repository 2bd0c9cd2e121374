// bodies: where rigid bodies are over time.
#include "run/bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "io/file.h"

static const char header[] = "time_s,body,x_m,y_m,z_m,qw,qx,qy,qz,vx_m_s,vy_m_s,vz_m_s,wx_rad_s,wy_rad_s,wz_rad_s,"
                             "kinetic_J,fx_N,fy_N,fz_N,tx_Nm,ty_Nm,tz_Nm,frozen\n";

enum { LINE_MOST = 1024, NUMBERS = 20 }; // of a row after its name

// Keeps the rows up to a time; bytes that they take.
static long rows_until(FILE *file, double last_time)
{
    char line[LINE_MOST];
    long length = 0;
    rewind(file);
    for (bool is_header = true; fgets(line, sizeof line, file) != NULL; is_header = false) {
        if (!is_header && !(strtod(line, NULL) <= last_time * (1 + 1e-12)))
            break;
        length = ftell(file);
    }
    return length;
}

static sheaf_status go_on(FILE *file, double last_time)
{
    const long length = rows_until(file, last_time);
    if (fflush(file) != 0 || ftruncate(fileno(file), length) != 0 || fseek(file, 0, SEEK_END) != 0)
        return io_fail("write", RUN_BODIES_NAME);
    return SHEAF_OK;
}

sheaf_status run_bodies_start(run_bodies *bodies, const io_folder *folder, const sheaf_model *model, double last_time)
{
    *bodies = (run_bodies){.model = model};
    if (model->body_count == 0)
        return SHEAF_OK;
    char *path = io_path_join(folder->path, RUN_BODIES_NAME);
    bodies->poses = base_alloc(model->body_count, sizeof *bodies->poses);
    if (path == NULL || bodies->poses == NULL) {
        base_free(path);
        return SHEAF_ERR_MEMORY;
    }
    const bool goes_on = last_time >= 0 && access(path, F_OK) == 0;
    bodies->file = fopen(path, goes_on ? "r+" : "w");
    sheaf_status status = bodies->file != NULL ? SHEAF_OK : io_fail("write", path);
    if (status == SHEAF_OK && goes_on)
        status = go_on(bodies->file, last_time);
    else if (status == SHEAF_OK && fputs(header, bodies->file) < 0)
        status = io_fail("write", path);
    base_free(path);
    return status;
}

static void write_numbers(FILE *file, const double *numbers, int count)
{
    for (int k = 0; k < count; k++)
        fprintf(file, ",%.9g", numbers[k]);
}

sheaf_status run_bodies_add(run_bodies *bodies, sheaf_solver *solver, double time)
{
    if (bodies->file == NULL)
        return SHEAF_OK;
    SHEAF_TRY(sheaf_solver_read_bodies(solver, bodies->poses, bodies->model->body_count));
    for (uint32_t k = 0; k < bodies->model->body_count; k++) {
        const sheaf_body_pose *pose = &bodies->poses[k];
        char name[300];
        base_printable(bodies->model->bodies[k].def.name, name, sizeof name);
        for (char *at = name; *at != 0; at++) // a name may hold what separates fields
            *at = *at == ',' || *at == '"' ? '_' : *at;
        fprintf(bodies->file, "%.9g,%s", time, name);
        write_numbers(bodies->file, pose->position, 3);
        write_numbers(bodies->file, pose->rotation, 4);
        write_numbers(bodies->file, pose->velocity, 3);
        write_numbers(bodies->file, pose->spin, 3);
        write_numbers(bodies->file, &pose->kinetic, 1);
        write_numbers(bodies->file, pose->force, 3);
        write_numbers(bodies->file, pose->torque, 3);
        fprintf(bodies->file, ",%d\n", pose->is_frozen);
    }
    return fflush(bodies->file) == 0 && !ferror(bodies->file) ? SHEAF_OK : io_fail("write", RUN_BODIES_NAME);
}

uint32_t run_bodies_frozen(const run_bodies *bodies)
{
    uint32_t frozen = 0;
    for (uint32_t k = 0; bodies->file != NULL && k < bodies->model->body_count; k++)
        frozen += bodies->poses[k].is_frozen;
    return frozen;
}

void run_bodies_close(run_bodies *bodies)
{
    if (bodies->file != NULL)
        (void)fclose(bodies->file);
    base_free(bodies->poses);
    *bodies = (run_bodies){0};
}

// ---- reading

// Numbers of a row: its time, and those after the name; false: it is no row.
static bool read_row(const char *line, double *time, double numbers[NUMBERS])
{
    char *end;
    *time = strtod(line, &end);
    if (end == line || *end != ',')
        return false;
    const char *at = strchr(end + 1, ',');
    for (int k = 0; k < NUMBERS; k++) {
        if (at == NULL || *at != ',')
            return false;
        numbers[k] = strtod(at + 1, &end);
        at = end;
    }
    return true;
}

static void fill_pose(const double numbers[NUMBERS], sheaf_body_pose *pose)
{
    memcpy(pose->position, numbers, sizeof pose->position);
    memcpy(pose->rotation, numbers + 3, sizeof pose->rotation);
    memcpy(pose->velocity, numbers + 7, sizeof pose->velocity);
    memcpy(pose->spin, numbers + 10, sizeof pose->spin);
}

bool run_bodies_read(const char *folder, const sheaf_model *model, double time, sheaf_body_pose *poses)
{
    char *path = io_path_join(folder, RUN_BODIES_NAME), line[LINE_MOST];
    FILE *file = path != NULL && model->body_count > 0 ? fopen(path, "r") : NULL;
    double nearest = INFINITY;
    uint32_t row = 0, found = 0;
    base_free(path);
    for (bool is_header = true; file != NULL && fgets(line, sizeof line, file) != NULL; is_header = false) {
        double at, numbers[NUMBERS];
        if (is_header || !read_row(line, &at, numbers))
            continue;
        const uint32_t body = row++ % model->body_count; // rows of a time come in the scene's order
        if (body == 0 && fabs(at - time) < nearest) {
            nearest = fabs(at - time);
            found = 0;
        }
        if (fabs(at - time) == nearest && found == body) {
            fill_pose(numbers, &poses[body]);
            found++;
        }
    }
    if (file != NULL)
        (void)fclose(file);
    return found == model->body_count && found > 0;
}
