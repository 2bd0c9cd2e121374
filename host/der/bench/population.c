// population: heads of hair and lawns, as users write them, of any size.
#include "base/text.h"
#include "der/bench/workload.h"

#include <math.h>
#include <stdio.h>

// What differs between the populations; %s and %g are filled with count, vertices and size.
static const char head_text[] =
    "sheaf: 1\n"
    "time: { step: 1/240 s }\n"
    "materials:\n"
    "  hair: { density: 1300 kg/m^3, young: 3.5 GPa, shear: 1.3 GPa, radius: [45 um, 32 um],"
    " drag: 60 uPa*s }\n"
    "motion:\n"
    "  head: { rotate: { axis: z, angle: { sine: { amplitude: 20 deg, period: 1 s } } } }\n"
    "strands:\n"
    "  - groom: { on: { sphere: { radius: 9 cm, cap: 95 deg } }, count: %u, vertices: %u,\n"
    "      length: { mean: 20 cm, spread: 10 %% }%s, seed: 7 }\n"
    "    material: hair\n"
    "    root: { clamp: head }\n";

static const char head_blown[] =
    "wind: { velocity: [2 m/s, 0, 0], gust: { strength: 1.2 m/s, scale: 40 cm, seed: 3 } }\n"
    "colliders: [{ sphere: { radius: 8.8 cm }, follow: head, friction: 0.3 }]\n";

static const char head_kept[] = "touch: { volume: { cell: 15 mm, fraction: groom, speed: auto, rub: 10 1/s } }\n";

static const char lawn_text[] = "sheaf: 1\n"
                                "time: { step: 1/240 s }\n"
                                "materials: { blade: { preset: grass } }\n"
                                "motion: { ball: { move: [{ ramp: { to: 2 m, over: 2 s } }, 0, 0] } }\n"
                                "strands:\n"
                                "  - groom: { preset: grass, on: { plane: { size: [%g m, %g m] } }, count: %u,\n"
                                "      vertices: %u, seed: 7 }\n"
                                "    root: clamp\n";

static const char lawn_blown[] =
    "wind: { velocity: [3 m/s, 0, 0], gust: { strength: 1.8 m/s, scale: 60 cm, seed: 2 } }\n"
    "colliders: [{ sphere: { center: [-20 cm, 0, 9 cm], radius: 9 cm }, friction: 0.2, follow: ball }]\n";

static const double blades_per_area = 1500; // 1/m^2

// Ten thousand of these for 4 s, with 60 frames a second, are what a user's first own scene may be.
static const char film_text[] =
    "sheaf: 1\n"
    "time: { step: 1/120 s }\n"
    "materials:\n"
    "  hair: { density: 1300 kg/m^3, young: 3.5 GPa, shear: 1.3 GPa, radius: [45 um, 32 um] }\n"
    "motion: { head: { rotate: { axis: z, angle: 40 deg, period: 1.5 s } } }\n"
    "wind: { velocity: [2 m/s, 0, 0], gust: { strength: 60 %%, scale: 0.4 m, seed: 3 } }\n"
    "colliders: [{ sphere: { radius: 8.8 cm, follow: head }, friction: 0.3 }]\n"
    "strands:\n"
    "  - groom: { on: { sphere: { radius: 9 cm } }, count: %u, vertices: %u,\n"
    "      length: { mean: 20 cm, spread: 10 %% }, curl: { radius: 6 mm, pitch: 25 mm }, seed: 7 }\n"
    "    material: hair\n"
    "    root: { clamp: head }\n";

static void write_head(const bench_case *what, base_text *text)
{
    const bool kept = what->workload->kind == BENCH_CURLS_VOLUME;
    const bool curls = what->workload->kind == BENCH_CURLS || what->workload->kind == BENCH_CURLS_BLOWN || kept;
    base_text_add(text, head_text, what->strands, what->vertices,
                  curls ? ", curl: { radius: 6 mm, pitch: 30 mm }" : "");
    if (bench_workload_is_blown(what->workload->kind))
        base_text_add(text, "%s", head_blown);
    if (kept)
        base_text_add(text, "%s", head_kept);
}

static void write_lawn(const bench_case *what, base_text *text)
{
    const double side = sqrt(what->strands / blades_per_area);
    base_text_add(text, lawn_text, side, side, what->strands, what->vertices);
    if (bench_workload_is_blown(what->workload->kind))
        base_text_add(text, "%s", lawn_blown);
}

sheaf_status bench_make_population(const bench_case *what, sheaf_scene **scene)
{
    base_text text = {0};
    *scene = NULL;
    if (what->workload->kind == BENCH_GRASS || what->workload->kind == BENCH_GRASS_BLOWN)
        write_lawn(what, &text);
    else if (what->workload->is_filmed)
        base_text_add(&text, film_text, what->strands, what->vertices);
    else
        write_head(what, &text);
    sheaf_status status = base_text_status(&text);
    if (status == SHEAF_OK)
        status = sheaf_scene_parse(base_text_get(&text), text.length, what->workload->name, scene);
    base_text_free(&text);
    return status;
}
