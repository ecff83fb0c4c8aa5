"""The date of a page that several files make."""

import pytest

from smindex_plugins.base.proof import Answer, ContentChange, NoDate, Unknown, newest

OLD, NEW = ContentChange(10, "old"), ContentChange(20, "new", is_new=True)
BOUND, UNBOUND = Unknown(NoDate.SHALLOW, before=15), Unknown(NoDate.UNTRACKED)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([OLD, NEW], NEW),
        ([NEW, OLD, BOUND], NEW),
        ([OLD, BOUND], BOUND),
        ([ContentChange(15, "c"), BOUND], ContentChange(15, "c")),
        ([ContentChange(14, "c"), BOUND], BOUND),
        ([BOUND, UNBOUND, NEW], UNBOUND),
        ([BOUND, UNBOUND], BOUND),
        ([], Unknown(NoDate.NO_SOURCE)),
    ],
)
def test_several_files_have_the_newest_date_unless_another_may_be_newer(
    answers: list[Answer], expected: Answer
) -> None:
    assert newest(answers) == expected
