# SPDX-License-Identifier: BSD-2-Clause
"""What the kernel's verifier has counted."""

import pathlib
import re


def verified(pid):
    """The counts of the programs that a process has loaded."""
    found = {}
    for path in pathlib.Path("/proc/%d/fdinfo" % pid).iterdir():
        try:
            text = path.read_text()
        except FileNotFoundError:       # it was closed in the meantime
            continue
        if "prog_jited" in text:    # not a link, which has an ID of one, too
            fields = dict(re.findall(r"^(\w+):\s+(\w+)$", text, re.M))
            found[fields["prog_id"]] = int(fields.get("verified_insns", -1))
    return sorted(found.values())
