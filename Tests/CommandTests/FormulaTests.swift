import Foundation
import TestSupport
import Testing

/// Tests of the Homebrew tap: its layout, the files that its formula installs, and the scripts that publish and test
/// it. Only the workflow on macOS runs Homebrew itself. Here, `Fixtures/homebrew.rb` replaces it.
struct FormulaTests {
  private static let hasRuby = SampleFolder.canRun("command -v ruby && command -v python3")
  private static let repository = BuiltCommand.repository.path
  private static let tap = "\(repository)/Integrations/homebrew"
  private static let homebrew =
    "ruby '\(repository)/Tests/CommandTests/Fixtures/homebrew.rb' '\(tap)/Formula/storetool.rb'"

  private let samples: SampleFolder

  init() throws { samples = try SampleFolder() }

  @Test("a tap has a folder of formulae and a page for its visitors")
  func layout() throws {
    let files = try samples.expect("cd '\(Self.tap)' && find . -type f | sort")
    #expect(files == "./Formula/storetool.rb\n./README.md\n")
    let page = try samples.expect("cat '\(Self.tap)/README.md'")
    #expect(page.contains("\n    brew install OWNER/tap/storetool\n"))
  }

  /// The order that Homebrew's cops FormulaAudit/ComponentsOrder, DependencyOrder and Desc require.
  @Test("stanzas are in Homebrew's order", .enabled(if: hasRuby, "ruby or python3 isn't installed"))
  func stanzas() throws {
    let stanzas = try samples.expect("\(Self.homebrew) stanzas").split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [Any])
    }
    let order = [
      "desc", "homepage", "url", "license", "head", "depends_on", "uses_from_macos", "on_linux",
    ]
    let names = stanzas.compactMap { $0.first as? String }
    let linux = try #require(names.firstIndex(of: "on_linux"))
    let positions = names[...linux].compactMap(order.firstIndex(of:))
    #expect(positions == positions.sorted() && positions.count == linux + 1)
    #expect(Set(order).isSubset(of: names))
    let ofSystem = stanzas.filter { $0.first as? String == "uses_from_macos" }
    for group in [ofSystem, Array(stanzas[(linux + 1)...])] {
      let dependencies = group.map(Dependency.init)
      #expect(dependencies == dependencies.sorted())
    }
    let description = try #require(stanzas.first?.last as? String)
    #expect("storetool: \(description)".count <= 80)
    #expect(!description.hasSuffix(".") && description.first?.isUppercase == true)
    #expect(!["A ", "An ", "The ", "Storetool"].contains(where: description.hasPrefix))
    let source = try #require(
      stanzas.first { $0.first as? String == "url" }?.last as? [String: String])
    #expect(source.keys.sorted() == ["revision", "tag"])
    let lines = try samples.expect("cat '\(Self.tap)/Formula/storetool.rb'").split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 118 })
  }

  /// Dependencies of the build come first. Each kind is sorted by name.
  private struct Dependency: Comparable {
    private let isForBuild: Bool
    private let name: String

    init(_ stanza: [Any]) {
      let value = stanza.last as? [String: Any]
      isForBuild = value?.values.first as? String == "build"
      name = value?.keys.first ?? stanza.last as? String ?? ""
    }

    static func < (one: Self, other: Self) -> Bool {
      (one.isForBuild ? 0 : 1, one.name) < (other.isForBuild ? 0 : 1, other.name)
    }
  }

  /// A script in place of the compiler copies the program of the tests.
  @Test(
    "the formula installs the program, and its test passes",
    .enabled(if: hasRuby, "ruby or python3 isn't installed"))
  func installs() throws {
    try samples.expect(
      """
      set -e; mkdir bin && cp -R '\(Self.repository)/Scripts' .
      mkdir docs && cp '\(Self.repository)/docs/cli.md' docs && cp '\(Self.repository)/CHANGELOG.md' .
      printf '%s\\n' '#!/bin/bash' 'echo "$@" > words; mkdir -p .build/release; cp "$(command -v storetool)" .build/release' > bin/swift
      chmod +x bin/swift; PATH="$PWD/bin:$PATH" \(Self.homebrew) install
      """)
    #expect(
      try samples.expect("cat words")
        == "build --disable-sandbox --configuration release --product storetool\n")
    try samples.expect(
      """
      set -e; test "$(prefix/bin/storetool --version)" = "$(storetool --version)"
      test -s prefix/share/man/man1/storetool-model-diff.1
      bash -n prefix/etc/bash_completion.d/storetool
      \(Self.homebrew) test
      """)
    // The test of the formula fails for a program that can't read its own store, and for a program of another version.
    for broken in ["fetch) echo '{}'", "--version) echo 9.9.9"] {
      let outcome = try samples.shell.run(
        """
        rm -rf Shelf.*; printf '%s\\n' '#!/bin/bash' 'case $1 in' \(quoted(broken)) ';; *) storetool "$@" ;; esac' > prefix/bin/storetool
        \(Self.homebrew) test
        """)
      #expect(outcome.status != 0)
      #expect(outcome.errors.contains("(RuntimeError)"), "\(outcome.errors)")
    }
  }

  private func quoted(_ text: String) -> String {
    "'\(text.replacing("'", with: #"'\''"#))'"
  }

  @Test("a published tap names its owner and the commit")
  func published() throws {
    let head = try samples.expect("git -C '\(Self.repository)' rev-parse HEAD")
      .trimmingCharacters(in: .newlines)
    try samples.expect("'\(Self.repository)/Scripts/tap' --owner acme --output tap")
    #expect(
      try samples.expect("cd tap && find . -type f | sort")
        == "./Formula/storetool.rb\n./README.md\n")
    let formula = try samples.expect("cat tap/Formula/storetool.rb")
    #expect(formula.contains("\n      revision: \"\(head)\"\n"))
    #expect(formula.contains("\n  url \"https://github.com/acme/storetool.git\",\n"))
    #expect(try samples.shell.run("grep -rE 'OWNER|REVISION' tap").status == 1)
    try samples.expect(
      "'\(Self.repository)/Scripts/tap' --owner acme --output tap --clone file:///a/b.git")
    let local = try samples.expect("cat tap/Formula/storetool.rb")
    #expect(local.contains("\n  url \"file:///a/b.git\", using: :git,\n"))
    #expect(local.contains("\n  head \"file:///a/b.git\", using: :git, branch: \"main\"\n"))
    for owner in ["", "a/b", "'$(x)'"] {
      let refused = try samples.shell.run(
        "'\(Self.repository)/Scripts/tap' --owner \(owner.isEmpty ? "''" : owner) --output other")
      #expect(refused.status == 64)
    }
  }

  /// A script in place of `brew` records its arguments, and clones the formula's repository like Homebrew.
  @Test("the formula is tried from a tap that goes again", arguments: [0, 1])
  func tried(status: Int) throws {
    try samples.folder.write(
      """
      #!/bin/bash
      echo "$*" >> "$LOG"
      formula=$TAP/Formula/storetool.rb
      case $1 in
        tap-new) mkdir "$TAP" ;;
        --repository) echo "$TAP" ;;
        install)
          url=$(sed -nE 's/^ *url "(.*)", using: :git,$/\\1/p' "$formula")
          tag=$(sed -nE 's/^ *tag: *"(.*)",$/\\1/p' "$formula")
          revision=$(sed -nE 's/^ *revision: *"(.*)"$/\\1/p' "$formula")
          git clone --quiet --depth 1 --branch "$tag" -c advice.detachedHead=false "$url" "$TAP/clone" &&
            [ "$(git -C "$TAP/clone" rev-parse HEAD)" = "$revision" ] && [ -e "$TAP/clone/Package.swift" ] ;;
        test) exit \(status) ;;
        audit) grep -q 'url "https://github.com/storetool/storetool.git",$' "$formula" ;;
      esac
      """, to: "bin/brew")
    let outcome = try samples.shell.run(
      "chmod +x bin/brew; LOG=$PWD/log TAP=$PWD/tap PATH=\"$PWD/bin:$PATH\" '\(Self.repository)/Scripts/test-formula'"
    )
    #expect(outcome.status == Int32(status), "\(outcome.errors)")
    let calls = [
      "tap-new --no-git storetool/check", "--repository storetool/check",
      "install --build-from-source storetool/check/storetool", "test storetool/check/storetool",
    ]
    let audit = ["audit --strict --formula storetool/check/storetool"]
    let end = ["uninstall --force storetool/check/storetool", "untap storetool/check"]
    #expect(
      try samples.expect("cat log").split(separator: "\n").map(String.init)
        == calls + (status == 0 ? audit : []) + end)
  }
}
