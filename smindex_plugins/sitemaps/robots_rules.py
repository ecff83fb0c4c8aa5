"""Which robots.txt rule decides about a path (RFC 9309, section 2.2.2): the longest match, or Allow on a tie.

A path is compared with all rules at once, so the time depends on its own length. Nothing is tried twice.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable

from smindex_plugins import urls
from smindex_plugins.limits import MAX_WILDCARD_RULES


class Rules:
    """The rules of one group: each whether it allows, and its pattern as written."""

    def __init__(self, rules: Iterable[tuple[bool, str]] = ()) -> None:
        self.uncompared = 0
        """How many rules with wildcards are not compared, because those before them reach the limit."""
        self._plain: dict[str, bool] = {}
        wild: dict[str, bool] = {}
        room = MAX_WILDCARD_RULES
        for is_allowed, pattern in rules:
            text = urls.encoded_path(pattern)  # asterisks, and the dollar sign at the end, stay what they are
            known = wild if "*" in text or text.endswith("$") else self._plain
            if known is wild and text not in wild:
                if len(text) > room:
                    self.uncompared += 1
                    continue
                room -= len(text)
            if text:  # an empty rule matches nothing
                known[text] = known.get(text, False) or is_allowed
        self._lengths = sorted({len(path) for path in self._plain})
        self._wild = _Wild(wild)
        self.forbid = not all([*self._plain.values(), *wild.values()])

    def blocking(self, path: str) -> str | None:
        """Return the pattern that blocks a path with its query, or None."""
        if not self.forbid:
            return None
        fitting = reversed(self._lengths[: bisect_right(self._lengths, len(path))])
        plain = next((path[:size] for size in fitting if path[:size] in self._plain), "")
        wild, allows = self._wild.longest(path)
        candidates = [(len(plain), self._plain.get(plain, True), plain), (len(wild), allows, wild)]
        _, is_allowed, pattern = max(candidates)
        return None if is_allowed else pattern


class _Wild:
    """Patterns with wildcards as one automaton. Its states are the bits of one number (Shift-And with gaps).

    A pattern has a state for each of its literal characters, and one before them: so much of it has matched. A
    character of a path moves every state that waits for it to the next one; a state at an asterisk stays.
    """

    def __init__(self, patterns: dict[str, bool]) -> None:
        # The strongest comes last, so that of all that match it has the highest bit.
        self._ends: dict[int, tuple[str, bool]] = {}
        size = sum(map(len, patterns)) + len(patterns)
        first, staying, last = (_Bits(size) for _ in range(3))
        waiting: dict[str, _Bits] = defaultdict(lambda: _Bits(size))
        state = 0
        for pattern, is_allowed in sorted(patterns.items(), key=lambda rule: (len(rule[0]), rule[1])):
            first.add(state)
            is_anchored = pattern.endswith("$")
            for character in pattern.removesuffix("$"):
                if character == "*":
                    staying.add(state)
                else:
                    waiting[character].add(state)
                    state += 1
            if not is_anchored:  # whatever follows
                staying.add(state)
            last.add(state)
            self._ends[state] = pattern, is_allowed
            state += 1
        self._first, self._staying, self._last = first.number(), staying.number(), last.number()
        self._waiting = {character: bits.number() for character, bits in waiting.items()}

    def longest(self, path: str) -> tuple[str, bool]:
        """Return the deciding pattern, and whether it allows. The pattern is empty if none matches."""
        states, staying, waiting = self._first, self._staying, self._waiting
        for character in path:
            if not states:
                break
            states = ((states & waiting.get(character, 0)) << 1) | (states & staying)
        matched = states & self._last
        return self._ends[matched.bit_length() - 1] if matched else ("", True)


class _Bits:
    """A number that is built bit by bit, in a time that does not grow with the square of its length."""

    def __init__(self, size: int) -> None:
        self._bytes = bytearray(size // 8 + 1)

    def add(self, bit: int) -> None:
        self._bytes[bit >> 3] |= 1 << (bit & 7)

    def number(self) -> int:
        return int.from_bytes(self._bytes, "little")
