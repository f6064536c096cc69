"""Checks of commands that Git runs, and of commands that run Git, in repositories with similar paths."""

import json
import os

import models
from names import nfc, nfd, shown


def check_git(case, model):
    top = case.file("repository")
    os.makedirs(case.at(top))
    home = case.file("home")
    os.makedirs(case.at(home))
    environment = {"HOME": case.at(home), "GIT_CONFIG_NOSYSTEM": "1", "XDG_CONFIG_HOME": "",
                   "PATH": os.path.dirname(case.commands.binary) + os.pathsep + os.environ["PATH"]}
    for role in ("AUTHOR", "COMMITTER"):
        environment |= {f"GIT_{role}_NAME": "Ann", f"GIT_{role}_EMAIL": "ann@example.com"}

    def run(*words, status=(0,), cwd=top, **more):
        return case.run(*words, status=status, cwd=case.at(cwd), environment=environment, **more)

    def git(*words, **more):
        return run(*words, program="git", **more)

    check_installation(case, run, home)
    git("init", "-q", "-b", "main", ".")
    run("git", "install")
    stems = [nfc("é"), nfd("é"), "\udce9", case.rng.choice(["\udcff", "\\xFF", "\u0301x"])]
    files = [f"{stem}/{stem}.xcdatamodeld/{stem}.xcdatamodel/contents" for stem in stems]
    ours, theirs = ([case.name() for _ in files] for _ in range(2))

    def edit(names):
        for file, name in zip(files, names):
            case.write(f"{top}/{file}", models.xml(models.with_attribute(model, name) if name else model))

    def commit(names, message):
        edit(names)
        git("add", "-A")
        git("commit", "-qm", message)

    commit([None] * len(files), "base")
    git("checkout", "-qb", "theirs")
    commit(theirs, "theirs")
    git("checkout", "-qb", "ours", "main")
    edit(ours)
    check_diff(case, run, git, stems, ours, "main")
    commit(ours, "ours")
    check_diff(case, run, git, stems, ours, "main..ours")
    git("merge", "-q", "--no-edit", "theirs")
    for file, mine, yours in zip(files, ours, theirs):
        text = case.read(f"{top}/{file}")
        case.expect(f'"{mine}"' in text and f'"{yours}"' in text and "<<<<" not in text,
                    f"a merge of {file!r} drops a side:", text)
    run("git", "uninstall")
    case.expect(not os.path.exists(case.at(f"{top}/.gitattributes")), "git uninstall doesn't remove its file")


def check_installation(case, run, home):
    """Checks the installation for the user, whose home folder may have any name."""
    attributes = case.at(f"{home}/.config/git/attributes")
    run("git", "install", "--global")
    case.expect(os.path.exists(attributes), "git install --global doesn't write attributes")
    again = run("git", "install", "--global")
    case.expect("nothing to do" in again.stderr, "git install --global writes its lines twice:", again.stderr)
    run("git", "uninstall", "--global")
    case.expect(not os.path.exists(attributes), "git uninstall --global doesn't remove its file")


def check_diff(case, run, git, stems, names, revisions):
    def added(*words, cwd=None):
        done = run("model", "diff", *words, **({"cwd": cwd} if cwd else {}))
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        return {row["name"]: row["model"] for row in rows if row["change"] == "attribute.added"}

    paths = {name: shown(f"{stem}/{stem}.xcdatamodeld") for stem, name in zip(stems, names)}
    found = added(revisions)
    case.expect(found == paths, f"model diff {revisions} compares other models:", found, paths)
    for stem, name in zip(stems, names):
        one = added(revisions, "--", stem)
        case.expect(one == {name: paths[name]}, f"model diff compares another model for {stem!r}:", one)
        here = added(revisions, "--", f"{stem}.xcdatamodeld", cwd=f"{case.file('repository')}/{stem}")
        case.expect(here == {name: shown(f"{stem}.xcdatamodeld")}, f"model diff compares others in {stem!r}:", here)
    text = git("diff", revisions).stdout
    for name in names:
        case.expect(f"+  attribute {name}: String" in text, f"git diff lacks {name!r}:", text)
