# What `cmake --install` puts where: command, shared library, header, scenes, docs, licence, pkg-config and CMake
# package files.
include(CMakePackageConfigHelpers)

install(TARGETS sheaf_library EXPORT sheafTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET sheaf)
    install(TARGETS sheaf RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY include/sheaf DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(EXISTS ${PROJECT_SOURCE_DIR}/docs)
    install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
if(EXISTS ${PROJECT_SOURCE_DIR}/scenes)
    install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/sheaf FILES_MATCHING PATTERN "*.yaml")
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sheaf)
install(EXPORT sheafTargets NAMESPACE sheaf:: FILE sheafConfig.cmake DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sheafConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sheafConfigVersion.cmake DESTINATION ${package_dir})

# pkg-config finds its folders relative to itself, so that an installation may be moved or staged.
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/sheaf.pc.in ${PROJECT_BINARY_DIR}/sheaf.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sheaf.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
