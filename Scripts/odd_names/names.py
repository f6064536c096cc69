"""Names of models and files that Unicode can write in several ways, or that aren't UTF-8."""

import os
import unicodedata

# The characters include Hangul syllables, an ogonek with a dot, and two marks in an order that normalization changes.
STEMS = ["café", "Ünter", "naïve", "Å", "ñandú", "한국", "ệ", "ọ́x", "ṩa", "ǭ", "Žluť", "дӥ"]

# A surrogate represents a byte that isn't UTF-8, as in `os.fsdecode`: Latin-1, the first of two bytes, the encoding of
# a surrogate, an overlong slash. The other names contain the characters that represent such bytes in the program's
# text, U+FFFD, the notation of messages, a mark that combines with a preceding slash, and characters with a meaning in
# a shell, in SQLite's URIs and in formats.
FILE_STEMS = [
    "caf\udce9", "\udcff", "\udcfe", "x\udcc3", "\udced\udca0\udc80", "\udcc0\udcaf", "\U0010ffff", "\U0010ffe9",
    "\ufffd", "\\xFF", "\u0301x", "'\u0301 q\"", "50%41?#", "{store.name}", "-dash",
]

# Values may also begin with a mark, which combines with the preceding character.
VALUES = STEMS + ["\u0301x", "\u0327\u0301"]


def nfc(text):
    return unicodedata.normalize("NFC", text)


def nfd(text):
    return unicodedata.normalize("NFD", text)


def mixed(text, rng):
    """Returns the text with each character in one of its forms."""
    return "".join(rng.choice([nfc, nfd])(c) for c in nfc(text))


def other(text):
    """Returns the same name in another form."""
    return nfd(text) if text != nfd(text) else nfc(text)


def shown(path):
    """Returns a path in the form that the program prints."""
    return "".join(f"\\x{ord(c) - 0xdc00:02X}" if is_byte(c) else c for c in path)


def is_byte(character):
    return 0xdc80 <= ord(character) <= 0xdcff


def lookalikes(stem):
    """Returns names of other files that a program may confuse with the file of this name."""
    found = {nfc(stem), nfd(stem), shown(stem)}
    # The decoded text of the bytes, and the text that represents them in the program.
    found.add(os.fsencode(stem).decode("utf-8", "replace"))
    found.add("".join(chr(0x10ff00 + ord(c) - 0xdc00) if is_byte(c) else c for c in stem))
    found.add("".join(chr(0xdc80 + (ord(c) - 0xdc80 + 1) % 128) if is_byte(c) else c for c in stem))
    found.add("".join(os.fsdecode(bytes([ord(c) - 0x10ff00])) if 0x10ff80 <= ord(c) <= 0x10ffff else c for c in stem))
    return sorted(name for name in found if os.fsencode(name) != os.fsencode(stem))
