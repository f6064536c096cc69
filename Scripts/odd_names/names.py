"""Names of models and files that Unicode can write in several ways, or that aren't UTF-8."""

import os
import unicodedata

# Hangul syllables, an ogonek with a dot, and two marks in an order that normalization changes are among them.
STEMS = ["café", "Ünter", "naïve", "Å", "ñandú", "한국", "ệ", "ọ́x", "ṩa", "ǭ", "Žluť", "дӥ"]

# A surrogate stands for a byte that isn't UTF-8, as in `os.fsdecode`: Latin-1, the first byte of two, a surrogate's
# encoding, an overlong slash. Then the characters by which the program writes such bytes as text, U+FFFD, the form
# that messages have, a mark that joins a slash before it, and what a shell, SQLite's URIs and formats give a meaning.
FILE_STEMS = [
    "caf\udce9", "\udcff", "\udcfe", "x\udcc3", "\udced\udca0\udc80", "\udcc0\udcaf", "\U0010ffff", "\U0010ffe9",
    "\ufffd", "\\xFF", "\u0301x", "'\u0301 q\"", "50%41?#", "{store.name}", "-dash",
]

# Values may begin with a mark, too, which joins the character before it.
VALUES = STEMS + ["\u0301x", "\u0327\u0301"]


def nfc(text):
    return unicodedata.normalize("NFC", text)


def nfd(text):
    return unicodedata.normalize("NFD", text)


def mixed(text, rng):
    """The characters, each in one of its forms."""
    return "".join(rng.choice([nfc, nfd])(c) for c in nfc(text))


def other(text):
    """The same name in another form."""
    return nfd(text) if text != nfd(text) else nfc(text)


def shown(path):
    """A path as the program writes it for people."""
    return "".join(f"\\x{ord(c) - 0xdc00:02X}" if is_byte(c) else c for c in path)


def is_byte(character):
    return 0xdc80 <= ord(character) <= 0xdcff


def lookalikes(stem):
    """Names of other files that a program may take for the file of this name."""
    found = {nfc(stem), nfd(stem), shown(stem)}
    # What decoding makes of bytes, and the text that stands for them within the program.
    found.add(os.fsencode(stem).decode("utf-8", "replace"))
    found.add("".join(chr(0x10ff00 + ord(c) - 0xdc00) if is_byte(c) else c for c in stem))
    found.add("".join(chr(0xdc80 + (ord(c) - 0xdc80 + 1) % 128) if is_byte(c) else c for c in stem))
    found.add("".join(os.fsdecode(bytes([ord(c) - 0x10ff00])) if 0x10ff80 <= ord(c) <= 0x10ffff else c for c in stem))
    return sorted(name for name in found if os.fsencode(name) != os.fsencode(stem))
