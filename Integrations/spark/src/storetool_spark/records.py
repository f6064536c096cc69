"""Cuts a stream of CSV into blocks of whole records.

pyarrow's own streaming reader refuses a record that is longer than its block; a store may hold a
picture of many megabytes in one field.
"""

from collections.abc import Iterable, Iterator

# Blocks are at least this long, unless the stream ends.
BLOCK = 1 << 20


def blocks(chunks: Iterable[bytes], least: int = BLOCK) -> Iterator[bytes]:
    """Blocks that each end at the end of a record; the longest record decides how long one is."""
    pending = bytearray()
    wanted = least
    for chunk in chunks:
        pending += chunk
        if len(pending) < wanted:
            continue
        end = _last_record_end(pending)
        if end == 0:
            # Doubled, so that a long record is not searched again with each chunk.
            wanted = 2 * len(pending)
            continue
        yield bytes(pending[:end])
        del pending[:end]
        wanted = least
    if pending:
        yield bytes(pending)


def _last_record_end(text: bytearray) -> int:
    """The place behind the last line feed that stands outside of quotes, or 0."""
    quotes = text.count(b'"')
    end = len(text)
    while (feed := text.rfind(b"\n", 0, end)) >= 0:
        quotes -= text.count(b'"', feed, end)
        if quotes % 2 == 0:
            return feed + 1
        end = feed
    return 0
