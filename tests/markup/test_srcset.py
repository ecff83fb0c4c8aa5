import pytest

from smindex_plugins.markup import srcset


@pytest.mark.parametrize(
    ("text", "largest"),
    [
        ("", ""),
        (" , ,", ""),
        ("a", "a"),
        ("a, b", "a"),
        ("a,b", "a,b"),
        ("a 1x, b 2x", "b"),
        ("a 1x,b 2x", "b"),
        ("a,, b 2x", "b"),
        ("a 800w , b 400w", "a"),
        ("a\n\t100w,\fb\r200w", "b"),
        ("a .5x, b 0.9x", "a"),
        ("data:image/png;base64,AA== 1x, b 2x", "b"),
        ("a(1,2) 1x, b(3,4) 2x", "b(3,4)"),
        ("a (x, y) 3x, b 2x", "a"),
        ("a (1x, b 2x", "a"),
        ("a 100w 50h, b 90w", "a"),
        ("a 50h 100w, b 90w", "a"),
        ("a\u00a02x 1x, b 2x", "b"),
        ("a 1x, b \u0662x", "a"),
        (f"a {'9' * 5_000}x, b 2x", "a"),
    ],
)
def test_the_largest_image_of_a_srcset_is_that_of_the_html_standard(text: str, largest: str) -> None:
    assert srcset.largest(text) == largest
