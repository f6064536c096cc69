"""The commands in the program's help."""

import re
import subprocess

# Commands that cases don't run, with the reasons.
EXCEPTIONS = {}


class Commands:
    """All commands without subcommands, such as `("model", "check")`."""

    def __init__(self, binary):
        self.binary = binary
        self.defaults = {}
        self.all = self.below(())

    def below(self, words):
        names = []
        is_list = False
        text = subprocess.run([self.binary, *words, "--help"], check=True, capture_output=True, text=True).stdout
        for line in text.splitlines():
            is_list = line.endswith("SUBCOMMANDS:") or is_list and (not line or line.startswith(" "))
            found = re.match(r"  ([a-z][\w-]*)( \(default\))?(  |$)", line)
            if is_list and found:
                names.append(found.group(1))
                if found.group(2):
                    self.defaults[words] = found.group(1)
        if not names:
            return {words}
        return set().union(*(self.below((*words, name)) for name in names))

    def named(self, words):
        """Returns the command at the start of some arguments, or None if it isn't in the help."""
        for count in (2, 1):
            if tuple(words[:count]) in self.all:
                return tuple(words[:count])
        if words and tuple(words[:1]) in self.defaults:
            return (words[0], self.defaults[tuple(words[:1])])
        return None

    def missing(self, used):
        """Returns the commands that haven't been run and aren't exceptions, and unnecessary exceptions."""
        exceptions = {tuple(name.split()) for name in EXCEPTIONS}
        return sorted(" ".join(words) for words in (self.all - used - exceptions) | (exceptions & used))
