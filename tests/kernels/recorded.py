# SPDX-License-Identifier: BSD-2-Clause
"""The files of results/: one for each kernel, with what came of each feature
when it was last run.

    {"machine": "aarch64", "release": "6.1.0-50-arm64", "suite": "bookworm",
     "run": "2026-11-25", "tools": {"gdb": "13.1"},
     "features": {"taps": {"result": "works", "detail": ""}}, ...}
"""

import json
import pathlib
import time

from tracers.vm import debian

RESULTS = pathlib.Path(__file__).resolve().parent / "results"


def of_kernel(machine, suite, folder):
    """(file, what it says): of a kernel in a folder of the cache. What was
    never run has no features yet."""
    about = debian.about(folder)
    path = RESULTS / ("%s-%s.json" % (machine, about["release"]))
    if path.exists():
        return path, json.loads(path.read_text())
    return path, {"machine": machine, **about, "suite": suite, "run": "",
                  "tools": {}, "features": {}}


def row(feature, part):
    """The name of a feature, or of a part of it."""
    return "%s by %s" % (feature, part) if part else feature


def record(path, results, feature, outcomes, tools):
    """Writes what came of a feature, and with which tracers."""
    results["run"] = time.strftime("%Y-%m-%d")
    results["tools"].update(tools)
    for part, outcome in outcomes.items():
        results["features"][row(feature, part)] = {
            "result": outcome.result, "detail": outcome.detail}
    path.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
