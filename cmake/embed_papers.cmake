# Writes the scenes of the papers' experiments as C arrays: cmake -DFOLDER=scenes/papers -DOUTPUT=x.c -P embed_papers.cmake
include(${CMAKE_CURRENT_LIST_DIR}/embed.cmake)

file(GLOB scenes ${FOLDER}/*.yaml)
set(arrays "")
set(rows "")
foreach(scene ${scenes})
    get_filename_component(name ${scene} NAME_WE)
    string(MAKE_C_IDENTIFIER ${name} identifier)
    embed(${scene} ${identifier})
    string(APPEND arrays "${array}")
    string(APPEND rows "    {\"${name}\", ${identifier}, sizeof ${identifier}},\n")
endforeach()
file(WRITE ${OUTPUT} "// scenes: those of the papers' experiments, made from the folder scenes/papers/.
#include \"reproduce/run.h\"

${arrays}const reproduce_scene reproduce_scenes[] = {
${rows}    {0},
};
")
