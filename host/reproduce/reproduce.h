// reproduce: the papers' experiments. Each is one or several scenes of scenes/papers/, run as they are or as many
// variants at once, and a small analysis that leaves plots, pictures, data and verdicts. All of them make one page.
//
// To add an experiment: its name into REPRODUCE_EXPERIMENTS, its scenes into scenes/papers/, and a file
// host/reproduce/NAME.c that defines reproduce_NAME, whose function calls what stands here below "experiments".
#ifndef SHEAF_REPRODUCE_REPRODUCE_H
#define SHEAF_REPRODUCE_REPRODUCE_H

#include "io/plot.h"
#include "model/model.h"

// All experiments, in the order of the page.
#define REPRODUCE_EXPERIMENTS(X)                                                                                       \
    X(helix)                                                                                                           \
    X(michell)                                                                                                         \
    X(asymmetry)                                                                                                       \
    X(perversion)                                                                                                      \
    X(quasistatic)                                                                                                     \
    X(inextensible)                                                                                                    \
    X(buckling)                                                                                                        \
    X(elastica)                                                                                                        \
    X(modes)                                                                                                           \
    X(spring)                                                                                                          \
    X(children)                                                                                                        \
    X(transducer)                                                                                                      \
    X(wilberforce)                                                                                                     \
    X(knot)                                                                                                            \
    X(plectonemes)                                                                                                     \
    X(chain)                                                                                                           \
    X(tree)                                                                                                            \
    X(rope)                                                                                                            \
    X(bars)                                                                                                            \
    X(hoists)                                                                                                          \
    X(chains)                                                                                                          \
    X(crane)

typedef struct reproduce_run reproduce_run;

typedef struct reproduce_experiment {
    const char *name;   // as in `sheaf reproduce helix`
    const char *title;  // its heading on the page
    const char *figure; // of the paper, as "Figure 7"; "": none
    const char *paper;  // whose figure; NULL: that of Discrete Elastic Rods
    const char *about;  // one line for the list, lower case
    sheaf_status (*run)(reproduce_run *run);
    bool needs_device; // there is nothing to run on the reference
} reproduce_experiment;

#define REPRODUCE_DECLARE(name) extern const reproduce_experiment reproduce_##name;
REPRODUCE_EXPERIMENTS(REPRODUCE_DECLARE)
#undef REPRODUCE_DECLARE

// Ended by NULL; the names have "all" behind them.
extern const reproduce_experiment *const reproduce_experiments[];
extern const char *const reproduce_names[];

// ---------------------------------------------------------------------------------------------------------------------
// running them

// A figure held against what theory or the paper has.
typedef struct reproduce_row {
    const char *experiment;
    char quantity[96];
    double measured, expected;
    double error; // as a share of the expected value, unless the quantity says otherwise
    double bar;   // largest error that passes
    bool pass;
} reproduce_row;

typedef struct reproduce_hooks {
    void (*verdict)(const reproduce_row *row, void *user);
    bool (*progress)(const char *experiment, const char *what, void *user); // often; returns false to end soon
    void *user;
} reproduce_hooks;

typedef struct reproduce_options {
    const char *folder;        // where all goes; made when it is not there
    bool overwrite;            // files that are there may be replaced
    uint64_t chosen;           // a bit for every experiment
    bool is_short;             // small forms of the experiments, in seconds; they say less
    sheaf_precision precision; // on the device; AUTO: as the scenes say
    sheaf_solver_def solver;   // what they run on
} reproduce_options;

typedef struct reproduce_summary {
    reproduce_row *rows; // [row_count]; freed by base_free
    uint32_t row_count;
    uint32_t failed; // of them
} reproduce_summary;

// Runs what is chosen and writes <folder>/index.html and <folder>/<experiment>/*. A verdict that fails is no failure of
// the call. Returns SHEAF_OK, SHEAF_ERR_INTERRUPTED, SHEAF_ERR_IO, SHEAF_ERR_DEVICE, SHEAF_ERR_MEMORY; the summary's
// rows are those found so far.
sheaf_status reproduce_all(const reproduce_options *options, const reproduce_hooks *hooks, reproduce_summary *summary);

// ---------------------------------------------------------------------------------------------------------------------
// experiments: what they find out about their run

bool reproduce_is_short(const reproduce_run *run);

// Whether the experiment runs on a device, so that it can be held against the reference.
bool reproduce_on_device(const reproduce_run *run);

// ---- verdicts

// |measured / expected - 1|
double reproduce_share(double measured, double expected);

// Records and tells a verdict: it passes when error <= bar. Give shares as 0.01, and say in `quantity` what else an
// error is measured in.
sheaf_status reproduce_verdict(reproduce_run *run, const char *quantity, double measured, double expected, double error,
                               double bar);

// ---- the page. Text is plain and escaped. Everything appears in the order of the calls.

// A paragraph of what the paper shows, and one of what is found here: side by side at the top of the section.
__attribute__((format(printf, 2, 3))) void reproduce_paper(reproduce_run *run, const char *format, ...);
__attribute__((format(printf, 2, 3))) void reproduce_here(reproduce_run *run, const char *format, ...);

// A plot of 640 x 400, as <name>.svg and on the page, with a caption.
sheaf_status reproduce_plot(reproduce_run *run, const char *name, const io_plot *plot, const char *caption);

// Numbers as <name>.csv: `head` is its first line, values are [rows][columns].
sheaf_status reproduce_csv(reproduce_run *run, const char *name, const char *head, const double *values, size_t rows,
                           size_t columns);

// A strand to be drawn.
typedef struct reproduce_curve {
    const double (*x)[3];         // [count] m
    const double (*directors)[3]; // [edge] director 1; all curves of a picture have them, or none (NULL)
    uint32_t count;
    double shift[3];  // m, to set several apart
    double half[2];   // m, half axes of the section along director 1 and 2; flat ones are drawn as ribbons
    double colour[3]; // red, green, blue as on screens, 0 to 1; all 0: blue
} reproduce_curve;

typedef struct reproduce_picture {
    const reproduce_curve *curves;
    uint32_t curve_count;
    double azimuth, elevation; // deg, where the eye is; 0, 0: it looks along +y, z is up
    uint32_t width, height;    // px
} reproduce_picture;

// A picture as <name>.png and on the page. Left out with a notice where there are no graphics.
sheaf_status reproduce_draw(reproduce_run *run, const char *name, const reproduce_picture *picture,
                            const char *caption);

// ---- variants of a scene's strands, all stepped at once

typedef struct reproduce_batch {
    sheaf_scene *original; // as the file has it; its `def` may be changed until the first variant is added
    sheaf_scene *scene;    // the variants
    sheaf_model *model;
    sheaf_solver *solver;
    double (*x)[3];         // [vertex] m, as of the last reproduce_batch_run
    double (*directors)[3]; // [edge] as of the last reproduce_batch_read_directors
    uint32_t count;         // strands
    bool on_reference;      // set before it is opened: run on the reference, whatever was asked for
    double time;            // s
} reproduce_batch;

// Reads scenes/papers/<scene>.yaml. Close the batch whatever comes of it.
sheaf_status reproduce_batch_begin(const reproduce_run *run, const char *scene, reproduce_batch *batch);

// The same with a scene that the experiment has written: all its strands at once, without variants.
sheaf_status reproduce_batch_begin_text(const reproduce_run *run, const base_text *text, reproduce_batch *batch);

// Definitions of the scene's k-th strand and its material, to be changed into a variant.
sheaf_strand_def reproduce_batch_strand(const reproduce_batch *batch, uint32_t k);
sheaf_material_def reproduce_batch_material(const reproduce_batch *batch, uint32_t k);

// Adds a variant with a material of its own. What the definitions point to is copied.
sheaf_status reproduce_batch_add(reproduce_batch *batch, const sheaf_material_def *material,
                                 const sheaf_strand_def *strand);

// No more variants; with none the scene runs as it is.
sheaf_status reproduce_batch_open(reproduce_run *run, reproduce_batch *batch);

// Steps until `time`, then reads all positions. SHEAF_ERR_INTERRUPTED: the user wishes to end.
sheaf_status reproduce_batch_run(reproduce_run *run, reproduce_batch *batch, double time);
sheaf_status reproduce_batch_read_directors(reproduce_batch *batch);

// Pull of an edge, N; NAN: the method has none.
sheaf_status reproduce_batch_read_tension(const reproduce_batch *batch, uint32_t strand, uint32_t edge,
                                          double *tension);

// A figure of the solver by its name; NAN: there is none.
double reproduce_batch_figure(const reproduce_batch *batch, const char *name);

void reproduce_batch_close(reproduce_batch *batch);

// Vertices of a strand in batch->x, and how many there are.
const double (*reproduce_batch_vertices(const reproduce_batch *batch, uint32_t strand))[3];
uint32_t reproduce_batch_vertex_count(const reproduce_batch *batch, uint32_t strand);

#endif
