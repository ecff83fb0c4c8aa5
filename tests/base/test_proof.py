"""The date of a page that several files make."""

import pytest

from smindex_plugins.base.proof import Answer, Change, Reason, Unknown, newest

OLD, NEW = Change(10, "old"), Change(20, "new", is_new=True)
BOUND, UNBOUND = Unknown(Reason.SHALLOW, before=15), Unknown(Reason.UNTRACKED)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([OLD, NEW], NEW),
        ([NEW, OLD, BOUND], NEW),
        ([OLD, BOUND], BOUND),
        ([Change(15, "c"), BOUND], Change(15, "c")),
        ([Change(14, "c"), BOUND], BOUND),
        ([BOUND, UNBOUND, NEW], UNBOUND),
        ([BOUND, UNBOUND], BOUND),
        ([], Unknown(Reason.NO_SOURCE)),
    ],
)
def test_several_files_have_the_newest_date_unless_another_may_be_newer(
    answers: list[Answer], expected: Answer
) -> None:
    assert newest(answers) == expected
