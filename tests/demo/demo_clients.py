# SPDX-License-Identifier: BSD-2-Clause
"""Clients of the demo server, and what they say that they sent."""

import json
import subprocess

from demo_server import LIMIT, wait_until

FILES = 120
SIZE = 5000


def run_clients(server, count=1):
    """Runs that many clients at once; returns their reports."""
    clients = [subprocess.Popen(
        [server.client_program, "--port", str(server.port), "--json",
         "--files", str(FILES), "--size", str(SIZE)], stdout=subprocess.PIPE)
        for _ in range(count)]
    reports = [json.loads(client.communicate(timeout=LIMIT)[0])
               for client in clients]
    assert all(report["ok"] for report in reports)
    wait_until(server.idle, "children reaped")
    return reports


def by_opcode(reports, field):
    """{opcode: sum of the reports}, without zeroes."""
    total = {}
    for report in reports:
        for request in report["requests"].values():
            if request[field]:
                total[request["opcode"]] = (request[field] +
                                            total.get(request["opcode"], 0))
    return total
