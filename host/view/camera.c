// camera: an eye that goes around what it looks at.
#include "view/camera.h"

#include <math.h>
#include <stdio.h>

#include "base/vec.h"
#include "io/camera.h"

static const double pi = 3.14159265358979323846;
static const double margin = 0.08; // of the picture's half width and height, left free by framing

// The horizontal direction that azimuth 0 looks along.
static void front_of(const double up[3], double front[3])
{
    const double y[3] = {0, 1, 0}, x[3] = {1, 0, 0};
    const double *along = fabs(up[1]) < 0.9 ? y : x;
    vec_copy(front, along);
    vec_axpy(front, -vec_dot(along, up), up);
    vec_unit(front, front);
}

static void axes_of(const view_camera *camera, double right[3], double up[3], double forward[3])
{
    double front[3], level[3];
    front_of(camera->up, front);
    vec_rotate(level, front, camera->up, camera->azimuth);
    vec_cross(right, level, camera->up);
    vec_unit(right, right);
    vec_scale(forward, level, cos(camera->elevation));
    vec_axpy(forward, -sin(camera->elevation), camera->up);
    vec_cross(up, right, forward);
}

static void aim_along(view_camera *camera, const double forward[3])
{
    double front[3], level[3];
    camera->elevation = -asin(fmin(fmax(vec_dot(forward, camera->up), -1), 1));
    front_of(camera->up, front);
    vec_copy(level, forward);
    vec_axpy(level, -vec_dot(forward, camera->up), camera->up);
    if (vec_length(level) > 1e-6) {
        vec_unit(level, level);
        camera->azimuth = vec_angle(front, level, camera->up);
    }
}

void view_camera_look_from(view_camera *camera, const double from[3])
{
    double forward[3];
    vec_sub(forward, camera->at, from);
    const double distance = vec_length(forward);
    if (!(distance > 0))
        return;
    vec_scale(forward, forward, 1 / distance);
    aim_along(camera, forward);
    camera->distance = distance;
}

// With t the tangent of half the angle of view, a point p is inside the right edge when (p - e).r <= t (p - e).f, and
// likewise for the others. Every edge bounds a plane that the eye e must not cross; the eye farthest forward lies on
// the planes of two opposite edges.
void view_camera_frame(view_camera *camera, const double (*points)[3], uint64_t count, double aspect)
{
    double axes[3][3], least[2][2] = {{INFINITY, INFINITY}, {INFINITY, INFINITY}}, depth = 0;
    const double t[2] = {tan(camera->angle / 2) * aspect * (1 - margin), tan(camera->angle / 2) * (1 - margin)};
    if (count == 0)
        return;
    axes_of(camera, axes[0], axes[1], axes[2]);
    for (uint64_t k = 0; k < count; k++) {
        const double f = vec_dot(points[k], axes[2]);
        for (int c = 0; c < 2; c++) {
            const double across = vec_dot(points[k], axes[c]);
            least[c][0] = fmin(least[c][0], t[c] * f - across);
            least[c][1] = fmin(least[c][1], t[c] * f + across);
        }
        depth += f / (double)count;
    }
    const double forward = fmin((least[0][0] + least[0][1]) / (2 * t[0]), (least[1][0] + least[1][1]) / (2 * t[1]));
    camera->distance = fmax(depth - forward, 1e-6);
    vec_scale(camera->at, axes[2], depth);
    for (int c = 0; c < 2; c++)
        vec_axpy(camera->at, (least[c][1] - least[c][0]) / 2, axes[c]);
}

view_camera view_camera_choose(const double (*points)[3], uint64_t count, const double up[3], double aspect)
{
    view_camera camera = {.angle = 30 * pi / 180, .distance = 1};
    const io_camera chosen = io_camera_choose(points, count, up);
    vec_copy(camera.up, up);
    aim_along(&camera, chosen.forward);
    view_camera_frame(&camera, points, count, aspect);
    return camera;
}

void view_camera_pan(view_camera *camera, const view_eye *eye, double x, double y)
{
    const double step = eye->pixel * camera->distance;
    vec_axpy(camera->at, -x * step, eye->right);
    vec_axpy(camera->at, y * step, eye->up);
}

void view_camera_turn(view_camera *camera, double azimuth, double elevation)
{
    camera->azimuth = remainder(camera->azimuth + azimuth, 2 * pi);
    camera->elevation = fmin(fmax(camera->elevation + elevation, -pi / 2 + 0.01), pi / 2 - 0.01);
}

void view_camera_zoom(view_camera *camera, double factor)
{
    camera->distance = fmin(fmax(camera->distance / factor, 1e-6), 1e6);
}

void view_camera_text(const view_camera *camera, char *text, size_t size)
{
    double right[3], up[3], forward[3], from[3];
    axes_of(camera, right, up, forward);
    vec_copy(from, camera->at);
    vec_axpy(from, -camera->distance, forward);
    snprintf(text, size, "{ from: [%.5g m, %.5g m, %.5g m], at: [%.5g m, %.5g m, %.5g m], angle: %.5g deg }", from[0],
             from[1], from[2], camera->at[0], camera->at[1], camera->at[2], camera->angle * 180 / pi);
}

// Rows of the view, then perspective: x and y by the angle of view, z so that near and far become -1 and 1.
static void fill_matrix(view_eye *eye, double angle)
{
    const double scale = 1 / tan(angle / 2), span = eye->far - eye->near;
    const double rows[4][4] = {{scale * eye->height / eye->width, 0, 0, 0},
                               {0, scale, 0, 0},
                               {0, 0, (eye->far + eye->near) / span, -2 * eye->far * eye->near / span},
                               {0, 0, 1, 0}};
    const double *axes[3] = {eye->right, eye->up, eye->forward};
    for (int r = 0; r < 4; r++) {
        for (int c = 0; c < 3; c++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                sum += rows[r][k] * axes[k][c];
            eye->matrix[4 * c + r] = (float)sum;
        }
        eye->matrix[12 + r] = (float)rows[r][3];
    }
}

view_eye view_camera_eye(const view_camera *camera, double width, double height)
{
    view_eye eye = {.width = width, .height = height, .pixel = 2 * tan(camera->angle / 2) / height};
    axes_of(camera, eye.right, eye.up, eye.forward);
    vec_copy(eye.place, camera->at);
    vec_axpy(eye.place, -camera->distance, eye.forward);
    eye.near = 0.04 * camera->distance;
    eye.far = 60 * camera->distance;
    fill_matrix(&eye, camera->angle);
    return eye;
}

bool view_eye_project(const view_eye *eye, const double point[3], double pixel[2], double *depth)
{
    double arm[3];
    vec_sub(arm, point, eye->place);
    *depth = vec_dot(arm, eye->forward);
    if (*depth < eye->near)
        return false;
    pixel[0] = eye->width / 2 + vec_dot(arm, eye->right) / (*depth * eye->pixel);
    pixel[1] = eye->height / 2 - vec_dot(arm, eye->up) / (*depth * eye->pixel);
    return true;
}

void view_eye_lift(const view_eye *eye, const double pixel[2], double depth, double point[3])
{
    vec_copy(point, eye->place);
    vec_axpy(point, depth, eye->forward);
    vec_axpy(point, (pixel[0] - eye->width / 2) * eye->pixel * depth, eye->right);
    vec_axpy(point, (eye->height / 2 - pixel[1]) * eye->pixel * depth, eye->up);
}
