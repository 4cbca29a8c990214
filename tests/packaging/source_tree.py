# SPDX-License-Identifier: BSD-2-Clause
"""A copy of this tree, as a packager has it: nothing that was built."""

import os
import shutil
import subprocess

from programs import which


def run(*command, **options):
    """Runs a command; where it fails, the test fails with all that it said."""
    done = subprocess.run([str(word) for word in command],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, **options)
    assert done.returncode == 0, done.stdout
    return done.stdout


def names(source):
    """The files of the checkout; without git, all that look like them."""
    if (source / ".git").exists() and which("git"):
        said = subprocess.run(
            ["git", "-c", "safe.directory=*", "ls-files", "-z", "-co",
             "--exclude-standard"], cwd=source, check=True,
            stdout=subprocess.PIPE).stdout
        found = [os.fsdecode(name) for name in said.split(b"\0")[:-1]]
    else:
        found = [path.relative_to(source).as_posix()
                 for path in source.rglob("*") if not path.is_dir()]
    return sorted(name for name in found if os.path.lexists(source / name)
                  and not name.startswith(("build", "debian/"))
                  and "__pycache__" not in name)


def copy(source, to, backwards=False):
    """Copies the files in the order of their names, or the other way round,
    which some file systems remember."""
    for name in sorted(names(source), reverse=backwards):
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source / name, to / name, follow_symlinks=False)
        if not (to / name).is_symlink():
            (to / name).chmod((to / name).stat().st_mode | 0o600)
    return to
