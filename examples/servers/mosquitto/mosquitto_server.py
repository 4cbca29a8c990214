# SPDX-License-Identifier: BSD-2-Clause
"""Mosquitto: how it is built, what clients do with it, and what it counts.

Its statistics are messages of topics below $SYS, which it renews each second.
They are read when it has been idle for longer than that.
"""

import os
import pathlib
import signal
import socket
import struct
import subprocess
import time

import server as helper
import source

HERE = pathlib.Path(__file__).resolve().parent
NAME = "mosquitto"
SOURCES = "src"
DESCRIPTION = "mosquitto_probes.d"
BINARY = "build/src/mosquitto"
READER = "reader-of-statistics"
WAIT = "60"

CONFIGURATION = """listener {port} 127.0.0.1
allow_anonymous true
sys_interval 1
log_type error
log_dest stderr
persistence true
persistence_location {top}/
max_queued_messages 1000
user root
"""


def build(tree, sdtkit, jobs):
    """Returns the commands; without what needs other packages. sdtkit is where
    that is in the tree, or None for a build without probes."""
    flags = [] if sdtkit is None else [
        "-DWITH_STATIC_PROBES=ON",
        "-Dsdtkit_DIR=%s" % (tree / sdtkit / "lib/build/cmake")]
    return [["cmake", "-S", ".", "-B", "build",
             "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DWITH_TLS=OFF",
             "-DWITH_CJSON=OFF", "-DDOCUMENTATION=OFF", "-DWITH_APPS=OFF",
             "-DWITH_PLUGINS=OFF"] + flags,
            ["make", "-C", "build", jobs, "mosquitto", "mosquitto_pub",
             "mosquitto_sub"]]


class Server:
    """A broker in a directory of its own; prefix are words of a tracer that
    starts it, options are lines for its configuration."""

    def __init__(self, tree, top, prefix=(), options=(),
                 environment=None):
        self.tree = tree
        self.top = top
        self.port = helper.free_port()
        self.log = top / "mosquitto.log"
        configuration = top / "mosquitto.conf"
        configuration.write_text(
            CONFIGURATION.format(port=self.port, top=top) +
            "".join(line + "\n" for line in options))
        with open(str(self.log), "w") as out:
            self.process = subprocess.Popen(
                [str(word) for word in prefix] +
                [str(tree / BINARY), "-c", str(configuration)],
                stdout=out, stderr=subprocess.STDOUT, env=environment)
        helper.until(lambda: helper.is_listening(self.port),
                     lambda: "mosquitto: " + self.log.read_text()[-2000:],
                     self.process)

    def pid(self):
        """The broker's, which may be a child of a tracer."""
        pid = self.process.pid
        path = pathlib.Path("/proc/%d/task/%d/children" % (pid, pid))
        return int((path.read_text().split() or [pid])[0])

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(60)

    def command(self, program, *words):
        return [str(self.tree / "build/client" / program), "-h", "127.0.0.1",
                "-p", str(self.port)] + [str(word) for word in words]

    def client(self, program, *words, lines=None):
        """Runs a client to its end, and returns what it prints."""
        done = subprocess.run(
            ["timeout", WAIT] + self.command(program, *words),
            input="" if lines is None else "\n".join(lines) + "\n",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            universal_newlines=True, env=self.environment())
        if done.returncode:
            raise source.Failed("%s: %s" % (program, done.stdout[-1000:]))
        return done.stdout

    def environment(self):
        """The clients have their library beside them."""
        return dict(os.environ, LD_LIBRARY_PATH=str(self.tree / "build/lib"))

    def subscriber(self, name, messages, *words):
        """Returns a client that ends when it has got so many messages."""
        log = self.top / (name + ".log")
        with open(str(log), "w") as out:
            process = subprocess.Popen(
                ["timeout", WAIT, "stdbuf", "-oL"] + self.command(
                    "mosquitto_sub", "-i", name, "-C", messages, "-d", *words),
                stdout=out, stderr=subprocess.STDOUT, env=self.environment())
        helper.until(lambda: "Subscribed" in log.read_text(errors="replace"),
                     lambda: "mosquitto_sub: " + log.read_text()[-1000:],
                     process)
        return process

    def load(self, requests, qos=1):
        """Publishes messages to a client; each has got them at the end."""
        waiting = self.subscriber("load", requests, "-q", qos, "-t", "load")
        self.client("mosquitto_pub", "-q", qos, "-t", "load", "-l",
                    lines=["message %d" % n for n in range(requests)])
        if waiting.wait():
            raise source.Failed("mosquitto_sub has not got all messages")

    def one_by_one(self, requests):
        """Publishes with QoS 1, each message after the one before was
        acknowledged, to a subscriber."""
        publisher, subscriber = (Client(self.port, name)
                                 for name in ("publisher", "subscriber"))
        subscriber.packet(0x82, b"\0\1\0\1t\0")
        subscriber.read(5)      # SUBACK
        for number in range(requests):
            publisher.packet(0x32, b"\0\1t" + struct.pack(
                ">H", number % 65535 + 1) + b"message")
            publisher.read(4)   # PUBACK
            subscriber.read(12)
        publisher.close()
        subscriber.close()


class Client:
    """A connection with MQTT 3.1.1 that does as it is told; packets are below
    128 bytes."""

    def __init__(self, port, name):
        self.socket = socket.create_connection(("127.0.0.1", port), 60)
        self.file = self.socket.makefile("rb")
        self.packet(0x10, b"\0\4MQTT\4\2\0\x3c\0" +
                    bytes([len(name)]) + name.encode())
        self.read(4)            # CONNACK

    def packet(self, kind, data):
        self.socket.sendall(bytes([kind, len(data)]) + data)

    def read(self, size):
        if len(self.file.read(size)) != size:
            raise source.Failed("mosquitto has closed the connection")

    def close(self):
        self.file.close()
        self.socket.close()


def plugin_flags(tree):
    """What tap_test.c needs of the tree."""
    return ["-I", str(tree / "include")]


def tap_test(tree, top, plugin, environment):
    """Raises Failed with what was not as expected."""
    server = Server(tree, top, options=["plugin %s" % plugin],
                    environment=environment)
    try:
        server.client("mosquitto_pub", "-i", "tester", "-q", 1, "-t", "a/b",
                      "-m", "hello")
    finally:
        server.stop()
    said = server.log.read_text()
    if "tap: good" not in said:
        raise source.Failed("tap_test.c: %s" % said)


def drive(server, requests):
    """Messages of each QoS; what is kept; what is lost; a snapshot."""
    requests = min(requests, 300)       # less than max_queued_messages
    for qos in (0, 1, 2):
        server.load(requests, qos)
    server.client("mosquitto_pub", "-r", "-t", "kept", "-m", "x" * 300)
    server.client("mosquitto_sub", "-t", "kept", "-C", 1)
    server.client("mosquitto_sub", "-t", "there/#", "-U", "other", "-E")
    server.client("mosquitto_sub", "-i", "away", "-c", "-q", 1, "-t", "away",
                  "-E")
    server.client("mosquitto_pub", "-q", 1, "-t", "away", "-l",
                  lines=["lost"] * 1100)
    file = server.top / "mosquitto.db"
    os.kill(server.pid(), signal.SIGUSR1)
    helper.until(file.exists, lambda: "mosquitto has not written its file",
                 server.process)


NUMBERS = {
    "packets received": "messages/received",
    "packets sent": "messages/sent",
    "bytes received": "bytes/received",
    "bytes sent": "bytes/sent",
    "published, QoS 0 or 1, not retained": "publish/messages/received",
    "messages sent": "publish/messages/sent",
    "payload received": "publish/bytes/received",
    "messages lost": "publish/messages/dropped",
}


def statistics(server):
    """Returns what the broker has counted before this call's own client."""
    time.sleep(2.5)     # of idleness: what it has published then is all
    text = _read(server)
    fields = {}
    for line in text.split("\n"):
        topic, _, value = line.partition(" ")
        fields.setdefault(topic, value)     # later ones count this client
    return {what: int(fields.get("$SYS/broker/" + topic, 0))
            for what, topic in NUMBERS.items()}, {}


def _read(server):
    """mosquitto_sub ends with an error when its time is over."""
    return subprocess.run(
        server.command("mosquitto_sub", "-i", READER, "-t", "$SYS/broker/#",
                       "-v", "-W", 1),
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        universal_newlines=True, env=server.environment()).stdout


def by_events(events):
    """The same from the events of sdtkit trace, up to the CONNECT of the
    client that asked."""
    reader = next(i for i, e in enumerate(events)
                  if e["probe"] == "client_open" and e["id"] == READER)
    last = max(i for i in range(reader)
               if events[i]["probe"] == "packet_start")
    seen = {}
    for event in events[:last]:
        seen.setdefault(event["probe"], []).append(event)

    def count(probe, condition=lambda event: True):
        return sum(map(condition, seen.get(probe, [])))

    return {
        "packets received": count("packet_start"),
        "packets sent": count("packet_sent"),
        "bytes received": count("packet_start", lambda e: e["bytes"]),
        "bytes sent": count("packet_sent", lambda e: e["bytes"]),
        # the broker's own counter takes the bits of a retained one, and of
        # QoS 2, for another packet
        "published, QoS 0 or 1, not retained": count(
            "publish", lambda e: e["qos"] < 2 and not e["retain"]),
        "messages sent": count("packet_sent", lambda e: e["packet"] == 3),
        "payload received": count("publish", lambda e: e["bytes"]),
        "messages lost": count("message_drop")}, {}


# Spans of which each start and each end is seen
STRICT = {"packet", "save"}
# What sdtkit top counts: spans, and hits of other probes
TOP = ["mosquitto:packet", "mosquitto:delivery", "mosquitto:connection",
       "mosquitto:save", "mosquitto:packet_sent", "mosquitto:message_drop"]
HITS = {"packet_sent": "packets sent", "message_drop": "messages lost"}


def by_top(report):
    """The same from the report of sdtkit top: what it can know."""
    numbers = {HITS[row["probe"]]: row["count"] for row in report["probes"]}
    packets = [row for row in report["spans"] if row["span"] == "packet"]
    numbers["packets received"] = sum(row["count"] for row in packets)
    numbers["bytes received"] = sum(row["sums"]["bytes"] for row in packets)
    return numbers, {}


def adjust(found, commands):
    """sdtkit top has ended before the client that asked came."""
    return found, commands
