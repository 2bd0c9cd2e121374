// record: run.json, which says what was run, by what, where, and how it ended.
#include "io/folder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum {
    RECORD_LIMIT = 16 << 20, // bytes of a file that is read
    MOST_IMBALANCES = 100    // of the record itself; IO_UNSTABLE_NAME has them all
};

json_t *io_json_text(const char *text)
{
    base_text printable = {0};
    base_text_add_printable(&printable, text, strlen(text));
    json_t *value = base_text_status(&printable) == SHEAF_OK ? json_string(base_text_get(&printable)) : NULL;
    base_text_free(&printable);
    return value;
}

// What /proc/cpuinfo says of the first processor under a name; false: nothing.
static bool read_processor_fact(const char *name, char *fact, size_t size)
{
    char line[512];
    bool is_found = false;
    FILE *stream = fopen("/proc/cpuinfo", "re");
    while (!is_found && stream != NULL && fgets(line, sizeof line, stream) != NULL) {
        const char *colon = strchr(line, ':');
        const size_t length = strcspn(line, "\t:");
        is_found = colon != NULL && colon[1] == ' ' && length == strlen(name) && strncmp(line, name, length) == 0;
        if (is_found)
            snprintf(fact, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
    }
    if (stream != NULL)
        (void)fclose(stream);
    return is_found;
}

void io_processor(char *name, size_t size)
{
    char title[256], family[32], model[32];
    if (!read_processor_fact("model name", title, sizeof title))
        snprintf(title, sizeof title, "unknown processor");
    if (read_processor_fact("cpu family", family, sizeof family) && read_processor_fact("model", model, sizeof model))
        snprintf(name, size, "%s, family %s model %s", title, family, model);
    else
        snprintf(name, size, "%s", title);
}

static json_t *machine_json(void)
{
    char processor[320];
    struct utsname system;
    io_processor(processor, sizeof processor);
    if (uname(&system) != 0)
        memset(&system, 0, sizeof system);
    return json_pack("{s:o, s:I, s:s++, s:s}", "cpu", io_json_text(processor), "cores",
                     (json_int_t)sysconf(_SC_NPROCESSORS_ONLN), "system", system.sysname, " ", system.release,
                     "compiler", __VERSION__);
}

static json_t *vector_json(const double vector[3])
{
    return json_pack("[f, f, f]", vector[0], vector[1], vector[2]);
}

static json_t *settings_json(const io_record *record)
{
    static const char *const integrators[] = {"bdf2", "euler", "explicit"};
    static const char *const gradients[] = {"auto", "start", "iterate"};
    const sheaf_scene_def *def = &record->model->def;
    return json_pack("{s:f, s:f, s:f, s:o, s:o, s:f, s:s, s:I, s:s, s:f, s:I}", "step_s", record->step, "end_s",
                     def->end, "frame_rate_hz", def->frame_rate, "gravity", vector_json(def->gravity), "wind",
                     vector_json(def->wind), "gust", def->gust, "integrator", integrators[def->integrator], "newton",
                     (json_int_t)def->newton, "projection_gradients", gradients[def->gradients], "projection_tolerance",
                     def->projection_tolerance, "projection_iterations", (json_int_t)def->projection_iterations);
}

static json_t *incidents_json(const io_record *record)
{
    json_t *list = json_array();
    for (uint32_t k = 0; k < record->incident_count && list != NULL; k++) {
        const sheaf_incident *incident = &record->incidents[k];
        json_t *entry =
            json_pack("{s:I, s:I, s:I, s:s}", "strand", (json_int_t)incident->strand, "vertex",
                      (json_int_t)incident->vertex, "step", (json_int_t)incident->step, "quantity", incident->quantity);
        if (entry == NULL || json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

// null where no strand was to start at rest.
static json_t *balance_json(const io_record *record)
{
    const sheaf_balance *balance = &record->balance;
    if (balance->wanted == 0)
        return json_null();
    json_t *list = json_array();
    for (uint32_t k = 0; k < record->imbalance_count && k < MOST_IMBALANCES && list != NULL; k++) {
        const sheaf_imbalance *item = &record->imbalances[k];
        json_t *entry = json_pack("{s:I, s:s}", "strand", (json_int_t)item->strand, "reason", item->reason);
        if (entry == NULL || json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    uint32_t stiffened = 0;
    double most = 1;
    for (uint32_t s = 0; s < record->model->strand_count; s++) {
        stiffened += record->model->strands[s].stiffening > 1;
        most = fmax(most, record->model->strands[s].stiffening);
    }
    return json_pack("{s:I, s:I, s:I, s:f, s:s?, s:o, s:I, s:f}", "strands", (json_int_t)balance->wanted, "unbalanced",
                     (json_int_t)balance->unbalanced, "unstable", (json_int_t)balance->unstable, "residual_N",
                     balance->residual, "file", record->imbalance_count > 0 ? IO_UNSTABLE_NAME : NULL, "first", list,
                     "stiffened", (json_int_t)stiffened, "largest_factor", most);
}

// null where the run was not profiled.
static json_t *profile_json(const io_record *record)
{
    json_t *list = record->stage_count > 0 ? json_array() : json_null();
    for (uint32_t k = 0; k < record->stage_count && list != NULL; k++) {
        const solver_stage *stage = &record->stages[k];
        json_t *entry = json_pack("{s:s, s:I, s:f}", "stage", stage->name, "launches", (json_int_t)stage->launches,
                                  "seconds", stage->seconds);
        if (entry == NULL || json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

// As text: JSON's numbers do not hold 64 bits everywhere.
static json_t *identity_json(const io_record *record)
{
    char text[20];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)record->identity);
    return record->has_identity ? json_string(text) : json_null();
}

// Null where no strain was beyond the range of a law.
static json_t *beyond_json(const io_beyond *beyond)
{
    if (beyond->vertices == 0)
        return json_null();
    return json_pack("{s:I, s:I, s:I, s:f, s:f}", "vertices", (json_int_t)beyond->vertices, "first_strand",
                     (json_int_t)beyond->strand, "first_vertex", (json_int_t)beyond->vertex, "time_s", beyond->time,
                     "strain_per_m", beyond->strain);
}

json_t *io_record_json(const io_record *record)
{
    const sheaf_model *model = record->model;
    const double vertex_steps = (double)model->vertex_count * (double)record->steps;
    const double rate = record->wall_seconds > 0 ? vertex_steps / record->wall_seconds : 0;
    return json_pack(
        "{s:o, s:o, s:s, s:s, s:s, s:I, s:I, s:I, s:f, s:I, s:I, s:f, s:f, s:I, s:f, s:I, s:I, s:I, s:I, s:I, s:I, "
        "s:f, "
        "s:o, s:o, "
        "s:o, "
        "s:o, s:o, s:o, s:{s:s, s:s}, s:o, s:o, s:o}",
        "scene", io_json_text(record->scene), "title", io_json_text(model->def.title ? model->def.title : ""), "device",
        record->device, "form", record->form, "precision", record->precision, "seed", (json_int_t)model->def.seed,
        "steps", (json_int_t)record->steps, "frames", (json_int_t)record->frames, "time_s", record->time, "strands",
        (json_int_t)model->strand_count, "vertices", (json_int_t)model->vertex_count, "start_seconds",
        record->start_seconds, "wall_seconds", record->wall_seconds, "restarts", (json_int_t)record->restarts,
        "vertex_steps_per_s", rate, "peak_memory_bytes", (json_int_t)record->peak_memory, "one_strand_written_in",
        (json_int_t)record->stride, "frozen_strands", (json_int_t)record->frozen_strands, "frozen_bodies",
        (json_int_t)record->frozen_bodies, "unmet_strands", (json_int_t)record->unmet_strands, "unmet_frames",
        (json_int_t)record->unmet_frames, "worst_strain", record->worst_strain, "exit",
        record->exit_code >= 0 ? json_integer(record->exit_code) : json_null(), "incidents", incidents_json(record),
        "law_beyond_range", beyond_json(&record->beyond), "sag_free", balance_json(record), "profile",
        profile_json(record), "settings", settings_json(record), "versions", "sheaf", sheaf_version(), "jansson",
        JANSSON_VERSION, "machine", machine_json(), "identity", identity_json(record), "scene_kept",
        record->scene_kept != NULL ? json_deep_copy(record->scene_kept) : json_null());
}

sheaf_status io_record_write(const io_folder *folder, const io_record *record)
{
    json_t *value = io_record_json(record);
    char *bytes = value ? json_dumps(value, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(value);
    base_text text = {0};
    if (bytes != NULL)
        base_text_add(&text, "%s\n", bytes);
    free(bytes);
    sheaf_status status =
        bytes != NULL ? base_text_status(&text) : base_fail(SHEAF_ERR_MEMORY, "out of memory for " IO_RECORD_NAME);
    if (status == SHEAF_OK)
        status = io_folder_write(folder, IO_RECORD_NAME, &text);
    base_text_free(&text);
    return status;
}

sheaf_status io_record_read(const char *path, json_t **record)
{
    base_text text;
    char shown[512];
    *record = NULL;
    SHEAF_TRY(io_file_read(path, RECORD_LIMIT, &text));
    json_error_t error;
    json_t *value = json_loadb(base_text_get(&text), text.length, JSON_REJECT_DUPLICATES, &error);
    base_text_free(&text);
    base_printable(path, shown, sizeof shown);
    if (value == NULL)
        return base_fail(SHEAF_ERR_INPUT, "%s:%d:%d: %s", shown, error.line, error.column, error.text);
    if (!json_is_object(json_object_get(value, "versions")) || !json_is_integer(json_object_get(value, "steps"))) {
        json_decref(value);
        return base_fail(SHEAF_ERR_INPUT, "'%s' is not the record of a run: it lacks 'versions' or 'steps'", shown);
    }
    *record = value;
    return SHEAF_OK;
}
