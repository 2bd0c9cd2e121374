// example_library: a thousand curled hairs let go under gravity, in forty lines.
#include <sheaf/sheaf.h>
#include <stdio.h>

enum { STRANDS = 1000, VERTICES = 16 };

int main(void)
{
    static double position[STRANDS * VERTICES][3];
    sheaf_scene *scene = NULL;
    sheaf_model *model = NULL;
    sheaf_solver *solver = NULL;

    const sheaf_scene_def settings = sheaf_scene_def_default(); // a step of 1/120 s, gravity along -z
    const sheaf_solver_def options = sheaf_solver_def_default();
    const sheaf_material_def hair = sheaf_material_def_default();
    sheaf_strand_def strand = sheaf_strand_def_default();
    strand.shape = SHEAF_SHAPE_HELIX; // free of stress as given: natural curls
    strand.vertex_count = VERTICES;
    strand.length = 0.15; // m; every number is SI
    strand.radius = 0.006;
    strand.pitch = 0.025;
    strand.root = sheaf_end_clamped();

    bool ok = sheaf_scene_create(&settings, &scene) == SHEAF_OK;
    ok = ok && sheaf_scene_add_material(scene, &hair, NULL) == SHEAF_OK;
    for (int i = 0; i < STRANDS && ok; i++) {
        strand.origin[1] = 0.001 * i;
        ok = sheaf_scene_add_strand(scene, &strand) == SHEAF_OK;
    }
    ok = ok && sheaf_model_create(scene, &model) == SHEAF_OK && sheaf_solver_open(model, &options, &solver) == SHEAF_OK;
    ok = ok && sheaf_solver_step(solver, 12) == SHEAF_OK;
    ok = ok && sheaf_solver_read_positions(solver, position, STRANDS * VERTICES) == SHEAF_OK;
    printf("%s: tip of strand 0 at z = %.4f m\n", ok ? "0.1 s" : sheaf_last_error(), position[VERTICES - 1][2]);

    sheaf_solver_close(solver);
    sheaf_model_free(model);
    sheaf_scene_free(scene);
    return ok ? 0 : 1;
}
