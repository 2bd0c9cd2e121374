// past: the scene of a run that has been, as its folder has it or as another file tells it.
#include "cli/past.h"

#include <inttypes.h>
#include <string.h>

#include "io/folder.h"
#include "run/kept.h"
#include "strand/strand.h"

// A note for each line of a text.
static void note_lines(const base_text *text)
{
    for (const char *line = base_text_get(text); *line != 0;) {
        const size_t length = strcspn(line, "\n");
        cli_note("%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

void cli_past_tell_changed(const json_t *record, bool has_other)
{
    char shown[512];
    const char *changed = run_kept_find_changed(record);
    if (changed != NULL)
        cli_note("'%s' has changed since the run; %s", base_printable(changed, shown, sizeof shown),
                 has_other
                     ? "the run is still that of the scene as it was"
                     : "the run is shown with the scene as it was (--scene takes camera and colours from a file)");
}

static bool has_counts(const json_t *record, const sheaf_model *model)
{
    return model != NULL && (json_int_t)model->strand_count == json_integer_value(json_object_get(record, "strands")) &&
           (json_int_t)model->vertex_count == json_integer_value(json_object_get(record, "vertices"));
}

// The scene in the folder; of folders of version 0.1, which have none, the one at the path that was given then.
static sheaf_status load_own(const char *folder, const json_t *record, cli_loaded *loaded)
{
    run_kept kept;
    SHEAF_TRY(run_kept_find(folder, record, &kept));
    const char *scene = json_string_value(json_object_get(record, "scene"));
    note_lines(&kept.missing);
    note_lines(&kept.changed);
    if (kept.path != NULL && kept.missing.length == 0)
        *loaded = cli_load_moved(kept.path, &kept.places);
    else if (kept.path == NULL && scene != NULL)
        *loaded = cli_load(scene);
    run_kept_free(&kept);
    if (!has_counts(record, loaded->model))
        cli_loaded_free(loaded);
    return SHEAF_OK;
}

// The identity that a model must have to be that of the run. That of the scene in the folder, if it can be read:
// another version of Sheaf may have worked out the recorded one differently.
static sheaf_status find_identity(const json_t *record, const cli_loaded *own, uint64_t *identity, bool *known)
{
    *known = own->model != NULL || run_kept_identity(record, identity);
    return own->model != NULL ? model_identity(own->model, identity) : SHEAF_OK;
}

// Refuses a scene that is not the run's.
static sheaf_status compare(const char *path, const json_t *record, const cli_loaded *own, const cli_loaded *other)
{
    uint64_t ours = 0, its = 0;
    bool known;
    char shown[256];
    base_printable(path, shown, sizeof shown);
    SHEAF_TRY(find_identity(record, own, &ours, &known));
    SHEAF_TRY(model_identity(other->model, &its));
    if (known && ours != its)
        return base_fail(SHEAF_ERR_INPUT,
                         "'%s' is not the scene of this run: the identity of its model is %016" PRIx64
                         ", that of the run %016" PRIx64 "; only how things look and what is kept may differ",
                         shown, its, ours);
    if (!has_counts(record, other->model))
        return base_fail(SHEAF_ERR_INPUT, "'%s' is not the scene of this run: it has %u strands, the run has %lld",
                         shown, other->model->strand_count,
                         (long long)json_integer_value(json_object_get(record, "strands")));
    return SHEAF_OK;
}

static int load_other(const char *path, const json_t *record, cli_loaded *loaded)
{
    cli_loaded other = cli_load(path);
    if (other.status != SHEAF_OK) {
        const int code = cli_tell_load(&other, path);
        cli_loaded_free(&other);
        return code;
    }
    const sheaf_status status = compare(path, record, loaded, &other);
    cli_loaded_free(status == SHEAF_OK ? loaded : &other);
    if (status != SHEAF_OK)
        return cli_fail(status);
    *loaded = other;
    return CLI_EXIT_OK;
}

static int load_recorded(const char *folder, const json_t *record, const char *other, cli_loaded *loaded)
{
    const sheaf_status status = load_own(folder, record, loaded);
    if (status != SHEAF_OK)
        return cli_fail(status);
    cli_past_tell_changed(record, other != NULL);
    if (other != NULL)
        return load_other(other, record, loaded);
    if (loaded->model == NULL)
        cli_note("the run's scene is not there any more, or is another: bodies and colours are not known");
    return CLI_EXIT_OK;
}

int cli_past_load(const char *folder, const char *other, cli_loaded *loaded)
{
    json_t *record = NULL;
    *loaded = (cli_loaded){0};
    char *path = io_path_join(folder, IO_RECORD_NAME);
    sheaf_status status = path != NULL ? io_record_read(path, &record) : SHEAF_ERR_MEMORY;
    base_free(path);
    if (status != SHEAF_OK) // strands are shown without it
        return other != NULL || status == SHEAF_ERR_MEMORY ? cli_fail(status) : CLI_EXIT_OK;
    const int code = load_recorded(folder, record, other, loaded);
    json_decref(record);
    return code;
}
