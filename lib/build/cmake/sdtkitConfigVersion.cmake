# SPDX-License-Identifier: BSD-2-Clause
# The version of sdtkit, which stands in sdtkit/probe.h only.
if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/sdtkitPaths.cmake")
  include("${CMAKE_CURRENT_LIST_DIR}/sdtkitPaths.cmake")
else()
  set(_sdtkit_includedir "${CMAKE_CURRENT_LIST_DIR}/../../../include")
endif()
file(STRINGS "${_sdtkit_includedir}/sdtkit/probe.h" PACKAGE_VERSION
  REGEX "^#define SDTKIT_VERSION ")
string(REGEX REPLACE ".*\"(.*)\"" "\\1" PACKAGE_VERSION "${PACKAGE_VERSION}")

# Another major version may break what is stable, see docs/versions.md.
string(REGEX MATCH "^[0-9]+" _sdtkit_major "${PACKAGE_VERSION}")
if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION OR
    (PACKAGE_FIND_VERSION_COUNT GREATER 0 AND
     NOT PACKAGE_FIND_VERSION_MAJOR EQUAL _sdtkit_major))
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
