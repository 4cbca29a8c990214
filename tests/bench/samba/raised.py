# SPDX-License-Identifier: BSD-2-Clause
"""An arm that raises the semaphores of probes and attaches nothing.

smbd then does at each hit what a site does for a tracer: it takes its arguments
together, and passes two nops where there would be a trap. The semaphores are
those of the server; the processes that it forks have copies of them.
"""

import re
import subprocess

# name of an arm -> its probes that each file needs
RAISED = {
    "tsmbd sites": ["request_notes"],
    "tsmbd full sites": ["request_notes"],
}
PROVIDERS = "smb2", "smbnet"
NOTE = re.compile(r"Provider: (\w+)\s+Name: (\w+)\s+"
                  r"Location: \w+, Base: \w+, Semaphore: 0x(\w+)")


def loaded_at(pid, library):
    """The address at which a process has mapped a file from its begin on."""
    with open("/proc/%d/maps" % pid) as file:
        return min(int(line.split("-")[0], 16) for line in file
                   if line.rstrip().endswith(library))


def semaphores(pid, file, is_wanted):
    """The addresses, in a process, of the semaphores in a file that it has
    mapped: those of is_wanted(provider, probe)."""
    said = subprocess.run(
        ["readelf", "-nW", file], check=True, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, universal_newlines=True).stdout
    begin = loaded_at(pid, str(file))
    return {begin + int(semaphore, 16)
            for provider, name, semaphore in NOTE.findall(said)
            if is_wanted(provider, name)}


def add(pid, addresses, number):
    """Adds to the semaphores."""
    with open("/proc/%d/mem" % pid, "rb+", buffering=0) as memory:
        for address in addresses:
            memory.seek(address)
            old = int.from_bytes(memory.read(2), "little")
            memory.seek(address)
            memory.write((old + number).to_bytes(2, "little"))


def raise_all(pid, file):
    """Raises all semaphores of a position-independent program."""
    found = semaphores(pid, file, lambda provider, name: True)
    assert found
    add(pid, found, 1)


class Raised:
    def __init__(self, arm, server, library):
        self.pid = server.pid
        self.semaphores = semaphores(
            self.pid, library, lambda provider, name:
            provider in PROVIDERS and name in RAISED[arm])
        assert len(self.semaphores) == len(RAISED[arm])
        add(self.pid, self.semaphores, 1)

    def stop(self, _):
        add(self.pid, self.semaphores, -1)
