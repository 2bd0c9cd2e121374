// unroll: closed strands as open ones that go on over their first edge once more.
#include "strand/unroll.h"

#include "base/vec.h"
#include "strand/arrays.h"
#include "strand/strand.h"

#include <string.h>

// What holds a copy of the first edge: its frame alone.
static const sheaf_end_def loose = {.hold_angle = true, .motion = -1};

bool model_has_loops(const sheaf_model *model)
{
    for (uint32_t s = 0; s < model->strand_count; s++)
        if (model->strands[s].closed)
            return true;
    return false;
}

static void lay_out(const sheaf_model *model, sheaf_model *unrolled)
{
    for (uint32_t s = 0; s < model->strand_count; s++) {
        model_strand *strand = &unrolled->strands[s];
        const bool closed = strand->closed;
        unrolled->first_vertex[s + 1] =
            unrolled->first_vertex[s] + model_vertex_count(model, s) + (closed ? UNROLL_EXTRA : 0);
        if (!closed)
            continue;
        strand->closed = false;
        strand->is_loop = true;
        strand->root = strand->tip = &loose;
    }
    unrolled->vertex_count = unrolled->first_vertex[model->strand_count];
}

static void copy_vertex(const sheaf_model *model, uint64_t from, sheaf_model *unrolled, uint64_t to)
{
#define COPY(array) memcpy(unrolled->array + to, model->array + from, sizeof *model->array);
    COPY(position)
    COPY(director)
    COPY(rest_length)
    COPY(mass)
    COPY(bend)
    COPY(twist)
    COPY(natural_curvature)
    COPY(natural_twist)
    COPY(radius)
    if (model->vertex_bend != NULL)
        COPY(vertex_bend)
#undef COPY
}

// Compliance of the twist at a vertex, rad per N m.
static double compliance(const sheaf_model *unrolled, uint64_t vertex)
{
    return (unrolled->rest_length[vertex - 1] + unrolled->rest_length[vertex]) / (2 * unrolled->twist[vertex]);
}

static double whole_compliance(const sheaf_model *unrolled, uint32_t strand)
{
    double sum = 0;
    for (uint64_t k = unrolled->first_vertex[strand] + 1; k + 1 < unrolled->first_vertex[strand + 1]; k++)
        sum += compliance(unrolled, k);
    return sum;
}

double model_loop_moment(const sheaf_model *unrolled, uint32_t strand)
{
    const model_strand *it = &unrolled->strands[strand];
    return (it->closing_angle + it->closing_twist) / whole_compliance(unrolled, strand);
}

double model_loop_twist(const sheaf_model *unrolled, uint64_t vertex, double moment)
{
    return moment * compliance(unrolled, vertex);
}

// Frames in equilibrium: the closing twist is spread over the strand, and the frame of the first edge's copy is turned
// by it.
static void turn_frames(sheaf_model *unrolled, uint32_t strand)
{
    const uint64_t first = unrolled->first_vertex[strand], copy = unrolled->first_vertex[strand + 1] - UNROLL_EXTRA;
    const double moment = model_loop_moment(unrolled, strand);
    double angle = 0, edge[3], tangent[3];
    for (uint64_t j = first + 1; j <= copy; j++) {
        angle = j < copy ? angle + model_loop_twist(unrolled, j, moment) : unrolled->strands[strand].closing_twist;
        vec_sub(edge, unrolled->position[j + 1], unrolled->position[j]);
        vec_unit(tangent, edge);
        vec_rotate(unrolled->director[j], unrolled->director[j], tangent, angle);
    }
}

static void fill_arrays(const sheaf_model *model, sheaf_model *unrolled)
{
    for (uint32_t s = 0; s < model->strand_count; s++) {
        const uint64_t first = unrolled->first_vertex[s], end = unrolled->first_vertex[s + 1];
        const uint32_t count = model_vertex_count(model, s);
        for (uint64_t k = first; k < end; k++)
            copy_vertex(model, model->first_vertex[s] + (k - first) % count, unrolled, k);
        if (!unrolled->strands[s].is_loop)
            continue;
        for (uint32_t k = 0; k < UNROLL_EXTRA; k++) {
            unrolled->mass[first + k] /= 2;
            unrolled->mass[first + count + k] /= 2;
        }
        unrolled->rest_length[end - 1] = 0; // there is no edge
        turn_frames(unrolled, s);
    }
}

sheaf_status model_unroll(const sheaf_model *model, sheaf_model **unrolled)
{
    sheaf_model *made;
    *unrolled = NULL;
    SHEAF_TRY(model_part(model, NULL, model->strand_count, &made));
    arrays_free(made);
    lay_out(model, made);
    const sheaf_status status = arrays_allocate(made);
    if (status != SHEAF_OK) {
        sheaf_model_free(made);
        return status;
    }
    fill_arrays(model, made);
    *unrolled = made;
    return SHEAF_OK;
}
