// gl: what drawing needs of OpenGL 3.3.
#include "view/gl.h"

#include <string.h>

sheaf_status view_gl_check_version(void)
{
    const int version = epoxy_gl_version();
    if (!epoxy_is_desktop_gl() || version < 33)
        return base_fail(SHEAF_ERR_DEVICE,
                         "the graphics offer %s %d.%d; pictures need OpenGL 3.3 or later. Mesa's software renderer "
                         "(package libgl1-mesa-dri) has it: try LIBGL_ALWAYS_SOFTWARE=1",
                         epoxy_is_desktop_gl() ? "OpenGL" : "OpenGL ES", version / 10, version % 10);
    return SHEAF_OK;
}

static sheaf_status compile(const char *name, GLenum kind, const char *text, GLuint *shader)
{
    GLint ok = GL_FALSE;
    char log[300] = "";
    *shader = glCreateShader(kind);
    glShaderSource(*shader, 1, &text, NULL);
    glCompileShader(*shader);
    glGetShaderiv(*shader, GL_COMPILE_STATUS, &ok);
    if (ok == GL_TRUE)
        return SHEAF_OK;
    glGetShaderInfoLog(*shader, sizeof log, NULL, log);
    return base_fail(SHEAF_ERR_DEVICE, "the graphics driver does not compile the %s shader: %s", name, log);
}

static sheaf_status link(const char *name, GLuint program)
{
    GLint ok = GL_FALSE;
    char log[300] = "";
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (ok == GL_TRUE)
        return SHEAF_OK;
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    return base_fail(SHEAF_ERR_DEVICE, "the graphics driver does not link the %s shader: %s", name, log);
}

sheaf_status view_gl_program(const char *name, const char *vertex, const char *fragment, GLuint *program)
{
    GLuint shaders[2] = {0, 0};
    *program = glCreateProgram();
    sheaf_status status = compile(name, GL_VERTEX_SHADER, vertex, &shaders[0]);
    if (status == SHEAF_OK)
        status = compile(name, GL_FRAGMENT_SHADER, fragment, &shaders[1]);
    if (status == SHEAF_OK) {
        glAttachShader(*program, shaders[0]);
        glAttachShader(*program, shaders[1]);
        status = link(name, *program);
    }
    glDeleteShader(shaders[0]);
    glDeleteShader(shaders[1]);
    return status;
}

sheaf_status view_gl_status(const char *doing)
{
    const GLenum error = glGetError();
    if (error == GL_NO_ERROR)
        return SHEAF_OK;
    const char *what = error == GL_OUT_OF_MEMORY  ? "it has no memory left"
                       : error == GL_CONTEXT_LOST ? "the context was lost"
                                                  : "OpenGL error";
    return base_fail(SHEAF_ERR_DEVICE, "%s: the graphics driver failed: %s (0x%04x)", doing, what, error);
}

// ---- meshes

// OpenGL takes offsets in buffers as pointers.
static const void *as_pointer(size_t offset)
{
    return (const void *)offset; // NOLINT(performance-no-int-to-ptr)
}

void view_mesh_open(view_mesh *mesh, size_t stride, const view_attribute *attributes, uint32_t count)
{
    *mesh = (view_mesh){0};
    glGenVertexArrays(1, &mesh->array);
    glGenBuffers(1, &mesh->corners);
    glGenBuffers(1, &mesh->indices);
    glBindVertexArray(mesh->array);
    glBindBuffer(GL_ARRAY_BUFFER, mesh->corners);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh->indices);
    for (uint32_t k = 0; k < count; k++) {
        const view_attribute *a = &attributes[k];
        glEnableVertexAttribArray(k);
        glVertexAttribPointer(k, a->size, a->type, a->normalised, (GLsizei)stride, as_pointer(a->offset));
    }
    glBindVertexArray(0);
}

void view_mesh_close(view_mesh *mesh)
{
    if (mesh->array == 0)
        return;
    glDeleteVertexArrays(1, &mesh->array);
    glDeleteBuffers(1, &mesh->corners);
    glDeleteBuffers(1, &mesh->indices);
    *mesh = (view_mesh){0};
}

void view_mesh_set_indices(view_mesh *mesh, const uint32_t *indices, size_t count)
{
    glBindVertexArray(mesh->array);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *indices), indices, GL_STATIC_DRAW);
    glBindVertexArray(0);
    mesh->index_count = count;
}

void *view_mesh_map(view_mesh *mesh, size_t size)
{
    glBindBuffer(GL_ARRAY_BUFFER, mesh->corners);
    if (size > mesh->corner_room) {
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, NULL, GL_STREAM_DRAW);
        mesh->corner_room = size;
    }
    void *memory =
        glMapBufferRange(GL_ARRAY_BUFFER, 0, (GLsizeiptr)size, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
    if (memory == NULL && view_gl_status("drawing") == SHEAF_OK)
        base_fail(SHEAF_ERR_DEVICE, "drawing: the graphics driver gives no memory");
    return memory;
}

// A buffer whose content was lost meanwhile is drawn as it is: the next picture fills it again.
sheaf_status view_mesh_unmap(view_mesh *mesh)
{
    glBindBuffer(GL_ARRAY_BUFFER, mesh->corners);
    glUnmapBuffer(GL_ARRAY_BUFFER);
    return view_gl_status("drawing");
}

void view_mesh_draw(const view_mesh *mesh, size_t first, size_t count)
{
    glBindVertexArray(mesh->array);
    glDrawElements(GL_TRIANGLES, (GLsizei)count, GL_UNSIGNED_INT, as_pointer(first * sizeof(uint32_t)));
    glBindVertexArray(0);
}
