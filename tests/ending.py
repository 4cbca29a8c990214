# SPDX-License-Identifier: BSD-2-Clause
"""Fixtures that start what has to end with the test."""


def ending(start, end=lambda one: one.end()):
    """For a fixture: start(), each of whose results is ended after the test.

        @pytest.fixture
        def act(program):
            yield from ending(lambda *words: Actor(program, *words))
    """
    started = []

    def start_one(*args, **kwargs):
        started.append(start(*args, **kwargs))
        return started[-1]

    yield start_one
    for one in started:
        end(one)
