// particles: cables of particles, the models (a) to (e) of the paper on rigid-body cables.
#include "reproduce/particles.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

// Rows of all constraints: what they measure, how they change with every particle, and their compliance.
typedef struct rows {
    uint32_t count, particles;
    double value[PARTICLE_ROWS_MOST], give[PARTICLE_ROWS_MOST];
    double jacobian[PARTICLE_ROWS_MOST][PARTICLES_MOST + 1][3];
    double matrix[PARTICLE_ROWS_MOST][PARTICLE_ROWS_MOST];
    double right[PARTICLE_ROWS_MOST];
} rows;

static uint32_t new_row(rows *r, double value, double give)
{
    const uint32_t row = r->count++;
    memset(r->jacobian[row], 0, sizeof r->jacobian[row]);
    r->value[row] = value;
    r->give[row] = give;
    return row;
}

// Unit vector and length of the link before particle i.
static double link_of(const particle_state *s, uint32_t i, double unit[3])
{
    vec_sub(unit, s->x[i], s->x[i - 1]);
    const double length = vec_length(unit);
    vec_scale(unit, unit, 1 / length);
    return length;
}

static void add_link(const particle_state *s, uint32_t i, double give, rows *r)
{
    double unit[3];
    const double length = link_of(s, i, unit);
    const uint32_t row = new_row(r, length - 1, give);
    vec_copy(r->jacobian[row][i], unit);
    vec_scale(r->jacobian[row][i - 1], unit, -1);
}

// Equation (13), with signs as (12) has them.
static void add_massless(const particle_state *s, uint32_t count, double give, rows *r)
{
    const uint32_t row = new_row(r, -(double)count, give);
    for (uint32_t i = 1; i <= count; i++) {
        double unit[3];
        r->value[row] += link_of(s, i, unit);
        vec_axpy(r->jacobian[row][i], 1, unit);
        vec_axpy(r->jacobian[row][i - 1], -1, unit);
    }
}

static void add_direct(const particle_state *s, uint32_t count, double give, rows *r)
{
    double unit[3];
    vec_sub(unit, s->x[count], s->x[0]);
    const double length = vec_length(unit);
    const uint32_t row = new_row(r, length - count, give);
    vec_scale(r->jacobian[row][count], unit, 1 / length);
}

// Gradients of a function of two neighbouring links, given those by the links, at particle i between them.
static void spread(double jacobian[PARTICLES_MOST + 1][3], uint32_t i, const double by_first[3],
                   const double by_second[3])
{
    vec_axpy(jacobian[i - 1], -1, by_first);
    vec_axpy(jacobian[i], 1, by_first);
    vec_axpy(jacobian[i], -1, by_second);
    vec_axpy(jacobian[i + 1], 1, by_second);
}

// Equations (14) to (16): the angle as it is printed, which has no direction. Straight links have no gradient.
static void add_printed_angle(const particle_state *s, uint32_t i, double give, rows *r)
{
    double a[3], b[3], cross[3], by_a[3], by_b[3];
    vec_sub(a, s->x[i], s->x[i - 1]);
    vec_sub(b, s->x[i + 1], s->x[i]);
    vec_cross(cross, a, b);
    const double sine = vec_length(cross), cosine = vec_dot(a, b), scale = 1 / (sine * sine + cosine * cosine);
    const uint32_t row = new_row(r, atan2(sine, cosine), give);
    if (!(sine > 1e-300))
        return;
    vec_cross(by_a, b, cross); // of |a x b| by a is b x n
    vec_cross(by_b, cross, a);
    vec_scale(by_a, by_a, scale * cosine / sine);
    vec_scale(by_b, by_b, scale * cosine / sine);
    vec_axpy(by_a, -scale * sine, b);
    vec_axpy(by_b, -scale * sine, a);
    spread(r->jacobian[row], i, by_a, by_b);
}

// Both components of the angle: t n = f(|c|) c of the difference c of unit links, |c| = 2 sin(t/2), across their mean.
static void add_directed_angle(const particle_state *s, uint32_t i, double give, rows *r)
{
    double a[3], b[3], c[3], mean[3], axes[2][3];
    const double la = link_of(s, i, a), lb = link_of(s, i + 1, b);
    vec_sub(c, b, a);
    vec_add(mean, a, b);
    vec_unit(mean, mean);
    vec_normal(axes[0], mean);
    vec_cross(axes[1], mean, axes[0]);
    const double size = vec_length(c), angle = 2 * asin(fmin(size / 2, 1));
    const double f = size > 1e-8 ? angle / size : 1 + size * size / 24;
    const double slope = 1 / sqrt(fmax(1 - size * size / 4, 1e-12)); // of the angle by |c|
    for (int k = 0; k < 2; k++) {
        const uint32_t row = new_row(r, f * vec_dot(c, axes[k]), give);
        double by_c[3], by_a[3], by_b[3];
        vec_scale(by_c, axes[k], f);
        if (size > 1e-12)
            vec_axpy(by_c, (slope - f) * vec_dot(c, axes[k]) / (size * size), c);
        vec_copy(by_a, by_c);
        vec_axpy(by_a, -vec_dot(by_c, a), a);
        vec_scale(by_a, by_a, -1 / la);
        vec_copy(by_b, by_c);
        vec_axpy(by_b, -vec_dot(by_c, b), b);
        vec_scale(by_b, by_b, 1 / lb);
        spread(r->jacobian[row], i, by_a, by_b);
    }
}

static void add_rows(const particle_cable *it, const particle_state *s, rows *r)
{
    const uint32_t links = it->model == PARTICLE_TRUNCATED ? it->count - 1 : it->count;
    for (uint32_t i = 1; i <= links; i++)
        add_link(s, i, it->link, r);
    if (it->model == PARTICLE_MASSLESS || it->model == PARTICLE_TRUNCATED)
        add_massless(s, it->count, it->other, r);
    if (it->model == PARTICLE_DIRECT)
        add_direct(s, it->count, it->other, r);
    for (uint32_t i = 1; i < it->count && it->model == PARTICLE_BENDING; i++)
        add_printed_angle(s, i, it->other, r);
    for (uint32_t i = 1; i < it->count && it->model == PARTICLE_DIRECTED; i++)
        add_directed_angle(s, i, it->other, r);
}

// ---- a step

static double mass_of(const particle_cable *it, uint32_t i)
{
    return i == it->count ? it->ratio : 1;
}

static double rate_of(const rows *r, uint32_t row, const double (*v)[3])
{
    double sum = 0;
    for (uint32_t i = 1; i <= r->particles; i++)
        sum += vec_dot(r->jacobian[row][i], v[i]);
    return sum;
}

// S = J M^-1 J^T + eps / h^2, and -phi / h - J v.
static void assemble(const particle_cable *it, const particle_state *s, rows *r)
{
    for (uint32_t p = 0; p < r->count; p++) {
        for (uint32_t q = 0; q <= p; q++) {
            double sum = p == q ? r->give[p] / (it->step * it->step) : 0;
            for (uint32_t i = 1; i <= it->count; i++)
                sum += vec_dot(r->jacobian[p][i], r->jacobian[q][i]) / mass_of(it, i);
            r->matrix[p][q] = sum;
        }
        r->right[p] = -r->value[p] / it->step - rate_of(r, p, (const double(*)[3])s->v);
    }
}

// L D L^T, then the solution in place of the right side.
static bool solve(rows *r)
{
    const uint32_t n = r->count;
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t k = 0; k < j; k++)
            r->matrix[j][j] -= r->matrix[j][k] * r->matrix[j][k] * r->matrix[k][k];
        if (!(r->matrix[j][j] > 0))
            return false;
        for (uint32_t i = j + 1; i < n; i++) {
            for (uint32_t k = 0; k < j; k++)
                r->matrix[i][j] -= r->matrix[i][k] * r->matrix[j][k] * r->matrix[k][k];
            r->matrix[i][j] /= r->matrix[j][j];
        }
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < i; k++)
            r->right[i] -= r->matrix[i][k] * r->right[k];
    for (uint32_t i = 0; i < n; i++)
        r->right[i] /= r->matrix[i][i];
    for (uint32_t i = n; i-- > 0;)
        for (uint32_t k = i + 1; k < n; k++)
            r->right[i] -= r->matrix[k][i] * r->right[k];
    return true;
}

static void add_impulses(const particle_cable *it, const rows *r, const double *impulses, double (*v)[3])
{
    for (uint32_t p = 0; p < r->count; p++)
        for (uint32_t i = 1; i <= it->count; i++)
            vec_axpy(v[i], impulses[p] / mass_of(it, i), r->jacobian[p][i]);
}

// Bending as a force at the pose of the start: -h J^T phi / eps.
static void add_bending_force(const particle_cable *it, particle_state *s, rows *r)
{
    double impulses[PARTICLE_ROWS_MOST] = {0};
    for (uint32_t i = 1; i < it->count; i++)
        add_directed_angle(s, i, it->other, r);
    for (uint32_t p = 0; p < r->count; p++)
        impulses[p] = -it->step * r->value[p] / it->other;
    add_impulses(it, r, impulses, s->v);
    r->count = 0;
}

static double signed_angle(const particle_state *s)
{
    double a[3], b[3], cross[3];
    link_of(s, 1, a);
    link_of(s, 2, b);
    vec_cross(cross, a, b);
    return copysign(atan2(vec_length(cross), vec_dot(a, b)), cross[1]);
}

bool particles_step(const particle_cable *it, particle_state *s)
{
    rows r;
    double unit[3];
    r.count = 0;
    r.particles = it->count;
    for (uint32_t i = 1; i <= it->count; i++)
        s->v[i][2] -= it->step * it->gravity;
    if (it->model == PARTICLE_FORCED)
        add_bending_force(it, s, &r);
    add_rows(it, s, &r);
    assemble(it, s, &r);
    if (!solve(&r))
        return false;
    add_impulses(it, &r, r.right, s->v);
    for (uint32_t i = 1; i <= it->count; i++)
        vec_axpy(s->x[i], it->step, s->v[i]);
    s->stretch = link_of(s, 1, unit) - 1;
    s->angle = signed_angle(s);
    return true;
}

void particles_start(const particle_cable *it, particle_state *s)
{
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i <= it->count; i++)
        vec_set(s->x[i], i, i == it->count / 2 ? it->side : 0, 0);
}

// ---- whether it holds

// J, above what it has where it hangs.
static double energy_of(const particle_cable *it, const particle_state *s)
{
    double sum = 0;
    for (uint32_t i = 1; i <= it->count; i++)
        sum += mass_of(it, i) * (vec_dot(s->v[i], s->v[i]) / 2 + it->gravity * (s->x[i][2] + i));
    return sum;
}

static const char *fault_of(const particle_cable *it, const particle_state *s, double start, double gap)
{
    double a[3], b[3];
    for (uint32_t i = 1; i <= it->count; i++) {
        const double length = link_of(s, i, a);
        if (!isfinite(length))
            return "not finite";
        if (i < it->count && link_of(s, i + 1, b) > 0 && !(vec_dot(a, b) > cos(1)))
            return "bent";
        if (fabs(length - 1) > gap && (it->model != PARTICLE_TRUNCATED || i < it->count))
            return "opened";
    }
    return energy_of(it, s) > 1.1 * start ? "gained" : NULL;
}

// Links may open by a twentieth, or ten times as far as the load's weight opens them.
static double gap_of(const particle_cable *it)
{
    return fmax(0.05, 10 * it->ratio * it->gravity * it->link);
}

particle_outcome particles_drop(const particle_cable *it, double seconds)
{
    particle_state s;
    particle_outcome out = {.holds = true};
    particles_start(it, &s);
    const double start = energy_of(it, &s), gap = gap_of(it);
    for (uint32_t k = 0; k < seconds / it->step && out.holds; k++) {
        out.why = particles_step(it, &s) ? fault_of(it, &s, start, gap) : "not positive";
        out.holds = out.why == NULL;
        if (k * it->step > seconds / 2)
            out.swing = fmax(out.swing, fabs(s.x[it->count][0]));
    }
    return out;
}
