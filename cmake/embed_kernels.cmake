# Writes OUTPUT, a C file that holds the text of every kernel source as one string per entry file: the headers in the order
# they build on each other, then the entry points. Each part starts with a #line mark, so that compilers name the right file.
# Run by cmake -P with SOURCE (folder), HEADERS, ENTRIES (names separated by commas) and OUTPUT.
string(REPLACE "," ";" HEADERS "${HEADERS}")
string(REPLACE "," ";" ENTRIES "${ENTRIES}")

function(append_part variable name)
    file(READ ${SOURCE}/${name} text)
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
    set(${variable} "${${variable}}    \"#line 1 \\\"${name}\\\"\\n\"\n    \"${text}\"\n" PARENT_SCOPE)
endfunction()

set(headers "")
foreach(name ${HEADERS})
    append_part(headers ${name})
endforeach()
set(content "// Written by cmake/embed_kernels.cmake.\n#include \"cl/kernels.h\"\n\n")
foreach(name ${ENTRIES})
    set(entry "")
    append_part(entry ${name})
    get_filename_component(stem ${name} NAME_WE)
    string(APPEND content "const char kernels_${stem}[] =\n${headers}${entry};\n\n")
endforeach()
file(WRITE ${OUTPUT} "${content}")
