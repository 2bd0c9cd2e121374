// gl: what drawing needs of OpenGL 3.3: programs, buffers of corners, and errors as statuses.
#ifndef SHEAF_VIEW_GL_H
#define SHEAF_VIEW_GL_H

#include "base/base.h"

#include <epoxy/gl.h>

// Whether the current context is good enough. Returns SHEAF_OK, SHEAF_ERR_DEVICE.
sheaf_status view_gl_check_version(void);

// Compiles and links a program; `name` is for messages. Returns SHEAF_OK, SHEAF_ERR_DEVICE.
sheaf_status view_gl_program(const char *name, const char *vertex, const char *fragment, GLuint *program);

// What OpenGL found wrong since the last call. Returns SHEAF_OK, SHEAF_ERR_DEVICE.
sheaf_status view_gl_status(const char *doing);

// One attribute of a corner.
typedef struct view_attribute {
    GLint size; // components
    GLenum type;
    GLboolean normalised;
    size_t offset;
} view_attribute;

// Triangles: corners that change with every picture, and the numbers of the corners of each triangle.
typedef struct view_mesh {
    GLuint array, corners, indices;
    size_t corner_room, index_count;
} view_mesh;

void view_mesh_open(view_mesh *mesh, size_t stride, const view_attribute *attributes, uint32_t count);
void view_mesh_close(view_mesh *mesh);
void view_mesh_set_indices(view_mesh *mesh, const uint32_t *indices, size_t count);

// Memory of the graphics for `size` bytes of corners, to be filled and then given back; NULL, with the last error set,
// when there is none.
void *view_mesh_map(view_mesh *mesh, size_t size);
sheaf_status view_mesh_unmap(view_mesh *mesh);

// Draws the triangles of `count` indices from `first` on.
void view_mesh_draw(const view_mesh *mesh, size_t first, size_t count);

#endif
