# Sets `array` to the bytes of a file as a C array of the given name.
function(embed file name)
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
    set(array "static const unsigned char ${name}[] = {\n${bytes}\n};\n\n" PARENT_SCOPE)
endfunction()
