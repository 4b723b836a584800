# The kinds of target that the folders under src/ are made of.

# kumi_library(<folder> [SOURCES a.cpp ...] [DEPENDS <folder> ...] [LINKS <library> ...])
#
# The static library kumi_<folder>; header-only when no sources are named. DEPENDS names other
# folders of src/, LINKS anything else to link.
function(kumi_library folder)
    cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;DEPENDS;LINKS")
    list(TRANSFORM ARG_DEPENDS PREPEND kumi_)
    if(ARG_SOURCES)
        add_library(kumi_${folder} STATIC ${ARG_SOURCES})
        target_link_libraries(
            kumi_${folder}
            PUBLIC kumi_options ${ARG_DEPENDS} ${ARG_LINKS}
        )
    else()
        add_library(kumi_${folder} INTERFACE)
        target_link_libraries(
            kumi_${folder}
            INTERFACE kumi_options ${ARG_DEPENDS} ${ARG_LINKS}
        )
    endif()
endfunction()

# kumi_loadable(<name> SOURCES a.cpp ... [DEPENDS <folder> ...] [LINKS <library> ...])
#
# The shared library lib<name>.so that a stranger's process loads: it exports only what is marked
# for export, brings its own C++ runtime and needs libc alone. Installed into kumihimo/lib.
# Code and constants begin at a multiple of 2 MB with nothing else in the same 2 MB, so that copies
# of one process can share them in a large page.
function(kumi_loadable name)
    cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;DEPENDS;LINKS")
    list(TRANSFORM ARG_DEPENDS PREPEND kumi_)
    add_library(${name} SHARED ${ARG_SOURCES})
    target_link_libraries(
        ${name}
        PRIVATE kumi_options ${ARG_DEPENDS} ${ARG_LINKS}
    )
    kumi_link_loadable(${name})
    install(TARGETS ${name} LIBRARY DESTINATION kumihimo/lib)
endfunction()

# kumi_link_loadable(<target>): how a library that a stranger's process loads is linked.
function(kumi_link_loadable target)
    set(exports ${PROJECT_SOURCE_DIR}/cmake/loadable.map)
    target_link_options(
        ${target}
        PRIVATE
            -static-libstdc++
            -static-libgcc
            LINKER:--exclude-libs,ALL
            LINKER:--version-script,${exports}
            LINKER:-z,now
            LINKER:-z,max-page-size=2097152
            LINKER:-z,noseparate-code
    )
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${exports})
endfunction()
