// read_label: built by test_method.py where rods have been given a field `label` that holds 1000 strand + vertex: packs
// it, steps, and reads it back from the device.
#include "der/device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "sheaf: 1\n"
                           "materials: { hair: { density: 1300, young: 1 GPa, shear: 0.4 GPa, radius: 60 um } }\n"
                           "strands:\n"
                           "  - { groom: { on: { sphere: { radius: 9 cm } }, count: 11, vertices: 9, length: 8 cm } }\n"
                           "  - { shape: { straight: { length: 9 cm, vertices: 6 } }, root: pin, tip: pin }\n";

static sheaf_status compare(sheaf_engine *engine, const sheaf_model *model)
{
    const bundle_set *set = engine_bundles(engine);
    void *memory = malloc(bundles_bytes(set, DER_label));
    if (memory == NULL)
        return SHEAF_ERR_MEMORY;
    sheaf_status status = engine_read_array(engine, DER_label, memory);
    for (uint32_t s = 0; s < model->strand_count && status == SHEAF_OK; s++)
        for (uint32_t i = 0; i < model_vertex_count(model, s); i++) {
            const double label = bundles_get(set, DER_label, memory, s, i, 0);
            if (label != 1000.0 * s + i)
                status = base_fail(SHEAF_ERR_INPUT, "vertex %u of strand %u has the label %g", i, s, label);
        }
    free(memory);
    return status;
}

static sheaf_status run(sheaf_scene **scene, sheaf_model **model, sheaf_engine **engine)
{
    const engine_options options = {.lane_width = 8, .step = 0.005};
    SHEAF_TRY(sheaf_scene_parse(text, strlen(text), "scene", scene));
    SHEAF_TRY(sheaf_model_create(*scene, model));
    SHEAF_TRY(der_open_engine(*model, &options, engine));
    SHEAF_TRY(compare(*engine, *model));
    SHEAF_TRY(engine_step(*engine, 3));
    return compare(*engine, *model);
}

int main(void)
{
    sheaf_scene *scene = NULL;
    sheaf_model *model = NULL;
    sheaf_engine *engine = NULL;
    const sheaf_status status = run(&scene, &model, &engine);
    puts(status == SHEAF_OK ? "labels are right" : sheaf_last_error());
    engine_close(engine);
    sheaf_model_free(model);
    sheaf_scene_free(scene);
    return status == SHEAF_OK ? 0 : 1;
}
