"""Compiles the modules that the sources of the package import: Swift, Foundation, C, and other packages."""

import os
import shutil

import interfaces
from swift import CheckError

STUBS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stubs")

# The modules of the toolchain, each with its imports.
STANDARD = {
    "Swift": [],
    "SwiftOnoneSupport": ["Swift"],
    "_Builtin_float": ["SwiftOnoneSupport"],
    "_Concurrency": ["SwiftOnoneSupport"],
    "_StringProcessing": ["SwiftOnoneSupport"],
    "RegexBuilder": ["_StringProcessing"],
    "Synchronization": ["Darwin"],
    "Observation": ["Darwin", "_Concurrency"],
    "Testing": ["_Concurrency", "_StringProcessing"],
}

# For modules of other packages, only the declarations are compiled.
DECLARATIONS_ONLY = ["-experimental-skip-non-inlinable-function-bodies", "-suppress-warnings"]


def stub(name):
    with open(os.path.join(STUBS, name), encoding="utf-8") as file:
        return file.read()


def make_sdk(headers, folder):
    """Creates a folder with the layout of an SDK, with Darwin's headers and this system's libxml2 and SQLite."""
    include = os.path.join(folder, "usr", "include")
    shutil.copytree(headers, include)
    shutil.copy(os.path.join(STUBS, "Darwin.modulemap"), os.path.join(include, "module.modulemap"))
    shutil.copy(os.path.join(STUBS, "vsock.h"), os.path.join(include, "sys", "vsock.h"))
    for path in ["libxml2", "sqlite3.h"]:
        source = os.path.join("/usr/include", path)
        if not os.path.exists(source):
            raise CheckError(f"{source} not found: install libxml2-dev and libsqlite3-dev")
        copy = shutil.copytree if os.path.isdir(source) else shutil.copy
        copy(source, os.path.join(include, path))
    with open(os.path.join(folder, "SDKSettings.json"), "w", encoding="utf-8") as file:
        file.write('{"Version":"15.0"}')


def tasks(toolchain, compiler):
    """Returns the tasks that compile the library, for `run_in_order`."""
    def compile_interface(name, text):
        return lambda: compiler.compile_interface(name, text())

    def standard(name):
        make = interfaces.synchronization if name == "Synchronization" else interfaces.retargeted
        return lambda: make(toolchain.interface(name))

    def darwin():
        return interfaces.darwin(toolchain.interface("Glibc"), stub("Darwin.swiftinterface"))

    def dispatch():
        text = interfaces.dispatch(toolchain.declarations("Dispatch"), stub("Dispatch.swiftinterface"))
        return interfaces.header("Dispatch", "Darwin", "_Concurrency") + text

    def foundation():
        imports = ["@Darwin", "@Dispatch", "_Concurrency", "_StringProcessing", "Synchronization"]
        essentials = toolchain.declarations("FoundationEssentials")
        text = interfaces.foundation(essentials, stub("Foundation.swiftinterface"))
        return interfaces.header("Foundation", *imports) + text

    def whole(name):
        return lambda: interfaces.header(name, "Foundation", "_Concurrency") + stub(f"{name}.swiftinterface")

    result = [(name, needs, compile_interface(name, standard(name))) for name, needs in STANDARD.items()]
    result += [
        ("Darwin", ["_Builtin_float"], compile_interface("Darwin", darwin)),
        ("Dispatch", ["Darwin", "_Concurrency"], compile_interface("Dispatch", dispatch)),
        (
            "Foundation", ["Dispatch", "_StringProcessing", "Synchronization"],
            compile_interface("Foundation", foundation),
        ),
        ("PackagePlugin", ["Foundation"], compile_interface("PackagePlugin", whole("PackagePlugin"))),
        ("CryptoKit", ["Foundation"], compile_interface("CryptoKit", whole("CryptoKit"))),
        ("SwiftUI", ["Foundation"], compile_interface("SwiftUI", whole("SwiftUI"))),
    ]
    return result


def c_options(target, folder):
    """Returns the options that make a C target visible to Swift."""
    if target.type == "system":
        options = ["-Xcc", f"-fmodule-map-file={os.path.join(target.folder, 'module.modulemap')}"]
        # On macOS it is a C target, so its folder is on the search path.
        return options + (["-Xcc", f"-I{target.folder}"] if target.name == "CLibXML2" else [])
    options = ["-Xcc", f"-I{target.headers}"]
    own = os.path.join(target.headers, "module.modulemap")
    if not os.path.exists(own):
        own = os.path.join(folder, f"{target.name}.modulemap")
        umbrella = os.path.join(target.headers, f"{target.name}.h")
        header = f'umbrella header "{umbrella}"' if os.path.exists(umbrella) else f'umbrella "{target.headers}"'
        with open(own, "w", encoding="utf-8") as file:
            file.write(f"module {target.name} {{\n  {header}\n  export *\n}}\n")
    return options + ["-Xcc", f"-fmodule-map-file={own}"]
