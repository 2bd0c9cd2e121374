// schema_docs: docs/scene.md, from the schema.
#include "scene/reader.h"

#include "scene/preset.h"
#include "scene/reading.h"
#include "scene/schema.h"

#include <string.h>

static const char opening[] =
    "# Scene files\n"
    "\n"
    "<!-- Made from the table in host/scene/schema.c by: sheaf check --schema markdown -->\n"
    "\n"
    "A scene says what is simulated: strands, what they are made of, what holds and moves them, and for how\n"
    "long. It is a file in YAML. Every key there is stands on this page, with its unit, range and default.\n"
    "\n"
    "```yaml\n"
    "sheaf: 1\n"
    "title: curly hair, head turning in a breeze\n"
    "time: { step: 1/120 s, end: 4 s, frames: 60 Hz }\n"
    "materials:\n"
    "  hair: { density: 1300 kg/m^3, young: 3.5 GPa, shear: 1.3 GPa, radius: [45 um, 32 um], drag: 0.2 mPa*s }\n"
    "motion:\n"
    "  head: { rotate: { axis: z, angle: 40 deg, period: 1.5 s } }\n"
    "wind: { velocity: [2 m/s, 0, 0] }\n"
    "strands:\n"
    "  - groom: { on: { sphere: { radius: 9 cm } }, count: 1000, length: { mean: 20 cm, spread: 10 % },\n"
    "             curl: { radius: 6 mm, pitch: 25 mm } }\n"
    "    root: { clamp: head }\n"
    "```\n"
    "\n"
    "A single rod is a scene too:\n"
    "\n"
    "```yaml\n"
    "sheaf: 1\n"
    "gravity: [0, 0, 0]\n"
    "materials:\n"
    "  wire: { line_mass: 10 g/m, bend: 1e-3 N*m^2, twist: 0.8e-3 N*m^2 }\n"
    "strands:\n"
    "  - shape: { straight: { direction: x, length: 1 m, vertices: 65 } }\n"
    "    root: clamp\n"
    "    tip: { position: held, angle: held, slide: x, twist: { ramp: { to: 2 turns, over: 1 s } } }\n"
    "```\n"
    "\n"
    "`sheaf check scene.yaml` lists everything wrong with a scene at once, with place, cause and advice.\n"
    "Editors that know JSON Schema complete and check scenes as you type, by docs/scene.schema.json.\n"
    "\n"
    "## Quantities\n"
    "\n"
    "A quantity is a number and a unit: `20 cm`, `3.5 GPa`, `9.81 m/s^2`, `0.02 N*m^2`, `10 %`, `3 turns`.\n"
    "Units are products, quotients and whole powers of `m`, `g`, `s`, `min`, `h`, `Hz`, `N`, `Pa`, `J`, `W`,\n"
    "`rad`, `deg`, `turn` and `%`; all but `min`, `h`, `deg`, `turn` and `%` take the prefixes `n`, `u` (or the\n"
    "Greek letter), `m`, `c`, `d`, `k`, `M`, `G`, `T`. A slash divides by the one unit after it; parentheses\n"
    "group. The number may be a ratio: `1/240 s`. A number without a unit is in SI units (metre, kilogram,\n"
    "second, radian). A unit of the wrong dimension is an error.\n"
    "\n"
    "Numbers are decimal: no `1_000`, `0x10`, `1,5`, `.nan` or `.inf`.\n"
    "\n";

static const char closing[] =
    "## What YAML may do here\n"
    "\n"
    "Maps, lists, texts of one line and comments, in block or flow style; JSON works too. Anchors, aliases, merge\n"
    "keys, tags, directives and further documents are refused, and so are unknown and repeated keys.\n"
    "\n";

static bool has_range(const scene_key *key)
{
    switch (key->kind) {
    case SCENE_KIND_WHOLE:
    case SCENE_KIND_NUMBER:
    case SCENE_KIND_PAIR:
    case SCENE_KIND_VECTOR:
    case SCENE_KIND_NUMBERS:
    case SCENE_KIND_POINTS:
    case SCENE_KIND_PATH:
    case SCENE_KIND_PROFILE:
    case SCENE_KIND_COURSE:
    case SCENE_KIND_COURSES:
        return !key->of_course;
    default:
        return false;
    }
}

static void add_value(base_text *out, const scene_key *key)
{
    scene_phrase what;
    if (key->of_course && key->kind == SCENE_KIND_NUMBER)
        base_text_add(out, "a value as the course's own");
    else
        base_text_add(out, "%s", scene_describe(key, key->limit, what));
    if (key->table != NULL)
        base_text_add(out, ": [%s](#%s)", key->table->name, key->table->name);
}

static void add_range(base_text *out, const scene_key *key)
{
    const scene_limit *limit = &scene_limits[key->limit];
    if (!has_range(key))
        return;
    const bool whole = key->kind == SCENE_KIND_WHOLE;
    base_text_add(out, "%g to %g", limit->least, limit->most);
    if (limit->unit[0] != 0 && !whole)
        base_text_add(out, " %s", limit->unit);
    if (key->share_of != NULL)
        base_text_add(out, ", %g to %g %%", 100 * scene_limits[SCENE_LIMIT_RATIO].least,
                      100 * scene_limits[SCENE_LIMIT_RATIO].most);
}

static void add_key(base_text *out, const scene_key *key)
{
    base_text_add(out, "| `%s` | ", key->name);
    add_value(out, key);
    base_text_add(out, " | `%s` | ", key->example);
    add_range(out, key);
    if (key->fallback != NULL)
        base_text_add(out, " | `%s` | %s |\n", key->fallback, key->doc);
    else
        base_text_add(out, " | %s | %s |\n", key->required ? "required" : "", key->doc);
}

static void add_table(base_text *out, const scene_table *table)
{
    base_text_add(out, "## %s\n\n%s", table->name, table->doc);
    if (table->one_of)
        base_text_add(out, " Exactly one key is given.");
    if (table->bare != NULL)
        base_text_add(out, " A plain value instead of a map stands for `%s`.", table->bare);
    base_text_add(out, "\n\n| key | value | for example | range | default | meaning |\n|---|---|---|---|---|---|\n");
    for (uint32_t k = 0; k < table->key_count; k++)
        add_key(out, &table->keys[k]);
    base_text_add(out, "\n");
}

// Numbers of presets, a column for each.
static void add_presets(base_text *out)
{
    const char *word;
    size_t length;
    base_text_add(out,
                  "## presets\n\nWhat `preset` stands for, in a [material](#material) and in a [groom](#groom).\n\n|");
    for (uint32_t k = 0; scene_word(SCENE_PRESET_NAMES, k, &word, &length); k++)
        base_text_add(out, " | %.*s", (int)length, word);
    base_text_add(out, " |\n|---|");
    for (uint32_t k = 0; k < SCENE_PRESET_COUNT; k++)
        base_text_add(out, "---|");
    for (uint32_t r = 0; r < scene_preset_row_count; r++) {
        const scene_preset_row *row = &scene_preset_rows[r];
        base_text_add(out, "\n| %s: `%s` |", row->table, row->key);
        for (uint32_t k = 0; k < SCENE_PRESET_COUNT; k++)
            base_text_add(out, " %s |", row->value[k] != NULL ? row->value[k] : "");
    }
    base_text_add(out, "\n\n");
}

static void add_limits(base_text *out)
{
    base_text_add(
        out, "A file has at most %d MiB and %d values, keys, maps and lists, nested at most %d deep; a text at most ",
        SCENE_MAX_FILE >> 20, SCENE_MAX_NODES, SCENE_MAX_DEPTH);
    base_text_add(out,
                  "%d bytes;\na list written on one line at most about %d bytes; `materials` and `motion` at most ",
                  SCENE_MAX_NAME, SCENE_MAX_LOOKAHEAD);
    base_text_add(out, "%d entries each; blanks at most\n%d in a row.\n", SCENE_MAX_NAMED, SCENE_MAX_BLANKS);
}

void scene_schema_write_markdown(base_text *out)
{
    base_text_add(out, "%s", opening);
    for (uint32_t k = 0; k < scene_table_count; k++)
        add_table(out, scene_tables[k]);
    add_presets(out);
    base_text_add(out, "%s", closing);
    add_limits(out);
}
