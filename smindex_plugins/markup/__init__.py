"""What a page says about itself: in its source (front matter, includes) and its rendered HTML (head, body).

`markup.content` is not imported here: it takes 15 ms to load, and few sites need it.
"""

from smindex_plugins.markup import directives, front_matter, head
from smindex_plugins.markup.includes import Includes

__all__ = ["Includes", "directives", "front_matter", "head"]
