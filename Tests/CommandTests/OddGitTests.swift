import TestSupport
import Testing

/// In repositories with folders whose names differ only by normalization, or aren't UTF-8, Git and the program use the
/// same files.
@Suite(
  .enabled(
    if: SampleFolder.canRun(
      #"touch $'\xff' $'e\xcc\x81' $'\xc3\xa9' && [ $(ls | wc -l | tr -d ' ') = 4 ]"#)))
struct OddGitTests {
  /// The names in the notation of bash, which doesn't support `\u` in the locale of the tests. The last one begins with
  /// a combining mark, which Swift joins with a preceding slash.
  private static let names = [
    #"$'Caf\xc3\xa9'"#, #"$'Cafe\xcc\x81'"#, #"$'Caf\xe9'"#, #"$'\xff'"#, #"$'\xfe'"#,
    #"$'\xcc\x81x'"#,
  ]

  /// Writes a model with these attributes.
  private static let model = """
    model() { mkdir -p "$(dirname "$1")" && { echo '<model>'; echo '  <entity name="Item">'
    for name in "${@:2}"; do echo "    <attribute name=\\"$name\\" attributeType=\\"String\\"/>"; done
    echo '  </entity>'; echo '</model>'; } > "$1"; }

    """

  private static let diff = "storetool model diff --format csv --no-header"

  /// Creates a repository in a folder whose name isn't UTF-8. It contains a model for each name, with a version of the
  /// same name.
  private func repository() throws -> SampleFolder {
    let samples = try SampleFolder()
    try samples.expect("rm -r Models; mkdir $'top\\xff'")
    try run("git init -q -b main . && storetool git install", samples)
    for name in Self.names { try run("model \(Self.file(name)) done name", samples) }
    try run("git add -A && git commit -qm base", samples)
    return samples
  }

  private static func file(_ name: String) -> String {
    "\(name)/App.xcdatamodeld/\(name).xcdatamodel/contents"
  }

  /// Runs a line in the repository.
  @discardableResult
  private func run(
    _ line: String, _ samples: SampleFolder, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    try samples.expect(
      Self.model + "cd $'top\\xff' && \(line)", sourceLocation: sourceLocation)
  }

  /// Adds an attribute to each model. Its name contains the position of the model.
  private func edit(_ samples: SampleFolder, _ prefix: String = "n") throws {
    for (number, name) in Self.names.enumerated() {
      try run("model \(Self.file(name)) done \(prefix)\(number) name", samples)
    }
  }

  /// Returns the new attributes that `diff` reports in a line.
  private func added(_ line: String, _ samples: SampleFolder) throws -> [String] {
    let output = try run("diff() { \(Self.diff) \"$@\"; }; \(line)", samples)
    let rows = output.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
    return rows.compactMap { $0.count > 2 && $0[2] == "attribute.added" ? $0[1] : nil }.sorted()
  }

  @Test func modelDiffComparesEachModelWithItself() throws {
    let samples = try repository()
    try edit(samples)
    let all = Self.names.indices.map { "n\($0)" }
    #expect(try added("diff main", samples) == all)
    for (number, name) in Self.names.enumerated() {
      let own = ["n\(number)"]
      #expect(try added("diff main -- \(name)", samples) == own, "\(name)")
      #expect(try added("diff main -- \"$PWD\"/\(name)", samples) == own, "\(name)")
      #expect(
        try added("cd \(name) && diff main -- App.xcdatamodeld", samples) == own,
        "\(name)")
    }
    try run("git commit -qam edited", samples)
    #expect(try added("diff HEAD~1..HEAD", samples) == all)
    for (number, name) in Self.names.enumerated() {
      #expect(
        try run(
          "storetool model diagram --model \(name)/App.xcdatamodeld --changed HEAD~1", samples
        ).contains("n\(number)"), "\(name)")
    }
  }

  /// The name of an edited version doesn't have to be UTF-8.
  @Test func modelDiffReportsAnEditOfEachVersion() throws {
    let samples = try repository()
    let names = [#"$'Caf\xc3\xa9'"#, #"$'\xff'"#, #"$'\xfe'"#]
    for name in names {
      try run("model All.xcdatamodeld/\(name).xcdatamodel/contents done", samples)
    }
    try run("git add -A && git commit -qm versions", samples)
    for name in names {
      try run("model All.xcdatamodeld/\(name).xcdatamodel/contents done name", samples)
    }
    let output = try run("storetool model diff main --format csv --no-header", samples)
    #expect(
      output.split(separator: "\n").count { $0.contains(",version.edited,") } == 3, "\(output)")
  }

  @Test func differencesOfGitAreThoseOfTheModels() throws {
    let samples = try repository()
    try edit(samples)
    let diff = try run("git diff", samples)
    for number in Self.names.indices {
      #expect(diff.contains("+  attribute n\(number): String, required\n"), "\(diff)")
    }
    #expect(
      try added("git difftool -y --extcmd '\(Self.diff)'", samples)
        == Self.names.indices.map { "n\($0)" })
  }

  @Test func mergesAreThoseOfTheModels() throws {
    let samples = try repository()
    try run("git checkout -qb theirs", samples)
    try edit(samples, "b")
    try run("git commit -qam theirs && git checkout -q main", samples)
    try edit(samples, "a")
    try run("git commit -qam ours && git merge -q --no-edit theirs", samples)
    for (number, name) in Self.names.enumerated() {
      let text = try run("cat \(Self.file(name))", samples)
      let found = text.matches(of: #/attribute name="(\w+)"/#).map { String($0.output.1) }
      #expect(found == ["done", "a\(number)", "b\(number)", "name"], "\(name)")
    }
  }

  @Test func aConflictNamesTheVersion() throws {
    let samples = try repository()
    let file = Self.file(#"$'\xff'"#)
    let line =
      Self.model + "cd $'top\\xff' && model a one; model b two; : > none; "
      + "storetool model merge none a b --path \(file)"
    let outcome = try samples.shell.run(line)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(#"\xFF/App.xcdatamodeld/\xFF.xcdatamodel/contents: "#))
    #expect(outcome.errors.contains(#"different versions '\xFF'"#))
  }

  /// Git passes the path of a file in the work tree without a prefix.
  @Test func pathsThatBeginWithADashAreNoOptions() throws {
    let samples = try repository()
    let version = "./--help.xcdatamodel"
    try run("model \(version)/contents done name && git add -A && git commit -qm dash", samples)
    try run("git checkout -qb theirs && model \(version)/contents done name theirs", samples)
    #expect(try run("git diff", samples).contains("+  attribute theirs: String, required\n"))
    #expect(
      try added("git difftool -y --extcmd '\(Self.diff) --'", samples) == ["theirs"])
    try run("git commit -qam theirs && git checkout -q main", samples)
    try run("model \(version)/contents done name ours && git commit -qam ours", samples)
    try run("git merge -q --no-edit theirs", samples)
    #expect(
      try run("grep -o 'attribute name=\"[a-z]*' \(version)/contents", samples)
        == """
        attribute name="done
        attribute name="name
        attribute name="ours
        attribute name="theirs

        """)
  }

  @Test func installationIsForTheUser() throws {
    let samples = try repository()
    let home =
      #"mkdir -p "$PWD"/$'home\xff'; export HOME="$PWD"/$'home\xff'; unset XDG_CONFIG_HOME GIT_CONFIG_GLOBAL; "#
    try run(home + "storetool git install --global", samples)
    try run(home + "grep -q storetool-model \"$HOME\"/.config/git/attributes", samples)
    #expect(
      try samples.shell.run("cd $'top\\xff'; \(home) storetool git install --global").errors
        == "nothing to do\n")
    try run(
      home + "storetool git uninstall --global && test ! -e \"$HOME\"/.config/git/attributes",
      samples)
  }

  /// The settings contain the bytes of the path, including characters with a special meaning in a shell.
  @Test(arguments: [#"$'\xff'"#, #"$'it\'\xcc\x81s'"#, #"$'a b%'"#])
  func gitFindsTheProgram(folder: String) throws {
    let samples = try repository()
    try run(
      "mkdir ../\(folder) && cp \"$(command -v storetool)\" ../\(folder)/storetool && ../\(folder)/storetool git install",
      samples)
    // `PATH` doesn't contain another program with that name.
    let line = "PATH=/usr/bin:/bin git"
    try run("git checkout -qb theirs", samples)
    try edit(samples, "b")
    #expect(try run("\(line) diff", samples).contains("+  attribute b0: String, required\n"))
    try run("git commit -qam theirs && git checkout -q main", samples)
    try edit(samples, "a")
    try run("git commit -qam ours && \(line) merge -q --no-edit theirs", samples)
    #expect(try run("cat \(Self.file(Self.names[0]))", samples).contains("b0"))
  }
}
