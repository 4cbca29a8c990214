# SPDX-License-Identifier: BSD-2-Clause
"""LTTng's kernel tracer in the guest. It is a set of modules that Debian has
as source (package lttng-modules-dkms); they are built on the host, for the
guest's kernel, once. Its daemon finds them with libkmod, below /lib/modules.

    answers, events = record([("idle", "./main", "store2:idle")], "./main",
                             folder)

The modules that know events of the kernel's own are left out: probes of
programs do not need them, and one does not build for Debian's 6.1 of today,
as that kernel has got a newer kernel's hrtimer_start.
"""

import functools
import itertools
import os
import re
import shutil

from tracers import root_lacks, run
from . import debian, guest
from programs import once

SOURCE = "lttng-modules-dkms"
PROBES = "obj-m += lttng-kprobes.o lttng-kretprobes.o lttng-uprobes.o\n"
_NUMBERS = itertools.count()

# The first script starts the daemon.
SCRIPT = """
set -e
[ -e /proc/lttng ] || {{
	mkdir -p /run /var/run /dev/shm
	mount --bind {folder}/modules /usr/lib/modules
	lttng-sessiond --background
}}
cd {folder}
lttng create {session} -o /{session}
enable() {{	# NAME FILE PROBE
	echo "<$1>"
	lttng enable-event --kernel --userspace-probe=sdt:$2:$3 $1 || :
}}
{enable}
echo "<>"
lttng start || :
{command}
lttng destroy {session}
[ ! -e /{session} ] || cp -r /{session} {folder}/{session}
"""


@once
def lacks():
    missing = root_lacks("lttng", "lttng-sessiond", "babeltrace2", "depmod",
                         "make")
    if missing or guest.lacks():
        return missing or guest.lacks()
    try:
        modules()
    except debian.Lacking as reason:
        return str(reason)
    return None


@functools.lru_cache(maxsize=None)
def version():
    return run(["lttng", "--version"])[1].split()[4]


def record(probes, command, folder):
    """What a session has of a run of the command: what LTTng answered to each
    of the probes, (name of the event, file, probe); and the events, as text.
    """
    session = "sdtkit%d-%d" % (os.getpid(), next(_NUMBERS))
    if not (folder / "modules").exists():
        shutil.copytree(modules() / "lib/modules", folder / "modules")
    status, said = guest.run(SCRIPT.format(
        folder=folder, session=session, command=command, enable="\n".join(
            "enable %s %s %s" % probe for probe in probes)), folder)
    assert status == 0, said
    answers = dict(re.findall(r"^<(.+)>\n([^<]*)", said, re.M))
    if not (folder / session).exists():
        return answers, ""
    status, events = run(["babeltrace2", folder / session])
    assert status == 0, events
    return answers, events


def modules():
    """Directory with lib/modules/RELEASE, as depmod leaves it."""
    release = debian.headers()
    with debian.made("lttng-" + release) as (path, folder):
        if folder:
            _build(release, folder)
    return path


def _build(release, folder):
    source = folder / "source"
    package = debian.download(SOURCE, folder)
    debian.unpack(package, folder)
    package.unlink()
    next((folder / "usr/src").glob("lttng-modules-*")).rename(source)
    kbuild = source / "src/Kbuild"
    kbuild.write_text(re.sub(r".* tests/\n", "", kbuild.read_text()))
    kbuild = source / "src/probes/Kbuild"
    kbuild.write_text(kbuild.read_text().split("obj-")[0] + PROBES)
    debian.said(["make", "-C", debian.MODULES / release / "build",
                 "M=%s" % source, "CONFIG_LTTNG=m", "KCFLAGS=-g0", "-j2",
                 "modules"])
    made = folder / "lib/modules" / release
    (made / "extra").mkdir(parents=True)
    for module in source.rglob("*.ko"):
        module.rename(made / "extra" / module.name)
    debian.said(["strip", "-g", *(made / "extra").iterdir()])
    # libkmod gives up where an index is empty, which these lists would be
    for name in "order", "builtin", "builtin.modinfo":
        (made / ("modules." + name)).touch()
    debian.said(["depmod", "-b", folder, release])
    for rest in source, folder / "usr":
        shutil.rmtree(rest)
