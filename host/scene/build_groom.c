// build_groom: populations on surfaces, from what a scene says of them and the files it names.
#include "scene/build.h"

#include "base/vec.h"
#include "scene/limits.h"

#include <string.h>

// Turns a failure to read what a key names into a complaint about it; true: it was read.
static bool took(scene_builder *builder, sheaf_status status, scene_map map, const char *key)
{
    scene_added(builder, status, scene_key_place(map, key));
    return status == SHEAF_OK;
}

// ---- surfaces

static void build_ellipsoid(scene_map map, grow_surface *s)
{
    s->kind = GROW_ELLIPSOID;
    s->cap = scene_number(map, "cap");
    scene_axis(map, "up", s->up);
    scene_vector(map, "center", s->center);
}

static void build_ground(scene_map map, grow_kind kind, grow_surface *s)
{
    s->kind = kind;
    scene_axis(map, "up", s->up);
    scene_vector(map, "center", s->center);
    scene_pair(map, "size", s->size);
}

static bool build_heights(scene_builder *builder, scene_map map, grow_surface *s)
{
    build_ground(map, GROW_HEIGHTS, s);
    s->range[0] = scene_number(map, "low");
    s->range[1] = scene_number(map, "high");
    const char *path = scene_find_path(map, "file");
    return path != NULL && took(builder, grow_map_open(path, &s->heights), map, "file");
}

// Moves a mesh to where the scene wants it.
static bool place_mesh(scene_builder *builder, scene_map map, const char *key, const double center[3], mesh *m)
{
    const scene_node *unit = scene_find(map, "unit"), *up = scene_find(map, "up");
    const double metres = unit != NULL ? scene_unit_metres(unit->whole) : m->metres_per_unit;
    const groom_up axis = up != NULL ? (groom_up)(GROOM_UP_X + up->whole) : m->up;
    if (metres == 0 || axis == GROOM_UP_UNKNOWN) {
        scene_complain(builder->reading, scene_key_place(map, key),
                       "the file does not say its %s\nadd %s, or what it is", metres == 0 ? "unit" : "axis that is up",
                       metres == 0 ? "unit: cm" : "up: y");
        return false;
    }
    mesh_place(m, axis, scene_find_up(builder->file), metres, center);
    for (int c = 0; c < 3; c++)
        if (!scene_within(SCENE_LIMIT_COORDINATE, m->low[c]) || !scene_within(SCENE_LIMIT_COORDINATE, m->high[c])) {
            scene_complain(builder->reading, scene_key_place(map, key),
                           "the mesh reaches from %g to %g m\ncoordinates are at most 1e6 m; is the unit right?",
                           m->low[c], m->high[c]);
            return false;
        }
    return true;
}

bool scene_open_mesh_at(scene_builder *builder, scene_map map, const char *key, const char *path,
                        const double center[3], mesh *m)
{
    return took(builder, mesh_open(path, m), map, key) && place_mesh(builder, map, key, center, m);
}

bool scene_open_mesh(scene_builder *builder, scene_map map, const double center[3], mesh *m)
{
    const char *path = scene_find_path(map, "file");
    return path != NULL && scene_open_mesh_at(builder, map, "file", path, center, m);
}

static bool build_mesh(scene_builder *builder, scene_map map, grow_surface *s)
{
    s->kind = GROW_MESH;
    vec_set(s->up, 0, 0, 0);
    s->up[scene_find_up(builder->file) - GROOM_UP_X] = 1;
    scene_vector(map, "center", s->center);
    return scene_open_mesh(builder, map, s->center, &s->mesh);
}

static bool build_surface(scene_builder *builder, scene_map on, grow_surface *s)
{
    const scene_map sphere = scene_submap(on, "sphere"), ellipsoid = scene_submap(on, "ellipsoid");
    const scene_map plane = scene_submap(on, "plane"), heights = scene_submap(on, "heights");
    const scene_map triangles = scene_submap(on, "mesh");
    if (heights.node != NULL)
        return build_heights(builder, heights, s);
    if (triangles.node != NULL)
        return build_mesh(builder, triangles, s);
    if (sphere.node != NULL) {
        build_ellipsoid(sphere, s);
        s->radii[0] = s->radii[1] = s->radii[2] = scene_number(sphere, "radius");
    } else if (ellipsoid.node != NULL) {
        build_ellipsoid(ellipsoid, s);
        scene_vector(ellipsoid, "radii", s->radii);
    } else if (plane.node != NULL) {
        build_ground(plane, GROW_PLANE, s);
    } else {
        return false; // complained about
    }
    return true;
}

static void build_hairline(scene_builder *builder, scene_map map, grow_hairline *out)
{
    const scene_node *line = scene_find(map, "line");
    if (line == NULL)
        return;
    scene_vector(map, "from", out->from);
    scene_axis(map, "front", out->front);
    out->soft = scene_number(map, "soft");
    const double *numbers = scene_numbers(map.reading, line, 2);
    out->line = numbers != NULL ? base_alloc(line->count, sizeof *out->line) : NULL;
    if (out->line == NULL) {
        builder->reading->status = SHEAF_ERR_MEMORY;
        return;
    }
    out->count = line->count;
    memcpy(out->line, numbers, line->count * sizeof *out->line);
    double up[3] = {0, 0, 0}, across[3];
    up[scene_find_up(builder->file) - GROOM_UP_X] = 1;
    vec_cross(across, up, out->front);
    if (!(vec_length(across) > 1e-6 * vec_length(out->front)))
        scene_complain(map.reading, scene_key_place(map, "front"),
                       "the face cannot look straight up or down\ngive front: -y, or another level direction");
}

static void build_where(scene_builder *builder, scene_map where, grow_region *region)
{
    build_hairline(builder, scene_submap(where, "hairline"), &region->hairline);
    const scene_node *above = scene_find(where, "above"), *below = scene_find(where, "below");
    scene_axis(where, "axis", region->axis);
    // that of 180 deg could be rounded to above -1, and leave out what points straight away
    region->cosine = scene_has(where, "angle") ? 1 - 2 * grow_cap_share(scene_number(where, "angle")) : -2;
    region->above = above != NULL ? above->number : -INFINITY;
    region->below = below != NULL ? below->number : INFINITY;
}

// ---- strands

static void build_parting(scene_map map, grow_comb *out)
{
    const scene_node *through = scene_find(map, "through");
    if (through == NULL)
        return;
    const double *numbers = scene_numbers(map.reading, through, 3);
    out->parting = numbers != NULL ? base_alloc(through->count, sizeof *out->parting) : NULL;
    if (out->parting == NULL) {
        map.reading->status = SHEAF_ERR_MEMORY;
        return;
    }
    out->kind = GROW_COMB_PARTING;
    out->parting_count = through->count;
    memcpy(out->parting, numbers, through->count * sizeof *out->parting);
    out->down = scene_number(map, "down");
    out->back = scene_number(map, "back");
}

static void build_comb(scene_map comb, grow_comb *out)
{
    out->kind = GROW_COMB_NONE;
    if (scene_find(comb, "along") != NULL) {
        out->kind = GROW_COMB_ALONG;
        scene_axis(comb, "along", out->vector);
    } else if (scene_find(comb, "around") != NULL) {
        out->kind = GROW_COMB_AROUND;
        scene_axis(comb, "around", out->vector);
    } else if (scene_find(comb, "from") != NULL) {
        out->kind = GROW_COMB_FROM;
        scene_vector(comb, "from", out->vector);
    } else if (scene_find(comb, "parting") != NULL) {
        build_parting(scene_submap(comb, "parting"), out);
    }
}

static void build_drape(scene_map map, grow_drape *out)
{
    if (map.node == NULL)
        return;
    out->lift = scene_number(map, "lift");
    out->smooth = scene_number(map, "smooth");
}

static void build_gather(scene_map map, grow_gather *gather)
{
    if (!scene_is_given(map))
        return;
    gather->strands = (uint32_t)scene_whole(map, "strands");
    gather->strength = scene_number(map, "strength");
    gather->stray = scene_number(map, "stray");
    if (gather->strands == 0 && SCENE_SOUND(map, "strands"))
        scene_complain(map.reading, scene_place(map.node), "strands is missing in %s\nadd strands: 40",
                       map.table->name);
}

static void build_curl(scene_map grown, grow_def *def)
{
    const scene_map curl = scene_submap(grown, "curl");
    if (!scene_is_given(curl))
        return;
    def->curl_radius = scene_number(curl, "radius");
    def->curl_pitch = scene_number(curl, "pitch");
    def->curl_spread = scene_number(curl, "spread");
    def->curl_in_phase = scene_whole(curl, "phase") == 1;
    if (!SCENE_SOUND(grown, "curl"))
        return;
    if (def->curl_radius > 0 && fabs(def->curl_pitch) < scene_limits[SCENE_LIMIT_LENGTH].least)
        scene_complain(grown.reading, scene_key_place(grown, "curl"),
                       "a curl needs a pitch of at least %g m\nadd pitch: 25 mm",
                       scene_limits[SCENE_LIMIT_LENGTH].least);
    else if (curl.node != NULL && !scene_has(curl, "radius") && curl.preset == 0)
        scene_complain(grown.reading, scene_key_place(grown, "curl"), "radius is missing in curl\nadd radius: 6 mm");
}

static void build_forms(scene_map grown, grow_def *def)
{
    const scene_map length = scene_submap(grown, "length"), tilt = scene_submap(grown, "tilt");
    const scene_map lay = scene_submap(grown, "lay"), vary = scene_submap(grown, "vary");
    def->vertices = (uint32_t)scene_whole(grown, "vertices");
    def->along_up = scene_whole(grown, "along") == 1;
    def->length = scene_number(length, "mean");
    def->length_spread = scene_number(length, "spread");
    def->tilt = scene_number(tilt, "angle");
    def->tilt_spread = fabs(scene_number(tilt, "spread"));
    def->lay = scene_number(lay, "angle");
    def->lay_spread = fabs(scene_number(lay, "spread"));
    def->radius_spread = scene_number(vary, "radius");
    def->stiffness_spread = scene_number(vary, "stiffness");
    build_curl(grown, def);
    build_comb(scene_submap(grown, "comb"), &def->comb);
    build_drape(scene_submap(grown, "drape"), &def->drape);
    build_gather(scene_submap(grown, "clumps"), &def->gather[GROW_CLUMPS]);
    build_gather(scene_submap(grown, "wisps"), &def->gather[GROW_WISPS]);
    if (def->length == 0 && SCENE_SOUND(grown, "length"))
        scene_complain(grown.reading, scene_place(grown.node),
                       "length is missing in groom\nadd length: 20 cm, or a preset");
}

static void build_number(scene_map grown, grow_def *def)
{
    const scene_node *count = scene_find(grown, "count");
    if (scene_has(grown, "count") + scene_has(grown, "density") != 1)
        scene_complain(grown.reading, scene_place(grown.node), "a groom has exactly one of count and density");
    def->count = count != NULL ? (uint32_t)count->whole : 0;
    def->per_area = scene_number(grown, "density");
}

// The scene's own seed must not place two grooms alike.
static uint64_t find_seed(const scene_builder *builder, scene_map grown)
{
    if (scene_has(grown, "seed"))
        return scene_whole(grown, "seed");
    return scene_whole(builder->file, "seed") + builder->grooms;
}

static bool build_population(scene_builder *builder, scene_map grown, grow_def *def)
{
    build_number(grown, def);
    build_where(builder, scene_submap(grown, "where"), &def->where);
    build_forms(grown, def);
    def->seed = find_seed(builder, grown);
    builder->grooms++;
    if (!build_surface(builder, scene_submap(grown, "on"), &def->surface))
        return false;
    const char *path = scene_find_path(grown, "density_map");
    return path == NULL || took(builder, grow_map_open(path, &def->density), grown, "density_map");
}

bool scene_build_groom(scene_builder *builder, scene_map strand, scene_group *group)
{
    const scene_map grown = scene_submap(strand, "groom");
    grow_def def = {.count = 0};
    if (grown.node == NULL)
        return false;
    bool built = build_population(builder, grown, &def) && SCENE_SOUND(strand, "groom") && scene_is_building(builder);
    if (built) {
        const grow_room room = {(uint32_t)(SCENE_MAX_STRANDS - builder->scene->strand_count),
                                SCENE_MAX_ALL_VERTICES - builder->scene->vertex_count};
        built = took(builder, grow_create(&def, room, &group->grown), strand, "groom");
    }
    grow_def_free(&def);
    return built;
}
