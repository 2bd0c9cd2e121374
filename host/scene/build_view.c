// build_view: how a scene wishes to be seen, from a checked tree.
#include "scene/build.h"

// A vector that may be absent; returns whether it is there.
static bool read_vector(scene_map map, const char *name, double out[3])
{
    const bool present = scene_find(map, name) != NULL;
    if (present)
        scene_vector(map, name, out);
    return present;
}

static void build_camera(scene_map camera, scene_view *view)
{
    view->has_from = read_vector(camera, "from", view->from);
    view->has_at = read_vector(camera, "at", view->at);
    view->angle = scene_number(camera, "angle");
    if (view->has_from && view->has_at && view->from[0] == view->at[0] && view->from[1] == view->at[1] &&
        view->from[2] == view->at[2])
        scene_complain(camera.reading, scene_key_place(camera, "at"), "the eye is where it looks at\nmove one of them");
}

static void build_ground(scene_map view_map, scene_view *view)
{
    const scene_map ground = scene_submap(view_map, "ground");
    view->ground = ground.node != NULL ? (scene_ground)scene_whole(ground, "show") : SCENE_GROUND_AUTO;
    if (ground.node == NULL)
        return;
    view->ground_height = scene_number(ground, "height");
    if (scene_has(ground, "height"))
        view->ground = SCENE_GROUND_AT;
    view->has_ground_colour = read_vector(ground, "colour", view->ground_colour);
}

static void build_paint(scene_builder *builder, scene_map item, scene_paint *paint)
{
    const scene_node *material = scene_find(item, "material");
    paint->material = material != NULL ? (uint32_t)material->whole : 0;
    paint->vary = scene_number(item, "vary");
    paint->roughness = scene_number(item, "roughness");
    paint->shift = scene_number(item, "shift");
    paint->shine = scene_number(item, "shine");
    paint->tint = scene_number(item, "tint");
    scene_vector(item, "tip", paint->tip);
    (void)read_vector(item, "colour", paint->colour);
    if (!scene_has(item, "material") && builder->materials > 1)
        scene_complain(builder->reading, scene_place(item.node),
                       "material is missing, and there are %u\nadd material: with the name of one", builder->materials);
}

static void build_paints(scene_builder *builder, scene_map view_map, scene_view *view)
{
    const scene_map list = scene_submap(view_map, "colours");
    if (list.node == NULL || list.node->count == 0)
        return;
    if (list.node->count > SCENE_MOST_PAINTS) {
        scene_complain_limit(builder->reading, scene_place(list.node), "%u colours; at most %d are told apart",
                             list.node->count, SCENE_MOST_PAINTS);
        return;
    }
    view->paints = base_alloc(list.node->count, sizeof *view->paints);
    if (view->paints == NULL) {
        builder->reading->status = SHEAF_ERR_MEMORY;
        return;
    }
    for (scene_node *item = scene_first(builder->reading, list.node); item != NULL;
         item = scene_next(builder->reading, item))
        if (item->kind == SCENE_NODE_MAP && !item->bad)
            build_paint(builder, (scene_map){builder->reading, list.table, item, 0},
                        &view->paints[view->paint_count++]);
}

void scene_build_view(scene_builder *builder)
{
    const scene_map map = scene_submap(builder->file, "view");
    scene_view view = {0};
    if (map.node == NULL)
        return;
    build_camera(scene_submap(map, "camera"), &view);
    view.has_light = scene_find(map, "light") != NULL;
    if (view.has_light)
        scene_axis(map, "light", view.light);
    view.background = (scene_background)scene_whole(map, "background");
    view.exposure = scene_number(map, "exposure");
    view.rim = scene_number(map, "rim");
    view.has_skin = read_vector(map, "skin", view.skin);
    view.has_sky = read_vector(map, "sky", view.sky);
    build_ground(map, &view);
    build_paints(builder, map, &view);
    if (scene_is_building(builder))
        builder->scene->view = view;
    else
        base_free(view.paints);
}
