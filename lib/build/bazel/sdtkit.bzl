# SPDX-License-Identifier: BSD-2-Clause
"""Probes in a build with Bazel. In the BUILD file of a program:

    load("@sdtkit//:lib/build/bazel/sdtkit.bzl", "sdtkit_provider")

    sdtkit_provider(
        name = "server_probes",
        src = "probes/server_probes.d",
    )

    cc_binary(
        name = "server",
        srcs = ["server.c"],
        deps = [":server_probes"],
    )

Of an installed sdtkit, the file is @sdtkit//:share/sdtkit/bazel/sdtkit.bzl.
"""

load("@rules_cc//cc:defs.bzl", "cc_library")

def sdtkit_provider(name, src, options = "", **kwargs):
    """A library with the header server_probes.h.

    Args:
      name: of the library
      src: the description, probes/server_probes.d or probes/server.d
      options: more options of probegen
      **kwargs: passed to cc_library
    """
    stem = src[:-len(".d")]
    if not stem.endswith("_probes"):
        stem += "_probes"
    header = stem + ".h"
    native.genrule(
        name = name + "_header",
        srcs = [src],
        outs = [header],
        cmd = "python3 -B '$(execpath @sdtkit//:probegen)' " +
              "-Wno-dependency-file " + options + " '$(SRCS)' -o '$@'",
        message = "Making " + header,
        tools = [
            "@sdtkit//:probegen",
            "@sdtkit//:probegen_files",
        ],
    )
    cc_library(
        name = name,
        hdrs = [header],
        includes = [header.rpartition("/")[0] or "."],
        deps = ["@sdtkit//:sdtkit"],
        **kwargs
    )
