# SPDX-License-Identifier: BSD-2-Clause
# sdtkitConfig.cmake - probes in a build with CMake 3.15 or later:
#
#   find_package(sdtkit REQUIRED)
#   add_executable(server server.c)
#   sdtkit_add_provider(server probes/server_probes.d)
#
# For a copy of sdtkit in the tree, which is used if none is installed:
#
#   find_package(sdtkit REQUIRED
#     PATHS ${CMAKE_CURRENT_SOURCE_DIR}/sdtkit/lib/build/cmake)
#
# sdtkit_add_provider(TARGET DESCRIPTION [HEADER NAME] [OPTIONS OPTION...])
#   Makes a header before TARGET is compiled, and lets TARGET include it. It is
#   called NAME, or server_probes.h if the description is server_probes.d or
#   server.d. OPTIONS are for probegen. Several targets may have one description.
#
# Targets: sdtkit::sdtkit has the headers; sdtkit::arg has the functions of
# marshalled arguments, too. If they are installed, also sdtkit::tap,
# sdtkit::notes and sdtkit::recorder.
#
# Cache variables: SDTKIT_PROBES (OFF: compile no probe), SDTKIT_PROBEGEN (the
# command), SDTKIT_ARG_LIBRARY (libsdtkit.a; without it, the functions are
# compiled into the program, as they are in cross builds, and in objects of an
# OBJECT library).

cmake_policy(PUSH)
cmake_policy(VERSION 3.15)

option(SDTKIT_PROBES "Static probes for tracers (USDT)" ON)

if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/sdtkitPaths.cmake")
  include("${CMAKE_CURRENT_LIST_DIR}/sdtkitPaths.cmake")
  find_program(SDTKIT_PROBEGEN probegen HINTS "${_sdtkit_bindir}")
  if(SDTKIT_PROBEGEN)
    # the files that make headers are beside it, wherever the two are
    get_filename_component(_sdtkit_source "${SDTKIT_PROBEGEN}" REALPATH)
    get_filename_component(_sdtkit_source
      "${_sdtkit_source}/../../share/sdtkit/probegen" ABSOLUTE)
  endif()
  if(NOT CMAKE_CROSSCOMPILING)
    find_library(SDTKIT_ARG_LIBRARY sdtkit HINTS ${_sdtkit_libdir})
  endif()
else()
  get_filename_component(_sdtkit_copy "${CMAKE_CURRENT_LIST_DIR}/../../.."
    ABSOLUTE)
  set(_sdtkit_includedir "${_sdtkit_copy}/include")
  set(_sdtkit_source "${_sdtkit_copy}/probegen")
  if(NOT SDTKIT_PROBEGEN)
    find_package(Python3 QUIET COMPONENTS Interpreter)
    if(Python3_Interpreter_FOUND)
      set(SDTKIT_PROBEGEN "${Python3_EXECUTABLE}" -B "${_sdtkit_source}")
    endif()
  endif()
endif()
# A package manager gives a new file the time of its release, which may be
# before that of a header here, and the directory the time when it put it there.
file(GLOB _sdtkit_files LIST_DIRECTORIES true "${_sdtkit_source}"
  "${_sdtkit_source}/*" "${_sdtkit_source}/*/*.py")
list(FILTER _sdtkit_files EXCLUDE REGEX "__pycache__")
set(SDTKIT_PROBEGEN_FILES "${_sdtkit_files}" CACHE INTERNAL "")
set(SDTKIT_PROBEGEN_COMMAND "${SDTKIT_PROBEGEN}" CACHE INTERNAL "")

if(NOT TARGET sdtkit::sdtkit)
  add_library(sdtkit::sdtkit INTERFACE IMPORTED GLOBAL)
  set_target_properties(sdtkit::sdtkit PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${_sdtkit_includedir}")
  add_library(sdtkit::arg INTERFACE IMPORTED GLOBAL)
  if(SDTKIT_ARG_LIBRARY)
    set_target_properties(sdtkit::arg PROPERTIES
      INTERFACE_LINK_LIBRARIES "sdtkit::sdtkit;${SDTKIT_ARG_LIBRARY}")
  else()
    set_target_properties(sdtkit::arg PROPERTIES
      INTERFACE_LINK_LIBRARIES sdtkit::sdtkit
      INTERFACE_COMPILE_DEFINITIONS SDTKIT_ARG_INLINE)
  endif()
endif()

# Libraries that tests and tools use, as far as they are installed.
foreach(_sdtkit_name tap notes recorder)
  if(_sdtkit_libdir AND NOT CMAKE_CROSSCOMPILING)
    string(TOUPPER "SDTKIT_${_sdtkit_name}_LIBRARY" _sdtkit_variable)
    find_library(${_sdtkit_variable} sdtkit-${_sdtkit_name}
      HINTS ${_sdtkit_libdir})
    mark_as_advanced(${_sdtkit_variable})
    if(${_sdtkit_variable} AND NOT TARGET sdtkit::${_sdtkit_name})
      add_library(sdtkit::${_sdtkit_name} INTERFACE IMPORTED GLOBAL)
      set_target_properties(sdtkit::${_sdtkit_name} PROPERTIES
        INTERFACE_LINK_LIBRARIES
          "sdtkit::sdtkit;${${_sdtkit_variable}};-pthread")
    endif()
  endif()
endforeach()
mark_as_advanced(SDTKIT_PROBEGEN SDTKIT_ARG_LIBRARY)

function(sdtkit_add_provider target description)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "HEADER" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "sdtkit_add_provider: unknown arguments "
      "'${arg_UNPARSED_ARGUMENTS}': use HEADER or OPTIONS")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "sdtkit_add_provider: '${target}' is not a target: "
      "call add_executable or add_library before")
  endif()
  if(NOT SDTKIT_PROBEGEN_COMMAND)
    message(FATAL_ERROR "sdtkit_add_provider: probegen or python3 is missing: "
      "install sdtkit, or commit a header of 'probegen --emit standalone'")
  endif()
  get_filename_component(source "${description}" ABSOLUTE)
  get_filename_component(name "${description}" NAME_WE)
  string(REGEX REPLACE "_probes$" "" name "${name}")
  if(NOT arg_HEADER)
    set(arg_HEADER "${name}_probes.h")
  endif()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/sdtkit")
  set(header "${folder}/${arg_HEADER}")
  string(MD5 key "${header}")
  string(SUBSTRING "${key}" 0 8 key)

  # One target for each header: of the rules of two targets, make would run
  # both at once.
  if(NOT TARGET ${name}-probes-${key})
    get_filename_component(inner "${header}" DIRECTORY)
    file(MAKE_DIRECTORY "${inner}")
    set(always "")
    if(CMAKE_GENERATOR MATCHES "Makefiles")
      set(always --always)      # make looks at nothing but the time
    endif()
    # objects, and what they depend on, are never beside the description
    add_custom_command(OUTPUT "${header}"
      COMMAND ${SDTKIT_PROBEGEN_COMMAND} -Wno-dependency-file ${always}
        ${arg_OPTIONS} "${source}" -o "${header}"
      DEPENDS "${source}" ${SDTKIT_PROBEGEN_FILES}
      COMMENT "Making ${arg_HEADER}" VERBATIM)
    add_custom_target(${name}-probes-${key} DEPENDS "${header}")
  endif()
  add_dependencies(${target} ${name}-probes-${key})

  get_target_property(type ${target} TYPE)
  set(scope PRIVATE)
  if(type STREQUAL INTERFACE_LIBRARY)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} "${folder}")
  if(NOT SDTKIT_PROBES)
    target_compile_definitions(${target} ${scope} SDTKIT_DISABLE)
  endif()
  set(library sdtkit::arg)
  if(type STREQUAL OBJECT_LIBRARY)
    # $<TARGET_OBJECTS:> takes the objects without what they are linked with
    set(library sdtkit::sdtkit)
    target_compile_definitions(${target} PRIVATE SDTKIT_ARG_INLINE)
  endif()
  # as properties: the target's own target_link_libraries may have no keyword
  if(NOT scope STREQUAL INTERFACE)
    set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES ${library})
  endif()
  if(scope STREQUAL INTERFACE)
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES
      sdtkit::arg)
  elseif(SDTKIT_ARG_LIBRARY AND type MATCHES "STATIC")
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES
      "$<LINK_ONLY:sdtkit::arg>")
  endif()
endfunction()

cmake_policy(POP)
