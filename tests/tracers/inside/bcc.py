# SPDX-License-Identifier: BSD-2-Clause
"""A program of its own, python3 inside/bcc.py JOBS: starts the program that
the JSON file JOBS names, attaches to its probes through bcc, lets it run, and
prints `HITS` and JSON.

    {"wanted": {"store2:text": [[0, true, null], ...]}, "path": "main", ...}

Probes with a semaphore need a process: bcc raises it in that one only.
"""

import ctypes
import json
import os
import subprocess
import sys

import bcc      # pylint: disable=import-error  # of the system's Python

TEXT = 32       # bytes of a string

# The BPF function of a probe, and of an expression within it.
FUNCTION = """
struct hit%(number)d { %(fields)s };
BPF_PERF_OUTPUT(out%(number)d);
int fire%(number)d(struct pt_regs *ctx)
{
	struct hit%(number)d hit = {};
%(body)s
	out%(number)d.perf_submit(ctx, &hit, sizeof(hit));
	return 0;
}
"""
ARGUMENT = """	{
		%(type)s value = 0;
		bpf_usdt_readarg(%(place)d, ctx, &value);
		hit.n%(k)d = value;
	}
"""
MEMBER = """	{
		%(type)s value = 0;
		bpf_probe_read_user(&value, sizeof(value),
				    (void *)(hit.n%(k)d + %(offset)d));
		hit.n%(k)d = value;
	}
"""
STRING = "\tbpf_probe_read_user_str(hit.z%d, %d, (void *)hit.n%d);\n"


def code(number, expressions, types):
    """The type of what an argument is read into must be that in the note."""
    fields, body = ["u32 probe;"], ["\thit.probe = %d;\n" % number]
    for k, (index, string, member) in enumerate(expressions):
        fields.append("u64 n%d; char z%d[%d];" % (k, k, TEXT if string else 1))
        if index >= len(types):
            continue
        body.append(ARGUMENT % {"k": k, "type": types[index],
                                "place": index + 1})
        if member:
            _, _, offset, size, signed = member
            body.append(MEMBER % {"k": k, "offset": offset, "type": "%s%d" % (
                "s" if signed else "u", 8 * size)})
        if string:
            body.append(STRING % (k, TEXT, k))
    return FUNCTION % {"number": number, "fields": " ".join(fields),
                       "body": "".join(body)}


def layout(expressions):
    """The same struct for ctypes."""
    rows = [("probe", ctypes.c_uint32)]
    for k, (_, string, _) in enumerate(expressions):
        rows += [("n%d" % k, ctypes.c_uint64),
                 ("z%d" % k, ctypes.c_char * (TEXT if string else 1))]
    return type("Hit", (ctypes.Structure,), {"_fields_": rows})


def value(hit, k, expression, types):
    index, string, _ = expression
    if index >= len(types):
        return None
    return (getattr(hit, "z%d" % k).decode() if string
            else getattr(hit, "n%d" % k))


def main():
    with open(sys.argv[1]) as file:
        jobs = json.load(file)
    program = subprocess.Popen(jobs["command"] + ["wait"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        print("HITS " + json.dumps(trace(jobs, program)))
    finally:
        program.kill()
        program.wait()


def accepted(jobs, pid, probe):
    """Whether bcc can attach to a probe."""
    usdt = bcc.USDT(path=jobs["path"], pid=pid)
    usdt.enable_probe(probe, "fire")
    try:
        usdt.get_text()
        return True
    except AttributeError:      # where it generated nothing
        return False


def attach(jobs, pid, wanted):
    """Attaches to the probes in a list of (probe, expressions): (BPF, USDT,
    {probe: C types}). The semaphores fall when the USDT object dies."""
    usdt = bcc.USDT(path=jobs["path"], pid=pid)
    counts = {b":".join((probe.provider, probe.name)).decode():
              probe.num_arguments for probe in usdt.enumerate_probes()}
    text, types = "", {}
    for number, (probe, expressions) in enumerate(wanted):
        name = probe.split(":")[1]
        types[probe] = [usdt.get_probe_arg_ctype(name, i)
                        for i in range(counts[probe])]
        usdt.enable_probe(probe, "fire%d" % number)
        text += code(number, expressions, types[probe])
    return bcc.BPF(text=text, usdt_contexts=[usdt]), usdt, types


def trace(jobs, program):
    """{probe: hits} of the program, which waits for a line. A probe that bcc
    cannot attach to fails all, and is left out. The program stays on one
    processor: each has a buffer, and bcc reads one after the other."""
    program.stdout.readline()
    os.sched_setaffinity(program.pid, [min(os.sched_getaffinity(0))])
    wanted = list(jobs["wanted"].items())
    try:
        bpf, usdt, types = attach(jobs, program.pid, wanted)
    except Exception:           # pylint: disable=broad-except  # bcc's choice
        wanted = [row for row in wanted if accepted(jobs, program.pid, row[0])]
        bpf, usdt, types = attach(jobs, program.pid, wanted)
    hits = {}

    def receive(number):
        probe, expressions = wanted[number]
        fields = layout(expressions)

        def event(_, data, __):
            hit = ctypes.cast(data, ctypes.POINTER(fields)).contents
            hits.setdefault(probe, []).append(
                [value(hit, k, one, types[probe])
                 for k, one in enumerate(expressions)])
        return event

    for number in range(len(wanted)):
        bpf["out%d" % number].open_perf_buffer(receive(number), page_cnt=16)
    program.stdin.write(b"\n")
    program.stdin.close()
    program.wait()
    bpf.perf_buffer_poll(100)
    del usdt
    return hits


main()
