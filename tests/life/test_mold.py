# SPDX-License-Identifier: BSD-2-Clause
"""mold -r cannot link probes, whoever made them: it fails over any COMDAT
group that has the name of its section, and <sys/sdt.h> prescribes such a
group."""


import pytest

import life_build
from programs import which


@pytest.mark.parametrize("header", ["native", "sys-sdt"])
def test_mold_links_probes_as_it_links_groups(header, tmp_path, unavailable):
    case = life_build.PLAIN._replace(header=header)
    if which("ld.mold") is None:
        unavailable("no ld.mold")
    if life_build.missing(case):
        unavailable(life_build.missing(case))
    (tmp_path / "objects").mkdir()
    life_build.generate(tmp_path)
    objects = life_build.objects(case, tmp_path / "objects",
                                 ["target.c", "work.c"], ["-fPIE"])
    output = tmp_path / "whole.o"
    assert life_build.relink("bfd", objects, output) == 0
    linked = life_build.relink("mold", objects, output) == 0
    assert linked == life_build.mold_links_groups()
