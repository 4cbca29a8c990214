# SPDX-License-Identifier: BSD-2-Clause
"""Certificates, keys and passwords that are renewed while tsmbd serves: files
that are wrong by the time they are read do not end it.

A reload checks the files first. metrics-server does not, as if each had been
exchanged between the check and the read.
"""

import base64
import signal
import ssl

import pytest

from serving import hash_of, make_certificate
from test_http import (  # noqa: F401 (fixtures)
    is_good, program, request, started)


def authorize(password):
    text = base64.b64encode(("prom:" + password).encode()).decode()
    return {"Authorization": "Basic " + text}


@pytest.fixture
def folder(tmp_path):
    make_certificate(tmp_path)
    users = tmp_path / "users"
    users.write_text("prom:%s\n" % hash_of("old"))
    users.chmod(0o600)
    return tmp_path


@pytest.fixture
def process(started, free_port, folder):    # noqa: F811
    with (folder / "said").open("w") as said:
        port = free_port()
        process = started(
            "--listen=127.0.0.1:%d" % port, "--auth=%s/users" % folder,
            "--tls-cert=%s/cert" % folder, "--tls-key=%s/key" % folder,
            stderr=said)
    process.address = ("127.0.0.1", port)
    return process


def serves(address, cert, password):
    context = ssl.create_default_context(cadata=cert)
    answer, data = request(address, headers=authorize(password),
                           context=context)
    return answer.status == 200 and is_good(data)


def reread(process):
    process.send_signal(signal.SIGUSR1)
    assert process.stdout.readline() == "reread\n"


def wrong_key(folder):
    (folder / "key").write_text("-----BEGIN PRIVATE KEY-----\n")


def other_key(folder):
    """Puts the key of another certificate in its place."""
    before = (folder / "cert").read_bytes()
    make_certificate(folder)
    (folder / "cert").write_bytes(before)


def no_cert(folder):
    (folder / "cert").unlink()


def wrong_users(folder):
    (folder / "users").write_text("prom:plain\n")


def no_users(folder):
    (folder / "users").write_text("# nobody\n")


def readable_users(folder):
    (folder / "users").chmod(0o644)


@pytest.mark.parametrize("spoil, says", [
    (wrong_key, "not a certificate and its key"),
    (other_key, "not a certificate and its key"),
    (no_cert, "cert: No such file"),
    (wrong_users, "users:1: not a hash"),
    (no_users, "no line of the form user:hash"),
    (readable_users, "others may read"),
])
def test_what_was_read_before_remains(process, folder, spoil, says):
    cert = (folder / "cert").read_text()
    spoil(folder)
    reread(process)
    said = (folder / "said").read_text()
    assert says in said and "that were read before" in said
    assert serves(process.address, cert, "old")


def test_all_are_renewed(process, folder):
    old = (folder / "cert").read_text()
    wrong_key(folder)
    reread(process)
    make_certificate(folder)
    (folder / "users").write_text("prom:%s\n" % hash_of("new"))
    reread(process)
    assert serves(process.address, (folder / "cert").read_text(), "new")
    with pytest.raises(ssl.SSLError):
        serves(process.address, old, "new")
