# SPDX-License-Identifier: BSD-2-Clause
"""What --emit ebpf-exporter writes: the configuration has the form that
ebpf_exporter 2 reads, and the program counts what a program does, read as
ebpf_exporter reads it."""

import pathlib
import platform
import shutil
import subprocess
import sys

import pytest

from spans_program import JOBS, WORK
from programs import which

yaml = pytest.importorskip("yaml")
jsonschema = pytest.importorskip("jsonschema")

HERE = pathlib.Path(__file__).resolve().parent
MACHINES = {"x86_64": "x86", "aarch64": "arm64"}
PROVIDERS = ["ctdb", "smb2", "smbd", "smblock", "smbnet", "tevent", "vfs",
             "winbind"]

# config/config.go of ebpf_exporter 2.5, as far as it is used here
LABELS = {"type": "array", "minItems": 1, "items": {
    "type": "object", "additionalProperties": False,
    "required": ["name", "size", "decoders"],
    "properties": {
        "name": {"type": "string", "pattern": "^[a-zA-Z_][a-zA-Z0-9_]*$"},
        "size": {"type": "integer", "minimum": 1},
        "decoders": {"type": "array", "minItems": 1, "items": {
            "type": "object", "additionalProperties": False,
            "required": ["name"],
            "properties": {"name": {"enum": ["uint", "string", "static_map"]},
                           "allow_unknown": {"type": "boolean"},
                           "static_map": {"type": "object"}}}}}}}
TEXT = {"type": "string", "minLength": 1}
SCHEMA = {
    "type": "object", "additionalProperties": False, "required": ["metrics"],
    "properties": {"metrics": {
        "type": "object", "additionalProperties": False, "properties": {
            "counters": {"type": "array", "items": {
                "type": "object", "additionalProperties": False,
                "required": ["name", "help", "labels"],
                "properties": {"name": TEXT, "help": TEXT,
                               "labels": LABELS}}},
            "histograms": {"type": "array", "items": {
                "type": "object", "additionalProperties": False,
                "required": ["name", "help", "bucket_type", "bucket_min",
                             "bucket_max", "bucket_multiplier", "labels"],
                "properties": {
                    "name": TEXT, "help": TEXT,
                    "bucket_type": {"enum": ["exp2"]},
                    "bucket_min": {"type": "integer"},
                    "bucket_max": {"type": "integer"},
                    "bucket_multiplier": {"type": "number"},
                    "labels": LABELS}}}}}}}


def generate(source, form, path):
    return subprocess.run(
        [sys.executable, source / "probegen", "--emit", form, path, "-o", "-"],
        check=True, stdout=subprocess.PIPE, text=True).stdout


def configuration(source, path):
    text = generate(source, "ebpf-exporter", path)
    # keys of maps are numbers in YAML, and text in JSON
    config = yaml.load(text, Loader=yaml.BaseLoader)
    typed = yaml.safe_load(text)
    jsonschema.validate(typed, SCHEMA)
    return config["metrics"]


def compiled(source, path, file, unavailable):
    """Returns the object of the program for a file that has the probes."""
    if not which("clang") or platform.machine() not in MACHINES:
        unavailable("clang is not installed")
    program = path.with_suffix(".bpf.c")
    program.write_text(generate(source, "ebpf-exporter-bpf", path))
    triplet = subprocess.run(["gcc", "-print-multiarch"], check=True,
                             stdout=subprocess.PIPE, text=True).stdout.strip()
    subprocess.run(
        ["clang", "-target", "bpf", "-g", "-O2", "-Wall", "-Werror",
         "-D__TARGET_ARCH_" + MACHINES[platform.machine()], "-idirafter",
         "/usr/include/" + triplet, '-DSDTKIT_FILE="%s"' % file, "-c",
         program, "-o", program.with_suffix(".o")], check=True)
    return program.with_suffix(".o")


@pytest.mark.parametrize("provider", [
    "smb2", *[pytest.param(name, marks=pytest.mark.thorough)
              for name in PROVIDERS if name != "smb2"]])
def test_of_providers(source, tmp_path, provider, unavailable):
    path = tmp_path / (provider + ".d")
    shutil.copy(source / "providers" / provider / path.name, path)
    metrics = configuration(source, path)
    names = [metric["name"] for kind in metrics.values() for metric in kind]
    assert len(set(names)) == len(names) > 1
    text = compiled(source, path, "/bin/true", unavailable)
    assert text.exists()


def decoded(metric, key):
    """The labels of a key, as ebpf_exporter's decoders make them."""
    values, at = [], 0
    assert sum(int(label["size"]) for label in metric["labels"]) == len(key)
    for label in metric["labels"]:
        part = key[at:at + int(label["size"])]
        at += len(part)
        for decoder in label["decoders"]:
            if decoder["name"] == "uint":
                value = str(int.from_bytes(part, sys.byteorder))
            elif decoder["name"] == "string":
                value = part.split(b"\0")[0].decode()
            else:
                value = decoder["static_map"].get(value, value)
        values.append(value)
    return tuple(values)


def test_counts(source, tracer, unavailable, tmp_path):
    path = tmp_path / "jobs.d"
    path.write_text(JOBS)
    (tmp_path / "main.c").write_text(WORK)
    subprocess.run([sys.executable, source / "probegen", path, "-o",
                    tmp_path / "jobs.h"], check=True)
    subprocess.run(["gcc", "-O2", "-DSDTKIT_ARG_INLINE", "-I",
                    source / "include", tmp_path / "main.c", "-o",
                    tmp_path / "jobs"], check=True)
    built = subprocess.run(["gcc", HERE / "exporter.c", "-lbpf", "-o",
                            tmp_path / "exporter"], stderr=subprocess.PIPE,
                           text=True)
    if built.returncode:
        unavailable("libbpf is not installed: " + built.stderr)
    done = subprocess.run(
        [tmp_path / "exporter",
         compiled(source, path, tmp_path / "jobs", unavailable),
         tmp_path / "jobs"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, timeout=300)
    assert done.returncode == 0, done.stdout
    maps = {}
    for line in done.stdout.splitlines():
        name, key, value = line.split()
        maps.setdefault(name, {})[bytes.fromhex(key)] = int(value)
    metrics = {metric["name"]: metric
               for kind in configuration(source, path).values()
               for metric in kind}
    found = {name: {decoded(metric, key): value for key, value in maps.get(
        name, {}).items()} for name, metric in metrics.items()}
    assert found.pop("jobs_job_unpaired_total") == {
        ("lost",): 1, ("stray",): 1}
    assert found.pop("jobs_call_unpaired_total") == {("stray",): 1}
    assert found.pop("jobs_job_errors_total") == {("bob", "9"): 1}
    assert found.pop("jobs_job_n_total") == {("ann",): 5}
    jobs = found.pop("jobs_job_duration_seconds")
    calls = found.pop("jobs_call_duration_seconds")
    # the end tells the time: in the last slot is the sum
    assert found.pop("jobs_step_duration_seconds") == {
        ("3", "0"): 1, ("3", "4"): 1, ("3", "27"): 14,
        ("4", "20"): 1, ("4", "27"): 1000000}
    assert found.pop("jobs_told_duration_seconds") == {
        ("23",): 1, ("27",): 7000000}
    assert found.pop("jobs_told_unpaired_total") == {("stray",): 1}
    assert found.pop("jobs_step_unpaired_total") == {}
    assert not found
    last = metrics["jobs_job_duration_seconds"]["bucket_max"]
    sums = {name: value for (name, bucket), value in {**jobs, **calls}.items()
            if int(bucket) > int(last)}
    assert sums["bob"] >= 60000 and sums["1"] >= sums["2"] >= 20000
    counts = {}
    for (name, bucket), value in {**jobs, **calls}.items():
        if int(bucket) <= int(last):
            counts[name] = counts.get(name, 0) + value
    assert counts == {"ann": 1, "bob": 2, "1": 1, "2": 1}
