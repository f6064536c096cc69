"""Runs the Swift compiler for a platform without modules in the toolchain."""

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

TARGET = "x86_64-apple-macosx15.0"
C_TARGETS = [TARGET, "arm64-apple-macosx15.0"]
FILE = "x86_64-apple-macos.swiftmodule"


class CheckError(Exception):
    """The check can't run."""


class Diagnostic:
    """An error or a warning of the compiler."""

    def __init__(self, line, path, severity, message):
        self.line, self.path, self.severity, self.message = line, path, severity, message

    def __str__(self):
        return f"{self.path}:{self.line}: {self.severity}: {self.message}"


class Toolchain:
    """The toolchain of `swiftc`. Its modules are for Linux."""

    def __init__(self):
        compiler = shutil.which("swiftc")
        if not compiler:
            raise CheckError("swiftc isn't in PATH")
        self.usr = os.path.dirname(os.path.dirname(os.path.realpath(compiler)))
        self.resources = os.path.join(self.usr, "lib", "swift")
        self.version = run([compiler, "--version"]).splitlines()[0]
        self.host = re.search(r'"unversionedTriple": "(.*?)"', run([compiler, "-print-target-info"])).group(1)

    def tool(self, name):
        return os.path.join(self.usr, "bin", name)

    def interface(self, module):
        """Returns the text of the toolchain's interface of a module."""
        folder = os.path.join(self.resources, "linux", f"{module}.swiftmodule")
        with open(os.path.join(folder, f"{self.host}.swiftinterface"), encoding="utf-8") as file:
            return file.read()

    def declarations(self, module, *folders):
        """Returns the public declarations of a module without an interface, as text."""
        linux = os.path.join(self.resources, "linux")
        arguments = [self.tool("swift-synthesize-interface"), "-module-name", module, "-target", self.host]
        for folder in [*folders, linux, self.resources]:
            arguments += ["-I", folder]
        return run(arguments)


class Compiler:
    """Compiles modules for macOS into a folder."""

    def __init__(self, toolchain, sdk, folder, libraries=None):
        """Creates a compiler. The sources import the modules of the compiler `libraries`."""
        self.toolchain = toolchain
        self.folder = folder
        self.modules = os.path.join(folder, "modules")
        self.texts = os.path.join(folder, "interfaces")
        for name in [self.modules, self.texts]:
            os.makedirs(name, exist_ok=True)
        self.sdk = sdk
        self.cache = libraries.cache if libraries else os.path.join(folder, "cache")
        self.common = ["-target", TARGET, "-sdk", sdk, "-I", self.modules, "-module-cache-path", self.cache]
        if libraries:
            self.common += ["-I", libraries.modules]

    def output(self, module):
        folder = os.path.join(self.modules, f"{module}.swiftmodule")
        os.makedirs(folder, exist_ok=True)
        return os.path.join(folder, FILE)

    def compile_interface(self, module, text):
        """Compiles the interface of a library. An error means that a stub is wrong or the toolchain has changed."""
        path = os.path.join(self.texts, f"{module}.swiftinterface")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        arguments = [
            "swiftc", "-frontend", "-compile-module-from-interface", *self.common, "-module-name", module,
            *(["-parse-stdlib"] if module == "Swift" else []), "-o", self.output(module), path,
        ]
        result = subprocess.run(arguments, capture_output=True, text=True)
        if result.returncode != 0:
            errors = [d for d in diagnostics(result.stderr) if d.severity == "error"]
            shown = "\n".join(f"  {d}" for d in errors[:20]) or result.stderr[-2000:]
            raise CheckError(f"the interface of {module} doesn't compile for macOS:\n{shown}")

    def compile_sources(self, module, files, options):
        """Type-checks the sources of a module and writes its .swiftmodule. Returns the diagnostics."""
        list_path = os.path.join(self.texts, f"{module}.files")
        with open(list_path, "w", encoding="utf-8") as file:
            file.write("".join(f'"{path}"\n' for path in files))
        library = [] if any(os.path.basename(path) == "main.swift" for path in files) else ["-parse-as-library"]
        plugins = os.path.join(self.toolchain.resources, "host", "plugins")
        arguments = [
            "swiftc", "-frontend", "-emit-module", *self.common, "-disable-objc-interop",
            "-module-name", module, *library, "-plugin-path", plugins,
            "-plugin-path", os.path.join(plugins, "testing"), "-Xcc", "-Wno-everything",
            "-experimental-allow-module-with-compiler-errors", *options, "-o", self.output(module), f"@{list_path}",
        ]
        result = subprocess.run(arguments, capture_output=True, text=True)
        # These errors refer to modules whose own errors are reported.
        found = [d for d in diagnostics(result.stderr) if "allowing deserialization" not in d.message]
        if result.returncode != 0 and not any(d.severity == "error" for d in found):
            found.append(Diagnostic(1, module, "error", f"the compiler fails: {result.stderr[-2000:]}"))
        return found

    def check_c(self, files, headers):
        """Checks the sources of a C target. Returns the diagnostics."""
        found = []
        for target in C_TARGETS:
            arguments = [
                self.toolchain.tool("clang"), "-fsyntax-only", "-target", target, "-isysroot", self.sdk,
                "-Wno-darwin-sdk-settings", "-I", headers, *files,
            ]
            found += diagnostics(subprocess.run(arguments, capture_output=True, text=True).stderr)
        return found


def run(arguments, folder=None):
    result = subprocess.run(arguments, capture_output=True, text=True, cwd=folder)
    if result.returncode != 0:
        raise CheckError(f"{' '.join(arguments)} fails:\n{result.stderr[-2000:]}")
    return result.stdout


def diagnostics(text):
    """Returns the errors and warnings in the output of a compiler, without duplicates."""
    found = {}
    for match in re.finditer(r"(?m)^(/[^:\n]+):(\d+):\d+: (error|warning): (.*)$", text):
        path, line, severity, message = match.groups()
        found[match.group()] = Diagnostic(int(line), path, severity, message)
    # An error without a location, for example for a missing module.
    for match in re.finditer(r"(?m)^<unknown>:0: (error): (.*)$", text):
        found[match.group()] = Diagnostic(0, "<unknown>", *match.groups())
    return list(found.values())


def run_in_order(tasks, jobs, done=None):
    """Runs functions in the order of their dependencies.

    Each task has a name, the names of the tasks that it depends on, and a function.
    """
    waiting = {name: (set(needs), function) for name, needs, function in tasks}
    finished, running = set(), {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        while waiting or running:
            for name in [n for n, (needs, _) in waiting.items() if needs <= finished]:
                running[pool.submit(waiting.pop(name)[1])] = name
            if not running:
                raise CheckError(f"missing dependencies of: {', '.join(waiting)}")
            ready, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in ready:
                name = running.pop(future)
                result = future.result()
                finished.add(name)
                if done:
                    done(name, result)


def warn(text):
    print(text, file=sys.stderr, flush=True)
