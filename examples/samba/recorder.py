# SPDX-License-Identifier: BSD-2-Clause
"""smbd with the flight recorder: what is left when a child crashes.

smbclient uploads files and stays connected. The child of smbd that serves it
then gets a SIGSEGV, as if it had crashed. The recorder's file must have every
request of that child:

    requests(read(path)[0], pid, "request_end")  # {command: how many}
"""

import json
import os
import pathlib
import signal
import subprocess
import time

import server
import source

SDTKIT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("SDTKIT_BUILD", SDTKIT / "build")).resolve()
LIBRARY = BUILD / "lib/record/libsdtkit-recorder.so"
PROBES = "smb2:*,smbnet:*,vfs:*"
# The client stays connected after its work: the shell command does not end.
COMMANDS = "prompt\nlcd {there}\nmput f*\n!touch {done} && sleep 600\n"


def environment(directory, options="ring=8M"):
    """The variables for an smbd whose file is in this directory."""
    return dict(os.environ, LD_PRELOAD=str(LIBRARY), SDTKIT_RECORDER=PROBES,
                SDTKIT_RECORDER_OPTIONS="%s,dir=%s" % (options, directory))


def wait_for(condition, what):
    deadline = time.time() + server.WAIT
    while not condition():
        if time.time() > deadline:
            raise source.Failed(what)
        time.sleep(0.1)


def crash(smbd, top, files):
    """Has a child serve a client, and kills it; returns its pid."""
    there, _ = server.make_files(top, files)
    done = top / "uploaded"
    others = smbd.children()
    commands = top / "commands"
    commands.write_text(COMMANDS.format(there=there, done=done))
    with open(str(commands)) as file:
        client = subprocess.Popen(
            ["smbclient", "//127.0.0.1/share", "-p", str(smbd.port), "-N",
             "-mSMB3"], stdin=file, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        wait_for(done.exists, "smbclient has not uploaded %d files" % files)
        child, = smbd.children() - others
        os.kill(child, signal.SIGSEGV)
        wait_for(lambda: child not in smbd.children(), "smbd's child stays")
    finally:
        os.killpg(client.pid, signal.SIGKILL)
        client.wait()
    return child


def read(path):
    """The events of a recorder's file, as sdtkit trace tells them."""
    said = subprocess.run(
        [str(BUILD / "lib/tool/sdtkit"), "trace", "--snapshot", "--json",
         str(path)], check=True, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, universal_newlines=True).stdout
    lines = [json.loads(line) for line in said.splitlines()]
    return [line for line in lines if "probe" in line], lines[-1]


def argument(event, name):
    return next(one["value"] for one in event["arguments"]
                if one["name"] == name)


def requests(events, pid, probe):
    """{command: how many of the process have fired this probe}."""
    found = {}
    for event in events:
        if event["pid"] == pid and event["provider"] == "smb2" and \
                event["probe"] == probe:
            command = argument(event, "opcode")
            found[command] = found.get(command, 0) + 1
    return found


def show(tree, top, files):
    """Prints what the recorder kept; raises Failed if something is missing."""
    kept = top / "recorder"
    kept.mkdir()
    smbd = server.Smbd(tree, top, environment(kept))
    try:
        child = crash(smbd, top, files)
        path, = kept.glob("sdtkit-recorder-*")
        events, end = read(path)
    finally:
        smbd.stop()
    began = requests(events, child, "request_start")
    ended = requests(events, child, "request_end")
    print("%d events of %d processes, %d lost; requests of the one that was "
          "killed: %d" % (len(events), len({one["pid"] for one in events}),
                          end["lost"], sum(ended.values())))
    if began != ended or end["lost"]:
        raise source.Failed("the recorder lacks requests: %s began, %s ended" %
                            (began, ended))
    for command in (5, 6, 9):	# CREATE, CLOSE, WRITE
        if ended.get(command, 0) < files:
            raise source.Failed("the recorder has %d requests %d, of %d files"
                                % (ended.get(command, 0), command, files))
