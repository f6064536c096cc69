"""Generates interfaces of libraries for macOS from the toolchain's interfaces for Linux."""

import re

from swift import TARGET

# Apple's Darwin overlay has the same sources as the Glibc overlay, except for these declarations.
# stubs/Darwin.swiftinterface contains Apple's.
GLIBC_ONLY = [
    r"(var|typealias) (SIG_DFL|SIG_IGN|SIG_ERR|SIG_HOLD|environ|sighandler_t)\b",
    r"(enum|extension) (Darwin\.)?POSIXErrorCode\b",
]

# These declarations differ from FoundationEssentials. stubs/Foundation.swiftinterface contains Apple's.
ESSENTIALS_ONLY = [
    r"\b(class|extension|struct|protocol) (FileManager|FileManagerDelegate|ProcessInfo|URLResourceKey)\b",
    # Their text confuses nested types with types of the standard library.
    r"\b(Predicate|Expression|(Standard)?PredicateExpressions?|PredicateBindings|PredicateCodable\w*)\b",
    r"\bextension URL\.Template\b",
]

# Lines with a declaration that the compiler rejects: a span whose lifetime isn't in the text, and URL.Template.
REJECTED = [r"\w*Span\b(?!.*\{(?! (mutating )?get \}))", r"^ .*\bURL\.Template\b"]

MODIFIERS = r"(public|open|package|override|final|static|class|weak|unowned|nonisolated(\(unsafe\))?)"
PROPERTY = re.compile(rf"\s*(@\w+(\([^)]*\))? )*({MODIFIERS} )*(var (\w+|`\w+`):|subscript[(<])")


def header(module, *imports):
    """Returns the first lines of an interface. A module whose name begins with @ is re-exported."""
    flags = f"-target {TARGET} -disable-objc-interop -enable-library-evolution -swift-version 5 -module-name {module}"
    lines = ["// swift-interface-format-version: 1.0", f"// swift-module-flags: {flags}"]
    for name in imports:
        lines.append(f"@_exported import {name[1:]}" if name.startswith("@") else f"import {name}")
    return "\n".join(lines) + "\n"


def retargeted(text):
    """Converts an interface of the standard library to macOS."""
    text = re.sub(r"-target \S+", f"-target {TARGET}", text, count=1)
    # With these flags, the compiler checks the bodies of functions for macOS releases before 15.
    text = re.sub(r"-target-min-inlining-version \S+ |-library-level api |-enable-library-evolution ", "", text)
    text = text.replace(" -O ", " -Onone ", 1)
    # A back-deployed function requires a body, which the interface for Linux doesn't contain.
    text = re.sub(r"(?m)^\s*@backDeployed\([^)]*\)\s*$\n?", "", text)
    return text.replace("import Glibc\n", "import Darwin\n")


def darwin(glibc, stub):
    text = re.sub(r"\b(SwiftGlibc|Glibc)\b", "Darwin", retargeted(glibc)).replace("SwiftOverlayShims.", "Darwin.")
    kept = [block for block in declared(text) if not matches(block.split("{")[0], GLIBC_ONLY)]
    return "".join(kept) + stub


def synchronization(text):
    # The locks for Linux store the number of a thread, which this function returns.
    return retargeted(text) + "@usableFromInline internal func _swift_stdlib_gettid() -> Swift.UInt32\n"


def dispatch(text, stub):
    return declarations(text).replace("override public init()", "public init()") + stub


def foundation(essentials, stub):
    return declarations(essentials, ESSENTIALS_ONLY).replace("FoundationEssentials.", "Foundation.") + stub


def matches(text, patterns):
    return any(re.search(pattern, text) for pattern in patterns)


def declared(text):
    """Returns the top-level declarations of an interface, each with its attributes."""
    result, attributes = [], ""
    for block in re.split(r"(?m)^(?=@|public |extension )", text):
        if re.fullmatch(r"(@[^\n]*\n)+", block):
            attributes += block
        else:
            result.append(attributes + block)
            attributes = ""
    return result


def declarations(text, dropped=()):
    """Converts the declarations in the output of `swift-synthesize-interface` to an interface.

    `dropped` contains patterns for the first lines of top-level declarations to omit.
    """
    lines = []
    for line in text.split("\n"):
        if line.strip().startswith(("///", "import ", "@_exported import")):
            continue
        if matches(line, REJECTED):
            while lines and re.fullmatch(r"\s*@[^\n]*\)", lines[-1]):
                lines.pop()
            continue
        lines.append(line)
    kept = [block for block in top_level(lines) if not matches(first_line(block), dropped)]
    return "\n".join(with_accessors(line) for block in kept for line in block) + "\n"


def top_level(lines):
    """Yields the lines of each top-level declaration."""
    blocks, block, depth = [], [], 0
    for line in lines:
        block.append(line)
        depth += line.count("{") - line.count("}")
        if depth == 0 and (not line.strip() or line.startswith("}")):
            blocks.append(block)
            block = []
    return blocks + [block]


def first_line(block):
    """Returns the first line that doesn't consist of attributes."""
    for line in block:
        if re.search(r"\b(class|struct|enum|protocol|func|extension)\b", line):
            return line
        if line.strip() and not line.startswith("@"):
            return line
    return ""


def with_accessors(line):
    """Adds the accessors of a property or subscript. The text contains only the accessors of read-only properties."""
    line = re.sub(r"@inlinable |@_alwaysEmitIntoClient ", "", line)
    accessors = "{ get }" if "(set) " in line else "{ get set }"
    line = re.sub(r"(internal|private|fileprivate)\(set\) ", "", line)
    if not PROPERTY.match(line) or "{" in line or line.rstrip().endswith(","):
        return line
    return re.sub(r"\b(weak|unowned) ", "", line) + f" {accessors}"
