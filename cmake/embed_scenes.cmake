# Writes the scenes of a folder as C arrays: cmake -DFOLDER=scenes -DOUTPUT=starts.c -P embed_scenes.cmake
# The first line of a scene, a comment, is its summary. Meshes of the same name belong to it:
# fur.obj to fur.yaml, caterpillar.0001.obj and so on to caterpillar.yaml; and any .ply that it names.
cmake_policy(SET CMP0057 NEW) # if(IN_LIST)
include(${CMAKE_CURRENT_LIST_DIR}/embed.cmake)

file(GLOB scenes ${FOLDER}/*.yaml)
set(arrays "")
set(rows "")
set(names "")
set(embedded "")
foreach(scene ${scenes})
    get_filename_component(name ${scene} NAME_WE)
    string(MAKE_C_IDENTIFIER ${name} identifier)
    file(STRINGS ${scene} summary LIMIT_COUNT 1)
    if(NOT summary MATCHES "^# [^\"\\]+$")
        message(FATAL_ERROR "${scene}: the first line must be a comment that says what the scene is")
    endif()
    string(SUBSTRING "${summary}" 2 -1 summary)
    embed(${scene} bytes_${identifier})
    string(APPEND arrays "${array}")
    file(GLOB meshes ${FOLDER}/${name}.obj ${FOLDER}/${name}.*.obj)
    file(STRINGS ${scene} naming REGEX "file: [A-Za-z0-9_]+\\.ply")
    foreach(line ${naming})
        string(REGEX REPLACE ".*file: ([A-Za-z0-9_]+\\.ply).*" "${FOLDER}/\\1" mesh "${line}")
        list(APPEND meshes ${mesh})
    endforeach()
    list(REMOVE_DUPLICATES meshes)
    set(list "")
    foreach(mesh ${meshes})
        get_filename_component(file ${mesh} NAME)
        string(MAKE_C_IDENTIFIER ${file} bytes)
        if(NOT bytes IN_LIST embedded) # scenes may share a mesh
            embed(${mesh} ${bytes})
            string(APPEND arrays "${array}")
            list(APPEND embedded ${bytes})
        endif()
        string(APPEND list "    {\"${file}\", ${bytes}, sizeof ${bytes}},\n")
    endforeach()
    string(APPEND arrays "static const cli_start_mesh meshes_${identifier}[] = {\n${list}    {0},\n};\n\n")
    string(APPEND rows "    {\"${name}\", \"${summary}\", bytes_${identifier}, sizeof bytes_${identifier}, meshes_${identifier}},\n")
    string(APPEND names "    \"${name}\",\n")
endforeach()
file(WRITE ${OUTPUT} "// starts: the scenes that `sheaf new` writes, made from the folder scenes/.
#include \"cli/starts.h\"

${arrays}const cli_start cli_starts[] = {
${rows}    {0},
};

const char *const cli_start_names[] = {
${names}    NULL,
};
")
