// build_collider: solid things of a checked tree.
#include "scene/build.h"

#include "base/vec.h"

static void build_axes(scene_map shape, sheaf_collider_def *def)
{
    scene_vector(shape, "center", def->center);
    scene_axis(shape, "axis", def->axis);
    scene_axis(shape, "side", def->side);
}

static void build_ball(scene_map shape, sheaf_collider_def *def)
{
    scene_vector(shape, "center", def->center);
    def->size[0] = scene_number(shape, "radius");
}

// A capsule or cylinder from its two ends.
static void build_rod(scene_map shape, sheaf_collider_def *def)
{
    double from[3], to[3];
    scene_vector(shape, "from", from);
    scene_vector(shape, "to", to);
    vec_sub(def->axis, to, from);
    vec_add(def->center, from, to);
    vec_scale(def->center, def->center, 0.5);
    def->size[0] = scene_number(shape, "radius");
    def->size[1] = vec_length(def->axis) / 2;
    if (def->size[1] == 0 && SCENE_SOUND(shape, "from", "to"))
        scene_complain(shape.reading, scene_key_place(shape, "to"), "from and to are the same point\nmove one of them");
}

static void build_plane(scene_map shape, sheaf_collider_def *def)
{
    scene_vector(shape, "point", def->center);
    scene_axis(shape, "normal", def->axis);
}

static void build_box(scene_map shape, sheaf_collider_def *def)
{
    build_axes(shape, def);
    scene_vector(shape, "size", def->size);
    vec_scale(def->size, def->size, 0.5);
}

static void build_ellipsoid(scene_map shape, sheaf_collider_def *def)
{
    build_axes(shape, def);
    scene_vector(shape, "radii", def->size);
}

static const struct {
    const char *name;
    sheaf_collider_kind kind;
    void (*build)(scene_map shape, sheaf_collider_def *def);
} shapes[] = {
    {"sphere", SHEAF_COLLIDER_SPHERE, build_ball},
    {"capsule", SHEAF_COLLIDER_CAPSULE, build_rod},
    {"plane", SHEAF_COLLIDER_PLANE, build_plane},
    {"box", SHEAF_COLLIDER_BOX, build_box},
    {"ellipsoid", SHEAF_COLLIDER_ELLIPSOID, build_ellipsoid},
    {"cylinder", SHEAF_COLLIDER_CYLINDER, build_rod},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

// How many shapes the file gives; `which` receives the last. A body has no plane: its table lacks the key.
static int count_shapes(scene_map collider, int *which)
{
    int count = 0;
    for (int k = 0; k < SHAPES; k++)
        if (scene_has(collider, shapes[k].name)) {
            *which = k;
            count++;
        }
    return count;
}

int scene_count_shapes(scene_map owner)
{
    int which;
    return count_shapes(owner, &which);
}

bool scene_build_shape(scene_map owner, sheaf_collider_def *def)
{
    int which = 0;
    if (count_shapes(owner, &which) != 1)
        return false;
    const scene_map shape = scene_submap(owner, shapes[which].name);
    if (shape.node == NULL)
        return false;
    def->kind = shapes[which].kind;
    shapes[which].build(shape, def);
    return true;
}

// A mesh as a box with the distances of the mesh in it.
static void build_solid(scene_builder *builder, scene_map shape, sheaf_collider_def *def, scene_span place)
{
    double center[3];
    mesh m = {0};
    mesh_grid *grid = NULL;
    scene_vector(shape, "center", center);
    if (scene_open_mesh(builder, shape, center, &m)) {
        const sheaf_status status = mesh_grid_bake(&m, scene_number(shape, "cell"), &grid);
        scene_added(builder, status, scene_key_place(shape, "file"));
    }
    mesh_free(&m);
    if (grid != NULL && scene_is_building(builder)) {
        def->kind = SHEAF_COLLIDER_BOX;
        for (int c = 0; c < 3; c++) {
            def->size[c] = (grid->count[c] - 1) * grid->cell / 2;
            def->center[c] = grid->low[c] + def->size[c];
        }
        vec_set(def->side, 1, 0, 0);
        scene_added(builder, scene_add_collider(builder->scene, def, grid), place);
    }
    mesh_grid_release(grid);
}

// The motion that carries a collider, named beside its shape or inside it; -1: none.
static int32_t find_motion(scene_map collider, scene_map shape)
{
    const scene_node *beside = scene_find(collider, "follow"), *inside = scene_find(shape, "follow");
    if (scene_has(collider, "follow") && scene_has(shape, "follow"))
        scene_complain(collider.reading, scene_key_place(shape, "follow"),
                       "follow is given twice, inside the shape and beside it\nremove one of them");
    const scene_node *follow = beside != NULL ? beside : inside;
    return follow != NULL ? (int32_t)follow->whole : -1;
}

void scene_build_collider(scene_builder *builder, scene_map collider)
{
    sheaf_collider_def def = sheaf_collider_def_default();
    int which = 0;
    const bool is_mesh = scene_has(collider, "mesh");
    if (count_shapes(collider, &which) + is_mesh != 1) {
        scene_complain(
            collider.reading, scene_place(collider.node),
            "a collider has exactly one shape\ngive one of sphere, capsule, plane, box, ellipsoid, cylinder, mesh");
        return;
    }
    const scene_map shape = scene_submap(collider, is_mesh ? "mesh" : shapes[which].name);
    def.friction = scene_number(collider, "friction");
    def.motion = find_motion(collider, shape);
    if (shape.node == NULL)
        return;
    if (is_mesh) {
        build_solid(builder, shape, &def, scene_place(collider.node));
        return;
    }
    def.kind = shapes[which].kind;
    shapes[which].build(shape, &def);
    if (scene_is_building(builder))
        scene_added(builder, sheaf_scene_add_collider(builder->scene, &def), scene_place(collider.node));
}
