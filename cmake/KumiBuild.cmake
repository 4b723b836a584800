# How everything is compiled: the language, warnings, optimisation and sanitizers.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug or Release" FORCE)
endif()

# Symbols stay in a release, so that a crash inside a stranger's process can be read.
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -g")
set(CMAKE_C_FLAGS_RELEASE "-O3 -g")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g")

add_library(kumi_options INTERFACE)
target_compile_options(kumi_options INTERFACE -Wall -Wextra -Wpedantic)
if(KUMI_WERROR)
    target_compile_options(kumi_options INTERFACE -Werror)
endif()
# Event times must not depend on which fused operations a compiler picks.
target_compile_options(kumi_options INTERFACE -ffp-contract=off)
target_include_directories(
    kumi_options
    INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include
)
target_compile_definitions(
    kumi_options
    INTERFACE KUMI_VERSION="${PROJECT_VERSION}" _GNU_SOURCE
)

if(KUMI_SANITIZE)
    add_compile_options(-fsanitize=${KUMI_SANITIZE} -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${KUMI_SANITIZE})
endif()

# The fuzzer is led by what the code under test executes, not only by the target's own lines.
if(KUMI_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
