// volume: buffers and launches of the grid on which strands keep their volume.
#include "der/device/volume.h"

#include "base/vec.h"
#include "der/device/device_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/couple/volume_slots.clh"
#include "kernels/der/slots.clh"
#include "world/world.h"

enum { GRIDS_MOST = 16, PARTS_PER_UNIT = 4 };

typedef enum volume_kernel {
    KERNEL_POINTS,
    KERNEL_SCATTER,
    KERNEL_MERGE,
    KERNEL_FILL,
    KERNEL_RIGHT,
    KERNEL_SWEEP,
    KERNEL_BLUR,
    KERNEL_SHADE,
    KERNEL_GATHER,
    KERNEL_COUNT
} volume_kernel;

static const char *const names[KERNEL_COUNT] = {"volume_points", "volume_scatter", "volume_merge",
                                                "volume_fill",   "volume_right",   "volume_sweep",
                                                "volume_blur",   "volume_shade",   "volume_gather"};

struct der_volume {
    sheaf_engine *engine;
    volume_plan plan;
    double drag_most; // N s/m, of all samples; 1 where none has any
    cl_program program;
    cl_kernel kernels[KERNEL_COUNT];
    uint32_t grids;  // that are summed up side by side, one per work-item
    uint32_t items;  // work-items of the other kernels
    uint32_t places; // lanes of all bundles
    cl_mem strands, origins, constants, settings, moving, pressure, bounds, box;
    cl_mem sums, nodes, solved[2]; // of the grid; as large as it has been
    uint64_t capacity;             // nodes
    uint64_t grid_bytes;           // of its buffers
    volume_box at;                 // where the grid is
    void *origin_memory;           // host side of origins
    bool has_motions;
};

// ---- what stays

// What one stands for in the sums, as a share of what is summed up: as fine as numbers of the device are, and so that a
// node holds eight million samples.
static double unit_share(const der_volume *it)
{
    return it->engine->options.is_double ? 0x1p-40 : 0x1p-24;
}

// kg.
static double mass_unit(const der_volume *it)
{
    return it->plan.mean_mass * unit_share(it);
}

// N s/m.
static double drag_unit(const der_volume *it)
{
    return it->drag_most * unit_share(it);
}

static double largest_drag(const volume_plan *plan)
{
    double most = 0;
    for (uint64_t j = 0; j < plan->model->vertex_count; j++)
        most = fmax(most, plan->drag[j]);
    return most > 0 ? most : 1;
}

static void fill_constants(const der_volume *it, double *values)
{
    const volume_plan *plan = &it->plan;
    const sheaf_model *model = plan->model;
    for (uint64_t j = 0; j < model->vertex_count; j++) {
        double *row = values + j * SAMPLE_SIZE;
        row[SAMPLE_HELD] = plan->held[j];
        if (plan->mass[j] == 0)
            continue;
        row[SAMPLE_MASS] = plan->mass[j] / mass_unit(it);
        row[SAMPLE_ROOM] = plan->room[j] * plan->reference / mass_unit(it);
        row[SAMPLE_DRAG] = plan->drag[j] / drag_unit(it);
        row[SAMPLE_PLACE] = plan->place[j];
        row[SAMPLE_PUSH] = plan->reference * plan->room[j] / plan->mass[j];
        row[SAMPLE_FIRST] = plan->mass[j] * (1 - plan->place[j]) / model->mass[j];
        row[SAMPLE_SECOND] = plan->mass[j] * plan->place[j] / model->mass[j + 1];
    }
}

static void fill_settings(const der_volume *it, double values[VOLUME_SETTINGS])
{
    const volume_plan *plan = &it->plan;
    values[VOLUME_CELL] = plan->cell;
    values[VOLUME_STEP] = plan->step;
    values[VOLUME_SQUARE] = plan->speed * plan->speed;
    values[VOLUME_SPREAD] = pow(plan->speed * plan->step / plan->cell, 2);
    values[VOLUME_RUB] = plan->rub;
    values[VOLUME_ROOM_UNIT] = mass_unit(it) / plan->reference / pow(plan->cell, 3);
    values[VOLUME_DRAG_UNIT] = drag_unit(it);
    values[VOLUME_PRESSES] = plan->presses;
}

static sheaf_status upload_numbers(der_volume *it, cl_mem buffer, const double *values, uint64_t count)
{
    void *rounded = base_alloc(count, engine_real_size(it->engine));
    if (rounded == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint64_t k = 0; k < count; k++)
        bundles_put(&it->engine->bundles, rounded, k, values[k]);
    const sheaf_status status = engine_upload(it->engine, buffer, rounded, count * engine_real_size(it->engine));
    base_free(rounded);
    return status;
}

static sheaf_status upload_constants(der_volume *it)
{
    const uint64_t count = it->plan.model->vertex_count * SAMPLE_SIZE;
    double settings[VOLUME_SETTINGS], *values = base_alloc(count, sizeof *values);
    if (values == NULL)
        return SHEAF_ERR_MEMORY;
    fill_constants(it, values);
    fill_settings(it, settings);
    sheaf_status status = upload_numbers(it, it->constants, values, count);
    if (status == SHEAF_OK)
        status = upload_numbers(it, it->settings, settings, VOLUME_SETTINGS);
    if (status == SHEAF_OK) {
        memset(values, 0, count * sizeof *values);
        status = upload_numbers(it, it->pressure, values, it->plan.model->vertex_count);
    }
    base_free(values);
    return status;
}

static sheaf_status upload_strands(der_volume *it)
{
    const bundle_set *set = &it->engine->bundles;
    const sheaf_model *model = it->plan.model;
    cl_uint4 *rows = base_alloc(it->places, sizeof *rows);
    if (rows == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t place = 0; place < it->places; place++) {
        const uint32_t bundle = place / set->options.width, strand = set->strand_of[place];
        rows[place].s[0] = set->entries[bundle].first_slot;
        if (strand == BUNDLE_FILLER)
            continue;
        rows[place].s[1] = model_vertex_count(model, strand);
        rows[place].s[2] = (cl_uint)model->first_vertex[strand];
        rows[place].s[3] = bundle >= set->kind_first[DER_GENERAL];
        it->has_motions |= model_strand_motion(&model->strands[strand]) >= 0;
    }
    const sheaf_status status = engine_upload(it->engine, it->strands, rows, it->places * sizeof *rows);
    base_free(rows);
    return status;
}

// Where roots are now: by their motions where they are clamped; general ones are counted from there.
static sheaf_status upload_origins(der_volume *it)
{
    const bundle_set *set = &it->engine->bundles;
    const sheaf_model *model = it->plan.model;
    const double time = engine_time(it->engine);
    for (uint32_t place = 0; place < it->places; place++) {
        const uint32_t strand = bundles_strand_at(set, place);
        const model_strand *s = &model->strands[strand];
        double root[3];
        vec_copy(root, s->origin);
        if (place / set->options.width >= set->kind_first[DER_GENERAL])
            der_origin(model, strand, time, root);
        else if (s->root->motion >= 0)
            model_motion_point(&model->motions[s->root->motion], time, s->origin, root);
        for (uint32_t c = 0; c < 3; c++)
            bundles_put(set, it->origin_memory, 3 * (size_t)place + c, root[c]);
    }
    return engine_upload(it->engine, it->origins, it->origin_memory,
                         3 * (size_t)it->places * engine_real_size(it->engine));
}

// ---- opening

typedef struct wanted_buffer {
    cl_mem *buffer;
    size_t size;
    cl_mem_flags flags;
} wanted_buffer;

// All of them, or a status that says how much memory they need.
static sheaf_status make_wanted(sheaf_engine *engine, const wanted_buffer *list, size_t count, const char *what)
{
    uint64_t bytes = 0, largest = 0;
    for (size_t k = 0; k < count; k++) {
        bytes += list[k].size;
        largest = list[k].size > largest ? list[k].size : largest;
    }
    SHEAF_TRY(engine_check_room(engine, bytes, largest, what));
    for (size_t k = 0; k < count; k++)
        SHEAF_TRY(engine_make_buffer(engine, list[k].flags, list[k].size, list[k].buffer));
    return SHEAF_OK;
}

static sheaf_status make_buffers(der_volume *it)
{
    const size_t real = engine_real_size(it->engine);
    const uint64_t vertices = it->plan.model->vertex_count;
    const cl_mem_flags in = CL_MEM_READ_ONLY, both = CL_MEM_READ_WRITE;
    const wanted_buffer list[] = {
        {&it->strands, it->places * sizeof(cl_uint4), in},   {&it->origins, 3 * it->places * real, in},
        {&it->constants, vertices * SAMPLE_SIZE * real, in}, {&it->settings, VOLUME_SETTINGS * real, in},
        {&it->moving, vertices * MOVING_SIZE * real, both},  {&it->pressure, vertices * real, both},
        {&it->bounds, it->items * 6 * sizeof(cl_int), both}, {&it->box, 6 * sizeof(cl_int), in}};
    SHEAF_TRY(make_wanted(it->engine, list, sizeof list / sizeof list[0], "touch: volume: samples along all strands"));
    it->origin_memory = base_alloc(3 * (size_t)it->places, real);
    return it->origin_memory != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

static sheaf_status build_kernels(der_volume *it)
{
    const program_source source = {.entry = "kernels/couple/volume.cl",
                                   .lane_width = 1,
                                   .bundle_width = 1,
                                   .is_double = it->engine->options.is_double};
    SHEAF_TRY(program_build(it->engine->context, &it->engine->device, &source, &it->program));
    for (int k = 0; k < KERNEL_COUNT; k++)
        SHEAF_TRY(program_kernel(it->program, names[k], &it->kernels[k]));
    return SHEAF_OK;
}

static sheaf_status open_volume(der_volume *it)
{
    const uint32_t units = it->engine->device.compute_units;
    it->grids = units < GRIDS_MOST ? units : GRIDS_MOST;
    it->items = units * PARTS_PER_UNIT;
    it->places = it->engine->bundles.count * it->engine->bundles.options.width;
    SHEAF_TRY(volume_plan_make(it->engine->model, it->engine->options.step, &it->plan));
    it->drag_most = largest_drag(&it->plan);
    volume_plan_tell(&it->plan);
    SHEAF_TRY(make_buffers(it));
    SHEAF_TRY(build_kernels(it));
    SHEAF_TRY(upload_constants(it));
    SHEAF_TRY(upload_strands(it));
    return upload_origins(it);
}

sheaf_status der_volume_open(sheaf_engine *engine, der_volume **made)
{
    der_volume *it = *made = base_alloc(1, sizeof *it);
    if (it == NULL)
        return SHEAF_ERR_MEMORY;
    it->engine = engine;
    const sheaf_status status = open_volume(it);
    if (status != SHEAF_OK) {
        der_volume_close(it);
        *made = NULL;
    }
    return status;
}

static void release(cl_mem *buffer)
{
    if (*buffer != NULL)
        clReleaseMemObject(*buffer);
    *buffer = NULL;
}

static void release_grid(der_volume *it)
{
    release(&it->sums);
    release(&it->nodes);
    release(&it->solved[0]);
    release(&it->solved[1]);
    it->engine->memory.used -= it->grid_bytes;
    it->capacity = it->grid_bytes = 0;
}

// A hung device keeps what it has.
static void release_device(der_volume *it)
{
    release_grid(it);
    cl_mem *const buffers[] = {&it->strands, &it->origins,  &it->constants, &it->settings,
                               &it->moving,  &it->pressure, &it->bounds,    &it->box};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; k++)
        release(buffers[k]);
    for (int k = 0; k < KERNEL_COUNT; k++)
        if (it->kernels[k] != NULL)
            clReleaseKernel(it->kernels[k]);
    if (it->program != NULL)
        clReleaseProgram(it->program);
}

void der_volume_close(der_volume *it)
{
    if (it == NULL)
        return;
    (void)engine_drain(it->engine);
    if (!it->engine->pace.hangs)
        release_device(it);
    base_free(it->origin_memory);
    volume_plan_free(&it->plan);
    base_free(it);
}

// ---- launches

typedef struct argument {
    size_t size;
    const void *value;
} argument;

#define BUFFER(name)                                                                                                   \
    {                                                                                                                  \
        sizeof(cl_mem), &(name)                                                                                        \
    }
#define GIVE(name)                                                                                                     \
    {                                                                                                                  \
        sizeof(name), &(name)                                                                                          \
    }

static sheaf_status launch(der_volume *it, volume_kernel kernel, size_t items, const argument *arguments, cl_uint count)
{
    cl_int error = CL_SUCCESS;
    for (cl_uint k = 0; k < count; k++)
        error |= clSetKernelArg(it->kernels[kernel], k, arguments[k].size, arguments[k].value);
    SHEAF_TRY(device_check(error, "clSetKernelArg"));
    return engine_launch(it->engine, it->kernels[kernel], items, 1, (engine_flight){0});
}

#define LAUNCH(it, kernel, items, list) launch(it, kernel, items, list, sizeof(list) / sizeof((list)[0]))

static sheaf_status find_points(der_volume *it)
{
    const sheaf_engine *engine = it->engine;
    const cl_uint places = it->places, width = engine->bundles.options.width;
    const argument list[] = {BUFFER(engine->arrays[DER_edge]),
                             BUFFER(engine->arrays[DER_velocity]),
                             BUFFER(engine->arrays[DER_last_velocity]),
                             BUFFER(engine->arrays[DER_place]),
                             BUFFER(it->strands),
                             BUFFER(it->origins),
                             BUFFER(it->constants),
                             BUFFER(it->settings),
                             GIVE(places),
                             GIVE(width),
                             BUFFER(it->moving),
                             BUFFER(it->bounds)};
    return LAUNCH(it, KERNEL_POINTS, it->items, list);
}

// Makes the grid's buffers large enough.
static sheaf_status make_grid(der_volume *it)
{
    sheaf_engine *engine = it->engine;
    const uint64_t nodes = volume_box_nodes(&it->at);
    const size_t real = engine_real_size(engine);
    if (nodes <= it->capacity)
        return SHEAF_OK;
    SHEAF_TRY(engine_drain(engine));
    release_grid(it);
    const uint64_t room = nodes + nodes / 4; // so that hair that spreads does not ask anew at every step
    const cl_mem_flags both = CL_MEM_READ_WRITE;
    const wanted_buffer list[] = {{&it->sums, it->grids * room * SUM_SIZE * sizeof(cl_long), both},
                                  {&it->nodes, room * NODE_SIZE * real, both},
                                  {&it->solved[0], room * real, both},
                                  {&it->solved[1], room * real, both}};
    char what[96];
    snprintf(what, sizeof what, "touch: volume: a grid of %.3g nodes, %.3g mm apart,", (double)nodes,
             1000 * it->plan.cell);
    const uint64_t before = engine->memory.used;
    const sheaf_status status = make_wanted(engine, list, sizeof list / sizeof list[0], what);
    it->grid_bytes = engine->memory.used - before;
    SHEAF_TRY(status);
    it->capacity = room;
    return SHEAF_OK;
}

// The box around all samples. It moves by whole cells, and where it is changes no sum.
static sheaf_status frame(der_volume *it)
{
    int64_t first[3] = {INT64_MAX, INT64_MAX, INT64_MAX}, last[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
    cl_int *bounds = base_alloc(it->items * 6, sizeof *bounds), box[6];
    if (bounds == NULL)
        return SHEAF_ERR_MEMORY;
    const sheaf_status status = engine_download(it->engine, it->bounds, bounds, it->items * 6 * sizeof *bounds);
    for (uint32_t k = 0; k < it->items; k++)
        for (uint32_t c = 0; c < 3; c++) {
            first[c] = bounds[6 * k + c] < first[c] ? bounds[6 * k + c] : first[c];
            last[c] = bounds[6 * k + 3 + c] > last[c] ? bounds[6 * k + 3 + c] : last[c];
        }
    base_free(bounds);
    SHEAF_TRY(status);
    if (first[0] > last[0])
        return base_fail(SHEAF_ERR_DIVERGED, "touch: volume: no strand is where a number could say it");
    SHEAF_TRY(volume_box_make(first, last, it->plan.cell, &it->at));
    for (int c = 0; c < 3; c++) {
        box[c] = (cl_int)it->at.low[c];
        box[3 + c] = (cl_int)it->at.size[c];
    }
    SHEAF_TRY(make_grid(it));
    return engine_upload(it->engine, it->box, box, sizeof box);
}

static sheaf_status fill_grid(der_volume *it)
{
    if (it->has_motions)
        SHEAF_TRY(upload_origins(it));
    SHEAF_TRY(find_points(it));
    SHEAF_TRY(frame(it));
    const cl_uint samples = (cl_uint)it->plan.model->vertex_count, nodes = (cl_uint)volume_box_nodes(&it->at);
    const cl_uint grids = it->grids;
    const argument scatter[] = {BUFFER(it->moving), BUFFER(it->constants), BUFFER(it->pressure), BUFFER(it->box),
                                GIVE(samples),      GIVE(nodes),           BUFFER(it->sums)};
    const argument merge[] = {BUFFER(it->sums), GIVE(grids), GIVE(nodes), BUFFER(it->nodes), BUFFER(it->solved[0])};
    const argument fill[] = {BUFFER(it->nodes), BUFFER(it->box), BUFFER(it->settings), GIVE(nodes)};
    SHEAF_TRY(LAUNCH(it, KERNEL_SCATTER, it->grids, scatter));
    SHEAF_TRY(LAUNCH(it, KERNEL_MERGE, it->items, merge));
    return LAUNCH(it, KERNEL_FILL, it->items, fill);
}

// Leaves the pressure in solved[0].
static sheaf_status solve(der_volume *it)
{
    const cl_uint nodes = (cl_uint)volume_box_nodes(&it->at);
    const argument right[] = {BUFFER(it->nodes), BUFFER(it->solved[0]), BUFFER(it->box), BUFFER(it->settings),
                              GIVE(nodes)};
    SHEAF_TRY(LAUNCH(it, KERNEL_RIGHT, it->items, right));
    for (uint32_t k = 0; k < it->plan.sweeps; k++) {
        const argument sweep[] = {BUFFER(it->nodes),    BUFFER(it->solved[0]), BUFFER(it->box),
                                  BUFFER(it->settings), GIVE(nodes),           BUFFER(it->solved[1])};
        SHEAF_TRY(LAUNCH(it, KERNEL_SWEEP, it->items, sweep));
        cl_mem swept = it->solved[1];
        it->solved[1] = it->solved[0];
        it->solved[0] = swept;
    }
    const argument blur[] = {BUFFER(it->nodes), BUFFER(it->solved[0]), BUFFER(it->box), GIVE(nodes)};
    return LAUNCH(it, KERNEL_BLUR, it->items, blur);
}

// A number as kernels take it.
typedef union real_value {
    float single;
    double wide;
} real_value;

static real_value real_of(const der_volume *it, double value)
{
    real_value out;
    if (it->engine->options.is_double)
        out.wide = value;
    else
        out.single = (float)value;
    return out;
}

static sheaf_status shade_layer(der_volume *it, int axis, int layer, int side, const double wind[3])
{
    const size_t real = engine_real_size(it->engine);
    const cl_int axis_now = axis, layer_now = layer, side_now = side;
    const double main = fabs(wind[axis]), area = it->plan.cell * it->plan.cell;
    const real_value back_u = real_of(it, -wind[(axis + 1) % 3] / main),
                     back_v = real_of(it, -wind[(axis + 2) % 3] / main);
    const real_value per_drag = real_of(it, 2 * drag_unit(it) / area / (VOLUME_AIR_DENSITY * main));
    const argument list[] = {BUFFER(it->nodes), BUFFER(it->box), BUFFER(it->settings),
                             GIVE(axis_now),    GIVE(layer_now), GIVE(side_now),
                             {real, &back_u},   {real, &back_v}, {real, &per_drag}};
    return LAUNCH(it, KERNEL_SHADE, it->items, list);
}

static sheaf_status shade(der_volume *it)
{
    double center[3], wind[3];
    int axis = 0;
    for (int c = 0; c < 3; c++)
        center[c] = ((double)it->at.low[c] + (it->at.size[c] - 1) / 2.0) * it->plan.cell;
    volume_wind(it->plan.model, center, engine_time(it->engine), wind);
    if (vec_length(wind) == 0)
        return SHEAF_OK; // all of it everywhere
    for (int c = 1; c < 3; c++)
        axis = fabs(wind[c]) > fabs(wind[axis]) ? c : axis;
    const int count = (int)it->at.size[axis], side = wind[axis] > 0 ? -1 : 1;
    for (int k = 0; k < count; k++)
        SHEAF_TRY(shade_layer(it, axis, side < 0 ? k : count - 1 - k, k > 0 ? side : 0, wind));
    return SHEAF_OK;
}

static sheaf_status gather(der_volume *it)
{
    const sheaf_engine *engine = it->engine;
    const cl_uint places = it->places, width = engine->bundles.options.width, size = RECORD_SIZE,
                  frozen = RECORD_FROZEN;
    const argument list[] = {BUFFER(engine->arrays[DER_velocity]),
                             BUFFER(engine->arrays[DER_last_velocity]),
                             BUFFER(engine->arrays[DER_move]),
                             BUFFER(engine->arrays[DER_record]),
                             GIVE(size),
                             GIVE(frozen),
                             BUFFER(it->strands),
                             GIVE(places),
                             GIVE(width),
                             BUFFER(it->moving),
                             BUFFER(it->constants),
                             BUFFER(it->nodes),
                             BUFFER(it->solved[0]),
                             BUFFER(it->box),
                             BUFFER(it->settings),
                             BUFFER(it->pressure),
                             BUFFER(engine->pushes)};
    return LAUNCH(it, KERNEL_GATHER, it->items, list);
}

sheaf_status der_volume_act(der_volume *it)
{
    SHEAF_TRY(fill_grid(it));
    if (it->plan.presses)
        SHEAF_TRY(solve(it));
    if (it->plan.shields)
        SHEAF_TRY(shade(it));
    return gather(it);
}

// ---- figures and state

static double number_at(const der_volume *it, const void *memory, uint64_t index)
{
    return it->engine->options.is_double ? ((const double *)memory)[index] : (double)((const float *)memory)[index];
}

static void sum_nodes(const der_volume *it, const void *nodes, volume_pair *pairs, volume_figures *figures)
{
    const uint64_t count = volume_box_nodes(&it->at);
    double mass = 0, felt = 0;
    for (uint64_t g = 0; g < count; g++) {
        const double own = number_at(it, nodes, g * NODE_SIZE + NODE_MASS);
        pairs[g] = (volume_pair){number_at(it, nodes, g * NODE_SIZE + NODE_FILLED), own};
        mass += own;
        felt += own * number_at(it, nodes, g * NODE_SIZE + NODE_SHARE);
    }
    volume_sum_up(&it->plan, pairs, count, figures);
    figures->wind_share = mass > 0 ? felt / mass : 1;
}

static sheaf_status measure(der_volume *it, volume_figures *figures)
{
    const uint64_t count = volume_box_nodes(&it->at), vertices = it->plan.model->vertex_count;
    const size_t real = engine_real_size(it->engine);
    void *nodes = base_alloc(count * NODE_SIZE, real), *pressure = base_alloc(vertices, real);
    volume_pair *pairs = base_alloc(count, sizeof *pairs);
    sheaf_status status = nodes && pressure && pairs ? SHEAF_OK : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK)
        status = engine_download(it->engine, it->nodes, nodes, count * NODE_SIZE * real);
    if (status == SHEAF_OK)
        status = der_volume_read(it, pressure);
    if (status == SHEAF_OK) {
        sum_nodes(it, nodes, pairs, figures);
        figures->pressure_most = 0;
        for (uint64_t j = 0; j < vertices; j++)
            figures->pressure_most = fmax(figures->pressure_most, it->plan.reference * number_at(it, pressure, j));
    }
    base_free(nodes);
    base_free(pressure);
    base_free(pairs);
    return status;
}

sheaf_status der_volume_figures(der_volume *it, method_figure *figures, uint32_t *count)
{
    volume_figures sums = {0};
    SHEAF_TRY(fill_grid(it));
    if (it->plan.shields)
        SHEAF_TRY(shade(it));
    SHEAF_TRY(measure(it, &sums));
    *count = volume_name_figures(&it->plan, &sums, figures);
    return SHEAF_OK;
}

static size_t pressure_size(const der_volume *it)
{
    return it->plan.model->vertex_count * engine_real_size(it->engine);
}

sheaf_status der_volume_read(der_volume *it, void *pressures)
{
    return engine_download(it->engine, it->pressure, pressures, pressure_size(it));
}

sheaf_status der_volume_write(der_volume *it, const void *pressures)
{
    return engine_upload(it->engine, it->pressure, pressures, pressure_size(it));
}
