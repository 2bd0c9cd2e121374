// brood: a run with the children of its strands, written while they are made.
#include "cli/brood.h"

#include "base/vec.h"
#include "cli/past.h"
#include "io/file.h"

sheaf_status cli_brood_open(groom_source *run, groom_source *to, const groom_format *format, const char *path,
                            uint32_t count, cli_brood *brood)
{
    const groom *g = &run->groom;
    const bool is_asked = count != CHILDREN_AS_SCENE;
    if (format->write_flow == NULL)
        return base_fail(SHEAF_ERR_USAGE, "--children is for .usda and .hair files, not for %s", format->extension);
    if (cli_past_load(path, NULL, &brood->loaded) != CLI_EXIT_OK)
        return SHEAF_ERR_MEMORY;
    if (brood->loaded.model == NULL)
        return !is_asked ? SHEAF_OK
                         : base_fail(SHEAF_ERR_INPUT,
                                     "--children needs the folder of a run whose scene is still there and as it was: "
                                     "children are placed by the scene");
    brood->run = run;
    brood->to = to;
    brood->axes = groom_axes_between(g->up, to->groom.up);
    brood->scale = 1 / to->groom.metres_per_unit;
    brood->guides = base_alloc(g->vertex_count, sizeof *brood->guides);
    if (brood->guides == NULL)
        return SHEAF_ERR_MEMORY;
    const children_def def = {.model = brood->loaded.model,
                              .strand_count = (uint32_t)g->strand_count,
                              .ids = g->ids,
                              .first_vertex = g->first_vertex,
                              .count = count};
    SHEAF_TRY(children_open(&def, &brood->plan));
    return brood->plan != NULL || !is_asked
               ? SHEAF_OK
               : base_fail(SHEAF_ERR_INPUT, "the scene has no groom and no file of strands that could have children");
}

void cli_brood_close(cli_brood *brood)
{
    children_close(brood->plan);
    cli_loaded_free(&brood->loaded);
    base_free(brood->guides);
    *brood = (cli_brood){0};
}

// ---- the flow: strands of the run first, then children

static sheaf_status load(void *user, uint64_t frame)
{
    cli_brood *b = user;
    const groom *g = &b->run->groom;
    SHEAF_TRY(groom_load(b->to, frame)); // which moves the run to the frame that it is made of
    for (uint64_t k = 0; k < g->vertex_count; k++) {
        groom_point(g, k, b->guides[k]);
        vec_scale(b->guides[k], b->guides[k], g->metres_per_unit);
    }
    const double time = b->run->times != NULL ? b->run->times[b->run->frame] : 0;
    const children_guides guides = {.positions = (const double(*)[3])b->guides, .time = time};
    return children_pose(b->plan, &guides);
}

// How many of a block's strands are the run's own.
static uint32_t count_own(const cli_brood *b, uint64_t first, uint32_t count)
{
    const uint64_t own = b->run->groom.strand_count;
    return first >= own ? 0 : own - first < count ? (uint32_t)(own - first) : count;
}

static float width_of(const cli_brood *b, uint64_t strand)
{
    const groom *g = &b->to->groom;
    return g->width != NULL ? g->width[g->first_vertex[strand]] : 0;
}

static void lay_out(void *user, uint64_t first, uint32_t count, uint64_t *first_vertex, float *width)
{
    const cli_brood *b = user;
    const groom *g = &b->run->groom;
    const uint32_t own = count_own(b, first, count);
    uint32_t nearest[GROOM_FLOW_BLOCK];
    first_vertex[0] = 0;
    for (uint32_t k = 0; k < own; k++) {
        first_vertex[k + 1] = first_vertex[k] + groom_strand_vertices(g, first + k);
        width[k] = width_of(b, first + k);
    }
    if (own == count)
        return;
    const uint64_t before = first_vertex[own];
    children_layout(b->plan, first + own - g->strand_count, count - own, first_vertex + own, nearest);
    for (uint32_t k = own; k <= count; k++)
        first_vertex[k] += before;
    for (uint32_t k = own; k < count; k++)
        width[k] = width_of(b, nearest[k - own]);
}

static sheaf_status make(void *user, uint64_t first, uint32_t count, const uint64_t *first_vertex, double (*points)[3])
{
    const cli_brood *b = user;
    const groom *g = &b->run->groom;
    const uint32_t own = count_own(b, first, count);
    for (uint64_t k = 0; k < first_vertex[own]; k++)
        vec_copy(points[k], b->guides[g->first_vertex[first] + k]);
    if (own < count)
        SHEAF_TRY(children_lay(b->plan, first + own - g->strand_count, count - own, first_vertex + own, points, 0));
    for (uint64_t k = 0; k < first_vertex[count]; k++) {
        double turned[3];
        groom_turn(&b->axes, points[k], turned);
        vec_scale(points[k], turned, b->scale);
    }
    return SHEAF_OK;
}

sheaf_status cli_brood_save(cli_brood *brood, const groom_format *format, const char *path, bool replace)
{
    const groom *g = &brood->run->groom;
    const groom_flow flow = {.like = brood->to,
                             .strand_count = g->strand_count + children_count(brood->plan),
                             .vertex_count = g->vertex_count + children_vertices(brood->plan),
                             .has_width = brood->to->groom.width != NULL,
                             .user = brood,
                             .load = load,
                             .lay_out = lay_out,
                             .make = make};
    io_file file;
    SHEAF_TRY(io_file_create(path, replace, &file));
    const sheaf_status status = groom_write_flow(format, &flow, file.stream);
    if (status == SHEAF_OK)
        return io_file_commit(&file);
    io_file_abandon(&file);
    return status;
}
