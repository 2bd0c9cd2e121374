// bodies: steps of strands on bodies on a device.
#include "der/device/bodies.h"

#include "base/vec.h"
#include "cl/coupled.h"
#include "der/device/device_parts.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

#include "kernels/der/joint_slots.clh"

struct der_bodies {
    couple_bodies bodies;
    sheaf_engine *engine; // NULL: nothing hangs on the bodies
    uint32_t joints;      // room of a strand
    uint32_t given_count, told_count;
    double time;            // s, of the end of the step
    double *given, *told;   // [strand][given_count], [told_count]
    double (*places)[2][3]; // [joint] m, where its vertices were at the start of the step
};

// ---- opening

uint32_t der_joints_most(const sheaf_model *model)
{
    uint32_t most = 0;
    for (uint32_t s = 0; s < model->strand_count && model->joint_count > 0; s++) {
        uint32_t count;
        (void)model_strand_joints(model, s, &count);
        most = count > most ? count : most;
    }
    return most;
}

void der_joint_numbers(const sheaf_engine *engine, uint32_t *given, uint32_t *told)
{
    const uint32_t joints = der_own(engine)->joints, sides = JOINT_SIDES * joints;
    *given = joints > 0 ? GIVEN_JOINT + JOINT_SIZE * joints : 0;
    *told = joints > 0 ? TOLD_RIGHT + sides + sides * sides : 0;
}

void der_bodies_close(der_bodies *b)
{
    if (b == NULL)
        return;
    couple_close(&b->bodies);
    base_free(b->given);
    base_free(b->told);
    base_free(b->places);
    base_free(b);
}

static sheaf_status open_numbers(der_bodies *b, const sheaf_model *model)
{
    if (b->engine == NULL)
        return SHEAF_OK;
    b->joints = der_own(b->engine)->joints;
    der_joint_numbers(b->engine, &b->given_count, &b->told_count);
    b->given = base_alloc((size_t)model->strand_count * b->given_count, sizeof *b->given);
    b->told = base_alloc((size_t)model->strand_count * b->told_count, sizeof *b->told);
    b->places = base_alloc(model->joint_count, sizeof *b->places);
    b->bodies.precision = b->engine->options.is_double ? 0 : 1e-5;
    return b->given && b->told && b->places ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

sheaf_status der_bodies_open(const sheaf_model *model, double step, sheaf_engine *engine, der_bodies **out)
{
    *out = NULL;
    der_bodies *b = base_alloc(1, sizeof *b);
    if (b == NULL)
        return SHEAF_ERR_MEMORY;
    b->engine = engine;
    sheaf_status status = couple_open(model, step, &b->bodies);
    if (status == SHEAF_OK)
        status = open_numbers(b, model);
    if (status == SHEAF_OK)
        *out = b;
    else
        der_bodies_close(b);
    return status;
}

couple_bodies *der_bodies_of(der_bodies *b)
{
    return &b->bodies;
}

// ---- what strands are given

static double *given_of(const der_bodies *b, const couple_strand *strand, uint32_t joint)
{
    return b->given + (size_t)strand->strand * b->given_count + GIVEN_JOINT + (size_t)joint * JOINT_SIZE;
}

static void put_joint(const der_bodies *b, const model_joint *joint, const rigid_state *body, double *out)
{
    const uint32_t number = (uint32_t)(joint - b->bodies.model->joints);
    double place[2][3] = {{0}};
    for (uint32_t i = 0; i < joint->vertex_count; i++)
        rigid_point(body, joint->arm[i], place[i], NULL);
    out[JOINT_VERTEX] = joint->vertex;
    out[JOINT_WELD] = joint->kind == SHEAF_JOINT_WELD;
    vec_sub(out + JOINT_MOVE, place[0], b->places[number][0]);
    if (joint->kind != SHEAF_JOINT_WELD)
        return;
    vec_sub(out + JOINT_EDGE, place[1], place[0]);
    model_body_to_space(body->axes, joint->director, out + JOINT_DIRECTOR);
}

// Where bodies have the joints of all strands, who takes part, and by how much joints are displaced.
static sheaf_status give(der_bodies *b, const rigid_state *bodies)
{
    const sheaf_model *model = b->bodies.model;
    for (uint32_t s = 0; s < b->bodies.strand_count; s++) {
        const couple_strand *strand = &b->bodies.strands[s];
        b->given[(size_t)strand->strand * b->given_count + GIVEN_TAKES] = strand->takes;
        for (uint32_t k = 0; k < strand->joint_count; k++) {
            const model_joint *joint = &model->joints[strand->first_joint + k];
            double *out = given_of(b, strand, k), *change = out + JOINT_CHANGE;
            put_joint(b, joint, &bodies[joint->body], out);
            memcpy(change, strand->change + couple_offset(&b->bodies, strand, k), couple_size(joint) * sizeof *change);
        }
    }
    return engine_write_given(b->engine, b->given);
}

// Where joints were at the start of the step, from the origins of their strands.
static void keep_places(der_bodies *b)
{
    const sheaf_model *model = b->bodies.model;
    for (uint32_t s = 0; s < b->bodies.strand_count; s++) {
        const couple_strand *strand = &b->bodies.strands[s];
        double origin[3];
        der_origin(model, strand->strand, b->time, origin);
        for (uint32_t k = 0; k < b->joints; k++) {
            const uint32_t number = strand->first_joint + k;
            double *out = given_of(b, strand, k);
            out[JOINT_VERTEX] = -1;
            if (k >= strand->joint_count)
                continue;
            const model_joint *joint = &model->joints[number];
            for (uint32_t i = 0; i < joint->vertex_count; i++)
                rigid_point(&b->bodies.moving[joint->body].start, joint->arm[i], b->places[number][i], NULL);
            vec_sub(out + JOINT_START, b->places[number][0], origin);
        }
    }
}

// ---- verbs

static const double *told_of(const der_bodies *b, const couple_strand *strand)
{
    return b->told + (size_t)strand->strand * b->told_count;
}

// What is told of joints j (rows) and k (columns) of a strand.
static void take_block(const der_bodies *b, couple_strand *strand, const double *matrix, uint32_t j, uint32_t k)
{
    const model_joint *joints = &b->bodies.model->joints[strand->first_joint];
    const uint32_t row = couple_offset(&b->bodies, strand, j), column = couple_offset(&b->bodies, strand, k);
    for (uint32_t r = 0; r < couple_size(&joints[j]); r++) {
        const uint32_t columns = k < j ? couple_size(&joints[k]) : r + 1; // of a joint's own block the lower half
        for (uint32_t c = 0; c < columns; c++) {
            const size_t from = (size_t)(j * JOINT_SIDES + r) * b->joints * JOINT_SIDES + k * JOINT_SIDES + c;
            strand->matrix[(size_t)(row + r) * strand->size + column + c] = matrix[from];
            strand->matrix[(size_t)(column + c) * strand->size + row + r] = matrix[from];
        }
    }
}

// A frozen strand pulls at nothing.
static void take_system(const der_bodies *b, couple_strand *strand)
{
    const double *told = told_of(b, strand), *right = told + TOLD_RIGHT;
    memset(strand->matrix, 0, (size_t)strand->size * strand->size * sizeof *strand->matrix);
    memset(strand->right, 0, strand->size * sizeof *strand->right);
    for (uint32_t j = 0; j < strand->joint_count && !(told[TOLD_FROZEN] > 0); j++) {
        const uint32_t first = couple_offset(&b->bodies, strand, j);
        for (uint32_t r = 0; r < couple_size(&b->bodies.model->joints[strand->first_joint + j]); r++)
            strand->right[first + r] = right[j * JOINT_SIDES + r];
        for (uint32_t k = 0; k <= j; k++)
            take_block(b, strand, right + (size_t)b->joints * JOINT_SIDES, j, k);
    }
}

static sheaf_status open_strands(void *user, double time, const rigid_state *bodies)
{
    der_bodies *b = user;
    b->time = time;
    keep_places(b);
    SHEAF_TRY(give(b, bodies));
    return engine_couple(b->engine, ENGINE_VERB_OPEN, 0);
}

static sheaf_status linearise(void *user, const rigid_state *bodies, uint32_t iteration, couple_strand *strands)
{
    der_bodies *b = user;
    SHEAF_TRY(give(b, bodies));
    SHEAF_TRY(engine_couple(b->engine, ENGINE_VERB_LINEARISE, (int32_t)iteration));
    SHEAF_TRY(engine_read_told(b->engine, b->told));
    for (uint32_t s = 0; s < b->bodies.strand_count; s++)
        if (strands[s].takes)
            take_system(b, &strands[s]);
    return SHEAF_OK;
}

static sheaf_status accept(void *user, const rigid_state *bodies, uint32_t iteration, couple_strand *strands)
{
    der_bodies *b = user;
    SHEAF_TRY(give(b, bodies));
    SHEAF_TRY(engine_couple(b->engine, ENGINE_VERB_SUBSTITUTE, (int32_t)iteration));
    SHEAF_TRY(engine_couple(b->engine, ENGINE_VERB_ACCEPT, (int32_t)iteration));
    SHEAF_TRY(engine_read_told(b->engine, b->told));
    for (uint32_t s = 0; s < b->bodies.strand_count; s++) {
        const double *told = told_of(b, &strands[s]);
        if (strands[s].takes)
            strands[s].settled = told[TOLD_FROZEN] > 0 || !(told[TOLD_OPEN] > 0);
    }
    return SHEAF_OK;
}

static sheaf_status close_strands(void *user, const rigid_state *bodies)
{
    der_bodies *b = user;
    SHEAF_TRY(give(b, bodies));
    return engine_couple(b->engine, ENGINE_VERB_CLOSE, 0);
}

sheaf_status der_bodies_step(der_bodies *b, uint32_t count)
{
    static const couple_verbs verbs = {open_strands, linearise, accept, close_strands};
    for (uint32_t n = 0; n < count; n++)
        SHEAF_TRY(couple_step(&b->bodies, &verbs, b));
    return SHEAF_OK;
}
