# Kernel texts as C strings: headers in the order they build on each other, then one entry file each.
set(kernel_folder ${PROJECT_SOURCE_DIR}/kernels)
set(kernel_texts "")

# Embeds entry files, each with all of the headers before it, into one C file.
function(embed_kernels name headers entries)
    set(output ${PROJECT_BINARY_DIR}/${name}.c)
    list(JOIN headers "," header_list)
    list(JOIN entries "," entry_list)
    set(paths ${headers} ${entries})
    list(TRANSFORM paths PREPEND ${kernel_folder}/)
    add_custom_command(OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DSOURCE=${kernel_folder} -DHEADERS=${header_list} -DENTRIES=${entry_list}
            -DOUTPUT=${output} -P ${PROJECT_SOURCE_DIR}/cmake/embed_kernels.cmake
        DEPENDS ${paths} ${PROJECT_SOURCE_DIR}/cmake/embed_kernels.cmake
        COMMENT "Embedding ${name}")
    set(kernel_texts ${kernel_texts} ${output} PARENT_SCOPE)
endfunction()

set(step_headers slots.clh lanes.clh vectors.clh angles.clh layout.clh external.clh ends.clh frames.clh curvature.clh
    wind.clh contact.clh
    twist.clh bend_twist.clh damping.clh implicit.clh project.clh integrate.clh guard.clh bundle.clh step.clh
    figures_slots.clh figures.clh notes.clh)
embed_kernels(kernels "${step_headers}" "fused.cl;staged.cl;figures.cl")
embed_kernels(peak lanes.clh peak.cl)
