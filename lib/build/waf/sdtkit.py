# SPDX-License-Identifier: BSD-2-Clause
"""Probes in a build with waf 2.0, such as Samba's. In the wscript:

    def options(opt):
        opt.load('compiler_c')
        opt.load('sdtkit', tooldir=['sdtkit/lib/build/waf'])

    def configure(conf):
        conf.load('compiler_c')
        conf.load('sdtkit', tooldir=['sdtkit/lib/build/waf'])

    def build(bld):
        bld.program(source='server.c probes/server_probes.d', target='server')

`pkg-config --variable=waftool sdtkit` is the tooldir of an installed sdtkit.
A description NAME_probes.d among the sources makes NAME_probes.h before
anything is compiled, and the files of that target can include it. A target
without a description that includes such a header has use='SDTKIT'.

configure has --enable-probes=auto|yes|no. conf.env.SDTKIT_PROBEGEN is empty if
nothing makes headers, because sdtkit is missing and probes were not asked for.
"""

import os
import shlex

from waflib import TaskGen, Task

HERE = os.path.dirname(os.path.realpath(__file__))
# of a copy: this file is in sdtkit/lib/build/waf
COPY = os.path.normpath(os.path.join(HERE, "..", "..", ".."))


def options(opt):
    opt.add_option("--enable-probes", dest="probes", default="auto",
                   choices=["auto", "yes", "no"],
                   help="static probes for tracers (USDT): auto, yes or no "
                        "[default: auto, which is yes if sdtkit is there]")


def configure(conf):
    wanted = getattr(conf.options, "probes", "auto")
    if os.path.exists(os.path.join(COPY, "probegen", "cli.py")):
        _use_copy(conf)
    else:
        _use_installed(conf)
    if not conf.env.SDTKIT_PROBEGEN and wanted == "yes":
        conf.fatal("--enable-probes=yes: sdtkit or python3 is missing: "
                   "install them, or set PKG_CONFIG_PATH")
    if not conf.env.SDTKIT_PROBEGEN or wanted == "no":
        conf.env.append_unique("DEFINES_SDTKIT", "SDTKIT_DISABLE")


def _use_copy(conf):
    python = conf.find_program("python3", var="SDTKIT_PYTHON",
                               mandatory=False)
    conf.env.append_unique("INCLUDES_SDTKIT", os.path.join(COPY, "include"))
    conf.env.append_unique("DEFINES_SDTKIT", "SDTKIT_ARG_INLINE")
    if python:
        conf.env.SDTKIT_SOURCE = os.path.join(COPY, "probegen")
        conf.env.SDTKIT_PROBEGEN = list(python) + ["-B",
                                                   conf.env.SDTKIT_SOURCE]


def _use_installed(conf):
    if not conf.check_cfg(package="sdtkit", args="--cflags",
                          uselib_store="SDTKIT", mandatory=False):
        return
    # there may be no library for the machine that is compiled for
    if not conf.check_cfg(package="sdtkit-arg", args="--cflags --libs",
                          uselib_store="SDTKIT", mandatory=False):
        conf.env.append_unique("DEFINES_SDTKIT", "SDTKIT_ARG_INLINE")
    # pkg-config writes a backslash before a blank
    command = " ".join(shlex.split(conf.cmd_and_log(
        conf.env.PKGCONFIG + ["--variable=probegen", "sdtkit"])))
    if os.access(command, os.X_OK):
        conf.env.SDTKIT_PROBEGEN = [command]
        conf.env.SDTKIT_SOURCE = os.path.normpath(os.path.join(
            os.path.realpath(command), "..", "..", "share", "sdtkit",
            "probegen"))


class probegen(Task.Task):
    """Makes a header from a description."""

    color = "BLUE"
    before = ["c", "cxx"]
    ext_out = [".h"]
    vars = ["SDTKIT_PROBEGEN", "SDTKIT_FLAGS"]
    # dependencies and objects of waf are never beside the description
    run_str = ("${SDTKIT_PROBEGEN} -Wno-dependency-file ${SDTKIT_FLAGS} "
               "${SRC[0].abspath()} -o ${TGT[0].abspath()}")


@TaskGen.extension("_probes.d")
def make_header(self, node):
    """A description among the sources of a target."""
    if not self.env.SDTKIT_PROBEGEN:
        self.bld.fatal("%s: sdtkit is missing: install it, and run configure "
                       "again" % node.name)
    header = node.change_ext("_probes.h", "_probes.d")
    tasks = self.bld.__dict__.setdefault("sdtkit_headers", {})
    # several targets may have it: one task makes it
    if header not in tasks:
        tasks[header] = self.create_task("probegen", node, header)
        tasks[header].dep_nodes = _generator(self.bld, self.env.SDTKIT_SOURCE)
    self.includes = self.to_list(getattr(self, "includes", [])) + [
        header.parent]
    self.use = self.to_list(getattr(self, "use", [])) + ["SDTKIT"]


def _generator(bld, folder):
    """Returns the files of probegen, whose contents waf compares."""
    found = []
    for path, _, names in os.walk(folder):
        found += [os.path.join(path, name) for name in names
                  if name.endswith(".py")]
    return [node for node in map(bld.root.find_node, sorted(found)) if node]
