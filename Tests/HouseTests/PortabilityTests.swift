import Foundation
import Testing

/// Scripts, tests and pages work with the tools of both Linux and macOS.
struct PortabilityTests {
  private static let lines = ShellLine.all

  @Test(arguments: ToolForm.all)
  func isNotUsed(_ form: ToolForm) throws {
    let found = try form.uses(in: Self.lines)
    let strangers = found.filter { Self.permission(for: $0.key, in: form) == nil }
    #expect(strangers.values.flatMap(\.self).sorted() == [])
    let needed = Set(found.keys.compactMap { Self.permission(for: $0, in: form) })
    // An unused exception would hide the next use.
    #expect(Set(form.exceptions.keys).subtracting(needed) == [])
  }

  @Test func aLinuxOnlyFileUsesAForm() throws {
    try #require(Self.lines.count > 20_000)
    let found = try ToolForm.all.flatMap { try $0.uses(in: Self.lines).keys }
    let needed = Set(found.compactMap { Self.entry(for: $0, in: ToolForm.linuxOnly) })
    #expect(Set(ToolForm.linuxOnly.keys).subtracting(needed) == [])
  }

  /// Returns the entry that permits a file to use the form.
  private static func permission(for path: String, in form: ToolForm) -> String? {
    entry(for: path, in: form.exceptions) ?? entry(for: path, in: ToolForm.linuxOnly)
  }

  private static func entry(for path: String, in entries: [String: String]) -> String? {
    entries.keys.first { path == $0 || path.hasPrefix("\($0)/") }
  }

  @Test(arguments: ToolForm.all)
  func aFormIsFoundAndItsReplacementIsNot(_ form: ToolForm) throws {
    #expect(try Self.forms(in: form.name).contains(form.name))
    #expect(try Self.forms(in: form.replacement) == [])
  }

  /// Returns the names of the forms in a line.
  private static func forms(in line: String) throws -> [String] {
    try ToolForm.all.filter { try !$0.uses(in: [ShellLine("line", 1, line)]).isEmpty }
      .map(\.name)
  }

  @Test(arguments: [
    ("for i in $(seq 3); do FOO=1 timeout 5 sleep 9; done", "timeout"),
    (#"["timeout", "5", program]"#, "timeout"),
    (#"bash -c 'timeout -k 1 5 make'"#, "timeout"),
    ("storetool info | sha256sum", "sha256sum"),
    ("find . -type f -print0 | xargs -0 sha256sum", "sha256sum"),
    (#"-P "$(nproc)" bash"#, "nproc"),
    ("env -u NO_COLOR script -qec 'storetool info' /dev/null", "script -qc command"),
    ("cp a b; sed -n -i 's/a|b/c/' b", "sed -i s/a/b/ file"),
    ("sed 's|a|b|' -i b", "sed -i s/a/b/ file"),
    (#"sed -e "s|a|&\n|" b"#, #"sed 's/a/\n/'"#),
    (#"sed "s/a\\+/b/" c"#, #"grep 'a\|b'"#),
    ("sort a --unique", "sort --long-option"),
    ("grep -q a b && date +'%s %N'", "date +%s.%N"),
    (#"(cd a && touch -cd '2 hours ago' b)"#, "touch -d 2001-01-01 file"),
    ("start=${EPOCHREALTIME/[.,]/}", "$EPOCHREALTIME"),
    (#"printf %s "$(case $a in */*) echo b ;; esac)""#, "$(case a in a) b ;; esac)"),
    (#"Path(f"/proc/{process}/stat")"#, "/proc/self"),
  ])
  func isFound(line: String, name: String) throws {
    #expect(try Self.forms(in: line) == [name])
  }

  @Test(arguments: [
    "storetool fetch Item --timeout 5 --sort name --limit 3",
    "storetool diff A B --key name | sed 's/ --ours-label=%X//'",
    #"subprocess.run(words, timeout=5, check=True)"#,
    "storetool migrate script --store old.sqlite -c",
    #"Content-Security-Policy: require-trusted-types-for 'script'"#,
    "apt-get install -t stable --no-install-recommends strip",
    "sed -i.old 's/a/b/' c; sed -nE 's/(a|b)+/c/p' d; sed 's/a/-i /' e",
    #"sed 'N;s/\n/ /' a; sed $'s/a/\\\n/' b"#,
    #"grep -E 'a\|b|c\+' d; grep -F 'a\|b' e; tr -d '\n' < f"#,
    "grep -c a b | tail -n +2; xargs -0 -n 2 -P 4 bash -c true",
    "ls -l | wc -l | tr -d ' '; sort a | uniq -c | sed 's/^ *//'",
    "date -u +%F; touch -t 200101010000 a; cp -R a b; ln -sfn a b; dd of=a conv=notrunc",
    "find . -name '*.sqlite' -print0 | xargs -0 -n 1 storetool fetch Item --count --store",
    "paste -sd, -; cut -f1 a | paste - -",
    "a > b 2>&1; a && b &> c; ${list[@]} ${name%,} ${{ github.ref_name }}",
    #"[ "$(uname)" != Linux ] || strip --strip-unneeded storetool"#,
    "the processes in /process and a/proc of *.procedure",
    "! error: 'x' cannot be read",
  ])
  func isNoForm(line: String) throws {
    #expect(try Self.forms(in: line) == [])
  }

  @Test func linesOfAllKindsOfFilesAreRead() {
    func lines(_ path: String, _ text: String) -> [String] {
      ShellLine.lines(of: path, text).map { "\($0.number) \($0.text)" }
    }
    #expect(lines("Scripts/a", "#!/bin/sh\n# nproc\n  nproc") == ["3   nproc"])
    #expect(lines("Scripts/a.py", "\"\"\"A.\"\"\"\nrun([\"nproc\"])").last == "2 run([\"nproc\"])")
    #expect(lines("Scripts/a.lua", "nproc") == [])
    #expect(
      lines(".github/workflows/a.yml", "a:\n  # b\n  - run: nproc").last == "3   - run: nproc")
    #expect(lines("Tests/A.swift", "// nproc\nnproc(\"a \\(b)c\")") == ["2 \"a ", "2 c\""])
    #expect(
      lines("Tests/CommandTests/Scenarios/a.txt", "# a\n$ nproc\n2\n! b: c\n= 1")
        == ["2 nproc", "4 ! b: c"])
    #expect(
      lines("docs/a.md", "nproc\n```sh\n$ nproc\n```\n```swift\na\n```\n    b\n```\nc\n```")
        == ["3 nproc", "8 b", "10 c"])
  }

  @Test func aUseIsReportedWithItsPlaceAndARemedy() throws {
    let line = ShellLine("Scripts/a", 7, "jobs=$(nproc)")
    let form = try #require(ToolForm.all.first { $0.name == "nproc" })
    #expect(
      try form.uses(in: [line])
        == [
          "Scripts/a": [
            "Scripts/a:7: 'nproc': macOS has no such command; use getconf _NPROCESSORS_ONLN"
          ]
        ])
  }
}
