# SPDX-License-Identifier: BSD-2-Clause
"""Redis: how it is built, what clients do with it, and what it counts.

Redis counts almost all that its probes tell: INFO commandstats has the calls,
the failures and the time of each command, INFO stats has bytes, clients and
keys. One request at a time is sent where their order matters.
"""

import pathlib
import socket
import subprocess
import time

import server as helper
import source

HERE = pathlib.Path(__file__).resolve().parent
NAME = "redis"
SOURCES = "src"
DESCRIPTION = "redis_probes.d"
BINARY = "src/redis-server"

# The time of these has the wait of the client in it.
BLOCKING = {"blpop"}


def build(tree, sdtkit, jobs):
    """Returns the commands; the C library's malloc saves building another.
    sdtkit is where that is in the tree, or None for a build without probes."""
    flags = [] if sdtkit is None else [
        "WITH_STATIC_PROBES=yes",
        "SDTKIT_MK=../%s/lib/build/sdtkit.mk" % sdtkit]
    return [["make", "-C", "src", jobs, "MALLOC=libc", "USE_SYSTEMD=no",
             "redis-server", "redis-benchmark"] + flags]


class Client:
    """A connection; client("GET", "key") sends a command and returns the
    reply. An error is a reply, too: source.Failed as a value."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 60)
        self.file = self.socket.makefile("rb")

    def send(self, *words):
        parts = [b"*%d\r\n" % len(words)]
        for word in words:
            data = str(word).encode()
            parts.append(b"$%d\r\n%s\r\n" % (len(data), data))
        self.socket.sendall(b"".join(parts))

    def reply(self):
        line = self.file.readline()
        kind, rest = line[:1], line[1:-2].decode()
        if kind == b"$":
            size = int(rest)
            if size < 0:
                return None
            return self.file.read(size + 2)[:-2].decode()
        if kind == b"*":
            return [self.reply() for _ in range(int(rest))]
        if kind == b":":
            return int(rest)
        if kind == b"-":
            return source.Failed(rest)
        if kind != b"+":
            raise source.Failed("redis-server has closed the connection")
        return rest

    def __call__(self, *words):
        self.send(*words)
        return self.reply()

    def close(self):
        self.file.close()
        self.socket.close()


class Server:
    """A server in a directory of its own; prefix are words of a tracer that
    starts it."""

    def __init__(self, tree, top, prefix=(), options=(),
                 environment=None):
        self.tree = tree
        self.port = helper.free_port()
        self.log = top / "redis.log"
        with open(str(self.log), "w") as out:
            self.process = subprocess.Popen(
                [str(word) for word in prefix] +
                [str(tree / BINARY), "--port", str(self.port), "--bind",
                 "127.0.0.1", "--save", "", "--dir", str(top)] +
                list(options),
                stdout=out, stderr=subprocess.STDOUT, env=environment)
        helper.until(lambda: helper.is_listening(self.port),
                     lambda: "redis-server: " + self.log.read_text()[-2000:],
                     self.process)

    def pid(self):
        return self.process.pid

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(60)

    def load(self, requests, clients=10, pipeline=1, tests="set,get"):
        """Runs redis-benchmark, for so many requests of each test."""
        done = subprocess.run(
            [str(self.tree / "src/redis-benchmark"), "-p", str(self.port),
             "-n", str(requests), "-c", str(clients), "-P", str(pipeline),
             "-t", tests, "-r", "1000", "-q"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            universal_newlines=True)
        if done.returncode:
            raise source.Failed("redis-benchmark: " + done.stdout[-1000:])

    def one_by_one(self, requests):
        """As load(), with one client that waits for each reply."""
        self.load(requests // 2, clients=1)


def plugin_flags(tree):
    """What tap_test.c needs of the tree."""
    return ["-I", str(tree / "src")]


def tap_test(tree, top, plugin, environment):
    """Raises Failed with what was not as expected."""
    server = Server(tree, top, options=["--loadmodule", str(plugin)],
                    environment=environment)
    try:
        client = Client(server.port)
        for words in (("TAP.OPEN",), ("SET", "key", "value"), ("GET", "key"),
                      ("GET", "nothing"), ("LPUSH", "key", "item")):
            client(*words)
        reply = client("TAP.CHECK")
        client.close()
    finally:
        server.stop()
    if reply != "OK":
        raise source.Failed("tap_test.c: %s" % reply)


def wait_for(client, section, line):
    while line not in client("INFO", section):
        time.sleep(0.01)


def keys(client):
    """Keys that expire, are evicted, are not there; a command is refused."""
    client("SET", "short", 1, "PX", 1)
    while client("GET", "short"):
        pass
    used = int(client("INFO", "memory").split("used_memory:")[1].split()[0])
    client("CONFIG", "SET", "maxmemory", used + 20000)
    client("SET", "large", "x" * 30000)
    if not isinstance(client("SET", "larger", "x"), source.Failed):
        raise source.Failed("redis-server has taken more than maxmemory")
    client("CONFIG", "SET", "maxmemory-policy", "allkeys-random")
    client("SET", "larger", "x")
    client("CONFIG", "SET", "maxmemory", 0)


def files(client):
    """The append-only file, synced at each command, and a snapshot."""
    client("CONFIG", "SET", "appendonly", "yes")
    wait_for(client, "persistence", "aof_rewrite_in_progress:0")
    client("CONFIG", "SET", "appendfsync", "always")
    for number in range(20):
        client("SET", "kept%d" % number, number)
    client("CONFIG", "SET", "appendonly", "no")
    client("BGSAVE")
    wait_for(client, "persistence", "rdb_bgsave_in_progress:0")
    client("SAVE")


def drive(server, requests):
    """redis-benchmark, and what it never does: errors, transactions, scripts,
    clients that wait, keys that go, files."""
    server.load(requests, tests="set,get,incr,lpush,rpop,hset")
    client, other = Client(server.port), Client(server.port)
    client("SET", "text", "x")
    client("LPUSH", "text", "y")        # an error: it is not a list
    client("NO-SUCH-COMMAND")
    client("MULTI")
    client("INCR", "number")
    client("LPUSH", "text", "y")
    client("EXEC")
    client("EVAL", "return redis.call('incr', KEYS[1])", 1, "number")
    other.send("BLPOP", "queue", 0)
    wait_for(client, "clients", "blocked_clients:1")
    client("RPUSH", "queue", "item")
    other.reply()
    keys(client)
    files(client)
    other.close()
    wait_for(client, "clients", "connected_clients:1\r")
    client.close()


def statistics(server):
    """Returns what the server has counted before this call's own command:
    {number: value} and {command: (calls, failures, microseconds)}."""
    client = Client(server.port)
    text = client("INFO", "all")
    client.close()
    fields = dict(line.split(":", 1) for line in text.split("\r\n")
                  if ":" in line)
    commands = {}
    for name, value in fields.items():
        if name.startswith("cmdstat_"):
            numbers = dict(word.split("=") for word in value.split(","))
            commands[name[len("cmdstat_"):]] = tuple(
                int(numbers[word]) for word in (
                    "calls", "failed_calls", "usec", "rejected_calls"))
    found = {what: int(fields[field]) for what, field in (
        ("clients", "total_connections_received"),
        ("bytes read", "total_net_input_bytes"),
        ("bytes written", "total_net_output_bytes"),
        ("keys found", "keyspace_hits"),
        ("keys not found", "keyspace_misses"),
        ("keys expired", "expired_keys"), ("keys evicted", "evicted_keys"),
        ("children", "total_forks"))}
    found["refused"] = sum(row[3] for row in commands.values())
    return found, {name: row[:3] for name, row in commands.items() if row[0]}


def by_events(events):
    """The same from the events of sdtkit trace, up to the INFO that was asked
    last; the times are those of command_done."""
    last = max(i for i, e in enumerate(events)
               if e["probe"] == "command_start" and e["command"] == "info")
    seen = {}
    for event in events[:last]:
        seen.setdefault(event["probe"], []).append(event)
    # the INFO's own client is one more, as the server counts it, too

    def count(probe, condition=lambda event: True):
        return sum(map(condition, seen.get(probe, [])))

    commands = {}
    for event in seen["command_done"]:
        calls, failed, usec = commands.get(event["command"], (0, 0, 0))
        commands[event["command"]] = (
            calls + 1, failed + event["failed"], usec + event["usec"])
    return {
        "clients": count("client_open"),
        "bytes read": count("client_read", lambda e: e["bytes"]),
        "bytes written": count("client_write", lambda e: e["bytes"]),
        "keys found": count("key_lookup", lambda e: e["counted"]
                            and e["found"]),
        "keys not found": count("key_lookup", lambda e: e["counted"]
                                and not e["found"]),
        "keys expired": count("key_expire"),
        "keys evicted": count("key_evict"),
        "children": count("fork"),
        # a command that does not exist has no counter
        "refused": count("command_reject", lambda e: e["command"] != "")
    }, commands


# Spans of which each start and each end is seen
STRICT = {"command", "save", "append", "fsync", "blocked"}
# What sdtkit top counts: spans, and hits of other probes
TOP = ["redis:command", "redis:connection", "redis:save",
       "redis:append", "redis:fsync", "redis:blocked", "redis:client_open",
       "redis:key_expire", "redis:key_evict", "redis:fork"]
HITS = {"client_open": "clients", "key_expire": "keys expired",
        "key_evict": "keys evicted", "fork": "children"}


def by_top(report):
    """The same from the report of sdtkit top: what it can know, and the times
    that it has measured itself."""
    numbers = {HITS[row["probe"]]: row["count"] for row in report["probes"]}
    commands = {row["name"]: (row["count"], row["errors"], row["sum_us"])
                for row in report["spans"] if row["span"] == "command"}
    return numbers, commands


def adjust(found, commands):
    """What sdtkit top cannot have counted: it ended before the last client
    came."""
    return dict(found, clients=found["clients"] - 1), commands
