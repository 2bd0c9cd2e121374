cmake_policy(VERSION 3.22)

# The line of a test that has its labels, empty where there is none, and the labels. Ends the configuration where a test
# would run in another way, or in another tier, than its author thought.
function(read_labels source out_line out_labels)
    set(open "^(//|#|\"\"\")") # a comment, or what Python has at the head of a file
    file(STRINGS ${source} line REGEX "${open}.* labels: [a-z;]+( [(][0-9]+ s(, all [0-9]+ s)?[)])?(\"\"\")?$" LIMIT_COUNT 1)
    file(STRINGS ${source} written REGEX "(^|[^a-z_`])labels:( |$)" LIMIT_COUNT 1)
    if(written AND NOT line)
        message(FATAL_ERROR "${source}: '${written}' cannot be read: `labels: a;b (90 s)` stands whole at the end of a line")
    endif()
    string(REGEX REPLACE "^.*labels: | [(].*$|\"\"\"$" "" labels "${line}")
    string(REPLACE "\\;" ";" labels "${labels}") # file() gives them escaped
    foreach(label ${labels})
        if(NOT label MATCHES "^(slow|long|tiers|frame|device|oracle|alone)$")
            message(FATAL_ERROR "${source}: '${label}' is none of the labels that the head of tests/CMakeLists.txt explains")
        endif()
    endforeach()
    file(STRINGS ${source} split REGEX "SHEAF_TEST_ALL|SECOND_TIER|is_second_tier[(]" LIMIT_COUNT 1)
    if(split AND NOT "tiers" IN_LIST labels)
        message(FATAL_ERROR "${source}: it has a form for the second tier, which never runs without the label `tiers`")
    endif()
    set(${out_line} "${line}" PARENT_SCOPE)
    set(${out_labels} "${labels}" PARENT_SCOPE)
endfunction()
