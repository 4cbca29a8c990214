# SPDX-License-Identifier: BSD-2-Clause
"""Programs whose notes are whatever a test wants: their owner may write
anything into them."""

import os
import struct
import subprocess

# Each byte that it reads makes it hit its probes once. The argument is the
# length of the name that the probe has; with 0, each hit has another name.
PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void __attribute__((noinline)) hit(long key, const char *name)
{
	__asm__ volatile(".globl work_start, work_end\n"
			 "work_start: nop\nwork_end: nop"
			 : : "D"(key), "S"(name) : "memory");
}

int main(int argc, char **argv)
{
	size_t length = argc > 1 ? (size_t)atoi(argv[1]) : 4;
	char *name = malloc(length + 32), byte;
	long key = 0;

	memset(name, 'n', length);
	name[length] = '\0';
	puts("ready");
	fflush(stdout);
	while (read(0, &byte, 1) == 1) {
		if (length == 0)
			sprintf(name, "name%ld", key);
		hit(++key, name);
	}
	return 0;
}
"""
STAPSDT = """
	.section .note.stapsdt,"","note"
	.balign 4
	.long 8, 2f - 1f, 3
	.asciz "stapsdt"
1:	.quad {at}, 0, {semaphore}
	.ascii "{strings}"
2:	.balign 4
"""
SDTKIT = """
	.section .note.GNU-stack,"",@progbits
	.section .note.sdtkit,"","note"
	.incbin "{notes}"
"""
PROBE, SPAN = 1, 5      # types of notes: docs/format.md


def strings(*texts):
    return b"".join(text if isinstance(text, bytes) else text.encode()
                    for text in texts for text in (text, b"\0"))


def note(kind, *texts):
    data = strings(*texts)
    return struct.pack("=III8s", 7, len(data), kind, b"sdtkit") + data + \
        bytes(-len(data) % 4)


def probe(name, provider="work"):
    """Describes a probe with a key and a name."""
    return note(PROBE, provider, name, "", "s8", "long", "key", "z", "char *",
                "name")


def span(name="work", provider="work", **properties):
    properties = dict(dict(start="start", end="end", key="key", name="name"),
                      **properties)
    return note(SPAN, provider, name, "", *[
        text for item in properties.items() for text in item])


def site(name, at, provider="work", semaphore=0, arguments="8@%rdi 8@%rsi"):
    return {"at": at, "semaphore": semaphore,
            "strings": "".join("\\%03o" % byte for byte in
                               strings(provider, name, arguments))}


SITES = [site("start", "work_start"), site("end", "work_end")]
NOTES = [probe("start"), probe("end"), span()]


EVIL = "w\x1b[2J\nsdtkit serve: all is well\"><script>"
LONG = "s" * 65536


def described(*more):
    return [probe("start"), probe("end"), *more]


# what is said of it; None: it is counted like any other
CASES = {
    "good": (None, SITES, NOTES),
    "offset": ("", [site("start", "work_start + 0x10000000"), SITES[1]],
               NOTES),
    "semaphore": ("cannot attach to its probes", [
        site("start", "work_start", semaphore="main"), SITES[1]], NOTES),
    "operands": ("the key cannot be read", [
        SITES[0], site("end", "work_end", arguments="garbage 8@%rsi")], NOTES),
    "names": (None, [site("start", "work_start", EVIL),
                     site("end", "work_end", EVIL)],
              [probe("start", EVIL), probe("end", EVIL), span(EVIL, EVIL)]),
    "long": ("the name of a span has more than 63 bytes", SITES,
             described(span(LONG))),
    "provider": ("the name of a span has more than 63 bytes", [
        site("start", "work_start", LONG), site("end", "work_end", LONG)],
        [probe("start", LONG), probe("end", LONG), span(provider=LONG)]),
    "property": (r"ignored: span work:work: error: work:end has no argument "
                 r"'w\x1b[2J\x0a", SITES, described(span(error=EVIL))),
    "spans": ("1000 spans: the limit is 64", SITES,
              described(*[span("s%d" % i) for i in range(1000)])),
    "sites": ("it has more than 8192 probe sites",
              [site("start", "work_start + %d" % i) for i in range(10000)],
              NOTES),
}


def make(path, sites=SITES, notes=NOTES):
    """Compiles a program with these notes; returns its path."""
    text = SDTKIT.format(notes=path.with_suffix(".notes"))
    path.with_suffix(".notes").write_bytes(b"".join(notes))
    for one in sites:
        text += STAPSDT.format(**one)
    path.with_suffix(".s").write_text(text)
    path.with_suffix(".c").write_text(PROGRAM)
    subprocess.run([os.environ.get("CC", "cc"), "-O1", "-o", path,
                    path.with_suffix(".c"), path.with_suffix(".s")],
                   check=True)
    return path
