// camera: a perspective view of points that chooses its own direction and framing.
#include "io/camera.h"

#include <math.h>

#include "base/vec.h"

enum { AZIMUTHS = 24, MOST_SAMPLES = 2000 };

static const double distance = 4.5; // of the eye, in half diagonals of the bounds
static const double pi = 3.14159265358979323846;

static void measure_bounds(io_camera *camera, const double (*points)[3], uint64_t count)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, diagonal[3];
    for (uint64_t k = 0; k < count; k++)
        for (int c = 0; c < 3; c++) {
            low[c] = fmin(low[c], points[k][c]);
            high[c] = fmax(high[c], points[k][c]);
        }
    if (count == 0)
        vec_set(low, 0, 0, 0), vec_set(high, 0, 0, 0);
    vec_add(camera->center, low, high);
    vec_scale(camera->center, camera->center, 0.5);
    vec_sub(diagonal, high, low);
    camera->size = fmax(vec_length(diagonal) / 2, 1e-9);
}

// Turns the camera: azimuth about `up` from the direction nearest to +y, elevation above the horizon.
static void aim(io_camera *camera, const double up[3], double azimuth, double elevation)
{
    const double y[3] = {0, 1, 0}, x[3] = {1, 0, 0};
    double front[3], turned[3];
    const double *along = fabs(up[1]) < 0.9 ? y : x;
    vec_copy(front, along);
    vec_axpy(front, -vec_dot(along, up), up);
    vec_unit(front, front);
    vec_rotate(turned, front, up, azimuth);
    vec_scale(camera->forward, turned, cos(elevation));
    vec_axpy(camera->forward, -sin(elevation), up);
    vec_cross(camera->right, camera->forward, up);
    vec_unit(camera->right, camera->right);
    vec_cross(camera->up, camera->right, camera->forward);
    vec_copy(camera->eye, camera->center);
    vec_axpy(camera->eye, -distance * camera->size, camera->forward);
}

// How much of the points the view shows: the area of their spread, and a little of its width for straight figures.
static double view_spread(const io_camera *camera, const double (*points)[3], uint64_t count)
{
    const uint64_t stride = count / MOST_SAMPLES + 1;
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
    for (uint64_t k = 0; k < count; k += stride) {
        double arm[3];
        vec_sub(arm, points[k], camera->center);
        const double x = vec_dot(arm, camera->right) / camera->size, y = vec_dot(arm, camera->up) / camera->size;
        n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y, syy += y * y;
    }
    const double xx = sxx / n - sx * sx / (n * n), xy = sxy / n - sx * sy / (n * n), yy = syy / n - sy * sy / (n * n);
    return sqrt(fmax(xx * yy - xy * xy, 0)) + 0.05 * (xx + yy);
}

io_camera io_camera_choose(const double (*points)[3], uint64_t count, const double up[3])
{
    static const struct {
        double elevation, liking; // rad; low views are liked, high ones taken for what lies flat
    } heights[] = {{0.2, 1}, {0.5, 0.85}, {0.9, 0.65}};
    io_camera camera = {0};
    measure_bounds(&camera, points, count);
    io_camera best = camera;
    double most = -1;
    for (int h = 0; h < 3; h++)
        for (int k = 0; k < AZIMUTHS; k++) {
            const double azimuth = 2 * pi * k / AZIMUTHS;
            aim(&camera, up, azimuth, heights[h].elevation);
            const double from_front = 1 + 0.1 * cos(azimuth - 0.4); // settles ties of round figures
            const double spread = view_spread(&camera, points, count) * heights[h].liking * from_front;
            if (spread > most || most < 0)
                best = camera, most = spread;
        }
    best.scale = 1;
    return best;
}

io_pixel io_camera_project(const io_camera *camera, const double point[3])
{
    double arm[3];
    vec_sub(arm, point, camera->eye);
    const double depth = fmax(vec_dot(arm, camera->forward), 1e-3 * camera->size);
    return (io_pixel){camera->shift_x + camera->scale * vec_dot(arm, camera->right) / depth,
                      camera->shift_y - camera->scale * vec_dot(arm, camera->up) / depth, depth};
}

double io_camera_resolution(const io_camera *camera)
{
    return camera->scale / (distance * camera->size);
}

void io_camera_fit(io_camera *camera, const double (*points)[3], uint64_t count, double width, double margin)
{
    double left = 0, right = 0, top = 0, bottom = 0;
    camera->scale = 1;
    camera->shift_x = camera->shift_y = 0;
    for (uint64_t k = 0; k < count; k++) {
        const io_pixel p = io_camera_project(camera, points[k]);
        left = k == 0 ? p.x : fmin(left, p.x), right = k == 0 ? p.x : fmax(right, p.x);
        top = k == 0 ? p.y : fmin(top, p.y), bottom = k == 0 ? p.y : fmax(bottom, p.y);
    }
    const double inner = width - 2 * margin, least = 1e-6;
    const double shape = (bottom - top + least) / (right - left + least);
    camera->width = width;
    camera->height = fmin(fmax(inner * shape, 0.45 * width), 0.8 * width) + 2 * margin;
    camera->scale = fmin(inner / (right - left + least), (camera->height - 2 * margin) / (bottom - top + least));
    camera->shift_x = width / 2 - camera->scale * (left + right) / 2;
    camera->shift_y = camera->height / 2 - camera->scale * (top + bottom) / 2;
}
