# Writes the scenes of a folder as C arrays: cmake -DFOLDER=scenes -DOUTPUT=starts.c -P embed_scenes.cmake
# The first line of a scene, a comment, is its summary. A mesh of the same name belongs to it.
include(${CMAKE_CURRENT_LIST_DIR}/embed.cmake)

file(GLOB scenes ${FOLDER}/*.yaml)
set(arrays "")
set(rows "")
set(names "")
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
    set(mesh "NULL, NULL, 0")
    if(EXISTS ${FOLDER}/${name}.obj)
        embed(${FOLDER}/${name}.obj mesh_${identifier})
        string(APPEND arrays "${array}")
        set(mesh "\"${name}.obj\", mesh_${identifier}, sizeof mesh_${identifier}")
    endif()
    string(APPEND rows "    {\"${name}\", \"${summary}\", bytes_${identifier}, sizeof bytes_${identifier}, ${mesh}},\n")
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
