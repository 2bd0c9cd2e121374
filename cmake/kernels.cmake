# Kernel sources as C strings, a table of them: kernels/FOLDER/NAME.clh are functions over lanes, NAME.cl entry points.
file(GLOB kernel_parts CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/kernels/*/*.clh
    ${PROJECT_SOURCE_DIR}/kernels/*/*.cl)
set(kernel_texts ${PROJECT_BINARY_DIR}/kernels.c)
set(kernel_paths ${kernel_parts})
list(TRANSFORM kernel_paths PREPEND ${PROJECT_SOURCE_DIR}/)
list(JOIN kernel_parts "," kernel_list)
add_custom_command(OUTPUT ${kernel_texts} VERBATIM
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DPARTS=${kernel_list} -DOUTPUT=${kernel_texts}
        -P ${PROJECT_SOURCE_DIR}/cmake/embed_kernels.cmake
    DEPENDS ${kernel_paths} ${PROJECT_SOURCE_DIR}/cmake/embed_kernels.cmake
    COMMENT "Embedding kernels")
