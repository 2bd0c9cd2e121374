// reproduce: runs experiments one after the other, collects their verdicts and writes the page.
#include "reproduce/reproduce.h"

#include <errno.h>
#include <math.h>
#include <sys/stat.h>

#include "io/file.h"
#include "io/html.h"
#include "reproduce/run.h"

#define REPRODUCE_ADDRESS(name) &reproduce_##name,
const reproduce_experiment *const reproduce_experiments[] = {REPRODUCE_EXPERIMENTS(REPRODUCE_ADDRESS) NULL};
#undef REPRODUCE_ADDRESS

#define REPRODUCE_NAME(name) #name,
const char *const reproduce_names[] = {REPRODUCE_EXPERIMENTS(REPRODUCE_NAME) "all", NULL};
#undef REPRODUCE_NAME

bool reproduce_is_short(const reproduce_run *run)
{
    return run->options->is_short;
}

bool reproduce_on_device(const reproduce_run *run)
{
    return run->options->solver.backend != SHEAF_BACKEND_REFERENCE;
}

double reproduce_share(double measured, double expected)
{
    return fabs(measured / expected - 1);
}

sheaf_status reproduce_verdict(reproduce_run *run, const char *quantity, double measured, double expected, double error,
                               double bar)
{
    reproduce_summary *summary = run->summary;
    reproduce_row *rows = base_realloc(summary->rows, summary->row_count + 1u, sizeof *rows);
    if (rows == NULL)
        return SHEAF_ERR_MEMORY;
    reproduce_row *row = &rows[summary->row_count++];
    summary->rows = rows;
    *row = (reproduce_row){.experiment = run->experiment->name,
                           .measured = measured,
                           .expected = expected,
                           .error = error,
                           .bar = bar,
                           .pass = error <= bar};
    snprintf(row->quantity, sizeof row->quantity, "%s", quantity);
    summary->failed += !row->pass;
    run->hooks->verdict(row, run->hooks->user);
    return SHEAF_OK;
}

// ---- folders

static sheaf_status make_folder(const char *path)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST ? SHEAF_OK : io_fail("create", path);
}

static sheaf_status check_folder(const reproduce_options *options, char **page)
{
    struct stat about;
    *page = io_path_join(options->folder, "index.html");
    if (*page == NULL)
        return SHEAF_ERR_MEMORY;
    if (!options->overwrite && stat(*page, &about) == 0)
        return base_fail(SHEAF_ERR_IO, "'%s' exists; --overwrite replaces it", *page);
    return make_folder(options->folder);
}

// ---- one after the other

static void free_run(reproduce_run *run)
{
    base_text_free(&run->paper);
    base_text_free(&run->here);
    base_text_free(&run->figures);
    base_text_free(&run->files);
    base_free(run->folder);
}

static sheaf_status run_one(reproduce_run *run, base_text *sections)
{
    run->folder = io_path_join(run->options->folder, run->experiment->name);
    if (run->folder == NULL)
        return SHEAF_ERR_MEMORY;
    SHEAF_TRY(make_folder(run->folder));
    if (!run->hooks->progress(run->experiment->name, "starting", run->hooks->user))
        return SHEAF_ERR_INTERRUPTED;
    SHEAF_TRY(run->experiment->run(run));
    reproduce_add_section(run, sections);
    return base_text_status(sections);
}

// On the reference what needs a device is left out of several, and refused alone: it would pass without having run.
static sheaf_status leave_out(const reproduce_options *options, const reproduce_hooks *hooks, uint32_t k, bool *out)
{
    const reproduce_experiment *it = reproduce_experiments[k];
    *out = it->needs_device && options->solver.backend == SHEAF_BACKEND_REFERENCE;
    if (*out && options->chosen == UINT64_C(1) << k)
        return base_fail(SHEAF_ERR_DEVICE, "%s runs on devices only: leave out `--device ref`", it->name);
    if (*out && !hooks->progress(it->name, "left out: it runs on devices only", hooks->user))
        return SHEAF_ERR_INTERRUPTED;
    return SHEAF_OK;
}

static sheaf_status run_chosen(const reproduce_options *options, const reproduce_hooks *hooks,
                               reproduce_summary *summary, base_text *sections)
{
    for (uint32_t k = 0; reproduce_experiments[k] != NULL; k++) {
        bool out = false;
        if (options->chosen >> k & 1)
            SHEAF_TRY(leave_out(options, hooks, k, &out));
        if (out || !(options->chosen >> k & 1))
            continue;
        reproduce_run run = {.experiment = reproduce_experiments[k],
                             .options = options,
                             .hooks = hooks,
                             .summary = summary,
                             .first_row = summary->row_count};
        const sheaf_status status = run_one(&run, sections);
        free_run(&run);
        SHEAF_TRY(status);
    }
    return SHEAF_OK;
}

static sheaf_status write_page(const reproduce_options *options, const reproduce_summary *summary,
                               const base_text *sections, const char *path)
{
    base_text html = {0};
    io_html_open(&html, "The papers' experiments");
    reproduce_add_head(options, summary, &html);
    base_text_add_bytes(&html, base_text_get(sections), sections->length);
    io_html_close(&html);
    sheaf_status status = base_text_status(&html);
    if (status == SHEAF_OK)
        status = io_file_write(path, options->overwrite, html.bytes, html.length);
    base_text_free(&html);
    return status;
}

sheaf_status reproduce_all(const reproduce_options *options, const reproduce_hooks *hooks, reproduce_summary *summary)
{
    base_text sections = {0};
    char *page = NULL;
    *summary = (reproduce_summary){0};
    sheaf_status status = check_folder(options, &page);
    if (status == SHEAF_OK)
        status = run_chosen(options, hooks, summary, &sections);
    if (status == SHEAF_OK)
        status = write_page(options, summary, &sections, page);
    base_text_free(&sections);
    base_free(page);
    return status;
}
