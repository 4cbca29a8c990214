# SPDX-License-Identifier: BSD-2-Clause
"""Building with meson, as those do who have sdtkit in their project or package
it."""

import os
import pathlib
import subprocess
from collections import namedtuple

ALONE = ["-Dtests=disabled", "-Ddemo=disabled", "-Dtsmbd=disabled",
         "-Dtop=disabled", "-Doptimization=0"]


class Installed(namedtuple("Installed", "root prefix files")):
    """What was installed below root."""

    @property
    def usr(self):
        """The directory of the prefix."""
        return self.root / self.prefix.lstrip("/")


def files_below(root):
    return sorted("/" + str(path.relative_to(root))
                  for path in pathlib.Path(root).rglob("*")
                  if not path.is_dir())


def run(*command, **options):
    """Runs a command; where it fails, the test fails with all that it said."""
    done = subprocess.run([str(word) for word in command],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, **options)
    assert done.returncode == 0, done.stdout
    return done.stdout


def configure(source, out, *options, env=None):
    return run("meson", "setup", out, source, *options,
               env=dict(os.environ, **env or {}))


def install(out, root, *options):
    """Builds and installs below root; the files, as paths that begin with the
    prefix."""
    run("ninja", "-C", out)
    run("meson", "install", "-C", out, "--no-rebuild", "--destdir", root,
        *options)
    return files_below(root)


def steps(out):
    """What a build that starts anew would do, a line for each step."""
    return [line for line in run("ninja", "-C", out, "-n").splitlines()
            if line.startswith("[")]
