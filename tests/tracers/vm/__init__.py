# SPDX-License-Identifier: BSD-2-Clause
"""The tracers that Debian 12 does not have ready: what they need comes
from Debian's archive into a directory of its own, and nothing of the host is
changed.

    debian.py       gets kernels for guests, and DTrace, once
    guest.py, init  a machine with that kernel, which runs scripts
    systemtap.py    a SystemTap script as a module of that kernel, in the guest
    lttng.py        LTTng's modules for that kernel, and a session in the guest
    dtrace          starts DTrace on the kernel of the host
"""

import pathlib

HERE = pathlib.Path(__file__).resolve().parent
