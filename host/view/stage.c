// stage: a scene, or strands out of a file, made ready to be drawn.
#include "view/stage.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "io/looks.h"
#include "world/world.h"

enum { COLOUR_STREAM = 0xC010 };

// Colours of few strands, so that each can be told apart; of hair; of blades; of many stalks. Linear light.
static const float distinct[6][3] = {{0.07f, 0.26f, 0.52f}, {0.70f, 0.22f, 0.04f}, {0.10f, 0.38f, 0.16f},
                                     {0.55f, 0.06f, 0.10f}, {0.60f, 0.42f, 0.04f}, {0.30f, 0.12f, 0.42f}};
static const float chestnut[3] = {0.115f, 0.058f, 0.031f}, green[3] = {0.075f, 0.190f, 0.022f};
static const float straw[3] = {0.42f, 0.30f, 0.10f};

// ---- looks of strands

static void choose_kind(const view_stage *stage, const sheaf_material_def *material, view_strand *look)
{
    if (material != NULL) {
        look->half[0] = material->radius[0];
        look->half[1] = material->radius[1];
    }
    const double wide = fmax(look->half[0], look->half[1]), narrow = fmin(look->half[0], look->half[1]);
    look->kind = VIEW_HAIR;
    if (wide >= LOOKS_FLAT_FROM * narrow && narrow > 0)
        look->kind = VIEW_BLADE;
    else if (wide >= LOOKS_TUBE_FROM || stage->strand_count <= LOOKS_FEW_STRANDS)
        look->kind = VIEW_TUBE;
}

static void choose_colour(const view_stage *stage, uint32_t number, const model_strand *strand, view_strand *look)
{
    const bool is_one_of_few = look->kind == VIEW_TUBE && stage->strand_count <= LOOKS_FEW_STRANDS;
    const float *base = look->kind == VIEW_BLADE  ? green
                        : look->kind == VIEW_HAIR ? chestnut
                        : is_one_of_few           ? distinct[number % 6]
                                                  : straw;
    double vary = is_one_of_few ? 0 : 0.22, random[4], wish[3];
    const scene_view *view = stage->scene != NULL ? &stage->scene->view : NULL;
    vec_set(wish, (double)base[0], (double)base[1], (double)base[2]);
    for (uint32_t k = 0; view != NULL && strand != NULL && k < view->paint_count; k++)
        if (view->paints[k].material == strand->material) {
            vary = view->paints[k].vary;
            look->fibre = (uint8_t)(k + 1);
            for (int c = 0; c < 3; c++)
                wish[c] = view_linear(view->paints[k].colour[c]);
        }
    base_uniform4(1, COLOUR_STREAM, number, random);
    const double bright = 1 + vary * (2 * random[0] - 1) * 1.5, warm = vary * (random[1] - 0.5);
    for (int c = 0; c < 3; c++)
        look->colour[c] = (float)fmin(wish[c] * bright * (1 + warm * (1 - c)), 1);
}

// How many pieces the strands have together. Models of very many vertices do not know where sections meet.
static size_t count_pieces(const view_stage *stage)
{
    size_t count = 0;
    for (uint32_t s = 0; stage->model != NULL && stage->model->vertex_bend != NULL && s < stage->strand_count; s++) {
        const uint32_t number = stage->ids != NULL ? stage->ids[s] : s;
        count += stage->model->groups[stage->model->strands[number].group].section_count;
    }
    return count;
}

// Looks of a strand's sections, where those of one material after the other are one piece; returns how many there are.
static uint32_t choose_pieces(const view_stage *stage, uint32_t number, const view_strand *look, view_piece *pieces)
{
    const sheaf_model *model = stage->model;
    const scene_group *group = &model->groups[model->strands[number].group];
    const uint64_t first = model->first_vertex[number];
    uint32_t count = 0, edge = 1;
    for (uint32_t k = 0; k < group->section_count; k++) {
        if (k > 0 && group->sections[k].material == group->sections[k - 1].material)
            continue;
        if (count > 0) { // the piece before ends where the stiffness of a vertex is that of two halves
            while (edge + 1 < model_vertex_count(model, number) && !(model->vertex_bend[first + edge][0] > 0))
                edge++;
            pieces[count - 1].end = edge++;
        }
        model_strand as_section = model->strands[number];
        view_strand own = *look;
        as_section.material = group->sections[k].material;
        choose_colour(stage, number + count, &as_section, &own);
        const sheaf_material_def *material = &model->materials[as_section.material];
        pieces[count++] = (view_piece){.end = UINT32_MAX,
                                       .half = {material->radius[0], material->radius[1]},
                                       .colour = {own.colour[0], own.colour[1], own.colour[2]}};
    }
    return count;
}

static void choose_looks(view_stage *stage)
{
    view_piece *room = stage->pieces;
    for (uint32_t s = 0; s < stage->strand_count; s++) {
        const uint32_t number = stage->ids != NULL ? stage->ids[s] : s;
        const model_strand *strand = stage->model != NULL ? &stage->model->strands[number] : NULL;
        view_strand *look = &stage->strands[s];
        choose_kind(stage, strand != NULL ? &stage->model->materials[strand->material] : NULL, look);
        choose_colour(stage, number, strand, look);
        look->closed = strand != NULL && strand->closed;
        if (room != NULL && strand != NULL && stage->model->groups[strand->group].section_count > 0) {
            look->pieces = room;
            look->piece_count = choose_pieces(stage, number, look, room);
            room += stage->model->groups[strand->group].section_count;
        }
    }
}

// ---- opening

static void choose_up(view_stage *stage)
{
    vec_set(stage->up, 0, 0, 1);
    if (stage->model != NULL && vec_length(stage->model->def.gravity) > 0) {
        vec_unit(stage->up, stage->model->def.gravity);
        vec_scale(stage->up, stage->up, -1);
    }
}

static sheaf_status allocate(view_stage *stage, const uint64_t *first_vertex)
{
    const uint64_t vertices = first_vertex[stage->strand_count];
    stage->first_vertex = base_alloc((size_t)stage->strand_count + 1, sizeof *stage->first_vertex);
    stage->strands = base_alloc(stage->strand_count, sizeof *stage->strands);
    stage->positions = base_alloc(vertices, sizeof *stage->positions);
    if (stage->first_vertex == NULL || stage->strands == NULL || stage->positions == NULL)
        return SHEAF_ERR_MEMORY;
    memcpy(stage->first_vertex, first_vertex, ((size_t)stage->strand_count + 1) * sizeof *first_vertex);
    return SHEAF_OK;
}

static sheaf_status finish(view_stage *stage)
{
    bool shows_directors = false;
    const size_t pieces = count_pieces(stage);
    if (pieces > 0) {
        stage->pieces = base_alloc(pieces, sizeof *stage->pieces);
        if (stage->pieces == NULL)
            return SHEAF_ERR_MEMORY;
    }
    choose_looks(stage);
    choose_up(stage);
    for (uint32_t s = 0; s < stage->strand_count; s++)
        shows_directors = shows_directors || stage->strands[s].kind != VIEW_HAIR;
    if (shows_directors) {
        stage->directors = base_alloc(stage->first_vertex[stage->strand_count], sizeof *stage->directors);
        if (stage->directors == NULL)
            return SHEAF_ERR_MEMORY;
    }
    return SHEAF_OK;
}

// The bodies of the scene, once positions are known.
static sheaf_status open_props(view_stage *stage)
{
    const view_subject subject = view_stage_subject(stage);
    if (stage->scene == NULL || stage->model == NULL)
        return SHEAF_OK;
    const view_extent extent = view_subject_measure(&subject);
    return view_props_open(stage->scene, stage->model, stage->up, &extent, &stage->props);
}

static sheaf_status open_model(view_stage *stage)
{
    const sheaf_model *model = stage->model;
    SHEAF_TRY(allocate(stage, model->first_vertex));
    SHEAF_TRY(finish(stage));
    if (model_has_arrays(model))
        memcpy(stage->positions, model->position, model->vertex_count * sizeof *stage->positions);
    if (model_has_arrays(model) && stage->directors != NULL)
        memcpy(stage->directors, model->director, model->vertex_count * sizeof *stage->directors);
    return open_props(stage);
}

sheaf_status view_stage_open(const sheaf_scene *scene, const sheaf_model *model, view_stage *stage)
{
    *stage = (view_stage){.scene = scene, .model = model, .strand_count = model->strand_count};
    const sheaf_status status = open_model(stage);
    if (status != SHEAF_OK)
        view_stage_close(stage);
    return status;
}

static sheaf_status take_ids(view_stage *stage, const groom *g)
{
    if (stage->model == NULL)
        return SHEAF_OK;
    stage->ids = base_alloc(stage->strand_count, sizeof *stage->ids);
    if (stage->ids == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t s = 0; s < stage->strand_count; s++) {
        const uint64_t id = groom_id(g, s);
        if (id >= stage->model->strand_count)
            return base_fail(SHEAF_ERR_INPUT, "strand %llu is not in the scene, which has %u", (unsigned long long)id,
                             stage->model->strand_count);
        stage->ids[s] = (uint32_t)id;
    }
    return SHEAF_OK;
}

static sheaf_status open_groom(view_stage *stage, const groom *g)
{
    const double metres = g->metres_per_unit > 0 ? g->metres_per_unit : 1;
    SHEAF_TRY(allocate(stage, g->first_vertex));
    SHEAF_TRY(take_ids(stage, g));
    for (uint32_t s = 0; s < stage->strand_count && g->width != NULL; s++)
        for (int c = 0; c < 2 && g->first_vertex[s] < g->first_vertex[s + 1]; c++)
            stage->strands[s].half[c] = 0.5 * metres * (double)g->width[g->first_vertex[s]];
    SHEAF_TRY(finish(stage));
    if (stage->model == NULL && g->up != GROOM_UP_UNKNOWN)
        vec_set(stage->up, g->up == GROOM_UP_X, g->up == GROOM_UP_Y, g->up == GROOM_UP_Z);
    for (uint64_t k = 0; k < g->vertex_count; k++) {
        groom_point(g, k, stage->positions[k]);
        vec_scale(stage->positions[k], stage->positions[k], metres);
    }
    return open_props(stage);
}

sheaf_status view_stage_open_groom(const groom *g, const sheaf_scene *scene, const sheaf_model *model,
                                   view_stage *stage)
{
    *stage = (view_stage){.scene = scene, .model = model, .strand_count = (uint32_t)g->strand_count};
    const sheaf_status status = open_groom(stage, g);
    if (status != SHEAF_OK)
        view_stage_close(stage);
    return status;
}

void view_stage_close(view_stage *stage)
{
    base_free(stage->first_vertex);
    base_free(stage->ids);
    base_free(stage->strands);
    base_free(stage->pieces);
    base_free(stage->positions);
    base_free(stage->directors);
    view_props_close(&stage->props);
    view_maker_close(stage->maker);
    *stage = (view_stage){0};
}

sheaf_status view_stage_add_children(view_stage *stage, uint32_t count)
{
    const children_def def = {.model = stage->model,
                              .strand_count = stage->strand_count,
                              .ids = stage->ids,
                              .first_vertex = stage->first_vertex,
                              .count = count};
    if (stage->model == NULL)
        return SHEAF_OK;
    return view_maker_open(&def, stage->strands, &stage->maker);
}

// ---- what moves

sheaf_status view_stage_set_time(view_stage *stage, double time)
{
    stage->time = time;
    return view_props_set_time(&stage->props, stage->scene, time);
}

// Director 1 of a strand's first edge: as the scene has it, turned with the motion that the root follows.
static void root_director(const view_stage *stage, uint32_t s, double time, const double tangent[3], double out[3])
{
    const uint32_t number = stage->ids != NULL ? stage->ids[s] : s;
    vec_normal(out, tangent);
    if (stage->model == NULL || !model_has_arrays(stage->model))
        return;
    const model_strand *strand = &stage->model->strands[number];
    model_path path;
    const sheaf_motion_def *motion = model_end_motion(stage->model, strand, strand->root, time, time, &path);
    vec_copy(out, stage->model->director[stage->model->first_vertex[number]]);
    if (motion != NULL)
        model_motion_turn(motion, time, out, out);
}

void view_stage_carry_directors(view_stage *stage, double time)
{
    for (uint32_t s = 0; s < stage->strand_count && stage->directors != NULL; s++) {
        double last[3] = {0, 0, 1}, tangent[3];
        for (uint64_t k = stage->first_vertex[s]; k + 1 < stage->first_vertex[s + 1]; k++) {
            vec_sub(tangent, stage->positions[k + 1], stage->positions[k]);
            if (vec_length(tangent) > 0)
                vec_unit(tangent, tangent);
            else
                vec_copy(tangent, last);
            if (k == stage->first_vertex[s])
                root_director(stage, s, time, tangent, stage->directors[k]);
            else
                vec_transport(stage->directors[k], stage->directors[k - 1], last, tangent);
            vec_copy(last, tangent);
        }
    }
}

view_subject view_stage_subject(const view_stage *stage)
{
    view_subject subject = {.strand_count = stage->strand_count,
                            .first_vertex = stage->first_vertex,
                            .strands = stage->strands,
                            .positions = (const double(*)[3])stage->positions,
                            .directors = (const double(*)[3])stage->directors,
                            .bodies = stage->props.bodies,
                            .body_count = stage->props.count,
                            .has_ground = stage->has_ground,
                            .ground = stage->ground,
                            .crowd = view_maker_crowd(stage->maker, (const double(*)[3])stage->positions, stage->time)};
    vec_copy(subject.up, stage->up);
    return subject;
}

// ---- wishes

view_style view_stage_style(const view_stage *stage)
{
    view_style style = view_style_default();
    const scene_view *view = stage->scene != NULL ? &stage->scene->view : NULL;
    if (view == NULL || !(view->exposure > 0))
        return style;
    view_style_set(&style, view);
    return style;
}

view_camera view_stage_camera(const view_stage *stage, const double (*points)[3], uint64_t count, double aspect)
{
    view_camera camera = view_camera_choose(points, count, stage->up, aspect);
    const scene_view *view = stage->scene != NULL ? &stage->scene->view : NULL;
    if (view == NULL || !(view->angle > 0))
        return camera;
    camera.angle = view->angle;
    view_camera_frame(&camera, points, count, aspect);
    if (view->has_at)
        vec_copy(camera.at, view->at);
    if (view->has_from)
        view_camera_look_from(&camera, view->from);
    return camera;
}

void view_stage_place_ground(view_stage *stage, double lowest, double size)
{
    const scene_view *view = stage->scene != NULL ? &stage->scene->view : NULL;
    stage->has_ground = view == NULL || view->ground != SCENE_GROUND_NONE;
    if (view != NULL && view->ground == SCENE_GROUND_AT)
        stage->ground = view->ground_height;
    else
        stage->ground = stage->props.has_floor ? stage->props.floor : lowest - 0.08 * size;
}
