// build_strand: makes strands and grooms of a checked tree.
#include "scene/build.h"

#include "base/vec.h"

#include <stdio.h>
#include <string.h>

static const double two_pi = 2 * 3.14159265358979323846;

// ---- shapes

// Neighbours must be far enough apart to have a direction between them, at the size of their coordinates.
static void check_distances(scene_builder *builder, scene_map map, const double *points, uint32_t count, bool closed)
{
    const scene_node *item = scene_first(builder->reading, scene_find(map, "points"));
    double largest = 0, edge[3];
    for (size_t k = 0; k < 3 * (size_t)count; k++)
        largest = fmax(largest, fabs(points[k]));
    const double least = 1e-12 * (1 + largest);
    for (uint32_t i = 0; i < count; i++, item = scene_next(builder->reading, item)) {
        const uint32_t next = i + 1 < count ? i + 1 : 0;
        vec_sub(edge, points + 3 * (size_t)next, points + 3 * (size_t)i);
        if (vec_length(edge) < least && (next != 0 || closed))
            scene_complain(builder->reading, scene_place(item), "strand %llu: points %u and %u coincide\nremove one",
                           (unsigned long long)builder->strand_number, i, next);
    }
}

static void build_points(scene_builder *builder, scene_map strand, sheaf_strand_def *def)
{
    const scene_node *list = scene_find(strand, "points");
    def->shape = SHEAF_SHAPE_POINTS;
    if (list == NULL)
        return;
    def->vertex_count = list->count;
    def->points = scene_numbers(builder->reading, list, 3);
    if (def->points != NULL)
        check_distances(builder, strand, def->points, list->count, def->closed);
}

static void build_curve(scene_map curve, sheaf_shape shape, sheaf_strand_def *def)
{
    def->shape = shape;
    scene_vector(curve, "origin", def->origin);
    scene_axis(curve, "direction", def->direction);
    def->vertex_count = (uint32_t)scene_whole(curve, "vertices");
    if (shape != SHEAF_SHAPE_CIRCLE)
        def->length = scene_number(curve, "length");
    if (shape != SHEAF_SHAPE_STRAIGHT) {
        def->radius = scene_number(curve, "radius");
        scene_axis(curve, "normal", def->normal);
    }
    if (shape == SHEAF_SHAPE_HELIX)
        def->pitch = scene_number(curve, "pitch");
}

static void build_shape(scene_map strand, sheaf_strand_def *def)
{
    static const struct {
        const char *name;
        sheaf_shape shape;
    } shapes[] = {{"straight", SHEAF_SHAPE_STRAIGHT},
                  {"helix", SHEAF_SHAPE_HELIX},
                  {"circle", SHEAF_SHAPE_CIRCLE},
                  {"arc", SHEAF_SHAPE_ARC}};
    const scene_map shape = scene_submap(strand, "shape");
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        const scene_map curve = scene_submap(shape, shapes[k].name);
        if (curve.node != NULL)
            build_curve(curve, shapes[k].shape, def);
    }
    if (scene_has(strand, "normal") && (def->normal[0] != 0 || def->normal[1] != 0 || def->normal[2] != 0))
        scene_complain(strand.reading, scene_key_place(strand, "normal"),
                       "normal is in the shape too\nremove one of them");
}

// ---- spacing and natural form

static void build_spacing(scene_map strand, sheaf_strand_def *def)
{
    const scene_node *list = scene_find(strand, "spacing");
    if (list == NULL || !SCENE_SOUND(strand, "shape"))
        return;
    const uint32_t edges = scene_edge_count(def);
    if (!scene_has(strand, "shape"))
        scene_complain(strand.reading, scene_key_place(strand, "spacing"), "spacing is for shapes only\nremove it");
    else if (list->count != edges)
        scene_complain(strand.reading, scene_key_place(strand, "spacing"),
                       "spacing has %u values for %u edges\ngive one for each edge", list->count, edges);
    def->spacing = scene_numbers(strand.reading, list, 1);
}

// A helix has curvature r / (r^2 + c^2) and torsion c / (r^2 + c^2), c = pitch / 2 pi. It bends away from director 1,
// as helix shapes do, whose normal points from the axis outwards.
static void set_natural_helix(scene_map helix, sheaf_strand_def *def)
{
    const double r = scene_number(helix, "radius"), c = scene_number(helix, "pitch") / two_pi, square = r * r + c * c;
    def->natural = SHEAF_NATURAL_CURVATURE;
    if (square > 0) {
        def->natural_curvature[0] = -r / square;
        def->natural_twist = c / square;
    }
}

static void set_natural_points(scene_builder *builder, scene_map natural, sheaf_strand_def *def)
{
    const scene_node *list = scene_find(natural, "points");
    if (list->count != def->vertex_count) {
        scene_complain(natural.reading, scene_key_place(natural, "points"),
                       "%u natural points for %u vertices\ngive one for each vertex", list->count, def->vertex_count);
        return;
    }
    def->natural = SHEAF_NATURAL_POINTS;
    def->natural_points = scene_numbers(natural.reading, list, 3);
    if (def->natural_points != NULL)
        check_distances(builder, natural, def->natural_points, list->count, scene_is_closed(def));
}

static void build_natural_twist(scene_map strand, scene_map natural, sheaf_strand_def *def)
{
    const bool inside = scene_find(natural, "twist") != NULL, outside = scene_find(strand, "natural_twist") != NULL;
    const bool helix = scene_find(natural, "helix") != NULL;
    if (inside + outside + helix > 1)
        scene_complain(strand.reading,
                       outside ? scene_key_place(strand, "natural_twist") : scene_key_place(natural, "twist"),
                       "the natural twist is given twice\nremove one of them");
    if (inside)
        def->natural_twist = scene_number(natural, "twist");
    else if (outside)
        def->natural_twist = scene_number(strand, "natural_twist");
}

static void build_natural(scene_builder *builder, scene_map strand, sheaf_strand_def *def)
{
    const scene_map natural = scene_submap(strand, "natural"), helix = scene_submap(natural, "helix");
    const bool curvature = scene_find(natural, "curvature") != NULL, points = scene_find(natural, "points") != NULL;
    const int given = scene_has(natural, "form") + curvature + points + (helix.node != NULL);
    if (given > 1)
        scene_complain(strand.reading, scene_key_place(strand, "natural"),
                       "natural has %d forms\ngive one of form, curvature, helix and points", given);
    static const sheaf_natural forms[] = {SHEAF_NATURAL_SHAPE, SHEAF_NATURAL_STRAIGHT, SHEAF_NATURAL_SAG_FREE};
    def->natural = forms[scene_whole(natural, "form")];
    if (curvature) {
        def->natural = SHEAF_NATURAL_CURVATURE;
        scene_vector(natural, "curvature", def->natural_curvature);
    }
    if (helix.node != NULL)
        set_natural_helix(helix, def);
    if (points && SCENE_SOUND(strand, "points", "shape", "groom"))
        set_natural_points(builder, natural, def);
    build_natural_twist(strand, natural, def);
}

static void build_stiffen(scene_map strand, scene_group *group)
{
    static const char *const keys[] = {"stiffen", "margin", "limit"};
    const scene_map natural = scene_submap(strand, "natural");
    group->stiffen = (scene_stiffen){scene_whole(natural, "stiffen") == 1, scene_number(natural, "margin"),
                                     scene_number(natural, "limit")};
    for (int k = 0; k < 3 && group->strand.natural != SHEAF_NATURAL_SAG_FREE; k++)
        if (scene_find(natural, keys[k]) != NULL && SCENE_SOUND(natural, "form"))
            scene_complain(strand.reading, scene_key_place(natural, keys[k]),
                           "%s is for strands that start at rest\nadd form: sag-free, or remove it", keys[k]);
}

// A groom's preset says how its strands taper.
static void build_taper(scene_map strand, sheaf_strand_def *def)
{
    scene_map taper = scene_submap(strand, "taper");
    taper.preset = scene_submap(strand, "groom").preset;
    if (!scene_is_given(taper) || !SCENE_SOUND(strand, "taper"))
        return;
    def->taper = scene_number(taper, "tip");
    def->taper_start = scene_number(taper, "start");
    if (scene_is_closed(def))
        scene_complain(strand.reading, scene_key_place(strand, "taper"),
                       "a closed strand has no tip to taper towards\nremove it");
}

// ---- holds

static void check_hold(scene_map hold, const sheaf_strand_def *def, const sheaf_hold_def *holds, uint32_t k)
{
    const bool closed = scene_is_closed(def);
    const uint32_t edges = scene_edge_count(def), first = closed ? 0 : 1, last = closed ? edges - 1 : edges - 2;
    if (holds[k].edge < first || holds[k].edge > last)
        scene_complain(hold.reading, scene_key_place(hold, "edge"),
                       "edge %u is not an inner edge\ninner edges are %u to %u", holds[k].edge, first, last);
    else if (k > 0 && holds[k].edge <= holds[k - 1].edge)
        scene_complain(hold.reading, scene_key_place(hold, "edge"),
                       "edge %u comes after edge %u\nlist holds by increasing edge", holds[k].edge, holds[k - 1].edge);
}

static void build_holds(scene_map strand, sheaf_strand_def *def)
{
    const scene_map list = scene_submap(strand, "holds");
    if (list.node == NULL || !SCENE_SOUND(strand, "holds", "points", "shape", "groom", "closed"))
        return;
    sheaf_hold_def *holds = scene_take(strand.reading, list.node->count, sizeof *holds);
    uint32_t k = 0;
    scene_node *item = scene_first(strand.reading, list.node);
    for (; item != NULL && holds != NULL; item = scene_next(strand.reading, item), k++) {
        const scene_map hold = {strand.reading, list.table, item, 0};
        holds[k].edge = (uint32_t)scene_whole(hold, "edge");
        scene_read_course(hold, "twist", &holds[k].twist);
        check_hold(hold, def, holds, k);
    }
    def->holds = holds;
    def->hold_count = k;
}

// ---- the whole

static void build_material(scene_builder *builder, scene_map strand, sheaf_strand_def *def)
{
    const scene_node *material = scene_find(strand, "material");
    if (material != NULL)
        def->material = (uint32_t)material->whole;
    else if (!scene_has(strand, "material") && !scene_has(strand, "sections") && builder->materials > 1)
        scene_complain(builder->reading, scene_place(strand.node),
                       "material is missing, and there are %u\nadd material: with the name of one", builder->materials);
}

// Names of all methods, and the one that a strand names.
static void build_method(scene_builder *builder, scene_map strand, sheaf_strand_def *def)
{
    const scene_node *name = scene_find(strand, "method");
    char shown[64], known[256] = "";
    if (name == NULL)
        return;
    for (uint32_t k = 0; sheaf_method_name(k) != NULL; k++) {
        if (scene_text_is(name, sheaf_method_name(k))) {
            def->method = k;
            return;
        }
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", k > 0 ? ", " : "", sheaf_method_name(k));
    }
    scene_complain(builder->reading, scene_place(name), "method: '%s' is no method\nmethods are: %s",
                   scene_show(name, shown), known);
}

static void check_closing(scene_map strand, const sheaf_strand_def *def, bool are_many)
{
    if (!SCENE_SOUND(strand, "points", "shape", "groom", "closed"))
        return;
    if (def->closed && (are_many || (def->shape != SHEAF_SHAPE_POINTS && def->shape != SHEAF_SHAPE_CIRCLE)))
        scene_complain(strand.reading, scene_key_place(strand, "closed"), "only points and circles can be closed");
    else if (def->closing_twist != 0 && !scene_is_closed(def))
        scene_complain(strand.reading, scene_key_place(strand, "closing_twist"),
                       "closing_twist is for closed strands\nadd closed: true");
}

static void check_room(scene_map strand, const sheaf_strand_def *def)
{
    if (def->root.hold_tangent && def->tip.hold_tangent && def->vertex_count < 5 &&
        SCENE_SOUND(strand, "points", "shape", "groom"))
        scene_complain(strand.reading, scene_key_place(strand, "tip"),
                       "with both ends clamped, %u vertices leave none to move\nuse at least 5", def->vertex_count);
}

static void check_file_keys(scene_map strand)
{
    static const char *const keys[] = {"unit", "up", "simulate"};
    for (int k = 0; k < 3; k++)
        if (scene_has(strand, keys[k])) {
            scene_complain(strand.reading, scene_key_place(strand, keys[k]),
                           k < 2 ? "unit and up are for strands of a file\nremove it"
                                 : "simulate is for strands of a file\nremove it; a groom's count says how many are "
                                   "simulated, and children how many are drawn besides");
            return;
        }
}

static bool check_kind(scene_map strand)
{
    const int given = scene_has(strand, "points") + scene_has(strand, "shape") + scene_has(strand, "groom") +
                      scene_has(strand, "file");
    if (given != 1)
        scene_complain(strand.reading, scene_place(strand.node),
                       "a strand has exactly one of points, shape, groom and file, not %d", given);
    else if (!scene_has(strand, "file"))
        check_file_keys(strand);
    return given == 1;
}

static void build_form(scene_builder *builder, scene_map strand, scene_group *group)
{
    sheaf_strand_def *def = &group->strand;
    def->closed = scene_flag(strand, "closed");
    def->closing_twist = scene_number(strand, "closing_twist");
    def->clamp_mid_edge = scene_whole(strand, "clamp_plane") == 1;
    if (scene_has(strand, "groom")) {
        def->vertex_count = (uint32_t)scene_whole(scene_submap(strand, "groom"), "vertices");
    } else if (scene_has(strand, "shape")) {
        build_shape(strand, def);
    } else if (scene_has(strand, "points")) {
        build_points(builder, strand, def);
    }
    if (scene_has(strand, "normal"))
        scene_axis(strand, "normal", def->normal);
}

void scene_build_strand(scene_builder *builder, scene_map strand)
{
    scene_group group = {.strand = sheaf_strand_def_default()};
    sheaf_strand_def *def = &group.strand;
    if (!check_kind(strand))
        return;
    build_form(builder, strand, &group);
    build_material(builder, strand, def);
    scene_build_sections(builder, strand, &group);
    build_method(builder, strand, def);
    if (scene_is_building(builder) && def->material < builder->scene->material_count)
        group.cable.stretch = builder->scene->stretches[def->material];
    build_spacing(strand, def);
    build_natural(builder, strand, def);
    build_stiffen(strand, &group);
    int32_t bodies[2];
    scene_build_end(strand, "root", scene_is_closed(def), &def->root, &bodies[0]);
    scene_build_end(strand, "tip", scene_is_closed(def), &def->tip, &bodies[1]);
    build_taper(strand, def);
    if (scene_has(strand, "file") && !scene_build_file(builder, strand, &group))
        return;
    build_holds(strand, def);
    scene_build_joints(strand, bodies, &group);
    check_closing(strand, def, scene_has(strand, "groom") || group.bunch != NULL);
    check_room(strand, def);
    if (scene_has(strand, "groom") && !scene_build_groom(builder, strand, &group))
        return;
    scene_build_children(builder, strand, &group);
    group.stands_for =
        scene_has(strand, "stands_for") ? scene_number(strand, "stands_for") : 1.0 + group.children.count;
    if (scene_is_building(builder))
        scene_added(builder, scene_add_group(builder->scene, &group), scene_place(strand.node));
    builder->strand_number += scene_group_size(&group);
    scene_forget_files(&group);
}
