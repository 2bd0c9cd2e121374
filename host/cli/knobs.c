// knobs: numbers of a scene that `sheaf view` lets its user turn.
#include "cli/knobs.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "io/file.h"
#include "scene/edit.h"

enum { KNOB_GRAVITY, KNOB_WIND, KNOB_NEWTON = KNOB_WIND + 3, KNOB_MATERIALS };
enum { PER_STIFFNESS, PER_DAMPING, PER_DRAG, PER_MATERIAL };
enum { MATERIALS_MOST = (CLI_KNOBS_MOST - KNOB_MATERIALS) / PER_MATERIAL, PAST_MOST = 100 };

static void add(cli_knobs *knobs, const char *name, const char *what, double value, double least, double most,
                bool is_logarithmic)
{
    view_knob *knob = &knobs->list[knobs->count];
    snprintf(knob->name, sizeof knob->name, "%.30s%s%s", name, name[0] != 0 ? " " : "", what);
    knob->value = value;
    knob->least = fmin(least, value);
    knob->most = fmax(most, value);
    knob->is_logarithmic = is_logarithmic;
    knobs->start[knobs->count++] = value;
}

static void add_all(cli_knobs *knobs)
{
    const sheaf_scene_def *def = &knobs->def;
    add(knobs, "", "gravity, m/s^2", vec_length(def->gravity), 0, 30, false);
    add(knobs, "", "wind x, m/s", def->wind[0], -20, 20, false);
    add(knobs, "", "wind y, m/s", def->wind[1], -20, 20, false);
    add(knobs, "", "wind z, m/s", def->wind[2], -20, 20, false);
    add(knobs, "", "Newton iterations, 0: auto", def->newton, 0, 8, false);
    for (uint32_t m = 0; m < knobs->material_count && m < MATERIALS_MOST; m++) {
        const sheaf_material_def *material = &knobs->materials[m];
        add(knobs, material->name, "stiffness, times", 1, 0.05, 20, true);
        add(knobs, material->name, "damping, ms", 1e3 * material->damping, 0, 20, false);
        add(knobs, material->name, "drag, mPa s", 1e3 * material->drag, 0, fmax(1, 1e4 * material->drag), false);
    }
}

sheaf_status cli_knobs_open(const sheaf_scene *scene, cli_knobs *knobs)
{
    *knobs = (cli_knobs){.def = scene->def, .material_count = scene->material_count};
    knobs->materials = base_alloc(scene->material_count, sizeof *knobs->materials);
    knobs->past = base_alloc(PAST_MOST, sizeof *knobs->past);
    if (knobs->materials == NULL || knobs->past == NULL) {
        cli_knobs_close(knobs);
        return SHEAF_ERR_MEMORY;
    }
    memcpy(knobs->materials, scene->materials, scene->material_count * sizeof *knobs->materials);
    add_all(knobs);
    memcpy(knobs->last, knobs->start, sizeof knobs->last);
    return SHEAF_OK;
}

void cli_knobs_close(cli_knobs *knobs)
{
    base_free(knobs->materials);
    base_free(knobs->past);
    *knobs = (cli_knobs){0};
}

// ---- into the scene

static double value_of(const cli_knobs *knobs, uint32_t k)
{
    return knobs->list[k].value;
}

static void gravity_of(const cli_knobs *knobs, double out[3])
{
    const double length = vec_length(knobs->def.gravity);
    vec_set(out, 0, 0, -1);
    if (length > 0)
        vec_scale(out, knobs->def.gravity, 1 / length);
    vec_scale(out, out, value_of(knobs, KNOB_GRAVITY));
}

static void fill_scene(const cli_knobs *knobs, sheaf_scene *scene)
{
    gravity_of(knobs, scene->def.gravity);
    for (uint32_t c = 0; c < 3; c++)
        scene->def.wind[c] = value_of(knobs, KNOB_WIND + c);
    scene->def.newton = (uint32_t)lrint(value_of(knobs, KNOB_NEWTON));
    for (uint32_t m = 0; m < knobs->material_count && m < MATERIALS_MOST; m++) {
        const uint32_t first = KNOB_MATERIALS + PER_MATERIAL * m;
        const double times = value_of(knobs, first + PER_STIFFNESS);
        const sheaf_material_def *from = &knobs->materials[m];
        sheaf_material_def *to = &scene->materials[m];
        to->young = times * from->young;
        to->shear = times * from->shear;
        to->twist = times * from->twist;
        to->bend[0] = times * from->bend[0];
        to->bend[1] = times * from->bend[1];
        to->damping = 1e-3 * value_of(knobs, first + PER_DAMPING);
        to->drag = 1e-3 * value_of(knobs, first + PER_DRAG);
    }
}

sheaf_status cli_knobs_apply(cli_knobs *knobs, sheaf_scene *scene)
{
    if (knobs->past_count == PAST_MOST)
        memmove(knobs->past, knobs->past + 1, (size_t)--knobs->past_count * sizeof *knobs->past);
    memcpy(knobs->past[knobs->past_count++], knobs->last, sizeof knobs->last);
    for (uint32_t k = 0; k < knobs->count; k++)
        knobs->last[k] = value_of(knobs, k);
    fill_scene(knobs, scene);
    return SHEAF_OK;
}

bool cli_knobs_undo(cli_knobs *knobs, sheaf_scene *scene)
{
    if (knobs->past_count == 0)
        return false;
    memcpy(knobs->last, knobs->past[--knobs->past_count], sizeof knobs->last);
    for (uint32_t k = 0; k < knobs->count; k++)
        knobs->list[k].value = knobs->last[k];
    fill_scene(knobs, scene);
    return true;
}

// ---- into a file

typedef struct changes {
    scene_edit list[8 + 6 * MATERIALS_MOST];
    uint32_t count;
} changes;

__attribute__((format(printf, 4, 5))) static void change(changes *c, const char *map, const char *key,
                                                         const char *format, ...)
{
    scene_edit *edit = &c->list[c->count++];
    va_list arguments;
    snprintf(edit->map, sizeof edit->map, "%s", map);
    snprintf(edit->key, sizeof edit->key, "%s", key);
    va_start(arguments, format);
    vsnprintf(edit->value, sizeof edit->value, format, arguments);
    va_end(arguments);
}

static bool is_turned(const cli_knobs *knobs, uint32_t k)
{
    return value_of(knobs, k) != knobs->start[k];
}

static bool is_wind_turned(const cli_knobs *knobs)
{
    return is_turned(knobs, KNOB_WIND) || is_turned(knobs, KNOB_WIND + 1) || is_turned(knobs, KNOB_WIND + 2);
}

// A drag that is not in the file would be found anew, by the wind that is saved.
static void list_material(const cli_knobs *knobs, uint32_t m, changes *c)
{
    const uint32_t first = KNOB_MATERIALS + PER_MATERIAL * m;
    const sheaf_material_def *from = &knobs->materials[m];
    const double times = value_of(knobs, first + PER_STIFFNESS);
    char map[300];
    snprintf(map, sizeof map, "/materials/%.200s", from->name);
    if (is_turned(knobs, first + PER_STIFFNESS)) {
        if (from->young > 0)
            change(c, map, "young", "%.9g Pa", times * from->young);
        if (from->shear > 0)
            change(c, map, "shear", "%.9g Pa", times * from->shear);
        if (from->twist > 0)
            change(c, map, "twist", "%.9g N*m^2", times * from->twist);
        if (from->bend[0] > 0)
            change(c, map, "bend", "[%.9g N*m^2, %.9g N*m^2]", times * from->bend[0], times * from->bend[1]);
    }
    if (is_turned(knobs, first + PER_DAMPING))
        change(c, map, "damping", "%.9g ms", value_of(knobs, first + PER_DAMPING));
    if (is_turned(knobs, first + PER_DRAG) || is_wind_turned(knobs))
        change(c, map, "drag", "%.9g mPa*s", value_of(knobs, first + PER_DRAG));
}

// Gusts stay as they are, also where the file has them as a share of the wind.
static void list_wind(const cli_knobs *knobs, changes *c)
{
    if (!is_wind_turned(knobs))
        return;
    change(c, "/wind", "velocity", "[%.9g, %.9g, %.9g]", value_of(knobs, KNOB_WIND), value_of(knobs, KNOB_WIND + 1),
           value_of(knobs, KNOB_WIND + 2));
    if (knobs->def.gust > 0)
        change(c, "/wind/gust", "strength", "%.9g m/s", knobs->def.gust);
}

static void list_changes(const cli_knobs *knobs, changes *c)
{
    double gravity[3];
    gravity_of(knobs, gravity);
    if (is_turned(knobs, KNOB_GRAVITY))
        change(c, "/", "gravity", "[%.9g, %.9g, %.9g]", gravity[0], gravity[1], gravity[2]);
    list_wind(knobs, c);
    const long newton = lrint(value_of(knobs, KNOB_NEWTON));
    if (is_turned(knobs, KNOB_NEWTON) && newton > 0)
        change(c, "/step", "newton", "%ld", newton);
    else if (is_turned(knobs, KNOB_NEWTON))
        change(c, "/step", "newton", "auto");
    for (uint32_t m = 0; m < knobs->material_count && m < MATERIALS_MOST; m++)
        list_material(knobs, m, c);
}

sheaf_status cli_knobs_save(const cli_knobs *knobs, const char *from, const char *to)
{
    changes c = {.count = 0};
    base_text text = {0};
    if (to[0] == 0)
        return base_fail(SHEAF_ERR_USAGE, "give the new scene a name");
    list_changes(knobs, &c);
    sheaf_status status = scene_edit_file(from, c.list, c.count, &text);
    if (status == SHEAF_OK)
        status = io_file_write(to, false, text.bytes, text.length);
    base_text_free(&text);
    return status;
}
