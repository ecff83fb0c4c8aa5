"""The error of a text that is not valid in its format."""


class InvalidTextError(ValueError):
    """A text is not valid in its format. Its message is complete, and names the line."""

    def __init__(self, what: str, reason: str = "", *, line: int = 0, column: int = 0) -> None:
        """Line and column are counted from 1, and 0 if there is none."""
        because = f": {reason}" if reason else ""
        self.line = line
        self.problem = f"{what}{because}"
        """The message for a finding in that line."""
        place = f"line {line}"
        if column:
            self.problem = f"{what} at column {column}{because}"
            place = f"line {line}, column {column}"
        super().__init__(f"{what} at {place}{because}" if line else self.problem)

    def at(self, name: str) -> str:
        """Return the message with the name of the file: `mkdocs.yml, line 3: it is not UTF-8`."""
        if self.line:
            return f"{name}, line {self.line}: {self.problem}"
        return f"{name}: {self.problem}"
