"""The pace of requests to one server follows what the server allows."""

from smindex_plugins.web.pace import Pace


def test_a_server_that_refuses_nothing_is_never_waited_for() -> None:
    pace = Pace()
    assert [pace.turn(now, 100) for now in (1.0, 1.0, 1.1)] == [1.0, 1.0, 1.1]


def test_robots_txt_keeps_requests_apart_and_none_goes_out_too_late() -> None:
    pace = Pace(least=2)
    assert [pace.turn(1, 6) for _ in range(4)] == [1, 3, 5, None]


def test_each_refusal_halves_the_pace_and_each_answer_makes_it_faster_again() -> None:
    pace = Pace()
    gaps = []
    now = 1.0
    for _ in range(5):
        pace.refused(now, now, 0)
        now = pace.turn(now, 1e9) or 0
        gaps.append((pace.turn(now, 1e9) or 0) - now)
        now += 100
    assert gaps == [0.5, 1, 2, 4, 4]
    for _ in range(150):
        pace.answered()
    assert pace.turn(now, 1e9) == pace.turn(now, 1e9) == now


def test_requests_that_were_under_way_when_one_was_refused_say_nothing_new() -> None:
    pace = Pace()
    for sent in (1.0, 1.01, 1.02):
        pace.refused(sent, 1.1, 3)
    first, second = pace.turn(1.2, 100), pace.turn(1.2, 100)
    assert (first, second) == (4.1, 4.6)
