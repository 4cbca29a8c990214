# SPDX-License-Identifier: BSD-2-Clause
"""What the tests of examples/samba share: its modules, a small tree that is no
Samba, and apply.py run on it."""

import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
SAMBA = SOURCE / "examples" / "samba"
sys.path.insert(0, str(SAMBA))

# Two functions that look alike, a macro, and braces that #if leaves unmatched.
CODE = """\
#include <stdio.h>
#include "queue.h"

#ifdef LINUX
#include <linux.h>
#endif

static int queue_push(struct queue *q,
\t\t      int item)
{
\tif (item < 0) {
\t\treturn -1;	/* no such item */
\t}
#ifdef DEBUG
\tif (q->debug) {
#else
\tif (q->full) {
#endif
\t\treturn -1;
\t}
\tq->length++;
\tq->items[q->length] = item;
\treturn 0;
}

int queue_pop(struct queue *q)
{
\tq->length--;
\treturn q->items[q->length + 1];
}
"""

TABLE = """\
file queue.c
include probes.h

in queue_push
before q->length++;
\tQUEUE_PUSH(item);

in queue_pop
after q->length--;
\tQUEUE_POP(q->length);
"""


def tree(top, code=CODE):
    (top / "queue.c").write_text(code)
    return top


def apply(top, *options, table=TABLE):
    """apply.py on the tree with a table of its own."""
    file = top.parent / "table.txt"
    file.write_text(table)
    return subprocess.run(
        [sys.executable, str(SAMBA / "apply.py"), "--table", str(file),
         str(top)] + list(options), universal_newlines=True,
        capture_output=True)
