// shaders: the programs that colour pixels.
#include "view/shaders.h"

#include "view/fibre.h"
#include "view/style.h"

#define TEXT_OF(x) #x
#define NUMBER_OF(x) TEXT_OF(x)

// What all fragments share: the sky, the light's colours, and the way from linear light to a screen.
#define COMMON                                                                                                         \
    "#version 330 core\n"                                                                                              \
    "uniform vec3 light;       // unit vector to the light\n"                                                          \
    "uniform vec3 up;          // unit vector\n"                                                                       \
    "uniform vec3 sky_high;    // colours of the sky above and at the horizon\n"                                       \
    "uniform vec3 sky_low;\n"                                                                                          \
    "const vec3 sun = vec3(1.00, 0.95, 0.87) * 2.1;\n"                                                                 \
    "vec3 sky(vec3 direction)\n"                                                                                       \
    "{\n"                                                                                                              \
    "    float height = clamp(dot(direction, up), -1.0, 1.0);\n"                                                       \
    "    return mix(sky_low, sky_high, smoothstep(0.0, 0.45, height));\n"                                              \
    "}\n"                                                                                                              \
    "vec4 to_screen(vec3 colour)\n"                                                                                    \
    "{\n"                                                                                                              \
    "    vec3 bounded = colour * (1.0 + 0.12 * colour) / (0.88 + colour * (0.24 + 0.12 * colour));\n"                  \
    "    bounded = clamp(bounded, 0.0, 1.0);\n"                                                                        \
    "    vec3 a = sqrt(bounded), b = sqrt(a), c = sqrt(b); // sRGB's curve within 0.003, without a power\n"            \
    "    return vec4(clamp(0.662002687 * a + 0.684122060 * b - 0.323583601 * c - 0.0225411470 * bounded, 0.0, 1.0), "  \
    "1.0);\n"                                                                                                          \
    "}\n"

// Grain of less than one step of a screen's colours, which keeps wide gradients from showing bands.
#define GRAIN                                                                                                          \
    "vec4 with_grain(vec4 colour)\n"                                                                                   \
    "{\n"                                                                                                              \
    "    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));\n"               \
    "    return colour + vec4(vec3(noise - 0.5) / 255.0, 0.0);\n"                                                      \
    "}\n"

// A second light, from behind and from the other side, that draws outlines.
#define RIM                                                                                                            \
    "uniform float exposure;   // factor on the light of strands and bodies\n"                                         \
    "uniform vec3 rim_way;     // unit vector to it\n"                                                                 \
    "uniform float rim;        // its strength\n"                                                                      \
    "const vec3 rim_colour = vec3(1.90, 2.00, 2.15);\n"

// ---- sky: one triangle over the whole picture

const char view_sky_vertex[] = "#version 330 core\n"
                               "uniform vec3 corners[3]; // directions from the eye\n"
                               "out vec3 direction;\n"
                               "void main()\n"
                               "{\n"
                               "    vec2 place = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);\n"
                               "    direction = corners[gl_VertexID];\n"
                               "    gl_Position = vec4(place, 1.0, 1.0); // farthest: behind all that was drawn\n"
                               "}\n";

const char view_sky_fragment[] =
    COMMON GRAIN "in vec3 direction;\n"
                 "uniform bool dark;         // a dark background, with a pool of light behind the middle\n"
                 "uniform vec3 behind, pool;\n"
                 "uniform vec2 frame;        // one over width and height of the picture\n"
                 "out vec4 pixel;\n"
                 "void main()\n"
                 "{\n"
                 "    vec2 off = (gl_FragCoord.xy * frame - vec2(0.5, 0.55)) * vec2(frame.y / frame.x, 1.0);\n"
                 "    vec3 lit = dark ? behind + pool * exp(-4.0 * dot(off, off)) : sky(normalize(direction));\n"
                 "    pixel = with_grain(to_screen(lit));\n"
                 "}\n";

// ---- ground: a wide square that fades into the horizon. It covers half the picture: all that does not change along it
// is worked out beforehand, and colours are mixed as screens have them.

const char view_ground_vertex[] =
    COMMON "layout(location = 0) in vec3 position;\n"
           "uniform mat4 matrix;\n"
           "uniform vec3 plane[2]; // axes of the ground\n"
           "uniform vec3 middle;   // of the ground in sight\n"
           "uniform vec3 map;      // lowest corner of the map of shadows along the axes, and one over its size\n"
           "uniform vec3 lines;    // a crossing of lines along the axes, and one over the m between lines\n"
           "uniform vec3 tint, behind;\n"
           "out vec2 off, where, cell;\n"
           "flat out vec3 bright, dark, horizon;\n"
           "void main()\n"
           "{\n"
           "    vec2 place = vec2(dot(position, plane[0]), dot(position, plane[1]));\n"
           "    off = place - vec2(dot(middle, plane[0]), dot(middle, plane[1]));\n"
           "    where = (place - map.xy) * map.z;\n"
           "    cell = (place - lines.xy) * lines.z;\n"
           "    bright = to_screen(tint * (0.30 * sky_high + sun * 0.36 * max(dot(light, up), 0.0))).rgb;\n"
           "    dark = to_screen(tint * 0.40 * mix(sky_low, sky_high, 0.6)).rgb;\n"
           "    horizon = to_screen(behind).rgb;\n"
           "    gl_Position = matrix * vec4(position, 1.0);\n"
           "}\n";

const char view_ground_fragment[] =
    "#version 330 core\n" GRAIN "in vec2 off, where, cell;\n"
    "flat in vec3 bright, dark, horizon; // in the light, in the shade, far away\n"
    "uniform sampler2D shadow; // share of the light that arrives; 1 at its edges\n"
    "uniform vec2 fade;        // m, from where the ground fades, and one over how far\n"
    "out vec4 pixel;\n"
    "float lines_at(vec2 cell, vec2 width)\n"
    "{\n"
    "    vec2 apart = abs(fract(cell - 0.5) - 0.5) / width;\n"
    "    float fine = clamp(1.0 - 4.0 * max(width.x, width.y), 0.0, 1.0);\n"
    "    return clamp(1.0 - min(apart.x, apart.y), 0.0, 1.0) * fine;\n"
    "}\n"
    "void main()\n"
    "{\n"
    "    vec2 width = max(fwidth(cell), vec2(1e-6));\n"
    "    vec3 lit = mix(dark, bright, texture(shadow, where).r);\n"
    "    lit *= 1.0 - 0.05 * lines_at(cell, width) - 0.035 * lines_at(0.2 * cell, 0.2 * width);\n"
    "    float far = clamp((length(off) - fade.x) * fade.y, 0.0, 1.0);\n"
    "    pixel = with_grain(vec4(mix(lit, horizon, far * far * (3.0 - 2.0 * far)), 1.0));\n"
    "}\n";

// ---- bodies: matt, like clay, or like skin
//
// Light enters skin and comes out beside where it fell, red the farthest: it reaches round the edge of a shadow, by a
// share `wrap` of its own for each colour, and shadows of what lies on it are reddish at their edges.

const char view_body_vertex[] =
    "#version 330 core\n"
    "layout(location = 0) in vec3 position;\n"
    "layout(location = 1) in vec3 normal;\n"
    "layout(location = 2) in vec4 colour; // and share of the light that arrives\n"
    "layout(location = 3) in vec3 around; // share of light from all around, of skin, of hair\n"
    "uniform mat4 matrix;\n"
    "out vec3 from_eye, facing;\n"
    "out vec4 paint;\n"
    "out vec3 open;\n"
    "void main()\n"
    "{\n"
    "    from_eye = position;\n"
    "    facing = normal;\n"
    "    paint = colour;\n"
    "    open = around;\n"
    "    gl_Position = matrix * vec4(position, 1.0);\n"
    "}\n";

const char view_body_fragment[] = COMMON RIM
    "in vec3 from_eye, facing;\n"
    "in vec4 paint;\n"
    "in vec3 open;\n"
    "out vec4 pixel;\n"
    "const vec3 wrap_of_skin = vec3(0.42, 0.26, 0.20), wrap_of_clay = vec3(0.25);\n"
    "void main()\n"
    "{\n"
    "    vec3 n = normalize(gl_FrontFacing ? facing : -facing), v = normalize(-from_eye);\n"
    "    vec3 wrap = mix(wrap_of_clay, wrap_of_skin, open.y);\n"
    "    vec3 wrapped = clamp((vec3(dot(n, light)) + wrap) / (1.0 + wrap), 0.0, 1.0);\n"
    "    vec3 arriving = mix(vec3(paint.a), exp(vec3(0.72, 1.0, 1.1) * log(max(paint.a, 0.004))), open.y);\n"
    "    float grazing = pow(1.0 - max(dot(n, v), 0.0), 4.0);\n"
    "    float gloss = pow(max(dot(n, normalize(light + v)), 0.0), mix(24.0, 16.0, open.y));\n"
    "    vec3 around = 0.42 * mix(0.40, 1.0, open.x) * mix(sky_low * 0.65, sky_high, 0.5 + 0.5 * dot(n, up));\n"
    "    vec3 lit = paint.rgb * (around + sun * mix(0.55, 0.80, open.y + open.z) * wrapped * mix(vec3(1.0), wrapped, "
    "open.y) * "
    "arriving);\n"
    "    lit += mix(0.05, 0.035 + 0.10 * grazing, open.y) * (1.0 - open.z) * sun * gloss * paint.a;\n"
    "    lit += paint.rgb * rim * rim_colour * 0.45 * max(dot(n, rim_way), 0.0) * open.x * open.x;\n"
    "    pixel = to_screen(exposure * (lit + 0.08 * grazing * (1.0 - open.z) * open.x * sky_high));\n"
    "}\n";

// ---- strands
//
// Hair: light that is reflected, goes through, and is reflected inside (fibre.h), then light that was scattered many
// times: it has no highlights, and takes the colour of the hair the deeper it comes, colour^(tint depth). A hair is too
// thin for its colour to change within a pixel: it is lit at its corners. Tubes and blades have a surface, lit pixel by
// pixel.

#define STRAND_CORNER                                                                                                  \
    "layout(location = 0) in vec3 position;\n"                                                                         \
    "layout(location = 1) in vec4 tangent;\n"                                                                          \
    "layout(location = 2) in vec4 normal;\n"                                                                           \
    "layout(location = 3) in vec4 director; // of hair: a number drawn for the strand, and its look\n"                 \
    "layout(location = 4) in vec4 colour; // square roots, and the kind in the last\n"                                 \
    "layout(location = 5) in vec4 lights; // direct, ambient, along, plain\n"                                          \
    "uniform mat4 matrix;\n"

// A colour that stands for a value is lit just so much that strands remain distinct.
#define PLAIN                                                                                                          \
    "vec3 plain(vec3 base, vec3 n, vec3 v, vec4 arriving)\n"                                                           \
    "{\n"                                                                                                              \
    "    return base * (0.55 + 0.55 * max(dot(n, v), 0.0) * mix(0.5, 1.0, arriving.x * arriving.y));\n"                \
    "}\n"

const char view_hair_vertex[] = COMMON RIM STRAND_CORNER PLAIN VIEW_FIBRE(
    VIEW_FIBRE_TEXT) "\n"
                     "uniform vec4 fibres[2 * " NUMBER_OF(
                         VIEW_MOST_FIBRES) "]; // of each look: roughness, shift, shine, tint; factors on its colour "
                                           "at the tip\n"
                                           "out vec3 lit;\n"
                                           "vec3 scattered(vec3 from, vec3 t, vec3 v, vec3 depth, float shift, float "
                                           "width)\n"
                                           "{\n"
                                           "    float sl = dot(t, from), sv = dot(t, v);\n"
                                           "    float cl = sqrt(max(1.0 - sl * sl, 1e-4)), cv = sqrt(max(1.0 - sv * "
                                           "sv, 1e-4));\n"
                                           "    float between = dot(v, from), phi = clamp((between - sl * sv) / (cl * "
                                           "cv), -1.0, 1.0);\n"
                                           "    float tilt = fibre_tilt(sl, sv, cl, cv), along = sl + sv;\n"
                                           "    vec3 sum = vec3(fibre_r(along + 2.0 * shift, phi, between, width));\n"
                                           "    sum += fibre_tt(along - shift, phi, tilt, width) * exp(depth * "
                                           "fibre_tt_path(phi, tilt));\n"
                                           "    sum += fibre_trt(along - 4.0 * shift, phi, tilt, width) * exp(depth * "
                                           "fibre_trt_path(tilt));\n"
                                           "    return 3.14159 * cl * sum;\n"
                                           "}\n"
                                           "vec3 hair(vec3 base, vec3 t, vec3 v, vec4 look, float chance)\n"
                                           "{\n"
                                           "    float width = look.x * look.x * (1.0 + 0.25 * chance), shift = look.y "
                                           "* (1.0 + 0.9 * chance) + 0.045 * chance;\n"
                                           "    vec3 depth = log(base), n = normalize(v - dot(v, t) * t + 0.35 * up);\n"
                                           "    float sl = dot(t, light), across = sqrt(max(1.0 - sl * sl, 0.0));\n"
                                           "    float direct = max(lights.x, 0.004), ambient = max(lights.y, 0.004);\n"
                                           "    vec3 once = look.z * scattered(light, t, v, depth, shift, width) * "
                                           "direct;\n"
                                           "    vec3 often = base * (0.3 + 0.7 * across) * mix(0.25, 1.0, 0.5 + 0.5 * "
                                           "dot(n, light))\n"
                                           "        * exp(-look.w * log(max(direct, 0.02)) * depth);\n"
                                           "    vec3 behind = rim * rim_colour * look.z * scattered(rim_way, t, v, "
                                           "depth, shift, width);\n"
                                           "    vec3 around = base * 0.95 * mix(sky_low * 0.7, sky_high, 0.5 + 0.5 * "
                                           "dot(n, up))\n"
                                           "        * exp(-0.60 * look.w * log(ambient) * depth);\n"
                                           "    return sun * (once + often) + behind * ambient * ambient * ambient + "
                                           "around;\n"
                                           "}\n"
                                           "void main()\n"
                                           "{\n"
                                           "    vec3 base = colour.rgb * colour.rgb, v = normalize(-position);\n"
                                           "    int look = 2 * int(director.y * 511.0 + 0.5);\n"
                                           "    vec3 toned = clamp(base * mix(vec3(0.70), fibres[look + 1].xyz, "
                                           "lights.z), 0.004, 0.95);\n"
                                           "    vec3 shown = lights.w > 0.5 ? plain(base, normalize(normal.xyz), v, "
                                           "lights)\n"
                                           "                                : exposure * hair(toned, "
                                           "normalize(tangent.xyz), v, "
                                           "fibres[look], director.x);\n"
                                           "    lit = to_screen(shown).rgb;\n"
                                           "    gl_Position = matrix * vec4(position, 1.0);\n"
                                           "}\n";

const char view_hair_fragment[] = "#version 330 core\n"
                                  "in vec3 lit;\n"
                                  "out vec4 pixel;\n"
                                  "void main()\n"
                                  "{\n"
                                  "    pixel = vec4(lit, 1.0);\n"
                                  "}\n";

const char view_surface_vertex[] = "#version 330 core\n" STRAND_CORNER "out vec3 from_eye, axis, facing, mark, paint;\n"
                                   "out vec4 arriving;\n"
                                   "flat out int kind;\n"
                                   "void main()\n"
                                   "{\n"
                                   "    from_eye = position;\n"
                                   "    axis = tangent.xyz;\n"
                                   "    facing = normal.xyz;\n"
                                   "    mark = director.xyz;\n"
                                   "    paint = colour.rgb * colour.rgb;\n"
                                   "    kind = int(colour.a * 255.0 + 0.5);\n"
                                   "    arriving = lights;\n"
                                   "    gl_Position = matrix * vec4(position, 1.0);\n"
                                   "}\n";

const char view_surface_fragment[] = COMMON RIM PLAIN
    "in vec3 from_eye, axis, facing, mark, paint;\n"
    "in vec4 arriving;\n"
    "flat in int kind;\n"
    "out vec4 pixel;\n"
    "vec3 tube(vec3 n, vec3 v)\n"
    "{\n"
    "    vec3 m = normalize(mark);\n"
    "    float turn = dot(n, m), soft = fwidth(turn);\n"
    "    vec3 base = mix(paint, mix(vec3(1.0), paint, 0.12), 0.85 * smoothstep(0.90 - soft, 0.90 + soft, turn));\n"
    "    float wrapped = clamp((dot(n, light) + 0.2) / 1.2, 0.0, 1.0);\n"
    "    float gloss = pow(max(dot(n, normalize(light + v)), 0.0), 40.0);\n"
    "    vec3 around = base * 0.45 * mix(sky_low * 0.6, sky_high, 0.5 + 0.5 * dot(n, up)) * arriving.y;\n"
    "    return around + sun * arriving.x * (base * 0.62 * wrapped + 0.22 * gloss);\n"
    "}\n"
    "vec3 blade(vec3 n, vec3 v)\n"
    "{\n"
    "    vec3 base = paint * mix(vec3(0.45, 0.50, 0.45), vec3(1.22, 1.12, 0.85), arriving.z);\n"
    "    float lit = dot(n, light);\n"
    "    float gloss = pow(max(dot(n, normalize(light + v)), 0.0), 18.0);\n"
    "    vec3 through = vec3(0.85, 1.05, 0.35) * base * max(-lit, 0.0) * 0.8;\n"
    "    vec3 around = base * 0.55 * mix(sky_low * 0.5, sky_high, 0.5 + 0.5 * dot(n, up)) * arriving.y;\n"
    "    return around + sun * arriving.x * (base * 0.75 * max(lit, 0.0) + through + 0.10 * gloss);\n"
    "}\n"
    "void main()\n"
    "{\n"
    "    vec3 n = normalize(facing), v = normalize(-from_eye);\n"
    "    vec3 lit;\n"
    "    if (arriving.w > 0.5)\n"
    "        lit = plain(paint, n, v, arriving);\n"
    "    else if (kind == 1)\n"
    "        lit = exposure * tube(n, v);\n"
    "    else\n"
    "        lit = exposure * blade(n, v);\n"
    "    pixel = to_screen(lit);\n"
    "}\n";
