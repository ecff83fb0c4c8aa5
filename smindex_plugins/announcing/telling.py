"""What is to be sent, when it is known that it may be: posts for each host, with the key file that counts for them."""

from collections import defaultdict
from collections.abc import Iterable

from smindex_plugins.announcing.difference import Difference
from smindex_plugins.announcing.indexnow import Post, posts
from smindex_plugins.announcing.keys import find_key, host, key_places, refuse_outside
from smindex_plugins.web import Fetcher


def prepare(difference: Difference, key: str, *, location: str = "", fetcher: Fetcher | None) -> list[Post]:
    """Return the posts of all that is to be announced, one host after the other.

    ``location`` is the URL of the key file, which is looked for in the usual places if it is not given. Without a
    fetcher, no server is asked for the key file.

    Raises:
        KeyFileError: a key file is not there, or does not count for a URL.
    """
    prepared: list[Post] = []
    if location:
        refuse_outside(location, difference.announced())
    for own in _by_host(difference.announced()):
        places = [location] if location else key_places(key, own, difference.live)
        place = find_key(key, places, fetcher) if fetcher else places[0]
        refuse_outside(place, own)
        prepared += posts(own, key, place)
    return prepared


def _by_host(announced: Iterable[str]) -> list[list[str]]:
    groups: dict[str, list[str]] = defaultdict(list)
    for url in announced:
        groups[host(url)].append(url)
    return list(groups.values())
