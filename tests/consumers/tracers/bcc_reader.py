# SPDX-License-Identifier: BSD-2-Clause
"""A program of its own, python3 bcc_reader.py JOBS: starts the program that
the JSON file JOBS names, attaches to its probes through bcc, lets it run, and
prints `HITS` and JSON.

Probes with a semaphore need a process: bcc raises it in that one only.
"""

import ctypes
import json
import subprocess
import sys

import bcc      # pylint: disable=import-error  # of the system's Python

TEXT = 16       # bytes of a string


def structure(kinds):
    """The C struct that a hit is sent in."""
    rows = ["u64 n%d; char z%d[%d];" % (i, i, TEXT)
            for i in range(len(kinds))]
    return "{ u32 probe; %s }" % " ".join(rows)


def code(number, kinds, types):
    """The BPF function of a probe; the type of what an argument is read into
    must be that in the note."""
    body = ["struct hit%d hit = {.probe = %d};" % (number, number)]
    for i, kind in enumerate(kinds[:len(types)]):
        body.append("%s v%d = 0; bpf_usdt_readarg(%d, ctx, &v%d); "
                    "hit.n%d = v%d;" % (types[i], i, i + 1, i, i, i))
        if kind == "z":
            body.append("bpf_probe_read_user_str(hit.z%d, %d, "
                        "(void *)hit.n%d);" % (i, TEXT, i))
    return ("struct hit%d %s;\nBPF_PERF_OUTPUT(out%d);\n"
            "int fire%d(struct pt_regs *ctx)\n{\n%s\n"
            "out%d.perf_submit(ctx, &hit, sizeof(hit));\nreturn 0;\n}\n" % (
                number, structure(kinds), number, number, "\n".join(body),
                number))


def fields(kinds):
    """The same struct for ctypes."""
    rows = [("probe", ctypes.c_uint32)]
    for i in range(len(kinds)):
        rows += [("n%d" % i, ctypes.c_uint64),
                 ("z%d" % i, ctypes.c_char * TEXT)]
    return type("Hit", (ctypes.Structure,), {"_fields_": rows})


def argument(hit, i, kind, types):
    if i >= len(types):
        return None
    if kind == "z":
        return getattr(hit, "z%d" % i).decode()
    return getattr(hit, "n%d" % i)


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
    usdt.enable_probe(jobs["provider"] + ":" + probe, "fire")
    try:
        usdt.get_text()
        return True
    except AttributeError:      # where it generated nothing
        return False


def attach(jobs, pid, wanted):
    """Attaches to the probes in a list of (probe, kinds): (BPF, USDT, {probe:
    C types}). The semaphores fall when the USDT object dies."""
    usdt = bcc.USDT(path=jobs["path"], pid=pid)
    counts = {probe.name.decode(): probe.num_arguments
              for probe in usdt.enumerate_probes()
              if probe.provider.decode() == jobs["provider"]}
    text, types = "", {}
    for number, (probe, kinds) in enumerate(wanted):
        types[probe] = [usdt.get_probe_arg_ctype(probe, i)
                        for i in range(counts[probe])]
        usdt.enable_probe(jobs["provider"] + ":" + probe, "fire%d" % number)
        text += code(number, kinds, types[probe])
    return bcc.BPF(text=text, usdt_contexts=[usdt]), usdt, types


def trace(jobs, program):
    """{probe: hits} of the program, which waits for a line. A probe that bcc
    cannot attach to fails all: then those are left out."""
    program.stdout.readline()
    wanted = list(jobs["wanted"].items())
    try:
        bpf, usdt, types = attach(jobs, program.pid, wanted)
    except Exception:           # pylint: disable=broad-except  # bcc's choice
        wanted = [row for row in wanted if accepted(jobs, program.pid, row[0])]
        bpf, usdt, types = attach(jobs, program.pid, wanted)
    hits = {}

    def receive(number):
        probe, kinds = wanted[number]
        layout = fields(kinds)

        def event(_, data, __):
            hit = ctypes.cast(data, ctypes.POINTER(layout)).contents
            hits.setdefault(probe, []).append(
                [argument(hit, i, kind, types[probe])
                 for i, kind in enumerate(kinds)])
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
