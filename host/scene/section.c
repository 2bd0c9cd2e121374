// section: stiffness, mass and drag of a strand's elliptic section.
#include "scene/scene.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

// Second moments of an ellipse with half axes a1 (along director 1) and a2: bending towards director 1 strains it over
// a1. GJ uses the torsion constant of the ellipse (Saint-Venant), not its polar moment.
scene_section scene_material_section(const sheaf_material_def *material)
{
    const double a1 = material->radius[0], a2 = material->radius[1], area = pi * a1 * a2;
    scene_section section = {
        .bend = {material->bend[0], material->bend[1]},
        .twist = material->twist,
        .line_mass = material->line_mass > 0 ? material->line_mass : material->density * area,
        .radius = sqrt(a1 * a2),
    };
    if (section.bend[0] <= 0)
        section.bend[0] = material->young * area * a1 * a1 / 4;
    if (section.bend[1] <= 0)
        section.bend[1] = material->young * area * a2 * a2 / 4;
    if (section.twist <= 0 && area > 0)
        section.twist = material->shear * area * a1 * a1 * a2 * a2 / (a1 * a1 + a2 * a2);
    return section;
}

scene_section scene_scale_section(const scene_section *section, double radius, double stiffness)
{
    const double square = radius * radius, fourth = stiffness * square * square;
    return (scene_section){
        .bend = {fourth * section->bend[0], fourth * section->bend[1]},
        .twist = fourth * section->twist,
        .line_mass = square * section->line_mass,
        .radius = radius * section->radius,
    };
}

// Drag coefficient of a cylinder across a stream, by its Reynolds number: the fit of Sucker and Brauer (1975) from 1e-4
// to 2e5, where it is cut; for slow flow it lies up to 15 % above Lamb's solution.
static double find_drag_coefficient(double reynolds)
{
    const double re = fmin(fmax(reynolds, 1e-4), 2e5);
    return 1.18 + 6.8 / pow(re, 0.89) + 1.96 / sqrt(re) - 4e-4 * re / (1 + 3.64e-7 * re * re);
}

double scene_air_drag(double radius, double speed)
{
    static const double density = 1.2, viscosity = 1.8e-5; // kg/m^3 and Pa s, of air
    const double v = fmax(speed, SCENE_LEAST_AIR_SPEED);
    return density * radius * v * find_drag_coefficient(2 * density * radius * v / viscosity);
}

double scene_taper(const sheaf_strand_def *strand, double share)
{
    const double start = strand->taper_start;
    return share <= start ? 1 : 1 - (1 - strand->taper) * (fmin(share, 1) - start) / (1 - start);
}
