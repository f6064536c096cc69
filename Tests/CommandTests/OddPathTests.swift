import TestSupport
import Testing

/// Commands always distinguish files whose names differ only by normalization, or aren't UTF-8.
@Suite(
  .enabled(
    if: SampleFolder.canRun(
      #"touch $'\xff' $'e\xcc\x81' $'\xc3\xa9' && [ $(ls | wc -l | tr -d ' ') = 4 ]"#)))
struct OddPathTests {
  /// The names in the notation of bash, which doesn't support `\u` in the locale of the tests.
  private static let names = [
    #"$'Caf\xc3\xa9'"#, #"$'Cafe\xcc\x81'"#, #"$'Caf\xe9'"#, #"$'\xff'"#, #"$'\xfe'"#,
  ]

  /// Creates a store for each name. Its only row contains the number of the name.
  private func stores() throws -> SampleFolder {
    let samples = try SampleFolder()
    try samples.expect("mv Models/Todo.xcdatamodeld . && rm -r Models")
    for (number, name) in Self.names.enumerated() {
      try samples.expect("storetool create \(name).sqlite")
      try samples.expect("storetool insert Item name=\(number) --store \(name).sqlite")
    }
    return samples
  }

  private func expectOwnRows(_ samples: SampleFolder, _ suffix: String = "") throws {
    for (number, name) in Self.names.enumerated() {
      let rows = try samples.expect(
        "storetool fetch Item --select name --format csv --no-header --store \(name).sqlite")
      #expect(rows == "\(number)\(suffix)\n", "\(name)")
    }
  }

  @Test(
    "each command works on the store, the model or the file that is named",
    arguments: [
      "info", "verify", "export Item", "templates", "explain fetch Item", "migrate status",
      "migrate plan --to Todo --allow-loss all", "compact", "anonymize --print-rules",
    ])
  func reads(command: String) throws {
    let samples = try stores()
    for name in Self.names { try samples.expect("storetool \(command) --store \(name).sqlite") }
    try expectOwnRows(samples)
    #expect(try samples.expect("ls | wc -l | tr -d ' '") == "\(Self.names.count + 1)\n")
  }

  @Test func writesGoToTheNamedStore() throws {
    let samples = try stores()
    for (number, name) in Self.names.enumerated() {
      let store = "--store \(name).sqlite"
      try samples.expect(#"echo '{"name":"batch \#(number)"}' > \#(name).ndjson"#)
      try samples.expect("storetool batch-insert Item \(name).ndjson \(store)")
      try samples.expect("storetool import \(name).ndjson --entity Item \(store)")
      try samples.expect("storetool batch-delete Item --where 'name BEGINSWITH \"batch\"' \(store)")
      try samples.expect(#"storetool batch-update Item 'name:=name + "!"' \#(store)"#)
      try samples.expect("storetool compact \(store)")
      try samples.expect("storetool verify \(store)")
    }
    try expectOwnRows(samples, "!")
  }

  @Test func outputsGetTheNamedPath() throws {
    let samples = try stores()
    for name in Self.names {
      let store = "--store \(name).sqlite"
      try samples.expect("storetool anonymize --print-rules \(store) > \(name).rules")
      try samples.expect("head -c 32 /dev/zero > \(name).key")
      try samples.expect(
        "storetool anonymize --rules \(name).rules --key-file \(name).key --output \(name).copy \(store)"
      )
      try samples.expect("storetool verify --store \(name).copy")
      try samples.expect(
        "storetool generate --output \(name).generated && test -d \(name).generated")
      try samples.expect("storetool model docs -o \(name).md && test -f \(name).md")
      try samples.expect(
        "storetool model diagram -o \(name).svg --format svg && test -f \(name).svg")
      try samples.expect("storetool model compile -o \(name).momd && test -d \(name).momd")
      try samples.expect("storetool model hash --model \(name).momd")
      try samples.expect(
        "storetool model decompile --model \(name).momd -o \(name).xcdatamodeld && test -d \(name).xcdatamodeld"
      )
      try samples.expect("storetool model check --model \(name).xcdatamodeld")
      try samples.expect("storetool model format \(name).xcdatamodeld")
      try samples.expect(
        "storetool migrate --to Todo --allow-loss all --backup \(name).backup \(store) --model Todo.xcdatamodeld && test -f \(name).backup"
      )
      try samples.expect("rm -r \(name).xcdatamodeld \(name).momd \(name).copy")
    }
    try expectOwnRows(samples)
  }

  @Test func eachTakesStoresByTheirBytes() throws {
    let samples = try stores()
    let count = Self.names.count
    try samples.expect("mkdir stores $'stores/\\xff' && mv *.sqlite stores")
    try samples.expect("cp stores/$'\\xfe'.sqlite stores/$'\\xff'/in.sqlite")
    try samples.expect(
      "storetool each stores --journal $'j\\xff' -- batch-update Item name=x")
    let total =
      "storetool each stores -- fetch Item --where 'name == \"x\"' --count 2>&1 >/dev/null"
    #expect(try samples.expect(total).contains("\(count + 1) rows in total"))
    // A second run finds each store in the journal.
    let again = try samples.shell.run(
      "storetool each stores --journal $'j\\xff' -- batch-update Item name=x")
    #expect(again.errors.contains("\(count + 1) done in previous runs"), "\(again.errors)")
    // Lists with both separators, and the placeholders of a command.
    for end in ["-print0", "-print"] {
      let list = try samples.shell.run(
        "find stores -name '*.sqlite' \(end) | storetool each --from - -- fetch Item --select name")
      #expect(list.status == 0)
      #expect(
        list.output.split(separator: "\n").count { $0.hasSuffix(#""name":"x"}"#) } == count + 1)
      #expect(list.errors == "\(count + 1) stores: \(count + 1) done\n")
    }
    let missing = try samples.shell.run(
      #"printf 'stores/\xff.sqlite\0stores/\xfd.sqlite\0' | storetool each --from - -- fetch Item --count"#
    )
    #expect(missing.status == 1)
    #expect(
      missing.errors.contains(
        #"stores/\xFD.sqlite: error: the file 'stores/\xFD.sqlite' doesn't exist"#),
      "\(missing.errors)")
    #expect(missing.errors.contains("2 stores: 1 done, 1 failed"), "\(missing.errors)")
    try samples.expect(
      "storetool each stores -- migrate --to Todo --allow-loss all --backup '{store.folder}/{store.name}.old'"
    )
    #expect(try samples.expect("find stores -name '*.old' | wc -l | tr -d ' '") == "\(count + 1)\n")
  }

  /// A journal belongs to one command, and commands are compared byte by byte.
  @Test func eachTellsCommandsApartByTheirBytes() throws {
    let samples = try stores()
    try samples.expect("mkdir stores && mv *.sqlite stores")
    func run(_ command: String, _ journal: String) throws -> BuiltCommand.Result {
      try samples.shell.run("storetool each stores --journal \(journal) -- \(command)")
    }
    let commands = [
      [#"batch-update Item $'name=\xc3\xa9'"#, #"batch-update Item $'name=e\xcc\x81'"#],
      [#"batch-insert Item $'\xff.ndjson'"#, #"batch-insert Item $'\xfe.ndjson'"#],
    ]
    try samples.expect(
      "echo '{\"name\":\"n\"}' > $'\\xff.ndjson'; cp $'\\xff.ndjson' $'\\xfe.ndjson'")
    for (number, pair) in commands.enumerated() {
      let first = try run(pair[0], "j\(number)")
      #expect(first.errors.contains("\(Self.names.count) done"), "\(first.errors)")
      let other = try run(pair[1], "j\(number)")
      #expect(other.status == 64)
      #expect(other.errors.contains("[each.other-journal]"), "\(other.errors)")
      let again = try run(pair[0], "j\(number)")
      #expect(again.errors.contains("\(Self.names.count) done in previous runs"), "\(again.errors)")
    }
    #expect(
      try samples.expect(
        "storetool fetch Item --select name --format csv --no-header --store stores/$'\\xff'.sqlite"
      )
        == "\u{e9}\nn\n")
  }

  /// `each` passes paths to its processes in arguments and in the environment.
  @Test func eachHandsOnPathsByTheirBytes() throws {
    let samples = try SampleFolder()
    try samples.expect(
      "mkdir stores $'m\\xff' && mv Models/Todo.xcdatamodeld $'m\\xff' && rm -r Models")
    let model = "$'m\\xff'"
    try samples.expect("storetool create stores/a.sqlite --model \(model) --model-version Todo")
    // The model has the target version, and other models don't.
    let status = "storetool each stores -- migrate status --to 'Todo 2'"
    for line in ["\(status) --model \(model)", "STORETOOL_MODEL=\(model) \(status)"] {
      #expect(try samples.expect(line).contains(#""pending":true"#), "\(line)")
    }
    let missing = try samples.shell.run("STORETOOL_MODEL=$'m\\xfe' \(status)")
    #expect(missing.errors.contains(#"'m\xFE' doesn't exist [model.no-file]"#), "\(missing.errors)")
  }

  /// For Swift, `=` or a slash that is followed by a combining mark is another character.
  @Test func valuesMayBeginWithACombiningMark() throws {
    let samples = try stores()
    let mark = #"\xcc\x81"#
    try samples.expect(
      #"mkdir $'\#(mark)' && mv $'\xff.sqlite' $'\#(mark)/\#(mark).sqlite' && echo '{"\u0301c":"c"}' > m"#
    )
    let store = "--store=$'\(mark)/\(mark).sqlite'"
    try samples.expect("storetool insert Item $'name=\(mark)a' \(store)")
    try samples.expect("storetool insert Item $'name:=\"\(mark)\" + \"b\"' \(store)")
    try samples.expect("storetool import m --entity Item --map $'name=\(mark)c' \(store)")
    try samples.expect(
      "storetool each $'\(mark)' --journal=$'\(mark)j' -- insert Item $'name=\(mark)d'")
    #expect(
      try samples.expect(
        "storetool fetch Item --select name --sort name --format csv --no-header \(store)")
        == "3\nc\n\u{301}a\n\u{301}b\n\u{301}d\n")
  }

  @Test("a bundle with two versions whose names look alike is refused")
  func twinVersions() throws {
    let samples = try SampleFolder()
    let outcome = try samples.shell.run(
      #"""
      cd Models/Todo.xcdatamodeld; for name in $'Caf\xc3\xa9' $'Cafe\xcc\x81'; do
        cp -R Todo.xcdatamodel "$name.xcdatamodel"
      done; cd ../..; storetool model check Models/Todo.xcdatamodeld 2>&1 | sed "s/alike, .* is/alike, … is/"
      """#)
    #expect(
      outcome.output == """
        error: 'Models/Todo.xcdatamodeld' has two versions whose names look alike, … is U+0065 U+0301 \
        in one and U+00E9 in the other [model.twin-versions]
          help: rename one of their folders

        """, "\(outcome.output)")
  }

  @Test("a missing file is never replaced by one with a similar name")
  func missingFile() throws {
    let samples = try stores()
    try samples.expect(
      "printf 'name\\nWRONG\\n' > $'in\\xc3\\xa9.csv'; cp $'in\\xc3\\xa9.csv' $'in\\xef\\xbf\\xbd.csv'"
    )
    for name in [#"$'in\xe9.csv'"#, #"$'ine\xcc\x81.csv'"#, #"$'in\xff.csv'"#] {
      for command in ["batch-insert Item \(name)", "import \(name) --entity Item"] {
        let outcome = try samples.shell.run("storetool \(command) --store $'\\xff'.sqlite")
        #expect(outcome.status == 66, "\(command): \(outcome.errors)")
      }
    }
    try expectOwnRows(samples)
  }

  @Test(
    "text that isn't UTF-8 is refused",
    arguments: [
      #"fetch Item --where $'name == "\xff"' --store $'\xff'.sqlite"#,
      #"insert Item $'name=\xff' --store $'\xff'.sqlite"#, #"fetch $'\xff' --store $'\xff'.sqlite"#,
      #"each $'\xff'.sqlite -- insert Item $'name=\xff'"#,
    ])
  func textNotUTF8(command: String) throws {
    let samples = try stores()
    let outcome = try samples.shell.run("storetool \(command)")
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(outcome.errors.contains("[usage.not-utf8]"), "\(outcome.errors)")
    #expect(outcome.errors.contains(#"\xFF"#), "\(outcome.errors)")
    try expectOwnRows(samples)
  }
}
