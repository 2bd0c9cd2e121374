// test_mesh: triangles of .obj and .ply files, what follows from them, and files that promise too much.
#include "mesh/mesh.h"

#include <string.h>

#include "unit.h"

// A unit cube of quads, facing outwards.
static const char cube[] = "# a cube\n"
                           "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                           "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

static mesh read_text(const char *text)
{
    mesh m;
    if (mesh_open_memory(text, strlen(text), "test", &m) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    return m;
}

static void cubes_are_measured(void **state)
{
    (void)state;
    mesh m = read_text(cube);
    assert_int_equal(m.vertex_count, 8);
    assert_int_equal(m.triangle_count, 12);
    assert_true(m.is_closed);
    assert_close(m.area, 6, 1e-15);
    assert_close(m.volume, 1, 1e-15);
    assert_true(m.normals[0][2] < 0 && m.normals[6][2] > 0);
    assert_close(m.high[1], 1, 0);
    mesh_place(&m, GROOM_UP_Y, GROOM_UP_Z, 2, (const double[]){0, 0, 5});
    assert_close(m.area, 24, 1e-15);
    assert_close(m.volume, 8, 1e-15);
    assert_close(m.points[2][2], 7, 0); // y has become z
    assert_true(m.is_closed && m.normals[3][2] > 0);
    mesh_free(&m);
}

static void openings_are_counted(void **state)
{
    (void)state;
    char text[sizeof cube];
    memcpy(text, cube, sizeof cube);
    *strstr(text, "f 5") = '#';
    mesh m = read_text(text);
    assert_false(m.is_closed);
    assert_int_equal(m.open_edges, 4);
    mesh_free(&m);
    // a face that runs the other way has no partners
    memcpy(text, cube, sizeof cube);
    memcpy(strstr(text, "f 5 6 7 8"), "f 8 7 6 5", 9);
    m = read_text(text);
    assert_false(m.is_closed);
    assert_int_equal(m.open_edges, 8);
    mesh_free(&m);
}

// Two faces that share an edge by place, not by number.
static void seams_are_closed(void **state)
{
    (void)state;
    mesh m = read_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 4 5 6\n");
    assert_int_equal(m.open_edges, 4);
    assert_close(m.normals[0][0], m.normals[3][0], 0);
    assert_close(m.normals[0][0], sqrt(0.5), 1e-15);
    mesh_free(&m);
}

static void every_way_to_name_vertices(void **state)
{
    (void)state;
    mesh m =
        read_text("mtllib x.mtl\r\nv 0 0 0 1 1 1\r\nv 1 0 0\r\nv 0 1 \\\r\n 0\r\nvt 0.25 0.5\r\nvt .5 1\r\nvt 1\r\n"
                  "vn 0 0 1\r\ng side\r\nf 1/1/1 2/2/1 3/3/1\r\nf -3/-3 -2/-2 -1/-1\r\nf 1/1 \\\r\n2/2 3/3 # end\r\n"
                  "usemtl y \\\r\nf\r\nf 1/1/1 3/3/1 2/2/1");
    assert_int_equal(m.triangle_count, 4);
    assert_non_null(m.uv);
    assert_close((double)m.uv[1][0][1], 0.5, 0);
    assert_close((double)m.uv[3][1][1], 0, 0);
    for (int t = 0; t < 3; t++)
        assert_int_equal(m.triangles[t][2], 2);
    mesh_free(&m);
    m = read_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1//1 2//1 3//1\nf 1 2 3\n");
    assert_int_equal(m.triangle_count, 2);
    assert_null(m.uv);
    mesh_free(&m);
}

static void plys_are_read(void **state)
{
    (void)state;
    mesh m = read_text("ply\nformat ascii 1.0\ncomment any\nelement vertex 4\nproperty float x\nproperty float y\n"
                       "property float z\nproperty float density\nproperty float s\nproperty float t\n"
                       "element face 1\nproperty uchar flag\nproperty list uchar int vertex_indices\n"
                       "property list uchar float texcoord\nend_header\n"
                       "0 0 0 1 0 0\n1 0 0 0.5 1 0\n1 1 0 0 1 1\n0 1 0 1 0 1\n7 4 0 1 2 3 2 0.5 0.5\n");
    assert_int_equal(m.triangle_count, 2);
    assert_close(m.area, 1, 1e-15);
    assert_close((double)m.density[1], 0.5, 0);
    assert_close((double)m.uv[1][2][1], 1, 0);
    assert_close(m.normals[2][2], 1, 0);
    mesh_free(&m);
}

static void binary_plys_are_read(void **state)
{
    (void)state;
    static const char header[] = "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty double x\n"
                                 "property double y\nproperty double z\nelement face 1\n"
                                 "property list uchar ushort vertex_index\nend_header\n";
    unsigned char bytes[sizeof header + 80] = {0};
    size_t size = sizeof header - 1;
    memcpy(bytes, header, size);
    for (int k = 0; k < 9; k++, size += 8)
        if (k == 3 || k == 7) { // 1.0
            bytes[size] = 0x3f;
            bytes[size + 1] = 0xf0;
        }
    static const unsigned char face[] = {3, 0, 0, 0, 1, 0, 2};
    memcpy(bytes + size, face, sizeof face);
    mesh m;
    assert_int_equal(mesh_open_memory(bytes, size + sizeof face, "test", &m), SHEAF_OK);
    assert_close(m.area, 0.5, 1e-15);
    mesh_free(&m);
    for (size_t cut = 1; cut < size + sizeof face; cut++) { // any shorter file is an error
        assert_int_equal(mesh_open_memory(bytes, cut, "test", &m), SHEAF_ERR_INPUT);
        assert_null(m.points);
    }
}

static void hostile_files_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "no faces"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\n", "no faces"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "a face of 2 vertices"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "names vertex 4"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", "which is none"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf -4 1 2\n", "which is none"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1.5 1 2\n", "which is none"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 99999999999999999999 1 2\n", "which is none"},
        {"v 0 0\nf 1 1 1\n", "expected a number"},
        {"v 0 nan 0\nf 1 1 1\n", "no place"},
        {"v 0 1e30 0\nf 1 1 1\n", "no place"},
        {"vt 1e9 0\nf 1 1 1\n", "beyond"},
        {"f 1 2 3", "names vertex 3"},
        {"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nend_header\n"
         "0 0 0\n1 0 0\n0 1 0\n",
         "no element face"},
        {"ply\nformat ascii 1.0\nelement vertex 99999999999\nproperty float x\nproperty float y\nproperty float z\n"
         "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n",
         "the elements that the header announces"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n"
         "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n3 0 0 1\n",
         "a vertex of a face is 1"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        mesh m;
        assert_int_equal(mesh_open_memory(cases[k][0], strlen(cases[k][0]), "test", &m), SHEAF_ERR_INPUT);
        if (strstr(sheaf_last_error(), cases[k][1]) == NULL)
            fail_msg("case %zu: '%s' does not say '%s'", k, sheaf_last_error(), cases[k][1]);
        assert_true(m.points == NULL && m.triangle_count == 0);
    }
    mesh m;
    assert_int_equal(mesh_open("tests", &m), SHEAF_ERR_IO);
    assert_int_equal(mesh_open("tests/data/no such file.obj", &m), SHEAF_ERR_IO);
}

// Faces without area keep normals finite and belong to no edge.
static void flat_faces_do_no_harm(void **state)
{
    (void)state;
    mesh m = read_text("v 0 0 0\nv 1 0 0\nv 0 0 0\nf 1 2 3\nf 1 1 1\n");
    assert_int_equal(m.flat_triangles, 2);
    assert_false(m.is_closed);
    double point[3], normal[3];
    mesh_point(&m, 0, (const double[]){0.25, 0.5, 0.25}, point);
    mesh_normal(&m, 0, (const double[]){0.25, 0.5, 0.25}, normal);
    assert_close(point[0], 0.5, 0);
    assert_close(normal[2], 1, 0);
    mesh_free(&m);
}

static void moved_meshes_are_measured_again(void **state)
{
    (void)state;
    mesh m = read_text(cube);
    for (int k = 0; k < 8; k++)
        m.points[k][2] *= 3;
    assert_int_equal(mesh_measure(&m), SHEAF_OK);
    assert_close(m.area, 14, 1e-15);
    assert_close(m.volume, 3, 1e-15);
    assert_close(m.high[2], 3, 0);
    mesh_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubes_are_measured),
        cmocka_unit_test(openings_are_counted),
        cmocka_unit_test(seams_are_closed),
        cmocka_unit_test(every_way_to_name_vertices),
        cmocka_unit_test(plys_are_read),
        cmocka_unit_test(binary_plys_are_read),
        cmocka_unit_test(hostile_files_are_refused),
        cmocka_unit_test(flat_faces_do_no_harm),
        cmocka_unit_test(moved_meshes_are_measured_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
