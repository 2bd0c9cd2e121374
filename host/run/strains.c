// strains: what a strand is strained by at a vertex, and what it answers, from its vertices and directors.
#include "run/strains.h"

#include <math.h>

#include "base/vec.h"
#include "method/method.h"

// Curvature binormal of the paper's (1).
static void find_binormal(const double e0[3], const double e1[3], double out[3])
{
    double cross[3];
    vec_cross(cross, e0, e1);
    vec_scale(out, cross, 2 / (vec_length(e0) * vec_length(e1) + vec_dot(e0, e1)));
}

// Bending strains w - wbar of both edges at the vertex, rad.
static void find_bending(const double edge[2][3], const double director[2][3], const double natural[2][2],
                         double bent[2][2])
{
    double binormal[3];
    find_binormal(edge[0], edge[1], binormal);
    for (int side = 0; side < 2; side++) {
        double tangent[3], second[3];
        vec_unit(tangent, edge[side]);
        vec_cross(second, tangent, director[side]);
        bent[side][0] = vec_dot(binormal, second) - natural[side][0];
        bent[side][1] = -vec_dot(binormal, director[side]) - natural[side][1];
    }
}

// Twist over the vertex, rad, nearest to the natural one.
static double find_twist(const double edge[2][3], const double director[2][3], double natural)
{
    const double turn = 2 * 3.14159265358979323846;
    double t0[3], t1[3], carried[3];
    vec_unit(t0, edge[0]);
    vec_unit(t1, edge[1]);
    vec_transport(carried, director[0], t0, t1);
    const double angle = vec_angle(carried, director[1], t1);
    return angle + turn * rint((natural - angle) / turn);
}

// Distance of a vertex from the root, m.
static double place_of(const sheaf_model *model, uint32_t strand, uint32_t vertex)
{
    const double *rest = model->rest_length + model->first_vertex[strand];
    double place = -model->strands[strand].overhang * rest[0];
    for (uint32_t j = 0; j < vertex; j++)
        place += rest[j];
    return place;
}

void run_strains(const sheaf_model *model, uint32_t strand, uint32_t vertex, const double (*positions)[3],
                 const double (*directors)[3], double strains[2][3])
{
    const uint64_t i = model->first_vertex[strand] + vertex;
    const double scale = 2 / (model->rest_length[i - 1] + model->rest_length[i]), natural = model->natural_twist[i];
    double edge[2][3], director[2][3], bent[2][2];
    for (int side = 0; side < 2; side++) {
        const uint32_t j = vertex - 1 + (uint32_t)side;
        vec_sub(edge[side], positions[j + 1], positions[j]);
        vec_copy(director[side], directors[j]);
    }
    find_bending((const double(*)[3])edge, (const double(*)[3])director,
                 (const double(*)[2])model->natural_curvature[i], bent);
    const double twist = find_twist((const double(*)[3])edge, (const double(*)[3])director, natural) - natural;
    for (int side = 0; side < 2; side++)
        vec_set(strains[side], -scale * bent[side][1], scale * bent[side][0], scale * twist);
}

void run_moments(const sheaf_model *model, uint32_t strand, uint32_t vertex, const double (*positions)[3],
                 const double (*directors)[3], double bend[2], double *twist)
{
    const uint64_t i = model->first_vertex[strand] + vertex;
    const law *of = model->strands[strand].law;
    const method *it = method_list[model->strands[strand].method];
    if (it->moments != NULL) {
        it->moments(model, strand, vertex, positions, directors, bend, twist);
        return;
    }
    const double place = of != NULL && law_is_graded(of) ? place_of(model, strand, vertex) : 0;
    double strains[2][3];
    run_strains(model, strand, vertex, positions, directors, strains);
    bend[0] = bend[1] = *twist = 0;
    for (int side = 0; side < 2; side++) {
        const double *own = model_bend_at(model, i, i - 1 + (uint64_t)side), *x = strains[side];
        const double stiffness[3] = {own[1], own[0], model->twist[i]};
        double moment[3] = {stiffness[0] * x[0], stiffness[1] * x[1], stiffness[2] * x[2]};
        if (of != NULL)
            vec_copy(moment, law_respond(of, x, place, stiffness).moment);
        bend[0] += moment[1] / 2;
        bend[1] -= moment[0] / 2;
        *twist += moment[2] / 2;
    }
}
