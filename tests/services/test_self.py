# SPDX-License-Identifier: BSD-2-Clause
"""Prometheus scrapes examples/serve/self, a server with metrics of its own."""

import subprocess

import self_server
from installed import environment, install
from prometheus_run import Prometheus

CONFIGURATION = """global:
  scrape_interval: 1s
scrape_configs:
  - job_name: self
    static_configs:
      - targets: ["127.0.0.1:%d"]
"""


def test_scraped(need, build, free_port, tmp_path):
    program = need("prometheus")
    prefix = install(build, tmp_path / "installed")
    folder = self_server.copy(tmp_path / "self")
    subprocess.run(["make", "-s"], cwd=folder, env=environment(prefix),
                   check=True)
    library = next(prefix.rglob("libsdtkit-recorder.so")).parent
    server = self_server.SelfServer(folder / "self", free_port(), library,
                                    tmp_path)
    prometheus = None
    try:
        for _ in range(100):
            server.get("/")
        (tmp_path / "prometheus.yml").write_text(CONFIGURATION % server.port)
        prometheus = Prometheus(program, tmp_path, free_port())
        query = 'sdtkit_span_duration_seconds_count{job="self",name="/"}'
        prometheus.wait_until(lambda: prometheus.query(query), "scraped")
        assert prometheus.values(query, "program", "provider", "span") == {
            ("self", "web", "request"): 100}
        # each scrape counts those before it
        prometheus.wait_until(lambda: prometheus.query(
            query.replace('"/"', '"/metrics"') + " >= 2"), "more scrapes")
    finally:
        if prometheus:
            prometheus.end()
        server.end()
