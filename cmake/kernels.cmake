# Kernel texts as C strings: headers in the order they build on each other, then one entry file each. An entry file x.cl may
# have headers of its own, x_slots.clh and x.clh.
set(kernel_headers slots.clh lanes.clh vectors.clh angles.clh layout.clh external.clh ends.clh frames.clh curvature.clh
    twist.clh bend_twist.clh implicit.clh project.clh integrate.clh guard.clh bundle.clh step.clh)
set(kernel_entries fused.cl staged.cl figures.cl)
set(kernel_folder ${PROJECT_SOURCE_DIR}/kernels)
set(kernel_texts ${PROJECT_BINARY_DIR}/kernels.c)
list(JOIN kernel_headers "," header_list)
list(JOIN kernel_entries "," entry_list)
list(TRANSFORM kernel_headers PREPEND ${kernel_folder}/ OUTPUT_VARIABLE header_paths)
list(TRANSFORM kernel_entries PREPEND ${kernel_folder}/ OUTPUT_VARIABLE entry_paths)
list(APPEND entry_paths ${kernel_folder}/figures_slots.clh ${kernel_folder}/figures.clh)
add_custom_command(OUTPUT ${kernel_texts}
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${kernel_folder} -DHEADERS=${header_list} -DENTRIES=${entry_list}
        -DOUTPUT=${kernel_texts} -P ${PROJECT_SOURCE_DIR}/cmake/embed_kernels.cmake
    DEPENDS ${header_paths} ${entry_paths} ${PROJECT_SOURCE_DIR}/cmake/embed_kernels.cmake
    COMMENT "Embedding kernels")
