// shaders: the programs that colour pixels, in GLSL 3.30. All positions are vectors from the eye, in metres; colours
// are linear light until the last line.
#ifndef SHEAF_VIEW_SHADERS_H
#define SHEAF_VIEW_SHADERS_H

extern const char view_sky_vertex[], view_sky_fragment[];
extern const char view_ground_vertex[], view_ground_fragment[];
extern const char view_body_vertex[], view_body_fragment[];
extern const char view_hair_vertex[], view_hair_fragment[];
extern const char view_surface_vertex[], view_surface_fragment[];

#endif
