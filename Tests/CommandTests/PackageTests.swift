import Foundation
import TestSupport
import Testing

/// The manual, the files that `Scripts/install` installs, and the Debian package. The tests create them from the built
/// program and use them like their users.
struct PackageTests {
  private static let scripts = BuiltCommand.repository.appending(path: "Scripts").path
  private static let program = BuiltCommand.folder.appending(path: "storetool").path
  private static let hasPython = SampleFolder.canRun("command -v python3")
  private static let hasMandoc = hasPython && SampleFolder.canRun("command -v mandoc")
  private static let hasDebian =
    hasPython
    && SampleFolder.canRun("command -v dpkg-deb && command -v lintian && command -v objdump")

  private struct Tool: Decodable {
    struct Command: Decodable {
      var commandName: String
      var subcommands: [Command]?
      /// False for commands that only the program itself starts.
      var shouldDisplay: Bool?

      var pages: [String] {
        [commandName]
          + (subcommands ?? []).filter { $0.commandName != "help" && $0.shouldDisplay != false }
          .flatMap { command in
            command.pages.map { "\(commandName)-\($0)" }
          }
      }
    }

    var command: Command
  }

  @Test(.enabled(if: hasMandoc, "mandoc or python3 isn't installed"))
  func everyCommandHasAPageOfTheManual() throws {
    let samples = try SampleFolder()
    let dump = try samples.expect("storetool --experimental-dump-help")
    let tool = try JSONDecoder().decode(Tool.self, from: Data(dump.utf8))
    try samples.expect("'\(Self.scripts)/man-pages' --binary '\(Self.program)' --output man")
    let pages = try samples.expect("ls man").split(separator: "\n").map { String($0.dropLast(2)) }
    #expect(pages.sorted() == tool.command.pages.sorted())
    #expect(try samples.shell.run("cd man && mandoc -Tlint *.1").output == "")
    let general = try samples.expect("mandoc -Tascii man/storetool.1 | col -b")
    for heading in ["ENVIRONMENT", "FILES", "EXIT STATUS"] {
      #expect(general.contains("\n\(heading)\n"))
    }
    for name in ["STORETOOL_MODEL", "78", "storetool-model(1)"] { #expect(general.contains(name)) }
    let fetch = try samples.expect("mandoc -Tascii man/storetool-fetch.1 | col -bx")
    for text in [
      "[--limit n]", "     --where predicate\n", "storetool fetch Product --group-by country \\",
    ] {
      #expect(fetch.contains(text))
    }
  }

  /// The page contains all exit statuses and environment variables.
  @Test func theReferenceHasEveryStatusAndVariable() throws {
    func text(_ path: String) throws -> String {
      try String(contentsOf: BuiltCommand.repository.appending(path: path), encoding: .utf8)
    }
    let page = try text("docs/cli.md")
    let statuses = try text("Sources/storetool/Shared/Output/ExitStatus.swift").matches(
      of: #/case \w+ = (\d+)/#)
    for status in statuses { #expect(page.contains("\n| \(status.output.1) |")) }
    let sources = FileManager.default.enumerator(
      at: BuiltCommand.repository.appending(path: "Sources/storetool"),
      includingPropertiesForKeys: nil)
    var variables: Set<String> = []
    for case let file as URL in try #require(sources) where file.pathExtension == "swift" {
      let names = try String(contentsOf: file, encoding: .utf8)
        .matches(of: #/(?:environment[\(\[]|Variable = )"([A-Z_]+)"/#)
      variables.formUnion(names.map { String($0.output.1) })
    }
    #expect(variables.count > 4)
    for name in variables {
      #expect(page.contains("\n| `\(name)`") || page.contains(", `\(name)` |"))
    }
  }

  @Test(.enabled(if: hasPython, "python3 isn't installed"))
  func whatIsInstalledIsUsedAndRemoved() throws {
    let samples = try SampleFolder()
    let call = "'\(Self.scripts)/install' --prefix '/opt/my tools' --destdir \"$PWD/root\""
    let installed = try samples.expect("\(call) --binary '\(Self.program)'")
    let found = try samples.expect("find \"$PWD/root\" -type f")
    #expect(Set(installed.split(separator: "\n")) == Set(found.split(separator: "\n")))
    let tools = "'root/opt/my tools'"
    try samples.expect(
      """
      bash -n \(tools)/share/bash-completion/completions/storetool
      head -1 \(tools)/share/zsh/site-functions/_storetool | grep -qx '#compdef storetool'
      test -s \(tools)/share/fish/vendor_completions.d/storetool.fish
      test -s \(tools)/share/man/man1/storetool-model-diff.1
      test "$(\(tools)/bin/storetool --version)" = "$(storetool --version)"
      \(call) --remove
      test -z "$(find root -type f)"
      """)
    #expect(try samples.shell.run("'\(Self.scripts)/install'").status == 64)
    #expect(
      try samples.shell.run("\(call) --binary no/such").errors
        == "error: 'no/such' isn't an executable file\n"
    )
    #expect(try samples.shell.run("find root -type f").output == "")
  }

  /// In CI, the package contains the program of the tests, which requires the libraries of this system. A release tests
  /// the static program on systems without these libraries (`Scripts/try-package`).
  @Test(.enabled(if: hasDebian, "dpkg-deb, lintian, objdump or python3 isn't installed"))
  func theDebianPackageIsCleanAndInstalls() throws {
    let samples = try SampleFolder()
    let version = try samples.expect("storetool --version").trimmingCharacters(in: .newlines)
    let made = try samples.expect(
      """
      strip -o program '\(Self.program)'
      '\(Self.scripts)/package-deb' --binary "$PWD/program" --output out --fast
      """)
    #expect(made.hasPrefix("out/storetool_\(version)-1_") && made.hasSuffix(".deb\n"))
    #expect(try samples.expect("dpkg-deb --field out/*.deb Version") == "\(version)-1\n")
    // The program of a release doesn't require libraries. This program contains the path of Swift's libraries, so two
    // tags are suppressed.
    let found = try samples.expect(
      "lintian --allow-root --suppress-tags custom-library-search-path,undeclared-elf-prerequisites out/*.deb"
    )
    #expect(found.split(separator: "\n").filter { !$0.hasPrefix("N:") } == [])
    let files = try samples.expect("dpkg-deb --fsys-tarfile out/*.deb | tar -t")
    for path in [
      "bin/storetool", "share/man/man1/storetool.1.gz", "share/man/man1/storetool-fetch.1.gz",
      "share/bash-completion/completions/storetool", "share/zsh/vendor-completions/_storetool",
      "share/fish/vendor_completions.d/storetool.fish", "share/doc/storetool/copyright",
      "share/doc/storetool/changelog.gz", "share/doc/storetool/changelog.Debian.gz",
    ] {
      #expect(files.contains("./usr/\(path)\n"))
    }
    try samples.expect(
      """
      mkdir -p root/var/lib/dpkg/info root/var/lib/dpkg/updates
      : > root/var/lib/dpkg/status
      dpkg --root="$PWD/root" --log=/dev/null --force-not-root --force-bad-path --force-depends --force-script-chrootless -i out/*.deb
      test "$(root/usr/bin/storetool --version)" = '\(version)'
      dpkg --root="$PWD/root" --log=/dev/null --force-not-root --force-bad-path --force-script-chrootless --purge storetool
      test -z "$(find root/usr -type f)"
      """)
  }

  /// Building a package twice creates the same bytes.
  @Test(.enabled(if: hasDebian, "dpkg-deb, lintian, objdump or python3 isn't installed"))
  func aPackageIsMadeAgainAsItWas() throws {
    let samples = try SampleFolder()
    try samples.expect(
      """
      strip -o program '\(Self.program)'
      for folder in one two; do
        '\(Self.scripts)/package-deb' --binary "$PWD/program" --output $folder --fast; sleep 1
      done
      cmp one/*.deb two/*.deb
      """)
  }
}
