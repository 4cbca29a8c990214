# SPDX-License-Identifier: BSD-2-Clause
"""A probe that is used in 600 places has one location, and every tracer reads
all of its hits. (Else libbpf refuses what has more than 512.)"""

import pytest

import builds
import matrix
from tracers import expression

USES = 600


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sites")
    builds.must(folder, [builds.PYTHON, builds.SOURCE / "probegen", "-s",
                         builds.HERE / "sites.d", "-o", "form_probes.h"])
    builds.must(folder, ["gcc", "-O2", "-I.", "-I", builds.SOURCE / "include",
                         builds.HERE / "sites.c", "-o", "main"])
    return builds.Program(folder, "main", set())


def test_one_location(program):
    said = builds.must(program.folder, ["readelf", "-n", program.probes])
    assert said.count("Name: many") == 1


# SystemTap 4.8 loses some of what is printed as fast as that.
@pytest.mark.parametrize("tracer", matrix.TRACERS + matrix.OURS_ONLY[:2],
                         ids=lambda one: one.NAME)
def test_every_use_is_read(tracer, program, unavailable):
    reason = tracer.lacks()
    if reason:
        unavailable(reason)
    hits = matrix.read(tracer, program, {
        "many": [expression("arg0"), expression("str(arg1)")]})["many"]
    address = program.told()["many", 1]
    assert matrix.names(tracer.listed(program.probes)) == {"many"}
    assert sorted(hit[0] for hit in hits) == list(range(USES))
    assert {hit[1] for hit in hits} in ({"many"}, {address})
