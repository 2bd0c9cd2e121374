// rest: from a strand's vertices to lengths, masses, stiffnesses, natural curvature and natural twist.
#include "strand/rest.h"

#include "base/vec.h"
#include "strand/curl.h"
#include "strand/polyline.h"

#include <float.h>
#include <stdio.h>

// Natural points may differ in edge length from the pose by this share, m/m.
static const double length_agreement = 1e-6;

sheaf_status rest_scratch_create(uint32_t vertex_count, rest_scratch *scratch)
{
    *scratch = (rest_scratch){
        .tangent = base_alloc(vertex_count, sizeof *scratch->tangent),
        .natural_length = base_alloc(vertex_count, sizeof *scratch->natural_length),
        .natural_tangent = base_alloc(vertex_count, sizeof *scratch->natural_tangent),
        .natural_director = base_alloc(vertex_count, sizeof *scratch->natural_director),
        .blocks = base_alloc(vertex_count, sizeof *scratch->blocks),
    };
    if (scratch->tangent && scratch->natural_length && scratch->natural_tangent && scratch->natural_director &&
        scratch->blocks)
        return SHEAF_OK;
    rest_scratch_free(scratch);
    return SHEAF_ERR_MEMORY;
}

void rest_scratch_free(rest_scratch *scratch)
{
    base_free(scratch->tangent);
    base_free(scratch->natural_length);
    base_free(scratch->natural_tangent);
    base_free(scratch->natural_director);
    base_free(scratch->blocks);
    *scratch = (rest_scratch){0};
}

static double voronoi(const polyline *line, uint32_t i)
{
    return line->length[polyline_edge_before(line, i)] + line->length[i];
}

// The initial pose with its lengths, tangents and directors.
static sheaf_status measure_pose(polyline *pose, const sheaf_strand_def *def, const double normal[3], const char *where)
{
    double first[3];
    SHEAF_TRY(polyline_measure(pose, where));
    const double wish = vec_length(normal), *t = pose->tangent[0];
    vec_copy(first, normal);
    vec_axpy(first, -vec_dot(first, t), t);
    if (wish > 0 && vec_length(first) < 1e-6 * wish)
        return base_fail(SHEAF_ERR_INPUT, "%s: normal points along the first edge; turn it, or leave it 0", where);
    if (wish > 0)
        vec_unit(first, first);
    else
        vec_normal(first, t);
    polyline_frame(pose, first, def->natural_twist);
    return SHEAF_OK;
}

static sheaf_status check_agreement(const polyline *natural, const polyline *pose, const char *where)
{
    for (uint32_t j = 0; j < pose->edge_count; j++)
        if (!(fabs(natural->length[j] - pose->length[j]) <= length_agreement * pose->length[j]))
            return base_fail(
                SHEAF_ERR_INPUT,
                "%s: edge %u is %.9g m long, but %.9g m in points; strands do not stretch, so both must agree", where,
                j, natural->length[j], pose->length[j]);
    return SHEAF_OK;
}

// The polyline `natural_points`, framed as if the pose had been turned so that the first edges agree.
static sheaf_status measure_natural(polyline *natural, const polyline *pose, const sheaf_strand_def *def,
                                    const char *strand_where)
{
    char where[64];
    double first[3];
    snprintf(where, sizeof where, "%s, natural points", strand_where);
    SHEAF_TRY(polyline_measure(natural, where));
    SHEAF_TRY(check_agreement(natural, pose, where));
    vec_transport(first, pose->director[0], pose->tangent[0], natural->tangent[0]);
    polyline_frame(natural, first, def->natural_twist);
    return SHEAF_OK;
}

// Curvature that is nothing but rounding of the coordinates, rad.
static double curvature_noise(const polyline *line)
{
    double largest = 0, shortest = INFINITY;
    for (uint32_t i = 0; i < line->vertex_count; i++)
        for (int c = 0; c < 3; c++)
            largest = fmax(largest, fabs(line->point[i][c]));
    for (uint32_t j = 0; j < line->edge_count; j++)
        shortest = fmin(shortest, line->length[j]);
    return 8 * DBL_EPSILON * (1 + largest / shortest);
}

static bool is_straight(const polyline *line)
{
    const double noise = curvature_noise(line);
    for (uint32_t i = polyline_interior_first(line); i < polyline_interior_end(line); i++) {
        double w[2][2];
        polyline_curvature(line, i, w);
        if (hypot(w[0][0], w[0][1]) > noise)
            return false;
    }
    return true;
}

// wbar_i and mbar_i as the shape `line` has them; its edge lengths are those of the strand.
static void natural_from_shape(sheaf_model *model, uint64_t first, const polyline *line, double twist)
{
    const bool straight = is_straight(line);
    for (uint32_t i = polyline_interior_first(line); i < polyline_interior_end(line); i++) {
        if (!straight)
            polyline_curvature(line, i, model->natural_curvature[first + i]);
        model->natural_twist[first + i] = twist * voronoi(line, i) / 2;
    }
    if (polyline_is_closed(line))
        model->natural_twist[first] = line->closing_turn; // so that the shape is free of stress where it closes, too
}

static void natural_from_twist(sheaf_model *model, uint64_t first, const polyline *pose, double twist)
{
    for (uint32_t i = polyline_interior_first(pose); i < polyline_interior_end(pose); i++)
        model->natural_twist[first + i] = twist * voronoi(pose, i) / 2;
}

// wbar_i and mbar_i of the curve with this curvature and twist as a polyline with the strand's edges, so that the curl
// is the same as that of a shape.
static void natural_from_numbers(sheaf_model *model, uint64_t first, const polyline *pose, const double curvature[2],
                                 double twist)
{
    const curl it = {{curvature[0], curvature[1]}, twist};
    const uint32_t begin = polyline_interior_first(pose);
    double length[2] = {NAN, pose->length[polyline_edge_before(pose, begin)]};
    double half_turn[2] = {NAN, curl_half_turn(&it, length[1])};
    for (uint32_t i = begin; i < polyline_interior_end(pose); i++) {
        length[0] = length[1], length[1] = pose->length[i];
        half_turn[0] = half_turn[1];
        if (length[1] != length[0]) // edges of one length are usual
            half_turn[1] = curl_half_turn(&it, length[1]);
        curl_at_vertex(&it, half_turn, model->natural_curvature[first + i], &model->natural_twist[first + i]);
    }
}

static void start_at_rest(sheaf_model *model, uint32_t index, const polyline *pose, rest_scratch *scratch)
{
    model_strand *strand = &model->strands[index];
    const bool borne = balance_strand(model, index, pose);
    if (strand->law == NULL) {
        balance_stiffen(model, index, pose, scratch->blocks);
    } else { // whose stability is not looked into
        strand->stiffening = strand->stiffening_wished = 1;
        strand->overborne = !borne;
    }
    model->strands[index].touches = balance_touches(model, index);
}

static sheaf_status fill_natural(sheaf_model *model, uint32_t index, const sheaf_strand_def *def, const polyline *pose,
                                 rest_scratch *scratch, const char *where)
{
    const uint64_t first = model->first_vertex[index];
    const bool curved = def->natural_curvature[0] != 0 || def->natural_curvature[1] != 0;
    polyline natural = *pose;
    switch (def->natural) {
    case SHEAF_NATURAL_STRAIGHT:
        natural_from_twist(model, first, pose, def->natural_twist);
        return SHEAF_OK;
    case SHEAF_NATURAL_CURVATURE:
        if (curved)
            natural_from_numbers(model, first, pose, def->natural_curvature, def->natural_twist);
        else
            natural_from_twist(model, first, pose, def->natural_twist);
        return SHEAF_OK;
    case SHEAF_NATURAL_POINTS:
        natural.point = (const double(*)[3])def->natural_points;
        natural.length = scratch->natural_length;
        natural.tangent = scratch->natural_tangent;
        natural.director = scratch->natural_director;
        SHEAF_TRY(measure_natural(&natural, pose, def, where));
        break;
    case SHEAF_NATURAL_SHAPE:
    case SHEAF_NATURAL_SAG_FREE:
    default:
        break;
    }
    natural_from_shape(model, first, &natural, def->natural_twist);
    if (def->natural == SHEAF_NATURAL_SAG_FREE && balance_obstacle(def) == NULL)
        start_at_rest(model, index, pose, scratch);
    return SHEAF_OK;
}

static void fill_edge(sheaf_model *model, uint64_t first, const polyline *pose, uint32_t j,
                      const scene_section *section)
{
    const uint32_t next = j + 1 < pose->vertex_count ? j + 1 : 0;
    const double half = section->line_mass * pose->length[j] / 2;
    model->mass[first + j] += half;
    model->mass[first + next] += half;
    model->bend[first + j][0] = section->bend[0];
    model->bend[first + j][1] = section->bend[1];
    model->radius[first + j] = section->radius;
}

// Section of the material that an edge or vertex has at a share of the way from root to tip, before tapering.
static scene_section section_at(const rest_source *source, double share)
{
    const scene_section whole = scene_material_section(&source->materials[scene_material_at(source->group, share)]);
    return scene_scale_section(&whole, source->variety.radius, source->variety.stiffness);
}

// Masses lumped to vertices (half of each adjacent edge) and stiffnesses; tapering takes those of an edge from its
// middle, and those of a vertex from its place.
static void fill_section(sheaf_model *model, uint64_t first, const polyline *pose, const rest_source *source)
{
    scene_section root = section_at(source, 0);
    uint32_t last = scene_material_at(source->group, 0);
    const sheaf_strand_def *def = source->def;
    const double beyond[2] = {source->overhangs[0] * pose->length[0],
                              source->overhangs[1] * pose->length[pose->edge_count - 1]};
    double length = -beyond[0] - beyond[1], before = -beyond[0];
    for (uint32_t j = 0; j < pose->edge_count; j++)
        length += pose->length[j];
    for (uint32_t j = 0; j < pose->edge_count; before += pose->length[j++]) {
        const double share = (before + pose->length[j] / 2) / length;
        const uint32_t material = scene_material_at(source->group, share);
        if (material != last)
            root = section_at(source, share);
        last = material;
        const scene_section section = scene_scale_section(&root, scene_taper(def, share), 1);
        fill_edge(model, first, pose, j, &section);
        const double vertex = scene_taper(def, before / length);
        if (j >= polyline_interior_first(pose))
            model->twist[first + j] = scene_scale_section(&root, vertex, 1).twist;
    }
}

// Stiffness of two half edges that bend one after the other.
static double in_series(const double length[2], double a, double b)
{
    return (length[0] + length[1]) / (length[0] / a + length[1] / b);
}

// Where sections meet, both halves bear one moment, and their turns add up: neither edge's stiffness acts alone.
static void join_sections(sheaf_model *model, uint64_t first, const polyline *pose, const rest_source *source)
{
    const double beyond[2] = {source->overhangs[0] * pose->length[0],
                              source->overhangs[1] * pose->length[pose->edge_count - 1]};
    double total = -beyond[0] - beyond[1];
    for (uint32_t j = 0; j < pose->edge_count; j++)
        total += pose->length[j];
    double place = -beyond[0]; // of the vertex
    for (uint32_t i = 0; i < polyline_interior_end(pose); place += pose->length[i++]) {
        if (i < polyline_interior_first(pose))
            continue;
        const uint32_t edge = polyline_edge_before(pose, i);
        const double length[2] = {pose->length[edge], pose->length[i]};
        const double shares[2] = {(i > 0 ? place - length[0] / 2 : total - length[0] / 2) / total,
                                  (place + length[1] / 2) / total};
        if (scene_material_at(source->group, shares[0]) == scene_material_at(source->group, shares[1]))
            continue;
        const double(*bend)[2] = (const double(*)[2])(model->bend + first);
        for (int c = 0; c < 2; c++)
            model->vertex_bend[first + i][c] = in_series(length, bend[edge][c], bend[i][c]);
        const double taper[2] = {scene_taper(source->def, shares[0]), scene_taper(source->def, shares[1])};
        const scene_section before = section_at(source, shares[0]), after = section_at(source, shares[1]);
        model->twist[first + i] = in_series(length, scene_scale_section(&before, taper[0], 1).twist,
                                            scene_scale_section(&after, taper[1], 1).twist);
    }
}

// Stiffness as it was given for every vertex. Edges have the larger one of their vertices, for what needs a bound.
static void take_stiffness(sheaf_model *model, uint64_t first, const polyline *pose, const scene_group *group)
{
    const double(*bend)[2] = (const double(*)[2])group->vertex_bend;
    for (uint32_t i = polyline_interior_first(pose); i < polyline_interior_end(pose); i++) {
        model->vertex_bend[first + i][0] = bend[i][0];
        model->vertex_bend[first + i][1] = bend[i][1];
        model->twist[first + i] = group->vertex_twist[i];
    }
    for (uint32_t j = 0; j < pose->edge_count; j++) {
        const uint32_t next = j + 1 < pose->vertex_count ? j + 1 : 0, begin = polyline_interior_first(pose);
        const bool has_first = j >= begin, has_next = next >= begin && next < polyline_interior_end(pose);
        for (int c = 0; c < 2; c++)
            model->bend[first + j][c] = fmax(has_first ? bend[j][c] : 0, has_next ? bend[next][c] : 0);
    }
}

// Drag of all sections together, per length of the first one: it is spread by mass.
static double mean_drag(const sheaf_model *model, uint64_t first, const polyline *pose, const rest_source *source,
                        double line_mass)
{
    double drag = 0, mass = 0, from = 0;
    for (uint32_t k = 0; k < source->group->section_count; k++) {
        const sheaf_section *section = &source->group->sections[k];
        drag += source->materials[section->material].drag * (section->to - from);
        from = section->to;
    }
    double length = -source->overhangs[0] * pose->length[0] - source->overhangs[1] * pose->length[pose->edge_count - 1];
    for (uint32_t j = 0; j < pose->edge_count; j++)
        length += pose->length[j];
    for (uint32_t i = 0; i < pose->vertex_count; i++)
        mass += model->mass[first + i];
    return drag * length * line_mass / mass;
}

static bool has_natural_curvature(const sheaf_model *model, uint64_t first, const polyline *pose)
{
    for (uint32_t i = polyline_interior_first(pose); i < polyline_interior_end(pose); i++) {
        const double(*w)[2] = model->natural_curvature[first + i];
        if (w[0][0] != 0 || w[0][1] != 0 || w[1][0] != 0 || w[1][1] != 0)
            return true;
    }
    return false;
}

static bool has_natural_twist(const sheaf_model *model, uint64_t first, const polyline *pose)
{
    for (uint32_t i = polyline_interior_first(pose); i < polyline_interior_end(pose); i++)
        if (model->natural_twist[first + i] != 0)
            return true;
    return false;
}

// What is known of the strand without its arrays.
static void note_strand(sheaf_model *model, model_strand *strand, uint64_t first, const polyline *pose)
{
    const double(*bend)[2] = (const double(*)[2])(model->bend + first);
    bool isotropic = true;
    vec_copy(strand->origin, pose->point[0]);
    strand->closing_angle = pose->closing_angle;
    strand->curled = has_natural_curvature(model, first, pose);
    for (uint32_t i = 0; i < pose->edge_count; i++) {
        const double *own = model_bend_at(model, first + i, first + i);
        isotropic = isotropic && bend[i][0] == bend[i][1] && own[0] == own[1];
    }
    strand->isotropic_straight =
        strand->law == NULL && isotropic && !strand->curled && !has_natural_twist(model, first, pose);
    strand->mass = strand->stiffness = 0;
    for (uint32_t i = 0; i < pose->vertex_count; i++)
        strand->mass += model->mass[first + i];
    for (uint32_t j = 0; j < pose->edge_count; j++) {
        const uint32_t next = j + 1 < pose->vertex_count ? j + 1 : 0;
        const double l = pose->length[j], mass = (model->mass[first + j] + model->mass[first + next]) / 2;
        strand->stiffness = fmax(strand->stiffness, fmax(bend[j][0], bend[j][1]) / (l * l * l * mass));
    }
}

sheaf_status rest_compile(sheaf_model *model, uint32_t index, const rest_source *source, rest_scratch *scratch)
{
    const uint64_t first = model->first_vertex[index];
    polyline pose = {
        .vertex_count = source->def->vertex_count,
        .edge_count = scene_edge_count(source->def),
        .point = (const double(*)[3])(model->position + first),
        .length = model->rest_length + first,
        .tangent = scratch->tangent,
        .director = model->director + first,
    };
    char where[32];
    snprintf(where, sizeof where, "strand %u", source->number);
    SHEAF_TRY(measure_pose(&pose, source->def, source->normal, where));
    fill_section(model, first, &pose, source);
    model->strands[index].line_mass = section_at(source, 0).line_mass;
    if (source->group->section_count > 0) {
        join_sections(model, first, &pose, source);
        model->strands[index].drag = mean_drag(model, first, &pose, source, model->strands[index].line_mass);
    }
    if (source->group->vertex_bend != NULL)
        take_stiffness(model, first, &pose, source->group);
    SHEAF_TRY(fill_natural(model, index, source->def, &pose, scratch, where));
    note_strand(model, &model->strands[index], first, &pose);
    return SHEAF_OK;
}
