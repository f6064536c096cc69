"""Splits a stream of CSV into blocks of whole records.

pyarrow's own streaming reader rejects a record that is longer than its block. A field of a store
may contain a picture of many megabytes.
"""

from collections.abc import Iterable, Iterator

# The minimum length of a block, except for the last one.
BLOCK = 1 << 20


def blocks(chunks: Iterable[bytes], least: int = BLOCK) -> Iterator[bytes]:
    """Yields blocks that end at the end of a record. A long record makes its block longer."""
    pending = bytearray()
    wanted = least
    for chunk in chunks:
        pending += chunk
        if len(pending) < wanted:
            continue
        end = _last_record_end(pending)
        if end == 0:
            # Doubling avoids searching a long record again for each chunk.
            wanted = 2 * len(pending)
            continue
        yield bytes(pending[:end])
        del pending[:end]
        wanted = least
    if pending:
        yield bytes(pending)


def _last_record_end(text: bytearray) -> int:
    """Returns the offset after the last line feed outside of quotes, or 0."""
    quotes = text.count(b'"')
    end = len(text)
    while (feed := text.rfind(b"\n", 0, end)) >= 0:
        quotes -= text.count(b'"', feed, end)
        if quotes % 2 == 0:
            return feed + 1
        end = feed
    return 0
