// test_verify_mutants: faults put into the kernels on purpose, one at a time, are found by the comparisons of
// `sheaf verify`: flipped signs, wrong components, dropped terms, loops that end too early, wrong constants.
// The first tier has the first mutant of every stage.
// labels: slow;device;tiers (40 s, all 90 s)
#include "cl/kernels.h"
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

static const mutant mutants[] = {
    {"angles.clh", "C(8.3333333e-3)", "C(8.4e-3)", "twist", EVEN},
    {"layout.clh", "AT(array, size, i, c), AT(array, size, i, c + 1), AT(array, size, i, c + 2)",
     "AT(array, size, i, c), AT(array, size, i, c + 1), AT(array, size, i, c + 1)", "guess", EVEN},
    {"layout.clh", "SPAN_STRETCH) > C(0.0)", "SPAN_STRETCH) >= C(0.0)", "project", PADDED},
    {"external.clh", "by_wind * (lane)(world.wind[1])", "by_wind * (lane)(world.wind[0])", "external", EVEN},
    {"external.clh", "rule.from_velocity = h * (C(1.0) - k)", "rule.from_velocity = h * (C(1.0) + k)", "integrate",
     EVEN},
    {"ends.clh", "(lane)(m[5]) * a.z", "(lane)(m[2]) * a.z", "ends", EVEN},
    {"ends.clh", "r.y = fma3(-h.yx, m.x, fma3(-h.yy, m.y", "r.y = fma3(-h.yx, m.x, fma3(h.yy, m.y", "solve", GENERAL},
    {"ends.clh", "scale3(-inverse_length, cross3(", "scale3(inverse_length, cross3(", "bend_twist", GENERAL},
    {"ends.clh", "goal3(ends, GOAL_TIP, GOAL_FORCE), force)", "goal3(ends, GOAL_ROOT, GOAL_FORCE), force)", "integrate",
     GENERAL},
    {"frames.clh", "fma3(-(dot3(before, edge) *", "fma3((dot3(before, edge) *", "frames", EVEN},
    {"curvature.clh", "-(full * dot3(t0, a1))", "full * dot3(t0, a1)", "curvature", EVEN},
    {"twist.clh", "fma(p, r1, -(q * r2))", "fma(p, r1, q * r2)", "twist", EVEN},
    {"twist.clh", "guard * definite", "C(2.0) * guard * definite", "twist", EVEN},
    {"twist.clh", "(Z1(k, Z_TWIST) - AT(model.torsion, TORSION_SIZE, k, TORSION_NATURAL))", "Z1(k, Z_TWIST)", "twist",
     PADDED},
    {"twist.clh", "j >= FIRST_EDGE", "j > FIRST_EDGE", "twist", EVEN},
    {"twist.clh", "fma(load, upper, resist", "fma(load, pivot, resist", "twist", EVEN},
    {"twist.clh", "resist * upper, after", "resist * pivot, after", "twist", EVEN},
    {"bend_twist.clh", "rows.before.d0 = sub3(scale3(-(s0 * w1)", "rows.before.d0 = sub3(scale3(s0 * w1", "bend_twist",
     EVEN},
    {"bend_twist.clh", "rows.twist = scale3(st, kh)", "rows.twist = zero3()", "bend_twist", EVEN},
    {"bend_twist.clh", "w - Z1(k, Z_STRAIN + strain)", "w", "assemble", DAMPED},
    {"bend_twist.clh", "p.d2.z, p.d3.z, q,", "p.d2.z, p.d3.y, q,", "assemble", EVEN},
    {"implicit.clh", "lane_max(tension, C(0.0)) *", "tension *", "assemble", EVEN},
    {"implicit.clh", "Z_EDGE), t) - rest, tension)", "Z_EDGE), t) - rest, C(0.0))", "assemble", EVEN},
    {"implicit.clh", "p.l21 = mixed * p.inverse.y", "p.l21 = mixed * p.inverse.x", "solve", EVEN},
    {"implicit.clh", "w->diagonal.zy = dot3_sub(vz, wy, next.zy)", "w->diagonal.zy = dot3_sub(vz, wx, next.zy)",
     "solve", EVEN},
    {"implicit.clh", "Z_TANGENT)) - rest, old)", "Z_TANGENT)) - rest, C(0.0))", "solve", EVEN},
    {"implicit.clh", "return fma3(inertia, here.push, pull)", "return pull", "external", EVEN},
    {"project.clh", "lane_select(joined, coupling, C(0.0)) * pivot", "lane_select(joined, -coupling, C(0.0)) * pivot",
     "project", EVEN},
    {"project.clh", "scale3(C(0.5) * lambda", "scale3(C(0.499) * lambda", "project", EVEN},
    {"project.clh", "C(2.0) / fma(-c, c, C(2.0))", "C(2.0) / fma(c, c, C(2.0))", "project", EVEN},
    {"integrate.clh", "add3(edge, sub3(move, before))", "add3(edge, sub3(before, move))", "solve", EVEN},
    {"integrate.clh", "fma3(softness, sub3(pull, pull_before)", "fma3(softness, sub3(pull_before, pull)", "integrate",
     EVEN},
    {"integrate.clh", "C(0.5) * AT(model.span, SPAN_SIZE, j, SPAN_LENGTH)", "AT(model.span, SPAN_SIZE, j, SPAN_LENGTH)",
     "finish", EVEN},
    {"integrate.clh", "sub3(wanted, hold_off(", "add3(wanted, hold_off(", "ends", GENERAL},
    {"guard.clh", "square <= farthest", "square > farthest", "finish", EVEN},
    {"wind.clh", "dot3_add(wave, point, (lane)(motion[MOTION_GUST + k]))", "dot3(wave, point)", "wind", EVEN},
    {"wind.clh", "fma3(spared * along, d.sum, *right)", "fma3(-spared * along, d.sum, *right)", "wind", EVEN},
    {"contact.clh", "g.gap = distance - radius", "g.gap = distance - C(0.99) * radius", "contact", EVEN},
    {"contact.clh", "fma3(-stiffness * gap, normal, scale3(", "fma3(stiffness * gap, normal, scale3(", "contact", EVEN},
    {"contact.clh", "sym3_add_outer(stiffness - grip, z_load3", "sym3_add_outer(stiffness + grip, z_load3", "contact",
     EVEN},
    {"contact.clh", "lane_select(rubs, -share, C(0.0))", "lane_select(rubs, share, C(0.0))", "collide", EVEN},
    {"contact.clh", "fma(-height, height, length * length)", "fma(height, height, length * length)", "collide", EVEN},
    {"contact.clh", "const lane give = old - dot3(", "const lane give = old + dot3(", "bdf2_contact", EVEN},
    {"contact.clh", "scale3(-grip, slide)", "scale3(grip, slide)", "bdf2_contact", EVEN},
    {"wind.clh", "scale3(rule.relief * d.weight * along, d.sum)", "scale3(-rule.relief * d.weight * along, d.sum)",
     "explicit_contact", EVEN},
    {"contact.clh", "contact_widen(scratch, range.end);", "contact_widen(scratch, range.end - 1);", "bdf2_contact",
     EVEN},
    {"implicit.clh", "if (i < zone)", "if (i + 1 < zone)", "bdf2_contact", EVEN},
    {"step.clh", "k < v->plan.twist_iterations", "k <= v->plan.twist_iterations", "twist", EVEN},
};
enum { MUTANTS = sizeof mutants / sizeof mutants[0] };

// Finds `text` in the part of the kernels that came from the file.
static const char *find_in_file(const char *kernels, const char *file, const char *text)
{
    char mark[64];
    snprintf(mark, sizeof mark, "#line 1 \"%s\"\n", file);
    const char *part = strstr(kernels, mark);
    if (part == NULL)
        fail_msg("no kernel file %s", file);
    const char *end = strstr(part + 1, "#line 1 \""), *found = strstr(part, text);
    const char *again = found ? strstr(found + 1, text) : NULL;
    if (found == NULL || (end != NULL && found > end))
        fail_msg("%s has no '%s'", file, text);
    if (again != NULL && (end == NULL || again < end))
        fail_msg("%s has '%s' twice", file, text);
    return found;
}

static char *mutate(const char *kernels, const mutant *m)
{
    const char *at = find_in_file(kernels, m->file, m->text);
    const size_t size = strlen(kernels) + strlen(m->fault) + 1;
    char *text = malloc(size);
    snprintf(text, size, "%.*s%s%s", (int)(at - kernels), kernels, m->fault, at + strlen(m->text));
    return text;
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
        char *text = mutate(kernels_staged, &mutants[k]), *fused_text = mutate(kernels_fused, &mutants[k]);
        const bool is_caught = is_found(&mutants[k], text, fused_text);
        found += is_caught;
        if (!is_caught)
            printf("not found: %s: %s instead of %s\n", mutants[k].file, mutants[k].fault, mutants[k].text);
        free(text);
        free(fused_text);
    }
    printf("%d of %d faults found\n", found, count);
    assert_true(found >= 0.95 * count);
}

static void what_is_right_is_not_found(void **fixture)
{
    (void)fixture;
    const mutant none = {"no file", "nothing", "no fault", "twist", GENERAL};
    assert_false(is_found(&none, kernels_staged, kernels_fused));
}

// What is compiled here is of no use to anyone: the driver keeps it in a folder that is thrown away, optimises little
// and puts no function into another, which changes no bit.
int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    char folder[] = "/tmp/sheaf-mutants-XXXXXX", command[64];
    const struct CMUnitTest tests[] = {
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
