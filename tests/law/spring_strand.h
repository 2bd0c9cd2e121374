// spring_strand: the coiled spring of host/reproduce/spring.h as a strand whose material has a law, its axis along z.
// Planes at the middle of the first and last edge hold it; the tip's moves along the axis by `travel` (m)
// in a time `over` (s).
#ifndef SHEAF_TESTS_SPRING_STRAND_H
#define SHEAF_TESTS_SPRING_STRAND_H

#include "reproduce/spring.h"
#include "scene/reader.h"

#include "unit.h"

static const char *const spring_strand_laws[SPRING_LAWS] = {
    "    law: { bend: \"c*atan(x/c)\", twist: \"c*atan(x/c)\", with: { c: 4 1/m }, range: 30 1/m }\n",
    ("    law: { bend: \"c*atan(x/c)\", twist: \"c*atan(x/c)\", with: { c: 4 1/m }, range: 30 1/m,\n"
     "           route: { fit: { order: 5, range: 6.664326 1/m } } }\n"),
    ""};

// Vertices go evenly from half an edge before the spring to half an edge behind it, on a helix that is a little wider,
// so that chords are as long as the arcs that they stand for.
static void spring_add_points(base_text *text, uint32_t edges)
{
    const double turns = sqrt(3) * 11.10721, edge = 1.0 / edges; // rad/m, m
    const double radius = sqrt(2.0 / 3) * edge / (2 * sin(turns * edge / 2));
    base_text_add(text, "  - points:\n");
    for (uint32_t k = 0; k <= edges + 1; k++) {
        const double s = (k - 0.5) / edges;
        base_text_add(text, "      - [%.17g, %.17g, %.17g]\n", radius * cos(turns * s), radius * sin(turns * s),
                      s * spring_rest);
    }
}

static sheaf_model *spring_strand(spring_law which, uint32_t edges, double travel, double over)
{
    // director 1 halves the angle between the normal (-1, 0, 0) and the binormal at s = 0
    const double sine = spring_rest, cosine = sqrt(2.0 / 3);
    base_text text = {0};
    sheaf_scene *scene;
    sheaf_model *model = NULL;
    scene_diagnostics list = {0};
    base_text_add(&text,
                  "sheaf: 1\ntime: { step: 0.5 ms, end: 1 s }\nstep: { integrator: euler, newton: 12 }\n"
                  "gravity: [0, 0, 0]\nmaterials:\n  m:\n    line_mass: 0.869175 kg/m\n"
                  "    bend: 541.532 N*m^2\n    twist: 433.226 N*m^2\n    drag: 400 Pa*s\n%sstrands:\n",
                  spring_strand_laws[which]);
    spring_add_points(&text, edges);
    base_text_add(&text,
                  "    material: m\n    natural: shape\n    natural_twist: 11.10721 rad/m\n"
                  "    normal: [-1, %.17g, %.17g]\n    root: clamp\n"
                  "    tip: { hold: clamp, move: [0, 0, { ramp: { to: %.17g m, over: %.17g s } }] }\n",
                  -sine, cosine, travel, over);
    if (scene_read_text(base_text_get(&text), text.length, "test", &list, &scene) != SHEAF_OK ||
        sheaf_model_create(scene, &model) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    scene_diagnostics_free(&list);
    sheaf_scene_free(scene);
    base_text_free(&text);
    return model;
}

#endif
