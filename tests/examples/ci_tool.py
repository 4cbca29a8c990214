# SPDX-License-Identifier: BSD-2-Clause
"""The shell blocks of the workflows in examples/ci, by what they do, and a
project that they are run in: examples/hello, with a release."""

import os
import shutil
import subprocess

FILES = {"github": "github.yml", "gitlab": "gitlab-ci.yml"}
# what each block has in it, in the order of the file
KINDS = [("packages", "apt-get"), ("install", "git clone"),
         ("check", "sdtkit check"), ("header", "--check-current"),
         ("diff", "sdtkit diff"), ("build", "meson setup")]


def kind(text):
    return next(name for name, word in KINDS if word in text)


def load(source, name):
    """({variable: value}, [(kind, script)])"""
    import yaml     # of yamllint
    text = (source / "examples" / "ci" / FILES[name]).read_text()
    fields = yaml.safe_load(text)
    if name == "github":
        scripts = [step["run"] for step in fields["jobs"]["probes"]["steps"]
                   if "run" in step]
        variables = fields["env"]
    else:
        job = fields["probes"]
        scripts = job["before_script"] + job["script"]
        variables = job["variables"]
    return variables, [(kind(script), script) for script in scripts]


def git(folder, *words):
    subprocess.run(["git", "-c", "user.name=nobody", "-c",
                    "user.email=nobody@example.org", *words], cwd=folder,
                   check=True, stdout=subprocess.DEVNULL)


def project(source, folder):
    """A repository with the release v1 and a commit behind it."""
    shutil.copytree(source / "examples" / "hello", folder,
                    ignore=shutil.ignore_patterns("hello", "hello_probes.h"))
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "one")
    git(folder, "tag", "v1")
    git(folder, "commit", "-q", "--allow-empty", "-m", "two")
    return folder


def run(script, folder, environment, variables, **more):
    """Runs a block as a runner does: by bash, which ends at the first
    failure."""
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script], cwd=folder,
        env={**os.environ, **environment, **variables, **more}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
