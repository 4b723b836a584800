# Unit tests and fuzz targets, registered with ctest, each with a time limit.

if(KUMI_TESTS)
    find_package(GTest REQUIRED)
    find_library(RAPIDCHECK_LIBRARY rapidcheck REQUIRED)
    include(GoogleTest)
endif()

# kumi_test(<folder> SOURCES x_test.cpp ... [DEPENDS <folder> ...] [TIMEOUT <seconds>])
#
# The executable kumi_<folder>_test, linked with kumi_<folder>, GoogleTest's main and RapidCheck.
# Each test of it is a ctest of its own. TIMEOUT is per test, 60 s by default.
function(kumi_test folder)
    if(NOT KUMI_TESTS)
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 1 ARG "" "TIMEOUT" "SOURCES;DEPENDS;LINKS")
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 60)
    endif()
    list(TRANSFORM ARG_DEPENDS PREPEND kumi_)
    set(test kumi_${folder}_test)
    add_executable(${test} ${ARG_SOURCES})
    if(TARGET kumi_${folder})
        target_link_libraries(${test} PRIVATE kumi_${folder})
    endif()
    target_link_libraries(
        ${test}
        PRIVATE
            kumi_options
            ${ARG_DEPENDS}
            ${ARG_LINKS}
            GTest::gtest_main
            ${RAPIDCHECK_LIBRARY}
    )
    gtest_discover_tests(
        ${test}
        TEST_PREFIX "${folder}/"
        DISCOVERY_MODE PRE_TEST
        # RapidCheck tells GoogleTest nothing of a property that does not hold.
        PROPERTIES
            TIMEOUT ${ARG_TIMEOUT}
            FAIL_REGULAR_EXPRESSION "Falsifiable after;Gave up after"
    )
endfunction()

# kumi_fuzz(<name> SOURCES x_fuzz.cpp [DEPENDS <folder> ...])
#
# The libFuzzer executable <name>, only in a build with KUMI_FUZZ; ctest runs it for a few seconds.
function(kumi_fuzz name)
    if(NOT KUMI_FUZZ)
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;DEPENDS;LINKS")
    list(TRANSFORM ARG_DEPENDS PREPEND kumi_)
    add_executable(${name} ${ARG_SOURCES})
    target_compile_options(${name} PRIVATE -fsanitize=fuzzer)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(
        ${name}
        PRIVATE kumi_options ${ARG_DEPENDS} ${ARG_LINKS}
    )
    add_test(NAME fuzz/${name} COMMAND ${name} -max_total_time=20 -seed=1)
    set_tests_properties(fuzz/${name} PROPERTIES TIMEOUT 60)
endfunction()
