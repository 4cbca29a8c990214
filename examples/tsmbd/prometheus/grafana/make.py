#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""make.py DIRECTORY: writes the dashboards of tsmbd and the one of sdtkit serve
into it, for Grafana 9 and later.

A panel is a row of one of the tables below; Grafana's own format has 30 lines
for it. The data source is a variable: Grafana asks for it when it imports.
"""

import json
import pathlib
import sys

SOURCE = {"type": "prometheus", "uid": "${source}"}
RATE = "[$__rate_interval]"
HOSTS = '{instance=~"$instance"}'
ONE = '{instance=~"$instance", command="$command"}'

# title, unit, width of 24, kind, [(expression, legend)]
SERVERS = [
    ("Servers that answer", "none", 4, "stat", [
        ('sum(up{job="smbd"})', "")]),
    ("Requests", "reqps", 5, "stat", [("job:smbd_requests:rate1m", "")]),
    ("One of 100 takes longer than", "s", 5, "stat", [
        ("job:smbd_request_duration_seconds:p99_1m", "")]),
    ("Requests that fail", "percentunit", 5, "stat", [
        ("job:smbd_errors_per_request:ratio_rate1m", "")]),
    ("Connections", "none", 5, "stat", [("sum(smbd_connections)", "")]),
    ("Requests by server", "reqps", 12, "timeseries", [
        ("instance:smbd_requests:rate1m", "{{instance}}")]),
    ("One of 100 takes longer than, by server", "s", 12, "timeseries", [
        ("instance:smbd_request_duration_seconds:p99_1m", "{{instance}}")]),
    ("Requests by command", "reqps", 12, "timeseries", [
        ("command:smbd_requests:rate1m > 0", "{{command}}")]),
    ("One of 100 takes longer than, by command", "s", 12, "timeseries", [
        ("command:smbd_request_duration_seconds:p99_1m", "{{command}}")]),
    ("Time of requests, all servers and commands", "s", 24, "heatmap", [
        ("sum by (le) (command:smbd_request_duration_seconds_bucket:rate1m"
         '{command!="notify"})', "{{le}}")]),
    ("Bytes received and sent", "Bps", 12, "timeseries", [
        ("job:smbd_received_bytes:rate1m", "received"),
        ("job:smbd_sent_bytes:rate1m", "sent")]),
    ("Errors by status", "reqps", 12, "timeseries", [
        ("sum by (status) (instance_status:smbd_errors:rate1m) > 0",
         "{{status}}")]),
    ("Requests that wait for an oplock or lease, by server", "none", 12,
     "timeseries", [
         ('instance_part:smbd_request_time:rate1m{part="oplock"}',
          "{{instance}}")]),
    ("Requests that wait for ctdb, by server", "none", 12, "timeseries", [
        ('instance_part:smbd_request_time:rate1m{part="ctdb"}',
         "{{instance}}")]),
    ("Processes by what they do", "none", 12, "timeseries", [
        ('phase:smbd_process:rate1m{phase!="wait"}', "{{phase}}")]),
    ("What tsmbd could not count", "none", 12, "timeseries", [
        ("sum by (instance, what) (increase(tsmbd_lost_total%s)) > 0" % RATE,
         "{{instance}} {{what}}")]),
]
SERVER = [
    ("Requests", "reqps", 6, "stat", [
        ("instance:smbd_requests:rate1m" + HOSTS, "{{instance}}")]),
    ("One of 100 takes longer than", "s", 6, "stat", [
        ("instance:smbd_request_duration_seconds:p99_1m" + HOSTS,
         "{{instance}}")]),
    ("Connections", "none", 6, "stat", [
        ("smbd_connections" + HOSTS, "{{instance}}")]),
    ("Requests in progress", "none", 6, "stat", [
        ("smbd_requests_in_progress" + HOSTS, "{{instance}}")]),
    ("Time of $command", "s", 24, "heatmap", [
        ("sum by (le) (rate(smbd_request_duration_seconds_bucket%s%s))"
         % (ONE, RATE), "{{le}}")]),
    ("Requests by command", "reqps", 12, "timeseries", [
        ("instance_command:smbd_requests:rate1m%s > 0" % HOSTS,
         "{{instance}} {{command}}")]),
    ("One of 100 takes longer than, by command", "s", 12, "timeseries", [
        ("instance_command:smbd_request_duration_seconds:p99_1m" + HOSTS,
         "{{instance}} {{command}}")]),
    ("Requests that wait or run, by part of their time", "none", 12,
     "timeseries", [("instance_part:smbd_request_time:rate1m" + HOSTS,
                     "{{instance}} {{part}}")]),
    ("Processes by what they do", "none", 12, "timeseries", [
        ('instance_phase:smbd_process:rate1m{instance=~"$instance", '
         'phase!="wait"}', "{{instance}} {{phase}}")]),
    ("Bytes by share", "Bps", 12, "timeseries", [
        ("rate(smbd_share_bytes_total%s%s)" % (HOSTS, RATE),
         "{{instance}} {{share}}")]),
    ("Time by share", "none", 12, "timeseries", [
        ("rate(smbd_share_seconds_total%s%s)" % (HOSTS, RATE),
         "{{instance}} {{share}}")]),
    ("Requests by client", "reqps", 12, "timeseries", [
        ("rate(smbd_client_requests_total%s%s)" % (HOSTS, RATE),
         "{{instance}} {{client}}")]),
    ("Requests by user", "reqps", 12, "timeseries", [
        ("rate(smbd_user_requests_total%s%s)" % (HOSTS, RATE),
         "{{instance}} {{user}}")]),
    ("Errors", "reqps", 12, "timeseries", [
        ("rate(smbd_errors_total%s%s) > 0" % (HOSTS, RATE),
         "{{instance}} {{command}} {{status}}")]),
    ("One of 100 system calls on files takes longer than", "s", 12,
     "timeseries", [
         ("instance_direction:smbd_disk_duration_seconds:p99_1m" + HOSTS,
          "{{instance}} {{direction}}")]),
    ("Memory of tsmbd", "bytes", 12, "timeseries", [
        ("tsmbd_resident_memory_bytes" + HOSTS, "{{instance}}")]),
    ("Processors that tsmbd uses", "percentunit", 12, "timeseries", [
        ("rate(tsmbd_cpu_seconds_total%s%s)" % (HOSTS, RATE),
         "{{instance}}")]),
]
SPANS = '{instance=~"$instance", program=~"$program", span=~"$span"}'
SPAN = "{{instance}} {{program}} {{span}}"
PROGRAMS = [
    ("Hosts that answer", "none", 4, "stat", [
        ('sum(up{job="sdtkit"})', "")]),
    ("Spans", "reqps", 5, "stat", [
        ("sum(instance_span:sdtkit_spans:rate1m%s)" % SPANS, "")]),
    ("Spans that fail", "reqps", 5, "stat", [
        ("sum(instance_span:sdtkit_errors:rate1m%s)" % SPANS, "")]),
    ("Spans under way", "none", 5, "stat", [
        ("sum(sdtkit_spans_in_progress%s)" % SPANS, "")]),
    ("Containers", "none", 5, "stat", [
        ('count(sdtkit_program_processes{instance=~"$instance", '
         'program=~"$program", container!=""} > 0) or vector(0)', "")]),
    ("Time of $program", "s", 24, "heatmap", [
        ("sum by (le) (instance_span:sdtkit_span_duration_seconds_bucket:"
         "rate1m%s)" % SPANS, "{{le}}")]),
    ("Spans", "reqps", 12, "timeseries", [
        ("instance_span:sdtkit_spans:rate1m%s > 0" % SPANS, SPAN)]),
    ("One of 100 takes longer than", "s", 12, "timeseries", [
        ("instance_span:sdtkit_span_duration_seconds:p99_1m" + SPANS, SPAN)]),
    ("Part that fails", "percentunit", 12, "timeseries", [
        ("instance_span:sdtkit_errors_per_span:ratio_rate1m" + SPANS, SPAN)]),
    ("Spans that run or wait", "none", 12, "timeseries", [
        ("instance_span:sdtkit_time:rate1m" + SPANS, SPAN),
        ("instance_span:sdtkit_waiting:rate1m" + SPANS, SPAN + " waiting")]),
    ("Names with the most time", "none", 12, "timeseries", [
        ("topk(10, sum by (program, span, name) "
         "(rate(sdtkit_span_duration_seconds_sum%s%s)))" % (SPANS, RATE),
         "{{program}} {{span}} {{name}}")]),
    ("Spans by container", "reqps", 12, "timeseries", [
        ("sum by (instance, program, container, pod) "
         "(rate(sdtkit_span_duration_seconds_count%s%s)) > 0" % (SPANS, RATE),
         "{{instance}} {{program}} {{container}} {{pod}}")]),
    ("Processors that programs use", "none", 12, "timeseries", [
        ('instance_program:sdtkit_cpu:rate1m{instance=~"$instance", '
         'program=~"$program"}', "{{instance}} {{program}}")]),
    ("What was not counted", "none", 12, "timeseries", [
        ("sum by (instance, program, reason) "
         "(increase(sdtkit_spans_not_counted_total%s%s)) > 0" % (SPANS, RATE),
         "{{instance}} {{program}} {{reason}}")]),
]
OPTIONS = {
    "stat": {"reduceOptions": {"calcs": ["lastNotNull"], "fields": "",
                               "values": False},
             "graphMode": "area", "colorMode": "none", "textMode": "auto",
             "justifyMode": "auto", "orientation": "auto", "wideLayout": True,
             "showPercentChange": False, "percentChangeColorMode": "standard"},
    "timeseries": {"legend": {"displayMode": "list", "placement": "bottom",
                              "showLegend": True, "calcs": []},
                   "tooltip": {"mode": "multi", "sort": "desc"}},
    "heatmap": {"calculate": False, "cellGap": 0,
                "color": {"mode": "scheme", "scheme": "Oranges",
                          "fill": "dark-orange",
                          "scale": "exponential", "exponent": 0.5,
                          "steps": 64, "reverse": False},
                "yAxis": {"unit": "s", "axisPlacement": "left"},
                "rowsFrame": {"layout": "le"},
                "tooltip": {"mode": "single", "yHistogram": True},
                "legend": {"show": True}, "showValue": "never",
                "exemplars": {"color": "rgba(255,0,255,0.7)"}},
}
HEIGHT = {"stat": 4, "timeseries": 8, "heatmap": 9}
# what the variable "command" has at first
COMMANDS = ["create", "read", "write", "query_directory"]


def target(number, kind, expression, legend):
    return {"refId": chr(ord("A") + number), "datasource": SOURCE,
            "expr": expression, "legendFormat": legend or "__auto",
            "format": "heatmap" if kind == "heatmap" else "time_series",
            "range": kind != "stat", "instant": kind == "stat"}


def panel(number, row):
    title, unit, _, kind, expressions = row
    made = {
        "id": number, "type": kind, "title": title, "datasource": SOURCE,
        "targets": [target(which, kind, *expression)
                    for which, expression in enumerate(expressions)],
        "fieldConfig": {"defaults": {"unit": unit, "min": 0},
                        "overrides": []},
        "options": OPTIONS[kind],
    }
    repeat = title.partition("$")[2]
    if repeat:
        made.update(repeat=repeat, repeatDirection="h", maxPerRow=2)
    return made


def placed(rows):
    """The panels, from left to right and then below."""
    panels, x, y, height = [], 0, 0, 0
    for number, row in enumerate(rows, 1):
        width = row[2]
        if x + width > 24:
            x, y, height = 0, y + height, 0
        made = panel(number, row)
        made["gridPos"] = {"x": x, "y": y, "w": width, "h": HEIGHT[row[3]]}
        panels.append(made)
        x += width
        height = max(height, HEIGHT[row[3]])
    return panels


def variable(name, label, expression, values):
    """One that the user chooses values of; all of them if none is given."""
    return {
        "name": name, "label": label, "type": "query", "datasource": SOURCE,
        "query": expression, "definition": expression, "regex": "",
        "refresh": 2, "sort": 1,
        "multi": True, "includeAll": True, "hide": 0, "options": [],
        "current": {"selected": True, "text": values or ["All"],
                    "value": values or ["$__all"]},
    }


def dashboard(uid, title, rows, variables, *tags):
    source = {"name": "source", "label": "Prometheus", "type": "datasource",
              "query": "prometheus", "hide": 0, "refresh": 1, "regex": "",
              "multi": False, "includeAll": False, "options": [],
              "current": {"text": "default", "value": "default"}}
    return {
        "uid": uid, "title": title, "tags": list(tags),
        "schemaVersion": 37, "version": 1, "editable": True,
        "graphTooltip": 1, "refresh": "30s", "timezone": "",
        "time": {"from": "now-1h", "to": "now"},
        "annotations": {"list": []},
        "links": [{"type": "dashboards", "tags": [tags[-1]], "title": tags[-1],
                   "asDropdown": False, "includeVars": False,
                   "keepTime": True, "targetBlank": False, "icon": "",
                   "tooltip": "", "url": ""}],
        "templating": {"list": [source, *variables]},
        "panels": placed(rows),
    }


def dashboards():
    """{name of a file: dashboard}"""
    instance = variable("instance", "Server",
                        "label_values(smbd_requests_total, instance)", [])
    command = variable("command", "Command",
                       "label_values(smbd_requests_total, command)", COMMANDS)
    span = "label_values(sdtkit_spans_in_progress%s)"
    return {
        "smb-servers.json": dashboard(
            "tsmbd-servers", "SMB servers", SERVERS, [], "smb", "tsmbd"),
        "smb-server.json": dashboard(
            "tsmbd-server", "SMB server", SERVER, [instance, command], "smb",
            "tsmbd"),
        "sdtkit.json": dashboard(
            "sdtkit", "Programs and their spans", PROGRAMS, [
                variable("instance", "Host", span % ", instance", []),
                variable("program", "Program", span %
                         '{instance=~"$instance"}, program', []),
                variable("span", "Span", span %
                         '{program=~"$program"}, span', [])], "sdtkit"),
    }


if __name__ == "__main__":
    for name, one in dashboards().items():
        pathlib.Path(sys.argv[1], name).write_text(
            json.dumps(one, indent=1) + "\n")
