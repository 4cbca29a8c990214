# SPDX-License-Identifier: BSD-2-Clause
"""What a request costs a server under `sdtkit serve`, beside `sdtkit top` and a
bpftrace script that counts the same: processor time of the server.

All take turns, in another order in each round, so that they see the same
machine; a ratio is the median of those of the rounds. The goal is that serve
costs at most 1.05 times what top does. Run as root, after `./dev build`:

    python3 tests/bench/serve.py [--rounds N] [LOAD]...
"""

import contextlib
import os
import pathlib
import statistics
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent),
                str(pathlib.Path(__file__).resolve().parents[1] / "serve")]

import top                                              # noqa: E402
from served import Service, user_of_service, wait_until     # noqa: E402

BESIDE = ["no tracer", "sdtkit top", "bpftrace"]


@contextlib.contextmanager
def serving(options, load, folder):
    """sdtkit serve as an operator has it, for this file only."""
    file, *spans = load.tracers()["sdtkit top"]
    config = folder / "serve.conf"
    config.write_text("only = load\nhistory = %s\n[load]\nfile = %s\n%s" % (
        folder / "history" / "history.db", file, "".join(
            "span = %s\n" % span for span in spans)))
    service = Service(options.build / "lib" / "tool" / "sdtkit", folder,
                      "--config=%s" % config)
    try:
        wait_until(lambda: service.samples("sdtkit_spans_in_progress",
                                           program="load"), "attached")
        yield
    finally:
        assert service.end() == 0, service.log.read_text()


@contextlib.contextmanager
def tracing(command, log):
    process = top.start(command, log)
    try:
        yield
    finally:
        top.stop(process)


def measure(options, load, folder, variants):
    """{variant: microseconds of each round}"""
    names = list(variants) + ["sdtkit serve"]
    measured = {name: [] for name in names}
    for number in range(options.rounds):
        at = number % len(names)
        for name in names[at:] + names[:at]:
            if name == "sdtkit serve":
                running = serving(options, load, folder)
            elif variants[name] is None:
                running = contextlib.nullcontext()
            else:
                running = tracing(variants[name], folder / "tracer")
            with running:
                requests, spent = load.run()
            measured[name].append(spent / requests / 1000)
    return measured


def table(load, measured):
    for name, values in measured.items():
        ratios = [[mine / other for mine, other in zip(values, measured[base])]
                  for base in BESIDE if base in measured]
        print("| %s, %s | %s | %.2f | %s |" % (
            load.name, load.unit, name, statistics.median(values), " | ".join(
                "%.3f" % statistics.median(one) for one in ratios)),
            flush=True)


def main():
    options = top.arguments()
    top.bench.head("server, for each", "by", "us of the processor",
                   "of no tracer", "of top", "of bpftrace")
    for kind in top.loads.Demo, top.loads.KeyValue:
        if options.loads and kind.name not in options.loads:
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            folder.chmod(0o755)
            (folder / "history").mkdir()
            os.chown(folder / "history", user_of_service().pw_uid,
                     user_of_service().pw_gid)
            load = kind(options, folder)
            variants = {"no tracer": None}
            variants.update(item for item in top.commands(
                options, load, folder).items() if item[0] in BESIDE)
            try:
                load.run()
                table(kind, measure(options, load, folder, variants))
            finally:
                load.stop()


if __name__ == "__main__":
    main()
