// fibre: how a hair scatters light, written so that both GLSL and C read it: shaders take the text, tests the
// functions.
//
// Light that falls on a fibre leaves it three ways: reflected (R), through it (TT), and reflected inside (TRT). Along
// the fibre each is a bell about the mirror direction, moved by the tilt of the cuticle's scales; around it each has a
// shape of its own, fitted to a round fibre of refractive index 1.55. Of light l, eye v and the fibre's tangent t:
// sl = t.l, sv = t.v, cl and cv the cosines to them, cos_phi the cosine of the angle between l and v about the fibre.
#ifndef SHEAF_VIEW_FIBRE_H
#define SHEAF_VIEW_FIBRE_H

#define VIEW_FIBRE_TEXT(...) #__VA_ARGS__
#define VIEW_FIBRE_CODE(...) __VA_ARGS__

// GLSL keeps to one line here, so that comments of the parts stand before them.
// fibre_bell: width b, area 1. fibre_fresnel: share reflected at a cosine. fibre_half: cosine of half the angle phi;
// fibre_tilt: of half the difference of the inclinations; fibre_bend: 1 / index as seen at that tilt; fibre_offset:
// where light that leaves at phi went through the section, 0: its middle, 1: its side.
// fibre_tt_path, fibre_trt_path: lengths inside that colour the light, in diameters' halves.
#define VIEW_FIBRE(as)                                                                                                 \
    as(                                                                                                                \
        float fibre_bell(float x, float b) { return exp(-x * x / (2.0f * b * b)) / (2.507f * b); }                     \
                                                                                                                       \
        float fibre_fresnel(float c) {                                                                                 \
            float d = 1.0f - c;                                                                                        \
            return 0.0466f + 0.9534f * d * d * d * d * d;                                                              \
        }                                                                                                              \
                                                                                                                       \
        float fibre_half(float cos_phi) { return sqrt(max(0.5f + 0.5f * cos_phi, 0.0f)); }                             \
                                                                                                                       \
        float fibre_tilt(float sl, float sv, float cl, float cv) {                                                     \
            return sqrt(clamp(0.5f + 0.5f * (cl * cv + sl * sv), 0.01f, 1.0f));                                        \
        }                                                                                                              \
                                                                                                                       \
        float fibre_bend(float tilt) { return 1.0f / (1.19f / tilt + 0.36f * tilt); }                                  \
                                                                                                                       \
        float fibre_offset(float cos_phi, float bend) {                                                                \
            return min(fibre_half(cos_phi) * (1.0f + bend * (0.6f - 0.8f * cos_phi)), 1.0f);                           \
        }                                                                                                              \
                                                                                                                       \
        float fibre_r(float along, float cos_phi, float between, float b) {                                            \
            return fibre_bell(along, b) * 0.25f * fibre_half(cos_phi) *                                                \
                   fibre_fresnel(sqrt(max(0.5f + 0.5f * between, 0.0f)));                                              \
        }                                                                                                              \
                                                                                                                       \
        float fibre_tt(float along, float cos_phi, float tilt, float b) {                                              \
            float h = fibre_offset(cos_phi, fibre_bend(tilt));                                                         \
            float f = 1.0f - fibre_fresnel(tilt * sqrt(1.0f - h * h));                                                 \
            return fibre_bell(along, 0.5f * b) * f * f * exp(-3.65f * cos_phi - 3.98f);                                \
        }                                                                                                              \
                                                                                                                       \
        float fibre_tt_path(float cos_phi, float tilt) {                                                               \
            float bend = fibre_bend(tilt);                                                                             \
            float h = bend * fibre_offset(cos_phi, bend);                                                              \
            return 0.5f * sqrt(max(1.0f - h * h, 0.0f)) / tilt;                                                        \
        }                                                                                                              \
                                                                                                                       \
        float fibre_trt(float along, float cos_phi, float tilt, float b) {                                             \
            float f = fibre_fresnel(0.5f * tilt);                                                                      \
            return fibre_bell(along, 2.0f * b) * (1.0f - f) * (1.0f - f) * f * exp(17.0f * cos_phi - 16.78f);          \
        }                                                                                                              \
                                                                                                                       \
        float fibre_trt_path(float tilt) { return 0.8f / tilt; })

#endif
