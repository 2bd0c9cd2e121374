# What `cmake --install` puts where: command with manual pages and completion, shared library, header, scenes, docs,
# licence, pkg-config and CMake package files.
include(CMakePackageConfigHelpers)

install(TARGETS sheaf RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS sheaf_library EXPORT sheafTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/sheaf DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR}) # beside the README, whose links lead there
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/sheaf FILES_MATCHING PATTERN "*.yaml" PATTERN "*.obj"
    PATTERN "*.ply")

# Manual pages and completion scripts are what the command says of itself.
function(install_text file folder)
    set(path ${PROJECT_BINARY_DIR}/texts/${file})
    add_custom_command(OUTPUT ${path} DEPENDS sheaf VERBATIM
        COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/texts
        COMMAND sheaf help ${ARGN} > ${path})
    set_property(GLOBAL APPEND PROPERTY sheaf_texts ${path})
    install(FILES ${path} DESTINATION ${folder})
endfunction()
install_text(sheaf.1 ${CMAKE_INSTALL_MANDIR}/man1 --man sheaf)
foreach(command new check run view render report devices verify bench reproduce info convert help version)
    install_text(sheaf-${command}.1 ${CMAKE_INSTALL_MANDIR}/man1 --man ${command})
endforeach()
install_text(sheaf ${CMAKE_INSTALL_DATADIR}/bash-completion/completions --completion bash)
install_text(_sheaf ${CMAKE_INSTALL_DATADIR}/zsh/site-functions --completion zsh)
install_text(sheaf.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d --completion fish)
get_property(texts GLOBAL PROPERTY sheaf_texts)
add_custom_target(sheaf_texts ALL DEPENDS ${texts})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sheaf)
install(EXPORT sheafTargets NAMESPACE sheaf:: FILE sheafConfig.cmake DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sheafConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sheafConfigVersion.cmake DESTINATION ${package_dir})

# pkg-config finds its folders relative to itself, so that an installation may be moved or staged.
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/sheaf.pc.in ${PROJECT_BINARY_DIR}/sheaf.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sheaf.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
