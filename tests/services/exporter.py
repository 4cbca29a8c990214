# SPDX-License-Identifier: BSD-2-Clause
"""exporter.py ADDRESS PORT: serves metrics with the names of tsmbd's, for
pages and rules. Names of shares, clients and users are what a hostile client
may choose.

There are 10 creates and 40 reads a second, each of 100 us, of which every
tenth fails.
"""

import http.server
import sys
import time

START = time.monotonic() - 60
HOSTILE = ['<script>alert(1)</script>', '"\\\n\'', "'}) or vector(1) #",
           "{{ 1 }}", "\u202e\u20ac", ""]
RATES = {"create": 10, "read": 40, "notify": 0}
BOUNDS = [*(2 ** n / 1e6 for n in range(3, 28)), float("inf")]


def quoted(name):
    return '"%s"' % (name.replace("\\", "\\\\").replace('"', '\\"')
                     .replace("\n", "\\n"))


def counters(family, label, values):
    yield "# TYPE %s counter" % family
    for name, value in values.items():
        yield "%s_total{%s=%s} %r" % (family, label, quoted(name), value)


def histogram(counts):
    yield "# TYPE smbd_request_duration_seconds histogram"
    for command, count in counts.items():
        for bound in BOUNDS:
            yield 'smbd_request_duration_seconds_bucket{command="%s",' \
                'le="%s"} %r' % (
                    command, "+Inf" if bound == BOUNDS[-1] else "%g" % bound,
                    count if bound >= 128e-6 else 0)
        yield 'smbd_request_duration_seconds_count{command="%s"} %r' % (
            command, count)
        yield 'smbd_request_duration_seconds_sum{command="%s"} %r' % (
            command, count / 1e4)


def metrics():
    seconds = time.monotonic() - START
    counts = {name: int(rate * seconds) for name, rate in RATES.items()}
    yield from counters("smbd_requests", "command", counts)
    yield from histogram(counts)
    for kind in "share", "client", "user":
        yield from counters("smbd_%s_requests" % kind, kind,
                            {name: int(seconds * 5) for name in HOSTILE})
        yield from counters("smbd_%s_seconds" % kind, kind,
                            {name: seconds / 2 for name in HOSTILE})
    yield "# TYPE smbd_errors counter"
    yield 'smbd_errors_total{command="create",status="STATUS_ACCESS_DENIED"}' \
        " %d" % (counts["create"] // 10)
    yield "# TYPE smbd_connections gauge"
    yield "smbd_connections 3"
    yield "# EOF"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/openmetrics-text; "
                         "version=1.0.0; charset=utf-8")
        self.end_headers()
        self.wfile.write("".join(line + "\n" for line in metrics()).encode())

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = http.server.HTTPServer((sys.argv[1], int(sys.argv[2])), Handler)
    print("listens", flush=True)
    server.serve_forever()
