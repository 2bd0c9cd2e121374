// grow: making populations and sharing them.
#include "grow/grow.h"

#include "base/vec.h"
#include "grow/drape.h"
#include "grow/roots.h"

// Densities are shares of the largest where they go beyond 1.
static sheaf_status check_density(grow_def *def)
{
    mesh *m = &def->surface.mesh;
    double least = 0, most = 1;
    if (def->density.values != NULL)
        grow_map_range(&def->density, &least, &most);
    if (least < 0 || most <= 0)
        return base_fail(SHEAF_ERR_INPUT, "densities are from %g to %g\nuse numbers from 0, and some above", least,
                         most);
    for (uint64_t k = 0;
         def->density.values != NULL && most > 1 && k < (uint64_t)def->density.width * def->density.height; k++)
        def->density.values[k] = (float)((double)def->density.values[k] / most);
    most = 1;
    for (uint32_t k = 0; m->density != NULL && k < m->vertex_count; k++)
        most = fmax(most, (double)m->density[k]);
    for (uint32_t k = 0; m->density != NULL && most > 1 && k < m->vertex_count; k++)
        m->density[k] = (float)((double)m->density[k] / most);
    return SHEAF_OK;
}

// Before a single root is placed: a number too large must not cost the time that so many strands take.
static sheaf_status check_count(const grow_def *def, double wanted, grow_room room)
{
    const double vertices = wanted * def->vertices, bytes = vertices * GROW_VERTEX_BYTES;
    if (wanted > room.strands)
        return base_fail(SHEAF_ERR_LIMIT, "%.0f strands; a scene holds at most %u%s", wanted, GROW_MOST_STRANDS,
                         room.strands < GROW_MOST_STRANDS ? " in all" : "");
    if (vertices > (double)room.vertices)
        return base_fail(SHEAF_ERR_LIMIT,
                         "%.0f strands of %u vertices need about %.3g %s of memory; a scene holds at most %llu "
                         "vertices\ntake fewer strands, or fewer vertices",
                         wanted, def->vertices, bytes / (bytes < 1e12 ? 1e9 : 1e12), bytes < 1e12 ? "GB" : "TB",
                         (unsigned long long)GROW_MOST_VERTICES);
    return SHEAF_OK;
}

static sheaf_status count_strands(grow_def *def, double area, grow_room room)
{
    const double wanted = def->count > 0 ? def->count : floor(def->per_area * area + 0.5);
    if (wanted < 1)
        return base_fail(SHEAF_ERR_INPUT, "no strand grows: %.3g m^2 at that density\nraise the density", area);
    SHEAF_TRY(check_count(def, wanted, room));
    def->count = (uint32_t)wanted;
    return SHEAF_OK;
}

static sheaf_status place_groups(grow_population *g, int level)
{
    const grow_gather *gather = &g->def.gather[level];
    if (gather->strands == 0)
        return SHEAF_OK;
    const uint32_t count = (g->def.count + gather->strands - 1) / gather->strands;
    g->middle_count[level] = count;
    g->middles[level] = base_alloc(count, sizeof *g->middles[level]);
    if (g->middles[level] == NULL)
        return SHEAF_ERR_MEMORY;
    SHEAF_TRY(roots_place(&g->def, g->area, roots_stream(level, GROW_STREAM_ROOT), count, g->middles[level]));
    for (int finer = level + 1; finer < GROW_LEVELS; finer++)
        if (g->middles[finer] != NULL)
            SHEAF_TRY(roots_group(&g->def, g->area, g->middles[level], count, level, g->middles[finer],
                                  g->middle_count[finer]));
    return roots_group(&g->def, g->area, g->middles[level], count, level, g->roots, g->def.count);
}

static sheaf_status place_all(grow_population *g, grow_room room)
{
    vec_unit(g->def.where.axis, g->def.where.axis);
    if (g->def.comb.kind == GROW_COMB_NONE && g->def.surface.mesh.comb != NULL)
        g->def.comb.kind = GROW_COMB_MESH;
    SHEAF_TRY(check_density(&g->def));
    SHEAF_TRY(surface_prepare(&g->def.surface));
    SHEAF_TRY(roots_measure(&g->def, &g->area));
    SHEAF_TRY(count_strands(&g->def, g->area, room));
    g->roots = base_alloc(g->def.count, sizeof *g->roots);
    if (g->roots == NULL)
        return SHEAF_ERR_MEMORY;
    SHEAF_TRY(roots_place(&g->def, g->area, GROW_STREAM_ROOT, g->def.count, g->roots));
    for (int level = GROW_LEVELS - 1; level >= 0; level--)
        SHEAF_TRY(place_groups(g, level));
    return g->def.drape.lift > 0 ? drape_all(g) : SHEAF_OK;
}

void grow_def_free(grow_def *def)
{
    surface_free(&def->surface);
    grow_map_free(&def->density);
    base_free(def->where.hairline.line);
    base_free(def->comb.parting);
    def->where.hairline.line = NULL;
    def->comb.parting = NULL;
}

sheaf_status grow_create(grow_def *def, grow_room room, grow_population **grown)
{
    *grown = NULL;
    grow_population *made = grow_share(base_alloc(1, sizeof *made));
    if (made == NULL) {
        grow_def_free(def);
        return SHEAF_ERR_MEMORY;
    }
    made->def = *def;
    def->density = def->surface.heights = (grow_map){0};
    def->surface.mesh = (mesh){0};
    def->where.hairline.line = NULL;
    def->comb.parting = NULL;
    const sheaf_status status = place_all(made, room);
    if (status != SHEAF_OK) {
        grow_release(made);
        return status;
    }
    *grown = made;
    return SHEAF_OK;
}

grow_population *grow_share(grow_population *grown)
{
    if (grown != NULL)
        atomic_fetch_add(&grown->owners, 1);
    return grown;
}

void grow_release(grow_population *grown)
{
    if (grown == NULL || atomic_fetch_sub(&grown->owners, 1) > 1)
        return;
    grow_def_free(&grown->def);
    base_free(grown->roots);
    base_free(grown->draped);
    for (int level = 0; level < GROW_LEVELS; level++)
        base_free(grown->middles[level]);
    base_free(grown);
}
