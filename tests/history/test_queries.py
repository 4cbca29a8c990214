# SPDX-License-Identifier: BSD-2-Clause
"""The queries of docs/history.md, on the history of a made-up server."""

import json
import re
import sqlite3
import subprocess

import pytest

LIMIT = 300
MINUTES = 5


@pytest.fixture(scope="module")
def page(source):
    return (source / "docs" / "history.md").read_text()


@pytest.fixture(scope="module")
def history(build, unavailable, tmp_path_factory):
    program = build / "tests" / "tsmbd" / "tsmbd-history-make"
    if not program.exists():
        unavailable("tsmbd is not built")
    path = tmp_path_factory.mktemp("queries") / "history.db"
    subprocess.run([program, path, str(60 * MINUTES)], check=True,
                   timeout=LIMIT, stdout=subprocess.DEVNULL)
    return path


@pytest.fixture(scope="module")
def replayed(build, history):
    return json.loads(subprocess.run(
        [build / "lib" / "tsmbd" / "tsmbd", "replay", "--json", "--history",
         history, "--top=clients,users,shares,files", "--oplocks"],
        check=True, timeout=LIMIT, stdout=subprocess.PIPE).stdout)


@pytest.fixture
def database(history):
    connection = sqlite3.connect("file:%s?mode=ro" % history, uri=True)
    connection.row_factory = sqlite3.Row
    yield connection
    connection.close()


def blocks(page, language):
    return re.findall(r"^```%s\n(.*?)^```$" % language, page,
                      re.MULTILINE | re.DOTALL)


def test_each_query_finds_something(page, database):
    queries = blocks(page, "sql")
    assert len(queries) == 5
    for query in queries:
        rows = database.execute(query).fetchall()
        assert rows and None not in tuple(rows[0]), query


def test_sums_are_those_of_a_replay(database, replayed):
    row, = database.execute("SELECT sum(requests) AS requests, sum(bytes_in) "
                            "AS bytes_in, sum(lost_lines) AS lines, "
                            "sum(process_us) AS us FROM server")
    assert row["requests"] == replayed["requests"]
    assert row["bytes_in"] == replayed["bytes_in"]
    assert row["lines"] == replayed["lost"]["lines"]
    assert abs(row["us"] - replayed["process_us"]) <= MINUTES + 1
    found = {row["name"]: (row["count"], row["most"])
             for row in database.execute("SELECT name, sum(count) AS count, "
                                         "max(max_us) AS most "
                                         "FROM operations GROUP BY opcode")}
    assert found == {one["name"]: (one["count"], one["max_us"])
                     for one in replayed["operations"]}


def test_distributions(page, database, replayed):
    code, = blocks(page, "python")
    names = {}
    exec(code, names)       # pylint: disable=exec-used
    sums = {}
    for name, slots in database.execute("SELECT name, slots FROM operations"):
        one = sums.setdefault(name, {})
        for least, count in names["distribution"](slots).items():
            one[str(least)] = one.get(str(least), 0) + count
    assert sums == {one["name"]: one["slots"]
                    for one in replayed["operations"]}


def test_columns_are_called_as_in_json(database, replayed):
    """Each table of the report, and each number of its rows."""
    tables = {name: replayed[name] for name in ("operations", "errors",
                                                "waits")}
    tables.update(replayed["top"])
    for name, rows in tables.items():
        columns = {row["name"] for row in database.execute(
            "SELECT name FROM pragma_table_info(?)", [name])}
        # what is no number, or made of others
        made = {"distribution", "waited_for", "benign"}
        assert set(rows[0]) - made <= columns, name
    columns = {row["name"] for row in database.execute(
        "SELECT name FROM pragma_table_info('server')")}
    assert {"phases_us_" + key for key in replayed["phases_us"]} <= columns
    assert {"now_" + key for key in replayed["now"]} <= columns
