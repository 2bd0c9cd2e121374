// test_verify_mutants: faults put into the kernels on purpose, one at a time, are found by the comparisons of
// `sheaf verify`: flipped signs, wrong components, dropped terms, loops that end too early, wrong constants.
// The first tier has the first mutant of every stage.
// labels: slow;device;tiers (40 s, all 90 s)
#include "cl/parts.h"
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

// Where strands of a kind begin: they come in classes of sixteen.
enum { EVEN = 0, PADDED = 16, GENERAL = 32, DAMPED = 48, CLASS_SIZE = 16 };

typedef struct mutant {
    const char *file, *text, *fault; // the text occurs once in the file
    const char *stage;               // that is expected to notice; others would, too
    uint32_t first;
} mutant;

// Both loops that take frames back begin with this.
#define TURN_OF_FRAME "\n        turn = fma(Z1(j, Z_UPPER), turn, Z1(j, Z_RIGHT));\n        const lane angle = "

static const mutant mutants[] = {
    {"lib/angles.clh", "C(8.3333333e-3)", "C(1.0e-2)", "twist", EVEN},
    {"lib/rows.clh", "AT(array, size, i, c), AT(array, size, i, c + 1), AT(array, size, i, c + 2)",
     "AT(array, size, i, c), AT(array, size, i, c + 1), AT(array, size, i, c + 1)", "guess", EVEN},
    {"der/layout.clh", "SPAN_STRETCH) > C(0.0)", "SPAN_STRETCH) >= C(0.0)", "project", PADDED},
    {"der/external.clh", "by_wind * (lane)(world.wind[1])", "by_wind * (lane)(world.wind[0])", "external", EVEN},
    {"der/external.clh", "rule.from_velocity = h * (C(1.0) - k)", "rule.from_velocity = h * (C(1.0) + k)", "integrate",
     EVEN},
    {"world/motion.clh", "(lane)(m[5]) * a.z", "(lane)(m[2]) * a.z", "ends", EVEN},
    {"der/ends.clh", "r.y = fma3(-h.yx, m.x, fma3(-h.yy, m.y", "r.y = fma3(-h.yx, m.x, fma3(h.yy, m.y", "solve",
     GENERAL},
    {"der/ends.clh", "scale3(-inverse_length, cross3(", "scale3(inverse_length, cross3(", "bend_twist", GENERAL},
    {"der/ends.clh", "goal3(ends, GOAL_TIP, GOAL_FORCE), force)", "goal3(ends, GOAL_ROOT, GOAL_FORCE), force)",
     "integrate", GENERAL},
    {"der/frames.clh", "fma3(-(dot3(before, edge) *", "fma3((dot3(before, edge) *", "frames", EVEN},
    {"der/curvature.clh", "-(full * dot3(t0, a1))", "full * dot3(t0, a1)", "curvature", EVEN},
    {"der/twist.clh", "fma(p, r1, -(q * r2))", "fma(p, r1, q * r2)", "twist", EVEN},
    {"der/twist.clh", "guard * definite", "C(2.0) * guard * definite", "twist", EVEN},
    {"der/twist.clh", "Z1(k, Z_TWIST) - AT(model.torsion, TORSION_SIZE, k, TORSION_NATURAL);", "Z1(k, Z_TWIST);",
     "twist", PADDED},
    {"der/twist.clh", "FIRST_EDGE; j--) {" TURN_OF_FRAME "twist_turn_director",
     "FIRST_EDGE + 1; j--) {" TURN_OF_FRAME "twist_turn_director", "twist", EVEN},
    {"der/twist.clh", "FIRST_EDGE; j--) {" TURN_OF_FRAME "twist_take_turn",
     "FIRST_EDGE + 1; j--) {" TURN_OF_FRAME "twist_take_turn", "violent", EVEN},
    {"der/twist.clh", "fma(load, upper, resist", "fma(load, pivot, resist", "twist", EVEN},
    {"der/twist.clh", "resist * upper, after", "resist * pivot, after", "twist", EVEN},
    {"der/bend_twist.clh", "rows.before.d0 = sub3(scale3(-(s0 * w1)", "rows.before.d0 = sub3(scale3(s0 * w1",
     "bend_twist", EVEN},
    {"der/bend_twist.clh", "rows.twist = scale3(st, kh)", "rows.twist = zero3()", "bend_twist", EVEN},
    {"der/bend_twist.clh", "w - Z1(k, Z_STRAIN + strain)", "w", "assemble", DAMPED},
    {"der/bend_twist.clh", "ROW_WEIGH(r, 3, p.d3.z)", "ROW_WEIGH(r, 3, p.d3.y)", "assemble", EVEN},
    {"der/implicit.clh", "lane_max(tension, C(0.0)) *", "tension *", "assemble", EVEN},
    {"der/implicit.clh", "Z_EDGE), t) - rest, tension)", "Z_EDGE), t) - rest, C(0.0))", "assemble", EVEN},
    {"lib/pivots.clh", "p.l21 = mixed * p.inverse.y", "p.l21 = mixed * p.inverse.x", "solve", EVEN},
    {"der/implicit.clh", "w->diagonal.zy = dot3_sub(vz, wy, next.zy)", "w->diagonal.zy = dot3_sub(vz, wx, next.zy)",
     "solve", EVEN},
    {"der/implicit.clh", "Z_TANGENT)) - rest, old)", "Z_TANGENT)) - rest, C(0.0))", "solve", EVEN},
    {"der/implicit.clh", "return fma3(inertia, here.push, pull)", "return pull", "external", EVEN},
    {"der/project.clh", "lane_select(joined, coupling, C(0.0)) * pivot",
     "lane_select(joined, -coupling, C(0.0)) * pivot", "project", EVEN},
    {"der/project.clh", "scale3(C(0.5) * lambda", "scale3(C(0.499) * lambda", "project", EVEN},
    {"der/project.clh", "C(2.0) / fma(-c, c, C(2.0))", "C(2.0) / fma(c, c, C(2.0))", "project", EVEN},
    {"der/integrate.clh", "add3(edge, sub3(move, before))", "add3(edge, sub3(before, move))", "solve", EVEN},
    {"der/integrate.clh", "fma3(softness, sub3(pull, pull_before)", "fma3(softness, sub3(pull_before, pull)",
     "integrate", EVEN},
    {"der/integrate.clh", "C(0.5) * AT(model.span, SPAN_SIZE, j, SPAN_LENGTH)",
     "AT(model.span, SPAN_SIZE, j, SPAN_LENGTH)", "finish", EVEN},
    {"der/integrate.clh", "sub3(wanted, hold_off(", "add3(wanted, hold_off(", "ends", GENERAL},
    {"der/guard.clh", "square <= farthest", "square > farthest", "finish", EVEN},
    {"world/air.clh", "dot3_add(wave, point, (lane)(motion[MOTION_GUST + k]))", "dot3(wave, point)", "wind", EVEN},
    {"der/wind.clh", "fma3(spared * along, d.sum, *right)", "fma3(-spared * along, d.sum, *right)", "wind", EVEN},
    {"world/gaps.clh", "g.gap = distance - radius", "g.gap = distance - C(0.99) * radius", "contact", EVEN},
    {"der/contact.clh", "fma3(stiffness * (carried - gap), normal,", "fma3(stiffness * (carried + gap), normal,",
     "contact", EVEN},
    {"der/contact.clh", "sym3_add_outer(stiffness - grip, z_load3", "sym3_add_outer(stiffness + grip, z_load3",
     "bdf2_contact", EVEN},
    {"der/contact.clh", "lane_select(rubs, -share, C(0.0))", "lane_select(rubs, share, C(0.0))", "collide", EVEN},
    {"der/contact.clh", "fma(-height, height, length * length)", "fma(height, height, length * length)", "collide",
     EVEN},
    {"der/contact.clh", "const lane give = old - dot3(", "const lane give = old + dot3(", "bdf2_contact", EVEN},
    {"der/contact.clh", "scale3(-grip, slide)", "scale3(grip, slide)", "bdf2_contact", EVEN},
    {"der/wind.clh", "scale3(rule.relief * d.weight * along, d.sum)", "scale3(-rule.relief * d.weight * along, d.sum)",
     "explicit_contact", EVEN},
    {"der/contact.clh", "contact_widen(scratch, range.end);", "contact_widen(scratch, range.end - 1);", "bdf2_contact",
     EVEN},
    {"der/implicit.clh", "if (i < zone)", "if (i + 1 < zone)", "bdf2_contact", EVEN},
    {"der/step.clh", "k < v->plan.twist_iterations", "k <= v->plan.twist_iterations", "twist", EVEN},
};
enum { MUTANTS = sizeof mutants / sizeof mutants[0] };

static const kernel_part *find_part(const char *path)
{
    for (uint32_t k = 0; k < kernel_part_count; k++)
        if (strcmp(kernel_parts[k].path + strlen("kernels/"), path) == 0)
            return &kernel_parts[k];
    fail_msg("no part of the kernels is called %s", path);
    return NULL;
}

// The text of a part with the fault in it.
static char *spoil(const kernel_part *part, const mutant *m)
{
    const char *found = strstr(part->text, m->text);
    if (found == NULL || strstr(found + 1, m->text) != NULL)
        fail_msg("%s has '%s' %s", m->file, m->text, found ? "twice" : "nowhere");
    const size_t size = strlen(part->text) + strlen(m->fault) + 1;
    char *text = malloc(size);
    snprintf(text, size, "%.*s%s%s", (int)(found - part->text), part->text, m->fault, found + strlen(m->text));
    return text;
}

// A program with the fault in it; NULL: with none.
static base_text mutate(const char *entry, const mutant *m)
{
    base_text program = {0};
    kernel_part slot = {0};
    char *text = NULL;
    if (m != NULL) {
        slot.path = find_part(m->file)->path;
        slot.text = text = spoil(find_part(m->file), m);
    }
    assert_int_equal(parts_assemble(entry, &slot, m != NULL, &program), SHEAF_OK);
    free(text);
    return program;
}

static const char fused[] = "kernels/der/fused.cl", staged[] = "kernels/der/staged.cl";

// Of all mutants, whichever of them are compiled: kernels change, and a mutant that has no place any more is none.
static void every_fault_has_its_place(void **fixture)
{
    (void)fixture;
    for (int k = 0; k < MUTANTS; k++) {
        char *text = spoil(find_part(mutants[k].file), &mutants[k]);
        assert_string_not_equal(text, find_part(mutants[k].file)->text);
        free(text);
    }
}

static bool ignore_row(const verify_row *row, void *user)
{
    (void)user;
    return row->pass; // one that fails is enough
}

// Whether a row fails: of both schedules, where whole steps are to notice, so that it takes more than that they differ.
// A fault that does not compile is no mutant.
static bool is_found(const mutant *m, const char *text, const char *fused_text)
{
    const verify_hooks hooks = {.row = ignore_row};
    const verify_options options = {.first = m->first,
                                    .strands = CLASS_SIZE,
                                    .vertex_most = 12,
                                    .stage = m->stage,
                                    .form = "float4",
                                    .seed = 1,
                                    .staged_text = text,
                                    .fused_text = fused_text};
    verify_summary summary;
    if (verify_run(&options, &hooks, &summary) != SHEAF_OK)
        fail_msg("%s: %s: %s", m->file, m->fault, sheaf_last_error());
    return summary.failed > 0;
}

static bool is_first_of_its_stage(int k)
{
    for (int before = 0; before < k; before++)
        if (strcmp(mutants[before].stage, mutants[k].stage) == 0)
            return false;
    return true;
}

static void faults_are_found(void **fixture)
{
    (void)fixture;
    int found = 0, count = 0;
    for (int k = 0; k < MUTANTS; k++) {
        if (!is_second_tier() && !is_first_of_its_stage(k))
            continue;
        count++;
        base_text text = mutate(staged, &mutants[k]), fused_text = mutate(fused, &mutants[k]);
        const bool is_caught = is_found(&mutants[k], base_text_get(&text), base_text_get(&fused_text));
        found += is_caught;
        if (!is_caught)
            printf("not found: %s: %s instead of %s\n", mutants[k].file, mutants[k].fault, mutants[k].text);
        base_text_free(&text);
        base_text_free(&fused_text);
    }
    printf("%d of %d faults found\n", found, count);
    assert_true(found >= 0.95 * count);
}

static void what_is_right_is_not_found(void **fixture)
{
    (void)fixture;
    const mutant none = {"no file", "nothing", "no fault", "twist", GENERAL};
    base_text text = mutate(staged, NULL), fused_text = mutate(fused, NULL);
    assert_false(is_found(&none, base_text_get(&text), base_text_get(&fused_text)));
    base_text_free(&text);
    base_text_free(&fused_text);
}

// What is compiled here is of no use to anyone: the driver keeps it in a folder that is thrown away, optimises little
// and puts no function into another, which changes no bit.
int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    char folder[] = "/tmp/sheaf-mutants-XXXXXX", command[64];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_has_its_place),
        cmocka_unit_test(faults_are_found),
        cmocka_unit_test(what_is_right_is_not_found),
    };
    if (mkdtemp(folder) == NULL || setenv("POCL_CACHE_DIR", folder, 1) != 0 ||
        setenv("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable -DINLINE=static", 1) != 0)
        return 1;
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 ? failures : 1;
}
