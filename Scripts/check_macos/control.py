"""Errors that are planted in a copy of a source. The check must find each of them."""

import os
import subprocess

# The errors are appended to a copy of this file, which imports the C library and Foundation.
TARGET = "StoreDiagnostics"
FILE = "Paths/StagingFolder.swift"

# A description of each error, and a line of code that compiles on Linux.
PLANTED = [
    ("Glibc's name for a file's time", "func plantedTime(_ status: stat) -> Int { Int(status.st_mtim.tv_sec) }"),
    ("`inout Bool` for a parameter that is a pointer to an ObjCBool in Apple's Foundation",
     "func plantedKind(_ isFolder: inout Bool) -> Bool "
     "{ FileManager.default.fileExists(atPath: \"/\", isDirectory: &isFolder) }"),
    ("a flag of Linux", "func plantedFlag() -> CInt { O_TMPFILE }"),
    ("a function of Linux", "func plantedThread() -> CInt { gettid() }"),
    ("Glibc's type of a folder's handle", "func plantedFolder() -> OpaquePointer? { opendir(\"/\") }"),
    ("the width of a count of blocks", "func plantedBlocks(_ status: statvfs) -> UInt { status.f_bavail }"),
    ("Glibc's type of file actions",
     "func plantedActions() -> posix_spawn_file_actions_t { posix_spawn_file_actions_t() }"),
    ("advice about memory that only Linux supports", "func plantedAdvice() -> CInt { MADV_HUGEPAGE }"),
    ("a clock that is a macro on Darwin", "func plantedClock() -> CInt { CInt(CLOCK_THREAD_CPUTIME_ID) }"),
    ("fork, which Apple's overlay makes unavailable", "func plantedFork() -> CInt { fork() }"),
    ("a type that macOS 15 lacks", "func plantedArray(_ array: InlineArray<3, Int>) -> Int { array[0] }"),
]

# Unsupported platforms, whose builds must fail with the error of SupportedPlatforms.swift.
PLATFORMS = ["arm64-apple-ios18.0", "x86_64-unknown-freebsd14", "x86_64-unknown-windows-msvc"]


def missed(compiler, packages, arguments):
    """Returns the planted errors that the compiler doesn't report."""
    target = packages.root.targets[TARGET]
    original = os.path.join(target.folder, FILE)
    copy = os.path.join(compiler.folder, os.path.basename(FILE))
    with open(original, encoding="utf-8") as file:
        text = file.read()
    first = text.count("\n") + 1
    with open(copy, "w", encoding="utf-8") as file:
        file.write(text + "".join(f"{code}\n" for _, code in PLANTED))
    files = [copy if path == original else path for path in target.files]
    found = compiler.compile_sources(TARGET, files, arguments(target))
    lines = {d.line for d in found if d.path == copy and d.severity == "error"}
    result = [what for number, (what, _) in enumerate(PLANTED, first) if number not in lines]
    guard = os.path.join(target.folder, "SupportedPlatforms.swift")
    return result + [f"a build for {platform}" for platform in PLATFORMS if not refuses(guard, platform)]


def refuses(path, platform):
    arguments = ["swiftc", "-frontend", "-typecheck", "-parse-stdlib", "-target", platform, path]
    result = subprocess.run(arguments, capture_output=True, text=True)
    return "error: storetool supports Linux" in result.stderr
