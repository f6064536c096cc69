"""Reads the targets of the package and of its dependencies from Package.swift."""

import json
import os

from swift import CheckError, run


class Target:
    def __init__(self, package, entry, language):
        self.package = package
        self.name = entry["name"]
        self.type = entry["type"]
        folder = "Tests" if self.type == "test" else "Plugins" if self.type == "plugin" else "Sources"
        self.folder = os.path.join(package.folder, entry.get("path") or os.path.join(folder, self.name))
        self.excluded = [os.path.join(self.folder, path) for path in entry.get("exclude", [])]
        self.sources = [os.path.join(self.folder, path) for path in entry.get("sources") or [""]]
        self.headers = os.path.join(self.folder, entry.get("publicHeadersPath") or "include")
        self.dependencies = [d for d in entry["dependencies"] if is_for_macos(d)]
        self.options = ["-swift-version", language] + [f"-D{trait}" for trait in package.traits]
        if entry.get("packageAccess", True):
            self.options += ["-package-name", package.name.replace("-", "_")]
        for setting in entry.get("settings", []):
            if setting["tool"] == "swift" and is_for_macos(setting):
                self.options += options(setting["kind"])

    @property
    def is_own(self):
        return self.package.is_root

    @property
    def is_c(self):
        return self.type == "system" or not self.files

    @property
    def files(self):
        """The Swift files of the target."""
        return self.files_with(".swift")

    @property
    def c_files(self):
        return self.files_with(".c")

    def files_with(self, extension):
        found = []
        for source in self.sources:
            if source.endswith(extension):
                found.append(source)
            for folder, folders, names in os.walk(source):
                folders[:] = sorted(f for f in folders if os.path.join(folder, f) not in self.excluded)
                paths = [os.path.join(folder, name) for name in sorted(names)]
                found += [p for p in paths if p.endswith(extension) and p not in self.excluded]
        return found


class Package:
    def __init__(self, folder, is_root=False):
        self.folder, self.is_root = folder, is_root
        # A build holds the lock for minutes, and this command only reads the manifest.
        manifest = json.loads(run(["swift", "package", "--ignore-lock", "dump-package", "--package-path", folder]))
        self.name = manifest["name"]
        languages = manifest.get("swiftLanguageVersions")
        version = int(manifest["toolsVersion"]["_version"].split(".")[0])
        language = languages[-1] if languages else str(max(5, version))
        # SwiftPM defines a condition for each enabled trait.
        self.traits = [
            name for trait in manifest.get("traits", []) if trait["name"] == "default" for name in trait["enabledTraits"]]
        self.targets = {entry["name"]: Target(self, entry, language) for entry in manifest["targets"]}
        self.products = {product["name"]: product["targets"] for product in manifest["products"]}
        self.packages = [identity(entry) for entry in manifest["dependencies"]]


class Packages:
    """A package and the packages in its folder of checkouts."""

    def __init__(self, root, checkouts):
        self.root = Package(root, is_root=True)
        self.all = [self.root]
        waiting = list(self.root.packages)
        while waiting:
            name = waiting.pop()
            folder = os.path.join(checkouts, name)
            if any(os.path.basename(p.folder) == name for p in self.all) or not os.path.isdir(folder):
                continue
            package = Package(folder)
            self.all.append(package)
            waiting += package.packages
        self.targets = {}
        for package in reversed(self.all):
            self.targets.update(package.targets)

    def needs(self, target):
        """Returns the direct dependencies of a target."""
        found = []
        for dependency in target.dependencies:
            kind, (name, *_) = next(iter(dependency.items()))
            if kind != "product" and name in target.package.targets:
                found.append(target.package.targets[name])
                continue
            owner = next((p for p in self.all if name in p.products), None)
            if owner is None:
                raise CheckError(f"the product '{name}' isn't in .build/checkouts: run 'swift package resolve'")
            found += [owner.targets[n] for n in owner.products[name]]
        return found

    def closure(self, targets):
        """Returns the targets and their dependencies, in the order of compilation."""
        ordered, seen = [], set()

        def visit(target):
            if target.name in seen:
                return
            seen.add(target.name)
            for need in self.needs(target):
                visit(need)
            ordered.append(target)

        for target in targets:
            visit(target)
        return ordered


def identity(dependency):
    entry = next(iter(dependency.values()))[0]
    return entry["identity"]


def is_for_macos(entry):
    condition = entry.get("condition")
    if condition is None and "tool" not in entry:
        condition = next(iter(entry.values()))[-1]
    names = (condition or {}).get("platformNames") or []
    return not names or "macos" in names


def options(kind):
    name, values = next(iter(kind.items()))
    value = values.get("_0")
    if name == "enableUpcomingFeature":
        return ["-enable-upcoming-feature", value]
    if name == "enableExperimentalFeature":
        return ["-enable-experimental-feature", value]
    if name == "define":
        return [f"-D{value}"]
    if name == "unsafeFlags":
        return [option for option in value if option != "-Xfrontend"]
    return []
