# Writes the scenes of a folder as C arrays: cmake -DFOLDER=scenes -DOUTPUT=starts.c -P embed_scenes.cmake
# The first line of a scene, a comment, is its summary.
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
    file(READ ${scene} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
    string(APPEND arrays "static const unsigned char bytes_${identifier}[] = {\n${bytes}\n};\n\n")
    string(APPEND rows "    {\"${name}\", \"${summary}\", bytes_${identifier}, sizeof bytes_${identifier}},\n")
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
