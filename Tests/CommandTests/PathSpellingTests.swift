import Foundation
import TestSupport
import Testing

/// Paths whose spelling differs from their spelling in Git or in the folders.
///
/// On macOS, `/tmp` is a symbolic link, and APFS ignores case and normalization. On other file systems, the tests
/// create a symbolic link with the second spelling.
struct PathSpellingTests {
  private let samples: SampleFolder

  /// A repository with a changed model, and a symbolic link that leads to it.
  init() throws {
    samples = try SampleFolder()
    try run(
      """
      mkdir repository && mv Models repository && ln -s repository link && cd repository
      mkdir "$composed" && cp -R Models/Todo.xcdatamodeld "$composed"
      git init -q -b main . && git config core.ignorecase true && git add -A && git commit -q -m base
      spell models Models; spell "$decomposed" "$composed"
      for folder in Models "$composed"; do
        change "$folder/Todo.xcdatamodeld/Todo 2.xcdatamodel/contents"
      done
      """)
  }

  /// `spell NEW OLD` creates a second spelling of a folder's name.
  private static let words = """
    set -e
    composed=$(printf 'Mod\\303\\250les') decomposed=$(printf 'Mode\\314\\200les')
    spell() { [ -e "$1" ] || ln -s "$2" "$1"; }
    change() { sed 's/"createdAt"/"madeAt"/' "$1" > "$1.new" && mv "$1.new" "$1"; }

    """

  /// Runs a line in the folder of the repository.
  @discardableResult
  private func run(
    _ line: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    try samples.expect(Self.words + line, sourceLocation: sourceLocation)
  }

  /// Returns the names and paths of the changes that `model diff` reports.
  private func changes(_ line: String) throws -> String {
    try run(
      "\(line) | sed 's/.*\"name\":\\(\"[^\"]*\"\\).*\"model\":\\(\"[^\"]*\"\\).*/\\1 in \\2/'")
  }

  private func expected(_ model: String) -> String {
    ["Todo 2", "createdAt", "madeAt"].map { "\"\($0)\" in \"\(model)\"\n" }.joined()
  }

  @Test(
    "model diff finds Git's spelling of a path",
    arguments: [
      "-- models", "-- models/", "-- models/Todo.xcdatamodeld", "--model models/Todo.xcdatamodeld",
      "-- Models/../models/Todo.xcdatamodeld", "-- ../link/Models/Todo.xcdatamodeld",
      "-- ../link/models/Todo.xcdatamodeld", #"-- "$PWD/models/Todo.xcdatamodeld""#,
      #"-- "$OLDPWD/link/Models""#, #"-- "$OLDPWD/link/models/Todo.xcdatamodeld""#,
    ])
  func diff(_ path: String) throws {
    #expect(
      try changes("cd repository && storetool model diff HEAD \(path)")
        == expected("Models/Todo.xcdatamodeld"))
  }

  @Test("model diff finds composed characters by decomposed ones")
  func normalization() throws {
    #expect(
      try changes(#"cd repository && storetool model diff HEAD -- "$decomposed""#)
        == expected("Modèles/Todo.xcdatamodeld"))
  }

  @Test(
    "model diff works in a folder that a link leads to",
    arguments: [
      "-- Models/Todo.xcdatamodeld", #"-- "$PWD/Models/Todo.xcdatamodeld""#,
      #"-- "$(pwd -P)/models""#,
    ])
  func linkedWorkingDirectory(_ path: String) throws {
    #expect(
      try changes("cd link && storetool model diff HEAD \(path)")
        == expected("Models/Todo.xcdatamodeld"))
  }

  @Test("the spelling of a model that is gone counts where Git ignores case")
  func removedModel() throws {
    let line =
      "cd repository && rm -r Models/Todo.xcdatamodeld && storetool model diff HEAD -- models/todo.xcdatamodeld"
    #expect(try run(line).contains(#""change":"model.removed""#))
    try run("cd repository && git checkout -q . && git config core.ignorecase false")
    let outcome = try samples.shell.run(line)
    #expect(outcome.status == 66)
    #expect(outcome.errors.contains("did you mean 'Models/Todo.xcdatamodeld'?"))
  }

  @Test("a path outside of the repository is refused, also through links")
  func outside() throws {
    try run("ln -s ../deep repository/up && mkdir deep")
    for path in ["../elsewhere", #""$PWD/../elsewhere""#, "../deep/file", "/"] {
      let outcome = try samples.shell.run("cd repository && storetool model diff HEAD -- \(path)")
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("[git.outside]"), "\(outcome.errors)")
    }
    let link = try samples.shell.run("cd repository && storetool model diff HEAD -- up")
    #expect(link.errors.contains("there is no model at 'up'"), "\(link.errors)")
  }

  @Test("model diagram finds the former model by another spelling")
  func diagram() throws {
    let line = "cd repository && storetool model diagram --changed HEAD"
    #expect(
      try run("\(line) models/Todo.xcdatamodeld") == run("\(line) Models/Todo.xcdatamodeld"))
    #expect(try run("\(line) models/Todo.xcdatamodeld").contains("+madeAt Date?"))
  }

  @Test("model renumber finds the conflict by another spelling")
  func renumber() throws {
    try run(
      """
      cd repository && git checkout -q . && cd Models/Todo.xcdatamodeld
      add() { mkdir 'Todo 3.xcdatamodel'; sed "s/\\"createdAt\\"/\\"$1\\"/" 'Todo 2.xcdatamodel/contents' > 'Todo 3.xcdatamodel/contents'; git add -A .; git commit -q -m "$1"; }
      git checkout -q -b side && add theirs && git checkout -q main && add ours
      ! git merge -q side > /dev/null && cd ../..
      storetool model renumber 'Todo 3' 'Todo 4' --model models/Todo.xcdatamodeld
      grep -q '"ours"' 'Models/Todo.xcdatamodeld/Todo 3.xcdatamodel/contents'
      grep -q '"theirs"' 'Models/Todo.xcdatamodeld/Todo 4.xcdatamodel/contents'
      """)
  }

  @Test(
    "services get paths from the working directory",
    arguments: ["github", "gitlab", "sarif"])
  func annotations(_ format: String) throws {
    let output = try run(
      """
      cd link && f='Models/Todo.xcdatamodeld/Todo.xcdatamodel/contents'
      sed 's/attributeType="Date"/attributeType="Dat"/' "$f" > new && mv new "$f"
      ! storetool model check "$PWD/Models/Todo.xcdatamodeld" --format \(format)
      """)
    #expect(output.contains("Models/Todo.xcdatamodeld"))
    #expect(!output.contains("/link/Models"), "\(output)")
  }

  @Test("Git calls the program also when it was called through a link and '..'")
  func installedTool() throws {
    let line = """
      mkdir -p deep/er && ln -s deep/er through && cp "$(command -v storetool)" deep/storetool
      cd repository && '\(samples.folder.path("through"))/../storetool' git install > /dev/null
      """
    try run(line)
    let command = try run("cd repository && git config diff.storetool-model.textconv")
    #expect(command.hasPrefix("\(samples.folder.path("through"))/../storetool"), "\(command)")
    #expect(try run("cd repository && git diff").contains("+  attribute madeAt"))
  }

  @Test("commands work on files that a link to a folder leads to")
  func linkedFolder() throws {
    let update = "batch-update Item name=b --model repository/Models/Todo.xcdatamodeld"
    try run(
      """
      storetool create repository/T.sqlite --model link/Models/Todo.xcdatamodeld
      echo '{"store": "T.sqlite", "model": "models/Todo.xcdatamodeld"}' > repository/storetool.json
      cd link/Models && storetool insert Item name=a && cd ../..
      storetool each link/T.sqlite --journal link/journal -- \(update)
      """)
    let again = try samples.shell.run(
      #"storetool each "$PWD/repository/T.sqlite" --journal repository/journal -- \#(update)"#)
    #expect(again.errors.contains("1 done in previous runs"), "\(again.errors)")
    let refused = try samples.shell.run(
      """
      cd link && storetool anonymize --print-rules > rules 2> /dev/null && head -c 32 /dev/zero > key
      storetool anonymize --rules rules --key-file key --output ../repository/T.sqlite
      """)
    #expect(refused.status == 73, "\(refused.errors)")
    try run(
      """
      cd link && storetool model lock && test -f ../repository/Migrations/Todo.lock
      storetool generate -o "$PWD" && test -f ../repository/TodoModel.swift
      test "$(storetool fetch Item --where 'name == "b"' --count)" = 1
      """)
  }
}

/// File names that are typed in another case than in their folder.
@Suite(
  .enabled(
    if: !TemporaryFolder.distinguishesSpellings,
    "this file system distinguishes upper and lower case"
  ))
struct FoldedNameTests {
  private let samples: SampleFolder

  init() throws { samples = try SampleFolder() }

  private func names(_ folder: String = ".") throws -> String {
    try samples.expect("ls -A '\(folder)' | tr '\\n' ' '")
  }

  @Test("a model has the name of its folder")
  func model() throws {
    try samples.expect("storetool model lock --model models/todo.xcdatamodeld")
    #expect(try names("Migrations") == "Todo.lock ")
    try samples.expect("storetool generate --model models/TODO.xcdatamodeld -o generated")
    #expect(try names("generated") == "TodoModel.swift ")
    try samples.expect(
      "storetool model compile models/todo.xcdatamodeld/'todo 2.XCDATAMODEL'/Contents -o c.momd")
    #expect(try names("c.momd").contains("Todo 2.mom "))
  }

  @Test("the current version is the one whose folder the declaration names")
  func currentVersion() throws {
    let file = "Models/Todo.xcdatamodeld/.xccurrentversion"
    try samples.expect("sed 's/Todo 2/TODO 2/' \(file) > new && mv new \(file)")
    let output = try samples.expect("storetool model check Models/Todo.xcdatamodeld 2>&1")
    #expect(output == "1 model, 2 versions: 0 errors, 0 warnings\n")
  }

  @Test("a store and its journal entry have the name of its file")
  func store() throws {
    try samples.expect(
      """
      mkdir s; storetool create s/S.sqlite --model Models/Todo.xcdatamodeld
      storetool insert Item name=a --store s/s.SQLITE
      storetool each s/s.sqlite --journal j -- batch-update Item name=b
      """)
    let again = try samples.shell.run(
      "storetool each S/S.sqlite --journal j -- batch-update Item name=b")
    #expect(again.errors.contains("1 done in previous runs"), "\(again.errors)")
    let open = try samples.expect("storetool info --store s/s.SQLITE --format json")
    #expect(open.contains(#""store":"s/S.sqlite""#) || open.contains(#""store": "s/S.sqlite""#))
  }

  @Test("a file that is written again keeps its name")
  func output() throws {
    try samples.expect(
      """
      storetool model docs Models/Todo.xcdatamodeld -o Model.md
      storetool model docs Models/Shop.xcdatamodeld -o model.md
      """)
    #expect(try names() == "Model.md Models ")
  }

  @Test("a new version never replaces one whose name differs by case")
  func newVersion() throws {
    let outcome = try samples.shell.run(
      """
      cd Models/Todo.xcdatamodeld && cp -R 'Todo 2.xcdatamodel' 'Todo 3.xcdatamodel' && cd ../..
      sed 's/"createdAt"/"theirs"/' 'Models/Todo.xcdatamodeld/Todo 2.xcdatamodel/contents' > theirs.xml
      storetool model renumber 'Todo 2' 'TODO 3' --model Models/Todo.xcdatamodeld --theirs theirs.xml
      """)
    #expect(outcome.status == 73)
    #expect(
      outcome.errors.hasPrefix(
        "error: 'Models/Todo.xcdatamodeld' already has a version 'Todo 3' [renumber.exists]"))
    try samples.expect(
      "cd Models/Todo.xcdatamodeld && cmp 'Todo 2.xcdatamodel/contents' 'Todo 3.xcdatamodel/contents'"
    )
  }

  @Test("the conflict of a model is found by another spelling")
  func conflict() throws {
    try samples.expect(
      """
      git init -q -b main . && git add -A && git commit -q -m base
      f='Models/Todo.xcdatamodeld/Todo 2.xcdatamodel/contents'
      put() { sed "s/\\"createdAt\\"/\\"$1\\"/" "$f" > new && mv new "$f" && git commit -q -a -m "$1"; }
      git checkout -q -b side && put theirs && git checkout -q main && put ours
      ! git merge -q side > /dev/null
      storetool model renumber 'Todo 2' 'Todo 3' --model models/todo.xcdatamodeld
      """)
  }
}
