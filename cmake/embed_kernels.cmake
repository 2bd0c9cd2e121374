# Writes OUTPUT, a C file with the text of every kernel source, a string each: the table kernel_parts. What includes what
# is resolved when a program is made (host/cl/parts.c).
# Run by cmake -P with SOURCE (the project's folder), PARTS (paths in it, separated by commas) and OUTPUT.
string(REPLACE "," ";" PARTS "${PARTS}")
set(content "// Written by cmake/embed_kernels.cmake.\n#include \"cl/parts.h\"\n\nconst kernel_part kernel_parts[] = {\n")
foreach(path ${PARTS})
    file(READ ${SOURCE}/${path} text)
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "\n" "\\n\"\n     \"" text "${text}")
    string(APPEND content "    {\"${path}\",\n     \"${text}\"},\n")
endforeach()
list(LENGTH PARTS count)
file(WRITE ${OUTPUT} "${content}};\nconst uint32_t kernel_part_count = ${count};\n")
