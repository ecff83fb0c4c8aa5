"""What servers answer. Requests are polite and limited, and answers are never trusted."""

from smindex_plugins.web.fetching import AT_ONCE, Answer, Fetcher, retry_after

__all__ = ["AT_ONCE", "Answer", "Fetcher", "retry_after"]
