# SPDX-License-Identifier: BSD-2-Clause
"""An installation of what the build directory has, for tests that use one:
nothing is configured or compiled again.

    prefix = install(build, folder)                 # folder/usr
    environment(prefix)                             # to find it
"""

import contextlib
import fcntl
import os
import pathlib
import subprocess


@contextlib.contextmanager
def only_one(build):
    """Rooms run side by side, and meson installs once at a time."""
    with open(build / "installed.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def install(build, folder, libdir=None):
    """Installs below `folder`/usr and returns that prefix. libdir: what the
    directory of the libraries is called there, if that is not the build's
    choice."""
    root, prefix = folder / "destdir", folder / "usr"
    with only_one(build):
        done = subprocess.run(
            ["meson", "install", "-C", build, "--no-rebuild", "--destdir",
             root], text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    found = next(root.rglob("bin/probegen")).parents[1]
    libraries = str(next(found.rglob("libsdtkit.a")).parent.relative_to(found))
    before = "/" + str(found.relative_to(root))
    found.rename(prefix)
    if libdir:
        (prefix / libraries).rename(folder / "libraries")
        above = (prefix / libraries).parent
        for other in {above, prefix / libdir} - {prefix}:
            if other.exists():
                for path in other.iterdir():    # systemd's unit, in lib/
                    path.rename(folder / "libraries" / path.name)
                other.rmdir()
        (folder / "libraries").rename(prefix / libdir)
    for path in prefix.rglob("*.pc"):
        text = path.read_text().replace("=" + before, "=%s" % prefix)
        path.write_text(text.replace("/" + libraries, "/" + (
            libdir or libraries)))
    # where sdtkit trace looks, from its own directory, before the place that it
    # was built for
    (prefix / "trace").symlink_to(
        next(prefix.rglob("libsdtkit-trace.so")).parent)
    return prefix


def environment(prefix, **more):
    """os.environ, and where the programs and the libraries are."""
    folders = sorted(str(path) for path in pathlib.Path(prefix).rglob(
        "pkgconfig"))
    return dict(os.environ, PATH="%s/bin:%s" % (prefix, os.environ["PATH"]),
                PKG_CONFIG_PATH=":".join(folders), **more)
