# sheaf_flags: what every target of ours is compiled with.
# No contraction: results must not depend on where a compiler chooses to fuse a multiply and an add.
add_library(sheaf_flags INTERFACE)
target_compile_options(sheaf_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow -ffp-contract=off
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
    $<$<BOOL:${SHEAF_WERROR}>:-Werror>)
target_compile_definitions(sheaf_flags INTERFACE _XOPEN_SOURCE=700)

# Instrumentation goes to every target alike: mixing instrumented and plain objects hides findings.
if(SHEAF_SANITIZE)
    add_compile_options(-fsanitize=${SHEAF_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${SHEAF_SANITIZE})
endif()
# Lines are counted in host/ alone, by clang's own maps of the source.
if(SHEAF_COVERAGE)
    add_link_options(-fprofile-instr-generate)
endif()
