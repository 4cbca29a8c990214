# SPDX-License-Identifier: BSD-2-Clause
"""What a tsmbd that serves by HTTP needs."""

import subprocess

from demo_server import LIMIT


def has_no_http(program):
    done = subprocess.run([program, "--listen=unix:/none/x", "-f", program],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True, timeout=LIMIT)
    return "without libmicrohttpd" in done.stdout


def hash_of(password):
    """As a file of --auth has it."""
    return subprocess.run(["openssl", "passwd", "-6", password],
                          stdout=subprocess.PIPE, universal_newlines=True,
                          check=True).stdout.strip()


def make_certificate(folder):
    """Makes the files cert and key, which are different each time."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048",
                    "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=IP:127.0.0.1",
                    "-keyout", folder / "key", "-out", folder / "cert"],
                   stderr=subprocess.DEVNULL, check=True)
    (folder / "key").chmod(0o600)
